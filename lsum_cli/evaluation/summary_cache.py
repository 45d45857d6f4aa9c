"""The cache of summaries, so that an interrupted evaluation continues where it stopped.

One folder per system and settings with a JSON Lines file, one line per example. A line contains everything
of a :class:`~lsum_cli.summaries.Summary` except its documents, which the data set contains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from lsum_cli.datasets.example import Example
from lsum_cli.documents import Sentence
from lsum_cli.errors import OutputError
from lsum_cli.evaluation.results import hash_text
from lsum_cli.locality import Locality, Page
from lsum_cli.machine.storage import cache_path
from lsum_cli.records import RecordError, encode, parse
from lsum_cli.summaries import (
    ChapterSummary,
    CheckpointReference,
    Coverage,
    OptionValue,
    OutlineEntry,
    ShortForm,
    Style,
    Summary,
    SummarySentence,
)

FILE_NAME = "summaries.jsonl"
_UNSAFE = re.compile(r"[^\w.+-]+")
_LONGEST_NAME = 60
# Fields that are cached unchanged; an evaluation has summaries of one length, and compares no versions.
_APART = ("pages", "documents", "lengths", "changes")
_SHARED = tuple(field.name for field in fields(Summary) if field.name not in _APART)


@dataclass(frozen=True, kw_only=True)
class CachedPage:
    """A page by its position: ``sentences`` are ``(index, start, end)`` in the document."""

    label: str
    document: str
    tokens: int
    sentences: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, kw_only=True)
class CachedSummary:
    """A summary without its documents.

    Attributes:
        key: Hash of the example it belongs to; see :func:`example_key`.
        id: Id of the example.
        where: File and place of the example, for people who read the file.
        text: The summary as running text, for programs that need nothing else.
    """

    key: str
    id: str
    where: str
    text: str
    title: str | None
    method: str
    locality: Locality
    locality_reason: str
    checkpoint: CheckpointReference | None
    sentences: tuple[SummarySentence, ...]
    pages: tuple[CachedPage, ...]
    coverage: Coverage
    options: Mapping[str, OptionValue]
    seconds: Mapping[str, float]
    warnings: tuple[str, ...]
    chapters: tuple[ChapterSummary, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    keywords: tuple[str, ...] = ()
    other_sections: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    abbreviations: tuple[ShortForm, ...] = ()
    people: tuple[ShortForm, ...] = ()
    style: Style = Style.PROSE

    @classmethod
    def of(cls, example: Example, summary: Summary) -> CachedSummary:
        """The cached form of an example's summary."""
        return cls(
            key=example_key(example),
            id=example.id,
            where=example.where,
            text=summary.text,
            pages=tuple(
                CachedPage(
                    label=page.label,
                    document=page.document_id,
                    tokens=page.num_tokens,
                    sentences=tuple(
                        (sentence.index, sentence.start, sentence.end) for sentence in page.sentences
                    ),
                )
                for page in summary.pages
            ),
            **{name: getattr(summary, name) for name in _SHARED},
        )

    def restore(self, example: Example) -> Summary:
        """The summary again, with the documents of the example it belongs to."""
        return Summary(
            pages=tuple(self._pages(example)),
            documents=example.documents,
            **{name: getattr(self, name) for name in _SHARED},
        )

    def _pages(self, example: Example) -> Iterator[Page]:
        texts = {document.id: document.text for document in example.documents}
        sentences = {document.id: document.sentences for document in example.documents}
        for index, page in enumerate(self.pages):
            yield Page(
                index=index,
                locality=self.locality,
                label=page.label,
                document_id=page.document,
                sentences=tuple(
                    _piece(sentences[page.document][number], start, end, texts[page.document])
                    for number, start, end in page.sentences
                ),
                num_tokens=page.tokens,
            )


def results_path() -> Path:
    """The default folder of all cached summaries; ``LSUM_HOME`` moves it."""
    return cache_path("evaluations")


def example_key(example: Example) -> str:
    """A hash of everything in an example that a summary may depend on."""
    texts = [text for document in example.documents for text in (document.title or "", document.text)]
    return hash_text("\0".join([example.reference or "", *texts]))


class SummaryCache:
    """The cached summaries of one system.

    Args:
        folder: The folder of all systems.
        name: Name of the system, for people.
        fingerprint: Fingerprint of the system.
        fresh: Delete what is cached.

    Raises:
        OutputError: The folder cannot be created.
    """

    def __init__(self, folder: Path, name: str, fingerprint: str, *, fresh: bool = False) -> None:
        readable = _UNSAFE.sub("-", name).strip("-.")[-_LONGEST_NAME:] or "system"
        self.path = folder / f"{readable}-{fingerprint[:12]}" / FILE_NAME
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if fresh:
                self.path.unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        self._places = dict(self._find_places())

    def holds(self, example: Example) -> bool:
        """Whether the summary of an example is cached."""
        return example_key(example) in self._places

    def get(self, example: Example) -> Summary | None:
        """The summary of an example, if it is cached."""
        place = self._places.get(example_key(example))
        if place is None:
            return None
        with self.path.open("rb") as file:
            file.seek(place)
            cached = _parse(file.readline())
        return cached.restore(example) if cached else None

    def add(self, example: Example, summary: Summary) -> None:
        """Cache a summary; it is on disk when this returns.

        Raises:
            OutputError: It cannot be written.
        """
        cached = CachedSummary.of(example, summary)
        line = json.dumps(encode(cached), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        try:
            with self.path.open("ab") as file:
                # End a line that an interruption cut short.
                is_torn = file.tell() and not self._ends_whole()
                file.write(b"\n" + line if is_torn else line)
                self._places[cached.key] = file.tell() - len(line)
        except OSError as error:
            raise self._unwritable(error) from error

    def _ends_whole(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"

    def _find_places(self) -> Iterator[tuple[str, int]]:
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            place = 0
            for line in file:
                cached = _parse(line)
                if cached:
                    yield cached.key, place
                place += len(line)

    def _unwritable(self, error: OSError) -> OutputError:
        return OutputError(
            f"cannot cache summaries in {self.path.parent}: {error.strerror}", "give another --results folder"
        )


def read_cached(path: Path) -> Iterator[CachedSummary]:
    """Yield the summaries of a file; lines that an interruption cut short are skipped."""
    with path.open("rb") as file:
        for line in file:
            cached = _parse(line)
            if cached:
                yield cached


def _parse(line: bytes) -> CachedSummary | None:
    try:
        return parse(CachedSummary, line)
    except RecordError:
        return None


def _piece(sentence: Sentence, start: int, end: int, text: str) -> Sentence:
    """A sentence, or the part of one that is on a page."""
    if (sentence.start, sentence.end) == (start, end):
        return sentence
    return Sentence(
        text=text[start:end],
        index=sentence.index,
        section_index=sentence.section_index,
        pdf_page=sentence.pdf_page,
        start=start,
        end=end,
    )
