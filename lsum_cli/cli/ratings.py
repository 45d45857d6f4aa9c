"""``lsum eval rate``: blind sheets for people who rate summaries, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from lsum_cli.cli import analyses as _analyses  # noqa: F401  its commands belong to the same group
from lsum_cli.cli.eval import evaluation
from lsum_cli.cli.flags import Command, with_flags, without
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import ReportOutput
from lsum_cli.cli.streams import result_stream
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError
from lsum_cli.options import Panel, check_options, option
from lsum_cli.rendering.formats import ReportFormat

if TYPE_CHECKING:
    from lsum_cli.documents import Document
    from lsum_cli.evaluation.ratings import Item
    from lsum_cli.evaluation.report import Report


_SHEETS = (ReportFormat.CSV, ReportFormat.HTML)


@dataclass(frozen=True, kw_only=True)
class RatingOptions:
    """What is rated, or which ratings are read back.

    Raises:
        OptionError: A number that is too small, or flags that exclude one another.
    """

    ratings: tuple[Path, ...] = option(
        (),
        "--ratings",
        metavar="SHEET.csv",
        help="A filled sheet, one for each rater: report what they say instead of writing a sheet.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )
    data: tuple[str, ...] = option(
        (),
        "--data",
        metavar="FILE|FOLDER|PATTERN",
        help="The data of the report, whose documents a sheet in HTML then shows.",
        panel=Panel.READING,
        env=False,
        shown_default="",
    )
    sample: int | None = option(
        None,
        "--sample",
        metavar="N",
        help="Number of examples to rate, drawn by chance.",
        panel=Panel.SCORES,
        env=False,
        shown_default="all",
        minimum=1,
    )
    seed: int = option(
        0, "--seed", help="Seed of the sample and of all orders.", panel=Panel.SCORES, env=False, minimum=0
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.ratings and (self.data or self.sample is not None):
            raise OptionError(
                "--ratings reads sheets back, and --data and --sample are for a new one",
                "leave out one of them",
            )


@evaluation.command("rate", cls=Command)
@with_flags
def rate(
    report: Annotated[
        Path, typer.Argument(metavar="REPORT.json", help="A report of lsum eval.", show_default=False)
    ],
    options: RatingOptions,
    dataset: Annotated[DatasetOptions, without("limit")],
    output: ReportOutput,
    messages: Messages,
) -> None:
    """Write a blind sheet on which people rate the summaries of a report, or report what they rated.

    Coherence, coverage and faithfulness from 1 to 5; the sheet names no system, and shows them in an order
    of chance. Filled sheets are read back with the report: means with intervals, tests, and
    Krippendorff's alpha.

    [bold]Examples[/bold]

      lsum eval rate report.json --data test.jsonl --sample 20 -o sheet.html
      lsum eval rate report.json --sample 20 -o sheet.csv
      lsum eval rate report.json --ratings anna.csv --ratings ben.csv
      lsum eval rate report.json --ratings anna.csv --ratings ben.csv -o ratings.tex
    """
    from lsum_cli.evaluation.ratings import read_sheet, sum_up_ratings
    from lsum_cli.evaluation.report import read_report
    from lsum_cli.rendering.ratings import write_ratings

    with result_stream() as stream:
        output.check()
        rated = read_report(report)
        if not options.ratings:
            _write_sheet(rated, options, dataset, output, messages, stream)
            return
        sheets = [read_sheet(path, rated) for path in options.ratings]
        found = sum_up_ratings(rated, sheets, resamples=rated.signature.resamples, seed=rated.signature.seed)
        output.write(stream, lambda where, how: write_ratings(found, how, where), messages)


def _write_sheet(
    report: Report,
    options: RatingOptions,
    dataset: DatasetOptions,
    output: ReportOutput,
    messages: Messages,
    stream: TextIO,
) -> None:
    """Write a sheet with the summaries of a report.

    Raises:
        OptionError: The format is neither CSV nor HTML.
        DatasetError: The data are not those of the report.
    """
    from lsum_cli.evaluation.ratings import make_items, write_sheet
    from lsum_cli.rendering.quantities import count
    from lsum_cli.rendering.ratings import write_page

    if output.format is None and output.output is None:
        output = replace(output, format=ReportFormat.CSV)
    items = make_items(report, limit=options.sample, seed=options.seed)
    documents = _find_documents(items, options.data, dataset) if options.data else {}

    def write(where: TextIO, how: ReportFormat) -> None:
        if how not in _SHEETS:
            raise OptionError(f"a sheet cannot be written as {how.value}", "give -o SHEET.html or SHEET.csv")
        if documents and how is ReportFormat.CSV:
            raise OptionError("a sheet in CSV shows no documents", "give -o SHEET.html, or leave out --data")
        where.write(write_page(items, documents) if how is ReportFormat.HTML else write_sheet(items))

    output.write(stream, write, messages)
    messages.note(
        f"{len(items):,} summaries of {count(items[-1].example, 'example')}; --ratings reads filled sheets"
    )


def _find_documents(
    items: Sequence[Item], data: Sequence[str], dataset: DatasetOptions
) -> dict[int, Sequence[Document]]:
    """The documents of every example of a sheet.

    Raises:
        DatasetError: An example is not in the data.
    """
    from lsum_cli.datasets.dataset import open_dataset
    from lsum_cli.evaluation.results import hash_text

    wanted = {(item.row.id, item.row.reference_sha256): item for item in items}
    found: dict[int, Sequence[Document]] = {}
    for example in open_dataset(list(data), dataset):
        item = wanted.pop((example.id, hash_text(example.reference or "")), None)
        if item is not None:
            found[item.example] = example.documents
    if wanted:
        missing = next(iter(wanted.values())).row
        raise DatasetError(
            f"{', '.join(data)} has no example {missing.id!r} with the reference of the report",
            "give the --data that the report was made from",
        )
    return found
