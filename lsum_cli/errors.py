"""The errors that lsum raises deliberately, and the exit code of each.

    LsumError
    ├── OptionError          2   wrong usage, options that exclude each other
    ├── SourceError          3   not found, unsupported, encrypted, no text, too large, fetch failed
    ├── CheckpointError      4   not found, damaged, of another method or a newer format
    ├── MissingDependency    5   an optional extra is not installed
    ├── DeviceError          6   no such device, out of memory
    ├── DatasetError         7   file, line and field of a bad record
    ├── OutputError          8   cannot write, exists already
    ├── PartialFailure       9   some of many sources failed; the others are done
    ├── InputLost           10   ``--strict`` and something of the input was not read
    └── TrainingError       11   training cannot go on: the loss is NaN

The library raises these and never prints or exits; :mod:`lsum_cli.cli.app` turns them into one
line on standard error and an exit code.
"""

from __future__ import annotations

import enum
from typing import ClassVar


class ExitCode(enum.IntEnum):
    """The exit code of the process; public interface, listed in ``docs/errors.md``."""

    DONE = 0
    BUG = 1
    OPTION = 2
    SOURCE = 3
    CHECKPOINT = 4
    DEPENDENCY = 5
    DEVICE = 6
    DATASET = 7
    OUTPUT = 8
    PARTIAL = 9
    INPUT_LOST = 10
    TRAINING = 11
    INTERRUPTED = 130


class LsumError(Exception):
    """An error with one clear line for the user.

    Args:
        what: What is wrong, naming the file, option or value.
        next_step: What the user can do about it, as an imperative; empty where nothing helps.
    """

    exit_code: ClassVar[ExitCode] = ExitCode.BUG

    def __init__(self, what: str, next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.what}; {self.next_step}" if self.next_step else self.what

    def __reduce__(self) -> tuple[type[LsumError], tuple[str, str]]:
        return type(self), (self.what, self.next_step)


class OptionError(LsumError):
    """Wrong usage: a value out of range, or options that exclude each other."""

    exit_code = ExitCode.OPTION


class SourceError(LsumError):
    """A source that cannot be read: missing, unsupported, encrypted, without text, too large."""

    exit_code = ExitCode.SOURCE


class CheckpointError(LsumError):
    """A checkpoint that is missing, damaged, or made for another purpose."""

    exit_code = ExitCode.CHECKPOINT


class MissingDependency(LsumError):
    """An optional extra is needed; ``next_step`` contains the install command."""

    exit_code = ExitCode.DEPENDENCY


class DeviceError(LsumError):
    """The device does not exist or has too little memory."""

    exit_code = ExitCode.DEVICE


class DatasetError(LsumError):
    """A bad record of a data set; the message names file, line and field."""

    exit_code = ExitCode.DATASET


class OutputError(LsumError):
    """The result cannot be written, or would overwrite a file."""

    exit_code = ExitCode.OUTPUT


class PartialFailure(LsumError):
    """Some of many sources failed; the results of the others are complete."""

    exit_code = ExitCode.PARTIAL


class InputLost(LsumError):
    """Under ``--strict``: something of the input was not read."""

    exit_code = ExitCode.INPUT_LOST


class TrainingError(LsumError):
    """Training cannot continue: the loss or a gradient is NaN or infinite."""

    exit_code = ExitCode.TRAINING


def first_line(error: Exception) -> str:
    """The first line of a foreign error's message that is not blank, or the name of its type."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
