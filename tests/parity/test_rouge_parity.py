"""ROUGE against the published PageSum outputs on GovReport, document by document."""

from __future__ import annotations

import lzma

import numpy as np
import pytest

from lsum_cli.evaluation.metrics.rouge import RougeScorer, choose_tokenizer
from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer

DOCUMENTS = range(0, 973, 24)


@pytest.fixture(scope="module")
def pairs(shared_goldens) -> list[tuple[str, str]]:
    def lines(name: str) -> list[str]:
        path = shared_goldens / "govreport" / f"govreport.test.{name}.xz"
        return lzma.decompress(path.read_bytes()).decode().split("\n")

    references, predictions = lines("reference"), lines("ours.out")
    return [(references[number], predictions[number]) for number in DOCUMENTS]


@pytest.fixture(scope="module")
def shared_goldens():
    import os
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    goldens = Path(os.environ.get("LSUM_SHARED", root.parent / "shared")) / "golden"
    if not goldens.is_dir():
        pytest.skip("no LSUM_SHARED folder with goldens here")
    return goldens


@pytest.mark.parametrize(
    ("prepare", "variant"), [(Preparation.NONE, "regex"), (Preparation.PTB, "regex_lower_ptb")]
)
def test_the_published_outputs_score_as_they_did(pairs, shared_goldens, prepare, variant):
    golden = np.load(shared_goldens / f"rouge_per_document_{variant}.npz")
    columns = [str(name) for name in golden["columns"]]
    expected = golden["scores"][list(DOCUMENTS)]
    scorer = RougeScorer(RougeSettings(tokenizer=Tokenizer.ROUGE_SCORE, prepare=prepare))
    scores = [scorer.score(*pair) for pair in pairs]
    for measure, column in (("rouge1", "r1"), ("rouge2", "r2")):
        for part, letter in (("f1", "f"), ("precision", "p"), ("recall", "r")):
            found = [getattr(score[measure], part) for score in scores]
            assert found == pytest.approx(expected[:, columns.index(f"{column}_{letter}")], abs=1e-6)
    # Sentences were split by other rules there, which moves this measure alone.
    found = np.array([score["rougeLsum"].f1 for score in scores])
    assert found == pytest.approx(expected[:, columns.index("rLsum_f")], abs=0.06)
    assert found.mean() == pytest.approx(expected[:, columns.index("rLsum_f")].mean(), abs=0.004)


def test_government_english_is_left_to_rouge_score(pairs):
    assert choose_tokenizer([reference for reference, _ in pairs]) is Tokenizer.ROUGE_SCORE
