"""Decoding bytes: byte-order marks, declared and detected encodings, and unreadable characters."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from itertools import pairwise

from lsum_cli.text.patterns import regex

_SAMPLE_BYTES = 1 << 16
_HEAD_BYTES = 1 << 12
_BYTE_ORDER_MARKS = (
    # UTF-32 before UTF-16: its mark begins with the same two bytes.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Encodings whose bytes may also be valid UTF-8, so that a declaration of them is believed first.
_ESCAPED = regex(r"(?:iso2022|hz|utf_?7|utf_?16|utf_?32)", re.I)
_ESCAPES = ((b"\x1b$)C", "iso2022_kr"), (b"\x1b$B", "iso2022_jp_2"), (b"\x1b$@", "iso2022_jp_2"))
# What pages that declare these really use.
_WEB_ALIASES = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_WESTERN = "cp1252"
_CONTROL = bytes(code for code in range(32) if code not in b"\b\t\n\v\f\r\x1b")
_BINARY_SHARE = 0.02
_REPLACEMENT = "\ufffd"
# Colours, titles of windows and the like; and bold or underlined letters, typed one over the other.
_FOR_TERMINALS = regex(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]?[0-~])")
# A carriage return too many is what a program for Windows leaves that ends lines which have ends already.
_LINE_END = regex(r"(?<!\r)\r+\n|\r")
_OVERSTRUCK = regex(r"[^\n\x08]\x08")
# A damaged UTF-8 text still has many more valid multi-byte characters than invalid ones.
_WHOLE_PER_BROKEN = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodedText:
    """Decoded text, with warnings about its encoding."""

    text: str
    warnings: tuple[str, ...] = ()


def looks_binary(content: bytes) -> bool:
    """Whether ``content`` contains more control characters than text in any encoding."""
    sample = content[:_SAMPLE_BYTES]
    if not sample or guess_wide_encoding(sample):
        return False
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    return controls > _BINARY_SHARE * len(sample)


def guess_wide_encoding(content: bytes) -> str | None:
    """UTF-16 or UTF-32, recognised by byte-order mark or the positions of zero bytes; else ``None``."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark) and encoding != "utf-8-sig":
            return encoding
    sample = content[: min(len(content), 4096) // 4 * 4]
    if len(sample) < 8:
        return None
    zeros = [sample[offset::4].count(0) / (len(sample) // 4) for offset in range(4)]
    if zeros[0] < 0.05 and min(zeros[2:]) > 0.9:
        return "utf-32-le"
    if zeros[3] < 0.05 and min(zeros[:2]) > 0.9:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    # Even texts in other scripts have enough spaces, digits and line ends to show it.
    if odd > 0.2 and even < 0.02 and _decodes(sample, "utf-16-le"):
        return "utf-16-le"
    if even > 0.2 and odd < 0.02 and _decodes(sample, "utf-16-be"):
        return "utf-16-be"
    return None


def declared_charset(content: bytes) -> str | None:
    """The encoding that an HTML or XML text declares near its beginning."""
    from bs4.dammit import EncodingDetector

    head = content[:_HEAD_BYTES].lstrip()
    return EncodingDetector.find_declared_encoding(head, is_html=True, search_entire_document=True)


def decode(content: bytes, charset: str | None = None) -> DecodedText:
    """Decode a text whose lines end with line feeds, without what is meant for a terminal; never fails.

    Args:
        content: The bytes of a source that is known to be text.
        charset: The encoding declared by the server or by the text itself.

    Returns:
        The text; where no encoding fits, unreadable bytes become U+FFFD and a warning counts them.
    """
    decoded = _decode(content, charset)
    if "\r" in decoded.text:
        decoded = replace(decoded, text=_LINE_END.sub("\n", decoded.text))
    if "\x1b" not in decoded.text and "\b" not in decoded.text:
        return decoded
    return replace(decoded, text=_OVERSTRUCK.sub("", _FOR_TERMINALS.sub("", decoded.text)))


def _decode(content: bytes, charset: str | None) -> DecodedText:
    for encoding in _candidates(content, charset):
        try:
            return DecodedText(text=content.decode(encoding))
        except (UnicodeError, LookupError):
            continue
    text = content.decode("utf-8", errors="replace")
    replaced = text.count(_REPLACEMENT)
    whole = sum(1 for character in text if character > "\x7f") - replaced
    if whole < _WHOLE_PER_BROKEN * replaced:
        guessed = _guess(content)
        if guessed is not None:
            decoded = content.decode(guessed, errors="replace")
            if decoded.count(_REPLACEMENT) < replaced:
                text, replaced = decoded, decoded.count(_REPLACEMENT)
                if not replaced:
                    return DecodedText(
                        text=text, warnings=(f"no encoding is declared; decoded as {guessed}",)
                    )
    plural = "s" if replaced != 1 else ""
    return DecodedText(
        text=text, warnings=(f"{replaced:,} unreadable character{plural} replaced by {_REPLACEMENT}",)
    )


def _candidates(content: bytes, charset: str | None) -> list[str]:
    candidates = [encoding for mark, encoding in _BYTE_ORDER_MARKS if content.startswith(mark)][:1]
    declared = _canonical(charset)
    if declared and _ESCAPED.match(declared):
        candidates.append(declared)
    wide = guess_wide_encoding(content)
    if wide:
        candidates.append(wide)
    # All of it is ASCII, and hardly anything else has these sequences.
    candidates += [encoding for escape, encoding in _ESCAPES if escape in content]
    # Bytes above 127 hardly ever form valid UTF-8 by accident, so it comes before a declaration.
    candidates.append("utf-8")
    if declared:
        candidates.append(declared)
    return candidates


def _canonical(charset: str | None) -> str | None:
    try:
        name = codecs.lookup((charset or "").strip()).name
        b"".decode(name)  # refuses codecs that are not text encodings, such as "hex"
    except (LookupError, UnicodeError, ValueError):
        return None
    return _WEB_ALIASES.get(name, name)


def _decodes(sample: bytes, encoding: str) -> bool:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeError:
        return False
    controls = sum(1 for character in text if character < " " and character not in "\b\t\n\v\f\r\x1b")
    return controls <= _BINARY_SHARE * len(text)


def _guess(content: bytes) -> str | None:
    import charset_normalizer

    # A sample around the first non-ASCII byte says more than one from the beginning.
    first = next((position for position, byte in enumerate(content) if byte > 0x7F), 0)
    start = max(0, first - _SAMPLE_BYTES // 8)
    sample = content[start : start + _SAMPLE_BYTES]
    cyrillic = _guess_cyrillic(sample)
    if cyrillic is not None:
        return cyrillic
    found = charset_normalizer.from_bytes(sample)
    # Western European texts fit many encodings about as well; nearly all of them are in this one.
    if any(_WESTERN in match.could_be_from_charset for match in found) or _is_latin(sample):
        return _latin_code_page(sample)
    best = found.best()
    return best.encoding if best is not None else None


# The letters that make up most of a text in Russian, Ukrainian or Bulgarian; some that Hebrew read as
# Cyrillic never has; and all letters of these alphabets.
_COMMON_CYRILLIC = frozenset("оеаинтсрвлі")
_TELLING_CYRILLIC = frozenset("ыьэюяії")
_CYRILLIC = frozenset("абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґў")
_CYRILLIC_ENCODINGS = ("cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866")
_MIN_COMMON_SHARE = 0.42
_MIN_LETTER_SHARE = 0.93
_MAX_MIXED_CASE = 0.01
_MIN_NEIGHBOURS = 0.7
_HIGH_RUN = regex(rb"[\x80-\xff]+")


def _guess_cyrillic(sample: bytes) -> str | None:
    """The encoding in which the words that are not ASCII are Cyrillic, by the commonest letters.

    Few words among much ASCII suffice, which a detector that judges the whole text would take for symbols.
    """
    runs = _HIGH_RUN.findall(sample)
    high = b" ".join(runs)
    if not runs or sum(len(run) for run in runs if len(run) > 1) < _MIN_NEIGHBOURS * sum(map(len, runs)):
        return None
    best: tuple[float, str] = (0.0, "")
    for encoding in _CYRILLIC_ENCODINGS:
        text = high.decode(encoding, errors="replace").replace(" ", "")
        share = sum(1 for letter in text if letter in _COMMON_CYRILLIC) / len(text)
        letters = sum(1 for letter in text if letter.lower() in _CYRILLIC) / len(text)
        mixed = sum(1 for a, b in pairwise(high.decode(encoding, "replace")) if a.islower() and b.isupper())
        is_cyrillic = (
            share >= _MIN_COMMON_SHARE
            and letters >= _MIN_LETTER_SHARE
            and mixed <= _MAX_MIXED_CASE * len(text)
            and any(letter in _TELLING_CYRILLIC for letter in text)
        )
        if is_cyrillic and share + letters > best[0]:
            best = (share + letters, encoding)
    return best[1] or None


def _is_latin(sample: bytes) -> bool:
    """Whether other characters than ASCII stand one by one among ASCII letters, as accented letters do."""
    high = len(sample) - len(sample.translate(None, _HIGH))
    words = len(_LATIN_WORD.findall(sample))
    alone = len(_ALONE.findall(sample))
    return words > 0 and alone > (1 - _MIN_NEIGHBOURS / 2) * high


_HIGH = bytes(range(0x80, 0x100))
_ALONE = regex(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])")
_LATIN_WORD = regex(rb"[A-Za-z]{2}[\x80-\xff]|[\x80-\xff][A-Za-z]{2,}")
# Languages whose letters Western European code pages lack, with the code page they were written in.
_CENTRAL_EUROPEAN = frozenset(["pl", "cs", "sk", "hu", "hr", "sl", "ro", "sq", "bs"])
_CODE_PAGES = {"tr": "cp1254", "az": "cp1254", "lt": "cp1257", "lv": "cp1257", "et": "cp1257", "vi": "cp1258"}
# Letters in the Windows code page, control characters in the international standard.
_WINDOWS_ONLY = regex(rb"[\x80-\x9f]")


def _latin_code_page(sample: bytes) -> str:
    """The code page of a text in Latin letters, by its language."""
    from lsum_cli.text.languages import detect

    language = detect(sample.decode(_WESTERN, errors="replace")).certain
    if language in _CENTRAL_EUROPEAN:
        return "cp1250" if _WINDOWS_ONLY.search(sample) else "iso8859-2"
    return _CODE_PAGES.get(language or "", _WESTERN)
