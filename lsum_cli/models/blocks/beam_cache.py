"""The decoder's memory of its own tokens, shared by the beams of a page and never copied to reorder.

Every step writes one slot per beam. Which slots a beam descends from is a row of a boolean
*ancestry*; when beams branch or die, only that is permuted. Slots that no beam descends from any
more are dropped when the cache is full, so that it stays little longer than the text.
"""

from __future__ import annotations

import torch
from torch import Tensor

STEPS_BETWEEN_PRUNINGS = 32


class BeamCache:
    """Self-attention keys and values of all layers.

    Args:
        layers: Number of decoder layers.
        owners: (pages,), the document each page belongs to, as an index among ``documents``.
        documents: How many.
        beams: Rows per document.
        heads: Attention heads.
        dim: Per head.
        dtype: Of keys and values.
        device: Where they live.
    """

    def __init__(
        self,
        *,
        layers: int,
        owners: Tensor,
        documents: int,
        beams: int,
        heads: int,
        dim: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        self._owners = owners
        self._beams = beams
        capacity = STEPS_BETWEEN_PRUNINGS * beams
        shape = (owners.shape[0], heads, capacity, dim)
        self._keys = [torch.zeros(shape, dtype=dtype, device=device) for _ in range(layers)]
        self._values = [torch.zeros(shape, dtype=dtype, device=device) for _ in range(layers)]
        self._ancestry = torch.zeros(documents, beams, capacity, dtype=torch.bool, device=device)
        self._used = 0
        self._bias: Tensor | None = None

    @property
    def capacity(self) -> int:
        """Slots there is room for."""
        return self._ancestry.shape[2]

    def begin_step(self, parents: Tensor) -> None:
        """Make room for a slot per beam, and let every beam inherit its parent's slots.

        Args:
            parents: (documents, beams), the beam of the same document that each continues.
        """
        index = parents.unsqueeze(-1).expand(-1, -1, self.capacity)
        self._ancestry = self._ancestry.gather(1, index)
        if self._used + self._beams > self.capacity:
            self._prune()
        own = torch.arange(self._beams, device=self._ancestry.device)
        self._ancestry[:, own, self._used + own] = True
        self._used += self._beams
        seen = self._ancestry[:, :, : self._used]  # (documents, beams, used)
        self._bias = None
        if not seen.all():
            dtype = self._keys[0].dtype
            bias = torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, float("-inf"))
            self._bias = bias[self._owners].unsqueeze(1)  # (pages, 1, beams, used)

    def extend(self, layer: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Write this step's keys and values of a layer and return all of them.

        Args:
            layer: Which.
            key: (pages, heads, beams, dim).
            value: Same shape.

        Returns:
            Keys and values (pages, heads, used, dim), and a bias (pages, 1, beams, used) that hides
            from every beam what it does not descend from, or ``None``.
        """
        fresh = slice(self._used - self._beams, self._used)
        self._keys[layer][:, :, fresh] = key
        self._values[layer][:, :, fresh] = value
        return self._keys[layer][:, :, : self._used], self._values[layer][:, :, : self._used], self._bias

    def keep(self, documents: Tensor, pages: Tensor, owners: Tensor) -> None:
        """Forget all but these documents and pages, given by index; ``owners`` as before."""
        self._keys = [key[pages] for key in self._keys]
        self._values = [value[pages] for value in self._values]
        self._ancestry = self._ancestry[documents]
        self._owners = owners

    def _prune(self) -> None:
        """Drop the slots no beam descends from, and make room for more steps."""
        alive = self._ancestry.any(dim=1)  # (documents, capacity)
        kept = int(alive.sum(dim=1).max())
        # A stable sort puts living slots first and keeps their order.
        slots = (~alive).int().sort(dim=1, stable=True).indices[:, :kept]  # (documents, kept)
        spare = STEPS_BETWEEN_PRUNINGS * self._beams
        ancestry = self._ancestry.gather(2, slots.unsqueeze(1).expand(-1, self._beams, -1))
        self._ancestry = torch.nn.functional.pad(ancestry, (0, spare))
        by_page = slots[self._owners][:, None, :, None]  # (pages, 1, kept, 1)
        for tensors in (self._keys, self._values):
            for layer, tensor in enumerate(tensors):
                pages, heads, _, dim = tensor.shape
                grown = tensor.new_zeros(pages, heads, kept + spare, dim)
                grown[:, :, :kept] = tensor.gather(2, by_page.expand(-1, heads, -1, dim))
                tensors[layer] = grown
        self._used = kept
