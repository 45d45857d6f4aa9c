"""Tiny checkpoints with random weights, made on the spot: every architecture, no network."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from lsum_cli.checkpoints.loading import quiet_transformers

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
BOS, PAD, EOS, UNK = range(4)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:!?'-#"
# The words that random weights write, with full stops often enough for sentences.
WORDS = ["the", "marsh", "mud", "sea", "grass", "river", "dam", "bird", "wall", "cost", "slow", "rise"]


def make_tokenizer(*, extra: Iterable[str] = (), bos: bool = True, **names: Any) -> PreTrainedTokenizerFast:
    """A BPE tokenizer of letters and some whole words; a space belongs to what follows it."""
    entries = [
        *SPECIAL,
        *LETTERS,
        *(f"Ġ{letter}" for letter in LETTERS),
        "Ġ",
        *(f"Ġ{word}" for word in WORDS),
    ]
    vocabulary = {entry: index for index, entry in enumerate(dict.fromkeys(entries))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=_merges(vocabulary), unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    frame = "<s> $A </s>" if bos else "$A </s>"
    tokenizer.post_processor = processors.TemplateProcessing(
        single=frame, special_tokens=[("<s>", BOS), ("</s>", EOS)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        **names,
    )
    if extra:
        fast.add_special_tokens({"additional_special_tokens": list(extra)})
    return fast


def _merges(vocabulary: dict[str, int]) -> list[tuple[str, str]]:
    """Merges that build every word from its letters; entries for the steps between are added."""
    merges: dict[tuple[str, str], None] = {}
    for entry in list(vocabulary):
        if entry in SPECIAL or len(entry) < 2 or not entry.startswith("Ġ"):
            continue
        for end in range(1, len(entry)):
            whole = entry[: end + 1]
            vocabulary.setdefault(whole, len(vocabulary))
            merges[entry[:end], entry[end]] = None
    return list(merges)


def save_pagesum(folder: Path, *, seed: int = 0, locality: str | None = "spatial", **settings: Any) -> Path:
    """A PageSum checkpoint; with a locality its confidences count as trained."""
    from lsum_cli.models.pagesum.configuration import PageSumConfig
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    tokenizer = make_tokenizer(model_max_length=64)
    sizes = {
        "d_model": 32,
        "encoder_layers": 1,
        "decoder_layers": 2,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "max_position_embeddings": 64,
        "page_len": 64,
    }
    config = PageSumConfig(
        **(sizes | settings),
        vocab_size=len(tokenizer),
        locality=locality,
        init_std=0.3,
        bos_token_id=BOS,
        pad_token_id=PAD,
        eos_token_id=EOS,
        decoder_start_token_id=EOS,
        forced_eos_token_id=EOS,
    )
    torch.manual_seed(seed)
    model = PageSumForConditionalGeneration(config)
    model.generation_config.forced_bos_token_id = BOS
    with torch.no_grad():
        prefer_words(model.final_logits_bias[0], tokenizer)
        model.confidence_layer.weight.mul_(3)
    return save(folder, model, tokenizer)


def prefer_words(bias: torch.Tensor, tokenizer: PreTrainedTokenizerFast) -> None:
    """Make words and full stops likely and special tokens unlikely, so that sentences come out."""
    ids = tokenizer.convert_tokens_to_ids([f"Ġ{word}" for word in WORDS])
    bias.fill_(-20)
    bias[ids] = 0
    bias[tokenizer.convert_tokens_to_ids(".")] = 1
    bias[EOS] = -2


def save(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> Path:
    """Write both in the format of ``transformers``."""
    folder.mkdir(parents=True, exist_ok=True)
    with quiet_transformers():
        model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


BART_SIZES = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "bos_token_id": BOS,
    "pad_token_id": PAD,
    "eos_token_id": EOS,
    "init_std": 0.3,
}
T5_SIZES = {
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 64,
    "num_layers": 1,
    "num_decoder_layers": 1,
    "num_heads": 4,
    "pad_token_id": PAD,
    "eos_token_id": EOS,
    "decoder_start_token_id": PAD,
}
LED_SIZES = BART_SIZES | {
    "max_encoder_position_embeddings": 128,
    "max_decoder_position_embeddings": 64,
    "attention_window": [8],
}
SEPARATOR = "<doc-sep>"
# The classes of each family, its sizes, and tokens that its tokenizer has besides.
FAMILIES: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "bart": ("Bart", BART_SIZES | {"max_position_embeddings": 64}, ()),
    "mbart": ("MBart", BART_SIZES | {"max_position_embeddings": 64, "decoder_start_token_id": EOS}, ()),
    "pegasus": ("Pegasus", BART_SIZES | {"max_position_embeddings": 64, "decoder_start_token_id": PAD}, ()),
    "bigbird_pegasus": (
        "BigBirdPegasus",
        BART_SIZES | {"max_position_embeddings": 256, "block_size": 4, "num_random_blocks": 1},
        (),
    ),
    "pegasus_x": (
        "PegasusX",
        BART_SIZES | {"max_position_embeddings": 128, "block_size": 16, "num_global_tokens": 4},
        (),
    ),
    "led": ("LED", LED_SIZES, ()),
    "primera": ("LED", LED_SIZES, (SEPARATOR,)),
    "t5": ("T5", T5_SIZES | {"n_positions": 64}, ()),
    "mt5": ("MT5", T5_SIZES | {"n_positions": 64}, ()),
    "longt5": ("LongT5", T5_SIZES | {"n_positions": 64, "local_radius": 7}, ()),
}


def save_family(folder: Path, family: str, *, seed: int = 0, **settings: Any) -> Path:
    """A checkpoint of one of :data:`FAMILIES`."""
    import transformers

    name, sizes, extra = FAMILIES[family]
    tokenizer = make_tokenizer(extra=extra, bos="num_heads" not in sizes)
    config = getattr(transformers, f"{name}Config")(vocab_size=len(tokenizer), **(sizes | settings))
    torch.manual_seed(seed)
    model = getattr(transformers, f"{name}ForConditionalGeneration")(config)
    if hasattr(model, "final_logits_bias"):
        prefer_words(model.final_logits_bias[0], tokenizer)
    return save(folder, model, tokenizer)
