"""A PDF as a :class:`~lsum_cli.documents.Document`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lsum_cli.documents import Document, Metadata, Passage, compose_document
from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.reading.blocks import Tally
from lsum_cli.reading.options import RawSource, ReadOptions
from lsum_cli.reading.pdf.arrangement import arrange
from lsum_cli.reading.pdf.contents import find_contents
from lsum_cli.reading.pdf.flow import flow
from lsum_cli.reading.pdf.front import Title, find_title
from lsum_cli.reading.pdf.furniture import FURNITURE, find_furniture
from lsum_cli.reading.pdf.headings import find_headings
from lsum_cli.reading.pdf.hyphenation import Vocabulary
from lsum_cli.reading.pdf.lines import PageLines
from lsum_cli.reading.pdf.opening import DAMAGED, damage_errors, open_pdf, quiet
from lsum_cli.reading.pdf.outline import OutlineEntry, read_outline
from lsum_cli.reading.pdf.page_ranges import parse_pdf_pages
from lsum_cli.reading.pdf.pages import ReadPages, read_pages
from lsum_cli.reading.pdf.regions import Region, place_blocks
from lsum_cli.reading.pdf.sections import CONTENTS, make_passages
from lsum_cli.reading.pdf.typography import find_body_type

_LEFT_OUT = {Region.MARGIN: "notes in the margin", Region.LABEL: "labels in figures"}
_SIDEWAYS = "text set sideways"


def read_pdf(raw: RawSource, options: ReadOptions, progress: ProgressListener = ignore_progress) -> Document:
    """Read a PDF.

    Args:
        raw: The file.
        options: ``pdf_pages`` and ``password`` are used.
        progress: Told after each page.

    Returns:
        The document; headings and paragraphs in reading order, each sentence with its PDF page.

    Raises:
        SourceError: It is no PDF, is encrypted, is damaged beyond reading, or holds no text.
        OptionError: The pages asked for are no pages of this document.
    """
    with quiet() as messages:
        pdf = open_pdf(raw, options.password, messages)
        numbers = parse_pdf_pages(options.pdf_pages, len(pdf.pages), raw.name)
        read = read_pages(pdf, numbers, raw.name, progress)
        if len(read.without_text) == len(read.pages):
            raise _no_text(raw.name, read, damaged=pdf.damaged)
        asked = set(numbers)
        outline = [entry for entry in read_outline(pdf.reader, pdf.pages) if entry.pdf_page in asked]
        claimed_title = _claimed_title(pdf.reader)
        language = _language(pdf.reader)
    tally = Tally()
    title, passages = _structure(read.pages, outline, claimed_title, tally)
    return compose_document(
        passages,
        id=raw.id,
        source=raw.name,
        title=title.text if title else None,
        language=language,
        metadata=Metadata(
            media_type=raw.media_type,
            num_bytes=len(raw.content),
            pdf_pages=len(pdf.pages),
            pdf_pages_read=numbers,
            pdf_pages_without_text=read.without_text,
            pdf_pages_blank=read.blank,
            left_out=tally.left_out(),
            warnings=((DAMAGED,) if pdf.damaged else ()) + read.warnings,
        ),
    )


def _structure(
    pages: Sequence[PageLines], outline: Sequence[OutlineEntry], claimed_title: str | None, tally: Tally
) -> tuple[Title | None, list[Passage]]:
    """The title and the passages of a document; what is left out is counted."""
    furniture = find_furniture(pages)
    contents = find_contents(pages, furniture)
    body = find_body_type(line for page in pages for line in page.lines if id(line) not in furniture)
    title = find_title(claimed_title, pages, body)
    used = furniture | contents | ({id(line) for line in title.lines} if title else set())
    placed = place_blocks(pages, used, body)
    for page in pages:
        for line in page.lines:
            if id(line) in furniture:
                tally.add(FURNITURE, line.text)
            elif id(line) in contents:
                tally.add(CONTENTS, line.text)
        for text in page.sideways:
            tally.add(_SIDEWAYS, text)
    for each in placed:
        if each.region in _LEFT_OUT:
            for line in each.block.lines:
                tally.add(_LEFT_OUT[each.region], line.text)
    placed = [each for each in placed if each.region not in _LEFT_OUT]
    headings = find_headings(placed, body, outline)
    vocabulary = Vocabulary(line.text for each in placed for line in each.block.lines)
    return title, make_passages(flow(arrange(placed, headings), body, vocabulary), tally)


def _no_text(name: str, read: ReadPages, *, damaged: bool) -> SourceError:
    """The error for a PDF from whose pages no text came."""
    if read.failed and len(read.failed) == len(read.pages):
        return SourceError(
            f"{name} is damaged: none of its pages could be read",
            "repair it with `qpdf in.pdf out.pdf`, or get it again",
        )
    if read.undecoded:
        return SourceError(
            f"the text of {name} cannot be decoded: its fonts do not say which letters they show",
            "recognise it from the images of the pages: `ocrmypdf --force-ocr in.pdf out.pdf`",
        )
    pages = "page asked for is" if len(read.pages) == 1 else "pages asked for are"
    if len(read.blank) == len(read.pages):
        state = "; it is damaged" if damaged else ""
        return SourceError(
            f"{name} holds no text: the {pages} blank{state}", "check that it is the right file"
        )
    return SourceError(
        f"{name} has no text layer: the {pages} without text (a scan?)",
        "recognise the text first, for example with `ocrmypdf in.pdf out.pdf`",
    )


def _claimed_title(reader: Any) -> str | None:
    try:
        found = reader.metadata.title if reader.metadata else None
    except damage_errors():
        return None
    return found if isinstance(found, str) else None


def _language(reader: Any) -> str | None:
    try:
        found = reader.trailer["/Root"].get("/Lang")
    except damage_errors():
        return None
    match = re.match(r"([A-Za-z]{2})(?:[-_].*)?$", str(found).strip()) if isinstance(found, str) else None
    return match[1].lower() if match else None
