"""The program as a user runs it: a process of its own, both streams and the exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest

# Commands take a second or two; a machine with much else to do is no reason to fail.
SECONDS = 240


@dataclass(frozen=True)
class Result:
    code: int
    stdout: str
    stderr: str


class RunLsum(Protocol):
    def __call__(self, *arguments: str | Path, stdin: bytes = b"", **environment: str) -> Result: ...


@pytest.fixture
def lsum(tmp_path: Path) -> RunLsum:
    """Run ``lsum`` with arguments in ``tmp_path``; whatever happens, no traceback may be printed."""

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
        result = Result(process.returncode, process.stdout.decode(), process.stderr.decode())
        assert "Traceback" not in result.stderr or "-vv" in arguments, result.stderr
        return result

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
