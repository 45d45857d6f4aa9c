"""Endings: whether a generated sentence is finished, or breaks off where its source goes on."""

from __future__ import annotations

from lsum_cli.attribution.provenance import SourceIndex, Trace
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop
from lsum_cli.text.stems import stem

_OPENING, _CLOSING = "([{（", ")]}）"
_POINT = regex(r"\s?\.")
# With its decimals.
_FIRST_WORD = regex(r"[^\w]*(\w+(?:[.,]\d+)*)")


def is_broken_off(trace: Trace, index: SourceIndex) -> bool:
    """Whether a sentence ends before it is finished.

    Without a stop it is, and with one if a bracket is left open, or if the source goes on after the words
    that it copies last: with a point within a sentence ("version 4." of "version 4.0", "(e." of "(e.g. a
    file)"), or with the rest of a word. A source sentence taken over to its end is finished, whatever it
    ends with, but for a colon.

    Args:
        trace: The sentence, as ``index`` traced it.
    """
    text = trace.text.rstrip()
    if not trace.spans or text.endswith((":", "：", ",", ";")):
        return True
    count = len(trace.spans)
    last = next((run for run in trace.runs if run.words[1] == count), None)
    before = next((run for run in trace.runs if run.words[1] == count - 1), None)
    if last is not None and not any(map(str.isalnum, index.rest_of(last))):
        return False
    if not ends_with_stop(text) or _has_open_bracket(text):
        return True
    if before is not None and _breaks_word(text[slice(*trace.spans[-1])], index.rest_of(before)):
        return True
    return last is not None and _POINT.match(index.rest_of(last)) is not None


def _breaks_word(word: str, rest: str) -> bool:
    """Whether a word is the beginning of the first word of a text, and not a form of it."""
    whole = _FIRST_WORD.match(rest)
    if whole is None:
        return False
    is_part = whole[1].casefold().startswith(word.casefold()) and len(whole[1]) > len(word)
    return is_part and stem(whole[1].casefold()) != stem(word.casefold())


def _has_open_bracket(text: str) -> bool:
    opened = sum(text.count(mark) for mark in _OPENING)
    return opened > sum(text.count(mark) for mark in _CLOSING)
