"""Documents as read: sections and sentences, and how they are composed from paragraphs."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lsum_cli.text.languages import language_of
from lsum_cli.text.sentences import SENTENCE_BREAK, normalise, part_sentences, sentence_spans

PARAGRAPH_BREAK = "\n\n"
UNREAD_GLYPH = "\ufffd"
"""Stands for a character of a source that could not be read; see :attr:`Metadata.glyphs_unread`."""
PATH_BREAK = " › "


class SectionRole(enum.StrEnum):
    """The role of a section; references are left out of a summary unless requested.

    A court opinion has a syllabus, the opinion of the Court, concurrences and dissents; a book has front
    and back matter, such as a preface of its publisher and a licence.
    """

    BODY = "body"
    ABSTRACT = "abstract"
    REFERENCES = "references"
    SYLLABUS = "syllabus"
    OPINION = "opinion"
    CONCURRENCE = "concurrence"
    DISSENT = "dissent"
    FRONT_MATTER = "front_matter"
    BACK_MATTER = "back_matter"


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
        is_item: Whether an item of a list begins with it, where the source marks lists.
        is_quoted: Whether it stands in a quotation that the source sets apart, as others' words.
        follows_code: Whether it opens a paragraph below code that was left out.
    """

    text: str
    index: int
    section_index: int
    pdf_page: int | None = None
    start: int
    end: int
    is_item: bool = False
    is_quoted: bool = False
    follows_code: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A heading with the sentences below it, up to the next heading of any level.

    Attributes:
        heading: The heading, or ``None`` for text before the first one.
        level: Depth of the heading, from 1; 0 where there is no heading.
        sentences: Its sentences; empty for a heading with only sub-headings below.
        role: Body, abstract or reference list.
        path: The headings above it and its own, from the highest level down: ``"III › B"``; empty where
            there is no heading.
    """

    heading: str | None
    level: int
    sentences: tuple[Sentence, ...]
    role: SectionRole = SectionRole.BODY
    path: str = ""

    @property
    def paragraphs(self) -> Iterator[tuple[Sentence, ...]]:
        """Its sentences by paragraph: the gap before a sentence tells where the next one begins."""
        first = 0
        for place in range(1, len(self.sentences) + 1):
            if place == len(self.sentences) or self.sentences[place].start - self.sentences[
                place - 1
            ].end == len(PARAGRAPH_BREAK):
                yield self.sentences[first:place]
                first = place


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """Text of a source that was left out of the document, counted so that nothing is dropped silently.

    Attributes:
        what: ``"running headers and footers"``, ``"Project Gutenberg licence"``, …
        words: Its number of words.
    """

    what: str
    words: int


class HeaderField(NamedTuple):
    """A field of a header that is kept apart from the text, as it is written."""

    name: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Metadata:
    """Facts about a source other than its text.

    Attributes:
        media_type: Media type, such as ``"application/pdf"``.
        num_bytes: Size of the source as read.
        pdf_pages: Number of pages of the PDF, or ``None``.
        pdf_pages_read: The pages that were requested, numbered from 1.
        pdf_pages_without_text: Those of the requested pages that yielded no text.
        pdf_pages_blank: Those of the pages without text that are empty.
        ocr_pages: Those of the requested pages whose text was recognised in their image.
        pdf_pages_unread_glyphs: Pages with characters whose fonts do not say what they are.
        glyphs_unread: The number of these characters; each is U+FFFD in the text.
        unknown: What was lost, in an amount that nobody can tell: of a damaged source, of a mailbox beyond
            the limit, in a file that is missing; phrases.
        left_out: Text that was recognised as not belonging to the document.
        header: The fields of a header, such as its author and status, in order.
        warnings: Other warnings of the reader for the user, one line each.
    """

    media_type: str = "text/plain"
    num_bytes: int = 0
    pdf_pages: int | None = None
    pdf_pages_read: tuple[int, ...] = ()
    pdf_pages_without_text: tuple[int, ...] = ()
    pdf_pages_blank: tuple[int, ...] = ()
    ocr_pages: tuple[int, ...] = ()
    pdf_pages_unread_glyphs: tuple[int, ...] = ()
    glyphs_unread: int = 0
    unknown: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    header: tuple[HeaderField, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Document:
    """A source that has been read.

    Attributes:
        id: Short and unique within one run: ``"d0"``, ``"d1"``, …
        source: Where it came from: a path, a final URL, or ``"-"``.
        title: Its title, or ``None`` where none was found.
        sections: Its sections, in reading order.
        language: Two-letter code, or ``None`` where neither the source nor its words say it for certain.
        metadata: Everything else that is known about the source.
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

        Headings and paragraphs are separated by a blank line, sentences by one space.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """The part of a paragraph that is on one PDF page (``None`` for other sources)."""

    text: str
    pdf_page: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Paragraph:
    """Running text without a break; in a PDF it may continue over several pages.

    Pieces are joined by one space. A word hyphenated at the end of a PDF page is rejoined and belongs to
    the piece in which it begins.

    Attributes:
        pieces: Its text, by page.
        is_item: Whether it is an item of a list, or the first paragraph of one.
        is_quoted: Whether it stands in a quotation that the source sets apart.
        follows_code: Whether code that was left out stands directly above it.
    """

    pieces: tuple[Piece, ...]
    is_item: bool = False
    is_quoted: bool = False
    follows_code: bool = False

    @classmethod
    def of(cls, text: str, pdf_page: int | None = None) -> Paragraph:
        """Make a paragraph of one piece."""
        return cls(pieces=(Piece(text=text, pdf_page=pdf_page),))

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A heading and its paragraphs, as found by a reader; becomes a :class:`Section`."""

    heading: str | None = None
    level: int = 0
    role: SectionRole = SectionRole.BODY
    paragraphs: tuple[Paragraph, ...] = ()


def compose_document(
    passages: Sequence[Passage],
    *,
    id: str,
    source: str,
    title: str | None = None,
    language: str | None = None,
    metadata: Metadata | None = None,
) -> Document:
    """Compose passages into a document whose sentences have exact offsets.

    Args:
        passages: The passages in reading order. Text is normalised here; empty paragraphs are dropped, as
            are passages with neither a heading nor text.
        id: See :class:`Document`, also for ``source``, ``title`` and ``metadata``.
        language: Two-letter code as the source declares it; detected where it does not.

    Returns:
        A document for which ``document.text[s.start:s.end] == s.text`` for each sentence.
    """
    language = language_of(
        (
            piece.text
            for passage in passages
            if passage.role is not SectionRole.REFERENCES
            for paragraph in passage.paragraphs
            for piece in paragraph.pieces
        ),
        language,
    )
    sections: list[Section] = []
    above: list[tuple[int, str]] = []
    position = 0
    index = 0
    for passage in passages:
        heading = normalise(passage.heading or "") or None
        if heading:
            above = [each for each in above if each[0] < passage.level] + [(passage.level, heading)]
            position += len(heading) + (len(PARAGRAPH_BREAK) if position else 0)
        sentences: list[Sentence] = []
        for paragraph in passage.paragraphs:
            opening = len(PARAGRAPH_BREAK) if position else 0
            for text, pdf_page, gap in _paragraph_sentences(paragraph, language):
                start = position + (opening if gap is None else gap)
                position = start + len(text)
                sentences.append(
                    Sentence(
                        text=text,
                        index=index,
                        section_index=len(sections),
                        pdf_page=pdf_page,
                        start=start,
                        end=position,
                        is_item=paragraph.is_item and gap is None,
                        is_quoted=paragraph.is_quoted,
                        follows_code=paragraph.follows_code and gap is None,
                    )
                )
                index += 1
        if heading or sentences:
            sections.append(
                Section(
                    heading=heading,
                    level=passage.level if heading else 0,
                    sentences=tuple(sentences),
                    role=passage.role,
                    path=PATH_BREAK.join(text for _, text in above) if heading else "",
                )
            )
    return Document(
        id=id,
        source=source,
        title=normalise(title or "") or None,
        sections=tuple(sections),
        language=language,
        metadata=metadata or Metadata(),
    )


def sentences_to_read(documents: Iterable[Document], *, keep_references: bool = False) -> list[Sentence]:
    """The sentences of documents in order, those of reference lists left out unless they are kept."""
    return [
        sentence
        for document in documents
        for section in document.sections
        if keep_references or section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]


def _paragraph_sentences(
    paragraph: Paragraph, language: str | None
) -> Iterator[tuple[str, int | None, int | None]]:
    """Yield ``(text, pdf_page, gap before it in characters)``; the gap is ``None`` for the first sentence."""
    pieces = [(part_sentences(normalise(piece.text), language), piece.pdf_page) for piece in paragraph.pieces]
    pieces = [(text, pdf_page) for text, pdf_page in pieces if text]
    if not pieces:
        return
    page_starts: list[tuple[int, int | None]] = []
    position = 0
    for text, pdf_page in pieces:
        page_starts.append((position, pdf_page))
        position += len(text) + len(SENTENCE_BREAK)
    whole = SENTENCE_BREAK.join(text for text, _ in pieces)
    previous_end: int | None = None
    page = 0
    for start, end in sentence_spans(whole, language):
        while page + 1 < len(page_starts) and page_starts[page + 1][0] <= start:
            page += 1
        yield whole[start:end], page_starts[page][1], None if previous_end is None else start - previous_end
        previous_end = end
