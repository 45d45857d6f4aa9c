"""One value for everything that is shown as a table, and the one place that prints it.

The same :class:`Table` is a table on a terminal, in plain text, Markdown, HTML and LaTeX, and CSV lines
or JSON records for programs. A cell holds a value, not its text; a column says how readers see it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TextIO, cast

from lsum_cli.rendering.escaping import clean_line, escape_latex, escape_markdown, render_template
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.quantities import UNKNOWN
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from lsum_cli.rendering.console import ResultConsole


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """A cell for readers that stands out in a printed table.

    Attributes:
        text: What it says.
        is_best: Whether it is the best of its column: bold.
        is_significant: Whether a test says that it differs: a dagger.
    """

    text: str
    is_best: bool = False
    is_significant: bool = False

    def __str__(self) -> str:
        return self.text


Cell = str | int | float | bool | Marked | Sequence[object] | Mapping[str, object] | None
Row = tuple[Cell, ...]
Style = str | Callable[[Mapping[str, Cell]], str]


_PLAIN_WIDTH = 120
# A longer word, such as a path, may be broken to keep a table's columns.
_LONGEST_WORD = 24
_NOT_IN_LABEL = regex(r"[^a-z0-9]+")


def format_cell(cell: Any) -> str:
    """A cell for readers: numbers with separators and three or four digits, a dash for no value."""
    if cell is None:
        return UNKNOWN
    if isinstance(cell, float):
        return f"{cell:.2f}" if abs(cell) >= 10 else f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        key: Its name for programs, with the unit where it has one: ``"distance_sentences"``. A column
            without a key is for readers alone.
        heading: Its name for readers; by default the key in words.
        is_shown: Whether readers see the column; otherwise it is for programs alone.
        align: On which side the cells of a column end, for readers.
        style: A style of rich, or a function that takes a row by keys and returns one.
        is_wrapped: Whether long cells may continue on further lines.
        overflow: What happens to a word that is longer than the column is wide.
        least_width: The column is left out on terminals narrower than this, in characters.
        format: Gives a cell's text for readers.
    """

    key: str = ""
    heading: str | None = None
    is_shown: bool = True
    align: Literal["left", "right"] = "right"
    style: Style = ""
    is_wrapped: bool = True
    overflow: Literal["fold", "ellipsis"] = "fold"
    least_width: int = 0
    format: Callable[[Any], str] = format_cell

    @property
    def title(self) -> str:
        """What readers see above the column."""
        return self.key.replace("_", " ") if self.heading is None else self.heading


def hidden(*keys: str) -> tuple[Column, ...]:
    """Columns for programs alone."""
    return tuple(Column(key=key, is_shown=False) for key in keys)


@dataclass(frozen=True, kw_only=True)
class Table:
    """Columns and rows.

    Attributes:
        columns: At least one.
        rows: A cell for each column; ``None`` where there is no value.
        title: Stands above the table; may be empty.
        legend: What the marks of its cells mean, for formats that show them.
        frame: ``"ruled"``: a line below the headings; ``"dense"``: the same with less space between
            columns; ``"bare"``: no line.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    legend: str = ""
    frame: Literal["ruled", "dense", "bare"] = "ruled"

    @classmethod
    def of_keys(cls, keys: Sequence[str], rows: Iterable[Row]) -> Table:
        """A table of numbers, whose first column names the rows."""
        columns = (
            Column(key=key, align="right" if number else "left", overflow="ellipsis")
            for number, key in enumerate(keys)
        )
        return cls(columns=tuple(columns), rows=tuple(rows), frame="bare")

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns' names for programs; empty for those without."""
        return tuple(column.key for column in self.columns)

    def column(self, key: str, **where: Cell) -> list[Cell]:
        """One column of the rows in which other columns have these values."""
        place = self.keys.index(key)
        tests = [(self.keys.index(other), value) for other, value in where.items()]
        return [row[place] for row in self.rows if all(row[index] == value for index, value in tests)]

    def numbers(self, key: str, **where: Cell) -> list[float]:
        """The same for a column of numbers; a missing value is NaN, where a curve has a gap."""
        return [float("nan") if c is None else float(cast(float, c)) for c in self.column(key, **where)]

    def distinct(self, key: str) -> list[Cell]:
        """The distinct values of a column, in order."""
        return list(dict.fromkeys(self.column(key)))

    def records(self) -> list[dict[str, Cell]]:
        """The rows as JSON objects."""
        return [self._record(row) for row in self.rows]

    def to_csv(self) -> str:
        """The rows as CSV below a line of keys; a missing value is an empty cell."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(filter(None, self.keys))
        writer.writerows(
            ["" if cell is None else cell for cell in record.values()] for record in self.records()
        )
        return stream.getvalue()

    def to_markdown(self) -> str:
        """The table in Markdown, without its title."""
        columns = self._shown()
        rules = ["---" if column.align == "left" else "---:" for _, column in columns]
        rows = [[_markdown_cell(column.format(row[place])) for place, column in columns] for row in self.rows]
        header = [_markdown_cell(column.title) for _, column in columns]
        return "".join(f"| {' | '.join(line)} |\n" for line in (header, rules, *rows))

    def to_latex(self) -> str:
        """The table in LaTeX with the rules of the package booktabs, as a floating environment."""
        columns = self._shown()
        header = [escape_latex(column.title) for _, column in columns]
        rows = [[_latex_cell(row[place], column) for place, column in columns] for row in self.rows]
        caption = " ".join(filter(None, (f"{self.title}." if self.title else "", self.legend)))
        label = _NOT_IN_LABEL.sub("-", self.title.lower()).strip("-") or "table"
        alignment = "".join(column.align[0] for _, column in columns)
        lines = [
            "\\begin{table}",
            "  \\centering",
            *([f"  \\caption{{{escape_latex(caption)}}}", f"  \\label{{tab:{label}}}"] if caption else ()),
            f"  \\begin{{tabular}}{{{alignment}}}",
            "    \\toprule",
            f"    {' & '.join(header)} \\\\",
            "    \\midrule",
            *(f"    {' & '.join(row)} \\\\" for row in rows),
            "    \\bottomrule",
            "  \\end{tabular}",
            "\\end{table}",
        ]
        return "".join(f"{line}\n" for line in lines)

    def to_rich(self, width: int | None = None) -> RichTable:
        """The table for a terminal.

        Args:
            width: Width of the terminal in characters.
        """
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        columns = self._shown(width)
        table = RichTable(
            box=None if self.frame == "bare" else box.SIMPLE_HEAD,
            pad_edge=False,
            collapse_padding=self.frame == "dense",
            show_header=any(column.title for _, column in columns),
            title=Text(clean_line(self.title)) if self.title else None,
            title_justify="left",
        )
        for _, column in columns:
            table.add_column(
                Text(clean_line(column.title)),
                justify=column.align,
                overflow=column.overflow,
                no_wrap=not column.is_wrapped,
                style=column.style if isinstance(column.style, str) else "",
            )
        for row in self.rows:
            record = self._record(row)
            cells = []
            for place, column in columns:
                style = "" if isinstance(column.style, str) else column.style(record)
                cells.append(Text(clean_line(column.format(row[place])), style=style))
            table.add_row(*cells)
        return table

    def is_wider_than(self, width: int) -> bool:
        """Whether so many characters are too few for its columns without breaking their words."""
        columns = self._shown(width)
        widths = []
        for place, column in columns:
            words = [word for row in self.rows for word in column.format(row[place]).split()]
            longest = max(map(len, [*words, *column.title.split()]), default=0)
            widths.append(min(longest, _LONGEST_WORD))
        return sum(widths) + 3 * len(columns) - 1 > width

    def to_list(self, width: int) -> RichTable:
        """The table for a terminal too narrow for its columns: each row as lines below its first cell.

        Args:
            width: Width of the terminal in characters.
        """
        from rich.padding import Padding
        from rich.table import Table as RichTable
        from rich.text import Text

        (first, name), *others = self._shown(width)
        listed = RichTable.grid()
        if self.title:
            listed.add_row(Text(f"{clean_line(self.title)}\n", style="italic"))
        for row in self.rows:
            named = name.format(row[first])
            if isinstance(row[first], int):
                named = f"{name.title} {named}"
            listed.add_row(Text(clean_line(named), style="bold", overflow="fold"))
            cells = RichTable.grid(padding=(0, 1))
            for place, column in others:
                text = Text(clean_line(column.format(row[place])), overflow="fold")
                cells.add_row(clean_line(column.title), text)
            listed.add_row(Padding(cells, (0, 0, 1, 2)))
        return listed

    def texts(self) -> tuple[list[str], list[list[str]]]:
        """What readers see: the headings, and the cells of each row."""
        columns = self._shown()
        rows = [[column.format(row[place]) for place, column in columns] for row in self.rows]
        return [column.title for _, column in columns], rows

    def _shown(self, width: int | None = None) -> list[tuple[int, Column]]:
        """The columns for readers, each with its place in a row."""
        return [
            (place, column)
            for place, column in enumerate(self.columns)
            if column.is_shown and (width is None or width >= column.least_width)
        ]

    def _record(self, row: Row) -> dict[str, Cell]:
        return {column.key: cell for column, cell in zip(self.columns, row, strict=True) if column.key}


def print_tables(tables: Iterable[Table], console: ResultConsole, notes: Sequence[str] = ()) -> None:
    """Print tables on a console, and below them notes, a line each."""
    from rich.text import Text

    for table in tables:
        is_narrow = console.is_terminal and table.is_wider_than(console.width)
        console.print(table.to_list(console.width) if is_narrow else table.to_rich(console.width))
    for note in notes:
        console.print(Text(clean_line(note)), soft_wrap=True)


def choose_table_format(*, is_terminal: bool) -> ReportFormat:
    """The format of a table unless another is wanted: for readers on a terminal, CSV elsewhere."""
    return ReportFormat.RICH if is_terminal else ReportFormat.CSV


def write_table(table: Table, stream: TextIO, format: ReportFormat) -> None:
    """Write one table; JSON is a line for each row."""
    if format is ReportFormat.CSV:
        stream.write(table.to_csv())
    elif format is ReportFormat.JSON:
        write_records(table, stream)
    else:
        write_tables(table.title or "lsum", [table], (), format, stream, plain_width=_PLAIN_WIDTH)


def write_tables(
    title: str,
    tables: Sequence[Table],
    notes: Sequence[str],
    format: ReportFormat,
    stream: TextIO,
    *,
    plain_width: int,
) -> None:
    """Write a report of tables for readers.

    Args:
        title: Heads Markdown and HTML.
        notes: Stand below the tables, a line each.
        format: Neither JSON nor CSV, which are for programs.
        plain_width: Characters in a line of plain text.
    """
    if format is ReportFormat.MARKDOWN:
        parts = [f"# {escape_markdown(title)}\n"]
        for table in tables:
            parts += [f"## {escape_markdown(table.title)}\n"] if table.title else []
            parts.append(table.to_markdown())
        parts.append("".join(f"- {escape_markdown(note)}\n" for note in notes))
        stream.write("\n".join(parts))
    elif format is ReportFormat.LATEX:
        # A comment ends with its line.
        comments = [f"% {clean_line(note)}\n" for note in notes]
        parts = [f"% {clean_line(title)}; needs \\usepackage{{booktabs}}\n"]
        stream.write("\n".join([*parts, *(table.to_latex() for table in tables), "".join(comments)]))
    elif format is ReportFormat.HTML:
        shown = [(table.title, *table.texts()) for table in tables]
        stream.write(render_template("tables.html.jinja", title=title, tables=shown, notes=notes))
    else:
        from lsum_cli.rendering.console import open_console

        console = open_console(stream, is_live=format is ReportFormat.RICH, plain_width=plain_width)
        print_tables(tables, console, notes)


def write_records(table: Table, stream: TextIO) -> None:
    """Write the rows of a table as JSON Lines."""
    for record in table.records():
        write_object(record, stream, indent=None)


def write_object(content: Mapping[str, Any], stream: TextIO, *, indent: int | None = 2) -> None:
    """Write a JSON object and a line break."""
    stream.write(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent) + "\n")


def _latex_cell(cell: Any, column: Column) -> str:
    text = escape_latex(column.format(cell))
    if not isinstance(cell, Marked):
        return text
    text = f"\\textbf{{{text}}}" if cell.is_best else text
    return f"{text}$^{{\\dagger}}$" if cell.is_significant else text


def _markdown_cell(text: str) -> str:
    # A number at the start of a cell needs no escaping: it can begin no list there.
    return text if text[:1].isdigit() else escape_markdown(text)
