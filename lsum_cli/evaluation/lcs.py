"""Longest common subsequences, the same ones that ``rouge-score`` finds, a hundred times sooner.

A row of the table of lengths differs from its left neighbour by 0 or 1, so that a row is one
integer with a bit per column, and a step from row to row is an addition (Hyyrö, "Bit-parallel
LCS-length computation revisited", 2004).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """How many tokens a longest common subsequence holds."""
    matches = columns_of_tokens(second)
    rows = _rows([token for token in first if token in matches], matches, len(second))
    return len(second) - rows[-1].bit_count()


def lcs_positions(
    first: Sequence[str], second: Sequence[str], matches: Mapping[str, int] | None = None
) -> list[int]:
    """Where in ``first`` the tokens of a longest common subsequence stand; descending.

    Of several, the one that going back through the table from its end finds, where a pair of equal
    tokens is always taken, and else ``first`` is shortened whenever that costs nothing: the rule of
    ``rouge_score``, on which its ROUGE-Lsum depends.

    Args:
        matches: :func:`columns_of_tokens` of ``second``, where it is known.
    """
    if matches is None:
        matches = columns_of_tokens(second)
    # A token that the other lacks is passed over by that rule, so it needs no row.
    places = [place for place, token in enumerate(first) if token in matches]
    rows = _rows([first[place] for place in places], matches, len(second))
    row, column = len(places), len(second)
    length = column - rows[-1].bit_count()
    found: list[int] = []
    while length:
        place = places[row - 1]
        if first[place] == second[column - 1]:
            row, column, length = row - 1, column - 1, length - 1
            found.append(place)
        elif column - (rows[row - 1] & ((1 << column) - 1)).bit_count() == length:
            row -= 1
        else:
            column -= 1
    return found


def columns_of_tokens(second: Sequence[str]) -> dict[str, int]:
    """For each token the columns it stands in, as bits."""
    matches: dict[str, int] = {}
    for column, token in enumerate(second):
        matches[token] = matches.get(token, 0) | 1 << column
    return matches


def _rows(tokens: Sequence[str], matches: Mapping[str, int], num_columns: int) -> list[int]:
    """The table's rows, the empty one first; a bit is 0 where the length grows."""
    row = every = (1 << num_columns) - 1
    rows = [row]
    for token in tokens:
        matching = row & matches[token]
        row = ((row + matching) | (row - matching)) & every
        rows.append(row)
    return rows
