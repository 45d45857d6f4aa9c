"""The program as a user runs it: a process of its own, both streams and the exit code."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

# Commands take a second or two; a machine with much else to do is no reason to fail.
SECONDS = 240


class Result(NamedTuple):
    code: int
    stdout: str
    stderr: str


class RunLsum(Protocol):
    def __call__(self, *arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result: ...


def result_of(code: int, stdout: bytes, stderr: bytes, arguments: tuple[str | Path, ...]) -> Result:
    """What a run left; whatever happens, no traceback may be printed."""
    result = Result(code, stdout.decode(), stderr.decode())
    assert "Traceback" not in result.stderr or "-vv" in arguments, result.stderr
    return result


@pytest.fixture
def lsum_anew(tmp_path: Path) -> RunLsum:
    """Run ``lsum`` with arguments in ``tmp_path``, as a user does: Python starts for it."""

    def run(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result:
        process = subprocess.run(
            [sys.executable, "-m", "lsum_cli", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100", **environment},
            timeout=SECONDS,
            check=False,
        )
        return result_of(process.returncode, process.stdout, process.stderr, arguments)

    return run


@pytest.fixture(scope="session")
def warm_program() -> Iterator[subprocess.Popen[bytes]]:
    """The process whose copies are the program."""
    command = [sys.executable, str(Path(__file__).with_name("warm_program.py"))]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
    )
    yield process
    process.stdin.close()
    try:
        process.wait(10)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        process.stdout.close()


@pytest.fixture
def lsum(
    request: pytest.FixtureRequest,
    lsum_anew: RunLsum,
    tmp_path_factory: pytest.TempPathFactory,
    tmp_path: Path,
) -> RunLsum:
    """Run ``lsum`` with arguments in ``tmp_path``: a process of its own, whose libraries are loaded already.

    Where what the program loads, or the limits of the machine, are tested, take ``lsum_anew``.
    """
    if sys.platform != "linux":
        return lsum_anew
    program = request.getfixturevalue("warm_program")
    streams = [tmp_path_factory.mktemp("streams") / name for name in ("stdin", "stdout", "stderr")]

    def run(*arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result:
        if any(name.startswith("PYTHON") for name in environment):  # which Python reads when it starts
            return lsum_anew(*arguments, stdin=stdin, **environment)
        streams[0].write_bytes(stdin)
        wanted = {
            "arguments": list(map(str, arguments)),
            "folder": str(tmp_path),
            "environment": {**os.environ, "COLUMNS": "100", **environment},
            "streams": list(map(str, streams)),
        }
        program.stdin.write(json.dumps(wanted).encode() + b"\n")
        if not select.select([program.stdout], [], [], SECONDS)[0]:
            # What it answers later would be taken for the answer to another run.
            os.killpg(program.pid, signal.SIGKILL)
            pytest.fail("it does not end")
        code = int(program.stdout.readline())
        return result_of(code, *(stream.read_bytes() for stream in streams[1:]), arguments)

    return run


ARTICLE = """# Salt Marshes

## Growth

Salt marshes grow where mud settles faster than the sea carries it away. Grasses slow the water, and the
slow water drops its mud. In this way a marsh can rise by several millimetres a year.

## Decline

Where rivers are dammed, the mud stays behind the dams and the marshes starve. A starving marsh drowns
when the sea rises. Dredged mud has been spread on drowning marshes in several estuaries.

## Repair

Marshes that received dredged mud recovered within three years. The grasses came back first and the
birds came back last. The cost was lower than that of a sea wall of the same length.
"""


@pytest.fixture
def article(tmp_path: Path) -> Path:
    """A short Markdown document with three sections."""
    path = tmp_path / "marsh.md"
    path.write_text(ARTICLE, encoding="utf-8")
    return path


@pytest.fixture
def lsum_here(capfd, tmp_path, monkeypatch):
    """Run a command line in this process, where the libraries are loaded already."""
    # Imported here: most tests run the program as a process of its own.
    from lsum_cli.cli.app import run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err, captured.err
        return code, captured.out, captured.err

    return call
