"""Constraints: rules about which tokens may come next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from torch import Tensor

from lsum_cli.generation.options import GenerationOptions

IMPOSSIBLE = float("-inf")


class Constraint(Protocol):
    """A rule about the next token of every row."""

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Change the scores in place; they are not normalised again.

        Args:
            log_probs: (rows, vocab).
            length: Number of ids that every row has so far, start token included.
        """
        ...

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Record which token each row got, and which row of the previous step it continues."""
        ...


class _Stateless:
    """A constraint that does not depend on earlier tokens."""

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Record nothing."""


class _AtLengths:
    """A constraint that depends on how long a row is, for each document at a length of its own.

    Args:
        lengths: Of each document, or of all.
    """

    def __init__(self, lengths: int | Sequence[int]) -> None:
        self._lengths = [lengths] if isinstance(lengths, int) else list(lengths)
        self._of_rows: list[int] = []

    def _by_row(self, rows: int) -> list[int]:
        """The length of each row's document."""
        if not self._of_rows:
            self._of_rows = [length for length in self._lengths for _ in range(rows // len(self._lengths))]
        return self._of_rows

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:  # noqa: ARG002
        """Record which document each row belongs to."""
        self._of_rows = [self._of_rows[parent] for parent in parents]


class BannedTokens(_Stateless):
    """Some tokens are never generated."""

    def __init__(self, token_ids: Sequence[int]) -> None:
        self._token_ids = list(token_ids)

    def apply(self, log_probs: Tensor, length: int) -> None:  # noqa: ARG002
        """Make them impossible."""
        log_probs[:, self._token_ids] = IMPOSSIBLE


class MinimumLength(_AtLengths):
    """The end token is banned while there are fewer than ``min_length`` ids."""

    def __init__(self, min_length: int | Sequence[int], end_token_id: int) -> None:
        super().__init__(min_length)
        self._end_token_id = end_token_id

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Make the end token impossible."""
        short = [row for row, least in enumerate(self._by_row(len(log_probs))) if length < least]
        log_probs[short, self._end_token_id] = IMPOSSIBLE


class ForcedToken(_AtLengths):
    """One token is certain after ``length`` ids; its log probability is 0."""

    def __init__(self, token_id: int, length: int | Sequence[int]) -> None:
        super().__init__(length)
        self._token_id = token_id

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Make everything else impossible."""
        there = [row for row, at in enumerate(self._by_row(len(log_probs))) if length == at]
        log_probs[there] = IMPOSSIBLE
        log_probs[there, self._token_id] = 0.0


class NoRepeatedNgram:
    """No n-gram occurs twice; each row records what followed its (n-1)-grams.

    What all rows of a document have in common is stored once, so that the cost of a step does not grow
    with the text.

    Args:
        size: The n.
        start_token_id: Part of the first n-grams.
        exempt_token_ids: Tokens that n-grams skip.
    """

    def __init__(self, size: int, start_token_id: int, exempt_token_ids: Sequence[int] = ()) -> None:
        self._size = size
        self._exempt = frozenset(exempt_token_ids)
        self._start_token_id = start_token_id
        self._rows = [_Memory(self._first_followers(), (), self._tail((), start_token_id))]
        self._started = False

    def apply(self, log_probs: Tensor, length: int) -> None:  # noqa: ARG002
        """Make the tokens impossible that followed a row's last n-1 tokens before."""
        if not self._started:
            self._rows *= log_probs.shape[0]
        banned = [(row, token_id) for row, memory in enumerate(self._rows) for token_id in memory.followers()]
        if banned:
            rows, token_ids = zip(*banned, strict=True)
            log_probs[list(rows), list(token_ids)] = IMPOSSIBLE

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Let every row inherit its parent's n-grams and add its new one."""
        if not self._started:
            self._started = True
            # All beams of a document begin as its first row: they share what they have in common.
            shared = {parent: self._first_followers() for parent in parents}
            tail = self._rows[0].tail
            self._rows = [_Memory(shared.get(row, {}), (), tail) for row in range(len(self._rows))]
        self._rows = [self._extended(self._rows[p], t) for t, p in zip(token_ids, parents, strict=True)]
        self._settle()

    def _first_followers(self) -> _Followers:
        return {(): [self._start_token_id]} if self._size == 1 else {}

    def _extended(self, memory: _Memory, token_id: int) -> _Memory:
        if token_id in self._exempt:
            return memory
        recent = memory.recent
        if len(memory.tail) == self._size - 1:
            recent = (*recent, (memory.tail, token_id))
        return memory._replace(recent=recent, tail=self._tail(memory.tail, token_id))

    def _settle(self) -> None:
        """Move the entries that all rows of a document have in common to what they share."""
        documents: dict[int, list[int]] = {}
        for row, memory in enumerate(self._rows):
            documents.setdefault(id(memory.shared), []).append(row)
        for rows in documents.values():
            first = self._rows[rows[0]]
            alike = 0
            for entries in zip(*(self._rows[row].recent for row in rows), strict=False):
                # The very same entry, not an equal one: then everything before it is the same too.
                if any(entry is not entries[0] for entry in entries):
                    break
                tail, token_id = entries[0]
                first.shared.setdefault(tail, []).append(token_id)
                alike += 1
            if alike:
                for row in rows:
                    self._rows[row] = self._rows[row]._replace(recent=self._rows[row].recent[alike:])

    def _tail(self, tail: tuple[int, ...], token_id: int) -> tuple[int, ...]:
        kept = (*tail, token_id)
        return kept[len(kept) - min(len(kept), self._size - 1) :]


_Followers = dict[tuple[int, ...], list[int]]


class _Memory(NamedTuple):
    """What followed a row's n-1-grams, in all rows of its document and since then; and its end."""

    shared: _Followers
    recent: tuple[tuple[tuple[int, ...], int], ...]
    tail: tuple[int, ...]

    def followers(self) -> list[int]:
        """What followed this row's last n-1 tokens before."""
        recent = [token_id for tail, token_id in self.recent if tail == self.tail]
        return [*self.shared.get(self.tail, ()), *recent]


def constraints_of(own_options: Sequence[GenerationOptions]) -> list[Constraint]:
    """Build the constraints that the options ask for; a later one overrides an earlier one.

    Args:
        own_options: Those of each document, which differ in lengths alone.
    """
    constraints: list[Constraint] = []
    options = own_options[0]
    if options.no_repeat_ngram:
        constraints.append(
            NoRepeatedNgram(options.no_repeat_ngram, options.start_token_id, options.ngram_exempt_token_ids)
        )
    if options.banned_token_ids:
        constraints.append(BannedTokens(options.banned_token_ids))
    if any(own.min_length for own in own_options):
        constraints.append(MinimumLength([own.min_length for own in own_options], options.end_token_id))
    if options.forced_first_token_id is not None:
        constraints.append(ForcedToken(options.forced_first_token_id, 1))
    if options.forced_last_token_id is not None:
        lasts = [own.max_length - 1 for own in own_options]
        constraints.append(ForcedToken(options.forced_last_token_id, lasts))
    return constraints
