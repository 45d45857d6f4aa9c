"""What each encoder-decoder of ``transformers`` wants around its input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_GLOBAL_ATTENTION = {"led"}
_PREFIXES = {"t5": "summarize: "}
_LANGUAGE_FORCED = {"mbart"}
# Relative positions have no end; these are the lengths that the families were trained with.
_TRAINED_LENGTHS = {"t5": 512, "mt5": 1024, "umt5": 1024, "longt5": 16384}
_DEFAULT_LENGTH = 1024
# Tokenizers without a limit of their own say 10^30.
_NO_LIMIT = 1 << 24
_SEPARATOR = "<doc-sep>"


@dataclass(frozen=True, kw_only=True)
class InputForm:
    """How the input of an architecture looks.

    Attributes:
        max_tokens: What a model reads at once, special tokens included.
        can_exceed: Whether it can read more, though it was not trained to.
        max_written: What it can write at most, special tokens included; ``None`` for any number.
        prefix: Stands before every input.
        separator_id: Stands between documents, of which then several make one input (PRIMERA).
        has_global_attention: Whether the first token and separators are to be seen from everywhere.
        first_token_id: What the summary has to begin with, such as a language; ``None`` for
            whatever the checkpoint says.
    """

    max_tokens: int
    can_exceed: bool
    max_written: int | None
    prefix: str
    separator_id: int | None
    has_global_attention: bool
    first_token_id: int | None

    @classmethod
    def of(cls, config: Mapping[str, Any], tokenizer: PreTrainedTokenizerBase) -> Self:
        """Find out from a checkpoint's ``config.json`` and tokenizer."""
        family = str(config.get("model_type"))
        read = _size(config, "max_encoder_position_embeddings", "max_position_embeddings")
        written = _size(config, "max_decoder_position_embeddings", "max_position_embeddings")
        stated = tokenizer.model_max_length if tokenizer.model_max_length < _NO_LIMIT else None
        if read is None:
            limit = max(stated or 0, _size(config, "n_positions") or _TRAINED_LENGTHS.get(family, 0))
        else:
            limit = min(read, stated or read)
        return cls(
            max_tokens=limit or _DEFAULT_LENGTH,
            can_exceed=read is None,
            max_written=written,
            prefix=_prefix(config, family),
            separator_id=tokenizer.get_vocab().get(_SEPARATOR),
            has_global_attention=family in _GLOBAL_ATTENTION,
            first_token_id=_language_id(tokenizer) if family in _LANGUAGE_FORCED else None,
        )


def _size(config: Mapping[str, Any], *names: str) -> int | None:
    values = (config.get(name) for name in names)
    return next((value for value in values if type(value) is int and value > 0), None)


def _prefix(config: Mapping[str, Any], family: str) -> str:
    """What the checkpoint states for summarisation, else what its family was trained with."""
    tasks = config.get("task_specific_params") or {}
    stated = tasks.get("summarization", {}).get("prefix") if isinstance(tasks, dict) else None
    return str(stated) if stated else _PREFIXES.get(family, "")


def _language_id(tokenizer: PreTrainedTokenizerBase) -> int | None:
    """The token of the language that the tokenizer is set to write."""
    language = getattr(tokenizer, "tgt_lang", None) or getattr(tokenizer, "src_lang", None)
    return tokenizer.get_vocab().get(language) if language else None
