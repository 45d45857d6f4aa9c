"""Sweeps: one setting over several values, everything else equal (Tables 6, 7 and 14 of the papers)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from lsum_cli.checkpoints.saving import derive_checkpoint, parse_setting
from lsum_cli.datasets.example import Example
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.bootstrap import mean_interval
from lsum_cli.evaluation.metrics.rouge import ROUGE_METRICS
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.results import SweepPoint, SystemResult
from lsum_cli.evaluation.runs import evaluate_system
from lsum_cli.evaluation.systems import SummarizerSystem, WorkersOfSystems
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import choose_method, load_method
from lsum_cli.options import options_of
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.records import RecordError, decode, encode
from lsum_cli.summaries import OptionValue

# These make another system, or do not change summaries at all.
_NOT_SWEPT = frozenset({"model", "device", "offline", "attribution"})
_OPTIONS = frozenset(options_of(SummaryOptions)) - _NOT_SWEPT


def sweep(
    options: SummaryOptions,
    setting: str,
    values: Sequence[str],
    examples: Iterable[Example],
    evaluation: EvaluationOptions | None = None,
    progress: ProgressListener = ignore_progress,
    *,
    workers: WorkersOfSystems | None = None,
) -> tuple[SweepPoint, ...]:
    """Evaluate one system under several values of one setting.

    Args:
        options: How summaries are made otherwise.
        setting: A field of :class:`SummaryOptions` (``"page-tokens"``, ``"beams"``), or a setting of the
            checkpoint's configuration (``"decoding"``, ``"attention_window"``), which is changed in a
            copy that shares the weights.
        values: At least one; no value twice.
        examples: A data set; iterated once per value.
        evaluation: How to score.
        workers: Write several summaries at a time.

    Raises:
        OptionError: There is no such setting, or a value is not valid for it.
        CheckpointError: The checkpoint cannot be used, or not with one of the values.
        DatasetError: The data set cannot be read, or has no references.
        MissingDependency: ``rouge-score`` is not installed.
    """
    evaluation = evaluation or EvaluationOptions()
    if not values or len(set(values)) < len(values):
        raise OptionError("--values must contain at least one value, and none twice", "give each value once")
    name = setting.removeprefix("--").replace("-", "_")
    points = []
    with _systems(options, name, values) as systems:
        for value, system in zip(values, systems, strict=True):
            with _refusing(setting, value, is_derived=name not in _OPTIONS):
                result = evaluate_system(system, examples, evaluation, progress, workers=workers)
            points.append(_point(value, result, evaluation))
    return tuple(points)


@contextmanager
def _systems(
    options: SummaryOptions, name: str, values: Sequence[str]
) -> Iterator[tuple[SummarizerSystem, ...]]:
    """A system for each value; all are checked before the first one runs."""
    if name in _OPTIONS:
        chosen = [_with_option(options, name, value) for value in values]
        yield tuple(map(SummarizerSystem, chosen))
        return
    folder = choose_method(options, options.locality).folder
    if folder is None or name in _NOT_SWEPT:
        raise OptionError(
            f"there is no setting '{name}' to sweep over",
            f"give --model with a checkpoint that has it, or choose one of {', '.join(sorted(_OPTIONS))}",
        )
    parsed = [parse_setting(value, name, folder) for value in values]
    with tempfile.TemporaryDirectory(prefix="lsum-sweep-") as scratch:
        folders = [
            derive_checkpoint(folder, {name: value}, Path(scratch) / str(number) / folder.name)
            for number, value in enumerate(parsed)
        ]
        for value, derived in zip(parsed, folders, strict=True):
            _check_value(options, name, value, derived)
        yield tuple(SummarizerSystem(_with_option(options, "model", str(derived))) for derived in folders)


def _check_value(options: SummaryOptions, name: str, value: OptionValue, derived: Path) -> None:
    """Check that the method accepts a changed setting; loads no weights.

    Raises:
        OptionError: It does not.
    """
    changed = replace(options, model=str(derived))
    with _refusing(name, value, is_derived=True):
        load_method(choose_method(changed, changed.locality), changed)


@contextmanager
def _refusing(name: str, value: OptionValue, *, is_derived: bool) -> Iterator[None]:
    """Report errors of a derived checkpoint as errors of the value."""
    try:
        yield
    except CheckpointError as error:
        if not is_derived:
            raise
        raise OptionError(
            f"the checkpoint cannot be used with {name} {value}: {error.what}",
            "give another value, or train a checkpoint with this one",
        ) from error


def _with_option(options: SummaryOptions, name: str, text: str) -> SummaryOptions:
    """The options with one of them set to the value of a text.

    Raises:
        OptionError: The text is not a valid value for it.
    """
    raw = encode(options)
    candidates: list[object] = [text]
    with suppress(ValueError):
        candidates.insert(0, json.loads(text.lower()))
    for value in candidates:
        try:
            return decode(SummaryOptions, raw | {name: value})
        except RecordError:
            continue
    raise OptionError(f"'{text}' is not a valid value for {name}", "give a value that its flag accepts")


def _point(value: str, result: SystemResult, evaluation: EvaluationOptions) -> SweepPoint:
    intervals = {
        measure: mean_interval(result.values(measure), resamples=evaluation.resamples, seed=evaluation.seed)
        for measure in ROUGE_METRICS
    }
    means = {name: mean for name, mean in result.means.items() if name not in ROUGE_METRICS}
    return SweepPoint(
        value=value, scores=intervals, means=means, num_examples=len(result.rows), failed=result.failed
    )
