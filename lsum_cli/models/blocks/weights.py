"""A model's weights on their way into an engine: refused where damaged, freed where no longer wanted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from lsum_cli.errors import CheckpointError
from lsum_cli.machine.devices import Precision, best_precision
from lsum_cli.machine.memory import return_freed_memory
from lsum_cli.models.blocks.precision import Preparation


@contextmanager
def taking_over(
    model: Any, precision: Precision | None, device: torch.device | None, *, release: bool
) -> Iterator[Preparation]:
    """Prepare the weights of a model within the context.

    Args:
        model: Left as it is, unless ``release``.
        precision: To compute in; ``None`` for the device's best.
        device: Where; ``None`` for where the model is.
        release: Free the model's own copy meanwhile; the model is unusable afterwards.

    Raises:
        CheckpointError: A weight is not a number.
        OptionError: The device cannot compute in this precision.
    """
    _refuse_damaged(model)
    device = device or model.device
    with torch.inference_mode():
        yield Preparation(precision or best_precision(device), device, release)
        if release:
            release_weights(model)


def release_weights(model: nn.Module) -> None:
    """Free the memory of a model's own weights."""
    for parameter in model.parameters():
        parameter.data = parameter.new_empty(0)
    for module in model.modules():
        for name, buffer in list(module.named_buffers(recurse=False)):
            # Set anew: one that is a view would keep what it is a view of.
            setattr(module, name, buffer.new_empty(0))
    return_freed_memory()


def _refuse_damaged(model: nn.Module) -> None:
    for name, weight in [*model.named_parameters(), *model.named_buffers()]:
        # A sum is one pass without a copy, and one bad number spoils it.
        if weight.is_floating_point() and not torch.isfinite(weight.detach().sum(dtype=torch.float32)):
            raise CheckpointError(
                f"the weights {name} are damaged: they hold values that are not numbers",
                "download or import the checkpoint again",
            )
