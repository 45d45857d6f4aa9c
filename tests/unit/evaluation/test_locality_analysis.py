from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from lsum_cli.cli.analyses import MAX_DISTANCE as FLAG_DEFAULT
from lsum_cli.errors import OptionError
from lsum_cli.evaluation.analyses import locality as intrinsic_locality
from lsum_cli.evaluation.analyses.locality import (
    MAX_DISTANCE,
    LocalityAnalysis,
    analyse_with_terms,
    analyse_with_vectors,
)


def unit(rows):
    rows = np.array(rows, np.float32)
    return rows / np.maximum(1e-9, np.linalg.norm(rows, axis=1, keepdims=True))


def test_similarity_by_distance_by_hand():
    analysis = LocalityAnalysis(max_distance=3, dim=2)
    analysis.add(unit([[1, 0], [1, 0], [0, 1]]))
    analysis.add(unit([[1, 0], [1, 1]]))
    curve = analysis.curve("x")
    half = math.sqrt(0.5)
    assert curve.num_pairs == (3, 1, 0)
    assert curve.similarity[:2] == pytest.approx(((1 + 0 + half) / 3, 0))
    assert math.isnan(curve.similarity[2])
    assert curve.same_document == pytest.approx((1 + 0 + 0 + half) / 4)
    # Every sentence of the one with every one of the other.
    assert curve.across_documents == pytest.approx((1 + half + 1 + half + 0 + half) / 6)
    assert (curve.num_documents, curve.num_sentences) == (2, 5)


def test_sentences_without_content_keep_their_places_and_count_for_no_pair():
    analysis = LocalityAnalysis(max_distance=2, dim=2)
    analysis.add(unit([[1, 0], [0, 0], [1, 0]]))
    curve = analysis.curve("x")
    assert curve.num_pairs == (0, 1)
    assert curve.similarity[1] == 1
    assert curve.num_sentences == 2
    assert math.isnan(curve.across_documents)


@pytest.mark.parametrize("rows_at_once", [256, 3])
def test_blocks_make_no_difference(monkeypatch, rows_at_once):
    monkeypatch.setattr(intrinsic_locality, "_ROWS_AT_ONCE", rows_at_once)
    generator = np.random.default_rng(0)
    documents = [unit(generator.normal(size=(size, 4))) for size in (1, 2, 7, 11)]
    analysis = LocalityAnalysis(max_distance=5, dim=4)
    for vectors in documents:
        analysis.add(vectors)
    curve = analysis.curve("x")
    for distance in range(1, 6):
        pairs = [
            float(v[i] @ v[j])
            for v in documents
            for i, j in itertools.combinations(range(len(v)), 2)
            if j - i == distance
        ]
        assert curve.num_pairs[distance - 1] == len(pairs)
        assert curve.similarity[distance - 1] == pytest.approx(np.mean(pairs), abs=1e-6)
    within = [float(v[i] @ v[j]) for v in documents for i, j in itertools.combinations(range(len(v)), 2)]
    across = [float(a @ b) for v, w in itertools.combinations(documents, 2) for a in v for b in w]
    assert curve.same_document == pytest.approx(np.mean(within), abs=1e-6)
    assert curve.across_documents == pytest.approx(np.mean(across), abs=1e-6)


def test_neighbours_that_share_their_words_are_alike():
    blocks = [[f"word{block}{number} topic{block} end." for number in range(4)] for block in range(6)]
    document = list(itertools.chain(*blocks))
    curve = analyse_with_terms([document], max_distance=8)
    assert curve.similarity[0] > curve.similarity[2] > curve.similarity[5]
    assert curve.measure == "TF-IDF"


def test_tf_idf_by_hand():
    curve = analyse_with_terms([["ab cd", "ab ef"]], max_distance=1)
    # idf: ab in both of two sentences, log 2; the others in one, log 3.
    shared, alone = math.log(2), math.log(3)
    assert curve.similarity[0] == pytest.approx(shared**2 / (shared**2 + alone**2))


def test_the_order_of_documents_makes_no_difference():
    documents = [["mud mud", "mud sea", "sea"], ["sea birds", "birds", "!!!"], ["one only"]]
    assert analyse_with_terms(documents).similarity[:2] == pytest.approx(
        analyse_with_terms(documents[::-1]).similarity[:2]
    )


def test_embeddings_are_compared_as_given():
    table = {"a": [1, 0], "b": [0, 1]}
    curve = analyse_with_vectors(
        [["a", "a", "b"]],
        lambda sentences: unit([table[sentence] for sentence in sentences]),
        measure="toy",
        dim=2,
        max_distance=2,
    )
    assert curve.similarity == pytest.approx((0.5, 0))
    assert curve.measure == "toy"


@pytest.mark.parametrize("documents", [[], [["one"]], [["..."], ["?", "!"]]])
def test_nothing_to_compare_is_refused(documents):
    with pytest.raises(OptionError, match="two sentences"):
        analyse_with_terms(documents)


def test_no_distance_is_refused():
    with pytest.raises(OptionError, match="--max-distance 0"):
        analyse_with_terms([["a", "b"]], max_distance=0)


def test_the_flag_has_the_default_of_the_analysis():
    assert FLAG_DEFAULT == MAX_DISTANCE
