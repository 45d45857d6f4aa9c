"""Features: examples tokenised once, cached on disk by the content of the data set, memory-mapped.

A store is a folder. For each feature it contains the elements of all examples in a row (``NAME.bin``) and
their shapes (``NAME.shapes.npy``); besides, sizes and ids of the examples, and ``store.json``, which
lists dtypes, counts and the checksum of every file. It is written to a temporary folder and renamed, so
that it is complete or absent.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lsum_cli.datasets.dataset import Dataset, Excluded, Standing
from lsum_cli.datasets.example import Example, ExampleSizes, measure_example
from lsum_cli.errors import DatasetError, OutputError
from lsum_cli.machine.storage import cache_path, hold_lock
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

Array = NDArray[np.generic]
Encoder = Callable[[Example], Mapping[str, Array] | None]


class Encoded(NamedTuple):
    """An encoded example: its features, ``None`` where the encoder gave none, and its sizes."""

    standing: Standing
    features: Mapping[str, Array] | None
    sizes: tuple[int, int, int, int]


def encode_examples(dataset: Dataset, encode: Encoder, processes: int = 1) -> Iterator[Encoded]:
    """Encode all examples of a data set, in its order.

    Args:
        processes: Number of processes that encode; each reads all files and makes examples of its share
            of the records. Where processes cannot be forked, and for 1, this process encodes.

    Raises:
        DatasetError: As iterating does.
    """
    if processes < 2 or not sys.platform.startswith("linux"):
        for example in dataset:
            yield _encode(encode, example)
        return
    yield from dataset.select(_encode_in_processes(dataset, encode, processes))


def _encode(encode: Encoder, example: Example) -> Encoded:
    return Encoded(Standing.of(example), encode(example), measure_example(example))


_Answer = list[tuple[Standing, Encoded]]


def _encode_in_processes(
    dataset: Dataset, encode: Encoder, processes: int
) -> Iterator[tuple[Standing, Encoded]]:
    context = multiprocessing.get_context("fork")
    workers: list[tuple[BaseProcess, Connection]] = []
    try:
        for part in range(processes):
            receiver, sender = context.Pipe(duplex=False)
            worker: BaseProcess = context.Process(
                # No daemon: it may have to start a process that reads documents.
                target=_answer,
                args=(dataset, encode, part, processes, sender),
                daemon=False,
            )
            with warnings.catch_warnings():
                # Python warns of forking beside threads; the workers compute with numpy and tokenizers alone.
                warnings.simplefilter("ignore", DeprecationWarning)
                worker.start()
            # So that a worker that dies leaves the pipe without a writer.
            sender.close()
            workers.append((worker, receiver))
        for _, receiver in cycle(workers):
            try:
                answer: _Answer | Exception | None = receiver.recv()
            except EOFError as error:
                raise DatasetError(
                    f"{dataset.where}: a process that tokenises examples ended unexpectedly",
                    "try fewer processes",
                ) from error
            if answer is None:
                return
            if isinstance(answer, Exception):
                raise answer
            yield from answer
    finally:
        for worker, receiver in workers:
            receiver.close()
            worker.terminate()
            worker.join()


def _answer(dataset: Dataset, encode: Encoder, part: int, processes: int, sender: Connection) -> None:
    """Send the features of every n-th record, then ``None``; or the error that ended it."""
    # The tokenizers' own threads do not survive a fork.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    try:
        for load in islice(dataset.read(), part, None, processes):
            sender.send([_encode_admitted(dataset, encode, example) for example in load()])
        sender.send(None)
    except (BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:
        sender.send(error)


def _encode_admitted(dataset: Dataset, encode: Encoder, example: Example) -> tuple[Standing, Encoded]:
    standing = Standing.of(example)
    if dataset.admits(standing):
        return standing, _encode(encode, example)
    return standing, Encoded(standing, None, (0, 0, 0, 0))


_VERSION = 1
_DESCRIPTION = "store.json"
_CHUNK_BYTES = 1 << 22


def cached_features(
    dataset: Dataset,
    encode: Encoder,
    fingerprint: str,
    folder: Path | None = None,
    progress: ProgressListener = ignore_progress,
    *,
    processes: int = 1,
) -> FeatureStore:
    """The features of all examples: from the cache, or encoded now and cached.

    If several processes ask for the same features, one encodes and the others wait.

    Args:
        dataset: The data set, streamed: only one example is in memory at a time.
        encode: Returns the features of an example, or ``None`` where nothing can be learnt from it.
            All examples have the same features, of the same dtypes and numbers of dimensions.
        fingerprint: Identifies everything besides the example that ``encode`` depends on.
        folder: Folder of the stores; ``None`` for the user's cache, which ``LSUM_HOME`` moves.
        processes: Number of processes that encode; the result is the same for any number.

    Raises:
        DatasetError: A record cannot be read, or no example could be encoded.
        OutputError: The cache cannot be written.
    """
    folder = default_folder() if folder is None else folder
    parts = [_VERSION, dataset.fingerprint, fingerprint]
    path = folder / hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
    with _reporting_output(folder):
        lock = hold_lock(
            folder / f"{path.name}.lock", "waiting for another lsum process that tokenises this", progress
        )
    with lock:
        return _open_or_build(path, dataset, encode, progress, processes)


def default_folder() -> Path:
    """The default folder of the stores."""
    return cache_path("features")


class FeatureStore:
    """The features of encoded examples, mapped from disk; :func:`cached_features` makes it.

    It is pickled as the path of its folder, so that worker processes map the same files.

    Attributes:
        path: Its folder.
        rebuilt: Why an existing store had to be rebuilt; ``None`` if it was intact.
        name: Name of the data set.
        excluded: Number of records left out.
        not_encoded: Number of examples for which the encoder gave no features.
        features: The names of the features.
        ids: The ids of the examples.
        sizes: Sizes and hashes of the examples.
    """

    def __init__(self, path: Path, *, rebuilt: str | None = None) -> None:
        self.path = path
        self.rebuilt = rebuilt
        description = json.loads((path / _DESCRIPTION).read_text(encoding="utf-8"))
        self.name: str = description["name"]
        self.excluded = Excluded(**description["excluded"])
        self.not_encoded: int = description["not_encoded"]
        self.ids: tuple[str, ...] = tuple(json.loads((path / "ids.json").read_text(encoding="utf-8")))
        self.sizes = ExampleSizes.of(np.load(path / "measures.npy"))
        self._columns = {
            name: _Column.open(path, name, np.dtype(dtype)) for name, dtype in description["features"].items()
        }

    def __reduce__(self) -> tuple[object, ...]:
        return FeatureStore, (self.path,)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> dict[str, NDArray[Any]]:
        """The features of one example, as copies that may be modified."""
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return {name: column.read(index % len(self)) for name, column in self._columns.items()}

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        return (self[index] for index in range(len(self)))

    def lengths(self, name: str) -> NDArray[np.int64]:
        """Number of elements of a feature in each example, shape ``(examples,)``, for grouping by length."""
        return np.diff(self._columns[name].starts)

    def column(self, name: str) -> NDArray[Any]:
        """A feature that is one number per example, for all examples, shape ``(examples,)``."""
        column = self._columns[name]
        if len(column.data) != len(self) or not (self.lengths(name) == 1).all():
            raise ValueError(f"{name} is not one number per example")
        return np.array(column.data)


@dataclass(frozen=True, eq=False)
class _Column:
    """One feature: elements in a row, the start of each example, shapes ``(examples, dimensions)``."""

    data: NDArray[Any]
    starts: NDArray[np.int64]
    shapes: NDArray[np.int64]

    @classmethod
    def open(cls, path: Path, name: str, dtype: np.dtype[Any]) -> _Column:
        shapes = np.load(path / f"{name}.shapes.npy")
        starts = np.concatenate(([0], np.cumsum(shapes.prod(axis=1)))).astype(np.int64)
        # An empty file cannot be mapped.
        data = np.memmap(path / f"{name}.bin", dtype, "r") if starts[-1] else np.empty(0, dtype)
        return cls(data, starts, shapes)

    def read(self, index: int) -> NDArray[Any]:
        return np.array(self.data[self.starts[index] : self.starts[index + 1]]).reshape(self.shapes[index])


def _open_or_build(
    path: Path, dataset: Dataset, encode: Encoder, progress: ProgressListener, processes: int
) -> FeatureStore:
    damage = None
    if path.exists():
        damage = _find_damage(path)
        if damage is None:
            return FeatureStore(path)
    partial = path.with_name(f".{path.name}.partial")
    with _reporting_output(path.parent):
        for leftover in (partial, path):
            if leftover.exists():
                shutil.rmtree(leftover)
        partial.mkdir()
    try:
        with _Writer(partial) as writer:
            for number, encoded in enumerate(encode_examples(dataset, encode, processes), start=1):
                with _reporting_output(path.parent):
                    writer.add(encoded)
                progress(ProgressEvent(stage="encoding", done=number, unit="examples"))
            if not writer.ids:
                raise DatasetError(
                    f"{dataset.where}: none of its {writer.not_encoded:,} examples can be used for training",
                    "check the contents of its columns",
                )
            with _reporting_output(path.parent):
                writer.finish(dataset)
                partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return FeatureStore(path, rebuilt=damage)


class _Writer:
    """Writes a store, an example at a time."""

    def __init__(self, path: Path) -> None:
        self.ids: list[str] = []
        self.not_encoded = 0
        self._path = path
        self._files = ExitStack()
        self._streams: dict[str, BinaryIO] = {}
        self._dtypes: dict[str, np.dtype[Any]] = {}
        self._shapes: dict[str, list[tuple[int, ...]]] = {}
        self._sizes: list[tuple[int, int, int, int]] = []

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *exception: object) -> None:
        # Buffered data is written now, which fails if the disk is full.
        with _reporting_output(self._path.parent):
            self._files.close()

    def add(self, encoded: Encoded) -> None:
        """Append the features of an example."""
        features, where = encoded.features, encoded.standing.where
        if features is None:
            self.not_encoded += 1
            return
        if not self._streams:
            for name, array in features.items():
                stream = self._files.enter_context((self._path / f"{name}.bin").open("wb"))
                self._streams[name], self._dtypes[name], self._shapes[name] = stream, array.dtype, []
        if features.keys() != self._streams.keys():
            raise ValueError(f"{where}: features {sorted(features)}, not {sorted(self._streams)}")
        for name, array in features.items():
            shapes = self._shapes[name]
            if array.dtype != self._dtypes[name] or (shapes and len(shapes[0]) != array.ndim):
                raise ValueError(f"{where}: {name} has another dtype or number of dimensions")
            shapes.append(array.shape)
            self._streams[name].write(np.ascontiguousarray(array).data)
        self.ids.append(encoded.standing.id)
        self._sizes.append(encoded.sizes)

    def finish(self, dataset: Dataset) -> None:
        """Write the remaining files, the description last."""
        self._files.close()
        for name, shapes in self._shapes.items():
            np.save(self._path / f"{name}.shapes.npy", np.array(shapes, np.int64).reshape(len(shapes), -1))
        np.save(self._path / "measures.npy", np.array(self._sizes, np.int64))
        (self._path / "ids.json").write_text(json.dumps(self.ids), encoding="utf-8")
        description = {
            "version": _VERSION,
            "name": dataset.name,
            "fingerprint": dataset.fingerprint,
            "excluded": asdict(dataset.excluded),
            "not_encoded": self.not_encoded,
            "features": {name: dtype.str for name, dtype in self._dtypes.items()},
            "checksums": {file.name: _checksum(file) for file in sorted(self._path.iterdir())},
        }
        (self._path / _DESCRIPTION).write_text(json.dumps(description, indent=1), encoding="utf-8")


def _find_damage(path: Path) -> str | None:
    """What is wrong with a store; ``None`` if it is intact."""
    try:
        description = json.loads((path / _DESCRIPTION).read_text(encoding="utf-8"))
        for name, checksum in description["checksums"].items():
            if _checksum(path / name) != checksum:
                return f"{name} was changed"
    except OSError as error:
        return f"{Path(error.filename or path).name} cannot be read"
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"{_DESCRIPTION} is damaged"
    return None


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            checksum = zlib.crc32(chunk, checksum)
    return checksum


@contextmanager
def _reporting_output(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"tokenised examples cannot be cached in {folder}: {error.strerror or error}",
            "make room or make it writable, or move the cache with LSUM_HOME",
        ) from error
