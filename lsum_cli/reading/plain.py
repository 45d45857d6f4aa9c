"""Plain text: hard-wrapped or one line a paragraph, with the headings that people type."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsum_cli.documents import Document, Metadata, compose_document
from lsum_cli.reading.blocks import Block, Tally, gather_passages
from lsum_cli.reading.decoding import decode
from lsum_cli.reading.gutenberg import unwrap_gutenberg
from lsum_cli.reading.headings import find_contents, find_headings
from lsum_cli.reading.layout import LineGroup, LineJoiner, group_lines, split_lines
from lsum_cli.reading.options import RawSource, ReadOptions
from lsum_cli.reading.running import remove_running_lines

TABLE_OF_CONTENTS = "table of contents"
AUTHOR_LINE = "author line"

_BYLINE = re.compile(r"by(?:\s+\S.*)?", re.I)
_MAX_BYLINE_WORDS = 12
_MAX_TITLE_WORDS = 20
_MAX_TITLE_LINES = 3
_MIN_GROUPS_BELOW_TITLE = 2
_TITLE_END = re.compile(r"[.,;:!?]$")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainText:
    """What a plain text consists of.

    Attributes:
        title: Its title, or ``None``.
        blocks: Headings and paragraphs.
        language: Two-letter code where the text declares it.
    """

    title: str | None
    blocks: tuple[Block, ...]
    language: str | None = None


def read_plain(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a plain text."""
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    plain = parse_plain(decoded.text, tally)
    return compose_document(
        gather_passages(plain.blocks),
        id=raw.id,
        source=raw.name,
        title=plain.title,
        language=plain.language,
        metadata=Metadata(
            media_type=raw.media_type,
            num_bytes=len(raw.content),
            left_out=tally.left_out(),
            warnings=decoded.warnings,
        ),
    )


def parse_plain(text: str, tally: Tally, *, is_whole: bool = True) -> PlainText:
    """Find title, headings and paragraphs of a plain text.

    Args:
        text: The text, decoded.
        tally: Counts what is no part of it: running lines, licence, table of contents.
        is_whole: Whether the text is a whole document, which may open with its title.
    """
    book = unwrap_gutenberg(text, tally)
    lines = remove_running_lines(split_lines(book.text), tally)
    groups = group_lines(lines)
    title = book.title
    joiner = LineJoiner(lines)
    headings = find_headings(groups)
    contents = find_contents(groups, headings)
    blocks: list[Block] = []
    index = 0
    if is_whole and 0 not in headings and 0 not in contents and _opens_with_title(groups):
        title = title or groups[0].text
        index = _after_byline(groups, tally)
    while index < len(groups):
        group = groups[index]
        heading = headings.get(index)
        if heading is not None:
            blocks.append(Block(text=heading.text, level=heading.level))
            index = heading.last_group
        elif index in contents:
            tally.add(TABLE_OF_CONTENTS, group.text)
        else:
            blocks.extend(Block(text=paragraph) for paragraph in joiner.paragraphs(group.lines))
        index += 1
    return PlainText(title=title, blocks=tuple(blocks), language=book.language)


def _after_byline(groups: list[LineGroup], tally: Tally) -> int:
    """Index after the title and the author below it: ``by H. G. Wells``, on one line or two."""
    byline = groups[1]
    if not _BYLINE.fullmatch(byline.text) or byline.num_words > _MAX_BYLINE_WORDS:
        return 1
    is_alone = byline.num_words == 1 and groups[2].num_words <= _MAX_BYLINE_WORDS
    used = groups[1:3] if is_alone else groups[1:2]
    for group in used:
        tally.add(AUTHOR_LINE, group.text)
    return 1 + len(used)


def _opens_with_title(groups: list[LineGroup]) -> bool:
    if len(groups) <= _MIN_GROUPS_BELOW_TITLE:
        return False
    first = groups[0]
    return (
        len(first.lines) <= _MAX_TITLE_LINES
        and first.num_words <= _MAX_TITLE_WORDS
        and not _TITLE_END.search(first.text)
    )
