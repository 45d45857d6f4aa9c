"""What a conversation is about: phrases that come up again and again in it.

A transcript has no title or headings to say what it is about. What people talk about for a while they name
several times there. A phrase that comes up so names a topic where it is built like a noun phrase: its last
word follows determiners and ends groups of words, as nouns do, and its first follows no pronoun, auxiliary or
"to", as verbs do. That much can be counted in the conversation itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import speaker_of
from lsum_cli.text.keywords import BEFORE_VERB, is_general_word
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, is_function_word

# Words, and what ends a group of them.
_TOKEN = regex(r"[^\W\d_][\w+&]*+(?:[-'’.](?=[^\W_])[\w+&]*+)*+|\d[\d,.]*|[^\w\s'’]")
# "Bayes - net": a compound as some transcribers write it, where the two come together again and again.
_SPACED = regex(r"(?<![\w'’-])([^\W\d_]+) - (?=([^\W\d_]+))")
_LEAST_SPACED = 3
_POSSESSIVE = regex(r"['’]s?$")
_CONTRACTED = regex(r"n['’]t$|['’](?:ll|re|ve|d|m)$")
# No noun: "related"; "the ministry's".
_ENDS_NO_NAME = regex(r"[^e]ed$|['’]s?$")
_WORD_OF_NAME = regex(r"[^\W\d_]+")
_DETERMINERS_TEXT = "the a an this these those our your their my his her its some any each every another both"
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
_BEFORE_NOUN_TEXT = (
    "that no all what which of in on about for with from by per between into over under through against"
    " near beside besides behind above beneath during inside throughout opposite underneath amid"
    " more many few different new"
)
_BEFORE_NOUN = _DETERMINERS | frozenset(_BEFORE_NOUN_TEXT.split())
# A noun follows none of these often, nor does it end a sentence after "is" or "very" as adjectives do.
_BEFORE_NO_NOUN_TEXT = (
    "am is are was were be been being do does did very so too really quite pretty how then just gonna"
    " wanna let lets let's i'll we'll you'll they'll it'll i'd we'd you'd they'd i'm we're you're they're"
    " he's she's it's that's i've we've they've you've can't won't wouldn't couldn't shouldn't isn't"
    " wasn't aren't doesn't didn't"
)
_BEFORE_NO_NOUN = BEFORE_VERB | frozenset(_BEFORE_NO_NOUN_TEXT.split())
# Words that come up in meetings of every kind, of people who design something, study it or govern: those that
# in transcripts of meetings a third of two kinds have, and an eighth of the third. With numbers and dates.
_OF_ANY_MEETING_TEXT = (
    "absolute actual advantage afternoon agree ahead almost along alright amount anybody anyone anything"
    " anyway apparent appropriate april around aspect assume august average away back bad basic believe"
    " beyond big billion bit bottom brief bring bunch buy careful cent chair chance check choice choose"
    " close colleague compare complete complex complicate concern confuse connect conversation correct"
    " count couple cover create cut deal december decide decision definite depend despite detail determine"
    " difficult direct direction dollar double draw drop dunno easier easy effort eight eighteen eighty"
    " eleven else entire essential euro evening everybody everyone everything exact excellent except exist"
    " expect experience explain extra factor fair fall fast february feel fifteen fifty fill final fine"
    " finish fit fix focus folk folks forget forty forward fourteen friday front fundamental future"
    " gentleman gotta guess guy half happen happy hard hear hello honorable honourable hope hour huge"
    " hundred idea ideas imagine improve independent indicate information initial input instance interest"
    " involve item january job july june keep kinda lady leave left lie listen lose lost lot madam main"
    " majority march mark maybe meant meeting member mention middle million mind minister minute miss"
    " moment monday month morning move multiple natural necessarily next nice nine nineteen ninety nobody"
    " normal notice november obvious october offer okay opinion option original otherwise outside overall"
    " pass past pay per percent perfect perhaps pick piece please plus position potential pound prefer"
    " presentation principle probable progress proper propose push put quarter question quick raise read"
    " ready regular relevant remember remove represent rest right round saturday sense separate september"
    " serious seven seventeen seventy shape share short side simple sit sixteen sixty slide slight sole"
    " somebody someone somewhere soon sorry sort sound speaker special specific spend stand start stay"
    " step stick straight strong stuff suggest suggestion sunday suppose sure talk temporary tend thank"
    " thanks third thirteen thirty thousand thursday today tomorrow tonight top topic total tough toward"
    " towards tried true try tuesday twelve twenty unfortunate unless usual variety vast versus view wait"
    " wanted watch wednesday week whatever whereas whole wide wonder word worry worth wow wrong wrote yep"
    " yesterday yourself zero"
)
_OF_ANY_MEETING = frozenset(stem(word) for word in _OF_ANY_MEETING_TEXT.split())
# The same that name something only with another word: "speech recognition".
_NEVER_ALONE_TEXT = (
    "access account action area audio background bill board box budget button challenge channel charge"
    " class comment committee community context control cost country data design development device"
    " document evaluation evidence feature field file function government head image impact industry"
    " institution key language learning line link list machine material message meter microphone model"
    " money name notion number object office opportunity output page paper people performance person"
    " phone picture plan power press process product program programme project province public quality"
    " range reason record remote report requirement research resource response scale screen sector"
    " service size source space speech standard structure support system target task team technical"
    " technology test tool touch training unit video work"
)
_NEVER_ALONE = frozenset(stem(word) for word in _NEVER_ALONE_TEXT.split())
# A stretch of talk about one thing, in words.
_STRETCH = 600
_LONGEST = 4  # words of a phrase
# How often a phrase must come up in a stretch, a single word and several.
_LEAST_ALONE, _LEAST = 6, 2
# How often one must come up whose words name nothing by themselves: "remote control".
_LEAST_OF_GENERAL = 6
# What a phrase counts by its words: several say more than one.
_BY_LENGTH = (0.35, 1.5, 1.9, 2.0)
# How much it counts how often a phrase comes up in its stretch, beside how often it does at all.
_IN_STRETCH = 0.5
# People who name a thing twice within so many words talk about it in between.
_WORDS_BETWEEN = 200
# Of the occurrences of a noun so many end a group of words that a determiner or the like opens; of one that
# is a name by itself so many too, and so many follow a determiner at once.
_LEAST_ENDING, _LEAST_ENDING_ALONE, _LEAST_DETERMINED = 0.3, 0.5, 0.3
# At most so many follow a pronoun and the like; and at most so many of a phrase are part of a longer one.
_MOST_AFTER_SUBJECT, _MOST_GOING_ON = 0.3, 0.5
# One name for so many words, and so many at most.
_WORDS_PER_NAME, _MOST_NAMES = 900, 8
# What a name loses whose stretch has one already.
_TAKEN = 0.6


@lru_cache(maxsize=1)
def topics(candidates: Candidates) -> tuple[str, ...]:
    """Phrases that name what a conversation in English is about, the longest discussed first.

    Args:
        candidates: The sentences of one conversation.
    """
    words = _Words.of(candidates)
    if not words.texts:
        return ()
    most = min(_MOST_NAMES, 1 + len(words.texts) // _WORDS_PER_NAME)
    best = _best(list(_names(words)), most)
    return tuple(words.written(name) for name in sorted(best, key=lambda name: -name.length))


def by_topic(candidates: Candidates, positions: Sequence[int]) -> Iterator[list[int]]:
    """For each topic of a conversation in English those sentences at these positions that name it.

    Args:
        candidates: The sentences of the conversation.
        positions: Those to look at.
    """
    said = [candidates.sentences[position].text.lower() for position in positions]
    for name in topics(candidates):
        lowered = name.lower()
        yield [position for position, text in zip(positions, said, strict=True) if lowered in text]


def is_of_any_meeting(stemmed: str) -> bool:
    """Whether a stemmed English word comes up in meetings of every kind."""
    return stemmed in _OF_ANY_MEETING


@dataclass(frozen=True, eq=False, slots=True)
class _Name:
    """A phrase that may name a topic.

    Attributes:
        stems: The numbers of its stems.
        score: How well it names the topic.
        first: Where the stretch begins in which it comes up most, in words.
        last: Where its last occurrence in the stretch is.
        length: For how many words it is talked about.
        places: Where its occurrences begin, in tokens.
    """

    stems: tuple[int, ...]
    score: float
    first: int
    last: int
    length: int
    places: IntArray


@dataclass(frozen=True, eq=False, kw_only=True)
class _Words:
    """The words of a conversation in order, with the marks between them; one value for each.

    Attributes:
        texts: The words and marks.
        stem: Number of the stem.
        stems: The stems by their numbers.
        can_name: Whether it may be a word of a name.
        can_end: Whether it may be the last.
        is_of_speaker: Whether it is of the name of somebody who speaks.
        tells: Whether it says what something is about, which most names have a word for.
        is_capital: Whether it begins with a capital.
        is_closed: Whether a mark or a function word follows it, as after a noun; others follow adjectives.
        is_determined: Whether it follows a determiner.
        is_opened: Whether it follows a determiner or a preposition.
        is_after_subject: Whether it follows a pronoun, an auxiliary, "to" or "very".
        place: Number of words before it.
        sentence: Position of its sentence.
        turn: Number of its turn.
    """

    texts: list[str]
    stem: IntArray
    stems: list[str]
    can_name: BoolArray
    can_end: BoolArray
    is_of_speaker: BoolArray
    tells: BoolArray
    is_capital: BoolArray
    is_closed: BoolArray
    is_determined: BoolArray
    is_opened: BoolArray
    is_after_subject: BoolArray
    place: IntArray
    sentence: IntArray
    turn: IntArray

    @classmethod
    def of(cls, candidates: Candidates) -> _Words:
        """Divide the sentences into words."""
        texts: list[str] = []
        lengths, turns, speakers, turn = [], [], set[str](), 0
        said = _with_compounds([sentence.text for sentence in candidates.sentences])
        for text, opens in zip(said, candidates.opens_paragraph.tolist(), strict=True):
            found = speaker_of(text)
            if found is not None:
                speakers.add(found[0].partition(" (")[0])
                turn += opens
            tokens = _TOKEN.findall(text, found.end() if found else 0)
            texts += tokens
            texts.append(".")
            lengths.append(len(tokens) + 1)
            turns.append(turn)
        of_speakers = {stem(word.lower()) for name in speakers for word in _WORD_OF_NAME.findall(name)}
        known = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        kind = np.fromiter(map(known.__getitem__, texts), np.int64, len(texts))
        plain = [text.lower().replace("’", "'") for text in known]
        of_stem: dict[str, int] = {}
        stems = [stem(_POSSESSIVE.sub("", text)) for text in plain]

        def each_of(values: Iterable[bool]) -> BoolArray:
            of_kind: BoolArray = np.fromiter(values, bool, len(plain))
            return of_kind[kind]

        def after(words: Collection[str]) -> BoolArray:
            return np.concatenate(([False], each_of(text in words for text in plain)[:-1]))

        is_word = each_of(text[0].isalpha() for text in plain)
        return cls(
            texts=texts,
            stem=np.array([of_stem.setdefault(each, len(of_stem)) for each in stems], np.int64)[kind],
            stems=list(of_stem),
            can_name=each_of(map(_can_name, plain, stems)),
            can_end=each_of(_ENDS_NO_NAME.search(text) is None for text in plain),
            is_of_speaker=each_of(each in of_speakers for each in stems),
            tells=each_of(each not in _NEVER_ALONE and each not in of_speakers for each in stems),
            is_capital=each_of(text[0].isupper() for text in known),
            is_closed=np.concatenate((each_of(map(_closes, plain, stems))[1:], [True])),
            is_determined=after(_DETERMINERS),
            is_opened=after(_BEFORE_NOUN),
            is_after_subject=after(_BEFORE_NO_NOUN),
            place=np.cumsum(is_word) - is_word,
            sentence=np.repeat(np.arange(len(lengths)), lengths),
            turn=np.repeat(turns, lengths),
        )

    def written(self, name: _Name) -> str:
        """A name as it is mostly written; with small letters where they are only those of a sentence."""
        size = len(name.stems)
        forms = Counter(" ".join(self.texts[place : place + size]) for place in name.places.tolist())
        usual = forms.most_common(1)[0][0]
        first, _, rest = usual.partition(" ")
        is_opening = usual.lower() in forms or (rest.islower() and first.lower() in self.texts)
        return usual.lower() if is_opening else usual


def _with_compounds(texts: Sequence[str]) -> Sequence[str]:
    """The texts with "Bayes - net" as "Bayes-net" where that is one word."""
    spaced = {index: text for index, text in enumerate(texts) if " - " in text}
    pairs = Counter(pair for text in spaced.values() for pair in _SPACED.findall(text.lower()))

    def joined(found: re.Match[str]) -> str:
        is_one = pairs[found[1].lower(), found[2].lower()] >= _LEAST_SPACED
        return f"{found[1]}-" if is_one else found[0]

    return [_SPACED.sub(joined, text) if index in spaced else text for index, text in enumerate(texts)]


def _can_name(text: str, stemmed: str) -> bool:
    """Whether a word in small letters may be a word of a name."""
    return (
        len(text.replace("_", "")) > 2
        and text[0].isalpha()
        and not (
            is_function_word(stemmed)
            or is_general_word(stemmed)
            or stemmed in _OF_ANY_MEETING
            or text in _BEFORE_NO_NOUN
            or text in _BEFORE_NOUN
            or _CONTRACTED.search(text)
            or text.endswith("ly")
        )
    )


def _closes(text: str, stemmed: str) -> bool:
    """Whether a word in small letters or a mark may follow a noun, and hardly an adjective."""
    return not text[0].isalpha() or text in _BEFORE_NO_NOUN or is_function_word(stemmed)


def _names(words: _Words) -> Iterator[_Name]:
    """The phrases that may name a topic."""
    count = len(words.stems)

    def share(of: BoolArray) -> FloatArray:
        found: FloatArray = np.bincount(words.stem, weights=of, minlength=count) / np.maximum(
            1, np.bincount(words.stem, minlength=count)
        )
        return found

    is_verb = share(words.is_after_subject) > _MOST_AFTER_SUBJECT
    can_name = words.can_name & ~is_verb[words.stem]
    ends = np.concatenate((~can_name[1:], [True]))
    begins = np.concatenate(([True], ~can_name[:-1]))
    ending = share((words.is_opened | ~begins) & words.is_closed)
    is_noun = ending >= _LEAST_ENDING
    is_alone = is_noun & (ending >= _LEAST_ENDING_ALONE)
    is_alone &= share(words.is_determined & words.is_closed) >= _LEAST_DETERMINED
    for size in range(1, min(_LONGEST, len(words.stem)) + 1):
        runs = [slice(at, len(words.stem) - size + 1 + at) for at in range(size)]
        fits = np.logical_and.reduce([can_name[run] for run in runs])
        tells = np.logical_or.reduce([words.tells[run] for run in runs])
        fits &= tells if size == 1 else ~np.logical_and.reduce([words.is_of_speaker[run] for run in runs])
        fits &= (is_alone if size == 1 else is_noun)[words.stem[runs[-1]]] & words.can_end[runs[-1]]
        keys = words.stem[runs[0]]
        for before, run in pairwise(runs):
            keys = keys * count + words.stem[run]
            # "beep beep" names nothing.
            fits &= words.stem[before] != words.stem[run]
        places = np.flatnonzero(fits)
        for group in _grouped(keys[places], _LEAST_ALONE if size == 1 else _LEAST):
            at = places[group]
            if not tells[at[0]] and len(at) < _LEAST_OF_GENERAL:
                continue
            if size > 1 and (
                words.is_after_subject[at].mean() > _MOST_AFTER_SUBJECT
                or (~ends[at + size - 1]).mean() > _MOST_GOING_ON
            ):
                continue
            name = _name(words, at, size)
            if name is not None:
                yield name


def _grouped(keys: IntArray, least: int) -> Iterator[IntArray]:
    """The places of each key that occurs so often at least, ascending."""
    if not len(keys):
        return
    order = np.argsort(keys, kind="stable")
    bounds = (np.flatnonzero(np.diff(keys[order])) + 1).tolist()
    for start, end in pairwise([0, *bounds, len(keys)]):
        if end - start >= least:
            yield order[start:end]


def _name(words: _Words, places: IntArray, size: int) -> _Name | None:
    """The phrase that stands at these places as the name of a topic, if it names one."""
    at = words.place[places]
    inside = np.searchsorted(at, at + _STRETCH) - np.arange(len(at))
    start = int(np.argmax(inside))
    here = places[start : start + int(inside[start])]

    def times(of: IntArray) -> tuple[int, int]:
        return len({*words.sentence[of].tolist()}), len({*words.turn[of].tolist()})

    sentences, turns = times(here)
    # People and places are mentioned in passing.
    is_proper = all(words.is_capital[here + at].all() for at in range(size))
    if sentences < (_LEAST_ALONE - 1 if size == 1 else _LEAST + is_proper):
        return None
    score = _IN_STRETCH * (sentences + turns - 1) + sum(times(places)) - 1
    return _Name(
        stems=tuple(words.stem[places[0] : places[0] + size].tolist()),
        score=score * _BY_LENGTH[size - 1],
        first=int(words.place[here[0]]),
        last=int(words.place[here[-1]]),
        length=int(np.minimum(np.diff(at), _WORDS_BETWEEN).sum()) + _WORDS_BETWEEN,
        places=places,
    )


def _best(names: Sequence[_Name], most: int) -> list[_Name]:
    """The names that score highest together: none repeats a word of another, most name other stretches."""
    chosen: list[_Name] = []
    left = list(names)
    while left and len(chosen) < most:
        best = max(left, key=lambda name: name.score * (1 - _TAKEN * _overlap(name, chosen)))
        chosen.append(best)
        left = [name for name in left if not {*name.stems} & {*best.stems}]
    return chosen


def _overlap(name: _Name, chosen: Sequence[_Name]) -> float:
    """The largest share of a stretch that another has in common with it."""
    length = max(1, name.last - name.first)
    return max(
        (max(0, min(name.last, other.last) - max(name.first, other.first)) / length for other in chosen),
        default=0.0,
    )
