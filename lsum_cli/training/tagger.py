"""Training the importance tagger, which finds the words that a summary would use (Pang et al. 2022)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lsum_cli.checkpoints.manifest import GenerationDefaults, Manifest
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError
from lsum_cli.training.batches import IGNORED_LABEL, count_source, encode_reference
from lsum_cli.training.initialisation import load_beginning, train_tokenizer
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.settings import Recipe
from lsum_cli.training.topdown import TopDownSizes, encode_labelled, list_sentences, start_from

if TYPE_CHECKING:
    from torch import Tensor

# Probability from which a token counts as important when F1 is measured.
THRESHOLD = 0.5


@dataclass(frozen=True, kw_only=True)
class ModelSettings(TopDownSizes):
    """The tagger's settings: those of the encoder; it has no decoder."""


def build_objective(recipe: Recipe, examples: Iterable[Example], base: Path | None) -> TaggerObjective:
    """Build the tagger, from another one, from a BART, or from scratch, and its objective.

    Raises:
        CheckpointError: The base is of another architecture, damaged, or has no tokenizer.
        OptionError: The base does not support these settings.
    """
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.modeling import TopDownForTokenClassification

    if recipe.training.label_smoothing_factor:
        raise OptionError(
            "training.label_smoothing_factor does not apply to the tagger, which generates no words",
            "give --set training.label_smoothing_factor=0",
        )
    settings: ModelSettings = recipe.model
    model: Any
    if beginning := load_beginning(recipe, base):
        loaded, tokenizer = beginning
        model = start_from(loaded, TopDownForTokenClassification, settings)
    else:
        tokenizer = train_tokenizer(examples, recipe.tokenizer)
        model = TopDownForTokenClassification(TopDownConfig(**settings.of_all(len(tokenizer))))
    return TaggerObjective(model=model, tokenizer=tokenizer, recipe=recipe)


class TaggerObjective(Objective):
    """Binary cross-entropy of every token's label."""

    method = CheckpointMethod.TAGGER
    metric = "f1"
    _settings: ModelSettings

    def encode(self, example: Example) -> Features | None:
        """``input_ids`` and ``labels``: 1 for tokens of important words, else 0, -100 for special tokens."""
        if not example.reference:
            return None
        data = self.recipe.data
        source = encode_labelled(
            self.tokenizer,
            self._frame,
            list_sentences(example.documents, keep_references=data.keep_references),
            example.reference,
            language=example.documents[0].language,
            max_tokens=self._settings.max_source_tokens,
        )
        if source is None or source.labels is None:
            return None
        # All words of the reference count; its length is not limited.
        counts = encode_reference(self.tokenizer, self._frame, example.reference, sys.maxsize)
        del counts["labels"]
        return {
            "input_ids": source.token_ids,
            "labels": np.where(source.is_text, source.labels, IGNORED_LABEL).astype(np.int8),
            **count_source(source.total, source.dropped),
            **counts,
        }

    def tally(self, output: Any, inputs: Mapping[str, Tensor]) -> dict[str, float]:
        """True positives, false positives and false negatives among the tokens of a validation batch."""
        labels = inputs["labels"]
        counts = labels != IGNORED_LABEL
        found = (output.logits.sigmoid() >= THRESHOLD) & counts
        important = (labels == 1) & counts
        return {
            "right": float((found & important).sum()),
            "wrong": float((found & ~important).sum()),
            "missed": float((~found & important).sum()),
        }

    def measure(self, sums: Mapping[str, float]) -> dict[str, float]:
        """F1, precision and recall of important tokens, in percent."""
        right = sums["right"]
        return {
            "f1": 200 * right / max(1.0, 2 * right + sums["wrong"] + sums["missed"]),
            "precision": 100 * right / max(1.0, right + sums["wrong"]),
            "recall": 100 * right / max(1.0, right + sums["missed"]),
        }

    def _encoding_settings(self) -> tuple[object, ...]:
        return (self._settings.max_source_tokens,)

    def manifest(self, name: str) -> Manifest:
        """The manifest of a tagger, which has no generation settings."""
        return replace(super().manifest(name), generation=GenerationDefaults())
