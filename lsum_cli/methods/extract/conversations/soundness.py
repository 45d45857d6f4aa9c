"""Whether what somebody says is one sentence, not torn: no word breaks off, and no clause begins again.

All of it is of English text, as it is quoted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lsum_cli.methods.extract.conversations.speech import WORD, broken_words
from lsum_cli.text.patterns import regex, word_pattern
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word

# In mid-sentence somebody begins again, as a word shows that has a capital only at the beginning of a
# sentence; or it ends with an answer.
_BEGINS_AGAIN = regex(
    r" (?:(?<=[a-z0-9_,] )(?:Yeah|Yes|No|Yep|Okay|Um|Uh|Oh|Well|Alright|And|But|So|We|You|They|He|She|It|This"
    r"|That|These|Those|There|The|An?|What|Which|Who|How|When|Where|Why|If|Is|Are|Was|Do|Does|Did|Can|Could"
    r"|Will|Would|Should|Have|Has|Had|Let|Just|Maybe|Because|Not|For|Like|My|Our|Your|Their|Then|As)"
    r"\b(?! [A-HJ-Z])|(?<=[a-z] )yeah\b(?! *[.!?…]))"
)
_ANSWERS_AT_END = regex(
    r"\b(?:yes|no|yep|nope|[Oo][Kk]|okay|right|[Ii]t['’]s|[Tt]hat['’]s|[Ii]['’]m|we['’]re)[.!]*$"
)
_LONGEST_ANSWER = 8
BEGUN_TWICE = word_pattern(
    r"(?:(?:i|we|they) (?:i|we|they|he|she|it['’]s|there['’]s|the|an?|so|if|and|but|this|these)"
    r"|(?:the|an?|my|our) (?:the|an?|is|are|was|and|but|or|it|we|i|you|they|this|that|there|if|to|of|for|so)"
    r"|(?:i|we|they|you) (?:actually|just|maybe|perhaps|really|probably|basically) (?:i|we|they|you)"
    r"|that (?:we|i|they|you|it) that|(?:do|did|does|have|has|had|is|was|wo|ca|would|could|should)n['’]t"
    r" (?:it|that|there|what|we|i|they|he|she)['’]s"
    r"|(?:is|are|was|were) (?:is|are|was|were)|(?<!problem )(?<!thing )(?<!reason )(?<!question )(?<!issue )"
    r"(?<!point )(?<!idea )(?:is|are|was|were) we(?! \w+ing)"
    r"|(?:we|i|you|they) (?:have|can|will|should) (?:we|they|i|it['’]s))\b"
)
# A word after which none like the next one goes on, as where somebody begins again; in small letters.
_GOES_ON_WRONG = word_pattern(
    r"(?:(?:what|how)(?:['’]s| is)? (?:what|how)"
    r"|(?:is|are|was|were|(?:is|are)n['’]t) (?:is|are|was|were|(?:is|are|do|does|did)n['’]t|does|did|i|we"
    r"|they|he|she|it['’]s|i['’]m|we['’]re|they['’]re|that['’]s)(?! \w+ing)"
    r"|(?:we|they|he|she|i) (?:it|he|she|they|we|not|that|this|these|those|yeah|yes|you(?! know))"
    r"|(?:if|when|because|that) it (?:the|an?|they|we|he|she|i|you)"
    r"|(?:it|that|there|he|she)['’]s (?:does|is|was|are|were|will|would|can|could|should"
    r"|if (?:i|we|you|they))"
    r"|(?:i['’](?:m|ve|ll|d)|(?:we|they|you)['’](?:re|ve|ll|d)|(?:he|she)['’](?:s|ll|d)"
    r"|(?:it|there|that)['’](?:ll|d)) (?:i|we|you|they|he|she|it|there)"
    r"|(?:want|need|have|going|like|try|tend|able) to (?:or|and|but|would|could|should|is|are)(?! not\b)"
    r"|(?:might|may|would|could|should|must)(?: not)? (?:may|might|must|shall)"
    r"|(?:two|three) things are|(?:and|but) (?:so )?and so|(?:so|or) and|kinda so|(?:for|of|on) because"
    r"|(?:i|we|you|they)['’](?:ll|ve|d) (?:alright|okay|let['’]s)"
    r"|(?:how|what|which) it (?:how|what|which)"
    r"|i (?:guess|think) (?:build|make|do|use|put|get|go|have|take)"
    r"|(?:is|was) (?:just|like) (?:do|get|make|put|go)"
    r"|to (?:we|they|i|he|she|it['’]s|that['’]s|for|of|with)"
    r"|(?:very|quite) (?:when|if|because|it|we|they|i)"
    r"|(?:an?|the|my|our|your|their) (?:an?|the|my|our|your|their|has|have|had|does|did|could|would|should"
    r"|because|it['’]s|we['’]re|they['’]re|i['’]m|if|they|we|of|at|by|with|from|for|to|than)"
    r"|(?:an?|the) (?:maybe|yeah|okay)|(?:an?|my|our|your) (?:what|when|how)(?:['’]s)?"
    r"|(?:some|any|these|those) (?:the|an?|my|our)|some something"
    r"|the (?:what|when|how) (?:the|would|is|was|we|i|they|it)"
    r"|(?:in|on|at|with) i (?:in|on|at|with|the|an?|this)"
    r"|(?:i|we|they|you) (?:just|actually|really|basically) (?:this|these|those|the|an?|there)(?! \w+ly)"
    r"|i (?:what|given|which|when|if|because)|you it['’]s"
    r"|(?:could|would|can|will|may|might|should) be (?:we|they|i|he|she)"
    r"|(?:wanna|gonna|keep|get|make) (?:i|we|they)['’]\w+"
    r"|for to|(?:can|could|will|would|should|must|might) (?:is|are|was|can|will|would|should|the|an?)"
    r"|(?:can|could|might|should) (?:i|we|you|they|it) (?:can|could|might|should|will)"
    r"|(?:do|does|did)n['’]t (?:had|has|was|is|are)|does it \w+es)(?![\w'’-])"
)
_SAID_AGAIN = word_pattern(
    r"(?<!['’-])(?!(?:of|and|or|but) )(\w[\w'’]*+ \w[\w'’]*+)(?: [\w'’]++){0,3}?"
    r"(?<! and)(?<! or)(?<! but)(?<! than)(?<! to) \1(?![\w'’])"
    r"|(\w{5,}+) (?!(?:and|or|but|by|to|after|of|for|the|in|on|with|an?|than|per|not|is|are|as|versus"
    r"|from)\b)\w+ \2\b"
    r"|(\w{3,}+) (?:it|that|this|them|they|we|you|i) \3\b"
    r"|((?:did|do|does|is|was|have|has|are|were)n['’]t) \w+ \4\b"
    r"|(\w{4,}+) (?:the|an?) (?:(?!and |or |but )\w+ ){1,2}\5\b"
)
# A letter that is no word, a sound that the transcriber did not make out.
FRAGMENT = word_pattern(
    r"(?<!['’.@-])[b-hj-np-z](?![\w'’.-])|(?<=@)@|(?<=\w-) |(?<= )[b-hj-np-z]\.$"
    r"|(?<=^ )[B-HJ-Z] "
    r"(?=(?:in|on|at|of|for|with|to|from|that|because|when|where|there|they|we|you|he|she)\b)"
    r"|([A-Z][a-z]++) \1\b|(?<=\w )comma \w"
    r"|(?:th|tha|thi|wh|wha|whi|bec|beca|becau|ano|abou|coul|shoul|woul|yea)\b"
)
# "so bo both", "intersp you know, interspersed": a word broken off before the word, so many words before it.
_SHORTEST_PIECE, _LONGEST_PIECE, _PIECES_AHEAD = 2, 8, 3
_NO_PIECE = "-"  # with which no word begins
_INFLECTIONS = frozenset(
    ("s", "ed", "ing", "es", "er", "ly", "'s", "’s", "al", "e", "y", "n", "d", "or", "en")
)

# What no sentence has that is said without a slip: words that do not go on from one another, besides.
_SLIPS = word_pattern(
    r"(?:"
    r"(?:the|an?|my|our|their) (?:i|we|you|they|he|it|that|this|these|those|there|is|are|was|were|and|but|so"
    r"|or|if|to|of|in|with|for|at|has|have|can|what|how|when|which|after|before|from|by|as|because|than|well"
    r"|sort of|kind of)(?!-)"
    r"|(?:i|we|they|he|she) (?:i|we|you|they|he|it|that|this|these|those|there|the|an?|is|if|so|of|in|on|with"
    r"|for|to|and|or|but|my|our|very|quite|too|not)"
    r"|(?:of|from|at|with|into|by) (?:i|we|he|is|are|was|have|if|and|or|but)"
    r"|(?:is|are|was|were|be) (?:i|get|go|do|have|has|had|let|is|was|are|will|would|can|could|should|does)"
    r"|to (?:i|we|maybe|and|but|or|is|are|was)"
    r"|(?:not|so|if|with|for|or|and|but) (?:(?<=not )not|(?<=so )so|(?<=if )if|(?<=with )with|(?<=for )for"
    r"|(?<=or )or|(?<=and )and|(?<=but )but)"
    r"|(?:and but|but and|that and|that or|or maybe or)"
    r"|(?:have|has|had) (?:is|are|have|go|if|of|from|i|we|it['’]s|there['’]s)"
    r"|(?:i|we|they|you|it|he)['’](?:m|re|s|ve|ll|d) (?:i|we|you|they|he|it|there|that['’]s|it['’]s|is|are"
    r"|of)"
    r"|(?<!give )(?<!gives )(?<!gave )(?<!show )(?<!tell )(?<!get )(?<!gets )(?<!make )(?<!ask )"
    r"(?<!offer )you (?:an?|the)"
    r"|(?:i|we|they|he|she|it|you) (?:would|could|should|will|can|might|must|is|was|are|were) "
    r"(?:it|we|you|they|he|she|i|there)"
    r"|(?:might|could|would|can|will|should) \w+ (?:i|we|they|he|she) (?:would|could|can|will|should|have|am"
    r"|are|was|were|think|had)"
    r"|\w+ing there(?:['’](?:s|re)| was| is| are| were)|that (?:it|this) was just"
    r"|(?:i|we|you|they|he|she|it) there['’](?:s|re)|there['’](?:s|re) (?:for|if|when|in|on|with|of)"
    r"|(?P<pre>per|re|pro|con|com|pre|dis|ex|sub|inter|trans|de|mis|ad) (?P=pre)\w+"
    r"|(?:i|we|you|they|it|he|she) (?P<does>\w{3,}) (?:i|we|you|they|it|he|she) (?:\w+ )?(?P=does)\w*"
    r"|\w+['’](?:s|re|m|ll|ve),? (?:and|or|but)"
    r"|if (?P<who>i|we|you|they|it) [\w'’]+ if (?P=who)(?:['’]\w+)?"
    r"|that (?P<whom>i|we|you|they|it) (?:\w+ )?that (?P=whom)(?:['’]\w+)?"
    r"|\w+(?:n['’]t|['’](?:re|m)) \w+ing (?:i|we|they|he|she) (?:do|did|have|are|were|was|can|could|would)"
    r"(?:n['’]t)?|(?:use|put|take|go) have|we two"
    r"|that that (?:i|we|you|they|he|she|there)(?:['’]\w+)?|(?:the|an?) just (?:the|an?)|more more"
    r"|(?:i|we|they|you|he|she) \w+n['’]t (?:i|we|they|you|he|she)|(?<=^ )(?:now|so|well|then) and"
    r"|(?:of|from|with|in|for|to|about) (?:will|would|can|could|should|for)"
    r"|(?:the on|a about|one one|where whether|whether where|after so|reason why (?:do|did|does|is|are)"
    r"|(?:i|we|they|he|she) (?:some|any|every|many|most|people|(?:actually|just|really) \w+ing))"
    r"|(?:can|could|should|would|will|might) (?:just |maybe |probably )?"
    r"(?:it|that|there|we|i|they)['’](?:s|re|m|ve)"
    r"|(?:my|our|the) (?:\w+ ){2,4}(?<!out )(?<!over )(?<!in )(?<!up )(?<!down )(?<!from )(?<!go )(?<!going )"
    r"there (?:was|were|are|is)"
    r"|what (?:where|when)|the (?:within|under)|(?:i|we|you|they) (?:don|didn|wouldn|couldn)(?!['’])"
    r"|(?:i|we|you|they|it)['’](?:d|ll) (?:probably |just |maybe |really )?(?:the|an?|these|those)"
    r"|(?P<when>when|if|because|where) [\w'’]+ (?P=when)|(?<=^ )the,"
    r"|(?:i|we|you|they) (?:i|we|they|you)['’](?:re|m|ve|ll)"
    r"|(?:i|we|you|they|it)['’](?:m|re|ve) (?:i|it|we|they|that)['’]\w+"
    r"|(?:with|of|to|for|in) also|(?<=^ )(?:th|tha|thi|wh|wha|whi|bec|ano|abou)"
    r"|(?P<did>we were|i was|they were) (?P<doing>\w+ing) [^.]{3,60} (?P=did) (?P=doing)"
    # What then?
    r"|(?<=^ )the (?:moment|minute) (?:i|we|you|they|it|he|she) [^,]*\.$"
    # "Endpoi end".
    r"|(?!the|for|and|but|can|any|some|with|there)(?P<end>[a-z]{3,})[a-z]{1,4} (?P=end)"
    r"|(?<=^ )(?:for|in|on|at|with|of|by) (?:[\w-]+ ){1,2}(?:is|are|was|were|has|have)(?! the| an?| where)"
    r"|(?:it|that)['’]s (?:it['’]ll|we|they|i)|(?:sorry|whoops|oops|blah|poo)"
    r"|[eou](?!['’._-]))(?![\w'’])"
    r"|[b-hj-np-z](?<!['’.&-].)(?!['’._-])(?!\w)"
)
# Marks of what the transcriber quotes, or did not make out; somebody begins again after "well".
_MARKS = regex(
    r"[@\"“”]|\.\.\.|\b(?:the|an?), |, (?:then|huh|like)\W*$"
    r"|,? well,? (?!known|being|suited|enough|as\b|on\b|in\b|under|off|done)"
)
# A word of two or three letters that is in no list, and said no more often, is broken off.
_MOST_TIMES_BROKEN = 4
# A word with a capital that has none but at the beginning of a sentence.
_CAPITAL = regex(
    r"(?<=[a-z,;] )(?:Yeah|Yes|No|Yep|Okay|OK|Well|Alright|And|But|So|We|You|They|He|She|It|This|That|These"
    r"|Those|There|The|An?|What|Which|Who|How|When|Where|Why|If|Is|Are|Was|Do|Does|Did|Can|Could|Will|Would"
    r"|Should|Have|Has|Had|Let|Just|Maybe|Because|Not|For|Like|My|Our|Your|Their|Then|As|In|On|At|To|Of|Or"
    r"|Also|Actually|Basically|Some|All|One|Two|Three)\b(?! [A-Z])"
)


def is_torn(text: str, spoken: Counter[str]) -> bool:
    """Whether anything shows that what is said in English, as it is quoted, is not one sentence.

    Args:
        text: What is said.
        spoken: How often each word is said in the conversation, in small letters.
    """
    lowered = text.lower()
    if _CAPITAL.search(text) or _MARKS.search(lowered) or begins_again(text):
        return True
    spaced = f" {lowered}"
    if _SLIPS.search(spaced) or BEGUN_TWICE.search(spaced) or FRAGMENT.search(f" {text}"):
        return True
    if any(spoken[word] <= _MOST_TIMES_BROKEN for word in broken_words(text)):
        return True
    words = WORD.findall(lowered)
    return has_piece(words, spoken) or is_begun_anew(text, lowered, words, spoken)


def begins_again(text: str) -> bool:
    """Whether somebody begins again in what is said, or ends with an answer."""
    end = max(0, len(text) - _LONGEST_ANSWER)
    return _BEGINS_AGAIN.search(text) is not None or _ANSWERS_AT_END.search(text, end) is not None


def is_begun_anew(text: str, lowered: str, words: Sequence[str], spoken: Counter[str]) -> bool:
    """Whether a word breaks off in what is said in English, or its words do not go on from one another."""
    return (
        any(spoken[word] == 1 for word in broken_words(text))
        or _GOES_ON_WRONG.search(f" {lowered}") is not None
        # A quick test: in many sentences no word comes again.
        or (len(set(words)) < len(words) and _says_again(lowered))
    )


def _says_again(lowered: str) -> bool:
    """Whether words are said again; "bus number nine replaces bus number four" names two."""
    found = _SAID_AGAIN.search(f" {lowered}")
    return found is not None and (found[1] is None or any(map(is_function_word, found[1].split())))


def has_piece(words: Sequence[str], spoken: Counter[str] | None) -> bool:
    """Whether a word in small letters is the beginning of one of the next, and no word itself."""
    long = [word if len(word) >= _SHORTEST_PIECE else _NO_PIECE for word in words]
    if not any(any(map(str.startswith, words[ahead:], long)) for ahead in range(1, _PIECES_AHEAD + 1)):
        return False
    return any(
        _SHORTEST_PIECE <= len(word) <= _LONGEST_PIECE
        and other.startswith(word)
        and len(other) > len(word)
        and not is_function_word(stem(word))
        and (other[len(word) :] not in _INFLECTIONS or _is_said_once(word, other, spoken))
        for place, word in enumerate(words)
        for other in words[place + 1 : place + 1 + _PIECES_AHEAD]
    )


def _is_said_once(word: str, other: str, spoken: Counter[str] | None) -> bool:
    """Whether a conversation in English has a word only once, and the other is not its plural or like it."""
    return spoken is not None and spoken[word] == 1 and other[len(word) :] not in ("s", "es", "er")
