"""A text of any length, encoded in stretches: exact ahead, with a documented overlap back.

The forward LSTM's state is carried over from stretch to stretch, so that its states are those of the
whole text. The backward LSTM begins anew behind every stretch, after ``stretch_overlap`` tokens of
the text that follows, so that its states differ from those of the whole text by what an LSTM still
remembers from beyond these. A text of at most ``stretch_len`` tokens is one stretch, without any difference.

Encoder states are made when a window first needs them and forgotten when others do. What is kept of a
text besides its ids are the forward states: all of the first ``KEPT_AHEAD`` tokens, of the others those
at the stretches' borders, from which they are made anew. On a processor the next stretch is made by a
second thread while the present one is written for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import torch
from torch import Tensor

from lsum_cli.models.windowing.encoder import State
from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

KEPT_STRETCHES = 4
# Tokens; 256 MiB with the paper's sizes.
KEPT_AHEAD = 1 << 18

Value = TypeVar("Value")


class EncodedText:
    """The encoder's states of one text.

    Attributes:
        end: End states of both directions, h and c, (1, hidden) each.
    """

    def __init__(
        self,
        model: WindowingForConditionalGeneration,
        input_ids: Tensor,
        *,
        progress: ProgressListener = ignore_progress,
    ) -> None:
        """Read the text once ahead.

        Args:
            input_ids: (source_len,), at least one, on the CPU.
            progress: Hears of every stretch.
        """
        self._model = model
        self._input_ids = input_ids
        self._stretch_len = model.config.stretch_len
        self._num_stretches = -(-len(input_ids) // self._stretch_len)
        self._kept: OrderedDict[int, Future[Tensor]] = OrderedDict()
        self._ahead: list[Tensor] = []
        self._borders: list[State | None] = [None]
        is_on_processor = model.embedding.weight.device.type == "cpu"
        self._helper = ThreadPoolExecutor(1) if is_on_processor else None
        first_back = self._start(partial(self._read_back, 0))
        for stretch in range(self._num_stretches):
            ahead, state = self._read_ahead(stretch)
            self._borders.append(state)
            if stretch == 0 or (stretch + 1) * self._stretch_len <= KEPT_AHEAD:
                self._ahead.append(ahead)
            done = min((stretch + 1) * self._stretch_len, len(input_ids))
            progress(ProgressEvent(stage="reading", done=done, total=len(input_ids), unit="words"))
        end = self._borders[-1]
        assert end is not None
        (back_h, back_c), back = first_back.result()
        self._kept[0] = self._start(partial(torch.cat, [self._ahead[0], back], dim=-1))
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
        """Return a stretch's states, (tokens, hidden), and have the next one made."""
        for each in (stretch, min(stretch + 1, self._num_stretches - 1)):
            if each not in self._kept:
                self._kept[each] = self._start(partial(self._make, each))
            self._kept.move_to_end(each)
        while len(self._kept) > KEPT_STRETCHES:
            self._kept.popitem(last=False)
        return self._kept[stretch].result()

    def _make(self, stretch: int) -> Tensor:
        ahead = self._ahead[stretch] if stretch < len(self._ahead) else self._read_ahead(stretch)[0]
        return torch.cat([ahead, self._read_back(stretch)[1]], dim=-1)

    def _start(self, work: Callable[[], Value]) -> Future[Value]:
        """Begin in the second thread, or do it now where there is none."""
        if self._helper:
            return self._helper.submit(torch.inference_mode()(work))
        done: Future[Value] = Future()
        done.set_result(work())
        return done

    def _read_ahead(self, stretch: int) -> tuple[Tensor, State]:
        """Return the forward states of a stretch, (tokens, hidden / 2), and the last, (1, hidden / 2)."""
        start = stretch * self._stretch_len
        before = self._borders[stretch]
        given = None if before is None else (before[0].unsqueeze(0), before[1].unsqueeze(0))
        states, (h, c) = self._model.encoder.ahead(self._embedded(start, start + self._stretch_len), given)
        return states[0], (h[0], c[0])

    def _read_back(self, stretch: int) -> tuple[State, Tensor]:
        """Return the first backward state of a stretch, (1, hidden / 2), and all, (tokens, hidden / 2)."""
        start = stretch * self._stretch_len
        end = min(start + self._stretch_len, len(self._input_ids))
        embedded = self._embedded(start, end + self._model.config.stretch_overlap)
        states, (h, c) = self._model.encoder.back(embedded.flip(1))
        return (h[0], c[0]), states[0].flip(0)[: end - start]

    def _embedded(self, start: int, end: int) -> Tensor:
        """(1, tokens, embedding)."""
        ids = self._input_ids[start:end].to(self._model.embedding.weight.device)
        return self._model.embed(ids).unsqueeze(0)
