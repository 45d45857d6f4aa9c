"""Text-showing operators: the graphics state, and the runs of text that they put on a page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import accumulate

from lsum_cli.reading.pdf.bidi import displayed, has_right_to_left, is_mirror_image
from lsum_cli.reading.pdf.fonts import Font, Shown
from lsum_cli.reading.pdf.glyphs import is_unread, tidy
from lsum_cli.reading.pdf.operands import (
    IDENTITY,
    Matrix,
    Operands,
    matrix_of,
    multiply,
    number_of,
    numbers_of,
    string_bytes,
    text_string,
)
from lsum_cli.text.patterns import regex

_MAX_RUNS = 60_000
_MAX_SAVED = 512
_MAX_SHOWN = 20_000  # strings remembered of a font
_MAX_MARKS = 32  # deeper ones may not replace text
# Gaps in a shown string, in ems: a space above the first, a new run above the second. TeX shrinks the
# spaces of many fonts to 0.15 in a tight line; letters of its formulas are up to 0.139 apart.
_SPACE_GAP = 0.145
# Between a sentence and the next: many capitals are moved back towards the stop.
SENTENCE_GAP = 0.08
_STOPS, _CLOSING_MARKS, _OPENING_MARKS = (".", "!", "?"), "”’\"')]", "“‘\"'(["
_SPLIT_GAP = 0.75
# A shift so far back, in ems, begins anew, as from a number in the margin.
_FAR_BACK = 3.0
# An underscore that is drawn as a line, in ems: from the baseline and from the word before it at most, and
# between so wide.
_UNDERSCORE_RISE, _UNDERSCORE_GAP, _UNDERSCORE_WIDTHS = 0.06, 0.12, (0.2, 0.65)
# Gaps between letters set one by one: so many at least, and in ems so wide at most; beyond, they are words.
_LEAST_SPACED = 4
_WIDEST_SPACED = 0.25
_ARRAY_ITEM = regex(
    rb"\((?:[^()\\]++|\\[\s\S]|\((?:[^()\\]++|\\[\s\S])*+\))*+\)|<[0-9A-Fa-f\s]*+>"
    rb"|(?<![-+.])[-+.]*+[0-9][-0-9.]*+"
)
_STRING_BEGINS = b"(<"
_ACTUAL_TEXT = regex(rb"/ActualText\s*(\((?:[^()\\]++|\\[\s\S])*+\)|<[0-9A-Fa-f\s]*+>)")
# Spacing accents that are shown before their letter, and the combining forms.
COMBINING = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "^": "\u0302", "˜": "\u0303", "~": "\u0303",
    "ˇ": "\u030c", "˘": "\u0306", "˚": "\u030a", "˝": "\u030b", "˙": "\u0307", "¯": "\u0304", "ˉ": "\u0304",
    "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Gaps:
    """Shifts as wide as a space between the letters of a run.

    Attributes:
        texts: What the run shows, item by item.
        shifts: Of each shift, one after the other: how many texts are before it, where it begins and ends,
            by the pen. A tuple for each would be work for the garbage collector.
        pen, x0: Where the run begins, by the pen and along the line.
        scale: Points along the line for one of the pen.
        cut: Number of spaces that were taken from its beginning.
    """

    texts: Sequence[str]
    shifts: Sequence[float]
    pen: float
    x0: float
    scale: float
    cut: int

    def places(self) -> list[tuple[int, float, float]]:
        """The place of each in the text of the run, its begin and end along the line."""
        ends = list(accumulate(map(len, self.texts)))
        return [
            (
                ends[int(count) - 1] - self.cut,
                self.x0 + (begin - self.pen) * self.scale,
                self.x0 + (end - self.pen) * self.scale,
            )
            for count, begin, end in zip(self.shifts[::3], self.shifts[1::3], self.shifts[2::3], strict=True)
        ]


@dataclass(slots=True, eq=False)
class Run:
    """Text shown by one operator, on a straight line.

    Attributes:
        text: May hold spaces.
        x0, x1: Begin and end along the line, in points from the left of the page as read.
        y: The baseline, in points from the bottom of the page as read.
        size: Font size as it appears on the page, in points.
        font: With weight and slant.
        direction: Quarter turns anticlockwise of the direction of reading.
        artifact: Whether the file marks it as an artifact, not part of the text.
        is_displayed: Whether its letters are known to be in the order in which the page shows them.
        gaps: Where it leaves room for others, if it does.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    font: Font
    direction: int
    artifact: bool
    is_displayed: bool = False
    gaps: Gaps | None = None


class PageTooComplex(Exception):
    """The page takes far more work than a page of text."""


@dataclass
class PageContent:
    """What a page shows.

    Attributes:
        runs: In the order of the file, in the page's own coordinates (see :class:`Run`).
        drawn: Whether anything but text is drawn: images, lines, areas.
        damaged: Whether part of the content could not be decoded.
    """

    runs: list[Run] = field(default_factory=list)
    drawn: bool = False
    damaged: bool = False


@dataclass(slots=True, eq=False)
class GraphicsState:
    """The part of the graphics state that affects text."""

    ctm: Matrix = IDENTITY
    font: Font | None = None
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0

    def copy(self) -> GraphicsState:
        """An independent copy."""
        twin = GraphicsState()
        for name in GraphicsState.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


@dataclass(frozen=True, slots=True)
class _Mark:
    """An open marked-content sequence: its context, its first run, and its replacement text."""

    artifact: bool
    start: int
    text: str | None


class TextPainter:
    """Shows the strings of a content stream: moves the text position and records runs.

    Attributes:
        fonts: By their names, those that the stream has used.
    """

    def __init__(self, state: GraphicsState, content: PageContent, *, artifact: bool = False) -> None:
        self.state = state
        self.fonts: dict[bytes, Font] = {}
        self.matrix: Matrix = IDENTITY
        self.line_matrix: Matrix = IDENTITY
        self.artifact = artifact
        self._content = content
        self._saved: list[GraphicsState] = []
        self._marks: list[_Mark] = []

    def save(self) -> None:
        """Save the graphics state."""
        if len(self._saved) < _MAX_SAVED:
            self._saved.append(self.state.copy())

    def restore(self) -> None:
        """Restore the graphics state saved last."""
        if self._saved:
            self.state = self._saved.pop()

    def move(self, x: float, y: float) -> None:
        """Move to a new line, offset from the beginning of this one."""
        a, b, c, d, e, f = self.line_matrix
        self.matrix = self.line_matrix = (a, b, c, d, e + x * a + y * c, f + x * b + y * d)

    def next_line(self) -> None:
        """Move to the next line by the leading."""
        self.move(0.0, -self.state.leading)

    def begin_mark(self, operands: Operands) -> None:
        """Begin a marked-content sequence: an artifact, or one with a replacement text."""
        found = _ACTUAL_TEXT.search(operands[-1]) if operands else None
        self._marks.append(
            _Mark(
                artifact=self.artifact,
                start=len(self._content.runs),
                text=text_string(string_bytes(found[1])) if found and len(self._marks) < _MAX_MARKS else None,
            )
        )
        self.artifact = self.artifact or operands[:1] == [b"/Artifact"]

    def end_mark(self) -> None:
        """End the innermost marked-content sequence; its replacement text replaces its runs."""
        if not self._marks:
            return
        mark = self._marks.pop()
        self.artifact = mark.artifact
        if mark.text is None or len(self._content.runs) <= mark.start:
            return
        runs = self._content.runs[mark.start :]
        # Vowel signs stand above and below their letter; a text for several lines cannot be divided.
        widest = max(runs, key=lambda run: run.x1 - run.x0)
        if any(abs(run.y - widest.y) > max(0.5, 0.6 * run.size) for run in runs):
            return
        text, first = tidy(mark.text), runs[0]
        if is_unread(text) or is_mirror_image(text, "".join(run.text for run in runs)):
            return
        if not text and first.text in ("-", "‐", "\u00ad"):
            # A hyphen with an empty replacement text is one at the end of a line.
            text = "\u00ad"
        if has_right_to_left(text):
            text = displayed(text)
        first.text, first.y = text, widest.y
        first.x0, first.x1 = min(run.x0 for run in runs), max(run.x1 for run in runs)
        del self._content.runs[mark.start + bool(text) :]

    def finish(self) -> None:
        """End all open marked-content sequences."""
        while self._marks:
            self.end_mark()

    def prepare(
        self,
        character: bytes | None,
        word: bytes | None,
        x: bytes | None,
        y: bytes | None,
        line: bytes | None,
    ) -> None:
        """Set the space between characters and words, then move to a new line, as far as these are given."""
        if character is not None:
            self.state.char_space = number_of(character)
        if word is not None:
            self.state.word_space = number_of(word)
        if x is not None and y is not None:
            self.move(number_of(x), number_of(y))
        elif line is not None:
            self.next_line()

    def show(self, strings: Operands) -> None:
        """Show one string, if there is one."""
        if strings:
            self.show_string(strings[0])

    def show_string(self, string: bytes) -> None:
        """Show one string."""
        state = self.state
        font = state.font
        if font is None:
            return
        shown = font.shown.get(string) or _decode(font, string)
        if shown is None:
            return
        if font.vertical:
            self._show([string])
            return
        # As _show does for an array of one string.
        text, ems, codes, word_spaces = shown
        advance = ems * state.size + state.char_space * codes
        if state.word_space:
            advance += state.word_space * word_spaces
        pen = 0.0 + advance * state.stretch
        if text:
            if codes > 1 and codes == len(text) and state.char_space > 0.3 * abs(state.size) * font.scale:
                text = " ".join(text)
            self._note(text, 0.0, pen if pen * (state.size * state.stretch * font.scale) > 0 else 0.0)
        a, b, c, d, e, f = self.matrix
        self.matrix = (a, b, c, d, e + pen * a, f + pen * b)

    def show_rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Show a straight line, which after a word is an underscore: some fonts of TeX have none."""
        word = self._content.runs[-1] if self._content.runs else None
        # Above what a root is taken of stands a line as well, and between figures that are no name.
        if word is None or word.direction or not (word.text[-1:].isalnum() or word.text[-1:] in "_/.-:"):
            return
        before = self._content.runs[-2].text if len(self._content.runs) > 1 else ""
        if word.text.isdigit() and before != "_":
            return
        a, b, c, d, e, f = self.state.ctm
        (left, y), (right, end) = ((x * a + y * c + e, x * b + y * d + f) for x, y in ((x0, y0), (x1, y1)))
        size = word.size
        if (
            abs(y - end) < 0.01 * size
            and abs(y - word.y) < _UNDERSCORE_RISE * size
            and -_UNDERSCORE_GAP * size < left - word.x1 < _UNDERSCORE_GAP * size
            and _UNDERSCORE_WIDTHS[0] * size < right - left < _UNDERSCORE_WIDTHS[1] * size
        ):
            self._content.runs.append(replace(word, text="_", x0=left, x1=right, gaps=None))

    def show_array(self, array: bytes) -> None:
        """Show strings with shifts between them, in thousandths of an em."""
        self._show(_ARRAY_ITEM.findall(array))

    def _show(self, items: list[bytes]) -> None:
        """Show the items of an array, each a string, or a string in hexadecimal digits, or a shift."""
        state = self.state
        font = state.font
        if font is None:
            return
        char_space, word_space = state.char_space, state.word_space
        size, stretch = state.size, 1.0 if font.vertical else state.stretch
        texts: list[str] = []
        # Shifts as wide as a space: how many of the texts are before each, its begin and end.
        gaps: list[float] = []
        # The pen, the beginning of the run, and how far the run reaches: signs on a letter go back.
        pen = start = reach = 0.0
        # Where the last glyph begins. A pen that mostly goes back before it writes leftwards, in the order of
        # reading: how many glyphs more so than rightwards, and how far it goes.
        last = leftmost = 0.0
        num_leftwards = 0
        unit = size * stretch * font.scale
        gap = 0.0
        accent = ""
        is_spaced_out = char_space > 0.3 * abs(size) * font.scale
        # How much farther apart the letters are than the character spacing says, in ems, once it is needed.
        spaced = self._letter_spacing(items) if is_spaced_out else None
        known = font.shown
        for item in items:
            shown = known.get(item)
            back = 0.0
            if shown is None:
                if item[0] in _STRING_BEGINS:
                    shown = _decode(font, item)
                else:
                    back = _ems_back(item)
            if shown is None:
                if back > 0.15 and texts and texts[-1][-1:] in COMBINING:
                    accent = COMBINING[texts[-1][-1]]
                    texts[-1] = texts[-1][:-1]
                pen -= back * size * stretch
                gap = (pen - reach) / unit if unit else 0.0
                if spaced:
                    gap -= spaced
                elif gap > _SPACE_GAP and spaced is None and texts and len(texts[-1]) == 1:
                    spaced = self._letter_spacing(items)
                    gap -= spaced
                if (gap > _SPLIT_GAP or back > _FAR_BACK) and texts:
                    self._note("".join(texts), start, reach, texts, gaps)
                    texts, gaps, start, reach, leftmost = [], [], pen, pen, pen
                elif gap > _SPACE_GAP and texts:
                    if texts[-1][-1:] != " ":
                        texts.append(" ")
                    gaps += (len(texts), reach, pen)
                elif not texts:
                    start = reach = leftmost = pen
                continue
            text, ems, codes, word_spaces = shown
            advance = ems * size + char_space * codes
            if word_space:
                advance += word_space * word_spaces
            if accent:
                if text[:1].isalpha():
                    text = text[0] + accent + text[1:]
                accent = ""
            if text:
                if gap > SENTENCE_GAP and texts and is_sentence_break("".join(texts[-3:]), text):
                    texts.append(" ")
                elif pen < last and texts and unit > 0 and has_right_to_left(text):
                    num_leftwards += 2
                    leftmost = min(leftmost, pen)
                    if last - pen - advance * stretch > _SPACE_GAP * unit and texts[-1][-1:] != " ":
                        texts.append(" ")
                gap = 0.0
                texts.append(text)
                num_leftwards -= codes
                last = pen
            if is_spaced_out and codes > 1 and codes == len(text):
                # Letters so far apart are cells of a table; each is a word.
                texts[-1] = " ".join(text)
            pen += advance * stretch
            if (pen - reach) * unit > 0:
                reach = pen
        if texts and num_leftwards > 0:
            self._note(displayed("".join(texts)), leftmost, reach)
            self._content.runs[-1].is_displayed = True
        elif texts:
            self._note("".join(texts), start, reach, texts, gaps)
        a, b, c, d, e, f = self.matrix
        if font.vertical:
            self.matrix = (a, b, c, d, e - pen * c, f - pen * d)
        else:
            self.matrix = (a, b, c, d, e + pen * a, f + pen * b)

    def _letter_spacing(self, items: list[bytes]) -> float:
        """How much farther apart than the character spacing says an array sets single letters, in ems.

        That is the usual shift between two letters, as for spaced capitals, or where a producer undoes the
        character spacing after every letter; 0 where letters are not set one by one.
        """
        font = self.state.font
        assert font is not None
        shifts: list[float] = []
        letters = others = 0
        # Since the letter before, if a letter was before.
        shift: float | None = None
        for index, item in enumerate(items):
            if item[0] not in _STRING_BEGINS:
                shift = None if shift is None else shift - _ems_back(item)
                continue
            shown = font.shown.get(item) or _decode(font, item)
            text = shown[0] if shown else ""
            # Only letters of scripts that join none, and Chinese and Japanese ones, which are justified so.
            is_letter = len(text) == 1 and (text.lower() != text.upper() or "\u3040" <= text <= "\u9fff")
            if is_letter:
                letters += 1
                if shift is not None:
                    shifts.append(shift)
            elif text[:1].isalpha() or any(map(str.isalpha, text)):
                others += 1
                if 2 * others >= letters + len(items) - index:
                    # However many of the rest are letters, they are too few.
                    return 0.0
            shift = 0.0 if is_letter else None
        if len(shifts) < _LEAST_SPACED or letters < 2 * others:
            return 0.0
        shifts.sort()
        # Some of them are between words.
        usual = shifts[len(shifts) // 4] / font.scale
        return usual if usual < _WIDEST_SPACED else 0.0

    def _note(
        self,
        text: str,
        start: float,
        end: float,
        texts: Sequence[str] = (),
        gaps: Sequence[float] = (),
    ) -> None:
        state = self.state
        font = state.font
        assert font is not None
        a, b, c, d, e, f = self.matrix
        ca, cb, cc, cd, ce, cf = state.ctm
        # The linear part of the text matrix times the page matrix.
        xa, xb = a * ca + b * cc, a * cb + b * cd
        ya, yb = c * ca + d * cc, c * cb + d * cd
        if font.vertical:
            start, end, along_x, along_y = -start, -end, ya, yb
        else:
            along_x, along_y = xa, xb
        ox = e + state.rise * c
        oy = f + state.rise * d
        x0 = ox * ca + oy * cc + ce + start * along_x
        y0 = ox * cb + oy * cd + cf + start * along_y
        length = (end - start) * (math.hypot(along_x, along_y))
        size = abs(state.size) * font.scale * (math.hypot(ya, yb))
        if size < 0.5 or not math.isfinite(x0 + y0 + length + size):
            return
        if len(self._content.runs) >= _MAX_RUNS:
            raise PageTooComplex
        sign = -1.0 if font.vertical else 1.0
        if length * sign < 0 and not font.vertical:
            along_x, along_y = -along_x, -along_y
        dx, dy = along_x * sign, along_y * sign
        length = abs(length)
        if dx < 0 and abs(dx) > abs(dy) and xa * yb - xb * ya < 0 and has_right_to_left(text):
            # Recognised text may run leftwards in the order of reading, its letters as in a mirror.
            text, dx = displayed(text), -dx
            x0 -= length
        upright = abs(dx) >= abs(dy)
        direction = (0 if dx >= 0 else 2) if upright else (1 if dy > 0 else 3)
        # Coordinates in reading direction: along the line, and across it.
        if direction == 0:
            along, across = x0, y0
        elif direction == 1:
            along, across = y0, -x0
        elif direction == 2:
            along, across = -x0, -y0
        else:
            along, across = -y0, x0
        begin, cut = along, 0
        if text[-1:] == " " or text[:1] == " ":
            # Spaces at the ends would hide the gaps between words and columns.
            space = (
                font.space * state.size + state.char_space + (state.word_space if font.single_byte else 0.0)
            )
            blank = max(0.0, space * state.stretch) * math.hypot(along_x, along_y)
            # Where the width of the space is only assumed, it is not wider than the average character.
            blank = min(blank, length / (text.count(" ") if font.single_byte else len(text)))
            stripped = text.lstrip(" ")
            cut = len(text) - len(stripped)
            along += blank * (len(text) - len(stripped))
            length -= blank * (len(text) - len(stripped))
            text = stripped.rstrip(" ")
            length -= blank * (len(stripped) - len(text))
            if not text:
                return
        if "   " not in text:
            self._add(text, along, along + length, across, size, direction)
            if gaps and direction == 0 and end > start and along_x > 0:
                self._content.runs[-1].gaps = Gaps(texts, gaps, start, begin, along_x, cut)
            return
        # Split at runs of three or more spaces.
        unit = length / len(text)
        for part in re.finditer(r"\S+(?: {1,2}\S+)*", text):
            x0 = along + part.start() * unit
            self._add(part[0], x0, x0 + len(part[0]) * unit, across, size, direction)

    def _add(self, text: str, x0: float, x1: float, y: float, size: float, direction: int) -> None:
        assert self.state.font is not None
        self._content.runs.append(Run(text, x0, x1, y, size, self.state.font, direction, self.artifact))


def is_sentence_break(left: str, right: str) -> bool:
    """Whether a sentence seems to end and another one to begin, by their characters: "parts." and "We"."""
    left = left.rstrip(_CLOSING_MARKS)
    if left[-1:] not in _STOPS or not right.lstrip(_OPENING_MARKS)[:1].isupper():
        return False
    word = left[-3:-1]
    return (word.isalpha() and word.islower()) or word.isdigit() or word.endswith(")")


@lru_cache(maxsize=1 << 12)
def _ems_back(shift: bytes) -> float:
    """How far a shift within an array, of which few recur all the time, moves the pen back."""
    return number_of(shift) / 1000


def _decode(font: Font, token: bytes) -> Shown | None:
    """What a font shows for a string of a content stream; ``None`` for an empty one."""
    data = token[1:-1] if token[:1] == b"(" and b"\\" not in token else string_bytes(token)
    if not data:
        return None
    shown = font.decode(data)
    if len(font.shown) < _MAX_SHOWN:
        font.shown[token] = shown
    return shown


def _show_array(painter: TextPainter, operands: Operands) -> None:
    painter.show_array(operands[-1])


def _move(painter: TextPainter, operands: Operands) -> None:
    painter.move(number_of(operands[-2]), number_of(operands[-1]))


def _set_leading_and_move(painter: TextPainter, operands: Operands) -> None:
    x, y = numbers_of(operands, 2)
    painter.state.leading = -y
    painter.move(x, y)


def _begin(painter: TextPainter, operands: Operands) -> None:
    painter.matrix = painter.line_matrix = matrix_of(operands) if operands else IDENTITY


def _transform(painter: TextPainter, operands: Operands) -> None:
    painter.state.ctm = multiply(matrix_of(operands), painter.state.ctm)


def _set_spacing_and_show(painter: TextPainter, operands: Operands) -> None:
    painter.state.word_space, painter.state.char_space = numbers_of(operands[:2], 2)
    painter.next_line()
    painter.show(operands[-1:])


def _next_line_and_show(painter: TextPainter, operands: Operands) -> None:
    painter.next_line()
    painter.show(operands[-1:])


def _setter(name: str, unit: float = 1.0) -> Callable[[TextPainter, Operands], None]:
    def assign(painter: TextPainter, operands: Operands) -> None:
        setattr(painter.state, name, number_of(operands[-1]) * unit)

    return assign


# The operators that position or show text (PDF 32000-1, 9.3 and 9.4).
OPERATORS: dict[bytes, Callable[[TextPainter, Operands], None]] = {
    b"Tj": lambda painter, operands: painter.show(operands[-1:]),
    b"TJ": _show_array,
    b"'": _next_line_and_show,
    b'"': _set_spacing_and_show,
    b"Td": _move,
    b"TD": _set_leading_and_move,
    b"Tm": _begin,
    b"T*": lambda painter, _: painter.next_line(),
    b"BT": lambda painter, _: _begin(painter, []),
    b"cm": _transform,
    b"Tc": _setter("char_space"),
    b"Tw": _setter("word_space"),
    b"Tz": _setter("stretch", 0.01),
    b"TL": _setter("leading"),
    b"Ts": _setter("rise"),
    b"q": lambda painter, _: painter.save(),
    b"Q": lambda painter, _: painter.restore(),
    b"BMC": lambda painter, operands: painter.begin_mark(operands),
    b"BDC": lambda painter, operands: painter.begin_mark(operands),
    b"EMC": lambda painter, _: painter.end_mark(),
}
