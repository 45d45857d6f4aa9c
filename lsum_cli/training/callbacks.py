"""Callback of a run: reports progress, stops early, handles interruptions.

Imported only when training begins, as :mod:`lsum_cli.training.trainer` is.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import torch
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from lsum_cli.training.batches import ProcessBatches
from lsum_cli.training.environment import EnergyMeter
from lsum_cli.training.events import Interruption, Notice, StepReport, TrainingListener
from lsum_cli.training.settings import Recipe


class RunCallback(TrainerCallback):
    """Reports progress, stops early, handles interruptions.

    Attributes:
        batches: Batches of this process; on resuming, their epoch is set.
        tokens: Tokens trained on since the last report.
        last_saved: Step of the newest checkpoint.
        was_interrupted: Whether the user stopped the run.
        meter: Counts the energy since training began.
    """

    def __init__(
        self,
        recipe: Recipe,
        args: TrainingArguments,
        listener: TrainingListener,
        interruption: Interruption,
    ) -> None:
        self._recipe, self._args = recipe, args
        self._listener, self._interruption = listener, interruption
        self.batches: ProcessBatches | None = None
        self.tokens = 0
        self.last_saved = 0
        self.was_interrupted = False
        self.meter = EnergyMeter()
        self._first_step = 0
        self._started = self._reported = time.perf_counter()
        self._paused = self._paused_since_report = 0.0

    def pause(self, seconds: float) -> None:
        """Exclude time that was not spent training."""
        self._paused += seconds
        self._paused_since_report += seconds

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **more: Any
    ) -> None:
        """Start at the epoch of the state."""
        del control, more
        if self.batches is not None:
            steps_per_epoch = -(-len(self.batches) // args.gradient_accumulation_steps)
            self.batches.epoch = state.global_step // steps_per_epoch
        self._first_step = self.last_saved = state.global_step
        self._started = self._reported = time.perf_counter()
        self.meter = EnergyMeter()

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **more: Any
    ) -> None:
        """Validate and save at the end, or save and stop when the user asks for it."""
        del args, more
        self.meter.sample()
        if state.global_step >= state.max_steps:
            control.should_log = control.should_evaluate = control.should_save = True
        elif self._is_interrupted():
            self.was_interrupted = True
            control.should_log = control.should_save = control.should_training_stop = True
        elif control.should_evaluate:
            control.should_log = True
        if not control.should_log:
            self._listener(StepReport(step=state.global_step, steps=state.max_steps, epoch=state.epoch or 0))

    def on_log(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **more: Any
    ) -> None:
        """Report the loss and the speed."""
        del control
        logs = more["logs"]
        if "loss" not in logs:
            return
        now = time.perf_counter()
        seconds = max(1e-9, now - self._reported - self._paused_since_report)
        training = max(1e-9, now - self._started - self._paused)
        done = max(1, state.global_step - self._first_step)
        speed = self.tokens * args.world_size / seconds
        logs["tokens_per_second"] = speed
        # The trainer has already recorded the entry.
        state.log_history[-1]["tokens_per_second"] = speed
        self._listener(
            StepReport(
                step=state.global_step,
                steps=state.max_steps,
                epoch=state.epoch or 0,
                loss=logs["loss"],
                learning_rate=logs.get("learning_rate"),
                tokens_per_second=speed,
                seconds_left=training / done * (state.max_steps - state.global_step),
                memory=_peak_memory(args.device),
            )
        )
        self.tokens, self._reported, self._paused_since_report = 0, now, 0.0

    def on_evaluate(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **more: Any
    ) -> None:
        """Stop if validation has not improved within the recipe's patience."""
        del args, more
        if self.lacks_progress(state):
            control.should_save = control.should_training_stop = True
            patience = self._recipe.training.early_stopping_patience
            self._listener(Notice(text=f"stopping early: no improvement in {patience} validations"))

    def lacks_progress(self, state: TrainerState) -> bool:
        """Whether validation has not improved within the recipe's patience."""
        patience, args = self._recipe.training.early_stopping_patience, self._args
        values = [entry[name] for entry in state.log_history if (name := _metric_of(args)) in entry]
        if patience is None or not values:
            return False
        best = int(np.argmax(values) if args.greater_is_better else np.argmin(values))
        return len(values) - 1 - best >= patience

    def _is_interrupted(self) -> bool:
        requested = self._interruption.requested
        if self._args.world_size == 1:
            return requested
        flag = torch.tensor([float(requested)], device=self._args.device)
        torch.distributed.all_reduce(flag, op=torch.distributed.ReduceOp.MAX)
        return bool(flag.item())


def _metric_of(args: TrainingArguments) -> str:
    return f"eval_{args.metric_for_best_model.removeprefix('eval_')}"


def _peak_memory(device: torch.device) -> int | None:
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
