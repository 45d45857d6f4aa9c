"""What was read: a document, its sections, its sentences."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

PARAGRAPH_BREAK = "\n\n"
SENTENCE_BREAK = " "


class SectionRole(enum.StrEnum):
    """What a section is for; references are left out of a summary unless asked for."""

    BODY = "body"
    ABSTRACT = "abstract"
    REFERENCES = "references"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """A sentence of a document.

    Attributes:
        text: The sentence, its white space normalised to single spaces.
        index: Position among the document's sentences, from 0.
        section_index: Index of its section in :attr:`Document.sections`.
        pdf_page: Number of the PDF page (from 1) it begins on; ``None`` for other sources.
        start: Offset of its first character in :attr:`Document.text`.
        end: Offset after its last character, so that ``document.text[start:end] == text``.
    """

    text: str
    index: int
    section_index: int
    pdf_page: int | None = None
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A heading with the sentences below it, up to the next heading of any level.

    Attributes:
        heading: The heading, or ``None`` for text before the first one.
        level: Depth of the heading, from 1; 0 where there is no heading.
        sentences: Possibly none, for a heading with only sub-headings below.
        role: Body, abstract or reference list.
    """

    heading: str | None
    level: int
    sentences: tuple[Sentence, ...]
    role: SectionRole = SectionRole.BODY


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Text of a source that is no part of the document, so that nothing vanishes unsaid.

    Attributes:
        what: ``"running headers and footers"``, ``"Project Gutenberg licence"``, …
        words: How many words it held.
    """

    what: str
    words: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Metadata:
    """What is known of a source besides its text.

    Attributes:
        media_type: Such as ``"application/pdf"``.
        num_bytes: Size of the source as read.
        pdf_pages: Number of pages of the PDF, or ``None``.
        pdf_pages_read: The pages that were asked for, numbered from 1.
        pdf_pages_without_text: Of these, the ones from which no text came.
        pdf_pages_blank: Of those, the ones with nothing on them at all.
        left_out: Text that was recognised as no part of the document.
        warnings: What the reader noticed and the user should know, one line each.
    """

    media_type: str = "text/plain"
    num_bytes: int = 0
    pdf_pages: int | None = None
    pdf_pages_read: tuple[int, ...] = ()
    pdf_pages_without_text: tuple[int, ...] = ()
    pdf_pages_blank: tuple[int, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Document:
    """A source that has been read.

    Attributes:
        id: Short and unique within one run: ``"d0"``, ``"d1"``, …
        source: Where it came from: a path, a final URL, or ``"-"``.
        title: Its title, or ``None`` where none was found.
        sections: In reading order.
        language: Two-letter code, or ``None`` where unknown.
        metadata: What is known besides the text.
    """

    id: str
    source: str
    title: str | None
    sections: tuple[Section, ...]
    language: str | None = None
    metadata: Metadata = field(default_factory=Metadata)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in reading order."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)

    @property
    def text(self) -> str:
        """Headings and sentences in reading order; sentence offsets point into this string.

        Headings and paragraphs are set apart by a blank line, sentences by one space.
        """
        return "".join(self._parts())

    def _parts(self) -> Iterator[str]:
        position = 0
        for section in self.sections:
            if section.heading:
                opening = f"{PARAGRAPH_BREAK if position else ''}{section.heading}"
                position += len(opening)
                yield opening
            for sentence in section.sentences:
                # The width of the gap tells a paragraph break from a sentence break.
                gap = sentence.start - position
                yield PARAGRAPH_BREAK if gap == len(PARAGRAPH_BREAK) else SENTENCE_BREAK * gap
                yield sentence.text
                position = sentence.end
