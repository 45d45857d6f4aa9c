"""An EPUB of a few chapters, made on the spot."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

_CONTAINER = """<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
_PACKAGE = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:language>en</dc:language></metadata>
<manifest>{items}</manifest><spine>{spine}</spine></package>"""
_PART = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>
<body><h1>{heading}</h1>{paragraphs}</body></html>"""


def write_epub(path: Path, title: str, chapters: Mapping[str, str]) -> Path:
    """Write a book whose chapters are a file each; paragraphs are set apart by blank lines."""
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>'
        for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", _CONTAINER)
        archive.writestr("book.opf", _PACKAGE.format(title=title, items=items, spine=spine))
        for number, (heading, text) in enumerate(chapters.items()):
            paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n\n"))
            archive.writestr(f"c{number}.xhtml", _PART.format(heading=heading, paragraphs=paragraphs))
    return path
