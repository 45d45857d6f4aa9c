"""The importance tagger: how likely each token's word occurs in the summary (Pang et al. 2022, AdaPool).

A Top-Down encoder with AvgPool, and one linear layer: a token's importance is the sigmoid of its logit.
"""

from __future__ import annotations

from typing import Any, Self, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BartForConditionalGeneration
from transformers.modeling_outputs import TokenClassifierOutput
from transformers.models.bart.modeling_bart import BartPreTrainedModel

from lsum_cli.models.blocks.bart_model import IGNORED_LABEL
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.encoder import TopDownEncoder
from lsum_cli.models.topdown.initialisation import config_from_bart, weights_from_bart
from lsum_cli.models.topdown.modeling import take_over

_SHARED, _EMBEDDING = "model.shared.weight", "encoder.embed_tokens.weight"


class TopDownForTokenClassification(BartPreTrainedModel):
    """A Top-Down encoder that gives every token one logit."""

    config: TopDownConfig
    config_class = TopDownConfig
    base_model_prefix = "encoder"

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config)
        self.encoder = TopDownEncoder(config)
        self.dropout = nn.Dropout(config.classifier_dropout)
        self.classifier = nn.Linear(config.d_model, 1)
        self.post_init()

    @classmethod
    def from_bart(
        cls,
        bart: BartForConditionalGeneration,
        *,
        generator: torch.Generator | None = None,
        **settings: Any,
    ) -> Self:
        """Initialise the encoder from a BART model; see ``TopDownForConditionalGeneration.from_bart``."""
        model = cls(config_from_bart(bart.config, settings)).to(bart.dtype)
        weights = weights_from_bart(bart, model.config)
        weights = {name.removeprefix("model."): tensor for name, tensor in weights.items()}
        weights[_EMBEDDING] = bart.state_dict()[_SHARED]
        take_over(model, weights, generator)
        return cast(Self, model.to(bart.device))

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        num_items_in_batch: Tensor | int | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> TokenClassifierOutput | tuple[Any, ...]:
        """Score every token.

        Args:
            input_ids: (batch, source_len).
            attention_mask: Same shape, 1 at tokens; by default wherever no padding stands.
            labels: Same shape, 1 where a token is important and 0 where not, anything between where
                that is not certain; -100 where it does not count.
            num_items_in_batch: Tokens the loss is divided by; by default the labels that count.
            return_dict: ``False`` for a plain tuple.
            **kwargs: ``output_hidden_states``.

        Returns:
            Its ``logits`` are (batch, source_len); their sigmoid is the importance.

        Raises:
            OptionError: Documents that cannot be encoded.
        """
        encoded = self.encoder(input_ids, attention_mask, **kwargs)
        logits = self.classifier(self.dropout(encoded.last_hidden_state)).squeeze(-1)
        output = TokenClassifierOutput(
            loss=None if labels is None else _binary_cross_entropy(logits, labels, num_items_in_batch),
            logits=logits,
            hidden_states=encoded.hidden_states,
        )
        return output.to_tuple() if return_dict is False else output


def _binary_cross_entropy(logits: Tensor, labels: Tensor, num_items: Tensor | int | None) -> Tensor:
    """Σ over the labels that count, divided by their number or by ``num_items``."""
    counted = labels.to(logits.device) != IGNORED_LABEL
    precise = logits.to(torch.promote_types(logits.dtype, torch.float32))
    targets = labels.to(precise.device, precise.dtype)
    loss = functional.binary_cross_entropy_with_logits(precise[counted], targets[counted], reduction="sum")
    return loss / (counted.sum().clamp_min(1) if num_items is None else num_items)
