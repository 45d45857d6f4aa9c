"""Sentences of generated tokens: the tokens partition the summary."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import BOS, EOS, PAD, WORDS, make_tokenizer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from lsum_cli.checkpoints.manifest import GenerationDefaults
from lsum_cli.methods.detokenising import end_at_sentence, mean_log_prob, split_tokens
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import choose_search
from lsum_cli.text.sentences import normalise

TOKENIZER = make_tokenizer()
TEXT_IDS = [i for i in range(len(TOKENIZER)) if i not in TOKENIZER.all_special_ids]
WORD_IDS = TOKENIZER.convert_tokens_to_ids([f"Ġ{word}" for word in WORDS] + [".", "?", "Ġ"])


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """One token per byte, so that characters outside ASCII take several."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {"<s>": 0, "<pad>": 1, "</s>": 2} | {letter: i + 3 for i, letter in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>"
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([BOS, PAD, EOS, *WORD_IDS, *TEXT_IDS[::7]]), max_size=60))
def test_sentence_tokens_partition_the_summary(token_ids):
    sentences = split_tokens(TOKENIZER, token_ids)
    places = [place for sentence in sentences for place in sentence.tokens]
    text = normalise(
        TOKENIZER.decode(token_ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
    )
    if text:
        special = TOKENIZER.all_special_ids
        assert places == [place for place, token_id in enumerate(token_ids) if token_id not in special]
    else:
        assert places == []
    assert "".join(sentence.text for sentence in sentences).replace(" ", "") == text.replace(" ", "")
    assert all(sentence.text == sentence.text.strip() and sentence.tokens for sentence in sentences)


def test_each_sentence_has_its_own_tokens():
    ids = [BOS, *TOKENIZER("The marsh rise. The sea slow?", add_special_tokens=False)["input_ids"], EOS]
    first, second = split_tokens(TOKENIZER, ids)
    assert (first.text, second.text) == ("The marsh rise.", "The sea slow?")
    assert TOKENIZER.decode([ids[place] for place in first.tokens]) == "The marsh rise."
    assert TOKENIZER.decode([ids[place] for place in second.tokens]).strip() == "The sea slow?"


def test_characters_of_several_tokens_stay_whole():
    tokenizer = byte_tokenizer()
    text = "Där är räven. Ägget är gult. “Ja.”"
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    sentences = split_tokens(tokenizer, ids, "sv")
    assert " ".join(sentence.text for sentence in sentences) == text
    for sentence in sentences:
        assert tokenizer.decode([ids[place] for place in sentence.tokens]).strip() == sentence.text


def test_no_text_is_no_sentence():
    assert split_tokens(TOKENIZER, [BOS, EOS]) == []
    assert split_tokens(TOKENIZER, []) == []


def test_log_probabilities_are_those_of_the_sentence():
    ids = [BOS, *TOKENIZER("A cost. A wall.", add_special_tokens=False)["input_ids"], EOS]
    log_probs = [0.0, -1.0, -2.0, -3.0, -5.0, -5.0, -8.0, 0.0]
    assert len(ids) == len(log_probs)
    means = [mean_log_prob(sentence, log_probs) for sentence in split_tokens(TOKENIZER, ids)]
    assert means == [pytest.approx(-2.0), pytest.approx(-6.0)]


@pytest.mark.parametrize(
    ("options", "kept", "is_broken_off"),
    [
        (SummaryOptions(length="4"), 1, False),
        (SummaryOptions(max_tokens=5), 2, True),
        (SummaryOptions(max_tokens=9), 2, False),
    ],
)
def test_a_summary_of_so_many_words_ends_at_a_sentence(options, kept, is_broken_off):
    ids = TOKENIZER("A cost. A wall", add_special_tokens=False)["input_ids"] + [EOS]
    sentences = split_tokens(TOKENIZER, ids)
    search = choose_search(options, GenerationDefaults(), tokens_per_word=1.0)
    stay, broken = end_at_sentence(sentences, search, len(ids))
    assert (len(stay), broken) == (kept, is_broken_off)
