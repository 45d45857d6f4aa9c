"""The console for results, and a summary on it: sentences, each followed by its origin."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from lsum_cli.rendering.citations import Citation
from lsum_cli.rendering.escaping import clean_line, fit_encoding
from lsum_cli.rendering.quantities import count, format_pdf_pages
from lsum_cli.rendering.view import HUES, Source, SummaryView
from lsum_cli.summaries import (
    AttributionKind,
    ChangeKind,
    OutlineEntry,
    SectionChange,
    Summary,
    SummarySentence,
)
from lsum_cli.summaries import Style as Layout

MAX_WIDTH = 100
_BAR_CELLS = 5
_QUOTATION_CELLS = 220
_INDENT = 2
_GAP = "   "

_HEADING = "bold"
_ASIDE = "dim"
_PLACE = "cyan"
_WARNING = "yellow"
# Sign and colour of a sentence that changed.
_CHANGES = {
    ChangeKind.NEW: ("+", "green"),
    ChangeKind.ALTERED: ("~", "yellow"),
    ChangeKind.REMOVED: ("-", "red"),
}


class ResultConsole(Console):
    """A console that lets its caller handle a closed pipe."""

    def on_broken_pipe(self) -> None:
        """Raise ``BrokenPipeError``, where rich would end the process with code 1."""
        raise BrokenPipeError


def open_console(stream: TextIO, *, is_live: bool, plain_width: int | None = None) -> ResultConsole:
    """A console that writes to a stream.

    Args:
        is_live: Whether to use the terminal's width, and colours if it has any. Otherwise the output is
            plain text, also under ``FORCE_COLOR``.
        plain_width: Characters in a line of plain text.
    """
    if is_live:
        return ResultConsole(file=stream, width=_columns(stream))
    return ResultConsole(file=stream, force_terminal=False, width=plain_width)


def _columns(stream: TextIO) -> int | None:
    """The width of the terminal that a stream is; ``None`` where it is none, or ``COLUMNS`` says it.

    Rich asks the process's own streams, of which standard output may be elsewhere while a command runs.
    """
    if os.environ.get("COLUMNS"):
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """The characters a console can show."""

    bar: tuple[str, str]
    bullet: str
    dot: str
    block: str
    quotes: tuple[str, str]
    ellipsis: str

    @classmethod
    def of(cls, console: Console) -> _Glyphs:
        glyphs = cls(("▆", "▁"), "•", " · ", "■", ("“", "”"), "…")
        if console.legacy_windows:
            return ASCII_GLYPHS
        try:
            "".join(
                (*glyphs.bar, glyphs.bullet, glyphs.dot, glyphs.block, *glyphs.quotes, glyphs.ellipsis)
            ).encode(console.encoding)
        except (UnicodeEncodeError, LookupError):
            return ASCII_GLYPHS
        return glyphs


ASCII_GLYPHS = _Glyphs(("#", "-"), "-", " | ", "#", ('"', '"'), "...")


class SummaryPrinter:
    """Prints summaries for reading, one after another, each at once or as it is written.

    A listener of the summary that is being written; what is printed is the same in both cases.

    Args:
        show_attribution: Whether to say below every sentence where it came from.
        is_verbose: Whether to say how it was made and all that is known of what was read.
        has_links: Whether what is cited is a link; only for terminals.
    """

    def __init__(
        self,
        console: Console,
        *,
        show_attribution: bool = True,
        is_verbose: bool = False,
        has_links: bool = False,
    ) -> None:
        self._console = console
        self._show_attribution, self._is_verbose, self._has_links = show_attribution, is_verbose, has_links
        self._num_begun = 0
        self._layout: _Layout | None = None
        self._added: list[SummarySentence] = []
        self._paragraph: list[SummarySentence] = []
        self._lines_shown = 0

    def begin(self, opening: Summary) -> None:
        """Print the heading."""
        if self._num_begun:
            self._console.print()
        self._num_begun += 1
        self._layout = self._lay_out(opening)
        self._print(self._layout.heading())

    def add(self, sentence: SummarySentence) -> None:
        """Print the lines of a sentence that no further sentence can change.

        Neighbours with the same origin share a paragraph, so that it is named once; but an item of a list,
        and a sentence where windows were read, is shown with its origin at once.
        """
        layout = self._opened
        if self._paragraph and (
            layout.is_list or _plain(layout.origin(self._paragraph[0])) != _plain(layout.origin(sentence))
        ):
            self._close_paragraph(layout)
        self._added.append(sentence)
        self._paragraph.append(sentence)
        self._show_paragraph(layout, is_whole=False)
        if layout.view.hue(sentence) is not None:
            self._close_paragraph(layout)

    def finish(self, summary: Summary, *, show_warnings: bool = True) -> None:
        """Print what is not yet printed of a summary, all of it if need be.

        Args:
            show_warnings: Whether to end with the warnings, for callers who have not shown them.
        """
        if self._layout is None:
            self.begin(summary)
        layout = self._lay_out(summary)
        self._print(layout.topics())
        for name, sentences in layout.view.shorter:
            self._print(layout.subheading(name, sentences))
            for sentence in sentences:
                self.add(sentence)
            self._close_paragraph(self._opened)
        self._added = self._added if not layout.view.longest else []
        self._print(layout.subheading(layout.view.longest, summary.sentences))
        for sentence in layout.view.prose[len(self._added) :]:
            self.add(sentence)
        self._close_paragraph(self._opened)
        self._print(layout.ending())
        self._print(layout.warnings() if show_warnings else ())
        self._layout, self._added = None, []

    def _lay_out(self, summary: Summary) -> _Layout:
        view = SummaryView(summary, show_attribution=self._show_attribution, is_absolute=True)
        return _Layout(view, self._console, is_verbose=self._is_verbose, has_links=self._has_links)

    @property
    def _opened(self) -> _Layout:
        assert self._layout is not None, "a summary begins before its sentences"
        return self._layout

    def _close_paragraph(self, layout: _Layout) -> None:
        if self._paragraph:
            self._show_paragraph(layout, is_whole=True)
            self._print(layout.origin(self._paragraph[0]))
            self._print(layout.flags(self._paragraph))
        self._paragraph, self._lines_shown = [], 0

    def _show_paragraph(self, layout: _Layout, *, is_whole: bool) -> None:
        """Print the lines of the paragraph not yet shown, without the last one if it may still grow."""
        lines = self._wrap(layout.paragraph(self._paragraph), 0)
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


class _Layout:
    """The lines of a summary, fitted to a console."""

    def __init__(self, view: SummaryView, console: Console, *, is_verbose: bool, has_links: bool) -> None:
        self.view = view
        self.width = min(console.width, MAX_WIDTH)
        self._is_verbose, self._has_links = is_verbose, has_links
        self._console, self._encoding = console, console.encoding
        self._glyphs = _Glyphs.of(console)
        self._has_colours = console.color_system is not None and not console.no_color

    def paragraph(self, sentences: Sequence[SummarySentence]) -> Text:
        """Sentences of one origin, in the colour of their window; a labelled one begins a line."""
        colour = self._colour(sentences[0])
        text = Text()
        for number, sentence in enumerate(sentences):
            before = sentences[number - 1] if number else sentence
            begins_line = sentence.label or sentence.is_item or before.is_item or before.rest
            between = ("\n" if begins_line else " ") if number else ""
            bullet = f"{self._glyphs.bullet} " if self.is_list or sentence.is_item else ""
            address = self.view.label_address(sentence)
            label = clean_line(sentence.label or "") if address else ""
            text.append_text(self._text(between + bullet, colour))
            text.append_text(self._link(label, colour, address))
            text.append_text(self._text(self.view.words(sentence).removeprefix(label), colour))
            if sentence.rest is not None:
                text.append_text(self._text("\n")).append_text(self._rest(sentence))
        return text

    def _rest(self, sentence: SummarySentence) -> Text:
        """What is left of a list, as an item of it."""
        bullet = f"{self._glyphs.bullet} " if self.is_list or sentence.is_item else ""
        return self._text(f"{bullet}{self.view.rest_of_list(sentence)}", _ASIDE)

    @property
    def is_list(self) -> bool:
        """Whether every sentence is an item of its own."""
        return self.view.summary.style is Layout.BULLETS

    def subheading(self, name: str, sentences: Sequence[SummarySentence]) -> Iterator[tuple[Text, int]]:
        """The name of a length, unless it is empty, and its words."""
        from lsum_cli.text.terms import count_words

        if name:
            yield Text(), 0
            words = sum(count_words(sentence.text) for sentence in sentences)
            heading = self._text(name, _HEADING)
            yield heading.append_text(self._text(f"{self._glyphs.dot}{count(words, 'word')}", _ASIDE)), 0

    def topics(self) -> Iterator[tuple[Text, int]]:
        """What a conversation is about, before what is said of it."""
        if self.view.topics:
            yield Text(), 0
            yield self._text(f"Topics: {self.view.topics}"), 0

    def ending(self) -> Iterator[tuple[Text, int]]:
        """What follows the text: the legend of the windows' colours, outline, chapters and shorter lists."""
        hues = self.view.hues if self._has_colours else []
        if hues:
            yield Text(), 0
            items = [self._text(f"{self._glyphs.block} {name}", HUES[hue]) for hue, name in hues]
            for line in _flow(items, self.width):
                yield line, 0
        parts = self.view.summary.outline if self.view.longest else self.view.parts_below_title
        for entry in parts:
            yield from self._part(entry)
        changes = self.view.summary.changes
        for section in changes.sections if changes is not None else ():
            yield from self._changes(section)
        for chapter in self.view.summary.chapters:
            yield Text(), 0
            yield self._text(self.view.name_chapter(chapter), _HEADING), 0
            yield self.paragraph(chapter.sentences), 0
            yield from self.flags(chapter.sentences)
        if self.view.abbreviations:
            yield Text(), 0
            yield self._text(f"Abbreviations: {self.view.abbreviations}", _ASIDE), 0
        if self.view.people:
            yield Text(), 0
            yield self._text(f"People: {self.view.people}", _ASIDE), 0
        if self.view.other_sections:
            yield Text(), 0
            yield self._text(f"Other sections: {self.view.other_sections}", _ASIDE), 0
        if self.view.keywords:
            yield Text(), 0
            yield self._text(f"Keywords: {self.view.keywords}"), 0

    def _part(self, entry: OutlineEntry) -> Iterator[tuple[Text, int]]:
        """A part of the outline: its heading, whom and where it names, its sentences with their origins."""
        indent = _INDENT * (entry.level - 1)
        yield Text(), 0
        heading = self._text(self.view.name_part(entry), _HEADING)
        place = self.view.place_part(entry)
        if place:
            heading.append_text(self._text(f"{self._glyphs.dot}{place}", _PLACE))
        yield heading, indent
        for noun, names in self.view.cast(entry):
            yield self._text(f"{noun}: {names}", _ASIDE), indent
        for sentence in entry.sentences:
            text = self.paragraph([replace(sentence, rest=None)])
            citations = [each for each in self.view.cite_within_part(entry, sentence) if each.text]
            if citations:
                for number, citation in enumerate(citations):
                    before = "; " if number else " ["
                    text.append_text(self._text(before, _PLACE))
                    text.append_text(self._link(citation.text, _PLACE, citation.address))
                text.append_text(self._text("]", _PLACE))
            yield text, indent
            if sentence.rest is not None:
                yield self._rest(sentence), indent
            yield from self.flags([sentence])
        if sections := self.view.sections_of(entry):
            yield self._text(f"Sections: {sections}", _ASIDE), indent

    def _changes(self, section: SectionChange) -> Iterator[tuple[Text, int]]:
        """A changed section: its name, then a line for each changed sentence."""
        yield Text(), 0
        yield self._text(self.view.name_change(section), _HEADING), 0
        listed, others = self.view.list_changes(section)
        for each in listed:
            sign, colour = _CHANGES[each.kind]
            text = self._text(clean_line(each.text or each.before or ""))
            if each.pdf_page is not None:
                address = self.view.link(self.view.summary.documents[0], pdf_page=each.pdf_page)
                text.append_text(self._text(self._glyphs.dot, _ASIDE))
                text.append_text(self._link(self.view.place_change(each), _PLACE, address))
            # Further lines stand under the first one, and the signs by themselves.
            lines = text.wrap(self._console, max(1, self.width - 2 * _INDENT), overflow="fold")
            for number, line in enumerate(lines):
                line.rstrip()
                if number == 0:
                    yield self._text(f"{sign} ", colour).append_text(line), _INDENT
                else:
                    yield line, 2 * _INDENT
            if each.text and each.before:
                yield self._text(f"was: {clean_line(each.before)}", _ASIDE), 2 * _INDENT
        if others:
            yield self._text(others, _ASIDE), _INDENT

    def _colour(self, sentence: SummarySentence) -> str:
        hue = self.view.hue(sentence)
        return "" if hue is None else HUES[hue]

    def warnings(self) -> Iterator[tuple[Text, int]]:
        """The warnings, after a blank line if there are any."""
        for number, warning in enumerate(self.view.warnings):
            if number == 0:
                yield Text(), 0
            yield self._text(f"! {warning}", _WARNING), 0

    def heading(self) -> Iterator[tuple[Text, int]]:
        """Title, length and coverage; on request all sources, how it was made and all that was read."""
        title, sources = self.view.title, self.view.sources
        yield self._text(title, _HEADING), 0
        line = Text()
        if len(sources) == 1 and sources[0].name != title:
            name = self._shorten(sources[0].name, self.width // 2)
            line.append_text(self._link(name, _ASIDE, sources[0].address))
            line.append_text(self._text(self._glyphs.dot, _ASIDE))
        extent = self.view.extent.replace(" · ", self._glyphs.dot)
        line.append_text(self._text(f"{extent}{self._glyphs.dot}{self.view.coverage_in_brief}", _ASIDE))
        yield line, 0
        if self.view.status:
            yield self._text(": ".join(self.view.status), _HEADING), 0
        if self.view.changes_in_brief:
            yield self._text(f"{self.view.changes_in_brief}.", _HEADING), 0
        if not self._is_verbose:
            return
        for source in sources if len(sources) > 1 else ():
            yield self._link(_title_and_name(source), _ASIDE, source.address), _INDENT
        yield self._text(self._glyphs.dot.join(self.view.making), _ASIDE), 0
        yield self._text(self.view.coverage, _ASIDE), 0

    def origin(self, sentence: SummarySentence) -> list[tuple[Text, int]]:
        """Its pages, and the quotation that supports it best."""
        citations = [each for each in self.view.cite(sentence) if each.text]
        show_bars = (
            sentence.attribution is not None
            and len(self.view.summary.pages) > 1
            and (sentence.attribution.kind is not AttributionKind.EXTRACTION or len(citations) > 1)
        )
        colour = self._colour(sentence) or _PLACE
        items = [self._place(citation, show_bars, colour) for citation in citations]
        lines = list(_flow(items, self.width - _INDENT))
        for quotation in self.view.quote(sentence)[:1]:
            opening, closing = self._glyphs.quotes
            quoted = self._shorten(quotation.text, _QUOTATION_CELLS)
            text = self._link(quotation.pdf_page, _PLACE, quotation.address)
            text.append(" " if quotation.pdf_page else "")
            lines.append(text.append_text(self._text(f"{opening}{quoted}{closing}", f"{_ASIDE} italic")))
        return [(line, _INDENT) for line in lines]

    def flags(self, sentences: Sequence[SummarySentence]) -> list[tuple[Text, int]]:
        """What to check of these sentences, a line each."""
        phrases = ["; ".join(self.view.flags(sentence)) for sentence in sentences if sentence.flags]
        return [(self._text(f"! check: {phrase}", _WARNING), _INDENT) for phrase in phrases]

    def _place(self, citation: Citation, show_bar: bool, colour: str) -> Text:
        """``▆▆▆▁ 3 Methods · p. 7``."""
        glyphs = self._glyphs
        text = Text()
        if show_bar:
            full, empty = glyphs.bar
            filled = min(_BAR_CELLS, max(1, round(citation.weight * _BAR_CELLS)))
            text.append(full * filled + empty * (_BAR_CELLS - filled), colour)
            text.append(" ")
        name = self._shorten(citation.name, self.width)
        pdf_pages = format_pdf_pages(citation.pdf_pages)
        between = glyphs.dot if name and pdf_pages else ""
        if between and text.cell_len + cell_len(name + between + pdf_pages) > self.width - _INDENT:
            between = f"\n{' ' * text.cell_len}"
        named = citation.address if not pdf_pages else None
        text.append_text(self._link(name, _ASIDE, named))
        text.append_text(self._text(between, _ASIDE))
        text.append_text(self._link(pdf_pages, _PLACE, citation.address))
        return text

    def _link(self, text: str, style: str, address: str | None) -> Text:
        """Text that leads to an address, which is percent-encoded, where the terminal can follow it."""
        if not (text and address and self._has_links):
            return self._text(text, style)
        return self._text(text, Style.parse(style) + Style(link=address))

    def _text(self, text: str, style: str | Style = "") -> Text:
        return Text(fit_encoding(text, self._encoding), style=style, overflow="fold")

    def _shorten(self, text: str, cells: int) -> str:
        if cell_len(text) <= cells:
            return text
        shortened = Text(text)
        shortened.truncate(cells - cell_len(self._glyphs.ellipsis))
        kept = shortened.plain
        at_word = kept.rsplit(" ", 1)[0]
        return (at_word if len(at_word) > len(kept) // 2 else kept).rstrip() + self._glyphs.ellipsis


def _plain(lines: Sequence[tuple[Text, int]]) -> list[str]:
    """What is read of lines, whatever they link to."""
    return [text.plain for text, _ in lines]


def _title_and_name(source: Source) -> str:
    return f"{source.title} ({source.name})" if source.title else source.name


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
