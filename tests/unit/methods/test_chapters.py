"""Where the chapters of a book begin, and that nothing of it is lost between them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.locality import Locality, count_tokens
from lsum_cli.methods.chapters import PART_TOKENS, find_chapters, is_chapter_name

LONG = "The marsh rose slowly behind the wall. " * 80


def book(*passages: tuple[str | None, int, str | list[str]]) -> Document:
    return compose_document(
        [
            Passage(
                heading=heading,
                level=level,
                paragraphs=tuple(Paragraph.of(t) for t in ([text] if isinstance(text, str) else text) if t),
            )
            for heading, level, text in passages
        ],
        id="d0",
        source="book.txt",
        title="Marshes",
    )


def labels(document: Document) -> list[str]:
    return [page.label for page in find_chapters([document], count_tokens)]


@pytest.mark.parametrize(
    "name",
    ["CHAPTER IV", "Chapter 12: The Storm", "chapter one", "IV", "XVIII.", "7", "Letter 2", "ACT III",
     "Act the First", "The Third Day", "Kapitel 3 – Heimkehr", "Canto XXIII"],
)  # fmt: skip
def test_names_of_chapters(name: str) -> None:
    assert is_chapter_name(name)


@pytest.mark.parametrize(
    "name", ["Methods", "1 Introduction", "2.3 Data", "Civil", "I was there", "Chapters", ""]
)
def test_names_of_other_things(name: str) -> None:
    assert not is_chapter_name(name)


def test_chapters_are_named_headings_with_what_stands_below_them() -> None:
    document = book(
        (None, 0, "A word before."),
        ("CHAPTER I", 2, "Mud."),
        ("A subsection", 3, "Sea."),
        ("CHAPTER II", 2, "Grass."),
        ("Epilogue", 2, "End."),
    )
    pages = find_chapters([document], count_tokens)
    assert [page.label for page in pages] == ["Opening", "CHAPTER I", "CHAPTER II", "Epilogue"]
    assert pages[1].text == "Mud. Sea."
    assert {page.locality for page in pages} == {Locality.DISCOURSE}


def test_a_part_without_text_goes_before_the_name_of_its_first_chapter() -> None:
    document = book(
        ("PART ONE", 1, ""), ("Chapter 1", 2, "Mud."), ("Chapter 2", 2, "Sea."),
        ("PART TWO", 1, ""), ("Chapter 1", 2, "Grass."),
    )  # fmt: skip
    assert labels(document) == ["PART ONE: Chapter 1", "Chapter 2", "PART TWO: Chapter 1"]


def test_unnamed_headings_are_chapters_at_the_highest_level_that_divides() -> None:
    document = book(
        ("Marshes", 1, "The whole book stands below its title."),
        ("Growth", 2, LONG), ("Grasses", 3, LONG), ("Decline", 2, LONG), ("Repair", 2, LONG),
    )  # fmt: skip
    assert labels(document) == ["Marshes", "Growth", "Decline", "Repair"]


def test_headings_close_to_one_another_are_no_chapters() -> None:
    assert labels(book(*((f"Term {number}", 1, "A short entry.") for number in range(30)))) == ["whole text"]


def test_chapter_lines_serve_where_there_are_no_headings() -> None:
    document = book((None, 0, ["Before.", "CHAPTER I.", "Mud rose.", "It did.", "CHAPTER II.", "Sea rose."]))
    pages = find_chapters([document], count_tokens)
    assert [page.label for page in pages] == ["Opening", "CHAPTER I", "CHAPTER II"]
    assert pages[1].text == "CHAPTER I. Mud rose. It did."


def test_running_text_about_chapters_begins_none() -> None:
    assert labels(
        book((None, 0, ["He read. Chapter I. was long.", "Then came chapter two of the tale."]))
    ) == ["whole text"]


def test_a_book_without_chapters_is_divided_evenly_at_paragraph_ends() -> None:
    paragraph = "The marsh rose slowly behind the old wall of the sea. " * 40
    document = book((None, 0, [paragraph] * 60))
    pages = find_chapters([document], count_tokens)
    lengths = [page.num_tokens for page in pages]
    assert [page.label for page in pages] == [f"part {n}/{len(pages)}" for n in range(1, len(pages) + 1)]
    assert len(pages) == -(-sum(lengths) // PART_TOKENS)
    assert max(lengths) - min(lengths) <= 480  # a paragraph
    assert all(len(page.sentences) % 40 == 0 for page in pages)
    assert {page.locality for page in pages} == {Locality.SPATIAL}


def test_one_endless_paragraph_is_divided_at_sentences() -> None:
    pages = find_chapters([book((None, 0, "The marsh rose. " * 6000))], count_tokens)
    assert len(pages) == 3
    assert max(page.num_tokens for page in pages) < 1.05 * min(page.num_tokens for page in pages)


def test_references_stay_out_unless_they_are_asked_for() -> None:
    document = compose_document(
        [
            Passage(heading="Chapter 1", level=1, paragraphs=(Paragraph.of("Mud."),)),
            Passage(heading="Chapter 2", level=1, paragraphs=(Paragraph.of("Sea."),)),
            Passage(heading="References", level=1, role=SectionRole.REFERENCES, paragraphs=(Paragraph.of("Nobody 1999."),)),
        ],
        id="d0",
        source="b",
    )  # fmt: skip
    assert len(find_chapters([document], count_tokens)) == 2
    assert len(find_chapters([document], count_tokens, keep_references=True)) == 3


def test_nothing_is_no_chapter() -> None:
    assert find_chapters([book(("CHAPTER I", 1, ""), ("CHAPTER II", 1, ""))], count_tokens) == ()


HEADINGS = st.sampled_from([None, "CHAPTER I", "CHAPTER II", "Part One", "Growth", "III"])
TEXTS = st.lists(st.sampled_from(["", "Mud rose. Sea fell.", "CHAPTER V.", "Grass."]), max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(HEADINGS, st.integers(1, 3), TEXTS), max_size=8))
def test_every_sentence_is_in_exactly_one_chapter_in_order(passages) -> None:
    document = book(*passages)
    pages = find_chapters([document], count_tokens)
    assert [s.index for page in pages for s in page.sentences] == [s.index for s in document.sentences]
    assert all(page.sentences for page in pages)
    assert [page.index for page in pages] == list(range(len(pages)))
