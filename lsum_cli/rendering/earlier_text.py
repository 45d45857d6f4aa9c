"""What kept summaries hold of their source, read again, so that a later version can be compared with it.

A report holds the documents, as they were when they were summarised, unless they were left out; a JSON object
digests of their sentences.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from lsum_cli.changes import NO_DIGEST, EarlierSection, EarlierText
from lsum_cli.documents import Document, Paragraph, Passage, Piece, SectionRole, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.rendering.json_object import SCHEMA
from lsum_cli.rendering.source_text import SOURCE_FORMAT

if TYPE_CHECKING:
    from bs4 import Tag

_MARK = '<meta name="generator" content="lsum'
# The mark stands at the beginning of a report.
_HEAD_CHARACTERS = 4_000
# Beautiful Soup takes compiled patterns alone.
_HEADINGS = re.compile("h[1-6]")
SUMMARY_SUFFIXES = (".html", ".htm", ".json", ".jsonl")
_ANY_SCHEMA = f"{SCHEMA.partition('/')[0]}/"
_AGAIN = "give the old document itself, or summarise it again with this lsum"


def read_earlier_text(content: bytes, name: str, *, keep_references: bool = False) -> EarlierText | None:
    """What a summary of ours holds of its only source; ``None`` where the file is no summary of ours.

    Args:
        content: The file.
        name: What to call it in messages.
        keep_references: Whether to include lists of references.

    Raises:
        OptionError: It is of another version, of several documents, damaged, or holds nothing of its source.
    """
    text = content.decode("utf-8", "replace")
    if text.lstrip()[:1] == "{":
        return _read_object(text, name, keep_references)
    if not is_report(text):
        return None
    try:
        documents = read_report(text, name)
    except ValueError:
        raise OptionError(f"{name} is damaged", _AGAIN) from None
    if len(documents) != 1:
        raise OptionError(f"{name} is a report on several documents", "give the old document itself")
    return EarlierText.of(documents[0], keep_references=keep_references)


def is_report(text: str) -> bool:
    """Whether a text is an HTML report of this program, of any version."""
    return _MARK in text[:_HEAD_CHARACTERS]


def read_report(text: str, name: str) -> list[Document]:
    """The documents of a report's summaries, in order.

    Args:
        name: What to call the report in messages.

    Raises:
        OptionError: It holds no source, or one that another version wrote in another way.
    """
    # Imported here, so that other runs start without it.
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(text, "lxml")
    panes = soup.select("section.source")
    if not panes:
        raise OptionError(
            f"{name} does not hold the text of its source",
            "give the old document itself, or a report made without --no-source",
        )
    if any(pane.get("data-format") != SOURCE_FORMAT for pane in panes):
        raise OptionError(
            f"{name} was written by another version of lsum, which kept its source in another way",
            "give the old document itself, or make the report again",
        )
    found = [document for pane in panes for document in pane.select("section.document")]
    return [_DocumentReader(document).read(f"d{number}") for number, document in enumerate(found)]


class _DocumentReader:
    """Reads one document; the page of a PDF goes on until the next mark."""

    def __init__(self, document: Tag) -> None:
        self._document = document
        self._pdf_page: int | None = None

    def read(self, id: str) -> Document:
        return compose_document(
            [self._passage(passage) for passage in self._document.select("section.passage")],
            id=id,
            source=_attribute(self._document, "data-source"),
            title=_attribute(self._document, "data-title") or None,
            language=_attribute(self._document, "lang") or None,
        )

    def _passage(self, passage: Tag) -> Passage:
        heading = passage.find(_HEADINGS)
        return Passage(
            heading=_attribute(passage, "data-heading") or (heading.get_text() if heading else None),
            level=int(_attribute(passage, "data-level")),
            role=SectionRole(_attribute(passage, "data-role")),
            paragraphs=tuple(self._paragraph(each) for each in passage.select(".block > p")),
        )

    def _paragraph(self, paragraph: Tag) -> Paragraph:
        from bs4 import Tag

        pieces: list[tuple[int | None, list[str]]] = [(self._pdf_page, [])]
        for node in paragraph.children:
            if isinstance(node, str):
                pieces[-1][1].append(node)
            elif not isinstance(node, Tag):
                continue
            elif "sheet" in _attribute(node, "class").split():
                self._pdf_page = int(node.get_text().removeprefix("p. "))
                pieces.append((self._pdf_page, []))
            else:  # a sentence that is cited, followed by the numbers of those that cite it
                pieces[-1][1].extend(each for each in node.children if isinstance(each, str))
        return Paragraph(
            pieces=tuple(Piece(text="".join(texts), pdf_page=pdf_page) for pdf_page, texts in pieces if texts)
        )


def _attribute(tag: Tag, name: str) -> str:
    value = tag.get(name) or ""
    return value if isinstance(value, str) else " ".join(value)


def _read_object(text: str, name: str, keep_references: bool) -> EarlierText | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if _ANY_SCHEMA not in text[:_HEAD_CHARACTERS]:
            return None
        raise OptionError(f"{name} is damaged, or holds several summaries", _AGAIN) from None
    schema = value.get("schema") if isinstance(value, dict) else None
    if not isinstance(schema, str) or not schema.startswith(_ANY_SCHEMA):
        return None
    if schema != SCHEMA:
        raise OptionError(f"{name} is of another version, {schema}; this lsum reads {SCHEMA}", _AGAIN)
    documents = value.get("documents")
    if not isinstance(documents, list) or len(documents) != 1:
        raise OptionError(f"{name} is a summary of several documents", "give the old document itself")
    try:
        sections = tuple(
            _earlier_section(section)
            for section in documents[0]["content"]
            if keep_references or section["role"] != SectionRole.REFERENCES
        )
        return EarlierText(source=str(documents[0]["source"]), sections=sections, has_text=False)
    except KeyError:
        raise OptionError(
            f"{name} holds nothing of its source to compare with: an earlier lsum wrote it", _AGAIN
        ) from None
    except (TypeError, AttributeError):
        raise OptionError(f"{name} is damaged", _AGAIN) from None


def _earlier_section(section: Any) -> EarlierSection:
    digests = section["digests"].split()
    return EarlierSection(
        heading=str(section["heading"] or "Text"),
        normal_forms=tuple("" if each == NO_DIGEST else each for each in digests),
    )
