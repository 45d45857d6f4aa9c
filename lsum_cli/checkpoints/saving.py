"""Writing a checkpoint to disk: completely or not at all, even if it is interrupted."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lsum_cli.checkpoints.cards import CARD_NAME, write_card
from lsum_cli.checkpoints.loading import quiet_transformers
from lsum_cli.checkpoints.manifest import (
    FileRecord,
    Int8Record,
    Manifest,
    read_config,
    read_manifest,
    record_files,
    verify_sizes,
)
from lsum_cli.checkpoints.store import checkpoint_path, store_path
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import CheckpointError, OptionError, OutputError
from lsum_cli.machine.storage import hold_lock, link_or_copy
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.records import decode, encode
from lsum_cli.summaries import OptionValue

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

LOCKS = ".locks"
DOWNLOADS = ".downloads"
_DRAFT = ".draft-"
_REPLACED = ".replaced-"
_REMOVED = ".removed-"
_DOWNLOADS_KEPT_SECONDS = 30 * 24 * 3600
_CONFIG_NAME = "config.json"
# Other sizes would need other weights; the architecture cannot be chosen.
_FIXED_SETTINGS = frozenset({"model_type", "architectures", "vocab_size", "transformers_version", "dtype"})


@contextmanager
def locked(name: str, progress: ProgressListener = ignore_progress) -> Iterator[Path]:
    """Lock a checkpoint against other processes that install or remove it, waiting for one that holds it.

    Args:
        name: Name of the checkpoint.
        progress: Receives an event when waiting for another process.

    Yields:
        The checkpoint's folder, which may not exist yet.

    Raises:
        OutputError: The store cannot be written.
    """
    path = checkpoint_path(name)
    with reporting_disk_errors(store_path()):
        lock = hold_lock(
            store_path() / LOCKS / f"{path.name}.lock",
            f"waiting for another lsum that installs {name}",
            progress,
        )
    with lock:
        with reporting_disk_errors(store_path()):
            _clean_up(path.name)
        yield path


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """A temporary folder beside ``path``, on the same disk; deleted at the end unless it was installed."""
    with reporting_disk_errors(path.parent):
        draft = Path(tempfile.mkdtemp(prefix=f"{_DRAFT}{path.name}.", dir=path.parent))
        draft.chmod(0o755)
    try:
        with reporting_disk_errors(path.parent):
            yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def finish_draft(
    draft: Path,
    path: Path,
    manifest: Manifest,
    progress: ProgressListener = ignore_progress,
    *,
    known: Iterable[FileRecord] = (),
) -> Manifest:
    """Record the files of a draft, flush them to the disk, and move the draft to its place.

    Args:
        draft: A folder from :func:`draft_of`, with all files.
        path: The final folder; if it exists it is replaced.
        manifest: Manifest of the checkpoint; its files are recorded here.
        known: Files whose hashes were verified while they were written.

    Returns:
        The manifest as written.
    """
    manifest = manifest.with_files(record_files(draft, progress, known=known))
    with reporting_disk_errors(path.parent):
        (draft / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
        verify_sizes(draft, manifest)
        for file in draft.iterdir():
            file.chmod(0o644)  # safetensors makes files readable only by their owner
            _synchronise(file)
        _synchronise(draft)
        if path.exists():
            replaced = path.with_name(f"{_REPLACED}{path.name}")
            shutil.rmtree(replaced, ignore_errors=True)
            path.rename(replaced)
            draft.rename(path)
            shutil.rmtree(replaced, ignore_errors=True)
        else:
            draft.rename(path)
        _synchronise(path.parent)
    return manifest


def record_int8(name: str, record: Int8Record, progress: ProgressListener = ignore_progress) -> Manifest:
    """Write into the manifest of an installed checkpoint how it compares in integers.

    What earlier records say of other processors is kept if they found the same.

    Raises:
        CheckpointError: It is not installed any more, or damaged.
        OutputError: The store cannot be written.
    """
    with locked(name, progress) as path:
        manifest = read_manifest(path)
        old = manifest.int8
        found = (record.agreement, record.divergence, record.tokens, record.sample)
        if old is not None and (old.agreement, old.divergence, old.tokens, old.sample) == found:
            record = dataclasses.replace(record, speed={**old.speed, **record.speed})
        manifest = dataclasses.replace(manifest, int8=record)
        with reporting_disk_errors(path):
            fresh = path / f".{MANIFEST_NAME}"
            fresh.write_text(manifest.to_json(), encoding="utf-8")
            fresh.chmod(0o644)
            _synchronise(fresh)
            fresh.replace(path / MANIFEST_NAME)
    return manifest


@contextmanager
def reporting_disk_errors(folder: Path) -> Iterator[None]:
    """Turn a disk error into a one-line error.

    Raises:
        OutputError: The disk is full, read-only, or cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise disk_error(error, folder) from error


def disk_error(error: OSError, folder: Path) -> OutputError:
    """The message for a disk error, in the store or in another folder for checkpoints."""
    elsewhere = "move the store with LSUM_HOME" if folder == store_path() else "give another --output"
    if is_full(error):
        return OutputError(f"the disk of {folder} is full", f"make room, or {elsewhere}")
    return OutputError(
        f"{error.filename or folder} cannot be written: {error.strerror or error}",
        f"make it writable, or {elsewhere}",
    )


def is_full(error: OSError) -> bool:
    """Whether an error says that a disk, or someone's share of it, is full."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_disk_space(folder: Path, size: int) -> None:
    """Check before a long download whether the disk has room for it.

    Raises:
        OutputError: It cannot.
    """
    free = shutil.disk_usage(folder).free
    if free < size:
        raise OutputError(
            f"the disk of {folder} is full: {size / 1e6:,.0f} MB are needed, {free / 1e6:,.0f} MB are free",
            "make room, or move the store with LSUM_HOME",
        )


def _clean_up(held: str) -> None:
    """Remove drafts left behind by crashed processes; those of running processes are locked and remain.

    Args:
        held: Folder name of the checkpoint that this process has locked itself.
    """
    for path in list(store_path().iterdir()):
        if path.name.startswith(_REMOVED):
            shutil.rmtree(path, ignore_errors=True)
            continue
        if path.name.startswith(_DRAFT):
            name = path.name.removeprefix(_DRAFT).rpartition(".")[0]
        elif path.name.startswith(_REPLACED):
            name = path.name.removeprefix(_REPLACED)
        else:
            continue
        with _lock_if_idle(name, held) as idle:
            if not idle:
                continue
            if path.name.startswith(_REPLACED) and not path.with_name(name).exists():
                path.rename(path.with_name(name))
            else:
                shutil.rmtree(path, ignore_errors=True)
    _forget_abandoned_downloads(store_path() / DOWNLOADS)


def _forget_abandoned_downloads(downloads: Path) -> None:
    """Remove downloads that have not been touched for a month."""
    with suppress(FileNotFoundError):
        for folder in list(downloads.iterdir()):
            status = [path.stat() for path in (folder, *folder.glob("*"))]
            # A downloader may set the modification time to the server's.
            newest = max(max(each.st_mtime, each.st_ctime) for each in status)
            if time.time() - newest > _DOWNLOADS_KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _lock_if_idle(name: str, held: str) -> Iterator[bool]:
    """Whether no other process works on the checkpoint, which is locked inside the context."""
    import filelock

    if name == held:
        yield True
        return
    lock = filelock.FileLock(store_path() / LOCKS / f"{name}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def _synchronise(path: Path) -> None:
    """Flush a file or folder to the disk, if the system supports it."""
    if path.is_dir() and os.name == "nt":
        return
    with suppress(PermissionError):
        descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def save_checkpoint(
    folder: Path,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    manifest: Manifest,
    more: Mapping[str, bytes] = MappingProxyType({}),
) -> Manifest:
    """Write configuration, weights, tokenizer, card and manifest to a folder.

    An existing ``folder`` is replaced, but only once everything is written.

    Args:
        folder: Folder of the checkpoint; its parent is created.
        manifest: Its manifest; the files are recorded here.
        more: Further files by name; ``README.md`` replaces the generated card.

    Returns:
        The manifest as written.

    Raises:
        OutputError: The disk cannot be written.
    """
    from safetensors import SafetensorError

    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with draft_of(folder) as draft:
        with quiet_transformers():
            try:
                model.save_pretrained(draft, max_shard_size="1TB")
            except SafetensorError as error:
                raise OSError(str(error)) from error
            tokenizer.save_pretrained(draft)
        (draft / CARD_NAME).write_text(write_card(manifest), encoding="utf-8")
        for name, content in more.items():
            (draft / name).write_bytes(content)
        return finish_draft(draft, folder, manifest)


def derive_checkpoint(folder: Path, changes: Mapping[str, OptionValue], target: Path) -> Path:
    """Make a copy of a checkpoint with some settings changed; weights and tokenizer are linked, not copied.

    Settings that are also in the manifest are changed in both. The caller must judge whether the weights
    are meaningful with settings they were not trained with.

    Args:
        folder: A checkpoint in the store's format or that of ``transformers``.
        changes: New values for settings of its ``config.json``, of the same types.
        target: The folder to create; must not exist.

    Raises:
        OptionError: There is no such setting, or the value is of another type.
        CheckpointError: The configuration is damaged.
    """
    config = read_config(folder)
    for name, value in changes.items():
        _check_setting(name, value, config, folder)
    target.mkdir(parents=True)
    for path in folder.iterdir():
        if path.is_file() and path.name not in (_CONFIG_NAME, MANIFEST_NAME):
            _link(path.resolve(), target / path.name)
    (target / _CONFIG_NAME).write_text(json.dumps(config | dict(changes), indent=2), encoding="utf-8")
    if (folder / MANIFEST_NAME).is_file():
        manifest = _changed_manifest(read_manifest(folder), changes)
        # Only the configuration file has changed.
        known = [file for file in manifest.files if file.name != _CONFIG_NAME]
        manifest = manifest.with_files(record_files(target, known=known))
        (target / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
    return target


def parse_setting(text: str, name: str, folder: Path) -> OptionValue:
    """Parse a value as the type that the setting has in a checkpoint's configuration.

    Raises:
        OptionError: There is no such setting, or the text is not a valid value for it.
        CheckpointError: The configuration is damaged.
    """
    config = read_config(folder)
    value: OptionValue = text
    if not isinstance(config.get(name), str):
        try:
            value = json.loads(text.lower() if text.lower() in ("true", "false") else text)
        except ValueError:
            value = text
    _check_setting(name, value, config, folder)
    return value


def _check_setting(name: str, value: OptionValue, config: Mapping[str, object], folder: Path) -> None:
    if name not in config or name in _FIXED_SETTINGS or isinstance(config[name], list | dict):
        own = [
            key
            for key, held in config.items()
            if key not in _FIXED_SETTINGS and not isinstance(held, list | dict)
        ]
        raise OptionError(
            f"the checkpoint in {folder} has no setting '{name}' that can be changed",
            f"choose one of {', '.join(sorted(own))}",
        )
    held = config[name]
    fits = isinstance(value, float | int) if isinstance(held, float) else type(value) is type(held)
    if held is not None and not (fits and not (isinstance(value, bool) and not isinstance(held, bool))):
        raise OptionError(
            f"'{value}' is not a valid value for {name}, which is {held!r} in the checkpoint",
            f"give a value of type {type(held).__name__}",
        )


def _changed_manifest(manifest: Manifest, changes: Mapping[str, OptionValue]) -> Manifest:
    stated = {field.name for field in dataclasses.fields(manifest)} & changes.keys()
    try:
        return decode(Manifest, encode(manifest) | {name: changes[name] for name in stated})
    except ValueError as error:
        raise CheckpointError(
            f"{manifest.name} cannot be used with these settings: {error}", "give other values"
        ) from error


def _link(source: Path, target: Path) -> None:
    try:
        target.symlink_to(source)
    except OSError:  # no links here
        link_or_copy(source, target)
