"""PageSum among the Auto classes of ``transformers``."""

from __future__ import annotations

from transformers import AutoConfig

from lsum_cli.models.pagesum.configuration import PageSumConfig


def register_configuration() -> None:
    """Let ``AutoConfig`` and ``AutoTokenizer`` know PageSum, without the cost of its model class."""
    AutoConfig.register(PageSumConfig.model_type, PageSumConfig, exist_ok=True)


def register_pagesum() -> None:
    """Let ``AutoConfig`` and ``AutoModelForSeq2SeqLM`` load PageSum checkpoints; may be called twice."""
    from transformers import AutoModelForSeq2SeqLM

    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    register_configuration()
    AutoModelForSeq2SeqLM.register(PageSumConfig, PageSumForConditionalGeneration, exist_ok=True)
