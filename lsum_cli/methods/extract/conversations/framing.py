"""What a meeting is for and what it comes to, where somebody says so: the frame of what is quoted of it.

"This is our functional design meeting", "the goal of this meeting is to reach a decision on the product", "so
we've worked out that we're going with a simple battery". Who was not there needs both, though they speak of
the sitting itself, which is quoted of nothing else. All patterns are of text in small letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsum_cli.methods.extract.conversations.speech import ELLIPSIS, tidy
from lsum_cli.text.patterns import regex

_KIND = (
    r"(?:kick[- ]?off|functional|conceptual|detail(?:ed)?|technical|product|project|design|planning|status"
    r"|progress|review|evaluation|strategy|budget|board|committee)"
)
_WE_WILL = r"we(?:['’]ll|['’]re| will| have| need| want| should| must| are)\b"
_MAKES = r"(?:design|develop|create|build|plan)"
# What is to be decided or done in it, what kind of meeting it is, what the people work at; the first tells
# most.
_PURPOSES = (
    regex(
        r"\b(?:purpose|aim|goal|task|topic|subject|focus|objective) (?:of|for) (?:this|the|our|today['’]s) "
        r"(?:\w+ )?(?:meeting|session|call)\b"
        r"|\b(?:this|today['’]s|our) (?:\w+ )?(?:meeting|call) (?:will be|should be|is|is going to be) "
        r"(?:mainly |all )?(?:about|for|to|focus\w*)\b"
        rf"|\bin this (?:\w+ )?meeting,? (?:\w+ )?{_WE_WILL}"
        r"|\bwe (?:have|need|want|are going) to (?:[\w'’]+ ){1,10}in (?:this|today['’]s) meeting\b"
        r"|\b(?:only|main) (?:topic|item|point)s? on (?:the|our|today['’]s) agenda (?:is|was|are|were)\b"
        r"|\btoday,? we(?:['’]ll| will|['’]re (?:going to|gonna)| are going to) (?:talk about|discuss|decide"
        r"|look at|go (?:through|over)|hear|plan|review) (?!it\b|that\b|this\b)"
        r"|\b(?:(?:have|need|want|going) to|we(?:['’]ll| will)|so that we can) (?:make|take|reach|come to) "
        r"(?:a |some |our |the )?(?:final )?decisions? (?:on|about) "
        r"(?!stuff\b|things\b)"
    ),
    regex(
        rf"^(?!.*\b(?:power ?point|i do ?n['’]t)\b).*\b(?:this|our|the)(?: \w+)? (?:{_KIND} )+meeting\b"
        r"|\bthis is (?:our|the) (?:\w+ )?meeting (?:for|of|on|about) (?=\w+ \w)"
    ),
    regex(
        r"\bwe(?:['’]re| are) (?:here (?:to|because)\b|(?:(?:going|supposed) to (?:be )?|gonna (?:be )?)?"
        rf"{_MAKES}(?:n?ing)?\b|creating\b) ?(?!it\b|that\b|this\b|them\b|on\b)(?=\w+ \w+)"
        r"|\b(?:our|the) (?:aim|goal|task|project) (?:is|aims) to\b"
    ),
)
# What all of them have: a quick test, of words as they are said.
_SIGNS_OF_A_PURPOSE = (
    "meeting",
    "session",
    " call",
    "agenda",
    "decision",
    "today",
    "design",
    "develop",
    "creat",
    "build",
    "plan",
    " here ",
    " aim",
    "goal",
    "task",
    "project",
)
_SOMEHOW = (
    r"(?:(?:all|just|already|basically|also|now|then|finally|so far|sort of|kind of|more or less|pretty much"
    r"|definitely|largely|actually) )*"
)
# What it comes to, and what is to be done next.
_OUTCOME = regex(
    rf"\bwe(?:['’]ve| have)? {_SOMEHOW}(?:decided|agreed|worked out|settled|concluded|ruled out|evaluated"
    r"|narrowed|pared|came out with|ended up with)\b"
    rf"|\bwe(?:['’]re| are|['’]ll| will) {_SOMEHOW}(?:going with|going for|gonna go with|going to go with"
    r"|go with|go for|stick(?:ing)? (?:with|to)|in agreement) "
    r"(?!it\b|that\b|this\b|them\b|an? (?:\w+ )?(?:lunch|coffee|break))(?=\w+ \w)"
    r"|\b(?:average|total|score|value) (?:\w+ )?(?:is|of) (?:zero|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|\d)"
    r"|^(?!(?:so )?(?:are|is) ).*\b(?:are|is|it['’]s|us|we['’]re|costs?|well) (?:\w+ )?(?:within|under|over) "
    r"(?:the |our )?budget\b"
    r"|\b(?:meets|met|satisfies|fulfils) (?:all )?(?:the |our )?(?:\w+ )?(?:criteria|requirements)\b"
    r"|\bthe (?:conclusion|consensus|decision|upshot|bottom line) (?:is|was|seems)\b"
    r"|\b(?:for|by|until) (?:the|our) next (?:meeting|session),? (?:\w+ )?(?:we|you|i|they|everybody)"
    r"(?:['’]\w+)? \w+ \w"
    r"|\b(?:we|you|i|they|everybody)\b.+\b(?:for|by) (?:the|our) next (?:meeting|session)\b"
    r"|\bthe (?:\w+ )?next steps? (?:is|are|will)\b"
    r"|\b(?:designers?|experts?|you two|(?:two|both|each) of you|everybody|everyone)"
    r"(?: (?:will|are|is|has|have|can|should))+(?: (?:going to|gonna|to|be))* (?:work(?! together\W*$)"
    r"|design|prepar|writ|send|mak|look|build|present|test|record)\w*"
)
_SIGNS_OF_AN_OUTCOME = (
    "decided",
    "agree",
    "worked out",
    "settled",
    "concluded",
    "ruled out",
    "evaluated",
    "narrowed",
    "pared",
    " out with",
    " up with",
    "going with",
    "going for",
    "go with",
    "go for",
    "stick",
    "average",
    "total",
    "score",
    "value",
    "budget",
    "criteria",
    "requirements",
    "conclusion",
    "consensus",
    "decision",
    "upshot",
    "bottom line",
    "next ",
    "designer",
    "expert",
    "you two",
    " of you",
    "every",
)
# Where a meeting opens and where it closes, as shares of its sentences; an opening has at least so many.
_OPENING, _FEWEST_OF_AN_OPENING, _CLOSING = 0.08, 15, 0.75
# Who goes on for more words tells what it comes to among much else.
_LONGEST = 50


def purposes(said: Sequence[str]) -> dict[int, int]:
    """The places of the sentences of a meeting that say what it is for, with 0 for those that tell most.

    Args:
        said: What is said in each of its sentences.
    """
    last = int(max(_FEWEST_OF_AN_OPENING, _OPENING * len(said)))
    found: dict[int, int] = {}
    for place, lowered in _whole(said, 0, last, _SIGNS_OF_A_PURPOSE):
        rank = next((rank for rank, each in enumerate(_PURPOSES) if each.search(lowered) is not None), None)
        if rank is not None:
            found[place] = rank
    return found


def outcomes(said: Sequence[str]) -> frozenset[int]:
    """The places of the late sentences of a meeting that say what it comes to, or what is done next.

    Args:
        said: What is said in each of its sentences.
    """
    late = _whole(said, int(_CLOSING * len(said)), len(said), _SIGNS_OF_AN_OUTCOME)
    return frozenset(place for place, lowered in late if _OUTCOME.search(lowered) is not None)


def _whole(said: Sequence[str], first: int, end: int, signs: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The places from the first to the end where one of these signs is said to its end, and what is said."""
    for place in range(first, min(end, len(said))):
        lowered = said[place].lower()
        if any(sign in lowered for sign in signs):
            lowered = tidy(said[place]).lower()
            if not lowered.endswith((ELLIPSIS, "?")) and len(lowered.split()) <= _LONGEST:
                yield place, lowered
