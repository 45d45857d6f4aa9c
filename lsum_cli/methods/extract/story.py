"""Which sentences summarise a story: who is in it, what is done and suffered, from its beginning on.

Scenery and dialogue have the terms of a book as often as its events have, so that salience alone does not
find what happens; :mod:`~lsum_cli.methods.extract.story_scores` does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.digest import Digest, DigestPart
from lsum_cli.methods.extract.division import Part, divide, lists_the_cast
from lsum_cli.methods.extract.ranking.salience import closeness, dialogue, standardised
from lsum_cli.methods.extract.story_scores import (
    PERSONAL_PRONOUN,
    SHORTEST,
    event_score,
    is_narrated,
    main_characters,
    story_scores,
)
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# A sentence for every so many words of the summary, and the words that one may have.
WORDS_PER_SENTENCE, _MOST_SENTENCES = 36, 8
# The same by chapter: fewer chapters than this are none, and one has so many sentences at most.
_LEAST_CHAPTERS, _MOST_OF_A_CHAPTER = 3, 2
# More chapters than this of which most have only numbers stand several under one heading, with so many
# sentences under each.
_MOST_NUMBERED, _LEAST_NUMBERED, _SENTENCES_OF_A_STRETCH = 5, 0.75, 4
# Where a story says who is in it: in this share of its words, in a sentence of so many words.
_BEGINNING, _LONGEST_OF_THE_BEGINNING, _MOST_NEW = 0.08, 65, 3
_LEAST_BEGINNING = 5  # sentences
# Where it says how it ends: in its last sentences, in a passage of so many sentences and words.
_ENDING, _MOST_OF_THE_ENDING, _LONGEST_OF_THE_ENDING = 50, 3, 75
_SHARE_OF_ENDING, _LEAST_ENDING = 0.15, 5
# The share of the words that the list of the characters of a play may have, and the words of a line of it.
_MOST_OF_CAST, _LONGEST_OF_CAST = 0.5, 30
# The share of the words that both may take.
_MOST_OF_FRAME = 0.6
# What it adds to an introduction that it says who somebody is, and that it names the main character.
_DESCRIPTION, _MAIN = 1.2, 0.8
# The same where the main character has a surname there: a story has it where it introduces somebody.
_FULL_NAME = 1.0
_SURNAME = regex(r" [A-Z][a-z]+")
# The least score of a sentence that is quoted of a chapter, and of a second one of the same.
_LEAST, _MUCH = 1.0, 3.5
# What having the terms of its chapter adds to a score.
_CLOSE, _LEAST_CLOSE, _MOST_CLOSE = 1.0, -0.5, 1.5
_DESCRIBES = regex(r"\b(?:was|were|is|had been) (?:an?|the|one)\b|, (?:an?|whose|who) ")
_ARTICLE = regex(r"^The ")
# "HELENA, his wife": a line of a list of characters.
_SAYS_WHO = regex(r"[A-Z].*?[\s,][a-z]{2,}")
# What is asked of any story.
_STORY = r"(?:it|this|(?:the|this) (?:story|book|novel|play|tale))"
_ASKS_END = regex(
    rf"how (?:does|did|will) {_STORY} (?:all )?(?:end|finish|turn out)|(?:what is )?(?:the )?end(?:ing)?"
    rf"(?: of {_STORY})?|what happens (?:at|in) the end(?: of {_STORY})?|how {_STORY} ends",
    re.IGNORECASE,
)
_ASKS_WHO = regex(
    r"(?:who (?:are|is) )?(?:the )?(?:main |central |leading |most important )?"
    rf"(?:characters?|protagonists?|hero(?:es)?|people)(?: (?:in|of) {_STORY})?|who is in {_STORY}",
    re.IGNORECASE,
)
# "XII", "CHAPTER 4", "Epilogue": a heading that tells nothing.
NUMBERED = regex(
    r"(?:[^\W\d_]+ )?(?:\d{1,3}|[ivxlc]{1,8})\.?|(?:the )?(?:prologue|epilogue|conclusion)\.?", re.IGNORECASE
)


def select_story(
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
    num_words: int,
) -> list[int]:
    """The positions of the sentences that summarise a story in so many words; none where nobody is named.

    Each part of the book, a chapter or several short ones, has a sentence for every
    :data:`WORDS_PER_SENTENCE` words that are its share; the first has the main characters' introductions.
    """
    cast = main_characters(document)
    found = story_scores(candidates, cast, structure, scores, eligible)
    if found is None:
        return []
    parts = _parts(candidates, document)
    rows = np.flatnonzero(parts >= 0)
    rows = rows if len(rows) else np.arange(len(candidates))
    frame = _frame(candidates, cast, structure, eligible, rows, num_words)
    between = _between(frame, rows, len(candidates))
    budget = num_words - int(candidates.num_words[frame].sum())
    places = _places(candidates, rows, min(_MOST_SENTENCES, max(1, budget // WORDS_PER_SENTENCE)))
    follows = np.where(between, found.follows, -np.inf)
    deeds = (found.named_by, follows)
    chosen = _choose(candidates, found.alone, found.can_be & between, places, budget, deeds, least=-np.inf)
    return sorted(frame + chosen)


def story_digest(
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
    num_words: int,
) -> Digest | None:
    """The digest of a story, chapter by chapter; ``None`` where nobody is named, or it has no chapters.

    It has the sentence of the beginning that introduces most of the characters, a passage of the end, and of
    a play its list of characters; between them the best of every chapter, or of several together where they
    are many.
    """
    division = divide(document, is_book=True, is_story=True)
    if division.kind == "neighbourhoods":
        return None
    cast = main_characters(document)
    found = story_scores(candidates, cast, structure, scores, eligible)
    position_of = {sentence.index: place for place, sentence in enumerate(candidates.sentences)}
    chapters = [
        (part, np.array([position_of[index] for index in part.sentences if index in position_of], np.int64))
        for part in division.parts
        if not part.is_silent and part.is_headed and not lists_the_cast(part)
    ]
    chapters = [(part, rows) for part, rows in chapters if len(rows)]
    if found is None or len(chapters) < _LEAST_CHAPTERS:
        return None
    characters = _list_of_characters(candidates, division.parts, position_of, num_words)
    story = np.concatenate([rows for _, rows in chapters])
    num_words -= sum(int(candidates.num_words[list(each.positions)].sum()) for each in characters)
    frame = _frame(candidates, cast, structure, eligible, story, num_words)
    budget = num_words - int(candidates.num_words[frame].sum())
    # Of a few long chapters each is quoted twice, of many several together once.
    wanted = max(_LEAST_CHAPTERS, budget // WORDS_PER_SENTENCE)
    turns = max(1, min(_MOST_OF_A_CHAPTER, wanted // len(chapters)))
    if turns > 1:
        places = [rows for _, chapter in chapters for rows in np.array_split(chapter, turns) if len(rows)]
    else:
        groups = np.array_split(np.arange(len(chapters)), min(wanted, len(chapters)))
        places = [np.concatenate([chapters[number][1] for number in group]) for group in groups]
    close = closeness(candidates, [rows for _, rows in chapters])
    # What happens once has words of its own.
    close = _CLOSE * np.clip(standardised(close), _LEAST_CLOSE, _MOST_CLOSE)
    between = _between(frame, story, len(candidates))
    follows = np.where(between, found.follows + close, -np.inf)
    chosen = frame + _choose(
        candidates, found.alone + close, found.can_be & between, places, budget, (found.named_by, follows)
    )
    quoted = [tuple(sorted(set(rows.tolist()).intersection(chosen))) for _, rows in chapters]
    numbered = sum(NUMBERED.fullmatch(part.heading) is not None for part, _ in chapters)
    if len(chapters) > _MOST_NUMBERED and numbered > _LEAST_NUMBERED * len(chapters):
        count = max(_LEAST_CHAPTERS, round(sum(map(len, quoted)) / _SENTENCES_OF_A_STRETCH))
        # The scenes of an act, which have its heading, stay together.
        named = [list(same) for _, same in groupby(range(len(chapters)), lambda at: chapters[at][0].heading)]
        split = np.array_split(np.arange(len(named)), min(count, len(named)))
        stretches = [[at for number in numbers for at in named[number]] for numbers in split]
    else:
        stretches = [[number] for number in range(len(chapters))]
    return Digest(
        opening=(),
        parts=tuple(characters)
        + tuple(
            DigestPart(part=_stretch([chapters[number][0] for number in stretch]), positions=positions)
            for stretch in stretches
            if (positions := tuple(position for number in stretch for position in quoted[number]))
        ),
    )


def asks_who_is_in_it(focus: str) -> bool:
    """Whether a request asks for the characters of a story, whom its summary and its outline name."""
    return _ASKS_WHO.fullmatch(focus.strip(" \t?.!:")) is not None


def asked_ending(focus: str, candidates: Candidates, document: Document, structure: Structure) -> list[int]:
    """The passage that tells how a story ends, where that is asked: "the end of his cigar" is no end."""
    if _ASKS_END.fullmatch(focus.strip(" \t?.!:")) is None:
        return []
    rows = np.flatnonzero(_parts(candidates, document) >= 0)
    rows = rows if len(rows) else np.arange(len(candidates))
    names = _names(main_characters(document))
    return _ending_passage(candidates, structure, names, _can_tell(candidates, structure), rows)


def _list_of_characters(
    candidates: Candidates, parts: Sequence[Part], position_of: Mapping[int, int], num_words: int
) -> list[DigestPart]:
    """A play's own list of who is in it: the lines that fit into their share of the words."""
    part = next(filter(lists_the_cast, parts), None)
    listed: list[int] = []
    budget = int(_MOST_OF_CAST * num_words)
    for row in (position_of[at] for at in (part.sentences if part else ()) if at in position_of):
        words = int(candidates.num_words[row])
        if words > min(budget, _LONGEST_OF_CAST):
            break
        text = candidates.sentences[row].text
        if "|" not in text and _SAYS_WHO.match(text):
            listed.append(row)
            budget -= words
    return [DigestPart(part=part, positions=tuple(listed))] if part and listed else []


def _stretch(parts: Sequence[Part]) -> Part:
    """Chapters that follow one another as one part: "CHAPTER 1–5"."""
    first, last = parts[0].heading, parts[-1].heading
    name, _, number = last.rpartition(" ")
    heading = f"{first}–{number if name == first.rpartition(' ')[0] else last}" if last != first else first
    return replace(
        parts[0], heading=heading, sentences=tuple(index for part in parts for index in part.sentences)
    )


def _frame(
    candidates: Candidates,
    cast: Sequence[tuple[str, ...]],
    structure: Structure,
    eligible: BoolArray | None,
    story: IntArray,
    num_words: int,
) -> list[int]:
    """The sentence that introduces most of the characters, and the passage that says how the story ends.

    Args:
        cast: The forms by which each main character is called.
        story: The positions of the sentences of the story, in order.
    """
    can_be = _can_tell(candidates, structure)
    if eligible is not None:
        can_be &= eligible
    names = _names(cast)
    introduction = _introduction(candidates, structure, names, can_be, story)
    ending = _ending_passage(candidates, structure, names, can_be, story)
    for most in (sorted({*introduction, *ending}), ending, introduction):
        if int(candidates.num_words[most].sum()) <= _MOST_OF_FRAME * num_words:
            return sorted(most)
    return []


def _can_tell(candidates: Candidates, structure: Structure) -> BoolArray:
    """Which sentences of the narrator can be shown, and are long enough to tell something."""
    can_be: BoolArray = (dialogue(candidates) == 0) & structure.is_presentable
    can_be &= candidates.num_words >= SHORTEST - 4
    return can_be & is_narrated([sentence.text for sentence in candidates.sentences])


def _names(cast: Sequence[tuple[str, ...]]) -> list[re.Pattern[str]]:
    return [regex("|".join(rf"\b{re.escape(form)}\b" for form in forms)) for forms in cast]


def _introduction(
    candidates: Candidates,
    structure: Structure,
    names: Sequence[re.Pattern[str]],
    can_be: BoolArray,
    story: IntArray,
) -> list[int]:
    """The sentence of the beginning that introduces most of the characters; none where nobody is named."""
    words = np.cumsum(candidates.num_words[story])
    begin = story[(words <= _BEGINNING * words[-1]) | (np.arange(len(story)) < _LEAST_BEGINNING)].tolist()
    best: tuple[float, list[int]] = (0.0, [])
    for place, row in enumerate(begin):
        text = candidates.sentences[row].text
        new = sum(name.search(text) is not None for name in names)
        # Stories begin in the middle: "the room" is understood there.
        if not (can_be[row] and structure.first_by_opening[row] == row and new):
            continue
        pronoun = PERSONAL_PRONOUN.search(text)
        name = min(found.start() for each in names if (found := each.search(text)))
        if pronoun is not None and pronoun.start() < name:
            continue
        if not SHORTEST <= candidates.num_words[row] <= _LONGEST_OF_THE_BEGINNING:
            continue
        value = 0.6 * min(_MOST_NEW, new) + _MAIN * (names[0].search(text) is not None)
        value += _DESCRIPTION * (_DESCRIBES.search(text) is not None)
        main = names[0].search(text)
        value += _FULL_NAME * (main is not None and _SURNAME.match(text, main.end()) is not None)
        value += 0.5 * min(1.0, event_score(text)) + 2 * (1 - place / len(begin))
        best = max(best, (value, [row]), key=lambda each: each[0])
    return best[1]


def _ending_passage(
    candidates: Candidates,
    structure: Structure,
    names: Sequence[re.Pattern[str]],
    can_be: BoolArray,
    story: IntArray,
) -> list[int]:
    """The passage among the last sentences that says most of how the story ends."""
    best: tuple[float, list[int]] = (0.0, [])
    ending = _ending(story).tolist()
    for place, row in enumerate(ending):
        opening = _ARTICLE.sub("", candidates.sentences[row].text)
        is_opening = structure.stands_alone[row] or any(name.match(opening) for name in names)
        for length in range(1, _MOST_OF_THE_ENDING + 1):
            passage = ending[place : place + length]
            if not (is_opening and can_be[passage].all()) or len(passage) < length:
                break
            cost = int(candidates.num_words[passage].sum())
            if cost > _LONGEST_OF_THE_ENDING or candidates.section[passage[-1]] != candidates.section[row]:
                break
            text = " ".join(candidates.sentences[each].text for each in passage)
            value = event_score(text) + 0.5 * any(name.search(text) for name in names)
            value += 2 * (place + length) / len(ending) + 0.3 * (length - 1)
            value -= 2 * (cost < SHORTEST)
            best = max(best, (value, passage), key=lambda each: each[0])
    return best[1]


def _ending(story: IntArray) -> IntArray:
    """The last sentences of a story, which say how it ends."""
    return story[-min(_ENDING, max(_LEAST_ENDING, int(_SHARE_OF_ENDING * len(story)))) :]


def _between(frame: Sequence[int], story: IntArray, count: int) -> BoolArray:
    """The sentences besides the introduction, and before the ending that is quoted."""
    between = np.ones(count, bool)
    between[frame] = False
    ending = _ending(story)
    if not set(frame).isdisjoint(ending.tolist()):
        between[ending[0] :] = False
    return between


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
    """The best sentence of each place, each of another wording; a second one where it scores high.

    Args:
        going_on: For each sentence the one that names who does it, and the score of both together.
        least: The least score of a sentence.
    """
    chosen: list[int] = []
    held = np.zeros(candidates.terms.num_terms, bool)
    budget = num_words
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
    for most, threshold in ((1, least), (2, max(least, _MUCH)), (1, -np.inf)):
        if not np.isfinite(threshold) and 2 * budget < num_words:
            # A low score is better than an empty place.
            break
        for value, number, passage in options:
            if taken[number] >= most or value < threshold or not set(passage).isdisjoint(chosen):
                continue
            columns = np.concatenate([candidates.terms.columns[candidates.terms.row(row)] for row in passage])
            cost = int(candidates.num_words[list(passage)].sum())
            repeats = len(columns) > 0 and held[columns].mean() > 0.6
            if not repeats and cost <= budget:
                chosen += passage
                held[columns] = True
                budget -= cost
                taken[number] += 1
    return sorted(set(chosen))


def _places(candidates: Candidates, rows: IntArray, count: int) -> Sequence[IntArray]:
    """The story in so many places of equal length, its beginning in places half as long."""
    words = np.cumsum(candidates.num_words[rows])
    # The beginning says who and where: it weighs double.
    weight = np.where(words <= 0.08 * words[-1], 2.0, 1.0) * candidates.num_words[rows]
    place = np.minimum(count - 1, (count * np.cumsum(weight) / weight.sum()).astype(np.int64))
    return [rows[place == number] for number in range(count) if (place == number).any()]
