from __future__ import annotations

import numpy as np
import pytest
import torch
from reference_decoding import ModuleDecoder
from tiny_pagesum import PAD, VOCAB
from tiny_topdown_models import UPDATES, mask_of, padded, random_documents, tiny_tagger, tiny_topdown
from torch.testing import assert_close

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks import kv_cache
from lsum_cli.models.blocks.attention import packs_pages
from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine

LENGTHS = (50, 7, 130, 51)


@pytest.fixture(autouse=True, params=["as they are", "packed"])
def _pages(request, monkeypatch):
    """Documents are read as they are, and packed, where they would be too small for that to pay."""
    if request.param == "packed":
        if not packs_pages(torch.float32):
            pytest.skip("this processor packs no pages")
        for name, value in (("NUMBERS", 1), ("STEPS", 1), ("BEAMS", {torch.float32: 1})):
            monkeypatch.setattr(kv_cache, f"PACKED_FROM_{name}", value)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


@pytest.fixture
def engine() -> TopDownEngine:
    return TopDownEngine.prepare(tiny_topdown(), Precision.FLOAT32)


def decode(decoder, target, rows):
    decoder.start(1, 64)
    with torch.inference_mode():
        return [decoder.step(tokens, rows) for tokens in target.T]


@pytest.mark.parametrize("update", UPDATES)
def test_token_by_token_equals_all_at_once(update, generator):
    documents = random_documents(generator, LENGTHS)
    importance = [torch.rand(len(document), generator=generator) for document in documents]
    target = torch.randint(3, VOCAB, (4, 6), generator=generator)
    model = tiny_topdown(1, update=update)
    with torch.no_grad():
        expected = model(
            padded(documents), mask_of(documents), padded(importance, 0.0), decoder_input_ids=target
        ).logits.log_softmax(dim=-1)
    decoder = TopDownEngine.prepare(model, Precision.FLOAT32).encode(documents, importance=importance)
    steps = decode(decoder, target, torch.arange(4))
    assert_close(torch.stack([scores for scores, _ in steps], dim=1), expected, atol=1e-5, rtol=0)
    assert all(traces is None for _, traces in steps)


@pytest.mark.parametrize("attended_layers", [1, 2, 9])
def test_attention_by_groups_is_the_modules(attended_layers, generator, monkeypatch):
    documents = random_documents(generator, LENGTHS)
    groups = [torch.arange(len(document)) // 7 - 1 for document in documents]
    target = torch.randint(3, VOCAB, (4, 5), generator=generator)
    model = tiny_topdown(2)
    model.set_attn_implementation("eager")
    with torch.no_grad():
        output = model(
            padded(documents), mask_of(documents), decoder_input_ids=target, output_attentions=True
        )
    layers = torch.stack(output.cross_attentions[-min(attended_layers, 2) :])
    expected = layers.mean(dim=(0, 2))  # (batch, target_len, source_len)
    engine = TopDownEngine.prepare(model, Precision.FLOAT32)
    monkeypatch.setattr("lsum_cli.models.topdown.engine.ATTENDED_LAYERS", attended_layers)
    decoder = engine.encode(documents, groups=groups)
    steps = decode(decoder, target, torch.arange(4))
    for number, group_of in enumerate(groups):
        count = int(group_of.max()) + 1
        found = torch.tensor(np.stack([traces[number][0] for _, traces in steps]))  # (target_len, groups)
        assert found.shape == (5, count)
        for group in range(count):
            by_hand = expected[number, :, : len(group_of)][:, group_of == group].sum(dim=1)
            assert_close(found[:, group], by_hand, atol=1e-5, rtol=0)
        outside = expected[number, :, : len(group_of)][:, group_of < 0].sum(dim=1)
        assert_close(found.sum(dim=1) + outside, torch.ones(5), atol=1e-5, rtol=0)


def test_groups_change_nothing_but_tell_where(generator):
    documents = random_documents(generator, LENGTHS)
    model = tiny_topdown(3, end_bias=2.0)
    engine = TopDownEngine.prepare(model, Precision.FLOAT32)
    options = GenerationOptions(beams=3, max_length=20)
    plain = beam_search(engine.encode(documents), options)
    groups = [torch.arange(len(document)) % 5 for document in documents]
    told = beam_search(engine.encode(documents, groups=groups), options)
    for (a,), (b,) in zip(plain, told, strict=True):
        assert a.token_ids == b.token_ids
        assert a.trace is None
        assert np.stack(b.trace).shape == (len(b.token_ids), 5)
        assert np.stack(b.trace).sum(axis=1) == pytest.approx(1.0, abs=1e-4)


def test_documents_together_are_written_as_each_alone(generator):
    documents = random_documents(generator, LENGTHS)
    groups = [torch.arange(len(document)) % 3 for document in documents]
    options = GenerationOptions(beams=3, max_length=25)
    engine = TopDownEngine.prepare(tiny_topdown(4, end_bias=3.0), Precision.FLOAT32)
    together = beam_search(engine.encode(documents, groups=groups), options)
    assert len({len(found[0].token_ids) for found in together}) > 1
    for document, group_of, (found,) in zip(documents, groups, together, strict=True):
        ((alone,),) = beam_search(engine.encode([document], groups=[group_of]), options)
        assert found.token_ids == alone.token_ids
        assert np.stack(found.trace) == pytest.approx(np.stack(alone.trace), abs=1e-5)


def test_beam_search_is_generates(generator):
    for seed in range(5):
        model = tiny_topdown(seed, end_bias=[-4.0, 0.0, 2.0, 4.0][seed % 4], update=UPDATES[seed % 3])
        model.final_logits_bias[0, PAD] = -1e4
        documents = random_documents(generator, LENGTHS[: 1 + seed % 4])
        options = GenerationOptions(beams=1 + seed % 4, max_length=18, no_repeat_ngram=3)
        input_ids, mask = padded(documents), mask_of(documents)
        expected = model.generate(
            input_ids, attention_mask=mask, num_beams=options.beams, max_length=18, no_repeat_ngram_size=3
        ).tolist()
        for sequence in expected:
            while sequence[-1] == PAD:
                sequence.pop()
        engine = TopDownEngine.prepare(model, Precision.FLOAT32)
        decoders = [engine.encode(documents)]
        decoders += [ModuleDecoder(model, input_ids, mask, use_cache=cached) for cached in (True, False)]
        for decoder in decoders:
            found = beam_search(decoder, options)
            assert [[2, *hypothesis.token_ids] for (hypothesis,) in found] == expected


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([], "no documents"),
        ([torch.tensor([5]), torch.tensor([], dtype=torch.int64)], "document 2 has 0 tokens"),
        ([torch.full((257,), 5)], "document 1 has 257 tokens, the model reads 1 to 256"),
    ],
)
def test_documents_that_cannot_be_read(engine, documents, said):
    tagger = TaggerEngine.prepare(tiny_tagger(), Precision.FLOAT32)
    for read in (engine.encode, tagger.score):
        with pytest.raises(OptionError, match=said) as error:
            read(documents)
        assert error.value.next_step


@pytest.mark.parametrize("token_id", [VOCAB, -1])
def test_a_foreign_tokenizer_is_noticed(engine, token_id):
    with pytest.raises(CheckpointError, match="document 1 has token ids beyond the model's 60"):
        engine.encode([torch.tensor([5, token_id])])


@pytest.mark.parametrize("name", ["importance", "groups"])
def test_companions_that_do_not_fit(engine, name):
    with pytest.raises(OptionError, match=f"give {name} for every token"):
        engine.encode([torch.tensor([5, 6])], **{name: [torch.tensor([1])]})


@pytest.mark.parametrize("name", ["model.encoder.top_down.1.segment_attn.k_proj.weight", "final_logits_bias"])
def test_damaged_weights_are_named(name):
    model = tiny_topdown()
    with torch.no_grad():
        model.state_dict()[name].flatten()[7] = float("nan")
    with pytest.raises(CheckpointError, match=f"the weights {name} are damaged"):
        TopDownEngine.prepare(model)


def test_released_models_give_the_same_engines(generator):
    documents = random_documents(generator, (40, 9))
    options = GenerationOptions(beams=2, max_length=15)
    kept, released = (
        TopDownEngine.prepare(tiny_topdown(), Precision.FLOAT32, release=release) for release in (False, True)
    )
    for (a,), (b,) in zip(
        beam_search(kept.encode(documents), options),
        beam_search(released.encode(documents), options),
        strict=True,
    ):
        assert (a.token_ids, a.score) == (b.token_ids, b.score)
    scores = [
        TaggerEngine.prepare(tiny_tagger(), Precision.FLOAT32, release=release).score(documents)
        for release in (False, True)
    ]
    for a, b in zip(*scores, strict=True):
        assert torch.equal(a, b)


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.FLOAT16, Precision.INT8])
def test_low_precision_stays_close(precision, generator):
    """Wider than the other models here, since rounding averages out over the width."""
    sizes = {"d_model": 64, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128, "init_std": 0.12}
    model = tiny_topdown(1, **sizes)
    documents = random_documents(generator, (200,))
    importance = [torch.rand(200, generator=generator)]
    target = torch.randint(3, VOCAB, (1, 12), generator=generator)
    found = []
    for choice in (Precision.FLOAT32, precision):
        try:
            engine = TopDownEngine.prepare(model, choice)
        except OptionError:
            pytest.skip(f"this processor cannot compute {precision}")
        decoder = engine.encode(documents, importance=importance)
        found.append(torch.cat([scores for scores, _ in decode(decoder, target, torch.arange(1))]).exp())
    assert all(chances.dtype == torch.float32 for chances in found)
    assert (found[0] - found[1]).abs().sum(dim=1).mean() / 2 < 0.05  # total variation


def test_progress_counts_tokens(engine, generator):
    events = []
    engine.encode(random_documents(generator, (100, 20)), progress=events.append)
    assert [event.done for event in events] == [25, 50, 75, 100, 105, 110, 115, 120]
    assert {event.total for event in events} == {120}
    assert {event.unit for event in events} == {"tokens"}


def test_more_ids_than_positions_are_refused(engine):
    with pytest.raises(OptionError, match="66 ids exceed the 64 positions"):
        beam_search(engine.encode([torch.tensor([5, 6])]), GenerationOptions(max_length=66))
