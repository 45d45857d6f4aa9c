"""Documents summarised by worker processes, each with the checkpoint loaded once.

A worker reads a document within its limits, summarises it, and makes of the summary what is wanted, so
that little has to cross between processes. Like every process that reads it has no network: what is
fetched is fetched by the program itself.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, DeviceError, LsumError, OptionError, SourceError
from lsum_cli.machine.limits import OverBudget
from lsum_cli.machine.memory import MEMORY_SHARE, measure_memory, share_memory
from lsum_cli.machine.threads import available_cores, use_threads
from lsum_cli.machine.workers import Job, WorkerContext, WorkerDied, WorkerPool
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.reader import ReadingTask, over_budget
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.summaries import Summary

if TYPE_CHECKING:
    from lsum_cli.methods.summarizer import Summarizer

Id = TypeVar("Id")
Result = TypeVar("Result")
Order = TypeVar("Order")

# If one cannot be estimated, the next may be.
_SAMPLES = 3
# One in so many is larger than the samples.
_LARGER = 10
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
class SummaryTask(Generic[Id]):
    """What is to be summarised: a source to be read, or documents, which make one summary together.

    Attributes:
        id: The caller's own name for it, which its outcome has too.
        title: Title of the summary; by default that of a single document.
    """

    id: Id
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
class Outcome(Generic[Id, Result]):
    """What became of a task: a result, or an error.

    Attributes:
        id: That of the task.
        source: What the user calls it.
    """

    id: Id
    source: str
    result: Result | None = None
    error: LsumError | None = None


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a worker is expected to need.

    Attributes:
        memory: Bytes at its peak.
        shared: Of these, what all workers have together.
        is_elsewhere: Whether the model runs on a device that workers would only compete for.
    """

    memory: int
    shared: int
    is_elsewhere: bool

    def fits(self, available: int) -> int:
        """How many workers fit into memory, at least one."""
        room = MEMORY_SHARE * available - self.shared
        return max(1, int(room / max(1, self.memory - self.shared)))

    @classmethod
    def of(cls, summarizer: Summarizer, documents: Sequence[Document], together: int = 0) -> Estimate:
        """What a summary of these documents takes, as ``lsum plan`` estimates it.

        Args:
            together: Tokens that are written about at a time, if these are more than the documents'.

        Raises:
            LsumError: It cannot be planned.
        """
        plan = summarizer.plan(documents)
        is_elsewhere = False
        if plan.checkpoint is not None:
            from lsum_cli.machine.devices import choose_device

            is_elsewhere = choose_device(summarizer.options.device).type != "cpu"
        cost = plan.cost
        memory = cost.memory_for(together)
        return cls(memory=memory, shared=cost.shared_bytes, is_elsewhere=is_elsewhere)


@dataclass(frozen=True, kw_only=True)
class Request(Generic[Order]):
    """An order as a worker gets it.

    Attributes:
        key: What the result is asked for by.
        name: What the user calls it.
        threads: How many threads the worker may compute with.
        sharers: How many workers share the memory that is free.
        is_trial: Whether only to estimate what it needs.
    """

    order: Order
    key: Any
    name: str
    threads: int
    sharers: int
    is_trial: bool = False


@dataclass
class Work(ABC, Generic[Order]):
    """What a worker does; it stays in its process, with what it has loaded."""

    _threads: int = 0
    _context: WorkerContext | None = field(default=None, repr=False)

    def __call__(self, request: Request[Order], context: WorkerContext) -> Any:
        """Do what is requested, with the threads and the share of memory that the worker may use."""
        self._context = context
        if request.threads != self._threads:
            self._threads = request.threads
            use_threads(request.threads)
        share_memory(request.sharers)
        return self.estimate(request.order) if request.is_trial else self.do(request.order)

    @abstractmethod
    def do(self, order: Order) -> Any:
        """Do the work."""

    @abstractmethod
    def estimate(self, order: Order) -> Estimate | None:
        """What it would take; ``None`` if that cannot be known."""

    @property
    def context(self) -> WorkerContext:
        """What the worker gives to the work."""
        assert self._context is not None
        return self._context

    @context.setter
    def context(self, context: WorkerContext) -> None:
        self._context = context

    def tell(self, event: ProgressEvent) -> None:
        """Report a remark, and nothing else."""
        if event.remark:
            self.context.report(event)


class Workers(Generic[Order]):
    """Worker processes, as many as suit the work.

    To be used as a context manager, entered before anything starts threads, so that workers are copies of
    this process and are there at once. On leaving it they are ended, whatever they do.

    Args:
        work: What they do.
        jobs: How many orders are done at a time; ``None`` for as many as processors and memory allow, see
            :meth:`choose_jobs_by`.
        most: How many are useful at most.
        cores: How many processors all workers may use together; ``None`` for all there are.

    Attributes:
        jobs: How many orders are done at a time.
        cores: How many processors there are for all of them.

    Raises:
        DeviceError: Entered, where no process can be started.
    """

    def __init__(
        self,
        work: Work[Order],
        *,
        jobs: int | None = None,
        most: int | None = None,
        cores: int | None = None,
    ) -> None:
        self.cores = cores or available_cores()
        self._is_given = jobs is not None
        wanted = jobs or self.cores
        self._most = wanted if most is None else max(1, min(wanted, most))
        self.jobs = self._most
        self._pool: WorkerPool[Request[Order], Any] = WorkerPool(work, workers=self.jobs)

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

    def choose_jobs_by(self, samples: Iterable[Order]) -> int:
        """Choose how many orders are done at a time, unless that was given; before any is done.

        The memory of a worker is what a plan estimates for a sample. Weights that are used as they lie in
        their file are mapped, and in memory once; those of our own models are in the memory of every
        worker, as they are repacked for the processor.

        Args:
            samples: The first that can be planned counts.

        Returns:
            How many; 1 where the model does not run on the processor.
        """
        if self._is_given or self._most == 1:
            return self.jobs
        self.jobs = self._most
        for sample in samples:
            estimate = self._try_out(sample)
            if estimate is None:
                continue
            available = measure_memory().available
            if estimate.is_elsewhere:
                self.jobs = 1
            elif available is not None:
                self.jobs = min(self.jobs, estimate.fits(available))
            break
        self._pool.limit(self.jobs)
        return self.jobs

    def outcomes(
        self, orders: Iterable[tuple[Id, str, Order | LsumError]], progress: ProgressListener
    ) -> Iterator[Outcome[Id, Any]]:
        """Yield the outcome of each order when it is there, in the order in which they end.

        Args:
            orders: Each with its id and what the user calls it, or what is wrong with it; taken one by one,
                as workers become free.
            progress: Receives their remarks.
        """
        wrong: deque[Outcome[Id, Any]] = deque()

        def pass_on(event: ProgressEvent) -> None:
            # How far a single document is says little where many are done at a time.
            if event.remark:
                progress(event)

        def requests() -> Iterator[Request[Order]]:
            for key, name, order in orders:
                if isinstance(order, LsumError):
                    wrong.append(Outcome(id=key, source=name, error=order))
                else:
                    yield self._request(order, key, name)

        for job in self._pool.completed(requests(), ahead=1, progress=pass_on):
            while wrong:
                yield wrong.popleft()
            yield _conclude(job)
        yield from wrong

    def _request(self, order: Order, key: Any, name: str) -> Request[Order]:
        threads = max(1, self.cores // self.jobs)
        return Request(order=order, key=key, name=name, threads=threads, sharers=self.jobs)

    def _try_out(self, sample: Order) -> Estimate | None:
        request = replace(self._request(sample, None, ""), is_trial=True)
        try:
            estimate: Estimate | None = self._pool.submit(request).result()
        except Exception:
            return None  # what is wrong is told when it is done
        return estimate


@dataclass(frozen=True, kw_only=True)
class SummaryOrder:
    """A task as a worker gets it.

    Attributes:
        options: How its summary is made.
        finish: What is made of the summary.
        reading: How its source is read; ``None`` for documents.
    """

    task: SummaryTask[Any]
    options: SummaryOptions
    finish: Callable[[Summary], Any]
    reading: ReadingTask | None


class SummaryWorkers(Workers[SummaryOrder], Generic[Result]):
    """Worker processes that summarise documents.

    To be used as :class:`Workers` is.

    Args:
        options: How summaries are made.
        read_options: How sources are read.
        finish: What the worker makes of a summary, such as the text of a file; a function of a module, or
            a ``partial`` of one.
        jobs: How many documents are done at a time; ``None`` for as many as processors and memory allow,
            see :meth:`choose_jobs`.
        num_tasks: How many tasks there are, where that is known.
        cores: How many processors all workers may use together; ``None`` for all there are.
        work: What the workers do, where that is not to summarise one document after the other.

    Attributes:
        options: As given; may be changed at any time, for the tasks that follow.
        finish: Likewise.
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
        work: Work[Any] | None = None,
    ) -> None:
        super().__init__(work or Summarizing(), jobs=jobs, most=num_tasks, cores=cores)
        self.options, self.finish = options, finish
        self._read_options = read_options or ReadOptions()

    def choose_jobs(self, samples: Iterable[SummaryTask[Any]]) -> int:
        """Choose how many documents are done at a time, unless that was given; see :meth:`choose_jobs_by`.

        Args:
            samples: Documents that are typical, or longer than most; what has to be fetched does not count.
        """
        orders = (self.order(task) for task in islice(samples, _SAMPLES))
        return self.choose_jobs_by(
            each for each in orders if each.reading is None or not each.reading.is_elsewhere
        )

    def completed(
        self, tasks: Iterable[SummaryTask[Id]], progress: ProgressListener = ignore_progress
    ) -> Iterator[Outcome[Id, Result]]:
        """Summarise; yield the outcome of each task when it is there, in the order in which they end.

        A task that fails stops no other. An error that may be the run's own fault, such as a damaged
        checkpoint, is raised where every task before it has failed.

        Args:
            tasks: Taken one by one, as workers become free.
            progress: Receives the remarks of reading.

        Raises:
            CheckpointError, DeviceError, OptionError: As :meth:`Summarizer.summarize` raises them.
        """

        def orders() -> Iterator[tuple[tuple[int, Id], str, SummaryOrder | LsumError]]:
            for number, task in enumerate(tasks):
                try:
                    yield (number, task.id), task.name, self.take(self.order(task), progress)
                except LsumError as error:
                    yield (number, task.id), task.name, error

        return without_faults_of_the_run(self.outcomes(orders(), progress))

    def order(self, task: SummaryTask[Any]) -> SummaryOrder:
        """The task as a worker gets it."""
        reading = None
        if isinstance(task.source, str):
            # Pages recognised at the same time: as many as there are processors, over all workers.
            pages = max(1, (self._read_options.jobs or self.cores) // self.jobs)
            options = replace(self._read_options, jobs=pages)
            reading = ReadingTask(source=task.source, id="d0", options=options)
        return SummaryOrder(task=task, options=self.options, finish=self.finish, reading=reading)

    def take(self, order: SummaryOrder, progress: ProgressListener) -> SummaryOrder:
        """The order with what only this process can fetch.

        Raises:
            SourceError: It cannot be fetched.
        """
        return order if order.reading is None else replace(order, reading=order.reading.taken(progress))


@dataclass
class Summarizing(Work[SummaryOrder]):
    """Reads and summarises, with the method that it has loaded."""

    _summarizer: Summarizer | None = None

    def do(self, order: SummaryOrder) -> Any:
        """See :class:`Work`."""
        # Imported here: in the workers, at the same time in all of them.
        from lsum_cli.methods.sources import with_seconds

        summarizer = self.summarizer_for(order.options)
        started = time.perf_counter()
        documents = self.documents(order)
        seconds = {"read": time.perf_counter() - started}
        summary = summarizer.summarize(documents, title=order.task.title)
        return order.finish(with_seconds(summary, seconds))

    def estimate(self, order: SummaryOrder) -> Estimate:
        """See :class:`Work`."""
        return Estimate.of(self.summarizer_for(order.options), self.documents(order))

    def summarizer_for(self, options: SummaryOptions) -> Summarizer:
        """The summarizer with these options; it is kept, with what it has loaded."""
        from lsum_cli.methods.summarizer import Summarizer

        if self._summarizer is None or self._summarizer.options != options:
            self._summarizer = Summarizer(options, self.tell)
        return self._summarizer

    def documents(self, order: SummaryOrder) -> tuple[Document, ...]:
        """The documents of a task, read or made.

        Raises:
            Exception: They cannot be; see :func:`explain`.
        """
        if order.reading is not None:
            return (order.reading.read(self.context),)
        source = order.task.source
        assert not isinstance(source, str)
        return source if isinstance(source, tuple) else source.documents()


def choose_samples(tasks: Sequence[SummaryTask[Id]]) -> list[SummaryTask[Id]]:
    """Tasks to choose the number of jobs by: files that are larger than most, but not the largest."""
    sizes = [(_size_of(task), -number) for number, task in enumerate(tasks)]
    largest = sorted(sizes, reverse=True)
    return [tasks[-number] for _, number in largest[len(tasks) // _LARGER :][:_SAMPLES]]


def _size_of(task: SummaryTask[Any]) -> int:
    if isinstance(task.source, tuple):
        return sum(len(sentence.text) for document in task.source for sentence in document.sentences)
    try:
        return Path(task.name).stat().st_size
    except (OSError, ValueError):
        return 0  # a web page, a mail in a mailbox, or reading it will say what is wrong


def without_faults_of_the_run(
    outcomes: Iterable[Outcome[tuple[int, Id], Result]],
) -> Iterator[Outcome[Id, Result]]:
    """The outcomes by their own ids; an error that may be the run's is raised if all before it failed.

    Args:
        outcomes: By position and id, in any order.
    """
    held: dict[int, Outcome[Id, Result]] = {}
    settled: set[int] = set()
    before, has_worked = 0, False
    for numbered in outcomes:
        number, key = numbered.id
        outcome: Outcome[Id, Result] = Outcome(
            id=key, source=numbered.source, result=numbered.result, error=numbered.error
        )
        has_worked = has_worked or outcome.error is None
        if has_worked or not isinstance(outcome.error, _OF_THE_RUN):
            yield outcome
        else:
            held[number] = outcome
        if has_worked:
            yield from held.values()
            held.clear()
            continue
        settled.add(number)
        while before in settled:
            blamed = held.get(before)
            if blamed is not None and blamed.error is not None:
                raise blamed.error
            settled.discard(before)
            before += 1


def _conclude(job: Job[Request[Any], Any]) -> Outcome[Any, Any]:
    """The outcome of a job that is done."""
    key, name = job.task.key, job.task.name
    try:
        return Outcome(id=key, source=name, result=job.result())
    except Exception as error:
        return Outcome(id=key, source=name, error=explain(error, name))


def explain(error: Exception, name: str) -> LsumError:
    """What went wrong with a document, as one line for the user."""
    if isinstance(error, LsumError):
        return error
    if isinstance(error, OverBudget):
        return over_budget(name, error)
    if isinstance(error, WorkerDied):
        return _died(name, error)
    if isinstance(error, MemoryError):
        return DeviceError(f"there is not enough memory for {name}", "give fewer --jobs")
    from lsum_cli.methods.sources import unexpected

    return unexpected(error)


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
