"""Local self-attention: each token sees half a window on either side, at the cost of just that.

Queries go block by block, each with the span of keys that any of them may see. So time and memory
grow with source_len × window, and no score is computed or stored for tokens that are far apart.

Dimensions: ``batch, heads, source_len, dim``; ``block`` queries at a time see a ``span`` of keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lsum_cli.models.blocks.attention import attend_block

# Larger blocks compute more scores in vain, smaller ones are less work at once.
LARGEST_BLOCK, SMALLEST_BLOCK = 256, 32


class Block(NamedTuple):
    """Queries ``start … stop - 1`` and the keys ``low … high - 1`` that some of them see."""

    start: int
    stop: int
    low: int
    high: int


class LocalBand:
    """Who sees whom: tokens at most ``window / 2`` apart, and no padding.

    Args:
        source_len: Tokens of a document, padding included.
        window: Tokens that one sees, itself not counted.
        mask: (batch, source_len), boolean, ``False`` on padding; ``None`` where there is none.
        dtype: Data type of queries and keys.
        device: Where they are.
    """

    def __init__(
        self, source_len: int, window: int, *, mask: Tensor | None, dtype: torch.dtype, device: torch.device
    ) -> None:
        self._reach = window // 2
        self._mask = mask
        self._dtype, self._device = dtype, device
        size = min(max(self._reach, SMALLEST_BLOCK), LARGEST_BLOCK)
        self.blocks = [
            Block(start, stop, max(0, start - self._reach), min(source_len, stop + self._reach))
            for start in range(0, source_len, size)
            for stop in (min(start + size, source_len),)
        ]
        # What all layers of one pass share: bands by their shape, and blocks with padding.
        self._bands: dict[tuple[int, int, int], Tensor | None] = {}
        self._biases: dict[Block, Tensor | None] = {}

    def attend(self, query: Tensor, key: Tensor, value: Tensor, dropout: float = 0.0) -> Tensor:
        """Let every token attend to those it sees.

        Args:
            query: (batch, heads, source_len, dim).
            key: Same shape.
            value: Same shape.
            dropout: Share of the weights that are dropped.

        Returns:
            Same shape.
        """
        bounds = [(block.low, block.high) for block in self.blocks]
        queries = torch.split(query, [block.stop - block.start for block in self.blocks], dim=2)
        spans = zip(self.blocks, queries, slices(key, bounds), slices(value, bounds), strict=True)
        outputs = [attend_block(q, k, v, self.bias(block), dropout) for block, q, k, v in spans]
        return torch.cat(outputs, dim=2)

    def bias(self, block: Block) -> Tensor | None:
        """What hides, added to a block's scores: (1 or batch, 1, block, span), or ``None``."""
        if block not in self._biases:
            shape = (block.start - block.low, block.stop - block.start, block.high - block.low)
            if shape not in self._bands:
                self._bands[shape] = self._make_band(*shape)
            self._biases[block] = self._add_padding(block, self._bands[shape])
        return self._biases[block]

    def _add_padding(self, block: Block, band: Tensor | None) -> Tensor | None:
        if self._mask is None:
            return band
        mask = self._mask[:, block.low : block.high]
        if mask.all():
            return band
        # Attention over nothing is undefined, so padding sees itself.
        places = torch.arange(block.low, block.high, device=self._device)
        itself = places == torch.arange(block.start, block.stop, device=self._device).unsqueeze(1)
        hidden = ~(mask[:, None, None, :] | itself)  # (batch, 1, block, span)
        padding = torch.zeros(hidden.shape, dtype=self._dtype, device=self._device)
        padding.masked_fill_(hidden, float("-inf"))
        return padding if band is None else padding.add_(band)

    def _make_band(self, before: int, size: int, span: int) -> Tensor | None:
        queries = torch.arange(before, before + size, device=self._device).unsqueeze(1)
        keys = torch.arange(span, device=self._device)
        hidden = (queries - keys).abs() > self._reach  # (block, span)
        if not hidden.any():
            return None
        bias = torch.zeros(1, 1, size, span, dtype=self._dtype, device=self._device)
        return bias.masked_fill_(hidden, float("-inf"))


def slices(tensor: Tensor, bounds: Sequence[tuple[int, int]]) -> tuple[Tensor, ...]:
    """Cut overlapping spans out of (batch, heads, source_len, dim), without copying them.

    Plain slicing would add up one gradient of the whole tensor's size for every span.
    """
    found: tuple[Tensor, ...] = _Slices.apply(tensor, bounds)  # type: ignore[no-untyped-call]
    return found


class _Slices(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, tensor: Tensor, bounds: Sequence[tuple[int, int]]) -> tuple[Tensor, ...]:
        ctx.shape, ctx.bounds = tensor.shape, bounds
        return tuple(tensor[:, :, low:high] for low, high in bounds)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        total = gradients[0].new_zeros(ctx.shape)
        for (low, high), gradient in zip(ctx.bounds, gradients, strict=True):
            total[:, :, low:high] += gradient
        return total, None
