"""Markdown: title, sentences with links to their pages, sources with quotations, coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path

from lsum_cli.rendering.citations import Citation
from lsum_cli.rendering.escaping import clean_line, escape_markdown
from lsum_cli.rendering.view import Source, SummaryView
from lsum_cli.summaries import ChapterSummary, OutlineEntry, SectionChange, Style, Summary, SummarySentence

# What leads to the sentence in its source where no name tells its place from others.
_SOURCE = "source"


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
    if view.status:
        name, words = view.status
        blocks.append(f"**{escape_markdown(name)}:** {escape_markdown(words)}")
    if view.changes_in_brief:
        blocks.append(f"**{escape_markdown(view.changes_in_brief)}.**")
    if view.topics:
        blocks.append(f"**Topics:** {escape_markdown(view.topics)}")
    for name, sentences in view.shorter:
        blocks += [f"## {name}", _sentences(view, sentences)]
    if view.longest:
        blocks.append(f"## {view.longest}")
    blocks.append(_sentences(view, view.prose))
    for entry in summary.outline if view.longest else view.parts_below_title:
        blocks += _part(entry, view)
    if view.abbreviations:
        blocks.append(f"**Abbreviations:** {escape_markdown(view.abbreviations)}")
    if view.people:
        blocks.append(f"**People:** {escape_markdown(view.people)}")
    if view.other_sections:
        blocks.append(f"**Other sections:** {escape_markdown(view.other_sections)}")
    if view.keywords:
        blocks.append(f"**Keywords:** {escape_markdown(view.keywords)}")
    if summary.chapters:
        blocks.append("## Chapters")
        for chapter in summary.chapters:
            blocks += _chapter(chapter, view)
    if summary.changes and summary.changes.sections:
        blocks.append("## Changes")
        for section in summary.changes.sections:
            blocks += [f"### {escape_markdown(view.name_change(section))}", _changes(section, view)]
    blocks.append("## Sources")
    blocks.append("\n".join(map(_source, view.sources)))
    quotations = [each for sentence in _all_sentences(summary) for each in _quotation(sentence, view)]
    if quotations:
        blocks += ["## Evidence", *quotations]
    blocks.append(escape_markdown(f"Made with {', '.join(view.making)}: {view.coverage}."))
    blocks.append("\n".join(f"- **Note:** {escape_markdown(warning)}" for warning in view.warnings))
    return "\n\n".join(block.lstrip("\n") for block in blocks if block) + "\n"


def _sentences(view: SummaryView, sentences: Sequence[SummarySentence]) -> str:
    return _lines(view, sentences, [_sentence(view, sentence, view.cite(sentence)) for sentence in sentences])


def _lines(view: SummaryView, sentences: Sequence[SummarySentence], written: Sequence[str]) -> str:
    """One sentence per line: they render as a paragraph and are easy to compare.

    What one voice alone says, or what has a label of another kind, has a paragraph of its own, and a list
    has empty lines around it.
    """
    if view.summary.style is Style.BULLETS:
        return "\n".join(written)
    gaps = [
        "\n\n"
        if one.label is not None
        or other.label is not None
        or one.is_item != other.is_item
        or (one.rest is not None and not one.is_item)
        else "\n"
        for one, other in pairwise(sentences)
    ]
    return "".join(chain.from_iterable(zip(["", *gaps], written, strict=False)))


def _all_sentences(summary: Summary) -> Iterator[SummarySentence]:
    """Every sentence once, whatever lengths it stands in."""
    texts = [*(length.sentences for length in summary.lengths), summary.sentences]
    yield from {sentence.text: sentence for sentences in texts for sentence in sentences}.values()


def _sentence(view: SummaryView, sentence: SummarySentence, cited: Sequence[Citation]) -> str:
    bullet = "- " if view.summary.style is Style.BULLETS or sentence.is_item else ""
    label_address = view.label_address(sentence)
    links = "; ".join(
        _link(citation.text or _SOURCE, citation.address)
        for citation in cited
        if citation.text or (citation.leads_to_sentence and label_address is None)
    )
    words = escape_markdown(view.words(sentence))
    if label_address is not None:
        label = clean_line(sentence.label or "")
        said = escape_markdown(view.words(sentence).removeprefix(f"{label}: "))
        words = f"{_link(label, label_address)}: {said}"
    flags = view.flags(sentence)
    check = f" **Check:** {escape_markdown('; '.join(flags))}." if flags else ""
    gap = "\n" if bullet else "\n\n"
    rest = f"{gap}{bullet}*{escape_markdown(rest)}*" if (rest := view.rest_of_list(sentence)) else ""
    return f"{bullet}{words}{f' ({links})' if links else ''}{check}{rest}"


def _part(entry: OutlineEntry, view: SummaryView) -> list[str]:
    """A part of the outline, below its heading."""
    place = view.place_part(entry)
    heading = f"{view.name_part(entry)}{f' ({place})' if place else ''}"
    cast = [f"*{noun}:* {escape_markdown(names)}" for noun, names in view.cast(entry)]
    sentences = [
        _sentence(view, sentence, view.cite_within_part(entry, sentence)) for sentence in entry.sentences
    ]
    return [
        f"{'#' * min(6, entry.level + (2 if view.longest else 1))} {escape_markdown(heading)}",
        *cast,
        *([_lines(view, entry.sentences, sentences)] if sentences else []),
        *([f"*Sections:* {escape_markdown(sections)}"] if (sections := view.sections_of(entry)) else []),
    ]


def _changes(section: SectionChange, view: SummaryView) -> str:
    """An item for each changed sentence of a section, with how it was."""
    listed, others = view.list_changes(section)
    items = []
    for each in listed:
        place = view.place_change(each)
        mark = (
            f" ({_link(place, view.link(view.summary.documents[0], pdf_page=each.pdf_page))})"
            if place
            else ""
        )
        item = f"- **{each.kind.value}:** {escape_markdown(each.text or each.before or '')}{mark}"
        was = f"\n  (was: {escape_markdown(each.before)})" if each.text and each.before else ""
        items.append(item + was)
    return "\n".join([*items, *([f"- {others}"] if others else [])])


def _chapter(chapter: ChapterSummary, view: SummaryView) -> list[str]:
    """The summary of a book's chapter, below its name."""
    cited = [view.cite_within_chapter(chapter, sentence) for sentence in chapter.sentences]
    lines = [
        _sentence(view, sentence, [citation] if citation else [])
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
