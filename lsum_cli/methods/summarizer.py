"""From documents to a finished summary: choose the method, let it plan, let it write."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from lsum_cli.documents import Document
from lsum_cli.errors import LsumError
from lsum_cli.locality import Locality, choose_locality, count_tokens
from lsum_cli.methods.base import Method, MethodChoice, Plan
from lsum_cli.methods.batching import BATCH_TOKENS_FLAG
from lsum_cli.methods.glossary import explain
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import AUTO, choose_method, load_method
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.summaries import Style, Summary, SummaryListener

if TYPE_CHECKING:
    from lsum_cli.changes import EarlierText

# A document of more tokens is a book: 32 pages of 1024.
BOOK_TOKENS = 32 * 1024


class Summarizer:
    """Summarises documents with one set of options, and the method that suits them.

    A method is loaded once, on first use, and serves any number of summaries.

    Args:
        options: How summaries are made.
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
        # By the locality, whether it is a book, and the language of what was to be summarised.
        self._choices: dict[tuple[Locality, bool, str | None], MethodChoice] = {}
        self._choice: MethodChoice | None = None
        self._method: Method[Any] | None = None

    def method_for(self, documents: Sequence[Document]) -> Method[Any]:
        """The method for these documents: the one asked for, or the best that is installed.

        Raises:
            OptionError: There is no such method.
            CheckpointError: Its checkpoint is not here, damaged, or of another method.
        """
        locality = self.options.locality or choose_locality(documents).locality
        languages = {document.language for document in documents} - {None}
        language = languages.pop() if len(languages) == 1 else None
        facts = locality, self._is_book(documents), language
        if facts not in self._choices:
            self._choices[facts] = choose_method(self.options, locality, is_book=facts[1], language=language)
        choice = self._choices[facts]
        if self._method is None or choice != self._choice:
            self._choice, self._method = choice, load_method(choice, self.options, self._progress)
        return self._method

    def _is_book(self, documents: Sequence[Document]) -> bool:
        """Whether ``auto`` goes by chapters: for one document that is too long for pages."""
        if self.options.method != AUTO or len(documents) != 1:
            return False
        lengths = (count_tokens(sentence.text) for sentence in documents[0].sentences)
        return any(total > BOOK_TOKENS for total in accumulate(lengths))

    def prepare(self, goes_on: Callable[[], bool]) -> None:
        """Do ahead what a named model needs for any document, step by step while the document is being read.

        What goes wrong here goes wrong again, and is told, when a summary is made.

        Args:
            goes_on: Whether there is still time for a step.
        """
        if self._method is not None or self.options.model is None or not goes_on():
            return
        with suppress(LsumError):
            choice = choose_method(self.options, self.options.locality)
            if choice.folder is None:
                return
            import torch  # noqa: F401 - the longest step

            if goes_on():
                method = load_method(choice, self.options, self._progress)
                method.prepare()
                self._choice, self._method = choice, method

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> Plan:
        """Plan a summary of all the documents together: pages, cost, what is left out; loads no weights.

        Args:
            documents: At least one.
            title: Title of the summary; by default that of the single document.
            reference: The summary that a person wrote, for methods that can use it (pooling ``oracle``).

        Raises:
            OptionError: Options that exclude each other.
            CheckpointError: There is no such checkpoint, or it cannot be used.
            SourceError: The documents hold no text to summarise.
        """
        return self._open(documents, title, reference)[1]

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
        method, plan = self._open(documents, title, reference)
        return self._shape(method.write(plan, self._listener))

    def summarize_changes(self, old: EarlierText, new: Document) -> Summary:
        """Compare a document with an earlier version, and summarise what of it is new or altered.

        What did not change is not given to the method.

        Raises:
            LsumError: As :meth:`summarize`.
        """
        from lsum_cli.changes import compare

        started = time.perf_counter()
        changes = compare(old, new, keep_references=self.options.keep_references)
        taken = time.perf_counter() - started
        fresh = {each.sentence_index for section in changes.sections for each in section.sentences}
        if fresh - {None}:
            sections = tuple(
                replace(section, sentences=tuple(s for s in section.sentences if s.index in fresh))
                for section in new.sections
            )
            summary = self.summarize([replace(new, sections=sections)], title=new.title)
        else:
            summary = self._open([new])[1].summary()
        seconds = {"compare": taken, **summary.seconds}
        # What did not change may say what the abbreviations stand for.
        return explain(replace(summary, documents=(new,), changes=changes, seconds=seconds))

    def _shape(self, summary: Summary) -> Summary:
        """The summary with its abbreviations, and a model's with the outline and keywords asked for."""
        options = self.options
        is_written = summary.checkpoint is not None
        if is_written and (options.style is Style.OUTLINE or options.keywords):
            # Imported here: only a model's summary needs them.
            from lsum_cli.methods.extract.composition import shape
            from lsum_cli.methods.extract.request import Request

            summary = shape(summary, Request.of(options, options.num_words))
        return explain(summary)

    def summarize_batch(
        self, batch: Sequence[Sequence[Document]], batch_tokens: int | None = None
    ) -> list[Summary] | None:
        """As :meth:`summarize` for each group of documents, but written together.

        Args:
            batch_tokens: As in :meth:`~lsum_cli.methods.base.Method.write_all`; a wish that cannot be met is
                told as a remark of progress.

        Returns:
            ``None`` where there is no one method for all, or it writes one summary after the other.

        Raises:
            LsumError: As :meth:`summarize`; then nothing is known of the others.
        """
        method = self.method_for(batch[0])
        if not method.writes_together:
            if batch_tokens:
                method.tell(f"{BATCH_TOKENS_FLAG} has no effect: {method.alone_because}")
            return None
        opened = [self._open(documents) for documents in batch]
        names = dict.fromkeys(each.name for each, _ in opened)
        if any(each is not method for each, _ in opened):
            several = f"the methods {' and '.join(names)}" if len(names) > 1 else "several checkpoints"
            method.tell(f"not written together: {several} suit these documents")
            return None
        summaries = method.write_all([plan for _, plan in opened], batch_tokens)
        return [self._shape(summary) for summary in summaries]

    def _open(
        self, documents: Sequence[Document], title: str | None = None, reference: str | None = None
    ) -> tuple[Method[Any], Plan]:
        """The method for these documents, and its plan."""
        started = time.perf_counter()
        method = self.method_for(documents)
        opened = time.perf_counter()
        plan: Plan = method.plan(documents, title=title, reference=reference)
        # A method opens its checkpoint before it plans, and loads the weights when it writes.
        seconds = {"load": opened - started, "paginate": time.perf_counter() - opened}
        return method, replace(plan, seconds=seconds)
