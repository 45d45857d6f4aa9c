"""What decoding asks of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor


class Decoder(Protocol):
    """Some documents, encoded by a model and ready to be decoded together, once.

    The engine keeps ``beams`` rows per document, side by side: row ``d × beams + b`` is beam b of the
    d-th document still being decoded. It calls :meth:`start` once and then :meth:`step` for every token.

    Whatever a model keeps per row (caches, recurrent states, the present window) is its own affair,
    and follows ``parents``. Token ids beyond the model's own vocabulary come back to a model that
    offers them (a copied word), which knows what to feed itself instead.
    """

    @property
    def num_documents(self) -> int:
        """How many documents there are to decode."""
        ...

    def start(self, beams: int, max_length: int) -> None:
        """Make room for ``beams`` rows per document and ``max_length`` ids each, start token included."""
        ...

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[Tensor] | None]:
        """Append a token to every row and score what may follow.

        Args:
            token_ids: (rows,), int64 on the CPU.
            parents: (rows,), int64 on the CPU: row r now continues what was row ``parents[r]`` before
                this step. A document's rows have parents among its own rows. A document that is
                finished is missing: none of its rows is a parent, and the documents behind it move up.

        Returns:
            Log probabilities, (rows, vocab), at least float32, which the engine may overwrite, and for
            each document the weight that each row gives its pages in this step, (beams, pages), as
            long as it is not overwritten by the model later; ``None`` where a model has no pages.
        """
        ...
