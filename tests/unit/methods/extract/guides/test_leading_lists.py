"""The lists by which a readme says what its subject does, and what it needs."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of, summarize, with_items

from lsum_cli.documents import Document
from lsum_cli.methods.extract.guides.leading_lists import leading_lists
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules
from lsum_cli.methods.extract.structure import Structure

WHAT = "Weirbook is a program that keeps the ledgers of all weirs of a county in one place."
LINE = "Weirbook reads the following ledgers:"
ITEMS = ("Ledgers of the levels", "Ledgers of the gates", "Ledgers of the wardens' boats")
AFTER = "The county pays for the paper of these ledgers in the spring of every year."


def readme(opening: tuple[str, ...], *parts: tuple[str, tuple[str, ...]], items: tuple[str, ...]) -> Document:
    """A readme of these parts, in which these are items of lists."""
    document = document_of(("", opening), *parts, title="Weirbook")
    return with_items(document, items)


def told(document: Document) -> list[str]:
    """What is quoted of the lists of a document."""
    candidates = candidates_of(document)
    structure = Structure.of(candidates)
    rows = leading_lists(candidates, structure.is_own, anaphora_rules("en", structure.document_kind))
    return [candidates.sentences[row].text for row in rows]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        (LINE, ""),
        ("Features:", ""),
        ("Use the program to:", ""),
        ("Use this program if:", ""),
        ("Use this program when you:", ""),
        (LINE, "Features"),
        ("", "Key features"),
        ("", "Prerequisites:"),
        ("", "✨ Features"),
    ],
)
def test_list_of_what_the_subject_does_or_needs_is_told(line: str, heading: str) -> None:
    listed = tuple(filter(None, (line, *ITEMS)))
    document = (
        readme((WHAT,), (heading, listed), items=ITEMS)
        if heading
        else readme((WHAT, *listed, AFTER), items=ITEMS)
    )
    assert told(document) == list(listed)


def test_features_are_told_without_a_line_that_does_not_announce_them() -> None:
    line = "Made for wardens:"
    assert told(readme((WHAT,), ("Features", (line, *ITEMS)), items=ITEMS)) == [*ITEMS]
    assert told(readme((WHAT,), ("Gates", (line, *ITEMS)), items=ITEMS)) == []
    line = "Never leave these to the wardens:"
    assert told(readme((WHAT,), ("Features", (line, *ITEMS)), items=ITEMS)) == []


def test_what_is_supported_is_a_feature() -> None:
    items = tuple(f"Support for {each[0].lower()}{each[1:]}" for each in ITEMS)
    assert told(readme((WHAT,), ("Features", items), items=items)) == [*items]


def test_note_below_a_list_is_no_item_of_it() -> None:
    note = "* as the wardens of the county say"
    assert told(readme((WHAT, LINE, *ITEMS, note, AFTER), items=ITEMS)) == [LINE, *ITEMS]


@pytest.mark.parametrize(
    "items",
    [
        # Parts of the page, and other pages.
        ("Installation", "Ledgers", "Boats of the wardens"),
        ("Documentation of the ledgers", "Source code of the program", "A ledger"),
        # Code, and what heads it.
        ("weir --gate=1 --boat=2", "{'gate': 1}"),
        ("open(gate): Opens the gate of a weir", "close(gate): Closes the gate of a weir"),
        ("Parameters: gate (int) – The number of the gate", "weir (str) – The name of the weir"),
        ("The ledgers are opened with:", "The gates are opened with:"),
        ("A ledger",),
        tuple(f"The ledger of the weir of the village number {number}" for number in range(12)),
    ],
)
def test_other_lists_are_not_told(items: tuple[str, ...]) -> None:
    document = readme((WHAT, LINE, *items), ("Installation", (AFTER,)), ("Ledgers", (AFTER,)), items=items)
    assert told(document) == []


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        # It says the contrary of its items, leans on what is not shown, or is of no feature.
        ("Weirbook does not read these ledgers:", ""),
        ("Do not use this program if:", ""),
        ("They read the following ledgers as well:", "Features"),
        (LINE, "Ledgers"),
        ("", "Changes"),
    ],
)
def test_list_is_told_where_its_line_and_its_heading_say_what_it_is(line: str, heading: str) -> None:
    listed = tuple(filter(None, (line, *ITEMS)))
    document = (
        readme((WHAT,), (heading, listed), items=ITEMS) if heading else readme((WHAT, *listed), items=ITEMS)
    )
    assert told(document) == []


def test_one_item_may_begin_with_code() -> None:
    items = (*ITEMS, "$WEIR names the weir")
    assert told(readme((WHAT, LINE, *items), items=items)) == [LINE, *items]


def test_words_alone_need_what_announces_them() -> None:
    items = ("Levels", "Gates", "Boats")
    assert told(readme((WHAT, LINE, *items), items=items)) == [LINE, *items]
    assert told(readme((WHAT, *items), items=items)) == []


def test_summary_of_a_readme_quotes_its_features() -> None:
    document = readme((WHAT, AFTER), ("Features", ITEMS), ("Boats", (AFTER,)), items=ITEMS)
    said = [each.text for each in summarize(document).sentences]
    assert said[0] == WHAT
    assert [each for each in said if each in ITEMS] == list(ITEMS)


def test_summary_of_a_short_readme_does_not_send_the_reader_elsewhere() -> None:
    elsewhere = "Weirbook's documentation lives at the site of the county's wardens."
    # What is no sentence leaves words for others.
    lines = tuple(f"weirbook --gate {number} --open {number + 1}" for number in range(12))
    document = readme((WHAT,), ("Usage", lines), ("Documentation", (elsewhere,)), items=())
    assert [each.text for each in summarize(document).sentences] == [WHAT]


def test_lists_that_only_a_heading_announces_are_shown_under_it() -> None:
    needs = ("Weirs of oak", "A county with two ledgers")
    document = readme((WHAT,), ("Requirements", needs), ("Ledgers", (AFTER,)), items=needs)
    summary = summarize(document)
    assert [entry.heading for entry in summary.outline] == ["Requirements", "Ledgers"]
    assert [each.text for each in summary.outline[0].sentences] == list(needs)
    document = readme((WHAT, LINE, *ITEMS), ("Ledgers", (AFTER,)), items=ITEMS)
    assert not summarize(document).outline


@pytest.mark.parametrize(
    ("before", "first", "is_told"),
    [
        ("The mill needs more than water.", "A miller who knows the gates", True),
        ("One of these is needed.", "A miller who knows the gates", False),
        ("The program does not come with its needs.", "A miller who knows the gates", False),
        # Below it stands what is missing.
        ("", "Ledgers of the gates, but for these:", False),
        ("", "Ledgers of the gates", True),
    ],
)
def test_items_that_other_words_turn_are_not_told(before: str, first: str, is_told: bool) -> None:
    items = (first, "Ledgers of the wardens' boats")
    document = readme((WHAT,), ("Requirements", (*filter(None, (before,)), *items)), items=items)
    assert bool(told(document)) is is_told


def test_items_below_an_item_that_leads_to_them_are_not_told() -> None:
    reads, *missing = ("Reads the ledgers of the gates.", "ledgers of the bells", "ledgers of the boats")
    items = (reads, *missing)
    assert told(readme((WHAT,), ("Features", items), items=items))
    listed = (f"{reads} Still missing:", *missing)
    assert not told(readme((WHAT,), ("Features", listed), items=items))


def test_lists_have_no_more_words_than_they_may() -> None:
    document = readme((WHAT,), ("Features", ITEMS), ("Requirements", ITEMS), items=ITEMS)
    candidates = candidates_of(document)
    is_own = Structure.of(candidates).is_own
    words = int(sum(candidates.num_words[2:4])) + int(candidates.num_words[1])
    assert len(leading_lists(candidates, is_own, None)) == 2 * len(ITEMS)
    assert len(leading_lists(candidates, is_own, None, words)) == len(ITEMS)
    assert not leading_lists(candidates, is_own, None, words - 1)


@pytest.mark.parametrize(
    "rest",
    [
        "If the mill is tidal, they are never kept.",
        "This works only with the paid plan.",
        "Not on Windows.",
        "However, the paper is dear.",
    ],
)
@pytest.mark.parametrize("line", ["", LINE])
def test_items_are_not_told_without_what_restricts_them(rest: str, line: str) -> None:
    items = ("Ledgers of every mill of the river.", "Reports in every currency.", "Sums for every month.")
    for more, expected in (
        (rest, False),
        ("Missing reports are a common fault elsewhere.", True),
        ("If you don't have a ledger, you can buy one in the village.", True),
    ):
        document = readme(
            (WHAT,),
            ("Features", tuple(filter(None, (line, items[0], f"{items[1]} {more}", items[2])))),
            *((name, (AFTER,)) for name in ("Bells", "Boats", "Lamps")),
            items=items,
        )
        assert bool(told(document)) is expected
        assert (items[1] in [each.text for each in summarize(document).sentences]) is expected


@pytest.mark.parametrize(
    ("line", "after", "is_told"),
    [
        ("", "Neither is needed on Linux.", False),
        (LINE, "None of them is read on Linux.", False),
        ("", AFTER.replace("these", "the"), True),
        (LINE, AFTER, True),
    ],
)
def test_what_stands_right_after_a_list_may_turn_it(line: str, after: str, is_told: bool) -> None:
    listed = tuple(filter(None, (line, *ITEMS, after)))
    assert bool(told(readme((WHAT,), ("Requirements", listed), items=ITEMS))) is is_told


def test_item_that_goes_on_with_what_it_does_not_do_is_not_shown() -> None:
    checks, but = "The program checks the sums of every month.", "It never does this for:"
    below = ("Mills with several owners", "Mills before 1990")
    document = readme(
        (WHAT,),
        ("Features", (f"{checks} {but}", *below)),
        *((name, (AFTER,)) for name in ("Bells", "Boats", "Lamps")),
        items=(checks, *below),
    )
    row = [each.text for each in candidates_of(document).sentences].index(checks)
    assert not Structure.of(candidates_of(document)).is_presentable[row]
