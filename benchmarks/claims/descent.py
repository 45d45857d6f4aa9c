"""The training that the claims share: AdamW, a short warm-up, then a learning rate that decays to 0."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

LAST = 100
_STEPS_BETWEEN_LINES = 100


def descend(
    model: torch.nn.Module,
    batches: Iterable[Mapping[str, Tensor]],
    *,
    steps: int,
    learning_rate: float,
    warmup: int,
    betas: tuple[float, float] = (0.9, 0.98),
    name: str = "",
) -> float:
    """Train a model of ``transformers`` by its own loss, with gradients clipped at 1.

    Args:
        batches: What the model is called with, one for each step; made when its step comes.
        steps: How many there are.
        warmup: Steps until the full learning rate.
        name: What the lines on standard error begin with.

    Returns:
        The mean loss of the last hundred steps.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=betas, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warmup, 1) * max(0.02, 1 - step / steps)
    )
    model.train()
    losses: list[float] = []
    started = time.process_time()
    for step, batch in enumerate(batches, start=1):
        output: Any = model(**batch)
        optimizer.zero_grad()
        output.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(output.loss.item())
        if step % _STEPS_BETWEEN_LINES == 0:
            seconds = time.process_time() - started
            loss = f"loss {np.mean(losses[-LAST:]):.3f}, {seconds:.0f} s"
            print(f"{name}step {step} of {steps}: {loss}", file=sys.stderr)
    model.eval()
    return float(np.mean(losses[-LAST:]))
