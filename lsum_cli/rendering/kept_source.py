"""The documents back from a report that holds its source, as they were when they were summarised."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsum_cli.documents import Document, Paragraph, Passage, Piece, SectionRole, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.rendering.source_text import SOURCE_FORMAT

if TYPE_CHECKING:
    from bs4 import Tag

_MARK = '<meta name="generator" content="lsum'
# The mark stands at the beginning of a report.
_HEAD_CHARACTERS = 4_000
_HEADINGS = re.compile("h[1-6]")


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
