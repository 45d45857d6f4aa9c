"""Rules about which tokens may come next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor

from lsum_cli.generation.options import GenerationOptions

IMPOSSIBLE = float("-inf")


class Constraint(Protocol):
    """A rule about the next token of every row."""

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Change the scores in place; what is left is not normalised again.

        Args:
            log_probs: (rows, vocab).
            length: Ids that every row has so far, start token included.
        """
        ...

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Learn which token each row got, and which row of the step before it continues."""
        ...


class _Stateless:
    """A constraint that need not remember what came before."""

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Nothing to learn."""


class BannedTokens(_Stateless):
    """Some tokens never come."""

    def __init__(self, token_ids: Sequence[int]) -> None:
        self._token_ids = list(token_ids)

    def apply(self, log_probs: Tensor, length: int) -> None:  # noqa: ARG002
        """Make them impossible."""
        log_probs[:, self._token_ids] = IMPOSSIBLE


class MinimumLength(_Stateless):
    """The end token does not come while there are fewer than ``min_length`` ids."""

    def __init__(self, min_length: int, end_token_id: int) -> None:
        self._min_length = min_length
        self._end_token_id = end_token_id

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Make the end token impossible."""
        if length < self._min_length:
            log_probs[:, self._end_token_id] = IMPOSSIBLE


class ForcedToken(_Stateless):
    """One token comes for certain after ``length`` ids; that costs nothing."""

    def __init__(self, token_id: int, length: int) -> None:
        self._token_id = token_id
        self._length = length

    def apply(self, log_probs: Tensor, length: int) -> None:
        """Make everything else impossible."""
        if length == self._length:
            log_probs.fill_(IMPOSSIBLE)
            log_probs[:, self._token_id] = 0.0


class NoRepeatedNgram:
    """No n-gram comes twice; each row remembers what followed its n-1-grams.

    Args:
        size: The n.
        start_token_id: Part of the first n-grams.
    """

    def __init__(self, size: int, start_token_id: int) -> None:
        self._size = size
        first: _Followers = {(): (start_token_id,)} if size == 1 else {}
        self._rows = [(first, self._tail((), start_token_id))]
        self._started = False

    def apply(self, log_probs: Tensor, length: int) -> None:  # noqa: ARG002
        """Make the tokens impossible that followed a row's last n-1 tokens before."""
        if not self._started:
            self._rows *= log_probs.shape[0]
            self._started = True
        banned = [
            (row, token_id)
            for row, (followers, tail) in enumerate(self._rows)
            for token_id in followers.get(tail, ())
        ]
        if banned:
            rows, token_ids = zip(*banned, strict=True)
            log_probs[list(rows), list(token_ids)] = IMPOSSIBLE

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Let every row inherit its parent's n-grams and add its new one."""
        self._rows = [self._extended(*self._rows[p], t) for t, p in zip(token_ids, parents, strict=True)]

    def _extended(self, followers: _Followers, tail: tuple[int, ...], token_id: int) -> _Memory:
        if len(tail) == self._size - 1:
            followers = {**followers, tail: (*followers.get(tail, ()), token_id)}
        return followers, self._tail(tail, token_id)

    def _tail(self, tail: tuple[int, ...], token_id: int) -> tuple[int, ...]:
        kept = (*tail, token_id)
        return kept[len(kept) - min(len(kept), self._size - 1) :]


_Followers = dict[tuple[int, ...], tuple[int, ...]]
_Memory = tuple[_Followers, tuple[int, ...]]


def constraints_of(options: GenerationOptions) -> list[Constraint]:
    """Build the constraints that the options ask for; a later one overrules an earlier one."""
    constraints: list[Constraint] = []
    if options.no_repeat_ngram:
        constraints.append(NoRepeatedNgram(options.no_repeat_ngram, options.start_token_id))
    if options.banned_token_ids:
        constraints.append(BannedTokens(options.banned_token_ids))
    if options.min_length:
        constraints.append(MinimumLength(options.min_length, options.end_token_id))
    if options.forced_first_token_id is not None:
        constraints.append(ForcedToken(options.forced_first_token_id, 1))
    if options.forced_last_token_id is not None:
        constraints.append(ForcedToken(options.forced_last_token_id, options.max_length - 1))
    return constraints
