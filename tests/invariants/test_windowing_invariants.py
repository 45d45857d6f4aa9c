"""What must hold for any weights (Schüller et al. 2020, Eqs. 1-3), in training and in decoding."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_decoding import stream_greedy
from tiny_windowing_model import SENTENCES, SIZES, tiny_engine, tiny_tokenizer, tiny_windowing
from torch.testing import assert_close

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import OptionError
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.models.windowing import encoded_text
from lsum_cli.models.windowing.encoded_text import EncodedText
from lsum_cli.models.windowing.engine import WindowingEngine
from lsum_cli.models.windowing.vocabulary import encode_source
from lsum_cli.models.windowing.windows import (
    WindowLayout,
    WindowRules,
    static_quotas,
    static_weights,
    windows_by_quota,
)

SHIFT = 4
TOKENIZER = tiny_tokenizer()
SOURCE = encode_source(TOKENIZER, SENTENCES)
LAYOUT = WindowLayout(num_tokens=len(SOURCE), window_len=SIZES["window_len"], stride=SIZES["stride"])
ONE_WINDOW = WindowRules(windowing="none", window_len=len(SOURCE), stride=1)


def options_for(decoder, **changes) -> GenerationOptions:
    options = {"beams": 3, "start_token_id": 2, "end_token_id": 3, "banned_token_ids": (0, 1, 2)}
    return GenerationOptions(max_length=decoder.max_length, **(options | changes))


def inputs(source=SOURCE, padding: int = 0):
    def row(values):
        return torch.tensor([[*values.tolist(), *[0] * padding]])

    mask = torch.tensor([[1] * len(source) + [0] * padding])
    return row(source.input_ids), mask, row(source.extended_ids)


def plain_pointer_generator(model, target):
    """Eqs. 1 and 2 written down once more, over the whole text, in probabilities and double precision."""
    model = model.double()
    ids, _, extended = inputs()
    embedded = model.embedding(ids)
    ahead, (ahead_h, ahead_c) = model.encoder.ahead(embedded)
    back, (back_h, back_c) = model.encoder.back(embedded.flip(1))
    states = torch.cat([ahead, back.flip(1)], dim=-1)[0]
    h, c = torch.cat([ahead_h[0], back_h[0]], -1), torch.cat([ahead_c[0], back_c[0]], -1)
    if model.config.bridge == "tanh":
        h, c = model.bridge_h(h).tanh(), model.bridge_c(c)
    read = torch.where(target < model.config.vocab_size, target, 1)
    x = model.embedding(torch.tensor([[2, *read[:-1].tolist()]]))
    s = model.decoder(x, (h.unsqueeze(0), c.unsqueeze(0)))[0][0]
    alpha = (s @ states.T).softmax(-1)
    context = alpha @ states
    written = (model.pointer.read_out(torch.cat([context, s], -1).tanh()) @ model.embedding.weight.T).softmax(
        -1
    )
    p_gen = model.pointer.gate(torch.cat([context, s, x[0]], -1)).sigmoid()
    whole = torch.zeros(len(target), int(extended.max()) + 1, dtype=torch.double)
    whole[:, : written.shape[1]] = p_gen * written
    for place, word in enumerate(extended[0].tolist()):
        whole[:, word] += (1 - p_gen[:, 0]) * alpha[:, place]
    return whole, p_gen[:, 0], written, alpha


TARGET = torch.tensor([5, 26, 17, 4, 28, 1, 3])


@pytest.mark.parametrize("bridge", ["tanh", "none"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_one_window_is_the_plain_pointer_generator(dtype, bridge):
    def one_window():
        # Weights of a bfloat16 checkpoint are kept in 16 bits.
        return tiny_windowing(window_len=len(SOURCE), stride=len(SOURCE), bridge=bridge).to(dtype).float()

    model = one_window()
    ids, mask, extended = inputs()
    shifted = model.prepare_decoder_input_ids_from_labels(TARGET.unsqueeze(0))
    ours = model(ids, mask, extended, decoder_input_ids=shifted).log_probs[0].exp()
    labelled = model(ids, mask, extended, labels=TARGET.unsqueeze(0)).log_probs[0].exp()
    engine = engine_probabilities(WindowingEngine.prepare(model), TARGET, ONE_WINDOW)
    plain, *_ = plain_pointer_generator(one_window(), TARGET)
    for found in (ours, engine):
        assert_close(found[:, : plain.shape[1]].double(), plain, rtol=1e-4, atol=1e-7)
    assert_close(labelled, ours.gather(1, TARGET.unsqueeze(1)).squeeze(1))


def engine_probabilities(engine, target, rules=None, source=SOURCE):
    """What the engine says may follow, token by token; nothing forbidden."""
    decoder = engine.encode([source], rules)
    decoder._rule = lambda log_probs: None
    decoder.start(1, decoder.max_length)
    steps = [
        decoder.step(torch.tensor([token]), torch.tensor([0]))[0][0] for token in [2, *target[:-1].tolist()]
    ]
    return torch.stack(steps).exp()


@pytest.mark.parametrize("windowing", ["dynamic", "static", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_the_extended_distribution_sums_to_1_in_every_window(windowing, seed):
    engine = tiny_engine(seed, windowing=windowing)
    shares = engine_probabilities(engine, torch.tensor([5, 4, 26, 4, 4, 27, 6, 4, 5]))
    assert_close(shares.sum(1), torch.ones(9), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("bias", "is_copied"), [(200.0, False), (-200.0, True)])
def test_p_gen_of_1_is_the_vocabulary_and_p_gen_of_0_is_copying(bias, is_copied):
    model = tiny_windowing(window_len=len(SOURCE), stride=len(SOURCE))
    model.pointer.gate.bias.fill_(bias)
    found = engine_probabilities(WindowingEngine.prepare(model), TARGET, ONE_WINDOW)
    other = tiny_windowing(window_len=len(SOURCE), stride=len(SOURCE))
    _, _, written, alpha = plain_pointer_generator(other, TARGET)
    if is_copied:
        copied = torch.zeros(len(TARGET), found.shape[1], dtype=torch.double)
        copied.index_add_(1, torch.from_numpy(SOURCE.extended_ids), alpha)
        assert_close(found.double(), copied, rtol=1e-4, atol=1e-7)
    else:
        assert_close(found[:, : written.shape[1]].double(), written, rtol=1e-4, atol=1e-7)
        assert found[:, written.shape[1] :].sum() == 0
    trace_probabilities = (
        WindowingEngine.prepare(model).encode([SOURCE], ONE_WINDOW).trace(0, TARGET.tolist())
    )
    assert trace_probabilities.p_gen == pytest.approx(0 if is_copied else 1, abs=1e-6)


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 500), st.data())
def test_windows_cover_all_tokens_for_any_length_window_and_stride(num_tokens, window_len, data):
    stride = data.draw(st.integers(1, window_len))
    layout = WindowLayout(num_tokens=num_tokens, window_len=window_len, stride=stride)
    spans = [layout.span(window) for window in range(len(layout))]
    covered = np.zeros(num_tokens, bool)
    for start, end in spans:
        assert 0 <= start < end <= num_tokens
        assert end - start <= window_len
        covered[start:end] = True
    assert covered.all()
    assert spans[-1][1] == num_tokens
    assert all(end - start == window_len for start, end in spans[:-1])
    # No window but adds something.
    assert all(later[1] > earlier[1] for earlier, later in pairwise(spans))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2000), st.integers(1, 5000), st.floats(0, 3), st.floats(0, 3))
def test_static_quotas_sum_to_the_length(length, num_tokens, k, d):
    layout = WindowLayout(num_tokens=num_tokens, window_len=40, stride=30)
    weights = static_weights(layout, k=k, d=d)
    quotas = static_quotas(length, weights)
    assert weights.sum() == pytest.approx(1)
    assert quotas.sum() == length
    assert (quotas >= 0).all()
    windows = windows_by_quota(quotas, length)
    assert np.bincount(windows, minlength=len(layout)).tolist() == quotas.tolist()
    assert (np.diff(windows) >= 0).all()


@pytest.mark.parametrize("windowing", ["dynamic", "static", "none"])
@pytest.mark.parametrize("padding", [0, 1, 13])
def test_a_batch_is_each_alone_with_any_padding(windowing, padding):
    engine = tiny_engine(1, windowing=windowing)
    other = encode_source(TOKENIZER, SENTENCES[2:])
    third = encode_source(TOKENIZER, ["Zorblax."])
    sources = [other, SOURCE, third]
    decoder = engine.encode(sources)
    together = beam_search(decoder, options_for(decoder))
    for source, (found, *_) in zip(sources, together, strict=True):
        alone = engine.encode([source])
        ((expected,),) = beam_search(alone, options_for(decoder))
        assert found.token_ids == expected.token_ids
        assert found.score == pytest.approx(expected.score, abs=1e-5)
    model = engine.network
    labels = torch.tensor([[5, 6, 3]])
    ids, mask, extended = inputs(other, padding)
    alone_loss = model(*inputs(other), labels=labels).log_probs
    assert_close(model(ids, mask, extended, labels=labels).log_probs, alone_loss)
    both = [
        torch.cat(pair)
        for pair in zip(
            inputs(other, len(SOURCE) - len(other) + padding), inputs(SOURCE, padding), strict=True
        )
    ]
    batched = model(*both, labels=torch.tensor([[5, 6, 3, -100], [27, 5, 7, 3]])).log_probs
    assert_close(batched[:1, :3], alone_loss)


@pytest.mark.parametrize("windowing", ["dynamic", "static", "none"])
def test_one_beam_is_greedy(windowing):
    engine = tiny_engine(2, windowing=windowing)
    decoder = engine.encode([SOURCE])
    options = options_for(decoder, beams=1)
    ((found,),) = beam_search(decoder, options)
    streamed = list(stream_greedy(engine.encode([SOURCE]), options))
    assert tuple(token.token_id for token in streamed) == found.token_ids
    token_ids, best = [2], []
    while token_ids[-1] != 3 and len(best) < decoder.max_length - 1:
        step = engine.encode([SOURCE])
        step.start(1, step.max_length)
        for token in token_ids:
            log_probs, _ = step.step(torch.tensor([token]), torch.tensor([0]))
        log_probs[0, [0, 1, 2]] = float("-inf")
        best.append(int(log_probs[0].argmax()))
        token_ids.append(best[-1])
    assert tuple(best) == found.token_ids


def test_saved_and_loaded_it_writes_the_same(tmp_path):
    model = tiny_windowing(3)
    manifest = Manifest(
        name="tiny",
        method=CheckpointMethod.WINDOWING,
        origin=Origin(kind=OriginKind.TRAINING, source="a test"),
    )
    save_checkpoint(tmp_path / "tiny", model, TOKENIZER, manifest)
    loaded = load_folder(tmp_path / "tiny", dtype="float32")
    source = encode_source(loaded.tokenizer, SENTENCES)
    assert source.extended_ids.tolist() == SOURCE.extended_ids.tolist()
    assert source.unknown_words == SOURCE.unknown_words
    found = []
    for each, text in ((model, SOURCE), (loaded.model, source)):
        decoder = WindowingEngine.prepare(each).encode([text])
        found.append(beam_search(decoder, options_for(decoder))[0][0])
    assert found[0].token_ids == found[1].token_ids
    assert found[0].score == pytest.approx(found[1].score, abs=1e-6)


def test_stretches_are_the_whole_text_but_for_what_lies_beyond_the_overlap():
    ids = torch.randint(5, 20, (120,), generator=torch.Generator().manual_seed(0))
    # Weights as they are after initialisation: an LSTM that forgets, as trained ones do.
    whole = EncodedText(tiny_windowing(spread=1.0, stretch_len=500), ids)
    cut = EncodedText(tiny_windowing(spread=1.0, stretch_len=30, stretch_overlap=40), ids)
    half = whole.states(0, 1).shape[1] // 2
    for start, end in ((0, 30), (25, 70), (29, 31), (0, 120), (119, 120), (60, 90)):
        exact, found = whole.states(start, end), cut.states(start, end)
        assert_close(found[:, :half], exact[:, :half], rtol=1e-5, atol=1e-6)
        assert_close(found[:, half:], exact[:, half:], rtol=0, atol=2e-3)
    for found, exact in zip(cut.end, whole.end, strict=True):
        assert_close(found[:, :half], exact[:, :half], rtol=1e-5, atol=1e-6)
        assert_close(found[:, half:], exact[:, half:], rtol=0, atol=4e-3)
    # Overlaps that reach the end of the text leave nothing out.
    long = EncodedText(tiny_windowing(spread=1.0, stretch_len=30, stretch_overlap=120), ids)
    assert_close(long.states(0, 120), whole.states(0, 120), rtol=1e-5, atol=1e-6)
    # Without any overlap the backward states differ visibly: the tolerance above is no triviality.
    none = EncodedText(tiny_windowing(spread=1.0, stretch_len=30, stretch_overlap=0), ids)
    assert (none.states(0, 90) - whole.states(0, 90)).abs().max() > 2e-2


def test_states_kept_ahead_are_those_made_anew(monkeypatch):
    ids = torch.randint(5, 20, (120,), generator=torch.Generator().manual_seed(1))
    kept = EncodedText(tiny_windowing(spread=1.0, stretch_len=30, stretch_overlap=10), ids)
    monkeypatch.setattr(encoded_text, "CACHED_AHEAD", 60)
    anew = EncodedText(tiny_windowing(spread=1.0, stretch_len=30, stretch_overlap=10), ids)
    assert (len(kept._ahead), len(anew._ahead)) == (4, 2)
    for start, end in ((0, 10), (55, 65), (80, 120), (100, 120), (0, 120)):
        assert_close(anew.states(start, end), kept.states(start, end), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_dynamic_windows_move_with_the_shift_token_and_end_at_the_last(seed):
    engine = tiny_engine(seed)
    decoder = engine.encode([SOURCE], WindowRules(finish_windows=True))
    ((found,),) = beam_search(decoder, options_for(decoder))
    windows = decoder.windows(0, found.token_ids)
    assert windows == tuple(step.window for step in found.trace)
    assert windows[0] == 0
    assert set(windows) == set(range(len(LAYOUT)))
    for (here, there), token in zip(pairwise(windows), found.token_ids, strict=False):
        assert there - here == (token == 4)
    assert found.token_ids.count(4) == len(LAYOUT) - 1
    guarded = decoder.guarded(0, found.token_ids)
    for window in range(len(LAYOUT)):
        written = [
            t for t, w in zip(found.token_ids, windows, strict=True) if w == window and t not in (3, 4)
        ]
        assert len(written) <= 7
        assert (window in guarded) == (len(written) == 7)


def test_an_end_where_windows_are_left_moves_on():
    free, held = (
        tiny_engine(1).encode([SOURCE], WindowRules(finish_windows=finish)) for finish in (False, True)
    )
    scores = []
    for decoder in (free, held):
        decoder.start(1, 9)
        scores.append(decoder.step(torch.tensor([2]), torch.tensor([0]))[0][0].exp())
    assert_close(scores[1][4], scores[0][3] + scores[0][4])
    assert scores[1][3] == 0
    others = [token for token in range(len(scores[0])) if token not in (3, 4)]
    assert_close(scores[1][others], scores[0][others])


class ScriptedShifts:
    """A decoder's scores replaced: at every step the shift token has the same probability."""

    def __init__(self, decoder, probability: float) -> None:
        self.decoder, self.probability = decoder, probability
        decoder._score = self.score
        decoder.start(1, 400)

    def score(self, decoded, embedded):
        vocab = self.decoder._extended
        scores = torch.full((1, vocab), math.log((1 - self.probability) / (vocab - 1)))
        scores[0, SHIFT] = math.log(self.probability)
        return scores, torch.zeros(1)

    def step(self, token_id: int) -> dict[int, float]:
        """Write a token; return those that may follow it, with their log probabilities."""
        scores = self.decoder.step(torch.tensor([token_id]), torch.tensor([0]))[0][0]
        return {token: float(scores[token]) for token in (~scores.isneginf()).nonzero().flatten().tolist()}


@pytest.mark.parametrize("probability", [0.3, 0.75])
def test_a_paced_summary_moves_on_as_often_as_the_model_expects(probability):
    """The decoder alone keeps the account, over steps, shifts and windows."""
    model = tiny_windowing(max_window_tokens=1000, window_len=1, stride=1)
    long = encode_source(TOKENIZER, SENTENCES * 10)
    decoder = WindowingEngine.prepare(model).encode([long], WindowRules(paced=True, finish_windows=False))
    scripted = ScriptedShifts(decoder, probability)
    token_id, moved = 2, 0
    for place in range(100):
        allowed = scripted.step(token_id)
        # Either the shift and nothing else, at the model's own score, or everything else.
        if SHIFT in allowed:
            assert allowed == {SHIFT: pytest.approx(math.log(probability))}
            token_id, moved = SHIFT, moved + 1
        else:
            assert list(allowed) == [token for token in range(decoder._extended) if token != SHIFT]
            token_id = 5
        assert abs(moved - probability * (place + 1)) <= 0.5 + 1e-6
    assert decoder.windows(0, [SHIFT] * moved)[-1] == moved - 1


def test_an_unlikely_shift_never_comes_however_often_it_is_asked():
    decoder = tiny_engine(0, max_window_tokens=1000).encode([SOURCE], WindowRules(paced=True))
    scripted = ScriptedShifts(decoder, 0.05)
    for token_id in (2, *[5] * 100):
        assert SHIFT not in scripted.step(token_id)


def test_after_a_window_left_at_its_maximum_the_account_is_even():
    """A shift that the maximum forced is one shift, whatever was expected before it."""
    model = tiny_windowing(max_window_tokens=3, window_len=3, stride=3)
    scripted = ScriptedShifts(WindowingEngine.prepare(model).encode([SOURCE], WindowRules(paced=True)), 0.12)
    token_id, written = 2, []
    for probability in [0.12] * 8 + [0.4] * 6:
        scripted.probability = probability
        token_id = SHIFT if SHIFT in scripted.step(token_id) else 5
        written.append(token_id)
    # Three words expect 0.36 shifts, which makes none: the maximum of the window forces it. Afterwards
    # the sums are 0.4, 0.8 (less 1), 0.2, 0.6 (less 1), 0.0, 0.4.
    assert written == [5, 5, 5, SHIFT, 5, 5, 5, SHIFT, 5, SHIFT, 5, SHIFT, 5, 5]


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_a_paced_summary_visits_all_windows_and_its_rows_keep_their_own_account(seed, beams):
    decoder = tiny_engine(seed).encode([SOURCE], WindowRules(finish_windows=True, paced=True))
    options = replace(options_for(decoder), beams=beams)
    ((found,),) = beam_search(decoder, options)
    assert found.token_ids.count(4) == len(LAYOUT) - 1
    assert found.token_ids[-1] == 3


@pytest.mark.parametrize("windowing", ["dynamic", "static", "none"])
@pytest.mark.parametrize("beams", [1, 3])
def test_a_minimum_beyond_the_maxima_of_all_windows_leaves_words_to_write(windowing, beams):
    engine = tiny_engine(2, windowing=windowing)
    rules = WindowRules(max_window_tokens=2, summary_tokens=3, min_words=40, max_words=45)
    decoder = engine.encode([SOURCE], rules)
    options = replace(options_for(decoder), beams=beams, no_repeat_ngram=0)
    ((found,),) = beam_search(decoder, options)
    assert found.token_ids[-1] == 3
    assert 40 <= sum(token not in (3, 4) for token in found.token_ids) <= 45


def test_a_shift_at_the_last_window_changes_nothing_and_never_comes():
    schedule = WindowRules().schedule(len(SOURCE), tiny_windowing().settings)
    state = schedule.begin()
    for _ in range(100):
        state = schedule.advance(state, 4)
    assert state.window == schedule.last
    assert not schedule.allows_shift(state)
    for windowing in ("static", "none"):
        rules = WindowRules(windowing=windowing)
        assert not rules.schedule(len(SOURCE), tiny_windowing().settings).allows_shift(schedule.begin())


@pytest.mark.parametrize("seed", range(4))
def test_static_windows_follow_the_quotas_and_nothing_is_endless(seed):
    engine = tiny_engine(seed, windowing="static")
    decoder = engine.encode([SOURCE], WindowRules(summary_tokens=11))
    ((found,),) = beam_search(decoder, options_for(decoder))
    quotas = static_quotas(11, static_weights(LAYOUT, k=0.8, d=0.0))
    expected = windows_by_quota(quotas, len(found.token_ids))
    assert [step.window for step in found.trace] == expected.tolist()
    assert 4 not in found.token_ids
    assert len(found.token_ids) <= 11 + 7 + 1


@pytest.mark.parametrize("windowing", ["dynamic", "static", "none"])
def test_settled_tokens_together_are_the_best_hypothesis(windowing):
    engine = tiny_engine(5, windowing=windowing)
    heard: list[list] = [[], []]
    sources = [SOURCE, encode_source(TOKENIZER, SENTENCES[:2])]
    decoder = engine.encode(sources, WindowRules(finish_windows=True))
    calls = 0

    def listen(document, tokens):
        nonlocal calls
        calls += 1
        heard[document] += tokens

    found = beam_search(decoder, options_for(decoder), on_settled=listen)
    for (hypothesis,), tokens in zip(found, heard, strict=True):
        assert tuple(token.token_id for token in tokens) == hypothesis.token_ids
        assert tuple(token.log_prob for token in tokens) == hypothesis.log_probs
        assert tuple(token.trace for token in tokens) == hypothesis.trace
    if windowing == "dynamic":
        assert calls > 4


def test_the_search_knows_what_the_vocabulary_gave_each_word():
    decoder = WindowingEngine.prepare(tiny_windowing(6)).encode([SOURCE])
    ((found,),) = beam_search(decoder, options_for(decoder))
    whole = decoder.trace(0, found.token_ids)
    norms = [step.log_gen_norm for step in found.trace]
    known = decoder.tracer(0).extend(found.token_ids, whole.windows, norms)
    assert known.copied == pytest.approx(whole.copied, abs=1e-5)
    assert {0 < share < 1 for share in whole.copied.tolist()} == {True, False}


def test_what_was_copied_is_traced_to_the_very_word():
    model = tiny_windowing(6)
    model.pointer.gate.bias.fill_(-50.0)
    decoder = WindowingEngine.prepare(model).encode([SOURCE])
    ((found,),) = beam_search(decoder, options_for(decoder))
    trace = decoder.trace(0, found.token_ids)
    assert trace.windows == decoder.windows(0, found.token_ids)
    copied = 0
    for token, window, share, places in zip(
        found.token_ids, trace.windows, trace.copied, trace.sources, strict=True
    ):
        start, end = LAYOUT.span(window)
        same = [place for place in range(start, end) if SOURCE.extended_ids[place] == token]
        assert sorted(places.tokens.tolist()) == same
        if same:
            copied += 1
            assert places.weights.sum() == pytest.approx(1, abs=1e-5)
            assert share == pytest.approx(1, abs=1e-5)
        else:
            assert share == 0
    assert copied > 5
    assert all(places.weights.sum() <= 1 + 1e-5 for places in trace.attention)


def test_coverage_fears_no_word_before_it_was_used_and_then_what_is_used_up():
    engine = tiny_engine(7, windowing="none")
    free = engine.encode([SOURCE], WindowRules(max_window_tokens=50))
    feared = engine.encode([SOURCE], WindowRules(max_window_tokens=50, coverage_penalty=1.0))
    for decoder in (free, feared):
        decoder.start(1, decoder.max_length)
    paid = []
    for token in (2, *[5] * 25):
        steps = [d.step(torch.tensor([token]), torch.tensor([0]))[0][0, 5] for d in (free, feared)]
        paid.append(float(steps[0] - steps[1]))
    assert paid[0] == pytest.approx(0, abs=1e-5)
    assert all(0 <= each + 1e-5 <= 1.0001 for each in paid)
    assert max(paid) > 0.2


def test_only_unknown_words_can_be_read_and_nothing_cannot():
    engine = tiny_engine(8, windowing="dynamic")
    source = encode_source(TOKENIZER, ["Blorp zib Quack!", "Fnord fnord."] * 4)
    assert (source.input_ids == 1).sum() == 24
    decoder = engine.encode([source])
    ((found,),) = beam_search(decoder, options_for(decoder))
    assert found.token_ids
    with pytest.raises(OptionError, match="no text"):
        engine.encode([encode_source(TOKENIZER, ["  ", ""])])
    with pytest.raises(OptionError, match="skip text"):
        engine.encode([source], WindowRules(window_len=5, stride=6))


def test_empty_sources_and_references_give_numbers():
    model = tiny_windowing().requires_grad_(True)
    mask = torch.tensor([[0, 0], [1, 1]])
    loss = model(torch.tensor([[0, 0], [5, 6]]), mask, labels=torch.tensor([[5, 3], [-100, -100]])).loss
    nothing = model(torch.tensor([[5, 6]]), labels=torch.full((1, 3), -100)).loss
    assert torch.isfinite(loss)
    assert nothing == 0
    (loss + nothing).backward()
    assert all(torch.isfinite(p.grad).all() for p in model.parameters() if p.grad is not None)


def test_the_loss_is_the_sum_over_what_it_is_told_to_divide_by():
    model = tiny_windowing()
    labels = torch.tensor([[5, 27, 3, -100]])
    windows = torch.tensor([[0, 1, 1, 0]])
    output = model(*inputs(), window_index=windows, labels=labels)
    assert_close(output.loss, -output.log_probs.sum() / 3)
    divided = model(*inputs(), window_index=windows, labels=labels, num_items_in_batch=10)
    assert_close(divided.loss, -output.log_probs.sum() / 10)
    with pytest.raises(OptionError, match="behind the end"):
        model(*inputs(), window_index=windows * 90, labels=labels)


def test_training_and_decoding_agree_through_all_windows():
    engine = tiny_engine(9)
    target = torch.tensor([5, 4, 6, 26, 4, 4, 7, 3])
    schedule = WindowRules().schedule(len(SOURCE), engine.network.settings)
    windows = torch.tensor([schedule.windows(target.tolist())])
    trained = engine.network(*inputs(), window_index=windows, labels=target.unsqueeze(0)).log_probs[0].exp()
    decoded = engine_probabilities(engine, target).gather(1, target.unsqueeze(1)).squeeze(1)
    unreachable = decoded == 0  # a word that the window lacks counts as the unknown word in training
    assert_close(trained[~unreachable], decoded[~unreachable], rtol=1e-4, atol=1e-7)
    assert unreachable.sum() <= 1


def test_long_texts_are_read_in_slices_of_time_whatever_their_lengths(monkeypatch):
    monkeypatch.setattr("lsum_cli.models.windowing.network.STEPS_AT_ONCE", 5)
    model = tiny_windowing().requires_grad_(True)
    lengths = torch.tensor([23, 4, 15, 10, 1])
    ids = torch.randint(5, 20, (5, 23), generator=torch.Generator().manual_seed(3))
    mask = (torch.arange(23) < lengths.unsqueeze(1)).long()
    states, ends = model.encode(ids, mask)
    for row, length in enumerate(lengths.tolist()):
        alone, alone_ends = model.encode(ids[row : row + 1, :length], mask[row : row + 1, :length])
        assert_close(states[row, :length], alone[0], rtol=1e-4, atol=1e-6)
        assert states[row, length:].abs().sum() == 0
        for found, expected in zip(ends, alone_ends, strict=True):
            assert_close(found[row], expected[0], rtol=1e-4, atol=1e-6)
    gradients = torch.autograd.grad(states.square().sum(), list(model.encoder.parameters()))
    alone_sum = sum(
        model.encode(ids[r : r + 1, :n], mask[r : r + 1, :n])[0].square().sum()
        for r, n in enumerate(lengths.tolist())
    )
    for found, expected in zip(
        gradients, torch.autograd.grad(alone_sum, list(model.encoder.parameters())), strict=True
    ):
        assert_close(found, expected, rtol=1e-3, atol=1e-4)


def test_mixed_precision_trains_on_any_processor():
    model = tiny_windowing(spread=1.0).requires_grad_(True)
    labels = torch.tensor([[5, 27, 4, 6, 3]])
    windows = torch.tensor([[0, 0, 0, 1, 1]])
    exact = model(*inputs(padding=3), window_index=windows, labels=labels).loss
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = model(*inputs(padding=3), window_index=windows, labels=labels).loss
    mixed.backward()
    assert mixed.item() == pytest.approx(exact.item(), rel=0.02)
    assert all(torch.isfinite(p.grad).all() for p in model.parameters())
