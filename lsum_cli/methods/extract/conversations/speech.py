"""Speech as it is written down to be read: without fillers, words said twice and words broken off.

A transcript that keeps every sound is hard to read: "Um so the com the um the uh the commitment is the
following, we don't go for speech recognition." Minutes quote it as editors do ("clean verbatim"): fillers,
repetitions and words broken off are left out, what is left hanging ends in an ellipsis, and no word is added
or put in the place of another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import eq

from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import is_function_word

ELLIPSIS = "…"

# Sounds that are no words, with the commas around them.
_SOUNDS = (
    r"(?:,? ?(?<![\w'’-])(?<!\d )(?:[Uu]h*m+|[Uu]h+|[Ee]r+m?|[Ee]h+m*|[Mm]m+(?:-?hmm*)?|[Hh]m+)(?![\w'’-]))+"
)
_SOUND = regex(rf"{_SOUNDS},*(?=\W|$)")
# "not, uh, not": a word said again after a sound.
_RESTARTED = regex(rf"(?<![\w'’-])([\w'’]+){_SOUNDS},* (?=(?i:\1)(?![\w'’-]))")
# What every such sound is, and some others; it is found faster.
_LIKE_SOUND = regex(r"[UuEeMmHh](?<![\w'’-].)[hmr-]+(?![\w'’-])")
# Only between commas: "what you know, …", "fruit we like, such as …" are what is said. "I guess" says how
# sure somebody is and stays.
_ASIDE = regex(
    r"(?P<before>[\w'’-]+)(?P<sounds>(?:,? (?:uh+|u[hm]+|er+m?))*)(?P<comma>,?)"
    r"(?P<said>(?: (?:you know|i mean|like),)+)(?: (?:uh+|u[hm]+|er+m?),?)*(?= (?P<after>[\w'’-]+))",
    re.IGNORECASE,
)
# What every such aside has, in small letters.
_ASIDES = ("you know,", "i mean,", ", like,")
_BE_HAVE_DO = (
    r"am|is|are|was|were|be|been|being|has|have|had|having|do|does|did|can|could|will|would|shall|should|may"
    r"|might|must|\w+n['’]t|\w+['’](?:s|re|ll|ve|d|m)"
)
# After these, and before a verb that goes on with a subject, nobody sets a comma; before what begins a
# clause one may stand.
_JOINS = regex(
    r"(?:and|but|or|so|that|because|if|when|where|while|than|as|a|an|the|my|our|your|their|its|this|these"
    r"|of|to|for|in|on|at|by|from|with|into|about|very|really|more|think|thought|guess|believe|hope|suppose"
    rf"|feel|get|got|need|want|make|take|use|{_BE_HAVE_DO})",
    re.IGNORECASE,
)
_CONJUNCTION = regex(r"(?:and|but|or|so|that|because|if|when|while)", re.IGNORECASE)
# "could get, you know, new jackets": a verb whose object is to come.
_VERB_AHEAD = regex(
    r"\b(?:to|can|could|will|would|shall|should|may|might|must"
    r"|(?:do|does|did|can|could|wo|would|should)n['’]t"
    r"|[\w]+['’]ll) \w+$",
    re.IGNORECASE,
)
_DETERMINED = regex(r"(?:the|an?|this|that|these|those|my|our|your|their|what|how|why)$", re.IGNORECASE)
_ASIDE_ALONE = regex(
    r", (?:you know|like)(?=,)|^(?:(?:and|but|so|well|no|yes|yeah|okay|oh|now|u[hm]+),? )+", re.IGNORECASE
)
_PREDICATE = regex(rf"(?:{_BE_HAVE_DO})", re.IGNORECASE)
_OPENS_CLAUSE = regex(
    r"(?:i|we|you|they|he|she|it|there|and|but|or|so|because|if|when|while|where|which|who|although|though"
    r"|maybe|perhaps|let)(?:['’]\w+)?",
    re.IGNORECASE,
)
_REPEATED = regex(r"(?<![\w'’-])((?:[\w'’]+,? ){0,3}[\w'’]+)(?:,| -)? \1(?![\w'’-])", re.IGNORECASE)
# What may come twice: "that that", "had had", "very very", "not, not now", and numbers.
_TWICE = frozenset(
    (
        "that",
        "had",
        "very",
        "really",
        "so",
        "much",
        "many",
        "more",
        "long",
        "far",
        "again",
        "no",
        "not",
        "never",
    )
)
# Of these only a pause with a sound makes sure that they were said once too often.
_TWICE_UNLESS_RESTARTED = frozenset(("that", "had", "not", "never"))
_NUMBER = regex(
    r"\d"
    r"|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
# "we we're", "that that's".
_CONTRACTED = regex(r"(?<![\w'’-])(\w+),? (?=\1['’]\w)", re.IGNORECASE)
# "w we", "pr project": a word begun again that can be none itself: a state states, an act actually requires.
_BEGUN = regex(r"(?<![\w'’.-])([b-df-hj-np-tv-z]{1,5}|[a-z]{2}),? (?=\1[a-z])", re.IGNORECASE)
# "pro- project"; not "re- recorded", and no word before a dash.
_BROKEN_OFF = regex(r"(?<![\w'’.-])(?!(?:re|co)-)([a-z]{1,6})-,? (?=\1[a-z])", re.IGNORECASE)
# "to m to find", "so w that is": a letter that is no word, after a word that hardly names one ("plan b").
_LETTER = regex(
    r"\b(i|we|you|they|he|she|it|to|and|but|or|so|if|because|is|are|was|were|have|has|had|can|could|will"
    r"|would|should|do|does|did|not|just|with|at|from|about|there|then|when|i['’]m|we['’]re|it['’]s"
    r"|that['’]s) [b-hj-np-z],? (?=[a-z]{2}|I\b|I['’])(?!(?:is|are|was|or|and|equals|plus|minus|times)\b)"
    r"|\b(the|an?|this|that|my|our|your|their) [b-hj-np-z],? "
    r"(?=(?:the|an?|this|that|my|our|your|their|we|you|they|it|he|she|to|of|in|for|I)\b)",
    re.IGNORECASE,
)
# "Th I mean, if", "G And it", "Um w the lid": a piece of no word that opens a sentence, where what follows
# shows that it is begun anew. What may be a word ("try"), an abbreviation ("Dr") or a name ("x and y") stays:
# two letters begin an English word and are no abbreviation, and no letter is one that often names something.
_LETTER_ALONE = "f-hj-mp-tvw"
# Nor do these before a noun: "K keys", "R regression", "T tests".
_SELDOM_A_NAME = regex(r"[F-HJLMPQSVW]")
_OPENING_PIECE = regex(
    r"(?:[Bb]l|[Kk]n|[Pp]l|[Ss][hklnw]|[Tt][hrw]|[Ww][hr])(?: -)? (?:(?=I mean\b)|(?<=- )(?=[a-z]))"
    rf"|[{_LETTER_ALONE.upper()}{_LETTER_ALONE}](?: -)? (?=I mean\b)"
    # No name in capital letters goes on in small ones: "Q And A".
    r"|[B-HJ-WYZb-hj-wyz](?: -)? (?=(?:And|But|So|Because|If|When|Say,|We|You|They) (?:[a-z]|I\b))"
    r"|[B-HJ-Zb-hj-z](?: -)? (?=(?:Actually|Yeah|Yes|Okay|OK|Well|Maybe|Of course)\b)"
    r"|[Oo] (?=Okay\b|OK\b|Oh\b)"
    rf"|[{_LETTER_ALONE}](?: -)? (?=(?:the|if) )"
    rf"|[{_LETTER_ALONE.upper()}{_LETTER_ALONE}](?: -)? (?=(?:it|we|they|there|that|you|i)['’](?:s|re|m|ll"
    rf"|ve|d) )"
)
# "we've we have"; not "it's IT has to decide".
_SAID_IN_FULL = regex(
    r"(?<![\w'’-])(i|we|you|they|he|she|it|there)['’]"
    r"(?:ve,? (?=\1 have\b)|re,? (?=\1 are\b)|s,? (?=\1 (?:has|is|are)\b)|m,? (?=\1 am\b)|ll,? (?=\1 will\b)"
    r"|d,? (?=\1 (?:had|would)\b))(?-i:(?![A-Z]{2}))",
    re.IGNORECASE,
)
_LETTERS = frozenset("bcdefghjklmnpqrstuvwxyz")
_PRONOUN = r"(?:i|we|you|they|he|she|it|there|maybe|let|so|and|yeah|okay|oh|well|right)\b(?! (?:on|forth)\b)"
_DETERMINER = r"(?:the|an?|this|our|my|your)\b"
_OPENS = regex(
    r"(?:and,? (?!so (?:on|forth)\b)(?=\S)"
    rf"|so(?:, ?(?=\S)| (?={_PRONOUN}|{_DETERMINER}|(?:if|when|for|in|but|how|why|who)\b))"
    rf"|(?:yeah|yep|yup|okay|ok|['’]?kay|oh|ah)(?:[,.!;]+ | (?={_PRONOUN}|{_DETERMINER}))"
    rf"|(?:alright|all right|right|well|anyway|basically|actually)(?:[,.!;]+ | (?={_PRONOUN}))"
    rf"|well (?={_DETERMINER}|(?:if|perhaps|what|first|yes|no)\b)"
    r"|i mean (?=(?:i|we|they|it|there|he|she|that|this|if|the)\b)"
    r"|(?:sorry|sure|now|you know|i mean)[,.!;]+ (?:and |but )?)+",
    re.IGNORECASE,
)
# A question keeps its "right?". With a comma: "I was right", "what you know" are what is said.
_CLOSES = regex(
    r"(?:[\s,;:–—-]+yeah|\s*[,;:–—-]\s*(?:okay|ok|right|you know|i mean))+[\s,.;:–—-]*$|[\s,;:–—-]+$",
    re.IGNORECASE,
)
# "Sixty - two", "non - native": a transcriber's spaces around a hyphen.
_SPACED_HYPHEN = regex(
    r"\b((?:twen|thir|for|fif|six|seven|eigh|nine)ty|non|semi|multi|pre|post|co|self|anti|cross) - "
    r"(?=[a-z])",
    re.IGNORECASE,
)
# How the text ends that has such a close, in small letters and without the marks.
_CLOSING_WORDS = ("yeah", "okay", "ok", "right", "you know", "i mean")
_CLOSING_MARKS = " \t\n\r\f\v\xa0,.;:–—-"
# What is left hanging.
_JOINS_NOTHING = regex(r"[\s,;:–—-]+(?:and|but|or|because|['’]?cause)[\s,.;:–—-]*$", re.IGNORECASE)
# What also hangs where a sentence has no stop.
_HANGS = regex(
    r"(?:[\s,;:–—-]+(?:and|but|so|or|because|['’]?cause|the|a|an|of|to|that|which|with|if|is|are|as|for|like"
    r"|['’]))+[\s,.;:–—-]*$",
    re.IGNORECASE,
)
_STOP = regex(r"[.!?…][\"'”’)\]]*$")
# "the the the the".
_MOST_TIMES = 3
# ", okay," in the middle.
_ASSURANCE = regex(r",(?: (?:okay|ok|yeah),)+", re.IGNORECASE)
# How a sentence goes on from what is said before it.
_GOES_ON = regex(r"(?:(?:yes|yeah|yep|no),? (?=but\b))?(?:but|then)(?:, | (?=[\w'’]))", re.IGNORECASE)
_SPACE_LEFT = regex(r"\s+(?=[,.;:!?…])")
_COMMAS = regex(r",(?:\s*,)+|^[\s,.;]+")
# Words of two letters, with which others begin.
_OF_TWO_TEXT = (
    "ad ah ai am an as at be by do ed eh em ex go ha he hi id if in is it la ma me mr ms my no of oh ok on op"
    " or ox pa pc pi pm re so to tv uk un up us we cm kg km mm vs"
)
# Words of three letters that people say.
_OF_THREE_TEXT = (
    "abs ace act add ado ads age ago aha aid aim air ale all and ant any ape api app apt arc are arm art ash"
    " ask"
    " ass ate awe axe aye bad bag ban bar bat bay bed bee beg bet bid big bin bit bow box boy bug bun bus"
    " but buy bye cab can cap car cat cop cow cry cub cue cup cut cuz dad dam day deb den dew did die dig"
    " dim dip div doc dog don dot dry due dug duo dye ear eat egg ego ehm elf elk end era etc eve eye fab"
    " fan far fat fax fed fee few fig fin fit fix flu fly fog for fox fry fun fur gap gas gay gel gem get"
    " gig god got gum gun gut guy gym had hah ham has hat hay hen her hey hid him hip his hit hmm hoc hog"
    " hon hop hot how hub hug huh hut ice icy ill imp ink inn ion ish its jam jar jaw jet job jog joy key"
    " kid kin kit lab lad lag lap law lax lay led leg let lid lie lip lit log lot low mad man map mat max"
    " may mel men met mic mid mix mmm mob mom mud mug mum nah nap nay nee net new nil nod non nor not now"
    " nun nut oak oat odd off oil old one ooh opt ore our out owe own pad pal pan pay pea pen per pet pie"
    " pig pin pit pop pot pro pub put ran rat raw ray red rep rib rid rig rip rob rod row rub rug run sad sat"
    " saw say sea see set sew sex she shy sin sip sir sit six ski sky sly son sow spa spy sub sue sum sun tab"
    " tag tan tap tar tax tea tel ten the thy tie tin tip toe ton too top toy try tub two ups urn use van"
    " var vet via vie vow war was wax way web wed wee wet who why wig win wit won wow yay yea yen yep yes"
    " yet you zap zip zoo"
)
_SHORT_WORDS = frozenset((*_OF_TWO_TEXT.split(), *_OF_THREE_TEXT.split()))
# With which names begin: "Dr Drew", "St Stephen's".
_ABBREVIATIONS = frozenset(("Br", "Dr", "Fr", "Ft", "Hr", "Jr", "Lt", "Mrs", "Mt", "Sr", "St"))
_SHORT_WORD = regex(r"(?<![\w'’.&@-])(?:[a-z]{2,3}|i)(?![\w'’-]|\.\w)")
WORD = regex(r"[\w'’]+")
# "I" of "I'm".
_STEM = regex(r"\w+")
_MOST_WORDS = 4  # said again at once


@lru_cache(maxsize=1 << 15)
def tidy(text: str) -> str:
    """What a speaker says in a sentence, as an editor would quote it.

    Args:
        text: The sentence, without the name of its speaker.

    Returns:
        The sentence; empty where nothing but sounds was said.
    """
    # Most sentences need few of the substitutions; each is tried where a quick test says that it may apply.
    made, lowered = text, text.lower()
    if any(aside in lowered for aside in _ASIDES):
        made = _ASIDE.sub(_aside, made)
    if _LIKE_SOUND.search(made):
        made = _RESTARTED.sub(_restarted, made)
        made = _SOUND.sub("", made)
    if " ok" in lowered or " yeah," in lowered:
        made = _ASSURANCE.sub(",", made)
    words = WORD.findall(made.lower())
    if not _LETTERS.isdisjoint(words):
        made = _LETTER.sub(lambda found: f"{found[1] or found[2]} ", made)
        words = WORD.findall(made.lower())
    if _may_stumble(words):
        for pattern, once in (
            (_BROKEN_OFF, _begun),
            (_BEGUN, _begun),
            (_REPEATED, _repeated),
            (_CONTRACTED, _dropped),
            (_REPEATED, _repeated),
        ):
            made = _without(pattern, made, once)
    if " - " in made:
        made = _SPACED_HYPHEN.sub(r"\1-", made)
    if "'" in made or "’" in made:
        made = _SAID_IN_FULL.sub("", made)
    made = _COMMAS.sub(lambda found: "," if found[0].startswith(",") and found.start() else "", made)
    made = _SPACE_LEFT.sub("", made)
    for pattern in (_OPENS, _OPENING_PIECE, _OPENS):
        opening = pattern.match(made)
        if opening is not None and opening.end() < len(made):
            made = made[opening.end() :]
    stopped = _STOP.search(made)
    body, ending = (
        (made[: stopped.start()], stopped[0]) if stopped else (_HANGS.sub("", made), f" {ELLIPSIS}")
    )
    if not ending.startswith("?"):
        if body[-1:] in _CLOSING_MARKS or body.rstrip(_CLOSING_MARKS).lower().endswith(_CLOSING_WORDS):
            body = _CLOSES.sub("", body)
        if (hanging := _JOINS_NOTHING.search(body)) is not None:
            body, ending = body[: hanging.start()], f" {ELLIPSIS}"
    if _STEM.search(body) is None:
        return ""
    return body[0].upper() + body[1:] + ending


def broken_words(text: str) -> list[str]:
    """The words of two or three letters that may be none, but the beginnings of some that were broken off."""
    return [word for word in _SHORT_WORD.findall(text) if word not in _SHORT_WORDS]


def begin_anew(text: str) -> str:
    """What a speaker says, as it is quoted where what it goes on from is not: "But we agreed" agreed."""
    found = _GOES_ON.match(text)
    return text[found.end() :][:1].upper() + text[found.end() + 1 :] if found else text


def _aside(found: re.Match[str]) -> str:
    """What stays of a word and the aside after it: with both commas, one or none; as said where in doubt."""
    before, after, said = found["before"], found["after"], found["said"].lower()
    as_said = f"{before},{found['said']}"
    is_conjunction = _CONJUNCTION.fullmatch(before) is not None
    if not (found["comma"] or found["sounds"]):
        return before if is_conjunction and "like" not in said else found[0]
    opens_clause = _OPENS_CLAUSE.fullmatch(after) is not None
    if "i mean" in said:
        # It often puts right what was said: "ten, I mean, eleven".
        return before if is_conjunction else f"{before}," if opens_clause else as_said
    if before.lower() == after.lower():
        return f"{before},"
    if _JOINS.fullmatch(before):
        return before
    if opens_clause:
        return f"{before},"
    ahead = found.string[: found.end("before")]
    if _VERB_AHEAD.search(ahead) and _DETERMINED.match(after) is None:
        return before
    if _PREDICATE.fullmatch(after) and "," not in _ASIDE_ALONE.sub("", ahead):
        return before
    return as_said


def _restarted(found: re.Match[str]) -> str:
    """A word before a sound after which it is said again: left out, or kept where both may be meant."""
    word = found[1]
    if word.lower() in _TWICE_UNLESS_RESTARTED:
        # The second stays as it was said: "Not, uh, not" opens a sentence.
        return ""
    may_be_meant = word.lower() in _TWICE or _NUMBER.search(word) or _is_name(word)
    return f"{word}, " if may_be_meant else f"{word} "


def _begun(found: re.Match[str]) -> str:
    """Nothing of a word begun again; what may be a word, an abbreviation or a name as it was said."""
    piece = found[1]
    if piece.lower() in _SHORT_WORDS or piece in _ABBREVIATIONS or (len(piece) > 1 and piece.isupper()):
        return found[0]
    if piece.isupper() and "-" not in found[0]:
        # "W we think" and "S since" open a sentence; "vitamin C can" and "C compilers" name something.
        again = _STEM.findall(found.string[found.end() :])[0]
        is_piece = again.islower() and (
            _SELDOM_A_NAME.match(piece) is not None
            or (is_function_word(again) and _PREDICATE.fullmatch(again) is None)
        )
        if found.start() or not is_piece:
            return found[0]
    return ""


def _dropped(_: re.Match[str]) -> str:
    return ""


def _repeated(found: re.Match[str]) -> str:
    said = found[1]
    again = found[0][-len(said) :]
    if said.lower() == "i" and "," in found[0] and found.string.startswith(" mean ", found.end()):
        # "Ten tenants and I, I mean eleven": who speaks begins another sentence.
        return found[0]
    return found[0] if _is_name(again) or said.lower() in _TWICE or _NUMBER.search(said) else said


def _is_name(text: str) -> bool:
    return text[0].isupper() and not is_function_word(_STEM.findall(text.lower())[0])


def _without(pattern: re.Pattern[str], text: str, once: Callable[[re.Match[str]], str]) -> str:
    """A text with what is said twice said once."""
    for _ in range(_MOST_TIMES):
        if pattern is _REPEATED and not _says_again(text):
            break
        made = pattern.sub(once, text)
        if made == text:
            break
        text = made
    return text


def _may_stumble(words: Sequence[str]) -> bool:
    """Whether words in small letters are said again, or begin the next one, whatever stands between."""
    return any(map(str.startswith, words[1:], words)) or _are_said_again(words)


def _says_again(text: str) -> bool:
    return _are_said_again(WORD.findall(text.lower()))


def _are_said_again(words: Sequence[str]) -> bool:
    """Whether up to four words are the same as the next ones: a quick test."""
    return any(
        b"\x01" * length in bytes(map(eq, words, words[length:])) for length in range(1, _MOST_WORDS + 1)
    )
