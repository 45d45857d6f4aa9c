"""Cue phrases of guides, posts and news (Edmundson 1969): what rules, concludes, announces, calls or credits.

An author speaks of the subject, and in between to the reader: what the post will be about, what to click, who
helped. Of such sentences a summary needs none; of those that say what it all came to it needs one. Of a guide
readers want the rules: what must be, what is so by default, and what the thing is good for. They are
known by their wording, in English; announcements and calls in German and French too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.sentences.anaphora import turns_to_other_story
from lsum_cli.methods.extract.sentences.boilerplate import stands_under_calls
from lsum_cli.methods.extract.sentences.trimming import DATELINE
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

# What each adds to a score, in standard deviations of what readers would prefer.
_LEADS, _CONCLUDES, _TURNS, _TELLS_NEWS, _MEASURES = 0.7, 0.6, 0.5, 0.5, 0.3
_CLOSES, _TAKES_SIDES = 0.5, 0.5
_ANNOUNCES, _CALLS, _CREDITS, _GENERAL = -1.2, -2.0, -3.0, -0.7
# The same of what tells of events: its first sentence about the title, what stands before that, how many,
# what comes next, what was decided or found, what somebody says, what takes more words than an event does;
# what somebody who is accused replies, what was long before, and with what another story begins.
_LEADS_TO_EVENTS, _SETS_SCENE = 1.0, -0.6
_COUNTS, _COMES, _DECIDES, _QUOTES, _AT_LENGTH = 0.5, 0.6, 0.5, -1.3, -0.8
_REPLIES, _BACKGROUND, _OTHER_STORY = 0.6, -1.2, 0.4
_WORDS_OF_AN_EVENT = 45
_RULES, _SERVES, _HEDGES = 0.5, 0.3, -0.3
# Sentences at the beginning, where a text turns to its subject, and at the end, where it says who wrote it.
_FIRST, _LAST = 12, 5

_LEAST_OF_A_TITLE = 2  # words
_OF_A_TITLE = 0.5
_CONCLUSION = regex(
    r"(?:(?:but|and|yet) )?(?:(?:thus|so|overall|in short|in sum|in summary|in conclusion|ultimately"
    r"|all in all|all together|taken together|to sum up|roughly speaking)\b,?"
    r"|(?:as )?it (?:turns|turned) out\b"
    r"|the (?:main |real |key |biggest |short |simple |good )?(?:result|upshot|bottom line|takeaway|lesson"
    r"|conclusion|answer|point|problem|idea|catch|difference|reason)s? (?:is|are|was|were|here)\b"
    r"|we (?:found|conclude|concluded|learned)\b"
    r"|the (?:new |latest )?"
    r"(?:study|researchers?|team|report|authors?|scientists|findings?|results?|data|survey) (?:\w+ )?"
    r"(?:found|finds?|suggests?|suggested|shows?|showed|concludes?|concluded|reveals?|revealed)\b)",
    re.IGNORECASE,
)
# The turn from how things are to what the text has to say.
_TURN = regex(r"(?:But|However|Yet|Instead)\b|[^.,;:]{2,60}, however,")
_NEWS = regex(
    r"\b(?:[Ww]e|I)(?:['’]ve| have) (?:just |also |recently )?(?:been working|released|built|launched|written"
    r"|created|decided|moved|made|developed|published|rewritten|ported)\b"
    r"|\b(?:[Ww]e|I)(?:['’]re| are|['’]m| am) (?:\w+ )?(?:(?:excited|happy|pleased|proud|thrilled|glad"
    r"|delighted) to (?:announce|launch|introduce|release|present|unveil|open|offer|share)"
    r"|announcing|launching|introducing|releasing)\b"
    r"|^[Tt]oday,? (?:we|I)\b"
)
# Who writes for himself or herself, in what share of the sentences; and what such a writer thinks.
_FIRST_PERSON = regex(r"(?![“\"]).*\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y)\b")
_OF_AN_ESSAY = 0.12
_STANCE = regex(
    r"\bI(?:['’]m| am| do| still| also| strongly| really| firmly)* (?:think|believe|argue|feel|hope|wish"
    r"|suspect|doubt|suggest|recommend|prefer|conclude|disagree|urge|skeptical|sceptical|convinced"
    r"|would (?:like|have liked|argue|say|love))\b"
    r"|\bI['’]d (?:like|love|argue|say|prefer|encourage)\b"
    r"|\b[Ii]n my (?:opinion|view|experience)\b"
    r"|\b(?:should|could) (?:not )?have\b",
)
# The share of the sentences of an essay that close it. Shorter posts are read as a whole.
_CLOSING, _SENTENCES_OF_AN_ESSAY = 0.05, 60
# The end of how much or how many; a year or a version says little.
_MEASURE = regex(
    r"\d[,.]*[ -]?(?:%|percent\b|per cent\b|million\b|billion\b|thousand\b|times\b|[kMGT]B\b|years?\b"
    r"|people\b"
    r"|dollars\b|euros?\b|pounds\b|tons?\b|tonnes\b|miles\b|kilomet|months?\b|days?\b|hours?\b|minutes?\b)"
    r"|\dx\b|[$€£]\d|\d,\d{3}"
)
_DECIDED = regex(
    r"\b(?:accused|acknowledged|admitted|agreed|announced|approved|arrested|banned|charged|criticized|decided"
    r"|demanded|denied|died|discovered|estimated|fell|filed|found|grew|killed|launched|lost|opposed|ordered"
    r"|proposed|raised|refused|rejected|released|revealed|rose|ruled|showed|shows|signed|sued|suing|unveiled"
    r"|voted|warned|won)\b"
)
_COUNT = regex(r"(?<![\w.-])(?!(?:1[5-9]|20)\d\d\b)\d")
# News say who said so in such a share of the sentences.
_SAID = regex(r"\b(?:said|told|announced|according to|says)\b")
_OF_A_REPORT = 0.2
# What somebody who is accused, or asked, has to say.
_REPLY = regex(
    r"\b(?:den(?:y|ies|ied|ying)|(?:reject|dismiss|disput|refut)\w* (?:\w+ ){0,2}?(?:claims?|accusations?"
    r"|allegations?|charges?|criticisms?|suggestions?|reports?|idea)|defend(?:s|ed)|apologi[sz]ed"
    r"|said in a statement|in a statement,? (?:said|that))\b"
    r"|^(?:But|However),? (?:an? |the )?(?:[\w’'&.-]+ ){0,8}?(?:spokes(?:man|woman|person)|lawyers?"
    r"|attorneys?|officials?|executives?)\b.{0,80}\bsa(?:id|ys?)\b"
)
# Where somebody is accused, whoever of those whom the title names has something to say.
_ACCUSES = regex(
    r"\b(?:accus|alleg|lawsuit|su(?:e[sd]?|ing)\b|charge[sd]?\b|case against|fraud|harass|blame|complain"
    r"|critici[sz]|critics|indict|probe|investigat|scandal|abuse|counterfeit|arrest|warn)",
    re.IGNORECASE,
)
_SPEAKS = regex(
    r"(?P<who>[A-Z][\w-]+)(?:, [^,]{1,90},)? (?:\w+ )?(?:said|says|told|insist|argue|maintain|repl|respond)"
)
# What was long before the rest is background.
_LONG_BEFORE = regex(
    r"(?:In|During|Back in|As early as) (?:(?:early |late |mid-)?[A-Z]?[a-z]* )?(?:of )?"
    r"(?P<year>(?:19|20)\d\d)\b"
)
# Neither "by 2050" nor "2050 people".
_YEAR = regex(r"(?<![\d,.$£€-])(?<!\bby )(?:19|20)\d\d(?![\d%-]|,\d| (?:people|[a-z]+s)\b)")
_YEARS_BEFORE, _MOST_DATED = 3, 0.25
_COMING = regex(
    r"\b(?:will|would|plans? to|planned to"
    r"|(?:is|are) (?:expected|set|due|scheduled|going|planning|likely) to)\b"
)
# Searched for after a space is put before the text: so it is tried only where a word begins.
_ANNOUNCEMENT = regex(
    r"\W(?:(?:I|[Ww]e)(?:['’]ll| will|['’]m going to|['’]re going to| am going to| are going to| want to"
    r"|['’]d like to| would like to) (?:\w+ ){0,2}?(?:show(?! that)|talk|discuss|explain|cover|walk|explore"
    r"|look|describe|share|tell|start|begin|take a|dive|write|focus|go (?:over|through|into)|examine"
    r"|highlight|introduce you|keep (?:this|you)|update|post|publish|answer)\b"
    r"|[Ii]n (?:this|the next|my next|our next|a (?:future|later|follow-up|previous)|an earlier|part \w+ of) "
    r"(?:post|article|series|part|video|tutorial|blog|instal+ment|episode|column|story)\b"
    r"(?!.{0,40}\b(?:argue|propose|conclude)\b)"
    r"|(?:[Tt]his|[Tt]he) (?:post|article|series|tutorial|page|blog|column|video|story) (?:will|is going to"
    r"|looks at|walks|takes a|is about"
    r"|was (?:originally|first|last|written|updated)"
    r"|originally|first appeared|appeared)\b"
    r"|will (?:begin|start|launch) an? (?:new )?series\b"
    r"|stay tuned\b"
    r"|(?:[Tt]his|[Tt]he) (?:post|article|page|series) is (?:\w+ )?"
    r"(?:divided|organi[sz]ed|structured|split|based on)\b"
    r"|(?:it is|it['’]s) (?:now )?time to\b"
    r"|I (?:now|first) want to\b|(?<=^\W)[Ll]et(?:['’]s| us| me)\b"
    r"|(?:[Mm]öchte|[Ww]erde|[Ww]ill) (?:ich|wir)\b.{0,80}\b"
    r"(?:zeigen|erklären|vorstellen|teilen|verraten|werfen|berichten|erzählen|eingehen)\b"
    r"|(?:zeige|erkläre|verrate|erzähle|stelle) ich (?:euch|dir|Ihnen)\b"
    r"|(?:[Ii]n diesem|[Ii]m folgenden) (?:Artikel|Beitrag|Text|Video|Post)\b"
    r"|[Hh](?:eute?|ier) geht es um\b|(?<=^\W)[Ll]asst uns\b"
    r"|[Dd]ans (?:cet article|ce billet|cette vidéo)\b"
    r"|this (?:statement|post|article|page|story) (?:is |will be )?(?:updated|developing)\b)"
)
_CALL = regex(
    r"(?:(?:and|so|but|also|please|for more"
    r"|if you (?:are|have|want|would|['’]d|liked?|enjoyed?|like)\b[^,]{0,60}),? )?"
    r"(?:(?:please )?(?:click|tap|subscribe|sign up|stay tuned|read on|keep reading)\b"
    r"|(?:follow|join|contact|e-?mail|tweet|visit|ping|find|like|support) (?:us|me|our|my)\b"
    r"|follow [^.]{1,60} on (?:twitter|facebook|instagram|mastodon|linkedin|youtube)\b"
    r"|get in touch\b"
    r"|(?:share|leave|post|drop|send)(?: us| me)? (?:your|a) (?:\w+ )?"
    r"(?:thoughts|comments?|experiences?|opinions?|feedback|stor(?:y|ies)|questions?|note|line)\b"
    r"|let (?:us|me) know\b"
    r"|(?:check|try) (?:it|this|them|us|that) out\b"
    r"|check out\b|come (?:and )?(?:join|see|visit)\b|don['’]t (?:miss|forget)\b"
    r"|(?:read|learn|find out|see|discover) more\b"
    # The title of a film beside the text has no stop.
    r"|(?:watch|hear|see|listen to) (?:what|how|why|who|when|the moment)\b[^.!?]*$"
    r"|thank(?:s| you)\b"
    r"|for (?:\w+ ){0,2}(?:questions|help|support|feedback)\b[^,]{0,30}, (?:please )?(?:visit|use|ask|join"
    r"|contact|the best place)\b"
    r"|we want your (?:input|feedback|help)\b"
    r"|(?:kontaktieren|buchen|klicken|bestellen|besuchen|abonnieren) Sie\b"
    r"|(?:folgt?|schreibt?|besucht?|abonniert?) (?:mir|uns|mich)\b"
    r"|meldet? (?:euch|dich)\b|lasst? (?:mir|uns|es mich)\b|hier geht['’]s\b|viel spaß\b|abonnez-vous\b"
    r"|cliquez\b|suivez-nous\b|rejoignez\b|contactez\b|profitez\b|n['’]hésitez pas\b|feel free to\b"
    r"|happy \w+ing\b"
    r"|we (?:hope|invite|encourage) (?:that )?you\b)",
    re.IGNORECASE,
)
# Anywhere in a sentence that has one of the words.
_CALL_WITHIN = regex(
    r"\b(?:in the comments(?: section| below)?|down below|chance to win|sign up (?:for|to) (?:our"
    r"|the) newsletter"
    r"|(?:pull requests|contributions|bug reports|patches|suggestions)(?: \([^)]*\))? are (?:\w+ )?"
    r"(?:welcome|appreciated|encouraged)|(?:we|project) welcomes? (?:\w+ ){0,4}(?:contributions?|expertise)"
    r"|(?:want|like|interested|wish|plan|how)(?: to| in) contribut(?:e|ing)\b"
    r"|(?:open|file|submit|create|raise|opening|filing) (?:an?|new) (?:\w+ )?(?:issue|bug report"
    r"|pull request)|consider (?:starring|sponsoring|donating|citing|supporting)|security contact"
    r"|(?:read|learn|find out) (?:more )?(?:about \w+ )?here"
    r"|subscribe to (?:our|the|my)|im handel\b[^.]{0,60} erhältlich|(?:jetzt|nun|neu) am kiosk)\b",
    re.IGNORECASE,
)
_WORDS_OF_CALLS = (
    "comments",
    "down below",
    "chance to win",
    "newsletter",
    "subscribe",
    "contribut",
    "welcome",
    "issue",
    "bug report",
    "pull request",
    "consider ",
    "security contact",
    " here.",
    "im handel",
    "am kiosk",
)
_CREDIT = regex(
    r"(?:additional )?"
    r"(?:reporting|writing|editing|research|photography|photos?|illustrations?|translation) by\b"
    r"|this (?:material|document|content|story|article) (?:may|must) not be "
    r"(?:published|reproduced|copied)\b",
    re.IGNORECASE,
)
_CREDIT_WITHIN = regex(
    r".{1,250}\bcontributed (?:to (?:this|the)|reporting)\b"
    r"|.{0,80}\b(?:affiliate links?|(?:earn|receive) a (?:small )?commission)\b",
    re.IGNORECASE,
)
_WORDS_OF_CREDITS = ("contributed ", "affiliate", "commission")
# What must be or must not, what is so unless told otherwise; what a thing does for those who use it; what
# only might be. By what readers chose of manuals and reports, and of their parts.
_RULE_TEXT = (
    "must shall should cannot can't can’t only except require requires required avoid recommend recommends "
    "recommended discouraged default defaults instead ignored deprecated experimental unsafe insecure"
)
_SERVICE_TEXT = (
    "allow allows enable enables support supports provide provides handle handles create creates "
    "designed goal"
)
_HEDGE_TEXT = "might would suppose just simply example returns"
_RULE, _SERVICE, _HEDGE = (frozenset(text.split()) for text in (_RULE_TEXT, _SERVICE_TEXT, _HEDGE_TEXT))
_WORD = regex(r"[a-z]+(?:['’][a-z]+)?")
_DIGIT = regex(r"\d")
_BIOGRAPHY = regex(
    r"(?:(?:[A-Z][\w.'’-]+ ){1,4}|(?:[Hh]e|[Ss]he|[Tt]hey) )(?:is|are|was|has been|works as) (?:an?|the) "
    r"(?:[\w-]+ ){0,4}(?:editor|reporter|writer|journalist|columnist|correspondent|contributor|freelancer"
    r"|blogger|author|fellow|student|photographer|consultant)\b"
)
_GENERALITY = regex(
    r"there (?:is|are) (?:a lot of|lots of|many|plenty of|so many|countless|no shortage of)\b"
    r"|(?:everyone|everybody|most of us|we all|many of us|almost everyone|most people)\b"
    r"|(?:nowadays|these days|in (?:today['’]s|the modern))\b|as (?:we|you) (?:all )?know\b"
    r"|it['’]s no secret\b|it goes without saying\b|.{2,40} (?:is|are) (?:the )?(?:ubiquitous|everywhere)\b",
    re.IGNORECASE,
)


def cue_values(candidates: Candidates, can_lead: BoolArray) -> FloatArray:
    """What the wording of each sentence adds to what readers would prefer, in its standard deviations.

    Args:
        candidates: The sentences.
        can_lead: Which of them can be quoted alone; the first one may say what the title says.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    found = np.array([_cue_value(text) for text in texts], float)
    openings = np.flatnonzero(can_lead[:_FIRST]).tolist()
    found += _CALLS * stands_under_calls(candidates)
    if candidates.is_of_events:
        found += [_value_of_event(text) for text in texts]
        found += _AT_LENGTH * (candidates.num_words > _WORDS_OF_AN_EVENT)
        if sum(_SAID.search(text) is not None for text in texts) >= _OF_A_REPORT * len(texts):
            accused = _accused(candidates.titles[0], texts[:_FIRST]) if len(texts) else frozenset()
            found += _REPLIES * np.array([_replies(text, accused) for text in texts])
            found += _BACKGROUND * _is_long_before(texts)
        lead = next((each for each in openings if _repeats_title(candidates, each, 0.0)), None)
        if lead is not None:
            found[lead] += _LEADS_TO_EVENTS
            found[:lead] += _SETS_SCENE
    elif openings and _repeats_title(candidates, openings[0], _OF_A_TITLE):
        found[openings[0]] += _LEADS
    for position, text in enumerate(texts[:_FIRST]):
        found[position] += _TURNS * (_TURN.match(text) is not None)
        found[position] += _TELLS_NEWS * (_NEWS.search(text) is not None)
    for position in openings:
        # What stands before the dateline are captions and highlights.
        if DATELINE.match(texts[position]):
            found[:position] += _CREDITS
            break
    if _is_essay(texts):
        for position in range(len(texts) // 2, len(texts)):
            found[position] += _TAKES_SIDES * (_STANCE.search(texts[position]) is not None)
        found[-int(_CLOSING * len(texts)) :] += _CLOSES
    for position, text in enumerate(texts[-_LAST:], start=max(0, len(texts) - _LAST)):
        if _BIOGRAPHY.match(text):
            found[position] += _CREDITS
    return found


def _value_of_event(text: str) -> float:
    return (
        _COUNTS * (_COUNT.search(text) is not None)
        + _COMES * (_COMING.search(text) is not None)
        + _DECIDES * (_DECIDED.search(text) is not None)
        + _QUOTES * text.startswith(("“", '"'))
        + _OTHER_STORY * turns_to_other_story(text)
    )


def _accused(title: str, opening: Sequence[str]) -> frozenset[str]:
    """The words of the title that may name who is accused; none where nobody is."""
    told = " ".join((title, *opening[:2]))
    return frozenset(title.split()) if _ACCUSES.search(told) is not None else frozenset()


def _replies(text: str, accused: frozenset[str]) -> bool:
    """Whether somebody who is accused, or asked, has something to say."""
    if _REPLY.search(text) is not None:
        return True
    speaker = _SPEAKS.match(text) if accused else None
    return speaker is not None and speaker["who"] in accused


def _is_long_before(texts: Sequence[str]) -> BoolArray:
    """Whether each sentence begins with a year well before the last one that is named, where few have one."""
    # What is to come says nothing of when the news are.
    years = [
        [int(year) for year in _YEAR.findall(text)] if not _COMING.search(text) else [] for text in texts
    ]
    named = [max(each) for each in years if each]
    if not named or len(named) > _MOST_DATED * len(texts):
        return np.zeros(len(texts), bool)
    latest = max(named)
    matches = (_LONG_BEFORE.match(text) if each else None for text, each in zip(texts, years, strict=True))
    return np.array(
        [found is not None and int(found["year"]) <= latest - _YEARS_BEFORE for found in matches], bool
    )


def _is_essay(texts: Sequence[str]) -> bool:
    """Whether somebody writes at length in the first person: what it comes to is said towards the end."""
    own = sum(_FIRST_PERSON.match(text) is not None for text in texts)
    return len(texts) >= _SENTENCES_OF_AN_ESSAY and own >= _OF_AN_ESSAY * len(texts)


def _repeats_title(candidates: Candidates, position: int, share: float) -> bool:
    """Whether a sentence has this share of the words of the title."""
    named = set(candidates.lexicon.find(candidates.titles[position]))
    held = candidates.terms.columns[candidates.terms.row(position)].tolist()
    return len(named.intersection(held)) >= max(_LEAST_OF_A_TITLE, share * len(named))


def _cue_value(text: str) -> float:
    lowered = text.lower()
    is_call = _CALL.match(text) is not None or (
        any(word in lowered for word in _WORDS_OF_CALLS) and _CALL_WITHIN.search(text) is not None
    )
    is_credit = _CREDIT.match(text) is not None or (
        any(word in lowered for word in _WORDS_OF_CREDITS) and _CREDIT_WITHIN.match(text) is not None
    )
    words = set(_WORD.findall(lowered))
    is_measure = _DIGIT.search(text) is not None and _MEASURE.search(text) is not None
    return (
        _CONCLUDES * (_CONCLUSION.match(text) is not None)
        + _MEASURES * is_measure
        + _ANNOUNCES * (_ANNOUNCEMENT.search(f" {text}") is not None)
        + _CALLS * is_call
        + _CREDITS * is_credit
        + _GENERAL * (_GENERALITY.match(text) is not None)
        + _RULES * (not words.isdisjoint(_RULE))
        + _SERVES * (not words.isdisjoint(_SERVICE))
        + _HEDGES * (not words.isdisjoint(_HEDGE))
    )
