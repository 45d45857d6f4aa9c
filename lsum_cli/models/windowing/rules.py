"""When a hypothesis moves to its next window, what it may write there, and when it must go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lsum_cli.errors import OptionError
from lsum_cli.models.windowing.configuration import WINDOWINGS, WindowingConfig
from lsum_cli.models.windowing.windows import (
    WindowLayout,
    expected_length,
    static_quotas,
    static_weights,
)


@dataclass(frozen=True, kw_only=True)
class WindowRules:
    """How a model is to go through its windows; ``None`` stands for what the checkpoint says.

    Attributes:
        windowing: ``"dynamic"``, ``"static"`` or ``"none"``.
        window_len: Tokens of a window.
        stride: From one window to the next.
        summary_tokens: Static: the length to divide among the windows, instead of that of Eq. 3.
        max_window_tokens: Tokens written for one window at most; then the window is left, or the
            summary ended.
        coverage_penalty: How much a hypothesis loses per unit of attention that it gives to source
            tokens which have had a whole unit already (β of the summary coverage penalty).
        finish_windows: Dynamic: whether the end may come at the last window only.
        paced: Dynamic: whether windows move as often as the model expects, rather than whenever that is
            likelier than any one word.
        min_words: What a summary has at least: before, it does not end, for the maximum of a window neither.
        max_words: What it has at most; window-shift tokens are no words.

    Raises:
        OptionError: An unknown windowing, or a number out of range.
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
            raise OptionError(f"a coverage penalty of {self.coverage_penalty} is none", "give 0 or more")

    def itinerary(self, num_tokens: int, config: WindowingConfig) -> Itinerary:
        """Lay the windows over a text.

        Raises:
            OptionError: The stride exceeds the window.
        """
        windowing = self.windowing or config.windowing
        window_len = self.window_len or config.window_len
        # A window set smaller than the checkpoint's stride takes its stride along.
        stride = self.stride or (min(config.stride, window_len) if self.window_len else config.stride)
        read = min(num_tokens, window_len) if windowing == "none" else num_tokens
        layout = WindowLayout(num_tokens=read, window_len=window_len, stride=stride)
        most = self.max_window_tokens or config.max_window_tokens
        ends: tuple[int, ...] | None = None
        if windowing == "static":
            length = self.summary_tokens or expected_length(
                num_tokens, summary_len=config.summary_len, source_len=config.source_len
            )
            weights = static_weights(layout, k=config.weight_k, d=config.weight_d)
            ends = tuple(np.cumsum(static_quotas(length, weights)).tolist())
        return Itinerary(
            layout=layout,
            ends=ends,
            is_dynamic=windowing == "dynamic",
            max_window_tokens=most,
            finish_windows=self.finish_windows,
            min_words=self.min_words,
            max_words=self.max_words,
            shift_token_id=config.shift_token_id,
        )


class Stay(NamedTuple):
    """Where a hypothesis is: its window, the words it has written there, and in all."""

    window: int = 0
    written: int = 0
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class Itinerary:
    """The windows of one text and when they change.

    Attributes:
        layout: Where the windows lie.
        ends: Static: up to which token of the summary each window is read; else ``None``.
        is_dynamic: Whether the window-shift token moves the window.
        max_window_tokens: Tokens written for one window at most; static: beyond the last quota.
        finish_windows: Whether the end may come at the last window only.
        min_words: Of the summary at least.
        max_words: Of the summary at most.
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
        """Tokens that a summary has at most, window-shift tokens and end included."""
        if self.ends is not None:
            words = self.ends[-1] + self.max_window_tokens
        else:
            words = len(self.layout) * self.max_window_tokens
        words = max(words, self.min_words)
        if self.max_words is not None:
            words = min(words, self.max_words)
        return words + (self.last if self.is_dynamic else 0) + 1

    def begin(self) -> Stay:
        """Return where a hypothesis begins; a window may have nothing to be written for."""
        return self._placed(Stay())

    def go_on(self, stay: Stay, token_id: int) -> Stay:
        """Return where a hypothesis is after a token; a shift at the last window changes nothing."""
        if self.is_dynamic and token_id == self.shift_token_id:
            return Stay(stay.window + 1, 0, stay.total) if stay.window < self.last else stay
        return self._placed(Stay(stay.window, stay.written + 1, stay.total + 1))

    def _placed(self, stay: Stay) -> Stay:
        window = stay.window
        while self.ends is not None and window < self.last and stay.total >= self.ends[window]:
            window += 1
        return stay if window == stay.window else Stay(window, 0, stay.total)

    def allows_shift(self, stay: Stay) -> bool:
        """Whether the window-shift token may come."""
        return self.is_dynamic and stay.window < self.last

    def allows_end(self, stay: Stay) -> bool:
        """Whether the end may come."""
        if stay.total < self.min_words:
            return False
        return stay.window == self.last or not (self.finish_windows and self.is_dynamic)

    def is_complete(self, stay: Stay) -> bool:
        """Whether nothing but the end may come."""
        return self.max_words is not None and stay.total >= self.max_words

    def is_exhausted(self, stay: Stay) -> bool:
        """Whether nothing more may be written for the present window."""
        if stay.total < self.min_words and not self.allows_shift(stay):
            return False
        if self.ends is not None:
            return stay.total >= self.ends[-1] + self.max_window_tokens
        return stay.written >= self.max_window_tokens

    def windows(self, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the window in which each token was written; a shift belongs to the window it leaves."""
        return tuple(stay.window for stay in self._stays(token_ids))

    def exhausted_windows(self, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the windows in which the maximum put an end to what was being written."""
        return tuple(dict.fromkeys(stay.window for stay in self._stays(token_ids) if self.is_exhausted(stay)))

    def _stays(self, token_ids: Sequence[int]) -> list[Stay]:
        stays = [self.begin()]
        for token_id in token_ids[:-1]:
            stays.append(self.go_on(stays[-1], int(token_id)))
        return stays[: len(token_ids)]
