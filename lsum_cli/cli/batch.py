"""``lsum batch``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from lsum_cli.batch.options import BatchOptions
from lsum_cli.cli.flags import flags_for_models, only, with_flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.source_run import SourceOptions
from lsum_cli.cli.streams import result_stream
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import InputLost, LsumError, PartialFailure, SourceError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.reading.registry import ReadOptions

if TYPE_CHECKING:
    from lsum_cli.batch.run import BatchResult

_FAILURES_SHOWN = 10

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT",
        help="JSON Lines, JSON, CSV, TSV or Parquet, packed or not; a folder of these or of documents; or"
        " @list.txt with a path or URL on every line.",
        show_default=False,
    ),
]


@with_flags
def batch(
    context: typer.Context,
    inputs: Inputs,
    options: BatchOptions,
    columns: Annotated[DatasetOptions, only("text_column", "items", "id_column", "limit")],
    source_options: Annotated[SourceOptions, only("strict")],
    summaries: SummaryOptions,
    reading: ReadOptions,
    messages: Messages,
) -> None:
    """Summarise a corpus: one row for every document, in a folder that any later run goes on with.

    [bold]Examples[/bold]

      lsum batch papers.jsonl.gz -o summaries/
      lsum batch ./reports/ -o summaries/ --jobs 8 --length short
      lsum batch @list.txt -o summaries/ --shards parquet
      lsum batch 'news-*.parquet' -o summaries/ --text-column body --id-column url
      lsum batch s3://archive/papers.jsonl.gz -o s3://archive/summaries --ray 10.0.0.1:6379
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.batch.cluster import run_on_cluster
    from lsum_cli.batch.run import plan_batch, run_batch

    run_it = run_batch if options.ray is None else partial(run_on_cluster, address=options.ray)
    with result_stream() as stream:
        run = _Run(messages, is_strict=source_options.strict)
        plan = plan_batch(inputs, options, summaries, reading, columns)
        run.say_left_out(plan.input.skipped)
        messages.named_again(plan.input.again)
        for remark in plan.remarks:
            messages.note(remark)
        if plan.is_extraction:
            messages.idle(flags_for_models(context))
        try:
            with messages.progress() as progress:
                result = run_it(plan, progress=progress, tell_failure=run.tell_failure)
        except KeyboardInterrupt:
            messages.note("what is done is kept: run the same command again to go on")
            raise
        run.say(result)
        stream.write(f"{options.output}\n")
    run.conclude(result)


class _Run:
    """What is said of a batch."""

    def __init__(self, messages: Messages, *, is_strict: bool) -> None:
        self._messages, self._is_strict = messages, is_strict
        self._failures = 0

    def say_left_out(self, skipped: tuple[str, ...]) -> None:
        """Say which files of the folders are not read."""
        self._messages.left_out(skipped)

    def tell_failure(self, where: str, error: LsumError) -> None:
        """Name a document that failed; of many only the first."""
        self._failures += 1
        if self._failures <= _FAILURES_SHOWN or self._messages.verbosity:
            self._messages.fail(error, where)
        elif self._failures == _FAILURES_SHOWN + 1:
            self._messages.note("more documents failed; -v names each, and so does its row")

    def say(self, result: BatchResult) -> None:
        """Say what was done."""
        from lsum_cli.rendering.quantities import count

        if result.resumed:
            done = result.counts.documents
            some = f"{result.resumed:,} of {done:,} documents were done"
            self._messages.note(f"resumed: {'nothing was left to do' if result.resumed == done else some}")
        by = [f"{number:,} by {method}" for method, number in result.counts.methods.items()]
        what = (
            f"{count(result.counts.documents, 'document')}: {', '.join(by)}" if by else "no summary was made"
        )
        self._messages.note(f"{what}; {result.jobs} at a time")

    def conclude(self, result: BatchResult) -> None:
        """End as the rows demand.

        Raises:
            SourceError: All documents failed.
            PartialFailure: Some did.
            InputLost: ``--strict``, and something was not read.
        """
        counts = result.counts
        if counts.failed:
            what = f"{counts.failed:,} of {counts.documents:,} documents failed"
            step = "their rows say why"
            if counts.failed == counts.documents:
                raise SourceError(what, step)
            raise PartialFailure(what, f"the others are done; {step}")
        if self._is_strict and counts.lossy:
            raise InputLost(
                f"something was not read of {counts.lossy:,} of {counts.documents:,} documents",
                "their rows say what (lost); without --strict this is not an error",
            )
