"""A Top-Down model's settings: those of BART that it computes by, and the shape of its encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from lsum_cli.models.blocks.settings import BartSettings

POOLINGS = ("avg", "ada", "oracle")
UPDATES = ("cross_attention", "concat", "none")


@dataclass(frozen=True, kw_only=True)
class TopDownSettings(BartSettings):
    """What a Top-Down model computes by.

    ``encoder_layers`` is the sum of bottom-up and top-down layers, and ``max_position_embeddings``
    concerns the decoder alone.

    Attributes:
        bottom_up_layers: N1, layers of local self-attention below the segments.
        segment_layers: N2, layers of full self-attention over the segments.
        top_down_layers: N3, layers of local self-attention that are updated by the segments.
        attention_window: w; a token sees w / 2 tokens on either side, and itself.
        kernel: Tokens that are pooled to one segment.
        stride: Tokens from the start of one segment to the start of the next.
        pooling: What it was trained for: ``"avg"``, ``"ada"`` (weights from an importance tagger at
            test) or ``"oracle"`` (weights from the reference); the model computes by what it is given.
        update: How segments update tokens: ``"cross_attention"`` (Eq. 1), ``"concat"`` (each token is
            joined with the segments it lies in) or ``"none"``.
        max_source_positions: How many tokens a document may have.
        tagger: Configuration of the importance tagger that a summariser carries.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type: ClassVar[str] = "topdown"

    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    bottom_up_layers: int = 8
    segment_layers: int = 2
    top_down_layers: int = 4
    attention_window: int = 1024
    kernel: int = 32
    stride: int = 24
    pooling: str = "avg"
    update: str = "cross_attention"
    max_source_positions: int = 16384
    tagger: dict[str, Any] | None = None

    @property
    def has_segments(self) -> bool:
        """Whether segments update tokens at all."""
        return self.update != "none" and self.top_down_layers > 0

    def _problems(self) -> list[str]:
        sizes = ("max_source_positions", "attention_window", "kernel", "stride")
        counts = ("bottom_up_layers", "segment_layers", "top_down_layers")
        if bad_sizes := self._bad_sizes(dict.fromkeys(sizes, 1) | dict.fromkeys(counts, 0)):
            return bad_sizes
        problems = super()._problems() or self._bad_numbers(("dropout", "activation_dropout"))
        if problems:
            return problems
        problems += [
            f"{name} is {getattr(self, name)}, no probability"
            for name in ("dropout", "activation_dropout")
            if not 0 <= getattr(self, name) <= 1
        ]
        if not self.bottom_up_layers + self.top_down_layers:
            problems.append("there is neither a bottom-up nor a top-down layer")
        if self.attention_window % 2:
            problems.append(f"attention_window {self.attention_window} cannot be halved")
        if self.stride > self.kernel:
            problems.append(f"stride {self.stride} leaves tokens out between kernels of {self.kernel}")
        return problems + self._unknown_choices({"pooling": POOLINGS, "update": UPDATES})
