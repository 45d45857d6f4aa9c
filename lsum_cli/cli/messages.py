"""What is said on standard error: one line each, in plain words, safe for any terminal."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass

from lsum_cli.errors import LsumError
from lsum_cli.rendering.escaping import clean_line

TRACEBACK_VERBOSITY = 2


@dataclass(frozen=True)
class Messages:
    """Says things on standard error, as loudly as the user wants.

    Args:
        quiet: Only errors.
        verbosity: How often ``-v`` was given.
    """

    quiet: bool = False
    verbosity: int = 0

    def note(self, text: str) -> None:
        """Something the user may want to know."""
        if not self.quiet:
            _say(text)

    def detail(self, text: str) -> None:
        """Something said under ``-v`` only."""
        if self.verbosity and not self.quiet:
            _say(text)

    def warn(self, text: str) -> None:
        """Something the user should know."""
        if not self.quiet:
            _say(f"warning: {text}")

    def fail(self, error: LsumError, source: str = "") -> None:
        """An error; under ``-vv`` with its traceback."""
        if self.verbosity >= TRACEBACK_VERBOSITY:
            traceback.print_exception(error, file=sys.stderr)
        prefix = f"{source}: " if source and source not in error.what else ""
        _say(f"error: {prefix}{error}")


def _say(text: str) -> None:
    line = clean_line(" ".join(text.split()))
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"lsum: {line}\n".encode(encoding, "backslashreplace").decode(encoding))
