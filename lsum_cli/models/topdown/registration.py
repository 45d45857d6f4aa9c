"""The Top-Down models among the Auto classes of ``transformers``."""

from __future__ import annotations

from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoModelForTokenClassification

from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration
from lsum_cli.models.topdown.tagging import TopDownForTokenClassification


def register_topdown() -> None:
    """Let the Auto classes load Top-Down summarisers and taggers; may be called twice."""
    AutoConfig.register(TopDownConfig.model_type, TopDownConfig, exist_ok=True)
    AutoModelForSeq2SeqLM.register(TopDownConfig, TopDownForConditionalGeneration, exist_ok=True)
    AutoModelForTokenClassification.register(TopDownConfig, TopDownForTokenClassification, exist_ok=True)
