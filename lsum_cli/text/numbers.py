"""Numbers in running text in comparable form: "1,000", "1 000" and "one thousand" are one number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from lsum_cli.text.patterns import regex

_SPELLED_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_SPELLED_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: number for number, word in enumerate(_SPELLED_UNITS.split())}
_TENS = {word: 10 * number for number, word in enumerate(_SPELLED_TENS.split(), start=2)}
_WORDS = _UNITS | _TENS
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
# "One" is a pronoun more often than a count.
_NO_CLAIM = "one"
_SCALE = "|".join(_SCALES)
_UNIT, _TEN = "|".join(_UNITS), "|".join(_TENS)
_SPELLED = rf"(?:(?:{_TEN})(?:[- ](?:{_UNIT}))?|(?:{_UNIT})|an?(?=[- ](?:{_SCALE})\b))"
# Groups of thousands separated by a comma, a point, an apostrophe or a space of any width; then decimals.
_DIGITS = r"\d+(?:[.,'’ \u00a0\u2009\u202f]\d{3})*(?!\d)(?:[.,]\d+)*|\d+(?:[.,]\d+)*|[.,]\d+"
_PERCENT = r"%|per ?cent\b"
_SCALED = rf"(?:[- ](?:{_SCALE})\b)*"
_NUMBER = regex(
    rf"(?P<digits>{_DIGITS})(?:\s?(?P<percent>{_PERCENT}))?(?P<scale>{_SCALED})"
    rf"|\b(?P<spelled>{_SPELLED})\b(?:\s(?P<spelled_percent>{_PERCENT}))?(?P<spelled_scale>{_SCALED})",
    re.IGNORECASE,
)
# "2 to 3 million": the scale applies to both.
_RANGE = regex(
    rf"(?P<first>\d+(?:[.,]\d+)?|{_SPELLED})\s?(?:-|–|—|to|and|or)\s?"
    rf"(?:\d+(?:[.,]\d+)?|{_SPELLED})[- ](?P<scale>{_SCALE})\b",
    re.IGNORECASE,
)
_GROUPED = regex(r"\d{1,3}(?:(?P<mark>[.,'’ \u00a0\u2009\u202f])\d{3})(?:(?P=mark)\d{3})*")
_SEPARATORS = regex(r"[.,'’\s]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Number:
    """A number in a text.

    Attributes:
        text: As written, with what belongs to it: ``"2.5 million"``, ``"40 %"``.
        values: Its possible values in plain digits; several where the notation is ambiguous.
        start: Its offset in the text.
        is_claim: Whether it states a quantity; ``"one"`` may not, nor do digits within a name.
    """

    text: str
    values: frozenset[str]
    start: int
    is_claim: bool


def find_numbers(text: str) -> Iterator[Number]:
    """Find the numbers of a text in order, in digits or English words."""
    for match in _NUMBER.finditer(text):
        start = match.start()
        spelled, digits = match["spelled"], match["digits"]
        if spelled is not None:
            values = {Decimal(_spelled_value(spelled))}
            is_claim = spelled.lower() != _NO_CLAIM or bool(match["spelled_scale"])
        else:
            values = _digit_values(digits)
            # "B12", "IL-6": part of a name, which is compared as such.
            is_claim = not (start and (text[start - 1].isalnum() or text[start - 1] == "_"))
        for scale in re.findall(_SCALE, (match["scale"] or match["spelled_scale"] or "").lower()):
            values = {value * _SCALES[scale] for value in values}
        if match["percent"] or match["spelled_percent"]:
            values |= {value / 100 for value in values}
        # "3.2.1" has no value; it represents itself.
        canonical = {_canonical(value) for value in values} or {digits}
        yield Number(text=match.group().strip(), values=frozenset(canonical), start=start, is_claim=is_claim)


def number_values(text: str) -> frozenset[str]:
    """Every value that a text may contain, leniently."""
    values: set[str] = set()
    for number in find_numbers(text):
        values |= number.values
        # "in 2019 300 patients", "tables 1,2,3": several numbers that look like one.
        digits = re.findall(r"\d+", number.text)
        if len(digits) > 2 or re.search(r"\d\s\d", number.text):
            values.update(_canonical(Decimal(_plain(part))) for part in digits)
    for match in _RANGE.finditer(text):
        first = match["first"]
        values_of_first = _digit_values(first) if first[0].isdigit() else {Decimal(_spelled_value(first))}
        values.update(_canonical(value * _SCALES[match["scale"].lower()]) for value in values_of_first)
    return frozenset(values)


def _spelled_value(words: str) -> int:
    return sum(_WORDS.get(word, 1) for word in re.split("[- ]", words.lower()))  # "a hundred"


def _digit_values(digits: str) -> set[Decimal]:
    """The possible values of digits with separators: "1.000" is one thousand or one."""
    values = set()
    if _GROUPED.fullmatch(digits):
        values.add(Decimal(_plain(_SEPARATORS.sub("", digits))))
    separators = _SEPARATORS.findall(digits)
    if not separators:
        values.add(Decimal(_plain(digits)))
    elif separators[-1] in ".,":
        head, _, decimals = digits.rpartition(separators[-1])
        if separators[-1] not in separators[:-1]:
            values.add(Decimal(f"{_plain(_SEPARATORS.sub('', head)) or '0'}.{_plain(decimals)}"))
    elif _GROUPED.fullmatch(digits) is None:  # "2019 300"
        values = {Decimal(_plain(part)) for part in re.findall(r"\d+", digits)}
    return values


def _plain(digits: str) -> str:
    """Digits of any script as ASCII."""
    return digits if digits.isascii() else "".join(str(unicodedata.decimal(digit)) for digit in digits)


def _canonical(value: Decimal) -> str:
    return f"{value.normalize():f}"
