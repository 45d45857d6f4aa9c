"""Headings and their levels, found by outline, numbering, font and position."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from lsum_cli.documents import SectionRole
from lsum_cli.reading.blocks import names_contents, role_of
from lsum_cli.reading.pdf.blocks import Block
from lsum_cli.reading.pdf.file import OutlineEntry
from lsum_cli.reading.pdf.heading_candidates import (
    BARE_NUMBER,
    MAX_LINES,
    Candidate,
    accept_candidates,
    find_candidates,
    is_usual,
    lead_end,
    without_accents,
    without_number,
    words_only,
)
from lsum_cli.reading.pdf.layout import PlacedBlock, Region
from lsum_cli.reading.pdf.lines import Line
from lsum_cli.reading.pdf.typography import (
    BodyType,
    StyleKey,
    ends_sentence,
    numbering_depth,
    style_of,
    style_of_body,
)
from lsum_cli.text.patterns import MONTHS, NUMBER_WORDS, regex

_NAMED_NUMBER = regex(
    r"(?P<name>chapter|part|book|letter|act|scene|canto|stave|kapitel|teil|chapitre|partie|capítulo|parte)\s+"
    rf"(?:\d{{1,3}}|[ivxlc]{{1,7}}|{NUMBER_WORDS}|the \w+)[.:]?",
    re.I,
)
_OPENING = frozenset(
    "summary introduction background preface executivesummary einleitung einfuhrung vorwort"  # noqa: SIM905
    " introduccion introducao introduzione inleiding inledning johdanto wstep uvod giris loimodau"
    " εισαγωγη введение вступ 引言 绪论 緒論 前言 はじめに まえがき 序論 서론 مقدمة مقدمه מבוא".split()
)
_DATE = regex(rf"(?:\d{{1,2}}\.? )?(?:{MONTHS})(?: \d{{1,2}},)? \d{{4}}", re.I)
# How far names and places may stand above a date, in sizes of its type.
_NEAR_DATE = 4
# Entries of an outline that name no section.
_NO_SECTION = regex(
    r"(?:slide|page|folie|seite|diapositiva|página|p\.)\s*\d*|_\w*|\W*|untitled|blank page"
    r"|.*\.(?:pdf|docx?|indd|qxd)",
    re.I,
)
_DIVISION = regex(r"(?:appendix|chapter|section|part)\s+", re.I)
_SECTION_NUMBER = regex(r"\s*(\d{1,2}(?:\.\d{1,2}){1,4})\.?\s")
_CHAPTER_NUMBERED = regex(r"\s*chapter\s+(\d{1,2})\b", re.I)
_ITEM = regex(r"\d{1,2}[.)] [^\W\d_]")
_FLOAT = regex(r"(?:figure|fig\.|table|abbildung|tabelle)\s*\d", re.I)
# Outline entries for each page, at most, that no line spells.
_MAX_UNPRINTED = 3
_ALIKE = 0.75


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """A heading found on a page.

    Attributes:
        lines: Its lines; of a heading that is not printed, the line before which it stands.
        level: From 1.
        run_in: Length of a heading that is the beginning of its line; 0 for whole lines.
        unprinted: Title of an outline entry that no line spells.
    """

    lines: tuple[Line, ...]
    level: int
    run_in: int = 0
    unprinted: str = ""


@dataclass(frozen=True, slots=True)
class _SpelledBlock:
    """Lines with their letters and digits, whole and without numbers."""

    lines: tuple[Line, ...]
    spelled: list[str]
    wordings: list[set[str]]

    @classmethod
    def of(cls, lines: tuple[Line, ...]) -> _SpelledBlock:
        spelled = [words_only(line.text) for line in lines]
        wordings = [
            {whole, words_only(without_number(line.text)), words_only(_DIVISION.sub("", line.text))}
            for whole, line in zip(spelled, lines, strict=True)
        ]
        return cls(lines, spelled, wordings)


def find_headings(
    placed: Sequence[PlacedBlock],
    body: BodyType,
    outline: Sequence[OutlineEntry],
    title: str | None = None,
) -> list[Heading]:
    """Find the headings among the blocks of a document, in reading order.

    Args:
        placed: Blocks without running headers and margin notes.
        body: The font of the body text.
        outline: May be empty. Each entry becomes a heading, printed or not.
        title: Title of the document, which is no heading.
    """
    blocks = [each.block for each in placed if each.region in (Region.TEXT, Region.SMALL)]
    cells = {id(each.block) for each in placed if each.is_cell}
    columns: dict[int, list[PlacedBlock]] = defaultdict(list)
    for each in placed:
        columns[each.column].append(each)
    around = {id(each.block): columns[each.column] for each in placed if each.column}
    candidates = find_candidates(blocks, body, cells, around)
    outline = _plausible(outline, title)
    matched, missing = _match_outline([each.block for each in placed], outline, candidates)
    accepted = _without_names(accept_candidates(candidates, blocks), blocks)
    if len(matched) >= 3 and len(matched) >= 0.4 * len(outline):
        found = _with_siblings(matched, candidates, accepted, body)
    else:
        found = _without_outline(accepted, blocks, body, matched)
    found = _below_their_chapter(found, blocks, matched)
    found += _run_ins(blocks, body, found)
    return found + _unprinted([each.block for each in placed], missing, found)


def _below_their_chapter(
    found: Sequence[Heading], blocks: Sequence[Block], matched: Sequence[Heading]
) -> list[Heading]:
    """The headings, with items of a list between two sections of a chapter below the first of these.

    "1. Save the file" after "4.5 Files", and before "4.6 Folders" or "Chapter 5", is no chapter, nor is
    another heading in its type between the two.

    Args:
        matched: Those that an outline names, which stay as they are.
    """
    places = {id(line): place for place, line in enumerate(line for block in blocks for line in block.lines)}
    ordered = sorted(found, key=lambda each: places.get(id(each.lines[0]), -1))
    sure = {id(each.lines[0]) for each in matched}
    sections = [(at, number) for at, each in enumerate(ordered) if (number := _section_number(each))]
    for (start, number), (end, following) in pairwise(sections):
        in_chapter = following[0] == number[0] or following == (number[0] + 1,)
        if not in_chapter or following <= number:
            continue
        between = [at for at in range(start + 1, end) if id(ordered[at].lines[0]) not in sure]
        styles = {style_of(ordered[at].lines[0]) for at in between if _ITEM.match(ordered[at].lines[0].text)}
        level = min(ordered[start].level + 1, 6)
        for at in between:
            if style_of(ordered[at].lines[0]) in styles and ordered[at].level < level:
                ordered[at] = replace(ordered[at], level=level)
    return ordered


def _section_number(heading: Heading) -> tuple[int, ...]:
    """The number of a section within a chapter, (4, 5), or of what is called a chapter, (4,)."""
    text = heading.lines[0].text
    chapter = _CHAPTER_NUMBERED.match(text)
    number = chapter[1] if chapter else _numbers_of(text)
    return tuple(map(int, number.split("."))) if number else ()


def _without_outline(
    accepted: Sequence[Candidate], blocks: Sequence[Block], body: BodyType, matched: Sequence[Heading]
) -> list[Heading]:
    """Headings by their looks and numbers, with the few that an outline names."""
    taken = {id(line) for heading in matched for line in heading.lines}
    found = list(matched) + [
        heading
        for heading in _assign_levels(_after_front(accepted))
        if not any(id(line) in taken for line in heading.lines)
    ]
    taken = {id(line) for heading in found for line in heading.lines}
    levels = {style_of(heading.lines[0]): heading.level for heading in found}
    depth = 1 if 1 in levels.values() else 0
    for heading in _bare_numbers(blocks, body):
        if id(heading.lines[0]) not in taken:
            level = levels.get(style_of(heading.lines[0]), heading.level + depth)
            found.append(Heading(lines=heading.lines, level=level))
    return found


def _plausible(outline: Sequence[OutlineEntry], title: str | None) -> list[OutlineEntry]:
    """The entries that name sections: no page names, figures or tables, nor the document itself."""
    whole = words_only(title or "")
    numbers = [entry for entry in outline if entry.title.strip().isdigit()]
    steps = Counter(int(entry.title) - entry.pdf_page for entry in numbers).most_common(1)
    if steps and steps[0][1] > 0.5 * len(numbers) and len(numbers) > 2:
        # They number the pages, not the chapters.
        outline = [entry for entry in outline if not entry.title.strip().isdigit()]
    return [
        entry
        for entry in outline
        if not _NO_SECTION.fullmatch(entry.title.strip())
        and not _FLOAT.match(entry.title.strip())
        and words_only(entry.title) not in ("", whole)
        and not names_contents(entry.title)
    ]


def _unprinted(
    blocks: Sequence[Block], entries: Sequence[OutlineEntry], found: Sequence[Heading]
) -> list[Heading]:
    """Headings for outline entries that no line spells, each before the text that it points to."""
    if len(entries) > _MAX_UNPRINTED * len({block.lines[0].pdf_page for block in blocks}):
        return []
    by_page: dict[int, list[Line]] = defaultdict(list)
    for block in blocks:
        before: Line | None = None
        for line in block.lines:
            # A heading does not interrupt a sentence.
            if (before is None or ends_sentence(before.text)) and not line.text[:1].islower():
                by_page[line.pdf_page].append(line)
            before = line
    near: dict[int, list[Heading]] = defaultdict(list)
    for heading in found:
        near[heading.lines[0].pdf_page].append(heading)
    headings: list[Heading] = []
    for entry in entries:
        lines = by_page.get(entry.pdf_page) or by_page.get(entry.pdf_page + 1) or []
        height = math.inf if entry.height is None or not by_page.get(entry.pdf_page) else entry.height
        place = next((line for line in lines if line.y < height), None)
        if place is not None and not any(_alike(entry.title, each) for each in near[place.pdf_page]):
            headings.append(Heading(lines=(place,), level=entry.level, unprinted=entry.title))
    return headings


def _alike(title: str, heading: Heading) -> bool:
    """Whether a heading differs from a title only in details such as symbols and accents."""
    printed = without_accents(" ".join(line.text for line in heading.lines))
    wanted = without_accents(title)
    return wanted in printed or SequenceMatcher(None, wanted, printed).ratio() > _ALIKE


def _run_ins(blocks: Sequence[Block], body: BodyType, known: Sequence[Heading]) -> list[Heading]:
    """Run-in headings: bold words that open paragraphs, if a document has several."""
    if body.bold or not known:
        return []
    taken = {id(line) for heading in known for line in heading.lines}
    begin = min((heading.lines[0].pdf_page for heading in known), default=1)
    level = min(max(heading.level for heading in known) + 1, 6)
    found: list[Heading] = []
    for block in blocks:
        for index, line in enumerate(block.lines):
            end = lead_end(line)
            if not end or id(line) in taken or line.pdf_page < begin or abs(line.size - body.size) > 0.6:
                continue
            above = block.lines[index - 1] if index else None
            if above is not None and id(above) not in taken and not ends_sentence(above.text):
                continue
            depth = numbering_depth(line.text[:end]) or level
            found.append(Heading(lines=(line,), level=depth, run_in=end))
    return found if len(found) >= 3 else []


def _bare_numbers(blocks: Sequence[Block], body: BodyType) -> list[Heading]:
    """Centred lines with only a number, as in opinions and novels: I, II, III; A, B; 1, 2."""
    found: list[tuple[str, Line]] = []
    for block in blocks:
        for index, line in enumerate(block.lines):
            match = BARE_NUMBER.fullmatch(line.text)
            if not match or line.size < 0.93 * body.size:
                continue
            others = block.lines[:index] + block.lines[index + 1 :]
            if others and not (line.bold and not body.bold) and line.size < 1.1 * body.size:
                left, right = min(other.x0 for other in others), max(other.x1 for other in others)
                if abs((line.x0 + line.x1) / 2 - (left + right) / 2) > 0.06 * (right - left) + 2:
                    continue
            found.append((match.lastgroup or "", line))
    texts = {line.text.rstrip(".") for _, line in found}
    headings = _named_numbers(blocks)
    for kind, line in found:
        # A sequence has at least the first two numbers.
        if kind == "roman" and {"I", "II"} <= texts:
            headings.append(Heading(lines=(line,), level=1))
        elif kind == "letter" and {"A", "B"} <= texts and {"I", "II"} <= texts:
            headings.append(Heading(lines=(line,), level=2))
        elif kind == "digit" and {"1", "2", "3"} <= texts:
            headings.append(Heading(lines=(line,), level=3 if {"A", "B"} <= texts else 1))
    return headings


def _named_numbers(blocks: Sequence[Block]) -> list[Heading]:
    """Lines such as "Chapter I" that are alone in their block, if there are several of a name."""
    found: dict[str, list[Line]] = defaultdict(list)
    for block in blocks:
        if len(block.lines) <= 2 and (match := _NAMED_NUMBER.fullmatch(block.lines[0].text)):
            found[match["name"].casefold()].append(block.lines[0])
    names = [name for name, lines in found.items() if len({line.text for line in lines}) >= 3]
    return [
        Heading(lines=(line,), level=level)
        for level, name in enumerate(names, start=1)
        for line in found[name]
    ]


def _match_outline(
    blocks: Sequence[Block], outline: Sequence[OutlineEntry], candidates: Sequence[Candidate]
) -> tuple[list[Heading], list[OutlineEntry]]:
    """The headings that the entries name, and the entries that no line spells."""
    if not outline:
        return [], []
    near = {entry.pdf_page + step for entry in outline for step in (-1, 0, 1)}
    by_page: dict[int, list[_SpelledBlock]] = defaultdict(list)
    for block in blocks:
        if block.lines[0].pdf_page in near:
            by_page[block.lines[0].pdf_page].append(_SpelledBlock.of(block.lines))
    standing_out = {id(candidate.lines[0]) for candidate in candidates}
    used: set[int] = set()
    found: list[Heading] = []
    missing: list[OutlineEntry] = []
    for entry in outline:
        wanted = words_only(without_number(entry.title)) or words_only(entry.title)
        options: list[tuple[float, Heading]] = []
        for page in (entry.pdf_page, entry.pdf_page + 1, entry.pdf_page - 1):
            for spelled in by_page.get(page, ()):
                for heading in _matches(spelled, wanted, entry):
                    if id(heading.lines[0]) in used:
                        continue
                    away = 0.0 if entry.height is None else abs(heading.lines[0].y - entry.height + 10) / 100
                    cost = away + (0 if page == entry.pdf_page else 10) + (3 if heading.run_in else 0)
                    cost += 0 if id(heading.lines[0]) in standing_out else 4
                    options.append((cost, heading))
        best = min(options, key=lambda option: option[0])[1] if options else None
        best = best or _otherwise_spelled(entry, candidates, used)
        if best:
            used |= {id(line) for line in best.lines}
            found.append(best)
        else:
            missing.append(entry)
    return found, missing


def _otherwise_spelled(
    entry: OutlineEntry, candidates: Sequence[Candidate], used: Set[int]
) -> Heading | None:
    """The heading on the page of an entry that has its number, or its letters but for their accents.

    Bookmarks may hold commands of TeX for what is printed, and letters without their marks.
    """
    number = _numbers_of(entry.title)
    wanted = without_accents(without_number(entry.title))
    for candidate in candidates:
        if candidate.lines[0].pdf_page != entry.pdf_page or id(candidate.lines[0]) in used:
            continue
        if (number and _numbers_of(candidate.text) == number) or (
            wanted and without_accents(without_number(candidate.text)) == wanted
        ):
            return Heading(lines=candidate.lines, level=entry.level)
    return None


def _numbers_of(title: str) -> str:
    """The number of a section within a chapter: "2.1" of "2.1 The river"."""
    found = _SECTION_NUMBER.match(title)
    return found[1] if found else ""


def _matches(block: _SpelledBlock, wanted: str, entry: OutlineEntry) -> list[Heading]:
    """Places where lines of a block match an entry: whole lines, or the beginning of a paragraph."""
    found: list[Heading] = []
    lines, spelled = block.lines, block.spelled
    for start in range(len(lines)):
        for first in block.wordings[start]:
            text = first
            if not text or not (wanted.startswith(text) or text.startswith(wanted)):
                # The number may be on a separate line.
                if not (len(text) <= 3 and lines[start].text.rstrip(".").isalnum()):
                    continue
                text = ""
            stop = start + 1
            while len(text) < len(wanted) and stop < len(lines) and stop - start < MAX_LINES:
                text += spelled[stop]
                stop += 1
            if text == wanted:
                found.append(Heading(lines=tuple(lines[start:stop]), level=entry.level))
                break
            if stop == start + 1 and text.startswith(wanted):
                end = _end_of_lead(lines[start].text, wanted)
                if end and (lines[start].bold_lead >= end - 2 or lines[start].text[end - 1] in ":.—"):
                    found.append(Heading(lines=(lines[start],), level=entry.level, run_in=end))
                    break
    return found


def _end_of_lead(text: str, wanted: str) -> int:
    """Length of the beginning of ``text`` that matches ``wanted``, with the mark after it."""
    for end in range(len(wanted), min(len(text), 3 * len(wanted) + 12)):
        if words_only(without_number(text[:end])) == wanted or words_only(text[:end]) == wanted:
            if text[end] in ".:—–-":
                return end + 1
            if text[end].isspace():
                return end
            return 0
    return 0


def _with_siblings(
    matched: list[Heading], candidates: Sequence[Candidate], accepted: Sequence[Candidate], body: BodyType
) -> list[Heading]:
    """Add headings that look like those of the outline, which is often incomplete."""
    used = {id(line) for heading in matched for line in heading.lines}
    levels: dict[StyleKey, Counter[int]] = defaultdict(Counter)
    # By how much the levels of the outline exceed those of the numbers.
    lifts: Counter[int] = Counter()
    for heading in matched:
        if not heading.run_in:
            levels[style_of(heading.lines[0])][heading.level] += 1
        if depth := numbering_depth(heading.lines[0].text):
            lifts[heading.level - depth] += 1
    lift = lifts.most_common(1)[0][0] if lifts else 0
    deepest = max(heading.level for heading in matched)
    sure = {id(candidate.lines[0]) for candidate in accepted}
    smallest = min(style[1] for style in levels) if levels else 0.0
    # A heading that is set like the text looks like any line of it, as one found in a sample does.
    levels = {style: counts for style, counts in levels.items() if style != style_of_body(body)}
    first = next((index for index, each in enumerate(candidates) if id(each.lines[0]) in used), 0)
    found = list(matched)
    for index, candidate in enumerate(candidates):
        if any(id(line) in used for line in candidate.lines):
            continue
        if candidate.goes_on or candidate.is_sample_or_cell or not candidate.standalone:
            continue
        depth = numbering_depth(candidate.text)
        if candidate.style in levels and index > first:
            usual = levels[candidate.style].most_common(1)[0][0]
            level = min(max(depth + lift, 1), 6) if depth > 1 else usual
        elif candidate.strength >= 2 and is_usual(candidate.text) and not candidate.text[:1].islower():
            # The head of a column, "content", is no chapter.
            level = min(heading.level for heading in matched)
        elif id(candidate.lines[0]) in sure and candidate.style[1] <= smallest + 1 and index > first:
            # Many outlines end at the second level. A number alone is that of a step where they have none.
            is_ranked = depth > 1 or (depth and lifts)
            level = min(max(depth + lift, 1), 6) if is_ranked else min(deepest + 1, 6)
        else:
            continue
        found.append(Heading(lines=candidate.lines, level=level))
    return found


def _after_front(accepted: Sequence[Candidate]) -> list[Candidate]:
    """Drop candidates before the first certain heading of a paper: names, addresses, article types."""
    for index, candidate in enumerate(accepted):
        if candidate.lines[0].pdf_page > 3:
            break
        is_opening = without_accents(without_number(candidate.text)) in _OPENING
        if is_opening or role_of(candidate.text) is SectionRole.ABSTRACT:
            return list(accepted[index:])
    return list(accepted)


def _without_names(accepted: Sequence[Candidate], blocks: Sequence[Block]) -> list[Candidate]:
    """Drop the date below the title, and the names in its type right above: they are no headings.

    In the type of other headings, a date is one too, as in a diary, or stands below one.
    """
    lines = [line for block in blocks for line in block.lines if line.pdf_page == blocks[0].lines[0].pdf_page]
    dates = [line for line in lines if _DATE.fullmatch(line.text)]
    if len(dates) != 1:
        return list(accepted)
    lowest, style = dates[0], style_of(dates[0])
    kept: list[Candidate] = []
    for candidate in reversed(accepted):
        first, last = candidate.lines[0], candidate.lines[-1]
        gap = last.y - lowest.y if first.pdf_page == lowest.pdf_page else -1.0
        if candidate.style == style and 0 <= gap < _NEAR_DATE * lowest.size:
            lowest = first
        else:
            kept.append(candidate)
    return list(accepted) if any(candidate.style == style for candidate in kept) else kept[::-1]


def _assign_levels(accepted: Sequence[Candidate]) -> list[Heading]:
    ranks: dict[tuple[float, bool, bool], list[int]] = defaultdict(list)

    def look(candidate: Candidate) -> tuple[float, bool, bool]:
        return (-candidate.style[1], not candidate.style[2], not candidate.text.isupper())

    for candidate in accepted:
        ranks[look(candidate)].append(numbering_depth(candidate.text))
    levels: dict[tuple[float, bool, bool], int] = {}
    level = 0
    for key in sorted(ranks):
        depths = Counter(depth for depth in ranks[key] if depth)
        if depths and sum(depths.values()) >= 0.5 * len(ranks[key]):
            level = max(depths.most_common(1)[0][0], 1)
        else:
            level += 1
        levels[key] = min(level, 6)
    return [
        Heading(lines=candidate.lines, level=numbering_depth(candidate.text) or levels[look(candidate)])
        for candidate in accepted
    ]
