"""Predictions and references from files: one text per line, or records with a column of texts."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.formats import DATA_SUFFIXES, Record, decode_line, reader_of
from lsum_cli.errors import DatasetError

# Tried in this order if the user names no column.
PREDICTION_COLUMNS = ("prediction", "summary", "text", "generated", "output", "hypothesis", "candidate")
REFERENCE_COLUMNS = ("reference", "summary", "highlights", "abstract", "target", "text")
_ID_COLUMN = "id"
# Half a character, which JSON can hold and no file of text.
_HALF = re.compile("[\ud800-\udfff]")
# The files of a batch, in the order of its input.
BATCH_PARTS = "part-*"


@dataclass(frozen=True, kw_only=True)
class Text:
    """One summary or reference from a file.

    Attributes:
        text: The text; line breaks in it end sentences.
        id: Id of the record, if it has one.
        where: File and place.
    """

    text: str
    id: str | None
    where: str


def read_texts(path: Path, columns: Sequence[str], *, flag: str) -> list[Text]:
    """Read the texts of a file, which may be compressed (``.gz``, ``.bz2``, ``.xz``).

    Args:
        path: JSON Lines, JSON, CSV, TSV or Parquet by its suffix; any other file has one text per line,
            where an empty line is an empty text. Of a folder that ``lsum batch`` wrote, all parts are read.
        columns: Candidate columns, of which the first present is read; a list is joined by line breaks.
        flag: The flag that names another column, for messages.

    Raises:
        DatasetError: The file is missing, not UTF-8, or has none of the columns.
    """
    if path.is_dir():
        parts = sorted(path.glob(BATCH_PARTS))
        if not parts:
            raise DatasetError(
                f"{path} is a folder without {BATCH_PARTS}, as lsum batch writes them", "give a file"
            )
        return [text for part in parts for text in read_texts(part, columns, flag=flag)]
    file = DataFile(path, path.name)
    if file.suffix in DATA_SUFFIXES:
        return [_from_record(record, columns, flag) for record in reader_of(file)(file)]
    with file.open() as stream:
        return [
            Text(
                text=decode_line(line, file, number).strip("\r\n"), id=None, where=f"{file}, line {number:,}"
            )
            for number, line in enumerate(stream, start=1)
        ]


def pair_texts(predictions: Sequence[Text], references: Sequence[Text]) -> list[Example]:
    """The references as examples without documents, one per prediction.

    Raises:
        DatasetError: The numbers differ, all references are empty, or both have the same ids in different
            order.
    """
    _check_order(predictions, references)
    for prediction, reference in zip_longest(predictions, references):
        if prediction is None or reference is None:
            alone = reference or prediction
            raise DatasetError(
                f"{_count(len(predictions), 'prediction')}, but {_count(len(references), 'reference')}: the"
                f" first without a counterpart is {alone.where}",
                "give one prediction per reference, in the same order",
            )
    if references and not any(reference.text.strip() for reference in references):
        raise DatasetError(f"all references are empty, from {references[0].where} on", "give another file")
    return [
        Example(id=reference.id or str(number), documents=(), reference=reference.text, where=reference.where)
        for number, reference in enumerate(references, start=1)
    ]


def match_texts(
    predictions: Sequence[Text], examples: Sequence[Example], *, limit: int | None = None
) -> list[str]:
    """The prediction for each example: matched by id if every prediction has one, else by order.

    Args:
        limit: The requested number of examples; with a limit, predictions may be left over.

    Raises:
        DatasetError: An example has no prediction, or the numbers differ.
    """
    if predictions and all(prediction.id is not None for prediction in predictions):
        by_id = {prediction.id: prediction for prediction in predictions}
        missing = next((example for example in examples if example.id not in by_id), None)
        if missing is None:
            _check_ids(predictions, {example.id for example in examples}, is_limited=limit is not None)
            return [by_id[example.id].text for example in examples]
        if any(example.id in by_id for example in examples):
            raise DatasetError(
                f"no prediction has the id {missing.id!r} of {missing.where}",
                "give a prediction for every example, or leave out the ids to match by order",
            )
    predictions = predictions[:limit]
    if len(predictions) != len(examples):
        longer = predictions if len(predictions) > len(examples) else examples
        alone = longer[min(len(predictions), len(examples))]
        raise DatasetError(
            f"{_count(len(predictions), 'prediction')}, but {_count(len(examples), 'example')} with a"
            f" reference: the first without a counterpart is {alone.where}",
            "give one prediction per example, in the same order, or with their ids",
        )
    return [prediction.text for prediction in predictions]


def _check_ids(predictions: Sequence[Text], wanted: Collection[str], *, is_limited: bool) -> None:
    """Check that no prediction would be lost: ids are unique, and each belongs to an example."""
    seen: set[str | None] = set()
    for prediction in predictions:
        if prediction.id in seen:
            raise DatasetError(
                f"{prediction.where}: another prediction also has the id {prediction.id!r}",
                "give one prediction per example",
            )
        if prediction.id not in wanted and not is_limited:
            raise DatasetError(
                f"{prediction.where}: no example with a reference has the id {prediction.id!r}",
                "remove the prediction, or give --limit to score only some",
            )
        seen.add(prediction.id)


def _check_order(predictions: Sequence[Text], references: Sequence[Text]) -> None:
    """Check that texts matched by order do not have the same ids in a different order."""
    if {prediction.id for prediction in predictions} != {reference.id for reference in references}:
        return
    for prediction, reference in zip(predictions, references, strict=False):
        if prediction.id != reference.id:
            raise DatasetError(
                f"{prediction.where} has the id {prediction.id!r}, but {reference.where} has"
                f" {reference.id!r}",
                "put both files in the same order, or give the references with --data",
            )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _from_record(record: Record, columns: Sequence[str], flag: str) -> Text:
    column = next((name for name in columns if name in record.values), None)
    if column is None:
        listed = ", ".join(record.values) or "none"
        raise record.error(
            f"none of the columns {', '.join(columns)} found; there are {listed}", f"name one with {flag}"
        )
    value = record.values[column]
    if isinstance(value, list):
        value = "\n".join(map(str, value))
    if value is not None and not isinstance(value, str):
        raise record.error(f"the column {column} contains no text", f"name another with {flag}")
    identity = record.values.get(_ID_COLUMN)
    return Text(
        text=_HALF.sub("\ufffd", value or ""),
        id=str(identity) if isinstance(identity, str | int) else None,
        where=record.where,
    )
