"""The ``Trainer`` of ``transformers`` with our loss, data order, validation and safe saving.

Imported only when training begins: it needs torch, ``transformers`` and ``accelerate``.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from torch.utils.data import DataLoader, Dataset
from transformers import Trainer, TrainingArguments
from transformers.trainer_callback import PrinterCallback, ProgressCallback, TrainerState

from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.features import FeatureStore
from lsum_cli.datasets.statistics import (
    REFERENCE_TOKENS_DROPPED,
    REFERENCE_TOKENS_TOTAL,
    TOKENS_DROPPED,
    TOKENS_TOTAL,
)
from lsum_cli.errors import LsumError, OutputError, TrainingError
from lsum_cli.training.batches import IGNORED_LABEL, BatchOrder, ProcessBatches
from lsum_cli.training.callbacks import RunCallback
from lsum_cli.training.events import Interruption, Sample, TrainingListener, ValidationReport
from lsum_cli.training.folder import STATE_NAME
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.optimisation import batch_loss, make_optimizer, make_scheduler
from lsum_cli.training.settings import Metric, Recipe
from lsum_cli.training.validation import Writer, conclude, measure_batches, score_rouge

_TOKENS = "tokens_seen"
_COUNTS = (TOKENS_TOTAL, TOKENS_DROPPED, REFERENCE_TOKENS_TOTAL, REFERENCE_TOKENS_DROPPED)
_WRITE_ERRORS = (OSError, SafetensorError, RuntimeError)
_DISK_WORDS = (
    "PytorchStreamWriter",
    "inline_container",
    "No space left",
    "os error",
    "Error while serializing",
)
# With less space left the disk counts as full, regardless of the error.
_FULL_BYTES = 1 << 20


class FeatureRows(Dataset[tuple[Features, bool, int]]):
    """Encoded examples: features, whether they count, and their number of tokens.

    The complement of an index, ``-1 - i``, is the same example, not counted.

    Attributes:
        tokens: Source and reference tokens read, by example.
    """

    def __init__(self, store: FeatureStore) -> None:
        self._store = store
        total, dropped, reference_total, reference_dropped = (store.column(name) for name in _COUNTS)
        self.tokens: NDArray[np.int64] = total - dropped + reference_total - reference_dropped

    def __len__(self) -> int:
        return len(self._store)

    def __getitem__(self, index: int) -> tuple[Features, bool, int]:
        counts = index >= 0
        index = index if counts else ~index
        return self._store[index], counts, int(self.tokens[index]) if counts else 0


@dataclass(frozen=True, kw_only=True)
class TrainingData:
    """Data of a trainer.

    Attributes:
        train: Training examples.
        validation: Validation examples.
        written: Validation examples to summarise, for ROUGE or as samples.
    """

    train: FeatureRows
    validation: FeatureRows
    written: Sequence[Example]


class ObjectiveTrainer(Trainer):
    """Trains an objective; n processes equal one process with n times the accumulation.

    Args:
        objective: Model, tokenizer and encoding.
        recipe: The settings.
        args: The settings as ``TrainingArguments``.
        data: Encoded examples.
        writer: Generates summaries for validation.
        listener: Receives reports; used in process 0 only.
        interruption: Checked after every step.
    """

    # Set by the Trainer itself.
    optimizer: Any
    lr_scheduler: Any
    control: Any

    def __init__(
        self,
        *,
        objective: Objective,
        recipe: Recipe,
        args: TrainingArguments,
        data: TrainingData,
        writer: Writer,
        listener: TrainingListener,
        interruption: Interruption,
    ) -> None:
        self._objective, self._recipe, self._data = objective, recipe, data
        self._writer, self._listener = writer, listener
        self.run_callback = RunCallback(recipe, args, listener, interruption)
        super().__init__(
            model=objective.model,
            args=args,
            data_collator=self._collate,
            train_dataset=data.train,
            eval_dataset=data.validation,
            processing_class=objective.tokenizer,
            callbacks=[self.run_callback],
        )
        for callback in (ProgressCallback, PrinterCallback):
            self.remove_callback(callback)
        # The loss is always divided by the tokens of the whole step.
        self.model_accepts_loss_kwargs = True

    def take_up(self, checkpoint: Path) -> bool:
        """Whether a run is already finished; if so, its best weights are loaded.

        The ``Trainer`` itself would do one more step.
        """
        state = TrainerState.load_from_json(str(checkpoint / STATE_NAME))
        if state.global_step < self.args.max_steps and not self.run_callback.lacks_progress(state):
            return False
        self.state = state
        self._load_from_checkpoint(state.best_model_checkpoint or str(checkpoint))
        return True

    # --- order and optimizer ---

    def get_train_dataloader(self) -> DataLoader[Any]:
        """Batches of this process, in seeded order."""
        settings = self._recipe.training
        order = BatchOrder(
            num_examples=len(self._data.train),
            batch_size=settings.per_device_train_batch_size,
            seed=settings.seed,
            lengths=self._data.train.tokens if settings.group_by_length else None,
        )
        batches = ProcessBatches(order, rank=self.args.process_index, processes=self.args.world_size)
        self.run_callback.batches = batches
        return DataLoader(
            self._data.train,
            batch_sampler=batches,
            collate_fn=self._collate,
            num_workers=self.args.dataloader_num_workers,
            pin_memory=self.args.device.type == "cuda",
        )

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        """The recipe's optimizer."""
        if self.optimizer is None:
            self.optimizer = make_optimizer(model or self.model, self._recipe.training)
        made: torch.optim.Optimizer = self.optimizer
        return made

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
        """The recipe's schedule."""
        if self.lr_scheduler is None:
            self.lr_scheduler = make_scheduler(
                optimizer or self.optimizer, self._recipe.training, num_training_steps
            )
            self._created_lr_scheduler = True
        return self.lr_scheduler

    def _collate(self, rows: Sequence[tuple[Features, bool, int]]) -> dict[str, Any]:
        batch: dict[str, Any] = self._objective.collate([features for features, _, _ in rows])
        for row, (_, counts, _) in enumerate(rows):
            if not counts:
                batch["labels"][row] = IGNORED_LABEL
        return {**batch, _TOKENS: sum(tokens for _, _, tokens in rows)}

    # --- the step ---

    def training_step(self, model: Any, inputs: dict[str, Any], num_items_in_batch: Any = None) -> Any:
        """Forward and backward pass; a NaN or infinite loss ends training before it reaches the weights.

        Raises:
            TrainingError: The loss is NaN or infinite.
        """
        inputs = dict(inputs)
        self.run_callback.tokens += inputs.pop(_TOKENS, 0)
        loss = super().training_step(model, inputs, num_items_in_batch)
        if not torch.isfinite(loss):
            self._diverged("the loss", float(loss))
        return loss

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The recipe's loss, over the tokens of the whole step."""
        smoothing = self._recipe.training.label_smoothing_factor
        loss, output = batch_loss(model, inputs, smoothing, num_items_in_batch)
        # Gradients are averaged over processes, while the loss is a share of the sum.
        loss = loss * self.args.world_size
        return (loss, output) if return_outputs else loss

    def floating_point_ops(self, inputs: dict[str, Any]) -> int:
        """Not counted: it would take longer than a small model's step."""
        del inputs
        return 0

    def _get_grad_norm(self, model: Any, grad_norm: Any = None) -> Any:
        norm = super()._get_grad_norm(model, grad_norm=grad_norm)
        # With float16 the gradient scaler skips such steps and lowers its scale.
        if norm is not None and not self.args.fp16 and not np.isfinite(float(norm)):
            self._diverged("the gradient", float(norm))
        return norm

    def _diverged(self, what: str, value: float) -> None:
        last = self.run_callback.last_saved
        kept = f"the last saved step is {last}" if last else "nothing was saved yet"
        raise TrainingError(
            f"training stopped at step {self.state.global_step + 1}: {what} is {value}; {kept}",
            "lower training.learning_rate, give training.max_grad_norm=1, or another training.dtype",
        )

    # --- validation ---

    def evaluate(self, *arguments: Any, **more: Any) -> dict[str, float]:
        """Validate on the tokens of all validation examples, and on summaries if ROUGE is requested.

        Raises:
            TrainingError: The validation loss is NaN.
        """
        del arguments, more
        started = time.perf_counter()
        rows, size = self._data.validation, self.args.per_device_eval_batch_size
        firsts = range(self.args.process_index * size, len(rows), self.args.world_size * size)
        batches = (
            self._objective.collate([rows[i][0] for i in range(first, min(first + size, len(rows)))])
            for first in firsts
        )
        with torch.random.fork_rng(devices=[]):
            sums = measure_batches(self._objective, self.model, batches, self.args.device)
            metrics = conclude(self._objective, self._add_up(sums))
            samples = self._write_samples(metrics)
        self.model.train()
        if not np.isfinite(metrics["loss"]):
            self._diverged("the validation loss", metrics["loss"])
        logs = {f"eval_{name}": value for name, value in metrics.items()}
        seconds = time.perf_counter() - started
        self.run_callback.pause(seconds)
        self.log({**logs, "eval_runtime": seconds})
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, logs)
        metric = self.args.metric_for_best_model.removeprefix("eval_")
        self._listener(
            ValidationReport(
                step=self.state.global_step,
                metrics=metrics,
                metric=metric,
                is_best=self._is_best(metrics[metric]),
                samples=samples,
                seconds=seconds,
            )
        )
        return logs

    def _write_samples(self, metrics: dict[str, float]) -> list[Sample]:
        """Summaries, generated by process 0, whose scores are broadcast to all processes."""
        with_rouge = _needs_rouge(self.args)
        samples: list[Sample] = []
        if self.is_world_process_zero() and self._data.written:
            samples = self._writer.write(self._data.written)
        if not with_rouge:
            return samples
        scores = [score_rouge(samples) if self.is_world_process_zero() else None]
        if self.args.world_size > 1:
            torch.distributed.broadcast_object_list(scores, src=0)
        metrics |= scores[0] or {}
        return samples

    def _add_up(self, sums: dict[str, float]) -> dict[str, float]:
        if self.args.world_size == 1:
            return sums
        gathered: list[Any] = [None] * self.args.world_size
        torch.distributed.all_gather_object(gathered, sums)
        names = sorted({name for each in gathered for name in each})
        return {name: sum(each.get(name, 0.0) for each in gathered) for name in names}

    def _is_best(self, value: float) -> bool:
        best: float | None = self.state.best_metric
        if best is None:
            return True
        return value > best if self.args.greater_is_better else value < best

    # --- saving ---

    def _save(self, output_dir: str | None = None, state_dict: Any = None) -> None:
        super()._save(output_dir, state_dict)
        if self.args.should_save and output_dir is not None:
            manifest = self._objective.manifest(f"step-{self.state.global_step}")
            (Path(output_dir) / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        folder = Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
        with _saving(folder):
            super()._save_checkpoint(model, trial)
        self.run_callback.last_saved = self.state.global_step


def _needs_rouge(args: TrainingArguments) -> bool:
    name = args.metric_for_best_model.removeprefix("eval_")
    return name in [metric.value for metric in Metric if metric.is_rouge]


@contextmanager
def _saving(folder: Path) -> Iterator[None]:
    """Turn write errors into an :class:`OutputError`, and remove the incomplete checkpoint."""
    try:
        yield
    except LsumError:
        raise
    except _WRITE_ERRORS as error:
        text = str(error)
        if not isinstance(error, OSError) and not any(word in text for word in _DISK_WORDS):
            raise
        reason = getattr(error, "strerror", None) or text.splitlines()[0]
        if shutil.disk_usage(folder.parent).free < _FULL_BYTES:
            reason = os.strerror(errno.ENOSPC)
        shutil.rmtree(folder, ignore_errors=True)
        raise OutputError(
            f"{folder} cannot be written: {reason}",
            "free some space and continue with --resume; earlier checkpoints are intact",
        ) from error
