"""Tables within plain text: lines whose cells stand in columns, with spaces between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lsum_cli.reading.blocks import CELL_BREAK
from lsum_cli.text.patterns import regex

_CELL = regex(r"\S+(?: \S+)*")
# Text in two columns, or a term and what it means, is no table.
_LEAST_CELLS, _LEAST_LINES = 3, 3
# Of so many of the lines as many cells begin at the same places.
_LEAST_ALIGNED = 0.75


def table_rows(lines: Sequence[str]) -> list[str] | None:
    """The rows of a group of lines that is a table, their cells divided; ``None`` where it is none.

    Joined to a paragraph they would be read as sentences: "Dep. Whitby Arr. Staithes".
    """
    if len(lines) < _LEAST_LINES or sum("  " in line.strip() for line in lines) < _LEAST_LINES:
        return None
    places = [tuple(cell.start() for cell in _CELL.finditer(line.expandtabs())) for line in lines]
    (commonest, count), *_ = Counter(places).most_common(1)
    if len(commonest) < _LEAST_CELLS or count < max(_LEAST_LINES, _LEAST_ALIGNED * len(lines)):
        return None
    return [CELL_BREAK.join(_CELL.findall(line.expandtabs())) for line in lines]
