"""Who speaks in a play: the names that stand by themselves before what each character says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lsum_cli.documents import Sentence
from lsum_cli.methods.extract.candidates import paragraph_openings
from lsum_cli.text.names import Name
from lsum_cli.text.patterns import regex

_PART = regex(r"(?:ACT|SCENE|THE END|END|FINIS|EPILOGUE|PROLOGUE|SONG)\b")
# "FIRST WITCH.", "MME. VOITSKAYA.": a line that names who speaks next. "Hor." is left: "Yes." is no name.
_NAME = regex(rf"(?!{_PART.pattern}|[IVXL]+[.:])[A-Z][A-Z'’&. -]{{1,28}}[.:]")
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
    is_direction = is_apart = has_spoken = False
    opens = paragraph_openings(sentences)
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
        found.append(None if name is not None or is_told else speaker)
        is_direction &= "]" not in text
        has_spoken |= found[-1] is not None
    return found


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
