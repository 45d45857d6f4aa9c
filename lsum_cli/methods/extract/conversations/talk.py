"""What speakers say that a reader of minutes wants to know: the agenda, findings, decisions, tasks.

Most of a conversation is not worth repeating. What is stands in long turns rather than short ones, is said
without stumbling, and often announces itself: "the purpose of this meeting", "we found out", "we agreed",
"you will work on".
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import eq
from typing import NamedTuple

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.speech import ELLIPSIS, WORD, tidy
from lsum_cli.methods.extract.conversations.utterances import (
    SUBJECT_AGAIN,
    Turns,
    bodies,
    informative_terms,
    is_hearing,
    turns_of,
)
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray, IntArray

_AGENDA = regex(
    r"\W(?:agenda"
    r"|(?:purpose|aim|goal|topic|subject|focus|point) of (?:this|the|today['’]s) (?:meeting|project|session"
    r"|bill|inquiry|committee)"
    r"|(?:evidence|scrutiny) session|our (?:first|scrutiny|inquiry)|item \d+"
    r"|(?:this|today['’]s) (?:meeting|session)"
    r"|we(?: are|['’]re) (?:here|going to (?:discuss|talk about|design|make|look at|hear))"
    r"|(?:project|design|product|committee|bill|study|report|inquiry|programme|program) "
    r"(?:is|aims?|will|has) "
    r"|our (?:goal|aim|task|project|product|objective|proposal|budget|target)"
    r"|i(?:['’]m| am) (?:gonna|going to) (?:present|talk about|show))\b"
)
_FINDING = regex(
    r"\W(?:(?:we|i|they|people|users|he|she|study|survey|evidence|report|research|results?) (?:\w+ )?(?:found"
    r"|find|discovered|showed|shows?|learned|noticed|prefer|want|like|need|suggests?)"
    r"|findings?|percent|per cent|\d+ ?%|most (?:people|users|of)"
    r"|the (?:main|major|biggest|key|most important) (?:thing|things|problem|issue|point|reason|concern"
    r"|finding|requirement|feature|question|challenge|difference)s?"
    r"|requirements?|results?|because of"
    r"|the (?:problem|idea|question|issue) (?:is|was))\b"
)
_DECISION = regex(
    r"\W(?:we(?:['’]ve| have)? (?:\w+ )?(?:decided?|agreed?|chose|settled|concluded?"
    r"|recommend(?:ed)?|propose[ds]?)|decisions?|(?:so|then|okay) we(?:['’]ll| will| should| can"
    r"| are going to| use| have|['’]re)"
    r"|i (?:think|suggest|propose|would (?:suggest|propose)) (?:that )?(?:we|it|they) (?:should"
    r"|could|can|need|must|would)|we (?:should|will|must|need to|have to|are going to"
    r"|['’]re (?:gonna|going to))"
    r"|it (?:should|will|must|needs to|has to) (?:be|have)|(?:the|our) government (?:will|is|has)"
    r"|is going to be|final(?:ly)?|in favou?r|go for|go with|stick (?:to|with))\b"
)
_TASK = regex(
    r"\W(?:next (?:meeting|time|week|step|steps)|you(?:['’]ll| will| are going to|['’]re going to"
    r"| have to| should) (?:\w+ )?(?:work|look|do|prepare|design|make|present|write|send|talk)"
    r"|(?:i|we)(?:['’]ll| will) (?:\w+ )?(?:send|write|prepare|look into|come back|provide|report"
    r"|publish|follow up|work on)|action (?:points?|items?)|deadline|by (?:monday|tuesday"
    r"|wednesday|thursday|friday|next))\b"
)
_FILLER = regex(
    r"\W(?:u[hm]+|er+m?|eh|mm+|hmm+|ah|oh|yeah|okay|kay|yep|hm|you know|i mean|sort of|kind of"
    r"|like|basically|actually|i guess|or something|or whatever|and stuff|gonna|dunno|well)\b"
)
# "the the", "w we", "pro project": a word begun again; words that are whole begin others ("to today"). Of
# text in small letters.
_STUMBLE = regex(
    r"(?<![\w'’])([\w'’]++(?: [\w'’]++)?),? \1(?![\w])"
    r"|(?<![\w'’])(?!(?:a|i|in|be|the|on|an|so|to|we|he|it|is|do|no|us|or|as|at|go|my|me|not|for|you|her|any"
    r"|all|some|over|out|up|if|man|car|day|how|who|one|can|see|are|may|our|his|now|new|use|with|then|they"
    r"|ever|every|what|when|where|some|under|after|any|in)\b)([a-z]{1,4}) (?=\2[a-z])"
    r"|(?<!\S)[b-hj-z](?= )"
)
_LONE_LETTERS = frozenset("bcdefghjklmnopqrstuvwxyz")
_POINTS = regex(
    r"(?:(?:yeah|yes|no|okay|so|and|but|well|or|because|'cause|cause|right|um|uh|oh|then|which|also"
    r"|i mean|you know|i think),? )*(?:it|that|this|they|he|she|those|these|there|them|such|which"
    r"|one of (?:them|these|those))(?:['’]s|['’]re|['’]ll)?\b"
)
_CHATTER = regex(
    r"\W(?:i (?:do ?n['’]t|dunno) (?:know|think|remember|understand|see)|i(?:['’]m| am) not sure|what do you"
    r"|do(?:es)? (?:you|anybody|anyone)|(?:you|we) (?:want|wanna) to|how (?:do|about|are)|what (?:is|are|was)"
    r"|let me|let['’]s|i (?:wa|were|was) (?:told|going|gonna|wondering|thinking)|to be honest"
    r"|funny|joke|laugh"
    r"|lunch|coffee|standing orders?|senedd|broadcast|transcript|interpretation|apologies|substitut\w+"
    r"|declarations? of interest|housekeeping|fire alarm|quorum|adjourn\w*|minutes of the)\b"
)
_THANKS = regex(
    r"\W(?:thank(?:s| you)|sorry|excuse me|good (?:morning|afternoon)|welcome|hello|hi everybody"
    r"|nice to|laptop|slide|powerpoint|mouse|click|cable|microphone|button here|screen"
    r"|move (?:on )?to|next question|over to you|i(?:['’]d| would) like to (?:ask|thank|move)"
    r"|can you hear|finally from me|if i may|the committee (?:will|would) (?:\w+ )?(?:want|like|wish)"
    r"|hon(?:ourable|\.)? (?:member|gentleman))\b"
)


# What a meeting settles, in so many words: "we agreed", "let's go with", "so it'll be", "go for".
_SETTLED = regex(
    r"\W(?:we(?:['’]ve| have| had)? (?:all |both |already |basically |sort of |kind of |kinda |sorta )?"
    r"(?:decided?|agreed?|settled|concluded?|chose|picked|resolved|approved?)"
    r"|(?:let['’]s|we(?:['’]ll| will| shall)?(?: just)?|we['’]re (?:gonna|going to)|i(?:['’]m| am) going to"
    r"|to) (?:go (?:for|with|ahead)|stick (?:to|with)|leave it|keep (?:it|the|that)|drop|skip|scrap|put|use"
    r"|have|take|start|launch|sell|make)"
    r"|(?:everyone|everybody|all) (?:agrees?|agreed|happy)"
    r"|(?:is|are) (?:agreed|approved|settled|decided)"
    r"|motion (?:is )?(?:carried|agreed)"
    r"|(?:the )?(?:decision|conclusion|consensus|commitment|plan) (?:is|was)"
    r"|in favou?r of|agreed (?:that|to|on|upon)"
    r"|(?:within|under|over|on) (?:the )?budget)\b"
)
_SUGGESTS = regex(
    r"\W(?:(?:i|we) (?:would |['’]d )?(?:suggest|propose|recommend|vote for|prefer)"
    r"|(?:i|we) think (?:that )?(?:we|it|you|they|the|this|that)"
    r"|(?:we|it|they|you|one) (?:should|could|must|ought to|need(?:s)? to|ha(?:s|ve) to)"
    r"|why don['’]t we|how about|what about|what if|maybe (?:we|it|you)"
    r"|my (?:feeling|view|opinion|idea|suggestion|proposal|preference)"
    r"|i(?:['’]d| would) (?:say|like|rather|argue)"
    r"|the idea)\b"
)
_RECAPS = regex(
    r"\W(?:(?:to )?(?:summari[sz]e|sum up|recap|wrap up|conclude)"
    r"|in (?:summary|conclusion|short|the end)"
    r"|overall|so far"
    r"|(?:what )?we(?:['’]ve| have) (?:got|talked|discussed|said|decided|seen|done|evaluated|identified)"
    r"|last (?:time|meeting|week)|minutes"
    r"|we (?:talked|discussed|said|looked))\b"
)
_ASSIGNS = regex(
    r"\W(?:you (?:two |guys |both |all )?(?:will|['’]ll|can|should|have to|need to|are going to"
    r"|['’]re (?:gonna|going to))"
    r"|(?:designer|expert|manager|marketing|minister|team|group|committee|department|officials?) (?:will"
    r"|should|can|is going to|has to|gonna)"
    r"|(?:i|we)(?:['’]ll| will| shall) (?:look into|find out|send|write|check|ask|prepare|bring|provide"
    r"|follow|investigate|get back|consider|publish|report|come back)"
    r"|next (?:meeting|step|week|month|stage|phase)"
    r"|before the next|by then|until then|work(?:ing)? on)\b"
)
_AGREES = regex(
    r"(?:[^\w]*(?:um|uh|mm|oh|well|so|and|yeah|yes),?\s*)*(?:yeah|yep|yes|okay|right|sure|agreed|exactly"
    r"|absolutely|true|good|great|fine|perfect|definitely|cool|i agree"
    r"|that['’]s (?:right|true|fine|good|a good)"
    r"|sounds good|i think so|of course|mm-hmm|alright)\b",
    re.IGNORECASE,
)
_AMOUNT = regex(
    r"\d|[$€£%]"
    r"|\W(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|percent|per cent|half|euros?|dollars?"
    r"|pounds?)\b"
)
_OF_THE_SESSION = regex(
    r"\W(?:presentation|minutes|slide|agenda|draw|whiteboard|laptop|folder|spreadsheet|questionnaire|meeting"
    r"|discuss|talk about|look at|show you|next item|start with|move on|come back to|question)\w*\b"
)
_NARRATES = regex(r"\W(?:i|we|he|she|they|it) (?:was|were|had|did|said|told|went|got|thought|saw|came)\b")
# What somebody holds who is asked for it.
_CLAIMS = regex(
    r"\W(?:i (?:do )?(?:think|believe|feel|would say)"
    r"|(?:my|our) (?:sense|view|understanding|advice|expectation|conclusion)"
    r"|we (?:need|want|have|believe|expect|know|will|are)|there (?:is|are|will|needs)|it is|is that)\b"
)
# A word broken off, or a sentence begun again, that an editor leaves in.
_FALSE_START = regex(
    r"\b(?:i|we|it|they|you|he|she|that|this|the|a)(?:['’]\w+)? (?:i|we|it['’]s|they|you['’]re|he|she"
    r"|that['’]s|the|a)\b"
    r"|\b(?:is is|the (?:is|are|was|and|it|we|i)|a (?:is|the|we|it)|to (?:is|we|i|the the)|of (?:is|we|i))\b"
    r"|,? (?<!^ )(?:yeah|no|okay|well),? "
)
_COMES_AGAIN = 3  # times
_FEWEST_WORDS = 4  # by which something is counted
# The first letter of a word, but for "I", that does not open the sentence.
_INITIAL = regex(r"(?<= )[^\W\d_](?<!I)")
_FOLLOWING = 3  # turns in which others agree
# What somebody says to whom, and what names nothing; each counted by the words of the sentence.
_SPEAKS_OF_MYSELF = regex(r"\W(?:i|i['’](?:m|ve|ll|d)|my|me)\b")
_SPEAKS_TO_YOU = regex(r"\W(?:you|your|you['’]\w+)\b")
_SPEAKS_OF_US = regex(r"\W(?:we|our|us|we['’]\w+)\b")
_NAMES_NOTHING = regex(
    r"\W(?:it|this|these|those|they|them|here|there|ones?|things?|stuff|something|anything|he|she|him|her)\b"
    r"|\Wthat\b(?=['’]|\s+(?:is|was|will|would|can|could|one|way|thing|stuff)|[.,;!?…]|$)"
)
_POINTS_WITHIN = regex(
    r"\W(?:do|did|does|doing|done|have|had|has|want|need|see|get|got|use|make|take|put|give|with|of|for|about"
    r"|to|on|in|at|like|know|say|said|find|try|keep|call|called|change) (?:it|that|this|them|those|these)\b"
)
_HEDGES = regex(
    r"\W(?:(?:sort|kind) of|kinda|sorta|maybe|probably|perhaps|i (?:guess|think|mean)|you know|like|just"
    r"|really|actually|basically|or (?:something|whatever)|somehow|i dunno|pretty)\b"
)
# What a sentence says: what is to be, what is settled, of whom, how much it matters, why, on what condition.
_SAYS: dict[str, re.Pattern[str]] = {
    "obliges": regex(r"\W(?:should|must|(?:needs?|ha(?:s|ve|d)|ought) to)\b"),
    "resolves": regex(
        r"\W(?:decided|agreed|decision|settled|chose|chosen|going (?:to|with|for)|go (?:with|for)|gonna"
        r"|will be)\b"
    ),
    "of_people": regex(
        r"\W(?:people|users?|customers?|consumers?|audience|market|company|public|participants?|subjects?"
        r"|children|parents|everyone)\b"
    ),
    "weighs": regex(
        r"\W(?:important|importance|key|main|most|crucial|essential|priority|aim|goal|target|purpose|focus"
        r"|requirement|problem|issue|concern|advantage|disadvantage|reason|conclusion|result)s?\b"
    ),
    "reasons": regex(r"\W(?:because|since|so that|therefore|in order to|(?:which|that) means|due to)\b"),
    "supposes": regex(r"\W(?:if|unless)\b"),
    "denies": regex(r"\W(?:not|no|never|without|nothing)\b|n['’]t\b"),
    "foresees": regex(r"\W(?:will|would)\b|['’](?:ll|d)\b"),
    "recounts": regex(
        r"\W(?:was|were|had|did|went|got|said|told|came|saw|thought|worked|talked|looked|tried)\b"
    ),
    "of_time": regex(
        r"\W(?:minutes?|meeting|today|tomorrow|week|(?:mon|tues|wednes|thurs|fri)day|lunch|morning|hours?"
        r"|now)\b"
    ),
    # What is to be found out or decided says nothing yet.
    "deliberates": regex(
        r"\W(?:have|need|want|going|should|gotta|must) (?:to )?(?:\w+ )?(?:decide|find out|figure|see|know"
        r"|talk|discuss|look|think|make a decision|take (?:some|a) decision)\b"
        r"|\Wif (?:it['’]s|it is|that['’]s) (?:\w+ )?(?:possible|okay|good|true|better)\b"
    ),
    "scores": regex(
        r"\W(?:give it|i['’]d say (?:a |one|two|three|four|five|six|seven)"
        r"|a (?:one|two|three|four|five|six|seven)|rank|rate)\b"
    ),
}
_OPENS_WITH: dict[str, re.Pattern[str]] = {
    "goes_on": regex(
        r"(?:but|then|or|['’]?cause|because|also|first|second|third|of course|maybe|except|whereas"
        r"|otherwise)\b"
    ),
    "of_it": regex(r"(?:it|that|this|they|those|these|he|she|there|which)\b"),
}
# Above these, more terms that tell and more of them that the question has tell no more.
_MANY_TERMS, _MANY_OF_THE_QUESTION = 15, 4

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


def minute_scores(candidates: Candidates) -> FloatArray:
    """What each sentence adds to its score for readers of minutes, in standard deviations of salience."""
    values = _features(candidates)
    added: FloatArray = np.column_stack(list(values.values())) @ np.array([_WEIGHTS[name] for name in values])
    return added


def talk_features(candidates: Candidates) -> dict[str, FloatArray]:
    """What tells a reader of minutes what is worth quoting, for the ranker; mostly between 0 and 1.

    What a sentence does (settles, suggests, assigns, sums up), who says it (who opens the meeting leads it),
    where in the turn it stands, whether others agree, and how clearly it is said.
    """
    said = bodies(candidates)
    clean = [tidy(text) for text in said]
    lowered = _Lowered.of(clean)
    words = np.array([len(text.split()) for text in clean], float)
    turns = turns_of(candidates)
    spoken = np.bincount(turns.speaker, weights=candidates.num_words)
    place = (np.cumsum(words) - words) / max(1.0, float(words.sum()))
    settled, assigns, recaps = lowered.have(_SETTLED), lowered.have(_ASSIGNS), lowered.have(_RECAPS)
    agreed = _agreed(turns, said)
    values = {
        **{name: value for name, value in _features(candidates).items() if name not in ("points", "brief")},
        **(
            _answering(candidates, turns, said)
            if is_hearing(candidates)
            else _wording(clean, lowered) | _telling(candidates, words)
        ),
        "settled": settled,
        "settled_late": settled * (place > 0.6),
        "settled_agreed": settled * agreed,
        "suggests": lowered.have(_SUGGESTS),
        "assigns": assigns,
        "assigns_late": assigns * (place > 0.8),
        "recaps": recaps,
        "recaps_late": recaps * (place > 0.8),
        "agenda_early": lowered.have(_AGENDA) * (place < 0.1),
        "agreed": agreed,
        "amount": lowered.have(_AMOUNT),
        "of_the_session": lowered.have(_OF_THE_SESSION),
        "narrates": lowered.have(_NARRATES),
        "false_start": np.minimum(1, lowered.times(_FALSE_START) / 2),
        "points_back": lowered.begin(_POINTS, 1 + 60),
        "leads": (turns.speaker == turns.speaker[0]).astype(float),
        "share_of_speaker": spoken[turns.speaker] / max(1.0, float(spoken.sum())),
        "opens_turn": turns.at == 0,
        "second_of_turn": turns.at == 1,
        "long_turn": turns.words > 60,
        "very_long_turn": turns.words > 200,
        "short_turn": turns.words < 20,
        "few_words": words < 7,
        "some_words": (words >= 7) & (words < 11),
        "good_length": (words >= 11) & (words <= 26),
        "many_words": words > 34,
        "shortened": 1 - words / np.maximum(1, [len(text.split()) for text in said]),
        "unstopped": np.array([text.endswith(ELLIPSIS) for text in clean], float),
        "content": candidates.terms.sum_rows(np.ones(len(candidates.terms.columns))) / np.maximum(1, words),
        "early_words": words * (place < 0.05) / 30,
        "close": (place > 0.93).astype(float),
    }
    return {f"talk_{name}": np.asarray(value, float) for name, value in values.items()}


def _wording(clean: Sequence[str], lowered: _Lowered) -> dict[str, FloatArray]:
    """What the words of sentences of a meeting say, and to whom; as they are quoted, and in small letters."""
    words = np.maximum(_FEWEST_WORDS, lowered.times(WORD))
    unnamed = lowered.times(_NAMES_NOTHING)
    capitals = np.array([sum(map(str.isupper, _INITIAL.findall(text))) for text in clean], float)
    return {
        **{name: lowered.have(pattern) for name, pattern in _SAYS.items()},
        **{name: lowered.begin(pattern) for name, pattern in _OPENS_WITH.items()},
        "of_myself": 8 * lowered.times(_SPEAKS_OF_MYSELF) / words,
        "to_you": 8 * lowered.times(_SPEAKS_TO_YOU) / words,
        "of_us": 8 * lowered.times(_SPEAKS_OF_US) / words,
        "capitals": 4 * capitals / words,
        "unnamed": np.minimum(2, unnamed),
        "unnamed_rate": 5 * unnamed / words,
        "points_within": np.minimum(2, lowered.times(_POINTS_WITHIN)),
        "hedges": 5 * lowered.times(_HEDGES) / words,
        "begins_again": 8 * lowered.times(SUBJECT_AGAIN) / words,
    }


def _telling(candidates: Candidates, words: FloatArray) -> dict[str, FloatArray]:
    """How many terms that say what it is about, and come again, each sentence has for its words, or none."""
    terms = candidates.terms
    tells = informative_terms(candidates) & (terms.frequency >= _COMES_AGAIN)
    counts = terms.sum_rows(tells[terms.columns].astype(float))
    return {"tells_rate": 6 * counts / np.maximum(_FEWEST_WORDS, words), "tells_nothing": counts == 0}


def _answering(candidates: Candidates, turns: Turns, said: Sequence[str]) -> dict[str, FloatArray]:
    """What tells among long answers: whether a sentence asks or replies, claims, and tells what was asked."""
    num_turns = int(turns.turn[-1]) + 1
    asks, speaker = np.zeros(num_turns), np.zeros(num_turns, np.int64)
    asks[turns.turn[[text.rstrip().endswith("?") for text in said]]] = 1
    speaker[turns.turn] = turns.speaker
    asked = np.bincount(speaker, weights=asks) / np.maximum(1, np.bincount(speaker))
    is_asked = np.where(turns.turn > 0, asks[turns.turn - 1], 0)
    terms = candidates.terms
    tells = informative_terms(candidates)[terms.columns].astype(float)
    turn = turns.turn[terms.row_of_entry]
    of_question = turn * terms.num_terms + terms.columns
    repeats = np.isin(of_question - terms.num_terms, of_question[(asks[turn] > 0) & (tells > 0)]) * tells
    return {
        "claims": _Lowered.of(said).times(_CLAIMS) / 2,
        "asks": asks[turns.turn],
        "asker": asked[turns.speaker],
        "reply": is_asked * (1 - asks[turns.turn]),
        "tells": np.minimum(1, terms.sum_rows(tells) / _MANY_TERMS),
        "of_the_question": np.minimum(1, terms.sum_rows(repeats) / _MANY_OF_THE_QUESTION),
    }


def _agreed(turns: Turns, said: Sequence[str]) -> FloatArray:
    """The share of the next turns of others that begin by agreeing."""
    agrees = np.zeros(int(turns.turn.max()) + 2)
    for number in np.flatnonzero(turns.at == 0).tolist():
        agrees[turns.turn[number]] = _AGREES.match(said[number]) is not None
    total = np.concatenate(([0.0], np.cumsum(agrees)))
    last = np.minimum(turns.turn + _FOLLOWING, int(turns.turn.max()))
    share: FloatArray = (total[last + 1] - total[turns.turn + 1]) / _FOLLOWING
    return share


@lru_cache(maxsize=1)
def _features(candidates: Candidates) -> dict[str, FloatArray]:
    """What tells in talk, with one value per sentence, mostly between 0 and 1."""
    num_words = np.maximum(1, candidates.num_words)
    words_of_turn = turns_of(candidates).words
    said = bodies(candidates)
    lowered = _Lowered.of(said)
    return {
        "turn": np.log1p(np.minimum(words_of_turn, 400)) / np.log1p(400),
        "agenda": lowered.have(_AGENDA),
        "finding": lowered.have(_FINDING),
        "decision": lowered.have(_DECISION),
        "task": lowered.have(_TASK),
        "filler": lowered.times(_FILLER) / num_words,
        "stumble": lowered.spread(map(_count_disfluencies, lowered.distinct)) / num_words,
        "points": lowered.begin(_POINTS),
        "thanks": lowered.have(_THANKS),
        "brief": np.maximum(0, 12 - num_words) / 12,
        "topical": _topical(candidates),
        "chatter": lowered.have(_CHATTER),
    }


def _topical(candidates: Candidates) -> FloatArray:
    """How many of the terms that the conversation keeps coming back to a sentence has, up to 1."""
    terms = candidates.terms
    is_topic = np.zeros(terms.num_terms)
    is_topic[np.argsort(-terms.frequency, kind="stable")[:_TOPICS]] = 1
    topical: FloatArray = np.minimum(1, terms.sum_rows(is_topic[terms.columns]) / _MANY_TOPICS)
    return topical


def _count_disfluencies(lowered: str) -> int:
    """How many disfluencies (words said twice, broken off, begun again) a turn has; most have none."""
    words = WORD.findall(lowered)
    may_stumble = (
        any(map(str.startswith, words[1:], words))
        or any(map(eq, words, words[2:]))
        or not _LONE_LETTERS.isdisjoint(words)
    )
    return len(_STUMBLE.findall(lowered)) if may_stumble else 0


class _Lowered(NamedTuple):
    """Texts in small letters, for a pattern that ignores case takes three times as long.

    Attributes:
        distinct: The different ones, since "Yeah." is said again and again; each after a space, so that a
            pattern may begin with what stands before a word and is tried only there.
        number: For each text which of these it is.
    """

    distinct: Sequence[str]
    number: IntArray

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Lowered:
        numbers: dict[str, int] = {}
        number = [numbers.setdefault(f" {text.lower()}", len(numbers)) for text in texts]
        return cls(list(numbers), np.array(number, np.int64))

    def times(self, pattern: re.Pattern[str]) -> FloatArray:
        """How often each text has it."""
        return self.spread(map(len, map(pattern.findall, self.distinct)))

    def have(self, pattern: re.Pattern[str]) -> FloatArray:
        """Which of the texts have it."""
        return self.spread(map(bool, map(pattern.search, self.distinct)))

    def begin(self, pattern: re.Pattern[str], end: int = sys.maxsize) -> FloatArray:
        """Which of the texts, up to this character, begin with it."""
        return self.spread(pattern.match(text, 1, end) is not None for text in self.distinct)

    def spread(self, values: Iterable[float]) -> FloatArray:
        """The value of each text, of those of the different ones."""
        return np.array(list(values), float)[self.number]
