"""What the lines of a release say of support: which versions come and end, and what of it is said twice."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from lsum_cli.methods.extract.listed_changes.change import plain_change
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import content_stems

# "Python 3.11", "PostgreSQL versions 11 and 12", "Python 2.7, 3.5 or 3.6".
_VERSIONS = regex(
    r"(?<![\w.+-])(?P<name>[A-Z][\w+-]{0,40}|python|pypy)(?: versions?)?"
    r" (?P<sign>[<>=≤≥]+ ?|(?:before|below|prior to|(?:older|earlier|lower|less) than) )?"
    r"(?P<numbers>v?\d+(?:\.\d+)*+(?![\w-])"
    r"(?:(?:, (?:and |or )?| and | or | & |/)v?\d+(?:\.\d+)*+(?![\w-]))*)"
)
_NUMBER = regex(r"\d+(?:\.\d+)*")
_DATE = regex(
    r"(?:\b(?:on|in|since|of|by) )?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    r"|(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December) (?:\d{1,2}(?:st|nd|rd|th)?, )?\d{4})\b"
)
_ENDS = (
    r"drop\w*|remov\w*|end(?:s|ed|ing)?\b|stop(?:s|ped|ping)? support\w*|end[- ]of[- ]life|no longer"
    r"|discontinu\w*|eol\b"
)
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
# What says of versions that they can be used, or soon not, and that they cannot.
_OF_USE = regex(r"support|requir|minimum|at least|deprecat|compatib", re.IGNORECASE)
_DENIES_USE = regex(r"\b(?:not|n['’]t|no longer|stop\w*|drop\w*|remov\w*|ceas\w*)\b", re.IGNORECASE)
# "Drop Lathe 3 < 3.4" ends some of its versions, "Lathe 3.15b2 is needed" none that was finished.
_SAYS_WHICH = regex(r"\d <|\d(?:a|b|rc)\d")
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
            # "Lathe versions before 3.6"
            sign = "<" if sign[:1].isalpha() else sign
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


# Below which versions a program no longer runs: of what ends 3.8 all that begin so are below.
Bounds = Mapping[str, tuple[float, ...]]


def bounds_of(text: str) -> dict[str, tuple[float, ...]]:
    """Below which versions of what a program no longer runs, as a change says that ends support."""
    bounds: dict[str, tuple[float, ...]] = {}
    if _SAYS_WHICH.search(text) is not None:
        return bounds
    for each in supports_of(text):
        if each.does == "comes":
            continue
        version: tuple[float, ...] = _numbers(each.number)
        if each.does == "ends" and not (each.number.startswith("<") and "=" not in each.number):
            version = (*version, math.inf)
        bounds[each.name] = max(version, bounds.get(each.name, ()))
    return bounds


def newest_of(text: str) -> dict[str, tuple[float, ...]]:
    """The newest version of each program that a change says is supported from now on."""
    newest: dict[str, tuple[float, ...]] = {}
    for each in supports_of(text):
        newest[each.name] = max(_numbers(each.number), newest.get(each.name, ()))
    return newest


def is_of_ended(text: str, bounds: Bounds, newer: Bounds | None = None) -> bool:
    """Whether a change says of versions whether they can be used, and they no longer can, any of them.

    Args:
        text: The sentence that says it.
        bounds: Below which versions of what the program no longer runs.
        newer: The same as newer releases say, for a change that ends support: what it ends itself counts, and
            what else it brings is beside the point.
    """
    plain = _DATE.sub("", text)
    if not bounds:
        return False
    if newer is not None:
        named = [each for each in supports_of(plain) if each.does != "comes"]
        return bool(named) and all(
            _is_below(_numbers(each.number), _bound_of(each.name, newer if each.does == "ends" else bounds))
            for each in named
        )
    if _OF_USE.search(plain) is None or _DENIES_USE.search(plain) is not None:
        return False
    versions = [
        (found["name"].lower(), number)
        for found in _VERSIONS.finditer(plain)
        for number in _NUMBER.findall(found["numbers"])
    ]
    return bool(versions) and all(
        _is_below(_numbers(number), _bound_of(name, bounds)) for name, number in versions
    )


def _bound_of(name: str, bounds: Bounds) -> tuple[float, ...] | None:
    """Below which versions of a program another no longer runs; those of PyPy are numbered as Python is."""
    return bounds.get(name) or (bounds.get("python") if name == "pypy" else None)


def _is_below(version: tuple[int, ...], bound: tuple[float, ...] | None) -> bool:
    """Whether a version is below a bound; that Lathe 3 came is not past where only Lathe 3.1 ended."""
    if bound is None:
        return False
    if len(version) == 1 and bound != (*version, math.inf):
        return version[0] < bound[0]
    return version < bound


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, without the sign before it."""
    return tuple(int(part[:18]) for part in version.lstrip("<>=≤≥ v").split("."))
