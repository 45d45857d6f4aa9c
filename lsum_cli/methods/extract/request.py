"""What extraction is asked to write, and what it wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import ChapterSummary, OutlineEntry, Style, SummaryLength, SummarySentence

if TYPE_CHECKING:
    from lsum_cli.methods.options import SummaryOptions


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is to be written.

    Attributes:
        num_words: Maximum number of words of a text.
        style: Its layout; an outline has a sentence or two for each part unless ``has_length``.
        has_length: Whether the user asked for that number of words.
        by_chapters: Whether the pages are the chapters of a book.
        all_lengths: Whether the shorter lengths are wanted too, each as a part of the longer ones; an outline
            then follows the text.
        is_zoom: Whether nobody asked for the lengths and the outline, of which nothing need be said.
    """

    num_words: int
    has_length: bool = False
    style: Style = Style.PROSE
    focus: str | None = None
    keywords: bool = False
    show_chapters: bool = False
    by_chapters: bool = False
    all_lengths: bool = False
    is_zoom: bool = False
    attribution: bool = True

    @classmethod
    def of(cls, options: SummaryOptions, num_words: int) -> Request:
        """What these options ask extraction to write, in so many words."""
        return cls(
            num_words=num_words,
            has_length=options.length is not None,
            style=options.style,
            all_lengths=options.all_lengths,
            focus=options.focus,
            keywords=options.keywords,
            show_chapters=options.show_chapters,
            by_chapters=goes_by_chapters(options),
            attribution=options.attribution,
        )

    @property
    def as_suits(self) -> bool:
        """Whether the text is to be as long as suits the source."""
        return not (self.has_length or self.all_lengths)

    @property
    def is_read(self) -> bool:
        """Whether a reader's preferences count in full.

        A number of words is to be filled; a named length is read like one that suits.
        """
        return not self.has_length or self.all_lengths or self.num_words in NAMED_LENGTHS.values()


@dataclass(frozen=True, kw_only=True)
class Extract:
    """What was written; see :class:`~lsum_cli.summaries.Summary`."""

    sentences: tuple[SummarySentence, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    chapters: tuple[ChapterSummary, ...] = ()
    keywords: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    lengths: tuple[SummaryLength, ...] = ()
    other_sections: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()


def goes_by_chapters(options: SummaryOptions) -> bool:
    """Whether extraction reads a book chapter by chapter."""
    return options.show_chapters or options.method == "book"
