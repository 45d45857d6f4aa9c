"""The extractive oracle: sentences of the source chosen with the reference in view (Nallapati et al. 2017).

No extraction can score much higher, so it tells how much of a corpus is extraction at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.evaluation.tokens import SummaryTokenizer, choose_tokenizer

_Grams = Counter[tuple[str, ...]]
_tokenizers: dict[Tokenizer, SummaryTokenizer] = {}


def choose_greedily(reference: str, sentences: Sequence[str]) -> list[int]:
    """Add the sentence that raises ROUGE-1 plus ROUGE-2 (F1) most, until none does; in source order.

    Pairs of words are counted within sentences, with stems.

    Args:
        reference: The summary a person wrote.
        sentences: Of the source.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """
    kind = choose_tokenizer([reference])
    tokenizer = _tokenizers.setdefault(kind, SummaryTokenizer(RougeSettings(tokenizer=kind)))
    wanted = [_Overlap.of(tokenizer.sentences(reference), size) for size in (1, 2)]
    offered = [[_grams([tokenizer.tokens(sentence)], size) for size in (1, 2)] for sentence in sentences]
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < len(sentences):
        scores = {
            position: sum(overlap.f1_with(grams) for overlap, grams in zip(wanted, offer, strict=True))
            for position, offer in enumerate(offered)
            if position not in chosen
        }
        position = max(scores, key=lambda each: (scores[each], -each))
        if scores[position] <= best:
            break
        best = scores[position]
        chosen.append(position)
        for overlap, grams in zip(wanted, offered[position], strict=True):
            overlap.add(grams)
    return sorted(chosen)


@dataclass
class _Overlap:
    """What of the reference's n-grams is still missing, and how much has been chosen."""

    missing: _Grams
    total: int
    hits: int = 0
    taken: int = 0

    @classmethod
    def of(cls, reference: Sequence[Sequence[str]], size: int) -> _Overlap:
        grams = _grams(reference, size)
        return cls(missing=grams, total=grams.total())

    def f1_with(self, grams: _Grams) -> float:
        """F1 if these were added; twice the hits over the n-grams of both texts."""
        both = self.total + self.taken + grams.total()
        return 2 * (self.hits + self._shared(grams).total()) / both if both else 0.0

    def add(self, grams: _Grams) -> None:
        """Add them."""
        shared = self._shared(grams)
        self.hits += shared.total()
        self.taken += grams.total()
        self.missing -= shared

    def _shared(self, grams: _Grams) -> _Grams:
        return grams & self.missing if len(grams) < len(self.missing) else self.missing & grams


def _grams(sentences: Sequence[Sequence[str]], size: int) -> _Grams:
    if size == 1:
        return Counter((token,) for sentence in sentences for token in sentence)
    return Counter(pair for sentence in sentences for pair in pairwise(sentence))
