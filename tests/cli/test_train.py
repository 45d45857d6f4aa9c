"""``lsum train`` as a user runs it: recipes, hostile input, Ctrl-C, several processes."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from tiny_training import tiny_settings, write_examples

from lsum_cli.checkpoints.known import find_known
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.train import RecipeOptions, Training, find_recipe
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.recipes import load_recipe
from lsum_cli.training.run import train

SECONDS = 240


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    return write_recipe(tmp_path)


def write_recipe(folder: Path, **sections) -> Path:
    train = write_examples(folder / "train.jsonl", 12)
    valid = write_examples(folder / "valid.jsonl", 3, seed=1)
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(tiny_settings(train, valid, **sections)), encoding="utf-8")
    return path


def logged(folder: Path, key: str) -> dict[int, float]:
    history = json.loads((folder / "trainer_state.json").read_bytes())["log_history"]
    return {entry["step"]: entry[key] for entry in history if key in entry}


def test_recipes_are_listed_and_shown(lsum):
    listed = lsum("train", "--list")
    assert listed.code == 0
    assert "pagesum-small" in listed.stdout
    assert listed.stderr == ""
    flags = "--set training.seed=3 --seed 4 --items documents --validation-file v.jsonl"
    files = ["--train-file", "a.jsonl", "--train-file", "b/"]
    shown = lsum("train", "--show", "pagesum-small", *flags.split(), *files)
    recipe = yaml.safe_load(shown.stdout)
    assert recipe["training"]["seed"] == 4
    assert recipe["data"]["train_file"] == ["a.jsonl", "b/"]
    assert (recipe["data"]["validation_file"], recipe["data"]["items"]) == ("v.jsonl", "documents")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--resume"], 2, "no output folder was given for the run"),
        (["tiny.yaml", "--resume", "--overwrite"], 2, "exclude each other"),
        (["tiny.yaml", "--train-file", "none.jsonl"], 7, "none.jsonl does not exist"),
        (["tiny.yaml", "-o", "train.jsonl"], 8, "train.jsonl exists already"),
    ],
)  # fmt: skip
def test_what_cannot_be_trained_is_said_in_a_line(lsum, recipe, tmp_path, arguments, code, said):
    result = lsum("train", *arguments, "--device", "cpu")
    assert result.code == code, result.stderr
    assert said in result.stderr
    assert result.stdout == ""
    assert result.stderr.count("error:") == 1
    assert not (tmp_path / "runs").exists()


def test_the_first_ctrl_c_saves_and_the_run_goes_on_to_a_checkpoint(tmp_path, capsys):
    recipe = write_recipe(tmp_path, training={"max_steps": 100_000, "eval_steps": 100_000, "eval_samples": 1})
    process = start(tmp_path, recipe)
    wait_for(process, "step 3 of")
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, rest
    assert "this step is finished and saved" in rest
    assert "continue with: lsum train --resume --output" in rest
    (checkpoint,) = (tmp_path / "run").glob("checkpoint-*")
    step = int(checkpoint.name.split("-")[1])
    options = TrainOptions(output=tmp_path / "run", resume=True, device="cpu")
    chosen = RecipeOptions(assignments=(f"training.max_steps={step + 2}",))
    product = io.StringIO()
    Training(options, Messages()).run(find_recipe(None, chosen, {}, options), product)
    folder = tmp_path / "run"
    assert product.getvalue() == f"{folder}\n"
    said = capsys.readouterr().err
    assert "pagesum from scratch" in said
    assert f"resuming from step {step}" in said
    assert f"step {step + 2} of {step + 2}: loss" in said
    assert f"validation at step {step + 2}: loss" in said
    assert f"use it with: lsum summarize paper.pdf -m {folder}" in said
    assert (folder / "loss.png").read_bytes().startswith(b"\x89PNG")
    assert "| written | reference |" in (folder / "samples.md").read_text(encoding="utf-8")
    assert list((folder / "runs").rglob("events.out.tfevents*"))
    assert "validation_loss" in find_known(str(folder)).installed.manifest.metrics
    assert sorted(logged(tmp_path / "run", "loss")) == list(range(1, step + 3))


def test_two_processes_train_as_one_with_twice_the_accumulation(tmp_path):
    # Thirteen documents in batches of two: at the end of an epoch one process has nothing left.
    def recipe_for(name: str, accumulation: int) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        training = {"dropout": 0.0, "gradient_accumulation_steps": accumulation}
        path = write_recipe(folder, training=training)
        write_examples(folder / "train.jsonl", 13)
        return path

    launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    process = start(tmp_path / "two", recipe_for("two", 1), *launcher)
    options = TrainOptions(output=tmp_path / "one" / "run", device="cpu", report_to=())
    train(load_recipe(str(recipe_for("one", 2))), options)
    out, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors
    assert out.splitlines() == [str(tmp_path / "two" / "run")]
    assert errors.count("step 6 of 6: loss") == 1
    assert errors.count("lsum: building the model\n") == 1
    for key, times in (("loss", 6), ("eval_loss", 2), ("grad_norm", 6)):
        one, two = (logged(tmp_path / name / "run", key) for name in ("one", "two"))
        assert len(one) == times
        assert two == pytest.approx(one, rel=1e-4)


def start(folder: Path, recipe: Path, *launcher: str) -> subprocess.Popen[str]:
    """Start a run in ``folder/run``, by itself or through a launcher."""
    return subprocess.Popen(
        [sys.executable, *launcher, "-m", "lsum_cli", "train", str(recipe), "-o", "run", "--device", "cpu"],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process: subprocess.Popen[str], text: str) -> None:
    end = time.monotonic() + SECONDS
    for line in process.stderr:
        if text in line:
            return
        assert time.monotonic() < end
    raise AssertionError(f"{text!r} was never said")
