"""Salient reading: what is read fits, keeps its place, and is counted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import save_family, save_pagesum
from tiny_windowing import save_windowing

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.locality import count_tokens
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.salient import SALIENT_TOKENS, select_salient, tokens_to_read
from lsum_cli.methods.summarizer import Summarizer

NOUNS = ["marsh", "river", "sea", "dam", "bird", "grass", "mud", "wall", "cost", "winter", "council", "levee"]
VERBS = ["slows", "holds", "feeds", "floods", "guards", "builds", "leaves", "crosses"]


def make_document(numbers: list[int], id: str = "d0") -> Document:
    sentences = [
        f"The {NOUNS[n % 12]} {VERBS[n % 8]} the {NOUNS[n % 7]} of the {NOUNS[n % 11]} in {1900 + n} again."
        for n in numbers
    ]
    return compose_document(
        [
            Passage(
                heading=f"Part {at}", level=1, paragraphs=(Paragraph.of(" ".join(sentences[at : at + 4])),)
            )
            for at in range(0, len(sentences), 4)
        ],
        id=id,
        source=f"{id}.md",
        language="en",
    )


@settings(max_examples=25, deadline=None)
@given(
    lists=st.lists(st.lists(st.integers(0, 90), min_size=1, max_size=16), min_size=1, max_size=3),
    most=st.integers(1, 200),
)
def test_what_is_read_fits_and_keeps_its_place(lists, most):
    documents = [make_document(numbers, f"d{place}") for place, numbers in enumerate(lists)]
    read = select_salient(documents, most, count_tokens).documents
    assert [document.id for document in read] == [document.id for document in documents]
    tokens = {
        (document.id, sentence.index): count_tokens(sentence.text)
        for document in documents
        for sentence in document.sentences
    }
    chosen = [(document.id, sentence.index) for document in read for sentence in document.sentences]
    assert chosen == sorted(chosen, key=list(tokens).index)
    total = sum(tokens[place] for place in chosen)
    assert total <= most or (total > most and len(chosen) == 1)
    if sum(tokens.values()) <= most:
        assert read == tuple(documents)
    for before, after in zip(documents, read, strict=True):
        assert [section.heading for section in before.sections] == [s.heading for s in after.sections]
        whole = {sentence.index: sentence for sentence in before.sentences}
        assert all(whole[sentence.index] == sentence for sentence in after.sentences)


@pytest.mark.parametrize(
    ("read", "at_once", "most"),
    [
        (None, 512, None),
        ("all", 512, None),
        ("salient", 512, 512),
        ("salient", None, SALIENT_TOKENS),
        ("salient:70", 512, 70),
    ],
)
def test_the_option_names_a_number_of_tokens(read, at_once, most):
    assert tokens_to_read(read, at_once) == most


@pytest.mark.parametrize(
    "read", ["salient:0", "salient:000", "salient:-1", "some", "salient:", "salient:1.5"]
)
def test_reading_nothing_is_refused(read):
    with pytest.raises(OptionError):
        SummaryOptions(read=read)


def test_a_focus_decides_what_is_read():
    document = make_document(list(range(40)))
    counts = []
    for focus in (None, "levee"):
        (read,) = select_salient([document], 60, count_tokens, focus=focus).documents
        counts.append(sum("levee" in sentence.text for sentence in read.sentences))
    without, with_focus = counts
    assert with_focus > without


@pytest.mark.parametrize("method", ["pagesum", "windowing", "seq2seq", "book"])
def test_coverage_counts_what_was_not_selected(tmp_path, method):
    save = {"windowing": save_windowing, "seq2seq": lambda folder: save_family(folder, "bart")}
    folder = save.get(method, save_pagesum)(tmp_path / method)
    wishes = {"method": "book"} if method == "book" else {}
    options = SummaryOptions(model=str(folder), dtype="float32", beams=1, read="salient:40", **wishes)
    document = make_document(list(range(30)))
    plan = Summarizer(options).plan([document])
    coverage = plan.coverage
    whole = Summarizer(SummaryOptions(model=str(folder), **wishes)).plan([document]).coverage
    assert coverage.tokens_unselected > 0
    assert coverage.tokens_total == whole.tokens_total
    assert coverage.tokens_total == (
        coverage.tokens_read
        + coverage.tokens_dropped
        + coverage.tokens_references
        + coverage.tokens_unselected
    )
    assert not coverage.tokens_dropped
    assert not coverage.lost
    assert coverage.tokens_read <= 40 * (len(plan.pages) if method == "book" else 1)


@pytest.mark.parametrize("method", ["pagesum", "book"])
def test_a_focus_decides_what_a_model_reads(tmp_path, method):
    folder = save_pagesum(tmp_path / "pagesum")
    wishes = {"method": "book"} if method == "book" else {}
    options = SummaryOptions(model=str(folder), dtype="float32", beams=1, focus="levee", **wishes)
    document = make_document(list(range(40)))
    plan = Summarizer(options).plan([document])
    read = [sentence.text for page in plan.pages for sentence in page.sentences]
    assert any("levee" in text for text in read)
    assert plan.coverage.tokens_unselected > 0
    assert Summarizer(options).summarize([document]).sentences
    with pytest.raises(OptionError, match="--focus"):
        SummaryOptions(focus="levee", read="all")
