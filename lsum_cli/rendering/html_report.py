"""HTML: a self-contained page to read, to check and to print.

Nothing is loaded and no script runs, which a content security policy enforces. The summary's
sentences carry marks that lead to their origin: pages with their weights, links to
``paper.pdf#page=7``, quotations. The markup is ``report.html.jinja``, the style sheet ``report.css``.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.rendering.escaping import render_template
from lsum_cli.rendering.quantities import count, format_pdf_pages
from lsum_cli.rendering.view import Citation, SummaryView
from lsum_cli.summaries import AttributionKind, Summary, SummarySentence

_LEAST_WEIGHT = 0.01
_MOST_PAGES = 6

# Text, and numbers of pages with the address that each links to.
PdfPageLinks = list[str | tuple[str, str | None]]


def write_one(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """One summary as a separate page."""
    report = _Report(summary, "", show_attribution, base_path)
    return _write_page(report.view.title, [report], has_contents=False)


def write_many(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries on one page, below a table of contents."""
    reports = [
        _Report(summary, f"summary-{number}-", show_attribution, base_path)
        for number, summary in enumerate(summaries, start=1)
    ]
    return _write_page(f"Summaries of {count(len(reports), 'source')}", reports, has_contents=True)


def _write_page(title: str, reports: Sequence[_Report], *, has_contents: bool) -> str:
    style = (resources.files("lsum_cli.rendering") / "report.css").read_text(encoding="utf-8")
    style += "".join(report.highlights() for report in reports)
    return render_template(
        "report.html.jinja",
        title=title,
        reports=reports,
        has_contents=has_contents,
        style=style,
        style_digest=base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii"),
    )


class _Report:
    """The article about one summary, as the template asks for it.

    Args:
        prefix: Begins every id, so that several summaries can share a page.
    """

    def __init__(self, summary: Summary, prefix: str, show_attribution: bool, base_path: Path | None) -> None:
        self.summary = summary
        self.view = SummaryView(
            summary, show_attribution=show_attribution, base_path=base_path, is_absolute=True
        )
        self.id = f"{prefix}report"
        shown = {s.index: s for entry in summary.outline for s in entry.sentences}
        shown |= {s.index: s for s in summary.sentences}
        self.cited = [
            shown[index]
            for index in sorted(shown)
            if show_attribution and shown[index].attribution is not None
        ]
        self._prefix = prefix
        self._pages = {page.index: page for page in summary.pages}
        self._documents = {document.id: document for document in summary.documents}

    def highlights(self) -> str:
        """CSS rules that highlight a sentence and its origin together."""
        rules = []
        for sentence in self.cited:
            sentence_id, source_id = self.sentence_id(sentence), self.source_id(sentence)
            rules.append(
                f"#{sentence_id}:target,"
                f"article:has(#{source_id}:is(:target,:hover,:focus-within)) #{sentence_id}"
                "{background:var(--mark)}"
                f"#{source_id}:target,article:has(#{sentence_id}:is(:target,:hover)) #{source_id}"
                "{border-color:var(--accent);background:var(--card-lit)}"
            )
        return "\n".join(rules)

    def sentence_id(self, sentence: SummarySentence) -> str:
        """The id of a sentence in the text."""
        return f"{self._prefix}sentence-{sentence.index + 1}"

    def source_id(self, sentence: SummarySentence) -> str:
        """The id of the card that names its origin."""
        return f"{self._prefix}source-{sentence.index + 1}"

    def style(self) -> str:
        """How the sentences are laid out."""
        return self.summary.style.value

    def window(self, sentence: SummarySentence) -> str:
        """The name of the window, above the first sentence that was written from it."""
        attribution = sentence.attribution
        if attribution is None or self.view.hue(sentence) is None:
            return ""
        before = self.summary.sentences[sentence.index - 1].attribution if sentence.index else None
        if before is not None and before.top_page == attribution.top_page:
            return ""
        return self.view.name_page(self._pages[attribution.top_page])

    def citations(self, sentence: SummarySentence) -> tuple[Citation, ...]:
        """The pages on the card of a sentence: more of them than in its mark."""
        return self.view.cite(sentence, most=_MOST_PAGES, least=_LEAST_WEIGHT)

    def has_bars(self, sentence: SummarySentence, citations: Sequence[Citation]) -> bool:
        """Whether to draw the weights of pages: not of the only page of an extracted sentence."""
        kind = sentence.attribution.kind if sentence.attribution else None
        return kind is not AttributionKind.EXTRACTION or len(citations) > 1

    def link_pdf_pages(self, document: Document, pdf_pages: Sequence[int]) -> PdfPageLinks:
        """``pp. 3–5`` in parts, every number with the address of its page."""
        parts = re.split(r"(\d+)", format_pdf_pages(pdf_pages))
        return [
            (part, self.view.link(document, pdf_page=int(part))) if part.isdigit() else part
            for part in parts
            if part
        ]

    def pages(self) -> Iterator[tuple[Page, Document, float, list[SummarySentence]]]:
        """Every page with its document, its share in the summary and the sentences that name it."""
        shares: dict[int, float] = defaultdict(float)
        sentences: dict[int, list[SummarySentence]] = defaultdict(list)
        for sentence in self.cited:
            for weight in sentence.attribution.pages if sentence.attribution else ():
                shares[weight.page] += weight.weight / len(self.cited)
            for citation in self.view.cite(sentence):
                sentences[citation.page.index].append(sentence)
        for page in self.summary.pages:
            document = self._documents[page.document_id]
            yield page, document, shares[page.index], sentences[page.index]

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
