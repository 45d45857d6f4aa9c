"""Standard output belongs to the product; everything else goes to standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

import typer

STDOUT = 1
STDERR = 2
READER_GONE = 128 + 13


@contextmanager
def product_stream() -> Iterator[TextIO]:
    """A stream on standard output, while file descriptor 1 itself leads to standard error.

    So no library that prints can spoil piped output. Undone on leaving.

    Raises:
        typer.Exit: Who reads the output went away; the code is what a shell reports of SIGPIPE.
    """
    sys.stdout.flush()
    # line_buffering: a reader at the other end of a pipe sees each summary when it is ready.
    product = io.TextIOWrapper(
        os.fdopen(os.dup(STDOUT), "wb"),
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
        with suppress(BrokenPipeError):
            product.close()
