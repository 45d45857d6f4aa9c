"""Standard output belongs to the stream; everything else goes to standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from lsum_cli.cli.messages import Messages
from lsum_cli.errors import OutputError
from lsum_cli.rendering.quantities import count

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDOUT = 1
STDERR = 2
READER_GONE = 128 + 13


@contextmanager
def result_stream() -> Iterator[TextIO]:
    """A stream on standard output, while file descriptor 1 itself points to standard error.

    So no library that prints can corrupt piped output. Undone on exit.

    Raises:
        OutputError: It is closed, or cannot be written to.
        ReaderGone: The reader of the output went away.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed", "leave it open, or redirect it to /dev/null")
    sys.stdout.flush()
    # line_buffering: a reader at the other end of a pipe sees each summary when it is ready.
    stream = _ResultStream(
        io.BufferedWriter(_Outlet(os.dup(STDOUT), "wb")),
        encoding=sys.stdout.encoding or "utf-8",
        errors="replace",
        line_buffering=True,
    )
    saved = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    try:
        yield stream
        stream.flush()
        if stream.num_lost:
            Messages().warn(
                f"{count(stream.num_lost, 'character')} of the output became '?': standard output is in"
                f" {stream.encoding}, which lacks them; set PYTHONUTF8=1, or give --output"
            )
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()  # what libraries printed meanwhile
        os.dup2(saved, STDOUT)
        os.close(saved)
        stream.close()


def prepare_standard_streams() -> None:
    """Make failures of standard output known by name, and those of standard error harmless.

    A full disk or a closed pipe behind standard error must not change what a run does, and a process may
    have been started without it.
    """
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout = _text_stream(_Outlet(STDOUT, "wb", closefd=False), sys.stdout, "strict")
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), STDERR)
    else:
        sys.stderr = _text_stream(_LossyOutlet(STDERR, "wb", closefd=False), sys.stderr, "backslashreplace")


def finish_standard_output() -> None:
    """Write what standard output still holds.

    Raises:
        OutputError: It cannot be written to.
        ReaderGone: The reader of the output went away.
    """
    if sys.stdout is not None:
        sys.stdout.flush()


def _text_stream(raw: io.FileIO, model: TextIO, errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=model.encoding,
        errors=errors,
        line_buffering=raw.isatty() or raw.fileno() == STDERR,
    )


class _ResultStream(io.TextIOWrapper):
    """Standard output as text; what its encoding lacks is counted, not lost unsaid.

    Attributes:
        num_lost: Number of characters written as question marks.
    """

    num_lost = 0

    def write(self, text: str, /) -> int:
        try:
            text.encode(self.encoding)
        except UnicodeError:
            marks = text.encode(self.encoding, "replace").count(b"?") - text.count("?")
            self.num_lost += max(1, marks)
        return super().write(text)


class ReaderGone(Exception):
    """Nobody reads standard output any more: not an error of the program, and no ``OSError`` either.

    Libraries turn a broken pipe into exit codes of their own.
    """


class _Outlet(io.FileIO):
    """Standard output itself; its failures, told once, differ from those of any other file."""

    _has_failed = False

    def write(self, content: ReadableBuffer, /) -> int:
        if self._has_failed:  # buffers try again when they are closed
            return memoryview(content).nbytes
        try:
            return super().write(content)
        except BrokenPipeError as error:
            self._has_failed = True
            raise ReaderGone from error
        except OSError as error:
            self._has_failed = True
            raise OutputError(
                f"cannot write to standard output: {error.strerror}",
                "free disk space, or give another --output",
            ) from error


class _LossyOutlet(io.FileIO):
    """Standard error: what cannot be written is lost."""

    def write(self, content: ReadableBuffer, /) -> int:
        try:
            return super().write(content)
        except OSError:
            return memoryview(content).nbytes
