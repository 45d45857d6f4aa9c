"""The flags of ``lsum train``, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lsum_cli.cli.flag import MODEL, OUTPUT, READING, RUNNING, flag

RECIPES = "Recipes"

Recipe = Annotated[
    str | None,
    typer.Argument(
        metavar="RECIPE", help="A name of --list, or a YAML file.", show_default="that of the run resumed"
    ),
]
List = Annotated[
    bool, flag("--list", help="Print the packaged recipes and what each is for.", panel=RECIPES, env=False)
]
Show = Annotated[
    bool, flag("--show", help="Print the recipe as YAML, with every key.", panel=RECIPES, env=False)
]
Set = Annotated[
    list[str] | None,
    flag(
        "--set",
        metavar="KEY=VALUE",
        help="Set a key of the recipe, such as training.learning_rate=1e-4; may be given several times.",
        panel=RECIPES,
        env=False,
        show_default=False,
    ),
]
TrainFile = Annotated[
    list[str] | None,
    flag(
        "--train-file",
        metavar="FILE|FOLDER|PATTERN",
        help="Documents with summaries: JSON Lines, JSON, CSV, TSV, Parquet, or a folder of pairs;"
        " may be given several times.",
        panel=READING,
        env=False,
        show_default="the recipe's",
    ),
]
ValidationFile = Annotated[
    list[str] | None,
    flag(
        "--validation-file",
        metavar="FILE|FOLDER|PATTERN",
        help="Likewise, to validate with.",
        panel=READING,
        env=False,
        show_default="a share of the training file is held out",
    ),
]
TextColumn = Annotated[
    str | None,
    flag(
        "--text-column",
        help="The column with the documents.",
        panel=READING,
        env=False,
        show_default="that of a known corpus",
    ),
]
SummaryColumn = Annotated[
    str | None,
    flag(
        "--summary-column",
        help="The column with the summaries.",
        panel=READING,
        env=False,
        show_default="that of a known corpus",
    ),
]
IdColumn = Annotated[
    str | None,
    flag(
        "--id-column",
        help="The column with the ids; - numbers the records.",
        panel=READING,
        env=False,
        show_default="that of a known corpus",
    ),
]
MaxTrainSamples = Annotated[
    int | None,
    flag(
        "--max-train-samples",
        help="At most so many training examples.",
        panel=READING,
        env=False,
        show_default="all",
    ),
]
MaxEvalSamples = Annotated[
    int | None,
    flag(
        "--max-eval-samples",
        help="At most so many validation examples.",
        panel=READING,
        env=False,
        show_default="all",
    ),
]
Base = Annotated[
    str | None,
    flag(
        "--base",
        metavar="NAME|OWNER/NAME[@REVISION]|DIR",
        help="The checkpoint to start from.",
        panel=MODEL,
        env=False,
        show_default="the recipe's; none trains from scratch",
    ),
]
Device = Annotated[
    str, flag("--device", metavar="auto|cpu|cuda|mps", help="Where the model is trained.", panel=MODEL)
]
Seed = Annotated[
    int | None,
    flag(
        "--seed",
        help="Of new weights, dropout and the order of the data.",
        panel=MODEL,
        env=False,
        show_default="the recipe's",
    ),
]
Output = Annotated[
    Path | None,
    flag(
        "-o",
        "--output",
        metavar="FOLDER",
        help="The folder of the run; in the end a checkpoint.",
        panel=OUTPUT,
        env=False,
        show_default="runs/ and the recipe's name",
    ),
]
Resume = Annotated[bool, flag("--resume", help="Go on with the run in the folder.", panel=RUNNING, env=False)]
Overwrite = Annotated[
    bool, flag("--overwrite", help="Begin anew where a run is in the folder.", panel=RUNNING, env=False)
]
DryRun = Annotated[
    bool,
    flag(
        "--dry-run",
        help="Read the data and build the model; say what would be done.",
        panel=RUNNING,
        env=False,
    ),
]
ReportTo = Annotated[
    list[str] | None,
    flag(
        "--report-to",
        metavar="tensorboard|wandb|mlflow|…|none",
        help="Where losses are reported to besides; may be given several times.",
        panel=RUNNING,
        show_default="tensorboard, where it is installed",
    ),
]
