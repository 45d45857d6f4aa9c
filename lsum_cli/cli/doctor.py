"""``lsum doctor``."""

from __future__ import annotations

import tempfile
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from lsum_cli.cli.flags import only, with_flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import JsonOutput
from lsum_cli.cli.streams import result_stream
from lsum_cli.errors import ExitCode
from lsum_cli.reading.registry import ReadOptions

_TRIAL = """# A trial

Marshes grow where mud settles faster than the sea carries it away. Grasses slow the water.

# Another section

The slow water drops its mud. In this way a marsh can rise by several millimetres a year.
"""


@with_flags
def doctor(reading: Annotated[ReadOptions, only("offline")], output: JsonOutput, messages: Messages) -> None:
    """Check what works on this machine and what to install for the rest; exits with 0 if it can summarise.

    [bold]Examples[/bold]

      lsum doctor
      lsum doctor --offline --json
    """
    from lsum_cli.checkpoints.checks import check_installed
    from lsum_cli.machine.doctor import diagnose
    from lsum_cli.methods.recommendation import recommend
    from lsum_cli.reading.ocr.engines import check_engines
    from lsum_cli.rendering.diagnosis import write_diagnosis

    with result_stream() as stream, messages.progress() as progress:
        checks = diagnose(
            offline=reading.offline,
            installed=chain([check_engines()], check_installed(progress, recommend=recommend)),
            trial=_summarise_trial,
        )
        works = write_diagnosis(progress.paused_for_each(checks), stream, as_json=output.as_json)
    if not works:
        raise typer.Exit(ExitCode.DEPENDENCY)


def _summarise_trial() -> str:
    """Read and summarise a small document by extraction, the way every summary goes."""
    from lsum_cli.methods.options import SummaryOptions
    from lsum_cli.methods.summarizer import Summarizer
    from lsum_cli.reading.sources import read

    with tempfile.TemporaryDirectory(prefix="lsum-trial-") as folder:
        path = Path(folder) / "trial.md"
        path.write_text(_TRIAL, encoding="utf-8")
        document = read(path)
    summary = Summarizer(SummaryOptions(method="extract", length="20")).summarize([document])
    return f"a trial text was summarised by extraction: {summary.num_words} words"
