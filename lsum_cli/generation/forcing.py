"""Forced decoding: what a model makes of a given text, token by token (teacher forcing)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import torch

from lsum_cli.errors import OptionError
from lsum_cli.generation.decoder import Decoder
from lsum_cli.generation.hypotheses import Hypothesis

TraceT = TypeVar("TraceT")


@torch.inference_mode()
def force_tokens(
    decoder: Decoder[TraceT], token_ids: Sequence[int], *, start_token_id: int
) -> Hypothesis[TraceT]:
    """Let a decoder write given tokens instead of its own.

    Args:
        decoder: With one document.
        token_ids: What to write, without the start token; at least one.
        start_token_id: What decoding begins with.

    Returns:
        The tokens with the log probability and the trace that the model gives each of them; the score is
        the mean log probability.

    Raises:
        OptionError: More than one document, or no tokens.
    """
    if decoder.num_documents != 1 or not token_ids:
        raise OptionError(
            f"{len(token_ids)} tokens cannot be forced on {decoder.num_documents} documents",
            "force at least one token on one document",
        )
    decoder.start(1, len(token_ids) + 1)
    log_probs: list[float] = []
    trace: list[TraceT] = []
    for previous, wanted in zip([start_token_id, *token_ids], token_ids, strict=False):
        scores, traces = decoder.step(torch.tensor([previous]), torch.tensor([0]))
        log_probs.append(float(scores[0, wanted]))
        if traces is not None:
            trace.append(traces[0][0])
    return Hypothesis(
        token_ids=tuple(token_ids),
        log_probs=tuple(log_probs),
        trace=tuple(trace) or None,
        score=sum(log_probs) / len(log_probs),
    )
