"""The method topdown: whole documents in one stream, parts where they are longer, pooling, attribution."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tiny_models import save_family
from tiny_topdown import save_topdown

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import AttributionKind, Summary

SECTIONS = {
    "Growth": "The marsh rise where the mud slow the sea. The grass slow the river.",
    "Decline": "The dam cost the marsh its mud. The sea rise.",
    "Repair": "The wall cost more. The bird and the grass rise first.",
}


@pytest.fixture(scope="module")
def document() -> Document:
    return compose(SECTIONS)


def compose(sections: dict[str, str]) -> Document:
    passages = [Passage(heading=h, level=1, paragraphs=(Paragraph.of(t),)) for h, t in sections.items()]
    return compose_document(passages, id="d0", source="marsh.md", title="Marshes")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return save_topdown(tmp_path_factory.mktemp("models") / "tiny", attention_window=32)


@pytest.fixture(scope="module")
def with_tagger(tmp_path_factory) -> Path:
    return save_topdown(tmp_path_factory.mktemp("models") / "tagged", tagger=True)


def summarize(folder: Path, document: Document, reference: str | None = None, **options) -> Summary:
    options = {"max_tokens": 30, "beams": 2, "dtype": "float32"} | options
    return Summarizer(SummaryOptions(model=str(folder), **options)).summarize([document], reference=reference)


def test_a_document_is_read_at_once_and_attributed_by_attention_to_its_sections(folder, document) -> None:
    summary = summarize(folder, document)
    assert summary.method == "topdown"
    assert summary.options["parts"] == 1
    assert summary.coverage.tokens_dropped == 0
    assert [page.label for page in summary.pages] == list(SECTIONS)
    for sentence in summary.sentences:
        assert sentence.attribution is not None
        assert sentence.attribution.kind is AttributionKind.ATTENTION
        assert {weight.page for weight in sentence.attribution.pages} == {0, 1, 2}
        assert sum(weight.weight for weight in sentence.attribution.pages) == pytest.approx(1, abs=1e-6)
        assert sentence.log_prob is not None
        assert sentence.log_prob < 0


def test_how_pages_are_made_changes_nothing_of_what_is_written(folder, document) -> None:
    texts = {summarize(folder, document, page_tokens=size).text for size in (20, 60, 200)}
    assert len(texts) == 1


def test_a_longer_document_is_read_in_parts_and_none_of_it_is_cut(folder, document) -> None:
    long = compose({f"{h} {n}": text for n in range(6) for h, text in SECTIONS.items()})
    summary = summarize(folder, long, max_tokens=60)
    assert summary.options["parts"] > 1
    assert summary.coverage.tokens_dropped == 0
    read_at_once = 254
    assert summary.coverage.tokens_read > read_at_once
    assert [s.index for s in summary.sentences] == list(range(len(summary.sentences)))
    whole = summarize(folder, document, max_tokens=60)
    assert len(summary.text.split()) < 2 * len(whole.text.split())  # a wished length is shared by the parts


def test_a_document_shorter_than_a_kernel(folder) -> None:
    summary = summarize(folder, compose({"": "Mud."}))
    assert summary.sentences
    assert summary.options["pooling"] == "avg"


def test_the_tagger_weighs_the_words(with_tagger, document) -> None:
    summary = summarize(with_tagger, document)
    assert summary.options["pooling"] == "ada"
    average = summarize(with_tagger, document, pooling="avg")
    assert average.options["pooling"] == "avg"
    scores = [[s.log_prob for s in each.sentences] for each in (summary, average)]
    assert scores[0] != scores[1]


def test_pooling_oracle_takes_the_references_words(with_tagger, document) -> None:
    def scores(reference: str) -> list[float | None]:
        return [s.log_prob for s in summarize(with_tagger, document, reference, pooling="oracle").sentences]

    assert scores("The marshes rose.") != scores("Birds and walls cost.")
    average = summarize(with_tagger, document, pooling="avg")
    # Nothing is important in particular: all tokens weigh alike.
    said = summarize(with_tagger, document, "It was so.", pooling="oracle").warnings
    assert "the reference contains no content words: pooling oracle weights all words equally" in said
    assert scores("It was so.") == pytest.approx([s.log_prob for s in average.sentences], abs=1e-4)


def test_pooling_oracle_without_a_reference_is_refused(folder, document) -> None:
    with pytest.raises(OptionError, match=r"reference summary.*avg or ada"):
        summarize(folder, document, pooling="oracle")


def test_pooling_ada_without_a_tagger_is_refused(folder, document) -> None:
    with pytest.raises(CheckpointError, match="contains no importance tagger"):
        summarize(folder, document, pooling="ada")


def test_a_checkpoint_of_oracle_pooling_without_tagger_needs_the_reference(tmp_path, document) -> None:
    folder = save_topdown(tmp_path / "oracle", pooling="oracle")
    assert summarize(folder, document, "The marsh.").options["pooling"] == "oracle"
    with pytest.raises(OptionError, match="reference"):
        summarize(folder, document)


def test_pooling_is_no_matter_of_other_methods(tmp_path, document) -> None:
    bart = save_family(tmp_path / "bart", "bart")
    with pytest.raises(OptionError, match="--pooling does not apply to the method seq2seq"):
        summarize(bart, document, pooling="avg")


def test_without_attribution_none_is_made(folder, document) -> None:
    summary = summarize(folder, document, attribution=False)
    assert {sentence.attribution for sentence in summary.sentences} == {None}
    assert summary.text == summarize(folder, document).text


def test_a_plan_counts_parts_and_loads_no_weights(folder, document, monkeypatch) -> None:
    monkeypatch.setattr("lsum_cli.methods.model_method.load_folder", None)
    long = compose({f"{h} {n}": text for n in range(6) for h, text in SECTIONS.items()})
    costs = [
        Summarizer(SummaryOptions(model=str(folder), max_tokens=60)).plan([each]).cost
        for each in (document, long)
    ]
    assert 0 < costs[0].seconds < costs[1].seconds


def test_a_damaged_configuration_is_told(tmp_path, document) -> None:
    folder = save_topdown(tmp_path / "damaged")
    config = json.loads((folder / "config.json").read_text())
    config["max_source_positions"] = "many"
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match=r"max_source_positions is .many"):
        summarize(folder, document)
