"""Attention in decoding steps and within pages, and the grouping of pages by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

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
        scores = scores + bias
    # torch sums a bfloat16 softmax in float32.
    return torch.matmul(scores.softmax(dim=-1), value)


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
        is_padded: Whether one of them is shorter.
    """

    items: tuple[int, ...]
    length: int
    is_padded: bool


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
    return LengthGroup(items=tuple(members), length=length, is_padded=lengths[members[-1]] < length)
