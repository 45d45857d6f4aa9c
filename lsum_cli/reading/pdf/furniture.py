"""Page furniture: running heads at the top, foot and sides, page and line numbers, tables of contents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import count, pairwise

from lsum_cli.reading.blocks import names_contents
from lsum_cli.reading.pdf.columns import rows_of
from lsum_cli.reading.pdf.file import OutlineEntry
from lsum_cli.reading.pdf.heading_candidates import CHAPTER_NAMES, CHAPTER_NUMBER, without_number, words_only
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.reading.pdf.typography import BodyType, ends_sentence
from lsum_cli.text.patterns import regex

FURNITURE = "running headers, footers, page and line numbers"
# Distance from the edge within which furniture lies, as a share of the page; the outermost lines may
# be further in.
_EDGE = 0.12
_WIDE_EDGE = 0.26
_OUTERMOST = 3
# Type so much larger than that of the body is that of a heading.
_LARGE = 1.2
# Repeated lines of so many words, half of them in small letters, are prose: a notice, not a running head.
_PROSE = 20
# Share of the lines of one form that must agree with their page number, or with each other.
_AGREEING = 0.6
_MOST_DIGITS = 9
_NUMBER = regex(r"\d+|\b[ivxlc]+\b", re.I)
_PAGE_NUMBER = regex(
    r"(?:page|p\.|seite|página|pág\.|стр\.)?\s*[-–—|·\[(]?\s*(\d{1,6}|[ivxlc]{1,8})\s*[-–—|·\])]?(?:\s*(?:of|/|von|de|sur)\s*\d{1,4})?",
    re.I,
)
PAGE_NUMBER_AT_END = regex(r"^\d{1,4}\s+|\s+\d{1,4}$")
_CHAPTER_NAME = regex(CHAPTER_NAMES, re.I)
# Most of the text is not what a file that marks it as artifacts means to leave out.
_MOST_ARTIFACTS = 0.3


@dataclass(frozen=True, slots=True)
class _Edged:
    """A line near an edge of its page.

    Attributes:
        line: The line.
        edge: ``"top"``, ``"bottom"``, ``"left"`` or ``"right"``.
        distance: Its distance from the top or, at the bottom edge, from the bottom, in points.
        outermost: Whether nothing is between it and that edge.
    """

    line: Line
    edge: str
    distance: float
    outermost: bool


def find_furniture(
    pages: Sequence[PageLines], body: BodyType, outline: Sequence[OutlineEntry] = ()
) -> set[int]:
    """Find running heads, page numbers and the numbers of lines.

    A line is a running head if the same words are at the same place on at least three pages (two in a
    document of up to five pages), where numbers in it step with the pages or stay the same; so is a
    page number that steps with the pages. What the text needs is never taken for one: a line of the
    outline on its page, a line set as a heading, a line that continues a paragraph; of repeated prose
    the first copy stays.

    Args:
        pages: In order.
        body: The font of the body text.
        outline: Bookmarks of the file.

    Returns:
        The ``id`` of each line found.
    """
    edges = {page.number: _edge_lines(page) for page in pages}
    running = _repeated(edges, len(pages), body)
    kept = _of_outline(pages, outline) | _of_paragraphs(pages, edges, running) | _of_chapters(edges)
    running -= kept
    running |= _numbers(edges, body) - kept
    running |= _marked(pages, edges) - kept
    running |= _echoes(pages, edges, body) - kept
    running |= _bands(edges, running, len(pages)) - kept
    return running | {id(line) for page in pages for line in page.lines if line.is_line_number}


def _edge_lines(page: PageLines) -> list[_Edged]:
    """Lines near an edge; the outermost may be further from it, as many books have wide margins."""
    heights = sorted({round(line.y) for line in page.lines})
    low = heights[_OUTERMOST - 1] if len(heights) > 2 * _OUTERMOST else -1.0
    high = heights[-_OUTERMOST] if len(heights) > 2 * _OUTERMOST else page.height + 1
    result: list[_Edged] = []
    for line in page.lines:
        height, y = line.y / page.height, round(line.y)
        from_top = page.height - line.y
        if height > 1 - _EDGE or (y >= high and height > 1 - _WIDE_EDGE):
            result.append(_Edged(line, "top", from_top, y >= heights[-1] - 2))
        elif height < _EDGE or (y <= low and height < _WIDE_EDGE):
            result.append(_Edged(line, "bottom", line.y, y <= heights[0] + 2))
        elif line.x1 < _EDGE * page.width:
            result.append(_Edged(line, "left", from_top, True))
        elif line.x0 > (1 - _EDGE) * page.width:
            result.append(_Edged(line, "right", from_top, True))
    return result


def _of_outline(pages: Sequence[PageLines], outline: Sequence[OutlineEntry]) -> set[int]:
    """The line of each outline entry on its page; where a running head says the same, the larger one."""
    entries: dict[int, list[str]] = defaultdict(list)
    for entry in outline:
        if wanted := words_only(without_number(entry.title)) or words_only(entry.title):
            entries[entry.pdf_page].append(wanted)
    found: set[int] = set()
    for page in pages:
        for wanted in entries.get(page.number, ()):
            matching = [
                line
                for line in page.lines
                if len(line.text) < 200
                and wanted in (words_only(line.text), words_only(without_number(line.text)))
            ]
            if matching:
                found.add(id(max(matching, key=lambda line: (line.size, line.bold, -line.y))))
    return found


def _of_chapters(edges: dict[int, list[_Edged]]) -> set[int]:
    """Words such as "Chapter" above the number of one, which stand where others do."""
    return {
        id(each.line)
        for near in edges.values()
        for each in near
        if _CHAPTER_NAME.fullmatch(each.line.text)
        and any(
            # Not a page number beside it.
            0.5 * below.line.size < each.line.y - below.line.y < 3 * below.line.size
            and CHAPTER_NUMBER.fullmatch(below.line.text)
            and below.line.size > 0.95 * each.line.size
            for below in near
        )
    }


def _of_paragraphs(
    pages: Sequence[PageLines], edges: dict[int, list[_Edged]], repeated: set[int]
) -> set[int]:
    """Lines at an edge that are part of a sentence of lines next to them that are not repeated."""
    found: set[int] = set()
    for page in pages:
        for each in edges[page.number]:
            line = each.line
            if line.words < 4 or each.edge in ("left", "right"):
                continue
            for other in page.lines:
                drop = line.y - other.y
                if (
                    0.8 * line.size < abs(drop) < 1.45 * line.size
                    and id(other) not in repeated
                    and other.font == line.font
                    and abs(other.size - line.size) < 0.3
                    and abs(other.x0 - line.x0) < 2 * line.size
                    and other.words >= 4
                    and _goes_on(*((line, other) if drop > 0 else (other, line)))
                ):
                    found.add(id(line))
                    break
    return found


def _goes_on(upper: Line, lower: Line) -> bool:
    """Whether a sentence continues from one line to the next."""
    return not ends_sentence(upper.text) and lower.text[:1].islower()


def _shape(text: str) -> str:
    """The words with numbers replaced."""
    return _NUMBER.sub("#", text.casefold()).strip()


def _values(text: str) -> list[int | None]:
    """The numbers in a text; ``None`` for what is no number of a page."""
    return [
        (int(found) if len(found) <= _MOST_DIGITS else None) if found.isdecimal() else _roman(found)
        for found in _NUMBER.findall(text)
    ]


def _repeated(edges: dict[int, list[_Edged]], num_pages: int, body: BodyType) -> set[int]:
    groups: dict[tuple[str, str], list[_Edged]] = defaultdict(list)
    for lines in edges.values():
        for each in lines:
            shape = _shape(each.line.text)
            if shape and shape != "#":
                groups[each.edge, shape].append(each)
    found: dict[int, tuple[Line, str]] = {}
    for members in groups.values():
        heights = sorted(each.distance for each in members)
        middle = heights[len(heights) // 2]
        near = [each for each in members if abs(each.distance - middle) < 12]
        for line, wording in _running(near, num_pages, body):
            found[id(line)] = (line, wording)
    return set(found) - _first_prose(list(found.values()))


def _running(members: Sequence[_Edged], num_pages: int, body: BodyType) -> Iterator[tuple[Line, str]]:
    """Those of lines of one form that are running heads, with their words but for page numbers."""
    needed = 3 if num_pages > 5 or not all(each.outermost for each in members) else 2
    if len({each.line.pdf_page for each in members}) < needed:
        return
    stepping = _stepping([each.line for each in members])
    wordings = [_without_numbers(each.line.text, stepping) for each in members]
    times = Counter(wordings)
    if sum(times[wording] for wording in times if times[wording] > 1) < _AGREEING * len(members):
        # Chapter I, Chapter II, Chapter III: numbers of something else than pages.
        return
    for each, wording in zip(members, wordings, strict=True):
        # What is set as a heading is one, unless most pages have it.
        if each.line.size < _LARGE * body.size or times[wording] >= max(needed, 0.5 * num_pages):
            yield each.line, wording


def _stepping(lines: Sequence[Line]) -> set[int]:
    """Which of the numbers in lines of one form step with the pages, by their position."""
    values = [_values(line.text) for line in lines]
    found: set[int] = set()
    for index in range(min(len(each) for each in values)):
        for pages_a_step in (1, 2):
            offsets = Counter(
                value - line.pdf_page * pages_a_step
                for line, each in zip(lines, values, strict=True)
                if (value := each[index]) is not None
            )
            if offsets and max(offsets.values()) >= max(2, _AGREEING * len(lines)):
                found.add(index)
    return found


def _without_numbers(text: str, which: set[int]) -> str:
    """A text in small letters without those of its numbers."""
    numbers = count()
    return _NUMBER.sub(lambda match: "#" if next(numbers) in which else match[0], text.casefold()).strip()


def _first_prose(found: Sequence[tuple[Line, str]]) -> set[int]:
    """Of repeated prose, such as a notice below each page, the lines of the first copy."""
    pages: dict[int, list[tuple[Line, str]]] = defaultdict(list)
    for line, wording in found:
        pages[line.pdf_page].append((line, wording))
    kept: set[int] = set()
    seen: set[str] = set()
    for number in sorted(pages):
        blocks: list[list[tuple[Line, str]]] = []
        for line, wording in sorted(pages[number], key=lambda each: (-each[0].y, each[0].x0)):
            if blocks and 0 <= blocks[-1][-1][0].y - line.y < 1.8 * line.size:
                blocks[-1].append((line, wording))
            else:
                blocks.append([(line, wording)])
        for block in blocks:
            words = " ".join(line.text for line, _ in block).split()
            if len(words) >= _PROSE and sum(word[:1].islower() for word in words) >= 0.5 * len(words):
                kept |= {id(line) for line, wording in block if wording not in seen}
                seen |= {wording for _, wording in block}
    return kept


def _numbers(edges: dict[int, list[_Edged]], body: BodyType) -> set[int]:
    """Page numbers: at one height, and increasing with the number of the PDF page."""
    groups: dict[tuple[str, int, int], list[_Edged]] = defaultdict(list)
    for lines in edges.values():
        for each in lines:
            match = _PAGE_NUMBER.fullmatch(each.line.text)
            value = None if match is None else int(match[1]) if match[1].isdigit() else _roman(match[1])
            if value is not None:
                for pages_a_step in (1, 2):
                    key = each.edge, pages_a_step, value - pages_a_step * each.line.pdf_page
                    groups[key].append(each)
    found: set[int] = set()
    for (_, pages_a_step, _), members in groups.items():
        needed = 2 if pages_a_step == 1 else 4
        for each in members:
            alike = len({other.line.pdf_page for other in members if abs(each.distance - other.distance) < 9})
            # Chapters may be numbered in large type, and a few of them stand on as many pages.
            large = each.line.size > _LARGE * body.size and alike < 0.5 * len(edges)
            if alike >= needed and not large:
                found.add(id(each.line))
    if len(edges) == 1:
        # On a single page, a lone number at the edge is the page number.
        alone = (each.line for members in groups.values() for each in members)
        found |= {id(line) for line in alone if line.text.isdigit()}
    return found


def _marked(pages: Sequence[PageLines], edges: dict[int, list[_Edged]]) -> set[int]:
    """Lines that the file marks as artifacts, unless it does so with much of its text."""
    total = sum(len(line.text) for page in pages for line in page.lines)
    marked = sum(len(line.text) for page in pages for line in page.lines if line.artifact)
    if marked > _MOST_ARTIFACTS * total:
        return set()
    return {
        id(each.line)
        for lines in edges.values()
        for each in lines
        if each.line.artifact and len(each.line.text) < 200
    }


def _echoes(pages: Sequence[PageLines], edges: dict[int, list[_Edged]], body: BodyType) -> set[int]:
    """Outermost lines that say in small type what a heading on that page or before says in large type."""
    found: set[int] = set()
    said: set[str] = set()
    for page in pages:
        said |= {
            words_only(line.text)
            for line in page.lines
            if line.size > _LARGE * body.size and sum(map(str.isalpha, line.text)) > 3
        }
        found |= {
            id(each.line)
            for each in edges[page.number]
            if each.outermost
            and each.line.size <= 1.05 * body.size
            and words_only(PAGE_NUMBER_AT_END.sub("", each.line.text)) in said
        }
    return found


def _bands(edges: dict[int, list[_Edged]], found: set[int], num_pages: int) -> set[int]:
    """Lines like the furniture of most pages, at its height, with no text beside or beyond.

    A chapter of two pages has its running head only once.
    """
    known: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for lines in edges.values():
        for each in lines:
            if id(each.line) in found:
                known[each.edge, round(each.distance / 3)].append(each.line)
    extra: set[int] = set()
    for lines in edges.values():
        for each in lines:
            line = each.line
            models = known.get((each.edge, round(each.distance / 3)), [])
            if id(line) in found or len({model.pdf_page for model in models}) < max(3, 0.15 * num_pages):
                continue
            inward = any(
                other.edge == each.edge and 1 < other.distance - each.distance < 1.7 * line.size
                for other in lines
            )
            alike = any(abs(model.size - line.size) < 0.6 and model.font == line.font for model in models)
            if not inward and alike and line.words <= 14:
                extra.add(id(line))
    return extra


def _roman(text: str) -> int | None:
    values = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
    total = 0
    numerals = [values[letter] for letter in text.casefold()]
    for value, following in zip(numerals, [*numerals[1:], 0], strict=True):
        total += -value if value < following else value
    return total if 0 < total < 400 else None


_ENTRY = regex(r".*?\S[\s.·…_]+(\d{1,4}|[ivxl]{1,7})$")
_LEADERS = regex(r"(?:[.·]\s?){5,}\s*(\d{1,4}|\d{1,2}-\d{1,3}|[ivxlA-Z-]{1,7}\d*)?$|…{2,}\s*(\d+)?$")
# The number of a chapter or the letter of an appendix, and that of a page in it.
_PAGE_OF_CHAPTER = regex(r"(\d{1,2}|[A-Z])-(\d{1,3})")
# Lines of one entry of a table of contents, at most.
_LINES_OF_AN_ENTRY = 4


@dataclass(frozen=True, slots=True)
class _Row:
    """Lines side by side, such as the number, the words and the page of an entry."""

    lines: tuple[Line, ...]
    text: str


def find_contents(pages: Sequence[PageLines], furniture: set[int]) -> set[int]:
    """Find tables of contents near the beginning of a document; returns the ``id`` of their lines.

    A list counts if it has such a heading, or continues from the page before, and nearly all of its
    rows end with numbers in ascending order; or if its rows have dot leaders.
    """
    found: set[int] = set()
    going_on = False
    for page in pages[: max(30, len(pages) // 8)]:
        if not going_on and not any(_is_of_contents(line.text) for line in page.lines):
            continue
        rows = _rows(page, furniture)
        start = next((index for index, row in enumerate(rows) if names_contents(row.text)), None)
        listed: Sequence[_Row] = ()
        taken: list[_Row] = []
        if start is not None or going_on:
            listed = rows[(start + 1 if start is not None else 0) :]
            taken = _entries(listed, strict=start is None)
            if taken and start is not None:
                taken.append(rows[start])
        # Of a list that goes on, a few entries may be left for this page.
        dotted = _dotted(rows, least=1 if going_on else 3)
        going_on = bool(taken) and (rows[-1] in taken or len(taken) > 0.8 * len(listed))
        if dotted:
            # Chapters have no dots where their sections do.
            first, last = dotted[0], dotted[-1]
            while first and _is_entry(rows[first - 1]):
                first -= 1
            while last + 1 < len(rows) and _is_entry(rows[last + 1]):
                last += 1
            # An entry of two lines has its dots on the second.
            for upper, lower in pairwise([first, *dotted, last, last]):
                stop = lower if lower - upper <= _LINES_OF_AN_ENTRY else upper
                taken += rows[upper : stop + 1]
            going_on = True
        found |= {id(line) for row in taken for line in row.lines}
    return found


def _is_of_contents(text: str) -> bool:
    """Whether a line may be the name of a table of contents or have dots that lead to a page."""
    return ". ." in text or ".." in text or "…" in text or "·" in text or names_contents(text)


def _rows(page: PageLines, furniture: Set[int]) -> list[_Row]:
    """The rows of a page from top to bottom, within its columns."""
    rows: list[list[Line]] = []
    kept = (line for line in page.lines if id(line) not in furniture)
    for row in rows_of(sorted(kept, key=lambda line: (-line.y, line.x0))):
        rows.append(row[:1])
        for left, right in pairwise(row):
            if any(gutter.parts(left, right) for gutter in page.gutters):
                rows.append([])
            rows[-1].append(right)
    return [_Row(tuple(row), " ".join(line.text for line in row)) for row in rows]


def _is_entry(row: _Row) -> bool:
    """Whether a row ends with a number apart from its words."""
    return len(row.lines) > 1 and _ENTRY.match(row.text) is not None


def _dotted(rows: Sequence[_Row], *, least: int) -> list[int]:
    """Which rows have dot leaders to page numbers, if enough do, in ascending order.

    The dots in a table lead to other things.
    """
    found: list[int] = []
    numbers: list[int] = []
    of_chapters: list[tuple[bool, int, int]] = []
    for index, row in enumerate(rows):
        match = _LEADERS.search(row.text)
        number = (match[1] or match[2] or "") if match else ""
        if page := _PAGE_OF_CHAPTER.fullmatch(number):
            # Appendices come after the chapters.
            is_letter = page[1].isalpha()
            of_chapters.append((is_letter, ord(page[1]) if is_letter else int(page[1]), int(page[2])))
        elif not _PAGE_NUMBER.fullmatch(number):
            continue
        elif number.isdigit():
            numbers.append(int(number))
        found.append(index)
    rising = sum(low <= high for low, high in pairwise(numbers))
    # Results of games look alike, so every page of a chapter has to rise.
    is_list = (
        len(found) >= least and rising >= 0.75 * (len(numbers) - 1) and of_chapters == sorted(of_chapters)
    )
    return found if is_list else []


def _entries(rows: Sequence[_Row], *, strict: bool) -> list[_Row]:
    """The rows up to the last entry, if most of them are entries in ascending order."""
    matches = [(index, match) for index, row in enumerate(rows) if (match := _ENTRY.match(row.text))]
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
    taken = list(rows[: last + 1])
    share = sum(index <= last for index, _ in matches) / len(taken)
    return taken if share >= (0.6 if strict else 0.4) else []
