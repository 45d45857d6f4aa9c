"""Locality: grouping sentences into pages without losing any (Liu et al. 2022, section 3.2).

A *page* is a unit that a model encodes on its own. Spatial locality groups neighbouring sentences,
discourse locality the sentences of a section, document locality those of a source document.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lsum_cli.documents import Document, Section, SectionRole, Sentence
from lsum_cli.errors import OptionError
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import TYPOGRAPHIC_MARKS

CountTokens = Callable[[str], int]

_TOKEN = regex(r"[^\W_]+|[^\w\s]|_")
# The same for ASCII, by methods of bytes: what is a token by itself, and what stands between words.
_ASCII_MARKS = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code).isspace()))
_BETWEEN_WORDS = bytes(code if chr(code).isalnum() else 0x20 for code in range(128)) + bytes(128)
_IDEOGRAPH = regex("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
OPENING = "Opening"
"""The label of what stands before the first heading."""
# Labels of sections that have no heading.
_UNTITLED = {
    SectionRole.BODY: OPENING,
    SectionRole.ABSTRACT: "Abstract",
    SectionRole.REFERENCES: "References",
    SectionRole.SYLLABUS: "Syllabus",
    SectionRole.OPINION: "Opinion",
    SectionRole.CONCURRENCE: "Concurrence",
    SectionRole.DISSENT: "Dissent",
    SectionRole.FRONT_MATTER: "Front matter",
    SectionRole.BACK_MATTER: "Back matter",
}
# A heading such as "II" or "B" does not say by itself which section it opens.
_BARE_NUMBER = regex(r"(?:[ivxl]+|\w{1,2})[.)]?", re.IGNORECASE)
_WORD = regex(r"\S+")


class Locality(enum.StrEnum):
    """What the sentences of a page have in common."""

    SPATIAL = "spatial"
    DISCOURSE = "discourse"
    DOCUMENT = "document"


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """Sentences of one document, grouped by locality.

    Attributes:
        index: Position among all pages, from 0.
        label: ``"3 Methods (2/3)"``, ``"part 2/7"``, or a document's title.
        document_id: The document all its sentences come from.
        sentences: In reading order, at least one.
        num_tokens: Its length, by the counter given to :func:`paginate`.
        heading: What is read before its sentences as part of its text (:mod:`lsum_cli.paging`).
        tokens_cut: Tokens of its last sentence that are beyond its length and not read.
        continues: Whether it is read together with the page before it, as one.
    """

    index: int
    locality: Locality
    label: str
    document_id: str
    sentences: tuple[Sentence, ...]
    num_tokens: int
    heading: str | None = None
    tokens_cut: int = 0
    continues: bool = False

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages on which its sentences begin, ascending."""
        return tuple(sorted({s.pdf_page for s in self.sentences if s.pdf_page is not None}))

    @property
    def text(self) -> str:
        """Its sentences as running text."""
        return " ".join(sentence.text for sentence in self.sentences)


# A sentence is counted for the choice of the method and for its page.
@lru_cache(maxsize=1 << 14)
def count_tokens(text: str) -> int:
    """Count words, punctuation marks and ideographs, for methods without a tokenizer."""
    for mark in TYPOGRAPHIC_MARKS:
        text = text.replace(mark, "'")
    if text.isascii():
        content = text.encode()
        marks = len(content) - len(content.translate(None, _ASCII_MARKS))
        return len(content.translate(_BETWEEN_WORDS).split()) + marks
    return len(_TOKEN.findall(_IDEOGRAPH.sub(" 字 ", text)))


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalityChoice:
    """The locality chosen by ``auto`` and the reason, as text for the user."""

    locality: Locality
    reason: str


def choose_locality(documents: Sequence[Document]) -> LocalityChoice:
    """Choose document locality for several documents, discourse for one with sections, else spatial."""
    if len(documents) > 1:
        return LocalityChoice(
            locality=Locality.DOCUMENT, reason=f"{len(documents)} documents are summarised together"
        )
    headings = sum(
        1
        for document in documents
        for section in document.sections
        if section.heading and section.sentences and section.role is not SectionRole.REFERENCES
    )
    if headings >= 2:
        return LocalityChoice(locality=Locality.DISCOURSE, reason=f"{headings} sections were found")
    return LocalityChoice(
        locality=Locality.SPATIAL,
        reason=f"{'only one section was' if headings else 'no sections were'} found",
    )


def paginate(
    documents: Sequence[Document],
    locality: Locality,
    page_len: int,
    count_tokens: CountTokens = count_tokens,
    *,
    pages: int | None = None,
    keep_references: bool = False,
) -> tuple[Page, ...]:
    """Group the sentences of documents into pages of at most ``page_len`` tokens.

    Every sentence is on exactly one page, in order; all sentences of a page are from one document.
    A section or document longer than a page becomes several pages; a single sentence longer than a page
    is cut into pieces that have its index and their own offsets.

    Args:
        locality: *Spatial*: sentences in order, in pages of nearly equal length. *Discourse*: a
            section is a page. *Document*: a document is a page.
        page_len: Maximum number of tokens of a page.
        count_tokens: Counts the tokens of a sentence; the length of a page is the sum over its sentences.
        pages: Spatial: the number of pages to make (more if the text needs them, never more than there
            are sentences). Discourse: the maximum number; neighbouring sections then share a page if
            they fit on one. Not applicable to document locality.
        keep_references: Whether to include reference lists.

    Raises:
        OptionError: ``page_len`` or ``pages`` below 1, or ``pages`` with document locality.
    """
    if page_len < 1:
        raise OptionError(f"a page cannot have {page_len} tokens", "give at least 1 token per page")
    if pages is not None and pages < 1:
        raise OptionError(f"a document cannot have {pages} pages", "give at least 1 page")
    if pages is not None and locality is Locality.DOCUMENT:
        raise OptionError(
            "the number of pages cannot be chosen with document locality, where a document is a page",
            "leave out the number of pages or choose another locality",
        )
    sources = [_DocumentUnits.of(document, page_len, count_tokens, keep_references) for document in documents]
    if locality is Locality.SPATIAL:
        drafts = _spatial(sources, page_len, pages)
    elif locality is Locality.DISCOURSE:
        drafts = _discourse(sources, page_len, pages)
    else:
        drafts = [_Draft.of(source, source.title, source.units) for source in sources if source.units]
    return tuple(
        Page(
            index=index,
            locality=locality,
            label=label,
            document_id=document_id,
            sentences=tuple(unit.sentence for unit in units),
            num_tokens=sum(unit.num_tokens for unit in units),
        )
        for index, (document_id, label, units) in enumerate(_fit(drafts, page_len))
    )


class _Unit(NamedTuple):
    """A sentence, or a piece of a sentence, with its length."""

    sentence: Sentence
    num_tokens: int


class _DocumentUnits(NamedTuple):
    """A document's units, in order and grouped by section."""

    document_id: str
    title: str
    units: list[_Unit]
    sections: list[tuple[Section, list[_Unit]]]

    @classmethod
    def of(
        cls, document: Document, page_len: int, count_tokens: CountTokens, keep_references: bool
    ) -> _DocumentUnits:
        sections = [
            (section, [unit for s in section.sentences for unit in _units(s, page_len, count_tokens)])
            for section in document.sections
            if section.sentences and (keep_references or section.role is not SectionRole.REFERENCES)
        ]
        return cls(
            document_id=document.id,
            title=document.title or document.source,
            units=[unit for _, units in sections for unit in units],
            sections=sections,
        )


class _Draft(NamedTuple):
    """A page before fitting: it may be too long for one page."""

    document_id: str
    headings: list[str]
    level: int
    units: list[_Unit]
    num_tokens: int
    parts: int = 1

    @classmethod
    def of(cls, source: _DocumentUnits, label: str, units: list[_Unit], level: int = 0) -> _Draft:
        return cls(source.document_id, [label], level, units, sum(unit.num_tokens for unit in units))

    @property
    def label(self) -> str:
        return self.headings[0] if len(self.headings) == 1 else f"{self.headings[0]} – {self.headings[-1]}"


def _spatial(sources: list[_DocumentUnits], page_len: int, pages: int | None) -> list[_Draft]:
    total = sum(unit.num_tokens for source in sources for unit in source.units)
    drafts = []
    for source in sources:
        if not source.units:
            continue
        tokens = sum(unit.num_tokens for unit in source.units)
        wanted = 1 if pages is None else max(1, round(pages * tokens / max(1, total)))
        parts = list(_split_evenly(source.units, page_len, wanted))
        for number, units in enumerate(parts, start=1):
            label = f"part {number}/{len(parts)}" if len(parts) > 1 else "whole text"
            drafts.append(_Draft.of(source, f"{source.title}, {label}" if len(sources) > 1 else label, units))
    return drafts


def _discourse(sources: list[_DocumentUnits], page_len: int, pages: int | None) -> list[_Draft]:
    drafts = [
        _Draft.of(source, label, units, section.level)
        for source in sources
        for (section, units), label in zip(
            source.sections, label_sections([section for section, _ in source.sections]), strict=True
        )
    ]
    if pages is None:
        return drafts
    sizes = [len(list(_split_evenly(draft.units, page_len, 1))) for draft in drafts]
    surplus = sum(sizes) - pages
    while surplus > 0:
        candidates = [
            # Subsections join their section before sections join each other; short ones come first.
            (-right.level, left.num_tokens + right.num_tokens, position)
            for position, (left, right) in enumerate(pairwise(drafts))
            if left.document_id == right.document_id and left.num_tokens + right.num_tokens <= page_len
        ]
        if not candidates:
            break
        *_, position = min(candidates)
        left, right = drafts[position : position + 2]
        drafts[position : position + 2] = [
            _Draft(
                left.document_id,
                left.headings + right.headings,
                min(left.level, right.level),
                left.units + right.units,
                left.num_tokens + right.num_tokens,
            )
        ]
        surplus -= 1
    return drafts


def label_sections(sections: Sequence[Section]) -> list[str]:
    """A label for each section: its heading, with those above it where it would not tell which one it is.

    Args:
        sections: Those of one document, in order.
    """
    times = Counter(section.heading for section in sections)
    labels = []
    for section in sections:
        heading = section.heading or _UNTITLED[section.role]
        is_bare = _BARE_NUMBER.fullmatch(heading) is not None
        labels.append(section.path if section.path and (times[section.heading] > 1 or is_bare) else heading)
    return labels


def _fit(drafts: list[_Draft], page_len: int) -> Iterator[tuple[str, str, list[_Unit]]]:
    """Yield ``(document_id, label, units)``, splitting what is longer than a page."""
    for draft in drafts:
        parts = list(_split_evenly(draft.units, page_len, 1))
        for number, units in enumerate(parts, start=1):
            part = f" ({number}/{len(parts)})" if len(parts) > 1 else ""
            yield draft.document_id, f"{draft.label}{part}", units


def _split_evenly(units: list[_Unit], page_len: int, wanted: int) -> Iterator[list[_Unit]]:
    """Split into ``wanted`` parts of nearly equal length, or more if ``page_len`` requires it."""
    needed = _pages_needed(units, page_len)
    parts = min(max(wanted, needed[0]), len(units))
    remaining = sum(unit.num_tokens for unit in units)
    start = 0
    for parts_left in range(parts, 0, -1):
        target = remaining / parts_left
        end, length = start + 1, units[start].num_tokens
        while end < len(units) and len(units) - end >= parts_left:
            longer = length + units[end].num_tokens
            must_take = needed[end] > parts_left - 1
            if not must_take and (longer > page_len or longer - target > target - length):
                break
            end, length = end + 1, longer
        yield units[start:end]
        start, remaining = end, remaining - length


def _pages_needed(units: list[_Unit], page_len: int) -> list[int]:
    """For each position, the minimum number of pages for the units from there on, with a final 0."""
    needed = [0] * (len(units) + 1)
    end, length = len(units), 0
    for start in range(len(units) - 1, -1, -1):
        length += units[start].num_tokens
        while length > page_len and end > start + 1:
            end -= 1
            length -= units[end].num_tokens
        needed[start] = 1 + needed[end]
    return needed


def _units(sentence: Sentence, page_len: int, count_tokens: CountTokens) -> Iterator[_Unit]:
    """The sentence as one unit, or in pieces if it is longer than a page."""
    num_tokens = count_tokens(sentence.text)
    if num_tokens <= page_len:
        yield _Unit(sentence, num_tokens)
        return
    for start, end in _piece_spans(sentence.text, page_len, count_tokens):
        text = sentence.text[start:end].rstrip()
        piece = replace(
            sentence, text=text, start=sentence.start + start, end=sentence.start + start + len(text)
        )
        yield _Unit(piece, count_tokens(text))


def _piece_spans(text: str, page_len: int, count_tokens: CountTokens) -> Iterator[tuple[int, int]]:
    """Cut at white space into spans of at most ``page_len`` tokens; inside a word only if necessary."""
    start = length = 0
    # Tokens that a space between two words adds: 0 if the tokenizer does not count it.
    space = max(0, count_tokens("a a") - 2 * count_tokens("a"))
    for word in _WORD.finditer(text):
        tokens = count_tokens(word.group())
        if length and length + space + tokens > page_len:
            yield start, word.start()
            start, length = word.start(), 0
        if tokens > page_len:
            while (
                cut := start + longest_prefix(text[start : word.end()], page_len, count_tokens)
            ) != word.end():
                yield start, cut
                start = cut
            tokens = count_tokens(text[start : word.end()])
        length += tokens + (space if length else 0)
    if start < len(text):
        yield start, len(text)


def longest_prefix(word: str, page_len: int, count_tokens: CountTokens) -> int:
    """Length of the longest prefix of at most ``page_len`` tokens; at least one character.

    Prefixes are tried in doubling lengths first: the time taken follows the prefix, not the word.
    """
    low, high = 1, min(2 * page_len, len(word))
    while high < len(word) and count_tokens(word[:high]) <= page_len:
        low, high = high, min(2 * high, len(word))
    while low < high:
        middle = (low + high + 1) // 2
        if count_tokens(word[:middle]) <= page_len:
            low = middle
        else:
            high = middle - 1
    return low
