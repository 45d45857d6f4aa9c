"""Terms: words made comparable in any script, and the sparse matrix that counts them."""

from __future__ import annotations

import numpy as np
import pytest

from lsum_cli.text.stems import stem
from lsum_cli.text.terms import Lexicon, TermMatrix, count_words, quantile, question_terms, split_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The p53 gene, 3.14 mg.", ["the", "p53", "gene", "3.14", "mg"]),
        ("Café – NAÏVE e\u0301te\u0301", ["café", "naïve", "été"]),
        ("Straße", ["strasse"]),
        ("यह एक वाक्य है।", ["यह", "एक", "वाक्य", "है"]),
        ("人工知能2024年", ["人工", "工知", "知能", "2024", "年"]),
        ("…", []),
    ],
)
def test_text_is_split_into_terms(text: str, terms: list[str]) -> None:
    assert split_terms(text) == terms


@pytest.mark.parametrize(
    "same",
    [
        ("study", "studies"),
        ("cache", "caches", "cached", "caching"),
        ("run", "runs", "running"),
        ("box", "boxes"),
    ],
)
def test_forms_of_a_word_have_one_stem(same: tuple[str, ...]) -> None:
    assert len({stem(word) for word in same}) == 1


@pytest.mark.parametrize("word", ["analysis", "process", "virus", "2024", "été", "red", "sing"])
def test_other_words_stay_as_they_are(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("text", "words"), [("two words", 2), ("", 0), ("猫は魚を", 2), ("AI は猫", 2), ("well-known – é", 3)]
)
def test_words_are_counted_at_white_space_or_by_characters(text: str, words: int) -> None:
    assert count_words(text) == words


def test_a_matrix_counts_terms_by_sentence() -> None:
    lexicon = Lexicon()
    rows = [lexicon.index(text) for text in ("a dog sees a dog", "", "Dogs see!")]
    matrix = TermMatrix.of(rows, len(lexicon))
    dog, sees = lexicon.find("dog sees")
    assert matrix.num_rows == 3
    assert matrix.frequency[[dog, sees]].tolist() == [2, 2]
    assert matrix.sum_rows(matrix.counts).tolist() == [5, 0, 2]
    assert dict(zip(matrix.columns[matrix.row(0)], matrix.counts[matrix.row(0)], strict=True))[dog] == 2
    value = np.zeros(matrix.num_terms)
    value[dog] = 1
    assert matrix.mean_over_terms(value).tolist() == pytest.approx([1 / 3, 0, 1 / 2])


def test_pairs_are_of_neighbours_in_order() -> None:
    lexicon = Lexicon()
    rows = [lexicon.index(text) for text in ("red fox runs", "", "fox runs red", "fox")]
    pairs = TermMatrix.of_pairs(rows, len(lexicon))
    assert sorted(pairs.frequency.tolist()) == [1, 1, 2]
    assert np.diff(pairs.starts).tolist() == [2, 0, 2, 0]


def test_no_rows_have_no_pairs() -> None:
    assert TermMatrix.of_pairs([], 3).num_rows == 0


@pytest.mark.parametrize("text", ["“Well,” it’s said—twice", "plain words only", "naïve – and “new”"])
def test_words_are_split_at_white_space_alone(text: str) -> None:
    assert count_words(text) == len(text.split())


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("水坝是什么时候建成的？", ["水坝", "建成"]),
        ("为什么要降低水位？", ["降低", "低水", "水位"]),
        ("坝的高度是多少", ["高度"]),
        ("這座水壩有多高？", ["這座", "座水", "水壩"]),
        ("ダムはいつ完成しましたか", ["ダム", "完成"]),
        ("水位をどのように測りますか？", ["水位", "測り"]),
        ("什么", ["什么"]),
        ("Où est le barrage 水坝吗?", ["où", "est", "le", "barrage", "水坝"]),
    ],
)
def test_a_question_without_spaces_falls_into_words_where_it_asks(question, terms):
    assert question_terms(question) == terms


@pytest.mark.parametrize("size", [1, 2, 7, 40])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.75, 0.9, 1.0])
def test_a_quantile_is_that_of_numpy(size: int, share: float) -> None:
    values = np.random.default_rng(size).normal(size=size)
    for each in (values, (9 * values).astype(np.int64)):
        assert quantile(each, share) == np.quantile(each, share)
