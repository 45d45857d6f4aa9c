"""What each system brings to training, and where it lies."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from lsum_cli.training.settings import Recipe

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
