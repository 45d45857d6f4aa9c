"""PageSum among the Auto classes of ``transformers``."""

from __future__ import annotations

from transformers import AutoConfig, AutoModelForSeq2SeqLM

from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration


def register_pagesum() -> None:
    """Let ``AutoConfig`` and ``AutoModelForSeq2SeqLM`` load PageSum checkpoints; may be called twice."""
    AutoConfig.register(PageSumConfig.model_type, PageSumConfig, exist_ok=True)
    AutoModelForSeq2SeqLM.register(PageSumConfig, PageSumForConditionalGeneration, exist_ok=True)
