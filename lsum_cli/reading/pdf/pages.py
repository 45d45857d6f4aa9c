"""Reading the pages of an open PDF, and noting which of them gave no text, and why."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.reading.pdf.content import Interpreter
from lsum_cli.reading.pdf.lines import Line, PageLines, read_lines
from lsum_cli.reading.pdf.opening import OpenPdf, damage_errors
from lsum_cli.reading.pdf.painting import PageContent, PageTooComplex

# What pages may take that are given up in the end, so that a hostile file ends soon.
LOST_SECONDS = 8.0
# Characters without a meaning: unknown ones, private ones, control characters.
_SAYS_NOTHING = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\x00-\x1f\x7f-\x9f]")
# Points; what is wider or higher than this (70 m) is no page.
_LARGEST = 200_000.0
_DEFAULT_BOX = (0.0, 0.0, 612.0, 792.0)


@dataclass(frozen=True, kw_only=True)
class ReadPages:
    """The pages that were asked for.

    Attributes:
        pages: One for each, with no lines where no text came.
        blank: Numbers of those with nothing on them at all.
        failed: Numbers of those that are damaged or too complex.
        undecoded: Numbers of those whose text has no meaning that can be told.
        warnings: For the user, one line each.
    """

    pages: tuple[PageLines, ...]
    blank: tuple[int, ...]
    failed: tuple[int, ...]
    undecoded: tuple[int, ...]
    warnings: tuple[str, ...]

    @property
    def without_text(self) -> tuple[int, ...]:
        """Numbers of the pages from which no text came."""
        return tuple(page.number for page in self.pages if not page.lines)


def read_pages(pdf: OpenPdf, numbers: Sequence[int], name: str, progress: ProgressListener) -> ReadPages:
    """Read pages one by one.

    Args:
        pdf: The open file.
        numbers: Of the pages to read, from 1.
        name: What the user calls the document.
        progress: Told after each page.

    Raises:
        SourceError: Pages ask for more work than pages of text do.
    """
    interpreter = Interpreter()
    damaging: tuple[type[Exception], ...] = (PageTooComplex, *damage_errors())
    pages: list[PageLines] = []
    failed: list[int] = []
    damaged: list[int] = []
    undecoded: list[int] = []
    unknown = 0
    lost = 0.0
    for done, number in enumerate(numbers, start=1):
        started = time.monotonic()
        try:
            page = _read_page(interpreter, pdf.pages[number - 1], number)
        except damaging:
            # The other pages may be sound.
            lost += time.monotonic() - started
            page = PageLines(number=number, width=_DEFAULT_BOX[2], height=_DEFAULT_BOX[3], drawn=True)
            failed.append(number)
        if lost > LOST_SECONDS:
            raise SourceError(
                f"{name} is built in a way that takes too long to read", "print it to a new PDF first"
            )
        if page.lines and _is_garbage(page.lines):
            undecoded.append(number)
            page = replace(page, lines=())
        elif page.damaged:
            damaged.append(number)
        unknown += sum(len(_SAYS_NOTHING.findall(line.text)) for line in page.lines)
        pages.append(replace(page, lines=_readable(page.lines)))
        progress(ProgressEvent(stage="reading", done=done, total=len(numbers), unit="PDF pages"))
    blank = tuple(page.number for page in pages if not (page.lines or page.drawn or page.sideways))
    warnings = []
    if failed:
        warnings.append(f"{_named(failed)} could not be read (damaged, or too complex)")
    if undecoded:
        warnings.append(
            f"the text of {_named(undecoded)} cannot be decoded: its fonts do not say which letters they show"
        )
    if damaged:
        warnings.append(f"part of {_named(damaged)} is damaged and was skipped")
    if unknown:
        warnings.append(
            "1 character was left out: its font does not say what it is"
            if unknown == 1
            else f"{unknown:,} characters were left out: their fonts do not say what they are"
        )
    return ReadPages(
        pages=tuple(pages),
        blank=tuple(number for number in blank if number not in {*failed, *undecoded}),
        failed=tuple(failed),
        undecoded=tuple(undecoded),
        warnings=tuple(warnings),
    )


def _read_page(interpreter: Interpreter, page: Any, number: int) -> PageLines:
    content = interpreter.read_page(page)
    lines = read_lines(content, number, _box(page), _turns(page))
    if content.runs and not lines.lines and not lines.sideways:
        # A wrong crop box must not hide the text.
        lines = read_lines(interpreter.read_page(page), number, _box_around(content), _turns(page))
    return lines


def _box(page: Any) -> tuple[float, float, float, float]:
    try:
        box = page.cropbox
        x0, y0, x1, y1 = float(box.left), float(box.bottom), float(box.right), float(box.top)
    except damage_errors():
        return _DEFAULT_BOX
    x0, x1 = sorted((x0, x1))
    y0, y1 = sorted((y0, y1))
    sound = all(map(math.isfinite, (x0, y0, x1, y1))) and 10 < x1 - x0 < _LARGEST and 10 < y1 - y0 < _LARGEST
    return (x0, y0, x1, y1) if sound else _DEFAULT_BOX


def _box_around(content: PageContent) -> tuple[float, float, float, float]:
    upright = [run for run in content.runs if run.direction == 0] or content.runs
    return (
        min(run.x0 for run in upright) - 36,
        min(run.y for run in upright) - 36,
        max(run.x1 for run in upright) + 36,
        max(run.y for run in upright) + 36,
    )


def _turns(page: Any) -> int:
    try:
        return int(page.rotation or 0) // 90 % 4
    except damage_errors():
        return 0


def _is_garbage(lines: Iterable[Line]) -> bool:
    """Whether most characters of a page say nothing."""
    text = "".join(line.text for line in lines)
    return len(_SAYS_NOTHING.findall(text)) > 0.5 * (len(text) - text.count(" "))


def _readable(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines without characters that say nothing."""
    kept: list[Line] = []
    for line in lines:
        if not _SAYS_NOTHING.search(line.text):
            kept.append(line)
        elif text := " ".join(_SAYS_NOTHING.sub("", line.text).split()):
            kept.append(replace(line, text=text))
    return tuple(kept)


def _named(numbers: Sequence[int]) -> str:
    """Page numbers for a message, not too many."""
    shown = ", ".join(map(str, numbers[:8])) + (f" and {len(numbers) - 8} more" if len(numbers) > 8 else "")
    return f"PDF page {shown}" if len(numbers) == 1 else f"PDF pages {shown}"
