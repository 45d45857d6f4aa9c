"""Low-rank adaptation (Hu et al. 2021, "LoRA"): a large base stays as it is, small matrices are trained.

The matrices lie within the model (PEFT injects them), so that training, validation and resuming are those of
any run. A checkpoint on the way holds base and matrices apart; what is saved at the end, and what
validation writes with, has them added up: W + alpha / rank · B·A.
"""

from __future__ import annotations

import copy
from typing import Any

from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import MissingDependency, OptionError
from lsum_cli.training.settings import LoraSettings, Recipe

# Small parts that a base may not have brought: they are trained whole.
_TRAINED_WHOLE = ("confidence_layer", "copier")
_METHODS = (CheckpointMethod.PAGESUM.value, CheckpointMethod.SEQ2SEQ.value)


def check_lora(recipe: Recipe) -> None:
    """Check that a recipe can be trained by adaptation, if it asks for it; PEFT is looked for.

    Raises:
        OptionError: There is no base to adapt, or the method has no adaptation.
        MissingDependency: PEFT is not installed.
    """
    if not recipe.training.lora.rank:
        return
    if recipe.method not in _METHODS:
        raise OptionError(
            f"training.lora cannot be used for {recipe.method}", "leave it out, or train pagesum or seq2seq"
        )
    if recipe.base is None:
        raise OptionError("training.lora adapts a base, and the recipe has none", "give --base")
    try:
        import peft  # noqa: F401
    except ImportError as error:
        raise MissingDependency(
            "training.lora needs PEFT, which is not installed", "install it: pip install 'lsum-cli[lora]'"
        ) from error


def adapt(model: Any, settings: LoraSettings) -> None:
    """Put trainable matrices into a model, in place; all else is frozen but what no base brings.

    Raises:
        OptionError: The model has no modules of these names.
    """
    from peft import LoraConfig, inject_adapter_in_model

    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha or 2 * settings.rank,
        lora_dropout=settings.dropout,
        target_modules=list(settings.targets),
    )
    try:
        inject_adapter_in_model(config, model)
    except ValueError as error:
        raise OptionError(
            f"the model has no modules named {', '.join(settings.targets)}",
            "name others in training.lora.targets, such as q and v for a T5",
        ) from error
    for name, weight in model.named_parameters():
        if any(part in name.split(".") for part in _TRAINED_WHOLE):
            weight.requires_grad_(True)


def merged(model: Any) -> Any:
    """The model with its matrices added to the weights, as a copy; a model without them as it is."""
    from importlib.util import find_spec

    if find_spec("peft") is None:
        return model
    from peft.tuners.lora import LoraLayer

    names = [name for name, module in model.named_modules() if isinstance(module, LoraLayer)]
    if not names:
        return model
    whole = copy.deepcopy(model)
    for name in names:
        layer = whole.get_submodule(name)
        layer.merge()
        parent, _, child = name.rpartition(".")
        setattr(whole.get_submodule(parent), child, layer.get_base_layer())
    return whole
