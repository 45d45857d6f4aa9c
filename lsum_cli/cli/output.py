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
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already", "give --overwrite to replace it, or another --output")
    if not path.parent.is_dir():
        raise OutputError(f"the folder {path.parent} does not exist", "create it or give another --output")
    if not os.access(path.parent, os.W_OK):
        raise OutputError(f"the folder {path.parent} cannot be written to", "give another --output")


def write_output(path: Path, text: str, *, overwrite: bool) -> None:
    """Write ``text`` to ``path`` as UTF-8, atomically.

    Raises:
        OutputError: As :func:`check_output`, or the disk refuses.
    """
    check_output(path, overwrite=overwrite)
    draft: str | None = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="replace", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            draft = file.name
            file.write(text)
        Path(draft).chmod(0o666 & ~_umask())
        Path(draft).replace(path)
    except OSError as error:
        if draft is not None:
            Path(draft).unlink(missing_ok=True)
        raise OutputError(f"cannot write {path}: {error.strerror}", "give another --output") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
