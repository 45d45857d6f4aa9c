"""The lists of those present in minutes: where they stand, and whom they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import SPEAKER, plain_heading
from lsum_cli.text.patterns import regex

_ATTENDANCE = (
    r"attend(?:ees?|ance|ing)|(?:\w+ ){0,3}attendees"
    r"|(?:(?:also|directors|members|trustees|board members|others) )?(?:present|absent)(?: were| are)?"
    r"|(?:trustees|those) present were|participants|regrets|apologies(?: for absence)?|in attendance"
    r"|roll call|anwesend(?:e| sind)?|abwesend(?: sind)?|entschuldigt"
    r"|(?:note[- ]?taker|scribe)s?(?:nick)?"
    r"|minutes taken by"
)
_OPENS_LIST = regex(rf"(?P<what>{_ATTENDANCE})(?P<mark> ?:| [-–—] |$|\b(?! at\b)(?! the\b))", re.IGNORECASE)
_HEADS_LIST = regex(rf"(?:{_ATTENDANCE})", re.IGNORECASE)
# What opens a list whatever follows: "In attendance were …", "Apologies were received from …".
_OPENS_ANY_LIST = regex(
    r".*\b(?:present (?:were|are)|in attendance|roll call|regrets|apologies|taken by).*", re.I
)
# A line of a list of people: names, roles and handles, no verb.
_NAME_LINE = regex(
    r"(?:[^\W\d_a-z][\w.'’-]*|@[\w-]+|\([^()]*\)|and|&|,|;|[-–])"
    r"(?:[ ,;]+(?:[^\W\d_a-z][\w.'’-]*|@[\w-]+|\([^()]*\)|and|&|[-–]))*[.,;]?"
    r"|[\w.-]{2,20}"
)
_LONGEST_NAME_LINE = 28  # words
_LONGEST_ENTRY = 14
# Of the words of a list so many begin with a capital.
_LEAST_CAPITAL = 0.5


def opens_list(text: str) -> bool:
    """Whether a line says who is present or absent; "Participants were asked to …" does not."""
    found = _OPENS_LIST.match(text)
    if found is None:
        return False
    rest = text[found.end() :].strip()
    return bool(found["mark"]) or not rest or is_name_line(rest) or bool(_OPENS_ANY_LIST.match(found["what"]))


def is_list_alone(text: str) -> bool:
    """Whether a line opens a list of those present that follows below."""
    return text.endswith(":") or _OPENS_LIST.fullmatch(text) is not None


def heads_list(heading: str) -> bool:
    """Whether a plain heading heads a list of those present."""
    return _HEADS_LIST.fullmatch(heading) is not None


def is_name_line(text: str) -> bool:
    """Whether a line may be one of a list of people."""
    return len(text.split()) <= _LONGEST_NAME_LINE and _NAME_LINE.fullmatch(text) is not None


def names_somebody(text: str) -> bool:
    """Whether what follows "Present:", or an entry below it, names people: it has mostly capitals."""
    found = _OPENS_LIST.match(text)
    words = re.findall(r"@?\w[\w.'’-]*", text[found.end() :] if found else text)
    capital = sum(word[:1].isupper() or word[:1] == "@" for word in words)
    return bool(words) and capital >= _LEAST_CAPITAL * len(words)


def is_entry(text: str) -> bool:
    """Whether a line below the heading of a list is an entry of it, and no prose."""
    return is_name_line(text) or (
        len(text.split()) <= _LONGEST_ENTRY and text[-1:] not in ".?!:" and names_somebody(text)
    )


def names_of_people(candidates: Candidates, paragraphs: Sequence[Sequence[int]]) -> set[str]:
    """The names of those present, and of those who speak again and again."""
    names: set[str] = set()
    speakers: Counter[str] = Counter()
    listing = False
    for rows in paragraphs:
        whole = " ".join(candidates.sentences[row].text for row in rows)
        path = (candidates.sections[rows[0]].path or "").split(PATH_BREAK)
        is_headed = any(heads_list(plain_heading(part)) for part in path)
        listing = opens_list(whole) or (listing and is_name_line(whole))
        if is_headed or listing:
            names.update(re.findall(r"[^\W\d_a-z][\w'’-]+", whole))
        elif (found := SPEAKER.match(whole)) is not None:
            speakers[found[0].rstrip(": ")] += 1
    again = (speaker for speaker, count in speakers.items() if count > 1)
    names.update(name for speaker in again for name in speaker.split() if name[:1].isupper())
    return names
