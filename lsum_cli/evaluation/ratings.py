"""Ratings by people: blind sheets of the summaries in a report, and what the filled sheets say.

A sheet shows for each example the summaries of all systems in an order of chance, and names no system: an
item is known by a hash, which the report alone can tell. The report is therefore needed to read a sheet
back. How far raters agree is Krippendorff's alpha for ordered values (Krippendorff 2011), which allows for
items that only some of them rated; it is computed by ``nltk``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from lsum_cli.errors import DatasetError, MissingDependency, OptionError
from lsum_cli.evaluation.bootstrap import Difference, Interval, adjust_holm, compare_means, mean_interval
from lsum_cli.evaluation.report import Report, SystemReport
from lsum_cli.evaluation.results import Row
from lsum_cli.text.terms import FloatArray

CRITERIA: Mapping[str, str] = {
    "coherence": "Is it well organised, does each sentence follow from what stands before?",
    "coverage": "Does it say what matters in the document, and leave out what does not?",
    "faithfulness": "Does the document support everything it says?",
}
LEAST, MOST = 1, 5
COLUMNS = ("row", "item", "example", "summary", *CRITERIA, "comment")
_ID_DIGITS = 12
_FORMULA = ("=", "+", "-", "@")
_UNTOUCHED = "give a sheet as lsum eval rate wrote it, with nothing but the ratings filled in"


@dataclass(frozen=True, kw_only=True)
class Item:
    """One summary to rate.

    Attributes:
        id: What the sheet calls it.
        example: The number of its example in the sheet, from 1.
        system: Who wrote it; not in the sheet.
        row: The summary, with its example.
    """

    id: str
    example: int
    system: str
    row: Row


@dataclass(frozen=True, kw_only=True)
class Rating:
    """What one rater says of one item: a number from 1 to 5 by criterion."""

    item: str
    values: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class RatedSystem:
    """The ratings of one system.

    Attributes:
        name: The system.
        items: Number of its summaries that were rated.
        scores: By criterion the mean with its interval, where the raters of an item count as one.
        differences: By criterion the difference of the first system to it; empty for the first.
    """

    name: str
    items: int
    scores: Mapping[str, Interval]
    differences: Mapping[str, Difference] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RatingReport:
    """What the raters say of all systems.

    Attributes:
        systems: In the order of the report.
        agreement: Krippendorff's alpha by criterion; ``None`` with one rater, or where all ratings are equal.
        raters: Number of sheets.
        shared_items: Number of items that more than one rater rated.
    """

    systems: tuple[RatedSystem, ...]
    agreement: Mapping[str, float | None]
    raters: int
    shared_items: int


def make_items(report: Report, *, limit: int | None = None, seed: int = 0) -> list[Item]:
    """The summaries to rate, those of one example together; all orders are of chance.

    Of a system with several runs each example shows one, by chance. Summaries that are missing or empty are
    not rated; two systems that wrote the same text are rated on their own.

    Args:
        limit: The number of examples, drawn by chance; all by default.
        seed: Seed of all draws.

    Raises:
        OptionError: The report contains no summary.
    """
    chance = random.Random(seed)  # noqa: S311
    runs = {system.name: system.rows_by_run for system in report.systems}
    first = next(iter(runs.values()))[0]
    places = list(range(len(first)))
    chance.shuffle(places)
    items: list[Item] = []
    number = 0
    for place in places[:limit]:
        group = []
        for name, rows_by_run in runs.items():
            row = _same_example(chance.choice(rows_by_run), first[place])
            if row is not None and row.text.strip():
                group.append((name, row))
        chance.shuffle(group)
        number += bool(group)
        items += [
            Item(id=_item_id(report, name, row), example=number, system=name, row=row) for name, row in group
        ]
    if not items:
        raise OptionError("the report contains no summary to rate", "give another report")
    return items


def write_sheet(items: Sequence[Item]) -> str:
    """The sheet as CSV: a line for each item, with empty cells for the ratings."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, item in enumerate(items, start=1):
        blanks = [""] * (len(CRITERIA) + 1)
        text = item.row.text
        # A spreadsheet would compute it, and save what came out.
        shown = f" {text}" if text.startswith(_FORMULA) else text
        writer.writerow([f"{number}/{len(items)}", item.id, item.example, shown, *blanks])
    return stream.getvalue()


def read_sheet(path: Path, report: Report) -> list[Rating]:
    """The ratings of a filled sheet.

    Raises:
        DatasetError: It cannot be read; or a row is missing, was edited, or is not filled in: the message
            names the row.
    """
    known = {_item_id(report, system.name, row): row.text for system in report.systems for row in system.rows}
    ratings: list[Rating] = []
    total = None
    for number, record in enumerate(_read_records(path), start=1):
        where = f"{path}, row {record['row'] or number}"
        place, _, stated = record["row"].partition("/")
        if total is None:
            total = stated
        if (place, stated) != (str(number), total):
            raise DatasetError(f"{path}: row {number}/{total} is missing or out of order", _UNTOUCHED)
        text = known.get(record["item"])
        if text is None:
            raise DatasetError(
                f"{where}: the report contains no item '{record['item']}'",
                "give the report that the sheet was made from",
            )
        if _plain(text) != _plain(record["summary"]):
            raise DatasetError(f"{where}: its summary was edited", _UNTOUCHED)
        values = {name: _read_value(record[name], name, where) for name in CRITERIA}
        ratings.append(Rating(item=record["item"], values=values))
    if total is None or str(len(ratings)) != total:
        raise DatasetError(f"{path}: row {len(ratings) + 1}/{total or '?'} is missing", _UNTOUCHED)
    return ratings


def sum_up_ratings(
    report: Report, sheets: Sequence[Sequence[Rating]], *, resamples: int, seed: int = 0
) -> RatingReport:
    """What the raters say of all systems, and how far they agree.

    Args:
        sheets: The ratings of each rater.
        resamples: Number of bootstrap resamples, of the items.
        seed: Seed of the resampling.

    Raises:
        MissingDependency: ``nltk`` is not installed.
    """
    given: dict[str, list[Rating]] = {}
    for rating in (each for sheet in sheets for each in sheet):
        given.setdefault(rating.item, []).append(rating)
    means = {
        name: {item: sum(each.values[name] for each in found) / len(found) for item, found in given.items()}
        for name in CRITERIA
    }
    numbers = {
        system.name: len({_item_id(report, system.name, row) for row in system.rows} & given.keys())
        for system in report.systems
    }
    rated = [system for system in report.systems if numbers[system.name]]
    systems = []
    for system in rated:
        scores, differences = {}, {}
        for name in CRITERIA:
            values, first = (_mean_by_example(report, each, means[name]) for each in (system, rated[0]))
            scores[name] = mean_interval(values, resamples=resamples, seed=seed)
            if system is not rated[0]:
                differences[name] = compare_means(first, values, resamples=resamples, seed=seed)
        systems.append(
            RatedSystem(name=system.name, items=numbers[system.name], scores=scores, differences=differences)
        )
    return RatingReport(
        systems=_corrected(systems),
        agreement={
            name: find_alpha([{rating.item: rating.values[name] for rating in sheet} for sheet in sheets])
            for name in CRITERIA
        },
        raters=len(sheets),
        shared_items=sum(len(found) > 1 for found in given.values()),
    )


def find_alpha(raters: Sequence[Mapping[str, int]]) -> float | None:
    """Krippendorff's alpha for ordered values: 1 where all agree, 0 where they agree no more than by chance.

    Args:
        raters: The value of each item that a rater rated.

    Returns:
        ``None`` where no item was rated twice, or all values are equal.

    Raises:
        MissingDependency: ``nltk`` is not installed.
    """
    times = Counter(item for values in raters for item in values)
    paired = [
        (f"rater {number}", item, value)
        for number, values in enumerate(raters)
        for item, value in values.items()
        if times[item] > 1
    ]
    counts = Counter(value for _, _, value in paired)
    if len(counts) < 2:
        return None
    try:
        from nltk.metrics.agreement import AnnotationTask
    except ImportError as error:
        raise MissingDependency(
            "the agreement of raters needs the package nltk, which is not installed",
            "pip install 'lsum-cli[eval]'",
        ) from error

    def distance(first: int, second: int) -> float:
        """How many ratings lie between two values, those of both counted half, squared."""
        low, high = min(first, second), max(first, second)
        between = sum(count for value, count in counts.items() if low <= value <= high)
        return (between - (counts[low] + counts[high]) / 2) ** 2 if low != high else 0.0

    return float(AnnotationTask(paired, distance=distance).alpha())


def _corrected(systems: Sequence[RatedSystem]) -> tuple[RatedSystem, ...]:
    """The systems with p-values corrected for all comparisons of a criterion."""
    others = systems[1:]
    changed: list[dict[str, Difference]] = [dict(system.differences) for system in others]
    for name in CRITERIA:
        adjusted = adjust_holm([each[name].p_value for each in changed])
        for each, p_holm in zip(changed, adjusted, strict=True):
            each[name] = replace(each[name], p_holm=p_holm)
    return (
        *systems[:1],
        *(replace(system, differences=each) for system, each in zip(others, changed, strict=True)),
    )


def _mean_by_example(report: Report, system: SystemReport, means: Mapping[str, float]) -> FloatArray:
    """The rating of each example, of several rated runs their mean, (examples,); NaN where there is none."""
    leading = report.systems[0].rows_by_run[0]
    found = []
    for row in leading:
        same = [_same_example(rows, row) for rows in system.rows_by_run]
        keys = [_item_id(report, system.name, each) for each in same if each is not None]
        values = [means[key] for key in dict.fromkeys(keys) if key in means]
        found.append(sum(values) / len(values) if values else np.nan)
    return np.array(found, np.float64)


def _same_example(rows: Sequence[Row], wanted: Row) -> Row | None:
    """The row of the same example: the same id and reference."""
    key = (wanted.id, wanted.reference_sha256)
    return next((row for row in rows if (row.id, row.reference_sha256) == key), None)


def _item_id(report: Report, system: str, row: Row) -> str:
    parts = (report.signature.data, system, row.run or "", row.id, row.where, row.reference_sha256, row.text)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]


def _read_records(path: Path) -> list[dict[str, str]]:
    """The lines of a sheet by column; spreadsheets may have changed the separator."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path} is not UTF-8", "save the sheet as CSV in UTF-8") from error
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}", "check the path") from error
    header = text.partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise DatasetError(f"{path} lacks the columns {', '.join(missing)}", _UNTOUCHED)
        return [{name: (record[name] or "").strip() for name in COLUMNS} for record in reader]
    except csv.Error as error:
        raise DatasetError(f"{path} is not valid CSV: {error}", _UNTOUCHED) from error


def _read_value(text: str, criterion: str, where: str) -> int:
    if not text:
        raise DatasetError(
            f"{where}: {criterion} is not filled in", f"rate every summary from {LEAST} to {MOST}"
        )
    # A spreadsheet may turn 4 into 4.0.
    whole = text.removesuffix(".0").removesuffix(",0")
    if whole not in map(str, range(LEAST, MOST + 1)):
        raise DatasetError(
            f"{where}: {criterion} is '{text}'", f"give a whole number from {LEAST} (worst) to {MOST} (best)"
        )
    return int(whole)


def _plain(text: str) -> str:
    """A text without what files and spreadsheets change: ends of lines, spaces, lone surrogates."""
    written = text.encode("utf-8", "replace").decode("utf-8")
    return "\n".join(line.strip() for line in written.strip().splitlines())
