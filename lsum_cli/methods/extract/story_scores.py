"""How much each sentence of a story says of what happens, and to whom.

The characters of a story are named; a sentence that says what one of them does, best of all something that
cannot be undone, says more of the story.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.plays import cast_of, speakers
from lsum_cli.methods.extract.ranking.salience import dialogue, quotation_marks, standardised
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.names import find_names
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# How many people are main characters at most, each named so often as a share of the one named most.
_CAST = 8
_LEAST_SHARE = 0.05
SHORTEST, _LONGEST = 9, 40
# What counts how much, in standard deviations of salience.
_SUBJECT, _NAMED, _EVENT, _TURN, _INTRODUCES = 1.5, 0.5, 1.0, 1.8, 2.0
_GESTURE, _SUMS_UP, _SUPPOSES, _OF_ANOTHER = -1.8, 0.8, -0.8, -1.5
# Where nothing happens and nobody is described; where "it" is what happened before.
_UNEVENTFUL, _OF_SOMETHING = -1.5, -0.8
# A tale has fewer sentences.
_SENTENCES_OF_A_NOVEL = 400
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
    r"|beat(?:en)?|drove|rode|sailed|search(?:ed)?|hunt(?:ed)?|missing"
    r"|changed into|execut(?:ed?|ion)|condemned|verdict|jury"
    r"|witness(?:es)?|woke|awoke|dream(?:t|ed)?|wept|tears|drank|joined|begged|ordered|commanded"
    r"|threatened|punished|led the way|taught|appointed|elected|crowned|vowed|ran off)\b",
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
# A narrator who sums up much time in few words, and does not describe one moment of a scene.
_OF_MUCH_TIME = regex(
    r"\b(?:for (?:(?:many|some|several|two|three|\w+teen) )?(?:years|months|weeks|days)"
    r"|(?:years?|months?|weeks?) (?:later|after|afterwards|ago|passed|went by|before)"
    r"|from that (?:day|time|moment|hour)|ever since|never again|at last|had (?:long|never|always)"
    r"|(?:the next|one) (?:night|day|evening|morning|afternoon|summer|winter|spring|autumn|year))\b",
    re.IGNORECASE,
)
# Follows the name of somebody whom a sentence introduces.
# "was the first to speak" introduces nobody.
_IS_WHO = (
    r"(?:, (?:an?|the|who|whose)\b"
    r"| (?:was|is|had been) (?:an?|the(?! (?:first|last|next|only|same)\b)|one of)\b)"
)
# What a person does while others speak, which is no event.
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
_SECOND_PERSON = regex(r"\b(?:you|your|thou|thee|thy)\b", re.IGNORECASE)
_ADDRESS = -0.7
# Who comes and goes in a play, which is no event.
_COMES_OR_GOES = regex(
    r"[A-Z]{2}.*\b(?:comes?|enters?|goes|go|exits?|sits?|sitting|stands?|standing|asleep|discovered|seated)\b"
)
_FIRST_PERSON = regex(r"\b(?:I|[Ww]e)\b")
_PRONOUN = regex(
    r"\b(?:he|she|him|his|hers?|they|them|theirs?|it|its|this|these|those|such|there)\b", re.IGNORECASE
)
PERSONAL_PRONOUN = regex(r"\b(?:he|she|him|his|hers?|they|them|theirs?)\b", re.IGNORECASE)
_MAN, _WOMAN = regex(r"\b[Hh](?:e|is|im)\b"), regex(r"\b(?:[Ss]he|[Hh]er)\b")
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
_TO_A_MAN = regex(r"\bhim\b")
# What one person tells of another in a sentence of its own: “She is engaged to be married,” said her mother.
_NEWS = regex(
    r"[“\"](?:(?!\b(?:I|[Yy]ou|[Yy]ours?|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|if|If)\b)[^“”\"?!])+[”\"][^“”\"?]*"
)
_QUOTATION = regex(r"[“\"]([^“”\"]*)")
_EXCLAIMS = regex(r"[?!]|^\W*[-–—*]|^\W*(?:Aye?|Nay|Yea|Oh|O|Ah|Alas|Well|Why)\b,")
# Who spoke, of what is not quoted: "Alice said to herself, as well as she could."
_SPOKE = regex(
    r"(?:(?:And|But|So|Then|Poor|The|the|old|poor|little|young) )*[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}"
    r" (?:said|thought|replied|answered|cried|exclaimed|remarked|added|asked|repeated)"
    r"(?: to (?:him|her|it|them)sel(?:f|ves)| \w+ly| again)*[,;.]"
)
_OF_OTHERS = regex(r"\b(?:they|them|their|it|this|these|those|there)\b", re.IGNORECASE)
_MUCH_FIRST_PERSON = 0.25


@dataclass(frozen=True, eq=False, kw_only=True)
class StoryScores:
    """How much each sentence of a story says of what happens.

    Attributes:
        alone: (sentences,) The score of it alone.
        can_be: (sentences,) Whether it says what somebody does, who is named in it.
        named_by: (sentences,) The sentence that names who "he" or "she" is; -1 for none.
        follows: (sentences,) The score of it with that one; minus infinity where there is none.
    """

    alone: FloatArray
    can_be: BoolArray
    named_by: IntArray
    follows: FloatArray


def event_scores(
    candidates: Candidates, document: Document, structure: Structure, scores: FloatArray
) -> FloatArray | None:
    """The score of each sentence of a story; minus infinity where it does not say what somebody does.

    ``None`` where nobody is named.
    """
    found = story_scores(candidates, main_characters(document), structure, scores, None)
    if found is None:
        return None
    values: FloatArray = np.where(found.can_be, found.alone, -np.inf)
    return values


def story_scores(
    candidates: Candidates,
    cast: Sequence[tuple[str, ...]],
    structure: Structure,
    scores: FloatArray,
    eligible: BoolArray | None,
) -> StoryScores | None:
    """How much each sentence of a story says of what happens; ``None`` where nobody is named.

    Args:
        candidates: The sentences.
        cast: The forms by which each main character is called.
        structure: What is known of the sentences.
        scores: Their salience.
        eligible: Those that come into question; ``None`` for all.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    is_narration = dialogue(candidates) == 0
    narration = [text for text, is_narrative in zip(texts, is_narration, strict=True) if is_narrative]
    first_person = sum(_FIRST_PERSON.search(text) is not None for text in narration)
    is_first_person = first_person > _MUCH_FIRST_PERSON * len(narration)
    if not cast and not is_first_person:
        return None
    # In a tale "the duke" and "a carter" act who have no name.
    is_short = len(texts) < _SENTENCES_OF_A_NOVEL
    patterns = [regex(rf"\b{re.escape(name)}\b") for names in cast for name in names]
    named = regex("|".join(pattern.pattern for pattern in patterns)) if patterns else None
    introduction = regex(rf"(?:{named.pattern}){_IS_WHO}") if named else None
    values = _SALIENCE * np.minimum(standardised(scores), _MOST_SALIENCE)
    opens = structure.first_by_opening == np.arange(len(texts))
    fits = structure.is_presentable & (candidates.num_words <= _LONGEST)
    is_news = fits & np.array(
        [_NEWS.fullmatch(text) is not None and _TURN_WORDS.search(text) is not None for text in texts], bool
    )
    fits &= is_narration & (candidates.num_words >= SHORTEST - 4)
    can_be = (fits & (candidates.num_words >= SHORTEST) & is_narrated(texts)) | is_news
    if eligible is not None:
        can_be &= eligible
        fits &= eligible
    speaks = speakers(candidates.sentences)
    is_of_play = any(speaks)
    forms = {form for each in cast for form in each}
    introduced: set[str] = set()
    introduces = np.zeros(len(candidates), bool)
    for position, text in enumerate(texts):
        found = set(named.findall(text)) if named else set()
        subject = " ".join(text.split()[:6])
        is_subject = bool(found) and named is not None and named.search(subject) is not None
        if is_first_person and _FIRST_PERSON.search(subject):
            is_subject = True
        if speaks[position] is not None:
            # A main character who speaks is named by that; what is said of others tells more than an address.
            is_subject |= speaks[position] in forms
            values[position] += _NAMED * bool(found)
            values[position] += _ADDRESS * (_SECOND_PERSON.search(text) is not None)
        elif is_of_play and _COMES_OR_GOES.match(text):
            can_be[position] = False
        if not found and not is_subject and not is_short:
            can_be[position] = False
            continue
        values[position] += _SUBJECT * is_subject + _NAMED * min(2, max(0, len(found) - 1))
        events = event_score(text if not is_news[position] else _QUOTATION.findall(text)[0])
        values[position] += events
        can_be[position] &= bool(found) or is_subject or events > 0
        values[position] -= _A_WORD * max(0, int(candidates.num_words[position]) - _BRIEF)
        # "But", "At last" and "When they came home" go on with the story; who comes after them is named.
        opening = _GOES_ON.match(text)
        start = opening.end() if opening is not None else 0
        name = named.search(text, start) if named is not None else None
        if not is_news[position]:
            is_unclear = _is_unclear(text, start, name, is_anybody_named=is_first_person or is_short)
            can_be[position] &= not is_unclear and (bool(opens[position]) or start > 0)
            values[position] += _OF_SOMETHING * (_POINTS_BACK.search(text, start) is not None)
            if (
                not is_first_person
                and len(set(found)) == 1
                and name is not None
                and _TO_ANOTHER.match(text, name.end())
            ):
                values[position] += _OF_ANOTHER
        says_who = is_subject and introduction is not None and introduction.search(text) is not None
        if says_who and found - introduced and can_be[position]:
            introduces[position] = True
            introduced |= found
        values[position] += _UNEVENTFUL * (events <= 0 and not says_who)
    values += _INTRODUCES * introduces
    named_by, follows = _deeds(candidates, cast, values, fits)
    return StoryScores(alone=values, can_be=can_be, named_by=named_by, follows=follows)


def _is_unclear(text: str, start: int, name: re.Match[str] | None, *, is_anybody_named: bool) -> bool:
    """Whether a sentence has a pronoun before it names anybody.

    Args:
        text: The sentence.
        start: Where it begins, past "But" and the like.
        name: The first main character that it names.
        is_anybody_named: Whether "the duke" and other people count as named too, and things need no name.
    """
    pronoun = (PERSONAL_PRONOUN if is_anybody_named else _PRONOUN).search(text, start)
    if pronoun is None or (name is not None and name.start() <= pronoun.start()):
        return False
    return not is_anybody_named or _SOMEBODY.search(text, start, pronoun.start()) is None


def _deeds(
    candidates: Candidates, cast: Sequence[tuple[str, ...]], values: FloatArray, fits: BoolArray
) -> tuple[IntArray, FloatArray]:
    """For what "he" or "she" does, the sentence that says who that is, and the score of both.

    That is the last sentence before it that names anybody, if it begins with one person of that sex, and
    nobody speaks between.

    Args:
        values: The score of each sentence alone.
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
        # "He struck him" may begin with the one whom neither sentence names.
        if _TO_A_MAN.search(text) and len({*found[last], *found[position]}) == 1:
            continue
        words = candidates.num_words[[last, position]]
        if does[1].lower() != sex or _OF_OTHERS.search(text) or words.sum() > _LONGEST_DEED:
            continue
        named_by[position] = last
        follows[position] = (
            0.5 * values[last] + event_score(text) - 0.5 * _A_WORD * max(0, int(words.sum()) - _BRIEF)
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


def is_narrated(texts: Sequence[str]) -> BoolArray:
    """Whether each sentence is of the narrator: no speech, question or exclamation."""
    marks = quotation_marks(texts)
    return np.array(
        [
            not any(each.search(text) for each in (marks, _EXCLAIMS)) and not _SPOKE.match(text)
            for text in texts
        ],
        bool,
    )


def event_score(text: str) -> float:
    """How much a sentence says of what happens."""
    return (
        _EVENT * min(2, len(_EVENT_WORDS.findall(text))) / 2
        + _TURN * min(2, len(_TURN_WORDS.findall(text)))
        + _SUMS_UP * (_OF_MUCH_TIME.search(text) is not None)
        + _GESTURE * (_GESTURES.search(text) is not None)
        + _SUPPOSES * (_SUPPOSED.search(text) is not None)
    )


def main_characters(document: Document) -> list[tuple[str, ...]]:
    """The forms by which the main characters of a book's own text are called."""
    sentences = document.sentences
    body = sorted(
        index
        for part in divide(document, is_book=True, is_story=True).parts
        if not part.is_silent
        for index in part.sentences
    )
    texts = [sentences[index].text for index in body]
    actors = cast_of([sentences[index] for index in body])
    people = (actors or find_names(texts).people)[:_CAST]
    if not people:
        return []
    least = _LEAST_SHARE * people[0].count
    # Stage directions have "HELENA and SONIA come in."
    forms = [{person.text, person.text.split()[-1]} for person in people if person.count >= least]
    return [tuple(each | {form.upper() for form in each} if actors else each) for each in forms]
