"""Images of pages as sources: photographs, screenshots, scans; a TIFF may hold several pages."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lsum_cli.documents import Document, Metadata, Passage, compose_document
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import UNCERTAIN, Tally
from lsum_cli.reading.ocr.engines import EngineFailure
from lsum_cli.reading.ocr.pages import DPI, MAX_PIXELS, MAX_SIDE, SUITABLE_PIXELS, PageImage
from lsum_cli.reading.ocr.recognition import need_engine, recognise, remark_on
from lsum_cli.reading.pdf.document import arrange_pages
from lsum_cli.reading.pdf.file import DAMAGE, parse_pdf_pages
from lsum_cli.reading.pdf.lines import PageLines
from lsum_cli.reading.pdf.scans import to_page_lines
from lsum_cli.reading.registry import Ocr, RawSource, ReadOptions

if TYPE_CHECKING:
    from PIL.Image import Image

# Pillow reports damage by these and by those that PDFs cause.
_DAMAGE = (*DAMAGE, EOFError, SyntaxError)
# Cameras and screenshots declare a resolution that means nothing; a page is then as long as a letter.
_BELIEVABLE_DPI = (100.0, 1300.0)
_BELIEVABLE_INCHES = (2.0, 50.0)
_INCHES = 11.0
_LEAST_DPI, _MOST_DPI = 220.0, 450.0
_MAX_ENLARGED = 4.0


def read_image(raw: RawSource, options: ReadOptions) -> Document:
    """Read the text of an image, laid out as on a page of a PDF.

    Args:
        raw: The file; ``raw.progress`` is called after each page.
        options: ``ocr``, ``jobs`` and, for several pages, ``pdf_pages`` are used.

    Returns:
        The document; the sentences of an image of several pages have their page as PDF page.

    Raises:
        SourceError: It is damaged, too large, or contains no text that is recognised.
        MissingDependency: No OCR engine is installed.
        OptionError: The requested pages do not exist.
    """
    if options.ocr is Ocr.NEVER:
        raise SourceError(f"{raw.name} is an image, which only OCR can read", "leave out --ocr never")
    engine = need_engine(f"{raw.name} is an image: reading it")
    frames = _Frames(raw)
    numbers = parse_pdf_pages(options.pdf_pages, frames.count, raw.name) if frames.count > 1 else (1,)
    raw.budget.allow(options.limits(num_bytes=len(raw.content), images=len(numbers)))
    found = recognise(numbers, frames, raw.content, engine, jobs=options.jobs, progress=raw.progress)
    if not found.pages:
        reason = f": {found.warnings[0]}" if found.warnings else ""
        raise SourceError(f"{raw.name} contains no text that could be recognised{reason}", "check the image")
    remark_on(found, raw.name, f"{len(found.pages):,} pages" if frames.count > 1 else "read", raw.progress)
    tally = Tally()
    tally.add_words(UNCERTAIN, found.uncertain_words)
    empty = PageLines(number=0, width=612.0, height=792.0, drawn=True)
    pages = [
        to_page_lines(found.pages[number], number) if number in found.pages else replace(empty, number=number)
        for number in numbers
    ]
    title, passages = arrange_pages(pages, (), None, tally)
    several = frames.count > 1
    return compose_document(
        passages if several else _without_page(passages),
        id=raw.id,
        source=raw.name,
        title=title.text if title else None,
        metadata=Metadata(
            media_type=raw.media_type,
            num_bytes=len(raw.content),
            pdf_pages=frames.count if several else None,
            pdf_pages_read=numbers if several else (),
            pdf_pages_without_text=tuple(number for number in numbers if number not in found.pages),
            ocr_pages=tuple(found.pages),
            left_out=tally.left_out(),
            warnings=found.warnings,
        ),
    )


def _without_page(passages: Sequence[Passage]) -> list[Passage]:
    """The passages without page numbers, which a single image does not have."""
    return [
        replace(
            passage,
            paragraphs=tuple(
                replace(each, pieces=tuple(replace(piece, pdf_page=None) for piece in each.pieces))
                for each in passage.paragraphs
            ),
        )
        for passage in passages
    ]


class _Frames:
    """The pages of an image file; may be called by several threads, each of which decodes for itself.

    Raises:
        SourceError: The file is damaged or too large; nothing has been decoded then.
    """

    def __init__(self, raw: RawSource) -> None:
        self._content = raw.content
        try:
            image = _open(raw.content)
            self.count = int(getattr(image, "n_frames", 1))
            width, height = image.size
        except _TooLarge:
            raise _too_large(raw.name) from None
        except _DAMAGE as error:
            raise SourceError(f"{raw.name} is damaged and cannot be read: {error}", "get it again") from error
        if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
            raise _too_large(f"{raw.name}, of {width:,} × {height:,} pixels,")

    def __call__(self, number: int) -> PageImage:
        """The page with a number, upright and at a resolution that suits the engines.

        Raises:
            EngineFailure: It is damaged or too large.
        """
        try:
            image = _open(self._content)
            image.seek(number - 1)
            if image.size[0] * image.size[1] > MAX_PIXELS or max(image.size) > MAX_SIDE:
                raise EngineFailure("it is too large")
            return _page_image(image)
        except (_TooLarge, MemoryError):
            raise EngineFailure("it is too large") from None
        except _DAMAGE as error:
            raise EngineFailure(f"it is damaged: {error}") from error


class _TooLarge(Exception):
    """Pillow refuses to decode so many pixels."""


def _too_large(what: str) -> SourceError:
    return SourceError(
        f"{what} is too large: at most {MAX_PIXELS // 1_000_000} million pixels are recognised",
        "scale it down, or cut it into pages",
    )


def _open(content: bytes) -> Image:
    """Read the header of an image; its pixels are decoded when they are used."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "TIFF"))
        except Image.DecompressionBombError:
            raise _TooLarge from None


def _page_image(image: Image) -> PageImage:
    from PIL import Image, ImageOps

    declared = image.info.get("dpi")
    upright = ImageOps.exif_transpose(image)
    grey = _grey(upright)
    dpi = _resolution(grey.size, declared)
    fitting = math.sqrt(SUITABLE_PIXELS / (grey.width * grey.height))
    if fitting < 1 or not _LEAST_DPI <= dpi <= _MOST_DPI:
        scale = min(DPI / dpi, _MAX_ENLARGED, fitting)
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        grey = grey.resize(size, Image.Resampling.LANCZOS)
        dpi *= scale
    return PageImage(pixels=grey.tobytes(), width=grey.width, height=grey.height, dpi=dpi)


def _grey(image: Image) -> Image:
    from PIL import Image

    if image.mode.startswith(("I", "F")):  # 16 bits a pixel and more
        deep = image.convert("F")
        lowest, highest = (float(str(value)) for value in deep.getextrema())
        scale = 255 / max(highest - lowest, 1.0)
        return deep.point(lambda value: value * scale - lowest * scale).convert("L")
    if "A" in image.getbands() or "transparency" in image.info:
        paper = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(paper, image.convert("RGBA")).convert("L")
    return image.convert("L")


def _resolution(size: tuple[int, int], declared: Any) -> float:
    """Pixels per inch, as declared where that is believable."""
    longest = max(size)
    try:
        dpi = float(declared[0])
    except (TypeError, ValueError, IndexError, ZeroDivisionError):
        dpi = 0.0
    inches = longest / dpi if dpi else 0.0
    low, high = _BELIEVABLE_INCHES
    if _BELIEVABLE_DPI[0] <= dpi <= _BELIEVABLE_DPI[1] and low <= inches <= high:
        return dpi
    return max(longest / _INCHES, 30.0)
