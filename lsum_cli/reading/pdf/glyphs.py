"""Glyphs to text: glyph names, ToUnicode maps, encodings of TeX and Japanese fonts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Set
from functools import lru_cache

UNKNOWN = "\ufffd"

_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
    0xA0: " ",
    0x2002: " ",
    0x2003: " ",
    0x2009: " ",
    0x202F: " ",
    # Bullets of the Symbol and Wingdings fonts in the private use area.
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF06C: "●",
    0xF06E: "■",
    0xF076: "❖",
    0xF0D8: "➢",
    0xF0FC: "✓",
    0xF020: " ",
}
# Where the TeX encodings OT1 and T1 differ from ASCII; other codes are Latin 1.
_TEX_OT1 = {
    **dict(enumerate(("ff", "fi", "fl", "ffi", "ffl", "ı", "ȷ"), start=11)),
    **dict(enumerate(("ß", "æ", "œ", "ø", "Æ", "Œ", "Ø"), start=25)),
    34: "”",
    39: "’",
    60: "¡",
    62: "¿",
    92: "“",
    96: "‘",
    123: "–",
    124: "—",
}
_TEX_T1 = {
    **dict(enumerate(("‚", "‹", "›", "“", "”", "„", "«", "»", "–", "—"), start=13)),
    **dict(enumerate(("ı", "ȷ", "ff", "fi", "fl", "ffi", "ffl"), start=25)),
    39: "’",
    96: "‘",
}
_OT1_LIGATURES, _T1_LIGATURES = frozenset(range(11, 16)), frozenset(range(27, 32))
_T1_DASHES = frozenset({21, 22})
# Fonts of mathematical letters have no points, hyphens and digits.
_COMMON_LETTERS = frozenset(b"aeinorst")
_MIN_COMMON_LETTERS = 6
_POINTS_AND_DIGITS = frozenset(b",-.0123456789")
_MAX_CODES = 70_000
_MAX_MAP_BYTES = 4 << 20
_SUBSTITUTES = {
    "nbspace": " ",
    "nonbreakingspace": " ",
    "sfthyphen": "\u00ad",
    "dotlessj": "ȷ",
    "visiblespace": " ",
    "Thorn": "Þ",
}
_HEXADECIMAL_NAME = re.compile(r"(?:uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6}))", re.I)
_NUMBERED_NAME = re.compile(r"(?:[a-zA-Z]{1,2}|cid|glyph|index|char)?(\d{1,5})")
_BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange)(.*?)end\1", re.S)
_PAIR = re.compile(rb"<\s*([0-9A-Fa-f\s]*)>\s*<\s*([0-9A-Fa-f\s]*)>")
_RANGE = re.compile(
    rb"<\s*([0-9A-Fa-f\s]*)>\s*<\s*([0-9A-Fa-f\s]*)>\s*(?:<\s*([0-9A-Fa-f\s]*)>|\[(.*?)\])", re.S
)
_HEX = re.compile(rb"<\s*([0-9A-Fa-f\s]*)>")
_TYPE1_ENTRY = re.compile(rb"dup\s+(\d+)\s*/(\S+)\s+put")


def tidy(text: str) -> str:
    """``text`` with ligatures expanded and special spaces replaced by plain ones."""
    return text if text.isascii() else text.translate(_LIGATURES)


def named_encoding(name: str) -> list[str] | None:
    """The 256 characters of an encoding such as ``"/WinAnsiEncoding"`` or of the font ``"/Symbol"``."""
    from pypdf._codecs import charset_encoding

    found = charset_encoding.get(name)
    return list(found) if found else None


@lru_cache(maxsize=4096)
def glyph_text(name: str) -> str:
    """The text of a glyph by its name (without slash); :data:`UNKNOWN` where the name is not known."""
    from pypdf._codecs import adobe_glyphs

    if name in _SUBSTITUTES:
        return _SUBSTITUTES[name]
    found = adobe_glyphs.get("/" + name)
    if found:
        return found
    base, _, _variant = name.partition(".")
    if not base:
        return ""
    if base != name:
        return glyph_text(base)
    if "_" in name:
        parts = [glyph_text(part) for part in name.split("_") if part]
        if parts and UNKNOWN not in parts:
            return "".join(parts)
    hexadecimal = _HEXADECIMAL_NAME.fullmatch(name)
    if hexadecimal:
        digits = hexadecimal[1]
        codes = [digits[i : i + 4] for i in range(0, len(digits), 4)] if digits else [hexadecimal[2]]
        return "".join(_character(int(code, 16)) for code in codes)
    numbered = _NUMBERED_NAME.fullmatch(name)
    if numbered and 32 < int(numbered[1]) < 256:
        return _character(int(numbered[1]))
    return UNKNOWN


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else UNKNOWN


class UnicodeMap:
    """A parsed ToUnicode map.

    Attributes:
        texts: The text of each code.
    """

    def __init__(self, data: bytes) -> None:
        self.texts: dict[int, str] = {}
        self._spaces: list[tuple[bytes, bytes]] = []
        readers: dict[bytes, Callable[[bytes], None]] = {
            b"bfchar": self._read_characters,
            b"bfrange": self._read_ranges,
            b"codespacerange": self._read_code_spaces,
        }
        for kind, body in _BLOCK.findall(data[:_MAX_MAP_BYTES]):
            readers[kind](body)

    def code_length(self) -> int:
        """Number of bytes of a code: 1, 2, or 0 for mixed lengths."""
        lengths = {len(low) for low, _ in self._spaces}
        return lengths.pop() if len(lengths) == 1 else 0

    def split(self, data: bytes) -> list[int]:
        """Split a string into codes of mixed lengths."""
        codes: list[int] = []
        position = 0
        while position < len(data):
            length = next(
                (
                    len(low)
                    for low, high in self._spaces
                    if len(data) - position >= len(low)
                    and all(a <= b <= c for a, b, c in zip(low, data[position:], high, strict=False))
                ),
                2 if len(data) - position > 1 else 1,
            )
            codes.append(int.from_bytes(data[position : position + length], "big"))
            position += length
        return codes

    def _read_characters(self, body: bytes) -> None:
        for code, text in _PAIR.findall(body):
            self._set(_number(code), _decode_hex(text))

    def _read_ranges(self, body: bytes) -> None:
        for low, high, text, several in _RANGE.findall(body):
            first, last = _number(low), _number(high)
            if last - first > _MAX_CODES:
                continue
            if several:
                for offset, entry in enumerate(_HEX.findall(several)[: last - first + 1]):
                    self._set(first + offset, _decode_hex(entry))
                continue
            start = _decode_hex(text)
            if not start:
                continue
            for offset in range(last - first + 1):
                self._set(first + offset, start[:-1] + _character(ord(start[-1]) + offset))

    def _read_code_spaces(self, body: bytes) -> None:
        for low, high in _PAIR.findall(body):
            ends = bytes.fromhex(_even(low)), bytes.fromhex(_even(high))
            if 0 < len(ends[0]) == len(ends[1]) <= 4 and len(self._spaces) < 64:
                self._spaces.append(ends)

    def _set(self, code: int, text: str) -> None:
        if len(self.texts) < _MAX_CODES:
            self.texts[code] = tidy(text)


def _even(digits: bytes) -> str:
    joined = b"".join(digits.split()).decode("ascii")
    return joined + "0" * (len(joined) % 2)


def _number(digits: bytes) -> int:
    joined = b"".join(digits.split())[:8]
    return int(joined, 16) if joined else 0


def _decode_hex(digits: bytes) -> str:
    data = bytes.fromhex(_even(digits)[:256])
    if len(data) == 1:
        return chr(data[0])
    return data.decode("utf-16-be", errors="replace").replace("\x00", "")


def type1_encoding(program: bytes) -> dict[int, str]:
    """The built-in encoding in the readable head of a Type 1 font program."""
    head = program[:65536].partition(b"eexec")[0]
    return {
        int(code): glyph_text(name.decode("latin-1"))
        for code, name in _TYPE1_ENTRY.findall(head)
        if int(code) < 256
    }


def tex_texts(codes: Set[int]) -> Mapping[int, str]:
    """The text of the codes of a TeX bitmap font, whose glyphs have no names.

    The encoding is inferred from the positions of the ligatures.

    Args:
        codes: The codes that have glyphs.

    Returns:
        Texts other than ASCII and Latin 1; empty for a font that is not used for words.
    """
    if len(codes & _COMMON_LETTERS) < _MIN_COMMON_LETTERS or not codes & _POINTS_AND_DIGITS:
        return {}
    if codes & _OT1_LIGATURES and not (codes & _T1_LIGATURES and 12 not in codes):
        return _TEX_OT1
    return _TEX_T1 if codes & (_T1_LIGATURES | _T1_DASHES) else {}


@lru_cache(maxsize=1)
def adobe_japan_texts() -> dict[int, str]:
    """Characters of the Adobe-Japan1 collection as far as they follow JIS X 0208 (CIDs up to 7477).

    The collection numbers ASCII first and then the rows of JIS X 0208 in order, with the symbols
    that were added in 1983 after those of 1978.
    """
    texts = {cid: chr(cid + 31) for cid in range(1, 95)}
    texts.update({cid: chr(cid - 199) for cid in range(231, 326)})
    symbols = [
        (2, cell)
        for first, last in ((26, 33), (42, 48), (60, 74), (82, 89), (94, 94))
        for cell in range(first, last + 1)
    ]
    ordered = (
        [(1, cell) for cell in range(1, 95)]
        + [(2, cell) for cell in range(1, 15)]
        + symbols
        + [(3, cell) for first, last in ((16, 25), (33, 58), (65, 90)) for cell in range(first, last + 1)]
        + [(4, cell) for cell in range(1, 84)]
        + [(5, cell) for cell in range(1, 87)]
        + [(6, cell) for first, last in ((1, 24), (33, 56)) for cell in range(first, last + 1)]
        + [(7, cell) for first, last in ((1, 33), (49, 81)) for cell in range(first, last + 1)]
        + [(row, cell) for row in range(16, 47) for cell in range(1, 95)]
        + [(47, cell) for cell in range(1, 52)]
        + [(row, cell) for row in range(48, 84) for cell in range(1, 95)]
        + [(84, cell) for cell in range(1, 5)]
    )
    for cid, (row, cell) in enumerate(ordered, start=633):
        texts[cid] = bytes((row + 160, cell + 160)).decode("euc_jp", errors="replace")
    # Common punctuation in its form for vertical lines.
    texts.update(
        {7887: "、", 7888: "。", 7891: "ー", 7893: "…", 7899: "（", 7900: "）", 7907: "「", 7908: "」"}
    )
    texts.update(enumerate("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ", start=7918))
    return texts


def compose(text: str) -> str:
    """``text`` with accents combined."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
