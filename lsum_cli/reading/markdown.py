"""Markdown: CommonMark with tables, reduced to headings and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from lsum_cli.documents import Document
from lsum_cli.reading.admonitions import RST_DIRECTIVE, without_admonitions
from lsum_cli.reading.blocks import (
    CODE,
    COMMENTS,
    FRONT_MATTER,
    IMAGES,
    REFERENCE_MARKS,
    TABLE_OF_CONTENTS,
    Block,
    Tally,
    hole,
    join_cells,
    make_document,
    names_contents,
    take_fields,
    take_preamble,
    take_title,
    with_code_above,
)
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.html.blocks import to_blocks
from lsum_cli.reading.html.walk import PageWalk
from lsum_cli.reading.markup import clean_html, parse_html
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.sphinx import DIRECTIVES, SILENT_DIRECTIVES, is_role, name_of_directive, shown_of_role
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = regex(
    r"\A\ufeff?(---|\+\+\+)[ \t]*\n(?P<fields>.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.M | re.S
)
_TITLE_LINE = regex(r"\A\ufeff?% +(?P<title>\S[^\n]*)\n(?P<rest>(?:%[^\n]*\n){0,2})")
# MyST: a line after "%" is a comment there, and the title to Pandoc.
_MYST = regex(
    r"^(?:\([^()\n]{1,200}\)=[ \t]*$|:{3,}[ \t]*\{[a-z]|`{3,}\{(?:[a-z]+:[a-z]+|code-block|code-cell"
    r"|toctree|note|tip|warning|important|seealso|admonition|include|literalinclude|contents|eval-rst)\})|\A\ufeff?%[^\n]*\bSPDX-",
    re.M,
)
_COMMENT_LINE = regex(r"^%(?P<text>[^\n]*)(?:\n|\Z)", re.M)
_FIELD = regex(r"^[\"']?[\w-]+[\"']?[ \t]*[:=]", re.M)
_TITLE_FIELD = regex(r"^title[ \t]*+[:=][ \t]*+(?P<title>\S[^\n]*)$", re.M | re.I)
_LANGUAGE_FIELD = regex(r"^lang(?:uage)?[ \t]*[:=][ \t]*[\"']?(?P<code>[A-Za-z]{2})\b", re.M | re.I)
# Comments, and what else a browser does not show.
_COMMENT = regex(
    r"<!--(?P<text>.*?)(?:-->|\Z)|<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)|<[?!](?P<declaration>[^>]*+)(?:>|\Z)",
    re.S,
)
_FOOTNOTE_MARK = regex(r"\[\^[^\]\s]{1,40}\]:?")
# "[the gate][weir.Gate]", "[weir.Gate][]": links whose label the makers of a manual define elsewhere.
_DEFINED_ELSEWHERE = regex(r"(?<![^\W_])\[(?P<shown>[^\[\]]*[^\W\d_]{2}[^\[\]]*)\]\[(?:\w+(?:[.:]+\w+)+)?\]")
_HIDDEN_BRACKETS = str.maketrans("[]", "\ue000\ue001")
_SHOWN_BRACKETS = str.maketrans("\ue000\ue001", "[]")
_HEADING_ATTRIBUTES = regex(r"(?:(?<!\s)\s++)?+\{[#.:][^{}]*+\}\s*+$")
# "> [!NOTE]"
_ALERT = regex(r"\[!(?P<kind>NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]")
# The marks of MyST: "{meth}`~valves.Valve.open`", "(chain-care)=" above a heading, "```{toctree}".
_ROLE = regex(r"\{(?P<name>[a-z][\w:+.-]*)\}$", re.I)
_LABEL = regex(r"(?:\([^()\n]{1,200}\)=[ \t]*(?:\n|$))+")
_LABELLED = regex(
    r"^\((?P<label>[^()\n]{1,200})\)=[ \t]*\n(?:[ \t]*+\n)*+#{1,6}[ \t]+(?P<heading>[^\n]*)$", re.M
)
_DIRECTIVE_NAME = regex(r"\{([\w:+.-]+)\}")
_MARKS = regex(r"[`*]|\{[a-z][\w:+.-]*\}(?=`)", re.I)
# "- [x] The tests pass."
_CHECK_BOX = regex(r"\[[ xX]\][ \t]+")
_TURNING_LINE = regex(r"^(?: {0,3}(?P<fence>`{3,}|~{3,})|#{1,6} )", re.M)
_DEEP_QUOTE = regex(r"^((?:[ ]{0,3}>){20})[ >]+", re.M)
_DEEP_INDENT = regex(r"^( {60}) +", re.M)
# The names of emoji before a line: ":tada: New", "### :+1: Improvements". ":author: Jane" names a field.
_PICTURES = regex(
    r"(?::(?:[+-]1|star2?|bug|tada|sparkles|rocket|fire|books|memo|pencil2?|boom|zap|lock|warning"
    r"|(?:heavy|white)_check_mark|heavy_(?:plus|minus)_sign|(?:red|large_blue|white)_circle|(?:green_)?heart|art"
    r"|wrench|hammer(?:_and_wrench)?|(?:building_)?construction(?:_worker)?|arrow_(?:up|down)|recycle|lipstick"
    r"|rotating_light|chart_with_upwards_trend|whale|penguin|robot|globe_with_meridians|bulb|bookmark"
    r"|speech_balloon|mute|children_crossing|seedling|dizzy|wastebasket|eyes|thumbsup|muscle|smile|gift_heart"
    r"|exclamation|information_source|no_entry(?:_sign)?|trophy|shield|pushpin|paperclip|bell|mega|mag(?:_right)?"
    r"|dart|snake|bee|beetle|ant|rainbow|package|ambulance|alien|poop|beers|egg|see_no_evil):[ \t]*)+"
    r"(?=\S)"
)
_CHUNK_CHARACTERS = 1 << 18
_MAX_INLINE_CHARACTERS = 20_000
_MAX_NESTING = 100
_MAX_ENTRY_WORDS = 14


def read_markdown(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a Markdown text."""
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    text, title, language = _take_front_matter(_without_comment_lines(decoded.text, tally), tally)
    found = list(with_code_above(parse_markdown(text, raw.name, tally), tally))
    blocks = _without_contents(found, tally)
    if title is None:
        title, blocks = take_title(blocks)
    elif blocks and blocks[0].level and normalise(blocks[0].text).lower() == title.lower():
        blocks = blocks[1:]
    return make_document(raw, blocks, tally, title=title, language=language, warnings=decoded.warnings)


def parse_markdown(text: str, name: str, tally: Tally) -> Iterator[Block]:
    """The headings and paragraphs of a Markdown text without front matter.

    Args:
        text: The text, its lines ended by line feeds.
        name: The source's name, for messages.
        tally: Counts what is left out: code, comments, images.
    """
    return _read_blocks(_tokens(without_admonitions(text)), name, tally, _headings_by_label(text))


def _without_comment_lines(text: str, tally: Tally) -> str:
    if _COMMENT_LINE.search(text) is None or _MYST.search(text) is None:
        return text
    for line in _COMMENT_LINE.finditer(text):
        tally.add(COMMENTS, line["text"])
    return _COMMENT_LINE.sub("", text)


def _without_contents(blocks: list[Block], tally: Tally) -> list[Block]:
    """The blocks without a table of contents: short lines below such a heading."""
    start = next(
        (at for at, block in enumerate(blocks) if block.level and names_contents(block.text)),
        None,
    )
    if start is None:
        return blocks
    end = next((at for at in range(start + 1, len(blocks)) if blocks[at].level), len(blocks))
    if end == start + 1 or any(len(block.text.split()) > _MAX_ENTRY_WORDS for block in blocks[start:end]):
        return blocks
    for block in blocks[start:end]:
        tally.add(TABLE_OF_CONTENTS, block.text)
    return blocks[:start] + blocks[end:]


def _take_front_matter(text: str, tally: Tally) -> tuple[str, str | None, str | None]:
    """The text without its front matter, and the title and language given there."""
    line = _TITLE_LINE.match(text)
    if line is not None:
        tally.add(FRONT_MATTER, line["rest"])
        return text[line.end() :], line["title"], None
    found = _FRONT_MATTER.match(text)
    if found is None or not _FIELD.search(found["fields"]):
        return *take_preamble(text, tally), None
    take_fields(found["fields"].splitlines(), tally)
    title = _TITLE_FIELD.search(found["fields"])
    language = _LANGUAGE_FIELD.search(found["fields"])
    return (
        text[found.end() :],
        _unquoted(title["title"].strip()) if title else None,
        language["code"].lower() if language else None,
    )


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 2 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if is_quoted else text


def _tokens(text: str) -> Iterator[Token]:
    """The tokens of a text; the children of inline ones are not parsed yet."""
    parser = _parser()
    for chunk in _chunks(_DEEP_QUOTE.sub(r"\1 ", _DEEP_INDENT.sub(r"\1", text))):
        environment: dict[str, object] = {}
        for token in parser.parse(chunk, environment):
            token.children = None
            # The time for brackets and asterisks grows with the square of their number.
            if token.type == "inline" and len(token.content) <= _MAX_INLINE_CHARACTERS:
                token.children = []
                parser.inline.parse(token.content, parser, environment, token.children)
            yield token


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    """What parses any number of texts; to make it takes longer than to parse a short one."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    return parser.disable(["inline", "text_join"])


def _chunks(text: str) -> Iterator[str]:
    """Split a long text at headings: parsed at once, it would need too much memory."""
    start = 0
    fence = ""
    for line in _TURNING_LINE.finditer(text) if len(text) > _CHUNK_CHARACTERS else ():
        mark = line["fence"]
        if mark:
            fence = "" if fence and mark.startswith(fence) else fence or mark
        elif not fence and line.start() - start > _CHUNK_CHARACTERS:
            yield text[start : line.start()]
            start = line.start()
    yield text[start:]


def _headings_by_label(text: str) -> dict[str, str]:
    """What the headings of MyST below the labels of a text say."""
    return {
        found["label"].lower(): _MARKS.sub("", found["heading"].rstrip(" \t#"))
        for found in _LABELLED.finditer(text)
    }


def _read_blocks(
    tokens: Iterable[Token], name: str, tally: Tally, headings: Mapping[str, str]
) -> Iterator[Block]:
    level = 0
    row: list[str] | None = None
    opens_item = False
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield Block(text=join_cells(row))
            row = None
        elif token.type in ("fence", "code_block"):
            directive = _DIRECTIVE_NAME.match(token.info)
            if directive and directive[1] == RST_DIRECTIVE:
                from lsum_cli.reading.rst import parse_rst

                yield from parse_rst(token.content, tally)
            else:
                is_silent = directive and name_of_directive(directive[1]) in SILENT_DIRECTIVES
                tally.add(DIRECTIVES if is_silent else CODE, token.content)
        elif token.type == "html_block":
            yield from _read_html(token.content, name, tally)
        elif token.type == "inline":
            is_parsed = token.children is not None
            text = _inline_text(token.children or (), tally, headings) if is_parsed else token.content
            if label := _LABEL.match(text):
                tally.add(DIRECTIVES, label[0])
                text = text[label.end() :]
            text = normalise(text)
            if opens_item:
                text = _CHECK_BOX.sub("", text, count=1) if _CHECK_BOX.match(text) else text
            if row is not None:
                row.append(text)
            elif text:
                yield Block(
                    text=_HEADING_ATTRIBUTES.sub("", text) if level else text,
                    level=level,
                    is_item=opens_item and not level,
                )
        opens_item = token.type == "list_item_open" or (opens_item and token.type == "paragraph_open")


def _inline_text(tokens: Sequence[Token], tally: Tally, headings: Mapping[str, str]) -> str:
    pieces: list[str] = []
    for at, token in enumerate(tokens):
        role = _ROLE.search(pieces[-1]) if token.type == "code_inline" and pieces else None
        # Of a text with labels, which MyST has, any is one; else "x_{n}`" is none.
        if role is not None and (headings or is_role(role["name"])):
            pieces[-1] = pieces[-1][: role.start()]
            shown = shown_of_role(role["name"].rpartition(":")[2], token.content)
            is_bare = role["name"] in ("ref", "numref") and shown == token.content
            pieces.append(headings.get(shown.lower(), shown) if is_bare else shown)
        elif not pieces and token.type == "text" and (pictures := _PICTURES.match(token.content)):
            tally.add(IMAGES, pictures[0])
            pieces.append(token.content[pictures.end() :])
        elif token.type in ("text", "text_special"):
            pieces.append(token.content)
        elif token.type == "code_inline":
            pieces.append(token.content.translate(_HIDDEN_BRACKETS))
        elif token.type in ("softbreak", "hardbreak"):
            pieces.append("\n")
        elif token.type == "link_close" and tokens[at - 1].type == "link_open":
            leads_to = str(tokens[at - 1].attrGet("href") or "")
            named = headings.get(leads_to.removeprefix("#").lower())
            pieces.append(named or hole(pieces[-1] if pieces else ""))
        elif token.type == "image":
            tally.add(IMAGES, token.content)
            pieces.append(hole(pieces[-1] if pieces else ""))
        elif token.type == "html_inline":
            comment = _COMMENT.match(token.content)
            if comment:
                tally.add(COMMENTS, comment[comment.lastgroup or 0])
            elif token.content.lower().startswith(("<br", "</p", "</div", "</li")):
                pieces.append(" ")
    text = "".join(pieces)
    if "][" in text:
        text = _DEFINED_ELSEWHERE.sub(r"\g<shown>", text)
    text = text.translate(_SHOWN_BRACKETS)
    text = _ALERT.sub(lambda alert: f"{alert['kind'].capitalize()}: ", text)
    marks = _FOOTNOTE_MARK.findall(text)
    tally.add_words(REFERENCE_MARKS, len(marks))
    return (
        _FOOTNOTE_MARK.sub(lambda mark: hole(text[mark.start() - 1 : mark.start()]), text) if marks else text
    )


def _read_html(content: str, name: str, tally: Tally) -> Iterator[Block]:
    for comment in _COMMENT.finditer(content):
        tally.add(COMMENTS, comment[comment.lastgroup or 0])
    root = parse_html(clean_html(_COMMENT.sub("", content)), name)
    if root is not None:
        yield from to_blocks(PageWalk(root, tally, whole=True).blocks, tally)
