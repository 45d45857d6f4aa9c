"""Lists that a line announces: an item is quoted with that line, and a short list whole.

"All caches have these functions:" stands before a list; without it an item says nothing of what it is one of,
and with two of its three items the reader asks for the third.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsum_cli.methods.extract.anaphora import anaphora_rules
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.presentability import is_in_words
from lsum_cli.methods.extract.presentability import is_presentable as is_form_presentable
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.verbs import has_verb

_LEAST_ITEMS, _MOST_ITEMS = 2, 40
# Words of the line that announces a list.
_LEAST_WORDS, _MOST_WORDS = 4, 40
# A list is quoted whole where it has so many words, or this many times those of it that are quoted in any case.
_WORDS_OF_A_WHOLE, _GROWTH = 45, 1.6
# An item of plain text, which keeps its mark.
_MARKED = regex(r"(?:[-*+•·–▪◦‣]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S")


def with_lists(candidates: Candidates, structure: Structure, chosen: Sequence[int]) -> list[int]:
    """The same sentences, with what announces those of them that are items of a list.

    Args:
        candidates: The sentences of the source.
        structure: What is known of them.
        chosen: The positions of those that are quoted, in order.

    Returns:
        The positions, in order; of a short list all.
    """
    added = set(chosen)
    is_done: set[int] = set()
    rules = anaphora_rules("en", structure.document_kind)
    for position in chosen:
        is_line = _is_announcement(candidates, position)
        line = position if is_line else _announcement(candidates, position)
        if line is None or line in is_done:
            continue
        is_done.add(line)
        rows, openings = _items(candidates, line)
        if len(openings) < _LEAST_ITEMS or not (
            is_line or (structure.is_own[line] and _can_announce(candidates, line))
        ):
            continue
        if rules is None or (
            rules.continues(candidates.sentences[line].text)
            and not (line - 1 in added and candidates.section[line - 1] == candidates.section[line])
        ):
            continue
        quoted = int(candidates.num_words[[row for row in rows if row in added]].sum())
        most = max(_WORDS_OF_A_WHOLE, int(_GROWTH * quoted))
        if all(is_in_words(candidates.sentences[row].text) for row in openings):
            # Of longer items what each begins with.
            whole = (each for each in (rows, openings) if candidates.num_words[each].sum() <= most)
            added.update(next(whole, ()))
        if len(added.intersection(openings)) >= _LEAST_ITEMS:
            added.add(line)
    return sorted(added)


def _is_item(candidates: Candidates, row: int) -> bool:
    sentence = candidates.sentences[row]
    return sentence.is_item or (
        bool(candidates.opens_paragraph[row]) and _MARKED.match(sentence.text) is not None
    )


def _announcement(candidates: Candidates, position: int) -> int | None:
    """The line that announces the list which a sentence is of; ``None`` where there is none."""
    items = 0
    row = position
    while row > 0 and candidates.section[row - 1] == candidates.section[position] and items < _MOST_ITEMS:
        if _is_item(candidates, row):
            items += 1
            if _is_announcement(candidates, row - 1):
                return row - 1
        elif candidates.opens_paragraph[row]:
            return None
        row -= 1
    return None


def _is_announcement(candidates: Candidates, row: int) -> bool:
    return (
        candidates.sentences[row].text.endswith(":")
        and row + 1 < len(candidates)
        and not _is_item(candidates, row)
        and _is_item(candidates, row + 1)
    )


def _items(candidates: Candidates, line: int) -> tuple[list[int], list[int]]:
    """The sentences of the list that a line announces, and those with which its items begin."""
    rows: list[int] = []
    openings: list[int] = []
    for row in range(line + 1, len(candidates)):
        if candidates.section[row] != candidates.section[line]:
            break
        if _is_item(candidates, row):
            openings.append(row)
        elif candidates.opens_paragraph[row]:
            break
        rows.append(row)
    return rows, openings


def _can_announce(candidates: Candidates, line: int) -> bool:
    """Whether a line is a sentence but for its colon."""
    text = candidates.sentences[line].text
    return (
        _LEAST_WORDS <= int(candidates.num_words[line]) <= _MOST_WORDS
        and has_verb(text.split())
        and is_form_presentable(f"{text[:-1].rstrip()}.")
    )
