"""Which window a reference sentence belongs to, and the tokens that say so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.models.windowing.windows import WindowLayout
from lsum_cli.training.window_shift_labels import (
    EmbeddingSimilarity,
    RougeSimilarity,
    TfidfSimilarity,
    insert_shifts,
    running_maximum,
    windows_of_sentences,
)

SHIFT = 4
EMBEDDINGS = np.random.default_rng(0).standard_normal((60, 40)).astype(np.float32)
SIMILARITIES = (EmbeddingSimilarity(embeddings=EMBEDDINGS), TfidfSimilarity(), RougeSimilarity())


def ids(*sentences):
    return [np.array(sentence, np.int64) for sentence in sentences]


def test_the_running_maximum_of_the_paper():
    assert running_maximum([1, 3, 2, 4, 3]) == [1, 3, 3, 4, 4]
    assert running_maximum([]) == []


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.lists(st.integers(5, 99), max_size=6), st.integers(0, 3)), max_size=8),
    st.integers(0, 3),
)
def test_labels_inserted_and_removed_are_the_reference(parts, beyond):
    sentences = ids(*(words for words, _ in parts))
    windows = np.cumsum([steps for _, steps in parts]).tolist()
    last = (windows[-1] if windows else 0) + beyond
    labelled, places = insert_shifts(sentences, windows, SHIFT, last=last)
    assert labelled[labelled != SHIFT].tolist() == [word for words, _ in parts for word in words]
    assert len(places) == len(labelled)
    # All windows are gone through, also those behind the last sentence.
    assert (labelled == SHIFT).sum() == last
    # A shift stands in the window it leaves; what follows, in the next.
    for token, here, there in zip(labelled, places, places[1:], strict=False):
        assert there - here == (token == SHIFT)
    written = [window for (words, _), window in zip(parts, windows, strict=True) for _ in words]
    assert places[labelled != SHIFT].tolist() == written


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda each: type(each).__name__)
def test_the_most_similar_sentence_is_found(similarity):
    source = ids([10, 11, 12, 13], [20, 21, 22], [30, 31, 32, 33, 34], [40])
    reference = ids([31, 33, 30], [12, 10, 50], [40, 41], [21])
    compared = similarity.compare(reference, source)
    assert compared.shape == (4, 4)
    assert compared.argmax(axis=1).tolist() == [2, 0, 3, 1]
    assert (compared <= 1 + 1e-5).all()


def test_rouge_is_the_f1_of_single_words_each_as_often_as_in_both():
    compared = RougeSimilarity().compare(
        ids([10, 10, 11], [12]), ids([10, 11, 11, 13], [], [10, 10, 10, 10, 10])
    )
    assert compared.tolist() == [
        [pytest.approx(2 * 2 / 7), 0, pytest.approx(2 * 2 / 8)],
        [0, 0, 0],
    ]


def test_tfidf_hears_rare_words_and_words_beyond_the_vocabulary():
    source = ids([10, 11], [10, 12], [10, 900])
    assert TfidfSimilarity().compare(ids([10, 900]), source).argmax() == 2
    common, rare = TfidfSimilarity().compare(ids([10], [12]), source)[:, 1]
    assert rare > common > 0
    # The cosine, written down once more.
    vectors = []
    for sentence in (*source, np.array([10, 12])):
        vector = np.zeros(901)
        for word in sentence:
            having = sum(word in other for other in source)
            vector[word] += np.log(4 / (1 + having)) + 1
        vectors.append(vector / np.linalg.norm(vector))
    expected = [float(vectors[3] @ vector) for vector in vectors[:3]]
    assert TfidfSimilarity().compare(ids([10, 12]), source)[0].tolist() == pytest.approx(expected, abs=1e-5)


def test_sums_of_embeddings_are_compared_by_cosine():
    source, reference = ids([5, 6, 7, 2, 99], [8]), ids([6, 5], [99, 1])
    sums = [EMBEDDINGS[[5, 6, 7]].sum(0), EMBEDDINGS[8]]
    wanted = EMBEDDINGS[[5, 6]].sum(0)
    expected = [float(wanted @ each / np.linalg.norm(wanted) / np.linalg.norm(each)) for each in sums]
    found = EmbeddingSimilarity(embeddings=EMBEDDINGS).compare(reference, source)
    assert found[0].tolist() == pytest.approx(expected, abs=1e-5)
    assert found[1].tolist() == [0, 0]  # only words beyond the vocabulary, and special tokens


def test_a_sentence_in_several_windows_belongs_to_the_last():
    layout = WindowLayout(num_tokens=30, window_len=10, stride=5)
    starts = np.array([0, 4, 5, 9, 10, 24, 28])
    similarity = np.eye(7, dtype=np.float32)
    assert windows_of_sentences(similarity, starts, layout) == [0, 0, 1, 1, 2, 4, 4]


def test_what_is_similar_to_nothing_stays_where_the_summary_is():
    layout = WindowLayout(num_tokens=40, window_len=10, stride=10)
    starts = np.array([0, 10, 20, 30])
    similarity = np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]], np.float32)
    assert windows_of_sentences(similarity, starts, layout) == [0, 2, 2, 2]
    assert windows_of_sentences(np.zeros((2, 0), np.float32), np.zeros(0, np.int64), layout) == [0, 0]


@pytest.mark.parametrize("similarity", SIMILARITIES, ids=lambda each: type(each).__name__)
def test_empty_sentences_and_texts_give_numbers(similarity):
    for reference, source in (
        (ids([], [5]), ids([], [5], [])),
        (ids([]), ids([])),
        ([], ids([7])),
        (ids([7]), []),
    ):
        compared = similarity.compare(reference, source)
        assert compared.shape == (len(reference), len(source))
        assert np.isfinite(compared).all()
