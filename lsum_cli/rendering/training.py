"""A training run for people: statistics of its data, lines or a live display while it runs, samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from lsum_cli.datasets.statistics import Cut, DatasetStatistics, Spread
from lsum_cli.progress import ProgressEvent
from lsum_cli.rendering.escaping import clean_line, escape_markdown
from lsum_cli.rendering.progress import ProgressDisplay, ProgressLines, describe_event, is_live_terminal
from lsum_cli.rendering.quantities import UNKNOWN, count, format_duration, format_number
from lsum_cli.rendering.tables import Cell, Column, Row, Table
from lsum_cli.training.events import (
    Notice,
    Report,
    Sample,
    SeedRuns,
    SetupReport,
    StepReport,
    ValidationReport,
)

_SAMPLE_CHARACTERS = 300
_TABLE_WIDTH = 120
_SAMPLES_TITLE = "# Summaries of validation documents"


class TrainingDisplay:
    """Shows the reports and the progress of a run while it is entered as a context manager.

    On a terminal a bar with the latest figures is drawn below the lines; elsewhere there are only lines.

    Args:
        say: Writes a line to standard error.
        quiet: Write and draw nothing.
        console: Where to draw; by default standard error.
    """

    def __init__(
        self, say: Callable[[str], None], *, quiet: bool = False, console: Console | None = None
    ) -> None:
        self._say_line, self._quiet = say, quiet
        self._console = console or Console(stderr=True)
        self._is_live = not quiet and is_live_terminal(self._console)
        # Before the first step: bars of reading and encoding.
        self._bars: ProgressDisplay | None = ProgressDisplay(
            quiet=quiet, tell=None if quiet else say, console=self._console
        )
        self._lines = ProgressLines(say)
        self._live: _LiveRun | None = None

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._close_bars()
        if self._live is not None:
            self._live.close()
            self._live = None

    def progress(self, event: ProgressEvent) -> None:
        """Show work other than training: reading, encoding, writing summaries."""
        if self._live is not None:
            self._live.show_event(event)
        elif not self._is_live and not self._quiet:
            self._lines(event)
        elif self._bars is not None:
            self._bars(event)

    def __call__(self, report: Report) -> None:
        """Show a report of the run."""
        if self._quiet:
            return
        if isinstance(report, SetupReport):
            self._close_bars()
            self._show_setup(report)
        elif isinstance(report, StepReport):
            self._show_step(report)
        elif isinstance(report, ValidationReport):
            scores, *samples = describe_validation(report)
            self._say(scores)
            if self._live is not None:
                self._live.show_samples(report.samples)
            else:
                for line in samples:
                    self._say(line)
        elif isinstance(report, Notice):
            self._say(report.text)

    def _show_setup(self, report: SetupReport) -> None:
        is_terminal = self._console.is_terminal
        console = self._console if is_terminal else Console(stderr=True, width=_TABLE_WIDTH)
        console.print(render_statistics(report.statistics))
        for line in describe_setup(report):
            self._say(line)

    def _show_step(self, report: StepReport) -> None:
        if self._is_live:
            self._live = self._live or _LiveRun(self._console)
            self._live.show_step(report)
        elif report.loss is not None:
            self._say(describe_step(report))

    def _say(self, text: str) -> None:
        if self._live is not None:
            self._live.print(text)
        elif self._bars is not None:
            with self._bars.paused():
                self._say_line(text)
        else:
            self._say_line(text)

    def _close_bars(self) -> None:
        if self._bars is not None:
            self._bars.__exit__(None, None, None)
            self._bars = None


class _LiveRun:
    """A bar, the latest figures, and the beginning of the latest summary, redrawn in place."""

    def __init__(self, console: Console) -> None:
        self._bar = Progress(
            TextColumn("step"),
            BarColumn(bar_width=32),
            TextColumn("{task.fields[amount]}"),
            TimeElapsedColumn(),
        )
        self._task = self._bar.add_task("", total=None, amount="")
        self._figures = self._event = self._sample = ""
        self._live = Live(self._content(), console=console, transient=True, refresh_per_second=4)
        self._live.start()

    def show_step(self, report: StepReport) -> None:
        amount = f"{report.step:,} of {report.steps:,}"
        self._bar.update(self._task, completed=report.step, total=report.steps, amount=amount)
        if report.loss is not None:
            self._figures = ", ".join(_figures(report))
        self._event = ""
        self._live.update(self._content())

    def show_event(self, event: ProgressEvent) -> None:
        self._event = describe_event(event)
        self._live.update(self._content())

    def show_samples(self, samples: Sequence[Sample]) -> None:
        self._event = ""
        if samples:
            self._sample = f"sample: {shorten(samples[0].summary)}"
        self._live.update(self._content())

    def print(self, text: str) -> None:
        self._live.console.print(Text(f"lsum: {clean_line(text)}"))

    def close(self) -> None:
        self._live.stop()

    def _content(self) -> RenderableType:
        lines = [line for line in (self._figures, self._event, self._sample) if line]
        return Group(self._bar, *(Text(line, style="dim") for line in lines))


def describe_setup(report: SetupReport) -> list[str]:
    """What the run will do, in a few lines."""
    start = f"from {report.base}" if report.base else "from scratch"
    parameters = f"{format_number(report.parameters)} parameters"
    shared = f", shared by {report.processes} processes" if report.processes > 1 else ""
    steps = (
        f"{count(report.steps, 'step')} of {count(report.documents_per_step, 'document')}{shared},"
        f" {report.steps_per_epoch:,} per epoch"
    )
    machine = f"{report.device}, {count(report.threads, 'thread')}"
    if report.memory is not None:
        machine += f", {report.memory / 1e9:,.1f} GB of memory free"
    lines = [f"{report.method} {start}, {parameters}, on {machine}", steps]
    if report.resumed_step:
        lines.append(f"resuming from step {report.resumed_step:,}")
    return lines


def describe_step(report: StepReport) -> str:
    """``"step 50 of 300: loss 6.12, 1,900 tokens/s, 3 min left, 512 MB"``."""
    return f"step {report.step:,} of {report.steps:,}: {', '.join(_figures(report))}"


def describe_validation(report: ValidationReport) -> list[str]:
    """The metrics, whether they are the best so far, and the beginning of a summary."""
    figures = [f"{name} {value:.3f}" for name, value in report.metrics.items()]
    best = f" (the best so far by {report.metric})" if report.is_best else ""
    lines = [
        f"validation at step {report.step:,}: {', '.join(figures)}{best}, {format_duration(report.seconds)}"
    ]
    return lines + [f"sample: {shorten(sample.summary)}" for sample in report.samples[:1]]


def shorten(text: str) -> str:
    """The beginning of a summary, on one line."""
    line = clean_line(" ".join(text.split())) or "(nothing)"
    return line if len(line) <= _SAMPLE_CHARACTERS else f"{line[: _SAMPLE_CHARACTERS - 1]}…"


def write_samples(report: ValidationReport, earlier: str = "") -> str:
    """Summaries beside their references as Markdown, the latest validation first.

    Args:
        earlier: The text returned for the validation before, if any.
    """
    figures = ", ".join(f"{name} {value:.3f}" for name, value in report.metrics.items())
    lines = [_SAMPLES_TITLE, "", f"## Step {report.step:,}", "", figures, ""]
    for sample in report.samples:
        written, reference = (
            escape_markdown(" ".join(text.split())) for text in (sample.summary, sample.reference)
        )
        lines += [f"### {escape_markdown(sample.id)}", "", "| written | reference |", "|---|---|"]
        lines += [f"| {written} | {reference} |", ""]
    return "\n".join(lines) + earlier.removeprefix(_SAMPLES_TITLE)


def _figures(report: StepReport) -> list[str]:
    figures = [f"loss {report.loss:.4f}"] if report.loss is not None else []
    if report.learning_rate is not None:
        figures.append(f"rate {report.learning_rate:.2e}")
    if report.tokens_per_second is not None:
        figures.append(f"{report.tokens_per_second:,.0f} tokens/s")
    if report.seconds_left:
        figures.append(f"{format_duration(report.seconds_left)} left")
    if report.memory is not None:
        figures.append(f"{report.memory / 1e6:,.0f} MB")
    return figures


def render_statistics(statistics: Mapping[str, DatasetStatistics]) -> Group:
    """A table of data sets by their purpose (``"train"``, ``"validation"``), and what was left out."""
    table = tabulate_statistics(statistics).to_rich()
    notes = [Text(line) for split, each in statistics.items() for line in _notes(clean_line(split), each)]
    return Group(table, *notes)


def tabulate_statistics(statistics: Mapping[str, DatasetStatistics]) -> Table:
    """Two rows for each data set: its documents and its references."""
    described = statistics.values()
    has_tokens = any(each.document_tokens or each.reference_tokens for each in described)
    has_cuts = any(each.document_cut or each.reference_cut for each in described)
    headings = ["Words", "90 %", "Most"]
    headings += ["Tokens", "90 %", "Most"] if has_tokens else []
    headings += ["Cut"] if has_cuts else []
    rows: list[Row] = []
    for split, each in statistics.items():
        documents = "document" if each.num_documents.maximum == 1 else "documents"
        parts = (
            (
                split,
                each.num_examples,
                documents,
                each.document_words,
                each.document_tokens,
                each.document_cut,
            ),
            ("", "", "reference", each.reference_words, each.reference_tokens, each.reference_cut),
        )
        for *names, words, tokens, cut in parts:
            cells = [*names, *_cells(words)]
            cells += _cells(tokens) if has_tokens else ()
            cells += [_format_share(cut)] if has_cuts else ()
            rows.append(tuple(cells))
    columns = (
        Column(
            heading=heading,
            align="left" if heading in ("Data", "Of each") else "right",
            is_wrapped=False,
            overflow="ellipsis",
        )
        for heading in ("Data", "Examples", "Of each", *headings)
    )
    return Table(columns=tuple(columns), rows=tuple(rows), frame="dense")


def tabulate_seeds(done: SeedRuns) -> Table:
    """A row for each run, then mean and standard deviation of every metric."""
    spreads = done.spreads()
    rows: list[Row] = [
        (f"seed {run.seed}", run.step, *(run.metrics[name] for name in spreads)) for run in done.runs
    ]
    rows.append(("mean", None, *(spread.mean for spread in spreads.values())))
    rows.append(("standard deviation", None, *(spread.deviation for spread in spreads.values())))
    return replace(Table.of_keys(["run", "step", *spreads], rows), title=f"{done.folder.name}, by seed")


def _cells(spread: Spread | None) -> tuple[Cell, Cell, Cell]:
    if spread is None:
        return None, None, None
    return spread.median, spread.ninety_percent, spread.maximum


def _format_share(cut: Cut | None) -> str:
    return f"{100 * cut.share:.1f} %" if cut else UNKNOWN


def _notes(split: str, statistics: DatasetStatistics) -> Iterator[str]:
    excluded, documents = statistics.excluded, statistics.num_documents
    if documents.maximum > 1:
        yield f"{split}: {count(documents.median, 'document')} per example, at most {documents.maximum:,}"
    if excluded.empty_references:
        yield f"{split}: {count(excluded.empty_references, 'record')} without a summary left out"
    if excluded.empty_documents:
        yield f"{split}: {count(excluded.empty_documents, 'record')} without a text left out"
    if statistics.not_encoded:
        yield f"{split}: {count(statistics.not_encoded, 'example')} cannot be used for training"
    if statistics.duplicates:
        yield f"{split}: {count(statistics.duplicates, 'example')} with the same text as another"
    for what, cut, remedy in (
        ("documents", statistics.document_cut, ""),
        ("references", statistics.reference_cut, "; a larger data.max_target_tokens keeps more"),
    ):
        if cut and cut.examples:
            yield (
                f"{split}: {count(cut.tokens, 'token')} of {what} cut ({_format_share(cut)}),"
                f" in {count(cut.examples, 'example')}{remedy}"
            )
