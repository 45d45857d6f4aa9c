"""What a Top-Down summariser and its importance tagger are set to alike, and how their models are made."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.network import settle_network
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.training.starting import load_base, special_ids

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

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
        for name in (*sizes, "attention_heads", "ffn_dim", "max_position_embeddings"):
            if getattr(self, name) < 1:
                raise OptionError(f"model.{name} {getattr(self, name)} is too small", "give 1 or more")
        for name in ("bottom_up_layers", "segment_layers"):
            if getattr(self, name) < 0:
                raise OptionError(f"model.{name} {getattr(self, name)} is too small", "give 0 or more")
        if self.max_source_tokens < _SMALLEST_SOURCE:
            raise OptionError(
                f"model.max_source_tokens {self.max_source_tokens} is too small",
                f"give {_SMALLEST_SOURCE} or more",
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
        if self.d_model % self.attention_heads:
            raise OptionError(
                f"model.d_model {self.d_model} cannot be split among {self.attention_heads} heads",
                "give a multiple of model.attention_heads",
            )

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
    from lsum_cli.models.topdown.tagging import TopDownForTokenClassification

    folder = resolve_checkpoint(name, offline=settle_network(offline=False))
    tagger, tokenizer = load_base(folder)
    if not isinstance(tagger, TopDownForTokenClassification):
        raise CheckpointError(
            f"{name} is no importance tagger but a {type(tagger).__name__}",
            "train one with a recipe of the method tagger, such as tagger-small",
        )
    return tagger, tokenizer


_RECIPE_NAMES = {"max_source_positions": "max_source_tokens"}
