"""``lsum plan``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from lsum_cli.cli.flags import Sources, flags_for_models, typed_flags, with_flags, without
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import FileOutput
from lsum_cli.cli.source_run import SourceOptions, SourceRun
from lsum_cli.cli.streams import result_stream
from lsum_cli.errors import SourceError
from lsum_cli.machine.memory import MEMORY_SHARE, measure_memory
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.options import Panel, option
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.rendering.formats import PlanFormat

if TYPE_CHECKING:
    from lsum_cli.rendering.plan import MemoryShare

# Options that change the text of a summary, but neither its pages nor its cost.
_TEXT_OPTIONS = without(
    "min_tokens",
    "length_penalty",
    "no_repeat_ngram",
    "coverage_penalty",
    "seed",
    "attribution",
    "show_chapters",
)


@dataclass(frozen=True, kw_only=True)
class PlanOutput(FileOutput[PlanFormat]):
    """Where plans go."""

    formats = PlanFormat

    format: PlanFormat | None = option(
        None,
        "-f",
        "--format",
        help="Format of the plan.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="that of --output's suffix; rich on a terminal, text when piped",
    )


@with_flags
def plan(
    context: typer.Context,
    sources: Sources,
    source_options: Annotated[SourceOptions, without("strict", "since")],
    options: Annotated[SummaryOptions, _TEXT_OPTIONS],
    reading: ReadOptions,
    output: PlanOutput,
    messages: Messages,
) -> None:
    """Show how documents would be read and split into parts, and what a summary would cost here.

    [bold]Examples[/bold]

      lsum plan paper.pdf
      lsum plan -m ./my-checkpoint paper.pdf
      lsum plan --locality spatial --pages 7 report.pdf
      lsum plan --multi ./news/ -o plan.json
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.reading.reader import Reader

    output.check()
    run = SourceRun(sources, source_options, messages)
    with Reader.of_many(reading, run.sources) as reader, result_stream() as stream:
        reader.prefetch(run.sources[0])
        from lsum_cli.methods.sources import Failure, read_all
        from lsum_cli.methods.summarizer import Summarizer
        from lsum_cli.rendering.plan import write_plans

        run.say_left_out()
        plans = []
        with messages.progress() as progress:
            documents, failures = read_all(run.sources, reading, progress, reader=reader)
            run.record_documents(documents)
            for failure in failures:
                run.record_failure(failure)
            groups = [documents] if run.together and documents else [[document] for document in documents]
            summarizer = Summarizer(options)
            for group in groups:
                try:
                    plans.append(summarizer.plan(group))
                except SourceError as error:
                    run.record_failure(Failure(source=group[0].source, error=error))
        if any(each.checkpoint is None for each in plans):
            messages.idle(flags_for_models(context))
        share = _share_of(reading.jobs or 1)
        output.write(stream, partial(write_plans, plans, share=share), messages)
    run.say_idle([each.option.flag for each in typed_flags(context)], reading)
    run.conclude()


def _share_of(jobs: int) -> MemoryShare | None:
    """What each of so many workers may take of the memory that is free."""
    available = measure_memory().available
    if jobs == 1 or available is None:
        return None
    from lsum_cli.rendering.plan import MemoryShare

    return MemoryShare(jobs=jobs, num_bytes=int(MEMORY_SHARE * available / jobs))
