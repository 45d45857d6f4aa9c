"""Training any encoder-decoder of ``transformers`` on plain pairs: the baseline for the other methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, sentences_to_read
from lsum_cli.errors import OptionError
from lsum_cli.generation.options import Slots
from lsum_cli.methods.model_inputs import InputForm
from lsum_cli.training.batches import count_source, infer_target_lengths
from lsum_cli.training.initialisation import bart_config, load_base, train_tokenizer
from lsum_cli.training.objectives import Features, Objective
from lsum_cli.training.settings import Recipe, bart_sizes, require_at_least, require_whole_heads

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BartForConditionalGeneration, PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """The settings of a plain encoder-decoder; sizes apply only to a BART trained from scratch.

    Attributes:
        max_source_tokens: Maximum number of tokens of a document; longer ones are cut, and counted. ``None``
            for as many as the model can read.
    """

    max_source_tokens: int | None = None
    d_model: int = 256
    encoder_layers: int = 3
    decoder_layers: int = 3
    attention_heads: int = 4
    ffn_dim: int = 1024
    max_position_embeddings: int = 1024

    def __post_init__(self) -> None:
        sizes = ("max_source_tokens", "d_model", "encoder_layers", "decoder_layers", "attention_heads")
        require_at_least("model", self, **dict.fromkeys((*sizes, "ffn_dim", "max_position_embeddings"), 1))
        require_whole_heads(self)

    @classmethod
    def of_base(cls, config: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
        """The settings that a base brings along: the sizes of a BART."""
        del manifest
        return bart_sizes(config)


def build_objective(recipe: Recipe, examples: Iterable[Example], base: Path | None) -> Seq2SeqObjective:
    """Build the model, from any encoder-decoder or as a BART from scratch, and its objective.

    Raises:
        CheckpointError: The base is damaged, or has no tokenizer.
        OptionError: The model does not support these settings.
    """
    settings: ModelSettings = recipe.model
    model: PreTrainedModel
    if recipe.generation.slots is Slots.SHARED:
        raise OptionError(
            "shared slots are not for seq2seq models, which are searched by transformers",
            "leave out generation.slots",
        )
    if base is not None:
        model, tokenizer = load_base(base)
    else:
        tokenizer = train_tokenizer(examples, recipe.tokenizer, max_length=settings.max_position_embeddings)
        model = _from_scratch(settings, len(tokenizer))
    form = InputForm.of(model.config.to_dict(), tokenizer)
    if settings.max_source_tokens and not form.can_exceed and settings.max_source_tokens > form.max_tokens:
        raise OptionError(
            f"model.max_source_tokens {settings.max_source_tokens} exceeds the {form.max_tokens} that the"
            " model reads",
            f"give {form.max_tokens} or less",
        )
    recipe = infer_target_lengths(recipe, examples, tokenizer, form.max_written)
    return Seq2SeqObjective(model=model, tokenizer=tokenizer, form=form, recipe=recipe)


class Seq2SeqObjective(Objective):
    """Cross-entropy of the reference given as much of the documents as the model can read at once."""

    method = CheckpointMethod.SEQ2SEQ
    _settings: ModelSettings

    def __init__(
        self, *, model: Any, tokenizer: PreTrainedTokenizerBase, form: InputForm, recipe: Recipe
    ) -> None:
        super().__init__(model=model, tokenizer=tokenizer, recipe=recipe)
        self._form = form
        self._max_tokens = self._settings.max_source_tokens or form.max_tokens

    def encode(self, example: Example) -> Features | None:
        """The beginning of the documents as ``input_ids`` and the reference as ``labels``."""
        if not example.reference:
            return None
        ids = self._ids(self._form.prefix) if self._form.prefix else []
        for position, document in enumerate(example.documents):
            if position and self._form.separator_id is not None:
                ids.append(self._form.separator_id)
            ids += self._ids(_text(document, keep_references=self.recipe.data.keep_references))
        room = self._max_tokens - len(self._frame)
        return {
            "input_ids": np.array(self._frame.around(ids[:room]), dtype=np.int32),
            **count_source(len(ids), max(0, len(ids) - room)),
            **self._encode_reference(example.reference),
        }

    def collate(self, batch: Sequence[Features]) -> dict[str, Tensor]:
        """Collate a batch, with the mask of global attention, if the model has it: (batch, source_len)."""
        inputs = super().collate(batch)
        if self._form.has_global_attention:
            inputs["global_attention_mask"] = self._form.global_attention(inputs["input_ids"])
        return inputs

    def _encoding_settings(self) -> tuple[object, ...]:
        return self._form.prefix, self._form.separator_id, self._max_tokens

    def _ids(self, text: str) -> list[int]:
        encoded = self.tokenizer(text, add_special_tokens=False, verbose=False)
        return list(encoded["input_ids"])


def _text(document: Document, *, keep_references: bool) -> str:
    """A document's sentences as running text."""
    sentences = sentences_to_read([document], keep_references=keep_references)
    return " ".join(sentence.text for sentence in sentences)


def _from_scratch(settings: ModelSettings, vocab_size: int) -> BartForConditionalGeneration:
    from transformers import BartConfig, BartForConditionalGeneration

    config = BartConfig(
        vocab_size=vocab_size,
        encoder_layers=settings.encoder_layers,
        **bart_config(settings, settings.max_position_embeddings),
    )
    return BartForConditionalGeneration(config)
