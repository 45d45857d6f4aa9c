"""Ctrl-C while training: the first asks to save and stop, the second stops at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self

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
