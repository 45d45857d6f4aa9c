"""Which sentences of a story tell most of it: who is in it, what is done and suffered, from its beginning on.

Scenery and talk have the terms of a book as often as its events have. Its people are named; a sentence that
tells what one of them does, best of all something that cannot be undone, says more of the story.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.salience import dialogue
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.names import find_names
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# How many people count as the main characters, and how much those who are named less.
_CAST = 8
_LEAST_SHARE = 0.05
# A sentence for every so many words of the summary, and the words that one may have.
WORDS_PER_SENTENCE, _MOST_SENTENCES = 36, 8
_SHORTEST, _LONGEST = 9, 40
# What counts how much, in standard deviations of salience.
_SUBJECT, _NAMED, _EVENT, _TURN, _INTRODUCES = 1.5, 0.5, 1.0, 1.8, 2.0
# What the salience of its terms counts beside that.
_SALIENCE = 0.5
# What each word above so many costs.
_BRIEF, _A_WORD = 22, 0.04

_EVENT_WORDS = re.compile(
    r"\b(?:kill(?:s|ed)?|murder(?:s|ed|er)?|die[sd]?|dead|death|marr(?:y|ies|ied|iage)|wedding"
    r"|engaged|betrothed|arrest(?:ed)?|prison(?:er)?"
    r"|gaol|jail|trial|sentenced?|escap(?:e[sd]?|ing)|fle[ed]|fled|st(?:ole|eal|olen)|rob(?:bed)?"
    r"|discover(?:s|ed|y)?|reveal(?:s|ed)?|confess(?:es|ed|ion)?"
    r"|decid(?:es?|ed)|resolv(?:es?|ed)|determined|promis(?:es?|ed)|swore|vow(?:ed)?|refus(?:es?"
    r"|ed)|rescu(?:es?|ed)|saved?|fought|fights?|attack(?:ed)?"
    r"|lost|vanish(?:ed)?|disappear(?:ed)?|inherit(?:ed|ance)?|in love|lov(?:es|ed)|hated"
    r"|return(?:s|ed)|left for|set out|arriv(?:es?|ed)|born"
    r"|wounded|shot|stabbed|drowned|destroy(?:s|ed)|burn(?:ed|t)|wreck(?:ed)?|captur(?:es?|ed)"
    r"|defeat(?:ed)?|betray(?:s|ed)|forgave|forgiven"
    r"|send(?:s)? for|sent (?:for|away)|persuad(?:es?|ed)|learn(?:s|ed|t) that|told|found|finds"
    r"|became|become|inherited|accused|suspect(?:ed|s)?"
    r"|secret|crime|guilty|ruin(?:ed)?|money|fortune|letter|war|battle|king|duel|ship|journey"
    r"|voyage|home)\b",
    re.IGNORECASE,
)
_TURN_WORDS = re.compile(
    r"\b(?:kill(?:s|ed)?|murder(?:s|ed|er)?|died|dead|death|marr(?:ies|ied|iage)|engaged"
    r"|arrest(?:ed)?|prison(?:er)?|gaol|jail|sentenced?"
    r"|escap(?:e[sd]?|ing)|st(?:ole|olen)|discovered|revealed|confess(?:ed|ion)|rescued|fought"
    r"|vanished|disappeared|inherited|in love|hated|hatred"
    r"|shot|stabbed|drowned|destroyed|captured|betrayed|ruined|promised|swore|resolved|decided"
    r"|refused)\b",
    re.IGNORECASE,
)
_TELLS_WHO = re.compile(
    r"\b(?:was|were|is|had been|became) (?:an?|the|one|his|her|their)\b|, (?:an?|the|his|her|their"
    r"|whose|who) "
)
_FIRST_PERSON = re.compile(r"\bI\b")
_PRONOUN = re.compile(
    r"\b(?:he|she|him|his|hers?|they|them|theirs?|it|its|this|these|those|such|there)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"[“”\"„«»]")
_MUCH_FIRST_PERSON = 0.25


def tell(
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
    num_words: int,
) -> list[int]:
    """The positions of the sentences that tell a story in so many words; none where nobody is named.

    Each part of the book, a chapter or several short ones, has a sentence for every
    :data:`WORDS_PER_SENTENCE` words that are its share; the first has the main characters' introductions.
    """
    cast = _cast(document)
    texts = [sentence.text for sentence in candidates.sentences]
    told = dialogue(candidates) == 0
    is_first_person = np.mean([_FIRST_PERSON.search(text) is not None for text in texts]) > _MUCH_FIRST_PERSON
    if not cast and not is_first_person:
        return []
    patterns = [re.compile(rf"\b{re.escape(name)}\b") for names in cast for name in names]
    named = re.compile("|".join(pattern.pattern for pattern in patterns)) if patterns else None
    values = _SALIENCE * (scores - scores.mean()) / max(1e-9, float(scores.std()))
    can_be = structure.stands_alone & told
    can_be &= (candidates.num_words >= _SHORTEST) & (candidates.num_words <= _LONGEST)
    can_be &= np.array([_QUOTED.search(text) is None and "?" not in text for text in texts], bool)
    if eligible is not None:
        can_be &= eligible
    introduced: set[str] = set()
    introduces = np.zeros(len(candidates), bool)
    for position, text in enumerate(texts):
        found = set(named.findall(text)) if named else set()
        subject = " ".join(text.split()[:6])
        is_subject = bool(found) and named is not None and named.search(subject) is not None
        if is_first_person and _FIRST_PERSON.search(subject):
            is_subject = True
        if not found and not is_subject:
            can_be[position] = False
            continue
        values[position] += _SUBJECT * is_subject + _NAMED * min(2, max(0, len(found) - 1))
        values[position] += _EVENT * min(2, len(_EVENT_WORDS.findall(text))) / 2
        values[position] += _TURN * min(2, len(_TURN_WORDS.findall(text)))
        values[position] -= _A_WORD * max(0, int(candidates.num_words[position]) - _BRIEF)
        if not is_first_person and named is not None:
            pronoun, name = _PRONOUN.search(text), named.search(text)
            if pronoun is not None and (name is None or pronoun.start() < name.start()):
                can_be[position] = False
        new = found - introduced
        if can_be[position] and new and is_subject and _TELLS_WHO.search(text):
            introduces[position] = True
            introduced |= new
    values += _INTRODUCES * introduces
    return _choose(candidates, values, can_be, _parts(candidates, document), num_words)


def _cast(document: Document) -> list[tuple[str, ...]]:
    """The forms by which the main characters are called."""
    people = find_names([sentence.text for sentence in document.sentences]).people[:_CAST]
    if not people:
        return []
    least = _LEAST_SHARE * people[0].count
    return [tuple({person.text, person.text.split()[-1]}) for person in people if person.count >= least]


def _parts(candidates: Candidates, document: Document) -> IntArray:
    """The chapter of each sentence; -1 for front and back matter."""
    division = divide(document, is_book=True, is_story=True)
    part_of = {
        index: -1 if part.is_silent else number
        for number, part in enumerate(division.parts)
        for index in part.sentences
    }
    return np.array([part_of.get(sentence.index, -1) for sentence in candidates.sentences], np.int64)


def _choose(
    candidates: Candidates, values: FloatArray, can_be: BoolArray, parts: IntArray, num_words: int
) -> list[int]:
    """The best sentences of evenly spread places, each of another wording."""
    places = _places(candidates, parts, min(_MOST_SENTENCES, max(1, num_words // WORDS_PER_SENTENCE)))
    chosen: list[int] = []
    held = np.zeros(candidates.terms.num_terms, bool)
    room = num_words
    for rows in places:
        for position in rows[np.argsort(-values[rows], kind="stable")].tolist():
            columns = candidates.terms.columns[candidates.terms.row(position)]
            repeats = len(columns) > 0 and held[columns].mean() > 0.6
            if can_be[position] and not repeats and candidates.num_words[position] <= room:
                chosen.append(position)
                held[columns] = True
                room -= int(candidates.num_words[position])
                break
    return sorted(chosen)


def _places(candidates: Candidates, parts: IntArray, count: int) -> Sequence[IntArray]:
    """The book in so many places of equal length, the first chapter in places half as long."""
    rows = np.flatnonzero(parts >= 0)
    if not len(rows):
        rows = np.arange(len(candidates))
    words = np.cumsum(candidates.num_words[rows])
    # The beginning tells who and where: it weighs double.
    weight = np.where(words <= 0.08 * words[-1], 2.0, 1.0) * candidates.num_words[rows]
    place = np.minimum(count - 1, (count * np.cumsum(weight) / weight.sum()).astype(np.int64))
    return [rows[place == number] for number in range(count) if (place == number).any()]
