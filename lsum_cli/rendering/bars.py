"""Bars on a terminal, one for each stage of long work: what is done of how much, and the time left."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID
from rich.text import Text

from lsum_cli.progress import ProgressEvent
from lsum_cli.rendering.escaping import clean_line


class Bars:
    """One bar for each running stage.

    Args:
        console: Where they are drawn, from now until they are closed.
    """

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            _StageColumn(),
            BarColumn(bar_width=24),
            _AmountColumn(),
            _TimeColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,
        )
        self._tasks: dict[str, TaskID] = {}
        self._progress.start()

    def draw(self, events: dict[str, ProgressEvent], begun: dict[str, tuple[float, int]]) -> None:
        """Draw the stages of these events, which began at a time when so much was done."""
        for stage in self._tasks.keys() - events.keys():
            self._progress.remove_task(self._tasks.pop(stage))
        for stage, event in events.items():
            if stage not in self._tasks:
                self._tasks[stage] = self._progress.add_task(
                    stage, total=event.total, completed=event.done, unit=event.unit, begun=begun[stage]
                )
            self._progress.update(
                self._tasks[stage], completed=event.done, total=event.total, unit=event.unit
            )

    def close(self) -> None:
        """Remove them from the screen."""
        self._progress.stop()


class _StageColumn(ProgressColumn):
    """The name of the stage, never interpreted as markup."""

    def render(self, task: Task) -> Text:
        return Text(clean_line(task.description), style="dim")


class _AmountColumn(ProgressColumn):
    """``"3 of 14 PDF pages"``."""

    def render(self, task: Task) -> Text:
        total = f" of {int(task.total):,}" if task.total is not None else ""
        return Text(clean_line(f"{int(task.completed):,}{total} {task.fields.get('unit', '')}"), style="dim")


class _TimeColumn(ProgressColumn):
    """The time left, at the mean speed since the stage began; in the end the time it took."""

    def render(self, task: Task) -> Text:
        since, first = task.fields["begun"]
        taken = time.monotonic() - since
        if task.total is not None and task.completed >= task.total:
            return Text(_clock(taken), style="yellow")
        if task.total is None or task.completed <= first:
            return Text("--:--", style="cyan")
        left = taken * (task.total - task.completed) / (task.completed - first)
        return Text(_clock(left), style="cyan")


def _clock(seconds: float) -> str:
    """``"4:05"``, ``"1:04:05"``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
