"""People whom an English text introduces: their whole name with what it says they are.

"respondent Jane Mill", "Ada Weir, the keeper of the lock": a text says so once, and calls them Mill and Weir
from there on. What is found is part of the text as it stands, and only where a title, a party's role or an
apposition stands beside the whole name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import is_function_word

_LETTER = r"[^\W\d_]"
_NAME = rf"[A-Z]{_LETTER}+(?:[-’'](?!s\b){_LETTER}+)*"
_FIRST_NAME = regex(rf"{_NAME}|[A-Z]\.")
# A capitalised word beside which no other stands, and no part of a citation: "Pond v. Mill, 30 U. S. 1".
_ALONE = regex(rf"(?<![\w.’'-])({_NAME})(?:['’]s?)?(?![\w’'-])(?! [A-Z]| v\.|, \d)")
_TITLE_WORDS = (
    "dr mr mrs ms prof professor sir dame lord lady rev sen senator rep gov governor president minister mayor"
    " secretary judge justice attorney general chief former deputy vice captain officer detective prime"
)
_ROLE_WORDS = (
    "petitioner respondent plaintiff defendant appellant appellee claimant petitioner-defendant"
    " defendant-petitioner plaintiff-respondent director spokesman spokeswoman founder co-founder"
    " spokesperson leader chairman chairwoman chairperson analyst economist ambassador envoy commissioner"
    " premier chancellor scientist researcher historian author journalist correspondent reporter editor coach"
    " manager executive ceo activist campaigner adviser advisor strategist lawyer prosecutor inspector"
    " superintendent sheriff sergeant lieutenant colonel commander meteorologist physicist biologist engineer"
    " architect curator bishop archbishop candidate lawmaker congressman congresswoman councillor speaker"
)
_OFFICE_WORDS = (
    "president minister secretary governor mayor chief head professor general judge deputy officer attorney"
)
# Words before a title, or at the beginning, that are of no title or name: "On Monday President Jane Mill".
_OTHER_WORDS = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july"
    " august september october november december yesterday today tomorrow meanwhile before since despite"
    " unlike while although though because where see contra also even"
)
# "Lee Jin-woo", "Wang Lu": these stand before the given name.
_SURNAMES_FIRST = (
    "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Tang"
    " Deng Feng Cao Peng Xiao Jiang Xi Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Shin"
)
_TITLES, _ROLES = frozenset(_TITLE_WORDS.split()), frozenset(_ROLE_WORDS.split())
_BEFORE_PLACES = frozenset(("in", "on", "at", "from", "since", "by", "during", "for", "last"))
# What follows these need not belong to a title: "In Berlin Chancellor Ada Weir", "told CNN President Weir".
_NO_TITLE_FOLLOWS = frozenset(("in", "on", "at", "told"))
_NO_TITLES = frozenset(_OTHER_WORDS.split())
_IS_FIRST = frozenset(_SURNAMES_FIRST.split())
# With a small letter in the middle it is a given name beside any surname.
_GIVEN = regex(r" (?!(?:Jr|Sr)\b)[A-Z][a-z]+(?P<two>-[a-z]+)?(?![\w’'-])(?! [A-Z])")
_OFFICES = frozenset((*_ROLE_WORDS.split(), *_OFFICE_WORDS.split()))
_ANY_OFFICE = "|".join(sorted(_OFFICES))
_OF_A_TITLE = regex(rf"(?:{_NAME}(?:['’]s?)?|(?:[A-Z]\.)+)")
_NO_OPENING = regex(r"\w+(?:ing|ed|ly)")
_ADDRESS = frozenset(("Mr", "Mrs", "Ms", "Miss", "Dr"))
_ARTICLES = frozenset(("the", "a", "an", "this", "that"))
# "Ada Weir, the keeper of the lock, said": up to the next mark. In a list the next item is no apposition.
_APPOSITION = regex(
    r"(?:,? (?:Jr|Sr)\.)?, (?P<what>(?:an?|the|then|now) [^,;:.()—–?!\"“”]{3,90}\w) ?"
    r"(?!\.\w)(?:[,;.)—–?!:(]|$)(?! (?:and|or)\b)"
)
# "Ada Weir, vice chairman of the lock company, said": without an article only what somebody is, and not of
# whom: "Ada Weir, his editor", "Ada Weir, whose lawyer …", "Ada Weir, according to her lawyer, …".
_OFFICE = regex(
    r", (?P<what>(?!(?:and|or|who|which|as|in|at|on|with|like|including|both|not|but|while|when|where|if)\b)"
    r"(?:(?!(?:his|her|its|their|my|our|your|whose|with|to|after|before|another|fellow)\b)"
    r"[A-Z]?[\w'’&-]+ ){0,5}?"
    rf"(?i:{_ANY_OFFICE})"
    r"(?: (?:of|at|for|to|with|and|in) [^,;:.()—–?!\"“”]{2,90}\w)?) ?(?!\.\w)(?:[,;.)—–:(]|$)"
)
_OFFICES_WITHIN = regex(rf"\b(?:{_ANY_OFFICE})\b", re.IGNORECASE)
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

    @property
    def given(self) -> str:
        """The first of the names that is not the surname."""
        return next((word for word in self.name.split() if word != self.surname), self.name)


def surnames_alone(text: str) -> list[str]:
    """The capitalised words of a text that stand alone, as surnames do, in order."""
    found: dict[str, None] = {}
    for each in _ALONE.finditer(text):
        before = text[max(0, each.start() - _REACH) : each.start()].split()[-1:]
        word = before[0] if before else ""
        is_begun = word[:1].isupper() and not word.endswith((".", ":", "?", "!", "”"))
        is_begun = is_begun and word not in _ADDRESS
        if not is_begun and word != "v." and word.lower() not in _ARTICLES:
            found[each[1]] = None
    return list(found)


def introductions(text: str, surnames: Collection[str]) -> Iterator[Introduction]:
    """The whole names in a sentence of which one of these is the surname: "Ada Weir", "Lee Jin-woo"."""
    for surname in surnames:
        place = text.find(surname)
        while place >= 0:
            end = place + len(surname)
            is_word = not text[end : end + 1].isalnum() and text[end : end + 1] not in ("-", "’", "'")
            if is_word and (not place or text[place - 1] == " "):
                made = _introduction(text, place, end)
                if made is not None:
                    yield made
            place = text.find(surname, end)


def _introduction(text: str, start: int, end: int) -> Introduction | None:
    """What is said of the name whose surname stands there; ``None`` where no first name stands beside it."""
    begin = first = start
    surname = text[start:end]
    given = _GIVEN.match(text, end)
    names = 0
    if given is not None and (given["two"] or surname in _IS_FIRST):
        end, names = given.end(), _MOST_FIRST_NAMES
    titled: int | None = None
    title = start
    before = above = ""
    for word in reversed(text[max(0, start - _REACH) : start].split()):
        if before:
            above = word
            break
        place = text.rfind(word, 0, begin)
        plain = word.rstrip(".,").lower()
        if plain in _TITLES or plain in _ROLES:
            # "The petitioner, Jane Mill, ..."
            if word.endswith(",") and (plain in _TITLES or text[end : end + 1] != ","):
                break
            titled = title = begin = place
        elif titled is not None and _may_be_of_title(word, place):
            titled = begin = place
        elif titled is None and names < _MOST_FIRST_NAMES and _FIRST_NAME.fullmatch(word):
            first = begin = place
            names += 1
        else:
            before = word
    if not names:
        return None
    name = text[first:end]
    # "The Bureau of Investigation spokesman": the name of that is cut. "Critics of the spokesman" is whole.
    is_cut = before in ("of", "for") and above[:1].isupper() and not text.startswith(above)
    if titled is not None and (is_cut or before.lower() in _NO_TITLE_FOLLOWS):
        titled = title
    if titled is not None and before in ("of", "for") and above.lower() in _OFFICES:
        # "The Minister for Justice Jane Mill" is no justice.
        return Introduction(surname, name, "")
    said = _APPOSITION.match(text, end) or _OFFICE.match(text, end)
    is_apposed = said is not None and not _NO_APPOSITION.search(said["what"])
    # "Following Booker, the policy changed", "after that, on Monday Jane Mill left": not all may be the name.
    begins = first == 0 and ". " not in name
    if begins and is_apposed and said is not None and _may_be_of_title(name.split()[0], first):
        # "Ada Weir, a professor at the port": "Following Weir, the port changed" tells no office.
        begins = _OFFICES_WITHIN.search(said["what"]) is None
    is_open = begins or (names > 1 and before.lower() in _BEFORE_PLACES)
    is_open = is_open and titled is None
    if is_open or (titled is None and not is_apposed):
        return Introduction(surname, name, "")
    closing = said.end("what") if said is not None and is_apposed else end
    return Introduction(surname, name, text[first if titled is None else titled : closing])


def _may_be_of_title(word: str, place: int) -> bool:
    """Whether a word before a title belongs to it: "India's Prime Minister", "Kremlin spokesman"."""
    if _OF_A_TITLE.fullmatch(word) is None or word.lower() in _NO_TITLES:
        return False
    return place > 0 or not (is_function_word(word.lower()) or _NO_OPENING.fullmatch(word))
