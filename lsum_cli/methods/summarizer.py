"""From documents to a finished summary, whatever the method."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document, LeftOut, SectionRole
from lsum_cli.errors import SourceError
from lsum_cli.locality import CountTokens, LocalityChoice, Page, choose_locality, paginate
from lsum_cli.methods.method import Method, load_method
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import Coverage, OptionValue, Summary


@dataclass(frozen=True, kw_only=True)
class Pagination:
    """Documents grouped in pages, with what that covers."""

    locality: LocalityChoice
    pages: tuple[Page, ...]
    coverage: Coverage


class Summarizer:
    """Summarises documents with one method and one set of options.

    A method is loaded once, on first use, and serves any number of summaries.

    Args:
        options: How summaries are to be made.
        progress: Told where the work stands.
    """

    def __init__(
        self, options: SummaryOptions | None = None, progress: ProgressListener = ignore_progress
    ) -> None:
        self.options = options or SummaryOptions()
        self._progress = progress
        self._method: Method | None = None

    @property
    def method(self) -> Method:
        """The method that the options ask for.

        Raises:
            OptionError: There is no such method.
        """
        if self._method is None:
            self._method = load_method(self.options.method)
        return self._method

    def paginate(self, documents: Sequence[Document]) -> Pagination:
        """Group documents in pages as :meth:`summarize` does.

        Raises:
            OptionError: Page options that exclude each other.
            SourceError: The documents hold no text to summarise.
        """
        options, method = self.options, self.method
        if options.locality is None:
            locality = choose_locality(documents)
        else:
            locality = LocalityChoice(locality=options.locality, reason="")
        pages = paginate(
            documents,
            locality.locality,
            options.page_tokens or method.page_len,
            method.count_tokens,
            pages=options.pages,
            keep_references=options.keep_references,
        )
        if not pages:
            names = ", ".join(document.source for document in documents) or "nothing"
            raise SourceError(
                f"{names} holds no text to summarise",
                "give a document with sentences, or --keep-references if the reference list is meant",
            )
        coverage = measure_coverage(documents, pages, method.count_tokens, options.keep_references)
        return Pagination(locality=locality, pages=pages, coverage=coverage)

    def summarize(self, documents: Sequence[Document], *, title: str | None = None) -> Summary:
        """Write one summary of all the documents.

        Args:
            documents: At least one; several are summarised together.
            title: Title of the summary; by default that of the single document.

        Raises:
            OptionError: Options that exclude each other.
            SourceError: The documents hold no text to summarise.
        """
        started = time.perf_counter()
        pagination = self.paginate(documents)
        paginated = time.perf_counter()
        written = self.method.write(pagination.pages, documents, self.options, self._progress)
        return Summary(
            title=title or (documents[0].title if len(documents) == 1 else None),
            sentences=written.sentences,
            pages=pagination.pages,
            documents=tuple(documents),
            method=self.method.name,
            locality=pagination.locality.locality,
            locality_reason=pagination.locality.reason,
            checkpoint=written.checkpoint,
            options=self._recorded_options(),
            coverage=pagination.coverage,
            seconds={"paginate": paginated - started, **written.seconds},
            warnings=(*_reading_warnings(documents, pagination.coverage), *written.warnings),
        )

    def _recorded_options(self) -> dict[str, OptionValue]:
        options = self.options
        return {
            "length": options.num_words,
            "page_tokens": options.page_tokens or self.method.page_len,
            "pages": options.pages,
            "keep_references": options.keep_references,
        }


def measure_coverage(
    documents: Sequence[Document],
    pages: Sequence[Page],
    count_tokens: CountTokens,
    keep_references: bool,
) -> Coverage:
    """Count what of the documents the pages hold; what no page holds counts as dropped."""
    paged = {(page.document_id, sentence.index) for page in pages for sentence in page.sentences}
    dropped = references = 0
    left_out: dict[str, int] = {}
    for document in documents:
        for section in document.sections:
            for sentence in section.sentences:
                if (document.id, sentence.index) in paged:
                    continue
                if section.role is SectionRole.REFERENCES and not keep_references:
                    references += count_tokens(sentence.text)
                else:
                    dropped += count_tokens(sentence.text)
        for part in document.metadata.left_out:
            left_out[part.what] = left_out.get(part.what, 0) + part.words
    read = sum(page.num_tokens for page in pages)
    metadata = [document.metadata for document in documents]
    return Coverage(
        tokens_total=read + dropped + references,
        tokens_read=read,
        tokens_dropped=dropped,
        tokens_references=references,
        pages_total=len(pages),
        pdf_pages_without_text=tuple(page for m in metadata for page in m.pdf_pages_without_text),
        pdf_pages_blank=tuple(page for m in metadata for page in m.pdf_pages_blank),
        left_out=tuple(LeftOut(what=what, words=words) for what, words in left_out.items()),
    )


def _reading_warnings(documents: Sequence[Document], coverage: Coverage) -> list[str]:
    prefix = len(documents) > 1
    warnings = [
        f"{document.source}: {warning}" if prefix else warning
        for document in documents
        for warning in document.metadata.warnings
    ]
    return [*warnings, *coverage.lost]
