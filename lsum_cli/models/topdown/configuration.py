"""A Top-Down model's settings: those of BART that it computes by, and the shape of its encoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from lsum_cli.errors import CheckpointError

UPDATES = ("cross_attention", "concat", "none")
_SIDES = ("encoder", "decoder")


@dataclass(frozen=True, kw_only=True)
class TopDownSettings:
    """What a Top-Down model computes by, as its checkpoint's configuration holds it.

    Attributes:
        vocab_size: Of encoder and decoder, as everything up to ``activation_dropout``: those of BART.
        max_position_embeddings: How many tokens a summary may have.
        max_source_positions: How many tokens a document may have.
        bottom_up_layers: N1, layers of local self-attention below the segments.
        segment_layers: N2, layers of full self-attention over the segments.
        top_down_layers: N3, layers of local self-attention that are updated by the segments.
        attention_window: w; a token sees w / 2 tokens on either side, and itself.
        kernel: Tokens that are pooled to one segment.
        stride: From one segment's first token to that of the next.
        update: How segments update tokens: ``"cross_attention"`` (Eq. 1), ``"concat"`` (each token is
            joined with the segments it lies in) or ``"none"``.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    vocab_size: int
    d_model: int
    encoder_attention_heads: int
    encoder_ffn_dim: int
    decoder_layers: int
    decoder_attention_heads: int
    decoder_ffn_dim: int
    max_position_embeddings: int
    activation_function: str = "gelu"
    scale_embedding: bool = False
    pad_token_id: int | None = 1
    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    max_source_positions: int = 16384
    bottom_up_layers: int = 8
    segment_layers: int = 2
    top_down_layers: int = 4
    attention_window: int = 1024
    kernel: int = 32
    stride: int = 24
    update: str = "cross_attention"

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise damaged_configuration(problem)

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Self:
        """Take the settings out of a checkpoint's ``config.json``."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in config.items() if name in names})

    @property
    def has_segments(self) -> bool:
        """Whether segments update tokens at all."""
        return self.update != "none" and self.top_down_layers > 0

    def _problems(self) -> list[str]:
        sizes = ["vocab_size", "d_model", "max_position_embeddings", "max_source_positions", "decoder_layers"]
        sizes += [f"{side}_{size}" for side in _SIDES for size in ("ffn_dim", "attention_heads")]
        sizes += ["attention_window", "kernel", "stride"]
        counts = ("bottom_up_layers", "segment_layers", "top_down_layers")
        least = dict.fromkeys(sizes, 1) | dict.fromkeys(counts, 0)
        values = {name: getattr(self, name) for name in least}
        problems = [
            f"{name} is {value!r}"
            for name, value in values.items()
            if not (isinstance(value, int) and value >= least[name])
        ]
        if problems:
            return problems
        if not self.bottom_up_layers + self.top_down_layers:
            problems.append("there is neither a bottom-up nor a top-down layer")
        for side in _SIDES:
            heads = values[f"{side}_attention_heads"]
            if self.d_model % heads:
                problems.append(f"d_model {self.d_model} cannot be split among {heads} {side} heads")
        if self.attention_window % 2:
            problems.append(f"attention_window {self.attention_window} cannot be halved")
        if self.stride > self.kernel:
            problems.append(f"stride {self.stride} leaves tokens out between kernels of {self.kernel}")
        if self.update not in UPDATES:
            problems.append(f"update '{self.update}' is none of {', '.join(UPDATES)}")
        return problems


def damaged_configuration(problem: str) -> CheckpointError:
    """The error of a configuration that no model can have."""
    return CheckpointError(
        f"the model's configuration is damaged: {problem}", "import or download the checkpoint again"
    )
