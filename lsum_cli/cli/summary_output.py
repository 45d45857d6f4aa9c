"""Where summaries go: standard output, one file, or a folder of files; and the flags that say so."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from lsum_cli.cli.output import check_output, is_device, write_output
from lsum_cli.errors import OptionError
from lsum_cli.options import Panel, option
from lsum_cli.rendering.formats import Format, render, render_many

if TYPE_CHECKING:
    from lsum_cli.cli.clipboard import Clipboard
    from lsum_cli.cli.summary_folder import Product, SummaryFolder
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
class Sink:
    """Where summaries go, and in which format.

    Attributes:
        stream: Standard output, used where there is no ``path``.
        path: A file, or the folder.
        folder: Receives one file per summary; ``None`` where the path is a file.
        open_after: Whether to open what was written in its application.
        show_source: Whether reports hold the text of the source.
        clipboard: Receives what is written too; ``None`` for none.
    """

    stream: TextIO
    format: Format
    path: Path | None
    folder: SummaryFolder | None
    overwrite: bool
    open_after: bool
    attribution: bool
    is_verbose: bool = False
    show_source: bool = True
    clipboard: Clipboard | None = None

    @classmethod
    def choose(
        cls,
        stream: TextIO,
        options: SummaryOutput,
        *,
        list_products: Callable[[Format], Sequence[Product]],
        attribution: bool,
        is_verbose: bool = False,
        several: bool = False,
    ) -> Sink:
        """A sink for these options; the format follows from the output's name or the terminal.

        Args:
            list_products: Lists what will be written in a format; called only where each gets a file.
            several: Whether there may be more than one summary.

        Raises:
            OptionError: ``open`` without an output, ``resume`` without a folder, ``copy`` with one, or an
                output of which nobody can tell whether it is a file or a folder, or in which format.
            OutputError: The output exists, or its folder does not; there is no clipboard.
        """
        from lsum_cli.cli.clipboard import Clipboard
        from lsum_cli.cli.summary_folder import SummaryFolder

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
        clipboard = Clipboard.find() if options.copy else None
        if options.resume and not is_folder:
            raise OptionError(
                "--resume needs the folder of an earlier run", "give --output FOLDER/, or leave it out"
            )
        folder = None
        if path is not None and is_folder:
            products = list_products(chosen)
            folder = SummaryFolder(
                path, products, suffix=chosen.suffix, overwrite=options.overwrite, resume=options.resume
            )
        elif path is not None:
            check_output(path, overwrite=options.overwrite)
        return cls(
            stream=stream,
            format=chosen,
            path=path,
            folder=folder,
            overwrite=options.overwrite,
            open_after=options.open,
            attribution=attribution,
            is_verbose=is_verbose,
            show_source=options.source,
            clipboard=clipboard,
        )

    @property
    def done(self) -> Mapping[int, Sequence[str]]:
        """The positions of what need not be written, and what of its sources was not read."""
        return self.folder.done if self.folder is not None else {}

    def write(self, summaries: Iterable[tuple[int, Summary]], *, several: bool) -> None:
        """Write every summary as soon as it is ready, as far as the format allows.

        Args:
            summaries: Each with its position in the list of products.
            several: Whether there may be more than one.

        Raises:
            OutputError: A file cannot be written.
        """
        shown: list[Summary] = []
        if self.clipboard is not None:
            summaries = _kept(summaries, shown)
        if self.path is None:
            self._write_stream((summary for _, summary in summaries), several)
        elif self.folder is not None:
            for number, summary in summaries:
                text = self._text([summary], False, self.path)
                num_read = len(summary.documents)
                self.folder.write(number, text, summary.coverage.lost, num_read=num_read)
            self._open(self.path)
        else:
            written = [summary for _, summary in summaries]
            if written:
                write_output(self.path, self._text(written, several), overwrite=self.overwrite)
                self._open(self.path)
        if self.clipboard is not None and shown:
            how = replace(self, format=Format.TEXT) if self.format is Format.RICH else self
            self.clipboard.write(how._text(shown, several))

    def _write_stream(self, summaries: Iterable[Summary], several: bool) -> None:
        if self.format.separator is None:
            written = list(summaries)
            if written:
                self.stream.write(self._text(written, several))
            return
        for number, summary in enumerate(summaries):
            if self.format is Format.RICH:
                # Warnings have already been written to standard error.
                self._printer.finish(summary, show_warnings=False)
                continue
            if number:
                self.stream.write(self.format.separator)
            self.stream.write(self._text([summary], several))

    def _text(self, summaries: list[Summary], several: bool, folder: Path | None = None) -> str:
        base = folder or (self.path.parent if self.path else None)
        if self.format is Format.RICH:
            stream = io.StringIO()
            printer = self._make_printer(stream)
            for summary in summaries:
                printer.finish(summary, show_warnings=False)
            return stream.getvalue()
        if several:
            text = render_many(
                summaries,
                self.format,
                show_attribution=self.attribution,
                base_path=base,
                show_source=self.show_source,
            )
        else:
            text = render(
                summaries[0],
                self.format,
                show_attribution=self.attribution,
                base_path=base,
                show_source=self.show_source,
            )
        return text if text.endswith("\n") else text + "\n"

    @property
    def listener(self) -> SummaryListener | None:
        """What shows a summary while it is written: the printer on a terminal, elsewhere nothing."""
        is_live = self.path is None and self.format is Format.RICH and self.stream.isatty()
        return self._printer if is_live else None

    @cached_property
    def _printer(self) -> SummaryPrinter:
        return self._make_printer(self.stream)

    def _make_printer(self, stream: TextIO) -> SummaryPrinter:
        from lsum_cli.rendering.console import ProductConsole, SummaryPrinter

        console = ProductConsole(file=stream)
        return SummaryPrinter(
            console,
            show_attribution=self.attribution,
            is_verbose=self.is_verbose,
            has_links=stream.isatty() and os.environ.get("TERM") not in _WITHOUT_LINKS,
        )

    def _open(self, path: Path) -> None:
        if self.open_after:
            typer.launch(str(path))


def _kept(summaries: Iterable[tuple[int, Summary]], shown: list[Summary]) -> Iterator[tuple[int, Summary]]:
    """The same, each remembered."""
    for number, summary in summaries:
        shown.append(summary)
        yield number, summary
