"""The formats that summaries, plans and evaluations can be written in.

A format of summaries is a row of :class:`Format` and a module of this package with two functions of
the signature of :func:`render` and :func:`render_many`, without ``format``: ``write_one`` and
``write_many``.
"""

from __future__ import annotations

import enum
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from lsum_cli.errors import OptionError

if TYPE_CHECKING:
    from lsum_cli.summaries import Summary


class FileFormat(enum.StrEnum):
    """A format with the suffixes of its files; the first is the one a new file gets."""

    suffixes: tuple[str, ...]
    module: str
    separator: str | None

    def __new__(
        cls, value: str, suffixes: tuple[str, ...] = (), module: str = "", separator: str | None = "\n"
    ) -> Self:
        """A row of the table of formats.

        Args:
            value: The name of the format.
            suffixes: Suffixes of its files.
            module: The module of this package that writes summaries in it.
            separator: What goes between summaries that are written one by one; ``None`` where all of
                them have to be written together, because they share a page.
        """
        member = str.__new__(cls, value)
        member._value_ = value
        member.suffixes, member.module, member.separator = suffixes, module, separator
        return member

    @property
    def suffix(self) -> str:
        """The suffix of a new file: ``".md"``."""
        return self.suffixes[0] if self.suffixes else ".txt"

    @classmethod
    def choose(cls, wanted: Self | None, output: Path | None = None, *, is_terminal: bool) -> Self:
        """The requested format; by default that of the output's suffix, or the one for the terminal.

        Args:
            output: The file to write; ``None`` for standard output. Without a suffix it is text.

        Raises:
            OptionError: There is no format for the output's suffix.
        """
        if wanted is not None:
            return wanted
        if output is None:
            return cls("rich" if is_terminal else "text")
        suffix = output.suffix.lower()
        # What follows the last point of "notes v1.2" is no suffix.
        if not any(letter.isalpha() for letter in suffix):
            return cls("text")
        for each in cls:
            if suffix in each.suffixes:
                return each
        known = ", ".join(f"{each.suffix} ({each.value})" for each in cls if each.suffixes)
        raise OptionError(f"{output}: there is no format {suffix}", f"name it {known}, or give --format")


class Format(FileFormat):
    """How a summary is written; ``RICH`` is for terminals alone."""

    RICH = "rich"
    TEXT = "text", (".txt",), "text"
    MARKDOWN = "markdown", (".md", ".markdown"), "markdown"
    JSON = "json", (".json", ".jsonl"), "json_object", ""
    HTML = "html", (".html", ".htm"), "html_report", None


class PlanFormat(FileFormat):
    """How a plan is written."""

    RICH = "rich"
    TEXT = "text", (".txt",)
    JSON = "json", (".json",)


class ReportFormat(FileFormat):
    """How the report of an evaluation is written; ``RICH`` is for terminals alone."""

    RICH = "rich"
    TEXT = "text", (".txt",)
    MARKDOWN = "markdown", (".md", ".markdown")
    JSON = "json", (".json",)
    CSV = "csv", (".csv",)
    HTML = "html", (".html", ".htm")
    LATEX = "latex", (".tex",)


def render(
    summary: Summary,
    format: Format,
    *,
    show_attribution: bool = True,
    base_path: Path | None = None,
    show_source: bool = True,
) -> str:
    """A summary in a format, ending with a line break.

    Args:
        show_attribution: Whether to say where every sentence came from.
        base_path: The folder the result will lie in, so that links to local sources can be relative to it.
        show_source: Whether the text of the source goes along, in the format that can hold it (HTML).

    Raises:
        ValueError: The format is ``RICH``, which :class:`lsum_cli.rendering.console.SummaryPrinter` prints.
    """
    writer = _load_writer(format)
    more = {} if format is not Format.HTML else {"show_source": show_source}
    written: str = writer.write_one(summary, show_attribution=show_attribution, base_path=base_path, **more)
    return written


def render_many(
    summaries: Sequence[Summary],
    format: Format,
    *,
    show_attribution: bool = True,
    base_path: Path | None = None,
    show_source: bool = True,
) -> str:
    """Several summaries in a format: titled texts, JSON Lines, or one page with a table of contents.

    Raises:
        ValueError: The format is ``RICH``.
    """
    writer = _load_writer(format)
    more = {} if format is not Format.HTML else {"show_source": show_source}
    written: str = writer.write_many(
        summaries, show_attribution=show_attribution, base_path=base_path, **more
    )
    return written


def _load_writer(format: Format) -> Any:
    if not format.module:
        raise ValueError(f"{format} is printed on a console, not rendered as a string")
    return importlib.import_module(f"lsum_cli.rendering.{format.module}")
