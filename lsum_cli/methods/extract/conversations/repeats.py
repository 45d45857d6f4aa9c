"""What is said twice in a conversation: of two sentences that tell the same one is quoted.

Ministers give the same figure in answer to several questions, and who sums up repeats what was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.utterances import bodies, informative_terms
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray

# "$125million", "75 per cent": what tells one sum from others.
_FIGURE = regex(
    r"[$£€] ?\d[\d.,]*(?: ?(?:million|billion|thousand|m|bn))?\b"
    r"|\b\d[\d.,]* ?(?:%|(?:million|billion)\b)"
)
_SPACES, _PERCENT = regex(r"[\s,]+"), regex(r"per ?cent")
# The share of their terms that is common to both; with the same figures, of those of the shorter one.
_SAME, _SAME_WITH_FIGURE = 0.7, 0.3
_FEWEST_TERMS, _FEWEST_WITH_FIGURE = 3, 2


def without_repeats(candidates: Candidates, chosen: Sequence[int], scores: FloatArray) -> list[int]:
    """What is chosen of a conversation without what another chosen sentence says too.

    Args:
        candidates: The sentences of the conversation.
        chosen: The positions that are chosen, in order.
        scores: What each sentence is worth: the better one stays.
    """
    tells, texts, terms = informative_terms(candidates), bodies(candidates), candidates.terms
    told: dict[int, _Told] = {}
    for position in sorted(chosen, key=lambda each: -scores[each]):
        said = frozenset(terms.columns[terms.row(position)].tolist())
        text = _PERCENT.sub("%", texts[position].lower())
        figures = frozenset(_SPACES.sub("", found) for found in _FIGURE.findall(text))
        this = _Told(said, frozenset(term for term in said if tells[term]), figures)
        if not any(map(this.repeats, told.values())):
            told[position] = this
    return sorted(told)


class _Told(NamedTuple):
    """What a sentence tells: its terms, those that say what it is about, and its figures."""

    terms: frozenset[int]
    names: frozenset[int]
    figures: frozenset[str]

    def repeats(self, other: _Told) -> bool:
        """Whether both tell the same figures of the same things, or the same in mostly the same words."""
        if self.figures != other.figures:
            return False
        least, shared = min(len(self.names), len(other.names)), len(self.names & other.names)
        if self.figures and shared >= max(_FEWEST_WITH_FIGURE, _SAME_WITH_FIGURE * least):
            return True
        return least >= _FEWEST_TERMS and len(self.terms & other.terms) >= _SAME * len(
            self.terms | other.terms
        )
