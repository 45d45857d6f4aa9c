"""Verbatim search: whole sentences only, for any model, any sentences and any limits."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_decoding import stream_greedy
from table_decoder import TableDecoder

from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions, LengthRule
from lsum_cli.generation.verbatim import (
    DocumentOffers,
    SentenceIndex,
    SentenceReader,
    VerbatimSentences,
    read_sentences,
    without_limits,
)

VOCAB, FIRST, END, START = 9, 0, 1, 2
TOKENS = range(3, VOCAB)

token_sequences = st.lists(
    st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6).map(tuple), min_size=1, max_size=8
)


def table(seed: int, holes: float = 0.0) -> torch.Tensor:
    chance = torch.Generator().manual_seed(seed)
    scores = torch.randn(VOCAB, VOCAB, generator=chance) * 3
    impossible = torch.rand(VOCAB, VOCAB, generator=chance) < holes
    # A row of nothing but impossible tokens has no softmax.
    impossible[:, 0] = False
    return scores.masked_fill(impossible, -math.inf)


def search(tables, sequences, options, **others):
    indices = [SentenceIndex(each) for each in sequences]
    own = [options] * len(indices)
    rule = VerbatimSentences(DocumentOffers(indices, own), own)
    found = beam_search(TableDecoder(tables), without_limits(options), constraints=[rule], **others)
    return found, indices


def split(token_ids, offered):
    """All ways of reading what was generated as distinct sentences and an end."""
    body = token_ids[1:] if token_ids[:1] == (FIRST,) else token_ids
    assert body[-1] == END
    body = body[:-1]
    ways = [()] if not body else []
    for sentence in offered:
        if body[: len(sentence)] == sentence:
            rest = (*body[len(sentence) :], END)
            ways += [(sentence, *way) for way in split(rest, offered - {sentence})]
    return ways


@settings(max_examples=150, deadline=None)
@given(
    sequences=token_sequences,
    seed=st.integers(0, 2**16),
    beams=st.integers(1, 4),
    extra=st.integers(1, 12),
    minimum=st.integers(0, 14),
    rule=st.sampled_from(LengthRule),
    forced=st.booleans(),
    holes=st.sampled_from((0.0, 0.5)),
)
def test_whatever_is_written_is_a_set_of_whole_sentences(
    sequences, seed, beams, extra, minimum, rule, forced, holes
):
    index = SentenceIndex(sequences)
    max_length = 2 + forced + index.shortest + extra
    options = GenerationOptions(
        beams=beams,
        num_hypotheses=beams,
        max_length=max_length,
        min_length=min(minimum, max_length),
        no_repeat_ngram=2,
        start_token_id=START,
        end_token_id=END,
        forced_first_token_id=FIRST if forced else None,
        forced_last_token_id=END,
        length_rule=rule,
    )
    ((*hypotheses,),), _ = search([table(seed, holes)], [sequences], options)
    for hypothesis in hypotheses:
        assert len(hypothesis.token_ids) < max_length
        assert split(hypothesis.token_ids, set(sequences))
        written = read_sentences(hypothesis.token_ids, index)
        assert written
        numbers = [sentence.number for sentence in written]
        assert len(set(numbers)) == len(numbers)
        for sentence in written:
            ids = tuple(hypothesis.token_ids[place] for place in sentence.places)
            assert ids == tuple(sequences[sentence.number])
        # The end comes before the minimum only where no further sentence fits.
        length = 1 + len(hypothesis.token_ids) - 1
        if length < options.min_length:
            remaining = [s for n, s in enumerate(sequences) if n in index.numbers and n not in numbers]
            assert all(length + len(sentence) + 1 > max_length for sentence in remaining)


@settings(max_examples=40, deadline=None)
@given(
    sequences=st.tuples(token_sequences, token_sequences),
    seed=st.integers(0, 2**16),
    extra=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    minimum=st.integers(0, 14),
)
def test_every_document_has_lengths_of_its_own(sequences, seed, extra, minimum):
    indices = [SentenceIndex(each) for each in sequences]
    own = [
        GenerationOptions(
            beams=2,
            max_length=2 + index.shortest + more,
            min_length=min(minimum, 2 + index.shortest + more),
            start_token_id=START,
            end_token_id=END,
        )
        for index, more in zip(indices, extra, strict=True)
    ]
    tables = [table(seed), table(seed + 1)]
    rule = VerbatimSentences(DocumentOffers(indices, own), own)
    limits = [without_limits(each) for each in own]
    found = beam_search(TableDecoder(tables), limits, constraints=[rule])
    for number, document in enumerate(found):
        (expected,), _ = search([tables[number]], [sequences[number]], own[number])
        assert [each.token_ids for each in document] == [each.token_ids for each in expected]


@settings(max_examples=60, deadline=None)
@given(sequences=token_sequences, seed=st.integers(0, 2**16), extra=st.integers(1, 12))
def test_one_beam_is_greedy_under_the_constraint(sequences, seed, extra):
    index = SentenceIndex(sequences)
    options = GenerationOptions(
        beams=1,
        max_length=2 + index.shortest + extra,
        start_token_id=START,
        end_token_id=END,
    )
    (((found,),), _) = search([table(seed)], [sequences], options)
    rule = VerbatimSentences(DocumentOffers([index], [options]), [options])
    stream = stream_greedy(TableDecoder([table(seed)]), without_limits(options), constraints=[rule])
    assert tuple(token.token_id for token in stream) == found.token_ids


def test_a_wide_beam_finds_the_best_order_of_sentences():
    sequences = [(3, 4, 5), (6, 7), (4, 8, 8)]
    scores = table(5)
    options = GenerationOptions(
        beams=32, max_length=12, length_penalty=0.0, start_token_id=START, end_token_id=END
    )
    (((found,),), _) = search([scores], [sequences], options)
    log_probs = scores.log_softmax(dim=-1)

    def score(ids):
        return sum(float(log_probs[a, b]) for a, b in itertools.pairwise((START, *ids)))

    every = [
        (*itertools.chain.from_iterable(order), END)
        for count in range(1, 4)
        for order in itertools.permutations(sequences, count)
    ]
    assert found.token_ids == max(every, key=score)
    assert found.score == pytest.approx(max(map(score, every)), abs=1e-4)


def test_documents_together_equal_each_alone():
    sequences = [[(3, 4), (5, 6, 7)], [(8, 3, 3), (4,)], [(5, 5), (6,), (7, 8)]]
    options = GenerationOptions(beams=2, max_length=9, min_length=4, start_token_id=START, end_token_id=END)
    tables = [table(seed) for seed in range(3)]
    together, _ = search(tables, sequences, options)
    for scores, own, (hypothesis,) in zip(tables, sequences, together, strict=True):
        (((alone,),), _) = search([scores], [own], options)
        assert alone.token_ids == hypothesis.token_ids


def test_an_index_knows_beginnings_and_duplicates():
    index = SentenceIndex([(3, 4), (3, 4, 5), (6,), (6,)])
    # The beginning of another sentence is left out, and what is equal is one sentence.
    assert len(index) == 2
    assert (index.shortest, index.longest) == (1, 3)
    assert index.followers(index.at_start()).tolist() == [3, 6]
    assert index.followers(index.at_start(), room=2).tolist() == [6]
    inside = index.follow(index.at_start(), 3)
    assert index.followers(inside).tolist() == [4]
    assert index.follow(index.at_start(), 7) is None
    assert index.ended(inside) is None


@settings(max_examples=60, deadline=None)
@given(sequences=token_sequences, data=st.data())
def test_followers_are_those_of_the_sentences(sequences, data):
    index = SentenceIndex(sequences)
    kept = {number: ids for number, ids in enumerate(sequences) if number in set(index.numbers.tolist())}
    written = frozenset(data.draw(st.sets(st.sampled_from(sorted(kept)))))
    room = data.draw(st.integers(0, 7))
    position, prefix = index.at_start(), ()
    while position is not None and index.ended(position) is None:
        open_ = [
            ids
            for number, ids in kept.items()
            if ids[: len(prefix)] == prefix and number not in written and len(ids) <= room
        ]
        if position.depth and position.last - position.first == 1:
            break
        found = index.followers(position, written, room - len(prefix)).tolist()
        assert found == sorted({ids[len(prefix)] for ids in open_})
        token_id = data.draw(st.sampled_from(TOKENS))
        position, prefix = index.follow(position, token_id), (*prefix, token_id)


def test_a_large_source_takes_memory_by_its_length_only():
    chance = np.random.default_rng(0)
    sequences = [tuple(chance.integers(3, 9000, 25).tolist()) for _ in range(20_000)]
    index = SentenceIndex(sequences)
    arrays = [value for value in vars(index).values() if isinstance(value, np.ndarray)]
    assert sum(array.nbytes for array in arrays) < 8 * 30 * len(sequences)
    assert len(index.followers(index.at_start())) > 7000


def test_a_reader_reports_a_sentence_with_its_last_token():
    index = SentenceIndex([(3, 4), (5,)])
    reader = SentenceReader()
    found = [reader.add(place, token_id, index) for place, token_id in enumerate((FIRST, 3, 4, 5, END))]
    assert [sentence and (sentence.number, sentence.places) for sentence in found] == [
        None,
        None,
        (0, (1, 2)),
        (1, (3,)),
        None,
    ]
