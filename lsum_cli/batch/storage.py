"""Where a batch is kept: a folder of this machine or one that machines share, or object storage."""

from __future__ import annotations

import errno
import fnmatch
import hashlib
import io
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from lsum_cli.datasets.files import DataFile
from lsum_cli.errors import DatasetError, MissingDependency, OutputError
from lsum_cli.machine.storage import cache_path

MANIFEST_NAME = "batch.json"
"""What a batch says of itself, in its folder."""
SCHEMA = "lsum.batch/1"
WORKING_NAME = ".lsum-batch"
"""A hidden folder for what is not complete."""

_READ_AHEAD = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Storage(Protocol):
    """A place for files that are written whole or not at all.

    Every method raises :class:`OutputError` where the place refuses.
    """

    @property
    def working(self) -> Path:
        """A folder of this machine for what is not complete."""

    def make(self) -> None:
        """Make the place, if need be."""

    def names(self) -> list[str]:
        """The names of its files and folders, without the working folder."""

    def read(self, name: str) -> bytes | None:
        """The content of a file; ``None`` where there is none of this name."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file, in place of one of the same name."""

    def remove(self, name: str) -> None:
        """Remove a file."""


def open_storage(place: str) -> Storage:
    """The place that a path or an address, such as ``s3://bucket/folder``, names.

    Raises:
        MissingDependency: What reaches the address is not installed.
        OutputError: Nothing here knows such addresses.
    """
    return RemoteStorage(place.rstrip("/")) if "://" in place else LocalStorage(Path(place))


def is_batch_folder(folder: Path) -> bool:
    """Whether a batch has been written to a folder."""
    with suppress(OSError, ValueError):
        content = json.loads((folder / MANIFEST_NAME).read_bytes())
        return isinstance(content, dict) and content.get("schema") == SCHEMA
    return False


@dataclass(frozen=True)
class LocalStorage:
    """A folder of a file system."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def working(self) -> Path:
        """See :class:`Storage`."""
        return self.path / WORKING_NAME

    def make(self) -> None:
        """See :class:`Storage`."""
        with reporting_storage_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        """See :class:`Storage`."""
        with reporting_storage_errors(self.path):
            return sorted(file.name for file in self.path.iterdir() if file.name != WORKING_NAME)

    def read(self, name: str) -> bytes | None:
        """See :class:`Storage`."""
        with reporting_storage_errors(self.path / name), suppress(FileNotFoundError):
            return (self.path / name).read_bytes()
        return None

    def write(self, name: str, content: bytes) -> None:
        """See :class:`Storage`."""
        # No other process writes to a draft of this name, on no machine.
        draft = self.working / f"{name}.{secrets.token_hex(8)}"
        with reporting_storage_errors(self.path / name):
            self.working.mkdir(exist_ok=True)
            try:
                with draft.open("wb") as stream:
                    stream.write(content)
                    stream.flush()
                    os.fsync(stream.fileno())
                draft.replace(self.path / name)
            except OSError:
                draft.unlink(missing_ok=True)
                raise

    def remove(self, name: str) -> None:
        """See :class:`Storage`."""
        with reporting_storage_errors(self.path / name):
            (self.path / name).unlink(missing_ok=True)


@dataclass(frozen=True)
class RemoteStorage:
    """A folder of object storage, or of any file system that pyarrow or fsspec reaches.

    Attributes:
        address: ``"s3://bucket/folder"``, ``"gs://…"``, ``"hdfs://…"``.
    """

    address: str

    def __str__(self) -> str:
        return self.address

    @property
    def working(self) -> Path:
        """See :class:`Storage`; one for each address, among the caches of this machine."""
        return cache_path("batches") / hashlib.sha256(self.address.encode()).hexdigest()[:16]

    def make(self) -> None:
        """See :class:`Storage`."""
        filesystem, folder = self._open()
        with reporting_storage_errors(self.address):
            filesystem.create_dir(folder, recursive=True)

    def names(self) -> list[str]:
        """See :class:`Storage`."""
        from pyarrow.fs import FileSelector

        filesystem, folder = self._open()
        with reporting_storage_errors(self.address):
            found = filesystem.get_file_info(FileSelector(folder, allow_not_found=True))
        return sorted(each.base_name for each in found if each.base_name != WORKING_NAME)

    def read(self, name: str) -> bytes | None:
        """See :class:`Storage`."""
        filesystem, folder = self._open()
        with reporting_storage_errors(f"{self.address}/{name}"), suppress(FileNotFoundError):
            with filesystem.open_input_stream(f"{folder}/{name}", compression=None) as stream:
                content: bytes = stream.read()
            return content
        return None

    def write(self, name: str, content: bytes) -> None:
        """See :class:`Storage`."""
        filesystem, folder = self._open()
        draft = f"{folder}/{WORKING_NAME}/{name}.{secrets.token_hex(8)}"
        with reporting_storage_errors(f"{self.address}/{name}"):
            if filesystem.type_name in ("s3", "gcs", "abfs"):
                # An object is there when it is complete, and not before.
                _put(filesystem, f"{folder}/{name}", content)
                return
            filesystem.create_dir(str(PurePosixPath(draft).parent), recursive=True)
            _put(filesystem, draft, content)
            filesystem.move(draft, f"{folder}/{name}")

    def remove(self, name: str) -> None:
        """See :class:`Storage`."""
        filesystem, folder = self._open()
        with reporting_storage_errors(f"{self.address}/{name}"):
            filesystem.delete_file(f"{folder}/{name}")

    def tidy(self) -> None:
        """Remove the drafts of writers that were ended."""
        filesystem, folder = self._open()
        with reporting_storage_errors(self.address), suppress(FileNotFoundError):
            filesystem.delete_dir(f"{folder}/{WORKING_NAME}")

    def _open(self) -> tuple[Any, str]:
        return open_address(self.address)


def _put(filesystem: Any, path: str, content: bytes) -> None:
    with filesystem.open_output_stream(path, compression=None) as stream:
        stream.write(content)


@dataclass(frozen=True)
class RemoteFile(DataFile):
    """A data file at an address that pyarrow or fsspec reaches.

    Attributes:
        address: Its address; the path is that of its name alone.
    """

    address: str

    def __str__(self) -> str:
        return self.address

    @property
    def num_bytes(self) -> int | None:
        """See :class:`~lsum_cli.datasets.files.DataFile`."""
        filesystem, path = open_address(self.address)
        size: int | None = filesystem.get_file_info(path).size
        return size

    def _open_packed(self) -> io.BufferedReader:
        filesystem, path = open_address(self.address)
        return io.BufferedReader(filesystem.open_input_file(path), _READ_AHEAD)


def find_files(address: str) -> list[str]:
    """The addresses of the files that an address names: itself, those below a folder, or of a pattern.

    Raises:
        DatasetError: There is nothing, or nothing here knows such addresses.
        MissingDependency: What reaches it is not installed.
    """
    scheme, _, rest = address.partition("://")
    fixed = rest[: min((rest.find(mark) for mark in "*?[" if mark in rest), default=len(rest))]
    base = rest.rstrip("/") if fixed == rest else fixed.rpartition("/")[0]
    try:
        filesystem, path = open_address(f"{scheme}://{base}")
    except OutputError as error:
        raise DatasetError(error.what, error.next_step) from error
    from pyarrow.fs import FileSelector, FileType

    prefix = len(path)
    try:
        info = filesystem.get_file_info(path)
        if info.type == FileType.File and fixed == rest:
            return [address]
        listed = filesystem.get_file_info(FileSelector(path, recursive=True, allow_not_found=True))
    except OSError as error:
        raise DatasetError(f"{address} cannot be read: {error}", "check the address") from error
    files = [f"{scheme}://{base}{each.path[prefix:]}" for each in listed if each.type == FileType.File]
    if fixed != rest:
        files = [each for each in files if fnmatch.fnmatchcase(each, address)]
    if not files:
        raise DatasetError(f"nothing is at {address}", "check the address")
    return sorted(files)


def open_address(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it.

    Raises:
        MissingDependency: What reaches it is not installed.
        OutputError: Nothing here knows such addresses.
    """
    try:
        import pyarrow
        import pyarrow.fs
    except ImportError as error:
        raise MissingDependency(
            f"{address} is reached by pyarrow, which is not installed", "pip install 'lsum-cli[parquet]'"
        ) from error
    try:
        filesystem, path = pyarrow.fs.FileSystem.from_uri(address)
        return filesystem, path
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
        pass  # it does not know the scheme; fsspec knows more
    except OSError as error:
        raise OutputError(f"{address} cannot be reached: {error}", "check the address") from error
    import fsspec

    try:
        filesystem, path = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise OutputError(f"{address} cannot be reached: {error}", "check the address") from error
    return pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(filesystem)), path


@contextmanager
def reporting_storage_errors(place: object) -> Iterator[None]:
    """Say what a disk or a storage refuses.

    Raises:
        OutputError: In place of an ``OSError``.
    """
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        reason = error.strerror or " ".join(str(error).split())
        if error.errno in _FULL:
            raise OutputError(
                f"{place} cannot be written: {reason}; what is done is kept",
                "free some space, and run the same command again",
            ) from error
        raise OutputError(f"{place} cannot be written: {reason}", "give another --output") from error
