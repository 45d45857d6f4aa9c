"""Lengths: what a name or number means, and what suits a source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.errors import OptionError
from lsum_cli.methods.length import NAMED_LENGTHS, parse_length, suit_length
from lsum_cli.methods.options import SummaryOptions


def test_auto_is_what_no_length_means() -> None:
    assert SummaryOptions(length="auto") == SummaryOptions()


@pytest.mark.parametrize("text", ["auto ", "tiny", "", "1.5", "0", "-3"])
def test_what_is_no_length_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="length"):
        parse_length(text)


def test_a_news_item_gets_two_or_three_sentences_and_a_book_several_hundred_words() -> None:
    assert 40 <= suit_length(253) <= 75
    assert 240 <= suit_length(5_000) <= 320
    assert 500 <= suit_length(100_000) <= 600


@given(st.integers(1, 2_000_000), st.integers(1, 2_000_000), st.integers(1, 200))
def test_a_longer_source_never_gets_a_shorter_summary(one: int, other: int, num_documents: int) -> None:
    short, long = sorted((one, other))
    assert suit_length(short, num_documents) <= suit_length(long, num_documents)
    assert suit_length(short) <= suit_length(short, num_documents)
    assert suit_length(long, num_documents) <= 2 * max(NAMED_LENGTHS.values())
