"""Runs: systems write summaries of a data set, or take them from the cache, and the summaries are scored."""

from __future__ import annotations

import math
import re
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from lsum_cli.datasets.dataset import Dataset, open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.errors import DatasetError, LsumError, MissingDependency, OptionError, OutputError, SourceError
from lsum_cli.evaluation.baselines import LeadOfSystem, make_baseline
from lsum_cli.evaluation.metrics.models import load_entailment, load_models, score_with_encoders
from lsum_cli.evaluation.metrics.registry import MetricScores, SourceScorer, score_summary, score_text
from lsum_cli.evaluation.metrics.rouge import (
    Pair,
    RougeScore,
    check_installed,
    resolve_settings,
    score_pairs,
    split_summary,
)
from lsum_cli.evaluation.options import EvaluationOptions, RougeSettings
from lsum_cli.evaluation.report import Report, make_report
from lsum_cli.evaluation.results import Row, SystemResult, hash_text, join_runs
from lsum_cli.evaluation.summary_cache import SummaryCache, example_key
from lsum_cli.evaluation.systems import (
    BatchingSystem,
    System,
    SystemRuns,
    WorkersOfSystems,
    make_system,
)
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import OptionValue, Summary
from lsum_cli.text.terms import count_words

# Numbers in warnings ("1,864", "76%", "(1)") differ from summary to summary, as does what follows a colon.
_NUMBERS = re.compile(r"\d[\d.,]*")


def evaluate_system(
    system: System,
    examples: Iterable[Example],
    options: EvaluationOptions | None = None,
    progress: ProgressListener = ignore_progress,
    *,
    workers: WorkersOfSystems | None = None,
) -> SystemResult:
    """Let a system summarise every example, and score what it wrote.

    An example that it cannot summarise scores 0 and is counted. Before the first summary only errors of the
    source count so; others are raised, as they would affect every example.

    Args:
        system: The system to evaluate.
        examples: A data set; iterated once.
        options: How to evaluate; by default nothing is cached.
        progress: Receives progress events.
        workers: Write several summaries at a time; by default this process writes one after the other.

    Raises:
        DatasetError: An example has no reference, or there is no example.
        LsumError: The system cannot be used at all.
        MissingDependency: ``rouge-score`` is not installed.
    """
    options = options or EvaluationOptions()
    run = _Run(system, options, progress)
    if workers is not None:
        run.take_all(examples, workers)
        return run.conclude()
    waiting = iter(examples)
    while batch := list(islice(waiting, options.batch_size)):
        run.write_ahead(batch)
        for example in batch:
            run.take(example)
    return run.conclude()


def score_texts(
    name: str,
    texts: Sequence[str],
    examples: Sequence[Example],
    options: EvaluationOptions | None = None,
    progress: ProgressListener = ignore_progress,
    *,
    requested_words: int | None = None,
) -> SystemResult:
    """Score summaries that another program wrote.

    Args:
        name: Name in tables.
        texts: One per example, in the same order; an empty one scores 0 and is counted.
        examples: Examples with references, where an empty reference gives 0; metrics that need a source do
            not apply to examples without documents.
        options: How to score.
        progress: Receives progress events.
        requested_words: The requested length; ``None`` for that of each reference.

    Raises:
        DatasetError: An example has no reference, or the numbers of texts and examples differ.
        MissingDependency: ``rouge-score`` is not installed.
    """
    options = options or EvaluationOptions()
    if len(texts) != len(examples) or not examples:
        raise DatasetError(
            f"there are {len(texts):,} summaries in {name}, but {len(examples):,} examples with a reference",
            "give one summary per reference, in the same order",
        )
    load_models(options.models)
    entailment = load_entailment(options.models)
    # Some published test sets contain empty references, and published scores count them.
    references = [_reference_of(example, may_be_empty=True) for example in examples]
    rows, truncated = [], 0
    for example, reference, text in zip(examples, references, texts, strict=True):
        row, found = _row_of_text(example, reference, text, requested_words, entailment)
        truncated += found.pairs_truncated
        rows.append(row)
        if entailment is not None:
            progress(ProgressEvent(stage="Entailment", done=len(rows), total=len(texts), unit="summaries"))
    settings = resolve_settings(options.rouge, references)
    scored = _with_rouge(rows, references, settings, options, progress)
    length = {"length": requested_words} if requested_words else {}
    result = SystemResult(
        name=name,
        kind="predictions",
        rows=scored,
        settings=length | _signature_of(entailment),
        rouge=settings,
        warnings=(*_empty_references(scored), *_truncated_pairs(truncated, options)),
    )
    return _with_encoders(result, references, options, progress)


def _row_of_text(
    example: Example,
    reference: str,
    text: str,
    requested_words: int | None,
    entailment: SourceScorer | None,
) -> tuple[Row, MetricScores]:
    words = count_words(reference)
    found = score_text(
        split_summary(text),
        example.documents,
        requested_words=requested_words or words,
        entailment=entailment,
    )
    row = Row(
        id=example.id,
        where=example.where,
        reference_sha256=hash_text(reference),
        text=text,
        reference=reference,
        reference_words=words,
        scores=found.values,
        flags=found.flags,
    )
    return row, found


def _signature_of(entailment: SourceScorer | None) -> dict[str, OptionValue]:
    return {} if entailment is None else {"nli": entailment.signature}


def _truncated_pairs(count: int, options: EvaluationOptions) -> list[str]:
    if not count:
        return []
    pairs = "pair of texts is longer" if count == 1 else "pairs of texts are longer"
    return [f"Entailment: {count:,} {pairs} than {options.models.nli} reads, and were truncated"]


class _Run:
    """Collects the rows of one system."""

    def __init__(self, system: System, options: EvaluationOptions, progress: ProgressListener) -> None:
        check_installed()
        load_models(options.models)
        self._entailment = load_entailment(options.models)
        self._pairs_truncated = 0
        self._system, self._options, self._progress = system, options, progress
        self._cache = (
            SummaryCache(options.results, system.name, system.fingerprint, fresh=options.fresh)
            if options.results
            else None
        )
        self._rows: list[Row] = []
        self._references: list[str] = []
        self._checkpoint = system.checkpoint
        self._taken = 0
        # By the key of their example.
        self._ahead: dict[str, Summary | LsumError] = {}
        self._has_written = False
        # By their text without what differs: one line for all summaries.
        self._warnings: dict[str, list[str]] = {}

    def write_ahead(self, examples: Sequence[Example]) -> None:
        """Let the system write the next summaries in one batch, if it can."""
        pending = [example for example in examples if self._cache is None or not self._cache.holds(example)]
        if len(pending) < 2 or not isinstance(self._system, BatchingSystem):
            return
        began = time.perf_counter()
        try:
            summaries = self._system.summarize_batch(pending, self._progress)
        except LsumError as error:
            # Each is then tried on its own.
            self._warn(f"{len(pending)} summaries could not be written together: {error}")
            return
        seconds = (time.perf_counter() - began) / len(pending)
        for example, summary in zip(pending, summaries or [], strict=bool(summaries)):
            timed = replace(summary, seconds={**summary.seconds, "total": seconds})
            if self._cache:
                self._cache.add(example, timed)
            self._ahead[example_key(example)] = timed

    def take_all(self, examples: Iterable[Example], workers: WorkersOfSystems) -> None:
        """Let workers write the summaries; cache each when it is there, and score them in order."""
        waiting: deque[Example] = deque()
        under_way: set[str] = set()

        def pending() -> Iterator[Example]:
            for example in examples:
                waiting.append(example)
                key = example_key(example)
                is_cached = self._cache is not None and self._cache.holds(example)
                if example.reference and not is_cached and key not in under_way:
                    under_way.add(key)
                    yield example

        for written, result in workers.write(self._system, pending(), self._progress):
            if self._cache and isinstance(result, Summary):
                self._cache.add(written, result)
            self._ahead[example_key(written)] = result
            under_way.remove(example_key(written))
            while waiting and example_key(waiting[0]) not in under_way:
                self.take(waiting.popleft())
        for example in waiting:
            self.take(example)

    def take(self, example: Example) -> None:
        """Summarise one example and score the summary."""
        reference = _reference_of(example)
        words = count_words(reference)
        row = Row(
            id=example.id,
            where=example.where,
            reference_sha256=hash_text(reference),
            text="",
            reference=reference,
            reference_words=words,
        )
        try:
            summary = self._summarize(example)
        except (OutputError, MissingDependency):
            raise  # the next example would fail the same way
        except LsumError as error:
            # If nothing has been written yet the system is at fault, otherwise this example.
            if not self._has_written and not isinstance(error, SourceError):
                raise
            scores = score_text((), example.documents, requested_words=self._system.requested_words or words)
            row = replace(row, scores=scores.values, error=str(error))
        else:
            self._has_written = True
            row = self._measured(row, summary)
        self._rows.append(row)
        self._references.append(reference)
        self._progress(
            ProgressEvent(stage=f"summaries of {self._system.name}", done=len(self._rows), unit="summaries")
        )

    def conclude(self) -> SystemResult:
        """Score all summaries."""
        if not self._rows:
            raise DatasetError("the data set contains no examples", "give another --data")
        settings = resolve_settings(self._options.rouge, self._references)
        result = SystemResult(
            name=self._system.name,
            kind="baseline" if self._system.is_baseline else "system",
            rows=_with_rouge(self._rows, self._references, settings, self._options, self._progress),
            settings={**self._system.settings, **_signature_of(self._entailment)},
            checkpoint=self._checkpoint,
            taken=self._taken,
            summaries_path=str(self._cache.path) if self._cache else None,
            rouge=settings,
            warnings=(
                *map(_sum_up, self._warnings.values()),
                *_truncated_pairs(self._pairs_truncated, self._options),
            ),
        )
        return _with_encoders(result, self._references, self._options, self._progress)

    def _summarize(self, example: Example) -> Summary:
        ahead = self._ahead.pop(example_key(example), None)
        if isinstance(ahead, LsumError):
            raise ahead
        if ahead is not None:
            return ahead
        summary = self._cache.get(example) if self._cache else None
        if summary is not None:
            self._taken += 1
            return summary
        began = time.perf_counter()
        summary = self._system.summarize(example, self._progress)
        summary = replace(summary, seconds={**summary.seconds, "total": time.perf_counter() - began})
        if self._cache:
            self._cache.add(example, summary)
        return summary

    def _warn(self, warning: str) -> None:
        kind = _NUMBERS.sub("#", warning.partition(": ")[0])
        self._warnings.setdefault(kind, []).append(warning)

    def _measured(self, row: Row, summary: Summary) -> Row:
        requested = self._system.requested_words or row.reference_words
        found = score_summary(summary, requested_words=requested, entailment=self._entailment)
        self._pairs_truncated += found.pairs_truncated
        self._checkpoint = summary.checkpoint or self._checkpoint
        for warning in summary.warnings:
            self._warn(warning)
        return replace(
            row,
            text="\n".join(sentence.text for sentence in summary.sentences),
            scores={**found.values, "seconds": summary.seconds.get("total")},
            flags=found.flags,
        )


def _with_rouge(
    rows: Sequence[Row],
    references: Sequence[str],
    settings: RougeSettings,
    options: EvaluationOptions,
    progress: ProgressListener,
) -> tuple[Row, ...]:
    pairs: list[Pair] = [(reference, row.text) for reference, row in zip(references, rows, strict=True)]
    scored = score_pairs(pairs, settings, processes=options.processes, progress=progress)
    return tuple(
        replace(row, scores={**_flat(scores), **row.scores}) for row, scores in zip(rows, scored, strict=True)
    )


def _with_encoders(
    result: SystemResult,
    references: Sequence[str],
    options: EvaluationOptions,
    progress: ProgressListener,
) -> SystemResult:
    """The result with the requested encoder metrics; their models are added to the settings."""
    pairs = [(reference, row.text) for reference, row in zip(references, result.rows, strict=True)]
    found = score_with_encoders(pairs, options.models, progress)
    rows = zip(result.rows, found.rows, strict=True)
    invalid = [name for more in found.rows for name in more if more[name] != _finite(more)[name]]
    left_out = [
        f"{name} is NaN for {times} summaries, which are left out" for name, times in Counter(invalid).items()
    ]
    return replace(
        result,
        rows=tuple(replace(row, scores={**row.scores, **_finite(more)}) for row, more in rows),
        settings={**result.settings, **found.models},
        warnings=(*result.warnings, *found.warnings, *left_out),
    )


def _flat(scores: Mapping[str, RougeScore]) -> dict[str, float]:
    """F1 under the metric's own name, precision and recall with suffixes."""
    flat = {name: score.f1 for name, score in scores.items()}
    flat |= {f"{name}_precision": score.precision for name, score in scores.items()}
    flat |= {f"{name}_recall": score.recall for name, score in scores.items()}
    return flat


def _sum_up(alike: Sequence[str]) -> str:
    """One line for warnings of one kind."""
    if len(alike) == 1:
        return alike[0]
    if len(set(alike)) == 1:
        return f"{alike[0]} ({len(alike):,} summaries)"
    return f"{alike[0]} (and similarly for {len(alike) - 1:,} more)"


def _finite(scores: Mapping[str, float | None]) -> dict[str, float | None]:
    """Scores with NaN and infinity replaced by ``None``, as they would spoil every mean."""
    return {
        name: value if value is not None and math.isfinite(value) else None for name, value in scores.items()
    }


def _empty_references(rows: Sequence[Row]) -> Iterator[str]:
    empty = [row for row in rows if not row.reference_words]
    if empty:
        verb = "is empty and gives" if len(empty) == 1 else "are empty and give"
        yield f"{len(empty):,} of {len(rows):,} references {verb} 0 ({empty[0].where})"


def _reference_of(example: Example, *, may_be_empty: bool = False) -> str:
    if example.reference is None or not (may_be_empty or example.reference.strip()):
        raise DatasetError(
            f"{example.where}: there is no reference to compare a summary with",
            "give a data set with references, or name their column with --summary-column",
        )
    return example.reference


def evaluate(
    data: Dataset | str | Path,
    systems: Sequence[System | SystemRuns | SummaryOptions | str],
    options: EvaluationOptions | None = None,
    progress: ProgressListener = ignore_progress,
) -> Report:
    """Evaluate systems on a data set, and compare each with the first.

    Args:
        data: Documents with references, or the file or folder that contains them.
        systems: Options of a method with its checkpoint (or a folder of several runs of it, ``seed-1``,
            ``seed-2``, …), the name of a baseline (:func:`~lsum_cli.evaluation.baselines.make_baseline`), or
            anything that summarises.
        options: How to evaluate; by default nothing is cached and one process computes ROUGE.
        progress: Receives progress events.

    Raises:
        DatasetError: The data cannot be read, or has no references.
        LsumError: A system cannot be used at all.
        MissingDependency: ``rouge-score`` is not installed.
    """
    options = options or EvaluationOptions()
    dataset = data if isinstance(data, Dataset) else open_dataset(data)
    results = list(evaluate_systems([_as_system(system) for system in systems], dataset, options, progress))
    return make_report(
        results,
        options,
        name=dataset.name,
        where=dataset.where,
        fingerprint=dataset.fingerprint,
        excluded=excluded_by_reason(dataset),
    )


def evaluate_systems(
    systems: Sequence[System | SystemRuns],
    examples: Iterable[Example],
    options: EvaluationOptions,
    progress: ProgressListener = ignore_progress,
    *,
    before: Sequence[SystemResult] = (),
    workers: WorkersOfSystems | None = None,
) -> Iterator[SystemResult]:
    """Evaluate systems one after the other; a baseline may follow the lengths of one before it.

    Args:
        before: Results of other systems on the same examples.
        workers: Write several summaries at a time; by default this process writes one after the other.

    Raises:
        OptionError: A baseline needs the lengths of a system that is not evaluated before it.
        LsumError: As :func:`~lsum_cli.evaluation.runs.evaluate_system`.
    """
    names = [result.name for result in before]
    for system in systems:
        if isinstance(system, LeadOfSystem) and system.followed not in names:
            known = ", ".join(names) or "none"
            raise OptionError(
                f"the baseline {system.name} needs the lengths of a system that is evaluated before it",
                f"choose one of: {known}",
            )
        names.append(system.name)
    results = {result.name: result for result in before}
    for system in systems:
        if isinstance(system, LeadOfSystem):
            system.follow(results[system.followed])
        # What follows another system is done sooner than its lengths are sent.
        suitable = None if isinstance(system, LeadOfSystem) else workers
        if isinstance(system, SystemRuns):
            runs = {
                run: evaluate_system(each, examples, options, progress, workers=suitable)
                for run, each in system.runs.items()
            }
            results[system.name] = join_runs(system.name, runs)
        else:
            results[system.name] = evaluate_system(system, examples, options, progress, workers=suitable)
        yield results[system.name]


def excluded_by_reason(dataset: Dataset) -> dict[str, int]:
    """Number of records that the last pass over a data set left out, by reason."""
    return {
        "an empty document": dataset.excluded.empty_documents,
        "no reference": dataset.excluded.empty_references,
    }


def _as_system(system: System | SystemRuns | SummaryOptions | str) -> System | SystemRuns:
    if isinstance(system, SummaryOptions):
        return make_system(system)
    return make_baseline(system, SummaryOptions()) if isinstance(system, str) else system
