"""The columns of a page: the gutters between them, and lines sorted into the columns in reading order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeVar

from lsum_cli.text.patterns import regex

# Lines of a column begin at one position, give or take this, in points.
_ALIGNED = 2.0
# Quotation marks may stand this far to the left of it, in ems.
_HANGING = 0.8
# Columns have at least this number of lines side by side.
_MIN_ROWS = 3
# Where so many lines begin, a column does.
_MIN_COLUMN_STARTS = 3
# A gutter is at least this wide, in ems.
_MIN_WIDTH = 0.6
# Of a row of so many pieces, which may be words, a column begins at a gap that is so much wider than usual.
_WORDS_APART, _WIDER = 4, 1.4
# Share of the lines of prose that fill the width of their column, and what filling it means.
_FILLED_LINES, _FILLED = 0.45, 0.62
# Mean width of the lines of a column, in ems.
_MIN_EMS = 6.5
_MAX_CANDIDATES = 8
_BULLET = regex(r"\s*(?:[•◦▪●○■□❖‣➢✓∙·–—*-]|\(?\d{1,2}[.)])(?:\s|$)")
# Remarks beside the lines of a program.
_COMMENT = regex(r"\s*(?:#|//|/\*|--\s|%|;)")


class Placed(Protocol):
    """Text at a place: left and right end, baseline and size in points."""

    # Properties, so that frozen and other classes fit.
    @property
    def x0(self) -> float: ...  # noqa: D102
    @property
    def x1(self) -> float: ...  # noqa: D102
    @property
    def y(self) -> float: ...  # noqa: D102
    @property
    def size(self) -> float: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102


P = TypeVar("P", bound=Placed)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gutter:
    """The empty strip between two columns.

    Attributes:
        x0, x1: Where the left column ends and the right one begins, in points.
        top, bottom: The highest and the lowest baseline beside it.
    """

    x0: float
    x1: float
    top: float
    bottom: float

    def is_within(self, other: Gutter) -> bool:
        """Whether it is part of another gutter."""
        return (
            self.x0 < other.x1
            and other.x0 < self.x1
            and self.top <= other.top + 1
            and self.bottom >= other.bottom - 1
        )

    def parts(self, left: Placed, right: Placed) -> bool:
        """Whether it runs between two texts on one baseline."""
        return (
            self.bottom - 1 <= left.y <= self.top + 1
            and left.x1 <= self.x1 + _ALIGNED
            and right.x0 >= self.x0 - _ALIGNED
            and right.x0 >= self.x1 - _HANGING * right.size
        )


@dataclass(slots=True)
class _Side:
    """The rows of text on one side of a possible gutter."""

    rows: list[list[Placed]]

    @property
    def edge(self) -> float:
        """Where most rows begin."""
        starts = sorted(row[0].x0 for row in self.rows)
        return max(starts, key=lambda x: _count_near(starts, x))

    def is_prose(self, left: float, right: float) -> bool:
        """Whether its lines fill the column between two edges, or are the items of a list."""
        ems = sum((piece.x1 - piece.x0) / max(piece.size, 1) for row in self.rows for piece in row)
        if len(self.rows) < _MIN_ROWS or ems < _MIN_EMS * len(self.rows):
            return False
        filled = sum(row[-1].x1 - row[0].x0 >= _FILLED * (right - left) for row in self.rows)
        # The pieces of a table's row leave wide gaps.
        gapless = sum(
            all(b.x0 - a.x1 < 2.5 * max(a.size, b.size) for a, b in pairwise(row)) for row in self.rows
        )
        if gapless < 0.5 * len(self.rows):
            return False
        if sum(bool(_COMMENT.match(row[0].text)) for row in self.rows) > 0.4 * len(self.rows):
            return False
        bullets = sum(bool(_BULLET.match(row[0].text)) for row in self.rows)
        return filled >= _FILLED_LINES * len(self.rows) or bullets >= 2


def _count_near(ordered: Sequence[float], x: float) -> int:
    return bisect_right(ordered, x + _ALIGNED) - bisect_left(ordered, x - _ALIGNED)


def find_gutters(texts: Sequence[Placed], width: float, known: Sequence[Gutter] = ()) -> tuple[Gutter, ...]:
    """Find the gutters of a page.

    A gutter is an empty strip at which lines begin on the right, with prose that fills a column on
    both sides. Lines that cross it end it: a title, a wide formula, a wide figure.

    Args:
        texts: Pieces of lines, on their baselines.
        width: Width of the page in points.
        known: Those of the page before. On a last page the second column may have too few lines to be
            recognised.

    Returns:
        Gutters, the tallest first.
    """
    texts = [text for text in texts if text.text.strip()]
    found = _find(texts, width) if len(texts) >= 2 * _MIN_ROWS else ()
    return found or _find_again(texts, known)


def _find(texts: Sequence[Placed], width: float) -> tuple[Gutter, ...]:
    rows = rows_of(sorted(texts, key=lambda text: (-text.y, text.x0)))
    starts, ends = _starts(rows), sorted([text.x1 for text in texts])
    found: list[Gutter] = []
    for x in _candidates(starts, width):
        if ends[_MIN_ROWS - 1] >= x:
            # A margin or an indent: nothing is to the left of it.
            continue
        runs = _clear_runs(rows, x)
        certain = [gutter for run in runs for gutter in _gutters(run, x, starts)]
        if certain:
            found += certain
            taken = {(gutter.top, gutter.bottom) for gutter in certain}
            found += [
                gutter
                for run in runs
                if (gutter := _continued(run, x, certain[0])) and (gutter.top, gutter.bottom) not in taken
            ]
    chosen: list[Gutter] = []
    for gutter in sorted(found, key=lambda gutter: (gutter.bottom - gutter.top, gutter.x1)):
        if not any(gutter.is_within(other) for other in chosen):
            chosen.append(gutter)
    return tuple(chosen)


def _starts(rows: Sequence[Sequence[Placed]]) -> list[float]:
    """Where columns may begin; words that are shown one by one begin none."""
    starts = [row[0].x0 for row in rows]
    for row in rows:
        if len(row) > 1:
            least = _least_gap(row)
            starts += [right.x0 for left, right in pairwise(row) if right.x0 - left.x1 >= least]
    starts.sort()
    return starts


def _candidates(starts: Sequence[float], width: float) -> list[float]:
    """Positions at which several lines begin, the most frequent first."""
    counted: list[tuple[int, float]] = []
    for x in starts:
        if 0.12 * width < x < 0.9 * width and (not counted or x - counted[-1][1] > 0.01):
            count = _count_near(starts, x)
            if count >= _MIN_ROWS:
                counted.append((count, x))
    chosen: list[float] = []
    for _, x in sorted(counted, key=lambda each: (-each[0], each[1])):
        if all(abs(x - other) > _ALIGNED for other in chosen):
            chosen.append(x)
            if len(chosen) == _MAX_CANDIDATES:
                break
    return chosen


def _clear_runs(rows: Sequence[list[Placed]], x: float) -> list[list[list[Placed]]]:
    """Rows of text, from top to bottom, between those that cross ``x``."""
    runs: list[list[list[Placed]]] = [[]]
    for row in rows:
        for piece in row:
            if piece.x1 > x - 0.25 * piece.size and piece.x0 < x - _HANGING * piece.size:
                runs.append([])
                break
        else:
            runs[-1].append(row)
    return [part for run in runs for part in _without_tables(run, x)]


def _without_tables(rows: list[list[Placed]], x: float) -> list[list[list[Placed]]]:
    """Split rows where a table lies on both sides of ``x``."""
    apart = [all(_in_pieces(side) for side in _sides(row, x)) if len(row) > 2 else False for row in rows]
    runs: list[list[list[Placed]]] = [[]]
    index = 0
    while index < len(rows):
        stop = index
        while stop < len(rows) and apart[stop]:
            stop += 1
        if stop - index >= _MIN_ROWS:
            runs.append([])
            index = stop
            continue
        runs[-1] += rows[index : max(stop, index + 1)]
        index = max(stop, index + 1)
    return [run for run in runs if run]


def _sides(row: Sequence[Placed], x: float) -> tuple[list[Placed], list[Placed]]:
    return (
        [piece for piece in row if piece.x0 < x - _HANGING * piece.size],
        [piece for piece in row if piece.x0 >= x - _HANGING * piece.size],
    )


def _least_gap(row: Sequence[Placed]) -> float:
    """How wide a gap is at least where a column may begin: wider than those that justification leaves."""
    if len(row) < 2:
        return 0.0
    least = _MIN_WIDTH * row[0].size
    if len(row) < _WORDS_APART:
        return least
    gaps = sorted([right.x0 - left.x1 for left, right in pairwise(row)])
    return max(least, _WIDER * gaps[len(gaps) // 2])


def _nearest(side: Sequence[Placed], starts: Sequence[float], *, from_right: bool) -> list[Placed]:
    """The pieces at one end of a row that belong to one column.

    They end at a wide gap, and where a column begins: where many lines do.
    """

    def begins_column(piece: Placed) -> bool:
        return _count_near(starts, piece.x0) >= _MIN_COLUMN_STARTS

    if len(side) < 2:
        return list(side)
    least = _least_gap(side)
    kept: list[Placed] = []
    for piece in reversed(side) if from_right else side:
        if kept:
            near, far = (piece, kept[-1]) if from_right else (kept[-1], piece)
            gap = far.x0 - near.x1
            if gap > 4 * max(far.size, near.size) or (gap >= least and begins_column(far)):
                break
        kept.append(piece)
    return kept[::-1] if from_right else kept


def _in_pieces(side: Sequence[Placed]) -> bool:
    return len(side) >= 2 and any(
        right.x0 - left.x1 > 1.2 * max(left.size, right.size) for left, right in pairwise(side)
    )


def rows_of(ordered: Sequence[P]) -> list[list[P]]:
    """Texts on one baseline, from left to right.

    Args:
        ordered: From top to bottom.
    """
    rows: list[list[P]] = []
    for text in ordered:
        if rows and rows[-1][0].y - text.y < 0.3 * text.size:
            rows[-1].append(text)
        else:
            rows.append([text])
    for row in rows:
        if len(row) > 1:
            row.sort(key=lambda text: text.x0)
    return rows


def _gutters(run: Sequence[Sequence[Placed]], x: float, starts: Sequence[float]) -> list[Gutter]:
    """The gutter beside a run of rows; or those above and below several rows that reach into it."""
    gutter = _gutter(run, x, starts)
    ends = [near[-1].x1 for row in run if (near := _sides(row, x)[0])]
    if len(ends) < 2 * _MIN_ROWS:
        return [gutter] if gutter else []
    limit = _percentile(ends) + _ALIGNED
    parts: list[list[Sequence[Placed]]] = [[]]
    reaching: list[Sequence[Placed]] = []
    for row in run:
        near = _sides(row, x)[0]
        if near and near[-1].x1 > limit:
            reaching.append(row)
            continue
        if len(reaching) >= _MIN_ROWS:
            parts.append([])
        else:
            parts[-1] += reaching
        reaching = []
        parts[-1].append(row)
    if len(parts) == 1:
        return [gutter] if gutter else []
    return [gutter for part in parts if part and (gutter := _gutter(part, x, starts))]


def _percentile(values: Sequence[float]) -> float:
    """The ninth decile: as large as values get but for exceptions."""
    ordered = sorted(values)
    return ordered[int(0.9 * (len(ordered) - 1))]


def _gutter(run: Sequence[Sequence[Placed]], x: float, starts: Sequence[float]) -> Gutter | None:
    """The gutter to the left of ``x`` beside a run of rows, if there are columns."""
    halves = [_sides(row, x) for row in run]
    left = _Side([_nearest(near, starts, from_right=True) for near, _ in halves if near])
    right = _Side([_nearest(far, starts, from_right=False) for _, far in halves if far])
    starting = sum(abs(row[0].x0 - x) <= _ALIGNED for row in right.rows)
    if min(len(left.rows), starting) < _MIN_ROWS:
        return None
    # Lines that end before this column begins, or begin where it ends, are of the next but one.
    begin = left.edge
    end = _percentile([row[-1].x1 for row in right.rows if abs(row[0].x0 - x) <= _ALIGNED])
    left = _Side([row for row in left.rows if row[-1].x1 > begin])
    right = _Side([row for row in right.rows if row[0].x0 < end])
    top = min(left.rows[0][0].y, right.rows[0][0].y)
    bottom = max(left.rows[-1][0].y, right.rows[-1][0].y)
    beside = [row for row in left.rows if bottom - 1 <= row[0].y <= top + 1]
    facing = [row for row in right.rows if bottom - 1 <= row[0].y <= top + 1]
    if min(len(beside), len(facing)) < _MIN_ROWS:
        return None
    edge = left.edge
    reached = max(row[-1].x1 for row in left.rows if abs(row[0].x0 - edge) <= _ALIGNED)
    if sum(row[0].x0 > reached for row in beside) >= 2:
        # Something else, such as the numbers of a list, is between the column and these lines.
        return None
    # Exceptions are lines that are too long, not columns.
    ends = [row[-1].x1 for row in beside]
    end = max(each for each in ends if each <= _percentile(ends) + _ALIGNED)
    size = sorted(row[0].size for row in right.rows)[len(right.rows) // 2]
    if x - end < (_MIN_WIDTH if min(len(beside), len(facing)) > 4 else 1.0) * size:
        return None
    reach = _percentile([row[-1].x1 for row in facing])
    if not (_Side(beside).is_prose(edge, end) and _Side(facing).is_prose(right.edge, reach)):
        return None
    return _trimmed(run, x, left, right, end)


def _trimmed(
    run: Sequence[Sequence[Placed]], x: float, left: _Side, right: _Side, end: float
) -> Gutter | None:
    """The gutter beside the rows that lie in its columns; the names below a title do not."""
    aligned = [sorted(row[0].x0 for row in side.rows) for side in (left, right)]
    inside = [
        row
        for row in run
        if any(_count_near(aligned[piece.x0 > end], piece.x0) >= _MIN_ROWS for piece in row)
    ]
    return _beside(inside, end, x) if inside else None


def _beside(rows: Sequence[Sequence[Placed]], x0: float, x1: float) -> Gutter:
    return Gutter(
        x0=x0, x1=x1, top=max(piece.y for piece in rows[0]), bottom=min(piece.y for piece in rows[-1])
    )


def _continued(run: Sequence[Sequence[Placed]], x: float, known: Gutter) -> Gutter | None:
    """The gutter beside a few rows, where it is certain elsewhere on the page."""
    halves = [_sides(row, x) for row in run]
    left = [near for near, _ in halves if near]
    right = [far for _, far in halves if far]
    if not left or not any(abs(row[0].x0 - x) <= _ALIGNED for row in right):
        return None
    if any(row[-1].x1 > known.x0 + _ALIGNED for row in left):
        return None
    return _beside(run, known.x0, x)


def _find_again(texts: Sequence[Placed], known: Sequence[Gutter]) -> tuple[Gutter, ...]:
    """The gutters of another page, where the first lines of a second column stand beside a first one."""
    rows = rows_of(sorted(texts, key=lambda text: (-text.y, text.x0))) if known else []
    found: list[Gutter] = []
    for gutter in known:
        x = gutter.x1
        for run in _clear_runs(rows, x):
            halves = [_sides(row, x) for row in run]
            left = [near for near, _ in halves if near]
            right = [far for _, far in halves if far]
            continued = _continued(run, x, gutter)
            if continued is None or not right or len(right) > _MIN_ROWS + 1 or len(left) < len(right):
                continue
            edge = min(row[0].x0 for row in left)
            filled = sum(row[-1].x1 - edge >= _FILLED * (gutter.x0 - edge) for row in left)
            # A column begins where the one beside it does, unlike the cell of a table below a text.
            begins = left[0][0].y - right[0][0].y < _ALIGNED
            if begins and 2 * filled >= len(left) and abs(right[0][0].x0 - x) <= _ALIGNED:
                found.append(continued)
    return tuple(found)


def split_columns(texts: Sequence[P], gutters: Sequence[Gutter]) -> list[list[P]]:
    """Sort texts into columns, in reading order.

    What is above a gutter is read first, then the column to its left, the column to its right, and
    what is below; so is each of these.

    Args:
        texts: In any order.
        gutters: As :func:`find_gutters` returns them.
    """
    for index, gutter in enumerate(gutters):
        above: list[P] = []
        left: list[P] = []
        right: list[P] = []
        below: list[P] = []
        middle = (gutter.x0 + gutter.x1) / 2
        for text in texts:
            if text.y > gutter.top + 1:
                above.append(text)
            elif text.y < gutter.bottom - 1:
                below.append(text)
            elif text.x0 < middle and (text.x1 < gutter.x1 or (text.x0 + text.x1) / 2 < middle):
                left.append(text)
            else:
                right.append(text)
        if left and right:
            rest = gutters[index + 1 :]
            return [
                column for part in (above, left, right, below) if part for column in split_columns(part, rest)
            ]
    return [list(texts)] if texts else []
