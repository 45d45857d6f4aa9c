"""What a sentence takes as known: abbreviations, people and things that the document introduces elsewhere.

"The two samples", "ONCD", "Wheetley" and "he" say little to a reader who has not met them. The document says
where they are met: in the sentence that spells the abbreviation out, gives the whole name, or speaks of "a
sample" first. A summary that quotes the one without the other cannot be understood. Rules of English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, IntArray, is_function_word, split_terms

# How far back a thing may have been introduced for "the" to point at it: sentences.
_REACH = 12
# What is a subject of the text is named in so many of its sentences.
_LEAST_THROUGHOUT, _SHARE_THROUGHOUT = 5, 0.2
# Whom or what a sentence speaks of stands among so many words.
_WORDS_OF_A_SUBJECT, _NO_LETTERS = 3, regex(r"[^\w-]+")
# What an unexplained mention costs a sentence.
_ABBREVIATION, _NAME, _THING = 0.6, 0.8, 0.5

_SPELLED_OUT = regex(
    r"\((?:the |or )?[“\"']?([A-Z][A-Za-z]?[A-Z][A-Za-z0-9-]{0,7}?)s?[”\"']?(?:[;,] [^()]{1,40})?\)"
)
# "the Sex Offender Registration and Notification Act (Act)", "each of the lakes (the “Lakes”)"
_DEFINED = regex(
    r"\b(?P<last>[A-Z][a-z]{2,}) \((?:the |this |hereinafter )?(?P=last)\)"
    r"|\((?:the |this |hereinafter,? (?:the )?"
    r"|collectively,? (?:the )?)?[“\"](?P<quoted>[A-Z][a-z]{2,}(?: [A-Z][a-z]+)?)[”\"]\)"
)
_ABBREVIATED = regex(r"([A-Z](?<!\w[A-Z])[A-Za-z]?[A-Z][A-Za-z0-9-]{0,7}?)s?\b")
# "McLaren", "O’Neill", "Páez", "Ing-wen".
_REST_OF_A_NAME = r"(?:(?:a?c|['’])[A-Z])?[a-zß-öø-ÿ]+(?:-[A-ZÀ-ÖØ-Þa-z][a-zß-öø-ÿ]+)?"
_NAME_WORD = rf"[A-ZÀ-ÖØ-Þ]{_REST_OF_A_NAME}"
# These begin with what stands before a word, so that they are tried only there.
_WHOLE_NAME = regex(
    r"[ (“\"](?<![.!?] )(?!The |In |A |This |Justice |Judge |University |Supreme |United )"
    rf"(?P<first>{_NAME_WORD}|(?!U\.)[A-Z]\.(?: ?[A-Z]\.)?)(?: [A-Z]\.)?(?: [“\"‘][A-Z][a-z]+[”\"’])? "
    r"(?:(?:de|van|von|der|la) )?"
    rf"(?P<last>(?![A-Z][a-z]+day\b){_NAME_WORD})"
    # "Officer William Porter": the last of them.
    r"(?=[ ,.;:’')])(?! (?!Jr|Sr)[A-ZÀ-ÖØ-Þ][a-z])"
)
# This one with the space before a capital: there are fewer.
_NO_PERSON = regex(
    r" (?=[A-Z])(?:(?<=\W[Tt]he )|(?<=\W[Tt]his )|(?<=\W[Ii]n )|(?<=\W[Aa] )|(?<=\W[Oo]ur ))"
    r"((?:[A-Z][a-z]+ )*[A-Z][a-z]{2,})"
)
# After one of these a surname stands alone.
_ENDS_A_PHRASE = (",", ";", ":", ")")
# These say nothing of who somebody is.
_FORMS_OF_ADDRESS = frozenset(("Mr.", "Mr", "Mrs.", "Mrs", "Ms.", "Ms", "Miss", "Mx.", "Mx", "Dr.", "Dr"))
_SURNAME = regex(rf"([A-ZÀ-ÖØ-Þ](?<![\w’'.-].){_REST_OF_A_NAME})(?:['’]s)?(?![\w-])")
# "a new report", "the narrow exception was": some words, and the one after them; another phrase may begin
# within.
_PHRASE = r"(?=(?P<words>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3})\b(?: (?P<after>[a-z]+)\b)?)"
_INTRODUCED = regex(
    r"\W(?:[Aa]n?|[Aa]nother|[Oo]ne|[Tt](?:wo|hree)|[Ff](?:our|ive)|[Ss](?:ix|even|everal|ome)|[Nn]ew"
    rf"|[Ee](?:ach|very)) {_PHRASE}"
)
_DEFINITE = regex(rf"[Tt](?<!\w[Tt])he {_PHRASE}")
_SHORTEST_THING = 4  # letters
# A verb or adverb after the thing: "the crowd cheered"; but "a newly painted boat".
_ENDS_A_NAME = ("ed", "ly")
# What comes after these says which thing is meant: "the report of May".
_SAYS_WHICH_TEXT = "of that which who whose for to in on between from at by with"
_SAYS_WHICH = frozenset(_SAYS_WHICH_TEXT.split())

# "The city was dark": which one the sentence before it says, where no other has spoken of a city.
_NEW_THING = regex(
    r"The (?!(?:answer|army|author|authorities|bible|church|climate|congress|constitution|country|court"
    r"|dollar|earth|economy|environment|euro|future|government|internet|king|latter|law|majority|media"
    r"|military|moon|nation|navy|ocean|parliament|people|planet|police|poor|pope|pound|present|president"
    r"|press|public|queen|reader|rest|rich|senate|state|truth|universe|user|users|weather|west|world"
    r"|young)\b)(?P<thing>[a-z]{4,})(?<!ing)(?<!ly)"
    r"(?=, (?:along|who|which|where|in|at|on|with|based|known|owned|founded|led|made|an?|the)\b"
    r"| (?:is|are|was|were|has|have|had|will|would|can|could|may|might|also|now|then|came|went|took|made"
    r"|began|left|won|lost|got|gave|led|met|ran|rose|fell|saw|told|found|held|kept|said|says)\b"
    r"| (?!this\b)[a-z]{2,}(?:ed|[^\Ws]s)"
    r" (?:the|an?|that|its|his|her|their|to|it|in|on|at|by|from|for|as|with|out|up|down|back|how|what)\b)"
)
# What of a word another form of it has too: "city", "cities".
_LETTERS_OF_A_STEM, _LETTERS_OF_AN_ENDING = 4, 2
_LONG_WORD = regex(rf"\w{{{_LETTERS_OF_A_STEM},}}")


@dataclass(frozen=True, eq=False, kw_only=True)
class Mentions:
    """What the sentences take as known.

    Attributes:
        needs: For each sentence what it takes as known, with what it costs unexplained.
        gives: For each sentence what it makes known.
        needing: For each thing the sentences that take it as known.
        people: For each sentence the surnames among what it takes as known, with the sentence that has the
            whole name; the abbreviations that run through the text; and what it begins with: "The report".
        subject: For each sentence the one that introduces which of them stands at its beginning.
    """

    needs: tuple[Mapping[str, float], ...]
    gives: tuple[frozenset[str], ...]
    needing: Mapping[str, Sequence[int]]
    people: tuple[Mapping[str, int], ...]
    subject: tuple[int | None, ...]

    @classmethod
    def none(cls, count: int) -> Mentions:
        """Of sentences of which nothing is known."""
        return cls(
            needs=({},) * count,
            gives=(frozenset(),) * count,
            needing={},
            people=({},) * count,
            subject=(None,) * count,
        )

    @classmethod
    def of(cls, texts: Sequence[str], titles: Sequence[str], section: IntArray) -> Mentions:
        """Find the mentions of an English source.

        Args:
            texts: The sentences in order.
            titles: The title of the document of each.
            section: Number of the section of each.
        """
        introduced = _Introductions.of(texts)
        in_title = {title: {stem(term) for term in split_terms(title)} for title in {*titles}}
        needs: list[dict[str, float]] = []
        gives: list[frozenset[str]] = []
        people: list[dict[str, int]] = []
        recent: dict[str, int] = {}
        begun = -1
        for number, text in enumerate(texts):
            if section[number] != begun:
                begun = int(section[number])
                recent = {}
            wanted, given = introduced.names_in(text, number, titles[number])
            things: dict[str, int] = {}
            for found in _DEFINITE.finditer(text):
                thing, after = _thing(found)
                at = recent.get(thing)
                if at is None or not number - _REACH <= at < number or thing in in_title[titles[number]]:
                    continue
                if after not in _SAYS_WHICH:
                    wanted["the " + thing] = _THING
                    if not found.start():
                        things["the " + thing] = at
            for found in _INTRODUCED.finditer(f" {text}"):
                thing, _ = _thing(found)
                if thing:
                    recent[thing] = number
                    given.add("the " + thing)
            needs.append(wanted)
            people.append(
                {name: introduced.whole[name] for name in wanted if name in introduced.whole} | things
            )
            gives.append(frozenset(given.union(wanted)))
        needing: dict[str, list[int]] = {}
        for number, wanted in enumerate(needs):
            for name in wanted:
                needing.setdefault(name, []).append(number)
        for name, at in introduced.spelled.items():
            places = needing.get(name, ())
            if len(places) >= max(_LEAST_THROUGHOUT, _SHARE_THROUGHOUT * len(texts)):
                for place in places:
                    people[place][name] = at
        return cls(
            needs=tuple(needs),
            gives=tuple(gives),
            needing=needing,
            people=tuple(people),
            subject=tuple(map(_subject, texts, people)),
        )


@dataclass(frozen=True, eq=False, slots=True)
class _Introductions:
    """The first sentence that spells an abbreviation out, has a whole name, or defines a term."""

    spelled: Mapping[str, int]
    whole: Mapping[str, int]
    defined: Mapping[str, int]

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Introductions:
        spelled: dict[str, int] = {}
        whole: dict[str, int] = {}
        defined: dict[str, int] = {}
        words = set().union(*map(str.split, texts))
        for number, text in enumerate(texts):
            if "(" in text:
                for found in _SPELLED_OUT.finditer(text):
                    spelled.setdefault(found[1], number)
                for found in _DEFINED.finditer(text):
                    defined.setdefault(found["last"] or found["quoted"], number)
            for found in _WHOLE_NAME.finditer(text):
                whole.setdefault(found["last"], number)
            # "Many Republicans" begins with a word that is no part of a name.
            opening = _WHOLE_NAME.match(f" {text}")
            if opening is not None and opening["first"].lower() not in words:
                whole.setdefault(opening["last"], number)
        return cls(spelled, _only_people(whole, texts), defined)

    def names_in(self, text: str, number: int, title: str) -> tuple[dict[str, float], set[str]]:
        """The names that a sentence takes as known, with what each costs, and those that it makes known."""
        wanted: dict[str, float] = {}
        given: set[str] = set()
        for found in _ABBREVIATED.finditer(text) if self.spelled else ():
            name = found[1]
            at = self.spelled.get(name)
            if at is None or at > number or name in title:
                continue
            given.add(name)
            if at < number:
                wanted[name] = _ABBREVIATION
        for name, at in self.defined.items():
            # "Act", and not "Actors".
            if at <= number and name in text and name not in title and re.search(rf"\b{name}\b", text):
                given.add(name)
                if at < number:
                    wanted[name] = _ABBREVIATION
        for found in _SURNAME.finditer(text) if self.whole else ():
            name = found[1]
            at = self.whole.get(name)
            if at is None or name in title:
                continue
            if at == number or _names_in_full(text, found.start()):
                given.add(name)
                wanted.pop(name, None)
            elif at < number and name not in given:
                wanted[name] = _NAME
        return wanted, given


def _subject(text: str, people: Mapping[str, int]) -> int | None:
    """The sentence that introduces what stands among the first words of a text."""
    if not people:
        return None
    begins = _NO_LETTERS.split(" ".join(text.split()[:_WORDS_OF_A_SUBJECT]))
    return next((at for name, at in people.items() if name in begins or name.startswith("the ")), None)


def _only_people(whole: Mapping[str, int], texts: Sequence[str]) -> Mapping[str, int]:
    """The whole names without those of things and places: "the Service", "in California"."""
    if not whole:
        return whole
    others = {name for text in texts for names in _NO_PERSON.findall(f" {text}") for name in names.split()}
    return {
        name: at for name, at in whole.items() if name not in others and not is_function_word(name.lower())
    }


def names_new_thing(texts: Sequence[str], titles: Sequence[str], headings: Sequence[str]) -> BoolArray:
    """Whether each sentence begins with "the" and a noun that no title, heading or sentence has before it.

    Args:
        texts: The sentences in order.
        titles: The title of the document of each.
        headings: The heading of the section of each; empty where there is none.
    """
    found = {number: match["thing"] for number, text in enumerate(texts) if (match := _NEW_THING.match(text))}
    is_new = np.zeros(len(texts), bool)
    if not found:
        return is_new
    stems = {
        thing: thing[: max(_LETTERS_OF_A_STEM, len(thing) - _LETTERS_OF_AN_ENDING)]
        for thing in found.values()
    }
    known = {*stems.values()}
    lengths = sorted({*map(len, known)}, reverse=True)
    words: set[str] = set()
    said: set[str] = set()

    def say(text: str) -> None:
        fresh = {*_LONG_WORD.findall(text.lower())} - words
        words.update(fresh)
        for word in fresh:
            said.update(next(((word[:n],) for n in lengths if word[:n] in known), ()))

    above: tuple[str, str] | None = None
    for number, text in enumerate(texts):
        if (titles[number], headings[number]) != above:
            above = titles[number], headings[number]
            say(" ".join(above))
        is_new[number] = number in found and stems[found[number]] not in said
        say(text)
    return is_new


def _thing(found: re.Match[str]) -> tuple[str, str]:
    """The thing that a phrase names, by its stem, and the word after it; empty where it names none."""
    words = found["words"].split()
    count = 0
    while count < len(words) and not is_function_word(stem(words[count])):
        if count and words[count].endswith(_ENDS_A_NAME) and not words[count - 1].endswith("ly"):
            break
        count += 1
    if not count or len(words[count - 1]) < _SHORTEST_THING:
        return "", ""
    return stem(words[count - 1]), words[count] if count < len(words) else found["after"] or ""


def _names_in_full(text: str, start: int) -> bool:
    """Whether a first name, or a title that says what somebody is, stands before a surname."""
    before = text[:start].split()[-1:]
    return (
        bool(before)
        and before[0][:1].isupper()
        # "On the ferry to Weirton, Marsh said …"
        and not before[0].endswith(_ENDS_A_PHRASE)
        and before[0] not in _FORMS_OF_ADDRESS
        and not is_function_word(before[0].lower())
    )
