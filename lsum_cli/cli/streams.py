"""Standard output belongs to the product; everything else goes to standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from lsum_cli.errors import OutputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STDOUT = 1
STDERR = 2
READER_GONE = 128 + 13


@contextmanager
def product_stream() -> Iterator[TextIO]:
    """A stream on standard output, while file descriptor 1 itself points to standard error.

    So no library that prints can corrupt piped output. Undone on exit.

    Raises:
        OutputError: It is closed, or cannot be written to.
        typer.Exit: The reader of the output is gone; the code is what a shell reports for SIGPIPE.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed", "leave it open, or redirect it to /dev/null")
    sys.stdout.flush()
    # line_buffering: a reader at the other end of a pipe sees each summary when it is ready.
    product = io.TextIOWrapper(
        io.BufferedWriter(_Outlet(os.dup(STDOUT), "wb")),
        encoding=sys.stdout.encoding or "utf-8",
        errors="replace",
        line_buffering=True,
    )
    saved = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    try:
        yield product
        product.flush()
    except BrokenPipeError as error:
        raise typer.Exit(READER_GONE) from error
    finally:
        os.dup2(saved, STDOUT)
        os.close(saved)
        with suppress(BrokenPipeError, OutputError):  # raised above already
            product.close()


def ensure_standard_error() -> None:
    """Where the process was started without standard error, discard messages instead of failing."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), STDERR)


class _Outlet(io.FileIO):
    """Standard output itself; distinguishes its own failures from those of any other file."""

    def write(self, content: ReadableBuffer, /) -> int:
        try:
            return super().write(content)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(
                f"cannot write to standard output: {error.strerror}",
                "free disk space, or give another --output",
            ) from error
