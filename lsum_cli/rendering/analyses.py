"""The papers' analyses as tables: the numbers of each figure, and an overview of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

from lsum_cli.evaluation.analyses.dependencies import BINS, Dependencies, expected_histogram
from lsum_cli.evaluation.analyses.locality import LocalityCurve
from lsum_cli.evaluation.results import ConfidenceMap, RunCurve, SweepPoint
from lsum_cli.rendering.tables import Cell, Row, Table

CHANCE = "by chance"
AT_DISTANCE, SAME_DOCUMENT, TWO_DOCUMENTS = "at distance", "same document", "two documents"
_DISTANCES_SHOWN = (1, 2, 5, 10, 20, 50)


def tabulate_dependencies(results: Sequence[Dependencies]) -> Table:
    """The distribution of fusion sentences over distances, for each result and for random pairs."""
    rows: list[Row] = []
    for result in results:
        rows += [
            (result.name, place / BINS, (place + 1) / BINS, share)
            for place, share in enumerate(result.histogram())
        ]
    chance = enumerate(expected_histogram())
    rows += [(CHANCE, place / BINS, (place + 1) / BINS, share) for place, share in chance]
    return Table.of_keys(("summaries", "distance_from", "distance_to", "share"), rows)


def overview_dependencies(results: Sequence[Dependencies]) -> Table:
    """How many fusion sentences there are, and how far apart their source sentences are."""
    keys = ("summaries", "documents", "sentences", "fusion_sentences", "fusion_share", "mean_distance")
    rows: list[Row] = [
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
    return Table.of_keys(keys, rows)


def tabulate_locality(curves: Sequence[tuple[str, LocalityCurve]]) -> Table:
    """Mean similarity by distance for each data set, and of any two sentences of one or of two documents."""
    rows: list[Row] = []
    for name, curve in curves:
        by_distance = zip(curve.similarity, curve.num_pairs, strict=True)
        rows += [
            (name, AT_DISTANCE, distance, _cell(value), pairs)
            for distance, (value, pairs) in enumerate(by_distance, start=1)
        ]
        rows.append((name, SAME_DOCUMENT, None, _cell(curve.same_document), None))
        rows.append((name, TWO_DOCUMENTS, None, _cell(curve.across_documents), None))
    keys = ("data", "pairs", "distance_sentences", "similarity", "num_pairs")
    return Table.of_keys(keys, rows)


def overview_locality(curves: Sequence[tuple[str, LocalityCurve]]) -> Table:
    """Mean similarity at some distances, and of any two sentences of one or of two documents."""
    shown = [
        distance for distance in _DISTANCES_SHOWN if distance <= max(len(c.similarity) for _, c in curves)
    ]
    rows: list[Row] = []
    for name, curve in curves:
        values = [*(curve.similarity[distance - 1] for distance in shown)]
        values += [curve.same_document, curve.across_documents]
        known = [None if math.isnan(value) else value for value in values]
        rows.append((name, curve.num_documents, curve.num_sentences, *known))
    distances = [f"at_{distance}" for distance in shown]
    keys = ("data", "documents", "sentences", *distances, "same_document", "two_documents")
    return Table.of_keys(keys, rows)


def tabulate_confidence(maps: Sequence[ConfidenceMap]) -> Table:
    """The weight of every page at every token of each text; pages and steps are counted from 1."""
    rows = tuple(
        (each.name, step + 1, token, each.log_probs[step], page + 1, label, float(each.weights[step, page]))
        for each in maps
        for step, token in enumerate(each.tokens)
        for page, label in enumerate(each.pages)
    )
    keys = ("summary", "step", "token", "log_prob", "page", "page_label", "confidence")
    return Table.of_keys(keys, rows)


def overview_confidence(maps: Sequence[ConfidenceMap]) -> Table:
    """How sharp and how steady the confidence in pages is, for each text."""
    keys = (
        "summary",
        "tokens",
        "pages",
        "mean_log_prob",
        "greatest_confidence",
        "entropy_bits",
        "switches",
        "decision",
    )
    rows: list[Row] = [
        (
            each.name,
            len(each.tokens),
            len(each.pages),
            sum(each.log_probs) / len(each.log_probs),
            each.mean_greatest,
            each.mean_entropy,
            each.switches,
            each.decision,
        )
        for each in maps
    ]
    return Table.of_keys(keys, rows)


def tabulate_sweep(points: Sequence[SweepPoint]) -> Table:
    """ROUGE with its interval, length and time for each value; ROUGE in per cent."""
    rows = []
    for point in points:
        scores: list[Cell] = []
        for interval in point.scores.values():
            scores += [_percent(value) for value in (interval.mean, interval.low, interval.high)]
        means = [point.means.get(name) for name in ("words", "seconds")]
        rows.append((point.value, *scores, *means, point.num_examples, point.failed))
    measures = [f"{name}{part}" for name in points[0].scores for part in ("", "_low", "_high")]
    keys = ("value", *measures, "words", "seconds", "examples", "failed")
    return Table.of_keys(keys, rows)


def tabulate_curves(curves: Sequence[RunCurve]) -> Table:
    """A metric by system, run and step."""
    rows: list[Row] = [
        (curve.system, curve.run, step, value) for curve in curves for step, value in curve.points
    ]
    return Table.of_keys(("system", "run", "step", "value"), rows)


def overview_curves(curves: Sequence[RunCurve]) -> Table:
    """For each system the mean of the best values of its runs, with their standard deviation."""
    rows: list[Row] = []
    for system in dict.fromkeys(curve.system for curve in curves):
        best = [curve.best for curve in curves if curve.system == system]
        values = [value for _, value in best]
        spread = stdev(values) if len(values) > 1 else None
        rows.append((system, len(best), fmean(values), spread, fmean(step for step, _ in best)))
    return Table.of_keys(
        ("system", "runs", f"best_{curves[0].metric}", "standard_deviation", "mean_step"), rows
    )


def _cell(value: float) -> float | None:
    return None if math.isnan(value) else value


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
