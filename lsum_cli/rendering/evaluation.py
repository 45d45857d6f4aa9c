"""The report of an evaluation: tables for people, numbers for programs; the signature always with them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, TextIO, cast

from rich import box
from rich.table import Table
from rich.text import Text

from lsum_cli.evaluation.bootstrap import LEVEL, Difference, Interval
from lsum_cli.evaluation.metrics.registry import METRICS, ENCODER_METRICS, Metric
from lsum_cli.evaluation.metrics.rouge import ROUGE_METRICS
from lsum_cli.evaluation.report import Comparison, Report, SystemReport, describe_report
from lsum_cli.rendering.escaping import clean_line, escape_html, escape_markdown
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.product_console import ProductConsole
from lsum_cli.rendering.statements import count

_PLAIN_WIDTH = 120
_SHORT_NAMES = {"rouge1": "R-1", "rouge2": "R-2", "rougeL": "R-L", "rougeLsum": "R-Lsum"}
_SECONDS = Metric(name="seconds", label="Seconds", unit="s", meaning="Time to write one summary.")
# Shown of every evaluation; the others under --measures.
_USUAL = ("words", "length_error", "compression", "tokens_read", "tokens_dropped", "seconds")
_COLUMNS = {column.name: column for column in (*METRICS, *ENCODER_METRICS, _SECONDS)}
_SMALLEST_P = 0.001
# Resampling so few draws the same ones again and again.
_FEW_EXAMPLES = 20
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;"
    "padding:0 1rem}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.3rem .8rem;text-align:right;"
    "border-bottom:1px solid #8884;font-variant-numeric:tabular-nums}th:first-child,td:first-child"
    "{text-align:left}code{overflow-wrap:anywhere}caption{text-align:left;font-weight:600}"
)


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """A table in words: its first column are names, the others numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_schema() -> dict[str, Any]:
    """The JSON Schema that the report as JSON fulfils."""
    file = resources.files("lsum_cli.rendering") / "schemas" / "evaluation-1.schema.json"
    return cast(dict[str, Any], json.loads(file.read_text(encoding="utf-8")))


def measure_names() -> tuple[str, ...]:
    """What ``--measures`` may name."""
    return tuple(_COLUMNS)


def write_report(
    report: Report, format: ReportFormat, stream: TextIO, *, measures: Sequence[str] = ()
) -> None:
    """Write a report to a stream.

    Args:
        measures: Columns to show besides the usual ones; CSV and JSON hold all.
    """
    if format is ReportFormat.JSON:
        stream.write(json.dumps(describe_report(report), ensure_ascii=False, allow_nan=False) + "\n")
    elif format is ReportFormat.CSV:
        stream.write(_write_csv(report))
    else:
        title = f"Evaluation on {report.data.name}"
        _write_grids(title, _grids(report, measures), _notes(report), format, stream)


def write_comparisons(
    comparisons: Sequence[Comparison], signature: str, format: ReportFormat, stream: TextIO
) -> None:
    """Write comparisons of systems to a stream."""
    if format is ReportFormat.JSON:
        stream.write(_comparisons_as_json(comparisons, signature))
    elif format is ReportFormat.CSV:
        stream.write(_comparisons_as_csv(comparisons))
    else:
        grids = [_grid_of_comparison(comparison) for comparison in comparisons]
        fewest = min((each.differences[name].count for each in comparisons for name in ROUGE_METRICS), default=0)
        notes = [_COMPARISON_NOTE, *_doubts(fewest), f"signature {signature}"]
        _write_grids("Comparison", grids, notes, format, stream)


_COMPARISON_NOTE = (
    f"paired bootstrap over the same examples; in brackets the {LEVEL:.0%} interval of the difference;"
    " p: how often chance alone would set two equal systems so far apart"
)


def _grids(report: Report, measures: Sequence[str]) -> list[_Grid]:
    percent = f"{LEVEL:.0%}"
    grids = [
        _Grid(
            title=f"ROUGE F1 × 100, with {percent} intervals",
            header=("System", *(_SHORT_NAMES[name] for name in ROUGE_METRICS)),
            rows=tuple(
                (system.name, *(_format_score(system.scores[name]) for name in ROUGE_METRICS))
                for system in report.systems
            ),
        )
    ]
    told = [_COLUMNS[name] for name in _USUAL if _is_told(report, name)]
    if told:
        grids.append(
            _Grid(
                title="Length, reading and time",
                header=("System", *(_heading(column) for column in told)),
                rows=tuple(
                    (system.name, *(_format_mean(system, column) for column in told))
                    for system in report.systems
                ),
            )
        )
    # What encoders were asked for is wished for.
    names = dict.fromkeys((*measures, *(column.name for column in ENCODER_METRICS)))
    wished = [_COLUMNS[name] for name in names if name not in _USUAL and _is_told(report, name)]
    if wished:
        grids.append(
            _Grid(
                title="What ROUGE does not see",
                header=("Measure", *(system.name for system in report.systems)),
                rows=tuple(
                    (_heading(column), *(_format_mean(system, column) for system in report.systems))
                    for column in wished
                ),
            )
        )
    if report.comparisons:
        grids.append(_grid_against_first(report))
    return grids


def _grid_against_first(report: Report) -> _Grid:
    first = report.comparisons[0].first
    return _Grid(
        title=f"How much better {first} is (R × 100)",
        header=("than", *(_SHORT_NAMES[name] for name in ROUGE_METRICS)),
        rows=tuple(
            (comparison.second, *(_format_gain(comparison.differences[name]) for name in ROUGE_METRICS))
            for comparison in report.comparisons
        ),
    )


def _grid_of_comparison(comparison: Comparison) -> _Grid:
    return _Grid(
        title=f"{comparison.first} minus {comparison.second}",
        header=("Measure", "difference", f"{LEVEL:.0%} interval", "p", "examples"),
        rows=tuple(
            (
                _SHORT_NAMES[name],
                f"{100 * gain.difference:+.2f}" if gain.difference is not None else "–",
                f"{100 * gain.low:+.2f} to {100 * gain.high:+.2f}"
                if gain.low is not None and gain.high is not None
                else "–",
                _format_p(gain.p_value),
                f"{gain.count:,}",
            )
            for name in ROUGE_METRICS
            if (gain := comparison.differences.get(name)) is not None
        ),
    )


def _notes(report: Report) -> list[str]:
    data = report.data
    notes = [
        f"{count(data.examples, 'example')} of {data.where}, references of {data.reference_words:,.0f} words"
        " on average"
    ]
    if data.excluded:
        told = ", ".join(f"{number:,} with {reason}" for reason, number in data.excluded.items())
        notes.append(f"records left out: {told}")
    if _is_told(report, "length_error"):
        wishes = {
            str(system.settings["length"]) for system in report.systems if system.settings.get("length")
        }
        against = f"--length {', '.join(sorted(wishes))}" if wishes else "the length of each reference"
        notes.append(f"length error: against {against}")
    if report.comparisons:
        notes.append("p: paired bootstrap over the same examples")
    return [*notes, *_doubts(data.examples), f"signature {report.signature}"]


def _doubts(num_examples: int) -> list[str]:
    if num_examples >= _FEW_EXAMPLES:
        return []
    return [f"fewer than {_FEW_EXAMPLES} examples: their intervals and p are too small to rely on"]


def _write_grids(
    title: str, grids: Sequence[_Grid], notes: Sequence[str], format: ReportFormat, stream: TextIO
) -> None:
    if format is ReportFormat.MARKDOWN:
        stream.write(_as_markdown(title, grids, notes))
    elif format is ReportFormat.HTML:
        stream.write(_as_html(title, grids, notes))
    else:
        _print(grids, notes, stream, is_rich=format is ReportFormat.RICH)


def _print(grids: Sequence[_Grid], notes: Iterable[str], stream: TextIO, *, is_rich: bool) -> None:
    console = ProductConsole(
        file=stream, force_terminal=None if is_rich else False, width=None if is_rich else _PLAIN_WIDTH
    )
    for grid in grids:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=Text(clean_line(grid.title)))
        table.title_justify = "left"
        for number, heading in enumerate(grid.header):
            table.add_column(
                Text(clean_line(heading)), justify="right" if number else "left", overflow="fold"
            )
        for row in grid.rows:
            table.add_row(*(Text(clean_line(cell)) for cell in row))
        console.print(table)
    for note in notes:
        console.print(Text(clean_line(note)), soft_wrap=True)


def _as_markdown(title: str, grids: Sequence[_Grid], notes: Iterable[str]) -> str:
    parts = [f"# {escape_markdown(title)}\n"]
    for grid in grids:
        lines = [grid.header, ("---", *(["---:"] * (len(grid.header) - 1))), *grid.rows]
        cells = [[cell if "---" in cell else _markdown_cell(cell) for cell in line] for line in lines]
        parts.append(f"## {escape_markdown(grid.title)}\n")
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n")
    parts.append("\n".join(f"- {escape_markdown(note)}" for note in notes) + "\n")
    return "\n".join(parts)


def _markdown_cell(cell: str) -> str:
    return cell if cell[:1].isdigit() else escape_markdown(cell)


def _as_html(title: str, grids: Sequence[_Grid], notes: Iterable[str]) -> str:
    tables = "\n".join(
        f"<table><caption>{escape_html(grid.title)}</caption>"
        f"<thead><tr>{_cells('th', grid.header)}</tr></thead>"
        f"<tbody>{_lines(grid.rows)}</tbody></table>"
        for grid in grids
    )
    listed = "".join(f"<li><code>{escape_html(note)}</code></li>" for note in notes)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape_html(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape_html(title)}</h1>\n{tables}\n<ul>{listed}</ul></body></html>\n"
    )


def _lines(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"<tr>{_cells('td', row)}</tr>" for row in rows)


def _cells(tag: str, row: Iterable[str]) -> str:
    return "".join(f"<{tag}>{escape_html(cell)}</{tag}>" for cell in row)


def _write_csv(report: Report) -> str:
    """One line per system and measure; ROUGE and shares as fractions."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["system", "kind", "measure", "mean", "low", "high", "examples", "signature"])
    for system in report.systems:
        for name, interval in system.scores.items():
            numbers = [_number(value) for value in (interval.mean, interval.low, interval.high)]
            writer.writerow([system.name, system.kind, name, *numbers, interval.count, report.signature])
    return stream.getvalue()


def _comparisons_as_csv(comparisons: Sequence[Comparison]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["first", "second", "measure", "difference", "low", "high", "p", "examples"])
    for each in comparisons:
        for name, gain in each.differences.items():
            numbers = [_number(value) for value in (gain.difference, gain.low, gain.high, gain.p_value)]
            writer.writerow([each.first, each.second, name, *numbers, gain.count])
    return stream.getvalue()


def _comparisons_as_json(comparisons: Sequence[Comparison], signature: str) -> str:
    from lsum_cli.records import encode

    listed = [encode(comparison) for comparison in comparisons]
    value = {"schema": "lsum.comparison/1", "signature": signature, "comparisons": listed}
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _is_told(report: Report, name: str) -> bool:
    return any(system.scores[name].mean is not None for system in report.systems if name in system.scores)


def _heading(column: Metric) -> str:
    return f"{column.label} ({column.unit})" if column.unit in ("%", "bits") else column.label


def _format_score(interval: Interval) -> str:
    if interval.mean is None or interval.low is None or interval.high is None:
        return "–"
    return f"{100 * interval.mean:.2f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def _format_gain(gain: Difference) -> str:
    if gain.difference is None:
        return "–"
    return f"{100 * gain.difference:+.2f} (p {_format_p(gain.p_value)})"


def _format_p(p_value: float | None) -> str:
    if p_value is None:
        return "–"
    return f"< {_SMALLEST_P}" if p_value < _SMALLEST_P else f"{p_value:.3f}"


def _format_mean(system: SystemReport, column: Metric) -> str:
    interval = system.scores.get(column.name)
    if interval is None or interval.mean is None:
        return "–"
    value = round(interval.mean, 6) + 0.0  # no -0
    formats = {
        "%": f"{100 * value:.1f}",
        "words": f"{value:,.0f}",
        "tokens": f"{value:,.0f}",
        "×": f"{value:.1f}×",
    }
    return formats.get(column.unit, f"{value:.2f}")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
