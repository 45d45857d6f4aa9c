"""The extractive oracle: sentences of the source chosen with the reference in view (Nallapati et al. 2017).

No extraction can score much higher, so it tells how much of a corpus is extraction at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.evaluation.tokens import SummaryTokenizer, choose_tokenizer
from lsum_cli.text.importance import choose_sentences

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
    return choose_sentences(tokenizer.sentences(reference), [tokenizer.tokens(each) for each in sentences])
