"""Plain text: one sentence per line, each followed by where it came from.

    The encoder reads every page on its own. [3 Methods, p. 7; 1 Introduction, pp. 1–2]
    It was shown in 1984 to all of them. [4 Results, p. 9] [check: number “1984”]

A line is a sentence, so that ``grep``, ``wc -l`` and ``diff`` work on sentences; nothing is wrapped
or coloured. Without attribution the marks are absent, and the lines stay. Several summaries are
separated by their underlined titles, and so are the lengths of one, the parts of an outline and the
chapters of a book.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.cells import cell_len

from lsum_cli.rendering.citations import Citation
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.view import SummaryView
from lsum_cli.summaries import ChangeKind, SectionChange, Style, Summary, SummarySentence

_SIGNS = {ChangeKind.NEW: "+", ChangeKind.ALTERED: "~", ChangeKind.REMOVED: "-"}


def write_one(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """The sentences of a summary, one per line; ``base_path`` makes no difference."""
    del base_path
    return _write_sentences(SummaryView(summary, show_attribution=show_attribution))


def write_many(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries, each below its title and file; ``base_path`` makes no difference."""
    del base_path
    views = [SummaryView(summary, show_attribution=show_attribution) for summary in summaries]
    return "\n".join(
        f"{_underline(view.title_and_source, '=')}{_write_sentences(view, is_titled=True)}" for view in views
    )


def _write_sentences(view: SummaryView, *, is_titled: bool = False) -> str:
    lines: list[str] = []
    if view.status:
        lines.append(f"{': '.join(view.status)}\n\n")
    if view.changes_in_brief:
        lines.append(f"{view.changes_in_brief}.\n")
        lines.append("\n" if view.summary.sentences else "")
    if view.topics:
        lines.append(f"Topics: {view.topics}\n\n")
    for name, sentences in view.shorter:
        lines.append(f"{_underline(name, '-')}")
        lines += [_write_line(view, sentence, view.cite(sentence)) for sentence in sentences]
        lines.append("\n")
    if view.longest:
        lines.append(_underline(view.longest, "-"))
    lines += [_write_line(view, sentence, view.cite(sentence)) for sentence in view.prose]
    is_titled = is_titled and not view.longest
    for entry in view.parts_below_title if is_titled else view.summary.outline:
        place = view.place_part(entry)
        heading = f"{view.name_part(entry)}{f', {place}' if place else ''}"
        blank = "\n" if lines and not lines[-1].endswith("\n\n") else ""
        lines.append(f"{blank}{_underline(heading, '-' if entry.level == 1 and not view.longest else '.')}")
        lines += [f"{noun}: {names}\n" for noun, names in view.cast(entry)]
        lines += [
            _write_line(view, sentence, view.cite_within_part(entry, sentence))
            for sentence in entry.sentences
        ]
        if sections := view.sections_of(entry):
            lines.append(f"Sections: {sections}\n")
    for chapter in view.summary.chapters:
        lines.append(f"\n{_underline(view.name_chapter(chapter), '-')}")
        for sentence in chapter.sentences:
            citation = view.cite_within_chapter(chapter, sentence)
            lines.append(_write_line(view, sentence, (citation,) if citation else ()))
    for section in view.summary.changes.sections if view.summary.changes else ():
        lines.append(f"\n{_underline(view.name_change(section), '-')}")
        lines += _write_changes(view, section)
    if view.abbreviations:
        lines.append(f"\nAbbreviations: {view.abbreviations}\n")
    if view.people:
        lines.append(f"\nPeople: {view.people}\n")
    if view.other_sections:
        lines.append(f"\nOther sections: {view.other_sections}\n")
    if view.keywords:
        lines.append(f"\nKeywords: {view.keywords}\n")
    return "".join(lines).lstrip("\n")


def _write_changes(view: SummaryView, section: SectionChange) -> Iterator[str]:
    """A line for each changed sentence: ``+`` new, ``~`` altered, with how it was below, ``-`` removed."""
    listed, others = view.list_changes(section)
    for each in listed:
        place = view.place_change(each)
        mark = f" [{place}]" if place else ""
        yield f"{_SIGNS[each.kind]} {clean_line(each.text or each.before or '')}{mark}\n"
        if each.text and each.before:
            yield f"  was: {clean_line(each.before)}\n"
    if others:
        yield f"{others}\n"


def _write_line(view: SummaryView, sentence: SummarySentence, cited: Sequence[Citation]) -> str:
    mark = view.mention(cited)
    marks = [f" [{mark}]"] if mark else []
    if flags := view.marks(sentence):
        marks.append(f" [check: {'; '.join(flags)}]")
    bullet = "- " if view.summary.style is Style.BULLETS or sentence.is_item else ""
    rest = f"{bullet}{rest}\n" if (rest := view.rest_of_list(sentence)) else ""
    return f"{bullet}{view.words(sentence)}{''.join(marks)}\n{rest}"


def _underline(title: str, line: str) -> str:
    return f"{title}\n{line * max(3, cell_len(title))}\n"
