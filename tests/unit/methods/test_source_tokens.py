"""One stream of tokens that know their sentences and words."""

from __future__ import annotations

import numpy as np
from tiny_models import BOS, EOS, make_tokenizer

from lsum_cli.methods.model_inputs import SequenceFrame, count_text_tokens, encode_source
from lsum_cli.text.importance import label_words

TOKENIZER = make_tokenizer()
FRAME = SequenceFrame.of(TOKENIZER)
TEXTS = ["The marsh rise.", "A bird, the sea!", "..."]


def test_tokens_are_those_that_are_counted_and_nothing_else() -> None:
    source = encode_source(TOKENIZER, FRAME, TEXTS)
    assert len(source) == sum(count_text_tokens(TOKENIZER, text) for text in TEXTS) + 2
    assert (source.token_ids[0], source.token_ids[-1]) == (BOS, EOS)
    assert TOKENIZER.decode(source.token_ids[1:-1]) == " " + " ".join(TEXTS)


def test_every_token_knows_its_sentence_and_special_tokens_have_none() -> None:
    source = encode_source(TOKENIZER, FRAME, TEXTS)
    assert source.sentences[0] == source.sentences[-1] == -1
    for index, text in enumerate(TEXTS):
        assert TOKENIZER.decode(source.token_ids[source.sentences == index]) == f" {text}"


def test_labels_reach_every_token_of_a_word() -> None:
    source = encode_source(TOKENIZER, FRAME, TEXTS)
    importance = source.spread(label_words(TEXTS, "Birds and rising marshes"))
    marked = [
        TOKENIZER.decode(run) for run in np.split(source.token_ids, np.flatnonzero(np.diff(importance)) + 1)
    ]
    assert [run.strip() for run in marked if run.strip() in ("marsh rise", "bird", "marsh", "rise")] == [
        "marsh rise",
        "bird",
    ]
    assert importance[source.words < 0].sum() == 0
