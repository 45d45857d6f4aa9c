"""The headings of changes that are not quoted, as far as they say what changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.kinds import (
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
from lsum_cli.methods.extract.listed_changes.wording import is_minor
from lsum_cli.methods.extract.release_notes.change_ranker import stems_of_change
from lsum_cli.methods.extract.section_tree import names_its_text
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import content_stems

_LONG_SECTION = 120  # words
# So many headings of other changes are named, of those kinds first; none that a change quoted says.
_MOST_NAMED, _NAMED_ALREADY = 10, 0.75
_URGENCY = {SECURITY: 1.0, BREAKING: 0.6, REMOVED: 0.5, DEPRECATED: 0.3, FEATURES: 0.5}
# The name of a module alone says where something changed, and of what is gone or will be, what.
_MODULE = regex(r"[a-z_]\w*(?:\.\w+)*")
# What a guide through the notes has headings for.
_OF_A_GUIDE = regex(r"(?:step \d|usage|what|how|documentation|troubleshooting|supported)\b.*", re.IGNORECASE)


def headings_of_others(
    extractor: Extractor, changes: Sequence[Change], chosen: Sequence[Change]
) -> tuple[str, ...]:
    """The headings of other changes that matter, in their order, as far as they say what changed."""
    request = extractor.request
    if len(extractor.documents) > 1 or not request.as_suits or request.show_chapters:
        return ()
    candidates = extractor.candidates
    quoted = {change.topic for change in chosen}
    said = [stems_of_change(candidates, change) for change in chosen]
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
            topic in quoted
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
    kept = set(sorted(weights, key=weights.__getitem__, reverse=True)[:_MOST_NAMED])
    return tuple(topic for topic in weights if topic in kept)
