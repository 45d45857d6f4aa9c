"""Articles of science: arXiv and PubMed, as first released, as on the hub, and as PageSum reads them."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout
from lsum_cli.datasets.options import Items

_SENTENCE_MARKS = (("<S>", " "), ("</S>", " "))

LAYOUTS = (
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
)
