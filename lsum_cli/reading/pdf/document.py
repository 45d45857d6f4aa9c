"""A PDF as a :class:`~lsum_cli.documents.Document`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from lsum_cli.documents import Document, Metadata, SectionRole
from lsum_cli.errors import SourceError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.reading.blocks import Tally, role_of
from lsum_cli.reading.options import RawSource, ReadOptions
from lsum_cli.reading.pdf.columns import Block, order_blocks
from lsum_cli.reading.pdf.content import Interpreter, PageTooComplex
from lsum_cli.reading.pdf.flow import FlowHeading, FlowItem, Kind, Stretch, column_edges, flow
from lsum_cli.reading.pdf.furniture import FURNITURE, find_furniture
from lsum_cli.reading.pdf.headings import Heading, find_headings
from lsum_cli.reading.pdf.hyphenation import Vocabulary
from lsum_cli.reading.pdf.lines import PageLines, read_lines
from lsum_cli.reading.pdf.opening import DAMAGED, OpenPdf, open_pdf, quiet
from lsum_cli.reading.pdf.outline import read_outline
from lsum_cli.reading.pdf.page_ranges import parse_pdf_pages
from lsum_cli.reading.pdf.typography import find_body_type
from lsum_cli.segmentation import Paragraph, Passage, compose_document


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
    for page in pages:
        for line in page.lines:
            if id(line) in furniture:
                tally.add(FURNITURE, line.text)
    blocks = [
        block for page in pages for block in order_blocks([line for line in page.lines if id(line) not in furniture])
    ]
    body = find_body_type(line for block in blocks for line in block.lines)
    headings = find_headings(blocks, body, outline)
    vocabulary = Vocabulary(line.text for block in blocks for line in block.lines)
    items = flow(_stretches(blocks, headings), body, vocabulary)
    without = tuple(page.number for page in pages if not page.lines)
    return compose_document(
        _passages(items),
        id=raw.id,
        source=raw.name,
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


def _stretches(blocks, headings):
    homes = {id(h.lines[0]): h for h in headings}
    edges = column_edges(blocks)
    out = []
    for block in blocks:
        left, right = edges[id(block)]
        pending = []

        def flush():
            if pending:
                out.append(Stretch(kind=Kind.BODY, lines=tuple(pending), left=left, right=right))
                pending.clear()

        skip = 0
        for line in block.lines:
            if skip:
                skip -= 1
                continue
            h = homes.get(id(line))
            if h and not h.run_in:
                flush()
                out.append(Stretch(kind=Kind.HEADING, lines=h.lines, level=h.level))
                skip = len(h.lines) - 1
            else:
                pending.append(line)
        flush()
    return out


def _passages(items):
    passages = []
    heading, level, role, paras = None, 0, SectionRole.BODY, []

    for item in items:
        if isinstance(item, FlowHeading):
            passages.append(Passage(heading=heading, level=level, role=role, paragraphs=tuple(paras)))
            heading, level, paras = item.text, item.level, []
            role = role_of(item.text)
        else:
            paras.append(item.paragraph)
    passages.append(Passage(heading=heading, level=level, role=role, paragraphs=tuple(paras)))
    return passages
