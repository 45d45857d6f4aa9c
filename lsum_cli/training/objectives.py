"""What each system brings to training, and where it lies."""

from __future__ import annotations

import difflib
import hashlib
import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError
from lsum_cli.methods.model_inputs import SequenceFrame
from lsum_cli.training.batches import encode_reference, pad_labels, pad_rows
from lsum_cli.training.initialisation import fingerprint_tokenizer

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

    from lsum_cli.training.settings import Recipe

# One example, tokenised: cached on disk, so arrays alone.
Features = Mapping[str, NDArray[np.generic]]


class Objective(ABC):
    """A model to train, and how examples become its inputs.

    Args:
        model: Its ``forward`` takes what :meth:`collate` returns, and ``num_items_in_batch``, by
            which it divides the sum of the token losses where it is given.
        tokenizer: The model's.
        recipe: The settings of the run.

    Attributes:
        recipe: The settings of the run, with what was taken from the data.
        method: The method that the checkpoint is for.
        base: The manifest of the checkpoint that the model began as, if it did.
        metric: What the best checkpoint is chosen by: ``"loss"``, ``"rouge2"``, ``"rougeLsum"``, ``"f1"``.
    """

    method: ClassVar[CheckpointMethod]
    metric: ClassVar[str] = "loss"
    # Increased whenever examples are encoded in another way, so that no old cache is read.
    _encoding: ClassVar[int] = 2

    def __init__(self, *, model: Any, tokenizer: PreTrainedTokenizerBase, recipe: Recipe) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.recipe = recipe
        self.base: Manifest | None = None
        self._settings: Any = recipe.model
        pad = getattr(model.config, "pad_token_id", None)
        self._pad = int((tokenizer.pad_token_id if pad is None else pad) or 0)

    @abstractmethod
    def encode(self, example: Example) -> Features | None:
        """Tokenise an example; ``None`` where nothing can be learnt from it.

        Depends on nothing but the example and :attr:`fingerprint`.
        """

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """Pad examples to one batch, the model's arguments.

        Returns:
            ``input_ids`` and ``attention_mask`` (batch, source_len), and ``labels`` (batch, target_len),
            -100 where none counts.
        """
        ids = [each["input_ids"] for each in batch]
        return {
            "input_ids": pad_rows(ids, self._pad),
            "attention_mask": pad_rows([np.ones(len(each), np.int64) for each in ids], 0),
            "labels": pad_labels([each["labels"] for each in batch]),
        }

    @property
    def fingerprint(self) -> str:
        """Identifies tokenizer and settings that :meth:`encode` depends on; the cache is keyed by it."""
        parts = (
            f"{self.method.value}/{self._encoding}",
            fingerprint_tokenizer(self.tokenizer),
            (self.recipe.data.max_target_tokens, self.recipe.data.keep_references),
            *self._encoding_settings(),
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @abstractmethod
    def _encoding_settings(self) -> tuple[object, ...]:
        """The method's own settings that :meth:`encode` depends on."""

    def tally(self, _output: Any, _inputs: Mapping[str, Tensor], /) -> dict[str, float]:
        """Counts of a validation batch beside its loss, which are added up over all batches."""
        return {}

    def measure(self, _sums: Mapping[str, float], /) -> dict[str, float]:
        """Metrics from the sums of :meth:`tally`."""
        return {}

    def manifest(self, name: str) -> Manifest:
        """Describe the checkpoint that the model becomes; origin, files and metrics are filled in later."""
        made = Manifest(
            name=name,
            method=self.method,
            base=self.recipe.base,
            generation=self.recipe.generation,
            origin=Origin(kind=OriginKind.TRAINING, source=""),
        )
        if self.base is None:
            return made
        # What it reads, how far its words can be trusted and under which licence it is, training leaves.
        kept: dict[str, Any] = {"languages": self.base.languages, "licence": self.base.licence}
        if self.base.method is self.method:
            kept |= {"faithful": self.base.faithful, "read": self.base.read}
        return replace(made, **kept)

    @property
    def max_target_tokens(self) -> int:
        """Maximum length of a reference, special tokens included; a method's builder settles it."""
        most = self.recipe.data.max_target_tokens
        assert most is not None
        return most

    @cached_property
    def _frame(self) -> SequenceFrame:
        """The special tokens around a sequence."""
        return SequenceFrame.of(self.tokenizer)

    def _encode_reference(self, reference: str) -> dict[str, NDArray[np.generic]]:
        return encode_reference(self.tokenizer, self._frame, reference, self.max_target_tokens)


# "module:function", resolved on use. Beside the function the module has a dataclass ModelSettings: the
# keys below ``model`` in a recipe.
OBJECTIVES = {
    "pagesum": "lsum_cli.training.pagesum:build_objective",
    "seq2seq": "lsum_cli.training.seq2seq:build_objective",
    "topdown": "lsum_cli.training.topdown:build_objective",
    "tagger": "lsum_cli.training.tagger:build_objective",
    "windowing": "lsum_cli.training.windowing:build_objective",
}

# Recipe, training examples (iterable many times), folder of the base -> objective.
BuildObjective = Callable[["Recipe", "Iterable[Example]", Path | None], "Objective"]


def find_builder(method: str) -> BuildObjective:
    """The function that builds a method's objective.

    Raises:
        OptionError: There is no such method, or this lsum cannot train it.
    """
    module, _, function = _find(method).partition(":")
    return cast(BuildObjective, getattr(_import(method, module), function))


def find_model_settings(method: str) -> type[Any]:
    """The dataclass of the keys below ``model`` in a method's recipe.

    Raises:
        OptionError: There is no such method, or this lsum cannot train it.
    """
    module, _, _ = _find(method).partition(":")
    return cast("type[Any]", _import(method, module).ModelSettings)


def _find(method: str) -> str:
    if method not in OBJECTIVES:
        nearest = difflib.get_close_matches(method, OBJECTIVES, n=1)
        hint = f"did you mean {nearest[0]}? " if nearest else ""
        raise OptionError(
            f"there is no method '{method}' to train", f"{hint}choose one of {', '.join(OBJECTIVES)}"
        )
    return OBJECTIVES[method]


def _import(method: str, module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise OptionError(f"this lsum cannot train the method {method}", "choose another one") from error
