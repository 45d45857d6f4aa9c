"""Several runs of one recipe that differ in their seed: side by side in one folder, with one table."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lsum_cli.checkpoints.manifest import Manifest, read_manifest
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import OptionError, OutputError
from lsum_cli.training.events import Notice, SeedRun, SeedRuns, TrainingListener, ignore_reports
from lsum_cli.training.folder import GO_ON, RunFolder, check_resumable, reporting_disk_errors
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.run import TrainResult
from lsum_cli.training.settings import Recipe

SEEDS_NAME = "seeds.json"

# Trains one recipe with one set of options, as :func:`lsum_cli.training.run.train` does.
Train = Callable[[Recipe, TrainOptions], TrainResult]


def seed_folder(folder: Path, seed: int) -> Path:
    """The folder of the run with this seed."""
    return folder / f"seed-{seed}"


def begun_seeds(folder: Path) -> list[int] | None:
    """The seeds of the runs in a folder; ``None`` if it was not made for several.

    Raises:
        OptionError: The list is damaged.
    """
    file = folder / SEEDS_NAME
    try:
        seeds = json.loads(file.read_bytes())["seeds"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OptionError(f"{file} is damaged", "give --seeds again, with --resume") from error
    return [int(seed) for seed in seeds]


def train_seeds(
    recipe: Recipe,
    options: TrainOptions,
    seeds: Sequence[int],
    train: Train,
    listener: TrainingListener = ignore_reports,
) -> SeedRuns:
    """Train a recipe once for every seed, each in a folder of its own.

    With ``options.resume``, finished runs are kept, and an unfinished one is continued.

    Args:
        seeds: The seeds, which replace the recipe's.
        train: Trains one of them.

    Returns:
        The finished runs; not all of them if the user interrupted one.

    Raises:
        LsumError: As ``train`` says; runs that were finished before stay.
    """
    folder = options.folder.expanduser().absolute()
    _check_folder(folder, options)
    runs: list[SeedRun] = []
    is_main = os.environ.get("RANK", "0") == "0"
    if is_main and not options.dry_run:
        _write(SeedRuns(folder=folder, seeds=seeds, runs=runs))
    for seed in seeds:
        wanted = replace(recipe, training=replace(recipe.training, seed=seed))
        place = RunFolder(seed_folder(folder, seed))
        manifest = _finished(place, wanted) if options.resume else None
        if manifest is None:
            listener(Notice(text=f"seed {seed}: run {len(runs) + 1} of {len(seeds)}, in {place.path}"))
            chosen = replace(options, output=place.path, resume=options.resume and place.holds_run)
            result = train(wanted, chosen)
            if options.dry_run or result.was_interrupted:
                break
            if not result.is_main:
                continue
            manifest = result.manifest or read_manifest(place.path)
        else:
            listener(Notice(text=f"seed {seed}: already trained, in {place.path}"))
        step = manifest.training.step if manifest.training is not None else 0
        runs.append(SeedRun(seed=seed, folder=place.path, step=step, metrics=manifest.metrics))
        if is_main:
            _write(SeedRuns(folder=folder, seeds=seeds, runs=runs))
    return SeedRuns(folder=folder, seeds=seeds, runs=runs)


def _check_folder(folder: Path, options: TrainOptions) -> None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir() or begun_seeds(folder) is None:
        raise OutputError(f"{folder} exists and is not the folder of several runs", "give another --output")
    if not (options.resume or options.overwrite or options.dry_run):
        raise OutputError(f"{folder} exists already", GO_ON)


def _finished(folder: RunFolder, wanted: Recipe) -> Manifest | None:
    """The manifest of a run that is finished.

    Raises:
        OptionError: It had other settings.
    """
    if not folder.holds_run or not (folder.path / MANIFEST_NAME).is_file():
        return None
    begun = folder.read()
    check_resumable(begun, replace(begun, recipe=wanted))
    return read_manifest(folder.path)


def _write(runs: SeedRuns) -> None:
    with reporting_disk_errors(runs.folder):
        runs.folder.mkdir(parents=True, exist_ok=True)
        draft = runs.folder / f".{SEEDS_NAME}"
        draft.write_text(runs.to_json(), encoding="utf-8")
        draft.replace(runs.folder / SEEDS_NAME)
