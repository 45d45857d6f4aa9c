from __future__ import annotations

import copy

import pytest
import torch
from safetensors.torch import load_file
from tiny_pagesum import (
    PAD,
    SIZES,
    VOCAB,
    load_published_weights,
    padded,
    random_pages,
    tiny_bart,
    tiny_pagesum,
)
from torch.testing import assert_close
from transformers import AutoConfig, AutoModelForSeq2SeqLM

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.modeling import (
    PageSumForConditionalGeneration,
    from_published_state_dict,
    register_pagesum,
)


@pytest.fixture
def batch():
    generator = torch.Generator().manual_seed(0)
    input_ids, mask = padded([random_pages(generator, (20, 32, 5)), random_pages(generator, (9,))])
    target = torch.randint(3, VOCAB, (2, 7), generator=generator)
    return {"input_ids": input_ids, "attention_mask": mask, "decoder_input_ids": target}


def test_shapes(batch):
    with torch.no_grad():
        output = tiny_pagesum()(**batch, output_hidden_states=True)
    assert output.logits.shape == (2, 7, VOCAB)
    assert output.confidence.shape == output.page_scores.shape == (2, 7, 3)
    assert output.decoder_last_hidden_state.shape == (2, 7, 3, 16)
    assert output.encoder_last_hidden_state.shape == (2, 3, 32, 16)
    assert output.decoder_hidden_states[-1].shape == (6, 7, 16)
    assert output.loss is None
    assert len(tiny_pagesum()(**batch, return_dict=False)) >= 4


@pytest.mark.parametrize(
    "settings", [{}, {"decoding": "global", "mask_absent_pages": False, "locality": "discourse"}]
)
def test_saved_and_loaded_it_is_the_same(batch, tmp_path, settings):
    register_pagesum()
    register_pagesum()
    model = tiny_pagesum(1, end_bias=2.5, **settings)
    model.save_pretrained(tmp_path)
    assert (tmp_path / "model.safetensors").exists()
    stored = load_file(tmp_path / "model.safetensors")
    # Tied weights are stored once.
    assert sum(tensor.shape == (VOCAB, 16) for tensor in stored.values()) == 1
    assert stored["final_logits_bias"][0, 2] == 2.5
    loaded = AutoModelForSeq2SeqLM.from_pretrained(tmp_path)
    assert type(loaded) is PageSumForConditionalGeneration
    assert AutoConfig.from_pretrained(tmp_path).to_dict() == loaded.config.to_dict()
    for name, value in settings.items():
        assert getattr(loaded.config, name) == value
    with torch.no_grad():
        assert torch.equal(loaded(**batch).logits, model(**batch).logits)
    assert loaded.lm_head.weight is loaded.model.shared.weight is loaded.model.encoder.embed_tokens.weight


def test_from_bart_takes_everything_but_confidence():
    bart = tiny_bart(2, end_bias=3.0)
    generators = [torch.Generator().manual_seed(seed) for seed in (5, 5, 6)]
    first, again, other = (
        PageSumForConditionalGeneration.from_bart(bart, generator=generator, locality="document", page_len=48)
        for generator in generators
    )
    assert (first.config.locality, first.config.page_len, first.config.model_type) == (
        "document",
        48,
        "pagesum",
    )
    assert first.config.d_model == 16
    ours = first.state_dict()
    for name, weight in bart.state_dict().items():
        assert torch.equal(ours[name], weight), name
    assert set(ours) - set(bart.state_dict()) == {"confidence_layer.weight", "confidence_layer.bias"}
    assert torch.equal(first.confidence_layer.weight, again.confidence_layer.weight)
    assert not torch.equal(first.confidence_layer.weight, other.confidence_layer.weight)
    with torch.no_grad():
        bart.model.shared.weight.add_(1)
    assert torch.equal(first.model.shared.weight, again.model.shared.weight)


def test_loss_of_labels(batch):
    model = tiny_pagesum()
    labels = torch.randint(3, VOCAB, (2, 7), generator=torch.Generator().manual_seed(3))
    labels[1, 4:] = -100
    inputs = {key: batch[key] for key in ("input_ids", "attention_mask")}
    with torch.no_grad():
        output = model(**inputs, labels=labels)
        shifted = torch.cat([torch.full((2, 1), 2), labels[:, :-1]], dim=1).masked_fill(
            torch.cat([torch.zeros(2, 1), labels[:, :-1]], dim=1) == -100, PAD
        )
        logits = model(**inputs, decoder_input_ids=shifted).logits
        divided = model(**inputs, labels=labels, num_items_in_batch=100).loss
    assert_close(output.logits, logits)
    counted = labels != -100
    by_hand = -logits.log_softmax(-1).gather(2, labels.clamp_min(0).unsqueeze(-1)).squeeze(-1)[counted]
    assert_close(output.loss, by_hand.mean())
    assert_close(divided, by_hand.sum() / 100)


def test_gradient_checkpointing_changes_no_gradient(batch):
    def gradients(model):
        model.train()
        model(**batch, labels=batch["decoder_input_ids"]).loss.backward()
        return {name: parameter.grad for name, parameter in model.named_parameters()}

    plain = gradients(tiny_pagesum(4))
    model = tiny_pagesum(4)
    # Newer transformers have a new name for it.
    getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)()
    assert model.model.encoder.gradient_checkpointing
    for name, gradient in gradients(model).items():
        assert_close(gradient, plain[name], msg=name)


def test_padding_inside_a_page_changes_nothing(batch):
    model = tiny_pagesum()
    longer = {
        "input_ids": torch.nn.functional.pad(batch["input_ids"], (0, 9), value=PAD),
        "attention_mask": torch.nn.functional.pad(batch["attention_mask"], (0, 9)),
        "decoder_input_ids": batch["decoder_input_ids"],
    }
    with torch.no_grad():
        assert_close(model(**longer).logits, model(**batch).logits, atol=1e-5, rtol=0)
        del longer["attention_mask"]
        assert_close(model(**longer).logits, model(**batch).logits, atol=1e-5, rtol=0)


def test_states_of_absent_pages_have_rows_of_their_own(batch):
    with torch.no_grad():
        output = tiny_pagesum()(**batch, output_hidden_states=True)
    present = batch["attention_mask"].any(-1).flatten()
    assert present.tolist() == [True, True, True, True, False, False]
    for states in output.encoder_hidden_states:
        assert states.shape == (6, 32, 16)
        assert states.flatten(1).any(-1).equal(present)
    assert output.encoder_hidden_states[-1].equal(output.encoder_last_hidden_state.flatten(0, 1))


@pytest.mark.parametrize("settings", [{}, {"mask_absent_pages": False}, {"decoding": "global"}])
def test_one_graph_computes_the_same_with_absent_pages(batch, settings):
    """Captured in full, as ``torch.export`` does as well."""
    model = tiny_pagesum(**settings)
    captured = torch.compile(model, backend="eager", fullgraph=True)
    # The cache of transformers 5.17 copies the configuration, which torch 2.11 cannot capture.
    with torch.no_grad():
        given, wanted = (each(**batch, use_cache=False).logits for each in (captured, model))
    assert_close(given, wanted, atol=1e-5, rtol=0)


@pytest.mark.parametrize("settings", [{}, {"decoding": "global"}])
def test_generate_takes_both_shapes_of_a_mask_and_a_static_cache(batch, settings):
    model = tiny_pagesum(2, **settings)
    ids, mask = batch["input_ids"], batch["attention_mask"]
    expected = model.generate(ids, attention_mask=mask.flatten(1), num_beams=3, max_length=12)
    assert model.generate(ids, attention_mask=mask, num_beams=3, max_length=12).equal(expected)
    options = {"cache_implementation": "static", "disable_compile": True}
    assert model.generate(ids, attention_mask=mask, num_beams=3, max_length=12, **options).equal(expected)


def test_a_resized_vocabulary_keeps_the_bias_of_its_tokens(batch):
    model = tiny_pagesum(end_bias=2.5)
    bias = model.final_logits_bias.clone()
    with torch.no_grad():
        before = model(**batch).logits
        model.resize_token_embeddings(VOCAB + 5)
        assert_close(model(**batch).logits[..., :VOCAB], before)
    assert not model.final_logits_bias[:, VOCAB:].any()
    model.resize_token_embeddings(VOCAB - 3)
    assert model.final_logits_bias.equal(bias[:, : VOCAB - 3])


def test_encoder_outputs_may_be_brought_along(batch):
    model = tiny_pagesum()
    rest = {"decoder_input_ids": batch["decoder_input_ids"]}
    with torch.no_grad():
        encoded = model.get_encoder()(batch["input_ids"], attention_mask=batch["attention_mask"])
        expected = model(**batch).logits
        assert torch.equal(model(encoder_outputs=encoded, **rest).logits, expected)
        plain = (encoded.last_hidden_state,)
        mask = batch["attention_mask"]
        assert torch.equal(model(encoder_outputs=plain, attention_mask=mask, **rest).logits, expected)
        with pytest.raises(OptionError, match="without their mask"):
            model(encoder_outputs=plain, **rest)


@pytest.mark.parametrize(
    ("input_ids", "mask", "said"),
    [
        (torch.zeros(1, 0, 5, dtype=torch.int64), None, "0 pages"),
        (torch.zeros(0, 2, 5, dtype=torch.int64), None, "0 documents"),
        (torch.zeros(1, 2, 0, dtype=torch.int64), None, "0 tokens"),
        (torch.zeros(1, 1, 65, dtype=torch.int64), None, "65 tokens exceeds the 64"),
        (torch.full((1, 2, 5), PAD), None, "no page with tokens"),
        (torch.full((1, 2, 5), 7), torch.ones(1, 2, 4), "attention_mask is"),
        (None, None, "from token ids"),
    ],
)
def test_pages_that_cannot_be_encoded(input_ids, mask, said):
    with pytest.raises(OptionError, match=said) as error:
        tiny_pagesum()(input_ids, attention_mask=mask, decoder_input_ids=torch.full((1, 3), 5))
    assert "\n" not in str(error.value)
    assert error.value.next_step


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"d_model": 0}, "d_model is 0"),
        ({"decoder_layers": -1}, "decoder_layers is -1"),
        ({"vocab_size": 0}, "vocab_size is 0"),
        ({"d_model": 18}, "cannot be split among 4 decoder heads"),
        ({"page_len": 65}, "page_len 65 exceeds the 64 positions"),
        ({"page_len": 0}, "page_len is 0"),
        ({"page_len": "long"}, "page_len is 'long'"),
        ({"page_len": None}, "page_len is None"),
        ({"decoding": "sideways"}, "'sideways'"),
        ({"length_rule": "metric"}, "'metric'"),
    ],
)
def test_nonsense_configurations(settings, said):
    with pytest.raises(CheckpointError, match=said) as error:
        PageSumConfig(**(SIZES | {"page_len": 32} | settings))
    assert "\n" not in str(error.value)


def published(model) -> dict[str, torch.Tensor]:
    state = copy.deepcopy(dict(model.state_dict()))
    return {name.replace("confidence_layer.", "lin."): tensor for name, tensor in state.items()}


def test_published_names(batch):
    source, model = tiny_pagesum(6, end_bias=1.0), tiny_pagesum(7)
    state = published(source)
    assert {"lin.weight", "lm_head.weight", "model.encoder.embed_tokens.weight"} <= state.keys()
    load_published_weights(model, state)
    with torch.no_grad():
        assert torch.equal(model(**batch).logits, source(**batch).logits)
    assert model.lm_head.weight is model.model.shared.weight
    # Our own names pass unchanged.
    assert (
        from_published_state_dict(from_published_state_dict(state)).keys()
        == from_published_state_dict(state).keys()
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda s: s.update({"lm_head.weight": s["lm_head.weight"] + 1}), "lm_head.weight differs"),
        (lambda s: s.pop("model.shared.weight"), "lacks model.shared.weight"),
    ],
)
def test_published_weights_that_do_not_fit(damage, said):
    state = published(tiny_pagesum(6))
    damage(state)
    with pytest.raises(CheckpointError, match=said):
        from_published_state_dict(state)
