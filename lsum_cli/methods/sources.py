"""Reading and summarising sources: each on its own, or all together."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Protocol

from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, DeviceError, LsumError, OptionError, SourceError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.reader import Reader
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.reading.sources import read
from lsum_cli.summaries import Summary, SummaryListener


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A source that could not be summarised, and why."""

    source: str
    error: LsumError


def summarize_each(
    sources: Sequence[str],
    options: SummaryOptions,
    read_options: ReadOptions,
    progress: ProgressListener = ignore_progress,
    listener: SummaryListener | None = None,
    *,
    reader: Reader | None = None,
) -> Iterator[Summary | Failure]:
    """Summarise every source on its own, in order; a failure does not stop the others.

    Args:
        reader: Reads the sources, each while the one before is summarised; without it they are read in
            this process.
    """
    readings = _begin_ahead(sources, read_options, reader)
    summarizer = Summarizer(options, progress, listener)
    has_worked = False
    for number, source in enumerate(sources):
        if len(sources) > 1:
            progress(ProgressEvent(stage="sources", done=number, total=len(sources), unit="sources"))
        try:
            started = time.perf_counter()
            reading = next(readings)
            summarizer.prepare(reading.is_under_way)
            prepared = time.perf_counter()
            document = reading.result(progress)
            seconds = {"read": time.perf_counter() - prepared, "load": prepared - started}
            summary = with_seconds(summarizer.summarize([document]), seconds)
            has_worked = True
            yield summary
        except SourceError as error:
            yield Failure(source=source, error=error)
        except (CheckpointError, DeviceError, OptionError) as error:
            # If nothing has worked yet the run is at fault, otherwise this source.
            if not has_worked:
                raise
            yield Failure(source=source, error=error)
        except Exception as error:
            if len(sources) == 1 or isinstance(error, LsumError):
                raise
            yield Failure(source=source, error=unexpected(error))


def summarize_together(
    sources: Sequence[str],
    options: SummaryOptions,
    read_options: ReadOptions,
    progress: ProgressListener = ignore_progress,
    listener: SummaryListener | None = None,
    *,
    reader: Reader | None = None,
) -> tuple[Summary | None, list[Failure]]:
    """Write one summary of all sources that can be read; ``None`` if none can.

    Raises:
        OptionError: Options exclude each other.
        SourceError: The sources hold no text to summarise.
    """
    started = time.perf_counter()
    documents, failures = read_all(sources, read_options, progress, reader=reader)
    if not documents:
        return None, failures
    seconds = {"read": time.perf_counter() - started}
    summarizer = Summarizer(options, progress, listener)
    summary = summarizer.summarize(documents, title=_common_title(documents))
    return with_seconds(summary, seconds), failures


def read_all(
    sources: Sequence[str],
    read_options: ReadOptions,
    progress: ProgressListener = ignore_progress,
    *,
    reader: Reader | None = None,
) -> tuple[list[Document], list[Failure]]:
    """Read every source; those that cannot be read are returned as failures."""
    readings = _begin_ahead(sources, read_options, reader)
    documents: list[Document] = []
    failures: list[Failure] = []
    for number, source in enumerate(sources):
        if len(sources) > 1:
            progress(ProgressEvent(stage="sources", done=number, total=len(sources), unit="sources"))
        try:
            document = next(readings).result(progress)
            documents.append(replace(document, id=f"d{len(documents)}"))
        except SourceError as error:
            failures.append(Failure(source=source, error=error))
        except Exception as error:
            if len(sources) == 1 or isinstance(error, LsumError):
                raise
            failures.append(Failure(source=source, error=unexpected(error)))
    return documents, failures


def _begin_ahead(
    sources: Sequence[str], read_options: ReadOptions, reader: Reader | None
) -> Iterator[_Reading]:
    """What waits for each document; those that are to be read ahead are begun."""
    ahead = 0 if reader is None else reader.ahead
    begun: deque[_Reading] = deque()
    left = iter(sources)
    for _ in sources:
        # They wait in the queue of the processes that read, behind the current one.
        begun.extend(_begin(source, read_options, reader) for source in islice(left, 1 + ahead - len(begun)))
        yield begun.popleft()


class _Reading(Protocol):
    """A source that is being read."""

    def is_under_way(self) -> bool:
        """Whether it is being read right now; does not wait."""

    def result(self, progress: ProgressListener) -> Document:
        """Wait for its document."""


@dataclass(frozen=True, kw_only=True)
class _ReadHere:
    """A source that is read by this process, when its document is wanted."""

    source: str
    options: ReadOptions

    def is_under_way(self) -> bool:
        return False

    def result(self, progress: ProgressListener) -> Document:
        return read(self.source, self.options, progress=progress)


def _begin(source: str, read_options: ReadOptions, reader: Reader | None) -> _Reading:
    """Begin to read a source."""
    if reader is not None:
        return reader.begin(source)
    return _ReadHere(source=source, options=read_options)


def unexpected(error: Exception) -> LsumError:
    """A bug that one source triggered, as a failure of that source: it must not stop the others."""
    failure = LsumError(f"unexpected {type(error).__name__}: {error}", "this is a bug; -vv shows where")
    failure.__cause__ = error
    return failure


def _common_title(documents: Sequence[Document]) -> str | None:
    """The title of a summary of several documents: their folder and their number."""
    if len(documents) == 1:
        return documents[0].title
    folders = {Path(document.source).parent.name for document in documents if "://" not in document.source}
    folder = folders.pop() if len(folders) == 1 else ""
    return f"{folder} ({len(documents)} documents)" if folder else f"{len(documents)} documents"


def with_seconds(summary: Summary, seconds: Mapping[str, float]) -> Summary:
    """The summary with the time by stage that was spent before it was begun."""
    stages = dict.fromkeys([*seconds, *summary.seconds], 0.0)
    spent = {stage: seconds.get(stage, 0.0) + summary.seconds.get(stage, 0.0) for stage in stages}
    return replace(summary, seconds=spent)
