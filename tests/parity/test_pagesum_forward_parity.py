"""Forward pass, losses, gradients and training steps, against the published code's own numbers."""

from __future__ import annotations

import pytest
import torch
from pagesum_goldens import GOLDEN, load_arrays, load_json, needs_goldens, tiny_model
from safetensors.torch import load_file
from tiny_pagesum import load_published_weights
from torch.nn.functional import cross_entropy

pytestmark = needs_goldens

PAD = 1


@pytest.fixture(scope="module")
def golden() -> dict[str, torch.Tensor]:
    return load_arrays("forward.npz")


def run(model, golden, *, source="src_input_ids", pages=3, decoder_mask=True):
    source_ids = golden[source].view(2, pages, -1)
    target = golden["tgt_input_ids"]
    return model(
        input_ids=source_ids,
        attention_mask=(source_ids != PAD).long(),
        decoder_input_ids=target,
        decoder_attention_mask=(target != PAD).long() if decoder_mask else None,
    )


@pytest.mark.parametrize("weights", ["tiny_pagesum.safetensors", "bin"])
def test_forward_equals_the_published_code(golden, weights):
    model = tiny_model()
    if weights == "bin":
        state = torch.load(GOLDEN / "tiny_pagesum.bin", weights_only=True)
        assert state["lin.weight"].shape == (1, 32)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.zero_()
        load_published_weights(model, state)
    with torch.no_grad():
        output = run(model, golden)
    assert output.logits.shape == (2, 12, 120)
    assert output.confidence.shape == (2, 12, 3)
    for name, ours in {
        "logits": output.logits,
        "page_scores": output.page_scores,
        "page_weights": output.confidence,
        "decoder_last_hidden": output.decoder_last_hidden_state,
    }.items():
        torch.testing.assert_close(
            ours, golden[name], atol=1e-4, rtol=0, msg=lambda m, name=name: f"{name}: {m}"
        )
    encoded = output.encoder_last_hidden_state.flatten(1, 2)
    there = golden["encoder_valid"].bool()
    torch.testing.assert_close(encoded[there], golden["encoder_last_hidden"][there], atol=1e-4, rtol=0)


def test_forward_in_double_precision(golden):
    with torch.no_grad():
        output = run(tiny_model().double(), golden)
    torch.testing.assert_close(output.logits, golden["logits_float64"].double(), atol=1e-9, rtol=0)
    torch.testing.assert_close(output.confidence, golden["page_weights_float64"].double(), atol=1e-10, rtol=0)


def test_decoder_mask_may_be_left_out(golden):
    with torch.no_grad():
        output = run(tiny_model(), golden, decoder_mask=False)
    torch.testing.assert_close(output.logits, golden["logits_no_decoder_mask"], atol=1e-4, rtol=0)


def test_page_of_padding_takes_part_where_the_checkpoint_says_so(golden):
    with torch.no_grad():
        output = run(tiny_model(), golden, source="allpad_src_input_ids")
    torch.testing.assert_close(output.logits, golden["allpad_logits"], atol=1e-4, rtol=0)
    torch.testing.assert_close(output.confidence, golden["allpad_page_weights"], atol=1e-5, rtol=0)


def test_page_of_padding_has_no_weight_where_absent_pages_are_masked(golden):
    with torch.no_grad():
        output = run(tiny_model(mask_absent_pages=True), golden, source="allpad_src_input_ids")
    assert (output.confidence[0, :, 2] == 0).all()
    assert not torch.allclose(output.logits, golden["allpad_logits"], atol=1e-2)


def test_one_page_is_bart(golden):
    with torch.no_grad():
        output = run(tiny_model(), golden, pages=1)
    torch.testing.assert_close(output.logits, golden["logits_one_page"], atol=1e-4, rtol=0)


def test_confidence_layer_matters(golden):
    model = tiny_model()
    with torch.no_grad():
        model.confidence_layer.weight.zero_()
        output = run(model, golden)
    torch.testing.assert_close(output.logits, golden["logits_if_uniform_pages"], atol=1e-4, rtol=0)


def smoothed(logits, gold, smoothing):
    return cross_entropy(logits.flatten(0, 1), gold.flatten(), ignore_index=PAD, label_smoothing=smoothing)


def test_losses(golden):
    model = tiny_model()
    target = golden["tgt_input_ids"]
    gold = target[:, 1:]
    with torch.no_grad():
        logits = run(model, golden).logits[:, :-1]
        source = golden["src_input_ids"].view(2, 3, 16)
        own = model(
            input_ids=source,
            decoder_input_ids=target[:, :-1],
            decoder_attention_mask=(target[:, :-1] != PAD).long(),
            labels=gold.masked_fill(gold == PAD, -100),
        ).loss
    assert own.item() == pytest.approx(golden["loss_ce"].item(), abs=2e-5)
    assert smoothed(logits, gold, 0.0).item() == pytest.approx(golden["loss_ce"].item(), abs=2e-5)
    assert smoothed(logits, gold, 0.1).item() == pytest.approx(golden["loss_smooth"].item(), abs=2e-5)
    for document in range(2):
        one = smoothed(logits[document, None], gold[document, None], 0.1)
        assert one.item() == pytest.approx(golden["loss_smooth_per_doc"][document].item(), abs=2e-5)


def published_name(name: str) -> str:
    return name.replace("confidence_layer.", "lin.")


def test_gradients_and_five_adam_steps(golden):
    recorded = load_json("training.json")["adam_lr1e-3"]
    expected = load_file(GOLDEN / "train_grads_step0.safetensors")
    model = tiny_model().train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    gold = golden["tgt_input_ids"][:, 1:]
    losses = []
    for step in range(6):
        optimizer.zero_grad()
        loss = smoothed(run(model, golden).logits[:, :-1], gold, 0.1)
        losses.append(loss.item())
        loss.backward()
        if step == 0:
            gradients = {published_name(name): p.grad for name, p in model.named_parameters()}
            assert gradients.keys() == expected.keys()
            for name, gradient in gradients.items():
                torch.testing.assert_close(
                    gradient, expected[name], atol=2e-4, rtol=1e-3, msg=lambda m, name=name: f"{name}: {m}"
                )
        if step < 5:
            optimizer.step()
    assert losses[:5] == pytest.approx(recorded["losses_before_each_step"], abs=2e-3)
    assert losses[5] == pytest.approx(recorded["loss_after_last_step"], abs=2e-3)
