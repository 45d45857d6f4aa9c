"""The lines of plain text: split, freed of running lines, grouped, and joined to paragraphs."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lsum_cli.reading.blocks import RUNNING_LINES, Tally
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import joins_without_space

_FOOT = regex(r".*\S\s+\[Page\s+(?:\d+|[ivxl]+)\]\s*$|\s*\[Page\s+(?:\d+|[ivxl]+)\]\s*$", re.I)
_MIN_PAGES = 2
_SENTENCE_GOES_ON = regex(r"[^.!?:;\s]$")


def remove_running_lines(lines: Sequence[str], tally: Tally) -> list[str]:
    """Remove lines that end in ``[Page 7]`` and the running headers that follow them on each page.

    A sentence that continues on the next page is joined.
    """
    feet = [index for index, line in enumerate(lines) if "[" in line and _FOOT.match(line)]
    if len(feet) < _MIN_PAGES:
        return list(lines)
    heads = [_next_filled(lines, foot + 1) for foot in feet]
    repeated = Counter(_shape(lines[head]) for head in heads if head is not None)
    running = set(feet)
    for head in heads:
        if head is not None and repeated[_shape(lines[head])] >= max(_MIN_PAGES, len(feet) // 3):
            running.add(head)
    for index in running:
        tally.add(RUNNING_LINES, lines[index])
    return _close_gaps(lines, running)


def _close_gaps(lines: Sequence[str], running: set[int]) -> list[str]:
    kept: list[str] = []
    in_gap = False
    for index, line in enumerate(lines):
        if index in running:
            in_gap = True
            while kept and not kept[-1].strip():
                kept.pop()
        elif in_gap and not line.strip():
            continue
        else:
            if in_gap and kept and not _goes_on(kept[-1], line):
                kept.append("")
            in_gap = False
            kept.append(line)
    return kept


def _goes_on(before: str, after: str) -> bool:
    return bool(_SENTENCE_GOES_ON.search(before)) and after.lstrip()[0].islower()


def _next_filled(lines: Sequence[str], start: int) -> int | None:
    return next((index for index in range(start, min(start + 12, len(lines))) if lines[index].strip()), None)


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.split()))


_LINE_ENDS = regex(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# A text of so many lines is double spaced if so few stand together, most are so long, and so many go on.
# As long as nine in ten of its lines is the width of it.
_LEAST_SPACED, _MOST_TOGETHER, _LEAST_WRAPPED, _LEAST_GOING_ON = 20, 0.02, 50, 0.3
_FULL_LINE = 0.9
_WIDE_LINE = 160
_MIN_WIDE_SHARE = 0.5
SENTENCE_END = regex(r"[.!?:…。．！？][\"'”’»)\]_*]*$")
LIST_MARK = regex(r"(?:[-*•‣◦–+]|\*\)|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s+\S")
# "*) Feature: …" is how some servers list their changes.
_BULLET = regex(r"^(?:[-*•‣◦+]|\*\))\s+(?=\S)")
# " o adds support for …", where several lines begin so.
_LETTER_BULLET = regex(r"^(\s*)o(?=\s+\S)")
_FEWEST_LETTERS = 2
# So many of the lines at the margin head a list, if lists stand below them.
_LEAST_HEADS = 0.7
_INITIAL_END = regex(r"(?:^|[\s(.])[A-Z]\.$")
_LATER_LETTER = regex(r"[b-hj-zB-HJ-Z]\.\s")
# Typesetters, groff among them, set U+2010 where they break a word.
_HYPHENS = ("-", "\u2010")
_BROKEN_WORD = regex("[^\\W\\d_][-\u2010]$")
_LAST_WORD = regex("[^\\W\\d_]+(?=[-\u2010]$)")
_FIRST_WORD = regex(r"[^\W\d_]+")
_WORD = regex("[^\\W\\d_]+(?:[-\u2010][^\\W\\d_]+)*")
_IDEOGRAPH = regex("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
RULE = regex(r"\s*([=\-~^*#_+\"'`])\1{2,}\s*")
_ACROSS = regex(r"\s*_{20,}\s*")
_GAP = regex(r"\S\s{2,}\S|\s\|\s")
_MAX_OVERHANG = 8
_MAX_UNEVEN = 3  # characters
_MOST_UNDERLINED = 3  # lines: a title with a rule above and below it
_MAX_TYPED_HYPHENS = 0.03
_SHORT_LINE = 0.75
# "pond_depth: new field": lines of a list of names, as a changelog has of functions.
_NAMED_ENTRY = regex(r"[A-Za-z]\w*_\w*(?:\(\))?: ")
# "Anna: So", and also "User Interface: but": the opening of a turn of a conversation.
TURN = regex(r"(?P<name>[^\W\d_][\w .'’()&,-]{0,60}?)\s*:(?:\s|$)")
MIN_TURNS = 3
"""A name that opens so many lines or paragraphs speaks there."""
_MIN_SPEAKERS = 2
# "[00:01:15] Anna: So", and the line "Anna Berg   0:15" above what she says: a turn with its time.
_STAMP = r"[\[(]?(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?[\])]?"
_OF_A_RECORDING = regex(r"(?<![\d:])(?:0{1,2}:\d{2}|\d{1,2}:\d{2}:\d{2}|[\[(]\d{1,2}:\d{2}[\])])(?!\d)")
_FIRST_LINES, _LEAST_SAID = 5, 2
_NAME = r"(?P<name>[^\W\d_][\w .'’()&,-]{0,60}?)"
_STAMPED_TURN = regex(rf"\s*{_STAMP}\s*(?:[-–—]\s*)?{_NAME}\s*:\s+(?P<said>\S.*)")
_STAMPED_NAME = regex(rf"\s*(?:{_NAME}\s+{_STAMP}|{_STAMP}\s+{_NAME.replace('name', 'after')})\s*")
# "[12/03/2025, 09:01:12] Anna: So", "12/03/25, 9:01 AM - Anna: So": a chat as a telephone exports it.
_DATED_TURN = regex(
    r"[\s\u200e]*\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}[:.]\d{2}(?:[:.]\d{2})?"
    rf"(?:\s?[AaPp]\.?\s?[Mm]\.?)?\]?\s*(?:[-–—]\s*)?{_NAME}\s*:\s+(?P<said>\S.*)"
)
_MIN_TURNS_AMONG_OTHERS = 2
_LEVELS_OF_LOGS = frozenset(
    "trace debug info notice warn warning err error critical fatal severe".split()  # noqa: SIM905
)


def count_turns(lines: Iterable[str]) -> Counter[str]:
    """How many of the lines open with each name, as turns of a conversation do."""
    return Counter(found["name"] for line in lines if ":" in line and (found := TURN.match(line.strip())))


def without_stamps(lines: Sequence[str]) -> list[str]:
    """The lines of a transcript with "Anna: So" for a turn that stands with its time, or below it.

    Of other texts the lines as they are: two people at least must speak again and again, and the times be
    those of a recording or in brackets, for "10:30 Talk: …" is a programme; nor is a log of a program one.
    """
    filled = [line for line in lines if line.strip()]
    for pattern, others in ((_DATED_TURN, 1), (_STAMPED_TURN, 1), (_STAMPED_NAME, 2)):
        names = Counter(_named(found) for line in filled if (found := pattern.fullmatch(line)))
        again = [name for name, count in names.items() if count >= _MIN_TURNS_AMONG_OTHERS]
        turns = sum(names[name] for name in again)
        if (
            len(again) < _MIN_SPEAKERS
            or turns < MIN_TURNS
            or 2 * others * turns < len(filled)
            or not (
                pattern is _DATED_TURN or any(_OF_A_RECORDING.search(line) for line in filled[:_FIRST_LINES])
            )
            or (others == 2 and not _speak_below(filled))
            or any(name.lower() in _LEVELS_OF_LOGS for name in again)
        ):
            continue
        made: list[str] = []
        for line in lines:
            found = pattern.fullmatch(line)
            if found is not None:
                made += ["", f"{_named(found)}: {found['said'] if others == 1 else ''}"]
            elif made and made[-1].endswith(": ") and line.strip():
                made[-1] += line.strip()
            else:
                made.append(line)
        return made
    return list(lines)


def _speak_below(filled: Sequence[str]) -> bool:
    """Whether a line of several words follows nearly every name."""
    names = [_STAMPED_NAME.fullmatch(line) is not None for line in filled]
    said = [
        not is_name and len(line.split()) >= _LEAST_SAID
        for is_name, line in zip(names[1:], filled[1:], strict=True)
    ]
    below = [is_said for is_name, is_said in zip(names, said, strict=False) if is_name]
    return 2 * sum(below) > len(below)


def _named(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return str(groups["name"] or groups["after"]).strip()


def split_lines(text: str) -> list[str]:
    """The lines of a text, with tabs expanded; a page break ends a line."""
    return [line.expandtabs().rstrip() for line in _LINE_ENDS.sub("\n", text).split("\n")]


def _goes_on_in_words(line: str, following: str) -> bool:
    """Whether a sentence goes on from a line in the next one."""
    return SENTENCE_END.search(line) is None and following.lstrip()[0].islower()


def single_spaced(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a text that has an empty one after every line, without those; of another text all of them.

    It is wrapped: most lines are long, and many go on in the next one, whose first word they had no room for.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if len(filled) < _LEAST_SPACED:
        return lines
    gaps = [after - before - 1 for before, after in itertools.pairwise(filled)]
    lengths = sorted(len(lines[number]) for number in filled)
    if gaps.count(0) > _MOST_TOGETHER * len(gaps) or lengths[len(lengths) // 2] < _LEAST_WRAPPED:
        return lines
    width = lengths[int(_FULL_LINE * len(lengths))]
    going_on = sum(
        gap == 1
        and _goes_on_in_words(lines[number], lines[number + 2])
        and len(lines[number]) + 1 + len(lines[number + 2].split()[0]) > width
        for number, gap in zip(filled, gaps, strict=False)
    )
    if going_on < _LEAST_GOING_ON * len(gaps):
        return lines
    kept = [lines[filled[0]]]
    for number, gap in zip(filled[1:], gaps, strict=True):
        kept += [""] * (gap // 2) + [lines[number]]
    return kept


class LineJoiner:
    """Joins hard-wrapped lines to paragraphs.

    Args:
        lines: All lines of the text: their lengths show whether it is wrapped at all, their last
            characters whether words are hyphenated at line ends, their first words who speaks in turn.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        filled = [line for line in lines if line.strip()]
        characters = sum(len(line) for line in filled)
        wide = sum(len(line) for line in filled if len(line) > _WIDE_LINE)
        self._is_wrapped = wide <= _MIN_WIDE_SHARE * characters
        self._broken_lines = sum(1 for line in filled if _BROKEN_WORD.search(line))
        self._hyphenates = self._broken_lines > _MAX_TYPED_HYPHENS * len(filled)
        turns = count_turns(line for line in filled if line.lstrip()[0].isupper())
        is_talk = sum(count >= MIN_TURNS for count in turns.values()) >= _MIN_SPEAKERS
        self._speakers = {
            name for name, count in turns.items() if is_talk and count >= _MIN_TURNS_AMONG_OTHERS
        }
        self._vocabulary: set[str] = set()
        if self._broken_lines:
            self._vocabulary = {
                word.lower().replace("\u2010", "-") for line in filled for word in _WORD.findall(line)
            }

    def paragraphs(self, lines: Sequence[str]) -> list[str]:
        """The paragraphs of one group of lines."""
        return [text for text, _ in self.paragraphs_and_items(lines)]

    def paragraphs_and_items(self, lines: Sequence[str]) -> list[tuple[str, bool]]:
        """The paragraphs of one group of lines, each with whether the mark of an item stood before it."""
        if not self._is_wrapped:
            return [_without_bullet(line.strip()) for line in lines]
        lines = _with_bullets(lines)
        width = max(len(line) for line in lines)
        paragraphs: list[list[str]] = [[lines[0]]]
        is_list = bool(LIST_MARK.match(lines[0].lstrip()))
        lists_names = sum(_NAMED_ENTRY.match(line.lstrip()) is not None for line in lines) > 1
        is_list_below = not is_list and _has_lists_below(lines)
        margin = None if is_list or is_list_below else _hanging_margin(lines)
        for line, following in itertools.pairwise(lines):
            ends = (
                _ends_paragraph(line, following, width, is_list=is_list)
                or (is_list_below and _returns(line, following, indent(lines[0])))
                if margin is None
                else _returns(line, following, margin)
            )
            if ends or self._is_turn(following) or (lists_names and _NAMED_ENTRY.match(following.lstrip())):
                paragraphs.append([])
            paragraphs[-1].append(following)
        return [_without_bullet(self.join(paragraph)) for paragraph in paragraphs]

    def _is_turn(self, line: str) -> bool:
        """Whether a line opens with one of the names that open lines again and again."""
        found = TURN.match(line.lstrip()) if self._speakers else None
        return found is not None and found["name"] in self._speakers

    def join(self, lines: Sequence[str]) -> str:
        """Join lines by spaces, and words that are hyphenated at line ends."""
        parts = [lines[0].strip()]
        for line in lines[1:]:
            following = line.strip()
            broken = _LAST_WORD.search(parts[-1]) if parts[-1].endswith(_HYPHENS) else None
            beginning = _FIRST_WORD.match(following)
            if broken is None or beginning is None or not _may_go_on(broken.group(), beginning.group()):
                is_typeset = broken is not None and not parts[-1].endswith("-")
                parts.append("" if is_typeset or joins_without_space(parts[-1], following) else " ")
            elif self._joins_without_hyphen(
                broken.group().lower(), beginning.group().lower(), is_typeset=not parts[-1].endswith("-")
            ):
                parts[-1] = parts[-1][:-1]
            parts.append(following)
        return "".join(parts)

    def _joins_without_hyphen(self, first: str, second: str, *, is_typeset: bool) -> bool:
        if first + second in self._vocabulary:
            return True
        if f"{first}-{second}" in self._vocabulary:
            return False
        return is_typeset or self._hyphenates


def _may_go_on(first: str, second: str) -> bool:
    """Whether two parts may be of one word: the second begins in lower case, or both are capitals."""
    return second[0].islower() or (len(second) > 1 and (first + second).isupper())


def _ends_paragraph(line: str, following: str, width: int, *, is_list: bool) -> bool:
    room = width - len(line) - 1
    would_fit = len(following.split(maxsplit=1)[0]) <= room
    finished = bool(SENTENCE_END.search(line))
    if LIST_MARK.match(following.lstrip()):
        # Within a sentence a line may begin with what looks like one: "Part / 2. of", "8 U. / S. C.".
        breaks = finished and not _INITIAL_END.search(line) and not _LATER_LETTER.match(following.lstrip())
        return is_list or would_fit or breaks or bool(_BULLET.match(following.lstrip()))
    if not finished:
        return False
    deeper = indent(following) > indent(line) + 1
    return deeper or (would_fit and len(line) < _SHORT_LINE * width)


def _hanging_margin(lines: Sequence[str]) -> int | None:
    """Where paragraphs begin whose other lines are indented, as in a bibliography; ``None`` if none are."""
    margin = indent(lines[0])
    deeper = [
        (line, following) for line, following in itertools.pairwise(lines) if indent(following) > margin
    ]
    if not deeper or min(map(indent, lines)) < margin:
        return None
    width = max(map(len, lines))
    torn = sum(
        1
        for line, following in deeper
        if not SENTENCE_END.search(line) or len(line) + 1 + len(following.split(maxsplit=1)[0]) > width
    )
    return margin if 2 * torn > len(deeper) else None


def _with_bullets(lines: Sequence[str]) -> Sequence[str]:
    """The lines, with bullets where several begin with an "o" that other lines hang below."""
    are_items = [_LETTER_BULLET.match(line) is not None for line in lines]
    if sum(are_items) < _FEWEST_LETTERS:
        return lines
    first = are_items.index(True)
    for number, (line, following) in enumerate(itertools.pairwise(lines)):
        is_item, is_next = are_items[number : number + 2]
        if SENTENCE_END.search(line) or is_item is is_next:
            continue
        # "o" is a word of many languages, with which a line may begin that goes on with another.
        if is_item or number < first:
            hangs = indent(following) > indent(line)
        else:
            hangs = indent(following) != indent(line)
        if not hangs or (is_next and LIST_MARK.match(line.lstrip())):
            return lines
    return [_LETTER_BULLET.sub(r"\1*", line) for line in lines]


def _has_lists_below(lines: Sequence[str]) -> bool:
    """Whether lists stand below lines at the margin: the second is an item, or most indented ones are."""
    if len(lines) > 1 and _BULLET.match(lines[1].lstrip()) is not None:
        return True
    margin = indent(lines[0])
    deeper = [line for line in lines if indent(line) > margin]
    # The items of a paragraph may go on at its margin.
    heads = [
        indent(following) > margin for line, following in itertools.pairwise(lines) if indent(line) <= margin
    ]
    are_items = 2 * sum(_BULLET.match(line.lstrip()) is not None for line in deeper) > len(deeper)
    return are_items and sum(heads) > _LEAST_HEADS * len(heads)


def _returns(line: str, following: str, margin: int) -> bool:
    """Whether a line begins at the margin to which hanging paragraphs return."""
    goes_on = indent(line) <= margin and not SENTENCE_END.search(line)
    return indent(following) <= margin and not goes_on


def indent(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip())


@dataclass(frozen=True, kw_only=True, slots=True)
class LineGroup:
    """Consecutive lines without a blank line between them.

    Attributes:
        lines: The lines, with their indentation; none is blank.
        blank_before: Number of blank lines before the first.
    """

    lines: tuple[str, ...]
    blank_before: int

    @property
    def text(self) -> str:
        """The lines, joined by spaces."""
        return " ".join(line.strip() for line in self.lines)

    @property
    def num_words(self) -> int:
        """Words in all lines; of a script without spaces, two characters count as one."""
        text = self.text
        return len(text.split()) + len(_IDEOGRAPH.findall(text)) // 2


def group_lines(lines: Sequence[str]) -> list[LineGroup]:
    """Group lines, separated by blank ones; an underlined line and what is below it are two groups."""
    groups: list[LineGroup] = []
    current: list[str] = []
    blank = 0
    for line in (*lines, ""):
        if line.strip() and not _divides(line, current):
            current.append(line)
            continue
        if current:
            for lines in _apart(current):
                groups.append(LineGroup(lines=tuple(lines), blank_before=blank))
                blank = 0
            current = []
        blank += 1
    return groups


def _divides(line: str, above: Sequence[str]) -> bool:
    """Whether a line is a rule across the page, which underlines nothing.

    One that underlines a title begins and ends where the title does.
    """
    if _ACROSS.fullmatch(line) is None:
        return False
    return (
        not above
        or above[-1].endswith(".")
        or indent(line) != indent(above[-1])
        or abs(len(line.strip()) - len(above[-1].strip())) > _MAX_UNEVEN
    )


def _apart(lines: list[str]) -> Iterator[list[str]]:
    """Lines without a blank one between them: an underlined one, and what is above and below it."""
    start = 0
    while start < len(lines):
        end = start + _count_underlined(lines[start : start + _MOST_UNDERLINED])
        if end == start:
            # Below a finished sentence, and as long as its rule: a table has its rule below the names of its
            # columns.
            end = next(
                (
                    at
                    for at in range(start + 1, len(lines) - 1)
                    if SENTENCE_END.search(lines[at - 1])
                    and underlines(lines[at + 1], lines[at])
                    and abs(len(lines[at + 1].strip()) - len(lines[at].strip())) <= _MAX_UNEVEN
                ),
                len(lines),
            )
        yield lines[start:end]
        start = end


def _count_underlined(lines: Sequence[str]) -> int:
    """How many of the first lines are an underlined one: two, or three if it is overlined too, or none."""
    if len(lines) > 1 and underlines(lines[1], lines[0]):
        return 2
    if len(lines) > 2 and lines[0].strip() == lines[2].strip() and underlines(lines[2], lines[1]):
        return 3
    return 0


def underlines(rule: str, line: str) -> bool:
    """Whether a line is a rule that underlines another, which is no rule and no row of a table."""
    length = len(line.strip())
    # Below the last sentence of a part, a longer rule divides it from the next.
    if line.endswith(".") and len(rule.strip()) > length + _MAX_UNEVEN:
        return False
    return (
        bool(RULE.fullmatch(rule))
        and length // 2 <= len(rule.strip()) <= 2 * length + _MAX_OVERHANG
        and not RULE.fullmatch(line)
        and not _GAP.search(line.strip())
    )


def _without_bullet(text: str) -> tuple[str, bool]:
    found = _BULLET.match(text)
    return (text[found.end() :], True) if found is not None else (text, False)
