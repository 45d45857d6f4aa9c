"""The Top-Down encoder (Pang et al. 2022): bottom-up over tokens, over segments, and top-down again.

    e = BottomUp(tokens)                                    N1 layers of local self-attention
    s = Segments(pool(e))                                   Eqs. 2 and 3, then N2 layers of full attention
    e = TopDown(e, s)                                       N3 layers: local self-attention, then Eq. 1

    ẽ_i = e_i + LayerNorm(Σ_j α_ij f_v(s_j)),  α = softmax(f_q(e_i)·f_k(s_j) / √d)      (Eq. 1)

and the feed-forward, as in any layer. Self-attention and feed-forward are BART's, with its residuals
and norms. Cost is O(source_len × (window + segments)).

Dimensions: ``batch, source_len, segments, hidden, heads, dim``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.activations import ACT2FN
from transformers.modeling_layers import GradientCheckpointingLayer
from transformers.modeling_outputs import BaseModelOutput
from transformers.models.bart.modeling_bart import (
    BartLearnedPositionalEmbedding,
    BartPreTrainedModel,
    BartScaledWordEmbedding,
)

from lsum_cli.errors import OptionError
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.local_attention import LocalBand
from lsum_cli.models.topdown.segments import pool_segments, segments_of_tokens

Attend = Callable[[Tensor, Tensor, Tensor, float], Tensor]
"""Queries (batch, heads, …, dim), keys and values, and dropout -> shape of the queries."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SegmentStates:
    """What the segments say.

    Attributes:
        states: (batch, segments, hidden).
        present: (batch, segments), boolean; ``None`` where all exist.
    """

    states: Tensor
    present: Tensor | None

    def attend(self, query: Tensor, key: Tensor, value: Tensor, dropout: float) -> Tensor:
        """Let everything attend to the segments that exist; (batch, heads, …, dim)."""
        present = None if self.present is None else self.present[:, None, None, :]
        return functional.scaled_dot_product_attention(
            query, key, value, attn_mask=present, dropout_p=dropout
        )

    def of_tokens(self, source_len: int, kernel: int, stride: int) -> Tensor:
        """Return the mean of the segments that each token lies in, (batch, source_len, hidden).

        Beyond the end of a document, where a token lies in none, it is 0.
        """
        first, last = segments_of_tokens(source_len, kernel, stride, self.states.device)
        precise = self.states.to(torch.promote_types(self.states.dtype, torch.float32))
        present = torch.ones_like(precise[..., :1]) if self.present is None else self.present.unsqueeze(-1)
        sums = functional.pad((precise * present).cumsum(dim=1), (0, 0, 1, 0))
        counts = functional.pad(present.to(precise.dtype).cumsum(dim=1), (0, 0, 1, 0))
        total, count = (each[:, last + 1] - each[:, first] for each in (sums, counts))
        return (total / count.clamp_min(1)).to(self.states.dtype)


class Attention(nn.Module):
    """BART's projections, whatever attends to whatever between them."""

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__()
        self.num_heads: int = config.encoder_attention_heads
        self.dropout: float = config.attention_dropout
        self.k_proj, self.v_proj, self.q_proj, self.out_proj = (
            nn.Linear(config.d_model, config.d_model) for _ in range(4)
        )

    def forward(self, states: Tensor, sources: Tensor, attend: Attend) -> Tensor:
        """(batch, queries, hidden) and (batch, keys, hidden) -> shape of the first."""
        query, key, value = (
            projected.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for projected in (self.q_proj(states), self.k_proj(sources), self.v_proj(sources))
        )
        attended = attend(query, key, value, self.dropout if self.training else 0.0)
        output: Tensor = self.out_proj(attended.transpose(1, 2).flatten(2))
        return output


class EncoderLayer(GradientCheckpointingLayer):
    """BART's encoder layer over anything: attention and feed-forward, each with residual and norm."""

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__()
        self.self_attn = Attention(config)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.fc1 = nn.Linear(config.d_model, config.encoder_ffn_dim)
        self.fc2 = nn.Linear(config.encoder_ffn_dim, config.d_model)
        self.final_layer_norm = nn.LayerNorm(config.d_model)
        self.activation = ACT2FN[config.activation_function]
        self.dropout, self.activation_dropout = config.dropout, config.activation_dropout

    def forward(self, states: Tensor, attend: Attend) -> Tensor:
        """(batch, …, hidden) -> same shape."""
        return self.feed_forward(self.attend_to_itself(states, attend))

    def attend_to_itself(self, states: Tensor, attend: Attend) -> Tensor:
        """Self-attention, residual and norm."""
        attended = self.drop(self.self_attn(states, states, attend))
        normed: Tensor = self.self_attn_layer_norm(states + attended)
        return normed

    def feed_forward(self, states: Tensor) -> Tensor:
        """Feed-forward, residual and norm."""
        inner = functional.dropout(
            self.activation(self.fc1(states)), p=self.activation_dropout, training=self.training
        )
        states = self.final_layer_norm(states + self.drop(self.fc2(inner)))
        return states.clamp(-6e4, 6e4) if states.dtype == torch.float16 else states

    def drop(self, states: Tensor) -> Tensor:
        """Dropout, while training."""
        return functional.dropout(states, p=self.dropout, training=self.training)


class TopDownLayer(EncoderLayer):
    """A layer of local self-attention that hears of the segments before its feed-forward."""

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config)
        self.update: str = config.update
        self.kernel, self.stride = config.kernel, config.stride
        if self.update == "cross_attention":
            self.segment_attn = Attention(config)
        elif self.update == "concat":
            self.segment_proj = nn.Linear(2 * config.d_model, config.d_model)
        if self.update != "none":
            self.segment_attn_layer_norm = nn.LayerNorm(config.d_model)

    def forward(
        self,
        states: Tensor,
        attend: Attend,
        segment_states: Tensor | None = None,
        present: Tensor | None = None,
    ) -> Tensor:
        """(batch, source_len, hidden) -> same shape; the last two are those of :class:`SegmentStates`.

        They come apart, since checkpoints of gradients may see no other tensors than arguments.
        """
        states = self.attend_to_itself(states, attend)
        if segment_states is not None:
            segments = SegmentStates(states=segment_states, present=present)
            states = states + self.drop(self.segment_attn_layer_norm(self.hear(states, segments)))
        return self.feed_forward(states)

    def hear(self, states: Tensor, segments: SegmentStates) -> Tensor:
        """Return what the segments tell every token, before the norm: (batch, source_len, hidden)."""
        if self.update == "cross_attention":
            told: Tensor = self.segment_attn(states, segments.states, segments.attend)
            return told
        around = segments.of_tokens(states.shape[1], self.kernel, self.stride)
        joined: Tensor = self.segment_proj(torch.cat([states, around], dim=-1))
        return joined


class TopDownEncoder(BartPreTrainedModel):
    """Embeddings, bottom-up layers, segments, top-down layers."""

    config: TopDownConfig
    config_class = TopDownConfig
    _no_split_modules = ["EncoderLayer", "TopDownLayer"]  # noqa: RUF012 - read by transformers

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config)
        scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.embed_tokens = BartScaledWordEmbedding(
            config.vocab_size, config.d_model, config.pad_token_id, embed_scale=scale
        )
        self.embed_positions = BartLearnedPositionalEmbedding(config.max_source_positions, config.d_model)
        self.layernorm_embedding = nn.LayerNorm(config.d_model)
        self.bottom_up = nn.ModuleList(EncoderLayer(config) for _ in range(config.bottom_up_layers))
        segment_layers = config.segment_layers if config.has_segments else 0
        self.segment_layers = nn.ModuleList(EncoderLayer(config) for _ in range(segment_layers))
        self.top_down = nn.ModuleList(TopDownLayer(config) for _ in range(config.top_down_layers))
        self.gradient_checkpointing = False
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        """Return the embeddings of the tokens."""
        embeddings: nn.Module = self.embed_tokens
        return embeddings

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Replace them."""
        self.embed_tokens = value

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        importance: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        **_: Any,
    ) -> BaseModelOutput:
        """Encode documents.

        Args:
            input_ids: (batch, source_len).
            attention_mask: Same shape, 1 at tokens; by default wherever no padding stands.
            importance: Same shape, of each token; ``None`` for AvgPool.
            inputs_embeds: Not supported.
            output_hidden_states: Whether to return the tokens' states before and after every layer.

        Returns:
            Its ``last_hidden_state`` is (batch, source_len, hidden).

        Raises:
            OptionError: Documents that cannot be encoded.
        """
        if input_ids is None or inputs_embeds is not None:
            raise OptionError("documents are encoded from token ids only", "give input_ids")
        mask = input_ids != self.config.pad_token_id if attention_mask is None else attention_mask.bool()
        self._check(input_ids, mask, importance)
        padding_mask = None if mask.all() else mask
        embedded = self.embed_tokens(input_ids) + self.embed_positions(input_ids)
        states = functional.dropout(
            self.layernorm_embedding(embedded), p=self.config.dropout, training=self.training
        )
        source_len, window = input_ids.shape[1], self.config.attention_window
        band = LocalBand(source_len, window, mask=padding_mask, dtype=states.dtype, device=states.device)
        seen = [states]
        for layer in self.bottom_up:
            states = layer(states, band.attend)
            seen.append(states)
        told: tuple[Tensor | None, Tensor | None] = (None, None)
        if self.config.has_segments:
            segments = self.make_segments(states, padding_mask, importance)
            told = segments.states, segments.present
        for layer in self.top_down:
            states = layer(states, band.attend, *told)
            seen.append(states)
        return BaseModelOutput(
            last_hidden_state=states, hidden_states=tuple(seen) if output_hidden_states else None
        )

    def make_segments(
        self, states: Tensor, mask: Tensor | None = None, importance: Tensor | None = None
    ) -> SegmentStates:
        """Pool tokens and let the segments attend to one another; arguments as in :func:`pool_segments`."""
        config = self.config
        pooled, present = pool_segments(
            states, config.kernel, config.stride, mask=mask, importance=importance
        )
        for layer in self.segment_layers:
            segments = SegmentStates(states=pooled, present=present)
            pooled = layer(pooled, segments.attend)
        return SegmentStates(states=pooled, present=present)

    def _check(self, input_ids: Tensor, mask: Tensor, importance: Tensor | None) -> None:
        batch, source_len = input_ids.shape
        if not batch or not source_len or not mask.any(dim=1).all():
            raise OptionError("a document has no tokens", "give at least one token")
        if source_len > self.config.max_source_positions:
            raise OptionError(
                f"{source_len} tokens exceed the {self.config.max_source_positions} that the model reads",
                "give a shorter document, or --method book",
            )
        for name, tensor in (("attention_mask", mask), ("importance", importance)):
            if tensor is not None and tensor.shape != input_ids.shape:
                raise OptionError(
                    f"{name} is {tuple(tensor.shape)} but input_ids are {tuple(input_ids.shape)}",
                    "give both the shape (batch, source_len)",
                )
