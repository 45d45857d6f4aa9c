"""Glyphs to text: glyph names, the encodings of simple fonts, and which characters say nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache

from lsum_cli.documents import UNREAD_GLYPH
from lsum_cli.text.patterns import regex

UNKNOWN = UNREAD_GLYPH

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
    # White space for layout, and marks that show nothing.
    0x09: " ",
    0x0A: " ",
    0x0C: " ",
    0x0D: " ",
    0xFEFF: "",
    # Radicals, which some fonts give for the words that look the same.
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)},
}
# Wingdings as Unicode names its signs, as far as running text uses them.
_WINGDINGS = {
    0x20: " ", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□",
    0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x9E: "·",
    0x9F: "•", 0xA0: " ", 0xA1: "○", 0xA2: "○", 0xA4: "◉", 0xA5: "◎", 0xA7: "▪", 0xA8: "□", 0xAA: "✦",
    0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE7: "←", 0xE8: "➔", 0xE9: "↑",
    0xEA: "↓", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑", **{0x81 + index: chr(0x2460 + index) for index in range(10)},
}  # fmt: skip
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
# Signs of the TeX encoding TS1, whose fonts have no letters; the others are Latin 1.
_TEX_TS1 = {
    0x84: "†", 0x85: "‡", 0x86: "‖", 0x87: "‰", 0x88: "•", 0x89: "℃", 0x97: "™", 0xBF: "€",
}  # fmt: skip
# Of Cyrillic fonts; the letters are at the same places as in the code page of Windows.
_TEX_T2A = {code: bytes([code]).decode("cp1251") for code in range(0xC0, 0x100)} | {
    0x10: "“", 0x11: "”", 0x12: "„", 0x15: "–", 0x16: "—",
    0x9C: "Ё", 0x9D: "№", 0xBC: "ё", 0xBE: "«", 0xBF: "»",
}  # fmt: skip
# The glyphs of Zapf Dingbats by the numbers in their names, "a1" and so on; some numbers name none.
_DINGBATS = (
    "✁✂✄☎✆✝✞✟✠✡☛☞✌✍✎✏✑✒✓✔✕✖✗✘✙✚✛✜✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋"
    "●❍■❏❑▲▼◆❖ ◗❘❙❚❯❱❲❳❨❩❬❭❪❫❴❵❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣    ✉✈✇①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿➀"
    "➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→➣↔↕➙➛➜➝➞➟➠➡➢➤➥➦➧➨➩➫➭➯➲➳➵➸➺➻➼➽➾➚➪➶➹➘➴➷➬➮➱✃❐❒❮❰"
)
_ASCII_LETTERS = frozenset((*range(0x41, 0x5B), *range(0x61, 0x7B)))
_CYRILLIC_LETTERS, _SMALL_CYRILLIC = frozenset(range(0xC0, 0x100)), frozenset(range(0xE0, 0x100))
_LETTERS = _ASCII_LETTERS | _CYRILLIC_LETTERS
# Fonts of Hebrew have no letters at the first of these places, those of Vietnamese at the others.
_ONLY_CYRILLIC = frozenset((*range(0xC0, 0xE0), *range(0xFB, 0x100)))
_RARE_IN_CYRILLIC = frozenset(range(0xA0, 0xBC))
_MIN_CYRILLIC, _MANY_CYRILLIC, _MOST_RARE = 3, 20, 2
_OT1_LIGATURES, _T1_LIGATURES = frozenset(range(11, 16)), frozenset(range(27, 32))
_T1_DASHES = frozenset({21, 22})
# Fonts of mathematical letters have no points, hyphens and digits.
_COMMON_LETTERS = frozenset(b"aeinorst")
_MIN_COMMON_LETTERS = 6
# Of a font of headings, which shows few characters.
_MIN_LETTERS_IN_HEADINGS, _MIN_COMMON_IN_HEADINGS = 6, 4
_POINTS_AND_DIGITS = frozenset(b",-.0123456789")
_WIN_ANSI_UNUSED = frozenset((127, 129, 141, 143, 144, 157))
_SUBSTITUTES = {
    ".notdef": "",
    "nbspace": " ",
    "nonbreakingspace": " ",
    "sfthyphen": "\u00ad",
    "dotlessj": "ȷ",
    "visiblespace": " ",
    "Thorn": "Þ",
}
# Letters of Glagolitic and Javanese have names such as "ka" in pypdf's list that fonts of any script use.
_OF_ANY_SCRIPT = regex("[\u2c00-\u2c5f\ua980-\ua9df]")
_HEXADECIMAL_NAME = regex(r"(?:uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6}))", re.I)
_NUMBERED_NAME = regex(r"[a-zA-Z]{0,2}(\d{1,5})")
# Forms of letters and digits that have private characters of their own in old fonts.
_FORM = regex(r"(\w+?)(small|oldstyle|superior|inferior)")
_WITHOUT_DOT = regex("[ıȷ](?=[\u0300-\u030c])")
# ISO 32000-1, annex C, allows 127 bytes.
_MAX_NAME = 255
_UNREAD = regex("[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd-\uffff\U000f0000-\U0010ffff]")


def tidy(text: str) -> str:
    """``text`` with ligatures as letters and plain spaces; :data:`UNKNOWN` for what says nothing."""
    if text.isascii() and text.isprintable():
        return text
    return _UNREAD.sub(UNKNOWN, text.translate(_LIGATURES))


def expand(text: str) -> str:
    """``text`` with ligatures as letters and plain spaces."""
    return text if text.isascii() and text.isprintable() else text.translate(_LIGATURES)


def is_unread(text: str) -> bool:
    """Whether ``text`` holds characters that say nothing: unknown, private-use or control characters."""
    return _UNREAD.search(text) is not None


def picture_text(font: str, code: int) -> str | None:
    """The text of a code of Symbol or Wingdings, which have their own encodings; ``None`` for other fonts."""
    if font.startswith("Symbol"):
        found = named_encoding("/Symbol")
        return tidy(found[code]) if found else None
    if font.startswith("Wingdings") and not font[9:10].isdigit():
        return _WINGDINGS.get(code, UNKNOWN)
    return None


def numbers_are_codes(names: Iterable[str]) -> bool:
    """Whether glyph names such as ``a65`` give character codes, not positions in the font."""
    numbers = [int(match[1]) for name in names if (match := _NUMBERED_NAME.fullmatch(name))]
    return max(numbers, default=256) < 256 and sum(number < 9 for number in numbers) < 2


def numbered_text(name: str) -> str:
    """The text of a glyph name such as ``a65`` whose number is a character code."""
    numbered = _NUMBERED_NAME.fullmatch(name)
    return character(int(numbered[1])) if numbered and 32 < int(numbered[1]) < 256 else UNKNOWN


def named_encoding(name: str) -> list[str] | None:
    """The 256 characters of an encoding such as ``"/WinAnsiEncoding"`` or of the font ``"/Symbol"``."""
    from pypdf._codecs import charset_encoding

    found = charset_encoding.get(name)
    if found and name == "/WinAnsiEncoding":
        # ISO 32000-1, annex D.2: its unused codes are bullets.
        return ["•" if code in _WIN_ANSI_UNUSED else text for code, text in enumerate(found)]
    return list(found) if found else None


@lru_cache(maxsize=4096)
def glyph_text(name: str) -> str:
    """The text of a glyph by its name (without slash); :data:`UNKNOWN` where the name is not known."""
    from pypdf._codecs import adobe_glyphs

    if name in _SUBSTITUTES:
        return _SUBSTITUTES[name]
    if len(name) > _MAX_NAME:
        return UNKNOWN
    found = adobe_glyphs.get("/" + name)
    if found and _OF_ANY_SCRIPT.match(found) and ":" not in name:
        return UNKNOWN
    if found and not is_unread(found):
        return found
    form = _FORM.fullmatch(name)
    if form:
        plain = glyph_text(form[1])
        return plain.lower() if form[2] == "small" else plain
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
        return "".join(character(int(code, 16)) for code in codes)
    return UNKNOWN


def is_named_by_itself(name: str, code: int) -> bool:
    """Whether a glyph is named by the character of its code, as old versions of dvips do: ``.``, ``7``."""
    return len(name) == 1 and ord(name) == code and 0x21 <= code < 0x7F


def character(code: int) -> str:
    """The character of a code point; :data:`UNKNOWN` for what is none."""
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else UNKNOWN


def tex_texts(codes: Set[int], *, is_roman: bool) -> Mapping[int, str]:
    """The text of the codes of a TeX bitmap font, whose glyphs have no names.

    The encoding is inferred from the positions of the ligatures, and of the letters where most are not Latin.

    Args:
        codes: The codes that have glyphs.
        is_roman: Whether its letters are as wide as those of upright words, not of formulas.

    Returns:
        Texts other than ASCII and Latin 1; empty for a font that is not used for words.
    """
    if _is_cyrillic(codes):
        return _TEX_T2A
    if not codes & _LETTERS:
        return _TEX_TS1
    common = len(codes & _COMMON_LETTERS)
    if not (is_roman or codes & _POINTS_AND_DIGITS) or common < _MIN_COMMON_IN_HEADINGS:
        return {}
    if common < _MIN_COMMON_LETTERS and len(codes & _ASCII_LETTERS) < _MIN_LETTERS_IN_HEADINGS:
        return {}
    if codes & _OT1_LIGATURES and not (codes & _T1_LIGATURES and 12 not in codes):
        return _TEX_OT1
    return _TEX_T1 if codes & (_T1_LIGATURES | _T1_DASHES) else {}


def are_dingbats(texts: Mapping[int, str]) -> bool:
    """Whether most texts, by the numbers of glyphs such as ``a97``, are those of Zapf Dingbats there."""
    same = sum(_DINGBATS[number - 1 : number] == text for number, text in texts.items())
    return 2 * same > len(texts)


def _is_cyrillic(codes: Set[int]) -> bool:
    """Whether the upper half of a font of TeX is used as no Latin script uses it."""
    least = max(_MIN_CYRILLIC, 2 * len(codes & _ASCII_LETTERS))
    return (
        (len(codes & _CYRILLIC_LETTERS) >= least or len(codes & _SMALL_CYRILLIC) >= _MANY_CYRILLIC)
        and bool(codes & _ONLY_CYRILLIC)
        and len(codes & _RARE_IN_CYRILLIC) <= _MOST_RARE
    )


def compose(text: str) -> str:
    """``text`` with accents combined, also with an i or j that has lost its dot to them."""
    if text.isascii():
        return text
    if "ı" in text or "ȷ" in text:
        text = _WITHOUT_DOT.sub(lambda match: "i" if match[0] == "ı" else "j", text)
    return unicodedata.normalize("NFC", text)


def is_ideographic(character: str) -> bool:
    """Whether it is of a script without spaces between words: Chinese or Japanese, and their marks."""
    return (
        "\u3000" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
    )
