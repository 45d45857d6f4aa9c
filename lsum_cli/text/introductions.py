"""People whom an English text introduces: their whole name with what it says they are.

"respondent Jane Mill", "Ada Weir, the keeper of the lock": a text says so once, and calls them Mill and Weir
from there on. What is found is part of the text as it stands, and only where a title, a party's role or an
apposition stands beside the whole name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lsum_cli.text.patterns import regex

_LETTER = r"[^\W\d_]"
_NAME = rf"[A-Z]{_LETTER}+(?:[-’'](?!s\b){_LETTER}+)*"
_FIRST_NAME = regex(rf"{_NAME}|[A-Z]\.")
# A capitalised word beside which no other stands, and no part of a citation: "Pond v. Mill, 30 U. S. 1".
_ALONE = regex(rf"(?<![\w.’'-])({_NAME})(?:['’]s?)?(?![\w’'-])(?! [A-Z]| v\.|, \d)")
_TITLE_WORDS = (
    "dr mr mrs ms prof professor sir dame lord lady rev sen senator rep gov governor president minister mayor"
    " secretary judge justice attorney general chief former deputy vice captain officer detective"
)
_ROLE_WORDS = (
    "petitioner respondent plaintiff defendant appellant appellee claimant petitioner-defendant"
    " defendant-petitioner plaintiff-respondent director spokesman spokeswoman founder co-founder"
)
_TITLES, _ROLES = frozenset(_TITLE_WORDS.split()), frozenset(_ROLE_WORDS.split())
_BEFORE_PLACES = frozenset(("in", "on", "at", "from", "since", "by", "during", "for", "last"))
_ARTICLES = frozenset(("the", "a", "an", "this", "that"))
# "Ada Weir, the keeper of the lock, said": up to the next mark. In a list the next item is no apposition.
_APPOSITION = regex(
    r"(?:,? (?:Jr|Sr)\.)?, (?P<what>(?:an?|the|then|now) [^,;:.()—–?!\"“”]{3,90}\w) ?(?:[,;.)—–?!:(]|$)"
    r"(?! (?:and|or)\b)"
)
_NO_APPOSITION = regex(
    r"\b(?:said|says|told|wrote|argued?s?|held|holds|found|ruled|had|has|have|would|could|will|may|can|did"
    r"|does|was|were|is|are)\b"
    r"|\b(?:and|or) (?:an?|the|his|her|its|their|two|three|\d)"
)
_REACH = 80  # characters before a surname
_MOST_FIRST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Introduction:
    """Somebody's whole name where a text has it.

    Attributes:
        surname: What they are called elsewhere.
        name: The whole name.
        text: The name with what is said of it, word for word; empty where nothing is.
    """

    surname: str
    name: str
    text: str


def surnames_alone(text: str) -> list[str]:
    """The capitalised words of a text that stand alone, as surnames do, in order."""
    found: dict[str, None] = {}
    for each in _ALONE.finditer(text):
        before = text[max(0, each.start() - _REACH) : each.start()].split()[-1:]
        word = before[0] if before else ""
        is_begun = word[:1].isupper() and not word.endswith((".", ":", "?", "!", "”"))
        if not is_begun and word != "v." and word.lower() not in _ARTICLES:
            found[each[1]] = None
    return list(found)


def introductions(text: str, surnames: Collection[str]) -> Iterator[Introduction]:
    """The whole names in a sentence that end with one of these surnames."""
    for surname in surnames:
        place = text.find(f" {surname}")
        while place >= 0:
            end = place + 1 + len(surname)
            if not text[end : end + 1].isalnum() and text[end : end + 1] not in ("-", "’", "'"):
                made = _introduction(text, place + 1, end)
                if made is not None:
                    yield made
            place = text.find(f" {surname}", end)


def _introduction(text: str, start: int, end: int) -> Introduction | None:
    """What is said of the name whose surname stands there; ``None`` where no first name stands before it."""
    begin = first = start
    names = 0
    titled: int | None = None
    before = ""
    for word in reversed(text[max(0, start - _REACH) : start].split()):
        place = text.rfind(word, 0, begin)
        plain = word.rstrip(".,").lower()
        if plain in _TITLES or plain in _ROLES:
            # "The petitioner, Jane Mill, ..."
            if word.endswith(",") and (plain in _TITLES or text[end : end + 1] != ","):
                break
            titled = begin = place
        elif titled is None and names < _MOST_FIRST_NAMES and _FIRST_NAME.fullmatch(word):
            first = begin = place
            names += 1
        else:
            before = word
            break
    if not names:
        return None
    name = text[first:end]
    said = _APPOSITION.match(text, end)
    is_apposed = said is not None and not _NO_APPOSITION.search(said["what"])
    # "Following Booker, the policy changed", "after that, on Monday Jane Mill left": not all may be the name.
    is_open = (first == 0 and ". " not in name) or (names > 1 and before.lower() in _BEFORE_PLACES)
    is_open = is_open and titled is None
    if is_open or (titled is None and not is_apposed):
        return Introduction(text[start:end], name, "")
    closing = said.end("what") if said is not None and is_apposed else end
    return Introduction(text[start:end], name, text[first if titled is None else titled : closing])
