"""A training run: load, set up, train, save, report."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.loading import quiet_transformers
from lsum_cli.checkpoints.manifest import (
    Manifest,
    Origin,
    OriginKind,
    TrainingData,
    TrainingRecord,
    describe_folder,
)
from lsum_cli.datasets.dataset import Dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.features import FeatureStore, cached_features
from lsum_cli.datasets.statistics import count_shared, describe_store
from lsum_cli.errors import DeviceError, MissingDependency, OptionError, first_line
from lsum_cli.machine.devices import choose_device
from lsum_cli.machine.memory import measure_memory
from lsum_cli.machine.network import configure_network
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.records import encode
from lsum_cli.training.environment import Environment, find_launch
from lsum_cli.training.events import Interruption, Notice, SetupReport, TrainingListener, ignore_reports
from lsum_cli.training.folder import RunFolder, flatten, reporting_disk_errors
from lsum_cli.training.initialisation import set_dropout
from lsum_cli.training.lora import adapt
from lsum_cli.training.objectives import Objective, find_builder
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.plan import RunPlan
from lsum_cli.training.recipes import encode_recipe
from lsum_cli.training.settings import Metric, Precision, Recipe
from lsum_cli.training.validation import Writer, load_rouge

if TYPE_CHECKING:
    from transformers import TrainingArguments

    from lsum_cli.training.trainer import ObjectiveTrainer

_GAP_NOTICE = (
    "this recipe trains the model to write sentences chosen from the documents (data.gap_sentences), not your"
    " summaries; for these take the recipe finetune, or --set data.gap_sentences.share=0"
)
# Other processes wait while one generates summaries for validation.
_PATIENCE_SECONDS = 24 * 3600


def make_arguments(recipe: Recipe, options: TrainOptions, plan: RunPlan) -> TrainingArguments:
    """Settings as ``TrainingArguments``; this also initialises the process group."""
    from transformers import TrainingArguments

    settings = recipe.training
    device = choose_device(options.device)
    if device.type == "cpu" and settings.dtype is Precision.FLOAT16:
        raise OptionError(
            "training in float16 is not supported on a CPU", "give --set training.dtype=bfloat16"
        )
    if device.index:
        # The Trainer uses the first visible device.
        raise OptionError(
            f"training cannot select {device}",
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
            bf16=settings.dtype is Precision.BFLOAT16,
            fp16=settings.dtype is Precision.FLOAT16,
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
        # One process uses one device; several processes are started by torchrun.
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

    requested = [name for name in options.report_to if name != "none"]
    for name in requested:
        if name not in INTEGRATION_TO_CALLBACK:
            known = ", ".join(sorted(INTEGRATION_TO_CALLBACK))
            raise OptionError(f"unknown reporting service '{name}'", f"give --report-to none, {known}")
        if name not in get_available_reporting_integrations():
            raise MissingDependency(
                f"reporting to {name} needs its package, which is not installed",
                f"install it: pip install {name}",
            )
    return requested


def describe_run(
    recipe: Recipe,
    plan: RunPlan,
    objective: Objective,
    stores: Mapping[str, FeatureStore],
    state: Any,
    best: Mapping[str, float],
    environment: Environment,
    seconds: float | None = None,
    energy_wh: float | None = None,
) -> Manifest:
    """Manifest of the checkpoint at the root of the run's folder.

    Args:
        stores: Encoded examples, by split.
        state: State of the ``Trainer``.
        best: Metrics of the saved weights, from :func:`best_metrics`.
        seconds: Time of training; that of a resumed run since it was resumed.
        energy_wh: What the processor used in this time, where that is counted.
    """
    step = state.best_global_step or state.global_step
    epoch = next((e["epoch"] for e in state.log_history if e["step"] == step), state.epoch or 0.0)
    record = TrainingRecord(
        recipe=flatten(encode_recipe(objective.recipe)),
        data=tuple(
            TrainingData(
                split=split,
                name=dataset.name,
                examples=len(stores[split]),
                fingerprint=dataset.fingerprint,
                files=dataset.hashes,
            )
            for split, dataset in (("train", plan.train), ("validation", plan.validation))
        ),
        step=step,
        epoch=float(epoch),
        processes=plan.description.processes,
        versions=environment.versions,
        commit=environment.commit,
        hardware=environment.hardware,
        parameters=sum(weight.numel() for weight in objective.model.parameters()),
        seconds=seconds,
        energy_wh=energy_wh,
    )
    return replace(
        objective.manifest(plan.folder.path.name),
        base=recipe.base,
        origin=Origin(kind=OriginKind.TRAINING, source=plan.train.name),
        metrics={name.replace("eval_", "validation_"): value for name, value in best.items()},
        training=record,
    )


def best_metrics(state: Any) -> dict[str, float]:
    """Validation metrics at the step whose weights are saved."""
    entries = [entry for entry in state.log_history if "eval_loss" in entry]
    kept = [entry for entry in entries if entry["step"] == state.best_global_step] or entries[-1:]
    return {
        name: float(value)
        for entry in kept[-1:]
        for name, value in entry.items()
        if name.startswith("eval_") and name != "eval_runtime"
    }


@dataclass(frozen=True, kw_only=True)
class TrainResult:
    """Result of a run.

    Attributes:
        folder: Folder of the run.
        manifest: Manifest of the checkpoint at its root; ``None`` if the run was interrupted or a dry run.
        step: Optimizer steps done.
        history: Log entries, as in ``trainer_state.json``.
        was_interrupted: Whether the user stopped it; it can be resumed later.
        is_main: Whether this is the main process, which prints and saves.
    """

    folder: Path
    manifest: Manifest | None
    step: int
    history: Sequence[Mapping[str, Any]]
    was_interrupted: bool
    is_main: bool = True


def train(
    recipe: Recipe,
    options: TrainOptions,
    listener: TrainingListener = ignore_reports,
    progress: ProgressListener = ignore_progress,
) -> TrainResult:
    """Train a checkpoint from a recipe.

    Several processes, started by ``torchrun`` or ``accelerate launch``, train one model together.

    Raises:
        OptionError: The recipe cannot be run with these options, or a run cannot be resumed with it.
        DatasetError: The data cannot be read.
        CheckpointError: The base cannot be used.
        DeviceError: There is no such device, or it runs out of memory.
        OutputError: The run's folder cannot be written.
        TrainingError: The loss is NaN.
        MissingDependency: The extra ``train`` is not installed.
    """
    _check_installed()
    configure_network(offline=options.offline)
    if recipe.data.gap_sentences.share:
        listener(Notice(text=_GAP_NOTICE))
    progress(ProgressEvent(stage="opening the data", done=0))
    folder = RunFolder(options.folder.expanduser().absolute())
    options = _restarted(options, folder)
    with closing(folder.claim):
        # Check everything that needs no torch before importing it.
        plan = RunPlan.of(folder, recipe, options, listener)
        return _train(recipe, options, plan, listener, progress)


def _restarted(options: TrainOptions, folder: RunFolder) -> TrainOptions:
    """The options, to resume where ``torchrun`` starts the processes of a run again after one was lost."""
    launch = find_launch()
    if launch is None or options.resume or options.dry_run or not folder.holds_run:
        return options
    sessions = folder.read().sessions
    if not sessions or sessions[-1].get("launch") != launch:
        return options
    return replace(options, resume=True, overwrite=False)


def _train(
    recipe: Recipe,
    options: TrainOptions,
    plan: RunPlan,
    listener: TrainingListener,
    progress: ProgressListener,
) -> TrainResult:
    with quiet_transformers(), _out_of_memory():
        args = make_arguments(recipe, options, plan)
        is_main = args.process_index == 0
        if not is_main:
            listener, progress = ignore_reports, ignore_progress
        run = _Run(recipe, options, plan, args, listener, progress)
        run.load()
        run.set_up()
        if options.dry_run:
            return TrainResult(
                folder=plan.folder.path,
                manifest=None,
                step=0,
                history=(),
                was_interrupted=False,
                is_main=is_main,
            )
        return run.train_and_save()


class _Run:
    """State shared by the stages of a run."""

    def __init__(
        self,
        recipe: Recipe,
        options: TrainOptions,
        plan: RunPlan,
        args: TrainingArguments,
        listener: TrainingListener,
        progress: ProgressListener,
    ) -> None:
        self._recipe, self._options, self._plan, self._args = recipe, options, plan, args
        self._listener, self._progress = listener, progress
        self._is_main = args.process_index == 0
        # Of several processes on a CPU each calls it cpu:0.
        self._device = "cpu" if args.device.type == "cpu" else str(args.device)

    def load(self) -> None:
        """Build the model, and encode the data."""
        from transformers import set_seed

        plan = self._plan
        set_seed(self._recipe.training.seed)
        self._progress(ProgressEvent(stage="building the model", done=0))
        examples = plan.train.telling(self._progress, "reading the data for tokenizer and model")
        self._objective: Objective = find_builder(self._recipe.method)(self._recipe, examples, plan.base)
        if plan.base is not None:
            self._objective.base = describe_folder(plan.base)
        if self._recipe.training.dropout is not None:
            set_dropout(self._objective.model, self._recipe.training.dropout)
        if self._recipe.training.lora.rank:
            adapt(self._objective.model, self._recipe.training.lora)
        with self._args.main_process_first(local=False):
            self._stores = {
                "train": self._features(plan.train),
                "validation": self._features(plan.validation),
            }

    def set_up(self) -> None:
        """Split and count the data, report the setup, and prepare the trainer."""
        from lsum_cli.training.trainer import FeatureRows, ObjectiveTrainer
        from lsum_cli.training.trainer import TrainingData as Data

        self._train_rows = FeatureRows(self._stores["train"])
        self._validation_rows = FeatureRows(self._stores["validation"])
        self._plan_steps()
        self._choose_metric()
        self._tell_setup()
        if self._options.dry_run:
            return
        interruption = Interruption(
            lambda text: self._listener(Notice(text=text)), launched=self._args.world_size > 1
        )
        self._interruption = interruption
        self._environment = Environment.here()
        with self._args.main_process_first(local=False):
            # Changed settings take effect from here on.
            description = replace(
                self._plan.description,
                files={"train": self._plan.train.hashes, "validation": self._plan.validation.hashes},
                sessions=(*self._plan.sessions, encode(self._environment)),
            )
            if self._is_main and self._plan.checkpoint is None:
                self._plan.folder.begin(
                    description, overwrite=self._options.overwrite or self._options.resume
                )
            elif self._is_main:
                self._plan.folder.describe(description)
        self._trainer: ObjectiveTrainer = ObjectiveTrainer(
            objective=self._objective,
            recipe=self._recipe,
            args=self._args,
            data=Data(train=self._train_rows, validation=self._validation_rows, written=self._examples()),
            writer=Writer(
                objective=self._objective,
                folder=self._plan.folder.path,
                device=self._device,
                progress=self._progress,
            ),
            listener=self._listener,
            interruption=interruption,
        )

    def train_and_save(self) -> TrainResult:
        """Train to the end or until the user interrupts; save the result."""
        if self._recipe.training.gradient_checkpointing:
            _checkpoint_gradients(self._objective.model)
        checkpoint, metrics = self._plan.checkpoint, {}
        if checkpoint is not None and self._is_main:
            self._plan.folder.point_to_best(checkpoint)
        if checkpoint is not None and self._trainer.take_up(checkpoint):
            self._listener(Notice(text="the run is already finished"))
        else:
            with self._interruption, _reporting_trouble(self._options.report_to or ()):
                outcome = self._trainer.train(
                    resume_from_checkpoint=None if checkpoint is None else str(checkpoint)
                )
            metrics = dict(outcome.metrics)
        state = self._trainer.state
        stopped = self._trainer.run_callback.was_interrupted
        manifest = None
        if not stopped and self._is_main:
            best = best_metrics(state)
            with reporting_disk_errors(self._plan.folder.path):
                if metrics:
                    self._trainer.save_metrics("train", metrics)
                self._trainer.save_metrics("eval", best)
            manifest = self._plan.folder.finish(
                self._objective,
                describe_run(
                    self._recipe,
                    self._plan,
                    self._objective,
                    self._stores,
                    state,
                    best,
                    self._environment,
                    metrics.get("train_runtime"),
                    self._trainer.run_callback.meter.watt_hours() if metrics else None,
                ),
            )
        if self._is_main:
            with reporting_disk_errors(self._plan.folder.path):
                self._trainer.save_state()
        return TrainResult(
            folder=self._plan.folder.path,
            manifest=manifest,
            step=state.global_step,
            history=list(state.log_history),
            was_interrupted=stopped,
            is_main=self._is_main,
        )

    def _features(self, dataset: Dataset) -> FeatureStore:
        objective = self._objective
        return cached_features(dataset, objective.encode, objective.fingerprint, progress=self._progress)

    def _plan_steps(self) -> None:
        settings, args = self._recipe.training, self._args
        batches = math.ceil(len(self._train_rows) / settings.per_device_train_batch_size)
        batches = math.ceil(batches / args.world_size)
        self._steps_per_epoch = math.ceil(batches / settings.gradient_accumulation_steps)
        self._steps = settings.max_steps or math.ceil(settings.num_train_epochs * self._steps_per_epoch)
        args.max_steps = self._steps
        args.eval_steps = args.save_steps = min(self._steps, settings.eval_steps or self._steps_per_epoch)

    def _choose_metric(self) -> None:
        metric = _metric(self._recipe, self._objective)
        if metric.is_rouge:
            load_rouge()  # missing, it is said now and not after hours
        self._args.metric_for_best_model = f"eval_{metric.value}"
        self._args.greater_is_better = metric is not Metric.LOSS

    def _tell_setup(self) -> None:
        import torch

        for text in self._doubts():
            self._listener(Notice(text=text))
        settings = self._recipe.training
        self._listener(
            SetupReport(
                method=self._recipe.method,
                base=self._recipe.base,
                statistics={split: describe_store(store) for split, store in self._stores.items()},
                parameters=sum(p.numel() for p in self._objective.model.parameters() if p.requires_grad),
                steps=self._steps,
                steps_per_epoch=self._steps_per_epoch,
                documents_per_step=settings.per_device_train_batch_size
                * settings.gradient_accumulation_steps
                * self._args.world_size,
                processes=self._args.world_size,
                device=self._device,
                threads=torch.get_num_threads(),
                memory=measure_memory().available,
                resumed_step=self._plan.resumed_step,
            )
        )

    def _doubts(self) -> Iterator[str]:
        train, validation = self._stores["train"], self._stores["validation"]
        if not self._recipe.data.validation_file:
            share = self._recipe.data.validation_share
            yield f"no --validation-file: {share:.0%} of the training file is held out for validation"
        if len(validation) == 1:
            yield (
                "one document alone is validated on, which says little; give --validation-file, or --set"
                " data.validation_share=0.2"
            )
        if shared := count_shared(train, validation):
            yield f"validation documents that are also in the training data: {shared:,}"
        for store in (train, validation):
            if store.rebuilt:
                yield f"the cached examples of {store.name} were rebuilt: {store.rebuilt}"

    def _examples(self) -> list[Example]:
        """Validation examples that are summarised, held in memory by process 0."""
        settings = self._recipe.training
        metric = _metric(self._recipe, self._objective)
        if metric is Metric.F1:
            return []
        wanted = settings.eval_generate_samples if metric.is_rouge else settings.eval_samples
        if not self._is_main or not wanted:
            return []
        ids = set(self._stores["validation"].ids[:wanted])
        return list(islice((each for each in self._plan.validation if each.id in ids), len(ids)))


def _metric(recipe: Recipe, objective: Objective) -> Metric:
    return recipe.training.metric_for_best_model or Metric(objective.metric)


def _checkpoint_gradients(model: Any) -> None:
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})


def _check_installed() -> None:
    if importlib.util.find_spec("accelerate") is None:
        raise MissingDependency(
            "training needs accelerate, which is not installed",
            "install it: pip install 'lsum-cli[train]'",
        )


@contextmanager
def _reporting_trouble(services: Sequence[str]) -> Iterator[None]:
    """Turn an error of a reporting service into one line that names the service.

    Raises:
        OptionError: One of them cannot be reported to.
    """
    try:
        yield
    except Exception as error:
        service = type(error).__module__.partition(".")[0]
        if service not in services:
            raise
        raise OptionError(
            f"reporting to {service} fails: {first_line(error)}",
            f"set {service} up as it says, or leave out --report-to {service}",
        ) from error


@contextmanager
def _out_of_memory() -> Iterator[None]:
    import torch

    try:
        yield
    except torch.OutOfMemoryError as error:
        raise DeviceError(
            "the device ran out of memory during training",
            "lower training.per_device_train_batch_size or model.max_pages,"
            " or set training.gradient_checkpointing=true",
        ) from error
