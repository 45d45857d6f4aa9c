"""The text of a change: credits go, what is said stays."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.change_text import plain_change


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Backups are incremental (#212).", "Backups are incremental."),
        ("cli: add a format (#820) (abc1234)", "cli: add a format"),
        ("Totals are right, closes #815", "Totals are right"),
        ("Read the page at https://example.org", "Read the page at https://example.org"),
        ("Drop rule #5 of 7.", "Drop rule #5 of 7."),
    ],
)
def test_credits_go_and_what_is_said_stays(written: str, plain: str) -> None:
    assert plain_change(written) == plain


@pytest.mark.parametrize("again", [" #1", " #1 and", ", (#1)", " https://a.example/pull/1"])
def test_many_numbers_that_do_not_end_a_change_are_read_in_no_time(again: str) -> None:
    """A pattern that gave numbers back one by one would need hours for as few as forty."""
    text = f"Fixed a{again * 4000} end"
    assert plain_change(text) == text
