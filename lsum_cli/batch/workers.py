"""Documents summarised by worker processes, each with the checkpoint loaded once.

A worker reads a document within its limits, summarises it, and makes of the summary what is wanted, so
that little has to cross between processes. Like every process that reads it has no network: what is
fetched is fetched by the program itself.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, DeviceError, LsumError, OptionError, SourceError
from lsum_cli.machine.limits import OverBudget
from lsum_cli.machine.memory import measure_memory
from lsum_cli.machine.processor import available_cores, use_threads
from lsum_cli.machine.workers import Job, WorkerContext, WorkerDied, WorkerPool
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.reader import ReadingTask, over_budget
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.summaries import Summary

if TYPE_CHECKING:
    from lsum_cli.methods.summarizer import Summarizer

Result = TypeVar("Result")

# Share of the memory that is free which workers may take by their estimate.
MEMORY_SHARE = 0.8
# If one cannot be estimated, the next may be.
_SAMPLES = 3
# What may be the fault of the run as well as of a document.
_OF_THE_RUN = (CheckpointError, DeviceError, OptionError)


class DocumentMaker(Protocol):
    """What documents are made of, in the worker: a record of a data file."""

    @property
    def name(self) -> str:
        """What the user calls it."""

    def documents(self) -> tuple[Document, ...]:
        """Make the documents.

        Raises:
            LsumError: They cannot be made.
        """


@dataclass(frozen=True, kw_only=True)
class SummaryTask:
    """What is to be summarised: a source to be read, or documents, which make one summary together.

    Attributes:
        id: The caller's own name for it, which its outcome has too.
        title: Title of the summary; by default that of a single document.
    """

    id: object
    source: str | tuple[Document, ...] | DocumentMaker
    title: str | None = None

    @property
    def name(self) -> str:
        """What the user calls it."""
        if isinstance(self.source, str):
            return self.source
        if isinstance(self.source, tuple):
            return ", ".join(document.source for document in self.source)
        return self.source.name


@dataclass(frozen=True, kw_only=True)
class Outcome(Generic[Result]):
    """What became of a task: a result, or an error.

    Attributes:
        id: That of the task.
        source: What the user calls it.
    """

    id: object
    source: str
    result: Result | None = None
    error: LsumError | None = None


@dataclass(frozen=True, kw_only=True)
class _Estimate:
    """What a worker is expected to need.

    Attributes:
        memory: Bytes at its peak.
        is_elsewhere: Whether the model runs on a device that workers would only compete for.
    """

    memory: int
    is_elsewhere: bool


@dataclass(frozen=True, kw_only=True)
class _Order:
    """A task as a worker gets it.

    Attributes:
        number: Its position among the tasks.
        threads: How many threads the worker may compute with.
        reading: How its source is read; ``None`` for documents.
        is_trial: Whether only to estimate what it needs.
    """

    task: SummaryTask
    number: int
    threads: int
    reading: ReadingTask | None = None
    is_trial: bool = False


class SummaryWorkers(Generic[Result]):
    """Worker processes that summarise documents.

    To be used as a context manager, entered before anything starts threads, so that workers are copies of
    this process and are there at once. On leaving it they are ended, whatever they do.

    Args:
        options: How summaries are made.
        read_options: How sources are read.
        finish: What the worker makes of a summary, such as the text of a file; a function of a module, or
            a ``partial`` of one.
        jobs: How many documents are done at a time; ``None`` for as many as processors and memory allow,
            see :meth:`settle`.
        num_tasks: How many tasks there are, where that is known.
        cores: How many processors all workers may use together; ``None`` for all there are.

    Attributes:
        jobs: How many documents are done at a time.

    Raises:
        DeviceError: Entered, where no process can be started.
    """

    def __init__(
        self,
        options: SummaryOptions,
        read_options: ReadOptions | None = None,
        *,
        finish: Callable[[Summary], Result],
        jobs: int | None = None,
        num_tasks: int | None = None,
        cores: int | None = None,
    ) -> None:
        cores = cores or available_cores()
        self._cores = cores
        self._is_settled = jobs is not None
        most = jobs or cores
        self.jobs = most if num_tasks is None else max(1, min(most, num_tasks))
        self._read_options = read_options or ReadOptions()
        work = _Work(options, finish)
        # An order for a trial has an estimate for its result.
        self._pool: WorkerPool[_Order, Any] = WorkerPool(work, workers=self.jobs)

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.close()

    def close(self) -> None:
        """End all workers at once."""
        self._pool.close()

    def settle(self, samples: Iterable[SummaryTask]) -> int:
        """Choose how many documents are done at a time, unless that was given.

        The memory of a worker is what a plan estimates for a sample. A checkpoint's weights are in the
        memory of each worker anew: they are repacked for the processor when they are loaded.

        Args:
            samples: Documents that are typical, or longer than most; the first that can be planned counts.

        Returns:
            How many; 1 where the model does not run on the processor.
        """
        if self._is_settled or self.jobs == 1:
            return self.jobs
        self._is_settled = True
        for sample in islice(samples, _SAMPLES):
            estimate = self._try_out(sample)
            if estimate is None:
                continue
            available = measure_memory().available
            if estimate.is_elsewhere:
                self.jobs = 1
            elif available is not None:
                self.jobs = max(1, min(self.jobs, int(MEMORY_SHARE * available) // max(1, estimate.memory)))
            break
        self._pool.limit(self.jobs)
        return self.jobs

    def completed(
        self, tasks: Iterable[SummaryTask], progress: ProgressListener = ignore_progress
    ) -> Iterator[Outcome[Result]]:
        """Summarise; yield the outcome of each task when it is there, in the order in which they end.

        A task that fails stops no other. An error that may be the run's own fault, such as a damaged
        checkpoint, is raised where every task before it has failed.

        Args:
            tasks: Taken one by one, as workers become free.
            progress: Receives the remarks of reading.

        Raises:
            CheckpointError, DeviceError, OptionError: As :meth:`Summarizer.summarize` raises them.
        """
        held: dict[int, Outcome[Result]] = {}
        settled: set[int] = set()
        before, has_worked = 0, False
        for number, outcome in self._outcomes(tasks, progress):
            if has_worked:
                yield outcome
                continue
            has_worked = outcome.error is None
            settled.add(number)
            if isinstance(outcome.error, _OF_THE_RUN):
                held[number] = outcome
            else:
                yield outcome
            if has_worked:
                yield from held.values()
                held.clear()
                continue
            while before in settled:
                blamed = held.get(before)
                if blamed is not None and blamed.error is not None:
                    raise blamed.error
                settled.discard(before)
                before += 1

    def _outcomes(
        self, tasks: Iterable[SummaryTask], progress: ProgressListener
    ) -> Iterator[tuple[int, Outcome[Result]]]:
        """Outcomes with the position of their task."""
        not_taken: deque[tuple[int, Outcome[Result]]] = deque()
        threads = max(1, self._cores // self.jobs)

        def orders() -> Iterator[_Order]:
            for number, task in enumerate(tasks):
                order = _Order(task=task, number=number, threads=threads)
                try:
                    yield replace(order, reading=self._take(task, progress))
                except LsumError as error:
                    not_taken.append((number, Outcome(id=task.id, source=task.name, error=error)))

        for job in self._pool.completed(orders(), ahead=1, progress=progress):
            while not_taken:
                yield not_taken.popleft()
            yield job.task.number, _conclude(job)
        yield from not_taken

    def _take(self, task: SummaryTask, progress: ProgressListener = ignore_progress) -> ReadingTask | None:
        """What a worker needs to read a source; what is elsewhere is fetched.

        Raises:
            SourceError: It cannot be fetched.
        """
        if not isinstance(task.source, str):
            return None
        # Pages recognised at the same time: as many as there are processors, over all workers.
        pages = max(1, (self._read_options.jobs or self._cores) // self.jobs)
        options = replace(self._read_options, jobs=pages)
        return ReadingTask(source=task.source, id="d0", options=options).taken(progress)

    def _try_out(self, sample: SummaryTask) -> _Estimate | None:
        if (
            isinstance(sample.source, str)
            and ReadingTask(source=sample.source, id="d0", options=self._read_options).is_elsewhere
        ):
            return None  # it would be fetched twice
        threads = max(1, self._cores // self.jobs)
        order = _Order(task=sample, number=0, threads=threads, reading=self._take(sample), is_trial=True)
        try:
            estimate: _Estimate = self._pool.submit(order).result()
        except Exception:
            return None  # what is wrong is told when it is summarised
        return estimate


@dataclass
class _Work(Generic[Result]):
    """What a worker does; it stays in its process, with the method it has loaded."""

    options: SummaryOptions
    finish: Callable[[Summary], Result]
    _threads: int = 0
    _summarizer: Summarizer | None = None
    _context: WorkerContext | None = field(default=None, repr=False)

    def __call__(self, order: _Order, context: WorkerContext) -> Result | _Estimate:
        """Summarise what is ordered."""
        self._context = context
        if order.threads != self._threads:
            self._threads = order.threads
            use_threads(order.threads)
        # Imported here: in the worker, at the same time in all of them.
        from lsum_cli.methods.batch import with_seconds
        from lsum_cli.methods.summarizer import Summarizer

        if self._summarizer is None:
            self._summarizer = Summarizer(self.options, self._tell)
        started = time.perf_counter()
        documents, title = order.task.source, order.task.title
        if order.reading is not None:
            documents = (order.reading.read(context),)
        elif not isinstance(documents, str | tuple):
            documents = documents.documents()
        seconds = {"read": time.perf_counter() - started}
        assert isinstance(documents, tuple)
        if order.is_trial:
            return self._estimate(self._summarizer, documents)
        summary = self._summarizer.summarize(documents, title=title)
        return self.finish(with_seconds(summary, seconds))

    def _estimate(self, summarizer: Summarizer, documents: Sequence[Document]) -> _Estimate:
        plan = summarizer.plan(documents)
        is_elsewhere = False
        if plan.checkpoint is not None:
            from lsum_cli.machine.devices import choose_device

            is_elsewhere = choose_device(self.options.device).type != "cpu"
        return _Estimate(memory=plan.cost.memory_bytes, is_elsewhere=is_elsewhere)

    def _tell(self, event: ProgressEvent) -> None:
        # How far a single document is says little where many are done at a time.
        if event.remark and self._context is not None:
            self._context.report(event)


def _conclude(job: Job[_Order, Any]) -> Outcome[Any]:
    """The outcome of a job that is done."""
    task = job.task.task
    try:
        return Outcome(id=task.id, source=task.name, result=job.result())
    except LsumError as error:
        return Outcome(id=task.id, source=task.name, error=error)
    except OverBudget as error:
        return Outcome(id=task.id, source=task.name, error=over_budget(task.name, error))
    except WorkerDied as error:
        return Outcome(id=task.id, source=task.name, error=_died(task.name, error))
    except MemoryError:
        lack = DeviceError(f"there is not enough memory for {task.name}", "give fewer --jobs")
        return Outcome(id=task.id, source=task.name, error=lack)
    except Exception as error:
        from lsum_cli.methods.batch import unexpected

        return Outcome(id=task.id, source=task.name, error=unexpected(error))


def _died(name: str, error: WorkerDied) -> SourceError:
    if error.is_out_of_time:
        return SourceError(
            f"{name} takes too much processor time to read",
            "give more with --max-seconds, or read a part of it",
        )
    what = f"{name} cannot be summarised: the process that does it {error.how}, and so did the next one"
    if error.is_killed:
        return SourceError(f"{what}, perhaps for lack of memory", "give fewer --jobs")
    return SourceError(what, "convert it to another format, or read a part of it")
