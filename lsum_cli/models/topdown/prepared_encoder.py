"""The Top-Down encoder for inference: prepared weights, one document at a time, no padding.

The same numbers as :class:`~lsum_cli.models.topdown.encoder.TopDownEncoder`. What is wider than the
hidden states (the feed-forward, the queries to the segments) exists for some tokens at a time only.

Dimensions: ``source_len, segments, hidden, heads, dim``; ``tokens`` of a document side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import torch
from torch import Tensor
from torch.nn import functional

from lsum_cli.models.blocks.bart import PreparedEmbedding, PreparedFeedForward, PreparedLayerNorm
from lsum_cli.models.blocks.precision import Preparation, PreparedLinear
from lsum_cli.models.topdown.encoder import (
    Attention,
    EncoderLayer,
    SegmentStates,
    TopDownEncoder,
    TopDownLayer,
)
from lsum_cli.models.topdown.local_attention import LocalBand, attend_block
from lsum_cli.models.topdown.segments import pool_segments

# Enough rows to keep a processor's products busy, few enough to stay in its cache.
ROWS_AT_ONCE = {"cpu": 1024, "cuda": 16384}

OnLayer = Callable[[], None]


class PreparedTopDownEncoder:
    """A Top-Down encoder with prepared weights."""

    def __init__(self, encoder: TopDownEncoder, preparation: Preparation) -> None:
        config = encoder.config
        activation = config.activation_function
        self.embedding = PreparedEmbedding(encoder, preparation)
        self.dtype, self.device = preparation.dtype, preparation.device
        self._window, self._kernel, self._stride = config.attention_window, config.kernel, config.stride
        self._bottom_up = [
            _Layer(cast(EncoderLayer, layer), activation, preparation) for layer in encoder.bottom_up
        ]
        self._segment_layers = [
            _Layer(cast(EncoderLayer, layer), activation, preparation) for layer in encoder.segment_layers
        ]
        self._top_down = [
            _TopDownLayer(cast(TopDownLayer, layer), activation, preparation) for layer in encoder.top_down
        ]
        self._has_segments = config.has_segments

    @property
    def num_layers(self) -> int:
        """Layers over tokens, each of which reports when it is done."""
        return len(self._bottom_up) + len(self._top_down)

    def encode(
        self, document: Tensor, importance: Tensor | None = None, *, on_layer: OnLayer = lambda: None
    ) -> Tensor:
        """Encode a document.

        Args:
            document: (source_len,), token ids.
            importance: Same shape, of each token; ``None`` for AvgPool.
            on_layer: Called after every layer over tokens.

        Returns:
            (source_len, hidden).
        """
        source_len = len(document)
        states = self.embedding(document, torch.arange(source_len))
        band = LocalBand(source_len, self._window, mask=None, dtype=self.dtype, device=self.device)
        for layer in self._bottom_up:
            states = layer(states, band)
            on_layer()
        segments = self._make_segments(states, importance) if self._has_segments else None
        for top_down in self._top_down:
            states = top_down(states, band, segments)
            on_layer()
        return states

    def _make_segments(self, states: Tensor, importance: Tensor | None) -> SegmentStates:
        weights = None if importance is None else importance.unsqueeze(0)
        pooled, _ = pool_segments(states.unsqueeze(0), self._kernel, self._stride, importance=weights)
        segments = pooled.squeeze(0)
        for layer in self._segment_layers:
            segments = layer(segments, None)
        return SegmentStates(states=segments.unsqueeze(0), present=None)


class _Layer:
    """Self-attention, local or full, and feed-forward."""

    def __init__(self, layer: EncoderLayer, activation: str, preparation: Preparation) -> None:
        own = layer.self_attn
        self._heads = own.num_heads
        self._rows = ROWS_AT_ONCE.get(preparation.device.type, ROWS_AT_ONCE["cpu"])
        self._query_key_value = preparation.linear(own.q_proj, own.k_proj, own.v_proj, rows=self._rows)
        self._out = preparation.linear(own.out_proj, rows=self._rows)
        self._norm = PreparedLayerNorm(layer.self_attn_layer_norm, preparation)
        self._feed_forward = PreparedFeedForward(layer, activation, self._rows, preparation)
        self._clamps = preparation.dtype == torch.float16

    def __call__(self, states: Tensor, band: LocalBand | None) -> Tensor:
        """(tokens, hidden) -> same shape; all see all where there is no band."""
        attended = self._attend(states, band)
        output = torch.empty_like(states)
        for part in self._parts(states):
            output[part] = self._finish(self._norm(self._out(attended[part]), states[part]))
        return output

    def _finish(self, states: Tensor) -> Tensor:
        states = self._feed_forward(states)
        return states.clamp(-6e4, 6e4) if self._clamps else states

    def _attend(self, states: Tensor, band: LocalBand | None) -> Tensor:
        projected = states.new_empty(3, self._heads, states.shape[0], states.shape[1] // self._heads)
        for part in self._parts(states):
            rows = self._query_key_value(states[part]).view(-1, 3, self._heads, projected.shape[-1])
            projected[:, :, part] = rows.permute(1, 2, 0, 3)
        query, key, value = projected.unsqueeze(1)  # (1, heads, tokens, dim)
        attended = attend_block(query, key, value, None) if band is None else band.attend(query, key, value)
        return attended.squeeze(0).transpose(0, 1).flatten(1)

    def _parts(self, states: Tensor) -> Iterator[slice]:
        for start in range(0, states.shape[0], self._rows):
            yield slice(start, start + self._rows)


class _TopDownLayer(_Layer):
    """A layer that hears of the segments between self-attention and feed-forward (Eq. 1)."""

    def __init__(self, layer: TopDownLayer, activation: str, preparation: Preparation) -> None:
        super().__init__(layer, activation, preparation)
        self._kernel, self._stride = layer.kernel, layer.stride
        self._hear: _HearByAttention | _HearByJoining | None = None
        if layer.update == "cross_attention":
            self._hear = _HearByAttention(layer.segment_attn, self._rows, preparation)
        elif layer.update == "concat":
            self._hear = _HearByJoining(layer, self._rows, preparation)
        if self._hear is not None:
            norm = layer.segment_attn_layer_norm
            self._weight, self._bias = preparation.tensor(norm.weight), preparation.tensor(norm.bias)
            self._epsilon = norm.eps

    def __call__(
        self, states: Tensor, band: LocalBand | None, segments: SegmentStates | None = None
    ) -> Tensor:
        """(tokens, hidden) -> same shape."""
        attended = self._attend(states, band)
        told = self._hear.about(segments, states.shape[0]) if self._hear and segments else None
        output = torch.empty_like(states)
        for part in self._parts(states):
            rows = self._norm(self._out(attended[part]), states[part])
            if self._hear and told is not None:
                heard = self._hear(rows, told, part)
                rows = rows + functional.layer_norm(
                    heard, heard.shape[-1:], self._weight, self._bias, self._epsilon
                )
            output[part] = self._finish(rows)
        return output


class _HearByAttention:
    """Token-to-segment cross-attention."""

    def __init__(self, attention: Attention, rows: int, preparation: Preparation) -> None:
        self._heads = attention.num_heads
        self._query = preparation.linear(attention.q_proj, rows=rows)
        self._key_value = preparation.linear(attention.k_proj, attention.v_proj, rows=rows)
        self._out = preparation.linear(attention.out_proj, rows=rows)

    def about(self, segments: SegmentStates, source_len: int) -> Tensor:  # noqa: ARG002
        """Keys and values of all segments: (2, 1, heads, segments, dim)."""
        states = segments.states
        projected = self._key_value(states).view(*states.shape[:2], 2, self._heads, -1)
        return projected.permute(2, 0, 3, 1, 4).contiguous()

    def __call__(self, rows: Tensor, told: Tensor, part: slice) -> Tensor:  # noqa: ARG002
        """(tokens, hidden) -> same shape."""
        query = self._query(rows).view(1, rows.shape[0], self._heads, -1).transpose(1, 2)
        attended = attend_block(query, told[0], told[1], None)
        return self._out(attended.squeeze(0).transpose(0, 1).flatten(1))


class _HearByJoining:
    """Each token joined with the segments it lies in."""

    def __init__(self, layer: TopDownLayer, rows: int, preparation: Preparation) -> None:
        self._kernel, self._stride = layer.kernel, layer.stride
        self._joined: PreparedLinear = preparation.linear(layer.segment_proj, rows=rows)

    def about(self, segments: SegmentStates, source_len: int) -> Tensor:
        """For every token the mean of its segments: (source_len, hidden)."""
        return segments.of_tokens(source_len, self._kernel, self._stride).squeeze(0)

    def __call__(self, rows: Tensor, told: Tensor, part: slice) -> Tensor:
        """(tokens, hidden) -> same shape."""
        return self._joined(torch.cat([rows, told[part]], dim=-1))
