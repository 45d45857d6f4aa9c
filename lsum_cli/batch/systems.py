"""Systems that are evaluated, run by worker processes."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from lsum_cli.batch.workers import Estimate, Work, Workers
from lsum_cli.datasets.example import Example
from lsum_cli.errors import LsumError
from lsum_cli.evaluation.summary_cache import CachedSummary
from lsum_cli.evaluation.systems import SummarizerSystem, System
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import Summary


@dataclass(frozen=True, kw_only=True)
class _ExampleOrder:
    """An example for a system.

    Attributes:
        system: The system, pickled: a worker unpickles it once.
    """

    system: bytes
    example: Example


class SystemWorkers(Workers[_ExampleOrder]):
    """Worker processes in which systems write summaries of examples.

    To be used as :class:`Workers` is.

    Args:
        jobs: How many summaries are written at a time; ``None`` for as many as suit each system.
    """

    def __init__(self, *, jobs: int | None = None) -> None:
        super().__init__(_Writing(), jobs=jobs)

    def write(
        self, system: System, examples: Iterable[Example], progress: ProgressListener
    ) -> Iterator[tuple[Example, Summary | LsumError]]:
        """Let a system summarise examples; yield each with its summary, or its error, as they end.

        Args:
            examples: Taken one by one, as workers become free.
        """
        left = iter(examples)
        packed = pickle.dumps(system, pickle.HIGHEST_PROTOCOL)
        samples = list(islice(left, 1))
        self.choose_jobs_by(_ExampleOrder(system=packed, example=example) for example in samples)
        under_way: dict[int, Example] = {}

        def orders() -> Iterator[tuple[int, str, _ExampleOrder]]:
            for number, example in enumerate(chain(samples, left)):
                under_way[number] = example
                yield number, example.where, _ExampleOrder(system=packed, example=example)

        for outcome in self.outcomes(orders(), progress):
            example = under_way.pop(outcome.id)
            if outcome.result is not None:
                cached: CachedSummary = outcome.result
                yield example, cached.restore(example)
            elif outcome.error is not None:
                if type(outcome.error) is LsumError and outcome.error.__cause__ is not None:
                    raise outcome.error.__cause__  # a bug
                yield example, outcome.error


@dataclass
class _Writing(Work[_ExampleOrder]):
    """Lets a system write, which stays with the checkpoint it has loaded until there is another."""

    _packed: bytes = b""
    _system: System | None = field(default=None, repr=False)
    _listener: ProgressListener = ignore_progress

    def do(self, order: _ExampleOrder) -> CachedSummary:
        """A summary without what the example contains."""
        system = self._unpack(order.system)
        began = time.perf_counter()
        # The same listener for all, with which a system keeps what it has loaded.
        summary = system.summarize(order.example, self._listener)
        seconds = {**summary.seconds, "total": time.perf_counter() - began}
        return CachedSummary.of(order.example, replace(summary, seconds=seconds))

    def estimate(self, order: _ExampleOrder) -> Estimate | None:
        """What a system with a method takes; others take little."""
        system = self._unpack(order.system)
        if not isinstance(system, SummarizerSystem):
            return None
        from lsum_cli.methods.summarizer import Summarizer

        return Estimate.of(Summarizer(system.options), order.example.documents)

    def _unpack(self, packed: bytes) -> System:
        if self._system is None or packed != self._packed:
            self._system = None  # freed before the next one is loaded
            self._packed, self._system = packed, pickle.loads(packed)  # noqa: S301 - our own
            self._listener = self.tell
        return self._system
