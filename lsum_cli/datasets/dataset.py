"""A data set: examples that can be gone through again and again, none of them kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.datasets.records import shown
from lsum_cli.errors import DatasetError
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.version import __version__

RecordLoader = Callable[[], Iterable[Example]]
Selected = TypeVar("Selected")


@dataclass(frozen=True, kw_only=True)
class Excluded:
    """Records that became no example.

    Attributes:
        empty_documents: Without a word to summarise.
        empty_references: With a document, but without a reference.
    """

    empty_documents: int = 0
    empty_references: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.empty_documents + self.empty_references


class Standing(NamedTuple):
    """What decides whether a record becomes an example."""

    id: str
    where: str
    has_text: bool
    has_reference: bool

    @classmethod
    def of(cls, example: Example) -> Standing:
        """The standing of what a record says."""
        has_text = any(section.sentences for document in example.documents for section in document.sections)
        return cls(example.id, example.where, has_text, example.reference is not None)


@dataclass(kw_only=True)
class Dataset:
    """Examples read from files, streamed anew each time one iterates.

    Attributes:
        name: Short, for tables: that of ``corpora/pmc.train.jsonl.xz`` is ``"pmc.train"``.
        where: What the user gave: paths, joined by commas.
        files: What is read.
        options: How.
        read: Goes through all records, from the beginning, and gives of each what makes its examples:
            whoever wants some of them need not make the others.
        part: Which part of what is read, where not the whole; empty for the whole.
        excluded: What the last iteration left out; complete once it has ended.
    """

    name: str
    where: str
    files: tuple[DataFile, ...]
    options: DatasetOptions
    read: Callable[[], Iterator[RecordLoader]] = field(repr=False)
    part: str = ""
    excluded: Excluded = field(default_factory=Excluded)

    def __iter__(self) -> Iterator[Example]:
        """Yield the examples in the order of the files.

        Raises:
            DatasetError: A record cannot be read, lacks a column, or bears the id of another.
        """
        return self.select((Standing.of(example), example) for load in self.read() for example in load())

    def telling(self, progress: ProgressListener, stage: str) -> Dataset:
        """The same data set, which says how many records it has come to whenever one iterates."""

        def read() -> Iterator[RecordLoader]:
            for number, load in enumerate(self.read(), start=1):
                progress(ProgressEvent(stage=stage, done=number, unit="records"))
                yield load

        return replace(self, read=read)

    def admits(self, standing: Standing) -> bool:
        """Whether an example has what it needs."""
        return standing.has_text and (standing.has_reference or not self.options.needs_reference)

    def select(self, candidates: Iterable[tuple[Standing, Selected]]) -> Iterator[Selected]:
        """Pass on what is admitted, up to the limit, and count in :attr:`excluded` what is not.

        Raises:
            DatasetError: Two have one id, or none is admitted.
        """
        empty_documents = empty_references = taken = 0
        place_of_id: dict[str, str] = {}
        self.excluded = Excluded()
        for standing, candidate in candidates:
            first = place_of_id.setdefault(standing.id, standing.where)
            if first != standing.where:
                raise DatasetError(
                    f"{standing.where}: the id {shown(standing.id)!r} is also that of {first}",
                    "make ids unique, name another --id-column, or number the records by --id-column -",
                )
            if self.admits(standing):
                yield candidate
                taken += 1
            elif standing.has_text:
                empty_references += 1
            else:
                empty_documents += 1
            self.excluded = Excluded(empty_documents=empty_documents, empty_references=empty_references)
            if taken == self.options.limit:
                return
        if not taken:
            part = " for one of its parts" if self.part else ""
            raise DatasetError(f"{self.where} holds no example{part}", self._why_none())

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of every file, by its path."""
        return {str(file): file.sha256 for file in self.files}

    @cached_property
    def fingerprint(self) -> str:
        """Names the examples: changes with the content of the files, the options and the version."""
        contents = [[file.path.name, file.sha256] for file in self.files]
        identity = [__version__, self.options.identity(), self.part, contents]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()

    def _why_none(self) -> str:
        if not self.excluded.total:
            return "give more records" if self.part else "give a file with records"
        counts = asdict(self.excluded)
        told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count)
        return f"what it holds was left out: {told}"
