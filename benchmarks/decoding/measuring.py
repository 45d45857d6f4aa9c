"""Time and memory of one contender, measured within its own process."""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
MIB = 2**20


@dataclass(frozen=True, kw_only=True)
class Span:
    """Seconds of something: by the clock, and of all processors together."""

    wall: float
    cpu: float

    def __sub__(self, other: Span) -> Span:
        return Span(wall=self.wall - other.wall, cpu=self.cpu - other.cpu)

    def divided(self, count: int) -> Span:
        """A share of it."""
        return Span(wall=self.wall / max(count, 1), cpu=self.cpu / max(count, 1))


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What one contender took once.

    Attributes:
        total: From token ids to token ids; the model was built before.
        encode: Encoder, and with our engine the cross-attention's keys and values.
        first_step: The first decoding step.
        per_step: The mean of the other steps.
        fastest_step: The fastest of them, by each clock.
        peak: MiB of resident memory at most while working: interpreter, libraries, weights and all.
        build_peak: The same while the weights were loaded and prepared.
        token_ids: What was written, for each text.
        scores: Mean log probability of its tokens, as the contender says.
    """

    total: Span
    encode: Span | None
    first_step: Span | None
    per_step: Span | None
    peak: float
    build_peak: float
    token_ids: list[list[int]]
    scores: list[float] | None
    fastest_step: Span | None = None


@dataclass
class Stopwatch:
    """Marks the end of encoding and of every decoding step."""

    started: Span = field(default_factory=lambda: now())
    encoded: Span | None = None
    steps: list[Span] = field(default_factory=list)

    def end_encoding(self) -> None:
        """What follows is decoding."""
        self.encoded = now()

    def end_step(self) -> None:
        """A step is done."""
        self.steps.append(now())

    def fastest_step(self) -> Span | None:
        """The fastest step after the first, by each clock; ``None`` where there are none."""
        steps = [after - before for before, after in pairwise(self.steps)]
        if not steps:
            return None
        return Span(wall=min(step.wall for step in steps), cpu=min(step.cpu for step in steps))

    def stages(self) -> tuple[Span | None, Span | None, Span | None]:
        """Encoding, the first step, the mean of the others; ``None`` where nothing was marked."""
        if self.encoded is None or not self.steps:
            return None, None, None
        rest = (self.steps[-1] - self.steps[0]).divided(len(self.steps) - 1)
        return self.encoded - self.started, self.steps[0] - self.encoded, rest


def now() -> Span:
    """The present moment on both clocks; the second counts all threads, in user and system mode."""
    return Span(wall=time.perf_counter(), cpu=time.process_time())


def read_peak() -> float:
    """MiB of resident memory at most so far, or since :func:`forget_peak`."""
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / MIB
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MIB


def forget_peak() -> None:
    """Begin to measure memory anew, where the system can; elsewhere building counts too."""
    try:
        CLEAR.write_text("5")
    except OSError:
        return
