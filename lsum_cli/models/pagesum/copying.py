"""Copying words from the pages: a pointer-generator for each page, mixed by the pages' confidences.

For summary token i and page j, with the decoder's state h_ij and the encoder's states e_jk of the page's
tokens x_jk, and ĉ_ij and m_i = Σ_j ĉ_ij h_ij of PageSum (Liu et al. 2022, Eqs. 8 and 9),

    a_ijk = softmax over the page's tokens of (W_q h_ij + b_q) · (W_k e_jk) / √copy_dim
    p_i   = σ(w · m_i + b)
    P(w)  = p_i softmax(L_vocab(m_i))_w + (1 - p_i) Σ_j ĉ_ij Σ_{k: x_jk = w} a_ijk

the pointer-generator of See et al. 2017 ("Get To The Point", Eqs. 8 and 9) where there is one page. The
words are sub-words of the model's own vocabulary, so that none is missing from it. The tokens around a page
(<s>, </s>) are not copied: the end of a page is not that of a summary. A page of weight 0
gives nothing, the order of pages does not matter, and the confidences say where a copied word is from.

Where a phrase is being copied, the next word is the one behind it on the page. Large models learn to see this
(induction heads, Olsson et al. 2022, "In-context Learning and Induction Heads"); a small one is told. With
``match`` = N and n_ijk the number of words, at most N, that precede x_jk and equal the last ones written,
learned weights α, γ, β of each further word are added to the three decisions above,

    to the logit of a_ijk      Σ_{n ≤ n_ijk} α_n
    to the page score c_ij     Σ_{n ≤ max_k n_ijk} γ_n      (Eq. 7)
    to the logit of p_i        Σ_{n ≤ max_jk n_ijk} β_n

so that the confidence goes to the pages from which the text can go on (compare the n-gram heads of Akyürek et
al. 2024, "In-Context Language Learning: Architectures and Algorithms").

Dimensions as in :mod:`lsum_cli.models.pagesum.modeling`, and ``copy_dim``, the width of queries and keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from lsum_cli.models.pagesum.configuration import PageSumConfig

# The logarithm of nothing; finite, so that its gradient is 0 and not no number.
NEVER = -1e30

# Of a match's weights α, γ, β in :attr:`PageCopier.match`.
ATTENTION, CONFIDENCE, GATE = 0, 1, 2
# Where training begins: a further matching word makes copying likelier, the n-th by so much / √n.
_MATCH_START = (2.0, 1.0, -0.5)


class PageCopier(nn.Module):
    """Attention over the words of every page, and whether to copy.

    Args:
        hidden: Width of the model.
        copy_dim: Of queries and keys.
        match: N, the longest match that counts; 0 for none.
        special_ids: Tokens that are never copied.
    """

    def __init__(self, hidden: int, copy_dim: int, match: int = 0, special_ids: Sequence[int] = ()) -> None:
        super().__init__()
        self.special_ids = tuple(special_ids)
        self.query = nn.Linear(hidden, copy_dim)
        # A bias of the keys would shift all scores of a query alike.
        self.key = nn.Linear(hidden, copy_dim, bias=False)
        self.gate = nn.Linear(hidden, 1)
        # (3, match): α, γ, β
        self.match = nn.Parameter(_match_start(match)) if match else None

    @classmethod
    def of(cls, config: PageSumConfig) -> Self:
        """The copier of a model that is configured so."""
        marks = (config.bos_token_id, config.pad_token_id, config.eos_token_id, config.decoder_start_token_id)
        special_ids = sorted({mark for mark in marks if isinstance(mark, int)})
        return cls(config.d_model, config.copy_dim, config.copy_match, special_ids)

    def reset(self, spread: float, generator: torch.Generator | None = None) -> None:
        """New weights of this standard deviation; it copies as often as not."""
        for layer in (self.query, self.key, self.gate):
            nn.init.normal_(layer.weight, std=spread, generator=generator)
        nn.init.zeros_(self.query.bias)
        nn.init.zeros_(self.gate.bias)
        if self.match is not None:
            with torch.no_grad():
                self.match.copy_(_match_start(self.match.shape[1]))

    def widen_match(self, match: int) -> None:
        """Let longer matches count; the weights of the words so far stay."""
        wider = _match_start(match)
        if self.match is not None:
            wider = torch.cat(
                [self.match.detach().cpu(), wider[:, self.match.shape[1] :].to(self.match.dtype)], dim=1
            )
        self.match = nn.Parameter(wider.to(self.gate.weight))

    def find_matches(self, token_ids: Tensor, is_copyable: Tensor, written: Tensor) -> list[Tensor]:
        """Before what can be copied the last words written stand; see :func:`find_matches`."""
        most = 0 if self.match is None else self.match.shape[1]
        found = find_matches(token_ids.unsqueeze(1), written[:, :, None, None], most)
        return [each & is_copyable.unsqueeze(1) for each in found]

    def page_bonus(self, matches: Sequence[Tensor]) -> Tensor | float:
        """What matches add to the page scores, (batch, target_len, pages)."""
        if self.match is None:
            return 0.0
        return weigh_matches([each.any(dim=-1) for each in matches], self.match[CONFIDENCE])

    def forward(
        self,
        logits: Tensor,
        mixed: Tensor,
        hidden: Tensor,
        confidence: Tensor,
        states: Tensor,
        token_ids: Tensor,
        is_copyable: Tensor,
        matches: Sequence[Tensor] = (),
    ) -> Tensor:
        """Mix what would be written with what is copied.

        Args:
            logits: L_vocab(m), (batch, target_len, vocab).
            mixed: m, (batch, target_len, hidden).
            hidden: h, (batch, target_len, pages, hidden).
            confidence: ĉ, (batch, target_len, pages).
            states: e, (batch, pages, page_len, hidden).
            token_ids: x, (batch, pages, page_len).
            is_copyable: Of :func:`find_copyable`, same shape; on every page somewhere.
            matches: Of :meth:`find_matches`.

        Returns:
            Log probabilities, (batch, target_len, vocab), in float32 at least.
        """
        query, key = self.query(hidden), self.key(states)
        scores = torch.einsum("btpd,bpld->btpl", query, key)  # (batch, target_len, pages, page_len)
        scores = scores.to(confidence.dtype) * query.shape[-1] ** -0.5
        gate = self.gate(mixed).to(confidence.dtype)
        if self.match is not None:
            scores = scores + weigh_matches(matches, self.match[ATTENTION])
            anywhere = [each.flatten(2).any(dim=-1, keepdim=True) for each in matches]
            gate = gate + weigh_matches(anywhere, self.match[GATE])
        attention = scores.masked_fill(~is_copyable.unsqueeze(1), float("-inf")).softmax(dim=-1)
        weights = (confidence.unsqueeze(-1) * attention).flatten(2)  # (batch, target_len, pages × page_len)
        places = token_ids.flatten(1).unsqueeze(1).expand_as(weights)
        copied = weights.new_zeros(logits.shape).scatter_add(2, places, weights)
        written = logits.to(confidence.dtype).log_softmax(dim=-1)
        return mix_logarithms(written, copied, gate)


def _match_start(match: int) -> Tensor:
    """New weights of matches, (3, match)."""
    return torch.tensor(_MATCH_START).unsqueeze(1) / torch.arange(1, match + 1).sqrt()


def find_copyable(token_ids: Tensor, is_read: Tensor, special_ids: Sequence[int]) -> Tensor:
    """What can be copied: the tokens of a page that are not special, or all where all are.

    Args:
        token_ids: (…, page_len).
        is_read: Same shape: where there are tokens.
    """
    special = torch.tensor(special_ids, dtype=token_ids.dtype, device=token_ids.device)
    found = is_read & ~torch.isin(token_ids, special)
    return torch.where(found.any(dim=-1, keepdim=True), found, is_read)


def find_matches(token_ids: Tensor, written: Tensor, most: int) -> list[Tensor]:
    """Before which source tokens the last 1, 2, … ``most`` words written stand.

    Args:
        token_ids: x, (batch, 1, pages, page_len).
        written: The words so far, (batch, target_len, 1, 1): place t follows word t.
        most: How many words are compared.

    Returns:
        For each n from 1, boolean (batch, target_len, pages, page_len): the last n words written, at least,
        precede the token. There are no words before the first.
    """
    same = token_ids == written  # (batch, target_len, pages, page_len): word t is token k
    found: list[Tensor] = []
    for back in range(most):
        # Word t - back is token k - 1 - back.
        moved = functional.pad(same, (back + 1, 0, 0, 0, back, 0))
        moved = moved[:, : same.shape[1], :, : same.shape[3]]
        found.append(moved & found[-1] if found else moved)
    return found


def weigh_matches(matches: Sequence[Tensor], weights: Tensor) -> Tensor:
    """The sum of the weights of all words that match: one boolean tensor, and one weight, for each length."""
    total = matches[0] * weights[0]
    for each, weight in zip(matches[1:], weights[1:], strict=True):
        total = total + each * weight
    return total


def mix_logarithms(written: Tensor, copied: Tensor, gate: Tensor) -> Tensor:
    """log(p exp(written) + (1 - p) copied), with p = σ(gate); no logarithm or gradient overflows.

    Args:
        written: Log probabilities, (…, words).
        copied: Probabilities, (…, words).
        gate: (…, 1).
    """
    is_copied = copied >= torch.finfo(copied.dtype).tiny
    log_copied = copied.masked_fill(~is_copied, 1.0).log().masked_fill(~is_copied, NEVER)
    return torch.logaddexp(functional.logsigmoid(gate) + written, functional.logsigmoid(-gate) + log_copied)
