"""News: CNN/DailyMail, and the columns that XSum and Multi-News share."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout

LAYOUTS = (
    Layout(name="CNN/DailyMail", text="article", summary="highlights"),
    Layout(name="XSum and Multi-News", text="document", summary="summary", marks=(("NEWLINE_CHAR", "\n"),)),
)
