"""BART's decoder for several encoded documents at once, each with its beams."""

from __future__ import annotations

import copy
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lsum_cli.errors import OptionError
from lsum_cli.models.blocks.bart import PreparedBartDecoder
from lsum_cli.models.blocks.kv_cache import BeamCache, PageMemory


class PackedRows:
    """A trace with a row of numbers for every beam, such as its weights over pages.

    The rows are stored as bytes: small tensors would fragment the memory that every step's large ones
    need, and a text of a million words writes many.

    Args:
        rows: (beams, columns).
    """

    __slots__ = ("_beams", "_bytes")

    def __init__(self, rows: Tensor) -> None:
        self._beams = len(rows)
        self._bytes = rows.float().cpu().numpy().tobytes()

    def __getitem__(self, beam: int, /) -> NDArray[np.float32]:
        """Return the row of a beam, (columns,), read-only."""
        row: NDArray[np.float32] = self.rows()[beam]
        return row

    def rows(self) -> NDArray[np.float32]:
        """Return all rows, (beams, columns), read-only."""
        return np.frombuffer(self._bytes, np.float32).reshape(self._beams, -1)


class BeamDecoder:
    """What the decoders of engines share; a subclass turns hidden states into probabilities.

    Args:
        decoder: The decoder, with prepared weights.
        memory: The encoded documents; it shrinks as documents are finished.
        owners: (places,), the document that each place of the memory belongs to: a page of it, or all
            of it. Every document has a place.
    """

    def __init__(self, decoder: PreparedBartDecoder, memory: PageMemory, owners: Tensor) -> None:
        self._decoder = decoder
        self._memory = memory
        self._owners = owners
        self._num_documents = int(owners.max()) + 1
        self._position = 0
        self._cache: BeamCache | None = None

    def again(self) -> Self:
        """The same encoded documents for a search of their own; this one has not begun to step yet."""
        twin = copy.copy(self)
        twin._memory = self._memory.shared()
        return twin

    @property
    def num_documents(self) -> int:
        """How many documents are being decoded."""
        return self._num_documents

    def start(self, beams: int, max_length: int) -> None:
        """Give every document ``beams`` rows; see ``Decoder.start``.

        Raises:
            OptionError: The model has fewer positions than ``max_length``.
        """
        decoder = self._decoder
        # The last id is never fed back.
        if max_length - 1 > decoder.embedding.num_positions:
            raise OptionError(
                f"{max_length} ids exceed the {decoder.embedding.num_positions} positions of the model",
                "lower --max-tokens",
            )
        self._beams = beams
        self._memory.pack(self._owners.tolist(), beams=beams, steps=max_length - 1)
        self._cache = BeamCache(
            layers=decoder.num_layers,
            owners=self._owners.to(decoder.device),
            documents=self._num_documents,
            beams=beams,
            heads=decoder.heads,
            dim=decoder.dim,
            dtype=decoder.dtype,
            device=decoder.device,
        )

    def _advance(self, token_ids: Tensor, parents: Tensor) -> Tensor:
        """Decode one token of every row, (rows,) as in ``Decoder.step``: (places, beams, hidden)."""
        if self._cache is None:
            raise RuntimeError("step comes after start")
        by_document = parents.view(-1, self._beams)
        kept = by_document[:, 0] // self._beams
        if len(kept) < self._num_documents:
            self._keep(self._cache, kept, torch.isin(self._owners, kept).nonzero().squeeze(1))
        decoder = self._decoder
        self._cache.begin_step((by_document % self._beams).to(decoder.device))
        self._memory.begin_step(self._beams)
        embedded = decoder.embedding(token_ids, torch.tensor([self._position]))  # (rows, hidden)
        embedded = embedded.view(self._num_documents, self._beams, -1)
        self._position += 1
        return decoder.step(embedded[self._owners.to(decoder.device)], self._cache, self._memory)

    def _keep(self, cache: BeamCache, documents: Tensor, places: Tensor) -> None:
        """Continue with these documents and their places only; both are ascending."""
        self._owners = torch.searchsorted(documents, self._owners[places])
        self._num_documents = len(documents)
        device = self._decoder.device
        cache.keep(documents.to(device), places.to(device), self._owners.to(device))
        self._memory.keep(places.tolist())
