"""Steps of training as the published code takes them, on its tiny random weights."""

from __future__ import annotations

import pytest
import torch
from pagesum_goldens import load_arrays, load_json, needs_goldens, tiny_model

from lsum_cli.training.optimisation import batch_loss, learning_rate, make_optimizer
from lsum_cli.training.settings import Optimizer, Schedule, TrainingSettings

pytestmark = needs_goldens
PAD = 1
SMOOTHING = 0.1
# Their gradient is zero up to rounding, so that Adam moves them by noise.
SHIFTS = ("k_proj.bias", "confidence_layer.bias")


@pytest.fixture(scope="module")
def golden() -> dict:
    return load_json("training.json")


@pytest.fixture(scope="module")
def batch() -> dict[str, torch.Tensor]:
    arrays = load_arrays("forward.npz")
    sources, targets = arrays["src_input_ids"].long(), arrays["tgt_input_ids"].long()
    # The published code feeds the reference itself, and learns what follows each of its tokens.
    labels = targets[:, 1:].clone()
    labels[labels == PAD] = -100
    return {
        "input_ids": sources,
        "attention_mask": (sources != PAD).long(),
        "decoder_input_ids": targets[:, :-1],
        "decoder_attention_mask": (targets[:, :-1] != PAD).long(),
        "labels": labels,
    }


def one(batch: dict[str, torch.Tensor], document: int) -> dict[str, torch.Tensor]:
    return {name: value[document : document + 1] for name, value in batch.items()}


def name_of(parameter: str) -> str:
    return parameter.replace("confidence_layer.", "lin.")


def test_the_smoothed_loss_is_the_published_one(batch):
    arrays = load_arrays("forward.npz")
    model = tiny_model()
    for smoothing, name in ((SMOOTHING, "loss_smooth"), (0.0, "loss_ce")):
        loss, _ = batch_loss(model, dict(batch), smoothing, None)
        assert loss.item() == pytest.approx(float(arrays[name]), abs=1e-4)
        alone = [batch_loss(model, one(batch, i), smoothing, None)[0].item() for i in range(2)]
        assert alone == pytest.approx(arrays[f"{name}_per_doc"].tolist(), abs=1e-4)


@pytest.mark.parametrize("optimizer", [Optimizer.ADAM, Optimizer.ADAFACTOR])
def test_five_steps_are_the_published_ones(golden, batch, optimizer):
    recorded = golden[f"{optimizer.value}_lr1e-3"]
    model = tiny_model().train()
    settings = TrainingSettings(optim=optimizer, learning_rate=1e-3)
    steps = make_optimizer(model, settings)
    losses = []
    for step in range(5):
        loss, _ = batch_loss(model, dict(batch), SMOOTHING, None)
        losses.append(loss.item())
        loss.backward()
        if not step:
            norms = {name_of(name): float(p.grad.norm()) for name, p in model.named_parameters()}
            for name, norm in norms.items():
                assert norm == pytest.approx(recorded["grad_norm_step0"][name], rel=1e-3, abs=1e-4)
        steps.step()
        steps.zero_grad()
    losses.append(batch_loss(model, dict(batch), SMOOTHING, None)[0].item())
    expected = [*recorded["losses_before_each_step"], recorded["loss_after_last_step"]]
    assert losses == pytest.approx(expected, rel=2e-4)
    for name, parameter in model.named_parameters():
        if not name.endswith(SHIFTS):
            assert parameter.norm().item() == pytest.approx(
                recorded["param_norm_after"][name_of(name)], rel=1e-4
            )


def test_accumulated_gradients_are_those_of_the_whole_batch_and_the_published_ones(golden, batch):
    by_tokens, by_documents = tiny_model(), tiny_model()
    tokens = int((batch["labels"] != -100).sum())
    for document in range(2):
        batch_loss(by_tokens, one(batch, document), SMOOTHING, tokens)[0].backward()
        (batch_loss(by_documents, one(batch, document), SMOOTHING, None)[0] / 2).backward()
    whole = golden["adam_lr1e-3"]["grad_norm_step0"]
    published = golden["accumulated_batch1_x2_grad_norm"]
    differing = 0
    for (name, ours), theirs in zip(by_tokens.named_parameters(), by_documents.parameters(), strict=True):
        # Ours: every token counts the same. The published code lets every document count the same.
        assert float(ours.grad.norm()) == pytest.approx(whole[name_of(name)], rel=1e-3, abs=1e-4)
        assert float(theirs.grad.norm()) == pytest.approx(published[name_of(name)], rel=1e-3, abs=1e-4)
        differing += not torch.allclose(ours.grad, theirs.grad, rtol=1e-2, atol=1e-3)
    assert differing > 20


def test_the_rate_is_that_of_equation_11(golden):
    settings = TrainingSettings(
        learning_rate=2e-3, warmup_steps=10_000, lr_scheduler_type=Schedule.INVERSE_SQRT_SCALED
    )
    for step, rate in golden["lr_schedule"].items():
        assert learning_rate(settings, int(step), 10**6) == pytest.approx(rate, rel=1e-12)
