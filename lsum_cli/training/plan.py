"""The plan of a run: its folder, data and base checkpoint; made without torch."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.datasets.dataset import Dataset, hold_out, open_dataset, sample_evenly
from lsum_cli.errors import OptionError
from lsum_cli.training.events import Notice, TrainingListener
from lsum_cli.training.folder import RunDescription, RunFolder, check_resumable
from lsum_cli.training.gap_sentences import cut_gaps
from lsum_cli.training.lora import check_lora
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.settings import Recipe


@dataclass(frozen=True, kw_only=True)
class RunPlan:
    """A run that can start or resume: its folder, its data, and its base checkpoint.

    Attributes:
        checkpoint: The run's own checkpoint to resume from.
        base: The checkpoint the model is built from; when resuming, the run's own.
        sessions: What the run was trained with so far, a record each time that it was started.
    """

    folder: RunFolder
    train: Dataset
    validation: Dataset
    description: RunDescription
    checkpoint: Path | None
    base: Path | None
    sessions: Sequence[Mapping[str, Any]] = ()

    @property
    def resumed_step(self) -> int:
        """The step to resume from."""
        return 0 if self.checkpoint is None else int(self.checkpoint.name.split("-")[1])

    @classmethod
    def of(
        cls, folder: RunFolder, recipe: Recipe, options: TrainOptions, listener: TrainingListener
    ) -> RunPlan:
        """Check everything a run needs; the main process claims the folder if it holds a run.

        Raises:
            OptionError: No data are given, or a run cannot be resumed with these settings.
            DatasetError: The data do not exist.
            CheckpointError: The base checkpoint is not installed.
            OutputError: The folder is not empty, or another process trains in it.
        """
        begun = folder.read() if options.resume else None
        if not options.dry_run and _environment_number("RANK", 0) == 0:
            if folder.holds_run:
                folder.take()
            if begun is None:
                folder.check_new(overwrite=options.overwrite)
        check_lora(recipe)
        train_data, validation_data = _open_splits(recipe)
        base = _resolve_base(recipe, offline=options.offline)
        hashes = {"train": train_data.hashes, "validation": validation_data.hashes}
        description = RunDescription(
            recipe=recipe,
            data={split: sorted(each.values()) for split, each in hashes.items()},
            processes=_environment_number("WORLD_SIZE", 1),
        )
        checkpoint = None
        if begun is not None:
            check_resumable(begun, description)
            checkpoint = folder.last_checkpoint()
            if checkpoint is None:
                listener(Notice(text=f"{folder.path} has no checkpoint yet: starting from the beginning"))
        return cls(
            folder=folder,
            train=train_data,
            validation=validation_data,
            description=description,
            checkpoint=checkpoint,
            # Adapted weights are put into the base itself.
            base=base if recipe.training.lora.rank else checkpoint or base,
            sessions=() if begun is None else begun.sessions,
        )


def _open_splits(recipe: Recipe) -> tuple[Dataset, Dataset]:
    """Training and validation data, with gap sentences if the recipe asks for them."""
    train, validation = _open_files(recipe)
    gaps, seed = recipe.data.gap_sentences, recipe.training.seed
    if not gaps.share:
        return train, validation
    return cut_gaps(train, gaps, seed), cut_gaps(validation, replace(gaps, variants=1), seed)


def _open_files(recipe: Recipe) -> tuple[Dataset, Dataset]:
    """The data of two files, or of one with a part held out; limits sample evenly."""
    data = recipe.data
    if not data.train_file:
        raise OptionError("no training data were given", "give --train-file, a file or folder")
    train = open_dataset(data.train_file, data.options(None))
    # Wrong columns are said before anything large is hashed, imported or loaded.
    train.check()
    if data.validation_file:
        validation = open_dataset(data.validation_file, data.options(None))
        validation.check()
    else:
        train, validation = hold_out(train, data.validation_share)
    gaps = data.gap_sentences
    variants = gaps.variants if gaps.share else 1
    return _limit(train, data.max_train_samples, variants), _limit(validation, data.max_eval_samples)


def _limit(dataset: Dataset, most: int | None, variants: int = 1) -> Dataset:
    """At most ``most`` examples, sampled evenly from the data set.

    Args:
        variants: Examples made from each record; the number of records is divided by it.
    """
    if most is None:
        return dataset
    chosen = sample_evenly(dataset, math.ceil(most / variants))
    # One record may have several summaries.
    return replace(chosen, options=replace(chosen.options, limit=most))


def _resolve_base(recipe: Recipe, *, offline: bool) -> Path | None:
    return None if recipe.base is None else resolve_checkpoint(recipe.base, offline=offline)


def _environment_number(name: str, default: int) -> int:
    """A number that ``torchrun`` or ``accelerate launch`` sets in the environment of each process."""
    value = os.environ.get(name, "")
    return int(value) if value.isdecimal() else default
