"""Provenance of a generated sentence: which of its words are copied, and from where in the source.

Every word of the sentence is either copied, from one place of the source, or the writer's own. Of all
such readings the cheapest is taken (dynamic programming over the words and the places where each of
them occurs): going on with the next word of the source is free, a word of one's own costs about 1,
leaving out words of a source sentence costs less, and turning to another source sentence costs more
than two words. So a chance match of one or two words is not taken for a copy, and a copy with a word
changed remains one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Sentence
from lsum_cli.locality import Page
from lsum_cli.summaries import CopiedSpan
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import FloatArray, IntArray, is_function_word, word_spans

# What the steps of a reading cost; see the module.
_OWN_WORD, _OWN_FUNCTION_WORD = 1.5, 0.7
_LEAVE_OUT = 0.8
_OTHER_SENTENCE = 1.4
_NEXT_SENTENCE = 0.3
# Of two places that are equal, the one on a cited page is meant.
_NOT_CITED = 0.05
_OWN = -1


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """Words in a row of a generated sentence that stand in a row in one source sentence.

    Attributes:
        words: (first, last + 1) among the words of the generated sentence.
        source: Number of the source sentence in its :class:`SourceIndex`.
        source_words: (first, last + 1) among the words of the source sentence.
    """

    words: tuple[int, int]
    source: int
    source_words: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """A generated sentence with the runs that it copies.

    Attributes:
        text: The sentence.
        spans: Start and end of each of its words, in characters.
        runs: In order; they do not overlap.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    runs: Sequence[Run]

    @property
    def words(self) -> list[str]:
        """The words, case-folded."""
        return [self.text[start:end].casefold() for start, end in self.spans]

    @property
    def copied_share(self) -> float:
        """Share of the words that are copied; 0 for a sentence without words."""
        return sum(run.words[1] - run.words[0] for run in self.runs) / max(1, len(self.spans))


class SourceIndex:
    """The words of the pages that were read, with every place where each occurs.

    Args:
        pages: What was read, in order; a sentence on several pages counts once.
    """

    def __init__(self, pages: Sequence[Page]) -> None:
        self.sentences: list[Sentence] = []
        self.documents: list[str] = []
        self._pages_of: list[list[Page]] = []
        numbers: dict[tuple[str, int], int] = {}
        for page in pages:
            for sentence in page.sentences:
                key = (page.document_id, sentence.index)
                if key not in numbers:
                    numbers[key] = len(self.sentences)
                    self.sentences.append(sentence)
                    self.documents.append(page.document_id)
                    self._pages_of.append([])
                self._pages_of[numbers[key]].append(page)
        self._sentences_on: dict[int, list[int]] = defaultdict(list)
        for number, own in enumerate(self._pages_of):
            for page in own:
                self._sentences_on[page.index].append(number)
        self._spans = [word_spans(sentence.text) for sentence in self.sentences]
        lengths = [len(spans) for spans in self._spans]
        # (sentences + 1,) where the words of each sentence begin among all words.
        self._starts: IntArray = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        self._sentence_of: IntArray = np.repeat(np.arange(len(lengths)), lengths)
        self._index_of_word: dict[str, int] = {}
        known = self._index_of_word
        ids = np.fromiter(
            (
                known.setdefault(sentence.text[start:end].casefold(), len(known))
                for sentence, spans in zip(self.sentences, self._spans, strict=True)
                for start, end in spans
            ),
            np.int64,
            int(self._starts[-1]),
        )
        self._by_word: IntArray = np.argsort(ids, kind="stable")
        self._first_of_word: IntArray = np.searchsorted(ids[self._by_word], np.arange(len(known) + 1))

    def num_words(self, number: int) -> int:
        """Words of a source sentence."""
        return len(self._spans[number])

    def common_run(self, words: Sequence[str], at: int, number: int, source_at: int, step: int) -> int:
        """How many words agree, from a word of a generated sentence and one of a source sentence on.

        Args:
            words: The words of the generated sentence, case-folded.
            at: The first word there.
            number: Number of the source sentence.
            source_at: The first word of it.
            step: 1 to go forward, -1 to go backward.
        """
        text, spans = self.sentences[number].text, self._spans[number]
        count = 0
        while 0 <= at < len(words) and 0 <= source_at < len(spans):
            start, end = spans[source_at]
            if text[start:end].casefold() != words[at]:
                break
            count, at, source_at = count + 1, at + step, source_at + step
        return count

    def rest_of(self, run: Run) -> str:
        """What follows a run in its source sentence."""
        return self.sentences[run.source].text[self._spans[run.source][run.source_words[1] - 1][1] :]

    def sentence_after(self, number: int) -> str:
        """The sentence that follows a source sentence in its document; empty if none was read."""
        follows = number + 1 < len(self.sentences) and self.are_neighbours(number, number + 1)
        return self.sentences[number + 1].text if follows else ""

    def are_neighbours(self, first: int, second: int) -> bool:
        """Whether the second sentence follows the first in their document."""
        return (
            self.documents[first] == self.documents[second]
            and self.sentences[second].index == self.sentences[first].index + 1
        )

    def trace(self, text: str, cited: Collection[int] = ()) -> Trace:
        """Find the runs that a generated sentence copies.

        Args:
            text: The sentence.
            cited: Indices of the pages it cites, which are preferred where a run is found in several places.
        """
        spans = word_spans(text)
        words = [text[start:end].casefold() for start, end in spans]
        places = _Reading(self, cited).of(words) if self.sentences else [_OWN] * len(words)
        return Trace(text=text, spans=spans, runs=list(self._runs(places)))

    def copied_spans(self, trace: Trace, cited: Collection[int] = ()) -> tuple[CopiedSpan, ...]:
        """The runs as character offsets, with the page of each: a cited one where there is one."""
        return tuple(self._copied_span(trace, run, cited) for run in trace.runs)

    def _copied_span(self, trace: Trace, run: Run, cited: Collection[int]) -> CopiedSpan:
        pages, sentence = self._pages_of[run.source], self.sentences[run.source]
        spans = self._spans[run.source]
        return CopiedSpan(
            start=trace.spans[run.words[0]][0],
            end=trace.spans[run.words[1] - 1][1],
            document_id=self.documents[run.source],
            sentence_index=sentence.index,
            page=next((page.index for page in pages if page.index in cited), pages[0].index),
            pdf_page=sentence.pdf_page,
            source_start=spans[run.source_words[0]][0],
            source_end=spans[run.source_words[1] - 1][1],
        )

    def _runs(self, places: Sequence[int]) -> Iterator[Run]:
        """The runs of a reading: the place of each word among all words of the source, or ``_OWN``."""
        number = 0
        while number < len(places):
            first, place = number, places[number]
            number += 1
            if place == _OWN:
                continue
            source = int(self._sentence_of[place])
            start = place - int(self._starts[source])
            while (
                number < len(places)
                and places[number] == place + number - first
                and int(self._sentence_of[places[number]]) == source
            ):
                number += 1
            yield Run(words=(first, number), source=source, source_words=(start, start + number - first))

    def occurrences(self, word: str) -> IntArray:
        """The places of a case-folded word among all words of the source, ascending."""
        index = self._index_of_word.get(word)
        if index is None:
            return np.zeros(0, np.int64)
        return self._by_word[self._first_of_word[index] : self._first_of_word[index + 1]]

    def ending_with(self, word: str) -> IntArray:
        """The source sentences whose last word is this case-folded word, ascending."""
        places = self.occurrences(word)
        sentences = self._sentence_of[places]
        ending: IntArray = sentences[places + 1 == self._starts[sentences + 1]]
        return ending

    def sentences_of(self, places: IntArray) -> IntArray:
        """The source sentence of each place."""
        return self._sentence_of[places]

    def is_cited(self, cited: Collection[int]) -> FloatArray:
        """(sentences,) 1 for sentences on the cited pages, else 0."""
        found: FloatArray = np.zeros(len(self.sentences), np.float64)
        for page in cited:
            found[self._sentences_on[page]] = 1.0
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """The cheapest readings up to a word: by the place it is copied from, or as one's own word.

    Attributes:
        places: (n,) where the word occurs.
        before: (n,) for each the place of the word before it, or ``_OWN``; if that is ``_OWN``, ...
        before_sentence: (n,) the sentence that the reading was in before.
        own_before: (sentences,) as ``before``, for the reading that stays in a sentence with its own word.
    """

    places: IntArray
    before: IntArray
    before_sentence: IntArray
    own_before: IntArray


class _Reading:
    """The cheapest reading of one sentence; see the module."""

    def __init__(self, index: SourceIndex, cited: Collection[int]) -> None:
        self._index = index
        # (sentences,) what entering each costs besides.
        self._entry = _NOT_CITED * (1 - index.is_cited(cited))

    def of(self, words: Sequence[str]) -> list[int]:
        """The place of each word among all words of the source, or ``_OWN``."""
        num_sentences = len(self._index.sentences)
        places = np.zeros(0, np.int64)
        costs = np.zeros(0)
        # The cheapest reading that is in each sentence, and the place of its last word (or ``_OWN``).
        best, last = self._entry.copy(), np.full(num_sentences, _OWN)
        steps: list[_Step] = []
        for number, word in enumerate(words):
            found = self._index.occurrences(word)
            sentences = self._index.sentences_of(found)
            cheapest = int(best.argmin())
            stay = best[sentences] + (_LEAVE_OUT if number else 0.0)
            turn = best[cheapest] + _OTHER_SENTENCE + self._entry[sentences]
            new_costs = np.minimum(stay, turn)
            before_sentence = np.where(stay <= turn, sentences, cheapest)
            before = last[before_sentence]
            self._go_on(found, sentences, places, costs, new_costs, before, before_sentence)
            own = best + (_OWN_FUNCTION_WORD if is_function_word(stem(word)) else _OWN_WORD)
            steps.append(_Step(places=found, before=before, before_sentence=before_sentence, own_before=last))
            places, costs = found, new_costs
            best, last = own, np.full(num_sentences, _OWN)
            if len(found):
                order = np.lexsort((costs, sentences))
                first = np.concatenate(([True], np.diff(sentences[order]) > 0))
                winners = order[first]
                better = costs[winners] <= best[sentences[winners]]
                winners = winners[better]
                best[sentences[winners]] = costs[winners]
                last[sentences[winners]] = found[winners]
        return self._trace_back(steps, int(best.argmin()), last)

    def _go_on(
        self,
        found: IntArray,
        sentences: IntArray,
        places: IntArray,
        costs: FloatArray,
        new_costs: FloatArray,
        before: IntArray,
        before_sentence: IntArray,
    ) -> None:
        """Where the word before was copied from the place before, go on from there if that is cheaper."""
        if not len(found) or not len(places):
            return
        position = np.searchsorted(places, found - 1)
        position[position == len(places)] = 0
        follows = np.flatnonzero(places[position] == found - 1)
        previous = places[position[follows]]
        previous_sentence = self._index.sentences_of(previous)
        crosses = previous_sentence != sentences[follows]
        going_on = costs[position[follows]] + np.where(crosses, _NEXT_SENTENCE, 0.0)
        better = going_on <= new_costs[follows]
        chosen = follows[better]
        new_costs[chosen] = going_on[better]
        before[chosen] = previous[better]
        before_sentence[chosen] = previous_sentence[better]

    def _trace_back(self, steps: Sequence[_Step], sentence: int, last: IntArray) -> list[int]:
        place = int(last[sentence])
        reading: list[int] = []
        for step in reversed(steps):
            reading.append(place)
            if place == _OWN:
                place = int(step.own_before[sentence])
            else:
                position = int(np.searchsorted(step.places, place))
                place, sentence = int(step.before[position]), int(step.before_sentence[position])
        return reading[::-1]
