"""Extraction: the sentences of the source that together say most, verbatim and in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.locality import Page, count_tokens
from lsum_cli.methods.candidates import Candidates
from lsum_cli.methods.method import Written
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.salience import salience
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, AttributionKind, Evidence, PageWeight, SummarySentence
from lsum_cli.terms import BoolArray, FloatArray, TermMatrix

# Fitted on training splits together with the weights of the measures.
REDUNDANCY = 1.2
# How much a document loses of its claim when its share of the summary is full.
DOCUMENT_BALANCE = 0.3
# What two sentences may share of their terms, by weight, before the second is a near-duplicate.
NEAR_DUPLICATE = 0.5
SHORTEST, LONGEST = 8, 70
FEWEST_LETTERS = 0.5


class ExtractMethod:
    """The method ``extract``: needs no checkpoint."""

    name = "extract"
    page_len = 1024

    def count_tokens(self, text: str) -> int:
        """Words, punctuation marks and ideographs."""
        return count_tokens(text)

    def write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        """Extract the wished number of words."""
        return Written(
            sentences=extract(
                pages,
                documents,
                num_words=options.num_words,
                attribution=options.attribution,
                progress=progress,
            )
        )


def extract(
    pages: Sequence[Page],
    documents: Sequence[Document],
    *,
    num_words: int,
    attribution: bool = True,
    progress: ProgressListener = ignore_progress,
) -> tuple[SummarySentence, ...]:
    """Choose the sentences that together say most of what the pages say.

    Args:
        pages: As :func:`lsum_cli.locality.paginate` made them from the documents.
        documents: The documents the pages come from.
        num_words: The length wished for; the summary ends at a sentence and is not longer, unless
            every single sentence is.
        attribution: Whether to say where each sentence stands.
        progress: Told where the work stands.
    """
    if not pages:
        return ()
    candidates = Candidates.of(pages, documents)
    ranking = ProgressEvent(stage="ranking sentences", done=0, total=len(candidates), unit="sentences")
    progress(ranking)
    chosen = select(candidates, salience(candidates), num_words)
    progress(replace(ranking, done=len(candidates)))
    return tuple(
        SummarySentence(
            text=candidates.sentences[position].text,
            index=index,
            attribution=_attribute(candidates, position, pages) if attribution else None,
        )
        for index, position in enumerate(chosen)
    )


def select(candidates: Candidates, salience: FloatArray, num_words: int) -> list[int]:
    """Choose sentences greedily until no other fits; in the order of the source.

    Each time the sentence is taken that is most salient once what the summary already says is
    subtracted (maximal marginal relevance, Carbonell and Goldstein 1998, with the summary so far
    as one text): ``salience - REDUNDANCY * covered - DOCUMENT_BALANCE * fill``, where *covered* is
    the share of its terms, by weight, that chosen sentences hold, and *fill* how much of its
    document's share of the summary is taken. Near-duplicates of a chosen sentence are left out.

    Args:
        candidates: The sentences to choose from.
        salience: Of each sentence.
        num_words: What the chosen ones may hold together; where every sentence is longer, the
            most salient is chosen all the same.
    """
    terms, num_words_of = candidates.terms, candidates.num_words
    entry_weights = _term_weights(terms)[terms.columns]
    own_weight = np.maximum(1e-9, terms.sum_rows(entry_weights))
    document_words = np.zeros(int(candidates.document.max()) + 1)
    document_share = num_words / np.unique(candidates.document).size
    is_open = _is_presentable(candidates)
    if not (is_open & (num_words_of <= num_words)).any():
        is_open = np.ones(len(candidates), bool)
    covered = np.zeros(terms.num_terms)
    chosen: list[int] = []
    remaining = num_words
    while (fitting := is_open & (num_words_of <= remaining)).any():
        redundancy = terms.sum_rows(entry_weights * covered[terms.columns]) / own_weight
        fill = document_words[candidates.document] / document_share
        gain = salience - REDUNDANCY * redundancy - DOCUMENT_BALANCE * fill
        best = int(np.argmax(np.where(fitting, gain, -np.inf)))
        chosen.append(best)
        remaining -= int(num_words_of[best])
        document_words[candidates.document[best]] += num_words_of[best]
        is_open[best] = False
        entries = terms.row(best)
        held = np.zeros(terms.num_terms)
        held[terms.columns[entries]] = 1
        covered = np.maximum(covered, held)
        shared = terms.sum_rows(entry_weights * held[terms.columns])
        is_open &= shared < NEAR_DUPLICATE * np.maximum(own_weight, own_weight[best])
    return sorted(chosen) or [int(np.argmax(salience))]


def _term_weights(terms: TermMatrix) -> FloatArray:
    """What a term counts for in a comparison: more when repeated, less when everywhere."""
    frequency = terms.frequency
    return np.log1p(frequency) * np.log1p(terms.num_rows / np.maximum(1, frequency))


def _is_presentable(candidates: Candidates) -> BoolArray:
    """Whether a sentence can stand in a summary: neither a crumb nor endless, mostly letters."""
    letters = [sum(map(str.isalpha, sentence.text)) for sentence in candidates.sentences]
    lengths = [len(sentence.text) for sentence in candidates.sentences]
    long_enough = (candidates.num_words >= SHORTEST) & (candidates.num_words <= LONGEST)
    presentable: BoolArray = long_enough & (np.array(letters) >= FEWEST_LETTERS * np.array(lengths))
    return presentable


def _attribute(candidates: Candidates, position: int, pages: Sequence[Page]) -> Attribution:
    sentence, page = candidates.sentences[position], pages[candidates.page[position]]
    return Attribution(
        kind=AttributionKind.EXTRACTION,
        pages=(PageWeight(page=page.index, weight=1.0),),
        evidence=(
            Evidence(
                text=sentence.text,
                document_id=page.document_id,
                sentence_index=sentence.index,
                page=page.index,
                pdf_page=sentence.pdf_page,
                score=1.0,
            ),
        ),
    )
