"""``--jobs``: several documents at a time, as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_models import save_pagesum

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

WORDS = ["harvest", "income", "number", "cost", "price", "weight", "length", "area", "depth", "speed"]


def text_about(number: int, sentences: int = 30) -> str:
    return " ".join(
        f"The {WORDS[place % 10]} of report {number} grew by {place + 1} percent in {1950 + place} because of"
        f" {WORDS[(place * 7 + number) % 10]}."
        for place in range(sentences)
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Seven texts, of which the first is by far the longest, and one cannot be read."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for number in range(7):
        (folder / f"text{number}.txt").write_text(text_about(number, 2000 if number == 0 else 30))
    (folder / "text3.txt").write_text(" ")
    return folder


def processes_of(session: int) -> list[int]:
    """The processes of a session, but for dead ones that nobody has asked for."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, *fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if state != "Z" and int(fields[2]) == session:
            found.append(int(path.parent.name))
    return found


def workers_of(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children]


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_for(condition, seconds: float = 120.0):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)
    return value


def start(*arguments: object, program: str = "", cwd: Path) -> subprocess.Popen[bytes]:
    command = ["-c", program] if program else ["-m", "lsum_cli"]
    return subprocess.Popen(
        [sys.executable, *command, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        start_new_session=True,
    )


@pytest.fixture
def ended() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes that a test started; with all that they started they are ended after it."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        for pid in processes_of(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.communicate()


def without_times(text: str) -> list[object]:
    summaries = []
    for line in text.splitlines():
        summary = json.loads(line)
        del summary["seconds"]
        summaries.append(summary)
    return summaries


def test_as_many_jobs_as_one_likes_give_the_same_in_the_order_of_the_sources(lsum, folder) -> None:
    arguments = ("summarize", "--each", folder, "-q")
    as_json = {jobs: lsum(*arguments, "-f", "json", "--jobs", str(jobs)) for jobs in (1, 2)}
    assert {result.code for result in as_json.values()} == {9}
    assert without_times(as_json[1].stdout) == without_times(as_json[2].stdout)
    titles = [summary["documents"][0]["source"] for summary in without_times(as_json[2].stdout)]
    assert [Path(title).name for title in titles] == [f"text{number}.txt" for number in (0, 1, 2, 4, 5, 6)]
    assert as_json[1].stderr == as_json[2].stderr
    assert "text3.txt contains no text" in as_json[2].stderr
    by_default, alone = lsum(*arguments), lsum(*arguments, "--jobs", "1")
    assert (by_default.code, by_default.stdout, by_default.stderr) == (9, alone.stdout, alone.stderr)


def test_files_of_a_folder_are_the_same_and_resumed_with_any_number_of_jobs(lsum, folder, tmp_path) -> None:
    arguments = ("summarize", "--each", folder, "-f", "markdown")
    for jobs in (1, 2):
        assert lsum(*arguments, "-o", f"out{jobs}/", "--jobs", str(jobs)).code == 9
    written = {path.name: path.read_bytes() for path in (tmp_path / "out2").glob("[!.]*")}
    assert len(written) == 6
    assert written == {path.name: path.read_bytes() for path in (tmp_path / "out1").glob("[!.]*")}
    (tmp_path / "out2" / "text0.md").unlink()
    again = lsum(*arguments, "-o", "out2/", "--resume", "--jobs", "3")
    assert "5 of 7 sources were done" in again.stderr
    assert (tmp_path / "out2" / "text0.md").read_bytes() == written["text0.md"]


@pytest.mark.parametrize("jobs", ["0", "-1", "x", "1.5", "1000000"])
@pytest.mark.parametrize("command", ["summarize", "plan", "eval"])
def test_wrong_numbers_are_wrong_usage(lsum, command, jobs) -> None:
    if jobs in ("-1", "1.5") and command != "summarize":
        pytest.skip("as for the other commands")
    source = ("--data", "d.jsonl") if command == "eval" else ("a.txt", "b.txt")
    result = lsum(command, *source, "--jobs", jobs)
    assert result.code == 2
    assert "--jobs" in result.stderr
    assert result.stderr.count("\n") == 1


def test_plans_are_the_same(lsum, folder) -> None:
    found = [lsum("plan", "--each", folder, "-f", "json", "-q", "--jobs", str(jobs)) for jobs in (1, 2)]
    assert [result.code for result in found] == [9, 9]
    assert found[0].stderr == found[1].stderr
    alone, side_by_side = ([json.loads(line) for line in result.stdout.splitlines()] for result in found)
    assert len(alone) == 6
    assert all(plan.pop("memory_share_bytes", None) for plan in side_by_side)
    assert alone == side_by_side


def test_one_summary_of_all_is_the_same(lsum, folder) -> None:
    found = [lsum("summarize", "--multi", folder, "-q", "--jobs", str(jobs)) for jobs in (1, 2)]
    assert found[0] == found[1]
    assert found[0].code == 9


def test_ctrl_c_ends_all_processes(folder, tmp_path, ended) -> None:
    for number in range(10, 60):
        (folder / f"text{number}.txt").write_text(text_about(number, 1500))
    process = start("summarize", folder, "-o", "out/", "--jobs", "2", cwd=tmp_path)
    ended.append(process)
    wait_for(lambda: list((tmp_path / "out").glob("*.txt")))
    assert len(processes_of(process.pid)) >= 3
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 130
    assert b"interrupted" in told
    assert b"Traceback" not in told
    wait_for(lambda: not processes_of(process.pid), seconds=10)


def test_workers_end_with_a_program_that_is_killed(folder, tmp_path, ended) -> None:
    for number in range(10, 60):
        (folder / f"text{number}.txt").write_text(text_about(number, 1500))
    process = start("summarize", folder, "-o", "out/", "--jobs", "2", cwd=tmp_path)
    ended.append(process)
    wait_for(lambda: list((tmp_path / "out").glob("*.txt")))
    process.kill()
    process.communicate()
    wait_for(lambda: not processes_of(process.pid), seconds=10)


def test_killed_workers_cost_a_retry_each(folder, tmp_path, ended) -> None:
    for number in range(10, 40):
        (folder / f"text{number}.txt").write_text(text_about(number, 400))
    (folder / "text3.txt").write_text(text_about(3))
    process = start("summarize", folder, "-o", "out/", "-q", "--jobs", "2", cwd=tmp_path)
    ended.append(process)
    wait_for(lambda: list((tmp_path / "out").glob("*.txt")))
    # Held meanwhile, it cannot give the text of one worker to another that is killed next.
    process.send_signal(signal.SIGSTOP)
    wait_for(lambda: state_of(process.pid) == "T")
    for pid in workers_of(process.pid):
        os.kill(pid, signal.SIGKILL)
    process.send_signal(signal.SIGCONT)
    _, told = process.communicate(timeout=240)
    assert (process.returncode, told) == (0, b"")
    assert len(list((tmp_path / "out").glob("*.txt"))) == 37


KILLER = """
import os, signal, sys
from lsum_cli.cli import app
from lsum_cli.methods.summarizer import Summarizer
summarize = Summarizer.summarize

def deadly(self, documents, **more):
    if documents[0].source.endswith("text5.txt"):
        os.kill(os.getpid(), signal.SIGKILL)
    return summarize(self, documents, **more)

Summarizer.summarize = deadly
sys.exit(app.run(sys.argv[1:]))
"""


def test_a_document_that_kills_its_worker_twice_is_a_line(folder, tmp_path, ended) -> None:
    process = start("summarize", folder, "-o", "out/", "--jobs", "2", program=KILLER, cwd=tmp_path)
    ended.append(process)
    _, told = process.communicate(timeout=240)
    lines = told.decode().splitlines()
    assert process.returncode == 9
    assert sum("text5.txt cannot be summarised: the process that does it was killed" in x for x in lines) == 1
    assert "lsum: error: 2 of 7 sources failed; the others are done; see the messages above" in lines
    assert len(list((tmp_path / "out").glob("*.txt"))) == 5


RECORDS = [
    {
        "id": f"r{number}",
        "article": text_about(number, 12),
        "summary": f"The harvest of report {number} grew by 1 percent in 1950.",
    }
    for number in range(8)
]


def report_without_times(path: Path) -> object:
    systems = json.loads(path.read_text())["systems"]
    for system in systems:
        del system["summaries"], system["scores"]["seconds"]
        for row in system["rows"]:
            del row["scores"]["seconds"]
    return systems


def test_an_evaluation_gives_the_same_and_uses_the_same_cache(lsum, tmp_path) -> None:
    data = tmp_path / "data.jsonl"
    # The same document twice is summarised once.
    lines = [json.dumps(record) for record in (*RECORDS, {**RECORDS[0], "id": "again"})]
    data.write_text("\n".join(lines))
    model = save_pagesum(tmp_path / "tiny")
    arguments = ("eval", "--data", data, "-m", model, "--max-tokens", "8", "-q")
    arguments += ("--baselines", "random,oracle,lead:tiny", "-f", "json", "--any-language")
    for jobs in (1, 2):
        result = lsum(*arguments, "--jobs", str(jobs), "--results", f"cache{jobs}", "-o", f"{jobs}.json")
        assert (result.code, result.stderr) == (0, "")
    alone, together = (report_without_times(tmp_path / f"{jobs}.json") for jobs in (1, 2))
    assert alone == together
    caches = [
        sorted(
            json.loads(line)["key"]
            for path in (tmp_path / f"cache{jobs}").rglob("*.jsonl")
            for line in path.read_text().splitlines()
        )
        for jobs in (1, 2)
    ]
    assert caches[0] == caches[1]
    noted = lsum(*(each for each in arguments if each != "-q"), "--jobs", "2", "--results", "cache1")
    assert noted.stderr.count("9 of 9 summaries taken from an earlier run") == 4


def test_batches_and_jobs_exclude_each_other(lsum, tmp_path) -> None:
    result = lsum("eval", "--data", "d.jsonl", "--batch-size", "4", "--jobs", "2")
    assert result.code == 2
    assert "--batch-size 4 and --jobs 2" in result.stderr
