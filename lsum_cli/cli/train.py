"""``lsum train``: the recipe, messages during the run, and what is written besides the checkpoint."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from lsum_cli.cli.flags import only, with_flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.streams import result_stream
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import MissingDependency, OptionError
from lsum_cli.options import Panel, check_options, option
from lsum_cli.training.options import TrainOptions

if TYPE_CHECKING:
    from lsum_cli.rendering.tables import Table
    from lsum_cli.training.events import Report, ValidationReport
    from lsum_cli.training.run import TrainResult
    from lsum_cli.training.settings import Recipe

SAMPLES_NAME = "samples.md"
PICTURE_NAME = "loss.png"
SEEDS_TABLE_NAME = "seeds.md"
_DEFAULT_FOLDER = Path("runs")


@dataclass(frozen=True, kw_only=True)
class RecipeOptions:
    """Which recipe is shown or run, and what overrides it; ``None`` keeps the recipe's value.

    Raises:
        OptionError: ``seeds`` is below 1.
    """

    list_recipes: bool = option(
        False,
        "--list",
        help="List the packaged recipes and what each is for.",
        panel=Panel.RECIPES,
        env=False,
    )
    show_recipe: bool = option(
        False, "--show", help="Print the recipe as YAML, with every key.", panel=Panel.RECIPES, env=False
    )
    assignments: tuple[str, ...] = option(
        (),
        "--set",
        metavar="KEY=VALUE",
        help="Set a key of the recipe, such as training.learning_rate=1e-4; may be given several times.",
        panel=Panel.RECIPES,
        env=False,
        shown_default="",
    )
    train_file: tuple[str, ...] = option(
        (),
        "--train-file",
        metavar="FILE|FOLDER|PATTERN",
        help="Documents with summaries: JSON Lines, JSON, CSV, TSV, Parquet, or a folder of pairs; may be"
        " given several times.",
        panel=Panel.READING,
        env=False,
        shown_default="set by the recipe",
    )
    validation_file: tuple[str, ...] = option(
        (),
        "--validation-file",
        metavar="FILE|FOLDER|PATTERN",
        help="The same for validation.",
        panel=Panel.READING,
        env=False,
        shown_default="a share of the training data is held out",
    )
    max_train_samples: int | None = option(
        None,
        "--max-train-samples",
        help="Maximum number of training examples.",
        panel=Panel.READING,
        env=False,
        shown_default="all",
    )
    max_eval_samples: int | None = option(
        None,
        "--max-eval-samples",
        help="Maximum number of validation examples.",
        panel=Panel.READING,
        env=False,
        shown_default="all",
    )
    base: str | None = option(
        None,
        "--base",
        metavar="NAME|OWNER/NAME[@REVISION]|DIR",
        help="Checkpoint to start from.",
        panel=Panel.MODEL,
        env=False,
        shown_default="set by the recipe; without one, from scratch",
    )
    seed: int | None = option(
        None,
        "--seed",
        help="Seed for initial weights, dropout and the order of the data.",
        panel=Panel.MODEL,
        env=False,
        shown_default="set by the recipe",
    )

    seeds: int | None = option(
        None,
        "--seeds",
        metavar="N",
        help="Train N times, with seeds from the recipe's on, each run in a folder of its own; then show all"
        " scores with mean and standard deviation.",
        panel=Panel.RECIPES,
        env=False,
        shown_default="one run",
        minimum=1,
    )

    def __post_init__(self) -> None:
        check_options(self)

    def values(self, columns: DatasetOptions, *, is_new: bool) -> dict[str, object]:
        """The keys of the recipe that flags set, with their values.

        Args:
            columns: What the columns of the data hold.
            is_new: Whether the recipe was named; otherwise it is that of the run resumed.
        """
        values: dict[str, object] = {
            "data.train_file": _one_or_several(self.train_file),
            "data.validation_file": _one_or_several(self.validation_file),
            "data.text_column": columns.text_column,
            "data.items": columns.items,
            "data.summary_column": columns.summary_column,
            "data.id_column": columns.id_column,
            "data.max_train_samples": self.max_train_samples,
            "data.max_eval_samples": self.max_eval_samples,
            "base": self.base,
            "training.seed": self.seed,
        }
        stated = {key: value for key, value in values.items() if value is not None}
        states_validation = any(each.startswith("data.validation_file") for each in self.assignments)
        if is_new and self.train_file and not self.validation_file and not states_validation:
            # The recipe's own has nothing to do with these data; a share of them is held out.
            stated["data.validation_file"] = None
        return stated


@with_flags
def train(
    recipe_options: RecipeOptions,
    columns: Annotated[DatasetOptions, only("text_column", "items", "summary_column", "id_column")],
    options: TrainOptions,
    messages: Messages,
    recipe: Annotated[
        str | None,
        typer.Argument(
            metavar="RECIPE",
            help="A name from --list, or a YAML file.",
            show_default="that of the run resumed",
        ),
    ] = None,
) -> None:
    """Train a checkpoint on documents with summaries by a recipe, and print the folder of the run.

    [bold]Examples[/bold]

      lsum train --list
      lsum train finetune --train-file papers.jsonl --output runs/papers
      lsum train finetune --base bart-large-cnn --train-file ./papers/ --set training.learning_rate=3e-5
      lsum train finetune --train-file papers.jsonl --seeds 5 --output runs/papers-by-seed
      lsum train --resume --output runs/papers
      torchrun --nproc-per-node 4 -m lsum_cli train pagesum-arxiv-discourse --train-file train.jsonl
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.training.recipes import show_recipe

    if options.output is None and recipe is not None:
        options = replace(options, output=_DEFAULT_FOLDER / Path(recipe).stem)
    with result_stream() as stream:
        if recipe_options.list_recipes:
            _write_recipes(stream)
            return
        values = recipe_options.values(columns, is_new=recipe is not None)
        chosen = find_recipe(recipe, recipe_options, values, options)
        if recipe_options.show_recipe:
            stream.write(show_recipe(chosen))
        elif seeds := find_seeds(recipe_options, chosen, options):
            Training(options, messages).run_seeds(chosen, seeds, stream)
        else:
            Training(options, messages).run(chosen, stream)


def find_seeds(flags: RecipeOptions, recipe: Recipe, options: TrainOptions) -> list[int] | None:
    """The seeds to train with, as asked for or begun in the folder; ``None`` for a single run."""
    from lsum_cli.training.seeds import begun_seeds

    if flags.seeds is not None:
        first = recipe.training.seed
        return list(range(first, first + flags.seeds))
    return begun_seeds(options.folder) if options.resume else None


def find_recipe(
    name: str | None, chosen: RecipeOptions, values: Mapping[str, object], options: TrainOptions
) -> Recipe:
    """The recipe, or that of the run resumed, with everything that overrides it.

    Raises:
        OptionError: There is no such recipe, or a key or value is wrong.
    """
    from lsum_cli.training.folder import RunFolder
    from lsum_cli.training.recipes import load_recipe, override
    from lsum_cli.training.seeds import begun_seeds, seed_folder

    if name is not None:
        return load_recipe(name, chosen.assignments, values)
    if not options.resume:
        raise OptionError("no recipe was named", "give a name from lsum train --list, or a YAML file")
    folder = options.folder
    if seeds := begun_seeds(folder):
        folder = seed_folder(folder, seeds[0])
    return override(RunFolder(folder).read().recipe, chosen.assignments, values)


class Training:
    """Trains by a recipe, reports progress, and says how to use the result."""

    def __init__(self, options: TrainOptions, messages: Messages) -> None:
        self._options, self._messages = options, messages

    def run(self, recipe: Recipe, stream: TextIO) -> None:
        """Train, and print the folder of the run.

        Raises:
            LsumError: As :func:`lsum_cli.training.run.train` says.
            KeyboardInterrupt: The user stopped the run.
        """
        result = self._train(recipe, self._options)
        if result.is_main:
            self._conclude(result, stream)
        if result.was_interrupted:
            raise KeyboardInterrupt

    def run_seeds(self, recipe: Recipe, seeds: Sequence[int], stream: TextIO) -> None:
        """Train once for every seed, and print the folders of the runs.

        Raises:
            LsumError: As :func:`lsum_cli.training.run.train` says.
            KeyboardInterrupt: The user stopped a run.
        """
        from lsum_cli.rendering.training import tabulate_seeds
        from lsum_cli.training.events import Notice
        from lsum_cli.training.seeds import train_seeds

        def listen(report: Report) -> None:
            if isinstance(report, Notice) and os.environ.get("RANK", "0") == "0":
                self._messages.note(report.text)

        done = train_seeds(recipe, self._options, seeds, self._train, listen)
        if self._options.dry_run or os.environ.get("RANK", "0") != "0":
            return
        if not done.is_complete:
            self._messages.note(
                f"{len(done.runs)} of {len(seeds)} runs are finished; continue with:"
                f" lsum train --resume --output {_as_typed(done.folder)}"
            )
            raise KeyboardInterrupt
        for run in done.runs:
            stream.write(f"{run.folder}\n")
        table = tabulate_seeds(done)
        self._write_table(table, done.folder / SEEDS_TABLE_NAME)

    def _write_table(self, table: Table, path: Path) -> None:
        from lsum_cli.rendering.formats import ReportFormat
        from lsum_cli.rendering.tables import write_table
        from lsum_cli.training.folder import reporting_disk_errors

        if not self._messages.quiet:
            write_table(table, sys.stderr, ReportFormat.TEXT)
        text = io.StringIO()
        write_table(table, text, ReportFormat.MARKDOWN)
        with reporting_disk_errors(path):
            path.write_text(text.getvalue(), encoding="utf-8")

    def _train(self, recipe: Recipe, options: TrainOptions) -> TrainResult:
        from lsum_cli.rendering.training import TrainingDisplay
        from lsum_cli.training.events import ValidationReport
        from lsum_cli.training.run import train

        quiet = self._messages.quiet or os.environ.get("RANK", "0") != "0"
        with TrainingDisplay(self._messages.note, quiet=quiet) as display:

            def listen(report: Report) -> None:
                display(report)
                if isinstance(report, ValidationReport):
                    self._write_samples(report, options.folder)

            result = train(recipe, options, listen, display.progress)
        if result.is_main and result.history:
            self._draw(result)
        return result

    def _write_samples(self, report: ValidationReport, folder: Path) -> None:
        """Put the samples of a validation before those of the earlier ones."""
        from lsum_cli.rendering.training import write_samples
        from lsum_cli.training.folder import reporting_disk_errors

        if not report.samples:
            return
        path = folder / SAMPLES_NAME
        with reporting_disk_errors(path):
            earlier = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(write_samples(report, earlier), encoding="utf-8")

    def _conclude(self, result: TrainResult, stream: TextIO) -> None:
        from lsum_cli.checkpoints.values import CheckpointMethod

        folder = _as_typed(result.folder)
        if result.was_interrupted:
            self._messages.note(
                f"saved at step {result.step:,}; continue with: lsum train --resume --output {folder}"
            )
            return
        if result.manifest is None:
            return
        metrics = ", ".join(f"{name} {value:.3f}" for name, value in result.manifest.metrics.items())
        self._messages.note(f"trained {result.step:,} steps; the best checkpoint was saved: {metrics}")
        use = f"lsum summarize paper.pdf -m {folder}"
        if result.manifest.method is CheckpointMethod.TAGGER:
            use = f"lsum train topdown-small … --set model.pooling=ada --set model.tagger={folder}"
        self._messages.note(f"use it with: {use}")
        stream.write(f"{result.folder}\n")

    def _draw(self, result: TrainResult) -> None:
        from lsum_cli.rendering.plots import draw_losses
        from lsum_cli.training.folder import reporting_disk_errors

        path = result.folder / PICTURE_NAME
        try:
            picture = draw_losses(result.history)
        except MissingDependency as error:
            self._messages.warn(f"the loss was not plotted: {error}")
            return
        with reporting_disk_errors(path):
            path.write_bytes(picture)


def _write_recipes(stream: TextIO) -> None:
    """Print the packaged recipes and what each is for."""
    from lsum_cli.training.recipes import describe_recipes, list_recipes

    width = max(len(name) for name in list_recipes())
    for name, description in describe_recipes().items():
        stream.write(f"{name:<{width}}  {description}\n")


def _as_typed(folder: Path) -> str:
    """The folder as one would type it; ``./`` distinguishes it from the name of a checkpoint."""
    try:
        relative = folder.relative_to(Path.cwd())
    except ValueError:
        return str(folder)
    return str(relative) if len(relative.parts) > 1 else f"./{relative}"


def _one_or_several(paths: tuple[str, ...]) -> str | list[str] | None:
    """One path as a string, several as a list, as one would write them in a recipe."""
    return paths[0] if len(paths) == 1 else [*paths] or None
