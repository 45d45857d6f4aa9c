"""The method ``book``: summarises every chapter, then the chapter summaries (Pang et al. 2022, Books).

One decomposition, as in the paper: chapters, then one summary of their concatenated summaries. Only
where these are too long for the book's checkpoint are they summarised in groups first, with a
warning. Any method with a checkpoint can serve as either stage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.checkpoints.values import FLAG
from lsum_cli.documents import Document, Metadata
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality, LocalityChoice, Page
from lsum_cli.methods.base import Cost, Method, MethodChoice, Plan, SentenceListener
from lsum_cli.methods.batching import group_neighbours
from lsum_cli.methods.chapter_cache import ChapterCache, WrittenChapter, cache_key
from lsum_cli.methods.chapters import find_chapters
from lsum_cli.methods.detokenising import CUT_OFF
from lsum_cli.methods.drafts import Draft, trace_back, write_document
from lsum_cli.methods.model_method import Clock
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import load_method
from lsum_cli.methods.salient import (
    ALL,
    SALIENT,
    Selected,
    keep_in_pages,
    select_in_page,
    select_salient,
    tokens_to_read,
)
from lsum_cli.methods.search_settings import read_generation_defaults
from lsum_cli.options import options_of
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import (
    Attribution,
    ChapterSummary,
    PageWeight,
    Summary,
    SummarySentence,
)
from lsum_cli.text.terms import count_words

REASON = "chapters are summarised first"
# A chapter of at most this many words is taken over verbatim: its summary would not be shorter.
SHORTEST_CHAPTER_WORDS = 100
# Words assumed for the summary of a chapter when costs are estimated.
_EXPECTED_WORDS = 150
_NO_LENGTH = {"length": None, "min_tokens": None, "max_tokens": None}


@dataclass(frozen=True, kw_only=True)
class _Stage:
    """A checkpoint, and the options with which it summarises chapters or chapter summaries.

    Attributes:
        choice: The checkpoint, with the method it is for.
        options: Those of the book that the method knows.
    """

    choice: MethodChoice
    options: SummaryOptions
    method: Method[Any]

    @classmethod
    def of(cls, choice: MethodChoice, options: SummaryOptions, progress: ProgressListener) -> _Stage:
        """A stage with the options that its method knows."""
        if choice.folder is None or choice.manifest is None:
            raise CheckpointError("the method book needs a checkpoint", "give --model")
        name = choice.manifest.method.value
        faithful = options.faithful or choice.manifest.faithful or FLAG
        own = replace(
            options.for_method(name),
            method=name,
            model=str(choice.folder.absolute()),
            # What is read of a chapter is chosen beforehand.
            read=ALL,
            focus=None,
            # The finished sentences are compared with the book, not with chapter summaries.
            faithful="off" if faithful == FLAG else faithful,
        )
        choice = replace(choice, name=name)
        return cls(choice=choice, options=own, method=load_method(choice, own, progress))

    def of_one_length(self) -> _Stage:
        """The stage with the maximum length for the whole of a text, however many parts it is read in.

        By default a checkpoint writes up to its maximum length for every part; a length set by an
        option is shared among the parts.
        """
        if self.choice.folder is None or self.choice.manifest is None:
            return self
        own = read_generation_defaults(self.choice.folder, self.choice.manifest.generation)
        if own.max_tokens is None:
            return self
        options = replace(
            self.options, min_tokens=min(own.min_tokens or 0, own.max_tokens), max_tokens=own.max_tokens
        )
        method = load_method(self.choice, options, self.method.progress)
        return _Stage(choice=self.choice, options=options, method=method)

    def reads_at_once(self, num_tokens: int) -> bool:
        """Whether a text of this length is read in one part."""
        return self.method.source_len is None or num_tokens <= self.method.source_len

    def estimate(self, document: Document) -> Cost:
        """Expected cost of summarising a document in this stage; loads no weights."""
        plan: Plan = self.method.plan([document])
        return plan.cost

    def summarize(self, document: Document, title: str | None = None) -> Summary:
        """Summarise a document in this stage."""
        return self.method.write(self.method.plan([document], title=title))


class BookMethod(Method[Plan]):
    """Summarises by chapters, with one checkpoint or two; a chapter is a page.

    Args:
        choice: The book's checkpoint.
        options: How summaries are made; lengths apply to the book, not to its chapters.

    Raises:
        CheckpointError: A checkpoint is not here or damaged.
        OptionError: An option that has no meaning for either checkpoint.
    """

    name = "book"
    locality = LocalityChoice(locality=Locality.DISCOURSE, reason=REASON)

    def __init__(
        self, choice: MethodChoice, options: SummaryOptions, progress: ProgressListener = ignore_progress
    ) -> None:
        super().__init__(choice, options, progress)
        self._book = _Stage.of(choice, options, progress)
        # Summaries of groups of chapters are of one length whatever is wanted of the book.
        one_length = replace(options, length=None) if options.all_lengths else options
        self._groups = self._book if one_length is options else _Stage.of(choice, one_length, progress)
        chapter_choice = choice
        if options.chapter_model is not None and options.chapter_model != options.model:
            folder = resolve_checkpoint(options.chapter_model, offline=options.offline)
            chapter_choice = MethodChoice(name=self.name, folder=folder, manifest=describe_folder(folder))
        self._chapter = _Stage.of(chapter_choice, replace(options, **_NO_LENGTH), progress)  # type: ignore[arg-type]
        stated = chapter_choice.manifest.read if chapter_choice.manifest else None
        focused = SALIENT if options.focus is not None else None
        self._tokens_of_chapter = tokens_to_read(
            options.read or stated or focused, self._chapter.method.source_len
        )
        self._refuse_foreign_options()
        self.page_len = self._chapter.method.page_len

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a sentence as the chapters' checkpoint does."""
        return self._chapter.method.count_tokens(text)

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> Plan:
        """A page for every chapter; see :func:`lsum_cli.methods.chapters.find_chapters`."""
        for stage in (self._chapter, self._book):
            stage.method.check_languages(documents)
        keep_references = self.options.keep_references
        pages = find_chapters(documents, self.count_tokens, keep_references=keep_references)
        num_tokens, read = self._tokens_of_chapter, Selected(documents=tuple(documents))
        if num_tokens is not None and self.options.focus is not None:
            # A focus chooses among the chapters, too.
            read = select_salient(
                documents,
                num_tokens * len(pages),
                self.count_tokens,
                keep_references=keep_references,
                focus=self.options.focus,
            )
            pages = keep_in_pages(pages, read.documents, self.count_tokens)
        if num_tokens is not None:
            pages = tuple(select_in_page(page, documents, num_tokens, self.count_tokens) for page in pages)
            read = replace(read, documents=tuple(_cut_out(each, *pages) for each in documents))
        longest = max((page.num_tokens for page in pages), default=0)
        return self._plan(
            Plan,
            documents,
            pages,
            title=title,
            reference=reference,
            page_len=longest,
            read=read.documents,
            remarks=read.remarks,
        )

    def estimate(self, plan: Plan) -> Cost:
        """The sum over chapters and book; loads no weights."""
        costs = []
        stand_ins = []
        for page in plan.pages:
            texts = [sentence.text for sentence in page.sentences]
            if not _is_taken_over(page, plan.pages):
                costs.append(self._chapter.estimate(write_document([(page.label, texts)], None)))
                texts = list(_opening(page, _EXPECTED_WORDS))
            stand_ins.append((page.label, texts))
        costs.append(self._book.estimate(write_document(stand_ins, None)))
        return Cost(
            seconds=sum(cost.seconds for cost in costs),
            memory_bytes=max(cost.memory_bytes for cost in costs),
            precision=costs[-1].precision,
        )

    def _write(self, plan: Plan, on_sentence: SentenceListener) -> Summary:  # noqa: ARG002
        """Summarise the chapters, then the book; chapters cached by an interrupted run are reused.

        If two processes work on the same chapters, one waits and takes what the other has written.
        """
        stage = self._chapter
        if not all(stage.reads_at_once(page.num_tokens) for page in plan.pages):
            stage = stage.of_one_length()
        cache = ChapterCache(cache_key(plan.pages, plan.documents, stage.choice, stage.options))
        with cache.alone(self.progress):
            return self._write_stages(plan, stage, cache)

    def _write_stages(self, plan: Plan, stage: _Stage, cache: ChapterCache) -> Summary:
        clock = Clock()
        chapters, resumed = self._write_chapters(plan, stage, cache)
        clock.stop("chapters")
        drafts = [
            Draft(label=page.label, sentences=chapter.sentences)
            for page, chapter in zip(plan.pages, chapters, strict=True)
        ]
        warnings = [
            *_collect_warnings([chapter.warnings for chapter in chapters], "chapter"),
            *_mention_short(chapters),
        ]
        if len(drafts) > 1:
            groups = self._group(drafts)
            if len(groups) > 1:
                warnings.append(
                    f"the {len(drafts)} chapter summaries are too long to be read at once:"
                    f" they were summarised in {len(groups)} groups first"
                )
                of_groups = [self._summarize_drafts(self._groups, group, plan.documents) for group in groups]
                drafts = [draft for draft, _ in of_groups]
                warnings += _collect_warnings([summary.warnings for _, summary in of_groups], "group")
        final, summary = self._summarize_drafts(self._book, drafts, plan.documents)
        cache.discard()
        shows_chapters = self.options.show_chapters and len(plan.pages) > 1
        lengths = tuple(
            replace(each, sentences=_numbered(trace_back(replace(summary, sentences=each.sentences), drafts)))
            for each in summary.lengths
        )
        written = plan.summary(
            _numbered(final.sentences),
            checkpoint=summary.checkpoint,
            options={
                **summary.options,
                "chapters": len(plan.pages),
                "chapters_resumed": resumed,
                "chapter_model": stage.choice.manifest.name if stage.choice.manifest else None,
            },
            seconds={**clock.seconds, **summary.seconds},
            warnings=(*warnings, *summary.warnings),
            chapters=_list_chapters(plan.pages, chapters) if shows_chapters else (),
        )
        return replace(written, lengths=lengths)

    def _write_chapters(
        self, plan: Plan, stage: _Stage, cache: ChapterCache
    ) -> tuple[list[WrittenChapter], int]:
        """The chapters, and how many of them came from an earlier run."""
        pages, progress = plan.pages, self.progress
        found = [cache.find(page) for page in pages]
        resumed = sum(1 for chapter in found if chapter is not None)
        if resumed:
            remark = f"resumed: {resumed} of {len(pages)} chapters were done"
            progress(ProgressEvent(stage="chapters", done=resumed, total=len(pages), remark=remark))
        by_id = {document.id: document for document in plan.documents}
        chapters = []
        done = resumed
        for page, chapter in zip(pages, found, strict=True):
            progress(ProgressEvent(stage="chapters", done=done, total=len(pages), unit="chapters"))
            if chapter is None:
                chapter = (
                    WrittenChapter(sentences=_take_over(page, stage.options.attribution), model=False)
                    if _is_taken_over(page, pages)
                    else _write_chapter(stage, page, by_id[page.document_id])
                )
                cache.save(page, chapter)
                done += 1
            chapters.append(chapter)
        progress(ProgressEvent(stage="chapters", done=done, total=len(pages), unit="chapters"))
        if cache.trouble is not None:
            remark = (
                f"warning: chapters could not be cached; an interrupted run will start over: {cache.trouble}"
            )
            progress(ProgressEvent(stage="chapters", done=done, total=done, remark=remark))
        return chapters, resumed

    def _group(self, drafts: Sequence[Draft]) -> list[list[Draft]]:
        """Neighbouring chapter summaries, as many together as the book's checkpoint reads at once."""
        method = self._book.method
        lengths = [sum(method.count_tokens(s.text) for s in draft.sentences) for draft in drafts]
        return group_neighbours(drafts, lengths, method.source_len or sum(lengths))

    def _summarize_drafts(
        self, stage: _Stage, drafts: Sequence[Draft], documents: Sequence[Document]
    ) -> tuple[Draft, Summary]:
        """One summary of several drafts, its sentences attributed to the source."""
        document = write_document([draft.texts for draft in drafts], documents[0].language)
        summary = stage.summarize(document, title=documents[0].title)
        _refuse_losses(summary)
        sentences = trace_back(summary, drafts)
        label = drafts[0].label if len(drafts) == 1 else f"{drafts[0].label} – {drafts[-1].label}"
        return Draft(label=label, sentences=sentences), summary

    def _refuse_foreign_options(self) -> None:
        names = {self._book.choice.name, self._chapter.choice.name}
        pooling = options_of(SummaryOptions)["pooling"]
        if self.options.pooling is not None and not any(map(pooling.suits, names)):
            raise OptionError(
                f"--pooling does not apply to checkpoints of the method {' or '.join(sorted(names))}",
                "leave it out, or give a checkpoint of the method topdown",
            )


def _numbered(sentences: Sequence[SummarySentence]) -> tuple[SummarySentence, ...]:
    return tuple(replace(sentence, index=index) for index, sentence in enumerate(sentences))


def _write_chapter(stage: _Stage, page: Page, document: Document) -> WrittenChapter:
    try:
        summary = stage.summarize(_cut_out(document, page))
    except CheckpointError as error:
        next_step = "give another --chapter-model, or another --model"
        raise CheckpointError(f"{page.label}: {error.what}", next_step) from error
    _refuse_losses(summary)
    return WrittenChapter(
        sentences=tuple(replace(s, attribution=_place_on(page, s.attribution)) for s in summary.sentences),
        model=True,
        warnings=summary.warnings,
        seconds=summary.seconds,
    )


def _refuse_losses(summary: Summary) -> None:
    """Refuse a model that reads only the beginning of a text: no stage may lose anything."""
    if summary.coverage.tokens_dropped and summary.checkpoint is not None:
        raise CheckpointError(
            f"{summary.checkpoint.name} reads only the beginning of a text, not whole chapters",
            "give another --model or --chapter-model",
        )


def _is_taken_over(page: Page, pages: Sequence[Page]) -> bool:
    """Whether a chapter is taken over verbatim: as short as a summary, or the only one."""
    words = 0
    if len(pages) == 1:
        return True
    for sentence in page.sentences:
        words += count_words(sentence.text)
        if words > SHORTEST_CHAPTER_WORDS:
            return False
    return True


def _take_over(page: Page, attribution: bool) -> tuple[SummarySentence, ...]:
    return tuple(
        SummarySentence(
            text=sentence.text,
            index=index,
            attribution=Attribution.verbatim(sentence, page) if attribution else None,
        )
        for index, sentence in enumerate(page.sentences)
    )


def _cut_out(document: Document, *pages: Page) -> Document:
    """The document with only the sentences of some chapters; they keep their indices."""
    wanted = {s.index for page in pages if page.document_id == document.id for s in page.sentences}
    sections = tuple(
        replace(section, sentences=tuple(s for s in section.sentences if s.index in wanted))
        for section in document.sections
    )
    # Remarks of the reader concern the whole document and are reported there.
    return replace(document, title=pages[0].label if pages else None, sections=sections, metadata=Metadata())


def _place_on(page: Page, attribution: Attribution | None) -> Attribution | None:
    """The same evidence, attributed to the page that is the whole chapter."""
    if attribution is None:
        return None
    return Attribution(
        kind=attribution.kind,
        pages=(PageWeight(page=page.index, weight=1.0),),
        evidence=tuple(replace(item, page=page.index) for item in attribution.evidence),
    )


def _opening(page: Page, words: int) -> Iterator[str]:
    """The first sentences of a chapter, up to about this many words."""
    for sentence in page.sentences:
        if words <= 0:
            return
        yield sentence.text
        words -= count_words(sentence.text)


def _collect_warnings(warnings: Sequence[Sequence[str]], noun: str) -> Iterator[str]:
    """Each warning once, with the number of texts that it concerns."""
    counts = Counter(warning for each in warnings for warning in dict.fromkeys(each))
    for warning, count in counts.items():
        # The length options apply to the book only.
        said = warning.replace(CUT_OFF, "a summary was cut off at its checkpoint's maximum length")
        yield f"{count} {noun}{'s' if count > 1 else ''}: {said}"


def _mention_short(chapters: Sequence[WrittenChapter]) -> Iterator[str]:
    short = sum(1 for chapter in chapters if not chapter.model)
    if short and len(chapters) > 1:
        verb = "chapters are" if short > 1 else "chapter is"
        yield f"{short} {verb} as short as a summary and taken over verbatim"


def _list_chapters(pages: Sequence[Page], chapters: Sequence[WrittenChapter]) -> tuple[ChapterSummary, ...]:
    return tuple(
        ChapterSummary(page=page.index, sentences=chapter.sentences)
        for page, chapter in zip(pages, chapters, strict=True)
    )
