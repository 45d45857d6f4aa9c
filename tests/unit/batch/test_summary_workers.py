"""Workers that summarise: results, order, failures, deaths, limits; as one job would do it."""

from __future__ import annotations

import os
import signal
import socket
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from lsum_cli.batch.workers import Estimate, Outcome, SummaryTask, SummaryWorkers, Work, Workers
from lsum_cli.errors import CheckpointError, SourceError
from lsum_cli.machine import threads
from lsum_cli.machine.memory import own_share
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressEvent, ignore_progress
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.reading.sources import read
from lsum_cli.summaries import Summary

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps all the limits")
EXTRACT = SummaryOptions(method="extract", length="40")


def texts(summary: Summary) -> list[str]:
    return [sentence.text for sentence in summary.sentences]


def length_asked_for(summary: Summary) -> object:
    return summary.options["length"]


def text_and_worker(summary: Summary) -> tuple[list[str], int]:
    return texts(summary), os.getpid()


def die(flag: Path, summary: Summary) -> str:
    """Die of the document on whose name the flag ends: once if the flag can be set, else always."""
    if Path(summary.documents[0].source).stem == flag.name and not flag.is_file():
        if flag.parent.is_dir():
            flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return summary.text


def connect(summary: Summary) -> str:
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    except PermissionError:
        return "no network"
    return "a network"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    sources = []
    for number in range(6):
        path = tmp_path / f"text{number}.txt"
        path.write_text(
            " ".join(
                f"The {word} of report {number} grew by {number + 1} percent in the year {1990 + place}."
                for place, word in enumerate(("harvest", "income", "number", "cost", "price", "weight"))
            )
        )
        sources.append(str(path))
    return sources


def tasks_of(sources: list[str]) -> list[SummaryTask]:
    return [SummaryTask(id=f"#{number}", source=source) for number, source in enumerate(sources)]


def by_id(outcomes: list[Outcome]) -> dict[object, Outcome]:
    assert len({outcome.id for outcome in outcomes}) == len(outcomes)
    return {outcome.id: outcome for outcome in outcomes}


def test_two_workers_write_what_one_process_writes(files: list[str]) -> None:
    with SummaryWorkers(EXTRACT, finish=text_and_worker, jobs=2, num_tasks=6) as workers:
        found = by_id(list(workers.completed(tasks_of(files))))
    alone = Summarizer(EXTRACT)
    for number, source in enumerate(files):
        outcome = found[f"#{number}"]
        assert outcome.error is None
        assert outcome.result is not None
        assert outcome.result[0] == texts(alone.summarize([read(source)]))
    assert len({outcome.result[1] for outcome in found.values() if outcome.result}) == 2
    assert os.getpid() not in {outcome.result[1] for outcome in found.values() if outcome.result}


def test_documents_that_are_read_already(files: list[str]) -> None:
    documents = tuple(read(source, id=f"d{n}") for n, source in enumerate(files[:2]))
    task = SummaryTask(id="both", source=documents, title="Both")
    with SummaryWorkers(EXTRACT, finish=texts, jobs=1) as workers:
        [outcome] = workers.completed([task])
    assert outcome.result == texts(Summarizer(EXTRACT).summarize(documents, title="Both"))


def test_what_fails_stops_nothing_else(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    sources = [str(tmp_path / "missing.txt"), *files[:2], str(tmp_path / "empty.txt"), "http://"]
    with SummaryWorkers(EXTRACT, finish=texts, jobs=2) as workers:
        found = by_id(list(workers.completed(tasks_of(sources))))
    assert len(found) == 5
    for failed, what in (("#0", "does not exist"), ("#3", "contains no text"), ("#4", "http://")):
        error = found[failed].error
        assert isinstance(error, SourceError)
        assert what in str(error)
    assert found["#1"].result
    assert found["#2"].result


@pytest.mark.parametrize("sources", [0, 1], ids=["first", "after a source that fails"])
def test_a_fault_of_the_run_is_raised(files: list[str], tmp_path: Path, sources: int) -> None:
    before = [str(tmp_path / "missing.txt")] * sources
    options = SummaryOptions(model=str(tmp_path / "no-such-checkpoint"))
    with (
        SummaryWorkers(options, finish=texts, jobs=2) as workers,
        pytest.raises(CheckpointError, match="no-such-checkpoint"),
    ):
        list(workers.completed(tasks_of([*before, *files])))


def test_a_worker_that_dies_costs_one_retry(files: list[str], tmp_path: Path) -> None:
    with SummaryWorkers(EXTRACT, finish=partial(die, tmp_path / "text2"), jobs=2) as workers:
        outcomes = list(workers.completed(tasks_of(files)))
    assert (tmp_path / "text2").is_file()
    assert [outcome.error for outcome in outcomes] == [None] * 6


def test_a_document_that_kills_its_worker_twice_fails_alone(files: list[str], tmp_path: Path) -> None:
    with SummaryWorkers(EXTRACT, finish=partial(die, tmp_path / "nowhere" / "text2"), jobs=2) as workers:
        found = by_id(list(workers.completed(tasks_of(files))))
    error = found.pop("#2").error
    assert isinstance(error, SourceError)
    assert "was killed (SIGKILL), and so did the next one" in str(error)
    assert all(outcome.error is None for outcome in found.values())


def test_limits_of_reading_hold_in_workers(files: list[str]) -> None:
    """A worker that has read and summarised something is limited like a fresh one."""
    big = Path(files[0]).with_name("big.html")
    big.write_text("<p>" + "A sentence of the page, which is long. " * 200_000)
    limited = ReadOptions(max_memory=0.02)
    with SummaryWorkers(EXTRACT, limited, finish=texts, jobs=1) as workers:
        found = by_id(list(workers.completed(tasks_of([files[0], str(big), files[1]]))))
    assert "takes more than 0.02 GB of memory" in str(found["#1"].error)
    assert found["#0"].result
    assert found["#2"].result


def test_workers_have_no_network(files: list[str]) -> None:
    with SummaryWorkers(EXTRACT, finish=connect, jobs=1) as workers:
        [outcome] = workers.completed(tasks_of(files[:1]))
    assert outcome.result == "no network"


def test_as_many_jobs_as_processors_and_memory_allow(
    files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lsum_cli.batch import workers as module
    from lsum_cli.machine.memory import Memory

    monkeypatch.setattr(module, "available_cores", lambda: 3)
    tasks = tasks_of(files)
    for available, jobs in ((1 << 40, 3), (1 << 20, 1), (None, 3)):
        memory = Memory(total=available, available=available)
        monkeypatch.setattr(module, "measure_memory", lambda memory=memory: memory)
        with SummaryWorkers(EXTRACT, finish=texts, num_tasks=6) as workers:
            assert workers.choose_jobs(tasks) == jobs == workers.jobs
            assert len(list(workers.completed(tasks[:3]))) == 3
    with SummaryWorkers(EXTRACT, finish=texts, num_tasks=2) as workers:
        assert workers.choose_jobs(tasks) == 2


def test_what_is_wanted_may_change(files: list[str]) -> None:
    with SummaryWorkers(EXTRACT, finish=length_asked_for, jobs=1) as workers:
        [before] = workers.completed(tasks_of(files[:1]))
        workers.options = replace(EXTRACT, length="10")
        [after] = workers.completed(tasks_of(files[:1]))
        workers.finish = texts
        [text] = workers.completed(tasks_of(files[:1]))
    assert (before.result, after.result) == (40, 10)
    assert isinstance(text.result, list)


def test_only_remarks_are_passed_on(files: list[str]) -> None:
    events: list[ProgressEvent] = []
    with SummaryWorkers(EXTRACT, finish=texts, jobs=1) as workers:
        assert len(list(workers.completed(tasks_of(files), events.append))) == 6
    assert [event for event in events if not event.remark] == []


def test_mapped_weights_count_once() -> None:
    alone = Estimate(memory=10, shared=0, is_elsewhere=False)
    mapped = replace(alone, shared=8)
    # Four fifths of 50: 4 workers of 10; or 8 for all of them, and 2 for each of 16.
    assert (alone.fits(50), mapped.fits(50)) == (4, 16)
    assert (alone.fits(1), mapped.fits(1)) == (1, 1)


def test_the_share_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    share = tmp_path / "cpu.max"
    monkeypatch.setattr(threads, "_CONTAINER_SHARE", share)
    for written, cores in (("max 100000\n", 8), ("300000 100000\n", 3), ("50000 100000\n", 1), ("", 8)):
        share.write_text(written)
        assert threads.available_cores() == cores


class _AskShare(Work[int]):
    """Answers with what it may take of the memory that is free."""

    def do(self, order: int) -> int:
        return own_share(order)

    def estimate(self, order: int) -> None:
        return None


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_worker_counts_on_its_share_of_the_memory(jobs):
    with Workers(_AskShare(), jobs=jobs) as workers:
        orders = [(number, str(number), 1200) for number in range(4)]
        outcomes = list(workers.outcomes(orders, ignore_progress))
    assert {outcome.result for outcome in outcomes} == {1200 // jobs}
    assert own_share(1200) == 1200
