"""The windowing model among the Auto classes of ``transformers``."""

from __future__ import annotations

from transformers import AutoConfig, AutoModelForSeq2SeqLM

from lsum_cli.models.windowing.configuration import WindowingConfig
from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration


def register_windowing() -> None:
    """Let ``AutoConfig`` and ``AutoModelForSeq2SeqLM`` load windowing checkpoints; may be called twice."""
    AutoConfig.register(WindowingConfig.model_type, WindowingConfig, exist_ok=True)
    AutoModelForSeq2SeqLM.register(WindowingConfig, WindowingForConditionalGeneration, exist_ok=True)
