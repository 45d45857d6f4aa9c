"""Speech as it is written down to be read: without fillers, words said twice and words broken off.

A transcript that keeps every sound is hard to read: "Um so the com the um the uh the commitment is the
following, we don't go for speech recognition." Minutes quote it as editors do ("clean verbatim"): fillers,
repetitions and words broken off are left out, what is left hanging ends in an ellipsis, and no word is added
or put in the place of another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import eq

from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import is_function_word

ELLIPSIS = "…"

# Sounds that are no words, with the commas around them.
_SOUND = regex(
    r"(?:,? ?(?<![\w'’-])(?<!\d )(?:[Uu]h*m+|[Uu]h+|[Ee]r+m?|[Ee]h+m*|[Mm]m+(?:-?hmm*)?|[Hh]m+)(?![\w'’-]))+"
    r",*(?=\W|$)"
)
# What every such sound is, and some others; it is found faster.
_LIKE_SOUND = regex(r"[UuEeMmHh](?<![\w'’-].)[hmr-]+(?![\w'’-])")
# Only between commas: "what you know, …", "fruit we like, such as …" are what is said. "I guess" says how
# sure somebody is and stays.
_ASIDE = regex(
    r"(?:(?P<joins>\b(?:and|but|or|so|that|because|if|a|an|the|of|to|for|in|with))?, (?:you know|i mean|like)"
    r"|(?P<adds>\b(?:and|but|so)) (?:you know|i mean)),(?= )",
    re.IGNORECASE,
)
# What every such aside has, in small letters.
_ASIDES = ("you know,", "i mean,", ", like,")
_REPEATED = regex(r"(?<![\w'’-])((?:[\w'’]+,? ){0,3}[\w'’]+)(?:,| -)? \1(?![\w'’-])", re.IGNORECASE)
# What may come twice: "that that", "had had", "very very", "not, not now", and numbers.
_TWICE = frozenset(
    (
        "that",
        "had",
        "very",
        "really",
        "so",
        "much",
        "many",
        "more",
        "long",
        "far",
        "again",
        "no",
        "not",
        "never",
    )
)
_NUMBER = regex(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
# "we we're", "that that's".
_CONTRACTED = regex(r"(?<![\w'’-])(\w+),? (?=\1['’]\w)", re.IGNORECASE)
# "w we", "pr project", "pro- project": a word begun again. Without a hyphen only what can be no word: a state
# states, an act actually requires.
_BEGUN = regex(
    r"(?<![\w'’.-])((?:[a-z]{1,6}-(?=,? )|[b-df-hj-np-tv-xz]{1,5}|[a-z]{2})),? (?=\1[a-z])", re.IGNORECASE
)
# "to m to find", "so w that is": a letter that is no word, after a word that hardly names one ("plan b").
_LETTER = regex(
    r"\b(i|we|you|they|he|she|it|to|and|but|or|so|if|because|is|are|was|were|have|has|had|can|could|will"
    r"|would|should|do|does|did|not|just|with|at|from|about|there|then|when|i['’]m|we['’]re|it['’]s|that['’]s)"
    r" [b-hj-np-z],? (?=[a-z]{2}|I\b|I['’])(?!(?:is|are|was|or|and|equals|plus|minus|times)\b)"
    r"|\b(the|an?|this|that|my|our|your|their) [b-hj-np-z],? (?=(?:the|an?|this|that|my|our|your|their|we|you"
    r"|they|it|he|she|to|of|in|for|I)\b)",
    re.IGNORECASE,
)
_LETTERS = frozenset("bcdefghjklmnpqrstuvwxyz")
_PRONOUN = r"(?:i|we|you|they|he|she|it|there|maybe|let|so|and|yeah|okay|oh|well|right)\b(?! (?:on|forth)\b)"
_DETERMINER = r"(?:the|an?|this|our|my|your)\b"
_OPENS = regex(
    rf"(?:and,? (?!so (?:on|forth)\b)(?=\S)|so(?:, ?(?=\S)| (?={_PRONOUN}|{_DETERMINER}"
    r"|(?:if|when|for|in|but|how|why|who)\b))"
    rf"|(?:yeah|yep|yup|okay|ok|kay|oh|ah)(?:[,.!;]+ | (?={_PRONOUN}|{_DETERMINER}))"
    rf"|(?:alright|all right|right|well|anyway|basically|actually)(?:[,.!;]+ | (?={_PRONOUN}))"
    r"|(?:sorry|sure|now|you know|i mean)[,.!;]+ (?:and |but )?)+",
    re.IGNORECASE,
)
# A question keeps its "right?". With a comma: "I was right", "what you know" are what is said.
_CLOSES = regex(
    r"(?:[\s,;:–—-]+yeah|\s*[,;:–—-]\s*(?:okay|ok|right|you know|i mean))+[\s,.;:–—-]*$|[\s,;:–—-]+$",
    re.IGNORECASE,
)
# How the text ends that has such a close, in small letters and without the marks.
_CLOSING_WORDS = ("yeah", "okay", "ok", "right", "you know", "i mean")
_CLOSING_MARKS = " \t\n\r\f\v\xa0,.;:–—-"
# What is left hanging.
_JOINS_NOTHING = regex(r"[\s,;:–—-]+(?:and|but|or|because|['’]?cause)[\s,.;:–—-]*$", re.IGNORECASE)
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
# Words of two letters, with which others begin.
_WHOLE_TEXT = (
    "ad ah ai am an as at be by do ed eh em ex go ha he hi id if in is it la ma me mr ms my no of oh ok on op"
    " or ox pa pc pi re so to tv uk un up us we"
)
_WHOLE = frozenset(_WHOLE_TEXT.split())
WORD = regex(r"[\w'’]+")
# "I" of "I'm".
_STEM = regex(r"\w+")
_MOST_WORDS = 4  # said again at once


@lru_cache(maxsize=1 << 15)
def tidy(text: str) -> str:
    """What a speaker says in a sentence, as an editor would quote it.

    Args:
        text: The sentence, without the name of its speaker.

    Returns:
        The sentence; empty where nothing but sounds was said.
    """
    # Most sentences need few of the substitutions; each is tried where a quick test says that it may apply.
    made, lowered = text, text.lower()
    if any(aside in lowered for aside in _ASIDES):
        made = _ASIDE.sub(lambda found: found["joins"] or found["adds"] or ",", made)
    if _LIKE_SOUND.search(made):
        made = _SOUND.sub("", made)
    words = WORD.findall(made.lower())
    if not _LETTERS.isdisjoint(words):
        made = _LETTER.sub(lambda found: f"{found[1] or found[2]} ", made)
        words = WORD.findall(made.lower())
    if _may_stumble(words):
        for pattern, once in (
            (_BEGUN, _begun),
            (_REPEATED, _repeated),
            (_CONTRACTED, _dropped),
            (_REPEATED, _repeated),
        ):
            made = _without(pattern, made, once)
    made = _COMMAS.sub(lambda found: "," if found[0].startswith(",") and found.start() else "", made)
    made = _SPACE_LEFT.sub("", made)
    opening = _OPENS.match(made)
    if opening is not None and opening.end() < len(made):
        made = made[opening.end() :]
    stopped = _STOP.search(made)
    body, ending = (
        (made[: stopped.start()], stopped[0]) if stopped else (_HANGS.sub("", made), f" {ELLIPSIS}")
    )
    if not ending.startswith("?"):
        if body[-1:] in _CLOSING_MARKS or body.rstrip(_CLOSING_MARKS).lower().endswith(_CLOSING_WORDS):
            body = _CLOSES.sub("", body)
        if (hanging := _JOINS_NOTHING.search(body)) is not None:
            body, ending = body[: hanging.start()], f" {ELLIPSIS}"
    if not re.search(r"\w", body):
        return ""
    return body[0].upper() + body[1:] + ending


def _begun(found: re.Match[str]) -> str:
    return found[0] if found[1].lower() in _WHOLE else ""


def _dropped(_: re.Match[str]) -> str:
    return ""


def _repeated(found: re.Match[str]) -> str:
    said = found[1]
    again = found[0][-len(said) :]
    is_name = again[0].isupper() and not is_function_word(_STEM.findall(again.lower())[0])
    return found[0] if is_name or said.lower() in _TWICE or _NUMBER.search(said) else said


def _without(pattern: re.Pattern[str], text: str, once: Callable[[re.Match[str]], str]) -> str:
    """A text with what is said twice said once."""
    for _ in range(_MOST_TIMES):
        if pattern is _REPEATED and not _says_again(text):
            break
        made = pattern.sub(once, text)
        if made == text:
            break
        text = made
    return text


def _may_stumble(words: Sequence[str]) -> bool:
    """Whether words in small letters are said again, or begin the next one, whatever stands between."""
    return any(map(str.startswith, words[1:], words)) or _are_said_again(words)


def _says_again(text: str) -> bool:
    return _are_said_again(WORD.findall(text.lower()))


def _are_said_again(words: Sequence[str]) -> bool:
    """Whether up to four words are the same as the next ones: a quick test."""
    return any(
        b"\x01" * length in bytes(map(eq, words, words[length:])) for length in range(1, _MOST_WORDS + 1)
    )
