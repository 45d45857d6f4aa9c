"""The score of each sentence: its salience, what its kind of document adds, then the ranker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind
from lsum_cli.methods.extract.ranking.ranker import Weights, preference
from lsum_cli.methods.extract.ranking.salience import PLACE_WEIGHT, features, salience
from lsum_cli.methods.extract.sentences.gist import WORDS_OF_A_MANUAL
from lsum_cli.methods.extract.sentences.precedents import cost_of_precedents
from lsum_cli.methods.extract.sentences.statements import is_background, tells_procedure
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.terms import FloatArray

# What was done tells nothing of what a paper found: what it costs where that is not its own summary, in
# standard deviations.
PROCEDURE = 1.0
# What leads up to the aim of a paper is background: what it costs, in standard deviations.
BACKGROUND = 1.2


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """The scores of the sentences of a source; one value per sentence.

    Attributes:
        features: What salience is made from, by name.
        salience: How much each sentence repeats what the documents are about, with what its kind of document
            adds: what the ranker is given.
        values: By what sentences are chosen; only differences are meaningful.
        is_ranked: Whether ``values`` are the ranker's.
    """

    features: Mapping[str, FloatArray]
    salience: FloatArray
    values: FloatArray
    is_ranked: bool

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        structure: Structure,
        *,
        is_read: bool = True,
        weights: Weights | None = None,
    ) -> Scores:
        """Score the sentences.

        Args:
            candidates: The sentences.
            structure: What is known of them.
            is_read: Whether a reader's preferences count in full.
            weights: Those of the ranker, by default the ones fitted to what readers chose. Weights of no
                feature leave salience as it is.
        """
        values = features(candidates)
        scores = salience(candidates, structure, place_weight=1.0 if is_read else PLACE_WEIGHT, values=values)
        if structure.source_kind is SourceKind.CONVERSATION and is_read:
            # Imported here: its rules take as long to prepare as a short document takes to read.
            from lsum_cli.methods.extract.conversations.talk import minute_scores

            scores = scores + float(scores.std()) * minute_scores(candidates)
        if structure.document_kind is DocumentKind.PAPER and is_read:
            background = is_background(candidates).astype(float)
            scores = scores - BACKGROUND * float(scores.std()) * background
        is_ranked = is_read and _is_ranked(candidates, structure)
        if weights is not None and not weights.features:
            is_ranked = False
        preferred = preference(candidates, structure, scores, values, weights) if is_ranked else scores
        if is_ranked and structure.document_kind is DocumentKind.PAPER:
            procedure = np.array([tells_procedure(sentence.text) for sentence in candidates.sentences], float)
            procedure *= ~structure.gist.is_own_summary
            preferred = preferred - PROCEDURE * float(preferred.std()) * procedure
        if is_ranked and structure.document_kind is DocumentKind.DECISION:
            preferred = preferred - float(preferred.std()) * cost_of_precedents(candidates)
        if is_ranked and (structure.source_kind, structure.document_kind) == (
            SourceKind.PROSE,
            DocumentKind.OTHER,
        ):
            from lsum_cli.methods.extract.ranking.cue_phrases import cue_values

            preferred = preferred + cue_values(candidates, structure.stands_alone)
        if is_read and (structure.source_kind, structure.document_kind) == (
            SourceKind.PROSE,
            DocumentKind.OTHER,
        ):
            from lsum_cli.methods.extract.ranking.argument import claim_values, is_essay

            if candidates.language in (None, "en") and is_essay(candidates):
                claims = claim_values(candidates, structure.stands_alone & structure.is_presentable)
                preferred = preferred + float(preferred.std()) * claims
        return cls(features=values, salience=scores, values=preferred, is_ranked=is_ranked)


def _is_ranked(candidates: Candidates, structure: Structure) -> bool:
    """Whether readers chose from documents like these: nobody did from stories, long manuals or articles."""
    return not is_manual(candidates, structure) and (
        structure.source_kind in (SourceKind.CONVERSATION, SourceKind.PROSE)
        or structure.document_kind is DocumentKind.NOTES
    )


def is_manual(candidates: Candidates, structure: Structure) -> bool:
    """Whether it is a long document of no known kind, whose parts begin with what they are about."""
    return (
        not candidates.document.any()
        and structure.source_kind is SourceKind.PROSE
        and structure.document_kind is DocumentKind.OTHER
        and int(candidates.num_words.sum()) > WORDS_OF_A_MANUAL
    )
