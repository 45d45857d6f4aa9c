"""The method pagesum: what is read, what is written, and where it says it came from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_models import make_tokenizer, save_pagesum

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, DeviceError, OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.detokenising import split_tokens
from lsum_cli.methods.model_inputs import SequenceFrame, encode_page
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.pagesum import PageSumMethod
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressEvent, ignore_progress
from lsum_cli.summaries import AttributionKind, Summary

SECTIONS = {
    "Growth": "The marsh rise where the mud slow the sea. The grass slow the river.",
    "Decline": "The dam cost the marsh its mud. The sea rise.",
    "Repair": "The wall cost more. The bird and the grass rise first.",
}


@pytest.fixture(scope="module")
def document() -> Document:
    return compose_document(
        [Passage(heading=h, level=1, paragraphs=(Paragraph.of(text),)) for h, text in SECTIONS.items()],
        id="d0",
        source="marsh.md",
        title="Marshes",
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_pagesum(tmp_path_factory.mktemp("models") / "tiny")


def options_for(folder: Path, **wishes) -> SummaryOptions:
    return SummaryOptions(model=str(folder), dtype="float32", **({"max_tokens": 24, "beams": 3} | wishes))


def summarize(document: Document, folder: Path, progress=ignore_progress, **wishes) -> Summary:
    return Summarizer(options_for(folder, **wishes), progress).summarize([document])


def add_manifest(folder: Path, **changes) -> Path:
    """Describe a checkpoint as a manifest of its own would."""
    manifest = replace(describe_folder(folder), **changes)
    (folder / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    return folder


def test_a_summary_says_which_pages_it_came_from(document, folder):
    summary = summarize(document, folder)
    assert (summary.method, summary.checkpoint.name) == ("pagesum", "tiny")
    assert (summary.locality, summary.locality_reason) == (
        Locality.SPATIAL,
        "the checkpoint was trained for it",
    )
    assert summary.coverage.tokens_read == summary.coverage.tokens_total > 0
    assert set(summary.seconds) >= {"load", "encode", "decode", "attribute"}
    assert summary.sentences
    for sentence in summary.sentences:
        assert sentence.log_prob < 0
        attribution = sentence.attribution
        assert attribution.kind is AttributionKind.CONFIDENCE
        weights = [weight.weight for weight in attribution.pages]
        assert sum(weights) == pytest.approx(1)
        assert weights == sorted(weights, reverse=True)
        assert {weight.page for weight in attribution.pages} <= {page.index for page in summary.pages}


def test_the_weights_of_a_sentence_are_the_mean_of_its_tokens(document, folder):
    options = options_for(folder)
    summarizer = Summarizer(options)
    plan = summarizer.plan([document])
    method = summarizer.method_for([document])
    outcome = method.search(plan)
    confidence = np.stack(outcome.hypothesis.trace)
    assert confidence.shape == (len(outcome.hypothesis.token_ids), len(plan.pages))
    np.testing.assert_allclose(confidence.sum(axis=1), 1, atol=1e-5)
    written = method.write(plan)
    split = split_tokens(make_tokenizer(), outcome.hypothesis.token_ids)
    assert [sentence.text for sentence in written.sentences] == [sentence.text for sentence in split]
    for sentence, tokens in zip(written.sentences, split, strict=True):
        mean = confidence[list(tokens.tokens)].mean(axis=0)
        weights = {weight.page: weight.weight for weight in sentence.attribution.pages}
        for page, weight in enumerate(mean):
            assert weights.get(page, 0) == pytest.approx(float(weight), abs=1e-5)


def test_the_search_is_that_of_transformers(document, folder):
    options = options_for(folder, min_tokens=6, max_tokens=20, beams=3, no_repeat_ngram=2, length_penalty=1.5)
    summarizer = Summarizer(options)
    plan = summarizer.plan([document])
    found = summarizer.method_for([document]).search(plan).hypothesis
    loaded = load_folder(folder, dtype="float32")
    frame = SequenceFrame.of(loaded.tokenizer)
    rows = [frame.around(encode_page(loaded.tokenizer, page, 62).token_ids) for page in plan.pages]
    longest = max(map(len, rows))
    input_ids = torch.tensor([[row + [1] * (longest - len(row)) for row in rows]])
    generated = loaded.model.generate(
        input_ids,
        num_beams=3,
        min_length=7,
        max_length=22,
        no_repeat_ngram_size=2,
        length_penalty=1.5,
        early_stopping=False,
        forced_eos_token_id=2,
    )
    assert list(found.token_ids) == generated[0, 1:].tolist()


def test_progress_tells_of_pages_and_tokens(document, folder):
    events: list[ProgressEvent] = []
    summary = summarize(document, folder, events.append)
    pages = [event for event in events if event.unit == "parts"]
    tokens = [event for event in events if event.unit == "tokens"]
    assert (pages[-1].done, pages[-1].total) == (len(summary.pages), len(summary.pages))
    assert [event.done for event in tokens] == list(range(1, len(tokens) + 1))
    assert {event.total for event in tokens} == {24 + 1}


def test_without_attribution_none_is_computed(document, folder):
    assert {s.attribution for s in summarize(document, folder, attribution=False).sentences} == {None}


def test_untrained_confidence_is_not_shown(document, tmp_path):
    summary = summarize(document, save_pagesum(tmp_path / "raw", locality=None))
    assert {s.attribution.kind for s in summary.sentences} == {AttributionKind.ALIGNMENT}
    assert "raw has page confidences that were never trained" in " ".join(summary.warnings)
    assert summary.locality is Locality.DISCOURSE


def test_global_decoding_has_no_confidence_to_show(document, tmp_path):
    summary = summarize(document, save_pagesum(tmp_path / "whole", decoding="global"))
    assert {s.attribution.kind for s in summary.sentences} == {AttributionKind.ALIGNMENT}
    assert "decodes all pages at once" in " ".join(summary.warnings)


def test_a_published_checkpoint_gets_its_pages_and_full_stops(document, tmp_path):
    folder = save_pagesum(tmp_path / "published", mask_absent_pages=False)
    add_manifest(folder, pages=7, absent_page_text=".")
    summarizer = Summarizer(options_for(folder))
    plan = summarizer.plan([document])
    assert len(plan.pages) == 6  # no more than sentences
    outcome = summarizer.method_for([document]).search(plan)
    assert outcome.num_fillers == 1
    confidence = np.stack(outcome.hypothesis.trace)
    assert confidence.shape[1] == 7
    assert (confidence[:, 6] > 0).all()
    for sentence in summarizer.summarize([document]).sentences:
        assert sum(weight.weight for weight in sentence.attribution.pages) == pytest.approx(1)
        assert max(weight.page for weight in sentence.attribution.pages) < 6


def test_a_checkpoint_for_sections_reads_their_headings(document, tmp_path, monkeypatch):
    folder = save_pagesum(tmp_path / "sections", locality="discourse")
    read: list[str] = []
    summarizer = Summarizer(options_for(folder))
    method = summarizer.method_for([document])
    plan = summarizer.plan([document])
    inputs = method.encode(plan)
    tokenizer = make_tokenizer()
    read = [tokenizer.decode(ids, skip_special_tokens=True) for ids in inputs.token_ids]
    assert [text.split()[0] for text in read] == [page.label.split()[0] for page in plan.pages]
    assert inputs.headings_left_out == 0
    assert {page.locality for page in plan.pages} == {Locality.DISCOURSE}


def test_long_documents_become_more_pages(folder):
    text = " ".join(f"The marsh {number} rise." for number in range(510))
    long = compose_document([Passage(paragraphs=(Paragraph.of(text),))], id="d0", source="long.txt")
    summary = summarize(long, folder, page_tokens=14, max_tokens=6, beams=2)
    assert len(summary.pages) >= 500
    assert summary.coverage.tokens_dropped == 0
    assert summary.coverage.tokens_read == summary.coverage.tokens_total


@pytest.mark.parametrize("text", ["A", "A. B. C."])
def test_pages_of_one_token_are_pages(folder, text):
    tiny = compose_document([Passage(paragraphs=(Paragraph.of(text),))], id="d0", source="tiny.txt")
    summary = summarize(tiny, folder, page_tokens=1, max_tokens=5)
    assert {page.num_tokens for page in summary.pages} == {1}
    assert summary.coverage.tokens_dropped == 0
    assert summary.sentences


def test_a_length_in_words_ends_at_a_sentence(document, folder):
    summary = Summarizer(SummaryOptions(model=str(folder), dtype="float32", length="9")).summarize([document])
    assert summary.options["length"] == 9
    assert summary.sentences[-1].text.endswith((".", "?")) or len(summary.sentences) == 1


def test_pages_longer_than_the_model_reads_are_refused(document, folder):
    with pytest.raises(OptionError, match="--page-tokens at most 62"):
        summarize(document, folder, page_tokens=63)


def test_a_plan_costs_something_and_loads_no_weights(document, folder, monkeypatch):
    monkeypatch.setattr("lsum_cli.methods.model_method.load_folder", None)
    plan = Summarizer(options_for(folder)).plan([document])
    more = Summarizer(options_for(folder, max_tokens=48)).plan([document])
    assert plan.method == "pagesum"
    assert 0 < plan.cost.seconds < more.cost.seconds
    assert plan.cost.memory_bytes > 100 << 20


def test_a_method_keeps_what_it_loaded(document, folder, monkeypatch):
    summarizer = Summarizer(options_for(folder))
    first = summarizer.summarize([document])
    monkeypatch.setattr("lsum_cli.methods.model_method.load_folder", None)
    assert summarizer.summarize([document]).text == first.text


def spoil(folder: Path, value: float) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.decoder.layers.0.fc1.weight"][0, 0] = value
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_an_error(document, tmp_path, value):
    folder = save_pagesum(tmp_path / "spoilt")
    spoil(folder, value)
    with pytest.raises(CheckpointError, match="damaged"):
        summarize(document, folder)


def test_a_truncated_file_is_an_error(document, tmp_path):
    folder = save_pagesum(tmp_path / "short")
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="short"):
        summarize(document, folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("d_model", 0),
        ("encoder_layers", -1),
        ("page_len", 2),
        ("max_position_embeddings", "many"),
        ("vocab_size", None),
    ],
)
def test_sizes_that_make_no_sense_are_an_error(document, tmp_path, key, value):
    folder = save_pagesum(tmp_path / "odd")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {key: value}))
    with pytest.raises(CheckpointError, match=key):
        summarize(document, folder)


def test_another_architecture_is_an_error(document, tmp_path):
    folder = save_pagesum(tmp_path / "other")
    manifest = describe_folder(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "bart"}))
    (folder / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    with pytest.raises(CheckpointError, match="not a PageSum model"):
        summarize(document, folder)


def test_out_of_memory_names_what_helps(document, folder, monkeypatch):
    def exhaust(*_: object, **__: object) -> None:
        torch.empty(1 << 60)

    monkeypatch.setattr("lsum_cli.models.pagesum.engine.PageSumEngine.encode", exhaust)
    with pytest.raises(DeviceError, match="--beams"):
        summarize(document, folder)


@pytest.mark.parametrize(("device", "error"), [("cuda:99", DeviceError), ("abacus", OptionError)])
def test_devices_that_are_not_there(document, folder, device, error):
    with pytest.raises(error, match=device):
        summarize(document, folder, device=device)


def test_the_protocol_is_kept(folder):
    choice = Summarizer(options_for(folder)).method_for([])
    assert isinstance(choice, PageSumMethod)
    assert (choice.page_len, choice.max_page_len) == (62, 62)
