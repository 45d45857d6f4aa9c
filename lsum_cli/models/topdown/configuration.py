"""Top-Down's configuration for ``transformers``."""

from __future__ import annotations

from typing import Any

from transformers import AutoConfig, BartConfig

from lsum_cli.models.topdown.settings import TopDownSettings


class TopDownConfig(BartConfig):
    """Everything BART has, and the settings of a Top-Down encoder; see :class:`TopDownSettings`.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type = TopDownSettings.model_type

    bottom_up_layers: int = TopDownSettings.bottom_up_layers
    segment_layers: int = TopDownSettings.segment_layers
    top_down_layers: int = TopDownSettings.top_down_layers
    attention_window: int = TopDownSettings.attention_window
    kernel: int = TopDownSettings.kernel
    stride: int = TopDownSettings.stride
    pooling: str = TopDownSettings.pooling
    update: str = TopDownSettings.update
    max_source_positions: int = TopDownSettings.max_source_positions
    tagger: dict[str, Any] | None = TopDownSettings.tagger
    layer_norm_eps: float = TopDownSettings.layer_norm_eps
    length_rule: str = TopDownSettings.length_rule

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        settings = TopDownSettings.of(self)
        self.encoder_layers = settings.bottom_up_layers + settings.top_down_layers


def register_configuration() -> None:
    """Register Top-Down with ``AutoConfig`` and ``AutoTokenizer``, without importing its model classes."""
    AutoConfig.register(TopDownConfig.model_type, TopDownConfig, exist_ok=True)
