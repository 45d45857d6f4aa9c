from __future__ import annotations

import platform
import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention
from torch.testing import assert_close

from lsum_cli.models.blocks import attention, kv_cache
from lsum_cli.models.blocks.attention import (
    attend,
    attend_within_pages,
    batches_by_length,
    group_by_length,
    packs_pages,
)
from lsum_cli.models.blocks.kv_cache import STEPS_BETWEEN_PRUNINGS, BeamCache, PageMemory

LENGTHS = st.lists(st.integers(1, 1024), min_size=1, max_size=40)


@given(lengths=LENGTHS, waste=st.sampled_from([0.0, 0.06, 0.5]))
def test_groups_hold_every_item_once_and_pad_little(lengths, waste):
    groups = group_by_length(lengths, waste=waste)
    assert sorted(item for group in groups for item in group.items) == list(range(len(lengths)))
    for group in groups:
        inside = [lengths[item] for item in group.items]
        assert max(inside) == group.length
        assert min(inside) >= (1 - waste) * group.length
    if waste == 0.0:
        assert len(groups) == len(set(lengths))


@given(lengths=LENGTHS, max_tokens=st.integers(1, 4000))
def test_batches_hold_every_item_once_and_no_more_than_fits(lengths, max_tokens):
    batches = list(batches_by_length(lengths, max_tokens=max_tokens))
    assert sorted(item for batch in batches for item in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or sum(lengths[item] for item in batch) <= max_tokens


def test_attention_in_bfloat16_is_close_to_float32(monkeypatch):
    torch.manual_seed(0)
    query, key, value = (torch.randn(2, 4, 40, 16) for _ in range(3))
    bias = torch.zeros(2, 1, 1, 40).masked_fill(torch.rand(2, 1, 1, 40) < 0.3, float("-inf"))
    expected = scaled_dot_product_attention(query[:, :, :3], key, value, attn_mask=bias)
    halves = [tensor.bfloat16() for tensor in (query, key, value)]
    ours = attend(halves[0][:, :, :3], halves[1], halves[2], bias.bfloat16())
    assert_close(ours.float(), expected, atol=0.03, rtol=0)
    monkeypatch.setattr(attention, "BLOCKWISE_FROM", 1)
    assert_close(
        attend_within_pages(*halves).float(),
        scaled_dot_product_attention(query, key, value),
        atol=0.03,
        rtol=0,
    )


def test_page_memory_reads_every_page_alone():
    torch.manual_seed(0)
    lengths = [9, 30, 29, 3, 30]
    memory = PageMemory(lengths, layers=2, heads=2, dim=4, dtype=torch.float32, device=torch.device("cpu"))
    assert sorted(memory.order) == [0, 1, 2, 3, 4]
    stored = [[torch.randn(length, 2, 2, 4) for length in lengths] for _ in range(2)]
    for layer in range(2):
        for page, projected in enumerate(stored[layer]):
            memory.write(layer, page, 0, projected[:2])
            memory.write(layer, page, 2, projected[2:])
    places = list(range(5))
    for kept in (places, [0, 2, 4], [1]):  # first all, then fewer of those left
        memory.keep(kept)
        places = [places[place] for place in kept]
        query = torch.randn(len(places), 2, 3, 4)
        for layer in range(2):
            found = memory.attend(layer, query)
            for row, place in enumerate(places):
                key, value = stored[layer][memory.order[place]].permute(1, 2, 0, 3).unsqueeze(1)
                expected = scaled_dot_product_attention(query[row, None], key, value)
                assert_close(found[row, None], expected)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="others may pack none")
def test_pages_are_packed_on_common_processors():
    """A wrong result would make the program, and the tests of packed pages, do without."""
    assert packs_pages(torch.float32)


@pytest.mark.parametrize("beams", [1, 4, 7])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_packed_pages_are_read_as_before_also_by_twins_and_with_documents_finished(dtype, beams, monkeypatch):
    if not packs_pages(dtype):
        pytest.skip("this processor packs no pages")
    monkeypatch.setattr(kv_cache, "PACKED_FROM_NUMBERS", 1)
    monkeypatch.setattr(kv_cache, "PACKED_FROM_BEAMS", {dtype: 1})
    torch.manual_seed(0)
    # Documents 0, 1 and 2, whose pages are of three groups: about 50, about 20 and 7 tokens.
    lengths, document_of = [50, 20, 49, 50, 48, 20, 7], [0, 0, 1, 1, 2, 2, 2]
    sizes = {"layers": 2, "heads": 3, "dim": 8, "dtype": dtype, "device": torch.device("cpu")}
    memory, plain = PageMemory(lengths, **sizes), PageMemory(lengths, **sizes)
    for layer in range(2):
        for page, length in enumerate(lengths):
            projected = torch.randn(length, 2, 3, 8).to(dtype)
            for each in (memory, plain):
                each.write(layer, page, 0, projected)
    owners = [document_of[page] for page in memory.order]
    twin = memory.shared()
    memory.pack(owners, beams=beams, steps=1)
    assert not any(group._packed for group in memory._groups), "it does not pay for a single step"
    memory.pack(owners, beams=beams, steps=1000)
    assert all(len(group._packed) == 2 for group in twin._groups), "those who share pages share the packed"

    def compare(packed, plain):
        query = torch.randn(len(owners), beams, 3, 8).transpose(1, 2).to(dtype)
        for layer in range(2):
            assert_close(
                packed.attend(layer, query),
                plain.attend(layer, query),
                atol=1e-5 if dtype is torch.float32 else 0.03,
                rtol=0,
            )

    compare(memory, plain)
    for gone in (1, 0):
        kept = [place for place, owner in enumerate(owners) if owner != gone]
        owners = [owners[place] for place in kept]
        memory.keep(kept)
        plain.keep(kept)
        compare(memory, plain)
    owners = [document_of[page] for page in twin.order]
    kept = [place for place, owner in enumerate(owners) if owner == 2]
    assert twin.attend(0, torch.randn(7, 3, beams, 8).to(dtype)).shape == (7, 3, beams, 8)
    twin.keep(kept)
    owners = [2] * 3
    compare(twin, plain)
    both = PageMemory([9, 9], **sizes)
    both.pack([0, 0], beams=4, steps=1000)
    with pytest.raises(RuntimeError, match="together"):
        both.keep([0])


@pytest.mark.parametrize("seed", range(4))
def test_beam_cache_is_what_copying_would_give(seed):
    """Through three prunings, and the loss of a document: every beam sees its own past, nothing else."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    beams, heads, dim = 3, 2, 4
    owners = torch.tensor([0, 1, 0, 2, 1])
    cache = BeamCache(
        layers=1, owners=owners, documents=3, beams=beams, heads=heads, dim=dim,
        dtype=torch.float32, device=torch.device("cpu"),
    )  # fmt: skip
    past = torch.zeros(5, beams, 0, 2, heads, dim)  # of every page and beam, copied around
    longest = 0
    for step in range(3 * STEPS_BETWEEN_PRUNINGS + 5):
        if step == 50:
            documents, pages = torch.tensor([0, 2]), torch.tensor([0, 2, 3])
            owners = torch.tensor([0, 0, 1])
            cache.keep(documents, pages, owners)
            past = past[pages]
        count = int(owners.max()) + 1
        parents = torch.tensor([[chance.randrange(beams) for _ in range(beams)] for _ in range(count)])
        cache.begin_step(parents)
        query, key, value = torch.randn(3, len(owners), heads, beams, dim)
        past = past[torch.arange(len(owners)).unsqueeze(1), parents[owners]]
        fresh = torch.stack([key, value], dim=1).permute(0, 3, 1, 2, 4).unsqueeze(2)
        past = torch.cat([past, fresh], dim=2)  # (pages, beams, steps, 2, heads, dim)
        found = attend(query, *cache.extend(0, torch.stack([key, value])))
        for page in range(len(owners)):
            for beam in range(beams):
                own_key, own_value = past[page, beam].permute(1, 2, 0, 3)
                expected = scaled_dot_product_attention(query[page, :, beam, None], own_key, own_value)
                assert_close(found[page, :, beam, None], expected, atol=1e-5, rtol=0)
        longest = max(longest, cache.capacity)
    # Without pruning it would hold every beam of every step.
    assert longest < 2 * beams * STEPS_BETWEEN_PRUNINGS + past.shape[2]
