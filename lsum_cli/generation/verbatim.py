"""Verbatim search: a constraint under which only whole sentences of the source can be written.

The sentences are an automaton over token ids. Sorted by their ids, all sentences with the same beginning are
neighbours, so that a state is a range of them and a depth, and the automaton needs no more memory than the
sentences themselves. At a sentence's end any sentence that this hypothesis has not written may follow, or the
end. Scores are not normalised again: a sentence is as likely as the model finds all of its tokens.

A sentence is only begun where it fits the maximum length and no beam ever runs into a dead end: inside a
sentence its next token stays possible, however unlikely the model finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lsum_cli.generation.constraints import IMPOSSIBLE
from lsum_cli.generation.options import GenerationOptions

# What a token that a model finds impossible counts where nothing else may follow.
UNLIKELY = -1e4


class SentenceIndex:
    """Sentences sorted by their token ids.

    A sentence that is the beginning of another one is left out: so a sentence ends where its tokens do.

    Args:
        sequences: The token ids of each sentence, at least one each.
        numbers: The number by which each sentence is known; of sentences with the same ids
            the first.

    Attributes:
        numbers: (sentences,), in sorted order.
    """

    def __init__(self, sequences: Sequence[Sequence[int]], numbers: Sequence[int] | None = None) -> None:
        known = range(len(sequences)) if numbers is None else numbers
        distinct: dict[tuple[int, ...], int] = {}
        for ids, number in zip(sequences, known, strict=True):
            distinct.setdefault(tuple(ids), number)
        ordered = sorted(distinct.items())
        # In this order the beginning of any sentence is the beginning of the next one.
        following = [*(ids for ids, _ in ordered[1:]), ()][: len(ordered)]
        kept = [
            (ids, number)
            for (ids, number), after in zip(ordered, following, strict=True)
            if after[: len(ids)] != ids
        ]
        self.numbers: NDArray[np.int64] = np.array([number for _, number in kept], np.int64)
        self._lengths = np.array([len(ids) for ids, _ in kept], np.int64)
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._tokens = np.array([token_id for ids, _ in kept for token_id in ids], np.int64)
        self._place_of = {int(number): place for place, number in enumerate(self.numbers)}

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def shortest(self) -> int:
        """Tokens of the shortest sentence; 0 if there are none."""
        return int(self._lengths.min(initial=self._lengths.max(initial=0)))

    @property
    def longest(self) -> int:
        """Tokens of the longest sentence; 0 if there are none."""
        return int(self._lengths.max(initial=0))

    def at_start(self) -> Position:
        """Where every sentence begins."""
        return Position(0, len(self), 0)

    def followers(
        self, position: Position, written: frozenset[int] = frozenset(), room: int | None = None
    ) -> NDArray[np.int64]:
        """Return the token ids that may follow.

        Args:
            written: Numbers of sentences that may not be written again.
            room: Maximum number of further tokens of a sentence; ``None`` for no limit.
        """
        first, last, depth = position
        if last - first == 1 and depth:
            # A sentence that was begun is completed.
            return self._tokens[self._starts[first] + depth :][:1]
        open_ = np.ones(last - first, np.bool_) if room is None else self._lengths[first:last] - depth <= room
        if len(written) < last - first:
            for number in written:
                place = self._place_of.get(number, -1)
                if first <= place < last:
                    open_[place - first] = False
        else:
            unwritten = (int(number) not in written for number in self.numbers[first:last])
            open_ &= np.fromiter(unwritten, np.bool_, last - first)
        column = self._column(position)[open_]
        is_new = np.concatenate((np.ones(min(1, len(column)), np.bool_), column[1:] != column[:-1]))
        distinct: NDArray[np.int64] = column[is_new]
        return distinct

    def follow(self, position: Position, token_id: int) -> Position | None:
        """Return the position after a token; ``None`` if no sentence continues with it."""
        column = self._column(position)
        first = position.first + int(np.searchsorted(column, token_id, "left"))
        last = position.first + int(np.searchsorted(column, token_id, "right"))
        return Position(first, last, position.depth + 1) if first < last else None

    def ended(self, position: Position) -> int | None:
        """Return the number of the sentence that ends at a position; ``None`` within a sentence."""
        first, last, depth = position
        # No sentence is the beginning of another, so that only one can end.
        if last - first == 1 and depth == self._lengths[first]:
            return int(self.numbers[first])
        return None

    def _column(self, position: Position) -> NDArray[np.int64]:
        """The next token of every sentence that is still possible, ascending."""
        first, last, depth = position
        column: NDArray[np.int64] = self._tokens[self._starts[first:last] + depth]
        return column


class Position(NamedTuple):
    """Sentences ``first`` to ``last`` of an index, which have their first ``depth`` tokens in common."""

    first: int
    last: int
    depth: int


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What a hypothesis may write at the end of a sentence.

    Attributes:
        index: The sentences.
        room: Maximum number of tokens of the next sentence; ``None`` for no limit.
        way_out: The token to write where no sentence is left and the decoder allows nothing else.
    """

    index: SentenceIndex
    room: int | None
    way_out: int


class Offers(Protocol):
    """Decides what each hypothesis may write."""

    def offer(self, document: int, row: int, length: int) -> Offer:
        """Return what may follow.

        Args:
            document: The document, as numbered at the start of the search.
            row: The row of the present step.
            length: Number of ids that the row has so far, start token included.
        """
        ...


class DocumentOffers:
    """Offers all sentences of a document, as far as they and the end token fit the maximum length.

    Args:
        indices: The sentences of each document.
        options: How to search for each.
    """

    def __init__(self, indices: Sequence[SentenceIndex], options: Sequence[GenerationOptions]) -> None:
        self._indices = indices
        self._options = options

    def offer(self, document: int, row: int, length: int) -> Offer:  # noqa: ARG002
        """See :meth:`Offers.offer`."""
        own = self._options[document]
        room = own.max_length - length - 1
        return Offer(index=self._indices[document], room=room, way_out=own.end_token_id)


class _Row(NamedTuple):
    """A hypothesis: its document, what it has written, and its place in a sentence (none between two)."""

    document: int
    written: frozenset[int] = frozenset()
    sentences: SentenceIndex | None = None
    position: Position | None = None

    def advanced(self, token_id: int) -> Self:
        """The hypothesis after a token; one that is no part of a sentence changes nothing."""
        if self.sentences is None:
            return self
        position = self.sentences.follow(self.position or self.sentences.at_start(), token_id)
        number = None if position is None else self.sentences.ended(position)
        if number is not None:
            return self._replace(written=self.written | {number}, sentences=None, position=None)
        return self._replace(sentences=self.sentences if position else None, position=position)


class VerbatimSentences:
    """The constraint: between sentences, any sentence that is offered, or what the decoder allows there.

    Pass the search the options of :func:`without_limits`; this applies their minimum length at the ends of
    sentences.

    Args:
        offers: What each hypothesis may write.
        options: How to search for each document, with the limits that were asked for; they differ in
            lengths alone.
        between_token_ids: Tokens besides the end that may stand between sentences.
    """

    def __init__(
        self, offers: Offers, options: Sequence[GenerationOptions], between_token_ids: Sequence[int] = ()
    ) -> None:
        self._offers = offers
        self._options = options
        self._end_token_id = options[0].end_token_id
        self._between = np.array([self._end_token_id, *between_token_ids], np.int64)
        self._first_length = 1 if options[0].forced_first_token_id is None else 2
        self._rows: list[_Row] = []

    def is_within(self, row: int) -> bool:
        """Whether a row, as numbered in the next step, is inside a sentence."""
        return bool(self._rows) and self._rows[row].position is not None

    def has_written_all(self, row: int, index: SentenceIndex) -> bool:
        """Whether a row, as numbered in the next step, has written all sentences of an index."""
        written = self._rows[row].written if self._rows else frozenset()
        return not len(index.followers(index.at_start(), written))

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Make impossible what is neither the next token of a sentence nor may stand between two."""
        if not self._rows:
            beams = self._options[0].beams
            self._rows = [_Row(row // beams) for row in range(log_probs.shape[0])]
        if length < self._first_length:
            return
        allowed: list[NDArray[np.int64]] = []
        for number, row in enumerate(self._rows):
            if row.sentences is not None and row.position is not None:
                room = None if row.position.last - row.position.first == 1 else self._room(number, length)
                allowed.append(row.sentences.followers(row.position, row.written, room))
            else:
                allowed.append(self._start(log_probs, number, length))
        rows = torch.from_numpy(np.repeat(np.arange(len(allowed)), [len(ids) for ids in allowed]))
        columns = torch.from_numpy(np.concatenate(allowed))
        within = torch.tensor([self.is_within(number) for number in range(len(allowed))])[rows]
        values = log_probs[rows, columns]
        # A sentence that was begun can always be completed.
        values = torch.where(within.to(values.device), values.clamp(min=UNLIKELY), values)
        log_probs.fill_(IMPOSSIBLE)
        log_probs[rows, columns] = values

    def _room(self, number: int, length: int) -> int | None:
        row = self._rows[number]
        return self._offers.offer(row.document, number, length).room

    def _start(self, log_probs: Tensor, number: int, length: int) -> NDArray[np.int64]:
        """What may follow between two sentences; at least one token of it is possible."""
        row = self._rows[number]
        offer = self._offers.offer(row.document, number, length)
        starts = offer.index.followers(offer.index.at_start(), row.written, offer.room)
        self._rows[number] = row._replace(sentences=offer.index)
        scores = log_probs[number]
        if len(starts) and (length < self._options[row.document].min_length or not row.written):
            scores[self._end_token_id] = IMPOSSIBLE
        allowed = np.concatenate((starts, self._between))
        if bool((scores[torch.from_numpy(allowed)] == IMPOSSIBLE).all()):
            lifted = starts if len(starts) else np.array([offer.way_out])
            scores[torch.from_numpy(lifted)] = UNLIKELY if len(starts) else 0.0
        return allowed

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Let every row continue its parent's sentence, or begin one."""
        self._rows = [
            self._rows[parent].advanced(token_id) for token_id, parent in zip(token_ids, parents, strict=True)
        ]


def without_limits(options: GenerationOptions) -> GenerationOptions:
    """These options without the limits that :class:`VerbatimSentences` applies itself, or that yield to it.

    A source may well repeat an n-gram, and the minimum length holds at the ends of sentences only.
    """
    return replace(options, no_repeat_ngram=0, min_length=0)


class WrittenSentence(NamedTuple):
    """A sentence that was written: its number, and the places of its tokens in what was generated."""

    number: int
    places: tuple[int, ...]


class SentenceReader:
    """Recognises the sentences in what a verbatim search has generated, token by token."""

    def __init__(self) -> None:
        self._row = _Row(0)
        self._places: list[int] = []

    def add(self, place: int, token_id: int, index: SentenceIndex) -> WrittenSentence | None:
        """Add a token.

        Args:
            place: Its place in what was generated.
            index: What was offered there; only read between sentences.

        Returns:
            The sentence that ended with it, if one did.
        """
        before = self._row if self._row.sentences is not None else self._row._replace(sentences=index)
        self._row = before.advanced(token_id)
        if self._row.position is not None:
            self._places.append(place)
            return None
        ended = self._row.written - before.written
        written = WrittenSentence(next(iter(ended)), (*self._places, place)) if ended else None
        self._row, self._places = _Row(0), []
        return written


def read_sentences(token_ids: Sequence[int], index: SentenceIndex) -> list[WrittenSentence]:
    """Return the sentences of a hypothesis in the order in which they were written."""
    reader = SentenceReader()
    found = [reader.add(place, token_id, index) for place, token_id in enumerate(token_ids)]
    return [sentence for sentence in found if sentence is not None]


def restrict_generate(rule: VerbatimSentences, beams: int) -> Callable[[Tensor, Tensor], Tensor]:
    """Return the constraint as a logits processor of ``transformers``' ``generate``.

    ``generate`` does not say which row continues which: the ids of the step before tell.

    Args:
        beams: Rows of each document.
    """
    before: dict[tuple[int, tuple[int, ...]], int] = {}

    def restrict(input_ids: Tensor, scores: Tensor) -> Tensor:
        rows = [(place // beams, tuple(ids)) for place, ids in enumerate(input_ids.tolist())]
        length = len(rows[0][1])
        if length > 1:
            # A row that ended is filled up; what it continues does not matter any more.
            parents = [before.get((document, ids[:-1]), document * beams) for document, ids in rows]
            rule.advance([ids[-1] for _, ids in rows], parents)
        before.clear()
        before.update({row: place for place, row in reversed(list(enumerate(rows)))})
        allowed = scores.clone()
        rule.apply(allowed, length)
        return allowed

    return restrict
