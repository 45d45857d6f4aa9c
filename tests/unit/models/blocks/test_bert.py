"""BERT-like encoders as the beginning of PageSum and Top-Down."""

from __future__ import annotations

import pytest
import torch
from tiny_bert import make_bert, make_roberta
from torch.testing import assert_close

from lsum_cli.errors import CheckpointError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.bert import bart_from_bert, check_bert
from lsum_cli.models.pagesum.engine import PageSumEngine, load_parameters
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration
from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

IDS = {
    "bos_token_id": 2,
    "eos_token_id": 3,
    "decoder_start_token_id": 3,
    "forced_bos_token_id": 2,
    "forced_eos_token_id": 3,
}


@pytest.fixture(params=["bert", "roberta"])
def encoder(request, tmp_path):
    model = make_bert(tmp_path / "bert", []) if request.param == "bert" else make_roberta()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "LayerNorm" in name:
                parameter.add_(0.2 * torch.randn_like(parameter))
    return model


@pytest.fixture
def batch(encoder):
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(5, 60, (2, 30), generator=generator)
    mask = torch.ones_like(ids)
    mask[1, 11:] = 0
    ids[1, 11:] = encoder.config.pad_token_id
    return ids, mask


def bart_of(encoder):
    return bart_from_bert(encoder, IDS | {"pad_token_id": encoder.config.pad_token_id})


def test_hidden_states_are_those_of_bert(encoder, batch):
    ids, mask = batch
    bart = bart_of(encoder)
    pagesum = PageSumForConditionalGeneration.from_bart(bart, page_len=64).eval()
    topdown = TopDownForConditionalGeneration.from_bart(
        bart, update="none", attention_window=100, max_source_positions=64
    ).eval()
    with torch.no_grad():
        expected = encoder(ids, attention_mask=mask, output_hidden_states=True).hidden_states
        pages = pagesum.get_encoder()(ids, attention_mask=mask, output_hidden_states=True)
        tokens = topdown.get_encoder()(ids, mask, output_hidden_states=True)
    for states, page, token in zip(expected, pages.hidden_states, tokens.hidden_states, strict=True):
        assert_close(page[mask.bool()], states[mask.bool()], atol=1e-5, rtol=0)
        assert_close(token[mask.bool()], states[mask.bool()], atol=1e-5, rtol=0)


def test_all_positions_are_used(encoder):
    ids = torch.randint(5, 60, (1, 64), generator=torch.Generator().manual_seed(6))
    pagesum = PageSumForConditionalGeneration.from_bart(bart_of(encoder), page_len=64).eval()
    with torch.no_grad():
        states = pagesum.get_encoder()(ids).last_hidden_state[:, 0]
        assert_close(states, encoder(ids).last_hidden_state, atol=1e-5, rtol=0)


def test_the_engine_computes_the_same_from_the_files(encoder, batch, tmp_path):
    ids, _ = batch
    model = PageSumForConditionalGeneration.from_bart(bart_of(encoder), page_len=64).eval()
    model.save_pretrained(tmp_path / "saved")
    again = PageSumForConditionalGeneration.from_pretrained(tmp_path / "saved").eval()
    engine = PageSumEngine.prepare(
        load_parameters(tmp_path / "saved", "model.safetensors"), Precision.FLOAT32
    )
    written = torch.tensor([[3, 2, 7]])
    with torch.no_grad():
        expected = encoder(ids[:1]).last_hidden_state[0]
        assert_close(engine.encoder.encode([ids[0]]), expected, atol=1e-5, rtol=0)
        logits = model(ids[:1], decoder_input_ids=written).logits
        assert again(ids[:1], decoder_input_ids=written).logits.equal(logits)
    decoder = engine.encode([[ids[0]]])
    decoder.start(1, 4)
    for token in written[0]:
        log_probs, _ = decoder.step(token.view(1), torch.zeros(1, dtype=torch.long))
    assert_close(log_probs[0], logits[0, -1].log_softmax(-1), atol=1e-5, rtol=0)


def test_decoder_layers_begin_as_copies_and_cross_attention_is_new(encoder):
    bart = bart_of(encoder)
    pairs = zip(bart.model.encoder.layers, bart.model.decoder.layers, strict=True)
    for theirs, ours in pairs:
        copied = dict(ours.named_parameters())
        assert all(copied[name].equal(weight) for name, weight in theirs.named_parameters())
        assert not ours.encoder_attn.q_proj.weight.equal(theirs.self_attn.q_proj.weight)
        assert 0.2 < ours.encoder_attn.q_proj.weight.std() / encoder.config.initializer_range < 2
        assert not ours.encoder_attn.q_proj.bias.any()
    assert bart.lm_head.weight.equal(encoder.embeddings.word_embeddings.weight)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "t5"}, "a model of the type t5"),
        ({"model_type": "albert"}, "a model of the type albert"),
        ({"model_type": "bert", "is_decoder": True}, "is a decoder"),
        ({"model_type": "bert", "position_embedding_type": "relative_key"}, "positions of type relative_key"),
    ],
)
def test_other_models_are_refused(config, said):
    with pytest.raises(CheckpointError, match=said):
        check_bert(config, "o/name")
