"""Embedded font programs: what text their glyphs have, where the PDF itself does not say it.

Read with fontTools, only when a glyph that nothing else explains is shown.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from lsum_cli.reading.pdf.file import resolve, stream_bytes
from lsum_cli.reading.pdf.glyphs import UNKNOWN, glyph_text, is_unread
from lsum_cli.text.patterns import regex

_MAX_PROGRAM = 32 << 20
_TYPE1_ENTRY = regex(rb"dup\s+(\d+)\s*/(\S+)\s+put")
_STANDARD = regex(rb"/Encoding\s+StandardEncoding\b")
# Names that only number the glyphs, as fontTools and subsetters give them.
_NUMBER_ONLY = regex(r"(?:glyph|gid|index|cid)\.?\d+|\.notdef|\.null|nonmarkingreturn", re.I)
_NUMBERED = regex(r"(?:glyph|gid|g|index|cid)\.?(\d{1,5})", re.I)
_SYMBOLS = 0xF000

Glyph = TypeVar("Glyph", int, str)


class FontProgram:
    """The glyphs of an embedded font, found by code, by name or by CID.

    Every method answers ``None`` where the program does not say; a program that cannot be read says
    nothing.
    """

    def __init__(self, descriptor: Any, cid_to_gid: Any = None) -> None:
        self._descriptor = descriptor
        self._cid_to_gid = cid_to_gid

    def code_text(self, code: int) -> str | None:
        """The text of a code of a simple font, by the encoding built into the program."""
        return self._ask(self._code_text, code)

    def name_text(self, name: str) -> str | None:
        """The text of a glyph whose name says nothing, by the characters that the program gives it."""
        return self._ask(self._name_text, name)

    def cid_text(self, cid: int) -> str | None:
        """The text of a glyph of a composite font."""
        return self._ask(self._cid_text, cid)

    @staticmethod
    def _ask(question: Callable[[Glyph], str | None], glyph: Glyph) -> str | None:
        # fontTools warns about many a subset that is good enough.
        logger = logging.getLogger("fontTools")
        level = logger.level
        logger.setLevel(logging.CRITICAL)
        try:
            return question(glyph)
        except Exception:
            # A damaged program fails in any way; the glyph is counted as unread.
            return None
        finally:
            logger.setLevel(level)

    def _name_text(self, name: str) -> str | None:
        if self._sfnt is None:
            return None
        numbered = _NUMBERED.fullmatch(name)
        gid = self._gids.get(name, int(numbered[1]) if numbered else None)
        return None if gid is None else self._gid_text(gid)

    def _cid_text(self, cid: int) -> str | None:
        gid = self._gid(cid)
        return self._gid_text(gid) if self._sfnt is not None else self._cff_text(gid)

    def _code_text(self, code: int) -> str | None:
        if self._type1 is not None:
            return _said(self._type1.get(code))
        if self._sfnt is not None:
            gid = self._gid_of_code(code)
            return None if gid is None else self._gid_text(gid)
        if self._cff is None:
            return None
        encoding = self._cff.Encoding
        if isinstance(encoding, str):
            from fontTools.encodings.StandardEncoding import StandardEncoding

            encoding = StandardEncoding if encoding == "StandardEncoding" else ()
        name = encoding[code] if code < len(encoding) else ".notdef"
        return _named(name) or (" " if name != ".notdef" and self._is_blank_charstring(name) else None)

    def _data(self, key: str) -> bytes | None:
        stream = resolve(self._descriptor.get(key))
        if not hasattr(stream, "get_data"):
            return None
        data = stream_bytes(stream)
        return data if 0 < len(data) <= _MAX_PROGRAM else None

    @cached_property
    def _type1(self) -> dict[int, str] | None:
        """Texts by code from the readable head of a Type 1 program."""
        data = self._data("/FontFile")
        return None if data is None else type1_encoding(data)

    @cached_property
    def _sfnt(self) -> Any:
        """A TrueType or OpenType program."""
        data = self._data("/FontFile2") or self._data("/FontFile3")
        if data is None or data[:4] not in (b"\x00\x01\x00\x00", b"true", b"OTTO", b"ttcf"):
            return None
        from fontTools.ttLib import TTFont

        return TTFont(io.BytesIO(data), fontNumber=0, lazy=True)

    @cached_property
    def _cff(self) -> Any:
        """The top dictionary of a bare CFF program."""
        data = self._data("/FontFile3")
        if data is None or data[:1] != b"\x01":
            return None
        from fontTools.cffLib import CFFFontSet

        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(data), None)
        return fonts[0]

    @cached_property
    def _tables(self) -> dict[tuple[int, int], dict[int, int]]:
        """Glyph numbers by character, for each ``cmap`` table by platform and encoding."""
        if "cmap" not in self._sfnt:
            return {}
        found = {}
        for table in self._sfnt["cmap"].tables:
            if hasattr(table, "cmap"):
                found[table.platformID, table.platEncID] = {
                    code: self._gids[name] for code, name in table.cmap.items() if name in self._gids
                }
        return found

    @cached_property
    def _names(self) -> list[str]:
        return list(self._sfnt.getGlyphOrder())

    @cached_property
    def _gids(self) -> dict[str, int]:
        return {name: gid for gid, name in enumerate(self._names)}

    @cached_property
    def _characters(self) -> dict[int, str]:
        """The character of each glyph by the Unicode tables; private ones only where there is no other."""
        found: dict[int, str] = {}
        for (platform, encoding), table in sorted(self._tables.items(), reverse=True):
            if platform != 0 and (platform, encoding) not in ((3, 1), (3, 10)):
                continue
            for code, gid in sorted(table.items()):
                if gid not in found or is_unread(found[gid]):
                    found[gid] = chr(code)
        return found

    @cached_property
    def _cid_map(self) -> bytes | None:
        stream = resolve(self._cid_to_gid)
        return stream_bytes(stream) if hasattr(stream, "get_data") else None

    def _gid(self, cid: int) -> int:
        if self._cid_map is None:
            return cid
        return int.from_bytes(self._cid_map[2 * cid : 2 * cid + 2], "big")

    def _gid_of_code(self, code: int) -> int | None:
        """By the symbol table, with and without 0xF000; then by the Macintosh one (ISO 32000, 9.6.6.4)."""
        for key, offsets in (((3, 0), (0, _SYMBOLS, 0xF100, 0xF200)), ((1, 0), (0,))):
            table = self._tables.get(key, {})
            for offset in offsets:
                if code + offset in table:
                    return table[code + offset]
        return None

    def _gid_text(self, gid: int) -> str | None:
        if gid <= 0 or gid >= len(self._names):
            return None
        return (
            _said(self._characters.get(gid))
            or _named(self._names[gid])
            or (" " if self._is_blank_outline(self._names[gid]) else None)
        )

    def _is_blank_outline(self, name: str) -> bool:
        if "glyf" not in self._sfnt:
            return False
        return int(self._sfnt["glyf"][name].numberOfContours) == 0

    def _cff_text(self, gid: int) -> str | None:
        if self._cff is None or gid <= 0:
            return None
        names = self._cff.charset
        if hasattr(self._cff, "ROS"):
            # The names of such a program are its CIDs, and say no more.
            name = f"cid{gid:05d}"
            return " " if name in self._cff.CharStrings and self._is_blank_charstring(name) else None
        if gid >= len(names):
            return None
        return _named(names[gid]) or (" " if self._is_blank_charstring(names[gid]) else None)

    def _is_blank_charstring(self, name: str) -> bool:
        from fontTools.pens.recordingPen import RecordingPen

        pen = RecordingPen()
        self._cff.CharStrings[name].draw(pen)
        return not pen.value


def type1_encoding(program: bytes) -> dict[int, str]:
    """The built-in encoding in the readable head of a Type 1 font program."""
    head = program[:65536].partition(b"eexec")[0]
    found = {
        int(code): glyph_text(name.decode("latin-1"))
        for code, name in _TYPE1_ENTRY.findall(head)
        if int(code) < 256
    }
    if not found and _STANDARD.search(head):
        from fontTools.encodings.StandardEncoding import StandardEncoding

        found = {code: glyph_text(name) for code, name in enumerate(StandardEncoding) if name != ".notdef"}
    return found


def _named(name: str) -> str | None:
    return None if _NUMBER_ONLY.fullmatch(name) else _said(glyph_text(name))


def _said(text: str | None) -> str | None:
    return text if text and not is_unread(text) and text != UNKNOWN else None
