"""Whether a summary can show a sentence: alone, with the sentence before it, or not at all.

A sentence of a source is written for the place where it is. A caption, a list item with its number, a
question without its answer or a line of a table cannot be shown elsewhere; a sentence that begins with
"However, this …" is understood only if the sentence before it is shown as well. These rules hold for every
kind of source. They are rules of English; of other languages they judge form alone.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from operator import eq

import numpy as np

from lsum_cli.methods.extract.sentences.anaphora import AnaphoraRules
from lsum_cli.methods.extract.sentences.boilerplate import (
    grants_rights,
    is_about_publication_or_other_places,
    is_cross_reference,
    is_interruption,
)
from lsum_cli.methods.extract.sentences.trimming import LIST_MARKER, opening_length, without_figures
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import without_typographic_marks
from lsum_cli.text.terms import BoolArray, IntArray, is_function_word
from lsum_cli.text.verbs import VERBS, has_verb, is_noun_phrase

# Limits for a presentable sentence: words, and the share of symbols among its characters.
SHORTEST, LONGEST = 8, 70
# "We disagree and reverse." can follow another sentence, but not stand alone.
SHORTEST_AFTER_ANOTHER = 4
MOST_SYMBOLS = 0.24
# In a source that begins more of its sentences in lower case, that says nothing.
MOST_LOWER_CASE = 0.3
# A longer line without a verb is hardly a title.
_LONGEST_WITHOUT_VERB = 16  # words
# A source with more sentences about rights is a licence or a contract: they are what it says.
MOST_OF_RIGHTS, _FEWEST_OF_RIGHTS = 0.1, 5
_WORDS_THEN_COLON = regex(
    r"[A-Z][\w/’'-]*(?: [\w/’'&-]+){0,3}"
    r"(?<! says)(?<! said)(?<! states)(?<! stated)(?<! notes)(?<! noted)(?<! wrote)(?<! writes)"
    r"(?<! put it)(?<! concluded)(?<! concludes)(?<! explained)(?<! explains): ?(?=[A-Z“\"])"
)
# What the documentation of a function says of a parameter or of its value: "param size: The …".
_FIELD = (
    r"(?:param|type|raises?|returns?|rtype|yields?|var|ivar|cvar|kwarg|arg|keyword)(?: [\w*.,\[\] ]{1,40})?: "
)
# An entry of a glossary: "Weir: A low dam over which the water of a river flows."
_DEFINITION = regex(rf"(?!{_FIELD})" r"[\w`'’(][^:.!?]{1,40}: (?=(?:An?|The|Any|One|Each) [a-z])")
# So many labels, most of which differ, are of entries of a glossary or of clauses: "Indemnification: You
# agree to hold …". Speakers and kinds of notes come again.
_FEWEST_NAMED, _LEAST_DISTINCT = 4, 0.7
# What follows it are the words of sponsors.
_THANKED = regex(r"(?:(?:many|special) )?thanks to(?: (?:our|the|these|my) sponsors)?:", re.IGNORECASE)
# "3The", "3“The", "4IMO": the number of a note, and the first word of it.
_NUMBERED_NOTE = regex(r"\d{1,3}[“\"]?(?P<word>[A-Z](?:[a-z]+|[A-Z]+)\b|A\b)")
_NUMBERED_WITHIN = regex(rf" {_NUMBERED_NOTE.pattern}")
_CAPITALS = regex(r"(?<!\w)[A-Z]+\b")
# ":host selects the element" begins with a name.
_KEYWORD = regex(r":[a-z][\w-]+ [a-z]{3,}s ")
# What a licence or a contract means by a word is not what it grants or asks.
_MEANS = regex(
    r"(?:an? |the |to )?[\"“][^\"”]{1,50}[\"”](?: \([^()]*\))?(?: [\w’'-]+){0,4}? "
    r"(?:means?|is|are|refers?|includes?)\b",
    re.IGNORECASE,
)
# "ensemble.Forest" is a name.
_LOWER_CASE_WORD = regex(r"[a-zß-öø-ÿ]+(?:-[a-zß-öø-ÿ]+)*(?=[ ,;:]|\.(?!\w\w)|$)")

# A program or library is named as it is typed.
_LOWER_CASE_SUBJECT = regex(
    # "where SCHEME is the signature scheme" explains a formula.
    r"(?!where\b)(?:(?P<name>[a-z][\w.+-]+)(?: [A-Z]\w*)? (?:is|was|has|can|does|will|provides?|supports?"
    r"|uses|allows?|lets|enables?|includes?|offers?|contains?|helps?|aims?|performs?|combines?|requires?|defines?"
    r"|manages?|extends?|makes|comes|handles|implements|returns|takes|works|reads|writes|runs|converts|creates|should|must"
    r"|exports|exposes|ships|wraps|adds|brings|gives|parses|generates|integrates|simplifies|automates"
    r"|also) (?!that\b)"
    # "libssh delegates all …"; "errors in the …" is none.
    r"|(?P<other>[a-z][\w.+-]+) [a-z]{2,}(?<![siu])s (?:an?|the|its|all|no|any|each|every|only|both|you|your"
    r"|[A-Z]\w+) )"
)
# What names a field and has no verb: "lock_height the height from which it may be opened, this can be 0."
_FIELD_IN_WORDS = regex(r"[a-z]\w*_\w+ (?:the|an?|whether) ")
_IN_BRACKETS = regex(r" ?\([^()]*\)")

# A call that names the day by which to act says something: "Please let us know by 15 May."
_DEADLINE = (
    r"[^.?!]*\b(?:by|before|until|no later than) (?:the )?(?:end of )?(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?"
    r"(?:(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|may\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|tomorrow\b)"
)

_NOT_AT_ALL = regex(
    # Captions and sources of pictures.
    r"(?:figs?(?:ures?)?|tables?|box|scheme|listing|exhibit|plate|panel|chart|graph|photo(?:graph)?s?|image"
    r"|picture|video|map|algorithm|supplementary \w+|additional files?|appendix)\.? ?(?:[\dIVX]+\b|[(:|])"
    r"|(?:photos?|photographs?|images?|pictures?|credits?|sources?|caption)(?: by| credits?| courtesy)?:"
    rf"|(?-i:{_FIELD})"
    # Bylines and what a web page says to its visitors.
    r"|by (?-i:[A-Z][\w.’'-]+(?: [A-Z][\w.’'-]*){1,3})(?:,|\.$| \||$)"
    r"|(?:last )?(?:updated|modified|reviewed|posted|published)(?: on| at)?:? (?:\d|[A-Z][a-z]+ \d)"
    r"|copyright (?:\(c\)|©|\d{4})|--?\w[\w-]*[ =:,<\[]|read (?:this|the) (?:section|chapter|part)\b"
    r"|share this|read (?:more|next|also|the full)\b|sign up\b|click (?:here|on|the)\b"
    r"|subscribe (?:to|now|today)\b"
    r"|which\b|where [a-z]\w{0,3} (?:is|are|denotes?)\b|for (?:more|further) (?:details?|information)\b"
    r"|please\b(?! (?:\w+ )?(?:report|disclose)\b)(?! (?:do not|don['’]t) (?:report|disclose|submit|open"
    rf"|file|post|send|use|share)\b)(?!{_DEADLINE})|let us\b(?!{_DEADLINE})"
    r"|(?:(?:so|and|now|then|next),? )?let['’]s\b"
    r"|we(?: will|['’]ll| are going to) (?:use|create|build|make|start|write|define|work|need) [^,.;]{1,60} "
    r"(?:in|for) (?:this|the|our) (?:(?:example|tutorial)\b|exercise\b(?! of\b))(?! (?:that|which)\b)"
    r"|now,? (?:observe|consider|let|look|suppose|assume)\b|recall (?:that|from|the)\b"
    r"|(?:suppose|assume|imagine|consider) (?:that|a|an|the|we|you|for)\b"
    # Of the code above it; what is left of a sentence before it.
    r"|(?:notice|note|observe),? how (?:we|the|this|that|it|i)\b"
    # But not "Particularly important is the lock".
    r"|(?:except|excluding|especially|particularly|regardless of)\b"
    r"(?!(?:(?! (?:when|if|that|who|which|what|where|how|whether|because|since|as|while)\b)[^,;:])* (?:is|are"
    r"|was|were|has|have|had|will|would|can|could|may|might|must|should|does|did)\b)[^,;:]*\.$"
    r"|(?:we|i) hope\b|it is hoped\b|follow us\b|advertisement\b|skip to\b|jump to\b|table of contents\b"
    r"|leave a (?:comment|reply)\b"
    # Headlines within the text, which have no verb of their own: "How to protect yourself against bites."
    r"|(?:(?:how|what|where|when) to|what \w+ (?:should|need to|must|ought to)) (?-i:[a-z]+)\b"
    r"(?![^.]*\b(?:is|are|was|were|has|have|had|will|would|may|might|does|did|could|depends?|remains?"
    r"|matters?|means|comes?|becomes?|takes?|makes?|varies|differs?|goes|turns?)\b)[^.?!,:;]*"
    r"(?:, and (?:how|what|when|where|why|whether) [^.?!,:;]*)?\.$"
    # What is said of an entry of a list, which is the subject: "Sent every minute."
    r"|(?:sent|called|raised|fired|emitted|triggered|invoked|executed|returned|issued) (?:when(?:ever)?|if"
    r"|every|each|just|right|by|after|before|once)\b[^,;:]*\.$"
    r"|(?:only |currently |not )?(?:supported|available|enabled|disabled|ignored|required) "
    r"(?:by|if|when|for|in|only|on|with)\b[^,;:]*"
    r"(?:, (?:but|and|or) (?:can|may|will|must|is|are|should)\b[^,;:]*)?\.$"
    r"|(?:\d{1,2}[:.]\d\d )?(?:(?:good (?:morning|afternoon|evening)|hello|hi)\b[^.!?]{0,30}[,!] )?(?:and )?"
    r"welcome to (?:our|this|today['’]s|the (?:\w+ )?(?:blog|coverage|documentation|docs|website"
    r"|home ?page))\b"
    # But "Thanks to our pump, the costs fell."
    r"|(?:thank you|(?:(?:many|special) )?thanks) to (?![^,]{3,80}, (?:the|an?|we|it|they|he|she|you|I|this"
    r"|these|our|its|their|there|most|many|more|no|all|both)\b)(?:all|every|our"
    r"|the (?:team|contributors|volunteers|community))"
    # What stands above sponsors: "Ann's open source work is supported by the community."
    r"|[\w .’']{2,40} open[- ]source work is (?:supported|funded|sponsored|made possible) by\b"
    # Where a text was published first.
    r"|(?:this|the) (?:article|story|post|piece|interview|essay|column) (?:was |is )?(?:originally |first )?"
    r"(?:appeared|published|republished|reprinted|syndicated)\b"
    r"|dieser (?:artikel|beitrag|text) (?:ist |wurde )?(?:zuerst |ursprünglich |erstmals )?"
    r"(?:erschien|stammt aus|veröffentlicht)"
    r"|cet article (?:est |a été )?(?:initialement |d['’]abord )?(?:paru|publié)"
    # References to law reports and to other pages.
    r"|id\.|ibid\b|see\b|cf\.|accord,|compare (?-i:[A-Z])|e\. ?g\.|ante\b|post, |supra\b|infra\b|pp?\. ?\d"
    r"|pet\. for"
    r"|app\. |brief for|tr\. |\d+ (?:u\. ?s\.|f\. ?(?:\d|supp)|s\. ?ct)|§|\d+ \(|no\. \d"
    # A note to a table, with the mark by which it is found there.
    # "**kwargs are passed on" begins with what Python calls arguments.
    r"|[†‡^∗]|\*{1,4}(?=\w)(?!(?:args|kw\w{0,5}|[a-z]+_\w+)\b(?! ?:))(?![^*]*\*)"
    # What a court prints beside its reasons.
    r"|(?:for these reasons, )?it is so ordered|notice: this opinion"
    r"|(?:note: )?where it is feasible, a syllabus"
    r"|the syllabus constitutes|(?:affirmed|reversed|vacated)(?: and remanded)?\.$",
    re.IGNORECASE,
)
# What is to come in time, with somebody, or in some case, not below in the text.
_PLANNED = (
    r"[^:;]{0,300}\b(?:today|tomorrow|tonight|soon|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January"
    r"|February|March|April|June|July|August|September|October|November|December|week|month|quarter|year"
    r"|meeting|session|vote|strike|with (?:the|our|all|both|any)|before the|after the)\b"
    r"|[^:;]{0,300}\b(?:19|20)\d\d\b|if\b"
    r"|[^:;]{0,300}\bwe (?:will|shall|must first) [^:;]{3,200} (?:if|who)\b"
)
# What only says that there is more to say: the list, or the reasons, stay behind.
_ANNOUNCES = regex(
    r"(?:[^,;:]{2,60}, )?there (?:are|exist) "
    r"(?:(?:\w+ )?(?:several|different|various|multiple|many|some|numerous|certain|two|three|four|five|\d)"
    r"|a (?:few|couple of|bunch of|number of|(?:great|large|wide|vast|broad) (?:number|variety|range) of)) "
    r"(?:[\w-]+ ){0,2}?(?:approaches|ways|options|methods|possibilities|strategies|steps|solutions|reasons"
    r"|differences|scenarios|cases|things|points|issues|questions|factors|examples|kinds|types|sorts|patterns"
    r"|requirements|categories|concepts|operations|caveats|tips|tricks|topics)\b"
    r"[^,:;—–]{0,60}\.$"
    r"|(?:in (?:reality|fact|practice|general|short),? )?there (?:are|were) "
    r"(?:two|three|four|five|six|several) (?:distinct|different|separate|main|major|basic|possible|key) "
    r"(?:events|phases|stages|kinds|types|categories|reasons|factors|aspects|components|parts|elements)\b"
    r"(?! (?:that|which|who|between|from)\b)[^,:;—–]{0,60}\.$"
    r"|(?:the )?following (?:are|is) [^:;]{3,120}\.$"
    r"|(?:[^,;:]{3,90}, )?here (?:are|is) [^:;]{3,120}\.$"
    r"|the [^,:;]{3,90} follow(?:s|ing)?\.$"
    r"|there (?:are|is) (?:many|numerous|countless"
    r"|a (?:great|large|wide|vast|broad) (?:number|variety|range) of) [^,:;—–]{3,50}\.$"
    # "There is a final point worth addressing."
    r"|there (?:is|are|remains?) (?:[\w-]+ ){1,4}?"
    r"(?:points?|things?|issues?|matters?|questions?|details?|caveats?) (?:that (?:is|are) )?"
    r"(?:worth|left to|to be|that (?:we|I) (?:must|should|need to)) (?:\w+ )?"
    r"(?:address|mention|not|mak|discuss|consider|rais|point|stress|emphasi[sz]|cover)\w*(?: out)?"
    r"(?: (?:here|first|now|too|as well))?\.$"
    # "Before we begin, we will consider the reasons."; "To see why, we must first define the terms."
    # Not what is planned: "On Monday we will discuss the budget.", "Next year, we will explore new markets."
    r"|(?=(?:[^,;:]{3,90}, )?(?:we (?:must|need to|have to|should) first (?:\w+ly )?"
    r"(?:define|understand|look|consider|establish|recall|introduce|describe|examine|explain|review)"
    r"|we(?:['’]ll| will| shall)(?: now| first| then| next| also)? (?:consider|discuss"
    r"|look at|explore|examine|demonstrate (?:the|how)|see (?:how|what|why)|walk through|go through"
    rf"|turn to))\b[^:;—–]*\.$)(?!{_PLANNED})"
    # Where else it is said.
    r"|(?:if [^,]{3,90}, )?(?:please )?(?:for )?(?:more|further|additional|detailed|complete"
    r"|full|general|background) (?:\w+ )?(?:information|details?|documentation|instructions"
    r"|examples|background|explanations?|discussions?|descriptions?|specifics)\b[^;:—–]{0,120}?\b"
    r"(?:see|refer|consult|visit|check out|read|be found|(?:available|found) (?:at|in|from|on))\b"
    r"|(?:(?:the|an?|some|these|those) )?(?:(?!such)\w+ ){0,3}(?:information|details"
    r"|documentation|instructions|descriptions?|explanations?|lists?|overviews?|references?"
    r"|examples?)\b[^,;:—–]{0,80} (?:can|may) be (?:found|seen|obtained|viewed) "
    r"(?:in|at|on|from|here|under|below|elsewhere|by|via)\b[^;:—–]{0,90}\.$"
    r"|(?:(?:the|more|further|exact|full|complete|additional) ){0,2}details?\b[^,;:]{0,80} (?:is|are) (?:"
    r"(?:available|given|provided|described|documented|listed) )?(?:in|at|on|from|here|via) [^,;]{3,80}\.$"
    r"|(?:(?:you|users|readers|the reader) (?:can|may|should) (?:also )?)?"
    r"(?:refer to|consult) (?:(?!\b(?:about|after|before|if|unless|when)\b)[^;:—–]){0,90}\b"
    r"(?:documentation|manual|guide|help|reference|page|section|website|appendix)\b[^;:—–]{0,90}\.$"
    r"|(?:you can |to )?(?:find|read|learn) (?:out )?(?:more|further|additional)\b[^;:—–]{0,100}\.$",
    re.IGNORECASE,
)
# The same of what is counted, in one of these words: "The case against it rests on two, related, arguments."
_WORDS_OF_A_COUNT = ("two", "three", "four", "five", "several", "various", "multiple", "a few", "a number of")
_ANNOUNCES_COUNTED = regex(
    r"(?!if\b)[^:;]{3,90} (?:rests?|is based|are based|hinges?|depends?) (?:up)?on"
    r" (?:two|three|four|five|several|a few)(?:,? [a-z]+,?){0,2} (?:arguments|reasons|grounds|principles"
    r"|assumptions|premises|considerations|claims|ideas|pillars|things|factors|facts)\.$"
    r"|[^,:;]{3,120} (?:requires?|needs|involves) (?:several|various|multiple|a few|two|three|four"
    r"|a number of) (?:\w+ )?(?:changes|steps|modifications|additions|adjustments|things)\.$"
    # "Knowing the depth matters for a number of reasons.", but not "The bridge was closed for two reasons."
    r"|[^:;]{3,120} (?:matters?|(?:is|are|was|were|can be|may be|has been) (?:\w+ly |not |very )?(?:important"
    r"|useful|valuable|interesting|attractive|(?:un)?desirable|(?:un)?necessary|hard|difficult|challenging"
    r"|problematic|essential|significant)) for (?:two|three|four|five|several|various|multiple|a few"
    r"|a number of) (?:\w+ )?reasons\.$",
    re.IGNORECASE,
)
# The same at the end: "It consists of two parts.", "It gives access to three kinds of commands."
_COUNTS = frozenset(("two", "three", "four", "five", "several", "multiple"))
_ANNOUNCES_PARTS = regex(
    r"(?:[^,:;]{3,90}, (?:you|we) have|[^,:;]{3,80} (?:consists? (?:\w+ )?(?:of|in)|contains?(?: only)?"
    r"|falls? into|is divided into|has|(?:you|we) have)) "
    r"(?:two|three|four|five|several|multiple) (?:\w+ )?"
    r"(?:parts|steps|stages|pieces|phases|categories|groups|ways)"
    r"(?: (?:of|for|to) [\w-]+(?: [\w-]+){0,2})?\.$"
    r"|[^,:;]{3,80} (?:provides?|gives?) access to (?:two|three|four|five|several) (?:\w+ )?"
    r"(?:kinds|types|categories) of [\w-]+\.$"
)
# What is granted before it is answered: "It is true that the statute is old."
_CONCEDES = regex(
    r"(?:it is(?:, of course,)? true(?:,| that)|to be sure,|admittedly,|granted,)"
    r"(?!.*(?:;|\b(?:but|yet|however|nevertheless|nonetheless|still|though|although|only)\b))",
    re.IGNORECASE,
)
# Of what, only the sentence before it tells: "But the truth, if anything, is the other way round."
_DENIES_IT = regex(
    r"(?:(?:but|yet|however|in (?:fact|truth|reality)|actually),? )?"
    r"(?:(?:it|this|that|the (?:truth|reality|case))(?:, [^,]{3,20},)?(?: \w+ly)? (?:is|was)(?: \w+ly)?"
    r" (?:just |exactly |quite )?the (?:other way (?:a?round|about)|(?:exact |very )?(?:opposite|reverse))"
    r"|the (?:exact |very )?(?:opposite|reverse) (?:is|was)(?: \w+ly)? (?:true|the case))\.$",
    re.IGNORECASE,
)
# Searched for after a space is put before the text: a pattern is tried only where a word ends.
_WORDS_NOT_ANYWHERE = regex(
    r"\W(?=[AaBbdEeFfhjLlPpRSsTtvw][AIacdeiopqtuvw])"
    # Figures, tables, equations and appendices by number.
    r"(?:(?:[Ff]igs?\.|[Ff]igures?|FIGURE|[Tt]ables?|TABLE|[Ee]qn?s?\.|[Ee]quations?|[Aa]ppendi(?:x|ces)"
    r"|[Bb]ox|[Ll]istings?|[Ss]cheme|[Pp]anels?|[Aa]dditional files?"
    r"|(?:[Ss]uppl(?:ementary|ementa(?:l|ry)|\.)? )"
    r"(?:[Ff]ig\w*\.?|[Tt]ables?|[Mm]aterials?|[Dd]ata|[Ii]nformation|[Ff]iles?))\s*\(?(?:[S\d]\d*|[A-Z]\b)"
    r"|[Ss]upplementary (?:[Mm]aterials?|[Ii]nformation|[Ff]iles?|[Dd]ata)\b"
    # References to literature.
    r"|available at\b(?! \S*\w[/._]\w| /| (?:run ?-?time|compile|build|least|most|all|any|no|every)\b)"
    r"|vol\. ?\d|pp\. ?\d|doi:|https?:|www\."
    # What a court prints beside its reasons.
    r"|delivered (?:the|an) opinion(?!.{0,300}?\bconcluding that\b)|took no part in"
    r"|joins?,? (?:concurring|dissenting)"
    r"|filed an? (?:dissenting|concurring|separate|opinion)|Reporter of Decisions)"
)
_SIGNS_NOT_ANYWHERE = regex(
    # Code, markup, cells of a table.
    # "a->b" is a name.
    "[\ufffd{}\\\\]|==|=>|->(?<!\\w->)|->(?!\\w)|(?<![\\w\\])=])</?\\w+[ >]|(?<!\\w)::\\w"
    r"| \| .* \| | \* \* |\$\$"
    # A link or a symbol that was lost: "developed by the , a body", "an application of , which".
    r"|\b(?:of|by|the|an?|from|with|for|in|as|than|and|or|see) (?:[,;.](?! ?\.)(?=\s|$)|\))"
    r"|\((?:(?:e\.g\.|i\.e\.),? ?|not shown|see (?:above|below)|data not shown|left|right|top|bottom)\)"
    r"|,[”’\"] (?![^;]{0,60} v\. )(?:in )?[A-Z][^;]{3,80}\b(?:19|20)\d\d\b|\(\d{4}\): ?\d"
)
# What somebody says stands in the quotation after it; one of the words is in it.
_WORDS_OF_A_TRIBUTE = (" took to ", " a statement ", " a tribute ", " a message ")
_TRIBUTE = regex(
    r"[^,:;“\"]{3,80} (?:released|issued|posted|shared) a (?:statement|tribute|message)"
    r" (?:mourning|remembering|honou?ring) [^:;“\"]{3,80}\.$"
    r"|[^:;]{3,120} took to (?:Instagram|Twitter|X|Facebook|TikTok|social media) to "
    r"(?:mourn|remember|honou?r|pay tribute to|congratulate) [^:;“\"]{3,80}\.$"
)
# Pieces of a page that were joined: "packaging and services We are committed to it", and what stands twice:
# "energy in manufacturing boats energy in manufacturing boats".
_BEGINS = frozenset(("We", "This", "These", "It", "They", "You", "Our"))
_TWICE, _LENGTHS_TWICE = regex(r"\b(?=\w+ \w+ \w)(\w++(?: \w++){2,7}?) \1\b"), range(3, 9)
# Names of code that a statement is about: a command of TeX in its manual, an element, a place for a name.
_NAMED_ELEMENT = regex(r"</?[a-z][\w-]*>(?= (?:elements?|tags?)\b)|(?<=[A-Za-z\d.-])\{[A-Za-z]\w{2,}\}")
_OF_TEX = regex(r"\b(?:commands?|macros?|environments?|packages?|options?)\b")
_NAMED_COMMAND = regex(r"(?<= )\\[A-Za-z@]{3,}\*?(?:[{\[]⟨[^⟩{}]{1,40}⟩[}\]]){0,4}(?=[ ,.;:)]|$)")
# Each of them has one of these.
_SIGNS = (
    "\ufffd", "{", "}", "\\", "==", "=>", "->", "<", "::", " | ", " * * ", "$$", " ;", " ,", " .", " )",
    "(e.g", "(i.e", "(not ", "(see ", "(data ", "(left)", "(right)", "(top)", "(bottom)",
    "):", ",” ", ",’ ", '," ',
)  # fmt: skip
# And so one of these signs, or " ," or " ." or a comma and a quotation mark.
_MAY_BE_A_SIGN = regex(r"[\ufffd{}\\=<>|*$():;]")
_MARKS_APART = (" ,", " .", ",” ", ",’ ", '," ')
_ADDRESS = regex(r"\S@\w+\.")
# Where something is to be reported is what a policy has to say; other addresses are of authors and offices.
_REPORTED = regex(r"\b(?:report|disclos|complain|appeal|mailing list|alias\b)", re.IGNORECASE)
# A requirement that has lost its subject to a list: "SHOULD be on another origin."
_MODALS_TEXT = (
    "SHOULD MUST SHALL MAY REQUIRED RECOMMENDED OPTIONAL NOT Must "
    # What goes on after code that is not read.
    "should must shall may will would can is are was were has have does"
)
_MODALS = frozenset(_MODALS_TEXT.split())
STOPS = tuple(".!。．｡！।۔…")
QUOTATION_MARKS = "\"'”’»」』"
# With the mark of a note: "The bridge is open again.*"
CLOSING_MARKS = f"{QUOTATION_MARKS})]*†‡"
_LEFT_OPEN = regex(
    r"(?:\.\.\.|…|\b(?:e\.g|i\.e|cf|vs?)\.|(?<=[ (])['\"‘“]\.{1,2}"
    r"|\b(?:the|an?|and|or|than)\.|(?<=[;:,]) \(?[\divx]{1,2}[.)])$"
)
# Where the name of a place was a link that is not read: "The rules are listed in."
_LOST_PLACE = regex(
    r"\b(?:is|are|be) (?:listed|described|found|documented|given|explained|defined|specified)"
    r" (?:in|at|from)\.$"
    r"|\b(?:the|an?) [\w-]+ (?:specified|defined|described|listed|documented) in\.$"
)
_END_LEFT_OPEN = 5  # characters that it matches, at most
_SYMBOL = regex(r"[!-@\[-`{-~\u2190-\u23ff\u2500-\u27bf]")
_ASCII_SYMBOLS = f"{string.digits}{string.punctuation}".encode()
# Its first sign before what stands before it, so that it is tried only at one.
_NUMBER = regex(r"[\d.,%–-](?<!\S[\d.,%–-])[\d.,%–-]*+(?!\S)")
# A bracket as a sign, in quotation marks, and an interval: 'an unescaped "["', "in [0, 1)".
_SINGLE_BRACKETS = regex(
    r"([\"'`])[][()]{1,2}\1|[“‘][][()]{1,2}[”’]|\[[\w.-]+, ?[\w.∞-]+\)|\([\w.-]+, ?[\w.∞-]+\]"
)
_QUOTED_WHOLE = regex(r"[“\"„«][^”\"“«»]*[”\"“»][.!]?$")

# A reference that stands between two sentences as if it were one.
_LONGEST_REFERENCE = 250  # characters
_REFERENCE = regex(
    r"(?:see|ibid|id\.|in re|tr\.|app\.|cf\.|pp?\.|ante\b|post\b|accord|brief for|e\. ?g\.|§"
    r"|\(?\d+ (?:u\. ?s|f\. ?\d|f\. supp|s\. ?ct|fed\.|cal|stat|cfr|c\. ?f)"
    r"|\[[\d, –-]+\]|\([^()]*\)\.?$|[ivxlc]+, ?§|[^.;]{3,60} v\. )"
    r"|.{0,40}\b\d+ (?:u\. ?s\.|f\. ?[23]d|s\. ?ct\.|fed\. (?:reg|appx))",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Presentability:
    """How a summary can show the sentences of a source; one value per sentence.

    Attributes:
        offset: Where the sentence proper begins, after list marker and label.
        is_presentable: Whether it can be shown at all.
        continues: Whether it is only shown after the sentence before it: it begins as if it went on.
        refers_back: The same for a word within it that refers back: a reader stumbles, but less.
        is_reference: Whether it only names a source, or belongs to no paragraph, as "Related: …": what
            comes after goes on where the one before ends.
        grants_rights: Whether it is of a licence, a copyright notice or an acknowledgement.
    """

    offset: IntArray
    is_presentable: BoolArray
    continues: BoolArray
    refers_back: BoolArray
    is_reference: BoolArray
    grants_rights: BoolArray

    def with_shown(
        self, texts: Sequence[str], shown: BoolArray, anaphora: AnaphoraRules | None
    ) -> Presentability:
        """The same where these sentences can be shown too, and may need an antecedent."""
        if anaphora is None:
            return self
        continues, refers_back = self.continues.copy(), self.refers_back.copy()
        for position in np.flatnonzero(shown & ~self.is_presentable).tolist():
            text = texts[position][int(self.offset[position]) :]
            continues[position] |= anaphora.continues(text)
            refers_back[position] |= anaphora.refers_back(text)
        return replace(
            self,
            is_presentable=self.is_presentable | shown,
            continues=continues,
            refers_back=refers_back,
        )


def judge(
    texts: Sequence[str],
    num_words: IntArray,
    *,
    is_spoken: bool = False,
    is_english: bool = True,
    anaphora: AnaphoraRules | None = None,
    names: Set[str] = frozenset(),
) -> Presentability:
    """Judge the sentences of a source.

    Args:
        texts: The sentences in order.
        num_words: Words of each.
        is_spoken: Whether they are of a conversation: a name before a colon is then a speaker.
        is_english: Whether a line without an English verb is no sentence.
        anaphora: What makes one need an antecedent; without rules only short ones do.
        names: Names that are written in lower case.
    """
    offsets = [0 if is_spoken else opening_length(text) for text in texts]
    shown = [text[offset:] for text, offset in zip(texts, offsets, strict=True)]
    lower = [_LOWER_CASE_WORD.match(text) is not None for text in shown]
    rights = [grants_rights(text) for text in texts]
    is_of_rights = sum(rights) >= max(MOST_OF_RIGHTS * len(texts), _FEWEST_OF_RIGHTS)
    # Points of a list, which often begin in lower case, have no stop.
    stopped = [text.rstrip(CLOSING_MARKS).endswith(STOPS) for text in shown]
    begins_lower = sum(is_lower and has_stop for is_lower, has_stop in zip(lower, stopped, strict=True))
    keeps_case = begins_lower <= MOST_LOWER_CASE * sum(stopped)
    defined = {} if is_spoken else _named(shown, _DEFINITION)
    clauses = {} if is_spoken else _named(shown, _WORDS_THEN_COLON)
    notes = _footnotes(shown)
    presentable = np.zeros(len(texts), bool)
    for number, (text, length, is_lower) in enumerate(zip(shown, num_words.tolist(), lower, strict=True)):
        if not SHORTEST_AFTER_ANOTHER <= length <= LONGEST or (rights[number] and not is_of_rights):
            continue
        if number in notes or (number > 0 and _THANKED.fullmatch(shown[number - 1]) is not None):
            continue
        if keeps_case and is_lower and not (is_name(text) or text.partition(" ")[0] in names):
            continue
        if is_of_rights and _MEANS.match(text):
            continue
        presentable[number] = is_presentable(
            without_figures(text[defined.get(number, clauses.get(number, 0)) :]),
            is_spoken=is_spoken,
            # What a term means is told without a verb.
            is_english=is_english and number not in defined,
            is_of_rights=True,
        )
    judged = presentable.tolist()
    return Presentability(
        offset=np.array(offsets, np.int64),
        is_presentable=presentable,
        continues=np.array(
            [
                not is_spoken
                and (length < SHORTEST or (anaphora is not None and is_shown and anaphora.continues(text)))
                for text, length, is_shown in zip(shown, num_words.tolist(), judged, strict=True)
            ],
            bool,
        ),
        refers_back=np.array(
            [
                not is_spoken and anaphora is not None and is_shown and anaphora.refers_back(text)
                for text, is_shown in zip(shown, judged, strict=True)
            ],
            bool,
        ),
        is_reference=np.array(
            [
                not is_shown
                and len(text) < _LONGEST_REFERENCE
                and (_REFERENCE.match(text) is not None or is_interruption(text))
                for text, is_shown in zip(shown, judged, strict=True)
            ],
            bool,
        ),
        grants_rights=np.array(rights, bool),
    )


def _footnotes(texts: Sequence[str]) -> set[int]:
    """The sentences that begin with the number of a note: "3The engineer said …", "4IMO, Rules of …".

    "1Password is" begins with a name, which is said within sentences too; of "5G" or "3GPP" the rest is no
    word of the document.
    """
    found = {
        number: opening
        for number, text in enumerate(texts)
        if text[:1].isdigit() and (opening := _NUMBERED_NOTE.match(text)) is not None
    }
    if not found:
        return set()
    within = {each[0] for text in texts for each in _NUMBERED_WITHIN.finditer(text)}
    capitals = {each for text in texts for each in _CAPITALS.findall(text)}
    return {
        number
        for number, opening in found.items()
        if f" {opening[0]}" not in within and (not opening["word"].isupper() or opening["word"] in capitals)
    }


def _named(texts: Sequence[str], label: re.Pattern[str]) -> dict[int, int]:
    """Where the sentences proper begin that are entries of a glossary or clauses, by the number of each."""
    found = {
        number: opening[0]
        for number, text in enumerate(texts)
        if ": " in text and (opening := label.match(text)) is not None
    }
    if len({*found.values()}) < max(_FEWEST_NAMED, _LEAST_DISTINCT * len(found)):
        return {}
    return {number: len(name) for number, name in found.items()}


def is_name(text: str) -> bool:
    """Whether a sentence begins with a name that is written in lower case: "rustc is the compiler"."""
    found = _LOWER_CASE_SUBJECT.match(text)
    name = (found["name"] or found["other"]) if found is not None else ""
    return bool(name) and not is_function_word(name) and name not in VERBS


def definitions(texts: Sequence[str]) -> BoolArray:
    """Whether each sentence is an entry of a glossary, where there are several: "Weir: A low dam across"."""
    found = np.array([": " in text and _DEFINITION.match(text) is not None for text in texts], bool)
    return found if found.sum() >= _FEWEST_NAMED else np.zeros(len(texts), bool)


def is_presentable(
    text: str, *, is_spoken: bool = False, is_english: bool = True, is_of_rights: bool = False
) -> bool:
    """Whether a sentence, without its list marker, is one that a summary can show.

    Args:
        text: The sentence.
        is_spoken: Whether it is of a conversation.
        is_english: Whether a line without an English verb is no sentence.
        is_of_rights: Whether rights are what the source is about, as of a licence.
    """
    body = text.rstrip(CLOSING_MARKS)
    if not body.endswith(STOPS) or "?" in body[-3:] or _LEFT_OPEN.search(body, len(body) - _END_LEFT_OPEN):
        return False
    if (
        text.startswith(("(", ",", ";", ".", ")", "|"))
        or (text.startswith(":") and _KEYWORD.match(text) is None)
        or _NOT_AT_ALL.match(text)
        or (text.startswith("[") and body.endswith((".", "!")) and text.endswith("]"))
        or LIST_MARKER.match(text)
        or (body.endswith((" in.", " at.", " from.")) and _LOST_PLACE.search(body))
        or _ANNOUNCES.match(text)
        or _CONCEDES.match(text)
        or _DENIES_IT.match(text)
        or _FIELD_IN_WORDS.match(text)
    ):
        return False
    if _may_have_signs(text) and _SIGNS_NOT_ANYWHERE.search(_without_names_of_code(text)):
        return False
    if _WORDS_NOT_ANYWHERE.search(f" {text}"):
        return False
    if is_cross_reference(text) or ("@" in text and _ADDRESS.search(text) and not _REPORTED.search(text)):
        return False
    if (not is_of_rights and grants_rights(text)) or is_about_publication_or_other_places(text):
        return False
    if not is_spoken and ((":" in text and _WORDS_THEN_COLON.match(text)) or _QUOTED_WHOLE.match(text)):
        return False
    num_symbols = symbols_of(text)
    if not _is_balanced(text) or num_symbols > MOST_SYMBOLS * len(text):
        return False
    words = text.split()
    if any(map(text.lower().__contains__, _WORDS_OF_A_COUNT)) and (
        _ANNOUNCES_COUNTED.match(text) or (not _COUNTS.isdisjoint(words) and _ANNOUNCES_PARTS.match(text))
    ):
        return False
    if any(map(text.__contains__, _WORDS_OF_A_TRIBUTE)) and _TRIBUTE.match(text):
        return False
    if is_english and (is_noun_phrase(text, words) or (not is_spoken and _is_joined(text, words))):
        return False
    if words[0] in _MODALS or (is_english and _has_no_verb(text, words)):
        return False
    # Of ASCII every number has a symbol.
    may_be_numbers = 3 * num_symbols > len(words) or not text.isascii()
    if may_be_numbers and 3 * len(_NUMBER.findall(text)) > len(words):
        return False
    shouted = list(filter(str.isupper, words))
    return 2 * len(shouted) <= len(words) or 2 * sum(len(word) > 1 for word in shouted) <= len(words)


def _may_have_signs(text: str) -> bool:
    """Whether a sentence has a sign that may not be in it: a quick test before slower ones."""
    may_have = _MAY_BE_A_SIGN.search(text) is not None or any(map(text.__contains__, _MARKS_APART))
    return may_have and any(map(text.__contains__, _SIGNS))


def _without_names_of_code(text: str) -> str:
    """A sentence without the signs in names of code that it is about; a formula keeps its own."""
    if "$" not in text and "\\" in text and _OF_TEX.search(text) is not None:
        text = _NAMED_COMMAND.sub("X", text)
    return _NAMED_ELEMENT.sub("X", text)


def _has_no_verb(text: str, words: Sequence[str]) -> bool:
    """Whether a short sentence has no verb, or only one in brackets, which is not that of the sentence."""
    outside = _IN_BRACKETS.sub("", text).split() if "(" in text else words
    if len(outside) > _LONGEST_WITHOUT_VERB:
        return False
    if outside is words or has_verb(words):
        return not has_verb(outside)
    return len(words) <= _LONGEST_WITHOUT_VERB


def _is_joined(text: str, words: Sequence[str]) -> bool:
    """Whether two pieces of a page were joined, or a phrase of three words or more stands twice in a row."""
    if not _BEGINS.isdisjoint(words[1:-1]):
        for before, word, after in zip(words, words[1:], words[2:], strict=False):
            if word in _BEGINS and after[0].islower() and before.isalpha() and before.islower():
                return True
    # Where a phrase of so many words is repeated, as many words are the same as those so far behind them.
    may_repeat = (sum(map(eq, words, words[length:])) >= length for length in _LENGTHS_TWICE)
    return (
        len(words) - len(set(words)) >= _LENGTHS_TWICE[0]
        and any(may_repeat)
        and _TWICE.search(text) is not None
    )


def is_in_words(text: str) -> bool:
    """Whether an item of a list is of words, as code is not."""
    text = text[opening_length(text) :]
    return text[:1].isalpha() and " " in text and symbols_of(text) <= MOST_SYMBOLS * len(text)


def symbols_of(text: str) -> int:
    """Number of digits, punctuation marks and symbols."""
    text = without_typographic_marks(text)
    if text.isascii():
        return len(text) - len(text.encode().translate(None, _ASCII_SYMBOLS))
    return len(_SYMBOL.findall(text))


def _is_balanced(text: str) -> bool:
    """Whether every bracket and quotation mark that opens closes: a piece of a longer quotation does not."""
    counts = _count_of_brackets(text)
    if counts[0] != counts[1] or counts[2] != counts[3]:
        counts = _count_of_brackets(_SINGLE_BRACKETS.sub("", text))
    return (
        counts[0] == counts[1]
        and counts[2] == counts[3]
        and text.count("“") == text.count("”")
        # "More boats mean less water,” says Weir, “as we know.": its beginning has no mark.
        and text.find("“") <= text.find("”")
        and text.count('"') % 2 == 0
    )


def _count_of_brackets(text: str) -> list[int]:
    return [text.count(bracket) for bracket in "()[]"]
