"""The windowing model for ``transformers``: training, the files on disk and the Auto classes.

The mathematics is in :mod:`lsum_cli.models.windowing.network`, fast decoding with the same weights in
:mod:`lsum_cli.models.windowing.engine`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModelForSeq2SeqLM, PreTrainedModel
from transformers.utils import ModelOutput

from lsum_cli.errors import OptionError
from lsum_cli.models.windowing.configuration import WindowingConfig, register_configuration
from lsum_cli.models.windowing.network import IGNORED_LABEL, WindowingNetwork
from lsum_cli.models.windowing.settings import WindowingSettings


@dataclass
class WindowingOutput(ModelOutput):
    """What a forward pass returns.

    Attributes:
        loss: Mean negative log probability of the labels, where labels were given.
        log_probs: The result of :meth:`WindowingNetwork.score`.
    """

    loss: Tensor | None = None
    log_probs: Tensor | None = None


class WindowingForConditionalGeneration(WindowingNetwork, PreTrainedModel):
    """The pointer-generator with windows."""

    config: WindowingConfig
    config_class = WindowingConfig
    main_input_name = "input_ids"

    def __init__(self, config: WindowingConfig) -> None:
        PreTrainedModel.__init__(self, config)
        self._build(WindowingSettings.of(config))
        PreTrainedModel.post_init(self)

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.1)
        elif isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LSTM):
            for name, parameter in module.named_parameters():
                if name.startswith("weight_ih"):
                    nn.init.xavier_uniform_(parameter)
                elif name.startswith("weight_hh"):
                    nn.init.orthogonal_(parameter)
                else:
                    nn.init.zeros_(parameter)
            # A forget gate that begins open keeps gradients alive over long texts.
            size = module.hidden_size
            bias: Any = module.bias_ih_l0
            bias[size : 2 * size].fill_(1.0)

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Replace the word embeddings."""
        assert isinstance(value, nn.Embedding)
        self.embedding = value

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        extended_ids: Tensor | None = None,
        window_index: Tensor | None = None,
        labels: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        num_items_in_batch: Tensor | int | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,  # noqa: ARG002 - the trainer passes what it likes
    ) -> WindowingOutput | tuple[Any, ...]:
        """Score the labels, or all that may follow ``decoder_input_ids``; see :meth:`WindowingNetwork.score`.

        Args:
            input_ids: (batch, source_len), padding at the end.
            attention_mask: Same shape; by default 1 at all positions except padding.
            extended_ids: Same shape; by default ``input_ids``.
            window_index: (batch, target_len); by default 0.
            labels: (batch, target_len), -100 where none counts.
            decoder_input_ids: (batch, target_len); by default the labels shifted right.
            num_items_in_batch: What the loss is divided by; by default the labels that count.
            return_dict: ``False`` for a plain tuple.

        Raises:
            OptionError: Neither labels nor decoder_input_ids, or a window after the end of its text.
        """
        if decoder_input_ids is None:
            if labels is None:
                raise OptionError("there is nothing to decode", "give labels or decoder_input_ids")
            decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)
        pad = self.settings.pad_token_id or 0
        log_probs = self.score(
            input_ids,
            input_ids.ne(pad).long() if attention_mask is None else attention_mask,
            input_ids if extended_ids is None else extended_ids,
            decoder_input_ids,
            torch.zeros_like(decoder_input_ids) if window_index is None else window_index,
            labels,
        )
        loss = None
        if labels is not None:
            counted = (labels != IGNORED_LABEL).sum().clamp(min=1)
            loss = -log_probs.sum() / (counted if num_items_in_batch is None else num_items_in_batch)
        output = WindowingOutput(loss=loss, log_probs=log_probs)
        return output.to_tuple() if return_dict is False else output

    def prepare_decoder_input_ids_from_labels(self, labels: Tensor) -> Tensor:
        """Shift the labels one place to the right, behind the start token."""
        shifted = labels.new_full(labels.shape, self.settings.decoder_start_token_id or 0)
        shifted[:, 1:] = labels[:, :-1]
        return shifted.masked_fill(shifted == IGNORED_LABEL, self.settings.pad_token_id or 0)


def register_windowing() -> None:
    """Let ``AutoConfig`` and ``AutoModelForSeq2SeqLM`` load windowing checkpoints; may be called twice."""
    register_configuration()
    AutoModelForSeq2SeqLM.register(WindowingConfig, WindowingForConditionalGeneration, exist_ok=True)
