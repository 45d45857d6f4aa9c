"""Small windowing models with random weights, and a small vocabulary."""

from __future__ import annotations

import torch

from lsum_cli.models.windowing.configuration import WindowingConfig
from lsum_cli.models.windowing.engine import WindowingEngine
from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
from lsum_cli.models.windowing.vocabulary import make_tokenizer

TEXT = "the tide rises and falls twice a day mud grass river slow we saw them"
WORDS = [*TEXT.split(), *".,()\"'"]
SENTENCES = (
    "The tide rises and falls, twice a day.",
    "We saw Zorblax at Blackwater-on-Sea (3.5 m).",
    "Mud and grass; the river's slow.",
    "Quuxley saw them, and Zorblax saw Quuxley.",
)
SIZES = {
    "vocab_size": len(WORDS) + 5,
    "embedding_size": 12,
    "hidden_size": 8,
    "window_len": 10,
    "stride": 8,
    "summary_len": 12.0,
    "source_len": 40.0,
    "max_window_tokens": 7,
}


def tiny_tokenizer():
    return make_tokenizer(WORDS)


def tiny_windowing(seed: int = 0, *, spread: float = 3.0, **settings) -> WindowingForConditionalGeneration:
    """Weights far from 0, so that a mistake shows."""
    torch.manual_seed(seed)
    model = WindowingForConditionalGeneration(WindowingConfig(**(SIZES | settings))).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(spread)
    return model.requires_grad_(False)


def tiny_engine(seed: int = 0, **settings) -> WindowingEngine:
    return WindowingEngine.prepare(tiny_windowing(seed, **settings))
