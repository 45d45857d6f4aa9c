"""A training run in five acts: load, set up, train, save, tell."""

from __future__ import annotations

import importlib.util
import math
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.devices import AUTO, choose_device
from lsum_cli.checkpoints.loading import quiet_transformers
from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind, TrainingData, TrainingRecord
from lsum_cli.checkpoints.network import settle_network
from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.datasets.cache import FeatureStore, cached_features
from lsum_cli.datasets.dataset import Dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.holdout import hold_out
from lsum_cli.datasets.opening import open_dataset
from lsum_cli.datasets.statistics import count_shared, describe_store
from lsum_cli.errors import DeviceError, MissingDependency, OptionError
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.training.folder import RunDescription, RunFolder, check_resumable, flatten
from lsum_cli.training.interruption import Interruption
from lsum_cli.training.objective import Objective
from lsum_cli.training.objectives import find_builder
from lsum_cli.training.recipes import encode_recipe
from lsum_cli.training.reports import Notice, SetupReport, TrainingListener, ignore_reports
from lsum_cli.training.settings import Metric, Numbers, Recipe
from lsum_cli.training.starting import set_dropout
from lsum_cli.training.validation import Writer, load_rouge
from lsum_cli.version import __version__

if TYPE_CHECKING:
    from transformers import TrainingArguments

    from lsum_cli.training.trainer import ObjectiveTrainer

_LIBRARIES = ("torch", "transformers", "accelerate", "tokenizers", "numpy")
# Other processes wait while one writes summaries for validation.
_PATIENCE_SECONDS = 24 * 3600


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """Where and how a recipe is run; what changes no loss.

    Attributes:
        output: The folder of the run.
        resume: Go on with the run in the folder.
        overwrite: Begin anew where a run is in the folder.
        report_to: Where the ``Trainer`` reports to, such as ``"tensorboard"``; ``None`` for TensorBoard
            where it is installed.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:N`` or ``mps``.
        offline: Whether no connection may be made.
        dry_run: Stop before the first step, and write nothing into the folder.
    """

    output: Path
    resume: bool = False
    overwrite: bool = False
    report_to: tuple[str, ...] | None = None
    device: str = AUTO
    offline: bool = False
    dry_run: bool = False


@dataclass(frozen=True, kw_only=True)
class TrainResult:
    """What came of a run.

    Attributes:
        folder: Of the run.
        manifest: Of the checkpoint at its root; ``None`` where the run was interrupted or only tried.
        step: Optimizer steps done.
        history: What was logged, as in ``trainer_state.json``.
        was_interrupted: Whether the user stopped it; it can be resumed.
        is_main: Whether this process is the one that speaks for all.
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
    """Train a checkpoint by a recipe.

    Several processes, started by ``torchrun`` or ``accelerate launch``, train one model together.

    Raises:
        OptionError: The recipe cannot be run so, or a run cannot go on with it.
        DatasetError: The data cannot be read.
        CheckpointError: The base cannot be used.
        DeviceError: There is no such device, or its memory does not suffice.
        OutputError: The run's folder cannot be written.
        TrainingError: The loss is no number.
        MissingDependency: The extra ``train`` is not installed.
    """
    _check_installed()
    settle_network(offline=options.offline)
    folder = RunFolder(options.output.expanduser().absolute())
    if not options.resume and not options.dry_run and _rank() == 0:
        folder.check_new(overwrite=options.overwrite)
    with quiet_transformers(), _out_of_memory():
        args = _arguments(recipe, options, folder)
        is_main = args.process_index == 0
        if not is_main:
            listener, progress = ignore_reports, ignore_progress
        run = _Run(recipe, options, folder, args, listener, progress)
        run.load()
        run.set_up()
        if options.dry_run:
            return TrainResult(
                folder=folder.path, manifest=None, step=0, history=(), was_interrupted=False, is_main=is_main
            )
        return run.train_and_save()


class _Run:
    """The state that the acts of a run share."""

    def __init__(
        self,
        recipe: Recipe,
        options: TrainOptions,
        folder: RunFolder,
        args: TrainingArguments,
        listener: TrainingListener,
        progress: ProgressListener,
    ) -> None:
        self._recipe, self._options, self._folder, self._args = recipe, options, folder, args
        self._listener, self._progress = listener, progress
        self._is_main = args.process_index == 0

    def load(self) -> None:
        """Open the data, find where to start from, build model and features."""
        from transformers import set_seed

        self._train_data, self._validation_data = _open_splits(self._recipe)
        self._checkpoint = self._check_resume()
        # On resuming, vocabulary and sizes come from the run itself.
        base = self._checkpoint or _resolve_base(self._recipe, offline=self._options.offline)
        set_seed(self._recipe.training.seed)
        self._objective: Objective = find_builder(self._recipe.method)(self._recipe, self._train_data, base)
        if self._recipe.training.dropout is not None:
            set_dropout(self._objective.model, self._recipe.training.dropout)
        with self._args.main_process_first(local=False):
            self._stores = {
                "train": self._features(self._train_data),
                "validation": self._features(self._validation_data),
            }

    def set_up(self) -> None:
        """Split, count, tell what will be done, and prepare the trainer."""
        from lsum_cli.training.trainer import FeatureRows, ObjectiveTrainer
        from lsum_cli.training.trainer import TrainingData as Data

        self._train_rows = FeatureRows(self._stores["train"])
        self._validation_rows = FeatureRows(self._stores["validation"])
        self._plan_steps()
        self._choose_metric()
        self._tell_setup()
        if self._options.dry_run:
            return
        interruption = Interruption(lambda text: self._listener(Notice(text=text)))
        self._interruption = interruption
        with self._args.main_process_first(local=False):
            if self._is_main and self._checkpoint is None:
                self._folder.begin(
                    self._describe(), overwrite=self._options.overwrite or self._options.resume
                )
        self._trainer: ObjectiveTrainer = ObjectiveTrainer(
            objective=self._objective,
            recipe=self._recipe,
            args=self._args,
            data=Data(train=self._train_rows, validation=self._validation_rows, written=self._examples()),
            writer=Writer(
                objective=self._objective,
                folder=self._folder.path,
                device=str(self._args.device),
                progress=self._progress,
            ),
            listener=self._listener,
            interruption=interruption,
        )

    def train_and_save(self) -> TrainResult:
        """Train to the end or until the user stops it; save what came of it."""
        if self._recipe.training.gradient_checkpointing:
            _checkpoint_gradients(self._objective.model)
        if self._checkpoint is not None and self._is_main:
            self._folder.point_to_best(self._checkpoint)
        with self._interruption:
            outcome = self._trainer.train(
                resume_from_checkpoint=None if self._checkpoint is None else str(self._checkpoint)
            )
        state = self._trainer.state
        stopped = self._trainer.watch.was_interrupted
        manifest = None
        if not stopped and self._is_main:
            self._trainer.save_metrics("train", dict(outcome.metrics))
            best = _best_metrics(state)
            self._trainer.save_metrics("eval", best)
            manifest = self._folder.finish(self._objective, self._manifest(best))
        if self._is_main:
            self._trainer.save_state()
        return TrainResult(
            folder=self._folder.path,
            manifest=manifest,
            step=state.global_step,
            history=list(state.log_history),
            was_interrupted=stopped,
            is_main=self._is_main,
        )

    def _check_resume(self) -> Path | None:
        """The checkpoint to go on from, once it is known that the settings are those of the run."""
        if not self._options.resume:
            return None
        check_resumable(self._folder.read(), self._describe())
        checkpoint = self._folder.last_checkpoint()
        if checkpoint is None:
            self._listener(Notice(text=f"{self._folder.path} has no checkpoint yet: beginning anew"))
        return checkpoint

    def _describe(self) -> RunDescription:
        data = {
            "train": sorted(self._train_data.hashes.values()),
            "validation": sorted(self._validation_data.hashes.values()),
        }
        return RunDescription(recipe=self._recipe, data=data, processes=self._args.world_size)

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
                device=str(self._args.device),
                resumed_step=0 if self._checkpoint is None else int(self._checkpoint.name.split("-")[1]),
            )
        )

    def _doubts(self) -> Iterator[str]:
        train, validation = self._stores["train"], self._stores["validation"]
        if self._recipe.data.validation_file is None:
            share = self._recipe.data.validation_share
            yield f"no --validation-file: {share:.0%} of the training file are held out for validation"
        if shared := count_shared(train, validation):
            yield f"{shared:,} documents of the validation data are in the training data too"
        for store in (train, validation):
            if store.rebuilt:
                yield f"the tokenised examples of {store.name} were made anew: {store.rebuilt}"

    def _examples(self) -> list[Example]:
        """Validation examples whose documents are summarised, kept in memory by process 0."""
        settings = self._recipe.training
        metric = _metric(self._recipe, self._objective)
        if metric is Metric.F1:
            return []
        wanted = settings.eval_generate_samples if metric.is_rouge else settings.eval_samples
        if not self._is_main or not wanted:
            return []
        ids = set(self._stores["validation"].ids[:wanted])
        return list(islice((each for each in self._validation_data if each.id in ids), len(ids)))

    def _manifest(self, best: Mapping[str, float]) -> Manifest:
        state = self._trainer.state
        step = state.best_global_step or state.global_step
        epoch = next((e["epoch"] for e in state.log_history if e["step"] == step), state.epoch or 0.0)
        datasets = {"train": self._train_data, "validation": self._validation_data}
        record = TrainingRecord(
            recipe=flatten(encode_recipe(self._recipe)),
            data=tuple(
                TrainingData(
                    split=split,
                    name=dataset.name,
                    examples=len(self._stores[split]),
                    fingerprint=dataset.fingerprint,
                    files=dataset.hashes,
                )
                for split, dataset in datasets.items()
            ),
            step=step,
            epoch=float(epoch),
            processes=self._args.world_size,
            versions=_versions(),
        )
        return replace(
            self._objective.manifest(self._folder.path.name),
            base=self._recipe.base,
            origin=Origin(kind=OriginKind.TRAINING, source=self._train_data.name),
            metrics={name.replace("eval_", "validation_"): value for name, value in best.items()},
            training=record,
        )


def _arguments(recipe: Recipe, options: TrainOptions, folder: RunFolder) -> TrainingArguments:
    """The settings as ``transformers`` names them; also where the processes find one another."""
    from transformers import TrainingArguments

    settings = recipe.training
    device = choose_device(options.device)
    if device.type == "cpu" and settings.dtype is Numbers.FLOAT16:
        raise OptionError("float16 cannot be trained on a CPU", "give --set training.dtype=bfloat16")
    if device.type == "cuda" and device.index:
        import torch

        torch.cuda.set_device(device)
    try:
        args = TrainingArguments(
            output_dir=str(folder.path),
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
            report_to=list(_reporters(options)),
            disable_tqdm=True,
            log_level="error",
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


def _reporters(options: TrainOptions) -> tuple[str, ...]:
    if options.dry_run:
        return ()
    if options.report_to is not None:
        return tuple(name for name in options.report_to if name != "none")
    return ("tensorboard",) if importlib.util.find_spec("tensorboard") else ()


def _metric(recipe: Recipe, objective: Objective) -> Metric:
    return recipe.training.metric_for_best_model or Metric(objective.metric)


def _open_splits(recipe: Recipe) -> tuple[Dataset, Dataset]:
    """The training data, and those for validation: of a file of their own, or held out."""
    data = recipe.data
    if data.train_file is None:
        raise OptionError("the recipe names no training data", "give --train-file, a file or folder")
    train = open_dataset(data.train_file, data.options(data.max_train_samples))
    if data.validation_file is not None:
        return train, open_dataset(data.validation_file, data.options(data.max_eval_samples))
    train, validation = hold_out(train, data.validation_share)
    return train, replace(validation, options=replace(validation.options, limit=data.max_eval_samples))


def _resolve_base(recipe: Recipe, *, offline: bool) -> Path | None:
    return None if recipe.base is None else resolve_checkpoint(recipe.base, offline=offline)


def _checkpoint_gradients(model: Any) -> None:
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})


def _best_metrics(state: Any) -> dict[str, float]:
    """What validation found at the step whose weights were kept."""
    entries = [entry for entry in state.log_history if "eval_loss" in entry]
    kept = [entry for entry in entries if entry["step"] == state.best_global_step] or entries[-1:]
    return {
        name: float(value)
        for entry in kept[-1:]
        for name, value in entry.items()
        if name.startswith("eval_") and name != "eval_runtime"
    }


def _versions() -> dict[str, str]:
    found = {"lsum": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _rank() -> int:
    return int(os.environ.get("RANK", "0") or 0)


def _check_installed() -> None:
    if importlib.util.find_spec("accelerate") is None:
        raise MissingDependency(
            "training needs accelerate, which is not installed",
            "install it: pip install 'lsum-cli[train]'",
        )


@contextmanager
def _out_of_memory() -> Iterator[None]:
    import torch

    try:
        yield
    except torch.OutOfMemoryError as error:
        raise DeviceError(
            "the memory of the device does not suffice for training",
            "lower training.per_device_train_batch_size or model.max_pages,"
            " or set training.gradient_checkpointing=true",
        ) from error
