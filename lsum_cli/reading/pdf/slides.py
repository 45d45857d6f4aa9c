"""Slides shown step by step, each step a page that repeats the one before and adds to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.text.patterns import regex

EARLIER_STEPS = "earlier steps of slides"
# Between a line and its like on the next page, in points.
_SHIFT = 2.0
_NUMBER = regex(r"\d+")


def last_steps(pages: Sequence[PageLines]) -> dict[int, int]:
    """For each page that is an earlier step of a slide, the page of its last step.

    A page wider than high is one if the next page has all of its lines, in the same type and as far from
    the left; their height may change, as what is centred moves up when something is added below.

    Args:
        pages: In order.
    """
    last: dict[int, int] = {}
    for page, following in reversed([*pairwise(pages)]):
        if page.lines and page.width > page.height and _holds(following, page.lines):
            last[page.number] = last.get(following.number, following.number)
    return last


def text_of_slides(repeated: set[int], pages: Sequence[PageLines], last: Mapping[int, int]) -> set[int]:
    """Of repeated lines, the ids of those that are text of a slide with steps.

    Only the steps of that slide repeat them (numbers may differ), or one of the steps has them as text.

    Args:
        repeated: Ids of lines.
        pages: All pages.
        last: As :func:`last_steps` returns it.
    """
    slides: dict[str, set[int]] = defaultdict(set)
    as_text: set[tuple[int, str]] = set()
    stepped: list[tuple[Line, int, str]] = []
    with_steps = {*last.values()}
    for page in pages:
        slide = last.get(page.number, page.number)
        for line in page.lines:
            if id(line) in repeated:
                words = _NUMBER.sub("#", line.text)
                slides[words].add(slide)
                if slide in with_steps:
                    stepped.append((line, slide, words))
            elif page.number in last:
                as_text.add((slide, line.text))
    return {
        id(line) for line, slide, words in stepped if len(slides[words]) == 1 or (slide, line.text) in as_text
    }


def titling(lines: Sequence[Line], pages: Sequence[PageLines], last: Mapping[int, int]) -> set[int]:
    """The ids of lines, and of those that repeat them on the last step of their slide.

    Args:
        lines: Those of a title.
        pages: All pages.
        last: As :func:`last_steps` returns it.
    """
    texts = {(last.get(line.pdf_page, line.pdf_page), line.text, line.size) for line in lines}
    repeating = {
        id(line)
        for page in pages
        for line in page.lines
        if page.number in last.values() and (page.number, line.text, line.size) in texts
    }
    return {id(line) for line in lines} | repeating


def _holds(page: PageLines, lines: Sequence[Line]) -> bool:
    """Whether a page has each of the lines, as often as they are given."""
    if len(page.lines) < len(lines):
        return False
    left: dict[str, list[Line]] = defaultdict(list)
    for line in page.lines:
        left[line.text].append(line)
    for line in lines:
        alike = left.get(line.text, [])
        found = next(
            (
                other
                for other in alike
                if abs(other.x0 - line.x0) < _SHIFT and abs(other.size - line.size) < 0.1 * line.size
            ),
            None,
        )
        if found is None:
            return False
        alike.remove(found)
    return True
