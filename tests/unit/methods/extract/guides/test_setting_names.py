"""What is told of a setting within a part is shown with its name."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of

from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.methods.extract.guides.setting_names import setting_names

TOLD = "True if the gates of the weir are to be opened at night."
MORE = "The wardens are told of it by the bell of the lower lock."


@pytest.mark.parametrize(
    ("name", "text", "is_shown"),
    [
        ("OPEN_AT_NIGHT", TOLD, True),
        ("weir.open_at_night", TOLD, True),
        ("open_gate(gate, bell)", TOLD, True),
        ("openAtNight", TOLD, True),
        ("--open", TOLD, True),
        # Headings in words, and what names the setting itself.
        ("Gates", TOLD, False),
        ("Gates at night", TOLD, False),
        ("NOTES", TOLD, False),
        ("Open-air gates", TOLD, False),
        ("OPEN_AT_NIGHT", "Set OPEN_AT_NIGHT where the gates are to be opened at night.", False),
        ("open_gate(gate)", "The gate is opened by open_gate as soon as it is night.", False),
    ],
)
def test_first_sentence_of_a_setting_is_shown_with_its_name(name: str, text: str, is_shown: bool) -> None:
    document = document_of(("Settings", [MORE]), (name, [text, MORE]), title="Weirbook")
    names = setting_names(candidates_of(document), "Settings", (0, 1, 2))
    assert names == ({1: name} if is_shown else {})


def test_heading_that_is_shown_is_no_name_besides() -> None:
    document = document_of(("OPEN_AT_NIGHT", [TOLD, MORE]), title="Weirbook")
    assert setting_names(candidates_of(document), "OPEN_AT_NIGHT", (0, 1)) == {}


def test_what_follows_a_setting_is_not_read_as_told_of_it() -> None:
    after = [("Deprecated", [MORE]), ("NOTES", [MORE])]
    document = document_of(("Settings", [MORE]), ("OPEN_AT_NIGHT", [TOLD]), *after, title="Weirbook")
    names = setting_names(candidates_of(document), "Settings", range(4))
    assert names == {1: "OPEN_AT_NIGHT", 2: "Deprecated", 3: "NOTES"}
    # It names the setting itself.
    named = ("OPEN_AT_NIGHT", ["Set OPEN_AT_NIGHT where the gates are to be opened."])
    document = document_of(("Settings", [MORE]), named, *after, title="Weirbook")
    assert setting_names(candidates_of(document), "Settings", range(4)) == {2: "Deprecated", 3: "NOTES"}


def test_what_is_within_the_section_of_a_setting_is_read_as_told_of_it() -> None:
    passages = [
        Passage(heading=heading, level=level, paragraphs=(Paragraph.of(text),))
        for heading, level, text in (
            ("Settings", 1, MORE),
            ("OPEN_AT_NIGHT", 2, TOLD),
            ("Notes", 3, MORE),
            ("Deprecated", 2, MORE),
        )
    ]
    document = compose_document(passages, id="d0", source="-", title="Weirbook")
    names = setting_names(candidates_of(document), "Settings", range(4))
    assert names == {1: "OPEN_AT_NIGHT", 3: "Deprecated"}
