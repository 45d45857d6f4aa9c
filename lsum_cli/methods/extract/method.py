"""Extraction: the most informative sentences of the source, verbatim and in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lsum_cli.documents import Document
from lsum_cli.locality import Page, count_tokens
from lsum_cli.methods.base import Cost, Method, Plan, SentenceListener
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.salience import salience
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import suit_length
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, Summary, SummarySentence
from lsum_cli.text.terms import count_words

# Measured on books of 40,000 to 1,000,000 tokens; rounded conservatively.
TOKENS_PER_SECOND = 80_000
BASE_MEMORY_BYTES = 100 << 20
MEMORY_BYTES_PER_TOKEN = 500


class ExtractMethod(Method[Plan]):
    """The method ``extract``: needs no checkpoint."""

    name = "extract"
    page_len = 1024
    generates = False

    def count_tokens(self, text: str) -> int:
        """Count words, punctuation marks and ideographs."""
        return count_tokens(text)

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> Plan:
        """See :meth:`~lsum_cli.methods.base.Method.plan`."""
        plan = self._plan(Plan, documents, self._paginate(documents), title=title, reference=reference)
        return replace(plan, options={**plan.options, "length": self._num_words(plan)})

    def _num_words(self, plan: Plan) -> int:
        """The length of the summary: as requested, else as long as suits the source."""
        if self.options.length is not None:
            return self.options.num_words
        texts = (sentence.text for page in plan.pages for sentence in page.sentences)
        return suit_length(sum(map(count_words, texts)), len(plan.documents))

    def estimate(self, plan: Plan) -> Cost:
        """Estimate time and memory from measurements on two ordinary cores."""
        num_tokens = sum(page.num_tokens for page in plan.pages)
        return Cost(
            seconds=num_tokens / TOKENS_PER_SECOND,
            memory_bytes=BASE_MEMORY_BYTES + num_tokens * MEMORY_BYTES_PER_TOKEN,
        )

    def _write(self, plan: Plan, hear: SentenceListener) -> Summary:  # noqa: ARG002
        return plan.summary(
            extract(
                plan.pages,
                plan.documents,
                num_words=self._num_words(plan),
                attribution=self.options.attribution,
                progress=self.progress,
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
    """Select the sentences that together cover the pages best.

    Args:
        pages: The pages that :func:`lsum_cli.locality.paginate` made from the documents.
        documents: The documents the pages come from.
        num_words: Maximum length; the summary consists of whole sentences and is only longer if every
            single sentence is.
        attribution: Whether to attribute each sentence to its place in the source.
        progress: Receives the progress of the work.
    """
    if not pages:
        return ()
    candidates = Candidates.of(pages, documents)
    ranking = ProgressEvent(stage="ranking sentences", done=0, total=len(candidates), unit="sentences")
    progress(ranking)
    structure = Structure.of(candidates)
    chosen = select(candidates, salience(candidates, structure), num_words, structure=structure)
    progress(replace(ranking, done=len(candidates)))
    return tuple(
        SummarySentence(
            text=structure.shown(candidates, position),
            label=structure.label_of(candidates, position),
            index=index,
            attribution=Attribution.verbatim(candidates.sentences[position], pages[candidates.page[position]])
            if attribution
            else None,
        )
        for index, position in enumerate(chosen)
    )
