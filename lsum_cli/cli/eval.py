"""``lsum eval``: scores of systems on a data set, of summaries in files, and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from lsum_cli.cli.flags import Command, Group, flags_for_models, typed_flags, with_flags, without
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import ExamplesOutput, ReportOutput
from lsum_cli.cli.streams import result_stream
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError, PartialFailure
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.machine.threads import available_cores
from lsum_cli.machine.workers import usual_jobs
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.options import Panel, check_options, jobs_option, option
from lsum_cli.rendering.formats import ReportFormat

if TYPE_CHECKING:
    from lsum_cli.batch.systems import SystemWorkers
    from lsum_cli.datasets.dataset import Dataset
    from lsum_cli.datasets.example import Example
    from lsum_cli.evaluation.predictions import Text
    from lsum_cli.evaluation.report import Report
    from lsum_cli.evaluation.results import SystemResult
    from lsum_cli.evaluation.systems import System, SystemRuns
    from lsum_cli.progress import ProgressListener

_NO_BASELINES = "none"
_TWO_WAYS = "give --data with documents and references, or --predictions with --references"

evaluation = typer.Typer(name="eval", cls=Group, invoke_without_command=True, rich_markup_mode="rich")


@dataclass(frozen=True, kw_only=True)
class EvaluationInput:
    """What is evaluated, against which references and baselines."""

    data: tuple[str, ...] = option(
        (),
        "--data",
        metavar="FILE|FOLDER|PATTERN",
        help="Documents with reference summaries, in the formats of lsum train; several become one data set.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )
    predictions: tuple[Path, ...] = option(
        (),
        "--predictions",
        metavar="FILE",
        help="Summaries to score: one per line, or JSON Lines, CSV, Parquet; or a folder of such files of"
        " several runs (seed-1.txt, seed-2.txt, …); may be given several times.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )
    references: Path | None = option(
        None,
        "--references",
        metavar="FILE",
        help="References of the predictions, in the same order; alternatively give --data.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )
    prediction_column: str | None = option(
        None,
        "--prediction-column",
        help="Column of --predictions that holds the summaries.",
        panel=Panel.READING,
        env=False,
        shown_default="prediction, summary, text, …",
    )
    reference_column: str | None = option(
        None,
        "--reference-column",
        help="Column of --references that holds the references.",
        panel=Panel.READING,
        env=False,
        shown_default="reference, summary, …",
    )
    models: tuple[str, ...] = option(
        (),
        "-m",
        "--model",
        metavar="NAME|OWNER/NAME[@REVISION]|DIR",
        help="Checkpoint to evaluate, or a folder of several runs of one (seed-1, seed-2, …); may be given"
        " several times.",
        panel=Panel.MODEL,
        env=False,
        shown_default="the best one installed",
    )
    baselines: str | None = option(
        None,
        "--baselines",
        metavar="NAME,…",
        help="Baselines to compare with: lead3 (any number), lead, lead:SYSTEM, random, extract, oracle,"
        " concat:MODEL, stan:MODEL; or none.",
        panel=Panel.SCORES,
        shown_default="lead:SYSTEM for every system",
        aliases=("--yardsticks",),
    )
    metrics: str | None = option(
        None,
        "--metrics",
        metavar="NAME,…|all",
        help="Metrics to show besides ROUGE and length: novel_2, flagged_names, page_entropy, …",
        panel=Panel.SCORES,
        env=False,
        shown_default="none; JSON and CSV contain all",
        aliases=("--measures",),
    )

    def check(self, dataset: DatasetOptions, options: SummaryOptions) -> None:
        """Refuse flags that exclude one another or are incomplete.

        Raises:
            OptionError: Some do.
        """
        for is_wrong, what, next_step in (
            (
                options.all_lengths,
                "--length all gives several summaries, and one is compared with a reference",
                "give one --length",
            ),
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
            (
                self.references is not None and not self.predictions,
                "--references were given without --predictions",
                _TWO_WAYS,
            ),
            (
                not self.data and bool(self.models or self.baselines or options.method != "auto"),
                "--model, --method and --baselines need documents",
                "give --data with documents and references",
            ),
            (
                not self.data and dataset != DatasetOptions(limit=dataset.limit),
                "--text-column, --summary-column and --id-column are those of --data",
                "name others by --prediction-column and --reference-column",
            ),
            (
                self.prediction_column is not None and not self.predictions,
                "--prediction-column was given without --predictions",
                "name the columns of --data by --text-column and --summary-column",
            ),
            (
                self.reference_column is not None and self.references is None,
                "--reference-column was given without --references",
                "name the columns of --data by --text-column and --summary-column",
            ),
        ):
            if is_wrong:
                raise OptionError(what, next_step)

    def has_no_model(self, options: SummaryOptions) -> bool:
        """Whether sentences are extracted alone, and no baseline names a model."""
        named = [name.partition(":")[0] for name in _split(self.baselines) if ":" in name]
        return options.method == "extract" and not self.models and not set(named) - {"lead"}

    def choose_metrics(self) -> list[str]:
        """The metrics that ``--metrics`` names.

        Raises:
            OptionError: There is no such metric.
        """
        from lsum_cli.rendering.evaluation import metric_names

        names = _split(self.metrics)
        if names == ["all"]:
            return list(metric_names())
        for name in names:
            if name not in metric_names():
                raise OptionError(f"there is no metric '{name}'", f"choose from {', '.join(metric_names())}")
        return names


@dataclass(frozen=True, kw_only=True)
class MachineOptions:
    """What an evaluation uses of the machine."""

    jobs: int | None = jobs_option(
        "Documents summarised at the same time, and processes that compute ROUGE.", aliases=("--processes",)
    )
    results: Path | None = option(
        None,
        "--results",
        metavar="FOLDER",
        help="Folder that caches summaries, so that none is written twice.",
        panel=Panel.RUNNING,
        shown_default="the user's cache",
    )

    def __post_init__(self) -> None:
        check_options(self)

    def start_workers(
        self, options: EvaluationOptions, *, has_data: bool = True
    ) -> AbstractContextManager[SystemWorkers | None]:
        """Workers where summaries are to be written, and several can be at a time; else ``None``."""
        if not has_data or options.batch_size > 1 or (self.jobs or usual_jobs()) == 1:
            return nullcontext()
        from lsum_cli.batch.systems import SystemWorkers

        return SystemWorkers(jobs=self.jobs)

    def complete(self, options: EvaluationOptions) -> EvaluationOptions:
        """Evaluation options with what depends on the machine.

        Raises:
            OptionError: Several jobs, and batches: both write several summaries at a time.
        """
        from lsum_cli.evaluation.summary_cache import results_path

        if options.batch_size > 1 and (self.jobs or 1) > 1:
            raise OptionError(
                f"--batch-size {options.batch_size} and --jobs {self.jobs} both write several summaries at a"
                " time",
                "leave out one of them",
            )
        processes = self.jobs or available_cores()
        return replace(options, processes=processes, results=self.results or results_path())


@evaluation.callback()
@with_flags
def evaluate(
    context: typer.Context,
    source: EvaluationInput,
    dataset: DatasetOptions,
    options: EvaluationOptions,
    summary_options: Annotated[SummaryOptions, without("model")],
    machine: MachineOptions,
    output: ReportOutput,
    examples: ExamplesOutput,
    messages: Messages,
) -> None:
    """Score summaries with ROUGE and further metrics, with confidence intervals and a signature.

    [bold]Examples[/bold]

      lsum eval --predictions system.txt --references reference.txt
      lsum eval --data test.jsonl --method extract --baselines lead3,lead,random,oracle
      lsum eval --data test.jsonl -m ./one -m ./other --limit 100 -o report.json
      lsum eval --predictions system.txt --references reference.txt --prepare ptb
      lsum eval --data test.jsonl -m runs/papers -o table.tex --per-example examples.csv
      lsum eval compare report.json other-report.json
    """
    if context.invoked_subcommand is not None:
        _refuse_flags_before(context)
        return
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.rendering.evaluation import tabulate_examples, write_report
    from lsum_cli.rendering.quantities import count

    source.check(dataset, summary_options)
    shown = source.choose_metrics()
    complete = machine.complete(options)
    if source.has_no_model(summary_options):
        messages.idle(flags_for_models(context))
    # Workers are started before anything starts threads.
    with machine.start_workers(options, has_data=bool(source.data)) as workers, result_stream() as stream:
        output.check()
        examples.check(overwrite=output.overwrite)
        run = EvaluationRun(source, dataset, summary_options, complete, messages, workers)
        with messages.progress() as progress:
            report = run.make_report(progress)
        for warning in report.warnings:
            messages.warn(warning)
        examples.write(lambda: tabulate_examples(report), messages, overwrite=output.overwrite)
        output.write(stream, lambda where, how: write_report(report, how, where, measures=shown), messages)
    failed = sum(system.failed for system in report.systems)
    if failed:
        raise PartialFailure(
            f"{count(failed, 'example')} could not be summarised and scored 0", "see the warnings above"
        )


@evaluation.command("compare", cls=Command)
@with_flags
def compare(
    first: Annotated[
        Path, typer.Argument(metavar="A.json", help="A report of lsum eval.", show_default=False)
    ],
    output: ReportOutput,
    messages: Messages,
    second: Annotated[
        Path | None,
        typer.Argument(
            metavar="[B.json]",
            help="Another report on the same references; without it the systems of the first are compared.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Test which of two systems is better and how certain that is, by the paired bootstrap.

    [bold]Examples[/bold]

      lsum eval compare a.json b.json
      lsum eval compare report.json -f csv
    """
    from lsum_cli.evaluation.report import compare_reports, read_report
    from lsum_cli.rendering.evaluation import write_comparisons

    with result_stream() as stream:
        output.check()
        report = read_report(first)
        comparisons = compare_reports(report, read_report(second) if second else None)
        signature = str(report.signature)

        def write(where: TextIO, how: ReportFormat) -> None:
            write_comparisons(comparisons, signature, how, where)

        output.write(stream, write, messages)


class EvaluationRun:
    """Evaluates systems, baselines and predictions, and reports what was cached."""

    def __init__(
        self,
        source: EvaluationInput,
        dataset: DatasetOptions,
        summary_options: SummaryOptions,
        options: EvaluationOptions,
        messages: Messages,
        workers: SystemWorkers | None = None,
    ) -> None:
        self._workers = workers
        self._source, self._dataset, self._options = source, dataset, options
        self._summary_options, self._messages = summary_options, messages

    def make_report(self, progress: ProgressListener) -> Report:
        """The report.

        Raises:
            LsumError: Nothing can be evaluated.
        """
        from lsum_cli.datasets.dataset import open_dataset
        from lsum_cli.evaluation.report import make_report
        from lsum_cli.evaluation.runs import excluded_by_reason

        source = self._source
        if not source.data:
            if self._options.models.nli is not None:
                raise OptionError(
                    "--nli compares summaries with their documents, and none are given",
                    "give --data instead of --references",
                )
            assert source.references is not None  # checked before
            results = list(self._score_predictions(source.references, progress))
            name, where = source.references.name, str(source.references)
            return make_report(results, self._options, name=name, where=where)
        dataset = open_dataset(list(source.data), self._dataset)
        return make_report(
            list(self._score_on(dataset, progress)),
            self._options,
            name=dataset.name,
            where=dataset.where,
            fingerprint=dataset.fingerprint,
            excluded=excluded_by_reason(dataset),
        )

    def systems(self) -> list[System | SystemRuns]:
        """The systems and baselines, in order; their checkpoints are looked up, not loaded.

        Where no baselines are named, every system has one of its own lengths.

        Raises:
            OptionError: There is no such method or baseline.
            CheckpointError: A checkpoint cannot be used.
        """
        from lsum_cli.evaluation.baselines import make_baseline
        from lsum_cli.evaluation.report import SAME_LENGTH
        from lsum_cli.evaluation.systems import make_system

        source, options = self._source, self._summary_options
        names = [] if source.baselines == _NO_BASELINES else _split(source.baselines)
        systems: list[System | SystemRuns] = []
        # By default the best available method.
        if source.models or options.method != "auto" or not (source.predictions or names):
            models: Sequence[str | None] = source.models or [None]
            systems += [make_system(replace(options, model=model)) for model in models]
        _make_unique(systems)
        if source.baselines is None:
            own = [*(name for _, name in self._named_predictions()), *(system.name for system in systems)]
            names = [f"{SAME_LENGTH}{name}" for name in own]
        systems += [make_baseline(name, options) for name in names]
        _make_unique(systems)
        return systems

    def _score_predictions(self, references: Path, progress: ProgressListener) -> Iterator[SystemResult]:
        """The predictions, scored against references in a file, line by line."""
        from lsum_cli.evaluation.predictions import REFERENCE_COLUMNS, pair_texts

        texts = _read_texts(
            references, self._source.reference_column, REFERENCE_COLUMNS, flag="--reference-column"
        )
        if not texts:
            raise DatasetError(f"{references} contains no reference", "give one per line")
        limit = self._dataset.limit
        for files, name in self._named_predictions():

            def score(path: Path, name: str) -> SystemResult:
                predictions = self._read_predictions(path)
                examples = pair_texts(predictions, texts)[:limit]
                return self._score(name, [each.text for each in predictions[:limit]], examples, progress)

            yield _score_runs(files, name, score)

    def _score_on(self, dataset: Dataset, progress: ProgressListener) -> Iterator[SystemResult]:
        """The predictions, systems and baselines, scored on a data set."""
        from lsum_cli.evaluation.predictions import match_texts
        from lsum_cli.evaluation.runs import evaluate_systems

        systems = self.systems()
        scored: list[SystemResult] = []
        if self._source.predictions:
            examples = list(dataset)

            def score(path: Path, name: str) -> SystemResult:
                texts = match_texts(self._read_predictions(path), examples, limit=self._dataset.limit)
                return self._score(name, texts, examples, progress)

            scored += [_score_runs(files, name, score) for files, name in self._named_predictions()]
        yield from scored
        for result in evaluate_systems(
            systems, dataset, self._options, progress, before=scored, workers=self._workers
        ):
            if result.taken:
                self._messages.note(
                    f"{result.name}: {result.taken:,} of {len(result.rows):,} summaries taken from an"
                    " earlier run (--fresh writes them anew)"
                )
            cached = [run.summaries for run in result.runs] or [result.summaries_path]
            self._messages.detail(f"{result.name}: summaries are cached in {', '.join(map(str, cached))}")
            yield result

    def _score(
        self, name: str, texts: Sequence[str], examples: Sequence[Example], progress: ProgressListener
    ) -> SystemResult:
        from lsum_cli.evaluation.runs import score_texts

        options = self._summary_options
        requested = options.num_words if options.length else None
        return score_texts(name, texts, examples, self._options, progress, requested_words=requested)

    def _named_predictions(self) -> list[tuple[list[Path], str]]:
        """The files of predictions, those of several runs together; names where these differ, else paths."""
        from lsum_cli.evaluation.systems import find_runs

        paths = self._source.predictions
        names = [path.name for path in paths]
        named = zip(paths, names if len(set(names)) == len(names) else map(str, paths), strict=True)
        return [(find_runs(path, are_files=True) or [path], name) for path, name in named]

    def _read_predictions(self, path: Path) -> list[Text]:
        from lsum_cli.evaluation.predictions import PREDICTION_COLUMNS

        column = self._source.prediction_column
        return _read_texts(path, column, PREDICTION_COLUMNS, flag="--prediction-column")


def _score_runs(files: Sequence[Path], name: str, score: Callable[[Path, str], SystemResult]) -> SystemResult:
    """The result of one file of predictions, or of those of several runs together."""
    from lsum_cli.evaluation.results import join_runs

    if len(files) == 1:
        return score(files[0], name)
    return join_runs(
        name, {path.name.partition(".")[0]: score(path, f"{name} {path.name}") for path in files}
    )


def _read_texts(path: Path, column: str | None, usual: Sequence[str], *, flag: str) -> list[Text]:
    from lsum_cli.evaluation.predictions import read_texts

    return read_texts(path, [column] if column else usual, flag=flag)


def _split(text: str | None) -> list[str]:
    """The names in a comma-separated list."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _make_unique(systems: Sequence[System | SystemRuns]) -> None:
    """Number systems that have the same name as an earlier one."""
    taken: set[str] = set()
    for system in systems:
        name, number = system.name, 1
        while system.name in taken:
            number += 1
            system.name = f"{name} ({number})"
        taken.add(system.name)


def _refuse_flags_before(context: typer.Context) -> None:
    """Refuse flags of ``lsum eval`` itself before a subcommand, where they would have no effect.

    Raises:
        OptionError: Some are given before the name of a subcommand.
    """
    given = [flag.option.flag for flag in typed_flags(context)]
    if given:
        command = context.invoked_subcommand
        raise OptionError(
            f"{', '.join(given)} before '{command}' would have no effect",
            f"give flags after it: lsum eval {command} --help lists them",
        )
