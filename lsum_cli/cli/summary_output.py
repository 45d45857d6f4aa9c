"""Where summaries go: standard output, one file, or a folder of files; and the flags that say so."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from lsum_cli.cli.output import check_output, is_device, write_output
from lsum_cli.errors import OptionError, OutputError
from lsum_cli.options import Panel, option
from lsum_cli.rendering.formats import Format, render, render_many

if TYPE_CHECKING:
    from lsum_cli.cli.clipboard import Clipboard
    from lsum_cli.cli.summary_folder import Output, SummaryFolder
    from lsum_cli.rendering.console import SummaryPrinter
    from lsum_cli.summaries import Summary, SummaryListener


# Terminals that may print the escapes of links as text.
_WITHOUT_LINKS = ("dumb", "linux")
_STANDARD_OUTPUT = ("-", "/dev/stdout")


@dataclass(frozen=True, kw_only=True)
class SummaryOutput:
    """Where summaries are to go, as the user asks."""

    format: Format | None = option(
        None,
        "-f",
        "--format",
        help="Format of the summary.",
        panel=Panel.OUTPUT,
        shown_default="rich on a terminal, text when piped",
    )
    output: str | None = option(
        None,
        "-o",
        "--output",
        help="File to write to; a folder (or a name ending in /) gets one file per source.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="standard output",
    )
    overwrite: bool = option(False, "--overwrite", help="Replace existing files.", panel=Panel.OUTPUT)
    resume: bool = option(
        False,
        "--resume",
        help="In a folder, keep the files already written from the same sources with the same settings.",
        panel=Panel.OUTPUT,
        env=False,
    )
    open: bool = option(
        False,
        "--open",
        help="Open the written file in its application or browser.",
        panel=Panel.OUTPUT,
        env=False,
    )
    copy: bool = option(
        False,
        "--copy",
        help="Copy the summary to the clipboard too, as text where it is shown on the terminal.",
        panel=Panel.OUTPUT,
        env=False,
    )
    source: bool = option(
        True,
        "--source/--no-source",
        help="HTML: put the text of the source into the report, beside the summary.",
        panel=Panel.OUTPUT,
    )


@dataclass(frozen=True, kw_only=True)
class FinishedSummary:
    """A summary on its way to the sink.

    Attributes:
        summary: The summary; only what is told about it where the text is there already.
        text: What is to be written of it; ``None`` where it is still to be made.
    """

    summary: Summary
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How the text of summaries is made; also in another process than the one that writes it.

    Attributes:
        base_path: The folder that the text will lie in.
        show_source: Whether reports hold the text of the source.
    """

    format: Format
    attribution: bool
    base_path: Path | None
    is_verbose: bool = False
    show_source: bool = True

    def text(self, summaries: Sequence[Summary], several: bool) -> str:
        """The text of summaries, ending with a line break.

        Args:
            several: Whether it is one of several, or all of them, that are read together.
        """
        if self.format is Format.RICH:
            stream = io.StringIO()
            printer = self.make_printer(stream)
            for summary in summaries:
                printer.finish(summary, show_warnings=False)
            return stream.getvalue()
        if several:
            text = render_many(
                summaries,
                self.format,
                show_attribution=self.attribution,
                base_path=self.base_path,
                show_source=self.show_source,
            )
        else:
            text = render(
                summaries[0],
                self.format,
                show_attribution=self.attribution,
                base_path=self.base_path,
                show_source=self.show_source,
            )
        return text if text.endswith("\n") else text + "\n"

    def make_printer(self, stream: TextIO) -> SummaryPrinter:
        """What prints summaries as on a terminal."""
        from lsum_cli.rendering.console import ResultConsole, SummaryPrinter

        console = ResultConsole(file=stream)
        return SummaryPrinter(
            console,
            show_attribution=self.attribution,
            is_verbose=self.is_verbose,
            has_links=stream.isatty() and os.environ.get("TERM") not in _WITHOUT_LINKS,
        )


def finish_summary(layout: Layout | None, several: bool, summary: Summary) -> FinishedSummary:
    """A summary as its worker sends it: with its text and without all that only the text needs.

    Args:
        layout: How the text is made; ``None`` where the whole summary is wanted.
    """
    if layout is None:
        return FinishedSummary(summary=summary)
    told = replace(
        summary,
        documents=tuple(replace(document, sections=()) for document in summary.documents),
        sentences=(),
        pages=(),
        chapters=(),
        outline=(),
        lengths=(),
        changes=None,
    )
    return FinishedSummary(summary=told, text=layout.text([summary], several))


@dataclass(frozen=True, kw_only=True)
class Sink:
    """Where summaries go, and in which format.

    Attributes:
        stream: Standard output, used where there is no ``path``.
        path: A file, or the folder.
        folder: Receives one file per summary; ``None`` where the path is a file.
        several: Whether there may be more than one summary.
        open_after: Whether to open what was written in its application.
        layout: How texts are made.
        clipboard: Receives what is written too; ``None`` for none.
    """

    stream: TextIO
    path: Path | None
    folder: SummaryFolder | None
    several: bool
    overwrite: bool
    open_after: bool
    layout: Layout
    clipboard: Clipboard | None = None

    @classmethod
    def choose(
        cls,
        stream: TextIO,
        options: SummaryOutput,
        *,
        list_outputs: Callable[[Format], Sequence[Output]],
        attribution: bool,
        is_verbose: bool = False,
        several: bool = False,
        sources: Sequence[str] = (),
    ) -> Sink:
        """A sink for these options; the format follows from the output's name or the terminal.

        Args:
            list_outputs: Lists what will be written in a format; called only where each gets a file.
            several: Whether there may be more than one summary.
            sources: What is summarised, which no summary may replace.

        Raises:
            OptionError: ``open`` without an output, ``resume`` without a folder, ``copy`` with one, or an
                output of which nobody can tell whether it is a file or a folder, or in which format.
            OutputError: The output exists, or its folder does not; there is no clipboard.
        """
        output = options.output
        path = None if output is None or output in _STANDARD_OUTPUT else Path(output)
        if options.open and path is None:
            raise OptionError("--open needs a file to open", "give --output too")
        is_folder = path is not None and (str(output).endswith(("/", "\\")) or os.path.isdir(path))  # noqa: PTH112  (no error for names that are too long)
        if several and path is not None and not (is_folder or path.suffix or is_device(path)):
            raise OptionError(
                f"--output {output} could be a file or a folder, and there are several sources",
                f"write {output}/ for a file per source, or {output}.md for one file",
            )
        if options.copy and is_folder:
            raise OptionError("--copy copies one text, not a folder of files", "leave out --copy or --output")
        chosen = Format.choose(options.format, None if is_folder else path, is_terminal=stream.isatty())
        if is_folder and chosen is Format.RICH and options.format is None:
            chosen = Format.TEXT
        clipboard = None
        if options.copy:
            from lsum_cli.cli.clipboard import Clipboard

            clipboard = Clipboard.find()
        if options.resume and not is_folder:
            raise OptionError(
                "--resume needs the folder of an earlier run", "give --output FOLDER/, or leave it out"
            )
        folder = None
        if path is not None and is_folder:
            from lsum_cli.cli.summary_folder import SummaryFolder

            outputs = list_outputs(chosen)
            folder = SummaryFolder(
                path, outputs, suffix=chosen.suffix, overwrite=options.overwrite, resume=options.resume
            )
        elif path is not None:
            check_output(path, overwrite=options.overwrite)
            if os.path.isfile(path) and os.path.realpath(path) in map(os.path.realpath, sources):  # noqa: PTH113
                raise OutputError(f"{path} is one of the sources", "give another --output")
        return cls(
            stream=stream,
            path=path,
            folder=folder,
            several=several,
            overwrite=options.overwrite,
            open_after=options.open,
            layout=Layout(
                format=chosen,
                attribution=attribution,
                base_path=path if is_folder or path is None else path.parent,
                is_verbose=is_verbose,
                show_source=options.source,
            ),
            clipboard=clipboard,
        )

    @property
    def format(self) -> Format:
        """The format of what is written."""
        return self.layout.format

    @property
    def finish(self) -> Callable[[Summary], FinishedSummary]:
        """What another process does with a summary before it comes here; it can be sent there."""
        is_apart = self.folder is not None or (
            self.path is None and self.format is not Format.RICH and self.format.separator is not None
        )
        layout = self.layout if is_apart and self.clipboard is None else None
        return partial(finish_summary, layout, self.several and self.folder is None)

    @property
    def done(self) -> Mapping[int, Sequence[str]]:
        """The positions of what need not be written, and what of its sources was not read."""
        return self.folder.done if self.folder is not None else {}

    @property
    def is_ordered(self) -> bool:
        """Whether summaries must come in the order of their sources: they are not in files of their own."""
        return self.folder is None

    def write(self, summaries: Iterable[tuple[int, FinishedSummary]]) -> None:
        """Write every summary as soon as it is ready, as far as the format allows.

        Args:
            summaries: Each with its position in the list of outputs.

        Raises:
            OutputError: A file cannot be written.
        """
        shown: list[Summary] = []
        if self.clipboard is not None:
            summaries = _kept(summaries, shown)
        if self.path is None:
            self._write_stream(finished for _, finished in summaries)
        elif self.folder is not None:
            for number, finished in summaries:
                summary = finished.summary
                num_read = len(summary.documents)
                text = self._text(finished, several=False)
                self.folder.write(number, text, summary.coverage.lost, num_read=num_read)
            self._open(self.path)
        else:
            written = [finished.summary for _, finished in summaries]
            if written:
                text = self.layout.text(written, self.several)
                write_output(self.path, text, overwrite=self.overwrite)
                self._open(self.path)
        if self.clipboard is not None and shown:
            is_rich = self.format is Format.RICH
            layout = replace(self.layout, format=Format.TEXT) if is_rich else self.layout
            self.clipboard.write(layout.text(shown, self.several))

    def _write_stream(self, summaries: Iterable[FinishedSummary]) -> None:
        if self.format.separator is None:
            written = [finished.summary for finished in summaries]
            if written:
                self.stream.write(self.layout.text(written, self.several))
            return
        for number, finished in enumerate(summaries):
            if self.format is Format.RICH:
                # Warnings have already been written to standard error.
                self._printer.finish(finished.summary, show_warnings=False)
                continue
            if number:
                self.stream.write(self.format.separator)
            self.stream.write(self._text(finished, several=self.several))

    def _text(self, finished: FinishedSummary, *, several: bool) -> str:
        return self.layout.text([finished.summary], several) if finished.text is None else finished.text

    @property
    def listener(self) -> SummaryListener | None:
        """What shows a summary while it is written: the printer on a terminal, elsewhere nothing."""
        is_live = self.path is None and self.format is Format.RICH and self.stream.isatty()
        return self._printer if is_live else None

    @cached_property
    def _printer(self) -> SummaryPrinter:
        return self.layout.make_printer(self.stream)

    def _open(self, path: Path) -> None:
        if self.open_after:
            typer.launch(str(path))


def _kept(
    summaries: Iterable[tuple[int, FinishedSummary]], shown: list[Summary]
) -> Iterator[tuple[int, FinishedSummary]]:
    """The same, each remembered."""
    for number, finished in summaries:
        shown.append(finished.summary)
        yield number, finished
