"""The questions that a source answers itself, as its FAQ does: in headings, or in lines of the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, IntArray

_ASKS = regex(r"\?[\"'”’)*_ ]*$")
_MARKED = regex(r"\W{0,3}Q(?:uestion)?(?: ?\d{1,3})?[.:)]")
# In prose a question here and there is rhetorical: lines of text are questions and answers where there are so
# many in a section, and so large a share of its paragraphs.
_FEWEST, _LEAST_SHARE = 3, 0.1
# A shorter beginning of an answer, such as "Yes.", "A: Unfortunately not.", is read with what follows it.
_BRIEF = 4  # words


@dataclass(frozen=True, eq=False, kw_only=True)
class Faq:
    """Which question each sentence of a source answers.

    Attributes:
        question: The position of the line that asks it; -1 where no line does.
        text: The question, of a line or a heading; empty where there is none.
        place: Which sentence of the answer it is, from 0; -1 where it answers none.
        part: A number for each section, and within one for each question with its answer.
    """

    question: IntArray
    text: tuple[str, ...]
    place: IntArray
    part: IntArray

    @classmethod
    def of(cls, candidates: Candidates) -> Self:
        """Find the questions."""
        asks = _asking_lines(candidates)
        section = candidates.section
        begins = asks | np.concatenate((np.ones(min(1, len(section)), bool), section[1:] != section[:-1]))
        part = np.cumsum(begins)
        question = np.full(len(section), -1)
        place = np.full(len(section), -1)
        text = [""] * len(section)
        for number, sentence in enumerate(candidates.sentences):
            heading = candidates.sections[number].heading or ""
            if asks[number]:
                text[number] = sentence.text
                question[number] = number
                continue
            if not begins[number]:
                question[number], text[number] = question[number - 1], text[number - 1]
                place[number] = place[number - 1] + bool(text[number])
            elif _ASKS.search(heading) is not None:
                text[number], place[number] = heading, 0
        return cls(question=question, text=tuple(text), place=place, part=part)

    @property
    def asks(self) -> BoolArray:
        """Whether each sentence is a line that asks."""
        return np.equal(self.question, np.arange(len(self.question)))

    def opens_answer(self, candidates: Candidates) -> BoolArray:
        """The first sentence of each answer; where that is brief, the one that goes on from it."""
        is_first = self.place == 0
        goes_on = np.zeros(len(is_first), bool)
        goes_on[1:] = is_first[:-1] & (candidates.num_words[:-1] < _BRIEF) & (self.place[1:] == 1)
        is_followed = np.append(goes_on[1:], False)[: len(is_first)]
        opens: BoolArray = (is_first & ~is_followed) | goes_on
        return opens

    def with_questions(self, chosen: list[int], candidates: Candidates, most: float) -> list[int]:
        """Positions in order, with the lines that they answer and the brief answers that they explain.

        Args:
            chosen: The positions.
            candidates: The sentences.
            most: The words that all may have; what exceeds them is not added.
        """
        found = set(chosen)
        words = int(candidates.num_words[chosen].sum())
        for position in chosen:
            added = {int(self.question[position])} - {-1}
            if self.place[position] == 1 and candidates.num_words[position - 1] < _BRIEF:
                added.add(position - 1)
            added -= found
            more = int(candidates.num_words[sorted(added)].sum())
            if words + more <= most:
                found |= added
                words += more
        return sorted(found)


def _asking_lines(candidates: Candidates) -> BoolArray:
    """The paragraphs that begin with a question which what follows answers."""
    opens = candidates.opens_paragraph.astype(bool)
    asks = np.array([_ASKS.search(each.text) is not None for each in candidates.sentences], bool) & opens
    marked = np.array([_MARKED.match(each.text) is not None for each in candidates.sentences], bool)
    # Of questions one below the other, as in contents, none is answered there.
    is_answered = np.zeros(len(asks), bool)
    is_answered[:-1] = asks[:-1] & ~asks[1:] & (candidates.section[1:] == candidates.section[:-1])
    questions = np.bincount(candidates.section[is_answered], minlength=candidates.section.max(initial=0) + 1)
    paragraphs = np.bincount(candidates.section[opens], minlength=len(questions))
    is_list = (questions >= _FEWEST) & (questions >= _LEAST_SHARE * paragraphs)
    found: BoolArray = is_answered & (is_list[candidates.section] | marked)
    return found
