"""Synthetic documents with one fact per window, for the claim of the windowing models."""

from __future__ import annotations

import random
from dataclasses import dataclass

from transformers import PreTrainedTokenizerFast

from lsum_cli.models.windowing.vocabulary import make_tokenizer

WINDOW_LEN = 24
COLOURS = ("red", "blue", "green", "white", "black", "brown", "golden", "silver", "pale", "dark")
GOODS = ("flour", "oil", "paper", "cloth", "rope", "glass", "salt", "wool", "soap", "wax", "ink", "dye")
_TOLD = ("the mill at {name} makes {colour} {good} .", "at {name} stands a mill that makes {colour} {good} .")
_IDLE = (
    "we walked on to {name} .",
    "the road was long and dry .",
    "it rained a little .",
    "some {colour} birds sat on the wall of {name} .",
    "they sold {good} in the old days .",
    "we rested near {name} and slept .",
    "the river is {colour} there .",
)
_SYLLABLES = (
    "bra",
    "kel",
    "mor",
    "tin",
    "sel",
    "dor",
    "wick",
    "ham",
    "lun",
    "fax",
    "gar",
    "nel",
    "pod",
    "ris",
)
_OTHER = [
    "the",
    "mill",
    "at",
    "makes",
    "stands",
    "a",
    "that",
    "we",
    "walked",
    "on",
    "to",
    "road",
    "was",
    "long",
    "and",
    "dry",
    "it",
    "rained",
    "little",
    "some",
    "birds",
    "sat",
    "wall",
    "of",
    "they",
    "sold",
    "in",
    "old",
    "days",
    "rested",
    "near",
    "slept",
    "river",
    "is",
    "there",
    ".",
    "this",
    "the",
    "end",
    "our",
    "tour",
]
CLOSING = "this is the end of our tour ."


@dataclass(frozen=True, kw_only=True)
class Tour:
    """A document and what is right.

    Attributes:
        sentences: The document; window i holds the i-th fact, whole.
        summary: One sentence per window, in order.
    """

    sentences: tuple[str, ...]
    summary: tuple[str, ...]


def make_name(chance: random.Random, *, other_than: str | None = None) -> str:
    """Return a name that no vocabulary has; never ``other_than``."""
    while (name := "".join(chance.sample(_SYLLABLES, 3))) == other_than:
        pass
    return name


def make_tour(chance: random.Random, *, windows: int) -> Tour:
    """Write a document of some windows of :data:`WINDOW_LEN` words, each with one fact among idle talk."""
    sentences: list[str] = []
    summary: list[str] = []
    for window in range(windows):
        name, colour, good = make_name(chance), chance.choice(COLOURS), chance.choice(GOODS)
        fact = chance.choice(_TOLD).format(name=name, colour=colour, good=good)
        closing = CLOSING if window == windows - 1 else ""
        room = WINDOW_LEN - len(fact.split()) - len(closing.split())
        idle: list[str] = []
        while room >= 4:
            fitting = [each for each in _IDLE if len(each.split()) <= room]
            if not fitting:
                break
            # In its window, the mill's name occurs only in the fact.
            sentence = chance.choice(fitting).format(
                name=make_name(chance, other_than=name),
                colour=chance.choice(COLOURS),
                good=chance.choice(GOODS),
            )
            idle.append(sentence)
            room -= len(sentence.split())
        idle.insert(chance.randint(0, len(idle)), fact)
        if room:  # fills the window to the last word
            idle[-1] = " ".join([*("so", "and", "so", "on")[:room], idle[-1]])
        sentences += [*idle, *([closing] if closing else [])]
        summary.append(f"{name} makes {colour} {good} .")
    return Tour(sentences=tuple(sentences), summary=tuple(summary))


def tour_tokenizer() -> PreTrainedTokenizerFast:
    """All words but the names."""
    return make_tokenizer(list(dict.fromkeys((*_OTHER, *COLOURS, *GOODS))))
