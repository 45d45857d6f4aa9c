"""Fonts of a PDF: the text and the width of a shown string."""

from __future__ import annotations

import re
import statistics
from typing import Any

from lsum_cli.reading.pdf.glyphs import (
    UNKNOWN,
    UnicodeMap,
    adobe_japan_texts,
    glyph_text,
    named_encoding,
    tex_texts,
    tidy,
    type1_encoding,
)

# Widths of the characters 32 to 126 in thousandths of an em, for the standard fonts.
_HELVETICA = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 "
    "556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 "
    "667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 "
    "556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_HELVETICA_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 "
    "556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 "
    "667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 "
    "611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584"
)
_TIMES = (
    "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 "
    "500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 "
    "556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 "
    "500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541"
)
_TIMES_BOLD = (
    "250 333 555 500 500 1000 833 278 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 "
    "500 500 333 333 570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 "
    "611 778 722 556 667 722 722 1000 722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 "
    "556 278 333 556 278 833 556 500 556 556 444 389 333 556 500 722 500 500 444 394 220 394 520"
)
_BOLD = re.compile(
    r"bold|black|heavy|demi|semib|\bmedi\b|-medi|(?:^|[-_,+.])bd|-bx|cmbx|cmssbx|\.b\b|extrab", re.I
)
_CONDENSED_BOLD = re.compile(r"^(?:cmb|ptmb|phvb|ecbx|sfbx|lmbx|LinBiolinumTB|LinLibertineTB)|T[BZ]I?$")
_ITALIC = re.compile(
    r"ital|obli|slanted|(?:^|[-_,+.])it\b|-lightit|-mdit|cmti|cmsl|cmmi|\.i\b|LinLibertineTI|-ReguItal", re.I
)
_PREDEFINED = {
    "GB-EUC": "gbk",
    "GBpc-EUC": "gbk",
    "GBK": "gbk",
    "GBK2K": "gb18030",
    "GBKp": "gbk",
    "ETen-B5": "cp950",
    "ETenms-B5": "cp950",
    "B5pc": "cp950",
    "90ms-RKSJ": "cp932",
    "90msp-RKSJ": "cp932",
    "90pv-RKSJ": "cp932",
    "EUC": "euc_jp",
    "H": "iso2022_jp_raw",
    "V": "iso2022_jp_raw",
    "KSC-EUC": "euc_kr",
    "KSCms-UHC": "cp949",
}
# Widths of common letters in ems, in text of ordinary weight.
_LETTER_WIDTHS = {"a": 0.5, "e": 0.444, "i": 0.278, "n": 0.556, "o": 0.5, "r": 0.392, "s": 0.394, "t": 0.389}
_MIN_LETTERS = 4
_FORCE_BOLD = 1 << 18
_ITALIC_FLAG = 1 << 6
_MAX_WIDTHS = 70_000


class Font:
    """A font, ready to decode strings.

    Attributes:
        name: Its name, without the prefix of a subset.
        bold: Whether it is bold, by its name, weight or flags.
        italic: Whether it is italic, by its name, angle or flags.
        vertical: Whether its text runs downwards.
        scale: Size of an em for a font size of 1; differs from 1 only for Type 3 fonts.
        space: Width of a space in ems.
        single_byte: Whether each byte is a code, so that word spacing applies to code 32.
    """

    def __init__(self, dictionary: Any) -> None:
        subtype = str(dictionary.get("/Subtype", ""))
        composite = subtype == "/Type0"
        descendant = _first_descendant(dictionary) if composite else dictionary
        descriptor = _resolved(descendant, "/FontDescriptor") or {}
        base_name = str(dictionary.get("/BaseFont") or descriptor.get("/FontName") or "").lstrip("/")
        self.name = base_name.partition("+")[2] or base_name
        flags = _number_of(descriptor.get("/Flags"), 0)
        self.bold = bool(
            _BOLD.search(self.name)
            or _CONDENSED_BOLD.search(self.name)
            or int(flags) & _FORCE_BOLD
            or _number_of(descriptor.get("/FontWeight"), 400) >= 600
        )
        self.italic = bool(
            _ITALIC.search(self.name)
            or int(flags) & _ITALIC_FLAG
            or abs(_number_of(descriptor.get("/ItalicAngle"), 0)) > 3
        )
        self.single_byte = not composite
        self.vertical = False
        self.scale = 1.0
        self._cache: dict[bytes, tuple[str, float, int]] = {}
        unicode_map = _unicode_map(dictionary)
        self.space = 0.25
        if composite:
            self._set_up_composite(dictionary, descendant, unicode_map)
        else:
            self._set_up_simple(dictionary, descriptor, subtype, unicode_map)
            self.space = self._widths[32] or 0.25

    def decode(self, data: bytes) -> tuple[str, float, int]:
        """The text of a shown string, its width in ems of the font, and how many codes it has."""
        found = self._cache.get(data)
        if found is None:
            found = self._decode_simple(data) if self.single_byte else self._decode_composite(data)
            if len(self._cache) < 20_000:
                self._cache[data] = found
        return found

    def _decode_simple(self, data: bytes) -> tuple[str, float, int]:
        text = "".join([self._texts[code] for code in data])
        return text, sum([self._widths[code] for code in data]), len(data)

    def _decode_composite(self, data: bytes) -> tuple[str, float, int]:
        if self._codec:
            text = _decode_with(self._codec, data)
            width = sum(0.5 if character.isascii() else 1.0 for character in text)
            return tidy(text), float(len(text)) if self.vertical else width, len(text)
        if self._code_length == 2:
            codes = [high << 8 | low for high, low in zip(data[::2], data[1::2], strict=False)]
        elif self._code_length == 1:
            codes = list(data)
        else:
            codes = self._split(data)
        texts, widths, default = self._cid_texts, self._cid_widths, self._default_width
        text = "".join([texts.get(code, UNKNOWN) for code in codes])
        width = float(len(codes)) if self.vertical else sum([widths.get(code, default) for code in codes])
        return text, width, len(codes)

    def _set_up_simple(
        self, dictionary: Any, descriptor: Any, subtype: str, unicode_map: UnicodeMap | None
    ) -> None:
        texts = _simple_texts(dictionary, descriptor, self.name)
        if subtype == "/Type3" and not unicode_map:
            _name_tex_glyphs(dictionary, texts)
        if unicode_map:
            for code, text in unicode_map.texts.items():
                if code < 256 and text and not (text[0] < " " and texts[code] not in (UNKNOWN, "")):
                    texts[code] = text
        self._texts = [tidy(text) for text in texts]
        unit = 0.001
        if subtype == "/Type3":
            unit, self.scale = _type3_units(dictionary)
        self._widths = _simple_widths(dictionary, descriptor, self.name, texts, unit)
        if subtype == "/Type3":
            self.scale = _em_by_letters(self._widths) or self.scale

    def _set_up_composite(self, dictionary: Any, descendant: Any, unicode_map: UnicodeMap | None) -> None:
        encoding = _resolved(dictionary, "/Encoding")
        name = str(encoding).lstrip("/") if isinstance(encoding, str) else ""
        self.vertical = name.endswith("-V") or name == "V" or _is_vertical_stream(encoding)
        self._codec: str | None = None
        self._cid_texts: dict[int, str] = {}
        self._code_length = 2
        if unicode_map and unicode_map.texts:
            self._cid_texts = unicode_map.texts
            # An Identity encoding has two bytes per code, whatever code space the map declares.
            if not name.startswith("Identity"):
                self._code_length = unicode_map.code_length()
                self._split = unicode_map.split
        elif name.startswith("Identity") or not name:
            system = _resolved(descendant, "/CIDSystemInfo") or {}
            if "Japan1" in str(system.get("/Ordering", "")):
                self._cid_texts = adobe_japan_texts()
        else:
            self._codec = _predefined_codec(name)
        self._default_width = _number_of(descendant.get("/DW"), 1000) / 1000
        self._cid_widths = _cid_widths(_resolved(descendant, "/W"))


def unknown_font() -> Font:
    """The substitute for a font that a page names but does not define."""
    return Font({"/BaseFont": "/Unknown", "/Subtype": "/Type1", "/Encoding": "/WinAnsiEncoding"})


def _resolved(dictionary: Any, key: str) -> Any:
    value = dictionary.get(key)
    return value.get_object() if hasattr(value, "get_object") else value


def _number_of(value: Any, default: float) -> float:
    value = value.get_object() if hasattr(value, "get_object") else value
    return float(value) if isinstance(value, int | float) else default


def _first_descendant(dictionary: Any) -> Any:
    descendants = _resolved(dictionary, "/DescendantFonts")
    if isinstance(descendants, list) and descendants:
        first = descendants[0].get_object()
        if hasattr(first, "get"):
            return first
    return {}


def _unicode_map(dictionary: Any) -> UnicodeMap | None:
    stream = _resolved(dictionary, "/ToUnicode")
    if not hasattr(stream, "get_data"):
        return None
    found = UnicodeMap(stream.get_data())
    return found if found.texts else None


def _simple_texts(dictionary: Any, descriptor: Any, name: str) -> list[str]:
    encoding = _resolved(dictionary, "/Encoding")
    texts: list[str] | None = None
    if isinstance(encoding, str):
        texts = named_encoding(str(encoding))
    elif hasattr(encoding, "get") and "/BaseEncoding" in encoding:
        texts = named_encoding(str(encoding["/BaseEncoding"]))
    if texts is None:
        texts = named_encoding("/" + name) or _built_in_texts(descriptor, dictionary)
    if hasattr(encoding, "get"):
        code = 0
        for entry in _resolved(encoding, "/Differences") or ():
            entry = entry.get_object() if hasattr(entry, "get_object") else entry
            if isinstance(entry, int | float):
                code = int(entry)
            elif isinstance(entry, str):
                if 0 <= code < 256:
                    texts[code] = glyph_text(entry.lstrip("/"))
                code += 1
    return texts


def _name_tex_glyphs(dictionary: Any, texts: list[str]) -> None:
    """Decode glyph names such as ``a28``: TeX numbers the glyphs of bitmap fonts by their codes."""
    procedures = _resolved(dictionary, "/CharProcs") or {}
    numbers = [re.fullmatch(r"/a(\d{1,3})", name) for name in procedures]
    if not numbers or None in numbers:
        return
    codes = {int(number[1]) for number in numbers if number}
    for code, text in tex_texts(codes).items():
        if code in codes:
            texts[code] = text


def _built_in_texts(descriptor: Any, dictionary: Any) -> list[str]:
    texts = (
        named_encoding(
            "/WinAnsiEncoding" if dictionary.get("/Subtype") == "/TrueType" else "/StandardEncoding"
        )
        or []
    )
    program = _resolved(descriptor, "/FontFile")
    if hasattr(program, "get_data"):
        built_in = type1_encoding(program.get_data())
        if built_in:
            texts = [UNKNOWN] * 256
            for code, text in built_in.items():
                texts[code] = text
    return texts


def _simple_widths(dictionary: Any, descriptor: Any, name: str, texts: list[str], unit: float) -> list[float]:
    given = _resolved(dictionary, "/Widths")
    if not isinstance(given, list) or not given:
        return _standard_widths(name, texts)
    first = int(_number_of(dictionary.get("/FirstChar"), 0))
    missing = _number_of(descriptor.get("/MissingWidth"), 0) * unit
    widths = [missing] * 256
    for code, width in enumerate(given[:256], start=first):
        if 0 <= code < 256:
            widths[code] = _number_of(width, 0) * unit
    return widths


def _standard_widths(name: str, texts: list[str]) -> list[float]:
    if "courier" in name.lower() or "mono" in name.lower():
        return [0.6] * 256
    sans = re.search(r"helvetica|arial|sans", name, re.I)
    bold = _BOLD.search(name)
    table = (_HELVETICA_BOLD if bold else _HELVETICA) if sans else (_TIMES_BOLD if bold else _TIMES)
    known = dict(zip(range(32, 127), table.split(), strict=True))
    return [int(known.get(ord(text[0]), "500")) / 1000 if text else 0.5 for text in texts]


def _type3_units(dictionary: Any) -> tuple[float, float]:
    """The width of a unit of the glyph space, and the height of the tallest glyph as size of an em."""
    matrix = [_number_of(value, 0) for value in _resolved(dictionary, "/FontMatrix") or ()]
    if len(matrix) < 6:
        return 0.001, 1.0
    box = [_number_of(value, 0) for value in _resolved(dictionary, "/FontBBox") or ()]
    height = abs(box[3] - box[1]) * (abs(matrix[3]) or abs(matrix[0])) if len(box) == 4 else 0.0
    return abs(matrix[0]) or 0.001, height if 0 < height < 10_000 else 1.0


def _em_by_letters(widths: list[float]) -> float | None:
    """Size of an em, inferred from the widths of letters if there are enough of them.

    The bounding box of the font is less reliable: a font with few glyphs has a low box. Bold letters
    are wider and make the em larger, as it also looks to a reader.
    """
    found = [
        widths[ord(letter)] / width for letter, width in _LETTER_WIDTHS.items() if widths[ord(letter)] > 0
    ]
    return statistics.median(found) if len(found) >= _MIN_LETTERS else None


def _cid_widths(entries: Any) -> dict[int, float]:
    widths: dict[int, float] = {}
    if not isinstance(entries, list):
        return widths
    values = [entry.get_object() if hasattr(entry, "get_object") else entry for entry in entries]
    position = 0
    while position + 1 < len(values) and len(widths) < _MAX_WIDTHS:
        first, second = values[position], values[position + 1]
        if not isinstance(first, int | float):
            position += 1
        elif isinstance(second, list):
            for offset, width in enumerate(second):
                widths[int(first) + offset] = _number_of(width, 1000) / 1000
            position += 2
        elif position + 2 < len(values):
            width = _number_of(values[position + 2], 1000) / 1000
            for code in range(int(first), min(int(_number_of(second, 0)), int(first) + _MAX_WIDTHS) + 1):
                widths[code] = width
            position += 3
        else:
            break
    return widths


def _is_vertical_stream(encoding: Any) -> bool:
    return hasattr(encoding, "get") and _number_of(encoding.get("/WMode"), 0) == 1


def _predefined_codec(name: str) -> str:
    stem = name.removesuffix("-H").removesuffix("-V")
    return _PREDEFINED.get(stem, "utf-16-be")


def _decode_with(codec: str, data: bytes) -> str:
    if codec == "iso2022_jp_raw":
        return bytes(byte | 0x80 for byte in data).decode("euc_jp", errors="replace")
    return data.decode(codec, errors="replace")
