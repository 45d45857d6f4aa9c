"""The papers' analyses as tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lsum_cli.evaluation.analyses.dependencies import BINS, Dependencies, expected_histogram
from lsum_cli.evaluation.analyses.locality import LocalityCurve
from lsum_cli.evaluation.results import ConfidenceMap, SweepPoint
from lsum_cli.rendering.figures import Cell, FigureTable, numbers
from lsum_cli.rendering.plots import (
    CHANCE_COLOUR,
    COLOURS,
    DASHES,
    MARKS,
    WIDTH,
    drawing,
    label_axes,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHANCE = "by chance"
AT_DISTANCE, SAME_DOCUMENT, TWO_DOCUMENTS = "at distance", "same document", "two documents"
MEASURE_NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
# Beyond so many tokens their names could not be read.
MOST_TOKENS_NAMED = 90
LONGEST_LABEL = 28
_LABEL_END = 8


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
    """Mean similarity by distance for each data set, and of any two sentences of one or of two documents."""
    rows: list[tuple[Cell, ...]] = []
    for name, curve in curves:
        by_distance = zip(curve.similarity, curve.num_pairs, strict=True)
        rows += [
            (name, AT_DISTANCE, distance, _cell(value), pairs)
            for distance, (value, pairs) in enumerate(by_distance, start=1)
        ]
        rows.append((name, SAME_DOCUMENT, None, _cell(curve.same_document), None))
        rows.append((name, TWO_DOCUMENTS, None, _cell(curve.across_documents), None))
    header = ("data", "pairs", "distance_sentences", "similarity", "num_pairs")
    return FigureTable(header=header, rows=tuple(rows))


def draw_locality(table: FigureTable, measure: str) -> Figure:
    """Figure 1: how like one another sentences are by their distance, and how like any two of a document.

    Args:
        measure: What similarity is of.
    """
    with drawing():
        figure = new_figure()
        axes = figure.subplots()
        for number, name in enumerate(table.names("data")):
            colour = COLOURS[number % len(COLOURS)]
            distances = numbers(table.column("distance_sentences", data=name, pairs=AT_DISTANCE))
            axes.plot(
                distances,
                numbers(table.column("similarity", data=name, pairs=AT_DISTANCE)),
                color=colour,
                linestyle=DASHES[number % len(DASHES)],
                marker=MARKS[number % len(MARKS)],
                markersize=3,
                markevery=max(1, len(distances) // 12),
                label=str(name),
            )
            (level,) = numbers(table.column("similarity", data=name, pairs=SAME_DOCUMENT))
            axes.axhline(level, color=colour, linewidth=0.8, alpha=0.6)
        label_axes(
            axes,
            x="Distance of two sentences of a document (sentences)",
            y=f"Mean cosine similarity ({measure})",
            title="Intrinsic locality; thin lines: any two sentences of a document",
        )
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure


def tabulate_confidence(maps: Sequence[ConfidenceMap]) -> FigureTable:
    """The weight of every page at every token of each text; pages and steps are counted from 1."""
    rows = tuple(
        (each.name, step + 1, token, each.log_probs[step], page + 1, label, float(each.weights[step, page]))
        for each in maps
        for step, token in enumerate(each.tokens)
        for page, label in enumerate(each.pages)
    )
    header = ("summary", "step", "token", "log_prob", "page", "page_label", "confidence")
    return FigureTable(header=header, rows=rows)


def draw_confidence(table: FigureTable) -> Figure:
    """Figure 3: pages × decoding steps, darker is higher, one panel for each text."""
    names = table.names("summary")
    steps = max(int(step) for step in numbers(table.column("step")))
    pages = len(table.names("page"))
    has_tokens = steps <= MOST_TOKENS_NAMED
    # One scale for all panels; to 1, many pages of small weights would be a blank.
    greatest = max(numbers(table.column("confidence")))
    with drawing():
        panel = 0.9 + 0.2 * pages + (0.5 if has_tokens else 0)
        figure = new_figure(max(WIDTH, 2.6 + 0.12 * min(steps, MOST_TOKENS_NAMED)), panel * len(names) + 0.4)
        for axes, name in zip(figure.subplots(len(names), squeeze=False)[:, 0], names, strict=True):
            weights = np.array(numbers(table.column("confidence", summary=name))).reshape(-1, pages)
            # Steps are counted from 1, as in the numbers.
            extent = (0.5, len(weights) + 0.5, pages - 0.5, -0.5)
            image = axes.imshow(
                weights.T,
                aspect="auto",
                cmap="Blues",
                vmin=0,
                vmax=greatest,
                interpolation="nearest",
                extent=extent,
            )
            axes.grid(visible=False)
            axes.set_yticks(range(pages), [_shorten(str(label)) for label in table.names("page_label")])
            label_axes(axes, x="Decoding step (tokens)", y="Page", title=f"{name} summary")
            if has_tokens:
                tokens = table.column("token", summary=name, page=1)
                axes.set_xticks(
                    range(1, len(tokens) + 1), [str(token).strip() for token in tokens], rotation=90
                )
                axes.tick_params(axis="x", labelsize="x-small")
        figure.colorbar(image, ax=figure.axes, label="Confidence (share of a token)", shrink=0.8)
    return figure


def tabulate_sweep(points: Sequence[SweepPoint]) -> FigureTable:
    """ROUGE with its interval, length and time for each value; ROUGE in per cent."""
    rows = []
    for point in points:
        scores: list[Cell] = []
        for interval in point.scores.values():
            scores += [_percent(value) for value in (interval.mean, interval.low, interval.high)]
        means = [point.means.get(name) for name in ("words", "seconds")]
        rows.append((point.value, *scores, *means, point.num_examples, point.failed))
    measures = [f"{name}{part}" for name in points[0].scores for part in ("", "_low", "_high")]
    header = ("value", *measures, "words", "seconds", "examples", "failed")
    return FigureTable(header=header, rows=tuple(rows))


def draw_sweep(table: FigureTable, setting: str) -> Figure:
    """ROUGE by the value of one setting, with 95 % intervals; values stand side by side in their order."""
    values = [str(value) for value in table.column("value")]
    with drawing():
        figure = new_figure()
        axes = figure.subplots()
        measures = [name.removesuffix("_low") for name in table.header if name.endswith("_low")]
        for number, measure in enumerate(measures):
            means = np.array(numbers(table.column(measure)))
            low, high = (np.array(numbers(table.column(f"{measure}{end}"))) for end in ("_low", "_high"))
            # Side by side, so that intervals do not cover one another.
            places = np.arange(len(values)) + 0.06 * (number - (len(measures) - 1) / 2)
            axes.errorbar(
                places,
                means,
                yerr=np.maximum(0, [means - low, high - means]),
                color=COLOURS[number % len(COLOURS)],
                linestyle=DASHES[number % len(DASHES)],
                marker=MARKS[number % len(MARKS)],
                markersize=4,
                capsize=2,
                label=MEASURE_NAMES.get(measure, measure),
            )
        axes.set_xticks(range(len(values)), values)
        label_axes(axes, x=f"Setting: {setting}", y="ROUGE F1 (%)", title="Mean and 95 % interval")
        axes.set_ylim(bottom=0)
        axes.legend(ncols=len(measures), loc="lower center", bbox_to_anchor=(0.5, 1.06))
    return figure


def _cell(value: float) -> float | None:
    return None if math.isnan(value) else value


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _shorten(label: str) -> str:
    """A label as long as there is room for; its end tells the parts of a section apart."""
    if len(label) <= LONGEST_LABEL:
        return label
    return f"{label[: LONGEST_LABEL - 1 - _LABEL_END]}…{label[-_LABEL_END:]}"
