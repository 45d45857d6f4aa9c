"""Words broken at the end of a line."""

from __future__ import annotations

import pytest

from lsum_cli.reading.pdf.flow import Vocabulary


@pytest.mark.parametrize(
    ("upper", "lower", "joined"),
    [
        ("the perfor-", "mance of it", "the performance of it"),
        ("the state-of-the-", "art method", "the state-of-the-art method"),
        ("a self-", "managed exercise", "a self-managed exercise"),
        ("the Anglo-", "Saxon poem", "the Anglo-Saxon poem"),
        ("the years 1990-", "1995 were", "the years 1990-1995 were"),
        ("the model 737–", "9 was", "the model 737–9 was"),
        ("in 1990 –", "5 years on", "in 1990 – 5 years on"),
        ("the infor\u00ad", "mation age", "the information age"),
        ("MODEL CALIBRA-", "TION AND MORE", "MODEL CALIBRATION AND MORE"),
        ("près de l’ob-", "jet dessiné", "près de l’objet dessiné"),
        ("a word", "and another", "a word and another"),
        ("a dash -", "and more", "a dash - and more"),
        ("", "alone", "alone"),
        ("日本語の文", "章です", "日本語の文章です"),
        ("at bugs.", "example.com and", "at bugs.example.com and"),
        ("visit our website.", "www.example.com has it", "visit our website. www.example.com has it"),
        ("ask the vendor.", "example.com is theirs", "ask the vendor. example.com is theirs"),
        ("at the end.", "a.common word", "at the end. a.common word"),
        ("see https://example.org/a-", "long-name.html", "see https://example.org/a-long-name.html"),
    ],
)
def test_lines_are_joined(upper, lower, joined):
    assert Vocabulary(["a self-managed plan"]).join(upper, lower) == joined


def test_the_documents_own_words_decide():
    assert Vocabulary(["their co-operation was"]).join("the co-", "operation of") == "the co-operation of"
    assert Vocabulary(["their cooperation was"]).join("the co-", "operation of") == "the cooperation of"


def test_half_a_word_at_the_end_of_a_line_is_no_evidence():
    assert (
        Vocabulary(["it was per-", "formance that"]).join("the per-", "formance of") == "the performance of"
    )


@pytest.mark.parametrize(
    ("elsewhere", "upper", "lower", "joined"),
    [
        ("oil is added as needed", "on an as-", "needed basis", "on an as-needed basis"),
        ("the rooms may be needed", "it is may-", "be needed", "it is maybe needed"),
        ("it is sold as set forth", "the as-", "set is sold", "the asset is sold"),
        ("a man aged ninety", "he man-", "aged it", "he managed it"),
        ("as needed, or as signed by both", "he as-", "sign it", "he assign it"),
        # Not within a longer word, even where that comes first.
        ("the wasp lain as if dead", "he was-", "plain wrong", "he wasplain wrong"),
        ("the wasp lain, was plain", "he was-", "plain wrong", "he was-plain wrong"),
    ],
)
def test_words_that_stand_side_by_side_elsewhere_keep_their_hyphen(elsewhere, upper, lower, joined):
    assert Vocabulary([elsewhere]).join(upper, lower) == joined


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["as it is needed,", "on an as-", "needed basis"], "on an as-needed basis"),
        (["the need for oil:", "on an as-", "needed basis"], "on an as-needed basis"),
        # A syllable that the document has only here, or that doubles a letter, is no word.
        (["oil is used", "on an as-", "phalt road"], "on an asphalt road"),
        (["whoever may sign it", "it is as-", "signed here"], "it is assigned here"),
        (["the ex-mayor", "they ex-", "celled in it"], "they excelled in it"),
        (["the mayor came", "his ex-", "mayor friend"], "his ex-mayor friend"),
        (["a plan", "the non-", "decomposable part"], "the non-decomposable part"),
    ],
)
def test_a_first_part_that_words_also_begin_with_keeps_its_hyphen_before_a_word(lines, joined):
    assert Vocabulary(lines).join(*lines[-2:]) == joined
