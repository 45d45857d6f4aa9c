"""A run that is killed, interrupted or out of disk at any moment leaves whole files, and is resumed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lsum_cli.errors import ExitCode

SEEDS = range(4)
WORDS = [
    "tide",
    "harbour",
    "gauge",
    "station",
    "storm",
    "reading",
    "winter",
    "lamp",
    "chart",
    "current",
    "marsh",
    "sluice",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Some documents, each with words of its own."""
    folder = tmp_path_factory.mktemp("kills") / "papers"
    folder.mkdir()
    chance = random.Random(7)
    for number in range(12):
        sentences = [
            f"The {chance.choice(WORDS)} of the {chance.choice(WORDS)} {number} met the {chance.choice(WORDS)}."
            for _ in range(60)
        ]
        (folder / f"p{number}.md").write_text(f"# Paper {number}\n\n" + " ".join(sentences) + "\n")
    return folder


# Files of more bytes cannot be written once the documents are being read.
FULL_DISK = """
import resource, sys
from lsum_cli.cli import app, summary_output
limit = int(sys.argv.pop())
write = summary_output.Sink.write

def write_with_limit(*arguments, **keywords):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    return write(*arguments, **keywords)

summary_output.Sink.write = write_with_limit
sys.exit(app.run(sys.argv[1:]))
"""


def start(folder: Path, out: Path, *, limit: int | None = None) -> subprocess.Popen[bytes]:
    arguments = ["summarize", "--each", folder, "-f", "markdown", "--resume", "-q", "-o", f"{out}/"]
    program = ["-m", "lsum_cli"] if limit is None else ["-c", FULL_DISK]
    return subprocess.Popen(
        [sys.executable, *program, *map(str, arguments), *([] if limit is None else [str(limit)])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def contents(out: Path) -> dict[str, bytes]:
    """The summaries that a reader of the folder sees."""
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.md"))} if out.is_dir() else {}


@pytest.fixture(scope="module")
def whole(folder, tmp_path_factory) -> tuple[dict[str, bytes], float]:
    """The files of a run that nothing disturbs, and how long it takes."""
    out = tmp_path_factory.mktemp("kills") / "whole"
    began = time.monotonic()
    run = start(folder, out)
    _, stderr = run.communicate(timeout=240)
    assert (run.returncode, stderr) == (0, b"")
    return contents(out), time.monotonic() - began


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_or_interrupted_at_any_moment_a_run_is_resumed(folder, whole, tmp_path, seed):
    expected, seconds = whole
    chance = random.Random(seed)
    out = tmp_path / "out"
    for _ in range(2):
        run = start(folder, out)
        number = chance.choice([signal.SIGKILL, signal.SIGINT])
        # Python takes half of the time to start; most of what can break comes after that.
        time.sleep(seconds * chance.uniform(0.3, 1.0))
        if number is signal.SIGINT:
            os.killpg(run.pid, number)
        else:
            run.kill()
        _, stderr = run.communicate(timeout=60)
        if number is signal.SIGINT and run.returncode not in (0, -signal.SIGINT):
            # Before Python can handle it, the signal ends the process as it ends any other.
            assert run.returncode == ExitCode.INTERRUPTED, stderr
            assert b"Traceback" not in stderr
        assert contents(out).items() <= expected.items(), "whole files only"
    run = start(folder, out)
    _, stderr = run.communicate(timeout=240)
    assert (run.returncode, stderr) == (0, b"")
    assert contents(out) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_a_disk_that_is_full_at_any_byte_ends_the_run_and_it_is_resumed(folder, whole, tmp_path, seed):
    expected, _ = whole
    out = tmp_path / "out"
    limit = random.Random(seed).randrange(1, 2 * max(map(len, expected.values())))
    run = start(folder, out, limit=limit)
    _, stderr = run.communicate(timeout=240)
    assert contents(out).items() <= expected.items(), "whole files only"
    if contents(out) != expected:
        assert run.returncode == ExitCode.OUTPUT
        assert stderr.count(b"\n") == 1
        assert stderr.startswith(b"lsum: error: cannot write ")
    assert not [path for path in out.iterdir() if path.name.startswith(".lsum-") and path.suffix != ".jsonl"]
    run = start(folder, out)
    _, stderr = run.communicate(timeout=240)
    assert (run.returncode, stderr) == (0, b"")
    assert contents(out) == expected


IN_A_DESTRUCTOR = """
import sys, time
from lsum_cli.cli import app

class Dying:
    def __del__(self):
        raise KeyboardInterrupt

def run(arguments):
    Dying()
    try:
        time.sleep(30)
    except KeyboardInterrupt:
        return 3
    return 0

app.run = run
app.main()
"""


def test_an_interruption_in_a_destructor_is_not_lost() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IN_A_DESTRUCTOR], capture_output=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, b"", b"")
