"""The method seq2seq: every architecture, long input in parts, nothing cut."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tiny_models import BOS, FAMILIES, SEPARATOR, make_tokenizer, save_family

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, DeviceError, OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.model_inputs import InputForm
from lsum_cli.methods.model_method import Clock
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.parts import Search
from lsum_cli.methods.seq2seq import Seq2SeqMethod, _watch
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressEvent, ignore_progress
from lsum_cli.summaries import AttributionKind, Summary

TEXT = (
    "The marsh rise where the mud slow the sea. The grass slow the river. The dam cost the marsh its mud. "
    "The sea rise. The wall cost more. The bird and the grass rise first. The river slow. The mud rise."
)


def make_document(text: str, id: str = "d0") -> Document:
    return compose_document([Passage(paragraphs=(Paragraph.of(text),))], id=id, source=f"{id}.txt")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("families")
    return {family: save_family(base / family, family) for family in FAMILIES}


def options_for(folder: Path, **wishes) -> SummaryOptions:
    usual = {"max_tokens": 24, "beams": 2, "dtype": "float32"}
    return SummaryOptions(model=str(folder), **(usual | wishes))


def summarize(documents: list[Document], folder: Path, progress=ignore_progress, **wishes) -> Summary:
    return Summarizer(options_for(folder, **wishes), progress).summarize(documents)


def method_for(folder: Path, **wishes) -> Seq2SeqMethod:
    method = Summarizer(options_for(folder, **wishes)).method_for([])
    assert isinstance(method, Seq2SeqMethod)
    return method


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_family_writes_a_summary_of_everything(folders, family):
    summary = summarize([make_document(TEXT)], folders[family])
    assert summary.method == "seq2seq"
    assert summary.sentences
    assert summary.coverage.tokens_read == summary.coverage.tokens_total
    assert all(sentence.log_prob <= 0 for sentence in summary.sentences)
    assert [sentence.index for sentence in summary.sentences] == list(range(len(summary.sentences)))
    assert {sentence.attribution.kind for sentence in summary.sentences} == {AttributionKind.ALIGNMENT}
    assert {"load", "encode", "decode", "attribute"} <= set(summary.seconds)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_parts_hold_the_whole_text(folders, family):
    method = method_for(folders[family])
    plan = method.plan([make_document(TEXT)])
    inputs = [method._input_ids(part) for part in plan.parts]
    assert all(len(ids) <= method.page_len + 2 + len(method._prefix_ids) for ids in inputs)
    tokenizer = make_tokenizer()
    texts = [tokenizer.decode(ids, skip_special_tokens=True) for ids in inputs]
    prefix = "summarize: " if family == "t5" else ""
    assert all(text.startswith(prefix) for text in texts)
    read = "".join(text.removeprefix(prefix) for text in texts)
    assert read.replace(" ", "") == TEXT.replace(" ", "")


@pytest.mark.parametrize("family", ["bart", "led", "t5", "bigbird_pegasus"])
def test_what_is_written_is_what_transformers_writes(folders, family):
    folder = folders[family]
    document = make_document("The marsh rise. The sea slow.")
    method = method_for(folder, min_tokens=4, max_tokens=12, beams=3, no_repeat_ngram=2)
    plan = method.plan([document])
    loaded = load_folder(folder, dtype="float32")
    search = Search(plan=plan, number=0, settings=method._settings(plan.pages))
    encoded = method._encode([search], Clock())
    (outcome,) = method._decode(encoded, [search], Clock())
    ours = outcome.hypothesis
    (part,) = plan.parts
    input_ids = torch.tensor([method._input_ids(part)])
    extra = {}
    if family == "led":
        extra["global_attention_mask"] = torch.zeros_like(input_ids).index_fill_(1, torch.tensor([0]), 1)
    theirs = loaded.model.generate(
        input_ids,
        attention_mask=torch.ones_like(input_ids),
        num_beams=3,
        min_new_tokens=4,
        max_new_tokens=13,
        no_repeat_ngram_size=2,
        length_penalty=1.0,
        early_stopping=False,
        output_scores=True,
        return_dict_in_generate=True,
        **extra,
    )
    assert list(ours.token_ids) == theirs.sequences[0, 1:].tolist()
    # Without bans and forced tokens the sum of log probabilities is the score of the beam.
    plain = loaded.model.generate(
        input_ids,
        attention_mask=torch.ones_like(input_ids),
        num_beams=3,
        max_new_tokens=5,
        min_new_tokens=0,
        length_penalty=0.0,
        forced_eos_token_id=None,
        output_scores=True,
        return_dict_in_generate=True,
        **extra,
    )
    from lsum_cli.methods.seq2seq import EncodedParts, _score

    mask = torch.ones_like(input_ids)
    states = loaded.model.get_encoder()(input_ids, attention_mask=mask, **extra)
    encoded = EncodedParts.of([states.last_hidden_state[0]])
    (scores,) = _score(loaded.model, encoded, [plain.sequences[0]])
    assert sum(scores) == pytest.approx(float(plain.sequences_scores[0]), abs=1e-3)


def test_each_part_is_attributed_to_its_own_page(folders):
    summary = summarize([make_document(TEXT)], folders["bart"])
    assert len(summary.pages) > 1
    pages = [{weight.page for weight in sentence.attribution.pages} for sentence in summary.sentences]
    assert all(len(found) == 1 for found in pages)
    assert {page for found in pages for page in found} == {page.index for page in summary.pages}
    assert summary.options["parts"] == len(summary.pages)


def test_documents_stand_together_where_the_model_knows_a_separator(folders):
    documents = [make_document("The marsh rise.", "d0"), make_document("The sea slow.", "d1")]
    options = options_for(folders["primera"])
    summarizer = Summarizer(options)
    method = summarizer.method_for(documents)
    (part,) = method.plan(documents).parts
    separator = method._form.separator_id
    ids = method._input_ids(part)
    assert make_tokenizer(extra=[SEPARATOR]).decode(ids) == f"<s>The marsh rise.{SEPARATOR}The sea slow.</s>"
    mask = method._form.global_attention(torch.tensor([ids]))[0].tolist()
    assert [place for place, seen in enumerate(mask) if seen] == [0, ids.index(separator)]
    summary = summarizer.summarize(documents)
    assert summary.options["parts"] == 1
    assert {p.document_id for p in summary.pages} == {"d0", "d1"}


def test_many_documents_become_as_many_parts_as_needed(folders):
    documents = [make_document(TEXT[:100], f"d{number}") for number in range(5)]
    summarizer = Summarizer(options_for(folders["primera"]))
    method = summarizer.method_for(documents)
    plan = method.plan(documents)
    pages, parts = plan.pages, plan.parts
    assert [page for part in parts for page in part] == list(pages)
    assert all(len(method._input_ids(part)) <= 128 for part in parts)
    assert 1 < len(parts) < len(pages)


def test_a_language_is_forced_where_the_model_wants_one():
    tokenizer = make_tokenizer(extra=["en_XX", "de_DE"])
    tokenizer.src_lang = "en_XX"
    config = {"model_type": "mbart", "max_position_embeddings": 64}
    assert InputForm.of(config, tokenizer).first_token_id == tokenizer.convert_tokens_to_ids("en_XX")
    tokenizer.tgt_lang = "de_DE"
    assert InputForm.of(config, tokenizer).first_token_id == tokenizer.convert_tokens_to_ids("de_DE")
    assert InputForm.of(config | {"model_type": "bart"}, tokenizer).first_token_id is None


def test_the_first_token_a_checkpoint_states_is_written(folders, tmp_path):
    folder = save_family(tmp_path / "forced", "mbart")
    path = folder / "generation_config.json"
    path.write_text(path.read_text().replace("{", f'{{"forced_bos_token_id": {BOS},', 1))
    method = method_for(folder)
    settings = method._settings(method.plan([make_document(TEXT)]).pages)
    assert method._arguments(settings)["forced_bos_token_id"] == BOS


@pytest.mark.parametrize(
    ("config", "limit", "can_exceed"),
    [
        ({"model_type": "bart", "max_position_embeddings": 1024}, 1024, False),
        (
            {"model_type": "led", "max_encoder_position_embeddings": 16384, "max_position_embeddings": 1},
            16384,
            False,
        ),
        ({"model_type": "t5", "n_positions": 512}, 512, True),
        ({"model_type": "t5"}, 512, True),
        ({"model_type": "longt5"}, 16384, True),
    ],
)
def test_limits_of_the_input(config, limit, can_exceed):
    form = InputForm.of(config, make_tokenizer())
    assert (form.max_tokens, form.can_exceed) == (limit, can_exceed)


def test_the_limit_of_the_tokenizer_counts_where_it_is_lower():
    form = InputForm.of(
        {"model_type": "bart", "max_position_embeddings": 1024}, make_tokenizer(model_max_length=512)
    )
    assert form.max_tokens == 512


def test_longer_pages_are_refused_where_positions_end_and_read_where_not(folders):
    with pytest.raises(OptionError, match="--page-tokens at most"):
        summarize([make_document(TEXT)], folders["bart"], page_tokens=100)
    summary = summarize([make_document(TEXT)], folders["t5"], page_tokens=1000)
    assert len(summary.pages) == 1


def test_progress_tells_of_parts_and_tokens(folders):
    events: list[ProgressEvent] = []
    # One part after the other, since what the first one says is not said again.
    summary = summarize([make_document(TEXT)], folders["bart"], events.append, faithful="verbatim")
    stages = [event.stage for event in events if event.unit == "tokens"]
    assert f"writing part 1 of {len(summary.pages)}" in stages
    assert f"writing part {len(summary.pages)} of {len(summary.pages)}" in stages


def test_a_plan_loads_no_weights(folders, monkeypatch):
    monkeypatch.setattr("lsum_cli.methods.model_method.load_folder", None)
    plan = Summarizer(options_for(folders["led"])).plan([make_document(TEXT)])
    assert plan.locality is Locality.SPATIAL
    assert plan.cost.seconds > 0


def test_scores_that_are_no_numbers_end_the_search(folders, monkeypatch):
    head = torch.nn.Linear.forward
    monkeypatch.setattr(torch.nn.Linear, "forward", lambda self, inputs: head(self, inputs) * float("nan"))
    with pytest.raises(CheckpointError, match="NaN"):
        summarize([make_document(TEXT)], folders["bart"])


def test_out_of_memory_names_what_helps(folders, monkeypatch):
    from transformers import BartForConditionalGeneration

    monkeypatch.setattr(BartForConditionalGeneration, "generate", lambda *_, **__: torch.empty(1 << 60))
    with pytest.raises(DeviceError, match="--beams"):
        summarize([make_document(TEXT)], folders["bart"])


def test_int8_is_not_for_these(folders):
    with pytest.raises(OptionError, match="int8"):
        summarize([make_document(TEXT)], folders["bart"], dtype="int8")


def test_a_model_that_writes_nothing_is_an_error(tmp_path):
    folder = save_family(tmp_path / "mute", "bart")
    model = load_folder(folder).model
    model.final_logits_bias.fill_(-20)
    model.final_logits_bias[0, 2] = 50
    model.save_pretrained(folder)
    with pytest.raises(CheckpointError, match="wrote no text"):
        summarize([make_document("The sea.")], folder, min_tokens=0)


def test_the_own_lengths_of_a_checkpoint_hold_for_each_part(folders, tmp_path):
    folder = save_family(tmp_path / "tuned", "bart")
    manifest = describe_folder(folder)
    defaults = replace(manifest.generation, min_tokens=2, max_tokens=9)
    (folder / "manifest.json").write_text(replace(manifest, generation=defaults).to_json())
    method = method_for(folder, max_tokens=None)
    plan = method.plan([make_document(TEXT)])
    parts, settings = range(len(plan.parts)), method._settings(plan.pages)
    assert {method._settings_for(plan, part, settings).max_tokens for part in parts} == {9}
    asked = method_for(folder, max_tokens=60)
    shares = [asked._settings_for(plan, part, asked._settings(plan.pages)).max_tokens for part in parts]
    assert sum(shares) == pytest.approx(60, abs=len(parts))


@pytest.mark.skipif(sys.platform != "linux", reason="looks at mappings as Linux shows them")
@pytest.mark.parametrize(("dtype", "is_mapped"), [("float32", True), ("bfloat16", False)])
def test_weights_are_shared_where_they_are_used_as_they_lie_in_the_file(folders, dtype, is_mapped):
    folder = folders["bart"]
    summarizer = Summarizer(options_for(folder, dtype=dtype))
    document = make_document(TEXT)
    assert summarizer.summarize([document]).sentences
    assert (str(folder / "model.safetensors") in Path("/proc/self/maps").read_text()) is is_mapped
    stored = sum(weight.nbytes for weight in load_file(folder / "model.safetensors").values())
    assert summarizer.plan([document]).cost.shared_bytes == (stored if is_mapped else 0)


def test_scores_that_are_no_numbers_are_an_error_of_the_checkpoint():
    watch = _watch("writing", 10, ignore_progress)
    ids, scores = torch.tensor([[2]]), torch.zeros(1, 4)
    assert watch(ids, scores) is scores
    scores[0, 3] = torch.nan
    with pytest.raises(CheckpointError, match="scores are NaN"):
        watch(ids, scores)
