"""Markdown: title, sentences with links to their pages, sources with quotations, coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lsum_cli.documents import Document
from lsum_cli.rendering.citations import Citation, Citations, describe_pdf_pages, evidence_to_show
from lsum_cli.rendering.escaping import escape_markdown
from lsum_cli.rendering.links import link_place, link_source, name_document, name_source
from lsum_cli.rendering.statements import (
    count,
    describe_coverage,
    describe_making,
    list_warnings,
    name_summary,
)
from lsum_cli.summaries import Evidence, Summary


def write_markdowns(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries one after another, each as :func:`write_markdown` writes it."""
    return "\n".join(
        write_markdown(summary, show_attribution=show_attribution, base_path=base_path)
        for summary in summaries
    )


def write_markdown(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """A summary below its title."""
    citations = Citations(summary)
    blocks = [f"# {escape_markdown(name_summary(summary))}"]
    # One sentence per line: it renders as a paragraph and is easy to compare.
    blocks.append("\n".join(_sentences(summary, citations, show_attribution, base_path)))
    if summary.chapters:
        blocks += _chapters(summary, citations, show_attribution, base_path)
    blocks.append("## Sources")
    blocks.append("\n".join(_source(document, base_path) for document in summary.documents))
    if show_attribution:
        blocks += _quotations(summary, citations, base_path)
    coverage = f"{describe_coverage(summary.coverage)}."
    blocks.append(escape_markdown(f"Made with {', '.join(describe_making(summary))}: {coverage}"))
    warnings = list_warnings(summary)
    if warnings:
        blocks.append("\n".join(f"- **Note:** {escape_markdown(warning)}" for warning in warnings))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _sentences(
    summary: Summary, citations: Citations, show_attribution: bool, base_path: Path | None
) -> Iterator[str]:
    for sentence in summary.sentences:
        cited = citations.of(sentence) if show_attribution else ()
        links = "; ".join(_link(citation.text, _address(citation, base_path)) for citation in cited)
        yield f"{escape_markdown(sentence.text)}{f' ({links})' if links else ''}"


def _chapters(
    summary: Summary, citations: Citations, show_attribution: bool, base_path: Path | None
) -> list[str]:
    """The summaries of a book's chapters, each below its name."""
    pages = {page.index: page for page in summary.pages}
    blocks = ["## Chapters"]
    for chapter in summary.chapters:
        document = citations.document_of(pages[chapter.page])
        blocks.append(f"### {escape_markdown(citations.name_chapter(chapter))}")
        lines = []
        for sentence in chapter.sentences:
            place = citations.pdf_pages_of(sentence) if show_attribution else ""
            evidence = sentence.attribution.evidence if sentence.attribution else ()
            pdf_page = next((item.pdf_page for item in evidence if item.pdf_page is not None), None)
            link = _link(place, link_place(document, base_path, pdf_page=pdf_page)) if place else ""
            lines.append(f"{escape_markdown(sentence.text)}{f' ({link})' if link else ''}")
        blocks.append("\n".join(lines))
    return blocks


def _address(citation: Citation, base_path: Path | None) -> str | None:
    quotation = citation.evidence[0].text if citation.evidence else ""
    return link_place(citation.document, base_path, pdf_page=citation.pdf_page, quotation=quotation)


def _source(document: Document, base_path: Path | None) -> str:
    name = name_source(document)
    title = f"{escape_markdown(name_document(document))}, " if document.title else ""
    pdf_pages = document.metadata.pdf_pages
    length = f" ({count(pdf_pages, 'PDF page')})" if pdf_pages else ""
    return f"- {title}{_link(name, link_source(document, base_path))}{length}"


def _quotations(summary: Summary, citations: Citations, base_path: Path | None) -> list[str]:
    """The best evidence of every sentence that says it in other words than its source."""
    documents = {document.id: document for document in summary.documents}
    pages = {page.index: page for page in summary.pages}
    quotations = []
    for sentence in summary.sentences:
        for evidence in evidence_to_show(sentence)[:1]:
            place = _describe(evidence, citations.name_page(pages[evidence.page]))
            address = link_place(
                documents[evidence.document_id],
                base_path,
                pdf_page=evidence.pdf_page,
                quotation=evidence.text,
            )
            quotations.append(
                f"- {escape_markdown(sentence.text)}\n\n"
                f"  > {escape_markdown(evidence.text)} ({_link(place, address)})"
            )
    return ["## Evidence", "\n\n".join(quotations)] if quotations else []


def _describe(evidence: Evidence, name: str) -> str:
    pdf_pages = describe_pdf_pages((evidence.pdf_page,)) if evidence.pdf_page is not None else ""
    return ", ".join(part for part in (name, pdf_pages) if part)


def _link(text: str, address: str | None) -> str:
    if not address:
        return escape_markdown(text)
    # Parentheses and angle brackets would end the address early.
    target = address.replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")
    return f"[{escape_markdown(text)}]({target})"
