"""The kinds of sources that can be read, and how each is called."""

from __future__ import annotations

import enum


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
