"""Markdown: title, sentences with links to their pages, sources with quotations, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsum_cli.rendering.escaping import escape_markdown
from lsum_cli.rendering.view import Citation, Source, SummaryView
from lsum_cli.summaries import ChapterSummary, Summary, SummarySentence


def write_many(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries one after another, each as :func:`write_one` writes it."""
    return "\n".join(
        write_one(summary, show_attribution=show_attribution, base_path=base_path) for summary in summaries
    )


def write_one(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """A summary below its title."""
    view = SummaryView(summary, show_attribution=show_attribution, base_path=base_path)
    blocks = [f"# {escape_markdown(view.title)}"]
    # One sentence per line: it renders as a paragraph and is easy to compare.
    blocks.append(
        "\n".join(
            _sentence(sentence, view.cite(sentence), view.flags(sentence)) for sentence in summary.sentences
        )
    )
    if summary.chapters:
        blocks.append("## Chapters")
        for chapter in summary.chapters:
            blocks += _chapter(chapter, view)
    blocks.append("## Sources")
    blocks.append("\n".join(map(_source, view.sources)))
    quotations = [each for sentence in summary.sentences for each in _quotation(sentence, view)]
    if quotations:
        blocks += ["## Evidence", *quotations]
    blocks.append(escape_markdown(f"Made with {', '.join(view.making)}: {view.coverage}."))
    blocks.append("\n".join(f"- **Note:** {escape_markdown(warning)}" for warning in view.warnings))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _sentence(sentence: SummarySentence, cited: Sequence[Citation], flags: Sequence[str]) -> str:
    links = "; ".join(_link(citation.text, citation.address) for citation in cited)
    check = f" **Check:** {escape_markdown('; '.join(flags))}." if flags else ""
    # What only one voice says has a paragraph of its own.
    label = f"\n**{escape_markdown(sentence.label)}:** " if sentence.label else ""
    return f"{label}{escape_markdown(sentence.text)}{f' ({links})' if links else ''}{check}"


def _chapter(chapter: ChapterSummary, view: SummaryView) -> list[str]:
    """The summary of a book's chapter, below its name."""
    cited = [view.cite_within_chapter(chapter, sentence) for sentence in chapter.sentences]
    lines = [
        _sentence(sentence, [citation] if citation else [], view.flags(sentence))
        for sentence, citation in zip(chapter.sentences, cited, strict=True)
    ]
    return [f"### {escape_markdown(view.name_chapter(chapter))}", "\n".join(lines)]


def _source(source: Source) -> str:
    title = f"{escape_markdown(source.title)}, " if source.title else ""
    length = f" ({source.length})" if source.length else ""
    return f"- {title}{_link(source.name, source.address)}{length}"


def _quotation(sentence: SummarySentence, view: SummaryView) -> list[str]:
    """The best evidence of a sentence, if it uses other words than its source."""
    return [
        f"- {escape_markdown(sentence.text)}\n\n"
        f"  > {escape_markdown(quotation.text)} ({_link(quotation.place, quotation.address)})"
        for quotation in view.quote(sentence)[:1]
    ]


def _link(text: str, address: str | None) -> str:
    if not address:
        return escape_markdown(text)
    # Parentheses and angle brackets would end the address early.
    target = address.replace("(", "%28").replace(")", "%29").replace("<", "%3C").replace(">", "%3E")
    return f"[{escape_markdown(text)}]({target})"
