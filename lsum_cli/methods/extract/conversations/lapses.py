"""What a reader who was not there objects to in a sentence that is quoted of talk, and what that costs.

A sentence that begins twice, tells of who speaks and not of what is talked about, gives a score without what
it scores, or says "it" before anything is named, is understood badly, however much it seems to say.
"""

from __future__ import annotations

import re
from itertools import pairwise

from lsum_cli.text.keywords import is_general_word
from lsum_cli.text.patterns import regex, word_pattern
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word

# All patterns are of text in small letters, those of words of such text after a space.
# A clause is begun and another put in its place.
_RESTARTS = word_pattern(
    r"(?<=[a-z0-9] )(?<!and )(?<!but )(?<!or )(?<!what )(?<!know )(?<!how )(?<!because )(?<!if )(?<!so )"
    r"i mean,? (?:i|we|you|they|he|she|it|there|the|an?|that|this|if)\b"
    r"|(?<=—)(?:you know|i mean|sorry)\b"
    r"|there(?:['’]s|['’]re| is| are| was| were)"
    r"(?: (?!and\b|or\b|but\b|that\b|which\b|if\b|when\b|because\b|so\b|where\b|think\b)\w+){0,4}"
    r" there(?:['’]s| is| are| was| were)\b"
    # "The, there are", "go goes".
    r"|(?:the|an?|my|our|their), (?!an? )(?:the|an?|there|i|we|it|you|they)\b"
    r"|(?P<begun>[a-z]{2,}+) (?P=begun)(?:s|es|ed|ing)\b(?<!be being)"
    r"|(?:was|is) (?:there is|so (?:i|we|you|they|he|she))\b"
    r"|(?:some|the|an?|(?<!many )(?<!some )(?<!most )(?<!all )of|to|our|my) you know\b"
    # "It's it should be", "the report has it's long", "you could if it rains you could", "where because".
    r"|(?:it|that|there)['’]s (?:it|we|they|there)(?:['’](?:s|re)\b"
    r"| (?:is|was|are|should|could|would|can)\b)"
    r"|(?:has|had) (?:it|there|they|we)['’](?:s|re)\b"
    r"|(?P<may>(?:i|we|you|they) (?:can|could|would|should|might)) if (?:[\w'’]+ ){2,6}(?P=may)\b"
    r"|(?:who|where|which) because\b|that at least that['’]s\b"
    r"|(?:the|an?|of|to) (?:ok|okay|yeah)\b,"
    r"|w?oops\b"
    r"|(?:the|an?|to|of|in|my|our) [a-z]{2,4} (?:well|sorry) (?:basically|actually|the|an?|i|we)\b"
)
# Small talk, and how somebody feels.
_SMALL_TALK = word_pattern(
    r"i(?:['’]m| am) (?:\w+ )?(?:never|not \w+ly|glad|tired|bored|hungry|excited|curious)\b"
    r"|(?:mine (?:is|was|were)|my (?:stuff|keys?|leadership|handwriting|computer|desktop|boss|inspiration"
    r"|eyes|kids?|son|daughter|office|drawing)\b)"
    r"|(?:have|having|had|was|were|so much) (?:\w+ )?fun\b"
    r"|i(?:['’]m| am|['’]ll be) (?:going (?:down|away|back|over|out|up) |flying|leaving|away\b"
    r"|out of town|busy)"
    r"|(?:crap|crappy|stupid|funny|weird|awesome|wow|gosh|cute|damn|bloody)\b"
    r"|i (?:\w+ )?(?:felt|feel) like\b|the other (?:night|day)\b|last night\b|i (?:\w+ )?forgot\b"
    r"|i (?:[\w'’]+ ){0,3}(?:think|thought|found|find) (?:it|that|this|mine|everything|\w+ing) "
    r"(?:was |were |is )?(?:\w+ly |so |quite |very )?(?:helpful|useful|interesting|nice|boring|hard|easy)\b"
    r"|i(?:['’]m| am) not saying\b"
    r"|(?<=^ )(?:oh|come on|wow|hey)\b"
    r"|went (?:home|to (?:class|bed|lunch|sleep|school|the (?:airport|doctor|dentist)))\b"
    r"|(?:spring break|on (?:holiday|vacation)|the pub|lucky|hilarious)\b"
)
# What who speaks did not know or get, and the course of the meeting: what is presented, evaluated and done.
_OF_THE_WORK = word_pattern(
    r"i (?:\w+ )?did ?n['’]t (?:\w+ )?(?:know|understand|realise|realize|receive|get|hear|see|think)\b"
    r"|(?:do|doing|going to) (?:an?|the) (?:\w+ (?:or )?){0,2}evaluation\b"
    r"|(?:have|has|had|going|supposed|want|wants|who)(?: to)? present\b(?! [a-z])"
    r"|to (?:go to )?our own (?:offices?|rooms?)\b|excel sheets?\b"
    r"|we(?:['’]ve| have) (?:\w+ )?(?:covered|gone (?:through|over)|got through)\b"
    r"|(?:introduce|introducing) (?:myself|ourselves|yourselves|first|the names?)\b"
    # What was talked about, and what is drawn, read out or wiped off there.
    r"|(?:i|we) (?:was|were) (?:just )?"
    r"(?:on the|talking|asking|saying|trying to remember|wondering|curious)\b"
    r"|i(?:['’]ll| will|['’]m going to|['’]m gonna) (?:just )?(?:draw|erase|sketch|read|skip)\b"
    r"|(?:we|i)(?:['’]ve| have) done (?:some|an?) (?:[\w ]+ )?(?:research|reading)\b"
    r"|i(?:['’]ll| will) (?:just )?write (?:\w+ )?(?:down|criteria|it|that|them|this)\b"
    r"|blah\b"
)
_DIGIT = r"(?:one|two|three|four|five|six|seven|[1-7])(?:(?: and a half|\.5))?"
# "I'd give it a two": what it says of what is not there.
_SCORES = word_pattern(
    rf"(?:\b(?:give|gave|giving|rate|rank|scored?) (?:it|that|this|them) (?:like |about )?(?:an? )?"
    r"|\b(?:make|made) (?:it|that|this|them) (?:like |about )?an? "
    rf"|\b(?:maybe (?:just )?make it|should make) ){_DIGIT}"
    r"(?=\W*$|[,.;]| (?:or|because|['’]?cause|as well|too|for (?:that|this|it))\b)"
    rf"|\b(?:true|false|{_DIGIT}) (?:is|being|was|equals) (?:true|false|{_DIGIT})(?=\W*$|[,.;]| (?:and|or)\b)"
    rf"|\b(?:i|we)(?:['’]d| would) say (?:(?:it|that)(?:['’]s| is) )?(?:like "
    rf"|about )?(?:an? )?{_DIGIT}(?=\W*$)"
    r"|\b(?:on a scale|one scale|scale of|seven[- ]points?|true or false)\b"
    rf"|\b(?:give|gave|giving) (?:[\w'’]+ ){{1,5}}an? {_DIGIT}(?=\W*$|[,.;])"
    r"|\b(?:lower|higher)(?: the| number)?,? (?:(?:is|so|the) )?better\b"
    rf"|(?<=^ )(?:an? )?{_DIGIT}(?: or {_DIGIT})?"
    r"(?=\W*$|,? (?:because|['’]?cause|maybe|for (?:that|this|it|me))\b)"
)
# "It is something that …", "two sets of things": names that say nothing.
_NAMES_LITTLE = regex(
    r"\b(?:it|that|this|there)(?:['’]s| is| was) (?:\w+ )?"
    r"(?:something (?:that|which)\b(?! (?:is|should|will)\b)|one of (?:those|the)|a thing|things)"
    r"|\b(?:two|three|four|both|several|different) (?:(?:different|other) )?"
    r"(?:(?:kinds|sets|sorts) of )?things\b(?!:)"
)
# "It is important to …" and "it takes two years" point at nothing.
_PRONOUN = regex(
    r"\b(?:them|they|he|him|she|it)\b"
    r"(?! (?:should|must|has to|have to|needs? to|ought)\b)"
    r"(?!['’]?s? ?(?:is |['’]s |was |would be |will be |might be |may be |has been |['’]ll be )?"
    r"(?:\w+ly |also |just |so |very |really |quite |pretty |going to be |gonna be )*(?:important|clear|true"
    r"|possible|impossible"
    r"|necessary|hard|difficult|easy|easier|better|best|vital|essential|crucial|critical|worth|likely"
    r"|unlikely|a matter|a question|the case|time|up to|fair|good (?:to|that)|nice to|useful to|great to"
    r"|seem(?:s|ed)?|takes|turns out|depends|makes sense|would make sense|follows|is that|was that"
    r"|(?:that|to|if|when|the \w+ that|(?:our|my|the \w+) (?:intention|hope|view|aim|plan|belief))\b))"
)
# What another sentence names: "these buttons", "we see that throughout", "to get it.", "not that either".
_LEANS = word_pattern(
    r"(?:these|those) (?!(?:days|who|which|that|are|were|of|in|with|people|kinds?|sorts?)\b)\w+"
    r"|(?:put|see|get|have|take|want|need|use|do|did|like|call|try|keep) (?:this|that) "
    r"(?:together|throughout|again|back|away|now|yet|through|over|in|on|with|for|at|as)\b"
    r"|(?:get|do|use|have|see|say|know|want|need|change|try|find|do with|like|about|for|of|with|in|on)"
    r" (?:it|them|that|this)[.…! ]*\Z"
    r"|(?:could|would|did|do|does|can|should|is|was|were|are)n['’]t (?:because|either|anyway)\b"
    r"|in (?:that|this) (?:sense|case|way|respect|regard)\b"
    r"|otherwise\b(?=[^,]*\Z)"
)
_NOT_EITHER = regex(r"n['’]t\b.*\beither\b(?! \w+ or\b)")
# "We are not imposing it": so few words that name something hardly name what it is.
_ENDS_IN_IT = regex(r"\w (?:it|them|this|that)[.…! ]*\Z")
_NAMES_OF_IT = 3
# In answers: what the question names.
_POINTS_IN_ANSWERS = regex(
    r"\b(?:this|that|these|those) (?:particular|sorts?|kinds?|types?|very|question|point"
    r"|concern|suggestion)\b"
    r"|\b(?:know|follow|following|see|mean|understand|recogni[sz]e|accept|support) (?:that|this|it)"
    r"(?: exactly\b| and\b| but\b|[.,;])"
    r"|\b(?:this|that) is (?:something|one)\b"
    r"|\bi(?:['’]m| am)? (?:(?:wish|want|would like|rise) to speak|(?:\w+ )?speaking(?: \w+){0,2}) "
    r"(?:to|on|about)\b|\bi (?:wish|want|would like) to comment on\b"
)
_PERSON = regex(r"\b(?:he|she|him|her|they|them|their|his)\b")
# Somebody whom "their" may be said of.
_ANYBODY = regex(
    r"\b(?:people|(?:every|some|any)(?:body|one)|person|guys?)\b.*\b(?:they|them|their|his|her)\b"
)
_WORD = regex(r"[\w'’-]+")
_CONTRACTED = regex(r"(?:n['’]t|['’]\w+)$")
# In standard deviations of the scores.
_OF_A_RESTART, _OF_SMALL_TALK, _OF_A_SCORE, _OF_A_POOR_NAME, _OF_A_PRONOUN = 1.0, 1.2, 1.2, 0.5, 0.8
_OF_THE_COURSE, _OF_LEANING = 1.2, 0.6
# Who goes on for so many words loses who was not there; twice as many are as bad as it gets.
_OF_LENGTH, _LONGEST = 0.8, 32
_SHORTEST_NAME = 4  # letters
# After these stands what is done: "we divide it by four" names nothing that is divided.
_BEFORE_VERB = regex(
    r"(?:i|we|you|they|people|everybody|everyone|to|can|could|will|would|shall|should|must|may|might|not|just"
    r"|probably|maybe|always|never|\w+(?:n['’]t|['’]ll|['’]d))$"
)
# What can be seen where it is said.
_HERE = regex(
    r"(?<!are )(?<!be )(?<!was )(?<!were )(?<!been )(?<!get )(?<!come )(?<!came )(?<!around )(?<!out )(?<!m )"
    r"(?<!re )(?<!people )(?<!work )(?<!not )\bhere\b"
    r"(?=\W*\Z|,| (?:and|which|where|but|so|is|the|on|in|for|at|we|you|i)\b)"
)
_LONG = 20  # words, in which a pronoun is explained


def lapses(lowered: str, *, is_meeting: bool) -> float:
    """What tells against quoting what is said in English, in standard deviations of the scores.

    Args:
        lowered: What is said, in small letters.
        is_meeting: Whether people work something out together, and do not answer at length.
    """
    cost = _OF_A_RESTART * restarts(lowered) + _OF_A_POOR_NAME * (_NAMES_LITTLE.search(lowered) is not None)
    cost += _OF_A_PRONOUN * _points_back(lowered) + _OF_LEANING * _leans(lowered)
    if not is_meeting:
        return cost + _OF_LEANING * _answers_what_is_asked(lowered)
    return (
        cost
        + _OF_SMALL_TALK * is_small_talk(lowered)
        + _OF_THE_COURSE * is_of_the_course(lowered)
        + _OF_LEANING * ("here" in lowered and _HERE.search(lowered) is not None)
        + _OF_A_SCORE * scores(lowered)
        + _OF_LENGTH * min(1.0, max(0, len(lowered.split()) - _LONGEST) / _LONGEST)
    )


def restarts(lowered: str) -> bool:
    """Whether a clause of what is said, in small letters, is begun and another put in its place."""
    return _RESTARTS.search(f" {lowered}") is not None


def is_small_talk(lowered: str) -> bool:
    """Whether who says it, in small letters, makes small talk or tells how somebody feels."""
    return _SMALL_TALK.search(f" {lowered}") is not None


def is_of_the_course(lowered: str) -> bool:
    """Whether what is said, in small letters, is of who speaks or of the course of the meeting."""
    return _OF_THE_WORK.search(f" {lowered}") is not None


def scores(lowered: str) -> bool:
    """Whether what is said, in small letters, gives a score to what is not there."""
    return _SCORES.search(f" {lowered}") is not None


def _points_back(lowered: str) -> bool:
    """Whether a pronoun comes before anything is named that it may stand for."""
    if len(lowered.split()) > _LONG:
        return False
    return _comes_before_names(_PRONOUN, lowered)


def names_nobody(lowered: str) -> bool:
    """Whether a pronoun of persons comes before anybody, or anything, is named; in small letters."""
    return _comes_before_names(_PERSON, lowered) and _ANYBODY.search(lowered) is None


def _comes_before_names(pattern: re.Pattern[str], lowered: str) -> bool:
    found = pattern.search(lowered)
    if found is None:
        return False
    ahead = _WORD.findall(lowered[: found.start()])
    return all(_names_nothing(word) or _BEFORE_VERB.search(before) for before, word in pairwise(["", *ahead]))


def _answers_what_is_asked(lowered: str) -> bool:
    """Whether it points at the question of which it has named little itself."""
    found = _POINTS_IN_ANSWERS.search(lowered)
    return found is not None and _count_names(lowered[: found.start()]) < _NAMES_OF_IT


def _leans(lowered: str) -> bool:
    """Whether it points at what another sentence names, in too few words to name it itself."""
    if len(lowered.split()) > _LONG:
        return False
    if _LEANS.search(f" {lowered}") or ("either" in lowered and _NOT_EITHER.search(lowered)):
        return True
    return _ENDS_IN_IT.search(lowered) is not None and _count_names(lowered) < _NAMES_OF_IT


def _count_names(lowered: str) -> int:
    return sum(not _names_nothing(word) for word in _WORD.findall(lowered))


def _names_nothing(word: str) -> bool:
    word = _CONTRACTED.sub("", word)
    return (
        len(word) < _SHORTEST_NAME
        or word.endswith("ly")
        or is_function_word(word)
        or is_general_word(stem(word))
    )
