"""Tiny BERT-like encoders with random weights, in folders as they come from the hub."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    # Far from BART's, so that one that is not taken over shows; weights large enough to matter.
    "layer_norm_eps": 0.01,
    "initializer_range": 0.4,
}


def wordpiece_tokenizer(words: Sequence[str], *, lower: bool = True) -> Any:
    """BERT's tokenizer: words, all letters as pieces, and marks."""
    from transformers import BertTokenizer

    letters = LETTERS if lower else LETTERS + LETTERS[:26].upper()
    pieces = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters), *".,;:!?'\"()-%$", *words]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    return BertTokenizer(vocab=vocabulary, do_lower_case=lower, model_max_length=64)


def make_bert(folder: Path, words: Sequence[str], **settings: Any) -> Any:
    """Write a tiny BERT and its tokenizer to a folder, and return the model."""
    from transformers import BertConfig, BertModel

    tokenizer = wordpiece_tokenizer(words)
    torch.manual_seed(3)
    sizes = SIZES | {"max_position_embeddings": 64, "pad_token_id": 0} | settings
    model = BertModel(BertConfig(vocab_size=len(tokenizer), **sizes), add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model


def make_roberta(**settings: Any) -> Any:
    """A tiny RoBERTa, whose positions begin after that of padding."""
    from transformers import RobertaConfig, RobertaModel

    torch.manual_seed(4)
    sizes = SIZES | {"vocab_size": 60, "max_position_embeddings": 66, "pad_token_id": 1, "type_vocab_size": 1}
    return RobertaModel(RobertaConfig(**(sizes | settings)), add_pooling_layer=False).eval()
