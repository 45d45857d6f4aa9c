"""One table in every form."""

from __future__ import annotations

import csv
import io
import json

import pytest

from lsum_cli.rendering.console import open_console
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.quantities import count, format_duration, format_size
from lsum_cli.rendering.tables import (
    Column,
    Marked,
    Table,
    format_cell,
    hidden,
    print_tables,
    write_object,
    write_table,
    write_tables,
)

HOSTILE = "[red]a\x1b[31m | <b>\n"
TABLE = Table(
    title="Numbers <of> | things",
    columns=(
        Column(key="name", heading="Name", align="left"),
        Column(key="size_bytes", heading="Size", format=format_size, least_width=40),
        *hidden("path", "kinds"),
        Column(heading="State", style=lambda row: "red" if row["path"] else ""),
        Column(key="share"),
    ),
    rows=((HOSTILE, 1_630_000_000, None, ["a"], "yes", 0.12345), ("b", None, "/b", [], "no", None)),
)


def printed(width: int, *, is_live: bool = False) -> str:
    stream = io.StringIO()
    print_tables([TABLE], open_console(stream, is_live=is_live, plain_width=width), ["a note\x07"])
    return stream.getvalue()


def write(format: ReportFormat) -> str:
    stream = io.StringIO()
    write_tables("Title <x>", [TABLE], ["a *note*"], format, stream, plain_width=80)
    return stream.getvalue()


def test_readers_see_headings_and_formatted_cells() -> None:
    shown = printed(80)
    assert shown.splitlines()[0].strip() == "Numbers <of> | things"
    assert next(line.split()[0] for line in shown.splitlines()[2:] if line.split()) == "Name"
    assert "1.63 GB" in shown
    assert "0.123" in shown
    assert "–" in shown
    assert "/b" not in shown
    assert shown.endswith("a note\n")


def test_cells_cannot_command_the_terminal() -> None:
    assert "\x1b" not in printed(80)
    assert "[red]a[31m | <b>" in printed(80)


def test_a_narrow_terminal_leaves_columns_out() -> None:
    assert "Size" in printed(40)
    assert "Size" not in printed(39)


def test_styles_depend_on_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = printed(80, is_live=True)
    assert "\x1b[31mno" in shown.replace("\x1b[31m   no", "\x1b[31mno")
    assert "\x1b[31myes" not in shown
    assert "\x1b" not in printed(80)  # a pipe gets plain text under FORCE_COLOR as well


def test_programs_get_keys_and_values() -> None:
    assert TABLE.records()[1] == {"name": "b", "size_bytes": None, "path": "/b", "kinds": [], "share": None}
    rows = list(csv.DictReader(io.StringIO(TABLE.to_csv())))
    assert rows[0]["name"] == HOSTILE
    assert rows[0]["share"] == "0.12345"
    assert rows[1]["size_bytes"] == ""
    stream = io.StringIO()
    write_object({"rows": TABLE.records()}, stream, indent=None)
    assert json.loads(stream.getvalue())["rows"] == TABLE.records()
    assert stream.getvalue().count("\n") == 1


def test_columns_are_found_by_key_and_rows_by_value() -> None:
    assert TABLE.column("share") == [0.12345, None]
    assert TABLE.column("size_bytes", name="b") == [None]
    assert TABLE.distinct("name") == [HOSTILE, "b"]
    first, second = TABLE.numbers("share")
    assert first == 0.12345
    assert second != second


def test_markdown_and_html_escape_every_cell() -> None:
    text = write(ReportFormat.MARKDOWN)
    assert text.startswith(
        "# Title \\<x>\n\n## Numbers \\<of> \\| things\n\n| Name | Size | State | share |\n"
    )
    assert "| --- | ---: | ---: | ---: |\n| \\[red\\]a\\[31m \\| \\<b> | 1.63 GB | yes | 0.123 |\n" in text
    assert text.endswith("- a \\*note\\*\n")
    page = write(ReportFormat.HTML)
    assert "<td>[red]a[31m | &lt;b&gt; </td>" in page
    assert "<caption>Numbers &lt;of&gt; | things</caption>" in page
    assert page.count("<tr>") == 3


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, "–"), (1234, "1,234"), (0.12345, "0.123"), (12.345, "12.35"), ("x", "x")],
)
def test_cells_in_words(cell: object, text: str) -> None:
    assert format_cell(cell) == text


def test_quantities_in_words() -> None:
    assert (count(1, "page"), count(2301, "page")) == ("1 page", "2,301 pages")
    sizes = (None, 12, 12_400, 1_630_000_000)
    assert [format_size(size) for size in sizes] == ["–", "12 B", "12 kB", "1.63 GB"]
    assert [format_duration(seconds) for seconds in (45, 180, 7500)] == ["45 s", "3 min", "2 h 5 min"]


def environments(text: str) -> list[str]:
    """The environments of a LaTeX document as a parser sees them, outer ones first."""
    from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker

    def names(nodes):
        for node in nodes or ():
            if isinstance(node, LatexEnvironmentNode):
                yield node.environmentname
            for part in ("nodelist",):
                yield from names(getattr(node, part, None))

    nodes, _, _ = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    return list(names(nodes))


def test_latex_has_rules_and_marks_and_escapes_every_cell() -> None:
    rows = (
        ("100 % of_it & {more} \\end{tabular}", Marked(text="1.5", is_best=True)),
        ("$x^2$ # ~ é 中 a|b", Marked(text="1.2–1.4 ×", is_significant=True)),
        (HOSTILE, Marked(text="9", is_best=True, is_significant=True)),
    )
    table = Table(
        title="ROUGE (100 %)",
        legend="† differs",
        columns=(Column(heading="A_b", align="left"), Column(heading="<n>")),
        rows=rows,
    )
    text = table.to_latex()
    assert environments(text) == ["table", "tabular"]
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if "rule" in line] == ["\\toprule", "\\midrule", "\\bottomrule"]
    assert "\\begin{tabular}{lr}" in lines
    assert "\\label{tab:rouge-100}" in lines
    assert all(line.endswith("\\\\") and line.count(" & ") == 1 for line in lines[6:11] if "rule" not in line)
    assert "\\textbf{1.5}" in text
    assert "{\\textendash}1.4" in text
    assert "\\textbf{9}$^{\\dagger}$" in text
    assert "100 \\% of\\_it \\& \\{more\\}" in text
    assert "\x1b" not in text


def test_comments_in_latex_stay_comments() -> None:
    stream = io.StringIO()
    write_tables("T\n\\input{x}", [TABLE], ["n\n\\bad"], ReportFormat.LATEX, stream, plain_width=80)
    outside = [line for line in stream.getvalue().splitlines() if not line.startswith("%")]
    assert "\\input" not in "".join(outside)
    assert "\\bad" not in "".join(outside)


@pytest.mark.parametrize("format", list(ReportFormat))
def test_one_table_in_every_format(format: ReportFormat) -> None:
    stream = io.StringIO()
    write_table(TABLE, stream, format)
    assert "0.123" in stream.getvalue()
    if format is ReportFormat.JSON:
        assert [json.loads(line)["share"] for line in stream.getvalue().splitlines()] == [0.12345, None]
