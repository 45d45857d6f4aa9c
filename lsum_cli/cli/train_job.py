"""One run of ``lsum train``: which recipe, what is said meanwhile, and what is written besides."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TextIO

from lsum_cli.checkpoints.manifest import CheckpointMethod
from lsum_cli.cli.messages import Messages
from lsum_cli.errors import MissingDependency, OptionError
from lsum_cli.rendering.training import TrainingDisplay, draw_losses, write_samples
from lsum_cli.training.events import Report, ValidationReport
from lsum_cli.training.folder import RunFolder, disk_trouble
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.recipes import list_recipes, load_recipe, override, show_recipe
from lsum_cli.training.run import TrainResult, train
from lsum_cli.training.settings import Recipe

SAMPLES_NAME = "samples.md"
PICTURE_NAME = "loss.png"
_DEFAULT_FOLDER = Path("runs")


class TrainJob:
    """Finds the recipe, trains by it, and tells how to use what came of it.

    Args:
        recipe: A name or a file; ``None`` for that of the run resumed.
        assignments: ``key=value``, each over the recipe.
        values: Keys and values of flags, over all else.
        output: The folder of the run; ``None`` for one named after the recipe.
    """

    def __init__(
        self,
        *,
        recipe: str | None,
        assignments: Sequence[str],
        values: Mapping[str, object],
        output: Path | None,
        resume: bool,
        overwrite: bool,
        dry_run: bool,
        report_to: tuple[str, ...] | None,
        device: str,
        offline: bool,
        messages: Messages,
    ) -> None:
        self._name, self._assignments, self._values = recipe, assignments, values
        self._output, self._messages = output, messages
        self._resume, self._overwrite, self._dry_run = resume, overwrite, dry_run
        self._report_to, self._device, self._offline = report_to, device, offline

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe with all that was set over it.

        Raises:
            OptionError: There is no such recipe, or a key or value is wrong.
        """
        if self._name is not None:
            return load_recipe(self._name, self._assignments, self._values)
        if not self._resume:
            raise OptionError("no recipe was named", "give a name of lsum train --list, or a YAML file")
        return override(RunFolder(self._folder).read().recipe, self._assignments, self._values)

    def run(self, stream: TextIO) -> None:
        """Train, and print the folder of the run.

        Raises:
            LsumError: As :func:`lsum_cli.training.run.train` says.
            KeyboardInterrupt: The user stopped the run.
        """
        recipe = self.recipe
        is_main = os.environ.get("RANK", "0") == "0"
        options = TrainOptions(
            output=self._folder,
            resume=self._resume,
            overwrite=self._overwrite,
            report_to=self._report_to,
            device=self._device,
            offline=self._offline,
            dry_run=self._dry_run,
        )
        quiet = self._messages.quiet or not is_main
        with TrainingDisplay(self._messages.note, quiet=quiet) as display:

            def listen(report: Report) -> None:
                display(report)
                if isinstance(report, ValidationReport):
                    self._keep(report)

            result = train(recipe, options, listen, display.progress)
        if result.is_main:
            self._conclude(result, stream)
        if result.was_interrupted:
            raise KeyboardInterrupt

    @property
    def _folder(self) -> Path:
        if self._output is not None:
            return self._output
        if self._name is None:
            raise OptionError("no folder was named to resume", "name that of the run with --output")
        return _DEFAULT_FOLDER / Path(self._name).stem

    def _keep(self, report: ValidationReport) -> None:
        """Put the samples of a validation before those of the earlier ones."""
        if not report.samples:
            return
        path = self._folder / SAMPLES_NAME
        with disk_trouble(path):
            earlier = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(write_samples(report, earlier), encoding="utf-8")

    def _conclude(self, result: TrainResult, stream: TextIO) -> None:
        folder = self._shown(result.folder)
        if result.history:
            self._draw(result)
        if result.was_interrupted:
            self._messages.note(
                f"saved at step {result.step:,}; go on with: lsum train --resume --output {folder}"
            )
            return
        if result.manifest is None:
            return
        metrics = ", ".join(f"{name} {value:.3f}" for name, value in result.manifest.metrics.items())
        self._messages.note(f"trained {result.step:,} steps; the best checkpoint is kept: {metrics}")
        use = f"lsum summarize paper.pdf -m {folder}"
        if result.manifest.method is CheckpointMethod.TAGGER:
            use = f"lsum train topdown-small … --set model.pooling=ada --set model.tagger={folder}"
        self._messages.note(f"use it with: {use}")
        stream.write(f"{result.folder}\n")

    def _shown(self, folder: Path) -> str:
        """The folder as one types it; ``./`` tells it from the name of a checkpoint."""
        try:
            relative = folder.relative_to(Path.cwd())
        except ValueError:
            return str(folder)
        return str(relative) if len(relative.parts) > 1 else f"./{relative}"

    def _draw(self, result: TrainResult) -> None:
        path = result.folder / PICTURE_NAME
        try:
            picture = draw_losses(result.history)
        except MissingDependency as error:
            self._messages.warn(f"no picture of the loss: {error}")
            return
        with disk_trouble(path):
            path.write_bytes(picture)


def write_recipes(stream: TextIO) -> None:
    """Print the packaged recipes and what each is for."""
    from lsum_cli.training.recipes import describe_recipes

    described = describe_recipes()
    width = max(len(name) for name in list_recipes())
    for name, description in described.items():
        stream.write(f"{name:<{width}}  {description}\n")


def write_recipe(recipe: Recipe, stream: TextIO) -> None:
    """Print a recipe as YAML, with every key."""
    stream.write(show_recipe(recipe))
