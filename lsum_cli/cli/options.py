"""Every flag, declared once; its default is that of the dataclass it fills."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

import lsum_cli.datasets.options as datasets
import lsum_cli.locality as locality
from lsum_cli.cli.flag import MODEL, OUTPUT, READING, RUNNING, SUMMARY, flag
from lsum_cli.reading.registry import USUAL_SUFFIXES
from lsum_cli.rendering import formats


class LocalityFlag(enum.StrEnum):
    """``--locality``."""

    AUTO = "auto"
    SPATIAL = "spatial"
    DISCOURSE = "discourse"
    DOCUMENT = "document"

    @property
    def locality(self) -> locality.Locality | None:
        """The locality meant; ``None`` for ``auto``."""
        return None if self is LocalityFlag.AUTO else locality.Locality(self.value)


class DtypeFlag(enum.StrEnum):
    """``--dtype``."""

    AUTO = "auto"
    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"
    INT8 = "int8"


class PoolingFlag(enum.StrEnum):
    """``--pooling``."""

    AVG = "avg"
    ADA = "ada"
    ORACLE = "oracle"


class WindowingFlag(enum.StrEnum):
    """``--windowing``."""

    DYNAMIC = "dynamic"
    STATIC = "static"


Items = Annotated[
    datasets.Items | None,
    flag(
        "--items",
        help="What the items of a list in the text column are.",
        panel=READING,
        env=False,
        show_default="told from their shape",
    ),
]
Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help=f"{USUAL_SUFFIXES}, a URL, a folder, or - for standard input.",
        show_default=False,
    ),
]
Multi = Annotated[
    bool, flag("--multi", help="One summary of all sources together.", panel=SUMMARY, env=False)
]
Each = Annotated[
    bool,
    flag("--each", help="One summary per source (the default for several).", panel=SUMMARY, env=False),
]
Method = Annotated[
    str,
    flag(
        "--method",
        metavar="auto|extract|pagesum|topdown|windowing|seq2seq|book",
        help="auto is the checkpoint's method, or the best one installed.",
        panel=SUMMARY,
    ),
]
Model = Annotated[
    str | None,
    flag(
        "-m",
        "--model",
        metavar="NAME|OWNER/NAME[@REVISION]|DIR",
        help="The checkpoint that writes the summary.",
        panel=MODEL,
        show_default="the best one installed",
    ),
]
Locality = Annotated[
    LocalityFlag,
    flag(
        "--locality",
        help="What the sentences of a page have in common: neighbourhood, section, or document.",
        panel=SUMMARY,
    ),
]
Length = Annotated[
    str | None,
    flag(
        "--length",
        metavar="short|medium|long|WORDS",
        help="Length of the summary.",
        panel=SUMMARY,
        show_default="the checkpoint's own, or medium",
    ),
]
MinTokens = Annotated[
    int | None,
    flag(
        "--min-tokens",
        help="Tokens of the summary at least; goes before --length.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
MaxTokens = Annotated[
    int | None,
    flag(
        "--max-tokens",
        help="Tokens of the summary at most; goes before --length.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
Beams = Annotated[
    int | None,
    flag(
        "--beams",
        help="Width of the beam search; 1 is greedy and fastest.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
LengthPenalty = Annotated[
    float | None,
    flag(
        "--length-penalty",
        help="More makes longer summaries; scores are divided by length to this power.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
NoRepeatNgram = Annotated[
    int | None,
    flag(
        "--no-repeat-ngram",
        help="No run of so many tokens comes twice; 0 allows all.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
CoveragePenalty = Annotated[
    float | None,
    flag(
        "--coverage-penalty",
        help="Windowing: how much a summary loses for reading the same words again; 0 is off.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
Pooling = Annotated[
    PoolingFlag | None,
    flag(
        "--pooling",
        help="Top-Down: segments weigh their tokens alike, by the importance tagger, or by the reference"
        " (lsum eval alone).",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
ChapterModel = Annotated[
    str | None,
    flag(
        "--chapter-model",
        metavar="NAME|OWNER/NAME[@REVISION]|DIR",
        help="Books: the checkpoint that summarises the chapters.",
        panel=MODEL,
        show_default="that of the book",
    ),
]
ShowChapters = Annotated[
    bool, flag("--show-chapters", help="Books: write the summaries of the chapters too.", panel=OUTPUT)
]
Windowing = Annotated[
    WindowingFlag | None,
    flag(
        "--windowing",
        help="Windowing: whether the model moves its window itself, or lengths fixed beforehand do.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
Window = Annotated[
    int | None,
    flag(
        "--window",
        help="Windowing: tokens that are read at once.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
Stride = Annotated[
    int | None,
    flag(
        "--stride",
        help="Windowing: tokens from one window's beginning to the next; at most --window.",
        panel=MODEL,
        show_default="the checkpoint's own",
    ),
]
Device = Annotated[
    str, flag("--device", metavar="auto|cpu|cuda[:N]|mps", help="Where the model runs.", panel=MODEL)
]
Dtype = Annotated[
    DtypeFlag,
    flag("--dtype", help="In which numbers; auto is the fastest here without measurable loss.", panel=MODEL),
]
Seed = Annotated[int, flag("--seed", help="Of whatever chance a model takes.", panel=MODEL)]
PageTokens = Annotated[
    int | None,
    flag(
        "--page-tokens", help="Tokens a page holds at most.", panel=SUMMARY, show_default="the method's own"
    ),
]
Pages = Annotated[
    int | None,
    flag(
        "--pages",
        help="Spatial: pages to make. Discourse: pages at most; short sections then share one.",
        panel=SUMMARY,
        show_default="as many as needed",
    ),
]
KeepReferences = Annotated[
    bool,
    flag("--keep-references/--no-references", help="Read the reference list too.", panel=READING),
]
PdfPages = Annotated[
    str | None,
    flag(
        "--pdf-pages",
        metavar="RANGES",
        help="Pages of the PDF to read, such as 1-12,20.",
        panel=READING,
        show_default="all",
        env=False,
    ),
]
Password = Annotated[
    str | None,
    flag("--password", help="Password of an encrypted PDF.", panel=READING, show_default=False),
]
Timeout = Annotated[float, flag("--timeout", help="Seconds that fetching a URL may take.", panel=READING)]
Offline = Annotated[
    bool,
    flag(
        "--offline",
        help="Make no network connection at all.",
        panel=READING,
        envvar=["LSUM_OFFLINE", "HF_HUB_OFFLINE"],
    ),
]
Attribution = Annotated[
    bool,
    flag("--attribution/--no-attribution", help="Say where every sentence came from.", panel=OUTPUT),
]
Format = Annotated[
    formats.Format | None,
    flag(
        "-f",
        "--format",
        help="How the summary is written.",
        panel=OUTPUT,
        show_default="rich on a terminal, text when piped",
    ),
]
PlanFormat = Annotated[
    formats.PlanFormat | None,
    flag(
        "-f",
        "--format",
        help="How the plan is written.",
        panel=OUTPUT,
        show_default="rich on a terminal, text when piped",
        env=False,
    ),
]
Output = Annotated[
    str | None,
    flag(
        "-o",
        "--output",
        help="Write to this file; to one file per source where it is a folder (or ends with /).",
        panel=OUTPUT,
        show_default="standard output",
        env=False,
    ),
]
Overwrite = Annotated[bool, flag("--overwrite", help="Replace files that exist.", panel=OUTPUT)]
Resume = Annotated[
    bool,
    flag(
        "--resume",
        help="In a folder, keep what was written of the same sources with the same settings.",
        panel=OUTPUT,
        env=False,
    ),
]
Open = Annotated[
    bool, flag("--open", help="Open the written file in its program or browser.", panel=OUTPUT, env=False)
]
Strict = Annotated[
    bool,
    flag("--strict", help="End with code 10 if anything of the input was not read.", panel=RUNNING),
]
Quiet = Annotated[
    bool, flag("-q", "--quiet", help="Only the product and errors: no progress, no warnings.", panel=RUNNING)
]
Verbose = Annotated[
    int,
    flag(
        "-v",
        "--verbose",
        help="Say more: what was left out and how long it took; -vv: tracebacks.",
        panel=RUNNING,
        count=True,
        env=False,
        show_default=False,
    ),
]
AsJson = Annotated[bool, flag("--json", help="Print an object for programs.", panel=OUTPUT, env=False)]
Verify = Annotated[
    bool, flag("--verify", help="Compare every file with its SHA-256.", panel=RUNNING, env=False)
]
ModelName = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A short name or OWNER/NAME[@REVISION], as installed.", show_default=False
    ),
]
ModelToPull = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A name of lsum models list, or OWNER/NAME[@REVISION].", show_default=False
    ),
]
ImportPaths = Annotated[
    list[str],
    typer.Argument(
        metavar="[NAME] FILE",
        help="The name to install it under, and a .tar, a .bin or .safetensors, or a folder.",
        show_default=False,
    ),
]
ExportFile = Annotated[
    Path, typer.Argument(metavar="FILE.tar", help="The file to write.", show_default=False)
]
Base = Annotated[
    str | None,
    flag(
        "--base",
        metavar="NAME|DIR",
        help="Of published weights: the model they were trained from; gives configuration and tokenizer.",
        panel=READING,
        show_default="facebook/bart-large-cnn",
        env=False,
    ),
]
TrainedLocality = Annotated[
    LocalityFlag,
    flag(
        "--locality",
        help="Of published weights: what they were trained for; auto asks the catalogue.",
        panel=READING,
        env=False,
    ),
]
TrainedPageTokens = Annotated[
    int | None,
    flag(
        "--page-tokens",
        help="Of published weights: tokens of a page.",
        panel=READING,
        show_default="the catalogue's, or what the model can read up to 1024",
        env=False,
    ),
]
