"""Page furniture: running headers and footers, page numbers, tables of contents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from lsum_cli.reading.pdf.headings import words_only
from lsum_cli.reading.pdf.lines import Line, PageLines

FURNITURE = "running headers, footers and page numbers"
# Distance from the edge within which furniture lies, as a share of the page height; the outermost
# lines may be further in.
_EDGE = 0.12
_WIDE_EDGE = 0.26
_OUTERMOST = 3
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.I)
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|seite|página|pág\.|стр\.)?\s*[-–—|·\[(]?\s*(\d{1,4}|[ivxlc]{1,8})\s*[-–—|·\])]?(?:\s*(?:of|/|von|de|sur)\s*\d{1,4})?",
    re.I,
)


def find_furniture(pages: Sequence[PageLines]) -> set[int]:
    """Find running headers and footers and page numbers; returns the ``id`` of their lines.

    A line counts if the same words, apart from numbers, are at the same height on at least three
    pages (two in a document of up to five pages), or if it is a page number that increases with the
    pages. Lines between such lines and the edge of the page count too.
    """
    edges = {page.number: _edge_lines(page) for page in pages}
    found: set[int] = set()
    found |= _repeated(edges, len(pages))
    found |= _numbers(edges)
    found |= _marked(edges)
    return found | _bands(edges, found, len(pages))


def _edge_lines(page: PageLines) -> list[tuple[Line, str, float]]:
    """Lines near an edge: the line, which edge, and its distance from it in points.

    The outermost lines may be further from the edge: many books have wide margins.
    """
    heights = sorted({round(line.y) for line in page.lines})
    low = heights[_OUTERMOST - 1] if len(heights) > 2 * _OUTERMOST else -1.0
    high = heights[-_OUTERMOST] if len(heights) > 2 * _OUTERMOST else page.height + 1
    result: list[tuple[Line, str, float]] = []
    for line in page.lines:
        height = line.y / page.height
        if height > 1 - _EDGE or (round(line.y) >= high and height > 1 - _WIDE_EDGE):
            result.append((line, "top", page.height - line.y))
        elif height < _EDGE or (round(line.y) <= low and height < _WIDE_EDGE):
            result.append((line, "bottom", line.y))
    return result


def _shape(text: str) -> str:
    """The words with numbers replaced."""
    return _NUMBER.sub("#", text.casefold()).strip()


def _repeated(edges: dict[int, list[tuple[Line, str, float]]], count: int) -> set[int]:
    groups: dict[tuple[str, str], list[tuple[Line, float]]] = defaultdict(list)
    for lines in edges.values():
        for line, edge, distance in lines:
            shape = _shape(line.text)
            if shape and shape != "#":
                groups[edge, shape].append((line, distance))
    needed = 3 if count > 5 else 2
    found: set[int] = set()
    for members in groups.values():
        heights = sorted(distance for _, distance in members)
        middle = heights[len(heights) // 2]
        near = [line for line, distance in members if abs(distance - middle) < 12]
        if len({line.pdf_page for line in near}) >= needed:
            found |= {id(line) for line in near}
    return found


def _numbers(edges: dict[int, list[tuple[Line, str, float]]]) -> set[int]:
    """Page numbers: at one height, and increasing with the number of the PDF page."""
    groups: dict[tuple[str, int], list[tuple[Line, float]]] = defaultdict(list)
    for lines in edges.values():
        for line, edge, distance in lines:
            match = _PAGE_NUMBER.fullmatch(line.text)
            value = None if match is None else int(match[1]) if match[1].isdigit() else _roman(match[1])
            if value is not None:
                groups[edge, value - line.pdf_page].append((line, distance))
    found: set[int] = set()
    for members in groups.values():
        for line, distance in members:
            if sum(abs(distance - other) < 9 for _, other in members) >= 2:
                found.add(id(line))
    if len(edges) == 1:
        # On a single page, a lone number at the edge is the page number.
        found |= {id(line) for members in groups.values() for line, _ in members if line.text.isdigit()}
    return found


def _marked(edges: dict[int, list[tuple[Line, str, float]]]) -> set[int]:
    return {
        id(line) for lines in edges.values() for line, _, _ in lines if line.artifact and len(line.text) < 200
    }


def _bands(edges: dict[int, list[tuple[Line, str, float]]], found: set[int], count: int) -> set[int]:
    """Lines at a height where most pages have furniture, with no text beside or beyond."""
    heights: dict[str, Counter[int]] = {"top": Counter(), "bottom": Counter()}
    for lines in edges.values():
        for edge in heights:
            heights[edge].update(
                {
                    round(distance / 3)
                    for line, where, distance in lines
                    if where == edge and id(line) in found
                }
            )
    extra: set[int] = set()
    for edge, counter in heights.items():
        usual = {height for height, times in counter.items() if times >= max(3, 0.3 * count)}
        for lines in edges.values():
            here = [(line, distance) for line, where, distance in lines if where == edge]
            for line, distance in here:
                if round(distance / 3) not in usual or id(line) in found:
                    continue
                inward = [
                    other for other, far in here if far > distance + 1 and far < distance + 1.7 * line.size
                ]
                if not inward and len(line.text.split()) <= 14:
                    extra.add(id(line))
    return extra


def _roman(text: str) -> int | None:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    total = 0
    numerals = [values[letter] for letter in text.casefold()]
    for value, following in zip(numerals, [*numerals[1:], 0], strict=True):
        total += -value if value < following else value
    return total if 0 < total < 400 else None


_NAMES = frozenset(
    "contents tableofcontents briefcontents detailedcontents listoffigures listoftables inhalt"  # noqa: SIM905
    " inhaltsverzeichnis tabledesmatières índice sommaire".split()
)
_ENTRY = re.compile(r".*?\S[\s.·…_]+(\d{1,4}|[ivxl]{1,7})$")
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*(?:\d{1,4}|[ivxlA-Z-]{1,7}\d*)?$|…{2,}\s*\d+$")


def find_contents(pages: Sequence[PageLines], furniture: set[int]) -> set[int]:
    """Find tables of contents near the beginning of a document; returns the ``id`` of their lines.

    A list counts if it has such a heading, or continues from the page before, and nearly all of its
    lines end with numbers in ascending order; or if its lines have dot leaders.
    """
    found: set[int] = set()
    going_on = False
    for page in pages[: max(30, len(pages) // 8)]:
        lines = sorted(
            (line for line in page.lines if id(line) not in furniture), key=lambda line: (-line.y, line.x0)
        )
        start = next((index for index, line in enumerate(lines) if words_only(line.text) in _NAMES), None)
        going_on_here = going_on and start is None
        going_on = False
        if start is not None or going_on_here:
            listed = lines[(start + 1 if start is not None else 0) :]
            taken = _entries(listed, strict=going_on_here)
            if taken:
                found |= {id(line) for line in taken}
                if start is not None:
                    found.add(id(lines[start]))
                going_on = taken[-1] is listed[-1] or len(taken) > 0.8 * len(listed)
        dotted = [index for index, line in enumerate(lines) if _LEADERS.search(line.text)]
        if len(dotted) >= 3:
            # An entry of two lines has its dots on the second.
            for index in range(dotted[0], dotted[-1] + 1):
                found.add(id(lines[index]))
            going_on = True
    return found


def _entries(lines: Sequence[Line], *, strict: bool) -> list[Line]:
    """The lines up to the last entry, if most of them are entries in ascending order."""
    matches = [(index, match) for index, line in enumerate(lines) if (match := _ENTRY.match(line.text))]
    if len(matches) < 3:
        return []
    numbers = [int(match[1]) for _, match in matches if match[1].isdigit()]
    rising = sum(low <= high for low, high in pairwise(numbers))
    if len(numbers) > 2 and rising < 0.75 * (len(numbers) - 1):
        return []
    # The list ends where entries become rare.
    last = matches[0][0]
    for index, _ in matches:
        if index - last > 6:
            break
        last = index
    taken = list(lines[: last + 1])
    share = sum(index <= last for index, _ in matches) / len(taken)
    return taken if share >= (0.6 if strict else 0.4) else []
