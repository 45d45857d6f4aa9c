"""Comparing versions: what is the same is recognised, and what is not is said."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli import changes
from lsum_cli.changes import EarlierSection, EarlierText, compare, digest, normal_form
from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import ChangeKind, Changes


def write(number: int) -> str:
    return f"Marsh number {number} of the northern valley rose by {number * 7} millimetres in that year."


def make(sections: list[tuple[str, list[str]]], id: str = "d0") -> Document:
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(" ".join(sentences)),))
        for heading, sentences in sections
        if sentences
    ]
    return compose_document(passages, id=id, source=f"{id}.md", language="en")


def differ(old: Document, new: Document, *, as_digests: bool = False) -> Changes:
    kept = EarlierText.of(old)
    if as_digests:
        kept = EarlierText(
            source=kept.source,
            has_text=False,
            sections=tuple(
                EarlierSection(heading=section.heading, normal_forms=tuple(map(digest, section.texts)))
                for section in kept.sections
            ),
        )
    return compare(kept, new)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_what_is_added_and_taken_away_is_what_is_found(seed: int, as_digests: bool) -> None:
    generator = random.Random(seed)
    numbers = list(range(30))
    generator.shuffle(numbers)
    sections = [(f"{at + 1} Part {'ABCDEF'[at]}", numbers[at * 5 : at * 5 + 5]) for at in range(6)]
    gone = set(generator.sample(numbers, generator.randint(0, 6)))
    later = []
    added: set[int] = set()
    for heading, own in sections:
        kept = [number for number in own if number not in gone]
        for _ in range(generator.randint(0, 2)):
            fresh = 100 + len(added)
            added.add(fresh)
            kept.insert(generator.randint(0, len(kept)), fresh)
        later.append((heading, kept))
    if generator.random() < 0.5:
        generator.shuffle(later)
    old = make([(heading, [write(number) for number in own]) for heading, own in sections])
    new = make([(heading, [write(number) for number in own]) for heading, own in later], "d1")
    found = differ(old, new, as_digests=as_digests)
    listed = [each for section in found.sections for each in section.sentences]
    assert {each.text for each in listed if each.text} == {write(number) for number in added}
    removed = sum(each.kind is ChangeKind.REMOVED for each in listed)
    altered = sum(each.kind is ChangeKind.ALTERED for each in listed)
    assert removed + altered == len(gone)
    if not as_digests:
        before = {each.before for each in listed if each.before}
        assert before == {write(number) for number in gone}
    assert found.sentences_unchanged == 30 - len(gone)
    for each in listed:
        if each.sentence_index is not None:
            assert new.sentences[each.sentence_index].text == each.text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The recon-struction of the marsh.", "The reconstruction of the marsh."),
        ("The ﬁrst “marsh” rose.", 'The first "marsh" rose.'),
        ("The  marsh\u00ad es, it rose.", "The marshes it rose."),
        ("The years 1998–2004 were dry.", "The years 1998-2004 were dry."),
    ],
)
def test_spelling_makes_no_difference(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It rose by 1.5 m.", "It rose by 15 m."),
        ("It fell to -5 degrees.", "It fell to 5 degrees."),
        ("It cost 5 €.", "It cost 5 $."),
        ("p < 0.05 was found.", "p > 0.05 was found."),
        ("The cost was 5 percent.", "The cost was 50 percent."),
        ("It did not rise.", "It did rise."),
    ],
)
def test_what_says_something_else_is_another_sentence(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)
    assert digest(one) != digest(other)


def test_a_shortened_sentence_is_altered_though_it_stood_there() -> None:
    old = make([("A", ["The cure is effective in adults and in older children.", write(1)])])
    new = make([("A", ["The cure is effective in adults.", write(1)])], "d1")
    (section,) = differ(old, new).sections
    (change,) = section.sentences
    assert change.kind is ChangeKind.ALTERED
    assert change.before == "The cure is effective in adults and in older children."


def test_a_sentence_that_is_split_elsewhere_is_the_same() -> None:
    whole = "The marsh near St Ives rose again; it had been dry for ten years."
    old = EarlierText(
        source="old",
        sections=(
            EarlierSection(
                heading="A",
                normal_forms=(
                    normal_form("The marsh near St"),
                    normal_form("Ives rose again; it had been dry for ten years."),
                ),
                texts=("The marsh near St", "Ives rose again; it had been dry for ten years."),
            ),
        ),
    )
    assert compare(old, make([("A", [whole])])).sections == ()
    back = EarlierText(
        source="old",
        sections=(EarlierSection(heading="A", normal_forms=(normal_form(whole),), texts=(whole,)),),
    )
    new = make([("A", ["The marsh near St Ives rose again.", "It had been dry for ten years."])])
    assert compare(back, new).sections == ()


def test_a_section_that_is_renamed_and_moved_is_recognised() -> None:
    first, second, third = ([write(number) for number in range(at, at + 4)] for at in (0, 10, 20))
    old = make([("1 Growth", first), ("2 Dams", second), ("3 Birds", third)])
    new = make([("1 Herons", third), ("2 Growth", first), ("3 Dams", second)], "d1")
    (section,) = differ(old, new).sections
    assert (section.heading, section.kind, section.is_moved) == ("1 Herons", ChangeKind.MOVED, True)


def test_references_are_compared_on_request() -> None:
    def with_reference(text: str) -> Document:
        passages = [
            Passage(heading="A", level=1, paragraphs=(Paragraph.of(write(1)),)),
            Passage(
                heading="References",
                level=1,
                role=SectionRole.REFERENCES,
                paragraphs=(Paragraph.of(text),),
            ),
        ]
        return compose_document(passages, id="d0", source="d.md", language="en")

    old, new = with_reference("Smith, The Marsh, 1998."), with_reference("Jones, The Dam, 2004.")
    assert differ(old, new).sections == ()
    kept = EarlierText.of(old, keep_references=True)
    assert compare(kept, new, keep_references=True).sections


def test_only_what_changed_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    old = make([("A", [write(number) for number in range(20)])])
    new = make([("A", [write(number) for number in range(23)])], "d1")
    given: list[Document] = []
    original = Summarizer.summarize

    def summarize(self, documents, **more):
        given.extend(documents)
        return original(self, documents, **more)

    monkeypatch.setattr(Summarizer, "summarize", summarize)
    summary = Summarizer(SummaryOptions(method="extract")).summarize_changes(EarlierText.of(old), new)
    assert [s.text for document in given for s in document.sentences] == [write(20), write(21), write(22)]
    assert summary.documents == (new,)
    for sentence in summary.sentences:
        (evidence,) = sentence.attribution.evidence
        assert new.sentences[evidence.sentence_index].text == sentence.text
    assert summary.seconds.keys() >= {"compare"}


def test_many_changes_take_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    original = changes._dice

    def dice(one, other):
        nonlocal compared
        compared += 1
        return original(one, other)

    monkeypatch.setattr(changes, "_dice", dice)
    old = make([("A", [write(number) for number in range(2_000)])])
    new = make([("A", [write(number) for number in range(5_000, 7_000)])], "d1")
    found = differ(old, new)
    assert found.count(ChangeKind.NEW) + found.count(ChangeKind.ALTERED) == 2_000
    assert compared <= 4 * changes._MOST_COMPARED
