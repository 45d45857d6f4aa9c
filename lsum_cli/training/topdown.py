"""Documents as Top-Down learns from them: one stream of tokens, with labels of important words."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.manifest import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, SectionRole
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.network import settle_network
from lsum_cli.methods.model_inputs import SequenceFrame, encode_source
from lsum_cli.text.importance import content_lemmas, label_words
from lsum_cli.training.batches import (
    check_target_length,
    count_source,
    pad_rows,
)
from lsum_cli.training.initialisation import fingerprint_tokenizer, load_base, special_ids, train_tokenizer
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.settings import Recipe, require_at_least, require_whole_heads

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledSource:
    """What a model reads of an example.

    Attributes:
        token_ids: (source_len,), special tokens included.
        labels: (source_len,) 1 for tokens of important words, else 0; ``None`` where not asked for.
        is_text: (source_len,) whether a token is of the text, and no special token.
        total: Tokens of the whole text.
        dropped: Those of them that were cut off.
    """

    token_ids: NDArray[np.int32]
    labels: NDArray[np.uint8] | None
    is_text: NDArray[np.bool_]
    total: int
    dropped: int


def list_sentences(documents: Sequence[Document], *, keep_references: bool) -> list[str]:
    """The sentences of the documents, as pages hold them."""
    return [
        sentence.text
        for document in documents
        for section in document.sections
        if keep_references or section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]


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
        reference: ``None`` for no labels.
        max_tokens: Special tokens included; what follows is cut off.

    Returns:
        ``None`` where there is no text, or labels are wanted and the reference holds stop words only.
    """
    if not texts or (reference is not None and not content_lemmas(reference, language=language)):
        return None
    source = encode_source(tokenizer, frame, texts)
    labels = None
    if reference is not None:
        labels = source.spread(label_words(texts, reference, language=language)).astype(np.uint8)
    total = len(source) - len(frame)
    if len(source) > max_tokens:
        # The last special tokens stay at the end.
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


class Update(enum.StrEnum):
    """How tokens hear of the segments: Eq. 1, the ablation by concatenation, or not at all."""

    CROSS_ATTENTION = "cross_attention"
    CONCAT = "concat"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class TopDownSizes:
    """The encoder; ``d_model`` to ``max_position_embeddings`` count only from scratch.

    Attributes:
        max_source_tokens: Tokens of a document, special ones included; what follows is cut, and counted.
        bottom_up_layers: N1, and below N2 and N3 of Pang et al. 2022.
        attention_window: w: each token sees half of it on either side, and itself.
        kernel: Tokens pooled to one segment.
        stride: From one segment's first token to that of the next.
        max_position_embeddings: Of the decoder.
    """

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

    @property
    def of_encoder(self) -> dict[str, Any]:
        """As the configuration names what holds from a base too."""
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
        """Everything that a model from scratch is configured by."""
        return {
            **self.of_encoder,
            "vocab_size": vocab_size,
            "d_model": self.d_model,
            "decoder_layers": self.decoder_layers,
            "encoder_attention_heads": self.attention_heads,
            "decoder_attention_heads": self.attention_heads,
            "encoder_ffn_dim": self.ffn_dim,
            "decoder_ffn_dim": self.ffn_dim,
            "max_position_embeddings": self.max_position_embeddings,
            **special_ids(),
        }


def start_from(
    base: Path, wanted: type[Any], sizes: TopDownSizes, **settings: Any
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """A model of the wanted class from a checkpoint of that class, or from any BART.

    Args:
        base: Its folder.
        wanted: ``TopDownForConditionalGeneration`` or ``TopDownForTokenClassification``.
        sizes: A base of the wanted class keeps its own, and must have them so.
        **settings: More of the configuration, which may differ from the base's.

    Raises:
        CheckpointError: The base is of another architecture, damaged, or has no tokenizer.
        OptionError: Settings that the base cannot have.
    """
    from transformers import BartForConditionalGeneration

    loaded, tokenizer = load_base(base)
    model: Any = loaded
    if isinstance(model, wanted):
        for name, value in sizes.of_encoder.items():
            if getattr(model.config, name) != value:
                raise OptionError(
                    f"{base.name} has {name} {getattr(model.config, name)}, the recipe {value}",
                    f"give --set model.{_RECIPE_NAMES.get(name, name)}={getattr(model.config, name)}",
                )
        for name, value in settings.items():
            setattr(model.config, name, value)
        return model, tokenizer
    if not isinstance(model, BartForConditionalGeneration):
        raise CheckpointError(
            f"Top-Down cannot start from {base}, which is a {type(model).__name__}",
            "give a BART or Top-Down checkpoint as base, or none",
        )
    built = wanted.from_bart(model, **sizes.of_encoder, **settings)
    if hasattr(built, "generation_config"):
        built.generation_config = model.generation_config
    return built, tokenizer


def load_tagger(name: str) -> tuple[Any, PreTrainedTokenizerBase]:
    """The importance tagger of a checkpoint, and its tokenizer.

    Raises:
        CheckpointError: It is not here, damaged, or no tagger.
    """
    from lsum_cli.checkpoints.store import resolve_checkpoint
    from lsum_cli.models.topdown.modeling import TopDownForTokenClassification

    folder = resolve_checkpoint(name, offline=settle_network(offline=False))
    tagger, tokenizer = load_base(folder)
    if not isinstance(tagger, TopDownForTokenClassification):
        raise CheckpointError(
            f"{name} is a {type(tagger).__name__}, not an importance tagger",
            "train one with a recipe of the method tagger, such as tagger-small",
        )
    return tagger, tokenizer


_RECIPE_NAMES = {"max_source_positions": "max_source_tokens"}


class Pooling(enum.StrEnum):
    """How segments are pooled: alike, or by importance, at test the tagger's or the reference's."""

    AVG = "avg"
    ADA = "ada"
    ORACLE = "oracle"


@dataclass(frozen=True, kw_only=True)
class ModelSettings(TopDownSizes):
    """The summariser's own settings beside those of the encoder.

    Attributes:
        tagger: The trained importance tagger that the checkpoint is to carry, for pooling ``ada``.
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
        CheckpointError: The base or the tagger is of another architecture, damaged, or not here.
        OptionError: Settings that the base or the tagger cannot have.
    """
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

    settings: ModelSettings = recipe.model
    tagger = None if settings.tagger is None else load_tagger(settings.tagger)
    model: Any
    if base is not None:
        model, tokenizer = start_from(
            base, TopDownForConditionalGeneration, settings, pooling=settings.pooling.value
        )
    else:
        # Both read the same tokens.
        tokenizer = tagger[1] if tagger else train_tokenizer(examples, recipe.tokenizer)
        config = TopDownConfig(**settings.of_all(len(tokenizer)), pooling=settings.pooling.value)
        model = TopDownForConditionalGeneration(config)
    if tagger is not None:
        if fingerprint_tokenizer(tagger[1]) != fingerprint_tokenizer(tokenizer):
            raise OptionError(
                f"the tagger {settings.tagger} has a different tokenizer from {recipe.base}",
                "train both from the same base",
            )
        model.attach_tagger(tagger[0])
    if model.tagger is not None:
        model.tagger.requires_grad_(False)
    check_target_length(
        recipe.data.max_target_tokens, SequenceFrame.of(tokenizer), model.config.max_position_embeddings
    )
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
        """As every objective; with importance, ``importance`` (batch, source_len) too."""
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
            list_sentences(example.documents, keep_references=self._recipe.data.keep_references),
            None if self._settings.pooling is Pooling.AVG else reference,
            language=example.documents[0].language,
            max_tokens=self._settings.max_source_tokens,
        )
