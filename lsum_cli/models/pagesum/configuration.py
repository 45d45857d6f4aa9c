"""PageSum's settings: those of BART, and what a checkpoint must remember of how it was trained."""

from __future__ import annotations

from typing import Any

from transformers import AutoConfig, BartConfig

from lsum_cli.errors import CheckpointError

DECODINGS = ("page", "global")
LENGTH_RULES = ("current", "start_and_bos")


class PageSumConfig(BartConfig):
    """Everything BART has, and settings of PageSum's own.

    Args:
        page_len: Tokens a page holds at most, ``<s>`` and ``</s>`` included.
        locality: What the checkpoint was trained for: ``"spatial"``, ``"discourse"`` or
            ``"document"``; ``None`` where it was not trained with pages.
        mask_absent_pages: Whether a page without tokens has weight exactly 0. Checkpoints of the
            published code fill it with a full stop instead, which takes part: ``False``.
        decoding: ``"page"``: every page is decoded on its own and the results are mixed (Eqs. 6-9);
            ``"global"``: the encoded pages are concatenated and decoded once (Table 7).
        length_rule: How beam scores count a hypothesis' length; see
            :class:`lsum_cli.generation.options.LengthRule`.
        copy: Whether words may be copied from the pages; see :mod:`lsum_cli.models.pagesum.copying`.
            No published checkpoint does.
        copy_dim: Width of the queries and keys of copying.
        copy_match: How many of the last words written are looked for on the pages, to copy what follows.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type = "pagesum"
    # What an evaluation loop need not carry to the CPU and pile up.
    keys_to_ignore_at_inference = [  # noqa: RUF012 - the name and form that transformers reads
        "past_key_values",
        "page_scores",
        "decoder_last_hidden_state",
        "encoder_last_hidden_state",
    ]

    page_len: int = 1024
    locality: str | None = None
    mask_absent_pages: bool = True
    decoding: str = "page"
    length_rule: str = "current"
    copy: bool = False
    copy_dim: int = 64
    copy_match: int = 0

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        for problem in self._problems():
            raise CheckpointError(
                f"the model's configuration is damaged: {problem}", "import or download the checkpoint again"
            )

    def _problems(self) -> list[str]:
        by_side = ("layers", "ffn_dim", "attention_heads")
        sizes = ["vocab_size", "d_model", "max_position_embeddings", "page_len", "copy_dim"]
        sizes += [f"{side}_{size}" for side in ("encoder", "decoder") for size in by_side]
        values = {name: getattr(self, name) for name in sizes}
        problems = [f"{name} is {value!r}" for name, value in values.items() if not _is_size(value)]
        if problems:
            return problems
        for side in ("encoder", "decoder"):
            heads = getattr(self, f"{side}_attention_heads")
            if self.d_model % heads:
                problems.append(f"d_model {self.d_model} cannot be split among {heads} {side} heads")
        if self.page_len > self.max_position_embeddings:
            problems.append(f"page_len {self.page_len} exceeds the {self.max_position_embeddings} positions")
        if not isinstance(self.copy_match, int) or self.copy_match < 0:
            problems.append(f"copy_match is {self.copy_match!r}")
        elif self.copy_match and (self.decoding == "global" or not self.copy):
            problems.append("copy_match needs copy, and decoding 'page'")
        if self.decoding not in DECODINGS:
            problems.append(f"decoding '{self.decoding}' is none of {', '.join(DECODINGS)}")
        if self.length_rule not in LENGTH_RULES:
            problems.append(f"length_rule '{self.length_rule}' is none of {', '.join(LENGTH_RULES)}")
        return problems


def _is_size(value: object) -> bool:
    return isinstance(value, int) and value >= 1


def register_configuration() -> None:
    """Let ``AutoConfig`` and ``AutoTokenizer`` know PageSum, without the cost of its model class."""
    AutoConfig.register(PageSumConfig.model_type, PageSumConfig, exist_ok=True)


def register_pagesum() -> None:
    """Let ``AutoConfig`` and ``AutoModelForSeq2SeqLM`` load PageSum checkpoints; may be called twice."""
    from transformers import AutoModelForSeq2SeqLM

    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    register_configuration()
    AutoModelForSeq2SeqLM.register(PageSumConfig, PageSumForConditionalGeneration, exist_ok=True)
