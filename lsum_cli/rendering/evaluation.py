"""The report of an evaluation, as tables for people or numbers for programs, always with its signature."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any, TextIO, cast

from lsum_cli.evaluation.bootstrap import LEVEL, Difference, Interval
from lsum_cli.evaluation.metrics.registry import ENCODER_METRICS, ENTAILMENT_METRICS, METRICS, Metric
from lsum_cli.evaluation.metrics.rouge import ROUGE_METRICS
from lsum_cli.evaluation.report import Comparison, Report, SystemReport, describe_report
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.quantities import UNKNOWN, count
from lsum_cli.rendering.tables import Column, Row, Table, write_object, write_tables

_PLAIN_WIDTH = 120
_SHORT_NAMES = {"rouge1": "R-1", "rouge2": "R-2", "rougeL": "R-L", "rougeLsum": "R-Lsum"}
_SECONDS = Metric(name="seconds", label="Seconds", unit="s", meaning="Time to write one summary.")
# Shown for every evaluation; the others on request, with --metrics.
_USUAL = ("words", "length_error", "compression", "tokens_read", "tokens_dropped", "seconds")
_COLUMNS = {column.name: column for column in (*METRICS, *ENTAILMENT_METRICS, *ENCODER_METRICS, _SECONDS)}
_SMALLEST_P = 0.001
# Resampling fewer than these draws the same ones over and over.
_FEW_EXAMPLES = 20


def read_schema() -> dict[str, Any]:
    """The JSON Schema of the report as JSON."""
    file = resources.files("lsum_cli.rendering") / "schemas" / "evaluation-2.schema.json"
    return cast(dict[str, Any], json.loads(file.read_text(encoding="utf-8")))


def metric_names() -> tuple[str, ...]:
    """The names that ``--metrics`` accepts."""
    return tuple(_COLUMNS)


def write_report(
    report: Report, format: ReportFormat, stream: TextIO, *, measures: Sequence[str] = ()
) -> None:
    """Write a report to a stream.

    Args:
        measures: Further metrics to show; CSV and JSON contain all.
    """
    if format is ReportFormat.JSON:
        write_object(describe_report(report), stream, indent=None)
    elif format is ReportFormat.CSV:
        stream.write(_tabulate_scores(report).to_csv())
    else:
        title = f"Evaluation on {report.data.name}"
        write_tables(
            title, _tables(report, measures), _notes(report), format, stream, plain_width=_PLAIN_WIDTH
        )


def write_comparisons(
    comparisons: Sequence[Comparison], signature: str, format: ReportFormat, stream: TextIO
) -> None:
    """Write comparisons of systems to a stream."""
    if format is ReportFormat.JSON:
        from lsum_cli.records import encode

        listed = [encode(comparison) for comparison in comparisons]
        content = {"schema": "lsum.comparison/1", "signature": signature, "comparisons": listed}
        write_object(content, stream, indent=None)
    elif format is ReportFormat.CSV:
        stream.write(_tabulate_differences(comparisons).to_csv())
    else:
        tables = [_tabulate_comparison(comparison) for comparison in comparisons]
        fewest = min(
            (each.differences[name].count for each in comparisons for name in ROUGE_METRICS), default=0
        )
        notes = [_COMPARISON_NOTE, *_doubts(fewest), f"signature {signature}"]
        write_tables("Comparison", tables, notes, format, stream, plain_width=_PLAIN_WIDTH)


_COMPARISON_NOTE = (
    f"paired bootstrap over the same examples, with the {LEVEL:.0%} interval of the difference;"
    " p: how often two equal systems would differ this much by chance"
)


# ---- for programs: a line per system and measure, ROUGE and shares as fractions


def _tabulate_scores(report: Report) -> Table:
    keys = ("system", "kind", "measure", "mean", "low", "high", "examples", "signature")
    rows: list[Row] = []
    for system in report.systems:
        for name, interval in system.scores.items():
            numbers = map(_number, (interval.mean, interval.low, interval.high))
            rows.append((system.name, system.kind, name, *numbers, interval.count, str(report.signature)))
    return Table.of_keys(keys, rows)


def _tabulate_differences(comparisons: Sequence[Comparison]) -> Table:
    keys = ("first", "second", "measure", "difference", "low", "high", "p", "examples")
    rows: list[Row] = []
    for each in comparisons:
        for name, gain in each.differences.items():
            numbers = map(_number, (gain.difference, gain.low, gain.high, gain.p_value))
            rows.append((each.first, each.second, name, *numbers, gain.count))
    return Table.of_keys(keys, rows)


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.6g}"


# ---- for people


def _tables(report: Report, measures: Sequence[str]) -> list[Table]:
    systems = report.systems
    rouge = [_SHORT_NAMES[name] for name in ROUGE_METRICS]
    tables = [
        _table_of_names(
            f"ROUGE F1 × 100, with {LEVEL:.0%} intervals",
            ("System", *rouge),
            [(each.name, *(_format_score(each.scores[name]) for name in ROUGE_METRICS)) for each in systems],
        )
    ]
    usual = [_COLUMNS[name] for name in _USUAL if _is_known(report, name)]
    if usual:
        rows = [(each.name, *(_format_mean(each, measure) for measure in usual)) for each in systems]
        tables.append(_table_of_names("Length, reading and time", ("System", *map(_heading, usual)), rows))
    # Metrics of models are computed only on demand, so they are always shown.
    by_models = (*ENTAILMENT_METRICS, *ENCODER_METRICS)
    names = dict.fromkeys((*measures, *(measure.name for measure in by_models)))
    wanted = [_COLUMNS[name] for name in names if name not in _USUAL and _is_known(report, name)]
    if wanted:
        headings = ("Metric", *(each.name for each in systems))
        rows = [(_heading(measure), *(_format_mean(each, measure) for each in systems)) for measure in wanted]
        tables.append(_table_of_names("Other metrics", headings, rows))
    if report.comparisons:
        title = f"Advantage of {report.comparisons[0].first} (ROUGE × 100)"
        rows = [
            (each.second, *(_format_gain(each.differences[name]) for name in ROUGE_METRICS))
            for each in report.comparisons
        ]
        tables.append(_table_of_names(title, ("over", *rouge), rows))
    return tables


def _tabulate_comparison(comparison: Comparison) -> Table:
    gains = [(name, comparison.differences[name]) for name in ROUGE_METRICS if name in comparison.differences]
    return _table_of_names(
        f"{comparison.first} minus {comparison.second}",
        ("Metric", "difference", f"{LEVEL:.0%} interval", "p", "examples"),
        [
            (
                _SHORT_NAMES[name],
                f"{100 * gain.difference:+.2f}" if gain.difference is not None else None,
                f"{100 * gain.low:+.2f} to {100 * gain.high:+.2f}"
                if gain.low is not None and gain.high is not None
                else None,
                _format_p(gain.p_value),
                gain.count,
            )
            for name, gain in gains
        ],
    )


def _table_of_names(title: str, headings: Sequence[str], rows: Sequence[Row]) -> Table:
    """A table whose first column names the rows."""
    columns = (Column(heading=h, align="right" if number else "left") for number, h in enumerate(headings))
    return Table(title=title, columns=tuple(columns), rows=tuple(rows))


def _notes(report: Report) -> list[str]:
    data = report.data
    notes = [
        f"{count(data.examples, 'example')} of {data.where}, references of {data.reference_words:,.0f} words"
        " on average"
    ]
    if data.excluded:
        reasons = ", ".join(f"{number:,} with {reason}" for reason, number in data.excluded.items())
        notes.append(f"records left out: {reasons}")
    if _is_known(report, "length_error"):
        lengths = {
            str(system.settings["length"]) for system in report.systems if system.settings.get("length")
        }
        against = f"--length {', '.join(sorted(lengths))}" if lengths else "the length of each reference"
        notes.append(f"length error: against {against}")
    if report.comparisons:
        notes.append("p: paired bootstrap over the same examples")
    for metric in ("nli", *(metric.name for metric in ENCODER_METRICS)):
        used = dict.fromkeys(str(s.settings[metric]) for s in report.systems if s.settings.get(metric))
        notes += [each if metric == "nli" else f"{metric}: {each}" for each in used]
    return [*notes, *_doubts(data.examples), f"signature {report.signature}"]


def _doubts(num_examples: int) -> list[str]:
    if num_examples >= _FEW_EXAMPLES:
        return []
    return [f"fewer than {_FEW_EXAMPLES} examples: intervals and p are unreliable"]


def _is_known(report: Report, name: str) -> bool:
    return any(system.scores[name].mean is not None for system in report.systems if name in system.scores)


def _heading(measure: Metric) -> str:
    return f"{measure.label} ({measure.unit})" if measure.unit in ("%", "bits") else measure.label


def _format_score(interval: Interval) -> str:
    if interval.mean is None or interval.low is None or interval.high is None:
        return UNKNOWN
    return f"{100 * interval.mean:.2f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def _format_gain(gain: Difference) -> str:
    if gain.difference is None:
        return UNKNOWN
    return f"{100 * gain.difference:+.2f} (p {_format_p(gain.p_value)})"


def _format_p(p_value: float | None) -> str:
    if p_value is None:
        return UNKNOWN
    return f"< {_SMALLEST_P}" if p_value < _SMALLEST_P else f"{p_value:.3f}"


def _format_mean(system: SystemReport, measure: Metric) -> str:
    interval = system.scores.get(measure.name)
    if interval is None or interval.mean is None:
        return UNKNOWN
    value = round(interval.mean, 6) + 0.0  # no -0
    formats = {
        "%": f"{100 * value:.1f}",
        "words": f"{value:,.0f}",
        "tokens": f"{value:,.0f}",
        "×": f"{value:.1f}×",
    }
    return formats.get(measure.unit, f"{value:.2f}")
