"""Where lsum keeps files on this machine, and locks between the processes that use them."""

from __future__ import annotations

import datetime
import errno
import json
import os
import platform
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import platformdirs

from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.version import __version__

_SECONDS_BETWEEN_TRIES = 0.2


def cache_path(name: str) -> Path:
    """A folder for weights or results; ``LSUM_HOME`` moves it.

    Args:
        name: Name of the folder, for example ``"checkpoints"``.
    """
    home = os.environ.get("LSUM_HOME")
    return (Path(home).expanduser() if home else platformdirs.user_cache_path("lsum")) / name


def is_first_time_today(what: str) -> bool:
    """Whether something happens for the first time on this day and machine, which is remembered.

    Where it cannot be remembered, it counts as having happened.

    Args:
        what: Its name, a file name.
    """
    file = cache_path("happened") / what
    today = datetime.date.today()
    try:
        if file.exists() and datetime.date.fromtimestamp(file.stat().st_mtime) == today:
            return False
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    except OSError:
        return False
    return True


def cached_text(folder: str, key: object, make: Callable[[], str]) -> str:
    """A text that was made before for this key and program, or is made now and kept.

    Of several processes that want the same text one makes it. Where nothing can be written, it is made anew.

    Args:
        folder: Name of the folder, as of :func:`cache_path`.
        key: What the text depends on, of plain values.
    """
    import hashlib

    digest = hashlib.sha256(json.dumps([__version__, key], sort_keys=True, default=str).encode())
    file = cache_path(folder) / digest.hexdigest()[:32]
    try:
        waiting = "waiting for another lsum process that makes this"
        lock = hold_lock(file.with_name(f"{file.name}.lock"), waiting, ignore_progress)
    except OSError:
        return make()
    with lock:
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, ValueError):
            made = make()
        with suppress(OSError):
            draft = file.with_name(f".{file.name}.part")
            draft.write_text(made, encoding="utf-8")
            draft.replace(file)
        return made


def hold_lock(file: Path, waiting: str, progress: ProgressListener) -> AbstractContextManager[object]:
    """Be the only process that holds a lock, until the value returned is left as a context.

    However a process ends, its locks are released; the empty file stays.

    Args:
        file: The lock; its folder is made if need be.
        waiting: The message, given once, if another process holds the lock.
        progress: Receives this message, and events while waiting.

    Raises:
        OSError: The disk refuses, or its file system has no locks.
    """
    import filelock

    file.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(file)
    timeout = 0.0
    while True:
        try:
            return lock.acquire(timeout=timeout)
        except filelock.Timeout:
            if not timeout:
                progress(ProgressEvent(stage=waiting, done=0, remark=waiting))
            timeout = _SECONDS_BETWEEN_TRIES
            progress(ProgressEvent(stage=waiting, done=0))
        except NotImplementedError as error:
            raise OSError(errno.ENOLCK, "the file system has no locks", str(file)) from error


_CLAIM_NAME, _HOLDER_NAME = ".lsum.lock", ".lsum.holder.json"
CLAIM_FILES = frozenset({_CLAIM_NAME, _HOLDER_NAME})


@dataclass(frozen=True, kw_only=True)
class Holder:
    """The process that uses a folder for itself.

    Attributes:
        process: Its number; ``None`` if it has not said so yet.
        host: The machine it runs on.
        since: When it took the folder, local time.
    """

    process: int | None = None
    host: str = ""
    since: str = ""

    def __str__(self) -> str:
        if self.process is None:
            return "another process"
        return f"process {self.process} on {self.host} since {self.since}"


class FolderInUse(Exception):
    """Another process has claimed the folder."""

    def __init__(self, holder: Holder) -> None:
        super().__init__(f"in use by {holder}")
        self.holder = holder


class FolderClaim:
    """A claim to an existing folder; the operating system gives it up with the process, however that ends.

    Args:
        folder: The folder; two files in it, :data:`CLAIM_FILES`, stand for the claim.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock: Any = None

    def take(self) -> None:
        """Claim the folder, if this claim does not hold it already.

        Raises:
            FolderInUse: Another process has.
            OSError: The folder cannot be written.
        """
        if self._lock is not None:
            return
        import filelock

        lock = filelock.FileLock(self._folder / _CLAIM_NAME)
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            raise FolderInUse(_read_holder(self._folder)) from None
        except NotImplementedError:
            return  # a file system without locks
        self._lock = lock
        now = f"{datetime.datetime.now():%Y-%m-%d %H:%M}"
        holder = Holder(process=os.getpid(), host=platform.node(), since=now)
        (self._folder / _HOLDER_NAME).write_text(json.dumps(asdict(holder)), encoding="utf-8")

    def close(self) -> None:
        """Give the folder up, and leave nothing in it."""
        if self._lock is None:
            return
        with suppress(OSError):
            (self._folder / _HOLDER_NAME).unlink(missing_ok=True)
            (self._folder / _CLAIM_NAME).unlink(missing_ok=True)
        self._lock.release()
        self._lock = None


def find_holder(folder: Path) -> Holder | None:
    """The process that has claimed a folder; ``None`` if it is free, whatever a dead process left there."""
    import filelock

    if not (folder / _CLAIM_NAME).is_file():
        return None
    try:
        with filelock.FileLock(folder / _CLAIM_NAME).acquire(timeout=0):
            return None
    except filelock.Timeout:
        return _read_holder(folder)
    except (OSError, NotImplementedError):
        return None


def _read_holder(folder: Path) -> Holder:
    try:
        return Holder(**json.loads((folder / _HOLDER_NAME).read_bytes()))
    except (OSError, ValueError, TypeError):
        return Holder()


def link_or_copy(source: Path, target: Path) -> None:
    """Hard-link a file, or copy it if the disk or system does not support links."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
