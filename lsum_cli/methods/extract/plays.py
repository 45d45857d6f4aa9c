"""Who speaks in a play: the names that stand before what each character says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from lsum_cli.documents import Sentence
from lsum_cli.methods.extract.candidates import paragraph_openings
from lsum_cli.text.names import Name
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import IntArray

_PART = regex(r"(?:ACT|SCENE|THE END|END|FINIS|EPILOGUE|PROLOGUE|SONG)\b")
# "FIRST WITCH.", "MME. VOITSKAYA.": a line that names who speaks next. "Hor." is left: "Yes." is no name.
_NAME = regex(rf"(?!{_PART.pattern}|[IVXL]+[.:])[A-Z][A-Z'’&. -]{{1,28}}[.:]")
# "CHARLES Marry, do I": the name before what is said, without a stop.
_NAME_BEFORE = regex(
    rf"(?!{_PART.pattern}|[IVXL]+\b)(?P<name>[A-Z][A-Z'’&.-]+(?: [A-Z][A-Z'’&.-]+){{0,3}})"
    r"\s+(?=[\[(]|[\"“'‘—-]*[A-Z](?![A-Z]))"
)
# A play has so many people who speak so often, and a name before every few sentences.
_LEAST_SPEAKERS, _LEAST_TURNS, _LEAST_SHARE = 3, 3, 0.12
# Who is nobody in particular.
_SEVERAL = regex(r"(?:ALL|BOTH|OMNES|OTHERS|VOICES?|SEVERAL|THE (?:OTHERS|REST))\b.*")
_SMALL = frozenset({"OF", "THE", "TO", "AND", "A"})
# What is done, between the speeches or within one.
_DIRECTION = regex(r"\[[^]]*(?:\]\W*)?$")
# No direction has these words.
_SPOKEN = regex(r"\b(?:I|[Mm]e|[Mm]y|[Ww]e|[Uu]s|[Oo]ur|[Yy]ou|[Yy]our|[Tt]hou|[Tt]hee|[Tt]hy)\b")


def speakers(sentences: Sequence[Sentence]) -> list[str | None]:
    """Who speaks each sentence of a play, as the play prints the name; all ``None`` if it is no play.

    A name has none; nor has what stands before the first one of a section, nor a stage direction. A paragraph
    after the first of a speech may be one, unless its words show that it is said.
    """
    texts = [sentence.text for sentence in sentences]
    opens = paragraph_openings(sentences)
    named = _names_apart(texts)
    is_apart_from_speech = bool(_who_speak_again(named))
    if not is_apart_from_speech:
        named = _names_before(texts, opens)
    again = _who_speak_again(named)
    turns = Counter(name for name in named if name is not None)
    if not again:
        return [None] * len(texts)
    # "HELENA and VOITSKI are seen in the doorway."
    tells = regex(
        rf"(?:{'|'.join(re.escape(name.rstrip('.: ')) for name in again)})\b(?![,;:!?](?! [A-Z][A-Z]))"
    )
    found: list[str | None] = []
    speaker: str | None = None
    is_direction = is_apart = has_spoken = False
    paragraphs = opens.cumsum()
    said = {int(paragraphs[at]) for at, text in enumerate(texts) if _SPOKEN.search(text) is not None}
    section = -1
    for place, (text, name) in enumerate(zip(texts, named, strict=True)):
        if sentences[place].section_index != section or (opens[place] and _PART.match(text) is not None):
            speaker, section, is_direction = None, sentences[place].section_index, False
        if name is not None:
            # A single name may be a line of the list of characters.
            speaker, is_direction = name.rstrip(".: ") if turns[name] > 1 else None, False
            is_apart = has_spoken = False
        elif opens[place]:
            is_apart = has_spoken and int(paragraphs[place]) not in said
        # "[A shot is heard. SONIA enters.]" may be several sentences, "[Rising] I go." is said.
        is_direction |= _DIRECTION.match(text) is not None
        is_told = is_direction or is_apart or (text[:2].isupper() and tells.match(text) is not None)
        is_nobodys = is_apart_from_speech if name is not None else is_told
        found.append(None if is_nobodys else speaker)
        is_direction &= "]" not in text
        has_spoken |= found[-1] is not None
    return found


def _names_apart(texts: Sequence[str]) -> list[str | None]:
    """Each sentence that is a name."""
    return [text if _NAME.fullmatch(text) else None for text in texts]


def _names_before(texts: Sequence[str], opens: IntArray) -> list[str | None]:
    """The name that each paragraph opens with, before what is said."""
    return [
        found["name"] if is_open and (found := _NAME_BEFORE.match(text)) else None
        for text, is_open in zip(texts, opens.tolist(), strict=True)
    ]


def _who_speak_again(named: Sequence[str | None]) -> list[str]:
    """The names of those who speak again and again, if they are enough for a play; else none."""
    turns = Counter(name for name in named if name is not None)
    again = [name for name, count in turns.items() if count >= _LEAST_TURNS]
    least = _LEAST_SHARE * len(named)
    return again if len(again) >= _LEAST_SPEAKERS and sum(turns[name] for name in again) >= least else []


def speech_starts(sentences: Sequence[Sentence]) -> IntArray:
    """Where in each sentence what is said begins: past the name of who says it, if that has no stop."""
    starts = np.zeros(len(sentences), np.int64)
    for place, (sentence, speaker) in enumerate(zip(sentences, speakers(sentences), strict=True)):
        found = _NAME_BEFORE.match(sentence.text)
        if found is not None and found["name"] == speaker:
            starts[place] = found.end()
    return starts


def is_play(sentences: Sequence[Sentence]) -> bool:
    """Whether sentences are those of a play, with the name of who speaks before what is said."""
    return any(speakers(sentences))


def cast_of(sentences: Sequence[Sentence]) -> tuple[Name, ...]:
    """The people of a play, who says most first, with the places of what they say."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(speakers(sentences)):
        if name is not None and not _SEVERAL.fullmatch(name):
            found.setdefault(_written(name), []).append(place)
    names = (Name(text=name, sentences=tuple(places)) for name, places in found.items())
    return tuple(sorted(names, key=lambda name: -name.count))


def _written(name: str) -> str:
    """A name in capitals as it is written within a sentence."""
    return " ".join(word.lower() if word in _SMALL else word.capitalize() for word in name.split())
