"""Headings of plain text: the lines that have the form of one, as far as the whole text bears them out."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lsum_cli.reading.blocks import names_contents
from lsum_cli.reading.plain.heading_forms import (
    BETWEEN_MARKS,
    CAPITALS,
    ENTRY,
    MIN_NUMBERED,
    MIN_SPACED_BLANKS,
    HeadingKind,
    TypedHeading,
    follows,
    heading_of,
    is_chapter_title,
    is_short,
    looks_like_contents,
    names_word,
    number_of,
    numbered_heading,
    numbers_of,
    recognise,
    starred_heading,
    without_emphasis,
    word_of_part,
)
from lsum_cli.reading.plain.lines import (
    LIST_MARK,
    MIN_TURNS,
    RULE,
    TURN,
    LineGroup,
    count_turns,
    indent,
)
from lsum_cli.reading.plain.titles import (
    find_set_off,
    find_titles,
    is_common,
    may_be_title,
)
from lsum_cli.text.patterns import regex

# A clause of a contract: "2. Grant of Licence. Subject to the terms …", or its name alone, with a full stop.
_CLAUSE = regex(
    r"(?P<heading>(?P<number>\d{1,2})\.\s+(?P<title>[A-Z][^.:;?!]{2,60}))\.(?:\s+(?P<text>[A-Z\"“(].*))?"
)
_MIN_REPEATED = 3
_MIN_SECTION_WORDS = 8
_MIN_CLAUSES = 4
_LONGEST_SMALL = 3  # letters of a word that a title may begin in lower case
_MIN_AT_THE_MARGIN, _MIN_CHAPTERS_BEFORE = 2, 2
_MIN_STARRED, _MIN_CAPITALS, _MIN_MARKED = 2, 2, 2
_MIN_WORDS_ABOVE, _MOST_WORDS_ABOVE = 3, 5
_MIN_WORDS_SET_IN = 3
_LEAST_PROSE_BELOW = 50  # characters
# Fields ("License: MIT"), options and paths are none; nor are lines of scripts without capitals.
_WORDS_ABOVE = regex(r"[A-ZÀ-ÖØ-Þ][^:?*/=<\[\u3000-\u9fff]*")
# "2.0 (2019-12-20)", "Lathe 2.0 - 20 December 2019", "v2.0": a release, and when it was made.
_DAY = r"(?:\d{1,2}(?:st|nd|rd|th)?)"
_RELEASE = regex(
    r"(?:[a-z][\w-]* )?v?\d+(?:\.\w+)+(?: (?:- |-- |[–—] )?[(\[]?(?:released:? )?(?:on )?"
    r"(?:\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2\d{4}"
    rf"|(?:{_DAY} )?[a-z]{{3,9}}\.?(?: {_DAY})?,? \d{{4}}|unreleased|in development)[)\]]?)?:?",
    re.IGNORECASE,
)
_LIST_ENTRY = regex(r"[-*•‣◦–+]\s+\S")
# What heads a part of something larger: "2. Materials", "Chapter 4".
_OF_A_WHOLE = regex(r"[\dIVXLC]+[.)]|(?:chapter|section|part|appendix|lesson|act|book)\b", re.IGNORECASE)
_MOST_NAMED = 0.66
_NUMBERED_CHAPTER = regex(r"[^\W\d_]+\s(\d{1,2})(?!\d)")


_UNNUMBERED_KINDS = (HeadingKind.CAPITALS, HeadingKind.UNDERLINED, HeadingKind.NAMED)
_CHAPTER_KINDS = (HeadingKind.CHAPTER, HeadingKind.SCENE, HeadingKind.BARE_NUMBER)
_LIST_KINDS = (HeadingKind.NUMBERED, HeadingKind.ROMAN_TITLED, HeadingKind.LETTERED)


def find_headings(groups: Sequence[LineGroup]) -> dict[int, TypedHeading]:
    """The headings of a text, by the index of their (first) group."""
    times = Counter(group.text for group in groups if len(group.lines) == 1 and is_short(group.lines[0]))
    names = {text for text, count in times.items() if count >= _MIN_REPEATED and CAPITALS.fullmatch(text)}
    candidates = [
        found for index, group in enumerate(groups) if (found := recognise(index, group, groups, names))
    ]
    speakers = _speakers(groups)
    if starred := _starred(groups):
        candidates = starred
    if speakers:
        candidates = [found for found in candidates if found.text.partition(":")[0].strip() not in speakers]
    contents = _contents_said_again(groups)
    candidates = [found for found in _with_chapters_continued(candidates) if found.group not in contents]
    examples = find_set_off(groups)
    # Where headings stand at the margin, a line that is set off from it is none.
    if sum(found.group not in examples for found in candidates) < _MIN_AT_THE_MARGIN:
        examples = set()
    candidates = [
        found for found in candidates if found.kind is not HeadingKind.CAPITALS or found.group not in examples
    ]
    candidates = _without_steps(_without_measures(_keep_sequences(candidates, groups)))
    candidates = _name_chapters(candidates, groups)
    candidates = _level_by_rules(_with_parts_below_parts(candidates), groups)
    candidates = _keep_filled(candidates, groups)
    in_form, candidates = candidates, _keep_capitals_that_stand_out(candidates, groups)
    # Where headings have rules, capitals that are no headings are no titles either.
    if sum(heading.kind is HeadingKind.UNDERLINED for heading in candidates) >= MIN_NUMBERED:
        examples |= {heading.group for heading in in_form} - {heading.group for heading in candidates}
    taken = {heading.group: heading.last_group for heading in candidates}
    if contents:
        taken[contents.start] = contents.stop - 1
    divided = sum(1 for heading in candidates if heading.kind in _CHAPTER_KINDS) > 1
    titles = [
        heading_of(index, HeadingKind.TITLED, without_emphasis(groups[index]).text)
        for index in find_titles(groups, taken, examples, divided=divided)
        if groups[index].text.partition(":")[0].strip() not in speakers
    ]
    if sum(map(_is_numbered, candidates)) >= MIN_NUMBERED:
        titles = _without_fields(titles)
    candidates = _without_lists(candidates, titles, groups)
    candidates = sorted((*candidates, *titles), key=lambda heading: heading.group)
    return {heading.group: heading for heading in _settle_levels(candidates)}


def with_numbered_apart(groups: Sequence[LineGroup]) -> list[LineGroup]:
    """The groups, with numbered headings apart from the text that stands directly below them.

    ``1. Purpose`` above ``This project …`` is a heading where several such lines are numbered in sequence,
    and each ends before its line is full.
    """
    numbers, above = [], set()
    for index, group in enumerate(groups):
        first = LineGroup(lines=group.lines[:1], blank_before=group.blank_before)
        heading = numbered_heading(index, first)
        if heading is None or heading.level > 1:
            continue
        if len(group.lines) > 1:
            if not _ends_early(group.lines):
                continue
            above.add(index)
        numbers.append(number_of(heading.text))
    if len(above) < 2 or len(numbers) < MIN_NUMBERED or numbers != [*range(1, len(numbers) + 1)]:
        return list(groups)
    return _with_first_lines_apart(groups, above)


def with_headings_apart(groups: Sequence[LineGroup]) -> list[LineGroup]:
    """The groups, with lines between marks, in capitals, or of few words, apart from the text below them.

    There are several of a kind, and none comes again: names above what they say are those of a play. Of
    releases one is enough, above what is set in below it.
    """
    above: set[int] = set()
    for is_below, fewest in (
        (_is_below_marks, _MIN_MARKED),
        (_is_below_capitals, _MIN_CAPITALS),
        (_is_below_words, _MIN_WORDS_ABOVE),
        (_is_below_release, 1),
    ):
        found = {index for index, group in enumerate(groups) if is_below(index, group)}
        if len(found) >= fewest and len({groups[index].lines[0].strip() for index in found}) == len(found):
            above |= found
    return _with_first_lines_apart(groups, above)


def _with_first_lines_apart(groups: Sequence[LineGroup], above: set[int]) -> list[LineGroup]:
    """The groups, of which some are two: their first line and the text directly below it."""
    apart = []
    for index, group in enumerate(groups):
        if index in above:
            apart.append(LineGroup(lines=group.lines[:1], blank_before=group.blank_before))
            apart.append(LineGroup(lines=group.lines[1:], blank_before=0))
        else:
            apart.append(group)
    return apart


def _is_below_marks(_: int, group: LineGroup) -> bool:
    """Whether a group is text below a title between marks: "== Goals =="."""
    line = group.lines[0].strip()
    return len(group.lines) > 1 and BETWEEN_MARKS.fullmatch(line) is not None and is_short(line)


def _is_below_capitals(index: int, group: LineGroup) -> bool:
    """Whether a group is text below a line in capitals that is a heading where it stands alone."""
    line = group.lines[0]
    # Of scripts without capitals most lines would pass for such.
    if len(group.lines) == 1 or not all(map(str.isupper, filter(str.isalpha, line))):
        return False
    below = group.lines[1].strip()
    if below[0].islower() or CAPITALS.fullmatch(below) is not None or RULE.fullmatch(below) is not None:
        return False
    first = LineGroup(lines=group.lines[:1], blank_before=group.blank_before)
    heading = recognise(index, first, [first], set())
    return heading is not None and heading.kind is HeadingKind.CAPITALS


def _is_below_words(_: int, group: LineGroup) -> bool:
    """Whether a group is a list, or lines of prose, below a line of a few words that may be a title."""
    if len(group.lines) == 1:
        return False
    line, below = group.lines[0].strip(), group.lines[1].strip()
    return (
        len(line.split()) <= _MOST_WORDS_ABOVE
        and _WORDS_ABOVE.fullmatch(line) is not None
        and may_be_title(LineGroup(lines=group.lines[:1], blank_before=0))
        and (
            _LIST_ENTRY.match(below) is not None or (below[0].isupper() and len(below) >= _LEAST_PROSE_BELOW)
        )
    )


def _is_below_release(_: int, group: LineGroup) -> bool:
    """Whether a group is text that is set in below the name of a release."""
    if len(group.lines) == 1:
        return False
    line, *below = group.lines
    return (
        all(indent(each) > indent(line) for each in below)
        and len(below[0].split()) >= _MIN_WORDS_SET_IN
        and _RELEASE.fullmatch(line.strip()) is not None
    )


def with_clauses_apart(groups: Sequence[LineGroup]) -> list[LineGroup]:
    """The groups, with the names of the clauses of a contract apart from what they say in the same line.

    Clauses are numbered from 1, and each is named as a title is, and found to be a heading when it is apart.
    """
    found = {
        index: clause
        for index, group in enumerate(groups)
        if (clause := _CLAUSE.fullmatch(group.lines[0].strip()))
        and all(word[0].isupper() or len(word) <= _LONGEST_SMALL for word in clause["title"].split())
    }
    numbers = [int(clause["number"]) for clause in found.values()]
    if len(numbers) < _MIN_CLAUSES or numbers != [*range(1, len(numbers) + 1)]:
        return list(groups)
    apart: list[LineGroup] = []
    named: list[int] = []
    for index, group in enumerate(groups):
        clause = found.get(index)
        if clause is None:
            apart.append(group)
            continue
        named.append(len(apart))
        apart.append(LineGroup(lines=(clause["heading"],), blank_before=group.blank_before))
        lines = (*([clause["text"]] if clause["text"] else []), *group.lines[1:])
        if lines:
            apart.append(LineGroup(lines=lines, blank_before=0))
    # A name that is no heading there would stand alone, without its stop.
    return apart if find_headings(apart).keys() >= set(named) else list(groups)


def _ends_early(lines: Sequence[str]) -> bool:
    """Whether the first line ends although more would fit, and what begins below it is no list."""
    below = lines[1].strip()
    width = max(map(len, lines))
    fits = len(lines[0]) + 1 + len(below.split(maxsplit=1)[0]) <= width
    return fits and not below[0].islower() and LIST_MARK.match(below) is None


def take_title(headings: dict[int, TypedHeading], groups: Sequence[LineGroup]) -> str | None:
    """Remove the heading that is the title of the whole text, and return its words.

    It stands first: underlined as no other heading is, or a line alone like those that are headings.
    """
    first = headings.get(0)
    if first is None or is_common(first.text) or (len(headings) == 1 and _OF_A_WHOLE.match(first.text)):
        return None
    if first.kind is HeadingKind.UNDERLINED:
        if any(heading.level <= first.level for heading in headings.values() if heading.group):
            return None
        for index in list(headings):
            headings[index] = replace(headings[index], level=max(1, headings[index].level - 1))
    elif first.kind is not HeadingKind.TITLED or groups[0].blank_before or first.text.endswith("?"):
        return None
    return headings.pop(0).text


def _without_lists(
    candidates: Sequence[TypedHeading], titles: Sequence[TypedHeading], groups: Sequence[LineGroup]
) -> list[TypedHeading]:
    """Without numbered lines that are lists: among headings without numbers, counted anew or but a part."""
    numbered = [found for found in candidates if found.kind is HeadingKind.NUMBERED]
    others = [found for found in candidates if found.kind in _UNNUMBERED_KINDS]
    if not numbered or len(others) + len(titles) < MIN_NUMBERED:
        return list(candidates)
    if any(found.level > 1 for found in numbered):
        return list(candidates)
    starts = sum(1 for found in numbered if number_of(found.text) == 1)
    first, last = numbered[0].group, numbered[-1].group
    inside = sum(group.num_words for group in groups[first : last + 1])
    if starts <= 1 and 2 * inside > sum(group.num_words for group in groups):
        return list(candidates)
    return [found for found in candidates if found.kind is not HeadingKind.NUMBERED]


def _level_by_rules(found: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Underlined headings with the level of their rule: the first that is used is the highest."""
    rules: dict[tuple[str, int], int] = {}
    levelled = []
    for heading in found:
        if heading.kind is HeadingKind.UNDERLINED:
            lines = groups[heading.group].lines
            # Of marks on both sides of a title, the number tells the level.
            mark = lines[-1].strip()[0] if len(lines) > 1 else lines[0].split()[0]
            level = rules.setdefault((mark, len(lines)), len(rules) + 1)
            levelled.append(replace(heading, level=level))
        else:
            levelled.append(heading)
    return levelled


def find_contents(groups: Sequence[LineGroup], headings: dict[int, TypedHeading]) -> range:
    """The groups of the table of contents; an empty range where there is none."""
    for index, group in enumerate(groups[: max(40, len(groups) // 10)]):
        if not names_contents(group.lines[0]):
            continue
        end = index + 1
        if len(group.lines) == 1 and not (end < len(groups) and looks_like_contents(groups[end])):
            continue
        while end < len(groups) and end not in headings and looks_like_contents(groups[end]):
            end += 1
        return range(index, end)
    return range(0)


def _contents_said_again(groups: Sequence[LineGroup]) -> range:
    """The groups of a table of contents whose first entry comes again, as a heading, below the last one."""
    for index, group in enumerate(groups[: max(40, len(groups) // 10)]):
        if len(group.lines) > 1 or not names_contents(group.lines[0]) or index + 1 == len(groups):
            continue
        first = groups[index + 1].lines[0].split()
        for end in range(index + 1, len(groups)):
            if end > index + 1 and groups[end].lines[0].split() == first:
                return range(index, end)
            if not looks_like_contents(groups[end]):
                break
    return range(0)


def _starred(groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """The headings of an outline: lines alone with one star, two and more; of a list there are none."""
    found = [heading for index, group in enumerate(groups) if (heading := starred_heading(index, group))]
    below = sum(heading.level > 1 for heading in found)
    return found if below >= _MIN_STARRED and below < len(found) else []


def _speakers(groups: Sequence[LineGroup]) -> set[str]:
    """Who speaks in a conversation: most paragraphs open with a name that others open with too."""
    firsts = [group.lines[0].strip() for group in groups]
    speakers = {name for name, count in count_turns(firsts).items() if count >= MIN_TURNS}
    turns = sum(1 for first in firsts if (found := TURN.match(first)) and found["name"] in speakers)
    return speakers if 2 * turns > len(groups) else set()


def _with_chapters_continued(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """The headings, with chapters whose numbers go on, without the word before them, below the last one."""
    chapters = [found for found in candidates if found.kind is HeadingKind.CHAPTER]
    if len(chapters) < _MIN_CHAPTERS_BEFORE:
        return list(candidates)
    last = chapters[-1]
    bare = [
        found for found in candidates if found.kind is HeadingKind.ROMAN_TITLED and found.group > last.group
    ]
    above = number_of(" ".join(last.text.split()[1:]))
    if [number_of(found.text) for found in bare] != [*range(above + 1, above + 1 + len(bare))]:
        return list(candidates)
    return [replace(found, kind=HeadingKind.CHAPTER) if found in bare else found for found in candidates]


def _with_parts_below_parts(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """The headings, with the parts of books, or the books of parts, one level below those."""
    words = {id(found): word_of_part(found.text) for found in candidates if found.kind is HeadingKind.PART}
    pairs = {
        (words[id(above)], words[id(below)])
        for above, below in itertools.pairwise(candidates)
        if id(above) in words and id(below) in words and below.group == above.last_group + 1
    }
    lower = {below for above, below in pairs if above != below and (below, above) not in pairs}
    return [
        replace(found, level=found.level + 1) if words.get(id(found)) in lower else found
        for found in candidates
    ]


def _name_chapters(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Bare numbers with the titles on the lines below them, where most have one."""
    bare = [candidate for candidate in candidates if candidate.kind is HeadingKind.BARE_NUMBER]
    starts = {candidate.group for candidate in candidates}
    named = {
        candidate.group: replace(
            candidate,
            text=f"{candidate.text} {groups[candidate.group + 1].text}",
            last_group=candidate.group + 1,
        )
        for candidate in bare
        if len(groups[candidate.group].lines) == 1 and _has_title_below(candidate.group, starts, groups)
    }
    if len(named) < _MOST_NAMED * len(bare):
        return list(candidates)
    return [
        named.get(candidate.group, candidate)
        for candidate in candidates
        if candidate.group - 1 not in named or candidate.kind is HeadingKind.BARE_NUMBER
    ]


def _has_title_below(group: int, starts: set[int], groups: Sequence[LineGroup]) -> bool:
    if group + 2 >= len(groups) or group + 2 in starts - {group}:
        return False
    below = groups[group + 1]
    form = may_be_title(below) or (len(below.lines) == 1 and bool(CAPITALS.fullmatch(below.text)))
    return form and below.blank_before <= MIN_SPACED_BLANKS and is_chapter_title(below.text)


def _keep_sequences(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Keep bare numbers and titled Roman numerals only where they form a sequence that begins with 1."""
    kept = {id(candidate) for candidate in candidates}
    for kind in (HeadingKind.BARE_NUMBER, HeadingKind.ROMAN_TITLED, HeadingKind.LETTERED):
        numbers = [candidate for candidate in candidates if candidate.kind is kind]
        in_order: set[int] = set()
        expected = 1
        run: list[TypedHeading] = []
        for candidate in numbers:
            value = ord(candidate.text[0]) - 64 if kind is HeadingKind.LETTERED else number_of(candidate.text)
            if value == 1 or value == expected:
                if value == 1:
                    run = []
                run.append(candidate)
                expected = value + 1
                if len(run) > 1:
                    in_order.update(id(member) for member in run)
        kept -= {id(candidate) for candidate in numbers if id(candidate) not in in_order}
        if kind is HeadingKind.BARE_NUMBER and _are_page_numbers(
            [c for c in numbers if id(c) in in_order], groups
        ):
            kept -= in_order
    return [candidate for candidate in candidates if id(candidate) in kept]


def _without_fields(titles: Sequence[TypedHeading]) -> list[TypedHeading]:
    """Without lines that open with a label again and again: "Default: 0", "See also: beep".

    What asks is no field: "Subject: Q2.2 -- What is smap?".
    """
    labels = [
        label.lower() if colon and not value.endswith("?") else ""
        for label, colon, value in (each.text.partition(":") for each in titles)
    ]
    # "-- Function: int stop (void)" names what is told below it.
    times = Counter(label for label in labels if label[:1].isalpha())
    return [title for title, label in zip(titles, labels, strict=True) if times[label] < _MIN_REPEATED]


def _without_measures(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """Without "2.5 litres": a word in lower case has the number of a section where one next to it goes on."""
    numbered = [found for found in candidates if found.kind is HeadingKind.NUMBERED]
    named = {id(found) for found in numbered if names_word(found.text)}
    if not named:
        return list(candidates)
    goes_on = {
        id(found)
        for above, below in itertools.pairwise(numbered)
        if follows(numbers_of(above.text), numbers_of(below.text))
        for found in (above, below)
    }
    return [found for found in candidates if id(found) not in named - goes_on]


def _without_steps(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """Without steps and notes below a numbered section: "1. Fetch the seeds" between "2.1" and "2.2"."""
    steps: set[int] = set()
    before: TypedHeading | None = None
    since = list[TypedHeading]()
    for found in candidates:
        if found.kind in _CHAPTER_KINDS:
            # In each chapter sections may be counted anew.
            before, since = None, []
            continue
        if found.kind not in (HeadingKind.NUMBERED, HeadingKind.NAMED):
            continue
        if found.level == 1:
            since.append(found)
            continue
        if before is not None and number_of(before.text) == number_of(found.text):
            # Chapters in between would have ended the one whose sections go on.
            steps.update(id(step) for step in since)
        before, since = found, []
    return [found for found in candidates if id(found) not in steps]


def _are_page_numbers(numbers: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> bool:
    """Whether bare numbers are page numbers, which interrupt sentences."""
    before = [groups[number.group - 1].text for number in numbers if number.group]
    unfinished = sum(
        1 for text in before if not re.search(r"[.!?:…\"'”’)\]*]$", text) and len(text.split()) > 8
    )
    return unfinished > 0.2 * len(before)


def _keep_filled(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Drop entries of tables of contents and lists: headings with neither text nor subheadings below."""
    kept: list[TypedHeading] = []
    in_list = False
    for position, candidate in enumerate(candidates):
        following = candidates[position + 1] if position + 1 < len(candidates) else None
        end = following.group if following else len(groups)
        words = sum(group.num_words for group in groups[candidate.last_group + 1 : end])
        is_title = candidate.group == 0 and candidate.kind is HeadingKind.UNDERLINED
        leads_down = following is not None and (
            is_title
            # A rule makes a heading of a line, whatever few words stand between it and the next one.
            or (
                (words == 0 or candidate.kind is HeadingKind.UNDERLINED)
                and _rank(following) > _rank(candidate)
            )
        )
        if leads_down or words >= (_MIN_SECTION_WORDS if following else 1):
            if not (in_list and candidate.kind in _LIST_KINDS):
                kept.append(candidate)
            in_list = False
        else:
            in_list = in_list or (words == 0 and candidate.kind in _LIST_KINDS)
    return kept


def _rank(heading: TypedHeading) -> tuple[int, int]:
    return (heading.kind.value, heading.level)


def _keep_capitals_that_stand_out(
    candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]
) -> list[TypedHeading]:
    """Keep headings in capitals where nothing better marks headings.

    In a book with chapters, capitals may quote a sign or a letter, so that extra space above is needed;
    in a text with numbered headings they are not headings.
    """
    chapters = sum(
        1 for candidate in candidates if candidate.kind in (HeadingKind.CHAPTER, HeadingKind.BARE_NUMBER)
    )
    numbered = sum(1 for candidate in candidates if _is_numbered(candidate))
    if numbered >= MIN_NUMBERED:
        return [candidate for candidate in candidates if candidate.kind is not HeadingKind.CAPITALS]
    if chapters < 2:
        return list(candidates)
    return [
        candidate
        for candidate in candidates
        if candidate.kind is not HeadingKind.CAPITALS
        or groups[candidate.group].blank_before > MIN_SPACED_BLANKS
    ]


def _is_numbered(heading: TypedHeading) -> bool:
    """Whether a heading has a number, with a rule below it or without one."""
    return heading.kind is HeadingKind.NUMBERED or (
        heading.kind is HeadingKind.UNDERLINED and ENTRY.match(heading.text) is not None
    )


def _settle_levels(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """Assign levels across kinds: parts above chapters above scenes."""
    kinds = Counter(candidate.kind for candidate in candidates)
    ranked = [kind for kind in (HeadingKind.PART, HeadingKind.CHAPTER, HeadingKind.SCENE) if kinds[kind]]
    bases = {kind: ranked.index(kind) for kind in ranked}
    if any(found.kind is HeadingKind.PART and found.level > 1 for found in candidates):
        bases |= {kind: base + 1 for kind, base in bases.items() if kind is not HeadingKind.PART}
    bases[HeadingKind.NAMED] = bases.get(HeadingKind.CHAPTER, 0)
    is_below = kinds[HeadingKind.PART] or kinds[HeadingKind.CHAPTER] > 1
    bases[HeadingKind.BARE_NUMBER] = 1 + max(bases.values()) if is_below else 0
    chapters = kinds[HeadingKind.CHAPTER] > 1 or kinds[HeadingKind.BARE_NUMBER]
    for kind in (
        HeadingKind.CAPITALS,
        HeadingKind.ROMAN_TITLED,
        HeadingKind.UNDERLINED,
        HeadingKind.STARRED,
    ):
        bases[kind] = 0
    bases[HeadingKind.STATED] = 1 + max((bases[kind] for kind in bases if kinds[kind]), default=-1)
    bases[HeadingKind.LETTERED] = 1 if kinds[HeadingKind.ROMAN_TITLED] or kinds[HeadingKind.NUMBERED] else 0
    bases[HeadingKind.NUMBERED] = len(ranked) if chapters and kinds[HeadingKind.NUMBERED] else 0
    underlined = [found.level for found in candidates if found.kind is HeadingKind.UNDERLINED]
    several_capitals = kinds[HeadingKind.CAPITALS] >= 2 or kinds[HeadingKind.PART]
    bases[HeadingKind.TITLED] = max(underlined) if underlined else int(bool(several_capitals))
    return _with_titles_below_numbers(
        [replace(candidate, level=candidate.level + bases[candidate.kind]) for candidate in candidates]
    )


def _with_titles_below_numbers(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """The headings, with titles between two sections whose numbers go on below the first of these.

    A title that has a number itself stands where the number puts it, and what is below it follows: the title
    of a chapter between 2.5 and 3.1, or "2.6 Files".
    """
    numbered = [at for at, found in enumerate(candidates) if found.kind is HeadingKind.NUMBERED]
    levelled = list(candidates)
    for above, below in itertools.pairwise(numbered):
        before, after = numbers_of(candidates[above].text), numbers_of(candidates[below].text)
        if not before < after or after[0] - before[0] > 1:
            continue
        depth = len(before)
        top = candidates[above].level - depth
        for at in range(above + 1, below):
            found = candidates[at]
            if found.kind is not HeadingKind.TITLED:
                continue
            own = numbers_of(found.text)
            if not own and before[0] < after[0] and _has_number(found.text, after[0]):
                own = after[:1]
            depth = len(own) or depth
            levelled[at] = replace(found, level=top + depth + (not own))
    return levelled


def _has_number(title: str, number: int) -> bool:
    """Whether a title begins with the number of a chapter, in whatever language: "Chapitre 3. Ports"."""
    found = _NUMBERED_CHAPTER.match(title)
    return found is not None and int(found[1]) == number
