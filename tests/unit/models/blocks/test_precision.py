from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from lsum_cli.errors import OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks import precision as precision_module
from lsum_cli.models.blocks.precision import (
    CompactLinear,
    PlainLinear,
    Preparation,
    round_to_bytes,
    survives_float16,
)

CPU = torch.device("cpu")
TOLERANCE = {Precision.FLOAT32: 1e-5, Precision.BFLOAT16: 0.04, Precision.FLOAT16: 5e-3, Precision.INT8: 0.08}


def prepare(precision: Precision, **settings) -> Preparation:
    try:
        return Preparation(precision, **settings)
    except OptionError:
        pytest.skip(f"this processor cannot compute {precision}")


@pytest.fixture(params=["packed", "plain"])
def packing(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(precision_module, "_packs", lambda dtype: False)
    return request.param


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("activation", [None, "gelu", "relu"])
def test_layers_side_by_side(precision, activation, packing):
    torch.manual_seed(0)
    layers = [nn.Linear(48, 32), nn.Linear(48, 16, bias=False)]
    inputs = torch.randn(5, 3, 48)
    preparation = prepare(precision)
    prepared = preparation.linear(*layers, rows=15, activation=activation)
    with torch.no_grad():
        expected = torch.cat([layer(inputs) for layer in layers], dim=-1)
        if activation:
            expected = getattr(nn.functional, activation)(expected)
        outputs = prepared(inputs.to(preparation.dtype))
    assert outputs.dtype == preparation.dtype
    assert outputs.shape == (5, 3, 48)
    error = (outputs.float() - expected).abs().max()
    assert error < TOLERANCE[precision]


def test_int8_keeps_what_is_far_from_zero_exact_to_its_step():
    preparation = prepare(Precision.INT8)
    layer = nn.Linear(16, 16, bias=False)
    with torch.no_grad():
        layer.weight.copy_(torch.eye(16))
    prepared = preparation.linear(layer, rows=2)
    inputs = torch.linspace(3.0, 11.0, 16).expand(2, -1).to(preparation.dtype)
    # 0 is always among the 256 steps, so that a step is 11 / 255.
    assert (prepared(inputs).float() - inputs.float()).abs().max() < 11 / 255 / 2 + 0.04
    assert (prepared(torch.zeros_like(inputs)) == 0).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("factor", "shift"), [(1.0, 0), (1.0, 128), (1.0, 255), (37.5, 17), (1e-3, 200)])
def test_rounding_to_bytes_rounds_to_the_nearest(dtype, factor, shift, monkeypatch):
    monkeypatch.setattr(precision_module, "ROUNDED_AT_ONCE", 100)  # several parts, the last one shorter
    inputs = ((torch.linspace(-0.5, 255.0, 1029) - shift) / factor).to(dtype).view(3, 343)
    exact = inputs.double() * factor + shift
    inside = (exact >= -0.5) & (exact <= 255.5)
    rounded = round_to_bytes(inputs, factor, shift)
    assert rounded.dtype == torch.uint8
    assert ((rounded.double() - exact).abs()[inside] <= 0.5 + 1e-4).all()


@pytest.mark.parametrize("precision", Precision)
def test_released_weights_are_gone_from_the_module(precision):
    layer, kept = nn.Linear(16, 16), nn.Linear(16, 16)
    expected = layer(torch.ones(1, 16))
    prepared = prepare(precision, release=True).linear(layer, rows=1)
    prepare(precision).linear(kept, rows=1)
    assert layer.weight.numel() == 0
    assert kept.weight.numel() == 256
    with torch.no_grad():
        outputs = prepared(torch.ones(1, 16, dtype=Preparation(precision).dtype))
    assert_close(outputs.float(), expected, atol=0.05, rtol=0)


def test_vocabulary_stays_in_float32(packing):
    torch.manual_seed(1)
    weight, bias = torch.randn(100, 32), torch.randn(100)
    prepared = Preparation(Precision.BFLOAT16).exact_linear(weight, bias, rows=4)
    inputs = torch.randn(4, 32)
    assert_close(prepared(inputs), inputs @ weight.T + bias, atol=1e-4, rtol=0)
    assert isinstance(prepared, PlainLinear) == (packing == "plain")


@pytest.mark.parametrize("has_kernel", [True, False])
def test_a_compact_matrix_loses_nothing_of_bfloat16_weights(has_kernel, monkeypatch):
    if not has_kernel:
        monkeypatch.setattr(precision_module, "keeps_compact", lambda: False)
    elif not precision_module.keeps_compact():
        pytest.skip("this processor has no such product")
    torch.manual_seed(2)
    weight, inputs = torch.randn(100, 33).bfloat16().float(), torch.randn(7, 33)
    for bias in (None, torch.randn(100)):
        prepared = Preparation(Precision.FLOAT32).compact_linear(weight, bias, rows=3)
        assert isinstance(prepared, CompactLinear) == has_kernel
        expected = inputs @ weight.T + (0 if bias is None else bias)
        assert_close(prepared(inputs), expected, atol=1e-5, rtol=0)


def test_a_matrix_beyond_float16_is_not_made_compact():
    weight = torch.full((4, 4), 1e6)
    prepared = Preparation(Precision.FLOAT32).compact_linear(weight, rows=1)
    assert not isinstance(prepared, CompactLinear)
    assert_close(prepared(torch.ones(1, 4)), torch.full((1, 4), 4e6))


@pytest.mark.parametrize(
    ("weights", "survives"),
    [
        ([1.0, 3.14062, -1e-7, 60000.0], False),
        ([1.0, -0.333], False),
        ([1.0, 1.5, 1e-9], True),
        ([1e6], False),
    ],
)
def test_what_16_bits_keep(weights, survives):
    assert survives_float16(torch.tensor(weights)) == survives
    assert survives_float16(torch.randn(50).bfloat16())


def test_int8_is_refused_where_it_cannot_be_computed(monkeypatch):
    with pytest.raises(OptionError, match="--dtype int8"):
        Preparation(Precision.INT8, torch.device("cuda"))
    monkeypatch.setattr(precision_module, "computes_int8", lambda: False)
    with pytest.raises(OptionError, match="--dtype int8"):
        Preparation(Precision.INT8)


@pytest.mark.parametrize("precision", [Precision.FLOAT32, Precision.BFLOAT16])
def test_scores_of_a_vocabulary_are_exact_in_float32_and_close_below(precision):
    generator = torch.Generator().manual_seed(4)
    weight, bias = torch.randn(300, 64, generator=generator) / 8, torch.randn(300, generator=generator)
    inputs = torch.randn(4, 64, generator=generator)
    with torch.inference_mode():
        scores = Preparation(precision).vocabulary(weight, bias, rows=4)(inputs)
        exact = Preparation(Precision.FLOAT32).exact_linear(weight, bias, rows=4)(inputs)
    assert scores.dtype == torch.float32
    if precision is Precision.FLOAT32:
        assert torch.equal(scores, exact)
    else:
        # Half a unit in the last of 11 digits of each of 64 products of size 1/8, with a margin of 3 deviations.
        assert (scores - exact).abs().max() < 3 * 64**0.5 / 8 * 2.0**-11
