"""From a record to its examples."""

from __future__ import annotations

from collections.abc import Iterator

from lsum_cli.datasets.composition import compose_documents, compose_references
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.layouts.layout import Layout
from lsum_cli.datasets.layouts.recognition import recognise
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.datasets.records import Record


def compose_examples(record: Record, file: DataFile, options: DatasetOptions) -> Iterator[Example]:
    """Make a record an example, as its layout and the options say; one for each of several summaries.

    Raises:
        DatasetError: A column is missing or holds no text.
    """
    layout = recognise(record, options)
    documents = compose_documents(record, layout, options)
    references = compose_references(record, layout)
    for number, reference in enumerate(references, start=1):
        yield Example(
            id=_id(record, layout, file) + (f"-{number}" if len(references) > 1 else ""),
            documents=documents,
            reference=reference,
            where=record.where,
        )


def _id(record: Record, layout: Layout, file: DataFile) -> str:
    value = record.values.get(layout.id) if layout.id else None
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return f"{file.label}-{record.number}" if record.unit else file.label
