"""The supported formats, one row each, and what their readers are given.

A new format needs a module with its reader and a row of :data:`FORMATS`: recognition, messages, help
texts and folders take all they know of formats from the rows.
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.errors import SourceError
from lsum_cli.machine.limits import UNLIMITED, Budget, Limits
from lsum_cli.options import Panel, check_options, jobs_option, offline_option, option
from lsum_cli.progress import ProgressListener, ignore_progress

MIB = 1 << 20
MAX_TIMEOUT = 86_400  # a day
# Of 1.4 million words, as no single document has.
MAX_TEXT_BYTES = 8 * MIB

# What reading a source may take, several times what a slow machine needs.
BASE_SECONDS = 60.0
SECONDS_PER_MB = 5.0
SECONDS_PER_PDF_PAGE = 0.5
SECONDS_PER_IMAGE = 180.0
MAX_PAGE_SECONDS = 10.0
PAGE_SHARE = 0.25
BASE_MEMORY = 2_000_000_000
MEMORY_PER_BYTE = 50
MEMORY_PER_PDF_PAGE = 1_000_000
MEMORY_FOR_IMAGES = 4_000_000_000


class Ocr(enum.StrEnum):
    """When the text of pages is recognised in their images."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Storage(enum.Enum):
    """How a format is stored, which decides how it is recognised."""

    BINARY = "binary"
    ZIP = "zip"
    TEXT = "text"


@dataclass(frozen=True, kw_only=True)
class Format:
    """A supported format.

    Attributes:
        media_type: As a server declares it; becomes ``Metadata.media_type``.
        name: Its name in a list of formats: ``"PDF"``.
        noun: A source of the format in a message: ``"a PDF"``.
        suffixes: File name suffixes in lower case; the usual one first.
        reader: ``"module:function"``, imported when first needed since readers bring heavy libraries.
            The function takes a :class:`RawSource` and :class:`ReadOptions` and returns a ``Document``.
        storage: Whether it is binary, a zip archive, or text.
        aliases: Other media types that servers declare.
        signature: A pattern that matches the beginning of any such source, whatever its name (binary,
            text). Text is matched as UTF-8, whatever its encoding. Compiled when first used.
        named_signature: The same for sources whose name or server claims the format.
        likely: Matches the beginning of a text that is probably of the format, where no format is claimed.
        evident: The same for what is beyond doubt of the format, also where it is called plain text.
        members: Files that only archives of the format contain. An archive is also recognised by a
            member ``mimetype`` that contains the media type.
        is_streamed: Whether the reader takes files piece by piece, so that they may be of any size.
        folder: A folder by which an archive without these files is still recognised: ``"word"``.
        max_bytes: The largest file that is read and summarised in some 15 s of processor time; a larger one
            is read where the user allows it more with ``--max-seconds``. ``None``: how long a file takes says
            little of it. For what takes longer than plain text see :meth:`ReadOptions.check_parts`.
    """

    media_type: str
    name: str
    noun: str
    suffixes: tuple[str, ...]
    reader: str
    storage: Storage = Storage.TEXT
    aliases: tuple[str, ...] = ()
    signature: bytes | None = None
    named_signature: bytes | None = None
    likely: bytes | None = None
    evident: bytes | None = None
    members: tuple[str, ...] = ()
    folder: str | None = None
    is_streamed: bool = False
    max_bytes: int | None = None

    @property
    def is_image(self) -> bool:
        """Whether its files are images, whose text has to be recognised."""
        return self.media_type.startswith("image/")

    @property
    def is_pdf(self) -> bool:
        """Whether its files are PDFs."""
        return self.media_type == "application/pdf"

    @property
    def is_text(self) -> bool:
        """Whether its files are text."""
        return self.storage is Storage.TEXT


# Atomic groups avoid exponential backtracking over a sequence of comments.
_HTML_DOCUMENT = rb"(?is:(?>\s*+(?:<\?xml[^>]*+>|<!--.*?-->))*+\s*+<(?:!doctype\s+html|html|head|body)\b)"
_HTML_ELEMENTS = (
    rb"(?is:(?>\s*+<!--.*?-->)*+\s*+<(?:meta|title|script|style|link|article|main|section|header|div|table|h[1-6]|p|a"
    rb"|ul|ol|pre|span)\b[^>]*>)"
)
XML_START = rb"\s*(?i:<\?xml\b|<!DOCTYPE\b|<!ENTITY\b|<svg\b|<rss\b)"
_HEADER_LINE = rb"[!-9;-~]{1,76}:[^\r\n]*\r?\n"
# A mail without its name is known by fields that every mail server writes, among its first ones.
_MAIL_HEADERS = (
    rb"(?=(?i:Return-Path|Received|Delivered-To|X-[\w-]+|From|To|Date|Message-ID|MIME-Version|Subject|ARC-[\w-]+"
    rb"|DKIM-Signature|Authentication-Results|Received-SPF|Thread-Topic):)"
    rb"(?=(?i:(?:[!-9;-~]++:[^\r\n]*+\r?\n|[ \t][^\r\n]*+\r?\n)*?From:))"
    rb"(?i:(?:[!-9;-~]++:[^\r\n]*+\r?\n|[ \t][^\r\n]*+\r?\n)*?(?:Date|Message-ID|MIME-Version):)"
)
# A heading between blank lines, unlike a comment in a program.
_MARKDOWN_HEADING = rb"(?:\A|\n[ \t]*\r?\n)#{1,6} [^\r\n]+(?=\r?\n[ \t]*\r?\n)"
# Two of them, one below the highest level: lines of a plain text may begin with one hash.
_EVIDENT_MARKDOWN = (
    rb"(?=(?s:.*?)"
    + _MARKDOWN_HEADING.replace(b"{1,6}", b"{2,6}")
    + rb")(?s:.*?)"
    + _MARKDOWN_HEADING
    + rb"(?s:.*?)"
    + _MARKDOWN_HEADING
)
# A heading with its underline; a directive, a target or a role, which no other markup writes.
_RST_HEADING = (
    rb"(?:\A|\n)(?:(?!\.\. )(?!([!-/:-@\[-`{-~])\1*[ \t]*\r?\n)|([=~*#-])\2{2,}[ \t]*\r?\n )"
    rb"[^\s][^\r\n]*\r?\n"
    rb"([=~^*\"'#+`.:-])\3{2,}[ \t]*(?=\r?\n|\Z)"
)
_RST_MARK = (
    rb"(?:(?:\A|\n)\.\. (?:[A-Za-z][\w:+.-]*::(?=\s)|_[^\r\n:]+:(?=\s))"
    rb"|(?<![\w`]):[a-z][\w:+-]{0,40}:`[^`\r\n]+`)"
)
# What others may write as well, but hardly so often without what is none of RST: a literal, a reference.
_RST_INLINE = rb"(?<![\w`])(?:``[^\s`](?:[^`\r\n]*[^\s`])?``(?![\w`])|`[^`\r\n]+`__?(?!\w))"
# What may show such marks: Markdown with its blocks of code and headings, a program with its docstrings.
# More than three backticks directly below a line underline it.
_NO_RST = (
    rb"(?:\A|\n)(?:```(?!`)|[ \t]*\r?\n````|#{1,6} [^\r\n]+\r?\n[ \t]*\r?\n|[rR]?\"\"\"\w"
    rb"|(?:def|class) \w+[(:])"
)
# A link of Markdown; an anchor, a style of paragraph and an option of a list in AsciiDoc.
_NO_RST_INLINE = (
    rb"\]\((?:https?:|[./#])|\n\[\[?[a-z][\w,. -]*\]\]?[ \t]*\r?\n|\n--?\w[\w-]*(?:=\S+)?::[ \t]*\r?\n"
)
_EVIDENT_RST = (
    rb"(?!(?s:.*?)" + _NO_RST + rb")(?=(?s:.*?)" + _RST_HEADING + rb")"
    rb"(?:(?>(?s:.*?)" + _RST_MARK + rb"){2}"
    rb"|(?!(?s:.*?)(?:" + _NO_RST_INLINE + rb"))(?>(?s:.*?)" + _RST_INLINE + rb"){6})"
)

_IMAGE_READER = "lsum_cli.reading.images:read_image"

FORMATS = (
    Format(
        media_type="application/pdf",
        name="PDF",
        noun="a PDF",
        suffixes=(".pdf",),
        reader="lsum_cli.reading.pdf.document:read_pdf",
        storage=Storage.BINARY,
        signature=rb"[\xef\xbb\xbf \t\r\n\x00]*+%PDF-",
        # Viewers accept other bytes before the header, but a text may well mention the header.
        named_signature=rb"(?!" + _HTML_DOCUMENT + rb")(?s:.{0,1019}?)%PDF-",
    ),
    Format(
        media_type="image/png",
        name="PNG",
        noun="a PNG image",
        suffixes=(".png",),
        reader=_IMAGE_READER,
        storage=Storage.BINARY,
        signature=rb"\x89PNG\r\n\x1a\n",
    ),
    Format(
        media_type="image/jpeg",
        name="JPEG",
        noun="a JPEG image",
        suffixes=(".jpg", ".jpeg"),
        reader=_IMAGE_READER,
        storage=Storage.BINARY,
        aliases=("image/jpg",),
        signature=rb"\xff\xd8\xff",
    ),
    Format(
        media_type="image/tiff",
        name="TIFF",
        noun="a TIFF image",
        suffixes=(".tiff", ".tif"),
        reader=_IMAGE_READER,
        storage=Storage.BINARY,
        signature=rb"II\*\x00|MM\x00\*",
    ),
    Format(
        media_type="application/epub+zip",
        name="EPUB",
        noun="an EPUB book",
        suffixes=(".epub",),
        reader="lsum_cli.reading.epub:read_epub",
        storage=Storage.ZIP,
        members=("META-INF/container.xml",),
    ),
    Format(
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        name="DOCX",
        noun="a Word document",
        suffixes=(".docx", ".docm"),
        reader="lsum_cli.reading.docx:read_docx",
        storage=Storage.ZIP,
        members=("word/document.xml",),
        # Some programs name the main part differently; the package says how.
        folder="word",
    ),
    Format(
        media_type="application/vnd.oasis.opendocument.text",
        name="ODT",
        noun="an OpenDocument text",
        suffixes=(".odt", ".ott"),
        reader="lsum_cli.reading.odt:read_odt",
        storage=Storage.ZIP,
        aliases=("application/vnd.oasis.opendocument.text-template",),
    ),
    Format(
        media_type="application/vnd.openxmlformats-officedocument.presentationml.presentation",
        name="PPTX",
        noun="a PowerPoint presentation",
        suffixes=(".pptx", ".pptm", ".ppsx"),
        reader="lsum_cli.reading.pptx:read_pptx",
        storage=Storage.ZIP,
        members=("ppt/presentation.xml",),
        folder="ppt",
    ),
    Format(
        media_type="application/rtf",
        name="RTF",
        noun="an RTF document",
        suffixes=(".rtf",),
        reader="lsum_cli.reading.rtf:read_rtf",
        # Pictures may be stored in it as they are.
        storage=Storage.BINARY,
        aliases=("text/rtf", "text/richtext"),
        signature=rb"[\xef\xbb\xbf\s]*+\{\\rtf",
    ),
    Format(
        media_type="message/rfc822",
        name="mail",
        noun="a mail",
        suffixes=(".eml",),
        reader="lsum_cli.reading.mail.message:read_mail",
        # Texts and attachments may be in any encoding, or in none.
        storage=Storage.BINARY,
        signature=_MAIL_HEADERS,
        named_signature=_HEADER_LINE,
    ),
    Format(
        media_type="application/mbox",
        name="mailbox",
        noun="a mailbox",
        suffixes=(".mbox", ".mbx"),
        reader="lsum_cli.reading.mail.mailbox:read_mailbox",
        storage=Storage.BINARY,
        signature=rb"From \S[^\r\n]*\d{4}[^\r\n]*\r?\n" + _HEADER_LINE,
        named_signature=rb"From \S",
        is_streamed=True,
    ),
    Format(
        media_type="application/x-ipynb+json",
        name="notebook",
        noun="a Jupyter notebook",
        suffixes=(".ipynb",),
        reader="lsum_cli.reading.notebook:read_notebook",
        signature=rb"\s*+\{\s*+\"(?:nbformat(?:_minor)?\"\s*+:\s*+\d|"
        rb"cells\"\s*+:\s*+\[\s*+(?:\]|\{\s*+\"(?:attachments|cell_type|execution_count|id|metadata)\"))",
    ),
    Format(
        media_type="application/x-subrip",
        name="SRT",
        noun="an SRT subtitle file",
        suffixes=(".srt",),
        reader="lsum_cli.reading.subtitles:read_srt",
        aliases=("text/srt", "text/x-srt"),
        signature=rb"\s*+\d+[ \t]*\r?\n\d{1,3}:\d\d:\d\d[,.]\d{1,3}[ \t]*-->",
    ),
    Format(
        media_type="text/vtt",
        name="WebVTT",
        noun="a WebVTT subtitle file",
        suffixes=(".vtt",),
        reader="lsum_cli.reading.subtitles:read_vtt",
        signature=rb"WEBVTT(?=[ \t\r\n]|\Z)",
    ),
    Format(
        media_type="application/x-tex",
        name="TeX",
        noun="a TeX file",
        suffixes=(".tex", ".latex", ".ltx"),
        reader="lsum_cli.reading.tex.document:read_tex",
        max_bytes=MAX_TEXT_BYTES,
        aliases=("text/x-tex", "application/x-latex", "text/x-latex"),
        signature=rb"(?:[ \t]*(?:%[^\r\n]*)?\r?\n)*+[ \t]*\\document(?:class|style)\b",
    ),
    Format(
        media_type="text/html",
        name="HTML",
        noun="an HTML page",
        suffixes=(".html", ".htm", ".xhtml"),
        reader="lsum_cli.reading.html.document:read_html",
        aliases=("application/xhtml+xml",),
        signature=_HTML_DOCUMENT + rb"|(?=" + XML_START + rb")(?s:.{0,4091}?)<[hH][tT][mM][lL]\b",
        named_signature=XML_START,
        likely=_HTML_ELEMENTS,
    ),
    Format(
        media_type="text/markdown",
        name="Markdown",
        noun="a Markdown file",
        suffixes=(".md", ".markdown", ".mkd"),
        reader="lsum_cli.reading.markdown:read_markdown",
        max_bytes=4 * MIB,
        aliases=("text/x-markdown",),
        evident=_EVIDENT_MARKDOWN,
        likely=rb"(?s:.*?)" + _MARKDOWN_HEADING + rb"(?s:.*?)" + _MARKDOWN_HEADING,
    ),
    Format(
        media_type="text/x-rst",
        name="reStructuredText",
        noun="a reStructuredText file",
        suffixes=(".rst", ".rest"),
        reader="lsum_cli.reading.rst:read_rst",
        max_bytes=MAX_TEXT_BYTES,
        aliases=("text/prs.fallenstein.rst", "text/restructuredtext"),
        evident=_EVIDENT_RST,
    ),
    Format(
        media_type="text/x-wiki",
        name="wiki page",
        noun="a page of a wiki",
        suffixes=(".wiki", ".mediawiki", ".wikitext", ".dokuwiki"),
        reader="lsum_cli.reading.wiki_markup:read_wiki",
        max_bytes=MAX_TEXT_BYTES,
        aliases=("text/x-mediawiki",),
    ),
    Format(
        media_type="text/asciidoc",
        name="AsciiDoc",
        noun="an AsciiDoc file",
        suffixes=(".adoc", ".asciidoc"),
        reader="lsum_cli.reading.wiki_markup:read_asciidoc",
        max_bytes=MAX_TEXT_BYTES,
        aliases=("text/x-asciidoc",),
    ),
    Format(
        media_type="text/org",
        name="Org",
        noun="an Org file",
        suffixes=(".org",),
        reader="lsum_cli.reading.wiki_markup:read_org",
        max_bytes=MAX_TEXT_BYTES,
        aliases=("text/x-org",),
    ),
    Format(
        media_type="text/plain",
        name="plain text",
        noun="a text file",
        suffixes=(".txt", ".text"),
        reader="lsum_cli.reading.plain.document:read_plain",
        max_bytes=MAX_TEXT_BYTES,
    ),
)
PLAIN = FORMATS[-1]
"""The format of texts that are not recognised as another."""

FORMATS_BY_SUFFIX = {suffix: row for row in FORMATS for suffix in row.suffixes}
FORMATS_BY_MEDIA_TYPE = {media_type: row for row in FORMATS for media_type in (row.media_type, *row.aliases)}
SUPPORTED = ", ".join(row.name for row in FORMATS[:-1]) + f" and {FORMATS[-1].name}"
USUAL_SUFFIXES = " ".join(row.suffixes[0] for row in FORMATS)

INDIFFERENT = ("password", "offline", "timeout", "jobs")
"""Fields of :class:`ReadOptions` that decide whether and how soon a source is read, not what of it."""


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How sources are read.

    Attributes:
        max_bytes: The largest text (also: unpacked archive member, fetched body).
        max_pdf_bytes: The largest PDF or archive, packed as it is.

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
    ocr: Ocr = option(
        Ocr.AUTO,
        "--ocr",
        help="Recognise text in images of pages: those without text where an engine is installed (auto),"
        " all of them, or none.",
        panel=Panel.READING,
    )
    jobs: int | None = jobs_option()
    offline: bool = offline_option()
    timeout: float = option(
        30.0,
        "--timeout",
        help="Maximum time for fetching a URL, in seconds.",
        panel=Panel.READING,
        above=0,
        maximum=MAX_TIMEOUT,
    )
    max_seconds: float | None = option(
        None,
        "--max-seconds",
        help="Processor time that reading a source may take, in seconds.",
        panel=Panel.READING,
        above=0,
        shown_default="60, and more for long sources",
    )
    max_memory: float | None = option(
        None,
        "--max-memory",
        metavar="GB",
        help="Memory that reading a source may take, in GB.",
        panel=Panel.READING,
        above=0,
        shown_default="2, and more for long sources",
    )
    max_bytes: int = 64 * MIB
    max_pdf_bytes: int = 256 * MIB

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def page_seconds(self) -> float:
        """Processor time that a single page of a PDF may take; one that takes more is lost."""
        share = PAGE_SHARE * (BASE_SECONDS if self.max_seconds is None else self.max_seconds)
        return min(MAX_PAGE_SECONDS, share)

    def idle_flags(self, media_types: Collection[str]) -> dict[str, str]:
        """Flags that sources of these formats leave without effect, each with the reason."""
        formats = [FORMATS_BY_MEDIA_TYPE[media_type] for media_type in media_types]
        idle: dict[str, str] = {}
        if any(row.is_pdf for row in formats):
            return idle
        if self.password is not None:
            idle["--password"] = "it opens PDFs, and none was read"
        if self.ocr is Ocr.ALWAYS and not any(row.is_image for row in formats):
            idle["--ocr"] = "it recognises the pages of PDFs and pictures, and none was read"
        return idle

    def check_parts(self, name: str, parts: int, most: int, what: str) -> None:
        """Refuse a text of more parts than a parser reads in some 15 s, unless the user allows it more.

        Args:
            name: The source's name.
            parts: How many it has of what takes the parser its time.
            most: How many it may have.
            what: What they are, for the message: ``"commands, braces and formulas"``.

        Raises:
            SourceError: It has too many, and there is no ``--max-seconds``.
        """
        if parts > most and self.max_seconds is None:
            raise SourceError(
                f"{name} is too large: more than {most:,} {what}",
                "split it into parts, or allow it more time, such as with --max-seconds 600",
            )

    def limits(self, *, num_bytes: int, pdf_pages: int = 0, images: int = 0) -> Limits:
        """What reading a source may take; see docs/settings.md.

        Args:
            num_bytes: Its size, packed as it is.
            pdf_pages: How many pages of a PDF are read.
            images: How many pages are recognised in their images.
        """
        num_bytes = min(num_bytes, self.max_bytes)  # larger ones are not text
        seconds = BASE_SECONDS + SECONDS_PER_MB * num_bytes / 1e6
        seconds += SECONDS_PER_PDF_PAGE * pdf_pages + SECONDS_PER_IMAGE * images
        memory = BASE_MEMORY + MEMORY_PER_BYTE * num_bytes + MEMORY_PER_PDF_PAGE * pdf_pages
        memory += MEMORY_FOR_IMAGES * bool(images)
        return Limits(
            seconds=seconds if self.max_seconds is None else self.max_seconds,
            memory=memory if self.max_memory is None else int(self.max_memory * 1e9),
        )


@dataclass(frozen=True, kw_only=True)
class RawSource:
    """A source as bytes, before its format's reader has seen it.

    Attributes:
        id: The document's id: ``"d0"``.
        name: What the user calls it: path, final URL, or ``"-"``; becomes ``Document.source``.
        content: The bytes, whole; only the first ones where the format is streamed from ``path``.
        media_type: Media type of the recognised format.
        charset: As declared by the server, or ``None``.
        path: Where it lies as a file, or ``None``.
        progress: Called with the progress of reading by readers that take long.
        budget: What reading it may take.
    """

    id: str
    name: str
    content: bytes
    media_type: str
    charset: str | None = None
    path: Path | None = None
    progress: ProgressListener = ignore_progress
    budget: Budget = UNLIMITED
