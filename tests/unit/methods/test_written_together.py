"""Summaries that a model writes together: what each alone would be, from fewer and larger steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from equal_up_to_rounding import assert_alike
from tiny_models import save_family, save_pagesum
from tiny_topdown import save_topdown
from tiny_windowing import save_windowing

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.generation import beam
from lsum_cli.methods import base, parts
from lsum_cli.methods import windowing as windowing_method
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer

SENTENCES = (
    "The marsh rise where the mud slow the sea.",
    "The grass slow the river.",
    "The dam cost the marsh its mud.",
    "The wall cost the river more.",
    "The bird and the grass rise first.",
    "The first wall rise where the bird slow.",
)
FAMILIES = ("pagesum", "bart", "t5", "led", "bigbird_pegasus", "topdown", "ada", "windowing")


def make_document(first: int, count: int) -> Document:
    text = " ".join(SENTENCES[(first + number) % len(SENTENCES)] for number in range(count))
    return compose_document(
        [Passage(paragraphs=(Paragraph.of(text),))], id="d0", source=f"{first}.txt", language="en"
    )


DOCUMENTS = [make_document(0, 3), make_document(1, 30), make_document(2, 1), make_document(3, 9)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    return {
        "pagesum": save_pagesum(base / "pagesum"),
        "topdown": save_topdown(base / "topdown"),
        "ada": save_topdown(base / "ada", pooling="ada", tagger=True),
        "windowing": save_windowing(base / "windowing"),
        **{family: save_family(base / family, family) for family in FAMILIES[1:5]},
    }


def make_summarizer(folder: Path, **wishes: object) -> Summarizer:
    wishes = {"dtype": "float32", "beams": 2} | wishes
    if folder.name == "windowing":
        wishes["windowing"] = "static"
    if folder.name in ("pagesum", "windowing"):
        wishes.pop("parts", None)
    return Summarizer(SummaryOptions(model=str(folder), **wishes))  # type: ignore[arg-type]


def together(folder: Path, **wishes: object) -> None:
    """Compare the summaries of all documents at once with those of each."""
    summarizer = make_summarizer(folder, **wishes)
    written = summarizer.summarize_batch([[document] for document in DOCUMENTS])
    assert written is not None
    for document, summary in zip(DOCUMENTS, written, strict=True):
        alone = make_summarizer(folder, **wishes).summarize([document])
        assert_alike(summary.sentences, alone.sentences)
        assert summary.documents == (document,)
        assert summary.coverage == alone.coverage
        assert summary.options == alone.options
        assert summary.warnings == alone.warnings
        assert summary.seconds.keys() == alone.seconds.keys()
        assert [each.name for each in summary.lengths] == [each.name for each in alone.lengths]


@pytest.mark.parametrize("faithful", ["flag", "verbatim"])
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_written_together_is_what_each_alone_would_be(folders, family, faithful):
    together(folders[family], faithful=faithful, max_tokens=14, parts="join")


@pytest.mark.parametrize("family", ["bart", "topdown"])
def test_parts_are_summarised_again_together(folders, family):
    together(folders[family], parts="again")


@pytest.mark.parametrize("family", ["pagesum", "bart", "topdown", "windowing"])
def test_all_lengths_are_written_together(folders, family, monkeypatch):
    from lsum_cli.methods.length import NAMED_LENGTHS

    for name, words in {"short": 6, "medium": 12, "long": 24}.items():
        monkeypatch.setitem(NAMED_LENGTHS, name, words)
    together(folders[family], length="all")


def count_searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of documents of every search from now on."""
    found: list[int] = []
    original = beam.beam_search

    def count(decoder, *given, **more):
        found.append(decoder.num_documents)
        return original(decoder, *given, **more)

    monkeypatch.setattr(beam, "beam_search", count)
    return found


@pytest.mark.parametrize("family", ["pagesum", "topdown", "windowing"])
def test_a_batch_holds_as_many_as_their_tokens_allow(folders, family, monkeypatch):
    searches = count_searches(monkeypatch)
    summarizer = make_summarizer(folders[family], max_tokens=6, parts="join")
    documents = [[make_document(number, 2)] for number in range(6)]
    tokens = max(summarizer.plan(each).coverage.tokens_read for each in documents)

    def write(most: int) -> Sequence[int]:
        for module in (base, parts, windowing_method):
            monkeypatch.setattr(module, "BATCH_TOKENS", most)
        searches.clear()
        assert summarizer.summarize_batch(documents) is not None
        return list(searches)

    assert write(100 * tokens) == [6]
    assert sum(write(2 * tokens)) == 6
    assert 2 <= max(searches) < 6
    assert write(0) == [1] * 6


def test_the_parts_of_one_document_are_decoded_together(folders, monkeypatch):
    searches = count_searches(monkeypatch)
    summarizer = make_summarizer(folders["topdown"], max_tokens=6, parts="join")
    plan = summarizer.plan([DOCUMENTS[1]])
    summarizer.summarize([DOCUMENTS[1]])
    assert len(plan.parts) > 1  # type: ignore[attr-defined]
    assert sum(searches) == len(plan.parts)  # type: ignore[attr-defined]
