"""What fonts and wording tell about a line: body text, caption, number of a heading, end of a sentence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from lsum_cli.reading.pdf.lines import Line
from lsum_cli.text.patterns import regex

StyleKey = tuple[str, float, bool]

_CAPTION = regex(
    r"(?:(?:supplementary|extended data|online)\s+)?(?:fig(?:ure|\.)?|table|tab\.|scheme"
    r"|listing|algorithm|chart|exhibit|plate|abbildung|abb\.|tabelle|tableau|figura"
    r"|tabla)\s*(?:[a-z]\.?)?\d+(?:[.-]\d+)*[a-z]?(?P<mark>\s*[.:|–—-]|\s|$)",
    re.I,
)
_NUMBERED = regex(
    r"(?:(?:chapter|section|part|appendix|§)\s*)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[IVX]{1,5}|[A-H](?:\.\d{1,2}){0,3})(?P<stop>[.):]?)\s+(?P<rest>\S.*)",
    re.I,
)
_STOPS, _CLOSING = frozenset(".!?…:;。！？؟"), "\"'”’)]"


# Fonts for programs, whose listings are no text, however long.
_MONOSPACED = regex(
    r"mono|courier|consol|typewriter|menlo|monaco|inconsolata|nimbusmon|codepro|fira ?code"
    r"|t1xb?tt|(?:cm|lm|sf|ec|pc)(?:sl|it|v|b)?tt\d",
    re.I,
)
_LISTING_WEIGHT = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyType:
    """The font and size of most of a document's text."""

    font: str
    size: float
    bold: bool
    leading: float

    def is_small(self, size: float) -> bool:
        """Whether this is the size of notes and captions."""
        return size < 0.93 * self.size


def style_of(line: Line) -> StyleKey:
    """Font, size and weight, which lines of one kind share."""
    return (line.font, round(line.size * 2) / 2, line.bold)


def style_of_body(body: BodyType) -> StyleKey:
    """The style that lines of running text have."""
    return (body.font, round(body.size * 2) / 2, body.bold)


def is_monospaced(font: str) -> bool:
    """Whether a font is one for programs, by its name."""
    return _MONOSPACED.search(font) is not None


def find_body_type(lines: Iterable[Line]) -> BodyType:
    """The style that most characters of running text have."""
    exact: dict[tuple[str, float, bool], int] = {}
    for line in lines:
        key = line.font, line.size, line.bold
        # Words have single spaces between them.
        exact[key] = exact.get(key, 0) + len(line.text) * (3 if line.text.count(" ") >= 4 else 1)
    if not exact:
        return BodyType(font="", size=10.0, bold=False, leading=12.0)
    weights: dict[StyleKey, float] = defaultdict(float)
    sizes: dict[float, float] = defaultdict(float)
    for (font, size, bold), count in exact.items():
        weight = count * (_LISTING_WEIGHT if is_monospaced(font) else 1.0)
        size = round(size * 2) / 2
        weights[font, size, bold] += weight
        sizes[size] += weight
    size = max(sizes, key=lambda key: sizes[key])
    font, _, bold = max((key for key in weights if key[1] == size), key=lambda key: weights[key])
    return BodyType(font=font, size=size, bold=bold, leading=1.2 * size)


def begins_caption(line: Line, body: BodyType, *, opens_block: bool) -> bool:
    """Whether a line begins a caption rather than a sentence such as "Figure 2 shows"."""
    match = _CAPTION.match(line.text)
    if match is None:
        return False
    mark = match["mark"].strip()
    lead = 0 < line.bold_lead <= match.end() + 3 or (line.bold and not body.bold)
    rest = line.text[match.end() :].strip()
    if mark in (".", ":", "|") or lead or not rest:
        return opens_block or lead or bool(rest[:1].isupper())
    return opens_block and (body.is_small(line.size) or (rest[:1].isupper() and line.font != body.font))


def numbering_depth(text: str) -> int:
    """The level implied by a heading's number: 2 for "3.1 Data"; 0 without a number."""
    match = _NUMBERED.match(text)
    if match is None or not match["rest"][:1].isalpha():
        return 0
    if text[:7].casefold() in ("chapter", "section", "appendi") or text[:5].casefold() == "part ":
        return 1
    number = match["number"]
    if (
        number.isalpha()
        and len(number) == 1
        and not match["stop"]
        and number not in ("A", "B", "C", "D", "E", "F", "G", "H")
    ):
        return 0
    if number[0].islower():
        return 0
    return number.count(".") + 1


def ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence."""
    return text.rstrip(_CLOSING)[-1:] in _STOPS
