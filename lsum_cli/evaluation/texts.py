"""Summaries and references from files: a text a line, or records with a column that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.formats import DATA_SUFFIXES, reader_of
from lsum_cli.datasets.jsonlines import decode_line
from lsum_cli.datasets.records import Record
from lsum_cli.errors import DatasetError

# Tried in this order where the user names no column.
PREDICTION_COLUMNS = ("prediction", "summary", "text", "generated", "output", "hypothesis", "candidate")
REFERENCE_COLUMNS = ("reference", "summary", "highlights", "abstract", "target", "text")
_ID_COLUMN = "id"


@dataclass(frozen=True, kw_only=True)
class Text:
    """One summary or reference from a file.

    Attributes:
        text: Line breaks in it end sentences.
        id: What the record calls itself, where it does.
        where: File and place.
    """

    text: str
    id: str | None
    where: str


def read_texts(path: Path, columns: Sequence[str], *, flag: str) -> list[Text]:
    """Read the texts of a file, which may be packed (``.gz``, ``.bz2``, ``.xz``).

    Args:
        path: JSON Lines, JSON, CSV, TSV or Parquet by its suffix; any other holds a text a line, and an
            empty line is an empty text.
        columns: Where the texts may stand, the first that is there; a list in it is joined by line
            breaks.
        flag: What names another column, for messages.

    Raises:
        DatasetError: The file is missing, not UTF-8, or has none of the columns.
    """
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
    """The references as examples without documents, one for each prediction.

    Raises:
        DatasetError: There are more of the ones than of the others, or a reference is empty.
    """
    for prediction, reference in zip_longest(predictions, references):
        if prediction is None or reference is None:
            alone = reference or prediction
            raise DatasetError(
                f"{len(predictions):,} predictions, but {len(references):,} references: the first without"
                f" a partner is {alone.where}",
                "give one prediction per reference, in the same order",
            )
        if not reference.text.strip():
            raise DatasetError(
                f"{reference.where}: the reference is empty", "take the pair out of both files"
            )
    return [
        Example(id=reference.id or str(number), documents=(), reference=reference.text, where=reference.where)
        for number, reference in enumerate(references, start=1)
    ]


def match_texts(predictions: Sequence[Text], examples: Sequence[Example]) -> list[str]:
    """For each example the text that belongs to it: by id where every prediction has one, else by order.

    Raises:
        DatasetError: An example has no prediction, or there are more of the ones than of the others.
    """
    if predictions and all(prediction.id is not None for prediction in predictions):
        by_id = {prediction.id: prediction for prediction in predictions}
        missing = next((example for example in examples if example.id not in by_id), None)
        if missing is None:
            return [by_id[example.id].text for example in examples]
        if any(example.id in by_id for example in examples):
            raise DatasetError(
                f"no prediction has the id {missing.id!r} of {missing.where}",
                "give a prediction for every example, or leave out the ids to go by order",
            )
    if len(predictions) != len(examples):
        longer = predictions if len(predictions) > len(examples) else examples
        raise DatasetError(
            f"{len(predictions):,} predictions, but {len(examples):,} examples with a reference: the first"
            f" without a partner is {longer[min(len(predictions), len(examples))].where}",
            "give one prediction per example, in the same order, or with their ids",
        )
    return [prediction.text for prediction in predictions]


def _from_record(record: Record, columns: Sequence[str], flag: str) -> Text:
    column = next((name for name in columns if name in record.values), None)
    if column is None:
        listed = ", ".join(record.values) or "none"
        raise record.error(
            f"none of the columns {', '.join(columns)}; there are {listed}", f"name one by {flag}"
        )
    value = record.values[column]
    if isinstance(value, list):
        value = "\n".join(map(str, value))
    if value is not None and not isinstance(value, str):
        raise record.error(f"the column {column} holds no text", f"name another by {flag}")
    identity = record.values.get(_ID_COLUMN)
    return Text(
        text=value or "", id=str(identity) if isinstance(identity, str | int) else None, where=record.where
    )
