"""Project Gutenberg's header and licence around a book."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsum_cli.reading.blocks import Tally

LICENCE = "Project Gutenberg header and licence"

_START = re.compile(
    r"^[ \t]*\*{2,3} ?START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*(?:\n[^\n]+)?\*{3}[^\n]*$"
    r"|^[ \t]*\*{3} ?START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*$|^\*END[* ]?THE SMALL PRINT![^\n]*$",
    re.M | re.I,
)
_END = re.compile(
    r"^[ \t]*(?:\*{2,3} ?END OF (?:THE |THIS )?PROJECT GUTENBERG|End of (?:The |this )?Project Gutenberg)", re.M | re.I
)
_CREDITS = re.compile(
    r"\A\s*(?:(?:Produced|E-?text prepared|This e-?(?:text|book) was (?:produced|prepared)|Transcribed|Scanned"
    r"|HTML version)\b[^\n]*(?:\n[^\n]+)*\s*)+",
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
    credits = _CREDITS.match(body)
    if credits:
        header += credits.group()
        body = body[credits.end() :]
    tally.add(LICENCE, header)
    tally.add(LICENCE, licence)
    title = _TITLE.search(header)
    language = _LANGUAGE.search(header)
    return UnwrappedBook(
        text=body,
        title=title.group(1) if title else None,
        language=_LANGUAGES.get(language.group(1).lower()) if language else None,
    )
