"""The selection of the sentences of an extractive summary: salient, and different from one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lsum_cli.methods.extract.balance import Balance
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.case_of_opinion import case_of_opinion
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind
from lsum_cli.methods.extract.selection_weights import (
    STATEMENTS,
    Enough,
    PreferenceWeights,
    SalienceWeights,
    num_statements,
)
from lsum_cli.methods.extract.sentences.anaphora import turns_to_other_story
from lsum_cli.methods.extract.sentences.gist import DEFINES_TITLE
from lsum_cli.methods.extract.sentences.similarity import RESTATED, RESTATED_OF_A_PROPOSAL, Similarity
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.methods.extract.separate_opinions import claims
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.extract.syllabus import case_of_syllabus
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, TermMatrix

PREFERENCE = PreferenceWeights()
ENOUGH = Enough()
# Words below which a sentence gains nothing by being shorter, where readers' choices taught the scores.
_FEWEST_WORDS = 8
# How much a clear statement counts among those that can make it, and what is as clear as this is stated.
_STATEMENT, _CLEAR = 0.7, 0.5
# How much the place of a sentence counts where a summary is one sentence.
_CENTRAL_PLACE, _TELLING_PLACE = 0.5, 1.0
# The least score of what is quoted of a part of the source that has a share of the words.
_LEAST_OF_A_PART = 0.0
# So many sentences after one that turns to another story are of that.
_SENTENCES_OF_A_STORY = 4
# Share of their terms from which two sentences state the same.
_COVERED = 0.5


def select(
    candidates: Candidates,
    salience: FloatArray,
    num_words: int,
    eligible: BoolArray | None = None,
    structure: Structure | None = None,
    *,
    as_suits: bool = False,
    is_read: bool = False,
    is_ranked: bool = False,
    is_answer: bool = False,
    given: Sequence[int] = (),
    shares: Sequence[Share] = (),
) -> list[int]:
    """Select sentences greedily until no other fits; returns their indices in the order of the source.

    Each step takes the most salient sentence after penalties: for what the summary already says
    (maximal marginal relevance, Carbonell and Goldstein 1998, with the summary so far as one text),
    for a document or part of a story that has had its share, and for depending on a sentence that
    was not selected.

    A summary of a named length is selected from the next longer one, so that it is part of it.

    Args:
        candidates: The sentences to select from.
        salience: The salience of each sentence.
        num_words: Maximum length in words; if every sentence is longer, one is selected anyway.
        eligible: Which sentences may be selected; by default all.
        structure: What is known of the sentences; by default it is found out here.
        as_suits: Whether to stop before the maximum where what is left has no place that speaks for the
            whole and goes on with no sentence selected.
        is_read: Whether a reader's preferences count in full: for passages, and for what is introduced.
        is_ranked: Whether ``salience`` is what readers would prefer, see
            :func:`~lsum_cli.methods.extract.ranking.ranker.preference`; it has counted those already.
        is_answer: Whether a focus is answered, wherever in a paragraph the answer stands.
        given: Sentences that are selected first, whatever antecedents they need.
        shares: Parts of the source, each of which gets its share of the words that these leave.
    """
    structure = structure or Structure.of(candidates)
    is_open = np.ones(len(candidates), bool) if eligible is None else eligible.copy()
    # Where the whole fits, a row of a table is still no sentence, nor is what a template asks its author.
    is_text = ~structure.is_cells
    if (is_open & ~is_text).any():
        # What is left is not the whole: what the tables stand between is no text of its own.
        is_text &= structure.is_presentable
    if (is_open & is_text).any():
        is_open &= is_text
    longer = [length for length in NAMED_LENGTHS.values() if length > num_words]
    is_named = num_words in NAMED_LENGTHS.values()
    for budget in (*sorted(longer, reverse=True), num_words) if is_named else (num_words,):
        if not is_open.any() or structure.num_words[is_open].sum() <= budget:
            continue
        selection = _Selection(
            candidates,
            structure,
            salience,
            is_open,
            budget,
            is_read=is_read,
            is_ranked=is_ranked,
            is_answer=is_answer,
        )
        selection.take(selection.claims())
        case = selection.case(is_open) if is_read else []
        selection.take(case or given)
        if not case:
            if is_ranked and not (given or any(share.is_asked_for for share in shares)):
                selection.state_centre()
            if shares:
                selection.share_out(shares)
            else:
                selection.state()
                if is_read:
                    selection.tell_facts(is_open)
                selection.fill(as_suits=as_suits)
        is_open = np.zeros(len(candidates), bool)
        is_open[selection.chosen] = True
    return [int(position) for position in np.flatnonzero(is_open)]


def select_one(
    candidates: Candidates,
    salience: FloatArray,
    eligible: BoolArray,
    structure: Structure | None = None,
    *,
    is_ranked: bool = False,
) -> int:
    """The position of the one sentence that says most on its own.

    Args:
        candidates: The sentences to select from.
        salience: The salience of each sentence.
        eligible: Which sentences may be selected; at least one.
        structure: What is known of the sentences; by default it is found out here.
        is_ranked: Whether ``salience`` is what readers would prefer.
    """
    structure = structure or Structure.of(candidates)
    longest = int(structure.num_words[eligible].max())
    return _Selection(
        candidates, structure, salience, eligible, longest, is_read=True, is_ranked=is_ranked
    ).best()


class Share(NamedTuple):
    """A part of the source that gets a share of all words, whatever the parts before it take."""

    is_part: BoolArray
    size: float
    is_asked_for: bool = False  # so that what scores low is taken too


class _Selection:
    """The sentences selected so far, and those that can still be selected."""

    def __init__(
        self,
        candidates: Candidates,
        structure: Structure,
        salience: FloatArray,
        is_open: BoolArray,
        num_words: int,
        *,
        is_read: bool,
        is_ranked: bool = False,
        is_answer: bool = False,
    ) -> None:
        terms = candidates.terms
        self._candidates = candidates
        self._structure = structure
        self._salience = salience
        self._first = structure.first if is_read else structure.first_by_opening
        fits = structure.num_words <= num_words
        stands = structure.is_presentable & (self._first >= 0)
        self._is_open = is_open & fits & stands & structure.is_own
        if not self._is_open.any():
            self._is_open = is_open & fits & stands
        self._is_chosen = np.zeros(len(candidates), bool)
        self._num_words = num_words
        self._remaining = num_words
        is_prose = structure.source_kind is SourceKind.PROSE
        self._is_article = is_ranked and is_prose and structure.document_kind is DocumentKind.OTHER
        self._is_of_events = self._is_article and candidates.is_of_events
        if self._is_of_events:
            self._first = np.where(self._leans_on_introduction(), structure.before, self._first)
        self._antecedents = self._taken_with()
        self._introductions = np.full(len(candidates), -1)
        if not self._can_be_taken(structure.num_words).any():
            # What is short enough is only taken with what is not: one that stands alone exceeds the length.
            self._is_open = is_open & structure.is_presentable & (self._first == np.arange(len(candidates)))
        if not self._is_open.any():
            self._open_by_form(is_open, fits)
            self._antecedents = self._taken_with()
        self._could_be = self._is_open.copy()
        self._may_dissent = is_open & fits & (structure.theses > 0)
        self._explained: set[tuple[str, int]] = set()
        self._said: dict[Statement, FloatArray] = {}
        self._term_weights = _term_weights(terms)[terms.columns]
        self._own_weight = np.maximum(1e-9, terms.sum_rows(self._term_weights))
        self._covered = np.zeros(terms.num_terms)
        self._similarity = Similarity(terms)
        self._balance = Balance(candidates, structure, num_words)
        self._introduces = np.zeros(len(candidates))
        self._unexplained = np.array([sum(needs.values()) for needs in structure.mentions.needs])
        self._strangers = np.array([len(people) for people in structure.mentions.people])
        self._introductions = self._introduced_by()
        self._scale = float(salience.std())
        self._standard = (salience - salience.mean()) / max(1e-9, self._scale)
        self._is_read, self._is_ranked = is_read, is_ranked
        is_talk = structure.source_kind is SourceKind.CONVERSATION
        self._answers = _answers(candidates) if is_ranked and is_talk else None
        self._weights = SalienceWeights.of(structure.source_kind, is_read=is_read)
        is_proposal = structure.document_kind is DocumentKind.PROPOSAL
        self._begins_within = np.zeros(len(candidates), bool)
        if self._is_article and not self._is_of_events and not is_answer:
            begins = np.where(self._first >= 0, self._first, np.arange(len(candidates)))
            self._begins_within = ~(
                candidates.opens_paragraph.astype(bool)[begins] | structure.gist.is_own_summary
            )
        self._is_meeting = is_talk and self._answers is None
        self._cost_of_length = (
            PREFERENCE.length_of_a_meeting
            if self._is_meeting
            else PREFERENCE.length_of_a_proposal
            if is_proposal
            else PREFERENCE.length
        )
        self._cost_of_repeating = (
            PREFERENCE.repeated_in_a_meeting if self._is_meeting else PREFERENCE.repeated
        )

    def _open_by_form(self, is_open: BoolArray, fits: BoolArray) -> None:
        """Where no sentence stands alone, a summary is made of what there is."""
        everything = np.ones_like(fits)
        for is_suitable in (
            self._structure.is_acceptable & fits,
            fits,
            self._structure.is_acceptable,
            everything,
        ):
            self._is_open = is_open & is_suitable
            if self._is_open.any():
                break
        self._first = np.arange(len(self._first))

    def _taken_with(self) -> tuple[IntArray, IntArray]:
        """For each sentence the two that it is taken with, the nearer one last; -1 where there is none."""
        before = self._structure.before
        one = np.where(self._first < np.arange(len(before)), before, -1)
        two = np.where((one >= 0) & (self._first < one), before[one], -1)
        return two, one

    def _introduced_by(self) -> IntArray:
        """For each sentence the one that introduces whom, or what, it begins with; -1 for none.

        What cannot be quoted alone introduces nobody.
        """
        found = np.full(len(self._is_open), -1)
        if not self._is_of_events:
            return found
        alone = self._is_open & (self._first == np.arange(len(found)))
        for position, subject in enumerate(self._structure.mentions.subject):
            taken = (each[position] for each in self._antecedents)
            if subject is not None and alone[subject] and subject not in taken:
                found[position] = subject
        return self._with_other_story(found, alone)

    def _with_other_story(self, found: IntArray, alone: BoolArray) -> IntArray:
        """The same, where what soon follows "Meanwhile, …" is introduced by that."""
        before, texts = self._structure.before, self._candidates.sentences
        for lead in np.flatnonzero(alone).tolist():
            if not turns_to_other_story(texts[lead].text):
                continue
            for position in range(lead + 1, min(len(found), lead + 1 + _SENTENCES_OF_A_STORY)):
                if before[position] != position - 1 or turns_to_other_story(texts[position].text):
                    break
                if (
                    found[position] < 0
                    and self._antecedents[0][position] < 0
                    and self._antecedents[1][position] != lead
                ):
                    found[position] = lead
        return found

    def _needed(self) -> tuple[IntArray, ...]:
        """For each sentence those it is taken with: antecedents, and what introduces its people."""
        if not self._is_of_events:
            return self._antecedents
        return (self._introductions, *self._antecedents)

    def _can_be_taken(self, lengths: FloatArray | IntArray) -> BoolArray:
        """Which open sentences fit with those they are taken with, of so many further words each."""
        is_blocked = ~self._is_open & ~self._is_chosen
        fits: BoolArray = self._is_open & (self._over_antecedents(is_blocked) == 0)
        fits &= self._over_antecedents(lengths) <= self._remaining
        return fits

    @property
    def chosen(self) -> IntArray:
        """Positions of the selected sentences, ascending."""
        return np.flatnonzero(self._is_chosen)

    def case(self, is_open: BoolArray) -> list[int]:
        """What a summary tells of a decision with a syllabus, of those that are open."""
        return case_of_syllabus(self._candidates, self._structure, self._standard, self._remaining, is_open)

    def tell_facts(self, is_open: BoolArray) -> None:
        """Select the facts of a decision without a syllabus, of those that are open: no more of the case."""
        facts, case = case_of_opinion(
            self._candidates, self._structure, self._standard, self._num_words, is_open, self.chosen.tolist()
        )
        self.take(facts)
        self._is_open[case] = False

    def state(self) -> None:
        """Select the best sentence of each statement that the summary must hold, as far as they fit."""
        is_decision = self._structure.document_kind is DocumentKind.DECISION
        count = num_statements(self._num_words, is_read=self._is_read, is_decision=is_decision)
        wanted = [
            (statement, clarity)
            for statement, clarity in self._structure.statements.items()
            if self._is_read or not STATEMENTS[statement].for_readers
        ][:count]
        for statement, clarity in wanted:
            least_worth = STATEMENTS[statement].least if self._is_ranked else -np.inf
            among = self._standard >= least_worth
            # What states it clearly and is no longer open says what is quoted already.
            clearest = float(np.max(clarity, where=self._could_be | self._is_chosen, initial=0))
            least = min(clearest, _CLEAR)
            if least > 0 and not (clarity[self._is_chosen] >= least).any():
                needs = self._over_antecedents(~self._is_chosen) > 1
                bonus = _STATEMENT * clarity - self._weights.needs_antecedent * needs
                self._take_best(bonus, among & (clarity >= least))

    def share_out(self, shares: Sequence[Share]) -> None:
        """Select the best sentences of each part until its share is taken, or none scores high enough.

        Of what is asked for a sentence of each part comes before a second one of any.
        """
        for is_part, _, is_asked_for in shares:
            if is_asked_for and not is_part[self.chosen].any():
                self._take_best(among=is_part)
        budget = self._remaining
        for is_part, size, is_asked_for in shares:
            least = self._remaining - size * budget
            among = is_part & (is_asked_for | (self._standard > _LEAST_OF_A_PART))
            while self._remaining > least and self._take_best(among=among):
                pass

    def take(self, positions: Sequence[int]) -> None:
        """Select the given sentences."""
        for position in positions:
            self._take(position)

    def state_centre(self) -> None:
        """Select the one sentence that a summary of a sentence would be, so that every longer one has it."""
        best = self.best()
        if self._first[best] == best and self._structure.num_words[best] <= self._remaining:
            self._take(best)

    def claims(self) -> list[int]:
        """What the separate opinions of a decision come to, a sentence each, as far as they fit."""
        holds = self._structure.statements.get(Statement.HOLDING, np.zeros(len(self._candidates)))
        return claims(
            self._candidates,
            self._structure.theses,
            self._standard,
            self._may_dissent,
            np.flatnonzero((holds >= 1) & self._structure.is_own),
            lengths=self._structure.num_words,
            num_words=self._num_words,
            is_read=self._is_read,
        )

    def best(self) -> int:
        """The best sentence of those that stand alone, above all if it states what the whole comes to."""
        alone = self._is_open & (self._first == np.arange(len(self._is_open)))
        among = alone if alone.any() else self._is_open
        central = np.zeros(len(among))
        for statement, clarity in self._structure.statements.items():
            central = np.maximum(central, STATEMENTS[statement].central * clarity)
        weight = self._structure.gist.weight
        # What the title names is defined, and news are told, in one sentence; other openings lead up to it.
        tells = self._is_article & (self._is_of_events | (weight >= DEFINES_TITLE))
        central += np.where(tells, _TELLING_PLACE, _CENTRAL_PLACE) * weight
        if not self._is_ranked:
            central -= self._weights.unexplained * self._unexplained
        return int(np.argmax(np.where(among, self._salience + self._scale * central, -np.inf)))

    def fill(self, *, as_suits: bool) -> None:
        """Select sentences until no other fits, or scores high enough. The first may be too long."""
        among = None
        while self._take_best(among=among):
            used = self._num_words - self._remaining
            is_told = not self._is_of_events or len(self.chosen) >= ENOUGH.sentences_of_events
            enough = used >= ENOUGH.share_of_an_article * self._num_words
            if as_suits and self._is_article and is_told and enough:
                defines = self._structure.gist.weight >= DEFINES_TITLE
                unknown = PREFERENCE.stranger * self._strangers * self._is_of_events
                least = ENOUGH.least_of_events if self._is_of_events else ENOUGH.least_of_an_article
                among = defines | (self._standard - unknown > least)
                if self._is_of_events:
                    among |= self._follows_short_lead()
            if as_suits and used >= ENOUGH.share * self._num_words:
                among = self._scores_enough()

    def _scores_enough(self) -> BoolArray:
        """The sentences whose place speaks for the whole, and those that go on where a selected one ends."""
        before = self._structure.before
        goes_on = (before >= 0) & self._is_chosen[before]
        in_place = (self._structure.gist.weight > 0) & (self._standard > ENOUGH.least_of_a_place)
        enough: BoolArray = in_place | (goes_on & (self._standard > ENOUGH.least_of_a_passage))
        return enough

    def _take_best(self, bonus: FloatArray | float = 0.0, among: BoolArray | None = None) -> bool:
        """Select the sentence with the greatest gain, and its antecedents; returns false if none fits."""
        lengths = self._structure.num_words * ~self._is_chosen
        cost = self._over_antecedents(lengths)
        fits = self._can_be_taken(lengths)
        if not self._is_chosen.any():
            fits |= self._is_open & (self._first == np.arange(len(cost)))
        if among is not None:
            fits &= among
        if not fits.any():
            return False
        if self._is_ranked:
            gain = self._preferred(cost) + bonus
        else:
            gain = self._over_antecedents(lengths * self._gain()) / np.maximum(1, cost) + bonus
            gain -= self._weights.needs_antecedent * (self._over_antecedents(~self._is_chosen) > 1)
        best = int(np.argmax(np.where(fits, gain, -np.inf)))
        for position in (*(int(each[best]) for each in self._needed()), best):
            if position >= 0 and not self._is_chosen[position]:
                self._take(position)
        return True

    def _over_antecedents(self, values: FloatArray | IntArray | BoolArray) -> FloatArray:
        """For each sentence the sum of ``values`` over it and the sentences it is taken with."""
        sums = np.asarray(values, float).copy()
        for antecedent in self._needed():
            has_one = antecedent >= 0
            sums[has_one] += values[antecedent[has_one]]
        return sums

    def _preferred(self, cost: FloatArray) -> FloatArray:
        """What a reader would gain by each sentence; those before it are there for its sake."""
        before = self._structure.before
        goes_on = (before >= 0) & self._is_chosen[before]
        gain: FloatArray = (
            self._salience
            - self._cost_of_repeating * self._weight_shared_with(self._covered) / self._own_weight
            - PREFERENCE.unknown * self._unexplained
            + PREFERENCE.goes_on * goes_on
            - PREFERENCE.within_paragraph * (self._begins_within & ~goes_on)
            - PREFERENCE.taken_with * (self._over_antecedents(~self._is_chosen) - 1)
            - self._cost_of_length * np.log2(np.maximum(_FEWEST_WORDS, cost))
        )
        if self._is_of_events:
            gain += PREFERENCE.introduces * self._introduces - PREFERENCE.stranger * self._strangers
            gain += PREFERENCE.after_lead * self._follows_short_lead()
            gain += PREFERENCE.with_lead * self._leans_on_lead()
        if self._is_meeting:
            gain -= self._balance.penalty
        if self._answers is not None:
            gain -= (
                PREFERENCE.of_one_answer * np.bincount(self._answers, weights=self._is_chosen)[self._answers]
            )
        return gain

    def _follows_short_lead(self) -> BoolArray:
        """Which sentence follows the first that could be quoted, where that is and both are short."""
        lead, num_words = int(np.argmax(self._could_be)), self._structure.num_words
        are_short = num_words + num_words[lead] <= PREFERENCE.words_of_a_lead
        follows: BoolArray = self._is_chosen[lead] & (self._structure.before == lead) & are_short
        return follows

    def _leans_on_introduction(self) -> BoolArray:
        """Which sentences stand alone but for a thing, or a person, that the one before them introduces."""
        before, positions = self._structure.before, np.arange(len(self._first))
        follows = (before >= 0) & (self._first == positions) & (self._first[before] == before)
        people = self._structure.mentions.people
        names_person = np.array(
            [int(at) in known.values() for at, known in zip(before, people, strict=True)], bool
        )
        leans: BoolArray = (self._structure.names_new_thing | names_person) & follows & self._is_open[before]
        return leans

    def _leans_on_lead(self) -> BoolArray:
        """Which sentences are only taken with the first that could be quoted, in few words with it."""
        lead = int(np.argmax(self._could_be))
        later = np.arange(len(self._first)) > lead
        are_short = self._over_antecedents(self._structure.num_words) <= PREFERENCE.words_with_lead
        leans: BoolArray = (self._first == lead) & later & are_short & ~self._is_chosen[lead]
        return leans

    def _gain(self) -> FloatArray:
        weights = self._weights
        redundancy = self._weight_shared_with(self._covered) / self._own_weight
        follows, leads = np.zeros(len(redundancy), bool), np.zeros(len(redundancy), bool)
        before = self._structure.before
        has_one = before >= 0
        follows[has_one] = self._is_chosen[before[has_one]]
        leads[before[has_one & self._is_chosen]] = True
        gain: FloatArray = (
            self._salience
            - weights.redundancy * redundancy
            - self._balance.penalty
            + weights.cohesion
            * self._scale
            * (
                weights.follows * follows
                + weights.leads * leads
                + weights.opens * self._candidates.opens_paragraph
                - weights.unexplained * self._is_read * self._unexplained
            )
        )
        return gain

    def _take(self, position: int) -> None:
        terms = self._candidates.terms
        held = np.zeros(terms.num_terms)
        held[terms.columns[terms.row(position)]] = 1
        greater_weight = np.maximum(self._own_weight, self._own_weight[position])
        most = PREFERENCE.near_duplicate if self._is_ranked else self._weights.near_duplicate
        self._is_open &= self._weight_shared_with(held) < most * greater_weight
        if self._is_ranked:
            similarity = self._similarity.to(position)
            self._is_open &= similarity < PREFERENCE.most_alike
            kind = self._structure.document_kind
            if kind is DocumentKind.PROPOSAL:
                self._is_open &= ~self._similarity.restates(
                    position, RESTATED_OF_A_PROPOSAL, is_longer_new=True
                )
            elif kind is not DocumentKind.DECISION:
                # An answer repeats its question.
                least = PREFERENCE.restated_of_events if self._is_of_events else RESTATED
                self._is_open &= ~self._similarity.restates(position, least)
            self._close_what_is_said(position, similarity)
        self._is_open[position] = False
        self._is_chosen[position] = True
        # Nobody is introduced by what is no longer open.
        self._introductions[~(self._is_open | self._is_chosen)[self._introductions]] = -1
        self._covered = np.maximum(self._covered, held)
        self._balance.add(position, int(self._structure.num_words[position]))
        self._remaining -= int(self._structure.num_words[position])
        self._explain(position)

    def _close_what_is_said(self, position: int, similarity: FloatArray) -> None:
        """Close what states again, in other words, what the sentence at ``position`` states.

        An answer says again what the question says, too, where another answers it already.
        """
        stated = self._structure.statements
        covered = self._similarity.covered_by(position) >= _COVERED
        said_once = [each for each in stated if STATEMENTS[each].said_once < np.inf]
        for statement in said_once:
            if stated[statement][position] >= _CLEAR:
                said = np.maximum(similarity, covered)
                self._said[statement] = np.maximum(self._said.get(statement, said), said)
        for statement in said_once:
            if statement not in self._said:
                continue
            said = self._said[statement]
            if statement is Statement.HOLDING and Statement.QUESTION in self._said:
                said = np.maximum(said, self._said[Statement.QUESTION])
            self._is_open &= (stated[statement] <= 0) | (said < STATEMENTS[statement].said_once)

    def _explain(self, position: int) -> None:
        """Note that what a sentence makes known is known to those after it, and whom it takes as known."""
        mentions = self._structure.mentions
        for name, introduction in mentions.people[position].items():
            if (name, position) not in self._explained:
                self._introduces[introduction] = 1
        for name in mentions.gives[position]:
            for place in mentions.needing.get(name, ()):
                if place > position and (name, place) not in self._explained:
                    self._explained.add((name, place))
                    self._unexplained[place] -= mentions.needs[place][name]
                    if name in mentions.people[place]:
                        self._strangers[place] -= 1
                        if self._introductions[place] == mentions.people[place][name]:
                            self._introductions[place] = -1

    def _weight_shared_with(self, held: FloatArray) -> FloatArray:
        """The total weight of each sentence's terms that are in ``held``."""
        terms = self._candidates.terms
        return terms.sum_rows(self._term_weights * held[terms.columns])


def _answers(candidates: Candidates) -> IntArray | None:
    """The number of the turn of each sentence, where answers are long."""
    from lsum_cli.methods.extract.conversations.utterances import is_hearing, turns_of

    return turns_of(candidates).turn if is_hearing(candidates) else None


def _term_weights(terms: TermMatrix) -> FloatArray:
    """The weight of each term in a comparison: higher if repeated, lower if it occurs everywhere."""
    frequency = terms.frequency
    weights: FloatArray = np.log1p(frequency) * np.log1p(terms.num_rows / np.maximum(1, frequency))
    return weights
