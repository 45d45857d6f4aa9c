"""The folder of a run: what it was set to, its checkpoints, and the finished one at its root."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.manifest import MANIFEST_NAME, Manifest
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.errors import CheckpointError, OptionError, OutputError
from lsum_cli.training.recipes import decode_recipe, encode_recipe
from lsum_cli.training.settings import Recipe, Schedule

if TYPE_CHECKING:
    from lsum_cli.training.objectives import Objective

RUN_NAME = "run.json"
STATE_NAME = "trainer_state.json"
_NEEDED = (STATE_NAME, "model.safetensors", "optimizer.pt", "scheduler.pt")
# What may change when a run goes on, because no loss so far depends on it.
_FREE = (
    "description",
    "training.logging_steps",
    "training.save_total_limit",
    "training.early_stopping_patience",
    "training.eval_samples",
    "training.dataloader_num_workers",
)
# These too, where the rate does not depend on how long the run will be.
_LENGTH = ("training.num_train_epochs", "training.max_steps")
_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class RunDescription:
    """What a run was set to, written at its beginning, so that it can go on as it began.

    Attributes:
        recipe: Every setting.
        data: By split, the hashes of the files, sorted.
        processes: That train together.
    """

    recipe: Recipe
    data: Mapping[str, list[str]]
    processes: int

    def to_json(self) -> str:
        """Write it as the text of ``run.json``."""
        content = {"recipe": encode_recipe(self.recipe), "data": self.data, "processes": self.processes}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class RunFolder:
    """The folder of a run."""

    path: Path

    def begin(self, description: RunDescription, *, overwrite: bool) -> None:
        """Make the folder for a new run.

        Raises:
            OutputError: There is something in it already, or the disk refuses.
        """
        with disk_trouble(self.path):
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                self._clear(overwrite=overwrite)
            self.path.mkdir(parents=True, exist_ok=True)
        self.describe(description)

    def describe(self, description: RunDescription) -> None:
        """Write what the run is set to.

        Raises:
            OutputError: The disk refuses; what stood there before still does.
        """
        draft = self.path / f".{RUN_NAME}"
        with disk_trouble(self.path):
            draft.write_text(description.to_json(), encoding="utf-8")
            draft.replace(self.path / RUN_NAME)

    def check_new(self, *, overwrite: bool) -> None:
        """Find out before any work is done whether a run may begin here.

        Raises:
            OutputError: It may not.
        """
        if self.path.is_dir() and not any(self.path.iterdir()):
            return
        if self.path.exists() and not (overwrite and (self.path / RUN_NAME).is_file()):
            raise self._occupied(overwrite=overwrite)

    def read(self) -> RunDescription:
        """What the run in the folder was set to.

        Raises:
            OptionError: There is none, or its description is damaged.
        """
        file = self.path / RUN_NAME
        try:
            raw = json.loads(file.read_bytes())
            return RunDescription(
                recipe=decode_recipe(raw["recipe"], str(file)),
                data=dict(raw["data"]),
                processes=int(raw["processes"]),
            )
        except FileNotFoundError as error:
            raise OptionError(
                f"there is no run to resume in {self.path}", "leave out --resume, or give another --output"
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise OptionError(f"{file} is damaged", "begin anew with --overwrite") from error

    def last_checkpoint(self) -> Path | None:
        """The newest checkpoint that was written to its end."""
        found = [path for path in self.path.glob("checkpoint-*") if path.name[11:].isdigit()]
        for path in sorted(found, key=lambda each: -int(each.name[11:])):
            if all((path / name).is_file() for name in _NEEDED) and _is_json(path / STATE_NAME):
                return path
        return None

    def point_to_best(self, checkpoint: Path) -> None:
        """Let a checkpoint's state know where the best one lies now, should the folder have been moved."""
        file = checkpoint / STATE_NAME
        state = json.loads(file.read_bytes())
        best = self.path / f"checkpoint-{state.get('best_global_step')}"
        if best.is_dir() and state.get("best_model_checkpoint") != str(best):
            state["best_model_checkpoint"] = str(best)
            with disk_trouble(file):
                file.write_text(json.dumps(state, indent=2) + "\n", encoding="utf-8")

    def finish(self, objective: Objective, manifest: Manifest) -> Manifest:
        """Save the model at the root, as a checkpoint that ``summarize`` takes.

        Raises:
            OutputError: The disk refuses.
        """
        draft = self.path / ".finished"
        try:
            with disk_trouble(self.path):
                shutil.rmtree(draft, ignore_errors=True)
                manifest = save_checkpoint(draft, objective.model, objective.tokenizer, manifest)
                # Without a manifest the root is no checkpoint; so it is one only when all has arrived.
                (self.path / MANIFEST_NAME).unlink(missing_ok=True)
                for file in sorted(draft.iterdir(), key=lambda each: each.name == MANIFEST_NAME):
                    file.replace(self.path / file.name)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return manifest

    def _clear(self, *, overwrite: bool) -> None:
        # Nothing but a run is ever deleted, whatever --output says.
        if not overwrite or not (self.path / RUN_NAME).is_file():
            raise self._occupied(overwrite=overwrite)
        shutil.rmtree(self.path)

    def _occupied(self, *, overwrite: bool) -> OutputError:
        if overwrite:
            return OutputError(f"{self.path} holds something else than a run", "give another --output")
        advice = "give --resume to go on with it, --overwrite to begin anew, or another --output"
        if not (self.path / RUN_NAME).is_file():
            advice = "give another --output"
        return OutputError(f"{self.path} exists already", advice)


def check_resumable(begun: RunDescription, wished: RunDescription) -> None:
    """Refuse to go on with other settings or data than a run began with.

    Raises:
        OptionError: Something differs; names it.
    """
    before, now = flatten(encode_recipe(begun.recipe)), flatten(encode_recipe(wished.recipe))
    free = set(_FREE)
    if wished.recipe.training.lr_scheduler_type not in (Schedule.LINEAR, Schedule.COSINE):
        free |= set(_LENGTH)
    # The files themselves are compared by content: they may have been moved.
    free |= {"data.train_file", "data.validation_file"}
    changed = [
        f"{key} was {before.get(key)}, is {now.get(key)}"
        for key in sorted(before.keys() | now.keys())
        if key not in free and before.get(key) != now.get(key)
    ]
    changed += [
        f"the content of the {split} data is another"
        for split in sorted(begun.data.keys() | wished.data.keys())
        if begun.data.get(split) != wished.data.get(split)
    ]
    if begun.processes != wished.processes:
        changed.append(f"{begun.processes} processes were training, now {wished.processes}")
    if changed:
        listed = "; ".join(changed[:_SHOWN]) + ("; …" if len(changed) > _SHOWN else "")
        raise OptionError(
            f"the run cannot go on with other settings: {listed}",
            "resume it with those it began with, or begin anew in another --output",
        )


def flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """``{"training": {"seed": 0}}`` becomes ``{"training.seed": "0"}``; what is not set is left out."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        elif value is not None:
            flat[f"{prefix}{key}"] = value if isinstance(value, str) else json.dumps(value)
    return flat


@contextmanager
def disk_trouble(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into one line.

    Raises:
        OutputError: It refuses.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(
            f"{path} cannot be written: {reason}", "make room, or give another --output"
        ) from error
    except CheckpointError as error:
        raise OutputError(error.what, "make room, or give another --output") from error


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return True
