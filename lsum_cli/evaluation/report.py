"""The report of an evaluation: systems side by side, with intervals, comparisons and the signature."""

from __future__ import annotations

import importlib.metadata
import itertools
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from lsum_cli.errors import DatasetError, OptionError
from lsum_cli.evaluation.bootstrap import Difference, Interval, adjust_holm, compare_means, mean_interval
from lsum_cli.evaluation.metrics.rouge import ROUGE_METRICS
from lsum_cli.evaluation.options import EvaluationOptions, Preparation, RougeSettings
from lsum_cli.evaluation.results import Row, RunResult, SystemResult, hash_text
from lsum_cli.records import RecordError, decode, encode
from lsum_cli.summaries import CheckpointReference, OptionValue
from lsum_cli.text.terms import FloatArray
from lsum_cli.version import __version__

SCHEMA = "lsum.evaluation/2"
# Version 1 called baselines yardsticks.
_FORMER_SCHEMA = "lsum.evaluation/1"
_ANOTHER = "give a file that lsum eval --format json wrote"
_HASH_DIGITS = 12
# Begins the name of a baseline that has the lengths of another system.
SAME_LENGTH = "lead:"
# Texts whose mean lengths differ by a greater share are not compared by ROUGE without a word of warning.
_LENGTH_TOLERANCE = 0.2
# Scores are comparable where these parts are the same.
_COMPARED = ("implementation", "stemmer", "tokenizer", "splitter", "prepare", "data")


@dataclass(frozen=True, kw_only=True)
class Signature:
    """What scores depend on: one short line that belongs beside every score.

    Attributes:
        implementation: Package and version that defines ROUGE, and how common subsequences are computed.
        stemmer: Package and version, or ``"none"``.
        tokenizer: Name of the tokenizer.
        splitter: Package and version of the sentence splitter, which lsum's own rules complement.
        prepare: Preparation of the texts.
        examples: Number of examples.
        resamples: Number of bootstrap resamples.
        seed: Seed of the bootstrap.
        data: First digits of a SHA-256 over the references, independent of their order.
        lsum: The version that computed the scores.
    """

    implementation: str
    stemmer: str
    tokenizer: str
    splitter: str
    prepare: str
    examples: int
    resamples: int
    seed: int
    data: str
    lsum: str = __version__

    @classmethod
    def of(cls, settings: RougeSettings, hashes: Sequence[str], *, resamples: int, seed: int) -> Signature:
        """Describe how scores are computed.

        Args:
            settings: With the tokenizer that was chosen.
            hashes: Hashes of the references, by :func:`~lsum_cli.evaluation.results.hash_text`.
            resamples: Number of bootstrap resamples.
            seed: Seed of the bootstrap.
        """
        nltk = f"nltk-{importlib.metadata.version('nltk')}"
        return cls(
            implementation=f"rouge-score-{importlib.metadata.version('rouge-score')}+lcs-bits",
            stemmer=f"porter-{nltk}" if settings.stem else "none",
            tokenizer=settings.tokenizer.value,
            splitter=f"lines+sentencex-{importlib.metadata.version('sentencex')}+lsum",
            prepare=f"ptb-{nltk}" if settings.prepare is Preparation.PTB else "none",
            examples=len(hashes),
            resamples=resamples,
            seed=seed,
            data=hash_references(hashes),
        )

    def __str__(self) -> str:
        parts = {
            "rouge": "f1",
            "impl": self.implementation,
            "stem": self.stemmer,
            "tok": self.tokenizer,
            "split": self.splitter,
            "prep": self.prepare,
            "n": self.examples,
            "bs": self.resamples,
            "seed": self.seed,
            "data": self.data,
            "lsum": self.lsum,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())


def hash_references(hashes: Iterable[str]) -> str:
    """One short hash for many, independent of their order."""
    return hash_text("\n".join(sorted(hashes)))[:_HASH_DIGITS]


def differing_parts(first: Signature, second: Signature) -> list[str]:
    """The parts that make scores with these signatures incomparable: ``"stemmer (none, porter)"``."""
    return [
        f"{name} ({getattr(first, name)}, {getattr(second, name)})"
        for name in _COMPARED
        if getattr(first, name) != getattr(second, name)
    ]


@dataclass(frozen=True, kw_only=True)
class DataReport:
    """The data of an evaluation.

    Attributes:
        name: Short name.
        where: As given by the user.
        fingerprint: Hash of files and options of a data set; ``None`` for files of references.
        examples: Number of scored examples.
        reference_words: Mean length of the references.
        excluded: Number of records left out, by reason.
    """

    name: str
    where: str
    fingerprint: str | None = None
    examples: int
    reference_words: float
    excluded: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SystemReport:
    """One system's scores.

    Attributes:
        name: Name in tables.
        kind: ``"system"``, ``"baseline"`` or ``"predictions"``.
        checkpoint: The checkpoint that wrote, or ``None``.
        settings: Its settings.
        summaries: The file that caches its summaries.
        taken: Number of summaries from an earlier run.
        failed: Number of examples that could not be summarised; they score 0.
        empty: Number of empty summaries; they score 0.
        scores: Mean and interval by column.
        rows: One per example; of several runs, those of one after the other.
        warnings: Warnings for the user, one line each.
        runs: Its runs, where it was trained several times.
    """

    name: str
    kind: str
    checkpoint: CheckpointReference | None = None
    settings: Mapping[str, OptionValue] = field(default_factory=dict)
    summaries: str | None = None
    taken: int = 0
    failed: int = 0
    empty: int = 0
    scores: Mapping[str, Interval]
    rows: tuple[Row, ...]
    warnings: tuple[str, ...] = ()
    runs: tuple[RunResult, ...] = ()

    @property
    def rows_by_run(self) -> list[tuple[Row, ...]]:
        """The rows of each run; those of the system where it has one."""
        size = len(self.rows) // max(1, len(self.runs))
        return [self.rows[start : start + size] for start in range(0, len(self.rows), size)]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The differences of ``first`` minus ``second``, by column."""

    first: str
    second: str
    differences: Mapping[str, Difference]


@dataclass(frozen=True, kw_only=True)
class Report:
    """The results of an evaluation.

    Attributes:
        signature: What the scores depend on.
        systems: In the order given, baselines last.
        comparisons: Every other system, compared with the first; a baseline that has the lengths of another
            system with that one.
    """

    signature: Signature
    data: DataReport
    systems: tuple[SystemReport, ...]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the user, one line each."""
        warnings = [f"{system.name}: {text}" for system in self.systems for text in _warnings_of(system)]
        return (*warnings, *_different_lengths(self))


def make_report(
    results: Sequence[SystemResult],
    options: EvaluationOptions,
    *,
    name: str,
    where: str,
    fingerprint: str | None = None,
    excluded: Mapping[str, int] | None = None,
) -> Report:
    """Report results on the same data side by side.

    Args:
        results: At least one; every other is compared with the first.
        options: The options that the results were computed with.
        name: Short name of the data.
        where: The data, as given by the user.
        fingerprint: Fingerprint of the data set.
        excluded: Number of records left out, by reason.
    """
    first = results[0]
    rows = first.rows[: len(first.rows) // max(1, len(first.runs))]
    words = [row.reference_words for row in rows]
    systems = tuple(_report_system(result, options) for result in results)
    return Report(
        signature=Signature.of(
            first.rouge,
            [row.reference_sha256 for row in rows],
            resamples=options.resamples,
            seed=options.seed,
        ),
        data=DataReport(
            name=name,
            where=where,
            fingerprint=fingerprint,
            examples=len(rows),
            reference_words=sum(words) / len(words),
            excluded={reason: count for reason, count in (excluded or {}).items() if count},
        ),
        systems=systems,
        comparisons=_compare_all(
            [(_rival(other, systems), other) for other in systems[1:]], options.resamples, options.seed
        ),
    )


def compare_reports(first: Report, second: Report | None = None) -> tuple[Comparison, ...]:
    """Compare every system of one report with every one of another, or those of one with one another.

    By the paired bootstrap, on the scores per example; examples are paired by their references.

    Raises:
        OptionError: The scores were computed differently, or on different references.
    """
    resamples, seed = first.signature.resamples, first.signature.seed
    if second is None:
        pairs = list(itertools.combinations(first.systems, 2))
        if not pairs:
            raise OptionError(
                "the report contains only one system", "give a second report to compare it with"
            )
        return _compare_all(pairs, resamples, seed)
    parts = differing_parts(first.signature, second.signature)
    if parts:
        raise OptionError(
            f"the reports cannot be compared: they differ in {', '.join(parts)}",
            "evaluate both systems on the same references and with the same settings",
        )
    theirs = _renamed(second.systems, {system.name for system in first.systems})
    return _compare_all([(a, b) for a in first.systems for b in theirs], resamples, seed)


def _renamed(systems: Sequence[SystemReport], taken: Collection[str]) -> list[SystemReport]:
    """Systems of a second report, marked as such where the first has one of the same name."""
    return [
        replace(system, name=f"{system.name} (second report)") if system.name in taken else system
        for system in systems
    ]


def describe_report(report: Report) -> dict[str, Any]:
    """A report as a JSON object, described by ``schemas/evaluation-2.schema.json``."""
    value: dict[str, Any] = {"schema": SCHEMA, **encode(report), "warnings": list(report.warnings)}
    value["signature"] = {"text": str(report.signature), **value["signature"]}
    return value


def read_report(path: Path) -> Report:
    """Read a report that was written as JSON, by this version or an earlier one.

    A score that is NaN counts as missing.

    Raises:
        DatasetError: The file is missing, or not such a report.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda _: None)
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}", "check the path") from error
    except ValueError as error:
        raise DatasetError(f"{path} is not valid JSON: {error}", _ANOTHER) from error
    schema = value.pop("schema", None) if isinstance(value, dict) else None
    if schema not in (SCHEMA, _FORMER_SCHEMA):
        raise DatasetError(f"{path} is not a report of lsum eval", _ANOTHER)
    try:
        # Both follow from the rest.
        del value["warnings"], value["signature"]["text"]
        report = decode(Report, value)
    except (RecordError, KeyError, TypeError) as error:
        raise DatasetError(f"{path} is damaged: {error}", _ANOTHER) from error
    return _upgrade(report) if schema == _FORMER_SCHEMA else report


def _upgrade(report: Report) -> Report:
    """A report of version 1 in the words of this one."""
    systems = (
        replace(
            system,
            kind="baseline" if system.kind == "yardstick" else system.kind,
            settings={
                "baseline" if name == "yardstick" else name: value for name, value in system.settings.items()
            },
        )
        for system in report.systems
    )
    return replace(report, systems=tuple(systems))


def _report_system(result: SystemResult, options: EvaluationOptions) -> SystemReport:
    return SystemReport(
        name=result.name,
        kind=result.kind,
        checkpoint=result.checkpoint,
        settings=result.settings,
        summaries=result.summaries_path,
        taken=result.taken,
        failed=result.failed,
        empty=result.empty,
        scores={
            column: mean_interval(
                result.values_by_run(column), resamples=options.resamples, seed=options.seed
            )
            for column in result.columns
        },
        rows=result.rows,
        warnings=result.warnings,
        runs=result.runs,
    )


def _rival(system: SystemReport, systems: Sequence[SystemReport]) -> SystemReport:
    """What a system is compared with: the first, or the one whose lengths it has."""
    followed = system.name.removeprefix(SAME_LENGTH)
    return next((each for each in systems if each.name == followed and each is not system), systems[0])


def _compare_all(
    pairs: Sequence[tuple[SystemReport, SystemReport]], resamples: int, seed: int
) -> tuple[Comparison, ...]:
    """Compare pairs of systems; p-values are corrected for all the comparisons of a column."""
    found = [_compare(first, second, resamples, seed) for first, second in pairs]
    for column in {column for each in found for column in each.differences}:
        held = [place for place, each in enumerate(found) if column in each.differences]
        adjusted = adjust_holm([found[place].differences[column].p_value for place in held])
        for place, p_holm in zip(held, adjusted, strict=True):
            differences = found[place].differences
            changed = replace(differences[column], p_holm=p_holm)
            found[place] = replace(found[place], differences={**differences, column: changed})
    return tuple(found)


def _compare(first: SystemReport, second: SystemReport, resamples: int, seed: int) -> Comparison:
    columns = [column for column in first.scores if column in second.scores]
    leading = first.rows_by_run[0]
    ours, theirs = ([_ordered(rows, leading) for rows in each.rows_by_run] for each in (first, second))
    return Comparison(
        first=first.name,
        second=second.name,
        differences={
            column: compare_means(
                _values(ours, column), _values(theirs, column), resamples=resamples, seed=seed
            )
            for column in columns
        },
    )


def _values(runs: Sequence[Sequence[Row]], column: str) -> FloatArray:
    """One column, (runs, examples); NaN where it does not apply."""
    found = [[row.scores.get(column) for row in rows] for rows in runs]
    return np.array(
        [[np.nan if value is None else value for value in values] for values in found], np.float64
    )


def _ordered(rows: Sequence[Row], leading: Sequence[Row]) -> list[Row]:
    """The rows in the order of others with the same references."""
    return [rows[place] for place in _pair(leading, rows)]


def _pair(first: Sequence[Row], second: Sequence[Row]) -> list[int]:
    """For each row of the first the position of the row of the second with the same reference.

    Where several have the same reference, the one with the same id, else the next.
    """
    places: dict[str, list[int]] = {}
    for position, row in enumerate(second):
        places.setdefault(row.reference_sha256, []).append(position)
    order = []
    for row in first:
        candidates = places[row.reference_sha256]
        same = next((place for place in candidates if second[place].id == row.id), candidates[0])
        candidates.remove(same)
        order.append(same)
    return order


def _warnings_of(system: SystemReport) -> list[str]:
    warnings: list[str] = []
    failures = [row for row in system.rows if row.error]
    if failures:
        more = f" and {len(failures) - 1:,} more" if len(failures) > 1 else ""
        warnings.append(f"no summary of {failures[0].where}{more}, scored 0: {failures[0].error}")
    empty = system.empty - system.failed
    if empty:
        empty_row = next(row for row in system.rows if not row.text.strip() and row.error is None)
        warnings.append(
            f"{empty:,} of {len(system.rows):,} summaries {'is' if empty == 1 else 'are'} empty and"
            f" {'scores' if empty == 1 else 'score'} 0 ({empty_row.where})"
        )
    examples = len(system.rows_by_run[0])
    missing = {
        column: examples - interval.count
        for column, interval in system.scores.items()
        if column in ROUGE_METRICS and interval.count < examples
    }
    warnings += [
        f"{column} is NaN for {count:,} summaries, which are left out" for column, count in missing.items()
    ]
    return [*warnings, *system.warnings]


def _different_lengths(report: Report) -> list[str]:
    """A warning where systems that are compared write texts of different length."""
    words = {system.name: system.scores["words"].mean or 0.0 for system in report.systems if system.scores}
    unlike: dict[str, list[str]] = {}
    for each in report.comparisons:
        longer, shorter = sorted((words.get(each.first, 0.0), words.get(each.second, 0.0)), reverse=True)
        if shorter and longer > shorter * (1 + _LENGTH_TOLERANCE):
            unlike.setdefault(each.first, []).append(f"{each.second} {words[each.second]:,.0f}")
    names = {system.name for system in report.systems}
    has_source = any(system.scores["compression"].count for system in report.systems if system.scores)
    warnings = []
    for name, others in unlike.items():
        lead = f"{SAME_LENGTH}{name}"
        if lead in names:
            remedy = f"{lead} has its length"
        else:
            data = "" if has_source else "--data and "
            remedy = f"{data}--baselines {lead} adds a baseline of its length"
        warnings.append(
            f"{name} writes {words[name]:,.0f} words on average, {', '.join(others)}: ROUGE depends on"
            f" length, so these scores are not comparable; {remedy}"
        )
    return warnings
