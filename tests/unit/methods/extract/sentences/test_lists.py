"""What announces a list is quoted with its items, and a short list whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from extraction import candidates_of, document_of, with_items

from lsum_cli.documents import Document
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules
from lsum_cli.methods.extract.sentences.lists import (
    fields_of_functions,
    rests_of_lists,
    shown_as_items,
    with_lists,
)
from lsum_cli.methods.extract.structure import Structure

BEFORE = "The weir has stood below the mill for two hundred years and is kept by four wardens."
LINE = "The wardens keep the following things in the house beside the lower lock:"
ITEMS = ("A ledger of the levels.", "A bell for the floods.", "Boards that close the gates.")
AFTER = "All of them were paid for by the county in the year of the great flood."
LONG = tuple(f"{each[:-1]}, {' and '.join(['which the county pays every spring'] * 4)}." for each in ITEMS)


def listed(*texts: str, items: tuple[str, ...] = ITEMS) -> Document:
    """A section of these paragraphs, of which these are items of a list."""
    document = document_of(("Weir", texts), title="Weirbook")
    (section,) = document.sections
    sentences = tuple(
        replace(each, is_item=each.text in items or each.text.startswith("- ")) for each in section.sentences
    )
    return replace(document, sections=(replace(section, sentences=sentences),))


def quoted(document: Document, *texts: str) -> list[str]:
    """What is quoted where these sentences are chosen."""
    candidates = candidates_of(document)
    structure = Structure.of(candidates)
    told = [each.text for each in candidates.sentences]
    rows = with_lists(
        candidates,
        sorted(map(told.index, texts)),
        offset=structure.offset,
        is_own=structure.is_own,
        anaphora=anaphora_rules("en", structure.document_kind),
    )
    return [told[row] for row in rows]


def test_short_list_is_quoted_whole_after_what_announces_it() -> None:
    assert quoted(listed(BEFORE, LINE, *ITEMS, AFTER), BEFORE, ITEMS[1]) == [BEFORE, LINE, *ITEMS]


def test_marks_of_plain_text_tell_items() -> None:
    items = tuple(f"- {each}" for each in ITEMS)
    assert quoted(listed(BEFORE, LINE, *items, AFTER, items=()), items[0]) == [LINE, *items]


def test_of_a_long_list_what_is_chosen_is_announced() -> None:
    source = listed(BEFORE, LINE, *LONG * 4, AFTER, items=LONG)
    assert quoted(source, *LONG[:2]) == [LINE, *LONG[:2]]


def test_single_entry_is_quoted_with_what_is_said_of_it() -> None:
    items = ("open_at_night: The gates are opened by the bell at ten.", "bell: A bell for floods.")
    said = "This is for safety: the wardens sleep at night."
    other = "Two wardens sleep in the house at night."
    assert quoted(listed(BEFORE, items[0], said, items[1], items=items), items[0], said) == [items[0], said]
    assert quoted(listed(BEFORE, items[0], other, items[1], items=items), items[0], other) == [other]


def test_single_item_is_quoted_if_it_is_a_sentence() -> None:
    sentence = (
        "The wardens ring the bell of the weir when the river rises above the second mark of the gauge."
    )
    source = listed(BEFORE, LINE, sentence, *LONG * 4, AFTER, items=(sentence, *LONG))
    assert quoted(source, BEFORE, sentence) == [BEFORE, sentence]
    assert quoted(source, BEFORE, LONG[0]) == [BEFORE]
    entry = "bell: The wardens ring it when the river rises above the second mark of the gauge."
    source = listed(BEFORE, LINE, entry, *LONG * 4, AFTER, items=(entry, *LONG))
    assert quoted(source, BEFORE, entry) == [BEFORE]
    named = "Weir College - The wardens teach how a bell is rung when the river rises above the mark."
    source = listed(BEFORE, LINE, named, *LONG * 4, AFTER, items=(named, *LONG))
    assert quoted(source, BEFORE, named) == [BEFORE]


def test_items_that_head_other_lists_are_announced() -> None:
    heads = ("The ledgers of the upper weir:", *ITEMS[:2])
    line = "Weirbook holds the following:"
    source = listed(BEFORE, line, *heads, AFTER, items=heads)
    assert quoted(source, BEFORE, *ITEMS[:2]) == [BEFORE, line, *ITEMS[:2]]


def test_what_goes_on_within_an_item_that_is_no_sentence_is_not_quoted() -> None:
    more = "If the river is high the wardens ring it on every hour of the night."
    items = (ITEMS[0], f"{ITEMS[1]} {more}", ITEMS[2])
    source = listed(BEFORE, LINE, *items, AFTER)
    source = with_items(source, ITEMS)
    assert quoted(source, BEFORE, ITEMS[0], ITEMS[1], more) == [BEFORE, LINE, *ITEMS]


def test_items_that_head_other_lists_do_not_make_a_whole() -> None:
    heads = ("The ledgers of the upper weir:", "The ledgers of the lower weir:")
    source = listed(BEFORE, LINE, *heads, ITEMS[0], AFTER, items=(*heads, ITEMS[0]))
    assert quoted(source, BEFORE, ITEMS[0]) == [BEFORE]


@pytest.mark.parametrize(
    "line",
    [
        "It keeps the following things in the house:",  # needs what it speaks of
        "Things of the house:",  # no sentence
        "The wardens keep many things in the house beside the lower lock.",
    ],
)
def test_what_is_no_announcement_is_not_quoted(line: str) -> None:
    assert quoted(listed(AFTER, line, *ITEMS), *ITEMS[:2]) == [*ITEMS]


def test_short_list_under_a_heading_is_quoted_whole_where_several_of_its_items_are() -> None:
    source = listed(BEFORE, *ITEMS, AFTER)
    assert quoted(source, BEFORE, *ITEMS[:2]) == [BEFORE, *ITEMS]
    assert quoted(source, BEFORE) == [BEFORE]


def test_numbers_of_issues_below_items_are_not_quoted() -> None:
    items = tuple(f"{each} #12" for each in ITEMS)
    source = with_items(listed(BEFORE, *items, AFTER), ITEMS)
    assert "#12" in [each.text for each in source.sections[0].sentences]
    assert quoted(source, BEFORE, *ITEMS[:2]) == [BEFORE, *ITEMS]


def test_list_with_items_of_one_word_is_quoted_whole() -> None:
    items = (*ITEMS, "Sluices")
    assert quoted(listed(BEFORE, LINE, *items, AFTER, items=items), *items[:2]) == [LINE, *items]
    codes = (*ITEMS[:2], "weir(1)", "lock(2)", "bell(3)")
    assert quoted(listed(BEFORE, LINE, *codes, AFTER, items=codes), *codes[:2]) == [LINE, *codes[:2]]


def rest(source: Document, *texts: str) -> dict[str, str]:
    """What is left of lists where these sentences are quoted, by the last of them of each list."""
    candidates = candidates_of(source)
    told = [each.text for each in candidates.sentences]
    found = rests_of_lists(candidates, sorted(map(told.index, texts)))
    return {told[row]: str(each) for row, each in found.items()}


def test_what_is_left_of_a_list_is_named_or_counted() -> None:
    items = (*ITEMS, "Sluice: It lets the eels pass.", "Eel ladder – Built in the year of the flood.")
    source = listed(BEFORE, LINE, *items, AFTER, items=items)
    named = "and 3 more: Boards that close the gates; Sluice; Eel ladder"
    assert rest(source, LINE, *items[:2]) == {items[1]: named}
    assert rest(source, *items[:2], AFTER) == {items[1]: named}
    assert rest(source, LINE, *items) == {}
    assert rest(source, BEFORE, AFTER) == {}
    assert rest(listed(BEFORE, LINE, *LONG * 4, items=LONG), *LONG[:2]) == {LONG[1]: "and 10 more"}


def test_what_is_left_stands_after_what_the_last_item_goes_on_with() -> None:
    more = "It is rung by the wardens on every hour of the night."
    items = (ITEMS[0], f"{ITEMS[1]} {more}", ITEMS[2])
    source = with_items(listed(BEFORE, LINE, *items, AFTER), ITEMS)
    assert rest(source, ITEMS[0], ITEMS[1], more) == {more: "and 1 more: Boards that close the gates"}


@pytest.mark.parametrize(
    "other",
    ["Is there a sluice?", "Boards of oak) and elm.", "12 boards", f"The sluice{' and the gate' * 10}."],
)
def test_what_a_name_would_not_tell_is_only_counted(other: str) -> None:
    items = (*ITEMS, other)
    assert rest(listed(LINE, *items, items=items), *ITEMS) == {ITEMS[2]: "and 1 more"}


@pytest.mark.parametrize("other", ["The gates of the upper weir:", "Cons: they rot."])
def test_items_are_not_counted_where_some_are_of_others(other: str) -> None:
    items = (*ITEMS, other)
    assert rest(listed(LINE, *items, items=items), *ITEMS) == {ITEMS[2]: "and more"}


def test_name_of_what_is_denied_is_not_told_without_that() -> None:
    items = (*ITEMS, "Sluice: not before the spring.")
    left = "and 1 more: Sluice: not before the spring"
    assert rest(listed(LINE, *items, items=items), *ITEMS) == {ITEMS[2]: left}
    more = "But the wardens never ring it in the night."
    items = (*ITEMS[:2], f"{ITEMS[2]} {more}")
    source = with_items(listed(LINE, *items), ITEMS)
    assert rest(source, *ITEMS[:2]) == {ITEMS[1]: "and 1 more"}


def test_rest_of_a_very_long_list_stands_after_all_that_is_quoted_of_it() -> None:
    items = tuple(f"The gate of the upper weir number {number}." for number in range(60))
    source = listed(BEFORE, *items, items=items)
    assert rest(source, items[1], items[50]) == {items[50]: "and more"}


def test_single_item_of_several_is_shown_as_one() -> None:
    source = candidates_of(listed(BEFORE, *ITEMS, AFTER))
    assert shown_as_items(source, [0, 2]) == {2}
    source = candidates_of(listed(BEFORE, *ITEMS[:2], AFTER))
    assert shown_as_items(source, [0, 2]) == frozenset()


def test_paragraphs_are_no_items() -> None:
    assert quoted(listed(BEFORE, LINE, *ITEMS, AFTER, items=()), ITEMS[0]) == [ITEMS[0]]
    assert quoted(listed(BEFORE, LINE, *ITEMS, AFTER), AFTER) == [AFTER]


FIELD = "gate (int) – The gate of the weir that the wardens are to open."


@pytest.mark.parametrize(
    ("paragraphs", "shown"),
    [
        ((f"Parameters: {FIELD}",), ()),
        ((f"{FIELD} It is named by its place.",), ()),
        ((FIELD, "bell – The bell by which the wardens are told of the floods."), ()),
        (("Returns: The gate of the weir that the wardens have opened.",), ()),
        # The function itself is shown, but not what goes on about it.
        (
            ("open(gate): Opens the gate of the weir. They close it when the river falls.",),
            ("open(gate): Opens the gate of the weir.",),
        ),
        (
            ("open(gate) -> None", "Opens this gate of the weir when the river rises."),
            ("open(gate) -> None",),
        ),
    ],
)
def test_what_is_told_of_a_function_that_stands_above_is_not_shown(
    paragraphs: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    begins = ("open(gate):", "Opens", "Parameters", "Returns", "gate", "bell")
    document = listed(BEFORE, *paragraphs, AFTER)
    (section,) = document.sections
    sentences = tuple(
        replace(each, is_item=each.text.startswith(begins) and each.text != "open(gate) -> None")
        for each in section.sentences
    )
    candidates = candidates_of(replace(document, sections=(replace(section, sentences=sentences),)))
    found = fields_of_functions(candidates)
    told = [each.text for each, is_field in zip(candidates.sentences, found, strict=True) if not is_field]
    assert told == [BEFORE, *shown, AFTER]


def test_entry_of_a_guide_is_no_field_of_a_function() -> None:
    items = ("gate – The wardens open it when the river rises.", "Gate (upper) – The gate of the upper lake.")
    assert not fields_of_functions(candidates_of(listed(BEFORE, *items, AFTER, items=items))).any()
