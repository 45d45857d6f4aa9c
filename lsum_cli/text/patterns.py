"""Regular expressions that are compiled when they are first used, and pieces of them.

The program has some four hundred, and of those a document needs perhaps a hundred. Python compiles them in
Python, so that compiling all of them would take longer than reading a short document.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

# Alternatives that several patterns have, for lower-cased text or with re.IGNORECASE.
NUMBER_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
TEENS = "(?:thir|four|fif|six|seven|eigh|nine)teen"
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As :func:`re.compile`, but the pattern is compiled, and an error in it raised, when it is first used.

    The result has the methods and attributes of a compiled pattern, and is no argument for :mod:`re`.
    """
    return cast("re.Pattern[AnyStr]", _Uncompiled(pattern, flags))


def word_pattern(text: str) -> re.Pattern[str]:
    """A pattern for text after a space, to be tried only where a word may begin: that is fast."""
    return regex(rf"\W(?:{text})")


class _Uncompiled:
    """Stands for a pattern; once it is compiled its methods are found here at once."""

    __slots__ = (
        "_flags",
        "_pattern",
        "findall",
        "finditer",
        "flags",
        "fullmatch",
        "groupindex",
        "groups",
        "match",
        "scanner",
        "search",
        "split",
        "sub",
        "subn",
    )

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # A slot that is empty as yet.
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "pattern":
            return self._pattern
        compiled = re.compile(self._pattern, self._flags)
        for method in self.__slots__[2:]:
            object.__setattr__(self, method, getattr(compiled, method))
        return getattr(compiled, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return regex, (self._pattern, self._flags)

    def __repr__(self) -> str:
        return f"regex({self._pattern!r}, {self._flags})"
