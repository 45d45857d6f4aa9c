"""GovReport: nested sections as first released, and flat text as on the hub."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout

LAYOUTS = (
    Layout(name="GovReport, GAO", text="report", summary="highlight"),
    Layout(name="GovReport, CRS", text="reports", summary="summary"),
    Layout(name="GovReport", text="report", summary="summary"),
)
