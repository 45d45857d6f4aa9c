"""The checks of ``lsum doctor`` on the store and on every installed checkpoint."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lsum_cli.checkpoints.int8 import describe_int8
from lsum_cli.checkpoints.manifest import Manifest, verify_hashes
from lsum_cli.checkpoints.store import InstalledCheckpoint, list_installed, store_path
from lsum_cli.errors import CheckpointError, first_line
from lsum_cli.machine.checks import Check, CheckStatus
from lsum_cli.machine.processor import processor_class
from lsum_cli.progress import ProgressListener, ignore_progress


def check_installed(
    progress: ProgressListener = ignore_progress, *, recommend: Callable[[], object]
) -> Iterator[Check]:
    """Check the store, then every checkpoint, packaged ones included.

    Args:
        recommend: Says what to pull, for those who have nothing installed.
    """
    yield _check_store()
    yield from _check_checkpoints(progress, recommend)


def _check_store() -> Check:
    path = store_path()
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    try:
        size = sum(each.size for each in list_installed() if not each.is_packaged)
        free = shutil.disk_usage(existing).free
        writable = existing.is_dir() and _can_write(existing)
    except (OSError, CheckpointError) as error:
        return Check(
            name="store",
            status=CheckStatus.WARNING,
            detail=f"{path}: {first_line(error)}",
            advice="make it readable, or move it with LSUM_HOME",
        )
    detail = f"{path}, {_gigabytes(size)} used, {_gigabytes(free)} free"
    if not writable:
        return Check(
            name="store",
            status=CheckStatus.WARNING,
            detail=f"{detail}; read-only, so that nothing can be pulled",
            advice="make it writable, or move it with LSUM_HOME",
        )
    return Check(name="store", status=CheckStatus.OK, detail=detail)


def _check_checkpoints(progress: ProgressListener, recommend: Callable[[], object]) -> Iterator[Check]:
    try:
        installed = list_installed()
    except CheckpointError as error:
        yield Check.of_error("checkpoints", error)
        return
    if all(each.is_packaged for each in installed) and not _is_default(installed):
        yield Check(
            name="checkpoints",
            status=CheckStatus.WARNING,
            detail=f"none is installed{_but(installed)}: by default, summaries are extracted from the source",
            advice=_ways_to_a_model(installed, recommend()),
        )
    for checkpoint in installed:
        yield _check_checkpoint(checkpoint, progress)


def _is_default(packaged: Sequence[InstalledCheckpoint]) -> bool:
    return any(each.manifest is not None and each.manifest.beats_extraction for each in packaged)


def _but(packaged: Sequence[InstalledCheckpoint]) -> str:
    return (
        f" except the packaged {packaged[0].name}, which is only used if it is asked for" if packaged else ""
    )


def _ways_to_a_model(packaged: Sequence[InstalledCheckpoint], recommended: object) -> str:
    pull = f"run: {recommended}; lsum models list shows others"
    return f"{pull}; or give -m {packaged[0].name}" if packaged else pull


def _check_checkpoint(checkpoint: InstalledCheckpoint, progress: ProgressListener) -> Check:
    name = f"checkpoint {checkpoint.name}"
    try:
        if checkpoint.problem is not None:
            raise checkpoint.problem
        assert checkpoint.manifest is not None  # else there is a problem
        verify_hashes(checkpoint.path, checkpoint.manifest, progress)
    except CheckpointError as error:
        return Check.of_error(name, error)
    except OSError as error:
        return Check(name=name, status=CheckStatus.WARNING, detail=first_line(error), advice="pull it again")
    manifest = checkpoint.manifest
    locality = f", {manifest.locality.value}" if manifest.locality else ""
    packaged = ", packaged" if checkpoint.is_packaged else ""
    return Check(
        name=name,
        status=CheckStatus.OK,
        detail=f"verified, {manifest.method.value}{locality}, {_gigabytes(checkpoint.size)}{packaged}"
        + _int8(manifest),
    )


def _int8(manifest: Manifest) -> str:
    """What is known of integers, if they were compared."""
    if manifest.int8 is None:
        return ""
    try:
        said = describe_int8(manifest, processor_class())
    except ImportError:  # a broken torch is told in a check of its own
        said = describe_int8(manifest)
    return "" if said is None else f"; int8: {said}"


def _can_write(folder: Path) -> bool:
    if not os.access(folder, os.W_OK):
        return False
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:,.2f} GB" if size >= 5e6 else f"{size / 1e3:,.0f} kB"
