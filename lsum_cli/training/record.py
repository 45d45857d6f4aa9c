"""What a finished run says of itself: scores of the weights that were kept, and the manifest."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from typing import Any

from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind, TrainingData, TrainingRecord
from lsum_cli.datasets.features import FeatureStore
from lsum_cli.training.folder import flatten
from lsum_cli.training.objective import Objective
from lsum_cli.training.plan import RunPlan
from lsum_cli.training.recipes import encode_recipe
from lsum_cli.training.settings import Recipe
from lsum_cli.version import __version__

_LIBRARIES = ("torch", "transformers", "accelerate", "tokenizers", "numpy")


def describe_run(
    recipe: Recipe,
    plan: RunPlan,
    objective: Objective,
    stores: Mapping[str, FeatureStore],
    state: Any,
    best: Mapping[str, float],
) -> Manifest:
    """The manifest of the checkpoint at the root of the run's folder.

    Args:
        stores: The examples that were used, by split.
        state: Of the ``Trainer``.
        best: Scores of the weights that were kept, as :func:`best_metrics` finds them.
    """
    step = state.best_global_step or state.global_step
    epoch = next((e["epoch"] for e in state.log_history if e["step"] == step), state.epoch or 0.0)
    record = TrainingRecord(
        recipe=flatten(encode_recipe(recipe)),
        data=tuple(
            TrainingData(
                split=split,
                name=dataset.name,
                examples=len(stores[split]),
                fingerprint=dataset.fingerprint,
                files=dataset.hashes,
            )
            for split, dataset in (("train", plan.train), ("validation", plan.validation))
        ),
        step=step,
        epoch=float(epoch),
        processes=plan.description.processes,
        versions=_versions(),
    )
    return replace(
        objective.manifest(plan.folder.path.name),
        base=recipe.base,
        origin=Origin(kind=OriginKind.TRAINING, source=plan.train.name),
        metrics={name.replace("eval_", "validation_"): value for name, value in best.items()},
        training=record,
    )


def best_metrics(state: Any) -> dict[str, float]:
    """What validation found at the step whose weights were kept."""
    entries = [entry for entry in state.log_history if "eval_loss" in entry]
    kept = [entry for entry in entries if entry["step"] == state.best_global_step] or entries[-1:]
    return {
        name: float(value)
        for entry in kept[-1:]
        for name, value in entry.items()
        if name.startswith("eval_") and name != "eval_runtime"
    }


def _versions() -> dict[str, str]:
    found = {"lsum": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
