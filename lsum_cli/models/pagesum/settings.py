"""PageSum's settings as plain values: what a checkpoint's ``config.json`` says of what the model computes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

from lsum_cli.errors import CheckpointError

DECODINGS = ("page", "global")
LENGTH_RULES = ("current", "start_and_bos")


@dataclass(frozen=True, kw_only=True)
class PageSumSettings:
    """BART's settings that matter for inference, under BART's names, and those of PageSum's own.

    Attributes:
        page_len: Tokens a page holds at most, ``<s>`` and ``</s>`` included.
        locality: What the checkpoint was trained for: ``"spatial"``, ``"discourse"`` or
            ``"document"``; ``None`` where it was not trained with pages.
        mask_absent_pages: Whether a page without tokens has weight exactly 0. Checkpoints of the
            published code fill it with a full stop instead, which takes part: ``False``.
        decoding: ``"page"``: every page is decoded on its own and the results are mixed (Eqs. 6-9);
            ``"global"``: the encoded pages are concatenated and decoded once (Table 7).
        length_rule: How beam scores count a hypothesis' length; see
            :class:`lsum_cli.generation.options.LengthRule`.
        copy: Whether words may be copied from the pages; see :mod:`lsum_cli.models.pagesum.mixing`.
            No published checkpoint does.
        copy_dim: Width of the queries and keys of copying.
        copy_match: How many of the last words written are looked for on the pages, to copy what follows.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type: ClassVar[str] = "pagesum"

    vocab_size: int = 50265
    max_position_embeddings: int = 1024
    d_model: int = 1024
    encoder_layers: int = 12
    encoder_ffn_dim: int = 4096
    encoder_attention_heads: int = 16
    decoder_layers: int = 12
    decoder_ffn_dim: int = 4096
    decoder_attention_heads: int = 16
    activation_function: str = "gelu"
    scale_embedding: bool = False
    bos_token_id: int | None = 0
    pad_token_id: int | None = 1
    eos_token_id: int | None = 2
    decoder_start_token_id: int | None = 2
    forced_bos_token_id: int | None = None
    forced_eos_token_id: int | None = 2
    page_len: int = 1024
    locality: str | None = None
    mask_absent_pages: bool = True
    decoding: str = "page"
    length_rule: str = "current"
    copy: bool = False
    copy_dim: int = 64
    copy_match: int = 0

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise CheckpointError(
                f"the model's configuration is damaged: {problem}", "import or download the checkpoint again"
            )

    @classmethod
    def of(cls, config: object) -> Self:
        """Take the settings over from the attributes of a ``transformers`` configuration.

        Raises:
            CheckpointError: As above.
        """
        return cls._known(vars(config))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read them from the files of a checkpoint.

        The forced tokens come from ``generation_config.json``; old checkpoints without it have them in
        ``config.json``.

        Raises:
            CheckpointError: As above.
            OSError: There is no ``config.json``.
            ValueError: It is not valid JSON.
        """
        values = json.loads((folder / "config.json").read_bytes())
        file = folder / "generation_config.json"
        if file.is_file():
            generation = json.loads(file.read_bytes())
            for name in ("forced_bos_token_id", "forced_eos_token_id"):
                values[name] = generation.get(name)
        return cls._known(values)

    @classmethod
    def _known(cls, values: Mapping[str, Any]) -> Self:
        return cls(**{each.name: values[each.name] for each in fields(cls) if each.name in values})

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
