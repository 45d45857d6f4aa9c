"""How much the sentences of a source say about a focus, and what the user should know about that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.resolutions import tells_outcome
from lsum_cli.methods.extract.sentences.presentability import SHORTEST
from lsum_cli.text.terms import BoolArray, FloatArray

# What answers the focus is at least this share as relevant as what is most relevant.
_LEAST_RELEVANT = 0.8
# How far in its paragraph what was decided of a thing follows what names it.
_OUTCOME_WITHIN = 3
# What stands beside a label that names the focus is this relevant.
_RELEVANT_BESIDE = 0.3


@dataclass(frozen=True, eq=False, kw_only=True)
class FocusRanking:
    """How much the sentences of a source say about a focus.

    Attributes:
        relevance: One value per sentence, at least 0; 1 for the most relevant.
        is_about: Whether each sentence holds a word of the focus, or what is related to it
            beside one that does.
        names: Whether each sentence holds a word of the focus.
        only_names: Whether it holds nothing else, as a label does, which answers nothing.
        is_headed: Whether a heading holds a word of the focus.
        missing: The words of the focus that the source does not use, as the user wrote them.
        nearest: Terms of the source that stand for the focus: its own words, else those akin to them.
        is_weak: Whether the source hardly speaks of the focus.
        coverage: How much of the focus is said in one place, from 0 to 1.
        is_whole: Whether each sentence is of what is asked for as a whole: marked so, or under that heading.
        lacking: Where it asks for several things, those of which the source does not speak.
        topics: Where it has several topics, each as the user wrote it and what the sentences say about it.
    """

    relevance: FloatArray
    is_about: BoolArray
    names: BoolArray
    only_names: BoolArray
    is_headed: bool
    missing: tuple[str, ...]
    nearest: tuple[str, ...]
    is_weak: bool
    coverage: float
    is_whole: BoolArray
    lacking: tuple[str, ...] = ()
    topics: tuple[tuple[str, FocusRanking], ...] = ()

    @classmethod
    def of_nothing(cls, count: int, missing: tuple[str, ...]) -> Self:
        """Of so many sentences that say nothing about it."""
        nothing, none = np.zeros(count), np.zeros(count, bool)
        return cls(
            relevance=nothing,
            is_about=none,
            names=none,
            only_names=none,
            is_headed=False,
            missing=missing,
            nearest=(),
            is_weak=True,
            coverage=0.0,
            is_whole=none,
        )

    @property
    def answers(self) -> BoolArray:
        """The sentences that say about as much of the focus as any; more of them where none says much."""
        answers: BoolArray = self.is_about & (self.relevance >= _LEAST_RELEVANT * self.coverage)
        return answers

    @property
    def is_beside(self) -> BoolArray:
        """The sentences that stand beside what is about it, as what tells of a label does."""
        beside: BoolArray = self.relevance >= _RELEVANT_BESIDE
        return beside

    def warnings(self, focus: str) -> tuple[str, ...]:
        """What the user should know about the focus, one line each."""
        lacking = tuple(f"the source does not speak of “{part}”" for part in self.lacking)
        if self.topics and self.is_about.any():
            return (
                *(
                    line if topic.is_about.any() else f"the source does not speak of “{text}”"
                    for text, topic in self.topics
                    for line in topic.warnings(text)
                ),
                *lacking,
            )
        if not self.is_weak:
            return lacking
        if not self.is_about.any():
            return (f"the source does not speak of “{focus}”: the summary is of the whole",)
        if self.is_headed and not self.nearest:
            return (f"the source hardly speaks of “{focus}”: nearest are its sections of that name",)
        missing = ", ".join(f"“{word}”" for word in self.missing)
        hardly = f"the source hardly speaks of “{focus}”" + (
            f" (it does not use {missing})" if missing else ""
        )
        if not self.nearest:
            return (f"{hardly}: quoted is what is nearest in meaning",)
        used = ", ".join(f"“{term}”" for term in self.nearest)
        return (f"{hardly}: nearest is what it says on {used}",)


def with_announced(ranking: FocusRanking, is_shown: BoolArray, candidates: Candidates) -> FocusRanking:
    """The ranking with what a fragment announces, such as "Last point, hiring", that is not shown itself.

    The next sentence of its paragraph is about the focus as much as it is itself. What is long enough to say
    something of its own announces nothing, unless it asks.
    """
    asks = np.array([each.text.rstrip().endswith(("?", ":")) for each in candidates.sentences], bool)
    announces = ranking.names & ~is_shown & (asks | (candidates.num_words < SHORTEST))
    follows = np.zeros(len(candidates), bool)
    follows[1:] = announces[:-1] & ~candidates.opens_paragraph[1:].astype(bool) & ~ranking.names[1:]
    relevance = ranking.relevance.copy()
    relevance[follows] = np.maximum(relevance, np.roll(relevance, 1))[follows]
    return replace(ranking, relevance=relevance, is_about=ranking.is_about | follows)


def with_outcomes(ranking: FocusRanking, candidates: Candidates) -> FocusRanking:
    """The ranking with what was decided of what an answer names, as "The item was postponed" tells it.

    The first such sentence that follows it in its paragraph is about the focus as much as the answer is.
    """
    relevance, is_about = ranking.relevance.copy(), ranking.is_about.copy()
    for row in np.flatnonzero(ranking.answers & ranking.names).tolist():
        if tells_outcome(candidates.sentences[row].text):
            continue
        for after in range(row + 1, min(row + 1 + _OUTCOME_WITHIN, len(candidates))):
            if candidates.opens_paragraph[after]:
                break
            if tells_outcome(candidates.sentences[after].text):
                relevance[after] = max(relevance[after], relevance[row])
                is_about[after] = True
                break
    return replace(ranking, relevance=relevance, is_about=is_about)
