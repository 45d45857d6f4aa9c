"""Sentences as one stream of tokens, each of which knows its sentence and its word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.methods.page_inputs import SequenceFrame
from lsum_cli.text.importance import FloatArray, IntArray, WordLabels, find_words_of_tokens
from lsum_cli.text.terms import word_spans

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceTokens:
    """What a model with one long input reads, special tokens included.

    Attributes:
        token_ids: (source_len,).
        sentences: (source_len,) index of each token's sentence; -1 for special tokens.
        words: (source_len,) index of each token's word among those of all sentences; -1 for special
            tokens and those that hold no character of a word.
    """

    token_ids: IntArray
    sentences: IntArray
    words: IntArray

    def __len__(self) -> int:
        return len(self.token_ids)

    def spread(self, labels: Sequence[WordLabels]) -> FloatArray:
        """The labels of the words as importance of the tokens, (source_len,), 0 where there is no word.

        Args:
            labels: Of each sentence, as :func:`lsum_cli.text.importance.label_words` makes them.
        """
        important = np.concatenate([*(each.important for each in labels), np.zeros(1, np.bool_)])
        return important[self.words].astype(np.float64) * (self.words >= 0)


def encode_source(
    tokenizer: PreTrainedTokenizerBase, frame: SequenceFrame, texts: Sequence[str]
) -> SourceTokens:
    """Tokenise sentences one after another, each as it stands within running text.

    Args:
        tokenizer: A fast one, which tells offsets.
        frame: The special tokens around the whole.
        texts: Sentences, at least one.
    """
    spaced = [f" {text}" for text in texts]
    encoded = tokenizer(spaced, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    words: list[NDArray[np.int64]] = []
    num_words = 0
    for text, offsets in zip(spaced, encoded["offset_mapping"], strict=True):
        spans = np.array(word_spans(text), np.int64).reshape(-1, 2)
        found = find_words_of_tokens(spans[:, 0], spans[:, 1], offsets)
        words.append(np.where(found >= 0, found + num_words, -1))
        num_words += len(spans)
    before, after = len(frame.before), len(frame.after)
    lengths = [len(ids) for ids in encoded["input_ids"]]
    outside = [np.full(before, -1), np.full(after, -1)]
    return SourceTokens(
        token_ids=np.array(frame.around(list(chain.from_iterable(encoded["input_ids"]))), np.int64),
        sentences=np.concatenate([outside[0], np.repeat(np.arange(len(texts)), lengths), outside[1]]),
        words=np.concatenate([outside[0], *words, outside[1]]).astype(np.int64),
    )
