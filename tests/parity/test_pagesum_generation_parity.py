"""Beam search and greedy decoding, against what the published code generated."""

from __future__ import annotations

import pytest
import torch
from pagesum_goldens import GOLDEN, load_arrays, load_json, needs_goldens, tiny_model
from reference_decoding import ModuleDecoder, stream_greedy

from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.constraints import constraints_of
from lsum_cli.generation.options import GenerationOptions, LengthRule

pytestmark = needs_goldens

SETS = {"generation.json": "tiny_pagesum.safetensors", "generation2.json": "tiny2_pagesum.safetensors"}
CASES = [
    (name, case) for name in SETS for case in (load_json(name)["cases"] if (GOLDEN / name).exists() else ())
]
PAD = 1


@pytest.fixture(scope="module")
def models():
    return {name: tiny_model(weights) for name, weights in SETS.items()}


@pytest.fixture(scope="module")
def pages():
    return load_arrays("forward.npz")["src_input_ids"].view(2, 3, 16)


def options_of(arguments: dict) -> GenerationOptions:
    return GenerationOptions(
        beams=arguments["num_beams"],
        num_hypotheses=arguments["num_return_sequences"],
        max_length=arguments["max_length"],
        min_length=arguments["min_length"],
        length_penalty=arguments["length_penalty"],
        no_repeat_ngram=arguments["no_repeat_ngram_size"],
        early_stopping=arguments["early_stopping"],
        start_token_id=arguments["decoder_start_token_id"],
        forced_first_token_id=arguments["forced_bos_token_id"],
        forced_last_token_id=arguments["forced_eos_token_id"],
        length_rule=LengthRule.START_AND_BOS,
    )


def documents_of(case: str, pages: torch.Tensor) -> torch.Tensor:
    return {"doc0": pages[:1], "doc1": pages[1:], "batch": pages}[case.split("/")[1]]


def without_padding(sequence: list[int]) -> list[int]:
    while sequence[-1] == PAD:
        sequence = sequence[:-1]
    return sequence


@pytest.mark.parametrize(("name", "case"), CASES)
def test_generation_equals_the_published_code(models, pages, name, case):
    recorded = load_json(name)["cases"][case]
    options = options_of(recorded["args"])
    documents = documents_of(case, pages)
    found = beam_search(ModuleDecoder(models[name], documents, documents != PAD), options)
    hypotheses = [hypothesis for document in found for hypothesis in document]
    sequences = [[options.start_token_id, *hypothesis.token_ids] for hypothesis in hypotheses]
    assert sequences == [without_padding(sequence) for sequence in recorded["sequences"]]
    if options.beams > 1:
        scores = [hypothesis.score for hypothesis in hypotheses]
        assert scores == pytest.approx(recorded["sequences_scores"], abs=1e-4)
        assert scores == pytest.approx(recorded["sequences_scores_float64"], abs=1e-4)
    else:
        (stream,) = (
            [token.token_id for token in stream_greedy(ModuleDecoder(models[name], one, one != PAD), options)]
            for one in documents[:1].unsqueeze(0)
        )
        assert stream == list(hypotheses[0].token_ids)


@pytest.mark.parametrize(
    "key", sorted(load_arrays("generation_greedy_logits.npz")) if GOLDEN.exists() else []
)
def test_scores_after_the_constraints_equal_the_published_code(models, pages, key):
    expected = load_arrays("generation_greedy_logits.npz")[key][0]  # (steps, vocab)
    _, setting, document = key.split("__")
    recorded = load_json("generation.json")["cases"][f"{setting}/{document}"]
    options = options_of(recorded["args"])
    rules = constraints_of([options])
    source = documents_of(f"{setting}/{document}", pages)
    model = models["generation.json"]
    ids = without_padding(recorded["sequences"][0])
    with torch.no_grad():
        logits = model(
            source, attention_mask=source != PAD, decoder_input_ids=torch.tensor([ids[:-1]])
        ).logits
    for step, token_id in enumerate(ids[1:]):
        scores = logits[0, step, None].clone()
        for rule in rules:
            rule.apply(scores, step + 1)
            rule.advance([token_id], [0])
        banned = expected[step].isneginf()
        assert torch.equal(scores[0].isneginf(), banned)
        torch.testing.assert_close(scores[0][~banned], expected[step][~banned], atol=2e-4, rtol=0)
