"""The layers after the decoder: mixing pages by their confidence, and copying words from them.

Training and inference both use this module: training for all positions of a target at once, inference for
the beams of one step; ``rows`` are either. For row i and page j, with the decoder's state h_ij (Liu et al.
2022, Eqs. 7 to 9),

    c_ij = L_conf(h_ij)
    ĉ_ij = softmax of c_ij over the pages
    m_i  = Σ_j ĉ_ij h_ij

and without copying p(·) = softmax(L_vocab(m_i)). Copying is a pointer-generator for each page, mixed by the
pages' confidences: with the encoder's states e_jk of the page's tokens x_jk,

    a_ijk = softmax over the page's tokens of (W_q h_ij + b_q) · (W_k e_jk) / √copy_dim
    p_i   = σ(w · m_i + b)
    P(w)  = p_i softmax(L_vocab(m_i))_w + (1 - p_i) Σ_j ĉ_ij Σ_{k: x_jk = w} a_ijk

the pointer-generator of See et al. 2017 ("Get To The Point", Eqs. 8 and 9) if there is one page. The
words are sub-words of the model's own vocabulary, so that it contains all of them. The tokens that delimit a
page (<s>, </s>) are not copied: the end of a page is not the end of a summary. A page of weight 0
contributes nothing, the order of pages does not matter, and the confidences show where a copied word is from.

While a phrase is being copied, the next word is the one that follows it on the page. Large models learn this
(induction heads, Olsson et al. 2022, "In-context Learning and Induction Heads"); a small one gets it as a
feature. With ``match`` = N and n_ijk the number of words, at most N, that precede x_jk and equal the last
ones written, learned weights α, γ, β of each further word are added to the three decisions above,

    to the logit of a_ijk      Σ_{n ≤ n_ijk} α_n
    to the page score c_ij     Σ_{n ≤ max_k n_ijk} γ_n      (Eq. 7)
    to the logit of p_i        Σ_{n ≤ max_jk n_ijk} β_n

so that the pages on which the text can continue gain confidence (compare the n-gram heads of Akyürek et
al. 2024, "In-Context Language Learning: Architectures and Algorithms").

Dimensions: ``rows, pages, page_len, hidden, vocab``; ``copy_dim``, the width of queries and keys; ``words``,
the distinct tokens of the pages; ``…``, a batch, or nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from lsum_cli.models.blocks.precision import Preparation, PreparedLinear
from lsum_cli.models.pagesum.settings import PageSumSettings

# The logarithm of nothing; finite, so that its gradient is 0 and not NaN.
NEVER = -1e30

# Indices of a match's weights α, γ, β in :attr:`CopyMixture.match`.
ATTENTION, CONFIDENCE, GATE = 0, 1, 2
# Initial weight: every further matching word makes copying likelier, the n-th by this / √n.
_MATCH_START = (2.0, 1.0, -0.5)

# Placeholders for the tokens before the beginning of a page and of a text: they match nothing.
_BEFORE_PAGE, _BEFORE_TEXT = -1, -2

# Usual number of inputs of the prepared layers at once.
_TYPICAL_ROWS, _TYPICAL_PAGE_LEN = 28, 1024


def mix_pages(hidden: Tensor, page_scores: Tensor, absent: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """Weight the pages by their confidence (Eq. 8, and the sum in Eq. 9).

    Args:
        hidden: h, (…, pages, rows, hidden).
        page_scores: c, (…, pages, rows).
        absent: Pages whose weight is exactly 0, (…, pages).

    Returns:
        m, (…, rows, hidden), and ĉ, (…, pages, rows), in float32 at least; it sums to 1 over the pages.
    """
    if absent is not None:
        page_scores = page_scores.masked_fill(absent.unsqueeze(-1), float("-inf"))
    confidence = page_scores.softmax(dim=-2, dtype=torch.promote_types(torch.float32, page_scores.dtype))
    return (confidence.to(hidden.dtype).unsqueeze(-1) * hidden).sum(dim=-3), confidence


@dataclass(frozen=True, kw_only=True)
class CopySource:
    """The text that can be copied.

    Attributes:
        keys: (…, pages, page_len, copy_dim).
        bias: (…, pages, 1, page_len), minus infinity where nothing can be copied.
        words: The distinct ids that occur, (words,); ``None`` for all of the vocabulary.
        places: For every token the index of its word, (…, pages × page_len).
        preceding: The ids 1, 2, … places before each, (match, …, pages, page_len).
        is_copyable: (…, pages, page_len); see :func:`find_copyable`.
    """

    keys: Tensor
    bias: Tensor
    words: Tensor | None
    places: Tensor
    preceding: Tensor
    is_copyable: Tensor


class CopyMixture:
    """Attention over the words of every page, and whether to copy.

    Attributes:
        query: Projects the decoder's states to queries, (…, hidden) -> (…, copy_dim).
        key: Projects the encoder's states to keys, likewise.
        gate: (…, hidden) -> (…, 1).
        match: α, γ, β, (3, match); ``None`` if matches are not used.
        special_ids: Tokens that are never copied.
    """

    query: PreparedLinear
    key: PreparedLinear
    gate: PreparedLinear
    match: Tensor | None
    special_ids: tuple[int, ...]

    @property
    def num_compared(self) -> int:
        """N, the maximum number of words written last that are searched for on the pages."""
        return 0 if self.match is None else self.match.shape[1]

    def source(self, token_ids: Tensor, is_read: Tensor, keys: Tensor) -> CopySource:
        """Prepare pages for copying.

        Args:
            token_ids: x, (…, pages, page_len).
            is_read: Same shape: where there are tokens; at least one on every page.
            keys: W_k e, (…, pages, page_len, copy_dim).
        """
        words: Tensor | None
        if torch.compiler.is_compiling():
            # How many distinct words a text has depends on it, so that no graph can hold them.
            words, places = None, token_ids
        else:
            words, places = torch.unique(token_ids, return_inverse=True)
        is_copyable = find_copyable(token_ids, is_read, self.special_ids)
        bias = torch.zeros(token_ids.shape, dtype=keys.dtype, device=keys.device)
        preceding = token_ids.new_full((self.num_compared, *token_ids.shape), _BEFORE_PAGE)
        for back, ids in enumerate(preceding, start=1):
            ids[..., back:] = token_ids[..., :-back]
        return CopySource(
            keys=keys,
            bias=bias.masked_fill_(~is_copyable, float("-inf")).unsqueeze(-2),
            words=words,
            places=places.flatten(-2),
            preceding=preceding,
            is_copyable=is_copyable,
        )

    def find_matches(self, last: Tensor, source: CopySource) -> list[Tensor]:
        """Find the occurrences on the pages of the last words written.

        Args:
            last: The last words of each row, the last one first, (…, rows, match); of :func:`last_words`.
            source: The pages to search.

        Returns:
            For each n from 1 to N, boolean (…, pages, rows, page_len): what can be copied and is preceded by
            the last n words, at least.
        """
        found: list[Tensor] = []
        is_copyable = source.is_copyable.unsqueeze(-2)
        for word, preceding in zip(last.unbind(-1), source.preceding, strict=True):
            same = preceding.unsqueeze(-2) == word[..., None, :, None]
            found.append(same & (found[-1] if found else is_copyable))
        return found

    def page_bonus(self, matches: Sequence[Tensor]) -> Tensor | float:
        """What matches add to the page scores, (…, pages, rows)."""
        if self.match is None:
            return 0.0
        return weigh_matches([each.any(dim=-1) for each in matches], self.match[CONFIDENCE])

    def mix(
        self,
        written: Tensor,
        mixed: Tensor,
        hidden: Tensor,
        confidence: Tensor,
        source: CopySource,
        matches: Sequence[Tensor],
    ) -> Tensor:
        """Mix the distribution of written words with that of copied words.

        Args:
            written: Log probabilities, softmax(L_vocab(m)), (…, rows, vocab).
            mixed: m, (…, rows, hidden).
            hidden: h, (…, pages, rows, hidden).
            confidence: ĉ, (…, pages, rows).
            source: The pages.
            matches: The result of :meth:`find_matches`.

        Returns:
            Log probabilities, (…, rows, vocab).
        """
        query = self.query(hidden)  # (…, pages, rows, copy_dim)
        *leading, rows, copy_dim = query.shape
        scores = torch.baddbmm(
            source.bias.reshape(-1, 1, source.bias.shape[-1]),
            query.reshape(-1, rows, copy_dim),
            source.keys.reshape(-1, *source.keys.shape[-2:]).transpose(1, 2),
            alpha=copy_dim**-0.5,
        )
        scores = scores.view(*leading, rows, -1).to(confidence.dtype)  # (…, pages, rows, page_len)
        gate = self.gate(mixed).to(confidence.dtype)  # (…, rows, 1)
        if self.match is not None:
            scores += weigh_matches(matches, self.match[ATTENTION])
            anywhere = [each.any(dim=-1).any(dim=-2).unsqueeze(-1) for each in matches]
            gate = gate + weigh_matches(anywhere, self.match[GATE])
        weights = confidence.unsqueeze(-1) * scores.softmax(dim=-1)
        weights = weights.transpose(-3, -2).flatten(-2)  # (…, rows, pages × page_len)
        count = written.shape[-1] if source.words is None else len(source.words)
        copied = weights.new_zeros(*weights.shape[:-1], count)
        copied.scatter_add_(-1, source.places.unsqueeze(-2).expand_as(weights), weights)
        if source.words is None:
            return mix_logarithms(written, copied, gate)
        words = source.words.expand_as(copied)
        both = mix_logarithms(written.gather(-1, words), copied, gate)
        return (written + functional.logsigmoid(gate)).scatter_(-1, words, both)


class PageCopier(nn.Module, CopyMixture):
    """Copying with trainable weights.

    Args:
        hidden: Width of the model.
        copy_dim: Width of queries and keys.
        match: N, the maximum length of a match; 0 for no matching.
        special_ids: Tokens that are never copied.
    """

    query: nn.Linear
    key: nn.Linear
    gate: nn.Linear
    match: nn.Parameter | None

    def __init__(self, hidden: int, copy_dim: int, match: int = 0, special_ids: Sequence[int] = ()) -> None:
        super().__init__()
        self.special_ids = tuple(special_ids)
        self.query = nn.Linear(hidden, copy_dim)
        # A bias of the keys would shift all scores of a query equally.
        self.key = nn.Linear(hidden, copy_dim, bias=False)
        self.gate = nn.Linear(hidden, 1)
        self.match = nn.Parameter(_match_start(match)) if match else None

    @classmethod
    def of(cls, settings: PageSumSettings) -> Self | None:
        """The copier of a model with these settings; ``None`` if it does not copy."""
        if not settings.copy:
            return None
        marks = (
            settings.bos_token_id,
            settings.pad_token_id,
            settings.eos_token_id,
            settings.decoder_start_token_id,
        )
        special_ids = sorted({mark for mark in marks if isinstance(mark, int)})
        return cls(settings.d_model, settings.copy_dim, settings.copy_match, special_ids)

    def reset(self, spread: float, generator: torch.Generator | None = None) -> None:
        """Draw new weights with this standard deviation; copying then has a probability of about one half."""
        for layer in (self.query, self.key, self.gate):
            nn.init.normal_(layer.weight, std=spread, generator=generator)
        nn.init.zeros_(self.query.bias)
        nn.init.zeros_(self.gate.bias)
        if self.match is not None:
            with torch.no_grad():
                self.match.copy_(_match_start(self.match.shape[1]))

    def widen_match(self, match: int) -> None:
        """Extend matching to longer matches; existing weights are unchanged."""
        wider = _match_start(match)
        if self.match is not None:
            wider = torch.cat(
                [self.match.detach().cpu(), wider[:, self.match.shape[1] :].to(self.match.dtype)], dim=1
            )
        self.match = nn.Parameter(wider.to(self.gate.weight))

    def forward(
        self,
        logits: Tensor,
        mixed: Tensor,
        hidden: Tensor,
        confidence: Tensor,
        source: CopySource,
        matches: Sequence[Tensor],
    ) -> Tensor:
        """Mix what would be written, (batch, rows, vocab) logits, with what is copied; see :meth:`mix`."""
        written = logits.to(confidence.dtype).log_softmax(dim=-1)
        return self.mix(written, mixed, hidden, confidence, source, matches)


class PreparedCopier(CopyMixture):
    """Copying with prepared weights, for inference.

    It computes in float32 at any precision: it is small, and a wrong word is a wrong fact.
    """

    def __init__(self, copier: PageCopier, preparation: Preparation) -> None:
        self.special_ids = copier.special_ids
        self.query = preparation.exact_linear(copier.query.weight, copier.query.bias, rows=_TYPICAL_ROWS)
        without = copier.query.bias.new_zeros(copier.key.out_features)
        self.key = preparation.exact_linear(copier.key.weight, without, rows=_TYPICAL_PAGE_LEN)
        self.gate = preparation.exact_linear(copier.gate.weight, copier.gate.bias, rows=_TYPICAL_ROWS)
        self.match = None
        if copier.match is not None:
            self.match = copier.match.detach().float().to(preparation.device, copy=True)


def _match_start(match: int) -> Tensor:
    """New weights of matches, (3, match)."""
    # Written out: arithmetic on the device meta, where weights are loaded to, would import torch's compiler.
    return torch.tensor([[start / math.sqrt(n) for n in range(1, match + 1)] for start in _MATCH_START])


def find_copyable(token_ids: Tensor, is_read: Tensor, special_ids: Sequence[int]) -> Tensor:
    """Find what can be copied: the tokens of a page that are not special, or all where all are.

    Args:
        token_ids: (…, page_len).
        is_read: Same shape: where there are tokens.
        special_ids: Tokens that are not copied.
    """
    special = torch.tensor(special_ids, dtype=token_ids.dtype, device=token_ids.device)
    found = is_read & ~torch.isin(token_ids, special)
    return torch.where(found.any(dim=-1, keepdim=True), found, is_read)


def no_words(rows: int, count: int) -> Tensor:
    """The last words of rows that have none yet, (rows, count)."""
    return torch.full((rows, count), _BEFORE_TEXT)


def last_words(written: Tensor, count: int) -> Tensor:
    """Return the last words at every position of a text, the last one first.

    Args:
        written: (batch, target_len).
        count: How many; before the first there are none.

    Returns:
        (batch, target_len, count).
    """
    if not count:
        return written.new_empty(*written.shape, 0)
    padded = functional.pad(written, (count - 1, 0), value=_BEFORE_TEXT)
    return padded.unfold(1, count, 1).flip(-1)


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
