"""Slow and simple decoding, which the engines and the beam search are held equal to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.utils import ModelOutput

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.constraints import Constraint, constraints_of
from lsum_cli.generation.decoder import Decoder
from lsum_cli.generation.hypotheses import StreamedToken, TraceT
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.models.blocks.beam_decoder import PackedRows


def stream_greedy(
    decoder: Decoder[TraceT], options: GenerationOptions, *, constraints: Sequence[Constraint] = ()
) -> Iterator[StreamedToken[TraceT]]:
    """Yield the most probable next token until the end token or the maximum length.

    The tokens are those of :func:`lsum_cli.generation.beam.beam_search` with one beam.

    Raises:
        OptionError: More than one document or beam, or constraints that leave no token.
        CheckpointError: The model's scores are NaN.
    """
    if options.beams != 1 or decoder.num_documents != 1:
        raise OptionError(
            f"{decoder.num_documents} documents with {options.beams} beams cannot be streamed",
            "stream one document with --beams 1",
        )
    return _stream(decoder, options, [*constraints_of([options]), *constraints])


def _stream(
    decoder: Decoder[TraceT], options: GenerationOptions, rules: Sequence[Constraint]
) -> Iterator[StreamedToken[TraceT]]:
    with torch.inference_mode():
        decoder.start(1, options.max_length)
    token_id = options.start_token_id
    for length in range(1, options.max_length):
        # Not around the yield: the mode would leak to whoever reads the stream.
        with torch.inference_mode():
            log_probs, traces = decoder.step(torch.tensor([token_id]), torch.tensor([0]))
            for rule in rules:
                rule.apply(log_probs, length)
            best, token = log_probs[0].max(dim=0)
            log_prob, token_id = float(best), int(token)
        if math.isnan(log_prob):
            raise CheckpointError(
                "the model's scores are NaN: its weights are damaged, or overflow at this precision",
                "download the checkpoint again, or try --dtype float32",
            )
        if log_prob == -math.inf:
            if length == 1:
                raise OptionError(
                    "the constraints allow no token at all", "relax the minimum length or the bans"
                )
            return
        yield StreamedToken(
            token_id=token_id,
            log_prob=log_prob,
            trace=None if traces is None else traces[0][0],
        )
        if token_id == options.end_token_id:
            return
        for rule in rules:
            rule.advance([token_id], [0])


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

    def start(self, beams: int, max_length: int) -> None:
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
