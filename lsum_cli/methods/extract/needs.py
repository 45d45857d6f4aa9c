"""What a readme says that its subject needs: the versions on which it runs, and by what it is installed.

"Weirbook requires Python 3.9+." is short, and has more digits than other sentences, and is what a reader
wants to know first.
"""

from __future__ import annotations

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


def tells_needs(text: str) -> bool:
    """Whether a sentence says on what something runs, or by what it is installed."""
    return _INSTALLED.search(text) is not None or _states(text)


def states_needs(candidates: Candidates) -> BoolArray:
    """Which sentences name a thing and the versions of what it needs, and are understood alone."""
    found: BoolArray = np.array([_states(sentence.text) for sentence in candidates.sentences], bool)
    return found


def _states(text: str) -> bool:
    stated = _STATES.match(text)
    # "It requires …", and what is torn off: "and requires …".
    return stated is not None and not (stated["name"] and is_function_word(stated["name"].lower()))
