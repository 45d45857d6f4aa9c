"""reStructuredText, parsed by docutils; every role and directive keeps its text, none is executed.

Registering roles and directives with docutils would affect the whole process, so the states of the parser
are subclassed instead; :mod:`.sphinx` says what is shown of each.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StringList

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import (
    CODE,
    COMMENTS,
    REFERENCE_MARKS,
    Block,
    Tally,
    as_item,
    head_with_term,
    hole,
    join_cells,
    make_document,
    take_fields,
    take_title,
    with_code_above,
)
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.plain.lines import LineJoiner, split_lines
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.sphinx import (
    ADMONITIONS,
    CODE_DIRECTIVES,
    DIRECTIVES,
    SILENT_DIRECTIVES,
    head_with_kind,
    is_version,
    join_signatures,
    name_of_directive,
    names_nothing,
    shown_of_role,
    split_options,
    takes_argument_as_text,
    word_version,
)
from lsum_cli.text.patterns import regex

_HEADER_FIELD = regex(r"(?P<name>[A-Z][A-Za-z-]*): +(?P<text>\S.*)|[A-Z][A-Za-z-]*:$")
_MIN_HEADER_FIELDS = 2
# What may be a term: a few words without a stop.
_TERM = regex(r"[^\s.,:;!?]\S*(?: \S+){0,4}(?<![.,:;!?])")
_IN_QUOTATION_MARKS = regex(r"\s*[\"“„«»‘](?:.*\S)?[\"”“»«’']\s*", re.DOTALL)
_ABSTRACT_FIELDS = frozenset(["abstract", "dedication", "summary"])
_ADORNMENT = regex(r"([!-/:-@\[-`{-~])\1+")
_MAX_DEPTH = 25
# What is a part without a blank line before it: items, fields, options, adornments, rows of tables.
_ITEM = regex(r"[-+*•|:>=.#/(]|\w{1,9}[.)]|([^\w\s])\1|\S++(?: \S++)*+ {2}")
# A part takes 100 to 200 µs, a mark within a line up to a fifth of that.
_MAX_PARTS = 80_000
_MARKS_PER_PART = 5
# The time for inline markup grows with the length of a paragraph times the marks that may begin some in it.
_MAX_INLINE_WORK = 1_000_000
_INLINE_MARKS = "`*|_["
_MAX_SUBSTITUTION_CHARACTERS = 1_000


# What docutils' methods return: nodes with messages, and nodes with whether a blank line follows.
_Inline = tuple[list[nodes.Node], list[nodes.system_message]]
_Read = tuple[list[nodes.Node], bool]


def read_rst(raw: RawSource, options: ReadOptions) -> Document:
    """Read a reStructuredText document.

    Raises:
        SourceError: Its parts are too many, or nested too deeply to be parsed.
    """
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    lines = split_lines(decoded.text)
    options.check_parts(raw.name, _count_parts(lines), _MAX_PARTS, "paragraphs, items and marks")
    start, title = _read_header_fields(lines, tally)
    try:
        document = _parse(lines[start:])
        reader = _BlockReader(document, LineJoiner(lines), tally)
        blocks = list(with_code_above(reader.read(document), tally))
    except RecursionError as error:
        raise SourceError(
            f"{raw.name} nests its parts too deeply", "check that it is the right file"
        ) from error
    if title is None:
        title, blocks = take_title(blocks)
    return make_document(raw, blocks, tally, title=title, warnings=decoded.warnings)


def parse_rst(text: str, tally: Tally) -> list[Block]:
    """The headings and paragraphs of a text within another one.

    Args:
        text: Its lines end with line feeds; a text that is long or nested deeply is one paragraph.
        tally: Counts what is left out.
    """
    lines = split_lines(text)
    if _count_parts(lines) > _MAX_PARTS // 10:
        return [Block(text=text)]
    try:
        document = _parse(lines)
        return list(_BlockReader(document, LineJoiner(lines), tally).read(document))
    except RecursionError:
        return [Block(text=text)]


def _count_parts(lines: Sequence[str]) -> int:
    """How many paragraphs and items a text has; some marks within their lines count as one more."""
    parts = marks = 0
    before = -1  # indentation of the line before; none after a blank line
    table = sys.maxsize  # that of a table of values; there is none
    for line in lines:
        text = line.lstrip()
        if not text:
            before = -1
            continue
        indentation = len(line) - len(text)
        table = indentation if "csv-table::" in text else table if indentation > table else sys.maxsize
        parts += indentation != before or indentation > table or _ITEM.match(text) is not None
        marks += sum(map(text.count, _INLINE_MARKS))
        before = indentation
    return parts + marks // _MARKS_PER_PART


def _read_header_fields(lines: Sequence[str], tally: Tally) -> tuple[int, str | None]:
    """Header fields as in an e-mail at the very beginning, as Python Enhancement Proposals have them."""
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
    take_fields(lines[start:end], tally)
    return end, next((field["text"] for field in fields if field["name"] == "Title"), None)


_ENDLESS_NUMBER = regex(r"(?m)^([ \t]*+\(?)(\d{10,}+[.)])")


@lru_cache(maxsize=1)
def _settings() -> frontend.Values:
    """Settings, none of them read from files; to find them out takes longer than to parse a short text."""
    settings = frontend.get_default_settings(Parser)
    settings.report_level, settings.halt_level, settings.warning_stream = 5, 6, False
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.line_length_limit = sys.maxsize  # the parser would refuse the whole text
    return settings


def _parse(lines: Sequence[str]) -> nodes.document:
    """Parse a text; no messages are printed."""
    document = utils.new_document("", _settings().copy())
    inliner = states.Inliner()
    inliner.interpreted = _interpret
    inliner.parse = partial(_parse_inline, inliner)
    parser = Parser(inliner=inliner)
    parser.state_classes = _STATES
    # No list has that many items, and the parser cannot count that far.
    parser.parse(_ENDLESS_NUMBER.sub(r"\1\\\2", "\n".join(lines)), document)
    return document


def _parse_inline(
    inliner: states.Inliner, text: str, lineno: int, memo: Any, parent: nodes.Element
) -> _Inline:
    """Parse inline markup; a long text full of it is left unchanged, since the search would take too long."""
    if len(text) * sum(map(text.count, _INLINE_MARKS)) > _MAX_INLINE_WORK:
        return [nodes.Text(utils.unescape(text))], []
    # Called on the class, since this function replaces the method of the instance.
    found: _Inline = states.Inliner.parse(inliner, text, lineno, memo, parent)
    return found


def _interpret(rawsource: str, text: str, role: str, _lineno: int) -> _Inline:
    """Interpreted text without its role."""
    text = utils.unescape(text)
    shown = shown_of_role(role, text)
    # Without words of its own, it is shown as the heading that it leads to.
    leads_to = nodes.fully_normalize_name(text) if role.lower() == "ref" and shown == text else None
    return [nodes.inline(rawsource, shown, leads_to=leads_to)], []


# By class of states, in the order of search: the name of a transition, its pattern, the state that follows.
_TRANSITIONS: dict[type, list[tuple[str, re.Pattern[str], str]]] = {}


class _Lenient(states.RSTState):  # type: ignore[misc]
    """Changes to all states of the parser: any directive is read, sections are flat, depth is limited."""

    transition_order: list[str]
    transitions: dict[str, tuple[re.Pattern[str], Any, str]]
    # Separate from the cache of docutils' own state machines.
    nested_sm_cache: list[Any] = []  # noqa: RUF012

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def add_initial_transitions(self) -> None:
        """Set the transitions as the first state of the class made them; every list makes fifteen states."""
        made = _TRANSITIONS.get(type(self))
        if made is None:
            super().add_initial_transitions()
            _TRANSITIONS[type(self)] = [
                (name, self.transitions[name][0], self.transitions[name][2]) for name in self.transition_order
            ]
            return
        self.transition_order = [name for name, _, _ in made]
        self.transitions = {
            name: (pattern, getattr(self, name), following) for name, pattern, following in made
        }

    def nested_parse(self, block: StringList, input_offset: int, node: Any = None, **kwargs: Any) -> int:
        """Parse an indented part; one that is nested too deeply becomes a paragraph."""
        depth = getattr(self.memo, "depth", 0)
        if depth >= _MAX_DEPTH and node is not None:
            node += nodes.paragraph("", " ".join(line.strip() for line in block))
            return int(input_offset) + len(block)
        self.memo.depth = depth + 1
        try:
            return int(super().nested_parse(block, input_offset, node, **kwargs))
        finally:
            self.memo.depth = depth

    def section(
        self, title: str, source: str, style: Any, lineno: int, messages: list[nodes.system_message]
    ) -> None:
        """Add a heading; its level is the position of its style in order of first appearance."""
        if style not in self.memo.title_styles:
            self.memo.title_styles.append(style)
        inline, _ = self.inline_text(title, lineno)
        self.parent += nodes.title(source, "", *inline, level=self.memo.title_styles.index(style) + 1)
        self.parent += messages

    def nest_line_block_lines(self, block: nodes.Element) -> None:
        """Keep the lines of a line block flat, whatever their indentation."""

    def directive(self, match: re.Match[str], **presets: Any) -> _Read:
        """The directive inside a substitution definition."""
        if match[1] == "replace":
            found: _Read = super().directive(match, **presets)
            return found
        _, _, _, blank_finish = self.state_machine.get_first_known_indented(match.end(), strip_top=False)
        return [nodes.Text(presets.get("alt", ""))], blank_finish

    def run_directive(
        self, directive: Any, match: re.Match[str], type_name: str, option_presets: dict[str, Any]
    ) -> _Read:
        """Read a directive that docutils knows in the same way as any other."""
        if option_presets:
            found: _Read = super().run_directive(directive, match, type_name, option_presets)
            return found
        return self.unknown_directive(type_name)

    def unknown_directive(self, type_name: str) -> _Read:
        """Read the argument and content of a directive as text, unless they are code or names."""
        line = self.state_machine.line
        begin = len(line) - len(line.partition("::")[2].lstrip())
        found, _, _, blank_finish = self.state_machine.get_first_known_indented(begin, strip_top=False)
        block = list(found)
        name = name_of_directive(type_name)
        if name in CODE_DIRECTIVES:
            return [_left_out(CODE, block if name == "math" else block[1:])], blank_finish
        if name in SILENT_DIRECTIVES:
            return [_left_out(DIRECTIVES, block)], blank_finish
        if names_nothing(name, block[0] if block else ""):
            block[:1] = [""]
        options, block = split_options(block)
        if block:
            block[0] = word_version(name, block[0], goes_on=any(map(str.strip, block[1:])))
        title: list[str] = []
        if name == "csv-table":
            title, block = block[:1], block[1:]
        if not takes_argument_as_text(name, block[0] if block else ""):
            block = join_signatures(block)
        node = nodes.container()
        is_alone = len(block) > 1 and block[0].strip() and not block[1].strip()
        if is_alone and not takes_argument_as_text(name, block[0]):
            node["term"], block[:1] = self.inline_text(block[0].strip(), 0)[0], []
        elif name in ADMONITIONS:
            node["kind"] = ADMONITIONS[name]
        node["is_version"] = is_version(name) and not any(map(str.strip, block[1:]))
        if name == "changelog" and options.get("version"):
            # Of the extension of that name: each release is a directive.
            dated = f" ({options['released']})" if options.get("released") else ""
            title_text = f"{options['version']}{dated}"
            node += nodes.title("", title_text, level=len(self.memo.title_styles) + 1)
        self.nested_parse(StringList(title or block, ""), 0, node)
        if name == "list-table":
            _make_rows_of_lists(node)
        elif title:
            for row in _csv_rows([options.get("header", ""), *block]):
                texts = (nodes.paragraph("", "", *self.inline_text(cell, 0)[0]) for cell in row)
                node += nodes.row("", *(nodes.entry("", text) for text in texts))
        return [node], blank_finish


def _left_out(kind: str, lines: Sequence[str]) -> nodes.comment:
    """A node for text that is counted as left out."""
    return nodes.comment("", " ".join(lines), kind=kind)


def _csv_rows(lines: Sequence[str]) -> list[list[str]]:
    try:
        return [row for row in csv.reader(lines, skipinitialspace=True) if row]
    except csv.Error:
        return [[line] for line in lines]


def _make_rows_of_lists(table: nodes.Element) -> None:
    """Turn a list of lists into rows of cells."""
    for outer in [child for child in table.children if isinstance(child, nodes.bullet_list)]:
        rows = []
        for item in outer.children:
            cells = [cell for inner in item.children for cell in getattr(inner, "children", ())]
            rows.append(nodes.row("", *(nodes.entry("", *getattr(cell, "children", ())) for cell in cells)))
        table.replace(outer, rows)


_STATES = tuple(type(state.__name__, (_Lenient, state), {}) for state in states.state_classes)


class _BlockReader:
    """Reads a tree as blocks in order.

    Args:
        document: The whole tree, with its substitution definitions.
        joiner: Joins the lines of a paragraph.
        tally: Counts what is left out.
    """

    def __init__(self, document: nodes.document, joiner: LineJoiner, tally: Tally) -> None:
        self._substitutions = {
            name: definition.astext() for name, definition in document.substitution_defs.items()
        }
        self._joiner = joiner
        self._tally = tally
        self._headings = dict(self._headings_by_label(document))

    @staticmethod
    def _headings_by_label(document: nodes.document) -> Iterator[tuple[str, str]]:
        labels: list[str] = []
        for node in document.findall():
            if isinstance(node, nodes.target):
                labels += node["names"]
            elif isinstance(node, nodes.title):
                text = " ".join(node.astext().split())
                yield from ((label, text) for label in labels)
                labels = []
            elif isinstance(node, nodes.TextElement | nodes.container):
                labels = []

    def read(self, parent: nodes.Element) -> Iterator[Block]:
        """The blocks of an element's children."""
        is_front = isinstance(parent, nodes.document)
        term = ""
        for at, node in enumerate(parent.children):
            if isinstance(node, nodes.label):
                continue
            if term and isinstance(node, nodes.block_quote):
                yield from self._defined(term, node)
                term = ""
                continue
            term = term if isinstance(node, nodes.system_message) else self._term(parent.children, at)
            if term and isinstance(node, nodes.paragraph):
                continue
            if isinstance(node, nodes.field_list):
                for field in node.children:
                    yield from self._field(field, is_front=is_front)
                continue
            is_front = is_front and isinstance(node, nodes.title | nodes.Invisible | nodes.system_message)
            yield from self._node(node)

    def _node(self, node: Any) -> Iterator[Block]:
        if isinstance(node, nodes.title):
            yield from self._text(node, level=node["level"])
        elif isinstance(node, nodes.comment | nodes.target):
            source = node.astext() if isinstance(node, nodes.comment) else node.rawsource.lstrip(". ")
            self._tally.add(node.get("kind", COMMENTS), source)
        elif isinstance(node, nodes.substitution_definition):
            self._tally.add(DIRECTIVES, node.astext())
        elif isinstance(node, nodes.literal_block | nodes.doctest_block):
            self._tally.add(CODE, node.astext())
        elif isinstance(node, nodes.system_message):
            yield from self._unparsed(node)
        elif isinstance(node, nodes.row):
            cells = [" ".join(block.text for block in self._node(cell)) for cell in node.children]
            text = join_cells(cells)
            if text:
                yield Block(text=text)
        elif isinstance(node, nodes.line_block):
            text = " ".join(self._inline(line).strip() for line in node.findall(nodes.line))
            if text.strip():
                yield Block(text=text)
        elif isinstance(node, nodes.list_item):
            yield from as_item(self.read(node))
        elif isinstance(node, nodes.definition_list_item):
            terms = [child for child in node.children if isinstance(child, nodes.term | nodes.classifier)]
            term, *kinds = map(self._inline, terms)
            named = f"{term} ({', '.join(kinds)})" if kinds else term
            yield from as_item(self._defined(named, node.children[-1]))
        elif isinstance(node, nodes.container) and node.get("term"):
            yield from self._defined(self._inline(nodes.inline("", "", *node["term"])), node)
        elif isinstance(node, nodes.container) and node.get("kind"):
            blocks = self.read(node)
            opening = next(blocks, None) if _begins_with_paragraph(node) else None
            if opening is not None:
                yield replace(opening, text=head_with_kind(node["kind"], opening.text))
            yield from blocks
        elif isinstance(node, nodes.option_list_item):
            options = [option.astext() for option in node.findall(nodes.option)]
            rest = " ".join(block.text for block in self.read(node.children[-1]))
            yield Block(text=f"{', '.join(options)} {rest}".strip())
        elif isinstance(node, nodes.attribution):
            # The dash that marks it is no part of the node.
            yield from (replace(block, text=f"— {block.text}") for block in self._text(node))
        elif isinstance(node, nodes.TextElement):
            yield from self._text(node)
        elif isinstance(node, nodes.Element):
            yield from self.read(node)

    def _term(self, siblings: Sequence[Any], at: int) -> str:
        """The terms that a paragraph names, one a line, where what stands indented below it defines them.

        After a blank line that is a quotation by the specification; but authors hardly write one so,
        unless it says who said it, or stands in quotation marks.
        """
        node = siblings[at]
        if not isinstance(node, nodes.paragraph):
            return ""
        others = (siblings[number] for number in range(at + 1, len(siblings)))
        below = next((each for each in others if not isinstance(each, nodes.system_message)), None)
        if not isinstance(below, nodes.block_quote) or _is_quoted(below):
            return ""
        lines = [line.strip() for line in self._inline(node).split("\n")]
        named = all(_TERM.fullmatch(line) for line in lines) and _begins_with_paragraph(below)
        return ", ".join(lines) if named else ""

    def _defined(self, term: str, node: nodes.Element) -> Iterator[Block]:
        """What is said of a term, the first paragraph after the term; since when it is there stands below."""
        _put_version_below(node)
        blocks = self.read(node)
        opening = next(blocks, None) if _begins_with_paragraph(node) else None
        yield from head_with_term(term, opening)
        yield from blocks

    def _field(self, field: nodes.Element, *, is_front: bool) -> Iterator[Block]:
        name = field.children[0].astext()
        blocks = list(self.read(field.children[1])) if len(field.children) > 1 else []
        if name.lower() in _ABSTRACT_FIELDS:
            yield from blocks
        elif is_front:
            self._tally.add_field(name, " ".join(block.text for block in blocks))
        else:
            yield Block(text=f"{name}: {blocks[0].text if blocks else ''}")
            yield from blocks[1:]

    def _unparsed(self, message: nodes.Element) -> Iterator[Block]:
        """Source text that docutils could not parse, unchanged."""
        for source in message.children:
            if isinstance(source, nodes.literal_block):
                lines = [line.strip() for line in source.astext().splitlines()]
                text = " ".join(line for line in lines if not _ADORNMENT.fullmatch(line))
                if text.strip():
                    yield Block(text=text)

    def _text(self, element: nodes.Element, level: int = 0) -> Iterator[Block]:
        lines = [line for line in self._inline(element).split("\n") if line.strip()]
        if lines:
            yield Block(text=self._joiner.join(lines), level=level)

    def _is_badge(self, node: nodes.Element) -> bool:
        """Whether it labels an item and is defined elsewhere: "- |Fix| Include …", "- |API| :func:`f` is"."""
        paragraph = node.parent
        if node["refname"] in self._substitutions or not isinstance(paragraph.parent, nodes.list_item):
            return False
        following = paragraph.astext()[len(node.astext()) :].lstrip()
        is_named = len(paragraph) > 2 and not paragraph[1].astext().strip()
        return paragraph.index(node) == 0 and (is_named or following[:1].isupper())

    def _inline(self, element: nodes.Element) -> str:
        """The text of an element, without footnote references."""
        text = ""
        for node in element.children:
            if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
                self._tally.add_words(REFERENCE_MARKS, 1)
                text = text.removesuffix(" ")
                text += hole(text)
            elif isinstance(node, nodes.substitution_reference):
                name = node.astext()
                found = self._substitutions.get(node["refname"], name)
                text += found if 0 < len(found) <= _MAX_SUBSTITUTION_CHARACTERS else name
                text += ":" if self._is_badge(node) else ""
            elif isinstance(node, nodes.inline) and node.get("leads_to") in self._headings:
                text += self._headings[node["leads_to"]]
            elif isinstance(node, nodes.Text):
                # Marks do not nest: "*the ``gate`` of it*" is emphasised with the marks of the code.
                is_marked = isinstance(element, nodes.emphasis | nodes.strong)
                text += node.astext().replace("``", "") if is_marked else node.astext()
            elif isinstance(node, nodes.Element) and not isinstance(node, nodes.system_message):
                text += self._inline(node)
        return text


def _is_quoted(quote: nodes.Element) -> bool:
    """Whether an indented text is marked as a quotation."""
    if isinstance(quote.children[-1], nodes.attribution):
        return True
    return _IN_QUOTATION_MARKS.fullmatch(quote.astext()) is not None


def _put_version_below(element: nodes.Element) -> None:
    """Let a paragraph stand before the marks of versions above it."""
    unseen = nodes.Invisible | nodes.system_message
    shown = [each for each in element.children if not isinstance(each, unseen)]
    at = next((at for at, each in enumerate(shown) if not each.get("is_version")), 0)
    if at and isinstance(shown[at], nodes.paragraph):
        element.remove(shown[at])
        element.insert(0, shown[at])


def _begins_with_paragraph(element: nodes.Element) -> bool:
    first = next((each for each in element.children if not isinstance(each, nodes.Invisible)), None)
    return isinstance(first, nodes.paragraph)
