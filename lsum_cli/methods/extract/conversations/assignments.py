"""Tasks that sentences assign: who is to do something, and what."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import is_function_word

_TAKES = regex(
    r"(?:(?P<who>[^\W\d_][\w .'’/-]{0,40}?)(?:: | - ))?.*\btak(?:es?|ing) (?:(?:this|it|that) )?as an "
    r"(?:action|AI)\b"
)
_TASKS = (
    "add analyse analyze approach arrange ask attend book bring build call check circulate clarify"
    " collect come complete contact continue coordinate create deal define deliver discuss distribute"
    " do document draft email explore file finalise finalize find fix flesh follow get give go help"
    " inform investigate invite keep lead liaise look make meet merge move open order organise organize"
    " pick plan post prepare present produce propose provide publish purchase put raise reach record"
    " release remind report request research reply respond review revise run schedule send set share"
    " speak start submit summarise summarize take talk test try update validate verify visit work write"
    " ensure champion advertise co-ord co-ordinate"
)
_TASK = frozenset(_TASKS.split())
_BODY = (
    r"(?:clerk|chair(?:man|woman|person|s)?|secretary|treasurer|president|board|council|committee|group|sc"
    r"|tsc|team|staff|editors?|authors?|officers?|working group|steering (?:council|committee))"
)
_BODIES = regex(rf"we|(?:the )?{_BODY}", re.IGNORECASE)
_WHO = rf"(?:[Tt]he {_BODY}|(?:[Tt]he )?[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){{0,2}})"
_ASSIGNS = regex(
    rf"(?:^|[;,] (?:and )?|\band (?:the )?)(?P<who>{_WHO}(?:(?:, | and |, and |/| & ){_WHO}){{0,4}}) "
    r"(?:(?:has |have )?(?:agree[sd]?|volunteer(?:s|ed)?|offer(?:s|ed)?|undertook|undertakes) to"
    r"|will|shall|(?:is|are) (?:going )?to|(?P<bare>to))"
    r"(?: (?:also|then|now|still|try to|continue to))? (?P<verb>[a-z][a-z-]*(?P<gerund> [a-z]+ing\b)?)"
)
# "WH: Will validate the grammar", "Julian: to come up with a proposal", "Mark: I'll take this to the list".
_PROMISES = regex(
    r"(?P<who>[^\W\d_][\w .'’/-]{0,40}?)(?:: | - )(?:I(?:['’]ll| will|['’]m going to)|[Ww]ill|to) "
    r"(?P<verb>[a-z]+)"
)
_DATES = regex(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september"
    r"|october|november|december",
    re.IGNORECASE,
)


class Assignments:
    """Finds the tasks that the sentences of a meeting assign.

    Args:
        texts: All sentences.
        names: The names of the people who are known to be there.
    """

    def __init__(self, texts: Sequence[str], names: Collection[str]) -> None:
        words = re.findall(r"[^\W\d_]+", " ".join(texts))
        self._ordinary = {word for word in words if word.islower()}
        self._names = names

    def find(self, text: str, start: int) -> tuple[str, int] | None:
        """Who is to do what a sentence says, if it opens with that, and where what is to be done begins."""
        body = text[start:]
        takes = _TAKES.match(body)
        if takes is not None:
            return (takes["who"], start + _after_name(body)) if takes["who"] else ("", start)
        promises = _PROMISES.match(body)
        if promises is not None and promises["verb"] in _TASK:
            return promises["who"], start + _after_name(body)
        for found in _ASSIGNS.finditer(body):
            verb = found["verb"].split()[0]
            is_task = verb in _TASK or (verb == "be" and found["gerund"] is not None)
            if is_task and self._is_somebody(found["who"], is_bare=found["bare"] is not None):
                return "", start
        return None

    def _is_somebody(self, who: str, *, is_bare: bool) -> bool:
        """Whether words name people, or a body of them; before a bare "to" only who is known will do."""
        if _BODIES.fullmatch(who):
            return not is_bare or who.lower() != "we"
        words = [word.strip(".,'’") for word in re.split(r"[ ,/&]+|\band\b", who) if word]
        words = [word for word in words if word and word.lower() != "the"]
        if any(word in self._names for word in words):
            return True
        return not is_bare and all(
            not is_function_word(word.lower())
            and word.lower() not in self._ordinary
            and _DATES.fullmatch(word) is None
            for word in words
        )


def _after_name(body: str) -> int:
    """Where what somebody promises begins, past "Name: "."""
    found = re.match(r"[^:]*?(?:: | - )", body)
    return found.end() if found else 0
