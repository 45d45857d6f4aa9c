from __future__ import annotations

import pytest
import torch
from safetensors.torch import load_file
from tiny_pagesum import PAD, VOCAB, tiny_bart
from tiny_topdown_models import (
    UPDATES,
    mask_of,
    padded,
    random_documents,
    tiny_config,
    tiny_tagger,
    tiny_topdown,
)
from torch.testing import assert_close
from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoModelForTokenClassification

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.models.topdown.modeling import (
    TopDownForConditionalGeneration,
    TopDownForTokenClassification,
    register_topdown,
)
from lsum_cli.models.topdown.segments import count_segments, pool_segments


@pytest.fixture
def batch():
    generator = torch.Generator().manual_seed(0)
    documents = random_documents(generator, (50, 9))
    return {
        "input_ids": padded(documents),
        "attention_mask": mask_of(documents),
        "importance": torch.rand(2, 50, generator=generator),
        "decoder_input_ids": torch.randint(3, VOCAB, (2, 7), generator=generator),
    }


def test_shapes(batch):
    with torch.no_grad():
        output = tiny_topdown()(**batch, output_hidden_states=True)
    assert output.logits.shape == (2, 7, VOCAB)
    assert output.encoder_last_hidden_state.shape == (2, 50, 16)
    # Before the first layer and after each of four.
    assert len(output.encoder_hidden_states) == 5
    assert output.loss is None
    assert tiny_topdown()(**batch, return_dict=False)[0].shape == (2, 7, VOCAB)


@pytest.mark.parametrize("update", UPDATES)
def test_saved_and_loaded_it_is_the_same(batch, tmp_path, update):
    register_topdown()
    register_topdown()
    model = tiny_topdown(1, end_bias=2.5, update=update, pooling="ada")
    model.save_pretrained(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    # Tied weights are stored once.
    assert sum(tensor.shape == (VOCAB, 16) for tensor in stored.values()) == 1
    loaded = AutoModelForSeq2SeqLM.from_pretrained(tmp_path)
    assert type(loaded) is TopDownForConditionalGeneration
    assert AutoConfig.from_pretrained(tmp_path).to_dict() == loaded.config.to_dict()
    assert (loaded.config.update, loaded.config.pooling, loaded.config.encoder_layers) == (update, "ada", 4)
    with torch.no_grad():
        assert torch.equal(loaded(**batch).logits, model(**batch).logits)
    assert loaded.lm_head.weight is loaded.model.shared.weight is loaded.model.encoder.embed_tokens.weight


def test_a_tagger_saved_and_loaded_is_the_same(batch, tmp_path):
    register_topdown()
    model = tiny_tagger(2)
    model.save_pretrained(tmp_path)
    loaded = AutoModelForTokenClassification.from_pretrained(tmp_path)
    assert type(loaded) is TopDownForTokenClassification
    inputs = {name: batch[name] for name in ("input_ids", "attention_mask")}
    with torch.no_grad():
        assert torch.equal(loaded(**inputs).logits, model(**inputs).logits)
        assert model(**inputs).logits.shape == (2, 50)


def test_a_summariser_carries_its_tagger_along(batch, tmp_path):
    register_topdown()
    model, tagger = tiny_topdown(3, pooling="ada"), tiny_tagger(4)
    model.attach_tagger(tagger)
    model(**batch, labels=batch["decoder_input_ids"]).loss.backward()
    assert not any(parameter.requires_grad for parameter in model.tagger.parameters())
    model.save_pretrained(tmp_path)
    loaded = AutoModelForSeq2SeqLM.from_pretrained(tmp_path)
    with torch.no_grad():
        scores = [each(batch["input_ids"]).logits for each in (tagger, loaded.tagger)]
    assert torch.equal(*scores)


@pytest.mark.parametrize("settings", [{"vocab_size": 61}, {"max_source_positions": 255}])
def test_a_tagger_that_does_not_fit_is_refused(settings):
    with pytest.raises(OptionError, match="the tagger reads"):
        tiny_topdown().attach_tagger(tiny_tagger(**settings))


def test_from_bart_shares_layers_out_as_the_paper_does():
    bart = tiny_bart(2, end_bias=3.0, encoder_layers=12)
    generators = [torch.Generator().manual_seed(seed) for seed in (5, 5, 6)]
    first, again, other = (
        TopDownForConditionalGeneration.from_bart(bart, generator=generator, max_source_positions=150)
        for generator in generators
    )
    assert (first.config.bottom_up_layers, first.config.segment_layers) == (8, 2)
    assert (first.config.top_down_layers, first.config.model_type) == (4, "topdown")
    ours, theirs = first.state_dict(), bart.state_dict()
    for name, weight in theirs.items():
        ours_name = name
        if name.startswith("model.encoder.layers."):
            number, rest = name.removeprefix("model.encoder.layers.").split(".", 1)
            place = f"bottom_up.{number}" if int(number) < 8 else f"top_down.{int(number) - 8}"
            ours_name = f"model.encoder.{place}.{rest}"
        if not name.endswith("encoder.embed_positions.weight"):
            assert torch.equal(ours[ours_name], weight), name
    positions = theirs["model.encoder.embed_positions.weight"]
    tiled = ours["model.encoder.embed_positions.weight"]
    assert tiled.shape == (152, 16)
    for place in range(150):
        assert torch.equal(tiled[2 + place], positions[2 + place % 64])
    new = "model.encoder.top_down.3.segment_attn.q_proj.weight"
    assert torch.equal(ours[new], again.state_dict()[new])
    assert not torch.equal(ours[new], other.state_dict()[new])
    assert ours[new].std() > 0


@pytest.mark.parametrize(
    ("layers", "settings", "expected"),
    [
        (12, {}, (8, 4)),
        (6, {}, (4, 2)),
        (3, {}, (2, 1)),
        (2, {}, (1, 1)),
        (1, {}, (1, 0)),
        (12, {"bottom_up_layers": 3}, (3, 9)),
        (12, {"top_down_layers": 5}, (7, 5)),
        (12, {"bottom_up_layers": 2, "top_down_layers": 2}, (2, 2)),
    ],
)
def test_other_numbers_of_layers(layers, settings, expected):
    bart = tiny_bart(encoder_layers=layers)
    model = TopDownForConditionalGeneration.from_bart(bart, **settings)
    assert (model.config.bottom_up_layers, model.config.top_down_layers) == expected
    if expected[1]:
        last = model.model.encoder.top_down[-1].fc1.weight
        assert torch.equal(last, bart.model.encoder.layers[-1].fc1.weight)
    tagger = TopDownForTokenClassification.from_bart(bart, **settings)
    assert torch.equal(tagger.encoder.embed_tokens.weight, bart.model.shared.weight)


def test_more_layers_than_bart_has():
    with pytest.raises(OptionError, match="14 bottom-up and top-down layers cannot come from 12"):
        TopDownForConditionalGeneration.from_bart(
            tiny_bart(encoder_layers=12), bottom_up_layers=8, top_down_layers=6
        )


def test_loss_of_labels(batch):
    model = tiny_topdown()
    labels = torch.randint(3, VOCAB, (2, 7), generator=torch.Generator().manual_seed(3))
    labels[1, 4:] = -100
    inputs = {key: batch[key] for key in ("input_ids", "attention_mask", "importance")}
    with torch.no_grad():
        output = model(**inputs, labels=labels)
        decoder_input_ids = model.prepare_decoder_input_ids_from_labels(labels)
        logits = model(**inputs, decoder_input_ids=decoder_input_ids).logits
        divided = model(**inputs, labels=labels, num_items_in_batch=100).loss
    assert_close(output.logits, logits)
    counted = labels != -100
    by_hand = -logits.log_softmax(-1).gather(2, labels.clamp_min(0).unsqueeze(-1)).squeeze(-1)[counted]
    assert_close(output.loss, by_hand.mean())
    assert_close(divided, by_hand.sum() / 100)


def test_loss_of_a_tagger(batch):
    model = tiny_tagger()
    inputs = {key: batch[key] for key in ("input_ids", "attention_mask")}
    labels = (batch["importance"] > 0.5).long()
    labels[1, 9:] = -100
    labels[:, 0] = -100
    with torch.no_grad():
        output = model(**inputs, labels=labels)
        divided = model(**inputs, labels=labels, num_items_in_batch=7).loss
        none = model(**inputs, labels=torch.full_like(labels, -100)).loss
    counted = labels >= 0
    chances = output.logits.sigmoid()
    by_hand = -torch.where(labels == 1, chances, 1 - chances).log()[counted]
    assert_close(output.loss, by_hand.mean())
    assert_close(divided, by_hand.sum() / 7)
    assert none == 0


@pytest.mark.parametrize("settings", [None, {"use_reentrant": True}])
def test_gradient_checkpointing_changes_no_gradient(batch, settings):
    def gradients(model):
        model.train()
        model(**batch, labels=batch["decoder_input_ids"]).loss.backward()
        return {name: parameter.grad for name, parameter in model.named_parameters()}

    plain = gradients(tiny_topdown(4))
    model = tiny_topdown(4)
    # Newer transformers have a new name for it.
    getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)(settings)
    assert model.model.encoder.top_down[0].gradient_checkpointing
    for name, gradient in gradients(model).items():
        assert_close(gradient, plain[name], msg=name)


def test_encoder_outputs_may_be_brought_along(batch):
    model = tiny_topdown()
    encoder_inputs = {name: batch[name] for name in ("input_ids", "attention_mask", "importance")}
    rest = {name: batch[name] for name in ("decoder_input_ids", "attention_mask")}
    with torch.no_grad():
        encoded = model.get_encoder()(**encoder_inputs)
        expected = model(**batch).logits
        assert torch.equal(model(encoder_outputs=encoded, **rest).logits, expected)
        assert torch.equal(model(encoder_outputs=(encoded.last_hidden_state,), **rest).logits, expected)


def test_padding_is_seen_without_a_mask(batch):
    model = tiny_topdown()
    expected = model(**batch).logits
    del batch["attention_mask"]
    assert_close(model(**batch).logits, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"input_ids": torch.zeros(1, 0, dtype=torch.int64)}, "no tokens"),
        ({"input_ids": torch.zeros(0, 5, dtype=torch.int64)}, "no tokens"),
        ({"input_ids": torch.full((1, 5), PAD)}, "no tokens"),
        ({"input_ids": torch.full((1, 257), 7)}, "257 tokens exceed the 256"),
        ({"input_ids": torch.full((1, 5), 7), "importance": torch.ones(1, 4)}, "importance is"),
        ({"input_ids": torch.full((1, 5), 7), "attention_mask": torch.ones(1, 4)}, "attention_mask is"),
        ({}, "token ids only"),
    ],
)
def test_documents_that_cannot_be_encoded(inputs, said):
    with pytest.raises(OptionError, match=said) as error:
        tiny_topdown()(**inputs, decoder_input_ids=torch.full((1, 3), 5))
    assert "\n" not in str(error.value)
    assert error.value.next_step


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"d_model": 0}, "d_model is 0"),
        ({"bottom_up_layers": -1}, "bottom_up_layers is -1"),
        ({"bottom_up_layers": 0, "top_down_layers": 0}, "neither a bottom-up nor a top-down layer"),
        ({"d_model": 18}, "cannot be split among 4 decoder heads"),
        ({"attention_window": 7}, "attention_window 7 cannot be halved"),
        ({"stride": 9}, "stride 9 leaves tokens out between kernels of 8"),
        ({"kernel": "wide"}, "kernel is 'wide'"),
        ({"pooling": "max"}, "pooling 'max' is none of avg, ada, oracle"),
        ({"update": "sideways"}, "update 'sideways'"),
        ({"length_rule": "metric"}, "'metric'"),
    ],
)
def test_nonsense_configurations(settings, said):
    with pytest.raises(CheckpointError, match=said) as error:
        tiny_config(**settings)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("kernel", "stride"), [(1, 1), (4, 4), (8, 6), (32, 24), (7, 2)])
def test_segments_cover_every_token(kernel, stride):
    for source_len in range(1, 130):
        segments = count_segments(source_len, kernel, stride)
        covered = {
            place
            for start in range(0, segments * stride, stride)
            for place in range(start, min(start + kernel, source_len))
        }
        assert covered == set(range(source_len))
        # None but the last reaches the end.
        assert segments == 1 or (segments - 2) * stride + kernel < source_len
        states = torch.eye(source_len).unsqueeze(0)
        pooled, _ = pool_segments(states, kernel, stride)
        assert pooled.shape == (1, segments, source_len)
        assert (pooled.sum(dim=1) > 0).all()


def test_padding_never_enters_a_segment():
    states = torch.full((2, 40, 3), 5.0)
    mask = torch.ones(2, 40, dtype=torch.bool)
    mask[1, 9:] = False
    states[1, 9:] = 1e6
    pooled, present = pool_segments(states, 8, 6, mask=mask, importance=torch.rand(2, 40))
    assert present.tolist() == [[True] * 7, [True, True] + [False] * 5]
    assert_close(pooled[present], torch.full((9, 3), 5.0))


def test_what_is_hidden_within_a_document_counts_for_nothing():
    """Also where a whole segment is hidden."""
    model = tiny_topdown()
    mask = torch.ones(1, 60, dtype=torch.int64)
    mask[0, 15:40] = 0
    input_ids = torch.randint(3, VOCAB, (1, 60), generator=torch.Generator().manual_seed(1))
    other = input_ids.where(mask == 1, 5)
    assert not torch.equal(input_ids, other)
    with torch.no_grad():
        states, others = (model.get_encoder()(ids, mask).last_hidden_state for ids in (input_ids, other))
    assert states.isfinite().all()
    assert_close(states[mask == 1], others[mask == 1])


def test_generate_takes_importance_along(batch):
    model = tiny_topdown(3)
    inputs = {name: batch[name] for name in ("input_ids", "attention_mask")}
    arguments = {"num_beams": 2, "max_length": 12}
    weighted = model.generate(**inputs, importance=3 * batch["importance"], **arguments)
    assert torch.equal(
        weighted,
        model.generate(**inputs, importance=3 * batch["importance"], use_cache=False, **arguments),
    )
    assert weighted.shape[0] == 2
