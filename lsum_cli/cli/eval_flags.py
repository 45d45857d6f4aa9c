"""The flags of ``lsum eval``, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lsum_cli.cli.flag import MODEL, OUTPUT, READING, RUNNING, flag
from lsum_cli.errors import OptionError
from lsum_cli.evaluation.options import Preparation, Tokenizer
from lsum_cli.rendering.formats import ReportFormat

SCORES = "Scores"


def _data_flag(help: str) -> Any:
    return flag(
        "--data", metavar="FILE|FOLDER|PATTERN", help=help, panel=READING, env=False, show_default=False
    )


Models = Annotated[
    list[str] | None,
    flag(
        "-m",
        "--model",
        metavar="NAME|OWNER/NAME[@REVISION]|DIR",
        help="A checkpoint to evaluate; may be given several times.",
        panel=MODEL,
        show_default="the best one installed",
        env=False,
    ),
]
_ONE_DATA_SET = _data_flag(
    "Documents with reference summaries, as lsum train takes them; several become one data set."
)
Data = Annotated[list[str] | None, _ONE_DATA_SET]
RequiredData = Annotated[list[str], _ONE_DATA_SET]
DataSets = Annotated[
    list[str], _data_flag("A data set, as lsum train takes them; several are set side by side.")
]
Predictions = Annotated[
    list[Path] | None,
    flag(
        "--predictions",
        metavar="FILE",
        help="Summaries to score: one a line, or JSON Lines, CSV, Parquet; may be given several times.",
        panel=READING,
        env=False,
        show_default=False,
    ),
]
References = Annotated[
    Path | None,
    flag(
        "--references",
        metavar="FILE",
        help="The references of the predictions, in the same order; or give --data.",
        panel=READING,
        env=False,
        show_default=False,
    ),
]
PredictionColumn = Annotated[
    str | None,
    flag(
        "--prediction-column",
        help="The column of --predictions with the summaries.",
        panel=READING,
        show_default="prediction, summary, text, …",
        env=False,
    ),
]
ReferenceColumn = Annotated[
    str | None,
    flag(
        "--reference-column",
        help="The column of --references with the references.",
        panel=READING,
        show_default="reference, summary, …",
        env=False,
    ),
]
TextColumn = Annotated[
    str | None,
    flag(
        "--text-column",
        help="The column of --data with the documents.",
        panel=READING,
        show_default="told from the columns",
        env=False,
    ),
]
SummaryColumn = Annotated[
    str | None,
    flag(
        "--summary-column",
        help="The column of --data with the references.",
        panel=READING,
        show_default="told from the columns",
        env=False,
    ),
]
IdColumn = Annotated[
    str | None,
    flag(
        "--id-column",
        help="The column of --data with the ids; - numbers the records.",
        panel=READING,
        show_default="told from the columns",
        env=False,
    ),
]
Limit = Annotated[
    int | None,
    flag("--limit", help="At most so many examples.", panel=READING, show_default="all", env=False),
]
Baselines = Annotated[
    str | None,
    flag(
        "--yardsticks",
        metavar="NAME,…",
        help="What to set beside the systems: lead3 (any number), lead, lead:SYSTEM, random, extract,"
        " oracle, concat:MODEL, stan:MODEL.",
        panel=SCORES,
        show_default="none",
        env=False,
    ),
]
Measures = Annotated[
    str | None,
    flag(
        "--measures",
        metavar="NAME,…|all",
        help="What to show besides ROUGE and length: novel_2, flagged_names, page_entropy, …",
        panel=SCORES,
        show_default="none; JSON and CSV hold all",
        env=False,
    ),
]
BertScore = Annotated[
    str | None,
    flag(
        "--bertscore",
        metavar="OWNER/NAME|DIR",
        help="Add BERTScore by this encoder, such as FacebookAI/roberta-large.",
        panel=SCORES,
        show_default="none",
        env=False,
    ),
]
Coherence = Annotated[
    str | None,
    flag(
        "--coherence",
        metavar="OWNER/NAME|DIR",
        help="Add semantic coherence by this BERT, such as google-bert/bert-large-uncased.",
        panel=SCORES,
        show_default="none",
        env=False,
    ),
]
Stem = Annotated[
    bool, flag("--stem/--no-stem", help="Take English endings off (Porter).", panel=SCORES, env=False)
]
TokenizerKind = Annotated[
    Tokenizer,
    flag(
        "--tokenizer",
        help="rouge-score knows a-z alone, unicode every script; auto asks the references.",
        panel=SCORES,
        env=False,
    ),
]
Prepare = Annotated[
    Preparation,
    flag(
        "--prepare",
        help="ptb: as the papers' Perl script was given texts, tokenised and lower-cased.",
        panel=SCORES,
        env=False,
    ),
]
Resamples = Annotated[
    int, flag("--resamples", help="Of the bootstrap, for intervals and p-values.", panel=SCORES, env=False)
]
BootstrapSeed = Annotated[int, flag("--bootstrap-seed", help="Of the bootstrap.", panel=SCORES, env=False)]
Processes = Annotated[
    int | None,
    flag(
        "--processes",
        help="How many compute ROUGE side by side.",
        panel=RUNNING,
        show_default="one per processor",
    ),
]
BatchSize = Annotated[
    int,
    flag(
        "--batch-size",
        help="How many summaries PageSum writes together: sooner, in more memory; other methods write one"
        " after the other.",
        panel=RUNNING,
        env=False,
    ),
]
Results = Annotated[
    Path | None,
    flag(
        "--results",
        metavar="FOLDER",
        help="Where summaries are kept, so that nothing is written twice.",
        panel=RUNNING,
        show_default="the user's cache",
    ),
]
Fresh = Annotated[
    bool, flag("--fresh", help="Write every summary anew, whatever is kept.", panel=RUNNING, env=False)
]
EvalFormat = Annotated[
    ReportFormat | None,
    flag(
        "-f",
        "--format",
        help="How the report is written; json keeps the scores of every example.",
        panel=OUTPUT,
        show_default="that of --output's name; rich on a terminal, text when piped",
        env=False,
    ),
]
EvalOutput = Annotated[
    Path | None,
    flag(
        "-o",
        "--output",
        help="Write to this file.",
        panel=OUTPUT,
        show_default="standard output",
        env=False,
    ),
]
FirstReport = Annotated[
    Path, typer.Argument(metavar="A.json", help="A report of lsum eval.", show_default=False)
]
SecondReport = Annotated[
    Path | None,
    typer.Argument(
        metavar="[B.json]",
        help="Another on the same references; without it the systems of the first are compared.",
        show_default=False,
    ),
]


def refuse_flags_before(context: typer.Context) -> None:
    """Flags of ``lsum eval`` itself say nothing to the commands under it.

    Raises:
        OptionError: Some stand before the name of a command.
    """
    given = [
        parameter.opts[-1]
        for parameter in context.command.params
        if parameter.name and _is_typed(context, parameter.name)
    ]
    if given:
        command = context.invoked_subcommand
        raise OptionError(
            f"{', '.join(given)} before '{command}' would be lost",
            f"give flags after it: lsum eval {command} --help lists them",
        )


def _is_typed(context: typer.Context, name: str) -> bool:
    """Whether a value stands on the command line, rather than in a file of settings."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
