"""HTML pages: articles, documentation, whole books."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from lsum_cli.documents import Document, Metadata, compose_document
from lsum_cli.reading.blocks import Block, Tally, gather_passages
from lsum_cli.reading.decoding import declared_charset, decode
from lsum_cli.reading.elements import text_of
from lsum_cli.reading.intake import empty
from lsum_cli.reading.markup import clean_html, parse_html
from lsum_cli.reading.options import RawSource, ReadOptions
from lsum_cli.reading.webpage import choose_blocks, to_blocks
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_SITE_SEPARATOR = re.compile(r"\s+(?:[|·–—»«:•]|-|::)\s+")
_MIN_NAMED_SHARE = 0.6
_MIN_TEXT_WORDS = 8
_TITLE_METAS = ("citation_title", "dc.title", "og:title", "twitter:title")


def read_html(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a page: its text with headings, without navigation and the like."""
    decoded = decode(raw.content, raw.charset or declared_charset(raw.content))
    text = clean_html(decoded.text)
    root = parse_html(text, raw.name)
    if root is None:
        raise empty(raw.name)
    tally = Tally()
    blocks = to_blocks(choose_blocks(root, text, tally), tally)
    title = find_title(root, blocks)
    blocks = without_title(blocks, title)
    return compose_document(
        gather_passages(blocks),
        id=raw.id,
        source=raw.name,
        title=title,
        language=find_language(root),
        metadata=Metadata(
            media_type=raw.media_type,
            num_bytes=len(raw.content),
            left_out=tally.left_out(),
            warnings=decoded.warnings,
        ),
    )


def find_language(root: HtmlElement) -> str | None:
    """The two-letter language that the page declares."""
    declared = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    code = re.match(r"[A-Za-z]{2}(?=$|[-_])", declared.strip())
    return code.group().lower() if code else None


def find_title(root: HtmlElement, blocks: list[Block]) -> str | None:
    """The title of the text, rather than of the site."""
    metas = {
        (meta.get("name") or meta.get("property") or "").lower(): normalise(meta.get("content") or "")
        for meta in root.iter("meta")
    }
    for key in _TITLE_METAS[:2]:
        if metas.get(key):
            return metas[key]
    element = next(root.iter("title"), None)
    page_title = normalise(element.text or "") if element is not None else ""
    opening = itertools.takewhile(
        lambda block: block.level or len(block.text.split()) < _MIN_TEXT_WORDS, blocks
    )
    for heading in reversed([block.text for block in opening if block.level]):
        # The name of the site may stand above in a heading of its own.
        if _is_named_in(heading, page_title):
            return heading
    headings = [normalise(text_of(element)) for element in root.iter("h1")]
    named = [heading for heading in headings if _is_named_in(heading, page_title)]
    if named or (len(headings) == 1 and headings[0]):
        return max(named or headings, key=len)
    for key in _TITLE_METAS[2:]:
        if metas.get(key):
            return metas[key]
    parts = _SITE_SEPARATOR.split(page_title)
    return max(parts, key=len) if page_title else None


def without_title(blocks: list[Block], title: str | None) -> list[Block]:
    """The blocks without a heading at the beginning that only repeats the title."""
    for index, block in enumerate(blocks):
        if block.level and title is not None and _letters(block.text) == _letters(title):
            return blocks[:index] + blocks[index + 1 :]
        if not block.level and len(block.text.split()) >= _MIN_TEXT_WORDS:
            break
    return blocks


def _is_named_in(heading: str, page_title: str) -> bool:
    words = set(re.findall(r"\w+", heading.lower()))
    return bool(words) and len(words & set(re.findall(r"\w+", page_title.lower()))) >= _MIN_NAMED_SHARE * len(
        words
    )


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w", text.lower()))
