"""BART's decoder for inference, one token at a time for all beams of all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from lsum_cli.models.blocks.attention import attend
from lsum_cli.models.blocks.bart_encoder import PreparedEmbedding, PreparedFeedForward, PreparedLayerNorm
from lsum_cli.models.blocks.beam_cache import BeamCache
from lsum_cli.models.blocks.page_memory import PageMemory
from lsum_cli.models.blocks.precision import Preparation

if TYPE_CHECKING:
    from transformers.models.bart.modeling_bart import BartDecoder, BartDecoderLayer

TYPICAL_ROWS = 28
TYPICAL_PAGE_LEN = 1024


class PreparedBartDecoder:
    """A BART decoder with prepared weights."""

    def __init__(self, decoder: BartDecoder, preparation: Preparation) -> None:
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
            cache: Of the tokens so far; its step has begun.
            memory: Of the pages.

        Returns:
            (pages, beams, hidden), h of PageSum's Eq. 6.
        """
        hidden = embedded.flatten(0, 1)  # (pages × beams, hidden)
        for layer in self._layers:
            hidden = layer(hidden, embedded.shape[1], cache, memory)
        return hidden.view_as(embedded)


class _DecoderLayer:
    """Self-attention, cross-attention and feed-forward."""

    def __init__(
        self, layer: BartDecoderLayer, number: int, activation: str, preparation: Preparation
    ) -> None:
        own, cross = layer.self_attn, layer.encoder_attn
        self._number = number
        self._heads = own.num_heads
        self._query_key_value = preparation.linear(own.q_proj, own.k_proj, own.v_proj, rows=TYPICAL_ROWS)
        self._out = preparation.linear(own.out_proj, rows=TYPICAL_ROWS)
        self._norm = PreparedLayerNorm(layer.self_attn_layer_norm, preparation)
        self.key_value = preparation.linear(cross.k_proj, cross.v_proj, rows=TYPICAL_PAGE_LEN)
        self._cross_query = preparation.linear(cross.q_proj, rows=TYPICAL_ROWS)
        self._cross_out = preparation.linear(cross.out_proj, rows=TYPICAL_ROWS)
        self._cross_norm = PreparedLayerNorm(layer.encoder_attn_layer_norm, preparation)
        self._feed_forward = PreparedFeedForward(layer, activation, TYPICAL_ROWS, preparation)

    def __call__(self, hidden: Tensor, beams: int, cache: BeamCache, memory: PageMemory) -> Tensor:
        """(pages × beams, hidden) -> same shape."""
        projected = self._query_key_value(hidden).view(
            -1, beams, 3, self._heads, hidden.shape[1] // self._heads
        )
        query, key, value = projected.permute(2, 0, 3, 1, 4)  # (pages, heads, beams, dim)
        attended = attend(query, *cache.extend(self._number, key, value))
        hidden = self._norm(self._out(_join_heads(attended)), hidden)
        query = self._cross_query(hidden).view(-1, beams, self._heads, hidden.shape[1] // self._heads)
        attended = memory.attend(self._number, query.transpose(1, 2))
        hidden = self._cross_norm(self._cross_out(_join_heads(attended)), hidden)
        return self._feed_forward(hidden)


def _join_heads(attended: Tensor) -> Tensor:
    """(pages, heads, beams, dim) -> (pages × beams, hidden)."""
    return torch.flatten(attended.transpose(1, 2), 2).flatten(0, 1)
