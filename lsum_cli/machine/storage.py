"""Where lsum keeps files on this machine, and locks between the processes that use them."""

from __future__ import annotations

import datetime
import errno
import os
from contextlib import AbstractContextManager
from pathlib import Path

import platformdirs

from lsum_cli.progress import ProgressEvent, ProgressListener

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
