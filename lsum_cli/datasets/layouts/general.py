"""Records with sections or documents of their own, and columns with everyday names."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout
from lsum_cli.datasets.options import Items

STRUCTURED = (
    Layout(
        name="several documents",
        text="documents",
        summary="summary",
        source="source",
        items=Items.DOCUMENTS,
    ),
    Layout(name="sections", text="sections", summary="summary", source="source", items=Items.SECTIONS),
)
EVERYDAY = (
    Layout(name="WikiHow", text="text", summary="headline"),
    Layout(name="SCROLLS", text="input", summary="output", id="pid", title=None),
    Layout(name="text and summary", text="text", summary="summary", source="source"),
    Layout(name="article and summary", text="article", summary="summary", source="source"),
    Layout(name="source and target", text="source", summary="target"),
    Layout(name="document and reference", text="document", summary="reference"),
    Layout(name="text and reference", text="text", summary="reference"),
)
