"""Pages of a PDF as images, and what is recognised in them as lines for the layout."""

from __future__ import annotations

import math
import threading
from typing import Any

from lsum_cli.reading.ocr.engines import EngineFailure
from lsum_cli.reading.ocr.pages import DPI, MAX_PIXELS, MAX_SIDE, POINTS_PER_INCH, PageImage, RecognisedPage
from lsum_cli.reading.pdf.fonts import unknown_font
from lsum_cli.reading.pdf.lines import PageLines, read_lines
from lsum_cli.reading.pdf.text_operators import PageContent, Run

# pdfium is not safe for threads, whatever files they have open.
_PDFIUM = threading.Lock()


class PageRenderer:
    """Renders the pages of a PDF; may be called by several threads.

    Args:
        content: The file.
        password: Its password, if it is encrypted.
    """

    def __init__(self, content: bytes, password: str | None) -> None:
        self._content = content
        self._password = password
        self._file: Any = None

    def __call__(self, number: int) -> PageImage:
        """The image of a page, numbered from 1.

        Raises:
            EngineFailure: It cannot be rendered.
        """
        import pypdfium2

        with _PDFIUM:
            try:
                if self._file is None:
                    self._file = pypdfium2.PdfDocument(self._content, password=self._password)
                page = self._file[number - 1]
                scale = _scale(*page.get_size())
                bitmap = page.render(scale=scale, grayscale=True)
                grey = bitmap.to_numpy()
                pixels, (height, width) = grey.tobytes(), grey.shape[:2]
                bitmap.close()
                page.close()
            except (pypdfium2.PdfiumError, IndexError, ValueError, MemoryError) as error:
                raise EngineFailure(f"it cannot be rendered: {error}") from error
        return PageImage(pixels=pixels, width=width, height=height, dpi=scale * POINTS_PER_INCH)

    def close(self) -> None:
        """Close the file."""
        with _PDFIUM:
            if self._file is not None:
                self._file.close()
                self._file = None


def _scale(width: float, height: float) -> float:
    """Pixels per point: as the engines like it, less for a page as large as a poster."""
    longest, area = max(width, height, 1.0), max(width * height, 1.0)
    return min(DPI / POINTS_PER_INCH, MAX_SIDE / longest, math.sqrt(MAX_PIXELS / area))


def to_page_lines(page: RecognisedPage, number: int) -> PageLines:
    """The lines of a recognised page, joined as those of other pages are."""
    content = PageContent(runs=_runs(page), drawn=True)
    return read_lines(content, number, (0.0, 0.0, page.width, page.height))


def _runs(page: RecognisedPage) -> list[Run]:
    font = unknown_font()
    return [
        Run(
            text=line.text,
            x0=line.x0,
            x1=line.x1,
            y=line.y,
            size=line.size,
            font=font,
            direction=0,
            artifact=False,
        )
        for line in page.lines
    ]
