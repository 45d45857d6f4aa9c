"""The layout of typed text: lines, groups of lines between blank ones, and words broken at line ends."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_WIDE_LINE = 160
_MIN_WIDE_SHARE = 0.5
_SENTENCE_END = re.compile(r"[.!?:…。！？][\"'”’»)\]_*]*$")
_LIST_MARK = re.compile(r"(?:[-*•‣◦–+]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s+\S")
_BULLET = re.compile(r"^[-*•‣◦+]\s+(?=\S)")
_BROKEN_WORD = re.compile(r"[^\W\d_]-$")
_LAST_WORD = re.compile(r"[^\W\d_]+(?=-$)")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_MAX_TYPED_HYPHENS = 0.03
_SHORT_LINE = 0.75


@dataclass(frozen=True, kw_only=True, slots=True)
class LineGroup:
    """Lines that follow one another without a blank line between.

    Attributes:
        lines: Not blank, with their indentation.
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
        """Words in all lines."""
        return len(self.text.split())


def split_lines(text: str) -> list[str]:
    """The lines of a text, tabs expanded; a page break counts as a line end."""
    return [line.expandtabs().rstrip() for line in _LINE_ENDS.sub("\n", text).split("\n")]


def group_lines(lines: Sequence[str]) -> list[LineGroup]:
    """Lines put into groups at blank lines."""
    groups: list[LineGroup] = []
    current: list[str] = []
    blank = 0
    for line in (*lines, ""):
        if line.strip():
            current.append(line)
            continue
        if current:
            groups.append(LineGroup(lines=tuple(current), blank_before=blank))
            current, blank = [], 0
        blank += 1
    return groups


class LineJoiner:
    """Joins hard-wrapped lines to paragraphs, as the text as a whole suggests.

    Args:
        lines: All lines of the text: their lengths tell whether it is wrapped at all, their last
            characters whether its words are broken at line ends.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        filled = [line for line in lines if line.strip()]
        characters = sum(len(line) for line in filled)
        wide = sum(len(line) for line in filled if len(line) > _WIDE_LINE)
        self._is_wrapped = wide <= _MIN_WIDE_SHARE * characters
        self._broken_lines = sum(1 for line in filled if _BROKEN_WORD.search(line))
        self._hyphenates = self._broken_lines > _MAX_TYPED_HYPHENS * len(filled)
        self._vocabulary: set[str] = set()
        if self._broken_lines:
            self._vocabulary = {word.lower() for line in filled for word in _WORD.findall(line)}

    def paragraphs(self, lines: Sequence[str]) -> list[str]:
        """The paragraphs of one group of lines."""
        if not self._is_wrapped:
            return [_BULLET.sub("", line.strip()) for line in lines]
        width = max(len(line) for line in lines)
        paragraphs: list[list[str]] = [[lines[0]]]
        for line, following in itertools.pairwise(lines):
            if _ends_paragraph(line, following, width):
                paragraphs.append([])
            paragraphs[-1].append(following)
        return [_BULLET.sub("", self.join(paragraph)) for paragraph in paragraphs]

    def join(self, lines: Sequence[str]) -> str:
        """Lines joined by spaces, words broken at their ends put together."""
        parts = [lines[0].strip()]
        for line in lines[1:]:
            following = line.strip()
            broken = _LAST_WORD.search(parts[-1]) if parts[-1].endswith("-") else None
            beginning = _FIRST_WORD.match(following)
            if broken is None or beginning is None or not beginning.group()[0].islower():
                parts.append(" ")
            elif self._joins_without_hyphen(broken.group().lower(), beginning.group().lower()):
                parts[-1] = parts[-1][:-1]
            parts.append(following)
        return "".join(parts)

    def _joins_without_hyphen(self, first: str, second: str) -> bool:
        if first + second in self._vocabulary:
            return True
        if f"{first}-{second}" in self._vocabulary:
            return False
        return self._hyphenates


def _ends_paragraph(line: str, following: str, width: int) -> bool:
    if _LIST_MARK.match(following.lstrip()):
        return True
    if not _SENTENCE_END.search(line):
        return False
    deeper = _indent(following) > _indent(line) + 1
    room = width - len(line) - 1
    would_fit = len(following.split(maxsplit=1)[0]) <= room
    return deeper or (would_fit and len(line) < _SHORT_LINE * width)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
