"""Any sequence-to-sequence module of ``transformers``, decoded by its own forward pass.

Works for every architecture, and for PageSum in its training form; the engines made for speed,
such as :mod:`lsum_cli.models.pagesum.decoding`, are held equal to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.utils import ModelOutput

from lsum_cli.models.blocks.beam_decoder import PackedRows


class ModuleDecoder:
    """Encoded documents and the module that decodes them; a ``Decoder`` of the generation engine.

    Args:
        model: In evaluation mode.
        input_ids: (batch, source_len), or (batch, pages, page_len) for PageSum.
        attention_mask: Same shape.
        use_cache: ``False`` recomputes everything at every step.
    """

    def __init__(
        self, model: PreTrainedModel, input_ids: Tensor, attention_mask: Tensor, *, use_cache: bool = True
    ) -> None:
        self._model = model
        self._mask = attention_mask.to(model.device)
        with torch.inference_mode():
            encoder = model.get_encoder()
            encoded = encoder(input_ids.to(model.device), attention_mask=self._mask, return_dict=True)
        self._encoded = {name: value for name, value in encoded.items() if isinstance(value, Tensor)}
        self._output_type: type[ModelOutput] = type(encoded)
        self._cache = EncoderDecoderCache(DynamicCache(), DynamicCache()) if use_cache else None
        self._token_ids = torch.empty(0)
        self._beams = 1

    @property
    def num_documents(self) -> int:
        """How many documents were encoded."""
        return self._mask.shape[0]

    def start(self, beams: int, max_length: int) -> None:  # noqa: ARG002 - the cache grows by itself
        """Give every document ``beams`` rows."""
        self._beams = beams
        self._choose(torch.arange(self._mask.shape[0], device=self._mask.device).repeat_interleave(beams))
        self._token_ids = torch.empty(self._mask.shape[0], 0, dtype=torch.int64, device=self._mask.device)

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[PackedRows] | None]:
        """Run the module for one more token; see ``Decoder.step``. The trace of PageSum is its confidence."""
        token_ids, parents = token_ids.to(self._mask.device), parents.to(self._mask.device)
        if self._cache is not None and self._token_ids.shape[1]:
            self._reorder(self._cache, parents)
        self._choose(parents)
        self._token_ids = torch.cat([self._token_ids[parents], token_ids.unsqueeze(1)], dim=1)
        output = self._model(
            encoder_outputs=self._output_type(**self._encoded),
            attention_mask=self._mask,
            decoder_input_ids=self._token_ids if self._cache is None else token_ids.unsqueeze(1),
            past_key_values=self._cache,
            use_cache=self._cache is not None,
        )
        logits = output.logits[:, -1]  # (rows, vocab)
        logits = logits if logits.dtype == torch.float64 else logits.float()
        confidence = getattr(output, "confidence", None)  # (rows, 1, pages)
        traces = (
            None
            if confidence is None
            else [PackedRows(rows) for rows in confidence[:, -1].split(self._beams)]
        )
        return logits.log_softmax(dim=-1), traces

    def _choose(self, rows: Tensor) -> None:
        """Go on with these rows of what was encoded."""
        self._encoded = {name: value[rows] for name, value in self._encoded.items()}
        self._mask = self._mask[rows]

    def _reorder(self, cache: EncoderDecoderCache, parents: Tensor) -> None:
        held = cache.self_attention_cache.layers[0].keys.shape[0]
        pages = held // self._token_ids.shape[0]
        rows = parents.unsqueeze(-1) * pages + torch.arange(pages, device=parents.device)
        cache.reorder_cache(rows.flatten())
