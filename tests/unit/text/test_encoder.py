"""The encoder of sentences: equal to BERT, whatever is encoded beside a sentence; near in meaning is near."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_bert import make_bert

from lsum_cli.text.encoder import SentenceEncoder, _gelu, packaged_encoder, similarity

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "pack_encoder"
WORDS = ("the", "of", "ferry", "mill", "lock", "keeper", "tide")
TEXTS = [
    "The ferry of the mill.",
    "tide",
    "Keeper, lock the ferry! The mill: the tide of 1855.",
    "",
    "lock mill",
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[SentenceEncoder, object, object]:
    """A tiny encoder packed by the script, the model that it was made of, and its tokenizer."""
    from transformers import BertTokenizer

    folder = tmp_path_factory.mktemp("encoder")
    # So large that a vector shows whether it is added.
    model = make_bert(folder / "model", WORDS, layer_norm_eps=2.0)
    command = [sys.executable, str(SCRIPT), str(folder / "model"), "--output", str(folder / "packed")]
    subprocess.run(command, check=True, capture_output=True)
    return SentenceEncoder.load(folder / "packed"), model, BertTokenizer.from_pretrained(folder / "model")


def test_a_vector_is_the_mean_of_berts_last_states(tiny: tuple[SentenceEncoder, object, object]) -> None:
    encoder, model, tokenizer = tiny
    vectors = encoder.encode(TEXTS)
    for text, vector in zip(TEXTS, vectors, strict=True):
        with torch.inference_mode():
            states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]  # type: ignore[operator]
        wanted = torch.nn.functional.normalize(states.mean(0), dim=0).numpy()
        # The matrices were rounded to 8 bits.
        assert float(wanted @ vector) > 0.998
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_the_activation_is_that_of_torch() -> None:
    values = np.linspace(-6, 6, 1001, dtype=np.float32)
    wanted = torch.nn.functional.gelu(torch.from_numpy(values)).numpy()
    np.testing.assert_allclose(_gelu(values), wanted, atol=2e-6)


def test_what_is_encoded_beside_a_text_does_not_change_its_vector(
    tiny: tuple[SentenceEncoder, object, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = tiny[0]
    together = encoder.encode(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(encoder.encode([text])[0], vector, atol=1e-5)
    monkeypatch.setattr("lsum_cli.text.encoder._TOKENS_AT_ONCE", 8)
    np.testing.assert_allclose(encoder.encode(TEXTS), together, atol=1e-5)


def test_of_a_text_that_is_too_long_the_beginning_counts(
    tiny: tuple[SentenceEncoder, object, object],
) -> None:
    encoder = tiny[0]
    # 64 positions: the first and the last token mark the ends.
    whole, longer = "tide " * 62, "tide " * 62 + "ferry " * 40
    np.testing.assert_allclose(*encoder.encode([whole, longer]), atol=1e-5)


def test_texts_of_like_meaning_are_near_without_a_word_in_common() -> None:
    question = "how much money did they spend"
    answer, other = "The expenditure of the council was two million.", "Herons nest in the elms by the canal."
    for encode in (packaged_encoder().encode, packaged_encoder().encode_roughly):
        vectors = encode([question, answer, other])
        near, far = similarity(vectors[0], vectors[1:])
        assert near > far
    assert near > 2 * far
    assert similarity(vectors[1], vectors[1:])[0] == pytest.approx(1, abs=1e-5)


def test_nothing_is_near_to_a_text_without_words() -> None:
    vectors = packaged_encoder().encode_roughly(["?!", "The ferry.", "", "—"])
    assert similarity(vectors[0], vectors).tolist() == [0, 0, 0, 0]
    assert similarity(vectors[1], vectors).tolist() == [0, pytest.approx(1, abs=1e-5), 0, 0]
    assert len(packaged_encoder().encode([])) == len(packaged_encoder().encode_roughly([])) == 0


def test_half_of_a_surrogate_pair_is_a_character_that_cannot_be_read() -> None:
    for encode in (packaged_encoder().encode, packaged_encoder().encode_roughly):
        vectors = encode(["The ferry \udcff", "The ferry ?"])
        # How many vectors are added at a time, and so the last bits, depends on the processor.
        np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)
