"""What readers are shown of a summary, in the words that every format uses.

A format takes a :class:`SummaryView` and arranges it: sentences with the pages they come from, sources
with addresses, what was read and what was lost. Every phrase is one clean line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from lsum_cli.documents import Document
from lsum_cli.locality import label_sections
from lsum_cli.rendering.citations import PAGE_NOUNS, Citations
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.quantities import count, format_pdf_pages
from lsum_cli.rendering.source_links import (
    STANDARD_INPUT,
    link_source,
    name_document,
    name_of_source,
    name_source,
)
from lsum_cli.status import StatusLine, status_of
from lsum_cli.summaries import (
    AttributionKind,
    ChangeKind,
    Coverage,
    Flag,
    FlagKind,
    OutlineEntry,
    SectionChange,
    SentenceChange,
    SummarySentence,
    name_pdf_pages,
)

# Colours that tell neighbouring windows apart; the name of the window is always shown beside them.
# Each has a contrast of at least 4.5 with white and with black, so that they suit any terminal.
# The style sheet of the HTML report has its own, as light and dark backgrounds of the text.
HUES = ("#197dae", "#b16019", "#138744", "#d81f9a", "#887513", "#9053e6", "#13847a", "#e02939")
_WINDOWS_NAMED = 2
# What the standing of documents is called, and where they say it apart from their text.
_STATUS, _FRONT_MATTER = "Status", "front matter"
# How many sections and documents are named.
_MOST_NAMED = 10
# How many sections of a part are named.
_MOST_SECTIONS = 8
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
_PART = "part"
# Changed sentences of each kind that are shown of a section.
_CHANGES_LISTED = 5


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


class SummaryView(Citations):
    """A summary for readers: what is said of it, besides its citations."""

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
        return PAGE_NOUNS.get(self.summary.method, _PART)

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

    def flags(self, sentence: SummarySentence) -> list[str]:
        """What to check of a sentence, a phrase each: ``number “1,200”``, ``splice “the sea in York”``."""
        return [_describe_flag(flag) for flag in sentence.flags]

    def marks(self, sentence: SummarySentence) -> list[str]:
        """The same where sentences carry marks at all; none without attribution."""
        return self.flags(sentence) if self._show_attribution else []

    def words(self, sentence: SummarySentence) -> str:
        """A sentence as one line, after its label if it has one: ``"Dissent: The Court is mistaken."``."""
        return clean_line(sentence.labelled)

    def rest_of_list(self, sentence: SummarySentence) -> str:
        """What is left of the list that an item ends: ``"(and 2 more: gates; locks)"``, or empty."""
        return clean_line(f"({sentence.rest})") if sentence.rest is not None else ""

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

    # ---- the outline

    @property
    def parts_below_title(self) -> tuple[OutlineEntry, ...]:
        """The parts of the outline, where the title stands above them: a part does not only repeat it."""
        outline = self.summary.outline
        if (
            not outline
            or outline[0].sentences
            or outline[0].people
            or outline[0].places
            or outline[0].sections
        ):
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

    def sections_of(self, entry: OutlineEntry) -> str:
        """``"Adding files; Removing files; and 3 more"``: what is in a part, as far as it is named."""
        return _with_number_of_more(entry.sections, _MOST_SECTIONS)

    # ---- what is said below the summary

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
        return _with_number_of_more(phrases, most) if self._show_attribution else ""

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


def _describe_flag(flag: Flag) -> str:
    """Weak evidence concerns the whole sentence, which need not be repeated."""
    kind = flag.kind.value.replace("-", " ")
    return kind if flag.kind is FlagKind.WEAK_EVIDENCE else f"{kind} “{clean_line(flag.text)}”"


def _with_number_of_more(phrases: Sequence[str], most: int) -> str:
    """Phrases separated by semicolons, with the number of those beyond the most."""
    more = len(phrases) - most
    listed = [*map(clean_line, phrases[:most]), *([f"and {more} more"] if more > 0 else [])]
    return "; ".join(listed)


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
