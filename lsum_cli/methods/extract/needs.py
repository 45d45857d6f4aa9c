"""What a readme says that its subject needs: the versions on which it runs, and by what it is installed.

"Weirbook requires Python 3.9+." is short, and has more digits than other sentences, and is what a reader
wants to know first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, is_function_word

_LANGUAGES = r"(?:C?Python|PyPy|Java|Node(?:\.js)?|Ruby|Go|Rust|PHP|Perl)"
_INSTALLED = regex(
    r"\binstall(?:ed|able)? (?:[\w.-]+ )?(?:with|using|via|from|by|through) (?:[a-z]+ )?"
    r"(?:pip|PyPI|conda|npm|cargo)\b"
    r"|\b(?:pip|conda|npm|cargo) install [\w-]"
)
# The thing itself by its name, or by what it is, and a version of what it needs.
_STATES = regex(
    r"(?:(?:This|The) (?:library|package|module|project|program|tool|plugin|software)"
    r"|(?P<name>[\w.-]+)(?: [\w.-]+)?)"
    r" (?:currently |officially )?(?:requires|supports|works (?:with|on)|needs|runs on|is compatible with"
    rf"|(?:is|has been) tested (?:with|on)) (?:only )?{_LANGUAGES}(?: versions?)?,? (?:[≥>=]+ ?)?\d"
    r"[^;:?!]{0,120}\.$"
    rf"|{_LANGUAGES} \d[^;:?!]{{0,40}} (?:is|are) (?:required|needed|supported)\.$"
)
# What stands before in its paragraph and says when, or on what condition, it holds: "Until 2012 …"; "If …".
_SETS = regex(
    r":$|^(?:if|when|once|unless|before)\b"
    r"|\b(?:until|till|formerly|previously|in the past|no longer|old(?:er)?|earlier|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def tells_needs(text: str) -> bool:
    """Whether a sentence says on what something runs, or by what it is installed."""
    return _INSTALLED.search(text) is not None or _states(text)


def states_needs(candidates: Candidates) -> BoolArray:
    """Which sentences name a thing and the versions of what it needs, and are understood alone."""
    found = np.zeros(len(candidates), bool)
    for row, is_set in enumerate(_are_set(candidates)):
        found[row] = not is_set and _states(candidates.sentences[row].text)
    return found


def dated_needs(candidates: Candidates) -> BoolArray:
    """Which such sentences hold only at the time, or on the condition, that is set before them."""
    found = np.zeros(len(candidates), bool)
    for row, is_set in enumerate(_are_set(candidates)):
        found[row] = is_set and _states(candidates.sentences[row].text)
    return found


def _are_set(candidates: Candidates) -> Iterator[bool]:
    """Whether something before each sentence in its paragraph, or a line above that, sets its time."""
    is_set = False
    for row in range(len(candidates)):
        before = candidates.sentences[row - 1].text if row else ""
        if row == 0 or candidates.section[row - 1] != candidates.section[row]:
            is_set = False
        elif candidates.opens_paragraph[row]:
            is_set = before.endswith(":")
        else:
            is_set = is_set or _SETS.search(before) is not None
        yield is_set


def _states(text: str) -> bool:
    stated = _STATES.match(text)
    # "It requires …", and what is torn off: "and requires …".
    return stated is not None and not (stated["name"] and is_function_word(stated["name"].lower()))
