"""Requirements, as a readme states them: the versions on which it runs, and by what it is installed.

"Weirbook requires Python 3.9+." is short, and has more digits than other sentences, and is what a reader
wants to know first.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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


def tells_requirement(text: str) -> bool:
    """Whether a sentence says on what something runs, or by what it is installed."""
    return _INSTALLED.search(text) is not None or _states(text)


class Requirements(NamedTuple):
    """Which sentences name a thing and the versions of what it needs; one value per sentence.

    Attributes:
        alone: Those that are understood alone.
        dated: Those that hold only at the time, or on the condition, that is set before them.
    """

    alone: BoolArray
    dated: BoolArray


def requirements_of(candidates: Candidates) -> Requirements:
    """The sentences of a document that state what its subject needs."""
    alone, dated = np.zeros(len(candidates), bool), np.zeros(len(candidates), bool)
    for row, sentence in enumerate(candidates.sentences):
        if _states(sentence.text):
            (dated if _is_set(candidates, row) else alone)[row] = True
    return Requirements(alone, dated)


def _is_set(candidates: Candidates, row: int) -> bool:
    """Whether something before a sentence in its paragraph, or a line above that, sets its time."""
    texts, section = candidates.sentences, candidates.section
    while row and section[row - 1] == section[row]:
        if candidates.opens_paragraph[row]:
            return texts[row - 1].text.endswith(":")
        row -= 1
        if _SETS.search(texts[row].text) is not None:
            return True
    return False


def _states(text: str) -> bool:
    stated = _STATES.match(text)
    # "It requires …", and what is torn off: "and requires …".
    return stated is not None and not (stated["name"] and is_function_word(stated["name"].lower()))
