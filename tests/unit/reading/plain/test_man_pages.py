"""Plain text that `man` printed: headings, options with what they are for, and broken words."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from reading_samples import headings_of, left_out_of
from test_plain import paragraphs, read_text

PAGE = """\
SLUICE(8)                   Waterworks Manual                  SLUICE(8)

NAME
       sluice - open and close the gates of a canal

SYNOPSIS
       sluice [-n] GATE...

DESCRIPTION
       sluice opens the gates of a canal one after another.  It reads the lev‐
       els of all basins first, and waits until the difference between two neigh‐
       bouring basins is small enough.

       A gate that does not move is reported on standard error, and those be‐
       hind it stay closed.

OPTIONS
   Gates
       -n     Print what would be moved.

       -f, --force
              Open the gates although the basins differ.

              This may flood the lower basin.

       • The tower is called before a lock is emptied.

EXIT STATUS
       0      All gates were moved.
       1      A gate did not move, or the power failed while it was being
              moved.

Waterworks 2.1                 2024-05-01                      SLUICE(8)
"""


def test_a_manual_page_is_read_by_its_margins():
    document = read_text(PAGE)
    assert document.title == "sluice - open and close the gates of a canal"
    assert headings_of(document) == [
        (1, "DESCRIPTION"),
        (1, "OPTIONS"),
        (2, "Gates"),
        (1, "EXIT STATUS"),
    ]
    assert paragraphs(PAGE) == [
        "sluice opens the gates of a canal one after another.  It reads the levels of all basins first, and "
        "waits until the difference between two neighbouring basins is small enough.",
        "A gate that does not move is reported on standard error, and those behind it stay closed.",
        "-n: Print what would be moved.",
        "-f, --force: Open the gates although the basins differ.",
        "This may flood the lower basin.",
        "The tower is called before a lock is emptied.",
        "0: All gates were moved.",
        "1: A gate did not move, or the power failed while it was being moved.",
    ]
    assert set(left_out_of(document)) == {"running headers and footers", "code blocks"}


def test_a_text_that_only_opens_like_a_manual_page_is_none():
    text = "Notes on SLUICE(8)\n\nOPTIONS\nThe options of the program are few and they are all short ones.\n"
    assert "The options of the program are few and they are all short ones." in read_text(text).text


def test_a_hyphen_that_breaks_a_word_goes_and_one_that_joins_two_stays():
    text = (
        "The water‐works is a well‐known place, and its main‐\ntenance costs more than that of a well‐\n"
        "known castle or of the NON‐\nPROFIT society that looks after the old lock on the hill.\n"
    )
    assert paragraphs(text) == [
        "The water‐works is a well‐known place, and its maintenance costs more than that of a well‐known "
        "castle or of the NONPROFIT society that looks after the old lock on the hill."
    ]


def test_spaces_that_fill_a_line_to_its_margin_set_nothing_apart():
    page = PAGE.replace(
        "       A gate that does not move is reported on standard error, and those be‐\n"
        "       hind it stay closed.\n",
        "       A gate that does not move is reported on standard error when the day is\n"
        "       over,  and  those  behind it stay closed until the wardens have seen to\n"
        "       it.\n",
    )
    assert (
        "A gate that does not move is reported on standard error when the day is over,  and  those  behind it "
        "stay closed until the wardens have seen to it."
    ) in paragraphs(page)


@pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")
def test_the_page_that_man_prints_has_its_headings():
    run = subprocess.run(
        ["man", "man"], capture_output=True, text=True, env={"MANWIDTH": "80", "LANG": "C.UTF-8"}, check=False
    )
    if run.returncode or not run.stdout.strip():
        pytest.skip("there is no manual page")
    document = read_text(run.stdout)
    assert {"DESCRIPTION", "OPTIONS", "EXIT STATUS"} <= {heading for _, heading in headings_of(document)}
    assert document.title is not None
    assert document.title.startswith("man - ")
