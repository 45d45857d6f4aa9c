"""From where a summary was copied: the model asked once more, its own words given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
from lsum_cli.models.windowing.stretches import EncodedText
from lsum_cli.models.windowing.vocabulary import SourceText
from lsum_cli.models.windowing.windows import WindowLayout

SHOWN = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Source tokens and the weight of each.

    Attributes:
        tokens: Their places in the source, (places,).
        weights: (places,).
    """

    tokens: NDArray[np.int64]
    weights: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class WindowTrace:
    """Where each token of a summary comes from.

    Attributes:
        windows: The window it was written in.
        p_gen: The share of generating before the token is known, (target_len,) (Eq. 1).
        copied: The share of the token's probability that came by copying, (target_len,).
        sources: The source tokens that it was copied from: those that are the same word, their
            attention normalised to 1; none where the window does not have the word.
        attention: The most attended tokens of the window, with their attention as it is.
    """

    windows: tuple[int, ...]
    p_gen: NDArray[np.float32]
    copied: NDArray[np.float32]
    sources: tuple[Places, ...]
    attention: tuple[Places, ...]


class Tracer:
    """Traces the summary of one text, all at once or as it is written.

    Args:
        source: The text, ``layout`` its windows, ``encoded`` its states.
    """

    def __init__(
        self,
        model: WindowingForConditionalGeneration,
        *,
        source: SourceText,
        encoded: EncodedText,
        layout: WindowLayout,
    ) -> None:
        self._model = model
        self._source, self._encoded, self._layout = source, encoded, layout
        self._last = int(model.config.decoder_start_token_id or 0)
        self._state = model.first_state(encoded.end)

    @torch.inference_mode()
    def extend(
        self, token_ids: Sequence[int], windows: Sequence[int], norms: Sequence[float] | None = None
    ) -> WindowTrace:
        """Trace the tokens that come next.

        Args:
            token_ids: Of the extended vocabulary, at least one, without the start token.
            windows: The window of each.
            norms: What to add to each token's score by the vocabulary for log p_gen P_V, as the search
                told; without it the scores of the whole vocabulary are computed once more.
        """
        model, last = self._model, self._last
        ids = torch.tensor([last, *token_ids], device=model.device)
        embedded = model.embed(ids[:-1])  # (target_len, embedding)
        decoded, self._state = model.decoder(embedded.unsqueeze(0), self._state)
        decoded, self._last = decoded[0], int(ids[-1])
        p_gen, copied = torch.zeros(len(token_ids)), torch.zeros(len(token_ids))
        sources: list[Places] = []
        attended: list[Places] = []
        for window, group in groupby(range(len(token_ids)), key=lambda place: windows[place]):
            start, end = self._layout.span(window)
            states = self._encoded.states(start, end)
            words = torch.from_numpy(self._source.extended_ids[start:end]).to(model.device)
            is_text = torch.ones(len(words), dtype=torch.bool, device=model.device)
            steps = list(group)
            reading = model.pointer(decoded[steps], embedded[steps], states, is_text)
            chosen = ids[1:][steps]
            written = (reading.read_out * model.embed(chosen)).sum(dim=-1)
            if norms is not None:
                written += torch.tensor([norms[step] for step in steps], device=model.device)
            else:
                written += reading.log_gen - model.score_vocabulary(reading.read_out).logsumexp(dim=-1)
            # The vocabulary gives nothing beyond it.
            written = written.exp() * (chosen < model.config.vocab_size)
            attention = reading.log_attention.exp()
            matching = attention * (words.unsqueeze(0) == chosen.unsqueeze(1))  # (steps, window_len)
            by_copying = reading.log_copy.exp() * matching.sum(dim=1)
            p_gen[steps] = reading.log_gen.exp().cpu()
            copied[steps] = (by_copying / (by_copying + written).clamp(min=1e-30)).cpu()
            sources += [
                _places(row / row.sum().clamp(min=1e-30), start, row.count_nonzero()) for row in matching
            ]
            attended += [_places(row, start, min(SHOWN, len(row))) for row in attention]
        return WindowTrace(
            windows=tuple(windows),
            p_gen=p_gen.numpy(),
            copied=copied.numpy(),
            sources=tuple(sources),
            attention=tuple(attended),
        )


def _places(weights: Tensor, start: int, count: Tensor | int) -> Places:
    """The ``count`` greatest weights, the greatest first."""
    best = weights.topk(int(count))
    return Places(tokens=(best.indices + start).cpu().numpy(), weights=best.values.cpu().numpy())
