"""The synthetic documents of PageSum's claim are what it says, and its measures measure."""

from __future__ import annotations

import random
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.claims import pagesum as claim
from benchmarks.claims.confidence_picture import draw_confidence
from benchmarks.claims.market_towns import NEEDS_PAGE, NO_PAGE, make_report, make_tokenizer

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 16), st.integers(1, 24))
def test_every_summary_sentence_is_told_by_one_page_only(seed, pages, towns):
    report = make_report(random.Random(seed), pages=pages, towns=towns)
    assert (len(report.pages), len(report.summary)) == (pages, towns)
    assert list(report.summary) == sorted(report.summary)
    for sentence, right_page in zip(report.summary, report.page_of, strict=True):
        town, _, colour, good = sentence.rstrip(".").split()
        telling = [
            number
            for number, page in enumerate(report.pages)
            if any({town, colour, good} <= set(told.rstrip(".").split()) for told in page)
        ]
        assert telling == [right_page]


def test_tokens_line_up_with_the_pages_they_need():
    tokenizer = make_tokenizer()
    report = make_report(random.Random(1), pages=4, towns=7)
    ids = tokenizer(" ".join(report.summary), add_special_tokens=False)["input_ids"]
    assert len(ids) == len(report.page_of_token) == 7 * len(NEEDS_PAGE)
    free = {
        tokenizer.decode([i]).strip()
        for i, page in zip(ids, report.page_of_token, strict=True)
        if page == NO_PAGE
    }
    assert free == {"sells", "."}
    assert tokenizer.unk_token_id not in ids
    assert tokenizer.decode(ids).strip() == " ".join(report.summary)
    pages = tokenizer([" ".join(page) for page in report.pages])["input_ids"]
    assert all(tokenizer.unk_token_id not in page for page in pages)


def test_an_untrained_model_routes_nothing_and_training_lowers_the_loss():
    torch.set_num_threads(1)
    tokenizer = make_tokenizer()
    model = claim.make_model(tokenizer, seed=0).eval()
    reports = [make_report(random.Random(number), pages=3, towns=4) for number in range(4)]
    outcome = claim.measure(model, tokenizer, reports)
    assert outcome.tokens == 4 * 4 * sum(NEEDS_PAGE)
    assert outcome.routed < 0.2
    assert outcome.confidence == pytest.approx(1 / 3, abs=0.15)
    early = claim.train(model, tokenizer, claim.Training(steps=3, batch=4))
    late = claim.train(model, tokenizer, claim.Training(steps=25, batch=4, warmup=5))
    assert late < early


def test_the_control_leaves_the_model_as_it_was():
    tokenizer = make_tokenizer()
    model = claim.make_model(tokenizer, seed=0).eval()
    before = model.confidence_layer.weight.clone()
    claim.write_evenly(model, tokenizer, [make_report(random.Random(0), pages=2, towns=2)])
    assert torch.equal(before, model.confidence_layer.weight)


def test_darker_is_higher_and_frames_are_needed_pages():
    confidence = np.array([[1.0, 0.0], [0.25, 0.75], [0.5, 0.5]], np.float32)
    picture = draw_confidence(confidence, ["<s>", "a&b", "."], ["p1", "p2"], right_page=[None, 1, None])
    root = ET.fromstring(picture)
    cells = [r for r in root.iter(f"{SVG}rect") if (r.get("fill") or "").startswith("rgb")]
    frames = [r for r in root.iter(f"{SVG}rect") if r.get("fill") == "none"]
    assert (len(cells), len(frames)) == (6, 1)
    place = {(cell.get("x"), cell.get("y")): cell.get("fill") for cell in cells}
    brightness = [sum(map(int, fill[4:-1].split(","))) for fill in place.values()]
    darker = np.argsort([-weight for weight in confidence.flatten()], kind="stable")
    assert sorted(brightness) == [brightness[cell] for cell in darker]
    assert place[frames[0].get("x"), frames[0].get("y")] == cells[3].get("fill")
    assert {text.text for text in root.iter(f"{SVG}text")} == {"<s>", "a&b", ".", "p1", "p2"}
