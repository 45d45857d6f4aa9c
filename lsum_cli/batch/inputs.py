"""What a batch reads: data files, folders of documents and lists, as a stream of shards."""

from __future__ import annotations

import glob
import hashlib
import json
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from lsum_cli.batch.storage import RemoteFile, find_files, is_batch_folder
from lsum_cli.datasets.composition import compose_documents, number_record, record_id
from lsum_cli.datasets.dataset import refuse_duplicate_files
from lsum_cli.datasets.files import DataFile, expand_paths, label_files
from lsum_cli.datasets.formats import DATA_SUFFIXES, BadRecord, Record, decode_line, try_records
from lsum_cli.datasets.layouts import Layout, recognise
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.documents import Document
from lsum_cli.errors import DatasetError, LsumError, OptionError
from lsum_cli.reading.registry import FORMATS_BY_SUFFIX
from lsum_cli.reading.sources import expand_sources, files_below, take_once

LIST_MARK = "@"
# A shard ends before its records take more memory than this, however few they are.
SHARD_BYTES = 16 << 20
# If none of the first records has known columns, the options are at fault and not the records.
_TRIED_RECORDS = 10
_DIGEST_LENGTH = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordContent:
    """A record of a data file, whose documents are composed where they are summarised."""

    record: Record
    layout: Layout
    options: DatasetOptions

    @property
    def name(self) -> str:
        """File and place."""
        return self.record.where

    def documents(self) -> tuple[Document, ...]:
        """The documents of the record, those without text left out.

        Raises:
            DatasetError: There is no text.
        """
        documents = compose_documents(self.record, self.layout, self.options)
        with_text = tuple(document for document in documents if document.sections)
        if not with_text:
            raise self.record.error(f"the column {self.layout.text!r} is empty", "nothing can be summarised")
        return with_text


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One document of a batch, or what is summarised as one.

    Attributes:
        id: That of its record, or its name.
        where: File and place, for messages.
        sha256: Hash of its content; of a web page, of its address.
        content: A path or an address; a record; or why there is neither.
    """

    id: str
    where: str
    sha256: str
    content: str | RecordContent | LsumError


@dataclass(frozen=True, kw_only=True)
class Shard:
    """Consecutive documents of one part of the input; their summaries become one file.

    Attributes:
        unit: The position of the part in the input, from 0.
        number: The position of the shard in the part, from 0.
        items: Its documents.
    """

    unit: int
    number: int
    items: tuple[Item, ...]

    @property
    def place(self) -> str:
        """Which shard it is, whatever it holds: ``"00000-00012"``."""
        return f"{self.unit:05d}-{self.number:05d}"

    @property
    def digest(self) -> str:
        """A hash of what it holds."""
        content = json.dumps([[item.id, item.sha256] for item in self.items])
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:_DIGEST_LENGTH]

    @property
    def name(self) -> str:
        """Its name without a suffix: its place and what it holds."""
        return f"part-{self.place}-{self.digest}"

    @property
    def span(self) -> str:
        """Where it lies, for messages."""
        first, last = self.items[0].where, self.items[-1].where
        return first if len(self.items) == 1 else f"{first} to {last}"


@dataclass(frozen=True, kw_only=True)
class Unit:
    """A part of the input that is read from beginning to end: a data file, a list, or named sources.

    Attributes:
        number: Its position in the input, from 0.
        file: The data file, or the list.
        sources: The paths and addresses, with their ids, where there is no file.
        is_list: Whether the file is a list of paths and addresses.
    """

    number: int
    options: DatasetOptions
    file: DataFile | None = None
    is_list: bool = False
    sources: tuple[tuple[str, str], ...] = ()

    def shards(self, size: int) -> Iterator[Shard]:
        """Yield its documents in shards of ``size``, and of at most :data:`SHARD_BYTES`.

        The same content is always divided in the same way.
        """
        items: list[Item] = []
        number = num_bytes = 0
        for item, weight in self._weighed():
            if items and (len(items) == size or num_bytes + weight > SHARD_BYTES):
                yield Shard(unit=self.number, number=number, items=tuple(items))
                items, num_bytes, number = [], 0, number + 1
            items.append(item)
            num_bytes += weight
        if items:
            yield Shard(unit=self.number, number=number, items=tuple(items))

    def describe(self) -> dict[str, object]:
        """What tells it from another one without reading it."""
        if self.file is not None:
            return {"name": self.file.path.name, "bytes": self.file.num_bytes}
        names = "\0".join(name for _, name in self.sources)
        digest = hashlib.sha256(names.encode("utf-8", "replace")).hexdigest()
        return {"documents": len(self.sources), "names_sha256": digest}

    def _weighed(self) -> Iterator[tuple[Item, int]]:
        """Its documents, each with the bytes it takes in memory."""
        items: Iterator[tuple[Item, int]]
        if self.file is None:
            items = ((_item_of_source(source, name), 0) for source, name in self.sources)
        elif self.is_list:
            items = ((item, 0) for item in _items_of_list(self.file))
        else:
            items = _items_of_records(self.file, self.options)
        return islice(items, self.options.limit)


@dataclass(frozen=True, kw_only=True)
class BatchInput:
    """Everything that a batch reads.

    Attributes:
        where: As the user gave it.
        units: Its parts, in order.
        skipped: Files in folders that are of an unsupported format.
        again: Documents that were named more than once, each with the name under which it is read.
        num_documents: How many documents it has; ``None`` where only reading it would tell.
    """

    where: tuple[str, ...]
    units: tuple[Unit, ...]
    skipped: tuple[str, ...] = ()
    again: tuple[tuple[str, str], ...] = ()
    num_documents: int | None = None

    def describe(self) -> list[dict[str, object]]:
        """What tells it from another input without reading it, for people too: a line for each part."""
        return [unit.describe() for unit in self.units]

    def shards(self, size: int) -> Iterator[Shard]:
        """Yield all documents in shards, in order."""
        for unit in self.units:
            yield from unit.shards(size)


def open_input(given: Sequence[str], options: DatasetOptions) -> BatchInput:
    """Open the input of a batch; of data files only the first records are read yet.

    Args:
        given: Data files, folders of data files or of documents, patterns, ``@list.txt``, documents.
        options: Columns; ``limit`` applies to each data file or list.

    Raises:
        OptionError: A path is empty, or a name neither of data nor of a document.
        DatasetError: A path does not exist, a folder holds nothing or both kinds, or the columns are unknown.
        SourceError: A folder holds no supported file.
    """
    options = replace(options, needs_reference=False)
    data: list[Path | RemoteFile | Unit] = []
    skipped: list[str] = []
    for name in given:
        if not name.strip():
            raise OptionError("an input is empty", "name a data file, a folder or @list.txt")
        if name.startswith(LIST_MARK):
            path = Path(name.removeprefix(LIST_MARK))
            if not path.is_file():
                raise DatasetError(f"the list {path} does not exist", "check the path after @")
            data.append(Unit(number=0, options=options, file=DataFile(path, path.name), is_list=True))
            continue
        if name.startswith(("http://", "https://")):
            raise OptionError(
                f"{name} is a web address", f"put such addresses into a file, and give {LIST_MARK}FILE"
            )
        if "://" in name:
            data += _find_remote(name, skipped)
            continue
        for path in expand_paths([name]):
            if path.is_dir():
                data += _open_folder(path, options, skipped)
            elif path.suffix.lower() in FORMATS_BY_SUFFIX and DataFile(path, "").suffix not in DATA_SUFFIXES:
                data.append(_named([(str(path), path.name)], options))
            else:
                data.append(path)
    data, again = _each_once(data)
    labelled = iter(label_files([_place(each) for each in data if not isinstance(each, Unit)]))
    units = []
    for number, each in enumerate(data):
        if isinstance(each, Unit):
            units.append(replace(each, number=number))
            continue
        file = next(labelled)
        if isinstance(each, RemoteFile):
            file = replace(each, label=file.label)
        units.append(Unit(number=number, options=options, file=file))
    local = [unit.file for unit in units if unit.file and not isinstance(unit.file, RemoteFile)]
    refuse_duplicate_files(local)
    for unit in units:
        if unit.file is not None and not unit.is_list:
            _check_columns(unit.file, options)
    counts = [len(unit.sources) if unit.file is None else None for unit in units]
    total = None if None in counts else sum(filter(None, counts))
    return BatchInput(
        where=tuple(given), units=tuple(units), skipped=tuple(skipped), again=again, num_documents=total
    )


def _each_once(
    data: Sequence[Path | RemoteFile | Unit],
) -> tuple[list[Path | RemoteFile | Unit], tuple[tuple[str, str], ...]]:
    """The same with every document once, and the documents that were named again."""
    named = [source for each in data if isinstance(each, Unit) for source, _ in each.sources]
    once, again = take_once(named)
    if not again:
        return list(data), ()
    left = deque(once)
    kept: list[Path | RemoteFile | Unit] = []
    for each in data:
        if not isinstance(each, Unit) or each.file is not None:
            kept.append(each)
            continue
        # Both are in order; of equal names the first is the one that is kept.
        sources = tuple(
            (source, name) for source, name in each.sources if left and source == left[0] and left.popleft()
        )
        if sources:
            kept.append(replace(each, sources=sources))
    return kept, again


def _place(file: Path | RemoteFile) -> Path:
    return Path(file.address.partition("://")[2]) if isinstance(file, RemoteFile) else file


def _find_remote(address: str, skipped: list[str]) -> list[RemoteFile]:
    """The data files at an address.

    Raises:
        DatasetError: There are none.
    """
    found = find_files(address)
    files = [RemoteFile(Path(PurePosixPath(each).name), "", each) for each in found]
    data = [file for file in files if found == [address] or file.suffix in DATA_SUFFIXES]
    if not data:
        raise DatasetError(
            f"{address} holds no data files, and documents are not read from object storage",
            "copy the documents to a folder, or make JSON Lines of their texts",
        )
    skipped += [str(file) for file in files if file not in data]
    return data


def _open_folder(folder: Path, options: DatasetOptions, skipped: list[str]) -> list[Path | RemoteFile | Unit]:
    """The data files of a folder, or all its documents together."""
    written: dict[Path, bool] = {folder: False}
    unread: list[str] = []
    files = [path for path in files_below(folder, unread) if not _is_below_batch(path.parent, written)]
    data = [path for path in files if DataFile(path, "").suffix in DATA_SUFFIXES]
    documents = [path for path in files if path.suffix.lower() in FORMATS_BY_SUFFIX and path not in set(data)]
    if data and documents:
        raise DatasetError(
            f"{folder} holds both data files ({data[0].name}) and documents ({documents[0].name})",
            f"give '{glob.escape(str(folder))}/*{data[0].suffix}' for the data files, or a list of the"
            f" documents as {LIST_MARK}list.txt",
        )
    if data:
        skipped += unread
        return list(data)
    expansion = expand_sources([folder], each=True)
    skipped += [name for name in expansion.skipped if not _is_below_batch(Path(name).parent, written)]
    named = []
    for source in expansion.sources:
        path = Path(source)
        named.append((source, str(path.relative_to(folder)) if path.is_relative_to(folder) else source))
    return [_named(named, options)]


def _is_below_batch(folder: Path, known: dict[Path, bool]) -> bool:
    """Whether a batch has been written to a folder, or to one that it lies in; ``known`` remembers."""
    if folder not in known:
        known[folder] = is_batch_folder(folder) or _is_below_batch(folder.parent, known)
    return known[folder]


def _named(sources: Sequence[tuple[str, str]], options: DatasetOptions) -> Unit:
    return Unit(number=0, options=options, sources=tuple(sources))


def _check_columns(file: DataFile, options: DatasetOptions) -> None:
    """Refuse a data file of which none of the first records can be used: the options are at fault.

    Raises:
        DatasetError: The file cannot be read, or has no known columns.
    """
    first: DatasetError | None = None
    for record in islice(try_records(file), _TRIED_RECORDS):
        if isinstance(record, Record):
            try:
                recognise(record, options)
            except DatasetError as error:
                first = first or error
            else:
                return
        else:
            first = first or record.error
    if first is not None:
        raise first


def _items_of_records(file: DataFile, options: DatasetOptions) -> Iterator[tuple[Item, int]]:
    for record in try_records(file):
        if isinstance(record, BadRecord):
            yield _item_of_bad_record(record, file), 0
            continue
        text = json.dumps(record.values, sort_keys=True, default=str).encode()
        sha256 = hashlib.sha256(text).hexdigest()
        content: RecordContent | LsumError
        try:
            layout = recognise(record, options)
        except DatasetError as error:
            content, name = error, number_record(record, file)
        else:
            content = RecordContent(record=record, layout=layout, options=options)
            name = record_id(record, layout, file)
        yield Item(id=name, where=record.where, sha256=sha256, content=content), len(text)


def _item_of_bad_record(bad: BadRecord, file: DataFile) -> Item:
    """A record that cannot be read, and with an unknown unit all that would follow it."""
    name, where, error = f"{file.label}-{bad.ordinal or bad.number}", str(file), bad.error
    if bad.unit:
        where = f"{file}, {bad.unit} {bad.number:,}"
    else:
        name = f"{file.label}-from-{bad.number}"
        error = DatasetError(
            f"{error.what}: nothing after record {bad.number - 1:,} was read", error.next_step
        )
    return Item(id=name, where=where, sha256=hashlib.sha256(str(error).encode()).hexdigest(), content=error)


def _items_of_list(file: DataFile) -> Iterator[Item]:
    """The sources that the lines of a list name; empty lines are skipped."""
    number = 0
    try:
        with file.open() as stream:
            for number, line in enumerate(stream, start=1):
                try:
                    source = decode_line(line, file, number).strip()
                except DatasetError as error:
                    yield _item_of_bad_record(BadRecord(error=error, number=number, unit="line"), file)
                    continue
                if source:
                    yield replace(_item_of_source(source, source), where=f"{file}, line {number:,}")
    except DatasetError as error:
        yield _item_of_bad_record(BadRecord(error=error, number=number + 1, unit=""), file)


def _item_of_source(source: str, name: str) -> Item:
    return Item(id=name, where=source, sha256=_hash_source(source), content=source)


def _hash_source(source: str) -> str:
    """Hash of a file's content; of anything else, whose content is not at hand, of its name."""
    if "://" not in source:
        with suppress(OSError, ValueError):
            if Path(source).is_file():  # a pipe would be waited for
                with Path(source).open("rb") as file:
                    return hashlib.file_digest(file, "sha256").hexdigest()
    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()
