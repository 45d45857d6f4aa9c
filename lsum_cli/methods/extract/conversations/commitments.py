"""What people who talk to one another settle, and what somebody takes on, where they say so.

"We decided to use kinetic energy", "then we'll go with the rubber case", "amendment 2 is agreed", "I'll send
the final version". Most of what a meeting settles is never said like this, and what only sounds like it ("I
think we should …") settles nothing: so few are told as decisions, and those are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.resolutions import Mark
from lsum_cli.methods.extract.conversations.speech import tidy
from lsum_cli.methods.extract.conversations.utterances import bodies
from lsum_cli.text.patterns import regex

_OPENING = r"^(?:(?:and|so|okay|then|well|but|alright|right|yes|yeah|i think),? )*"
# In small letters.
_SETTLES = regex(
    r"\bwe(?:['’]ve| have)?"
    r" (?:(?:all|just|already|basically|also|now|then|finally|therefore|so far|sort of|kind of) )*"
    r"(?:decided|agreed) (?:that (?!already|on|in|at)|to |not to |on |upon |against )(?=\w+ \w+ \w)"
    rf"|{_OPENING}we(?:['’]ll| will|['’]re| are)(?: going to| gonna)? (?:(?:definitely|just|all|then) )*"
    r"(?:go|going|stick|sticking) (?:for|with) (?!it\b|that\b|this\b|them\b|you\b)"
    r"|\b(?:the|our) (?:(?:final|main|only) )?(?:decision|consensus)(?: here)? (?:is|was)"
    r" (?:that|to)\b"
    r"|\b(?:motion|amendment|resolution)s? (?:[\w.]+ )?(?:is|are|was|were)(?: therefore| now)?"
    r" (?:carried|agreed|not agreed|adopted|defeated|rejected|passed)\b"
)
_TAKES_ON = regex(
    rf"{_OPENING}(?:i(?:['’]ll| will) (?:(?:\w+ly|then|also|just) )?(?:send|e-?mail|mail|write up|prepare"
    r"|circulate|check with|talk to|find out|look into|draft|schedule|organi[sz]e|set up|report back|contact"
    r"|get in touch|forward|put together)"
    r"|(?:the )?(?:[a-z]+ ){0,2}(?:designer|expert|manager|executive|secretary|treasurer|chair|editor)"
    r"(?: will|['’]s going to| is going to|['’]ll) (?:be )?(?:work|look|design|prepar|mak|present|find|writ"
    r"|send|contact|organi[sz])\w*)\b"
)
# "Once we have decided to …", "why we agreed to …" settle nothing.
_SUPPOSES = regex(
    r"\b(?:if|unless|whether|suppose|would have|maybe|perhaps|might|i think we|\w+n['’]t (?:agree|decide)d?"
    r"|(?:once|when|what|which|until|where|as|why|before|like|things?|points?) we\b.{0,20}"
    r"\b(?:decided|agreed))\b"
)


# What every commitment has: a quick test.
_SIGNS = (
    "decided",
    "agreed",
    "decision",
    "consensus",
    "go for",
    "go with",
    "going",
    "stick",
    "motion",
    "amendment",
    "resolution",
    " will ",
    "'ll ",
    "’ll ",
)


def commitments(candidates: Candidates, positions: Iterable[int]) -> Iterator[tuple[int, Mark]]:
    """Those sentences at these positions that settle something, or take something on, in English.

    Args:
        candidates: The sentences of one conversation.
        positions: Those that may be quoted.
    """
    said = bodies(candidates)
    for position in positions:
        lowered = tidy(said[position]).lower()
        if not any(sign in lowered for sign in _SIGNS) or _SUPPOSES.search(lowered) is not None:
            continue
        if _SETTLES.search(lowered) is not None:
            yield position, Mark.DECISION
        elif _TAKES_ON.match(lowered) is not None:
            yield position, Mark.ACTION
