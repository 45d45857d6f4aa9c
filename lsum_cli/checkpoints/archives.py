"""A checkpoint as one file, for machines without a network."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from lsum_cli.checkpoints.importing import check_free, check_loading
from lsum_cli.checkpoints.manifest import (
    MAX_MANIFEST_BYTES,
    FileRecord,
    Manifest,
    parse_manifest,
    verify_hashes,
)
from lsum_cli.checkpoints.saving import (
    check_disk_space,
    draft_of,
    finish_draft,
    locked,
    reporting_disk_errors,
)
from lsum_cli.checkpoints.store import InstalledCheckpoint, find_installed, inspect_folder, not_installed
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import CheckpointError, OutputError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

_CHUNK = 1 << 22
_AGAIN = "export it again"
_EXPORT = "give a .tar written by lsum models export"


def export_archive(
    name: str, target: Path, *, overwrite: bool = False, progress: ProgressListener = ignore_progress
) -> Manifest:
    """Write a checkpoint to a tar file, its manifest first.

    Args:
        name: The name of an installed checkpoint, or a folder that has a manifest, such as a finished run's.

    Raises:
        CheckpointError: It is not installed, or not intact.
        OutputError: The file exists or cannot be written.
    """
    installed = find_complete(name)
    manifest = installed.manifest
    assert manifest is not None
    _check_target(target, overwrite=overwrite)
    verify_hashes(installed.path, manifest, progress)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with tarfile.open(draft, "w", format=tarfile.PAX_FORMAT) as archive:
            _add(archive, MANIFEST_NAME, installed.path / MANIFEST_NAME)
            for number, file in enumerate(manifest.files, start=1):
                _add(archive, file.name, installed.path / file.name)
                progress(ProgressEvent(stage="writing", done=number, total=len(manifest.files), unit="files"))
        draft.replace(target)
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror}", "give another file") from error
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def find_complete(name: str) -> InstalledCheckpoint:
    """A checkpoint whose manifest lists its files, by its name or its folder.

    Raises:
        CheckpointError: There is none, or it is not intact.
    """
    folder = Path(name).expanduser()
    installed = find_installed(name)
    if installed is None and folder.is_dir():
        if not (folder / MANIFEST_NAME).is_file():
            raise CheckpointError(
                f"{name} holds no finished checkpoint: there is no {MANIFEST_NAME}",
                "let its run finish, or import its weights first: lsum models import NAME FOLDER",
            )
        installed = inspect_folder(folder.absolute())
    if installed is None:
        raise not_installed(name, offline=False)
    if installed.problem is not None or installed.manifest is None:
        raise installed.problem or not_installed(name, offline=False)
    if not installed.manifest.files:
        raise CheckpointError(
            f"the manifest in {name} lists no files: it is a checkpoint of a run in progress",
            f"import it first: lsum models import NAME {name}",
        )
    return installed


def _check_target(target: Path, *, overwrite: bool) -> None:
    """Check that a file may be written there: nothing is replaced but a file, and that only when asked.

    Raises:
        OutputError: It may not.
    """
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return  # its folder may be missing, which writing will say
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror}", "give another file") from error
    if stat.S_ISLNK(mode):
        raise OutputError(f"{target} is a link", "name the file that it leads to, or another one")
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise OutputError(f"{target} is {kind}", "give the name of a file, such as model.tar")
    if not overwrite:
        raise OutputError(f"{target} exists already", "give --overwrite to replace it, or another name")


def import_archive(
    source: Path,
    name: str | None = None,
    *,
    overwrite: bool = False,
    progress: ProgressListener = ignore_progress,
) -> Manifest:
    """Install a checkpoint from a tar file, which is treated as untrusted.

    Only regular files that the manifest lists are extracted, up to the listed size, and only if
    their hashes match.

    Args:
        source: An archive written by :func:`export_archive`.
        name: The name to install it under; ``None`` for its own.

    Raises:
        CheckpointError: It is damaged, or contains anything else.
    """
    with _opened(source) as archive:
        members = iter(archive)
        manifest = _read_manifest(archive, members, source)
        if name is not None:
            manifest = dataclasses.replace(manifest, name=name)
        check_free(manifest.name, overwrite=overwrite)
        with locked(manifest.name, progress) as path, reporting_disk_errors(path.parent):
            check_free(manifest.name, overwrite=overwrite)
            check_disk_space(path.parent, manifest.size)
            with draft_of(path) as draft:
                _unpack(archive, members, manifest, draft, source, progress)
                check_loading(draft, progress)
                return finish_draft(draft, path, manifest, progress, known=manifest.files)


def _add(archive: tarfile.TarFile, name: str, path: Path) -> None:
    """Add a file without its owner, group and permissions."""
    information = tarfile.TarInfo(name)
    information.size = path.stat().st_size
    information.mtime = int(path.stat().st_mtime)
    information.mode = 0o644
    with path.open("rb") as stream:
        archive.addfile(information, stream)


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        # "r:" opens only uncompressed archives, so that extraction never writes more bytes than it reads.
        with tarfile.open(source, "r:") as archive:
            yield archive
    except tarfile.TarError as error:
        raise CheckpointError(
            f"{source} is not an archive of a checkpoint, or is damaged", _EXPORT
        ) from error
    except FileNotFoundError as error:
        raise CheckpointError(f"there is no file {source}", "check the path") from error


def _read_manifest(archive: tarfile.TarFile, members: Iterator[tarfile.TarInfo], source: Path) -> Manifest:
    first = next(members, None)
    if first is None or first.name != MANIFEST_NAME or not first.isreg() or first.size > MAX_MANIFEST_BYTES:
        raise CheckpointError(f"{source} is not an archive of a checkpoint: it has no manifest", _EXPORT)
    content = io.BytesIO()
    _copy(_stream(archive, first), content, first.size, hashlib.sha256())
    return parse_manifest(content.getvalue(), str(source))


def _unpack(
    archive: tarfile.TarFile,
    members: Iterator[tarfile.TarInfo],
    manifest: Manifest,
    draft: Path,
    source: Path,
    progress: ProgressListener,
) -> None:
    missing = {file.name: file for file in manifest.files}
    for member in members:
        record = missing.pop(member.name, None)
        if record is None or not member.isreg():
            raise CheckpointError(
                f"{source} contains {member.name!r}, {_complaint(member, manifest)}",
                "do not use this archive",
            )
        _unpack_file(archive, member, record, draft, source)
        done = len(manifest.files) - len(missing)
        progress(ProgressEvent(stage="unpacking", done=done, total=len(manifest.files), unit="files"))
    if missing:
        raise CheckpointError(f"{source} lacks {', '.join(list(missing)[:3])}", _AGAIN)


def _unpack_file(
    archive: tarfile.TarFile, member: tarfile.TarInfo, record: FileRecord, draft: Path, source: Path
) -> None:
    if member.size != record.size:
        raise CheckpointError(
            f"{member.name} in {source} has {member.size:,} bytes, its manifest says {record.size:,}", _AGAIN
        )
    digest = hashlib.sha256()
    with (draft / record.name).open("xb") as target:
        _copy(_stream(archive, member), target, record.size, digest)
    if digest.hexdigest() != record.sha256:
        raise CheckpointError(f"{member.name} in {source} is damaged: SHA-256 differs", _AGAIN)


def _complaint(member: tarfile.TarInfo, manifest: Manifest) -> str:
    if not member.isreg():
        return "which is not a regular file"
    if member.name in {file.name for file in manifest.files}:
        return "a second time"
    return "which its manifest does not list"


def _stream(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    stream = archive.extractfile(member)
    assert stream is not None  # extractfile opens every regular file
    return stream


def _copy(source: IO[bytes], target: IO[bytes], size: int, digest: hashlib._Hash) -> None:
    left = size
    while left:
        chunk = source.read(min(left, _CHUNK))
        if not chunk:
            raise tarfile.ReadError("unexpected end of data")
        target.write(chunk)
        digest.update(chunk)
        left -= len(chunk)
