"""Recipe settings as frozen dataclasses; their fields are the YAML keys."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lsum_cli.checkpoints.manifest import GenerationDefaults
from lsum_cli.datasets.options import DatasetOptions, Items
from lsum_cli.errors import OptionError


class Optimizer(enum.StrEnum):
    """``adam`` as in the papers; ``adafactor`` without parameter scaling, at the schedule's learning rate."""

    ADAM = "adam"
    ADAMW = "adamw"
    ADAFACTOR = "adafactor"


class Schedule(enum.StrEnum):
    """Learning-rate schedule; all but the first warm up linearly over ``warmup_steps``.

    ``inverse_sqrt_scaled`` is Eq. 11 of Liu et al. 2022 with ``learning_rate`` as its factor:
    ``learning_rate · min(step^-0.5, step · warmup^-1.5)``. For the others ``learning_rate`` is the peak.
    """

    INVERSE_SQRT_SCALED = "inverse_sqrt_scaled"
    INVERSE_SQRT = "inverse_sqrt"
    LINEAR = "linear"
    COSINE = "cosine"
    CONSTANT = "constant"


class Precision(enum.StrEnum):
    """Precision of the forward and backward pass; weights and optimizer state stay in float32."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    FLOAT16 = "float16"


class Metric(enum.StrEnum):
    """Metric that selects the best checkpoint; ROUGE is computed on generated summaries."""

    LOSS = "loss"
    ROUGE1 = "rouge1"
    ROUGE2 = "rouge2"
    ROUGE_LSUM = "rougeLsum"
    F1 = "f1"

    @property
    def is_rouge(self) -> bool:
        """Whether summaries must be generated to compute it."""
        return self.name.startswith("ROUGE")


@dataclass(frozen=True, kw_only=True)
class TokenizerSettings:
    """The byte-level BPE tokenizer trained on the data when there is no base checkpoint.

    Attributes:
        vocab_size: Maximum vocabulary size, special tokens included.
        max_examples: Maximum number of training examples to train it on, sampled evenly.
    """

    vocab_size: int = 16_000
    max_examples: int = 5_000

    def __post_init__(self) -> None:
        require_at_least("tokenizer", self, vocab_size=300, max_examples=1)


class Salience(enum.StrEnum):
    """How salient sentences are selected.

    ``principal``: those most similar to the rest of the text (PEGASUS); references are not used.
    ``oracle``: those that together score highest against the reference, which the data must have.
    """

    PRINCIPAL = "principal"
    ORACLE = "oracle"


@dataclass(frozen=True, kw_only=True)
class GapSettings:
    """Gap-sentence pre-training: sentences of the documents become the target instead of the references.

    Attributes:
        share: Maximum share of an example's sentences that is selected; 0 trains on references.
        salience: How they are selected.
        max_words: Maximum total number of words selected.
        removed: Probability that a selected sentence is removed from the document: 1 removes all (the
            model must write them from the rest), 0 none (the model must find and copy them).
        window_words: Each example uses a random contiguous run of sentences of about this many words;
            ``None`` uses the whole text.
        variants: Examples made from each record, each with a different window and different gaps.
    """

    share: float = 0.0
    salience: Salience = Salience.PRINCIPAL
    max_words: int = 150
    removed: float = 1.0
    window_words: int | None = None
    variants: int = 1

    def __post_init__(self) -> None:
        _require_share("data.gap_sentences", self, "share")
        require_at_least(
            "data.gap_sentences", self, max_words=1, removed=0, window_words=self.max_words, variants=1
        )
        if not self.removed <= 1:
            raise OptionError(f"data.gap_sentences.removed is {self.removed}", "give 0 to 1")

    @property
    def reads_references(self) -> bool:
        """Whether the data must have references: as targets, or for the oracle."""
        return not self.share or self.salience is Salience.ORACLE


@dataclass(frozen=True, kw_only=True)
class DataSettings:
    """Training and validation data; columns as in :class:`lsum_cli.datasets.options.DatasetOptions`.

    Attributes:
        train_file: A file, a pattern, or a folder of pairs; several are combined into one data set.
        validation_file: Likewise; without one, ``validation_share`` of the training examples is held out.
        validation_share: Share of the training data held out, sampled evenly.
        max_train_samples: Maximum number of training examples, sampled evenly.
        max_eval_samples: Maximum number of validation examples, sampled evenly.
        max_target_tokens: Maximum reference length in tokens, special tokens included, window-shift tokens
            not; longer ones are truncated and counted. ``None`` for the length of nine in ten references,
            which then also bounds the summaries written, unless ``generation`` says otherwise.
        keep_references: Whether reference lists are read.
        gap_sentences: Pre-training on sentences of the documents, as in PEGASUS.
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
    max_target_tokens: int | None = 400
    keep_references: bool = False
    gap_sentences: GapSettings = field(default_factory=GapSettings)

    def __post_init__(self) -> None:
        require_at_least("data", self, max_train_samples=1, max_eval_samples=1, max_target_tokens=1)
        self.options(None)
        if not 0 < self.validation_share < 1:
            raise OptionError(
                f"data.validation_share {self.validation_share} leaves nothing", "give it between 0 and 1"
            )

    def options(self, limit: int | None) -> DatasetOptions:
        """Data set options for reading a file, with this maximum number of examples."""
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
class LoraSettings:
    """Low-rank adaptation of a base; see :mod:`lsum_cli.training.lora`.

    Attributes:
        rank: Rank of the trained matrices; 0 trains all weights.
        alpha: Their sum is scaled by ``alpha / rank``; ``None`` for twice the rank.
        dropout: Dropout before them.
        targets: Names of the linear layers that are adapted.
    """

    rank: int = 0
    alpha: int | None = None
    dropout: float = 0.0
    targets: tuple[str, ...] = ("q_proj", "v_proj")

    def __post_init__(self) -> None:
        require_at_least("training.lora", self, rank=0)
        _require_above_zero("training.lora", self, "alpha")
        _require_share("training.lora", self, "dropout")
        if not self.targets:
            raise OptionError("training.lora.targets is empty", "name at least one, such as q_proj")


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """Training hyperparameters; names follow the ``Trainer`` of ``transformers`` where it has one.

    Attributes:
        num_train_epochs: Maximum number of passes over the data.
        max_steps: Maximum number of optimizer steps; overrides ``num_train_epochs``.
        per_device_train_batch_size: Documents per batch and process.
        gradient_accumulation_steps: Batches accumulated per step; the loss is averaged over all tokens.
        label_smoothing_factor: Probability mass spread evenly over the vocabulary.
        max_grad_norm: Gradient clipping norm; ``None`` disables clipping.
        dropout: Overrides the base checkpoint's dropout (0.1 from scratch).
        lora: Low-rank adaptation of the base instead of training all of its weights.
        group_by_length: Whether to batch documents of similar length, which saves padding.
        eval_steps: Steps between validations, each followed by a checkpoint; ``None`` for once per
            epoch.
        metric_for_best_model: ``None`` for the metric of the method's paper.
        eval_generate_samples: Validation documents summarised to compute ROUGE.
        eval_samples: Validation summaries shown at every validation.
        early_stopping_patience: Validations without improvement before training stops; ``None`` disables.
        save_total_limit: Maximum number of checkpoints kept; the best one is never deleted.
        logging_steps: Steps between reports of the loss.
        dataloader_num_workers: Worker processes that build batches; 0 uses the training process.
        seed: Random seed for new weights, dropout and data order.
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
    dtype: Precision = Precision.FLOAT32
    gradient_checkpointing: bool = False
    lora: LoraSettings = field(default_factory=LoraSettings)
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
        require_at_least(
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
                "training.warmup_steps 0 does not work with training.lr_scheduler_type inverse_sqrt_scaled",
                "give 1 or more, or another training.lr_scheduler_type",
            )


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All settings of a training run.

    Attributes:
        description: Its purpose, in one line.
        method: A name of :data:`lsum_cli.training.objectives.OBJECTIVES`.
        base: The checkpoint to start from: a name, a hub id, or a folder; ``None`` from scratch.
        model: The ``ModelSettings`` of the method's module.
        generation: Decoding settings of the checkpoint, also used in validation.
    """

    description: str = ""
    method: str
    base: str | None = None
    tokenizer: TokenizerSettings = field(default_factory=TokenizerSettings)
    model: Any = None
    data: DataSettings = field(default_factory=DataSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    generation: GenerationDefaults = field(default_factory=GenerationDefaults)


def require_at_least(section: str, settings: object, **least: float) -> None:
    """Check that settings of a section are at least as large as the smallest values; ``None`` is allowed.

    Raises:
        OptionError: One is smaller.
    """
    for name, bound in least.items():
        value = getattr(settings, name)
        if value is not None and not value >= bound:
            raise OptionError(f"{section}.{name} {value} is too small", f"give {bound} or more")


def require_whole_heads(settings: Any) -> None:
    """Check that ``model.d_model`` can be divided among ``model.attention_heads``.

    Raises:
        OptionError: It cannot.
    """
    if settings.d_model % settings.attention_heads:
        raise OptionError(
            f"model.d_model {settings.d_model} cannot be split among {settings.attention_heads} heads",
            "give a multiple of model.attention_heads",
        )


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


def bart_sizes(config: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes of a BART-like model by their names in recipes; nothing where it is of another kind.

    Args:
        config: Its ``config.json``.
    """
    sizes = {
        "d_model": config.get("d_model"),
        "encoder_layers": config.get("encoder_layers"),
        "decoder_layers": config.get("decoder_layers"),
        "attention_heads": config.get("encoder_attention_heads"),
        "ffn_dim": config.get("encoder_ffn_dim"),
        "max_position_embeddings": config.get("max_position_embeddings"),
    }
    return sizes if all(isinstance(size, int) for size in sizes.values()) else {}
