"""Training curves: a metric by step, of one run or of several runs of one system, from their histories."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsum_cli.errors import OptionError
from lsum_cli.evaluation.results import RunCurve
from lsum_cli.evaluation.systems import find_runs

STATE_NAME = "trainer_state.json"
# What every log entry tells besides metrics.
_PLACES = ("step", "epoch")


def read_curves(folders: Sequence[Path], metric: str) -> list[RunCurve]:
    """The curves of training runs.

    Args:
        folders: Each a run, or a folder of runs of one system (``seed-1``, ``seed-2``, …).
        metric: A key of the log: ``"eval_loss"``.

    Raises:
        OptionError: A folder is no run, or its log has no such metric.
    """
    names = [folder.resolve().name for folder in folders]
    curves = []
    for folder, name in zip(folders, names, strict=True):
        system = str(folder) if names.count(name) > 1 else name
        runs = find_runs(folder)
        curves += [_read(run, system, run.name if runs else "", metric) for run in runs or [folder]]
    return curves


def _read(folder: Path, system: str, run: str, metric: str) -> RunCurve:
    history = _history_of(folder)
    points = {
        int(entry["step"]): float(entry[metric])
        for entry in history
        if isinstance(entry.get(metric), int | float) and math.isfinite(entry[metric])
    }
    if not points:
        known = sorted({key for entry in history for key in entry} - set(_PLACES))
        raise OptionError(
            f"the log of {folder} has no metric '{metric}'", f"give --metric with one of {', '.join(known)}"
        )
    return RunCurve(system=system, run=run, metric=metric, points=tuple(sorted(points.items())))


def _history_of(folder: Path) -> list[Mapping[str, Any]]:
    """The log of a run, finished or not."""
    for path in _states_of(folder):
        try:
            history = json.loads(path.read_bytes())["log_history"]
            return [entry for entry in history if "step" in entry]
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise OptionError(f"{path} is damaged", "give another run") from error
    raise OptionError(f"{folder} is no training run: it has no {STATE_NAME}", "give the folder of a run")


def _states_of(folder: Path) -> Iterator[Path]:
    """Where the log may be: at the root of a run that ended, else with its newest checkpoint."""
    yield folder / STATE_NAME
    saved = [path for path in folder.glob("checkpoint-*") if path.name[11:].isdigit()]
    for path in sorted(saved, key=lambda each: -int(each.name[11:])):
        yield path / STATE_NAME
