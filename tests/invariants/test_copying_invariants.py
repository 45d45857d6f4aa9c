"""What must hold of copying from pages for any weights, in both forms of the model."""

from __future__ import annotations

import pytest
import torch
from reference_decoding import ModuleDecoder
from test_pagesum_invariants import engine_forward
from tiny_pagesum import PAD, VOCAB, padded, random_pages, tiny_bart, tiny_pagesum
from torch.testing import assert_close

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.pagesum.engine import PageSumEngine
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration
from lsum_cli.training.optimisation import smoothed_loss

LENGTHS = (32, 7, 32, 1, 30)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(4)


@pytest.fixture
def target(generator) -> torch.Tensor:
    return torch.randint(3, VOCAB, (9,), generator=generator)


def copying(seed: int = 0, *, gate: float | None = None, **settings) -> PageSumForConditionalGeneration:
    """A model whose copying is far from even; with a gate, it copies as often as that says."""
    model = tiny_pagesum(seed, copy=True, copy_dim=8, **settings)
    with torch.no_grad():
        model.copier.query.weight.mul_(4)
        if gate is not None:
            model.copier.gate.weight.zero_()
            model.copier.gate.bias.fill_(gate)
        if model.copier.match is not None:
            weights = torch.tensor([[1.5, 0.5, 2.0], [0.7, 1.1, 0.4], [-0.3, 0.2, -0.6]])
            model.copier.match.copy_(weights[:, : model.copier.match.shape[1]])
    return model


def module_forward(model, documents, target):
    input_ids, mask = padded(documents)
    with torch.no_grad():
        output = model(input_ids, attention_mask=mask, decoder_input_ids=target.expand(len(documents), -1))
    weights = output.confidence
    return output.logits, [] if weights is None else [
        each[:, : len(document)] for each, document in zip(weights, documents, strict=True)
    ]


def engine_log_probs(model, documents, target):
    if model.config.decoding == "page":
        return engine_forward(model, documents, target)
    decoder = PageSumEngine.prepare(model, Precision.FLOAT32).encode(documents)
    decoder.start(1, 64)
    rows = torch.arange(len(documents))
    with torch.inference_mode():
        steps = [decoder.step(token.expand(len(documents)), rows)[0] for token in target]
    return torch.stack(steps, dim=1), []


FORMS = pytest.mark.parametrize("forward", [module_forward, engine_log_probs])
KINDS = pytest.mark.parametrize("kind", [{"decoding": "page"}, {"decoding": "global"}, {"copy_match": 3}])


@FORMS
@KINDS
def test_probabilities_sum_to_one(forward, kind, generator, target) -> None:
    documents = [random_pages(generator, LENGTHS), random_pages(generator, (3,))]
    log_probs, _ = forward(copying(**kind), documents, target)
    assert log_probs.shape == (2, 9, VOCAB)
    assert_close(log_probs.exp().sum(dim=-1), torch.ones(2, 9))


@FORMS
@KINDS
def test_a_model_that_never_copies_is_plain(forward, kind, generator, target) -> None:
    documents = [random_pages(generator, LENGTHS), random_pages(generator, (5, 20))]
    model = copying(gate=1e4, **kind)
    if model.copier.match is not None:
        torch.nn.init.zeros_(model.copier.match)  # matches move the confidences too
    log_probs, _ = forward(model, documents, target)
    model.copier, model.config.copy = None, False
    plain, _ = forward(model, documents, target)
    assert_close(log_probs, plain.log_softmax(dim=-1), atol=1e-5, rtol=0)


@FORMS
def test_a_model_that_only_copies_writes_words_of_the_pages(forward, generator, target) -> None:
    documents = [random_pages(generator, (9, 4)), random_pages(generator, (6,))]
    log_probs, _ = forward(copying(gate=-1e4), documents, target)
    for each, pages in zip(log_probs, documents, strict=True):
        words = torch.cat(pages).unique()
        assert_close(each[:, words].exp().sum(dim=1), torch.ones(9))
        others = torch.ones(VOCAB, dtype=torch.bool).index_fill_(0, words, False)
        assert (each[:, others] < -1e3).all()
        assert others[PAD]


def written_of(pages: list[torch.Tensor]) -> torch.Tensor:
    """A text that begins as nothing on the pages, and goes on with pieces of them."""
    return torch.cat([torch.tensor([3]), pages[1][4:9], pages[0][:3], pages[1][2:4]])


def count_matches(ids: list[int], place: int, written: list[int], most: int) -> int:
    """How many words before the place are the last ones written."""
    count = 0
    while count < min(most, place, len(written)) and ids[place - 1 - count] == written[-1 - count]:
        count += 1
    return count


@pytest.mark.parametrize("most", [0, 1, 3])
def test_the_equation_word_for_word(most, generator) -> None:
    """The distribution computed with loops, as the equations stand in the module."""
    model = copying(copy_match=most)
    pages = random_pages(generator, (6, 11))
    target = written_of(pages)
    log_probs, (confidence,) = module_forward(model, [pages], target)
    input_ids, mask = padded([pages])
    with torch.no_grad():
        output = model(input_ids, attention_mask=mask, decoder_input_ids=target.unsqueeze(0))
        hidden, states = output.decoder_last_hidden_state[0], output.encoder_last_hidden_state[0]
        alpha, gamma, beta = torch.zeros(3, 1) if most == 0 else model.copier.match
        longest_seen = 0
        for step in range(len(target)):
            written = target[: step + 1].tolist()
            counts = [
                [count_matches(page.tolist(), k, written, most) for k in range(len(page))] for page in pages
            ]
            bonus = torch.stack([gamma[: max(each)].sum() for each in counts])
            weights = (model.confidence_layer(hidden[step]).squeeze(1) + bonus).softmax(dim=0)
            assert_close(confidence[step], weights)
            mixed = weights @ hidden[step]
            longest = max(map(max, counts))
            longest_seen = max(longest_seen, longest)
            gate = (model.copier.gate(mixed) + beta[:longest].sum()).sigmoid()
            expected = gate * (model.lm_head(mixed) + model.final_logits_bias[0]).softmax(dim=0)
            for page, ids in enumerate(pages):
                query, keys = model.copier.query(hidden[step, page]), model.copier.key(states[page])
                added = torch.stack([alpha[:count].sum() for count in counts[page]])
                attention = (keys[: len(ids)] @ query / 8**0.5 + added).softmax(dim=0)
                for token_id, weight in zip(ids.tolist(), attention, strict=True):
                    expected[token_id] += (1 - gate[0]) * weights[page] * weight
            assert_close(log_probs[0, step].exp(), expected, atol=1e-6, rtol=1e-4)
        assert longest_seen == most


@FORMS
def test_the_ends_of_pages_are_not_copied(forward, generator, target) -> None:
    """Not even where a page's last word was just written."""
    inner = random_pages(generator, (6, 11))
    pages = [torch.cat([torch.tensor([0]), page, torch.tensor([2])]) for page in inner]
    model = copying(gate=-1e4, copy_match=3)
    log_probs, _ = forward(model, [pages], torch.cat([target, inner[1][-3:]]))
    assert (log_probs[..., :3] < -1e3).all()
    assert_close(log_probs.exp().sum(dim=-1), torch.ones(1, 12))


def test_a_strong_match_copies_on_from_the_page_that_has_it(generator) -> None:
    pages = random_pages(generator, (6, 11))
    model = copying(gate=0.0, copy_match=3)
    with torch.no_grad():
        model.copier.match.copy_(torch.tensor([[20.0] * 3, [20.0] * 3, [-20.0] * 3]))
    log_probs, (confidence,) = module_forward(model, [pages], pages[1][4:8])
    assert log_probs[0, 2:].argmax(dim=1).tolist() == pages[1][7:9].tolist()
    assert (confidence[2:, 1] > 0.99).all()


@FORMS
def test_order_of_pages_changes_no_probability(forward, generator, target) -> None:
    pages = random_pages(generator, LENGTHS)
    straight, _ = forward(copying(), [pages], target)
    permuted, _ = forward(copying(), [[pages[page] for page in (3, 0, 4, 2, 1)]], target)
    assert_close(permuted, straight, atol=1e-5, rtol=0)


def test_absent_pages_give_nothing(generator, target) -> None:
    pages, longer = random_pages(generator, (9, 4)), random_pages(generator, LENGTHS)
    alone, _ = module_forward(copying(), [pages], target)
    together, _ = module_forward(copying(), [pages, longer], target)
    assert_close(together[:1], alone, atol=1e-5, rtol=0)


@FORMS
def test_one_page_is_a_pointer_generator_over_bart(forward, generator, target) -> None:
    bart = tiny_bart(5, spread=0.3)
    model = PageSumForConditionalGeneration.from_bart(bart, page_len=32, copy=True, copy_dim=8).eval()
    (page,) = random_pages(generator, (17,))
    log_probs, _ = forward(model, [[page]], target)
    with torch.no_grad():
        output = bart(page.unsqueeze(0), decoder_input_ids=target.unsqueeze(0), output_hidden_states=True)
        hidden, states = output.decoder_hidden_states[-1][0], output.encoder_last_hidden_state[0]
        attention = (model.copier.query(hidden) @ model.copier.key(states).T / 8**0.5).softmax(dim=-1)
        gate = model.copier.gate(hidden).sigmoid()
        copied = torch.zeros(9, VOCAB).index_add_(1, page, attention)
        expected = gate * output.logits[0].softmax(dim=-1) + (1 - gate) * copied
    assert_close(log_probs[0].exp(), expected, atol=1e-6, rtol=1e-4)


@KINDS
def test_engine_and_module_agree(kind, generator, target) -> None:
    documents = [random_pages(generator, lengths) for lengths in (LENGTHS, (5, 20), (31,))]
    for seed in range(3):
        model = copying(seed, **kind)
        expected, _ = module_forward(model, documents, target)
        log_probs, _ = engine_log_probs(model, documents, target)
        assert_close(log_probs, expected, atol=2e-5, rtol=0)


@KINDS
def test_search_finds_the_same_with_engine_module_and_transformers(kind, generator) -> None:
    documents = [random_pages(generator, LENGTHS), random_pages(generator, (5, 20))]
    model = copying(2, **kind, end_bias=1.0)
    input_ids, mask = padded(documents)
    options = GenerationOptions(beams=3, min_length=3, max_length=14)
    engine = PageSumEngine.prepare(model, Precision.FLOAT32).encode(documents)
    decoders = [
        engine,
        *(ModuleDecoder(model, input_ids, mask, use_cache=cached) for cached in (True, False)),
    ]
    found = [[each[0].token_ids for each in beam_search(decoder, options)] for decoder in decoders]
    assert found[0] == found[1] == found[2]
    with torch.no_grad():
        written = model.generate(
            input_ids, attention_mask=mask.flatten(1), num_beams=1, do_sample=False, max_new_tokens=8
        )
        again = model.generate(
            input_ids, attention_mask=mask.flatten(1), num_beams=1, do_sample=False, max_new_tokens=8,
            use_cache=False,
        )  # fmt: skip
    assert written.tolist() == again.tolist()


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.INT8])
def test_low_precision_stays_close(precision, generator, target) -> None:
    model = copying(1)
    documents = [random_pages(generator, LENGTHS)]
    expected, _ = module_forward(model, documents, target)
    try:
        engine = PageSumEngine.prepare(model, precision)
    except OptionError:
        pytest.skip("not computed here")
    decoder = engine.encode(documents)
    decoder.start(1, 64)
    with torch.inference_mode():
        steps = [decoder.step(token.view(1), torch.zeros(1, dtype=torch.int64))[0] for token in target]
    assert_close(torch.cat(steps).exp(), expected[0].exp(), atol=0.1, rtol=0)


@pytest.mark.parametrize("gate", [None, 300.0, -300.0])
def test_gradients_reach_every_weight_and_are_numbers(gate, generator) -> None:
    model = copying(gate=gate, copy_match=2).train()
    input_ids, mask = padded([random_pages(generator, LENGTHS), random_pages(generator, (5,))])
    labels = torch.randint(3, VOCAB, (2, 9), generator=generator)
    labels[1, 5:] = -100
    model(input_ids, attention_mask=mask, labels=labels).loss.backward()
    for name, parameter in model.copier.named_parameters():
        assert torch.isfinite(parameter.grad).all(), name
        if gate is None:
            assert parameter.grad.abs().sum() > 0, name


def test_the_loss_is_that_of_the_mixture(generator) -> None:
    model = copying()
    input_ids, mask = padded([random_pages(generator, LENGTHS), random_pages(generator, (5,))])
    labels = torch.randint(3, VOCAB, (2, 9), generator=generator)
    labels[1, 5:] = -100
    with torch.no_grad():
        output = model(input_ids, attention_mask=mask, labels=labels)
        shared = model(input_ids, attention_mask=mask, labels=labels, num_items_in_batch=28)
    counts = labels != -100
    log_probs = output.logits.gather(2, labels.clamp_min(0).unsqueeze(2)).squeeze(2)
    assert_close(output.loss, -log_probs[counts].mean())
    assert_close(shared.loss, output.loss / 2)
    # Every word has a share of the smoothed target, copied or not.
    every = -output.logits.mean(dim=-1)[counts].sum()
    smoothed = smoothed_loss(output.logits, labels, 0.1, 1)
    assert_close(smoothed, 0.9 * -log_probs[counts].sum() + 0.1 * every)


def test_double_precision_stays_double(generator, target) -> None:
    model = copying().double()
    input_ids, mask = padded([random_pages(generator, (4, 6))])
    with torch.no_grad():
        logits = model(input_ids, attention_mask=mask, decoder_input_ids=target.unsqueeze(0)).logits
    assert logits.dtype == torch.float64
    assert_close(logits.exp().sum(dim=-1), torch.ones(1, 9, dtype=torch.float64), atol=1e-12, rtol=0)


def test_saved_and_loaded_it_copies_the_same(generator, target, tmp_path) -> None:
    model = copying(copy_match=2)
    documents = [random_pages(generator, (4, 6))]
    model.save_pretrained(tmp_path)
    loaded = PageSumForConditionalGeneration.from_pretrained(tmp_path).eval()
    assert (loaded.config.copy, loaded.config.copy_dim, loaded.config.copy_match) == (True, 8, 2)
    weights = loaded.state_dict()
    assert all(torch.equal(weights[name], weight) for name, weight in model.state_dict().items())
    assert_close(
        module_forward(loaded, documents, target)[0],
        module_forward(model, documents, target)[0],
        atol=1e-6,
        rtol=0,
    )


def test_copying_can_be_added(generator, target) -> None:
    model = tiny_pagesum()
    assert model.copier is None
    before = model(*padded([random_pages(generator, (4, 6))]), decoder_input_ids=target.unsqueeze(0)).logits
    assert (before.exp().sum(dim=-1) > 1.5).any()
    model.add_copier(6, generator=torch.Generator().manual_seed(1))
    assert model.config.copy_dim == 6
    log_probs, _ = module_forward(model, [random_pages(generator, (4, 6))], target)
    assert_close(log_probs.exp().sum(dim=-1), torch.ones(1, 9))


def test_tokens_must_be_known_to_be_copied(generator, target) -> None:
    model = copying()
    input_ids, mask = padded([random_pages(generator, (4, 6))])
    with torch.no_grad():
        encoded = model.get_encoder()(input_ids, attention_mask=mask)
        settings = {"attention_mask": mask, "decoder_input_ids": target.unsqueeze(0)}
        whole = model(encoder_outputs=encoded, **settings).logits
        brought = model(input_ids, encoder_outputs=(encoded.last_hidden_state,), **settings).logits
        assert torch.equal(brought, whole)
        with pytest.raises(OptionError, match="tokens to copy"):
            model(encoder_outputs=(encoded.last_hidden_state,), **settings)


def test_a_width_of_nothing_is_refused() -> None:
    with pytest.raises(CheckpointError, match="copy_dim"):
        tiny_pagesum(copy=True, copy_dim=0)
    for settings in ({"copy": True, "copy_match": -1}, {"copy_match": 2}):
        with pytest.raises(CheckpointError, match="copy_match"):
            tiny_pagesum(**settings)
    with pytest.raises(CheckpointError, match="copy_match"):
        tiny_pagesum(copy=True, copy_match=2, decoding="global")


def test_training_in_bfloat16_mixes_in_float32(generator) -> None:
    model = copying()
    input_ids, mask = padded([random_pages(generator, LENGTHS), random_pages(generator, (5,))])
    labels = torch.randint(3, VOCAB, (2, 9), generator=generator)
    exact = model(input_ids, attention_mask=mask, labels=labels).loss
    with torch.autocast("cpu", torch.bfloat16):
        output = model(input_ids, attention_mask=mask, labels=labels)
    assert output.logits.dtype == torch.float32
    assert_close(output.logits.exp().sum(dim=-1), torch.ones(2, 9), atol=1e-3, rtol=0)
    assert_close(output.loss, exact, atol=0.1, rtol=0)
    output.loss.backward()
    assert all(torch.isfinite(parameter.grad).all() for parameter in model.copier.parameters())


def test_copying_can_be_captured_in_one_graph(generator):
    """Compiled in full and exported for pages and words of other numbers: the same distribution."""
    model = copying(copy_match=3).eval()

    def inputs(pages: int, page_len: int, target_len: int) -> dict[str, torch.Tensor | bool]:
        input_ids = torch.randint(3, VOCAB, (2, pages, page_len), generator=generator)
        mask = torch.ones_like(input_ids)
        mask[1, -1, page_len // 2 :] = 0
        written = input_ids[:, 0, :target_len].clone()
        fields = {"input_ids": input_ids, "attention_mask": mask, "decoder_input_ids": written}
        return fields | {"use_cache": False}

    given = inputs(3, 12, 7)
    any_size = torch.export.Dim.AUTO
    sizes = {
        name: dict.fromkeys(range(1, each.dim()), any_size) if isinstance(each, torch.Tensor) else None
        for name, each in given.items()
    }
    exported = torch.export.export(model, (), given, dynamic_shapes=sizes).module()
    compiled = torch.compile(model, fullgraph=True, backend="eager", dynamic=True)
    for sample in (given, inputs(2, 20, 11)):
        with torch.no_grad():
            expected = model(**sample)
            for graph in (exported, compiled):
                found = graph(**sample)
                assert_close(found.logits, expected.logits)
                assert_close(found.confidence, expected.confidence)
