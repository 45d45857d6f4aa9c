"""What must hold for whatever is generated."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from reference_decoding import ModuleDecoder, stream_greedy
from tiny_pagesum import padded, random_pages, tiny_pagesum

from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions, LengthRule
from lsum_cli.machine.devices import Precision
from lsum_cli.models.pagesum.engine import PageSumEngine


def random_documents(seed: int):
    chance, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    return [
        random_pages(generator, [chance.randint(1, 32) for _ in range(chance.randint(1, 6))])
        for _ in range(chance.randint(1, 3))
    ]


def assert_same(found, expected):
    for ours, theirs in zip(found, expected, strict=True):
        assert [h.token_ids for h in ours] == [h.token_ids for h in theirs]
        for one, other in zip(ours, theirs, strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-5)
            assert one.log_probs == pytest.approx(other.log_probs, abs=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_cache_changes_nothing(seed):
    model = tiny_pagesum(seed, end_bias=1.0)
    batch = padded(random_documents(seed))
    options = GenerationOptions(beams=3, num_hypotheses=3, max_length=30, no_repeat_ngram=3)
    cached = beam_search(ModuleDecoder(model, *batch), options)
    assert_same(cached, beam_search(ModuleDecoder(model, *batch, use_cache=False), options))


@pytest.mark.parametrize("seed", range(8))
def test_documents_together_equal_each_alone_through_long_texts(seed):
    """Long enough for the cache to be pruned, with documents that end at different times."""
    documents = random_documents(seed)
    engine = PageSumEngine.prepare(tiny_pagesum(seed, end_bias=1.0), Precision.FLOAT32)
    options = GenerationOptions(
        beams=4, num_hypotheses=4, max_length=64, no_repeat_ngram=3, length_penalty=2.0
    )
    together = beam_search(engine.encode(documents), options)
    alone = [beam_search(engine.encode([document]), options)[0] for document in documents]
    assert_same(together, alone)
    for found, document in zip(together, documents, strict=True):
        for hypothesis in found:
            confidence = np.stack(hypothesis.trace)
            assert confidence.shape == (len(hypothesis.token_ids), len(document))
            assert confidence.sum(axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_one_beam_is_greedy(seed):
    (document, *_) = random_documents(seed)
    engine = PageSumEngine.prepare(tiny_pagesum(seed, end_bias=1.0), Precision.FLOAT32)
    options = GenerationOptions(beams=1, max_length=50, min_length=5, no_repeat_ngram=3)
    ((found,),) = beam_search(engine.encode([document]), options)
    stream = list(stream_greedy(engine.encode([document]), options))
    assert tuple(token.token_id for token in stream) == found.token_ids
    assert [token.trace.tolist() for token in stream] == [weights.tolist() for weights in found.trace]


@pytest.mark.parametrize("rule", LengthRule)
@pytest.mark.parametrize("seed", range(10))
def test_limits_hold_for_every_hypothesis(seed, rule):
    chance = random.Random(seed)
    size, minimum = chance.choice([2, 3]), chance.choice([0, 10, 20])
    options = GenerationOptions(
        beams=4,
        num_hypotheses=4,
        max_length=26,
        min_length=minimum,
        no_repeat_ngram=size,
        forced_first_token_id=0,
        forced_last_token_id=2,
        banned_token_ids=(9, 10),
        length_rule=rule,
    )
    engine = PageSumEngine.prepare(tiny_pagesum(seed, end_bias=3.0), Precision.FLOAT32)
    for found in beam_search(engine.encode(random_documents(seed)), options):
        assert len({hypothesis.token_ids for hypothesis in found}) == len(found) == 4
        for hypothesis in found:
            ids = [2, *hypothesis.token_ids]
            assert ids[1] == 0
            assert ids[-1] == 2
            assert minimum < len(ids) <= 26
            assert not {9, 10} & set(ids)
            assert hypothesis.log_probs[0] == 0.0
            ngrams = [tuple(ids[i : i + size]) for i in range(len(ids) - size + 1)]
            # What is forced overrules the bans, at the very end.
            checked = ngrams[:-1] if len(ids) == 26 else ngrams
            assert len(set(checked)) == len(checked)
