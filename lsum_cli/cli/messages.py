"""Messages on standard error: one line each, safe for any terminal."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsum_cli.errors import LsumError
from lsum_cli.options import Panel, option
from lsum_cli.rendering.escaping import clean_line

if TYPE_CHECKING:
    from lsum_cli.rendering.progress import ProgressDisplay

TRACEBACK_VERBOSITY = 2
# Of sources that were named more than once, so many are told one by one.
_NAMED_AGAIN_SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class Messages:
    """Writes messages to standard error, as many as the user wants."""

    quiet: bool = option(
        False,
        "-q",
        "--quiet",
        help="Print only the result and errors: no progress, no warnings.",
        panel=Panel.RUNNING,
    )
    verbosity: int = option(
        0,
        "-v",
        "--verbose",
        help="Print more: what was left out and how long each step took; -vv adds tracebacks to errors.",
        panel=Panel.RUNNING,
        env=False,
        shown_default="",
        is_count=True,
    )

    def note(self, text: str) -> None:
        """Print something the user may want to know."""
        if not self.quiet:
            _say(text)

    def detail(self, text: str) -> None:
        """Print something under ``-v`` only."""
        if self.verbosity and not self.quiet:
            _say(text)

    def warn(self, text: str) -> None:
        """Print a warning."""
        if not self.quiet:
            _say(f"warning: {text}")

    def idle(self, flags: Sequence[str]) -> None:
        """Warn of flags that only a model uses, where none writes."""
        if flags:
            *others, last = flags
            listed = f"{', '.join(others)} and {last} have" if others else f"{last} has"
            self.warn(f"{listed} no effect: sentences are extracted, and no model writes")

    def left_out(self, paths: Sequence[str]) -> None:
        """Say what of a folder is not read: files of an unsupported kind, figures, links elsewhere."""
        from lsum_cli.reading.intake import suffix_of
        from lsum_cli.reading.registry import FORMATS_BY_SUFFIX
        from lsum_cli.rendering.quantities import count

        folders = sum(map(os.path.isdir, paths))
        formats = (FORMATS_BY_SUFFIX.get(suffix_of(path)) for path in paths)
        pictures = sum(each is not None and each.is_image for each in formats)
        for number, noun, kind in (
            (len(paths) - folders - pictures, "file", "of an unsupported kind"),
            (pictures, "picture", "beside documents"),
            (folders, "folder", "that is elsewhere, behind a link, or may not be read"),
        ):
            if number:
                self.note(f"left out {count(number, noun)} {kind} (-v lists them)")
        for path in paths:
            self.detail(f"left out {path}")

    def named_again(self, again: Sequence[tuple[str, str]]) -> None:
        """Say which sources were named more than once, each with the name under which it is read."""
        from lsum_cli.rendering.quantities import count

        for source, first in again[:_NAMED_AGAIN_SHOWN]:
            same = "was named before" if source == first else f"is the same file as {first}"
            self.note(f"{source} {same}: it counts once")
        if len(again) > _NAMED_AGAIN_SHOWN:
            more = count(len(again) - _NAMED_AGAIN_SHOWN, "more source")
            self.note(f"left out {more} named before (-v lists them)")
        for source, _ in again[_NAMED_AGAIN_SHOWN:]:
            self.detail(f"left out {source}")

    def fail(self, error: LsumError, source: str = "") -> None:
        """Print an error; under ``-vv`` with its traceback."""
        if self.verbosity >= TRACEBACK_VERBOSITY:
            traceback.print_exception(error, file=sys.stderr)
        prefix = f"{source}: " if source and source not in error.what else ""
        _say(f"error: {prefix}{error}")

    def progress(self) -> ProgressDisplay:
        """A display of progress on standard error; its remarks are notes."""
        from lsum_cli.rendering.progress import ProgressDisplay

        return ProgressDisplay(quiet=self.quiet, tell=self.note)


def _say(text: str) -> None:
    line = clean_line(" ".join(text.split()))
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"lsum: {line}\n".encode(encoding, "backslashreplace").decode(encoding))
