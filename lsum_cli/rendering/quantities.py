"""Quantities in words: counts, sizes, durations, PDF pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

UNKNOWN = "–"
_SIZE_UNITS = (("GB", 1e9, 2), ("MB", 1e6, 0), ("kB", 1e3, 0))


def count(number: int, noun: str) -> str:
    """``"1 page"``, ``"2,301 pages"``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def format_size(size: int | None) -> str:
    """``"1.63 GB"``, in decimal units, as disks and downloads are measured."""
    if size is None:
        return UNKNOWN
    for unit, num_bytes, decimals in _SIZE_UNITS:
        if size >= num_bytes:
            return f"{size / num_bytes:,.{decimals}f} {unit}"
    return f"{size} B"


def format_duration(seconds: float) -> str:
    """``"45 s"``, ``"3 min"``, ``"2 h 5 min"``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60} min"


def format_number(number: int) -> str:
    """``"1.4 million"``, ``"12,345"``."""
    return f"{number / 1e6:,.1f} million" if number >= 1e5 else f"{number:,}"


def format_pdf_pages(pages: Sequence[int]) -> str:
    """``"p. 7"``, ``"pp. 3–5, 9"``, or nothing.

    Args:
        pages: PDF page numbers, ascending.
    """
    if not pages:
        return ""
    ranges = [str(first) if first == last else f"{first}–{last}" for first, last in pdf_page_ranges(pages)]
    return f"{'p.' if len(pages) == 1 else 'pp.'} {', '.join(ranges)}"


def pdf_page_ranges(pages: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of the pages that follow one another, by ascending numbers."""
    if not pages:
        return
    first = last = pages[0]
    for page in pages[1:]:
        if page > last + 1:
            yield first, last
            first = page
        last = page
    yield first, last
