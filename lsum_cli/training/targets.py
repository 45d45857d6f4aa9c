"""References as the ids that a decoder learns to write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.datasets.statistics import (
    REFERENCE_TOKENS_DROPPED,
    REFERENCE_TOKENS_TOTAL,
    TOKENS_DROPPED,
    TOKENS_TOTAL,
)
from lsum_cli.errors import OptionError
from lsum_cli.methods.page_inputs import SequenceFrame

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

IGNORED_LABEL = -100


def encode_reference(
    tokenizer: PreTrainedTokenizerBase, frame: SequenceFrame, reference: str, max_tokens: int
) -> dict[str, NDArray[np.generic]]:
    """A reference as features: ``labels`` with its special tokens, and how many tokens were cut off.

    Args:
        frame: The special tokens around a sequence.
        max_tokens: Of the reference itself.
    """
    ids = tokenizer(" ".join(reference.split()), add_special_tokens=False, verbose=False)["input_ids"]
    return {
        "labels": np.array(frame.around(ids[:max_tokens]), dtype=np.int32),
        REFERENCE_TOKENS_TOTAL: np.array(len(ids), dtype=np.int64),
        REFERENCE_TOKENS_DROPPED: np.array(max(0, len(ids) - max_tokens), dtype=np.int64),
    }


def count_source(total: int, dropped: int) -> dict[str, NDArray[np.generic]]:
    """How many tokens a document has and how many of them are left out, as features."""
    return {
        TOKENS_TOTAL: np.array(total, dtype=np.int64),
        TOKENS_DROPPED: np.array(dropped, dtype=np.int64),
    }


def pad_labels(labels: Sequence[NDArray[np.generic]]) -> Tensor:
    """Labels of a batch, (batch, target_len), with -100 behind the shorter ones."""
    return pad_rows(labels, IGNORED_LABEL)


def pad_rows(rows: Sequence[NDArray[np.generic]], value: int) -> Tensor:
    """Rows of unequal length as one tensor (rows, longest) of int64."""
    import torch

    padded = np.full((len(rows), max(len(row) for row in rows)), value, dtype=np.int64)
    for position, row in enumerate(rows):
        padded[position, : len(row)] = row
    return torch.from_numpy(padded)


def check_target_length(max_tokens: int, frame: SequenceFrame, positions: int | None) -> None:
    """Find out before training whether the model can write references of this length.

    Raises:
        OptionError: It cannot.
    """
    if positions is not None and max_tokens + len(frame) > positions:
        raise OptionError(
            f"data.max_target_tokens {max_tokens} exceeds what the model can write",
            f"give --set data.max_target_tokens={positions - len(frame)} or less",
        )
