"""Where summaries go: standard output, one file, or a folder of files."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from lsum_cli.cli.output import check_output, write_output
from lsum_cli.errors import OptionError, OutputError
from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.summaries import Summary, SummaryListener

if TYPE_CHECKING:
    from lsum_cli.rendering.console import SummaryPrinter

_STANDARD_OUTPUT = ("-", "/dev/stdout")
_FORMAT_BY_SUFFIX = {
    ".json": Format.JSON,
    ".jsonl": Format.JSON,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".html": Format.HTML,
    ".htm": Format.HTML,
}
_LONGEST_NAME = 200  # bytes; file systems allow 255, suffix and number included
_SUFFIX_BY_FORMAT = {Format.JSON: ".json", Format.MARKDOWN: ".md", Format.HTML: ".html"}


@dataclass(frozen=True, kw_only=True)
class Sink:
    """Where summaries go and how they look there.

    Attributes:
        stream: Standard output, used where there is no ``path``.
        path: A file, or a folder that gets a file per source.
        is_folder: Which of the two.
        open_after: Whether to open what was written in the user's program for it.
    """

    stream: TextIO
    format: Format
    path: Path | None
    is_folder: bool
    overwrite: bool
    open_after: bool
    attribution: bool

    @classmethod
    def choose(
        cls,
        stream: TextIO,
        format: Format | None,
        output: str | None,
        *,
        overwrite: bool,
        open_after: bool,
        attribution: bool,
    ) -> Sink:
        """A sink for these flags; the format follows from the output's name or the terminal.

        Raises:
            OptionError: ``open_after`` without an output.
            OutputError: The output exists, or its folder does not.
        """
        path = Path(output) if output not in (None, *_STANDARD_OUTPUT) else None
        if open_after and path is None:
            raise OptionError("--open needs a file to open", "give --output too")
        is_folder = path is not None and (str(output).endswith(("/", "\\")) or path.is_dir())
        if format is not None:
            chosen = format
        elif path is None:
            chosen = Format.RICH if stream.isatty() else Format.TEXT
        else:
            chosen = _FORMAT_BY_SUFFIX.get(path.suffix.lower(), Format.TEXT)
        if path is not None and not is_folder:
            check_output(path, overwrite=overwrite)
        return cls(
            stream=stream,
            format=chosen,
            path=path,
            is_folder=is_folder,
            overwrite=overwrite,
            open_after=open_after,
            attribution=attribution,
        )

    def write(self, summaries: Iterable[Summary], *, several: bool) -> None:
        """Write every summary as soon as it is there, as far as the format allows.

        Args:
            several: Whether there may be more than one.

        Raises:
            OutputError: A file cannot be written.
        """
        if self.path is None:
            self._write_stream(summaries, several)
        elif self.is_folder:
            self._write_folder(self.path, summaries)
        else:
            written = list(summaries)
            if written:
                write_output(self.path, self._text(written, several), overwrite=self.overwrite)
                self._open(self.path)

    def _write_stream(self, summaries: Iterable[Summary], several: bool) -> None:
        if self.format is Format.HTML:
            written = list(summaries)
            if written:
                self.stream.write(self._text(written, several))
            return
        for number, summary in enumerate(summaries):
            if self.format is Format.RICH:
                # Warnings stand on standard error already.
                self._printer.finish(summary, show_warnings=False)
                continue
            if number and self.format is not Format.JSON:
                self.stream.write("\n")
            self.stream.write(self._text([summary], several))

    def _write_folder(self, folder: Path, summaries: Iterable[Summary]) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"cannot create {folder}: {error.strerror}", "give another --output") from error
        taken: set[str] = set()
        for summary in summaries:
            name = _file_name(summary, taken) + _SUFFIX_BY_FORMAT.get(self.format, ".txt")
            write_output(folder / name, self._text([summary], False, folder), overwrite=self.overwrite)
        self._open(folder)

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
        """Who shows a summary while it is written: on a terminal the printer, elsewhere nobody."""
        is_live = self.path is None and self.format is Format.RICH and self.stream.isatty()
        return self._printer if is_live else None

    @cached_property
    def _printer(self) -> SummaryPrinter:
        return self._make_printer(self.stream)

    def _make_printer(self, stream: TextIO) -> SummaryPrinter:
        from lsum_cli.rendering.console import SummaryPrinter
        from lsum_cli.rendering.product_console import ProductConsole

        return SummaryPrinter(ProductConsole(file=stream), show_attribution=self.attribution)

    def _open(self, path: Path) -> None:
        if self.open_after:
            typer.launch(str(path))


def _file_name(summary: Summary, taken: set[str]) -> str:
    """A name after the source; equal names in one run are told apart by a number."""
    source = summary.documents[0].source if len(summary.documents) == 1 else "summary"
    stem = Path(source.rstrip("/")).stem if source != "-" else "standard-input"
    stem = "".join(c if c.isalnum() or c in "-_. " else "_" for c in stem).strip(". ") or "summary"
    stem = stem.encode("utf-8")[:_LONGEST_NAME].decode("utf-8", "ignore")
    name, number = stem, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(name.casefold())
    return name
