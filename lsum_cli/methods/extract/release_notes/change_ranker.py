"""Which changes users must know of: a linear ranker of the changes that release notes list.

Readers were shown the changes of 327 release notes and changelogs of 110 packages and said which a summary
must tell, which it might and which it must never. The weights are fitted to their choices (a listwise loss,
Cao et al. 2007, and an ordinal one); ``benchmarks.summaries.change_choices`` fits and measures them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.release_notes.change import Change
from lsum_cli.methods.extract.release_notes.kinds import HIGHLIGHTS, KINDS, OVERVIEW, drops_support
from lsum_cli.methods.extract.release_notes.wording import is_minor, says_how_it_was, strength_of
from lsum_cli.text.terms import content_stems

# Where so many changes can be quoted, what scores less is not: of such changes readers wanted 0.20 told and
# 0.43 never, of the others 0.60 and 0.11. The best are offered all the same.
_MUCH, _ALWAYS_OFFERED, _LEAST_SCORE = 12, 8, 1.0
# What each word above these costs, which leaves room for others; set by hand.
_PER_WORD, _SHORT = 0.03, 20
# Few and many words of a change, and many of a section that explains one.
_FEW, _MANY = 8, 30
_LONG_SECTION = 120


class Weights(NamedTuple):
    """The weights of the ranker.

    Attributes:
        features: The weight of each feature of :func:`features_of_changes`.
        words: That of each stem of a change; of others 0.
    """

    features: Mapping[str, float]
    words: Mapping[str, float]


def score_changes(extractor: Extractor, changes: Sequence[Change]) -> dict[Change, float]:
    """How much users want to be told each change that can be quoted; of all notes alike, about -3 to 5."""
    weights = fitted_weights()
    sentences = extractor.candidates.sentences
    return {
        change: sum(weights.features.get(name, 0.0) * value for name, value in features.items())
        + sum(weights.words.get(word, 0.0) for word in content_stems(sentences[change.row].text))
        - _PER_WORD * max(0, int(extractor.candidates.num_words[change.row]) - _SHORT)
        for change, features in features_of_changes(extractor, changes).items()
    }


def worth_telling(changes: Sequence[Change], score: Mapping[Change, float]) -> list[Change]:
    """The changes that users want to be told where there is much to choose from, else all."""
    best = sorted((score[change] for change in changes), reverse=True)
    least = min(_LEAST_SCORE, best[_ALWAYS_OFFERED - 1]) if len(best) >= _MUCH else -math.inf
    return [change for change in changes if score[change] >= least]


def features_of_changes(extractor: Extractor, changes: Sequence[Change]) -> dict[Change, dict[str, float]]:
    """What is weighed of each change that can be quoted, beside its words."""
    candidates, scores = extractor.candidates, extractor.scores.values
    general = _general_terms(candidates, changes)
    made = {}
    for change in changes:
        if change.speaks is None:
            continue
        text, num_words = candidates.sentences[change.row].text, int(candidates.num_words[change.row])
        whole = f"{change.topic or ''} {text}"
        own, is_general = content_stems(text), change.kind in (OVERVIEW, HIGHLIGHTS)
        of_section = int(candidates.num_words[list(change.rows)].sum()) if change.topic is not None else 0
        features: dict[str, float] = {
            "score": float(scores[change.row]),
            "clarity": change.clarity,
            "num_words": math.log1p(num_words),
            "few_words": num_words < _FEW,
            "many_words": num_words > _MANY,
            "in_overview": 0.0 if is_general else len(own & general) / max(1, len(own)),
            "drops_support": drops_support(whole),
            # "Require Python 3.12; test on 3.14" concerns users all the same.
            "minor": is_minor(whole) and not drops_support(whole),
            "commit": change.is_commit,
            "states_change": strength_of(text),
            "says_how_it_was": says_how_it_was(text),
            "place": math.log1p(change.place),
            "size_of_section": min(1.0, of_section / _LONG_SECTION),
            "has_topic": change.topic is not None,
            KINDS[change.kind][0]: 1.0,
        }
        made[change] = features
    return made


def _general_terms(candidates: Candidates, changes: Sequence[Change]) -> set[str]:
    """The terms of what the notes say of the release in general, and of its highlights."""
    return {
        term
        for change in changes
        if change.kind in (OVERVIEW, HIGHLIGHTS)
        for row in change.rows
        for term in content_stems(candidates.sentences[row].text)
    }


@cache
def fitted_weights() -> Weights:
    """The weights that were fitted to what readers chose."""
    fitted = json.loads(Path(__file__).with_name("change_ranker.json").read_text(encoding="utf-8"))
    return Weights(fitted["features"], fitted["words"])
