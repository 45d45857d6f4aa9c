"""The lists by which a readme says what its subject does, and what it needs: quoted whole, or not at all.

"Weirbook reads the following ledgers:", or the heading "Features", stands before items that are no
sentences and say most of what a reader wants to know. The ranking, which sees one of them at a time, takes
none of them, or one.
"""

from __future__ import annotations

import math
import re

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.methods.extract.sentences.anaphora import AnaphoraRules
from lsum_cli.methods.extract.sentences.lists import (
    TURNS,
    announces_list,
    are_restricted,
    can_announce,
    is_field,
    items_of,
)
from lsum_cli.methods.extract.sentences.open_ends import without_ornament
from lsum_cli.methods.extract.sentences.presentability import symbols_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, is_function_word

# Under which headings they stand, besides before the first one.
_HEADINGS = regex(
    r"(?:(?:key|main|core|notable|some|supported|current) )?(?:features?|highlights|capabilities|benefits)"
    r"(?: (?:and|&) \w+)?|(?:system |software )?requirements|prerequisites",
    re.IGNORECASE,
)
# A line that says as much before a list: "Features:".
_LABEL = regex(rf"(?:{_HEADINGS.pattern}):", re.IGNORECASE)
_LEAST_ITEMS, _MOST_ITEMS, _MOST_LISTS = 2, 14, 3
# Words of all items of one; of each, on the average, where no line announces it.
_MOST_WORDS, _LEAST_WORDS_OF_AN_ITEM = 100, 3
_LONGEST_ITEM = 40
# The share of symbols, as of numbers of versions, in all items; of items that lead elsewhere.
_MOST_SYMBOLS, _MOST_OF_OTHER_PAGES = 0.3, 1 / 3
# The share of items that begin with a letter: one may begin with a name of code, as "$WEIR is read".
_BEGIN_WITH_A_LETTER = 3 / 4
# Pages besides this one, and how the thing is had: no feature.
_OTHER_PAGES = regex(
    r"(?:api|documentation|docs|source|code|github|git|repository|issues?|bugs?|tracker|changelog|change log"
    r"|release notes|license|licence|homepage|home page|website|web ?site|pypi|package|download|contribut\w+"
    r"|support(?! for\b)"
    r"|mailing list|chat|discord|slack|twitter|blog|forum|faq|installation|usage|examples?|tutorial"
    r"|quick ?start|getting started|table of contents|contents|author|maintainer|free software)\b",
    re.IGNORECASE,
)
# A line without a colon that says how the items below it are meant: "One of these is needed."
_MEANS_ITEMS = regex(
    r"\b(?:any|both|either|neither|none|no|not|one of|some|these|those|following|below|at least|instead"
    r"|deprecated|missing|optional|removed|unsupported|\w+n['’]t)\b",
    re.IGNORECASE,
)
# What says so after the list, though a line stands before it: "None of them is needed on Linux."
_OF_THE_ITEMS = regex(
    r"(?:these|those|they|all|both|each|any|some|one of|none|neither|either|not|no|but|however|only|except"
    r"|unless)\b",
    re.IGNORECASE,
)
# When the thing is of use: "Use this package if:".
_CONDITION = regex(r" (?:if|when|whenever)(?: you(?:['’]re| are)?)?:$", re.IGNORECASE)
# An entry of a function or a class: "open(gate): Opens the gate."
_OF_A_FUNCTION = regex(r"[*\w.]+\(|(?:async|class|property|classmethod) \w")


def leading_lists(
    candidates: Candidates, is_own: BoolArray, anaphora: AnaphoraRules | None, most_words: float = math.inf
) -> list[int]:
    """The positions of the lists that say what the whole does or needs, each with what announces it.

    Args:
        candidates: The sentences of one document.
        is_own: Whether the document as a whole says it.
        anaphora: What makes a line need an antecedent.
        most_words: The most words that they may have together.
    """
    named = {section.heading for section in candidates.sections}
    headings = {plain_heading(heading).casefold() for heading in named}
    found: list[int] = []
    lists, row = 0, 0
    while row < len(candidates) and lists < _MOST_LISTS:
        is_line = announces_list(candidates, row)
        if not (is_line or candidates.sentences[row].is_item) or not _is_leading(candidates, row):
            row += 1
            continue
        rows, openings = items_of(candidates, row + is_line)
        is_told_by_line = is_line and _announces(candidates, row, anaphora)
        is_known = is_told_by_line or (
            (not is_line or _only_leads(candidates, row))
            and _is_announced(candidates, row + is_line, openings)
        )
        told = [row, *openings] if is_told_by_line else openings
        words = int(candidates.num_words[told].sum())
        # An item that ends with a colon leads to a list of its own, which may turn it.
        is_flat = not any(candidates.sentences[each].text.endswith(":") for each in rows)
        # What each begins with is not told without what restricts it.
        is_whole = not are_restricted(candidates, rows, openings)
        is_whole &= not _is_turned_after(candidates, rows, is_line=is_line)
        is_told = is_known and is_flat and is_whole and words <= most_words
        is_told = is_told and _tells(candidates, openings, headings)
        if is_told and is_own[row]:
            found += told
            lists += 1
            most_words -= words
        row = max(rows, default=row) + 1
    return found


def _is_leading(candidates: Candidates, row: int) -> bool:
    """Whether a sentence stands before the first heading, or where a readme lists what it does or needs."""
    heading = _heading(candidates, row)
    return _HEADINGS.fullmatch(heading) is not None or (
        candidates.section[row] == candidates.section[0]
        and heading.casefold() in ("", plain_heading(candidates.titles[row]).casefold())
    )


def _only_leads(candidates: Candidates, row: int) -> bool:
    """Whether a line leads to a list that a heading announces: below "Features", "Row as you like:"."""
    is_headed = _HEADINGS.fullmatch(_heading(candidates, row)) is not None
    return is_headed and TURNS.search(candidates.sentences[row].text) is None


def _heading(candidates: Candidates, row: int) -> str:
    return without_ornament(plain_heading(candidates.sections[row].heading)).rstrip(":")


def _announces(candidates: Candidates, row: int, anaphora: AnaphoraRules | None) -> bool:
    """Whether a line before a list is understood, and turns none of what it announces."""
    text = candidates.sentences[row].text
    # "Use the client to:"
    completed = f"{text[:-1]} it:" if is_function_word(text[:-1].rpartition(" ")[2]) else text
    # "Use it if:", which says so with its items, and is completed as "Use it."
    asks = _CONDITION.search(text)
    if asks is not None:
        text = completed = f"{text[: asks.start()]}:"
    return TURNS.search(text) is None and (
        _LABEL.fullmatch(text) is not None
        or (can_announce(candidates, row, completed) and (anaphora is None or not anaphora.continues(text)))
    )


def _is_announced(candidates: Candidates, row: int, openings: list[int]) -> bool:
    """Whether the items of a list without such a line say something under their heading, or after a text."""
    is_first = row == 0 or candidates.section[row - 1] != candidates.section[row]
    if not is_first and _MEANS_ITEMS.search(candidates.sentences[row - 1].text):
        return False
    return (bool(candidates.sections[row].heading) or not is_first) and int(
        candidates.num_words[openings].sum()
    ) >= _LEAST_WORDS_OF_AN_ITEM * len(openings)


def _is_turned_after(candidates: Candidates, rows: list[int], *, is_line: bool) -> bool:
    """Whether the sentence right after a list says how its items are meant."""
    after = rows[-1] + 1 if rows else len(candidates)
    if after >= len(candidates) or candidates.section[after] != candidates.section[rows[0]]:
        return False
    text = candidates.sentences[after].text
    return (_OF_THE_ITEMS.match(text) if is_line else _MEANS_ITEMS.search(text)) is not None


def _tells(candidates: Candidates, openings: list[int], headings: set[str]) -> bool:
    """Whether these items are of words that say something, and lead to no other part or page."""
    texts = [candidates.sentences[row].text for row in openings]
    words = candidates.num_words[openings]
    return (
        _LEAST_ITEMS <= len(texts) <= _MOST_ITEMS
        and int(words.sum()) <= _MOST_WORDS
        and int(words.max()) <= _LONGEST_ITEM
        and all(map(_is_in_words, texts))
        and sum(text[:1].isalpha() for text in texts) >= _BEGIN_WITH_A_LETTER * len(texts)
        and sum(map(symbols_of, texts)) <= _MOST_SYMBOLS * sum(map(len, texts))
        and not any(text.rstrip(".").casefold() in headings for text in texts)
        and _MOST_OF_OTHER_PAGES * len(texts) > sum(_OTHER_PAGES.match(text) is not None for text in texts)
    )


def _is_in_words(text: str) -> bool:
    return (
        _OF_A_FUNCTION.match(text) is None
        and not is_field(text)
        and not text.endswith((":", "?"))
        and not any(map(text.__contains__, ("://", " | ", "@")))
    )
