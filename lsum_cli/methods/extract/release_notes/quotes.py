"""How a change is quoted: labelled by its kind and by its heading, where its sentence tells neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.listed_changes.change import (
    Change,
    plain_change,
    without_label,
    without_maker,
)
from lsum_cli.methods.extract.listed_changes.changes import is_cut
from lsum_cli.methods.extract.listed_changes.kinds import BREAKING, KINDS, kind_by_verb, label_of
from lsum_cli.methods.extract.listed_changes.wording import says_topic
from lsum_cli.summaries import SummarySentence
from lsum_cli.text.patterns import regex

# "20.0 is a release without the old gates": no number of a section.
_NUMBER_THAT_IS = regex(r"[vV]?\d+(?:\.\d+)+ (?=(?:is|was|has|brings|adds|drops|contains|includes|fixes)\b)")

# "Require Lathe 3 (breaking change)." says it after its label once more.
_SAYS_IT_BREAKS = regex(
    r" \((?:(?:potentially )?breaking(?: change)?|backwards?[- ]incompatible)\)(?=\W*$)", re.IGNORECASE
)


def quote_change(
    extractor: Extractor, change: Change, index: int, after: int | None = None, *, is_labelled: bool = False
) -> SummarySentence:
    """A change as it is shown: labelled by its kind where nothing else tells it, and by its heading."""
    row = change.row
    candidates = extractor.candidates
    quoted = extractor.quote(row, index, after)
    # "v2-1-0: Added …" stands under its release.
    source = candidates.sentences[row].text
    number = _NUMBER_THAT_IS.match(source)
    shown = source if number and quoted.text == source[number.end() :] else quoted.text
    text = plain_change(without_maker(candidates, shown.removeprefix(f"{change.release}: ")))
    heading = candidates.sections[row].heading or ""
    cut = is_cut(candidates, change)
    label = label_of(change.kind, source, heading, is_cut=cut) if is_labelled else None
    if label is not None:
        text = without_label(text)
        if label == KINDS[BREAKING][1]:
            text = _SAYS_IT_BREAKS.sub("", text)
        # "#12: Deprecate the gate" says it without its number.
        if label != KINDS[BREAKING][1] and kind_by_verb(text, -1) == change.kind:
            label = None
    # "0.8" may head a release that nothing but the other headings shows to be one.
    if change.topic is not None and change.topic != change.release and not says_topic(text, change.topic):
        label = f"{label}, {change.topic}" if label else change.topic
    return replace(quoted, text=text, label=label)


def quote_changes(
    extractor: Extractor, changes: Sequence[Change], first_index: int
) -> dict[int, SummarySentence]:
    """Changes as they are shown below the heading of their kind, by position, the first of this index."""
    quoted: dict[int, SummarySentence] = {}
    for change in changes:
        for after, row in zip((None, *change.shown), change.shown, strict=False):
            made = quote_change(extractor, replace(change, speaks=row), first_index + len(quoted), after)
            # The heading stands before the first of two sentences.
            quoted[row] = made if row == change.shown[0] else replace(made, label=None)
    return quoted


def words_shown(candidates: Candidates, change: Change) -> int:
    """How many words a change takes, with the heading before it."""
    first = candidates.sentences[change.shown[0]].text
    label = change.topic if change.topic and not says_topic(first, change.topic) else ""
    texts = (plain_change(without_maker(candidates, candidates.sentences[row].text)) for row in change.shown)
    return sum(len(text.split()) for text in texts) + len(label.split())
