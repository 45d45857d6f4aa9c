"""Keys and values: of the tokens a decoder wrote, and of the pages it reads; beams share both."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import Self

import torch
from torch import Tensor

from lsum_cli.machine.memory import return_freed_memory
from lsum_cli.models.blocks.attention import (
    VECTOR,
    PackedPages,
    attend,
    group_by_length,
    packs_pages,
    padded_to,
)

STEPS_BETWEEN_PRUNINGS = 16


class BeamCache:
    """Self-attention keys and values of all layers.

    Args:
        layers: Number of decoder layers.
        owners: (pages,), the document each page belongs to, as an index among ``documents``.
        documents: How many.
        beams: Rows per document.
        heads: Attention heads.
        dim: Per head.
        dtype: Data type of keys and values.
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
        capacity = padded_to(VECTOR, STEPS_BETWEEN_PRUNINGS * beams)
        # By layer keys and values, (2, pages, heads, capacity, dim).
        shape = (2, owners.shape[0], heads, capacity, dim)
        self._entries = [torch.zeros(shape, dtype=dtype, device=device) for _ in range(layers)]
        self._ancestry = torch.zeros(documents, beams, capacity, dtype=torch.bool, device=device)
        self._used = 0
        self._bias: Tensor | None = None
        # torch's bfloat16 products copy what is not contiguous: reading all slots, also those that are empty
        # yet, takes half the time.
        self._reads_all = device.type == "cpu" and dtype == torch.bfloat16

    @property
    def capacity(self) -> int:
        """Slots there is room for."""
        return self._ancestry.shape[2]

    @property
    def _read(self) -> int:
        """How many slots a step reads: all that are used, at least."""
        return self.capacity if self._reads_all else self._used

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
        seen = self._ancestry[:, :, : self._read]  # (documents, beams, read)
        self._bias = None
        if not seen.all():
            dtype = self._entries[0].dtype
            bias = torch.zeros(seen.shape, dtype=dtype, device=seen.device).masked_fill_(~seen, float("-inf"))
            self._bias = bias[self._owners].unsqueeze(1)  # (pages, 1, beams, read)

    def extend(self, layer: int, key_value: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Write this step's keys and values of a layer and return all of them.

        Args:
            layer: Which.
            key_value: (2, pages, heads, beams, dim).

        Returns:
            Keys and values (pages, heads, read, dim), and a bias (pages, 1, beams, read) that hides
            from every beam what it does not descend from, and empty slots, or ``None``.
        """
        self._entries[layer][:, :, :, self._used - self._beams : self._used] = key_value
        key, value = self._entries[layer][:, :, :, : self._read]
        return key, value, self._bias

    def keep(self, documents: Tensor, pages: Tensor, owners: Tensor) -> None:
        """Drop all but these documents and pages, given by index; ``owners`` as in the constructor."""
        self._entries = [entries[:, pages] for entries in self._entries]
        self._ancestry = self._ancestry[documents]
        self._owners = owners

    def _prune(self) -> None:
        """Drop the slots no beam descends from, and make room for more steps."""
        alive = self._ancestry.any(dim=1)  # (documents, capacity)
        kept = int(alive.sum(dim=1).max())
        # A stable sort puts living slots first and keeps their order.
        slots = (~alive).int().sort(dim=1, stable=True).indices[:, :kept]  # (documents, kept)
        spare = padded_to(VECTOR, kept + STEPS_BETWEEN_PRUNINGS * self._beams) - kept
        ancestry = self._ancestry.gather(2, slots.unsqueeze(1).expand(-1, self._beams, -1))
        # Room is filled with the first slot, which no beam sees there: what is hidden must be finite.
        self._ancestry = torch.nn.functional.pad(ancestry, (0, spare))
        by_page = torch.nn.functional.pad(slots, (0, spare))[self._owners]  # (pages, capacity)
        sizes = self._entries[0].shape
        matrices = torch.arange(sizes[:3].numel(), device=slots.device).view(sizes[:3])
        rows = (matrices.unsqueeze(-1) * sizes[3] + by_page.unsqueeze(1)).flatten()
        for layer, entries in enumerate(self._entries):
            moved = entries.flatten(0, 3).index_select(0, rows)
            self._entries[layer] = moved.view(*sizes[:3], kept + spare, sizes[4])
        self._used = kept


PADDING_ALLOWED = 0.06
# What packing costs is won back after 10 to 40 steps, and a search may end early; with few beams or short
# documents it is won back later or never.
PACKED_FROM_STEPS = 64
PACKED_FROM_BEAMS = {torch.bfloat16: 1, torch.float32: 3}
PACKED_FROM_NUMBERS = 2**20


class PageMemory:
    """Cross-attention keys and values of all layers; pages in order of their length.

    Args:
        lengths: Tokens of each page.
        layers: Number of decoder layers.
        heads: Attention heads.
        dim: Per head.
        dtype: Data type of keys and values.
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
        # Within a group in reading order, so that pages of a document are neighbours.
        groups = [sorted(group.items) for group in group_by_length(lengths, waste=PADDING_ALLOWED)]
        self.order = [page for group in groups for page in group]
        """The page at each place; queries come in this order."""
        self._places = {
            page: (number, row) for number, group in enumerate(groups) for row, page in enumerate(group)
        }
        self._groups = [
            PageGroup([lengths[page] for page in group], layers, heads, dim, dtype, device)
            for group in groups
        ]

    def write(self, layer: int, page: int, offset: int, projected: Tensor) -> None:
        """Store keys and values of part of a page.

        Args:
            layer: Which.
            page: Which.
            offset: Position of the first token within the page.
            projected: (tokens, 2, heads, dim), keys and values.
        """
        number, row = self._places[page]
        there = slice(offset, offset + projected.shape[0])
        key, value = projected.permute(1, 2, 0, 3)  # (heads, tokens, dim)
        self._groups[number].keys[layer][row, :, there] = key
        self._groups[number].values[layer][row, :, there] = value

    def pack(self, owners: Sequence[int], *, beams: int, steps: int) -> None:
        """Rearrange everything for faster reading, where that pays; nothing can be written afterwards.

        Args:
            owners: The document that the page at each place belongs to: its pages are dropped together.
            beams: Rows per page.
            steps: How often everything is going to be read at most.
        """
        start = 0
        for group in self._groups:
            own = owners[start : start + group.size]
            if steps >= PACKED_FROM_STEPS and group.is_packable(own, beams):
                group.pack(own)
            start += group.size

    def shared(self) -> Self:
        """The same keys and values, from which other pages can be dropped."""
        twin = copy.copy(self)
        twin._groups = [copy.copy(group) for group in self._groups]
        return twin

    def begin_step(self, beams: int) -> None:
        """Prepare for a step with this number of beams per page, read layer by layer."""

    def attend(self, layer: int, query: Tensor) -> Tensor:
        """Let every beam of a page attend to the page: (pages, heads, beams, dim) -> same shape."""
        outputs, start = [], 0
        for group in self._groups:
            outputs.append(self._read(layer, group, query[start : start + group.size], start))
            start += group.size
        return outputs[0] if len(outputs) == 1 else torch.cat(outputs)

    def _read(self, layer: int, group: PageGroup, query: Tensor, first_place: int) -> Tensor:  # noqa: ARG002
        """Attend to the pages of a group, the first of which is at ``first_place``."""
        return group.attend(layer, query)

    def keep(self, places: Sequence[int]) -> None:
        """Drop all pages but those at these places, which are ascending."""
        start = 0
        for group in self._groups:
            inside = [place - start for place in places if start <= place < start + group.size]
            start += group.size
            group.keep(inside)
        self._groups = [group for group in self._groups if group.size]


class PageGroup:
    """Pages of nearly the same length."""

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
        # By layer the pages of each document, where they are packed: keys and values are empty then.
        self._packed: list[list[PackedPages]] = []
        self._runs: list[int] = []
        self.bias: Tensor | None = None
        if is_padded:
            hidden = torch.arange(longest) >= torch.tensor(lengths).unsqueeze(1)  # (pages, length)
            bias = torch.zeros(hidden.shape, dtype=dtype).masked_fill_(hidden, float("-inf"))
            self.bias = bias[:, None, None, :].to(device)

    def is_packable(self, owners: Sequence[int], beams: int) -> bool:
        """Whether to pack the pages of each document pays with so many beams, and was not done yet."""
        key = self.keys[0]
        return (
            key.device.type == "cpu"
            and key.numel() >= PACKED_FROM_NUMBERS * len(set(owners))
            and beams >= PACKED_FROM_BEAMS.get(key.dtype, beams + 1)
            and packs_pages(key.dtype)
        )

    def pack(self, owners: Sequence[int]) -> None:
        """Pack the pages of each document; ``owners`` of the rows are in runs."""
        runs = [len(list(run)) for _, run in groupby(owners)]
        biases = [None] * len(runs) if self.bias is None else torch.split(self.bias, runs)
        # The lists are filled and not replaced: those who share the pages share the packed ones too.
        self._runs[:] = runs
        for layer in range(len(self.keys)):
            pages = zip(
                torch.split(self.keys[layer], runs),
                torch.split(self.values[layer], runs),
                biases,
                strict=True,
            )
            self._packed.append([PackedPages(*each) for each in pages])
            self.keys[layer] = self.values[layer] = self.keys[layer].new_empty(0)
            # What is packed has another size and fits no gap: the gaps are given back one by one.
            return_freed_memory()

    def attend(self, layer: int, query: Tensor) -> Tensor:
        """Let every beam of a page attend to it: (pages, heads, beams, dim) -> same shape."""
        if layer >= len(self._packed):
            return attend(query, self.keys[layer], self.values[layer], self.bias)
        parts = zip(self._packed[layer], torch.split(query, self._runs), strict=True)
        outputs = [pages.attend(part) for pages, part in parts]
        return outputs[0] if len(outputs) == 1 else torch.cat(outputs)

    def attend_with_weights(self, layer: int, query: Tensor) -> tuple[Tensor, Tensor]:
        """As :meth:`attend`, and the weights of the tokens, (pages, heads, beams, length)."""
        if layer >= len(self._packed):
            scores = torch.matmul(query * query.shape[-1] ** -0.5, self.keys[layer].transpose(-1, -2))
            weights = (scores if self.bias is None else scores + self.bias).softmax(dim=-1)
            return torch.matmul(weights, self.values[layer]), weights
        parts = zip(self._packed[layer], torch.split(query, self._runs), strict=True)
        outputs, shares = zip(*(pages.attend_with_weights(part) for pages, part in parts), strict=True)
        return (outputs[0], shares[0]) if len(outputs) == 1 else (torch.cat(outputs), torch.cat(shares))

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all pages but those in these rows; where they are packed, those of whole documents."""
        if len(rows) == self.size:
            return
        index = torch.tensor(rows, dtype=torch.int64, device=self.keys[0].device)
        self._keep_packed(set(rows))
        self.size = len(rows)
        plain = slice(len(self._packed), None)
        self.keys[plain] = [key[index] for key in self.keys[plain]]
        self.values[plain] = [value[index] for value in self.values[plain]]
        self.bias = None if self.bias is None else self.bias[index]

    def _keep_packed(self, rows: set[int]) -> None:
        """Drop packed documents; replaces all lists, which others may share."""
        ends = list(accumulate(self._runs))
        kept = [run for run, end in enumerate(ends) if end - self._runs[run] in rows]
        self._packed = [[blocks[run] for run in kept] for blocks in self._packed]
        self._runs = [self._runs[run] for run in kept]
        self.keys, self.values = list(self.keys), list(self.values)
        if self._packed and sum(self._runs) != len(rows):
            raise RuntimeError("packed pages of a document are dropped together")
