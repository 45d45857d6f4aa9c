"""What a vote came to, as the chair says it: "there voted four in favour, two against: it is agreed"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.utterances import bodies
from lsum_cli.text.patterns import regex

# It names what was voted on: "it is agreed" names nothing.
_OUTCOME = regex(
    r"\b(?<!this )(?<!that )(?<!these )(?<!those )(?<!both )(?<!such )"
    r"(?:amendments?|motions?|resolutions?|bill|petitions?|proposals?|clauses?|report)\b(?: [\w'’-]+){0,4} "
    r"(?:is|are|was|were|has been|have been)(?: therefore| also| now)? "
    r"(?P<not>not )?(?:agreed|carried|(?P<lost>lost|defeated|rejected|negatived)|passed|adopted|approved)"
    # "The bill was passed in 1998" and "carried away" are no vote.
    r"(?=\s*(?:[.,;:!]|$)| (?:and|unanimously|on division|as amended|by (?:consensus|\d+|a majority))\b)"
)
# It has one of these.
_BECOMES = ("agreed", "carried", "lost", "defeated", "rejected", "negatived", "passed", "adopted", "approved")
_SUPPOSED = regex(r"\b(?:if|whether|that|unless|should|when)\b|\?\s*$")
# What becomes of it matters more where it is carried; of many votes some are told.
_MOST_CARRIED, _MOST_LOST = 2, 1


def vote_outcomes(candidates: Candidates, positions: Iterable[int]) -> Iterator[int]:
    """The positions of the first sentences that say what a vote came to: of those carried, and one lost.

    Args:
        candidates: The sentences of one conversation in English.
        positions: Those to look at.
    """
    texts = bodies(candidates)
    carried, lost = list[int](), list[int]()
    for position in map(int, positions):
        lowered = texts[position].lower()
        found = _OUTCOME.search(lowered) if any(map(lowered.__contains__, _BECOMES)) else None
        if found is None or _SUPPOSED.search(lowered) is not None:
            continue
        (lost if found["not"] or found["lost"] else carried).append(position)
    yield from carried[:_MOST_CARRIED]
    yield from lost[:_MOST_LOST]
