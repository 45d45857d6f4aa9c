"""People are introduced by what stands beside their whole name, word for word, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.text.introductions import introductions, surnames_alone


@pytest.mark.parametrize(
    ("text", "introduced"),
    [
        ("In May respondent Jane Mill sued the port.", "respondent Jane Mill"),
        ("The petitioner, Jane Mill, sued the port.", "petitioner, Jane Mill"),
        ("Petitioner Jane A. Mill sued the port.", "Petitioner Jane A. Mill"),
        ("It was led by Attorney General Jane Mill.", "Attorney General Jane Mill"),
        ("Dr. Jane Mill was there.", "Dr. Jane Mill"),
        ("Jane B. Mill, Jr., the keeper, sued.", "Jane B. Mill, Jr., the keeper"),
        (
            "They asked Jane Mill, a keeper of the lock for ten years, why.",
            "Jane Mill, a keeper of the lock for ten years",
        ),
        ("So said Jane Mill, the former keeper.", "Jane Mill, the former keeper"),
        ("“It sank,” said Jane Mill, vice chairman of the port.", "Jane Mill, vice chairman of the port"),
        ("It was India’s Prime Minister Jane Mill who left.", "India’s Prime Minister Jane Mill"),
        ("House Speaker Jane Mill pulled the bill.", "House Speaker Jane Mill"),
        ("On Monday President Jane Mill left.", "President Jane Mill"),
        ("Critics of US President Jane Mill left.", "US President Jane Mill"),
        ("They voted for Prime Minister Jane Mill.", "Prime Minister Jane Mill"),
        ("A Bureau of Investigation spokesman Jane Mill knew.", "spokesman Jane Mill"),
        ("In Berlin Chancellor Jane Mill resigned.", "Chancellor Jane Mill"),
        ("In Iraq Prime Minister Jane Mill spoke.", "Prime Minister Jane Mill"),
        ("Jane Mill, a leading climate scientist, said so.", "Jane Mill, a leading climate scientist"),
        ("The spokesman Mill Jin-woo said so.", "spokesman Mill Jin-woo"),
        ("Mill Jin-woo, an analyst at the port, said so.", "Mill Jin-woo, an analyst at the port"),
    ],
)
def test_what_stands_beside_a_whole_name_is_told(text: str, introduced: str) -> None:
    assert [each.text for each in introductions(text, ["Mill"])] == [introduced]


@pytest.mark.parametrize(
    "text",
    [
        "They asked Jane Mill, and the keeper left.",
        "They asked Jane Mill, the keeper, and a sailor.",
        "They asked Jane Mill, a sailor and two keepers.",
        "They asked Jane Mill, the keeper said.",
        "Following Mill, the port changed its rules.",
        "They asked Jane Mill.",
        "On Monday Jane Mill, the keeper, left.",
        "In Dock, Jane Mill (a keeper) left.",
        "Unlike Mill, the chief of the port left.",
        "Despite Mill, the general rule holds.",
        "They asked the Minister for Justice Jane Mill why.",
        "It was edited by Jane Mill, his editor.",
        "They asked Jane Mill, a former commander of U.S. troops.",
        "The claim of Jane Mill, whose lawyer, Ada Weir, spoke first, was denied.",
        "The house of Jane Mill, according to her lawyer, was searched.",
        "They saw Jane Mill, along with her lawyer.",
        "They asked Jane Mill, director Ada Weir and the crew.",
    ],
)
def test_where_nothing_is_said_of_a_name_for_certain_nothing_is_told(text: str) -> None:
    assert [each.text for each in introductions(text, ["Mill"])] == [""]


@pytest.mark.parametrize(
    "text",
    [
        "Respondent Mill sued.",
        "the Mill",
        "of Mill, the keeper",
        "Jane Millson, a keeper",
        "Jane Mill’s boat, a ketch,",
    ],
)
def test_a_surname_alone_is_no_whole_name(text: str) -> None:
    assert list(introductions(text, ["Mill"])) == []


def test_a_surname_may_stand_first() -> None:
    found = [*introductions("Wang Lu, an analyst, said so. Wang Industries, the leader, said so.", ["Wang"])]
    assert [(each.surname, each.name, each.given) for each in found] == [
        ("Wang", "Wang Lu", "Lu"),
        ("Wang", "Wang Industries", "Industries"),
    ]
    assert found[0].text == "Wang Lu, an analyst"


def test_junior_is_no_given_name() -> None:
    assert [each.name for each in introductions("They met Bruce Lee Jr, an actor.", ["Lee"])] == ["Bruce Lee"]


def test_surnames_stand_alone() -> None:
    text = "Mill sued. The Port and Jane Weir fled, said Lock; see Dock v. Pier, Quay, 30 U. S. 1. Ferry’s boat sank."
    assert surnames_alone(text) == ["Mill", "Lock", "Ferry"]
    assert surnames_alone("On Monday Mr Mill and Dr Weir left.") == ["Mill", "Weir"]


_words = [
    "Jane",
    "Mill",
    "petitioner",
    "Dr.",
    "the",
    "keeper",
    ",",
    "a",
    "Mill,",
    "J.",
    "and",
    "Mill’s",
    "Petitioner,",
    "“",
]


@given(st.lists(st.one_of(st.sampled_from(_words), st.text(max_size=5)), max_size=20).map(" ".join))
def test_every_introduction_is_part_of_the_text(text: str) -> None:
    surnames_alone(text)
    for each in introductions(text, ["Mill", "Jane"]):
        assert each.text in text
        assert each.name in text
        assert each.name.endswith(each.surname) or each.name.startswith(each.surname)
        assert not each.text or each.name in each.text
