from __future__ import annotations

import itertools
import math

import pytest
import torch
from reference_decoding import stream_greedy
from table_decoder import TableDecoder

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.beam import BLOCK, beam_search, largest
from lsum_cli.generation.options import GenerationOptions, LengthRule, Slots

END = 2
VOCAB = 5


def table(seed: int, end_bias: float = 0.0) -> torch.Tensor:
    scores = 2 * torch.randn(VOCAB, VOCAB, generator=torch.Generator().manual_seed(seed))
    scores[:, END] += end_bias
    return scores


def best_of_all(scores: torch.Tensor, max_length: int, penalty: float) -> tuple[tuple[int, ...], float]:
    """Try every sequence there is."""
    log_probs = scores.log_softmax(dim=-1)
    found = []
    for length in range(1, max_length):
        for ids in itertools.product(range(VOCAB), repeat=length):
            if END in ids[:-1] or (ids[-1] != END and length < max_length - 1):
                continue
            total = sum(log_probs[a, b].item() for a, b in itertools.pairwise((END, *ids)))
            found.append((total / length**penalty, ids))
    score, ids = max(found)
    return ids, score


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("penalty", [0.0, 1.0, 2.0])
def test_a_beam_wide_enough_finds_the_best_of_all_sequences(seed, penalty):
    options = GenerationOptions(beams=700, max_length=6, length_penalty=penalty, early_stopping="never")
    ((found,),) = beam_search(TableDecoder([table(seed)]), options)
    ids, score = best_of_all(table(seed), 6, penalty)
    assert found.token_ids == ids
    assert found.score == pytest.approx(score, abs=1e-5)


class SteppedTable(TableDecoder):
    """Scores that grow with every step, so that no two sequences of the same steps have equal sums."""

    def step(self, token_ids, parents):
        scores, traces = super().step(token_ids, parents)
        return sharpened(scores, self.steps), traces


def sharpened(scores: torch.Tensor, step: int) -> torch.Tensor:
    return (scores * (1 + 0.1 * step)).log_softmax(dim=-1)


def search_of_the_paper(
    scores: torch.Tensor, beams: int, max_length: int, penalty: float
) -> list[tuple[float, tuple[int, ...]]]:
    """Shared slots written down plainly: everything is expanded and ranked."""
    plain = scores.log_softmax(dim=-1)
    log_probs = [sharpened(plain, step).tolist() for step in range(max_length)]
    slots: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]

    def score(slot: tuple[float, tuple[int, ...]]) -> float:
        return slot[0] / len(slot[1]) ** penalty

    def is_finished(slot: tuple[float, tuple[int, ...]]) -> bool:
        return slot[1][-1:] == (END,) or len(slot[1]) == max_length - 1

    while not all(map(is_finished, slots)):
        candidates = []
        for total, ids in slots:
            if is_finished((total, ids)):
                candidates.append((total, ids))
            else:
                last = ids[-1] if ids else END
                candidates += [
                    (total + log_probs[len(ids) + 1][last][token], (*ids, token)) for token in range(VOCAB)
                ]
        slots = sorted(candidates, key=score, reverse=True)[:beams]
    return [(score(slot), slot[1]) for slot in slots]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("beams", "penalty"), [(1, 1.0), (2, 1.0), (3, 1.0), (3, 0.5), (4, 2.0)])
def test_shared_slots_are_searched_as_the_paper_says(seed, beams, penalty):
    options = GenerationOptions(
        beams=beams, num_hypotheses=beams, max_length=8, length_penalty=penalty, slots=Slots.SHARED
    )
    (found,) = beam_search(SteppedTable([table(seed)]), options)
    expected = search_of_the_paper(table(seed), beams, 8, penalty)
    assert [hypothesis.token_ids for hypothesis in found] == [ids for _, ids in expected]
    assert [hypothesis.score for hypothesis in found] == pytest.approx([s for s, _ in expected], abs=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_shared_slots_enough_find_the_best_of_all_sequences(seed):
    options = GenerationOptions(beams=700, max_length=6, slots=Slots.SHARED)
    ((found,),) = beam_search(TableDecoder([table(seed)]), options)
    ids, score = best_of_all(table(seed), 6, 1.0)
    assert found.token_ids == ids
    assert found.score == pytest.approx(score, abs=1e-5)


def test_shared_slots_and_a_pool_find_other_summaries():
    """A pool fills with early ends that running hypotheses overtake where they share the slots."""
    found = {}
    for slots in Slots:
        options = GenerationOptions(beams=3, num_hypotheses=3, max_length=12, slots=slots)
        decoders = [SteppedTable([table(seed, end_bias=1.0)]) for seed in range(20)]
        found[slots] = [[each.token_ids for each in beam_search(one, options)[0]] for one in decoders]
    different = sum(a != b for a, b in zip(*found.values(), strict=True))
    assert different > 3


def test_what_is_settled_with_shared_slots_stays():
    for seed in range(12):
        heard: list[int] = []
        options = GenerationOptions(beams=3, max_length=12, slots=Slots.SHARED)
        ((found,),) = beam_search(
            TableDecoder([table(seed, end_bias=-1.0)]),
            options,
            on_settled=lambda _, tokens, heard=heard: heard.extend(token.token_id for token in tokens),
        )
        assert heard == list(found.token_ids)


@pytest.mark.parametrize("wrong", [{"early_stopping": True}, {"length_rule": LengthRule.START_AND_BOS}])
def test_shared_slots_exclude_what_they_cannot_have(wrong):
    with pytest.raises(OptionError, match="shared slots"):
        GenerationOptions(slots=Slots.SHARED, **wrong)


@pytest.mark.parametrize("rule", LengthRule)
def test_score_is_the_sum_over_the_length(rule):
    options = GenerationOptions(beams=3, num_hypotheses=3, max_length=9, length_penalty=1.5, length_rule=rule)
    (hypotheses,) = beam_search(TableDecoder([table(1)]), options)
    assert [h.score for h in hypotheses] == sorted((h.score for h in hypotheses), reverse=True)
    for hypothesis in hypotheses:
        length = len(hypothesis.token_ids)
        if rule is LengthRule.START_AND_BOS and hypothesis.token_ids[-1] != END:
            length += 1
        assert hypothesis.score == pytest.approx(sum(hypothesis.log_probs) / length**1.5, abs=1e-6)
        steps = itertools.pairwise((END, *hypothesis.token_ids))
        expected = [table(1).log_softmax(-1)[a, b].item() for a, b in steps]
        assert hypothesis.log_probs == pytest.approx(expected, abs=1e-5)


def test_a_trace_belongs_to_the_path_of_the_hypothesis():
    options = GenerationOptions(beams=4, num_hypotheses=4, max_length=12)
    (hypotheses,) = beam_search(TableDecoder([table(3)]), options)
    for hypothesis in hypotheses:
        read = [END, *hypothesis.token_ids[:-1]]
        expected = tuple((n, read[n - 1], len(set(read[:n]))) for n in range(1, len(read) + 1))
        assert hypothesis.trace == expected


def test_documents_do_not_disturb_one_another_and_leave_when_finished():
    tables = [table(4, end_bias=6.0), table(5, end_bias=-9.0), table(6, end_bias=1.0)]
    options = GenerationOptions(beams=3, num_hypotheses=2, max_length=15, early_stopping=True)
    together = TableDecoder(tables)
    found = beam_search(together, options)
    for document, alone in zip(found, tables, strict=True):
        (expected,) = beam_search(TableDecoder([alone]), options)
        assert [h.token_ids for h in document] == [h.token_ids for h in expected]
        assert [h.score for h in document] == [h.score for h in expected]
        assert [h.trace for h in document] == [h.trace for h in expected]
    assert together.documents_seen[0] == 3
    assert together.documents_seen[-1] == 1


@pytest.mark.parametrize("early_stopping", [True, False, "never"])
@pytest.mark.parametrize("forced", [END, None])
def test_every_document_has_lengths_of_its_own(forced, early_stopping):
    tables = [table(seed, end_bias=bias) for seed, bias in enumerate((6.0, -9.0, 1.0, -9.0))]
    own = [
        GenerationOptions(
            beams=3,
            num_hypotheses=2,
            min_length=least,
            max_length=most,
            forced_first_token_id=1,
            forced_last_token_id=forced,
            early_stopping=early_stopping,
        )
        for least, most in ((6, 9), (0, 15), (4, 5), (0, 4))
    ]
    found = beam_search(TableDecoder(tables), own)
    for document, alone, options in zip(found, tables, own, strict=True):
        (expected,) = beam_search(TableDecoder([alone]), options)
        assert [h.token_ids for h in document] == [h.token_ids for h in expected]
        assert [h.score for h in document] == [h.score for h in expected]
        assert all(options.min_length <= 1 + len(h.token_ids) < options.max_length + 1 for h in document)
    assert len(found[1][0].token_ids) == 14


def test_documents_that_differ_in_more_than_lengths_are_not_searched_for_together():
    own = [GenerationOptions(beams=2), GenerationOptions(beams=3)]
    with pytest.raises(ValueError, match="lengths alone"):
        beam_search(TableDecoder([table(0), table(1)]), own)


def test_the_end_is_never_searched_beyond():
    decoder = TableDecoder([table(7, end_bias=-50.0)])
    ((found,),) = beam_search(decoder, GenerationOptions(beams=2, max_length=10))
    assert len(found.token_ids) == 9
    assert decoder.steps == 9
    assert decoder.max_length == 10


def test_early_stopping_stops_early():
    steps = {}
    for stopping in (True, False, "never"):
        decoder = TableDecoder([table(8, end_bias=1.5)])
        beam_search(
            decoder, GenerationOptions(beams=3, max_length=40, early_stopping=stopping, length_penalty=2.0)
        )
        steps[stopping] = decoder.steps
    assert steps[True] <= steps[False] <= steps["never"]
    assert steps[True] < steps["never"]


def test_progress_is_told():
    heard = []
    beam_search(
        TableDecoder([table(7, end_bias=-50.0)]),
        GenerationOptions(beams=2, max_length=6),
        progress=heard.append,
    )
    assert [(event.done, event.total, event.unit) for event in heard] == [
        (n, 5, "tokens") for n in range(1, 6)
    ]


def test_scores_that_are_no_numbers_end_in_an_error():
    damaged = table(9)
    damaged[3] = math.nan
    with pytest.raises(CheckpointError, match="damaged"):
        beam_search(
            TableDecoder([table(1), damaged]), GenerationOptions(beams=3, max_length=200, min_length=200)
        )
    endless = table(9)
    endless[:] = math.inf
    with pytest.raises(CheckpointError, match="damaged"):
        list(stream_greedy(TableDecoder([endless]), GenerationOptions(beams=1)))


def test_dead_ends_give_what_was_written_so_far():
    # Five different tokens, each allowed once; the end token is the start token and banned with it.
    options = GenerationOptions(beams=2, max_length=50, no_repeat_ngram=1)
    ((found,),) = beam_search(TableDecoder([table(10)]), options)
    assert sorted(found.token_ids) == [0, 1, 3, 4]
    greedy = GenerationOptions(beams=1, max_length=50, no_repeat_ngram=1)
    assert sorted(t.token_id for t in stream_greedy(TableDecoder([table(10)]), greedy)) == [0, 1, 3, 4]


def test_bans_that_leave_nothing_are_refused():
    options = GenerationOptions(beams=1, banned_token_ids=tuple(range(VOCAB)))
    with pytest.raises(OptionError, match="no token at all"):
        beam_search(TableDecoder([table(0)]), options)
    with pytest.raises(OptionError, match="no token at all"):
        list(stream_greedy(TableDecoder([table(0)]), options))


def test_more_constraints_can_be_brought_along():
    class OnlyThrees:
        def apply(self, log_probs, length):
            log_probs[:, [0, 1, 4]] = -math.inf

        def advance(self, token_ids, parents):
            assert len(token_ids) == len(parents)

    ((found,),) = beam_search(
        TableDecoder([table(0, end_bias=-20.0)]),
        GenerationOptions(beams=2, max_length=6),
        constraints=[OnlyThrees()],
    )
    assert found.token_ids == (3, 3, 3, 3, 3)


@pytest.mark.parametrize("wide", [False, True])
def test_interruption_passes_through(wide):
    class Interrupted(TableDecoder):
        def step(self, token_ids, parents):
            if self.steps == 3:
                raise KeyboardInterrupt
            return super().step(token_ids, parents)

    decoder = Interrupted([table(7, end_bias=-50.0)])
    search = beam_search if wide else lambda *arguments: list(stream_greedy(*arguments))
    with pytest.raises(KeyboardInterrupt):
        search(decoder, GenerationOptions(beams=2 if wide else 1))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("rule", LengthRule)
def test_one_beam_is_greedy(seed, rule):
    options = GenerationOptions(
        beams=1, max_length=12, min_length=seed % 6, no_repeat_ngram=2, length_rule=rule, length_penalty=2.0
    )
    ((found,),) = beam_search(TableDecoder([table(seed)]), options)
    stream = list(stream_greedy(TableDecoder([table(seed)]), options))
    assert tuple(token.token_id for token in stream) == found.token_ids
    assert tuple(token.log_prob for token in stream) == found.log_probs
    assert tuple(token.trace for token in stream) == found.trace


def test_stream_hands_out_tokens_as_they_come():
    decoder = TableDecoder([table(7, end_bias=-50.0)])
    stream = stream_greedy(decoder, GenerationOptions(beams=1, max_length=9))
    for expected in range(1, 4):
        next(stream)
        assert decoder.steps == expected
        assert not torch.is_inference_mode_enabled()


def test_stream_is_for_one_document_and_one_beam():
    with pytest.raises(OptionError, match="1 documents with 4 beams"):
        stream_greedy(TableDecoder([table(0)]), GenerationOptions(beams=4))
    with pytest.raises(OptionError, match="2 documents"):
        stream_greedy(TableDecoder([table(0), table(1)]), GenerationOptions(beams=1))


@pytest.mark.parametrize("seed", range(6))
def test_a_longer_unfinished_hypothesis_overtakes_a_finished_one(seed):
    """The beam does not shrink when one ends: what goes on may still win by its mean log probability."""
    # From the start the end is likely at once; whoever goes on is nearly certain of everything after.
    scores = torch.full((VOCAB, VOCAB), -9.0)
    scores[END, END], scores[END, 3] = 1.0, 0.0
    scores[3, 4], scores[4, 3] = 6.0, 6.0
    scores[4, END] = 2.0 + 0.1 * seed
    options = GenerationOptions(beams=3, num_hypotheses=3, max_length=12, length_penalty=1.0)
    ((best, *others),) = beam_search(TableDecoder([scores]), options)
    assert (END,) in [each.token_ids for each in others]
    assert len(best.token_ids) > 5
    greedy = GenerationOptions(beams=1, max_length=12, length_penalty=1.0)
    ((first,),) = beam_search(TableDecoder([scores]), greedy)
    assert first.token_ids == (END,)


def test_tokens_settle_once_all_beams_agree_and_never_change():
    tables = [table(7, end_bias=-3.0), table(8, end_bias=-3.0)]
    options = GenerationOptions(beams=3, max_length=25)
    heard = [[], []]
    steps = []

    def listen(document, tokens):
        heard[document] += tokens
        steps.append(len(tokens))

    found = beam_search(TableDecoder(tables), options, on_settled=listen)
    for (best,), tokens in zip(found, heard, strict=True):
        assert tuple(token.token_id for token in tokens) == best.token_ids
        assert tuple(token.log_prob for token in tokens) == best.log_probs
        assert tuple(token.trace for token in tokens) == best.trace
    silent = beam_search(TableDecoder(tables), options)
    assert [h.token_ids for (h,) in silent] == [h.token_ids for (h,) in found]


@pytest.mark.parametrize("size", [7, 8 * BLOCK, 13 * BLOCK, 20 * BLOCK + 3, 40 * BLOCK - 1])
@pytest.mark.parametrize("count", [1, 6])
def test_the_largest_are_those_of_topk(size, count):
    values = torch.randn(3, size, generator=torch.Generator().manual_seed(size))
    values[1, :-2] = float("-inf")
    values[2, size // 2 : size // 2 + 5] = 9 + torch.arange(len(values[2, size // 2 : size // 2 + 5]))
    found, places = largest(values, count)
    assert torch.equal(found, values.topk(count, dim=1).values)
    assert torch.equal(values.gather(1, places), found)
    assert all(len(set(row)) == count for row in places.tolist())
    values[0, size // 3] = float("nan")
    assert largest(values, count)[0][0, 0].isnan()
