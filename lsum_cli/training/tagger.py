"""Training the importance tagger: which tokens are of words that the summary uses too (Pang et al. 2022)."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lsum_cli.checkpoints.manifest import CheckpointMethod, Manifest, Origin, OriginKind
from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError
from lsum_cli.methods.page_inputs import SequenceFrame
from lsum_cli.training.batches import IGNORED_LABEL, count_source, encode_reference, pad_labels, pad_rows
from lsum_cli.training.initialisation import fingerprint_tokenizer, train_tokenizer
from lsum_cli.training.objectives import Features
from lsum_cli.training.settings import Recipe
from lsum_cli.training.topdown import TopDownSizes, encode_labelled, list_sentences, start_from

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

# A token counts as important from this probability on where F1 is measured.
THRESHOLD = 0.5


@dataclass(frozen=True, kw_only=True)
class ModelSettings(TopDownSizes):
    """The tagger's settings: those of the encoder; it has no decoder."""


def build_objective(recipe: Recipe, examples: Iterable[Example], base: Path | None) -> TaggerObjective:
    """Build the tagger, from another one, from a BART, or from scratch, and its objective.

    Raises:
        CheckpointError: The base is of another architecture, damaged, or has no tokenizer.
        OptionError: Settings that the base cannot have.
    """
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.tagging import TopDownForTokenClassification

    if recipe.training.label_smoothing_factor:
        raise OptionError(
            "training.label_smoothing_factor has no meaning for the tagger, which chooses no words",
            "give --set training.label_smoothing_factor=0",
        )
    settings: ModelSettings = recipe.model
    model: Any
    if base is not None:
        model, tokenizer = start_from(base, TopDownForTokenClassification, settings)
    else:
        tokenizer = train_tokenizer(examples, recipe.tokenizer)
        model = TopDownForTokenClassification(TopDownConfig(**settings.of_all(len(tokenizer))))
    return TaggerObjective(model=model, tokenizer=tokenizer, recipe=recipe)


class TaggerObjective:
    """Binary cross-entropy of every token's label."""

    metric = "f1"

    def __init__(self, *, model: Any, tokenizer: PreTrainedTokenizerBase, recipe: Recipe) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self._recipe = recipe
        self._settings: ModelSettings = recipe.model
        self._frame = SequenceFrame.of(tokenizer)
        self._pad: int = model.config.pad_token_id

    def encode(self, example: Example) -> Features | None:
        """``input_ids`` and ``labels``: 1 for tokens of important words, else 0, -100 for special tokens."""
        if not example.reference:
            return None
        data = self._recipe.data
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
        # Of the reference only its words count, and all of them do.
        counts = encode_reference(self.tokenizer, self._frame, example.reference, sys.maxsize)
        del counts["labels"]
        return {
            "input_ids": source.token_ids,
            "labels": np.where(source.is_text, source.labels, IGNORED_LABEL).astype(np.int8),
            **count_source(source.total, source.dropped),
            **counts,
        }

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """``input_ids``, ``attention_mask`` and ``labels``, all (batch, source_len)."""
        return {
            "input_ids": pad_rows([each["input_ids"] for each in batch], self._pad),
            "attention_mask": pad_rows([np.ones(len(each["input_ids"]), np.int64) for each in batch], 0),
            "labels": pad_labels([each["labels"] for each in batch]),
        }

    def tally(self, output: Any, inputs: Mapping[str, Tensor]) -> dict[str, float]:
        """Tokens found important rightly, wrongly, and missed, in a batch of validation."""
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

    @property
    def fingerprint(self) -> str:
        """Tokenizer, cuts and labels."""
        parts = (
            "tagger/1",
            fingerprint_tokenizer(self.tokenizer),
            (self._settings.max_source_tokens, self._recipe.data.keep_references),
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def manifest(self, name: str) -> Manifest:
        """A checkpoint that a summariser can take along."""
        return Manifest(
            name=name,
            method=CheckpointMethod.TAGGER,
            base=self._recipe.base,
            origin=Origin(kind=OriginKind.TRAINING, source=""),
        )
