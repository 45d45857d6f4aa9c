"""From a record to an example."""

from __future__ import annotations

from lsum_cli.datasets.composition import compose_documents, compose_reference
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.layouts.layout import Layout
from lsum_cli.datasets.layouts.recognition import recognise
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.datasets.records import Record


def compose_example(record: Record, file: DataFile, options: DatasetOptions) -> Example:
    """Make a record an example, as its layout and the options say.

    Raises:
        DatasetError: A column is missing or holds no text.
    """
    layout = recognise(record, options)
    return Example(
        id=_id(record, layout, file),
        documents=compose_documents(record, layout, options),
        reference=compose_reference(record, layout),
        where=record.where,
    )


def _id(record: Record, layout: Layout, file: DataFile) -> str:
    value = record.values.get(layout.id) if layout.id else None
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return f"{file.label}-{record.number}" if record.unit else file.label
