"""Reference marks within sentences: the numbers of notes and of works, which no reader wants quoted.

A mark is "[12]", "[2, 3]", or a number that is stuck to the end of a sentence: "as was shown.12". Numbers
in brackets are intervals and indices as well; so they are taken for marks only where the whole document
says so: its bibliography is numbered, or they count upwards through it and stand where notes do. A number
that is raised may be an exponent instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lsum_cli.documents import Passage, Piece, SectionRole
from lsum_cli.text.patterns import regex

_NUMBERS = r"\d{1,3}[a-z]?(?: ?[,;–−-] ?\d{1,3}[a-z]?)*"
_BRACKETED = regex(
    rf"(?P<gap> ?)\[(?P<numbers>{_NUMBERS}(?:\](?:,? and |[,–−-]? ?)\[{_NUMBERS})*+)\]"
    r"(?![\w(\[])(?! ?[-+]?\d)(?! ?[\"'<>|=+*/])"
)
# "See fig.1 The river" names a figure.
_ABBREVIATED = regex(
    r"(?<!\w)(?:figs?|chaps?|sects?|eqs?|vols?|nos?|arts?|paras?|pars?|cols?|refs?|tabs?|apps?|nrs?|abbs?"
    r"|kap|abs|pags?|caps?|gen|sam|kgs|chron|psalms?|matt)\.[\"”’)]?$",
    re.I,
)
_STOP_AFTER = regex(r"[.,;:!?)]|$")
# It begins with the stop, so that it is tried only there.
_STUCK = regex(
    r"(?P<stop>[.!?](?:(?<=[a-zß-öø-ÿ]{3}[.!?])[\"”’)]?|(?<=[)\]”’]\.)))(?P<numbers>\d{1,3}(?:[,–-]\d{1,3})*)"
    r"(?=$| [\"“‘(]?[A-Z])"
)
# Where the number is a word of the sentence ("see [4]", "in [3, 5]"), or a value ("the interval [1, 5]").
_NEEDED = regex(
    r"(?:^|[=∈<>≤≥+×*/^|~(\[,–—-]|(?<!\w)(?:in|by|from|of|to|and|or|see|see also|cf\.?|e\.g\.,?|i\.e\.,?|as"
    r"|intervals?|ranges?|between|refs?\.?|references?|eqs?\.?|section|figure|index|array|list|vector|version"
    r"|vol\.?|out|lines?|pages?)) ?$",
    re.IGNORECASE,
)
_NEEDED_WITHIN = regex(
    r"(?<!\w)(?:with|at|on|than|for|is|are|was|were|be|values?|steps?|score|scale) ?$", re.IGNORECASE
)
_STOP_BEFORE = regex(r"[.,;:!?]$|[.!?][”’\"]$|[”’)]$")
_NUMBERED_ENTRY = regex(r"\s*(?:\[\d{1,3}\]|\d{1,3}[.)]?)\s+\S")
_OPENING = regex(r"\[\d{1,3}\]\s+\S")
_EXPONENT = regex(r"[-−–+]?\d{1,3}[-−–+]?|[in+−–-]")
_SUPERSCRIPTS = str.maketrans("0123456789+-−–in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁱⁿ")
_DIGITS = regex(r"\d+")
_LEAST = 3
_IN_ORDER = 0.8
# Marks name works in the order in which they are cited, though some were cited before or are cited together.
_MOST_SKIPPED = 4


def exponent(raised: str) -> str | None:
    """What is raised in print as superscript characters: "10⁵"; ``None`` where it can be no exponent."""
    return raised.translate(_SUPERSCRIPTS) if _EXPONENT.fullmatch(raised) else None


def without_marks(passages: Sequence[Passage]) -> tuple[list[Passage], int]:
    """The passages without reference marks, and how many there were; references stay as they are."""
    patterns = [pattern for pattern in (_BRACKETED, _STUCK) if _are_marks(pattern, passages)]
    if not patterns:
        return list(passages), 0
    count = 0

    def clean(text: str) -> str:
        nonlocal count
        for pattern in patterns:
            text, removed = _without(text, pattern)
            count += removed
        return text

    cleaned = [
        passage
        if passage.role is SectionRole.REFERENCES
        else replace(
            passage,
            heading=passage.heading and clean(passage.heading),
            paragraphs=tuple(
                replace(
                    paragraph,
                    pieces=tuple(
                        Piece(text=clean(piece.text), pdf_page=piece.pdf_page) for piece in paragraph.pieces
                    ),
                )
                for paragraph in passage.paragraphs
            ),
        )
        for passage in passages
    ]
    return cleaned, count


def _are_marks(pattern: re.Pattern[str], passages: Sequence[Passage]) -> bool:
    """Whether numbers of a form are marks: of a numbered bibliography, or counting upwards."""
    found = [match for text in _texts(passages) for match in _matches(pattern, text)]
    numbers = [[int(number) for number in _DIGITS.findall(match["numbers"])] for match in found]
    if len(numbers) < _LEAST:
        return False
    if pattern is _BRACKETED and max(map(max, numbers)) <= _count_entries(passages):
        return True
    if pattern is _BRACKETED and _are_paragraphs_numbered(passages):
        return False
    if pattern is _BRACKETED and 4 * sum(map(_ends_clause, found)) < len(found):
        # "Press [1] to start and [2] to stop": words of the sentence.
        return False
    highest = 0
    in_order = 0
    for first, *more in numbers:
        # Works are cited again, and notes numbered anew in each chapter.
        if first <= highest + _MOST_SKIPPED:
            in_order += 1
            highest = max(highest, first, *more)
    opens = any(first == 1 for first, *_ in numbers)
    return opens and in_order >= _IN_ORDER * len(numbers) and len({first for first, *_ in numbers}) >= _LEAST


def _ends_clause(mark: re.Match[str]) -> bool:
    """Whether a number stands where a note would: beside a stop, or at the end."""
    before = mark.string[max(0, mark.start() - 2) : mark.start()]
    return bool(_STOP_AFTER.match(mark.string, mark.end()) or _STOP_BEFORE.search(before))


def _are_paragraphs_numbered(passages: Sequence[Passage]) -> bool:
    """Whether numbers in brackets open the paragraphs, as in a judgment: "[12]" refers to one of them.

    Notes that no heading tells open so as well, but stand at the end.
    """
    opens = [_OPENING.match(text) is not None for text in _texts(passages)]
    return sum(opens) >= _LEAST and 2 * opens.index(True) < len(opens)


def _texts(passages: Sequence[Passage]) -> Iterator[str]:
    for passage in passages:
        if passage.role is not SectionRole.REFERENCES:
            for paragraph in passage.paragraphs:
                yield from (piece.text for piece in paragraph.pieces)


def _count_entries(passages: Sequence[Passage]) -> int:
    """How many entries a numbered bibliography has; 0 for one without numbers."""
    return sum(
        1
        for passage in passages
        if passage.role is SectionRole.REFERENCES
        for paragraph in passage.paragraphs
        if _NUMBERED_ENTRY.match(paragraph.text)
    )


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    if pattern is _BRACKETED and "[" not in text:
        return
    for found in pattern.finditer(text):
        numbers = [int(number) for number in _DIGITS.findall(found["numbers"])]
        if 0 in numbers:
            continue
        if pattern is _BRACKETED:
            before = text[max(0, found.start() - 24) : found.start()]
            # "a[1]" is an index.
            if _NEEDED.search(before) or not (found["gap"] or _STOP_BEFORE.search(before)):
                continue
            if _NEEDED_WITHIN.search(before) and not _STOP_AFTER.match(text, found.end()):
                continue
        elif _ABBREVIATED.search(text[max(0, found.start() - 12) : found.start("numbers")]):
            continue
        yield found


def _without(text: str, pattern: re.Pattern[str]) -> tuple[str, int]:
    """A text without the marks of a form, and how many there were."""
    parts: list[str] = []
    position = 0
    for found in _matches(pattern, text):
        parts.append(text[position : found.start("numbers") if pattern is _STUCK else found.start()])
        position = found.end()
    return "".join((*parts, text[position:])), len(parts)
