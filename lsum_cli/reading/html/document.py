"""HTML pages: articles, documentation, whole books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import Block, Tally, language_code, make_document
from lsum_cli.reading.charsets import declared_charset, decode
from lsum_cli.reading.html.access import page_access
from lsum_cli.reading.html.blocks import to_blocks
from lsum_cli.reading.html.choice import choose_blocks
from lsum_cli.reading.html.titles import find_title, without_title
from lsum_cli.reading.intake import empty
from lsum_cli.reading.markup import clean_html, ends_within, parse_html
from lsum_cli.reading.registry import RawSource, ReadOptions

if TYPE_CHECKING:
    from lxml.html import HtmlElement


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
    title = find_title(root, blocks)
    blocks = without_title(blocks, title)
    return make_document(
        raw,
        blocks,
        tally,
        title=title,
        language=find_language(root),
        warnings=(*decoded.warnings, *access.warnings(reads_article=reads_article)),
        lost=(f"the page ends within {hiding}, which hides the rest of it",) if hiding else (),
    )


def find_language(root: HtmlElement) -> str | None:
    """The two-letter language that the page declares."""
    return language_code(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang"))
