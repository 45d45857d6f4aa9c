"""Composes examples from records: documents with sections from text, lists and objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsum_cli.datasets.example import Example
from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.formats import Record, shortened
from lsum_cli.datasets.layouts import SEPARATORS, Layout, recognise
from lsum_cli.datasets.options import DatasetOptions, Items
from lsum_cli.documents import Document, Metadata, Paragraph, Passage, compose_document
from lsum_cli.reading.blocks import Tally, gather_passages, role_of
from lsum_cli.reading.opinions import divide_opinions
from lsum_cli.reading.plain.document import parse_plain
from lsum_cli.text.sentences import normalise

HEADING_KEYS = ("title", "heading", "section_title", "section_name", "name")
TEXT_KEYS = ("text", "paragraphs", "content", "body", "sentences")
NESTED_KEYS = ("subsections", "sections", "children")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_WRAPPED = re.compile(r"[^\s.!?:;…。！？\"'”’»)][^\S\n]*\n[^\S\n]*[a-z]")
_MAX_DEPTH = 32


def compose_documents(record: Record, layout: Layout, options: DatasetOptions) -> tuple[Document, ...]:
    """The documents of a record; one without sections if the column is empty.

    Raises:
        DatasetError: The column contains neither text nor a structure of texts.
    """
    value = record.values[layout.text]
    composer = _Composer(record, layout)
    title = composer.optional_text(layout.title)
    if isinstance(value, str):
        value = layout.clean(value)
        separators = SEPARATORS if options.separator is None else tuple(filter(None, [options.separator]))
        parts = _split(value, separators)
        if len(parts) > 1:
            return composer.documents(parts)
        # A separator before or after a single document separates nothing.
        value = parts[0] if parts else ""
    elif isinstance(value, list) and layout.items is Items.DOCUMENTS:
        return composer.documents(value) or (composer.document(0, title, None),)
    return (composer.document(0, title, value, composer.headings()),)


def compose_references(record: Record, layout: Layout) -> list[str | None]:
    """The references of a record, one in most corpora; ``None`` for an empty one.

    A reference has one line per paragraph, or per item of a list.

    Raises:
        DatasetError: The column contains neither text nor a structure of texts.
    """
    value = record.values.get(layout.summary)
    if layout.several_summaries and isinstance(value, list) and value and isinstance(value[0], dict):
        return [_compose_reference(record, layout, item) for item in value]
    return [_compose_reference(record, layout, value)]


def _compose_reference(record: Record, layout: Layout, value: object) -> str | None:
    passages = _Composer(record, layout).passages(value, layout.summary, level=0)
    lines = (
        normalise(piece.text)
        for passage in passages
        for paragraph in passage.paragraphs
        for piece in paragraph.pieces
    )
    return "\n".join(filter(None, lines)) or None


class _Composer:
    """Composes the documents of one record."""

    def __init__(self, record: Record, layout: Layout) -> None:
        self._record = record
        self._layout = layout

    def optional_text(self, column: str | None) -> str | None:
        """The text of a column that may be absent; other values are ignored."""
        value = self._record.values.get(column) if column else None
        return value if isinstance(value, str) else None

    def headings(self) -> Sequence[str | None]:
        """The section headings, if a column of their own contains them."""
        column = self._layout.headings
        if column is None:
            return ()
        value, sections = self._record.values.get(column), self._record.values[self._layout.text]
        if not isinstance(value, list) or not isinstance(sections, list) or len(value) != len(sections):
            raise self._record.error(
                f"{column!r} and {self._layout.text!r} are not lists of the same length",
                "correct or remove the record",
            )
        return [heading if isinstance(heading, str) else None for heading in value]

    def documents(self, items: Sequence[object]) -> tuple[Document, ...]:
        """One document per item that is not empty."""
        documents: list[Document] = []
        for item in items:
            title = _first_text(item, HEADING_KEYS) if isinstance(item, dict) else None
            body = (
                {key: item[key] for key in item if key not in HEADING_KEYS}
                if isinstance(item, dict)
                else item
            )
            document = self.document(len(documents), title, body)
            if document.sections:
                documents.append(document)
        return tuple(documents)

    def document(
        self, number: int, title: str | None, value: object, headings: Sequence[str | None] = ()
    ) -> Document:
        """Compose the value of a column, or an item of it, as one document."""
        tally = Tally()
        if headings and isinstance(value, list):
            passages = [
                passage
                for heading, item in zip(headings, value, strict=True)
                for passage in self._section(heading, [item], level=1)
            ]
        elif isinstance(value, str):
            passages = passages_of_text(value, tally)
        else:
            passages = self.passages(value, self._layout.text, level=0)
        return compose_document(
            divide_opinions(passages),
            id=f"d{number}",
            source=self.optional_text(self._layout.source) or self._record.where,
            title=title,
            metadata=Metadata(left_out=tally.left_out()),
        )

    def passages(self, value: object, column: str, *, level: int) -> list[Passage]:
        """Sections and paragraphs of a value of any structure."""
        if level > _MAX_DEPTH:
            raise self._record.error(f"{column!r} is nested more than {_MAX_DEPTH} levels deep", "flatten it")
        if value is None:
            return []
        if isinstance(value, str):
            return [Passage(paragraphs=_lines(self._layout.clean(value)))]
        if isinstance(value, dict):
            return self._object(value, column, level)
        if isinstance(value, list):
            return list(self._items(value, column, level))
        raise self._record.error(
            f"{column!r} contains {_kind(value)} instead of text", "correct or remove the record"
        )

    def _items(self, items: Sequence[object], column: str, level: int) -> Iterator[Passage]:
        """A list: neighbouring texts become paragraphs of one section, other items become sections."""
        paragraphs: list[Paragraph] = []
        for item in items:
            if isinstance(item, str):
                paragraphs += _lines(self._layout.clean(item))
                continue
            if paragraphs:
                yield Passage(paragraphs=tuple(paragraphs))
                paragraphs = []
            yield from self.passages(item, column, level=level + 1)
        if paragraphs:
            yield Passage(paragraphs=tuple(paragraphs))

    def _object(self, value: dict[str, object], column: str, level: int) -> list[Passage]:
        lists = [item for item in value.values() if isinstance(item, list)]
        if any(isinstance(value.get(key), list) for key in HEADING_KEYS) and len(lists) == len(value):
            # A list of objects in column form: one list per key.
            if len({len(item) for item in lists}) > 1:
                raise self._record.error(
                    f"the lists in {column!r} differ in length", "correct or remove the record"
                )
            rows = [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)]
            return list(self._items(rows, column, level))
        heading = _first_text(value, HEADING_KEYS)
        bodies = [value[key] for key in (*TEXT_KEYS, *NESTED_KEYS) if key in value]
        if not bodies:
            keys = ", ".join(map(shortened, value))
            raise self._record.error(
                f"{column!r} contains an object without {' or '.join(TEXT_KEYS)}: it has {keys}",
                "rename its keys",
            )
        return self._section(heading, bodies, level=max(1, level), column=column)

    def _section(
        self, heading: str | None, bodies: Sequence[object], *, level: int, column: str | None = None
    ) -> list[Passage]:
        """A heading, the paragraphs below it, and the sections below those."""
        inner = [
            passage
            for body in bodies
            for passage in self.passages(body, column or self._layout.text, level=level)
        ]
        if not normalise(heading or ""):
            return inner
        role = role_of(heading or "")
        own = inner[0].paragraphs if inner and inner[0].heading is None else ()
        below = inner[1:] if inner and inner[0].heading is None else inner
        return [Passage(heading=heading, level=level, role=role, paragraphs=own), *below]


def passages_of_text(text: str, tally: Tally) -> list[Passage]:
    """A text without explicit structure, read like a plain text file: headings, paragraphs, wrapped lines.

    If there are neither blank lines nor wrapped ones, each line is a paragraph.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _BLANK_LINE.search(text) or 2 * len(_WRAPPED.findall(text)) > text.count("\n"):
        return gather_passages(parse_plain(text, tally, is_whole=False).blocks)
    return [Passage(paragraphs=_lines(text))]


def _split(text: str, separators: Sequence[str]) -> list[str]:
    parts = [text]
    for separator in separators:
        parts = [piece for part in parts for piece in part.split(separator)]
    return [part for part in parts if normalise(part)]


def _lines(text: str) -> tuple[Paragraph, ...]:
    return tuple(Paragraph.of(line) for line in text.splitlines() if line.strip())


def _first_text(value: dict[str, object], keys: Sequence[str]) -> str | None:
    return next((found for key in keys if isinstance(found := value.get(key), str) and found.strip()), None)


def _kind(value: object) -> str:
    return (
        "true or false"
        if isinstance(value, bool)
        else "a number"
        if isinstance(value, int | float)
        else f"a value of the type {type(value).__name__}"
    )


def compose_examples(record: Record, file: DataFile, options: DatasetOptions) -> Iterator[Example]:
    """Compose the examples of a record: one, or one per summary where it has several.

    Raises:
        DatasetError: A column is missing or contains no text.
    """
    layout = recognise(record, options)
    documents = compose_documents(record, layout, options)
    references = compose_references(record, layout)
    for number, reference in enumerate(references, start=1):
        yield Example(
            id=record_id(record, layout, file) + (f"-{number}" if len(references) > 1 else ""),
            documents=documents,
            reference=reference,
            where=record.where,
        )


def is_blank(record: Record, options: DatasetOptions) -> bool:
    """Whether a record has no text, or lacks the reference that it needs; composes nothing.

    Raises:
        DatasetError: A column is missing.
    """
    layout = recognise(record, options)
    columns = [layout.text, layout.summary] if options.needs_reference else [layout.text]
    return not all(_says_something(record.values.get(column)) for column in columns)


def _says_something(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, list):
        return any(map(_says_something, value))
    if isinstance(value, dict):
        return any(map(_says_something, value.values()))
    # Anything else is an error that composing reports.
    return value is not None


def record_id(record: Record, layout: Layout, file: DataFile) -> str:
    """The id of a record: its own, else the name of its file and its number there."""
    value = record.values.get(layout.id) if layout.id else None
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return number_record(record, file)


def number_record(record: Record, file: DataFile) -> str:
    """The name of a record without an id of its own: that of its file, and its number there."""
    return f"{file.label}-{record.ordinal}" if record.unit else file.label
