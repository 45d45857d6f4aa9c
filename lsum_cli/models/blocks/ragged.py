"""Pages of different length side by side, with little or no padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LengthGroup:
    """Items that are computed together as if all had the length of the longest.

    Attributes:
        items: Indices of the items.
        length: Of the longest.
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
