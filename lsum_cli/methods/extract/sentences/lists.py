"""Lists: an item is quoted with the line that announces it, and a short list whole.

"All caches have these functions:" stands before a list; without it an item says nothing of what it is one of,
and with two of its three items the reader asks for the third. Items are often no sentences, and are
understood under that line, or under the heading.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.sentences.anaphora import AnaphoraRules
from lsum_cli.methods.extract.sentences.boilerplate import is_about_publication_or_other_places
from lsum_cli.methods.extract.sentences.presentability import is_in_words
from lsum_cli.methods.extract.sentences.presentability import is_presentable as is_form_presentable
from lsum_cli.methods.extract.sentences.trimming import LIST_MARKER
from lsum_cli.methods.extract.sentences.wording import is_entry
from lsum_cli.summaries import RestOfList
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, IntArray, count_words
from lsum_cli.text.verbs import has_verb

_LEAST_ITEMS, _MOST_ITEMS = 2, 40
# Words of the line that announces a list.
_LEAST_WORDS, _MOST_WORDS = 4, 40
# A list is quoted whole where it has so many words, or this many times those of it that are quoted anyway;
# one whose announcement is quoted, where it has no more than this.
_WORDS_OF_A_WHOLE, _GROWTH, _WORDS_OF_A_SHORT_LIST = 45, 1.6, 60
# Words of an item that is no sentence, and how many of a list there are at least.
_SHORTEST_ITEM, _LONGEST_ITEM, _LEAST_IN_WORDS = 3, 40, 3
# Words by which the items that are not quoted are named.
_MOST_WORDS_OF_NAMES = 30
# "Gates: They open by themselves.", "gate_level – The level."; "Sluices: not yet" says the contrary.
_NAME = regex(
    r"(?P<name>[^\s:(][^:()]{0,80}?)(?::| [-–—])\s"
    r"(?!(?:not|no|never|none|without|un\w+|deprecated|removed)\b)",
    re.IGNORECASE,
)
# The share of items that are in words: "Sampling" is one of them that code may be as well.
_SHARE_IN_WORDS = 2 / 3
# An item of a list below an item, which says something of that one.
_OF_AN_ITEM = regex(r"(?:(?:dis)?advantages?|pros?|cons?|notes?|n\.?b\.?|e\.g|examples?)\b", re.IGNORECASE)
# What turns what follows it, so that it says the contrary by itself.
TURNS = regex(
    r"\b(?:not|never|no|nor|cannot|\w+n['’]t|except|excepting|excluding|unless|until|without|only|but"
    r"|other than|apart from"
    r"|forbid\w*|forbidden|prohibit\w*|avoid\w*|unsupported|deprecated|removed|missing|instead|against|wrong"
    r"|myths?|misconceptions?|limitations?)\b"
    r"|\b(?:if|when|whether|where)\W*$",
    re.IGNORECASE,
)
# What restricts the beginning of an item, in what it goes on with: "If a weir is tidal, they are never kept."
_RESTRICTS = regex(
    r"\b(?:not|never|no|nor|cannot|\w+n['’]t|neither|none|hardly|rarely|except|excepting|excluding|unless|until"
    r"|without|only|but|if|however|yet|although|though|other than|apart from|provided|as long as|unsupported"
    r"|deprecated|forbidden|prohibited)\b",
    re.IGNORECASE,
)
# How a thing is had restricts nothing: "If you don't have a weir, you can rent one."
_HELPS = regex(
    r"if you (?:(?:do not|don['’]t) (?:already |yet )?have|are (?:not familiar with|new to)|need to"
    r"|want to|would like to|wish to)\b[^,]*,"
    r"(?= (?:(?:then )?you (?:can|may)|see|follow|create|sign up)\b)",
    re.IGNORECASE,
)
# An item of plain text, which keeps its mark.
_MARKED = regex(r"(?:[-*+•·–▪◦‣]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S")
# What an item begins with that is half a sentence, or leans on another one.
_NO_ITEM = regex(
    r"(?:given|if|when|where|with|without|for|once|after|before|until|unless|while|because|and|or|but|then|this"
    r"|these|it|they|also|same|see|note|e\.g|i\.e|in (?:this|that)|otherwise|else)\b",
    re.IGNORECASE,
)
# "Weirbook holds the following:"
_THE_FOLLOWING = regex(r" (?:all (?:of )?)?the following:$")
# A link or a thing by its name: "Weir College - Courses for wardens."
_NAMED = regex(r"[A-Z][\w.-]*(?: [A-Z][\w.-]*){1,3} [-–—] ")
# What the documentation of a function tells of its parameters and its value: "depth (int) – The depth.", and
# below such a one "depth – The depth."
_PARAMETER = r"\*{0,2}[a-z_][\w.]*"
_FIELD = regex(
    rf"{_PARAMETER} \([^()]{{1,80}}\) [-–—] |(?:(?:Other )?Parameters|Keyword Arguments): {_PARAMETER}"
    r"(?: \(| [-–—] )|(?:Returns?|Return type|Raises|Yields)(?: \w+)?: "
)
_NEXT_FIELD = regex(rf"{_PARAMETER} [-–—] ")
# The function itself: "open(gate): Opens the gate.", or alone above what it does.
_FUNCTION = regex(r"(?:(?:async|class|static|classmethod) )*[\w.]+\([^:]{0,200}\)[^:]{0,80}: ")
_SIGNATURE = regex(r"(?:(?:async|static|classmethod) )*[\w.]+\(.*\)(?: (?:→|->) \S.*)?(?:\[source\])?$")


def with_lists(
    candidates: Candidates,
    chosen: Sequence[int],
    *,
    offset: IntArray,
    is_own: BoolArray,
    anaphora: AnaphoraRules | None,
) -> list[int]:
    """The same sentences, with what announces those of them that are items of a list.

    Args:
        candidates: The sentences of the source.
        chosen: The positions of those that are quoted, in order.
        offset: Where each sentence proper begins.
        is_own: Whether the document as a whole says it.
        anaphora: What makes one need an antecedent.

    Returns:
        The positions, in order; of a short list all, and no single item that is no sentence or an entry.
    """
    added = set(chosen)
    is_done: set[int] = set()
    for position in chosen:
        is_line = announces_list(candidates, position)
        line = position if is_line else _announcement(candidates, position)
        rows, openings = _list_of(candidates, position + is_line)
        if len(openings) < _LEAST_ITEMS or rows[0] in is_done:
            continue
        is_done.add(rows[0])
        is_announced = is_line
        if line is not None and is_own[line] and can_announce(candidates, line):
            leans = anaphora is None or anaphora.continues(candidates.sentences[line].text)
            follows = line - 1 in added and candidates.section[line - 1] == candidates.section[line]
            is_announced |= follows or not leans
        # A heading announces no list by itself.
        if not is_announced and len(added.intersection(openings)) < _LEAST_ITEMS:
            continue
        quoted = int(candidates.num_words[[row for row in rows if row in added]].sum())
        most = max(_WORDS_OF_A_SHORT_LIST if is_line else _WORDS_OF_A_WHOLE, int(_GROWTH * quoted))
        in_words = sum(is_in_words(candidates.sentences[row].text) for row in openings)
        if not _holds_lists(candidates, openings) and in_words >= _SHARE_IN_WORDS * len(openings):
            # Of longer items what each begins with; below them a number of an issue may stand.
            is_text = all(
                is_in_words(candidates.sentences[row].text) for row in set(rows).difference(openings)
            )
            parts = [rows, openings] if is_text else [openings]
            added.update(next((each for each in parts if candidates.num_words[each].sum() <= most), ()))
        if line is not None and is_announced and len(added.intersection(openings)) >= _LEAST_ITEMS:
            added.add(line)
    told = _without_explanations(candidates, sorted(added))
    return _without_single_items(candidates, offset, told, anaphora)


def lists_under_headings(candidates: Candidates, chosen: Sequence[int]) -> bool:
    """Whether a list is quoted that no line announces, but a heading."""
    return any(
        len(group) >= _LEAST_ITEMS
        and bool(candidates.sections[group[0]].heading)
        and candidates.section[group[0]] != candidates.section[0]
        and _announcement(candidates, group[0]) not in chosen
        for group in _groups(candidates, [row for row in chosen if _is_item(candidates, row)])
    )


def shown_as_items(candidates: Candidates, chosen: Sequence[int]) -> frozenset[int]:
    """Those of the sentences that are quoted which are items of lists, or of a list that is announced."""
    items = [row for row in chosen if _is_item(candidates, row)]
    lines = {row for row in chosen if announces_list(candidates, row)}
    return frozenset(
        row
        for group in _groups(candidates, items)
        if len(_list_of(candidates, group[0])[1]) > _LEAST_ITEMS
        or len(group) >= _LEAST_ITEMS
        or _announcement(candidates, group[0]) in lines
        for row in group
    )


def rests_of_lists(candidates: Candidates, chosen: Sequence[int]) -> dict[int, RestOfList]:
    """What is left of the lists that are shown in part, by the last of their items that is shown.

    Args:
        candidates: The sentences of the source.
        chosen: The positions of those that are quoted, in order.
    """
    quoted = set(chosen)
    rests: dict[int, RestOfList] = {}
    for group in _groups(candidates, sorted(shown_as_items(candidates, chosen))):
        rows, openings = _list_of(candidates, group[0])
        left = [row for row in openings if row not in quoted]
        if left:
            rests[max(group[-1], *quoted.intersection(rows))] = _rest(candidates, openings, left)
    return rests


def _rest(candidates: Candidates, openings: Sequence[int], left: Sequence[int]) -> RestOfList:
    """Those of the items of a list that are left: how many, or what each is called, where that is known."""
    texts = {row: _without_mark(candidates.sentences[row].text) for row in openings}
    is_nested = _holds_lists(candidates, openings) or any(map(_OF_AN_ITEM.match, texts.values()))
    if is_nested or len(openings) > _MOST_ITEMS:
        return RestOfList(count=None)
    names: list[str] = []
    for row in left:
        named = _NAME.match(texts[row])
        name = (named["name"] if named is not None else texts[row]).rstrip(" .;,")
        is_whole = named is not None or not _is_restricted_next(candidates, row)
        is_closed = name.count("(") == name.count(")") and not name.endswith("?")
        if not (is_whole and is_closed and name[:1].isalpha()):
            return RestOfList(count=len(left))
        names.append(name)
    is_brief = sum(map(count_words, names)) <= _MOST_WORDS_OF_NAMES
    return RestOfList(count=len(left), names=tuple(names) if is_brief else ())


def _without_mark(text: str) -> str:
    marker = LIST_MARKER.match(text)
    return text[marker.end() :] if marker is not None else text


def _list_of(candidates: Candidates, row: int) -> tuple[list[int], list[int]]:
    """The sentences of the list that a sentence is of, and those with which its items begin."""
    line = _announcement(candidates, row)
    first = _first_item(candidates, row) if line is None else line + 1
    return ([], []) if first is None else items_of(candidates, first)


def _first_item(candidates: Candidates, row: int) -> int | None:
    """The first item of the list that a sentence is of; ``None`` where it is of none."""
    first = None
    while _is_item(candidates, row) or not candidates.opens_paragraph[row]:
        if _is_item(candidates, row):
            first = row
        if row == 0 or candidates.section[row - 1] != candidates.section[row]:
            break
        row -= 1
    return first


def quotable_items(candidates: Candidates) -> BoolArray:
    """Which items of lists can be shown though they are no sentences: those in words, of lists of such."""
    sentences = candidates.sentences
    found = np.zeros(len(candidates), bool)
    rows = [row for row, sentence in enumerate(sentences) if sentence.is_item]
    for group in _groups(candidates, rows):
        are_words = [
            row
            for row in group
            if _is_item_in_words(candidates, row) and not _is_restricted_next(candidates, row)
        ]
        is_told = not _is_turned(candidates, group[0])
        if is_told and len(are_words) >= max(_LEAST_IN_WORDS, len(group) / 2):
            found[are_words] = True
    return found


def turned_items(candidates: Candidates) -> BoolArray:
    """Which sentences are of lists that say the contrary by themselves: "All are accepted unless:".

    So does what an item begins with if it goes on with "It never does this for:".
    """
    found = np.zeros(len(candidates), bool)
    for line, sentence in enumerate(candidates.sentences):
        if announces_list(candidates, line) and TURNS.search(sentence.text) is not None:
            found[items_of(candidates, line + 1)[0]] = True
        if sentence.text.endswith(":") and _is_item(candidates, line - 1) and line > 0:
            found[line - 1] |= _is_restricted_next(candidates, line - 1)
    return found


def are_restricted(candidates: Candidates, rows: Sequence[int], openings: Sequence[int]) -> bool:
    """Whether what items of a list go on with restricts what they begin with."""
    return any(_restricts(candidates, row) for row in set(rows).difference(openings))


def _is_restricted_next(candidates: Candidates, row: int) -> bool:
    """Whether the next sentence of an item restricts what it begins with."""
    after = row + 1
    return (
        after < len(candidates)
        and not candidates.opens_paragraph[after]
        and not _is_item(candidates, after)
        and candidates.section[after] == candidates.section[row]
        and _restricts(candidates, after)
    )


def _restricts(candidates: Candidates, row: int) -> bool:
    return _RESTRICTS.search(_HELPS.sub("", candidates.sentences[row].text)) is not None


def fields_of_functions(candidates: Candidates) -> BoolArray:
    """Which sentences tell of a parameter or the value of a function, or go on about it.

    Which function that is stands above all of them.
    """
    found = np.zeros(len(candidates), bool)
    is_after_field = is_of_function = False
    for row, sentence in enumerate(candidates.sentences):
        if not candidates.opens_paragraph[row]:
            found[row] = is_after_field or is_of_function
            continue
        is_item = _is_item(candidates, row)
        is_next = is_after_field and _NEXT_FIELD.match(sentence.text) is not None
        is_after_field = found[row] = is_item and (is_next or is_field(sentence.text))
        if is_item and row > 0 and _SIGNATURE.match(candidates.sentences[row - 1].text) is not None:
            found[row] = True
        is_of_function = is_item and (found[row] or _FUNCTION.match(sentence.text) is not None)
    return found


def is_field(text: str) -> bool:
    """Whether an item is of a parameter or of the value of a function."""
    return _FIELD.match(text) is not None


def _is_turned(candidates: Candidates, row: int) -> bool:
    """Whether what stands above a list turns what its items say: a line, or a heading ("Not supported")."""
    line = _announcement(candidates, row)
    above = candidates.sentences[line].text if line is not None else ""
    return TURNS.search(above) is not None or TURNS.search(candidates.sections[row].heading or "") is not None


def announces_list(candidates: Candidates, row: int) -> bool:
    """Whether a sentence ends with a colon right before the first item of a list."""
    return (
        candidates.sentences[row].text.endswith(":")
        and row + 1 < len(candidates)
        and candidates.section[row + 1] == candidates.section[row]
        and not _is_item(candidates, row)
        and _is_item(candidates, row + 1)
    )


def is_short_list(candidates: Candidates, line: int) -> bool:
    """Whether the list that a line announces is quoted with it."""
    _, openings = items_of(candidates, line + 1, _WORDS_OF_A_SHORT_LIST)
    return (
        len(openings) >= _LEAST_ITEMS
        and int(candidates.num_words[openings].sum()) <= _WORDS_OF_A_SHORT_LIST
        and not _holds_lists(candidates, openings)
        and all(is_in_words(candidates.sentences[row].text) for row in openings)
    )


def _without_explanations(candidates: Candidates, chosen: Sequence[int]) -> list[int]:
    """The same without what goes on within an item that is no sentence, beside others of its list.

    Below "Simple gates." the sentence "If a gate is shut, …" reads as one of the text after the list.
    """
    items = [row for row in chosen if _is_item(candidates, row)]
    named = {
        row
        for group in _groups(candidates, items)
        if len(group) >= _LEAST_ITEMS
        for row in group
        if not is_form_presentable(candidates.sentences[row].text)
    }
    kept: list[int] = []
    item = -1
    for row in range(min(chosen, default=0), max(chosen, default=-1) + 1):
        if candidates.opens_paragraph[row] or _is_item(candidates, row):
            item = row
        if row == item or item not in named:
            kept.append(row)
    return sorted(set(kept).intersection(chosen))


def _without_single_items(
    candidates: Candidates, offset: IntArray, chosen: Sequence[int], anaphora: AnaphoraRules | None
) -> list[int]:
    """The same without items that are no sentences, or entries, where no other of their list is quoted.

    One stays with what is quoted right after it and says "this" of it.
    """
    items = [row for row in chosen if _is_item(candidates, row)]
    single = {group[0] for group in _groups(candidates, items) if len(group) < _LEAST_ITEMS}
    texts = {row: candidates.sentences[row].text[int(offset[row]) :] for row in single}
    fragments = {
        row
        for row, text in texts.items()
        if is_entry(text) or _NAMED.match(text) or not is_form_presentable(text)
    }
    if anaphora is not None:
        quoted = set(chosen)
        after = {row: candidates.sentences[row + 1].text for row in fragments if row + 1 in quoted}
        fragments -= {row for row, text in after.items() if anaphora.needs_antecedent(text)}
    return [row for row in chosen if row not in fragments]


def _groups(candidates: Candidates, items: Sequence[int]) -> list[list[int]]:
    """Items by the list that they are of."""
    groups: list[list[int]] = []
    for row in items:
        if not groups or _is_other_list(candidates, groups[-1][-1], row):
            groups.append([])
        groups[-1].append(row)
    return groups


def _is_other_list(candidates: Candidates, row: int, following: int) -> bool:
    """Whether the second of two items is of another list: a paragraph stands between them."""
    return candidates.section[row] != candidates.section[following] or any(
        candidates.opens_paragraph[each] and not _is_item(candidates, each)
        for each in range(row + 1, following)
    )


def _is_item_in_words(candidates: Candidates, row: int) -> bool:
    text = candidates.sentences[row].text
    return (
        _SHORTEST_ITEM <= int(candidates.num_words[row]) <= _LONGEST_ITEM
        and text[0].isupper()
        and not text.endswith((":", "?"))
        and "://" not in text
        and " | " not in text
        and _NO_ITEM.match(text) is None
        and is_in_words(text)
        and not is_about_publication_or_other_places(text)
    )


def _is_item(candidates: Candidates, row: int) -> bool:
    sentence = candidates.sentences[row]
    return sentence.is_item or (
        bool(candidates.opens_paragraph[row]) and _MARKED.match(sentence.text) is not None
    )


def _holds_lists(candidates: Candidates, openings: Sequence[int]) -> bool:
    """Whether items only head what is below them, as code or other lists."""
    return any(candidates.sentences[row].text.endswith(":") for row in openings)


def _announcement(candidates: Candidates, position: int) -> int | None:
    """The line that announces the list which a sentence is of; ``None`` where there is none."""
    items = 0
    row = position
    while row > 0 and candidates.section[row - 1] == candidates.section[position] and items < _MOST_ITEMS:
        if _is_item(candidates, row):
            items += 1
            if announces_list(candidates, row - 1):
                return row - 1
        elif candidates.opens_paragraph[row]:
            return None
        row -= 1
    return None


def items_of(candidates: Candidates, first: int, most: float = math.inf) -> tuple[list[int], list[int]]:
    """The sentences of the list that begins at one of them, and those with which its items begin.

    Args:
        candidates: The sentences.
        first: The position of the first of the list.
        most: With more words of openings the rest is not looked for.
    """
    rows: list[int] = []
    openings: list[int] = []
    words = 0
    for row in range(first, len(candidates)):
        if candidates.section[row] != candidates.section[first]:
            break
        # Below items without marks, "* as the wardens say" is a note to one of them.
        is_note = candidates.sentences[first].is_item and candidates.opens_paragraph[row]
        if _is_item(candidates, row) and (candidates.sentences[row].is_item or not is_note):
            openings.append(row)
            words += int(candidates.num_words[row])
        elif candidates.opens_paragraph[row]:
            break
        rows.append(row)
        if words > most or len(openings) > _MOST_ITEMS:
            break
    return rows, openings


def can_announce(candidates: Candidates, line: int, text: str | None = None) -> bool:
    """Whether a line, or this text instead of it, is a sentence but for its colon."""
    text = candidates.sentences[line].text if text is None else text
    text = _THE_FOLLOWING.sub(" things:", text)
    return (
        _LEAST_WORDS <= int(candidates.num_words[line]) <= _MOST_WORDS
        and has_verb(text.split())
        and is_form_presentable(f"{text[:-1].rstrip()}.")
    )
