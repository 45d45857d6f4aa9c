"""Beam search equals the ``generate`` of transformers: tokens and scores, for any settings."""

from __future__ import annotations

import random
from itertools import compress

import pytest
import torch
from reference_decoding import ModuleDecoder
from tiny_pagesum import PAD, VOCAB, padded, random_pages, tiny_bart, tiny_pagesum

from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.machine.devices import Precision
from lsum_cli.models.pagesum.engine import PageSumEngine

SETTINGS = 240
PER_TEST = 20


def random_options(chance: random.Random) -> GenerationOptions:
    beams = chance.choice([1, 1, 2, 3, 4, 6])
    max_length = chance.randint(3, 24)
    return GenerationOptions(
        beams=beams,
        num_hypotheses=chance.choice([1, beams]),
        max_length=max_length,
        min_length=chance.randint(0, min(max_length, 12)),
        length_penalty=chance.choice([0.0, 0.5, 1.0, 2.0, -1.0]),
        no_repeat_ngram=chance.choice([0, 0, 1, 2, 3]),
        early_stopping=chance.choice([False, True, "never"]),
        forced_first_token_id=chance.choice([None, 0]),
        forced_last_token_id=chance.choice([None, 2]),
        banned_token_ids=chance.choice([(), (), (5, 7, 11)]),
    )


def generate(model, input_ids, mask, options: GenerationOptions):
    """Return what transformers generates, ids without padding, and its scores."""
    for_beams = {"early_stopping": options.early_stopping, "length_penalty": options.length_penalty}
    output = model.generate(
        input_ids,
        attention_mask=mask.flatten(1),  # transformers takes no other shape
        num_beams=options.beams,
        num_return_sequences=options.num_hypotheses,
        max_length=options.max_length,
        min_length=options.min_length,
        no_repeat_ngram_size=options.no_repeat_ngram,
        forced_bos_token_id=options.forced_first_token_id,
        forced_eos_token_id=options.forced_last_token_id,
        bad_words_ids=[[token] for token in options.banned_token_ids] or None,
        do_sample=False,
        return_dict_in_generate=True,
        output_scores=True,
        **(for_beams if options.beams > 1 else {}),
    )
    sequences = output.sequences.tolist()
    for sequence in sequences:
        while sequence[-1] == PAD:
            sequence.pop()
    return sequences, output.sequences_scores.tolist() if options.beams > 1 else None


def assert_equal(found, expected) -> None:
    hypotheses = [hypothesis for document in found for hypothesis in document]
    sequences, scores = expected
    if scores is not None:
        # Where fewer could be finished, transformers fills up with repetitions of a score near -1e9.
        real = [score > -1e6 for score in scores]
        sequences = list(compress(sequences, real))
        assert [h.score for h in hypotheses] == pytest.approx(
            list(compress(scores, real)), rel=1e-5, abs=2e-5
        )
    assert [[2, *hypothesis.token_ids] for hypothesis in hypotheses] == sequences


@pytest.mark.parametrize("first", range(0, SETTINGS, PER_TEST))
def test_bart(first):
    for seed in range(first, first + PER_TEST):
        chance = random.Random(seed)
        # The padding token would be cut off from the end of what transformers returns.
        model = tiny_bart(seed, end_bias=chance.choice([-6.0, -1.0, 0.0, 2.0, 4.0, 9.0]))
        model.final_logits_bias[0, PAD] = -1e4
        options = random_options(chance)
        batch, length = chance.randint(1, 4), chance.randint(2, 12)
        input_ids = torch.randint(3, VOCAB, (batch, length))
        mask = torch.ones_like(input_ids)
        for document in range(batch):
            mask[document, length - chance.randint(0, length - 1) :] = 0
        mask[:, 0] = 1
        found = beam_search(ModuleDecoder(model, input_ids, mask), options)
        assert_equal(found, generate(model, input_ids, mask, options))


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_pagesum(first):
    for seed in range(first, first + 10):
        chance = random.Random(seed)
        generator = torch.Generator().manual_seed(seed)
        decoding = chance.choice(["page", "page", "global"])
        model = tiny_pagesum(seed, end_bias=chance.choice([-4.0, 0.0, 2.0, 4.0]), decoding=decoding)
        model.final_logits_bias[0, PAD] = -1e4
        documents = [
            random_pages(generator, [chance.randint(1, 32) for _ in range(chance.randint(1, 5))])
            for _ in range(chance.randint(1, 3))
        ]
        options = random_options(chance)
        expected = generate(model, *padded(documents), options)
        assert_equal(beam_search(ModuleDecoder(model, *padded(documents)), options), expected)
        engine = PageSumEngine.prepare(model, Precision.FLOAT32)
        assert_equal(beam_search(engine.encode(documents), options), expected)


def test_pagesum_generates_from_one_flat_page():
    model = tiny_pagesum(3)
    (page,) = random_pages(torch.Generator().manual_seed(0), [20])
    options = GenerationOptions(beams=3, max_length=20, no_repeat_ngram=3)
    expected = generate(model, page.unsqueeze(0), torch.ones(1, 20), options)
    assert_equal(
        beam_search(PageSumEngine.prepare(model, Precision.FLOAT32).encode([[page]]), options), expected
    )


def test_pagesum_generates_without_cache():
    model = tiny_pagesum(4)
    documents = [random_pages(torch.Generator().manual_seed(1), [20, 9, 31])]
    input_ids, mask = padded(documents)
    arguments = {
        "attention_mask": mask.flatten(1),
        "num_beams": 3,
        "max_length": 25,
        "no_repeat_ngram_size": 3,
    }
    with_cache = model.generate(input_ids, **arguments)
    assert torch.equal(with_cache, model.generate(input_ids, use_cache=False, **arguments))
    del arguments["attention_mask"]
    assert torch.equal(with_cache, model.generate(input_ids, **arguments))  # padding is seen anyway
