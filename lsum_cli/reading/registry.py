"""The formats that can be read, a row each, and what their readers are given."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from lsum_cli.options import Panel, check_options, option

MIB = 1 << 20
MAX_TIMEOUT = 86_400  # a day


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How sources are read.

    Attributes:
        max_bytes: The largest text-like source (also: unpacked archive member, fetched body).
        max_pdf_bytes: The largest PDF, EPUB or DOCX, packed as it is.

    Raises:
        OptionError: The timeout is not above 0, or longer than a day.
    """

    pdf_pages: str | None = option(
        None,
        "--pdf-pages",
        metavar="RANGES",
        help="Pages of the PDF to read, such as 1-12,20.",
        panel=Panel.READING,
        env=False,
        shown_default="all",
    )
    password: str | None = option(
        None, "--password", help="Password of an encrypted PDF.", panel=Panel.READING, shown_default=""
    )
    offline: bool = option(
        False,
        "--offline",
        help="Make no network connections.",
        panel=Panel.READING,
        env=("LSUM_OFFLINE", "HF_HUB_OFFLINE"),
    )
    timeout: float = option(
        30.0,
        "--timeout",
        help="Maximum time for fetching a URL, in seconds.",
        panel=Panel.READING,
        above=0,
        maximum=MAX_TIMEOUT,
    )
    max_bytes: int = 64 * MIB
    max_pdf_bytes: int = 256 * MIB

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class RawSource:
    """A source as bytes, before its format's reader has seen it.

    Attributes:
        id: The document's id: ``"d0"``.
        name: What the user calls it: path, final URL, or ``"-"``; becomes ``Document.source``.
        content: The bytes, whole.
        media_type: As sniffed from the content, with the name and the server's word as hints.
        charset: As declared by the server, or ``None``.
    """

    id: str
    name: str
    content: bytes
    media_type: str
    charset: str | None = None


class MediaType(enum.StrEnum):
    """A format with a reader."""

    PDF = "application/pdf"
    EPUB = "application/epub+zip"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    HTML = "text/html"
    MARKDOWN = "text/markdown"
    RESTRUCTURED = "text/x-rst"
    PLAIN = "text/plain"

    @property
    def description(self) -> str:
        """What to call it in a message, with its article: ``"a PDF"``."""
        return _DESCRIPTIONS[self]


SUPPORTED = "PDF, EPUB, DOCX, HTML, Markdown, reStructuredText and plain text"

MEDIA_TYPES_BY_SUFFIX = {
    ".pdf": MediaType.PDF,
    ".epub": MediaType.EPUB,
    ".docx": MediaType.DOCX,
    ".docm": MediaType.DOCX,
    ".html": MediaType.HTML,
    ".htm": MediaType.HTML,
    ".xhtml": MediaType.HTML,
    ".md": MediaType.MARKDOWN,
    ".markdown": MediaType.MARKDOWN,
    ".mkd": MediaType.MARKDOWN,
    ".rst": MediaType.RESTRUCTURED,
    ".rest": MediaType.RESTRUCTURED,
    ".txt": MediaType.PLAIN,
    ".text": MediaType.PLAIN,
}

_DESCRIPTIONS = {
    MediaType.PDF: "a PDF",
    MediaType.EPUB: "an EPUB book",
    MediaType.DOCX: "a Word document",
    MediaType.HTML: "an HTML page",
    MediaType.MARKDOWN: "a Markdown file",
    MediaType.RESTRUCTURED: "a reStructuredText file",
    MediaType.PLAIN: "a text file",
}
