from __future__ import annotations

import csv
import io
import math
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from lsum_cli.errors import MissingDependency
from lsum_cli.evaluation.analyses.dependencies import Dependencies, ExampleFusions, Fusion
from lsum_cli.evaluation.analyses.locality import LocalityCurve
from lsum_cli.evaluation.bootstrap import Interval
from lsum_cli.evaluation.results import ConfidenceMap, RunCurve, SweepPoint, label_pages
from lsum_cli.rendering.analyses import (
    CHANCE,
    overview_confidence,
    overview_curves,
    overview_dependencies,
    overview_locality,
    tabulate_confidence,
    tabulate_curves,
    tabulate_dependencies,
    tabulate_locality,
    tabulate_sweep,
)
from lsum_cli.rendering.plots import (
    draw_confidence,
    draw_curves,
    draw_dependencies,
    draw_locality,
    draw_sweep,
    encode_picture,
)
from lsum_cli.rendering.tables import Table, choose_table_format, write_table


def fusion(first, second):
    return Fusion(
        sentence=0, first=first, second=second, recall=1, recall_first=0.5, recall_second=0.5, num_source=10
    )


REFERENCE = Dependencies(
    name="reference",
    examples=(ExampleFusions(id="a", fusions=(fusion(0, 1), fusion(2, 3), fusion(0, 9)), num_sentences=6),),
)
EMPTY = Dependencies(name="$ystem_<1>", examples=(ExampleFusions(id="a", fusions=(), num_sentences=0),))
CURVE = LocalityCurve(
    measure="TF-IDF",
    similarity=(0.5, 0.25, float("nan")),
    num_pairs=(7, 3, 0),
    same_document=0.2,
    across_documents=float("nan"),
    num_documents=1,
    num_sentences=8,
)
MAPS = tuple(
    ConfidenceMap(
        name=name,
        tokens=("<s>", "&the", "$sea"),
        log_probs=(0.0, -1.0, -2.0),
        pages=label_pages(["Opening <1>", "A heading that is much longer than any picture has room for"], 0),
        weights=np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]], np.float32),
    )
    for name in ("generated", "reference")
)


def interval(mean):
    return Interval(mean=mean, low=mean - 0.1, high=mean + 0.2, count=2)


POINTS = tuple(
    SweepPoint(
        value=value,
        scores={"rouge1": interval(mean), "rougeLsum": interval(mean / 2)},
        means={"words": 20.0, "seconds": None},
        num_examples=2,
        failed=0,
    )
    for value, mean in (("128", 0.3), ("256", 0.5))
)


def rows_of(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.to_csv())))


def texts_of(figure) -> str:
    root = ET.fromstring(encode_picture(figure, ".svg"))
    return "\n".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))


def figures():
    return [
        draw_dependencies(tabulate_dependencies([REFERENCE, EMPTY])),
        draw_locality(tabulate_locality([("a", CURVE), ("b", CURVE)]), "TF-IDF"),
        draw_confidence(tabulate_confidence(MAPS)),
        draw_sweep(tabulate_sweep(POINTS), "page-tokens"),
    ]


def test_pictures_are_valid():
    for figure in figures():
        png = encode_picture(figure, ".png")
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert png.endswith(b"IEND\xaeB`\x82")
        assert ET.fromstring(encode_picture(figure, ".svg")).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_equal_numbers_give_equal_files(suffix):
    table = tabulate_locality([("a", CURVE)])
    assert encode_picture(draw_locality(table, "x"), suffix) == encode_picture(
        draw_locality(table, "x"), suffix
    )


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match=r"pip install 'lsum-cli\[eval\]'"):
        draw_sweep(tabulate_sweep(POINTS), "page-tokens")


@pytest.mark.parametrize(
    ("number", "labels"),
    [
        (
            0,
            [
                "Distance of the two source sentences (share of the document)",
                "Fusion sentences (%)",
                "reference",
                "by chance",
                "$ystem_<1>",
            ],
        ),
        (1, ["Distance of two sentences of a document (sentences)", "Mean cosine similarity (TF-IDF)", "b"]),
        (
            2,
            [
                "Decoding step (tokens)",
                "Page",
                "generated summary",
                "reference summary",
                "1  Opening <1>",
                "$sea",
                "Confidence (share of a token)",
            ],
        ),
        (3, ["Setting: page-tokens", "ROUGE F1 (%)", "ROUGE-1", "ROUGE-Lsum", "128", "256"]),
    ],
)
def test_axes_are_labelled_with_units(number, labels):
    texts = texts_of(figures()[number])
    for label in labels:
        assert label in texts, label


def test_the_bars_are_the_numbers_of_the_file():
    table = tabulate_dependencies([REFERENCE, EMPTY])
    axes = draw_dependencies(table).axes[0]
    heights = [bar.get_height() / 100 for bar in axes.containers[0]]
    written = [float(row["share"]) for row in rows_of(table) if row["summaries"] == "reference"]
    # Distances 0.1, 0.1 and 0.9; a distance on an edge belongs to the range that begins there.
    assert written == pytest.approx([0, 2 / 3, 0, 0, 0, 0, 0, 0, 0, 1 / 3])
    assert heights == pytest.approx(written)
    assert len([row for row in rows_of(table) if row["summaries"] == CHANCE]) == 10


def test_the_lines_are_the_numbers_of_the_file():
    table = tabulate_locality([("a", CURVE)])
    line = draw_locality(table, "TF-IDF").axes[0].lines[0]
    rows = [row for row in rows_of(table) if row["pairs"] == "at distance"]
    assert [float(row["distance_sentences"]) for row in rows] == line.get_xdata().tolist() == [1, 2, 3]
    drawn = [None if math.isnan(value) else value for value in line.get_ydata()]
    assert (
        [float(row["similarity"]) if row["similarity"] else None for row in rows]
        == drawn
        == [0.5, 0.25, None]
    )
    level = draw_locality(table, "TF-IDF").axes[0].lines[1].get_ydata()
    assert (
        level[0]
        == float(next(r for r in rows_of(table) if r["pairs"] == "same document")["similarity"])
        == 0.2
    )


def test_the_cells_are_the_numbers_of_the_file():
    table = tabulate_confidence(MAPS)
    image = draw_confidence(table).axes[0].images[0].get_array()
    rows = [row for row in rows_of(table) if row["summary"] == "generated"]
    assert len(rows) == 6
    for row in rows:
        assert image[int(row["page"]) - 1, int(row["step"]) - 1] == pytest.approx(float(row["confidence"]))
    assert rows[0]["token"] == "<s>"
    assert rows[0]["page_label"] == "1  Opening <1>"


def test_the_darkest_is_the_greatest_weight_of_all_panels():
    table = tabulate_confidence(MAPS)
    greatest = max(float(row["confidence"]) for row in rows_of(table))
    assert greatest < 1
    drawn = [axes.images[0].get_clim() for axes in draw_confidence(table).axes if axes.images]
    assert drawn == [pytest.approx((0, greatest))] * len(MAPS)


def test_long_texts_are_drawn_without_their_tokens():
    long = ConfidenceMap(
        name="generated",
        tokens=tuple("t" * 400),
        log_probs=(0.0,) * 400,
        pages=label_pages(["x"], 0),
        weights=np.ones((400, 1), np.float32),
    )
    figure = draw_confidence(tabulate_confidence([long]))
    assert figure.get_size_inches()[0] < 20
    assert "t" not in [label.get_text() for label in figure.axes[0].get_xticklabels()]


def test_texts_of_unequal_length_share_a_picture():
    short = ConfidenceMap(
        name="reference",
        tokens=("a",),
        log_probs=(0.0,),
        pages=MAPS[0].pages,
        weights=np.array([[0.5, 0.5]], np.float32),
    )
    axes = draw_confidence(tabulate_confidence([MAPS[0], short])).axes
    assert [each.images[0].get_array().shape for each in axes[:2]] == [(2, 3), (2, 1)]


def test_the_curve_is_the_numbers_of_the_file():
    table = tabulate_sweep(POINTS)
    axes = draw_sweep(table, "page-tokens").axes[0]
    first = axes.containers[0].lines[0].get_ydata()
    assert [float(row["rouge1"]) for row in rows_of(table)] == pytest.approx(first.tolist()) == [30, 50]
    low, high = axes.containers[0].lines[2][0].get_segments()[0][:, 1]
    assert (low, high) == pytest.approx((20, 50))
    assert float(rows_of(table)[0]["rouge1_low"]) == pytest.approx(low)
    assert rows_of(table)[0]["seconds"] == ""


def test_overviews_by_hand():
    (row, _) = overview_dependencies([REFERENCE, EMPTY]).rows
    assert row == ("reference", 1, 6, 3, 0.5, pytest.approx((0.1 + 0.1 + 0.9) / 3))
    table = overview_locality([("a", CURVE)])
    assert table.keys == (
        "data",
        "documents",
        "sentences",
        "at_1",
        "at_2",
        "same_document",
        "two_documents",
    )
    assert table.rows == (("a", 1, 8, 0.5, 0.25, 0.2, None),)
    first = overview_confidence(MAPS).rows[0]
    assert first[:4] == ("generated", 3, 2, -1)


def test_overviews_are_csv_in_pipes_and_tables_on_terminals():
    table = Table.of_keys(("data", "mean_value"), (("[red]a\x1b[31m", None), ("b", 0.12345)))
    piped, shown = io.StringIO(), io.StringIO()
    write_table(table, piped, choose_table_format(is_terminal=False))
    write_table(table, shown, choose_table_format(is_terminal=True))
    assert piped.getvalue().splitlines()[2] == "b,0.12345"
    assert "mean value" in shown.getvalue()
    assert "0.123" in shown.getvalue()
    assert "[red]a" in shown.getvalue()
    assert "\x1b[31m" not in shown.getvalue()


def test_an_undecided_model_is_shown_from_uniform_to_certain() -> None:
    flat = replace(MAPS[0], weights=np.full((3, 4), 0.25, np.float32), pages=("a", "b", "c", "d"))
    flat = replace(flat, tokens=("x", "y", "z"), log_probs=(-1.0, -1.0, -1.0))
    flat.weights[0] = [0.26, 0.25, 0.25, 0.24]
    assert flat.is_undecided
    assert flat.decision == pytest.approx(0, abs=1e-3)
    assert not replace(flat, weights=np.eye(4, dtype=np.float32)[:3]).is_undecided
    assert replace(flat, weights=np.eye(4, dtype=np.float32)[:3]).decision == 1
    assert replace(flat, pages=("a",), weights=np.ones((3, 1), np.float32)).decision is None
    figure = draw_confidence(tabulate_confidence([flat]), is_undecided=True)
    assert figure.axes[0].images[0].get_clim() == (0.25, 1)
    labels = [label.get_text() for label in figure.axes[-1].get_yticklabels()]
    assert labels == ["uniform (0.25)", "certain (1)"]
    assert figure.get_suptitle() == "The model hardly decides between pages"


def curve(system, run, *values, step=10):
    points = tuple((step * n, v) for n, v in enumerate(values, start=1))
    return RunCurve(system=system, run=run, metric="eval_loss", points=points)


def test_runs_of_one_system_are_one_curve_with_its_range() -> None:
    curves = [curve("a", "seed-1", 3.0, 2.0, 2.5), curve("a", "seed-2", 4.0, 3.0), curve("b", "", 5.0, 4.0)]
    table = tabulate_curves(curves)
    axes = draw_curves(table, "eval_loss").axes[0]
    lines = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert lines["a (2 runs)"] == [3.5, 2.5]  # where both have a value
    assert lines["b"] == [5.0, 4.0]
    assert [3.0, 2.0, 2.5] in lines.values()  # every run is drawn in full
    assert len(axes.collections) == 1
    first, second = overview_curves(curves).rows
    assert first == ("a", 2, 2.5, pytest.approx(2**0.5 / 2), 20)
    assert second[1:4] == (1, 4.0, None)
    # Runs that were logged at different steps have no mean, and are drawn all the same.
    apart = tabulate_curves([curve("a", "seed-1", 1.0, step=3), curve("a", "seed-2", 1.0, step=7)])
    assert encode_picture(draw_curves(apart, "eval_loss"), ".svg")
