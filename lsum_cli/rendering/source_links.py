"""What sources are called, and the links that lead to them and to a place in them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

from lsum_cli.documents import Document
from lsum_cli.methods.extract.headlines import name_of_folder, own_headline
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.text.patterns import regex

STANDARD_INPUT = "-"
TEXT_FRAGMENT = ":~:text="
"""What begins the part of an address that names words of a web page."""
_EDGE_WORDS = 6
_HEADLINE_CHARACTERS, _LEAST_HEADLINE = 50, 12
_URL_SAFE = "!$&'()*+,;=:@/?%-._~[]"
_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*://")


def name_source(document: Document) -> str:
    """What a user calls the source: its file name, or the URL."""
    if document.source == STANDARD_INPUT:
        return "standard input"
    return document.source if _SCHEME.match(document.source) else Path(document.source).name


def name_of_source(source: str) -> str:
    """What a user calls a source, by its path or address."""
    return source if _SCHEME.match(source) else Path(source).name


def name_document(document: Document) -> str:
    """The title of a document, else what its source is called."""
    return document.title or name_source(document)


def name_briefly(document: Document) -> str:
    """A name short enough for a citation: the file name, or host and path of a URL."""
    if not _SCHEME.match(document.source):
        return name_source(document)
    address = document.source.partition("://")[2].partition("?")[0].partition("#")[0]
    return address.removeprefix("www.").rstrip("/") or document.source


def link_source(document: Document, base_path: Path | None, *, absolute: bool = False) -> str | None:
    """The address of a source, or ``None`` where there is none to link to.

    Args:
        base_path: The folder the link will be followed from; without one, paths stay as given.
        absolute: Without ``base_path``, write ``file://`` addresses.
    """
    if document.source == STANDARD_INPUT:
        return None
    if _SCHEME.match(document.source):
        return _link_url(document.source)
    if base_path is None:
        return _file_address(document.source) if absolute else _quote_path(document.source)
    try:
        return _quote_path(os.path.relpath(document.source, base_path))
    except ValueError:  # on another drive: no relative path exists
        return _file_address(document.source)
    except FileNotFoundError:  # the current folder was deleted
        return _quote_path(document.source)


def link_place(
    document: Document,
    base_path: Path | None,
    *,
    pdf_page: int | None = None,
    quotation: str = "",
    absolute: bool = False,
) -> str | None:
    """The address of a PDF page, or of a quotation in a web page, or of the source as a whole."""
    address = link_source(document, base_path, absolute=absolute)
    if address is None:
        return None
    if pdf_page is not None:
        return f"{address.partition('#')[0]}#page={pdf_page}"
    if quotation and document.metadata.media_type in {"text/html", "application/xhtml+xml"}:
        return f"{address}{'' if '#' in address else '#'}{TEXT_FRAGMENT}{_text_fragment(quotation)}"
    return address


def _link_url(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"}:
        return None
    return quote(urlunsplit(parts).encode("utf-8", "replace"), safe=_URL_SAFE + "#")


def _file_address(path: str) -> str:
    return Path(os.path.abspath(path)).as_uri()  # noqa: PTH100  (resolve would follow links)


def _quote_path(path: str) -> str:
    return quote(os.fsencode(path.replace(os.sep, "/")))


def _text_fragment(quotation: str) -> str:
    """The first and last words of a quotation, as a browser looks for them."""
    words = clean_line(quotation).split()
    if len(words) <= 2 * _EDGE_WORDS:
        return _quote_fragment(" ".join(words))
    start, end = words[:_EDGE_WORDS], words[-_EDGE_WORDS:]
    return f"{_quote_fragment(' '.join(start))},{_quote_fragment(' '.join(end))}"


def _quote_fragment(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="").replace("-", "%2D")


def name_all_briefly(documents: Sequence[Document]) -> dict[str, str]:
    """A brief name for each document: its headline, its file where two share one, else its whole source.

    A readme is called after its folder.
    """
    names: dict[str, str] = {}
    for name_of in (
        lambda document: _shorten(own_headline(document) or _name_file(document)),
        _name_file,
        lambda document: document.source,
    ):
        unnamed = [document for document in documents if document.id not in names]
        called = {document.id: clean_line(name_of(document)) for document in unnamed}
        shared = Counter(called.values())
        names |= {key: name for key, name in called.items() if shared[name] == 1}
    return {document.id: names.get(document.id, clean_line(document.source)) for document in documents}


def _name_file(document: Document) -> str:
    return name_of_folder(document.source) or name_briefly(document)


def _shorten(headline: str) -> str:
    """A headline short enough for a citation: without its subtitle, else cut at a word."""
    if len(headline) <= _HEADLINE_CHARACTERS:
        return headline
    main = re.split(r": | [–—-] |[?!] ", headline)[0]
    if _LEAST_HEADLINE <= len(main) <= _HEADLINE_CHARACTERS:
        return main
    return headline[:_HEADLINE_CHARACTERS].rsplit(" ", 1)[0].rstrip(" ,;:–—-") + "…"
