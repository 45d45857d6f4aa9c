"""Training Top-Down: a document is one stream of tokens, with labels of important words."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, sentences_to_read
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.network import configure_network
from lsum_cli.methods.model_inputs import SequenceFrame, encode_source
from lsum_cli.text.importance import content_lemmas, label_words
from lsum_cli.training.batches import count_source, infer_target_lengths, pad_rows
from lsum_cli.training.initialisation import (
    bart_config,
    fingerprint_tokenizer,
    load_base,
    load_beginning,
    train_tokenizer,
)
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.settings import Recipe, bart_sizes, require_at_least, require_whole_heads

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledSource:
    """The tokens of an example that a model reads.

    Attributes:
        token_ids: (source_len,), special tokens included.
        labels: (source_len,) 1 for tokens of important words, else 0; ``None`` if not requested.
        is_text: (source_len,) whether a token is part of the text and not a special token.
        total: Number of tokens of the whole text.
        dropped: Number of these tokens that were cut off.
    """

    token_ids: NDArray[np.int32]
    labels: NDArray[np.uint8] | None
    is_text: NDArray[np.bool_]
    total: int
    dropped: int


def list_sentences(documents: Sequence[Document], *, keep_references: bool) -> list[str]:
    """The sentences of the documents, as they are on pages."""
    return [sentence.text for sentence in sentences_to_read(documents, keep_references=keep_references)]


def encode_labelled(
    tokenizer: PreTrainedTokenizerBase,
    frame: SequenceFrame,
    texts: Sequence[str],
    reference: str | None,
    *,
    language: str | None,
    max_tokens: int,
) -> LabelledSource | None:
    """Tokenise sentences and label them by a reference.

    Args:
        reference: The reference; ``None`` for no labels.
        max_tokens: Maximum number of tokens, special tokens included; the rest is cut off.

    Returns:
        ``None`` if there is no text, or if labels are requested and the reference has only stop words.
    """
    if not texts or (reference is not None and not content_lemmas(reference, language=language)):
        return None
    source = encode_source(tokenizer, frame, texts)
    labels = None
    if reference is not None:
        labels = source.spread(label_words(texts, reference, language=language)).astype(np.uint8)
    total = len(source) - len(frame)
    if len(source) > max_tokens:
        # The final special tokens are not cut off.
        end = max_tokens - len(frame.after)
        kept = np.r_[0:end, len(source) - len(frame.after) : len(source)]
    else:
        kept = np.arange(len(source))
    return LabelledSource(
        token_ids=source.token_ids[kept].astype(np.int32),
        labels=None if labels is None else labels[kept],
        is_text=source.sentences[kept] >= 0,
        total=total,
        dropped=max(0, len(source) - max_tokens),
    )


_SMALLEST_SOURCE = 8
# Where a recipe calls a setting otherwise than the configuration.
_RECIPE_NAMES = {"max_source_positions": "max_source_tokens"}


class Update(enum.StrEnum):
    """The top-down update of the tokens: by Eq. 1, by concatenation (ablation), or none."""

    CROSS_ATTENTION = "cross_attention"
    CONCAT = "concat"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class TopDownSizes:
    """The encoder's settings; ``d_model`` to ``max_position_embeddings`` apply only to training from scratch.

    Attributes:
        encoder: A BERT-like encoder to begin with instead of a base; see
            :mod:`lsum_cli.models.blocks.bert`.
        max_source_tokens: Maximum number of tokens of a document, special tokens included; the rest is cut,
            and counted.
        bottom_up_layers: N1; the following two are N2 and N3 of Pang et al. 2022.
        attention_window: w: each token attends to itself and to half of this many on either side.
        kernel: Number of tokens pooled into one segment.
        stride: Tokens from the start of one segment to the start of the next.
        max_position_embeddings: Number of positions of the decoder.
    """

    encoder: str | None = None
    max_source_tokens: int = 16384
    bottom_up_layers: int = 8
    segment_layers: int = 2
    top_down_layers: int = 4
    attention_window: int = 1024
    kernel: int = 32
    stride: int = 24
    update: Update = Update.CROSS_ATTENTION
    d_model: int = 256
    decoder_layers: int = 3
    attention_heads: int = 4
    ffn_dim: int = 1024
    max_position_embeddings: int = 1024

    def __post_init__(self) -> None:
        sizes = ("top_down_layers", "attention_window", "kernel", "stride", "d_model", "decoder_layers")
        more = ("attention_heads", "ffn_dim", "max_position_embeddings")
        require_at_least("model", self, **dict.fromkeys((*sizes, *more), 1))
        require_at_least(
            "model", self, bottom_up_layers=0, segment_layers=0, max_source_tokens=_SMALLEST_SOURCE
        )
        if self.attention_window % 2:
            raise OptionError(
                f"model.attention_window {self.attention_window} cannot be halved", "give an even number"
            )
        if self.stride > self.kernel:
            raise OptionError(
                f"model.stride {self.stride} leaves tokens out between kernels of {self.kernel}",
                "give at most model.kernel",
            )
        require_whole_heads(self)

    @classmethod
    def of_base(cls, config: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
        """The settings that a Top-Down, a tagger or a BART brings along."""
        del manifest
        settings = bart_sizes(config)
        # The encoder's layers are counted by kind.
        settings.pop("encoder_layers", None)
        if config["model_type"] == CheckpointMethod.TOPDOWN.value:
            kept = [_RECIPE_NAMES.get(name, name) for name in cls().of_encoder]
            held = {_RECIPE_NAMES.get(name, name): value for name, value in config.items()}
            settings |= {name: held[name] for name in kept if name in held}
        return settings

    @property
    def of_encoder(self) -> dict[str, Any]:
        """The settings that also apply to a base, by their names in the configuration."""
        return {
            "bottom_up_layers": self.bottom_up_layers,
            "segment_layers": self.segment_layers,
            "top_down_layers": self.top_down_layers,
            "attention_window": self.attention_window,
            "kernel": self.kernel,
            "stride": self.stride,
            "update": self.update.value,
            "max_source_positions": self.max_source_tokens,
        }

    def of_all(self, vocab_size: int) -> dict[str, Any]:
        """The complete configuration of a model from scratch."""
        return {
            **self.of_encoder,
            **bart_config(self, self.max_position_embeddings),
            "vocab_size": vocab_size,
        }


def start_from(model: Any, wanted: type[Any], sizes: TopDownSizes, **settings: Any) -> Any:
    """Take a model of the given class as it is, or initialise one from any BART.

    Args:
        model: The base.
        wanted: ``TopDownForConditionalGeneration`` or ``TopDownForTokenClassification``.
        sizes: The sizes in the recipe; a base of the given class must have the same.
        **settings: Further configuration, which may differ from the base's.

    Raises:
        CheckpointError: The base is of another architecture.
        OptionError: The base does not support these settings.
    """
    from transformers import BartForConditionalGeneration

    if isinstance(model, wanted):
        for name, value in sizes.of_encoder.items():
            if getattr(model.config, name) != value:
                raise OptionError(
                    f"the base has {name} {getattr(model.config, name)}, the recipe {value}",
                    f"give --set model.{_RECIPE_NAMES.get(name, name)}={getattr(model.config, name)}",
                )
        for name, value in settings.items():
            setattr(model.config, name, value)
        return model
    if not isinstance(model, BartForConditionalGeneration):
        raise CheckpointError(
            f"Top-Down cannot start from a {type(model).__name__}",
            "give a BART or Top-Down checkpoint as base, or none",
        )
    built = wanted.from_bart(model, **sizes.of_encoder, **settings)
    if hasattr(built, "generation_config"):
        built.generation_config = model.generation_config
    return built


def load_tagger(name: str) -> tuple[Any, PreTrainedTokenizerBase]:
    """The importance tagger of a checkpoint, and its tokenizer.

    Raises:
        CheckpointError: It is missing, damaged, or not a tagger.
    """
    from lsum_cli.checkpoints.store import resolve_checkpoint
    from lsum_cli.models.topdown.modeling import TopDownForTokenClassification

    folder = resolve_checkpoint(name, offline=configure_network(offline=False))
    tagger, tokenizer = load_base(folder)
    if not isinstance(tagger, TopDownForTokenClassification):
        raise CheckpointError(
            f"{name} is a {type(tagger).__name__}, not an importance tagger",
            "train one with a recipe of the method tagger, such as tagger-small",
        )
    return tagger, tokenizer


class Pooling(enum.StrEnum):
    """How segments are pooled: uniformly, or weighted by importance (from the tagger or the reference)."""

    AVG = "avg"
    ADA = "ada"
    ORACLE = "oracle"


@dataclass(frozen=True, kw_only=True)
class ModelSettings(TopDownSizes):
    """The summariser's settings in addition to the encoder's.

    Attributes:
        tagger: The trained importance tagger to include in the checkpoint, for pooling ``ada``.
    """

    pooling: Pooling = Pooling.AVG
    tagger: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.pooling is Pooling.ADA) != (self.tagger is not None):
            problem = "needs an importance tagger" if self.tagger is None else "has no use for model.tagger"
            raise OptionError(
                f"model.pooling {self.pooling} {problem}",
                "train one (lsum train tagger-small …) and give --set model.tagger=FOLDER"
                if self.tagger is None
                else "leave it out, or give --set model.pooling=ada",
            )


def build_objective(recipe: Recipe, examples: Iterable[Example], base: Path | None) -> TopDownObjective:
    """Build the model, from a Top-Down or BART checkpoint or from scratch, and its objective.

    Raises:
        CheckpointError: The base or the tagger is missing, damaged, or of another architecture.
        OptionError: The base or the tagger does not support these settings.
    """
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

    settings: ModelSettings = recipe.model
    tagger = None if settings.tagger is None else load_tagger(settings.tagger)
    model: Any
    if beginning := load_beginning(recipe, base):
        loaded, tokenizer = beginning
        pooling = settings.pooling.value
        model = start_from(loaded, TopDownForConditionalGeneration, settings, pooling=pooling)
    else:
        # Tagger and summariser read the same tokens.
        tokenizer = tagger[1] if tagger else train_tokenizer(examples, recipe.tokenizer)
        config = TopDownConfig(**settings.of_all(len(tokenizer)), pooling=settings.pooling.value)
        model = TopDownForConditionalGeneration(config)
    if tagger is not None:
        if fingerprint_tokenizer(tagger[1]) != fingerprint_tokenizer(tokenizer):
            other = recipe.base or settings.encoder
            raise OptionError(
                f"the tagger {settings.tagger} has a different tokenizer from {other}",
                "train both from the same base",
            )
        model.attach_tagger(tagger[0])
    if model.tagger is not None:
        model.tagger.requires_grad_(False)
    recipe = infer_target_lengths(recipe, examples, tokenizer, model.config.max_position_embeddings)
    return TopDownObjective(model=model, tokenizer=tokenizer, recipe=recipe)


class TopDownObjective(Objective):
    """Cross-entropy of the reference, with oracle weights unless the pooling is ``avg``."""

    method = CheckpointMethod.TOPDOWN
    metric = "rouge2"
    _settings: ModelSettings

    def encode(self, example: Example) -> Features | None:
        """``input_ids`` and ``labels``; with importance, ``importance``, 1 for important tokens."""
        if not example.reference:
            return None
        source = self._source(example, example.reference)
        if source is None:
            return None
        features: dict[str, Any] = {
            "input_ids": source.token_ids,
            **count_source(source.total, source.dropped),
            **self._encode_reference(example.reference),
        }
        if source.labels is not None:
            features["importance"] = source.labels
        return features

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """Collate a batch; with importance, ``importance`` (batch, source_len) is added."""
        inputs = super().collate(batch)
        if self._settings.pooling is not Pooling.AVG:
            inputs["importance"] = pad_rows([each["importance"] for each in batch], 0).float()
        return inputs

    def _encoding_settings(self) -> tuple[object, ...]:
        return self._settings.max_source_tokens, self._settings.pooling is Pooling.AVG

    def _source(self, example: Example, reference: str) -> LabelledSource | None:
        return encode_labelled(
            self.tokenizer,
            self._frame,
            list_sentences(example.documents, keep_references=self.recipe.data.keep_references),
            None if self._settings.pooling is Pooling.AVG else reference,
            language=example.documents[0].language,
            max_tokens=self._settings.max_source_tokens,
        )
