"""Longest common subsequences, the same ones that ``rouge-score`` finds, a hundred times sooner.

A row of the table of lengths differs from its left neighbour by 0 or 1, so that a row is one
integer with a bit per column, and a step from row to row is an addition (Hyyrö, "Bit-parallel
LCS-length computation revisited", 2004).
"""

from __future__ import annotations

from collections.abc import Sequence


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """How many tokens a longest common subsequence holds."""
    row = (1 << len(second)) - 1
    for row in _rows(first, second):  # noqa: B007 - the last one counts
        pass
    return len(second) - row.bit_count()


def lcs_positions(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Where in ``first`` the tokens of a longest common subsequence stand; descending.

    Of several, the one that going back through the table from its end finds, where a pair of equal
    tokens is always taken, and else ``first`` is shortened whenever that costs nothing: the rule of
    ``rouge_score``, on which its ROUGE-Lsum depends.
    """
    rows = [(1 << len(second)) - 1, *_rows(first, second)]
    position, column = len(first), len(second)
    length = column - rows[-1].bit_count()
    found: list[int] = []
    while length:
        if first[position - 1] == second[column - 1]:
            position, column, length = position - 1, column - 1, length - 1
            found.append(position)
        elif column - (rows[position - 1] & ((1 << column) - 1)).bit_count() == length:
            position -= 1
        else:
            column -= 1
    return found


def _rows(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """For each token of ``first`` the row of the table below it; a bit is 0 where the length grows."""
    matches: dict[str, int] = {}
    for column, token in enumerate(second):
        matches[token] = matches.get(token, 0) | 1 << column
    row = every = (1 << len(second)) - 1
    rows = []
    for token in first:
        matching = row & matches.get(token, 0)
        row = ((row + matching) | (row - matching)) & every
        rows.append(row)
    return rows
