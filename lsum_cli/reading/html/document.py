"""HTML pages: articles, documentation, whole books."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import Block, Tally, language_code, make_document
from lsum_cli.reading.charsets import declared_charset, decode
from lsum_cli.reading.html.access import page_access
from lsum_cli.reading.html.blocks import to_blocks
from lsum_cli.reading.html.elements import text_of
from lsum_cli.reading.html.main_content import choose_blocks
from lsum_cli.reading.html.walk import apart
from lsum_cli.reading.intake import empty
from lsum_cli.reading.markup import clean_html, ends_within, parse_html
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_SITE_SEPARATOR = regex(r"\s+(?:[|·–—»«‹›:•]|-|::)\s+")
# What no title is written with.
_SURE_SEPARATOR = regex(r"\s+[|»«‹›](?:\s+|$)")
_MIN_NAMED_SHARE = 0.6
_MIN_TEXT_WORDS = 8
_MOST_OF_SITE = 3  # words of the name of a site
_TITLE_METAS = ("citation_title", "dc.title", "og:title", "twitter:title")


def read_html(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a page: its text and headings, without navigation and other boilerplate.

    Raises:
        SourceError: It contains no text, or keeps it from those without JavaScript or a subscription.
    """
    decoded = decode(raw.content, raw.charset or declared_charset(raw.content))
    text = clean_html(decoded.text)
    root = parse_html(text, raw.name)
    if root is None:
        raise empty(raw.name)
    tally = Tally()
    hiding = ends_within(text)
    access = page_access(root)
    blocks = to_blocks(choose_blocks(root, text, tally), tally)
    words = sum(len(block.text.split()) for block in blocks)
    reads_article = access.prefers_article(words)
    if reads_article:
        tally = Tally()
        blocks = [Block(text=paragraph) for paragraph in (access.article or "").splitlines()]
    else:
        access.check(raw.name, words)
    title = _find_title(root, blocks)
    blocks = _without_title(blocks, title)
    return make_document(
        raw,
        blocks,
        tally,
        title=title,
        language=find_language(root),
        warnings=(*decoded.warnings, *access.warnings(words, reads_article=reads_article)),
        lost=(f"the page ends within {hiding}, which hides the rest of it",) if hiding else (),
    )


def find_language(root: HtmlElement) -> str | None:
    """The two-letter language that the page declares."""
    return language_code(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang"))


def _find_title(root: HtmlElement, blocks: list[Block]) -> str | None:
    """The title of the text, without the name of the site."""
    metas = {
        (meta.get("name") or meta.get("property") or "").lower(): normalise(meta.get("content") or "")
        for meta in root.iter("meta")
    }
    element = next(root.iter("title"), None)
    page_title = normalise(element.text or "") if element is not None else ""
    # Some sites name themselves in it.
    named_twice = {"dc.title": page_title or metas.get("dc.title", "")}
    for key in _TITLE_METAS[:2]:
        if metas.get(key) and _is_named_in(metas[key], named_twice.get(key, metas[key])):
            return metas[key]
    shared = next((metas[key] for key in _TITLE_METAS[2:] if metas.get(key)), "")
    site = metas.get("og:site_name", "")
    opening = itertools.takewhile(
        lambda block: block.level or len(block.text.split()) < _MIN_TEXT_WORDS, blocks
    )
    for heading in reversed([block.text for block in opening if block.level]):
        # The name of the site may be a heading above.
        if _is_named_in(heading, page_title) and not _is_of_site(heading, site, shared):
            return heading
    headings = [apart(normalise(text_of(element))) for element in root.iter("h1")]
    headings = [heading for heading in headings if not _is_of_site(heading, site, shared)]
    named = [heading for heading in headings if _is_named_in(heading, page_title)]
    if named or (len(headings) == 1 and headings[0]):
        return max(named or headings, key=len)
    if shared:
        return max(_SURE_SEPARATOR.split(shared), key=len)
    parts = _SITE_SEPARATOR.split(page_title)
    return max(parts, key=len) if page_title else None


def _is_of_site(heading: str, site: str, shared: str) -> bool:
    """Whether a heading names the site rather than the text, by what is shared of the page elsewhere."""
    of_text = set(re.findall(r"\w+", shared.lower()))
    words = set(re.findall(r"\w+", heading.lower()))
    return (
        bool(of_text) and not words & of_text and (len(words) <= _MOST_OF_SITE or _is_named_in(heading, site))
    )


def _without_title(blocks: list[Block], title: str | None) -> list[Block]:
    """The blocks without a first heading that repeats the title."""
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
