"""How often `--focus` answers readers' requests for documents set aside is not lost again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.summaries.questions import QUESTIONS, documents_of, find
from lsum_cli.text.encoder import Array, packaged_encoder

# The last documents of a corpus in the group that is held, of which readers asked what documents of their kind
# state, and what is reached: how often one of the best sentences is quoted, and the share of those quoted
# that a reader chose.
FLOORS = {
    "designdocs": (3, 0.45, 0.33),
    "pmc": (2, 0.5, 0.35),
    "scotus": (3, 0.6, 0.33),
}


@pytest.fixture
def _each_sentence_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All requests for a document are compared with the same sentences, whose vectors take most of the time."""
    encoder, vectors = packaged_encoder(), {}
    encode = encoder.encode

    def encode_new(texts: Sequence[str]) -> Array:
        if new := [text for text in dict.fromkeys(texts) if text not in vectors]:
            vectors.update(zip(new, encode(new), strict=True))
        return np.array([vectors[text] for text in texts])

    monkeypatch.setattr(encoder, "encode", encode_new)


@pytest.mark.parametrize("corpus", sorted(FLOORS))
@pytest.mark.usefixtures("_each_sentence_is_encoded_once")
def test_requests_are_answered(shared: Path, corpus: str) -> None:
    num_documents, answered, pointed = FLOORS[corpus]
    records = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    held = [each for each in records if each["group"] == "held" and each.get("corpus") == corpus]
    found = [
        finding
        for record in held[-num_documents:]
        for _, finding in find(record, documents_of(record, shared / "data", None))
    ]
    assert len(found) >= 3 * num_documents
    assert np.mean([each.answered for each in found]) >= answered
    assert np.mean([each.pointed for each in found]) >= pointed
