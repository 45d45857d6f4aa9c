"""One run of ``lsum eval``: systems, yardsticks and predictions on one data set, to one report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lsum_cli.cli.messages import Messages
from lsum_cli.datasets.dataset import Dataset, open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError, PartialFailure
from lsum_cli.evaluation.evaluating import evaluate_systems, excluded_by_reason
from lsum_cli.evaluation.kept import results_path
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.report import Report, make_report
from lsum_cli.evaluation.results import SystemResult
from lsum_cli.evaluation.runs import score_texts
from lsum_cli.evaluation.systems import SummarizerSystem, System
from lsum_cli.evaluation.texts import (
    PREDICTION_COLUMNS,
    REFERENCE_COLUMNS,
    Text,
    match_texts,
    pair_texts,
    read_texts,
)
from lsum_cli.evaluation.yardsticks import make_yardstick
from lsum_cli.methods.choice import AUTO
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener
from lsum_cli.rendering.evaluation import measure_names
from lsum_cli.rendering.statements import count


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the user wants evaluated, as the flags say.

    Raises:
        OptionError: Flags that exclude one another, or say too little.
    """

    models: Sequence[str]
    data: Sequence[str]
    predictions: Sequence[Path]
    references: Path | None
    prediction_column: str | None
    reference_column: str | None
    yardsticks: str | None
    dataset_options: DatasetOptions
    wishes: SummaryOptions

    def __post_init__(self) -> None:
        for is_wrong, what, next_step in (
            (not self.data and not self.predictions, "there is nothing to evaluate", _TWO_WAYS),
            (
                self.references is not None and bool(self.data),
                "--references and --data exclude each other",
                "take the references from one of them",
            ),
            (
                bool(self.predictions) and self.references is None and not self.data,
                "--predictions need references",
                "give --references, or --data",
            ),
            (self.references is not None and not self.predictions, "--references score nothing", _TWO_WAYS),
            (
                not self.data and bool(self.models or self.yardsticks or self.wishes.method != AUTO),
                "--model, --method and --yardsticks need documents",
                "give --data with documents and references",
            ),
            (
                not self.data and self.dataset_options != DatasetOptions(limit=self.dataset_options.limit),
                "--text-column, --summary-column and --id-column are those of --data",
                "name others by --prediction-column and --reference-column",
            ),
            (
                self.prediction_column is not None and not self.predictions,
                "--prediction-column without --predictions",
                "name the columns of --data by --text-column and --summary-column",
            ),
            (
                self.reference_column is not None and self.references is None,
                "--reference-column without --references",
                "name the columns of --data by --text-column and --summary-column",
            ),
        ):
            if is_wrong:
                raise OptionError(what, next_step)

    def systems(self) -> list[System]:
        """The systems and yardsticks, in order; their checkpoints are looked up, not loaded.

        Raises:
            OptionError: There is no such method or yardstick.
            CheckpointError: A checkpoint cannot be used.
        """
        names = [name.strip() for name in (self.yardsticks or "").split(",") if name.strip()]
        systems: list[System] = []
        # Without any other wish, the best method there is.
        if self.models or self.wishes.method != AUTO or not (self.predictions or names):
            models: Sequence[str | None] = self.models or [None]
            systems += [SummarizerSystem(replace(self.wishes, model=model)) for model in models]
        systems += [make_yardstick(name, self.wishes) for name in names]
        _make_unique(systems)
        return systems


_TWO_WAYS = "give --data with documents and references, or --predictions with --references"


class EvalJob:
    """Evaluates, and says on standard error what the user should know."""

    def __init__(self, request: Request, options: EvaluationOptions, messages: Messages) -> None:
        self._request, self._options, self._messages = request, options, messages
        self._failed = 0

    def run(self, progress: ProgressListener) -> Report:
        """The report.

        Raises:
            LsumError: Nothing can be evaluated.
        """
        request = self._request
        if not request.data:
            report = self._report_predictions(progress)
        else:
            dataset = open_dataset(list(request.data), request.dataset_options)
            results = list(self._results_on(dataset, progress))
            report = make_report(
                results,
                self._options,
                name=dataset.name,
                where=dataset.where,
                fingerprint=dataset.fingerprint,
                excluded=excluded_by_reason(dataset),
            )
        for warning in report.warnings:
            self._messages.warn(warning)
        self._failed = sum(system.failed for system in report.systems)
        return report

    def conclude(self) -> None:
        """End the run as its failures demand.

        Raises:
            PartialFailure: Some examples could not be summarised.
        """
        if self._failed:
            raise PartialFailure(
                f"{count(self._failed, 'example')} could not be summarised and scored 0",
                "see the warnings above",
            )

    def _report_predictions(self, progress: ProgressListener) -> Report:
        request = self._request
        assert request.references is not None
        columns = _columns(request.reference_column, REFERENCE_COLUMNS)
        references = read_texts(request.references, columns, flag="--reference-column")
        if not references:
            raise DatasetError(f"{request.references} holds no reference", "give one a line")
        limit = request.dataset_options.limit
        results = []
        for path, name in zip(request.predictions, _names(request.predictions), strict=True):
            predictions = self._read_predictions(path)
            examples = pair_texts(predictions, references)[:limit]
            texts = [prediction.text for prediction in predictions[:limit]]
            results.append(self._score(name, texts, examples, progress))
        return make_report(
            results, self._options, name=request.references.name, where=str(request.references)
        )

    def _results_on(self, dataset: Dataset, progress: ProgressListener) -> Iterator[SystemResult]:
        request = self._request
        systems = request.systems()
        scored: list[SystemResult] = []
        if request.predictions:
            examples = list(dataset)
            for path, name in zip(request.predictions, _names(request.predictions), strict=True):
                texts = match_texts(
                    self._read_predictions(path), examples, limit=request.dataset_options.limit
                )
                scored.append(self._score(name, texts, examples, progress))
        yield from scored
        for result in evaluate_systems(systems, dataset, self._options, progress, before=scored):
            if result.taken:
                self._messages.note(
                    f"{result.name}: {result.taken:,} of {len(result.rows):,} summaries taken from an earlier"
                    " run (--fresh writes them anew)"
                )
            self._messages.detail(f"{result.name}: summaries are kept in {result.summaries_path}")
            yield result

    def _score(
        self, name: str, texts: Sequence[str], examples: Sequence[Example], progress: ProgressListener
    ) -> SystemResult:
        wishes = self._request.wishes
        wished = wishes.num_words if wishes.length else None
        return score_texts(name, texts, examples, self._options, progress, wished_words=wished)

    def _read_predictions(self, path: Path) -> list[Text]:
        columns = _columns(self._request.prediction_column, PREDICTION_COLUMNS)
        return read_texts(path, columns, flag="--prediction-column")


def choose_options(
    options: EvaluationOptions, *, processes: int | None, results: Path | None
) -> EvaluationOptions:
    """Options with what depends on the machine."""
    return replace(
        options,
        processes=_count_processors() if processes is None else processes,
        results=results or results_path(),
    )


def _count_processors() -> int:
    """Those that this process may use, where the system tells."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def choose_measures(text: str | None) -> list[str]:
    """The measures that ``--measures`` names.

    Raises:
        OptionError: There is no such measure.
    """
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if names == ["all"]:
        return list(measure_names())
    for name in names:
        if name not in measure_names():
            raise OptionError(f"there is no measure '{name}'", f"choose of {', '.join(measure_names())}")
    return names


def _columns(wish: str | None, usual: Sequence[str]) -> Sequence[str]:
    return [wish] if wish else usual


def _names(paths: Sequence[Path]) -> list[str]:
    """File names where they tell the files apart, else whole paths."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def _make_unique(systems: Sequence[System]) -> None:
    """Number systems that bear the name of one before."""
    taken: set[str] = set()
    for system in systems:
        name, number = system.name, 1
        while system.name in taken:
            number += 1
            system.name = f"{name} ({number})"
        taken.add(system.name)
