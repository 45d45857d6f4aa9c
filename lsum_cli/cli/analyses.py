"""The papers' analyses under ``lsum eval``: dependencies, locality, confidence, sweep, curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsum_cli.cli.eval import MachineOptions, evaluation
from lsum_cli.cli.flags import Command, only, with_flags, without
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import FigureOutput
from lsum_cli.cli.streams import result_stream
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.options import Panel, option

if TYPE_CHECKING:
    from lsum_cli.datasets.dataset import Dataset
    from lsum_cli.datasets.example import Example

# Kept equal to the value beside the analysis, which costs numpy to import.
MAX_DISTANCE = 50
REFERENCE = "reference"


@dataclass(frozen=True, kw_only=True)
class DataInput:
    """The data of an analysis."""

    data: tuple[str, ...] = option(
        MISSING,
        "--data",
        metavar="FILE|FOLDER|PATTERN",
        help="Documents with reference summaries, in the formats of lsum train; may be given several times.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )
    predictions: tuple[Path, ...] = option(
        (),
        "--predictions",
        metavar="FILE",
        help="Summaries by a system, one per example, shown beside the references; may be given several"
        " times.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )


@dataclass(frozen=True, kw_only=True)
class SimilarityOptions:
    """How sentences are compared."""

    embeddings: str | None = option(
        None,
        "--embeddings",
        metavar="OWNER/NAME|DIR",
        help="Compare sentences by the embeddings of this encoder from the hub.",
        panel=Panel.ANALYSIS,
        env=False,
        shown_default="TF-IDF, without a model",
    )
    max_distance: int = option(
        MAX_DISTANCE,
        "--max-distance",
        help="Maximum distance, in sentences.",
        panel=Panel.ANALYSIS,
        env=False,
    )


@dataclass(frozen=True, kw_only=True)
class ExampleOptions:
    """Which example of the data is looked at."""

    example: str = option(
        "1",
        "--example",
        metavar="NUMBER|ID",
        help="Example to look at: its position in the data, from 1, or its id.",
        panel=Panel.ANALYSIS,
        env=False,
    )


@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """What is varied."""

    setting: str = option(
        MISSING,
        "--setting",
        metavar="NAME",
        help="Setting to vary: a flag of lsum summarize (page-tokens, beams, …), or a key of the checkpoint's"
        " config.json (decoding, attention_window, …).",
        panel=Panel.ANALYSIS,
        env=False,
        shown_default="",
    )
    values: str = option(
        MISSING,
        "--values",
        metavar="A,B,…",
        help="Values of the setting, in the order to be shown.",
        panel=Panel.ANALYSIS,
        env=False,
        shown_default="",
    )


@dataclass(frozen=True, kw_only=True)
class CurveOptions:
    """Which curve is drawn."""

    metric: str = option(
        "eval_loss",
        "--metric",
        help="Metric of the log: eval_loss, loss, eval_rouge1, …",
        panel=Panel.ANALYSIS,
        env=False,
    )


@evaluation.command("dependencies", cls=Command)
@with_flags
def show_dependencies(
    source: DataInput, dataset: DatasetOptions, output: FigureOutput, messages: Messages
) -> None:
    """Find summary sentences that join two source sentences, and how far apart these are.

    Equations 13 to 16 and Figure 4 of the PageSum paper.

    [bold]Examples[/bold]

      lsum eval dependencies --data valid.jsonl
      lsum eval dependencies --data valid.jsonl --predictions pagesum.txt --predictions led.txt -o distances
    """
    from lsum_cli.datasets.dataset import open_dataset
    from lsum_cli.evaluation.analyses.dependencies import analyse_dependencies
    from lsum_cli.rendering.analyses import overview_dependencies, tabulate_dependencies
    from lsum_cli.rendering.plots import draw_dependencies

    files = output.choose_files("dependencies")
    with result_stream() as stream:
        if source.predictions and len(source.data) > 1:
            raise OptionError(
                f"--predictions belong to one data set, but {len(source.data)} are given",
                "analyse them one by one",
            )
        datasets = [open_dataset(each, dataset) for each in source.data]
        names = [REFERENCE] if len(datasets) == 1 else _names(datasets)
        with messages.progress() as progress:
            results = [
                analyse_dependencies(_with_references(each), name, progress)
                for each, name in zip(datasets, names, strict=True)
            ]
            _say_excluded(datasets, messages)
            for file in source.predictions:
                pairs = _with_predictions(datasets[0], file)
                results.append(analyse_dependencies(pairs, file.stem, progress))
        table = tabulate_dependencies(results)
        overview = overview_dependencies(results)
        output.write(files, draw_dependencies(table), table, overview, stream, messages)


@evaluation.command("locality", cls=Command)
@with_flags
def show_locality(
    source: Annotated[DataInput, only("data")],
    similarity: SimilarityOptions,
    model: Annotated[SummaryOptions, only("device", "offline")],
    dataset: DatasetOptions,
    output: FigureOutput,
    messages: Messages,
) -> None:
    """Show how similar the sentences of documents are, by their distance.

    Figure 1 of the PageSum paper: where similarity falls with distance, pages of neighbouring sentences
    make sense.

    [bold]Examples[/bold]

      lsum eval locality --data articles.jsonl
      lsum eval locality --data articles.jsonl --data meetings.jsonl --max-distance 100 -o locality
      lsum eval locality --data articles.jsonl --embeddings sentence-transformers/all-MiniLM-L6-v2
    """
    from lsum_cli.datasets.dataset import open_dataset
    from lsum_cli.documents import sentences_to_read
    from lsum_cli.evaluation.analyses.locality import analyse_with_terms, analyse_with_vectors
    from lsum_cli.evaluation.metrics.encoders import SentenceEncoder
    from lsum_cli.rendering.analyses import overview_locality, tabulate_locality
    from lsum_cli.rendering.plots import draw_locality
    from lsum_cli.rendering.quantities import count

    files = output.choose_files("locality")
    with result_stream() as stream:
        datasets = [open_dataset(each, replace(dataset, needs_reference=False)) for each in source.data]
        encoder = None
        if similarity.embeddings is not None:
            encoder = SentenceEncoder(similarity.embeddings, device=model.device, offline=model.offline)
        most = similarity.max_distance
        curves = []
        with messages.progress() as progress:
            for each, name in zip(datasets, _names(datasets), strict=True):
                documents = (
                    [sentence.text for sentence in sentences_to_read(example.documents)] for example in each
                )
                if encoder is None:
                    curve = analyse_with_terms(documents, max_distance=most, progress=progress)
                else:
                    curve = analyse_with_vectors(
                        documents,
                        encoder.embed,
                        measure=encoder.name,
                        dim=encoder.dim,
                        max_distance=most,
                        progress=progress,
                    )
                curves.append((name, curve))
        _say_excluded(datasets, messages)
        if encoder is not None and encoder.num_truncated:
            messages.warn(
                f"{count(encoder.num_truncated, 'sentence')} longer than the {encoder.max_tokens} tokens of"
                f" {encoder.name} were compared by their beginnings"
            )
        table = tabulate_locality(curves)
        picture = draw_locality(table, curves[0][1].measure)
        output.write(files, picture, table, overview_locality(curves), stream, messages)


@evaluation.command("confidence", cls=Command)
@with_flags
def show_confidence(
    source: Annotated[DataInput, only("data")],
    chosen: ExampleOptions,
    dataset: Annotated[DatasetOptions, without("limit")],
    options: Annotated[SummaryOptions, without("attribution")],
    output: FigureOutput,
    messages: Messages,
) -> None:
    """Draw which pages a PageSum model reads at every token of its own summary and of the reference.

    Figure 3 of the PageSum paper: pages by decoding steps, darker is higher. The reference is given to
    the model word by word (teacher forcing).

    [bold]Examples[/bold]

      lsum eval confidence --data valid.jsonl -m pagesum-arxiv-discourse
      lsum eval confidence --data valid.jsonl -m ./my-checkpoint --example 12 -o confidence
    """
    from lsum_cli.datasets.dataset import open_dataset
    from lsum_cli.evaluation.analyses.confidence import trace_confidence
    from lsum_cli.rendering.analyses import overview_confidence, tabulate_confidence
    from lsum_cli.rendering.plots import draw_confidence
    from lsum_cli.rendering.quantities import count

    files = output.choose_files("confidence")
    with result_stream() as stream:
        opened = open_dataset(list(source.data), replace(dataset, needs_reference=False))
        example = find_example(opened, chosen.example)
        with messages.progress() as progress:
            maps = trace_confidence(example, options, progress)
        messages.note(f"example {example.id}")
        for each in maps:
            if each.tokens_cut:
                cut = count(each.tokens_cut, "token")
                messages.warn(f"the last {cut} of the {each.name} did not fit into the model")
        undecided = [each for each in maps if each.is_undecided]
        for each in undecided:
            messages.warn(
                f"{each.name} summary: the model hardly decides between the {len(each.pages)} pages (greatest"
                f" weight {each.mean_greatest:.2f} on average; uniform would be {1 / len(each.pages):.2f})"
            )
        if len(undecided) == len(maps):
            messages.note("the picture shows weights on a scale from uniform to certain")
        table = tabulate_confidence(maps)
        picture = draw_confidence(table, is_undecided=len(undecided) == len(maps))
        output.write(files, picture, table, overview_confidence(maps), stream, messages)


@evaluation.command("sweep", cls=Command)
@with_flags
def run_sweep(
    source: Annotated[DataInput, only("data")],
    swept: SweepOptions,
    dataset: DatasetOptions,
    options: Annotated[SummaryOptions, without("attribution")],
    evaluation: Annotated[EvaluationOptions, only("fresh")],
    machine: MachineOptions,
    output: FigureOutput,
    messages: Messages,
) -> None:
    """Evaluate one system with several values of one setting, everything else equal.

    Settings are flags of lsum summarize, or keys of a checkpoint's config.json; the latter are changed in
    a copy that shares the weights.

    [bold]Examples[/bold]

      lsum eval sweep --data valid.jsonl -m ./mine --setting page-tokens --values 128,256,512,1024
      lsum eval sweep --data valid.jsonl -m ./mine --setting decoding --values page,global
      lsum eval sweep --data valid.jsonl -m ./topdown --setting attention_window --values 32,128,512
    """
    files = output.choose_files("sweep")
    complete = machine.complete(evaluation)
    with machine.start_workers(evaluation) as workers, result_stream() as stream:
        from lsum_cli.datasets.dataset import open_dataset
        from lsum_cli.evaluation.analyses.sweep import sweep
        from lsum_cli.rendering.analyses import tabulate_sweep
        from lsum_cli.rendering.plots import draw_sweep
        from lsum_cli.rendering.quantities import count

        examples = open_dataset(list(source.data), dataset)
        values = [value.strip() for value in swept.values.split(",") if value.strip()]
        with messages.progress() as progress:
            points = sweep(options, swept.setting, values, examples, complete, progress, workers=workers)
        _say_excluded([examples], messages)
        for point in points:
            if point.failed:
                messages.warn(
                    f"{swept.setting} {point.value}: {count(point.failed, 'example')} could not be summarised"
                    " and scored 0"
                )
        table = tabulate_sweep(points)
        output.write(files, draw_sweep(table, swept.setting), table, table, stream, messages)


@evaluation.command("curves", cls=Command)
@with_flags
def show_curves(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN", help="A run of lsum train, or a folder of runs (seed-1, …).", show_default=False
        ),
    ],
    chosen: CurveOptions,
    output: FigureOutput,
    messages: Messages,
) -> None:
    """Draw the validation loss, or another metric of the log, of several training runs by step.

    Runs in one folder (seed-1, seed-2, …) are one system: their mean, within the least and the greatest.

    [bold]Examples[/bold]

      lsum eval curves runs/one runs/other
      lsum eval curves runs/papers --metric eval_rouge2 -o curves
    """
    from lsum_cli.evaluation.analyses.curves import read_curves
    from lsum_cli.rendering.analyses import overview_curves, tabulate_curves
    from lsum_cli.rendering.plots import draw_curves

    files = output.choose_files("curves")
    with result_stream() as stream:
        curves = read_curves(runs, chosen.metric)
        table = tabulate_curves(curves)
        picture = draw_curves(table, chosen.metric)
        output.write(files, picture, table, overview_curves(curves), stream, messages)


def find_example(dataset: Dataset, choice: str) -> Example:
    """The example with this id or, failing that, at this position from 1.

    Raises:
        DatasetError: There is none.
    """
    at_position = None
    number = 0
    for number, example in enumerate(dataset, start=1):
        if example.id == choice:
            return example
        if str(number) == choice:
            at_position = example
    if at_position is None:
        raise DatasetError(
            f"{dataset.where} has no example '{choice}'", f"give an id, or a number from 1 to {number}"
        )
    return at_position


def _with_references(dataset: Dataset) -> Iterator[tuple[Example, str]]:
    for example in dataset:
        yield example, example.reference or ""


def _with_predictions(dataset: Dataset, path: Path) -> Iterator[tuple[Example, str]]:
    from lsum_cli.evaluation.predictions import PREDICTION_COLUMNS, match_texts, read_texts

    examples = list(dataset)
    texts = read_texts(path, PREDICTION_COLUMNS, flag="--predictions")
    yield from zip(examples, match_texts(texts, examples), strict=True)


def _names(datasets: Sequence[Dataset]) -> list[str]:
    """A name for each; those that share a name are named by their path."""
    names = [dataset.name for dataset in datasets]
    return [dataset.where if names.count(dataset.name) > 1 else dataset.name for dataset in datasets]


def _say_excluded(datasets: Sequence[Dataset], messages: Messages) -> None:
    from lsum_cli.rendering.quantities import count

    for dataset in datasets:
        excluded = dataset.excluded
        if excluded.total:
            messages.warn(
                f"{dataset.where}: {count(excluded.total, 'record')} left out"
                f" ({excluded.empty_documents:,} without text,"
                f" {excluded.empty_references:,} without reference)"
            )
