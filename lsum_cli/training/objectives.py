"""Which methods can be trained, and where what each brings to training lies."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsum_cli.errors import OptionError

if TYPE_CHECKING:
    from lsum_cli.datasets.example import Example
    from lsum_cli.training.objective import Objective
    from lsum_cli.training.settings import Recipe

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
