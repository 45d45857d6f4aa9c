"""The encoder: a bidirectional LSTM over a whole text, fast over long ones."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lsum_cli.models.windowing.configuration import WindowingConfig

STEPS_AT_ONCE = 128

State = tuple[Tensor, Tensor]
"""h and c of an LSTM, each (batch, hidden)."""


class Encoder(nn.Module):
    """A bidirectional LSTM over the whole text, in two halves that can also read it in stretches."""

    def __init__(self, config: WindowingConfig) -> None:
        super().__init__()
        self.ahead = nn.LSTM(config.embedding_size, config.hidden_size, batch_first=True)
        self.back = nn.LSTM(config.embedding_size, config.hidden_size, batch_first=True)

    def forward(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, State]:
        """Encode padded texts.

        Args:
            embedded: (batch, source_len, embedding), padding at the end.
            lengths: (batch,), at least 1 each.

        Returns:
            States (batch, source_len, hidden), 0 at padding, and the end states, (batch, hidden) each.
        """
        reverse = reversal(lengths, embedded.shape[1])
        with in_full_precision(embedded.device):
            ahead, (ahead_h, ahead_c) = _run(self.ahead, embedded, lengths)
            back, (back_h, back_c) = _run(self.back, _take(embedded, reverse), lengths)
        states = torch.cat([ahead, _take(back, reverse)], dim=-1)
        return states, (torch.cat([ahead_h, back_h], dim=-1), torch.cat([ahead_c, back_c], dim=-1))


def in_full_precision(device: torch.device) -> torch.autocast:
    """Keep an LSTM out of mixed precision, which not every processor has for it."""
    return torch.autocast(device.type, enabled=False)


def reversal(lengths: Tensor, size: int) -> Tensor:
    """Return the places that read each row backwards within its length, (batch, size)."""
    place = torch.arange(size, device=lengths.device).unsqueeze(0)
    backwards = lengths.unsqueeze(1) - 1 - place
    return torch.where(backwards >= 0, backwards, place)


def _take(states: Tensor, places: Tensor) -> Tensor:
    return states.gather(1, places.unsqueeze(-1).expand_as(states))


def _run(lstm: nn.LSTM, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, State]:
    """Read padded rows, a slice of time after the other; states are 0 at padding."""
    if bool((lengths == embedded.shape[1]).all()):
        states, (h, c) = lstm(embedded)
        return states, (h[0], c[0])
    h = c = embedded.new_zeros(len(embedded), lstm.hidden_size)
    parts = []
    # The gradient of a packed sequence costs the square of its length: so it is short.
    for number, part in enumerate(torch.split(embedded, STEPS_AT_ONCE, dim=1)):
        left = (lengths - number * STEPS_AT_ONCE).clamp(max=part.shape[1])
        states, h, c = _read_slice(lstm, part, left, h, c)
        parts.append(states)
    return torch.cat(parts, dim=1), (h, c)


def _read_slice(
    lstm: nn.LSTM, embedded: Tensor, lengths: Tensor, h: Tensor, c: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Read on from states h and c, (batch, hidden); rows of length 0 or less stay as they are."""
    size = embedded.shape[1]
    if bool((lengths == size).all()):
        states, (last_h, last_c) = lstm(embedded, (h.unsqueeze(0), c.unsqueeze(0)))
        return states, last_h[0], last_c[0]
    rows = (lengths > 0).nonzero()[:, 0]
    if not len(rows):
        return embedded.new_zeros(len(embedded), size, lstm.hidden_size), h, c
    packed = pack_padded_sequence(embedded[rows], lengths[rows].cpu(), batch_first=True, enforce_sorted=False)
    found, (last_h, last_c) = lstm(packed, (h[rows].unsqueeze(0), c[rows].unsqueeze(0)))
    padded, _ = pad_packed_sequence(found, batch_first=True, total_length=size)
    return (
        embedded.new_zeros(len(embedded), size, lstm.hidden_size).index_copy(0, rows, padded),
        h.index_copy(0, rows, last_h[0]),
        c.index_copy(0, rows, last_c[0]),
    )
