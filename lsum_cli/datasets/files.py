"""The files of a data set: found, decompressed while they are read, hashed."""

from __future__ import annotations

import bz2
import glob
import gzip
import hashlib
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsum_cli.errors import DatasetError, MissingDependency
from lsum_cli.machine.network import configure_network
from lsum_cli.machine.storage import cache_path, hold_lock
from lsum_cli.progress import ignore_progress
from lsum_cli.reading.sources import natural_order


def _open_zstd(packed: BinaryIO, _mode: str) -> io.BufferedReader:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingDependency(
            ".zst is decompressed by pyarrow, which is not installed",
            "pip install 'lsum-cli[parquet]', or decompress the file (zstd -d)",
        ) from error
    return io.BufferedReader(pyarrow.input_stream(packed, compression="zstd"))


_COMPRESSED: dict[str, Callable[..., Any]] = {
    ".xz": lzma.open,
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".zst": _open_zstd,
}
# Compression formats that nothing here reads, with the command that the message suggests.
_UNREADABLE = {".zip": "unzip", ".7z": "7z x", ".tar": "tar -xf", ".rar": "unrar x"}
_WILDCARDS = "*?["

_PREFIX = "hub:"
_FORM = f"{_PREFIX}OWNER/NAME[@REVISION][/CONFIGURATION]:SPLIT"
_WORD = r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*"
_NAME = re.compile(
    rf"{_PREFIX}(?P<repo>{_WORD}/{_WORD})(?:@(?P<revision>{_WORD}))?"
    rf"(?:/(?P<configuration>{_WORD}))?:(?P<split>{_WORD})"
)


@dataclass(frozen=True)
class DataFile:
    """A file that records are read from.

    Attributes:
        path: Its path; a suffix ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` means that it is compressed.
        label: A short name, unique within the data set, that begins the ids of its records.
    """

    path: Path
    label: str

    def __str__(self) -> str:
        return str(self.path)

    @property
    def suffix(self) -> str:
        """The suffix of the format in lower case, without that of the compression."""
        return unpacked_path(self.path).suffix.lower()

    @cached_property
    def sha256(self) -> str:
        """Hash of the bytes on disk."""
        with self._reporting(), self._open_packed() as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The decompressed bytes, as a stream.

        Raises:
            DatasetError: The file is missing, unreadable, damaged, or compressed in an unsupported format.
        """
        packing = self.path.suffix.lower()
        if packing in _UNREADABLE:
            raise DatasetError(
                f"{self} is compressed as {packing}, which is not supported",
                f"decompress it ({_UNREADABLE[packing]}), or compress it with gzip or xz",
            )
        opener = _COMPRESSED.get(packing)
        with self._reporting(), self._open_packed() as packed:
            if opener is None:
                yield cast(BinaryIO, packed)
                return
            with opener(packed, "rb") as file:
                yield cast(BinaryIO, file)

    @property
    def num_bytes(self) -> int | None:
        """Its size on disk; ``None`` where that is unknown."""
        try:
            return self.path.stat().st_size
        except OSError:
            return None

    def _open_packed(self) -> io.BufferedReader:
        """The bytes on disk, as a stream."""
        return self.path.open("rb")

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise DatasetError(f"{self} does not exist", "check the path") from None
        except PermissionError:
            raise DatasetError(f"{self} cannot be read: permission denied", "check its permissions") from None
        except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
            raise self._damaged() from error
        except OSError as error:
            if error.errno is None and self.path.suffix.lower() in _COMPRESSED:  # pyarrow's, of the content
                raise self._damaged() from error
            reason = error.strerror or str(error)
            raise DatasetError(f"{self} cannot be read: {reason}", "check the path") from error

    def _damaged(self) -> DatasetError:
        return DatasetError(f"{self} is damaged: it cannot be decompressed", "download it again")


def expand_paths(paths: Sequence[str | Path]) -> tuple[Path, ...]:
    """Replace patterns (``data/train-*.jsonl``) with the files they match, in natural order.

    A data set of the hub, ``hub:OWNER/NAME:SPLIT``, becomes the file that is kept of it.

    Raises:
        DatasetError: A path does not exist, or a pattern matches nothing.
    """
    found: list[Path] = []
    for path in paths:
        if not str(path):
            raise DatasetError("the name of a data file is empty", "check the variable it comes from")
        if str(path).startswith(_PREFIX):
            found.append(_fetch_named(str(path)))
            continue
        if Path(path).exists() or not any(mark in str(path) for mark in _WILDCARDS):
            found.append(Path(path))
            continue
        matches = glob.glob(str(path), recursive=True)  # noqa: PTH207 - absolute patterns too
        if not matches:
            raise DatasetError(f"nothing matches {path}", "check the pattern")
        found += sorted(map(Path, matches), key=natural_order)
    for path in found:
        if not path.exists():
            raise DatasetError(f"{path} does not exist", "check the path")
    return tuple(found)


def unpacked_path(path: Path) -> Path:
    """``path`` without the suffix of its compression: ``train.jsonl`` for ``train.jsonl.xz``."""
    return path.with_suffix("") if path.suffix.lower() in _COMPRESSED else path


def label_files(paths: Sequence[Path]) -> tuple[DataFile, ...]:
    """Files with labels: their names without suffixes, or whole paths where two have the same name."""
    stems = [unpacked_path(path).stem for path in paths]
    labels = stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
    return tuple(DataFile(path, label) for path, label in zip(paths, labels, strict=True))


def _fetch_named(name: str) -> Path:
    """The Parquet file of a split of a data set; fetched if it is not kept from an earlier time.

    What was fetched without a revision stays as it was then; its file is named by what was asked for.

    Args:
        name: ``hub:OWNER/NAME[@REVISION][/CONFIGURATION]:SPLIT``.

    Raises:
        DatasetError: It is not such a name, there is no such data set, or it cannot be fetched.
        MissingDependency: The library is not installed.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise DatasetError(f"'{name}' does not name a data set of the hub", f"write it as {_FORM}")
    parts = [match["repo"].replace("/", "--"), match["configuration"], match["revision"], match["split"]]
    file = cache_path("data") / f"{'.'.join(filter(None, parts))}.parquet"
    if file.is_file():
        return file
    if configure_network(offline=False):
        raise DatasetError(f"{name} is not on this machine, and nothing is fetched offline", "go online")
    try:
        import datasets
    except ImportError as error:
        raise MissingDependency(
            f"{name} is fetched by datasets, which is not installed",
            "install it: pip install 'lsum-cli[datasets]'",
        ) from error
    try:
        with hold_lock(
            file.with_suffix(".lock"), "waiting for another lsum that fetches this", ignore_progress
        ):
            _fetch(datasets, match, file)
    except OSError as error:
        reason = error.strerror or str(error).partition("\n")[0]
        raise DatasetError(f"{name} cannot be fetched: {reason}", "check network and disk") from error
    return file


def _fetch(datasets: Any, match: re.Match[str], file: Path) -> None:
    if file.is_file():
        return  # by the process that held the lock
    draft = file.with_name(f".{file.name}.part")
    datasets.disable_progress_bars()
    try:
        rows = datasets.load_dataset(
            match["repo"], match["configuration"], split=match["split"], revision=match["revision"]
        )
    except OSError:
        raise
    except Exception as error:
        # The library has an error of its own for each thing that can be wrong with a repository.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise DatasetError(
            f"{match[0]} cannot be read: {reason}", "check name, configuration, split and revision"
        ) from error
    try:
        rows.to_parquet(str(draft))
        draft.replace(file)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
