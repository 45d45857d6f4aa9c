"""reStructuredText: sections by their adornments, directives, lists and tables as paragraphs."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import ClassVar

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import (
    CODE,
    COMMENTS,
    FRONT_MATTER,
    REFERENCE_MARKS,
    Block,
    Tally,
    make_document,
    take_title,
)
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.plain import LineJoiner, split_lines
from lsum_cli.reading.registry import RawSource, ReadOptions

DIRECTIVES = "directives"

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{1,}")
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|]+\| )?(?P<name>[\w][\w:.+-]*)::(?:\s+(?P<argument>.*))?")
_EXPLICIT = re.compile(r"\.\.(?:\s+(?P<text>.*))?")
_FOOTNOTE = re.compile(r"\[(?:#?[\w.-]*|\*)\]\s+(?P<text>.*)")
_OPTION = re.compile(r":[\w-]+:(?:\s.*)?")
_FIELD = re.compile(r":(?P<name>[^:\s][^:]*):(?:\s+(?P<text>.*))?")
_HEADER_FIELD = re.compile(r"(?P<name>[A-Z][A-Za-z-]*): +(?P<text>\S.*)|[A-Z][A-Za-z-]*:$")
_LIST_MARK = re.compile(r"(?:[-*+•‣]|\(?(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{1,6}|#)[.)])\s+(?=\S)")
_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+")
_SIMPLE_BORDER = re.compile(r"=+(?:\s+=+)+")
_LINE_BLOCK = re.compile(r"\|(?:\s+|$)")
_DOCTEST = re.compile(r">>>(?:\s|$)")
_CODE_DIRECTIVES = frozenset(
    "code code-block sourcecode highlight literalinclude parsed-literal raw math"  # noqa: SIM905
    " productionlist testcode testoutput doctest prompt ipython jupyter-execute graphviz"
    " digraph mermaid uml".split()
)
# Their content is text of the document, as is the argument of the second kind.
_TEXT_DIRECTIVES = frozenset(
    "note warning tip hint important caution danger error attention seealso admonition"  # noqa: SIM905
    " topic sidebar epigraph highlights pull-quote compound container figure table list-"
    " table rubric only class rst- class glossary centered hlist versionadded"
    " versionchanged deprecated abstract".split()
)
_ARGUMENT_IS_TEXT = frozenset(
    "admonition topic rubric centered versionadded versionchanged deprecated table list-"  # noqa: SIM905
    " table".split()
)
_CELL_BREAK = " | "
_MIN_HEADER_FIELDS = 2


def read_rst(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a reStructuredText document."""
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    lines = split_lines(decoded.text)
    start, title = _read_header_fields(lines, tally)
    blocks = list(_BlockReader(lines, tally).read(lines[start:]))
    if title is None:
        title, blocks = take_title(blocks)
    return make_document(raw, blocks, tally, title=title, warnings=decoded.warnings)


def _read_header_fields(lines: Sequence[str], tally: Tally) -> tuple[int, str | None]:
    """Fields like those of a letter at the very beginning, as enhancement proposals have them."""
    start = next((index for index, line in enumerate(lines) if line), len(lines))
    end = start
    while (
        end < len(lines)
        and lines[end]
        and (_HEADER_FIELD.fullmatch(lines[end]) or (end > start and lines[end][0] == " "))
    ):
        end += 1
    fields = [found for line in lines[start:end] if (found := _HEADER_FIELD.fullmatch(line))]
    if len(fields) < _MIN_HEADER_FIELDS:
        return 0, None
    tally.add(FRONT_MATTER, " ".join(lines[start:end]))
    return end, next((field["text"] for field in fields if field["name"] == "Title"), None)


class _BlockReader:
    """Reads lines as blocks; indented parts are read by the same rules."""

    _MAX_DEPTH: ClassVar[int] = 40

    def __init__(self, lines: Sequence[str], tally: Tally) -> None:
        self._joiner = LineJoiner(lines)
        self._tally = tally
        self._adornments: list[tuple[str, bool]] = []

    def read(self, lines: Sequence[str], depth: int = 0) -> Iterator[Block]:
        """The blocks of a document, or (``depth`` > 0) of an indented part of it."""
        index = 0
        while index < len(lines):
            line = lines[index]
            if not line.strip():
                index += 1
                continue
            indent = _indent(line)
            if indent:
                end = _end_of_indented(lines, index, indent)
                yield from self._nested([part[indent:] for part in lines[index:end]], depth)
                index = end
                continue
            heading = self._heading(lines, index) if not depth else None
            if heading:
                block, index = heading
                yield block
            elif line.startswith("..") and _EXPLICIT.fullmatch(line):
                end = _end_of_indented(lines, index + 1, 1)
                yield from self._explicit(line, lines[index + 1 : end], depth)
                index = end
            elif _ADORNMENT.fullmatch(line) and len(line) >= 4 and not _SIMPLE_BORDER.fullmatch(line):
                index += 1
            else:
                end = _end_of_paragraph(lines, index)
                following = yield from self._paragraph(lines, index, end, depth)
                index = following

    def _nested(self, lines: Sequence[str], depth: int) -> Iterator[Block]:
        if depth < self._MAX_DEPTH:
            yield from self.read(lines, depth + 1)
        else:
            text = self._inline(" ".join(part.strip() for part in lines))
            if text:
                yield Block(text=text)

    def _heading(self, lines: Sequence[str], index: int) -> tuple[Block, int] | None:
        def adorns(position: int, title: str) -> bool:
            return (
                position < len(lines)
                and bool(_ADORNMENT.fullmatch(lines[position]))
                and len(lines[position]) >= min(len(title), 4)
            )

        line = lines[index]
        if (
            _ADORNMENT.fullmatch(line)
            and index + 2 < len(lines)
            and lines[index + 2] == line
            and lines[index + 1].strip()
        ):
            return Block(
                text=self._inline(lines[index + 1].strip()), level=self._level(line[0], True)
            ), index + 3
        if not _ADORNMENT.fullmatch(line) and adorns(index + 1, line):
            return Block(text=self._inline(line), level=self._level(lines[index + 1][0], False)), index + 2
        return None

    def _level(self, character: str, overlined: bool) -> int:
        adornment = (character, overlined)
        if adornment not in self._adornments:
            self._adornments.append(adornment)
        return self._adornments.index(adornment) + 1

    def _explicit(self, line: str, content: Sequence[str], depth: int) -> Iterator[Block]:
        directive = _DIRECTIVE.fullmatch(line)
        body = _dedent(content)
        if directive is None:
            yield from self._footnote_or_comment(line, body, depth)
            return
        name = directive["name"].rpartition(":")[2].lower()
        argument = directive["argument"] or ""
        if name in _CODE_DIRECTIVES:
            self._tally.add(CODE, " ".join(body))
            return
        if name not in _TEXT_DIRECTIVES:
            self._tally.add(DIRECTIVES, " ".join((argument, *body)))
            return
        while body and _OPTION.fullmatch(body[0]):
            body = body[1:]
        opening = (
            argument
            if name in _ARGUMENT_IS_TEXT or name not in ("figure", "class", "rst-class", "only", "container")
            else ""
        )
        if opening:
            # The argument may go on over the lines below it.
            blank = next((position for position, part in enumerate(body) if not part.strip()), len(body))
            yield Block(text=self._inline(" ".join((opening, *body[:blank]))))
            body = body[blank:]
        yield from self._nested(body, depth)

    def _footnote_or_comment(self, line: str, body: Sequence[str], depth: int) -> Iterator[Block]:
        explicit = _EXPLICIT.fullmatch(line)
        text = (explicit["text"] or "") if explicit else ""
        footnote = _FOOTNOTE.fullmatch(text)
        if footnote:
            yield from self._nested([footnote["text"], *body], depth)
        else:
            self._tally.add(COMMENTS, " ".join((text, *body)))

    def _paragraph(
        self, lines: Sequence[str], start: int, end: int, depth: int
    ) -> Generator[Block, None, int]:
        """Yield the blocks of what stands at ``lines[start:end]``; returns where to go on."""
        part = lines[start:end]
        first = part[0]
        if _GRID_BORDER.fullmatch(first) or _SIMPLE_BORDER.fullmatch(first):
            end = _end_of_table(lines, start)
            yield from self._table(lines[start:end])
            return end
        if _DOCTEST.match(first):
            self._tally.add(CODE, " ".join(part))
            return end
        if _LINE_BLOCK.match(first):
            yield Block(
                text=self._inline(" ".join(_LINE_BLOCK.sub("", line, count=1).strip() for line in part))
            )
            return end
        mark = _LIST_MARK.match(first)
        if mark:
            end = _end_of_item(lines, start, mark.end())
            item = [
                first[mark.end() :],
                *(line[min(_indent(line), mark.end()) :] for line in lines[start + 1 : end]),
            ]
            yield from self._nested(item, depth)
            return end
        field = _FIELD.fullmatch(first)
        if field:
            end = _end_of_item(lines, start, 1)
            yield from self._field(field, lines[start + 1 : end], is_first=start == 0 or depth == 0)
            return end
        # What is indented more begins something of its own: a definition, or a quotation.
        flush = next((index for index in range(start + 1, end) if _indent(lines[index])), end)
        text = self._joiner.join(lines[start:flush])
        if text.endswith("::"):
            stop = _end_of_indented(lines, flush, 1)
            self._tally.add(CODE, " ".join(lines[flush:stop]))
            text, flush = text[:-1].removesuffix(" :").removesuffix("\n:"), stop
        if text.strip(":"):
            yield Block(text=self._inline(text))
        return flush

    def _field(self, field: re.Match[str], body: Sequence[str], *, is_first: bool) -> Iterator[Block]:
        text = " ".join((field["text"] or "", *(line.strip() for line in body)))
        if field["name"].lower() in ("abstract", "dedication", "summary"):
            yield Block(text=self._inline(text))
        elif is_first:
            self._tally.add(FRONT_MATTER, f"{field['name']} {text}")
        else:
            yield Block(text=self._inline(f"{field['name']}: {text}"))

    def _table(self, lines: Sequence[str]) -> Iterator[Block]:
        if _SIMPLE_BORDER.fullmatch(lines[0]):
            for line in lines:
                if not _ADORNMENT.fullmatch(line.replace(" ", "")):
                    yield Block(
                        text=_CELL_BREAK.join(
                            self._inline(cell) for cell in re.split(r"\s{2,}", line.strip())
                        )
                    )
            return
        row: list[list[str]] = []
        for line in lines:
            if re.match(r"\+[-=+]", line):
                yield from self._row(row)
                row = []
                continue
            for position, cell in enumerate(line.strip().strip("|").split("|")):
                while len(row) <= position:
                    row.append([])
                row[position].append(cell.strip())
        yield from self._row(row)

    def _row(self, row: Sequence[Sequence[str]]) -> Iterator[Block]:
        cells = [self._inline(" ".join(cell).strip()) for cell in row]
        if any(cells):
            yield Block(text=_CELL_BREAK.join(cell for cell in cells if cell))

    def _inline(self, text: str) -> str:
        if not _MARKUP.search(text):
            return text
        text, marks = _FOOTNOTE_MARK.subn("", text)
        self._tally.add_words(REFERENCE_MARKS, marks)
        for pattern, replacement in _INLINE:
            text = pattern.sub(replacement, text)
        return text


_FOOTNOTE_MARK = re.compile(r"\s?(?<!\w)\[(?:#?[\w.-]*|\*)\]_(?!\w)")
_MARKUP = re.compile(r"[`*|_\\]")
_INLINE = (
    (re.compile(r"``(.+?)``"), r"\1"),
    (re.compile(r"(?::[\w:+.-]+:)?`~?!?([^`<]*?[^`<\s])\s*<[^`>]*>`_{0,2}"), r"\1"),
    (re.compile(r":[\w:+.-]+:`[~!]?([^`]+)`"), r"\1"),
    (re.compile(r"`([^`]+)`_{0,2}(?::[\w:+.-]+:)?"), r"\1"),
    (re.compile(r"(?<!\w)\|([^|\s](?:[^|]*[^|\s])?)\|_{0,2}(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w*])\*{1,2}([^\s*](?:[^*]*[^\s*])?)\*{1,2}(?![\w*])"), r"\1"),
    (re.compile(r"(?<=\w)_{1,2}(?![\w_])"), ""),
    (re.compile(r"\\(?=\S)"), ""),
)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _dedent(lines: Sequence[str]) -> list[str]:
    filled = [_indent(line) for line in lines if line.strip()]
    return [line[min(filled) :] if filled else "" for line in lines]


def _end_of_indented(lines: Sequence[str], start: int, indent: int) -> int:
    """Index after the lines from ``start`` that are blank or indented by at least ``indent``."""
    end = index = start
    while index < len(lines) and (not lines[index].strip() or _indent(lines[index]) >= indent):
        index += 1
        if lines[index - 1].strip():
            end = index
    return end


def _end_of_paragraph(lines: Sequence[str], start: int) -> int:
    return next((index for index in range(start + 1, len(lines)) if not lines[index].strip()), len(lines))


def _end_of_item(lines: Sequence[str], start: int, indent: int) -> int:
    """Index after a list item: what is indented below its first line belongs to it."""
    return max(start + 1, _end_of_indented(lines, start + 1, min(indent, 2) if indent > 1 else 1))


def _end_of_table(lines: Sequence[str], start: int) -> int:
    end = _end_of_paragraph(lines, start)
    if _GRID_BORDER.fullmatch(lines[start]):
        return end
    # A simple table may hold blank lines; it ends with its third border, or its second.
    borders = [
        index
        for index in range(start, min(len(lines), start + 2000))
        if _SIMPLE_BORDER.fullmatch(lines[index])
    ]
    return max(end, borders[2] + 1) if len(borders) > 2 and borders[2] < end + 200 else end
