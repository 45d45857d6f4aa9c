"""What speakers say that a reader of minutes wants to know: the agenda, findings, decisions, tasks.

Most of a conversation is not worth repeating. What is stands in long turns rather than short ones, is said
without stumbling, and often announces itself: "the purpose of this meeting", "we found out", "we agreed",
"you will work on".
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import SPEAKER
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

_AGENDA = regex(
    r"\b(?:agenda|(?:purpose|aim|goal|topic|subject|focus|point) of (?:this|the"
    r"|today['’]s) (?:meeting|project|session|bill|inquiry|committee)"
    r"|(?:this|today['’]s) (?:meeting|session)|we(?: are|['’]re) (?:here|going to (?:discuss"
    r"|talk about|design|make|look at|hear))"
    r"|(?:project|design|product|committee|bill|study|report|inquiry|programme|program) (?:is"
    r"|aims?|will|has) "
    r"|our (?:goal|aim|task|project|product|objective|proposal|budget|target)|i(?:['’]m"
    r"| am) (?:gonna|going to) (?:present|talk about|show))\b",
    re.IGNORECASE,
)
_FINDING = regex(
    r"\b(?:(?:we|i|they|people|users|he|she|study|survey|evidence|report|research"
    r"|results?) (?:\w+ )?(?:found|find|discovered|showed|shows?|learned"
    r"|noticed|prefer|want|like|need|suggests?)|findings?|percent|per cent|\d+ ?%|most (?:people"
    r"|users|of)|the (?:main|major|biggest|key|most important)"
    r" (?:thing|things|problem|issue|point|reason|concern|finding|requirement|feature|question"
    r"|challenge|difference)s?"
    r"|requirements?|results?|because of|the (?:problem|idea|question|issue) (?:is|was))\b",
    re.IGNORECASE,
)
_DECISION = regex(
    r"\b(?:we(?:['’]ve| have)? (?:\w+ )?(?:decided?|agreed?|chose|settled|concluded?"
    r"|recommend(?:ed)?|propose[ds]?)|decisions?|(?:so|then|okay) we(?:['’]ll| will| should| can"
    r"| are going to| use| have|['’]re)"
    r"|i (?:think|suggest|propose|would (?:suggest|propose)) (?:that )?(?:we|it|they) (?:should"
    r"|could|can|need|must|would)|we (?:should|will|must|need to|have to|are going to"
    r"|['’]re (?:gonna|going to))"
    r"|it (?:should|will|must|needs to|has to) (?:be|have)|(?:the|our) government (?:will|is|has)"
    r"|is going to be|final(?:ly)?|in favou?r|go for|go with|stick (?:to|with))\b",
    re.IGNORECASE,
)
_TASK = regex(
    r"\b(?:next (?:meeting|time|week|step|steps)|you(?:['’]ll| will| are going to|['’]re going to"
    r"| have to| should) (?:\w+ )?(?:work|look|do|prepare|design|make|present|write|send|talk)"
    r"|(?:i|we)(?:['’]ll| will) (?:\w+ )?(?:send|write|prepare|look into|come back|provide|report"
    r"|publish|follow up|work on)|action (?:points?|items?)|deadline|by (?:monday|tuesday"
    r"|wednesday|thursday|friday|next))\b",
    re.IGNORECASE,
)
_FILLER = regex(
    r"\b(?:u[hm]+|er+m?|eh|mm+|hmm+|ah|oh|yeah|okay|kay|yep|hm|you know|i mean|sort of|kind of"
    r"|like|basically|actually|i guess|or something|or whatever|and stuff|gonna|dunno|well)\b",
    re.IGNORECASE,
)
# "the the", "w we", "pro project": a word begun again; words that are whole begin others ("to today").
_STUMBLE = regex(
    r"(?<![\w'’])([\w'’]+(?: [\w'’]+)?),? \1(?![\w])"
    r"|(?<![\w'’])(?!(?:a|I|in|be|the|on|an|so|to|we|he|it|is|do|no|us|or|as|at|go|my|me|not|for|you|her"
    r"|any|all|some|over"
    r"|out|up|if|man|car|day|how|who|one|can|see|are|may|our|his|now|new|use|with|then|they|ever|every"
    r"|what|when|where|some"
    r"|under|after|any|in)\b)([a-z]{1,4}) (?=\2[a-z])"
    r"|(?<!\S)(?!a\b|I\b|i\b)[b-hj-z](?= )",
    re.IGNORECASE,
)
_POINTS = regex(
    r"(?:(?:yeah|yes|no|okay|so|and|but|well|or|because|'cause|cause|right|um|uh|oh|then|which"
    r"|also|i mean|you know|i think),? )*"
    r"(?:it|that|this|they|he|she|those|these|there|them|such|which|one of (?:them|these"
    r"|those))(?:['’]s|['’]re|['’]ll)?\b",
    re.IGNORECASE,
)
_CHATTER = regex(
    r"\b(?:i (?:do ?n['’]t|dunno) (?:know|think|remember|understand|see)|i(?:['’]m| am) not sure|what do you"
    r"|do(?:es)? (?:you|anybody|anyone)|(?:you|we) (?:want|wanna) to|how (?:do|about|are)|what (?:is|are|was)"
    r"|let me|let['’]s|i (?:wa|were|was) (?:told|going|gonna|wondering|thinking)|to be honest"
    r"|funny|joke|laugh"
    r"|lunch|coffee|standing orders?|senedd|broadcast|transcript|interpretation|apologies|substitut\w+"
    r"|declarations? of interest|housekeeping|fire alarm|quorum|adjourn\w*|minutes of the)\b",
    re.IGNORECASE,
)
# It breaks off, or begins in the middle.
_BROKEN = regex(
    r"(?:\b(?:and|or|but|so|the|a|an|of|to|with|that|yeah|okay|uh|um|like|know|because|is|are)[.,! -]*"
    r"|\.\.\.|-)$"
    r"|—\.?$|^—|^(?:thank|sorry|just|maybe)\b"
    r"|^(?:(?:so|and|but|well),? )*(?:what|which|how|whether|because|than|of)\b"
    r"|\bso (?:so|I should|we I)\b|\band So\b",
    re.IGNORECASE,
)
# In mid-sentence somebody begins again, or ends with an answer.
_BEGINS_AGAIN = regex(
    r"[a-z],? (?:Yeah|Yes|No|Yep|Okay|Um|Uh|Oh|Well|Alright|And|But|So)\b"
    r"|\b(?:yes|no|yep|nope|okay|right|[Ii]t['’]s|[Tt]hat['’]s|[Ii]['’]m|we['’]re)[.!]*$"
)
_THANKS = regex(
    r"\b(?:thank(?:s| you)|sorry|excuse me|good (?:morning|afternoon)|welcome|hello|hi everybody"
    r"|nice to|laptop|slide|powerpoint|mouse|click|cable|microphone|button here|screen"
    r"|move (?:on )?to|next question|over to you|i(?:['’]d| would) like to (?:ask|thank|move)"
    r"|can you hear|finally from me|if i may|the committee (?:will|would) (?:\w+ )?(?:want|like|wish)"
    r"|hon(?:ourable|\.)? (?:member|gentleman))\b",
    re.IGNORECASE,
)


# What a reader of minutes gives for each, in standard deviations of salience; no ROUGE score rewards them.
_WEIGHTS = {
    "turn": 0.8,
    "agenda": 0.6,
    "finding": 0.4,
    "decision": 0.5,
    "task": 0.3,
    "filler": -4.0,
    "stumble": -6.0,
    "points": -0.9,
    "thanks": -2.0,
    "brief": -1.5,
    "topical": 2.4,
    "chatter": -2.5,
}
# Terms that a conversation keeps coming back to, and how many of them make a sentence one about its subject.
_TOPICS, _MANY_TOPICS = 25, 4


def worth_noting(candidates: Candidates) -> FloatArray:
    """What each sentence is worth to a reader of minutes, in standard deviations of salience."""
    values = _features(candidates)
    worth: FloatArray = np.column_stack(list(values.values())) @ np.array([_WEIGHTS[name] for name in values])
    return worth


def is_whole(candidates: Candidates) -> BoolArray:
    """Which sentences neither break off nor begin again."""
    return np.array(
        [_BROKEN.search(text) is None and _BEGINS_AGAIN.search(text) is None for text in _bodies(candidates)],
        bool,
    )


def _bodies(candidates: Candidates) -> list[str]:
    """The sentences without the names of their speakers."""
    texts = [sentence.text for sentence in candidates.sentences]
    return [text[found.end() :] if (found := SPEAKER.match(text)) else text for text in texts]


def _features(candidates: Candidates) -> dict[str, FloatArray]:
    """What tells in talk, with one value per sentence, mostly between 0 and 1."""
    texts = [sentence.text for sentence in candidates.sentences]
    num_words = np.maximum(1, candidates.num_words)
    turn = np.cumsum(
        [
            bool(opens) and SPEAKER.match(text) is not None
            for opens, text in zip(candidates.opens_paragraph, texts, strict=True)
        ]
    )
    words_of_turn = np.bincount(turn, weights=candidates.num_words)[turn]
    said = _bodies(candidates)
    return {
        "turn": np.log1p(np.minimum(words_of_turn, 400)) / np.log1p(400),
        "agenda": _any(_AGENDA, said),
        "finding": _any(_FINDING, said),
        "decision": _any(_DECISION, said),
        "task": _any(_TASK, said),
        "filler": np.array([len(_FILLER.findall(text)) for text in said]) / num_words,
        "stumble": np.array([len(_STUMBLE.findall(text)) for text in said]) / num_words,
        "points": np.array([float(_POINTS.match(text) is not None) for text in said]),
        "thanks": _any(_THANKS, said),
        "brief": np.maximum(0, 12 - num_words) / 12,
        "topical": _topical(candidates),
        "chatter": _any(_CHATTER, said),
    }


def _topical(candidates: Candidates) -> FloatArray:
    """How many of the terms that the conversation keeps coming back to a sentence has, up to 1."""
    terms = candidates.terms
    is_topic = np.zeros(terms.num_terms)
    is_topic[np.argsort(-terms.frequency, kind="stable")[:_TOPICS]] = 1
    topical: FloatArray = np.minimum(1, terms.sum_rows(is_topic[terms.columns]) / _MANY_TOPICS)
    return topical


def _any(pattern: re.Pattern[str], texts: list[str]) -> FloatArray:
    return np.array([float(pattern.search(text) is not None) for text in texts])
