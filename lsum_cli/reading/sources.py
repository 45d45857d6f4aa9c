"""The way in: a path, a URL or standard input becomes a :class:`~lsum_cli.documents.Document`."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast

from lsum_cli.documents import Document
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.reading.intake import STANDARD_INPUT, empty, take_file, take_standard_input
from lsum_cli.reading.media import MediaType
from lsum_cli.reading.options import RawSource, ReadOptions

# Imported when first needed: the readers bring heavy libraries.
_READERS = {
    MediaType.PDF: "lsum_cli.reading.pdf.document:read_pdf",
    MediaType.EPUB: "lsum_cli.reading.epub:read_epub",
    MediaType.DOCX: "lsum_cli.reading.docx:read_docx",
    MediaType.HTML: "lsum_cli.reading.html:read_html",
    MediaType.MARKDOWN: "lsum_cli.reading.markdown:read_markdown",
    MediaType.RESTRUCTURED: "lsum_cli.reading.restructured:read_restructured",
    MediaType.PLAIN: "lsum_cli.reading.plain:read_plain",
}


def read(
    source: str | Path,
    options: ReadOptions | None = None,
    *,
    id: str = "d0",
    progress: ProgressListener = ignore_progress,
) -> Document:
    """Read one source.

    Args:
        source: A path, an http(s) URL, or ``"-"`` for standard input.
        options: How to read it; ``None`` for the defaults.
        id: The document's id.
        progress: Told how far reading has come.

    Returns:
        The document; what was recognised as no part of it is counted in its metadata.

    Raises:
        SourceError: It cannot be read, or holds no text.
    """
    options = options or ReadOptions()
    raw = _take(source, options, id=id, progress=progress)
    module, function = _READERS[MediaType(raw.media_type)].split(":")
    reader = getattr(importlib.import_module(module), function)
    if raw.media_type == MediaType.PDF:
        return cast(Document, reader(raw, options, progress=progress))
    document = cast(Document, reader(raw, options))
    if not document.sections:
        raise empty(raw.name)
    return document


def _take(source: str | Path, options: ReadOptions, *, id: str, progress: ProgressListener) -> RawSource:
    name = str(source)
    if isinstance(source, str):
        if source == STANDARD_INPUT:
            return take_standard_input(options, id=id, progress=progress)
        if "://" in source:
            from lsum_cli.reading.fetching import fetch

            return fetch(source, options, id=id, progress=progress)
    return take_file(Path(name), options, id=id, progress=progress)
