"""Tokens of summaries: sentences, scripts, and what is said where the package is missing."""

from __future__ import annotations

import random
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.errors import MissingDependency
from lsum_cli.evaluation.metrics.rouge import SummaryTokenizer, choose_tokenizer, split_summary
from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer

LATIN = SummaryTokenizer(RougeSettings(tokenizer=Tokenizer.ROUGE_SCORE))
UNICODE = SummaryTokenizer(RougeSettings(tokenizer=Tokenizer.UNICODE))


def test_lines_and_stops_end_sentences():
    assert split_summary("One  here. Two here.\n\nThree\n") == ["One here.", "Two here.", "Three"]
    assert split_summary(" \n ") == []


@given(st.text(st.characters(max_codepoint=127), max_size=80))
def test_on_ascii_both_tokenizers_agree(text):
    for sentence in split_summary(text):
        # rouge_score parts at an underscore, and so does the other.
        assert UNICODE.tokens(sentence) == LATIN.tokens(sentence)


def test_scripts_without_spaces_are_characters_and_others_words():
    assert UNICODE.tokens("猫が3匹 cats") == ["猫", "が", "3", "匹", "cat"]
    assert UNICODE.tokens("Ещё булок!") == ["ещё", "булок"]
    assert UNICODE.tokens("हिन्दी में") == ["हिन्दी", "में"]


def test_the_references_choose_the_tokenizer():
    assert choose_tokenizer(
        [
            "Plain English, with one naïve word in many more words than that, indeed so "
            "many of them that nobody would take it for another language than it is."
        ]
    ) is (Tokenizer.ROUGE_SCORE)
    assert choose_tokenizer(["English.", "Ещё булок"]) is Tokenizer.UNICODE
    assert choose_tokenizer(["猫"]) is Tokenizer.UNICODE
    assert choose_tokenizer([]) is Tokenizer.ROUGE_SCORE


def test_auto_must_be_resolved_first():
    with pytest.raises(ValueError, match="choose"):
        SummaryTokenizer(RougeSettings())


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rouge_score.tokenize", None)
    with pytest.raises(MissingDependency, match=r"pip install 'lsum-cli\[eval\]'"):
        SummaryTokenizer(RougeSettings(tokenizer=Tokenizer.UNICODE))


def test_treebank_rules_are_passed_over_only_where_they_change_no_token():
    from nltk.tokenize.treebank import TreebankWordTokenizer
    from rouge_score.tokenize import tokenize

    tokenizer = SummaryTokenizer(
        RougeSettings(stem=False, tokenizer=Tokenizer.ROUGE_SCORE, prepare=Preparation.PTB)
    )
    treebank = TreebankWordTokenizer()
    pieces = re.split(
        " ",
        "it's isn't I'll they've cannot can not wanna gonna 'tis more'n d'ye 12,000 3.5% U.S. e.g. a:b x/y"
        " ( ) [ ] { } < > -- ... ; @ # $ & ? ! , . \" `` '' “ ” « » ‘ ’ – — … é İ ß word Two three_four",
    )
    chance = random.Random(0)
    for _ in range(3000):
        drawn = chance.choices(pieces, k=chance.randint(1, 8))
        sentence = "".join(piece + chance.choice(["", " "]) for piece in drawn)
        prepared = " ".join(treebank.tokenize(sentence, convert_parentheses=True)).lower()
        assert tokenizer.tokens(sentence) == tokenize(prepared, None), sentence
