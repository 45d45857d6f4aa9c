"""PageSum's configuration for ``transformers``, and its place among the Auto classes."""

from __future__ import annotations

from typing import Any

from transformers import AutoConfig, BartConfig

from lsum_cli.models.pagesum.settings import PageSumSettings


class PageSumConfig(BartConfig):
    """Everything BART has, and what a checkpoint must remember of PageSum; see :class:`PageSumSettings`.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type = PageSumSettings.model_type
    # What an evaluation loop need not carry to the CPU and pile up.
    keys_to_ignore_at_inference = [  # noqa: RUF012 - the name and form that transformers reads
        "past_key_values",
        "page_scores",
        "decoder_last_hidden_state",
        "encoder_last_hidden_state",
    ]

    page_len: int = PageSumSettings.page_len
    locality: str | None = PageSumSettings.locality
    mask_absent_pages: bool = PageSumSettings.mask_absent_pages
    paging: str = PageSumSettings.paging
    max_source_tokens: int | None = PageSumSettings.max_source_tokens
    decoding: str = PageSumSettings.decoding
    layer_norm_eps: float = PageSumSettings.layer_norm_eps
    length_rule: str = PageSumSettings.length_rule
    copy: bool = PageSumSettings.copy
    copy_dim: int = PageSumSettings.copy_dim
    copy_match: int = PageSumSettings.copy_match

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        PageSumSettings.of(self)


def register_configuration() -> None:
    """Register PageSum with ``AutoConfig`` and ``AutoTokenizer``, without importing its model class."""
    AutoConfig.register(PageSumConfig.model_type, PageSumConfig, exist_ok=True)
