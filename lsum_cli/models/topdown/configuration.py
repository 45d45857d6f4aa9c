"""Top-Down's settings: those of BART, and the shape of its encoder."""

from __future__ import annotations

from typing import Any

from transformers import BartConfig

from lsum_cli.errors import CheckpointError

POOLINGS = ("avg", "ada", "oracle")
UPDATES = ("cross_attention", "concat", "none")
LENGTH_RULES = ("current", "start_and_bos")


class TopDownConfig(BartConfig):
    """Everything BART has, and the settings of a Top-Down encoder.

    ``encoder_layers`` is what follows from the others: bottom-up and top-down layers together.

    Args:
        bottom_up_layers: N1, layers of local self-attention below the segments.
        segment_layers: N2, layers of full self-attention over the segments.
        top_down_layers: N3, layers of local self-attention that hear of the segments.
        attention_window: w; a token sees w / 2 tokens on either side, and itself.
        kernel: Tokens that are pooled to one segment.
        stride: From one segment's first token to that of the next.
        pooling: What it was trained for: ``"avg"``, ``"ada"`` (weights from an importance tagger at
            test) or ``"oracle"`` (weights from the reference); the model computes by what it is given.
        update: How top-down layers hear of the segments: ``"cross_attention"`` (Eq. 1),
            ``"concat"`` (each token is joined with the segments it lies in) or ``"none"``.
        max_source_positions: How many tokens a document may have; ``max_position_embeddings`` counts
            for the decoder alone.
        tagger: Of a summariser that carries its importance tagger, the tagger's configuration.
        length_rule: How beam scores count a hypothesis' length; see
            :class:`lsum_cli.generation.options.LengthRule`.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type = "topdown"

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
    length_rule: str = "current"

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        for problem in self._problems():
            raise CheckpointError(
                f"the model's configuration is damaged: {problem}", "import or download the checkpoint again"
            )
        self.encoder_layers = self.bottom_up_layers + self.top_down_layers

    @property
    def has_segments(self) -> bool:
        """Whether tokens hear of segments at all."""
        return self.update != "none" and self.top_down_layers > 0

    def _problems(self) -> list[str]:
        sizes = ["vocab_size", "d_model", "max_position_embeddings", "max_source_positions", "decoder_layers"]
        sizes += [
            f"{side}_{size}" for side in ("encoder", "decoder") for size in ("ffn_dim", "attention_heads")
        ]
        sizes += ["attention_window", "kernel", "stride"]
        counts = ("bottom_up_layers", "segment_layers", "top_down_layers")
        problems = [
            f"{name} is {value!r}" for name in sizes if not _is_count(value := getattr(self, name), 1)
        ]
        problems += [
            f"{name} is {value!r}" for name in counts if not _is_count(value := getattr(self, name), 0)
        ]
        if problems:
            return problems
        if not self.bottom_up_layers + self.top_down_layers:
            problems.append("there is neither a bottom-up nor a top-down layer")
        for side in ("encoder", "decoder"):
            heads = getattr(self, f"{side}_attention_heads")
            if self.d_model % heads:
                problems.append(f"d_model {self.d_model} cannot be split among {heads} {side} heads")
        if self.attention_window % 2:
            problems.append(f"attention_window {self.attention_window} cannot be halved")
        if self.stride > self.kernel:
            problems.append(f"stride {self.stride} leaves tokens out between kernels of {self.kernel}")
        choices = {"pooling": POOLINGS, "update": UPDATES, "length_rule": LENGTH_RULES}
        for name, known in choices.items():
            if getattr(self, name) not in known:
                problems.append(f"{name} '{getattr(self, name)}' is none of {', '.join(known)}")
        return problems


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and value >= least
