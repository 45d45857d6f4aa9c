"""Tables of contents and lists of figures, told by the page numbers at the end of their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lsum_cli.reading.pdf.headings import words_only
from lsum_cli.reading.pdf.lines import Line, PageLines

_NAMES = frozenset(
    [
        "contents",
        "tableofcontents",
        "briefcontents",
        "detailedcontents",
        "listoffigures",
        "listoftables",
        "inhalt",
        "inhaltsverzeichnis",
        "tabledesmatières",
        "índice",
        "sommaire",
    ]
)
_ENTRY = re.compile(r".*?\S[\s.·…_]+(\d{1,4}|[ivxl]{1,7})$")
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*(?:\d{1,4}|[ivxlA-Z-]{1,7}\d*)?$|…{2,}\s*\d+$")


def find_contents(pages: Sequence[PageLines], furniture: set[int]) -> set[int]:
    """The lines (by ``id``) of tables of contents near the begin of a document.

    A list counts if it is headed as one, or goes on from the page before, and nearly all of its
    lines end with numbers that hardly ever fall; or if its lines are filled with dots.
    """
    found: set[int] = set()
    going_on = False
    for page in pages[: max(30, len(pages) // 8)]:
        lines = sorted(
            (line for line in page.lines if id(line) not in furniture), key=lambda line: (-line.y, line.x0)
        )
        start = next((index for index, line in enumerate(lines) if words_only(line.text) in _NAMES), None)
        going_on_here = going_on and start is None
        going_on = False
        if start is not None or going_on_here:
            listed = lines[(start + 1 if start is not None else 0) :]
            taken = _entries(listed, strict=going_on_here)
            if taken:
                found |= {id(line) for line in taken}
                if start is not None:
                    found.add(id(lines[start]))
                going_on = taken[-1] is listed[-1] or len(taken) > 0.8 * len(listed)
        dotted = [index for index, line in enumerate(lines) if _LEADERS.search(line.text)]
        if len(dotted) >= 3:
            # A title of two lines has its dots on the second.
            for index in range(dotted[0], dotted[-1] + 1):
                found.add(id(lines[index]))
            going_on = True
    return found


def _entries(lines: Sequence[Line], *, strict: bool) -> list[Line]:
    """The lines up to the last entry, if most of them are entries in rising order."""
    matches = [(index, match) for index, line in enumerate(lines) if (match := _ENTRY.match(line.text))]
    if len(matches) < 3:
        return []
    numbers = [int(match[1]) for _, match in matches if match[1].isdigit()]
    rising = sum(low <= high for low, high in pairwise(numbers))
    if len(numbers) > 2 and rising < 0.75 * (len(numbers) - 1):
        return []
    # Where entries grow rare the list has ended.
    last = matches[0][0]
    for index, _ in matches:
        if index - last > 6:
            break
        last = index
    taken = list(lines[: last + 1])
    share = sum(index <= last for index, _ in matches) / len(taken)
    return taken if share >= (0.6 if strict else 0.4) else []
