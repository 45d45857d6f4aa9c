"""The folder of a run: its settings, its checkpoints, and the finished checkpoint at its root."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import CheckpointError, OptionError, OutputError
from lsum_cli.machine.storage import CLAIM_FILES, FolderClaim, FolderInUse
from lsum_cli.training.lora import merged
from lsum_cli.training.recipes import decode_recipe, encode_recipe
from lsum_cli.training.settings import Recipe, Schedule

if TYPE_CHECKING:
    from lsum_cli.training.objectives import Objective

RUN_NAME = "run.json"
# What may be done where a folder holds a run already.
GO_ON = "give --resume to continue it, --overwrite to start again, or another --output"
STATE_NAME = "trainer_state.json"
_NEEDED = (STATE_NAME, "model.safetensors", "optimizer.pt", "scheduler.pt")
# Settings that may change on resuming, because no loss so far depends on them.
_FREE = (
    "description",
    "training.logging_steps",
    "training.save_total_limit",
    "training.early_stopping_patience",
    "training.eval_samples",
    "training.dataloader_num_workers",
)
# These too, if the learning rate does not depend on the length of the run.
_LENGTH = ("training.num_train_epochs", "training.max_steps")
_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class RunDescription:
    """Settings of a run, written at its start, so that it can be resumed with the same.

    Attributes:
        recipe: Every setting.
        data: Sorted hashes of the files, by split.
        processes: Number of processes that train together.
        files: Hash of every file by its path, by split.
        sessions: What the run was trained with, as :class:`lsum_cli.training.environment.Environment`: a
            record for its start, and for each time that it was resumed.
    """

    recipe: Recipe
    data: Mapping[str, list[str]]
    processes: int
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sessions: Sequence[Mapping[str, Any]] = ()

    def to_json(self) -> str:
        """The text of ``run.json``."""
        content = {
            "recipe": encode_recipe(self.recipe),
            "data": self.data,
            "processes": self.processes,
            "files": self.files,
            "sessions": list(self.sessions),
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class RunFolder:
    """The folder of a run."""

    path: Path

    @cached_property
    def claim(self) -> FolderClaim:
        """The claim of this process to the folder, to be closed at the end."""
        return FolderClaim(self.path)

    @property
    def holds_run(self) -> bool:
        """Whether a run was begun in it."""
        return (self.path / RUN_NAME).is_file()

    def take(self) -> None:
        """Claim the folder for this process.

        Raises:
            OutputError: Another process trains in it, or it cannot be written.
        """
        try:
            with reporting_disk_errors(self.path):
                self.claim.take()
        except FolderInUse as error:
            raise OutputError(
                f"a run is being trained in {self.path}, by {error.holder}",
                "wait until it ends, stop it with Ctrl-C or kill, or give another --output",
            ) from error

    def begin(self, description: RunDescription, *, overwrite: bool) -> None:
        """Make the folder for a new run, and claim it.

        Raises:
            OutputError: The folder is not empty, is in use, or cannot be written.
        """
        with reporting_disk_errors(self.path):
            if self.path.exists() and not self.path.is_dir():
                raise self._occupied(overwrite=overwrite)
            self.path.mkdir(parents=True, exist_ok=True)
        self.take()
        with reporting_disk_errors(self.path):
            if self._content():
                self._clear(overwrite=overwrite)
        self.describe(description)

    def describe(self, description: RunDescription) -> None:
        """Write the settings of the run.

        Raises:
            OutputError: It cannot be written; the old content is still there.
        """
        draft = self.path / f".{RUN_NAME}"
        with reporting_disk_errors(self.path):
            draft.write_text(description.to_json(), encoding="utf-8")
            draft.replace(self.path / RUN_NAME)

    def check_new(self, *, overwrite: bool) -> None:
        """Check before any work is done that a run may start here.

        Raises:
            OutputError: The folder holds something else.
        """
        if self.path.is_dir() and not self._content():
            return
        if self.path.exists() and not (overwrite and self.holds_run):
            raise self._occupied(overwrite=overwrite)

    def read(self) -> RunDescription:
        """Settings of the run in the folder.

        Raises:
            OptionError: There is no run, or its description is damaged.
        """
        file = self.path / RUN_NAME
        try:
            raw = json.loads(file.read_bytes())
            return RunDescription(
                recipe=decode_recipe(raw["recipe"], str(file)),
                data=dict(raw["data"]),
                processes=int(raw["processes"]),
                files=dict(raw.get("files", {})),
                sessions=tuple(raw.get("sessions", ())),
            )
        except FileNotFoundError as error:
            raise OptionError(
                f"there is no run to resume in {self.path}", "leave out --resume, or give another --output"
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise OptionError(f"{file} is damaged", "start again with --overwrite") from error

    def last_checkpoint(self) -> Path | None:
        """The newest complete checkpoint."""
        found = [path for path in self.path.glob("checkpoint-*") if path.name[11:].isdigit()]
        for path in sorted(found, key=lambda each: -int(each.name[11:])):
            if all((path / name).is_file() for name in _NEEDED) and _is_json(path / STATE_NAME):
                return path
        return None

    def point_to_best(self, checkpoint: Path) -> None:
        """Update the path of the best checkpoint in a state, in case the folder was moved."""
        file = checkpoint / STATE_NAME
        state = json.loads(file.read_bytes())
        best = self.path / f"checkpoint-{state.get('best_global_step')}"
        if best.is_dir() and state.get("best_model_checkpoint") != str(best):
            state["best_model_checkpoint"] = str(best)
            with reporting_disk_errors(file):
                file.write_text(json.dumps(state, indent=2) + "\n", encoding="utf-8")

    def finish(self, objective: Objective, manifest: Manifest) -> Manifest:
        """Save the model at the root, as a checkpoint that ``summarize`` can use.

        Raises:
            OutputError: It cannot be written.
        """
        draft = self.path / ".finished"
        try:
            with reporting_disk_errors(self.path):
                shutil.rmtree(draft, ignore_errors=True)
                manifest = save_checkpoint(draft, merged(objective.model), objective.tokenizer, manifest)
                # The manifest comes last: without it the root is not a checkpoint.
                (self.path / MANIFEST_NAME).unlink(missing_ok=True)
                for file in sorted(draft.iterdir(), key=lambda each: each.name == MANIFEST_NAME):
                    file.replace(self.path / file.name)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return manifest

    def _clear(self, *, overwrite: bool) -> None:
        # Never delete anything but a run, regardless of --output.
        if not overwrite or not self.holds_run:
            raise self._occupied(overwrite=overwrite)
        for path in self._content():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()

    def _content(self) -> list[Path]:
        """What lies in the folder beside the claim to it."""
        return [path for path in self.path.iterdir() if path.name not in CLAIM_FILES]

    def _occupied(self, *, overwrite: bool) -> OutputError:
        if overwrite:
            return OutputError(f"{self.path} exists and is not the folder of a run", "give another --output")
        return OutputError(
            f"{self.path} exists already", GO_ON if self.holds_run else "give another --output"
        )


def check_resumable(begun: RunDescription, requested: RunDescription) -> None:
    """Refuse to resume a run with different settings or data.

    Raises:
        OptionError: Something differs; the message names it.
    """
    before, now = flatten(encode_recipe(begun.recipe)), flatten(encode_recipe(requested.recipe))
    free = set(_FREE)
    if requested.recipe.training.lr_scheduler_type not in (Schedule.LINEAR, Schedule.COSINE):
        free |= set(_LENGTH)
    # Files are compared by content: they may have been moved.
    free |= {"data.train_file", "data.validation_file"}
    changed = [
        f"{key} was {before.get(key)}, is {now.get(key)}"
        for key in sorted(before.keys() | now.keys())
        if key not in free and before.get(key) != now.get(key)
    ]
    changed += [
        f"the content of the {split} data has changed"
        for split in sorted(begun.data.keys() | requested.data.keys())
        if begun.data.get(split) != requested.data.get(split)
    ]
    if begun.processes != requested.processes:
        changed.append(f"{begun.processes} processes before, {requested.processes} now")
    if changed:
        listed = "; ".join(changed[:_SHOWN]) + ("; …" if len(changed) > _SHOWN else "")
        raise OptionError(
            f"the run cannot be resumed with different settings: {listed}",
            "resume it with its original settings, or start again in another --output",
        )


def flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """``{"training": {"seed": 0}}`` becomes ``{"training.seed": "0"}``; unset values are left out."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        elif value is not None:
            flat[f"{prefix}{key}"] = value if isinstance(value, str) else json.dumps(value)
    return flat


@contextmanager
def reporting_disk_errors(path: Path) -> Iterator[None]:
    """Turn file system errors into an :class:`OutputError`.

    Raises:
        OutputError: A file cannot be written.
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
