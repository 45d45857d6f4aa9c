"""Markup of lines: MediaWiki, DokuWiki, AsciiDoc and Org, reduced to headings and paragraphs.

Each is a :class:`Dialect`: patterns for what a line is and for what marks words within it. What is no text
(code, comments, templates, properties) is cut out first and counted. Reading takes time in proportion to
the text, whatever is left unclosed in it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import (
    CAPTIONS,
    CODE,
    COMMENTS,
    FRONT_MATTER,
    IMAGES,
    REFERENCE_MARKS,
    Block,
    Tally,
    hole,
    join_cells,
    make_document,
    take_preamble,
    take_title,
)
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex

TEMPLATES = "templates of a wiki"
_SNIFFED = 100_000  # characters
_MIN_SIGNS = 3
_MIN_KINDS = 2

Edit = tuple[re.Pattern[str], str]


@dataclass(frozen=True, kw_only=True)
class Span:
    """Text that is cut out from an opening to its end, or kept without its marks.

    Attributes:
        opening: Where it begins.
        closing: What ends it; ``{0}`` stands for what the first group of the opening has matched.
        what: What to count it as; ``None`` where the text between the marks is kept.
    """

    opening: re.Pattern[str]
    closing: str
    what: str | None


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """A markup of lines.

    Attributes:
        signs: What tells it in a text that does not say so, each a kind of mark.
        spans: What is cut out, in this order.
        heading: A line that is a heading, with groups ``mark`` and ``title``.
        level: The level of a heading, by its mark.
        dropped: Lines that are no text, and what to count them as.
        item: The mark of a list item.
        row: A line that is a row of a table.
        cells: What separates the cells of a row.
        edits: What is replaced within paragraphs and headings, in this order.
        title: The line with the title, with a group ``title``; the first heading if ``None``.
    """

    signs: tuple[re.Pattern[str], ...]
    spans: tuple[Span, ...]
    heading: re.Pattern[str]
    level: Callable[[str], int]
    dropped: tuple[tuple[re.Pattern[str], str], ...]
    item: re.Pattern[str]
    row: re.Pattern[str]
    cells: re.Pattern[str]
    edits: tuple[Edit, ...]
    title: re.Pattern[str] | None = None


def _line(pattern: str) -> re.Pattern[str]:
    return regex(rf"^{pattern}[ \t]*$", re.M)


def _marked(mark: str, kept: str = r"\1") -> Edit:
    """Words between two marks, which touch them: ``*so*``."""
    return regex(
        rf"(?<![\w{mark}]){mark}(?=[^\s{mark}])([^\n{mark}]{{1,400}})(?<=\S){mark}(?![\w{mark}])"
    ), kept


# 10<sup>5</sup> is not 105.
_POWER = (regex(r"(?<=\d)<sup>(?=[-−–+]?\d)", re.I), "^")
_TAGS: tuple[Edit, ...] = (_POWER, (regex(r"<br ?/?>", re.I), " "), (regex(r"</?[a-zA-Z][^<>]{0,400}>"), ""))
_WIKI_CODE = Span(
    opening=regex(r"<(syntaxhighlight|source|pre|code|file|html|php)\b[^<>]*>(?=[^<]*\n)", re.I),
    closing="</{0}>",
    what=CODE,
)

MEDIAWIKI = Dialect(
    signs=(
        _line(r"={2,5}[^=\n]+={2,5}"),
        regex(r"\[\[[^\[\]\n]+\]\]"),
        regex(r"'''[^'\n]+'''"),
        regex(r"\{\{[^{}]+\}\}"),
    ),
    spans=(
        Span(opening=regex("<!--"), closing="-->", what=COMMENTS),
        Span(opening=regex(r"<(ref)\b[^<>]*(?<!/)>", re.I), closing="</{0}>", what=REFERENCE_MARKS),
        Span(opening=regex(r"<(gallery|math|timeline)\b[^<>]*>", re.I), closing="</{0}>", what=IMAGES),
        _WIKI_CODE,
    ),
    heading=regex(r"(?P<mark>={1,6})[ \t]*(?P<title>[^\s=].*?)[ \t]*(?P=mark)[ \t]*"),
    level=len,
    dropped=(
        (regex(r"-{4,}|\{\|.*|\|\}|\|-.*|\|\+.*|__[A-Z]+__|#REDIRECT.*"), FRONT_MATTER),
        (regex(r"\[\[[A-Za-z]+:[^\[\]\n|]*\]\]"), FRONT_MATTER),
    ),
    item=regex(r"[*#:;]+[ \t]*"),
    row=regex(r"[|!](?![}|+-])[^\n]*"),
    cells=regex(r"\|\||!!|^[|!]"),
    edits=(
        (regex(r"<ref\b[^<>]*/>", re.I), ""),
        (regex(r"\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n|]+)\]\]"), r"\1"),
        (regex(r"\[(?:https?:)?//[^\s\[\]]+[ \t]+([^\[\]\n]+)\]"), r"\1"),
        (regex(r"\[(?:https?:)?//[^\s\[\]]+\]"), ""),
        (regex("'{2,5}"), ""),
        *_TAGS,
    ),
)
DOKUWIKI = Dialect(
    signs=(
        _line(r"={4,6} [^=\n]+ ={4,6}"),
        regex(r"\[\[[^\[\]\n]+\]\]|\{\{[^{}\n]+\}\}"),
        regex(r"(?<![:/])//[^/\s][^/\n]*//(?!/)|\\\\(?:\s|$)"),
        regex(r"\*\*[^*\s][^*\n]*\*\*"),
        regex(r"^ {2,}[*-] \S", re.M),
    ),
    spans=(
        _WIKI_CODE,
        Span(opening=regex(r"\(\((?=\S)"), closing="))", what=REFERENCE_MARKS),
        Span(opening=regex(r"\{\{"), closing="}}", what=IMAGES),
    ),
    heading=regex(r"(?P<mark>={2,6})[ \t]*(?P<title>[^\s=].*?)[ \t]*={2,6}[ \t]*"),
    level=lambda mark: 7 - len(mark),
    dropped=((regex(r"-{4,}|~~.*~~"), FRONT_MATTER),),
    item=regex(r" {2,}[*-][ \t]*"),
    row=regex(r"[|^].*[|^]"),
    cells=regex(r"[|^]"),
    edits=(
        (regex(r"\[\[[^\[\]\n|]*\|([^\[\]\n|]+)\]\]"), r"\1"),
        (regex(r"\[\[([^\[\]\n|]+)\]\]"), r"\1"),
        (regex(r"\*\*|''|__|%%|(?<![:/\w])//(?=[^\s/])|(?<=[^\s:/])//(?![/\w])"), ""),
        (regex(r"\\\\(?=\s|$)"), " "),
        *_TAGS,
    ),
)
ASCIIDOC = Dialect(
    signs=(
        _line(r"={2,5} [^=\n]+"),
        regex(r"\A\s*= \S|^:[a-z][\w-]*:(?: |$)", re.M),
        _line(r"\[(?:source|NOTE|TIP|IMPORTANT|WARNING|quote|cols|options|%)[^\]\n]*\]|\|={3,}"),
        regex(
            r"\b(?:link|xref|image|include):{1,2}[^\s\[\]]+\[|https?://[^\s\[\]]+\[[^\]\n]+\]|<<[\w-]+[,>]"
            r"|\blink[a-z]+:[\w.-]+\[\d\]"
        ),
    ),
    spans=(
        Span(opening=regex(r"^(/{4,})[ \t]*\n", re.M), closing="\n{0}", what=COMMENTS),
        Span(opening=regex(r"^(-{4,}+|\.{4,}+|`{3,}+)[^\n`]*+\n", re.M), closing="\n{0}", what=CODE),
        Span(opening=regex(r"footnote:\w*\["), closing="]", what=REFERENCE_MARKS),
    ),
    heading=regex(r"(?P<mark>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=mark))?[ \t]*"),
    level=len,
    dropped=(
        (regex(r"//(?!/).*"), COMMENTS),
        (regex(r":!?[\w-]+!?:.*|\[[^\[\]]*\]|\[\[[^\[\]]*\]\]"), FRONT_MATTER),
        (regex(r"\.[A-Z].*"), CAPTIONS),
        (regex(r"(?:image|video|audio|include|toc|ifdef|ifndef|endif|ifeval)::.*"), IMAGES),
        (regex(r"={4,}|\*{4,}|_{4,}|-{2}|'{3,}|<{3,}|\+|\|={3,}"), FRONT_MATTER),
    ),
    item=regex(r"[ \t]*(?:\*{1,5}|\.{1,5}|-|\d{1,3}\.)[ \t]+(?:\[[ x*]\][ \t]+)?"),
    row=regex(r"\|.*"),
    cells=regex(r"(?:\b[a-z\d.+^<>*]{1,6})?\|"),
    edits=(
        (regex(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION): "), ""),
        # A term, whose definition stands below it.
        (regex(r"(?<=[\w)`*_\]])::$", re.M), ":"),
        (regex(r"\b(?:link|xref|mailto):[^\s\[\]]+\[([^\[\],\n^]*)[^\[\]\n]*\]"), r"\1"),
        (regex(r"\bimage:[^\s\[\]]+\[[^\[\]\n]*\]"), ""),
        (regex(r"\blink[a-z]+:([\w.-]+)\[(\d)\]"), r"\1(\2)"),
        (regex(r"(?:https?|ftp)://[^\s\[\]]+\[([^\[\],\n^]+)[^\[\]\n]*\]"), r"\1"),
        (regex(r"<<[^<>,\n]+,[ \t]*([^<>\n]+)>>"), r"\1"),
        # "See <<limits>> for more" needs its words; "as it is <<note>>" does not.
        (
            regex(
                r"(^[ \t]*|[.:;][ \t]+"
                r"|\b(?:see|in|to|of|from|by|with|and|or|under|than|the|also|at)[ \t]+)<<[#_]?([^<>\n]+)>>",
                re.I | re.M,
            ),
            r"\1\2",
        ),
        (regex(r"[ \t]*<<[^<>\n]+>>"), ""),
        (regex(r"\[\[[\w:.-]+\]\]|^\[\[\w[\w :.-]*\w\]\](?=\S)|\[[#.][\w.-]+\](?=[#*_`])"), ""),
        (regex(r"\"`|`\""), '"'),
        (regex(r"\*\*|``|__|##"), ""),
        _marked(r"\*"),
        _marked("_"),
        _marked("`"),
        _marked("#"),
        (regex(r"[ \t]\+$", re.M), ""),
    ),
)
ORG = Dialect(
    signs=(
        regex(r"^#\+[A-Za-z_]+[:\s]", re.M),
        regex(r"^\*{1,5} \S", re.M),
        _line(r":[A-Z]+:"),
        regex(r"\[\[[^\[\]\n]+\]\[[^\[\]\n]+\]\]"),
    ),
    spans=(
        Span(
            opening=regex(r"^[ \t]*#\+begin_(src|example|export|comment)\b[^\n]*\n", re.M | re.I),
            closing="#+end_{0}",
            what=CODE,
        ),
        Span(
            opening=regex(r"^[ \t]*:(?:PROPERTIES|LOGBOOK|CLOCK):[ \t]*\n", re.M),
            closing=":END:",
            what=FRONT_MATTER,
        ),
    ),
    heading=regex(
        r"(?P<mark>\*+)[ \t]+(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)[ \t]+)?(?:\[#[A-Z\d]\][ \t]+)?"
        r"(?P<title>\S.*?)(?:[ \t]+:[\w@:]+:)?[ \t]*"
    ),
    level=len,
    dropped=(
        (regex(r"[ \t]*#\+.*"), FRONT_MATTER),
        (regex(r"[ \t]*#(?: .*)?"), COMMENTS),
        (regex(r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):.*|-{5,}|[ \t]*\|-.*"), FRONT_MATTER),
        (regex(r"[ \t]*: .*"), CODE),
    ),
    item=regex(r"[ \t]*(?:[-+]|\d{1,3}[.)])[ \t]+(?:\[[ X-]\][ \t]+)?"),
    row=regex(r"[ \t]*\|.*"),
    cells=regex(r"\|"),
    edits=(
        (regex(r"\[\[[^\[\]\n]+\]\[([^\[\]\n]+)\]\]"), r"\1"),
        (regex(r"\[\[(?:file|attachment):[^\[\]\n]+\]\]"), ""),
        (regex(r"\[\[([^\[\]\n]+)\]\]"), r"\1"),
        (regex(r"\[fn:[^\[\]\n]*\]"), ""),
        _marked(r"\*"),
        _marked("/"),
        _marked("_"),
        _marked("="),
        _marked("~"),
        _marked(r"\+"),
    ),
    title=regex(r"^#\+title:[ \t]*(?P<title>\S[^\n]*)$", re.M | re.I),
)
_DIALECTS = (ORG, DOKUWIKI, MEDIAWIKI, ASCIIDOC)


def recognise_dialect(text: str) -> Dialect | None:
    """The dialect of a text that does not name it: several marks of two kinds, headings among them."""
    head = text[:_SNIFFED]
    recognised: Dialect | None = None
    most = 0
    for dialect in _DIALECTS:
        # Without the first, the others are not looked for.
        if _has_headings(head, dialect):
            found = [sum(1 for _ in sign.finditer(head)) for sign in dialect.signs]
            # Examples in one dialect may look like another.
            if sum(map(bool, found)) >= _MIN_KINDS and sum(found) >= _MIN_SIGNS and found[0] > most:
                recognised, most = dialect, found[0]
    if recognised is None and sum(1 for _ in _ANCHORED_TERM.finditer(head)) >= _MIN_SIGNS:
        return ASCIIDOC
    if recognised is None and _UNDERLINED_TITLE.match(head):
        # Other markups underline headings too.
        of_asciidoc = sum(1 for sign in ASCIIDOC.signs[2:] for _ in sign.finditer(head))
        recognised = ASCIIDOC if of_asciidoc >= _MIN_SIGNS else None
    return recognised


def _has_headings(text: str, dialect: Dialect) -> bool:
    """Whether a text has headings of a dialect; MediaWiki and DokuWiki write the lower ones alike."""
    if not dialect.signs[0].search(text):
        return False
    if dialect is not DOKUWIKI:
        return True
    if _MEDIAWIKI_ONLY.search(text):
        return False
    return _HIGHEST.search(text) is not None or _SECOND.search(text) is None


# A question in a list of them, with its answer below it.
_ASKING_TERM = regex(r"^(\S[^\n]*\?)::[ \t]*$", re.M)
# "[[def_sluice]]sluice::" in a glossary, which has no headings.
_ANCHORED_TERM = regex(r"^\[\[[\w-]{1,80}\]\][^\n]{1,100}::[ \t]*$", re.M)
_UNDERLINED_TITLE = regex(r"\s*\S[^\n]{2,100}\n={4,}[ \t]*(?:\n|\Z)")
# A line with a colon leads to the listing below it.
_TITLE = regex(r"(?![.|*\[])[^\n]{1,119}[^\n:]")
_UNDERLINE = regex(r"={2,}|-{2,}|~{2,}|\^{2,}|\+{2,}")
# What is between these is printed as it is.
_FENCE = regex(r"(?P<fence>/{4,}|-{4,}|\.{4,}|\+{4,}|(?P<ticks>`{3,}))(?(ticks)[^`]*)")
# An underline of AsciiDoc may be so much longer or shorter than its title.
_OVERHANG = 2


def _with_titles_in_line(text: str) -> str:
    """A text of AsciiDoc with "== Title" for a title that is underlined."""
    lines = [line.rstrip() for line in text.split("\n")]
    last = {line: place for place, line in enumerate(lines)}
    written: list[str] = []
    fence = ""
    place = 0
    while place < len(lines):
        line, rule = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
        above = written[-1] if written else ""
        if fence:
            fence = "" if line == fence else fence
        elif (not above or above.endswith("]")) and _underlines_title(line, rule):
            line = f"{'=' * ('=-~^+'.index(rule[0]) + 1)} {line}"
            place += 1
        elif (found := _FENCE.fullmatch(line)) is not None and last.get(found["fence"], 0) > place:
            fence = found["fence"]
        written.append(line)
        place += 1
    return "\n".join(written)


def _underlines_title(title: str, rule: str) -> bool:
    return (
        _UNDERLINE.fullmatch(rule) is not None
        and len(set(rule)) == 1
        and abs(len(title) - len(rule)) <= _OVERHANG
        and _TITLE.fullmatch(title) is not None
        and any(map(str.isalpha, title))
    )


_MEDIAWIKI_ONLY = regex(r"'''|^\{\||<ref\b|\[\[(?:Category|File|Image):", re.I | re.M)
# The highest of DokuWiki, the second of MediaWiki, which no page is without.
_HIGHEST, _SECOND = _line(r"={5,6} [^=\n]+ ={5,6}"), _line("==[^=\n]+==")


def read_wiki(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a page of a MediaWiki or DokuWiki."""
    text = decode(raw.content, raw.charset).text
    is_named = raw.name.lower().endswith(".dokuwiki")
    return read_dialect(raw, DOKUWIKI if is_named or _has_headings(text, DOKUWIKI) else MEDIAWIKI)


def read_asciidoc(raw: RawSource, _options: ReadOptions) -> Document:
    """Read an AsciiDoc text."""
    return read_dialect(raw, ASCIIDOC)


def read_org(raw: RawSource, _options: ReadOptions) -> Document:
    """Read an Org text."""
    return read_dialect(raw, ORG)


def read_dialect(raw: RawSource, dialect: Dialect) -> Document:
    """Read a text in a dialect."""
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    text = decoded.text.replace("\ufeff", "")
    title = None
    if dialect.title is not None and (found := dialect.title.search(text)):
        title, text = found["title"], text[: found.start()] + text[found.end() :]
    elif dialect is MEDIAWIKI:
        text, title = take_preamble(text, tally)
    blocks = list(blocks_of(text, dialect, tally))
    if title is None:
        title, blocks = take_title(blocks)
    return make_document(raw, blocks, tally, title=title, warnings=decoded.warnings)


def blocks_of(text: str, dialect: Dialect, tally: Tally) -> Iterator[Block]:
    """The headings and paragraphs of a text in a dialect."""
    if dialect is ASCIIDOC:
        text = _ASKING_TERM.sub(r"\1\n\n", _with_titles_in_line(text))
    for span in dialect.spans:
        text = _cut(text, span, tally)
    if dialect is MEDIAWIKI:
        text = _without_files(_without_templates(text, tally), tally)
    held: list[str] = []
    is_item = False
    cells: list[str] = []
    is_lone = False
    in_header = dialect is ASCIIDOC
    for line in [*text.split("\n"), ""]:
        heading = dialect.heading.fullmatch(line)
        what = next((what for pattern, what in dialect.dropped if pattern.fullmatch(line.rstrip())), None)
        is_row = dialect.row.fullmatch(line) is not None
        item = None if heading or is_row else dialect.item.match(line)
        if heading or what or is_row or item or not line.strip():
            yield from _paragraph(held, dialect, is_item=is_item)
            held, is_item = [], False
        found = [_edited(cell, dialect).strip() for cell in _cells(line, dialect)] if is_row else []
        # Rows of a MediaWiki table end where the next begins, those of AsciiDoc with a cell on each line
        # at an empty line, others at the end of the line.
        goes_on = dialect is MEDIAWIKI or (dialect is ASCIIDOC and is_lone and len(found) == 1)
        if cells and not (is_row and not what and goes_on):
            yield Block(text=join_cells(cells))
            cells = []
        is_lone = is_row and len(found) == 1
        if heading:
            yield Block(text=_edited(heading["title"], dialect), level=dialect.level(heading["mark"]))
            continue
        if in_header and line.strip() and _HEADER.fullmatch(line):
            tally.add(FRONT_MATTER, line)
            continue
        in_header = in_header and not line.strip() and not held
        if what:
            tally.add(what, line)
        elif is_row:
            cells += found
        elif item:
            held, is_item = [line[item.end() :]], True
        elif line.strip():
            held.append(line.strip())


# Below the title of AsciiDoc: who wrote it, and which version it is.
_HEADER = regex(r"[^\n<>]{3,60}<[^\s<>]+@[^\s<>]+>.*|v?\d[\w.]*, ?\d{4}-\d\d-\d\d.*")
_CELL_ATTRIBUTES = regex(r"\A\s*+(?:[\w-]++\s*+=\s*+(?:\"[^\"]*+\"|[^\s\"|]++)\s*+)++\|(?!\|)")


def _cells(line: str, dialect: Dialect) -> list[str]:
    parts = dialect.cells.split(line.strip())
    return [_CELL_ATTRIBUTES.sub("", part) for part in parts if part.strip()]


def _paragraph(lines: Sequence[str], dialect: Dialect, *, is_item: bool) -> Iterator[Block]:
    text = _edited("\n".join(lines), dialect)
    if any(map(str.isalnum, text)):
        yield Block(text=text, is_item=is_item)


def _edited(text: str, dialect: Dialect) -> str:
    for pattern, replacement in dialect.edits:
        text = pattern.sub(replacement, text)
    return html.unescape(text) if "&" in text else text


def _cut(text: str, span: Span, tally: Tally) -> str:
    """``text`` without a kind of span; one that is never closed stays."""
    parts: list[str] = []
    position = 0
    unclosed: set[str] = set()
    while (opening := span.opening.search(text, position)) is not None:
        closing = span.closing.replace("{0}", opening[1] if opening.re.groups else "").lower()
        # A copy of the text in lower case might be longer: "İ" is then two characters.
        pattern = re.compile(re.escape(closing), re.I)
        end = None if closing in unclosed else pattern.search(text, opening.end() - 1)
        if end is None:
            unclosed.add(closing)
            parts.append(text[position : opening.end()])
            position = opening.end()
            continue
        before = text[position : opening.start()]
        parts += (before, hole(before))
        if span.what is not None:
            tally.add(span.what, text[opening.end() : end.start()])
        position = end.end()
    return "".join((*parts, text[position:]))


_BRACES = regex(r"\{\{|\}\}")
_BRACKETS = regex(r"\[\[|\]\]")
# Templates that hold words of the sentence they stand in.
_KEEPING = regex(
    r"\s*(?:(?P<unit>convert|cvt)\s*\|\s*+(?P<number>[^|{}]+)\|\s*+(?P<of>[^|{}]+)"
    r"|(?:lang|transl(?:iteration)?|IPA)\s*\|[^|{}]*\|\s*+(?P<words>[^|{}]+)"
    r"|(?:nowrap|small|abbr|em|strong|nobr|lang-\w+|langx\|\w+|val|(?:block|c)?quote)\s*\|\s*+(?P<only>[^|{}]+)"
    r"|(?P<dating>as of|circa)\s*\|\s*+(?P<date>[^|{}]+)"
    r"|(?P<space>nbsp|spaces|snd|spnd|ndash))(?:\|.*)?",
    re.I | re.S,
)


def _without_templates(text: str, tally: Tally) -> str:
    """``text`` without what stands in double braces, but for the words that some templates hold."""

    def replace(content: str) -> str:
        kept = _KEEPING.fullmatch(content)
        if kept is None:
            tally.add(TEMPLATES, content)
            return ""
        if kept["space"]:
            return " – " if kept["space"][-2:].lower() in ("nd", "sh") else " "
        if kept["dating"]:
            return f"{kept['dating']} {kept['date']}"
        return f"{kept['number']} {kept['of']}" if kept["unit"] else kept["words"] or kept["only"]

    return _outermost(text, _BRACES, "{{", replace)


_FILE = regex(r"\s*:?(?:file|image|datei|bild|fichier|archivo|immagine|bestand|category|kategorie)\s*:", re.I)


def _without_files(text: str, tally: Tally) -> str:
    """``text`` without pictures and categories, whose captions may hold links."""

    def replace(content: str) -> str:
        if not _FILE.match(content):
            return f"[[{content}]]"
        tally.add(IMAGES, content)
        return ""

    return _outermost(text, _BRACKETS, "[[", replace)


def _outermost(text: str, marks: re.Pattern[str], opening: str, replace: Callable[[str], str]) -> str:
    """``text`` with what stands between the outermost pairs of marks replaced; unpaired ones stay."""
    parts: list[str] = []
    starts: list[int] = []
    position = 0
    for mark in marks.finditer(text):
        if mark[0] == opening:
            starts.append(mark.start())
        elif starts:
            start = starts.pop()
            if not starts:
                before = text[position:start]
                parts += (before, replace(text[start + len(opening) : mark.start()]) or hole(before))
                position = mark.end()
    return "".join((*parts, text[position:]))
