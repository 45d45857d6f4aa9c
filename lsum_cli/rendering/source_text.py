"""The source as it was read, for the pane of a report that stands beside the summary.

Documents become sections, blocks and paragraphs whose runs are text, marks of PDF pages, and the
sentences that the summary cites, each with the ids of the summary sentences that cite it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document, Section, SectionRole, Sentence
from lsum_cli.locality import Page
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.quantities import count
from lsum_cli.rendering.source_links import name_document, name_source
from lsum_cli.rendering.view import SummaryView
from lsum_cli.summaries import name_pdf_pages
from lsum_cli.text.terms import count_words

# With more characters than this, sections are folded until they are wanted.
MOST_OPEN_CHARACTERS = 5_000_000
# A browser lays out a block when it comes into view.
_BLOCK_CHARACTERS = 40_000

SOURCE_FORMAT = "1"
"""How the source is written, for :mod:`lsum_cli.rendering.earlier_text`, which reads it back."""

Place = tuple[str, int]
"""A source sentence: the id of its document, and its index there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Citer:
    """A summary sentence that cites a source sentence.

    Attributes:
        id: Its id in the page.
        stops: The stops of the zoom that show it.
        number: Its number among the sentences there, from 1.
    """

    id: str
    stops: tuple[str, ...]
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CitedRun:
    """A source sentence that the summary cites."""

    id: str
    text: str
    citers: tuple[Citer, ...]

    @property
    def stops(self) -> list[str]:
        """The stops of the zoom at which it is cited."""
        return list(dict.fromkeys(stop for citer in self.citers for stop in citer.stops))


@dataclass(frozen=True, kw_only=True, slots=True)
class PdfPageRun:
    """The place where a PDF page begins, with the address of the page itself."""

    id: str
    number: int
    address: str | None


Run = str | CitedRun | PdfPageRun


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceBlock:
    """Neighbouring paragraphs, laid out together.

    Attributes:
        size: Twice as many characters for every step, from 0.
    """

    paragraphs: tuple[tuple[Run, ...], ...]
    size: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceSection:
    """A section of a document.

    Attributes:
        heading: Empty where it has none, and where the title of the document says it already.
        own_heading: The heading even then.
        level: As in the document.
        depth: Depth of its heading below its document, from 1; never more than one below the last.
        is_folded: Whether its text is shown on demand only: references, and all of a very long text.
        length: ``"1,200 words"`` of what is folded.
    """

    id: str
    heading: str
    own_heading: str
    level: int
    depth: int
    role: SectionRole
    is_folded: bool
    length: str
    pdf_page: int | None
    blocks: tuple[SourceBlock, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SourceDocument:
    """A document as the source pane shows it.

    Attributes:
        own_title: Its title; empty where ``title`` is what its source is called.
        facts: What was read of it and what was not, a phrase each.
    """

    id: str
    title: str
    own_title: str
    name: str
    address: str | None
    language: str | None
    facts: tuple[str, ...]
    sections: tuple[SourceSection, ...]


class SourceText:
    """The documents of a summary as they were read.

    Args:
        prefix: Begins every id.
        citers: Which summary sentences cite a source sentence.
        folds: Whether all sections are folded.
    """

    def __init__(
        self,
        view: SummaryView,
        prefix: str,
        citers: Mapping[Place, Sequence[Citer]],
        *,
        folds: bool,
    ) -> None:
        self._view, self._citers, self._folds = view, citers, folds
        self._ids = {
            document.id: f"{prefix}d{number}"
            for number, document in enumerate(view.summary.documents, start=1)
        }

    def documents(self) -> Iterator[SourceDocument]:
        """Every document, in order."""
        for document in self._view.summary.documents:
            yield SourceDocument(
                id=self._ids[document.id],
                title=clean_line(name_document(document)),
                own_title=clean_line(document.title or ""),
                name=clean_line(name_source(document)),
                address=self._view.link(document),
                language=document.language,
                facts=tuple(describe_reading(document, self._view.summary.pages)),
                sections=tuple(self._sections(document)),
            )

    def sentence_id(self, place: Place) -> str:
        """The id of a source sentence that is cited."""
        document, index = place
        return f"{self._ids[document]}-s{index + 1}"

    def section_id(self, document_id: str, index: int) -> str:
        """The id of a section."""
        return f"{self._ids[document_id]}-{index + 1}"

    def _sections(self, document: Document) -> Iterator[SourceSection]:
        title = clean_line(name_document(document))
        above: list[int] = []
        pdf_page: int | None = None
        for index, section in enumerate(document.sections):
            own_heading = clean_line(section.heading or "")
            heading = own_heading if own_heading != title else ""
            if heading:
                above = [level for level in above if level < section.level] + [section.level]
            is_folded = self._folds or section.role is SectionRole.REFERENCES
            yield SourceSection(
                id=self.section_id(document.id, index),
                heading=heading,
                own_heading=own_heading,
                level=section.level,
                depth=max(1, len(above)),
                role=section.role,
                is_folded=is_folded and bool(section.sentences),
                length=_length(section) if is_folded else "",
                pdf_page=section.sentences[0].pdf_page if section.sentences else None,
                blocks=tuple(self._blocks(document, section, pdf_page)),
            )
            if section.sentences:
                pdf_page = section.sentences[-1].pdf_page

    def _blocks(self, document: Document, section: Section, pdf_page: int | None) -> Iterator[SourceBlock]:
        paragraphs: list[tuple[Run, ...]] = []
        size = 0
        for paragraph in section.paragraphs:
            paragraphs.append(tuple(self._runs(document, paragraph, pdf_page)))
            pdf_page = paragraph[-1].pdf_page
            size += paragraph[-1].end - paragraph[0].start
            if size > _BLOCK_CHARACTERS:
                yield _block(paragraphs, size)
                paragraphs, size = [], 0
        if paragraphs:
            yield _block(paragraphs, size)

    def _runs(self, document: Document, paragraph: Sequence[Sentence], pdf_page: int | None) -> Iterator[Run]:
        """The runs of a paragraph; ``pdf_page`` is the page of what stands before it."""
        text: list[str] = []
        position = paragraph[0].start
        for sentence in paragraph:
            text.append(" " * (sentence.start - position))
            position = sentence.end
            citers = self._citers.get((document.id, sentence.index))
            turns = sentence.pdf_page is not None and sentence.pdf_page != pdf_page
            if (turns or citers) and any(text):
                yield "".join(text)
                text = []
            if turns and sentence.pdf_page is not None:
                pdf_page = sentence.pdf_page
                yield PdfPageRun(
                    id=f"{self._ids[document.id]}-p{pdf_page}-{sentence.index + 1}",
                    number=pdf_page,
                    address=self._view.link(document, pdf_page=pdf_page),
                )
            if citers:
                yield CitedRun(
                    id=self.sentence_id((document.id, sentence.index)),
                    text=sentence.text,
                    citers=tuple(citers),
                )
            else:
                text.append(sentence.text)
        if any(text):
            yield "".join(text)


def describe_reading(document: Document, pages: Sequence[Page]) -> Iterator[str]:
    """What was read of a document and what was not, a phrase each: ``"14 PDF pages"``."""
    metadata = document.metadata
    if metadata.pdf_pages:
        yield count(metadata.pdf_pages, "PDF page")
    yield f"{count(sum(page.num_tokens for page in pages if page.document_id == document.id), 'token')} read"
    unread = sorted(set(metadata.pdf_pages_without_text) - set(metadata.pdf_pages_blank))
    for pdf_pages, phrase in ((unread, "no text on"), (metadata.ocr_pages, "by OCR")):
        if pdf_pages:
            yield f"{phrase} {name_pdf_pages(pdf_pages)}"
    if metadata.glyphs_unread:
        yield f"{count(metadata.glyphs_unread, 'character')} unreadable"
    yield from map(clean_line, metadata.unknown)
    left_out: Counter[str] = Counter()
    for part in metadata.left_out:
        left_out[clean_line(part.what)] += part.words
    for what, words in left_out.items():
        yield f"left out: {what} ({count(words, 'word')})"


def _length(section: Section) -> str:
    return count(sum(count_words(sentence.text) for sentence in section.sentences), "word")


def _block(paragraphs: Sequence[tuple[Run, ...]], size: int) -> SourceBlock:
    return SourceBlock(paragraphs=tuple(paragraphs), size=min(max(size // 100, 1).bit_length(), 10))
