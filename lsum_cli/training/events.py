"""What a training run reports to its listener, and how Ctrl-C reaches it; no torch here."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any, Protocol, Self

from lsum_cli.datasets.statistics import DatasetStatistics


@dataclass(frozen=True, kw_only=True)
class SetupReport:
    """What will be done, before it is done.

    Attributes:
        statistics: Of the data, by split.
        parameters: Of the model, that are trained.
        steps: Optimizer steps at most.
        steps_per_epoch: Of them, for one pass over the data.
        documents_per_step: Over all processes.
        processes: That train together.
        device: ``"cpu"``, ``"cuda:0"``.
        resumed_step: The step that training goes on from; 0 for a new run.
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
    resumed_step: int


@dataclass(frozen=True, kw_only=True)
class StepReport:
    """Where training stands.

    Attributes:
        step: Optimizer steps done.
        steps: In all, at most.
        epoch: Passes over the data done, as a fraction.
        loss: Mean over the tokens since the last report; ``None`` between reports of it.
        tokens_per_second: Of source and reference, of all processes; ``None`` while unknown.
        seconds_left: By the speed so far; ``None`` while unknown.
        memory: Bytes at most: of the accelerator, else of the process.
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
    """A summary that the model wrote of a validation document."""

    id: str
    summary: str
    reference: str


@dataclass(frozen=True, kw_only=True)
class ValidationReport:
    """What a validation found.

    Attributes:
        metrics: ``loss``, and ROUGE F1 in percent or others where they were measured.
        metric: The one that the best checkpoint is chosen by.
        is_best: Whether this is the best one so far.
        seconds: How long it took.
    """

    step: int
    metrics: Mapping[str, float]
    metric: str
    is_best: bool
    samples: Sequence[Sample]
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something that the user should hear once."""

    text: str


Report = SetupReport | StepReport | ValidationReport | Notice


class TrainingListener(Protocol):
    """Hears where a training run stands."""

    def __call__(self, report: Report) -> None:
        """Take note of a report."""
        ...


def ignore_reports(report: Report) -> None:
    """The listener for callers who do not care."""


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Within so long a launcher repeats a signal.
_ECHO_SECONDS = 3.0


class Interruption:
    """A context manager, within which the first signal to stop is only noted.

    Args:
        say: Told once, when it is noted.
        launched: Whether a launcher started this process. It passes on what the terminal has told every
            process already; what comes so soon is no second wish.

    Attributes:
        requested: Whether it was.
    """

    def __init__(self, say: Callable[[str], None], *, launched: bool = False) -> None:
        self.requested = False
        self._say = say
        self._deaf_until = 0.0
        self._deaf_seconds = _ECHO_SECONDS if launched else 0.0
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._previous = {each: signal.signal(each, self._note) for each in _SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.requested:
            if time.monotonic() < self._deaf_until:
                return
            self._restore()
            raise KeyboardInterrupt
        self.requested = True
        self._deaf_until = time.monotonic() + self._deaf_seconds
        # Should the signal have come in the midst of a line, that line cannot be broken.
        with suppress(RuntimeError):
            self._say("stopping: this step is finished and saved; Ctrl-C again stops at once")

    def _restore(self) -> None:
        for each, handler in self._previous.items():
            signal.signal(each, handler)
        self._previous = {}
