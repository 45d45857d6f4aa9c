"""Key phrases: repeated word groups, longer ones rather than their parts, none of them general words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.text.keywords import key_phrases

PAPER = [
    "Solid electrolytes conduct magnesium ions at room temperature.",
    "The ionic conductivity of solid electrolytes depends on the lattice.",
    "We measured the ionic conductivity of a borohydride.",
    "Magnesium ions move slowly in oxides, but solid electrolytes of selenium are fast.",
    "The results show that ionic conductivity rises with temperature.",
    "It was found that magnesium batteries with solid electrolytes are safe.",
    "However, the method used in this study is slow.",
]


def test_phrases_come_before_their_parts() -> None:
    phrases = key_phrases(PAPER)
    assert phrases[:2] == ("solid electrolytes", "ionic conductivity")
    assert not {"solid", "electrolytes", "conductivity", "ionic"} & set(phrases)


def test_function_words_and_general_words_are_no_key_phrases() -> None:
    assert not {"however", "results", "method", "study", "the", "found"} & set(key_phrases(PAPER, most=50))


def test_a_general_word_that_begins_a_name_stays_in_it() -> None:
    text = [
        "The ferries of New Harwick run at noon.",
        "New Harwick has two ferries.",
        "A loan of the World Dairy came late, and the World Dairy paid for it.",
        "New ferries cost the harbour more.",
    ]
    phrases = key_phrases(text, most=50)
    assert {"New Harwick", "World Dairy"} <= set(phrases)
    assert not {"Harwick", "Dairy", "new ferries", "New ferries"} & set(phrases)


def test_names_keep_their_capitals_and_headings_do_not_lend_theirs() -> None:
    texts = [
        "Widow Lane floods.",
        "The mill in Widow Lane stopped.",
        "A Mill Race dries.",
        "The mill race is old.",
    ]
    phrases = key_phrases([*texts, "Nothing else happened there.", "It rained."])
    assert "Widow Lane" in phrases
    assert "mill race" in phrases


def test_what_is_not_repeated_is_no_key_phrase() -> None:
    assert (
        key_phrases(["Herons nest.", "Boats sail.", "Mud dries.", "Wind turns.", "Rain falls.", "Ice melts."])
        == ()
    )


def test_other_languages_lose_their_short_frequent_words() -> None:
    french = [
        "La commission de la pêche a fixé les quotas de la saison.",
        "Les quotas de la pêche sont trop hauts pour la mer du Nord.",
        "La mer du Nord a perdu la moitié de la morue.",
        "La commission de la pêche ne veut pas de la fermeture.",
        "Dans la mer du Nord, la pêche continue.",
        "Les pêcheurs de la mer du Nord ont peur de la commission.",
    ]
    assert not {"la", "de", "les", "du", "de la"} & set(key_phrases(french, language=None))
    assert "pêche" in " ".join(key_phrases(french, language=None))


def test_scripts_without_spaces_have_key_phrases() -> None:
    assert "潮流発電" in key_phrases(
        ["潮流発電の歴史。", "海で潮流発電をする。", "潮流発電は高い。"] * 3, language=None
    )


CHINESE = (
    "人工智能正在改变医疗行业。",
    "许多医院使用人工智能技术分析医学影像。",
    "机器学习模型可以帮助医生诊断肺癌。",
    "机器学习模型需要大量医学影像数据。",
    "患者担心数据隐私得不到保护。",
    "政府正在制定数据隐私法规。",
    "医生认为人工智能不会取代他们。",
    "机器学习模型的准确率很高。",
)


def test_chinese_phrases_are_whole_words_and_no_piece_of_one_another() -> None:
    phrases = key_phrases(CHINESE, language=None)
    assert {"人工智能", "机器学习模型", "医学影像", "数据隐私"} <= set(phrases)
    assert not [one for one in phrases for other in phrases if one != other and one in other]
    text = "".join(CHINESE)
    assert all(text.count(phrase) >= 2 for phrase in phrases)


def test_no_run_is_cut_where_every_occurrence_goes_on() -> None:
    # 学习模 occurs as often as what it is a piece of.
    assert not {"学习模型", "学习模", "工智", "人工智"} & set(key_phrases(CHINESE, language=None, most=99))


def test_japanese_words_may_begin_with_what_joins_in_chinese() -> None:
    texts = [
        "再生可能エネルギーの割合を増やす。",
        "新しい再生可能エネルギー計画。",
        "最高裁判所は再生を命じた。",
    ]
    assert "再生可能エネルギー" in key_phrases(texts, language=None)


def test_a_short_text_repeats_its_phrases_too() -> None:
    sentence = "Solid electrolytes conduct magnesium ions."
    assert key_phrases([sentence]) == ()
    assert key_phrases([sentence], titles=["Solid electrolytes"]) == ("Solid electrolytes",)
    assert key_phrases([sentence, "The solid electrolytes are fast."]) == ("solid electrolytes",)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(max_size=60), max_size=12), st.integers(0, 8), st.sampled_from(["en", "de", "fr", None])
)
def test_any_text_gives_at_most_so_many_distinct_phrases(
    texts: list[str], most: int, language: str | None
) -> None:
    phrases = key_phrases(texts, most=most, language=language)
    assert len(phrases) <= most
    assert len({phrase.casefold() for phrase in phrases}) == len(phrases)


def test_the_ends_of_ordinals_are_no_words() -> None:
    days = [f"The harbour closes on the {day}th of the month, and ferries wait." for day in range(4, 12)]
    assert "th" not in key_phrases(days, most=50)


def test_auxiliaries_and_elided_articles_are_no_key_phrases() -> None:
    german = [
        "Die Fähre wird seit Jahren von der Gemeinde betrieben, und sie kann nicht immer fahren.",
        "Nicht immer können die Schiffe am Anleger halten, weil sie nicht immer gebraucht werden.",
        "Die Gemeinde könnte die Fähre verkaufen, und die Schiffe würden vor allem nachts fehlen.",
        "Vor allem der Anleger müsste erneuert werden, sagt die Gemeinde.",
    ]
    phrases = key_phrases(german, language="de", most=50)
    assert not {"nicht", "werden", "können", "nicht immer", "immer", "vor allem"} & set(phrases)
    assert {"Gemeinde", "Anleger"} <= set(phrases)
    french = [
        "C’est l’école du village que l’association veut sauver.",
        "L'école d'une commune voisine ferme, et l'association s'inquie\u0300te.",
        "L’association s’inquiète pour l’école.",
    ]
    assert {phrase.casefold() for phrase in key_phrases(french, language="fr")} == {
        "école",
        "association",
        "inquiète",
    }


def test_inflected_forms_of_a_phrase_count_as_one() -> None:
    texts = [
        "Les éléphants boivent.",
        "Un éléphant dort.",
        "Les éléphants marchent.",
        "Chaque éléphant mange.",
    ]
    assert len([phrase for phrase in key_phrases(texts, language="fr") if "éléphant" in phrase]) == 1


@pytest.mark.parametrize("mark", ["'", "’"])
def test_a_shortened_verb_makes_no_key_phrase_of_a_function_word(mark: str) -> None:
    said = f"It{mark}s the barge that{mark}s late. There{mark}s a tug, and the barge{mark}s tug leaks. "
    phrases = key_phrases([said, said, said])
    assert "barge" in " ".join(phrases)
    assert not {"it", "that", "there"} & {phrase.casefold() for phrase in phrases}


def test_particles_are_no_key_phrases_but_stay_in_them() -> None:
    text = [
        "The mole rowed back along the river.",
        "The rat went back, and along the bank he ran.",
        "His back pain came along the spine.",
        "Back pain is common among moles.",
    ]
    phrases = key_phrases(text, most=50)
    assert "back pain" in [phrase.lower() for phrase in phrases]
    assert not {"back", "along"} & set(phrases)


def test_capitals_within_a_word_stay_and_those_of_constants_are_lost() -> None:
    sentences = [
        "The store SilverFish keeps each record of the harbour in JSON files.",
        "You import silverfish and set HARBOUR_RECORD to the folder of the JSON files.",
        "SilverFish reads HARBOUR_RECORD when it starts, and json files that are new.",
        "Without HARBOUR_RECORD no record of the harbour is read by SilverFish.",
    ]
    phrases = key_phrases(sentences, least=2)
    assert "SilverFish" in phrases
    assert "JSON files" in phrases
    assert not any("HARBOUR" in phrase or "RECORD" in phrase for phrase in phrases)


def test_pieces_of_words_and_participles_are_no_key_phrases() -> None:
    text = [
        "The (un)loading of barges is slow, and permits revoked stay revoked.",
        "Permits revoked by the harbour are revoked for good: the (un)loading of barges ends.",
    ]
    phrases = key_phrases(text, most=50)
    assert "loading" in " ".join(phrases)
    assert not {"un", "revoked", "permits revoked"} & set(phrases)


def test_words_in_ed_that_are_forms_of_no_verb_are_key_phrases() -> None:
    nouns = (
        "watershed",
        "infrared",
        "testbed",
        "moped",
        "hatred",
        "seabed",
        "naked",
        "unemployed",
        "quadruped",
    )
    for noun in nouns:
        text = [
            f"The {noun} of the harbour is old.",
            f"Each {noun} counts.",
            f"No {noun} is left by the sea.",
        ]
        assert noun in key_phrases(text), noun
    text = ["The old entry is cached.", "Each entry cached is read, and the harbour caches no more."]
    assert "entry cached" not in key_phrases(text, most=50, least=1)


def test_of_two_forms_of_a_phrase_one_is_told() -> None:
    text = ["A cookie is kept.", "Cookies are sent.", "The cookie expires.", "Such cookies expire."]
    assert sum(phrase.startswith("cooki") for phrase in key_phrases(text)) == 1
    text = [
        "The tide dict is read.",
        "A tide dictionary is read.",
        "Each tide dict and tide dictionary ends.",
    ]
    assert sum(phrase.startswith("tide ") for phrase in key_phrases(text)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("road signs", "road signals"),
        ("carbon tax", "carbon taxonomy"),
        ("climate mode", "climate model"),
        ("search engine", "search engineer"),
        ("power plant", "power plantation"),
    ],
)
def test_a_phrase_that_begins_as_another_does_is_no_form_of_it(one: str, other: str) -> None:
    text = [f"Each {phrase} is old, and a {phrase} fails." for phrase in (one, other)]
    assert {one, other} <= set(key_phrases(text))
