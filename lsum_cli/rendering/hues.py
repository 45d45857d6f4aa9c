"""Colours that tell neighbouring windows apart; beside each stands what it is called."""

from __future__ import annotations

from collections.abc import Iterable

from lsum_cli.locality import Page
from lsum_cli.summaries import AttributionKind, SummarySentence

# Each has a contrast of at least 4.5 with white and with black, so that any terminal's ground will do.
# The style sheet of the HTML report has its own, as light and dark grounds below the text.
HUES = ("#197dae", "#b16019", "#138744", "#d81f9a", "#887513", "#9053e6", "#13847a", "#e02939")
_NAMED = 2


def hue_of(sentence: SummarySentence) -> int | None:
    """The number of a sentence's colour: that of its window; ``None`` where no windows were read."""
    attribution = sentence.attribution
    if attribution is None or attribution.kind is not AttributionKind.WINDOW:
        return None
    return attribution.top_page % len(HUES)


def list_hues(sentences: Iterable[SummarySentence], pages: dict[int, Page]) -> list[tuple[int, str]]:
    """Every colour that occurs, with the windows it stands for: ``"window 1/30, window 9/30, …"``."""
    windows: dict[int, dict[str, None]] = {}
    for sentence in sentences:
        hue = hue_of(sentence)
        if hue is not None and sentence.attribution is not None:
            windows.setdefault(hue, {})[pages[sentence.attribution.top_page].label] = None
    return [
        (hue, ", ".join([*list(labels)[:_NAMED], *(["…"] if len(labels) > _NAMED else [])]))
        for hue, labels in windows.items()
    ]
