"""The lines of a diagnosis."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class CheckStatus(enum.StrEnum):
    """How a check ended; ``problem`` means that nothing can be summarised before it is solved."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One line of a diagnosis; ``advice`` says what to do where it is not ok."""

    name: str
    status: CheckStatus
    detail: str
    advice: str = ""
