"""Converting published weights: pickles opened safely, names and shapes checked."""

from __future__ import annotations

import json
import pickle
import re
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.errors import CheckpointError

if TYPE_CHECKING:
    from torch import Tensor

_LAYER = re.compile(r"model\.(encoder|decoder)\.layers\.(\d+)\.")
_POSITIONS_NOT_USED = 2  # BART's learned positions begin after two reserved rows
# Entries of a BART configuration that are not properties of the model, or are set again here.
_NOT_INHERITED = (
    "_name_or_path",
    "architectures",
    "model_type",
    "transformers_version",
    "torch_dtype",
    "dtype",
)


def read_weights(path: Path) -> dict[str, Tensor]:
    """Read a state dict from a safetensors file, or from a pickle that contains only weights.

    Raises:
        CheckpointError: The file cannot be read, or contains something else. No code in it is run.
    """
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        with warnings.catch_warnings(action="ignore"):  # its warnings are checked below
            state = torch.load(path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path))
    except pickle.UnpicklingError as error:
        raise CheckpointError(
            f"{path} contains something other than weights, which lsum does not load",
            "get a file with weights only",
        ) from error
    except SafetensorError as error:
        raise CheckpointError(f"{path} is damaged: {error}", "download it again") from error
    except OSError as error:
        raise CheckpointError(
            f"{path} cannot be read: {error.strerror or error}", "check the path"
        ) from error
    except (RuntimeError, EOFError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise CheckpointError(f"{path} is not a weights file, or is damaged", "download it again") from error
    if not isinstance(state, dict) or not state:
        raise CheckpointError(f"{path} contains no named weights", "get the model's state dict")
    for name, tensor in state.items():
        if not isinstance(name, str) or not isinstance(tensor, torch.Tensor):
            raise CheckpointError(f"{path} contains no named weights: {name!r}", "get the model's state dict")
        if tensor.layout is not torch.strided or tensor.is_quantized:
            kind = "quantised" if tensor.is_quantized else "sparse"
            raise CheckpointError(
                f"{path} holds {name!r} as a {kind} tensor, which lsum does not load",
                "save the weights as plain tensors",
            )
    return dict(state)


def convert_pickles(paths: Sequence[Path], target: Path) -> None:
    """Write the weights of one or more pickles as one safetensors file; shared weights are written once.

    Raises:
        CheckpointError: A pickle is damaged or contains something else.
    """
    state: dict[str, Tensor] = {}
    for path in paths:
        state.update(read_weights(path))
    kept: dict[tuple[Any, ...], str] = {}
    for name in sorted(state, key=lambda name: ("shared" not in name, name)):
        tensor = state[name]
        place = (tensor.untyped_storage().data_ptr(), tensor.storage_offset(), tensor.shape, tensor.stride())
        kept.setdefault(place if tensor.numel() else (name,), name)
    write_weights({name: state[name] for name in kept.values()}, target)


def write_weights(state: Mapping[str, Tensor], target: Path) -> None:
    """Write a state dict as safetensors.

    Raises:
        OSError: The disk refuses.
    """
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    # A tensor that is a view of another's memory gets memory of its own.
    own = {
        name: tensor.contiguous()
        if tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()
        else tensor.contiguous().clone()
        for name, tensor in state.items()
    }
    try:
        save_file(own, target, metadata={"format": "pt"})
    except SafetensorError as error:  # safetensors gives the system's error only as text
        raise _as_os_error(error, target) from error


def convert_pagesum(
    state: Mapping[str, Tensor], base_config: Mapping[str, Any], **settings: Any
) -> dict[str, Any]:
    """Infer the configuration of published PageSum weights and check every weight against it.

    Args:
        state: The published state dict, see :mod:`lsum_cli.models.pagesum.modeling`.
        base_config: ``config.json`` of the model it was initialised from, for what shapes do not determine.
        **settings: Settings of :class:`lsum_cli.models.pagesum.configuration.PageSumConfig`.

    Returns:
        The configuration, ready for ``config.json``.

    Raises:
        CheckpointError: Weights are missing, unknown or of the wrong shape, or base and weights do
            not belong together.
    """
    import torch

    from lsum_cli.models.pagesum.configuration import PageSumConfig
    from lsum_cli.models.pagesum.modeling import (
        TIED_COPIES,
        PageSumForConditionalGeneration,
        from_published_state_dict,
    )

    sizes = infer_sizes(state)
    for key in ("vocab_size", "d_model"):
        if base_config.get(key) != sizes[key]:
            raise CheckpointError(
                f"the weights have {key} {sizes[key]:,}, their base {base_config.get(key)}",
                "give the --base that they were trained from",
            )
    inherited = {key: value for key, value in base_config.items() if key not in _NOT_INHERITED}
    config = PageSumConfig(**(inherited | sizes | settings))
    config.architectures = [PageSumForConditionalGeneration.__name__]
    with torch.device("meta"):
        model = PageSumForConditionalGeneration(config)
    expected = {name: tuple(t.shape) for name, t in model.state_dict().items() if name not in TIED_COPIES}
    check_shapes({name: tuple(t.shape) for name, t in from_published_state_dict(state).items()}, expected)
    found: dict[str, Any] = json.loads(config.to_json_string(use_diff=False))
    return found


def infer_sizes(state: Mapping[str, Tensor]) -> dict[str, int]:
    """Infer the sizes of a BART-like model from its weights.

    Raises:
        CheckpointError: A weight that determines a size is missing.
    """
    layers = {"encoder": 0, "decoder": 0}
    for name in state:
        match = _LAYER.match(name)
        if match:
            layers[match[1]] = max(layers[match[1]], int(match[2]) + 1)
    positions = [_shape(state, f"model.{side}.embed_positions.weight", 2)[0] for side in layers]
    if positions[0] != positions[1]:
        raise CheckpointError(
            f"encoder and decoder have {positions[0]:,} and {positions[1]:,} positions", "get other weights"
        )
    vocab_size, d_model = _shape(state, "model.shared.weight", 2)
    sizes = {
        "vocab_size": vocab_size,
        "d_model": d_model,
        "max_position_embeddings": positions[0] - _POSITIONS_NOT_USED,
    }
    for side, count in layers.items():
        sizes[f"{side}_layers"] = count
        sizes[f"{side}_ffn_dim"] = _shape(state, f"model.{side}.layers.0.fc1.weight", 2)[0]
    return sizes


def check_shapes(found: Mapping[str, tuple[int, ...]], expected: Mapping[str, tuple[int, ...]]) -> None:
    """Compare names and shapes of weights with what a model expects.

    Raises:
        CheckpointError: They differ; the message lists the first few.
    """
    from lsum_cli.models.blocks.weights import refuse_weights

    complaints = {
        "lacks": sorted(expected.keys() - found.keys()),
        "contains unknown": sorted(found.keys() - expected.keys()),
        "has the wrong shape for": [
            f"{name} {found[name]} instead of {shape}"
            for name, shape in expected.items()
            if name in found and found[name] != shape
        ],
    }
    for complaint, names in complaints.items():
        refuse_weights(names, f"the file {complaint}", "check that it is a PageSum model")


def _shape(state: Mapping[str, Tensor], name: str, dimensions: int) -> tuple[int, ...]:
    if name not in state or state[name].dim() != dimensions:
        raise CheckpointError(
            f"the file lacks 1 weight: {name}"
            if name not in state
            else f"{name} has the shape {tuple(state[name].shape)}",
            "check that it is a PageSum model",
        )
    return tuple(state[name].shape)


def _as_os_error(error: Exception, target: Path) -> OSError:
    match = re.search(r"os error (\d+)", str(error))
    return OSError(int(match[1]) if match else 0, str(error), str(target))
