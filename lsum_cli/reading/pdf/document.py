"""Reading a PDF: its pages one by one, then the document as a whole."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lsum_cli.documents import Document, Metadata, Passage, compose_document
from lsum_cli.errors import SourceError
from lsum_cli.machine.limits import UNLIMITED, Budget, OverLimit
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.reading.blocks import TABLE_OF_CONTENTS, UNCERTAIN, Tally, divide_passages, language_code
from lsum_cli.reading.pdf.bidi import has_right_to_left
from lsum_cli.reading.pdf.columns import Gutter
from lsum_cli.reading.pdf.file import (
    OpenPdf,
    OutlineEntry,
    damage_errors,
    open_pdf,
    parse_pdf_pages,
    quiet,
    read_outline,
    unpacking_limits,
)
from lsum_cli.reading.pdf.flow import Vocabulary, arrange, flow
from lsum_cli.reading.pdf.furniture import FURNITURE, find_contents, find_furniture
from lsum_cli.reading.pdf.glyphs import UNKNOWN
from lsum_cli.reading.pdf.headings import find_headings
from lsum_cli.reading.pdf.interpreter import Interpreter
from lsum_cli.reading.pdf.layout import Region, place_blocks
from lsum_cli.reading.pdf.lines import Line, PageLines, read_lines
from lsum_cli.reading.pdf.slides import EARLIER_STEPS, last_steps, text_of_slides, titling
from lsum_cli.reading.pdf.structure import Title, find_title, make_passages
from lsum_cli.reading.pdf.text_operators import PageContent, PageTooComplex
from lsum_cli.reading.pdf.typography import find_body_type
from lsum_cli.reading.pdf.voices import find_voices, with_voices
from lsum_cli.reading.registry import MAX_PAGE_SECONDS, Ocr, RawSource, ReadOptions
from lsum_cli.summaries import name_pdf_pages
from lsum_cli.text.patterns import regex

# Maximum total time for pages that fail in the end, so that a hostile file is refused soon.
LOST_SECONDS = 30.0
# Seconds after which it is estimated how long the reading will take, and from which on that is said.
ESTIMATE_AFTER = 2.0
LONG_SECONDS = 30.0
# Time for reading the pages and then arranging what they hold, in times of reading alone.
_ARRANGING = 2.0
# Maximum width and height of a page in points (70 m).
_LARGEST = 200_000.0
# How pypdf reports a stream that it could decompress only in part.
_CUT = "while decompressing"
_DEFAULT_BOX = (0.0, 0.0, 612.0, 792.0)


@dataclass(frozen=True, kw_only=True)
class ReadPages:
    """The requested pages.

    Attributes:
        pages: One for each; without lines where no text was found.
        blank: Numbers of those that are empty.
        failed: Numbers of those that are damaged or too complex.
        undecoded: Numbers of those whose text cannot be decoded.
        unread_glyphs: The number of glyphs that are :data:`~.glyphs.UNKNOWN`, by the number of the page.
        losses: What was lost to damage, one phrase each.
        recognised: Numbers of those whose text was recognised in their image.
        remarks: Warnings for the user about the recognised pages, one line each.
    """

    pages: tuple[PageLines, ...]
    blank: tuple[int, ...]
    failed: tuple[int, ...]
    undecoded: tuple[int, ...]
    unread_glyphs: Mapping[int, int]
    losses: tuple[str, ...]
    recognised: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for the user, one line each."""
        if not self.undecoded:
            return self.remarks
        undecoded = (
            f"the text of {_named(self.undecoded)} cannot be decoded:"
            " its fonts do not say which letters they show"
        )
        return (undecoded, *self.remarks)

    @property
    def without_text(self) -> tuple[int, ...]:
        """Numbers of the pages without text."""
        return tuple(page.number for page in self.pages if not page.lines)


def read_pages(
    pdf: OpenPdf,
    numbers: Sequence[int],
    name: str,
    progress: ProgressListener,
    messages: Sequence[str] = (),
    budget: Budget = UNLIMITED,
    page_seconds: float = MAX_PAGE_SECONDS,
) -> ReadPages:
    """Read pages one by one.

    Args:
        pdf: The open file.
        numbers: Numbers of the pages to read, from 1.
        name: What the user calls the document.
        progress: Called after each page.
        messages: What pypdf logs meanwhile, as :func:`~.file.quiet` yields it: of a damaged stream it
            returns what it could decompress, and says so only there.
        budget: Keeps the limit of a page.
        page_seconds: Processor time that a page may take.

    Raises:
        SourceError: Pages take far more work than pages of text do.
    """
    interpreter = Interpreter()
    damaging: tuple[type[Exception], ...] = (PageTooComplex, OverLimit, *damage_errors())
    pages: list[PageLines] = []
    failed: list[int] = []
    damaged: list[int] = []
    undecoded: list[int] = []
    unread: dict[int, int] = {}
    lost = 0.0
    gutters: tuple[Gutter, ...] = ()
    begun, is_estimated = time.monotonic(), False
    for done, number in enumerate(numbers, start=1):
        started, logged = time.thread_time(), len(messages)
        try:
            with budget.part(page_seconds):
                page = _read_page(interpreter, pdf.pages[number - 1], number, gutters)
        except damaging:
            # The other pages may be sound; what it left in caches may not.
            interpreter = Interpreter()
            lost += time.thread_time() - started
            page = PageLines(number=number, width=_DEFAULT_BOX[2], height=_DEFAULT_BOX[3], drawn=True)
            failed.append(number)
        if lost > LOST_SECONDS:
            raise SourceError(
                f"{name} takes too long to read: its pages are too complex", "print it to a new PDF first"
            )
        glyphs = sum(line.text.count(UNKNOWN) for line in page.lines)
        if glyphs:
            unread[number] = glyphs
        if (glyphs and _is_garbage(page.lines)) or _mixes_scripts(page.lines):
            undecoded.append(number)
            page = replace(page, lines=())
        elif number not in failed and (page.damaged or any(_CUT in each for each in messages[logged:])):
            damaged.append(number)
        pages.append(page)
        gutters = page.gutters or gutters
        progress(ProgressEvent(stage="reading", done=done, total=len(numbers), unit="PDF pages"))
        elapsed = time.monotonic() - begun
        if not is_estimated and elapsed > ESTIMATE_AFTER:
            is_estimated = True
            seconds = _ARRANGING * elapsed / done * len(numbers)
            if seconds > LONG_SECONDS:
                remark = f"reading {len(numbers):,} PDF pages will take about {_minutes(seconds)}"
                progress(ProgressEvent(stage="reading", done=done, total=len(numbers), remark=remark))
    blank = tuple(page.number for page in pages if not (page.lines or page.drawn or page.sideways))
    losses = []
    if failed:
        losses.append(f"{_named(failed)} could not be read (damaged, or too complex)")
    if damaged:
        losses.append(f"part of {_named(damaged)} is damaged and was skipped")
    return ReadPages(
        pages=tuple(pages),
        blank=tuple(number for number in blank if number not in {*failed, *undecoded}),
        failed=tuple(failed),
        undecoded=tuple(undecoded),
        unread_glyphs=unread,
        losses=tuple(losses),
    )


def _minutes(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


def _read_page(interpreter: Interpreter, page: Any, number: int, known: Sequence[Gutter]) -> PageLines:
    content = interpreter.read_page(page)
    lines = read_lines(content, number, _box(page), _turns(page), known)
    if content.runs and not lines.lines and not lines.sideways:
        # The crop box may be wrong and hide the text.
        lines = read_lines(interpreter.read_page(page), number, _box_around(content), _turns(page), known)
    return lines


def _box(page: Any) -> tuple[float, float, float, float]:
    try:
        box = page.cropbox
        x0, y0, x1, y1 = float(box.left), float(box.bottom), float(box.right), float(box.top)
    except damage_errors():
        return _DEFAULT_BOX
    x0, x1 = sorted((x0, x1))
    y0, y1 = sorted((y0, y1))
    sound = all(map(math.isfinite, (x0, y0, x1, y1))) and 10 < x1 - x0 < _LARGEST and 10 < y1 - y0 < _LARGEST
    return (x0, y0, x1, y1) if sound else _DEFAULT_BOX


def _box_around(content: PageContent) -> tuple[float, float, float, float]:
    upright = [run for run in content.runs if run.direction == 0] or content.runs
    return (
        min(run.x0 for run in upright) - 36,
        min(run.y for run in upright) - 36,
        max(run.x1 for run in upright) + 36,
        max(run.y for run in upright) + 36,
    )


def _turns(page: Any) -> int:
    try:
        return int(page.rotation or 0) // 90 % 4
    except damage_errors():
        return 0


def _is_garbage(lines: Iterable[Line]) -> bool:
    """Whether most characters of a page are undecodable."""
    text = "".join(line.text for line in lines)
    return text.count(UNKNOWN) > 0.5 * (len(text) - text.count(" "))


def _mixes_scripts(lines: Iterable[Line]) -> bool:
    """Whether many words have Latin letters between those of a script that runs from right to left.

    Old fonts of such scripts put some of their letters at the codes of others, and no table says so.
    """
    words = [word for line in lines if has_right_to_left(line.text) for word in line.text.split()]
    words = [word for word in words if has_right_to_left(word)]
    mixed = sum(_BETWEEN.search(word) is not None for word in words)
    return mixed >= _LEAST_MIXED and mixed > _MOST_MIXED * len(words)


def _named(numbers: Sequence[int]) -> str:
    """Page numbers for a message, at most eight of them."""
    shown = ", ".join(map(str, numbers[:8])) + (f" and {len(numbers) - 8} more" if len(numbers) > 8 else "")
    return f"PDF page {shown}" if len(numbers) == 1 else f"PDF pages {shown}"


# A Latin letter beside an Arabic or Hebrew one, and how many such words a page of text may have.
_BETWEEN = regex(
    r"[a-zA-Z][\u05d0-\u05ea\u0620-\u064a\ufb50-\ufefc]|[\u05d0-\u05ea\u0620-\u064a\ufb50-\ufefc][a-zA-Z]"
)
_LEAST_MIXED, _MOST_MIXED = 10, 0.4
_LEFT_OUT = {Region.MARGIN: "notes in the margin", Region.LABEL: "labels in figures"}
_SIDEWAYS = "text set sideways"


def read_pdf(raw: RawSource, options: ReadOptions) -> Document:
    """Read a PDF.

    Args:
        raw: The file; ``raw.progress`` is called after each page.
        options: ``pdf_pages``, ``password``, ``ocr`` and ``jobs`` are used.

    Returns:
        The document; headings and paragraphs in reading order, each sentence with its PDF page.

    Raises:
        SourceError: It is not a PDF, is encrypted, is damaged beyond repair, or contains no text.
        OptionError: The requested pages do not exist.
        MissingDependency: Text has to be recognised always, and no engine is installed.
    """
    tally = Tally()
    with quiet() as messages, unpacking_limits():
        pdf = open_pdf(raw, options.password, messages)
        numbers = parse_pdf_pages(options.pdf_pages, len(pdf.pages), raw.name)
        raw.budget.allow(options.limits(num_bytes=len(raw.content), pdf_pages=len(numbers)))
        read = read_pages(pdf, numbers, raw.name, raw.progress, messages, raw.budget, options.page_seconds)
        read = _recognise_pages(read, raw, options, tally)
        if len(read.without_text) == len(read.pages):
            raise _no_text(raw.name, read, pdf, ocr=options.ocr)
        asked = set(numbers)
        outline = [entry for entry in read_outline(pdf.reader, pdf.pages) if entry.pdf_page in asked]
        claimed_title = _claimed_title(pdf.reader)
        language = _language(pdf.reader)
    title, passages = arrange_pages(read.pages, outline, claimed_title, tally)
    return compose_document(
        divide_passages(passages, tally),
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
            ocr_pages=read.recognised,
            pdf_pages_unread_glyphs=tuple(read.unread_glyphs),
            glyphs_unread=sum(read.unread_glyphs.values()),
            unknown=pdf.losses + read.losses,
            left_out=tally.left_out(),
            warnings=read.warnings,
        ),
    )


def _recognise_pages(read: ReadPages, raw: RawSource, options: ReadOptions, tally: Tally) -> ReadPages:
    """The pages with the text of those that need it recognised in their images."""
    if options.ocr is Ocr.NEVER:
        return read
    wanted = [
        page.number
        for page in read.pages
        if page.number not in {*read.blank, *read.failed} and (options.ocr is Ocr.ALWAYS or not page.lines)
    ]
    if not wanted:
        return read
    from lsum_cli.reading.ocr.engines import find_engine
    from lsum_cli.reading.ocr.recognition import need_engine, recognise, remark_on
    from lsum_cli.reading.pdf.scans import PageRenderer, to_page_lines

    engine = need_engine("--ocr always") if options.ocr is Ocr.ALWAYS else find_engine()
    if engine is None:
        return read
    raw.budget.allow(
        options.limits(num_bytes=len(raw.content), pdf_pages=len(read.pages), images=len(wanted))
    )
    with PageRenderer(raw.content, options.password) as render:
        found = recognise(
            wanted,
            render,
            raw.content,
            engine,
            jobs=options.jobs,
            keep=options.password is None,
            progress=raw.progress,
        )
    remark_on(found, raw.name, name_pdf_pages(found.pages), raw.progress)
    tally.add_words(UNCERTAIN, found.uncertain_words)
    return replace(
        read,
        pages=tuple(
            to_page_lines(found.pages[page.number], page.number) if page.number in found.pages else page
            for page in read.pages
        ),
        undecoded=tuple(number for number in read.undecoded if number not in found.pages),
        unread_glyphs={page: many for page, many in read.unread_glyphs.items() if page not in found.pages},
        recognised=tuple(found.pages),
        remarks=(*read.remarks, *found.warnings),
    )


def arrange_pages(
    pages: Sequence[PageLines], outline: Sequence[OutlineEntry], claimed_title: str | None, tally: Tally
) -> tuple[Title | None, list[Passage]]:
    """The title and the passages of a document, from the lines of its pages; what is left out is counted."""
    last = last_steps(pages)
    outline = [replace(each, pdf_page=last.get(each.pdf_page, each.pdf_page)) for each in outline]
    body = find_body_type(line for page in pages for line in page.lines)
    furniture = find_furniture(pages, body, outline)
    furniture -= text_of_slides(furniture, pages, last)
    contents = find_contents(pages, furniture)
    body = find_body_type(line for page in pages for line in page.lines if id(line) not in furniture)
    title = find_title(claimed_title, pages, body, outline, furniture)
    if title and UNKNOWN in title.text:
        title = None
    used = furniture | contents | (titling(title.lines, pages, last) if title else set())
    complete = [page for page in pages if page.number not in last]
    placed = place_blocks(complete, used, body)
    for page in pages:
        for line in page.lines:
            if id(line) in furniture:
                tally.add(FURNITURE, line.text)
            elif id(line) in contents:
                tally.add(TABLE_OF_CONTENTS, line.text)
            elif page.number in last:
                tally.add(EARLIER_STEPS, line.text)
        for text in page.sideways:
            tally.add(_SIDEWAYS, text)
    for each in placed:
        if each.region in _LEFT_OUT:
            for line in each.block.lines:
                tally.add(_LEFT_OUT[each.region], line.text)
    placed = [each for each in placed if each.region not in _LEFT_OUT]
    headings = find_headings(placed, body, outline, title.text if title else None)
    headings = with_voices(placed, headings, find_voices(pages, furniture))
    vocabulary = Vocabulary(line.text for each in placed for line in each.block.lines)
    return title, make_passages(flow(arrange(placed, headings), body, vocabulary), tally)


def _no_text(name: str, read: ReadPages, pdf: OpenPdf, *, ocr: Ocr) -> SourceError:
    """The error for a PDF without any text."""
    if pdf.is_cut and pdf.damaged:
        left = f"{len(pdf.pages):,} page{'s' * (len(pdf.pages) != 1)}"
        return SourceError(f"{name} is cut off: there is no text on the {left} left of it", "get it again")
    from lsum_cli.reading.ocr.engines import INSTALL, find_engine

    next_step = "leave out --ocr never" if ocr is Ocr.NEVER else f"install an OCR engine: {INSTALL}"
    has_engine = ocr is not Ocr.NEVER and find_engine() is not None
    remarks = "".join(f"; {remark}" for remark in read.remarks)
    if read.failed and len(read.failed) == len(read.pages):
        return SourceError(
            f"{name} is damaged: none of its pages could be read",
            "repair it with `qpdf in.pdf out.pdf`, or get it again",
        )
    if read.undecoded:
        return SourceError(
            f"the text of {name} cannot be decoded: its fonts do not say which letters they show{remarks}",
            "get it again, or with other fonts" if has_engine else next_step,
        )
    pages = "page read is" if len(read.pages) == 1 else f"{len(read.pages):,} pages read are"
    if len(read.blank) == len(read.pages):
        state = "; it is damaged" if pdf.damaged else ""
        return SourceError(
            f"{name} contains no text: the {pages} blank{state}", "check that it is the right file"
        )
    if has_engine:
        return SourceError(
            f"{name} contains no text: none was recognised in the images of its pages{remarks}",
            "check that it is the right file",
        )
    return SourceError(f"{name} has no text layer: the {pages} without text, perhaps scanned", next_step)


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
    return language_code(found)
