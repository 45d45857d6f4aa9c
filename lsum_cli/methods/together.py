"""How many documents are read and written about together: by their tokens, within the memory there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from lsum_cli.machine.memory import measure_memory

if TYPE_CHECKING:
    import torch

T = TypeVar("T")

# Tokens of a source that are read and written about together, unless one alone has more: beyond this many
# the time is that of the products, and memory would grow for nothing.
BATCH_TOKENS = 16_384
# The same on a GPU, which one document leaves mostly idle.
BATCH_TOKENS_ON_GPU = 65_536
# Share of the memory that is free which a batch may take by the plan's estimate.
MEMORY_SHARE = 0.8


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


def tokens_in_memory(device: torch.device, fixed_bytes: int, token_bytes: float) -> int | None:
    """Tokens for which the memory that is free suffices; ``None`` where it is unknown.

    Args:
        fixed_bytes: What is still to be taken whatever the number of tokens, such as weights.
        token_bytes: What each token takes.
    """
    available = free_bytes(device)
    if available is None or token_bytes <= 0:
        return None
    return max(0, int((MEMORY_SHARE * available - fixed_bytes) / token_bytes))


def free_bytes(device: torch.device) -> int | None:
    """Memory of a device that this process can still get; ``None`` where it is unknown."""
    if device.type == "cpu":
        return measure_memory().available
    if device.type != "cuda":
        return None
    import torch

    free, _ = torch.cuda.mem_get_info(device)
    # What torch has taken and does not use is free to it.
    return int(free) + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
