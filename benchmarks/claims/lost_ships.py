"""Synthetic documents whose end can only be understood with what was said long before.

A harbour's log says of some ships that they are lost and of others that they are safe, among notes on the
weather; then a long gap contains nothing but weather; at the end people ask for the ships:

    Heron lost at sea. Fog all day. Tern safe at port. Rain all day. …     (the log)
    Wind all day. Calm all day. …                                          (the gap)
    They ask for Tern. They ask for Heron.                                 (the end)

For every ship at the end the model must say whether it is lost. The name alone does not tell: half of all
ships are lost, different ones in each document.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SHIPS = (
    "Heron", "Tern", "Curlew", "Plover", "Gannet", "Petrel", "Osprey", "Falcon", "Merlin", "Kestrel", "Swift",
    "Martin", "Raven", "Magpie", "Thrush", "Linnet", "Finch", "Wren", "Robin", "Lark", "Pipit", "Dunlin",
    "Godwit", "Avocet",
)  # fmt: skip
WEATHERS = ("Fog", "Rain", "Calm", "Wind", "Snow", "Sun", "Hail", "Frost")
LOST, SAFE = ("lost", "at", "sea", "."), ("safe", "at", "port", ".")
QUESTION = ("They", "ask", "for")
WEATHER = ("all", "day", ".")
# Tokens of a note on the weather.
WEATHER_TOKENS = 1 + len(WEATHER)
BOS, PAD, EOS = 0, 1, 2
_WORDS = dict.fromkeys((*SHIPS, *WEATHERS, *LOST, *SAFE, *QUESTION, *WEATHER))
TOKEN_IDS = {word: number for number, word in enumerate(("<s>", "<pad>", "</s>", *_WORDS))}


@dataclass(frozen=True, kw_only=True)
class HarbourBook:
    """A synthetic document.

    Attributes:
        words: All of it, full stops too.
        answers: By the place of a ship among the words of the end, whether it is lost.
    """

    words: tuple[str, ...]
    answers: dict[int, bool]

    @property
    def token_ids(self) -> list[int]:
        """The document as the model reads it, one token a word; places move up by one."""
        return [BOS, *(TOKEN_IDS[word] for word in self.words), EOS]


def make_book(chance: random.Random, *, ships: int, gap: int) -> HarbourBook:
    """Make a document up.

    Args:
        ships: How many the book tells of and the end asks for.
        gap: Notes on the weather between the book and the end.
    """
    chosen = chance.sample(SHIPS, ships)
    is_lost = {ship: chance.random() < 0.5 for ship in chosen}
    words: list[str] = []
    for ship in chosen:
        words += [ship, *(LOST if is_lost[ship] else SAFE), *_weather(chance)]
    for _ in range(gap):
        words += _weather(chance)
    answers = {}
    for ship in chance.sample(chosen, ships):
        words += [*QUESTION, ship, "."]
        answers[len(words) - 2] = is_lost[ship]
    return HarbourBook(words=tuple(words), answers=answers)


def _weather(chance: random.Random) -> tuple[str, ...]:
    return chance.choice(WEATHERS), *WEATHER
