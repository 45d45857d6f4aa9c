"""Where the sentences of a summary come from: the pages that they cite, and what they quote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lsum_cli.documents import PATH_BREAK, Document, Section, SectionRole
from lsum_cli.locality import OPENING, Locality, Page, label_sections
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.quantities import format_pdf_pages
from lsum_cli.rendering.source_links import (
    TEXT_FRAGMENT,
    link_place,
    name_all_briefly,
)
from lsum_cli.summaries import (
    LEAST_CITED_WEIGHT,
    MOST_CITED_PAGES,
    Attribution,
    AttributionKind,
    ChapterSummary,
    Evidence,
    OutlineEntry,
    Summary,
    SummarySentence,
)
from lsum_cli.text.patterns import regex

# What the pages of a method are called, where it makes its own. Readers know pages of a PDF as pages.
PAGE_NOUNS = {"windowing": "window", "book": "chapter"}
# Labels that do not help to find a sentence: of a text that is one page, and of one of few pages.
_WHOLE = regex(r"(?:^|, )whole text$")
_PIECE = regex(r" \(\d+/\d+\)$")
_ONE_OF_FEW = regex(r"(?:^|, )(?:whole text|part \d/[23])$")
# "2.1.0", "v2-1-0"
_NUMBER_OF_RELEASE = regex(r"[vV]?\d+(?:[.-]\w+)+")
_WORD = regex(r"[\w.+-]+")
# Which part of a text without headings it is in; the part of the outline says more.
_PART = regex(r"part \d+/\d+")
# What the label of a change, or its verb, says.
_KIND_OF_CHANGE = regex(
    r"(?:\d+\. )?(?:new features|changes) (?:in|to) .*"
    r"|(?:new )?features?|added|changed|fixed|removed|deprecated|(?:bug ?)?fix(?:es)?|bugs? fixed|security"
    r"|deprecations?(?: and removals?)?|removals?(?: and .*)?|(?:backwards?[- ]incompatible"
    r"|(?:\w+ and )?breaking|major|minor|other|additional) (?:changes?|improvements?)"
    r"|backwards?[- ]incompatibilit(?:y|ies)|enhancements?(?: made)?|improvements?|highlights?"
    r"|(?:other )?(?:merged )?(?:pull requests|prs)(?: merged)?"
    r"|maintenance(?: and upkeep improvements)?",
    re.IGNORECASE,
)
# What may end a heading and is not said with it.
_STOPS = " .:!"
# How many of its sentences a group tells.
_OF_ALL = regex(r" \(\d+ of (?:its )?\d+(?: changes)?\)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """One page as the origin of one summary sentence.

    Attributes:
        name: The displayed name of the page; empty if its PDF pages suffice.
        pdf_pages: The PDF pages with the evidence on this page, or all its PDF pages if there is none.
        weight: The page's share in the sentence.
        address: Link to the best evidence, or to the first PDF page; ``None`` if the source cannot be
            linked.
    """

    name: str
    pdf_pages: tuple[int, ...]
    weight: float
    page: Page
    document: Document
    address: str | None

    @property
    def text(self) -> str:
        """``"3 Methods, p. 7"``."""
        return ", ".join(part for part in (self.name, format_pdf_pages(self.pdf_pages)) if part)

    @property
    def leads_to_sentence(self) -> bool:
        """Whether its address is that of the very sentence."""
        return TEXT_FRAGMENT in (self.address or "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Quotation:
    """A source sentence that supports a summary sentence.

    Attributes:
        page_name: What to call its page.
        pdf_page: ``"p. 7"``, or empty.
        address: Where a link to it leads; ``None`` where the source cannot be linked.
        language: Language tag of the document.
    """

    text: str
    page_name: str
    pdf_page: str
    address: str | None
    language: str | None

    @property
    def place(self) -> str:
        """``"3 Methods, p. 7"``."""
        return ", ".join(part for part in (self.page_name, self.pdf_page) if part)


class Citations:
    """The citations of a summary's sentences, as every format shows them.

    Args:
        show_attribution: Whether to say where the sentences come from; otherwise nothing is cited.
        base_path: The folder from which links are followed; without one, paths stay as given.
        is_absolute: Without ``base_path``, write ``file://`` addresses.
    """

    def __init__(
        self,
        summary: Summary,
        *,
        show_attribution: bool = True,
        base_path: Path | None = None,
        is_absolute: bool = False,
    ) -> None:
        self.summary = summary
        self._show_attribution = show_attribution
        self._base_path, self._is_absolute = base_path, is_absolute
        self._pages = {page.index: page for page in summary.pages}
        self._documents = {document.id: document for document in summary.documents}
        self.brief_names = name_all_briefly(summary.documents)

    def cite(
        self,
        sentence: SummarySentence,
        *,
        most: int = MOST_CITED_PAGES,
        least: float = LEAST_CITED_WEIGHT,
        as_labelled: bool = True,
    ) -> tuple[Citation, ...]:
        """The pages of a sentence with most weight, in descending order; the first one in any case.

        Args:
            most: How many pages at most.
            least: The weight below which a page is not worth naming.
            as_labelled: Whether a page that the label of the sentence names is not named again.
        """
        attribution = self._attribution(sentence)
        if attribution is None:
            return ()
        # A window is named even where PDF pages are: its colour alone would not identify it.
        name = self.name_page if attribution.kind is AttributionKind.WINDOW else self._name_beside_pdf_pages
        is_quoted = attribution.kind is AttributionKind.EXTRACTION
        citations = []
        for cited in attribution.cited(most=most, least=least):
            page = self._of_one_section(self._pages[cited.page], attribution.evidence)
            kept = {(page.document_id, sentence.index) for sentence in page.sentences}
            evidence = [
                item
                for item in attribution.evidence
                if item.page == cited.page and (item.document_id, item.sentence_index) in kept
            ]
            called = (_ONE_OF_FEW if is_quoted else _WHOLE).sub("", name(page))
            if is_quoted and page.locality is Locality.DOCUMENT:
                called = _PIECE.sub("", called)
            if is_quoted and called == OPENING and not self.names_openings:
                called = ""
            # "2.1.0: … [Version 2.1.0 (2024-05-01) › Changes]"
            # "Fees: … [Fees]", "Breaking, Fees: … [Fees]", "2.1.0, Breaking: … [2.1.0]"
            if as_labelled:
                called = _without_release(called, clean_line(sentence.label or ""))
            label = f", {clean_line(sentence.label or '')}, "
            if as_labelled and (label.startswith(f", {called}, ") or label.endswith(f", {called}, ")):
                called = ""
            citations.append(self._cite(page, cited.weight, evidence, called))
        return tuple(citations)

    def cite_within_part(self, entry: OutlineEntry, sentence: SummarySentence) -> tuple[Citation, ...]:
        """Where a sentence of the outline comes from, as far as the part it is in does not say that."""
        citations = self.cite(sentence)
        if entry.document_id is None:
            # "Release 2.1 (3 of 7)" says the first part of "Release 2.1 › Bugs fixed".
            said = _OF_ALL.sub("", clean_line(entry.heading))
            is_of_releases = (
                _NUMBER_OF_RELEASE.search(said) or said.endswith(" releases") or said == "Earlier"
            )
            return tuple(
                replace(
                    each,
                    name=""
                    if not (below := _below(said, each.name))
                    # "2.1 drops the old gates", "Locks and gates: …"
                    or f", {clean_line(sentence.label or '')}, ".endswith(f", {below.rstrip(_STOPS)}, ")
                    or sentence.text.startswith(f"{each.name} ")
                    or _PART.fullmatch(each.name)
                    or (
                        is_of_releases
                        and _KIND_OF_CHANGE.fullmatch(each.name.rpartition(PATH_BREAK)[2].rstrip(_STOPS))
                    )
                    else below,
                )
                for each in citations
            )
        return tuple(
            replace(citation, name="")
            for citation in citations
            if citation.pdf_pages or citation.leads_to_sentence
        )

    def cite_within_chapter(self, chapter: ChapterSummary, sentence: SummarySentence) -> Citation | None:
        """The PDF pages of a sentence's evidence; its chapter is known already."""
        attribution = self._attribution(sentence)
        if attribution is None or not _pdf_pages_of(attribution.evidence):
            return None
        return self._cite(self._pages[chapter.page], 1.0, attribution.evidence, "")

    def mention(self, citations: Sequence[Citation]) -> str:
        """Citations in words, without those that say nothing: ``"3 Methods, p. 7; 5 Results, p. 9"``."""
        return "; ".join(citation.text for citation in citations if citation.text)

    def label_address(self, sentence: SummarySentence) -> str | None:
        """Where the label of a sentence leads, if it stands for its section; else ``None``."""
        cited = self.cite(sentence)
        if not sentence.label or not cited or cited[0].text:
            return None
        return cited[0].address if self.cite(sentence, as_labelled=False)[0].text else None

    def quote(self, sentence: SummarySentence) -> list[Quotation]:
        """Source sentences that say more than the sentence, the best first; none for an extracted one."""
        attribution = self._attribution(sentence)
        if attribution is None or attribution.kind is AttributionKind.EXTRACTION:
            return []
        quotations = []
        for evidence in attribution.evidence:
            document = self._documents[evidence.document_id]
            address = self.link(document, pdf_page=evidence.pdf_page, quotation=evidence.text)
            quotations.append(
                Quotation(
                    text=clean_line(evidence.text),
                    page_name=self.name_page(self._of_one_section(self._pages[evidence.page], [evidence])),
                    pdf_page=format_pdf_pages(_pdf_pages_of([evidence])),
                    address=address,
                    language=document.language,
                )
            )
        return quotations

    def link(self, document: Document, *, pdf_page: int | None = None, quotation: str = "") -> str | None:
        """The address of a PDF page, or of a quotation in a web page, or of the source as a whole."""
        return link_place(
            document, self._base_path, pdf_page=pdf_page, quotation=quotation, absolute=self._is_absolute
        )

    def name_page(self, page: Page) -> str:
        """What to call a page: its label, after the name of its document where there are several."""
        if len(self._documents) == 1:
            return clean_line(page.label)
        document = self._documents[page.document_id]
        source = self.brief_names[document.id]
        if page.locality is Locality.DISCOURSE:
            return clean_line(f"{source}: {page.label}")
        # Labels of these begin with the document's title, which the brief name represents.
        return clean_line(source + page.label.removeprefix(document.title or document.source))

    def name_chapter(self, chapter: ChapterSummary) -> str:
        """What to call a chapter of a book."""
        return self.name_page(self._pages[chapter.page])

    @cached_property
    def prose(self) -> tuple[SummarySentence, ...]:
        """The sentences that are not shown in the outline."""
        outlined = {sentence.index for entry in self.summary.outline for sentence in entry.sentences}
        return tuple(sentence for sentence in self.summary.sentences if sentence.index not in outlined)

    @cached_property
    def names_openings(self) -> bool:
        """Whether it says something that a sentence stands before all headings: not where all of them do."""
        headed = {
            (document.id, sentence.index)
            for document in self.summary.documents
            for section in document.sections
            if section.heading or section.role is not SectionRole.BODY
            for sentence in section.sentences
        }
        return any(
            (evidence.document_id, evidence.sentence_index) in headed
            for sentence in self.prose
            if sentence.attribution is not None
            for evidence in sentence.attribution.evidence
        )

    def _attribution(self, sentence: SummarySentence) -> Attribution | None:
        return sentence.attribution if self._show_attribution else None

    def _cite(self, page: Page, weight: float, evidence: Sequence[Evidence], name: str) -> Citation:
        document = self._documents[page.document_id]
        pdf_pages = _pdf_pages_of(evidence) or page.pdf_pages
        pdf_page = evidence[0].pdf_page if evidence else None
        if pdf_page is None and pdf_pages:
            pdf_page = pdf_pages[0]
        quotation = evidence[0].text if evidence else ""
        return Citation(
            name=name,
            pdf_pages=pdf_pages,
            weight=weight,
            page=page,
            document=document,
            address=self.link(document, pdf_page=pdf_page, quotation=quotation),
        )

    def _of_one_section(self, page: Page, evidence: Sequence[Evidence]) -> Page:
        """A page of several sections as its section with the best evidence, if there is any on it.

        The pages of a method that makes its own, such as the chapters of a book, stay as they are.
        """
        best = next((item for item in evidence if item.page == page.index), None)
        sections = {sentence.section_index for sentence in page.sentences}
        if (
            page.locality is not Locality.DISCOURSE
            or self.summary.method in PAGE_NOUNS
            or (best is None and len(sections) > 1)
        ):
            return page
        labels = self._section_labels[page.document_id]
        if len(sections) == 1:
            # Which part of a long section it is says little.
            return replace(page, label=labels.get(sections.pop(), page.label))
        assert best is not None
        number = next((s.section_index for s in page.sentences if s.index == best.sentence_index), None)
        if number is None or number not in labels:
            return page
        sentences = tuple(sentence for sentence in page.sentences if sentence.section_index == number)
        return replace(page, label=labels[number], sentences=sentences)

    @cached_property
    def _section_labels(self) -> dict[str, dict[int, str]]:
        """For each document the label of each section that has sentences, by its number."""
        return {document.id: _labels_of(document.sections) for document in self.summary.documents}

    def _name_beside_pdf_pages(self, page: Page) -> str:
        """The same where PDF pages are given too: they say more than ``part 2/7``."""
        if page.locality is Locality.DISCOURSE or not page.pdf_pages:
            return self.name_page(page)
        return self.brief_names[page.document_id] if len(self._documents) > 1 else ""


def _labels_of(sections: Sequence[Section]) -> dict[int, str]:
    written = [(number, section) for number, section in enumerate(sections) if section.sentences]
    labels = label_sections([section for _, section in written])
    return {number: label for (number, _), label in zip(written, labels, strict=True)}


def _below(said: str, name: str) -> str:
    """The name of a section below what a part is called; "Lathe 2.1 [stable]:" may be "Lathe 2.1 stable"."""
    above, _, below = name.partition(PATH_BREAK)
    words = _WORD.findall(said)
    if _NUMBER_OF_RELEASE.search(said) and words == _WORD.findall(above)[: len(words)]:
        return below
    return "" if name == said else name.removeprefix(f"{said}{PATH_BREAK}")


def _without_release(called: str, label: str) -> str:
    """The name of a section below the release that the label of its sentence begins with, or that number."""
    release, _, below = called.partition(PATH_BREAK)
    number = label.split(",")[0]
    if f"{label}, ".startswith(f"{release}, ") and _NUMBER_OF_RELEASE.search(release):
        return below or called
    is_number = _NUMBER_OF_RELEASE.fullmatch(number) is not None
    return below if is_number and number in _WORD.findall(release) else called


def _pdf_pages_of(evidence: Iterable[Evidence]) -> tuple[int, ...]:
    """The PDF pages of source sentences, ascending."""
    return tuple(sorted({item.pdf_page for item in evidence if item.pdf_page is not None}))
