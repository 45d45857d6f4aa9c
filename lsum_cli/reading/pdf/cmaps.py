"""CMaps: how the strings of a composite font fall into codes, which glyphs and which texts these select.

A composite font has up to three tables. A *code map* (the font's ``/Encoding``) splits a string into
codes and gives each the number of its glyph, the CID; it is predefined, such as ``GBK-EUC-H``, or
embedded. A *Unicode map* (``/ToUnicode``) gives codes their text. A *character collection*, such as
Adobe-Japan1, gives CIDs their text. The predefined tables are Adobe's, as pdfminer.six packages them.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from lsum_cli.reading.pdf.glyphs import character, expand, tidy
from lsum_cli.text.patterns import regex

_COLLECTIONS = frozenset({"Adobe-GB1", "Adobe-CNS1", "Adobe-Japan1", "Adobe-Korea1"})
_MAX_CODES = 70_000
_MAX_MAP_BYTES = 4 << 20
_MAX_RANGES = 20_000
# Longer ranges are kept as they are; some maps say "all 65,536 codes are what they are".
_SHORT_RANGE = 256
_BORDER = regex(rb"(begin|end)(bfchar|bfrange|codespacerange|cidchar|cidrange)")
_DIGITS = rb"<([0-9A-Fa-f\s]*+)>\s*+"
_PAIR = regex(_DIGITS * 2)
_RANGE = regex(_DIGITS * 2 + rb"(?:<([0-9A-Fa-f\s]*+)>|\[([^\[\]]*+)\])")
_CID = regex(_DIGITS + rb"(\d{1,6})")
_CID_RANGE = regex(_DIGITS * 2 + rb"(\d{1,6})")
_HEX = regex(_DIGITS)
_USE = regex(rb"/([\w-]++)\s++usecmap")
_VERTICAL = regex(rb"/WMode\s++1\b")
# Maps that pdfminer.six has without the map that they build on.
_BASES = {
    "ETenms-B5-H": "ETen-B5-H",
    "ETenms-B5-V": "ETen-B5-V",
    "UniJIS-UCS2-HW-H": "UniJIS-UCS2-H",
    "UniJIS-UCS2-HW-V": "UniJIS-UCS2-V",
}
_NAME = regex(r"[A-Za-z0-9-]{1,40}")
# Codes of these maps are characters already; no table has more of them than the code itself says.
_UNICODE_CODECS = {"UCS2": "utf-16-be", "UTF16": "utf-16-be", "UTF32": "utf-32-be", "UTF8": "utf-8"}
# Vertical forms and private characters.
_TURNED = regex("[\ue000-\uf8ff\ufe10-\ufe1f\ufe30-\ufe4f]")
_UNICODE_NAME = regex(r"Uni[A-Z]\w*-(UCS2|UTF16|UTF32|UTF8)(?:-HW)?-[HV]")

CodeSpace = tuple[bytes, bytes]

# No glyph shows so long a text, nor, but for a few of Arabic, several words.
_LONGEST = 24
_WORDS = regex(r"\w \w")
_PHRASES = frozenset(unicodedata.normalize("NFKD", phrase) for phrase in "\ufdfa\ufdfb\ufdfd")
# Ghostscript 10.0 gives these to glyphs of scripts that it cannot name; a font has a glyph or two of each.
_NAMELESS = "\u00fe\u00ff\u0100"
_MOST_ALIKE = 2
_LAM = regex("\u0644[\u4422-\u4427]")


class UnicodeMap:
    """A parsed ToUnicode map.

    Attributes:
        texts: The text of each code that stands alone or in a short range.
    """

    def __init__(self, data: bytes) -> None:
        self.texts: dict[int, str] = {}
        self._starts: list[int] = []
        self._ranges: list[tuple[int, int, str]] = []
        self._spaces: list[CodeSpace] = []
        data = data[:_MAX_MAP_BYTES]
        used = _USE.search(data)
        self._base = collection_texts(used[1].decode("ascii").removesuffix("-UCS2")) if used else {}
        readers: dict[bytes, Callable[[bytes], None]] = {
            b"bfchar": self._read_characters,
            b"bfrange": self._read_ranges,
            b"codespacerange": lambda body: _read_code_spaces(body, self._spaces),
        }
        for kind, body in _blocks(data):
            if kind in readers:
                readers[kind](body)
        self._ranges.sort()
        self._starts = [first for first, _, _ in self._ranges]
        if self.texts and self._is_wrong():
            self.texts.clear()

    def __bool__(self) -> bool:
        return bool(self.texts or self._ranges or self._base)

    def get(self, code: int) -> str | None:
        """The text of a code; ``None`` where the map has none."""
        found = self.texts.get(code)
        if found is not None:
            return found
        place = bisect_right(self._starts, code) - 1
        if place >= 0:
            first, last, start = self._ranges[place]
            if code <= last and ord(start[-1]) + code - first:
                return expand(start[:-1] + character(ord(start[-1]) + code - first)) or None
        return self._base.get(code)

    def code_map(self) -> CodeMap:
        """How strings fall into codes, by the code spaces that the map declares."""
        return CodeMap(self._spaces)

    def _read_characters(self, body: bytes) -> None:
        for code, text in _PAIR.findall(body):
            found = _decode_hex(text)
            # A text without characters is shown by the glyphs next to it; NUL means that nobody knows.
            if found or not text.strip():
                self._set(_number(code), found)

    def _read_ranges(self, body: bytes) -> None:
        for low, high, text, several in _RANGE.findall(body):
            first, last = _number(low), _number(high)
            if last - first > _MAX_CODES:
                continue
            if len(self.texts) >= _MAX_CODES:
                return
            if several:
                for offset, entry in enumerate(_HEX.findall(several)[: last - first + 1]):
                    if found := _decode_hex(entry):
                        self._set(first + offset, found)
                continue
            start = _decode_hex(text, keep_nul=True)
            if not start:
                continue
            if last - first > _SHORT_RANGE and len(self._ranges) < _MAX_RANGES:
                self._ranges.append((first, last, start))
                continue
            for offset in range(last - first + 1):
                if ord(start[-1]) + offset:
                    self._set(first + offset, start[:-1] + character(ord(start[-1]) + offset))

    def _is_wrong(self) -> bool:
        """Whether the texts are not those of the glyphs, so that others may say them, or nobody.

        Some producers of text from right to left give one glyph all that follows, and the others nothing.
        """
        texts = list(self.texts.values())
        counts = Counter(texts)
        phrases = sum(len(text) > 2 and _WORDS.search(text) is not None for text in texts)
        return (
            max(map(len, texts)) > _LONGEST
            or phrases > 1 + sum(counts[phrase] for phrase in _PHRASES)
            or counts[""] > max(_MOST_ALIKE, 0.5 * len(texts))
            or any(counts[character] > _MOST_ALIKE for character in _NAMELESS)
            or (all(character in counts for character in _NAMELESS[1:]) and "e" not in counts)
        )

    def _set(self, code: int, text: str) -> None:
        if len(self.texts) < _MAX_CODES:
            self.texts[code] = expand(text)


class CodeMap:
    """How strings fall into codes, and the CID of each code; without more, a code is its own CID.

    Args:
        spaces: Lowest and highest code of each code space; two bytes per code where there are none.

    Attributes:
        vertical: Whether text runs downwards.
    """

    vertical: bool = False

    def __init__(self, spaces: list[CodeSpace]) -> None:
        self._spaces = spaces
        lengths = {len(low) for low, _ in spaces} or {2}
        self._length = lengths.pop() if len(lengths) == 1 else 0

    def decode(self, data: bytes) -> list[tuple[int, int]]:
        """Split a string.

        Returns:
            Each code with its CID. A piece that is no code has the CID 0.
        """
        codes = self._codes(data)
        return list(zip(codes, codes, strict=True))

    def cid(self, code: int) -> int:
        """The CID of a code."""
        return code

    def _codes(self, data: bytes) -> list[int]:
        if self._length == 2:
            return [high << 8 | low for high, low in zip(data[::2], data[1::2], strict=False)]
        if self._length == 1:
            return list(data)
        codes: list[int] = []
        position = 0
        while position < len(data):
            length = next(
                (
                    len(low)
                    for low, high in self._spaces
                    if len(data) - position >= len(low)
                    and all(
                        a <= b <= c
                        for a, b, c in zip(low, data[position : position + len(low)], high, strict=True)
                    )
                ),
                2 if len(data) - position > 1 else 1,
            )
            codes.append(int.from_bytes(data[position : position + length], "big"))
            position += length
        return codes


class EmbeddedCodeMap(CodeMap):
    """A code map that the file brings along.

    Args:
        data: The map.
        base: The map that it builds on, where the file says so outside of ``data``.
        vertical: Whether the file says outside of ``data`` that text runs downwards.
    """

    def __init__(self, data: bytes, base: CodeMap | None, *, vertical: bool = False) -> None:
        data = data[:_MAX_MAP_BYTES]
        spaces: list[CodeSpace] = []
        self._cids: dict[int, int] = {}
        self._ranges: list[tuple[int, int, int]] = []
        used = _USE.search(data)
        self._base = base or (predefined_code_map(used[1].decode("ascii")) if used else None)
        for kind, body in _blocks(data):
            if kind == b"codespacerange":
                _read_code_spaces(body, spaces)
            elif kind == b"cidchar":
                self._cids.update((_number(code), int(cid)) for code, cid in _CID.findall(body))
            elif kind == b"cidrange":
                self._ranges += [
                    (_number(low), _number(high), int(cid)) for low, high, cid in _CID_RANGE.findall(body)
                ]
        self._ranges = sorted(self._ranges[:_MAX_RANGES])
        self._starts = [first for first, _, _ in self._ranges]
        self._own_spaces = bool(spaces)
        super().__init__(spaces)
        self.vertical = vertical or bool(_VERTICAL.search(data)) or bool(self._base and self._base.vertical)

    def decode(self, data: bytes) -> list[tuple[int, int]]:
        """See :class:`CodeMap`."""
        if self._base and not self._own_spaces:
            pairs = self._base.decode(data)
            return [(code, cid if (own := self._own_cid(code)) is None else own) for code, cid in pairs]
        return [(code, self.cid(code)) for code in self._codes(data)]

    def cid(self, code: int) -> int:
        """The CID of a code."""
        if not (self._base or self._cids or self._ranges):
            return code
        own = self._own_cid(code)
        return own if own is not None else self._base.cid(code) if self._base else 0

    def _own_cid(self, code: int) -> int | None:
        if code in self._cids:
            return self._cids[code]
        place = bisect_right(self._starts, code) - 1
        if place >= 0 and code <= self._ranges[place][1]:
            return self._ranges[place][2] + code - self._ranges[place][0]
        return None


class PredefinedCodeMap(CodeMap):
    """One of Adobe's code maps: a tree with a level for each byte of a code."""

    def __init__(self, name: str, tree: Mapping[int, Any]) -> None:
        super().__init__([])
        self._tree = tree
        self.vertical = name == "V" or name.endswith("-V")

    def decode(self, data: bytes) -> list[tuple[int, int]]:
        """See :class:`CodeMap`."""
        found: list[tuple[int, int]] = []
        position = 0
        while position < len(data):
            node: Any = self._tree
            end = position
            while isinstance(node, Mapping) and end < len(data):
                node = node.get(data[end])
                end += 1
            found.append(
                (int.from_bytes(data[position:end], "big"), node if isinstance(node, int) else 0),
            )
            position = end
        return found

    def cid(self, code: int) -> int:
        """The CID of a code."""
        length = max(1, (code.bit_length() + 7) // 8)
        return self.decode(code.to_bytes(length, "big"))[0][1]


@lru_cache(maxsize=16)
def predefined_code_map(name: str) -> CodeMap | None:
    """A code map by its name, such as ``"Identity-H"`` or ``"GBK-EUC-H"``; ``None`` for an unknown name."""
    if name in ("Identity-H", "Identity-V"):
        identity = CodeMap([])
        identity.vertical = name == "Identity-V"
        return identity
    if not _NAME.fullmatch(name):
        return None
    from pdfminer.cmapdb import CMapDB

    try:
        found = CMapDB.get_cmap(name)
    except (CMapDB.CMapNotFound, AttributeError):
        # The latter for names of tables of another kind.
        return None
    tree = getattr(found, "code2cid", {})
    if name in _BASES:
        tree = _merged(getattr(CMapDB.get_cmap(_BASES[name]), "code2cid", {}), tree)
    return PredefinedCodeMap(name, tree)


def _merged(base: Mapping[int, Any], own: Mapping[int, Any]) -> dict[int, Any]:
    merged = dict(base)
    for byte, node in own.items():
        below = base.get(byte)
        merged[byte] = (
            _merged(below, node) if isinstance(node, Mapping) and isinstance(below, Mapping) else node
        )
    return merged


def code_as_text(name: str, code: int) -> str | None:
    """The text that a code of a Unicode code map such as ``"UniJIS-UTF16-H"`` is; else ``None``."""
    match = _UNICODE_NAME.fullmatch(name)
    if not match:
        return None
    length = 4 if match[1] == "UTF32" else max(1 if match[1] == "UTF8" else 2, (code.bit_length() + 7) // 8)
    try:
        return tidy(code.to_bytes(length, "big").decode(_UNICODE_CODECS[match[1]]))
    except (UnicodeDecodeError, OverflowError):
        return None


@lru_cache(maxsize=8)
def collection_texts(name: str) -> Mapping[int, str]:
    """The text of each CID of a character collection such as ``"Adobe-Japan1"``; empty if unknown."""
    if name not in _COLLECTIONS:
        return {}
    from pdfminer.cmapdb import CMapDB

    horizontal = CMapDB.get_unicode_map(name).cid2unichr
    # The map of vertical text has the forms used only there, and ordinary characters for those that the
    # other gives as vertical forms or leaves private; elsewhere the two differ in the turn of arrows.
    vertical = CMapDB.get_unicode_map(name, vertical=True).cid2unichr
    return {**vertical, **{cid: text for cid, text in horizontal.items() if not _TURNED.search(text)}}


def _blocks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The blocks of a map by their kind; one without end goes up to the next one."""
    kind, begin = b"", 0
    for border in _BORDER.finditer(data):
        if kind and (border[1] == b"begin" or border[2] == kind):
            yield kind, data[begin : border.start()]
            kind = b""
        if border[1] == b"begin":
            kind, begin = border[2], border.end()


def _read_code_spaces(body: bytes, spaces: list[CodeSpace]) -> None:
    for low, high in _PAIR.findall(body):
        ends = bytes.fromhex(_even(low)), bytes.fromhex(_even(high))
        if 0 < len(ends[0]) == len(ends[1]) <= 4 and len(spaces) < 64:
            spaces.append(ends)


def _even(digits: bytes) -> str:
    joined = b"".join(digits.split()).decode("ascii")
    return joined + "0" * (len(joined) % 2)


def _number(digits: bytes) -> int:
    joined = b"".join(digits.split())[:8]
    return int(joined, 16) if joined else 0


def _decode_hex(digits: bytes, *, keep_nul: bool = False) -> str:
    data = bytes.fromhex(_even(digits)[:256])
    # Ghostscript 10.0 swaps the bytes of ligatures.
    swapped = len(data) > 2 and len(data) % 2 == 0 and not any(data[1::2]) and data[::2].isalpha()
    order = "utf-16-le" if swapped else "utf-16-be"
    text = chr(data[0]) if len(data) == 1 else data.decode(order, errors="replace")
    if len(data) == 4 and _LAM.match(text):
        # It also repeats a byte of lam in the alef that follows.
        text = text[0] + chr(0x0600 | data[3])
    return text if keep_nul else text.replace("\x00", "")
