from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_pagesum import SIZES, VOCAB, random_pages, tiny_pagesum

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks import kv_cache
from lsum_cli.models.blocks.attention import PackedPages, packs_pages
from lsum_cli.models.pagesum.engine import PageSumEngine
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration


@pytest.fixture
def engine() -> PageSumEngine:
    return PageSumEngine.prepare(tiny_pagesum(), Precision.FLOAT32)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([], "no pages"),
        ([[]], "no pages"),
        ([[torch.tensor([5])], []], "no pages"),
        ([[torch.tensor([5]), torch.tensor([], dtype=torch.int64)]], "page 2 has 0 tokens"),
        ([[torch.full((65,), 5)]], "page 1 has 65 tokens, the model reads 1 to 64"),
    ],
)
def test_pages_that_cannot_be_read(engine, documents, said):
    with pytest.raises(OptionError, match=said) as error:
        engine.encode(documents)
    assert error.value.next_step


@pytest.mark.parametrize("token_id", [VOCAB, -1])
def test_a_foreign_tokenizer_is_noticed(engine, token_id):
    with pytest.raises(CheckpointError, match="page 2 has token ids beyond the model's 60"):
        engine.encode([[torch.tensor([5]), torch.tensor([5, token_id])]])


def test_more_ids_than_positions_are_refused(engine, generator):
    with pytest.raises(OptionError, match="66 ids exceed the 64 positions"):
        beam_search(engine.encode([random_pages(generator, (5,))]), GenerationOptions(max_length=66))
    ((found,),) = beam_search(
        engine.encode([random_pages(generator, (5,))]), GenerationOptions(max_length=65, min_length=65)
    )
    assert len(found.token_ids) == 64


def test_pages_of_one_token(engine, generator):
    ((found,),) = beam_search(
        engine.encode([random_pages(generator, (1, 1, 1))]), GenerationOptions(max_length=12, min_length=12)
    )
    assert np.stack(found.trace).shape == (11, 3)


def test_five_hundred_pages(engine, generator):
    lengths = torch.randint(1, 40, (500,), generator=generator).tolist()
    events = []
    decoder = engine.encode([random_pages(generator, lengths)], progress=events.append)
    assert (events[-1].done, events[-1].total) == (500, 500)
    ((found,),) = beam_search(decoder, GenerationOptions(beams=3, max_length=10, min_length=10))
    assert np.stack(found.trace).shape == (9, 500)
    assert np.stack(found.trace).sum(axis=1) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(
    "name",
    [
        "model.decoder.layers.1.fc2.weight",
        "model.shared.weight",
        "confidence_layer.weight",
        "final_logits_bias",
    ],
)
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_damaged_weights_are_named(name, value):
    model = tiny_pagesum()
    with torch.no_grad():
        model.state_dict()[name].flatten()[7] = value
    with pytest.raises(CheckpointError, match=f"the weights {name} are damaged"):
        PageSumEngine.prepare(model)


def test_an_engine_serves_many_documents_and_leaves_the_model_alone(generator):
    model = tiny_pagesum()
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    engine = PageSumEngine.prepare(model, Precision.FLOAT32)
    document = random_pages(generator, (20, 9))
    options = GenerationOptions(beams=2, max_length=15)
    first = beam_search(engine.encode([document]), options)[0][0]
    beam_search(engine.encode([random_pages(generator, (4,))]), options)
    again = beam_search(engine.encode([document]), options)[0][0]
    assert first.token_ids == again.token_ids
    assert first.score == again.score
    assert all(torch.equal(before[name], weight) for name, weight in model.state_dict().items())


def test_released_model_gives_the_same_engine(generator):
    document = random_pages(generator, (20, 9))
    options = GenerationOptions(beams=2, max_length=15)
    kept = PageSumEngine.prepare(tiny_pagesum(), Precision.FLOAT32)
    released = PageSumEngine.prepare(tiny_pagesum(), Precision.FLOAT32, release=True)
    assert (
        beam_search(kept.encode([document]), options)[0][0].score
        == beam_search(released.encode([document]), options)[0][0].score
    )


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.FLOAT16, Precision.INT8])
def test_low_precision_stays_close(precision, generator):
    """Wider than the other models here, since rounding averages out over the width."""
    sizes = SIZES | {"d_model": 64, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128}
    model = tiny_pagesum(1, spread=0.12, **sizes)
    document = random_pages(generator, (32, 20, 32, 7))
    try:
        engines = [PageSumEngine.prepare(model, choice) for choice in (Precision.FLOAT32, precision)]
    except OptionError:
        pytest.skip(f"this processor cannot compute {precision}")
    target = torch.randint(3, VOCAB, (12,), generator=generator)
    probabilities, confidences = [], []
    for engine in engines:
        decoder = engine.encode([document])
        decoder.start(1, 64)
        with torch.inference_mode():
            steps = [decoder.step(token.view(1), torch.zeros(1, dtype=torch.int64)) for token in target]
        assert all(scores.dtype == torch.float32 for scores, _ in steps)
        probabilities.append(torch.cat([scores for scores, _ in steps]).exp())
        confidences.append(np.concatenate([traces.rows() for _, (traces,) in steps]))
    distance = (probabilities[0] - probabilities[1]).abs().sum(dim=1).mean() / 2  # total variation
    assert distance < 0.05
    assert np.abs(confidences[0] - confidences[1]).max() < 0.05


def test_packed_pages_give_the_same_tokens(generator, monkeypatch):
    """Also where documents end at different steps, and when the same documents are written again."""
    if not packs_pages(torch.float32):
        pytest.skip("this processor packs no pages")
    engine = PageSumEngine.prepare(tiny_pagesum(5, spread=0.3), Precision.FLOAT32)
    documents = [random_pages(generator, lengths) for lengths in ((20, 9), (20, 20, 19), (31,), (9, 30))]
    options = GenerationOptions(beams=4, max_length=60, start_token_id=2, end_token_id=6)

    def write() -> list[tuple[int, ...]]:
        decoder = engine.encode(documents)
        return [best.token_ids for _ in range(2) for best, *_ in beam_search(decoder.again(), options)]

    expected = write()
    assert len({len(tokens) for tokens in expected}) > 1
    for name, value in (("NUMBERS", 1), ("STEPS", 1)):
        monkeypatch.setattr(kv_cache, f"PACKED_FROM_{name}", value)
    packed = []
    monkeypatch.setattr(
        kv_cache, "PackedPages", lambda *pages: packed.append(PackedPages(*pages)) or packed[-1]
    )
    assert write() == expected
    assert len(packed) == engine.decoder.num_layers * 6, "6 runs of a document's pages in groups; packed once"


def test_other_activations_than_gelu(generator):
    model = tiny_pagesum(2, activation_function="relu")
    document = random_pages(generator, (20, 9))
    decoder = PageSumEngine.prepare(model, Precision.FLOAT32).encode([document])
    decoder.start(1, 8)
    from tiny_pagesum import padded

    input_ids, mask = padded([document])
    with torch.inference_mode():
        scores, _ = decoder.step(torch.tensor([2]), torch.tensor([0]))
        output = model(input_ids, attention_mask=mask, decoder_input_ids=torch.tensor([[2]]))
    torch.testing.assert_close(scores[0], output.logits[0, 0].log_softmax(-1), atol=1e-5, rtol=0)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs a list of the mapped files")
@pytest.mark.parametrize("precision", [Precision.FLOAT32, Precision.BFLOAT16])
def test_released_model_lets_go_of_its_file(precision, tmp_path):
    tiny_pagesum().save_pretrained(tmp_path)
    model = PageSumForConditionalGeneration.from_pretrained(tmp_path)
    assert str(tmp_path) in Path("/proc/self/maps").read_text()
    engine = PageSumEngine.prepare(model, precision, release=True)
    assert str(tmp_path) not in Path("/proc/self/maps").read_text()
    assert engine.encode([[torch.tensor([5, 6, 7])]]).num_documents == 1
