"""Segments: what a document is pooled to, and how (Pang et al. 2022, Eqs. 2 and 3).

Segment j is pooled from the tokens j·stride … j·stride + kernel - 1,

    s_j = Σ_n p_n e_{j·stride+n}                            (Eq. 2)

with p_n = 1 / kernel for AvgPool. AdaPool is given importances, which do not sum to 1; they become
weights by a softmax within each kernel,

    p_n = exp(w_n) / Σ_m exp(w_m)                           (Eq. 3)

so that equal importances are AvgPool. The last kernel of a document is shorter where its tokens end:
it pools only these. A document shorter than one kernel is one segment.

Dimensions: ``batch, source_len, segments, kernel, hidden``.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from lsum_cli.models.blocks.attention import attend_block


@dataclass(frozen=True, kw_only=True, eq=False)
class SegmentStates:
    """The states of the segments.

    Attributes:
        states: (batch, segments, hidden).
        present: (batch, segments), boolean; ``None`` where all exist.
    """

    states: Tensor
    present: Tensor | None

    def attend(self, query: Tensor, key: Tensor, value: Tensor, dropout: float = 0.0) -> Tensor:
        """Let everything attend to the segments that exist; (batch, heads, …, dim)."""
        bias = None
        if self.present is not None:
            hidden = ~self.present[:, None, None, :]  # (batch, 1, 1, segments)
            bias = torch.zeros(hidden.shape, dtype=query.dtype, device=query.device)
            bias.masked_fill_(hidden, float("-inf"))
        return attend_block(query, key, value, bias, dropout)

    def of_tokens(self, source_len: int, kernel: int, stride: int) -> Tensor:
        """Return the mean of the segments that each token lies in, (batch, source_len, hidden).

        Beyond the end of a document, where a token lies in none, it is 0.
        """
        first, last = segments_of_tokens(source_len, kernel, stride, self.states.device)
        precise = self.states.to(torch.promote_types(self.states.dtype, torch.float32))
        present = torch.ones_like(precise[..., :1]) if self.present is None else self.present.unsqueeze(-1)
        sums = functional.pad((precise * present).cumsum(dim=1), (0, 0, 1, 0))
        counts = functional.pad(present.to(precise.dtype).cumsum(dim=1), (0, 0, 1, 0))
        total, count = (each[:, last + 1] - each[:, first] for each in (sums, counts))
        return (total / count.clamp_min(1)).to(self.states.dtype)


def count_segments(source_len: int, kernel: int, stride: int) -> int:
    """Return how many segments cover a document; the last one contains its last token."""
    return 1 + max(0, -(-(source_len - kernel) // stride))


def pool_segments(
    states: Tensor, kernel: int, stride: int, *, mask: Tensor | None = None, importance: Tensor | None = None
) -> tuple[Tensor, Tensor | None]:
    """Pool tokens to segments.

    Args:
        states: (batch, source_len, hidden).
        kernel: Tokens of a segment.
        stride: Tokens from the start of one segment to the next, at most ``kernel``.
        mask: (batch, source_len), boolean, ``False`` on padding, which is never pooled; ``None``
            where there is none.
        importance: (batch, source_len), any numbers; ``None`` for AvgPool.

    Returns:
        (batch, segments, hidden), and which of them exist, (batch, segments), boolean: a short
        document beside a longer one has fewer; ``None`` where all do.
    """
    weights, present = segment_weights(
        states, kernel, stride, mask=mask, importance=importance
    )  # (batch, segments, kernel)
    padding = (weights.shape[1] - 1) * stride + kernel - states.shape[1]
    padded = functional.pad(states, (0, 0, 0, padding)) if padding else states
    kernels = padded.unfold(1, kernel, stride)  # (batch, segments, hidden, kernel), a view
    pooled = torch.matmul(kernels, weights.to(states.dtype).unsqueeze(-1)).squeeze(-1)
    return pooled, present


def segment_weights(
    states: Tensor, kernel: int, stride: int, *, mask: Tensor | None = None, importance: Tensor | None = None
) -> tuple[Tensor, Tensor | None]:
    """Return the p of Eq. 2, (batch, segments, kernel), at least float32, and which segments exist.

    The arguments are those of :func:`pool_segments`. Weights of a segment that does not exist are 0.
    """
    batch, source_len = states.shape[:2]
    segments = count_segments(source_len, kernel, stride)
    precision = torch.promote_types(states.dtype, torch.float32)
    scores = (
        torch.zeros(batch, source_len, dtype=precision, device=states.device)
        if importance is None
        else importance.to(states.device, precision)
    )
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    padding = (segments - 1) * stride + kernel - source_len
    by_kernel = functional.pad(scores, (0, padding), value=float("-inf")).unfold(1, kernel, stride)
    if mask is None:
        return by_kernel.softmax(dim=-1), None
    present = _present_segments(mask, segments, kernel, stride)
    # A softmax over nothing is undefined.
    weights = by_kernel.masked_fill(~present.unsqueeze(-1), 0.0).softmax(dim=-1)
    return weights * present.unsqueeze(-1), present


def segments_of_tokens(
    source_len: int, kernel: int, stride: int, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Return the first and the last segment each token of a document lies in, (source_len,) both."""
    places = torch.arange(source_len, device=device)
    last = (places // stride).clamp_max(count_segments(source_len, kernel, stride) - 1)
    first = ((places - kernel).div(stride, rounding_mode="floor") + 1).clamp_min(0)
    return first, last


def _present_segments(mask: Tensor, segments: int, kernel: int, stride: int) -> Tensor:
    """Return which segments each document has: as many as without padding, (batch, segments)."""
    places = torch.arange(mask.shape[1], device=mask.device)
    lengths = ((places + 1) * mask).amax(dim=1, keepdim=True)  # (batch, 1), up to the last token
    starts = torch.arange(segments, device=mask.device) * stride
    # A segment whose tokens the one before it already covers would add nothing.
    needed = (starts == 0) | (lengths > starts - stride + kernel)
    padding = (segments - 1) * stride + kernel - mask.shape[1]
    any_token = functional.pad(mask, (0, padding)).unfold(1, kernel, stride).any(dim=-1)
    return needed & any_token
