"""Tiny windowing checkpoints with random weights that babble in sentences and move on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from lsum_cli.models.windowing.configuration import WindowingConfig
from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
from lsum_cli.models.windowing.vocabulary import END_ID, SHIFT_ID, make_tokenizer

WORDS = "the a of in and to is was . , marsh mud sea grass river dam bird wall cost slow rise"
SIZES = {"embedding_size": 24, "hidden_size": 16, "window_len": 12, "stride": 10, "max_window_tokens": 12}


def tiny_windowing(
    *, seed: int = 0, copies: float = 0.0, **settings: Any
) -> WindowingForConditionalGeneration:
    """A model; ``copies`` is the bias towards copying, of either sign."""
    tokenizer = make_tokenizer(WORDS.split())
    torch.manual_seed(seed)
    config = WindowingConfig(
        **(SIZES | {"vocab_size": len(tokenizer), "summary_len": 8, "source_len": 40} | settings)
    )
    model = WindowingForConditionalGeneration(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.4)
        rows = torch.nn.functional.normalize(torch.randn(len(tokenizer), config.embedding_size), dim=1)
        model.embedding.weight.copy_(2 * rows)
        likely = [(SHIFT_ID, 0.6), (END_ID, 0.2), (tokenizer.convert_tokens_to_ids("."), 0.9)]
        model.pointer.read_out.bias.copy_(sum(weight * rows[token_id] for token_id, weight in likely))
        model.pointer.gate.bias.fill_(-copies)
    return model


def save_windowing(folder: Path, *, seed: int = 0, copies: float = 0.0, **settings: Any) -> Path:
    """A checkpoint in the format of ``transformers``."""
    from tiny_models import save

    return save(folder, tiny_windowing(seed=seed, copies=copies, **settings), make_tokenizer(WORDS.split()))
