"""Attention in decoding steps and within pages, and the grouping of pages by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from torch.nn import functional

from lsum_cli.machine import processor

HEADS_AT_ONCE = 2
BLOCKWISE_FROM = 256


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None = None) -> Tensor:
    """Attend with few queries to many keys, as in a decoding step.

    Args:
        query: (pages, heads, beams, dim).
        key: (pages, heads, length, dim).
        value: (pages, heads, length, dim).
        bias: Added to the scores, broadcast to (pages, heads, beams, length); minus infinity hides.

    Returns:
        (pages, heads, beams, dim).
    """
    if query.device.type != "cpu" or query.dtype != torch.bfloat16:
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
    scores = torch.matmul(query * query.shape[-1] ** -0.5, key.transpose(-1, -2))
    if bias is not None:
        scores += bias
    # torch sums a bfloat16 softmax in float32.
    return torch.matmul(scores.softmax(dim=-1), value)


class PackedProduct:
    """Matrices that oneDNN has packed, multiplied side by side with a few rows each.

    A batched product with a few rows spends most of its time on bringing the matrices into the order in
    which processors multiply. Here that is done once, since oneDNN packs the weights of a convolution:
    each matrix is a group of a 1 × 1 convolution, and rows are the places of its image.

    Args:
        matrices: (batch, outputs, inputs).
        bias: Added to every row of outputs, (batch × outputs,), or ``None``.
    """

    def __init__(self, matrices: Tensor, bias: Tensor | None = None) -> None:
        self._batch, _, inputs = matrices.shape
        image = [1, self._batch * inputs, 1, _USUAL_ROWS]
        weight = matrices.flatten(0, 1)[:, :, None, None].contiguous()
        self._packed = torch.ops.mkldnn._reorder_convolution_weight(weight, *_PLAIN, self._batch, image)
        self._bias = bias

    def __call__(self, inputs: Tensor) -> Tensor:
        """(rows, batch × inputs) -> (rows, batch × outputs)."""
        image = inputs[None, None].permute(0, 3, 1, 2)  # (1, batch × inputs, 1, rows), channels last
        outputs: Tensor = torch.ops.mkldnn._convolution_pointwise(
            image, self._packed, self._bias, *_PLAIN, self._batch, "none", [], ""
        )
        return outputs.permute(0, 2, 3, 1).flatten(0, 2)


_USUAL_ROWS = 4
# Padding, stride and dilation.
_PLAIN = ([0, 0], [1, 1], [1, 1])
# Softmax, and products of bfloat16 numbers, are slower where what is left over fills no vector.
VECTOR = 32


class PackedPages:
    """Keys and values of some pages, packed for :func:`attend`'s work.

    Args:
        key: (pages, heads, length, dim).
        value: Same shape.
        bias: (pages, 1, 1, length), or ``None``; see :func:`attend`.
    """

    def __init__(self, key: Tensor, value: Tensor, bias: Tensor | None = None) -> None:
        self._pages, self._heads, self._length, self._dim = key.shape
        self._padded = padded_to(VECTOR, self._length)
        scaled = key.new_empty(self._pages, self._heads, self._padded, self._dim)
        torch.mul(key, self._dim**-0.5, out=scaled[:, :, : self._length])
        scaled[:, :, self._length :] = 0
        self._key = PackedProduct(scaled.flatten(0, 1), self._bias_of_scores(key, bias))
        del scaled
        by_number = value.new_empty(self._pages, self._heads, self._dim, self._padded)
        by_number[..., : self._length] = value.transpose(2, 3)
        by_number[..., self._length :] = 0
        self._value = PackedProduct(by_number.flatten(0, 1))

    def _bias_of_scores(self, key: Tensor, bias: Tensor | None) -> Tensor | None:
        """The bias of every score of a row, (pages × heads × padded,); ``None`` if all are 0."""
        if bias is None and self._padded == self._length:
            return None
        of_scores = key.new_full((self._pages, self._heads, self._padded), float("-inf"))
        of_scores[..., : self._length] = 0.0 if bias is None else bias.squeeze(2)
        return of_scores.flatten()

    def attend(self, query: Tensor) -> Tensor:
        """Attend as :func:`attend` does: (pages, heads, beams, dim) -> same shape."""
        return self.attend_with_weights(query)[0]

    def attend_with_weights(self, query: Tensor) -> tuple[Tensor, Tensor]:
        """As :meth:`attend`, and the weights of the tokens, (pages, heads, beams, length)."""
        by_beam = query.permute(2, 0, 1, 3).flatten(1)  # (beams, pages × heads × dim)
        scores = self._key(by_beam).view(-1, self._pages, self._heads, self._padded)
        weights = scores.softmax(dim=-1)  # (beams, pages, heads, padded)
        attended = self._value(weights.flatten(1)).view(-1, self._pages, self._heads, self._dim)
        return attended.permute(1, 2, 0, 3), weights[..., : self._length].permute(1, 2, 0, 3)


def padded_to(multiple: int, length: int) -> int:
    """The least multiple that is not less than a length."""
    return -(-length // multiple) * multiple


@cache
def packs_pages(dtype: torch.dtype) -> bool:
    """Whether oneDNN attends to packed pages here, and correctly."""
    if dtype is torch.bfloat16 and not (processor.computes_bfloat16() and processor.packs_bfloat16()):
        return False
    if dtype not in (torch.float32, torch.bfloat16):
        return False
    generator = torch.Generator().manual_seed(0)
    query, key, value = (
        torch.randn(2, 3, count, 16, generator=generator).to(dtype) for count in (_USUAL_ROWS, 24, 24)
    )
    try:
        found = PackedPages(key, value).attend(query)
    except (RuntimeError, AttributeError, NotImplementedError):
        return False
    return torch.allclose(found.float(), attend(query, key, value).float(), atol=0.05)


def attend_within_pages(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Let every token of a page attend to all of its page, as in an encoder.

    Args:
        query: (pages, heads, page_len, dim).
        key: Same shape.
        value: Same shape.

    Returns:
        Same shape.
    """
    if query.shape[2] < BLOCKWISE_FROM:
        return functional.scaled_dot_product_attention(query, key, value)
    return attend_block(query, key, value)


def attend_block(
    query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None = None, dropout: float = 0.0
) -> Tensor:
    """Attend with many queries to many keys, as a block of an encoder's attention.

    Args:
        query: (batch, heads, block, dim).
        key: (batch, heads, span, dim).
        value: Same shape.
        bias: Added to the scores, broadcast to (batch, heads, block, span), or ``None``.
        dropout: Share of the weights that are dropped.

    Returns:
        (batch, heads, block, dim).
    """
    if query.device.type != "cpu" or query.dtype != torch.bfloat16 or torch.is_grad_enabled():
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, dropout_p=dropout)
    # The scores of a few heads stay in the processor's cache, where bfloat16 products are twice as fast
    # as torch's fused kernel.
    output = torch.empty(query.shape, dtype=query.dtype)
    scaled = query * query.shape[-1] ** -0.5
    for row in range(query.shape[0]):
        hidden = None if bias is None else bias[row if bias.shape[0] > 1 else 0]
        for head in range(0, query.shape[1], HEADS_AT_ONCE):
            heads = slice(head, head + HEADS_AT_ONCE)
            scores = torch.bmm(scaled[row, heads], key[row, heads].transpose(1, 2))
            if hidden is not None:
                scores += hidden
            torch.bmm(scores.softmax(dim=-1), value[row, heads], out=output[row, heads])
    return output


@dataclass(frozen=True, kw_only=True, slots=True)
class LengthGroup:
    """Items that are computed together as if all had the length of the longest.

    Attributes:
        items: Indices of the items.
        length: Length of the longest.
    """

    items: tuple[int, ...]
    length: int


def group_by_length(lengths: Sequence[int], *, waste: float = 0.0) -> list[LengthGroup]:
    """Group items, longest first, so that none is padded by more than ``waste`` of the group's length."""
    groups: list[LengthGroup] = []
    members: list[int] = []
    for item in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if members and lengths[item] < (1 - waste) * lengths[members[0]]:
            groups.append(_group(members, lengths))
            members = []
        members.append(item)
    if members:
        groups.append(_group(members, lengths))
    return groups


def batches_by_length(lengths: Sequence[int], *, max_tokens: int) -> Iterator[list[int]]:
    """Yield items, longest first, in batches of at most ``max_tokens`` tokens, or of one item."""
    batch: list[int] = []
    tokens = 0
    for item in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if batch and tokens + lengths[item] > max_tokens:
            yield batch
            batch, tokens = [], 0
        batch.append(item)
        tokens += lengths[item]
    if batch:
        yield batch


def _group(members: list[int], lengths: Sequence[int]) -> LengthGroup:
    length = lengths[members[0]]
    return LengthGroup(items=tuple(members), length=length)
