"""Where results go; files are written whole or not at all, and never replaced unasked."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TextIO, TypeVar, cast

from lsum_cli.errors import OptionError, OutputError
from lsum_cli.options import Panel, option
from lsum_cli.rendering.formats import FileFormat, ReportFormat

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lsum_cli.cli.messages import Messages
    from lsum_cli.rendering.tables import Table

F = TypeVar("F", bound=FileFormat)
_ROW_SUFFIXES = (".jsonl", ".csv")
_PICTURE_SUFFIXES = (".png", ".svg", ".csv")


@dataclass(frozen=True, kw_only=True)
class JsonOutput:
    """Whether to print JSON instead of text."""

    as_json: bool = option(False, "--json", help="Print a JSON object.", panel=Panel.OUTPUT, env=False)


@dataclass(frozen=True, kw_only=True)
class FileOutput(Generic[F]):
    """Where the one result of a command goes: standard output, or a file.

    Attributes:
        formats: Those that it can be written in.
    """

    formats: ClassVar[type[FileFormat]]

    format: F | None = None
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
        """Check before any work is done that the result can be written.

        Raises:
            OptionError: There is no format for the file's suffix.
            OutputError: The file exists, or cannot be written.
        """
        if self._path is not None:
            self._choose(is_terminal=False)
            check_output(self._path, overwrite=self.overwrite, makes_parents=True)

    def write(self, stream: TextIO, write: Callable[[TextIO, F], None], messages: Messages) -> None:
        """Let ``write`` write to where the result goes, and say where; a file is written whole or not at all.

        Args:
            stream: Standard output.

        Raises:
            OutputError: The file cannot be written.
        """
        path, how = self._path, self._choose(is_terminal=stream.isatty())
        if path is None:
            write(stream, how)
            return
        draft = io.StringIO()
        write(draft, how)
        write_output(path, draft.getvalue(), overwrite=self.overwrite, makes_parents=True)
        messages.note(f"wrote {path}")

    def _choose(self, *, is_terminal: bool) -> F:
        return cast(F, self.formats.choose(self.format, self._path, is_terminal=is_terminal))

    @property
    def _path(self) -> Path | None:
        return None if self.output is None or str(self.output) == "-" else self.output


@dataclass(frozen=True, kw_only=True)
class ReportOutput(FileOutput[ReportFormat]):
    """Where the report of an evaluation goes."""

    formats = ReportFormat

    format: ReportFormat | None = option(
        None,
        "-f",
        "--format",
        help="Format of the report; json includes the scores of every example.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="that of --output's suffix; rich on a terminal, text when piped",
    )


@dataclass(frozen=True, kw_only=True)
class ExamplesOutput:
    """Where the texts and scores of every example go besides the report."""

    per_example: Path | None = option(
        None,
        "--per-example",
        metavar="FILE",
        help="Also write every example with its reference, the summary of each system and all scores, as"
        " .jsonl or .csv.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="not written",
    )

    def check(self, *, overwrite: bool) -> None:
        """Check before any work is done that the file can be written.

        Raises:
            OptionError: There is no such format.
            OutputError: The file exists, or cannot be written.
        """
        if self.per_example is None:
            return
        if self.per_example.suffix.lower() not in _ROW_SUFFIXES:
            raise OptionError(
                f"--per-example {self.per_example} is neither .jsonl nor .csv",
                "give it one of these suffixes",
            )
        check_output(self.per_example, overwrite=overwrite, makes_parents=True)

    def write(self, table: Callable[[], Table], messages: Messages, *, overwrite: bool) -> None:
        """Write the table, if that was asked for, and say where.

        Raises:
            OutputError: The file cannot be written.
        """
        if self.per_example is None:
            return
        from lsum_cli.rendering.tables import write_records

        draft = io.StringIO()
        if self.per_example.suffix.lower() == ".csv":
            draft.write(table().to_csv())
        else:
            write_records(table(), draft)
        write_output(self.per_example, draft.getvalue(), overwrite=overwrite, makes_parents=True)
        messages.note(f"wrote {self.per_example}")


@dataclass(frozen=True, kw_only=True)
class FigureOutput:
    """Where an analysis goes: its figure as PNG and SVG, its numbers as CSV; how its overview is shown."""

    format: ReportFormat | None = option(
        None,
        "-f",
        "--format",
        help="Format of the overview on standard output; json writes a line for each row.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="rich on a terminal, csv when piped",
    )
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
            OutputError: One exists, or cannot be written.
        """
        stem = Path(self.output or default)
        if stem.suffix in _PICTURE_SUFFIXES:
            stem = stem.with_suffix("")
        files = tuple(stem.with_name(stem.name + suffix) for suffix in _PICTURE_SUFFIXES)
        for file in files:
            check_output(file, overwrite=self.overwrite, makes_parents=True)
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
        from lsum_cli.rendering.tables import choose_table_format, write_table

        png, svg, csv = files
        for file, content in (
            (png, encode_picture(figure, ".png")),
            (svg, encode_picture(figure, ".svg")),
            (csv, table.to_csv()),
        ):
            write_output(file, content, overwrite=self.overwrite, makes_parents=True)
        messages.note(f"wrote {png}, {svg} and {csv}")
        write_table(overview, stream, self.format or choose_table_format(is_terminal=stream.isatty()))


def check_output(path: Path, *, overwrite: bool, makes_parents: bool = False) -> None:
    """Check before any work is done that ``path`` can be written.

    Args:
        overwrite: Whether what is there may be replaced.
        makes_parents: Whether folders that do not exist are made.

    Raises:
        OutputError: It exists and must not be overwritten, its folder does not exist, or it can be no file.
    """
    try:
        # A link is something, wherever it leads.
        exists = os.path.lexists(path)
        if is_device(path):
            return
    except OSError as error:  # such as a name that is too long, or a link to where one may not look
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another --output") from error
    if exists and not overwrite:
        raise OutputError(f"{path} exists already", "give --overwrite to replace it, or another --output")
    folder = path.parent
    while makes_parents and not os.path.lexists(folder):
        folder = folder.parent
    if not folder.is_dir():
        if folder.exists():
            raise OutputError(f"{folder} is no folder", "give another --output")
        raise OutputError(f"the folder {folder} does not exist", "create it or give another --output")
    if not os.access(folder, os.W_OK):
        raise OutputError(f"the folder {folder} cannot be written to", "give another --output")


def write_output(path: Path, content: str | bytes, *, overwrite: bool, makes_parents: bool = False) -> None:
    """Write to ``path``, text as UTF-8: a file atomically, following links; a device or pipe directly.

    Raises:
        OutputError: As :func:`check_output`, or the disk cannot be written.
    """
    check_output(path, overwrite=overwrite, makes_parents=makes_parents)
    try:
        if makes_parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if is_device(path):
            path.write_bytes(_encode(content))
        else:
            # Unlike Path.resolve, it makes no error of links that lead to themselves: the link is replaced.
            _replace(Path(os.path.realpath(path)), content)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another --output") from error


def is_device(path: Path) -> bool:
    """Whether it is a terminal, a pipe, ``/dev/null`` and the like, which must not be replaced by a file."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _encode(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def _replace(path: Path, content: str | bytes) -> None:
    import tempfile

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
