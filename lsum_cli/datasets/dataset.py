"""Data sets: files, patterns and folders opened as a stream of examples that can be iterated repeatedly."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from lsum_cli.datasets.composition import compose_examples, is_blank
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile, expand_paths, label_files, unpacked_path
from lsum_cli.datasets.formats import DATA_SUFFIXES, TARGET_SUFFIXES, reader_of, shortened, target_of
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.datasets.pairs import Pair, files_of, find_pairs, no_pairs, read_pair
from lsum_cli.errors import DatasetError
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.reading.reader import Reader
from lsum_cli.reading.sources import files_below
from lsum_cli.version import __version__


@dataclass(frozen=True)
class RecordLoader:
    """A record whose examples are made on demand.

    Attributes:
        load: Makes its examples.
        is_blank: Whether the record has no text, or lacks the reference that it needs; cheap.
    """

    load: Callable[[], Iterable[Example]]
    is_blank: Callable[[], bool]

    def __call__(self) -> Iterable[Example]:
        """Make the examples."""
        return self.load()


Selected = TypeVar("Selected")


@dataclass(frozen=True, kw_only=True)
class Excluded:
    """Number of records that were left out.

    Attributes:
        empty_documents: Records without text to summarise.
        empty_references: Records with a document but without a reference.
    """

    empty_documents: int = 0
    empty_references: int = 0

    @property
    def total(self) -> int:
        """Both together."""
        return self.empty_documents + self.empty_references


class Standing(NamedTuple):
    """The properties that decide whether an example is admitted to a data set."""

    id: str
    where: str
    has_text: bool
    has_reference: bool

    @classmethod
    def of(cls, example: Example) -> Standing:
        """The properties of an example."""
        has_text = any(section.sentences for document in example.documents for section in document.sections)
        return cls(example.id, example.where, has_text, example.reference is not None)


@dataclass(kw_only=True)
class Dataset:
    """Examples read from files, streamed anew in each iteration.

    Attributes:
        name: Short name for tables: that of ``corpora/pmc.train.jsonl.xz`` is ``"pmc.train"``.
        where: As given by the user: paths, joined by commas.
        files: The files that are read.
        options: How they are read.
        read: Iterates over all records from the beginning and yields a function for each that makes its
            examples, so that unused examples are never made.
        part: Which part of the records is used; empty for all.
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
            DatasetError: A record cannot be read, lacks a column, or has the id of another.
        """
        return self.select((Standing.of(example), example) for load in self.read() for example in load())

    def check(self) -> None:
        """Read the first record and look at its columns; nothing else is read.

        Raises:
            DatasetError: It cannot be read, or lacks a column.
        """
        for load in islice(self.read(), 1):
            load.is_blank()

    def telling(self, progress: ProgressListener, stage: str) -> Dataset:
        """The same data set, reporting the number of records read in every iteration."""

        def read() -> Iterator[RecordLoader]:
            for number, load in enumerate(self.read(), start=1):
                progress(ProgressEvent(stage=stage, done=number, unit="records"))
                yield load

        return replace(self, read=read)

    def admits(self, standing: Standing) -> bool:
        """Whether an example has a text and, if required, a reference."""
        return standing.has_text and (standing.has_reference or not self.options.needs_reference)

    def select(self, candidates: Iterable[tuple[Standing, Selected]]) -> Iterator[Selected]:
        """Yield the admitted candidates, up to the limit, and count the others in :attr:`excluded`.

        Raises:
            DatasetError: Two candidates have the same id, or none is admitted.
        """
        empty_documents = empty_references = taken = 0
        place_of_id: dict[str, str] = {}
        self.excluded = Excluded()
        for standing, candidate in candidates:
            first = place_of_id.setdefault(standing.id, standing.where)
            if first != standing.where:
                raise DatasetError(
                    f"{standing.where}: the id {shortened(standing.id)!r} is also that of {first}",
                    "make ids unique, name another --id-column, or number the records with --id-column -",
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
            raise DatasetError(f"{self.where} contains no examples{part}", self._why_none())

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of every file, by its path."""
        return {str(file): file.sha256 for file in self.files}

    @cached_property
    def fingerprint(self) -> str:
        """Identifies the examples: a hash of the content of the files, the options and the version."""
        contents = [[file.path.name, file.sha256] for file in self.files]
        parts = [__version__, self.options.fingerprint_parts(), self.part, contents]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _why_none(self) -> str:
        if not self.excluded.total:
            if self.part:
                return "give more records with a text and a summary, or a validation file of your own"
            return "give a file with records"
        counts = asdict(self.excluded)
        listed = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items() if count)
        return f"its records were left out: {listed}"


_SPLIT = re.compile(r"(?<![^\W_])(?:train|valid|validation|val|dev|test)(?![^\W\d_])", re.IGNORECASE)


def open_dataset(path: str | Path | Sequence[str | Path], options: DatasetOptions | None = None) -> Dataset:
    """Open a data set; only file names are read yet.

    Args:
        path: A file, a folder, a pattern (``train-*.parquet``), or several of them, which become one
            data set in the order given. A folder contains data files, or documents with their summaries.
        options: Columns and limits; ``None`` for the defaults.

    Raises:
        DatasetError: A path does not exist, is given twice, or has an unsupported format.
    """
    options = options or DatasetOptions()
    given = [path] if isinstance(path, str | Path) else list(path)
    found = expand_paths(given)
    parts = [_open_part(entry, options, prefix=f"{entry.name}/" if len(found) > 1 else "") for entry in found]
    labelled = iter(label_files([file for part in parts for file in part.data_files]))
    readers = [(part, tuple(next(labelled) for _ in part.data_files)) for part in parts]

    def read() -> Iterator[RecordLoader]:
        with closing(Reader(options.reading)) as reader:
            for part, data_files in readers:
                for file in data_files:
                    for record in reader_of(file)(file):
                        yield RecordLoader(
                            partial(compose_examples, record, file, options),
                            partial(is_blank, record, options),
                        )
                for pair in part.pairs:
                    lacks = options.needs_reference and pair.summary is None
                    yield RecordLoader(partial(read_pair, pair, reader, part.prefix), partial(bool, lacks))

    files = tuple(file for part, data_files in readers for file in _all_files(part, data_files))
    refuse_duplicate_files(files)
    first = unpacked_path(found[0]).stem or str(found[0])
    return Dataset(
        name=first + (f" and {len(found) - 1} more" if len(found) > 1 else ""),
        where=", ".join(map(str, given)),
        files=files,
        options=options,
        read=read,
    )


@dataclass(frozen=True, kw_only=True)
class _Part:
    """The contents of one path: data files, or pairs of documents and summaries."""

    data_files: tuple[Path, ...] = ()
    pairs: tuple[Pair, ...] = ()
    prefix: str = ""


def _open_part(path: Path, options: DatasetOptions, *, prefix: str) -> _Part:
    if not path.is_dir():
        return _Part(data_files=(path,))
    unread: list[str] = []
    files = files_below(path, unread)
    if unread:
        raise DatasetError(
            f"{unread[0]} may not be read, or is a link to a folder elsewhere",
            "take it away, or name that folder",
        )
    pairs = find_pairs(path, files, needs_reference=options.needs_reference) or ()
    data_files = tuple(file for file in files if DataFile(file, "").suffix in DATA_SUFFIXES)
    if any(pair.summary for pair in pairs) or (pairs and not data_files):
        return _Part(pairs=pairs, prefix=prefix)
    if not data_files:
        raise no_pairs(path)
    splits = {match.group().lower() for file in data_files if (match := _SPLIT.search(file.stem))}
    if len(splits) > 1:
        raise DatasetError(
            f"{path} contains several splits: {', '.join(sorted(splits))}",
            "give the files of one, or a pattern",
        )
    return _Part(data_files=data_files)


def _all_files(part: _Part, data_files: tuple[DataFile, ...]) -> Iterator[DataFile]:
    """All files that the examples of a part depend on."""
    for file in data_files:
        yield file
        if file.suffix in TARGET_SUFFIXES:
            yield target_of(file)
    yield from files_of(part.pairs)


def refuse_duplicate_files(files: Sequence[DataFile]) -> None:
    """Refuse files given twice, such as by name and by a pattern: their examples would count double.

    Raises:
        DatasetError: One is.
    """
    seen: set[Path] = set()
    for file in files:
        place = file.path.resolve()
        if place in seen:
            raise DatasetError(f"{file} is given twice", "give every file once")
        seen.add(place)


def sample_evenly(dataset: Dataset, most: int) -> Dataset:
    """At most ``most`` records, spread evenly over the data set; the same ones each time.

    The limit of the data set applies first. Examples are made only of the records taken.
    """

    def read() -> Iterator[RecordLoader]:
        total = sum(1 for _ in islice(dataset.read(), dataset.options.limit))
        for index, load in enumerate(islice(dataset.read(), total)):
            if total <= most or (index + 1) * most // total > index * most // total:
                yield load

    part = "; ".join(filter(None, [dataset.part, f"{most} spread evenly"]))
    return replace(dataset, read=read, part=part)


def sample(examples: Iterable[Example], most: int) -> Iterable[Example]:
    """At most ``most`` examples: spread over a data set, else the first ones."""
    return sample_evenly(examples, most) if isinstance(examples, Dataset) else islice(examples, most)


def hold_out(dataset: Dataset, share: float) -> tuple[Dataset, Dataset]:
    """Split a data set into a training part and a held-out part.

    Of the records with a text and, if required, a reference the first is held out, and from there one in
    ``1 / share``, always the same ones. The others stay in the first part, which counts them. A limit applies
    to each part.

    Args:
        share: The held-out share, between 0 and 1.
    """

    def is_held_out(index: int) -> bool:
        return math.ceil((index + 1) * share) > math.ceil(index * share)

    def read(held_out: bool) -> Iterator[RecordLoader]:
        index = 0
        for load in dataset.read():
            if load.is_blank():
                if not held_out:
                    yield load
                continue
            if is_held_out(index) is held_out:
                yield load
            index += 1

    rest = replace(dataset, read=lambda: read(False), part=f"all but {share:g} of the full ones")
    held = replace(
        dataset,
        name=f"{dataset.name} (held out)",
        read=lambda: read(True),
        part=f"{share:g} of the full ones held out",
    )
    return rest, held
