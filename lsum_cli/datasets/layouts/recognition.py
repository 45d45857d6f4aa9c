"""From the columns of a record to the layout of its corpus."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from lsum_cli.datasets.layouts import books, dialogues, general, news, papers, reports
from lsum_cli.datasets.layouts.layout import Layout
from lsum_cli.datasets.options import NUMBERED, DatasetOptions
from lsum_cli.datasets.records import Record, shown

# The first that fits is taken, so those that need more columns come first.
LAYOUTS: tuple[Layout, ...] = (
    *papers.LAYOUTS,
    *general.STRUCTURED,
    *reports.LAYOUTS,
    *news.LAYOUTS,
    *dialogues.LAYOUTS,
    *books.LAYOUTS,
    *general.EVERYDAY,
)
_MAX_LISTED = 20


def recognise(record: Record, options: DatasetOptions) -> Layout:
    """The layout of a record: as its columns tell, and as the options say.

    Raises:
        DatasetError: A column that is needed is not there; those that are there are listed.
    """
    columns = frozenset(record.values)
    layout = _layout(columns, options.text_column, options.summary_column, options.needs_reference)
    if layout is None:
        if not options.text_column and not options.summary_column and _layout(columns, None, None, False):
            raise record.error(
                f"no column with the summary; {_listed(record)}", "name it by --summary-column"
            )
        raise record.error(
            f"no columns that are known; {_listed(record)}", "name them by --text-column and --summary-column"
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
            # What is known of the items of a column is not known of another.
            chosen = replace(chosen, text=str(text), headings=None, items=None)
        # What the user names is the user's word: whether it is there is checked afterwards.
        given = {name for name in (text, summary) if name is not None}
        if chosen.reads(columns | given, needs_reference=needs_reference):
            return chosen
    return None


def _listed(record: Record) -> str:
    columns = [shown(str(column)) for column in record.values]
    if not columns:
        return "it has no columns"
    more = f" and {len(columns) - _MAX_LISTED} more" if len(columns) > _MAX_LISTED else ""
    return f"it has {', '.join(columns[:_MAX_LISTED])}{more}"
