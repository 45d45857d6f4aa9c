"""What each system brings to training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.datasets.example import Example

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

# One example, tokenised: cached on disk, so arrays alone.
Features = Mapping[str, NDArray[np.generic]]


class Objective(Protocol):
    """A model to train, and how examples become its inputs.

    Attributes:
        metric: What the best checkpoint is chosen by: ``"loss"``, ``"rouge2"``, ``"rougeLsum"``, ``"f1"``.
        model: Its ``forward`` takes what :meth:`collate` returns, and ``num_items_in_batch``, by
            which it divides the sum of the token losses where it is given.
    """

    metric: str
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase

    def encode(self, example: Example) -> Features | None:
        """Tokenise an example; ``None`` where nothing can be learnt from it.

        Depends on nothing but the example and :attr:`fingerprint`.
        """
        ...

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """Pad examples to one batch: the model's arguments, among them ``labels``, -100 where none counts."""
        ...

    @property
    def fingerprint(self) -> str:
        """Names tokenizer and settings that :meth:`encode` depends on; the cache is keyed by it."""
        ...

    def manifest(self, name: str) -> Manifest:
        """Describe the checkpoint that the model becomes; origin, files and metrics are filled in later."""
        ...
