"""Documents to learn copying from: the sentences closest to an abstract, in parts of a text."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from lsum_cli.datasets.example import Example
from lsum_cli.text.importance import choose_sentences
from lsum_cli.text.sentences import split_sentences
from lsum_cli.text.terms import Lexicon, count_words
from lsum_cli.training.windowing import source_sentences


class Pair(NamedTuple):
    """A document to learn from.

    Attributes:
        sentences: Its text.
        chosen: Which of them together come nearest to the reference, in order.
        reference: Its sentences.
    """

    sentences: Sequence[str]
    chosen: Sequence[int]
    reference: Sequence[str]


def choose(example: Example) -> Pair:
    """Find the sentences that together come nearest to the reference, as many words as it has."""
    sentences = source_sentences(example)
    reference = split_sentences(example.reference or "")
    lexicon = Lexicon()
    chosen = choose_sentences(
        [lexicon.index(sentence).tolist() for sentence in reference],
        [lexicon.index(sentence).tolist() for sentence in sentences],
        most=len(sentences),
        lengths=[count_words(sentence) for sentence in sentences],
        room=sum(map(count_words, reference)),
    )
    return Pair(sentences, sorted(chosen), reference)


def shorten(
    pair: Pair, chance: random.Random, *, stretches: int, window_len: int, evenly: bool
) -> tuple[list[str], list[str]] | None:
    """A part of a document to learn from, and its chosen sentences; ``None`` where it has none.

    Args:
        stretches: The number of stretches it consists of.
        window_len: Words of a stretch, about; it is completed by its last sentence.
        evenly: Whether it is put together from stretches with a chosen sentence each, as far as there are
            such; else it is a run of the text, with as much to say, or nothing, as the document has there.
    """
    parts: list[list[int]] = [[]]
    words = 0
    for number, sentence in enumerate(pair.sentences):
        if words >= window_len:
            parts.append([])
            words = 0
        parts[-1].append(number)
        words += len(sentence.split())
    chosen = set(pair.chosen)
    size = min(stretches, len(parts))
    if evenly:
        telling = [place for place, stretch in enumerate(parts) if chosen.intersection(stretch)]
        kept = chance.sample(telling, min(size, len(telling)))
        others = [place for place in range(len(parts)) if place not in kept]
        kept += chance.sample(others, size - len(kept))
    else:
        start = chance.randrange(len(parts) - size + 1)
        kept = list(range(start, start + size))
    numbers = [number for place in sorted(kept) for number in parts[place]]
    # The text is cut to one length: what is to be written has to lie before that.
    ends = np.cumsum([len(pair.sentences[number].split()) for number in numbers])
    limit = stretches * window_len
    targets = [
        pair.sentences[number]
        for number, end in zip(numbers, ends.tolist(), strict=True)
        if number in chosen and end <= limit
    ]
    return ([pair.sentences[number] for number in numbers], targets) if targets else None
