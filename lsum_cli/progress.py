"""How long work tells its listener where it stands, without knowing who listens."""

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
        remark: What the user should read even where no progress is drawn. An event with a remark
            stands for that alone.
    """

    stage: str
    done: int
    total: int | None = None
    unit: str = ""
    remark: str = ""


ProgressListener = Callable[[ProgressEvent], None]


def ignore_progress(event: ProgressEvent) -> None:
    """The listener for callers who do not care."""
