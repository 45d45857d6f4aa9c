"""What an opinion tells beside its own reasons: other cases, other courts, what it leaves open.

A court reasons from what was decided before. A summary that quotes how another case went has no room for why
this one was decided so, and its reader does not know the case that is called by a short name.
"""

from __future__ import annotations

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex, word_pattern
from lsum_cli.text.terms import FloatArray

_IN_MANY_NAMES_TEXT = (
    "American Attorney Board City Commission Company Corporation County Court Department District Federal "
    "General Inc International National New North Secretary South State States Title United"
)
IN_MANY_NAMES = frozenset(_IN_MANY_NAMES_TEXT.split())
# The name of another case, and what it is called thereafter.
CASE = regex(
    r"\b(?!(?:See|In|Under|Compare|But|Following|Citing|Unlike|Applying|Like|Accord|And|The)\b)"
    r"([A-Z][\w’'-]+)(?: [A-Z][\w.’'&-]*| of| the| &)* v\. ([A-Z][\w’'-]+)"
)
# What was said in an earlier case: "In Marsh, the Court explained that …", "we held". All in lower case.
_SAID_BEFORE = word_pattern(
    r"(?:(?:this|the|that) court|we|the (?:\w+ )?(?:plurality|majority))"
    r"(?:,? (?:\w+ly|first|then|also|in \w+),?)? "
    r"(?:held|explained|observed|noted|stated|recognized|rejected|reversed|affirmed|reasoned|emphasized"
    r"|considered|addressed|said|found|concluded|described|declined|relied|determined|upheld|suggested|used"
    r"|applied|confronted|stressed|pointed out|reviewed|adopted|characterized|cited|identified|indicated)\b"
)
_OTHER_COURTS = word_pattern(
    r"(?:other|some|several|most|many|two|three|four|five|every) (?:federal |state |lower |other )?"
    r"(?:courts?\b|circuits\b)|(?<=^ )as the [\w ]{3,40} "
    r"(?:noted?|observed?|explained|acknowledged?|recognized?|points? out|concede[sd]?)\b"
)
_LEFT_OPEN = word_pattern(
    r"(?:need not|no need to|(?:court|we|opinion) do(?:es)? not (?:\w+ )?(?:reach|decide|resolve|address)"
    r"|express(?:es)? no|declines? to (?:decide|reach)|leave (?:the|that|this|for|open)|remains? open"
    r"|ripe for|forfeited|waived|in the first instance|we (?:now |next )?(?:begin|start|turn)|turns to)\b"
)
_CAPITALISED = regex(r"[A-Z][\w’'-]+")
# What each costs, in standard deviations.
_BEFORE, _NAMED, _ELSEWHERE, _ASIDE = 0.8, 0.25, 0.8, 0.4


def cost_of_precedents(candidates: Candidates) -> FloatArray:
    """What each sentence of the court loses for telling of other cases and courts, or what is left open."""
    cost = np.zeros(len(candidates))
    texts = [sentence.text for sentence in candidates.sentences]
    named = {name for text in texts if " v. " in text for names in CASE.findall(text) for name in names}
    named -= IN_MANY_NAMES
    in_titles = " ".join({*candidates.titles}).casefold()
    named = {name for name in named if name.casefold() not in in_titles}
    for position, (section, text) in enumerate(zip(candidates.sections, texts, strict=True)):
        if section.role is not SectionRole.OPINION:
            continue
        said = f" {text.lower()}"
        cost[position] = (
            _BEFORE * (_SAID_BEFORE.search(said) is not None)
            + _ELSEWHERE * (_OTHER_COURTS.search(said) is not None)
            + _ASIDE * (_LEFT_OPEN.search(said) is not None)
            + _NAMED
            * any(f"{name} v." not in text for name in named.intersection(_CAPITALISED.findall(text)))
        )
    return cost
