"""The weights and thresholds of the choice of sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from lsum_cli.methods.extract.kinds import SourceKind
from lsum_cli.methods.extract.sentences.statement_wording import Statement


@dataclass(frozen=True, kw_only=True)
class SalienceWeights:
    """What changes the gain of a sentence as the summary grows, where its score is salience.

    Fitted on training splits together with the weights of the features. Cohesion is measured in standard
    deviations of the scores.

    Attributes:
        near_duplicate: Share of terms, by weight, above which a second sentence is not taken.
        redundancy: For what the summary says already.
        cohesion: How much the four below count.
        follows: For a sentence that goes on where a selected one ends: readers want passages,
        leads: that leads up to a selected one,
        opens: that opens a paragraph,
        unexplained: that takes as known what the summary does not introduce; see Mentions.
        needs_antecedent: For a sentence that is only taken with those before it.
    """

    near_duplicate: float = 0.5
    redundancy: float = 1.2
    cohesion: float = 1.0
    follows: float = 0.6
    leads: float = 0.4
    opens: float = 0.3
    unexplained: float = 0.6
    needs_antecedent: float = 0.5

    @classmethod
    def of(cls, source_kind: SourceKind, *, is_read: bool) -> SalienceWeights:
        """Those for a kind of source; cohesion counts less where a number of words is to be filled."""
        if source_kind is SourceKind.CONVERSATION:
            # People who speak of one thing use its words again and again.
            return cls(redundancy=0.6, cohesion=1.0 if is_read else 0.0)
        return cls(cohesion=1.0 if is_read else 0.3)


@dataclass(frozen=True, kw_only=True)
class PreferenceWeights:
    """The same where the score is what readers would prefer, in standard deviations of that.

    Attributes:
        near_duplicate: As of salience: two sentences of one conclusion share their subject.
        most_alike: How much two sentences may be alike.
        restated_of_events: From which two restate one another in news, which reports an event first in brief,
            then at length.
        repeated: For what the summary says already,
        repeated_in_a_meeting: where a thing is said again and again.
        goes_on: For a sentence that goes on where a selected one ends,
        within_paragraph: and in a guide or a page for one that begins within a paragraph and does not.
        taken_with: For each sentence that must be taken with it.
        length: For each doubling of its words,
        length_of_a_proposal: and in a proposal, where short sentences tell details,
        length_of_a_meeting: and in a meeting, where they tell little.
        unknown: For what it takes as known.
        stranger: For calling somebody by the surname alone, in a report of events,
        introduces: for saying who that is once a sentence is quoted that does not,
        after_lead: and for coming after the lead, where the two have at most ``words_of_a_lead`` words: the
            rest builds on both.
        with_lead: For what is only taken with the lead, where that makes at most ``words_with_lead`` words.
        of_one_answer: For each sentence that is quoted already of the same long answer.
    """

    near_duplicate: float = 0.7
    most_alike: float = 0.6
    restated_of_events: float = 0.95
    repeated: float = 0.15
    repeated_in_a_meeting: float = 0.4
    goes_on: float = 0.1
    within_paragraph: float = 0.4
    taken_with: float = 0.2
    length: float = 0.35
    length_of_a_proposal: float = 0.1
    length_of_a_meeting: float = 0.0
    unknown: float = 0.1
    stranger: float = 0.3
    introduces: float = 0.6
    after_lead: float = 0.5
    words_of_a_lead: int = 40
    with_lead: float = 0.6
    words_with_lead: int = 50
    of_one_answer: float = 0.15


@dataclass(frozen=True, kw_only=True)
class Enough:
    """When a summary of a suitable length stops before its maximum, in standard deviations above the mean.

    Attributes:
        share: From this share of the length on, a sentence is only taken if it scores
        least_of_a_place: so much where its place speaks for the whole, or
        least_of_a_passage: so much where it goes on where a selected one ends.
        share_of_an_article: From this share of an article, a post or a page on, where the score is what
            readers would prefer, only what says what the thing in the title is, or scores
        least_of_an_article: so much, or where it tells of events
        least_of_events: so much, once it has
        sentences_of_events: so many sentences: what happened has more sides.
    """

    share: float = 0.85
    least_of_a_place: float = 1.0
    least_of_a_passage: float = 0.0
    share_of_an_article: float = 0.5
    least_of_an_article: float = 0.3
    least_of_events: float = 0.1
    sentences_of_events: int = 3


@dataclass(frozen=True, kw_only=True)
class StatementWeight:
    """What one statement counts for.

    Attributes:
        central: How much it says of the whole where a summary is one sentence, in standard deviations of the
            scores.
        least: What readers would prefer less than this, in standard deviations above the mean, states nothing
            for them.
        said_once: For what a text says once: of two sentences that clearly state it and are alike by so much,
            or share so many of their terms, a reader needs one. Infinite for what may be said again.
        for_readers: Whether readers miss it, but no number of words need be filled with it.
    """

    central: float = 0.0
    least: float = 1.0
    said_once: float = math.inf
    for_readers: bool = False


STATEMENTS: Mapping[Statement, StatementWeight] = {
    statement: StatementWeight() for statement in Statement
} | {
    Statement.HOLDING: StatementWeight(central=6.0, said_once=0.25),
    Statement.DISPOSITION: StatementWeight(central=3.0, said_once=0.0),
    Statement.CONCLUSION: StatementWeight(central=3.0),
    Statement.AIM: StatementWeight(central=3.0, said_once=0.2),
    Statement.RESULT: StatementWeight(central=0.8),
    Statement.PROPOSAL: StatementWeight(central=4.5),
    Statement.PROBLEM: StatementWeight(central=0.4),
    Statement.QUESTION: StatementWeight(said_once=0.0, for_readers=True),
    Statement.RULING: StatementWeight(least=-math.inf, for_readers=True),
    Statement.REASON: StatementWeight(least=-math.inf, for_readers=True),
    Statement.CASE: StatementWeight(least=-math.inf, for_readers=True),
    Statement.FIGURES: StatementWeight(least=0.0, for_readers=True),
    Statement.SAMPLE: StatementWeight(least=-1.5, for_readers=True),
}
# A summary must hold a statement for each so many of its words,
_WORDS_PER_STATEMENT = 40
_WORDS_PER_STATEMENT_OF_A_DECISION = 28
# and fewer, except of a decision, where a number of words is to be filled.
_WORDS_PER_STATEMENT_OF_A_LENGTH = 120


def num_statements(num_words: int, *, is_read: bool, is_decision: bool) -> int:
    """How many statements a summary must hold.

    Args:
        num_words: Its length.
        is_read: Whether a reader's preferences count in full; otherwise a number of words is to be filled.
        is_decision: Whether the source is a court's decision.
    """
    if not is_read and not is_decision:
        return num_words // _WORDS_PER_STATEMENT_OF_A_LENGTH
    per_statement = _WORDS_PER_STATEMENT_OF_A_DECISION if is_read and is_decision else _WORDS_PER_STATEMENT
    return max(1, num_words // per_statement)
