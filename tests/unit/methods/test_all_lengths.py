"""Every length from one run: each holds the shorter ones, and says what a run for it alone says."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import Style, Summary, SummarySentence
from lsum_cli.text.terms import count_words

NAMES = ("sentence", *NAMED_LENGTHS)
SUBJECTS = ("The marsh", "A dam", "This river", "The harbour wall", "Every estuary", "The heron colony")
VERBS = ("holds", "loses", "carries", "feeds", "shelters", "drains")
OBJECTS = ("sediment", "young eels", "brackish water", "the spring tide", "dredged mud", "winter grain")


def write_text(seed: int, count: int) -> list[str]:
    generator = random.Random(seed)
    sentences = []
    for number in range(count):
        subject, verb, thing = map(generator.choice, (SUBJECTS, VERBS, OBJECTS))
        rest = " and ".join(generator.sample(OBJECTS, generator.randint(1, 4)))
        sentences.append(f"{subject} near village {number} {verb} {thing} between {rest} in a dry year.")
    return [" ".join(sentences[at : at + 4]) for at in range(0, count, 4)]


def make_document(seed: int, count: int, id: str = "d0") -> Document:
    paragraphs = write_text(seed, count)
    half = max(1, len(paragraphs) // 2)
    parts = [("Growth", paragraphs[:half]), ("Decline", paragraphs[half:])]
    passages = [
        Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in parts
        if texts
    ]
    return compose_document(passages, id=id, source=f"{id}.txt", title=f"On {id} and the sea")


def summarize(*documents: Document, **options: object) -> Summary:
    options = {"method": "extract", "length": "all", **options}
    return Summarizer(SummaryOptions(**options)).summarize(documents)  # type: ignore[arg-type]


def words(sentences: Sequence[SummarySentence]) -> int:
    return sum(count_words(sentence.text) for sentence in sentences)


def places(sentences: Sequence[SummarySentence]) -> list[tuple[str, int]]:
    return [
        (evidence.document_id, evidence.sentence_index)
        for sentence in sentences
        for evidence in (sentence.attribution.evidence if sentence.attribution else ())
    ]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10_000),
    st.lists(st.integers(1, 60), min_size=1, max_size=3),
    st.sampled_from(Style),
    st.sampled_from([None, "dredged mud", "herons"]),
)
def test_each_length_holds_the_shorter_ones(
    seed: int, counts: list[int], style: Style, focus: str | None
) -> None:
    documents = [make_document(seed + at, count, f"d{at}") for at, count in enumerate(counts)]
    summary = summarize(*documents, style=style, focus=focus)
    assert tuple(length.name for length in summary.lengths) == NAMES
    assert summary.lengths[-1].sentences == summary.sentences
    assert len(summary.lengths[0].sentences) == 1
    before: set[tuple[str, int]] = set()
    order = {place: at for at, place in enumerate(places(summary.sentences))}
    for length in summary.lengths:
        own = places(length.sentences)
        assert before <= set(own)
        assert [order[place] for place in own] == sorted(order[place] for place in own)
        assert [sentence.index for sentence in length.sentences] == list(range(len(own)))
        before = set(own)
    for length in summary.lengths[1:]:
        limit = NAMED_LENGTHS[length.name]
        assert words(length.sentences) <= limit or len(length.sentences) == 1


@pytest.mark.parametrize("counts", [(60,), (30, 30, 4)])
def test_a_length_is_what_a_run_for_it_alone_gives(counts: tuple[int, ...]) -> None:
    documents = [make_document(at, count, f"d{at}") for at, count in enumerate(counts)]
    every = {length.name: places(length.sentences) for length in summarize(*documents).lengths}
    for name in NAMED_LENGTHS:
        assert every[name] == places(summarize(*documents, length=name).sentences)


def test_an_outline_follows_the_text() -> None:
    summary = summarize(make_document(3, 60), style=Style.OUTLINE)
    assert [entry.heading for entry in summary.outline] == ["Growth", "Decline"]
    quoted = [sentence.index for entry in summary.outline for sentence in entry.sentences]
    assert min(quoted) == len(summary.sentences)


def test_zoom_gives_every_length_and_the_outline_unasked() -> None:
    document = make_document(4, 200)
    plain = summarize(document, length=None)
    assert plain.lengths == () == plain.outline
    zoomed = summarize(document, length=None, zoom=True)
    assert tuple(length.name for length in zoomed.lengths) == NAMES
    assert zoomed.outline
    assert zoomed.options["length"] == plain.options["length"]
    assert zoomed.warnings == plain.warnings
    asked = summarize(document, zoom=True)
    assert asked.outline
    assert [places(length.sentences) for length in asked.lengths] == [
        places(length.sentences) for length in summarize(document).lengths
    ]
    # A length that was asked for is the one that is given.
    assert summarize(document, length="short", zoom=True).lengths == ()


@pytest.mark.parametrize("limit", ["min_tokens", "max_tokens"])
def test_all_lengths_leave_no_room_for_another_one(limit: str) -> None:
    with pytest.raises(OptionError, match=f"--length all and --{limit.replace('_', '-')}"):
        SummaryOptions(length="all", **{limit: 5})
