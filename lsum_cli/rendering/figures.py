"""Numbers that are drawn: one table for the picture and the CSV file beside it, so that both agree."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(frozen=True, kw_only=True)
class FigureTable:
    """The numbers of a figure.

    Attributes:
        header: Names of the columns, with units where they have any: ``"distance_sentences"``.
        rows: One per point drawn.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str, **where: Cell) -> list[Cell]:
        """One column of the rows in which other columns have these values."""
        index = self.header.index(name)
        tests = [(self.header.index(column), value) for column, value in where.items()]
        return [row[index] for row in self.rows if all(row[place] == value for place, value in tests)]

    def names(self, column: str) -> list[Cell]:
        """The distinct values of a column, in order."""
        return list(dict.fromkeys(self.column(column)))

    def to_csv(self) -> str:
        """As CSV; an empty cell is a number that does not exist."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows([["" if cell is None else cell for cell in row] for row in self.rows])
        return stream.getvalue()


def numbers(cells: Sequence[Cell]) -> list[float]:
    """Cells to draw; what does not exist becomes NaN, where a line has a gap."""
    return [float("nan") if cell is None else float(cell) for cell in cells]
