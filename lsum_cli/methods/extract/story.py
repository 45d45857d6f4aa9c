"""Which sentences of a story tell most of it: who is in it, what is done and suffered, from its beginning on.

Scenery and talk have the terms of a book as often as its events have. Its people are named; a sentence that
tells what one of them does, best of all something that cannot be undone, says more of the story.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.digest import Digest, DigestPart
from lsum_cli.methods.extract.division import Part, divide, lists_the_cast
from lsum_cli.methods.extract.salience import closeness, dialogue, quotation_marks, standardised
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
# More chapters than this of which most have only numbers are told several under one heading, so many
# sentences under each.
_MOST_NUMBERED, _LEAST_NUMBERED, _SENTENCES_OF_A_STRETCH = 5, 0.75, 4
# Where a story says who is in it: in this share of its words, in a sentence of so many words.
_BEGINNING, _LONGEST_OF_THE_BEGINNING, _MOST_NEW = 0.08, 65, 3
_LEAST_BEGINNING = 5  # sentences
# Where it says how it ends: in its last sentences, in a passage of so many sentences and words.
_ENDING, _MOST_OF_THE_ENDING, _LONGEST_OF_THE_ENDING = 50, 3, 75
_SHARE_OF_ENDING, _LEAST_ENDING = 0.15, 5
# The share of the words that the list of the people of a play may have, and the words of a line of it.
_MOST_OF_CAST, _LONGEST_OF_CAST = 0.5, 30
# The share of the words that both may take.
_MOST_OF_FRAME = 0.6
_SHORTEST, _LONGEST = 9, 40
# What counts how much, in standard deviations of salience.
_SUBJECT, _NAMED, _EVENT, _TURN, _INTRODUCES = 1.5, 0.5, 1.0, 1.8, 2.0
_GESTURE, _SUMS_UP, _SUPPOSES, _OF_ANOTHER = -1.8, 0.8, -0.8, -1.5
# Where nothing happens and nobody is described; where "it" is what happened before.
_UNEVENTFUL, _OF_SOMETHING = -1.5, -0.8
_TELLS_WHO_WORTH, _MAIN = 1.2, 0.8
# What a sentence must be worth that is told of a chapter, and a second one of the same.
_LEAST, _MUCH = 1.0, 3.5
# A tale has fewer sentences.
_SENTENCES_OF_A_NOVEL = 400
# What it counts to have the terms of its chapter.
_CLOSE, _LEAST_CLOSE, _MOST_CLOSE = 1.0, -0.5, 1.5
# What the salience of its terms counts beside that.
_SALIENCE, _MOST_SALIENCE = 0.5, 2.0
# How far behind the name of somebody stands what he does, and how many words both have.
_BEHIND, _LONGEST_DEED = 8, 70
# What each word above so many costs.
_BRIEF, _A_WORD = 22, 0.04

_EVENT_WORDS = regex(
    r"\b(?:kill(?:s|ed)?|murder(?:s|ed|er)?|die[sd]?|dead|death|marr(?:y|ies|ied|iage)|wedding|engaged"
    r"|betrothed|arrest(?:ed)?|prison(?:er)?|gaol|jail|trial|sentenced?|escap(?:e[sd]?|ing)|fle[ed]"
    r"|fled|st(?:ole|eal|olen)|rob(?:bed)?|discover(?:s|ed|y)?|reveal(?:s|ed)?|confess(?:es|ed|ion)?"
    r"|decid(?:es?|ed)|resolv(?:es?|ed)|determined|promis(?:es?|ed)|swore|vow(?:ed)?|refus(?:es?|ed)"
    r"|rescu(?:es?|ed)|saved?|fought|fights?|attack(?:ed)?|lost(?! (?:no|in)\b)|vanish(?:ed)?"
    r"|disappear(?:ed)?|inherit(?:ed|ance)?|in love|lov(?:es|ed)|hated|return(?:s|ed)|left for|set out"
    r"|arriv(?:es?|ed)|born|wounded|shot|stab(?:s|bed|bing)|drowned|destroy(?:s|ed)|burn(?:ed|t)"
    r"|wreck(?:ed)?|captur(?:es?|ed)|seized?|dragged|str(?:uck|angled)|knife|pistol|blood|kiss(?:ed)?"
    r"|ran away|drove (?:away|off)|defeat(?:ed)?|betray(?:s|ed)|forgave|forgiven|send(?:s)? for"
    r"|sent (?:for|away)|persuad(?:es?|ed)|learn(?:s|ed|t) that|told|found|finds|became|become|inherited"
    r"|accused|suspect(?:ed|s)?|secret|crime|guilty|ruin(?:ed)?|money|fortune|letter|war|battle|king|duel"
    r"|ship|journey|voyage|home|attach(?:ed|ment)|jealous\w*|quarrel\w*|proposal|elope\w*|reconcil\w+"
    r"|invit(?:ed|ation)|consent(?:s|ed)?|forb(?:ade|idden)|settled (?:in|at)|recover(?:s|ed)|ill(?:ness)?"
    r"|fever|scrambled|climbed|swam|sprang|crept|hid(?:den)?|chas(?:ed?|ing)|pursu(?:ed|it)|sank|sunk"
    r"|upset|overturned|crash(?:ed)?|smash(?:ed)?|burst|broke|fell (?:into|off|down|upon)|tumbled"
    r"|struggl(?:ed|ing)|set off|followed|swallowed|shrank|turned into|disguised?|dressed (?:in|up)|won"
    r"|beat(?:en)?|drove|rode|sailed|search(?:ed)?|hunt(?:ed)?|missing)\b",
    re.IGNORECASE,
)
_TURN_WORDS = regex(
    r"\b(?:kill(?:s|ed)?|murder(?:s|ed|er)?|died|dead(?! (?:silence|calm|heat|weight))|death"
    r"|marr(?:ies|ied|iage)|engaged(?=[,.;]| to (?:be\b|marry\b|[A-Z]))|elope(?:d|ment)|quarrelled"
    r"|arrest(?:ed)?|prison(?:er)?|gaol|jail|sentenced?"
    r"|escap(?:e[sd]?|ing)|st(?:ole|olen)|discovered|revealed|confess(?:ed|ion)|rescued|fought"
    r"|vanished|disappeared|inherited|in love|hated|hatred"
    r"|shot|stab(?:bed|bing)|drowned|destroyed|captured|betrayed|ruined|promised|swore|resolved|decided"
    r"|refused|buried(?! (?:his|her|their|my|its)\b)|grave|corpse|funeral|suicide|perished|fled|wounded"
    r"|wedding|never returned"
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
# Follows the name of whom a sentence tells who it is.
_IS_WHO = r"(?:, (?:an?|the|who|whose)\b| (?:was|is|had been) (?:an?|the|one of)\b)"
_DESCRIBES = regex(r"\b(?:was|were|is|had been) (?:an?|the|one)\b|, (?:an?|whose|who) ")
# What a person does while others speak, which tells nothing.
_GESTURES = regex(
    r"\b(?:smil(?:ed|ing)|nodd(?:ed|ing)|shook|laugh(?:ed|ing)|look(?:ed|ing)|glanc(?:ed|ing)|star(?:ed|ing)"
    r"|sigh(?:ed|ing)|winc(?:ed|ing)|sipp(?:ed|ing)"
    r"|turned (?:round|to|away|and|his|her|the)"
    r"|rose|sat|lean(?:ed|ing)|hesitat\w+|started(?! (?:for|from|on|to))|leap(?:ed|t)|flush\w*|frown\w*"
    r"|murmur\w*|whisper\w*|cried|exclaim\w*|blush\w*|shrugg\w+|shudder\w*|trembl\w+|gaz(?:ed|ing)"
    r"|watch(?:ed|ing)|paus(?:ed|ing)|listen\w*|stood|got up|went over|moved round"
    r"|walked (?:up and down|slowly|across|to|over|away|towards?)"
    r"|poured|knocked(?! (?:down|over|out)\b)|hurried|passed (?:into|out|through)|pulled|drew"
    r"|put (?:down|on|his|her|the)|took (?:up|both|his|her|the)|entered|opened|closed|winked"
    r"|caught \w+['’]s eye|leant|scrawled|stirred|stepped|reclining|standing|sitting|lying back|lit"
    r"|threw(?! (?:him|her|them|it)\b)|wiped|rubbed|tapped|pushed|stretched|lips|eyes|eyebrows|cheeks|brow"
    r"|felt as if|reply|replied|answered|said)\b"
)
# What is thought of, not what happens.
_SUPPOSED = regex(
    r"\b(?:would|could) (?:not |never )?have\b|\b(?:must|should|shall|ought|may|might)\b"
    r"|\bseem(?:s|ed|ing)?\b|\bas (?:if|though)\b|(?-i:\bthinks I\b|\bthought [A-Z]\w)|\bmore than ever\b"
    r"|\blike an?\b",
    re.IGNORECASE,
)
_FIRST_PERSON = regex(r"\b(?:I|[Ww]e)\b")
_PRONOUN = regex(
    r"\b(?:he|she|him|his|hers?|they|them|theirs?|it|its|this|these|those|such|there)\b", re.IGNORECASE
)
_PERSONAL = regex(r"\b(?:he|she|him|his|hers?|they|them|theirs?)\b", re.IGNORECASE)
_MAN, _WOMAN = regex(r"\b[Hh](?:e|is|im)\b"), regex(r"\b(?:[Ss]he|[Hh]er)\b")
_ARTICLE = regex(r"^The ")
_HE = regex(
    r"(?:(?:Then|And|But|So|Yet|Now|Soon|Once|Suddenly|Presently|Finally|At (?:last|once)|In a moment),? )?"
    r"([Hh]e|[Ss]he) "
)
# What only those before explain: "knew it to be so", "such an offer", "the others".
_POINTS_BACK = regex(
    r"\b(?:[a-z]+ed|knew|of|with|about|to|from|by|for|had|did|made|told|said) (?:it|this|that)"
    r"(?=[,.;:]| (?:to|with|and|by|in|but)\b)|\b(?:such|these|those|the (?:others?|former|latter|same))\b"
    r"|\b(?:him|her|them|me|us) (?:it|this|that)(?=[,.;])|\bthis(?! (?:time|day|morning|evening))\b"
)
# How a sentence goes on with a story, up to who does what.
_GOES_ON = regex(
    r"(?:(?:But|And|So|Then|Yet|Still|Now|Meanwhile|However|Presently|Soon|Suddenly|Finally|Instead|Next|Thus"
    r"|Thereupon|Afterwards|At (?:last|length|once|first)|In the end"
    r"|After (?:this|that|a (?:time|while)))\b,? )?"
    r"(?:(?:[Ww]hen|[Aa]s|[Ww]hile|[Aa]fter|[Bb]efore|[Tt]ill|[Uu]ntil|[Aa]s soon as) [^,;:]{3,60}, )?"
)
_SOMEBODY = regex(r"\b(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur|[Ss]ome|[Tt]wo) [a-z]+|(?!^)\b[A-HJ-Z][a-z]+")
# "He" does not do it to himself: "Lord Henry watched him".
_TO_ANOTHER = regex(r"[^;:]{0,60}?\b(?:him|them)\b")
# What one person tells of another in a sentence of its own: “She is engaged to be married,” said her mother.
_NEWS = regex(
    r"[“\"](?:(?!\b(?:I|[Yy]ou|[Yy]ours?|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|if|If)\b)[^“”\"?!])+[”\"][^“”\"?]*"
)
_QUOTATION = regex(r"[“\"]([^“”\"]*)")
_EXCLAIMS = regex(r"[?!]|^\W*[-–—*]|^\W*(?:Aye?|Nay|Yea|Oh|O|Ah|Alas|Well|Why)\b,")
# "HELENA, his wife": a line of a list of people.
_SAYS_WHO = regex(r"[A-Z].*?[\s,][a-z]{2,}")
# "XII", "CHAPTER 4": a heading that tells nothing.
_NUMBERED = regex(r"(?:[^\W\d_]+ )?(?:\d{1,3}|[ivxlc]{1,8})\.?", re.IGNORECASE)
_OF_OTHERS = regex(r"\b(?:they|them|their|it|this|these|those|there)\b", re.IGNORECASE)
_MUCH_FIRST_PERSON = 0.25


@dataclass(frozen=True, eq=False, kw_only=True)
class _Values:
    """What each sentence of a story tells of it.

    Attributes:
        alone: (sentences,) What it tells alone.
        can_be: (sentences,) Whether it says what somebody does, who is named in it.
        named_by: (sentences,) The sentence that names who "he" or "she" is; -1 for none.
        follows: (sentences,) What it tells with that one; minus infinity where there is none.
    """

    alone: FloatArray
    can_be: BoolArray
    named_by: IntArray
    follows: FloatArray


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
    found = _values(candidates, cast, structure, scores, eligible)
    if found is None:
        return []
    parts = _parts(candidates, document)
    rows = np.flatnonzero(parts >= 0)
    rows = rows if len(rows) else np.arange(len(candidates))
    frame = _frame(candidates, cast, structure, eligible, rows, num_words)
    between = _between(frame, rows, len(candidates))
    room = num_words - int(candidates.num_words[frame].sum())
    places = _places(candidates, rows, min(_MOST_SENTENCES, max(1, room // WORDS_PER_SENTENCE)))
    follows = np.where(between, found.follows, -np.inf)
    deeds = (found.named_by, follows)
    told = _choose(candidates, found.alone, found.can_be & between, places, room, deeds, least=-np.inf)
    return sorted(frame + told)


def told_values(
    candidates: Candidates, document: Document, structure: Structure, scores: FloatArray
) -> FloatArray | None:
    """What each sentence of a story tells of it; minus infinity where it does not say what somebody does.

    ``None`` where nobody is named.
    """
    found = _values(candidates, _cast(document), structure, scores, None)
    if found is None:
        return None
    told: FloatArray = np.where(found.can_be, found.alone, -np.inf)
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
    told, of a play its list of them; between them the best of every chapter, or of several together where
    they are many.
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
        if not part.is_silent and part.is_headed and not lists_the_cast(part)
    ]
    chapters = [(part, rows) for part, rows in chapters if len(rows)]
    if found is None or len(chapters) < _LEAST_CHAPTERS:
        return None
    persons = _list_of_people(candidates, division.parts, position_of, num_words)
    told = np.concatenate([rows for _, rows in chapters])
    num_words -= sum(int(candidates.num_words[list(each.positions)].sum()) for each in persons)
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
    close = closeness(candidates, [rows for _, rows in chapters])
    # What happens once has words of its own.
    close = _CLOSE * np.clip(standardised(close), _LEAST_CLOSE, _MOST_CLOSE)
    between = _between(frame, told, len(candidates))
    follows = np.where(between, found.follows + close, -np.inf)
    chosen = frame + _choose(
        candidates, found.alone + close, found.can_be & between, places, room, (found.named_by, follows)
    )
    quoted = [tuple(sorted(set(rows.tolist()).intersection(chosen))) for _, rows in chapters]
    numbered = sum(_NUMBERED.fullmatch(part.heading) is not None for part, _ in chapters)
    if len(chapters) > _MOST_NUMBERED and numbered > _LEAST_NUMBERED * len(chapters):
        count = max(_LEAST_CHAPTERS, round(sum(map(len, quoted)) / _SENTENCES_OF_A_STRETCH))
        stretches = np.array_split(np.arange(len(chapters)), count)
    else:
        stretches = [np.array([number]) for number in range(len(chapters))]
    return Digest(
        opening=(),
        parts=tuple(persons)
        + tuple(
            DigestPart(part=_stretch([chapters[number][0] for number in stretch]), positions=positions)
            for stretch in stretches
            if (positions := tuple(position for number in stretch for position in quoted[number]))
        ),
    )


def _list_of_people(
    candidates: Candidates, parts: Sequence[Part], position_of: Mapping[int, int], num_words: int
) -> list[DigestPart]:
    """A play's own list of who is in it: the lines that fit into their share of the words."""
    part = next(filter(lists_the_cast, parts), None)
    listed: list[int] = []
    room = int(_MOST_OF_CAST * num_words)
    for row in (position_of[at] for at in (part.sentences if part else ()) if at in position_of):
        words = int(candidates.num_words[row])
        if words > min(room, _LONGEST_OF_CAST):
            break
        text = candidates.sentences[row].text
        if "|" not in text and _SAYS_WHO.match(text):
            listed.append(row)
            room -= words
    return [DigestPart(part=part, positions=tuple(listed))] if part and listed else []


def _stretch(parts: Sequence[Part]) -> Part:
    """Chapters that follow one another as one part: "CHAPTER 1–5"."""
    first, last = parts[0].heading, parts[-1].heading
    if first == last:
        return parts[0]
    name, _, number = last.rpartition(" ")
    heading = f"{first}–{number if name == first.rpartition(' ')[0] else last}"
    return replace(
        parts[0], heading=heading, sentences=tuple(index for part in parts for index in part.sentences)
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
    is_told &= _is_narrated(texts)
    names = [regex("|".join(rf"\b{re.escape(form)}\b" for form in forms)) for forms in cast]
    words = np.cumsum(candidates.num_words[told])
    begin = told[(words <= _BEGINNING * words[-1]) | (np.arange(len(told)) < _LEAST_BEGINNING)].tolist()
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
        value = 0.6 * min(_MOST_NEW, new) + _MAIN * (names[0].search(text) is not None)
        value += _TELLS_WHO_WORTH * (_DESCRIBES.search(text) is not None)
        value += 0.5 * min(1.0, _tells(text)) + 2 * (1 - place / len(begin))
        best = max(best, (value, [row]), key=lambda each: each[0])
    frame = best[1]
    best = (0.0, [])
    ending = _ending(told).tolist()
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
    for most in (sorted({*frame, *best[1]}), best[1], frame):
        if int(candidates.num_words[most].sum()) <= _MOST_OF_FRAME * num_words:
            return sorted(most)
    return []


def _ending(told: IntArray) -> IntArray:
    """The last sentences of a story, which say how it ends."""
    return told[-min(_ENDING, max(_LEAST_ENDING, int(_SHARE_OF_ENDING * len(told)))) :]


def _between(frame: Sequence[int], told: IntArray, count: int) -> BoolArray:
    """The sentences beside what introduces the people, and before how it ends."""
    between = np.ones(count, bool)
    between[frame] = False
    ending = _ending(told)
    if not set(frame).isdisjoint(ending.tolist()):
        between[ending[0] :] = False
    return between


def _values(
    candidates: Candidates,
    cast: Sequence[tuple[str, ...]],
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
) -> _Values | None:
    """What each sentence of a story tells; ``None`` where nobody is named."""
    texts = [sentence.text for sentence in candidates.sentences]
    told = dialogue(candidates) == 0
    spoken_of = [text for text, is_told in zip(texts, told, strict=True) if is_told]
    first_person = sum(_FIRST_PERSON.search(text) is not None for text in spoken_of)
    is_first_person = first_person > _MUCH_FIRST_PERSON * len(spoken_of)
    if not cast and not is_first_person:
        return None
    # In a tale "the duke" and "a carter" act who have no name.
    is_short = len(texts) < _SENTENCES_OF_A_NOVEL
    patterns = [regex(rf"\b{re.escape(name)}\b") for names in cast for name in names]
    named = regex("|".join(pattern.pattern for pattern in patterns)) if patterns else None
    tells_who = regex(rf"(?:{named.pattern}){_IS_WHO}") if named else None
    values = _SALIENCE * np.minimum(standardised(scores), _MOST_SALIENCE)
    can_be = structure.is_presentable & told
    can_be &= (candidates.num_words >= _SHORTEST) & (candidates.num_words <= _LONGEST)
    can_be &= _is_narrated(texts)
    opens = structure.first_by_opening == np.arange(len(texts))
    is_news = np.array([_NEWS.fullmatch(text) is not None for text in texts], bool)
    is_news &= structure.is_presentable & (candidates.num_words <= _LONGEST)
    is_news &= np.array([_TURN_WORDS.search(text) is not None for text in texts], bool)
    can_be |= is_news
    if eligible is not None:
        can_be &= eligible
    fits = structure.is_presentable & told & (candidates.num_words >= _SHORTEST - 4)
    fits &= (candidates.num_words <= _LONGEST) & (eligible if eligible is not None else True)
    introduced: set[str] = set()
    introduces = np.zeros(len(candidates), bool)
    for position, text in enumerate(texts):
        found = set(named.findall(text)) if named else set()
        subject = " ".join(text.split()[:6])
        is_subject = bool(found) and named is not None and named.search(subject) is not None
        if is_first_person and _FIRST_PERSON.search(subject):
            is_subject = True
        if not found and not is_subject and not is_short:
            can_be[position] = False
            continue
        values[position] += _SUBJECT * is_subject + _NAMED * min(2, max(0, len(found) - 1))
        told_here = _tells(text if not is_news[position] else _QUOTATION.findall(text)[0])
        values[position] += told_here
        can_be[position] &= bool(found) or is_subject or told_here > 0
        values[position] -= _A_WORD * max(0, int(candidates.num_words[position]) - _BRIEF)
        # "But", "At last" and "When they came home" go on with the story; who comes after them is named.
        opening = _GOES_ON.match(text)
        start = opening.end() if opening is not None else 0
        name = named.search(text, start) if named is not None else None
        if not is_news[position]:
            pronoun = (_PERSONAL if is_first_person or is_short else _PRONOUN).search(text, start)
            is_riddle = pronoun is not None and (name is None or pronoun.start() < name.start())
            if (is_first_person or is_short) and is_riddle and pronoun is not None:
                is_riddle = _SOMEBODY.search(text, start, pronoun.start()) is None
            can_be[position] &= not is_riddle and (bool(opens[position]) or start > 0)
            values[position] += _OF_SOMETHING * (_POINTS_BACK.search(text, start) is not None)
            if (
                not is_first_person
                and len(set(found)) == 1
                and name is not None
                and _TO_ANOTHER.match(text, name.end())
            ):
                values[position] += _OF_ANOTHER
        says_who = is_subject and tells_who is not None and tells_who.search(text) is not None
        if says_who and found - introduced and can_be[position]:
            introduces[position] = True
            introduced |= found
        values[position] += _UNEVENTFUL * (told_here <= 0 and not says_who)
    values += _INTRODUCES * introduces
    named_by, follows = _deeds(candidates, cast, values, fits)
    return _Values(alone=values, can_be=can_be, named_by=named_by, follows=follows)


def _deeds(
    candidates: Candidates, cast: Sequence[tuple[str, ...]], values: FloatArray, fits: BoolArray
) -> tuple[IntArray, FloatArray]:
    """For what "he" or "she" does, the sentence that says who that is, and what both tell.

    That is the last sentence before it that names anybody, if it begins with one person of that sex, and
    nobody speaks between.

    Args:
        values: What each sentence tells alone.
        fits: Which may be quoted beside another.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    named_by, follows = np.full(len(texts), -1), np.full(len(texts), -np.inf)
    if not cast:
        return named_by, follows
    forms = {form: number for number, each in enumerate(cast) for form in each}
    named = regex("|".join(rf"\b{re.escape(form)}\b" for form in sorted(forms, key=len, reverse=True)))
    found = [[forms[form] for form in named.findall(text)] for text in texts]
    sexes = _sexes(texts, found, len(cast))
    marks = quotation_marks(texts)
    subject, sex, last = -1, "", -1
    for position, text in enumerate(texts):
        if marks.search(text) or (last >= 0 and candidates.section[last] != candidates.section[position]):
            last = -1
            continue
        does = _HE.match(text)
        if found[position] and does is None:
            first = named.search(" ".join(text.split()[:6]))
            last = position if first is not None and fits[position] else -1
            subject = found[position][0]
            sex = sexes[subject]
            continue
        if last < 0 or position - last > _BEHIND or does is None or not fits[position]:
            continue
        words = candidates.num_words[[last, position]]
        if does[1].lower() != sex or _OF_OTHERS.search(text) or words.sum() > _LONGEST_DEED:
            continue
        named_by[position] = last
        follows[position] = (
            0.5 * values[last] + _tells(text) - 0.5 * _A_WORD * max(0, int(words.sum()) - _BRIEF)
        )
    return named_by, follows


def _sexes(texts: Sequence[str], found: Sequence[Sequence[int]], count: int) -> list[str]:
    """Each person's pronoun, "he" or "she": which is more frequent in sentences that name nobody else."""
    men, women = np.zeros(count), np.zeros(count)
    for text, people in zip(texts, found, strict=True):
        if len(set(people)) == 1:
            men[people[0]] += len(_MAN.findall(text))
            women[people[0]] += len(_WOMAN.findall(text))
    return ["he" if is_man else "she" for is_man in men >= women]


def _is_narrated(texts: Sequence[str]) -> BoolArray:
    """Whether each sentence is told: nobody speaks, asks, exclaims or goes on after a dash."""
    marks = quotation_marks(texts)
    return np.array([marks.search(text) is None and _EXCLAIMS.search(text) is None for text in texts], bool)


def _tells(text: str) -> float:
    """How much a sentence tells of what happens."""
    return (
        _EVENT * min(2, len(_EVENT_WORDS.findall(text))) / 2
        + _TURN * min(2, len(_TURN_WORDS.findall(text)))
        + _SUMS_UP * (_OF_MUCH_TIME.search(text) is not None)
        + _GESTURE * (_GESTURES.search(text) is not None)
        + _SUPPOSES * (_SUPPOSED.search(text) is not None)
    )


def _cast(document: Document) -> list[tuple[str, ...]]:
    """The forms by which the main characters of a book's own text are called."""
    sentences = document.sentences
    told = sorted(
        index
        for part in divide(document, is_book=True, is_story=True).parts
        if not part.is_silent
        for index in part.sentences
    )
    people = find_names([sentences[index].text for index in told]).people[:_CAST]
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
        going_on: For each sentence the one that names who does it, and what both tell together.
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


def _places(candidates: Candidates, rows: IntArray, count: int) -> Sequence[IntArray]:
    """The story in so many places of equal length, the first chapter in places half as long."""
    words = np.cumsum(candidates.num_words[rows])
    # The beginning tells who and where: it weighs double.
    weight = np.where(words <= 0.08 * words[-1], 2.0, 1.0) * candidates.num_words[rows]
    place = np.minimum(count - 1, (count * np.cumsum(weight) / weight.sum()).astype(np.int64))
    return [rows[place == number] for number in range(count) if (place == number).any()]
