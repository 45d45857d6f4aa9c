"""How many words a summary may have, where some of its tokens are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

IMPOSSIBLE = float("-inf")


class TextLength:
    """A constraint of the search: no end before ``least`` words, nothing but the end after ``most``.

    Args:
        least: Words at least.
        most: Words at most; ``None`` for any number.
        end_token_id: What ends a summary.
        uncounted: Tokens that are no words, and may come after ``most`` of them too.
    """

    def __init__(
        self, *, least: int, most: int | None, end_token_id: int, uncounted: Sequence[int] = ()
    ) -> None:
        self._least, self._most = least, most
        self._end, self._uncounted = end_token_id, frozenset(uncounted)
        # None: all rows are at the beginning, however many there are.
        self._counts: list[int] | None = None

    def apply(self, log_probs: Tensor, length: int) -> None:  # noqa: ARG002
        """Make impossible what the rows' lengths forbid."""
        counts = [0] * len(log_probs) if self._counts is None else self._counts
        for row, count in enumerate(counts):
            if count < self._least:
                log_probs[row, self._end] = IMPOSSIBLE
            if self._most is not None and count >= self._most:
                end = log_probs[row, self._end].clone()
                log_probs[row] = IMPOSSIBLE
                log_probs[row, self._end] = end

    def advance(self, token_ids: Sequence[int], parents: Sequence[int]) -> None:
        """Count every row's new token."""
        before = self._counts or [0] * (max(parents, default=0) + 1)
        self._counts = [
            before[parent] + (token_id not in self._uncounted)
            for token_id, parent in zip(token_ids, parents, strict=True)
        ]
