"""Worker processes: work goes in, results come back; a worker that dies costs no more than its work.

A pool knows nothing of the work. Workers are forked while that is safe, before any library has started
threads, and cost a few milliseconds then; later ones, and those on other systems than Linux, are spawned.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, cast

from lsum_cli.errors import DeviceError
from lsum_cli.machine.limits import ProcessBudget, block_network, disable_core_dumps, end_with_parent
from lsum_cli.machine.memory import return_freed_memory
from lsum_cli.machine.threads import available_cores
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

Task = TypeVar("Task")
Result = TypeVar("Result")

WORKER_NAME = "lsum-worker"
MAX_TRIES = 2
_THREADS = Path("/proc/self/task")
# Between two reports of the same stage.
_REPORT_SECONDS = 0.05
# A process whose connection is closed needs this long at most to be gone.
_DYING_SECONDS = 5.0
_LARGE_RESULT = 1 << 20


class WorkerDied(Exception):
    """The process that did the work died, each time it was tried.

    Attributes:
        exit_code: As the system reports it; the negative number of a signal.
    """

    def __init__(self, exit_code: int | None) -> None:
        self.exit_code = exit_code
        super().__init__(self.how)

    def __reduce__(self) -> tuple[type[WorkerDied], tuple[int | None]]:
        return type(self), (self.exit_code,)

    @property
    def how(self) -> str:
        """``"was killed (SIGKILL)"``, ``"crashed (SIGSEGV)"``, ``"ended with exit code 3"``."""
        code = self.exit_code
        if code is None or code >= 0:
            return f"ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"{'was killed' if name in ('SIGKILL', 'SIGTERM', 'SIGXCPU') else 'crashed'} ({name})"

    @property
    def is_killed(self) -> bool:
        """Whether something else ended it: a person, or the system, whose memory was used up."""
        return self.exit_code == -getattr(signal, "SIGKILL", 0) and bool(self.exit_code)

    @property
    def is_out_of_time(self) -> bool:
        """Whether the system ended it because its processor time was used up."""
        return self.exit_code == -getattr(signal, "SIGXCPU", 0) and bool(self.exit_code)


def usual_jobs() -> int:
    """How many things are done at a time unless the user says so; see :func:`available_cores`.

    One where a worker cannot be forked: it would take longer to start than most work takes.
    """
    return available_cores() if _can_fork() else 1


class _RemoteTraceback(Exception):
    """The traceback of an error in its worker, shown as the cause of the error here."""

    def __str__(self) -> str:
        return f'\n"""\n{self.args[0]}"""'


@dataclass(kw_only=True)
class WorkerContext:
    """What a worker gives to the work.

    Attributes:
        report: Passes progress on to whoever waits for the result; raises where the time is used up.
        budget: Sets and keeps the limits of the work.
    """

    report: ProgressListener
    budget: ProcessBudget


@dataclass(kw_only=True, eq=False)
class Job(Generic[Task, Result]):
    """A task that was given to a pool.

    Attributes:
        task: What was given.
        is_done: Whether there is a result, or an error.
    """

    task: Task
    is_done: bool = False
    _pool: WorkerPool[Task, Result]
    _result: Result | None = None
    _error: BaseException | None = None
    _tries: int = 0
    _listener: ProgressListener | None = None
    _events: list[ProgressEvent] = field(default_factory=list)

    def result(self, progress: ProgressListener = ignore_progress) -> Result:
        """Wait for the result.

        Args:
            progress: Told where the work stands, what it reported earlier included.

        Raises:
            WorkerDied: The worker died, and so did the one that tried again.
            BaseException: What the work raised.
        """
        for event in self._events:
            progress(event)
        self._events.clear()
        self._listener = progress
        try:
            self._pool.finish(self)
        finally:
            self._listener = None
        if self._error is not None:
            raise self._error
        return cast(Result, self._result)

    def is_under_way(self) -> bool:
        """Whether it is still being done; does not wait."""
        self._pool.look()
        return not self.is_done

    def hear(self, event: ProgressEvent) -> None:
        """Pass an event on; keep it while nobody waits, but only the last one that is not a remark."""
        if self._listener is not None:
            self._listener(event)
            return
        if self._events and not (self._events[-1].remark or event.remark):
            self._events.pop()
        self._events.append(event)

    def finish(self, result: Result | None, error: BaseException | None) -> None:
        """End it."""
        self._result, self._error, self.is_done = result, error, True


class WorkerPool(Generic[Task, Result]):
    """Processes that do one kind of work.

    To be used as a context manager, by one thread; on leaving it the workers are ended at once. They end
    with this process too, however it ends. They cannot use the network.

    Args:
        work: A function of a module, called in a worker with a task and a :class:`WorkerContext`.
        workers: How many tasks are done at a time.

    Raises:
        DeviceError: Entered, where no process can be started.
    """

    def __init__(self, work: Callable[[Task, WorkerContext], Result], *, workers: int = 1) -> None:
        self._work = work
        self._most = workers
        self._workers: dict[Connection, _Worker] = {}
        self._jobs: dict[Connection, Job[Task, Result]] = {}
        self._waiting: deque[Job[Task, Result]] = deque()

    def __enter__(self) -> Self:
        # While they can be forked.
        while len(self._workers) < self._most:
            self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all workers at once, whatever they do."""
        self._waiting.clear()
        self._jobs.clear()
        while self._workers:
            self._workers.popitem()[1].end()

    def submit(self, task: Task) -> Job[Task, Result]:
        """Give a task to the next worker that is free; tasks are begun in the order they are given."""
        job: Job[Task, Result] = Job(task=task, _pool=self)
        self._waiting.append(job)
        self._hand_out()
        return job

    def limit(self, workers: int) -> None:
        """From now on do at most so many tasks at a time; end the workers that are not needed.

        To be called while nothing is being done.
        """
        self._most = workers
        while len(self._workers) > workers:
            self._workers.popitem()[1].end()

    def completed(
        self,
        tasks: Iterable[Task],
        *,
        ahead: int = 0,
        progress: ProgressListener = ignore_progress,
    ) -> Iterator[Job[Task, Result]]:
        """Do many tasks; yield each when it is done, in the order in which they end.

        Args:
            tasks: Taken one by one, as workers become free.
            ahead: How many more than there are workers are taken beforehand.
            progress: Told what the work reports, of all tasks at once.
        """
        left = iter(tasks)
        running: list[Job[Task, Result]] = []
        while True:
            while len(running) < self._most + ahead:
                try:
                    running.append(self.submit(next(left)))
                except StopIteration:
                    break
                running[-1]._listener = progress
            if not running:
                return
            while not any(job.is_done for job in running):
                self._listen()
            for job in [each for each in running if each.is_done]:
                running.remove(job)
                yield job

    def finish(self, job: Job[Task, Result]) -> None:
        """Wait until a job is done."""
        while not job.is_done:
            self._listen()

    def look(self) -> None:
        """Take in what workers have said; does not wait."""
        while self._jobs and wait(list(self._jobs), timeout=0):
            self._listen()

    def _hand_out(self) -> None:
        while self._waiting:
            free = next((each for each in self._workers if each not in self._jobs), None)
            if free is None and len(self._workers) >= self._most:
                return
            connection = free or self._start()
            job = self._waiting.popleft()
            job._tries += 1
            self._jobs[connection] = job
            try:
                connection.send(job.task)
            except OSError:
                self._bury(connection)

    def _start(self) -> Connection:
        worker = _Worker.start(self._work)
        self._workers[worker.connection] = worker
        return worker.connection

    def _listen(self) -> None:
        """Take in what workers say, waiting for one of them to say something."""
        self._hand_out()
        for connection in cast(list[Connection], wait(list(self._jobs))):
            try:
                kind, value = _receive(connection)
            except (EOFError, OSError, pickle.UnpicklingError):
                self._bury(connection)
                continue
            if kind == "progress":
                self._jobs[connection].hear(value)
                continue
            job = self._jobs.pop(connection)
            if kind == "result":
                job.finish(value, None)
            else:
                job.finish(None, _restore(*value))
        self._hand_out()

    def _bury(self, connection: Connection) -> None:
        """Give the task of a dead worker to another one, unless that is no use."""
        died = WorkerDied(self._workers.pop(connection).bury())
        job = self._jobs.pop(connection)
        if died.exit_code == -signal.SIGINT:
            raise KeyboardInterrupt
        if job._tries < MAX_TRIES and not died.is_out_of_time:
            self._waiting.appendleft(job)
        else:
            job.finish(None, died)


@dataclass(frozen=True, kw_only=True)
class _Worker:
    """A process and the way to talk to it."""

    process: BaseProcess
    connection: Connection

    @classmethod
    def start(cls, work: Callable[..., Any]) -> _Worker:
        context: Any = multiprocessing.get_context("fork" if _can_fork() else "spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_serve,
            args=(theirs, work, os.getpid(), ours if context.get_start_method() == "fork" else None),
            name=WORKER_NAME,
            daemon=True,
        )
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        try:
            with _without_main():
                process.start()
        except OSError as error:
            raise DeviceError(
                f"this machine starts no more processes: {error.strerror}", "end other programs"
            ) from error
        theirs.close()
        return cls(process=process, connection=ours)

    def bury(self) -> int | None:
        """Its exit code, when it has closed its end of the connection: it is dying, or dead."""
        self.process.join(_DYING_SECONDS)
        code = self.process.exitcode
        self.end()
        return self.process.exitcode if code is None else code

    def end(self) -> None:
        """End it at once, with the programs that it has started."""
        pid = self.process.pid
        if pid is not None and self.process.exitcode is None:
            try:
                os.killpg(pid, signal.SIGKILL)
            except (AttributeError, OSError):  # no groups here, or it has not made its own yet
                self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep a spawned process from running the main module again: work is in modules of its own."""
    main = sys.modules["__main__"]
    hidden: dict[str, Any] = {
        name: main.__dict__.pop(name) for name in ("__file__", "__spec__") if name in main.__dict__
    }
    main.__dict__["__spec__"] = None
    try:
        yield
    finally:
        main.__dict__.update(hidden)


def _can_fork() -> bool:
    """Whether a copy of this process is sound: no other thread holds anything."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    try:
        return sum(1 for _ in _THREADS.iterdir()) == 1
    except OSError:
        return False


def _serve(
    connection: Connection,
    work: Callable[[Any, WorkerContext], Any],
    parent: int,
    other_end: Connection | None,
) -> None:
    """What a worker does: one task after the other, until nobody is there to give it one."""
    if other_end is not None:
        other_end.close()
    _become_worker(parent)
    budget = ProcessBudget()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        context = WorkerContext(report=_Reports(connection, budget), budget=budget)
        message: tuple[str, object]
        try:
            message = ("result", work(task, context))
        except BaseException as error:
            message = ("error", _pack(error))
        del task
        try:
            content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            content = pickle.dumps(("error", _pack(error)))
        del message
        try:
            connection.send_bytes(content)
        except OSError:
            return
        if len(content) > _LARGE_RESULT:
            del content
            gc.collect()
            return_freed_memory()


def _become_worker(parent: int) -> None:
    """Make this process a worker: apart from the terminal, the network and the streams of its parent."""
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent(parent)
    disable_core_dumps()
    # What a library prints is no result, and standard input belongs to the parent.
    with suppress(OSError), Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    with suppress(OSError):
        os.dup2(2, 1)
    block_network()
    # What is inherited lives as long as this process; looking through it would only copy it.
    gc.freeze()


class _Reports:
    """Sends progress to the parent, not more often than anyone can see, and minds the budget."""

    def __init__(self, connection: Connection, budget: ProcessBudget) -> None:
        self._connection, self._budget = connection, budget
        self._stage, self._said = "", 0.0

    def __call__(self, event: ProgressEvent) -> None:
        self._budget.check()
        now = time.monotonic()
        is_news = event.remark or event.stage != self._stage or event.done == event.total
        if is_news or now - self._said >= _REPORT_SECONDS:
            self._stage, self._said = event.stage, now
            self._connection.send(("progress", event))


def _pack(error: BaseException) -> tuple[bytes, str]:
    """An error as it can cross to another process, with its traceback."""
    told = "".join(traceback.format_exception(error))
    try:
        packed = pickle.dumps(error)
        pickle.loads(packed)  # noqa: S301 - our own
    except Exception:
        packed = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    return packed, told


def _restore(packed: bytes, told: str) -> BaseException:
    error: BaseException = pickle.loads(packed)  # noqa: S301 - from our own worker
    error.__cause__ = _RemoteTraceback(told)
    return error


def _receive(connection: Connection) -> tuple[str, Any]:
    """The next message; collecting garbage while many objects are made would only cost time."""
    content = connection.recv_bytes()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        message: tuple[str, Any] = pickle.loads(content)  # noqa: S301 - from our own worker
    finally:
        if was_enabled:
            gc.enable()
    return message
