"""Security issues in release notes: which sections tell of one, its flaw and its remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

_IS_OF_SECURITY = regex(r"\bsecurity\b|\bvulnerabilit|\bCVE-\d", re.IGNORECASE)
_NUMBERED = regex(r"\b(?:CVE-\d|GHSA-)")
# What an issue is known by, and with it how surely: an attack, or what may go wrong.
_ATTACK = regex(
    r"\b(?:attack\w*|malicious\w*|vulnerab\w+|exploit\w*|denial[- ]of[- ]service|arbitrary|untrusted|crafted"
    r"|forge\w*|cross[- ]site|xss|csrf|inject\w*|hijack\w*|spoof\w*|phishing|traversal|disclos\w+|leak\w*"
    r"|subject to|manipulat\w+|privileges?|unauthori[sz]ed|credentials?)\b",
    re.IGNORECASE,
)
_GOES_WRONG = regex(
    r"\b(?:could|may|might|can|possible|allow(?:s|ed|ing)?|reveal\w*|expos\w+|bypass\w*|without|incorrectly"
    r"|fail(?:s|ed|ing)?|improperly|unexpected|did not|does not|was not|were not|degrade\w*|consum\w+)\b",
    re.IGNORECASE,
)
_REMEDIES = regex(
    r"(?:in order )?to (?:remedy|address|fix|mitigate|prevent|avoid|resolve|correct|counter|guard|protect)\b"
    r"|we(?:['’]ve| have) \w+|as a (?:result|remedy),? .{0,60}\bnow\b",
    re.IGNORECASE,
)
_NOW = regex(
    r"\b(?:now|no longer|(?:has|have) been (?:changed|updated|fixed|removed|added|limited|upgraded))\b"
)
_REFERS_BACK = regex(
    r"(?:this|these|it|they|that|such|see|for|if|note|as a reminder"
    r"|the (?:above|same|attacks?|issues?|flaws?|vulnerability|problem|result|attack vectors))\b",
    re.IGNORECASE,
)
_LONGEST = 50
# A section may well begin with what was wrong.
_AN_ATTACK, _LEAST_FLAW, _LEAST_OF_FIRST = 2, 2, 1


def tells_of_security(candidates: Candidates) -> bool:
    """Whether what notes begin with, before any heading, says that they are about security."""
    for row, section in enumerate(candidates.sections):
        if section.heading not in (None, "", candidates.titles[row]):
            return False
        if _IS_OF_SECURITY.search(candidates.sentences[row].text):
            return True
    return False


def names_flaw(topic: str, texts: Sequence[str], *, is_of_security: bool) -> bool:
    """Whether a section with this heading explains a security issue, in notes of security or of others."""
    if _NUMBERED.search(topic):
        return True
    return is_of_security and any(_ATTACK.search(text) for text in (topic, *texts))


def flaw_and_remedy(
    candidates: Candidates, rows: Sequence[int], stands: BoolArray
) -> tuple[int | None, int | None]:
    """The sentence of a section that tells what was wrong, and the one that tells what is done about it.

    Args:
        candidates: The sentences of the notes.
        rows: The positions of those of the section.
        stands: Whether each can be shown without any other.
    """
    remedy: int | None = None
    flaw: tuple[int, int] | None = None
    for row in rows:
        text = candidates.sentences[row].text
        if candidates.num_words[row] > _LONGEST or text.rstrip().endswith(":"):
            continue
        remedies = _REMEDIES.match(text) is not None
        is_free = bool(stands[row]) and _REFERS_BACK.match(text) is None
        if remedies or (is_free and _NOW.search(text)):
            remedy = row if remedy is None else remedy
        elif is_free or row == rows[0]:
            least = _LEAST_OF_FIRST if row == rows[0] else _LEAST_FLAW
            score = _AN_ATTACK * (_ATTACK.search(text) is not None) + (_GOES_WRONG.search(text) is not None)
            if score >= least and (flaw is None or score > flaw[0]):
                flaw = (score, row)
    return (None if flaw is None else flaw[1]), remedy
