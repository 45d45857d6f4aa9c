from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.training.batches import BatchOrder, ProcessBatches


def lengths_for(num_examples: int, grouped: bool) -> np.ndarray | None:
    return np.random.default_rng(1).integers(1, 900, num_examples) if grouped else None


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 7), st.booleans(), st.integers(0, 3))
def test_every_example_comes_once_an_epoch(num_examples, size, grouped, epoch):
    order = BatchOrder(
        num_examples=num_examples, batch_size=size, seed=3, lengths=lengths_for(num_examples, grouped)
    )
    batches = order.batches(epoch)
    assert sorted(index for batch in batches for index in batch) == list(range(num_examples))
    assert all(len(batch) <= size for batch in batches)
    assert len(batches) == -(-num_examples // size)
    assert batches == order.batches(epoch)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(1, 4), st.integers(1, 5))
def test_processes_share_the_batches_and_idle_ones_count_nothing(num_examples, size, processes):
    order = BatchOrder(num_examples=num_examples, batch_size=size, seed=0)
    shares = [list(ProcessBatches(order, rank=rank, processes=processes)) for rank in range(processes)]
    assert len({len(share) for share in shares}) == 1
    assert len(shares[0]) == len(ProcessBatches(order, processes=processes))
    in_turn = [batch for together in zip(*shares, strict=True) for batch in together]
    assert [batch for batch in in_turn if batch[0] >= 0] == order.batches(0)
    assert all(len(batch) == 1 and 0 <= ~batch[0] < num_examples for batch in in_turn if batch[0] < 0)


def test_epochs_and_seeds_have_orders_of_their_own():
    first = BatchOrder(num_examples=50, batch_size=2, seed=0)
    assert first.batches(0) != first.batches(1)
    assert first.batches(0) != BatchOrder(num_examples=50, batch_size=2, seed=1).batches(0)
    batches = ProcessBatches(first)
    assert [list(batches), list(batches)] == [first.batches(0), first.batches(1)]
    batches.epoch = 1
    assert list(batches) == first.batches(1)


def test_grouping_by_length_saves_padding_and_begins_with_the_longest():
    lengths = np.random.default_rng(0).integers(1, 1000, 400)

    def padding(order: BatchOrder) -> int:
        return sum(max(lengths[batch]) * len(batch) - sum(lengths[batch]) for batch in order.batches(0))

    plain = BatchOrder(num_examples=400, batch_size=4, seed=0)
    grouped = BatchOrder(num_examples=400, batch_size=4, seed=0, lengths=lengths)
    assert padding(grouped) < padding(plain) / 10
    assert max(lengths[grouped.batches(0)[0]]) == pytest.approx(max(lengths))
    means = [lengths[batch].mean() for batch in grouped.batches(0)]
    assert means != sorted(means, reverse=True)
