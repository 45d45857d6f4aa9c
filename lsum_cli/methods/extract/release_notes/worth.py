"""What a change is worth to a reader, whether it repeats another, and which headings are worth naming."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.contents import names_its_text
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.release_notes.change import Change
from lsum_cli.methods.extract.release_notes.kinds import (
    BREAKING,
    CLOSED,
    DEPRECATED,
    FEATURES,
    FIXES,
    HIGHLIGHTS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    kind_of_heading,
)
from lsum_cli.methods.extract.release_notes.wording import is_minor
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import content_stems

# Release notes seldom have more to say to everybody.
MOST_WORDS = 270
# What takes more words is told where nothing shorter is.
LONG_CHANGE = 40
# So many of a kind, where a release has changes of others.
MOST_OF_A_KIND, MOST_OF_FEATURES, MOST_HIGHLIGHTS = 3, 5, 7
# Two changes are one, told twice, if they share so much of the terms of the shorter.
_SAME, _LEAST_RARITY = 0.6, 0.1
_LONG_SECTION = 120  # words
# So many headings of other changes are named, of those kinds first; none that a change told says.
_MOST_NAMED, _NAMED_ALREADY = 10, 0.75
_URGENCY = {SECURITY: 1.0, BREAKING: 0.6, REMOVED: 0.5, DEPRECATED: 0.3, FEATURES: 0.5}
# The name of a module alone says where something changed, and of what is gone or will be, what.
_MODULE = regex(r"[a-z_]\w*(?:\.\w+)*")
# What a guide through the notes has headings for.
_OF_A_GUIDE = regex(r"(?:step \d|usage|what|how|documentation|troubleshooting|supported)\b.*", re.IGNORECASE)


def best_of_sections(changes: Sequence[Change], worth: Mapping[Change, float]) -> list[Change]:
    """The changes, of a section whose heading names what they are about only the one that is worth most."""
    kept: list[Change] = []
    topic: tuple[str | None, int] = (None, 0)
    for number, change in enumerate(changes):
        begins = number - change.place
        if change not in worth:
            continue
        if change.topic is None or topic != (change.topic, begins):
            kept.append(change)
        elif worth[change] > worth[kept[-1]]:
            kept[-1] = change
        topic = (change.topic, begins)
    return kept


def rarity_of_terms(candidates: Candidates, changes: Sequence[Change]) -> dict[str, float]:
    """How much each term of the changes says: the fewer of them have it, the more."""
    count = Counter(term for change in changes for term in _content(candidates, change))
    return {term: max(_LEAST_RARITY, math.log(len(changes) / number)) for term, number in count.items()}


def repeats(
    change: Change, taken: Sequence[Change], candidates: Candidates, rarity: Mapping[str, float]
) -> bool:
    """Whether a change says again what one of those taken says: highlights and lists may both tell it."""

    def weight(terms: frozenset[str]) -> float:
        return sum(map(rarity.__getitem__, terms))

    own = _content(candidates, change)
    return any(
        weight(own & other) >= _SAME * min(weight(own), weight(other))
        for other in (_content(candidates, each) for each in taken)
        if own and other
    )


def _content(candidates: Candidates, change: Change) -> frozenset[str]:
    return content_stems(candidates.sentences[change.row].text)


def headings_of_others(
    extractor: Extractor, changes: Sequence[Change], chosen: Sequence[Change], *, most: int = _MOST_NAMED
) -> tuple[str, ...]:
    """The headings of other changes that matter, in their order, as far as they say what changed."""
    request = extractor.request
    if len(extractor.documents) > 1 or not request.as_suits or request.show_chapters:
        return ()
    candidates = extractor.candidates
    told = {change.topic for change in chosen}
    said = [_content(candidates, change) for change in chosen]
    sections: dict[str, list[Change]] = {}
    for change in changes:
        if change.topic is not None and change.kind not in (
            OVERVIEW,
            HIGHLIGHTS,
            SMALLER,
            OTHER,
            CLOSED,
            FIXES,
        ):
            sections.setdefault(change.topic, []).append(change)
    weights: dict[str, float] = {}
    for topic, own in sections.items():
        terms = content_stems(topic)
        if (
            topic in told
            or not names_its_text(topic)
            or _OF_A_GUIDE.fullmatch(topic)
            or (
                _MODULE.fullmatch(topic)
                and kind_of_heading(candidates, own[0].rows[0]) not in (BREAKING, REMOVED, DEPRECATED)
            )
            or any(len(terms & other) >= _NAMED_ALREADY * len(terms) for other in said)
        ):
            continue
        words = sum(int(candidates.num_words[row]) for change in own for row in change.rows)
        weights[topic] = _URGENCY.get(own[0].kind, 0.0) + min(1.0, words / _LONG_SECTION) - is_minor(topic)
    kept = set(sorted(weights, key=weights.__getitem__, reverse=True)[:most])
    return tuple(topic for topic in weights if topic in kept)
