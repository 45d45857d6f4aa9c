"""What the commands of the analyses do between their flags and their pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lsum_cli.cli.messages import Messages
from lsum_cli.datasets.dataset import Dataset, open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError
from lsum_cli.evaluation.confidence_map import ConfidenceMap
from lsum_cli.evaluation.dependencies import Dependencies, analyse_dependencies, source_sentences
from lsum_cli.evaluation.intrinsic_locality import LocalityCurve, analyse_with_terms, analyse_with_vectors
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.sweep_point import SweepPoint
from lsum_cli.evaluation.texts import PREDICTION_COLUMNS, match_texts, read_texts
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.rendering.progress import ProgressDisplay
from lsum_cli.rendering.statements import count

REFERENCE = "reference"


def find_dependencies(
    data: Sequence[str], predictions: Sequence[Path], options: DatasetOptions, messages: Messages
) -> list[Dependencies]:
    """Fusion sentences of the references of each data set, and of predictions beside them.

    Raises:
        OptionError: Predictions with several data sets.
        DatasetError: Data or predictions cannot be read, or do not belong together.
    """
    if predictions and len(data) > 1:
        raise OptionError(
            f"--predictions belong to one data set, but {len(data)} are given", "analyse them one by one"
        )
    datasets = [open_dataset(each, options) for each in data]
    names = [REFERENCE] if len(datasets) == 1 else _names(datasets)
    with ProgressDisplay(quiet=messages.quiet) as progress:
        results = [
            analyse_dependencies(_with_references(dataset), name, progress)
            for dataset, name in zip(datasets, names, strict=True)
        ]
        _say_excluded(datasets, messages)
        for file in predictions:
            pairs = _with_predictions(datasets[0], file)
            results.append(analyse_dependencies(pairs, file.stem, progress))
    return results


def find_locality(
    data: Sequence[str],
    embeddings: str | None,
    max_distance: int,
    options: DatasetOptions,
    device: str,
    offline: bool,
    messages: Messages,
) -> list[tuple[str, LocalityCurve]]:
    """A curve for each data set, by TF-IDF or by the embeddings of a model.

    Raises:
        DatasetError: Data cannot be read.
        OptionError: Nothing can be compared.
        CheckpointError: The model is not here, or is no encoder.
    """
    datasets = [open_dataset(each, options) for each in data]
    encoder = None
    if embeddings is not None:
        from lsum_cli.evaluation.encoders import SentenceEncoder

        encoder = SentenceEncoder(embeddings, device=device, offline=offline)
    curves = []
    with ProgressDisplay(quiet=messages.quiet) as progress:
        for dataset, name in zip(datasets, _names(datasets), strict=True):
            documents = (source_sentences(example) for example in dataset)
            if encoder is None:
                curve = analyse_with_terms(documents, max_distance=max_distance, progress=progress)
            else:
                curve = analyse_with_vectors(
                    documents,
                    encoder.embed,
                    measure=encoder.name,
                    dim=encoder.dim,
                    max_distance=max_distance,
                    progress=progress,
                )
            curves.append((name, curve))
    _say_excluded(datasets, messages)
    if encoder is not None and encoder.num_truncated:
        messages.warn(
            f"{count(encoder.num_truncated, 'sentence')} longer than the {encoder.max_tokens} tokens of"
            f" {encoder.name} were compared by their beginnings"
        )
    return curves


def trace_example(
    data: Sequence[str], choice: str, options: DatasetOptions, wishes: SummaryOptions, messages: Messages
) -> tuple[ConfidenceMap, ...]:
    """The confidences of one example of a data set.

    Raises:
        DatasetError: There is no such example.
        LsumError: The model cannot be used.
    """
    from lsum_cli.evaluation.tracing import trace_confidence

    example = find_example(open_dataset(list(data), options), choice)
    with ProgressDisplay(quiet=messages.quiet) as progress:
        maps = trace_confidence(example, wishes, progress)
    messages.note(f"example {example.id}")
    for each in maps:
        if each.tokens_cut:
            messages.warn(
                f"the last {count(each.tokens_cut, 'token')} of the {each.name} found no room in the model"
            )
    return maps


def sweep_values(
    data: Sequence[str],
    setting: str,
    values: str,
    options: DatasetOptions,
    wishes: SummaryOptions,
    evaluation: EvaluationOptions,
    messages: Messages,
) -> tuple[SweepPoint, ...]:
    """What comes of each value, given in one text and parted by commas.

    Raises:
        LsumError: The setting, a value, the data or the model cannot be used.
    """
    from lsum_cli.evaluation.sweep import sweep

    dataset = open_dataset(list(data), options)
    parted = [value.strip() for value in values.split(",") if value.strip()]
    with ProgressDisplay(quiet=messages.quiet) as progress:
        points = sweep(wishes, setting, parted, dataset, evaluation, progress)
    _say_excluded([dataset], messages)
    for point in points:
        if point.failed:
            messages.warn(
                f"{setting} {point.value}: no summary could be written of {count(point.failed, 'example')};"
                " they score 0"
            )
    return points


def find_example(dataset: Dataset, choice: str) -> Example:
    """The example of this id, or at this place from 1; an id goes first.

    Raises:
        DatasetError: There is none.
    """
    at_place = None
    number = 0
    for number, example in enumerate(dataset, start=1):
        if example.id == choice:
            return example
        if str(number) == choice:
            at_place = example
    if at_place is None:
        raise DatasetError(
            f"{dataset.where} has no example '{choice}'", f"give an id, or a number from 1 to {number}"
        )
    return at_place


def _with_references(dataset: Dataset) -> Iterator[tuple[Example, str]]:
    for example in dataset:
        yield example, example.reference or ""


def _with_predictions(dataset: Dataset, path: Path) -> Iterator[tuple[Example, str]]:
    examples = list(dataset)
    texts = read_texts(path, PREDICTION_COLUMNS, flag="--predictions")
    yield from zip(examples, match_texts(texts, examples), strict=True)


def _names(datasets: Sequence[Dataset]) -> list[str]:
    """A name for each; those that share one are called by where they are."""
    names = [dataset.name for dataset in datasets]
    return [dataset.where if names.count(dataset.name) > 1 else dataset.name for dataset in datasets]


def _say_excluded(datasets: Sequence[Dataset], messages: Messages) -> None:
    for dataset in datasets:
        excluded = dataset.excluded
        if excluded.total:
            messages.warn(
                f"{dataset.where}: {count(excluded.total, 'record')} left out"
                f" ({excluded.empty_documents:,} without text,"
                f" {excluded.empty_references:,} without reference)"
            )
