"""The diagnosis of ``lsum doctor``, as lines for people or an object for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.text import Text

from lsum_cli.machine.checks import Check, CheckStatus
from lsum_cli.rendering.console import open_console
from lsum_cli.rendering.escaping import clean_line, fit_encoding
from lsum_cli.rendering.tables import Table, write_object

_MARKS = {CheckStatus.OK: "✓", CheckStatus.WARNING: "!", CheckStatus.PROBLEM: "✗"}
_PLAIN_MARKS = {CheckStatus.OK: "ok", CheckStatus.WARNING: "note", CheckStatus.PROBLEM: "FAILS"}
_STYLES = {CheckStatus.OK: "green", CheckStatus.WARNING: "yellow", CheckStatus.PROBLEM: "bold red"}


def write_diagnosis(checks: Iterable[Check], stream: TextIO, *, as_json: bool) -> bool:
    """Write every check as soon as it is done; as JSON, when all are done.

    Returns:
        Whether summaries can be made: no check ended with a problem.
    """
    if as_json:
        made = list(checks)
        works = all(check.status is not CheckStatus.PROBLEM for check in made)
        content = {"schema": "lsum.doctor/1", "works": works, "checks": _tabulate(made).records()}
        write_object(content, stream)
        return works
    works = True
    console = open_console(stream, is_live=stream.isatty())
    for check in checks:
        works = works and check.status is not CheckStatus.PROBLEM
        console.print(_line(check, live=stream.isatty(), encoding=console.encoding), soft_wrap=True)
    return works


def _tabulate(checks: Sequence[Check]) -> Table:
    rows = tuple((c.name, c.status.value, c.detail, c.advice or None) for c in checks)
    return Table.of_keys(("name", "status", "detail", "advice"), rows)


def _line(check: Check, *, live: bool, encoding: str) -> Text:
    mark = _MARKS[check.status] if live else f"{_PLAIN_MARKS[check.status]:5}"
    line = Text(fit_encoding(mark, encoding), style=_STYLES[check.status])
    line.append(f" {clean_line(check.name)}: ", style="bold")
    line.append(clean_line(check.detail), style="not bold default")
    if check.advice:
        line.append(f"; {clean_line(check.advice)}", style="not bold default")
    return line
