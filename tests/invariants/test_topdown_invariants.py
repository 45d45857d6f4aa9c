"""What must hold for any weights of a Top-Down Transformer (Pang et al. 2022), in both forms of it."""

from __future__ import annotations

import pytest
import torch
from tiny_pagesum import VOCAB, tiny_bart
from tiny_topdown_models import (
    UPDATES,
    mask_of,
    padded,
    random_documents,
    shaken,
    tiny_tagger,
    tiny_topdown,
)
from torch.testing import assert_close

from lsum_cli.machine.devices import Precision
from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine
from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration
from lsum_cli.models.topdown.segments import pool_segments

# One token; shorter than a kernel; a kernel; one more; many.
LENGTHS = (1, 5, 8, 9, 77)
WHOLE = 400


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(11)


def module_states(model, documents, importance=None):
    """Encode documents padded to one batch; the states of each without its padding."""
    weights = None if importance is None else padded(importance, 9.0)
    with torch.no_grad():
        encoded = model.get_encoder()(padded(documents), mask_of(documents), weights)
    return [states[: len(d)] for states, d in zip(encoded.last_hidden_state, documents, strict=True)]


def engine_states(model, documents, importance=None):
    encoder = TopDownEngine.prepare(model, Precision.FLOAT32).encoder
    weights = importance or [None] * len(documents)
    with torch.inference_mode():
        return [encoder.encode(document, w) for document, w in zip(documents, weights, strict=True)]


FORMS = pytest.mark.parametrize("encode", [module_states, engine_states])


@FORMS
@pytest.mark.parametrize("half_window", [76, 200])
def test_a_window_over_everything_without_update_is_bart(encode, half_window, generator):
    bart = shaken(tiny_bart(3, encoder_layers=3, spread=0.3, max_position_embeddings=80))
    model = TopDownForConditionalGeneration.from_bart(
        bart, update="none", attention_window=2 * half_window, max_source_positions=80
    ).eval()
    documents = random_documents(generator, LENGTHS)
    for document, states in zip(documents, encode(model, documents), strict=True):
        with torch.no_grad():
            expected = bart.get_encoder()(document.unsqueeze(0)).last_hidden_state[0]
        assert_close(states, expected, atol=1e-5, rtol=0)


@FORMS
@pytest.mark.parametrize("update", UPDATES)
def test_a_wider_window_than_everything_changes_nothing(encode, update, generator):
    documents = random_documents(generator, LENGTHS)
    wide, wider = (tiny_topdown(attention_window=window, update=update) for window in (2 * 76, WHOLE))
    for a, b in zip(encode(wide, documents), encode(wider, documents), strict=True):
        assert_close(a, b, atol=1e-5, rtol=0)


@FORMS
def test_half_a_window_reaches_that_far_and_no_further(encode, generator):
    """With one layer a token hears of those at most half a window away; of these, always."""
    settings = {"bottom_up_layers": 1, "top_down_layers": 0, "attention_window": 10}
    model = tiny_topdown(**settings)
    (document,) = random_documents(generator, (120,))
    before = encode(model, [document])[0]
    for place in (0, 50, 119):
        changed = document.clone()
        changed[place] = 3 + (document[place] - 2) % (VOCAB - 3)
        after = encode(model, [changed])[0]
        touched = (after != before).any(dim=1).nonzero().flatten().tolist()
        assert touched == [near for near in range(120) if abs(near - place) <= 5]


@FORMS
@pytest.mark.parametrize("update", UPDATES)
def test_only_the_update_carries_what_is_far(encode, update, generator):
    model = tiny_topdown(update=update)
    reach = 4 * 4  # layers × half a window
    (document,) = random_documents(generator, (100,))
    changed = document.clone()
    changed[0] = 3 + (document[0] - 2) % (VOCAB - 3)
    (before,), (after,) = encode(model, [document]), encode(model, [changed])
    far = slice(reach + 1, None)
    assert torch.equal(before[far], after[far]) == (update == "none")


@FORMS
@pytest.mark.parametrize("update", ["cross_attention", "concat"])
def test_uniform_importance_is_average_pooling(encode, update, generator):
    model = tiny_topdown(2, update=update)
    documents = random_documents(generator, LENGTHS)
    expected = encode(model, documents)
    for value in (0.0, 0.3, 1.0):
        uniform = [torch.full((len(document),), value) for document in documents]
        for a, b in zip(encode(model, documents, uniform), expected, strict=True):
            assert_close(a, b, atol=1e-5, rtol=0)
    other = [torch.rand(len(document), generator=generator) for document in documents]
    assert not torch.allclose(encode(model, documents, other)[-1], expected[-1], atol=1e-3)


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_padded_batch_equals_each_alone_and_the_engine(update, weighted, generator):
    documents = random_documents(generator, (*LENGTHS, 100))
    importance = [torch.rand(len(d), generator=generator) for d in documents] if weighted else None
    for seed in range(3):
        model = tiny_topdown(seed, update=update)
        together = module_states(model, documents, importance)
        alone = [
            module_states(model, [document], importance and [importance[number]])[0]
            for number, document in enumerate(documents)
        ]
        for a, b, c in zip(together, alone, engine_states(model, documents, importance), strict=True):
            assert_close(a, b, atol=1e-5, rtol=0)
            assert_close(a, c, atol=1e-5, rtol=0)


def test_taggers_alone_padded_and_in_their_engine(generator):
    documents = random_documents(generator, LENGTHS)
    model = tiny_tagger()
    with torch.no_grad():
        together = model(padded(documents), mask_of(documents)).logits.sigmoid()
    scores = TaggerEngine.prepare(model, Precision.FLOAT32).score(documents)
    for document, row, score in zip(documents, together, scores, strict=True):
        assert_close(score, row[: len(document)], atol=1e-5, rtol=0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("source_len", [1, 7, 8, 9, 13, 14, 15, 64, 100])
def test_pooling_is_what_the_equations_say(source_len, weighted, generator):
    """Eqs. 2 and 3 read aloud, in float64."""
    states = torch.randn(1, source_len, 3, dtype=torch.float64, generator=generator)
    importance = torch.rand(1, source_len, dtype=torch.float64, generator=generator) if weighted else None
    pooled, present = pool_segments(states, 8, 6, importance=importance)
    assert present is None
    expected, start = [], 0
    while True:
        tokens = range(start, min(start + 8, source_len))
        exponentials = [1.0 if importance is None else importance[0, n].exp() for n in tokens]
        total = sum(exponentials)
        expected.append(sum(w / total * states[0, n] for w, n in zip(exponentials, tokens, strict=True)))
        if start + 8 >= source_len:
            break
        start += 6
    assert_close(pooled[0], torch.stack(expected), atol=1e-12, rtol=0)


@pytest.mark.parametrize("update", ["cross_attention", "concat"])
def test_gradients_reach_every_parameter(update, generator):
    documents = random_documents(generator, LENGTHS)
    labels = torch.randint(3, VOCAB, (5, 6), generator=generator)
    model = tiny_topdown(update=update).train()
    model(padded(documents), mask_of(documents), labels=labels).loss.backward()
    tagger = tiny_tagger(update=update).train()
    tagger(padded(documents), mask_of(documents), labels=mask_of(documents)).loss.backward()
    for each in (model, tagger):
        for name, parameter in each.named_parameters():
            assert parameter.grad is not None, name
            assert parameter.grad.isfinite().all(), name
            # A key's bias shifts all scores alike.
            assert name.endswith("k_proj.bias") or parameter.grad.abs().max() > 0, name


def test_local_gradients_are_those_of_full_attention_under_a_mask(generator):
    """The gradients of spans that overlap add up."""
    from lsum_cli.models.topdown.local_attention import LocalBand

    tensors = [torch.randn(2, 2, 90, 4, dtype=torch.float64, generator=generator) for _ in range(3)]
    mask = torch.ones(2, 90, dtype=torch.bool)
    mask[1, 50:] = False
    places = torch.arange(90)
    near = (places - places.unsqueeze(1)).abs() <= 6
    seen = near & (mask[:, None, None, :] | torch.eye(90, dtype=torch.bool))
    band = LocalBand(90, 12, mask=mask, dtype=torch.float64, device=torch.device("cpu"))
    weight = torch.randn(2, 2, 90, 4, dtype=torch.float64, generator=generator)
    gradients = []
    for attend in (
        band.attend,
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=seen),
    ):
        leaves = [tensor.clone().requires_grad_() for tensor in tensors]
        (attend(*leaves) * weight).sum().backward()
        gradients.append([leaf.grad for leaf in leaves])
    for ours, expected in zip(*gradients, strict=True):
        assert_close(ours, expected, atol=1e-10, rtol=0)


@pytest.mark.parametrize("source_len", [1, 7, 90])
def test_recorded_weights_are_those_of_full_attention_under_a_mask(source_len, generator):
    from lsum_cli.models.topdown.local_attention import LocalBand, RecordingBand

    query, key, value = (
        torch.randn(2, 2, source_len, 4, dtype=torch.float64, generator=generator) for _ in range(3)
    )
    mask = torch.ones(2, source_len, dtype=torch.bool)
    mask[1, 50:] = False
    places = torch.arange(source_len)
    near = (places - places.unsqueeze(1)).abs() <= 6
    seen = near & (mask[:, None, None, :] | torch.eye(source_len, dtype=torch.bool))
    full = (query @ key.transpose(2, 3) / 2).masked_fill(~seen, float("-inf")).softmax(-1)
    arguments = {"mask": mask, "dtype": torch.float64, "device": torch.device("cpu")}
    recording = RecordingBand(source_len, 12, **arguments)
    output = recording.attend(query, key, value)
    (weights,) = recording.weights
    assert weights.shape == (2, 2, source_len, 13)
    for token in range(source_len):
        for column in range(13):
            other = token + column - 6
            expected = full[:, :, token, other] if 0 <= other < source_len else torch.zeros(2, 2)
            assert_close(weights[:, :, token, column], expected.double(), atol=1e-12, rtol=0)
    assert_close(output, LocalBand(source_len, 12, **arguments).attend(query, key, value), atol=1e-12, rtol=0)


def test_what_the_encoder_returns_on_request_changes_nothing(generator):
    model = tiny_topdown(attention_window=12)
    documents = random_documents(generator, LENGTHS)
    ids, mask = padded(documents), mask_of(documents)
    with torch.no_grad():
        plain = model.get_encoder()(ids, mask)
        told = model.get_encoder()(ids, mask, output_hidden_states=True, output_attentions=True)
        model.set_attn_implementation("eager")
        model.config.output_hidden_states = model.config.output_attentions = True
        by_configuration = model(ids, mask, decoder_input_ids=ids[:, :2])
    assert plain.attentions is None
    assert plain.hidden_states is None
    assert_close(told.last_hidden_state[mask.bool()], plain.last_hidden_state[mask.bool()])
    layers = model.get_encoder().num_layers
    assert len(told.attentions) == len(by_configuration.encoder_attentions) == layers
    assert len(told.hidden_states) == len(by_configuration.encoder_hidden_states) == layers + 1
    assert told.hidden_states[-1].equal(told.last_hidden_state)
    for weights in told.attentions:
        assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))


def test_resizing_the_vocabulary_resizes_the_tagger_too(generator, tmp_path):
    model = tiny_topdown()
    model.attach_tagger(tiny_tagger())
    ids = padded(random_documents(generator, (9,)))
    with torch.no_grad():
        before = model(ids, decoder_input_ids=ids[:, :3]).logits
        model.resize_token_embeddings(VOCAB + 7)
        after = model(ids, decoder_input_ids=ids[:, :3]).logits
    assert after.shape[-1] == VOCAB + 7
    assert_close(after[..., :VOCAB], before)
    model.save_pretrained(tmp_path)
    again = TopDownForConditionalGeneration.from_pretrained(tmp_path)
    assert again.tagger.get_input_embeddings().weight.shape[0] == VOCAB + 7


def test_twelve_thousand_tokens_train(generator):
    length = 12288
    model = tiny_topdown(attention_window=64, kernel=32, stride=24, max_source_positions=length).train()
    getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)()
    documents = random_documents(generator, (length,))
    labels = torch.randint(3, VOCAB, (1, 8), generator=generator)
    loss = model(padded(documents), labels=labels).loss
    loss.backward()
    positions = model.model.encoder.embed_positions.weight.grad[2:]
    assert positions.shape == (length, 16)
    assert (positions.abs().sum(dim=1) > 0).all()


@pytest.mark.parametrize("lengths", [(1,), (1, 0.6)], ids=["alone", "with padding"])
def test_training_keeps_memory_in_step_with_length(lengths, generator):
    """What the backward pass needs, all layers together, and no scores of tokens that are far apart."""

    def kept_a_token(source_len: int) -> float:
        storages = {}

        def keep(tensor):
            storage = tensor.untyped_storage()
            storages[storage.data_ptr()] = storage
            return tensor

        model = tiny_topdown(attention_window=32, max_source_positions=1024).train()
        documents = random_documents(generator, [int(share * source_len) for share in lengths])
        labels = torch.full((len(lengths), 4), 7)
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            model(padded(documents), mask_of(documents), labels=labels)
        return sum(storage.nbytes() for storage in storages.values()) / source_len

    assert kept_a_token(1024) < 1.05 * kept_a_token(512)


def test_reduced_precision_trains_by_autocast(generator):
    model = tiny_topdown().train()
    documents = random_documents(generator, (70, 30))
    labels = torch.randint(3, VOCAB, (2, 6), generator=generator)
    with torch.autocast("cpu", torch.bfloat16):
        reduced = model(padded(documents), mask_of(documents), labels=labels).loss
    reduced.backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
    with torch.no_grad():
        assert_close(
            model(padded(documents), mask_of(documents), labels=labels).loss, reduced, rtol=0.05, atol=0
        )


def test_parameters_of_the_paper():
    """464 M, with BART-large's sizes and 16,384 positions."""
    from lsum_cli.models.topdown.configuration import TopDownConfig

    with torch.device("meta"):
        model = TopDownForConditionalGeneration(TopDownConfig())
    assert round(sum(parameter.numel() for parameter in model.parameters()) / 1e6) == 464
