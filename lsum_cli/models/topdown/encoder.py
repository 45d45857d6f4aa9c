"""The Top-Down encoder (Pang et al. 2022): bottom-up over tokens, over segments, and top-down again.

    e = BottomUp(tokens)                                    N1 layers of local self-attention
    s = Segments(pool(e))                                   Eqs. 2 and 3, then N2 layers of full attention
    e = TopDown(e, s)                                       N3 layers: local self-attention, then Eq. 1

    ẽ_i = e_i + LayerNorm(Σ_j α_ij f_v(s_j)),  α = softmax(f_q(e_i)·f_k(s_j) / √d)      (Eq. 1)

and the feed-forward, as in any layer. Self-attention and feed-forward are BART's, with its residuals
and norms. Cost is O(source_len × (window + segments)).

A plain torch module for training and inference. For inference :meth:`TopDownEncoder.prepared` returns
one whose linear layers are prepared for the processor, with those over the same input joined to one
product, and which computes the wide intermediate states (of the feed-forward, and the queries to the
segments) for some tokens at a time to save memory.

Dimensions: ``batch, source_len, segments, hidden, heads, dim``; ``rows`` are some tokens of every document.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from lsum_cli.models.blocks.bart import POSITION_OFFSET, set_norms
from lsum_cli.models.blocks.precision import Preparation, activation_of
from lsum_cli.models.blocks.weights import Embedding
from lsum_cli.models.topdown.local_attention import LocalBand, RecordingBand
from lsum_cli.models.topdown.segments import SegmentStates, pool_segments
from lsum_cli.models.topdown.settings import TopDownSettings

# Enough rows to keep a processor's products busy, few enough to stay in its cache.
ROWS_AT_ONCE = {"cpu": 1024, "cuda": 16384}

OnLayer = Callable[[], None]

Attend = Callable[[Tensor, Tensor, Tensor, float], Tensor]
"""Queries (batch, heads, …, dim), keys and values, and dropout -> shape of the queries."""

Layer = Callable[[Tensor], Tensor]
"""(…, inputs) -> (…, outputs): a linear layer, or a prepared one."""

Update = Callable[[Tensor, slice], Tensor]
"""Rows of the states, (batch, rows, hidden), and which they are -> same shape."""


class Attention(nn.Module):
    """BART's projections around any attention."""

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__()
        self.num_heads: int = settings.encoder_attention_heads
        self.dropout: float = settings.attention_dropout
        self.k_proj, self.v_proj, self.q_proj = (
            _linear(settings.d_model, settings.d_model) for _ in range(3)
        )
        self.out_proj = _linear(settings.d_model, settings.d_model)
        # Prepared projections by the names of those that were joined.
        self._joined: dict[tuple[str, ...], Layer] = {}

    def project(self, states: Tensor, *names: str) -> list[Tensor]:
        """(batch, tokens, hidden) -> (batch, heads, tokens, dim) by each of the projections."""
        joined = self._joined.get(names)
        projected = (
            [getattr(self, name)(states) for name in names]
            if joined is None
            else joined(states).chunk(len(names), dim=-1)
        )
        return [each.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for each in projected]

    def attend(self, query: Tensor, key: Tensor, value: Tensor, attend: Attend) -> Tensor:
        """Attend and join the heads: (batch, heads, tokens, dim) -> (batch, tokens, hidden)."""
        attended = attend(query, key, value, self.dropout if self.training else 0.0)
        return attended.transpose(1, 2).flatten(2)

    def prepare(self, preparation: Preparation, rows: int, *joined: tuple[str, ...]) -> None:
        """Replace the layers by prepared ones; projections named together become one."""
        for names in joined:
            self._joined[names] = preparation.linear(*(getattr(self, name) for name in names), rows=rows)
            for name in names:
                delattr(self, name)
        _replace(self, "out_proj", preparation, rows)


class EncoderLayer(nn.Module):
    """BART's encoder layer over anything: attention and feed-forward, each with residual and norm.

    Attributes:
        gradient_checkpointing: Whether training computes the layer once more in the backward pass instead
            of storing what that needs; ``transformers`` sets it, and the function that does so.
        rows: How many tokens of a document to compute at once; ``None`` for all, as in training.
    """

    gradient_checkpointing = False
    _gradient_checkpointing_func: Any = None

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__()
        self.self_attn = Attention(settings)
        self.self_attn_layer_norm = nn.LayerNorm(settings.d_model)
        self.fc1 = _linear(settings.d_model, settings.encoder_ffn_dim)
        self.fc2 = _linear(settings.encoder_ffn_dim, settings.d_model)
        self.final_layer_norm = nn.LayerNorm(settings.d_model)
        self.activation = activation_of(settings.activation_function)
        self.dropout, self.activation_dropout = settings.dropout, settings.activation_dropout
        self.rows: int | None = None

    def forward(self, *inputs: Any) -> Tensor:
        """Compute the layer; see :meth:`compute`."""
        if self.gradient_checkpointing and self.training:
            recomputed: Tensor = self._gradient_checkpointing_func(self.compute, *inputs)
            return recomputed
        return self.compute(*inputs)

    def compute(self, states: Tensor, attend: Attend) -> Tensor:
        """(batch, tokens, hidden) -> same shape."""
        return self._by_rows(states, self._attend(states, attend))

    def prepare(self, preparation: Preparation, rows: int, activation: str) -> None:
        """Replace the linear layers by prepared ones, for this number of rows at once."""
        self.rows = rows
        self.self_attn.prepare(preparation, rows, ("q_proj", "k_proj", "v_proj"))
        _replace(self, "fc1", preparation, rows, activation=activation)
        _replace(self, "fc2", preparation, rows)
        # The prepared layer applies it.
        del self.activation
        self.activation = _identity

    def _attend(self, states: Tensor, attend: Attend) -> Tensor:
        """Self-attention up to the joined heads: (batch, tokens, hidden) -> same shape."""
        own, names = self.self_attn, ("q_proj", "k_proj", "v_proj")
        if self.rows is None:
            query, key, value = own.project(states, *names)
            return own.attend(query, key, value, attend)
        batch, tokens, hidden = states.shape
        projected = states.new_empty(3, batch, own.num_heads, tokens, hidden // own.num_heads)
        for part in self._parts(states):
            for target, rows in zip(projected, own.project(states[:, part], *names), strict=True):
                target[:, :, part] = rows
        return own.attend(projected[0], projected[1], projected[2], attend)

    def _by_rows(self, states: Tensor, attended: Tensor, update: Update | None = None) -> Tensor:
        """Compute the rest of the layer, some rows at a time; ``update`` runs before the feed-forward."""
        parts = self._parts(states)
        if len(parts) == 1:
            return self._finish(states, attended, parts[0], update)
        output = torch.empty_like(states)
        for part in parts:
            output[:, part] = self._finish(states[:, part], attended[:, part], part, update)
        return output

    def _finish(self, states: Tensor, attended: Tensor, part: slice, update: Update | None) -> Tensor:
        states = self.self_attn_layer_norm(states + self._drop(self.self_attn.out_proj(attended)))
        if update is not None:
            states = update(states, part)
        inner = self.activation(self.fc1(states))
        inner = functional.dropout(inner, p=self.activation_dropout, training=self.training)
        states = self.final_layer_norm(states + self._drop(self.fc2(inner)))
        return states.clamp(-6e4, 6e4) if states.dtype == torch.float16 else states

    def _parts(self, states: Tensor) -> list[slice]:
        tokens = states.shape[1]
        size = self.rows or tokens
        return [slice(start, start + size) for start in range(0, tokens, size)]

    def _drop(self, states: Tensor) -> Tensor:
        return functional.dropout(states, p=self.dropout, training=self.training)


class TopDownLayer(EncoderLayer):
    """A layer of local self-attention that is updated by the segments before its feed-forward (Eq. 1)."""

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__(settings)
        self.update: str = settings.update
        self.kernel, self.stride = settings.kernel, settings.stride
        if self.update == "cross_attention":
            self.segment_attn = Attention(settings)
        elif self.update == "concat":
            self.segment_proj = _linear(2 * settings.d_model, settings.d_model)
        if self.update != "none":
            self.segment_attn_layer_norm = nn.LayerNorm(settings.d_model)

    def compute(
        self,
        states: Tensor,
        attend: Attend,
        segment_states: Tensor | None = None,
        present: Tensor | None = None,
    ) -> Tensor:
        """(batch, source_len, hidden) -> same shape; the last two are those of :class:`SegmentStates`.

        They are separate arguments because gradient checkpointing only tracks tensors among the arguments.
        """
        attended = self._attend(states, attend)
        if segment_states is None:
            return self._by_rows(states, attended)
        segments = SegmentStates(states=segment_states, present=present)
        read = self._read_by_attention if self.update == "cross_attention" else self._read_by_joining
        from_segments = read(segments, states.shape[1])

        def update(rows: Tensor, part: slice) -> Tensor:
            return rows + self._drop(self.segment_attn_layer_norm(from_segments(rows, part)))

        return self._by_rows(states, attended, update)

    def prepare(self, preparation: Preparation, rows: int, activation: str) -> None:
        """Replace the linear layers by prepared ones, for this number of rows at once."""
        super().prepare(preparation, rows, activation)
        if self.update == "cross_attention":
            self.segment_attn.prepare(preparation, rows, ("q_proj",), ("k_proj", "v_proj"))
        elif self.update == "concat":
            _replace(self, "segment_proj", preparation, rows)

    def _read_by_attention(self, segments: SegmentStates, _: int) -> Update:
        """Token-to-segment cross-attention."""
        attention = self.segment_attn
        key, value = (each.contiguous() for each in attention.project(segments.states, "k_proj", "v_proj"))

        def read(rows: Tensor, _: slice) -> Tensor:
            (query,) = attention.project(rows, "q_proj")
            return attention.out_proj(attention.attend(query, key, value, segments.attend))

        return read

    def _read_by_joining(self, segments: SegmentStates, source_len: int) -> Update:
        """Each token joined with the mean of the segments it lies in."""
        around = segments.of_tokens(source_len, self.kernel, self.stride)
        return lambda rows, part: self.segment_proj(torch.cat([rows, around[:, part]], dim=-1))


class TopDownEncoder(nn.Module):
    """Embeddings, bottom-up layers, segments, top-down layers.

    Attributes:
        settings: The model's settings.
    """

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__()
        self._build(settings)

    def _build(self, settings: TopDownSettings) -> None:
        """Make the layers; the subclass for ``transformers`` has its own ``__init__`` and calls this."""
        self.settings = settings
        self.dropout: float = settings.dropout  # of the embedded tokens; training may change it
        self.embed_tokens: nn.Embedding = ScaledEmbedding(settings)
        self.embed_positions = PositionEmbedding(settings)
        self.layernorm_embedding = nn.LayerNorm(settings.d_model)
        self.bottom_up = nn.ModuleList(EncoderLayer(settings) for _ in range(settings.bottom_up_layers))
        segment_layers = settings.segment_layers if settings.has_segments else 0
        self.segment_layers = nn.ModuleList(EncoderLayer(settings) for _ in range(segment_layers))
        self.top_down = nn.ModuleList(TopDownLayer(settings) for _ in range(settings.top_down_layers))
        set_norms(self, settings.layer_norm_eps)

    @property
    def num_layers(self) -> int:
        """Layers over tokens."""
        return len(self.bottom_up) + len(self.top_down)

    def prepared(self, preparation: Preparation) -> Self:
        """Return the encoder with prepared weights; this one stays usable, unless they are released."""
        # A copy of the structure that shares the weights.
        encoder = copy.deepcopy(self, {id(weight): weight for weight in self.parameters()}).eval()
        rows = ROWS_AT_ONCE.get(preparation.device.type, ROWS_AT_ONCE["cpu"])
        for layer in (*encoder.bottom_up, *encoder.segment_layers, *encoder.top_down):
            assert isinstance(layer, EncoderLayer)
            layer.prepare(preparation, rows, self.settings.activation_function)
        for module in encoder.modules():
            prepare = preparation.table if isinstance(module, nn.Embedding) else preparation.tensor
            for name, weight in list(module.named_parameters(recurse=False)):
                module.register_parameter(name, nn.Parameter(prepare(weight), requires_grad=False))
        return encoder

    def encode(
        self, document: Tensor, importance: Tensor | None = None, *, on_layer: OnLayer = lambda: None
    ) -> Tensor:
        """Encode one document, which has no padding.

        Args:
            document: (source_len,), token ids.
            importance: Same shape, of each token; ``None`` for AvgPool.
            on_layer: Called after every layer over tokens.

        Returns:
            (source_len, hidden).
        """
        input_ids = document.unsqueeze(0).to(self.embed_tokens.weight.device)
        stages = self.run(input_ids, importance=None if importance is None else importance.unsqueeze(0))
        states = next(stages)
        while (later := next(stages, None)) is not None:
            states = later
            on_layer()
        return states.squeeze(0)

    def run(
        self,
        input_ids: Tensor,
        mask: Tensor | None = None,
        importance: Tensor | None = None,
        *,
        weights: list[Tensor] | None = None,
    ) -> Iterator[Tensor]:
        """Yield the tokens' states after the embedding and after every layer over tokens.

        Args:
            input_ids: (batch, source_len).
            mask: Same shape, boolean, ``False`` on padding; ``None`` where there is none.
            importance: Same shape, of each token; ``None`` for AvgPool.
            weights: Receives the weights of self-attention; see :class:`RecordingBand`.

        Yields:
            (batch, source_len, hidden); the last are the encoded documents.
        """
        # Nothing but the states of the present layer is referred to, so that no others stay in memory.
        states = self.layernorm_embedding(self.embed_tokens(input_ids) + self.embed_positions(input_ids))
        states = functional.dropout(states, p=self.dropout, training=self.training)
        band = (LocalBand if weights is None else RecordingBand)(
            input_ids.shape[1],
            self.settings.attention_window,
            mask=mask,
            dtype=states.dtype,
            device=states.device,
        )
        if isinstance(band, RecordingBand) and weights is not None:
            band.weights = weights
        yield states
        for layer in self.bottom_up:
            states = layer(states, band.attend)
            yield states
        segments: tuple[Tensor | None, Tensor | None] = (None, None)
        if self.settings.has_segments:
            segments = self._make_segments(states, mask, importance)
        for layer in self.top_down:
            states = layer(states, band.attend, *segments)
            yield states

    def _make_segments(
        self, states: Tensor, mask: Tensor | None, importance: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """Pool tokens and let the segments attend to one another: the fields of :class:`SegmentStates`."""
        kernel, stride = self.settings.kernel, self.settings.stride
        pooled, present = pool_segments(states, kernel, stride, mask=mask, importance=importance)
        for layer in self.segment_layers:
            pooled = layer(pooled, SegmentStates(states=pooled, present=present).attend)
        return pooled, present


class ScaledEmbedding(Embedding):
    """BART's embedding of tokens."""

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__(settings.vocab_size, settings.d_model, settings.pad_token_id)
        self.embed_scale = settings.d_model**0.5 if settings.scale_embedding else 1.0

    def forward(self, input_ids: Tensor) -> Tensor:
        """(…) -> (…, hidden)."""
        return super().forward(input_ids) * self.embed_scale


class PositionEmbedding(Embedding):
    """BART's embedding of positions."""

    offset = POSITION_OFFSET

    def __init__(self, settings: TopDownSettings) -> None:
        super().__init__(settings.max_source_positions + self.offset, settings.d_model)

    def forward(self, input_ids: Tensor) -> Tensor:
        """Embed the positions of (batch, source_len): (batch, source_len, hidden)."""
        positions = torch.arange(input_ids.shape[1], device=self.weight.device)
        return super().forward(positions.expand(input_ids.shape[0], -1) + self.offset)


def _linear(inputs: int, outputs: int) -> Layer:
    return nn.Linear(inputs, outputs)


def _replace(
    module: nn.Module, name: str, preparation: Preparation, rows: int, activation: str | None = None
) -> None:
    """Replace a linear layer by a prepared one; the module no longer owns its weights."""
    prepared = preparation.linear(getattr(module, name), rows=rows, activation=activation)
    delattr(module, name)
    setattr(module, name, prepared)


def _identity(states: Tensor) -> Tensor:
    return states
