"""Weights taken over from a BART: which of its encoder layers become which (Pang et al. 2022, 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from transformers import BartConfig, BartForConditionalGeneration

from lsum_cli.errors import OptionError
from lsum_cli.models.blocks.bart_model import settings_of
from lsum_cli.models.topdown.configuration import TopDownConfig

_POSITIONS = "model.encoder.embed_positions.weight"
_LAYERS = "model.encoder.layers."
# BART keeps its first positions for padding.
_OFFSET = 2
# Of twelve layers the paper makes eight bottom-up.
_BOTTOM_UP_SHARE = 2 / 3


def config_from_bart(bart: BartConfig, settings: Mapping[str, Any]) -> TopDownConfig:
    """Return BART's settings, its encoder layers split as in the paper unless ``settings`` say how.

    Raises:
        OptionError: Both kinds of layers together are more than BART has.
    """
    inherited = settings_of(bart)
    # Here it is the sum of two.
    del inherited["encoder_layers"]
    layers = bart.encoder_layers
    split = dict(settings)
    if "top_down_layers" in split:
        split.setdefault("bottom_up_layers", layers - split["top_down_layers"])
    split.setdefault("bottom_up_layers", max(1, round(layers * _BOTTOM_UP_SHARE)))
    split.setdefault("top_down_layers", layers - split["bottom_up_layers"])
    config = TopDownConfig(**(inherited | split))
    if config.encoder_layers > layers:
        raise OptionError(
            f"{config.encoder_layers} bottom-up and top-down layers cannot come from {layers} layers of BART",
            "lower bottom_up_layers or top_down_layers, or take a larger BART",
        )
    return config


def weights_from_bart(bart: BartForConditionalGeneration, config: TopDownConfig) -> dict[str, Tensor]:
    """Return BART's weights under the names they have here.

    The first layers become bottom-up, the last ones top-down; where there are fewer than BART has,
    those in between are left out. Positions beyond BART's repeat its own.
    """
    layers = bart.config.encoder_layers
    skipped = layers - config.top_down_layers
    weights = {}
    for name, tensor in bart.state_dict().items():
        if name.startswith(_LAYERS):
            number, _, rest = name.removeprefix(_LAYERS).partition(".")
            if int(number) < config.bottom_up_layers:
                weights[f"model.encoder.bottom_up.{number}.{rest}"] = tensor
            elif int(number) >= skipped:
                weights[f"model.encoder.top_down.{int(number) - skipped}.{rest}"] = tensor
        elif name == _POSITIONS:
            weights[name] = tile_positions(tensor, config.max_source_positions)
        else:
            weights[name] = tensor
    return weights


def tile_positions(weight: Tensor, positions: int) -> Tensor:
    """Repeat the positions of an embedding until there are enough: (2 + positions, hidden)."""
    reserved, own = weight[:_OFFSET], weight[_OFFSET:]
    repeats = -(-positions // own.shape[0])
    return torch.cat([reserved, own.repeat(repeats, 1)[:positions]])
