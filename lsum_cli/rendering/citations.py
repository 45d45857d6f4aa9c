"""Pages named as the origin of summary sentences, in the words every format uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document
from lsum_cli.locality import Locality, Page
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.links import name_briefly
from lsum_cli.summaries import (
    LEAST_CITED_WEIGHT,
    MOST_CITED_PAGES,
    AttributionKind,
    ChapterSummary,
    Evidence,
    Summary,
    SummarySentence,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """One page as the origin of one summary sentence.

    Attributes:
        name: What to call the page; empty where its PDF pages say all.
        pdf_pages: Where the evidence on this page stands, or all its PDF pages where there is none.
        weight: The page's share in the sentence.
        evidence: Source sentences on this page, the best first.
    """

    name: str
    pdf_pages: tuple[int, ...]
    weight: float
    page: Page
    document: Document
    evidence: tuple[Evidence, ...]

    @property
    def text(self) -> str:
        """``"3 Methods, p. 7"``."""
        return ", ".join(part for part in (self.name, describe_pdf_pages(self.pdf_pages)) if part)

    @property
    def pdf_page(self) -> int | None:
        """The PDF page to open."""
        if self.evidence and self.evidence[0].pdf_page is not None:
            return self.evidence[0].pdf_page
        return self.pdf_pages[0] if self.pdf_pages else None


class Citations:
    """Names the origin of the sentences of one summary."""

    def __init__(self, summary: Summary) -> None:
        self._pages = {page.index: page for page in summary.pages}
        self._documents = {document.id: document for document in summary.documents}
        self._brief_names = _name_all_briefly(summary.documents)

    def of(
        self, sentence: SummarySentence, *, most: int = MOST_CITED_PAGES, least: float = LEAST_CITED_WEIGHT
    ) -> tuple[Citation, ...]:
        """The pages of most weight, in descending order; the first one in any case.

        Args:
            most: How many pages at most.
            least: The weight below which a page is not worth naming.
        """
        attribution = sentence.attribution
        if attribution is None:
            return ()
        chosen = attribution.cited(most=most, least=least)
        return tuple(self._cite(sentence, weight.page, weight.weight) for weight in chosen)

    def _cite(self, sentence: SummarySentence, index: int, weight: float) -> Citation:
        page = self._pages[index]
        # A window is named even where PDF pages are: by its colour alone nobody could tell it.
        is_window = sentence.attribution is not None and sentence.attribution.kind is AttributionKind.WINDOW
        evidence = tuple(
            item
            for item in (sentence.attribution.evidence if sentence.attribution else ())
            if item.page == index
        )
        places = tuple(sorted({item.pdf_page for item in evidence if item.pdf_page is not None}))
        return Citation(
            name=self.name_page(page) if is_window else self._name_beside_pdf_pages(page),
            pdf_pages=places or page.pdf_pages,
            weight=weight,
            page=page,
            document=self.document_of(page),
            evidence=evidence,
        )

    def name_chapter(self, chapter: ChapterSummary) -> str:
        """What to call a chapter of a book."""
        return self.name_page(self._pages[chapter.page])

    def pdf_pages_of(self, sentence: SummarySentence) -> str:
        """The PDF pages of a sentence's evidence, ``"p. 7"``; its chapter is known already."""
        evidence = sentence.attribution.evidence if sentence.attribution else ()
        return describe_pdf_pages(sorted({item.pdf_page for item in evidence if item.pdf_page is not None}))

    def document_of(self, page: Page) -> Document:
        """The document a page comes from."""
        return self._documents[page.document_id]

    def name_page(self, page: Page) -> str:
        """What to call a page: its label, after the name of its document where there are several."""
        if len(self._documents) == 1:
            return clean_line(page.label)
        document = self.document_of(page)
        source = self._brief_names[document.id]
        if page.locality is Locality.DISCOURSE:
            return clean_line(f"{source}: {page.label}")
        # Labels of these begin with the document's title, which the brief name stands for.
        return clean_line(source + page.label.removeprefix(document.title or document.source))

    def _name_beside_pdf_pages(self, page: Page) -> str:
        """The same where PDF pages are told too: they say more than ``part 2/7``."""
        if page.locality is Locality.DISCOURSE or not page.pdf_pages:
            return self.name_page(page)
        return self._brief_names[page.document_id] if len(self._documents) > 1 else ""


def _name_all_briefly(documents: Sequence[Document]) -> dict[str, str]:
    """A brief name for each document; those that would share one are called by their whole source."""
    names = {document.id: clean_line(name_briefly(document)) for document in documents}
    shared = {name for name, times in Counter(names.values()).items() if times > 1}
    return {
        document.id: clean_line(document.source) if names[document.id] in shared else names[document.id]
        for document in documents
    }


def evidence_to_show(sentence: SummarySentence) -> tuple[Evidence, ...]:
    """Evidence that says more than the sentence: none for one taken from the source as it stands."""
    attribution = sentence.attribution
    if attribution is None or attribution.kind is AttributionKind.EXTRACTION:
        return ()
    return attribution.evidence


def describe_pdf_pages(pages: Sequence[int]) -> str:
    """``"p. 7"``, ``"pp. 3–5, 9"``, or nothing."""
    if not pages:
        return ""
    ranges = [str(first) if first == last else f"{first}–{last}" for first, last in _ranges(pages)]
    return f"{'p.' if len(pages) == 1 else 'pp.'} {', '.join(ranges)}"


def _ranges(pages: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = pages[0]
    for page in pages[1:]:
        if page > last + 1:
            yield first, last
            first = page
        last = page
    yield first, last
