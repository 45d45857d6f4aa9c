"""Reading in a process of its own, which has no network, and limits for time and memory.

A source may be made to take for ever, or all the memory there is. Here it takes its budget, and the
program goes on. What is fetched is fetched before, by the program itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from lsum_cli.documents import Document, Metadata, Section, SectionRole, Sentence
from lsum_cli.errors import SourceError
from lsum_cli.machine.limits import OverBudget
from lsum_cli.machine.memory import measure_memory
from lsum_cli.machine.threads import available_cores
from lsum_cli.machine.workers import Job, WorkerContext, WorkerDied, WorkerPool, usual_jobs
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.reading.intake import STANDARD_INPUT, suffix_of
from lsum_cli.reading.registry import FORMATS_BY_SUFFIX, RawSource, ReadOptions
from lsum_cli.reading.sources import read_raw, take


@dataclass(frozen=True, kw_only=True)
class ReadingTask:
    """What is to be read in a worker: a file, or what has been taken from elsewhere."""

    source: str | Path
    id: str
    options: ReadOptions
    raw: RawSource | None = None

    @property
    def name(self) -> str:
        """What the user calls it."""
        return str(self.source)

    @property
    def is_elsewhere(self) -> bool:
        """Whether it must be taken first: a worker has neither a network nor standard input."""
        return self.raw is None and (self.source == STANDARD_INPUT or "://" in self.name)

    def taken(self, progress: ProgressListener = ignore_progress) -> ReadingTask:
        """The same, with what only the program itself can take: a web page, standard input.

        Raises:
            SourceError: It cannot be fetched, or is of an unsupported format.
        """
        if not self.is_elsewhere:
            return self
        raw = take(self.source, self.options, id=self.id, progress=progress)
        return replace(self, raw=replace(raw, progress=ignore_progress))

    def read(self, context: WorkerContext) -> Document:
        """Read it within its limits; in a worker.

        Raises:
            OverBudget: It takes more time or memory than it may.
            SourceError: It cannot be read, or contains no text.
        """
        options = self.options
        size = len(self.raw.content) if self.raw is not None else _size_of(self.source)
        with context.budget.work(options.limits(num_bytes=size)):
            raw = self.raw or take(self.source, options, id=self.id, progress=context.report)
            return read_raw(replace(raw, progress=context.report, budget=context.budget), options)


# What reading a source takes at most, but for few.
_USUAL_MEMORY = 1 << 29
# A worker may take half a second until it reads, in which half of this text is read: from here on a second
# one saves what it costs. A file is work, however short it is.
_WORTH_A_WORKER, _LEAST_WORK = 1 << 21, 1 << 10
# A section's heading, level, role and path; the text, PDF page and offset of each of its sentences, and
# whether an item begins with it, whether it is quoted and whether code stands above it.
_Columns = tuple[
    str | None,
    int,
    SectionRole,
    str,
    list[str],
    list[int | None],
    list[int],
    list[bool],
    list[bool],
    list[bool],
]


class _Packed(NamedTuple):
    """A document on its way between processes: in columns, which takes a fifth of the time."""

    fields: tuple[str, str, str | None, str | None, Metadata]
    sections: tuple[_Columns, ...]

    @classmethod
    def of(cls, document: Document) -> _Packed:
        return cls(
            fields=(document.id, document.source, document.title, document.language, document.metadata),
            sections=tuple(
                (
                    section.heading,
                    section.level,
                    section.role,
                    section.path,
                    [sentence.text for sentence in section.sentences],
                    [sentence.pdf_page for sentence in section.sentences],
                    [sentence.start for sentence in section.sentences],
                    [sentence.is_item for sentence in section.sentences],
                    [sentence.is_quoted for sentence in section.sentences],
                    [sentence.follows_code for sentence in section.sentences],
                )
                for section in document.sections
            ),
        )

    def unpack(self) -> Document:
        document_id, source, title, language, metadata = self.fields
        sections: list[Section] = []
        index = 0
        for heading, level, role, path, *columns in self.sections:
            sentences = tuple(
                Sentence(
                    text=text,
                    index=number,
                    section_index=len(sections),
                    pdf_page=pdf_page,
                    start=start,
                    end=start + len(text),
                    is_item=is_item,
                    is_quoted=is_quoted,
                    follows_code=follows_code,
                )
                for number, (text, pdf_page, start, is_item, is_quoted, follows_code) in enumerate(
                    zip(*columns, strict=True), start=index
                )
            )
            index += len(sentences)
            sections.append(Section(heading=heading, level=level, sentences=sentences, role=role, path=path))
        return Document(
            id=document_id,
            source=source,
            title=title,
            sections=tuple(sections),
            language=language,
            metadata=metadata,
        )


class Reading:
    """A source that is being read, or, if it has to be fetched, will be when its document is wanted."""

    def __init__(
        self,
        name: str,
        begin: Job[ReadingTask, _Packed] | Callable[[ProgressListener], Job[ReadingTask, _Packed]],
    ) -> None:
        self._name, self._begin = name, begin

    def is_under_way(self) -> bool:
        """Whether it is being read right now, while this process may do something else; does not wait."""
        return isinstance(self._begin, Job) and self._begin.is_under_way()

    def result(self, progress: ProgressListener = ignore_progress) -> Document:
        """Wait for the document.

        Raises:
            SourceError: It cannot be read, not within its limits, or contains no text.
        """
        try:
            job = self._begin if isinstance(self._begin, Job) else self._begin(progress)
            return job.result(progress).unpack()
        except OverBudget as error:
            raise over_budget(self._name, error) from error
        except WorkerDied as error:
            raise _died(self._name, error) from error


class Reader:
    """Reads sources in processes of their own, by default in one, one after the other.

    To be used as a context manager, entered before anything starts threads, so that the process is a copy
    of this one and is there at once. Where it is not entered, but closed, the process starts with the first
    source.

    Args:
        options: How sources are read.
        jobs: How many are read at a time.
        ahead: How many should be read ahead of what is done with them.
    """

    def __init__(self, options: ReadOptions | None = None, *, jobs: int = 1, ahead: int = 1) -> None:
        self.options = options or ReadOptions()
        self.ahead = max(ahead, jobs - 1)
        self._pool = WorkerPool(_read, workers=jobs)
        self._prefetched: dict[tuple[str, str], Reading] = {}

    @classmethod
    def of_many(cls, options: ReadOptions, sources: Sequence[str]) -> Reader:
        """A reader of these sources: as many at a time as the options say, or there is room and work for."""
        available = measure_memory().available
        room = len(sources) if available is None else int(available // _USUAL_MEMORY)
        useful = math.ceil(sum(map(_work_of, sources)) / _WORTH_A_WORKER)
        jobs = max(1, min(options.jobs or min(usual_jobs(), room, useful), len(sources)))
        # Pages recognised at the same time are as many over all of them.
        pages = options.jobs if jobs == 1 else max(1, (options.jobs or available_cores()) // jobs)
        # One job does one thing at a time.
        return cls(replace(options, jobs=pages), jobs=jobs, ahead=0 if options.jobs == 1 else jobs)

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, whatever it reads."""
        self._pool.close()

    def prefetch(self, source: str, *, id: str = "d0") -> None:
        """Begin to read a source that will be begun next, while this process still prepares for it."""
        self._prefetched[source, id] = self.begin(source, id=id)

    def begin(self, source: str | Path, *, id: str = "d0") -> Reading:
        """Begin to read a source; returns at once."""
        prefetched = self._prefetched.pop((str(source), id), None)
        if prefetched is not None:
            return prefetched
        task = ReadingTask(source=source, id=id, options=self.options)
        if task.is_elsewhere:
            return Reading(task.name, partial(self._take, task))
        return Reading(task.name, self._pool.submit(task))

    def _take(self, task: ReadingTask, progress: ProgressListener) -> Job[ReadingTask, _Packed]:
        return self._pool.submit(task.taken(progress))

    def read(
        self, source: str | Path, *, id: str = "d0", progress: ProgressListener = ignore_progress
    ) -> Document:
        """Read one source; as :func:`~.sources.read`.

        Raises:
            SourceError: It cannot be read, not within its limits, or contains no text.
        """
        return self.begin(source, id=id).result(progress)


def _read(task: ReadingTask, context: WorkerContext) -> _Packed:
    """Read a source in a worker."""
    return _Packed.of(task.read(context))


def _work_of(source: str) -> int:
    """How much work it is to read a source: the bytes of a text; any other is worth a worker."""
    found = FORMATS_BY_SUFFIX.get(suffix_of(source)) if "://" not in source else None
    return max(_size_of(source), _LEAST_WORK) if found and found.is_text else _WORTH_A_WORKER


def _size_of(source: str | Path) -> int:
    try:
        return Path(source).stat().st_size
    except (OSError, ValueError):
        return 0  # a mail in a mailbox, or reading it will say what is wrong


def over_budget(name: str, error: OverBudget) -> SourceError:
    """What a user is told of a source that takes more than it may."""
    if error.is_memory:
        return SourceError(
            f"{name} takes more than {error.limits.memory / 1e9:,.3g} GB of memory to read",
            "give more with --max-memory, or read a part of it",
        )
    return SourceError(
        f"{name} takes more than {error.limits.seconds:,.4g} s of processor time to read",
        "give more with --max-seconds, or read a part of it",
    )


def _died(name: str, error: WorkerDied) -> SourceError:
    if error.is_out_of_time:
        return SourceError(
            f"{name} takes too much processor time to read",
            "give more with --max-seconds, or read a part of it",
        )
    what = f"{name} cannot be read: the process that reads it {error.how}"
    if error.is_killed:
        return SourceError(f"{what}, perhaps for lack of memory", "read a part of it")
    return SourceError(what, "convert it to another format, or read a part of it")
