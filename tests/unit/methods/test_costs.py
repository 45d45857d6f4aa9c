"""Costs: more work costs more, precision saves memory, and a known model comes near what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tiny_models import FAMILIES

from lsum_cli.errors import CheckpointError
from lsum_cli.machine.devices import Precision
from lsum_cli.methods.costs import ModelSizes, Work, estimate_cost
from lsum_cli.models.blocks.precision import keeps_compact

CPU = torch.device("cpu")
BART_LARGE = ModelSizes(hidden=1024, encoder_layers=12, decoder_layers=12, ffn=4096, vocab=50265)
SEVEN_PAGES = Work(page_lengths=(1024,) * 7, steps=64, passes=1, rows=28, memory_copies=1)


def test_the_memory_of_a_known_setting():
    """BART-large, 7 pages, beam 4 was measured at 2,800 MB in float32 and 1,700 MB in bfloat16."""
    for precision, measured in ((Precision.FLOAT32, 2800e6), (Precision.BFLOAT16, 1700e6)):
        estimate = estimate_cost(BART_LARGE, SEVEN_PAGES, CPU, precision).memory_bytes
        assert estimate == pytest.approx(measured, rel=0.35)


@pytest.mark.parametrize(
    "more",
    [
        replace(SEVEN_PAGES, page_lengths=(1024,) * 14),
        replace(SEVEN_PAGES, steps=640),
        replace(SEVEN_PAGES, passes=2),
        replace(SEVEN_PAGES, rows=280),
    ],
)
def test_more_work_takes_longer(more):
    less = estimate_cost(BART_LARGE, SEVEN_PAGES, CPU, Precision.FLOAT32)
    assert estimate_cost(BART_LARGE, more, CPU, Precision.FLOAT32).seconds > less.seconds


def test_beams_that_share_their_pages_need_less():
    copied = estimate_cost(BART_LARGE, replace(SEVEN_PAGES, memory_copies=4), CPU, Precision.FLOAT32)
    shared = estimate_cost(BART_LARGE, SEVEN_PAGES, CPU, Precision.FLOAT32)
    assert shared.memory_bytes < copied.memory_bytes


def test_a_vocabulary_counts_as_it_is_kept():
    def weights(precision: Precision, work: Work) -> int:
        return estimate_cost(BART_LARGE, work, CPU, precision).memory_bytes

    numbers = BART_LARGE.embedding_weights
    as_embedded = replace(SEVEN_PAGES, has_own_vocabulary=False)
    own = {each: weights(each, SEVEN_PAGES) - weights(each, as_embedded) for each in Precision}
    assert own[Precision.FLOAT32] == 4 * numbers
    compact = 2 if keeps_compact() else 4
    assert {own[each] for each in Precision if each is not Precision.FLOAT32} == {compact * numbers}


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_sizes_of_every_architecture_are_found(family):
    import transformers

    name, sizes, _ = FAMILIES[family]
    config = getattr(transformers, f"{name}Config")(vocab_size=200, **sizes).to_dict()
    assert ModelSizes.of(config) == ModelSizes(
        hidden=32, encoder_layers=1, decoder_layers=1, ffn=64, vocab=200
    )


@pytest.mark.parametrize("spoilt", [{"d_model": 0}, {"vocab_size": None}, {"encoder_layers": "12"}])
def test_nonsense_is_refused(spoilt):
    config = {"d_model": 8, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 8, "vocab_size": 9}
    with pytest.raises(CheckpointError, match="damaged"):
        ModelSizes.of(config | spoilt)
