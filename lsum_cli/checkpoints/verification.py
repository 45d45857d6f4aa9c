"""Whether the files of a checkpoint are what its manifest says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from lsum_cli.checkpoints.manifest import MANIFEST_NAME, FileRecord, Manifest
from lsum_cli.errors import CheckpointError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

_CHUNK = 1 << 22
_AGAIN = "pull or import it again with --overwrite, or reinstall lsum if it came with it"


def record_files(
    folder: Path, progress: ProgressListener = ignore_progress, *, known: Iterable[FileRecord] = ()
) -> tuple[FileRecord, ...]:
    """Measure and hash every file of a folder but the manifest, in the order of their names.

    Args:
        known: Files whose hashes were found right while they were written; not hashed again.
    """
    records = {file.name: file for file in known}
    names = sorted(p.name for p in folder.iterdir() if p.name != MANIFEST_NAME and p.is_file())
    unknown = [folder / name for name in names if name not in records]
    for path, sha256 in zip(unknown, _hash_all(unknown, "hashing", progress), strict=True):
        records[path.name] = FileRecord(name=path.name, size=path.stat().st_size, sha256=sha256)
    return tuple(records[name] for name in names)


def verify_sizes(folder: Path, manifest: Manifest) -> None:
    """Check that every file is there and of its size; quick enough for every load.

    Raises:
        CheckpointError: One is missing or has another size.
    """
    for file in manifest.files:
        try:
            size = (folder / file.name).stat().st_size
        except OSError as error:
            raise CheckpointError(
                f"{manifest.name} lacks its file {file.name} in {folder}", _AGAIN
            ) from error
        if size != file.size:
            raise CheckpointError(
                f"{folder / file.name} has {size:,} bytes instead of {file.size:,}: it is damaged", _AGAIN
            )


def verify_hashes(folder: Path, manifest: Manifest, progress: ProgressListener = ignore_progress) -> None:
    """Check that every file is byte for byte what it was.

    Raises:
        CheckpointError: One is missing or differs.
    """
    verify_sizes(folder, manifest)
    hashes = _hash_all([folder / file.name for file in manifest.files], "verifying", progress)
    for file, sha256 in zip(manifest.files, hashes, strict=True):
        if sha256 != file.sha256:
            raise CheckpointError(
                f"{folder / file.name} is not what its manifest says: SHA-256 differs", _AGAIN
            )


def hash_file(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    return _hash_all([path], "hashing", ignore_progress)[0]


def _hash_all(paths: Iterable[Path], stage: str, progress: ProgressListener) -> list[str]:
    paths = list(paths)
    total = sum(path.stat().st_size for path in paths)
    done, hashes = 0, []
    for path in paths:
        digest = hashlib.sha256()
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                done += len(chunk)
                progress(ProgressEvent(stage=stage, done=done >> 20, total=total >> 20, unit="MiB"))
        hashes.append(digest.hexdigest())
    return hashes
