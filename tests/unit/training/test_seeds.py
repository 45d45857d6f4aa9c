"""One recipe with several seeds: side by side, resumable, one table."""

from __future__ import annotations

import io
import json
import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_training import tiny_recipe, write_examples

from lsum_cli.cli.messages import Messages
from lsum_cli.cli.train import RecipeOptions, Training, find_recipe, find_seeds
from lsum_cli.errors import OptionError, OutputError
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.run import train
from lsum_cli.training.seeds import begun_seeds, train_seeds

STEPS = {"max_steps": 2, "eval_steps": 2}


def test_runs_lie_side_by_side_and_one_table_shows_them(tmp_path, capsys):
    recipe = tiny_recipe(write_examples(tmp_path / "train.jsonl"), training=STEPS)
    options = TrainOptions(output=tmp_path / "all", device="cpu", report_to=())
    calls: list[int] = []

    def stopping(recipe, options):
        calls.append(recipe.training.seed)
        result = train(recipe, options)
        # As if Ctrl-C had come after the first step of the second run.
        return replace(result, was_interrupted=len(calls) == 2)

    first = train_seeds(recipe, options, [0, 1, 2], stopping)
    assert not first.is_complete
    assert [run.seed for run in first.runs] == [0]
    assert begun_seeds(options.folder) == [0, 1, 2]
    with pytest.raises(OutputError, match="give --resume to continue it"):
        train_seeds(recipe, options, [0, 1, 2], stopping)
    # What is missing is known from the folder.
    resuming = replace(options, resume=True)
    chosen = find_recipe(None, RecipeOptions(), {}, resuming)
    seeds = find_seeds(RecipeOptions(), chosen, resuming)
    assert seeds == [0, 1, 2]
    product = io.StringIO()
    Training(resuming, Messages()).run_seeds(chosen, seeds, product)
    assert product.getvalue().split() == [str(tmp_path / "all" / f"seed-{seed}") for seed in seeds]
    told = capsys.readouterr().err
    assert "seed 0: already trained" in told
    assert "seed 2: run 3 of 3" in told
    assert "standard deviation" in told
    table = (tmp_path / "all" / "seeds.md").read_text(encoding="utf-8")
    assert table.count("| seed ") == 3
    written = json.loads((tmp_path / "all" / "seeds.json").read_bytes())
    losses = [run["metrics"]["validation_loss"] for run in written["runs"]]
    assert len(set(losses)) == 3
    assert written["metrics"]["validation_loss"]["mean"] == pytest.approx(statistics.fmean(losses))
    assert written["metrics"]["validation_loss"]["sd"] == pytest.approx(statistics.stdev(losses))
    # A run among several is the run that it would be alone.
    alone = tiny_recipe(tmp_path / "train.jsonl", training=STEPS | {"seed": 2})
    assert train(alone, replace(options, output=tmp_path / "alone")).manifest.metrics == pytest.approx(
        written["runs"][2]["metrics"]
    )
    changed = replace(chosen, training=replace(chosen.training, learning_rate=0.5))
    with pytest.raises(OptionError, match=r"training\.learning_rate"):
        train_seeds(changed, resuming, seeds, stopping)


def test_seeds_follow_that_of_the_recipe():
    with pytest.raises(OptionError, match=r"--seeds"):
        RecipeOptions(seeds=0)
    recipe = tiny_recipe(Path("x"), training={"seed": 7})
    options = TrainOptions(output=Path("none"))
    assert find_seeds(RecipeOptions(seeds=3), recipe, options) == [7, 8, 9]
    assert find_seeds(RecipeOptions(), recipe, options) is None


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(OutputError, match="not the folder of several runs"):
        train_seeds(tiny_recipe(tmp_path / "x"), TrainOptions(output=tmp_path, overwrite=True), [0], train)
