"""What the analyses found, in a few numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TextIO

from lsum_cli.evaluation.analyses.dependencies import Dependencies
from lsum_cli.evaluation.analyses.locality import LocalityCurve
from lsum_cli.evaluation.results import ConfidenceMap
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.figures import Cell, FigureTable

_DISTANCES_SHOWN = (1, 2, 5, 10, 20, 50)


def overview_dependencies(results: Sequence[Dependencies]) -> FigureTable:
    """How many fusion sentences there are, and how far apart their sources stand."""
    header = ("summaries", "documents", "sentences", "fusion_sentences", "fusion_share", "mean_distance")
    rows: list[tuple[Cell, ...]] = [
        (
            result.name,
            len(result.examples),
            result.num_sentences,
            len(result.fusions),
            result.fusion_share,
            result.mean_distance,
        )
        for result in results
    ]
    return FigureTable(header=header, rows=tuple(rows))


def overview_locality(curves: Sequence[tuple[str, LocalityCurve]]) -> FigureTable:
    """Mean similarity at some distances, and of any two sentences of one or of two documents."""
    shown = [
        distance for distance in _DISTANCES_SHOWN if distance <= max(len(c.similarity) for _, c in curves)
    ]
    rows: list[tuple[Cell, ...]] = []
    for name, curve in curves:
        values = [*(curve.similarity[distance - 1] for distance in shown)]
        values += [curve.same_document, curve.across_documents]
        known = [None if math.isnan(value) else value for value in values]
        rows.append((name, curve.num_documents, curve.num_sentences, *known))
    distances = [f"at_{distance}" for distance in shown]
    header = ("data", "documents", "sentences", *distances, "same_document", "two_documents")
    return FigureTable(header=header, rows=tuple(rows))


def overview_confidence(maps: Sequence[ConfidenceMap]) -> FigureTable:
    """How sharply and how steadily each text's pages are chosen."""
    header = (
        "summary",
        "tokens",
        "pages",
        "mean_log_prob",
        "greatest_confidence",
        "entropy_bits",
        "switches",
    )
    rows: list[tuple[Cell, ...]] = [
        (
            each.name,
            len(each.tokens),
            len(each.pages),
            sum(each.log_probs) / len(each.log_probs),
            each.mean_greatest,
            each.mean_entropy,
            each.switches,
        )
        for each in maps
    ]
    return FigureTable(header=header, rows=tuple(rows))


def write_overview(table: FigureTable, stream: TextIO, *, is_terminal: bool) -> None:
    """Write a table: for readers on a terminal, as CSV elsewhere."""
    if not is_terminal:
        stream.write(table.to_csv())
        return
    from rich.table import Table
    from rich.text import Text

    from lsum_cli.rendering.product_console import ProductConsole

    shown = Table(box=None, pad_edge=False)
    for place, name in enumerate(table.header):
        shown.add_column(name.replace("_", " "), justify="left" if place == 0 else "right")
    for row in table.rows:
        shown.add_row(*(Text(_format(cell)) for cell in row))
    ProductConsole(file=stream).print(shown)


def _format(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.2f}" if abs(cell) >= 10 else f"{cell:.3f}"
    return f"{cell:,}" if isinstance(cell, int) else clean_line(cell)
