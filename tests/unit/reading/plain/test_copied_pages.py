"""The text of a web page, copied with the menus around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading_samples import left_out_of

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import BOILERPLATE
from lsum_cli.reading.sources import read

MENU = [
    "Log in",
    "Subscribe",
    "News",
    "Weather",
    "Rivers",
    "Lakes",
    "Coast",
    "Harbours",
    "Locks",
    "Search",
    "More",
]
FOOT = [
    "Contact us",
    "Privacy policy",
    "Terms of use",
    "Jobs",
    "Locks today",
    "Ferries today",
    "Press office",
]
LEAD = (
    "The lock at Weir Street will close for nine weeks from Monday, the canal trust said after an inspection."
)
WHY = "Divers found that two of the four gates have come loose from the wall, and that a third one leaks at the foot."
WHO = "Ada Weir, who keeps the lock, told the council that boats must take the long way round by the northern arm."
WHEN = "New gates have been ordered from a yard in the north, and they are to be hung before the boating season begins."
TEXT = [LEAD, WHY, WHO, WHEN]


def copied(tmp_path: Path, *lines: str) -> Document:
    """What is read of a text of these lines, with blank lines between."""
    path = tmp_path / "page.txt"
    path.write_text("\n\n".join(lines), encoding="utf-8")
    return read(path)


def said(document: Document) -> list[str]:
    return [sentence.text for sentence in document.sentences]


def headings(document: Document) -> list[str]:
    return [section.heading for section in document.sections if section.heading]


def test_menus_around_a_text_are_none_of_it(tmp_path: Path):
    page = copied(tmp_path, "Lock to close – The Canal Post", *MENU, "Lock to close", *TEXT, "Share", *FOOT)
    assert said(page) == TEXT
    assert page.title == "Lock to close"
    assert not headings(page)


def test_what_a_notice_says_above_the_headline_is_none_of_it(tmp_path: Path):
    notice = (
        "We keep a small file on your machine so that the pages you visit open faster the next time you come."
    )
    page = copied(
        tmp_path, "Lock to close | Post", notice, *MENU, "Lock to close", "By Ada Weir", *TEXT, *FOOT
    )
    assert said(page) == TEXT


def test_a_heading_below_a_menu_stays(tmp_path: Path):
    more = "Boats that are in the upper basin when the lock closes stay there until the new gates have been hung."
    page = copied(
        tmp_path, "Lock to close", *MENU, "Lock to close", *TEXT, *MENU, "Boats above the lock", more, *FOOT
    )
    assert [line for line in page.text.split("\n\n") if line not in TEXT] == ["Boats above the lock", more]


def test_lines_of_a_menu_may_stand_together(tmp_path: Path):
    path = tmp_path / "page.txt"
    path.write_text("\n\n".join(["\n".join(MENU), "Lock to close", *TEXT, "\n".join(FOOT)]), encoding="utf-8")
    assert said(read(path)) == TEXT


def test_paragraphs_may_break_at_their_links(tmp_path: Path):
    first, rest = LEAD.split("the canal trust")
    page = copied(
        tmp_path, *MENU, "Lock to close", f"{first}\nthe canal trust\n{rest.strip()}", *TEXT[1:], *FOOT
    )
    assert said(page) == TEXT


def test_a_link_within_a_paragraph_may_begin_with_a_capital(tmp_path: Path):
    broken = [
        "The lock at",
        "Weir Street",
        "will close for nine weeks, the",
        "Canal Trust",
        "said on Monday.",
    ]
    lines = [*TEXT, "\n".join([WHO, *broken, WHEN])]
    page = copied(tmp_path, *MENU, "Lock to close", *lines, *FOOT)
    assert said(page) == [*TEXT, WHO, " ".join(broken), WHEN]


@pytest.mark.parametrize(
    "line", ["Photo: A. Weir", "A. Weir / Getty Images", "Read more: Eels are back", "WATCH: The divers"]
)
def test_credits_and_links_between_paragraphs_are_none_of_a_text(tmp_path: Path, line: str):
    page = copied(
        tmp_path, "Lock to close", *MENU, LEAD, WHY, line, WHO, WHEN, line, LEAD[:-1] + " in May.", *FOOT
    )
    assert line not in page.text
    assert said(page)[:4] == TEXT


@pytest.mark.parametrize(
    "heading", ["Reader comments", "Comments: 9", "3 comments displayed", "Kommentare (3)"]
)
def test_comments_begin_under_their_heading(tmp_path: Path, heading: str):
    comment = (
        "My boat has lain above that lock since the spring and nobody has told me a word of all this so far."
    )
    text = [f"{sentence} And {sentence[0].lower()}{sentence[1:]}" for sentence in (*TEXT, *TEXT)]
    page = copied(tmp_path, "Lock to close", *MENU, *text, heading, "Anna", comment, *FOOT)
    assert comment not in said(page)
    assert WHEN in said(page)


def test_comments_of_readers_are_none_of_a_text(tmp_path: Path):
    comment = (
        "My boat has lain above that lock since the spring and nobody has told me a word of all this so far."
    )
    page = copied(
        tmp_path, "Lock to close", *MENU, *TEXT, *TEXT, "3 Comments on", "Lock to close", "1 year", comment
    )
    assert comment not in said(page)
    assert WHEN in said(page)


def test_what_links_to_the_comments_ends_no_text(tmp_path: Path):
    page = copied(tmp_path, "Lock to close", *MENU, "3 comments", *TEXT, *FOOT)
    assert said(page) == TEXT


def test_beginnings_of_other_pages_are_none_of_a_text(tmp_path: Path):
    teasers = [
        "Ferry timetable",
        "The ferry from the old quay runs twice an hour on weekdays from now on, says the new timetable.",
        "Fish ladder",
        "Eels have been counted at the fish ladder for the first time since the gauge was mended last year.",
    ]
    page = copied(tmp_path, "Lock to close", *MENU, "Lock to close", *TEXT, *MENU, *teasers, *FOOT)
    assert said(page) == TEXT


def test_a_page_of_beginnings_is_made_of_them(tmp_path: Path):
    teasers = [line for number, text in enumerate(TEXT) for line in (f"Story of the day {number}", text)]
    page = copied(tmp_path, "The Canal Post", *MENU, *teasers, *FOOT)
    assert [line for line in said(page) if line in TEXT] == TEXT
    assert not {*MENU, *FOOT} & {*page.text.split("\n\n")}


@pytest.mark.parametrize("apart", [True, False])
def test_captions_of_a_gallery_are_none_of_a_text(tmp_path: Path, apart: bool):
    pictures = [
        f"A diver looks at gate number {number} of the lock on Tuesday, before the inspection."
        for number in range(4)
    ]
    name = "In pictures: the lock at Weir Street"
    shown = (
        [line for picture in pictures for line in (name, picture)] if not apart else [*pictures, *[name] * 4]
    )
    page = copied(tmp_path, "Lock to close", *MENU, "Lock to close", "1 May 2024", *shown, *TEXT, *FOOT)
    assert said(page) == TEXT


def test_a_text_that_names_no_controls_stays_as_it_is(tmp_path: Path):
    lakes = [
        "Upper lake",
        "Lower lake",
        "Long pond",
        "Round pond",
        "Mill pond",
        "Fish pond",
        "North arm",
        "South arm",
    ]
    plain = copied(tmp_path, *TEXT, *lakes, *lakes, WHO)
    kept = " ".join([*said(plain), *headings(plain)])
    assert all(lake in kept for lake in lakes)


def test_a_guide_that_names_the_buttons_of_a_page_stays_as_it_is(tmp_path: Path):
    guide = copied(tmp_path, "Log in", WHY, "Search", WHO, "Share", WHEN, "Print", LEAD)
    assert said(guide) == [WHY, WHO, WHEN, LEAD]
    assert [guide.title, *headings(guide)] == ["Log in", "Search", "Share", "Print"]


def test_verse_between_menus_is_not_lost(tmp_path: Path):
    verse = [
        f"The {water} runs down to the sea" for water in ("brook", "beck", "burn", "river", "canal", "rill")
    ] * 2
    page = copied(
        tmp_path, "Waters", *MENU, *verse, "It is a short song, and nobody knows who wrote it down.", *FOOT
    )
    assert all(line in page.text for line in verse)


def test_what_is_left_out_is_counted(tmp_path: Path):
    page = copied(tmp_path, "Lock to close", *MENU, "Lock to close", *TEXT, *FOOT)
    assert left_out_of(page) == {BOILERPLATE: sum(len(line.split()) for line in (*MENU, *FOOT)) + 3}


def test_a_text_with_underlined_titles_was_typed(tmp_path: Path):
    titles = [f"{name}\n{'-' * len(name)}" for name in ("Gates", "Weirs", "Keepers")]
    page = copied(
        tmp_path, "Lock to close", *MENU, *(part for title in titles for part in (title, *TEXT)), *FOOT
    )
    assert [section.heading for section in page.sections if section.heading] == ["Gates", "Weirs", "Keepers"]
    assert not left_out_of(page)
