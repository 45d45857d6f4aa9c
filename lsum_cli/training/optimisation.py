"""Loss, optimizers and learning-rate schedules."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any

from lsum_cli.training.batches import IGNORED_LABEL
from lsum_cli.training.settings import Optimizer, Schedule, TrainingSettings

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.optim.lr_scheduler import LambdaLR


def smoothed_loss(logits: Tensor, labels: Tensor, smoothing: float, num_items: Tensor | int) -> Tensor:
    """Cross-entropy with label smoothing, as in PageSum's training.

    Each token's target is 1 - ε + ε/vocab for the label and ε/vocab for every other entry; tokens with
    the label -100 are ignored.

    Args:
        logits: (batch, target_len, vocab).
        labels: (batch, target_len), -100 where none counts.
        smoothing: ε.
        num_items: Divisor of the sum: number of labels in all batches of a step.
    """
    from torch.nn.functional import cross_entropy

    loss = cross_entropy(
        logits.flatten(0, 1).float(),
        labels.flatten().to(logits.device),
        ignore_index=IGNORED_LABEL,
        reduction="sum",
        label_smoothing=smoothing,
    )
    return loss / num_items


def batch_loss(
    model: Any, inputs: dict[str, Any], smoothing: float, num_items: Tensor | int | None
) -> tuple[Tensor, Any]:
    """Loss and model output for a batch.

    Args:
        model: May be wrapped by ``accelerate`` for several processes.
        inputs: Its arguments, including ``labels``.
        smoothing: Label smoothing; with 0 a model that supports it computes the loss itself.
        num_items: Divisor; by default the number of labels in the batch.
    """
    labels = inputs["labels"]
    if num_items is None:
        num_items = (labels != IGNORED_LABEL).sum()
    if not smoothing and _divides_itself(model):
        output = model(**inputs, num_items_in_batch=num_items)
        return output.loss, output
    inputs = {name: value for name, value in inputs.items() if name != "labels"}
    if "decoder_input_ids" not in inputs:
        prepare = _bare(model).prepare_decoder_input_ids_from_labels
        inputs["decoder_input_ids"] = prepare(labels=labels)
    output = model(**inputs, use_cache=False)
    return smoothed_loss(output.logits, labels, smoothing, num_items), output


def _bare(model: Any) -> Any:
    """The model without the wrappers of distributed training."""
    return getattr(model, "module", model)


def _divides_itself(model: Any) -> bool:
    return "num_items_in_batch" in inspect.signature(type(_bare(model)).forward).parameters


def learning_rate(settings: TrainingSettings, step: int, steps: int) -> float:
    """Learning rate of an optimizer step.

    Args:
        step: Counted from 1.
        steps: Total number of steps, for schedules that decay to 0.
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
    # The first step after warm-up has the full rate, the one after the last step 0.
    left = max(0.0, (steps + 1 - step) / max(1, steps + 1 - max(1, warmup)))
    if schedule is Schedule.LINEAR:
        return peak * min(1.0, left)
    return peak * 0.5 * (1 - math.cos(math.pi * min(1.0, left)))


def make_optimizer(model: torch.nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Optimizer of the trainable weights; its learning rate is set by :func:`make_scheduler`.

    Weight decay is decoupled (Loshchilov and Hutter 2019) in ``adamw`` only; biases and norms are excluded.
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
    """Scheduler that applies :func:`learning_rate` before every step."""
    from torch.optim.lr_scheduler import LambdaLR

    def factor(done: int) -> float:
        return learning_rate(settings, done + 1, steps) / settings.learning_rate

    return LambdaLR(optimizer, factor)
