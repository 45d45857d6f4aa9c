"""PageSum's settings as plain values: the part of ``config.json`` that determines what the model computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lsum_cli.models.blocks.settings import BartSettings

DECODINGS = ("page", "global")
PAGINGS = ("whole", "published")


@dataclass(frozen=True, kw_only=True)
class PageSumSettings(BartSettings):
    """BART's settings that matter for inference, and those of PageSum's own.

    Attributes:
        page_len: Maximum number of tokens of a page, ``<s>`` and ``</s>`` included.
        locality: What the checkpoint was trained for: ``"spatial"``, ``"discourse"`` or
            ``"document"``; ``None`` where it was not trained with pages.
        mask_absent_pages: Whether a page without tokens has weight exactly 0. Checkpoints of the
            published code fill it with a full stop instead, which takes part: ``False``.
        paging: How pages are made: ``"whole"`` keeps every sentence, ``"published"`` divides, cuts and drops
            as the published code does; see :mod:`lsum_cli.paging`.
        max_source_tokens: Tokens of a document that are read at most; ``None`` for all.
        decoding: ``"page"``: every page is decoded on its own and the results are mixed (Eqs. 6-9);
            ``"global"``: the encoded pages are concatenated and decoded once (Table 7).
        copy: Whether words may be copied from the pages; see :mod:`lsum_cli.models.pagesum.mixing`.
            No published checkpoint does.
        copy_dim: Width of the queries and keys of copying.
        copy_match: How many of the last words written are looked for on the pages, to copy what follows.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type: ClassVar[str] = "pagesum"

    page_len: int = 1024
    locality: str | None = None
    mask_absent_pages: bool = True
    paging: str = "whole"
    max_source_tokens: int | None = None
    decoding: str = "page"
    copy: bool = False
    copy_dim: int = 64
    copy_match: int = 0

    def _problems(self) -> list[str]:
        problems = self._bad_sizes({"page_len": 1, "copy_dim": 1}) or super()._problems()
        if problems:
            return problems
        if self.max_source_tokens is not None:
            problems += self._bad_sizes({"max_source_tokens": 1})
        if self.page_len > self.max_position_embeddings:
            problems.append(f"page_len {self.page_len} exceeds the {self.max_position_embeddings} positions")
        if not isinstance(self.copy_match, int) or self.copy_match < 0:
            problems.append(f"copy_match is {self.copy_match!r}")
        elif self.copy_match and (self.decoding == "global" or not self.copy):
            problems.append("copy_match needs copy, and decoding 'page'")
        return problems + self._unknown_choices({"decoding": DECODINGS, "paging": PAGINGS})
