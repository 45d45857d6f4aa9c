"""Help files of Vim: headings below rules, tags, links, code, and commands in a column beside what they do."""

from __future__ import annotations

import time

import pytest

from lsum_cli.reading.blocks import Tally
from lsum_cli.reading.html.document import read_html
from lsum_cli.reading.plain.document import parse_plain
from lsum_cli.reading.registry import RawSource, ReadOptions

HELP = """\
*weir.txt*\tNvim


\t\t  VIM REFERENCE MANUAL    by Ann Marsh


Weirs and gates\t\t\t\t\t\t*weir* *gates*

These commands move the gates.  See |sluice| for the locks.

|5.1|\tOpening the gates

==============================================================================
*5.1*\tOpening the gates

To open all gates at once, type this: >

\t:gates open all
\t:gates show
<
The gates open from left to right.

\t\t\t\t\t\t\t*CTRL-G*
CTRL-G\t\t\tOpen [count] gates downwards.
\t\t\tThe water runs off.

<S-Up>\tor\t\t\t\t*<S-Up>*
CTRL-B\t\t\tClose [count] gates.

:cc[!] [nr]\t\tShow gate [nr].  If [nr] is omitted, the same
:[nr]cc[!]\t\tgate is shown again.

THERE IS MORE\t\t\t\t\t\t*more*

The lines on the screen are these:

    gate one   open ~

Parameters~
A gate has a number.

CTRL-W CTRL-V
CTRL-W v\t\tShow two gates.

Bugs
----
The water is wet.

|gates-up|\t<Up>\t\tgo to the gate above
|gates-down|\t<Down>\t\tgo to the gate below

 vim:tw=78:ts=8:ft=help:norl:
"""


def _read(text: str) -> tuple[str | None, list[tuple[int, str, bool]]]:
    plain = parse_plain(text, Tally())
    return plain.title, [(block.level, block.text, block.is_item) for block in plain.blocks]


def test_title_headings_and_commands() -> None:
    title, blocks = _read(HELP)
    assert title == "Weirs and gates"
    assert blocks == [
        (0, "These commands move the gates.  See sluice for the locks.", False),
        (1, "Opening the gates", False),
        (0, "To open all gates at once, type this:", False),
        (0, "The gates open from left to right.", False),
        (0, "CTRL-G: Open [count] gates downwards. The water runs off.", True),
        (0, "<S-Up>, CTRL-B: Close [count] gates.", True),
        (
            0,
            ":cc[!] [nr], :[nr]cc[!]: Show gate [nr].  If [nr] is omitted, the same gate is shown again.",
            True,
        ),
        (2, "THERE IS MORE", False),
        (0, "The lines on the screen are these:", False),
        (3, "Parameters", False),
        (0, "A gate has a number.", False),
        (0, "CTRL-W CTRL-V, CTRL-W v: Show two gates.", True),
        (2, "Bugs", False),
        (0, "The water is wet.", False),
        (0, "gates-up: <Up>            go to the gate above", True),
        (0, "gates-down: <Down>          go to the gate below", True),
    ]


def test_a_plugin_is_named_by_its_first_line_or_by_a_box() -> None:
    named = "*weir.txt*  Opens and closes gates\n\n*weir*  A weir is low.\n"
    assert _read(named)[0] == "Opens and closes gates"
    boxed = "*weir.txt*\tFor Vim version 9.0\n\n\t+======+\n\t| Weir |\n\t+======+\n\nA weir is low.  *low*\n"
    assert _read(boxed) == ("Weir", [(0, "A weir is low.", False)])


@pytest.mark.parametrize(
    "text",
    [
        "\n*weir.txt*",
        "*weir.txt*\nvim: *gates*",
        "*weir.txt*\n*gates* >\n",
        "*weir.txt*\n*gates*\n\n  or\nA gate.",
        "*weir.txt*\n====\n*a*\n~\n<\n| |\n+==+",
    ],
)
def test_a_file_may_say_nothing(text: str) -> None:
    _read(text)


def test_a_text_without_tags_is_no_help_file() -> None:
    assert _read("*Note*\n\n5 |a| 6\n")[1][0][1] == "*Note*"


@pytest.mark.parametrize("name", ["Node.js", "notes.txt"])
def test_stressed_words_are_no_tags(name: str) -> None:
    text = f"*{name}* is what we keep.\n\nYou should *not* open the gates.\n"
    assert _read(text)[1][1][1] == "You should *not* open the gates."


def test_a_line_between_links_is_text() -> None:
    text = (
        "*weir.txt*\n\n*gates*\nThe gates open at once, as is told in\n|gates-up| and\n|gates-down|\n"
        "The commands for them are told in\n|gates|\n\n|sluice|\n\nCopyright and authors are shown.\n"
    )
    assert _read(text)[1] == [
        (
            0,
            "The gates open at once, as is told in gates-up and gates-down"
            " The commands for them are told in gates",
            False,
        ),
        (0, "Copyright and authors are shown.", False),
    ]


def test_rows_in_small_letters_are_no_lines_of_one_text() -> None:
    text = (
        "*weir.txt*\n\n*gates*\nup              open the gates that are above the weir and the mill\n"
        "down            close them\n"
    )
    assert _read(text)[1] == [
        (0, "up: open the gates that are above the weir and the mill", True),
        (0, "down: close them", True),
    ]


@pytest.mark.parametrize(
    "text",
    ["x" + "." * 100_000, "foo\n" * 12_000 + "A gate is no term, nor is it.\n" + "\tdeeper\n" * 12_000],
    ids=["dots", "terms"],
)
def test_long_lines_and_lists_are_read_at_once(text: str) -> None:
    start = time.process_time()
    _read(f"*weir.txt*\n\n*gates*\n\n{text}\n")
    assert time.process_time() - start < 10


def test_help_on_a_web_page_is_read_alike() -> None:
    text = HELP.replace("<", "&lt;").replace(">", "&gt;")
    page = f"<html><head><title>Help</title></head><body><pre>{text}</pre></body></html>"
    document = read_html(
        RawSource(id="d0", name="weir.html", content=page.encode(), media_type="text/html"), ReadOptions()
    )
    assert [section.heading for section in document.sections if section.heading] == [
        "Weirs and gates",
        "Opening the gates",
        "THERE IS MORE",
        "Parameters",
        "Bugs",
    ]


def test_what_is_left_out_is_counted() -> None:
    tally = Tally()
    parse_plain(HELP, tally)
    assert {each.what: each.words for each in tally.left_out()} == {
        "code blocks": 9,
        "navigation and other boilerplate": 7,
        "table of contents": 4,
        "reference marks": 6,
    }
