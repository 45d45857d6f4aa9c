"""The result of a method: a complete summary, with the origin of every sentence."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

from lsum_cli.documents import Document, LeftOut, Sentence
from lsum_cli.locality import Locality, Page

_PAGES_LISTED = 12
# Pages with less weight are not worth citing, and citing more pages than this does not help a reader.
LEAST_CITED_WEIGHT = 0.2
MOST_CITED_PAGES = 3


class AttributionKind(enum.StrEnum):
    """How the origin of a summary sentence was found."""

    CONFIDENCE = "confidence"
    ATTENTION = "attention"
    WINDOW = "window"
    EXTRACTION = "extraction"
    ALIGNMENT = "alignment"


@dataclass(frozen=True, kw_only=True, slots=True)
class PageWeight:
    """The share of one page in one summary sentence."""

    page: int
    weight: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """A source sentence that supports a summary sentence.

    Attributes:
        text: The source sentence.
        document_id: Its document.
        sentence_index: Its index among that document's sentences.
        page: Index of its page.
        pdf_page: Its PDF page, or ``None``.
        score: Support from 0 (none) to 1 (says the same).
    """

    text: str
    document_id: str
    sentence_index: int
    page: int
    pdf_page: int | None
    score: float

    @classmethod
    def of(cls, sentence: Sentence, page: Page, score: float) -> Self:
        """A sentence of a page."""
        return cls(
            text=sentence.text,
            document_id=page.document_id,
            sentence_index=sentence.index,
            page=page.index,
            pdf_page=sentence.pdf_page,
            score=score,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Attribution:
    """Where a summary sentence came from.

    Attributes:
        kind: How this was found.
        pages: Pages by descending weight; the weights sum to 1. Pages of weight 0 may be absent.
        evidence: Source sentences, best first.
    """

    kind: AttributionKind
    pages: tuple[PageWeight, ...]
    evidence: tuple[Evidence, ...] = ()

    @classmethod
    def verbatim(cls, sentence: Sentence, page: Page) -> Self:
        """The origin of a sentence that was copied from a page verbatim."""
        return cls(
            kind=AttributionKind.EXTRACTION,
            pages=(PageWeight(page=page.index, weight=1.0),),
            evidence=(Evidence.of(sentence, page, 1.0),),
        )

    @property
    def top_page(self) -> int:
        """Index of the page with the greatest weight."""
        return self.pages[0].page

    def cited(
        self, *, most: int = MOST_CITED_PAGES, least: float = LEAST_CITED_WEIGHT
    ) -> tuple[PageWeight, ...]:
        """The pages to cite: those with the greatest weights, and always at least one.

        Args:
            most: Maximum number of pages.
            least: The weight below which a page is not worth citing.
        """
        worth_citing = tuple(weight for weight in self.pages if weight.weight >= least)
        return worth_citing[:most] or self.pages[:1]


class FlagKind(enum.StrEnum):
    """What may be wrong with a generated sentence."""

    NUMBER = "number"
    NAME = "name"
    QUOTATION = "quotation"
    SPLICE = "splice"
    WEAK_EVIDENCE = "weak-evidence"


@dataclass(frozen=True, kw_only=True, slots=True)
class Flag:
    """Something in a generated sentence that the source does not support.

    Attributes:
        kind: What is wrong.
        text: The words of the sentence that are concerned.
    """

    kind: FlagKind
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CopiedSpan:
    """Words of a generated sentence that stand in a row in a source sentence as well.

    Attributes:
        start: Where they begin in the summary sentence, in characters.
        end: Where they end there.
        document_id: The document of the source sentence.
        sentence_index: Its index among that document's sentences.
        page: Index of its page.
        pdf_page: Its PDF page, or ``None``.
        source_start: Where the words begin in the source sentence, in characters.
        source_end: Where they end there.
    """

    start: int
    end: int
    document_id: str
    sentence_index: int
    page: int
    pdf_page: int | None
    source_start: int
    source_end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RestOfList:
    """Items of a list that are not in a summary which has others of it.

    Attributes:
        count: How many; ``None`` where items hold lists of their own, or are very many.
        names: What each is called, in order; empty where that would not tell them briefly.
    """

    count: int | None
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        number = "more" if self.count is None else f"{self.count} more"
        return f"and {number}{': ' if self.names else ''}{'; '.join(self.names)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class SummarySentence:
    """A sentence of a summary.

    Attributes:
        log_prob: Mean log probability of its tokens; ``None`` where no model wrote it.
        attribution: ``None`` only where it was not requested.
        label: What the sentence is or who says it, such as ``"Held"``, ``"Dissent"`` or a speaker; shown
            before it.
        flags: What the source does not support; empty where nothing was found.
        copied_share: Share of its words that are copied from the source; ``None`` where it was not traced.
        copied: The words that are copied, in order.
        is_item: Whether it is an item of a list that is shown, and is written as one.
        rest: What is left of the list that it is of, after the last sentence of it that is shown.
    """

    text: str
    index: int
    log_prob: float | None = None
    attribution: Attribution | None = None
    label: str | None = None
    flags: tuple[Flag, ...] = ()

    @property
    def labelled(self) -> str:
        """Its text after its label, where it has one: ``"Dissent (STEVENS, J.): I would affirm."``."""
        return f"{self.label}: {self.text}" if self.label else self.text

    copied_share: float | None = None
    copied: tuple[CopiedSpan, ...] = ()
    is_item: bool = False
    rest: RestOfList | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UnreadPages:
    """PDF pages of one document that are not blank but yielded no text.

    Attributes:
        pages: Their numbers, ascending.
        source: The document's source; empty if it is the only document.
    """

    pages: tuple[int, ...]
    source: str = ""

    def __str__(self) -> str:
        listed = ", ".join(str(page) for page in self.pages[:_PAGES_LISTED])
        more = f" and {len(self.pages) - _PAGES_LISTED} more" if len(self.pages) > _PAGES_LISTED else ""
        of = f" of {self.source}" if self.source else ""
        return f"PDF page{'s' if len(self.pages) > 1 else ''} {listed}{more}{of}"


def name_pdf_pages(numbers: Iterable[int]) -> str:
    """Page numbers in words, ranges closed up: ``"PDF pages 1-4, 7"``."""
    ranges: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    listed = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
    return f"PDF page {listed}" if listed.isdigit() else f"PDF pages {listed}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """How much of the input was read.

    Attributes:
        tokens_total: The sum of the tokens read, dropped, of references and unselected.
        tokens_unselected: Tokens that were not read because the most telling sentences were selected.
        glyphs_unread: Characters of PDF pages whose fonts do not say what they are; U+FFFD in the text.
        glyph_pages: Where they are.
        unknown: What damaged sources lost in an amount that nobody can tell; phrases.
        ocr_pages: PDF pages whose text was recognised in their image.
    """

    tokens_total: int
    tokens_read: int
    tokens_dropped: int
    tokens_references: int
    tokens_unselected: int = 0
    pages_total: int
    glyphs_unread: int = 0
    ocr_pages: tuple[int, ...] = ()
    pdf_pages_without_text: tuple[int, ...] = ()
    pdf_pages_blank: tuple[int, ...] = ()
    unread: tuple[UnreadPages, ...] = ()
    glyph_pages: tuple[UnreadPages, ...] = ()
    unknown: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Parts of the input that were not read although they should have been, one phrase each."""
        losses = []
        if self.tokens_dropped:
            losses.append(f"{self.tokens_dropped:,} of {self.tokens_total:,} tokens were dropped")
        losses.extend(f"no text could be read on {pages}" for pages in self.unread)
        if self.glyphs_unread:
            characters = "1 character" if self.glyphs_unread == 1 else f"{self.glyphs_unread:,} characters"
            places = ", ".join(map(str, self.glyph_pages))
            losses.append(f"{characters} on {places} could not be read: the fonts do not say what they are")
        losses.extend(self.unknown)
        return tuple(losses)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckpointReference:
    """Which checkpoint wrote a summary."""

    name: str
    path: str | None = None
    sha256: str | None = None
    trained_confidence: bool = False


OptionValue = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ChapterSummary:
    """The summary of one chapter of a book.

    Attributes:
        page: Index of the chapter's page.
        sentences: Its sentences, attributed to that page only.
    """

    page: int
    sentences: tuple[SummarySentence, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class OutlineEntry:
    """One part of the document in an outline: a section, a chapter, an article.

    Attributes:
        heading: Its heading.
        level: Its depth, from 1.
        document_id: Its document; ``None`` for a topic of several documents.
        pdf_pages: The first and the last PDF page it is on; empty for other sources.
        sentences: What says most of it, attributed to its pages. One that is in the summary too has the same
            index there.
        people: Those whom a part of a book names, the most named first.
        places: Where it is set, the most named first.
        sections: The headings of the sections in a part of a long document, in order.
    """

    heading: str
    level: int
    document_id: str | None
    pdf_pages: tuple[int, ...] = ()
    sentences: tuple[SummarySentence, ...] = ()
    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SummaryLength:
    """A summary at one of several lengths that come of one run.

    Attributes:
        name: ``"sentence"``, ``"short"``, ``"medium"`` or ``"long"``.
        sentences: Its sentences, indexed from 0. Of an extract the longer ones hold those of the shorter.
    """

    name: str
    sentences: tuple[SummarySentence, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShortForm:
    """A short form that the summary uses, with what its source says it stands for.

    Attributes:
        short: The short form: an abbreviation, or a surname.
        long: The long form, as it stands in the source: of a surname the whole name with who that is.
        document_id: The document that says so.
        sentence_index: The index of the sentence among that document's sentences; ``None`` where a heading
            says so.
        pdf_page: Its PDF page, or ``None``.
    """

    short: str
    long: str
    document_id: str
    sentence_index: int | None
    pdf_page: int | None = None


class ChangeKind(enum.StrEnum):
    """What became of a sentence or a section since an earlier version."""

    NEW = "new"
    ALTERED = "altered"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, kw_only=True, slots=True)
class SentenceChange:
    """A sentence that is not as it was; ``MOVED`` is said of sections only.

    Attributes:
        text: The sentence as it is; ``None`` where it was removed.
        before: The sentence as it was; ``None`` where it is new, or only its trace was kept.
        sentence_index: Its index among the document's sentences; ``None`` where it was removed.
        pdf_page: Its PDF page, or ``None``.
    """

    kind: ChangeKind
    text: str | None
    before: str | None = None
    sentence_index: int | None = None
    pdf_page: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SectionChange:
    """A section that is not as it was.

    Attributes:
        heading: What it is called.
        kind: ``MOVED`` where nothing else changed.
        is_moved: Whether it stands in another place than before.
        pdf_pages: The PDF pages on which it is now; empty for other sources, and where it was removed.
        sentences: Those that changed, in order; then the removed ones.
    """

    heading: str
    kind: ChangeKind
    is_moved: bool = False
    pdf_pages: tuple[int, ...] = ()
    sentences: tuple[SentenceChange, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Changes:
    """What changed in a document since an earlier version.

    Attributes:
        since: The source of the earlier version.
        sections: Those that changed, in the order of the document; then the removed ones.
        sections_compared: How many sections the document has.
        sentences_unchanged: How many of its sentences were there before.
        has_old_text: Whether the earlier text was known, not only traces of its sentences.
    """

    since: str
    sections: tuple[SectionChange, ...]
    sections_compared: int
    sentences_unchanged: int
    has_old_text: bool = True

    def count(self, kind: ChangeKind) -> int:
        """How many sentences are new, altered or removed."""
        return sum(each.kind is kind for section in self.sections for each in section.sentences)


# Stands between the topics of a focus.
TOPIC_BREAK = "; "


class Style(enum.StrEnum):
    """The shape of a summary: running text, one item per sentence, or the outline alone."""

    PROSE = "prose"
    BULLETS = "bullets"
    OUTLINE = "outline"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A finished summary; rendering needs nothing else.

    Attributes:
        title: The title of the document, or one for several documents.
        locality_reason: Why ``auto`` chose the locality; empty where the user chose it.
        checkpoint: ``None`` for methods without one.
        options: The options that shaped the summary.
        seconds: Wall-clock time by stage: ``read``, ``load``, ``encode``, ``decode``, ….
        warnings: Warnings for the user, one line each.
        chapters: The chapter summaries of a book, on request; every page is then a chapter.
        outline: The structure of the document with what says most of each part, on request.
        keywords: Key phrases, the most telling first, on request.
        other_sections: The headings of the sections of which nothing is quoted, in order, as far as they say
            what is there: of an extracted outline, or of an extracted text of no requested length.
        topics: Phrases that name what is talked about, the longest discussed first: of an extracted text of a
            conversation in English, of no requested length or to be zoomed.
        abbreviations: Those that the summary, or one of its lengths, uses and does not explain, as far as the
            documents do, in the order of their first use.
        people: Those whom the summary calls by their surname only, as far as the documents say who they are.
        style: How its sentences are laid out.
        lengths: The summary at every length, the shortest first, on request; ``sentences`` is the longest.
        changes: What changed since an earlier version, on request; the sentences summarise what is new or
            altered.
    """

    title: str | None
    sentences: tuple[SummarySentence, ...]
    pages: tuple[Page, ...]
    documents: tuple[Document, ...]
    method: str
    locality: Locality
    locality_reason: str = ""
    checkpoint: CheckpointReference | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    coverage: Coverage
    seconds: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    chapters: tuple[ChapterSummary, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    keywords: tuple[str, ...] = ()
    other_sections: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    abbreviations: tuple[ShortForm, ...] = ()
    people: tuple[ShortForm, ...] = ()
    style: Style = Style.PROSE
    lengths: tuple[SummaryLength, ...] = ()
    changes: Changes | None = None

    @property
    def text(self) -> str:
        """The summary as running text, labels included."""
        return " ".join(sentence.labelled for sentence in self.sentences)

    @property
    def num_words(self) -> int:
        """Words of the summary, as :func:`lsum_cli.text.terms.count_words` counts them."""
        from lsum_cli.text.terms import count_words

        return sum(count_words(sentence.text) for sentence in self.sentences)


class SummaryListener(Protocol):
    """Receives a summary while it is written; useful for methods that write while they read."""

    def begin(self, opening: Summary) -> None:
        """A summary begins: ``opening`` contains everything but the sentences and what depends on them."""
        ...

    def add(self, sentence: SummarySentence) -> None:
        """The next sentence of the summary; it will not change."""
        ...
