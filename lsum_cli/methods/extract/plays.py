"""Who speaks in a play: the names that stand by themselves before what each character says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lsum_cli.text.patterns import regex

# "FIRST WITCH.", "MME. VOITSKAYA.", "Hor.": a line that names who speaks next.
_NAME = regex(
    r"(?!(?:ACT|SCENE|THE END|END|FINIS|EPILOGUE|PROLOGUE|SONG)\b|[IVXL]+[.:])"
    r"(?:[A-Z][A-Z'’&. -]{1,28}|[A-Z][a-z]{1,9}(?: [A-Z][a-z]{1,9})?)[.:]"
)
# A play has so many people who speak so often, and a name before every few sentences.
_LEAST_SPEAKERS, _LEAST_TURNS, _LEAST_SHARE = 3, 3, 0.12
# Who is nobody in particular.
_SEVERAL = regex(r"(?:ALL|BOTH|OMNES|OTHERS|VOICES?|SEVERAL|THE (?:OTHERS|REST))\b.*")
_SMALL = frozenset({"OF", "THE", "TO", "AND", "A"})
# What is done, between the speeches or within one.
_DIRECTION = regex(r"\[[^]]*(?:\]\W*)?$")


def speakers(texts: Sequence[str]) -> list[str | None]:
    """Who speaks each sentence of a play, as the play prints the name; all ``None`` if it is no play.

    A name has none; nor has what stands before the first one, nor a stage direction.
    """
    named = [text if _NAME.fullmatch(text) else None for text in texts]
    turns = Counter(name for name in named if name is not None)
    again = [name for name, count in turns.items() if count >= _LEAST_TURNS]
    if len(again) < _LEAST_SPEAKERS or sum(turns[name] for name in again) < _LEAST_SHARE * len(texts):
        return [None] * len(texts)
    # "HELENA and VOITSKI are seen in the doorway."
    tells = regex(
        rf"(?:{'|'.join(re.escape(name.rstrip('.: ')) for name in again)})\b(?![,;:!?](?! [A-Z][A-Z]))"
    )
    found: list[str | None] = []
    speaker: str | None = None
    is_direction = False
    for text, name in zip(texts, named, strict=True):
        if name is not None:
            # A single name may be a line of the list of characters.
            speaker, is_direction = name.rstrip(".: ") if turns[name] > 1 else None, False
        # "[A shot is heard. SONIA enters.]" may be several sentences, "[Rising] I go." is said.
        is_direction |= _DIRECTION.match(text) is not None
        is_told = is_direction or (text[:2].isupper() and tells.match(text) is not None)
        found.append(None if name is not None or is_told else speaker)
        is_direction &= "]" not in text
    return found


def is_play(texts: Sequence[str]) -> bool:
    """Whether sentences are those of a play, with the name of who speaks before what is said."""
    return any(speakers(texts))


def cast_of(texts: Sequence[str]) -> dict[str, list[int]]:
    """The people of a play by name, who says most first, with the places of their sentences.

    None where the names are abbreviated, and so not those that are used in what is said.
    """
    found: dict[str, list[int]] = {}
    for place, name in enumerate(speakers(texts)):
        if name is not None and name.isupper() and not _SEVERAL.fullmatch(name):
            found.setdefault(_written(name), []).append(place)
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def _written(name: str) -> str:
    """A name in capitals as it is written within a sentence."""
    return " ".join(word.lower() if word in _SMALL else word.capitalize() for word in name.split())
