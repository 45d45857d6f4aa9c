"""What people who talk to one another settle, and what somebody takes on, where they say so.

"We decided to use kinetic energy", "then we'll go with the rubber case", "amendment 2 is agreed", "I'll send
the final version". Most of what a meeting settles is never said like this, and what only sounds like it ("I
think we should …") settles nothing: so few are told as decisions, and those are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.resolutions import Mark
from lsum_cli.methods.extract.conversations.speech import tidy
from lsum_cli.methods.extract.conversations.utterances import bodies, frame_of, turns_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import IntArray

_OPENING = r"^(?:(?:and|so|okay|then|well|but|alright|right|yes|yeah|i think),? )*"
# In small letters.
_SETTLES = regex(
    r"\bwe(?:['’]ve| have)? (?:(?:all|just|already|basically|also|now|then"
    r"|finally|therefore|so far|sort of|kind of) )*(?:decided|agreed) "
    r"(?:that (?!already|on|in|at)|to (?!(?:disagree|differ)\b)|not to |on |upon |against )(?=\w+ \w+ \w)"
    rf"|{_OPENING}we(?:['’]ll| will|['’]re| are)(?: going to| gonna)? (?:(?:definitely|just|all|then) )*"
    r"(?:go|going|stick|sticking) (?:for|with) (?!it\b|that\b|this\b|them\b|you\b)"
    r"|\bwe(?:['’]ve| have) (?:\w+ )?gone (?:for|with) (?!it\b|that\b|this\b|them\b|you\b)"
    r"|\b(?:the|our) (?:(?:final|main|only) )?(?:decision|consensus)(?: here)? (?:is|was) (?:that|to)\b"
    r"|^(?:(?:and|so|okay|well|but|alright|right|yes|yeah),? )*(?:then,? it(?:['’]s| is| was)"
    r"|it(?:['’]s| is| was) (?:then|therefore|thus|hereby|now))"
    r"(?: \w+ly)? (?:agreed|decided|settled|resolved) (?:that|to) "
    r"|^it(?:['’]s| is| was)(?: \w+ly)? (?:(?:decided|settled|resolved) that|(?:agreed|decided) that we) "
    r"|\b(?:motion|amendment|resolution)s? (?:[\w.]+ )?(?:is|are|was|were)(?: therefore| now)? "
    r"(?:carried|agreed|not agreed|adopted|defeated|rejected|passed)\b"
)
# What somebody does who takes it on; who speaks to a meeting does most other things there and then ("I'll
# start with", "let me say", "I'll move on").
_DOES = (
    r"send|e-?mail|mail|write(?: up)?|prepare|circulate|check(?: with)?|talk to|find out|look into"
    r"|draft|schedule|organi[sz]e|set up|contact|forward|put together|call|phone|ring|order|buy|book|fix"
    r"|repair|sign(?! off)|test|update"
    r"|upload|publish|submit|arrange|collect|print|deliver|distribute|register|invite|inform|notify|ask|build"
    r"|create|install|finali[sz]e|investigate|measure|translate|get in touch with|follow up with"
)
_TAKES_ON = regex(
    rf"{_OPENING}(?:i(?:['’]ll| will| can)|let me) (?:(?:\w+ly|then|also) )?(?P<verb>{_DOES}) (?P<object>.+)"
    rf"|{_OPENING}(?:i(?:['’]ll| will) report back"
    r"|(?:the )?(?:[a-z]+ ){0,2}(?:designer|expert|manager|executive|secretary|treasurer|chair|editor)"
    r"(?: will|['’]s going to| is going to|['’]ll) (?:be )?(?:work|look|design|prepar|mak|present|find|writ"
    r"|send|contact|organi[sz])\w*)\b"
)
# Of what is done the thing is named: not "I'll send it", "I'll ask you on Monday", "I'll ask two questions".
_OBJECT = regex(
    r"(?:(?:you|him|her|them|us|me|everyone|everybody|all|both|back|out|up|to|with|for|from|round) )*+"
    r"(?!(?:to|in|on|at|by|of|off|about|as|until|before|after|when|later|soon|again|now|today|tonight"
    r"|tomorrow|maybe|and|or|but|because|so|then|there|here|down|something|anything|nothing|everything|it)\b)"
    r"(?!(?:that|this|these|those|them|some|an?other|one|none|all|the (?:same|other|first|next|last))(?:\W*$"
    r"|[,;] "
    r"| (?:to|in|on|at|by|of|off|about|as|until|before|after|when|later|soon|again|now|today|tonight"
    r"|tomorrow|and|or|but|because|for|with|from|over|next|down|up|out|back|first|an?|the)\b))"
    r"(?:(?:the|an?|my|our|your|their|his|its|this|that|these|those|some|all|both"
    r"|each|every|which|what|how|when|whether|two|three|\d[\d,]*) )*(?:\w+ )?"
    r"(?!(?:questions?|points?|things?|stuff|minutes?|moment|way|example)\b)[\w'’-]{3,}"
)
_ASKS = frozenset(("ask", "call", "invite"))
# What is said there and then, or asked of who is there.
_ASKED_QUESTION = regex(
    r"(?:you|people|members?|witness(?:es)?|the (?:minister|witness(?:es)?|panel|first|next|last))\b"
    r"|.*\b(?:questions?"
    r"|to (?:answer|respond|reply|comment|speak|come in|start|begin|say|add|expand|introduce|give|tell|share"
    r"|explain|discuss|present|take))\b"
)
# "Once we have decided to …", "why we agreed to …" settle nothing.
_SUPPOSES = regex(
    r"\b(?:if|unless|whether|suppose|would have|maybe|perhaps|might|i think we|had we|were we"
    r"|not (?:sure|true)"
    r"|(?:not|n['’]t|never) (?:think|believe|say|said|know|remember|recall|sure|true)"
    r"|doubt|den(?:y|ied)|wish|imagine|as though|\w+n['’]t (?:agree|decide)d?"
    r"|(?:once|when|what|which|until|where|as|why|before|like|things?|points?) we\b.{0,20}\b"
    r"(?:decided|agreed))\b"
)


# "I'll send you the plan, okay?" is no question.
_TAG = regex(r", (?:okay|ok|all ?right|right)\?$")
_SUPPOSITION = regex(
    rf"{_OPENING}(?:if|unless|suppose|supposing|imagine|had (?:i|we|you|they|he|she)|were (?:we|they) to)\b"
)
# Of "check whether", "ask whether" a condition is what is asked.
_CONDITION = regex(r"\b(?:(?<!check )(?<!see )(?<!out )(?<!ask )if|unless|maybe|perhaps|might|suppose)\b")
# What others say, and what stands in quotation marks, is not settled by who quotes it.
_REPORTED = regex(
    r"(?<!\bi )(?<!\bwe )(?<!\bhave )(?<!['’]ve )\b(?:says?|said|saying|claim(?:s|ed)?|alleg(?:es?|ed)|tells?"
    r"|told|pretend(?:s|ed)?|thinks?|believes?|heard|rumou?rs?|wrote|reports?"
    r"|reported) (?!you\b)[^,.;:]{0,40}$"
    r"|^[^\"“”„«»]*[\"“„«][^\"”»]*$"
)


# What a meeting comes to: amounts of money, what was found, what follows from what was said.
_MONEY = regex(r"\b(?:euros?|dollars?|cents?|pounds|budget|costs?|price|profits?|sales|funding)\b|[$€£]")
_NUMBER = regex(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half)\b"
)
# "It saves us four euros": what does is not told.
_POINTS_BACK = regex(
    r"(?:(?:okay|um|uh|alright|all right|right|yeah|yes|no|and|but|well|now|so|then|because),? )*"
    r"(?:it|that|this|they)\b"
)
_RESULT = regex(r"\b(?:results?|improve(?:s|d|ments?)?|error rates?|performance|accuracy)\b")
_FOLLOWS = regex(r"(?:(?:okay|um|uh|alright|all right|right|yeah|and|well|now),? )*so\b")
_WE = regex(r"\bwe\b")
_LEADS = regex(
    r"\b(?:welcome|agenda|(?:this|our|the) (?:\w+ )?meeting|minutes|(?:good|hi|hello) (?:morning|afternoon"
    r"|every\w+)|get started|let['’]s (?:start|begin)"
    r"|(?:who|anyone|anybody) (?:wants|would like) to (?:start|begin))\b"
)
# In standard deviations of the scores.
_OF_MONEY, _OF_A_RESULT, _OF_GIVING_UP, _OF_WHAT_FOLLOWS, _OF_THE_CHAIR = 1.0, 0.4, 0.5, 0.2, 0.4
_OF_A_TASK, _OF_THE_PURPOSE, _OF_THE_OUTCOME = 0.6, 5.0, 2.0
# From when on the chair sums up, and until when the chair opens the meeting, as shares of its sentences.
_LATE, _FIRST_PART, _LAST_PART = 0.6, 0.1, 0.85
# What somebody is given to do until the next meeting.
_ASSIGNS = regex(
    r"\b(?:you|you (?:two|guys|both|all)|(?:[a-z]_)+|\w+ designers?|marketing(?: expert)?|experts?"
    r"|everybody|everyone"
    r"|each of (?:us|you))(?: will|['’]ll| are| is|['’]re) (?:(?:going to|gonna) )?(?:be )?"
    r"(?:work|design|prepar|writ|send|mak|look|do|build|present|test|record|transcrib)\w*\b"
)
# What is given up again.
_GIVES_UP = regex(
    r"\b(?:we(?:['’]ll| will|['’]ve| have| can| could| should| have to|['’]re going to)?|let['’]s"
    r"|you(?: should)?|(?:the )?(?:only|best) (?:option|way|thing) is to|i (?:would|['’]d))"
    r" (?:(?:just|then|probably|also) )?(?:drop(?:ped)?|scrap(?:ped)?|skip(?:ped)?|lose|lost|leave out"
    r"|left out|get rid of|got rid of|do without|cut out|ruled? out|abandon(?:ed)?)"
    r" (?:the|all|our|that|those|these|any) \w+"
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
    "gone ",
    "stick",
    "motion",
    "amendment",
    "resolution",
    " will ",
    "i can ",
    "let me ",
    " settled ",
    " resolved ",
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
        if not any(sign in lowered for sign in _SIGNS):
            continue
        is_question = lowered.rstrip("\"'”’)").endswith("?")
        if not is_question and _settles(lowered):
            yield position, Mark.DECISION
        elif (not is_question or _TAG.search(lowered) is not None) and _takes_on(lowered):
            yield position, Mark.ACTION


def outcomes(candidates: Candidates, positions: Iterable[int]) -> Iterator[tuple[int, float]]:
    """What each sentence of a meeting at these positions counts for what it tells of the outcome.

    What the meeting is for, amounts of money, results, what is given up, what is given to somebody to do,
    what follows ("so …"), and what the chair says late in the meeting of those who are there ("we …").

    Args:
        candidates: The sentences of one meeting.
        positions: Those that may be quoted.
    """
    said, turns, late = bodies(candidates), turns_of(candidates), _LATE * len(candidates)
    chair, last = _chair(turns.speaker, said), _LAST_PART * len(candidates)
    frame, positions = frame_of(candidates), list(positions)
    # Who was not there first wants to know what the meeting was for; said once is enough.
    purpose = frame.purpose(positions)
    for position in positions:
        lowered = said[position].lower()
        worth = (
            _OF_MONEY * _tells_amount(lowered)
            + _OF_A_RESULT * (_RESULT.search(lowered) is not None)
            + _OF_GIVING_UP * (_GIVES_UP.search(lowered) is not None)
            + _OF_A_TASK * (position > last and _ASSIGNS.search(lowered) is not None)
            + _OF_THE_PURPOSE * (position == purpose)
            + _OF_THE_OUTCOME * (position in frame.outcomes)
            + _OF_WHAT_FOLLOWS * (_FOLLOWS.match(lowered) is not None)
            + _OF_THE_CHAIR
            * (position > late and turns.speaker[position] == chair and _WE.search(lowered) is not None)
        )
        if worth:
            yield position, worth


def _tells_amount(lowered: str) -> bool:
    """Whether what is said, in small letters, tells an amount of money, and what has it."""
    return (
        _MONEY.search(lowered) is not None
        and _NUMBER.search(lowered) is not None
        and _POINTS_BACK.match(lowered) is None
    )


def _chair(speaker: IntArray, said: Sequence[str]) -> int:
    """The number of who leads a meeting: says most of its aim and agenda in its first part, or opens it."""
    first = speaker[: max(1, int(_FIRST_PART * len(said)))]
    leads = [_LEADS.search(text.lower()) is not None for text in said[: len(first)]]
    counts = np.bincount(first, weights=leads)
    return int(np.argmax(counts)) if counts.any() else int(speaker[0])


def suppositions(candidates: Candidates, positions: Iterable[int]) -> Iterator[int]:
    """Those sentences at these positions that tell what would be: "if we agreed to …".

    Args:
        candidates: The sentences of one conversation.
        positions: Those that may be quoted.
    """
    said = bodies(candidates)
    return (position for position in positions if _SUPPOSITION.match(tidy(said[position]).lower()))


def _settles(lowered: str) -> bool:
    """Whether what is said, in small letters, settles something."""
    found = _SETTLES.search(lowered)
    return (
        found is not None
        and _SUPPOSES.search(lowered) is None
        and _REPORTED.search(lowered[: found.start()]) is None
    )


def _takes_on(lowered: str) -> bool:
    """Whether who speaks takes something on that is named, or somebody is given it."""
    found = _TAKES_ON.match(lowered)
    if found is None:
        return False
    if found["verb"] is None:
        return _SUPPOSES.search(lowered) is None
    is_asked = found["verb"] in _ASKS and _ASKED_QUESTION.match(found["object"]) is not None
    return not is_asked and _CONDITION.search(lowered) is None and _OBJECT.match(found["object"]) is not None
