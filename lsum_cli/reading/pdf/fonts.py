"""Fonts of a PDF: the text and the width of a shown string."""

from __future__ import annotations

import re
from codecs import charmap_decode
from collections.abc import Callable, Sequence
from typing import Any

from lsum_cli.reading.pdf.bidi import as_displayed
from lsum_cli.reading.pdf.cmaps import (
    CodeMap,
    EmbeddedCodeMap,
    UnicodeMap,
    code_as_text,
    collection_texts,
    predefined_code_map,
)
from lsum_cli.reading.pdf.file import stream_bytes
from lsum_cli.reading.pdf.glyphs import (
    UNKNOWN,
    are_dingbats,
    glyph_text,
    is_named_by_itself,
    is_unread,
    named_encoding,
    numbered_text,
    numbers_are_codes,
    picture_text,
    tex_texts,
    tidy,
)
from lsum_cli.reading.pdf.programs import FontProgram
from lsum_cli.text.patterns import regex

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
_BOLD = regex(
    r"bold|black|heavy|demi|semib|\bmedi\b|-medi|(?:^|[-_,+.])bd|-bx|cmbx|cmssbx|\.b\b|extrab", re.I
)
_CONDENSED_BOLD = regex(r"^(?:cmb|ptmb|phvb|ecbx|sfbx|lmbx|LinBiolinumTB|LinLibertineTB)|T[BZ]I?$")
_ITALIC = regex(
    r"ital|obli|slanted|(?:^|[-_,+.])it\b|-lightit|-mdit|cmti|cmsl|cmmi|\.i\b|LinLibertineTI|-ReguItal", re.I
)
# Widths of common letters in ems, in text of ordinary weight.
_LETTER_WIDTHS = {"a": 0.5, "e": 0.444, "i": 0.278, "n": 0.556, "o": 0.5, "r": 0.392, "s": 0.394, "t": 0.389}
_MIN_LETTERS = 4
# No glyph is as wide.
_MOST_EMS = 4
# Of two letters, between which the width of the first to that of the second is in words of Computer Modern.
_ROMAN_RATIOS = tuple(
    (ord(first), ord(second), least, most)
    for first, second, least, most in (("i", "n", 0.4, 0.53), ("t", "a", 0.74, 0.84), ("s", "e", 0.8, 0.93))
)
_FORCE_BOLD = 1 << 18
_ITALIC_FLAG = 1 << 6
_MAX_WIDTHS = 70_000

# Some maps of Ghostscript give Latin 1 for glyphs whose names are those of Greek letters.
_GREEK, _HIGH_LATIN_1 = regex("[\u0391-\u03f5]"), regex("[\u00a1-\u00b4\u00b6-\u00ff]")
# What a table of characters holds for a code that has none, or several.
_NO_CHARACTER = "\ufffe"
# Of a string: its text, its width in ems, how many codes it has, and to how many word spacing applies.
Shown = tuple[str, float, int, int]


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
        shown: What strings of content streams have been decoded to, for whoever decodes them.
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
        self.shown: dict[bytes, Shown] = {}
        self._characters = ""
        self.space = 0.25
        unicode_map = _unicode_map(dictionary)
        if composite:
            program = FontProgram(descriptor, descendant.get("/CIDToGIDMap"))
            self._set_up_composite(dictionary, descendant, unicode_map, program)
        else:
            self._set_up_simple(dictionary, descriptor, subtype, unicode_map)
            self.space = self._widths[32] or 0.25

    def decode(self, data: bytes) -> Shown:
        """The text of a shown string, its width in ems of the font, and its numbers of codes and word spaces.

        A glyph that neither the PDF nor the font program explains is :data:`~.glyphs.UNKNOWN`. Glyphs are
        in the order in which they are shown, also where a script runs from right to left.
        """
        return self._decode_simple(data) if self.single_byte else self._decode_composite(data)

    def _decode_simple(self, data: bytes) -> Shown:
        texts = self._texts
        try:
            # Where each code is one character, Python does it at once.
            text = charmap_decode(data, "strict", self._characters)[0]
        except UnicodeDecodeError:
            text = "".join(map(texts.__getitem__, data))
        if UNKNOWN in text:
            for code in {code for code in data if texts[code] == UNKNOWN} - self._asked:
                self._asked.add(code)
                texts[code] = self._explain(code)
            self._characters = _characters_of(texts)
            text = "".join([texts[code] for code in data])
        return text, sum(map(self._widths.__getitem__, data)), len(data), data.count(b" ")

    def _decode_composite(self, data: bytes) -> Shown:
        pairs = self._code_map.decode(data)
        texts, widths, default = self._cid_texts, self._cid_widths, self._default_width
        text = "".join(map(texts.__getitem__, pairs))
        if self.vertical:
            return text, float(len(pairs)), len(pairs), 0
        return text, sum([widths.get(cid, default) for _, cid in pairs]), len(pairs), 0

    def _set_up_simple(
        self, dictionary: Any, descriptor: Any, subtype: str, unicode_map: UnicodeMap | None
    ) -> None:
        program = FontProgram(descriptor)
        texts, names = _simple_texts(dictionary, descriptor, self.name)
        if subtype == "/Type3":
            codes = _tex_codes(dictionary)
            given = {code: text for code in codes if unicode_map and (text := unicode_map.get(code))}
            if are_dingbats(given):
                # Ghostscript takes the numbers for names of the glyphs of Zapf Dingbats.
                unicode_map, given = None, {}
            for code, letter in tex_texts(codes, is_roman=_is_roman(dictionary)).items():
                if code in codes and code not in given:
                    texts[code] = letter
        if unicode_map:
            for code in range(256):
                text = unicode_map.get(code)
                if text is not None and not is_unread(text):
                    if not (_GREEK.fullmatch(texts[code]) and _HIGH_LATIN_1.fullmatch(text)):
                        texts[code] = text
                elif text and len(text) == 1 and 0xF000 <= ord(text) < 0xF100:
                    # A symbol font: its codes are those of the font's own encoding.
                    texts[code] = picture_text(self.name, ord(text) & 0xFF) or UNKNOWN
        self._texts = [as_displayed(tidy(text)) for text in texts]
        self._characters = _characters_of(self._texts)
        self._asked: set[int] = set()
        is_picture = picture_text(self.name, 32) is not None
        fallback = [UNKNOWN] * 256 if is_picture else _assumed_texts(dictionary, descriptor)

        def explain(code: int) -> str:
            name = names.get(code)
            found = program.name_text(name) if name else program.code_text(code) or fallback[code]
            return as_displayed(tidy(found or UNKNOWN))

        self._explain: Callable[[int], str] = explain
        unit = 0.001
        if subtype == "/Type3":
            unit, self.scale = _type3_units(dictionary)
        self._widths: list[float] = _simple_widths(dictionary, descriptor, self.name, texts, unit)
        if subtype == "/Type3":
            widest = max(self._widths)
            if widest > _MOST_EMS * self.scale:
                # The box of some fonts is that of one dot.
                self.scale = widest
            self.scale = _em_by_letters(self._widths) or self.scale

    def _set_up_composite(
        self, dictionary: Any, descendant: Any, unicode_map: UnicodeMap | None, program: FontProgram
    ) -> None:
        encoding = _resolved(dictionary, "/Encoding")
        name = str(encoding).lstrip("/") if isinstance(encoding, str) else ""
        code_map = _embedded_code_map(encoding) or predefined_code_map(name or "Identity-H")
        if code_map is None:
            # An unknown name: only the ToUnicode map can tell how long its codes are.
            code_map = unicode_map.code_map() if unicode_map else CodeMap([])
        self._code_map = code_map
        self.vertical = code_map.vertical or name == "V" or name.endswith("-V")
        collection = _collection(descendant)

        def explain(pair: tuple[int, int]) -> str:
            code, cid = pair
            given = unicode_map.get(code) if unicode_map else None
            if given is not None and not is_unread(given):
                return as_displayed(given)
            text = code_as_text(name, code) or collection_texts(collection).get(cid) or program.cid_text(cid)
            if text and not is_unread(text):
                return as_displayed(tidy(text))
            if given and len(given) == 1 and 0xF000 <= ord(given) < 0xF100:
                return picture_text(self.name, ord(given) & 0xFF) or UNKNOWN
            return UNKNOWN

        self._cid_texts = _Answers(explain)
        self._default_width = _number_of(descendant.get("/DW"), 1000) / 1000
        self._cid_widths = _cid_widths(_resolved(descendant, "/W"))


class _Answers(dict[tuple[int, int], str]):
    """The texts of codes and their CIDs, each asked for once."""

    def __init__(self, ask: Callable[[tuple[int, int]], str]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, pair: tuple[int, int]) -> str:
        found = self[pair] = self._ask(pair)
        return found


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
    if str(stream).startswith("/Identity"):
        return UnicodeMap(b"beginbfrange <0000> <ffff> <0000> endbfrange")
    if not hasattr(stream, "get_data"):
        return None
    return UnicodeMap(stream_bytes(stream)) or None


def _embedded_code_map(encoding: Any) -> CodeMap | None:
    if not hasattr(encoding, "get_data"):
        return None
    base = encoding.get("/UseCMap")
    return EmbeddedCodeMap(
        stream_bytes(encoding),
        predefined_code_map(base.lstrip("/")) if isinstance(base, str) else _embedded_code_map(base),
        vertical=_number_of(encoding.get("/WMode"), 0) == 1,
    )


def _collection(descendant: Any) -> str:
    """The name of the character collection that the CIDs of a font belong to."""
    system = _resolved(descendant, "/CIDSystemInfo") or {}
    registry, ordering = (str(system.get(key, "")) for key in ("/Registry", "/Ordering"))
    return f"{registry}-{ordering}"


def _simple_texts(dictionary: Any, descriptor: Any, name: str) -> tuple[list[str], dict[int, str]]:
    """The texts of the 256 codes of a simple font, and the names of the glyphs that have none."""
    encoding = _resolved(dictionary, "/Encoding")
    texts: list[str] | None = None
    if picture_text(name, 32) is not None:
        texts = [picture_text(name, code) or UNKNOWN for code in range(256)]
    elif isinstance(encoding, str):
        texts = named_encoding(str(encoding))
    elif hasattr(encoding, "get") and "/BaseEncoding" in encoding:
        texts = named_encoding(str(encoding["/BaseEncoding"]))
    if texts is None:
        texts = named_encoding("/" + name)
    if texts is None:
        # The program tells its own encoding once a glyph is shown.
        texts = [UNKNOWN] * 256 if _has_program(descriptor) else _assumed_texts(dictionary, descriptor)
    texts = [UNKNOWN if is_unread(text) else text for text in texts]
    names: dict[int, str] = {}
    if hasattr(encoding, "get"):
        entries = [_resolved_entry(entry) for entry in _resolved(encoding, "/Differences") or ()]
        by_number = numbers_are_codes(entry.lstrip("/") for entry in entries if isinstance(entry, str))
        code = 0
        for entry in entries:
            if isinstance(entry, int | float):
                code = int(entry)
            elif isinstance(entry, str):
                if 0 <= code < 256:
                    glyph = entry.removeprefix("/")
                    texts[code] = glyph if is_named_by_itself(glyph, code) else glyph_text(glyph)
                    if texts[code] == UNKNOWN and by_number:
                        texts[code] = numbered_text(glyph)
                    if texts[code] == UNKNOWN:
                        names[code] = glyph
                code += 1
    return texts, names


def _resolved_entry(entry: Any) -> Any:
    return entry.get_object() if hasattr(entry, "get_object") else entry


def _has_program(descriptor: Any) -> bool:
    return any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _assumed_texts(dictionary: Any, descriptor: Any) -> list[str]:
    """The texts of the codes of a font that names no encoding, as far as its kind implies one."""
    if dictionary.get("/Subtype") == "/TrueType":
        texts = named_encoding("/WinAnsiEncoding")
    elif _has_program(descriptor):
        # Its own encoding is in the program, and any other would be a guess.
        texts = None
    else:
        texts = named_encoding("/StandardEncoding")
    return [UNKNOWN if is_unread(text) else text for text in texts] if texts else [UNKNOWN] * 256


def _tex_codes(dictionary: Any) -> frozenset[int]:
    """The codes of a bitmap font of TeX, which names glyphs by their codes or characters: ``a28``, ``.``."""
    names = [name[1:] for name in _resolved(dictionary, "/CharProcs") or {}]
    if all(len(name) == 1 for name in names):
        return frozenset(map(ord, names))
    numbers = [re.fullmatch(r"a(\d{1,3})", name) for name in names]
    return frozenset() if None in numbers else frozenset(int(number[1]) for number in numbers if number)


def _is_roman(dictionary: Any) -> bool:
    """Whether the widths of a font's letters are to one another as in upright words, not as in formulas."""
    first, widths = int(_number_of(dictionary.get("/FirstChar"), 0)), _resolved(dictionary, "/Widths") or []
    found: list[bool] = []
    for narrow, wide, least, most in _ROMAN_RATIOS:
        pair = [_number_of(width, 0) for code in (narrow, wide) for width in widths[code - first :][:1]]
        if len(pair) == 2 and min(pair) > 0:
            found.append(least < pair[0] / pair[1] < most)
    return len(found) >= 2 and all(found)


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
    if len(found) < _MIN_LETTERS:
        return None
    import statistics

    return statistics.median(found)


def _cid_widths(entries: Any) -> dict[int, float]:
    widths: dict[int, float] = {}
    if not isinstance(entries, list):
        return widths
    values = [entry.get_object() if hasattr(entry, "get_object") else entry for entry in entries]
    position = given = 0
    while position + 1 < len(values) and given < _MAX_WIDTHS:
        first, second = values[position], values[position + 1]
        if not isinstance(first, int | float):
            position += 1
        elif isinstance(second, list):
            given += len(second)
            for offset, width in enumerate(second[:_MAX_WIDTHS]):
                widths[int(first) + offset] = _number_of(width, 1000) / 1000
            position += 2
        elif position + 2 < len(values):
            width = _number_of(values[position + 2], 1000) / 1000
            codes = range(int(first), min(int(_number_of(second, 0)), int(first) + _MAX_WIDTHS) + 1)
            given += len(codes)
            widths.update(dict.fromkeys(codes, width))
            position += 3
        else:
            break
    return widths


def _characters_of(texts: Sequence[str]) -> str:
    """A table of the codes that are shown as one character each."""
    return "".join(text if len(text) == 1 and text != UNKNOWN else _NO_CHARACTER for text in texts)
