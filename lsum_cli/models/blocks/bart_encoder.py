"""BART's encoder for inference: pages of any lengths as one flat row of tokens, no padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from lsum_cli.models.blocks.attention import attend_within_pages
from lsum_cli.models.blocks.precision import Preparation
from lsum_cli.models.blocks.ragged import group_by_length

if TYPE_CHECKING:
    from transformers.models.bart.modeling_bart import BartEncoder, BartEncoderLayer

TYPICAL_ROWS = 1024


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
        # BART's first positions are kept for padding.
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

    def __init__(self, encoder: BartEncoder, preparation: Preparation) -> None:
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

    def __init__(self, layer: BartEncoderLayer, activation: str, preparation: Preparation) -> None:
        attention = layer.self_attn
        self._heads = attention.num_heads
        self._query_key_value = preparation.linear(
            attention.q_proj, attention.k_proj, attention.v_proj, rows=TYPICAL_ROWS
        )
        self._out = preparation.linear(attention.out_proj, rows=TYPICAL_ROWS)
        self._norm = PreparedLayerNorm(layer.self_attn_layer_norm, preparation)
        self._feed_forward = PreparedFeedForward(layer, activation, TYPICAL_ROWS, preparation)
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
