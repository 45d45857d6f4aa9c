"""Small Top-Down models with random weights, the same for the same seed, and documents for them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from tiny_pagesum import PAD, SIZES, VOCAB
from torch import Tensor

from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration, TopDownForTokenClassification

TOPDOWN_SIZES = {name: size for name, size in SIZES.items() if name != "encoder_layers"} | {
    "bottom_up_layers": 2,
    "segment_layers": 1,
    "top_down_layers": 2,
    "attention_window": 8,
    "kernel": 8,
    "stride": 6,
    "max_source_positions": 256,
}
UPDATES = ("cross_attention", "concat", "none")


def tiny_config(**settings) -> TopDownConfig:
    return TopDownConfig(**(TOPDOWN_SIZES | {"init_std": 0.3} | settings))


def tiny_topdown(seed: int = 0, *, end_bias: float = 0.0, **settings) -> TopDownForConditionalGeneration:
    torch.manual_seed(seed)
    model = TopDownForConditionalGeneration(tiny_config(**settings)).eval()
    with torch.no_grad():
        model.final_logits_bias[0, model.config.eos_token_id] = end_bias
    return shaken(model)


def tiny_tagger(seed: int = 0, **settings) -> TopDownForTokenClassification:
    torch.manual_seed(seed)
    return shaken(TopDownForTokenClassification(tiny_config(**settings)).eval())


def shaken(model):
    """Biases and norms far from 0 and 1, so that one left out shows."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "norm" in name:
                parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def random_documents(generator: torch.Generator, lengths: Sequence[int]) -> list[Tensor]:
    return [torch.randint(3, VOCAB, (length,), generator=generator) for length in lengths]


def padded(tensors: Sequence[Tensor], value: float = PAD) -> Tensor:
    """(batch, source_len) of tensors of any lengths."""
    return torch.nn.utils.rnn.pad_sequence(list(tensors), batch_first=True, padding_value=value)


def mask_of(documents: Sequence[Tensor]) -> Tensor:
    return padded([torch.ones_like(document) for document in documents], 0)
