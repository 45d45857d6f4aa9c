"""Progress of long work: bars on a terminal, removed when the work is done; in logs a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from lsum_cli.progress import ProgressEvent
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.summaries import Summary, SummaryListener, SummarySentence

if TYPE_CHECKING:
    from rich.console import Console

    from lsum_cli.rendering.bars import Bars

PATIENCE_SECONDS = 0.5
# Before the first line of a stage; doubled from line to line up to the maximum.
LINE_SECONDS = 5.0
MAX_LINE_SECONDS = 60.0

Item = TypeVar("Item")


class ProgressDisplay:
    """A progress listener that draws bars while it is entered as a context manager.

    It draws nothing where standard error is not a terminal, under ``quiet``, and for work that takes
    less than :data:`PATIENCE_SECONDS`. Events may come from any thread.

    Args:
        tell: Receives the remarks of events, also where nothing is drawn; by default they are dropped.
        console: Where to draw; by default standard error.
        patience: Seconds before the first bar.
    """

    def __init__(
        self,
        *,
        quiet: bool = False,
        tell: Callable[[str], None] | None = None,
        console: Console | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._tell = tell
        self._console = None if quiet else console or _terminal()
        self._visible = self._console is not None and is_live_terminal(self._console)
        self._patience = patience
        self._patient = True
        self._pauses = 0
        self._lock = threading.RLock()
        self._events: dict[str, ProgressEvent] = {}
        # When each stage was first heard of, and how much was done then: bars come and go meanwhile.
        self._begun: dict[str, tuple[float, int]] = {}
        self._timer: threading.Timer | None = None
        self._bars: Bars | None = None

    def __enter__(self) -> Self:
        if self._visible:
            self._timer = threading.Timer(self._patience, self._end_patience)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._visible = False
            self._hide()

    def __call__(self, event: ProgressEvent) -> None:
        """Record an event, and draw it unless it is too early for bars."""
        if event.remark:
            if self._tell is not None:
                with self.paused():
                    self._tell(event.remark)
            return
        if not self._visible:
            return
        with self._lock:
            if event.stage not in self._events:
                self._forget_finished()
                self._begun[event.stage] = time.monotonic(), event.done
            self._events[event.stage] = event
            self._show()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Remove the bars from the screen while something else is printed."""
        with self._lock:
            self._pauses += 1
            self._hide()
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                self._show()

    def paused_for_each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, with the bars removed while the caller handles one."""
        for item in items:
            with self.paused():
                yield item

    def pausing(self, listener: SummaryListener | None) -> SummaryListener | None:
        """The same listener, with the bars removed from the screen while it is called."""
        return None if listener is None else _PausingListener(self, listener)

    def _end_patience(self) -> None:
        with self._lock:
            self._patient = False
            self._show()

    def _forget_finished(self) -> None:
        """Drop stages that are complete, and those of unknown length, which end when another begins."""
        self._events = {
            stage: event
            for stage, event in self._events.items()
            if event.total is not None and event.done < event.total
        }

    def _show(self) -> None:
        if self._patient or self._pauses or not self._visible or not self._events:
            return
        if self._bars is None:
            from lsum_cli.rendering.bars import Bars

            assert self._console is not None
            self._bars = Bars(self._console)
        self._bars.draw(self._events, self._begun)

    def _hide(self) -> None:
        if self._bars is not None:
            self._bars.close()
            self._bars = None


class ProgressLines:
    """A progress listener for logs: a line now and then, less often the longer a stage takes.

    A stage that cannot be counted begins with a line; any other gets one after :data:`LINE_SECONDS`.

    Args:
        say: Writes a line.
        clock: Returns seconds.
    """

    def __init__(self, say: Callable[[str], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._say, self._clock = say, clock
        self._stage = ""
        self._said, self._wait = 0.0, LINE_SECONDS

    def __call__(self, event: ProgressEvent) -> None:
        """Record an event, and write a line if it is time."""
        now = self._clock()
        if event.remark:
            self._say(event.remark)
            if event.remark == event.stage:  # the remark is the first line of the stage
                self._stage, self._said, self._wait = event.stage, now, LINE_SECONDS
        elif event.stage != self._stage:
            self._stage, self._said, self._wait = event.stage, now, LINE_SECONDS
            if not event.done and event.total is None:
                self._say(event.stage)
        elif now - self._said >= self._wait:
            self._said, self._wait = now, min(2 * self._wait, MAX_LINE_SECONDS)
            self._say(describe_event(event))


def describe_event(event: ProgressEvent) -> str:
    """``"encoding: 1,200 of 3,000 examples"``, or the stage alone where nothing is counted."""
    total = f" of {event.total:,}" if event.total is not None else ""
    return clean_line(f"{event.stage}: {event.done:,}{total} {event.unit}" if event.unit else event.stage)


class _PausingListener:
    """Passes on every call while the bars are removed from the screen."""

    def __init__(self, display: ProgressDisplay, listener: SummaryListener) -> None:
        self._display = display
        self._listener = listener

    def begin(self, opening: Summary) -> None:
        with self._display.paused():
            self._listener.begin(opening)

    def add(self, sentence: SummarySentence) -> None:
        with self._display.paused():
            self._listener.add(sentence)


def _terminal() -> Console | None:
    """Standard error if it is a terminal; otherwise nothing that draws has to be imported."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    from rich.console import Console

    return Console(stderr=True)


def is_live_terminal(console: Console) -> bool:
    """Whether a console is a real terminal whose cursor can be moved; ``FORCE_COLOR`` does not count."""
    isatty = getattr(console.file, "isatty", None)
    return bool(isatty and isatty()) and console.is_terminal and not console.is_dumb_terminal
