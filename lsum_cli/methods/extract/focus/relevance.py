"""The focus of a summary: how much each sentence says about a question or some words of the user.

A sentence is about a question as far as the words of the question, or others that say nearly the same, are
in it or in those beside it (each word counts by its rarity), and in its heading; in English also as far as
an encoder finds it near in meaning. Terms that occur beside the question's words in the document count too
(local context analysis, Xu and Croft 1996), a sentence that repeats them (BM25, Robertson and Zaragoza 2009),
and where the question asks for a number or a date that there is one. The weights are fitted to questions of
readers and the sentences that answer them; ``benchmarks.summaries.questions`` measures them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lsum_cli.errors import OptionError
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.focus.headings import under_heading_of
from lsum_cli.methods.extract.focus.marks import asks_only_for_decisions, marked
from lsum_cli.methods.extract.focus.ranking import FocusRanking, with_outcomes
from lsum_cli.methods.extract.focus.statements import (
    Answer,
    Asked,
    Basis,
    asked_statements,
    asks_for_the_whole,
    names_aspect,
)
from lsum_cli.methods.extract.focus.words import FocusWord, akin_term, akin_terms, as_written
from lsum_cli.methods.extract.guides.faq import Faq
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind
from lsum_cli.methods.extract.ranking.salience import standardised
from lsum_cli.methods.extract.separate_opinions import opinions
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.summaries import TOPIC_BREAK
from lsum_cli.text.encoder import Array, packaged_encoder, similarity
from lsum_cli.text.languages import detect, scripts
from lsum_cli.text.patterns import NUMBER_WORDS, regex
from lsum_cli.text.terms import (
    BoolArray,
    FloatArray,
    IntArray,
    is_asking_word,
    question_terms,
)

# BM25: how soon repetition of a word stops counting, and how much long sentences are discounted.
_SATURATION, _LENGTH_DISCOUNT = 1.2, 0.5
# Related terms: how many, and what they weigh against the words of the focus.
_MOST_RELATED = 12
# A term is related where it occurs near the focus in this many sentences, and this much more than elsewhere.
_LEAST_TOGETHER, _LEAST_LIFT = 2, 2.0
# A sentence without a word of the focus is about it beside one that has, if it is so much related to it, and
# with a word that says nearly the same, if it is this share as relevant as the most relevant one.
_MUCH_RELATED, _MUCH_RELEVANT = 0.3, 0.5
# Fewer words do not tell their language.
_WORDS_TO_TELL = 3
# How far a word counts for the sentences beside its own, and how much for the next: a passage about the focus
# names it once. In talk, whose sentences are short, farther.
_NEAR, _DECAY = 2, 0.6
_NEAR_IN_TALK, _DECAY_IN_TALK = 10, 0.9
# What counts how much: the words in or near a sentence, its heading, related terms, repetition; where a
# number or a date is asked for, that there is one.
_OF_WORDS, _OF_HEADING, _OF_RELATED, _OF_REPETITION = 5.3, 2.8, 0.7, 0.4
_OF_NUMBER, _OF_DATE = 3.1, 2.4
# How near it is in meaning, and those beside it, each so much less: of so many sentences that stand highest
# by all else and by their words alone.
_OF_MEANING, _OF_ROUGH_MEANING, _BESIDE, _MOST_ENCODED = 7.0, 5.0, 0.25, 64
# How much less each further sentence of an answer answers than the one before it.
_ANSWERS_ON = 0.85
# From where on sentences are not far in meaning, alike, and surely so: to a question about another document
# the nearest sentence has 0.28 or less in three of four cases, 0.37 in 19 of 20, 0.47 in 99 of 100.
_NOT_FAR, _ALIKE, _SURELY_ALIKE = 0.15, 0.33, 0.5
# Below this nothing answers a question no more than half of whose words, by weight, are said in one place.
_UNLIKE = 0.4
# How relevance to the focus and general salience are weighed.
_RELEVANCE_WEIGHT, _SALIENCE_WEIGHT = 5.0, 0.13
_ASKS_NUMBER = regex(
    r"\bhow (?:many|much|long|often|big|large|far|old|high|fast)\b"
    r"|\bwhat (?:number|percentage|share|size|rate|age)\b",
    re.IGNORECASE,
)
_NUMBER = regex(
    rf"\d|\b(?:{NUMBER_WORDS}|hundred|thousand|million|billion|percent|half|twice|dozen)\b",
    re.IGNORECASE,
)
_ASKS_DATE = regex(r"\bwhen\b|\bwhat (?:date|year|day|time)\b|\bhow long\b|\bdeadline\b", re.IGNORECASE)
_DATE = regex(
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:\b|[a-z]{2,6}\b)|\bMay \d"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:day|week|month|year|hour|minute|second)s?\b"
)
# What separates the parts of a request for several things, and how many of them are looked up.
_BETWEEN_PARTS = regex(r"[,;] (?:and |or |also )*|(?:^| )(?:and|also|&) ", re.IGNORECASE)
_MOST_PARTS = 8
# What such a part holds that names nothing: politeness, what asks for anything more, how it is to be told.
_FILLERS = (
    "anything bit brief briefly bullet clearly concisely dear detail detailed details else english etc"
    " etcetera everything example examples forth full general hello help hey hi instance kindly layman"
    " maybe nothing ok other others part particular perhaps plain points possible precisely quick"
    " quickly related relevant rest sentence sentences short shortly simple simply somebody someone"
    " something specifically step stuff sum terms thank thanks topic word words yes"
)
_FILLER_WORDS = frozenset(_FILLERS.split())
# What calls upon the reader is about what it names, not about what stands beside it.
_CALLS = regex(r"^(?:[^,]{1,80}, )?please\b|\blet (?:us|me) know\b", re.IGNORECASE)
_OURS = regex(r"\b(?:we|us|our|let['’]s)\b", re.IGNORECASE)
# What counts that a sentence states what the focus asks for, stands where that is told, and is salient: of a
# focus that names something besides, and of one that names nothing else, where its meaning counts less.
_OF_STATEMENT, _OF_PLACE, _OF_SALIENCE = 0.7, 1.4, 0.6
_MOST_SALIENT = 2.0
# Of statements several answer about as well.
_COVERED = 0.8
# What is about such a focus is at least this share as relevant as the most relevant.
_STATED = 0.5
# The share of the focus, by weight of its words, below which the document hardly speaks of it.
_LEAST_COVERED = 0.5


class _StatementWeights(NamedTuple):
    """What counts where a focus names nothing but statements.

    Attributes:
        clarity: How clearly a sentence states them.
        beside: How clearly those before and after it do.
        place: That it stands where they are told.
        salience: How much it says of the whole.
        meaning: How near it is in meaning to the focus.
        words: How much of its words it or those beside it hold.
    """

    clarity: float
    beside: float
    place: float
    salience: float
    meaning: float
    words: float = 0.0


_OF_STATEMENTS = _StatementWeights(1.8, 0.7, 0.7, 0.5, 1.0)
_OF_STATEMENTS_BY_PLACE = _StatementWeights(0.9, 0.4, 3.0, 0.45, 1.0)
# Who joins or answers a dissent speaks of it; what it says itself has other words.
_OF_SEPARATE = _StatementWeights(1.8, 0.7, 0.7, 0.5, 0.0)
# All that a document marks, or has under a heading that asks the same, answers about as well.
_OF_MARKED = _StatementWeights(4.0, 0.0, 0.0, 0.3, 0.3)
# What only its wording tells is stated less surely than what says the very word.
_OF_WORDING = _StatementWeights(1.8, 0.3, 0.7, 0.3, 1.0, 3.0)
_OF_HEADED, _SURELY_HEADED = 5.0, 0.8


def rank(
    candidates: Candidates,
    structure: Structure,
    salience: FloatArray,
    focus: str,
    language: str | None = None,
) -> FocusRanking:
    """Score every sentence by what it says about the focus.

    Args:
        candidates: The sentences of the source.
        structure: What is known of them.
        salience: How much each says of the whole.
        focus: A question, or some words; several topics with :data:`TOPIC_BREAK` between them.
        language: The language of the source; ``None`` if unknown.

    Raises:
        OptionError: A topic has only function words of the source's language, or is in a script or
            a language that the source does not use.
    """
    parts = map(str.strip, focus.split(TOPIC_BREAK.strip()))
    topics = [part for part in parts if question_terms(part, language)] or [focus]
    is_english = language in (None, "en")
    faq = Faq.of(candidates)
    unused = {
        topic: _unused_parts(topic, candidates, structure, faq, language) if is_english else []
        for topic in topics
    }
    meanings = _Meaning(candidates, [*topics, *(part for parts in unused.values() for part in parts)])
    each = []
    for topic, absent in unused.items():
        ranking = _rank_topic(candidates, structure, salience, faq, topic, language, meanings)
        is_talk = structure.source_kind is SourceKind.CONVERSATION
        if structure.document_kind is DocumentKind.OTHER and not is_talk:
            ranking = with_outcomes(ranking, candidates)
        nothing = np.zeros(len(candidates))
        lacking = [part for part in absent if meanings.near(part, nothing).max(initial=0) < _ALIKE]
        each.append((topic, replace(ranking, lacking=tuple(part.rstrip("?.! ") for part in lacking))))
    return each[0][1] if len(each) == 1 else _of_topics(each)


def _unused_parts(
    topic: str, candidates: Candidates, structure: Structure, faq: Faq, language: str | None
) -> list[str]:
    """The things that a request in English asks for of which the source uses no word, nor one akin to it.

    Those that name nothing are left out, and those that other words than theirs answer: what asks for the
    whole, or for what documents of some kind tell.
    """
    parts = _parts(topic)
    rarity = np.zeros(candidates.terms.num_terms)

    def is_unused(word: str) -> bool:
        asked = FocusWord.of(word, candidates, faq, rarity, language)
        return asked.is_missing and not any(akin_terms(word, candidates, language))

    return [
        part
        for part in (parts[:_MOST_PARTS] if len(parts) > 1 else ())
        if (words := [word for word in question_terms(part, "en") if not _is_filler(word)])
        and not asks_for_the_whole(part.rstrip("?.! "), candidates, structure)
        and not names_aspect(part)
        and all(map(is_unused, words))
        and not any(marked(part, candidates, structure))
    ]


def _parts(topic: str) -> list[str]:
    """The parts of a request in English for several things; one of a request for a single thing."""
    return [part for part in map(str.strip, _BETWEEN_PARTS.split(topic)) if question_terms(part, "en")]


def _is_filler(word: str) -> bool:
    return word in _FILLER_WORDS or is_asking_word(word)


def _of_topics(topics: Sequence[tuple[str, FocusRanking]]) -> FocusRanking:
    """What the sentences say about any of several topics; the best of each are as relevant as any."""
    each = [ranking for _, ranking in topics]
    # What answers a topic of which no place says all is as relevant as what answers the others.
    relevance = [np.minimum(1, one.relevance / max(1e-9, one.coverage)) for one in each]
    names = np.logical_or.reduce([one.names for one in each])
    whole = np.logical_or.reduce([one.names & ~one.only_names for one in each])
    return FocusRanking(
        relevance=np.maximum.reduce(relevance),
        is_about=np.logical_or.reduce([one.is_about for one in each]),
        names=names,
        only_names=names & ~whole,
        is_headed=any(one.is_headed for one in each),
        missing=tuple(dict.fromkeys(word for one in each for word in one.missing)),
        nearest=tuple(dict.fromkeys(term for one in each for term in one.nearest)),
        is_weak=all(one.is_weak for one in each),
        coverage=1.0,
        is_whole=np.logical_or.reduce([one.is_whole for one in each]),
        topics=tuple(topics),
    )


def _rank_topic(
    candidates: Candidates,
    structure: Structure,
    salience: FloatArray,
    faq: Faq,
    focus: str,
    language: str | None,
    meanings: _Meaning,
) -> FocusRanking:
    """Score every sentence by what it says about one topic; see :func:`rank`."""
    is_english = language in (None, "en")
    statements = asked_statements(focus, candidates, structure) if is_english else None
    words = question_terms(focus, language)
    if not words:
        if statements is not None:
            return _of_statements(statements, candidates, salience)
        if is_english and names_aspect(focus):
            # "Why" is a question that another document answers.
            return FocusRanking.of_nothing(len(candidates), ())
        has_words = any(map(str.isalnum, focus))
        raise OptionError(
            f"--focus {focus!r} names nothing: it has {'only function' if has_words else 'no'} words",
            "say in a word or a question what to look for",
        )
    _refuse_other_script(words, focus, candidates)
    terms = candidates.terms
    idf = np.log1p(terms.num_rows / np.maximum(1.0, terms.frequency))
    # A question belongs to the answer below it, not to the one above.
    candidates = replace(candidates, section=faq.part)
    asked, missing, is_weak = _asked(words, candidates, faq, idf, language)
    if is_weak:
        _refuse_other_language(focus, language)
    found = {column for each in asked for column in each.columns}
    shares = np.array([each.rarity for each in asked]) / sum(each.rarity for each in asked)
    heading = shares @ np.array([each.headed for each in asked])
    near, is_said = np.zeros(len(candidates)), np.zeros(len(candidates), bool)
    is_talk = structure.source_kind is SourceKind.CONVERSATION
    for each, share in zip(asked, shares.tolist(), strict=True):
        said = each.said(candidates)
        is_said |= said > 0
        near += share * _spread(said, candidates, is_talk=is_talk)
    # What answers a question that asks the same says it, whatever its words.
    same = headed = np.zeros(len(candidates))
    if is_english:
        headed = under_heading_of(focus, candidates)
        same = np.maximum(_asks_the_same(faq, focus, meanings), headed)
    near = np.maximum(near, same)
    said_together = max(float(near.max()), float(heading.max()))
    columns = np.array(sorted(found), np.int64)
    weights = np.zeros(terms.num_terms)
    weights[columns] = idf[columns]
    direct = _bm25(candidates, weights)
    related = _bm25(candidates, _related(candidates, direct + heading > 0, idf, columns))
    related /= max(1e-9, float(related.max()))
    scores = (
        _OF_WORDS * near
        + _OF_HEADING * heading
        + _OF_RELATED * related
        + _OF_REPETITION * (direct / max(1e-9, float(direct.max()))) ** 2
        + near * _answers(candidates, focus, language)
    )
    meaning = np.zeros(len(candidates))
    if is_english:
        meaning = np.maximum(meanings.near(focus, scores + _OF_MEANING * same), same)
    if statements is not None and not statements.rest:
        made = _of_statements(statements, candidates, salience, heading, meaning, near, direct > 0)
        if made.is_about.any():
            return made
    if not is_said.any() and not heading.any() and float(meaning.max(initial=0)) < _ALIKE:
        return FocusRanking.of_nothing(len(candidates), missing)
    scores += _OF_MEANING * _with_neighbours(meaning, candidates)
    if statements is not None:
        scores += (
            _OF_STATEMENT * statements.clarity
            + _OF_PLACE * statements.is_there
            + _OF_SALIENCE * _salience(salience)
        ).clip(0)
    # Talk has every word for what others decided; where none of it settles something, nothing answers.
    is_unsettled = is_english and statements is None and is_talk and asks_only_for_decisions(focus)
    is_eligible = np.ones(len(candidates), bool)
    if statements is not None and statements.answers[0].basis is Basis.SEPARATE:
        # What the court says of it is not what the dissent does.
        is_eligible = statements.is_there > 0
    elif is_unsettled:
        is_eligible = np.array([_OURS.search(each.text) is not None for each in candidates.sentences], bool)
    if ((is_said | (meaning >= _NOT_FAR)) & is_eligible).any():
        scores = scores * is_eligible
    else:
        is_eligible[:] = True
    # What is left of it says something else, as of "garbage collection" in "the collection of taxes".
    lacks_sense = (
        is_english
        and bool(missing)
        and said_together <= _LEAST_COVERED
        and float(meaning.max()) < _UNLIKE
        and len(_parts(focus)) == 1
    )
    relevance = scores / max(1e-9, float(scores.max()))
    beside = (
        (heading > 0)
        | ((related >= _MUCH_RELATED) & (_of_neighbours(direct, candidates) > 0))
        | ((is_said | (meaning >= _ALIKE)) & (relevance >= _MUCH_RELEVANT))
    )
    calls = np.array([_CALLS.search(each.text) is not None for each in candidates.sentences], bool)
    return FocusRanking(
        relevance=relevance,
        is_about=((direct > 0) | (beside & ~calls)) & is_eligible,
        names=direct > 0,
        only_names=(direct > 0) & (terms.sum_rows((weights[terms.columns] == 0).astype(float)) == 0),
        is_headed=bool(heading.any()),
        missing=missing,
        nearest=tuple(as_written(candidates, [candidates.lexicon.stems[column] for column in columns])),
        is_weak=(is_weak and float(meaning.max()) < _SURELY_ALIKE) or lacks_sense or is_unsettled,
        # Where a question asks the same, its answer is the answer.
        coverage=1.0
        if float(same.max(initial=0)) >= _SURELY_ALIKE
        else max(float(near.max()), float(meaning.max())),
        is_whole=headed >= _SURELY_HEADED,
    )


def _salience(salience: FloatArray) -> FloatArray:
    """Salience in its standard deviations, which no outlier makes say more than what is stated."""
    found: FloatArray = standardised(salience).clip(-_MOST_SALIENT, _MOST_SALIENT)
    return found


def _of_statements(
    asked: Asked,
    candidates: Candidates,
    salience: FloatArray,
    heading: FloatArray | float = 0.0,
    meaning: FloatArray | float = 0.0,
    near: FloatArray | float = 0.0,
    names: BoolArray | None = None,
) -> FocusRanking:
    """What answers a request that names nothing but statements: what states them, and is where they stand."""
    usual = _OF_STATEMENTS_BY_PLACE if asked.is_by_place else _OF_STATEMENTS
    special = {Basis.MARKED: _OF_MARKED, Basis.WORDED: _OF_WORDING, Basis.SEPARATE: _OF_SEPARATE}
    ranked = []
    for answer in asked.answers:
        weights = special.get(answer.basis, usual)
        is_separate = answer.basis is Basis.SEPARATE
        scores = (
            weights.clarity * answer.clarity
            + weights.beside * _of_neighbours(answer.clarity, candidates)
            + weights.place * (answer.is_there if is_separate else np.maximum(answer.is_there, heading))
            + weights.salience * _salience(salience)
            + weights.meaning * meaning
            + weights.words * near
            + _OF_HEADED * answer.headed
        ).clip(0)
        # Each document has results of its own, however clearly another one states its; so has each judge.
        part = opinions(candidates) if is_separate else candidates.document
        ranked.append((answer.words, _of_answer(answer, scores, part, names)))
    return ranked[0][1] if len(ranked) == 1 else _of_topics(ranked)


def _of_answer(answer: Answer, scores: FloatArray, part: IntArray, names: BoolArray | None) -> FocusRanking:
    nothing = np.zeros(len(scores), bool)
    # What only its wording tells is told as well by a sentence that has the very word.
    told = (answer.clarity > 0) | (answer.is_there > 0) | (answer.headed > 0)
    if answer.basis is Basis.WORDED and names is not None:
        told |= names
    if answer.basis is Basis.SEPARATE:
        scores = scores * (answer.is_there > 0)
    most = np.full(int(part.max()) + 1, 1e-9)
    np.maximum.at(most, part, scores)
    relevance = scores / most[part]
    return FocusRanking(
        relevance=relevance,
        is_about=(relevance >= _STATED) & told,
        names=nothing,
        only_names=nothing,
        is_headed=False,
        missing=(),
        nearest=(),
        is_weak=False,
        coverage=_COVERED,
        is_whole=(answer.headed >= _SURELY_HEADED) | ((answer.clarity > 0) & (answer.basis is Basis.MARKED)),
    )


def _asked(
    words: Sequence[str],
    candidates: Candidates,
    faq: Faq,
    idf: FloatArray,
    language: str | None,
) -> tuple[list[FocusWord], tuple[str, ...], bool]:
    """The words of a focus in the source, those that it does not use, and whether these weigh the most.

    A word that is not used stands for one akin to it.
    """
    asked = [FocusWord.of(word, candidates, faq, idf, language) for word in words]
    unused = [not each.columns and not each.headed.any() for each in asked]
    missing = tuple(each.text for each in asked if each.is_missing)
    total = sum(each.rarity for each in asked)
    is_weak = sum(each.rarity for each in asked if each.text in missing) > (1 - _LEAST_COVERED) * total
    for number, each in enumerate(asked):
        if unused[number] and not each.told.any():
            akin = akin_term(each.text, candidates, language)
            asked[number] = replace(each, columns=akin, rarity=max(idf[list(akin)], default=each.rarity))
    return asked, missing, is_weak


def _spread(said: FloatArray, candidates: Candidates, *, is_talk: bool) -> FloatArray:
    """How much of a word is said in each sentence or near it in its section."""
    most = said.copy()
    reach, decay = (_NEAR_IN_TALK, _DECAY_IN_TALK) if is_talk else (_NEAR, _DECAY)
    for distance in range(1, min(reach, len(candidates) - 1) + 1):
        part = decay**distance * (candidates.section[distance:] == candidates.section[:-distance])
        np.maximum(most[distance:], part * said[:-distance], out=most[distance:])
        np.maximum(most[:-distance], part * said[distance:], out=most[:-distance])
    return most


def _answers(candidates: Candidates, focus: str, language: str | None) -> FloatArray:
    """What it counts that a sentence has the number or the date that the focus asks for."""
    found = np.zeros(len(candidates))
    if language not in (None, "en"):
        return found
    for asks, form, weight in ((_ASKS_NUMBER, _NUMBER, _OF_NUMBER), (_ASKS_DATE, _DATE, _OF_DATE)):
        if asks.search(focus) is not None:
            found += weight * np.array([form.search(each.text) is not None for each in candidates.sentences])
    return found


def blend(salience: FloatArray, ranking: FocusRanking) -> FloatArray:
    """The salience of sentences for a summary about a focus: relevance first, then general salience."""
    spread = max(1e-9, float(salience.std()))
    general: FloatArray = (salience - salience.mean()) / spread
    return _RELEVANCE_WEIGHT * ranking.relevance + _SALIENCE_WEIGHT * general


def _bm25(candidates: Candidates, weights: FloatArray) -> FloatArray:
    """The BM25 score of every sentence for terms with these weights."""
    terms = candidates.terms
    length = candidates.num_words / max(1.0, float(candidates.num_words.mean()))
    discount = (1 - _LENGTH_DISCOUNT + _LENGTH_DISCOUNT * length)[terms.row_of_entry]
    saturated = terms.counts * (_SATURATION + 1) / (terms.counts + _SATURATION * discount)
    return terms.sum_rows(weights[terms.columns] * saturated)


def _related(
    candidates: Candidates, holds_focus: BoolArray, idf: FloatArray, columns: IntArray
) -> FloatArray:
    """The weight of each term for the company it keeps with the words of the focus; few are above 0."""
    terms = candidates.terms
    near = np.maximum(holds_focus, _of_neighbours(holds_focus.astype(float), candidates) > 0)
    share = near.mean()
    together = np.bincount(
        terms.columns, weights=near[terms.row_of_entry].astype(float), minlength=terms.num_terms
    )
    expected = np.maximum(1e-9, terms.frequency * share)
    lift = together / expected
    weights = np.where(
        (together >= _LEAST_TOGETHER) & (lift >= min(_LEAST_LIFT, 0.9 / max(share, 1e-9))),
        np.log1p(together) * np.log(np.maximum(1.0, lift)) * idf,
        0.0,
    )
    weights[columns] = 0
    if np.count_nonzero(weights) > _MOST_RELATED:
        weights[weights < np.sort(weights)[-_MOST_RELATED]] = 0
    return weights


class _Meaning:
    """How near the sentences of a source are in meaning to topics; each is encoded once, for all topics."""

    def __init__(self, candidates: Candidates, topics: Sequence[str]) -> None:
        self._candidates = candidates
        self._texts = [sentence.text for sentence in candidates.sentences]
        self._topics = topics
        self._asked: dict[str, Array] = {}
        self._vectors: dict[str, Array] = {}

    @cached_property
    def _rough(self) -> tuple[dict[str, Array], Array]:
        """The vectors of the topics and of the sentences by their words alone."""
        encode = packaged_encoder().encode_roughly
        return dict(zip(self._topics, encode(self._topics), strict=True)), encode(self._texts)

    def near(self, topic: str, scores: FloatArray) -> FloatArray:
        """How near each sentence is to a topic; 0 for those that are not among the likeliest."""
        meaning = np.zeros(len(self._texts))
        likeliest = np.arange(len(self._texts))
        if len(self._texts) > _MOST_ENCODED:
            asked, said = self._rough
            rough = _with_neighbours(similarity(asked[topic], said), self._candidates)
            likeliest = np.argsort(-(scores + _OF_ROUGH_MEANING * rough), kind="stable")[:_MOST_ENCODED]
        meaning[likeliest] = self.of(topic, [self._texts[row] for row in likeliest.tolist()])
        return np.where(meaning >= _NOT_FAR, meaning, 0)

    def of(self, topic: str, texts: Sequence[str]) -> FloatArray:
        """(texts,) how near each text is to a topic."""
        encode = packaged_encoder().encode
        self._asked = self._asked or dict(zip(self._topics, encode(self._topics), strict=True))
        if new := [text for text in dict.fromkeys(texts) if text not in self._vectors]:
            self._vectors.update(zip(new, encode(new), strict=True))
        vectors = [self._vectors[text] for text in texts]
        return similarity(self._asked[topic], np.stack(vectors)) if vectors else np.zeros(0)


def _asks_the_same(faq: Faq, focus: str, meanings: _Meaning) -> FloatArray:
    """How near the question that each sentence answers is to the focus; what comes first answers it most."""
    texts = [text for text in dict.fromkeys(faq.text) if text]
    if not texts:
        return np.zeros(len(faq.text))
    if len(texts) > _MOST_ENCODED:
        asked, *said = packaged_encoder().encode_roughly([focus, *texts])
        rough = similarity(asked, np.stack(said))
        texts = [texts[row] for row in np.argsort(-rough, kind="stable")[:_MOST_ENCODED].tolist()]
    near = dict(zip(texts, meanings.of(focus, texts).tolist(), strict=True))
    found = np.array([near.get(text, 0.0) for text in faq.text])
    found *= np.where(faq.place >= 0, _ANSWERS_ON ** np.maximum(0, faq.place), 0)
    return np.where(found >= _NOT_FAR, found, 0)


def _with_neighbours(meaning: FloatArray, candidates: Candidates) -> FloatArray:
    """How near each sentence is in meaning, with those before and after it in its section."""
    return meaning + _BESIDE * _of_neighbours(meaning, candidates)


def _of_neighbours(values: FloatArray, candidates: Candidates) -> FloatArray:
    """For each sentence the sum over the sentences before and after it in its section."""
    same = candidates.section[1:] == candidates.section[:-1]
    total = np.zeros(len(candidates))
    total[1:] += values[:-1] * same
    total[:-1] += values[1:] * same
    return total


def _refuse_other_script(words: Sequence[str], focus: str, candidates: Candidates) -> None:
    """Refuse a focus none of whose letters' scripts occurs in the source.

    Raises:
        OptionError: Certainly nothing of the source can be about these words.
    """
    asked = {script for word in words for script in scripts(word)}
    if not asked:
        return
    used: set[str] = set()
    for sentence in candidates.sentences:
        used |= scripts(sentence.text)
        if asked & used:
            return
    if used:
        raise OptionError(
            f"--focus {focus!r} is in {_name(asked)} script, and the source in {_name(used)}",
            "give words of the source's own language",
        )


def _refuse_other_language(focus: str, language: str | None) -> None:
    """Refuse a focus that is certainly in another language than the source, which hardly uses its words.

    Raises:
        OptionError: It is.
    """
    if language is None or len(focus.split()) < _WORDS_TO_TELL:
        return
    found = detect(focus).certain
    if found is not None and found != language:
        raise OptionError(
            f"--focus {focus!r} is in another language ({found}) than the source ({language})",
            "give words of the source's own language",
        )


def _name(scripts: set[str]) -> str:
    return " and ".join(name.upper() if name == "cjk" else name.capitalize() for name in sorted(scripts))
