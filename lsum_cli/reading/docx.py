"""Word documents: headings by style, tables by row, notes at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsum_cli.documents import Document
from lsum_cli.reading.archives import Archive
from lsum_cli.reading.blocks import (
    COMMENTS,
    CONTENTS_LEVEL,
    DELETIONS,
    RUNNING_LINES,
    TABLE_OF_CONTENTS,
    TITLE_LEVEL,
    Block,
    Tally,
    language_code,
    make_document,
    named_style_level,
    table_row,
    take_title,
)
from lsum_cli.reading.markup import local_name, parse_xml, small_number
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAIN_PART_TYPE = "wordprocessingml.document.main+xml"
_MACRO_PART_TYPE = "document.macroEnabled.main+xml"
_DELETED = frozenset(["del", "movefrom"])
# Alternative content and field codes repeat or control what is displayed elsewhere.
_UNREAD = frozenset("fallback instrtext deltext delinstrtext ppr rpr sectpr txbxcontent".split())  # noqa: SIM905
_CONTAINERS = frozenset(
    "sdt sdtcontent ins moveto customxml smarttag body tc footnote endnote txbxcontent".split()  # noqa: SIM905
)
_SPACES = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "nobreakhyphen": "-"}
_SEPARATORS = frozenset(["separator", "continuationSeparator", "continuationNotice"])
_NOTES = (("word/footnotes.xml", "footnote", "Footnotes"), ("word/endnotes.xml", "endnote", "Endnotes"))
_COMMENTS_PART = "word/comments.xml"
_RUNNING_PART = regex(r"word/(?:header|footer)\d*\.xml")
_BODY_LEVEL = 9
_MAX_STYLE_CHAIN = 20


def read_docx(raw: RawSource, options: ReadOptions) -> Document:
    """Read a Word document as if all tracked changes were accepted."""
    archive = Archive(raw.content, raw.name, options)
    main = _main_part(archive)
    root = parse_xml(archive.read(main), f"{main} of {raw.name}")
    styles = _Styles(archive)
    tally = Tally()
    reader = _BodyReader(styles, tally)
    body = next((element for element in root if local_name(element) == "body"), root)
    blocks = list(reader.read(body))
    for path, tag, heading in _NOTES:
        notes = list(_read_notes(archive, path, tag, reader))
        if notes:
            blocks += [Block(text=heading, level=1), *notes]
    title = reader.title
    if title is None:
        title, blocks = take_title(blocks)
    for member in archive.members:
        if _RUNNING_PART.fullmatch(member):
            tally.add(RUNNING_LINES, _all_text(parse_xml(archive.read(member), f"{member} of {raw.name}")))
    if _COMMENTS_PART in archive:
        comments = parse_xml(archive.read(_COMMENTS_PART), f"{_COMMENTS_PART} of {raw.name}")
        tally.add(COMMENTS, _all_text(comments))
    title = title or _core_title(archive)
    return make_document(raw, blocks, tally, title=title, language=styles.language)


def _main_part(archive: Archive) -> str:
    if "word/document.xml" in archive:
        return "word/document.xml"
    if "[Content_Types].xml" in archive:
        for element in parse_xml(
            archive.read("[Content_Types].xml"), f"[Content_Types].xml of {archive.name}"
        ):
            kind = element.get("ContentType") or ""
            part = (element.get("PartName") or "").lstrip("/")
            if kind.endswith((_MAIN_PART_TYPE, _MACRO_PART_TYPE)) and part in archive:
                return part
    raise archive.damage("word/document.xml is missing inside")


class _Styles:
    """The styles of a document: heading levels, whatever language the styles are named in."""

    def __init__(self, archive: Archive) -> None:
        self._names: dict[str, str] = {}
        self._levels: dict[str, int] = {}
        self._parents: dict[str, str] = {}
        self.language: str | None = None
        if "word/styles.xml" not in archive:
            return
        root = parse_xml(archive.read("word/styles.xml"), f"word/styles.xml of {archive.name}")
        for element in root.iter():
            tag = local_name(element)
            if tag == "style":
                self._add(element)
            elif tag == "lang" and self.language is None:
                self.language = language_code(_value(element))

    def _add(self, style: _Element) -> None:
        identifier = _attribute(style, "styleId") or ""
        for element in style.iter():
            tag, value = local_name(element), _value(element)
            if tag == "name" and value:
                self._names[identifier] = value
            elif tag == "basedon" and value:
                self._parents[identifier] = value
            elif tag == "outlinelvl" and (level := small_number(value)) is not None:
                self._levels[identifier] = level + 1

    def level_of(self, style: str) -> int:
        """Heading level of a style; 0 for text, or one of the constants for title and contents."""
        for _ in range(_MAX_STYLE_CHAIN):
            name = self._names.get(style, style)
            named = named_style_level(name)
            if named is not None and (named < 0 or style not in self._levels):
                return named
            if style in self._levels:
                return self._levels[style] if self._levels[style] <= _BODY_LEVEL else 0
            if style not in self._parents:
                return 0
            style = self._parents[style]
        return 0


class _BodyReader:
    """Reads paragraphs and tables in order; the XML parser limits their nesting."""

    def __init__(self, styles: _Styles, tally: Tally) -> None:
        self.title: str | None = None
        self._styles = styles
        self._tally = tally

    def read(self, container: _Element) -> Iterator[Block]:
        """The blocks of the body, a cell, a note or a text box."""
        for element in container:
            tag = local_name(element)
            if tag == "p":
                yield from self._paragraph(element)
            elif tag == "tbl":
                yield from self._table(element)
            elif tag in _DELETED:
                self._tally.add(DELETIONS, _all_text(element))
            elif tag in _CONTAINERS:
                yield from self.read(element)

    def _paragraph(self, paragraph: _Element) -> Iterator[Block]:
        text = normalise("".join(self._runs(paragraph)))
        level = self._level(paragraph)
        if level == TITLE_LEVEL and text and self.title is None:
            self.title = text
        elif level == CONTENTS_LEVEL:
            self._tally.add(TABLE_OF_CONTENTS, text)
        elif text:
            yield Block(text=text, level=max(0, level), is_item=level == 0 and _is_numbered(paragraph))
        for box in _text_boxes(paragraph):
            yield from self.read(box)

    def _runs(self, element: _Element) -> Iterator[str]:
        for child in element:
            tag = local_name(child)
            if tag == "t":
                yield child.text or ""
            elif tag in _SPACES:
                yield _SPACES[tag]
            elif tag in _DELETED:
                self._tally.add(DELETIONS, _all_text(child))
            elif tag not in _UNREAD:
                yield from self._runs(child)

    def _level(self, paragraph: _Element) -> int:
        properties = next((child for child in paragraph if local_name(child) == "ppr"), None)
        if properties is None:
            return 0
        style = None
        for child in properties:
            tag, value = local_name(child), _value(child)
            if tag == "outlinelvl" and (level := small_number(value)) is not None:
                return level + 1 if level < _BODY_LEVEL else 0
            if tag == "pstyle":
                style = value
        return self._styles.level_of(style) if style else 0

    def _table(self, table: _Element) -> Iterator[Block]:
        for row in _children(table, "tr"):
            yield from table_row([list(self.read(cell)) for cell in _children(row, "tc")])


def _is_numbered(paragraph: _Element) -> bool:
    """Whether a paragraph has a number or a bullet."""
    return any(
        local_name(each) == "numpr"
        for properties in paragraph
        if local_name(properties) == "ppr"
        for each in properties
    )


def _children(element: _Element, tag: str) -> Iterator[_Element]:
    """Children with a tag, also inside content controls and similar containers."""
    for child in element:
        name = local_name(child)
        if name == tag:
            yield child
        elif name in _CONTAINERS and name != "tc":
            yield from _children(child, tag)


def _text_boxes(paragraph: _Element) -> Iterator[_Element]:
    """Text boxes anchored in a paragraph; each is stored twice and yielded once."""
    for box in paragraph.iter("{*}txbxContent"):
        for ancestor in box.iterancestors():
            if ancestor is paragraph:
                yield box
                break
            if local_name(ancestor) in ("fallback", "txbxcontent"):
                break


def _read_notes(archive: Archive, path: str, tag: str, reader: _BodyReader) -> Iterator[Block]:
    if path not in archive:
        return
    for note in parse_xml(archive.read(path), f"{path} of {archive.name}"):
        if local_name(note) == tag and _attribute(note, "type") not in _SEPARATORS:
            yield from (Block(text=block.text) for block in reader.read(note))


def _all_text(element: _Element) -> str:
    return " ".join(text.text or "" for text in element.iter() if local_name(text) in ("t", "deltext"))


def _core_title(archive: Archive) -> str | None:
    if "docProps/core.xml" not in archive:
        return None
    root = parse_xml(archive.read("docProps/core.xml"), f"docProps/core.xml of {archive.name}")
    return (
        next((normalise(element.text or "") for element in root if local_name(element) == "title"), None)
        or None
    )


def _attribute(element: _Element, name: str) -> str | None:
    """An attribute by its local name: the transitional and the strict format differ in namespaces."""
    return next(
        (str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), None
    )


def _value(element: _Element) -> str | None:
    return _attribute(element, "val")
