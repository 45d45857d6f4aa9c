"""What the blocks of a page are: running text, notes in the margin, captions, footnotes, tables."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lsum_cli.reading.pdf.columns import Block, order_blocks
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.reading.pdf.typography import BodyType, begins_caption

_MARGIN_WIDTH = 0.27
# Strips into which the width of a page is cut to see where the text stands.
_STRIPS = 100
_SYMBOL_MARK = re.compile(r"[*†‡§¶∗]")


class Region(enum.Enum):
    """What a block is."""

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
    """A block with what it is and the page it stands on."""

    block: Block
    region: Region


def place_blocks(pages: Sequence[PageLines], furniture: set[int], body: BodyType) -> list[PlacedBlock]:
    """Put the blocks of all pages in reading order and tell what each is.

    Args:
        pages: In order.
        furniture: Ids of the lines to leave out.
        body: The type of the body text.
    """
    kept = {page.number: [line for line in page.lines if id(line) not in furniture] for page in pages}
    coverage = _coverage(kept, {page.number: page.width for page in pages}, body)
    placed: list[PlacedBlock] = []
    for page in pages:
        lines = kept[page.number]
        margin = _margin_lines(lines, page, coverage)
        tables = _tables([line for line in lines if id(line) not in margin], body)
        tabular = {id(line) for table in tables for line in table}
        grids = [_grid(table) for table in tables]
        free = [line for line in lines if id(line) not in margin and id(line) not in tabular]
        for block in order_blocks(free, grids):
            if block in grids:
                placed.append(PlacedBlock(block=block, region=Region.TABLE))
                continue
            for part in _split_captions(block, body):
                placed.append(PlacedBlock(block=part, region=_region(part, body)))
        _tell_labels(placed, page.number, body)
        if margin:
            for block in order_blocks([line for line in lines if id(line) in margin]):
                placed.append(PlacedBlock(block=block, region=Region.MARGIN))
    return placed


def _tell_labels(placed: list[PlacedBlock], number: int, body: BodyType) -> None:
    """Mark the words inside drawings: tiny ones, and rows of scraps next to the caption of a figure."""
    page = [index for index, each in enumerate(placed) if each.block.lines[0].pdf_page == number]
    loose: list[int] = []

    def settle(caption: bool) -> None:
        if caption and len(loose) >= 3:
            for index in loose:
                placed[index] = PlacedBlock(block=placed[index].block, region=Region.LABEL)
        loose.clear()

    captioned = False
    for index in page:
        each = placed[index]
        text = " ".join(line.text for line in each.block.lines)
        if each.region is Region.CAPTION:
            figure = text[:3].casefold() in ("fig", "abb", "cha", "sch")
            settle(figure)
            captioned = figure
            continue
        few = each.block.words <= 3.5 * len(each.block.lines) and each.block.words < 40
        if each.region in (Region.SMALL, Region.SCRAP, Region.TABLE) and few:
            if each.block.size < 0.66 * body.size:
                placed[index] = PlacedBlock(block=each.block, region=Region.LABEL)
            else:
                loose.append(index)
        else:
            settle(captioned)
            captioned = False
    settle(captioned)


def _coverage(kept: dict[int, list[Line]], widths: dict[int, float], body: BodyType) -> Counter[int]:
    """On how many pages text of the body covers each strip of the page's width."""
    coverage: Counter[int] = Counter()
    for number, lines in kept.items():
        strips: Counter[int] = Counter()
        for line in lines:
            if (
                line.size > 0.8 * body.size
                and len(line.text.split()) > 3
                and line.width > 0.3 * widths[number]
            ):
                unit = widths[number] / _STRIPS
                strips.update(range(int(line.x0 / unit), int(line.x1 / unit) + 1))
        coverage.update({strip for strip, count in strips.items() if count >= 3})
    return coverage


def _margin_lines(lines: Sequence[Line], page: PageLines, coverage: Counter[int]) -> set[int]:
    """Narrow lines beside the columns, where the body never stands."""
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
    # Something of the text must stand beside them, and numbers of formulas are no notes.
    notes = [line for line in beside if any(character.isalpha() for character in line.text)]
    return {id(line) for line in notes} if len(notes) >= 2 else set()


def _tables(lines: Sequence[Line], body: BodyType) -> list[list[Line]]:
    """The lines of each table: at least three rows, near one another, with cells side by side."""
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
    """The lines of a table with those of cells that take several lines."""
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
    """A table as a block: a line for each row, or, where cells are long, for each line of a cell."""
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
        # Cells stand where lines of the text run on; the second column of a page does not.
        crossing = sum(
            line.x0 < left.x1 and line.x1 > right.x0 and abs(line.size - left.size) < 0.1 * left.size
            for line in long_lines
        )
        if crossing >= 4 and min(len(left.text.split()), len(right.text.split())) <= 6:
            return True
    return False


def _split_captions(block: Block, body: BodyType) -> list[Block]:
    """Part a block where a caption begins in it."""
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
    text = " ".join(line.text for line in block.lines)
    letters = sum(character.isalpha() for character in text)
    if letters < 0.45 * len(text.replace(" ", "")):
        return words < 40 and not (len(text) < 30 and block.lines[0].font == body.font and letters > 6)
    plain = all(line.font == body.font and abs(line.size - body.size) < 0.6 for line in block.lines)
    return (
        not plain
        and not block.lines[0].bold
        and words <= 3 * len(block.lines)
        and block.size < 1.08 * body.size
    )
