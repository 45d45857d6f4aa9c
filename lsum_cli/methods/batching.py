"""How many documents are read and written about together: by their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# Tokens of a source that are read and written about together, unless one alone has more: beyond this many
# the time is that of the products, and memory would grow for nothing.
BATCH_TOKENS = 16_384
# The same on a GPU, which one document leaves mostly idle.
BATCH_TOKENS_ON_GPU = 65_536
# The flag that sets another number, as remarks name it.
BATCH_TOKENS_FLAG = "--batch-tokens"


def group_neighbours(items: Sequence[T], lengths: Sequence[int], most: int) -> list[list[T]]:
    """Group items in order, as many together as fit; one longer than ``most`` is a group of its own.

    Args:
        lengths: Length of each item.
        most: What the lengths of a group may sum to.
    """
    groups: list[list[T]] = []
    room = 0
    for item, length in zip(items, lengths, strict=True):
        if not groups or length > room:
            groups.append([])
            room = most
        groups[-1].append(item)
        room -= length
    return groups
