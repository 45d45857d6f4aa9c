"""The evaluation of several systems on one data set, as a function for Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lsum_cli.datasets.dataset import Dataset, open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.report import Report, make_report
from lsum_cli.evaluation.results import SystemResult
from lsum_cli.evaluation.runs import evaluate_system
from lsum_cli.evaluation.systems import SummarizerSystem, System
from lsum_cli.evaluation.yardsticks import LeadOfSystem, make_yardstick
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener, ignore_progress


def evaluate(
    data: Dataset | str | Path,
    systems: Sequence[System | SummaryOptions | str],
    options: EvaluationOptions | None = None,
    progress: ProgressListener = ignore_progress,
) -> Report:
    """Evaluate systems on a data set, and compare each with the first.

    Args:
        data: Documents with references, or the file or folder that holds them.
        systems: Options of a method and its checkpoint, the name of a yardstick
            (:func:`~lsum_cli.evaluation.yardsticks.make_yardstick`), or anything that summarises.
        options: How; the defaults keep nothing on disk and work in this process alone.
        progress: Told where the work stands.

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
    systems: Sequence[System],
    examples: Iterable[Example],
    options: EvaluationOptions,
    progress: ProgressListener = ignore_progress,
    *,
    before: Sequence[SystemResult] = (),
) -> Iterator[SystemResult]:
    """Evaluate systems one after the other; a yardstick may follow the lengths of one before it.

    Args:
        before: What came of other systems on the same examples.

    Raises:
        OptionError: A yardstick follows a system that is not there.
        LsumError: As :func:`~lsum_cli.evaluation.runs.evaluate_system`.
    """
    names = [result.name for result in before]
    for system in systems:
        if isinstance(system, LeadOfSystem) and system.followed not in names:
            known = ", ".join(names) or "none"
            raise OptionError(
                f"{system.name} follows a system that is not before it", f"choose one of those: {known}"
            )
        names.append(system.name)
    results = {result.name: result for result in before}
    for system in systems:
        if isinstance(system, LeadOfSystem):
            system.follow(results[system.followed])
        results[system.name] = evaluate_system(system, examples, options, progress)
        yield results[system.name]


def excluded_by_reason(dataset: Dataset) -> dict[str, int]:
    """How many records the last pass over a data set left out, in words for the report."""
    return {
        "an empty document": dataset.excluded.empty_documents,
        "no reference": dataset.excluded.empty_references,
    }


def _as_system(system: System | SummaryOptions | str) -> System:
    if isinstance(system, SummaryOptions):
        return SummarizerSystem(system)
    return make_yardstick(system, SummaryOptions()) if isinstance(system, str) else system
