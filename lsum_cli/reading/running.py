"""Running heads and feet of specifications that are paged for a line printer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lsum_cli.reading.blocks import Tally

RUNNING_LINES = "running headers and footers"

_FOOT = re.compile(r".*\S\s+\[Page\s+(?:\d+|[ivxl]+)\]\s*$|\s*\[Page\s+(?:\d+|[ivxl]+)\]\s*$", re.I)
_MIN_PAGES = 2
_SENTENCE_GOES_ON = re.compile(r"[^.!?:;\s]$")


def remove_running_lines(lines: Sequence[str], tally: Tally) -> list[str]:
    """Take out lines that end in ``[Page 7]`` and the heads that follow them on each page.

    A sentence that goes on over the page is put together again.
    """
    feet = [index for index, line in enumerate(lines) if "[" in line and _FOOT.match(line)]
    if len(feet) < _MIN_PAGES:
        return list(lines)
    heads = [_next_filled(lines, foot + 1) for foot in feet]
    repeated = Counter(_shape(lines[head]) for head in heads if head is not None)
    running = set(feet)
    for head in heads:
        if head is not None and repeated[_shape(lines[head])] >= max(_MIN_PAGES, len(feet) // 3):
            running.add(head)
    for index in running:
        tally.add(RUNNING_LINES, lines[index])
    return _close_gaps(lines, running)


def _close_gaps(lines: Sequence[str], running: set[int]) -> list[str]:
    kept: list[str] = []
    in_gap = False
    for index, line in enumerate(lines):
        if index in running:
            in_gap = True
            while kept and not kept[-1].strip():
                kept.pop()
        elif in_gap and not line.strip():
            continue
        else:
            if in_gap and kept and not _goes_on(kept[-1], line):
                kept.append("")
            in_gap = False
            kept.append(line)
    return kept


def _goes_on(before: str, after: str) -> bool:
    return bool(_SENTENCE_GOES_ON.search(before)) and after.lstrip()[0].islower()


def _next_filled(lines: Sequence[str], start: int) -> int | None:
    return next((index for index in range(start, min(start + 12, len(lines))) if lines[index].strip()), None)


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.split()))
