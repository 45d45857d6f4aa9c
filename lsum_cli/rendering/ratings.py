"""Sheets on which people rate summaries, and what they say of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from typing import TextIO

from lsum_cli.documents import Document
from lsum_cli.evaluation.bootstrap import LEVEL, Difference, Interval
from lsum_cli.evaluation.ratings import CRITERIA, LEAST, MOST, Item, RatingReport
from lsum_cli.rendering.escaping import digest_of, render_template
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.quantities import UNKNOWN, count
from lsum_cli.rendering.tables import Column, Marked, Row, Table, write_object, write_tables

_PLAIN_WIDTH = 120
_SIGNIFICANT = 0.05
_SMALLEST_P = 0.001
_TITLE = "Ratings of summaries"


@dataclass(frozen=True, kw_only=True, slots=True)
class _ShownItem:
    """A summary as the sheet shows it."""

    id: str
    row: str
    letter: str
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _ShownDocument:
    """A document as the sheet shows it."""

    title: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]


def write_page(items: Sequence[Item], documents: Mapping[int, Sequence[Document]]) -> str:
    """The sheet as one page that loads nothing: it keeps the ratings, and saves them as CSV.

    Args:
        items: What is rated.
        documents: What was summarised, by the number of the example; may lack some or all.
    """
    files = resources.files("lsum_cli.rendering")
    style, script = ((files / name).read_text(encoding="utf-8") for name in ("ratings.css", "ratings.js"))
    rows = {item.id: f"{number}/{len(items)}" for number, item in enumerate(items, start=1)}
    examples = []
    for number, group in groupby(items, key=lambda item: item.example):
        shown = [
            _ShownItem(
                id=item.id,
                row=rows[item.id],
                letter=_letter(place),
                lines=tuple(filter(None, item.row.text.splitlines())),
            )
            for place, item in enumerate(group)
        ]
        examples.append((number, _show(documents.get(number, ())), shown))
    return render_template(
        "ratings.html.jinja",
        title=_TITLE,
        criteria=list(CRITERIA.items()),
        values=range(LEAST, MOST + 1),
        least=LEAST,
        most=MOST,
        examples=examples,
        texts={item.id: item.row.text for item in items},
        digest=hashlib.sha256("".join(rows).encode()).hexdigest()[:12],
        style=style,
        script=script,
        style_digest=digest_of(style),
        script_digest=digest_of(script),
    )


def write_ratings(report: RatingReport, format: ReportFormat, stream: TextIO) -> None:
    """Write what the raters say to a stream."""
    if format is ReportFormat.JSON:
        from lsum_cli.records import encode

        write_object({"schema": "lsum.ratings/1", **encode(report)}, stream, indent=None)
    elif format is ReportFormat.CSV:
        stream.write(_tabulate_numbers(report).to_csv())
    else:
        tables = [_tabulate_systems(report), _tabulate_agreement(report)]
        write_tables(_TITLE, tables, _notes(report), format, stream, plain_width=_PLAIN_WIDTH)


def _tabulate_numbers(report: RatingReport) -> Table:
    keys = (
        *("system", "criterion", "mean", "low", "high", "summaries"),
        *("difference", "p", "p_holm", "effect_size", "alpha"),
    )
    rows: list[Row] = []
    for system in report.systems:
        for name, interval in system.scores.items():
            gain = system.differences.get(name)
            more = (gain.difference, gain.p_value, gain.p_holm, gain.effect_size) if gain else (None,) * 4
            scores = (interval.mean, interval.low, interval.high, system.items)
            rows.append((system.name, name, *scores, *more, report.agreement[name]))
    return Table.of_keys(keys, rows)


def _tabulate_systems(report: RatingReport) -> Table:
    rows: list[Row] = []
    for system in report.systems:
        cells = []
        for name in CRITERIA:
            means = [each.scores[name].mean for each in report.systems]
            best = max(round(mean, 2) for mean in means if mean is not None)
            mean = system.scores[name].mean
            cells.append(
                Marked(
                    text=_format(system.scores[name], system.differences.get(name)),
                    is_best=mean is not None and round(mean, 2) == best and len(means) > 1,
                    is_significant=_differs(system.differences.get(name)),
                )
            )
        rows.append((system.name, system.items, *cells))
    legend = "The best is bold."
    if len(report.systems) > 1:
        legend += f" † differs from {report.systems[0].name} (p < {_SIGNIFICANT}, paired bootstrap, Holm)."
    columns = (
        Column(heading="System", align="left"),
        Column(heading="Summaries"),
        *(Column(heading=name.capitalize()) for name in CRITERIA),
    )
    title = f"Ratings from {LEAST} to {MOST}, with {LEVEL:.0%} intervals"
    return Table(title=title, legend=legend, columns=columns, rows=tuple(rows))


def _tabulate_agreement(report: RatingReport) -> Table:
    columns = (Column(heading="Criterion", align="left"), Column(heading="Krippendorff's alpha"))
    rows = tuple((name.capitalize(), alpha) for name, alpha in report.agreement.items())
    return Table(title="Agreement of the raters", columns=columns, rows=rows)


def _notes(report: RatingReport) -> list[str]:
    notes = [f"{count(report.raters, 'rater')}; rated by several: {report.shared_items:,}"]
    if len(report.systems) > 1:
        first = report.systems[0].name
        notes.append(
            f"p: against {first}, paired bootstrap over the documents, corrected for all systems (Holm)"
        )
    notes.append("alpha: 1 for full agreement, 0 for that of chance (ordered values)")
    if any(alpha is None for alpha in report.agreement.values()):
        notes.append("no alpha where no summary was rated twice, or where all ratings are equal")
    return notes


def _format(interval: Interval, gain: Difference | None) -> str:
    if interval.mean is None or interval.low is None or interval.high is None:
        return UNKNOWN
    shown = f"{interval.mean:.2f} ({interval.low:.1f}–{interval.high:.1f})"
    p_value = gain.p_holm if gain else None
    if p_value is None:
        return shown
    return f"{shown}, p {f'< {_SMALLEST_P}' if p_value < _SMALLEST_P else f'{p_value:.3f}'}"


def _differs(gain: Difference | None) -> bool:
    return gain is not None and gain.p_holm is not None and gain.p_holm < _SIGNIFICANT


def _show(documents: Sequence[Document]) -> _ShownDocument | None:
    if not documents:
        return None
    sections = tuple(
        (
            section.heading or "",
            tuple(" ".join(sentence.text for sentence in each) for each in section.paragraphs),
        )
        for document in documents
        for section in document.sections
    )
    return _ShownDocument(title=documents[0].title or documents[0].id, sections=sections)


def _letter(place: int) -> str:
    """The name of a summary: A, B, …, Z, AA, …."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
