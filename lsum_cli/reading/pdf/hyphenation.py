"""Joining words that were broken at the end of a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*")
_HYPHENS = "-‐\u00ad¬"
_LAST_PART = re.compile(r"(?:^|(?<=[\s(\[“\"'‘’—–/]))((?:[\w’']+[-‐‑])*)([^\W\d_]+)[-‐\u00ad¬]$")
_FIRST_PART = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*")
# First parts that stand before a hyphen that is meant, and hardly ever in front of one that is not.
_PREFIXES = frozenset(
    [
        "self",
        "non",
        "well",
        "high",
        "low",
        "long",
        "short",
        "two",
        "three",
        "four",
        "five",
        "six",
        "one",
        "ten",
        "half",
        "cross",
        "so",
        "all",
        "ex",
        "post",
        "pre",
        "semi",
        "quasi",
        "state",
        "real",
        "time",
        "full",
        "left",
        "right",
        "near",
        "open",
        "end",
        "multi",
    ]
)
_SMALL_WORDS = frozenset(
    [
        "the",
        "of",
        "to",
        "in",
        "and",
        "a",
        "an",
        "by",
        "on",
        "up",
        "at",
        "as",
        "or",
        "for",
        "with",
        "out",
        "off",
        "end",
    ]
)


class Vocabulary:
    """The words of a document, to tell hyphens that are meant from those at the end of lines."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        for text in texts:
            words = _WORD.findall(text.casefold())
            # The last word may be half a word.
            broken = bool(text) and text[-1] in _HYPHENS
            self._words.update(words[:-1] if broken else words)

    def join(self, upper: str, lower: str) -> str:
        """Two lines as one text: with a space, or with the broken word put together."""
        if not upper or not lower:
            return upper or lower
        if upper[-1] in "\u00ad¬" and lower[0].isalpha():
            return upper[:-1] + lower
        if upper[-1] not in _HYPHENS or len(upper) < 2:
            return upper + lower if _needs_no_space(upper, lower) else f"{upper} {lower}"
        if not (upper[-2].isalnum() and lower[0].isalnum()):
            return f"{upper} {lower}"
        if _is_address(upper) or self._is_meant(upper, lower):
            return upper + lower
        return upper[:-1] + lower

    def _is_meant(self, upper: str, lower: str) -> bool:
        """Whether the hyphen at the end of ``upper`` belongs in the word."""
        last, first = _LAST_PART.search(upper), _FIRST_PART.match(lower)
        if last is None or first is None:
            return True
        capitals = last[2].isupper() and first[0].isupper() and len(last[2]) > 1
        if not (lower[0].islower() or capitals):
            return True
        head = last[2].casefold()
        tail = first[0].casefold()
        compound_head = (last[1] + last[2]).casefold()
        plain = self._words[head + tail]
        hyphenated = max(self._words[f"{compound_head}-{tail}"], self._words[f"{head}-{tail}"])
        if plain or hyphenated:
            return hyphenated > plain
        tail_word = tail.split("-")[0]
        if last[1]:
            # "state-of-the-" goes on as it began, if what follows is a word.
            return head in _SMALL_WORDS or bool(self._words[tail_word])
        both_words = bool(self._words[head]) and bool(self._words[tail_word])
        if head in _PREFIXES:
            return both_words or bool(self._words[tail_word]) or self._begins_compounds(head)
        return both_words and len(head) > 3 and len(tail_word) > 3 and self._begins_compounds(head)

    def _begins_compounds(self, head: str) -> bool:
        """Whether the document has other words of ``head`` with a hyphen."""
        if not hasattr(self, "_heads"):
            self._heads = {word.split("-")[0] for word in self._words if "-" in word}
        return head in self._heads


def _needs_no_space(upper: str, lower: str) -> bool:
    """Scripts without spaces go on; so does a URL or a word after a slash or dash."""
    if _is_ideographic(upper[-1]) and _is_ideographic(lower[0]):
        return True
    if upper[-1] in "—–" and upper[-2:-1].isalpha() and lower[0].isalpha() and upper[-1] == "—":
        return True
    return _is_address(upper) and upper[-1] in "/.-_=&?%" and not lower[0].isupper()


def _is_address(text: str) -> bool:
    """Whether a text ends in the middle of a web address."""
    return "://" in text.rsplit(None, 1)[-1]


def _is_ideographic(character: str) -> bool:
    return (
        "\u3000" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uffef"
    )
