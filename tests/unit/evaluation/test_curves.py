"""Training curves: the histories of runs, finished, interrupted, or several of one system."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lsum_cli.errors import OptionError
from lsum_cli.evaluation.analyses.curves import STATE_NAME, read_curves
from lsum_cli.training import folder as training_folder


def write_state(folder, *losses):
    folder.mkdir(parents=True, exist_ok=True)
    history = [{"step": 5, "epoch": 0.5, "loss": 9.0}]
    history += [{"step": 10 * n, "epoch": n, "eval_loss": loss} for n, loss in enumerate(losses, start=1)]
    (folder / STATE_NAME).write_text(json.dumps({"log_history": history}), encoding="utf-8")


def test_runs_and_folders_of_runs(tmp_path):
    write_state(tmp_path / "one", 3.0, 2.0, 2.0)
    for number in (10, 9):
        write_state(tmp_path / "several" / f"seed-{number}", number, number - 1)
    # Neither is a run.
    write_state(tmp_path / "several" / "seed-9.old", 1.0)
    write_state(tmp_path / "several" / "seed-9-before", 1.0)
    (tmp_path / "several" / "seed-7").write_text("", encoding="utf-8")
    curves = read_curves([tmp_path / "one", tmp_path / "several"], "eval_loss")
    assert [(curve.system, curve.run) for curve in curves] == [
        *(("one", ""), ("several", "seed-9"), ("several", "seed-10"))
    ]
    assert curves[1].points == ((10, 9.0), (20, 8.0))
    assert curves[0].best == (20, 2.0)
    assert replace(curves[0], metric="eval_rouge2").best == (10, 3.0)  # there, more is better
    assert read_curves([tmp_path / "one"], "loss")[0].points == ((5, 9.0),)
    assert STATE_NAME == training_folder.STATE_NAME


def test_a_run_that_goes_on_is_read_from_its_newest_checkpoint(tmp_path):
    for step, losses in ((9, [4.0]), (10, [4.0, 3.0])):
        write_state(tmp_path / f"checkpoint-{step}", *losses)
    (curve,) = read_curves([tmp_path], "eval_loss")
    assert len(curve.points) == 2


def test_folders_of_one_name_are_told_apart(tmp_path):
    for part in ("a", "b"):
        write_state(tmp_path / part / "run", 1.0)
    systems = [
        curve.system for curve in read_curves([tmp_path / "a" / "run", tmp_path / "b" / "run"], "eval_loss")
    ]
    assert systems == [str(tmp_path / "a" / "run"), str(tmp_path / "b" / "run")]


def test_what_is_no_run_or_has_no_such_metric(tmp_path):
    with pytest.raises(OptionError, match="is no training run"):
        read_curves([tmp_path], "eval_loss")
    write_state(tmp_path / "run", 1.0)
    with pytest.raises(
        OptionError, match="no metric 'eval_rouge2'; give --metric with one of eval_loss, loss"
    ):
        read_curves([tmp_path / "run"], "eval_rouge2")
    (tmp_path / "run" / STATE_NAME).write_text("{", encoding="utf-8")
    with pytest.raises(OptionError, match="is damaged"):
        read_curves([tmp_path / "run"], "eval_loss")
