"""Windows over a text of any length, when a hypothesis moves from one to the next, and static quotas.

(Schüller et al. 2020, "Windowing Models for Abstractive Summarization of Long Texts".)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lsum_cli.errors import OptionError
from lsum_cli.models.windowing.settings import WINDOWINGS, WindowingSettings


@dataclass(frozen=True, kw_only=True)
class WindowLayout:
    """The positions of the windows of a text; together they cover every token.

    Attributes:
        num_tokens: Length of the text.
        window_len: Tokens of a window (T_w); the last may have fewer.
        stride: Tokens from the start of one window to the next (ss).

    Raises:
        OptionError: A size is below 1, or the stride would skip text.
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


def static_weights(
    layout: WindowLayout, *, k: float, d: float, form: str = "normalised"
) -> NDArray[np.float64]:
    """Return the share of the summary that each window gets, (windows,), summing to 1.

    From e(w_i) = exp(-k (1 + i·d^i)); ``d`` = 0 is uniform.

    Args:
        form: ``"softmax"``: the softmax of e, as the paper says. ``"normalised"``: e divided by its sum, that
            of the last window scaled by how full it is, as in its published code.

    Raises:
        OptionError: ``k`` or ``d`` is negative.
    """
    if not (k >= 0 and d >= 0):
        raise OptionError(f"the window weights k = {k} and d = {d} must not be negative", "give 0 or more")
    index = np.arange(len(layout), dtype=np.float64)
    with np.errstate(over="ignore"):
        if form == "softmax":
            raised = np.exp(np.exp(-k * (1 + index * np.power(d, index))))  # between 1 and e
            return np.asarray(raised / raised.sum(), np.float64)
        # Minus the first window's exponent, so that the sum does not underflow for a large k.
        weights = np.exp(-k * index * np.power(d, index))
    start, end = layout.span(len(layout) - 1)
    if len(layout) > 1:
        weights[-1] *= (end - start) / layout.window_len
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


# A summary of so many tokens can be written of any text.
LONGEST_OF_A_SHORT_TEXT = 256


def expected_length(num_tokens: int, *, summary_len: float, source_len: float) -> int:
    """Return how long the summary of a text should be, at least 1 token (Eq. 3).

    Args:
        num_tokens: Length of the text.
        summary_len: maj(|S|), the length that covers 90 % of the training summaries.
        source_len: maj(|D|), likewise of the training texts.
    """
    return max(1, round(summary_len * num_tokens / source_len))


def static_quotas(length: int, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Divide a length among windows by weight: whole tokens that sum to ``length``, (windows,)."""
    shares = length * weights / weights.sum()
    quotas: NDArray[np.int64] = np.floor(shares).astype(np.int64)
    missing = length - int(quotas.sum())
    # The greatest remainders first; of equal ones, the earlier window.
    quotas[np.argsort(quotas - shares, kind="stable")[:missing]] += 1
    return quotas


def windows_by_quota(quotas: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return the window of each of ``length`` tokens; tokens beyond the quotas belong to the last window."""
    ends = np.cumsum(quotas)
    window: NDArray[np.int64] = np.searchsorted(ends, np.arange(length), side="right")
    return np.minimum(window, len(quotas) - 1)


@dataclass(frozen=True, kw_only=True)
class WindowRules:
    """How a model moves through its windows; ``None`` for the checkpoint's own setting.

    Attributes:
        windowing: ``"dynamic"``, ``"static"`` or ``"none"``.
        window_len: Tokens of a window.
        stride: Tokens from the start of one window to the next.
        summary_tokens: Static: the length to divide among the windows, instead of that of Eq. 3.
        max_window_tokens: Maximum of tokens written for one window; then the window is left, or the
            summary ends.
        coverage_penalty: Subtracted from a hypothesis' score per unit of attention to source tokens that
            have received a whole unit already (β of the summary coverage penalty).
        finish_windows: Dynamic: whether the end token is allowed only at the last window.
        paced: Dynamic: whether windows shift as often as the model expects, rather than whenever the search
            chooses the window-shift token.
        min_words: Minimum length of the summary; overrides the maximum of a window.
        max_words: Maximum length of the summary; window-shift tokens do not count.

    Raises:
        OptionError: The windowing is unknown, or a number is out of range.
    """

    windowing: str | None = None
    window_len: int | None = None
    stride: int | None = None
    summary_tokens: int | None = None
    max_window_tokens: int | None = None
    coverage_penalty: float = 0.0
    finish_windows: bool = False
    paced: bool = False
    min_words: int = 0
    max_words: int | None = None

    def __post_init__(self) -> None:
        if self.windowing is not None and self.windowing not in WINDOWINGS:
            raise OptionError(
                f"windowing '{self.windowing}' is unknown", f"choose one of {', '.join(WINDOWINGS)}"
            )
        for name in ("summary_tokens", "max_window_tokens", "max_words"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} is {value}", "give at least 1")
        if self.max_words is not None and self.min_words > self.max_words:
            raise OptionError(
                f"min_words {self.min_words} exceeds max_words {self.max_words}", "give at most as many"
            )
        if not self.coverage_penalty >= 0:
            raise OptionError(f"the coverage penalty is {self.coverage_penalty}", "give 0 or more")

    def schedule(self, num_tokens: int, settings: WindowingSettings) -> WindowSchedule:
        """Lay the windows over a text.

        Raises:
            OptionError: The stride exceeds the window.
        """
        windowing = self.windowing or settings.windowing
        window_len = self.window_len or settings.window_len
        # A window smaller than the checkpoint's stride limits the stride, too.
        stride = self.stride or (min(settings.stride, window_len) if self.window_len else settings.stride)
        read = min(num_tokens, window_len) if windowing == "none" else num_tokens
        layout = WindowLayout(num_tokens=read, window_len=window_len, stride=stride)
        most = self.max_window_tokens or settings.max_window_tokens
        ends: tuple[int, ...] | None = None
        if windowing == "static":
            length = self.summary_tokens or expected_length(
                num_tokens, summary_len=settings.summary_len, source_len=settings.source_len
            )
            weights = static_weights(
                layout, k=settings.weight_k, d=settings.weight_d, form=settings.window_weights
            )
            ends = tuple(np.cumsum(static_quotas(length, weights)).tolist())
        return WindowSchedule(
            layout=layout,
            ends=ends,
            is_dynamic=windowing == "dynamic",
            max_window_tokens=most,
            finish_windows=self.finish_windows,
            min_words=self.min_words,
            max_words=self.max_words,
            shift_token_id=settings.shift_token_id,
        )


class WindowState(NamedTuple):
    """The position of a hypothesis: its window, and the number of words written in it and in total."""

    window: int = 0
    written: int = 0
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class WindowSchedule:
    """The windows of one text, and when a hypothesis moves to the next.

    Attributes:
        layout: The positions of the windows.
        ends: Static: for each window the number of summary tokens after which it is left; else ``None``.
        is_dynamic: Whether the window-shift token moves the window.
        max_window_tokens: Maximum of tokens written for one window; static: beyond the last quota.
        finish_windows: Whether the end token is allowed only at the last window.
        min_words: Minimum length of the summary.
        max_words: Maximum length of the summary.
    """

    layout: WindowLayout
    ends: tuple[int, ...] | None
    is_dynamic: bool
    max_window_tokens: int
    finish_windows: bool
    min_words: int
    max_words: int | None
    shift_token_id: int

    @property
    def last(self) -> int:
        """The last window."""
        return len(self.layout) - 1

    @property
    def max_tokens(self) -> int:
        """Maximum of tokens of a summary, window-shift tokens and end included."""
        if self.ends is not None:
            words = self.ends[-1] + self.max_window_tokens
        else:
            words = len(self.layout) * self.max_window_tokens
        # No summary is longer than its text, whatever a checkpoint says of its windows.
        words = max(min(words, max(self.layout.num_tokens, LONGEST_OF_A_SHORT_TEXT)), self.min_words)
        if self.max_words is not None:
            words = min(words, self.max_words)
        return words + (self.last if self.is_dynamic else 0) + 1

    def begin(self) -> WindowState:
        """Return where a hypothesis begins: the first window that has a share of the summary."""
        return self._placed(WindowState())

    def advance(self, state: WindowState, token_id: int, *, stays: bool = False) -> WindowState:
        """Return where a hypothesis is after a token; a shift at the last window changes nothing.

        Args:
            stays: Whether it stays in its window even if this has had its share (static).
        """
        if self.is_dynamic and token_id == self.shift_token_id:
            return WindowState(state.window + 1, 0, state.total) if state.window < self.last else state
        advanced = WindowState(state.window, state.written + 1, state.total + 1)
        return advanced if stays else self._placed(advanced)

    def left(self, state: WindowState) -> WindowState:
        """Return where a hypothesis is that leaves its window without having written its share (static)."""
        return self._placed(WindowState(state.window + 1, 0, state.total))

    def _placed(self, state: WindowState) -> WindowState:
        window = state.window
        while self.ends is not None and window < self.last and state.total >= self.ends[window]:
            window += 1
        return state if window == state.window else WindowState(window, 0, state.total)

    def allows_shift(self, state: WindowState) -> bool:
        """Whether the window-shift token is allowed."""
        return self.is_dynamic and state.window < self.last

    def allows_end(self, state: WindowState) -> bool:
        """Whether the end token is allowed."""
        if state.total < self.min_words:
            return False
        return state.window == self.last or not (self.finish_windows and self.is_dynamic)

    def is_complete(self, state: WindowState) -> bool:
        """Whether only the end token is allowed."""
        return self.max_words is not None and state.total >= self.max_words

    def is_exhausted(self, state: WindowState) -> bool:
        """Whether the present window has reached its maximum."""
        if state.total < self.min_words and not self.allows_shift(state):
            return False
        if self.ends is not None:
            return state.total >= self.ends[-1] + self.max_window_tokens
        return state.written >= self.max_window_tokens

    def windows(self, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the window in which each token was written; a shift belongs to the window it leaves."""
        return tuple(state.window for state in self._states(token_ids))

    def exhausted_windows(self, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the windows in which the maximum of tokens was reached."""
        return tuple(
            dict.fromkeys(state.window for state in self._states(token_ids) if self.is_exhausted(state))
        )

    def _states(self, token_ids: Sequence[int]) -> list[WindowState]:
        states = [self.begin()]
        for token_id in token_ids[:-1]:
            states.append(self.advance(states[-1], int(token_id)))
        return states[: len(token_ids)]
