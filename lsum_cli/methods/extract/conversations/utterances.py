"""Which sentences of a conversation can be quoted: alone, after what is said before them, or not at all.

Who was not there understands a sentence that names what it speaks of and is said to its end. Much of talk
does neither: speakers begin again, point at slides, count, and say "that one". What needs the sentence
before it, or the question to which it replies, is quoted with that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.clauses import lacks_main_clause
from lsum_cli.methods.extract.conversations.framing import outcomes, purposes
from lsum_cli.methods.extract.conversations.lapses import lapses, names_nobody
from lsum_cli.methods.extract.conversations.soundness import (
    BEGUN_TWICE,
    FRAGMENT,
    begins_again,
    has_piece,
    is_begun_anew,
)
from lsum_cli.methods.extract.conversations.speech import ELLIPSIS, WORD, tidy
from lsum_cli.methods.extract.conversations.topics import is_of_any_meeting
from lsum_cli.methods.extract.conversations.wholeness import (
    is_broken,
    only_supposes,
    says_so_again,
)
from lsum_cli.methods.extract.kinds import speaker_of
from lsum_cli.text.keywords import is_general_word
from lsum_cli.text.patterns import NUMBER_WORDS, TEENS, regex, word_pattern
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, is_function_word
from lsum_cli.text.verbs import AUXILIARIES, VERBS

# In few words nothing is said that a reader understands alone: "We'll see.", "We have …".
_FEWEST_WORDS = 7
# "This is our conceptual design meeting."
_FEWEST_OF_A_FRAME = 6
# It is about the sitting and its time, not about what is talked about.
_SOME_MINUTES = (
    r"(?:(?:about|another|like|only|some|just) )*"
    r"(?:a few|some|\d+|\w+ty(?:[- ]five)?|two|three|four|five|ten|fifteen) (?:more )?minutes"
)
_OF_THE_SITTING = word_pattern(
    r"(?:minutes? (?:left|to go|to finish|before we|until we|warning)|(?:couple|few) (?:of )?minutes"
    rf"|(?:we|i|you)(?:['’]ve)? (?:(?:still|only|just|kind of|have|had|got|get|gotta) )*{_SOME_MINUTES}"
    r"|we(?:['’]re| are) (?:\w+ )?(?:over|out of|running out of|short (?:on|of)) time"
    r"|wrap(?:ping)? (?:(?:it|this|things) )?up|to a close|(?:close|finish|end) (?:the|this) meetings?"
    r"|wait a (?:minute|moment|second)|(?:hang|hold) on|why don['’]t you"
    r"|(?:now|will) (?:proceed to (?:(?:an?|the|our|this) )?(?:questions?|present\w*|petitions?|statements?"
    r"|votes?|voting|items?|agenda|next)"
    r"|pause for)|our (?:first|next) (?:statement|question|speaker)(?! (?:is|was) (?:if|how|wh\w+)\b)"
    r"|first presenter|the (?:word|floor) to you"
    r"|end of (?:the|this|our) (?:meeting|discussion)|turn (?:it|this|that|the \w+) off"
    r"|turn off the (?:machine|recorder|microphones?|mikes?)|questionnaires?"
    r"|(?:read|do|reading|doing) (?:the |our |some )?digits|\w+ minutes (?:per|each|for each)"
    r"|(?:we(?:['’]re| are| will| shall)|to) (?:going to )?have (?:an?|our|the) (?:\w+ )?meeting"
    r"|see you (?:in|at|then|next|later)"
    r"|(?:after|for|to|have) lunch|coffee break|papers? to note|private session|go into private"
    r"|next meeting (?:is|will|starts|begins)|agenda|slides?|powerpoint|laptop|white[- ]?board"
    r"|(?:pen|line)[- ]widths?|pen format|(?:your|electronic|special) pens?|eraser|new blanks?"
    r"|(?:my|your|the) presentation|(?:shared|project) (?:folder|documents)|move on to|unmute"
    r"|\d+ seconds|point of order|question \d+|questions? (?:now )?from \w+"
    r"|(?:madam|mr\.?) (?:chair|speaker),? (?:i|we) (?:would|will|want))\b"
)
# Where people work something out it is about what they are going to do there: "we have to decide on …", or
# what they were asked, looked at or sent, and not what that tells.
_ANNOUNCES = word_pattern(
    r"(?:we(?:['’]ve|['’]re)? (?=(?:just|still|first|now|all|also|really|actually|probably"
    r"|only|must|should|can|will|have|need|want|wanna|got|gotta|are|going|gonna|to|then)\b)|we['’]ll )"
    r"(?:(?:just|still|first|now|all|also|really|actually|probably"
    r"|only|must|should|can|will|have|need|want|wanna|got|gotta|are|going|gonna|to|then) )*"
    r"(?:decide|discuss|talk about|evaluate|agree on|figure|find out|look at|think about|calculate"
    r"|go (?:through|around|over (?:\w+ ){0,2}(?:agenda|minutes|slides?|notes))|know (?:if|whether)"
    r"|(?:make|take) (?:the|an?|some|our) (?:\w+ )?decisions?)\b"
    r"|i(?:['’]ll|['’]m|['’]d)? (?:(?:just|first|now|also|basically|will|want|would|like|am|going|gonna"
    r"|to) )+"
    r"(?:present|show you|talk about|tell you|go (?:through|over)|run through|summari[sz]e)\b"
    r"|we (?:\w+ )?asked (?:\w+ ){0,3}(?:what|which|whether|if|how|about)\b(?!.*\b(?:and|but|said)\b)"
    r"|you (?:\w+ )?(?:will|are going to|can) (?:present|start|begin|show)\b|now is the time to\b"
    r"|(?:have|need) to explain\b|let me (?:\w+ )?(?:summari[sz]e|explain|recap|start|begin|introduce"
    r"|present|show|tell you|say a few|describe)\b"
    r"|we (?:(?:should|must|can|could|need to|have to|might|wanted to|want to) )(?:\w+ )?(?:talk|speak) "
    r"(?:(?:a (?:little|bit|little bit)|more|some|briefly) )*about\b"
    r"|my (?:job|task|role) is\b|my name(?:['’]s| is)\b"
    r"|i (?:(?:just|also|only) )?(?:want|wanted|wanna|would like|['’]d like)(?: to)? (?:explain"
    r"|comment|mention|say|point out|add|ask|show|review|make a)\b"
    r"|(?:we|i)(?:['’]ve)? (?:\w+ )?(?:made|have|had|got) (?:some|a few) (?:\w+ )?ideas?\b"
    r"|i(?:['’]ll| will) invite\b|i (?:\w+ )?(?:prepared?|wrote down) (?:an?|the|some)\b"
    r"|(?:meet again|smart ?boards?)\b"
    r"|suggest (?:that )?we (?:think|talk|discuss|look|see|start)\b|(?:some|an?|the) discussion about\b"
    r"|we(?:['’]ll|['’]re)? (?:(?:will|have|need|to|are) )+see (?:what|how|if|whether)\b"
    r"|i(?:['’]ve)? (?:\w+ )?(?:got|received|looked at|have|had) (?:an?|the|some) (?:\w+ )?"
    r"(?:e-?mails?|reports?|information|(?:excel|spread) ?sheets?)\b(?!.*\b(?:that|say(?:s|ing)|said)\b)"
)
# A pronoun said again soon after, as by who begins a clause again: "I want what I'd like".
SUBJECT_AGAIN = regex(r"\b(i|we|you|they|it)(?:['’]\w+)? (?:\w+ ){1,3}\1(?:['’]\w+)? ")
# What can be seen where it is said, or was named in what is not quoted.
_POINTS_AT = regex(
    r"\b(?:th(?:is|at) (?:one|way|thing|stuff)|(?:these|those|the (?:other|first|last|same)|another)"
    r" (?:ones?|things?|stuff|guys?|two|three)|like (?:this|that|so|these|those)"
    r"|(?:over|right|down|up|in|on) (?:here|there)|here(?: is|['’]s| (?:we|you) (?:have|see|are))"
    r"|as you (?:can )?see"
    r"|you (?:can )?see (?:here|it|that|this|there|the)|(?:left|right)[- ]hand side"
    r"|th(?:is|at) (?:size|side|chair)"
    r"|this (?:slide|page|screen|diagram|graph|figure|table|column|row|line|picture|sheet)"
    r"|the (?:first|second|third|last|next|other|top|bottom) (?:\w+ )?(?:rows?|columns?|lines?|curves?)"
    r"|or (?:something|whatever|anything)|and (?:stuff|everything|whatever)"
    r"|(?:that|this|these|those|such) (?:sort|kind) of (?:thing|stuff)"
    r"|(?:both|all|most|many|one|some|none|either|an? \w+) of (?:them|these|those))\b"
)
_VAGUE = regex(
    r"\b(?:things?|stuff|something|anything|somewhere|whatever|somehow|ones|guys|somebody|someone)\b"
)
_MOST_VAGUE = 1
# It tells of who speaks, and not of what is talked about.
_OF_ONESELF = regex(
    r"\bmy (?:own |best )?(?:favou?rite|friends?|parents?|mother|father|mum|mom|dad|wife|husband|brother"
    r"|sister|dog|cat|house)\b|\bwhen i was\b|\bi used to\b|\bi(?:['’]m| am) allergic\b"
)
# It answers what is not quoted; it says what would be as an example.
_REPLIES = regex(
    r"(?:no|yes|yep|nope), |no (?:no|maybe|i|we|you|it|that|the|but)\b|say, "
    r"|(?:say|imagine|suppose|here),? (?:you|we|i|that)\b"
)
_SUBJECTS = frozenset(("i", "we", "you", "they", "he", "she", "it", "there", "who"))
_CONTRACTED = regex(r"['’](?:s|re|ll|ve|d|m)$")
_MANY_COMMAS, _OF_A_REPLY, _OF_NO_SUBJECT, _OF_A_LIFE = 2, 0.6, 0.8, 0.8
# What somebody only thinks to remember, or does not know.
_RECALLS = regex(
    r"\b(?:(?:might|may|must|could) have (?:been|had|done|said)|if i (?:remember|recall)"
    r"|i (?:do ?n['’]t |can ?n?['’]t )?(?:quite )?(?:remember|recall)"
    r"|i(?:['’]m| am) not (?:\w+ )?sure|i (?:do ?n['’]t (?:\w+ )?know|dunno)\b"
    r"|i (?:think|guess|believe) we (?:got|had|did|tried|said|found|saw|used to))\b"
)
# Each of them has one of these.
_WORDS_OF_A_PROMISE = (
    *("continu", " keep", "working", "look", "committed", "proud", "pleased", "delighted", "grateful"),
)
# What everybody promises who answers for something; with a number it is a promise of its own.
_PROMISES = regex(
    r"\b(?:(?:will|['’]ll|are going to|going to) (?:(?:always|also|of course) )?(?:continue|keep)\b"
    r"|(?:continue|continues|continuing) to (?:work|support|look|make|do|ensure|engage|monitor)\b"
    r"|(?:been|are|['’]re|is) working (?:(?:very|extremely|really) )?(?:closely|hard|tirelessly|diligently)"
    r"|(?:look(?:ing)? forward|committed) to\b"
    r"|(?:am|are|['’]m|['’]re) (?:(?:very|so|extremely|really|also) )*(?:proud|pleased|delighted|grateful)\b)"
    r"(?!.*(?<![\w-])\d)"
)
_COUNTS = word_pattern(
    rf"(?:(?:zero|{NUMBER_WORDS}|{TEENS}|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|\d+(?:\.\d+)?)\b(?:,|\.| -| and| or| to| point| by)? ?){4}"
)
# Of these a reader must know what was said before.
_NO_NOUN = (
    r"(?=\s*(?:[.;:!?…]|,? (?:is|are|was|were|will|would|can|could|has|have|had|do|does|did|and|or|but|so|if"
    r"|because|then|too|also|as|for|in|on|at|to|with|of|from|by|about|into|though|again|yet|just|really"
    r"|actually|probably|basically|i|we|you|they|he|she|it|right|now|there|here|up|out|all|being|might|may"
    r"|should|must|seems?|means?|makes?|looks?|gets?|goes|works?|comes?|gives?|allows?)\b)|['’](?:s|ll|d"
    r"|re)\b)"
)
_THIS = regex(rf"\bth(?:is|ese|ose)\b{_NO_NOUN}")
_LIKE_THIS = ("this", "these", "those")
_THAT = word_pattern(
    r"(?:(?<=^ )|(?:do|did|does|doing|done|like|of|about|for|with|to|on|in|at|from|by|into|and|but|so|if"
    r"|because|was|be|have|had|has|want|need|see|get|use|make|take|put|after|before|all|than|as|or|when|that"
    r"|yeah|yes|no|well|okay|right) )"
    r"that(?= (?:is|was|will|would|can|could|has|had|might|should|must|in|on|at|for|to|with|as|or|and|but|too"
    r"|then|also|up|out|down|just|really|actually|means?|makes?|one)\b|['’](?:s|d|ll)\b|\s*[,.;:!?…]|\s*$)"
    r"|(?:(?<=^ )|(?<=[,;:.!?—] )|(?:and|but|so|if|because|when|then|think|guess|mean|know|yeah|yes|no|well"
    r"|okay|basically|actually|maybe|probably|now|say|said|or|also) )"
    r"that(?=['’]s| (?:is|was|will|would) (?:\w+ly |also |just |not )?(?:an?|the|what|why|how|where|when"
    r"|something|one|my|our|because|very|really|good|fine|great|nice|right|true|important|interesting|it)\b)"
    # "After today, that shouldn't come up."
    r"|(?:(?<=^ )|(?<=[,;:.!?—] ))that(?= (?:should|could|can|might|must|would|will|is|was|does|did)n['’]t\b)"
)
_BEFORE_A_PRONOUN = (
    r"(?:\W*(?:and|but|so|or|because|then|if|when|well|yeah|no|yes|okay|now|also|i think|i think that|i guess"
    r"|i mean|maybe|like|oh|since|as|i said|of course|actually|basically|again|first of all)[, ]+)*"
)
_THEY = regex(rf"{_BEFORE_A_PRONOUN}(?:they|he|she|them|him|his|her|their|theirs)\b")
# "It is important to …" points at nothing before.
_IT = regex(
    rf"{_BEFORE_A_PRONOUN}it\b(?!['’]?s? ?(?:is |['’]s |was |would be |will be |might be |may be |has been )?"
    r"(?:\w+ly |also |just |so |very |really |quite |pretty )*(?:important|clear|true|possible|impossible"
    r"|necessary|hard|difficult|easy|easier|better|best|vital|essential|crucial|critical|worth|likely"
    r"|unlikely|a matter|a question|the case|time|up to|fair|good (?:to|that)|nice to|useful to|great to"
    r"|seem(?:s|ed)?|takes|turns out|depends|makes sense|would make sense|follows|is that|was that))"
)
# It counts on, or names by its place what was listed: "the second is", "another reason is".
_COUNTS_ON = regex(
    r"(?:(?:so|and|but|then|also),? )*(?:the (?:second|third|fourth|fifth|last|next|latter|former|same)"
    # "Another option is to drop the case" says which.
    r"|(?:the other|another)(?! (?:option|possibility|idea|problem|reason|way|alternative|solution)"
    r"(?: [a-z]+){0,4}? (?:is|was|would be) )|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|finally|following on"
    r"|for (?:instance|example)|again|analogously|similarly|likewise|whereas\b(?!.*, )"
    r"|alternatively|otherwise|one (?:is|was)|the first (?:one|dimension|point|item|aspect) (?:is|was)"
    r"|(?:in|for|with|of) (?:some|many|most|others|both|another) (?:it|they|we|i|you)|no end of)\b"
    r"|that (?:came|gave|made|meant|led|leads|shows?|leaves?|takes?|took|goes|went|brings?|requires?|needs?"
    r"|includes?|allow(?:s|ed)|gets?|got|helps?|helped|works?|became|reflects?|sounds?|seems?|looks?|feels?"
    r"|says?|depends|applies|comes|gives|makes)\b"
)
# After so many words, so many of which name something, "that" is what the sentence itself said.
_WORDS_THAT_NAME, _NAMES_AHEAD = 8, 3
# "I wouldn't think so" affirms what was said before.
_SO = regex(
    r"\b(?:think|guess|hope|suppose|believe|say|said|do|does|is) so(?=\W*(?:$|,|because\b|['’]?cause\b"
    r"|but\b))"
)
_BROKEN_OFF = ("—?", "-?", "…?", "...?")
# A question that says what a reply is about has words from the one number to the other, so many of them terms
# that say something; the reply is one of the first two sentences of the next turn.
_SHORTEST_QUESTION, _LONGEST_QUESTION, _TERMS_OF_A_QUESTION, _FIRST_OF_A_REPLY = 8, 40, 4, 2
# A term to which a conversation comes back so often, and how many of them make a sentence say something.
# A short talk comes back to nothing.
_COMES_BACK, _SOME_SUBSTANCE, _WORDS_OF_A_SHORT_TALK = 3, 2, 800
# Mean words of a turn from which answers are given at length; of other meetings they are 7 to 24.
_LEAST_OF_A_TURN = 32
# What tells against quoting a sentence, in standard deviations: pieces of words, what it points at, vague
# words, no stop, a single term of substance, "it", a clause begun again, a vague memory, a vague promise.
_OF_A_PIECE, _OF_POINTING, _OF_VAGUENESS, _OF_NO_STOP, _OF_ONE_TERM, _OF_IT = 2.0, 0.6, 0.3, 0.6, 0.4, 0.4
_OF_A_SUBJECT_AGAIN, _OF_A_MEMORY, _OF_A_PROMISE = 0.5, 0.8, 0.6
# The same of "it" in long answers, of which enough is left that names what it speaks of.
_OF_IT_IN_ANSWERS = 0.5
# Of talk where fewer sentences can be quoted alone, what is whole is quoted.
_FEWEST_QUOTABLE = 4


@lru_cache(maxsize=1)
def bodies(candidates: Candidates) -> list[str]:
    """The sentences without the names of their speakers."""
    texts = [sentence.text for sentence in candidates.sentences]
    return [text[found.end() :] if (found := speaker_of(text)) else text for text in texts]


@dataclass(frozen=True, kw_only=True)
class Turns:
    """Who speaks when; one value per sentence.

    Attributes:
        names: The speakers, by their number from 1.
        turn: Number of the turn.
        speaker: Number of the speaker.
        at: Place in the turn, from 0.
        words: Words of the turn.
    """

    names: tuple[str, ...]
    turn: IntArray
    speaker: IntArray
    at: IntArray
    words: FloatArray


@lru_cache(maxsize=1)
def turns_of(candidates: Candidates) -> Turns:
    """Divide the sentences by the names that open paragraphs."""
    texts = [sentence.text for sentence in candidates.sentences]
    opens = [
        bool(is_open) and speaker_of(text) is not None
        for is_open, text in zip(candidates.opens_paragraph, texts, strict=True)
    ]
    turn = np.cumsum(opens)
    names: dict[str, int] = {}
    speaker, now = [], 0
    for is_open, text in zip(opens, texts, strict=True):
        if is_open:
            now = names.setdefault(text.partition(":")[0], len(names) + 1)
        speaker.append(now)
    numbers = np.arange(len(texts))
    first = np.searchsorted(turn, turn)
    return Turns(
        names=tuple(names),
        turn=turn,
        speaker=np.array(speaker, np.int64),
        at=numbers - first,
        words=np.bincount(turn, weights=candidates.num_words)[turn],
    )


@lru_cache(maxsize=1)
def is_hearing(candidates: Candidates) -> bool:
    """Whether people are heard who answer at length, as before a committee or in an interview."""
    turns = turns_of(candidates)
    return len(turns.names) > 1 and float(candidates.num_words.sum()) >= _LEAST_OF_A_TURN * turns.turn[-1]


@lru_cache(maxsize=1)
def informative_terms(candidates: Candidates) -> BoolArray:
    """(terms,) which of them say what a sentence is about: neither general words nor names of speakers."""
    says = ~np.array(
        [is_general_word(each) or is_of_any_meeting(each) for each in candidates.lexicon.stems], bool
    )
    for name in turns_of(candidates).names:
        says[list(candidates.lexicon.find(name))] = False
    return says


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The positions of the sentences of a meeting in English that say what it is for, and what it comes to.

    Attributes:
        purposes: Those that say what it is for, with 0 for those that tell most.
        outcomes: Those that say what it comes to.
    """

    purposes: Mapping[int, int]
    outcomes: Set[int]

    def purpose(self, positions: Iterable[int]) -> int | None:
        """The one of these positions that tells best what the meeting is for, if any does."""
        among = (position for position in positions if position in self.purposes)
        return min(among, key=lambda position: (self.purposes[position], position), default=None)

    def tells(self, position: int) -> bool:
        """Whether the sentence at a position is one of them."""
        return position in self.purposes or position in self.outcomes


@lru_cache(maxsize=1)
def frame_of(candidates: Candidates) -> Frame:
    """What says what a conversation is for, and what it comes to; nothing where people answer at length."""
    if candidates.language not in (None, "en") or is_hearing(candidates):
        return Frame(purposes={}, outcomes=frozenset())
    said = bodies(candidates)
    return Frame(purposes=purposes(said), outcomes=outcomes(said))


@dataclass(frozen=True, kw_only=True)
class Quotable:
    """How each sentence of a conversation can be quoted.

    Attributes:
        first: The first sentence that it is quoted with: its own position where it is understood alone, -1
            where it cannot be quoted.
        cost: What tells against quoting it, in standard deviations of the scores.
    """

    first: IntArray
    cost: FloatArray


def quotable(candidates: Candidates, can_be_shown: BoolArray) -> Quotable:
    """How the sentences of a conversation can be quoted.

    Args:
        candidates: The sentences of one conversation.
        can_be_shown: Which of them have the form of a sentence.
    """
    texts = bodies(candidates)
    said = {position: tidy(texts[position]) for position in np.flatnonzero(can_be_shown).tolist()}
    turns, substance, answers = turns_of(candidates), substance_of(candidates), is_hearing(candidates)
    at, of_it = turns.at, _OF_IT_IN_ANSWERS if answers else _OF_IT
    is_english = candidates.language in (None, "en")
    spoken = Counter(WORD.findall(" ".join(texts).lower())) if is_english else None
    first, cost = np.full(len(texts), -1), np.zeros(len(texts))
    frame = frame_of(candidates)
    whole = [
        position
        for position, text in said.items()
        if _is_whole(text, is_of_frame=frame.tells(position)) and not text.endswith("?")
    ]
    for position in whole:
        lowered = said[position].lower()
        spaced = f" {lowered}"
        is_of_frame = frame.tells(position)
        if not (is_of_frame or substance[position]):
            continue
        if BEGUN_TWICE.search(spaced) or counts(lowered):
            continue
        if ":" in lowered and any(f"{name}:" in said[position] for name in turns.names):
            # Who speaks next begins in the same line.
            continue
        if not answers and (
            (not is_of_frame and announces(lowered))
            or only_supposes(lowered)
            or (is_english and lacks_main_clause(said[position]))
        ):
            continue
        # "This is the design meeting": who reads that knows which.
        needs_antecedent = position not in frame.purposes and (
            _needs_antecedent(lowered, is_meeting=not answers)
            or (is_english and not answers and names_nobody(lowered))
        )
        if not needs_antecedent or question_of(candidates, position) is not None:
            first[position] = position
        elif at[position] and first[position - 1] == position - 1:
            first[position] = position - 1
        else:
            continue
        cost[position] = (
            _cost(said[position], spoken)
            + _OF_ONE_TERM * (substance[position] < _SOME_SUBSTANCE)
            + _OF_A_LIFE * (not answers and _OF_ONESELF.search(lowered) is not None)
            + _OF_A_SUBJECT_AGAIN * (not answers and SUBJECT_AGAIN.search(lowered) is not None)
            + of_it * (not needs_antecedent and _IT.match(lowered) is not None)
            + (lapses(lowered, is_meeting=not answers) if is_english else 0.0)
        )
        if is_of_frame and cost[position] >= _OF_A_PIECE:
            # It counts so much that nothing else would tell against it.
            first[position] = -1
    if np.count_nonzero(first >= 0) < _FEWEST_QUOTABLE:
        first[whole] = whole
    return Quotable(first=first, cost=cost)


def substance_of(candidates: Candidates) -> FloatArray:
    """How many terms a sentence has to which the conversation comes back, and that say what it is about."""
    terms = candidates.terms
    often = min(_COMES_BACK, 1 + int(candidates.num_words.sum()) // _WORDS_OF_A_SHORT_TALK)
    says = informative_terms(candidates) & (terms.frequency >= often)
    counts: FloatArray = terms.sum_rows(says[terms.columns].astype(float))
    return counts


def _cost(text: str, spoken: Counter[str] | None) -> float:
    """What tells against quoting what is said.

    Args:
        text: What is said.
        spoken: How often each word is said in a conversation in English, in small letters; ``None`` in other
            languages.
    """
    lowered = text.lower()
    words = WORD.findall(lowered)
    is_broken = (
        has_piece(words, spoken)
        or FRAGMENT.search(f" {text}") is not None
        or (spoken is not None and is_begun_anew(text, lowered, words, spoken))
    )
    return (
        _OF_A_PIECE * is_broken
        + _OF_POINTING * points_at(lowered)
        + _OF_VAGUENESS * (len(_VAGUE.findall(lowered)) > _MOST_VAGUE)
        + _OF_A_MEMORY * (_RECALLS.search(lowered) is not None)
        + _OF_A_PROMISE
        * (any(map(lowered.__contains__, _WORDS_OF_A_PROMISE)) and _PROMISES.search(lowered) is not None)
        + _OF_NO_STOP * text.endswith(ELLIPSIS)
        + _OF_A_REPLY * (spoken is not None and _REPLIES.match(lowered) is not None)
        + _OF_NO_SUBJECT * (spoken is not None and _lacks_subject(words, lowered))
    )


def _lacks_subject(words: Sequence[str], lowered: str) -> bool:
    """Whether it only lists, or begins with a verb: neither a pronoun nor an auxiliary, which most have."""
    # "Do our meetings in the dark" has no auxiliary.
    begins_with_verb = words[0] in VERBS
    return (begins_with_verb or lowered.count(",") >= _MANY_COMMAS) and not any(
        word in _SUBJECTS or word in AUXILIARIES or _CONTRACTED.search(word)
        for word in words[begins_with_verb:]
    )


def _is_whole(text: str, *, is_of_frame: bool) -> bool:
    """Whether it neither breaks off nor begins again, and is not of the sitting itself, but for its frame."""
    if len(text.split()) < (_FEWEST_OF_A_FRAME if is_of_frame else _FEWEST_WORDS) or begins_again(text):
        return False
    lowered = text.lower()
    return not is_broken(lowered) and (is_of_frame or not is_of_the_sitting(lowered))


def _is_question(text: str) -> bool:
    """Whether it is one question, of what is talked about."""
    lowered = text.lower()
    return (
        text.endswith("?")
        and not text.endswith(_BROKEN_OFF)
        and not begins_again(text)
        and not says_so_again(lowered)
        and FRAGMENT.search(f" {text}") is None
        and not is_of_the_sitting(lowered)
        and not _needs_antecedent(lowered)
    )


def is_of_the_sitting(lowered: str) -> bool:
    """Whether what is said, in small letters, is about the sitting and its time."""
    return _OF_THE_SITTING.search(f" {lowered}") is not None


def announces(lowered: str) -> bool:
    """Whether what is said at a meeting, in small letters, is about what is to be talked about there."""
    return _ANNOUNCES.search(f" {lowered}") is not None


def counts(lowered: str) -> bool:
    """Whether who says it, in small letters, counts or reads out digits."""
    return _COUNTS.search(f" {lowered}") is not None


def points_at(lowered: str) -> bool:
    """Whether what is said, in small letters, points at what can be seen, or was named, there."""
    return _POINTS_AT.search(lowered) is not None


def needs_words_before(lowered: str) -> tuple[bool, bool]:
    """Whether what is said at a meeting, in small letters, counts on ("the second is"), and leans otherwise.

    Where it counts on, it is said what: "the last thing is that we are close to human performance".
    """
    found = _COUNTS_ON.match(lowered)
    rest = lowered if found is None else lowered[found.end() :]
    leans = (
        _needs_antecedent(rest, is_meeting=True) or _IT.match(lowered) is not None or names_nobody(lowered)
    )
    return found is not None, leans


def _needs_antecedent(lowered: str, *, is_meeting: bool = False) -> bool:
    """Whether what is said, in small letters, names what it speaks of by a pronoun alone, or counts on."""
    return (
        _THEY.match(lowered) is not None
        or (" so" in lowered and _SO.search(lowered) is not None)
        or _COUNTS_ON.match(lowered) is not None
        # A quick test: most sentences have none of these words.
        or (any(word in lowered for word in _LIKE_THIS) and _THIS.search(lowered) is not None)
        or ("that" in lowered and _is_unnamed(lowered, _THAT.search(f" {lowered}"), is_meeting=is_meeting))
    )


def _is_unnamed(lowered: str, found: re.Match[str] | None, *, is_meeting: bool) -> bool:
    """Whether what is found, a pronoun, may stand for what no earlier words of the sentence name.

    In long answers it mostly stands for what was said at length before.
    """
    if found is None or not is_meeting:
        return found is not None
    # Where it begins: the space before the text makes up for what stands before it.
    ahead = WORD.findall(lowered[: found.start()])
    return len(ahead) < _WORDS_THAT_NAME or (
        sum(not is_function_word(word) and not is_general_word(stem(word)) for word in ahead) < _NAMES_AHEAD
    )


def question_of(candidates: Candidates, position: int) -> int | None:
    """The position of the question to which a sentence replies, where that says what it is about."""
    said, turns = bodies(candidates), turns_of(candidates)
    at = int(turns.at[position])
    asked = position - at - 1
    if (
        asked < 0
        or at >= _FIRST_OF_A_REPLY
        or turns.speaker[asked] == turns.speaker[position]
        or not said[asked].rstrip().endswith("?")
        or said[position].rstrip().endswith("?")
    ):
        return None
    question = tidy(said[asked])
    if not _SHORTEST_QUESTION <= len(question.split()) <= _LONGEST_QUESTION or not _is_question(question):
        return None
    columns = candidates.terms.columns[candidates.terms.row(asked)].tolist()
    stems = candidates.lexicon.stems
    says = sum(not is_general_word(stems[column]) for column in columns)
    return asked if says >= _TERMS_OF_A_QUESTION else None


def with_questions(candidates: Candidates, chosen: Sequence[int]) -> list[int]:
    """What is chosen of a conversation, with the questions that are antecedents of replies.

    Args:
        candidates: The sentences of the conversation.
        chosen: The positions that are chosen, in order.
    """
    texts, taken = bodies(candidates), set(chosen)
    for position in chosen:
        if position - 1 not in taken and _needs_antecedent(tidy(texts[position]).lower()):
            question = question_of(candidates, position)
            taken.update(() if question is None else (question,))
    return sorted(taken)
