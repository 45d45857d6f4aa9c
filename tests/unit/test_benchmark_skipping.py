"""The study of skipped pages observes without changing anything, and counts what it says."""

from __future__ import annotations

import torch
from tiny_pagesum import random_pages, tiny_pagesum

from benchmarks.decoding.skipping import RULES, Study, observed, render, to_the_end
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.pagesum.engine import PageSumEngine

OPTIONS = GenerationOptions(beams=3, max_length=12, start_token_id=2, end_token_id=2)


def study_of(model) -> Study:
    norm = model.model.decoder.layers[-1].final_layer_norm
    return Study(norm=(norm.weight.detach(), norm.bias.detach()), vocabulary=model.lm_head.weight.detach())


def shares(study: Study) -> dict[str, float]:
    return {
        rule: sum(sum(step.skippable[rule]) for step in study.steps)
        / sum(len(step.confidence) for step in study.steps)
        for rule in RULES
    }


def test_observing_changes_no_token_and_a_rule_that_knows_less_skips_no_more():
    generator = torch.Generator().manual_seed(3)
    model = tiny_pagesum(2, spread=0.3)
    engine = PageSumEngine.prepare(model, Precision.FLOAT32)
    pages = random_pages(generator, (9, 20, 14))
    ((expected,),) = beam_search(engine.encode([pages]), OPTIONS)
    study = study_of(model)
    with observed(study):
        ((found,),) = beam_search(engine.encode([pages]), OPTIONS)
    assert found.token_ids == expected.token_ids
    assert len(study.steps) >= len(expected.token_ids) - 1
    found_shares = shares(study)
    assert 1 > found_shares["any rule"] >= found_shares["given ĉ"] >= found_shares["a priori"]
    assert "| any rule |" in render([study])


def test_one_of_two_pages_that_are_the_same_can_always_be_left_out():
    generator = torch.Generator().manual_seed(3)
    model = tiny_pagesum(2, spread=0.3)
    engine = PageSumEngine.prepare(model, Precision.FLOAT32)
    (page,) = random_pages(generator, (15,))
    study = study_of(model)
    with observed(study):
        beam_search(engine.encode([[page, page]]), OPTIONS)
    assert shares(study)["any rule"] == 1.0


def test_the_furthest_state_is_one_that_the_norm_allows_and_no_other_goes_further():
    generator = torch.Generator().manual_seed(4)
    gain, bias = torch.randn(16, generator=generator), torch.randn(16, generator=generator)
    study = Study(norm=(gain, bias), vocabulary=torch.empty(0))
    direction = torch.randn(16, generator=generator)
    state = study._furthest(direction)
    inner = (state - bias) / gain
    torch.testing.assert_close(inner.square().sum(), torch.tensor(16.0))
    others = torch.nn.functional.layer_norm(torch.randn(500, 16, generator=generator), (16,), gain, bias)
    assert (others @ direction).max() < state @ direction


def test_only_pages_that_are_skipped_from_a_step_on_count_to_the_end():
    assert to_the_end([[True, False], [True, True], [False, True]]) == 2
    assert to_the_end([[True, True]]) == 2
    assert to_the_end([[True, False], [False, False]]) == 0
