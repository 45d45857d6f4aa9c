"""BookSum, by chapter and by book."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout
from lsum_cli.datasets.options import Items

# The ids of BookSum name books and chapters, of which there are several summaries: records are numbered.
LAYOUTS = (
    Layout(
        name="BookSum, several summaries a text",
        text="text",
        summary="summary",
        id=None,
        several_summaries=True,
        requires=frozenset({"bid"}),
    ),
    Layout(name="BookSum, chapters", text="chapter", summary="summary_text", id=None, title=None),
    Layout(name="BookSum, books", text="book", summary="summary_text", id=None, items=Items.SECTIONS),
    Layout(name="books by chapter", text="chapters", summary="summary", items=Items.SECTIONS),
)
