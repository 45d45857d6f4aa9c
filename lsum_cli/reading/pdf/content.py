"""The content of a PDF page: which text is shown where, at what size, in which font."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass, field
from typing import Any

from lsum_cli.reading.pdf.fonts import Font, unknown_font

Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
MAX_CONTENT_BYTES = 40 << 20
PAGE_SECONDS = 6.0
_MAX_FORM_DEPTH = 12
_MAX_RUNS = 60_000
# Gaps in a shown string, in ems: above the first one stands a space, above the second the string parts.
_SPACE_GAP = 0.16
_SPLIT_GAP = 0.75

# One token. Numbers followed by an operator that only draws or colours are skipped at once.
_TOKEN = re.compile(
    rb"""
    [\s\x00]*+(?:
      (?P<skip>%[^\r\n]*+ | (?:[-+]?[0-9.]++[\s\x00]++)*+(?:m|l|c|v|y|h|S|s|W\*|W|n|w|J|j|M|i|G|g|RG|rg|K|k|ri|gs)(?=[\s\x00/\[(<%]|\Z))
    | (?P<number>[-+.]*+[0-9][-0-9.]*+)
    | (?P<array>\[ (?:[^\]()<>%]++ | \((?:[^()\\]++|\\[\s\S]|\((?:[^()\\]++|\\[\s\S])*+\))*+\) | <[0-9A-Fa-f\s]*+> )*+ \])
    | (?P<string>\((?:[^()\\]++|\\[\s\S]|\((?:[^()\\]++|\\[\s\S]|\((?:[^()\\]++|\\[\s\S])*+\))*+\))*+\))
    | (?P<dictionary><<(?:[^<>()]++ | \((?:[^()\\]++|\\[\s\S])*+\) | <[0-9A-Fa-f\s]*+> | <<(?:[^<>]++|<[0-9A-Fa-f\s]*+>)*+>>)*+>>)
    | (?P<hex><[0-9A-Fa-f\s]*+>)
    | (?P<name>/[^\s\x00()<>\[\]{}/%]*+)
    | (?P<operator>[A-Za-z'"][A-Za-z0-9*]*+)
    | (?P<other>[^\s\x00])
    )
    """,
    re.X,
)
_ARRAY_ITEM = re.compile(
    rb"(\((?:[^()\\]++|\\[\s\S]|\((?:[^()\\]++|\\[\s\S])*+\))*+\))|(<[0-9A-Fa-f\s]*+>)|([-+.]*[0-9][-0-9.]*)"
)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|[\s\S])")
_ESCAPED = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}
_INLINE_IMAGE = re.compile(rb"(?<![^\s\x00])BI[\s\x00]+/[^()]{1,1000}?[\s\x00]ID[\s\x00]")
_INLINE_IMAGE_END = re.compile(rb"[\s\x00]EI(?=[\s\x00]|\Z)")
_ACTUAL_TEXT = re.compile(rb"/ActualText\s*(\((?:[^()\\]++|\\[\s\S])*+\)|<[0-9A-Fa-f\s]*+>)")
# Spacing accents that are set before the letter they belong on, and their combining forms.
_COMBINING = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "^": "\u0302", "˜": "\u0303", "~": "\u0303",
    "ˇ": "\u030c", "˘": "\u0306", "˚": "\u030a", "˝": "\u030b", "˙": "\u0307", "¯": "\u0304", "ˉ": "\u0304",
    "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip


class Run:
    """Text shown in one go, on a straight line.

    Attributes:
        text: May hold spaces.
        x0, x1: Begin and end along the line, in points from the left of the page as read.
        y: The baseline, in points from the bottom of the page as read.
        size: Of the font, as it appears on the page, in points.
        font: With weight and slant.
        direction: Quarter turns anticlockwise of the direction of reading.
        artifact: Whether the file itself marks it as no part of the text.
    """

    __slots__ = ("artifact", "direction", "font", "size", "text", "x0", "x1", "y")

    def __init__(
        self,
        text: str,
        x0: float,
        x1: float,
        y: float,
        size: float,
        font: Font,
        direction: int,
        artifact: bool,
    ) -> None:
        self.text = text
        self.x0 = x0
        self.x1 = x1
        self.y = y
        self.size = size
        self.font = font
        self.direction = direction
        self.artifact = artifact


class PageTooComplex(Exception):
    """The page asks for more work than any page of text does."""


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


class _State:
    """The graphics state as far as text depends on it."""

    __slots__ = ("char_space", "ctm", "font", "leading", "rise", "size", "stretch", "word_space")

    def __init__(self) -> None:
        self.ctm: Matrix = IDENTITY
        self.font: Font | None = None
        self.size = 0.0
        self.char_space = 0.0
        self.word_space = 0.0
        self.stretch = 1.0
        self.leading = 0.0
        self.rise = 0.0

    def copy(self) -> _State:
        twin = _State()
        for name in _State.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin


class Interpreter:
    """Runs the content of pages; keeps the fonts they share.

    Args:
        page_seconds: How long one page may take.
    """

    def __init__(self, page_seconds: float = PAGE_SECONDS) -> None:
        self._fonts: dict[Any, Font] = {}
        self._page_seconds = page_seconds

    def read_page(self, page: Any) -> PageContent:
        """Interpret the content of a pypdf page.

        Raises:
            PageTooComplex: It would take too long or yields too much.
        """
        content = PageContent()
        self._deadline = time.monotonic() + self._page_seconds
        data, content.damaged = _content_bytes(page.get("/Contents"))
        self._run(data, _inherited(page, "/Resources"), _State(), content, depth=0, artifact=False)
        return content

    def _font(self, resources: Any, name: str) -> Font:
        fonts: Any = _object(resources.get("/Font")) if hasattr(resources, "get") else None
        reference: Any = fonts.raw_get(name) if hasattr(fonts, "raw_get") and name in fonts else None
        key = (getattr(reference, "idnum", None) or id(fonts), name)
        if key not in self._fonts:
            dictionary = _object(reference)
            try:
                self._fonts[key] = Font(dictionary) if hasattr(dictionary, "get") else unknown_font()
            except (
                ValueError,
                TypeError,
                KeyError,
                AttributeError,
                IndexError,
                OverflowError,
                AssertionError,
            ):
                self._fonts[key] = unknown_font()
        return self._fonts[key]

    def _run(
        self, data: bytes, resources: Any, state: _State, content: PageContent, *, depth: int, artifact: bool
    ) -> None:
        plain = _without_inline_images(data)
        content.drawn = content.drawn or len(plain) < len(data)
        data = plain
        painter = _TextPainter(state, content)
        operands: list[bytes] = []
        stack: list[_State] = []
        marks: list[bool] = []
        count = 0
        for match in _TOKEN.finditer(data):
            kind = match.lastgroup
            count += 1
            if not count & 0x3FFF and time.monotonic() > self._deadline:
                raise PageTooComplex
            if kind == "skip":
                content.drawn = content.drawn or data[match.end() - 1 : match.end()] in (b"S", b"s")
                operands.clear()
                continue
            token = match[kind] if kind else b""
            if kind != "operator":
                if len(operands) < 64:
                    operands.append(token)
                continue
            try:
                if token == b"Tj":
                    painter.show_all(operands[-1:], artifact)
                elif token == b"TJ":
                    painter.show_array(operands[-1], artifact)
                elif token == b"Td":
                    painter.move(*_numbers(operands, 2))
                elif token == b"TD":
                    x, y = _numbers(operands, 2)
                    painter.state.leading = -y
                    painter.move(x, y)
                elif token == b"Tm":
                    painter.matrix = painter.line_matrix = _matrix(operands)
                elif token == b"Tf":
                    painter.state.font = self._font(resources, operands[-2].decode("latin-1"))
                    painter.state.size = _numbers(operands, 1)[0]
                elif token == b"T*":
                    painter.next_line()
                elif token == b"'":
                    painter.next_line()
                    painter.show_all(operands[-1:], artifact)
                elif token == b'"':
                    painter.state.word_space, painter.state.char_space = _numbers(operands[:2], 2)
                    painter.next_line()
                    painter.show_all(operands[-1:], artifact)
                elif token == b"BT":
                    painter.matrix = painter.line_matrix = IDENTITY
                elif token == b"cm":
                    painter.state.ctm = multiply(_matrix(operands), painter.state.ctm)
                elif token == b"q":
                    if len(stack) < 512:
                        stack.append(painter.state.copy())
                elif token == b"Q":
                    if stack:
                        painter.state = stack.pop()
                elif token == b"Tc":
                    painter.state.char_space = _numbers(operands, 1)[0]
                elif token == b"Tw":
                    painter.state.word_space = _numbers(operands, 1)[0]
                elif token == b"Tz":
                    painter.state.stretch = _numbers(operands, 1)[0] / 100
                elif token == b"TL":
                    painter.state.leading = _numbers(operands, 1)[0]
                elif token == b"Ts":
                    painter.state.rise = _numbers(operands, 1)[0]
                elif token in (b"BDC", b"BMC"):
                    marks.append(artifact)
                    artifact = artifact or operands[:1] == [b"/Artifact"]
                    if b"/ActualText" in operands[-1]:
                        painter.replace_with(operands[-1])
                    else:
                        painter.nest()
                elif token == b"EMC":
                    if marks:
                        artifact = marks.pop()
                        painter.end_nested()
                elif token == b"Do":
                    self._draw(
                        resources, operands[-1].decode("latin-1"), painter.state, content, depth, artifact
                    )
                elif token in (b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh"):
                    content.drawn = True
            except (ValueError, IndexError, OverflowError):
                content.damaged = True
            operands.clear()
        painter.finish()

    def _draw(
        self, resources: Any, name: str, state: _State, content: PageContent, depth: int, artifact: bool
    ) -> None:
        objects: Any = _object(resources.get("/XObject")) if hasattr(resources, "get") else None
        form: Any = _object(objects.get(name)) if hasattr(objects, "get") else None
        if not isinstance(form, dict):
            return
        if form.get("/Subtype") != "/Form":
            content.drawn = True
            return
        if depth >= _MAX_FORM_DEPTH:
            return
        if time.monotonic() > self._deadline:
            raise PageTooComplex
        inner = state.copy()
        matrix = _object(form.get("/Matrix"))
        if isinstance(matrix, list) and len(matrix) == 6:
            inner.ctm = multiply(
                _matrix([str(float(_object(value))).encode() for value in matrix]), inner.ctm
            )
        data, damaged = _content_bytes(form)
        content.damaged = content.damaged or damaged
        own: Any = _object(form.get("/Resources"))
        self._run(
            data,
            own if hasattr(own, "get") else resources,
            inner,
            content,
            depth=depth + 1,
            artifact=artifact,
        )


class _TextPainter:
    """Shows strings: moves the pen and notes runs."""

    def __init__(self, state: _State, content: PageContent) -> None:
        self.state = state
        self.matrix: Matrix = IDENTITY
        self.line_matrix: Matrix = IDENTITY
        self._content = content
        # For each marked part: None, or the index of its first run and what it says instead.
        self._replacements: list[tuple[int, str] | None] = []

    def move(self, x: float, y: float) -> None:
        """Go to the next line, offset from the begin of this one."""
        a, b, c, d, e, f = self.line_matrix
        self.matrix = self.line_matrix = (a, b, c, d, e + x * a + y * c, f + x * b + y * d)

    def next_line(self) -> None:
        """Go to the next line by the leading."""
        self.move(0.0, -self.state.leading)

    def nest(self) -> None:
        """Begin a marked part without a text of its own."""
        self._replacements.append(None)

    def replace_with(self, properties: bytes) -> None:
        """Begin a marked part whose properties say what it means."""
        found = _ACTUAL_TEXT.search(properties)
        text = _text_string(_unescape(found[1])) if found else ""
        self._replacements.append((len(self._content.runs), text))

    def end_nested(self) -> None:
        """End the innermost marked part."""
        replacement = self._replacements.pop() if self._replacements else None
        if replacement is None:
            return
        start, text = replacement
        runs = self._content.runs[start:]
        if not runs or len({round(run.y) for run in runs}) > 1:
            return
        first = runs[0]
        if not text:
            # A hyphen that says nothing is one at the end of a line.
            text = "\u00ad" if first.text in ("-", "‐", "\u00ad") else ""
        first.text, first.x1 = text, max(run.x1 for run in runs)
        del self._content.runs[start + bool(text) :]

    def finish(self) -> None:
        """End what was left open."""
        while self._replacements:
            self.end_nested()

    def show_all(self, strings: list[bytes], artifact: bool) -> None:
        """Show one string."""
        if strings:
            self._show([(_unescape(strings[0]), 0.0)], artifact)

    def show_array(self, array: bytes, artifact: bool) -> None:
        """Show strings with shifts between them, in thousandths of an em."""
        items: list[tuple[bytes, float]] = []
        for string, digits, number in _ARRAY_ITEM.findall(array):
            if number:
                items.append((b"", _float(number)))
            else:
                items.append((_unescape(string or digits), 0.0))
        self._show(items, artifact)

    def _show(self, items: list[tuple[bytes, float]], artifact: bool) -> None:
        state = self.state
        font = state.font
        if font is None:
            return
        size, stretch = state.size, 1.0 if font.vertical else state.stretch
        texts: list[str] = []
        pen = start = 0.0
        accent = ""
        for data, shift in items:
            if not data:
                back = shift / 1000
                if texts and back > 0.15 and texts[-1][-1:] in _COMBINING:
                    accent = _COMBINING[texts[-1][-1]]
                    texts[-1] = texts[-1][:-1]
                pen -= back * size * stretch
                gap = -back / font.scale
                if gap > _SPLIT_GAP and texts:
                    self._note("".join(texts), start, pen + back * size * stretch, artifact)
                    texts, start = [], pen
                elif gap > _SPACE_GAP and texts and texts[-1][-1:] != " ":
                    texts.append(" ")
                elif not texts:
                    start = pen
                continue
            text, ems, codes = font.decode(data)
            advance = ems * size + state.char_space * codes
            if state.word_space and font.single_byte:
                advance += state.word_space * data.count(b" ")
            if accent and text[:1].isalpha():
                text = text[0] + accent + text[1:]
            accent = ""
            if text:
                texts.append(text)
            if state.char_space > 0.3 * abs(size) * font.scale and codes > 1 and codes == len(text):
                # Letters so far apart are a way of setting tables; each is on its own.
                texts[-1] = " ".join(text)
            pen += advance * stretch
        if texts:
            self._note("".join(texts), start, pen, artifact)
        a, b, c, d, e, f = self.matrix
        if font.vertical:
            self.matrix = (a, b, c, d, e - pen * c, f - pen * d)
        else:
            self.matrix = (a, b, c, d, e + pen * a, f + pen * b)

    def _note(self, text: str, start: float, end: float, artifact: bool) -> None:
        state = self.state
        font = state.font
        assert font is not None
        a, b, c, d, e, f = self.matrix
        ca, cb, cc, cd, ce, cf = state.ctm
        # The linear part of text matrix times page matrix.
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
        if abs(dx) >= abs(dy):
            direction = 0 if dx >= 0 else 2
        else:
            direction = 1 if dy > 0 else 3
        # Coordinates as read: along the line, and across it.
        if direction == 0:
            along, across = x0, y0
        elif direction == 1:
            along, across = y0, -x0
        elif direction == 2:
            along, across = -x0, -y0
        else:
            along, across = -y0, x0
        if text[-1:] == " " or text[:1] == " ":
            # Blanks at the ends would hide the gaps that tell words and columns apart.
            space = (
                font.space * state.size + state.char_space + (state.word_space if font.single_byte else 0.0)
            )
            blank = min(length / len(text), max(0.0, space * state.stretch) * math.hypot(along_x, along_y))
            stripped = text.lstrip(" ")
            along += blank * (len(text) - len(stripped))
            length -= blank * (len(text) - len(stripped))
            text = stripped.rstrip(" ")
            length -= blank * (len(stripped) - len(text))
            if not text:
                return
        if "   " in text:
            self._note_parts(text, along, length, across, size, font, direction, artifact)
        else:
            self._content.runs.append(
                Run(text, along, along + length, across, size, font, direction, artifact)
            )

    def _note_parts(
        self,
        text: str,
        along: float,
        length: float,
        across: float,
        size: float,
        font: Font,
        direction: int,
        artifact: bool,
    ) -> None:
        """Note the parts of a text that wide gaps of spaces part."""
        unit = length / len(text)
        for part in re.finditer(r"\S+(?: {1,2}\S+)*", text):
            x0 = along + part.start() * unit
            self._content.runs.append(
                Run(part[0], x0, x0 + len(part[0]) * unit, across, size, font, direction, artifact)
            )


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies ``first`` and then ``second``."""
    a, b, c, d, e, f = first
    ca, cb, cc, cd, ce, cf = second
    return (
        a * ca + b * cc,
        a * cb + b * cd,
        c * ca + d * cc,
        c * cb + d * cd,
        e * ca + f * cc + ce,
        e * cb + f * cd + cf,
    )


def _object(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value


def _inherited(page: Any, key: str) -> Any:
    """A page's attribute, from the page or the nearest node above it that has it."""
    node = page
    for _ in range(64):
        if not hasattr(node, "get"):
            break
        if key in node:
            return _object(node[key])
        node = _object(node.get("/Parent"))
    return {}


def _content_bytes(source: Any) -> tuple[bytes, bool]:
    """The decoded content of a stream or an array of streams, and whether some of it was lost."""
    source = _object(source)
    streams = source if isinstance(source, list) else [source]
    parts: list[bytes] = []
    total = 0
    damaged = False
    for stream in streams:
        stream = _object(stream)
        if not hasattr(stream, "get_data"):
            continue
        try:
            data = stream.get_data()
        except (MemoryError, RecursionError):
            raise
        except Exception:
            damaged = True
            continue
        total += len(data)
        if total > MAX_CONTENT_BYTES:
            raise PageTooComplex
        parts.append(data if isinstance(data, bytes) else str(data).encode("latin-1", errors="replace"))
    return b"\n".join(parts), damaged


def _without_inline_images(data: bytes) -> bytes:
    """The content without the data of inline images, which could look like anything."""
    parts: list[bytes] = []
    position = 0
    while found := _INLINE_IMAGE.search(data, position):
        end = _INLINE_IMAGE_END.search(data, found.end())
        if end is None:
            break
        parts.append(data[position : found.start()])
        position = end.end()
    return b" ".join([*parts, data[position:]]) if parts else data


def _float(token: bytes) -> float:
    try:
        return float(token)
    except ValueError:
        # Some producers write "--1.5" or "1.2-3"; viewers take the leading number.
        found = re.search(rb"-?\d*\.?\d+", token)
        return float(found[0]) if found else 0.0


def _numbers(operands: list[bytes], count: int) -> list[float]:
    values = [_float(operand) for operand in operands[-count:]]
    if len(values) != count:
        raise ValueError("operands are missing")
    return values


def _matrix(operands: list[bytes]) -> Matrix:
    a, b, c, d, e, f = _numbers(operands, 6)
    return (a, b, c, d, e, f)


def _unescape(token: bytes) -> bytes:
    """The bytes that a string or hexadecimal string of a content stream stands for."""
    if token[:1] == b"<":
        digits = b"".join(token[1:-1].split())
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
    if token[:1] != b"(":
        return b""
    body = token[1:-1]
    return _ESCAPE.sub(_replace_escape, body) if b"\\" in body else body


def _replace_escape(match: re.Match[bytes]) -> bytes:
    body = match[1]
    if body[:1].isdigit():
        return bytes((int(body, 8) & 0xFF,))
    return _ESCAPED.get(body, body)


def _text_string(data: bytes) -> str:
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", errors="replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", errors="replace")
    return data.decode("latin-1")
