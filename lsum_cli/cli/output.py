"""Where results go; files are written whole or not at all, and never replaced unasked."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from lsum_cli.errors import OptionError, OutputError
from lsum_cli.options import Panel, option
from lsum_cli.rendering.formats import Format, ReportFormat, render, render_many
from lsum_cli.summaries import Summary, SummaryListener

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lsum_cli.cli.messages import Messages
    from lsum_cli.cli.summary_folder import Product, SummaryFolder
    from lsum_cli.rendering.console import SummaryPrinter
    from lsum_cli.rendering.tables import Table

_PICTURE_SUFFIXES = (".png", ".svg", ".csv")
_STANDARD_OUTPUT = ("-", "/dev/stdout")


@dataclass(frozen=True, kw_only=True)
class JsonOutput:
    """Whether to print JSON instead of text."""

    as_json: bool = option(False, "--json", help="Print a JSON object.", panel=Panel.OUTPUT, env=False)


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


@dataclass(frozen=True, kw_only=True)
class Sink:
    """Where summaries go, and in which format.

    Attributes:
        stream: Standard output, used where there is no ``path``.
        path: A file, or the folder.
        folder: Receives one file per summary; ``None`` where the path is a file.
        open_after: Whether to open what was written in its application.
    """

    stream: TextIO
    format: Format
    path: Path | None
    folder: SummaryFolder | None
    overwrite: bool
    open_after: bool
    attribution: bool

    @classmethod
    def choose(
        cls,
        stream: TextIO,
        options: SummaryOutput,
        *,
        list_products: Callable[[Format], Sequence[Product]],
        attribution: bool,
    ) -> Sink:
        """A sink for these options; the format follows from the output's name or the terminal.

        Args:
            list_products: Lists what will be written in a format; called only where each gets a file.

        Raises:
            OptionError: ``open`` without an output, or ``resume`` without a folder.
            OutputError: The output exists, or its folder does not.
        """
        from lsum_cli.cli.summary_folder import SummaryFolder

        output = options.output
        path = None if output is None or output in _STANDARD_OUTPUT else Path(output)
        if options.open and path is None:
            raise OptionError("--open needs a file to open", "give --output too")
        is_folder = path is not None and (str(output).endswith(("/", "\\")) or path.is_dir())
        chosen = Format.choose(options.format, path, is_terminal=stream.isatty())
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

    def _write_stream(self, summaries: Iterable[Summary], several: bool) -> None:
        if self.format.separator is None:
            written = list(summaries)
            if written:
                self.stream.write(self._text(written, several))
            return
        for number, summary in enumerate(summaries):
            if self.format is Format.RICH:
                # Warnings stand on standard error already.
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
            text = render_many(summaries, self.format, show_attribution=self.attribution, base_path=base)
        else:
            text = render(summaries[0], self.format, show_attribution=self.attribution, base_path=base)
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

        return SummaryPrinter(ProductConsole(file=stream), show_attribution=self.attribution)

    def _open(self, path: Path) -> None:
        if self.open_after:
            typer.launch(str(path))


@dataclass(frozen=True, kw_only=True)
class ReportOutput:
    """Where the report of an evaluation goes: standard output, or one file."""

    format: ReportFormat | None = option(
        None,
        "-f",
        "--format",
        help="Format of the report; json includes the scores of every example.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="that of --output's suffix; rich on a terminal, text when piped",
    )
    output: Path | None = option(
        None,
        "-o",
        "--output",
        help="File to write to.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="standard output",
    )
    overwrite: bool = option(False, "--overwrite", help="Replace existing files.", panel=Panel.OUTPUT)

    def check(self) -> None:
        """Check before any work is done that the report can be written.

        Raises:
            OutputError: The file exists, or its folder does not.
        """
        if self._path is not None:
            check_output(self._path, overwrite=self.overwrite)

    def write(self, stream: TextIO, write: Callable[[TextIO, ReportFormat], None]) -> None:
        """Let ``write`` write to where the report goes; a file is written whole or not at all.

        Args:
            stream: Standard output.

        Raises:
            OutputError: The file cannot be written.
        """
        path = self._path
        how = ReportFormat.choose(self.format, path, is_terminal=stream.isatty())
        if path is None:
            write(stream, how)
            return
        draft = io.StringIO()
        write(draft, how)
        write_output(path, draft.getvalue(), overwrite=self.overwrite)

    @property
    def _path(self) -> Path | None:
        return None if self.output is None or str(self.output) == "-" else self.output


@dataclass(frozen=True, kw_only=True)
class FigureOutput:
    """Where an analysis goes: its figure as PNG and SVG, its numbers as CSV."""

    output: Path | None = option(
        None,
        "-o",
        "--output",
        metavar="NAME",
        help="Write NAME.png, NAME.svg and NAME.csv.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="the name of the analysis",
    )
    overwrite: bool = option(False, "--overwrite", help="Replace existing files.", panel=Panel.OUTPUT)

    def choose_files(self, default: str) -> tuple[Path, ...]:
        """PNG, SVG and CSV of the name that the user gave, without its suffix, or of the default one.

        Raises:
            OutputError: One exists, or its folder does not.
        """
        stem = Path(self.output or default)
        if stem.suffix in _PICTURE_SUFFIXES:
            stem = stem.with_suffix("")
        files = tuple(stem.with_name(stem.name + suffix) for suffix in _PICTURE_SUFFIXES)
        for file in files:
            check_output(file, overwrite=self.overwrite)
        return files

    def write(
        self,
        files: tuple[Path, ...],
        figure: Figure,
        table: Table,
        overview: Table,
        stream: TextIO,
        messages: Messages,
    ) -> None:
        """Write the files, say so, and put the overview on standard output.

        Raises:
            OutputError: A file cannot be written.
        """
        from lsum_cli.rendering.plots import encode_picture
        from lsum_cli.rendering.tables import write_table

        png, svg, csv = files
        write_output(png, encode_picture(figure, ".png"), overwrite=self.overwrite)
        write_output(svg, encode_picture(figure, ".svg"), overwrite=self.overwrite)
        write_output(csv, table.to_csv(), overwrite=self.overwrite)
        messages.note(f"wrote {png}, {svg} and {csv}")
        write_table(overview, stream, is_terminal=stream.isatty())


def check_output(path: Path, *, overwrite: bool) -> None:
    """Check before any work is done that ``path`` can be written.

    Raises:
        OutputError: It exists and may not be overwritten, or its folder does not exist.
    """
    if _is_device(path):
        return
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already", "give --overwrite to replace it, or another --output")
    if not path.parent.is_dir():
        raise OutputError(f"the folder {path.parent} does not exist", "create it or give another --output")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"the folder {path.parent} cannot be written to", "give another --output")


def write_output(path: Path, content: str | bytes, *, overwrite: bool) -> None:
    """Write to ``path``, text as UTF-8: a file atomically, following links; a device or pipe directly.

    Raises:
        OutputError: As :func:`check_output`, or the disk cannot be written.
    """
    check_output(path, overwrite=overwrite)
    try:
        if _is_device(path):
            path.write_bytes(_encode(content))
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another --output") from error


def _is_device(path: Path) -> bool:
    """Whether it is a terminal, a pipe, ``/dev/null`` and the like, which must not be replaced by a file."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _encode(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def _replace(path: Path, content: str | bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".lsum-")
    draft = Path(name)
    try:
        os.close(descriptor)
        draft.write_bytes(_encode(content))
        draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
