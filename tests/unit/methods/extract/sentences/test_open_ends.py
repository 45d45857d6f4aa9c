"""What of a guide is quoted though it ends with a colon or without a stop, and which items of lists."""

from __future__ import annotations

from dataclasses import replace

import pytest
from extraction import candidates_of, document_of, summarize, with_items

from lsum_cli.documents import Document
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.summaries import Style

PROSE = (
    "The wardens of the weir write the level of the river into a ledger every morning.",
    "The ledger is kept in the house beside the lower lock until the end of the year.",
)


def guide(*texts: str, items: tuple[str, ...] = ()) -> Document:
    """A guide of five sections, the second of which has these paragraphs."""
    parts = [
        ("Weirbook", PROSE[:1]),
        ("Gates", texts),
        *((name, PROSE) for name in ("Bells", "Boats", "Lamps")),
    ]
    document = document_of(*parts, title="weirbook")
    return with_items(document, items)


def shown(document: Document, text: str) -> str | None:
    """How a sentence is shown alone; nothing where it is not."""
    candidates = candidates_of(document)
    structure = Structure.of(candidates)
    position = [sentence.text for sentence in candidates.sentences].index(text)
    return structure.shown(candidates, position) if structure.stands_alone[position] else None


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Wardens can pass the levels of the day as a dictionary:", "Wardens can pass the levels of the day as a dictionary."),
        ("The gates open when the river rises above the second mark", "The gates open when the river rises above the second mark"),
        ("To open the gates of the weir at night, use the --bell option of the ledger:", "To open the gates of the weir at night, use the --bell option of the ledger."),
        ("To open the gates of the weir at night, use this:", None),
        ("To open the gates of the weir at night, use the following bell of the ledger:", None),
        ("To open the gates of the weir at night, run the bell of the ledger:", None),
        ("✨ The gates open when the river rises above the second mark ✨", "✨ The gates open when the river rises above the second mark ✨"),
        ("To open the gates of the weir, wardens call the ledger:", None),
        ("To open the gates of the weir, you must add a bell to the ledger:", "To open the gates of the weir, you must add a bell to the ledger."),
        ("weirbook opens all of the gates of a river:", "weirbook opens all of the gates of a river."),
        ("The tests of the gates should include cases covering:", None),
        # What says nothing without what follows.
        ("Wardens can open the gates at night by running:", None),
        ("To manually enable the bell of the upper gates:", None),
        ("The ledger has help for all of its commands, just issue:", None),
        ("Wardens open the gates with the following command:", None),
        ("Wardens can open all of the gates like this:", None),
        ("The easiest way to open the gates is to use:", None),
        ("To open the gates of the weir in spring:", None),
        ("For example, wardens open the upper gates:", None),
        # What is turned by what follows, or wants an object.
        ("All of the gates are safe for every warden except:", None),
        ("Gates never lose a record of the river in winter:", None),
        ("The wardens store every level of the river only if:", None),
        ("Nobody should store the keys of the gates because:", None),
        ("The gate reads its settings from a file named:", None),
        ("The gate can hold the river in winter, but it can handle:", None),
        ("The gate returns the empty level instead of a number:", None),
        ("The keepers refuse every ledger that is older than:", None),
        ("The wardens write the levels of the river each morning onto:", None),
        # No sentences.
        ("The level that the river has each morning is of the form", None),
        ("How the gates are opened when the river rises in spring", None),
        ("Opening the gates when the river rises above the mark", None),
        ("The Gates Are Opened When The River Rises In Spring", None),
    ],
)  # fmt: skip
def test_statement_before_code_is_shown_with_a_stop(text: str, alone: str | None) -> None:
    assert shown(guide(PROSE[1], text, PROSE[0].replace("morning", "evening")), text) == alone


ITEMS = ("Gates that open by themselves", "Ledgers for every river", "Bells for the floods of spring")


@pytest.mark.parametrize("text", ITEMS)
def test_items_in_words_are_shown(text: str) -> None:
    assert shown(guide(PROSE[1], *ITEMS, items=ITEMS), text) == text
    assert shown(guide(PROSE[1], *ITEMS), text) is None


@pytest.mark.parametrize(
    "text",
    [
        "If the river rises above the mark",
        "When in doubt, the lower gate",
        "weir.open_gates(all=True)",
        "Ledgers: https://weir.example/ledgers",
        "Gates",
        "and the bells of the town",
    ],
)
def test_items_that_are_half_a_sentence_or_code_are_not(text: str) -> None:
    items = (*ITEMS, text)
    assert shown(guide(PROSE[1], *items, items=items), text) is None


@pytest.mark.parametrize(
    "line",
    [
        "The wardens must not do the following things at the weir:",
        "All requests of the wardens are accepted at the weir unless:",
        "The gates are open for every boat of the river except for:",
    ],
)
def test_items_that_a_line_turns_are_not_shown(line: str) -> None:
    sentence = "The gate is closed for repairs by the wardens now."
    items = (*ITEMS, sentence)
    assert shown(guide(PROSE[1], line, *items, items=items), ITEMS[0]) is None
    assert shown(guide(PROSE[1], line, *items, items=items), sentence) is None
    assert (
        shown(guide(PROSE[1], PROSE[0].replace("ledger", "book"), *items, items=items), sentence) == sentence
    )


def test_items_are_shown_only_where_lists_are_quoted_as_such() -> None:
    line = "The wardens keep three things in the house:"
    texts = [f"{each} in the house of the wardens beside the lower lock" for each in ITEMS]
    source = guide(line, *texts, items=tuple(texts))
    assert set(texts) & {each.text for each in summarize(source).sentences}
    for options in ({"length": "short"}, {"length": "40"}, {"style": Style.OUTLINE}):
        assert not set(texts) & {each.text for each in summarize(source, **options).sentences}


def test_list_of_which_most_is_code_is_not_shown() -> None:
    items = (ITEMS[0], "open(gate)", "close(gate)", "ring(bell)", "read(level)")
    assert shown(guide(PROSE[1], *items, items=items), ITEMS[0]) is None


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("Gates are opened by two wardens.", True),
        ("Every gate has a bell.", True),
        ("They are opened by two wardens.", False),
        ("Others are opened by two wardens.", False),
        ("weirbook opens them.", False),
        ("weirbook opens all of the gates of a river at once.", True),
        ("wardens open all of the gates of a river at once.", False),
    ],
)
def test_short_statement_of_what_it_names_stands_alone(text: str, is_shown: bool) -> None:
    assert (shown(guide(PROSE[1], text), text) is not None) == is_shown


def test_description_below_the_heading_that_it_describes_is_shown() -> None:
    text = "A gate that closes by itself when the river falls below the mark."
    assert shown(guide(text, PROSE[1]), text) == text
    assert shown(guide(PROSE[1], text), text) is None


def test_text_of_few_sections_has_nothing_left_open() -> None:
    text = "Wardens can pass the levels of the day as a dictionary:"
    document = document_of(("Weirbook", [*PROSE, text, PROSE[0]]), title="weirbook")
    assert shown(document, text) is None


def test_list_of_the_next_section_is_not_announced() -> None:
    line = "Weirbook reads the levels of rivers every morning and keeps them in a ledger:"
    parts = [("Weirbook", (line,)), ("Features", ITEMS), *((name, PROSE) for name in ("Bells", "Boats"))]
    document = document_of(*parts, title="weirbook")
    features = document.sections[1]
    marked = replace(features, sentences=tuple(replace(each, is_item=True) for each in features.sentences))
    source = replace(document, sections=(document.sections[0], marked, *document.sections[2:]))
    assert shown(source, line) == f"{line[:-1]}."


@pytest.mark.parametrize(
    ("line", "opening", "below"),
    [
        ("Wardens can pass the levels to the ledger like so:", "Wardens can pass the levels to the ledger.", None),
        (
            "Wardens must add the bell to the ledger, like in the following example:",
            "Wardens must add the bell to the ledger.",
            None,
        ),
        ("The wardens write the levels as a dictionary:",) + 2 * ("The wardens write the levels as a dictionary.",),
        # What is said of the tags is below.
        ("Ledgers of the wardens hold tags that are defined as follows:", None, None),
    ],
)  # fmt: skip
def test_pointer_to_code_is_left_off_what_opens_a_section(
    line: str, opening: str | None, below: str | None
) -> None:
    assert shown(guide(line, PROSE[1]), line) == opening
    assert shown(guide(PROSE[1], line, PROSE[0].replace("ledger", "book")), line) == below


def test_first_two_items_of_a_section_of_items_are_shown_without_a_stop() -> None:
    items = (
        "Each gate of the weir is opened by two wardens",
        "Every warden keeps a ledger of the levels of the river",
        "The bell of the lower lock is rung when a gate moves",
    )
    # Too few for a list of which items are told that are no sentences.
    assert shown(guide(*items[:2], items=items), items[1]) == items[1]
    assert shown(guide(items[0], "The river of the wardens at the weir", items=items), items[0]) == items[0]
    assert shown(guide(PROSE[1], *items[:2], items=items), items[0]) is None


def test_what_opens_a_section_is_shown_without_its_long_list() -> None:
    items = tuple(f"{each} in the house of the wardens, which is beside the lower lock" for each in ITEMS * 3)
    for line, is_shown in (
        ("A few bells can be used to open the gates at night:", True),
        ("Two bells are rung to open the gates at night:", True),
        ("The wardens have three bells to open the gates at night:", False),
    ):
        assert shown(guide(line, *items, items=items), line) == (f"{line[:-1]}." if is_shown else None)
        assert shown(guide(PROSE[1], line, *items, items=items), line) is None


def test_what_counts_its_items_is_not_quoted_where_they_are_not() -> None:
    line = "There are three kinds of gates at the weir of the town:"
    source = guide(PROSE[1], line, *ITEMS, items=ITEMS)
    told = [each.text for each in summarize(source, length="short").sentences]
    assert not {line, f"{line[:-1]}."} & set(told)


def test_each_length_has_its_own_lists_and_stops() -> None:
    line = "The wardens keep the keys of the three gates of the river in these places:"
    items = tuple(
        f"The key of the {which} gate hangs in the house of the {who} and is lent to nobody in winter."
        for which, who in (("upper", "miller"), ("lower", "smith"), ("old", "keeper of the boats"))
    )
    summary = summarize(
        guide(PROSE[1], line, *items, PROSE[0].replace("ledger", "book"), items=items), length="all"
    )
    for length in summary.lengths:
        told = list(length.sentences)
        for sentence, following in zip(told, (*told[1:], None), strict=True):
            assert not sentence.text.endswith(":") or (following is not None and following.is_item)
        alone = [each for each in told if each.text in items]
        assert all(each.is_item for each in alone)
        left = [each.rest.count for each in told if each.rest is not None]
        assert left == ([len(items) - len(alone)] if 0 < len(alone) < len(items) else [])
    assert any(each.text in items for length in summary.lengths for each in length.sentences)


@pytest.mark.parametrize("end", ["according to the rules here", "as in the cases here"])
def test_what_ends_with_a_link_is_not_shown(end: str) -> None:
    text = f"The wardens of the weir open the gates of the lower lock {end}."
    assert shown(guide(text), text) is None
    assert shown(guide(text.replace(" here.", " of May.")), text.replace(" here.", " of May.")) is not None
