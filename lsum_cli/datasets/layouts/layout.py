"""What is known of a corpus: which of its columns hold what."""

from __future__ import annotations

from dataclasses import dataclass

from lsum_cli.datasets.options import Items

# Between the documents of one text: Multi-News, PRIMERA, and the tokenised release of Multi-News.
SEPARATORS = ("|||||", "<doc-sep>", "story_separator_special_tag")


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The columns of a corpus.

    Attributes:
        name: What people call it.
        text: The column with what is to be summarised.
        summary: The column with the reference.
        id: The column with the ids; ``None`` numbers the records.
        title: The column with the title of the document, or of all documents.
        source: The column that names where the document comes from.
        headings: A column of section headings, one for each item of ``text``.
        items: What the items of a list in ``text`` are; ``None`` tells it from their shape.
        marks: Marks of the corpus in text and summary, and what stands for them: ``("<S>", " ")``.
        several_summaries: The summaries are a list of objects, each of them a reference of its own.
        requires: Columns besides ``text`` and ``summary`` by which the corpus is known.
    """

    name: str
    text: str
    summary: str
    id: str | None = "id"
    title: str | None = "title"
    source: str | None = None
    headings: str | None = None
    items: Items | None = None
    marks: tuple[tuple[str, str], ...] = ()
    several_summaries: bool = False
    requires: frozenset[str] = frozenset()

    def reads(self, columns: frozenset[str], *, needs_reference: bool) -> bool:
        """Whether records with these columns are laid out so."""
        needed = self.requires | {self.text} | ({self.summary} if needs_reference else set())
        return needed <= columns

    def clean(self, text: str) -> str:
        """``text`` without the marks of the corpus."""
        for mark, replacement in self.marks:
            text = text.replace(mark, replacement)
        return text
