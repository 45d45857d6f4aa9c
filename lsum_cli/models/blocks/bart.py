"""BART for inference: an encoder over pages of any lengths, and a decoder that writes one token at a time.

The prepared encoder and decoder take their weights over from modules with BART's names: those of
``transformers``, with which models are trained, or :class:`BartParameters`, which come from a file alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from lsum_cli.models.blocks.attention import attend, attend_within_pages, group_by_length
from lsum_cli.models.blocks.kv_cache import BeamCache, PageMemory
from lsum_cli.models.blocks.precision import Preparation
from lsum_cli.models.blocks.settings import BartSettings
from lsum_cli.models.blocks.weights import Embedding, ReadModule

# Inputs of the prepared layers at once, usually.
ENCODER_ROWS = 1024
DECODER_ROWS = 28
TYPICAL_PAGE_LEN = 1024
# BART's first positions are reserved for padding.
POSITION_OFFSET = 2
# Names of the same weights in a checkpoint, which contains one of them.
TIED_EMBEDDINGS = {
    "model.shared.weight": (
        "lm_head.weight",
        "model.encoder.embed_tokens.weight",
        "model.decoder.embed_tokens.weight",
    )
}


class BartParameters(nn.Module):
    """The parameters of BART's encoder and decoder under the names of its checkpoints; it computes nothing.

    Made on the device ``meta``, it lists the names and shapes of the weights that a checkpoint must have.

    Args:
        settings: The model's settings.
        encoder: Another than BART's own.
    """

    def __init__(self, settings: BartSettings, encoder: nn.Module | None = None) -> None:
        super().__init__()
        self.encoder: Any = encoder or StackParameters(
            settings, settings.encoder_layers, settings.encoder_attention_heads, settings.encoder_ffn_dim
        )
        self.decoder = StackParameters(
            settings,
            settings.decoder_layers,
            settings.decoder_attention_heads,
            settings.decoder_ffn_dim,
            cross_attention=True,
        )


class SummariserParameters(ReadModule):
    """The parameters of a BART with its vocabulary projection, without the classes that train it.

    Args:
        settings: The model's settings.
        encoder: Another than BART's own.

    Attributes:
        config: The settings; ``transformers`` splits them into this and ``generation_config``.
        generation_config: The same.
    """

    final_logits_bias: Tensor

    def __init__(self, settings: BartSettings, encoder: nn.Module | None = None) -> None:
        super().__init__()
        self.config = self.generation_config = settings
        self.model = BartParameters(settings, encoder)
        self.lm_head = nn.Linear(settings.d_model, settings.vocab_size, bias=False)
        self.register_buffer("final_logits_bias", torch.zeros(1, settings.vocab_size))

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.lm_head.weight.device

    def get_input_embeddings(self) -> nn.Module:
        """The embeddings that encoder and decoder share."""
        embeddings: nn.Module = self.model.encoder.embed_tokens
        return embeddings


class StackParameters(nn.Module):
    """Of an encoder or a decoder: embeddings and layers. Only a decoder has cross-attention.

    Attributes:
        config: The settings, by the name that ``transformers``' modules have for them.
    """

    def __init__(
        self, settings: BartSettings, layers: int, heads: int, ffn_dim: int, *, cross_attention: bool = False
    ) -> None:
        super().__init__()
        hidden = settings.d_model
        self.config = settings
        self.embed_tokens = _Embedding(settings.vocab_size, hidden)
        self.embed_tokens.embed_scale = math.sqrt(hidden) if settings.scale_embedding else 1.0
        self.embed_positions = _Embedding(settings.max_position_embeddings + POSITION_OFFSET, hidden)
        self.layernorm_embedding = nn.LayerNorm(hidden)
        self.layers = nn.ModuleList(
            _LayerParameters(hidden, heads, ffn_dim, cross_attention=cross_attention) for _ in range(layers)
        )
        set_norms(self, settings.layer_norm_eps)


def set_norms(module: nn.Module, epsilon: float) -> None:
    """Set the epsilon of all norms of a module."""
    for each in module.modules():
        if isinstance(each, nn.LayerNorm):
            each.eps = epsilon


class _Embedding(Embedding):
    embed_scale = 1.0
    offset = POSITION_OFFSET


class _LayerParameters(nn.Module):
    def __init__(self, hidden: int, heads: int, ffn_dim: int, *, cross_attention: bool) -> None:
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = _AttentionParameters(hidden, heads), nn.LayerNorm(hidden)
        if cross_attention:
            self.encoder_attn = _AttentionParameters(hidden, heads)
            self.encoder_attn_layer_norm = nn.LayerNorm(hidden)
        self.fc1, self.fc2 = nn.Linear(hidden, ffn_dim), nn.Linear(ffn_dim, hidden)
        self.final_layer_norm = nn.LayerNorm(hidden)


class _AttentionParameters(nn.Module):
    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.num_heads = heads
        self.q_proj, self.k_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.v_proj, self.out_proj = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)


class PreparedLayerNorm:
    """A layer norm over a sum: ``norm(inputs + residual)``."""

    def __init__(self, norm: nn.LayerNorm, preparation: Preparation) -> None:
        self._weight = preparation.tensor(norm.weight)
        self._bias = preparation.tensor(norm.bias)
        self._epsilon = norm.eps

    def __call__(self, inputs: Tensor, residual: Tensor) -> Tensor:
        """(…, hidden) -> (…, hidden)."""
        summed = inputs + residual
        return functional.layer_norm(summed, summed.shape[-1:], self._weight, self._bias, self._epsilon)


class PreparedEmbedding:
    """Tokens and positions, as both halves of BART begin."""

    def __init__(self, module: Any, preparation: Preparation) -> None:
        self._tokens = preparation.table(module.embed_tokens.weight)
        self._scale = float(module.embed_tokens.embed_scale)
        self._positions = preparation.tensor(module.embed_positions.weight)[module.embed_positions.offset :]
        self._norm = PreparedLayerNorm(module.layernorm_embedding, preparation)

    @property
    def vocab(self) -> int:
        """How many tokens are known."""
        return self._tokens.shape[0]

    @property
    def num_positions(self) -> int:
        """How long a sequence may be."""
        return self._positions.shape[0]

    def __call__(self, token_ids: Tensor, positions: Tensor) -> Tensor:
        """Embed ``token_ids`` (tokens,) at ``positions``, which broadcast to it: (tokens, hidden)."""
        tokens = functional.embedding(token_ids.to(self._tokens.device), self._tokens) * self._scale
        return self._norm(tokens, self._positions[positions.to(self._positions.device)])


class PreparedFeedForward:
    """The feed-forward half of a layer, with its residual and norm."""

    def __init__(self, layer: Any, activation: str, rows: int, preparation: Preparation) -> None:
        self._widen = preparation.linear(layer.fc1, rows=rows, activation=activation)
        self._narrow = preparation.linear(layer.fc2, rows=rows)
        self._norm = PreparedLayerNorm(layer.final_layer_norm, preparation)

    def __call__(self, hidden: Tensor) -> Tensor:
        """(tokens, hidden) -> (tokens, hidden)."""
        return self._norm(self._narrow(self._widen(hidden)), hidden)


class PreparedBartEncoder:
    """A BART encoder with prepared weights."""

    def __init__(self, encoder: Any, preparation: Preparation) -> None:
        self.embedding = PreparedEmbedding(encoder, preparation)
        self._layers = [
            _EncoderLayer(layer, encoder.config.activation_function, preparation) for layer in encoder.layers
        ]

    def encode(self, pages: Sequence[Tensor]) -> Tensor:
        """Encode pages, none of which sees another.

        Args:
            pages: Each (page_len,), token ids; pages of equal length are fastest side by side.

        Returns:
            (tokens, hidden), the pages one after the other.
        """
        lengths = [len(page) for page in pages]
        positions = torch.cat([torch.arange(length) for length in lengths])
        hidden = self.embedding(torch.cat(list(pages)), positions)
        starts = torch.tensor([0, *lengths]).cumsum(0).tolist()
        groups = [
            [(starts[item], lengths[item]) for item in group.items] for group in group_by_length(lengths)
        ]
        for layer in self._layers:
            hidden = layer(hidden, groups)
        return hidden


class _EncoderLayer:
    """Self-attention and feed-forward over flat tokens."""

    def __init__(self, layer: Any, activation: str, preparation: Preparation) -> None:
        attention = layer.self_attn
        self._heads = attention.num_heads
        self._query_key_value = preparation.linear(
            attention.q_proj, attention.k_proj, attention.v_proj, rows=ENCODER_ROWS
        )
        self._out = preparation.linear(attention.out_proj, rows=ENCODER_ROWS)
        self._norm = PreparedLayerNorm(layer.self_attn_layer_norm, preparation)
        self._feed_forward = PreparedFeedForward(layer, activation, ENCODER_ROWS, preparation)
        self._clamps = preparation.dtype == torch.float16

    def __call__(self, hidden: Tensor, groups: Sequence[Sequence[tuple[int, int]]]) -> Tensor:
        """(tokens, hidden) -> (tokens, hidden); ``groups`` of pages of one length, as (start, length)."""
        projected = self._query_key_value(hidden).view(hidden.shape[0], 3, self._heads, -1)
        attended = torch.empty_like(hidden)
        for group in groups:
            pages = torch.stack([projected[start : start + length] for start, length in group])
            query, key, value = pages.permute(2, 0, 3, 1, 4).contiguous()  # (pages, heads, page_len, dim)
            outputs = attend_within_pages(query, key, value).transpose(1, 2).flatten(2)
            for (start, length), output in zip(group, outputs, strict=True):
                attended[start : start + length] = output
        hidden = self._feed_forward(self._norm(self._out(attended), hidden))
        return hidden.clamp(-6e4, 6e4) if self._clamps else hidden


class PreparedBartDecoder:
    """A BART decoder with prepared weights."""

    def __init__(self, decoder: Any, preparation: Preparation) -> None:
        config = decoder.config
        self.embedding = PreparedEmbedding(decoder, preparation)
        self.heads = config.decoder_attention_heads
        self.dim = config.d_model // self.heads
        self.dtype = preparation.dtype
        self.device = preparation.device
        self._layers = [
            _DecoderLayer(layer, number, config.activation_function, preparation)
            for number, layer in enumerate(decoder.layers)
        ]

    @property
    def num_layers(self) -> int:
        """How many layers."""
        return len(self._layers)

    def project(self, layer: int, states: Tensor) -> Tensor:
        """Return a layer's cross-attention keys and values: (tokens, hidden) -> (tokens, 2, heads, dim)."""
        return self._layers[layer].key_value(states).view(-1, 2, self.heads, self.dim)

    def step(self, embedded: Tensor, cache: BeamCache, memory: PageMemory) -> Tensor:
        """Decode one token of every beam of every page.

        Args:
            embedded: (pages, beams, hidden).
            cache: Keys and values of the tokens so far; a step must have been started.
            memory: Keys and values of the pages.

        Returns:
            (pages, beams, hidden), h of PageSum's Eq. 6.
        """
        # In the order in which packed pages are read, so that nothing is copied for that.
        by_beam = embedded.transpose(0, 1)  # (beams, pages, hidden)
        hidden = by_beam.flatten(0, 1)
        for layer in self._layers:
            hidden = layer(hidden, len(by_beam), cache, memory)
        return hidden.view(by_beam.shape).transpose(0, 1)


class _DecoderLayer:
    """Self-attention, cross-attention and feed-forward."""

    def __init__(self, layer: Any, number: int, activation: str, preparation: Preparation) -> None:
        own, cross = layer.self_attn, layer.encoder_attn
        self._number = number
        self._heads = own.num_heads
        self._query_key_value = preparation.linear(own.q_proj, own.k_proj, own.v_proj, rows=DECODER_ROWS)
        self._out = preparation.linear(own.out_proj, rows=DECODER_ROWS)
        self._norm = PreparedLayerNorm(layer.self_attn_layer_norm, preparation)
        self.key_value = preparation.linear(cross.k_proj, cross.v_proj, rows=TYPICAL_PAGE_LEN)
        self._cross_query = preparation.linear(cross.q_proj, rows=DECODER_ROWS)
        self._cross_out = preparation.linear(cross.out_proj, rows=DECODER_ROWS)
        self._cross_norm = PreparedLayerNorm(layer.encoder_attn_layer_norm, preparation)
        self._feed_forward = PreparedFeedForward(layer, activation, DECODER_ROWS, preparation)

    def __call__(self, hidden: Tensor, beams: int, cache: BeamCache, memory: PageMemory) -> Tensor:
        """(beams × pages, hidden) -> same shape."""
        dim = hidden.shape[1] // self._heads
        projected = self._query_key_value(hidden).view(beams, -1, 3, self._heads, dim)
        projected = projected.permute(2, 1, 3, 0, 4)  # (3, pages, heads, beams, dim)
        attended = attend(projected[0], *cache.extend(self._number, projected[1:]))
        hidden = self._norm(self._out(_join_heads(attended)), hidden)
        query = self._cross_query(hidden).view(beams, -1, self._heads, dim)
        attended = memory.attend(self._number, query.permute(1, 2, 0, 3))
        hidden = self._cross_norm(self._cross_out(_join_heads(attended)), hidden)
        return self._feed_forward(hidden)


def _join_heads(attended: Tensor) -> Tensor:
    """(pages, heads, beams, dim) -> (beams × pages, hidden)."""
    return attended.permute(2, 0, 1, 3).flatten(2).flatten(0, 1)
