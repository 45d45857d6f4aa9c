"""The text of a web page as it is copied from a browser, with the menus and links around it."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lsum_cli.reading.blocks import BOILERPLATE, CAPTIONS, Tally
from lsum_cli.reading.page_boilerplate import (
    ASIDE_HEADING,
    CONTROL,
    CREDIT,
    INTERRUPTION,
    LEADS_ON,
    OF_READERS,
    OF_READERS_ABOUT,
    QUOTES,
)
from lsum_cli.reading.plain.headlines import signs
from lsum_cli.reading.plain.lines import LIST_MARK, LineGroup, underlines
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise

_NAMES_OF_CONTROLS = (CONTROL, ASIDE_HEADING, INTERRUPTION, OF_READERS)
_LEAST_CONTROLS, _LONGEST_CONTROL = 3, 40  # characters
_LEAST_SHORT = 0.3  # of the lines of a page
_LEAST_OF_PROSE, _LEAST_OF_A_PARAGRAPH = 8, 15  # words
_LONGEST_LINE = 25  # words of a line without a stop that is none of the text
_LONG_RUN = 10
_LEAST_UNDERLINED = 3
_CONTROLS_OF_A_MENU = 2
_LEAST_OF_THE_TEXT, _MOST_OF_TEASERS = 0.08, 0.5  # of the longest part of a page
_LEAST_BEFORE_READERS = 150  # words
_LEAST_OF_A_TEXT = 80  # words; what says less in sentences may be verse, a recipe or a list
# A line that continues the one above, which broke off at a link.
_GOES_ON = regex(r"\s*(?:[a-zß-öø-ÿ]|[,.;:!?)\]”’…–—]|--|['’]s\b)")
_SPACE_BEFORE_MARK = regex(r"\s+(?=[,.;:!?)\]](?:\s|$)|['’]s\b)")
_LEAST_BEFORE_A_LINK = 4  # words
_MOSTLY_BROKEN = 0.3
_LEAST_OF_A_TITLE, _MOST_OF_A_TITLE = 2, 25  # words
_MOST_OF_A_NAME = 4  # words
_DATED = regex(r"\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b")
# In a text copied with its menus what stands so alone is no chapter.
_COMMENTS = regex(
    r"(?:(?:reader|user|leser)?[ -]?(?:comments?|kommentare?)|commentaires?|comentarios?|commenti|reacties)"
    r"(?: ?[:(]? ?\d+\)?| displayed)?|\d+ (?:comments?|kommentare?|commentaires?) \w+",
    re.I,
)
# The name of a gallery is said again at each of its pictures.
_LEAST_PICTURES, _LEAST_OF_A_GALLERY, _MOST_AT_A_PICTURE = 4, 5, 4


@dataclass(frozen=True, slots=True)
class _Line:
    """A line or paragraph of a page."""

    group: LineGroup
    text: str
    words: int
    is_prose: bool
    is_control: bool

    @property
    def said(self) -> int:
        """Its words, if it is a paragraph of running text."""
        return self.words if self.is_prose and self.words >= _LEAST_OF_A_PARAGRAPH else 0


def without_surroundings(groups: list[LineGroup], tally: Tally) -> list[LineGroup]:
    """The groups of a text that was copied from a web page, without what is around its text.

    That are menus, captions of galleries, the beginnings of other pages, and comments. A page is known by
    several of the controls that every site has ("Log in", "Share", "Privacy policy"), each a line of its own,
    and by many short lines in a row; other texts are returned as they are.
    """
    if not _has_controls(groups) or _has_underlined(groups):
        return groups
    lines = [_line(group) for group in _apart(groups)]
    if not _has_menus(lines):
        return groups
    said = [*itertools.accumulate((line.said for line in lines), initial=0)]
    begin = _headline(lines, said)
    first = {line.text: index for index, line in reversed([*enumerate(lines)])}
    end = next(
        (at for at in range(begin + 1, len(lines)) if _heads_comments(lines, at, said, first)), len(lines)
    )
    captions = {*_captions(lines)}
    kept = [index for part in _parts_of_text(lines[:end], begin, captions) for index in part]
    if sum(lines[index].said for index in kept) < _LEAST_OF_A_TEXT:
        return groups
    inside = {*kept}
    for index, line in enumerate(lines):
        if index not in inside:
            tally.add(CAPTIONS if index in captions else BOILERPLATE, line.text)
    return [lines[index].group for index in kept]


def _apart(groups: Sequence[LineGroup]) -> Iterator[LineGroup]:
    """The groups with their lines apart, but for paragraphs whose lines break at links."""
    for group in groups:
        goes_on = [_GOES_ON.match(line) is not None for line in (*group.lines[1:], "")]
        if len(group.lines) == 1 or sum(goes_on) > _MOSTLY_BROKEN * (len(group.lines) - 1):
            yield _joined(group.lines, group.blank_before)
            continue
        begun, blank = [group.lines[0]], group.blank_before
        for line, (continues, is_continued) in zip(group.lines[1:], itertools.pairwise(goes_on), strict=True):
            is_open = len(begun[-1].split()) >= _LEAST_BEFORE_A_LINK and not ends_with_stop(begun[-1])
            # "Boats of", "the canal trust", "are late": what is linked stands between.
            if continues or (is_open and is_continued):
                begun.append(line)
            else:
                yield _joined(begun, blank)
                begun, blank = [line], 0
        yield _joined(begun, blank)


def _joined(lines: Sequence[str], blank_before: int) -> LineGroup:
    text = normalise(" ".join(line.strip() for line in lines))
    return LineGroup(lines=(_SPACE_BEFORE_MARK.sub("", text),), blank_before=blank_before)


def _line(group: LineGroup) -> _Line:
    text, words = group.text, group.num_words
    is_short = words < _LEAST_OF_PROSE
    return _Line(
        group=group,
        text=text,
        words=words,
        is_prose=(words >= _LEAST_OF_PROSE and ends_with_stop(text)) or words > _LONGEST_LINE,
        is_control=LEADS_ON.fullmatch(text) is not None
        or CREDIT.fullmatch(text) is not None
        or (is_short and any(names.fullmatch(text) for names in _NAMES_OF_CONTROLS)),
    )


def _has_controls(groups: Sequence[LineGroup]) -> bool:
    short = {
        line.strip().casefold() for group in groups for line in group.lines if len(line) < _LONGEST_CONTROL
    }
    controls = (line for line in short if CONTROL.fullmatch(line))
    return len([*itertools.islice(controls, _LEAST_CONTROLS)]) == _LEAST_CONTROLS


def _has_underlined(groups: Sequence[LineGroup]) -> bool:
    """Whether titles are underlined, which are typed, not copied."""
    underlined = (
        group for group in groups if len(group.lines) > 1 and underlines(group.lines[-1], group.lines[-2])
    )
    return len([*itertools.islice(underlined, _LEAST_UNDERLINED)]) == _LEAST_UNDERLINED


def _has_menus(lines: Sequence[_Line]) -> bool:
    short = [not line.is_prose and not LIST_MARK.match(line.text) for line in lines]
    longest = max((sum(1 for _ in run) for is_short, run in itertools.groupby(short) if is_short), default=0)
    return sum(short) >= _LEAST_SHORT * len(lines) and longest >= _LONG_RUN


def _headline(lines: Sequence[_Line], said: Sequence[int]) -> int:
    """Index of the headline: a line with which the first one begins, as the title of the window does.

    Args:
        lines: All lines.
        said: Words of the paragraphs before each line, and of all.
    """
    named = lines[0].text.casefold()
    found = [
        index
        for index, line in enumerate(lines[1:], start=1)
        if _LEAST_OF_A_TITLE <= line.words <= _MOST_OF_A_TITLE
        and named.startswith(line.text.casefold())
        and not named[len(line.text.casefold()) :].lstrip()[:1].isalnum()
        and 2 * said[index] <= said[-1]
    ]
    return max(found, key=lambda index: lines[index].words, default=0)


def _heads_comments(
    lines: Sequence[_Line], index: int, said: Sequence[int], first: Mapping[str, int]
) -> bool:
    """Whether a line stands above the comments of readers, and is no link to them from above the text.

    Args:
        lines: All lines.
        index: That of the line.
        said: Words of the paragraphs before each line, and of all.
        first: Index of the first line of each text.
    """
    if lines[index].is_prose or said[index] < min(_LEAST_BEFORE_READERS, said[-1] / 2):
        return False
    text = lines[index].text
    if OF_READERS.fullmatch(text) or _COMMENTS.fullmatch(text):
        return True
    after = lines[index + 1].text if index + 1 < len(lines) else ""
    about = OF_READERS_ABOUT.fullmatch(text) or OF_READERS_ABOUT.fullmatch(f"{text} {after}")
    return about is not None and (about["about"][0] in QUOTES or first.get(about["about"], index) < index)


def _captions(lines: Sequence[_Line]) -> Iterator[int]:
    """Indexes of the pictures of a gallery, each of which has a caption and the name of the gallery."""
    named: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if not line.is_prose and not line.is_control and line.words >= _LEAST_OF_A_TITLE:
            named[line.text].append(index)
    for at in named.values():
        if len(at) < _LEAST_PICTURES:
            continue
        if at[-1] - at[0] == len(at) - 1:
            yield from _above_their_names(lines, range(at[0], at[-1] + 1))
        elif lines[at[0]].words >= _LEAST_OF_A_GALLERY:
            near = [
                (before, after)
                for before, after in itertools.pairwise(at)
                if after - before <= _MOST_AT_A_PICTURE
            ]
            if len(near) >= _LEAST_PICTURES - 1:
                before, after = near[-1]
                yield from range(near[0][0], min(after + after - before, len(lines)))


def _above_their_names(lines: Sequence[_Line], names: range) -> Iterator[int]:
    """Indexes of the captions above names that stand together, and of these, if they are as many."""
    above = range(names.start - 1, max(names.start - 1 - _MOST_AT_A_PICTURE, -1), -1)
    last = next((index for index in above if lines[index].is_prose), -1)
    captions = range(last - len(names) + 1, last + 1)
    if (
        captions.start > 0
        and not lines[captions.start - 1].is_prose
        and all(lines[at].is_prose for at in captions)
    ):
        yield from range(captions.start, names.stop)


def _parts_of_text(lines: Sequence[_Line], begin: int, captions: set[int]) -> Iterator[list[int]]:
    """The parts of a page that are its text: between two menus, and not much shorter than the longest."""
    parts: list[list[int]] = [[]]
    rest = [index for index in range(begin, len(lines)) if index not in captions]
    for is_prose, run in itertools.groupby(rest, key=lambda index: lines[index].is_prose):
        found = list(run)
        controls = sum(lines[index].is_control for index in found)
        if is_prose or (len(found) < _LONG_RUN and controls < _CONTROLS_OF_A_MENU):
            parts[-1] += [index for index in found if not lines[index].is_control]
        else:
            # What stands last may be the heading of what follows; that of the beginning is the headline.
            if found[0] == begin and begin:
                parts[-1].append(begin)
            is_first = begin and not any(lines[index].is_prose for part in parts for index in part)
            parts.append([] if is_first or lines[found[-1]].is_control else found[-1:])
    weights = [sum(lines[index].said for index in part) for part in parts]
    longest = max(weights)
    # A page of nothing else is made of the beginnings of others.
    has_own = 2 * longest > sum(weights) and not _are_teasers(lines, parts[weights.index(longest)])
    lead = next((at for at, weight in enumerate(weights) if weight), 0) if begin else 0
    for at, (part, weight) in enumerate(zip(parts, weights, strict=True)):
        least = _MOST_OF_TEASERS if has_own and _are_teasers(lines, part) else _LEAST_OF_THE_TEXT
        if weight >= least * longest or (begin and (at == lead or part[:1] == [begin])):
            yield [index for index in part if not _is_byline(lines, index, part)]


def _are_teasers(lines: Sequence[_Line], part: Sequence[int]) -> bool:
    """Whether several paragraphs stand singly below a line each, as where they lead to other pages."""
    runs = [
        len([*run])
        for is_prose, run in itertools.groupby(part, key=lambda at: lines[at].is_prose)
        if is_prose
    ]
    return len(runs) > 1 and max(runs) == 1


def _is_byline(lines: Sequence[_Line], index: int, part: Sequence[int]) -> bool:
    """Whether a line between the headline and the text says who wrote it, and when."""
    first = next((at for at in part if lines[at].is_prose), len(lines))
    line = lines[index]
    is_short = line.words <= _MOST_OF_A_NAME or _DATED.search(line.text) is not None
    return part[0] < index < first and (is_short or signs(line.text))
