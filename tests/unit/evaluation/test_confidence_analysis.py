"""Confidences of generated and of given texts, with a tiny PageSum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from evaluation_examples import MARSH, TOWER, make_example
from tiny_models import save_family, save_pagesum

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.analyses.confidence import trace_confidence
from lsum_cli.evaluation.results import ConfidenceMap, label_pages
from lsum_cli.generation.beam import force_tokens
from lsum_cli.locality import Locality
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

EXAMPLE = make_example("1", (*MARSH, *TOWER), "the marsh rise . the sea .")


def options(folder, **wishes):
    wishes = {"locality": Locality.SPATIAL, "page_tokens": 60, "max_tokens": 12, "min_tokens": 4} | wishes
    return SummaryOptions(model=str(folder), device="cpu", dtype="float32", **wishes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_pagesum(tmp_path_factory.mktemp("models") / "tiny")


def trace(folder, text=None, **wishes):
    summarizer = Summarizer(options(folder, **wishes))
    method, plan = summarizer.method_for(EXAMPLE.documents), summarizer.plan(EXAMPLE.documents)
    return method.trace(plan, text), method, plan


def test_a_text_that_the_model_would_write_has_the_confidences_of_its_writing(folder):
    own, method, plan = trace(folder)
    outcome = method.search(plan)
    ids = outcome.hypothesis.token_ids
    decoder = method.engine.encode([[torch.tensor(page) for page in method.encode(plan).token_ids]])
    forced = force_tokens(decoder, ids, start_token_id=2)
    assert len(plan.pages) > 2
    assert forced.token_ids == ids
    assert np.stack(forced.trace) == pytest.approx(own.weights, abs=1e-5)
    assert np.stack(forced.trace) == pytest.approx(np.stack(outcome.hypothesis.trace), abs=1e-5)


def test_forced_confidences_are_those_of_the_models_forward_pass(folder):
    from lsum_cli.checkpoints.loading import load_folder

    text = "the marsh rise."
    found, method, plan = trace(folder, text)
    loaded = load_folder(folder, device="cpu")
    ids = [0, *loaded.tokenizer(text, add_special_tokens=False)["input_ids"], 2]
    pages = method.encode(plan).token_ids
    longest = max(map(len, pages))
    padded = torch.tensor([[page + [1] * (longest - len(page)) for page in pages]])
    with torch.no_grad():
        output = loaded.model(input_ids=padded, labels=torch.tensor([ids]))
    assert found.weights == pytest.approx(output.confidence[0].numpy(), abs=1e-5)
    log_probs = output.logits[0].log_softmax(-1)[range(len(ids)), ids]
    assert found.log_probs == pytest.approx(log_probs.tolist(), abs=1e-4)
    assert len(found.tokens) == len(ids)
    assert "".join(found.tokens[1:-1]).strip() == text


def test_generated_and_reference_are_traced_over_the_same_pages(folder):
    generated, reference = trace_confidence(EXAMPLE, options(folder))
    assert (generated.name, reference.name) == ("generated", "reference")
    assert generated.pages == reference.pages
    for each in (generated, reference):
        assert each.weights.shape == (len(each.tokens), len(each.pages))
        assert each.weights.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert reference.tokens_cut == 0


def test_without_a_reference_only_the_generated_summary_is_traced(folder):
    (only,) = trace_confidence(replace(EXAMPLE, reference=None), options(folder))
    assert only.name == "generated"


def test_a_reference_longer_than_the_model_is_cut_and_counted(folder):
    _, reference = trace_confidence(replace(EXAMPLE, reference="the sea . " * 60), options(folder))
    # 64 positions, of which the first and the last token take two.
    assert len(reference.tokens) == 64
    assert reference.tokens_cut > 0


def test_a_model_with_global_decoding_has_no_confidences(tmp_path):
    with pytest.raises(CheckpointError, match="has no page confidences"):
        trace_confidence(EXAMPLE, options(save_pagesum(tmp_path / "global", decoding="global")))


def test_methods_without_pages_are_refused(tmp_path):
    with pytest.raises(OptionError, match="the method extract has no page confidences"):
        trace_confidence(EXAMPLE, SummaryOptions(method="extract"))
    with pytest.raises(OptionError, match="the method seq2seq has no page confidences"):
        trace_confidence(EXAMPLE, SummaryOptions(model=str(save_family(tmp_path / "bart", "bart"))))


def test_forcing_nothing_is_refused(folder):
    _, method, _ = trace(folder)
    decoder = method.engine.encode([[torch.tensor([0, 5, 2])]])
    with pytest.raises(OptionError, match="0 tokens cannot be forced"):
        force_tokens(decoder, [], start_token_id=2)


def test_figures_of_a_map_by_hand():
    found = ConfidenceMap(
        name="generated",
        tokens=("a", "b", "c"),
        log_probs=(-1, -1, -1),
        pages=label_pages(["Opening", "Methods"], 0),
        weights=np.array([[1, 0], [0.5, 0.5], [0.25, 0.75]], np.float32),
    )
    assert found.mean_greatest == pytest.approx((1 + 0.5 + 0.75) / 3)
    assert found.mean_entropy == pytest.approx((0 + 1 + 0.811278) / 3, abs=1e-5)
    assert found.switches == 1


def test_pages_without_text_are_called_so():
    assert label_pages(["Opening"], 2) == ("1  Opening", "2  (no text)", "3  (no text)")
