"""Claims that an essay reports in order to refute them: "Some argue that … However, …".

Quoted alone such a claim would stand for what the text itself holds.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

# What one does who holds something, and what several do; of some words only where that is plain.
_THAT = r"(?:object|fear|charge|state|stress|proclaim|pretend|complain)"
_CLAIMS = (
    r"(?:argue[sd]|claim(?:s|ed)|assert(?:s|ed)|contend(?:s|ed)|maintain(?:s|ed)|insist(?:s|ed)|allege[sd]"
    r"|accuse[sd]|suggest(?:s|ed)|sa(?:ys|id)|believe[sd]|thinks)"
)
_CLAIM = (
    r"(?:argue[d]?|claim(?:ed)?|assert(?:ed)?|contend(?:ed)?|maintain(?:ed)?|insist(?:ed)?|allege[d]?"
    r"|accuse[d]?|suggest(?:ed)?|sa(?:y|id)|believe[d]?|think"
    rf"|deny|denied|{_THAT}(?:e?d)?(?= that\b))"
)
_CLAIM_VERB = rf"(?:{_CLAIMS}|{_CLAIM}|{_THAT}(?:s|es|e?d)?(?= that\b))"
_ADVERBS = r"(?:(?:often|also|usually|then|sometimes|even|have|has|do|does|once|still|\w+ly) )*"
# What cannot report a claim, which is looked at no further; of text after a space.
_MAY_CLAIM = regex(
    rf"\W(?:{_CLAIM_VERB}|claimed|argued|supposed|thought|According to"
    r"|argument|claim|objection|assertion|contention|notion|criticism|charge|accusation)\b",
)
_BEFORE = (
    r"(?:(?:Thus|Therefore|Hence|So|Indeed|And) )?"
    r"(?:(?!(?:While|Whilst|Although|Though|Unlike|Contrary|Despite|Rather|As(?! well as))\b)"
    r"[A-Z][^.;:]{2,140}?, )?"
)
# "Some economists argue that"; "it is often said that"; "According to many critics"; "The usual argument is".
_OF_SOME = regex(
    rf"{_BEFORE}(?:"
    r"(?:[Tt]he )?(?i:some|many|most|several|certain|a few|critics|opponents|supporters|defenders|proponents"
    r"|advocates|apologists|detractors)\b(?P<who>(?:(?!who |that )[^.,;:]){0,60}?(?: \([^)]*\))?) "
    rf"{_ADVERBS}{_CLAIM}\b"
    r"|[Ii]t (?:is|was|has been|could be|may be|might be|can be|will be) (?:\w+ )?(?:claimed|argued|said"
    r"|asserted|objected|alleged|suggested|supposed|thought|believed)(?= that\b)"
    r"|(?:[A-Z]\w+, )?it is (?:often |sometimes )?(?:claimed|argued|said|alleged), "
    r"|[Aa]ccording to (?:many|some|most|critics|opponents|supporters|this (?:argument|view|claim|theory))\b"
    # Its own abbreviations and brackets do not end it: "The (i.e. liberal) argument is".
    r"|(?:[Tt]he|[Hh]is|[Hh]er|[Tt]heir|[Aa]nother|[Oo]ne|[Tt]his)\b"
    r"(?:[^.;:(]|\([^)]*\)){0,100}? (?:argument|claim"
    r"|objection|assertion|contention|notion|criticism|charge|accusation)"
    r" (?:(?:is|was|goes|runs) that\b|against\b)"
    r")"
)
# "Engels argued that"; "Marxists often accuse".
_OF_ONE = regex(
    rf"{_BEFORE}(?P<who>(?:[A-Z][\w.’'-]+ ){{1,3}})(?:\([^)]*\) )?(?<= )"
    rf"(?:{_ADVERBS}{_CLAIM_VERB}\b|raises? (?:an?|another|one|two) )"
    rf"|{_BEFORE}(?P<name>[A-Z][\w’'-]+), [^,;.]{{3,40}}, {_CLAIM_VERB}\b"
)
# People who hold something: "anarchists argue".
_SPEAKER = regex(rf"\b([a-z]{{4,}}s) {_ADVERBS}{_CLAIM_VERB}\b")
# Who speaks for the text itself, or is nobody.
_SELF = frozenset(
    {"i", "we", "as", "this", "that", "these", "those", "it", "they", "he", "she", "you", "one", "there"}
    | {"some", "many", "most", "several", "let's"}
)
# What turns to what the text holds, or denies what was said: no word of regret, nor what was wrong elsewhere.
_TURNS = regex(
    r"(?:however|but|yet|of course not|in (?:reality|fact|truth)|nothing could be further|not so|far from it"
    r"|on the contrary|both are wrong)\b"
    r"|(?:this|that)(?: (?:claim|argument|view|notion|belief))? is (?:simply |just |plainly |quite |also )?"
    r"(?:false|wrong|nonsense|a (?:common )?(?:myth|misconception)|untrue|incorrect|mistaken|absurd)\b",
    re.IGNORECASE,
)
_DENIES = regex(
    r"\b(?:fallac\w+|refut(?:es?|ed)|answers? to (?:this|that)"
    r"|(?:this|that|it) is not (?:true|so|the case))\b",
    re.IGNORECASE,
)
# What is granted at first sight, before a sentence that turns: "In theory the gate could always be open."
_AT_FIRST_SIGHT = regex(
    r"(?:in (?:theory|principle)|on paper|on the face of it|ideally|at first (?:glance|sight)|na[iï]vely"
    r"|one (?:could|might|may)"
    r"|(?:it|this) (?:may|might|could) (?:at first )?(?:seem|appear|look|be tempting)"
    r"|you (?:may|might) (?:think|expect|suppose|be tempted)|it (?:is|would be) tempting to)\b",
    re.IGNORECASE,
)
# What one could do so is never what is done.
_ONE_COULD = regex(r"One (?:could|might) (?:of course|simply|just|always|na[iï]vely)\b")
_TURNS_AWAY = regex(
    r"(?:but|however|yet|unfortunately|alas|regrettably|in (?:practice|reality|fact)|nevertheless|nonetheless"
    r"|sadly|still,|the (?:problem|trouble|catch|drawback|downside|difficulty)\b(?: \w+){0,4}? is)\b"
    r"|[^,.;:]{2,40}, (?:however|though|unfortunately),",
    re.IGNORECASE,
)
_TURNS_WITHIN = regex(
    r"\b(?:but|however|yet|although|though|unfortunately|in (?:practice|reality)|whereas|while|except"
    r"|unless)\b"
)
# A claim that is judged in the words that report it, or what goes on with it to judge it.
_JUDGES = regex(
    r"\b(?:fallac\w+|false(?:hoods?|ly)?|mistaken(?:ly)?|wrong(?:ly)?|nonsens\w+|refut\w+|unconvinc\w+|dubious"
    r"|myths?|flaw(?:s|ed)?|mislead\w*|misunderst\w+|misrepresent\w*|misconception\w*|confus(?:es?|ed|ing|ion)"
    r"|makes? (?:little|no) sense|answers? to|ignor(?:es?|ed|ing|ance)|fails? to|absurd\w*|untrue|incorrect"
    r"|erroneous(?:ly)?|overlooks?|is not (?:true|so|the case)|ha(?:s|ve) no basis|contradict\w*)\b",
    re.IGNORECASE,
)
# What goes on to set a claim forth: "This is because", "Thus"; within how many sentences.
_GOES_ON = regex(
    r"(?:this|these|thus|therefore|hence|so|because|if|as such|consequently|that|they|he|she|his|her|their|it"
    r"|such|in (?:this|other words|terms)|the (?:basic|whole))\b",
    re.IGNORECASE,
)
_MOST_ON = 3
# A claim with what is against it.
_WITH_ANSWER = regex(r"[,;] (?:but|yet|however)\b|\bbut (?:there|this|that|it) ")
# Headings under which claims are answered.
_DISPUTED = regex(
    r"\?\W*$|[’']s? arguments?\b|\b(?:refut\w+|claims?|arguments? (?:against|for)|objections?"
    r"|myths?|misconceptions?|criticisms?|critics|fallac\w+)\b",
    re.IGNORECASE,
)
# Within how many sentences a claim of some, or of one who is named, is answered there, and elsewhere.
_SOME_ANSWERED_WITHIN, _ONE_ANSWERED_WITHIN, _ANSWERED_WITHIN = 20, 8, 1
# News have fewer sections than an essay that tells of events, and report what others say because it counts.
_LEAST_SECTIONS_OF_AN_ESSAY, _LEAST_SENTENCES_OF_NEWS = 4, 6
# How often people are said to hold something where the text speaks for them.
_OFTEN = 4


def refuted_claims(candidates: Candidates) -> BoolArray:
    """Which sentences report a claim that is answered, or go on to set it forth in its paragraph.

    Under a heading that asks or names a claim the answer comes within some sentences, elsewhere at once; what
    tells of events refutes only under such a heading, and news refute nothing.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    found = np.zeros(len(texts), bool)
    may = [number for number, text in enumerate(texts) if _MAY_CLAIM.search(f" {text}")]
    is_of_events = len(texts) >= _LEAST_SENTENCES_OF_NEWS and candidates.is_of_events
    if not may or (is_of_events and len(candidates.every_section) < _LEAST_SECTIONS_OF_AN_ESSAY):
        return found
    speakers = _own_speakers([texts[number] for number in may])
    # A name is never written small.
    small = frozenset(word for number in may for word in texts[number].split() if word.islower())
    disputed: dict[str, bool] = {}
    for number in may:
        heading = candidates.sections[number].heading or ""
        if heading not in disputed:
            disputed[heading] = _DISPUTED.search(heading) is not None
        if found[number] or (is_of_events and not disputed[heading]):
            continue
        within = _answered_within(texts[number], speakers, small, is_disputed=disputed[heading])
        section = candidates.section[number]
        after = range(number + 1, min(len(texts), number + 1 + within))
        if not any(candidates.section[row] == section and _answers(texts[row]) for row in after):
            continue
        found[number] = True
        for row in range(number + 1, min(len(texts), number + 1 + _MOST_ON)):
            is_within = candidates.section[row] == section and not candidates.opens_paragraph[row]
            if not is_within or _judges(texts[row]) or _GOES_ON.match(texts[row]) is None:
                break
            found[row] = True
    return found


def granted_at_first_sight(candidates: Candidates) -> BoolArray:
    """Which sentences grant what the next one takes back: "In theory it could. But nobody has tried."."""
    sentences, section = candidates.sentences, candidates.section
    found = np.zeros(len(sentences), bool)
    for row in range(len(sentences) - 1):
        text = sentences[row].text
        found[row] = (
            _AT_FIRST_SIGHT.match(text) is not None
            and section[row] == section[row + 1]
            and _TURNS_WITHIN.search(text) is None
            and (_ONE_COULD.match(text) is not None or _TURNS_AWAY.match(sentences[row + 1].text) is not None)
        )
    return found


def _answers(text: str) -> bool:
    return _TURNS.match(text) is not None or _DENIES.search(text) is not None


def _judges(text: str) -> bool:
    return _answers(text) or _JUDGES.search(text) is not None


def _answered_within(text: str, speakers: frozenset[str], small: frozenset[str], *, is_disputed: bool) -> int:
    """Within how many sentences a claim of others, with no word against it, is answered; 0: it is none."""
    if _judges(text) or _WITH_ANSWER.search(text):
        return 0
    some = _OF_SOME.match(text)
    if some is not None:
        is_own = not speakers.isdisjoint((some["who"] or "").lower().split())
        return 0 if is_own else _SOME_ANSWERED_WITHIN if is_disputed else _ANSWERED_WITHIN
    one = _OF_ONE.match(text) if is_disputed else None
    if one is None:
        return 0
    who = (one["who"] or one["name"]).lower().split()
    if not (_SELF.isdisjoint(who) and speakers.isdisjoint(who)) or who[-1].split("-")[-1] in small:
        return 0
    # "Marxists" are some.
    return _SOME_ANSWERED_WITHIN if who[-1].endswith("s") else _ONE_ANSWERED_WITHIN


def _own_speakers(texts: list[str]) -> frozenset[str]:
    """The people whom the text says so often to hold something that it speaks for them."""
    counts = Counter(each[1] for text in texts for each in _SPEAKER.finditer(text))
    return frozenset(who for who, count in counts.items() if count >= _OFTEN)
