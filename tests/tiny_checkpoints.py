"""Tiny seeded models and their tokenizers, made by the tests themselves."""

from __future__ import annotations

import json
from pathlib import Path

SENTENCES = (
    "marsh marshes mud sea grass grasses river rivers dams water slow settles rises recovered birds years "
    "the a of in and to is was where when that it they with from by on at for"
)


def make_tokenizer(vocab_size: int = 120):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = ["<s>", "<pad>", "</s>", "<unk>", ".", *SENTENCES.split()]
    words += [f"w{number}" for number in range(vocab_size - len(words))]
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=64,
    )


def make_config(vocab_size: int = 120, positions: int = 64) -> dict:
    return {
        "model_type": "bart",
        "is_encoder_decoder": True,
        "architectures": ["BartForConditionalGeneration"],
        "vocab_size": vocab_size,
        "d_model": 32,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "max_position_embeddings": positions,
        "activation_function": "gelu",
        "dropout": 0.0,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "decoder_start_token_id": 2,
        "forced_bos_token_id": 0,
        "forced_eos_token_id": 2,
    }


def make_bart(folder: Path, seed: int = 0) -> Path:
    """A BART of the goldens' sizes, saved as ``transformers`` saves one."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    from lsum_cli.checkpoints.loading import quiet_transformers

    torch.manual_seed(seed)
    model = BartForConditionalGeneration(BartConfig(**make_config()))
    with quiet_transformers():
        model.save_pretrained(folder)
        make_tokenizer().save_pretrained(folder)
    return folder


def make_base(folder: Path, positions: int = 64) -> Path:
    """Configuration and tokenizer without weights: what published weights need of their base."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(make_config(positions=positions)), encoding="utf-8")
    make_tokenizer().save_pretrained(folder)
    return folder


def make_published(path: Path, positions: int = 64, **changes) -> Path:
    """PageSum weights as published: a pickled state dict with tied copies and the layer ``lin``."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(1)
    config = BartConfig(**make_config(positions=positions))
    state = dict(BartForConditionalGeneration(config).state_dict())
    state |= {"lin.weight": torch.randn(1, 32), "lin.bias": torch.zeros(1)}
    for name, tensor in changes.items():
        if tensor is None:
            del state[name]
        else:
            state[name] = tensor
    torch.save(state, path)
    return path
