"""A PDF file: opening, decryption and repair, its pages and its outline."""

from __future__ import annotations

import io
import logging
import multiprocessing
import re
import struct
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

from lsum_cli.errors import OptionError, SourceError
from lsum_cli.machine.workers import WORKER_NAME
from lsum_cli.reading.registry import RawSource
from lsum_cli.text.patterns import regex

MAX_PAGES = 20_000
# Exceptions that damaged files cause in pypdf and its stream decoders, besides pypdf's own.
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
DAMAGED = "the file is damaged; only the part that could be recovered was read"
_REPAIR = "repair it, for example with `qpdf in.pdf out.pdf`, or get it again"
_AGAIN, _NO_PAGES = "get it again", "no page can be read in what is left of it"
# The bytes at its end, and at its beginning, within which a file says how it is made up.
_LONGEST_END = 2048
_DAMAGE_SIGNS = (
    "EOF marker not found",
    "incorrect startxref",
    "Xref table not zero-indexed",
    "Trying to recover",
)


# No stream that text is read from unpacks to more; those of filters that pypdf unpacks step by step to less.
MAX_STREAM_BYTES = 40 << 20
_MAX_SLOW_STREAM_BYTES = 8 << 20
_QUICK_FILTERS = frozenset(("/FlateDecode", "/Fl", "/ASCIIHexDecode", "/AHx"))
_MAX_FILTERS = 4


@dataclass(frozen=True, kw_only=True)
class OpenPdf:
    """A PDF whose pages can be read.

    Attributes:
        reader: The ``pypdf.PdfReader``.
        pages: Its pages.
        damaged: Whether its structure had to be recovered.
        is_cut: Whether its end is missing.
        claimed: How many pages it says it has, where it still says so.
    """

    reader: Any
    pages: tuple[Any, ...]
    damaged: bool = False
    is_cut: bool = False
    claimed: int | None = None

    @property
    def losses(self) -> tuple[str, ...]:
        """What is lost of the file as a whole, in a phrase."""
        if not self.damaged:
            return ()
        if not self.is_cut:
            return (DAMAGED,)
        left = f"{len(self.pages):,} page{'s' * (len(self.pages) != 1)}"
        if self.claimed is not None and self.claimed >= len(self.pages):
            left = f"{len(self.pages):,} of its {self.claimed:,} pages"
        return (f"the file is cut off: {left} could be found in what is left of it",)


@contextmanager
def quiet() -> Iterator[list[str]]:
    """Keep the log of pypdf off the terminal; yields a list that collects its messages."""
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


def _import_pypdf() -> None:
    """Import pypdf; in a worker without what it would import to write PDFs and to read images.

    That is a third of what importing it takes. The process of a user who calls us is left as it is.
    """
    if "pypdf" in sys.modules:
        return
    is_worker = multiprocessing.current_process().name == WORKER_NAME
    hidden = [name for name in ("PIL", "fontTools") if is_worker and name not in sys.modules]
    for name in hidden:
        sys.modules[name] = cast(ModuleType, None)  # which says that it is not installed
    try:
        import pypdf  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]


def open_pdf(raw: RawSource, password: str | None, messages: list[str]) -> OpenPdf:
    """Open a PDF and find its pages.

    Args:
        messages: What pypdf has logged, as :func:`quiet` yields it.

    Raises:
        SourceError: It is not a PDF, is damaged beyond repair, has no pages or too many, or needs a
            (different) password.
    """
    if b"%PDF-" not in raw.content[:1024]:
        raise SourceError(f"{raw.name} is not a PDF", "check what it is")
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
        raise SourceError(f"{raw.name} would take too much memory to read", _REPAIR) from error
    except damage_errors() as error:
        if _is_cut(raw.content):
            raise SourceError(f"{raw.name} is cut off: {_NO_PAGES}", _AGAIN) from error
        raise SourceError(f"{raw.name} is damaged and cannot be read{_reason(error)}", _REPAIR) from error
    is_cut = _is_cut(raw.content)
    damaged = recovered or any(sign in message for message in messages for sign in _DAMAGE_SIGNS)
    if not pages and is_cut:
        raise SourceError(f"{raw.name} is cut off: {_NO_PAGES}", _AGAIN)
    if not pages:
        raise SourceError(
            f"{raw.name} is damaged: no pages were found in it" if damaged else f"{raw.name} has no pages",
            _REPAIR,
        )
    if len(pages) > MAX_PAGES:
        raise SourceError(f"{raw.name} has more than {MAX_PAGES:,} pages", "split it into parts")
    claimed = _claimed_pages(raw.content) if damaged and is_cut else None
    return OpenPdf(reader=reader, pages=pages, damaged=damaged, is_cut=is_cut, claimed=claimed)


def _is_cut(content: bytes) -> bool:
    """Whether the end of a file is missing, where the mark of its end and the place of its table stand."""
    # Some programs fill a file up.
    end = content.rstrip(b"\0 \t\r\n")[-_LONGEST_END:]
    return not any(mark in end for mark in (b"%%EOF", b"startxref"))


def _claimed_pages(content: bytes) -> int | None:
    """How many pages a file has by what is left of it: at its beginning, or in the root of its page tree."""
    linearised = _LINEARISED.search(content[:_LONGEST_END])
    if linearised and (number := _NUMBER_OF.search(linearised[0])):
        return int(number[1])
    return max((int(found[1] or found[2]) for found in _PAGE_COUNT.finditer(content)), default=None)


def damage_errors() -> tuple[type[Exception], ...]:
    """All exceptions that pypdf may raise for a damaged file."""
    from pypdf.errors import DependencyError, PyPdfError

    return (*DAMAGE, PyPdfError, DependencyError, MemoryError)


def _reader(name: str, content: bytes, password: str | None) -> Any:
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import FileNotDecryptedError

    reader = PdfReader(io.BytesIO(content))
    if not reader.is_encrypted:
        return reader
    try:
        # Many files are protected against changes only, and open with an empty password.
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
    """The message of pypdf in brackets; messages of Python itself would not help a reader."""
    from pypdf.errors import PyPdfError

    text = " ".join(str(error).split()) if isinstance(error, PyPdfError) else ""
    return f" ({text[:120]})" if text else ""


@contextmanager
def unpacking_limits(limit: int = MAX_STREAM_BYTES) -> Iterator[None]:
    """Let pypdf unpack no stream to more than ``limit`` bytes, nor start other programs to do so."""
    _import_pypdf()
    from pypdf import apply_configuration

    with apply_configuration(
        array_based_stream_maximum_output_length=limit,
        brotli_maximum_output_length=limit,
        flate_maximum_row_length=min(limit, 1 << 20),
        lzw_maximum_output_length=min(limit, _MAX_SLOW_STREAM_BYTES),
        run_length_maximum_output_length=min(limit, _MAX_SLOW_STREAM_BYTES),
        zlib_maximum_output_length=limit,
        stream_filters_maximum_length=_MAX_FILTERS,
        stream_decoding_work_maximum_length=2 * limit,
        jbig2dec_binary=None,
    ):
        yield


def stream_bytes(stream: Any) -> bytes:
    """The unpacked content of a stream, which pypdf does not keep; asked for within :func:`unpacking_limits`.

    Raises:
        PyPdfError: It would unpack to more than the limits (:func:`damage_errors` has all errors).
    """
    from pypdf.errors import LimitReachedError

    filters = resolve(stream.get("/Filter", ()))
    names = {str(resolve(each)) for each in (filters if isinstance(filters, list) else [filters])}
    parameters = resolve(stream.get("/DecodeParms")) or resolve(stream.get("/DP"))
    is_quick = names <= _QUICK_FILTERS and not parameters
    limit = MAX_STREAM_BYTES if is_quick else _MAX_SLOW_STREAM_BYTES
    if len(getattr(stream, "_data", b"")) > limit:
        raise LimitReachedError(f"a stream is larger than {limit:,} bytes")
    # The limits of quick filters are those of the whole file.
    with nullcontext() if is_quick else unpacking_limits(limit):
        data = stream.get_data()
    if hasattr(stream, "decoded_self"):
        stream.decoded_self = None
    return data if isinstance(data, bytes) else str(data).encode("latin-1", errors="replace")


_MAX_OBJECTS = 200_000
_MAX_STREAM = 32 << 20
_MAX_UNPACKED = 128 << 20
_OBJECT = regex(rb"(?<![0-9])(\d{1,8})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b")
_OBJECT_STREAM = regex(rb"/Type\s*/ObjStm\b")
_NUMBER_OF = regex(rb"/N\s+(\d{1,6})")
_LINEARISED = regex(rb"<<[^<>]*/Linearized\b[^<>]*>>")
_PAGE_COUNT = regex(
    rb"/Type\s*/Pages\b[^<>]{0,400}?/Count\s+(\d{1,6})|/Count\s+(\d{1,6})\b[^<>]{0,400}?/Type\s*/Pages\b"
)
_FIRST_OF = regex(rb"/First\s+(\d{1,8})")
_PAGE = regex(rb"/Type\s*/Page\b(?!s)")
_CATALOG = regex(rb"/Type\s*/Catalog\b")
_STREAM = regex(rb"stream\r?\n")


def rebuild(content: bytes) -> bytes | None:
    """Rebuild a file: with a new cross-reference table, and a new page tree where that is lost too.

    Returns:
        The bytes of a readable file; ``None`` if no page is left or the file is encrypted.
    """
    if b"/Encrypt" in content:
        return None
    offsets: dict[int, int] = {}
    bodies: dict[int, bytes] = {}
    matches = list(_OBJECT.finditer(content))[:_MAX_OBJECTS]
    extra = bytearray()
    left = _MAX_UNPACKED
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        number = int(match[1])
        body = content[match.end() : following.start() if following else len(content)]
        offsets[number] = match.start()
        bodies[number] = body[:4096]
        if _OBJECT_STREAM.search(body[:1024]):
            for inner, text in _unpack(body, min(left, _MAX_STREAM)):
                left -= len(text)
                offsets[inner] = len(content) + 1 + len(extra)
                bodies[inner] = text[:4096]
                extra += b"%d 0 obj\n%s\nendobj\n" % (inner, text)
    if not offsets:
        return None
    highest = max(offsets)
    root = next((number for number in sorted(bodies, reverse=True) if _CATALOG.search(bodies[number])), None)
    if root is None or not _tree_is_whole(bodies, root):
        pages = [number for number in bodies if _PAGE.search(bodies[number])]
        if not pages:
            return None
        kids = b" ".join(b"%d 0 R" % number for number in sorted(pages, key=lambda number: offsets[number]))
        tree, root = highest + 1, highest + 2
        offsets[tree] = len(content) + 1 + len(extra)
        extra += b"%d 0 obj\n<< /Type /Pages /Count %d /Kids [ %s ] >>\nendobj\n" % (tree, len(pages), kids)
        offsets[root] = len(content) + 1 + len(extra)
        extra += b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (root, tree)
    table = bytearray(b"xref\n0 1\n0000000000 65535 f \n")
    for number in sorted(offsets):
        table += b"%d 1\n%010d 00000 n \n" % (number, offsets[number])
    start = len(content) + 1 + len(extra)
    trailer = b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        max(offsets) + 1,
        root,
        start,
    )
    return b"".join((content, b"\n", bytes(extra), bytes(table), trailer))


def _tree_is_whole(bodies: dict[int, bytes], root: int) -> bool:
    """Whether the page tree of the catalogue is still there."""
    match = re.search(rb"/Pages\s+(\d{1,8})\s+\d+\s+R", bodies[root])
    return bool(match and re.search(rb"/Kids\b", bodies.get(int(match[1]), b"")))


def _unpack(body: bytes, limit: int) -> list[tuple[int, bytes]]:
    """The objects packed in an object stream, by number; none where it would unpack to too much."""
    if limit <= 0:
        return []
    count, first, begin = _NUMBER_OF.search(body), _FIRST_OF.search(body), _STREAM.search(body)
    if not (count and first and begin):
        return []
    data = body[begin.end() :]
    if b"/FlateDecode" in body[: begin.start()]:
        try:
            # The beginning of a truncated stream can still be inflated.
            data = zlib.decompressobj().decompress(data, limit)
        except zlib.error:
            return []
    start = int(first[1])
    numbers = [int(token) for token in data[:start].split() if token.isdigit()][: 2 * int(count[1])]
    places = sorted(zip(numbers[1::2], numbers[::2], strict=False))
    found = []
    for (place, number), (end, _) in zip(places, [*places[1:], (len(data) - start, 0)], strict=True):
        text = data[start + place : start + end].strip()
        if text:
            found.append((number, text))
    return found


_PART = regex(r"(\d*)\s*([-–])?\s*(\d*)")
_EXAMPLES = "give page numbers such as 1-12,20 or 5- or -3"


def parse_pdf_pages(text: str | None, count: int, name: str) -> tuple[int, ...]:
    """Parse a list of page numbers; the result is ascending and without repetitions.

    Args:
        text: Such as ``"1-12,20"``, ``"5-"`` or ``"-3"``; ``None`` for all pages.
        count: Pages of the document.
        name: What the user calls the document.

    Raises:
        OptionError: It is not such a list, or names a page that the document does not have.
    """
    if text is None:
        return tuple(range(1, count + 1))
    pages: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match or not (match[1] or match[3]) or len(part) > 20:
            raise OptionError(f"--pdf-pages {text!r} is not a list of pages", _EXAMPLES)
        first = int(match[1] or 1)
        last = int(match[3] or count) if match[2] else first
        if match[2] and not match[3]:
            last = max(count, first)
        for page in (first, last):
            if not 1 <= page <= count:
                pages_of = f"{count} page" + ("s" if count != 1 else "")
                raise OptionError(
                    f"page {page} was requested, but {name} has {pages_of}", f"give pages from 1 to {count}"
                )
        if last < first:
            raise OptionError(f"--pdf-pages {part.strip()!r}: the last page is before the first", _EXAMPLES)
        pages.update(range(first, last + 1))
    return tuple(sorted(pages))


_MAX_ENTRIES = 5000


@dataclass(frozen=True, kw_only=True, slots=True)
class OutlineEntry:
    """A bookmark.

    Attributes:
        title: As written there.
        level: Depth, from 1.
        pdf_page: The page it points to, from 1.
        height: The vertical position it points to, in the coordinates of the page, or ``None``.
    """

    title: str
    level: int
    pdf_page: int
    height: float | None = None


def read_outline(reader: Any, pages: Sequence[Any]) -> list[OutlineEntry]:
    """The entries of the outline that point to a page; empty if it is missing or broken."""
    try:
        root = resolve(resolve(reader.trailer["/Root"]).get("/Outlines"))
        if not hasattr(root, "get"):
            return []
        numbers = {
            page.indirect_reference.idnum: number
            for number, page in enumerate(pages, start=1)
            if page.indirect_reference is not None
        }
        return list(_walk(reader, root, numbers))
    except damage_errors():
        # The text can be read without the outline.
        return []


def _walk(reader: Any, root: Any, numbers: dict[int, int]) -> Iterator[OutlineEntry]:
    seen: set[int] = set()
    stack: list[tuple[Any, int]] = [(root.get("/First"), 1)]
    named: dict[str, Any] | None = None
    count = 0
    while stack and count < _MAX_ENTRIES:
        reference, level = stack.pop()
        node = resolve(reference)
        if not hasattr(node, "get") or id(node) in seen:
            continue
        seen.add(id(node))
        count += 1
        stack.append((node.get("/Next") if "/Next" not in node else node.raw_get("/Next"), level))
        if "/First" in node:
            stack.append((node.raw_get("/First"), level + 1))
        destination = _destination(node)
        if isinstance(destination, str | bytes):
            if named is None:
                named = dict(reader.named_destinations)
            key = destination if isinstance(destination, str) else destination.decode("latin-1")
            target = named.get(key)
            destination = getattr(target, "dest_array", None)
        title = resolve(node.get("/Title"))
        entry = _entry(title, level, destination, numbers)
        if entry:
            yield entry


def _destination(node: Any) -> Any:
    destination = resolve(node.get("/Dest"))
    if destination is None:
        action = resolve(node.get("/A"))
        if hasattr(action, "get") and resolve(action.get("/S")) == "/GoTo":
            destination = resolve(action.get("/D"))
    if hasattr(destination, "get") and not isinstance(destination, list):
        destination = resolve(destination.get("/D"))
    return destination


def _entry(title: Any, level: int, destination: Any, numbers: dict[int, int]) -> OutlineEntry | None:
    if (
        not isinstance(title, str)
        or not title.strip()
        or not isinstance(destination, list)
        or not destination
    ):
        return None
    target = destination[0]
    number = numbers.get(getattr(target, "idnum", -1))
    if number is None and isinstance(target, int):
        number = target + 1
    if number is None:
        return None
    kind = str(destination[1]) if len(destination) > 1 else ""
    position = {"/XYZ": 3, "/FitH": 2, "/FitBH": 2, "/FitR": 5}.get(kind)
    height = destination[position] if position is not None and len(destination) > position else None
    height = resolve(height)
    return OutlineEntry(
        title=" ".join(title.split()),
        level=level,
        pdf_page=number,
        height=float(height) if isinstance(height, int | float) else None,
    )


def resolve(value: Any) -> Any:
    """What an indirect reference points to; any other value as it is."""
    return value.get_object() if hasattr(value, "get_object") else value
