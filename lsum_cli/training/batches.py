"""Batches: their order, and references as padded labels."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.datasets.dataset import Dataset, sample
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.statistics import (
    REFERENCE_TOKENS_DROPPED,
    REFERENCE_TOKENS_TOTAL,
    TOKENS_DROPPED,
    TOKENS_TOTAL,
)
from lsum_cli.errors import OptionError
from lsum_cli.machine.storage import cached_text
from lsum_cli.methods.model_inputs import SequenceFrame
from lsum_cli.training.initialisation import fingerprint_tokenizer
from lsum_cli.training.settings import Recipe

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

# Batches sorted by length together: enough to save padding, few enough to stay random.
_POOL_BATCHES = 50


@dataclass(frozen=True, kw_only=True)
class BatchOrder:
    """Order of the batches in every epoch.

    Attributes:
        num_examples: Number of examples.
        batch_size: Examples per batch and process.
        seed: Seed of the order.
        lengths: Lengths by which examples are grouped; ``None`` for a random order.
    """

    num_examples: int
    batch_size: int
    seed: int
    lengths: NDArray[np.int64] | None = None

    def batches(self, epoch: int) -> list[list[int]]:
        """All batches of an epoch; every example is in exactly one."""
        generator = np.random.default_rng((self.seed, epoch))
        order = generator.permutation(self.num_examples)
        lengths = self.lengths
        if lengths is None:
            return _slices(order, self.batch_size)
        pooled = [
            # An incomplete batch, if there is one, then holds the shortest.
            pool[np.argsort(-lengths[pool], kind="stable")]
            for pool in np.array_split(order, range(self._pool_size, self.num_examples, self._pool_size))
        ]
        batches = _slices(np.concatenate(pooled), self.batch_size)
        generator.shuffle(batches)
        # The longest come first, so that running out of memory shows at once.
        longest = max(range(len(batches)), key=lambda index: lengths[batches[index]].max())
        batches[0], batches[longest] = batches[longest], batches[0]
        return batches

    @property
    def _pool_size(self) -> int:
        return _POOL_BATCHES * self.batch_size


class ProcessBatches:
    """The batches of one process, epoch after epoch: a batch sampler for a ``DataLoader``.

    Process r of n takes the batches r, r + n, …; a step of n processes equals a step of one with n times
    the accumulation. If the batches run out, the last processes get one that does not count: its
    index is ``-1 - i``, the complement of an example's.

    Attributes:
        epoch: The next epoch; advances with every iteration.
    """

    def __init__(self, order: BatchOrder, *, rank: int = 0, processes: int = 1) -> None:
        self._order, self._rank, self._processes = order, rank, processes
        self.epoch = 0

    def __len__(self) -> int:
        batches = -(-self._order.num_examples // self._order.batch_size)
        return -(-batches // self._processes)

    def __iter__(self) -> Iterator[list[int]]:
        batches: Sequence[list[int]] = self._order.batches(self.epoch)
        self.epoch += 1
        for first in range(0, len(batches), self._processes):
            mine = first + self._rank
            yield batches[mine] if mine < len(batches) else [~batches[first][0]]


def _slices(order: NDArray[np.int64], size: int) -> list[list[int]]:
    return [order[start : start + size].tolist() for start in range(0, len(order), size)]


IGNORED_LABEL = -100


def encode_reference(
    tokenizer: PreTrainedTokenizerBase, frame: SequenceFrame, reference: str, max_tokens: int
) -> dict[str, NDArray[np.generic]]:
    """A reference as features: ``labels`` with special tokens, and how many tokens were truncated.

    Args:
        frame: Special tokens around a sequence.
        max_tokens: Maximum number of tokens, special tokens included.
    """
    max_tokens = max(1, max_tokens - len(frame))
    ids = _tokenise(tokenizer, reference)
    return {
        "labels": np.array(frame.around(ids[:max_tokens]), dtype=np.int32),
        REFERENCE_TOKENS_TOTAL: np.array(len(ids), dtype=np.int64),
        REFERENCE_TOKENS_DROPPED: np.array(max(0, len(ids) - max_tokens), dtype=np.int64),
    }


def count_source(total: int, dropped: int) -> dict[str, NDArray[np.generic]]:
    """A document's number of tokens and how many of them were truncated, as features."""
    return {
        TOKENS_TOTAL: np.array(total, dtype=np.int64),
        TOKENS_DROPPED: np.array(dropped, dtype=np.int64),
    }


def pad_labels(labels: Sequence[NDArray[np.generic]]) -> Tensor:
    """Labels of a batch, (batch, target_len), padded with -100."""
    return pad_rows(labels, IGNORED_LABEL)


def pad_rows(rows: Sequence[NDArray[np.generic]], value: int) -> Tensor:
    """Pad rows of unequal length to one int64 tensor, (rows, longest)."""
    import torch

    padded = np.full((len(rows), max(len(row) for row in rows)), value, dtype=np.int64)
    for position, row in enumerate(rows):
        padded[position, : len(row)] = row
    return torch.from_numpy(padded)


# References that the length is taken from, spread over the data.
_MEASURED = 2_000
_SHORTEST, _LONGEST = 0.1, 0.9


def infer_target_lengths(
    recipe: Recipe,
    examples: Iterable[Example],
    tokenizer: PreTrainedTokenizerBase,
    positions: int | None = None,
) -> Recipe:
    """The recipe with ``data.max_target_tokens`` taken from the references, if it has none.

    The length is that of nine in ten references; ``generation`` then has this maximum, and as minimum the
    length of one in ten, unless it states them.

    Args:
        examples: Training examples.
        positions: Maximum number of tokens that the model can write; ``None`` for no limit.

    Raises:
        OptionError: The recipe states more than the model can write.
    """
    if recipe.data.max_target_tokens is not None:
        check_target_length(recipe.data.max_target_tokens, positions)
        return recipe
    frame = len(SequenceFrame.of(tokenizer))

    def measure() -> str:
        references = (each.reference for each in sample(examples, _MEASURED) if each.reference)
        return json.dumps([len(_tokenise(tokenizer, reference)) for reference in references])

    if isinstance(examples, Dataset):
        key = [examples.fingerprint, fingerprint_tokenizer(tokenizer)]
        lengths = json.loads(cached_text("lengths", key, measure))
    else:
        lengths = json.loads(measure())
    room = None if positions is None else positions - frame
    return with_lengths(recipe, lengths, frame=frame, room=room)


def with_lengths(recipe: Recipe, lengths: Sequence[int], *, frame: int, room: int | None = None) -> Recipe:
    """The recipe with lengths from those of references; see :func:`infer_target_lengths`.

    Args:
        lengths: Tokens of references, special tokens excluded; at least one.
        frame: Number of special tokens of a sequence.
        room: Maximum of the length.
    """
    shortest, longest = np.quantile(
        np.array(lengths, dtype=np.int64), (_SHORTEST, _LONGEST), method="inverted_cdf"
    )
    most = max(1, min(int(longest), room or int(longest)))
    generation = replace(
        recipe.generation,
        max_tokens=recipe.generation.max_tokens or most,
        min_tokens=recipe.generation.min_tokens or max(1, min(int(shortest), most)),
    )
    return replace(recipe, data=replace(recipe.data, max_target_tokens=most + frame), generation=generation)


def _tokenise(tokenizer: PreTrainedTokenizerBase, reference: str) -> list[int]:
    """A reference as ids, without special tokens."""
    encoded = tokenizer(" ".join(reference.split()), add_special_tokens=False, verbose=False)
    return list(encoded["input_ids"])


def check_target_length(max_tokens: int, positions: int | None) -> None:
    """Check that the model can generate references of this length.

    Raises:
        OptionError: It cannot.
    """
    if positions is not None and max_tokens > positions:
        raise OptionError(
            f"data.max_target_tokens {max_tokens} exceeds what the model can write",
            f"give --set data.max_target_tokens={positions} or less",
        )
