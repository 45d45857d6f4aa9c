"""OpenDocument texts: headings by outline level, tables by row, notes at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from lsum_cli.documents import Document, SectionRole
from lsum_cli.errors import SourceError
from lsum_cli.reading.archives import Archive
from lsum_cli.reading.blocks import (
    COMMENTS,
    DELETIONS,
    HIDDEN,
    IMAGES,
    RUNNING_LINES,
    TABLE_OF_CONTENTS,
    Block,
    Tally,
    as_item,
    language_code,
    make_document,
    table_row,
    take_title,
)
from lsum_cli.reading.markup import local_name, parse_xml, small_number
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTENT = "content.xml"
_MANIFEST = "META-INF/manifest.xml"
_MAX_SPACES = 100
_MAX_REPEATED_ROWS = 3
_MAX_STYLE_CHAIN = 20
_NOTES = {"footnote": "Footnotes", "endnote": "Endnotes"}
_INDEXES = frozenset(
    "table-of-content illustration-index table-index object-index user-index alphabetical-index".split()  # noqa: SIM905
)
# Elements whose text is shown elsewhere, or controls what is shown.
_UNREAD = frozenset(
    "tracked-changes sequence-decls user-field-decls variable-decls dde-connection-decls forms"  # noqa: SIM905
    " math object object-ole plugin image binary-data script event-listeners soft-page-break"
    " bookmark-start bookmark-end reference-mark-start reference-mark-end change change-start change-end"
    " note-citation".split()
)
_BLOCKS = frozenset(
    "section list list-item list-header numbered-paragraph index-body index-title body text deletion"  # noqa: SIM905
    " text-box table-cell covered-table-cell note-body".split()
)
_FRAMES = frozenset(["frame", "custom-shape", "rect", "caption", "ellipse", "g", "text-box", "a"])


def read_odt(raw: RawSource, options: ReadOptions) -> Document:
    """Read an OpenDocument text as if all tracked changes were accepted.

    Raises:
        SourceError: It is damaged, protected by a password, or unpacks to too much.
    """
    archive = Archive(raw.content, raw.name, options)
    _refuse_encryption(archive)
    root = parse_xml(archive.read(_CONTENT), f"{_CONTENT} of {raw.name}")
    styles = _Styles()
    if "styles.xml" in archive:
        styles.add(parse_xml(archive.read("styles.xml"), f"styles.xml of {raw.name}"))
    styles.add(root)
    tally = Tally()
    reader = _BodyReader(styles, tally)
    body = next((element for element in root if local_name(element) == "body"), root)
    blocks = list(reader.read(body))
    for kind, heading in _NOTES.items():
        if reader.notes[kind]:
            blocks += [Block(text=heading, level=1), *reader.notes[kind]]
    for text in styles.running_lines:
        tally.add(RUNNING_LINES, text)
    title = reader.title
    if title is None:
        title, blocks = take_title(blocks)
    title = title or _meta_title(archive)
    return make_document(raw, blocks, tally, title=title, language=styles.language)


def _refuse_encryption(archive: Archive) -> None:
    """Encrypted documents name the method in their manifest; their members are no XML."""
    if _MANIFEST not in archive:
        return
    manifest = parse_xml(archive.read(_MANIFEST), f"{_MANIFEST} of {archive.name}")
    if any(local_name(element) == "encryption-data" for element in manifest.iter()):
        raise SourceError(
            f"{archive.name} is protected by a password", "open it with the password and save it without one"
        )


class _Styles:
    """The styles of a document: which mark its title, which hide text, and what heads its pages."""

    def __init__(self) -> None:
        self.language: str | None = None
        self.running_lines: list[str] = []
        self._parents: dict[str, str] = {}
        self._hidden: set[str] = set()
        self._levels: dict[str, int] = {}

    def add(self, root: _Element) -> None:
        """Take the styles of a member of the archive."""
        for element in root.iter():
            tag = local_name(element)
            if tag in ("style", "default-style"):
                self._add_style(element, is_default=tag == "default-style")
            elif tag in ("header", "footer", "header-left", "footer-left", "header-first", "footer-first"):
                self.running_lines.append(_shown(element))

    def _add_style(self, style: _Element, *, is_default: bool) -> None:
        name, parent = _attribute(style, "name"), _attribute(style, "parent-style-name")
        level = small_number(_attribute(style, "default-outline-level"))
        if parent:
            self._parents[name] = parent
        if level:
            self._levels[name] = level
        for properties in style:
            if _attribute(properties, "display") == "none":
                self._hidden.add(name)
            country = language_code(_attribute(properties, "language"))
            if is_default and _attribute(style, "family") == "paragraph" and country:
                self.language = self.language or country

    def chain(self, name: str) -> Iterator[str]:
        """A style and those it is based on."""
        for _ in range(_MAX_STYLE_CHAIN):
            yield name
            if name not in self._parents:
                return
            name = self._parents[name]

    def hides(self, element: _Element) -> bool:
        """Whether an element's style, or the element itself, keeps its text from being shown."""
        name = _attribute(element, "style-name")
        return _attribute(element, "display") == "none" or any(
            style in self._hidden for style in self.chain(name)
        )

    def is_title(self, name: str) -> bool:
        """Whether a paragraph's style is that of the document's title."""
        return "Title" in self.chain(name)

    def level_of(self, name: str) -> int:
        """The outline level that a paragraph's style sets; 0 for text."""
        return next((self._levels[style] for style in self.chain(name) if style in self._levels), 0)


class _BodyReader:
    """Reads paragraphs, lists and tables in order; the XML parser limits their nesting."""

    def __init__(self, styles: _Styles, tally: Tally) -> None:
        self.title: str | None = None
        self.notes: Mapping[str, list[Block]] = {kind: [] for kind in _NOTES}
        self._styles = styles
        self._tally = tally
        self._anchored: list[_Element] = []

    def read(self, container: _Element) -> Iterator[Block]:
        """The blocks of the body, a list, a cell, a note or a text box."""
        for element in container:
            tag = local_name(element)
            if tag in ("p", "h"):
                yield from self._paragraph(element, tag)
            elif tag == "table":
                yield from self._table(element)
            elif tag == "tracked-changes":
                self._count_deletions(element)
            elif tag in _INDEXES:
                self._tally.add(TABLE_OF_CONTENTS, _shown(element))
            elif tag == "bibliography":
                yield from self._bibliography(element)
            elif tag == "section" and self._styles.hides(element):
                self._tally.add(HIDDEN, _shown(element))
            elif tag in _BLOCKS:
                blocks = self.read(element)
                yield from as_item(blocks) if tag == "list-item" else blocks
            elif tag in _FRAMES:
                yield from self._frame(element)

    def _paragraph(self, paragraph: _Element, tag: str) -> Iterator[Block]:
        outer, self._anchored = self._anchored, []
        style = _attribute(paragraph, "style-name")
        hidden = self._styles.hides(paragraph)
        text = normalise("".join(self._inline(paragraph)))
        level = small_number(_attribute(paragraph, "outline-level")) if tag == "h" else None
        if hidden:
            self._tally.add(HIDDEN, text)
        elif tag == "p" and text and self.title is None and self._styles.is_title(style):
            self.title = text
        elif text:
            if level is None:
                level = 1 if tag == "h" else self._styles.level_of(style)
            yield Block(text=text, level=level)
        anchored, self._anchored = self._anchored, outer
        for frame in anchored:
            yield from self._frame(frame)

    def _inline(self, element: _Element) -> Iterator[str]:
        """The text of a paragraph; frames and notes in it are put aside."""
        yield element.text or ""
        for child in element:
            tag = local_name(child)
            if tag == "s":
                count = small_number(_attribute(child, "c"))
                yield " " * (1 if count is None else min(count, _MAX_SPACES))
            elif tag in ("tab", "line-break"):
                yield " "
            elif tag == "note":
                kind = _attribute(child, "note-class")
                for body in child:
                    if local_name(body) == "note-body":
                        self.notes.get(kind, self.notes["footnote"]).extend(
                            Block(text=block.text) for block in self.read(body)
                        )
            elif tag in ("annotation", "annotation-end"):
                self._tally.add(COMMENTS, _comment(child))
            elif tag in ("hidden-text", "hidden-paragraph", "conditional-text"):
                is_hidden = _attribute(child, "is-hidden") == "true" or tag == "hidden-text"
                if is_hidden:
                    self._tally.add(HIDDEN, _shown(child))
                else:
                    yield from self._inline(child)
            elif tag == "ruby-text":
                self._tally.add(COMMENTS, _shown(child))
            elif tag in _FRAMES and tag != "a":
                self._anchored.append(child)
            elif tag == "span" and self._styles.hides(child):
                self._tally.add(HIDDEN, _shown(child))
            elif tag and tag not in _UNREAD:
                yield from self._inline(child)
            yield child.tail or ""

    def _frame(self, frame: _Element) -> Iterator[Block]:
        """The text of a text box or shape; descriptions of pictures are counted."""
        for child in frame:
            tag = local_name(child)
            if tag in ("title", "desc"):
                self._tally.add(IMAGES, child.text or "")
            elif tag in ("p", "h"):
                yield from self._paragraph(child, tag)
            elif tag == "list" or tag in _BLOCKS:
                yield from self.read(child)
            elif tag in _FRAMES:
                yield from self._frame(child)
            elif tag == "table":
                yield from self._table(child)

    def _table(self, table: _Element) -> Iterator[Block]:
        for row in _rows(table):
            cells = [
                list(self.read(cell))
                for cell in row
                if local_name(cell) == "table-cell"  # covered cells belong to the one that spans them
            ]
            repeated = small_number(_attribute(row, "number-rows-repeated"))
            for _ in range(1 if repeated is None else min(repeated, _MAX_REPEATED_ROWS)):
                yield from table_row(cells)

    def _bibliography(self, index: _Element) -> Iterator[Block]:
        entries = [
            block for element in index if local_name(element) == "index-body" for block in self.read(element)
        ]
        if entries:
            title, *rest = entries
            yield Block(text=title.text, level=title.level or 1, role=SectionRole.REFERENCES)
            yield from (Block(text=entry.text) for entry in rest)

    def _count_deletions(self, changes: _Element) -> None:
        for deletion in changes.iter("{*}deletion"):
            self._tally.add(
                DELETIONS,
                " ".join(
                    _shown(child) for child in deletion if local_name(child) in ("p", "h", "list", "table")
                ),
            )


def _rows(table: _Element) -> Iterator[_Element]:
    """The rows of a table, also those in groups of rows."""
    for child in table:
        tag = local_name(child)
        if tag == "table-row":
            yield child
        elif tag in ("table-rows", "table-header-rows", "table-row-group"):
            yield from _rows(child)


def _shown(element: _Element) -> str:
    return " ".join(str(text) for text in element.itertext())


def _comment(element: _Element) -> str:
    """The words of a comment, without its author and date."""
    return " ".join(_shown(child) for child in element if local_name(child) in ("p", "list"))


def _meta_title(archive: Archive) -> str | None:
    if "meta.xml" not in archive:
        return None
    root = parse_xml(archive.read("meta.xml"), f"meta.xml of {archive.name}")
    titles = (normalise(element.text or "") for element in root.iter() if local_name(element) == "title")
    return next(titles, None) or None


def _attribute(element: _Element, name: str) -> str:
    """An attribute by its local name; empty where it is not given."""
    return next(
        (str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), ""
    )
