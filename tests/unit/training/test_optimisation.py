from __future__ import annotations

import pytest
import torch
from transformers import get_cosine_schedule_with_warmup, get_linear_schedule_with_warmup

from lsum_cli.training.optimisation import learning_rate, make_optimizer, make_scheduler
from lsum_cli.training.settings import Optimizer, Schedule, TrainingSettings


def rates(schedule: Schedule, *, warmup: int = 10, steps: int = 50, peak: float = 0.5) -> list[float]:
    settings = TrainingSettings(lr_scheduler_type=schedule, warmup_steps=warmup, learning_rate=peak)
    return [learning_rate(settings, step, steps) for step in range(1, steps + 1)]


@pytest.mark.parametrize("schedule", [s for s in Schedule if s is not Schedule.INVERSE_SQRT_SCALED])
def test_rates_rise_to_the_peak_and_never_above(schedule):
    found = rates(schedule)
    assert found[:10] == pytest.approx([0.05 * step for step in range(1, 11)])
    assert max(found) == pytest.approx(0.5)
    assert min(found) > 0


@pytest.mark.parametrize(
    ("schedule", "theirs"),
    [
        (Schedule.LINEAR, get_linear_schedule_with_warmup),
        (Schedule.COSINE, get_cosine_schedule_with_warmup),
    ],
)
def test_the_usual_schedules_are_the_usual_ones_a_step_later(schedule, theirs):
    # transformers begins with rate 0, which trains nothing: ours is theirs one step on.
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.5)
    scheduler = theirs(optimizer, 10, 51)
    expected = []
    for _ in range(51):
        expected.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    assert rates(schedule) == pytest.approx(expected[1:], abs=1e-12)


def test_after_the_warm_up_the_inverse_root_falls_as_it_should():
    found = rates(Schedule.INVERSE_SQRT, steps=40)
    assert found[39] == pytest.approx(0.25)
    scaled = rates(Schedule.INVERSE_SQRT_SCALED, steps=40)
    assert scaled[9] == pytest.approx(0.5 * 10**-0.5)
    assert scaled[39] == pytest.approx(0.5 * 40**-0.5)


def test_no_warm_up_begins_at_the_peak():
    for schedule in (Schedule.LINEAR, Schedule.COSINE, Schedule.CONSTANT, Schedule.INVERSE_SQRT):
        assert rates(schedule, warmup=0)[0] == pytest.approx(0.5)


@pytest.mark.parametrize("optim", list(Optimizer))
def test_the_scheduler_sets_the_rate_of_every_step(optim):
    settings = TrainingSettings(optim=optim, learning_rate=0.5, warmup_steps=4, weight_decay=0.1)
    model = torch.nn.Linear(3, 2)
    optimizer = make_optimizer(model, settings)
    scheduler = make_scheduler(optimizer, settings, 20)
    assert [group["weight_decay"] for group in optimizer.param_groups] == [0.1, 0.0]
    for step in range(1, 8):
        for group in optimizer.param_groups:
            assert group["lr"] == pytest.approx(learning_rate(settings, step, 20))
        model(torch.ones(1, 3)).sum().backward()
        optimizer.step()
        scheduler.step()
