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
from lsum_cli.methods.extract.listed_changes.change import Change, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import KINDS, drops_support
from lsum_cli.methods.extract.listed_changes.wording import is_minor, says_how_it_was, strength_of
from lsum_cli.text.terms import content_stems

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
    return {
        change: sum(weights.features.get(name, 0.0) * value for name, value in features.items())
        + sum(weights.words.get(word, 0.0) for word in stems_of_change(extractor.candidates, change))
        for change, features in features_of_changes(extractor, changes).items()
    }


def features_of_changes(extractor: Extractor, changes: Sequence[Change]) -> dict[Change, dict[str, float]]:
    """What is weighed of each change that can be quoted, beside its words."""
    candidates, scores = extractor.candidates, extractor.scores.values
    made = {}
    for change in changes:
        if change.speaks is None:
            continue
        text = plain_change(candidates.sentences[change.row].text)
        num_words = len(text.split())
        whole = f"{change.topic or ''} {text}"
        of_section = int(candidates.num_words[list(change.rows)].sum()) if change.topic is not None else 0
        features: dict[str, float] = {
            "score": float(scores[change.row]),
            "clarity": change.clarity,
            "num_words": math.log1p(num_words),
            "few_words": num_words < _FEW,
            "many_words": num_words > _MANY,
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


def stems_of_change(candidates: Candidates, change: Change) -> frozenset[str]:
    """The stems of the sentence that says a change, without who made it where."""
    return content_stems(plain_change(candidates.sentences[change.row].text))


@cache
def fitted_weights() -> Weights:
    """The weights that were fitted to what readers chose."""
    fitted = json.loads(Path(__file__).with_name("change_ranker.json").read_text(encoding="utf-8"))
    return Weights(fitted["features"], fitted["words"])
