"""Synthetic documents in which every summary sentence can be answered from exactly one page.

A document says of some towns what they sell, each town once, among distractors that name the same towns.
The summary lists the towns in alphabetical order:

    … Letters from Elm arrive late. Traders buy red wool in Birch. …  (page 3)
    … The market of Elm offers dark honey. Few people travel in winter. …  (page 5)

    Birch sells red wool. Elm sells dark honey.

Town, colour and goods cannot be known without the one page that contains them; "sells" and the full stop
can. No page alone knows which town comes next: the pages compete for it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

TOWNS = (
    "Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel", "Ivy", "Juniper", "Kelp", "Larch",
    "Maple", "Nettle", "Oak", "Pine", "Quince", "Rowan", "Sorrel", "Thyme", "Umber", "Vine", "Willow", "Yew",
)  # fmt: skip
COLOURS = (
    "red", "blue", "green", "white", "black", "grey", "brown", "golden", "silver", "pale", "dark", "bright",
)  # fmt: skip
GOODS = (
    "wool", "cloth", "salt", "iron", "glass", "paper", "honey", "amber", "copper", "barley", "timber",
    "pottery",
)  # fmt: skip
FACTS = (
    "{town} sells {colour} {good}.",
    "Traders buy {colour} {good} in {town}.",
    "The market of {town} offers {colour} {good}.",
)
FILLERS = (
    "It rains often here.",
    "The road to {town} is long.",
    "Few people travel in winter.",
    "Letters from {town} arrive late.",
)
FILLERS_PER_PAGE = 2
SUMMARY = "{town} sells {colour} {good}."
# Of the five tokens of a summary sentence, those that only its page can tell.
NEEDS_PAGE = (True, False, True, True, False)
NO_PAGE = -1
BOS, PAD, EOS = 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class MarketReport:
    """A synthetic document.

    Attributes:
        pages: The sentences of each page.
        summary: Its sentences.
        page_of: For each summary sentence the page that alone tells it.
    """

    pages: tuple[tuple[str, ...], ...]
    summary: tuple[str, ...]
    page_of: tuple[int, ...]

    @property
    def page_of_token(self) -> tuple[int, ...]:
        """For each token of the summary the page it needs, or :data:`NO_PAGE`."""
        return tuple(page if needs else NO_PAGE for page in self.page_of for needs in NEEDS_PAGE)


def make_report(chance: random.Random, *, pages: int, towns: int) -> MarketReport:
    """Make a document up: every town on one page, no page without a town as long as there are enough."""
    chosen = chance.sample(TOWNS, towns)
    page_of = {town: place if place < pages else chance.randrange(pages) for place, town in enumerate(chosen)}
    sold = {town: {"colour": chance.choice(COLOURS), "good": chance.choice(GOODS)} for town in chosen}
    sentences: list[list[str]] = [[] for _ in range(pages)]
    for town in chosen:
        sentences[page_of[town]].append(chance.choice(FACTS).format(town=town, **sold[town]))
    for page in sentences:
        fillers = chance.choices(FILLERS, k=FILLERS_PER_PAGE)
        page.extend(filler.format(town=chance.choice(chosen)) for filler in fillers)
        chance.shuffle(page)
    listed = sorted(chosen)
    return MarketReport(
        pages=tuple(map(tuple, sentences)),
        summary=tuple(SUMMARY.format(town=town, **sold[town]) for town in listed),
        page_of=tuple(page_of[town] for town in listed),
    )


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer that knows every word of these documents."""
    frames = (
        " ".join((*FACTS, *FILLERS, SUMMARY)).format(town="", colour="", good="").replace(".", " ").split()
    )
    words = sorted({*frames, *TOWNS, *COLOURS, *GOODS})
    entries = ["<s>", "<pad>", "</s>", "<unk>", ".", *(f"Ġ{word}" for word in words)]
    tokenizer = Tokenizer(
        models.WordLevel({entry: index for index, entry in enumerate(entries)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", BOS), ("</s>", EOS)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
    )
