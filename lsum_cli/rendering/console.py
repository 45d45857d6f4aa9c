"""A summary on a terminal: its sentences, and below each one where it came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from lsum_cli.documents import Document
from lsum_cli.rendering.citations import Citation, Citations, describe_pdf_pages, evidence_to_show
from lsum_cli.rendering.escaping import clean_line, fit_encoding
from lsum_cli.rendering.hues import HUES, hue_of, list_hues
from lsum_cli.rendering.links import name_source
from lsum_cli.rendering.statements import (
    describe_coverage,
    describe_making,
    list_warnings,
    name_summary,
)
from lsum_cli.summaries import AttributionKind, Summary, SummarySentence

MAX_WIDTH = 100
_BAR_CELLS = 5
_QUOTATION_CELLS = 220
_INDENT = 2
_DOCUMENTS_LISTED = 8
_GAP = "   "

_HEADING = "bold"
_ASIDE = "dim"
_PLACE = "cyan"
_WARNING = "yellow"


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """The signs a console can show."""

    full: str
    empty: str
    dot: str
    block: str
    quotes: tuple[str, str]
    ellipsis: str

    @classmethod
    def of(cls, console: Console) -> _Glyphs:
        signs = cls("▆", "▁", " · ", "■", ("“", "”"), "…")
        if console.legacy_windows:
            return ASCII_GLYPHS
        try:
            "".join((signs.full, signs.empty, signs.dot, signs.block, *signs.quotes, signs.ellipsis)).encode(
                console.encoding
            )
        except (UnicodeEncodeError, LookupError):
            return ASCII_GLYPHS
        return signs


ASCII_GLYPHS = _Glyphs("#", "-", " | ", "#", ('"', '"'), "...")


def print_summary(
    summary: Summary, console: Console, *, show_attribution: bool = True, show_warnings: bool = True
) -> None:
    """Print a summary for reading.

    Args:
        show_attribution: Whether to say below every sentence where it came from.
        show_warnings: Whether to end with the warnings, for callers who have not told them.
    """
    SummaryPrinter(console, show_attribution=show_attribution).finish(summary, show_warnings=show_warnings)


class SummaryPrinter:
    """Prints summaries for reading, one after another, each at once or as it is written.

    A listener of the summary that is being written; what is printed is the same in both cases.

    Args:
        show_attribution: Whether to say below every sentence where it came from.
    """

    def __init__(self, console: Console, *, show_attribution: bool = True) -> None:
        self._console = console
        self._show_attribution = show_attribution
        self._num_begun = 0
        self._view: _View | None = None
        self._added: list[SummarySentence] = []
        self._paragraph: list[SummarySentence] = []
        self._lines_shown = 0

    def begin(self, opening: Summary) -> None:
        """Print the heading."""
        if self._num_begun:
            self._console.print()
        self._num_begun += 1
        self._view = _View(opening, self._console, self._show_attribution)
        self._print(self._view.heading())

    def add(self, sentence: SummarySentence) -> None:
        """Print a sentence as far as no other one can join its last line.

        Neighbours with the same origin share a paragraph, so that it is told once; but where windows
        were read, a sentence is shown with its origin at once.
        """
        view = self._opened
        if self._paragraph and view.origin(self._paragraph[0]) != view.origin(sentence):
            self._close_paragraph(view)
        self._added.append(sentence)
        self._paragraph.append(sentence)
        self._show_paragraph(view, is_whole=False)
        if self._show_attribution and hue_of(sentence) is not None:
            self._close_paragraph(view)

    def finish(self, summary: Summary, *, show_warnings: bool = True) -> None:
        """Print what is not yet printed of a summary, and all of it if nothing is.

        Args:
            show_warnings: Whether to end with the warnings, for callers who have not told them.
        """
        if self._view is None:
            self.begin(summary)
        for sentence in summary.sentences[len(self._added) :]:
            self.add(sentence)
        self._close_paragraph(self._opened)
        view = _View(summary, self._console, self._show_attribution)
        self._print(view.ending())
        self._print(view.warnings() if show_warnings else ())
        self._view, self._added = None, []

    @property
    def _opened(self) -> _View:
        assert self._view is not None, "a summary begins before its sentences"
        return self._view

    def _close_paragraph(self, view: _View) -> None:
        if self._paragraph:
            self._show_paragraph(view, is_whole=True)
            self._print(view.origin(self._paragraph[0]))
        self._paragraph, self._lines_shown = [], 0

    def _show_paragraph(self, view: _View, *, is_whole: bool) -> None:
        """Print the lines of the paragraph that are not yet shown; of one that may grow, not the last."""
        lines = self._wrap(view.paragraph(self._paragraph), 0)
        lines = lines if is_whole else lines[:-1]
        if lines and not self._lines_shown:
            self._console.print()
        for line in lines[self._lines_shown :]:
            self._print_line(line)
        self._lines_shown = len(lines)

    def _print(self, blocks: Iterable[tuple[Text, int]]) -> None:
        for text, indent in blocks:
            for line in self._wrap(text, indent):
                self._print_line(line)

    def _wrap(self, text: Text, indent: int) -> list[Text]:
        lines = list(text.wrap(self._console, max(1, self._opened.width - indent), overflow="fold"))
        for line in lines:
            line.rstrip()
        return [Text(" " * indent).append_text(line) for line in lines]

    def _print_line(self, line: Text) -> None:
        self._console.print(line, highlight=False, overflow="ignore", no_wrap=True, crop=False)


class _View:
    """The lines of a summary, fitted to a console."""

    def __init__(self, summary: Summary, console: Console, show_attribution: bool) -> None:
        self.width = min(console.width, MAX_WIDTH)
        self._summary = summary
        self._encoding = console.encoding
        self._glyphs = _Glyphs.of(console)
        self._citations = Citations(summary)
        self._show_attribution = show_attribution
        self._has_colours = console.color_system is not None and not console.no_color

    def paragraph(self, sentences: Sequence[SummarySentence]) -> Text:
        """Sentences of one origin, in the colour of their window."""
        return self._text(" ".join(clean_line(s.text) for s in sentences), self._colour(sentences[0]))

    def ending(self) -> Iterator[tuple[Text, int]]:
        """What follows the sentences: which colour is which window, and the summaries of chapters."""
        pages = {page.index: page for page in self._summary.pages}
        hues = list_hues(self._summary.sentences, pages) if self._has_colours else []
        if hues and self._show_attribution:
            yield Text(), 0
            items = [self._text(f"{self._glyphs.block} {clean_line(name)}", HUES[hue]) for hue, name in hues]
            for line in _flow(items, self.width):
                yield line, 0
        for chapter in self._summary.chapters:
            yield Text(), 0
            yield self._text(self._citations.name_chapter(chapter), _HEADING), 0
            yield self._text(" ".join(clean_line(sentence.text) for sentence in chapter.sentences)), 0

    def _colour(self, sentence: SummarySentence) -> str:
        hue = hue_of(sentence) if self._show_attribution else None
        return "" if hue is None else HUES[hue]

    def warnings(self) -> Iterator[tuple[Text, int]]:
        """The warnings, after a blank line if there are any."""
        for number, warning in enumerate(list_warnings(self._summary)):
            if number == 0:
                yield Text(), 0
            yield self._text(f"! {warning}", _WARNING), 0

    def heading(self) -> Iterator[tuple[Text, int]]:
        """Title, sources, how it was made and what was read."""
        summary = self._summary
        title = name_summary(summary)
        yield self._text(title, _HEADING), 0
        if len(summary.documents) > 1:
            for document in summary.documents[:_DOCUMENTS_LISTED]:
                yield self._text(_title_and_source(document), _ASIDE), _INDENT
            more = len(summary.documents) - _DOCUMENTS_LISTED
            if more > 0:
                yield self._text(f"{self._glyphs.ellipsis} and {more} more", _ASIDE), _INDENT
        elif summary.documents and name_source(summary.documents[0]) != title:
            yield self._text(clean_line(name_source(summary.documents[0])), _ASIDE), 0
        yield self._text(self._glyphs.dot.join(describe_making(summary)), _ASIDE), 0
        yield self._text(describe_coverage(summary.coverage), _ASIDE), 0

    def origin(self, sentence: SummarySentence) -> list[tuple[Text, int]]:
        """Its pages, and the quotation that supports it best."""
        if not self._show_attribution:
            return []
        citations = self._citations.of(sentence)
        show_bars = sentence.attribution is not None and (
            sentence.attribution.kind is not AttributionKind.EXTRACTION or len(citations) > 1
        )
        colour = self._colour(sentence) or _PLACE
        items = [self._place(citation, show_bars, colour) for citation in citations]
        lines = list(_flow(items, self.width - _INDENT))
        for evidence in evidence_to_show(sentence)[:1]:
            place = describe_pdf_pages((evidence.pdf_page,)) if evidence.pdf_page is not None else ""
            opening, closing = self._glyphs.quotes
            quotation = self._shorten(clean_line(evidence.text), _QUOTATION_CELLS)
            text = self._text(f"{place} " if place else "", _PLACE)
            lines.append(text.append_text(self._text(f"{opening}{quotation}{closing}", f"{_ASIDE} italic")))
        return [(line, _INDENT) for line in lines]

    def _place(self, citation: Citation, show_bar: bool, colour: str) -> Text:
        """``▆▆▆▁ 3 Methods · p. 7``."""
        glyphs = self._glyphs
        text = Text()
        if show_bar:
            filled = min(_BAR_CELLS, max(1, round(citation.weight * _BAR_CELLS)))
            text.append(glyphs.full * filled + glyphs.empty * (_BAR_CELLS - filled), colour)
            text.append(" ")
        name = self._shorten(citation.name, self.width)
        pdf_pages = describe_pdf_pages(citation.pdf_pages)
        between = glyphs.dot if name and pdf_pages else ""
        if between and text.cell_len + cell_len(name + between + pdf_pages) > self.width - _INDENT:
            between = f"\n{' ' * text.cell_len}"
        for part, style in ((name, _ASIDE), (between, _ASIDE), (pdf_pages, _PLACE)):
            text.append_text(self._text(part, style))
        return text

    def _text(self, text: str, style: str = "") -> Text:
        return Text(fit_encoding(text, self._encoding), style=style, overflow="fold")

    def _shorten(self, text: str, cells: int) -> str:
        if cell_len(text) <= cells:
            return text
        shortened = Text(text)
        shortened.truncate(cells - cell_len(self._glyphs.ellipsis))
        kept = shortened.plain
        at_word = kept.rsplit(" ", 1)[0]
        return (at_word if len(at_word) > len(kept) // 2 else kept).rstrip() + self._glyphs.ellipsis


def _title_and_source(document: Document) -> str:
    name = clean_line(name_source(document))
    return f"{clean_line(document.title)} ({name})" if document.title else name


def _flow(items: list[Text], width: int) -> Iterator[Text]:
    """Items side by side, as many in a line as fit."""
    line = Text()
    for item in items:
        if line and line.cell_len + cell_len(_GAP) + item.cell_len > width:
            yield line
            line = Text()
        if line:
            line.append(_GAP)
        line.append_text(item)
    if line:
        yield line
