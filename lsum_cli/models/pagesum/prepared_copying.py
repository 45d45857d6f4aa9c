"""Copying for inference: a page's words are projected once, and only words of the pages are mixed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid
from torch.nn.utils.rnn import pad_sequence

from lsum_cli.models.blocks.precision import Preparation
from lsum_cli.models.pagesum.copying import (
    ATTENTION,
    CONFIDENCE,
    GATE,
    PageCopier,
    find_copyable,
    mix_logarithms,
    weigh_matches,
)

TYPICAL_ROWS = 28
TYPICAL_PAGE_LEN = 1024


@dataclass(frozen=True, kw_only=True)
class CopySource:
    """What can be copied of a document; its pages in reading order.

    Attributes:
        keys: (pages, longest, copy_dim).
        bias: (pages, 1, longest), minus infinity where nothing can be copied, so behind the end of a page.
        words: The ids that occur, each once, (words,).
        places: For every token which of the words it is, (pages × longest,); behind the end of a page any.
        preceding: The ids so many places before, (compared, pages, longest); no id before the first.
        is_copyable: (pages, longest); see :func:`lsum_cli.models.pagesum.copying.find_copyable`.
    """

    keys: Tensor
    bias: Tensor
    words: Tensor
    places: Tensor
    preceding: Tensor
    is_copyable: Tensor


NO_ID = -1


class PreparedCopier:
    """A :class:`~lsum_cli.models.pagesum.copying.PageCopier` with prepared weights.

    It computes in float32 whatever the precision: it is small, and a wrong word is a wrong fact.
    """

    def __init__(self, copier: PageCopier, preparation: Preparation) -> None:
        self._query = preparation.exact_linear(copier.query.weight, copier.query.bias, rows=TYPICAL_ROWS)
        without = copier.query.bias.new_zeros(copier.key.out_features)
        self._key = preparation.exact_linear(copier.key.weight, without, rows=TYPICAL_PAGE_LEN)
        self._gate = preparation.exact_linear(copier.gate.weight, copier.gate.bias, rows=TYPICAL_ROWS)
        self._special_ids = copier.special_ids
        self._scale = copier.key.out_features**-0.5
        # (3, match)
        self._match = (
            None if copier.match is None else copier.match.detach().float().to(preparation.device, copy=True)
        )

    @property
    def num_compared(self) -> int:
        """How many of the last words written :meth:`find_matches` compares."""
        return 0 if self._match is None else self._match.shape[1]

    def project(self, states: Tensor) -> Tensor:
        """The keys of tokens: (tokens, hidden) -> (tokens, copy_dim)."""
        return self._key(states.float())

    def source(self, token_ids: Sequence[Tensor], keys: Sequence[Tensor]) -> CopySource:
        """Put the pages of a document together.

        Args:
            token_ids: Of each page, (page_len,).
            keys: Of each page, (page_len, copy_dim).
        """
        device = keys[0].device
        words, places = torch.unique(torch.cat(list(token_ids)).to(device), return_inverse=True)
        lengths = [len(page) for page in token_ids]
        ids = pad_sequence(list(token_ids), batch_first=True, padding_value=NO_ID).to(device)
        is_copyable = find_copyable(ids, ids != NO_ID, self._special_ids)
        bias = torch.zeros(ids.shape, device=device).masked_fill_(~is_copyable, float("-inf"))
        return CopySource(
            keys=pad_sequence(list(keys), batch_first=True),
            bias=bias.unsqueeze(1),
            words=words,
            places=pad_sequence(list(torch.split(places, lengths)), batch_first=True).flatten(),
            preceding=self._preceding(ids),
            is_copyable=is_copyable,
        )

    def _preceding(self, ids: Tensor) -> Tensor:
        """The ids 1, 2, … places before each, (compared, pages, longest)."""
        before = ids.new_full((self.num_compared, *ids.shape), NO_ID)
        for back, row in enumerate(before, start=1):
            row[:, back:] = ids[:, :-back]
        return before

    def find_matches(self, written: Tensor, source: CopySource) -> list[Tensor]:
        """Where the last words of each beam stand; see :func:`lsum_cli.models.pagesum.copying.find_matches`.

        Args:
            written: Of each beam the last words, (beams, at least 1).
            source: Of the document.

        Returns:
            For each length of match boolean (pages, beams, longest).
        """
        last = (
            written.to(source.preceding.device).flip(1).unsqueeze(2)
        )  # (beams, words, 1), the last one first
        found: list[Tensor] = []
        is_copyable = source.is_copyable.unsqueeze(1)
        for back, preceding in enumerate(source.preceding):
            if back == last.shape[1]:
                found += [torch.zeros_like(found[-1])] * (self.num_compared - back)
                break
            same = preceding.unsqueeze(1) == last[:, back]  # (pages, beams, longest)
            found.append(same & (found[-1] if found else is_copyable))
        return found

    def page_bonus(self, matches: Sequence[Tensor]) -> Tensor | float:
        """What matches add to the page scores, (pages, beams)."""
        if self._match is None:
            return 0.0
        return weigh_matches([each.any(dim=-1) for each in matches], self._match[CONFIDENCE])

    def mix(
        self,
        written: Tensor,
        mixed: Tensor,
        hidden: Tensor,
        confidence: Tensor,
        source: CopySource,
        matches: Sequence[Tensor],
    ) -> Tensor:
        """Mix what would be written with what is copied.

        Args:
            written: Log probabilities, (beams, vocab).
            mixed: (beams, hidden).
            hidden: (pages, beams, hidden).
            confidence: (beams, pages).
            source: Of the document.
            matches: Of :meth:`find_matches`.

        Returns:
            Log probabilities, (beams, vocab).
        """
        scores = torch.baddbmm(
            source.bias, self._query(hidden), source.keys.transpose(1, 2), alpha=self._scale
        )  # (pages, beams, longest)
        gate = self._gate(mixed)  # (beams, 1)
        if self._match is not None:
            scores += weigh_matches(matches, self._match[ATTENTION])
            anywhere = [each.any(dim=-1).any(dim=0).unsqueeze(-1) for each in matches]
            gate = gate + weigh_matches(anywhere, self._match[GATE])
        weights = confidence.unsqueeze(-1) * scores.softmax(dim=-1).transpose(0, 1)
        weights = weights.flatten(1)  # (beams, pages × longest)
        beams = weights.shape[0]
        copied = weights.new_zeros(beams, source.words.shape[0])
        copied.scatter_add_(1, source.places.expand(beams, -1), weights)
        words = source.words.expand(beams, -1)
        both = mix_logarithms(written.gather(1, words), copied, gate)
        return (written + logsigmoid(gate)).scatter_(1, words, both)
