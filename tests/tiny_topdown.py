"""Tiny Top-Down checkpoints with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tiny_models import BOS, EOS, PAD, make_tokenizer, prefer_words, save

SIZES: dict[str, Any] = {
    "d_model": 32,
    "bottom_up_layers": 1,
    "segment_layers": 1,
    "top_down_layers": 1,
    "decoder_layers": 2,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "attention_window": 16,
    "kernel": 8,
    "stride": 6,
    "max_position_embeddings": 64,
    "max_source_positions": 256,
    "bos_token_id": BOS,
    "pad_token_id": PAD,
    "eos_token_id": EOS,
    "decoder_start_token_id": EOS,
    "forced_eos_token_id": EOS,
    "init_std": 0.3,
}


def save_topdown(folder: Path, *, seed: int = 0, tagger: bool = False, **settings: Any) -> Path:
    """A Top-Down summariser; with ``tagger`` it carries one and pools by it."""
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.modeling import (
        TopDownForConditionalGeneration,
        TopDownForTokenClassification,
    )

    tokenizer = make_tokenizer()
    sizes = SIZES | {"vocab_size": len(tokenizer)} | settings
    if tagger:
        sizes["pooling"] = "ada"
    torch.manual_seed(seed)
    model = TopDownForConditionalGeneration(TopDownConfig(**sizes))
    model.generation_config.forced_bos_token_id = BOS
    with torch.no_grad():
        prefer_words(model.final_logits_bias[0], tokenizer)
    if tagger:
        model.attach_tagger(TopDownForTokenClassification(TopDownConfig(**sizes)))
    return save(folder, model, tokenizer)
