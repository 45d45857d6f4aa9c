"""Copying words from the pages: a pointer-generator for each page, mixed by the pages' confidences.

For summary token i and page j, with the decoder's state h_ij and the encoder's states e_jk of the page's
tokens x_jk, and ĉ_ij and m_i = Σ_j ĉ_ij h_ij of PageSum (Liu et al. 2022, Eqs. 8 and 9),

    a_ijk = softmax over the page's tokens of (W_q h_ij + b_q) · (W_k e_jk) / √copy_dim
    p_i   = σ(w · m_i + b)
    P(w)  = p_i softmax(L_vocab(m_i))_w + (1 - p_i) Σ_j ĉ_ij Σ_{k: x_jk = w} a_ijk

the pointer-generator of See et al. 2017 ("Get To The Point", Eqs. 8 and 9) where there is one page. The
words are sub-words of the model's own vocabulary, so that none is missing from it. A page of weight 0
gives nothing, the order of pages does not matter, and the confidences say where a copied word is from.

Dimensions as in :mod:`lsum_cli.models.pagesum.modeling`, and ``copy_dim``, the width of queries and keys.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

# The logarithm of nothing; finite, so that its gradient is 0 and not no number.
NEVER = -1e30


class PageCopier(nn.Module):
    """Attention over the words of every page, and whether to copy.

    Args:
        hidden: Width of the model.
        copy_dim: Of queries and keys.
    """

    def __init__(self, hidden: int, copy_dim: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, copy_dim)
        # A bias of the keys would shift all scores of a query alike.
        self.key = nn.Linear(hidden, copy_dim, bias=False)
        self.gate = nn.Linear(hidden, 1)

    def reset(self, spread: float, generator: torch.Generator | None = None) -> None:
        """New weights of this standard deviation; it copies as often as not."""
        for layer in (self.query, self.key, self.gate):
            nn.init.normal_(layer.weight, std=spread, generator=generator)
        nn.init.zeros_(self.query.bias)
        nn.init.zeros_(self.gate.bias)

    def forward(
        self,
        logits: Tensor,
        mixed: Tensor,
        hidden: Tensor,
        confidence: Tensor,
        states: Tensor,
        token_ids: Tensor,
        is_read: Tensor,
    ) -> Tensor:
        """Mix what would be written with what is copied.

        Args:
            logits: L_vocab(m), (batch, target_len, vocab).
            mixed: m, (batch, target_len, hidden).
            hidden: h, (batch, target_len, pages, hidden).
            confidence: ĉ, (batch, target_len, pages).
            states: e, (batch, pages, page_len, hidden).
            token_ids: x, (batch, pages, page_len).
            is_read: Same shape: where there are tokens; on every page somewhere.

        Returns:
            Log probabilities, (batch, target_len, vocab), in float32 at least.
        """
        query, key = self.query(hidden), self.key(states)
        scores = torch.einsum("btpd,bpld->btpl", query, key)  # (batch, target_len, pages, page_len)
        scores = scores.to(confidence.dtype) * query.shape[-1] ** -0.5
        attention = scores.masked_fill(~is_read.unsqueeze(1), float("-inf")).softmax(dim=-1)
        weights = (confidence.unsqueeze(-1) * attention).flatten(2)  # (batch, target_len, pages × page_len)
        places = token_ids.flatten(1).unsqueeze(1).expand_as(weights)
        copied = weights.new_zeros(logits.shape).scatter_add(2, places, weights)
        written = logits.to(confidence.dtype).log_softmax(dim=-1)
        return mix_logarithms(written, copied, self.gate(mixed).to(confidence.dtype))


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
