"""The Top-Down encoder against a direct reading of the paper (Pang et al. 2022, Eqs. 1 to 3), in float64.

Nothing here is shared with the model but its weights: one token, head and segment at a time.
"""

from __future__ import annotations

import math

import pytest
import torch
from tiny_topdown_models import UPDATES, random_documents, tiny_topdown
from torch import Tensor
from torch.nn.functional import gelu
from torch.testing import assert_close

from lsum_cli.machine.devices import Precision
from lsum_cli.models.topdown.engine import TopDownEngine


class DirectReading:
    """The encoder of one document."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        self.config = encoder.config
        self.weights = {name: tensor.double() for name, tensor in encoder.state_dict().items()}

    def __call__(self, document: Tensor, importance: Tensor | None) -> Tensor:
        config, reach = self.config, self.config.attention_window // 2
        near = [[j for j in range(len(document)) if abs(i - j) <= reach] for i in range(len(document))]
        embedded = self.weights["embed_tokens.weight"][document]
        # BART keeps its first two positions for padding.
        positions = self.weights["embed_positions.weight"][2 : 2 + len(document)]
        tokens = self.norm("layernorm_embedding", embedded + positions)
        for layer in range(config.bottom_up_layers):
            tokens = self.layer(f"bottom_up.{layer}", tokens, near)
        if config.update == "none":
            kernels, segments = [], None
        else:
            kernels = self.kernels(len(document))
            segments = torch.stack([self.pool(tokens, kernel, importance) for kernel in kernels])
            everywhere = [list(range(len(segments)))] * len(segments)
            for layer in range(config.segment_layers):
                segments = self.layer(f"segment_layers.{layer}", segments, everywhere)
        for layer in range(config.top_down_layers):
            tokens = self.layer(f"top_down.{layer}", tokens, near, segments, kernels)
        return tokens

    def layer(self, name, states, seen, segments=None, kernels=()):
        attended = self.attention(f"{name}.self_attn", states, states, seen)
        states = self.norm(f"{name}.self_attn_layer_norm", states + attended)
        if segments is not None:
            told = self.hear(name, states, segments, kernels)
            states = states + self.norm(f"{name}.segment_attn_layer_norm", told)  # Eq. 1
        inner = self.linear(f"{name}.fc2", gelu(self.linear(f"{name}.fc1", states)))
        return self.norm(f"{name}.final_layer_norm", states + inner)

    def hear(self, name, states, segments, kernels):
        if self.config.update == "cross_attention":
            everywhere = [list(range(len(segments)))] * len(states)
            return self.attention(f"{name}.segment_attn", states, segments, everywhere)
        around = [
            torch.stack([segments[j] for j, kernel in enumerate(kernels) if place in kernel]).mean(dim=0)
            for place in range(len(states))
        ]
        return self.linear(f"{name}.segment_proj", torch.cat([states, torch.stack(around)], dim=1))

    def kernels(self, source_len):
        kernels = [range(min(self.config.kernel, source_len))]
        while kernels[-1].stop < source_len:
            start = kernels[-1].start + self.config.stride
            kernels.append(range(start, min(start + self.config.kernel, source_len)))
        return kernels

    def pool(self, tokens, kernel, importance):
        weights = [1.0 if importance is None else math.exp(importance[n]) for n in kernel]  # Eq. 3
        return sum(w / sum(weights) * tokens[n] for w, n in zip(weights, kernel, strict=True))  # Eq. 2

    def attention(self, name, states, sources, seen):
        query, key, value = (
            self.linear(f"{name}.{kind}_proj", each)
            for kind, each in (("q", states), ("k", sources), ("v", sources))
        )
        heads = self.config.encoder_attention_heads
        dim = query.shape[1] // heads
        attended = torch.zeros_like(query)
        for place, others in enumerate(seen):
            for head in range(heads):
                part = slice(head * dim, (head + 1) * dim)
                scores = key[others, part] @ query[place, part] / math.sqrt(dim)
                attended[place, part] = scores.softmax(dim=0) @ value[others, part]
        return self.linear(f"{name}.out_proj", attended)

    def norm(self, name, states):
        centred = states - states.mean(dim=-1, keepdim=True)
        scaled = centred / (centred.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def linear(self, name, states):
        return states @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize(("source_len", "weighted"), [(1, False), (9, True), (40, False), (40, True)])
def test_model_and_engine_are_what_the_paper_says(update, source_len, weighted):
    generator = torch.Generator().manual_seed(source_len)
    model = tiny_topdown(1, update=update)
    (document,) = random_documents(generator, (source_len,))
    importance = 3 * torch.rand(source_len, generator=generator) if weighted else None
    with torch.inference_mode():
        expected = DirectReading(model.model.encoder)(document, importance)
        prepared = TopDownEngine.prepare(model, Precision.FLOAT32).encoder
        assert_close(prepared.encode(document, importance).double(), expected, atol=1e-5, rtol=0)
        weights = None if importance is None else importance.double().unsqueeze(0)
        encoded = model.double().model.encoder(document.unsqueeze(0), None, weights).last_hidden_state[0]
    assert_close(encoded, expected, atol=1e-12, rtol=0)
