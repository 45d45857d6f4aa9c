"""A recipe's settings as the ``Trainer`` of ``transformers`` names them."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from lsum_cli.checkpoints.devices import choose_device
from lsum_cli.errors import MissingDependency, OptionError
from lsum_cli.training.plan import RunPlan, TrainOptions
from lsum_cli.training.settings import Numbers, Recipe

if TYPE_CHECKING:
    from transformers import TrainingArguments

# Other processes wait while one writes summaries for validation.
_PATIENCE_SECONDS = 24 * 3600


def make_arguments(recipe: Recipe, options: TrainOptions, plan: RunPlan) -> TrainingArguments:
    """The settings as ``transformers`` names them; also where the processes find one another."""
    from transformers import TrainingArguments

    settings = recipe.training
    device = choose_device(options.device)
    if device.type == "cpu" and settings.dtype is Numbers.FLOAT16:
        raise OptionError("float16 cannot be trained on a CPU", "give --set training.dtype=bfloat16")
    if device.index:
        # The Trainer takes the first one that it sees.
        raise OptionError(
            f"training cannot choose {device} itself",
            f"give --device cuda, and CUDA_VISIBLE_DEVICES={device.index} in the environment",
        )
    try:
        args = TrainingArguments(
            output_dir=str(plan.folder.path),
            per_device_train_batch_size=settings.per_device_train_batch_size,
            per_device_eval_batch_size=settings.per_device_eval_batch_size
            or settings.per_device_train_batch_size,
            gradient_accumulation_steps=settings.gradient_accumulation_steps,
            learning_rate=settings.learning_rate,
            max_grad_norm=settings.max_grad_norm or 0.0,
            logging_steps=settings.logging_steps,
            logging_nan_inf_filter=False,
            eval_strategy="steps",
            eval_steps=1,
            save_strategy="steps",
            save_steps=1,
            max_steps=1,
            save_total_limit=settings.save_total_limit,
            load_best_model_at_end=True,
            metric_for_best_model="eval_loss",
            greater_is_better=False,
            bf16=settings.dtype is Numbers.BFLOAT16,
            fp16=settings.dtype is Numbers.FLOAT16,
            seed=settings.seed,
            report_to=_reporters(options),
            disable_tqdm=True,
            log_level="error",
            log_level_replica="error",
            remove_unused_columns=False,
            label_names=["labels"],
            use_cpu=device.type == "cpu",
            dataloader_num_workers=settings.dataloader_num_workers,
            ddp_timeout=_PATIENCE_SECONDS,
        )
        # One process trains on one device; several processes are started by torchrun.
        args._n_gpu = min(1, args.n_gpu)
    except ValueError as error:
        raise OptionError(f"the recipe cannot be run here: {error}", "see lsum doctor") from error
    return args


def _reporters(options: TrainOptions) -> list[str]:
    if options.dry_run:
        return []
    if options.report_to is None:
        return ["tensorboard"] if importlib.util.find_spec("tensorboard") else []
    from transformers.integrations.integration_utils import (
        INTEGRATION_TO_CALLBACK,
        get_available_reporting_integrations,
    )

    wished = [name for name in options.report_to if name != "none"]
    for name in wished:
        if name not in INTEGRATION_TO_CALLBACK:
            known = ", ".join(sorted(INTEGRATION_TO_CALLBACK))
            raise OptionError(f"nothing can be reported to '{name}'", f"give --report-to none, {known}")
        if name not in get_available_reporting_integrations():
            raise MissingDependency(
                f"reporting to {name} needs its package, which is not installed",
                f"install it: pip install {name}",
            )
    return wished
