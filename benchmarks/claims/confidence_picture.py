"""The picture of page confidences (Liu et al. 2022, Figure 3) as SVG.

Pages × decoding steps, darker is higher.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

CELL_WIDTH, CELL_HEIGHT = 14, 18
LEFT, TOP, MARGIN = 64, 74, 12
DARKEST = (11, 60, 93)


def draw_confidence(
    confidence: NDArray[np.float32],
    tokens: Sequence[str],
    page_labels: Sequence[str],
    *,
    right_page: Sequence[int | None] = (),
) -> str:
    """Draw the confidences of one summary.

    Args:
        confidence: (target_len, pages).
        tokens: One label per decoding step.
        page_labels: One per page.
        right_page: For each step the page that it needs, which gets a frame; ``None`` for none.

    Returns:
        An SVG document of its own.
    """
    steps, pages = confidence.shape
    width, height = LEFT + steps * CELL_WIDTH + MARGIN, TOP + pages * CELL_HEIGHT + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="sans-serif" font-size="10" role="img"'
        ' aria-label="Confidence of pages by decoding step">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for page, label in enumerate(page_labels):
        y = TOP + page * CELL_HEIGHT + CELL_HEIGHT - 5
        parts.append(f'<text x="{LEFT - 6}" y="{y}" text-anchor="end">{escape(label)}</text>')
    for step, token in enumerate(tokens):
        x = LEFT + step * CELL_WIDTH + CELL_WIDTH - 4
        place = f'x="{x}" y="{TOP - 5}" transform="rotate(-90 {x} {TOP - 5})"'
        parts.append(f"<text {place}>{escape(token)}</text>")
    for step in range(steps):
        parts.extend(_cell(step, page, float(confidence[step, page])) for page in range(pages))
    for step, page in enumerate(right_page):
        if page is not None:
            parts.append(_rectangle(step, page, 'fill="none" stroke="#d1495b" stroke-width="1.5"'))
    return "\n".join([*parts, "</svg>\n"])


def _cell(step: int, page: int, weight: float) -> str:
    red, green, blue = (round(255 + (dark - 255) * min(1.0, max(0.0, weight))) for dark in DARKEST)
    return _rectangle(step, page, f'fill="rgb({red},{green},{blue})" stroke="#e5e5e5" stroke-width="0.5"')


def _rectangle(step: int, page: int, style: str) -> str:
    x, y = LEFT + step * CELL_WIDTH, TOP + page * CELL_HEIGHT
    return f'<rect x="{x}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" {style}/>'
