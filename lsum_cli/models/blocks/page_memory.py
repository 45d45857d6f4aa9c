"""What the decoder reads: keys and values of every page, computed once and shared by all its beams."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from lsum_cli.models.blocks.attention import attend
from lsum_cli.models.blocks.ragged import group_by_length

PADDING_ALLOWED = 0.06


class PageMemory:
    """Cross-attention keys and values of all layers; pages in order of their length.

    Args:
        lengths: Tokens of each page.
        layers: Number of decoder layers.
        heads: Attention heads.
        dim: Per head.
        dtype: Of keys and values.
        device: Where they live.
    """

    def __init__(
        self,
        lengths: Sequence[int],
        *,
        layers: int,
        heads: int,
        dim: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        groups = group_by_length(lengths, waste=PADDING_ALLOWED)
        self.order = [page for group in groups for page in group.items]
        """Which page stands at each place; queries come in this order."""
        self._places = {
            page: (number, row) for number, group in enumerate(groups) for row, page in enumerate(group.items)
        }
        self._groups = [
            PageGroup([lengths[page] for page in group.items], layers, heads, dim, dtype, device)
            for group in groups
        ]

    def write(self, layer: int, page: int, offset: int, projected: Tensor) -> None:
        """Store keys and values of part of a page.

        Args:
            layer: Which.
            page: Which.
            offset: Of the first token within the page.
            projected: (tokens, 2, heads, dim), keys and values.
        """
        number, row = self._places[page]
        there = slice(offset, offset + projected.shape[0])
        key, value = projected.permute(1, 2, 0, 3)  # (heads, tokens, dim)
        self._groups[number].keys[layer][row, :, there] = key
        self._groups[number].values[layer][row, :, there] = value

    def begin_step(self, beams: int) -> None:
        """Get ready to be read by so many beams of every page, layer by layer."""

    def attend(self, layer: int, query: Tensor) -> Tensor:
        """Let every beam of a page read the page: (pages, heads, beams, dim) -> same shape."""
        outputs, start = [], 0
        for group in self._groups:
            outputs.append(self._read(layer, group, query[start : start + group.size], start))
            start += group.size
        return outputs[0] if len(outputs) == 1 else torch.cat(outputs)

    def _read(self, layer: int, group: PageGroup, query: Tensor, first_place: int) -> Tensor:  # noqa: ARG002
        """Let the pages of a group be read, which stand from ``first_place`` on."""
        return attend(query, group.keys[layer], group.values[layer], group.bias)

    def keep(self, places: Sequence[int]) -> None:
        """Forget all pages but those at these places, which are ascending."""
        start = 0
        for group in self._groups:
            inside = [place - start for place in places if start <= place < start + group.size]
            start += group.size
            group.keep(inside)
        self._groups = [group for group in self._groups if group.size]


class PageGroup:
    """Pages of nearly one length."""

    def __init__(
        self,
        lengths: Sequence[int],
        layers: int,
        heads: int,
        dim: int,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        longest = max(lengths)
        shape = (len(lengths), heads, longest, dim)
        self.size = len(lengths)
        # Padding must be finite, since its weight of 0 is multiplied with it.
        is_padded = min(lengths) < longest
        empty = torch.zeros if is_padded else torch.empty
        self.keys = [empty(shape, dtype=dtype, device=device) for _ in range(layers)]
        self.values = [empty(shape, dtype=dtype, device=device) for _ in range(layers)]
        self.bias: Tensor | None = None
        if is_padded:
            hidden = torch.arange(longest) >= torch.tensor(lengths).unsqueeze(1)  # (pages, length)
            bias = torch.zeros(hidden.shape, dtype=dtype).masked_fill_(hidden, float("-inf"))
            self.bias = bias[:, None, None, :].to(device)

    def keep(self, rows: Sequence[int]) -> None:
        """Forget all pages but those in these rows."""
        if len(rows) == self.size:
            return
        index = torch.tensor(rows, dtype=torch.int64, device=self.keys[0].device)
        self.size = len(rows)
        self.keys = [key[index] for key in self.keys]
        self.values = [value[index] for value in self.values]
        self.bias = None if self.bias is None else self.bias[index]
