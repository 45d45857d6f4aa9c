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
from lsum_cli.evaluation.bootstrap import Difference, Interval, compare_means, mean_interval
from lsum_cli.evaluation.metrics.rouge import MEASURES
from lsum_cli.evaluation.options import EvaluationOptions, Preparation, RougeSettings
from lsum_cli.evaluation.results import Row, SystemResult, hash_text
from lsum_cli.records import RecordError, decode, encode
from lsum_cli.summaries import CheckpointReference, OptionValue
from lsum_cli.text.terms import FloatArray
from lsum_cli.version import __version__

_HASH_DIGITS = 12
# Of scores that may be compared these are the same.
_COMPARED = ("implementation", "stemmer", "tokenizer", "splitter", "prepare", "data")


@dataclass(frozen=True, kw_only=True)
class Signature:
    """Everything that must be the same for two scores to be compared.

    Attributes:
        implementation: Package and version that defines ROUGE, and whose code computes it.
        stemmer: Package and version, or ``"none"``.
        tokenizer: Which one.
        splitter: Package and version; the rules of sentences are ours besides.
        prepare: What was done to the texts beforehand.
        examples: How many there are.
        resamples: Of the bootstrap.
        seed: Of the bootstrap.
        data: SHA-256 over the references, in any order; the first digits.
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
            hashes: Of the references, by :func:`hash_text`.
            resamples: Of the bootstrap.
            seed: Of the bootstrap.
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
    """One short hash for many, whatever their order."""
    return hash_text("\n".join(sorted(hashes)))[:_HASH_DIGITS]


def differing_parts(first: Signature, second: Signature) -> list[str]:
    """What keeps scores with these signatures from being compared: ``"stemmer (none, porter)"``."""
    return [
        f"{name} ({getattr(first, name)}, {getattr(second, name)})"
        for name in _COMPARED
        if getattr(first, name) != getattr(second, name)
    ]


SCHEMA = "lsum.evaluation/1"


@dataclass(frozen=True, kw_only=True)
class DataReport:
    """What was evaluated on.

    Attributes:
        name: Short.
        where: What the user gave.
        fingerprint: Of files and options of a data set; ``None`` for files of references.
        examples: How many were scored.
        reference_words: Mean length of the references.
        excluded: How many records were left out, by reason.
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
        name: As tables call it.
        kind: ``"system"``, ``"yardstick"`` or ``"predictions"``.
        checkpoint: What wrote, or ``None``.
        settings: How it was asked to write.
        summaries: File the summaries are kept in.
        taken: How many summaries an earlier run had written.
        failed: How many examples could not be summarised; they score 0.
        empty: How many summaries hold no word; they score 0.
        scores: Mean and interval by column.
        rows: One per example.
        warnings: What the user should know, one line each.
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

    def values(self, column: str, order: Sequence[int] | None = None) -> FloatArray:
        """One column, (examples,), in an order of rows; NaN where it cannot be told."""
        rows = self.rows if order is None else [self.rows[position] for position in order]
        found = (row.scores.get(column) for row in rows)
        return np.array([np.nan if value is None else value for value in found], np.float64)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How much better ``first`` is than ``second``, by column; negative where it is worse."""

    first: str
    second: str
    differences: Mapping[str, Difference]


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything an evaluation tells.

    Attributes:
        signature: What the scores depend on; belongs beside each of them.
        systems: In the order given, yardsticks last.
        comparisons: Of every other system with the first.
    """

    signature: Signature
    data: DataReport
    systems: tuple[SystemReport, ...]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know, one line each."""
        return tuple(f"{system.name}: {text}" for system in self.systems for text in _warnings_of(system))


def make_report(
    results: Sequence[SystemResult],
    options: EvaluationOptions,
    *,
    name: str,
    where: str,
    fingerprint: str | None = None,
    excluded: Mapping[str, int] | None = None,
) -> Report:
    """Put results on the same data side by side.

    Args:
        results: At least one; every other is compared with the first.
        options: Those the results were made with.
        name: Of the data, short.
        where: The data, as the user gave it.
        fingerprint: Of the data set.
        excluded: How many records were left out, by reason.
    """
    first = results[0]
    words = [row.reference_words for row in first.rows]
    systems = tuple(_report_system(result, options) for result in results)
    return Report(
        signature=Signature.of(
            first.rouge,
            [row.reference_sha256 for row in first.rows],
            resamples=options.resamples,
            seed=options.seed,
        ),
        data=DataReport(
            name=name,
            where=where,
            fingerprint=fingerprint,
            examples=len(first.rows),
            reference_words=sum(words) / len(words),
            excluded={reason: count for reason, count in (excluded or {}).items() if count},
        ),
        systems=systems,
        comparisons=tuple(
            _compare(systems[0], other, options.resamples, options.seed) for other in systems[1:]
        ),
    )


def compare_reports(first: Report, second: Report | None = None) -> tuple[Comparison, ...]:
    """Compare every system of one report with every one of another, or those of one with one another.

    By the paired bootstrap, on the scores kept per example; examples are paired by their references.

    Raises:
        OptionError: The scores were not computed alike, or not on the same references.
    """
    resamples, seed = first.signature.resamples, first.signature.seed
    if second is None:
        pairs = list(itertools.combinations(first.systems, 2))
        if not pairs:
            raise OptionError("one system alone cannot be compared", "give a second report")
        return tuple(_compare(a, b, resamples, seed) for a, b in pairs)
    parts = differing_parts(first.signature, second.signature)
    if parts:
        raise OptionError(
            f"the reports cannot be compared, they differ in {', '.join(parts)}",
            "evaluate both systems on the same references and with the same settings",
        )
    theirs = _renamed(second.systems, {system.name for system in first.systems})
    return tuple(_compare(a, b, resamples, seed) for a in first.systems for b in theirs)


def _renamed(systems: Sequence[SystemReport], taken: Collection[str]) -> list[SystemReport]:
    """Systems of a second report, marked as such where the first has one of that name."""
    return [
        replace(system, name=f"{system.name} (second report)") if system.name in taken else system
        for system in systems
    ]


def describe_report(report: Report) -> dict[str, Any]:
    """A report as a JSON object, described by ``schemas/evaluation-1.schema.json``."""
    value: dict[str, Any] = {"schema": SCHEMA, **encode(report), "warnings": list(report.warnings)}
    value["signature"] = {"text": str(report.signature), **value["signature"]}
    return value


def read_report(path: Path) -> Report:
    """Read a report that was written as JSON. A score that is no number (NaN) counts as untold.

    Raises:
        DatasetError: The file is missing, or no such report.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda _: None)
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}", "check the path") from error
    except ValueError as error:
        raise DatasetError(f"{path} is no valid JSON: {error}", _ANOTHER) from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise DatasetError(f"{path} is no report of lsum eval", _ANOTHER)
    try:
        signature = {name: part for name, part in dict(value["signature"]).items() if name != "text"}
        kept = {name: value[name] for name in ("data", "systems", "comparisons")}
        return decode(Report, {**kept, "signature": signature})
    except (RecordError, KeyError, TypeError, ValueError) as error:
        raise DatasetError(f"{path} is damaged: {error}", _ANOTHER) from error


_ANOTHER = "give a file that lsum eval --format json wrote"


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
            column: mean_interval(result.values(column), resamples=options.resamples, seed=options.seed)
            for column in result.columns
        },
        rows=result.rows,
        warnings=result.warnings,
    )


def _compare(first: SystemReport, second: SystemReport, resamples: int, seed: int) -> Comparison:
    order = _pair(first.rows, second.rows)
    columns = [column for column in first.scores if column in second.scores]
    return Comparison(
        first=first.name,
        second=second.name,
        differences={
            column: compare_means(
                first.values(column), second.values(column, order), resamples=resamples, seed=seed
            )
            for column in columns
        },
    )


def _pair(first: Sequence[Row], second: Sequence[Row]) -> list[int]:
    """For each row of one the position of the row of the other with the same reference.

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
    untold = {
        column: len(system.rows) - interval.count
        for column, interval in system.scores.items()
        if column in MEASURES and interval.count < len(system.rows)
    }
    warnings += [
        f"{column} is no number for {count:,} summaries, left out" for column, count in untold.items()
    ]
    return [*warnings, *system.warnings]
