"""What is told of a meeting: passages of what one speaker says, each understood by who was not there.

A sentence out of a discussion says little, however much it names. Readers who make a summary by hand quote
fewer speeches, each of some sentences one after another: the first says what is spoken of, the others lean on
it. They begin where somebody announces what is to come ("what we've been doing is", "the problem is", "I
worked on", "we decided") and leave out what is torn, said as an example, or of the sitting itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.clauses import lacks_main_clause
from lsum_cli.methods.extract.conversations.lapses import (
    is_of_the_course,
    is_small_talk,
    restarts,
    scores,
)
from lsum_cli.methods.extract.conversations.soundness import is_torn
from lsum_cli.methods.extract.conversations.speech import ELLIPSIS, WORD, tidy
from lsum_cli.methods.extract.conversations.utterances import (
    announces,
    bodies,
    counts,
    frame_of,
    is_of_the_sitting,
    needs_words_before,
    points_at,
    substance_of,
    turns_of,
)
from lsum_cli.methods.extract.conversations.wholeness import is_broken, only_supposes
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# What somebody announces, in small letters: what it counts, in standard deviations of the scores.
_DOES = r"working|looking|trying|planning|testing|doing|training|building|writing|collecting|going to|gonna"
_DID = (
    r"worked|started|finished|downloaded|tested|ran|tried|trained|built|wrote|implemented|looked at|collected"
    r"|found|noticed|measured|received|recorded|added|asked|got"
)
_ANNOUNCES = (
    # What is settled.
    (
        1.2,
        regex(
            r"\bwe(?:['’]ve| have)? (?:(?:all|just|already|basically|also|sort of|kind of) )*"
            r"(?:decided|agreed|concluded|settled|chose)\b|\b(?:decision|conclusion|consensus|upshot)\b"
            r"|\b(?:let['’]s|we['’]ll|we['’]re (?:going to|gonna)|i['’]d) (?:go (?:for|with)|stick with|use"
            r"|have|put)\b"
        ),
    ),
    # What is done and found, and what is to be done.
    (
        1.0,
        regex(
            r"\bwhat (?:i|we)(?:['’]\w+)?\b.{0,50}\b(?:is|was)\b"
            rf"|\b(?:i|we)(?:['’]ve| have)? (?:[\w-]+ ){{0,2}}(?:been (?:{_DOES})|{_DID})\b"
            rf"|\b(?:i['’]m|i am|we['’]re|we are) (?:\w+ )?(?:{_DOES})\b"
        ),
    ),
    (
        0.85,
        regex(
            r"\b(?:the|my|our|one|a|another|main|big|only|real) (?:\w+ )?(?:plan|idea|problem|question|goal"
            r"|aim|point|issue|purpose|reason|task|challenge|concern|thing|proposal|option|possibility"
            r"|topic|motto)"
            r" (?:that \w+ \w+ )?(?:is|was|are|would be)\b"
            r"|\bi(?:['’]d| would) (?:like|propose|suggest|recommend)\b|\bi (?:suggest|propose|recommend)\b"
            r"|\bi think (?:we|it) (?:should|need)\b|\bwe (?:should|need to|have to|must|could|can)\b"
            r"|\bi want(?:ed)? to\b"
            r"|\bnext (?:week|meeting|step|thing|month)\b|\bdeadline\b"
            r"|\bby (?:(?:mon|tues|wednes|thurs|fri)day|next|the end)\b"
            r"|\byou(?: will|['’]ll) (?:be )?(?:work|prepar|design|look)\w*"
        ),
    ),
    (
        0.7,
        regex(
            r"\b(?:percent|per cent|users?|people|customers?|market|euros?|budget|cost|research|survey"
            r"|results?)\b"
        ),
    ),
)
# It leads up to what others tell.
_LEADS_UP = regex(
    r"\b(?:to (?:summari[sz]e|recap|sum up|wrap up|begin with|start with)"
    r"|i(?:['’]ll| will) (?:just )?(?:list|start|explain|describe|let you know|come back)|as follows"
    r"|(?:that|this)['’]?s (?:why|where|when|what) i"
    r"|(?:(?:two|three|four|five|a few|several|many|some|different|other) )+(?:things|points|questions|issues"
    r"|ideas|options|problems)\W*$)\b"
)
# It goes on from what was said before it.
_GOES_ON = regex(
    r"(?:in fact|then|but|and|so|also|again|on top of that|now|as well as that|actually|anyway|either way"
    r"|because|of course|in addition|instead|or|just|(?:as|like) i said|in that|even)\b"
)
# It answers, or gives a reason of, what is not shown.
_ANSWERS = regex(
    r"(?:yeah|yes|yep|no|nope|okay|ok|right|because|['’]?cause|cuz|sounds|seems|looks|supposed|course|except|took|got"
    r"|went|keeping|having|making|using|being|i mean|you know|like|for instance that|that maybe|well|not"
    r"|only (?:if|when|because))\b"
)
# What would be, of anybody: an example.
_EXAMPLE = regex(r"(?:(?:so|and|but|then) )*(?:if|when|say|suppose)\b.*\b(?:you|i)\b")
_OF_GOING_ON, _OF_AN_EXAMPLE, _OF_COUNTING_ON, _OF_NO_STOP = 0.25, 0.5, 0.4, 0.6
# How much the score of a sentence counts beside what it announces: most of it are its length and its terms.
_OF_THE_SCORE, _MOST_OF_THE_SCORE = 1.0, 2.5
# A passage has so many sentences and words at most; between two of them others may say so many words, as who
# listens does.
_MOST_SENTENCES, _MOST_WORDS, _LONGEST_REMARK, _MOST_REMARKS = 4, 80, 3, 8
# Words of what opens a passage, of a question that does, and of what ends one, which says something itself.
_FEWEST_OF_AN_OPENING, _FEWEST_OF_A_QUESTION, _FEWEST_OF_AN_END, _LEAST_OF_AN_END = 7, 9, 6, 0.4
# Of fewer words two must be of what is talked about; of still fewer one.
_SAYS_MORE, _SAYS_SOMETHING = 10, 8
# What is worth less within a passage ends it.
_LEAST_WITHIN = -0.6
# Sentences of fewer words may lack the form of one where they follow others.
_SHORT = 12
# A sentence of a passage has so many words; one without a stop so many at least.
_FEWEST_WORDS, _LONGEST_SENTENCE, _FEWEST_WITHOUT_STOP = 4, 55, 10
# "Maybe we should", and "because I think" in a passage, begin at their beginning.
_LIGHT_OPENING = regex(r"maybe (?=(?:i|we|you|they|it|there|the)\b)|(?:because|['’]?cause|cuz) (?!of\b)")
# What is seen or done there, what names nothing, what is not known, an example, what can be pointed at.
_FAULTS = (
    (
        1.2,
        regex(
            r"\b(?:screen|slide|laptop|(?:white|black)board|powerpoint|microphone|mike|lunch|coffee|dinner"
            r"|camera|draw|drawing|cable|pen)\b"
        ),
    ),
    (0.6, regex(r"\b(?:something|stuff|things?|sort of|kind of|whatever|somehow)\b")),
    (
        0.6,
        regex(r"\bi (?:do ?n['’]t know|guess|dunno)\b|\bnot sure\b|\bi (?:ca|do) ?n['’]t remember\b"),
    ),
    (0.5, regex(r"\b(?:for (?:example|instance)|suppose|let['’]s say|say you|imagine)\b")),
    (0.7, regex(r"\b(?:here|th(?:is|at) one|over there|like th(?:is|at))\b")),
    (0.5, regex(r"\bi mean\b|\byou know\b|\b(?:or|and) (?:something|whatever|stuff)\b")),
    # How the speech goes on.
    (
        1.2,
        regex(
            r"\bwhat i (?:have|want|wanted) to (?:say|tell)\b|\bi['’]m continuing\b"
            r"|\bconcludes (?:my|our|the)\b|\bjust (?:talking|speaking) about\b"
        ),
    ),
    # "To like look at it".
    (
        0.5,
        regex(r"\b(?:to|and|just|of|in|would|was|be|have|had|\w+['’](?:s|re|m)) like (?!to\b|that\b|this\b)"),
    ),
)
_OF_A_SCORE, _OF_POINTING, _OF_TEN_WORDS, _READ_AT_ONCE = 1.2, 0.6, 0.6, 26
# What twice the words count, from so many words, up to so many.
_OF_LENGTH, _USUAL_WORDS, _ENOUGH_WORDS, _OF_EXCESS = 0.9, 30, 60, 0.4
# What a passage loses that repeats what is told, or whose stretch of the meeting has its share of the words.
_OF_REPEATING, _OF_A_TOLD_STRETCH, _WORDS_OF_A_STRETCH = 1.5, 0.8, 45
# What is worth less fills no more than this share of the words: a shorter summary is read more gladly.
_LEAST_WORTH, _SHARE_OF_ANY = -0.5, 0.75


@dataclass(frozen=True, kw_only=True)
class Utterances:
    """What of a meeting can be quoted in passages; one value per sentence.

    Attributes:
        said: What is said, as it is quoted.
        is_sound: Whether it is a whole sentence that is not torn, and of what is talked about.
        opens: Whether a passage may begin with it.
        is_enough: Whether it may be all of a passage that it opens.
        ends: Whether a passage of several may end with it, if it is worth enough.
        added: What it counts besides its score, in standard deviations of the scores.
        num_words: Its words.
    """

    said: Sequence[str]
    is_sound: BoolArray
    opens: BoolArray
    is_enough: BoolArray
    ends: BoolArray
    added: FloatArray
    num_words: IntArray

    @classmethod
    def of(cls, candidates: Candidates, is_presentable: BoolArray) -> Utterances:
        """Look at what is said in a meeting in English.

        Args:
            candidates: The sentences of one meeting.
            is_presentable: Which of them have the form of a sentence.
        """
        texts = bodies(candidates)
        said = [tidy(text) for text in texts]
        spoken = Counter(WORD.findall(" ".join(texts).lower()))
        substance, frame = substance_of(candidates), frame_of(candidates)
        sound, opens, alone, ends = (np.zeros(len(said), bool) for _ in range(4))
        added = np.zeros(len(said))
        num_words = np.array([len(text.split()) for text in said], np.int64)
        for position, text in enumerate(said):
            words = int(num_words[position])
            if not (
                (is_presentable[position] or words < _SHORT)
                and (substance[position] >= 1 or words >= _SAYS_SOMETHING or frame.tells(position))
                and _is_sound(text, words, spoken, is_of_frame=frame.tells(position))
            ):
                continue
            lowered = text.lower()
            sound[position] = True
            is_of_frame = frame.tells(position)
            tells = not (text.endswith("?") or announces(lowered) or _LEADS_UP.search(lowered) is not None)
            alone[position] = is_of_frame or (tells and words >= _FEWEST_OF_AN_OPENING)
            ends[position] = is_of_frame or (
                tells
                and words >= _FEWEST_OF_AN_END
                and substance[position] >= (1 if words >= _SAYS_MORE else 2)
            )
            counted_on, leans = needs_words_before(lowered)
            is_short = words < _FEWEST_OF_AN_OPENING or (text.endswith("?") and words < _FEWEST_OF_A_QUESTION)
            opens[position] = is_of_frame or not (
                leans or is_short or substance[position] < 1 or _ANSWERS.match(lowered)
            )
            added[position] = (
                max((worth for worth, pattern in _ANNOUNCES if pattern.search(lowered)), default=0.0)
                - _faults(lowered, words)
                - _OF_COUNTING_ON * counted_on
                - _OF_NO_STOP * text.endswith(ELLIPSIS)
                - _OF_GOING_ON * (bool(opens[position]) and _GOES_ON.match(lowered) is not None)
                # What the meeting is for, and comes to, is told in few words.
                + is_of_frame * max(0.0, -_length_counts(words))
            )
        return cls(
            said=said,
            is_sound=sound,
            opens=opens,
            is_enough=alone,
            ends=ends,
            added=added,
            num_words=num_words,
        )


@dataclass(frozen=True, kw_only=True)
class Passage:
    """Sentences of one speaker, one after another.

    Attributes:
        positions: Their positions.
        worth: What it is worth to a reader, in standard deviations of the scores.
        num_words: Its words.
    """

    positions: tuple[int, ...]
    worth: float
    num_words: int


def passages_of(candidates: Candidates, utterances: Utterances, values: FloatArray) -> list[Passage]:
    """The passages that may be quoted of a meeting, of every length.

    Args:
        candidates: The sentences of the meeting.
        utterances: What of them can be quoted.
        values: What each is worth.
    """
    speaker = turns_of(candidates).speaker
    found = []
    for first in np.flatnonzero(utterances.opens & utterances.is_sound).tolist():
        example = _OF_AN_EXAMPLE * (_EXAMPLE.match(utterances.said[first].lower()) is not None)
        for positions in _runs(utterances, values, speaker, first):
            last, rows = positions[-1], list(positions)
            is_whole = (
                utterances.ends[last] and values[last] >= _LEAST_OF_AN_END
                if last > first
                else utterances.is_enough[first]
            )
            if not is_whole:
                continue
            lengths = utterances.num_words[rows]
            words = int(lengths.sum())
            mean = float(values[rows] @ lengths) / words
            worth = (float(values[first]) + mean) / 2 + _length_counts(words) - example
            found.append(Passage(positions=positions, worth=worth, num_words=words))
    return found


def _length_counts(words: int) -> float:
    """What a passage counts for its length: most where it is long enough to be understood, and no longer."""
    return _OF_LENGTH * math.log2(min(words, _ENOUGH_WORDS) / _USUAL_WORDS) - _OF_EXCESS * (
        max(0, words - _ENOUGH_WORDS) / _USUAL_WORDS
    )


def _runs(
    utterances: Utterances, values: FloatArray, speaker: IntArray, first: int
) -> Iterator[tuple[int, ...]]:
    """The runs of sentences of the same speaker from the first on, past remarks of who listens."""
    run: list[int] = []
    words, last = 0, min(len(speaker), first + _MOST_SENTENCES + _MOST_REMARKS)
    for position in range(first, last):
        length = int(utterances.num_words[position])
        is_own = speaker[position] == speaker[first]
        if position > first and length <= _LONGEST_REMARK - is_own:
            if utterances.said[position].endswith("?"):
                return
            continue
        words += length
        if not is_own or not utterances.is_sound[position]:
            return
        if run and (words > _MOST_WORDS or values[position] < _LEAST_WITHIN):
            return
        run.append(position)
        yield tuple(run)
        if len(run) == _MOST_SENTENCES or utterances.said[position].endswith(ELLIPSIS):
            return


def select_passages(
    candidates: Candidates, passages: Sequence[Passage], num_words: int, among: Collection[int] | None = None
) -> list[int]:
    """The positions of the passages that together tell most, in order.

    Args:
        candidates: The sentences of the meeting.
        passages: Those to choose from.
        num_words: The most words they may have.
        among: Positions of which every passage is made; by default all.
    """
    count = max(3, num_words // _WORDS_OF_A_STRETCH)
    before = np.cumsum(candidates.num_words) - candidates.num_words
    stretch = (count * before // max(1, int(candidates.num_words.sum()))).astype(np.int64)
    terms = candidates.terms
    weight = np.log1p(terms.frequency) * np.log1p(terms.num_rows / np.maximum(1, terms.frequency))
    columns = [
        np.unique(np.concatenate([terms.columns[terms.row(position)] for position in each.positions]))
        for each in passages
    ]
    own = np.array([weight[each].sum() for each in columns])
    worth = np.array([each.worth for each in passages])
    words = np.array([each.num_words for each in passages])
    at = stretch[[each.positions[0] for each in passages]] if passages else np.zeros(0, np.int64)
    is_open = np.array(
        [among is None or all(position in among for position in each.positions) for each in passages], bool
    )
    told, used, chosen, left = np.zeros(terms.num_terms), np.zeros(count), set[int](), num_words
    while (is_open & (words <= left)).any():
        shared = np.array([(weight[each] * told[each]).sum() for each in columns]) / np.maximum(1e-9, own)
        gain = worth - _OF_REPEATING * shared - _OF_A_TOLD_STRETCH * used[at] / _WORDS_OF_A_STRETCH
        best = int(np.argmax(np.where(is_open & (words <= left), gain, -np.inf)))
        if gain[best] < _LEAST_WORTH and left < (1 - _SHARE_OF_ANY) * num_words:
            break
        chosen.update(passages[best].positions)
        told[columns[best]] = 1
        used[at[best]] += words[best]
        left -= int(words[best])
        is_open &= np.array([chosen.isdisjoint(each.positions) for each in passages], bool)
    return sorted(chosen)


def _is_sound(text: str, words: int, spoken: Counter[str], *, is_of_frame: bool) -> bool:
    """Whether what is said is one whole sentence, of what is talked about."""
    if not _FEWEST_WORDS <= words <= _LONGEST_SENTENCE:
        return False
    lowered = text.lower()
    if text.endswith(ELLIPSIS) and (words < _FEWEST_WITHOUT_STOP or only_supposes(lowered)):
        return False
    light = _LIGHT_OPENING.match(lowered)
    return not (
        is_broken(lowered[light.end() :] if light else lowered)
        or is_torn(text, spoken)
        or counts(lowered)
        or restarts(lowered)
        or is_small_talk(lowered)
        or (is_of_the_sitting(lowered) and not is_of_frame)
        or (not text.endswith("?") and lacks_main_clause(text))
    )


def _faults(lowered: str, words: int) -> float:
    """What tells against quoting what is said, in small letters, in standard deviations of the scores."""
    return (
        sum(cost for cost, pattern in _FAULTS if pattern.search(lowered))
        + _OF_A_SCORE * (scores(lowered) or is_of_the_course(lowered))
        + _OF_POINTING * points_at(lowered)
        + _OF_TEN_WORDS * max(0, words - _READ_AT_ONCE) / 10
    )


def value_of(ranked: FloatArray) -> FloatArray:
    """What the score of each sentence counts for the worth of a passage."""
    standard = (ranked - ranked.mean()) / max(1e-9, float(ranked.std()))
    counted: FloatArray = _OF_THE_SCORE * np.minimum(standard, _MOST_OF_THE_SCORE)
    return counted
