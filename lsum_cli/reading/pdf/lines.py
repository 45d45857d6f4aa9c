"""Lines of a PDF page: runs of glyphs, joined with the spaces between words."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, pairwise

from lsum_cli.reading.pdf.bidi import (
    bracket_pairs,
    displayed,
    has_right_to_left,
    is_logical,
    is_mark,
    is_mostly_right_to_left,
    logical,
)
from lsum_cli.reading.pdf.columns import Gutter, find_gutters, rows_of
from lsum_cli.reading.pdf.fonts import Font
from lsum_cli.reading.pdf.glyphs import compose, is_ideographic
from lsum_cli.reading.pdf.orientation import Box, orient
from lsum_cli.reading.pdf.text_operators import COMBINING, SENTENCE_GAP, PageContent, Run, is_sentence_break
from lsum_cli.reading.reference_marks import exponent
from lsum_cli.text.patterns import regex

# Gaps between runs, in ems: a space above the first; one line below the second; separate lines above
# the third, unless the left run is a list marker.
_SPACE_GAP = 0.14
_SURE_GAP = 0.6
_LINE_GAP = 1.25
_MARKER_GAP = 2.5
# Between the baselines of an accent and of a tall letter below it, in ems.
_HIGHEST_ACCENT = 0.6
# Between a vowel sign and the inside of its letter, in ems.
_SIGN_SHIFT = 0.08
# Lines of a page are numbered where so many numbers follow on one another.
_LEAST_LINE_NUMBERS = 4
# Of superscripts, in sizes of the line: at most.
_RAISED_SIZE = 0.85
_MARKER = regex(
    r"[•◦▪●○■□❖–—\-*·‣➢✓o]|[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]|\d{1,2}(?:\.\d{1,2}){1,5}\.?"
    r"|[A-Z]\.\d+(?:\.\d{1,2}){0,4}\.?"
)
# The number of a heading, apart from its words.
_HEADING_NUMBER = regex(r"\d{1,2}|[IVX]{1,5}|[A-Z]")
# Of the runs that begin within a gap of another, so many are looked at.
_MOST_IN_GAP = 20
_SPACED_LETTERS = regex(r"(?:[^\W\d_] ){3,}[^\W\d_]")
_CITATION = regex(r"\d{1,3}[a-z]?(?:\s?[,;–−-]\s?\d{1,3}[a-z]?)*,?")
_WORD_BEFORE = regex(r"(?:[^\W\d_]{3,}|[.,;:!?)\]”’\"])\W*$")
_ACCENT_BEFORE_LETTER = regex("([´¨ˆ˜ˇ˘˚˝¸])([^\\W\\d_])")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Words on one baseline, within one column.

    Attributes:
        text: With single spaces.
        x0, x1: Begin and end in points, as the page is read: from the right where its script runs so.
        y: The baseline, in points from the bottom of the page.
        size: Font size of most of its characters, in points.
        font: Name of the font of most of its characters.
        bold: Whether most of its characters are.
        pdf_page: Number of the page, from 1.
        artifact: Whether the file marks it as an artifact, not part of the text.
        bold_lead: Number of characters at its beginning that stand out as bold.
        is_line_number: Whether it numbers a line of the text, as in drafts.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: str
    bold: bool
    pdf_page: int
    artifact: bool = False
    bold_lead: int = 0
    is_line_number: bool = False

    @property
    def top(self) -> float:
        """Approximate top of its tall letters."""
        return self.y + 0.8 * self.size

    @property
    def bottom(self) -> float:
        """Approximate bottom of its descenders."""
        return self.y - 0.25 * self.size

    @property
    def words(self) -> int:
        """How many words it has."""
        return self.text.count(" ") + 1

    @property
    def width(self) -> float:
        """In points."""
        return self.x1 - self.x0


@dataclass(frozen=True, kw_only=True, slots=True)
class PageLines:
    """The lines of a page and its size.

    Attributes:
        number: Number of the page, from 1.
        width, height: In points, as the page is read.
        lines: Those in the direction in which most of the page is read, in no order.
        sideways: Texts that run in another direction.
        gutters: The empty strips between its columns.
        drawn: Whether anything but text is on the page.
        damaged: Whether part of it could not be decoded.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...] = ()
    sideways: tuple[str, ...] = ()
    gutters: tuple[Gutter, ...] = ()
    drawn: bool = False
    damaged: bool = False


@dataclass(slots=True)
class _Strip:
    """Adjacent runs on a baseline, under construction."""

    runs: list[Run] = field(default_factory=list)
    x0: float = 0.0
    x1: float = 0.0
    y: float = 0.0
    size: float = 0.0
    text: str = ""

    def add(self, run: Run) -> None:
        if not self.runs:
            self.x0, self.x1, self.y, self.size = run.x0, run.x1, run.y, run.size
        else:
            if run.size > self.size * 1.05 or (
                run.size > self.size * 0.9 and len(run.text) > 3 * len(self.text)
            ):
                self.y, self.size = run.y, run.size
            self.x0, self.x1 = min(self.x0, run.x0), max(self.x1, run.x1)
        self.runs.append(run)
        self.text += run.text

    def absorb(self, other: _Strip) -> None:
        for run in other.runs:
            self.add(run)


def read_lines(
    content: PageContent, number: int, box: Box, turns: int = 0, known: Sequence[Gutter] = ()
) -> PageLines:
    """Join the runs of a page to lines.

    Args:
        content: What the page shows.
        number: Number of the page, from 1.
        box: Left, bottom, right and top of the visible page.
        turns: Quarter turns clockwise by which the page is displayed.
        known: The empty strips between the columns of the page before.
    """
    _set_accents(content.runs)
    _part_around_others(content.runs)
    page = orient(content, box, turns)
    leftwards = page.leftwards
    reading = _without_overprints(page.runs)
    strips = _gather(reading)
    if leftwards:
        # Most producers write such lines from left to right, too.
        strips = min((strips, _gather(reversed(reading))), key=len)
        _show_as_displayed(strips)
    counts = _line_numbers(strips)
    strips = [strip for strip in strips if id(strip) not in {id(each) for each in counts}]
    gutters = find_gutters(strips, page.width, known)
    strips = _close_loose_lines(_merge(strips, gutters), gutters)
    lines = [line for strip in strips if (line := _line(strip, number, leftwards=leftwards))]
    if leftwards:
        typed = [line for strip in strips if (line := _line(strip, number, leftwards=True, as_typed=True))]
        lines = max((lines, typed), key=lambda each: sum(bracket_pairs(line.text) for line in each))
    beside = [line for strip in counts if (line := _line(strip, number, leftwards=False))]
    return PageLines(
        number=number,
        width=page.width,
        height=page.height,
        lines=(*lines, *(replace(line, is_line_number=True) for line in beside)),
        sideways=page.sideways,
        gutters=gutters,
        drawn=content.drawn,
        damaged=content.damaged,
    )


def _set_accents(runs: list[Run]) -> None:
    """Put accents that are shown before and above a letter, as in formulas, into its run (in place)."""
    borne: set[int] = set()
    for accent, bearer in pairwise(runs):
        combining = COMBINING.get(accent.text)
        if combining is None or not bearer.text[:1].isalpha() or accent.direction or bearer.direction:
            continue
        size = max(accent.size, bearer.size)
        middle = (accent.x0 + accent.x1) / 2 - bearer.x0
        if -0.05 * size < middle < min(size, bearer.x1 - bearer.x0 + 0.3 * size) and (
            -0.05 * size < accent.y - bearer.y < _HIGHEST_ACCENT * size
        ):
            bearer.text = compose(bearer.text[0] + combining) + bearer.text[1:]
            borne.add(id(accent))
    if borne:
        runs[:] = [run for run in runs if id(run) not in borne]


def _part_around_others(runs: list[Run]) -> None:
    """Part runs (in place) where they leave room for others: letters that another font shows."""
    # Most pages have no line on which a run begins or ends before the run before it.
    y = x0 = x1 = math.nan
    for run in runs:
        if run.y == y and (run.x0 < x0 or run.x1 < x1):
            break
        y, x0, x1 = run.y, run.x0, run.x1
    else:
        return
    parted: dict[int, list[Run]] = {}
    for _, group in groupby(runs, key=_baseline):
        line = list(group)
        if len(line) == 1 or all(run.gaps is None for run in line):
            continue
        line.sort(key=_begin)
        begins = [run.x0 for run in line]
        for run, following in pairwise(line):
            if run.gaps and following.x1 < run.x1 and run.direction == 0:
                parted[id(run)] = _parts(run, line, begins)
    if parted:
        runs[:] = [part for run in runs for part in parted.get(id(run), (run,))]


def _parts(run: Run, line: Sequence[Run], begins: Sequence[float]) -> list[Run]:
    """A run, parted at those of its gaps in which others of its line stand, which begin in this order."""
    assert run.gaps is not None
    parts: list[Run] = []
    place, x0 = 0, run.x0
    room = 0.1 * run.size
    for end, left, right in run.gaps.places():
        first = bisect_right(begins, max(run.x0, left - room))
        inside = islice(line, first, min(bisect_left(begins, right + room), first + _MOST_IN_GAP))
        if any(other.x1 < min(run.x1, right + room) for other in inside):
            if text := run.text[place:end].strip():
                parts.append(replace(run, text=text, x0=x0, x1=left, gaps=None))
            place, x0 = end, right
    return [*parts, replace(run, text=run.text[place:].strip(), x0=x0, gaps=None)] if place else [run]


def _without_overprints(runs: Sequence[Run]) -> list[Run]:
    """Drop text printed again at nearly the same place, as for shadows and simulated bold type."""
    kept: list[Run] = []
    # The runs kept of each text, by the cell of a grid in which they begin.
    seen: dict[str, dict[tuple[int, int], Run]] = {}
    for run in runs:
        column, row = int(run.x0 // 3), int(run.y // 3)
        alike = seen.get(run.text)
        if alike is None:
            alike = seen[run.text] = {}
        elif run.text.strip() and any(
            (other := alike.get((column + dx, row + dy))) is not None
            and abs(other.x0 - run.x0) < 0.12 * run.size
            and abs(other.y - run.y) < 0.12 * run.size
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        ):
            continue
        kept.append(run)
        alike[column, row] = run
    return kept


def _gather(runs: Iterable[Run]) -> list[_Strip]:
    """Join runs that are adjacent in the file and on the page to strips."""
    strips: list[_Strip] = []
    current: _Strip | None = None
    for run in runs:
        if current is None or not _follows(run, current):
            current = _Strip()
            strips.append(current)
        current.add(run)
    return strips


def _follows(run: Run, strip: _Strip) -> bool:
    large, small = (run.size, strip.size) if run.size > strip.size else (strip.size, run.size)
    rise, gap = run.y - strip.y, run.x0 - strip.x1
    if rise and not _on_baseline(rise, large, small) and not _is_lowered_letter(run, rise, gap):
        return False
    if abs(rise) >= 0.2 * large and gap > 0.35 * small:
        return False
    # A subscript below a superscript begins at the same position.
    is_after = gap > -0.5 * large or strip.runs[-1].x0 - 0.1 * large <= run.x0 < strip.x1
    return is_after and gap < _SURE_GAP * min(large, 2 * small)


def _on_baseline(rise: float, size: float, other: float) -> bool:
    large, small = max(size, other), min(size, other)
    return abs(rise) < 0.2 * large or (abs(rise) < 0.55 * large and small < 0.85 * large)


def _line_numbers(strips: Sequence[_Strip]) -> list[_Strip]:
    """The numbers of lines, in small type and flush, as drafts have them beside a column."""
    sizes = sorted(strip.size for strip in strips)
    columns: dict[int, list[_Strip]] = defaultdict(list)
    for strip in strips:
        if strip.text.isdecimal() and strip.size < _RAISED_SIZE * sizes[len(sizes) // 2]:
            columns[round(strip.x1 / 2)].append(strip)
    found: list[_Strip] = []
    for column in columns.values():
        values = [int(strip.text) for strip in sorted(column, key=lambda strip: -strip.y)]
        steps = Counter(after - before for before, after in pairwise(values))
        step, count = steps.most_common(1)[0] if steps else (0, 0)
        if step > 0 and count >= _LEAST_LINE_NUMBERS and count >= 0.8 * (len(values) - 1):
            found += column
    return found


def _is_lowered_letter(run: Run, rise: float, gap: float) -> bool:
    """Whether a letter of the same size is pushed down and under the one before it, as in the logo of TeX."""
    return len(run.text) == 1 and -0.3 * run.size < rise < 0 and -0.3 * run.size < gap < -0.05 * run.size


def _merge(strips: list[_Strip], gutters: Sequence[Gutter]) -> list[_Strip]:
    """Merge strips side by side on one baseline, unless a column begins between them."""
    starts = sorted(strip.x0 for strip in strips)
    strips.sort(key=lambda strip: (-strip.y, strip.x0))
    merged: list[_Strip] = []
    for strip in strips:
        home = None
        for other in reversed(merged):
            if other.y - strip.y > 0.6 * max(other.size, strip.size, 12):
                break
            left, right = (other, strip) if other.x0 <= strip.x0 else (strip, other)
            if (
                _on_baseline(other.y - strip.y, strip.size, other.size)
                and _belong_together(left, right, starts)
                and not any(gutter.parts(left, right) for gutter in gutters)
            ):
                home = other
                break
        if home is None:
            merged.append(strip)
        else:
            home.absorb(strip)
    return merged


def _belong_together(left: _Strip, right: _Strip, starts: Sequence[float]) -> bool:
    size = min(max(left.size, right.size), 1.5 * min(left.size, right.size))
    gap = right.x0 - left.x1
    if abs(left.y - right.y) >= 0.2 * max(left.size, right.size) and gap > 0.35 * min(left.size, right.size):
        # Superscripts and subscripts are close to their word.
        return False
    if gap < -0.5 * size:
        return right.x1 <= left.x1 + size and gap > -left.x1 + left.x0
    if gap < 0.3 * size:
        return True
    if gap < _MARKER_GAP * size and _MARKER.fullmatch("".join(run.text for run in left.runs).strip()):
        return True
    if gap >= _LINE_GAP * size:
        return False
    aligned = bisect_right(starts, right.x0 + 1.5) - bisect_left(starts, right.x0 - 1.5)
    return aligned < max(4, len(starts) / 12) or _numbers_heading(left, right)


def _numbers_heading(left: _Strip, right: _Strip) -> bool:
    """Whether a bold number stands before words in the same type, with which items of a list may align."""
    font, word = left.runs[0].font, right.text[:1]
    return (
        font.bold
        and abs(left.size - right.size) < 0.05 * left.size
        and (right.runs[0].font == font or is_ideographic(word))
        and word.isalpha()
        and _HEADING_NUMBER.fullmatch(left.text.strip()) is not None
    )


def _close_loose_lines(strips: list[_Strip], gutters: Sequence[Gutter]) -> list[_Strip]:
    """Join the words of lines that justification has spread over the width of their column.

    Such a line ends where the line above or below it ends, begins where that begins, and all of the
    gaps between its words are alike; the cells of a table are not spread so evenly.
    """
    rows = [row for row in rows_of(sorted(strips, key=lambda strip: (-strip.y, strip.x0))) if row]
    whole = [strip for row in rows for strip in row if strip.x1 - strip.x0 > 12 * strip.size]
    absorbed: set[int] = set()
    for row in rows:
        if len(row) < 2:
            continue
        for group in _without_gutters(row, gutters):
            if len(group) >= 2 and _is_spread(group) and _is_framed(group, whole):
                for strip in group[1:]:
                    group[0].absorb(strip)
                    absorbed.add(id(strip))
    return [strip for strip in strips if id(strip) not in absorbed] if absorbed else strips


def _without_gutters(row: Sequence[_Strip], gutters: Sequence[Gutter]) -> list[list[_Strip]]:
    groups = [[row[0]]]
    for left, right in pairwise(row):
        if any(gutter.parts(left, right) for gutter in gutters):
            groups.append([])
        groups[-1].append(right)
    return groups


def _is_spread(group: Sequence[_Strip]) -> bool:
    """Whether the gaps are alike, and not wider than justification makes them."""
    gaps = [right.x0 - left.x1 for left, right in pairwise(group)]
    size = max(strip.size for strip in group)
    if len(gaps) == 1:
        # One gap says little, so it has to be narrow.
        return 0 < gaps[0] < 1.3 * size and min(len(strip.text.split()) for strip in group) >= 2
    return 0 < max(gaps) < 3.5 * size and max(gaps) - min(gaps) < 0.35 * size


def _is_framed(group: Sequence[_Strip], whole: Sequence[_Strip]) -> bool:
    """Whether an unbroken line next to it has the same ends."""
    x0, x1, y, size = group[0].x0, group[-1].x1, group[0].y, group[0].size
    return any(
        abs(strip.x1 - x1) < 1.5
        and abs(strip.x0 - x0) < 3 * size
        and 0.5 * size < abs(strip.y - y) < 1.8 * size
        for strip in whole
    )


def _line(strip: _Strip, number: int, *, leftwards: bool, as_typed: bool = False) -> Line | None:
    if len(strip.runs) == 1 and not (leftwards or has_right_to_left(strip.text)):
        return _line_of(strip.runs[0], number)
    runs = sorted(strip.runs, key=_begin)
    type_ = _type_of(runs)
    if type_ is None:
        return None
    size, font, bold_share = type_
    if leftwards or has_right_to_left(strip.text):
        text = _bidirectional_text(runs, leftwards=leftwards, as_typed=as_typed)
    else:
        text = _text(runs, size, strip.y)
    if not text:
        return None
    return Line(
        text=text,
        x0=strip.x0,
        x1=max([run.x1 for run in runs if run.text.strip()]),
        y=next((run.y for run in runs if round(run.size, 1) == size and run.text.strip()), strip.y),
        size=size,
        font=font,
        bold=bold_share > 0.6,
        pdf_page=number,
        artifact=all(run.artifact for run in runs),
        bold_lead=_lead(runs, bold_share),
    )


def _line_of(run: Run, number: int) -> Line | None:
    """A line of one run, as most are."""
    text = clean(run.text)
    if not text:
        return None
    return Line(
        text=text,
        x0=run.x0,
        x1=run.x1,
        y=run.y,
        size=round(run.size, 1),
        font=run.font.name,
        bold=run.font.bold,
        pdf_page=number,
        artifact=run.artifact,
    )


def _type_of(runs: Sequence[Run]) -> tuple[float, str, float] | None:
    """The size and the font of most letters, and the share of bold ones; ``None`` without letters."""
    letters: dict[tuple[float, Font], int] = {}
    for run in runs:
        key = run.size, run.font
        letters[key] = letters.get(key, 0) + len(run.text.strip())
    total = sum(letters.values())
    if not total:
        return None
    if len(letters) == 1:
        size, font = runs[0].size, runs[0].font
        return round(size, 1), font.name, float(font.bold)
    # A page may define one font several times.
    weights: Counter[tuple[float, str, bool, bool]] = Counter()
    sizes: Counter[float] = Counter()
    for (size, font), count in letters.items():
        size = round(size, 1)
        weights[size, font.name, font.bold, font.italic] += count
        sizes[size] += count
    # Monospaced letters are often smaller, so the largest size of many letters counts.
    largest = max(each for each, count in sizes.items() if count >= min(0.22 * total, max(sizes.values())))
    _, name, _, _ = max((key for key in weights if key[0] == largest), key=lambda key: weights[key])
    return largest, name, sum(count for (_, _, bold, _), count in weights.items() if bold) / total


def _lead(runs: Sequence[Run], bold_share: float) -> int:
    """Number of characters at the beginning that stand out as bold."""
    if bold_share > 0.95:
        return 0
    count = 0
    for run in runs:
        if not run.font.bold and run.text.strip():
            break
        count += len(run.text)
    return count


def _is_raised(run: Run, size: float, y: float) -> bool:
    return run.size < _RAISED_SIZE * size and 0.12 * size < run.y - y < 0.8 * size


def _text(runs: Sequence[Run], size: float, y: float) -> str:
    smaller = [run for run in runs if run.size < _RAISED_SIZE * size]
    if not smaller or not any(_is_raised(run, size, y) for run in smaller):
        return clean(_spaced(runs))
    parts: list[str] = []
    end: float | None = None
    for raised, group in groupby(runs, key=lambda run: _is_raised(run, size, y)):
        members = list(group)
        text, begin = _spaced(members), members[0].x0
        before = "".join(parts)
        if raised and text.strip():
            text = _superscript(text.strip(), before)
            parts = [before]
            if text.startswith(" ["):
                parts = [before.rstrip()]
                stop = re.search(r"[.,;:!?]+$", parts[0])
                # The reference belongs to the sentence that ends here, so it is put before the stop.
                if stop and not parts[0].endswith(("..", "al.")):
                    parts, text = [parts[0][: stop.start()]], text + stop[0]
        elif end is not None and begin - end > _SPACE_GAP * members[0].size:
            parts.append(" ")
        parts.append(text)
        end = members[-1].x1
    return clean("".join(parts))


def _spaced(runs: Sequence[Run]) -> str:
    """The texts of runs, with spaces where there are gaps."""
    text, end = runs[0].text, runs[0].x1
    for run in runs[1:]:
        gap = run.x0 - end
        is_apart = gap > _SPACE_GAP * run.size or (
            gap > SENTENCE_GAP * run.size and is_sentence_break(text, run.text)
        )
        text += f" {run.text}" if is_apart else run.text
        end = run.x1
    return text


def clean(text: str) -> str:
    """``text`` with single spaces, combined accents and letter-spaced words closed up."""
    # All white space but spaces cannot be printed.
    text = text.strip(" ") if text.isprintable() and "  " not in text else " ".join(text.split())
    if not text.isascii():
        text = _ACCENT_BEFORE_LETTER.sub(lambda match: match[2] + COMBINING[match[1]], text)
        text = compose(text)
        # TeX draws the letter within the circle anew.
        text = text.replace("©c ", "© ")
    if text[1:2] == " " and _SPACED_LETTERS.fullmatch(text):
        text = text.replace(" ", "")
    return text


def _superscript(text: str, before: str) -> str:
    if (
        _CITATION.fullmatch(text)
        and _WORD_BEFORE.search(before)
        and not re.search(r"\b(?:Mg|Li|Na|Ca)$", before)
    ):
        return f" [{text.rstrip(',')}]"
    return (exponent(text) if before else None) or text


def _show_as_displayed(strips: Sequence[_Strip]) -> None:
    """Bring runs that are in the order of reading already into the order of display, as all others are."""
    unknown = [[run for run in strip.runs if not run.is_displayed] for strip in strips]
    if not is_logical("".join(run.text for run in sorted(runs, key=_begin)[::-1]) for runs in unknown):
        return
    for runs in unknown:
        for run in runs:
            if has_right_to_left(run.text):
                run.text = displayed(run.text)


def _begin(run: Run) -> float:
    return run.x0


def _baseline(run: Run) -> float:
    return run.y


def _bidirectional_text(runs: Sequence[Run], *, leftwards: bool, as_typed: bool) -> str:
    """The text of a line with right-to-left words, in the order of reading."""
    letters = [run for run in runs if not is_mark(run.text)]
    texts = {id(run): run.text for run in letters}
    for mark in (run for run in runs if is_mark(run.text)):
        # As displayed from left to right, a vowel sign comes before the letter that bears it, often just
        # outside of it.
        middle = (mark.x0 + mark.x1) / 2 + (-_SIGN_SHIFT if leftwards else _SIGN_SHIFT) * mark.size
        bearer = min(letters, key=lambda run: max(run.x0 - middle, middle - run.x1), default=None)
        if bearer is None:
            continue
        text = texts[id(bearer)]
        share = (middle - bearer.x0) / max(bearer.x1 - bearer.x0, 0.01)
        place = min(len(text) - 1, max(0, int((1 - share if leftwards else share) * len(text))))
        texts[id(bearer)] = text[:place] + mark.text.strip() + text[place:]
    parts: list[str] = []
    last: Run | None = None
    for run in reversed(letters) if leftwards else letters:
        if last is not None:
            gap = last.x0 - run.x1 if leftwards else run.x0 - last.x1
            if gap > _SPACE_GAP * run.size:
                parts.append(" ")
        parts.append(texts[id(run)])
        last = run
    line = "".join(parts)
    right_to_left = leftwards or is_mostly_right_to_left([line])
    return clean(logical(line, right_to_left=right_to_left, as_typed=as_typed))


def with_text(line: Line, text: str) -> Line:
    """The line with another text."""
    return replace(line, text=text)
