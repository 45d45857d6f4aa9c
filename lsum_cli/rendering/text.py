"""Plain text: one sentence per line, each followed by where it came from.

    The encoder reads every page on its own. [3 Methods, p. 7; 1 Introduction, pp. 1–2]
    It was shown in 1984 to all of them. [4 Results, p. 9] [check: number “1984”]

A line is a sentence, so that ``grep``, ``wc -l`` and ``diff`` work on sentences; nothing is wrapped
or coloured. Without attribution the marks are absent, and the lines stay. Several summaries are
separated by their underlined titles, and so are the chapters of a book.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.cells import cell_len

from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.view import SummaryView
from lsum_cli.summaries import Summary


def write_one(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """The sentences of a summary, one per line; ``base_path`` makes no difference."""
    del base_path
    return _write_sentences(SummaryView(summary, show_attribution=show_attribution))


def write_many(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries, each below its title; ``base_path`` makes no difference."""
    del base_path
    views = [SummaryView(summary, show_attribution=show_attribution) for summary in summaries]
    return "\n".join(f"{_underline(view.title, '=')}{_write_sentences(view)}" for view in views)


def _write_sentences(view: SummaryView) -> str:
    lines = []
    for sentence in view.summary.sentences:
        mark = "; ".join(citation.text for citation in view.cite(sentence))
        lines.append(_write_line(sentence.labelled, mark, view.marks(sentence)))
    for chapter in view.summary.chapters:
        lines.append(f"\n{_underline(view.name_chapter(chapter), '-')}")
        for sentence in chapter.sentences:
            citation = view.cite_within_chapter(chapter, sentence)
            mark = citation.text if citation else ""
            lines.append(_write_line(sentence.labelled, mark, view.marks(sentence)))
    return "".join(lines)


def _write_line(text: str, mark: str, flags: Sequence[str]) -> str:
    marks = [f" [{mark}]"] if mark else []
    if flags:
        marks.append(f" [check: {'; '.join(flags)}]")
    return f"{clean_line(text)}{''.join(marks)}\n"


def _underline(title: str, line: str) -> str:
    return f"{title}\n{line * max(3, cell_len(title))}\n"
