"""What a method reads at every token it writes, for analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.progress import ProgressListener


@dataclass(frozen=True, kw_only=True, eq=False)
class Trace:
    """A text, token by token, with what was read for each.

    Attributes:
        tokens: Each as text; special tokens as their names.
        log_probs: Of each token; 0 where it was forced by a rule.
        weights: (target_len, pages), each row sums to 1; the last columns may be pages without text.
        num_fillers: How many of the last columns are pages without text.
        tokens_cut: Tokens of a given text for which the model had no room.
    """

    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    weights: NDArray[np.float32]
    num_fillers: int = 0
    tokens_cut: int = 0


@runtime_checkable
class TracingMethod(Protocol):
    """A method that weighs its pages at every token."""

    def trace(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        progress: ProgressListener,
        text: str | None = None,
    ) -> Trace:
        """Trace the writing of a summary.

        Args:
            text: What to write, such as a reference (teacher forcing); ``None`` for what the method
                writes itself.

        Raises:
            CheckpointError: The checkpoint has no weights over pages.
        """
        ...
