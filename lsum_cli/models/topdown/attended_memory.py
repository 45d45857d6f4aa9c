"""A decoder's memory that tells where it is read: cross-attention mass by groups of source tokens."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lsum_cli.models.blocks.kv_cache import PageGroup, PageMemory


class AttendedMemory(PageMemory):
    """A memory whose pages are whole documents, and what share of attention their token groups get.

    Attention is averaged over the heads and over the last layers. What lies on tokens of no group is
    left out, so that the shares of a beam sum to 1 at most.

    Args:
        groups: For each document the group of every token, (source_len,), -1 for none.
        layers: Number of decoder layers.
        attended_layers: How many of the last ones count.
        heads: Attention heads.
        dim: Per head.
        dtype: Of keys and values.
        device: Where they live.
    """

    def __init__(
        self,
        groups: Sequence[Tensor],
        *,
        layers: int,
        attended_layers: int,
        heads: int,
        dim: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        lengths = [len(group_of) for group_of in groups]
        super().__init__(lengths, layers=layers, heads=heads, dim=dim, dtype=dtype, device=device)
        self._attended_layers = min(attended_layers, layers)
        self._first_layer = layers - self._attended_layers
        self._num_groups = [int(groups[page].max()) + 1 for page in self.order]
        # Tokens of no group fall into one more, which is cut off again.
        self._group_of = [
            groups[page].where(groups[page] >= 0, groups[page].max() + 1).to(device) for page in self.order
        ]
        self._mass: list[Tensor] = []

    def begin_step(self, beams: int) -> None:
        """Forget where the step before was read."""
        self._mass = [
            torch.zeros(beams, len(group_of), device=group_of.device) for group_of in self._group_of
        ]

    def attention(self) -> list[Tensor]:
        """Return the present step's shares: for each place (beams, groups), float32."""
        shares = []
        for mass, group_of, groups in zip(self._mass, self._group_of, self._num_groups, strict=True):
            sums = mass.new_zeros(mass.shape[0], groups + 1).index_add_(1, group_of, mass)
            shares.append(sums[:, :groups] / self._attended_layers)
        return shares

    def keep(self, places: Sequence[int]) -> None:
        """Forget all documents but those at these places, which are ascending."""
        super().keep(places)
        self._group_of = [self._group_of[place] for place in places]
        self._num_groups = [self._num_groups[place] for place in places]

    def _read(self, layer: int, group: PageGroup, query: Tensor, first_place: int) -> Tensor:
        if layer < self._first_layer:
            return super()._read(layer, group, query, first_place)
        scores = torch.matmul(query * query.shape[-1] ** -0.5, group.keys[layer].transpose(-1, -2))
        if group.bias is not None:
            scores = scores + group.bias
        weights = scores.softmax(dim=-1)  # (pages, heads, beams, length)
        for row, mass in enumerate(weights.mean(dim=1, dtype=torch.float32)):
            total = self._mass[first_place + row]
            total += mass[:, : total.shape[1]]
        return torch.matmul(weights, group.values[layer])
