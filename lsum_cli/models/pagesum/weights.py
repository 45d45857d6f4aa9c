"""The weights of a saved PageSum for its engine, without the classes that train it and write its files.

The model's own classes import ``transformers``' modeling code, which takes longer than a small model
needs to summarise a paper. The engine only asks for weights by the names of their modules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import GenerationConfig

from lsum_cli.errors import CheckpointError
from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.copying import PageCopier

# BART's first positions are kept for padding.
_OFFSET = 2
_TIED = ("lm_head.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")
_SHARED = "model.shared.weight"
_SHOWN = 3


class PageSumWeights(nn.Module):
    """The modules of a :class:`~lsum_cli.models.pagesum.modeling.PageSumForConditionalGeneration`.

    They hold weights and compute nothing.

    Attributes:
        config: Of the model.
        generation_config: Of the model.
    """

    def __init__(self, config: PageSumConfig, generation_config: GenerationConfig) -> None:
        super().__init__()
        self.config = config
        self.generation_config = generation_config
        self.model = _Halves(config)
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.register_buffer("final_logits_bias", torch.zeros(1, config.vocab_size))
        self.confidence_layer = nn.Linear(config.d_model, 1)
        self.copier = PageCopier.of(config) if config.copy else None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.lm_head.weight.device

    def get_input_embeddings(self) -> nn.Module:
        """The embeddings that encoder and decoder share."""
        return self.model.encoder.embed_tokens


class _Halves(nn.Module):
    def __init__(self, config: PageSumConfig) -> None:
        super().__init__()
        self.encoder = _Half(
            config, config.encoder_layers, config.encoder_attention_heads, config.encoder_ffn_dim
        )
        self.decoder = _Half(
            config, config.decoder_layers, config.decoder_attention_heads, config.decoder_ffn_dim, reads=True
        )


class _Half(nn.Module):
    """Encoder or decoder; only the decoder reads the other one."""

    def __init__(
        self, config: PageSumConfig, layers: int, heads: int, ffn_dim: int, *, reads: bool = False
    ) -> None:
        super().__init__()
        self.config = config
        self.embed_tokens = _Embedding(config.vocab_size, config.d_model)
        self.embed_tokens.embed_scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.embed_positions = _Embedding(config.max_position_embeddings + _OFFSET, config.d_model)
        self.layernorm_embedding = nn.LayerNorm(config.d_model)
        self.layers = nn.ModuleList(
            _Layer(config.d_model, heads, ffn_dim, reads=reads) for _ in range(layers)
        )


class _Embedding(nn.Embedding):
    embed_scale = 1.0
    offset = _OFFSET

    def __init__(self, rows: int, hidden: int) -> None:
        # Not drawn at random: on no device, that would import torch's compiler, which takes seconds.
        super().__init__(rows, hidden, _weight=torch.empty(rows, hidden))


class _Layer(nn.Module):
    def __init__(self, hidden: int, heads: int, ffn_dim: int, *, reads: bool) -> None:
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = _Attention(hidden, heads), nn.LayerNorm(hidden)
        if reads:
            self.encoder_attn, self.encoder_attn_layer_norm = _Attention(hidden, heads), nn.LayerNorm(hidden)
        self.fc1, self.fc2 = nn.Linear(hidden, ffn_dim), nn.Linear(ffn_dim, hidden)
        self.final_layer_norm = nn.LayerNorm(hidden)


class _Attention(nn.Module):
    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.num_heads = heads
        self.q_proj, self.k_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.v_proj, self.out_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)


def load_weights(folder: Path, weights_name: str) -> PageSumWeights:
    """Read what ``save_pretrained`` wrote.

    Args:
        folder: Of the checkpoint.
        weights_name: Its safetensors file.

    Raises:
        CheckpointError: Weights are missing or of another size.
    """
    from safetensors.torch import load_file

    config = PageSumConfig.from_pretrained(folder)
    has_generation = (folder / "generation_config.json").is_file()
    with torch.device("meta"):
        weights = PageSumWeights(
            config,
            GenerationConfig.from_pretrained(folder)
            if has_generation
            else GenerationConfig.from_model_config(config),
        )
    state = _untied(load_file(folder / weights_name))
    _check(state, dict(weights.state_dict()), folder)
    # What is not asked for is not taken, as from_pretrained does.
    weights.load_state_dict({name: state[name] for name in weights.state_dict()}, assign=True)
    return weights.eval().requires_grad_(False)


def _untied(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights with a name for each use of the shared embeddings, which are one tensor."""
    shared = state.get(_SHARED, state.get(_TIED[0]))
    if shared is not None:
        state = state | dict.fromkeys(_TIED, shared)
        state.setdefault("final_logits_bias", shared.new_zeros(1, len(shared)))
    return state


def _check(state: Mapping[str, Tensor], wanted: Mapping[str, Any], folder: Path) -> None:
    missing = sorted(wanted.keys() - state.keys())
    misfits = sorted(n for n, each in wanted.items() if n in state and state[n].shape != each.shape)
    for names, complaint in ((missing, "lacks"), (misfits, "has the wrong sizes for")):
        if names:
            listed = ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
            raise CheckpointError(
                f"{folder} {complaint} {len(names)} weights: {listed}",
                "pull or import the checkpoint again",
            )
