"""Decoding bytes: byte-order marks, declared and detected encodings, and unreadable characters."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

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
_ESCAPED = re.compile(r"(?:iso2022|hz|utf_?7|utf_?16|utf_?32)", re.I)
# What pages that declare these really use.
_WEB_ALIASES = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_WESTERN = "cp1252"
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b")
_BINARY_SHARE = 0.02
_REPLACEMENT = "\ufffd"
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
    """Decode a text; never fails.

    Args:
        content: The bytes of a source that is known to be text.
        charset: The encoding declared by the server or by the text itself.

    Returns:
        The text; where no encoding fits, unreadable bytes become U+FFFD and a warning counts them.
    """
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
    controls = sum(1 for character in text if character < " " and character not in "\t\n\v\f\r\x1b")
    return controls <= _BINARY_SHARE * len(text)


def _guess(content: bytes) -> str | None:
    import charset_normalizer

    # A sample around the first non-ASCII byte says more than one from the beginning.
    first = next((position for position, byte in enumerate(content) if byte > 0x7F), 0)
    start = max(0, first - _SAMPLE_BYTES // 8)
    found = charset_normalizer.from_bytes(content[start : start + _SAMPLE_BYTES])
    # Western European texts fit many encodings about as well; nearly all of them are in this one.
    if any(_WESTERN in match.could_be_from_charset for match in found):
        return _WESTERN
    best = found.best()
    return best.encoding if best is not None else None
