"""The formats a summary can be written in."""

from __future__ import annotations

import enum
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from lsum_cli.summaries import Summary


class Format(enum.StrEnum):
    """How a summary is written; ``RICH`` is for terminals alone."""

    RICH = "rich"
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


class PlanFormat(enum.StrEnum):
    """How a plan is written."""

    RICH = "rich"
    TEXT = "text"
    JSON = "json"

    @classmethod
    def choose(cls, wish: PlanFormat | None, *, is_terminal: bool) -> PlanFormat:
        """The wished format; without a wish ``rich`` on a terminal and ``text`` elsewhere."""
        return wish or (cls.RICH if is_terminal else cls.TEXT)


class ReportFormat(enum.StrEnum):
    """How the report of an evaluation is written; ``RICH`` is for terminals alone."""

    RICH = "rich"
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    CSV = "csv"
    HTML = "html"

    @classmethod
    def choose(cls, wish: ReportFormat | None, output: Path | None, *, is_terminal: bool) -> ReportFormat:
        """The wished format; without a wish that of the output's name, else as the terminal asks."""
        if wish is not None:
            return wish
        if output is None:
            return cls.RICH if is_terminal else cls.TEXT
        return _REPORT_FORMATS.get(output.suffix.lower(), cls.TEXT)


_REPORT_FORMATS = {
    ".json": ReportFormat.JSON,
    ".md": ReportFormat.MARKDOWN,
    ".markdown": ReportFormat.MARKDOWN,
    ".csv": ReportFormat.CSV,
    ".html": ReportFormat.HTML,
    ".htm": ReportFormat.HTML,
}


class _WriteOne(Protocol):
    def __call__(self, summary: Summary, *, show_attribution: bool, base_path: Path | None) -> str: ...


class _WriteMany(Protocol):
    def __call__(
        self, summaries: Sequence[Summary], *, show_attribution: bool, base_path: Path | None
    ) -> str: ...


# Module, function for one summary, function for many: imported on use.
_WRITERS = {
    Format.TEXT: ("text", "write_text", "write_texts"),
    Format.MARKDOWN: ("markdown", "write_markdown", "write_markdowns"),
    Format.JSON: ("json_object", "write_json", "write_jsons"),
    Format.HTML: ("html_report", "write_html", "write_htmls"),
}


def render(
    summary: Summary, format: Format, *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """A summary in a format, ending with a line break.

    Args:
        show_attribution: Whether to say where every sentence came from.
        base_path: The folder the result will lie in, so that links to local sources can be relative to it.

    Raises:
        ValueError: The format is ``RICH``, which :func:`lsum_cli.rendering.console.print_summary` prints.
    """
    write = cast(_WriteOne, _load_writer(format, 1))
    return write(summary, show_attribution=show_attribution, base_path=base_path)


def render_many(
    summaries: Sequence[Summary],
    format: Format,
    *,
    show_attribution: bool = True,
    base_path: Path | None = None,
) -> str:
    """Several summaries in a format: titled texts, JSON Lines, or one page with a contents list.

    Raises:
        ValueError: The format is ``RICH``.
    """
    write = cast(_WriteMany, _load_writer(format, 2))
    return write(summaries, show_attribution=show_attribution, base_path=base_path)


def _load_writer(format: Format, position: int) -> object:
    if format not in _WRITERS:
        raise ValueError(f"{format} is printed on a console, not rendered as a string")
    writer = _WRITERS[format]
    return getattr(importlib.import_module(f"lsum_cli.rendering.{writer[0]}"), writer[position])
