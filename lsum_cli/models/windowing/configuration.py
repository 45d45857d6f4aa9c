"""The windowing model's configuration for ``transformers``."""

from __future__ import annotations

from typing import Any

from transformers import AutoConfig, PreTrainedConfig

from lsum_cli.models.windowing.settings import WindowingSettings


class WindowingConfig(PreTrainedConfig):
    """:class:`~lsum_cli.models.windowing.settings.WindowingSettings` for ``transformers``.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type = WindowingSettings.model_type
    keys_to_ignore_at_inference = ["log_probs"]  # noqa: RUF012 - the name and form that transformers reads

    vocab_size: int = WindowingSettings.vocab_size
    embedding_size: int = WindowingSettings.embedding_size
    hidden_size: int = WindowingSettings.hidden_size
    dropout: float = WindowingSettings.dropout
    window_len: int = WindowingSettings.window_len
    stride: int = WindowingSettings.stride
    windowing: str = WindowingSettings.windowing
    weight_k: float = WindowingSettings.weight_k
    weight_d: float = WindowingSettings.weight_d
    window_weights: str = WindowingSettings.window_weights
    bridge: str = WindowingSettings.bridge
    shifts: str = WindowingSettings.shifts
    paced: bool = WindowingSettings.paced
    summary_len: float = WindowingSettings.summary_len
    source_len: float = WindowingSettings.source_len
    stretch_len: int = WindowingSettings.stretch_len
    stretch_overlap: int = WindowingSettings.stretch_overlap
    max_window_tokens: int = WindowingSettings.max_window_tokens
    shift_token_id: int = WindowingSettings.shift_token_id
    unk_token_id: int = WindowingSettings.unk_token_id
    pad_token_id: int | None = WindowingSettings.pad_token_id
    bos_token_id: int | None = WindowingSettings.bos_token_id
    eos_token_id: int | None = WindowingSettings.eos_token_id
    decoder_start_token_id: int | None = WindowingSettings.decoder_start_token_id
    is_encoder_decoder: bool = True
    tie_word_embeddings: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        WindowingSettings.of(self)


def register_configuration() -> None:
    """Register the model with ``AutoConfig`` and ``AutoTokenizer``, without importing its class."""
    AutoConfig.register(WindowingConfig.model_type, WindowingConfig, exist_ok=True)
