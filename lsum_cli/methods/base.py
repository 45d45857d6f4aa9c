"""What a method is: documents become a plan, and a plan becomes a summary.

A plan says by which pages the documents will be read, at what cost, and what is left out; a method
that needs more to write, such as windows, plans it too, in a subclass of :class:`Plan`.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from lsum_cli.checkpoints.values import FLAG, OFF
from lsum_cli.documents import Document, LeftOut, SectionRole
from lsum_cli.errors import OptionError, SourceError
from lsum_cli.locality import CountTokens, Locality, LocalityChoice, Page, choose_locality, paginate
from lsum_cli.methods.batching import BATCH_TOKENS
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import (
    ChapterSummary,
    CheckpointReference,
    Coverage,
    OptionValue,
    Style,
    Summary,
    SummaryLength,
    SummaryListener,
    SummarySentence,
    UnreadPages,
)

if TYPE_CHECKING:
    from lsum_cli.attribution.flags import SentenceChecker
    from lsum_cli.checkpoints.manifest import Manifest

SentenceListener = Callable[[SummarySentence], None]


@dataclass(frozen=True, kw_only=True)
class MethodChoice:
    """A method, and the folder and description of its checkpoint where it needs one."""

    name: str
    folder: Path | None = None
    manifest: Manifest | None = None

    @property
    def reference(self) -> CheckpointReference | None:
        """What a summary says of the checkpoint."""
        if self.folder is None or self.manifest is None:
            return None
        return CheckpointReference(
            name=self.manifest.name,
            path=str(self.folder),
            sha256=self.manifest.weights_sha256,
            trained_confidence=self.manifest.trained_confidence,
        )


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a method is expected to need on this machine.

    Attributes:
        seconds: Wall-clock time, after reading.
        memory_bytes: Memory at its peak, the program itself included.
        shared_bytes: Of these, what all processes with the same checkpoint have together: weights that are
            used as they lie in their file, which is mapped.
        precision: What a model computes in; ``None`` where there is none.
        token_bytes: Memory that every further token takes of documents that are written about together.
        held_tokens: Tokens whose share is in ``memory_bytes``.
    """

    seconds: float
    memory_bytes: int
    shared_bytes: int = 0
    precision: str | None = None
    token_bytes: float = 0.0
    held_tokens: int = 0

    def memory_for(self, num_tokens: int) -> int:
        """Memory at the peak where so many tokens are held at once, if these are more."""
        return self.memory_bytes + round(self.token_bytes * max(0, num_tokens - self.held_tokens))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How documents are to be summarised.

    Attributes:
        method: Name of the method.
        title: Title of the summary.
        locality_reason: Why this locality was chosen; empty where it was asked for.
        page_len: Tokens of a page at most.
        estimate: Computes :attr:`cost` from the plan; loads no weights.
        checkpoint: What will write; ``None`` for methods without one.
        options: What the summary records of the options.
        seconds: Wall-clock time of planning, by stage.
        warnings: What the reader of the summary should know, one line each.
        reference: The summary that a person wrote, for upper bounds in evaluation.
        style: How the sentences of the summary are laid out.
    """

    documents: tuple[Document, ...]
    method: str
    title: str | None
    locality: Locality
    locality_reason: str
    page_len: int
    pages: tuple[Page, ...]
    coverage: Coverage
    estimate: Callable[[Any], Cost] = field(repr=False, compare=False)
    checkpoint: CheckpointReference | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    reference: str | None = None
    style: Style = Style.PROSE

    @cached_property
    def cost(self) -> Cost:
        """What writing the summary is expected to need; computed when it is first asked for."""
        return self.estimate(self)

    def with_seconds(self, seconds: Mapping[str, float]) -> dict[str, float]:
        """Wall-clock time by stage, with that of planning."""
        times = dict(self.seconds)
        for stage, taken in seconds.items():
            times[stage] = times.get(stage, 0.0) + taken
        return times

    def summary(
        self,
        sentences: Sequence[SummarySentence] = (),
        *,
        checkpoint: CheckpointReference | None = None,
        options: Mapping[str, OptionValue] | None = None,
        seconds: Mapping[str, float] | None = None,
        warnings: Sequence[str] = (),
        chapters: Sequence[ChapterSummary] = (),
    ) -> Summary:
        """The summary of these sentences; what is given adds to what was known beforehand.

        Args:
            checkpoint: Overrides the plan's.
            options: The settings it was written with, as far as they are the method's own.
            seconds: Wall-clock time by stage; that of a stage of planning is added to it.
        """
        return Summary(
            title=self.title,
            sentences=tuple(sentences),
            pages=self.pages,
            documents=self.documents,
            method=self.method,
            locality=self.locality,
            locality_reason=self.locality_reason,
            checkpoint=checkpoint or self.checkpoint,
            options={**self.options, **(options or {})},
            coverage=self.coverage,
            seconds=self.with_seconds(seconds or {}),
            warnings=(*self.warnings, *warnings),
            chapters=tuple(chapters),
            style=self.style,
        )


AnyPlan = TypeVar("AnyPlan", bound=Plan)
OwnPlan = TypeVar("OwnPlan", bound=Plan)


class Method(ABC, Generic[AnyPlan]):
    """A way to summarise documents, with one set of options; loads what it needs at the first summary.

    Args:
        choice: The method's checkpoint, where it needs one.
        options: How summaries are made.
        progress: Told where the work stands.

    Attributes:
        name: As the user types it.
        page_len: Tokens of a page by default.
        max_page_len: Tokens of a page at most; ``None`` for no limit.
        source_len: Tokens read at once, where longer input is read in parts whose summaries are
            joined; ``None`` where all is read at once.
        locality: What suits the method best, and why; ``None`` where the documents decide.
        num_pages: Pages that its checkpoint was trained with, where their number was fixed.
        writes_together: Whether :meth:`write_all` is faster than one after the other.
        generates: Whether it writes sentences of its own, which are compared with the source.
    """

    name: ClassVar[str]
    page_len: int
    max_page_len: int | None = None
    source_len: int | None = None
    locality: LocalityChoice | None = None
    num_pages: int | None = None
    writes_together: ClassVar[bool] = False
    generates: ClassVar[bool] = True

    def __init__(
        self,
        choice: MethodChoice,
        options: SummaryOptions,
        progress: ProgressListener = ignore_progress,
    ) -> None:
        self.choice = choice
        self.options = options
        self.progress = progress
        self._told: set[str] = set()

    @property
    def faithful(self) -> str:
        """How far what it writes is trusted: as the user says, else as the checkpoint does."""
        manifest = self.choice.manifest
        return self.options.faithful or (manifest.faithful if manifest else None) or FLAG

    def prepare(self) -> None:
        """Load ahead what every summary needs.

        Raises:
            CheckpointError: The checkpoint is missing or damaged.
            DeviceError: There is no such device, or its memory does not suffice.
        """

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as this method counts them."""

    @abstractmethod
    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> AnyPlan:
        """Plan one summary of all the documents; loads no weights.

        Args:
            title: Title of the summary; by default that of the single document.
            reference: The summary that a person wrote, for methods that can use it.

        Raises:
            OptionError: Page options that exclude each other.
            SourceError: The documents hold no text to summarise.
        """

    @abstractmethod
    def estimate(self, plan: AnyPlan) -> Cost:
        """What writing the summary is expected to need on this machine; loads no weights."""

    def write(self, plan: AnyPlan, listener: SummaryListener | None = None) -> Summary:
        """Write the summary that was planned.

        Args:
            listener: Told of every sentence as soon as it is final, by methods that write as they read.

        Raises:
            CheckpointError: The checkpoint is damaged, or writes nothing.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length or precision that the model cannot have.
        """
        checker = self._checker(plan)
        waiting: list[SummarySentence] = []

        def tell() -> None:
            # Not before there is a sentence: what fails before has begun nothing.
            if listener is not None and waiting:
                if waiting[0].index == 0:
                    listener.begin(plan.summary())
                listener.add(self._annotate(waiting.pop(), checker))

        def on_sentence(sentence: SummarySentence) -> None:
            # A sentence is final when the next is here: the last one may be left out.
            tell()
            waiting.append(sentence)

        written = self._write(plan, on_sentence)
        summary = self._finish(written, checker, told=waiting[0].index if waiting else 0)
        if waiting and waiting[0].index < len(summary.sentences):
            tell()
        return summary

    def write_all(self, plans: Sequence[AnyPlan], batch_tokens: int | None = None) -> list[Summary]:
        """As :meth:`write` for each plan; times are shares of the whole where they are written together.

        Args:
            batch_tokens: How many tokens documents that are written about together may have, within the
                memory that their plans predict; by default what suits the method and the device.
        """
        summaries = self._write_all(plans, self._tokens_together(plans, batch_tokens))
        return [
            self._finish(summary, self._checker(plan)) for summary, plan in zip(summaries, plans, strict=True)
        ]

    @abstractmethod
    def _write(self, plan: AnyPlan, on_sentence: SentenceListener) -> Summary: ...

    def _write_all(self, plans: Sequence[AnyPlan], batch_tokens: int) -> list[Summary]:  # noqa: ARG002
        return [self._write(plan, lambda _: None) for plan in plans]

    @property
    def alone_because(self) -> str | None:
        """Why summaries are written one after the other with these options, if they are."""
        return None if self.writes_together else f"the method {self.name} writes one after the other"

    def _tokens_together(self, plans: Sequence[AnyPlan], wanted: int | None) -> int:  # noqa: ARG002
        """How many tokens documents that are written about together may have.

        Args:
            wanted: By the caller's wish.
        """
        return wanted or BATCH_TOKENS

    def tell(self, remark: str) -> None:
        """Tell the user something of the whole run, once."""
        if remark not in self._told:
            self._told.add(remark)
            self.progress(ProgressEvent(stage="writing", done=0, remark=remark))

    def _checker(self, plan: AnyPlan) -> SentenceChecker | None:
        """What compares the sentences that a model wrote with the source."""
        if not self.generates:
            return None
        from lsum_cli.attribution.flags import SentenceChecker

        return SentenceChecker(plan.pages, plan.documents)

    def _annotate(self, sentence: SummarySentence, checker: SentenceChecker | None) -> SummarySentence:
        """The sentence with its flags, unless they are off."""
        return sentence if checker is None or self.faithful == OFF else checker.annotate(sentence)

    def _finish(self, summary: Summary, checker: SentenceChecker | None, *, told: int = 0) -> Summary:
        """The summary without a last sentence that breaks off, every sentence flagged."""
        if checker is None:
            return summary
        from lsum_cli.attribution.flags import check_summary, end_whole

        started = time.perf_counter()
        lengths = [
            (length.name, end_whole(replace(summary, sentences=length.sentences, warnings=()), checker))
            for length in summary.lengths[:-1]
        ]
        summary = end_whole(summary, checker, told=told)
        if self.faithful != OFF:
            summary = check_summary(summary, checker)
        if lengths:
            lengths.append((summary.lengths[-1].name, replace(summary, warnings=())))
            summary = replace(
                summary,
                lengths=tuple(
                    SummaryLength(
                        name=name,
                        sentences=tuple(self._annotate(each, checker) for each in made.sentences),
                    )
                    for name, made in lengths
                ),
                warnings=(
                    *summary.warnings,
                    *(f"{name}: {warning}" for name, made in lengths for warning in made.warnings),
                ),
            )
        return replace(summary, seconds={**summary.seconds, "check": time.perf_counter() - started})

    def check_languages(self, documents: Sequence[Document]) -> None:
        """Refuse documents in a language that the method does not read; this one reads all."""

    def _choose_locality(self, documents: Sequence[Document]) -> LocalityChoice:
        """What the user asked for, else what suits the method, else what the documents suggest."""
        if self.options.locality is not None:
            return LocalityChoice(locality=self.options.locality, reason="")
        return self.locality or choose_locality(documents)

    def _paginate(
        self, documents: Sequence[Document], read: Sequence[Document] | None = None
    ) -> tuple[Page, ...]:
        """The documents in pages, as the options, the checkpoint and the documents have it.

        Args:
            read: What is read of them, by default all; it is put on as few pages as hold it.

        Raises:
            OptionError: Page options that exclude each other.
        """
        options, most = self.options, self.max_page_len
        if options.page_tokens and most and options.page_tokens > most:
            raise OptionError(
                f"--page-tokens {options.page_tokens} exceeds the {most} that the model reads",
                f"give --page-tokens at most {most}",
            )
        locality = self._choose_locality(documents).locality
        # As many pages as the checkpoint was trained with; a document's page is the document.
        is_trained_for = self.locality is not None and self.locality.locality is locality
        trained = self.num_pages if is_trained_for and locality is not Locality.DOCUMENT else None
        page_len, texts = options.page_tokens or self.page_len, documents
        if read is not None and read != tuple(documents):
            texts = read
            if locality is not Locality.DOCUMENT and trained is None:
                lengths = (self.count_tokens(s.text) for document in read for s in document.sentences)
                trained = max(1, -(-sum(lengths) // page_len))
        return paginate(
            texts,
            locality,
            page_len,
            self.count_tokens,
            pages=options.pages or trained,
            keep_references=options.keep_references,
        )

    def _plan(
        self,
        kind: type[OwnPlan],
        documents: Sequence[Document],
        pages: Sequence[Page],
        *,
        title: str | None,
        reference: str | None,
        page_len: int | None = None,
        read: Sequence[Document] | None = None,
        remarks: Sequence[str] = (),
        **own: Any,
    ) -> OwnPlan:
        """A plan with what all plans hold.

        Args:
            kind: The class of the plan.
            read: What was chosen of the documents to be read; by default all.
            remarks: What the reader of the summary should know, besides what all summaries say.
            page_len: Tokens of a page at most; by default as the options or the method have it.
            own: Further fields of ``kind``.

        Raises:
            SourceError: There are no pages.
        """
        options = self.options
        if not pages:
            names = ", ".join(document.source for document in documents) or "nothing"
            lost = [phrase for document in documents for phrase in document.metadata.unknown]
            if lost:
                raise SourceError(f"{names} contains no text to summarise: {lost[0]}", "get it again")
            raise SourceError(
                f"{names} contains no text to summarise",
                "give a document that contains sentences, or --keep-references to read the reference list",
            )
        locality = self._choose_locality(documents)
        coverage = measure_coverage(documents, pages, self.count_tokens, options.keep_references, read)
        return kind(
            documents=tuple(documents),
            method=self.name,
            title=title or (documents[0].title if len(documents) == 1 else None),
            locality=locality.locality,
            locality_reason=locality.reason,
            page_len=page_len or options.page_tokens or self.page_len,
            pages=tuple(pages),
            coverage=coverage,
            estimate=self.estimate,
            checkpoint=self.choice.reference,
            options={
                "length": options.length if options.all_lengths else options.num_words,
                "page_tokens": options.page_tokens or self.page_len,
                "pages": options.pages,
                "keep_references": options.keep_references,
                **({"style": options.style.value} if options.style is not Style.PROSE else {}),
                **({"focus": options.focus} if options.focus is not None else {}),
            },
            warnings=(*_reading_warnings(documents, coverage), *remarks),
            reference=reference,
            style=options.style,
            **own,
        )


def measure_coverage(
    documents: Sequence[Document],
    pages: Sequence[Page],
    count_tokens: CountTokens,
    keep_references: bool,
    read: Sequence[Document] | None = None,
) -> Coverage:
    """Count what of the documents the pages hold; what no page holds counts as dropped.

    Args:
        read: What was chosen to be read, by default all; the rest counts as not selected.
    """
    chosen = None if read is None else {(each.id, s.index) for each in read for s in each.sentences}
    paged = {(page.document_id, sentence.index) for page in pages for sentence in page.sentences}
    dropped = sum(page.tokens_cut for page in pages)
    references = unselected = 0
    left_out: dict[str, int] = {}
    for document in documents:
        for section in document.sections:
            for sentence in section.sentences:
                if (document.id, sentence.index) in paged:
                    continue
                if section.role is SectionRole.REFERENCES and not keep_references:
                    references += count_tokens(sentence.text)
                elif chosen is not None and (document.id, sentence.index) not in chosen:
                    unselected += count_tokens(sentence.text)
                else:
                    dropped += count_tokens(sentence.text)
        for part in document.metadata.left_out:
            left_out[part.what] = left_out.get(part.what, 0) + part.words
    tokens_read = sum(page.num_tokens for page in pages)
    metadata = [document.metadata for document in documents]
    return Coverage(
        tokens_total=tokens_read + dropped + references + unselected,
        tokens_read=tokens_read,
        tokens_dropped=dropped,
        tokens_references=references,
        tokens_unselected=unselected,
        pages_total=len(pages),
        ocr_pages=tuple(page for m in metadata for page in m.ocr_pages),
        pdf_pages_without_text=tuple(page for m in metadata for page in m.pdf_pages_without_text),
        pdf_pages_blank=tuple(page for m in metadata for page in m.pdf_pages_blank),
        glyphs_unread=sum(m.glyphs_unread for m in metadata),
        unread=tuple(_unread_pages(documents)),
        glyph_pages=tuple(_glyph_pages(documents)),
        unknown=tuple(
            f"{document.source}: {phrase}" if len(documents) > 1 else phrase
            for document in documents
            for phrase in document.metadata.unknown
        ),
        left_out=tuple(LeftOut(what=what, words=words) for what, words in left_out.items()),
    )


def _unread_pages(documents: Sequence[Document]) -> Iterator[UnreadPages]:
    for document in documents:
        blank = document.metadata.pdf_pages_blank
        pages = tuple(page for page in document.metadata.pdf_pages_without_text if page not in blank)
        if pages:
            yield UnreadPages(pages=pages, source=document.source if len(documents) > 1 else "")


def _glyph_pages(documents: Sequence[Document]) -> Iterator[UnreadPages]:
    for document in documents:
        if pages := document.metadata.pdf_pages_unread_glyphs:
            yield UnreadPages(pages=pages, source=document.source if len(documents) > 1 else "")


def _reading_warnings(documents: Sequence[Document], coverage: Coverage) -> list[str]:
    prefix = len(documents) > 1
    warnings = [
        f"{document.source}: {warning}" if prefix else warning
        for document in documents
        for warning in document.metadata.warnings
    ]
    return [*warnings, *coverage.lost]
