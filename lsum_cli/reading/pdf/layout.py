"""The layout of pages: their blocks in reading order, and the kind of each."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from lsum_cli.reading.pdf.blocks import Block, order_blocks
from lsum_cli.reading.pdf.columns import rows_of, split_columns
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.reading.pdf.typography import BodyType, begins_caption
from lsum_cli.text.patterns import regex

_BARE = regex(r"(?:[A-Z]|[IVX]+|\d{1,2})(?:\.\d{1,2})*\.?")
_ITEM = regex(r"\W|[\[(]?(?:\d{1,3}|[a-zA-Z])[.)\]]")
# A rule between text and footnotes, made of dashes.
_RULE = regex(r"[—–_=*\-\s]{3,}")
_MARGIN_WIDTH = 0.27
# Notes in the type of the text are at most such a share of the words of a page.
_MOST_NOTES = 0.2
# Where so many rows of a table have as many cells, each is a row, however long its cells are.
_ALIGNED_ROWS = 0.8
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
        column: Number of the column of text that it stands in.
    """

    block: Block
    region: Region
    is_cell: bool = False
    column: int = 0


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
    coverage = _coverage(kept, pages, body)
    placed: list[PlacedBlock] = []
    number = 0
    for page in pages:
        lines = kept[page.number]
        begin = len(placed)
        margin = _margin_lines(lines, page, coverage, body)
        for column in split_columns([line for line in lines if id(line) not in margin], page.gutters):
            number += 1
            tables = _tables(column, body)
            cells = _cells(column)
            tabular = {id(line) for table in tables for line in table}
            grids = [_grid(table) for table in tables]
            for block in order_blocks([line for line in column if id(line) not in tabular], grids):
                if block in grids:
                    placed.append(PlacedBlock(block=block, region=Region.TABLE, column=number))
                    continue
                for part in _split_captions(block, body):
                    is_cell = _is_cell(part, cells)
                    placed.append(
                        PlacedBlock(block=part, region=_region(part, body), is_cell=is_cell, column=number)
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


def _coverage(kept: dict[int, list[Line]], pages: Sequence[PageLines], body: BodyType) -> Counter[int]:
    """For each strip of the page width, the number of pages where body text covers it."""
    coverage: Counter[int] = Counter()
    for page in pages:
        lines = kept[page.number]
        # Three columns have short lines.
        least = (0.3 if len(page.gutters) < 2 else 0.2) * page.width
        # How many more lines there are from a strip on than before it.
        more: Counter[int] = Counter()
        unit = page.width / _STRIPS
        for line in lines:
            if line.size > 0.8 * body.size and line.width > least and line.words > 3:
                more[int(line.x0 / unit)] += 1
                more[int(line.x1 / unit) + 1] -= 1
        count = 0
        for strip, following in pairwise(sorted(more)):
            count += more[strip]
            if count >= 3:
                coverage.update(range(strip, following))
    return coverage


def _margin_lines(lines: Sequence[Line], page: PageLines, coverage: Counter[int], body: BodyType) -> set[int]:
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
    if len(notes) < 2:
        return set()
    full_size = sum(line.words for line in notes if not body.is_small(line.size))
    if full_size > _MOST_NOTES * sum(line.words for line in lines):
        # So much in the type of the text is a column of it.
        return set()
    return {id(line) for line in notes}


def _tables(lines: Sequence[Line], body: BodyType) -> list[list[Line]]:
    """The lines of each table: at least three adjacent rows with cells side by side."""
    ordered = sorted(lines, key=lambda line: (-line.y, line.x0))
    rows: list[list[Line]] = []
    for line in ordered:
        if rows and abs(rows[-1][0].y - line.y) < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    long_lines = [line for line in lines if line.words >= 5]
    tables: list[list[list[Line]]] = []
    goes_on = False
    for row in rows:
        row.sort(key=lambda line: line.x0)
        if not _is_tabular(row, long_lines):
            # Between two tables may be the heading of the second.
            goes_on = goes_on and row[0].x0 > min(cells[0].x0 for cells in tables[-1]) - 3
            continue
        if goes_on and tables[-1][-1][0].y - row[0].y < 3.2 * body.leading:
            tables[-1].append(row)
        else:
            tables.append([row])
        goes_on = True
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
    """A table as a block: one line per row, or, where cells have several lines, per line of a cell."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (-round(line.y), line.x0)):
        if rows and abs(rows[-1][0].y - line.y) < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    cells, usual = Counter(map(len, rows)).most_common(1)[0]
    is_aligned = cells > 1 and usual >= _ALIGNED_ROWS * len(rows)
    if not is_aligned and sum(line.words for line in lines) > 4.5 * len(lines):
        return Block(lines=tuple(line for block in order_blocks(lines) for line in block.lines))
    return Block(
        lines=tuple(
            replace(row[0], text=" ".join(line.text for line in row), x1=max(line.x1 for line in row))
            for row in rows
        )
    )


def _is_tabular(row: Sequence[Line], long_lines: Sequence[Line]) -> bool:
    if len(row) < 2:
        return False
    words = sum(line.words for line in row)
    if len(row) >= 3 and words < 4.5 * len(row):
        return True
    for left, right in pairwise(row):
        # Text lines cross the gap between cells, but not the gap between the columns of a page.
        crossing = sum(
            line.x0 < left.x1 and line.x1 > right.x0 and abs(line.size - left.size) < 0.1 * left.size
            for line in long_lines
        )
        if crossing >= 4 and min(left.words, right.words) <= 6:
            return True
    return False


def _cells(lines: Sequence[Line]) -> set[int]:
    """Ids of lines beside others in one column: cells of a row, not the number of a heading or an item."""
    found: set[int] = set()
    for row in rows_of(sorted(lines, key=lambda line: (-line.y, line.x0))):
        if len(row) >= 2 and not is_mark_of_item(row[0].text):
            found |= {id(line) for line in row}
    return found


def is_mark_of_item(text: str) -> bool:
    """Whether a text is only the number of a heading, or the mark of an item of a list."""
    return _ITEM.fullmatch(text) is not None or _BARE.fullmatch(text) is not None


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
