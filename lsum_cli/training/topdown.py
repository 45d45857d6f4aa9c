"""Training Top-Down: the reference after the whole document, pooled by the labels (Pang et al. 2022).

AdaPool is trained with oracle weights, the labels of the reference, and used with the tagger's. The
tagger is trained first; the summariser's checkpoint carries it along.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lsum_cli.checkpoints.manifest import CheckpointMethod, Manifest, Origin, OriginKind
from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError
from lsum_cli.methods.page_inputs import SequenceFrame
from lsum_cli.training.objective import Features
from lsum_cli.training.settings import Recipe
from lsum_cli.training.starting import fingerprint_tokenizer, train_tokenizer
from lsum_cli.training.targets import (
    check_target_length,
    count_source,
    encode_reference,
    pad_labels,
    pad_rows,
)
from lsum_cli.training.topdown_sizes import TopDownSizes, load_tagger, start_from
from lsum_cli.training.topdown_sources import LabelledSource, encode_labelled, list_sentences

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase


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
                f"the tagger {settings.tagger} has another tokenizer than {recipe.base}",
                "train both from the same base",
            )
        model.attach_tagger(tagger[0])
    if model.tagger is not None:
        model.tagger.requires_grad_(False)
    check_target_length(
        recipe.data.max_target_tokens, SequenceFrame.of(tokenizer), model.config.max_position_embeddings
    )
    return TopDownObjective(model=model, tokenizer=tokenizer, recipe=recipe)


class TopDownObjective:
    """Cross-entropy of the reference, with oracle weights unless the pooling is ``avg``."""

    metric = "rouge2"

    def __init__(self, *, model: Any, tokenizer: PreTrainedTokenizerBase, recipe: Recipe) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self._recipe = recipe
        self._settings: ModelSettings = recipe.model
        self._frame = SequenceFrame.of(tokenizer)
        self._pad: int = model.config.pad_token_id

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
            **encode_reference(
                self.tokenizer, self._frame, example.reference, self._recipe.data.max_target_tokens
            ),
        }
        if source.labels is not None:
            features["importance"] = source.labels
        return features

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """``input_ids`` and its masks (batch, source_len), ``labels`` (batch, target_len)."""
        inputs = {
            "input_ids": pad_rows([each["input_ids"] for each in batch], self._pad),
            "attention_mask": pad_rows([np.ones(len(each["input_ids"]), np.int64) for each in batch], 0),
            "labels": pad_labels([each["labels"] for each in batch]),
        }
        if self._settings.pooling is not Pooling.AVG:
            inputs["importance"] = pad_rows([each["importance"] for each in batch], 0).float()
        return inputs

    @property
    def fingerprint(self) -> str:
        """Tokenizer, cuts and labels."""
        data = self._recipe.data
        parts = (
            "topdown/1",
            fingerprint_tokenizer(self.tokenizer),
            (self._settings.max_source_tokens, self._settings.pooling is Pooling.AVG),
            (data.max_target_tokens, data.keep_references),
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def manifest(self, name: str) -> Manifest:
        """A Top-Down checkpoint."""
        return Manifest(
            name=name,
            method=CheckpointMethod.TOPDOWN,
            base=self._recipe.base,
            generation=self._recipe.generation,
            origin=Origin(kind=OriginKind.TRAINING, source=""),
        )

    def _source(self, example: Example, reference: str) -> LabelledSource | None:
        return encode_labelled(
            self.tokenizer,
            self._frame,
            list_sentences(example.documents, keep_references=self._recipe.data.keep_references),
            None if self._settings.pooling is Pooling.AVG else reference,
            language=example.documents[0].language,
            max_tokens=self._settings.max_source_tokens,
        )
