"""Extraction: the most informative sentences of the source, verbatim and in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lsum_cli.documents import Document
from lsum_cli.locality import Page, count_tokens
from lsum_cli.methods.base import Cost, Method, Plan, SentenceListener
from lsum_cli.methods.chapters import find_chapters
from lsum_cli.methods.extract.composition import compose, compose_text
from lsum_cli.methods.extract.request import Request, goes_by_chapters
from lsum_cli.methods.length import NAMED_LENGTHS, suit_length
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import Style, Summary, SummarySentence
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
        pages = (
            find_chapters(documents, self.count_tokens, keep_references=self.options.keep_references)
            if goes_by_chapters(self.options)
            else self._paginate(documents)
        )
        plan = self._plan(Plan, documents, pages, title=title, reference=reference)
        if self.options.all_lengths:
            return plan
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

    def _write(self, plan: Plan, on_sentence: SentenceListener) -> Summary:  # noqa: ARG002
        total = sum(len(page.sentences) for page in plan.pages)
        ranking = ProgressEvent(stage="ranking sentences", done=0, total=total, unit="sentences")
        self.progress(ranking)
        made = compose(plan.pages, plan.documents, self._request(plan))
        self.progress(replace(ranking, done=total))
        summary = plan.summary(made.sentences, warnings=made.warnings, chapters=made.chapters)
        return replace(
            summary,
            outline=made.outline,
            keywords=made.keywords,
            lengths=made.lengths,
            other_sections=made.other_sections,
            topics=made.topics,
        )

    def _request(self, plan: Plan) -> Request:
        """What is to be written; what is to be zoomed gets all lengths and the outline."""
        options, planned = self.options, plan.options.get("length")
        num_words = planned if isinstance(planned, int) else self._num_words(plan)
        request = Request.of(options, num_words)
        is_asked = options.length is not None and not options.all_lengths
        if not options.zoom or is_asked or options.style is Style.OUTLINE:
            return request
        return replace(
            request,
            # What suits the source may be longer than any named length.
            num_words=max(num_words, *NAMED_LENGTHS.values()),
            all_lengths=True,
            is_zoom=True,
            style=Style.OUTLINE if len(plan.documents) == 1 else request.style,
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
    total = sum(len(page.sentences) for page in pages)
    ranking = ProgressEvent(stage="ranking sentences", done=0, total=total, unit="sentences")
    progress(ranking)
    request = Request(num_words=num_words, has_length=True, attribution=attribution)
    sentences = compose_text(pages, documents, request)
    progress(replace(ranking, done=total))
    return sentences
