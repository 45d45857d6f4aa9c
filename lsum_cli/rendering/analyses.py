"""The papers' analyses as tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsum_cli.evaluation.dependencies import BINS, Dependencies, expected_histogram
from lsum_cli.evaluation.intrinsic_locality import LocalityCurve
from lsum_cli.rendering.figures import Cell, FigureTable, numbers
from lsum_cli.rendering.plots import (
    CHANCE_COLOUR,
    COLOURS,
    DASHES,
    MARKS,
    drawing,
    label_axes,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHANCE = "by chance"


def tabulate_dependencies(results: Sequence[Dependencies], bins: int = BINS) -> FigureTable:
    """Shares of fusion sentences by distance, for each result and for pairs drawn by chance."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        rows += [
            (result.name, place / bins, (place + 1) / bins, share)
            for place, share in enumerate(result.histogram(bins))
        ]
    chance = enumerate(expected_histogram(bins))
    rows += [(CHANCE, place / bins, (place + 1) / bins, share) for place, share in chance]
    return FigureTable(header=("summaries", "distance_from", "distance_to", "share"), rows=tuple(rows))


def draw_dependencies(table: FigureTable) -> Figure:
    """Figure 4: how far apart the two sentences stand that a summary sentence joins."""
    with drawing():
        figure = new_figure()
        axes = figure.subplots()
        names = [name for name in table.names("summaries") if name != CHANCE]
        for number, name in enumerate(names):
            left = numbers(table.column("distance_from", summaries=name))
            right = numbers(table.column("distance_to", summaries=name))
            width = (right[0] - left[0]) / (len(names) + 0.25)
            axes.bar(
                [start + (number + 0.125) * width for start in left],
                [100 * share for share in numbers(table.column("share", summaries=name))],
                width=width,
                align="edge",
                color=COLOURS[number % len(COLOURS)],
                label=str(name),
            )
        left = numbers(table.column("distance_from", summaries=CHANCE))
        chance = [100 * share for share in numbers(table.column("share", summaries=CHANCE))]
        axes.step(
            [*left, 1], [*chance, chance[-1]], where="post", color=CHANCE_COLOUR, dashes=(3, 2), label=CHANCE
        )
        label_axes(
            axes,
            x="Distance of the two source sentences (share of the document)",
            y="Fusion sentences (%)",
            title="Long-distance dependencies",
        )
        axes.set_xlim(0, 1)
        axes.legend()
    return figure


def tabulate_locality(curves: Sequence[tuple[str, LocalityCurve]]) -> FigureTable:
    """Mean similarity by distance for each data set; distance 0 stands for two documents."""
    rows: list[tuple[Cell, ...]] = []
    for name, curve in curves:
        rows += [
            (name, distance, None if math.isnan(value) else value, pairs)
            for distance, (value, pairs) in enumerate(
                zip(curve.similarity, curve.num_pairs, strict=True), start=1
            )
        ]
    return FigureTable(header=("data", "distance_sentences", "similarity", "pairs"), rows=tuple(rows))


def draw_locality(table: FigureTable, curves: Sequence[tuple[str, LocalityCurve]]) -> Figure:
    """Figure 1: how like one another sentences are by their distance, and how like any two of a document."""
    with drawing():
        figure = new_figure()
        axes = figure.subplots()
        for number, (name, curve) in enumerate(curves):
            colour = COLOURS[number % len(COLOURS)]
            distances = numbers(table.column("distance_sentences", data=name))
            axes.plot(
                distances,
                numbers(table.column("similarity", data=name)),
                color=colour,
                linestyle=DASHES[number % len(DASHES)],
                marker=MARKS[number % len(MARKS)],
                markersize=3,
                markevery=max(1, len(distances) // 12),
                label=name,
            )
            axes.axhline(curve.same_document, color=colour, linewidth=0.8, alpha=0.6)
        (measure,) = {curve.measure for _, curve in curves}
        label_axes(
            axes,
            x="Distance of two sentences of a document (sentences)",
            y=f"Mean cosine similarity ({measure})",
            title="Intrinsic locality; thin lines: any two sentences of a document",
        )
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure
