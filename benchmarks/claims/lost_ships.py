"""Synthetic documents whose end can only be understood with what was said long before.

A harbour's log says of some ships that they are lost and of others that they are safe, among notes on the
weather; then a long gap contains nothing but weather; at the end people ask for the ships:

    Heron lost at sea. Fog all day. Tern safe at port. Rain all day. …     (the log)
    Wind all day. Calm all day. …                                          (the gap)
    They ask for Tern. They ask for Heron.                                 (the end)

For every ship that people ask for the model must say whether it is lost. The name alone does not tell: half
of all ships are lost, different ones in each document.

For a summary the questions come first and the log last, so that the place of a question is its number. The
summary answers in the order of the questions, "lost Tern. safe Heron.": the answer before the name, for who
has written a name can look it up in the log.
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
        answers: By the place of a ship among the words of a question, whether it is lost.
    """

    words: tuple[str, ...]
    answers: dict[int, bool]

    @property
    def summary(self) -> tuple[str, ...]:
        """The answers in the order of the questions, three words each: "lost Tern."."""
        return tuple(
            word
            for place, is_lost in self.answers.items()
            for word in ((LOST if is_lost else SAFE)[0], self.words[place], ".")
        )

    @property
    def token_ids(self) -> list[int]:
        """The document as the model reads it, one token a word; places move up by one."""
        return [BOS, *(TOKEN_IDS[word] for word in self.words), EOS]


def make_book(
    chance: random.Random, *, ships: int, gap: int, asked: int | None = None, asks_first: bool = False
) -> HarbourBook:
    """Make a document up.

    Args:
        ships: How many the log tells of.
        gap: Notes on the weather between the log and the questions.
        asked: How many of them people ask for; by default all.
        asks_first: Whether the questions are at the beginning and the log at the end.
    """
    chosen = chance.sample(SHIPS, ships)
    is_lost = {ship: chance.random() < 0.5 for ship in chosen}
    log: list[str] = []
    for ship in chosen:
        log += [ship, *(LOST if is_lost[ship] else SAFE), *_weather(chance)]
    weather = [word for _ in range(gap) for word in _weather(chance)]
    before = [] if asks_first else [*log, *weather]
    questions: list[str] = []
    answers = {}
    for ship in chance.sample(chosen, ships if asked is None else asked):
        questions += [*QUESTION, ship, "."]
        answers[len(before) + len(questions) - 2] = is_lost[ship]
    words = [*before, *questions, *([*weather, *log] if asks_first else [])]
    return HarbourBook(words=tuple(words), answers=answers)


def _weather(chance: random.Random) -> tuple[str, ...]:
    return chance.choice(WEATHERS), *WEATHER
