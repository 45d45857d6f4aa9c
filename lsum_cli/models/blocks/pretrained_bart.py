"""BART for training with ``transformers``: a base for models with their own encoder or decoding.

Attributes have BART's names, so that its weights fit. Dimensions: ``batch, target_len, vocab``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from transformers import BartConfig
from transformers.models.bart.modeling_bart import (
    BartDecoder,
    BartPreTrainedModel,
    BartScaledWordEmbedding,
    shift_tokens_right,
)

from lsum_cli.models.blocks.bart import set_norms

IGNORED_LABEL = -100
# Keys of a configuration that describe the file and not the model.
_OF_ITSELF = ("model_type", "architectures", "transformers_version", "torch_dtype")


class EncoderDecoder(BartPreTrainedModel):
    """Encoder and decoder with one vocabulary, as in BART.

    Attributes:
        encoder_class: Class of the encoder, which is built from the configuration; set by subclasses.
    """

    encoder_class: ClassVar[type[nn.Module]]
    _tied_weights_keys = {  # noqa: RUF012 - the name and form that transformers reads
        "decoder.embed_tokens.weight": "shared.weight",
        "encoder.embed_tokens.weight": "shared.weight",
    }

    def __init__(self, config: BartConfig) -> None:
        super().__init__(config)
        scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.shared = BartScaledWordEmbedding(
            config.vocab_size, config.d_model, config.pad_token_id, embed_scale=scale
        )
        self.encoder: Any = self.encoder_class(config)
        self.decoder = BartDecoder(config)
        set_norms(self, config.layer_norm_eps)
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        """Return the embeddings shared by encoder and decoder."""
        embeddings: nn.Module = self.shared
        return embeddings

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Replace the shared embeddings everywhere."""
        self.shared = value
        self.encoder.embed_tokens = value
        self.decoder.embed_tokens = value


class ConditionalGeneration(BartPreTrainedModel):
    """An :class:`EncoderDecoder` with its vocabulary projection; a subclass decodes with it.

    A subclass is a ``GenerationMixin`` as well, which ``transformers`` looks for among its own bases.

    Args:
        config: The model's configuration.
        model: Encoder and decoder.
    """

    final_logits_bias: Tensor
    base_model_prefix = "model"
    _tied_weights_keys = {"lm_head.weight": "model.shared.weight"}  # noqa: RUF012 - read by transformers
    _keys_to_ignore_on_load_missing = ["final_logits_bias"]  # noqa: RUF012 - read by transformers

    def __init__(self, config: BartConfig, model: EncoderDecoder) -> None:
        super().__init__(config)
        self.model = model
        self.register_buffer("final_logits_bias", torch.zeros(1, config.vocab_size))
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if isinstance(module, ConditionalGeneration):
            module.final_logits_bias.zero_()

    def resize_token_embeddings(self, *args: Any, **kwargs: Any) -> nn.Module:
        """Resize the embeddings, the projection that they share, and its bias; new tokens have no bias."""
        resized: nn.Module = super().resize_token_embeddings(*args, **kwargs)
        bias = self.final_logits_bias
        more = self.lm_head.weight.shape[0] - bias.shape[1]
        self.final_logits_bias = nn.functional.pad(bias, (0, more))
        return resized

    def prepare_decoder_input_ids_from_labels(self, labels: Tensor) -> Tensor:
        """Shift the labels one place to the right, after the decoder's start token."""
        shifted: Tensor = shift_tokens_right(
            labels, self.config.pad_token_id, self.config.decoder_start_token_id
        )
        return shifted


def settings_of(config: BartConfig) -> dict[str, Any]:
    """Return the settings of a configuration that one of another kind can take over."""
    return {name: value for name, value in config.to_dict().items() if name not in _OF_ITSELF}


def cross_entropy(logits: Tensor, labels: Tensor, num_items: Tensor | int | None) -> Tensor:
    """Mean over the labels that count, or their sum divided by ``num_items``.

    Args:
        logits: (batch, target_len, vocab).
        labels: (batch, target_len), :data:`IGNORED_LABEL` where they do not count.
        num_items: Tokens to divide by; by default the labels that count.
    """
    precise = logits.to(torch.promote_types(logits.dtype, torch.float32))
    loss = nn.functional.cross_entropy(
        precise.flatten(0, 1),
        labels.flatten().to(logits.device),
        ignore_index=IGNORED_LABEL,
        reduction="mean" if num_items is None else "sum",
    )
    return loss if num_items is None else loss / num_items
