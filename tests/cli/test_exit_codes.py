"""Every documented exit code, by a command that ends with it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bad_inputs import make_mixed_pdf
from tiny_models import save_pagesum

from lsum_cli.cli.app import run
from lsum_cli.errors import ExitCode, TrainingError

Setup = Callable[[Path, pytest.MonkeyPatch], None]
SMALL = ("--method", "extract", "--length", "20", "--offline")


def nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pass


def without_ray(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "ray" else find(name, *rest)
    )


def bad_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bad.jsonl").write_text('{"text": "One.", "summary": "One."}\n{broken\n')


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = folder / "home" / "checkpoints" / "mine"
    taken.mkdir(parents=True)
    (taken / "manifest.json").write_text("{}")
    (folder / "weights").mkdir()
    (folder / "weights" / "config.json").write_text(json.dumps({"model_type": "bart"}))


def a_scanned_page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_mixed_pdf(folder / "mixed.pdf")


def a_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_pagesum(folder / "model")


def breaking(place: str, error: BaseException) -> Setup:
    def set_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(place, fail)

    return set_up


def interrupted_as(error: Exception) -> Exception:
    """An error that stands for a Ctrl-C, as of an import that it broke off."""
    error.__cause__ = RuntimeError("Error calling __set_name__")
    error.__cause__.__context__ = KeyboardInterrupt()
    return error


EXTRACTION = "lsum_cli.methods.extract.method.compose"
CASES: dict[str, tuple[ExitCode, Setup, tuple[str, ...]]] = {
    "done": (ExitCode.DONE, nothing, ("marsh.md", *SMALL)),
    "a bug": (ExitCode.BUG, breaking(EXTRACTION, ValueError("a bug")), ("marsh.md", *SMALL)),
    "an unknown flag": (ExitCode.OPTION, nothing, ("marsh.md", "--nonsense")),
    "options that exclude each other": (ExitCode.OPTION, nothing, ("--multi", "--each", "marsh.md")),
    "a source that is not there": (ExitCode.SOURCE, nothing, ("missing.md", *SMALL)),
    "no such checkpoint": (ExitCode.CHECKPOINT, nothing, ("marsh.md", "-m", "./nowhere", "--offline")),
    "an extra that is not installed": (
        ExitCode.DEPENDENCY,
        without_ray,
        ("batch", "marsh.md", "-o", "out", "--ray", "local", *SMALL),
    ),
    "no such device": (
        ExitCode.DEVICE,
        a_model,
        ("marsh.md", "-m", "./model", "--device", "cuda:63", "--offline"),
    ),
    "a bad record": (
        ExitCode.DATASET,
        bad_record,
        ("eval", "--data", "bad.jsonl", "--method", "extract", "--offline"),
    ),
    "a file that exists": (ExitCode.OUTPUT, nothing, ("marsh.md", *SMALL, "-o", "marsh.md")),
    "a checkpoint that exists": (ExitCode.OUTPUT, installed, ("models", "import", "mine", "weights")),
    "some failed": (ExitCode.PARTIAL, nothing, ("marsh.md", "missing.md", *SMALL)),
    "something was not read": (ExitCode.INPUT_LOST, a_scanned_page, ("mixed.pdf", *SMALL, "--strict")),
    "training that cannot go on": (
        ExitCode.TRAINING,
        breaking(EXTRACTION, TrainingError("the loss is NaN")),
        ("marsh.md", *SMALL),
    ),
    "interrupted": (ExitCode.INTERRUPTED, breaking(EXTRACTION, KeyboardInterrupt()), ("marsh.md", *SMALL)),
    "interrupted in an import": (
        ExitCode.INTERRUPTED,
        breaking(EXTRACTION, interrupted_as(ModuleNotFoundError("Could not import module"))),
        ("marsh.md", *SMALL),
    ),
    "interrupted as something was asked for": (
        ExitCode.INTERRUPTED,
        breaking(EXTRACTION, interrupted_as(TrainingError("the loss is NaN"))),
        ("marsh.md", *SMALL),
    ),
}


def test_every_code_has_a_case() -> None:
    assert {code for code, _, _ in CASES.values()} == set(ExitCode)


@pytest.mark.parametrize("case", CASES)
def test_a_command_ends_with_the_documented_code(
    case: str,
    article: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    code, set_up, arguments = CASES[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    set_up(tmp_path, monkeypatch)
    assert run(list(arguments)) == code
    said = capfd.readouterr().err
    assert (said == "lsum: interrupted\n") is (code is ExitCode.INTERRUPTED)
    assert ("Traceback" in said) is (code is ExitCode.BUG)
    assert said or code is ExitCode.DONE


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes of this kind")
def test_a_reader_that_goes_away_is_141(article: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "lsum_cli", str(article), *SMALL],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "LSUM_HOME": str(tmp_path / "home")},
        check=False,
    )
    os.close(writing)
    assert process.returncode == 141
    assert b"Error" not in process.stderr
