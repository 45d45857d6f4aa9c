"""Progress events: how long-running work reports to a listener it knows nothing about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgressEvent:
    """One report of progress.

    Attributes:
        stage: What is being done, in a few words: ``"reading"``, ``"ranking sentences"``.
        done: Units done so far in this stage.
        total: Units of the stage in all, or ``None`` while unknown.
        unit: What is counted: ``"PDF pages"``, ``"tokens"``.
        remark: A line for the user, shown also where no progress is drawn. An event with a remark
            reports nothing else.
    """

    stage: str
    done: int
    total: int | None = None
    unit: str = ""
    remark: str = ""


ProgressListener = Callable[[ProgressEvent], None]


def ignore_progress(event: ProgressEvent) -> None:
    """A listener that does nothing."""
