"""Evaluation, training and downloads that are killed, interrupted or out of disk at any moment are taken up again."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from loopback_hub import LoopbackHub, Misbehaviour, repository_of
from tiny_checkpoints import make_bart
from tiny_training import tiny_settings, write_examples

from lsum_cli.errors import ExitCode

SECONDS = 600
SEEDS = range(2)


@dataclass(frozen=True, kw_only=True)
class Work:
    """A command whose product is the same however often it was disturbed.

    Attributes:
        arguments: Of the command.
        again: Of the one that takes it up; where there is nothing to take up yet, the command itself does.
        product: What a reader finds in the folder that the command runs in; empty before there is any.
        environment: More variables.
    """

    arguments: tuple[str, ...]
    again: tuple[str, ...]
    product: Callable[[Path], dict[str, object]]
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, folder: Path, *, again: bool = False, limit: int | None = None) -> subprocess.Popen[str]:
        """Begin it; files of more than ``limit`` bytes cannot be written."""

        def prepare() -> None:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

        return subprocess.Popen(
            [sys.executable, "-m", "lsum_cli", *(self.again if again else self.arguments)],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "LSUM_HOME": str(folder / "home"),
                "PYTHONDONTWRITEBYTECODE": "1",
                **self.environment,
            },
            start_new_session=True,
            preexec_fn=prepare,
        )

    def finish(self, folder: Path) -> dict[str, object]:
        """Take it up until it is done, and look at what is there."""
        for again in (True, False):
            run = self.start(folder, again=again)
            _, stderr = run.communicate(timeout=SECONDS)
            if run.returncode == 0:
                return self.product(folder)
        raise AssertionError(stderr)


def kept_summaries(folder: Path) -> dict[str, object]:
    """By id, the summaries that an evaluation keeps; the last line may be torn, and is written anew."""
    found: dict[str, object] = {}
    for path in folder.glob("kept/*/summaries.jsonl"):
        for line in path.read_text("utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                record = json.loads(line)
                found[record["id"]] = record.get("text", record.get("sentences"))
    return found


def trained_weights(folder: Path) -> dict[str, object]:
    path = folder / "run" / "model.safetensors"
    return {path.name: path.read_bytes()} if path.is_file() else {}


def installed_files(folder: Path) -> dict[str, object]:
    installed = folder / "home" / "checkpoints" / "distilbart-cnn-6-6"
    return {path.name: path.read_bytes() for path in installed.glob("*") if path.suffix == ".safetensors"}


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Work]]:
    """The commands by name."""
    data = tmp_path_factory.mktemp("data")
    record = {"article": " ".join(f"Sentence {n} tells of marsh {n}." for n in range(400))}
    lines = [json.dumps(record | {"id": str(n), "abstract": f"Marsh {n}."}) for n in range(60)]
    (data / "long.jsonl").write_text("\n".join(lines), encoding="utf-8")
    settings = tiny_settings(write_examples(data / "train.jsonl"), write_examples(data / "valid.jsonl", 3, seed=1), training={"eval_steps": 1})  # fmt: skip
    (data / "tiny.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    evaluation = (
        "eval",
        "--data",
        str(data / "long.jsonl"),
        "--baselines",
        "lead3",
        "--results",
        "kept",
        "-q",
    )
    training = ("train", "--output", "run", "--device", "cpu", "-q")
    recipe = str(data / "tiny.yaml")
    pull = ("models", "pull", "distilbart-cnn-6-6", "-q")
    with LoopbackHub() as hub:
        hub.add("sshleifer/distilbart-cnn-6-6", repository_of(make_bart(data / "bart")), license="apache-2.0")
        hub.misbehaviour["model.safetensors"] = Misbehaviour(seconds_per_chunk=0.004)
        yield {
            "eval": Work(arguments=evaluation, again=evaluation, product=kept_summaries),
            "train": Work(
                arguments=(*training, recipe, "--overwrite"), again=(*training, "--resume"), product=trained_weights
            ),
            "pull": Work(
                arguments=pull, again=pull, product=installed_files,
                environment={"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(data / "hf")},
            ),
        }  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(
    works: dict[str, Work], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], tuple[dict[str, object], float]]:
    """What a command makes that nothing disturbs, and how long that takes."""
    found: dict[str, tuple[dict[str, object], float]] = {}

    def run(name: str) -> tuple[dict[str, object], float]:
        if name not in found:
            folder = tmp_path_factory.mktemp(name)
            began = time.monotonic()
            process = works[name].start(folder)
            _, stderr = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, stderr
            found[name] = works[name].product(folder), time.monotonic() - began
            assert found[name][0]
        return found[name]

    return run


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["eval", "train", "pull"])
def test_killed_or_interrupted_at_any_moment_it_is_taken_up(name, seed, works, undisturbed, tmp_path):
    expected, seconds = undisturbed(name)
    chance = random.Random(f"{name} {seed}")
    work = works[name]
    number = (signal.SIGKILL, signal.SIGINT)[seed % 2]
    run = work.start(tmp_path)
    # The first part of the time goes to starting Python.
    time.sleep(seconds * chance.uniform(0.3, 1.0))
    os.killpg(run.pid, number)
    _, stderr = run.communicate(timeout=SECONDS)
    assert "Traceback" not in stderr
    assert run.returncode in (0, -number, ExitCode.INTERRUPTED)
    assert work.product(tmp_path).items() <= expected.items(), "whole files only"
    assert work.finish(tmp_path) == expected


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["eval", "train", "pull"])
def test_a_disk_that_is_full_at_any_byte_is_one_line(name, seed, works, undisturbed, tmp_path):
    expected, _ = undisturbed(name)
    work = works[name]
    most = max(len(each) if isinstance(each, bytes) else 8000 for each in expected.values())
    run = work.start(tmp_path, limit=random.Random(f"{name} {seed}").randrange(1, most))
    _, stderr = run.communicate(timeout=SECONDS)
    assert work.product(tmp_path).items() <= expected.items(), "whole files only"
    if run.returncode != 0:
        assert run.returncode == ExitCode.OUTPUT, stderr
        (line,) = (each for each in stderr.splitlines() if each.startswith("lsum: error:"))
        assert "File too large" in line or "full" in line
    assert "Traceback" not in stderr
    assert work.finish(tmp_path) == expected
