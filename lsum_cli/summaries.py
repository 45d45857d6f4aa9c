"""What a method returns: a summary, complete, with the origin of every sentence."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from lsum_cli.documents import Document, LeftOut
from lsum_cli.locality import Locality, Page

_PAGES_LISTED = 12
# Below this weight a page is not worth citing, and of more pages than this a reader learns nothing.
LEAST_CITED_WEIGHT = 0.2
MOST_CITED_PAGES = 3


class AttributionKind(enum.StrEnum):
    """How it is known where a summary sentence came from."""

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
        page: Index of the page it stands on.
        pdf_page: Its PDF page, or ``None``.
        score: Support from 0 (none) to 1 (says the same).
    """

    text: str
    document_id: str
    sentence_index: int
    page: int
    pdf_page: int | None
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Attribution:
    """Where a summary sentence came from.

    Attributes:
        kind: How this is known.
        pages: Weights in descending order; they sum to 1. Pages of weight 0 may be absent.
        evidence: Source sentences, the best first.
    """

    kind: AttributionKind
    pages: tuple[PageWeight, ...]
    evidence: tuple[Evidence, ...] = ()

    @property
    def top_page(self) -> int:
        """Index of the page with the greatest weight."""
        return self.pages[0].page

    def cited(
        self, *, most: int = MOST_CITED_PAGES, least: float = LEAST_CITED_WEIGHT
    ) -> tuple[PageWeight, ...]:
        """The pages a reader is sent to: those of most weight; the first one in any case.

        Args:
            most: How many pages at most.
            least: The weight below which a page is not worth citing.
        """
        worth_citing = tuple(weight for weight in self.pages if weight.weight >= least)
        return worth_citing[:most] or self.pages[:1]


@dataclass(frozen=True, kw_only=True, slots=True)
class SummarySentence:
    """A sentence of a summary.

    Attributes:
        log_prob: Mean log probability of its tokens; ``None`` where no model wrote it.
        attribution: ``None`` only where it was asked not to be computed.
    """

    text: str
    index: int
    log_prob: float | None = None
    attribution: Attribution | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class UnreadPages:
    """PDF pages of one document that hold something, of which no text could be read.

    Attributes:
        pages: Their numbers, ascending.
        source: The document's source; empty where it is the only one.
    """

    pages: tuple[int, ...]
    source: str = ""

    def __str__(self) -> str:
        listed = ", ".join(str(page) for page in self.pages[:_PAGES_LISTED])
        more = f" and {len(self.pages) - _PAGES_LISTED} more" if len(self.pages) > _PAGES_LISTED else ""
        of = f" of {self.source}" if self.source else ""
        return f"PDF page{'s' if len(self.pages) > 1 else ''} {listed}{more}{of}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """What of the input was read; ``tokens_total`` is the sum of the three that follow it."""

    tokens_total: int
    tokens_read: int
    tokens_dropped: int
    tokens_references: int
    pages_total: int
    pdf_pages_without_text: tuple[int, ...] = ()
    pdf_pages_blank: tuple[int, ...] = ()
    unread: tuple[UnreadPages, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """What was not read though it should have been, one phrase each; empty is what one wants."""
        losses = []
        if self.tokens_dropped:
            losses.append(f"{self.tokens_dropped:,} of {self.tokens_total:,} tokens were dropped")
        losses.extend(f"no text could be read on {pages}" for pages in self.unread)
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
    """What was written of one chapter, on the way to the summary of a book.

    Attributes:
        page: Index of the page that is the chapter.
        sentences: Attributed to that page alone.
    """

    page: int
    sentences: tuple[SummarySentence, ...]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A finished summary; rendering needs nothing else.

    Attributes:
        title: Of the document, or a title for many.
        locality_reason: Why ``auto`` chose the locality; empty where it was asked for.
        checkpoint: ``None`` for methods without one.
        options: The options that shaped the summary.
        seconds: Wall-clock time by stage: ``read``, ``load``, ``encode``, ``decode``, ….
        warnings: One line each.
        chapters: Of a book, where they were asked for; a page is a chapter then.
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

    @property
    def text(self) -> str:
        """The summary as running text."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def num_words(self) -> int:
        """Words of the summary, as :func:`lsum_cli.text.terms.count_words` counts them."""
        from lsum_cli.text.terms import count_words

        return sum(count_words(sentence.text) for sentence in self.sentences)


class SummaryListener(Protocol):
    """Hears of a summary while it is written; only methods that write as they read have much to tell."""

    def begin(self, opening: Summary) -> None:
        """A summary begins; of it everything is known but its sentences, and what they bring about."""
        ...

    def add(self, sentence: SummarySentence) -> None:
        """Its next sentence, which will not change any more."""
        ...
