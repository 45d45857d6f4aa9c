from __future__ import annotations

import pytest

from lsum_cli.attribution.facts import FactSource, find_unknown_facts

SOURCE = (
    "The World Health Organization in Geneva counted 1,000 people, or 40 percent, with the U.S. Navy. "
    "“It’s the end of the world,” said Barack Obama’s adviser Jane Smith-Jones. Marshes of Essex hold IL-6."
)


def flags(sentence: str, source: str = SOURCE, language: str | None = None) -> list[tuple[str, str]]:
    return [
        (flag.kind.value, flag.text) for flag in find_unknown_facts(sentence, FactSource(source), language)
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "In all 1000 people (40 %) were counted.",
        "It is 0.4 of them.",
        "The WHO counted them in Geneva.",
        "They met with Obama and Smith-Jones in Essex.",
        "A marsh of Essex and the US Navy.",
        'He said "it\'s the end of the world".',
        "He said «the end … world».",
        "He said 'the end of the [whole] world' and it's Essex's.",
        "It is Obama's.",
        "",
        "...",
        "Nothing here is capitalised but the beginning.",
    ],
)
def test_what_the_source_says_otherwise_is_no_flag(sentence):
    assert flags(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In all 1100 people.", [("number", "1100")]),
        ("In all 41 % of them.", [("number", "41 %")]),
        ("There were two million of them.", [("number", "two million")]),
        ("The adviser Angela Merkel spoke.", [("name", "Angela Merkel")]),
        ("Here the Bank of England spoke.", [("name", "Bank of England")]),
        ("NASA spoke.", [("name", "NASA")]),
        ("Here McCoy's NASA spoke.", [("name", "McCoy's"), ("name", "NASA")]),
        ("He said “the beginning of time”.", [("quotation", "the beginning of time")]),
        ("He said 'the beginning of time'.", [("quotation", "the beginning of time")]),
        ("He said 「the beginning of time」.", [("quotation", "the beginning of time")]),
        ("He said „the beginning of time“.", [("quotation", "the beginning of time")]),
        ("He said ``the beginning of time''.", [("quotation", "the beginning of time")]),
    ],
)
def test_what_the_source_does_not_say_is_a_flag(sentence, expected):
    assert flags(sentence) == expected


def test_the_same_flag_is_raised_once_in_a_sentence():
    assert flags("Here 7, 7 and Paris, Paris.") == [("number", "7"), ("name", "Paris")]


def test_abbreviations_match_what_they_stand_for_both_ways():
    assert flags("Here the Royal Air Force flew.", "The RAF flew.") == []
    assert flags("The RAF flew.", "Here the Royal Air Force flew.") == []
    assert flags("The RAF flew.", "Here a raft sank.") == [("name", "RAF")]


def test_headlines_and_german_nouns_are_no_names():
    assert flags("A Survey of the Great Marshes in Norfolk") == []
    assert flags("Hier steht das Haus am See.", "Nichts.", "de") == []
    assert flags("Hier flog die NASA.", "Nichts.", "de") == [("name", "NASA")]


def test_scripts_without_capitals_have_no_names_but_quotations():
    source = "他说了很多话，其中包括春天来了。"
    assert flags("他说「春天来了」。", source) == []
    assert flags("他说「冬天来了」。", source) == [("quotation", "冬天来了")]


def test_an_empty_source_holds_nothing():
    assert flags("Here 5 in Paris.", "") == [("number", "5"), ("name", "Paris")]
