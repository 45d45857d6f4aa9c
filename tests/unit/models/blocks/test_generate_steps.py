"""Steps of ``generate`` made quick: what is computed stays the same."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tiny_models import save_family
from torch.nn import functional
from transformers import AutoModelForSeq2SeqLM

from lsum_cli.models.blocks import generate_steps
from lsum_cli.models.blocks.generate_steps import attend_in_steps, make_cache

ROWS, HEADS, LENGTH, DIM = 4, 3, 20, 16


def draw(queries: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    shapes = ((ROWS, HEADS, queries, DIM), *((ROWS, HEADS, LENGTH, DIM),) * 2)
    query, key, value = (torch.randn(shape, generator=generator).bfloat16() for shape in shapes)
    return query, key, value


@pytest.mark.parametrize("kind", ["none", "bool", "float"])
@pytest.mark.parametrize("scaling", [None, 1.0])
@pytest.mark.parametrize("queries", [1, 5])
def test_attention_is_that_of_the_fused_kernel(kind, scaling, queries):
    module = torch.nn.Module().eval()
    module.is_causal = False
    query, key, value = draw(queries)
    is_seen = torch.arange(LENGTH) < torch.tensor([LENGTH, 3, 9, 1])[:, None]
    mask = is_seen[:, None, None, :].expand(-1, 1, queries, -1)
    given = {
        "none": None,
        "bool": mask,
        "float": torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, float("-inf")),
    }[kind]
    found, weights = generate_steps._attend(module, query, key, value, given, scaling=scaling)
    expected = functional.scaled_dot_product_attention(
        query.float(), key.float(), value.float(), attn_mask=None if kind == "none" else mask, scale=scaling
    ).transpose(1, 2)
    assert weights is None
    assert found.shape == (ROWS, queries, HEADS, DIM)
    torch.testing.assert_close(found.float(), expected, atol=0.03, rtol=0.03)


@pytest.mark.parametrize("is_padded", [False, True])
def test_hypotheses_that_share_a_source_attend_as_each_alone(is_padded):
    module = torch.nn.Module().eval()
    module.is_causal = False
    query, key, value = draw(1)
    key, value = (each[::2].repeat_interleave(2, 0) for each in (key, value))
    mask = None
    if is_padded:
        is_seen = torch.arange(LENGTH) < torch.tensor([LENGTH, LENGTH, 3, 3])[:, None]
        mask = is_seen[:, None, None, :]
    stored = make_cache(2).cross_attention_cache.update(key, value, 0)
    found, _ = generate_steps._attend(module, query, *stored, mask)
    alone, _ = generate_steps._attend(module, query, key, value, mask)
    assert found.shape == (ROWS, 1, HEADS, DIM)
    torch.testing.assert_close(found.float(), alone.float(), atol=0.01, rtol=0.01)
    # One copy for both is what is read: another one for the second would not be noticed.
    stored[0][1::2] = 0
    again, _ = generate_steps._attend(module, query, *stored, mask)
    assert torch.equal(again, found)


def test_nothing_is_copied_that_no_step_reads():
    _, key, value = draw(1)
    for dtype, is_copied in ((torch.bfloat16, True), (torch.float32, False)):
        stored = make_cache(2).cross_attention_cache.update(key.to(dtype), value.to(dtype), 0)
        assert [hasattr(each, "lsum_shared") for each in stored] == [is_copied] * 2


@pytest.fixture(scope="module", params=["bart", "t5", "led", "bigbird_pegasus"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_family(tmp_path_factory.mktemp("models") / request.param, request.param)


def test_beams_that_keep_their_source_in_place_write_the_same(folder):
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    ids = torch.randint(5, 30, (3, 12), generator=torch.Generator().manual_seed(1))
    wishes = {"num_beams": 3, "max_new_tokens": 14, "min_new_tokens": 14, "do_sample": False}
    with torch.inference_mode():
        usual = model.generate(ids, attention_mask=torch.ones_like(ids), **wishes)
        quick = model.generate(
            ids, attention_mask=torch.ones_like(ids), past_key_values=make_cache(3), **wishes
        )
    assert quick.tolist() == usual.tolist()


def test_a_model_is_told_only_where_that_is_quicker(folder):
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    before = model.config._attn_implementation
    attend_in_steps(model)
    assert model.config._attn_implementation == before, "float32 is quick as it is"
    attend_in_steps(model.bfloat16())
    assert (model.config._attn_implementation != before) == (before == "sdpa")
    ids = torch.randint(5, 30, (2, 12), generator=torch.Generator().manual_seed(1))
    ids[1, 8:] = 1
    with torch.inference_mode():
        written = model.generate(ids, attention_mask=(ids != 1).long(), num_beams=2, max_new_tokens=6)
    assert len(written) == 2
