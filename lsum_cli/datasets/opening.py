"""The way in: files, patterns and folders become a :class:`~lsum_cli.datasets.dataset.Dataset`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lsum_cli.datasets.dataset import Dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.examples import compose_example
from lsum_cli.datasets.files import expand_paths, label_files
from lsum_cli.datasets.jsonlines import read_json_lines
from lsum_cli.datasets.options import DatasetOptions


def open_dataset(path: str | Path | Sequence[str | Path], options: DatasetOptions | None = None) -> Dataset:
    """Open a data set; nothing is read yet but the names of files.

    Args:
        path: A file, a folder, a pattern (``train-*.parquet``), or several of them, which become one
            data set in the order given.
        options: Which columns hold what; ``None`` for the defaults.

    Raises:
        DatasetError: Something does not exist, or is of no format that can be read.
    """
    options = options or DatasetOptions()
    given = [path] if isinstance(path, str | Path) else list(path)
    files = label_files(expand_paths(given))

    def read() -> Iterator[Example]:
        for file in files:
            for record in read_json_lines(file):
                yield compose_example(record, file, options)

    return Dataset(
        name=files[0].label + (f" and {len(files) - 1} more" if len(files) > 1 else ""),
        where=", ".join(map(str, given)),
        files=files,
        options=options,
        read=read,
    )
