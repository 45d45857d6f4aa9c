"""How a page is read: in which direction its lines run, measured so that all pages look alike.

Lines run rightwards and follow one another downwards on most pages; on others the page is turned, they
run downwards and follow one another leftwards (Japanese and Chinese), or run leftwards (Arabic, Hebrew).
Runs come out with positions along the line from its beginning, whichever way it runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lsum_cli.reading.pdf.bidi import is_mark, is_mostly_right_to_left
from lsum_cli.reading.pdf.text_operators import PageContent, Run

Box = tuple[float, float, float, float]

_DOWNWARDS = 3
# The first and the last character of scripts that are also written downwards, and of the marks between them.
_UPRIGHT = ("——", "‥…", "\u2e80\u9fff", "\uac00\ud7af", "\uf900\ufaff", "\ufe30\ufe4f", "\uff00\uffef")
_MIN_STACKED = 12
# Height of the top of an upright character over its baseline, and distance of its middle from the
# baseline of a letter turned aside, in ems.
_ASCENT = 0.88
TO_MIDDLE = 0.35


@dataclass(frozen=True, kw_only=True, slots=True)
class Orientation:
    """The text of a page, measured in the direction in which it is read.

    Attributes:
        width, height: Of the page as it is read, in points.
        runs: Those in the direction in which most of the page is read.
        sideways: Texts that run in another direction.
        leftwards: Whether lines run from right to left; their positions are measured from the right.
    """

    width: float
    height: float
    runs: list[Run]
    sideways: tuple[str, ...]
    leftwards: bool


def orient(content: PageContent, box: Box, turns: int = 0) -> Orientation:
    """Find out how a page is read, and measure its runs accordingly (in place).

    Args:
        content: What the page shows.
        box: Left, bottom, right and top of the visible page.
        turns: Quarter turns clockwise by which the page is displayed.
    """
    left, bottom, right, top = box
    _turn_stacks(content.runs)
    direction = _direction(content.runs, turns % 4)
    offsets = {0: (left, bottom), 1: (bottom, -right), 2: (-right, -top), 3: (-top, left)}
    along, across = offsets[direction]
    width, height = (right - left, top - bottom) if direction % 2 == 0 else (top - bottom, right - left)
    reading: list[Run] = []
    sideways: list[str] = []
    for run in content.runs:
        if run.direction != direction:
            if run.text.strip():
                sideways.append(run.text)
            continue
        run.x0 -= along
        run.x1 -= along
        run.y -= across
        if run.x1 > -1 and run.x0 < width + 1 and -1 < run.y < height + 1 and run.size < height:
            # Wrong widths must not move the text off the page.
            run.x0, run.x1 = max(run.x0, -width), min(run.x1, 2 * width)
            reading.append(run)
    leftwards = is_mostly_right_to_left([run.text for run in reading])
    if leftwards:
        _settle_marks(reading)
        for run in reading:
            run.x0, run.x1 = width - run.x1, width - run.x0
    return Orientation(
        width=width, height=height, runs=reading, sideways=tuple(sideways), leftwards=leftwards
    )


def _direction(runs: Sequence[Run], upright: int) -> int:
    """The direction in which most of the text runs: as displayed, unless nearly all runs in another."""
    if {run.direction for run in runs} <= {upright}:
        return upright
    weights: Counter[int] = Counter()
    for run in runs:
        weights[run.direction] += len(run.text.strip())
    strongest = max(weights, key=lambda key: (weights[key], key == upright))
    return strongest if weights[strongest] > 2 * weights[upright] else upright


def _is_upright(character: str) -> bool:
    return any(ends[0] <= character <= ends[1] for ends in _UPRIGHT)


def _turn_stacks(runs: Sequence[Run]) -> None:
    """Let upright characters that are set one below the other run downwards.

    Such columns are also made of ordinary fonts, each character being placed on its own.
    """
    upright = [
        run
        for run in runs
        if len(run.text) == 1 and run.direction == 0 and not run.text.isascii() and _is_upright(run.text)
    ]
    if len(upright) < _MIN_STACKED:
        return
    down = right = 0
    for first, second in pairwise(upright):
        size = max(first.size, second.size)
        middle = abs(first.x0 + first.x1 - second.x0 - second.x1) / 2
        down += middle < 0.3 * size and 0.6 * size < first.y - second.y < 1.8 * size
        right += abs(first.y - second.y) < 0.3 * size and 0 < second.x0 - first.x0 < 2 * size
    if down <= max(right, len(upright) / 2):
        return
    for run in upright:
        middle = (run.x0 + run.x1) / 2
        run.direction = _DOWNWARDS
        run.x0, run.y = -(run.y + _ASCENT * run.size), middle - TO_MIDDLE * run.size
        run.x1 = run.x0 + run.size


def _settle_marks(runs: Sequence[Run]) -> None:
    """Set vowel signs, which stand above or below their letter, on its baseline."""
    for index, run in enumerate(runs):
        if is_mark(run.text):
            beside = (*runs[index + 1 : index + 2], *runs[max(0, index - 1) : index])
            run.y = next((other.y for other in beside if abs(other.y - run.y) < 0.6 * run.size), run.y)
