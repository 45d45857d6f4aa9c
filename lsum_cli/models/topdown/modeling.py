"""The Top-Down Transformer as a ``transformers`` model: training, ``generate`` and the files on disk.

BART whose encoder is :class:`~lsum_cli.models.topdown.encoder.TopDownEncoder`; its decoder attends to
all tokens as they are after the top-down layers. Fast decoding with the same weights is in
:mod:`lsum_cli.models.topdown.decoding`.

Dimensions: ``batch, source_len, target_len, hidden, vocab``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

import torch
from torch import Tensor, nn
from transformers import BartForConditionalGeneration
from transformers.cache_utils import Cache
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput
from transformers.models.bart.modeling_bart import BartPreTrainedModel

from lsum_cli.errors import OptionError
from lsum_cli.models.blocks.bart_model import ConditionalGeneration, EncoderDecoder, cross_entropy
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.encoder import TopDownEncoder
from lsum_cli.models.topdown.initialisation import config_from_bart, weights_from_bart

if TYPE_CHECKING:
    from lsum_cli.models.topdown.tagging import TopDownForTokenClassification


class TopDownModel(EncoderDecoder):
    """Encoder and decoder with one vocabulary, as in BART."""

    config: TopDownConfig
    config_class = TopDownConfig
    encoder_class = TopDownEncoder


class TopDownForConditionalGeneration(ConditionalGeneration):
    """The Top-Down Transformer with its vocabulary projection."""

    config: TopDownConfig
    config_class = TopDownConfig

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config, TopDownModel(config))
        self.tagger: TopDownForTokenClassification | None = _build_tagger(config)
        self.post_init()

    def attach_tagger(self, tagger: TopDownForTokenClassification) -> None:
        """Carry an importance tagger along, so that a checkpoint holds both; it learns no more.

        Raises:
            OptionError: It reads less than the model, or has another vocabulary.
        """
        own, other = self.config, tagger.config
        if other.vocab_size != own.vocab_size or other.max_source_positions < own.max_source_positions:
            raise OptionError(
                f"the tagger reads {other.max_source_positions} tokens of a vocabulary of {other.vocab_size},"
                f" the summariser {own.max_source_positions} of {own.vocab_size}",
                "train both with one tokenizer and the same max_source_positions",
            )
        self.tagger = tagger.requires_grad_(False)
        self.config.tagger = other.to_dict()

    @classmethod
    def from_bart(
        cls,
        bart: BartForConditionalGeneration,
        *,
        generator: torch.Generator | None = None,
        **settings: Any,
    ) -> Self:
        """Initialise from a BART model; all that concerns segments is new.

        Args:
            bart: Its weights are copied.
            generator: Source of the new weights.
            **settings: Of :class:`TopDownConfig`; by default two thirds of the encoder layers are
                bottom-up and the rest top-down, as in the paper.

        Raises:
            OptionError: More layers than BART has.
        """
        model = cls(config_from_bart(bart.config, settings)).to(bart.dtype)
        take_over(model, weights_from_bart(bart, model.config), generator)
        return cast(Self, model.to(bart.device))

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        importance: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: BaseModelOutput | tuple[Tensor, ...] | None = None,
        past_key_values: Cache | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        num_items_in_batch: Tensor | int | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Seq2SeqLMOutput | tuple[Any, ...]:
        """Encode documents and score the tokens of their summaries.

        Args:
            input_ids: (batch, source_len).
            attention_mask: Same shape, 1 at tokens; by default wherever no padding stands.
            importance: Same shape, of each token, for AdaPool; ``None`` for AvgPool.
            decoder_input_ids: (batch, target_len); by default the labels shifted right.
            decoder_attention_mask: (batch, target_len).
            encoder_outputs: Instead of ``input_ids``.
            past_key_values: Of the steps before, as returned.
            labels: (batch, target_len), -100 where they do not count.
            use_cache: Whether to return the cache.
            num_items_in_batch: Tokens the loss is divided by; by default the labels that count.
            return_dict: ``False`` for a plain tuple.
            **kwargs: ``output_hidden_states``, ``output_attentions`` (the decoder's).

        Raises:
            OptionError: Documents that cannot be encoded, or nothing to decode.
        """
        if labels is not None:
            use_cache = False
            if decoder_input_ids is None:
                decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)
        if decoder_input_ids is None:
            raise OptionError("there is nothing to decode", "give decoder_input_ids or labels")
        if encoder_outputs is None:
            encoder_outputs = self.model.encoder(input_ids, attention_mask, importance, **kwargs)
            if attention_mask is None and input_ids is not None:
                attention_mask = (input_ids != self.config.pad_token_id).long()
        elif not isinstance(encoder_outputs, BaseModelOutput):
            encoder_outputs = BaseModelOutput(*encoder_outputs)
        encoded: Any = encoder_outputs
        decoded = self.model.decoder(
            input_ids=decoder_input_ids,
            attention_mask=decoder_attention_mask,
            encoder_hidden_states=encoded.last_hidden_state,
            encoder_attention_mask=attention_mask,
            past_key_values=past_key_values,
            use_cache=use_cache,
            return_dict=True,
            **kwargs,
        )
        logits = self.lm_head(decoded.last_hidden_state) + self.final_logits_bias
        output = Seq2SeqLMOutput(
            loss=None if labels is None else cross_entropy(logits, labels, num_items_in_batch),
            logits=logits,
            past_key_values=decoded.past_key_values,
            decoder_hidden_states=decoded.hidden_states,
            decoder_attentions=decoded.attentions,
            cross_attentions=decoded.cross_attentions,
            encoder_last_hidden_state=encoded.last_hidden_state,
            encoder_hidden_states=encoded.hidden_states,
        )
        return output.to_tuple() if return_dict is False else output


def _build_tagger(config: TopDownConfig) -> TopDownForTokenClassification | None:
    """The tagger that the configuration describes, with new weights."""
    if config.tagger is None:
        return None
    # It builds on this module.
    from lsum_cli.models.topdown.tagging import TopDownForTokenClassification

    return cast(
        TopDownForTokenClassification,
        TopDownForTokenClassification(TopDownConfig(**config.tagger)).requires_grad_(False),
    )


def take_over(
    model: BartPreTrainedModel, weights: dict[str, Tensor], generator: torch.Generator | None
) -> None:
    """Load weights, and draw those that are not among them anew."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in weights:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif parameter.dim() == 1:  # the weight of a norm
                nn.init.ones_(parameter)
            else:
                nn.init.normal_(parameter, std=model.config.init_std, generator=generator)
    # A tagger has no decoder, and a model without top-down layers none of the weights that belong there.
    model.load_state_dict(weights, strict=False)
