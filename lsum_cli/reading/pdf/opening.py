"""Opening a PDF: passwords, damage, and files that mean harm."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from lsum_cli.errors import SourceError
from lsum_cli.reading.options import RawSource
from lsum_cli.reading.pdf.recovery import rebuild

MAX_PAGES = 20_000
# What damaged files make pypdf and its readers of streams raise, besides its own errors.
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
DAMAGED = "the file is damaged; what could be recovered of it was read"
_REPAIR = "repair it, for example with `qpdf in.pdf out.pdf`, or get it again"
_DAMAGE_SIGNS = (
    "EOF marker not found",
    "incorrect startxref",
    "Xref table not zero-indexed",
    "Trying to recover",
)


@dataclass(frozen=True, kw_only=True)
class OpenPdf:
    """A PDF whose pages can be read.

    Attributes:
        reader: The ``pypdf.PdfReader``.
        pages: Its pages.
        damaged: Whether its structure had to be recovered.
    """

    reader: Any
    pages: tuple[Any, ...]
    damaged: bool = False


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Keep pypdf's log off the terminal; yields the list that takes its messages."""
    logger = logging.getLogger("pypdf")
    messages: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if len(messages) < 1000:
                messages.append(record.getMessage())

    keeper = Keeper()
    propagate, level = logger.propagate, logger.level
    logger.addHandler(keeper)
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    try:
        yield messages
    finally:
        logger.removeHandler(keeper)
        logger.propagate = propagate
        logger.setLevel(level)


def open_pdf(raw: RawSource, password: str | None, messages: list[str]) -> OpenPdf:
    """Open a PDF and find its pages.

    Args:
        messages: What pypdf has logged, as :func:`quiet` yields it.

    Raises:
        SourceError: It is no PDF, is damaged beyond reading, has no pages or too many, or needs a
            (different) password.
    """
    if b"%PDF-" not in raw.content[:1024]:
        raise SourceError(f"{raw.name} is no PDF", "check what it is")
    recovered = False
    try:
        try:
            reader = _reader(raw.name, raw.content, password)
            pages = _pages(reader)
        except damage_errors():
            rebuilt = rebuild(raw.content)
            if rebuilt is None:
                raise
            recovered = True
            reader = _reader(raw.name, rebuilt, password)
            pages = _pages(reader)
    except (MemoryError, RecursionError) as error:
        raise SourceError(
            f"{raw.name} is built in a way that would take too much memory to read", _REPAIR
        ) from error
    except damage_errors() as error:
        raise SourceError(f"{raw.name} is damaged and cannot be read{_reason(error)}", _REPAIR) from error
    damaged = recovered or any(sign in message for message in messages for sign in _DAMAGE_SIGNS)
    if not pages:
        raise SourceError(
            f"{raw.name} is damaged: no pages were found in it" if damaged else f"{raw.name} has no pages",
            _REPAIR,
        )
    if len(pages) > MAX_PAGES:
        raise SourceError(f"{raw.name} has more than {MAX_PAGES:,} pages", "split it into parts")
    return OpenPdf(reader=reader, pages=pages, damaged=damaged)


def damage_errors() -> tuple[type[Exception], ...]:
    """All that a damaged file may make pypdf raise."""
    from pypdf.errors import DependencyError, PyPdfError

    return (*DAMAGE, PyPdfError, DependencyError, MemoryError)


def _reader(name: str, content: bytes, password: str | None) -> Any:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import FileNotDecryptedError

    reader = PdfReader(io.BytesIO(content))
    if not reader.is_encrypted:
        return reader
    try:
        # Many files are locked against changes only, and open with an empty password.
        opened = reader.decrypt("")
        if opened == PasswordType.NOT_DECRYPTED and password is not None:
            opened = reader.decrypt(password)
    except FileNotDecryptedError:
        opened = PasswordType.NOT_DECRYPTED
    except NotImplementedError as error:
        raise SourceError(
            f"{name} is encrypted in a way that cannot be read", "save it without encryption"
        ) from error
    if opened == PasswordType.NOT_DECRYPTED:
        if password is None:
            raise SourceError(f"{name} is encrypted and needs a password", "give it with --password")
        raise SourceError(f"the password does not open {name}", "give the right one with --password")
    return reader


def _pages(reader: Any) -> tuple[Any, ...]:
    pages = []
    for page in reader.pages:
        pages.append(page)
        if len(pages) > MAX_PAGES:
            break
    return tuple(pages)


def _reason(error: Exception) -> str:
    """What pypdf says of the damage, in brackets; what Python says of it would say nothing to a reader."""
    from pypdf.errors import PyPdfError

    text = " ".join(str(error).split()) if isinstance(error, PyPdfError) else ""
    return f" ({text[:120]})" if text else ""
