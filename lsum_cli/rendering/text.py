"""Plain text: one sentence per line, each followed by where it came from.

    The encoder reads every page on its own. [3 Methods, p. 7; 1 Introduction, pp. 1–2]

A line is a sentence, so that ``grep``, ``wc -l`` and ``diff`` work on sentences; nothing is wrapped
or coloured. Without attribution the marks are absent, and the lines stay. Several summaries are
set apart by their underlined titles, and the chapters of a book by theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.cells import cell_len

from lsum_cli.rendering.citations import Citations
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.statements import name_summary
from lsum_cli.summaries import Summary, SummarySentence


def write_text(summary: Summary, *, show_attribution: bool = True, base_path: Path | None = None) -> str:
    """The sentences of a summary, one per line; ``base_path`` makes no difference."""
    del base_path
    citations = Citations(summary)
    lines = []
    for sentence in summary.sentences:
        cited = citations.of(sentence) if show_attribution else ()
        mark = "; ".join(citation.text for citation in cited)
        lines.append(_line(sentence, mark))
    for chapter in summary.chapters:
        name = citations.name_chapter(chapter)
        lines.append(f"\n{name}\n{'-' * max(3, cell_len(name))}\n")
        for sentence in chapter.sentences:
            lines.append(_line(sentence, citations.pdf_pages_of(sentence) if show_attribution else ""))
    return "".join(lines)


def _line(sentence: SummarySentence, mark: str) -> str:
    return f"{clean_line(sentence.text)}{f' [{mark}]' if mark else ''}\n"


def write_texts(
    summaries: Sequence[Summary], *, show_attribution: bool = True, base_path: Path | None = None
) -> str:
    """Several summaries, each below its title."""
    blocks = []
    for summary in summaries:
        title = name_summary(summary)
        body = write_text(summary, show_attribution=show_attribution, base_path=base_path)
        blocks.append(f"{title}\n{'=' * max(3, cell_len(title))}\n{body}")
    return "\n".join(blocks)
