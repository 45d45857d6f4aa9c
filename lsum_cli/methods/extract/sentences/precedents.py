"""What an opinion tells beside its own reasons: other cases, other courts, what it leaves open.

A court reasons from what was decided before. A summary that quotes how another case went has no room for why
this one was decided so, and its reader does not know the case that is called by a short name.
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray

# What is left open, what parties say, and what other cases held.
BESIDE = regex(
    r"\bneed not (?:\w+ )?(?:be|reach|decide|address|resolve|consider|determine)\b|\bno need to\b"
    r"|\b(?:court|we|opinion) do(?:es)? not (?:\w+ )?(?:reach|decide|resolve|address|question|deny)\b"
    r"|\bexpress(?:es)? no\b|\bdeclines? to (?:decide|reach)\b|\bleave (?:the|that|this|for|open)\b"
    r"|\bremains? open\b|\bopen (?:for consideration )?on remand\b|\bripe for\b|\bnever reached\b"
    r"|\b(?:unnecessary|sufficient) to (?:\w+ )?(?:reach|decide|address|resolve|consider|determine)\b"
    r"|\bwill not do so\b|\b(?:starts|begins) with\b|\bturns to\b"
    r"|\b(?:two|three|four|several|various|other|remaining|additional|further)(?: [\w,]+){0,3}?"
    r" (?:counter-?)?(?:arguments|reasons|considerations|points|factors|grounds)\b(?!.*\bthat\b)"
    r"|\b(?:forfeited|waived)\b|\bin the first instance\b|\bhas found no\b"
    r"|^(?:[\w’']+ ){0,3}(?:counter-?)?arguments? (?:\w+ )?(?:do(?:es)?|is|are|fails?|cannot|lacks?)\b"
    r"|\b(?:contend|argue|urge|assert|insist|maintain|contest|dispute)s?\b|^even assuming\b"
    r"|(?<!’ )(?<!’s )\bclaims? that\b"
    r"|\b(?:this|the) court (?:\w+ )?(?:held|declined|observed|noted|explained|stated|said|recognized)\b"
    r"|^in (?:the \d{4} )?[A-Z]\w+(?: v\. [A-Z][\w.]+)?,",
    re.IGNORECASE,
)
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
# What was said in an earlier case: "In Marsh, the Court explained that …", "we held".
_SAID_BEFORE = regex(
    r"\b(?:this court|the court|that court|we|the (?:\w+ )?(?:plurality|majority))"
    r"(?:,? (?:\w+ly|first|then|also|in \w+),?)? "
    r"(?:held|explained|observed|noted|stated|recognized|rejected|reversed|affirmed|reasoned|emphasized"
    r"|considered|addressed|said|found|concluded|described|declined|relied|determined|upheld|suggested|used|applied"
    r"|confronted|stressed|pointed out|reviewed|adopted|characterized|cited|identified|indicated)\b",
    re.IGNORECASE,
)
_OTHER_COURTS = regex(
    r"\b(?:other|some|several|most|many|two|three|four|five|every) (?:federal |state |lower |other )?"
    r"(?:courts?\b|circuits\b)|^as the [\w ]{3,40} "
    r"(?:noted?|observed?|explained|acknowledged?|recognized?|points? out|concede[sd]?)\b",
    re.IGNORECASE,
)
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
    calls = regex(rf"\b(?:{'|'.join(map(re.escape, sorted(named)))})\b(?! v\.)") if named else None
    for position, (section, text) in enumerate(zip(candidates.sections, texts, strict=True)):
        if section.role is not SectionRole.OPINION:
            continue
        if _SAID_BEFORE.search(text):
            cost[position] += _BEFORE
        if calls is not None and calls.search(text):
            cost[position] += _NAMED
        if _OTHER_COURTS.search(text):
            cost[position] += _ELSEWHERE
        if BESIDE.search(text):
            cost[position] += _ASIDE
    return cost
