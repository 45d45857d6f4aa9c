"""The pool of worker processes: results, errors, progress, deaths, limits."""

from __future__ import annotations

import gc
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lsum_cli.errors import SourceError
from lsum_cli.machine.limits import Limits, OverBudget, OverLimit
from lsum_cli.machine.workers import WorkerContext, WorkerDied, WorkerPool
from lsum_cli.progress import ProgressEvent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps all the limits")
AMPLE = Limits(seconds=60, memory=1 << 30)


def work(task: tuple[str, object], context: WorkerContext) -> object:
    """All the tasks of these tests: a spawned worker imports them by name."""
    kind, value = task
    return globals()[f"_{kind}"](value, context)


def _double(value, context):
    return 2 * value


def _pid(value, context):
    return os.getpid()


def _raise(value, context):
    if value is SourceError:
        raise SourceError("the file is bad", "get another")
    if value is None:

        class Unpicklable(Exception):
            pass

        raise Unpicklable("from within")
    raise value("oops")


def _wait_for(value, context):
    while not Path(value).exists():
        context.report(ProgressEvent(stage="waiting", done=0))
        time.sleep(0.01)
    return value


def _report(value, context):
    for done in range(1, value + 1):
        context.report(ProgressEvent(stage="counting", done=done, total=value))
    context.report(ProgressEvent(stage="counting", done=0, remark="a remark"))
    return value


def _die(value, context):
    """Die by a signal as often as there is no file that says otherwise."""
    path, wanted, number = value
    with Path(path).open("a") as file:
        file.write("x")
    if Path(path).stat().st_size <= wanted:
        os.kill(os.getpid(), number)
    return "survived"


def _spin(value, context):
    with context.budget.work(Limits(seconds=value, memory=1 << 30)):
        while True:
            pass


def _spin_in_c(value, context):
    """A library that never returns to Python, and to which no signal can speak."""
    with context.budget.work(Limits(seconds=value, memory=1 << 30)):
        return sum(1 for _ in iter(lambda: re.match(r"(a|a)*b", "a" * 22), 1))


def _spin_while_deaf(value, context):
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    return _spin(value, context)


def _swallow(value, context):
    """A library that catches whatever it can."""
    with context.budget.work(Limits(seconds=value, memory=1 << 30)):
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue


def _hoard(value, context):
    with context.budget.work(Limits(seconds=30, memory=value)):
        return len(bytearray(4 * value))


def _parts(value, context):
    """Three parts, of which the second takes too long and the third too much memory."""
    told = []
    with context.budget.work(Limits(seconds=30, memory=1 << 28)):
        for number in range(4):
            try:
                with context.budget.part(0.2):
                    while number == 1:
                        pass
                    if number == 2:
                        bytearray(1 << 30)
                told.append("done")
            except OverLimit as error:
                told.append(str(error))
    return told


def _shorter(value, context):
    """A part that takes too long, after one that might have taken much longer; what it took."""
    with context.budget.work(Limits(seconds=30, memory=1 << 30)):
        with context.budget.part(20):
            pass
        begun = time.process_time()
        try:
            with context.budget.part(value):
                while time.process_time() < begun + 10:
                    pass
        except OverLimit:
            pass
        return time.process_time() - begun


def _connect(value, context):
    subprocess.run([sys.executable, "-c", "import os"], check=True)  # programs can be started
    local = socket.socketpair()
    for end in local:
        end.close()
    return socket.create_connection(("127.0.0.1", value), timeout=5).getpeername()


def _fill(value, context):
    return [str(number) for number in range(value)]


@pytest.fixture
def pool():
    with WorkerPool(work) as pool:
        yield pool


def test_results_errors_and_their_types_come_back(pool):
    jobs = [pool.submit(("double", number)) for number in range(5)]
    assert [job.result() for job in jobs] == [0, 2, 4, 6, 8]
    with pytest.raises(SourceError) as caught:
        pool.submit(("raise", SourceError)).result()
    assert (caught.value.what, caught.value.next_step) == ("the file is bad", "get another")
    with pytest.raises(ZeroDivisionError, match="oops") as caught:
        pool.submit(("raise", ZeroDivisionError)).result()
    assert "in _raise" in str(caught.value.__cause__), "the traceback shows where"
    with pytest.raises(RuntimeError, match="Unpicklable: from within"):
        pool.submit(("raise", None)).result()
    assert pool.submit(("double", 21)).result() == 42, "the worker goes on after an error"


def test_many_workers_share_the_tasks_and_each_result_finds_its_task():
    with WorkerPool(work, workers=2) as pool:
        jobs = list(pool.completed((("double", number) for number in range(40)), ahead=1))
        pids = {job.result() for job in pool.completed([("pid", None)] * 20)}
    assert sorted(job.task[1] for job in jobs) == list(range(40))
    assert all(job.result() == 2 * job.task[1] for job in jobs)
    assert os.getpid() not in pids


def test_progress_crosses_and_that_of_work_ahead_waits_for_its_listener(pool):
    events: list[ProgressEvent] = []
    pool.submit(("report", 300)).result(events.append)
    assert events[0] == ProgressEvent(stage="counting", done=1, total=300)
    assert ProgressEvent(stage="counting", done=300, total=300) in events
    assert events[-1].remark == "a remark"
    assert len(events) < 100, "nobody can see more"
    ahead = pool.submit(("report", 3))
    pool.submit(("double", 1)).result(lambda event: pytest.fail("another task's progress"))
    late: list[ProgressEvent] = []
    ahead.result(late.append)
    assert [event.remark for event in late][-1] == "a remark"
    assert late[0].done == 3


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_the_task_of_a_dead_worker_is_tried_once_more(pool, tmp_path, number):
    before = pool.submit(("pid", None)).result()
    assert pool.submit(("die", (str(tmp_path / "once"), 1, number))).result() == "survived"
    assert pool.submit(("pid", None)).result() != before
    job, other = pool.submit(("die", (str(tmp_path / "twice"), 2, number))), pool.submit(("double", 4))
    with pytest.raises(WorkerDied, match=signal.Signals(number).name):
        job.result()
    assert (tmp_path / "twice").stat().st_size == 2
    assert other.result() == 8


@pytest.mark.parametrize("kind", ["spin", "spin_in_c", "swallow"])
def test_time_ends_work_whatever_it_does(pool, kind):
    started = time.monotonic()
    with pytest.raises(OverBudget) as caught:
        pool.submit((kind, 0.3)).result()
    assert not caught.value.is_memory
    assert caught.value.limits.seconds == 0.3
    assert time.monotonic() - started < 60
    assert pool.submit(("double", 1)).result() == 2


def test_work_that_no_signal_reaches_is_ended_by_the_system_and_not_tried_again(pool):
    with pytest.raises(WorkerDied) as caught:
        pool.submit(("spin_while_deaf", 0.1)).result()
    assert caught.value.is_out_of_time
    assert pool.submit(("double", 1)).result() == 2


def test_memory_beyond_the_budget_cannot_be_had(pool):
    with pytest.raises(OverBudget) as caught:
        pool.submit(("hoard", 100_000_000)).result()
    assert caught.value.is_memory
    assert caught.value.limits.memory == 100_000_000
    assert pool.submit(("hoard", 1_000)).result() == 4_000, "the next work has its own budget"


def test_a_part_over_its_limit_is_lost_and_the_others_are_not(pool):
    assert pool.submit(("parts", None)).result() == ["done", "more than 0.2 s", "too much memory", "done"]


def test_the_limit_of_a_part_is_its_own(pool):
    assert pool.submit(("shorter", 0.2)).result() < 5


def test_a_worker_has_no_network():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with WorkerPool(work) as pool, pytest.raises(PermissionError):
            pool.submit(("connect", port)).result()
        # The parent may.
        socket.create_connection(("127.0.0.1", port)).close()


def test_a_large_result_crosses_and_collecting_garbage_goes_on(pool):
    assert len(pool.submit(("fill", 300_000)).result()) == 300_000
    assert gc.isenabled()


def test_closing_ends_a_worker_in_the_middle_of_its_work():
    with WorkerPool(work) as pool:
        pid = pool.submit(("pid", None)).result()
        pool.submit(("spin", 600.0))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


PROGRAM = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from lsum_cli.machine.workers import WorkerPool
import test_workers
with WorkerPool(test_workers.work) as pool:
    print(pool.submit(("pid", None)).result(), flush=True)
    pool.submit(("spin", 600.0)).result()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_the_program_however_it_ends(number):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert program.stdout is not None
    pid = int(program.stdout.readline())
    program.send_signal(number)
    program.communicate(timeout=60)
    until = time.monotonic() + 30
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":  # dead; whoever inherited it has not asked yet
            break
        time.sleep(0.05)
    else:
        assert not Path(f"/proc/{pid}").exists()


def test_one_can_look_whether_a_job_is_under_way_without_waiting(tmp_path):
    with WorkerPool(work) as pool:
        job = pool.submit(("wait_for", str(tmp_path / "now")))
        assert job.is_under_way()
        (tmp_path / "now").touch()
        end = time.monotonic() + 60
        while job.is_under_way() and time.monotonic() < end:
            time.sleep(0.01)
        assert job.is_done
        assert not job.is_under_way()
        assert job.result() == str(tmp_path / "now")
        died = pool.submit(("die", (str(tmp_path / "deaths"), 9, signal.SIGKILL)))
        while died.is_under_way() and time.monotonic() < end:
            time.sleep(0.01)
        with pytest.raises(WorkerDied):
            died.result()
