"""Windows over a text of any length, and how a summary of fixed length is spread over them.

(Schüller et al. 2020, "Windowing Models for Abstractive Summarization of Long Texts".)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lsum_cli.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class WindowLayout:
    """Where the windows of a text lie; together they cover every token.

    Attributes:
        num_tokens: Of the text.
        window_len: Tokens of a window (T_w); the last may have fewer.
        stride: From the start of one window to the next (ss).

    Raises:
        OptionError: Sizes below 1, or a stride that would skip text.
    """

    num_tokens: int
    window_len: int
    stride: int

    def __post_init__(self) -> None:
        if self.window_len < 1 or self.stride < 1:
            raise OptionError(
                f"a window of {self.window_len} tokens with a stride of {self.stride} reads nothing",
                "give --window and --stride at least 1",
            )
        if self.stride > self.window_len:
            raise OptionError(
                f"a stride of {self.stride} tokens would skip text between windows of {self.window_len}",
                "give --stride at most the size of --window",
            )

    def __len__(self) -> int:
        beyond_first = max(0, self.num_tokens - self.window_len)
        return 1 + -(-beyond_first // self.stride)

    def span(self, window: int) -> tuple[int, int]:
        """Return start and end of a window, in tokens."""
        start = window * self.stride
        return start, min(start + self.window_len, self.num_tokens)

    def window_of(self, start: int) -> int:
        """Return the last of the windows that hold what begins at this token."""
        return min(start // self.stride, len(self) - 1)


def static_weights(layout: WindowLayout, *, k: float, d: float) -> NDArray[np.float64]:
    """Return the share of the summary that each window gets, (windows,), summing to 1.

    e(w_i) = exp(-k (1 + i·d^i)), the last window's times how full it is; 0 for ``d`` is uniform.

    Raises:
        OptionError: ``k`` or ``d`` is negative.
    """
    if not (k >= 0 and d >= 0):
        raise OptionError(f"window weights with k = {k} and d = {d} are none", "give k and d of 0 or more")
    index = np.arange(len(layout), dtype=np.float64)
    with np.errstate(over="ignore"):
        # Less the first window's exponent, so that a great k leaves something to divide by.
        weights = np.exp(-k * index * np.power(d, index))
    start, end = layout.span(len(layout) - 1)
    if len(layout) > 1:
        weights[-1] *= (end - start) / layout.window_len
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def expected_length(num_tokens: int, *, summary_len: float, source_len: float) -> int:
    """Return how long the summary of a text should be, at least 1 token (Eq. 3).

    Args:
        num_tokens: Of the text.
        summary_len: maj(|S|), the length that covers 90 % of the training summaries.
        source_len: maj(|D|), likewise of the training texts.
    """
    return max(1, round(summary_len * num_tokens / source_len))


def static_quotas(length: int, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Divide a length among windows by weight: whole tokens that sum to ``length``, (windows,)."""
    shares = length * weights / weights.sum()
    quotas: NDArray[np.int64] = np.floor(shares).astype(np.int64)
    missing = length - int(quotas.sum())
    # The greatest remainders first; of equals the earlier window.
    quotas[np.argsort(quotas - shares, kind="stable")[:missing]] += 1
    return quotas


def windows_by_quota(quotas: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return the window of each of ``length`` tokens; what exceeds the quotas stays in the last window."""
    ends = np.cumsum(quotas)
    window: NDArray[np.int64] = np.searchsorted(ends, np.arange(length), side="right")
    return np.minimum(window, len(quotas) - 1)
