"""A text of any length, encoded in stretches, and its windows.

The forward LSTM's state is carried over from stretch to stretch, so that its states are those of the
whole text. The backward LSTM starts afresh behind every stretch, after ``stretch_overlap`` tokens of
the text that follows, so that its states differ from those of the whole text by what an LSTM still
remembers from beyond these. A text of at most ``stretch_len`` tokens is one stretch, without any difference.

Encoder states are computed when a window first needs them, and only the last few stretches and windows
are cached. All that stays of a text besides its ids are forward states: all of the first
``CACHED_AHEAD`` tokens, of the others those at the stretches' borders, from which the rest is computed
again. On a CPU a second thread computes the next stretch while the present one is written for. Backwards,
several stretches are read side by side, which takes half the time: the LSTM's weights are read once for all.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Self, TypeVar

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lsum_cli.models.windowing.network import State, WindowingNetwork
from lsum_cli.models.windowing.vocabulary import SourceText
from lsum_cli.models.windowing.windows import WindowSchedule
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

CACHED_STRETCHES, CACHED_WINDOWS = 4, 8
# Tokens; 256 MiB with the paper's sizes.
CACHED_AHEAD = 1 << 18
# Stretches read backwards side by side, and how many of their tokens at once: what an LSTM needs meanwhile is
# so small that memory is used again instead of being fetched from the system.
BACK_TOGETHER, TOKENS_AT_ONCE = 4, 1024

Value = TypeVar("Value")


class EncodedText:
    """The encoder's states of one text.

    Attributes:
        end: End states of both directions, h and c, (1, hidden) each.
    """

    def __init__(
        self,
        network: WindowingNetwork,
        input_ids: Tensor,
        *,
        progress: ProgressListener = ignore_progress,
    ) -> None:
        """Read the text forward once.

        Args:
            input_ids: (source_len,), at least one, on the CPU.
            progress: Called with every stretch.
        """
        self._network = network
        self._input_ids = input_ids
        self._stretch_len = network.settings.stretch_len
        self._num_stretches = -(-len(input_ids) // self._stretch_len)
        self._cached: OrderedDict[int, Future[Tensor]] = OrderedDict()
        self._ahead: list[Tensor] = []
        self._borders: list[State | None] = [None]
        # Backward states of stretches that are next, until they are needed; only the helper touches them.
        self._back: dict[int, Tensor] = {}
        self._helper = ThreadPoolExecutor(1) if network.device.type == "cpu" else None
        first_back = self._start(partial(self._read_back, 0))
        for stretch in range(self._num_stretches):
            ahead, state = self._read_ahead(stretch)
            self._borders.append(state)
            if stretch == 0 or (stretch + 1) * self._stretch_len <= CACHED_AHEAD:
                self._ahead.append(ahead)
            done = min((stretch + 1) * self._stretch_len, len(input_ids))
            progress(ProgressEvent(stage="reading", done=done, total=len(input_ids), unit="words"))
        end = self._borders[-1]
        assert end is not None
        back_h, back_c = first_back.result()
        self._cached[0] = self._start(partial(self._make, 0))
        self.end: State = (torch.cat([end[0], back_h], dim=-1), torch.cat([end[1], back_c], dim=-1))

    def states(self, start: int, end: int) -> Tensor:
        """Return the states of some tokens, (end - start, hidden)."""
        size = self._stretch_len
        parts = [
            self._stretch(stretch)[max(0, start - stretch * size) : end - stretch * size]
            for stretch in range(start // size, -(-end // size))
        ]
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _stretch(self, stretch: int) -> Tensor:
        """Return a stretch's states, (tokens, hidden), and start computing the next one."""
        for each in (stretch, min(stretch + 1, self._num_stretches - 1)):
            if each not in self._cached:
                self._cached[each] = self._start(partial(self._make, each))
            self._cached.move_to_end(each)
        while len(self._cached) > CACHED_STRETCHES:
            self._cached.popitem(last=False)
        return self._cached[stretch].result()

    def _make(self, stretch: int) -> Tensor:
        ahead = self._ahead[stretch] if stretch < len(self._ahead) else self._read_ahead(stretch)[0]
        if stretch not in self._back:
            self._read_back(stretch)
        return torch.cat([ahead, self._back.pop(stretch)], dim=-1)

    def _start(self, work: Callable[[], Value]) -> Future[Value]:
        """Start the work in the second thread, or do it now where there is none."""
        if self._helper:
            return self._helper.submit(torch.inference_mode()(work))
        done: Future[Value] = Future()
        done.set_result(work())
        return done

    def _read_ahead(self, stretch: int) -> tuple[Tensor, State]:
        """Return the forward states of a stretch, (tokens, hidden / 2), and the last, (1, hidden / 2)."""
        start = stretch * self._stretch_len
        state = self._borders[stretch]
        given = None if state is None else (state[0].unsqueeze(0), state[1].unsqueeze(0))
        parts = []
        for ids in torch.split(self._input_ids[start : start + self._stretch_len], TOKENS_AT_ONCE):
            embedded = self._network.embed(ids.to(self._network.device)).unsqueeze(0)
            part, given = self._network.encoder.ahead(embedded, given)
            parts.append(part[0])
        assert given is not None
        return torch.cat(parts), (given[0][0], given[1][0])

    def _read_back(self, first: int) -> State:
        """Read a stretch and the next ones backwards, each from behind its overlap, and store their states.

        Returns:
            The last state of the stretch, before its first token, (1, hidden / 2).
        """
        overlap, back = self._network.settings.stretch_overlap, self._network.encoder.back
        stretches = range(first, min(first + BACK_TOGETHER, self._num_stretches))
        starts = [stretch * self._stretch_len for stretch in stretches]
        texts = [self._input_ids[start : start + self._stretch_len + overlap].flip(0) for start in starts]
        lengths = [len(text) for text in texts]  # never ascending
        ids = pad_sequence(texts, batch_first=True).to(self._network.device)  # (stretches, length)
        states = torch.empty(*ids.shape, back.hidden_size, device=ids.device)
        given: tuple[Tensor, Tensor] | None = None
        for begin, end in pairwise(sorted({0, *lengths, *range(0, lengths[0], TOKENS_AT_ONCE)})):
            rows = sum(length >= end for length in lengths)
            before = None if given is None else (given[0][:, :rows], given[1][:, :rows])
            states[:rows, begin:end], given = back(self._network.embed(ids[:rows, begin:end]), before)
        assert given is not None
        self._back = {
            stretch: states[row, :length].flip(0)[: self._stretch_len]
            for row, (stretch, length) in enumerate(zip(stretches, lengths, strict=True))
        }
        return given[0][:, 0], given[1][:, 0]


class Window(NamedTuple):
    """A window ready to be read.

    Attributes:
        states: (window_len, hidden).
        words: Its distinct extended ids, (words,).
        word_of: Index of the word at each position, (window_len,).
    """

    states: Tensor
    words: Tensor
    word_of: Tensor


class WindowedText:
    """One encoded text and its windows."""

    def __init__(
        self,
        network: WindowingNetwork,
        source: SourceText,
        schedule: WindowSchedule,
        progress: ProgressListener,
    ) -> None:
        self.schedule = schedule
        self.source = source.first(schedule.layout.num_tokens)
        self.encoded = EncodedText(network, torch.from_numpy(self.source.input_ids), progress=progress)
        self._extended_ids = torch.from_numpy(self.source.extended_ids).to(network.device)
        self._windows: OrderedDict[int, Window] = OrderedDict()

    def under(self, schedule: WindowSchedule) -> Self:
        """The same encoded text and windows, moved through by another schedule of the same layout."""
        assert schedule.layout == self.schedule.layout, "windows are laid over a text once"
        twin = copy.copy(self)
        twin.schedule = schedule
        return twin

    @property
    def num_unknown(self) -> int:
        """Words of the source beyond the vocabulary."""
        return len(self.source.unknown_words)

    def window(self, index: int) -> Window:
        """Return a window; the last few are cached."""
        if index not in self._windows:
            start, end = self.schedule.layout.span(index)
            words, word_of = torch.unique(self._extended_ids[start:end], return_inverse=True)
            self._windows[index] = Window(self.encoded.states(start, end), words, word_of)
            if len(self._windows) > CACHED_WINDOWS:
                self._windows.popitem(last=False)
        self._windows.move_to_end(index)
        return self._windows[index]
