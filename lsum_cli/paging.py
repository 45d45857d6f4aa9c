"""Paging: how documents become the pages of PageSum, whole or as the published code makes them.

:func:`lsum_cli.locality.paginate` keeps every sentence (``whole``). The code that the published checkpoints
were trained with does not (``published``): it makes a fixed number of pages, cuts each at its length, and
drops what is left over. A checkpoint is given the pages that it was trained with.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from lsum_cli.documents import Document, Section, SectionRole, Sentence
from lsum_cli.errors import OptionError
from lsum_cli.locality import CountTokens, Locality, Page, label_sections, longest_prefix
from lsum_cli.text.patterns import regex

T = TypeVar("T")
_WORD = regex(r"\S+")


class Paging(enum.StrEnum):
    """How pages are made: ``whole`` keeps every sentence, ``published`` cuts as the published code does."""

    WHOLE = "whole"
    PUBLISHED = "published"


def divide_evenly(units: Sequence[T], pages: int) -> list[Sequence[T]]:
    """Divide into ``pages`` groups of floor(n / pages) units; the last group gets the remainder, too.

    With fewer units than pages all groups but the last are empty.
    """
    size = len(units) // pages
    groups = [units[page * size : (page + 1) * size] for page in range(pages - 1)]
    return [*groups, units[(pages - 1) * size :]]


def divide_by_unit(units: Sequence[T], pages: int) -> list[Sequence[T]]:
    """Put each unit on a page of its own; units beyond ``pages`` are dropped, pages beyond them empty."""
    return [units[page : page + 1] for page in range(pages)]


@dataclass(frozen=True, kw_only=True)
class PublishedPages:
    """The pages of the published code, and what they leave out.

    Attributes:
        pages: Those with text.
        page_len: Tokens of a page at most.
        num_cut: How many were cut.
        num_dropped: Sections or documents for which there was no page.
    """

    pages: tuple[Page, ...]
    page_len: int
    num_cut: int
    num_dropped: int

    def losses(self, checkpoint: str) -> list[str]:
        """What was left out, in words.

        Args:
            checkpoint: The name of the checkpoint that was trained with such pages.
        """
        said = []
        made = sum(1 for page in self.pages if not page.continues)
        if self.num_cut:
            verb = "was" if self.num_cut == 1 else "were"
            said.append(f"{self.num_cut} of {made} parts {verb} cut at {self.page_len:,} tokens")
        if self.num_dropped:
            unit = "document" if self.pages[0].locality is Locality.DOCUMENT else "section"
            units = (
                f"{unit} beyond the first {made} was"
                if self.num_dropped == 1
                else (f"{unit}s beyond the first {made} were")
            )
            said.append(f"{self.num_dropped} {units} not read")
        return [f"{' and '.join(said)}, as in the training of {checkpoint}: see --paging"] if said else []


def published_pages(
    documents: Sequence[Document],
    locality: Locality,
    page_len: int,
    pages: int,
    count_tokens: CountTokens,
    *,
    keep_references: bool = False,
) -> PublishedPages:
    """Make the pages of the published code; those without text are left out.

    Their order does not matter to the model, which mixes them by weight: the pages without text may follow
    the others, wherever the published code has them.

    Args:
        locality: *Spatial*: the sentences of all documents by :func:`divide_evenly`; a page that holds the
            end of one document and the beginning of the next is a page of each, of which the second
            *continues* the first. *Discourse*: a main section with all below it is a page, after its
            heading. *Document*: a document is a page. Sections and documents beyond ``pages`` are dropped.
        page_len: Tokens of a page; what is beyond is cut, and counted in :attr:`Page.tokens_cut`.
        pages: Their number.
        count_tokens: Counts the tokens of a page's text as it stands.
        keep_references: Whether to include reference lists.

    Raises:
        OptionError: ``page_len`` or ``pages`` is below 1.
    """
    if page_len < 1 or pages < 1:
        raise OptionError(
            f"{pages} pages of {page_len} tokens hold nothing", "give at least 1 page and 1 token per page"
        )
    read = [
        [s for s in document.sections if keep_references or s.role is not SectionRole.REFERENCES]
        for document in documents
    ]
    if locality is Locality.SPATIAL:
        sheets, dropped = _spatial(documents, read, pages), 0
    else:
        parts = [
            part
            for document, sections in zip(documents, read, strict=True)
            for part in _parts(document, sections, locality)
        ]
        sheets = [list(group) for group in divide_by_unit(parts, pages) if group]
        dropped = max(0, len(parts) - pages)
    made: list[Page] = []
    num_cut = 0
    for sheet in sheets:
        on_sheet = _cut(sheet, locality, page_len, count_tokens)
        num_cut += _is_cut(sheet, on_sheet)
        made += [replace(page, index=len(made) + place) for place, page in enumerate(on_sheet)]
    return PublishedPages(pages=tuple(made), page_len=page_len, num_cut=num_cut, num_dropped=dropped)


def page_text(parts: Sequence[Page]) -> str:
    """The text of a page of the published code: its heading, where it has one, and its sentences.

    Args:
        parts: The page, and those that continue it.
    """
    pieces = [piece for part in parts for piece in ([part.heading] if part.heading else []) + [part.text]]
    return " ".join(pieces)


def first_tokens(
    documents: Sequence[Document], most: int, count_tokens: CountTokens, *, keep_references: bool = False
) -> tuple[Document, ...]:
    """The documents up to their first ``most`` tokens; the sentence at the limit is cut within.

    Args:
        count_tokens: Counts the tokens of a sentence.
        keep_references: Whether reference lists count.
    """
    room = most
    shortened = []
    for document in documents:
        sections = []
        for section in document.sections:
            kept: list[Sentence] = []
            is_read = keep_references or section.role is not SectionRole.REFERENCES
            for sentence in section.sentences if is_read else ():
                tokens = count_tokens(sentence.text)
                if tokens <= room:
                    kept.append(sentence)
                elif room > 0:
                    kept.append(_piece(sentence, longest_prefix(sentence.text, room, count_tokens)))
                room -= min(tokens, room)
            sections.append(replace(section, sentences=tuple(kept)))
        shortened.append(replace(document, sections=tuple(sections)))
    return tuple(shortened)


class _Part(NamedTuple):
    """What a page holds of one document."""

    document_id: str
    label: str
    heading: str | None
    sentences: Sequence[Sentence]


def _spatial(
    documents: Sequence[Document], read: Sequence[Sequence[Section]], pages: int
) -> list[list[_Part]]:
    units = [
        (document, sentence)
        for document, sections in zip(documents, read, strict=True)
        for section in sections
        for sentence in section.sentences
    ]
    groups = [group for group in divide_evenly(units, pages) if group]
    sheets = []
    for number, group in enumerate(groups, start=1):
        label = f"part {number}/{len(groups)}" if len(groups) > 1 else "whole text"
        by_document: dict[str, list[Sentence]] = {}
        for document, sentence in group:
            by_document.setdefault(document.id, []).append(sentence)
        titles = {document.id: document.title or document.source for document in documents}
        sheets.append(
            [
                _Part(own, f"{titles[own]}, {label}" if len(documents) > 1 else label, None, sentences)
                for own, sentences in by_document.items()
            ]
        )
    return sheets


def _parts(document: Document, sections: Sequence[Section], locality: Locality) -> list[_Part]:
    """The document, or its main sections with what is below them: the highest level with more than one."""
    if locality is Locality.DOCUMENT:
        sentences = [sentence for section in sections for sentence in section.sentences]
        title = document.title or document.source
        return [_Part(document.id, title, None, sentences)] if sentences else []
    levels = [section.level for section in sections if section.heading]
    main = min((level for level in levels if levels.count(level) > 1), default=max(levels, default=1))
    groups: list[list[tuple[Section, str]]] = []
    for section, label in zip(sections, label_sections(sections), strict=True):
        if not groups or (section.heading and section.level <= main):
            groups.append([])
        groups[-1].append((section, label))
    return [
        _Part(document.id, group[0][1], group[0][0].heading, sentences)
        for group in groups
        if (sentences := [sentence for section, _ in group for sentence in section.sentences])
    ]


def _is_cut(sheet: Sequence[_Part], pages: Sequence[Page]) -> bool:
    wanted = sum(len(part.sentences) for part in sheet)
    return any(page.tokens_cut for page in pages) or sum(len(page.sentences) for page in pages) < wanted


def _cut(sheet: Sequence[_Part], locality: Locality, page_len: int, count_tokens: CountTokens) -> list[Page]:
    """The pages of a sheet, one for each document on it, cut at ``page_len`` tokens together."""
    text = ""
    made: list[Page] = []
    for part in sheet:
        before = _joined(text, part.heading)
        text = _joined(before, " ".join(sentence.text for sentence in part.sentences))
        # A heading is read, but is no sentence of the document.
        start, total = min(page_len, count_tokens(before)), count_tokens(text)
        sentences: Sequence[Sentence] = part.sentences
        if total > page_len:
            sentences, total = _fitting(before, part.sentences, page_len, count_tokens)
        if start >= page_len or not sentences:
            break
        made.append(
            Page(
                index=0,
                locality=locality,
                label=part.label,
                document_id=part.document_id,
                sentences=tuple(sentences),
                num_tokens=min(total, page_len) - start,
                heading=part.heading,
                tokens_cut=max(0, total - page_len),
                continues=bool(made),
            )
        )
        if total > page_len:
            break
    return made


def _fitting(
    before: str, sentences: Sequence[Sentence], page_len: int, count_tokens: CountTokens
) -> tuple[list[Sentence], int]:
    """The sentences up to the word that holds the last token of a page.

    That word is kept whole: its tokens depend on all of it.

    Returns:
        The sentences, and the tokens of the page to the end of the last one, as if that were not cut.
    """
    # How many sentences, at least, reach the limit.
    low, high = 0, len(sentences) - 1
    texts = [sentence.text for sentence in sentences]
    while low < high:
        middle = (low + high) // 2
        if count_tokens(_joined(before, " ".join(texts[: middle + 1]))) >= page_len:
            high = middle
        else:
            low = middle + 1
    last = sentences[low]
    start = _joined(before, " ".join(texts[:low]))
    longer = count_tokens(_joined(start, last.text))
    ends = [word.end() for word in _WORD.finditer(last.text)]
    first, final = 0, len(ends) - 1
    while first < final:
        middle = (first + final) // 2
        if count_tokens(_joined(start, last.text[: ends[middle]])) >= page_len:
            final = middle
        else:
            first = middle + 1
    end = ends[first] if ends else 0
    return [*sentences[:low], _piece(last, end)] if end else list(sentences[:low]), longer


def _piece(sentence: Sentence, end: int) -> Sentence:
    if end == len(sentence.text):
        return sentence
    return replace(sentence, text=sentence.text[:end], end=sentence.start + end)


def _joined(before: str, text: str | None) -> str:
    return f"{before} {text}" if before and text else before or text or ""
