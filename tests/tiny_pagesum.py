"""Small models with random weights, the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import BartConfig, BartForConditionalGeneration

from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.modeling import (
    TIED_COPIES,
    PageSumForConditionalGeneration,
    from_published_state_dict,
)

VOCAB = 60
PAD = 1
SIZES = {
    "vocab_size": VOCAB,
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 32,
    "max_position_embeddings": 64,
    "dropout": 0.0,
    "forced_eos_token_id": None,
}


def tiny_bart(
    seed: int = 0, *, end_bias: float = 0.0, spread: float = 0.5, **settings
) -> BartForConditionalGeneration:
    torch.manual_seed(seed)
    model = BartForConditionalGeneration(BartConfig(**(SIZES | {"init_std": spread} | settings))).eval()
    model.final_logits_bias[0, model.config.eos_token_id] = end_bias
    return model


def tiny_pagesum(
    seed: int = 0, *, end_bias: float = 0.0, spread: float = 0.3, **settings
) -> PageSumForConditionalGeneration:
    torch.manual_seed(seed)
    config = PageSumConfig(**(SIZES | {"init_std": spread, "page_len": 32} | settings))
    model = PageSumForConditionalGeneration(config).eval()
    with torch.no_grad():
        model.final_logits_bias[0, config.eos_token_id] = end_bias
        # Confidence far from uniform, so that a mistake in it shows.
        model.confidence_layer.weight.mul_(4)
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "norm" in name:
                parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def random_pages(generator: torch.Generator, lengths: Sequence[int]) -> list[Tensor]:
    return [torch.randint(3, VOCAB, (length,), generator=generator) for length in lengths]


def padded(documents: Sequence[Sequence[Tensor]], page_len: int = 32) -> tuple[Tensor, Tensor]:
    """Return input_ids and attention_mask, (batch, pages, page_len); pages a document lacks are absent."""
    most = max(len(document) for document in documents)
    input_ids = torch.full((len(documents), most, page_len), PAD)
    mask = torch.zeros_like(input_ids)
    for document, pages in enumerate(documents):
        for page, token_ids in enumerate(pages):
            input_ids[document, page, : len(token_ids)] = token_ids
            mask[document, page, : len(token_ids)] = 1
    return input_ids, mask


def load_published_weights(model: PageSumForConditionalGeneration, state: dict[str, torch.Tensor]) -> None:
    """Load weights under their published names; all that the model has, and no others."""
    found = model.load_state_dict(from_published_state_dict(state), strict=False)
    assert not found.unexpected_keys
    assert set(found.missing_keys) <= TIED_COPIES
    model.tie_weights()
