"""Speech as it is written down to be read: without fillers, words said twice and words broken off.

A transcript that keeps every sound is hard to read: "Um so the com the um the uh the commitment is the
following, we don't go for speech recognition." Minutes quote it as editors do ("clean verbatim"): fillers,
repetitions and words broken off are left out, what is left hanging ends in an ellipsis, and no word is added
or put in the place of another.
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import eq

from lsum_cli.text.patterns import regex

ELLIPSIS = "…"

# Sounds that are no words, with the commas around them.
_SOUND = regex(
    r"(?:,? ?(?<![\w'’-])(?<!\d )(?:[Uu]h*m+|[Uu]h+|[Ee]r+m?|[Ee]h+m*|[Mm]m+(?:-?hmm*)?|[Hh]m+)(?![\w'’-]))+"
    r"[,.]*(?=\W|$)"
)
_ASIDE = regex(
    r"(?P<joins>\b(?:and|but|or|so|that|because|if|a|an|the|of|to|for|in|with))?,? (?:you know|i mean"
    r"|i guess|like),"
    r"(?= )",
    re.IGNORECASE,
)
_REPEATED = regex(r"(?<![\w'’-])((?:[\w'’]+,? ){0,3}[\w'’]+)(?:,| -)? \1(?![\w'’-])", re.IGNORECASE)
# What may come twice: "that that", "had had", "very very".
_TWICE_TEXT = "that had very really so much many more long far again no yes one"
_TWICE = frozenset(_TWICE_TEXT.split())
# "we we're", "that that's".
_CONTRACTED = regex(r"(?<![\w'’-])(\w+),? (?=\1['’]\w)", re.IGNORECASE)
# "w we", "pro project": a word begun again; those that are whole begin others ("to today").
_BEGUN = regex(r"(?<![\w'’.-])([a-z]{1,5})-?,? (?=\1[a-z])", re.IGNORECASE)
_WHOLE_TEXT = (
    "a am an and any as at back be best big but buy can car com come cut do down each end ever every for form"
    " full get go good had hand hard he her here his how i if in into is it just key let long look low man"
    " many mark may me mean men more my near need new no not now of off on one only or other our out over own"
    " part pay per plan point real run say see self set she short show sit so some son sort stand start stop"
    " sun tell ten test the then there they thing think this time to too top turn two under up us use"
    " view war"
    " was way we well were what when where while who will with wonder word work world year you your"
)
_WHOLE = frozenset(_WHOLE_TEXT.split())
# A letter alone after such a word is a word begun and given up; "plan b" is none.
_LETTER = regex(
    r"(?:(?<=\b(?:the|and|for|you|but) )|(?<=\b(?:of|to|in|we|it|is|on|so|be) )|^)[b-hj-oq-z],? (?=[a-z])"
)
_OPENS = regex(
    r"(?:(?:(?:so|and)(?![\w/'’-])(?! (?:that|far|much|many|long|few|as|forth|on)\b),? ?(?=\S))"
    r"|(?:yeah|yep|yes|yup|no|okay|ok|kay|alright|all right|right|oh|ah|well|anyway|you know|i mean"
    r"|i guess|basically|actually|sorry|sure|now)(?:[,.!;]+ (?:and |but )?| (?=(?:so|and|yeah|okay|oh|well"
    r"|right|basically|actually|i|we|you|they|he|she|it|the|a|an|this|there|maybe|let|our|my|your|for|then"
    r"|to|in|as|on|i['’]\w+|we['’]\w+|you['’]\w+|they['’]\w+|it['’]\w+|there['’]\w+|let['’]s)\b)))+",
    re.IGNORECASE,
)
_KEEPS = regex(
    r"(?:right (?:to|in|on)|now that|well (?:in|as|on)|sorry (?:to|for)|so (?:as|to))\b", re.IGNORECASE
)
_CLOSES = regex(
    r"(?:[\s,;:–—-]+(?:and|but|or|because|['’]?cause|yeah|or something|or whatever|and stuff)"
    # "I was right", "what you know": without a comma they are what is said.
    r"|\s*[,;:–—-]\s*(?:okay|ok|right|you know|i mean|i guess))+[\s,.;:–—-]*$|[\s,;:–—-]+$",
    re.IGNORECASE,
)
# What also hangs where a sentence has no stop.
_HANGS = regex(
    r"(?:[\s,;:–—-]+(?:and|but|so|or|because|['’]?cause|the|a|an|of|to|that|which|with|if|is|are|as|for|like"
    r"|['’]))+[\s,.;:–—-]*$",
    re.IGNORECASE,
)
_STOP = regex(r"[.!?…][\"'”’)\]]*$")
# "the the the the".
_MOST_TIMES = 3
_SPACE_LEFT = regex(r"\s+(?=[,.;:!?…])")
_COMMAS = regex(r",(?:\s*,)+|^[\s,.;]+")


_WORD = regex(r"[\w'’]+")
_MOST_WORDS = 4  # said again at once

_SAID_TWICE: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (_BEGUN, _WHOLE),
    (_REPEATED, _TWICE),
    (_CONTRACTED, frozenset()),
    (_LETTER, frozenset()),
    (_REPEATED, _TWICE),
)


@lru_cache(maxsize=8192)
def tidy(text: str) -> str:
    """What a speaker says in a sentence, as an editor would quote it.

    Args:
        text: The sentence, without the name of its speaker.

    Returns:
        The sentence; empty where nothing but sounds was said.
    """
    made = _SOUND.sub("", text)
    made = _ASIDE.sub(lambda found: found["joins"] or ",", made)
    for pattern, keep in _SAID_TWICE:
        made = _without(pattern, made, keep)
    made = _COMMAS.sub(lambda found: "," if found[0].startswith(",") and found.start() else "", made)
    made = _SPACE_LEFT.sub("", made)
    opening = _OPENS.match(made)
    if opening is not None and _KEEPS.match(made) is None and opening.end() < len(made):
        made = made[opening.end() :]
    stopped = _STOP.search(made)
    body = _CLOSES.sub("", made[: stopped.start()] if stopped else _HANGS.sub("", made))
    if not re.search(r"\w", body):
        return ""
    is_cut = stopped is None
    ending = ELLIPSIS if is_cut else made[stopped.start() :] if stopped else ""
    gap = " " if is_cut else ""
    return body[0].upper() + body[1:] + gap + ending


def _without(pattern: re.Pattern[str], text: str, keep: frozenset[str]) -> str:
    """A text with what is said twice said once, words of ``keep`` excepted."""

    def once(found: re.Match[str]) -> str:
        said = found[1] if pattern.groups else ""
        if said.lower() in keep:
            return found[0]
        return said if pattern is _REPEATED else ""

    for _ in range(_MOST_TIMES):
        if pattern is _REPEATED and not _says_again(text):
            break
        made = pattern.sub(once, text)
        if made == text:
            break
        text = made
    return text


def _says_again(text: str) -> bool:
    """Whether up to four words are the same as the next ones, whatever stands between: a quick test."""
    words = _WORD.findall(text.lower())
    return any(
        b"\x01" * length in bytes(map(eq, words, words[length:])) for length in range(1, _MOST_WORDS + 1)
    )
