"""HTML: a self-contained page to read, to check and to print.

The summary stands beside the source as it was read. A sentence leads to its evidence in context, a
source sentence to what cites it; one control zooms from a single sentence to the full text. All of it
is links, headings and radio buttons, which work without JavaScript; the script adds the keys and keeps
both panes in step. Nothing is loaded: a content security policy allows this style sheet and this script
alone. The markup is ``report.html.jinja`` and ``source.html.jinja``; the rest ``report.css``, ``report.js``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path

from lsum_cli.documents import PATH_BREAK, Document
from lsum_cli.locality import OPENING, Locality, Page
from lsum_cli.rendering.citations import Citation, Quotation
from lsum_cli.rendering.escaping import clean_line, digest_of, render_template
from lsum_cli.rendering.quantities import count, format_pdf_pages, pdf_page_ranges
from lsum_cli.rendering.source_links import name_document, name_source
from lsum_cli.rendering.source_text import (
    MOST_OPEN_CHARACTERS,
    SOURCE_FORMAT,
    Citer,
    Place,
    SourceText,
    describe_reading,
)
from lsum_cli.rendering.view import SummaryView
from lsum_cli.summaries import (
    AttributionKind,
    ChapterSummary,
    Evidence,
    FlagKind,
    OutlineEntry,
    Style,
    Summary,
    SummaryLength,
    SummarySentence,
)
from lsum_cli.text.terms import count_words
from lsum_cli.version import __version__

_LEAST_WEIGHT = 0.01
_MOST_PAGES = 6
_DEFAULT_LENGTH = "medium"
_OUTLINE, _CHAPTERS = "Outline", "Chapters"

_SOURCES = {
    "text/html": "web page",
    "application/xhtml+xml": "web page",
    "application/pdf": "PDF",
    "application/epub+zip": "EPUB",
}
_KINDS = {
    AttributionKind.CONFIDENCE: "the model's confidence",
    AttributionKind.ATTENTION: "the model's attention",
    AttributionKind.WINDOW: "the window that was being read",
    AttributionKind.EXTRACTION: "quotation",
    AttributionKind.ALIGNMENT: "likeness",
}

# Sentences, and the heading they stand below.
_Draft = tuple[OutlineEntry | None, Sequence[SummarySentence]]


def write_one(
    summary: Summary,
    *,
    show_attribution: bool = True,
    base_path: Path | None = None,
    show_source: bool = True,
) -> str:
    """One summary as a separate page."""
    folds = _count_characters([summary]) > MOST_OPEN_CHARACTERS
    report = _Report(summary, 0, show_attribution, base_path, show_source, folds)
    return _write_page(report.view.title, [report], has_contents=False)


def write_many(
    summaries: Sequence[Summary],
    *,
    show_attribution: bool = True,
    base_path: Path | None = None,
    show_source: bool = True,
) -> str:
    """Several summaries on one page, below a table of contents."""
    folds = _count_characters(summaries) > MOST_OPEN_CHARACTERS
    reports = [
        _Report(summary, number, show_attribution, base_path, show_source, folds)
        for number, summary in enumerate(summaries, start=1)
    ]
    return _write_page(f"Summaries of {count(len(reports), 'source')}", reports, has_contents=True)


def _count_characters(summaries: Sequence[Summary]) -> int:
    return sum(
        section.sentences[-1].end - section.sentences[0].start
        for summary in summaries
        for document in summary.documents
        for section in document.sections
        if section.sentences
    )


def _write_page(title: str, reports: Sequence[_Report], *, has_contents: bool) -> str:
    files = resources.files("lsum_cli.rendering")
    style = (files / "report.css").read_text(encoding="utf-8")
    script = (files / "report.js").read_text(encoding="utf-8")
    return render_template(
        "report.html.jinja",
        title=title,
        reports=reports,
        has_contents=has_contents,
        style=style,
        script=script,
        version=__version__,
        style_digest=digest_of(style),
        script_digest=digest_of(script),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """A summary sentence where it stands in one of the lengths.

    Attributes:
        id: Its id in the page.
        number: Its number in its length, from 1.
        evidence: The ids of the source sentences it cites, the best first; empty without a source pane.
        target: The id that its mark leads to; empty where it has no mark.
    """

    sentence: SummarySentence
    id: str
    number: int
    evidence: tuple[str, ...]
    target: str

    @property
    def origin_id(self) -> str:
        """The id of the card that names its origin."""
        return f"{self.id}-origin"


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """Statements below a heading of the outline; without ``entry`` those that no heading is for."""

    entry: OutlineEntry | None
    statements: tuple[Statement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Length:
    """The summary at one length: a stop of the zoom.

    Attributes:
        key: What style sheet and script call it: its number, from 1.
        label: ``"Short"``.
    """

    key: str
    label: str
    parts: tuple[Part, ...]

    @property
    def statements(self) -> list[Statement]:
        """All its sentences, in order."""
        return [statement for part in self.parts for statement in part.statements]

    @property
    def num_words(self) -> int:
        """Words of its sentences."""
        return sum(count_words(statement.sentence.text) for statement in self.statements)


class _Report:
    """The article about one summary, as the templates ask for it.

    Args:
        number: Tells it from others on the page; 0 if it is alone.
        folds: Whether the sections of the source are folded.
    """

    def __init__(
        self,
        summary: Summary,
        number: int,
        show_attribution: bool,
        base_path: Path | None,
        show_source: bool,
        folds: bool,
    ) -> None:
        self.summary = summary
        self.view = SummaryView(
            summary, show_attribution=show_attribution, base_path=base_path, is_absolute=True
        )
        self.number = number
        self.prefix = f"{number}-" if number else ""
        self.id = f"{self.prefix}report"
        self.has_source = show_source and any(document.sections for document in summary.documents)
        self._shows_attribution, self._folds = show_attribution, folds
        self._pages = {page.index: page for page in summary.pages}
        self._documents = {document.id: document for document in summary.documents}
        self._source_ids = SourceText(self.view, self.prefix, {}, folds=folds)

    source_format = SOURCE_FORMAT

    # ---- the lengths

    @cached_property
    def lengths(self) -> tuple[Length, ...]:
        """The summary at every length it has, the shortest first, then its outline and chapters."""
        summary = self.summary
        is_by_topic = len(summary.documents) > 1 and summary.style is not Style.OUTLINE
        drafts: list[tuple[str, list[_Draft]]] = []
        if summary.lengths:
            for before, length in zip((None, *summary.lengths), summary.lengths, strict=False):
                if not length.sentences or (before is not None and _words(before) == _words(length)):
                    continue  # a short source has no more to say
                label = length.name.capitalize()
                whole: list[_Draft] = [(None, length.sentences)]
                parts = self._by_topic(length.sentences) if is_by_topic else whole
                drafts.append((label, parts))
        elif is_by_topic:
            topics: list[_Draft] = [(entry, entry.sentences) for entry in summary.outline]
            drafts.append(("Summary", [(None, self.view.prose), *topics]))
        elif self.view.prose or not summary.outline:
            drafts.append(("Summary", [(None, self.view.prose)]))
        if summary.outline and not is_by_topic:
            drafts.append((_OUTLINE, [(entry, entry.sentences) for entry in summary.outline]))
        if summary.chapters:
            drafts.append((_CHAPTERS, [(self._entry(each), each.sentences) for each in summary.chapters]))
        return tuple(
            self._length(str(key), label, parts) for key, (label, parts) in enumerate(drafts, start=1)
        )

    def _by_topic(self, sentences: Sequence[SummarySentence]) -> list[_Draft]:
        """Sentences below the headings of the topics they are about."""
        topics = {
            _places(sentence): number
            for number, entry in enumerate(self.summary.outline)
            for sentence in entry.sentences
        }
        grouped: dict[int, list[SummarySentence]] = defaultdict(list)
        for sentence in sentences:
            grouped[topics.get(_places(sentence), -1)].append(sentence)
        return [
            (self.summary.outline[number] if number >= 0 else None, grouped[number])
            for number in sorted(grouped)
        ]

    def _entry(self, chapter: ChapterSummary) -> OutlineEntry:
        page = self._pages[chapter.page]
        return OutlineEntry(
            heading=self.view.name_chapter(chapter),
            level=1,
            document_id=page.document_id,
            pdf_pages=page.pdf_pages,
        )

    def _length(self, key: str, label: str, parts: Sequence[_Draft]) -> Length:
        number = 0
        made = []
        for entry, sentences in parts:
            statements = []
            for sentence in sentences:
                number += 1
                statements.append(self._statement(sentence, label, number))
            if statements or entry is not None:
                made.append(Part(entry=entry, statements=tuple(statements)))
        return Length(key=key, label=label, parts=tuple(made))

    def _statement(self, sentence: SummarySentence, label: str, number: int) -> Statement:
        own_id = f"{self.prefix}{label.lower()}-{number}"
        attribution = sentence.attribution if self._shows_attribution else None
        evidence = attribution.evidence if attribution is not None and self.has_source else ()
        ids = tuple(self._source_ids.sentence_id(_place(item)) for item in evidence)
        if attribution is None:
            target = ""
        elif ids:
            target = ids[0]
        elif self.has_source:
            target = self.section_id(self._pages[attribution.top_page])
        else:
            target = f"{own_id}-origin"
        return Statement(
            sentence=sentence,
            id=own_id,
            number=number,
            evidence=tuple(dict.fromkeys(ids)),
            target=target,
        )

    @cached_property
    def first_length(self) -> Length:
        """The length that is shown first: the one nearest to what suits the source, else neither end."""
        texts = self._texts
        suitable = self.summary.options.get("length")
        if len(texts) > 1 and isinstance(suitable, int):
            return min(texts, key=lambda length: abs(length.num_words - suitable))
        return next((length for length in texts if length.label.lower() == _DEFAULT_LENGTH), texts[-1])

    @property
    def _longest(self) -> Length:
        """The longest text; the outline where there is none."""
        return self._texts[-1]

    @property
    def _texts(self) -> Sequence[Length]:
        """The lengths that are no outline, if there are any."""
        texts = [length for length in self.lengths if length.label not in (_OUTLINE, _CHAPTERS)]
        return texts or self.lengths

    @property
    def has_zoom(self) -> bool:
        """Whether there is more than one thing to read."""
        return len(self.lengths) + self.has_source > 1

    @property
    def cites(self) -> bool:
        """Whether any sentence names its origin."""
        return any(statement.target for length in self.lengths for statement in length.statements)

    @property
    def coverage(self) -> str:
        """``"All read; left out: references (828 tokens)"``."""
        brief = self.view.coverage_in_brief
        left_out = self.view.coverage.partition(", left out: ")[2]
        return f"{brief[:1].upper()}{brief[1:]}{'; left out: ' if left_out else ''}{left_out}"

    # ---- the source

    @property
    def source(self) -> SourceText:
        """The documents as they were read, with what cites them."""
        citers: dict[Place, list[Citer]] = defaultdict(list)
        for length in self.lengths if self._shows_attribution else ():
            for statement in length.statements:
                attribution = statement.sentence.attribution
                for place in (
                    dict.fromkeys(_place(item) for item in attribution.evidence) if attribution else ()
                ):
                    keys = (length.key, "full") if length is self._longest else (length.key,)
                    citers[place].append(Citer(id=statement.id, stops=keys, number=statement.number))
        return SourceText(self.view, self.prefix, citers, folds=self._folds)

    def documents(self) -> Iterator[tuple[str, str, str | None, list[str], str]]:
        """Headline, name, address, facts and id in the source pane of every document."""
        for number, document in enumerate(self.summary.documents, start=1):
            title, name = clean_line(name_document(document)), clean_line(name_source(document))
            facts = list(describe_reading(document, self.summary.pages))
            yield title, name, self.view.link(document), facts, f"{self.prefix}d{number}"

    # ---- sentences and where they come from

    def style(self) -> str:
        """How the sentences are laid out."""
        return self.summary.style.value

    def pieces(self, sentence: SummarySentence) -> list[tuple[str, bool]]:
        """The text of a sentence in pieces, each with whether the source does not support it."""
        text = clean_line(sentence.text)
        doubted: set[int] = set()
        for flag in sentence.flags:
            words = clean_line(flag.text)
            start = text.find(words)
            if words and start >= 0 and flag.kind is not FlagKind.WEAK_EVIDENCE:
                doubted |= set(range(start, start + len(words)))
        edges = [at for at in range(1, len(text)) if (at in doubted) != (at - 1 in doubted)]
        cuts = [0, *edges, len(text)]
        return [(text[start:end], start in doubted) for start, end in pairwise(cuts) if end > start]

    def window(self, before: Statement | None, statement: Statement) -> str:
        """The name of the window, above the first sentence that was written from it."""
        attribution = statement.sentence.attribution
        if attribution is None or self.view.hue(statement.sentence) is None:
            return ""
        last = before.sentence.attribution if before is not None else None
        if last is not None and last.top_page == attribution.top_page:
            return ""
        return self.view.name_page(self._pages[attribution.top_page])

    def citations(self, sentence: SummarySentence) -> tuple[Citation, ...]:
        """The pages on the card of a sentence: more of them than in its mark."""
        return self.view.cite(sentence, most=_MOST_PAGES, least=_LEAST_WEIGHT, as_labelled=False)

    def has_bars(self, sentence: SummarySentence, citations: Sequence[Citation]) -> bool:
        """Whether to draw the weights of pages: not of the only page of an extracted sentence."""
        kind = sentence.attribution.kind if sentence.attribution else None
        return kind is not AttributionKind.EXTRACTION or len(citations) > 1

    def name_place(self, sentence: SummarySentence, citation: Citation) -> str:
        """``"III › B"``: the path of the section with the evidence; else what the page is called."""
        evidence = sentence.attribution.evidence if sentence.attribution else ()
        best = next((item for item in evidence if item.page == citation.page.index), None)
        name = citation.name or self.view.name_page(citation.page)
        if self.view.hue(sentence) is not None:
            return name
        path = self._section_path(best) if best is not None else ""
        says_nothing = citation.page.locality is Locality.SPATIAL or (
            citation.page.label.startswith(OPENING) and not self.view.names_openings
        )
        if path or not says_nothing:
            return path or name
        # "part 2/7" and "whole text" say nothing to a reader, nor that all is said before the first heading.
        return self.view.brief_names[citation.document.id] if len(self._documents) > 1 else ""

    def quotations(self, statement: Statement) -> list[tuple[Quotation, str]]:
        """The source sentences that support it, each with its id in the source pane if there is one."""
        attribution = statement.sentence.attribution
        quotations = self.view.quote(statement.sentence)
        evidence = attribution.evidence if attribution is not None and quotations else ()
        return [
            (quotation, self._source_ids.sentence_id(_place(item)) if self.has_source else "")
            for quotation, item in zip(quotations, evidence, strict=True)
        ]

    def opens(self, document: Document) -> str:
        """What a link to a whole source opens: ``"web page"``, ``"EPUB"``."""
        return _SOURCES.get(document.metadata.media_type, "file")

    def copying(self, sentence: SummarySentence) -> str:
        """How much of what a model wrote is copied; nothing of a quotation."""
        is_quotation = sentence.attribution and sentence.attribution.kind is AttributionKind.EXTRACTION
        if sentence.copied_share is None or is_quotation:
            return ""
        return f"{sentence.copied_share:.0%} of its words are copied from the source"

    def kind(self, sentence: SummarySentence) -> str:
        """How the origin of a sentence is known, where that differs from sentence to sentence."""
        if sentence.attribution is None or len(self.view.kinds) < 2:
            return ""
        return f"found by {_KINDS[sentence.attribution.kind]}"

    def _section_path(self, evidence: Evidence) -> str:
        """The headings above a source sentence, without the title of its only document."""
        document = self._documents[evidence.document_id]
        for section in document.sections:
            if section.sentences and section.sentences[-1].index >= evidence.sentence_index:
                above = [clean_line(heading) for heading in section.path.split(PATH_BREAK)]
                above = [
                    heading for heading in above if heading and heading != clean_line(document.title or "")
                ]
                if above and len(self._documents) > 1:
                    above.insert(0, self.view.brief_names[document.id])
                return PATH_BREAK.join(above)
        return ""

    # ---- pages

    def link_pdf_pages(self, document: Document, pdf_pages: Sequence[int]) -> list[tuple[str, str | None]]:
        """``"p. 3"``, ``"pp. 7–9"``, each with the address of its first page."""
        return [
            (format_pdf_pages(range(first, last + 1)), self.view.link(document, pdf_page=first))
            for first, last in pdf_page_ranges(pdf_pages)
        ]

    def section_id(self, page: Page) -> str:
        """The id of the section that a page begins in."""
        return self._source_ids.section_id(page.document_id, page.sentences[0].section_index)

    def pages(self) -> Iterator[tuple[Page, Document, float, list[Statement]]]:
        """Every page with its document, its share in the longest text and the sentences that name it."""
        shares: dict[int, float] = defaultdict(float)
        cited: dict[int, list[Statement]] = defaultdict(list)
        statements = [each for each in self._longest.statements if each.target]
        for statement in statements:
            attribution = statement.sentence.attribution
            for weight in attribution.pages if attribution else ():
                shares[weight.page] += weight.weight / len(statements)
            for citation in self.view.cite(statement.sentence, as_labelled=False):
                cited[citation.page.index].append(statement)
        for page in self.summary.pages:
            yield page, self._documents[page.document_id], shares[page.index], cited[page.index]

    def facts(self) -> Iterator[tuple[str, str]]:
        """How the summary was made: names and values."""
        summary = self.summary
        yield "Method", summary.method
        reason = f" ({summary.locality_reason})" if summary.locality_reason else ""
        yield "Locality", f"{summary.locality}{reason}"
        if summary.checkpoint:
            yield "Checkpoint", summary.checkpoint.name
            if summary.checkpoint.sha256:
                yield "SHA-256", summary.checkpoint.sha256
        yield "Length", f"{count(len(summary.sentences), 'sentence')}, {count(summary.num_words, 'word')}"
        yield "Coverage", self.view.coverage
        for name, value in summary.options.items():
            yield name.replace("_", " ").capitalize(), "–" if value is None else str(value)
        if summary.seconds:
            times = (f"{stage} {seconds:.1f} s" for stage, seconds in summary.seconds.items())
            yield "Time", ", ".join(times)


def _place(evidence: Evidence) -> Place:
    return evidence.document_id, evidence.sentence_index


def _words(length: SummaryLength) -> list[str]:
    return [sentence.labelled for sentence in length.sentences]


def _places(sentence: SummarySentence) -> tuple[Place, ...] | str:
    """What tells a sentence from others of its summary, at whatever length."""
    if sentence.attribution is None or not sentence.attribution.evidence:
        return sentence.text
    return tuple(map(_place, sentence.attribution.evidence))
