"""Pictures through matplotlib: the papers' figures from their tables, and the loss of a training run.

The colours are those of Okabe and Ito, which colour-blind readers can distinguish; lines differ in
dashes and marks as well. matplotlib is imported when a picture is drawn, and no display is needed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from lsum_cli.errors import MissingDependency
from lsum_cli.rendering.analyses import AT_DISTANCE, CHANCE, SAME_DOCUMENT
from lsum_cli.rendering.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_DASHES = ("-", "--", "-.", ":")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_CHANCE_COLOUR = "#777777"
_WIDTH, _HEIGHT = 6.4, 4.0  # inches
_PNG_DPI = 130
_MEASURE_NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
# The names of more tokens would be too small to read.
_MOST_TOKENS_NAMED = 90
_LONGEST_LABEL = 28
_LABEL_END = 8
# Text stays text, and equal numbers give equal files.
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "lsum",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e5e5e5",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    # A dollar sign in a title is just that.
    "text.parse_math": False,
}


def draw_dependencies(table: Table) -> Figure:
    """Figure 4 of the PageSum paper: the distance of the two sentences that a summary sentence joins."""
    with _drawing():
        figure = _new_figure()
        axes = figure.subplots()
        names = [name for name in table.distinct("summaries") if name != CHANCE]
        for number, name in enumerate(names):
            left = table.numbers("distance_from", summaries=name)
            right = table.numbers("distance_to", summaries=name)
            width = (right[0] - left[0]) / (len(names) + 0.25)
            axes.bar(
                [start + (number + 0.125) * width for start in left],
                [100 * share for share in table.numbers("share", summaries=name)],
                width=width,
                align="edge",
                color=_COLOURS[number % len(_COLOURS)],
                label=str(name),
            )
        left = table.numbers("distance_from", summaries=CHANCE)
        chance = [100 * share for share in table.numbers("share", summaries=CHANCE)]
        axes.step(
            [*left, 1], [*chance, chance[-1]], where="post", color=_CHANCE_COLOUR, dashes=(3, 2), label=CHANCE
        )
        _label_axes(
            axes,
            x="Distance of the two source sentences (share of the document)",
            y="Fusion sentences (%)",
            title="Long-distance dependencies",
        )
        axes.set_xlim(0, 1)
        axes.legend()
    return figure


def draw_locality(table: Table, measure: str) -> Figure:
    """Figure 1: mean similarity of two sentences by their distance, and of any two of a document.

    Args:
        measure: The kind of similarity: ``"TF-IDF"``.
    """
    with _drawing():
        figure = _new_figure()
        axes = figure.subplots()
        for number, name in enumerate(table.distinct("data")):
            colour = _COLOURS[number % len(_COLOURS)]
            distances = table.numbers("distance_sentences", data=name, pairs=AT_DISTANCE)
            axes.plot(
                distances,
                table.numbers("similarity", data=name, pairs=AT_DISTANCE),
                color=colour,
                linestyle=_DASHES[number % len(_DASHES)],
                marker=_MARKS[number % len(_MARKS)],
                markersize=3,
                markevery=max(1, len(distances) // 12),
                label=str(name),
            )
            (level,) = table.numbers("similarity", data=name, pairs=SAME_DOCUMENT)
            axes.axhline(level, color=colour, linewidth=0.8, alpha=0.6)
        _label_axes(
            axes,
            x="Distance of two sentences of a document (sentences)",
            y=f"Mean cosine similarity ({measure})",
            title="Intrinsic locality; thin lines: any two sentences of a document",
        )
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure


def draw_confidence(table: Table, *, is_undecided: bool = False) -> Figure:
    """Figure 3: confidence by page and decoding step, darker is higher; a panel for each text.

    Args:
        is_undecided: Whether the weights are all but uniform. The colours then go from uniform to certain:
            up to the greatest weight, they would make much of what is nothing.
    """
    names = table.distinct("summary")
    steps = max(int(step) for step in table.numbers("step"))
    pages = len(table.distinct("page"))
    has_tokens = steps <= _MOST_TOKENS_NAMED
    # One scale for all panels, up to the greatest weight: up to 1, small weights would be invisible.
    least, greatest = 0.0, max(table.numbers("confidence"))
    if is_undecided:
        least, greatest = 1 / pages, 1.0
    with _drawing():
        panel = 0.9 + 0.2 * pages + (0.5 if has_tokens else 0)
        figure = _new_figure(
            max(_WIDTH, 2.6 + 0.12 * min(steps, _MOST_TOKENS_NAMED)), panel * len(names) + 0.4
        )
        for axes, name in zip(figure.subplots(len(names), squeeze=False)[:, 0], names, strict=True):
            weights = np.array(table.numbers("confidence", summary=name)).reshape(-1, pages)
            # Steps are counted from 1, as in the numbers.
            extent = (0.5, len(weights) + 0.5, pages - 0.5, -0.5)
            image = axes.imshow(
                weights.T,
                aspect="auto",
                cmap="Blues",
                vmin=least,
                vmax=greatest,
                interpolation="nearest",
                extent=extent,
            )
            axes.grid(visible=False)
            axes.set_yticks(range(pages), [_shorten(str(label)) for label in table.distinct("page_label")])
            _label_axes(axes, x="Decoding step (tokens)", y="Page", title=f"{name} summary")
            if has_tokens:
                tokens = table.column("token", summary=name, page=1)
                axes.set_xticks(
                    range(1, len(tokens) + 1), [str(token).strip() for token in tokens], rotation=90
                )
                axes.tick_params(axis="x", labelsize="x-small")
        scale = figure.colorbar(image, ax=figure.axes, label="Confidence (share of a token)", shrink=0.8)
        if is_undecided:
            scale.set_ticks([least, greatest], labels=[f"uniform ({least:.2g})", "certain (1)"])
            figure.suptitle("The model hardly decides between pages", fontsize="medium")
    return figure


def draw_sweep(table: Table, setting: str) -> Figure:
    """ROUGE by the value of one setting, with 95 % intervals; values are side by side in the order given."""
    values = [str(value) for value in table.column("value")]
    with _drawing():
        figure = _new_figure()
        axes = figure.subplots()
        measures = [name.removesuffix("_low") for name in table.keys if name.endswith("_low")]
        for number, measure in enumerate(measures):
            means = np.array(table.numbers(measure))
            low, high = (np.array(table.numbers(f"{measure}{end}")) for end in ("_low", "_high"))
            # Side by side, so that intervals do not cover one another.
            places = np.arange(len(values)) + 0.06 * (number - (len(measures) - 1) / 2)
            axes.errorbar(
                places,
                means,
                yerr=np.maximum(0, [means - low, high - means]),
                color=_COLOURS[number % len(_COLOURS)],
                linestyle=_DASHES[number % len(_DASHES)],
                marker=_MARKS[number % len(_MARKS)],
                markersize=4,
                capsize=2,
                label=_MEASURE_NAMES.get(measure, measure),
            )
        axes.set_xticks(range(len(values)), values)
        _label_axes(axes, x=f"Setting: {setting}", y="ROUGE F1 (%)", title="Mean and 95 % interval")
        axes.set_ylim(bottom=0)
        axes.legend(ncols=len(measures), loc="lower center", bbox_to_anchor=(0.5, 1.06))
    return figure


def draw_curves(table: Table, metric: str) -> Figure:
    """A metric by step: for each system the mean of its runs, and their range."""
    with _drawing():
        from matplotlib.ticker import MaxNLocator

        figure = _new_figure()
        axes = figure.subplots()
        for number, system in enumerate(table.distinct("system")):
            colour = _COLOURS[number % len(_COLOURS)]
            runs = list(dict.fromkeys(table.column("run", system=system)))
            curves = [
                dict(
                    zip(
                        table.numbers("step", system=system, run=run),
                        table.numbers("value", system=system, run=run),
                        strict=True,
                    )
                )
                for run in runs
            ]
            if len(curves) > 1:
                for curve in curves:
                    axes.plot([*curve], [*curve.values()], color=colour, linewidth=0.6, alpha=0.5)
            # Where every run has a value: a mean of fewer would jump where one ends.
            steps = [step for step in curves[0] if all(step in curve for curve in curves)]
            values = np.array([[curve[step] for step in steps] for curve in curves])
            axes.plot(
                steps,
                values.mean(axis=0) if steps else [],
                color=colour,
                linestyle=_DASHES[number % len(_DASHES)],
                marker=_MARKS[number % len(_MARKS)],
                markersize=3,
                markevery=max(1, len(steps) // 12),
                label=str(system) if len(runs) == 1 else f"{system} ({len(runs)} runs)",
            )
            if len(runs) > 1 and steps:
                axes.fill_between(
                    steps, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.2, linewidth=0
                )
        name = metric.replace("eval_", "validation ").replace("_", " ")
        _label_axes(axes, x="step", y=name)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
    return figure


def draw_losses(history: Sequence[Mapping[str, Any]]) -> bytes:
    """The loss of training and validation by step, as a PNG.

    Raises:
        MissingDependency: matplotlib is not installed.
    """
    with _drawing():
        from matplotlib.ticker import MaxNLocator

        figure = _new_figure()
        axes = figure.add_subplot()
        for label, key, colour, mark in (
            ("training (with label smoothing, if set)", "loss", _COLOURS[0], ""),
            ("validation", "eval_loss", _COLOURS[1], "o"),
        ):
            points = [(entry["step"], entry[key]) for entry in history if key in entry]
            if points:
                axes.plot(*zip(*points, strict=True), color=colour, marker=mark, label=label)
        _label_axes(axes, x="step", y="loss per token")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if axes.lines:
            axes.legend()
        return encode_picture(figure, ".png")


def _shorten(label: str) -> str:
    """A label shortened to fit; its end is preserved because it distinguishes the parts of a section."""
    if len(label) <= _LONGEST_LABEL:
        return label
    return f"{label[: _LONGEST_LABEL - 1 - _LABEL_END]}…{label[-_LABEL_END:]}"


def encode_picture(figure: Figure, suffix: str) -> bytes:
    """The picture as the bytes of a file.

    Args:
        suffix: ``".png"`` or ``".svg"``.
    """
    stream = io.BytesIO()
    with _drawing():
        if suffix == ".svg":
            figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": "lsum"})
        else:
            figure.savefig(stream, format="png", dpi=_PNG_DPI, metadata={"Software": "lsum"})
    return stream.getvalue()


@contextmanager
def _drawing() -> Iterator[None]:
    """Apply the style of all pictures to what is drawn in the ``with`` block.

    Raises:
        MissingDependency: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingDependency(
            "plots need the package matplotlib, which is not installed", "pip install 'lsum-cli[eval]'"
        ) from error
    with mpl.rc_context(_STYLE):
        yield


def _new_figure(width: float = _WIDTH, height: float = _HEIGHT) -> Figure:
    """An empty picture without a window; sizes in inches."""
    from matplotlib.figure import Figure as NewFigure

    return NewFigure(figsize=(width, height))


def _label_axes(axes: Axes, *, x: str, y: str, title: str = "") -> None:
    """Name the axes, each with its unit."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title:
        axes.set_title(title, loc="left", fontsize="medium")
