"""Project Gutenberg's header and licence around a book."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lsum_cli.reading.blocks import Tally

LICENCE = "Project Gutenberg header and licence"

_START = re.compile(
    r"^[ \t]*\*{2,3} ?START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*(?:\n[^\n]+)?\*{3}[^\n]*$"
    r"|^[ \t]*\*{3} ?START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*$|^\*END[* ]?THE SMALL PRINT![^\n]*$",
    re.M | re.I,
)
_END = re.compile(
    r"^[ \t]*(?:\*{2,3} ?END OF (?:THE |THIS )?PROJECT GUTENBERG|End of (?:The |this )?Project Gutenberg)",
    re.M | re.I,
)
_CREDITS = re.compile(
    r"\A\s*(?:(?:Produced|E-?text prepared|This e-?(?:text|book) was (?:produced|prepared)|Transcribed"
    r"|Scanned|HTML version)\b[^\n]*(?:\n[^\n]+)*\s*)+",
    re.I,
)
_TITLE = re.compile(r"^Title:[ \t]*(\S[^\n]*(?:\n[ \t]+[^\s:][^\n:]*)*)", re.M)
_LANGUAGE = re.compile(r"^Language:[ \t]*(\w+)", re.M)
_LANGUAGES = {
    "english": "en", "french": "fr", "german": "de", "spanish": "es", "italian": "it", "portuguese": "pt",
    "dutch": "nl", "finnish": "fi", "swedish": "sv", "danish": "da", "norwegian": "no", "polish": "pl",
    "russian": "ru", "greek": "el", "latin": "la", "hungarian": "hu", "czech": "cs", "catalan": "ca",
    "chinese": "zh", "japanese": "ja", "esperanto": "eo",
}  # fmt: skip
_HEADER_CHARACTERS = 40_000
_HEADER_PARAGRAPHS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class UnwrappedBook:
    """A text without what Project Gutenberg puts around it.

    Attributes:
        text: The book itself, or the whole text where it is no such book.
        title: As its header says, or ``None``.
        language: Two-letter code, or ``None``.
    """

    text: str
    title: str | None = None
    language: str | None = None


def unwrap_gutenberg(text: str, tally: Tally) -> UnwrappedBook:
    """Take the header and the licence off a Project Gutenberg book; other texts stay as they are."""
    start = _START.search(text, 0, _HEADER_CHARACTERS)
    if start is None:
        return UnwrappedBook(text=text)
    header = text[: start.end()]
    body = text[start.end() :]
    end = _END.search(body)
    licence = body[end.start() :] if end else ""
    body = body[: end.start()] if end else body
    credit_lines = _CREDITS.match(body)
    if credit_lines:
        header += credit_lines.group()
        body = body[credit_lines.end() :]
    tally.add(LICENCE, header)
    tally.add(LICENCE, licence)
    title = _TITLE.search(header)
    language = _LANGUAGE.search(header)
    return UnwrappedBook(
        text=body,
        title=title.group(1) if title else None,
        language=_LANGUAGES.get(language.group(1).lower()) if language else None,
    )


def find_book(paragraphs: Sequence[str], tally: Tally) -> tuple[int, int]:
    """The same for a book in paragraphs: indices of its first one and after its last one."""
    first, last = 0, len(paragraphs)
    for index, paragraph in enumerate(paragraphs):
        if not first and index < _HEADER_PARAGRAPHS and _START.search(paragraph):
            first = index + 1
        elif first and _END.search(paragraph):
            last = index
            break
    if not first:
        return 0, len(paragraphs)
    for paragraph in (*paragraphs[:first], *paragraphs[last:]):
        tally.add(LICENCE, paragraph)
    return first, last
