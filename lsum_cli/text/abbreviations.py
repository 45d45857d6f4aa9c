"""Abbreviations, and the long forms that a text itself gives them: "gross domestic product (GDP)".

Short and long forms are found where they stand beside each other, and are believed only where the letters
agree, after Schwartz and Hearst (A simple algorithm for identifying abbreviation definitions in biomedical
text, 2003), more strictly than there: every word of the long form that is no function word gives its first
letter. What is found is part of the text as it stands; nothing is composed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from lsum_cli.text.patterns import regex

_LONGEST = 10  # letters
_WINDOW = 200  # characters
# U+2010 and U+2011 are hyphens too.
_SHORT = r"[^\W_](?:[^\W_]|[-/&+.\u2010\u2011](?=[^\W_])){1,14}"
_TOKEN = regex(rf"(?<![\w.-]){_SHORT}")
_HYPHEN = regex("[-/\u2010\u2011]")
_NUMBERED = regex(r"([^\W\d_]{3,})\d+(?:\.\d+)*")
_ROMAN = regex(r"[IVX]+")
_BRACKET = regex(r"\(([^()]{2,120})\)")
_QUOTES = "\"'“”„‘’‚«»*_`"
# What may stand in a bracket before a short form, and what may follow one.
_ALONE = regex(
    r"(?:(?:the|or|also|hereinafter|hereafter|henceforth|abbreviated|abbr\.|called|known as|i\.e\.|as"
    rf"|to),? )*[{_QUOTES}]*(?P<short>{_SHORT})[{_QUOTES}]*(?=$|[,;]| hereafter| henceforth)"
)
_BEFORE_BRACKET = regex(rf"(?<![\w.-])({_SHORT})[{_QUOTES}]* $")
_BEFORE_LONG = regex(
    r"(?:(?:the|an?|or|i\.e\.|that is|short for|stands for|abbreviation of|abbreviation for),? )*"
    rf"[{_QUOTES}]*"
)
# "GDP: gross domestic product; CPI: consumer price index", "GDP stands for gross domestic product"
_ENTRY = regex(
    rf"(?:^\W*|; |, )(?P<short>{_SHORT})[{_QUOTES}]*"
    rf"(?:\s?[:=]| [–—-]| stands for| is short for| means)\s+[{_QUOTES}]*(?P<long>[^;:.()=]+)"
)
# "write-ahead log, or WAL,"
_OR = regex(rf",? (?:or|abbreviated|abbreviated as) [{_QUOTES}]?(?P<short>{_SHORT})(?=[{_QUOTES}]|[,.;)])")
_WORD = regex(r"\S+")
_PART = regex(r"[^\W\d_]+|\d+")
_OPENINGS = f"{_QUOTES}([{{-–—"
_STOPS = frozenset("()[]{}<>|=;:!?•→—")
# "N, N-dimethylformamide"
_LOCANT = regex(r"(?<!\w)(\w), (?=\1-)")
_LITTLE_WORDS = (
    "a an and as at by de del des di du e el et for from für in into la le of on or per the to und with y"
)
_FUNCTION_WORDS = frozenset(_LITTLE_WORDS.split())
# "in vitro fertilisation", "per capita income", "El Niño Southern Oscillation": these may begin a long form.
_BEGINNING = frozenset(("el", "in", "la", "le", "on", "per"))
_NO_BEGINNING = _FUNCTION_WORDS - _BEGINNING
# Letters of a word in lower case that long forms may pass over.
_LITTLE = 3
# "the Clean Air Act, as amended, 42 U. S. C. §7401 (CAA)"
_AFTER_NAME = regex(
    r"(?:(?: for Fiscal Years? \d{4}|, as amended|, \d{4}|, \d+ (?:U\. ?S\. ?C|Stat)\.[^;:(),]{1,40}),?)+ ?$"
)
# "the Department of Veterans Affairs (VA)": the letters leave out what kind of office it is.
_OFFICE = regex(r"\b(?:Department|Ministry|Office|Bureau|Secretariat) of (?:the )?$")
_GREEK = regex("[\u0370-\u03ff]")
# "the Sex Offender Registration and Notification Act (the Act)": a name for which a word of it stands.
_NAME = regex(
    rf"(?:(?:the|or|hereinafter|hereafter),? )*[{_QUOTES}]?"
    rf"(?P<short>[A-Z][a-z]+(?: [A-Z][a-z]+)?)[{_QUOTES}]?$"
)
_USED_NAME = regex(r"\b[Tt]he ([A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?)\b(?!['’-]?[ -][A-Z]|,? of\b| \()")
_RUN = regex(
    r"(?:[A-Z][\w'’-]*(?:\.(?! [A-Z][a-z]+ [a-z]))?,? (?:of the |of |for the |for |on the |on |and )?)+$"
)
_OPENERS = frozenset(
    ("A", "An", "As", "At", "But", "By", "For", "If", "In", "On", "The", "This", "Under", "When")
)
_CORPORATE = regex(r".* (?:Inc|Corp|Ltd|LLC|Co|plc|AG|GmbH|SE|SA|NV|LP)\.?")
_COMPANY = frozenset(("Company", "Corporation", "Group"))
# Before such a word "IP" is the Internet's, whatever else a document calls so elsewhere.
_AFTER_IP = regex(r" (?:address(?:es)?|packets?|networks?|ports?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Definition:
    """A short form and the long form beside it, both as the text has them.

    Attributes:
        key: What the short form has in common with its plural.
        start: Where the long form begins in the text, in characters.
    """

    key: str
    short: str
    long: str
    start: int


def is_short_form(token: str) -> bool:
    """Whether a token may be an abbreviation.

    It has two capitals or more, or one and a digit, and is no Roman numeral.
    """
    capitals = sum(character.isupper() for character in token)
    letters = sum(character.isalpha() for character in token)
    return (
        (capitals >= 2 or (capitals == 1 and letters < len(token) and len(token) < 5))
        and 2 <= sum(map(str.isalnum, token)) <= _LONGEST
        and not _ROMAN.fullmatch(token)
    )


def key_of(short: str) -> str:
    """A short form without the ending of its plural: ``"DEG"`` of ``"DEGs"``."""
    short = short.strip(".").replace("\u2010", "-").replace("\u2011", "-")
    return short[:-1] if len(short) > 2 and short[-1] == "s" and not short[-2].islower() else short


def used_short_forms(text: str) -> dict[str, str]:
    """The keys of what may be abbreviations in a text, in order, with the key of the whole that each is in.

    Of a compound the parts are found too: "QTL" of "QTL-based", "SSP" of "SSP5-8.5".
    """
    found: dict[str, str] = {}
    for token in _TOKEN.findall(text):
        if token.islower():
            continue
        parts = _HYPHEN.split(token)
        # "MCF-7" is one name, and its pieces stand for nothing.
        is_joined = any(len(part) > _LITTLE and part.islower() for part in parts)
        forms = [token, *(part for part in parts if is_joined or len(part) >= _LITTLE)]
        forms += [numbered[1] for form in forms if (numbered := _NUMBERED.fullmatch(form))]
        for form in filter(is_short_form, forms):
            key = key_of(form)
            if form is token or key not in found:
                found[key] = key_of(token)
    found.update((name, name) for name in _USED_NAME.findall(text))
    return found


def means_another(text: str, short: str, long: str) -> bool:
    """Whether a text has a short form only in terms where it is known to stand for something else."""
    if short != "IP" or "protocol" in long.lower():
        return False
    used = [found for found in _TOKEN.finditer(text) if found[0] == short]
    return bool(used) and all(_AFTER_IP.match(text, found.end()) for found in used)


def definitions(text: str, wanted: Collection[str]) -> Iterator[Definition]:
    """What a text says that short forms stand for.

    Args:
        text: A sentence.
        wanted: The keys of the short forms that are asked for.
    """
    if "(" in text:
        for bracket in _BRACKET.finditer(text):
            yield from _in_bracket(text, bracket.start(), bracket.start(1), bracket[1], wanted)
    if any(
        mark in text for mark in (":", "=", " – ", " — ", " - ", " stands for ", " is short for ", " means ")
    ):
        for entry in _ENTRY.finditer(text):
            if key_of(entry["short"]) in wanted and is_short_form(entry["short"]):
                long = entry["long"].split(",")[0].rstrip(f" .{_QUOTES}")
                made = _whole(entry["short"], entry.start("long"), long)
                if made is not None:
                    yield made
    if " or " in text or "abbreviated " in text:
        for other in _OR.finditer(text):
            if key_of(other["short"]) in wanted and is_short_form(other["short"]):
                made = _before(text, other.start(), other["short"])
                if made is not None and _count_initials(made) == len(_letters(made.short)):
                    yield made


def _in_bracket(
    text: str, opening: int, start: int, inner: str, wanted: Collection[str]
) -> Iterator[Definition]:
    """What a bracket and the words before it say."""
    found = []
    for either in inner.split(" or "):
        alone, name = _ALONE.match(either), _NAME.match(either)
        if alone is not None and key_of(alone["short"]) in wanted and is_short_form(alone["short"]):
            found.append(_before(text, opening, alone["short"]))
        elif name is not None and name["short"] in wanted:
            found.append(_named(text, opening, name["short"]))
    if any(found):
        yield from filter(None, found)
        return
    before = _BEFORE_BRACKET.search(text, max(0, opening - 20), opening)
    if before is not None and key_of(before[1]) in wanted and is_short_form(before[1]):
        begun = _BEFORE_LONG.match(inner)
        skipped = begun.end() if begun is not None else 0
        long = inner[skipped:]
        for end in dict.fromkeys((len(long), *(long.find(mark) for mark in ";,"))):
            made = _whole(before[1], start + skipped, long[: max(0, end)].rstrip(f" .{_QUOTES}"))
            if made is not None:
                yield made
                return


def _before(text: str, end: int, short: str) -> Definition | None:
    """The long form that ends at a place: of those whose letters agree the nearest with most initials."""
    letters = _letters(short)
    after = _AFTER_NAME.search(text, max(0, end - _WINDOW), end)
    end = after.start() if after is not None else end
    begin = max(0, end - _WINDOW)
    words = [(begin + found.start(), found[0]) for found in _WORD.finditer(text[begin:end])]
    if not words or not letters:
        return None
    if begin and not text[begin - 1].isspace():
        words = words[1:]
    best: tuple[int, int] | None = None
    given = 0
    for first in range(len(words) - 1, -1, -1):
        word = words[first][1]
        bare = word.lstrip(_OPENINGS)
        if not _STOPS.isdisjoint(bare):
            break
        given += not _is_passed_over(word)
        # One more, since what is numbered gives no letter.
        if given > len(letters) + 1:
            break
        if bare.casefold() in _NO_BEGINNING:
            continue
        initials = _align(letters, tuple(each for _, each in words[first:]))
        if initials is not None and (best is None or initials > best[0]):
            best = (initials, first)
        if bare != word:
            break
    if best is None:
        return None
    initials, first = best
    # "carboxylic acid synthase 6 (CAS6)": the C need not be that of "acid".
    if initials < len(letters) and first and _may_begin(letters[0], words[first - 1][1]):
        return None
    # "Mr. Flake (FL)": where somebody or something comes from.
    if initials < len(letters) == 2 and first == len(words) - 1 and first and words[first][1][:1].isupper():
        return None
    start = words[first][0]
    long = text[start:end].rstrip(f" ,{_QUOTES}-–").removesuffix("'s").removesuffix("’s")
    trimmed = long.lstrip(_OPENINGS)
    start += len(long) - len(trimmed)
    locant = _LOCANT.match(text, max(0, start - 3))
    if locant is not None and locant.end() == start:
        trimmed = text[locant.start() : start] + trimmed
        start = locant.start()
    office = _OFFICE.search(text, max(0, start - 40), start)
    if office is not None and trimmed[:1].isupper():
        trimmed = text[office.start() : start] + trimmed
        start = office.start()
    return _defined(short, trimmed, start)


def _whole(short: str, start: int, long: str) -> Definition | None:
    """A long form all of which is known to be beside its short form, if their letters agree."""
    words = tuple(_WORD.findall(long))
    letters = _letters(short)
    if not 2 <= len(words) <= 2 * len(letters) + 2 or not _STOPS.isdisjoint(long):
        return None
    initials = _align(letters, words)
    # "an API (as a plain integer)", but "ASAP (as soon as possible)", where each word gives a letter.
    if words[0].casefold() in _NO_BEGINNING and len(words) != len(letters):
        return None
    # All capitals but one at most are initials; two are both.
    if initials is None or initials < max(2, sum(map(str.isupper, key_of(short))) - 1):
        return None
    return _defined(short, long, start)


def _defined(short: str, long: str, start: int) -> Definition | None:
    """The definition, unless a word of the long form begins with the short one."""
    key = key_of(short)
    if any(word.lstrip(_OPENINGS).startswith(key) for word in long.split()):
        return None
    return Definition(key, short, long, start)


def _count_initials(made: Definition) -> int:
    """How many of the letters are initials."""
    return _align(_letters(made.short), tuple(_WORD.findall(made.long))) or 0


def _letters(short: str) -> str:
    return "".join(filter(str.isalnum, key_of(short))).casefold()


def _is_passed_over(word: str) -> bool:
    """Whether a long form may hold the word without giving its letter: function words and numbers."""
    plain = "".join(filter(str.isalpha, word))
    return plain.casefold() in _FUNCTION_WORDS or (len(plain) <= _LITTLE and plain.islower()) or not plain


@lru_cache(maxsize=256)
def _align(letters: str, words: Sequence[str]) -> int | None:
    """How many letters are initials where they agree with words in order; ``None`` where they do not.

    Every word gives its first letter; function words, numbers, what is numbered ("version 2") and "Act" at
    the end may be passed over, but not the first.
    """

    @cache
    def best(given: int, number: int) -> int | None:
        if given == len(letters) and words[number:] in ((), ("Act",)):
            return 0
        if number == len(words):
            return None
        found: int | None = None
        is_numbered = number + 1 < len(words) and words[number + 1][:1].isdigit()
        if number and (is_numbered or _is_passed_over(words[number])):
            found = best(given, number + 1)
        for taken in range(1, len(letters) - given + 1):
            initials = _spell(letters[given : given + taken], words[number])
            if initials is None:
                break
            rest = best(given + taken, number + 1)
            if rest is not None and (found is None or initials + rest > found):
                found = initials + rest
        return found

    return best(0, 0)


def _spell(letters: str, word: str) -> int | None:
    """How many of the letters are initials of the word's parts; ``None`` where the word does not have them.

    Its first letter must be the first of these.
    """
    parts = [part.casefold() for part in _PART.findall(unicodedata.normalize("NFKC", word))]
    # "2,4-dinitrophenol", "β-galactosidase": what tells its place or form gives no letter.
    while (
        parts and parts[0][0] != letters[0] and (parts[0].isdigit() or len(parts[0]) == 1) and len(parts) > 1
    ):
        parts = parts[1:]
    if not parts or not _agree(letters[0], parts[0], 0):
        return None
    initials, part, place = 1, 0, 1
    for letter in letters[1:]:
        ahead = next((n for n in range(part + 1, len(parts)) if _agree(letter, parts[n], 0)), None)
        inside = parts[part].find(letter, place)
        if ahead is not None and (inside < 0 or ahead == part + 1):
            initials, part, place = initials + 1, ahead, 1
        elif inside >= 0:
            place = inside + 1
        else:
            return None
    return initials


def _may_begin(letter: str, word: str) -> bool:
    """Whether a part of a word begins with a letter, and no mark separates the word from the next."""
    parts = _PART.findall(word)
    return (
        word[-1:].isalnum()
        and any(part[0].casefold() == letter for part in parts)
        and not _is_passed_over(word)
    )


def _agree(letter: str, part: str, place: int) -> bool:
    """Whether a letter stands there; a Greek one is also its name."""
    if part[place] == letter:
        return True
    if not _GREEK.match(letter):
        return False
    return part == unicodedata.name(letter, "").rpartition(" ")[2].casefold()


def _named(text: str, end: int, short: str) -> Definition | None:
    """The name that ends where a bracket opens, if the short form is made of its words."""
    run = _RUN.search(text, max(0, end - _WINDOW), end)
    if run is None or (run.start() and not text[run.start() - 1].isspace()):
        return None
    start = run.start()
    long = text[start:end].rstrip(" ,")
    parts = short.split()
    first = long.split(" ", 1)[0]
    if first in _OPENERS:
        start += len(first) + 1
        long = long[len(first) + 1 :]
    elif not start and first not in parts:
        return None  # its capital may be that of the sentence
    # "the Historic District of Pleasant Grove City (City)": the nearest name that holds the word.
    while (tail := long.partition(" of ")[2].removeprefix("the ")) and len(tail) > len(short):
        if not all(part in tail.split() for part in parts):
            break
        start += len(long) - len(tail)
        long = tail
    words = long.split()
    if len(words) <= len(parts) or long == short:
        return None
    is_company = short in _COMPANY and _CORPORATE.fullmatch(long) is not None and " and " not in long
    is_part = all(part in words for part in parts)
    # "the Navy and the Sex Offender Registration and Notification Act": where such a name begins is open.
    if " and " in f" {long} " and not (
        words[-len(parts) :] == parts and text[:start].lower().endswith("the ")
    ):
        return None
    return Definition(short, short, long, start) if is_company or is_part else None
