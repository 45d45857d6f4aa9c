"""Run options of ``lsum train``: those that do not change the loss."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lsum_cli.errors import OptionError
from lsum_cli.options import Panel, device_option, offline_option, option


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """Where and how a recipe is run; none of this changes the loss.

    Attributes:
        output: The folder of the run; :func:`lsum_cli.training.run.train` needs one.
        overwrite: Start afresh where the folder holds a run.
        report_to: Where the ``Trainer`` reports to, such as ``"tensorboard"``; ``None`` for TensorBoard
            where it is installed.
        dry_run: Stop before the first step, and write nothing into the folder.

    Raises:
        OptionError: ``resume`` and ``overwrite`` together.
    """

    output: Path | None = option(
        None,
        "-o",
        "--output",
        metavar="FOLDER",
        help="Folder of the run; it becomes a checkpoint when training ends.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="runs/ and the recipe's name",
    )
    resume: bool = option(
        False, "--resume", help="Continue the run in the folder.", panel=Panel.RUNNING, env=False
    )
    overwrite: bool = option(
        False,
        "--overwrite",
        help="Start over if the folder already holds a run.",
        panel=Panel.RUNNING,
        env=False,
    )
    report_to: tuple[str, ...] | None = option(
        None,
        "--report-to",
        metavar="tensorboard|wandb|mlflow|…|none",
        help="Service that losses are reported to as well; may be given several times.",
        panel=Panel.RUNNING,
        shown_default="tensorboard, where it is installed",
    )
    device: str = device_option("Device that the model is trained on.", "auto|cpu|cuda|mps")
    offline: bool = offline_option()
    dry_run: bool = option(
        False,
        "--dry-run",
        help="Read the data and build the model, then show what would be done.",
        panel=Panel.RUNNING,
        env=False,
    )

    def __post_init__(self) -> None:
        if self.resume and self.overwrite:
            raise OptionError("--resume and --overwrite exclude each other", "give one of them")

    @property
    def folder(self) -> Path:
        """The folder of the run.

        Raises:
            OptionError: No folder was given.
        """
        if self.output is None:
            raise OptionError("no output folder was given for the run", "name one with --output")
        return self.output
