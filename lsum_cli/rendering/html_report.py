"""HTML: one file for itself, to read, to check and to print.

Nothing is loaded from anywhere and no script runs, which a content security policy enforces. The
summary's sentences carry marks that lead to their origin: pages with their weights, links to
``paper.pdf#page=7``, quotations. The style sheet is ``report.css``.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.rendering.citations import Citation, Citations, describe_pdf_pages, evidence_to_show
from lsum_cli.rendering.escaping import clean_line, escape_html
from lsum_cli.rendering.hues import hue_of, list_hues
from lsum_cli.rendering.links import link_place, link_source, name_document, name_source
from lsum_cli.rendering.statements import (
    count,
    describe_coverage,
    describe_kinds,
    describe_making,
    list_warnings,
    name_summary,
)
from lsum_cli.summaries import AttributionKind, ChapterSummary, Evidence, Summary, SummarySentence

_LEAST_WEIGHT = 0.01
_MOST_PAGES = 6
_PAGES_SHOWN_OPEN = 16


def write_html(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """One summary as a page of its own."""
    report = _Report(summary, "", show_attribution, base_path)
    return _write_page(name_summary(summary), report.body(1), report.highlights())


def write_htmls(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries on one page, below a list of contents."""
    reports = [
        _Report(summary, f"summary-{number}-", show_attribution, base_path)
        for number, summary in enumerate(summaries, start=1)
    ]
    entries = "".join(
        f'<li><a href="#{report.id}">{escape_html(name_summary(report.summary))}</a></li>'
        for report in reports
    )
    title = f"Summaries of {count(len(reports), 'source')}"
    contents = f'<nav class="contents" aria-label="Contents"><h1>{title}</h1><ol>{entries}</ol></nav>'
    body = contents + "".join(report.body(2) for report in reports)
    return _write_page(title, body, "".join(report.highlights() for report in reports))


def _write_page(title: str, body: str, highlights: str) -> str:
    style = (resources.files("lsum_cli.rendering") / "report.css").read_text(encoding="utf-8") + highlights
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="generator" content="lsum">\n'
        f"<title>{escape_html(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a source: what it is called and where it leads."""

    text: str
    address: str | None

    @property
    def html(self) -> str:
        if not self.address:
            return f"<span>{escape_html(self.text)}</span>"
        return f'<a href="{escape_html(self.address)}">{escape_html(self.text)}</a>'


@dataclass(slots=True)
class _Use:
    """What a summary took from a page."""

    share: float = 0.0
    sentences: list[SummarySentence] = field(default_factory=list)


class _Report:
    """The article about one summary.

    Args:
        prefix: Goes before every id, so that several summaries share a page.
    """

    def __init__(self, summary: Summary, prefix: str, show_attribution: bool, base_path: Path | None) -> None:
        self.summary = summary
        self.id = f"{prefix}report"
        self._prefix = prefix
        self._base_path = base_path
        self._citations = Citations(summary)
        self._documents = {document.id: document for document in summary.documents}
        self._pages = {page.index: page for page in summary.pages}
        self._cited = [
            sentence
            for sentence in summary.sentences
            if show_attribution and sentence.attribution is not None
        ]
        self._is_mixed = len(describe_kinds(summary)) > 1
        languages = {document.language for document in summary.documents}
        self._language = languages.pop() if len(languages) == 1 else None

    def body(self, level: int) -> str:
        """The article; its heading is of the given level."""
        sources = self._sources(level + 1) if self._cited else ""
        return (
            f'<article id="{self.id}" aria-labelledby="{self.id}-title">'
            f"{self._header(level)}"
            f'<div class="{"columns" if sources else "column"}">{self._sentences()}{sources}</div>'
            f'<div class="below">{self._chapters(level + 1)}{self._page_table()}{self._making()}</div>'
            "</article>\n"
        )

    def highlights(self) -> str:
        """Rules that light up a sentence and its origin together."""
        rules = []
        for sentence in self._cited:
            sentence_id, source_id = self._id("sentence", sentence), self._id("source", sentence)
            rules.append(
                f"#{sentence_id}:target,"
                f"article:has(#{source_id}:is(:target,:hover,:focus-within)) #{sentence_id}"
                "{background:var(--mark)}"
                f"#{source_id}:target,article:has(#{sentence_id}:is(:target,:hover)) #{source_id}"
                "{border-color:var(--accent);background:var(--card-lit)}"
            )
        return "\n".join(rules)

    def _id(self, noun: str, sentence: SummarySentence) -> str:
        return f"{self._prefix}{noun}-{sentence.index + 1}"

    def _header(self, level: int) -> str:
        summary = self.summary
        title = name_summary(summary)
        making = " · ".join(escape_html(part) for part in describe_making(summary))
        documents = "".join(f"<li>{self._document(document)}</li>" for document in summary.documents)
        warnings = "".join(f"<li>{escape_html(warning)}</li>" for warning in list_warnings(summary))
        notes = (
            f'<section class="warnings" aria-label="Warnings"><ul>{warnings}</ul></section>'
            if warnings
            else ""
        )
        return (
            f'<header><h{level} id="{self.id}-title" dir="auto"{self._lang()}>'
            f"{escape_html(title)}</h{level}>"
            f'<ul class="documents">{documents}</ul>'
            f'<p class="making">{making}</p>'
            f'<p class="coverage">{escape_html(describe_coverage(summary.coverage))}</p>{notes}</header>'
        )

    def _document(self, document: Document) -> str:
        address = link_source(document, self._base_path, absolute=True)
        place = _Place(clean_line(name_source(document)), address)
        title = clean_line(name_document(document))
        several = len(self._documents) > 1 and title != place.text
        named = f"<cite>{escape_html(title)}</cite> " if several else ""
        pages = document.metadata.pdf_pages
        length = f' <span class="quiet">{count(pages, "PDF page")}</span>' if pages else ""
        return f"{named}{place.html}{length}"

    def _sentences(self) -> str:
        return (
            f'<section class="summary" aria-label="Summary" dir="auto"{self._lang()}>'
            f"{self._legend()}"
            f"<p>{' '.join(self._sentence(sentence) for sentence in self.summary.sentences)}</p></section>"
        )

    def _legend(self) -> str:
        """Which colour stands for which windows."""
        hues = list_hues(self._cited, self._pages)
        items = "".join(f'<li class="hue-{hue}">{escape_html(name)}</li>' for hue, name in hues)
        return f'<ul class="hues" aria-label="Colours of the windows">{items}</ul>' if items else ""

    def _window(self, sentence: SummarySentence) -> str:
        """The name of the window before the first sentence that was written from it."""
        attribution = sentence.attribution
        if attribution is None or hue_of(sentence) is None:
            return ""
        if sentence.index and self._top_page_before(sentence) == attribution.top_page:
            return ""
        name = self._citations.name_page(self._pages[attribution.top_page])
        return f'<span class="window">{escape_html(name)}</span> '

    def _top_page_before(self, sentence: SummarySentence) -> int | None:
        before = self.summary.sentences[sentence.index - 1].attribution
        return None if before is None else before.top_page

    def _sentence(self, sentence: SummarySentence) -> str:
        mark, window, hue = "", "", ""
        if self._cited and sentence.attribution is not None:
            window = self._window(sentence)
            hue = "" if hue_of(sentence) is None else f" hue-{hue_of(sentence)}"
            places = "; ".join(citation.text for citation in self._citations.of(sentence))
            number = sentence.index + 1
            mark = (
                f'<a class="mark" href="#{self._id("source", sentence)}" title="{escape_html(places)}" '
                f'aria-label="Origin of sentence {number}: {escape_html(places)}">{number}</a>'
            )
        return (
            f'{window}<span class="sentence{hue}" id="{self._id("sentence", sentence)}">'
            f"{escape_html(sentence.text)}{mark}</span>"
        )

    def _sources(self, level: int) -> str:
        kinds = escape_html(" ".join(describe_kinds(self.summary)))
        cards = "".join(self._card(sentence) for sentence in self._cited)
        return (
            f'<aside class="sources" aria-labelledby="{self.id}-sources">'
            f'<div class="scroll"><h{level} id="{self.id}-sources">Where it comes from</h{level}>'
            f'<p class="quiet">{kinds}</p><ol>{cards}</ol></div></aside>'
        )

    def _card(self, sentence: SummarySentence) -> str:
        number = sentence.index + 1
        citations = self._citations.of(sentence, most=_MOST_PAGES, least=_LEAST_WEIGHT)
        kind = sentence.attribution.kind if sentence.attribution else None
        show_bars = kind is not AttributionKind.EXTRACTION or len(citations) > 1
        places = "".join(self._cited_page(citation, show_bars) for citation in citations)
        quotations = "".join(self._quotation(evidence) for evidence in evidence_to_show(sentence))
        quotations += f'<p class="quiet">{escape_html(str(kind))}</p>' if self._is_mixed else ""
        return (
            f'<li id="{self._id("source", sentence)}">'
            f'<a class="back" href="#{self._id("sentence", sentence)}" '
            f'aria-label="Back to sentence {number}">{number}</a>'
            f"<div>{places}{quotations}</div></li>"
        )

    def _cited_page(self, citation: Citation, show_bar: bool) -> str:
        name = f'<span class="name" dir="auto">{escape_html(citation.name)}</span>' if citation.name else ""
        quotation = citation.evidence[0].text if citation.evidence else ""
        link = self._link_pdf_pages(citation.document, citation.pdf_pages)
        if not link:
            address = link_place(citation.document, self._base_path, quotation=quotation, absolute=True)
            link = _Place("open", address).html if address else ""
        bar = _bar(citation.weight) if show_bar else ""
        return f'<p class="place">{bar}{name}<span class="link">{link}</span></p>'

    def _link_pdf_pages(self, document: Document, pdf_pages: Sequence[int]) -> str:
        """``pp. 3–5``, every number a link to its page."""

        def link(match: re.Match[str]) -> str:
            page = int(match.group())
            return _Place(
                match.group(), link_place(document, self._base_path, pdf_page=page, absolute=True)
            ).html

        return re.sub(r"\d+", link, describe_pdf_pages(pdf_pages))

    def _quotation(self, evidence: Evidence) -> str:
        document = self._documents[evidence.document_id]
        place = describe_pdf_pages((evidence.pdf_page,)) if evidence.pdf_page is not None else ""
        address = link_place(
            document, self._base_path, pdf_page=evidence.pdf_page, quotation=evidence.text, absolute=True
        )
        source = _Place(place or self._citations.name_page(self._pages[evidence.page]), address)
        language = f' lang="{escape_html(document.language)}"' if document.language else ""
        return (
            f'<blockquote><p dir="auto"{language}>{escape_html(evidence.text)} '
            f"<cite>{source.html}</cite></p></blockquote>"
        )

    def _chapters(self, level: int) -> str:
        """The summaries of a book's chapters."""
        if not self.summary.chapters:
            return ""
        chapters = "".join(
            f'<h{level} dir="auto">{escape_html(self._citations.name_chapter(chapter))}</h{level}>'
            f'<p dir="auto"{self._lang()}>'
            f"{' '.join(self._chapter_sentence(chapter, sentence) for sentence in chapter.sentences)}</p>"
            for chapter in self.summary.chapters
        )
        return (
            f"<details open><summary>Summaries of {count(len(self.summary.chapters), 'chapter')}</summary>"
            f"{chapters}</details>"
        )

    def _chapter_sentence(self, chapter: ChapterSummary, sentence: SummarySentence) -> str:
        pages = {
            item.pdf_page
            for item in (sentence.attribution.evidence if self._cited and sentence.attribution else ())
            if item.pdf_page is not None
        }
        document = self._documents[self._pages[chapter.page].document_id]
        link = self._link_pdf_pages(document, sorted(pages))
        mark = f' <span class="link">{link}</span>' if link else ""
        return f"{escape_html(sentence.text)}{mark}"

    def _page_table(self) -> str:
        uses = self._uses()
        rows = "".join(self._page_row(page, uses[page.index]) for page in self.summary.pages)
        is_open = " open" if len(self.summary.pages) <= _PAGES_SHOWN_OPEN else ""
        share = '<th scope="col">Share</th><th scope="col">Sentences</th>' if self._cited else ""
        return (
            f"<details{is_open}><summary>All {count(len(self.summary.pages), 'page')} of the source</summary>"
            '<div class="wide"><table><thead><tr><th scope="col">Page</th><th scope="col">PDF pages</th>'
            f'<th scope="col" class="number">Tokens</th>{share}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div></details>"
        )

    def _uses(self) -> dict[int, _Use]:
        """By page index: its share in the summary, and the sentences that name it."""
        uses: dict[int, _Use] = defaultdict(_Use)
        for sentence in self._cited:
            if sentence.attribution is not None:
                for weight in sentence.attribution.pages:
                    uses[weight.page].share += weight.weight / len(self._cited)
            for citation in self._citations.of(sentence):
                uses[citation.page.index].sentences.append(sentence)
        return uses

    def _page_row(self, page: Page, use: _Use) -> str:
        document = self._documents[page.document_id]
        link = self._link_pdf_pages(document, page.pdf_pages) or "–"
        marks = " ".join(
            f'<a class="mark" href="#{self._id("sentence", sentence)}" '
            f'aria-label="Sentence {sentence.index + 1}">{sentence.index + 1}</a>'
            for sentence in use.sentences
        )
        used = f"<td>{_bar(use.share) if use.share else '–'}</td><td>{marks}</td>" if self._cited else ""
        name = self._citations.name_page(page)
        return (
            f'<tr><th scope="row" dir="auto">{escape_html(name)}</th><td class="link">{link}</td>'
            f'<td class="number">{page.num_tokens:,}</td>{used}</tr>'
        )

    def _making(self) -> str:
        rows = "".join(
            f"<dt>{escape_html(name)}</dt><dd>{escape_html(value)}</dd>" for name, value in self._facts()
        )
        return f'<details><summary>How it was made</summary><dl class="facts">{rows}</dl></details>'

    def _facts(self) -> Iterator[tuple[str, str]]:
        summary = self.summary
        yield "Method", summary.method
        reason = f" ({summary.locality_reason})" if summary.locality_reason else ""
        yield "Locality", f"{summary.locality}{reason}"
        if summary.checkpoint:
            yield "Checkpoint", summary.checkpoint.name
            if summary.checkpoint.sha256:
                yield "SHA-256", summary.checkpoint.sha256
        yield "Length", f"{count(len(summary.sentences), 'sentence')}, {count(summary.num_words, 'word')}"
        yield "Coverage", describe_coverage(summary.coverage)
        for name, value in summary.options.items():
            yield name.replace("_", " ").capitalize(), "–" if value is None else str(value)
        if summary.seconds:
            times = (f"{stage} {seconds:.1f} s" for stage, seconds in summary.seconds.items())
            yield "Time", ", ".join(times)

    def _lang(self) -> str:
        return f' lang="{escape_html(self._language)}"' if self._language else ""


def _bar(weight: float) -> str:
    """A weight as a bar and a number; the bar is drawn, so that it prints too."""
    per_cent = round(100 * min(1.0, max(0.0, weight)))
    return (
        '<span class="weight"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="10"/>'
        f'<rect class="fill" width="{per_cent}" height="10"/></svg>{per_cent}%</span>'
    )
