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
from torch.nn import functional

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
        # What all layers of one pass share: bands with their shape, of which there are few, and their sum
        # with the padding for every block; lists, since the sizes of an exported graph have no hash.
        self._bands: list[tuple[tuple[int, int, int], Tensor | None]] = []
        self._biases: list[Tensor | None] = []

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
        spans = zip(self.biases(), queries, slices(key, bounds), slices(value, bounds), strict=True)
        outputs = [attend_block(q, k, v, bias, dropout) for bias, q, k, v in spans]
        return torch.cat(outputs, dim=2)

    def biases(self) -> list[Tensor | None]:
        """What hides, added to the scores of each block: (1 or batch, 1, block, span), or ``None``."""
        if not self._biases:
            self._biases = [self._add_padding(block, self._band(block)) for block in self.blocks]
        return self._biases

    def _band(self, block: Block) -> Tensor | None:
        shape = (block.start - block.low, block.stop - block.start, block.high - block.low)
        for known, band in self._bands:
            if known == shape:
                return band
        self._bands.append((shape, self._make_band(*shape)))
        return self._bands[-1][1]

    def _add_padding(self, block: Block, band: Tensor | None) -> Tensor | None:
        if self._mask is None:
            return band
        mask = self._mask[:, block.low : block.high]
        # A compiled graph cannot depend on the values of a mask.
        if not torch.compiler.is_compiling() and mask.all():
            return band
        # Attention over nothing is undefined, so padding sees itself.
        places = torch.arange(block.low, block.high, device=self._device)
        itself = places == torch.arange(block.start, block.stop, device=self._device).unsqueeze(1)
        hidden = ~(mask[:, None, None, :] | itself)  # (batch, 1, block, span)
        padding = torch.zeros(hidden.shape, dtype=self._dtype, device=self._device)
        padding.masked_fill_(hidden, float("-inf"))
        return padding if band is None else padding.add_(band)

    def _make_band(self, before: int, size: int, span: int) -> Tensor | None:
        if max(before + size, span - before) - 1 <= self._reach:  # no two are that far apart
            return None
        queries = torch.arange(before, before + size, device=self._device).unsqueeze(1)
        keys = torch.arange(span, device=self._device)
        hidden = (queries - keys).abs() > self._reach  # (block, span)
        bias = torch.zeros(1, 1, size, span, dtype=self._dtype, device=self._device)
        return bias.masked_fill_(hidden, float("-inf"))


class RecordingBand(LocalBand):
    """A :class:`LocalBand` that keeps the weights of every layer; slower.

    Attributes:
        weights: Of each layer (batch, heads, source_len, window + 1): how much a token takes from those
            ``window / 2`` places before it to those as far behind it; 0 where there is none.
    """

    def __init__(
        self, source_len: int, window: int, *, mask: Tensor | None, dtype: torch.dtype, device: torch.device
    ) -> None:
        super().__init__(source_len, window, mask=mask, dtype=dtype, device=device)
        self.weights: list[Tensor] = []

    def attend(self, query: Tensor, key: Tensor, value: Tensor, dropout: float = 0.0) -> Tensor:
        """See :meth:`LocalBand.attend`."""
        blocks = zip(self.blocks, self.biases(), strict=True)
        weights = torch.cat([self._weigh(block, bias, query, key) for block, bias in blocks], dim=2)
        self.weights.append(weights)
        outputs = []
        for block in self.blocks:
            kept = functional.dropout(weights[:, :, block.start : block.stop], p=dropout)
            places, exist = self._places(block)
            spread = kept.new_zeros(*kept.shape[:3], block.high - block.low)
            spread = spread.scatter_add(-1, places.expand_as(kept), kept * exist)
            outputs.append(spread @ value[:, :, block.low : block.high])
        return torch.cat(outputs, dim=2)

    def _weigh(self, block: Block, bias: Tensor | None, query: Tensor, key: Tensor) -> Tensor:
        """(batch, heads, block, window + 1)."""
        own, seen = query[:, :, block.start : block.stop], key[:, :, block.low : block.high]
        scores = own @ seen.transpose(2, 3) * query.shape[-1] ** -0.5
        weights: Tensor = (scores if bias is None else scores + bias).softmax(dim=-1)
        places, exist = self._places(block)
        return weights.gather(-1, places.expand(*weights.shape[:3], -1)) * exist

    def _places(self, block: Block) -> tuple[Tensor, Tensor]:
        """Where in the span of a block each of the ``window + 1`` places is, and whether it exists."""
        offsets = torch.arange(-self._reach, self._reach + 1, device=self._device)
        places = torch.arange(block.start, block.stop, device=self._device).unsqueeze(1) + offsets - block.low
        size = block.high - block.low
        return places.clamp(0, size - 1), (places >= 0) & (places < size)


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
