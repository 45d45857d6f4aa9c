"""Learning rates, step by step, and the optimizers they drive."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lsum_cli.training.settings import Optimizer, Schedule, TrainingSettings

if TYPE_CHECKING:
    import torch
    from torch.optim.lr_scheduler import LambdaLR


def learning_rate(settings: TrainingSettings, step: int, steps: int) -> float:
    """The rate of an optimizer step.

    Args:
        step: From 1.
        steps: In all, for the schedules that end.
    """
    peak, warmup = settings.learning_rate, settings.warmup_steps
    schedule = settings.lr_scheduler_type
    if schedule is Schedule.INVERSE_SQRT_SCALED:
        return float(peak * min(step**-0.5, step * warmup**-1.5))  # Eq. 11
    if step < warmup:
        return peak * step / warmup
    if schedule is Schedule.INVERSE_SQRT:
        return float(peak * (max(1, warmup) / step) ** 0.5)
    if schedule is Schedule.CONSTANT:
        return peak
    # The first step after the warm-up has the full rate, the one after the last none.
    left = max(0.0, (steps + 1 - step) / max(1, steps + 1 - max(1, warmup)))
    if schedule is Schedule.LINEAR:
        return peak * min(1.0, left)
    return peak * 0.5 * (1 - math.cos(math.pi * min(1.0, left)))


def make_optimizer(model: torch.nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    """The optimizer of the weights that are trained; its rate is set by :func:`make_scheduler`.

    Adam's weight decay is of the weights themselves (Loshchilov and Hutter 2019) in ``adamw`` alone; biases
    and norms have none.
    """
    import torch
    from transformers.optimization import Adafactor

    weights = [weight for weight in model.parameters() if weight.requires_grad]
    groups = [
        {"params": [w for w in weights if w.dim() > 1], "weight_decay": settings.weight_decay},
        {"params": [w for w in weights if w.dim() <= 1], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    if settings.optim is Optimizer.ADAFACTOR:
        made: torch.optim.Optimizer = Adafactor(
            groups, lr=settings.learning_rate, scale_parameter=False, relative_step=False, warmup_init=False
        )
        return made
    kind = torch.optim.Adam if settings.optim is Optimizer.ADAM else torch.optim.AdamW
    return kind(
        groups,
        lr=settings.learning_rate,
        betas=(settings.adam_beta1, settings.adam_beta2),
        eps=settings.adam_epsilon,
    )


def make_scheduler(optimizer: torch.optim.Optimizer, settings: TrainingSettings, steps: int) -> LambdaLR:
    """Sets the rate of :func:`learning_rate` before every step."""
    from torch.optim.lr_scheduler import LambdaLR

    def factor(done: int) -> float:
        return learning_rate(settings, done + 1, steps) / settings.learning_rate

    return LambdaLR(optimizer, factor)
