"""From documents to a finished summary, whatever the method."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from lsum_cli.documents import Document, LeftOut, SectionRole
from lsum_cli.errors import OptionError, SourceError
from lsum_cli.locality import (
    CountTokens,
    Locality,
    LocalityChoice,
    Page,
    choose_locality,
    count_tokens,
    paginate,
)
from lsum_cli.methods.choice import AUTO, MethodChoice, choose_method
from lsum_cli.methods.method import (
    BatchingMethod,
    GuidedMethod,
    Method,
    PagingMethod,
    StreamingMethod,
    Written,
    load_method,
)
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import (
    Coverage,
    OptionValue,
    Summary,
    SummaryListener,
    SummarySentence,
    UnreadPages,
)

# A document of more tokens is a book: 32 pages of 1024.
BOOK_TOKENS = 32 * 1024


@dataclass(frozen=True, kw_only=True)
class Pagination:
    """Documents grouped in pages for a method, with what that covers."""

    method: Method
    locality: LocalityChoice
    pages: tuple[Page, ...]
    coverage: Coverage


class Summarizer:
    """Summarises documents with one method and one set of options.

    A method is loaded once, on first use, and serves any number of summaries.

    Args:
        options: How summaries are to be made.
        progress: Told where the work stands.
        listener: Told of sentences as they are written, by methods that can.
    """

    def __init__(
        self,
        options: SummaryOptions | None = None,
        progress: ProgressListener = ignore_progress,
        listener: SummaryListener | None = None,
    ) -> None:
        self.options = options or SummaryOptions()
        self._progress = progress
        self._listener = listener
        self._choice: MethodChoice | None = None
        self._method: Method | None = None

    def method_for(self, documents: Sequence[Document]) -> Method:
        """The method for these documents: the one asked for, or the best that is installed.

        Raises:
            OptionError: There is no such method.
            CheckpointError: Its checkpoint is not here, damaged, or of another method.
        """
        locality = self.options.locality or choose_locality(documents).locality
        choice = choose_method(self.options, locality, is_book=self._is_book(documents))
        if self._method is None or choice != self._choice:
            self._choice, self._method = choice, load_method(choice, self.options)
        return self._method

    def _is_book(self, documents: Sequence[Document]) -> bool:
        """Whether ``auto`` goes by chapters: for one document that is too long for pages."""
        if self.options.method != AUTO or len(documents) != 1:
            return False
        lengths = (count_tokens(sentence.text) for sentence in documents[0].sentences)
        return any(total > BOOK_TOKENS for total in accumulate(lengths))

    def paginate(self, documents: Sequence[Document]) -> Pagination:
        """Group documents in pages as :meth:`summarize` does.

        Raises:
            OptionError: Page options that exclude each other.
            CheckpointError: There is no such checkpoint, or it cannot be used.
            SourceError: The documents hold no text to summarise.
        """
        return self._paginate(documents, self.method_for(documents))

    def _paginate(self, documents: Sequence[Document], method: Method) -> Pagination:
        options = self.options
        locality = _choose_locality(documents, options, method)
        if options.page_tokens and method.max_page_len and options.page_tokens > method.max_page_len:
            raise OptionError(
                f"--page-tokens {options.page_tokens} exceeds the {method.max_page_len} that the model reads",
                f"give --page-tokens at most {method.max_page_len}",
            )
        if isinstance(method, PagingMethod):
            pages = method.make_pages(documents)
        else:
            pages = paginate(
                documents,
                locality.locality,
                options.page_tokens or method.page_len,
                method.count_tokens,
                pages=options.pages or _trained_pages(method, locality.locality),
                keep_references=options.keep_references,
            )
        if not pages:
            names = ", ".join(document.source for document in documents) or "nothing"
            raise SourceError(
                f"{names} holds no text to summarise",
                "give a document with sentences, or --keep-references if the reference list is meant",
            )
        coverage = measure_coverage(documents, pages, method.count_tokens, options.keep_references)
        return Pagination(method=method, locality=locality, pages=pages, coverage=coverage)

    def summarize(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> Summary:
        """Write one summary of all the documents.

        Args:
            documents: At least one; several are summarised together.
            title: Title of the summary; by default that of the single document.
            reference: The summary that a person wrote, for methods that can use it (pooling ``oracle``).

        Raises:
            OptionError: Options that exclude each other.
            CheckpointError: The checkpoint cannot be used.
            DeviceError: The device does not exist, or its memory does not suffice.
            SourceError: The documents hold no text to summarise.
        """
        method, opening = self._open(documents, title)
        return _completed(opening, self._write(method, opening, reference))

    def summarize_batch(self, batch: Sequence[Sequence[Document]]) -> list[Summary] | None:
        """As :meth:`summarize` for each group of documents, but written together.

        Returns:
            ``None`` where there is no one method for all, or it writes one summary after the other.

        Raises:
            LsumError: As :meth:`summarize`; then nothing is known of the others.
        """
        opened = [self._open(documents, None) for documents in batch]
        method = opened[0][0]
        if not isinstance(method, BatchingMethod) or any(each is not method for each, _ in opened):
            return None
        inputs = [(opening.pages, opening.documents) for _, opening in opened]
        written = method.write_batch(inputs, self.options, self._progress)
        return [_completed(opening, each) for (_, opening), each in zip(opened, written, strict=True)]

    def _open(self, documents: Sequence[Document], title: str | None) -> tuple[Method, Summary]:
        """The method for these documents, and what is known of their summary before it is written."""
        times = [time.perf_counter()]
        method = self.method_for(documents)
        times.append(time.perf_counter())
        pagination = self._paginate(documents, method)
        times.append(time.perf_counter())
        return method, Summary(
            title=title or (documents[0].title if len(documents) == 1 else None),
            sentences=(),
            pages=pagination.pages,
            documents=tuple(documents),
            method=method.name,
            locality=pagination.locality.locality,
            locality_reason=pagination.locality.reason,
            checkpoint=self._choice.reference if self._choice else None,
            options=self._recorded_options(method),
            coverage=pagination.coverage,
            seconds={"load": times[1] - times[0], "paginate": times[2] - times[1]},
            warnings=tuple(_reading_warnings(documents, pagination.coverage)),
        )

    def _write(self, method: Method, opening: Summary, reference: str | None) -> Written:
        if reference is not None and isinstance(method, GuidedMethod):
            return method.write_guided(
                opening.pages, opening.documents, self.options, self._progress, reference
            )
        listener = self._listener
        if listener is None or not isinstance(method, StreamingMethod):
            return method.write(opening.pages, opening.documents, self.options, self._progress)

        def hear(sentence: SummarySentence) -> None:
            # Not before there is a sentence: what fails before has begun nothing.
            if sentence.index == 0:
                listener.begin(opening)
            listener.add(sentence)

        return method.stream(opening.pages, opening.documents, self.options, self._progress, hear)

    def _recorded_options(self, method: Method) -> dict[str, OptionValue]:
        options = self.options
        return {
            "length": options.num_words,
            "page_tokens": options.page_tokens or method.page_len,
            "pages": options.pages,
            "keep_references": options.keep_references,
        }


def _completed(opening: Summary, written: Written) -> Summary:
    stages = (*opening.seconds, *written.seconds)
    return replace(
        opening,
        sentences=written.sentences,
        checkpoint=written.checkpoint,
        options={**opening.options, **written.options},
        # A method opens its checkpoint before it pages, and loads the weights after.
        seconds={s: opening.seconds.get(s, 0.0) + written.seconds.get(s, 0.0) for s in stages},
        warnings=(*opening.warnings, *written.warnings),
        chapters=written.chapters,
    )


def _choose_locality(
    documents: Sequence[Document], options: SummaryOptions, method: Method
) -> LocalityChoice:
    """What the user asked for, else what suits the method, else what the documents suggest."""
    if options.locality is not None:
        return LocalityChoice(locality=options.locality, reason="")
    return method.locality or choose_locality(documents)


def _trained_pages(method: Method, locality: Locality) -> int | None:
    """How many pages to make as the checkpoint was trained; a document's page is the document."""
    trained = method.locality.locality if method.locality else None
    return method.pages if locality is trained is not Locality.DOCUMENT else None


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
        unread=tuple(_unread_pages(documents)),
        left_out=tuple(LeftOut(what=what, words=words) for what, words in left_out.items()),
    )


def _unread_pages(documents: Sequence[Document]) -> Iterator[UnreadPages]:
    for document in documents:
        blank = document.metadata.pdf_pages_blank
        pages = tuple(page for page in document.metadata.pdf_pages_without_text if page not in blank)
        if pages:
            yield UnreadPages(pages=pages, source=document.source if len(documents) > 1 else "")


def _reading_warnings(documents: Sequence[Document], coverage: Coverage) -> list[str]:
    prefix = len(documents) > 1
    warnings = [
        f"{document.source}: {warning}" if prefix else warning
        for document in documents
        for warning in document.metadata.warnings
    ]
    return [*warnings, *coverage.lost]
