"""An analysis on disk: its picture as PNG and SVG, its numbers as CSV."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import check_output, write_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lsum_cli.rendering.tables import Table

_SUFFIXES = (".png", ".svg", ".csv")


@dataclass(frozen=True, kw_only=True)
class PictureFiles:
    """The three files of one analysis."""

    stem: Path
    overwrite: bool

    @classmethod
    def choose(cls, output: Path | None, default: str, *, overwrite: bool) -> PictureFiles:
        """Files of this name, or of the default one; a suffix that the user gave is left out.

        Raises:
            OutputError: One exists, or its folder does not.
        """
        path = Path(output or default)
        files = cls(stem=path.with_suffix("") if path.suffix in _SUFFIXES else path, overwrite=overwrite)
        for each in files.paths:
            check_output(each, overwrite=overwrite)
        return files

    @property
    def paths(self) -> tuple[Path, ...]:
        """PNG, SVG and CSV."""
        return tuple(self.stem.with_name(self.stem.name + suffix) for suffix in _SUFFIXES)

    def write(self, figure: Figure, table: Table) -> None:
        """Write picture and numbers.

        Raises:
            OutputError: The disk refuses.
        """
        from lsum_cli.rendering.plots import encode_picture

        png, svg, csv = self.paths
        write_output(png, encode_picture(figure, ".png"), overwrite=self.overwrite)
        write_output(svg, encode_picture(figure, ".svg"), overwrite=self.overwrite)
        write_output(csv, table.to_csv(), overwrite=self.overwrite)

    def finish(
        self,
        figure: Figure,
        table: Table,
        overview: Table,
        stream: TextIO,
        messages: Messages,
    ) -> None:
        """Write the files, say so, and put the overview on standard output.

        Raises:
            OutputError: The disk refuses.
        """
        from lsum_cli.rendering.analyses import write_overview

        self.write(figure, table)
        messages.note(f"wrote {self}")
        write_overview(overview, stream, is_terminal=stream.isatty())

    def __str__(self) -> str:
        png, svg, csv = self.paths
        return f"{png}, {svg} and {csv}"
