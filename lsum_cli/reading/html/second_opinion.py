"""What Trafilatura, which was tuned on many pages, takes for the text of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsum_cli.reading.html.blocks import PageBlock
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# Larger pages, for which Trafilatura would take too long, are books with little boilerplate.
_MAX_CHARACTERS = 4_000_000
_MAX_DEPTH = 200
_MAX_ELEMENTS = 20_000
_GRAM = 4
_LEAST_ALIKE = 0.5
_WORD = regex(r"\w+")


def kept_by_trafilatura(root: HtmlElement, text: str, blocks: Sequence[PageBlock]) -> list[bool]:
    """For each block, whether Trafilatura keeps it."""
    elements, depth = _measure(root)
    if len(text) > _MAX_CHARACTERS or depth > _MAX_DEPTH or elements > _MAX_ELEMENTS:
        return [False] * len(blocks)
    extracted = _extract(text)
    lines = {" ".join(_WORD.findall(line.lower())) for line in extracted.splitlines()}
    words = _WORD.findall(extracted.lower())
    grams = set(zip(*(words[offset:] for offset in range(_GRAM)), strict=False))
    return [_is_among(block, lines, grams) for block in blocks]


def _is_among(block: PageBlock, lines: set[str], grams: set[tuple[str, ...]]) -> bool:
    words = _WORD.findall(block.text.lower())
    if " ".join(words) in lines:
        return True
    found = [gram in grams for gram in zip(*(words[offset:] for offset in range(_GRAM)), strict=False)]
    return len(found) >= _GRAM and sum(found) >= _LEAST_ALIKE * len(found)


def _extract(text: str) -> str:
    import logging

    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    try:
        found = trafilatura.bare_extraction(
            text, include_comments=False, include_tables=True, favor_recall=True
        )
    except Exception:  # a page that it cannot take apart is judged without it
        return ""
    return str(getattr(found, "text", None) or "")


def _measure(root: HtmlElement) -> tuple[int, int]:
    """The number of elements, and how deep they are nested."""
    from lxml import etree

    elements = depth = deepest = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        elements += event == "start"
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return elements, deepest
