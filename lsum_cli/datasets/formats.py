"""Data files as records: JSON Lines, JSON, line files, CSV, TSV, Parquet; and the reader of each file."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from lsum_cli.datasets.files import DataFile
from lsum_cli.errors import DatasetError, MissingDependency
from lsum_cli.reading.registry import FORMATS_BY_SUFFIX

_MAX_SHOWN = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One record, its columns as they are in the file.

    Attributes:
        values: Column by name: text, numbers, lists and objects as in JSON.
        file: The file it stands in.
        number: Its line, row or place in the file, from 1.
        unit: What ``number`` counts: ``"line"``, ``"row"``, ``"record"``; empty for a file of one record.
    """

    values: Mapping[str, object]
    file: str
    number: int
    unit: str

    @property
    def place(self) -> str:
        """Where it stands in its file: ``"line 12"``."""
        return f"{self.unit} {self.number:,}" if self.unit else ""

    @property
    def where(self) -> str:
        """File and place, for messages."""
        return f"{self.file}, {self.place}" if self.unit else self.file

    def error(self, what: str, next_step: str = "") -> DatasetError:
        """An error that names this record."""
        return DatasetError(f"{self.where}: {what}", next_step)


def shown(name: str) -> str:
    """A column or an id as messages show it: what a file calls so may be a whole text."""
    return name if len(name) <= _MAX_SHOWN else f"{name[: _MAX_SHOWN - 1]}…"


_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_json_lines(file: DataFile) -> Iterator[Record]:
    """Yield one record per line; empty lines are passed over.

    Raises:
        DatasetError: A line is no JSON object, or not UTF-8; file and line are named.
    """
    with file.open() as stream:
        for number, line in enumerate(stream, start=1):
            text = decode_line(line, file, number)
            if text and not text.isspace():
                yield _record(text, file, number)


def read_json(file: DataFile) -> Iterator[Record]:
    """Yield the records of a JSON file: a list of objects, an object of objects, or one record.

    Raises:
        DatasetError: The file is no JSON, or holds anything else.
    """
    with file.open() as stream:
        content = stream.read()
    text = _decode_whole(content, file)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise DatasetError(
            f"{file}, line {error.lineno:,}, column {error.colno:,}: no valid JSON: {error.msg.lower()}",
            "mend it; for one object per line name the file .jsonl",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{file}: no JSON that can be read: {_reason(error)}", "mend the file") from error
    if isinstance(value, list):
        for number, item in enumerate(value, start=1):
            if not isinstance(item, dict):
                raise DatasetError(f"{file}, record {number:,}: no JSON object", "give a list of objects")
            yield Record(values=item, file=str(file), number=number, unit="record")
    elif isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values()):
        for number, (key, item) in enumerate(value.items(), start=1):
            yield Record(values={"id": key, **item}, file=str(file), number=number, unit="record")
    elif isinstance(value, dict):
        yield Record(values=value, file=str(file), number=1, unit="")
    else:
        raise DatasetError(f"{file} holds no records", "give a list of objects, or one object")


def decode_line(line: bytes, file: DataFile, number: int) -> str:
    """Decode one line of a UTF-8 file.

    Raises:
        DatasetError: It is of another encoding.
    """
    if number == 1:
        line = _without_mark(line, file)
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(f"{file}, line {number:,}, byte {error.start + 1:,}") from error


def _decode_whole(content: bytes, file: DataFile) -> str:
    content = _without_mark(content, file)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _not_utf8(f"{file}, line {line:,}") from error


def _without_mark(content: bytes, file: DataFile) -> bytes:
    if content.startswith(_WIDE_MARKS):
        raise _not_utf8(str(file))
    return content.removeprefix(codecs.BOM_UTF8)


def _not_utf8(place: str) -> DatasetError:
    return DatasetError(f"{place}: not UTF-8", "save the file as UTF-8")


def _record(text: str, file: DataFile, number: int) -> Record:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise DatasetError(
            f"{file}, line {number:,}: no valid JSON: {error.msg.lower()} at character {error.pos + 1:,}",
            "mend or remove the line; a file that is one JSON value is named .json",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(
            f"{file}, line {number:,}: no JSON that can be read: {_reason(error)}", "mend or remove the line"
        ) from error
    if not isinstance(value, dict):
        raise DatasetError(f"{file}, line {number:,}: no JSON object", "give one object per line")
    return Record(values=value, file=str(file), number=number, unit="line")


def _reason(error: Exception) -> str:
    # Besides broken syntax, Python refuses nothing but integers of thousands of digits.
    return "too deeply nested" if isinstance(error, RecursionError) else "a number of too many digits"


TARGET_SUFFIXES = {".source": ".target", ".src": ".tgt"}


def target_of(file: DataFile) -> DataFile:
    """The file with the summaries: ``train.target`` for ``train.source``, ``train.tgt`` for ``train.src``."""
    path = file.path
    packing = path.suffix if path.suffix.lower() != file.suffix else ""
    source = path.name.removesuffix(packing)
    suffix = source[-len(file.suffix) :]
    target = source.removesuffix(suffix) + TARGET_SUFFIXES[suffix.lower()] + packing
    return DataFile(path.with_name(target), file.label)


def read_line_files(file: DataFile) -> Iterator[Record]:
    """Yield a record for each pair of lines, with the columns ``document`` and ``summary``.

    Raises:
        DatasetError: There is no file of summaries, it has more or fewer lines, or one is not UTF-8.
    """
    target = target_of(file)
    with file.open() as documents, target.open() as summaries:
        for number, (document, summary) in enumerate(zip_longest(documents, summaries), start=1):
            if document is None or summary is None:
                shorter, longer = (file, target) if document is None else (target, file)
                raise DatasetError(
                    f"{shorter} ends after line {number - 1:,}, {longer} goes on", "give both the same lines"
                )
            values = {
                "document": decode_line(document, file, number),
                "summary": decode_line(summary, target, number),
            }
            yield Record(values=values, file=str(file), number=number, unit="line")


_MAX_CELL_CHARACTERS = 2**31 - 1  # the largest that every platform takes
_ROWS_AT_ONCE = 64


def read_csv(file: DataFile) -> Iterator[Record]:
    """Yield the rows of a CSV file; where the header has no comma but semicolons, those separate.

    Raises:
        DatasetError: The file has no header, or a row is broken; file and line are named.
    """
    yield from _read_separated(file, separator=None)


def read_tsv(file: DataFile) -> Iterator[Record]:
    """Yield the rows of a file separated by tabs; quotation marks are those of CSV.

    Raises:
        DatasetError: As for :func:`read_csv`.
    """
    yield from _read_separated(file, separator="\t")


def read_parquet(file: DataFile) -> Iterator[Record]:
    """Yield the rows of a Parquet file.

    Raises:
        DatasetError: The file is missing or no Parquet.
        MissingDependency: pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependency(
            f"{file}: Parquet is read by pyarrow, which is not installed", "pip install 'lsum-cli[train]'"
        ) from error
    number = 0
    try:
        with file.open() as stream, pyarrow.parquet.ParquetFile(stream) as table:
            for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE):
                for values in batch.to_pylist():
                    number += 1
                    yield Record(values=values, file=str(file), number=number, unit="row")
    except pyarrow.ArrowException as error:
        place = f"{file}, after row {number:,}" if number else str(file)
        raise DatasetError(f"{place}: no Parquet that can be read", "get or write the file again") from error


def _read_separated(file: DataFile, separator: str | None) -> Iterator[Record]:
    # The limit of the library, 131,072 characters a cell, is one of the whole process.
    if csv.field_size_limit() < _MAX_CELL_CHARACTERS:
        csv.field_size_limit(_MAX_CELL_CHARACTERS)
    with file.open() as stream:
        lines = (decode_line(line, file, number) for number, line in enumerate(stream, start=1))
        first = next(lines, "")
        if not first.strip():
            raise DatasetError(f"{file} has no header", "name the columns in its first line")
        if separator is None:
            separator = ";" if ";" in first and "," not in first else ","
        rows = csv.reader(_chain(first, lines), delimiter=separator, strict=True)
        start = 1
        try:
            header = [name.strip() for name in next(rows)]
            if len(set(header)) < len(header):
                raise DatasetError(f"{file}, line 1: two columns have one name", "rename one")
            start = rows.line_num + 1
            for row in rows:
                if row:
                    yield _row(header, row, file, start)
                start = rows.line_num + 1
        except csv.Error as error:
            raise DatasetError(
                f"{file}, line {start:,}: no row that can be read: {error}",
                "mend the line; a quotation mark within a cell is doubled",
            ) from error


def _chain(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _row(header: list[str], row: list[str], file: DataFile, line: int) -> Record:
    if len(row) != len(header):
        raise DatasetError(
            f"{file}, line {line:,}: {len(row)} cells, but the header names {len(header)} columns",
            "mend the line; a cell with the separator in it needs quotation marks",
        )
    return Record(values=dict(zip(header, row, strict=True)), file=str(file), number=line, unit="line")


SUPPORTED = (
    "JSON Lines, JSON, CSV, TSV, Parquet, line files (.source with .target) and folders of pairs "
    "(paper.pdf with paper.summary.txt)"
)
RecordReader = Callable[[DataFile], Iterator[Record]]

_READERS: dict[str, RecordReader] = {
    ".jsonl": read_json_lines,
    ".jsonlines": read_json_lines,
    ".ndjson": read_json_lines,
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    **dict.fromkeys(TARGET_SUFFIXES, read_line_files),
}
DATA_SUFFIXES = frozenset({".json", *_READERS})
_HEAD_BYTES = 1 << 16


def reader_of(file: DataFile) -> RecordReader:
    """The reader for a file.

    Raises:
        DatasetError: It is of no format that can be read.
    """
    if file.suffix in _READERS:
        return _READERS[file.suffix]
    if file.suffix == ".json":
        return read_json_lines if _has_lines(file) else read_json
    if file.suffix in TARGET_SUFFIXES.values():
        raise DatasetError(f"{file} holds summaries only", "give the file with the documents")
    with file.open() as stream:
        head = stream.read(_HEAD_BYTES).lstrip()
    # The first release of arXiv and PubMed calls its JSON Lines .txt.
    if head.startswith(b"{"):
        return read_json_lines
    if file.suffix in FORMATS_BY_SUFFIX:
        raise DatasetError(
            f"{file} is a document and no data set",
            f"give the folder with {file.path.name} and {file.path.stem}.summary.txt",
        )
    raise DatasetError(f"{file} is of no format that can be read", f"what can be read is {SUPPORTED}")


def _has_lines(file: DataFile) -> bool:
    """Whether a file called .json holds one object a line."""
    with file.open() as stream:
        first = next((line for line in stream if line.strip()), b"")
        if not first.lstrip(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            return False
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return False
        return any(line.strip() for line in stream)
