"""The loss of a batch: the sum over the tokens that count, divided by how many the whole step has."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from lsum_cli.training.targets import IGNORED_LABEL

if TYPE_CHECKING:
    from torch import Tensor


def smoothed_loss(logits: Tensor, labels: Tensor, smoothing: float, num_items: Tensor | int) -> Tensor:
    """Cross-entropy with label smoothing over the tokens that count, as PageSum is trained.

    Each token's target is 1 - ε + ε/vocab for the label and ε/vocab for every other entry; where the
    label is -100 nothing counts, unlike in ``transformers``' own label smoother before it averages.

    Args:
        logits: (batch, target_len, vocab).
        labels: (batch, target_len), -100 where none counts.
        smoothing: ε.
        num_items: What the sum is divided by: labels of all batches that make a step.
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
    """Loss and output of a model for a batch.

    Args:
        model: Possibly wrapped, as ``accelerate`` does for several processes.
        inputs: Its arguments, among them ``labels``.
        smoothing: 0 leaves the loss to a model that can divide it.
        num_items: By default the labels of the batch.
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
    """The model itself, without what several processes wrap it in."""
    return getattr(model, "module", model)


def _divides_itself(model: Any) -> bool:
    return "num_items_in_batch" in inspect.signature(type(_bare(model)).forward).parameters
