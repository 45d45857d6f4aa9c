"""Taking a source in as bytes: from a file, from standard input, with limits that hold before memory does."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.media import MediaType
from lsum_cli.reading.options import MIB, RawSource, ReadOptions
from lsum_cli.reading.sniffing import SNIFFED_BYTES, is_zip, sniff

STANDARD_INPUT = "-"
_CHUNK_BYTES = 1 << 20
_CONTAINERS = (MediaType.PDF, MediaType.EPUB, MediaType.DOCX)


def take_file(
    path: Path, options: ReadOptions, *, id: str, progress: ProgressListener = ignore_progress
) -> RawSource:
    """Read a file whole, if it is one that can be read.

    Raises:
        SourceError: Missing, unreadable, no regular file, too large, or of no format that can be read.
    """
    name = str(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SourceError(f"{name} is a folder", "give its files, or the folder on its own")
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(f"{name} is no regular file", "pipe its content in and give - as the source")
        with path.open("rb") as file:
            return collect(_chunks(file), name, options, id=id, size=status.st_size, progress=progress)
    except FileNotFoundError:
        step = f"for a web page give https://{name}" if name.startswith("www.") else "check the path"
        raise SourceError(f"{name} does not exist", step) from None
    except PermissionError:
        raise SourceError(f"{name} may not be read", "check its permissions") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{name} cannot be read: {_reason(error)}", "check the path") from error


def take_standard_input(
    options: ReadOptions, *, id: str, progress: ProgressListener = ignore_progress
) -> RawSource:
    """Read standard input to its end.

    Raises:
        SourceError: It is closed, too large, or of no format that can be read.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise SourceError("standard input is closed", "pipe a text in, or give a file")
    try:
        return collect(_chunks(sys.stdin.buffer), STANDARD_INPUT, options, id=id, progress=progress)
    except OSError as error:
        raise SourceError(
            f"standard input cannot be read: {_reason(error)}", "pipe a text in, or give a file"
        ) from error


def collect(
    chunks: Iterator[bytes],
    name: str,
    options: ReadOptions,
    *,
    id: str,
    size: int | None = None,
    declared: str | None = None,
    charset: str | None = None,
    progress: ProgressListener = ignore_progress,
) -> RawSource:
    """Put chunks together, telling the format from the first ones and stopping at the limit.

    Args:
        chunks: The source's bytes, in order.
        name: What the user calls the source.
        size: Bytes in all as far as known, so that what is too large is refused at once.
        declared: The server's ``Content-Type`` without parameters.
        charset: The server's ``charset``.

    Raises:
        SourceError: Too large, empty, or of no format that can be read.
    """
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) >= SNIFFED_BYTES:
            break
    if not content.strip():
        raise empty(name)
    head = bytes(content[:SNIFFED_BYTES])
    media_type = sniff(head, name, declared)
    limit = options.max_pdf_bytes if media_type in (None, *_CONTAINERS) else options.max_bytes
    _check_size(name, max(len(content), size or 0), limit)
    for chunk in chunks:
        content += chunk
        _check_size(name, len(content), limit)
        progress(ProgressEvent(stage="reading", done=len(content), total=size, unit="bytes"))
    whole = bytes(content)
    if is_zip(head):
        from lsum_cli.reading.archives import sniff_archive

        media_type = sniff_archive(whole, name, options)
    return RawSource(id=id, name=name, content=whole, media_type=str(media_type), charset=charset)


def empty(name: str) -> SourceError:
    """The error for a source with nothing to read in it."""
    called = "standard input" if name == STANDARD_INPUT else name
    return SourceError(f"{called} holds no text", "check that it is the right one")


def _check_size(name: str, size: int, limit: int) -> None:
    if size > limit:
        raise SourceError(
            f"{name} is too large: more than {limit / MIB:,.0f} MiB"
            if limit >= MIB
            else f"{name} is too large: more than {limit:,} bytes",
            "split it into parts",
        )


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: stream.read(_CHUNK_BYTES), b"")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
