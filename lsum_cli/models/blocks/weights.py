"""Weights read from a checkpoint's file into plain modules, without the classes that train them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from lsum_cli.errors import CheckpointError
from lsum_cli.machine.memory import MappedFile

_SHOWN = 3


class ReadModule(nn.Module):
    """A plain module whose weights are read from a file.

    Attributes:
        mapped: The file that the weights are views of; ``None`` for weights that were made otherwise.
    """

    mapped: MappedFile | None = None


ModuleT = TypeVar("ModuleT", bound=ReadModule)


class Embedding(nn.Embedding):
    """An embedding that can be made on the device ``meta`` at no cost."""

    def reset_parameters(self) -> None:
        """Draw the weights; not where there are none, since that would import torch's compiler (seconds)."""
        if not self.weight.is_meta:
            super().reset_parameters()


def load_weights(
    module_class: type[ModuleT],
    settings: Any,
    file: Path,
    *,
    tied: Mapping[str, Sequence[str]] | None = None,
) -> ModuleT:
    """Make a module of a checkpoint's settings and weights, as ``save_pretrained`` wrote them.

    Args:
        module_class: Made of the settings, with the names of the checkpoint's weights.
        settings: The checkpoint's settings.
        file: Its weights, in safetensors format.
        tied: For a weight the names of those that are identical, of which the file contains only one.

    Returns:
        The module, in evaluation mode and without gradients; weights that it does not ask for are left.

    Raises:
        CheckpointError: Weights are missing or of another size.
    """
    from safetensors.torch import load_file

    with torch.device("meta"):
        module = module_class(settings)
    wanted = module.state_dict()
    state = load_file(file)
    for name, others in (tied or {}).items():
        shared = next((state[each] for each in (name, *others) if each in state), None)
        if shared is not None:
            state |= dict.fromkeys((name, *others), shared)
    if "final_logits_bias" in wanted and "final_logits_bias" not in state:
        state["final_logits_bias"] = torch.zeros(wanted["final_logits_bias"].shape)
    _check_shapes(state, wanted, file.parent)
    module.load_state_dict({name: state[name] for name in wanted}, assign=True)
    module.mapped = MappedFile(file)
    return module.eval().requires_grad_(False)


def _check_shapes(state: Mapping[str, Tensor], wanted: Mapping[str, Tensor], folder: Path) -> None:
    missing = sorted(wanted.keys() - state.keys())
    misfits = sorted(n for n, each in wanted.items() if n in state and state[n].shape != each.shape)
    for names, complaint in ((missing, "lacks"), (misfits, "has the wrong sizes for")):
        refuse_weights(names, f"{folder} {complaint}", "pull or import the checkpoint again")


def refuse_weights(names: Sequence[str], complaint: str, next_step: str) -> None:
    """Refuse a checkpoint if there is something to complain of about some of its weights.

    Args:
        names: The weights; nothing happens where there are none.
        complaint: For example ``"model.safetensors lacks"``; number and first names follow.
        next_step: What to do.

    Raises:
        CheckpointError: There are such weights.
    """
    if names:
        listed = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
        raise CheckpointError(
            f"{complaint} {len(names)} weight{'s' if len(names) > 1 else ''}: {listed}", next_step
        )
