"""Recipes: everything a training run is set to, as frozen dataclasses; their fields are the YAML keys."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from lsum_cli.checkpoints.manifest import GenerationDefaults
from lsum_cli.datasets.options import DatasetOptions, Items
from lsum_cli.errors import OptionError


class Optimizer(enum.StrEnum):
    """``adam`` as the papers use it; ``adafactor`` without scaling by parameters, at the schedule's rate."""

    ADAM = "adam"
    ADAMW = "adamw"
    ADAFACTOR = "adafactor"


class Schedule(enum.StrEnum):
    """How the learning rate goes; all but the first rise linearly during ``warmup_steps``.

    ``inverse_sqrt_scaled`` is Eq. 11 of Liu et al. 2022, with ``learning_rate`` its factor: the rate is
    ``learning_rate · min(step^-0.5, step · warmup^-1.5)``. Of the others ``learning_rate`` is the peak.
    """

    INVERSE_SQRT_SCALED = "inverse_sqrt_scaled"
    INVERSE_SQRT = "inverse_sqrt"
    LINEAR = "linear"
    COSINE = "cosine"
    CONSTANT = "constant"


class Numbers(enum.StrEnum):
    """In which numbers the model computes; weights and optimizer stay in float32."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"


class Metric(enum.StrEnum):
    """What the best checkpoint is chosen by; ROUGE is of summaries that the model writes."""

    LOSS = "loss"
    ROUGE1 = "rouge1"
    ROUGE2 = "rouge2"
    ROUGE_LSUM = "rougeLsum"
    F1 = "f1"

    @property
    def is_rouge(self) -> bool:
        """Whether summaries have to be written to measure it."""
        return self.name.startswith("ROUGE")


@dataclass(frozen=True, kw_only=True)
class TokenizerSettings:
    """The byte-level BPE tokenizer that is trained on the data where there is no base.

    Attributes:
        vocab_size: Entries at most, special tokens included.
        max_examples: Records it is trained on at most, spread evenly over the training data.
    """

    vocab_size: int = 16_000
    max_examples: int = 5_000

    def __post_init__(self) -> None:
        _require_at_least("tokenizer", self, vocab_size=300, max_examples=1)


class Salience(enum.StrEnum):
    """Which sentences are salient.

    ``principal``: those most like the rest of the text (PEGASUS); references are not used.
    ``oracle``: those that together come nearest to the reference, which the data must have.
    """

    PRINCIPAL = "principal"
    ORACLE = "oracle"


@dataclass(frozen=True, kw_only=True)
class GapSettings:
    """Sentences chosen from the documents, to be written in place of the references.

    Attributes:
        share: Of the sentences of an example that are chosen at most; 0 for training on references.
        salience: Which ones.
        max_words: That they have together at most.
        removed: How probably a chosen sentence is taken out of the document; 1 for all, so that they are
            to be written from the rest, 0 for none, so that they are to be found and copied.
        window_words: Each example reads only a run of sentences of about so many words, drawn by chance,
            and they are chosen from it; ``None`` for the whole text.
        variants: Examples made of each record, each with other windows and other sentences taken out.
    """

    share: float = 0.0
    salience: Salience = Salience.PRINCIPAL
    max_words: int = 150
    removed: float = 1.0
    window_words: int | None = None
    variants: int = 1

    def __post_init__(self) -> None:
        _require_share("data.gap_sentences", self, "share")
        _require_at_least(
            "data.gap_sentences", self, max_words=1, removed=0, window_words=self.max_words, variants=1
        )
        if not self.removed <= 1:
            raise OptionError(f"data.gap_sentences.removed is {self.removed}", "give 0 to 1")

    @property
    def reads_references(self) -> bool:
        """Whether the data must have references: to be trained on, or for the oracle."""
        return not self.share or self.salience is Salience.ORACLE


@dataclass(frozen=True, kw_only=True)
class DataSettings:
    """What is trained on; columns as :class:`lsum_cli.datasets.options.DatasetOptions` says.

    Attributes:
        train_file: A file, a pattern, or a folder of pairs; several of them are one data set.
        validation_file: Likewise; without one ``validation_share`` of the training examples.
        validation_share: The share held out of the training file, spread evenly over it.
        max_train_samples: At most so many examples, evenly spread over the data.
        max_eval_samples: Validation examples at most, spread evenly over them.
        max_target_tokens: A longer reference is cut there, and counted; as in the papers.
        keep_references: Whether reference lists are read.
        gap_sentences: Pre-training on sentences of the documents, as PEGASUS is pre-trained.
    """

    train_file: str | tuple[str, ...] | None = None
    validation_file: str | tuple[str, ...] | None = None
    validation_share: float = 0.05
    text_column: str | None = None
    summary_column: str | None = None
    id_column: str | None = None
    items: Items | None = None
    separator: str | None = None
    max_train_samples: int | None = None
    max_eval_samples: int | None = None
    max_target_tokens: int = 400
    keep_references: bool = False
    gap_sentences: GapSettings = field(default_factory=GapSettings)

    def __post_init__(self) -> None:
        _require_at_least("data", self, max_train_samples=1, max_eval_samples=1, max_target_tokens=1)
        self.options(None)
        if not 0 < self.validation_share < 1:
            raise OptionError(
                f"data.validation_share {self.validation_share} leaves nothing", "give it between 0 and 1"
            )

    def options(self, limit: int | None) -> DatasetOptions:
        """How a file is read, with at most so many examples."""
        return DatasetOptions(
            text_column=self.text_column,
            summary_column=self.summary_column,
            id_column=self.id_column,
            items=self.items,
            separator=self.separator,
            limit=limit,
            needs_reference=self.gap_sentences.reads_references,
        )


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How it is trained; names are those of the ``Trainer`` of ``transformers`` where it has one.

    Attributes:
        num_train_epochs: Passes over the data at most.
        max_steps: Optimizer steps at most; goes before the epochs.
        per_device_train_batch_size: Documents that a process takes at once.
        gradient_accumulation_steps: Batches whose gradients make one step; every token counts the same.
        label_smoothing_factor: Probability spread evenly over the vocabulary.
        max_grad_norm: Gradients are clipped to it; ``None`` leaves them.
        dropout: In place of the base's own, or of 0.1 from scratch.
        group_by_length: Whether documents of similar length come together, to save padding.
        eval_steps: Steps between validations, each of which is followed by a checkpoint; ``None``
            for once an epoch.
        metric_for_best_model: ``None`` for what the method's paper chooses by.
        eval_generate_samples: Validation documents that are summarised to measure ROUGE.
        eval_samples: Summaries of validation documents that are shown at every validation.
        early_stopping_patience: Validations without a better one before training stops; ``None`` for never.
        save_total_limit: Checkpoints kept; the best one is never deleted.
        logging_steps: Steps between reports of the loss.
        dataloader_num_workers: Processes that put batches together; 0 for the training process itself.
        seed: Of new weights, dropout and the order of the data.
    """

    num_train_epochs: float = 10.0
    max_steps: int | None = None
    per_device_train_batch_size: int = 1
    per_device_eval_batch_size: int | None = None
    gradient_accumulation_steps: int = 16
    learning_rate: float = 2e-3
    lr_scheduler_type: Schedule = Schedule.INVERSE_SQRT_SCALED
    warmup_steps: int = 10_000
    optim: Optimizer = Optimizer.ADAM
    adam_beta1: float = 0.9
    adam_beta2: float = 0.999
    adam_epsilon: float = 1e-8
    weight_decay: float = 0.0
    label_smoothing_factor: float = 0.1
    max_grad_norm: float | None = None
    dropout: float | None = None
    dtype: Numbers = Numbers.FLOAT32
    gradient_checkpointing: bool = False
    group_by_length: bool = False
    eval_steps: int | None = None
    metric_for_best_model: Metric | None = None
    eval_generate_samples: int = 100
    eval_samples: int = 1
    early_stopping_patience: int | None = None
    save_total_limit: int = 2
    logging_steps: int = 10
    dataloader_num_workers: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        _require_at_least(
            "training",
            self,
            max_steps=1,
            per_device_train_batch_size=1,
            per_device_eval_batch_size=1,
            gradient_accumulation_steps=1,
            warmup_steps=0,
            weight_decay=0,
            eval_steps=1,
            eval_generate_samples=1,
            eval_samples=0,
            dataloader_num_workers=0,
            early_stopping_patience=1,
            save_total_limit=1,
            logging_steps=1,
            seed=0,
        )
        _require_above_zero(
            "training", self, "num_train_epochs", "learning_rate", "max_grad_norm", "adam_epsilon"
        )
        _require_share("training", self, "label_smoothing_factor", "dropout", "adam_beta1", "adam_beta2")
        if self.lr_scheduler_type is Schedule.INVERSE_SQRT_SCALED and not self.warmup_steps:
            raise OptionError(
                "training.warmup_steps 0 leaves the schedule inverse_sqrt_scaled without a rate",
                "give 1 or more, or another training.lr_scheduler_type",
            )


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A training run, set up.

    Attributes:
        description: What it is for, in a line.
        method: A name of :data:`lsum_cli.training.objectives.OBJECTIVES`.
        base: The checkpoint to start from: a name, a hub id, or a folder; ``None`` from scratch.
        model: The ``ModelSettings`` of the method's module.
        generation: How the checkpoint is to write, in validation too.
    """

    description: str = ""
    method: str
    base: str | None = None
    tokenizer: TokenizerSettings = field(default_factory=TokenizerSettings)
    model: Any = None
    data: DataSettings = field(default_factory=DataSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    generation: GenerationDefaults = field(default_factory=GenerationDefaults)


def _require_at_least(section: str, settings: object, **least: float) -> None:
    for name, bound in least.items():
        value = getattr(settings, name)
        if value is not None and not value >= bound:
            raise OptionError(f"{section}.{name} {value} is too small", f"give {bound} or more")


def _require_above_zero(section: str, settings: object, *names: str) -> None:
    for name in names:
        value = getattr(settings, name)
        if value is not None and not 0 < value < float("inf"):
            raise OptionError(f"{section}.{name} is {value}", "give a number above 0")


def _require_share(section: str, settings: object, *names: str) -> None:
    for name in names:
        value = getattr(settings, name)
        if value is not None and not 0 <= value < 1:
            raise OptionError(f"{section}.{name} is {value}", "give 0 or more, and less than 1")
