"""Verbatim summaries by every method: each sentence is one of the source, whole, and known by its place."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_models import save_family, save_pagesum
from tiny_topdown import save_topdown
from tiny_windowing import WORDS, save_windowing

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality, paginate
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.methods.verbatim import NOTHING_COMPLETE, NOTHING_FITS, find_offered
from lsum_cli.summaries import AttributionKind, Summary

METHODS = ("pagesum", "topdown", "windowing", "static", "seq2seq", "t5", "book")
words = st.sampled_from([word for word in WORDS.split() if word.isalpha()])
sentences = st.lists(words, min_size=3, max_size=9).map(lambda each: " ".join(each).capitalize() + ".")
labels = st.lists(words, min_size=1, max_size=4).map(" ".join)
paragraphs = st.lists(st.one_of(sentences, sentences, labels), min_size=1, max_size=5)
documents = st.lists(paragraphs, min_size=1, max_size=5)


def make_document(sections: list[list[str]], id: str = "d0") -> Document:
    return compose_document(
        [
            Passage(heading=f"Part {number}", level=1, paragraphs=tuple(map(Paragraph.of, texts)))
            for number, texts in enumerate(sections)
        ],
        id=id,
        source=f"{id}.md",
        language="en",
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    windowing = save_windowing(base / "windowing")
    pagesum = save_pagesum(base / "pagesum")
    return {
        "pagesum": pagesum,
        "book": pagesum,
        "topdown": save_topdown(base / "topdown"),
        "windowing": windowing,
        "static": windowing,
        "seq2seq": save_family(base / "bart", "bart"),
        "t5": save_family(base / "t5", "t5"),
    }


def summarize(folders: dict[str, Path], method: str, document: Document, **wishes) -> Summary:
    if method == "static":
        wishes["windowing"] = "static"
    if method == "book":
        wishes["method"] = "book"
    options = SummaryOptions(
        model=str(folders[method]), dtype="float32", **({"faithful": "verbatim", "beams": 3} | wishes)
    )
    return Summarizer(options).summarize([document])


def assert_verbatim(summary: Summary, document: Document) -> None:
    source = {sentence.text for sentence in document.sentences}
    texts = [sentence.text for sentence in summary.sentences]
    assert texts
    assert set(texts) <= source
    assert len(set(texts)) == len(texts)
    for sentence in summary.sentences:
        assert sentence.attribution.kind is AttributionKind.EXTRACTION
        (evidence,) = sentence.attribution.evidence
        assert evidence.text == sentence.text
        assert evidence.score == pytest.approx(1.0)
        page = summary.pages[sentence.attribution.top_page]
        assert evidence.sentence_index in {each.index for each in page.sentences}


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sections=documents, max_tokens=st.integers(4, 40))
def test_a_verbatim_summary_is_a_set_of_source_sentences(folders, method, sections, max_tokens):
    document = make_document(sections)
    if not document.sentences:
        return
    wishes = {} if method in ("windowing", "static") else {"max_tokens": max_tokens}
    summary = None
    # Unless every sentence is longer than a page or a window, or than the model can write. And a model that
    # decides on its windows may pass through all of them without a word, as it may in a free search.
    refusals = (OptionError, CheckpointError) if method == "windowing" else OptionError
    with contextlib.suppress(refusals):
        summary = summarize(folders, method, document, **wishes)
    if summary is None:
        with pytest.raises(refusals, match=r"verbatim|wrote no text"):
            summarize(folders, method, document, **wishes)
        return
    assert_verbatim(summary, document)


TEXT = [
    ["The marsh rise where the mud slow the sea.", "The grass slow the river."],
    ["The dam cost the marsh its mud.", "The sea rise.", "A label"],
    ["The wall cost more.", "The bird and the grass rise first."],
]


@pytest.mark.parametrize("method", METHODS)
def test_where_no_sentence_fits_the_shortest_is_written(folders, method):
    document = make_document(
        [["The grass slow the river.", "The sea rise first where the mud slow the sea."]]
    )
    summary = summarize(folders, method, document, max_tokens=3)
    assert summary.text == "The grass slow the river."
    assert NOTHING_FITS in summary.warnings or method == "book"


def test_labels_are_offered_only_where_there_is_nothing_else():
    def offered(document: Document):
        pages = paginate([document], Locality.DISCOURSE, 1024)
        found, remarks = find_offered(pages, [document])
        return set(found), remarks

    found, remarks = offered(make_document(TEXT))
    assert "A label" not in found
    assert not remarks
    found, remarks = offered(make_document([["a marsh by the sea", "where grass is slow"]]))
    assert found == {"a marsh by the sea", "where grass is slow"}
    assert remarks == [NOTHING_COMPLETE]


def test_a_sentence_that_a_page_cuts_is_not_offered():
    long = " ".join(["marsh"] * 30) + "."
    document = make_document([[long, "The sea rise first."]])
    pages = paginate([document], Locality.DISCOURSE, 10)
    assert set(find_offered(pages, [document])[0]) == {"The sea rise first."}


def test_a_checkpoint_can_ask_for_verbatim_and_the_user_can_refuse(folders, tmp_path):
    import json
    import shutil

    from lsum_cli.checkpoints.manifest import describe_folder
    from lsum_cli.checkpoints.values import MANIFEST_NAME

    folder = tmp_path / "own"
    shutil.copytree(folders["pagesum"], folder)
    manifest = json.loads(describe_folder(folder).to_json())
    manifest |= {"faithful": "verbatim", "read": "salient:20"}
    (folder / MANIFEST_NAME).write_text(json.dumps(manifest))
    document = make_document(TEXT)

    def run(**wishes) -> Summary:
        options = SummaryOptions(model=str(folder), dtype="float32", beams=2, max_tokens=24, **wishes)
        return Summarizer(options).summarize([document])

    summary = run()
    assert summary.options["faithful"] == "verbatim"
    assert summary.coverage.tokens_unselected > 0
    assert_verbatim(summary, document)
    free = run(faithful="off", read="all")
    assert free.options["faithful"] == "off"
    assert free.coverage.tokens_unselected == 0
