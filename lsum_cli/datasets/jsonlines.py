"""JSON Lines and JSON: records as a stream, or a file read whole."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator

from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.records import Record
from lsum_cli.errors import DatasetError

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
