"""A PDF as a :class:`~lsum_cli.documents.Document`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lsum_cli.documents import Document, Metadata
from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.blocks import Tally
from lsum_cli.reading.options import RawSource, ReadOptions
from lsum_cli.reading.pdf.arrangement import arrange
from lsum_cli.reading.pdf.contents import find_contents
from lsum_cli.reading.pdf.content import Interpreter, PageTooComplex
from lsum_cli.reading.pdf.flow import flow
from lsum_cli.reading.pdf.front import find_title
from lsum_cli.reading.pdf.furniture import FURNITURE, find_furniture
from lsum_cli.reading.pdf.headings import find_headings
from lsum_cli.reading.pdf.hyphenation import Vocabulary
from lsum_cli.reading.pdf.lines import PageLines, read_lines
from lsum_cli.reading.pdf.opening import DAMAGED, OpenPdf, open_pdf, quiet
from lsum_cli.reading.pdf.outline import read_outline
from lsum_cli.reading.pdf.page_ranges import parse_pdf_pages
from lsum_cli.reading.pdf.regions import Region, place_blocks
from lsum_cli.reading.pdf.sections import CONTENTS, make_passages
from lsum_cli.reading.pdf.typography import find_body_type
from lsum_cli.segmentation import compose_document

_LEFT_OUT = {Region.MARGIN: "notes in the margin", Region.LABEL: "labels in figures"}
SIDEWAYS = "text set sideways (stamps, labels of axes)"


def read_pdf(raw: RawSource, options: ReadOptions, progress: ProgressListener = ignore_progress) -> Document:
    """Read a PDF."""
    with quiet() as messages:
        pdf = open_pdf(raw, options.password, messages)
        numbers = parse_pdf_pages(options.pdf_pages, len(pdf.pages), raw.name)
        pages = _read_pages(pdf, numbers, progress)
        outline = read_outline(pdf.reader, pdf.pages)
    if not any(page.lines for page in pages):
        raise SourceError(f"{raw.name} has no text layer: its pages are images (scanned?)", "recognise the text first: `ocrmypdf in.pdf out.pdf`")
    tally = Tally()
    furniture = find_furniture(pages)
    body = find_body_type(line for page in pages for line in page.lines if id(line) not in furniture)
    title = find_title(_claimed_title(pdf.reader), pages, body)
    listed = find_contents(pages, furniture)
    used = furniture | listed | ({id(line) for line in title.lines} if title else set())
    placed = place_blocks(pages, used, body)
    for page in pages:
        for line in page.lines:
            if id(line) in furniture:
                tally.add(FURNITURE, line.text)
            elif id(line) in listed:
                tally.add(CONTENTS, line.text)
        for text in page.sideways:
            tally.add(SIDEWAYS, text)
    texts = []
    for each in placed:
        if each.region in _LEFT_OUT:
            for line in each.block.lines:
                tally.add(_LEFT_OUT[each.region], line.text)
        else:
            texts.append(each)
    headings = find_headings(texts, body, outline)
    vocabulary = Vocabulary(line.text for each in texts for line in each.block.lines)
    items = flow(arrange(texts, headings, body), body, vocabulary)
    without = tuple(page.number for page in pages if not page.lines)
    return compose_document(
        make_passages(items, tally),
        id=raw.id,
        source=raw.name,
        title=title.text if title else None,
        language=_language(pdf.reader),
        metadata=Metadata(
            media_type=raw.media_type,
            num_bytes=len(raw.content),
            pdf_pages=len(pdf.pages),
            pdf_pages_read=numbers,
            pdf_pages_without_text=without,
            left_out=tally.left_out(),
        ),
    )


def _read_pages(pdf: OpenPdf, numbers: Sequence[int], progress: ProgressListener) -> list[PageLines]:
    interpreter = Interpreter()
    pages = []
    for done, number in enumerate(numbers, start=1):
        page = pdf.pages[number - 1]
        content = interpreter.read_page(page)
        box = page.cropbox
        pages.append(
            read_lines(
                content,
                number,
                (float(box.left), float(box.bottom), float(box.right), float(box.top)),
                (page.rotation or 0) // 90,
            )
        )
        progress(ProgressEvent(stage="reading", done=done, total=len(numbers), unit="PDF pages"))
    return pages


def _claimed_title(reader: Any) -> str | None:
    try:
        found = reader.metadata.title if reader.metadata else None
    except Exception:
        return None
    return found if isinstance(found, str) else None


def _language(reader: Any) -> str | None:
    try:
        found = reader.trailer["/Root"].get("/Lang")
    except Exception:
        return None
    match = re.match(r"([A-Za-z]{2})(?:[-_].*)?$", str(found).strip()) if isinstance(found, str) else None
    return match[1].lower() if match else None
