"""What readers are shown of a summary, in the words that every format uses.

A format takes a :class:`SummaryView` and arranges it: sentences with the pages they come from, sources
with addresses, what was read and what was lost. Every phrase is one clean line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from lsum_cli.documents import PATH_BREAK, Document, Section, SectionRole
from lsum_cli.locality import OPENING, Locality, Page, label_sections
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.quantities import count, format_pdf_pages
from lsum_cli.rendering.source_links import (
    STANDARD_INPUT,
    TEXT_FRAGMENT,
    link_place,
    link_source,
    name_all_briefly,
    name_document,
    name_of_source,
    name_source,
)
from lsum_cli.status import StatusLine, status_of
from lsum_cli.summaries import (
    LEAST_CITED_WEIGHT,
    MOST_CITED_PAGES,
    Attribution,
    AttributionKind,
    ChangeKind,
    ChapterSummary,
    Coverage,
    Evidence,
    Flag,
    FlagKind,
    OutlineEntry,
    SectionChange,
    SentenceChange,
    Summary,
    SummarySentence,
    name_pdf_pages,
)
from lsum_cli.text.patterns import regex

# Colours that tell neighbouring windows apart; the name of the window is always shown beside them.
# Each has a contrast of at least 4.5 with white and with black, so that they suit any terminal.
# The style sheet of the HTML report has its own, as light and dark backgrounds of the text.
HUES = ("#197dae", "#b16019", "#138744", "#d81f9a", "#887513", "#9053e6", "#13847a", "#e02939")
_WINDOWS_NAMED = 2
# What the standing of documents is called, and where they say it apart from their text.
_STATUS, _FRONT_MATTER = "Status", "front matter"
# How many sections and documents are named.
_MOST_NAMED = 10
# How many abbreviations are spelled out, and how many people introduced.
_MOST_EXPLAINED = 6

_KINDS = {
    AttributionKind.CONFIDENCE: "Weights are the model's confidence in each page.",
    AttributionKind.ATTENTION: "Weights are the model's attention to each page.",
    AttributionKind.WINDOW: "Weights are the windows that were being read.",
    AttributionKind.EXTRACTION: "Sentences are taken from the source as they stand.",
    AttributionKind.ALIGNMENT: "Weights are likeness to the sentences of each page.",
}
_SHORTENED = "Sentences are taken from the source; of some, words such as fillers are left out."
# What the pages of a method are called, where it makes its own. Readers know pages of a PDF as pages.
_PAGE_NOUNS = {"windowing": "window", "book": "chapter"}
_PART = "part"
# Changed sentences of each kind that are shown of a section.
_CHANGES_LISTED = 5
# Labels that do not help to find a sentence: of a text that is one page, and of one of few pages.
_WHOLE = regex(r"(?:^|, )whole text$")
_PIECE = regex(r" \(\d+/\d+\)$")
_ONE_OF_FEW = regex(r"(?:^|, )(?:whole text|part \d/[23])$")
# How many of its sentences a group tells.
_OF_ALL = regex(r" \(\d+ of \d+\)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A document as a source of the summary.

    Attributes:
        name: The file name, or the URL.
        title: Title of the document; empty if it has none.
        address: Where a link to it leads; ``None`` where it cannot be linked.
        length: ``"14 PDF pages"``, or empty.
    """

    name: str
    title: str
    address: str | None
    length: str


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


class SummaryView:
    """A summary for readers.

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

    # ---- the summary as a whole

    @cached_property
    def title(self) -> str:
        """The title of the summary; else that of its document, or how many documents there are."""
        if self.summary.title and clean_line(self.summary.title):
            return clean_line(self.summary.title)
        if len(self.summary.documents) == 1:
            return clean_line(name_document(self.summary.documents[0]))
        return f"{len(self.summary.documents)} documents"

    @property
    def title_and_source(self) -> str:
        """The title with the path or the address of its one document: several may be called alike."""
        documents = self.summary.documents
        if len(documents) != 1:
            return self.title
        source = documents[0].source
        named = clean_line(name_source(documents[0]) if source == STANDARD_INPUT else source)
        return (
            named if not documents[0].title or Path(source).stem == self.title else f"{self.title} ({named})"
        )

    @property
    def making(self) -> list[str]:
        """Method, locality, checkpoint and pages, a phrase each."""
        summary = self.summary
        locality = str(summary.locality)
        if summary.locality_reason:
            locality += f" ({clean_line(summary.locality_reason)})"
        checkpoint = [clean_line(summary.checkpoint.name)] if summary.checkpoint else []
        pages = count(summary.coverage.pages_total, self.page_noun)
        return [summary.method, locality, *checkpoint, pages]

    @property
    def page_noun(self) -> str:
        """What to call the pages of the model: parts, or what its method makes of them."""
        return _PAGE_NOUNS.get(self.summary.method, _PART)

    @property
    def extent(self) -> str:
        """How long the source is, and the summary once it is written: ``"14 pages · 142 of 8,120 words"``."""
        from lsum_cli.text.terms import count_words

        documents = self.summary.documents
        pages = sum(document.metadata.pdf_pages or 0 for document in documents)
        wanted = sum(
            len(document.metadata.pdf_pages_read) or document.metadata.pdf_pages or 0
            for document in documents
        )
        words = sum(count_words(sentence.text) for document in documents for sentence in document.sentences)
        written = f"{self.summary.num_words:,} of " if self.summary.sentences else ""
        number = count(len(documents), "document")
        listed = [number] if len(documents) > 1 and number not in self.title else []
        some = f"{wanted:,} of " if wanted < pages else ""
        listed += [f"{some}{count(pages, 'page')}"] if pages else []
        return " · ".join([*listed, f"{written}{count(words, 'word')}"])

    @property
    def coverage_in_brief(self) -> str:
        """``"all read"``, or what was not: ``"88% read but 2 pages without text"``."""
        return _describe_coverage_briefly(self.summary.coverage)

    @property
    def coverage(self) -> str:
        """``"8,120 of 8,120 tokens read, left out: references (2,301 tokens)"``."""
        return _describe_coverage(self.summary.coverage)

    @property
    def warnings(self) -> list[str]:
        """Every warning and every loss once, one line each."""
        lines = (*self.summary.warnings, *self.summary.coverage.lost)
        return list(dict.fromkeys(map(clean_line, lines)))

    @property
    def kinds(self) -> list[str]:
        """How the origin of the sentences is known, a sentence for each way that occurs."""
        sentences = [sentence for sentence in self.summary.sentences if sentence.attribution is not None]
        is_shortened = any(map(_is_shortened, sentences))
        kinds = dict.fromkeys(each.attribution.kind for each in sentences if each.attribution is not None)
        return [
            _SHORTENED if kind is AttributionKind.EXTRACTION and is_shortened else _KINDS[kind]
            for kind in kinds
        ]

    @property
    def language(self) -> str | None:
        """The language tag that all documents share, if they do."""
        languages = {document.language for document in self.summary.documents}
        return languages.pop() if len(languages) == 1 else None

    @property
    def sources(self) -> list[Source]:
        """The documents, in order."""
        return [
            Source(
                name=clean_line(name_source(document)),
                title=clean_line(document.title or ""),
                address=link_source(document, self._base_path, absolute=self._is_absolute),
                length=count(document.metadata.pdf_pages, "PDF page") if document.metadata.pdf_pages else "",
            )
            for document in self.summary.documents
        ]

    # ---- where a sentence comes from

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
            if is_quoted and called == OPENING and not self.tells_openings:
                called = ""
            # "Fees: … [Fees]", "Breaking, Fees: … [Fees]", "2.1.0, Breaking: … [2.1.0]"
            label = f", {clean_line(sentence.label or '')}, "
            if as_labelled and (label.startswith(f", {called}, ") or label.endswith(f", {called}, ")):
                called = ""
            citations.append(self._cite(page, cited.weight, evidence, called))
        return tuple(citations)

    def label_address(self, sentence: SummarySentence) -> str | None:
        """Where the label of a sentence leads, if it stands for its section; else ``None``."""
        cited = self.cite(sentence)
        if not sentence.label or not cited or cited[0].text:
            return None
        return cited[0].address if self.cite(sentence, as_labelled=False)[0].text else None

    @cached_property
    def tells_openings(self) -> bool:
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

    def mention(self, citations: Sequence[Citation]) -> str:
        """Citations in words, without those that say nothing: ``"3 Methods, p. 7; 5 Results, p. 9"``."""
        return "; ".join(citation.text for citation in citations if citation.text)

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

    def flags(self, sentence: SummarySentence) -> list[str]:
        """What to check of a sentence, a phrase each: ``number “1,200”``, ``splice “the sea in York”``."""
        return [_describe_flag(flag) for flag in sentence.flags]

    def marks(self, sentence: SummarySentence) -> list[str]:
        """The same where sentences carry marks at all; none without attribution."""
        return self.flags(sentence) if self._show_attribution else []

    def _attribution(self, sentence: SummarySentence) -> Attribution | None:
        return sentence.attribution if self._show_attribution else None

    def link(self, document: Document, *, pdf_page: int | None = None, quotation: str = "") -> str | None:
        """The address of a PDF page, or of a quotation in a web page, or of the source as a whole."""
        return link_place(
            document, self._base_path, pdf_page=pdf_page, quotation=quotation, absolute=self._is_absolute
        )

    # ---- pages and chapters

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

    def _of_one_section(self, page: Page, evidence: Sequence[Evidence]) -> Page:
        """A page of several sections as its section with the best evidence, if there is any on it.

        The pages of a method that makes its own, such as the chapters of a book, stay as they are.
        """
        best = next((item for item in evidence if item.page == page.index), None)
        sections = {sentence.section_index for sentence in page.sentences}
        if (
            page.locality is not Locality.DISCOURSE
            or self.summary.method in _PAGE_NOUNS
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
        return {document.id: _label_sections(document.sections) for document in self.summary.documents}

    def _name_beside_pdf_pages(self, page: Page) -> str:
        """The same where PDF pages are given too: they say more than ``part 2/7``."""
        if page.locality is Locality.DISCOURSE or not page.pdf_pages:
            return self.name_page(page)
        return self.brief_names[page.document_id] if len(self._documents) > 1 else ""

    def name_chapter(self, chapter: ChapterSummary) -> str:
        """What to call a chapter of a book."""
        return self.name_page(self._pages[chapter.page])

    def words(self, sentence: SummarySentence) -> str:
        """A sentence as one line, after its label if it has one: ``"Dissent: The Court is mistaken."``."""
        return clean_line(sentence.labelled)

    # ---- the outline

    @cached_property
    def prose(self) -> tuple[SummarySentence, ...]:
        """The sentences that are not shown in the outline."""
        outlined = {sentence.index for entry in self.summary.outline for sentence in entry.sentences}
        return tuple(sentence for sentence in self.summary.sentences if sentence.index not in outlined)

    # ---- what changed

    @property
    def changes_in_brief(self) -> str:
        """``"Since old.pdf: 3 of 14 sections changed; 5 sentences new, 1 removed"``, or empty."""
        changes = self.summary.changes
        if changes is None:
            return ""
        since = clean_line(name_of_source(changes.since))
        if not changes.sections:
            return f"Nothing changed since {since}"
        removed = sum(section.kind is ChangeKind.REMOVED for section in changes.sections)
        altered = sum(section.kind is not ChangeKind.MOVED for section in changes.sections)
        moved = sum(section.is_moved for section in changes.sections)
        sections = f"{altered:,} of {count(changes.sections_compared + removed, 'section')} changed"
        numbers = [
            (number, kind.value)
            for kind in (ChangeKind.NEW, ChangeKind.ALTERED, ChangeKind.REMOVED)
            if (number := changes.count(kind))
        ]
        counts = [
            f"{count(number, 'sentence') if place == 0 else f'{number:,}'} {kind}"
            for place, (number, kind) in enumerate(numbers)
        ]
        where = f"{sections}, {moved:,} moved" if moved else sections
        return f"Since {since}: {where}{'; ' if counts else ''}{', '.join(counts)}"

    def name_change(self, section: SectionChange) -> str:
        """``"3 Methods (altered, moved), pp. 4–5"``."""
        kinds = [section.kind.value]
        if section.is_moved and section.kind is not ChangeKind.MOVED:
            kinds.append("moved")
        pages = format_pdf_pages(section.pdf_pages)
        return f"{clean_line(section.heading)} ({', '.join(kinds)}){f', {pages}' if pages else ''}"

    def place_change(self, change: SentenceChange) -> str:
        """``"p. 7"``, or empty."""
        return "" if change.pdf_page is None else format_pdf_pages((change.pdf_page,))

    def list_changes(self, section: SectionChange) -> tuple[list[SentenceChange], str]:
        """The first changed sentences of each kind, and a phrase on the others; empty where these are all."""
        listed: list[SentenceChange] = []
        others: list[str] = []
        for kind in (ChangeKind.NEW, ChangeKind.ALTERED, ChangeKind.REMOVED):
            own = [each for each in section.sentences if each.kind is kind]
            # Of a version whose text was not kept there is nothing to show.
            shown = [each for each in own if each.text or each.before][:_CHANGES_LISTED]
            listed += shown
            if len(own) > len(shown):
                more = "more " if shown else ""
                others.append(f"{count(len(own) - len(shown), f'{more}{kind.value} sentence')}")
        return listed, f"and {', '.join(others)}" if others else ""

    # ---- the lengths

    @cached_property
    def shorter(self) -> tuple[tuple[str, tuple[SummarySentence, ...]], ...]:
        """The lengths below the longest, the shortest first; those that say the same are one.

        Each is ``("Short", sentences)``, or ``("Short, medium", sentences)``.
        """
        found: list[tuple[list[str], tuple[SummarySentence, ...]]] = []
        for length in self.summary.lengths[:-1]:
            if found and _texts(found[-1][1]) == _texts(length.sentences):
                found[-1][0].append(length.name)
            elif _texts(length.sentences) != _texts(self.summary.sentences):
                found.append(([length.name], length.sentences))
        return tuple((", ".join(names).capitalize(), sentences) for names, sentences in found)

    @property
    def longest(self) -> str:
        """What to call the whole text where there are several lengths: ``"Long"``; else empty."""
        whole = _texts(self.summary.sentences)
        names = [length.name for length in self.summary.lengths[:-1] if _texts(length.sentences) == whole]
        names += [length.name for length in self.summary.lengths[-1:]]
        return ", ".join(names).capitalize()

    @property
    def parts_below_title(self) -> tuple[OutlineEntry, ...]:
        """The parts of the outline, where the title stands above them: a part does not only repeat it."""
        outline = self.summary.outline
        if not outline or outline[0].sentences or outline[0].people or outline[0].places:
            return outline
        first, *others = outline
        if self.name_part(first) != self.title or any(entry.level <= first.level for entry in others):
            return outline
        return tuple(replace(entry, level=entry.level - 1) for entry in others)

    def name_part(self, entry: OutlineEntry) -> str:
        """``"3 Methods"``."""
        return clean_line(entry.heading)

    def place_part(self, entry: OutlineEntry) -> str:
        """``"pp. 3–5"``, or empty."""
        if not entry.pdf_pages:
            return ""
        return format_pdf_pages(tuple(range(entry.pdf_pages[0], entry.pdf_pages[-1] + 1)))

    def cast(self, entry: OutlineEntry) -> list[tuple[str, str]]:
        """``("People", "Dorian Gray, Lord Henry")`` and the like, as far as a part of a book names any."""
        listed = (("People", entry.people), ("Places", entry.places))
        return [(noun, ", ".join(map(clean_line, names))) for noun, names in listed if names]

    def cite_within_part(self, entry: OutlineEntry, sentence: SummarySentence) -> tuple[Citation, ...]:
        """Where a sentence of the outline comes from, as far as the part it is in does not say that."""
        citations = self.cite(sentence)
        if entry.document_id is None:
            # "Release 2.1 (3 of 7)" says the first part of "Release 2.1 › Bugs fixed".
            said = _OF_ALL.sub("", clean_line(entry.heading))
            return tuple(
                replace(each, name="" if each.name == said else each.name.removeprefix(f"{said}{PATH_BREAK}"))
                for each in citations
            )
        return tuple(
            replace(citation, name="")
            for citation in citations
            if citation.pdf_pages or citation.leads_to_sentence
        )

    @cached_property
    def status(self) -> tuple[str, str] | None:
        """``("Status", "Withdrawn; Superseded-By: 12 [front matter]")``: what documents say of themselves.

        Of several documents those are named that say it.
        """
        told = [(each, lines) for each in self.summary.documents if (lines := status_of(each))]
        if not told:
            return None
        if len(self.summary.documents) == 1:
            ((document, lines),) = told
            return clean_line(lines[0].name), self._describe_status(document, lines, after=lines[0].name)
        more = len(told) - _MOST_NAMED
        listed = [
            f"{self.brief_names[document.id]}: {self._describe_status(document, lines, after=_STATUS)}"
            for document, lines in told[:_MOST_NAMED]
        ]
        return _STATUS, "; ".join([*listed, *([f"and {more} more"] if more > 0 else [])])

    def _describe_status(self, document: Document, lines: Sequence[StatusLine], *, after: str) -> str:
        """Lines of one place together, before the place; a name that was said before is not repeated."""
        described = []
        for place, own in groupby(lines, lambda line: self._place_status(document, line)):
            words = [line.text if line.name == after else f"{line.name}: {line.text}" for line in own]
            mark = f" [{place}]" if self._show_attribution else ""
            # A sentence ends by itself.
            described.append(clean_line("; ".join(words).replace(".; ", ". ")) + mark)
        return "; ".join(described)

    def _place_status(self, document: Document, line: StatusLine) -> str:
        if line.sentence is None:
            return _FRONT_MATTER
        page = line.sentence.pdf_page
        section = label_sections([document.sections[line.sentence.section_index]])[0]
        return ", ".join([clean_line(section), *([format_pdf_pages((page,))] if page else [])])

    @property
    def keywords(self) -> str:
        """The key phrases, separated by commas."""
        return ", ".join(map(clean_line, self.summary.keywords))

    @property
    def topics(self) -> str:
        """What a conversation is about, separated by semicolons.

        Without attribution there are sentences only.
        """
        return "; ".join(map(clean_line, self.summary.topics)) if self._show_attribution else ""

    @property
    def other_sections(self) -> str:
        """``"1 Set-up; 3 Clean-up; and 4 more"``: what is not quoted, if that is named.

        Without attribution there are sentences only.
        """
        return self._list(self.summary.other_sections, _MOST_NAMED)

    @property
    def abbreviations(self) -> str:
        """``"GDP, gross domestic product; CWA or Act, Clean Water Act; and 2 more"``, or empty.

        Without attribution there are sentences only.
        """
        forms: dict[str, list[str]] = {}
        for each in self.summary.abbreviations:
            forms.setdefault(each.long, []).append(each.short)
        listed = [f"{' or '.join(shorts)}, {long}" for long, shorts in forms.items()]
        return self._list(listed, _MOST_EXPLAINED)

    @property
    def people(self) -> str:
        """``"respondent Jane Mill; Ada Weir, the keeper of the lock"``, or empty.

        Without attribution there are sentences only.
        """
        return self._list([each.long for each in self.summary.people], _MOST_EXPLAINED)

    def _list(self, phrases: Sequence[str], most: int) -> str:
        """Phrases below the summary, separated by semicolons, with the number of those beyond the most."""
        if not self._show_attribution:
            return ""
        more = len(phrases) - most
        listed = [*map(clean_line, phrases[:most]), *([f"and {more} more"] if more > 0 else [])]
        return "; ".join(listed)

    def cite_within_chapter(self, chapter: ChapterSummary, sentence: SummarySentence) -> Citation | None:
        """The PDF pages of a sentence's evidence; its chapter is known already."""
        attribution = self._attribution(sentence)
        if attribution is None or not _pdf_pages_of(attribution.evidence):
            return None
        return self._cite(self._pages[chapter.page], 1.0, attribution.evidence, "")

    # ---- the colours of windows

    def hue(self, sentence: SummarySentence) -> int | None:
        """The number of a sentence's colour, that of its window; ``None`` where no windows were read."""
        attribution = self._attribution(sentence)
        if attribution is None or attribution.kind is not AttributionKind.WINDOW:
            return None
        return attribution.top_page % len(HUES)

    @property
    def hues(self) -> list[tuple[int, str]]:
        """Every colour used, with the windows it represents: ``"window 1/30, window 9/30, …"``."""
        windows: dict[int, dict[str, None]] = {}
        for sentence in self.summary.sentences:
            hue = self.hue(sentence)
            if hue is not None and sentence.attribution is not None:
                windows.setdefault(hue, {})[self._pages[sentence.attribution.top_page].label] = None
        return [(hue, _shorten_list(list(labels))) for hue, labels in windows.items()]


def _is_shortened(sentence: SummarySentence) -> bool:
    """Whether it is quoted, but not word for word."""
    attribution = sentence.attribution
    if attribution is None or attribution.kind is not AttributionKind.EXTRACTION or not attribution.evidence:
        return False
    words = sentence.text.rstrip(" …").lower()
    return not any(words in item.text.lower() for item in attribution.evidence)


def _texts(sentences: Sequence[SummarySentence]) -> list[str]:
    return [sentence.text for sentence in sentences]


def _label_sections(sections: Sequence[Section]) -> dict[int, str]:
    written = [(number, section) for number, section in enumerate(sections) if section.sentences]
    labels = label_sections([section for _, section in written])
    return {number: label for (number, _), label in zip(written, labels, strict=True)}


def _describe_flag(flag: Flag) -> str:
    """Weak evidence concerns the whole sentence, which need not be repeated."""
    kind = flag.kind.value.replace("-", " ")
    return kind if flag.kind is FlagKind.WEAK_EVIDENCE else f"{kind} “{clean_line(flag.text)}”"


def _pdf_pages_of(evidence: Iterable[Evidence]) -> tuple[int, ...]:
    """The PDF pages of source sentences, ascending."""
    return tuple(sorted({item.pdf_page for item in evidence if item.pdf_page is not None}))


def _shorten_list(names: list[str]) -> str:
    more = ["…"] if len(names) > _WINDOWS_NAMED else []
    return clean_line(", ".join(names[:_WINDOWS_NAMED] + more))


def _describe_coverage(coverage: Coverage) -> str:
    readable = coverage.tokens_read + coverage.tokens_dropped + coverage.tokens_unselected
    chosen = " (the most salient sentences)" if coverage.tokens_unselected else ""
    # Where something was lost, nobody knows how much there was.
    least = "at least " if coverage.unknown else ""
    read = f"{coverage.tokens_read:,} of {least}{readable:,} tokens read{chosen}"
    if coverage.ocr_pages:
        read += f", {name_pdf_pages(coverage.ocr_pages)} by OCR"
    left_out = [f"{clean_line(part.what)} ({count(part.words, 'word')})" for part in coverage.left_out]
    if coverage.tokens_references:
        left_out.insert(0, f"references ({count(coverage.tokens_references, 'token')})")
    return f"{read}, left out: {', '.join(left_out)}" if left_out else read


def _describe_coverage_briefly(coverage: Coverage) -> str:
    readable = coverage.tokens_read + coverage.tokens_dropped + coverage.tokens_unselected
    read = "all read"
    if coverage.tokens_read < readable:
        chosen = "the most salient " if coverage.tokens_unselected else ""
        read = f"{chosen}{max(1, 100 * coverage.tokens_read // readable)}% read"
    without_text = sum(len(pages.pages) for pages in coverage.unread)
    losses = [
        *([f"{count(without_text, 'page')} without text"] if without_text else []),
        *([count(coverage.glyphs_unread, "character")] if coverage.glyphs_unread else []),
        *(["what is damaged"] if coverage.unknown else []),
    ]
    missing = f" but {', '.join(losses)}" if losses else ""
    recognised = f", {count(len(coverage.ocr_pages), 'page')} by OCR" if coverage.ocr_pages else ""
    return f"{read}{missing}{recognised}"
