from __future__ import annotations

import pytest

from lsum_cli.text.numbers import find_numbers, number_values


def values(text: str) -> list[set[str]]:
    return [set(number.values) for number in find_numbers(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,000", "1000"),
        ("1000", "1000"),
        ("1 000", "1000"),
        ("1\u202f000", "1000"),
        ("1'000'000", "1000000"),
        ("1.000.000,50", "1000000.5"),
        ("3.50", "3.5"),
        ("3,5", "3.5"),
        (".5", "0.5"),
        ("007", "7"),
        ("twenty-five", "25"),
        ("Twelve", "12"),
        ("two hundred thousand", "200000"),
        ("a hundred", "100"),
        ("2.5 million", "2500000"),
        ("٣٤", "34"),
        ("3.2.1", "3.2.1"),
    ],
)
def test_a_number_has_one_value_however_it_is_written(text, value):
    (found,) = find_numbers(text)
    assert value in found.values
    assert found.text == text


def test_percent_means_a_share_too():
    assert values("40 %") == values("forty percent") == values("40 per cent") == [{"40", "0.4"}]


def test_one_thousand_and_a_decimal_cannot_be_told_apart():
    assert values("1.000") == [{"1", "1000"}]


@pytest.mark.parametrize("text", ["", "no digits here", "an hour", "often", "...", "%", "anyone"])
def test_text_without_numbers(text):
    assert values(text) == []


def test_what_is_part_of_a_name_or_a_pronoun_is_no_claim():
    assert [number.is_claim for number in find_numbers("one of B12 and 3 others, one million")] == [
        False,
        False,
        True,
        True,
    ]


def test_sentence_ends_and_lists_do_not_join_numbers():
    assert values("In table 3. 14 rows; 5, 6 and 7") == [{"3"}, {"14"}, {"5"}, {"6"}, {"7"}]


def test_a_source_is_read_generously():
    assert {"2000000", "3000000"} <= number_values("between 2 and 3 million")
    assert {"2019", "300"} <= number_values("in 2019 300 patients")
    assert {"1", "2", "3"} <= number_values("tables 1,2,3")
    assert "5" not in number_values("3.5 and 1,500")
