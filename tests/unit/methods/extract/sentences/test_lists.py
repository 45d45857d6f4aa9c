"""What announces a list is quoted with its items, and a short list whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from extraction import candidates_of, document_of, with_items

from lsum_cli.documents import Document
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules
from lsum_cli.methods.extract.sentences.lists import fields_of_functions, with_lists
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
    assert quoted(listed(AFTER, line, *ITEMS), *ITEMS[:2]) == [*ITEMS[:2]]


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
