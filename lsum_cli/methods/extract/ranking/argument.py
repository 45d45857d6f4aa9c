"""What a text that argues claims: its author's view, a definition, what it comes to; not what it narrates.

An essay, or a chapter of a book that argues, has a thesis and reasons between stories and examples. Its
reader wants the claims: what the author holds, what something is, the point, and how the text closes.
They are known by their wording, in English.
"""

from __future__ import annotations

from itertools import islice

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

# Such a text argues in this share of its sentences, which a manual hardly does, and has so many of them in a
# paragraph.
_MUCH_ARGUED, _SENTENCES_OF_A_PARAGRAPH = 0.04, 3.0
_ARGUMENT = regex(
    r"\W(?:argu(?:es?|ed|ing|ments?)|claim(?:s|ed)?|believ\w+|indeed|of course|merely|surely|perhaps|truth"
    r"|society|century|in my (?:view|opinion)|i (?:think|suspect))\b"
)
# What each counts, in standard deviations of what readers would prefer.
_OWN_VIEW, _POINT, _SUMS_UP, _OBLIGES, _DEFINES = 1.0, 0.7, 0.6, 0.3, 0.6
_DATED, _NARRATES, _ILLUSTRATES = -0.6, -0.5, -0.8
_CLOSES = 0.5
# All of these of lower-cased text; those that are searched for, after a space.
_VIEW = regex(
    r"\W(?:in my (?:own )?(?:view|opinion|judge?ment)|i (?:\w+ly )?(?:think|believe|argue|claim|contend"
    r"|maintain|conclude|suspect|hold) (?!so\b)|i would (?:argue|say|claim|suggest)|i (?:am|['’]m) convinced"
    r"|my (?:own )?(?:point|claim|argument|thesis|view|opinion|conclusion|belief) is"
    r"|personally, i|we (?:\w+ly )?(?:argue|believe|contend|conclude)|as i see it)\b"
)
_POINTS = regex(
    r"\Wthe (?:(?:real|true|main|basic|central|key|most (?:important|prominent)|greatest|fundamental|crucial"
    r"|underlying|essential|primary|ultimate) (?:reason|question|point|issue|difference|danger|truth|goal"
    r"|lesson|belief|message|idea|advantage|threat|cause|purpose|principle|thing|conclusion)s?\b"
    r"|(?:\w+ )?(?:point|truth|message|lesson|conclusion|essence|goal|aim|purpose|inference|definition|danger"
    r"|evil|virtue|merit)s?"
    r" (?:(?:of|in|with|behind|to|for|underlying) [^,;:.]{2,70} )?(?:is|are|lies)\b)"
)
_SUMS = regex(
    r"(?:(?:so|and|but),? )?(?:in (?:short|sum|conclusion|summary|essence)"
    r"|to (?:conclude|summari[sz]e|sum up)|all in all|ultimately|therefore|thus|hence|simply put"
    r"|in other words)\b"
    r"|[^,;:]{2,80},? (?:therefore|thus)\b"
)
_MUST = regex(r"\W(?:must|should|ought to|ha(?:ve|s) to|needs? to|cannot|can never)\b")
_WHAT_IT_IS = regex(
    r"(?:the |an? )?(?!(?:this|that|it|these|those|there|here|he|she|they|we|you|i|one|another|such|which"
    r"|what|first|second|next|last|main|only|other|example|problem|result|reason|question|book|chapter"
    r"|author)\b)"
    r"[\w\"'“”’-]+(?: [\w\"'“”’-]+){0,3}(?:, [^,]{3,40},)?"
    r" (?:(?:is|are) (?:\w+ly |not )?(?:an?|the (?!only\b)|(?:not )?about)\b|means\b|refers to\b"
    r"|can be defined\b)"
)
_DAY = regex(
    r"\W(?:1[5-9]\d\d|20\d\d|yesterday|january|february|march \d|april|june|july|august|september|october"
    r"|november|december|(?:one|the same) (?:day|morning|evening|night))\b"
)
_PAST = regex(
    r"\W(?:was|were|had|did|went|came|said|told|wrote|took|got|began|became|knew|found|decided|started)\b"
)
# An example, and what tells of the text or of what it told before.
_BESIDE_THE_POINT = regex(
    r"\W(?:(?:for (?:example|instance)|e\. ?g\.|suppose|imagine|among others)(?!\w)"
    r"|\(?(?:see|in) (?:also )?(?:chapter|section)\b"
    r"|(?:i|we)(?:['’]ll| will| shall) (?:now |not |also |only |here )?(?:conduct|concentrate|talk|discuss"
    r"|try|proceed|tell|describe|return|look|take|turn|mention|begin|start|see|go|explain|present)\b"
    r"|as (?:i|we)(?:['’]ve| have)? (?:\w+ly )?(?:mention|argue|discuss|suggest|prove|note|indicate|show|saw"
    r"|seen|said)"
    r"|i (?:\w+ )?(?:mentioned|discussed|described) (?:earlier|above|before|in)\b)"
)


def is_essay(candidates: Candidates) -> bool:
    """Whether the text argues, as essays and treatises do, in paragraphs of several sentences."""
    num_paragraphs = max(1, int(candidates.opens_paragraph.sum()))
    if len(candidates) < _SENTENCES_OF_A_PARAGRAPH * num_paragraphs:
        return False
    texts = (f" {sentence.text.lower()}" for sentence in candidates.sentences)
    found = (True for text in texts if _ARGUMENT.search(text))
    # No further than where that is plain.
    return next(islice(found, int(_MUCH_ARGUED * len(candidates)), None), False)


def claim_values(candidates: Candidates, can_stand: BoolArray) -> FloatArray:
    """What each sentence counts for what it claims, and for closing the text, in standard deviations.

    Args:
        candidates: The sentences of a text that argues.
        can_stand: Which of them can be quoted alone; what closes the text is the paragraph of the last one.
    """
    found = np.array([_claimed(f" {sentence.text.lower()}") for sentence in candidates.sentences], float)
    last = int(np.max(np.flatnonzero(can_stand), initial=0))
    opens = np.flatnonzero(candidates.opens_paragraph[: last + 1])
    first = int(opens[-1]) if len(opens) else last
    found[first : last + 1] += _CLOSES
    return found


def _claimed(text: str) -> float:
    """What a lower-cased sentence after a space counts for what it claims."""
    sentence = text[1:]
    return (
        _OWN_VIEW * (_VIEW.search(text) is not None)
        + _POINT * (_POINTS.search(text) is not None)
        + _SUMS_UP * (_SUMS.match(sentence) is not None)
        + _OBLIGES * (_MUST.search(text) is not None)
        + _DEFINES * (_WHAT_IT_IS.match(sentence) is not None)
        + _DATED * (_DAY.search(text) is not None)
        + _NARRATES * (_PAST.search(text) is not None)
        + _ILLUSTRATES * (_BESIDE_THE_POINT.search(text) is not None)
    )
