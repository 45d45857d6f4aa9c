"""Documents that tests of extraction write, and what extraction knows and makes of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.reading.opinions import divide_opinions
from lsum_cli.summaries import Summary


def document_of(
    *sections: tuple[str | None, Sequence[str]], title: str | None = None, language: str | None = None
) -> Document:
    """A document of headings and their texts; every string is a paragraph."""
    passages = [
        Passage(heading=heading, level=1 if heading else 0, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    return compose_document(divide_opinions(passages), id="d0", source="-", title=title, language=language)


def with_items(document: Document, items: Collection[str]) -> Document:
    """The same document, in which these sentences begin items of lists."""
    sections = (
        replace(
            section,
            sentences=tuple(replace(each, is_item=each.text in items) for each in section.sentences),
        )
        for section in document.sections
    )
    return replace(document, sections=tuple(sections))


def candidates_of(*documents: Document) -> Candidates:
    """The sentences of documents, as extraction chooses from them."""
    pages = paginate(documents, choose_locality(documents).locality, 1024)
    return Candidates.of(pages, documents)


def structure_of(document: Document) -> Structure:
    """What is known of the sentences of a document."""
    return Structure.of(candidates_of(document))


def summarize(*documents: Document, **options: object) -> Summary:
    """The extractive summary of documents."""
    options = {"method": "extract", **options}
    return Summarizer(SummaryOptions(**options)).summarize(documents)  # type: ignore[arg-type]
