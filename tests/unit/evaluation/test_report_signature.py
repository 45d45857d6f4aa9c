"""The signature names what a score depends on, and nothing else."""

from __future__ import annotations

from importlib.metadata import version

from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer
from lsum_cli.evaluation.report import Signature, differing_parts
from lsum_cli.evaluation.results import hash_text

SETTINGS = RougeSettings(tokenizer=Tokenizer.ROUGE_SCORE)
HASHES = [hash_text(text) for text in ("one", "two")]


def sign(settings=SETTINGS, hashes=HASHES, resamples=1000, seed=0) -> Signature:
    return Signature.of(settings, hashes, resamples=resamples, seed=seed)


def test_it_is_one_short_line():
    text = str(sign())
    assert f"impl:rouge-score-{version('rouge-score')}+lcs-bits|" in text
    for part in ("rouge:f1", "stem:porter-nltk-", "tok:rouge-score", "prep:none", "n:2", "bs:1000", "seed:0"):
        assert part in text
    assert " " not in text
    assert len(text) < 220


def test_the_order_of_references_does_not_matter_and_their_text_does():
    assert sign(hashes=HASHES[::-1]) == sign()
    assert sign(hashes=HASHES[:1]).data != sign().data


def test_settings_show():
    assert sign(RougeSettings(stem=False, tokenizer=Tokenizer.UNICODE)).stemmer == "none"
    assert "prep:ptb-nltk-" in str(sign(RougeSettings(tokenizer=Tokenizer.UNICODE, prepare=Preparation.PTB)))


def test_what_keeps_scores_from_being_compared():
    assert differing_parts(sign(), sign(resamples=10, seed=3)) == []
    (part,) = differing_parts(sign(), sign(RougeSettings(tokenizer=Tokenizer.UNICODE)))
    assert part == "tokenizer (rouge-score, unicode)"
