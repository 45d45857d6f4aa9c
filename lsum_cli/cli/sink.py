"""Where summaries go: standard output, one file, or a folder of files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from lsum_cli.cli.output import check_output, write_output
from lsum_cli.cli.products import Product
from lsum_cli.cli.summary_folder import SummaryFolder
from lsum_cli.errors import OptionError
from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.summaries import Summary, SummaryListener

if TYPE_CHECKING:
    from lsum_cli.rendering.console import SummaryPrinter

_STANDARD_OUTPUT = ("-", "/dev/stdout")


@dataclass(frozen=True, kw_only=True)
class Sink:
    """Where summaries go and how they look there.

    Attributes:
        stream: Standard output, used where there is no ``path``.
        path: A file, or the folder.
        folder: What gets a file per summary; ``None`` where the path is a file.
        open_after: Whether to open what was written in the user's program for it.
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
        format: Format | None,
        output: str | None,
        *,
        list_products: Callable[[Format], Sequence[Product]],
        overwrite: bool,
        resume: bool,
        open_after: bool,
        attribution: bool,
    ) -> Sink:
        """A sink for these flags; the format follows from the output's name or the terminal.

        Args:
            list_products: Gives what is going to be written in a format; asked where each gets a file.

        Raises:
            OptionError: ``open_after`` without an output, or ``resume`` without a folder.
            OutputError: The output exists, or its folder does not.
        """
        path = Path(output) if output not in (None, *_STANDARD_OUTPUT) else None
        if open_after and path is None:
            raise OptionError("--open needs a file to open", "give --output too")
        is_folder = path is not None and (str(output).endswith(("/", "\\")) or path.is_dir())
        chosen = Format.choose(format, path, is_terminal=stream.isatty())
        if resume and not is_folder:
            raise OptionError(
                "--resume needs a folder with what is done", "give --output FOLDER/, or leave it out"
            )
        folder = None
        if path is not None and is_folder:
            products = list_products(chosen)
            folder = SummaryFolder(path, products, suffix=chosen.suffix, overwrite=overwrite, resume=resume)
        elif path is not None:
            check_output(path, overwrite=overwrite)
        return cls(
            stream=stream,
            format=chosen,
            path=path,
            folder=folder,
            overwrite=overwrite,
            open_after=open_after,
            attribution=attribution,
        )

    @property
    def done(self) -> Mapping[int, Sequence[str]]:
        """The places of what need not be written, and what was lost of its sources."""
        return self.folder.done if self.folder is not None else {}

    def write(self, summaries: Iterable[tuple[int, Summary]], *, several: bool) -> None:
        """Write every summary as soon as it is there, as far as the format allows.

        Args:
            summaries: Each with its place in the list of products.
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
        from lsum_cli.rendering.console import ProductConsole, SummaryPrinter

        return SummaryPrinter(ProductConsole(file=stream), show_attribution=self.attribution)

    def _open(self, path: Path) -> None:
        if self.open_after:
            typer.launch(str(path))
