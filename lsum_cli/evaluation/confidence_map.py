"""The picture of page confidences (Liu et al. 2022, Figure 3): pages × decoding steps, darker is higher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GENERATED, REFERENCE = "generated", "reference"


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceMap:
    """The weight of every page at every token of one text.

    Attributes:
        name: Whose text: ``"generated"`` or ``"reference"``.
        tokens: Each as text.
        log_probs: Of each token.
        pages: A label for each page; pages without text are called so.
        weights: (target_len, pages); rows sum to 1.
        tokens_cut: Tokens of the reference for which the model had no room.
    """

    name: str
    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    pages: tuple[str, ...]
    weights: NDArray[np.float32]
    tokens_cut: int = 0

    @property
    def mean_entropy(self) -> float:
        """Entropy of the weights in bits, mean over tokens: 0 where one page always has all."""
        weights = self.weights.astype(np.float64)
        logs = np.log2(weights, where=weights > 0, out=np.zeros_like(weights))
        return float(-(weights * logs).sum(axis=1).mean())

    @property
    def mean_greatest(self) -> float:
        """The weight of the foremost page, mean over tokens."""
        return float(self.weights.max(axis=1).mean())

    @property
    def switches(self) -> int:
        """How often the foremost page changes from one token to the next."""
        foremost = self.weights.argmax(axis=1)
        return int((foremost[1:] != foremost[:-1]).sum())

    @property
    def page_shares(self) -> tuple[float, ...]:
        """The weight of each page, mean over tokens."""
        return tuple(self.weights.mean(axis=0, dtype=np.float64).tolist())


def label_pages(labels: Sequence[str], num_fillers: int) -> tuple[str, ...]:
    """Labels as they stand beside a picture, numbered from 1, with the pages without text."""
    numbered = [f"{number}  {label}" for number, label in enumerate(labels, start=1)]
    return (*numbered, *(f"{len(labels) + number + 1}  (no text)" for number in range(num_fillers)))
