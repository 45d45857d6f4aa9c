"""The layout of pages: the font of the body text, blocks in reading order, and the kind of each."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from lsum_cli.reading.pdf.columns import rows_of, split_columns
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.text.patterns import regex

StyleKey = tuple[str, float, bool]

_CAPTION = regex(
    r"(?:(?:supplementary|extended data|online)\s+)?(?:fig(?:ure|\.)?|table|tab\.|scheme"
    r"|listing|algorithm|chart|exhibit|plate|abbildung|abb\.|tabelle|tableau|figura"
    r"|tabla)\s*(?:[a-z]\.?)?\d+(?:[.-]\d+)*[a-z]?(?P<mark>\s*[.:|–—-]|\s|$)",
    re.I,
)
_NUMBERED = regex(
    r"(?:(?:chapter|section|part|appendix|§)\s*)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[IVX]{1,5}|[A-H](?:\.\d{1,2}){0,3})(?P<stop>[.):]?)\s+(?P<rest>\S.*)",
    re.I,
)
_BARE = regex(r"(?:[A-Z]|[IVX]+|\d{1,2})(?:\.\d{1,2})*\.?")
_ITEM = regex(r"\W|[\[(]?(?:\d{1,3}|[a-zA-Z])[.)\]]")
# A rule between text and footnotes, made of dashes.
_RULE = regex(r"[—–_=*\-\s]{3,}")
_STOPS, _CLOSING = frozenset(".!?…:;。！？؟"), "\"'”’)]"


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyType:
    """The font and size of most of a document's text."""

    font: str
    size: float
    bold: bool
    leading: float

    def is_small(self, size: float) -> bool:
        """Whether this is the size of notes and captions."""
        return size < 0.93 * self.size


def style_of(line: Line) -> StyleKey:
    """Font, size and weight, which lines of one kind share."""
    return (line.font, round(line.size * 2) / 2, line.bold)


def find_body_type(lines: Iterable[Line]) -> BodyType:
    """The style that most characters of running text have."""
    exact: dict[tuple[str, float, bool], int] = {}
    for line in lines:
        key = line.font, line.size, line.bold
        # Words have single spaces between them.
        exact[key] = exact.get(key, 0) + len(line.text) * (3 if line.text.count(" ") >= 4 else 1)
    if not exact:
        return BodyType(font="", size=10.0, bold=False, leading=12.0)
    weights: Counter[StyleKey] = Counter()
    sizes: Counter[float] = Counter()
    for (font, size, bold), weight in exact.items():
        size = round(size * 2) / 2
        weights[font, size, bold] += weight
        sizes[size] += weight
    size = max(sizes, key=lambda key: sizes[key])
    font, _, bold = max((key for key in weights if key[1] == size), key=lambda key: weights[key])
    return BodyType(font=font, size=size, bold=bold, leading=1.2 * size)


def begins_caption(line: Line, body: BodyType, *, opens_block: bool) -> bool:
    """Whether a line begins a caption rather than a sentence such as "Figure 2 shows"."""
    match = _CAPTION.match(line.text)
    if match is None:
        return False
    mark = match["mark"].strip()
    lead = 0 < line.bold_lead <= match.end() + 3 or (line.bold and not body.bold)
    rest = line.text[match.end() :].strip()
    if mark in (".", ":", "|") or lead or not rest:
        return opens_block or lead or bool(rest[:1].isupper())
    return opens_block and (body.is_small(line.size) or (rest[:1].isupper() and line.font != body.font))


def numbering_depth(text: str) -> int:
    """The level implied by a heading's number: 2 for "3.1 Data"; 0 without a number."""
    match = _NUMBERED.match(text)
    if match is None or not match["rest"][:1].isalpha():
        return 0
    if text[:7].casefold() in ("chapter", "section", "appendi") or text[:5].casefold() == "part ":
        return 1
    number = match["number"]
    if (
        number.isalpha()
        and len(number) == 1
        and not match["stop"]
        and number not in ("A", "B", "C", "D", "E", "F", "G", "H")
    ):
        return 0
    if number[0].islower():
        return 0
    return number.count(".") + 1


def ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence."""
    return text.rstrip(_CLOSING)[-1:] in _STOPS


def is_ideographic(character: str) -> bool:
    """Whether it is of a script without spaces between words: Chinese or Japanese, and their marks."""
    return (
        "\u3000" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
    )


# Baselines further apart than this, in ems, do not belong to one block.
_BLOCK_LEADING = 1.9


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
        return sum([len(line.text.split()) for line in self.lines])


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
    below: list[list[int]] = [[] for _ in ordered]
    above: list[list[int]] = [[] for _ in ordered]
    for index, line in enumerate(ordered):
        nearest: float | None = None
        for other_index in range(index + 1, len(ordered)):
            other = ordered[other_index]
            drop = line.y - other.y
            size = other.size if other.size > line.size else line.size
            if drop > _BLOCK_LEADING * size + 1 or drop > 60:
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
        if len(parents) == 1 and len(below[parents[0]]) == 1 and _alike(ordered[parents[0]], line):
            home[index] = home[parents[0]]
            blocks[home[index]].append(line)
        else:
            home[index] = len(blocks)
            blocks.append([line])
    return [Block(lines=tuple(block)) for block in blocks]


def _alike(upper: Line, lower: Line) -> bool:
    large, small = max(upper.size, lower.size), min(upper.size, lower.size)
    drop = upper.y - lower.y
    if large <= 1.12 * small + 0.2 and drop < _BLOCK_LEADING * large:
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


_MARGIN_WIDTH = 0.27
# Number of strips into which the page width is divided to locate the body text.
_STRIPS = 100


class Region(enum.Enum):
    """The kind of a block."""

    TEXT = "text"
    SMALL = "small"
    """Smaller than the body: a footnote beside text, but the text itself where all of it is small."""
    CAPTION = "caption"
    TABLE = "table"
    SCRAP = "scrap"
    """A few words of a drawing or a formula."""
    LABEL = "label"
    """Words inside a drawing."""
    MARGIN = "margin"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedBlock:
    """A block with its kind.

    Attributes:
        is_cell: Whether it is beside other text of its column, as the cell of a small table is.
    """

    block: Block
    region: Region
    is_cell: bool = False


def place_blocks(pages: Sequence[PageLines], furniture: set[int], body: BodyType) -> list[PlacedBlock]:
    """Put the blocks of all pages in reading order and classify them.

    Args:
        pages: In order.
        furniture: Ids of the lines to leave out.
        body: The font of the body text.
    """
    kept = {
        page.number: [
            line for line in page.lines if id(line) not in furniture and not _RULE.fullmatch(line.text)
        ]
        for page in pages
    }
    coverage = _coverage(kept, {page.number: page.width for page in pages}, body)
    placed: list[PlacedBlock] = []
    for page in pages:
        lines = kept[page.number]
        begin = len(placed)
        margin = _margin_lines(lines, page, coverage)
        for column in split_columns([line for line in lines if id(line) not in margin], page.gutters):
            tables = _tables(column, body)
            cells = _cells(column)
            tabular = {id(line) for table in tables for line in table}
            grids = [_grid(table) for table in tables]
            for block in order_blocks([line for line in column if id(line) not in tabular], grids):
                if block in grids:
                    placed.append(PlacedBlock(block=block, region=Region.TABLE))
                    continue
                for part in _split_captions(block, body):
                    placed.append(
                        PlacedBlock(block=part, region=_region(part, body), is_cell=_is_cell(part, cells))
                    )
        _tell_labels(placed, begin, body)
        if margin:
            for block in order_blocks([line for line in lines if id(line) in margin]):
                placed.append(PlacedBlock(block=block, region=Region.MARGIN))
    return placed


def _tell_labels(placed: list[PlacedBlock], begin: int, body: BodyType) -> None:
    """Mark words inside drawings: tiny ones, and groups of scraps next to the caption of a figure.

    Args:
        placed: Its blocks from ``begin`` on are those of one page.
    """
    loose: list[int] = []

    def settle(caption: bool) -> None:
        if caption and len(loose) >= 3:
            for index in loose:
                placed[index] = PlacedBlock(block=placed[index].block, region=Region.LABEL)
        loose.clear()

    captioned = False
    for index in range(begin, len(placed)):
        each = placed[index]
        if each.region is Region.CAPTION:
            figure = each.block.lines[0].text[:3].casefold() in ("fig", "abb", "cha", "sch")
            settle(figure)
            captioned = figure
            continue
        if each.region in (Region.SMALL, Region.SCRAP, Region.TABLE) and each.block.words <= min(
            3.5 * len(each.block.lines), 39
        ):
            if each.block.size < 0.66 * body.size:
                placed[index] = PlacedBlock(block=each.block, region=Region.LABEL)
            else:
                loose.append(index)
        else:
            settle(captioned)
            captioned = False
    settle(captioned)


def _coverage(kept: dict[int, list[Line]], widths: dict[int, float], body: BodyType) -> Counter[int]:
    """For each strip of the page width, the number of pages where body text covers it."""
    coverage: Counter[int] = Counter()
    for number, lines in kept.items():
        # How many more lines there are from a strip on than before it.
        more: Counter[int] = Counter()
        unit = widths[number] / _STRIPS
        for line in lines:
            if (
                line.size > 0.8 * body.size
                and line.width > 0.3 * widths[number]
                and len(line.text.split()) > 3
            ):
                more[int(line.x0 / unit)] += 1
                more[int(line.x1 / unit) + 1] -= 1
        count = 0
        for strip, following in pairwise(sorted(more)):
            count += more[strip]
            if count >= 3:
                coverage.update(range(strip, following))
    return coverage


def _margin_lines(lines: Sequence[Line], page: PageLines, coverage: Counter[int]) -> set[int]:
    """Narrow lines beside the columns of the body text."""
    if not coverage:
        return set()
    usual = max(coverage.values())
    inside = [strip for strip, count in coverage.items() if count >= max(1, 0.2 * usual)]
    unit = page.width / _STRIPS
    left, right = min(inside) * unit, (max(inside) + 1) * unit
    if right - left < 0.3 * page.width:
        return set()
    beside = [
        line
        for line in lines
        if line.width < _MARGIN_WIDTH * page.width and (line.x1 < left + 3 or line.x0 > right - 3)
    ]
    # Numbers of equations are not notes.
    notes = [line for line in beside if any(character.isalpha() for character in line.text)]
    return {id(line) for line in notes} if len(notes) >= 2 else set()


def _tables(lines: Sequence[Line], body: BodyType) -> list[list[Line]]:
    """The lines of each table: at least three adjacent rows with cells side by side."""
    ordered = sorted(lines, key=lambda line: (-line.y, line.x0))
    rows: list[list[Line]] = []
    for line in ordered:
        if rows and abs(rows[-1][0].y - line.y) < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    long_lines = [line for line in lines if len(line.text.split()) >= 5]
    tables: list[list[list[Line]]] = []
    for row in rows:
        row.sort(key=lambda line: line.x0)
        if not _is_tabular(row, long_lines):
            continue
        if tables and tables[-1][-1][0].y - row[0].y < 3.2 * body.leading:
            tables[-1].append(row)
        else:
            tables.append([row])
    return [_with_wrapped(table, ordered) for table in tables if len(table) >= 3]


def _with_wrapped(table: Sequence[Sequence[Line]], lines: Sequence[Line]) -> list[Line]:
    """The lines of a table, including those of cells with several lines."""
    cells = [line for row in table for line in row]
    left, right = min(line.x0 for line in cells), max(line.x1 for line in cells)
    top, bottom = max(line.y for line in cells), min(line.y for line in cells)
    known = {id(line) for line in cells}
    inside = [
        line
        for line in lines
        if id(line) not in known
        and bottom < line.y < top
        and left - 3 < line.x0
        and line.x1 < right + 3
        and line.width < 0.75 * (right - left)
    ]
    return cells + inside


def _grid(lines: Sequence[Line]) -> Block:
    """A table as a block: one line per row, or, where cells are long, per line of a cell."""
    ordered = sorted(lines, key=lambda line: (-round(line.y), line.x0))
    if sum(len(line.text.split()) for line in lines) > 4.5 * len(lines):
        return Block(lines=tuple(line for block in order_blocks(lines) for line in block.lines))
    rows: list[Line] = []
    for line in ordered:
        if rows and abs(rows[-1].y - line.y) < 0.3 * line.size:
            upper = rows[-1]
            rows[-1] = replace(upper, text=f"{upper.text} {line.text}", x1=max(upper.x1, line.x1))
        else:
            rows.append(line)
    return Block(lines=tuple(rows))


def _is_tabular(row: Sequence[Line], long_lines: Sequence[Line]) -> bool:
    if len(row) < 2:
        return False
    words = sum(len(line.text.split()) for line in row)
    if len(row) >= 3 and words < 4.5 * len(row):
        return True
    for left, right in pairwise(row):
        # Text lines cross the gap between cells, but not the gap between the columns of a page.
        crossing = sum(
            line.x0 < left.x1 and line.x1 > right.x0 and abs(line.size - left.size) < 0.1 * left.size
            for line in long_lines
        )
        if crossing >= 4 and min(len(left.text.split()), len(right.text.split())) <= 6:
            return True
    return False


def _cells(lines: Sequence[Line]) -> set[int]:
    """Ids of lines beside others in one column: cells of a row, not the number of a heading or an item."""
    found: set[int] = set()
    for row in rows_of(sorted(lines, key=lambda line: (-line.y, line.x0))):
        if len(row) >= 2 and not _ITEM.fullmatch(row[0].text) and not _BARE.fullmatch(row[0].text):
            found |= {id(line) for line in row}
    return found


def _is_cell(block: Block, cells: Set[int]) -> bool:
    """Whether a block is the cell of a small table, such as the head of its column."""
    return len(block.lines) <= 2 and block.words <= 8 and all(id(line) in cells for line in block.lines)


def _split_captions(block: Block, body: BodyType) -> list[Block]:
    """Split a block where a caption begins."""
    cuts = [
        index
        for index, line in enumerate(block.lines)
        if index
        and begins_caption(line, body, opens_block=False)
        and (line.bold_lead or body.is_small(line.size))
    ]
    if not cuts:
        return [block]
    edges = [0, *cuts, len(block.lines)]
    return [Block(lines=block.lines[start:stop]) for start, stop in pairwise(edges)]


def _region(block: Block, body: BodyType) -> Region:
    if begins_caption(block.lines[0], body, opens_block=True):
        return Region.CAPTION
    if body.is_small(block.size):
        return Region.SMALL
    if _is_scrap(block, body):
        return Region.SCRAP
    return Region.TEXT


def _is_scrap(block: Block, body: BodyType) -> bool:
    words = block.words
    if words > max(40, 3 * len(block.lines)):
        return False
    text = " ".join(line.text for line in block.lines)
    letters = sum(map(str.isalpha, text))
    if letters < 0.45 * len(text.replace(" ", "")):
        return words < 40 and not (len(text) < 30 and block.lines[0].font == body.font and letters > 6)
    plain = all(line.font == body.font and abs(line.size - body.size) < 0.6 for line in block.lines)
    return (
        not plain
        and not block.lines[0].bold
        and words <= 3 * len(block.lines)
        and block.size < 1.08 * body.size
    )
