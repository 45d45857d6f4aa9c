"""Pictures through matplotlib: what all of them share.

Colours are those of Okabe and Ito, which colour-blind readers tell apart, and lines differ in their
dashes and marks besides. matplotlib is imported when a picture is drawn, and no display is needed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lsum_cli.errors import MissingDependency

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
CHANCE_COLOUR = "#777777"
WIDTH, HEIGHT = 6.4, 4.0  # inches
_PNG_DPI = 130
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
    # A dollar sign in a title is a dollar sign.
    "text.parse_math": False,
}


@contextmanager
def drawing() -> Iterator[None]:
    """Draw within, in the style of all pictures.

    Raises:
        MissingDependency: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingDependency(
            "pictures need the package matplotlib, which is not installed", "pip install 'lsum-cli[eval]'"
        ) from error
    with mpl.rc_context(_STYLE):
        yield


def new_figure(width: float = WIDTH, height: float = HEIGHT) -> Figure:
    """An empty picture that belongs to no window; sizes in inches."""
    from matplotlib.figure import Figure as NewFigure

    return NewFigure(figsize=(width, height))


def label_axes(axes: Axes, *, x: str, y: str, title: str = "") -> None:
    """Name the axes, each with its unit."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title:
        axes.set_title(title, loc="left", fontsize="medium")


def encode_picture(figure: Figure, suffix: str) -> bytes:
    """The picture as the bytes of a file.

    Args:
        suffix: ``".png"`` or ``".svg"``.
    """
    stream = io.BytesIO()
    with drawing():
        if suffix == ".svg":
            figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": "lsum"})
        else:
            figure.savefig(stream, format="png", dpi=_PNG_DPI, metadata={"Software": "lsum"})
    return stream.getvalue()
