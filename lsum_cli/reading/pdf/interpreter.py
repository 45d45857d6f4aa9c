"""Interpreting the content stream of a page: which text is shown where, in which font and size."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from lsum_cli.reading.pdf.file import DAMAGE, damage_errors, resolve, stream_bytes
from lsum_cli.reading.pdf.fonts import Font, unknown_font
from lsum_cli.reading.pdf.operands import Operands, matrix_of, multiply, number_of
from lsum_cli.reading.pdf.text_operators import (
    OPERATORS,
    GraphicsState,
    PageContent,
    PageTooComplex,
    TextPainter,
)
from lsum_cli.text.patterns import regex

MAX_CONTENT_BYTES = 40 << 20
PAGE_SECONDS = 6.0
_MAX_FORM_DEPTH = 12
_MAX_OPERANDS = 64
_PAINTING = frozenset((b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"sh"))
# One token, or one of the commonest statements whole: a string or array with the operator that shows it,
# and what often stands before it, spacing and a new line; a font with its size; a few numbers with the text
# operator they are for. Strings may contain parentheses, up to three levels deep. Operators that only build
# paths or set colours are skipped together with their operands.
_INNER = rb"[^()\\]++|\\[\s\S]"
_STRING = rb"\((?:%b|\((?:%b|\((?:%b)*+\))*+\))*+\)" % (_INNER, _INNER, _INNER)
_HEXADECIMAL = rb"<[0-9A-Fa-f\s]*+>"
_ARRAY = rb"\[(?:[^\[\]()<>%%]++|%b|%b)*+\]" % (_STRING, _HEXADECIMAL)
_DRAWING = (
    rb"(?:[-+]?[0-9.]++[\s\x00]++){0,6}+"
    rb"(?:m|l|c|v|y|h|W\*|W|n|w|J|j|M|i|G|g|RG|rg|K|k|ri|gs)(?=[\s\x00/\[(<%]|\Z)"
)
_OPERATOR_END = rb"(?![A-Za-z0-9*])"
_NUMBER = rb"[-+]?[0-9.]++"
_NAME = rb"/[^\s\x00()<>\[\]{}/%]*+"
_TOKEN = regex(
    rb"""
    [\s\x00]*+(?:
      (?P<skip>(?:(?:%%[^\r\n]*+ | %(drawing)b) [\s\x00]*+)++)
    | (?:(?P<character>%(number)b)\s++Tc %(end)b [\s\x00]*+)?
      (?:(?P<word>%(number)b)\s++Tw %(end)b [\s\x00]*+)?
      (?:(?:(?P<x>%(number)b)\s++(?P<y>%(number)b)\s++Td | (?P<line>T\*)) %(end)b [\s\x00]*+)?
      (?:
          (?P<array>%(array)b)[\s\x00]*+(?P<show_array>TJ)
        | (?P<string>%(string)b)[\s\x00]*+(?P<show_string>Tj)
      ) %(end)b
    | (?P<numbers>(?:%(number)b\s++){1,6}+) (?P<numeric>T[dDmcwzLsr]|re) %(end)b
    | (?P<font>%(name)b)\s++(?P<size>%(number)b)\s++(?P<set_font>Tf) %(end)b
    | (?P<number>[-+.]++(?:[0-9][-0-9.]*+)?+ | [0-9][-0-9.]*+)
    | (?P<lone_array>%(array)b)
    | (?P<lone_string>%(string)b)
    | (?P<dictionary><<(?:[^<>()]++ | %(string)b | %(hexadecimal)b | <<(?:[^<>]++ | %(hexadecimal)b)*+>>)*+>>)
    | (?P<hexadecimal>%(hexadecimal)b)
    | (?P<name>%(name)b)
    | (?P<operator>[A-Za-z'"][A-Za-z0-9*]*+)
    | (?P<other>[^\s\x00])
    )
    """
    % {
        b"drawing": _DRAWING,
        b"string": _STRING,
        b"array": _ARRAY,
        b"hexadecimal": _HEXADECIMAL,
        b"number": _NUMBER,
        b"name": _NAME,
        b"end": _OPERATOR_END,
    },
    re.X,
)
_SKIP, _OPERATOR, _OTHER = (_TOKEN.groupindex[name] for name in ("skip", "operator", "other"))
_NUMBERS, _NUMERIC = _TOKEN.groupindex["numbers"], _TOKEN.groupindex["numeric"]
_STRING_SHOWN, _SHOW_STRING = _TOKEN.groupindex["string"], _TOKEN.groupindex["show_string"]
_ARRAY_SHOWN, _SHOW_ARRAY = _TOKEN.groupindex["array"], _TOKEN.groupindex["show_array"]
_FONT, _SIZE, _SET_FONT = (_TOKEN.groupindex[name] for name in ("font", "size", "set_font"))
# What is set before a string is shown.
_BEFORE = tuple(_TOKEN.groupindex[name] for name in ("character", "word", "x", "y", "line"))
# A straight line as the last part of a path.
_LINE = regex(rb"(%b)\s++(%b)\s++m\s++(%b)\s++(%b)\s++l\s*+\Z" % ((_NUMBER,) * 4))
_LONGEST_LINE = 80  # bytes
_STRING_SIGN = regex(rb"\\[\s\S]|[()]")
_BLANKS = b" \t\n\v\f\r\x00"
_SPACE = 0x20
# Up to the next "BI" only, so that each byte is looked at once.
_INLINE_IMAGE = regex(
    rb"(?<![^\s\x00])BI[\s\x00]++/(?:(?!(?<=[\s\x00])BI[\s\x00])[^()]){1,1000}?[\s\x00]ID[\s\x00]"
)
_INLINE_IMAGE_END = regex(rb"[\s\x00]EI(?=[\s\x00]|\Z)")


class Interpreter:
    """Interprets the content of pages; caches the fonts they share.

    Args:
        page_seconds: Maximum processor time for one page, in seconds: a busy machine loses no page.
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
        self._deadline = time.thread_time() + self._page_seconds
        data, content.damaged = _content_bytes(page.get("/Contents"))
        self._run(data, _inherited(page, "/Resources"), GraphicsState(), content, depth=0, artifact=False)
        return content

    def _font(self, resources: Any, name: str) -> Font:
        fonts: Any = resolve(resources.get("/Font")) if hasattr(resources, "get") else None
        reference: Any = fonts.raw_get(name) if hasattr(fonts, "raw_get") and name in fonts else None
        key = (getattr(reference, "idnum", None) or id(fonts), name)
        if key not in self._fonts:
            dictionary = resolve(reference)
            try:
                self._fonts[key] = Font(dictionary) if hasattr(dictionary, "get") else unknown_font()
            except DAMAGE:
                self._fonts[key] = unknown_font()
        return self._fonts[key]

    def _run(
        self,
        data: bytes,
        resources: Any,
        state: GraphicsState,
        content: PageContent,
        *,
        depth: int,
        artifact: bool,
    ) -> None:
        plain = _without_inline_images(data)
        content.drawn = content.drawn or len(plain) < len(data)
        data = plain
        painter = TextPainter(state, content, artifact=artifact)
        operands: Operands = []
        path: re.Match[bytes] | None = None
        for count, match in enumerate(_tokens(data)):
            if not count & 0x7FF and time.thread_time() > self._deadline:
                raise PageTooComplex
            kind = match.lastindex or 0
            try:
                if kind == _SHOW_STRING:
                    painter.prepare(*match.group(*_BEFORE))
                    painter.show_string(match[_STRING_SHOWN])
                elif kind == _SHOW_ARRAY:
                    painter.prepare(*match.group(*_BEFORE))
                    painter.show_array(match[_ARRAY_SHOWN])
                elif kind == _SET_FONT:
                    self._set_font(painter, resources, *match.group(_FONT, _SIZE))
                elif kind == _NUMERIC:
                    handler = OPERATORS.get(match[kind])
                    if handler:
                        found = match[_NUMBERS].split()
                        # What stands before is an operand too where it is a number of an unusual form.
                        handler(painter, [*operands, *found][:_MAX_OPERANDS] if operands else found)
                elif kind == _OPERATOR:
                    operator = match[kind]
                    handler = OPERATORS.get(operator)
                    if handler:
                        handler(painter, operands)
                    else:
                        if operator == b"S" and path and (line := _last_line(path)):
                            painter.show_rule(*line)
                        self._perform(operator, operands, painter, resources, content, depth)
                    path = None
                elif kind == _SKIP:
                    path = match
                elif len(operands) < _MAX_OPERANDS:
                    operands.append(match[kind])
                    continue
            except (ValueError, IndexError, OverflowError):
                content.damaged = True
            operands.clear()
        painter.finish()

    def _set_font(self, painter: TextPainter, resources: Any, name: bytes, size: bytes) -> None:
        font = painter.fonts.get(name)
        if font is None:
            font = painter.fonts[name] = self._font(resources, name.decode("latin-1"))
        painter.state.font = font
        painter.state.size = number_of(size)

    def _perform(
        self,
        operator: bytes,
        operands: Operands,
        painter: TextPainter,
        resources: Any,
        content: PageContent,
        depth: int,
    ) -> None:
        """Carry out an operator that needs resources, or paints lines or areas."""
        if operator == b"Tf":
            self._set_font(painter, resources, operands[-2], operands[-1])
        elif operator == b"Do":
            self._draw(resources, operands[-1].decode("latin-1"), painter, content, depth)
        elif operator in _PAINTING:
            content.drawn = True

    def _draw(
        self, resources: Any, name: str, painter: TextPainter, content: PageContent, depth: int
    ) -> None:
        """Draw an image or the content of a form."""
        objects: Any = resolve(resources.get("/XObject")) if hasattr(resources, "get") else None
        form: Any = resolve(objects.get(name)) if hasattr(objects, "get") else None
        if not isinstance(form, dict):
            return
        if form.get("/Subtype") != "/Form":
            content.drawn = True
            return
        if depth >= _MAX_FORM_DEPTH:
            return
        inner = painter.state.copy()
        matrix = resolve(form.get("/Matrix"))
        if isinstance(matrix, list) and len(matrix) == 6:
            inner.ctm = multiply(
                matrix_of([str(float(resolve(value))).encode() for value in matrix]), inner.ctm
            )
        data, damaged = _content_bytes(form)
        content.damaged = content.damaged or damaged
        own: Any = resolve(form.get("/Resources"))
        self._run(
            data,
            own if hasattr(own, "get") else resources,
            inner,
            content,
            depth=depth + 1,
            artifact=painter.artifact,
        )


def _last_line(path: re.Match[bytes]) -> tuple[float, float, float, float] | None:
    """The ends of the straight line with which the operators that build a path end, if they do."""
    found = _LINE.search(path.string, max(path.start(), path.end() - _LONGEST_LINE), path.end())
    if found is None:
        return None
    x0, y0, x1, y1 = map(number_of, found.groups())
    return x0, y0, x1, y1


def _tokens(data: bytes) -> Iterator[re.Match[bytes]]:
    """The tokens of a content stream, found in time proportional to its length."""
    # What can only fail to match at each of its bytes, or up to the end again and again, is taken away.
    begin, is_closed = 0, False
    while True:
        data = data.rstrip(_BLANKS)
        for match in _TOKEN.finditer(data, begin):
            if not is_closed and match.lastindex == _OTHER and match[_OTHER] == b"(":
                data, begin, is_closed = _close_strings(data, match.start(_OTHER)), match.start(_OTHER), True
                break
            yield match
        else:
            return


def _close_strings(data: bytes, begin: int) -> bytes:
    """The content with spaces in place of every bracket from ``begin`` on that opens a string without end."""
    opened: list[list[int]] = []  # the place of each open bracket, and those of the escapes after it
    for match in _STRING_SIGN.finditer(data, begin):
        if match[0] == b"(":
            opened.append([match.start()])
        elif opened and match[0] == b")":
            opened.pop()
        elif opened:
            opened[-1].append(match.start())
    closed = bytearray(data)
    for places in opened:
        closed[places[0]] = _SPACE
        for escape in places[1:]:
            closed[escape : escape + 2] = bytes((_SPACE, _SPACE))
    return bytes(closed)


def _inherited(page: Any, key: str) -> Any:
    """An attribute of a page, inherited from the nearest node that has it."""
    node = page
    for _ in range(64):
        if not hasattr(node, "get"):
            break
        if key in node:
            return resolve(node[key])
        node = resolve(node.get("/Parent"))
    return {}


def _content_bytes(source: Any) -> tuple[bytes, bool]:
    """The decoded content of a stream or an array of streams, and whether some of it was lost."""
    from pypdf.errors import LimitReachedError

    source = resolve(source)
    streams = source if isinstance(source, list) else [source]
    parts: list[bytes] = []
    total = 0
    damaged = False
    for stream in streams:
        stream = resolve(stream)
        if not hasattr(stream, "get_data"):
            continue
        try:
            data = stream_bytes(stream)
        except LimitReachedError:
            raise PageTooComplex from None
        except damage_errors():
            damaged = True
            continue
        total += len(data)
        if total > MAX_CONTENT_BYTES:
            raise PageTooComplex
        parts.append(data)
    return b"\n".join(parts), damaged


def _without_inline_images(data: bytes) -> bytes:
    """The content without the binary data of inline images."""
    if b"BI" not in data:
        return data
    parts: list[bytes] = []
    position = 0
    while found := _INLINE_IMAGE.search(data, position):
        end = _INLINE_IMAGE_END.search(data, found.end())
        if end is None:
            break
        parts.append(data[position : found.start()])
        position = end.end()
    return b" ".join([*parts, data[position:]]) if parts else data
