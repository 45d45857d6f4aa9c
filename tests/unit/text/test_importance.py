"""Labels of important words: what the reference says too, spread to tokens."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.errors import MissingDependency
from lsum_cli.text.importance import (
    choose_sentences,
    content_lemmas,
    find_words_of_tokens,
    label_words,
    lemmatizer,
    spread_scores,
)
from lsum_cli.text.terms import word_spans


def _important(text: str, reference: str, language: str | None = "en") -> list[str]:
    (labels,) = label_words([text], reference, language=language)
    triples = zip(labels.starts, labels.ends, labels.important, strict=True)
    return [text[start:end] for start, end, important in triples if important]


def test_words_whose_lemma_the_reference_uses_are_important() -> None:
    text = "The mice were studied; 3.5 mg was given to the running Mouse, never to rats."
    assert _important(text, "A study of a mouse that ran on 3.5 mg.") == [
        "mice",
        "studied",
        "3.5",
        "mg",
        "running",
        "Mouse",
    ]


def test_stop_words_are_never_important() -> None:
    assert _important("The cat is on the mat, and they were not.", "They were not on the sofa.") == []
    assert content_lemmas("It is what they were.") == frozenset()


def test_stop_words_are_those_of_english_alone() -> None:
    assert _important("Das Haus ist alt", "Das Häuser ist neu", language="de") == ["Das", "Haus", "ist"]


def test_a_language_without_dictionary_compares_words_as_they_stand() -> None:
    assert _important("Kahvi KAHVI kahvia", "kahvi", language="zz") == ["Kahvi", "KAHVI"]


def test_labels_are_made_text_by_text() -> None:
    labels = label_words(["One storm.", "", "No calm, storms."], "Storms!")
    assert [each.important.tolist() for each in labels] == [[False, True], [], [False, False, True]]


def test_an_empty_reference_makes_no_word_important() -> None:
    assert _important("A storm.", "") == []


def test_a_missing_dictionary_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    lemmatizer.cache_clear()
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(MissingDependency, match=r"lsum-cli\[train\]"):
        label_words(["A storm."], "Storms")
    lemmatizer.cache_clear()


def test_labels_are_spread_to_every_token_of_a_word() -> None:
    text = "unbelievable storms, here"
    (labels,) = label_words([text], "Unbelievable!")
    offsets = [(0, 0), (0, 2), (2, 9), (9, 12), (12, 19), (19, 20), (20, 25)]
    assert labels.of_tokens(offsets).tolist() == [0, 1, 1, 1, 0, 0, 0]


def test_a_token_of_two_words_counts_for_the_first() -> None:
    starts, ends = np.array([0, 4]), np.array([3, 8])
    assert find_words_of_tokens(starts, ends, [(0, 8), (3, 4), (2, 5), (8, 9)]).tolist() == [0, -1, 0, -1]


def test_scores_of_tokens_become_scores_of_words() -> None:
    scores = spread_scores(np.array([0.9, 0.2, 0.4, 0.5]), np.array([-1, 0, 0, 2]))
    assert np.allclose(scores, [0.9, 0.3, 0.3, 0.5])


@given(st.text(max_size=80))
def test_words_lie_in_order_and_never_overlap(text: str) -> None:
    spans = word_spans(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    (labels,) = label_words([text], text)
    assert (
        labels.of_tokens([(place, place + 1) for place in range(len(text))]).sum() >= labels.important.sum()
    )


def test_characters_of_scripts_without_spaces_are_words() -> None:
    assert _important("人工知能は便利です", "知能", language="ja") == ["知", "能"]


def _f1_sum(reference: list[str], chosen: list[str]) -> float:
    """ROUGE-1 plus ROUGE-2 F1 by counting, one character a token."""
    total = 0.0
    for grams in (lambda text: list(text), lambda text: list(pairwise(text))):
        ours, theirs = (
            Counter(gram for text in texts for gram in grams(text)) for texts in (chosen, reference)
        )
        both = ours.total() + theirs.total()
        total += 2 * (ours & theirs).total() / both if both else 0.0
    return total


@given(st.lists(st.text("abc", max_size=6), max_size=3), st.lists(st.text("abcd", max_size=6), max_size=7))
def test_sentences_are_chosen_one_after_another_until_none_helps(
    reference: list[str], offered: list[str]
) -> None:
    chosen = choose_sentences(reference, offered)
    expected: list[int] = []
    while True:
        scores = {
            place: _f1_sum(reference, [offered[each] for each in [*expected, place]])
            for place in range(len(offered))
            if place not in expected
        }
        best = max(scores, key=lambda place: (scores[place], -place), default=None)
        if best is None or scores[best] <= _f1_sum(reference, [offered[each] for each in expected]):
            break
        expected.append(best)
    assert chosen == sorted(expected)


def test_sentences_are_chosen_while_there_is_room() -> None:
    offered = ["x", "abcd", "efgh", "ef"]
    assert choose_sentences(["abcdefgh"], offered) == [1, 2]
    assert choose_sentences(["abcdefgh"], offered, most=1) == [1]
    lengths = [len(each) for each in offered]
    assert choose_sentences(["abcdefgh"], offered, lengths=lengths, room=6) == [1, 3]
    assert choose_sentences(["abcdefgh"], offered, lengths=lengths, room=1) == []
    assert choose_sentences([], offered) == choose_sentences(["ab"], []) == []
