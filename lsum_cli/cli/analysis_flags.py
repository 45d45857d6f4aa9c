"""The flags of the papers' analyses under ``lsum eval``, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from lsum_cli.cli.flag import OUTPUT, READING, flag

ANALYSIS = "Analysis"

Summaries = Annotated[
    list[Path] | None,
    flag(
        "--predictions",
        metavar="FILE",
        help="Summaries by a system, one per example, to set beside the references; repeatable.",
        panel=READING,
        env=False,
        show_default=False,
    ),
]
Embeddings = Annotated[
    str | None,
    flag(
        "--embeddings",
        metavar="OWNER/NAME|DIR",
        help="Compare sentences by the embeddings of this encoder of the hub.",
        panel=ANALYSIS,
        env=False,
        show_default="TF-IDF, without a model",
    ),
]
MaxDistance = Annotated[
    int, flag("--max-distance", help="The greatest distance, in sentences.", panel=ANALYSIS, env=False)
]
ExampleChoice = Annotated[
    str,
    flag(
        "--example",
        metavar="NUMBER|ID",
        help="Which example to look at: its place in the data, from 1, or its id.",
        panel=ANALYSIS,
        env=False,
    ),
]
Setting = Annotated[
    str,
    flag(
        "--setting",
        metavar="NAME",
        help="What to vary: a flag of lsum summarize (page-tokens, beams, …), or what the checkpoint keeps"
        " in its config.json (decoding, attention_window, …).",
        panel=ANALYSIS,
        env=False,
        show_default=False,
    ),
]
Values = Annotated[
    str,
    flag(
        "--values",
        metavar="A,B,…",
        help="The values it takes, in the order to be shown.",
        panel=ANALYSIS,
        env=False,
        show_default=False,
    ),
]
PictureName = Annotated[
    Path | None,
    flag(
        "-o",
        "--output",
        metavar="NAME",
        help="Where to write NAME.png, NAME.svg and NAME.csv.",
        panel=OUTPUT,
        env=False,
        show_default="the name of the analysis",
    ),
]
