"""The known corpora: how each lays out a record, and how a layout is recognised by its columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from lsum_cli.datasets.formats import Record, shortened
from lsum_cli.datasets.options import NUMBERED, DatasetOptions, Items

# Separators of documents within one text: Multi-News, PRIMERA, and the tokenised release of Multi-News.
SEPARATORS = ("|||||", "<doc-sep>", "story_separator_special_tag")


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The columns of a corpus.

    Attributes:
        name: Common name of the corpus.
        text: Column of the text to summarise.
        summary: Column of the reference.
        id: Column of the ids; ``None`` numbers the records.
        title: Column of the title of the document, or of all documents.
        source: Column that names where the document comes from.
        headings: Column of section headings, one for each item of ``text``.
        items: What the items of a list in ``text`` are; ``None`` infers it from their shape.
        marks: Markup of the corpus in text and summary, with its replacement: ``("<S>", " ")``.
        several_summaries: Whether the summaries are a list of objects, each a reference of its own.
        requires: Columns besides ``text`` and ``summary`` that identify the corpus.
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
        """Whether records with these columns have this layout."""
        needed = self.requires | {self.text} | ({self.summary} if needs_reference else set())
        return needed <= columns

    def clean(self, text: str) -> str:
        """``text`` without the markup of the corpus."""
        for mark, replacement in self.marks:
            text = text.replace(mark, replacement)
        return text


_SENTENCE_MARKS = (("<S>", " "), ("</S>", " "))

# The first match wins, so layouts that need more columns come first.
LAYOUTS: tuple[Layout, ...] = (
    # Scientific articles.
    Layout(
        name="arXiv and PubMed, first release",
        text="sections",
        summary="abstract_text",
        id="article_id",
        headings="section_names",
        items=Items.SECTIONS,
        marks=_SENTENCE_MARKS,
        requires=frozenset({"section_names"}),
    ),
    Layout(
        name="arXiv and PubMed, first release without sections",
        text="article_text",
        summary="abstract_text",
        id="article_id",
        marks=_SENTENCE_MARKS,
    ),
    # PageSum's own files have the same columns, as lists of sentences.
    Layout(name="arXiv and PubMed", text="article", summary="abstract", marks=_SENTENCE_MARKS),
    # Records with documents or sections of their own, whatever the corpus.
    Layout(
        name="several documents",
        text="documents",
        summary="summary",
        source="source",
        items=Items.DOCUMENTS,
    ),
    Layout(name="sections", text="sections", summary="summary", source="source", items=Items.SECTIONS),
    # Government reports: nested sections as first released, flat text as on the hub.
    Layout(name="GovReport, GAO", text="report", summary="highlight"),
    Layout(name="GovReport, CRS", text="reports", summary="summary"),
    Layout(name="GovReport", text="report", summary="summary"),
    # News.
    Layout(name="CNN/DailyMail", text="article", summary="highlights"),
    Layout(name="XSum and Multi-News", text="document", summary="summary", marks=(("NEWLINE_CHAR", "\n"),)),
    # Conversations, one turn a line.
    # The tokenised release is in pieces of words, "walk@@ ing", and has the columns in capitals.
    Layout(
        name="SummScreen, tokenised",
        text="Transcript",
        summary="Recap",
        id="filename",
        title=None,
        marks=(("@@ ", ""),),
    ),
    Layout(name="SummScreen", text="transcript", summary="recap", title="episode_title", id=None),
    Layout(name="dialogues", text="dialogue", summary="summary"),
    # Books. BookSum's ids name books and chapters, which have several summaries, so records are numbered.
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
    # Common column names.
    Layout(name="WikiHow", text="text", summary="headline"),
    Layout(name="SCROLLS", text="input", summary="output", id="pid", title=None),
    Layout(name="text and summary", text="text", summary="summary", source="source"),
    Layout(name="article and summary", text="article", summary="summary", source="source"),
    Layout(name="source and target", text="source", summary="target"),
    Layout(name="document and reference", text="document", summary="reference"),
    Layout(name="text and reference", text="text", summary="reference"),
)
_MAX_LISTED = 20


def recognise(record: Record, options: DatasetOptions) -> Layout:
    """Recognise the layout of a record by its columns; the options override it.

    Raises:
        DatasetError: A required column is missing; the message lists the columns there are.
    """
    columns = frozenset(record.values)
    layout = _layout(columns, options.text_column, options.summary_column, options.needs_reference)
    if layout is None:
        if not options.text_column and not options.summary_column and _layout(columns, None, None, False):
            raise record.error(f"no summary column found; {_listed(record)}", "name it with --summary-column")
        raise record.error(
            f"no known columns; {_listed(record)}", "name them with --text-column and --summary-column"
        )
    needed = [layout.text, layout.summary] if options.needs_reference else [layout.text]
    if options.id_column not in (None, NUMBERED):
        needed.append(str(options.id_column))
        layout = replace(layout, id=options.id_column)
    elif options.id_column == NUMBERED:
        layout = replace(layout, id=None)
    for column in needed:
        if column not in columns:
            raise record.error(f"no column {column!r}; {_listed(record)}", "check its name")
    return layout if options.items is None else replace(layout, items=options.items)


@lru_cache(maxsize=256)
def _layout(
    columns: frozenset[str], text: str | None, summary: str | None, needs_reference: bool
) -> Layout | None:
    if text is not None and summary is not None:
        known = next((layout for layout in LAYOUTS if (layout.text, layout.summary) == (text, summary)), None)
        return known or Layout(name="named columns", text=text, summary=summary)
    for layout in LAYOUTS:
        chosen = replace(layout, summary=summary or layout.summary)
        if text not in (None, layout.text):
            # Headings and items are known for the layout's own column alone.
            chosen = replace(chosen, text=str(text), headings=None, items=None)
        # Columns that the user names are taken as given; whether they exist is checked afterwards.
        given = {name for name in (text, summary) if name is not None}
        if chosen.reads(columns | given, needs_reference=needs_reference):
            return chosen
    return None


def _listed(record: Record) -> str:
    columns = [shortened(str(column)) for column in record.values]
    if not columns:
        return "it has no columns"
    more = f" and {len(columns) - _MAX_LISTED} more" if len(columns) > _MAX_LISTED else ""
    return f"it has {', '.join(columns[:_MAX_LISTED])}{more}"
