"""Terms that match though they are spelt differently: words of one family, and misspelt ones."""

from __future__ import annotations

from itertools import takewhile

from lsum_cli.text.patterns import regex

# What :func:`fuzzy_match` says at least of two terms of one family.
OF_A_FAMILY = 1.0
# Terms of one family begin alike and end as words of one family do.
_SHORTEST_START = 4
_ENDING = regex(
    r"(?:|al|als|ally|ance|ances|ant|ants|ar|ary|at|ate|ated|ates|ation|ations|ative|ator|ators|atory|e|ed"
    r"|en|ence|ent|er|ern|ers|es|est|ful|hood|i|ial|ian|ians|ibl|ic|ical|ically|ics|ied|ies|ification|ing"
    r"|ion|ions|is|isation|ise|ised|ish|ism|ist|ists|ition|itor|ity|iv|ive|ively|ivity|ization|ize|ized|less"
    r"|ment|ments|ness|olog|ological|ologist|ology|or|ors|ory|ous|ship|sion|th|tion|tions|tive|tor|tors|tory"
    r"|ty|ur|ure|ures|y|abel|bar|barkeit|em|ende[mnrs]?|er(?:e[mnrs]?|in|innen)|ge[mnrs]?|haft|heit|heiten|ig"
    r"|ige[mnrs]?|igkeit|in|innen|isch|ische[mnrs]?|keit|keiten|lich|liche[mnrs]?|lichkeit|lichsten?|n|ns|s"
    r"|ste[mnrs]?|t|te|ten|ter|tes|ung|ungen|a|o|as|os|ado|ada|ados|adas|ación|aciones|ción|ciones|dad|dades"
    r"|mente|é|ée|és|ées|ement|eur|euse|eurs|ité)"
)
# A short word has too many neighbours that are other words to be one of them misspelt.
_SHORTEST_MISSPELT, _LONG, _MOST_SLIPS = 6, 11, 2
_VOWELS = frozenset("aeiouy")
# In these languages a word matches the compounds that it begins.
_COMPOUNDING, _SHORTEST_IN_COMPOUND = frozenset(("da", "de", "nb", "nl", "no", "sv")), 5


def are_of_a_family(one: str, other: str) -> bool:
    """Whether two different terms, case-folded, begin alike and end as words of one family do."""
    if one[:_SHORTEST_START] != other[:_SHORTEST_START]:
        return False
    start = _start(one, other)
    return start >= _SHORTEST_START and bool(
        _ENDING.fullmatch(one[start:]) and _ENDING.fullmatch(other[start:])
    )


def fuzzy_match(one: str, other: str, language: str | None) -> float:
    """How sure it is that two different terms are of one family, or one misspelt.

    Args:
        one: A term, case-folded.
        other: Another.
        language: The language of both; ``None`` if unknown.

    Returns:
        :data:`OF_A_FAMILY` and more for two of one family ("regulatory", "regulations"), less for one that
        can be the other misspelt ("enviroment") or, where words are compounded, its beginning; 0 for others.
    """
    start = _start(one, other)
    short, long = sorted((len(one), len(other)))
    if are_of_a_family(one, other):
        return OF_A_FAMILY + start / long
    if short >= _SHORTEST_MISSPELT and _slips(one, other, start) <= 1 + (short >= _LONG):
        return start / long
    if language in _COMPOUNDING and start == short >= _SHORTEST_IN_COMPOUND:
        return start / long
    return 0.0


def _start(one: str, other: str) -> int:
    """How many letters two terms begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _slips(one: str, other: str, start: int) -> int:
    """How many slips make one word of another: a letter left out, added or swapped, a vowel for a vowel.

    Another letter for a letter makes another word: "march" of "marsh". Words that agree up to ``start``.
    """
    one, other = one[start:], other[start:]
    if abs(len(one) - len(other)) > _MOST_SLIPS:
        return _MOST_SLIPS + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, before = before, row
        row = [i]
        for j, wanted in enumerate(other, 1):
            if letter == wanted:
                replaced = 0
            elif letter in _VOWELS and wanted in _VOWELS:
                replaced = 1
            else:
                replaced = _MOST_SLIPS + 1
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + replaced)
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                least = min(least, last[j - 2] + 1)
            row.append(least)
    return row[-1]
