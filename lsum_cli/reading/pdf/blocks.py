"""Blocks of lines below one another, and the order in which they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lsum_cli.reading.pdf.lines import Line
from lsum_cli.reading.pdf.typography import ends_sentence

# Baselines further apart than this, in ems, do not belong to one block, unless the text is double spaced:
# unless so many lines of so many ems are up to so many ems apart.
_BLOCK_LEADING = 1.9
_DOUBLE_LINES, _DOUBLE_WIDTH, _DOUBLE_LEADING = 6, 20, 2.6


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """Lines below one another in one column.

    Attributes:
        lines: From top to bottom.
    """

    lines: tuple[Line, ...]

    @property
    def x0(self) -> float:
        """Left end."""
        return min([line.x0 for line in self.lines])

    @property
    def x1(self) -> float:
        """Right end."""
        return max([line.x1 for line in self.lines])

    @property
    def top(self) -> float:
        """Upper end."""
        return self.lines[0].top

    @property
    def bottom(self) -> float:
        """Lower end."""
        return self.lines[-1].bottom

    @property
    def size(self) -> float:
        """The size of most of its text."""
        weights: dict[float, int] = {}
        for line in self.lines:
            weights[line.size] = weights.get(line.size, 0) + len(line.text)
        return max(weights, key=lambda size: weights[size])

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum([line.words for line in self.lines])


def order_blocks(lines: Sequence[Line], tables: Sequence[Block] = ()) -> list[Block]:
    """Group the lines of a page into blocks in reading order.

    A block is read before those below that it overlaps horizontally, and before those to its right
    unless a block between them spans both (Breuel 2003, section 4).

    Args:
        lines: All lines but those of tables.
        tables: Blocks that are not to be split.
    """
    return _reading_order([*_blocks(lines), *tables])


def _overlap(a: Line | _Box, b: Line | _Box) -> bool:
    width = min(a.x1 - a.x0, b.x1 - b.x0)
    return min(a.x1, b.x1) - max(a.x0, b.x0) > min(0.2 * width, 6.0)


def _blocks(lines: Sequence[Line]) -> list[Block]:
    """Chain each line to the line below it where each is the only neighbour of the other."""
    ordered = sorted(lines, key=lambda line: (-line.y, line.x0))
    leading = _block_leading(ordered)
    below: list[list[int]] = [[] for _ in ordered]
    above: list[list[int]] = [[] for _ in ordered]
    for index, line in enumerate(ordered):
        nearest: float | None = None
        for other_index in range(index + 1, len(ordered)):
            other = ordered[other_index]
            drop = line.y - other.y
            size = other.size if other.size > line.size else line.size
            if drop > leading * size + 1 or drop > 60:
                if drop > 60:
                    break
                continue
            if nearest is not None and drop > nearest + 0.6 * line.size:
                break
            if drop > 0.35 * size and _overlap(line, other):
                nearest = drop if nearest is None else nearest
                below[index].append(other_index)
                above[other_index].append(index)
    blocks: list[list[Line]] = []
    home: dict[int, int] = {}
    for index, line in enumerate(ordered):
        parents = above[index]
        if len(parents) == 1 and len(below[parents[0]]) == 1 and _alike(ordered[parents[0]], line, leading):
            home[index] = home[parents[0]]
            blocks[home[index]].append(line)
        else:
            home[index] = len(blocks)
            blocks.append([line])
    return [Block(lines=tuple(block)) for block in blocks]


def _block_leading(ordered: Sequence[Line]) -> float:
    """How far apart, in ems, the baselines of one block are at most."""
    long = [line for line in ordered if line.x1 - line.x0 > _DOUBLE_WIDTH * line.size]
    if len(long) <= _DOUBLE_LINES:
        return _BLOCK_LEADING
    drops = sorted([(upper.y - lower.y) / lower.size for upper, lower in pairwise(long)])
    usual = drops[len(drops) // 2]
    return 1.12 * usual if _BLOCK_LEADING < usual < _DOUBLE_LEADING else _BLOCK_LEADING


def _alike(upper: Line, lower: Line, leading: float) -> bool:
    large, small = max(upper.size, lower.size), min(upper.size, lower.size)
    drop = upper.y - lower.y
    if large <= 1.12 * small + 0.2 and drop < leading * large:
        return True
    # Words of another font make a line of prose larger or smaller than the next.
    return (
        large <= 1.35 * small
        and upper.font != lower.font
        and drop < 1.4 * small
        and upper.bold == lower.bold
        and not ends_sentence(upper.text)
        and upper.x1 > lower.x1 - large
        and upper.width > 15 * small
    )


@dataclass(slots=True)
class _Box:
    """A block's edges, computed once."""

    x0: float
    x1: float
    top: float
    bottom: float


def _reading_order(blocks: Sequence[Block]) -> list[Block]:
    boxes = [_Box(block.x0, block.x1, block.top, block.bottom) for block in blocks]
    count = len(blocks)
    if count > 400:
        # A page with this number of blocks is a drawing or a table, read by rows from top to bottom.
        return sorted(blocks, key=lambda block: (-block.top, block.x0))
    gutters = _gutters(blocks, boxes)
    followers: list[list[int]] = [[] for _ in blocks]
    waiting = [0] * count
    for i, a in enumerate(boxes):
        for j in range(i + 1, count):
            b = boxes[j]
            left, right = (i, j) if a.x0 < b.x0 else (j, i)
            higher = i if a.top + a.bottom > b.top + b.bottom else j
            beside = min(a.top, b.top) - max(a.bottom, b.bottom) > 0
            if _overlap(a, b) or not (beside or _in_columns(boxes[left], boxes[right], gutters)):
                first = higher
            else:
                first = higher if _parted(boxes[left], boxes[right], boxes) else left
            second = j if first == i else i
            followers[first].append(second)
            waiting[second] += 1
    return [blocks[index] for index in _topological(boxes, followers, waiting)]


def _topological(boxes: Sequence[_Box], followers: Sequence[Sequence[int]], waiting: list[int]) -> list[int]:
    """Topological order of the blocks; cycles are broken at the topmost block."""
    order: list[int] = []
    ready = [index for index, count in enumerate(waiting) if not count]
    remaining = set(range(len(boxes)))
    while remaining:
        if not ready:
            ready = [min(remaining, key=lambda index: (waiting[index], -boxes[index].top, boxes[index].x0))]
        ready.sort(key=lambda index: (-boxes[index].top, boxes[index].x0))
        chosen = ready.pop(0)
        if chosen not in remaining:
            continue
        remaining.discard(chosen)
        order.append(chosen)
        for follower in followers[chosen]:
            waiting[follower] -= 1
            if not waiting[follower] and follower in remaining:
                ready.append(follower)
    return order


def _gutters(blocks: Sequence[Block], boxes: Sequence[_Box]) -> list[tuple[float, float]]:
    """The gaps between columns: between blocks of several lines side by side."""
    wide = [
        box for block, box in zip(blocks, boxes, strict=True) if len(block.lines) >= 3 and block.words >= 12
    ]
    return [
        (left.x1, right.x0)
        for left in wide
        for right in wide
        if left.x1 < right.x0 + 2 and min(left.top, right.top) - max(left.bottom, right.bottom) > 12
    ]


def _in_columns(left: _Box, right: _Box, gutters: Sequence[tuple[float, float]]) -> bool:
    """Whether a gutter runs between two blocks."""
    return any(left.x1 < end + 2 and right.x0 > begin - 2 for begin, end in gutters)


def _parted(left: _Box, right: _Box, boxes: Sequence[_Box]) -> bool:
    """Whether a block that spans both lies between the two, so that the upper is read first."""
    upper, lower = (left, right) if left.top + left.bottom > right.top + right.bottom else (right, left)
    for box in boxes:
        if (
            box is not left
            and box is not right
            and box.bottom < upper.bottom + 1
            and box.top > lower.top - 1
            and box.top < upper.top
            and box.bottom > lower.bottom
            and _overlap(box, left)
            and _overlap(box, right)
        ):
            return True
    return False
