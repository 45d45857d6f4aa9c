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
    """One record, with its columns as they are in the file.

    Attributes:
        values: Columns by name: text, numbers, lists and objects as in JSON.
        file: The file that contains it.
        number: Its line, row or position in the file, from 1.
        unit: What ``number`` counts: ``"line"``, ``"row"``, ``"record"``; empty for a file of one record.
        ordinal: Which record of the file it is, from 1, whatever the format; ids are made of it.
    """

    values: Mapping[str, object]
    file: str
    number: int
    unit: str
    ordinal: int

    @property
    def place(self) -> str:
        """Its place in the file: ``"line 12"``."""
        return f"{self.unit} {self.number:,}" if self.unit else ""

    @property
    def where(self) -> str:
        """File and place, for messages."""
        return f"{self.file}, {self.place}" if self.unit else self.file

    def error(self, what: str, next_step: str = "") -> DatasetError:
        """An error that names this record."""
        return DatasetError(f"{self.where}: {what}", next_step)


@dataclass(frozen=True, kw_only=True, slots=True)
class BadRecord:
    """A record that cannot be read.

    Attributes:
        error: Why; it names file and place.
        number: Its line, row or position in the file, from 1.
        unit: What ``number`` counts; empty where the rest of the file cannot be read either.
        ordinal: Which record of the file it is, as of :class:`Record`; ``None`` where ``number`` says it.
    """

    error: DatasetError
    number: int
    unit: str
    ordinal: int | None = None


def shortened(name: str) -> str:
    """A column name or an id, shortened for messages: in some files it is a whole text."""
    return name if len(name) <= _MAX_SHOWN else f"{name[: _MAX_SHOWN - 1]}…"


_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_json_lines(file: DataFile) -> Iterator[Record]:
    """Yield one record per line; empty lines are skipped.

    Raises:
        DatasetError: A line is not a JSON object, or not UTF-8; the message names file and line.
    """
    for record in _try_json_lines(file):
        if isinstance(record, BadRecord):
            raise record.error
        yield record


def _try_json_lines(file: DataFile) -> Iterator[Record | BadRecord]:
    """As :func:`read_json_lines`, but a line that is no record becomes a bad record."""
    ordinal = 0
    with file.open() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            ordinal += 1
            try:
                text = decode_line(line, file, number)
                if text and not text.isspace():
                    yield _record(text, file, number, ordinal)
            except DatasetError as error:
                yield BadRecord(error=error, number=number, unit="line", ordinal=ordinal)


def read_json(file: DataFile) -> Iterator[Record]:
    """Yield the records of a JSON file: a list of objects, an object of objects, or one record.

    Raises:
        DatasetError: The file is not JSON, or contains anything else.
    """
    with file.open() as stream:
        content = stream.read()
    text = _decode_whole(content, file)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise DatasetError(
            f"{file}, line {error.lineno:,}, column {error.colno:,}: not valid JSON: {error.msg.lower()}",
            "correct the file; if it has one object per line, name it .jsonl",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"{file}: unreadable JSON: {_reason(error)}", "correct the file") from error
    if isinstance(value, list):
        for number, item in enumerate(value, start=1):
            if not isinstance(item, dict):
                raise DatasetError(f"{file}, record {number:,}: not a JSON object", "give a list of objects")
            yield Record(values=item, file=str(file), number=number, unit="record", ordinal=number)
    elif isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values()):
        for number, (key, item) in enumerate(value.items(), start=1):
            values = {"id": key, **item}
            yield Record(values=values, file=str(file), number=number, unit="record", ordinal=number)
    elif isinstance(value, dict):
        yield Record(values=value, file=str(file), number=1, unit="", ordinal=1)
    else:
        raise DatasetError(f"{file} contains no records", "give a list of objects, or one object")


def decode_line(line: bytes, file: DataFile, number: int) -> str:
    """Decode one line of a UTF-8 file.

    Raises:
        DatasetError: It has another encoding.
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


def _record(text: str, file: DataFile, number: int, ordinal: int) -> Record:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise DatasetError(
            f"{file}, line {number:,}: not valid JSON: {error.msg.lower()} at character {error.pos + 1:,}",
            "correct or remove the line; if the file is one JSON value, name it .json",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DatasetError(
            f"{file}, line {number:,}: unreadable JSON: {_reason(error)}", "correct or remove the line"
        ) from error
    if not isinstance(value, dict):
        raise DatasetError(f"{file}, line {number:,}: not a JSON object", "give one object per line")
    return Record(values=value, file=str(file), number=number, unit="line", ordinal=ordinal)


def _reason(error: Exception) -> str:
    # Apart from syntax errors, Python refuses only integers of thousands of digits.
    return "too deeply nested" if isinstance(error, RecursionError) else "a number with too many digits"


TARGET_SUFFIXES = {".source": ".target", ".src": ".tgt"}


def target_of(file: DataFile) -> DataFile:
    """The file of summaries: ``train.target`` for ``train.source``, ``train.tgt`` for ``train.src``."""
    path = file.path
    packing = path.suffix if path.suffix.lower() != file.suffix else ""
    source = path.name.removesuffix(packing)
    suffix = source[-len(file.suffix) :]
    target = source.removesuffix(suffix) + TARGET_SUFFIXES[suffix.lower()] + packing
    return DataFile(path.with_name(target), file.label)


def read_line_files(file: DataFile) -> Iterator[Record]:
    """Yield a record for each pair of lines, with the columns ``document`` and ``summary``.

    Raises:
        DatasetError: There is no file of summaries, it has more or fewer lines, or a file is not UTF-8.
    """
    target = target_of(file)
    with file.open() as documents, target.open() as summaries:
        for number, (document, summary) in enumerate(zip_longest(documents, summaries), start=1):
            if document is None or summary is None:
                shorter, longer = (file, target) if document is None else (target, file)
                raise DatasetError(
                    f"{shorter} ends after line {number - 1:,}, but {longer} goes on",
                    "give both the same number of lines",
                )
            values = {
                "document": decode_line(document, file, number),
                "summary": decode_line(summary, target, number),
            }
            yield Record(values=values, file=str(file), number=number, unit="line", ordinal=number)


_MAX_CELL_CHARACTERS = 2**31 - 1  # the largest value that every platform accepts
_ROWS_AT_ONCE = 64


def read_csv(file: DataFile) -> Iterator[Record]:
    """Yield the rows of a CSV file; if the header has semicolons and no comma, those are the separators.

    Raises:
        DatasetError: The file has no header, or a row is malformed; the message names file and line.
    """
    yield from _read_separated(file, separator=None)


def read_tsv(file: DataFile) -> Iterator[Record]:
    """Yield the rows of a tab-separated file, quoted as in CSV.

    Raises:
        DatasetError: As for :func:`read_csv`.
    """
    yield from _read_separated(file, separator="\t")


def read_parquet(file: DataFile) -> Iterator[Record]:
    """Yield the rows of a Parquet file.

    Raises:
        DatasetError: The file is missing or not Parquet.
        MissingDependency: pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependency(
            f"{file}: Parquet is read by pyarrow, which is not installed", "pip install 'lsum-cli[parquet]'"
        ) from error
    number = 0
    try:
        with file.open() as stream, pyarrow.parquet.ParquetFile(stream) as table:
            for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE):
                for values in batch.to_pylist():
                    number += 1
                    yield Record(values=values, file=str(file), number=number, unit="row", ordinal=number)
    except pyarrow.ArrowException as error:
        place = f"{file}, after row {number:,}" if number else str(file)
        raise DatasetError(f"{place}: unreadable Parquet", "download or write the file again") from error


def _read_separated(file: DataFile, separator: str | None) -> Iterator[Record]:
    # The csv module's limit of 131,072 characters per cell applies to the whole process.
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
                raise DatasetError(f"{file}, line 1: two columns have the same name", "rename one")
            start, ordinal = rows.line_num + 1, 0
            for row in rows:
                if row:
                    ordinal += 1
                    yield _row(header, row, file, start, ordinal)
                start = rows.line_num + 1
        except csv.Error as error:
            raise DatasetError(
                f"{file}, line {start:,}: malformed row: {error}",
                "correct the line; a quotation mark within a cell must be doubled",
            ) from error


def _chain(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _row(header: list[str], row: list[str], file: DataFile, line: int, ordinal: int) -> Record:
    if len(row) != len(header):
        raise DatasetError(
            f"{file}, line {line:,}: {len(row)} cells, but the header names {len(header)} columns",
            "correct the line; a cell that contains the separator needs quotation marks",
        )
    values = dict(zip(header, row, strict=True))
    return Record(values=values, file=str(file), number=line, unit="line", ordinal=ordinal)


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
    """The reader of a file, by its suffix and, where that is ambiguous, by its beginning.

    Raises:
        DatasetError: Its format is not supported.
    """
    if file.suffix in _READERS:
        return _READERS[file.suffix]
    if file.suffix == ".json":
        return read_json_lines if _has_lines(file) else read_json
    if file.suffix in TARGET_SUFFIXES.values():
        raise DatasetError(f"{file} contains summaries only", "give the file with the documents")
    with file.open() as stream:
        head = stream.read(_HEAD_BYTES).lstrip()
    # The first release of arXiv and PubMed calls its JSON Lines .txt.
    if head.startswith(b"{"):
        return read_json_lines
    if file.suffix in FORMATS_BY_SUFFIX:
        raise DatasetError(
            f"{file} is a document, not a data set",
            f"give the folder with {file.path.name} and {file.path.stem}.summary.txt",
        )
    raise DatasetError(f"{file} has an unsupported format", f"supported are {SUPPORTED}")


def try_records(file: DataFile) -> Iterator[Record | BadRecord]:
    """Yield the records of a file, and a bad record for each that cannot be read.

    A line of JSON Lines that is no record costs that line alone; whatever else is wrong ends the file.

    Raises:
        DatasetError: The format of the file is not supported.
        MissingDependency: The package that reads it is not installed.
    """
    reader = reader_of(file)
    number = 0
    try:
        for record in _try_json_lines(file) if reader is read_json_lines else reader(file):
            number = record.number
            yield record
    except DatasetError as error:
        yield BadRecord(error=error, number=number + 1, unit="")


def _has_lines(file: DataFile) -> bool:
    """Whether a file named .json contains one object per line."""
    with file.open() as stream:
        first = next((line for line in stream if line.strip()), b"")
        if not first.lstrip(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            return False
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return False
        return any(line.strip() for line in stream)
