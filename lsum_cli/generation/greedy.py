"""Greedy decoding of one document as a stream: every token as soon as it is known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeVar

import torch

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.constraints import Constraint, constraints_of
from lsum_cli.generation.decoder import Decoder
from lsum_cli.generation.hypotheses import StreamedToken
from lsum_cli.generation.options import GenerationOptions

TraceT = TypeVar("TraceT")


def stream_greedy(
    decoder: Decoder[TraceT], options: GenerationOptions, *, constraints: Sequence[Constraint] = ()
) -> Iterator[StreamedToken[TraceT]]:
    """Yield the most probable next token until the end token or the maximum length.

    The tokens are those of :func:`lsum_cli.generation.beam.beam_search` with one beam.

    Raises:
        OptionError: More than one document or beam, or constraints that leave no token.
        CheckpointError: The model's scores are not numbers.
    """
    if options.beams != 1 or decoder.num_documents != 1:
        raise OptionError(
            f"{decoder.num_documents} documents with {options.beams} beams cannot be streamed",
            "stream one document with --beams 1",
        )
    return _stream(decoder, options, [*constraints_of(options), *constraints])


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
                "the model's scores are not numbers: its weights are damaged, or overflow at this precision",
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
