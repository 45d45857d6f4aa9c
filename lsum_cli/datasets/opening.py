"""The way in: files, patterns and folders become a :class:`~lsum_cli.datasets.dataset.Dataset`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lsum_cli.datasets.dataset import Dataset, RecordLoader
from lsum_cli.datasets.examples import compose_examples
from lsum_cli.datasets.files import DataFile, expand_paths, label_files, unpacked_path
from lsum_cli.datasets.formats import DATA_SUFFIXES, reader_of
from lsum_cli.datasets.linefiles import TARGET_SUFFIXES, target_of
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.datasets.pairs import Pair, files_of, find_pairs, no_pairs, read_pair
from lsum_cli.errors import DatasetError
from lsum_cli.reading.sources import files_below

_SPLIT = re.compile(r"(?<![^\W_])(?:train|valid|validation|val|dev|test)(?![^\W\d_])", re.IGNORECASE)


def open_dataset(path: str | Path | Sequence[str | Path], options: DatasetOptions | None = None) -> Dataset:
    """Open a data set; nothing is read yet but the names of files.

    Args:
        path: A file, a folder, a pattern (``train-*.parquet``), or several of them, which become one
            data set in the order given. A folder holds data files, or documents with their summaries.
        options: Which columns hold what; ``None`` for the defaults.

    Raises:
        DatasetError: Something does not exist, is given twice, or is of no format that can be read.
    """
    options = options or DatasetOptions()
    given = [path] if isinstance(path, str | Path) else list(path)
    found = expand_paths(given)
    parts = [_open_part(entry, options, prefix=f"{entry.name}/" if len(found) > 1 else "") for entry in found]
    labelled = iter(label_files([file for part in parts for file in part.data_files]))
    readers = [(part, tuple(next(labelled) for _ in part.data_files)) for part in parts]

    def read() -> Iterator[RecordLoader]:
        for part, data_files in readers:
            for file in data_files:
                for record in reader_of(file)(file):
                    yield partial(compose_examples, record, file, options)
            for pair in part.pairs:
                yield partial(read_pair, pair, options, part.prefix)

    files = tuple(file for part, data_files in readers for file in _all_files(part, data_files))
    _refuse_twice(files)
    first = unpacked_path(found[0]).stem or str(found[0])
    return Dataset(
        name=first + (f" and {len(found) - 1} more" if len(found) > 1 else ""),
        where=", ".join(map(str, given)),
        files=files,
        options=options,
        read=read,
    )


@dataclass(frozen=True, kw_only=True)
class _Part:
    """What one path stands for: data files, or pairs of documents and summaries."""

    data_files: tuple[Path, ...] = ()
    pairs: tuple[Pair, ...] = ()
    prefix: str = ""


def _open_part(path: Path, options: DatasetOptions, *, prefix: str) -> _Part:
    if not path.is_dir():
        return _Part(data_files=(path,))
    files = files_below(path)
    pairs = find_pairs(path, files, needs_reference=options.needs_reference) or ()
    data_files = tuple(file for file in files if DataFile(file, "").suffix in DATA_SUFFIXES)
    if any(pair.summary for pair in pairs) or (pairs and not data_files):
        return _Part(pairs=pairs, prefix=prefix)
    if not data_files:
        raise no_pairs(path)
    splits = {match.group().lower() for file in data_files if (match := _SPLIT.search(file.stem))}
    if len(splits) > 1:
        raise DatasetError(
            f"{path} holds several splits: {', '.join(sorted(splits))}", "give the files of one, or a pattern"
        )
    return _Part(data_files=data_files)


def _all_files(part: _Part, data_files: tuple[DataFile, ...]) -> Iterator[DataFile]:
    """Everything that the examples of a part depend on."""
    for file in data_files:
        yield file
        if file.suffix in TARGET_SUFFIXES:
            yield target_of(file)
    yield from files_of(part.pairs)


def _refuse_twice(files: Sequence[DataFile]) -> None:
    """A file may be given by its name and by a pattern or folder too: its examples would count double."""
    seen: set[Path] = set()
    for file in files:
        place = file.path.resolve()
        if place in seen:
            raise DatasetError(f"{file} is given twice", "give every file once")
        seen.add(place)
