"""What generation asks of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from torch import Tensor

TraceT_co = TypeVar("TraceT_co", covariant=True)


class BeamTraces(Protocol[TraceT_co]):
    """The trace of one document at one step: an entry for each of its beams.

    One is stored for every step of a search, and a text of a million words takes many: an
    implementation packs its entries into few small objects and builds one only on request.
    """

    def __getitem__(self, beam: int, /) -> TraceT_co:
        """Return the entry of a beam, which does not change any more."""
        ...


class Decoder(Protocol[TraceT_co]):
    """Some documents, encoded by a model and ready to be decoded together, once.

    The search has ``beams`` rows per document, side by side: row ``d × beams + b`` is beam b of the
    d-th document still being decoded. It calls :meth:`start` once and then :meth:`step` for every token.

    Whatever a model holds per row (caches, recurrent states, the present window) is its own affair,
    and follows ``parents``. Token ids beyond the model's own vocabulary come back to a model that
    offers them (a copied word); it knows what to embed instead.

    ``Decoder[T]`` leaves a *trace* of type ``T`` with every token: page confidences, a window, shares of
    attention. The search stores it along the path of each hypothesis and never looks into it.
    """

    @property
    def num_documents(self) -> int:
        """How many documents there are to decode."""
        ...

    def start(self, beams: int, max_length: int) -> None:
        """Make room for ``beams`` rows per document and ``max_length`` ids each, start token included."""
        ...

    def step(
        self, token_ids: Tensor, parents: Tensor
    ) -> tuple[Tensor, Sequence[BeamTraces[TraceT_co]] | None]:
        """Append a token to every row and score what may follow.

        Args:
            token_ids: (rows,), int64 on the CPU.
            parents: (rows,), int64 on the CPU: row r now continues what was row ``parents[r]`` before
                this step. A document's rows have parents among its own rows. A document that is
                finished is missing: none of its rows is a parent, and the documents behind it move up.

        Returns:
            Log probabilities, (rows, vocab), at least float32, which the search may overwrite, and for
            each document the trace of its rows' next tokens; ``None`` where a model has no trace.
        """
        ...
