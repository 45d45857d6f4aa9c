"""What must hold for any weights (Liu et al. 2022, Eqs. 6-9), in both forms of the model."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_pagesum import VOCAB, padded, random_pages, tiny_bart, tiny_pagesum
from torch.testing import assert_close

from lsum_cli.machine.devices import Precision
from lsum_cli.models.pagesum.engine import PageSumEngine
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

LENGTHS = (32, 7, 32, 1, 30)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(11)


@pytest.fixture
def target(generator) -> torch.Tensor:
    return torch.randint(3, VOCAB, (9,), generator=generator)


def module_forward(model, documents, target):
    """Return log probabilities (batch, target_len, vocab) and the confidence of each document."""
    input_ids, mask = padded(documents)
    with torch.no_grad():
        output = model(input_ids, attention_mask=mask, decoder_input_ids=target.expand(len(documents), -1))
    confidence = [
        weights[:, : len(document)] for weights, document in zip(output.confidence, documents, strict=True)
    ]
    return output.logits.log_softmax(dim=-1), confidence


def engine_forward(model, documents, target):
    """The same, token by token."""
    decoder = PageSumEngine.prepare(model, Precision.FLOAT32).encode(documents)
    decoder.start(1, 64)
    rows = torch.arange(len(documents))
    with torch.inference_mode():
        steps = [decoder.step(token.expand(len(documents)), rows) for token in target]
    log_probs = torch.stack([scores for scores, _ in steps], dim=1)
    confidence = [
        torch.tensor(np.concatenate([traces[d].rows() for _, traces in steps])) for d in range(len(documents))
    ]
    return log_probs, confidence


FORMS = pytest.mark.parametrize("forward", [module_forward, engine_forward])


def test_token_by_token_equals_all_at_once(generator, target):
    documents = [
        random_pages(generator, LENGTHS),
        random_pages(generator, (5, 20)),
        random_pages(generator, (31,)),
    ]
    for seed in range(5):
        model = tiny_pagesum(seed)
        expected, expected_confidence = module_forward(model, documents, target)
        log_probs, confidence = engine_forward(model, documents, target)
        assert log_probs.shape == (3, 9, VOCAB)
        assert_close(log_probs, expected, atol=1e-5, rtol=0)
        for ours, theirs in zip(confidence, expected_confidence, strict=True):
            assert_close(ours, theirs, atol=1e-5, rtol=0)


@FORMS
def test_confidence_sums_to_one(forward, generator, target):
    _, confidence = forward(
        tiny_pagesum(), [random_pages(generator, LENGTHS), random_pages(generator, (3,))], target
    )
    assert [weights.shape for weights in confidence] == [(9, 5), (9, 1)]
    for weights in confidence:
        assert_close(weights.sum(dim=1), torch.ones(9))
        assert (weights > 0).all()
    assert confidence[0].std() > 0.01


@FORMS
def test_one_page_is_bart(forward, generator, target):
    bart = tiny_bart(5, end_bias=1.5, spread=0.3)
    (page,) = random_pages(generator, (17,))
    with torch.no_grad():
        expected = bart(page.unsqueeze(0), decoder_input_ids=target.unsqueeze(0)).logits.log_softmax(dim=-1)
    model = PageSumForConditionalGeneration.from_bart(bart, page_len=32).eval()
    log_probs, (confidence,) = forward(model, [[page]], target)
    assert_close(log_probs, expected, atol=1e-5, rtol=0)
    assert (confidence == 1).all()


@FORMS
def test_equal_pages_are_one_page(forward, generator, target):
    (page,) = random_pages(generator, (17,))
    one, _ = forward(tiny_pagesum(), [[page]], target)
    many, (confidence,) = forward(tiny_pagesum(), [[page] * 6], target)
    assert_close(many, one, atol=1e-5, rtol=0)
    assert_close(confidence, torch.full((9, 6), 1 / 6))


@FORMS
def test_order_of_pages_orders_confidence_and_nothing_else(forward, generator, target):
    pages = random_pages(generator, LENGTHS)
    order = [3, 0, 4, 2, 1]
    straight, (confidence,) = forward(tiny_pagesum(), [pages], target)
    permuted, (permuted_confidence,) = forward(tiny_pagesum(), [[pages[page] for page in order]], target)
    assert_close(permuted, straight, atol=1e-5, rtol=0)
    assert_close(permuted_confidence, confidence[:, order], atol=1e-6, rtol=0)


@FORMS
def test_documents_together_equal_each_alone(forward, generator, target):
    documents = [
        random_pages(generator, LENGTHS),
        random_pages(generator, (5, 20)),
        random_pages(generator, (31,)),
    ]
    together, confidence = forward(tiny_pagesum(), documents, target)
    for number, document in enumerate(documents):
        alone, (alone_confidence,) = forward(tiny_pagesum(), [document], target)
        assert_close(together[number], alone[0], atol=1e-5, rtol=0)
        assert_close(confidence[number], alone_confidence, atol=1e-5, rtol=0)


def test_absent_page_has_weight_zero_and_changes_nothing(generator, target):
    pages = random_pages(generator, (20, 9))
    input_ids, mask = padded([pages])
    model = tiny_pagesum()
    absent = (
        torch.cat([input_ids, torch.full((1, 2, 32), 7)], dim=1),
        torch.cat([mask, mask.new_zeros(1, 2, 32)], dim=1),
    )
    expected, (expected_confidence,) = module_forward(model, [pages], target)
    output = model(absent[0], attention_mask=absent[1], decoder_input_ids=target.unsqueeze(0))
    assert_close(output.logits.log_softmax(dim=-1), expected, atol=1e-5, rtol=0)
    assert_close(output.confidence[0, :, :2], expected_confidence, atol=1e-6, rtol=0)
    assert (output.confidence[0, :, 2:] == 0).all()
    output.logits.sum().backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())


def test_pages_encoded_one_by_one_equal_all_at_once(generator):
    pages = random_pages(generator, LENGTHS)
    model = tiny_pagesum()
    encoder = PageSumEngine.prepare(model, Precision.FLOAT32).encoder
    together = encoder.encode(pages).split(list(LENGTHS))
    input_ids, mask = padded([pages])
    with torch.no_grad():
        expected = model.model.encoder(input_ids, attention_mask=mask).last_hidden_state[0]
    for page, states, padded_states in zip(pages, together, expected, strict=True):
        assert_close(states, encoder.encode([page]), atol=1e-5, rtol=0)
        assert_close(states, padded_states[: len(page)], atol=1e-5, rtol=0)


def test_global_decoding_reads_all_pages_as_one(generator, target):
    pages = random_pages(generator, LENGTHS)
    model = tiny_pagesum(decoding="global")
    input_ids, mask = padded([pages])
    decoder = PageSumEngine.prepare(model, Precision.FLOAT32).encode([pages])
    decoder.start(1, 64)
    with torch.inference_mode():
        steps = [decoder.step(token.view(1), torch.zeros(1, dtype=torch.int64)) for token in target]
        output = model(input_ids, attention_mask=mask, decoder_input_ids=target.unsqueeze(0))
        by_page = tiny_pagesum()(input_ids, attention_mask=mask, decoder_input_ids=target.unsqueeze(0))
    assert output.confidence is None
    assert all(traces is None for _, traces in steps)
    log_probs = torch.stack([scores[0] for scores, _ in steps])
    assert_close(log_probs, output.logits[0].log_softmax(dim=-1), atol=1e-5, rtol=0)
    assert not torch.allclose(output.logits, by_page.logits, atol=1e-2)
