"""Extraction: the sentences of the source that together say most, verbatim and in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.locality import Page, count_tokens
from lsum_cli.methods.method import Written
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.salience import Source, gather, measure, term_weights
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, AttributionKind, Evidence, PageWeight, SummarySentence
from lsum_cli.terms import FloatArray

WEIGHTS = {
    "centrality": 1.0, "page_centrality": 0.5, "document_start_far": 0.3, "section_start": 0.15, "cue": 0.15,
    "title": 0.3, "dangling": -0.1, "boilerplate": -2.0, "short": -0.5, "unfinished": -0.5, "display": -0.2,
    "citation": -0.1, "question": -0.2, "abstract": 0.3,
}  # fmt: skip


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
    source = gather(pages, documents)
    if not source.sentences:
        return ()
    progress(ProgressEvent(stage="ranking sentences", done=0, total=len(source.sentences), unit="sentences"))
    chosen = select(source, measure(source).weigh(WEIGHTS), num_words)
    progress(
        ProgressEvent(
            stage="ranking sentences",
            done=len(source.sentences),
            total=len(source.sentences),
            unit="sentences",
        )
    )
    return tuple(
        SummarySentence(
            text=source.sentences[position].text,
            index=index,
            attribution=_attribute(source, position, pages) if attribution else None,
        )
        for index, position in enumerate(chosen)
    )


def select(
    source: Source, salience: FloatArray, num_words: int, *, power: float = 0.5, balance: float = 0.5
) -> list[int]:
    """Choose greedily what adds most salience and new concepts per word, until nothing more fits."""
    matrix = source.bigrams
    concept = term_weights(source.terms)
    matrix = source.terms
    concept = concept / max(1e-9, concept.max(initial=0))
    left = concept.copy()
    words = source.num_words.astype(float)
    remaining = float(num_words)
    chosen: list[int] = []
    open_ = np.ones(len(words), bool)
    salience = salience - salience.min() if len(salience) else salience
    while True:
        fits = open_ & (words <= remaining)
        if not fits.any():
            break
        new = matrix.sum_rows(left[matrix.columns])
        total = np.maximum(1e-9, matrix.sum_rows(concept[matrix.columns]))
        gain = salience * (new / total) * words**power
        gain[~fits] = -np.inf
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            break
        chosen.append(best)
        open_[best] = False
        remaining -= words[best]
        left[matrix.columns[matrix.row(best)]] *= balance
    if not chosen:
        chosen = [int(np.argmax(salience))]
    return sorted(chosen)


def _attribute(source: Source, position: int, pages: Sequence[Page]) -> Attribution:
    sentence, page = source.sentences[position], pages[source.page[position]]
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
