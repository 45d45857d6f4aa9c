"""Locks between processes that use one cache: one works, the others wait and say so."""

from __future__ import annotations

import errno
from contextlib import AbstractContextManager
from pathlib import Path

from lsum_cli.progress import ProgressEvent, ProgressListener

_SECONDS_BETWEEN_TRIES = 0.2


def hold_lock(file: Path, waiting: str, progress: ProgressListener) -> AbstractContextManager[object]:
    """Be the only process that holds a lock, until the value returned is left as a context.

    A process that ends in whatever way gives its locks back; the empty file stays.

    Args:
        file: The lock; its folder is made if need be.
        waiting: What to say, once, where another process holds it.
        progress: Hears it, and that the waiting goes on.

    Raises:
        OSError: The disk refuses, or its file system knows no locks.
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
            raise OSError(errno.ENOLCK, "the file system knows no locks", str(file)) from error
