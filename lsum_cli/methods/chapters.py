"""Dividing a book into chapters: by headings, by lines such as "CHAPTER IV", else into equal parts.

The reader supplies the headings: from the outline of a PDF, the navigation and files of an EPUB, the
markup or typography of other formats. This module decides which of them are chapters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from lsum_cli.documents import PARAGRAPH_BREAK, Document, Section, SectionRole, Sentence
from lsum_cli.locality import CountTokens, Locality, Page
from lsum_cli.text.patterns import NUMBER_WORDS, ORDINALS, TEENS, regex

# Length of a part in a book without chapters: eight pages of 1024 tokens.
PART_TOKENS = 8 * 1024
# Headings that are closer together than this on average are sections, not chapters.
_LEAST_MEAN_TOKENS = 512
# A heading level is not used if one of its headings holds more than this share of the text.
_MOST_OF_ALL = 0.7
_MOST_LINE_CHARACTERS = 80

_ROMAN = r"(?=[ivxlc])(?:c{0,3}(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3}))"
_NUMBER = rf"(?:\d{{1,3}}|{_ROMAN}|{NUMBER_WORDS}|{TEENS}|twenty)"
_CHAPTER = "chapter|chap|chapitre|kapitel|capítulo|capitolo|hoofdstuk|glava|глава|letter|act|canto|stave|day"
_NAMED = regex(
    rf"(?:the )?(?:(?:{_CHAPTER})\.? (?:the )?(?:{_NUMBER}|{ORDINALS}|last)"
    rf"|(?:{ORDINALS}|last) (?:{_CHAPTER}))(?:\b.*)?",
    re.IGNORECASE,
)
_BARE_NUMBER = regex(rf"(?:{_NUMBER})\.?", re.IGNORECASE)


class _Chapter(NamedTuple):
    """A chapter with its label and its sentences, at least one."""

    label: str
    sentences: tuple[Sentence, ...]


def find_chapters(
    documents: Sequence[Document], count_tokens: CountTokens, *, keep_references: bool = False
) -> tuple[Page, ...]:
    """Divide documents into chapters; every sentence belongs to exactly one, in order.

    Args:
        count_tokens: A function that counts the tokens of a sentence.
        keep_references: Whether to include reference lists.

    Returns:
        One page per chapter, of any length. Their locality is discourse if chapters were found, and
        spatial if the text was divided evenly.
    """
    pages: list[Page] = []
    for document in documents:
        sections = [
            section
            for section in document.sections
            if keep_references or section.role is not SectionRole.REFERENCES
        ]
        lengths = {s.index: count_tokens(s.text) for section in sections for s in section.sentences}
        if not lengths:
            continue
        chapters = _by_headings(sections, lengths) or _by_lines(sections)
        locality = Locality.DISCOURSE if chapters else Locality.SPATIAL
        for chapter in chapters or _evenly(sections, lengths):
            pages.append(
                Page(
                    index=len(pages),
                    locality=locality,
                    label=chapter.label,
                    document_id=document.id,
                    sentences=chapter.sentences,
                    num_tokens=sum(lengths[sentence.index] for sentence in chapter.sentences),
                )
            )
    return tuple(pages)


def is_chapter_name(heading: str) -> bool:
    """Whether a heading is clearly that of a chapter: "CHAPTER IV", "Letter 2", "Act the First", "XII"."""
    return bool(_NAMED.fullmatch(heading) or _BARE_NUMBER.fullmatch(heading))


def _by_headings(sections: Sequence[Section], lengths: dict[int, int]) -> list[_Chapter]:
    """Group the sections at the heading level of the chapters; empty if no level qualifies."""
    headed = [section for section in sections if section.heading]
    named = Counter(section.level for section in headed if is_chapter_name(section.heading or ""))
    level, count = min(named.items(), key=lambda item: (-item[1], item[0]), default=(0, 0))
    if count >= 2:
        return _group(sections, level)
    for level in sorted({section.level for section in headed}):
        chapters = _group(sections, level)
        tokens = [sum(lengths[sentence.index] for sentence in chapter.sentences) for chapter in chapters]
        if len(tokens) < 2 or max(tokens) > _MOST_OF_ALL * sum(tokens):
            continue
        return chapters if sum(tokens) >= _LEAST_MEAN_TOKENS * len(tokens) else []
    return []


def _group(sections: Sequence[Section], level: int) -> list[_Chapter]:
    """Group the sections from each heading of this or a higher level up to the next one.

    The heading of a part that has no text is prefixed to the label of its first chapter.
    """
    groups: list[tuple[str, list[Sentence]]] = []
    waiting: list[Section] = []
    for section in sections:
        if section.heading is not None and section.level <= level:
            waiting = [*(each for each in waiting if each.level < section.level), section]
        if not section.sentences:
            continue
        if waiting or not groups:
            label = (
                ": ".join(each.heading for each in waiting if each.heading) or section.heading or "Opening"
            )
            groups.append((label, []))
            waiting = []
        groups[-1][1].extend(section.sentences)
    return [_Chapter(label=label, sentences=tuple(sentences)) for label, sentences in groups]


def _by_lines(sections: Sequence[Section]) -> list[_Chapter]:
    """Find chapters whose name begins a paragraph, for a text without headings."""
    sentences = [sentence for section in sections for sentence in section.sentences]
    begins = [
        begins_paragraph and _is_chapter_line(sentence.text)
        for sentence, begins_paragraph in zip(sentences, _paragraph_beginnings(sentences), strict=True)
    ]
    if sum(begins) < 2:
        return []
    starts = [place for place, begin in enumerate(begins) if begin]
    chapters = [
        # The name remains a sentence of its chapter, so that no text is lost.
        _Chapter(label=sentences[start].text.rstrip(" .:"), sentences=tuple(sentences[start:end]))
        for start, end in zip(starts, [*starts[1:], len(sentences)], strict=True)
    ]
    if starts[0]:
        chapters.insert(0, _Chapter(label="Opening", sentences=tuple(sentences[: starts[0]])))
    return chapters


def _is_chapter_line(text: str) -> bool:
    return len(text) <= _MOST_LINE_CHARACTERS and _NAMED.fullmatch(text) is not None


def _paragraph_beginnings(sentences: Sequence[Sentence]) -> Iterator[bool]:
    """Whether each sentence is the first of a paragraph."""
    previous: Sentence | None = None
    for sentence in sentences:
        yield (
            previous is None
            or sentence.section_index != previous.section_index
            or sentence.start - previous.end >= len(PARAGRAPH_BREAK)
        )
        previous = sentence


def _evenly(sections: Sequence[Section], lengths: dict[int, int]) -> list[_Chapter]:
    """Divide into parts of nearly equal length that end with a paragraph, or a sentence if none is near."""
    sentences = [sentence for section in sections for sentence in section.sentences]
    ends, total = [], 0
    for sentence in sentences:
        total += lengths[sentence.index]
        ends.append(total)
    beginnings = [*_paragraph_beginnings(sentences), True]
    paragraph_ends = [place for place in range(len(sentences)) if beginnings[place + 1]]
    count = min(-(-total // PART_TOKENS) or 1, len(sentences))
    cuts = [0]
    for number in range(1, count):
        wanted = total * number / count
        places = (
            paragraph_ends if _has_near(paragraph_ends, ends, wanted, total / count / 4) else range(len(ends))
        )
        nearest = min(places, key=lambda place: abs(ends[place] - wanted)) + 1
        if cuts[-1] < nearest < len(sentences):
            cuts.append(nearest)
    cuts.append(len(sentences))
    parts = len(cuts) - 1
    return [
        _Chapter(
            label=f"part {number}/{parts}" if parts > 1 else "whole text",
            sentences=tuple(sentences[start:end]),
        )
        for number, (start, end) in enumerate(pairwise(cuts), start=1)
    ]


def _has_near(places: Sequence[int], ends: Sequence[int], wanted: float, distance: float) -> bool:
    return any(abs(ends[place] - wanted) <= distance for place in places)
