"""Minutes of a conversation: its topics in order, what was said of each, decisions and tasks.

Talk has no headings, but it turns from one topic to another, and the words change where it does (TextTiling,
Hearst 1997). A topic is named by the phrases that it repeats and the others do not; of each a sentence or two
is quoted with its speaker.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import SPEAKER
from lsum_cli.methods.extract.salience import closeness
from lsum_cli.methods.extract.talk import FILLER, bodies, hesitates, is_whole
from lsum_cli.text.keywords import key_phrases
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

DECIDED = "Decisions and tasks"
# Words of a topic, and how many topics there may be.
_WORDS_OF_A_TOPIC = 1500
_LEAST_TOPICS, _MOST_TOPICS = 2, 6
# Words on either side of a place that are compared to see whether the topic changes there.
_REACH = 250
# A topic is no shorter than this share of what each would have.
_LEAST_SHARE = 0.45
# Words of a sentence, of decisions among those of the summary, and of a sentence of a topic.
_SHORTEST, _LONGEST = 11, 45
_SHARE_OF_DECISIONS = 0.3
_WORDS_OF_A_QUOTATION = 24
# What counts how much, in standard deviations of salience.
_SALIENCE = 0.6
_CLOSE, _POINTER, _STARTS, _NUMBER, _ASIDE, _HESITATES = 1.5, -0.3, -0.4, 0.3, -1.5, -0.7

# What the sentences after the first count in a passage, how many there may be and of how many words, and what
# a second passage must be worth.
_GOES_ON, _LONGEST_PASSAGE, _LONGEST_WORDS, _LEAST = 0.5, 3, 60, 1.5

_POINTERS = regex(
    r"\b(?:this|that(?! (?:we|the|you|I|people|there))|these|those|here|it|they|them|he|she|him|his|her"
    r"|one|ones|thing|things|stuff"
    r"|something|so|such|then)\b(?:['’]s)?",
    re.IGNORECASE,
)
_CONNECTED = regex(r"(?:and|but|or|then|also|which|because|'cause|so that|so then|well)\b", re.IGNORECASE)
_ASIDES = regex(
    r"\b(?:i (?:dunno|guess|wonder|mean|wish|bet|remember|didn['’]t|can['’]t|was|had|just|do like)"
    r"|i['’]m (?:sure|just|not)"
    r"|why don['’]t|maybe|perhaps|somebody|someone|my friend|funny|weird|wow|joke|drinks?|lunch|cool|lovely"
    r"|(?:very much|thank)|questions? (?:are|is) from|the question that i|moving on|come (?:in"
    r"|back) (?:on|to)"
    r"|this term"
    r"|^(?:(?:well|so|and|but|okay),? )*(?:are|is|do|does|did|shall|should|can|could|would|have|has|am)"
    r" (?:we|you|it|they|there|I|that)"
    r"|see you|right here|over here|as you can see|item \d|papers to note|for the record)\b",
    re.IGNORECASE,
)
_DECISIONS = regex(
    r"\b(?:we(?:['’]ve| have)? (?:\w+ )?(?:decided|agreed|chosen?|settled|concluded?|resolved|approved)"
    r"|(?:the |our |a )(?:\w+ )?(?:decision|agreement|conclusion|recommendation)s? (?:is|was|to|that|are)"
    r"|we(?:['’]ll| will|['’]re going to|['’]re gonna| are going to|['’]re| should) (?:\w+ )?"
    r"(?:go (?:with|for)|use|keep|stick|include|make|publish|introduce|provide|write|send|have|need|bring)"
    r"|let['’]s (?:go (?:with|for)|use|keep|say|make|have|do)"
    r"|(?:motion|amendment) (?:is )?(?:agreed|carried|adopted)|the government (?:will|is committed to"
    r"|has committed)"
    r"|we (?:are|['’]re) (?:committed|planning) to|we recommend|i recommend|we commit)\b",
    re.IGNORECASE,
)
_TASKS = regex(
    r"\b(?:(?:for|before|by|at|in|until) (?:the |our )?next (?:meeting|week|time|month|session)"
    r"|action (?:points?|items?)|deadline|by (?:monday|tuesday|wednesday|thursday|friday|the end of)"
    r"|you(?:['’]ll| will| are going to|['’]re going to) (?:\w+ )?(?:work|look|prepare|design|make"
    r"|present|write|send)"
    r"|(?:i|we)(?:['’]ll| will| can| could) (?:\w+ )?(?:send|write|prepare|look into|come back"
    r"|report back|publish|follow up"
    r"|circulate|provide (?:you|the committee|a note)|share|arrange|set up|organi[sz]e|talk to|ask|check))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Topic:
    """What is quoted of a topic, in order, under its name."""

    heading: str
    positions: tuple[int, ...]


def take_minutes(
    candidates: Candidates, scores: FloatArray, is_presentable: BoolArray, num_words: int
) -> list[Topic]:
    """The minutes of a conversation in so many words; none where it has too little to divide.

    Args:
        candidates: Its sentences.
        scores: Their salience, with what each is worth to a reader of minutes.
        is_presentable: Which can be shown at all.
        num_words: Maximum number of words.
    """
    segments = _segments(candidates)
    if len(segments) < _LEAST_TOPICS:
        return []
    texts = bodies(candidates)
    choice = _Choice(candidates, texts, scores, is_presentable, segments)
    decided = np.array(
        [1.0 * bool(_DECISIONS.search(text)) + 0.8 * bool(_TASKS.search(text)) for text in texts]
    )
    taken = choice.take(np.flatnonzero(decided > 0), int(_SHARE_OF_DECISIONS * num_words), 3, decided)
    room = num_words - int(candidates.num_words[taken].sum())
    quoted: list[list[int]] = []
    for number, rows in enumerate(segments):
        share = max(room // (len(segments) - number), min(room, _LONGEST))
        quoted.append(choice.take(rows, share, 2))
        room -= int(candidates.num_words[quoted[-1]].sum())
    names = _names(texts, segments)
    topics = [
        Topic(heading=name, positions=tuple(sorted(rows)))
        for name, rows in zip(names, quoted, strict=True)
        if rows
    ]
    if taken:
        topics.append(Topic(heading=DECIDED, positions=tuple(sorted(taken))))
    return topics


class _Choice:
    """The passages that can be quoted: a sentence, or up to three that one speaker says in a row."""

    def __init__(
        self,
        candidates: Candidates,
        texts: list[str],
        scores: FloatArray,
        is_presentable: BoolArray,
        segments: list[IntArray],
    ) -> None:
        self._candidates = candidates
        self._held = np.zeros(candidates.terms.num_terms, bool)
        values = _SALIENCE * (scores - scores.mean()) / max(1e-9, float(scores.std()))
        # A sentence says the more, the more terms of its topic it has.
        close = closeness(candidates, segments) * np.sqrt(np.maximum(4, np.diff(candidates.terms.starts)))
        values = values + _CLOSE * (close - close.mean()) / max(1e-9, float(close.std()))
        words = np.maximum(_SHORTEST, candidates.num_words)
        leaning = np.zeros(len(texts))
        for number, text in enumerate(texts):
            leaning[number] = _POINTER * len(_POINTERS.findall(text)) * _WORDS_OF_A_QUOTATION / words[number]
            leaning[number] += _STARTS * (_CONNECTED.match(text) is not None)
            values[number] += _ASIDE * (_ASIDES.search(text) is not None)
            values[number] += _NUMBER * any(sign.isdigit() for sign in text)
        self._after = values + _HESITATES * hesitates(candidates)
        self._alone = self._after + leaning
        is_sentence = np.array([text[:1].isupper() or not text[:1].isalpha() for text in texts], bool)
        can_be = is_presentable & is_whole(candidates) & is_sentence & (candidates.num_words <= _LONGEST)
        self._can_follow = can_be
        self._can_be = can_be & (candidates.num_words >= _SHORTEST)
        self._turn = np.cumsum(
            [
                bool(opens) and SPEAKER.match(sentence.text) is not None
                for opens, sentence in zip(candidates.opens_paragraph, candidates.sentences, strict=True)
            ]
        )

    def take(self, rows: IntArray, room: int, most: int, bonus: FloatArray | None = None) -> list[int]:
        """The best passages among some rows, in so many words."""
        passages = []
        for row in rows[self._can_be[rows]].tolist():
            value, words = float(self._alone[row]), 0
            value += 0.0 if bonus is None else float(bonus[row])
            for end in range(row, min(row + _LONGEST_PASSAGE, len(self._turn))):
                if end > row and not (self._can_follow[end] and self._turn[end] == self._turn[row]):
                    break
                words += int(self._candidates.num_words[end])
                if end > row:
                    value += _GOES_ON * float(self._after[end])
                if words > _LONGEST_WORDS:
                    break
                passages.append((value, words, tuple(range(row, end + 1))))
        terms = self._candidates.terms
        taken: list[int] = []
        for value, words, passage in sorted(passages, key=lambda each: -each[0]):
            if most == 0 or (taken and value < _LEAST):
                break
            columns = np.concatenate([terms.columns[terms.row(row)] for row in passage])
            repeats = len(columns) > 0 and self._held[columns].mean() > 0.6
            if repeats or words > room or set(passage) & set(taken):
                continue
            taken += passage
            self._held[columns] = True
            self._can_be[list(passage)] = self._can_follow[list(passage)] = False
            room -= words
            most -= 1
        return taken


def _segments(candidates: Candidates) -> list[IntArray]:
    """The sentences of each topic, in order: cut where the words before and after have least in common."""
    words = np.concatenate(([0], np.cumsum(candidates.num_words)))
    total = int(words[-1])
    count = int(min(_MOST_TOPICS, max(_LEAST_TOPICS, round(total / _WORDS_OF_A_TOPIC))))
    places = [place for place in np.flatnonzero(candidates.opens_paragraph).tolist() if place]
    if total < _REACH * count or len(places) < count:
        return []
    terms = candidates.terms
    # What nearly every stretch has tells none from another.
    weight = np.log1p(terms.num_rows / np.maximum(1, terms.frequency)) * (terms.frequency > 1)
    kept = np.argsort(-terms.frequency, kind="stable")[:400]
    number_of = np.full(terms.num_terms, -1)
    number_of[kept] = np.arange(len(kept))
    entries = number_of[terms.columns] >= 0
    matrix = np.zeros((len(candidates) + 1, len(kept)))
    rows = terms.row_of_entry[entries] + 1
    columns = number_of[terms.columns[entries]]
    np.add.at(matrix, (rows, columns), terms.counts[entries] * weight[terms.columns[entries]])
    matrix = np.cumsum(matrix, axis=0)
    begins = np.searchsorted(words, words[places] - _REACH)
    ends = np.searchsorted(words, words[places] + _REACH).clip(max=len(candidates))
    before = matrix[places] - matrix[begins]
    after = matrix[ends] - matrix[places]
    norms = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    likeness = (before * after).sum(axis=1) / np.maximum(1e-9, norms)
    least = _LEAST_SHARE * total / count
    cuts: list[int] = []
    for place in np.argsort(likeness, kind="stable").tolist():
        at = int(words[places[place]])
        far = all(abs(at - int(words[cut])) >= least for cut in (0, len(candidates), *cuts))
        if far:
            cuts.append(places[place])
        if len(cuts) == count - 1:
            break
    bounds = [0, *sorted(cuts), len(candidates)]
    return [np.arange(start, end) for start, end in pairwise(bounds)]


def _names(texts: list[str], segments: list[IntArray]) -> list[str]:
    """A name for each topic: the phrases that it repeats and hardly another does."""
    phrases = [
        key_phrases([FILLER.sub(" , ", texts[row]) for row in rows.tolist()], most=12) for rows in segments
    ]
    whole = [" ".join(texts[row] for row in rows.tolist()).casefold() for rows in segments]
    names = []
    for number, own in enumerate(phrases):
        ranked = sorted(
            enumerate(own),
            key=lambda each: (
                each[0] / 4
                - 4
                * whole[number].count(each[1].casefold())
                / max(1, sum(text.count(each[1].casefold()) for text in whole))
            ),
        )
        chosen = [phrase for _, phrase in ranked[:3]]
        names.append(", ".join(chosen) if chosen else f"Part {number + 1}")
    return [name[:1].upper() + name[1:] for name in names]
