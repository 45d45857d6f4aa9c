"""Forced decoding: what a model makes of a given text, token by token (teacher forcing)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from lsum_cli.errors import OptionError
from lsum_cli.generation.decoder import Decoder
from lsum_cli.generation.hypotheses import Hypothesis


@torch.inference_mode()
def force_tokens(decoder: Decoder, token_ids: Sequence[int], *, start_token_id: int) -> Hypothesis:
    """Let a decoder write given tokens instead of its own.

    Args:
        decoder: With one document.
        token_ids: What to write, without the start token; at least one.
        start_token_id: What decoding begins with.

    Returns:
        The tokens with the log probability and the weights over pages that the model gives each of
        them; the score is the mean log probability.

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
    weights = []
    for previous, wanted in zip([start_token_id, *token_ids], token_ids, strict=False):
        scores, confidence = decoder.step(torch.tensor([previous]), torch.tensor([0]))
        log_probs.append(float(scores[0, wanted]))
        if confidence is not None:
            weights.append(confidence[0][0].float().cpu().numpy().copy())
    stacked = np.stack(weights).astype(np.float32) if weights else None  # (target_len, pages)
    if stacked is not None:
        stacked.setflags(write=False)
    return Hypothesis(
        token_ids=tuple(token_ids),
        log_probs=tuple(log_probs),
        confidence=stacked,
        score=sum(log_probs) / len(log_probs),
    )
