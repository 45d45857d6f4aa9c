"""The bytes of a source, read within limits, and its format, recognised from the first bytes."""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import urlsplit

from lsum_cli.documents import LeftOut
from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.blocks import CODE
from lsum_cli.reading.charsets import guess_wide_encoding, looks_binary
from lsum_cli.reading.registry import (
    FORMATS,
    FORMATS_BY_MEDIA_TYPE,
    FORMATS_BY_SUFFIX,
    MIB,
    PLAIN,
    SUPPORTED,
    XML_START,
    Format,
    RawSource,
    ReadOptions,
    Storage,
)
from lsum_cli.text.patterns import regex

STANDARD_INPUT = "-"
MAIL_MARK = "#"
"""Separates a mailbox from the number of a mail in it: ``inbox.mbox#17``."""
HEAD_BYTES = 1 << 16
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

_CHUNK_BYTES = 1 << 20
_MOSTLY_CODE = 0.5  # of the words
_CONVERT_WITH_LIBREOFFICE = "convert it with `libreoffice --headless --convert-to docx FILE`"
_CONVERT_TO_PDF = "convert it with `libreoffice --headless --convert-to pdf FILE`"
_MANUAL_PAGE = "the source of a manual page"
_UNPACK = "unpack it and give the file or folder that was in it"
_OFFICE_FILE = "an old Office file (.doc, .xls, .ppt) or a password-protected one"
_LOCKED_OFFICE_FILE = "an Office file protected by a password"
# Names in the directory of the container that old Office files and encrypted new ones share.
_OFFICE_STREAMS = (
    ("EncryptedPackage", _LOCKED_OFFICE_FILE),
    ("WordDocument", "an old Word document (.doc)"),
    ("PowerPoint Document", "an old PowerPoint presentation (.ppt)"),
    ("Workbook", "an old Excel workbook (.xls)"),
    ("__properties_version1.0", "an Outlook message (.msg)"),
)
# (offset, magic bytes, what it is): common unsupported formats.
_FOREIGN_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (8, b"WEBP", "a WebP image"),
    (8, b"WAVE", "a WAV sound file"),
    (8, b"AVI ", "an AVI video"),
    (4, b"ftypavif", "an AVIF image"),
    (4, b"ftypheic", "a HEIC image"),
    (4, b"ftyp", "an MP4 or QuickTime video"),
    (0, b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (0, b"ID3", "an MP3 sound file"),
    (0, b"OggS", "an Ogg sound file"),
    (0, b"fLaC", "a FLAC sound file"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OFFICE_FILE),
    (0, b"%!PS", "a PostScript file"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"(\xb5/\xfd", "a Zstandard archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ\x90\x00", "a program"),
    (0, b"SQLite format 3\x00", "an SQLite database"),
    (60, b"BOOKMOBI", "a Mobipocket or Kindle book"),
    (0, b"AT&TFORM", "a DjVu document"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (0, b"BM", "a BMP image"),
)
_NEXT_STEPS = {
    "an HTML page": "perhaps a login or error page was saved; to summarise that page, name it .html",
    "an OpenDocument spreadsheet": _CONVERT_TO_PDF,
    "an OpenDocument presentation": _CONVERT_WITH_LIBREOFFICE.replace("docx", "pptx"),
    "an Excel workbook": _CONVERT_TO_PDF,
    "a zip archive": _UNPACK,
    "a gzip archive": _UNPACK,
    "a bzip2 archive": _UNPACK,
    "an xz archive": _UNPACK,
    "a Zstandard archive": _UNPACK,
    "a 7-Zip archive": _UNPACK,
    "a RAR archive": _UNPACK,
    "a tar archive": _UNPACK,
    _OFFICE_FILE: f"{_CONVERT_WITH_LIBREOFFICE}, without a password",
    _LOCKED_OFFICE_FILE: "open it with the password and save it without one",
    "an old Word document (.doc)": _CONVERT_WITH_LIBREOFFICE,
    "an old PowerPoint presentation (.ppt)": _CONVERT_WITH_LIBREOFFICE.replace("docx", "pptx"),
    "an old Excel workbook (.xls)": _CONVERT_TO_PDF,
    "an Outlook message (.msg)": "save it as .eml in the mail program",
    "JSON data": "take its text out, such as with `jq -r .text FILE | lsum -`, or name it .txt",
    "a table of values": "save the column that holds the text as .txt",
    _MANUAL_PAGE: "print it and pipe that in: `man -l FILE | lsum -`",
    "an XML file": "save it as text, HTML or PDF in the program that wrote it",
    "a PostScript file": "convert it with `ps2pdf FILE`",
    "a Mobipocket or Kindle book": "convert it with `ebook-convert FILE book.epub`",
    "a DjVu document": "convert it with `ddjvu -format=pdf FILE out.pdf`",
}
# Tables and records: their names and braces are no text, and which of their fields is one is unknown.
_DATA_SUFFIXES = {
    ".json": "JSON data",
    ".jsonl": "JSON data",
    ".ndjson": "JSON data",
    ".csv": "a table of values",
    ".tsv": "a table of values",
}
_JSON = regex(
    rb"\s*+(?:\[\s*+)*+(?:\{\s*+(?:\}|\"(?:[^\"\\\r\n]|\\.){0,200}+\"\s*+:)|\[\s*+\]|\"(?:[^\"\\\r\n]|\\.)*+\"\s*+,)"
)
# A comment or a request of roff first; then one that names the page, and one for a heading.
_ROFF = regex(
    rb"(?=\s*+['.][ \t]*(?:\\[\"#]|(?:TH|Dd|de|if|ie|nr|ds|so)[ \t]))(?=(?s:.*?)(?:\A|\n)\.(?:TH|Dd)[ \t])"
    rb"(?s:.*?)\n\.S[Hh][ \t]"
)
_WRITTEN_IN_ASCII = frozenset({"a PostScript file"})
# Unsupported documents in zip archives, by media type and by the folder of their files.
_FOREIGN_PACKAGES = {
    "application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument spreadsheet",
    "application/vnd.oasis.opendocument.presentation": "an OpenDocument presentation",
}
_FOREIGN_FOLDERS = {"xl": "an Excel workbook"}


# Light markups whose sources are published as text under their name: "usage.rst.txt", as Sphinx does. Not
# Org: "www.example.org.txt" is of a page.
_MARKED_TEXT = frozenset({".rst", ".rest", ".md", ".markdown", ".adoc", ".asciidoc"})


def suffix_of(name: str) -> str:
    """The lower-case suffix of a path or URL: ``".pdf"``, and ``".rst"`` of ``"a.rst.txt"``."""
    path = PurePosixPath((urlsplit(name).path if "://" in name else name).replace("\\", "/"))
    suffix = path.suffix.lower()
    marked = PurePosixPath(path.stem).suffix.lower()
    return marked if suffix == ".txt" and marked in _MARKED_TEXT else suffix


def is_zip(head: bytes) -> bool:
    """Whether a source that begins with ``head`` is a zip archive, as EPUB and DOCX are."""
    return head.startswith(ZIP_MAGIC)


def recognise(head: bytes, name: str, declared: str | None = None) -> Format | None:
    """Recognise the format of a source: its first bytes decide; its name and media type are hints.

    Args:
        head: The first :data:`HEAD_BYTES` bytes, or all there are.
        name: Path, URL or ``"-"``; its suffix distinguishes text formats.
        declared: The server's ``Content-Type`` without parameters.

    Returns:
        The format; ``None`` for a zip archive, whose members decide.

    Raises:
        SourceError: It is of an unsupported format, which the message names.
    """
    if is_zip(head):
        return None
    by_suffix = FORMATS_BY_SUFFIX.get(suffix_of(name))
    hint = by_suffix
    if by_suffix in (None, PLAIN):
        hint = FORMATS_BY_MEDIA_TYPE.get((declared or "").lower(), by_suffix)
    binary = _signed(head, hint, Storage.BINARY)
    if binary and binary.is_image and by_suffix is not None and not by_suffix.is_image:
        raise refusal(name, binary.noun)
    if binary:
        return binary
    foreign = _foreign_kind(head)
    if foreign:
        raise refusal(name, foreign)
    text = _ascii_view(head)
    found = _text_format(text, hint, is_unnamed=suffix_of(name) in ("", *PLAIN.suffixes))
    if found is None:
        raise refusal(name, "an XML file")
    if found is PLAIN and by_suffix is None:
        data = _DATA_SUFFIXES.get(suffix_of(name)) or ("JSON data" if _JSON.match(text) else None)
        if data is not None:
            raise refusal(name, data)
        if _ROFF.match(text):
            raise refusal(name, _MANUAL_PAGE)
    if hint is not None and not hint.is_text and by_suffix is not None and text.strip():
        raise refusal(name, found.noun)
    return found


def _signed(head: bytes, hint: Format | None, storage: Storage) -> Format | None:
    """The format of this storage whose signature a source begins with."""
    for row in FORMATS:
        if row.storage is storage:
            patterns = (row.signature, row.named_signature if row is hint else None)
            if any(pattern is not None and re.match(pattern, head) for pattern in patterns):
                return row
    return None


def _text_format(text: bytes, hint: Format | None, *, is_unnamed: bool) -> Format | None:
    """The format of a text; ``None`` for XML of an unsupported format.

    Args:
        is_unnamed: Whether its name says no more than that it is a text; ``.py`` says that it is a program.
    """
    signed = _signed(text, hint, Storage.TEXT)
    if signed or re.match(XML_START, text):
        return signed
    if is_unnamed and hint in (None, PLAIN):
        evident = next((row for row in FORMATS if row.evident and re.match(row.evident, text)), None)
        if evident is not None:
            return evident
    if hint is not None and hint.is_text:
        return hint
    return next((row for row in FORMATS if row.likely and re.match(row.likely, text)), PLAIN)


def recognise_archive(content: bytes, name: str, options: ReadOptions) -> Format:
    """Recognise the format of a zip archive by its members.

    Raises:
        SourceError: It is damaged, or of an unsupported format, which the message names.
    """
    from lsum_cli.reading.archives import Archive

    archive = Archive(content, name, options)
    packed = [row for row in FORMATS if row.storage is Storage.ZIP]
    kind = archive.read("mimetype").strip().decode("latin-1") if "mimetype" in archive else ""
    for row in packed:
        if kind in (row.media_type, *row.aliases) or any(member in archive for member in row.members):
            return row
    folders = {member.partition("/")[0] for member in archive.members if "/" in member}
    foreign = [_FOREIGN_PACKAGES[kind]] if kind in _FOREIGN_PACKAGES else []
    foreign += [noun for folder, noun in _FOREIGN_FOLDERS.items() if folder in folders]
    if foreign:
        raise refusal(name, foreign[0])
    for row in packed:
        # Its reader reports what is missing.
        if suffix_of(name) in row.suffixes or row.folder in folders:
            return row
    raise refusal(name, "a zip archive")


def refusal(name: str, kind: str) -> SourceError:
    """The error for a source that turned out to be ``kind``, such as ``"a PNG image"``."""
    claimed = FORMATS_BY_SUFFIX.get(suffix_of(name))
    supported = next((row for row in FORMATS if row.noun == kind), None)
    if kind == _LOCKED_OFFICE_FILE:
        return SourceError(f"{name} is {kind}", _NEXT_STEPS[kind])  # which it is cannot be told
    what = f"not {claimed.noun}" if claimed else "which is not supported"
    step = (
        f"name it {supported.suffixes[0]} to have it read" if supported else f"supported formats: {SUPPORTED}"
    )
    return SourceError(f"{name} is {kind}, {what}", _NEXT_STEPS.get(kind, step))


def _foreign_kind(head: bytes) -> str | None:
    binary = looks_binary(head)
    for offset, magic, kind in _FOREIGN_MAGIC:
        # A text may begin with "BM", but then it has no control characters.
        telling = (
            binary or kind in _WRITTEN_IN_ASCII or not (magic.isascii() and magic.decode().isprintable())
        )
        if telling and head.startswith(magic, offset):
            return _office_kind(head) if kind == _OFFICE_FILE else kind
    return "a binary file" if binary else None


def _office_kind(head: bytes) -> str:
    """What an Office container holds, as far as its directory is among the first bytes."""
    return next((kind for name, kind in _OFFICE_STREAMS if name.encode("utf-16-le") in head), _OFFICE_FILE)


def _ascii_view(head: bytes) -> bytes:
    """The head in UTF-8, also of a UTF-16 or UTF-32 text, for the patterns to match."""
    encoding = guess_wide_encoding(head)
    if encoding is None:
        return head.removeprefix(b"\xef\xbb\xbf")
    return head.decode(encoding, errors="ignore").lstrip("\ufeff").encode("utf-8", errors="ignore")


def take_file(
    path: Path, options: ReadOptions, *, id: str, progress: ProgressListener = ignore_progress
) -> RawSource:
    """Read a whole file of a supported format.

    Raises:
        SourceError: Missing, unreadable, not a regular file, too large, or of an unsupported format.
    """
    name = str(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise SourceError(f"{name} is a folder", "give its files, or the folder on its own")
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(f"{name} is not a regular file", "pipe its content in, with - as the source")
        with path.open("rb") as file:
            return collect(
                _chunks(file), name, options, id=id, size=status.st_size, path=path, progress=progress
            )
    except FileNotFoundError:
        step = f"for a web page give https://{name}" if name.startswith("www.") else "check the path"
        raise SourceError(f"{name} does not exist", step) from None
    except PermissionError:
        raise SourceError(f"{name} cannot be read: permission denied", "check its permissions") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{name} cannot be read: {_reason(error)}", "check the path") from error


def take_standard_input(
    options: ReadOptions, *, id: str, progress: ProgressListener = ignore_progress
) -> RawSource:
    """Read standard input to its end.

    Raises:
        SourceError: It is closed, too large, or of an unsupported format.
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
    path: Path | None = None,
    progress: ProgressListener = ignore_progress,
) -> RawSource:
    """Put chunks together, recognising the format from the first ones and stopping at the limit.

    Args:
        chunks: The source's bytes, in order.
        name: What the user calls the source.
        size: Total bytes where known, so that a source that is too large is refused at once.
        declared: The server's ``Content-Type`` without parameters.
        charset: The server's ``charset``.
        path: The file they come from, which readers of streamed formats take from there.

    Raises:
        SourceError: Too large, empty, or of an unsupported format.
    """
    content = bytearray()
    for chunk in chunks:
        content += chunk
        if len(content) >= HEAD_BYTES:
            break
    if not content.strip():
        raise empty(name)
    head = bytes(content[:HEAD_BYTES])
    found = recognise(head, name, declared)
    if found is not None and found.is_streamed and path is not None:
        return RawSource(
            id=id, name=name, content=head, media_type=found.media_type, path=path, progress=progress
        )
    limit = options.max_bytes if found is not None and found.is_text else options.max_pdf_bytes
    next_step = "split it into parts"
    usual = found.max_bytes if found is not None and options.max_seconds is None else None
    if usual is not None and usual < limit:
        limit, next_step = usual, f"{next_step}, or allow it more time, such as with --max-seconds 600"
    _check_size(name, max(len(content), size or 0), limit, next_step)
    for chunk in chunks:
        content += chunk
        _check_size(name, len(content), limit, next_step)
        progress(ProgressEvent(stage="reading", done=len(content), total=size, unit="bytes"))
    whole = bytes(content)
    found = found or recognise_archive(whole, name, options)
    return RawSource(
        id=id,
        name=name,
        content=whole,
        media_type=found.media_type,
        charset=charset,
        path=path,
        progress=progress,
    )


def empty(name: str, left_out: Sequence[LeftOut] = ()) -> SourceError:
    """The error for a source without text.

    Args:
        name: What the user calls it.
        left_out: What it holds besides.
    """
    called = "standard input" if name == STANDARD_INPUT else name
    code = sum(each.words for each in left_out if each.what == CODE)
    if code > _MOSTLY_CODE * sum(each.words for each in left_out):
        return SourceError(
            f"{called} shows source code and contains no text", "give its documentation instead"
        )
    return SourceError(f"{called} contains no text", "check that it is the right file")


def _check_size(name: str, size: int, limit: int, next_step: str) -> None:
    if size > limit:
        raise SourceError(
            f"{name} is too large: more than {limit / MIB:,.0f} MiB"
            if limit >= MIB
            else f"{name} is too large: more than {limit:,} bytes",
            next_step,
        )


def _chunks(stream: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: stream.read(_CHUNK_BYTES), b"")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
