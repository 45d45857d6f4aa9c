"""Names: people and places by how an English text uses them, the forms of one name together."""

from __future__ import annotations

import pytest

from lsum_cli.text.names import find_names

STORY = [
    "Mr. Elias Thorn came to Marlow in the rain.",
    "Thorn looked at the mill, and he smiled.",
    '"You are late, Elias," said Miss Harker.',
    "Miss Anna Harker had walked from Marlow to Widow Lane.",
    "She told Elias Thorn that the mill was sold.",
    "Thorn said nothing, but his hands shook.",
    "In Marlow nobody spoke of the mill.",
    "Mr. Harker, her brother, was a miller, and he wept.",
    "Mr. Harker said that he would leave.",
    "They met again in Widow Lane, near Marlow.",
]


def test_forms_of_one_name_are_one_person_and_titles_tell_two_apart() -> None:
    people = {name.text: name.count for name in find_names(STORY).people}
    assert people == {"Elias Thorn": 5, "Miss Harker": 2, "Mr. Harker": 2}


def test_places_are_what_one_is_in_and_goes_to() -> None:
    places = {name.text: name.sentences for name in find_names(STORY).places}
    assert places == {"Marlow": (0, 3, 6, 9), "Widow Lane": (3, 9)}


def test_a_language_whose_nouns_have_capitals_yields_nothing() -> None:
    german = [
        "Der Müller ging mit dem Hund in den Wald und sah die Mühle im Regen.",
        "Der Hund sah den Müller an.",
    ]
    assert find_names(german * 5).people == find_names(german * 5).places == ()


@pytest.mark.parametrize("sentences", [[], [""], ["it rained all day."], ["42 + 7 = 49"], ["A A A A."]])
def test_a_text_without_names_has_none(sentences: list[str]) -> None:
    names = find_names(sentences)
    assert not names.people
    assert not names.places


def test_words_that_also_occur_without_a_capital_are_no_names() -> None:
    found = find_names(
        ["He went to Hope, and hope was all he had.", "In hope he said that hope was near."] * 3
    )
    assert "Hope" not in [name.text for name in (*found.people, *found.places)]


def test_a_place_that_is_named_seldom_is_no_person_for_what_it_was() -> None:
    texts = [
        "She had lived in Dartmoor for a year.",
        "They say that Dartmoor was cold, and he shivered.",
        "He came back to Dartmoor in May.",
        "It is said that Dartmoor had an inn, but she slept at home.",
        "His Dartmoor was lost.",
    ]
    assert not find_names(texts).people


def test_a_country_that_is_named_twice_is_no_person_for_what_it_made() -> None:
    texts = [
        "The agate of Borneo made him eloquent.",
        "I go on board to-night for Borneo, and I must do my job first.",
        "Ann Wells looked at the sea, and she smiled.",
        "Ann Wells said that her ship was late.",
    ]
    assert [name.text for name in find_names(texts).people] == ["Ann Wells"]


def test_a_pet_name_is_the_person_and_a_people_is_nobody() -> None:
    texts = [
        "Bill said that he was tired.",
        "“Good night, Billy,” said Ann, and she laughed.",
        "Then Billy said that he was hungry.",
        "Bill said that the wind had dropped.",
        "“Come here,” said Ann to Bill, and he came.",
        "He saw that the brave Tarnlings had lost, and she told him that the Tarnlings were gone.",
        "She said that the Tarnlings had fled.",
    ]
    assert {name.text: name.count for name in find_names(texts).people} == {"Bill": 5, "Ann": 2}


def test_who_has_the_surname_of_somebody_is_no_place() -> None:
    told = [*STORY, "A cart came from Old Berta Harker at dusk.", "He took it to Old Berta Harker."]
    assert [place.text for place in find_names(told).places] == ["Marlow", "Widow Lane"]


@pytest.mark.parametrize("place", ["Fort Harker", "Port Harker", "New Harker", "Lake Harker", "St. Harker"])
def test_a_place_may_be_called_after_somebody(place: str) -> None:
    told = [*STORY, f"A cart came from {place} at dusk.", f"He took it to {place}.", f"In {place} it rained."]
    assert place in [each.text for each in find_names(told).places]


def test_who_has_a_surname_that_begins_as_places_do_is_no_place() -> None:
    told = [
        "Miss Anna St. Orme said that she was ill.",
        "That night Miss Anna St. Orme came to the mill, and she smiled.",
        "A cart came from St. Orme at dusk.",
        "He took it to St. Orme.",
        "In St. Orme he had a friend.",
    ]
    assert find_names(told).places == ()


def test_a_saint_belongs_to_the_name_behind_it() -> None:
    told = [
        "That night Mr. St. Orme came to the mill, and he smiled.",
        "At dawn Mr. St. Orme said that he would leave.",
        "They went from Marlow to St. Agnes in the rain.",
        "In the morning she was in St. Agnes again.",
        "The road to St. Agnes was long.",
    ]
    names = find_names(told)
    assert [person.text for person in names.people] == ["Mr. St. Orme"]
    assert [place.text for place in names.places] == ["St. Agnes"]
