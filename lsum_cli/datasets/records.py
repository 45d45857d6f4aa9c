"""A record of a data file, as its format gave it, and the errors that name its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lsum_cli.errors import DatasetError

_MAX_SHOWN = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One record, its columns as they are in the file.

    Attributes:
        values: Column by name: text, numbers, lists and objects as in JSON.
        file: The file it stands in.
        number: Its line, row or place in the file, from 1.
        unit: What ``number`` counts: ``"line"``, ``"row"``, ``"record"``; empty for a file of one record.
    """

    values: Mapping[str, object]
    file: str
    number: int
    unit: str

    @property
    def place(self) -> str:
        """Where it stands in its file: ``"line 12"``."""
        return f"{self.unit} {self.number:,}" if self.unit else ""

    @property
    def where(self) -> str:
        """File and place, for messages."""
        return f"{self.file}, {self.place}" if self.unit else self.file

    def error(self, what: str, next_step: str = "") -> DatasetError:
        """An error that names this record."""
        return DatasetError(f"{self.where}: {what}", next_step)


def shown(name: str) -> str:
    """A column or an id as messages show it: what a file calls so may be a whole text."""
    return name if len(name) <= _MAX_SHOWN else f"{name[: _MAX_SHOWN - 1]}…"
