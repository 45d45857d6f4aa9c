"""Images of pages, and the lines that are recognised in them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

POINTS_PER_INCH = 72.0
DPI = 300.0
"""The resolution at which engines recognise best, in pixels per inch."""
MAX_PIXELS = 100_000_000
"""The largest image that is recognised: more than A3 at 600 pixels per inch."""
SUITABLE_PIXELS = 40_000_000
"""Larger images are scaled down for the engines: A2 at 300 pixels per inch."""
MAX_SIDE = 30_000
"""The longest side of an image that the engines accept, in pixels."""

# Sizes in parts of the usual one: surely the same; perhaps the same; how far apart lines of a paragraph are.
_SMALLER, _LARGER = 0.87, 1.18
_MUCH_SMALLER, _MUCH_LARGER = 0.65, 1.5
_CLOSE = 1.5
# Strokes of bold type in parts of those of the usual one.
_BOLD = 1.15


@dataclass(frozen=True, kw_only=True, slots=True)
class PageImage:
    """A page as a grey image.

    Attributes:
        pixels: Rows from the top, a byte a pixel, 0 for black.
        width, height: In pixels.
        dpi: Resolution in pixels per inch.
    """

    pixels: bytes
    width: int
    height: int
    dpi: float

    def as_pgm(self) -> bytes:
        """The image as a portable grey map."""
        return b"P5 %d %d 255\n" % (self.width, self.height) + self.pixels

    def stroke_width(self, left: float, top: float, right: float, bottom: float) -> float:
        """The mean width of the strokes in a part of the image, in points; sides in pixels."""
        import numpy

        grey = numpy.frombuffer(self.pixels, numpy.uint8).reshape(self.height, self.width)
        part = grey[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)]
        if part.size == 0:
            return 0.0
        dark, light = numpy.percentile(part, (2, 90))
        ink = part < (float(dark) + float(light)) / 2
        edges = (ink[:, 1:] != ink[:, :-1]).sum() + (ink[1:] != ink[:-1]).sum()
        return float(2 * ink.sum() / max(1, int(edges)) * POINTS_PER_INCH / self.dpi)

    def turned(self, quarters: int) -> PageImage:
        """The image turned anticlockwise by quarter turns."""
        import numpy

        grey = numpy.frombuffer(self.pixels, numpy.uint8).reshape(self.height, self.width)
        turned = numpy.rot90(grey, quarters)
        return replace(self, pixels=turned.tobytes(), width=turned.shape[1], height=turned.shape[0])


@dataclass(frozen=True, kw_only=True, slots=True)
class RecognisedLine:
    """Words on one baseline.

    Attributes:
        text: With single spaces.
        x0, x1: Left and right end in points.
        y: The baseline, in points from the bottom of the page.
        size: Font size in points.
        slope: How much the baseline rises, in points per point.
        stroke: Mean width of the strokes of its letters in points; 0 where it was not measured.
        bold: Whether its strokes are wider than those of most of the text; :func:`evened` decides that.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    slope: float = 0.0
    stroke: float = 0.0
    bold: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class RecognisedPage:
    """What was recognised on a page.

    Attributes:
        width, height: In points.
        lines: In the order of the engine.
        uncertain_words: How many words were left out as too uncertain.
    """

    width: float
    height: float
    lines: tuple[RecognisedLine, ...] = ()
    uncertain_words: int = 0

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(line.text for line in self.lines)

    def straightened(self) -> RecognisedPage:
        """The page as if it had lain straight: without the slope that its lines share."""
        slopes = [line.slope for line in self.lines for _ in range(max(1, round(line.x1 - line.x0)) // 50)]
        slope = median(slopes) if slopes else 0.0
        if not slope:
            return self
        return replace(self, lines=tuple(_straightened(line, slope) for line in self.lines))

    def to_json(self) -> dict[str, Any]:
        """The page as an object for :meth:`from_json`."""
        return {**asdict(self), "lines": [asdict(line) for line in self.lines]}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> RecognisedPage:
        """The page that :meth:`to_json` described.

        Raises:
            TypeError, KeyError: It is not such an object.
        """
        lines = tuple(RecognisedLine(**line) for line in record["lines"])
        return cls(**{**record, "lines": lines})


def _straightened(line: RecognisedLine, slope: float) -> RecognisedLine:
    # A small turn around the lower left corner of the page.
    length = (line.x1 - line.x0) * math.hypot(1.0, slope)
    x0 = line.x0 + slope * line.y
    return replace(line, x0=x0, x1=x0 + length, y=line.y - slope * line.x0, slope=line.slope - slope)


def evened(pages: Sequence[RecognisedPage]) -> list[RecognisedPage]:
    """The pages with the sizes of their lines evened out, and with those in bold type marked.

    Sizes are measured on a few letters a line and vary, and the layout tells headings from text by them.
    Sizes near that of most of the text become the same, as does that of a line close between two such.
    """
    lines = [line for page in pages for line in page.lines]
    usual = _weighted_median(sorted((line.size, len(line.text)) for line in lines))
    even = [replace(page, lines=tuple(_evened_lines(page.lines, usual))) for page in pages]
    usual_stroke = _weighted_median(sorted((line.stroke, len(line.text)) for line in lines))
    return [
        replace(
            page,
            lines=tuple(
                # Small letters have strokes that are wide for their size, though not bold.
                replace(line, bold=line.stroke > _BOLD * usual_stroke * max(1.0, line.size / usual))
                for line in page.lines
            ),
        )
        for page in even
    ]


def _evened_lines(lines: Sequence[RecognisedLine], usual: float) -> Iterator[RecognisedLine]:
    even = [
        replace(line, size=usual) if _SMALLER * usual < line.size < _LARGER * usual else line
        for line in lines
    ]
    for line in even:
        beside = [other for other in even if other.size == usual and _is_close(line, other, usual)]
        within = any(other.y > line.y for other in beside) and any(other.y < line.y for other in beside)
        misread = _MUCH_SMALLER * usual < line.size < _MUCH_LARGER * usual
        yield replace(line, size=usual) if within and misread else line


def _is_close(line: RecognisedLine, other: RecognisedLine, size: float) -> bool:
    """Whether lines are above one another without a gap, and begin at the same place."""
    return 0 < abs(line.y - other.y) < _CLOSE * size and abs(line.x0 - other.x0) < 2 * size


def _weighted_median(values: Sequence[tuple[float, int]]) -> float:
    """The median of ascending values with their weights."""
    half = sum(weight for _, weight in values) / 2
    for value, weight in values:
        half -= weight
        if half <= 0:
            return value
    return 0.0
