"""Where the report of an evaluation goes: standard output, or one file."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from lsum_cli.cli.output import check_output, write_output
from lsum_cli.rendering.formats import ReportFormat


@dataclass(frozen=True, kw_only=True)
class ReportSink:
    """Where a report goes and how it looks there."""

    stream: TextIO
    format: ReportFormat
    path: Path | None
    overwrite: bool

    @classmethod
    def choose(
        cls, stream: TextIO, format: ReportFormat | None, output: Path | None, *, overwrite: bool
    ) -> ReportSink:
        """A sink for these flags; the format follows from the output's name or the terminal.

        Raises:
            OutputError: The output exists, or its folder does not.
        """
        path = None if output is None or str(output) == "-" else output
        if path is not None:
            check_output(path, overwrite=overwrite)
        chosen = ReportFormat.choose(format, path, is_terminal=stream.isatty())
        return cls(stream=stream, format=chosen, path=path, overwrite=overwrite)

    def write(self, write: Callable[[TextIO], None]) -> None:
        """Let ``write`` write to where it goes; a file is written whole or not at all.

        Raises:
            OutputError: The file cannot be written.
        """
        if self.path is None:
            write(self.stream)
            return
        draft = io.StringIO()
        write(draft)
        write_output(self.path, draft.getvalue(), overwrite=self.overwrite)
