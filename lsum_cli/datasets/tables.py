"""CSV, TSV and Parquet: records as the rows of a table, streamed."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.jsonlines import decode_line
from lsum_cli.datasets.records import Record
from lsum_cli.errors import DatasetError, MissingDependency

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
