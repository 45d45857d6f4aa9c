"""The report of an evaluation, as tables for people or numbers for programs, always with its signature."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import resources
from statistics import fmean, stdev
from typing import Any, TextIO, cast

from lsum_cli.evaluation.bootstrap import LEVEL, Difference, Interval
from lsum_cli.evaluation.metrics.models import ENCODER_METRICS, ENTAILMENT_METRICS
from lsum_cli.evaluation.metrics.registry import METRICS, Metric
from lsum_cli.evaluation.metrics.rouge import ROUGE_METRICS
from lsum_cli.evaluation.report import Comparison, Report, SystemReport, describe_report
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.quantities import UNKNOWN, count
from lsum_cli.rendering.tables import Cell, Column, Marked, Row, Table, write_object, write_tables

_PLAIN_WIDTH = 120
_SHORT_NAMES = {"rouge1": "R-1", "rouge2": "R-2", "rougeL": "R-L", "rougeLsum": "R-Lsum"}
_SECONDS = Metric(name="seconds", label="Seconds", unit="s")
# Shown for every evaluation; the others on request, with --metrics.
_USUAL = ("words", "length_error", "compression", "tokens_read", "tokens_dropped", "seconds")
_COLUMNS = {column.name: column for column in (*METRICS, *ENTAILMENT_METRICS, *ENCODER_METRICS, _SECONDS)}
_SMALLEST_P = 0.001
# Resampling fewer than these draws the same ones over and over.
_FEW_EXAMPLES = 20
_FEW_RUNS = 5
_SIGNIFICANT = 0.05
_ORACLE = "oracle"


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
    " p: how often two equal systems would differ this much by chance; corrected p: for all comparisons of"
    " the metric (Holm); d: Cohen's d of the differences; better: share of the examples on which"
    " the first scores higher"
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
    keys = (
        "first",
        "second",
        "measure",
        "difference",
        "low",
        "high",
        "p",
        "examples",
        "p_holm",
        "effect_size",
        "wins",
    )
    rows: list[Row] = []
    for each in comparisons:
        for name, gain in each.differences.items():
            numbers = map(_number, (gain.difference, gain.low, gain.high, gain.p_value))
            more = map(_number, (gain.p_holm, gain.effect_size, gain.wins))
            rows.append((each.first, each.second, name, *numbers, gain.count, *more))
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
            [(each.name, *(_mark_score(report, each, name) for name in ROUGE_METRICS)) for each in systems],
            legend=_legend(report),
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
    tables += [_tabulate_runs(system) for system in systems if len(system.runs) > 1]
    for first in dict.fromkeys(each.first for each in report.comparisons):
        gains = [(each.second, each.differences) for each in report.comparisons if each.first == first]
        shows: tuple[tuple[str, Callable[[Difference], Cell]], ...] = (
            (f"Advantage of {first} (ROUGE × 100)", _mark_gain),
            (f"Effect size of {first} (Cohen's d), and examples on which it is better", _format_effect),
        )
        for title, show in shows:
            lines: list[Row] = [
                (second, *(show(gain[name]) for name in ROUGE_METRICS)) for second, gain in gains
            ]
            legend = f"† is significant (p < {_SIGNIFICANT}, {_test(report)})." if show is _mark_gain else ""
            tables.append(_table_of_names(title, ("over", *rouge), lines, legend=legend))
    return tables


def _legend(report: Report) -> str:
    """What the marks in the table of scores mean."""
    best = "The best is bold" + (
        "; the oracle, which sees the reference, is left out" if _has_oracle(report) else ""
    )
    if not report.comparisons:
        return f"{best}."
    first = report.systems[0].name
    return f"{best}. † differs from {first} (p < {_SIGNIFICANT}, {_test(report)})."


def _has_oracle(report: Report) -> bool:
    return any(_is_oracle(system) for system in report.systems)


def _is_oracle(system: SystemReport) -> bool:
    return system.settings.get("baseline") == _ORACLE or system.settings.get("pooling") == _ORACLE


def _mark_score(report: Report, system: SystemReport, name: str) -> Marked:
    """A score, with marks where it is the best one, and where it differs from that of the first system."""
    shown = _format_score(system.scores[name])
    rivals = [each.scores[name].mean for each in report.systems if not _is_oracle(each)]
    greatest = max((round(100 * mean, 2) for mean in rivals if mean is not None), default=None)
    mean = system.scores[name].mean
    is_best = mean is not None and round(100 * mean, 2) == greatest and not _is_oracle(system)
    first = report.systems[0].name
    gains = [
        each.differences[name]
        for each in report.comparisons
        if (each.first, each.second) == (first, system.name)
    ]
    return Marked(text=shown, is_best=is_best and len(rivals) > 1, is_significant=any(map(_differs, gains)))


def _differs(gain: Difference) -> bool:
    p_value = gain.p_value if gain.p_holm is None else gain.p_holm
    return p_value is not None and p_value < _SIGNIFICANT


def _mark_gain(gain: Difference) -> Marked:
    return Marked(text=_format_gain(gain), is_significant=_differs(gain))


def _tabulate_runs(system: SystemReport) -> Table:
    """The runs of a system, and their mean with its standard deviation."""
    scores = {name: [run.means.get(name) for run in system.runs] for name in ROUGE_METRICS}
    rows: list[Row] = [
        (run.name, *(_percent(run.means.get(name)) for name in ROUGE_METRICS)) for run in system.runs
    ]
    spreads = []
    for found in scores.values():
        known = [100 * score for score in found if score is not None]
        spreads.append(f"{fmean(known):.2f} ± {stdev(known):.2f}" if len(known) > 1 else None)
    rows.append(("mean ± standard deviation", *spreads))
    rouge = [_SHORT_NAMES[name] for name in ROUGE_METRICS]
    return _table_of_names(f"Runs of {system.name} (ROUGE F1 × 100)", ("Run", *rouge), rows)


def _percent(score: float | None) -> str | None:
    return None if score is None else f"{100 * score:.2f}"


def tabulate_examples(report: Report) -> Table:
    """A row for every example, system and run: the reference, the summary, and all its scores."""
    columns = list(dict.fromkeys(name for system in report.systems for name in system.scores))
    rows: list[Row] = [
        (
            *(row.id, row.where, system.name, row.run, row.reference, row.text, row.error),
            *(row.scores.get(name) for name in columns),
        )
        for system in report.systems
        for row in system.rows
    ]
    keys = ("id", "where", "system", "run", "reference", "summary", "error", *columns)
    return Table.of_keys(keys, rows)


def _tabulate_comparison(comparison: Comparison) -> Table:
    gains = [(name, comparison.differences[name]) for name in ROUGE_METRICS if name in comparison.differences]
    return _table_of_names(
        f"{comparison.first} minus {comparison.second}",
        ("Metric", "difference", f"{LEVEL:.0%} interval", "p", "corrected p", "d", "better", "examples"),
        [
            (
                _SHORT_NAMES[name],
                Marked(
                    text=UNKNOWN if gain.difference is None else f"{100 * gain.difference:+.2f}",
                    is_significant=_differs(gain),
                ),
                f"{100 * gain.low:+.2f} to {100 * gain.high:+.2f}"
                if gain.low is not None and gain.high is not None
                else None,
                _format_p(gain.p_value),
                _format_p(gain.p_holm),
                None if gain.effect_size is None else f"{gain.effect_size:+.2f}",
                None if gain.wins is None else f"{gain.wins:.0%}",
                gain.count,
            )
            for name, gain in gains
        ],
        legend=f"† is significant (corrected p < {_SIGNIFICANT}).",
    )


def _table_of_names(title: str, headings: Sequence[str], rows: Sequence[Row], *, legend: str = "") -> Table:
    """A table whose first column names the rows."""
    columns = (Column(heading=h, align="right" if number else "left") for number, h in enumerate(headings))
    return Table(title=title, columns=tuple(columns), rows=tuple(rows), legend=legend)


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
        notes.append(_test_note(report))
    for metric in ("nli", *(metric.name for metric in ENCODER_METRICS)):
        used = dict.fromkeys(str(s.settings[metric]) for s in report.systems if s.settings.get(metric))
        notes += [each if metric == "nli" else f"{metric}: {each}" for each in used]
    return [*notes, *_doubts(data.examples), f"signature {report.signature}"]


def _test_note(report: Report) -> str:
    """How p was computed."""
    runs = max(len(system.runs) for system in report.systems)
    few = f"; fewer than {_FEW_RUNS} runs show little of how much runs differ" if 1 < runs < _FEW_RUNS else ""
    return f"p: {_test(report)}{few}"


def _test(report: Report) -> str:
    """The name of the test, with everything that belongs to it."""
    runs = max(len(system.runs) for system in report.systems)
    drawn = f"the same examples and {runs} runs (hierarchical)" if runs > 1 else "the same examples"
    several = len(report.comparisons)
    corrected = f", corrected for the {several} comparisons of each column (Holm)" if several > 1 else ""
    return f"paired bootstrap over {drawn}{corrected}"


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
    p_value = gain.p_value if gain.p_holm is None else gain.p_holm
    return f"{100 * gain.difference:+.2f} (p {_format_p(p_value)})"


def _format_effect(gain: Difference) -> str:
    if gain.wins is None:
        return UNKNOWN
    effect = UNKNOWN if gain.effect_size is None else f"{gain.effect_size:+.2f}"
    return f"{effect} ({gain.wins:.0%})"


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
