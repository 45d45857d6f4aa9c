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
from lsum_cli.methods.extract.digest import Digest, DigestPart
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.salience import closeness, dialogue, standardised
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.names import find_names
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# How many people count as the main characters, and how much those who are named less.
_CAST = 8
_LEAST_SHARE = 0.05
# A sentence for every so many words of the summary, and the words that one may have.
WORDS_PER_SENTENCE, _MOST_SENTENCES = 36, 8
# The same by chapter: fewer chapters than this are none, and one has so many sentences at most.
_LEAST_CHAPTERS, _MOST_OF_A_CHAPTER = 3, 2
# Where a story says who is in it: in this share of its words, in a sentence of so many words.
_BEGINNING, _LONGEST_OF_THE_BEGINNING, _MOST_NEW = 0.08, 65, 3
# Where it says how it ends: in its last sentences, in a passage of so many sentences and words.
_ENDING, _MOST_OF_THE_ENDING, _LONGEST_OF_THE_ENDING = 50, 3, 75
_SHORTEST, _LONGEST = 9, 40
# What counts how much, in standard deviations of salience.
_SUBJECT, _NAMED, _EVENT, _TURN, _INTRODUCES = 1.5, 0.5, 1.0, 1.8, 2.0
_GESTURE, _SUMS_UP = -1.8, 0.8
_TELLS_WHO_WORTH = 1.2
# What a sentence must be worth that is told of a chapter, and a second one of the same.
_LEAST, _MUCH = 2.0, 4.0
# What it counts to have the terms of its chapter.
_CLOSE = 1.0
# What the salience of its terms counts beside that.
_SALIENCE = 0.5
# What each word above so many costs.
_BRIEF, _A_WORD = 22, 0.04

_EVENT_WORDS = regex(
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
_TURN_WORDS = regex(
    r"\b(?:kill(?:s|ed)?|murder(?:s|ed|er)?|died|dead|death|marr(?:ies|ied|iage)|engaged"
    r"|arrest(?:ed)?|prison(?:er)?|gaol|jail|sentenced?"
    r"|escap(?:e[sd]?|ing)|st(?:ole|olen)|discovered|revealed|confess(?:ed|ion)|rescued|fought"
    r"|vanished|disappeared|inherited|in love|hated|hatred"
    r"|shot|stabbed|drowned|destroyed|captured|betrayed|ruined|promised|swore|resolved|decided"
    r"|refused|buried|grave|corpse|funeral|suicide|perished|fled|wounded|wedding|never returned"
    r"|defeated|banished|attacked)\b",
    re.IGNORECASE,
)
# A narrator who tells of much time in few words, not of one moment of a scene.
_OF_MUCH_TIME = regex(
    r"\b(?:for (?:(?:many|some|several|two|three|\w+teen) )?(?:years|months|weeks|days)"
    r"|(?:years?|months?|weeks?) (?:later|after|afterwards|ago|passed|went by|before)"
    r"|from that (?:day|time|moment|hour)|ever since|never again|at last|had (?:long|never|always)"
    r"|(?:the next|one) (?:night|day|evening|morning|afternoon|summer|winter|spring|autumn|year))\b",
    re.IGNORECASE,
)
_TELLS_WHO = regex(
    r"\b(?:was|were|is|had been|became) (?:an?|the|one|his|her|their)\b|, (?:an?|the|his|her|their"
    r"|whose|who) "
)
_DESCRIBES = regex(r"\b(?:was|were|is|had been) (?:an?|the|one)\b|, (?:an?|whose|who) ")
# What a person does while others speak, which tells nothing.
_GESTURES = regex(
    r"\b(?:smil(?:ed|ing)|nodd(?:ed|ing)|shook|laugh(?:ed|ing)|look(?:ed|ing)|glanc(?:ed|ing)|star(?:ed|ing)"
    r"|sigh(?:ed|ing)|winc(?:ed|ing)|sipp(?:ed|ing)|turned (?:round|to|away|and|his|her|the)|rose|sat"
    r"|lean(?:ed|ing)|hesitat\w+"
    r"|started(?! (?:for|from|on|to))|leap(?:ed|t)|flush\w*|frown\w*|murmur\w*|whisper\w*|cried"
    r"|exclaim\w*|blush\w*"
    r"|shrugg\w+|shudder\w*|trembl\w+|gaz(?:ed|ing)|watch(?:ed|ing)|paus(?:ed|ing)|listen\w*|stood"
    r"|got up|went over|moved round|walked (?:up and down|slowly|across|to|over|away)|poured|hurried"
    r"|passed (?:into|out|through)|pulled|drew|put (?:down|on|his|her|the)|took (?:up|his|her|the)|entered"
    r"|opened|closed|winked|caught \w+['’]s eye|leant|scrawled|stirred"
    r"|stepped|reclining|standing|sitting|lying back"
    r"|lit|threw|wiped|rubbed|tapped|pushed|stretched|lips|eyes|eyebrows|cheeks|brow"
    r"|felt as if|reply|replied|answered|said)\b"
)
_FIRST_PERSON = regex(r"\bI\b")
_PRONOUN = regex(
    r"\b(?:he|she|him|his|hers?|they|them|theirs?|it|its|this|these|those|such|there)\b", re.IGNORECASE
)
_PERSONAL = regex(r"\b(?:he|she|him|his|hers?|they|them|theirs?)\b", re.IGNORECASE)
_ARTICLE = regex(r"^The ")
_HE = regex(r"(?:Then |Suddenly |At last |And |So )?(?:[Hh]e|[Ss]he|[Tt]hey) ")
_QUOTED = regex(r"[“”\"„«»]")
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
    found = _values(candidates, _cast(document), structure, scores, eligible)
    if found is None:
        return []
    parts = _parts(candidates, document)
    places = _places(candidates, parts, min(_MOST_SENTENCES, max(1, num_words // WORDS_PER_SENTENCE)))
    values, can_be, _ = found
    return _choose(candidates, values, can_be, places, num_words, least=-np.inf)


def told_values(
    candidates: Candidates, document: Document, structure: Structure, scores: FloatArray
) -> FloatArray | None:
    """What each sentence of a story tells of it; minus infinity where it does not say what somebody does.

    ``None`` where nobody is named.
    """
    found = _values(candidates, _cast(document), structure, scores, None)
    if found is None:
        return None
    values, can_be, _ = found
    told: FloatArray = np.where(can_be, values, -np.inf)
    return told


def tell_by_chapter(
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
    num_words: int,
) -> Digest | None:
    """The story told chapter by chapter; ``None`` where nobody is named, or it has no chapters.

    The sentence of the beginning that introduces most of its people, and a passage of the end, are always
    told; between them the best of every chapter, or of several together where they are many.
    """
    division = divide(document, is_book=True, is_story=True)
    if division.kind == "neighbourhoods":
        return None
    cast = _cast(document)
    found = _values(candidates, cast, structure, scores, eligible)
    position_of = {sentence.index: place for place, sentence in enumerate(candidates.sentences)}
    chapters = [
        (part, np.array([position_of[index] for index in part.sentences if index in position_of], np.int64))
        for part in division.parts
        if not part.is_silent and part.is_headed
    ]
    chapters = [(part, rows) for part, rows in chapters if len(rows)]
    if found is None or len(chapters) < _LEAST_CHAPTERS:
        return None
    told = np.concatenate([rows for _, rows in chapters])
    frame = _frame(candidates, cast, structure, eligible, told, num_words)
    room = num_words - int(candidates.num_words[frame].sum())
    # Of a few long chapters each is told twice, of many several together once.
    wanted = max(_LEAST_CHAPTERS, room // WORDS_PER_SENTENCE)
    turns = max(1, min(_MOST_OF_A_CHAPTER, wanted // len(chapters)))
    if turns > 1:
        places = [rows for _, chapter in chapters for rows in np.array_split(chapter, turns) if len(rows)]
    else:
        groups = np.array_split(np.arange(len(chapters)), min(wanted, len(chapters)))
        places = [np.concatenate([chapters[number][1] for number in group]) for group in groups]
    values, can_be, follows = found
    close = closeness(candidates, [rows for _, rows in chapters])
    close = _CLOSE * standardised(close)
    between = can_be.copy()
    if frame:
        # Nothing beside what introduces the people, nor before how it ends.
        between[frame] = between[max(0, max(frame) - _ENDING) :] = False
    chosen = frame + _choose(
        candidates, values + close, between, places, room, (structure.before, follows + close)
    )
    return Digest(
        opening=(),
        parts=tuple(
            DigestPart(part=part, positions=positions)
            for part, rows in chapters
            if (positions := tuple(sorted(set(rows.tolist()).intersection(chosen))))
        ),
    )


def _frame(
    candidates: Candidates,
    cast: Sequence[tuple[str, ...]],
    structure: Structure,
    eligible: BoolArray | None,
    told: IntArray,
    num_words: int,
) -> list[int]:
    """The sentence that introduces most of the people, and the passage that tells how it ends.

    Args:
        cast: The forms by which each main character is called.
        told: The positions of the sentences of the story, in order.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    is_told = (dialogue(candidates) == 0) & structure.is_presentable & (candidates.num_words >= _SHORTEST - 4)
    if eligible is not None:
        is_told &= eligible
    is_told &= np.array([_QUOTED.search(text) is None and "?" not in text for text in texts], bool)
    names = [regex("|".join(rf"\b{re.escape(form)}\b" for form in forms)) for forms in cast]
    words = np.cumsum(candidates.num_words[told])
    begin = told[words <= _BEGINNING * words[-1]].tolist()
    best: tuple[float, list[int]] = (0.0, [])
    for place, row in enumerate(begin):
        text = texts[row]
        new = sum(name.search(text) is not None for name in names)
        # Stories begin in the middle: "the room" is no riddle there.
        if not (is_told[row] and structure.first_by_opening[row] == row and new):
            continue
        pronoun = _PERSONAL.search(text)
        name = min(found.start() for each in names if (found := each.search(text)))
        if pronoun is not None and pronoun.start() < name:
            continue
        if not _SHORTEST <= candidates.num_words[row] <= _LONGEST_OF_THE_BEGINNING:
            continue
        value = 0.6 * min(_MOST_NEW, new) + _TELLS_WHO_WORTH * (_DESCRIBES.search(text) is not None)
        value += 0.5 * min(1.0, _tells(text)) + 2 * (1 - place / len(begin))
        best = max(best, (value, [row]), key=lambda each: each[0])
    frame = best[1]
    best = (0.0, [])
    ending = told[-_ENDING:].tolist()
    for place, row in enumerate(ending):
        opening = _ARTICLE.sub("", texts[row])
        is_opening = structure.stands_alone[row] or any(name.match(opening) for name in names)
        for length in range(1, _MOST_OF_THE_ENDING + 1):
            passage = ending[place : place + length]
            if not (is_opening and is_told[passage].all()) or len(passage) < length:
                break
            cost = int(candidates.num_words[passage].sum())
            if cost > _LONGEST_OF_THE_ENDING or candidates.section[passage[-1]] != candidates.section[row]:
                break
            text = " ".join(texts[each] for each in passage)
            value = _tells(text) + 0.5 * any(name.search(text) for name in names)
            value += 2 * (place + length) / len(ending) + 0.3 * (length - 1)
            value -= 2 * (cost < _SHORTEST)
            best = max(best, (value, passage), key=lambda each: each[0])
    frame = sorted({*frame, *best[1]})
    return frame if int(candidates.num_words[frame].sum()) <= num_words // 2 else []


def _values(
    candidates: Candidates,
    cast: Sequence[tuple[str, ...]],
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
) -> tuple[FloatArray, BoolArray, FloatArray] | None:
    """What each sentence tells, which can be quoted, and what it tells with the one before it.

    ``None`` where nobody is named; minus infinity where a sentence does not go on with what somebody does.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    told = dialogue(candidates) == 0
    is_first_person = np.mean([_FIRST_PERSON.search(text) is not None for text in texts]) > _MUCH_FIRST_PERSON
    if not cast and not is_first_person:
        return None
    patterns = [regex(rf"\b{re.escape(name)}\b") for names in cast for name in names]
    named = regex("|".join(pattern.pattern for pattern in patterns)) if patterns else None
    values = _SALIENCE * standardised(scores)
    can_be = structure.stands_alone & told
    can_be &= (candidates.num_words >= _SHORTEST) & (candidates.num_words <= _LONGEST)
    can_be &= np.array([_QUOTED.search(text) is None and "?" not in text for text in texts], bool)
    if eligible is not None:
        can_be &= eligible
    fits = can_be.copy()
    fits_after = structure.is_presentable & told & (candidates.num_words >= _SHORTEST)
    fits_after &= (candidates.num_words <= _LONGEST) & (eligible if eligible is not None else True)
    follows = np.full(len(candidates), -np.inf)
    is_subject_of = np.zeros(len(candidates), bool)
    introduced: set[str] = set()
    introduces = np.zeros(len(candidates), bool)
    for position, text in enumerate(texts):
        found = set(named.findall(text)) if named else set()
        subject = " ".join(text.split()[:6])
        is_subject = bool(found) and named is not None and named.search(subject) is not None
        if is_first_person and _FIRST_PERSON.search(subject):
            is_subject = True
        before = int(structure.before[position])
        if fits_after[position] and before >= 0 and _HE.match(text) and not _QUOTED.search(text):
            # "He seized the knife": with the sentence that says who.
            length = int(candidates.num_words[[before, position]].sum())
            if can_be[before] and fits[before] and is_subject_of[before] and length <= _LONGEST:
                follows[position] = 0.5 * values[before] + _tells(text) - _A_WORD * max(0, length - _BRIEF)
        if not found and not is_subject:
            can_be[position] = False
            continue
        is_subject_of[position] = is_subject
        values[position] += _SUBJECT * is_subject + _NAMED * min(2, max(0, len(found) - 1))
        values[position] += _tells(text)
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
    return values, can_be, follows


def _tells(text: str) -> float:
    """How much a sentence tells of what happens."""
    return (
        _EVENT * min(2, len(_EVENT_WORDS.findall(text))) / 2
        + _TURN * min(2, len(_TURN_WORDS.findall(text)))
        + _SUMS_UP * (_OF_MUCH_TIME.search(text) is not None)
        + _GESTURE * (_GESTURES.search(text) is not None)
    )


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
    candidates: Candidates,
    values: FloatArray,
    can_be: BoolArray,
    places: Sequence[IntArray],
    num_words: int,
    going_on: tuple[IntArray, FloatArray] | None = None,
    least: float = _LEAST,
) -> list[int]:
    """The best sentence of each place, each of another wording; a second one where it tells much.

    Args:
        going_on: For each sentence the one before it, and what both tell together.
        least: What a sentence must be worth.
    """
    chosen: list[int] = []
    held = np.zeros(candidates.terms.num_terms, bool)
    room = num_words
    options: list[tuple[float, int, tuple[int, ...]]] = []
    for number, rows in enumerate(places):
        options += [(float(values[row]), number, (row,)) for row in rows.tolist() if can_be[row]]
        if going_on is not None:
            before, follows = going_on
            options += [
                (float(follows[row]), number, (int(before[row]), row))
                for row in rows.tolist()
                if np.isfinite(follows[row]) and before[row] in rows
            ]
    options = sorted(options, key=lambda each: -each[0])
    taken = [0] * len(places)
    for most, worth in ((1, least), (2, max(least, _MUCH)), (1, -np.inf)):
        if not np.isfinite(worth) and 2 * room < num_words:
            # What tells little is better than nothing.
            break
        for value, number, passage in options:
            if taken[number] >= most or value < worth or not set(passage).isdisjoint(chosen):
                continue
            columns = np.concatenate([candidates.terms.columns[candidates.terms.row(row)] for row in passage])
            cost = int(candidates.num_words[list(passage)].sum())
            repeats = len(columns) > 0 and held[columns].mean() > 0.6
            if not repeats and cost <= room:
                chosen += passage
                held[columns] = True
                room -= cost
                taken[number] += 1
    return sorted(set(chosen))


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
