"""Two files side by side, a document a line and its summary on the same line of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.jsonlines import decode_line
from lsum_cli.datasets.records import Record
from lsum_cli.errors import DatasetError

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
