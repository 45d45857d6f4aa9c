"""What the lines of a release say of support: which versions come and end, and what of it is said twice."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lsum_cli.methods.extract.listed_changes.change import plain_change
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import content_stems

# "Python 3.11", "PostgreSQL versions 11 and 12", "Python 2.7, 3.5 or 3.6".
_VERSIONS = regex(
    r"(?<![\w.+-])(?P<name>[A-Z][\w+-]{0,40}|python|pypy)(?: versions?)? (?P<sign>[<>=≤≥]+ ?)?"
    r"(?P<numbers>v?\d+(?:\.\d+)*+(?![\w-])"
    r"(?:(?:, (?:and |or )?| and | or | & |/)v?\d+(?:\.\d+)*+(?![\w-]))*)"
)
_NUMBER = regex(r"\d+(?:\.\d+)*")
_DATE = regex(
    r"(?:\b(?:on|in|since|of|by) )?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    r"|(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December) (?:\d{1,2}(?:st|nd|rd|th)?, )?\d{4})\b"
)
_ENDS = r"drop\w*|remov\w*|end(?:s|ed|ing)?\b|end[- ]of[- ]life|no longer|discontinu\w*|eol\b"
_NEEDS = r"requir\w*|minimum|at least"
_COMES = r"add(?:s|ed|ing)?\b|introduc\w*|compatib\w*|declar\w*|enabl\w*"
_DOES = regex(rf"\b(?:(?P<ends>{_ENDS})|(?P<needs>{_NEEDS})|(?P<comes>{_COMES}))", re.IGNORECASE)
_SUPPORTS = regex(r"\bsupport", re.IGNORECASE)
_BEGINS_SUPPORT = regex(
    r"(?:(?:add|introduc|enabl|declar)\w*|new|now|official(?:ly)?|support|compatib\w*)\b"
    r"(?=.*\bsupport|.*\bcompatib)|supports?\b",
    re.IGNORECASE,
)
# All that such a line says beside versions.
_OF_BEGINNING = regex(
    r"supports?|supported|compatib(?:le|ility)|(?:add|introduc|enabl|declar)(?:s|es|ed|e|ing)?|new|now"
    r"|official(?:ly)?|also|has|been|is|are|for|of|the|versions?|with|and",
    re.IGNORECASE,
)
_WORD = regex(r"[^\W_]+")
# "Lathe 3.12 is now supported, though not recommended"
_IS_SUPPORTED = regex(r"(?:is|are) (?:now |also |officially )*(?:supported|compatible)\b")
_ASIDE = regex(r", (?:though|although|but|see)\b.*$", re.IGNORECASE)
# "no longer supported by Tidewatch"
_BY_WHOM = regex(r"\b(supported|supports?) (?:by|in) (?:\w+|this (?:release|version))\.?$")
# What a line on support consists of beside what it is about; not that it is on trial, or on what.
_OF_SUPPORT = content_stems(
    "support supported supports official officially added adds adding new now upcoming version versions"
    " release compatible compatibility drop drops dropped dropping remove removes removed removing end ends"
    " ended life end-of-life eol reached longer no some discontinued require requires required minimum"
    " declare declared since has have been is are the and also"
)


class Support(NamedTuple):
    """That the support of a version comes or ends, or that it is needed.

    Attributes:
        does: ``"comes"``, ``"ends"`` or ``"needs"``.
        name: Of what, in small letters.
        number: The version, with a sign before it where that counts: ``"<3.10"``.
    """

    does: str
    name: str
    number: str


@lru_cache(maxsize=1 << 13)
def supports_of(text: str) -> frozenset[Support]:
    """What a change says of the support of versions, as far as it says clearly which come and which end."""
    text = _DATE.sub("", text)
    found = set()
    verbs = [(verb.start(), str(verb.lastgroup)) for verb in _DOES.finditer(text)]
    otherwise = "comes" if _SUPPORTS.search(text) else None
    for named in _VERSIONS.finditer(text):
        before = [does for start, does in verbs if start < named.start()]
        after = [does for start, does in verbs if start > named.start()]
        # "Drop support for Ash 3, add Ash 4"; "Ash 3 is no longer supported".
        does = before[-1] if before else after[0] if after else otherwise
        if does is not None:
            sign = (named["sign"] or "").strip()
            for number in _NUMBER.findall(named["numbers"]):
                found.add(Support(does, named["name"].lower(), f"{sign}{number}"))
    return frozenset(found)


def only_comes(text: str) -> bool:
    """Whether a change says that versions are supported from now on, and nothing else."""
    found = supports_of(text)
    # "Support Lathe >= 3" ends that of others.
    if not found or any(each.does != "comes" or not each.number[:1].isdigit() for each in found):
        return False
    # "Support for Lathe 3 ceases", "Lathe 3 is not supported"
    others = _ASIDE.sub("", _VERSIONS.sub("", _DATE.sub("", text))).strip()
    begins = _BEGINS_SUPPORT.match(text) or _IS_SUPPORTED.match(others)
    return begins is not None and all(map(_OF_BEGINNING.fullmatch, _WORD.findall(others)))


def is_told_in(text: str, other: str) -> bool:
    """Whether all that a change says is which versions are supported, and another says that too."""
    own = supports_of(plain_change(text))
    if not own or not own <= supports_of(plain_change(other)):
        return False
    said = _BY_WHOM.sub(r"\1", _DATE.sub("", plain_change(text)).strip())
    # "… on Windows" says more than the other, whatever that says of Windows.
    about = content_stems(" ".join(f"{each.name} {each.number}" for each in own))
    return content_stems(said) - _OF_SUPPORT <= about


def ends_within(text: str, other: str) -> bool:
    """Whether all that a change says is the end of what another ends with more: "Lathe4" and "PyLathe4"."""
    stems, others = content_stems(plain_change(text)) - _OF_SUPPORT, content_stems(plain_change(other))
    whole = plain_change(other).lower()
    return (
        bool(stems)
        and len(whole) > len(plain_change(text))
        # "3.1" is not within "3.10".
        and all(stem in others or (not stem[0].isdigit() and stem in whole) for stem in stems)
    )


def is_surpassed(text: str, other: str) -> bool:
    """Whether a change only says of versions what another says of later ones: "Support Lathe 3.9" and "3.10".

    Both support what comes, or end it; 2.7 and 3.5 are of two series.
    """
    own, others = supports_of(plain_change(text)), supports_of(plain_change(other))
    if not own or not all(any(_is_earlier(one, each) for each in others) for one in own):
        return False
    said = _DATE.sub("", plain_change(text)).strip()
    about = content_stems(" ".join(f"{each.name} {each.number}" for each in own))
    return content_stems(said) - _OF_SUPPORT <= about


def _is_earlier(one: Support, other: Support) -> bool:
    """Whether the version of one comes before that of the other, within the same series."""
    numbers = [each.number.split(".") for each in (one, other)]
    if (
        one[:2] != other[:2]
        or one.does == "needs"
        or not all(part.isdigit() for each in numbers for part in each)
    ):
        return False
    first, second = ([int(part[:18]) for part in each] for each in numbers)
    return len(first) > 1 and len(second) > 1 and first[0] == second[0] and first < second
