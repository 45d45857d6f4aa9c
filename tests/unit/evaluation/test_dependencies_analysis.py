from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from evaluation_examples import make_example

from lsum_cli.errors import OptionError
from lsum_cli.evaluation.analyses import dependencies
from lsum_cli.evaluation.analyses.dependencies import (
    Dependencies,
    ExampleFusions,
    Fusion,
    analyse_dependencies,
    expected_histogram,
    find_fusions,
)


def fusion(first, second, num_source):
    return Fusion(
        sentence=0,
        first=first,
        second=second,
        recall=1,
        recall_first=0.5,
        recall_second=0.5,
        num_source=num_source,
    )


def recall(wanted, *sources):
    common = Counter(wanted) & Counter(itertools.chain(*sources))
    return common.total() / len(wanted)


def find_by_trying_all(wanted, source):
    """The definition, pair by pair."""
    pairs = list(itertools.combinations(range(len(source)), 2))
    if not wanted or not pairs:
        return None
    first, second = min(
        pairs, key=lambda p: (-round(recall(wanted, source[p[0]], source[p[1]]), 9), p[1] - p[0], p[0])
    )
    together = recall(wanted, source[first], source[second])
    alone = [recall(wanted, source[first]), recall(wanted, source[second])]
    if min(alone) <= 0.2 + 1e-9 or together - max(alone) <= 0.1 + 1e-9:
        return None
    return first, second, together, *alone


@pytest.mark.parametrize(
    ("wanted", "source", "expected"),
    [
        # Three words each, all six together.
        ("a b c d e f", ["a b c", "x", "d e f"], (0, 2, 1.0, 0.5, 0.5)),
        # One says it all: nothing is joined.
        ("a b c d", ["a b c d", "a b"], None),
        # The second adds a tenth and no more.
        ("a b c d e f g h i j", ["a b c d e f", "g d e"], None),
        ("a b c d e f g h i j", ["a b c d e f", "g h d"], (0, 1, 0.8, 0.6, 0.3)),
        # One of the two says a fifth and no more.
        ("a b c d e", ["a b c", "d"], None),
        # A word wanted twice is had twice, once from each.
        ("a a b c", ["a b", "a c"], (0, 1, 1.0, 0.5, 0.5)),
        # But not twice from one that has it once, nor three times.
        ("a a b b", ["a a a b", "b x"], (0, 1, 1.0, 0.75, 0.25)),
        ("", ["a", "b"], None),
        ("a b", ["a b"], None),
        ("a b", [], None),
    ],
)
def test_fusions_by_hand(wanted, source, expected):
    found = find_fusions([wanted.split()], [text.split() for text in source])
    if expected is None:
        assert found == ()
    else:
        (only,) = found
        assert (only.first, only.second) == expected[:2]
        assert (only.recall, only.recall_first, only.recall_second) == pytest.approx(expected[2:])


def test_of_equally_good_pairs_the_nearest_and_then_the_first_is_taken():
    source = [list("ab"), list("x"), list("cd"), list("ab"), list("cd")]
    (found,) = find_fusions([list("abcd")], source)
    assert (found.first, found.second) == (2, 3)


@pytest.mark.parametrize("pairs_at_once", [1 << 22, 40])
def test_all_pairs_at_once_equal_pair_by_pair(monkeypatch, pairs_at_once):
    monkeypatch.setattr(dependencies, "_PAIRS_AT_ONCE", pairs_at_once)
    chance = random.Random(3)
    found_any = 0
    for _ in range(150):
        source = [chance.choices("abcdefgh", k=chance.randint(0, 5)) for _ in range(chance.randint(2, 14))]
        wanted = chance.choices("abcdefgh", k=chance.randint(1, 9))
        expected = find_by_trying_all(wanted, source)
        found = find_fusions([wanted], source)
        if expected is None:
            assert found == ()
        else:
            (only,) = found
            assert (
                only.first,
                only.second,
                only.recall,
                only.recall_first,
                only.recall_second,
            ) == pytest.approx(expected)
            found_any += 1
    assert found_any > 50


def test_shares_and_distances_by_hand():
    result = Dependencies(
        name="reference",
        examples=(
            ExampleFusions(id="a", fusions=(fusion(0, 1, 10), fusion(2, 7, 10)), num_sentences=4),
            ExampleFusions(id="b", fusions=(fusion(0, 19, 20),), num_sentences=2),
            ExampleFusions(id="c", fusions=(), num_sentences=0),
        ),
    )
    assert result.fusion_share == 0.5
    assert result.mean_distance == pytest.approx((0.1 + 0.5 + 0.95) / 3)
    assert result.histogram(2) == pytest.approx((1 / 3, 2 / 3))
    assert sum(result.histogram()) == pytest.approx(1)


def test_a_result_without_fusions_has_no_distance():
    empty = Dependencies(name="x", examples=(ExampleFusions(id="a", fusions=(), num_sentences=0),))
    assert empty.fusion_share is None
    assert empty.mean_distance is None
    assert set(empty.histogram()) == {0}


def test_pairs_by_chance_are_distributed_as_expected():
    num = 400
    distances = [(j - i) / num for i, j in itertools.combinations(range(num), 2)]
    drawn = [
        sum(1 for d in distances if low <= d < low + 0.25) / len(distances) for low in (0, 0.25, 0.5, 0.75)
    ]
    assert expected_histogram(4) == pytest.approx(drawn, abs=0.01)


def test_documents_are_read_in_order_stemmed_and_whatever_the_order_of_examples():
    example = make_example(
        "1",
        ("The marshes starved slowly. Nothing else was said. Nothing at all.", "Dams held the river."),
        "A marsh starves, slow, by dams that hold rivers.",
    )
    other = make_example("2", ("Nothing. At all.",), "Something.")
    result = analyse_dependencies([(each, each.reference) for each in (example, other)], "reference")
    (found,) = result.fusions
    assert (found.first, found.second, found.num_source) == (0, 3, 4)
    assert found.distance == 0.75
    turned = analyse_dependencies([(each, each.reference) for each in (other, example)], "reference")
    assert turned.histogram() == result.histogram()
    assert turned.fusion_share == result.fusion_share


def test_no_summaries_are_refused():
    with pytest.raises(OptionError, match="no summaries"):
        analyse_dependencies([], "reference")
