"""Events of a training run: reports to its listener, and interruptions by the user. No torch here."""

from __future__ import annotations

import json
import signal
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Protocol, Self

from lsum_cli.datasets.statistics import DatasetStatistics


@dataclass(frozen=True, kw_only=True)
class SetupReport:
    """Setup of a run, reported before it starts.

    Attributes:
        statistics: Statistics of the data, by split.
        parameters: Number of trainable parameters.
        steps: Maximum number of optimizer steps.
        steps_per_epoch: Optimizer steps of one pass over the data.
        documents_per_step: Documents per step, over all processes.
        processes: Number of processes that train together.
        device: ``"cpu"``, ``"cuda:0"``.
        threads: Threads of the processor that each process computes with.
        memory: Bytes of the machine's memory that programs can still get; ``None`` where unknown.
        resumed_step: Step that training resumes from; 0 for a new run.
    """

    method: str
    base: str | None
    statistics: Mapping[str, DatasetStatistics]
    parameters: int
    steps: int
    steps_per_epoch: int
    documents_per_step: int
    processes: int
    device: str
    threads: int = 1
    memory: int | None = None
    resumed_step: int


@dataclass(frozen=True, kw_only=True)
class StepReport:
    """Progress of training.

    Attributes:
        step: Optimizer steps done.
        steps: Maximum number of steps.
        epoch: Passes over the data so far, fractional.
        loss: Mean per token since the last report; ``None`` between reports.
        tokens_per_second: Source and reference tokens, over all processes; ``None`` while unknown.
        seconds_left: Estimate from the speed so far; ``None`` while unknown.
        memory: Peak memory in bytes, of the accelerator if there is one, else of the process.
    """

    step: int
    steps: int
    epoch: float
    loss: float | None = None
    learning_rate: float | None = None
    tokens_per_second: float | None = None
    seconds_left: float | None = None
    memory: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A summary that the model generated for a validation document."""

    id: str
    summary: str
    reference: str


@dataclass(frozen=True, kw_only=True)
class ValidationReport:
    """Result of a validation.

    Attributes:
        metrics: ``loss``, and others such as ROUGE F1 in percent if computed.
        metric: Name of the one that selects the best checkpoint.
        is_best: Whether this is the best one so far.
        seconds: Duration.
    """

    step: int
    metrics: Mapping[str, float]
    metric: str
    is_best: bool
    samples: Sequence[Sample]
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A message for the user."""

    text: str


Report = SetupReport | StepReport | ValidationReport | Notice


class TrainingListener(Protocol):
    """Receives the reports of a run."""

    def __call__(self, report: Report) -> None:
        """Handle a report."""
        ...


def ignore_reports(report: Report) -> None:
    """A listener that ignores everything."""


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# A launcher repeats a signal within this time, in seconds.
_ECHO_SECONDS = 3.0


class Interruption:
    """A context manager in which the first signal to stop only sets a flag.

    A signal that is ignored stays ignored, as a program started in the background expects.

    Args:
        say: Called once, when the flag is set, from a thread of its own.
        launched: Whether a launcher started this process. A launcher repeats the signal that the
            terminal has already sent to every process; the repetition is not a second request.

    Attributes:
        requested: Whether a stop was requested.
    """

    def __init__(self, say: Callable[[str], None], *, launched: bool = False) -> None:
        self.requested = False
        self._say = say
        self._deaf_until = 0.0
        self._deaf_seconds = _ECHO_SECONDS if launched else 0.0
        self._previous: dict[signal.Signals, Any] = {}
        self._saying: threading.Thread | None = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            heard = [each for each in _SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
            self._previous = {each: signal.signal(each, self._note) for each in heard}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._restore()
        if self._saying is not None:
            self._saying.join(_ECHO_SECONDS)

    def _note(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.requested:
            if time.monotonic() < self._deaf_until:
                return
            self._restore()
            raise KeyboardInterrupt
        self.requested = True
        self._deaf_until = time.monotonic() + self._deaf_seconds
        # The signal may have come in the middle of a write; another thread waits until it is done.
        text = "stopping after this step is finished and saved; press Ctrl-C again to stop at once"
        self._saying = threading.Thread(target=self._say, args=(text,), daemon=True)
        self._saying.start()

    def _restore(self) -> None:
        for each, handler in self._previous.items():
            signal.signal(each, handler)
        self._previous = {}


_SEEDS_SCHEMA = "lsum.seeds/1"


@dataclass(frozen=True, kw_only=True)
class MetricSpread:
    """A metric over runs: mean, and standard deviation of the sample; ``None`` for a single run."""

    mean: float
    deviation: float | None
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> MetricSpread:
        """The spread of at least one value."""
        deviation = statistics.stdev(values) if len(values) > 1 else None
        return cls(mean=statistics.fmean(values), deviation=deviation, least=min(values), most=max(values))


@dataclass(frozen=True, kw_only=True)
class SeedRun:
    """A finished run.

    Attributes:
        seed: Its seed.
        folder: Its folder, a checkpoint.
        step: Optimizer steps of its best weights.
        metrics: Validation metrics of these.
    """

    seed: int
    folder: Path
    step: int
    metrics: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class SeedRuns:
    """The runs of all seeds.

    Attributes:
        folder: The folder that holds theirs.
        seeds: The seeds that were asked for.
        runs: Those that are finished, in the order of their seeds.
    """

    folder: Path
    seeds: Sequence[int]
    runs: Sequence[SeedRun]

    @property
    def is_complete(self) -> bool:
        """Whether every seed has been trained."""
        return len(self.runs) == len(self.seeds)

    def spreads(self) -> dict[str, MetricSpread]:
        """Every metric that all runs have."""
        names = [name for name in self.runs[0].metrics if all(name in run.metrics for run in self.runs)]
        return {name: MetricSpread.of([run.metrics[name] for run in self.runs]) for name in names}

    def to_json(self) -> str:
        """The text of ``seeds.json``."""
        runs = [
            {"seed": run.seed, "folder": run.folder.name, "step": run.step, "metrics": dict(run.metrics)}
            for run in self.runs
        ]
        over_all = {
            name: {"mean": each.mean, "sd": each.deviation, "min": each.least, "max": each.most}
            for name, each in (self.spreads() if self.runs else {}).items()
        }
        content = {"schema": _SEEDS_SCHEMA, "seeds": list(self.seeds), "runs": runs, "metrics": over_all}
        return json.dumps(content, indent=2) + "\n"
