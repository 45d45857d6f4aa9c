"""Writing results to files: whole or not at all, and never over something unasked."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lsum_cli.errors import OutputError


def check_output(path: Path, *, overwrite: bool) -> None:
    """Find out before any work is done whether ``path`` can be written.

    Raises:
        OutputError: It exists and may not be overwritten, or its folder does not exist.
    """
    if _is_device(path):
        return
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already", "give --overwrite to replace it, or another --output")
    if not path.parent.is_dir():
        raise OutputError(f"the folder {path.parent} does not exist", "create it or give another --output")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"the folder {path.parent} cannot be written to", "give another --output")


def write_output(path: Path, content: str | bytes, *, overwrite: bool) -> None:
    """Write to ``path``, text as UTF-8: a file atomically, through links; a device or pipe as it comes.

    Raises:
        OutputError: As :func:`check_output`, or the disk refuses.
    """
    check_output(path, overwrite=overwrite)
    try:
        if _is_device(path):
            path.write_bytes(_encode(content))
        else:
            _replace(path.resolve(), content)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another --output") from error


def _is_device(path: Path) -> bool:
    """Whether it is a terminal, a pipe, ``/dev/null`` and the like, which must not become a file."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _encode(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def _replace(path: Path, content: str | bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".lsum-")
    draft = Path(name)
    try:
        os.close(descriptor)
        draft.write_bytes(_encode(content))
        draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
