"""Whether a sentence can stand in a summary: alone, with the sentence before it, or not at all.

A sentence of a source is written for the place where it is. Shown elsewhere, a caption, a list item with its
number, a question whose answer stays behind or a line of a table is debris; a sentence that begins with
"However, this …" is a riddle unless the sentence before it is shown as well. These rules are general:
they hold for every kind of source. They are rules of English; of other languages they judge form alone.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.methods.extract.leaning import Leaning
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import without_typographic_marks
from lsum_cli.text.terms import BoolArray, IntArray, is_function_word

# Limits for a presentable sentence: words, and the share of symbols among its characters.
SHORTEST, LONGEST = 8, 70
# "We disagree and reverse." can follow another sentence, but not stand alone.
SHORTEST_AFTER_ANOTHER = 4
MOST_SYMBOLS = 0.24
# In a source that begins more of its sentences in lower case, that says nothing.
MOST_LOWER_CASE = 0.3
# A source with more sentences about rights is a licence or a contract: they are what it says.
MOST_OF_RIGHTS, _FEWEST_OF_RIGHTS = 0.1, 5
# A longer line without a verb is hardly a title.
_LONGEST_WITHOUT_VERB = 16  # words
# Words after which a word in -s is a noun.
_NO_SUBJECTS_TEXT = (
    "a an the of for and or in on at to by with from as this these those its their our his her your my "
    "all some many most several various other new no two three four five "
)
_NO_SUBJECTS = frozenset(_NO_SUBJECTS_TEXT.split())

# What stands before a sentence without being part of it.
_MARKER = regex(
    r"(?:\*(?: \*){1,4}|\*{2,4}|[-*•–—‣◦▪■●·+»>]|\(?\d{1,3}[.)]|\(?(?:[a-zA-Z]|[ivx]{1,4})\)"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?"
    r"|\[(?:(?:blueprint|bug|lp|bp|story|issue)[ :#]{0,3})?(?=[\w./:-]*\d)[\w./:-]+\]"
    r"|\[(?:blueprint|bp|spec)[ :][\w./:-]+\])\s+(?=\S)"
    r"|(?:[A-Z]\w+ driver )?(?:Bug|bug|LP|Story) ?#?\d+ ?[:,] +(?=\S)"
    # "D. There are …"; but "D. Brown" is a name.
    r"|[a-uw-z]\. +(?=[A-Z])"
    r"|[A-H]\. +(?=(?:The|There|This|These|A|An|In|It|We|If|For|To|When|Any|All|No|On|By|As)\b)"
)
_LABEL = regex(
    r"(?:bug ?fix(?:es)?|fix(?:es|ed)?|(?:new )?features?|upgrade(?: notes?)?"
    r"|security(?: issues?| fix(?:es)?| updates?)?"
    r"|deprecat(?:ions?|ed)(?: notes?)?|other(?: notes?)?|known issues?|prelude|critical(?: issues?)?"
    r"|added|changed|removed|fixed|improve(?:d|ments?)|enhancements?|breaking(?: changes?)?|notes?|nb"
    r"|important(?: notes?)?|warnings?|caution|tips?|info|update|summary|abstract|background"
    r"|(?:aims?|objectives?|purposes?)(?: of (?:the )?(?:study|review))?"
    r"|(?:materials and )?methods?|(?:main )?(?:results?|findings)|(?:main )?conclusions?|discussion"
    r"|(?:recommendation|finding|conclusion|objective|requirement) (?:no\. ?|#)?\d{1,2}(?:\.\d{1,2})?"
    r"|interpretation|introduction|motivation|problem|solution|design|setting"
    r"|participants|significance|importance|held|overview|context|rationale|proposal"
    r"|recommendations?) ?[:.—–] ?(?:[-*•] )?(?=[A-Z“\"'`(\[])",
    re.IGNORECASE,
)
# "(CNN) -- The storm …", "SEOUL, Aug. 20 (Yonhap) -- The …": where a report was made, by which agency.
DATELINE = regex(
    r"(?:\([A-Z]{2,6}\) ?[-–—]{1,2}"
    r"|(?:(?:[A-Z][\w.'’/-]*,? |\d{1,2},? ){1,6})?\((?:AP|AFP|UPI|CNN|VOA|EFE|ANSA|TASS|PTI|IANS|ANI|CNA|DPA"
    r"|dpa|Reuters|Bloomberg|Xinhua|Yonhap|Kyodo)\)(?: ?[-–—]{1,2})?) +(?=[A-ZÄÖÜÉ“\"„])"
)
# A reference that the sentence splitter left before a sentence: "Pet. for Cert. i. We hold …".
_LEADING_CITATION = regex(
    r"(?:Pet\. for Cert\. [\divx]+\.|Id\., at [\d–-]+\.|Ibid\.|(?:App|Tr)\. (?:of Oral Arg\. )?[\d–-]+\."
    r"|Pp\. [\d–, -]+\.|(?:Ante|Post|Supra), at [\d–, -]+\.[\d]*)\s+(?=[A-Z])"
)
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
# "3The", "3“The", "4IMO": the number of a note, and the first word of it.
_NUMBERED_NOTE = regex(r"\d{1,3}[“\"]?(?P<word>[A-Z](?:[a-z]+|[A-Z]+)\b|A\b)")
_NUMBERED_WITHIN = regex(rf" {_NUMBERED_NOTE.pattern}")
_CAPITALS = regex(r"(?<!\w)[A-Z]+\b")
# What a licence or a contract means by a word is not what it grants or asks.
_MEANS = regex(
    r"(?:an? |the |to )?[\"“][^\"”]{1,50}[\"”](?: \([^()]*\))?(?: [\w’'-]+){0,4}? "
    r"(?:means?|is|are|refers?|includes?)\b",
    re.IGNORECASE,
)
# "don't", "well-known".
_IN_A_WORD = regex(r"(?<=\w)['’-](?=\w)")
# "ensemble.Forest" is a name.
_LOWER_CASE_WORD = regex(r"[a-zß-öø-ÿ]+(?=[ ,;:]|\.(?!\w\w)|$)")

# A program or library is named as it is typed.
_LOWER_CASE_SUBJECT = regex(
    r"(?P<name>[a-z][\w.+-]+)(?: [A-Z]\w*)? (?:is|was|has|can|does|will|provides?|supports?|uses|allows?"
    r"|lets|makes|comes|handles|implements|returns|takes|works|reads|writes|runs|converts|creates|should|must"
    r"|also) (?!that\b)"
    # "libssh delegates all …"; "errors in the …" is none.
    r"|(?P<other>[a-z][\w.+-]+) [a-z]{2,}(?<![siu])s (?:an?|the|its|all|no|any|each|every|only|both"
    r"|[A-Z]\w+) "
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
    r"|file|post|send|use|share)\b)|let['’]s\b|let us\b"
    r"|now,? (?:observe|consider|let|look|suppose|assume)\b|recall (?:that|from|the)\b"
    r"|(?:suppose|assume|imagine|consider) (?:that|a|an|the|we|you|for)\b"
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
    r"|(?:thank you|thanks) to (?:all|every|our|the (?:team|contributors|volunteers|community))"
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
    r"|[†‡^]|\*{1,4}(?=\w)(?![^*]*\*)"
    # What a court prints beside its reasons.
    r"|(?:for these reasons, )?it is so ordered|notice: this opinion"
    r"|(?:note: )?where it is feasible, a syllabus"
    r"|the syllabus constitutes|(?:affirmed|reversed|vacated)(?: and remanded)?\.$",
    re.IGNORECASE,
)
# What only says that there is more to say: the list, or the reasons, stay behind.
_ANNOUNCES = regex(
    r"(?:\w+, )?there (?:are|exist) "
    r"(?:(?:\w+ )?(?:several|different|various|multiple|many|some|numerous|two|three|four|five)"
    r"|a (?:few|couple of|number of|(?:great|large|wide|vast|broad) (?:number|variety|range) of)) "
    r"(?:\w+ ){0,2}?(?:approaches|ways|options|methods|possibilities|strategies|steps|solutions|reasons"
    r"|differences|scenarios|cases|things|points|issues|questions|factors|examples)\b[^,:;—–]{0,60}\.$"
    r"|(?:the )?following (?:are|is) [^:;]{3,120}\.$"
    r"|(?:[^,;:]{3,90}, )?here (?:are|is) [^:;]{3,120}\.$"
    r"|the [^,:;]{3,90} follow(?:s|ing)?\.$"
    r"|[^,:;]{3,120} (?:requires?|needs|involves) (?:several|various|multiple|a few|two|three|four"
    r"|a number of) (?:\w+ )?(?:changes|steps|modifications|additions|adjustments|things)\.$"
    r"|there (?:are|is) (?:many|numerous|countless"
    r"|a (?:great|large|wide|vast|broad) (?:number|variety|range) of) [^,:;—–]{3,50}\.$"
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
# The same at the end: "It consists of two parts."
_PARTS = frozenset(("parts.", "steps.", "stages.", "pieces.", "phases.", "categories.", "groups."))
_ANNOUNCES_PARTS = regex(
    r"[^,:;]{3,80} (?:consists? (?:\w+ )?(?:of|in)|contains?(?: only)?|falls? into|is divided into|has) "
    r"(?:two|three|four|five|several|multiple) (?:\w+ )?\w+\.$"
)
# A line that stands between two paragraphs and belongs to neither.
_INTERRUPTION = regex(
    r"(?:related(?: (?:stor(?:y|ies)|articles?|content|coverage|topics?))?|read (?:more|also|next)|also read"
    r"|see also|more(?: on this| from .{2,30})?|watch|listen|recommended|don['’]t miss|you may also like)"
    r" ?[:|] ?\S"
    r"|powered by \w|advertisement\W*$|story continues below|article continues (?:after|below)"
    r"|(?:image|media|video) (?:source|caption|copyright)\b",
    re.IGNORECASE,
)
# Searched for after a space is put before the text: a pattern is tried only where a word ends.
_WORDS_NOT_ANYWHERE = regex(
    r"\W(?=[AaBbdEeFfhjLlPpRSsTtvw])"
    # Figures, tables, equations and appendices by number.
    r"(?:(?:[Ff]igs?\.|[Ff]igures?|FIGURE|[Tt]ables?|TABLE|[Ee]qn?s?\.|[Ee]quations?|[Aa]ppendi(?:x|ces)"
    r"|[Bb]ox|[Ll]istings?|[Ss]cheme|[Pp]anels?|[Aa]dditional files?"
    r"|(?:[Ss]uppl(?:ementary|ementa(?:l|ry)|\.)? )"
    r"(?:[Ff]ig\w*\.?|[Tt]ables?|[Mm]aterials?|[Dd]ata|[Ii]nformation|[Ff]iles?))\s*\(?(?:[S\d]\d*|[A-Z]\b)"
    r"|[Ss]upplementary (?:[Mm]aterials?|[Ii]nformation|[Ff]iles?|[Dd]ata)\b"
    # References to literature.
    r"|available at\b(?! \S*\w[/._]\w| /)|vol\. ?\d|pp\. ?\d|doi:|https?:|www\."
    # What a court prints beside its reasons.
    r"|delivered (?:the|an) opinion(?!.{0,300}?\bconcluding that\b)|took no part in"
    r"|joins?,? (?:concurring|dissenting)"
    r"|filed an? (?:dissenting|concurring|separate|opinion)|Reporter of Decisions)"
)
_SIGNS_NOT_ANYWHERE = regex(
    # Code, markup, cells of a table.
    # "a->b" is a name.
    "[\ufffd{}\\\\]|==|=>|->(?<!\\w->)|->(?!\\w)|(?<![\\w\\])=])</?\\w+[ >]|(?<!\\w)::\\w"
    r"| \| .* \| | \* \* |\$\$|;\s*$"
    # A link or a symbol that was lost: "developed by the , a body", "an application of , which".
    r"|\b(?:of|by|the|an?|from|with|for|in|as|than|and|or|see) (?:[,;.](?! ?\.)(?=\s|$)|\))"
    r"|\((?:not shown|see (?:above|below)|data not shown|left|right|top|bottom)\)"
    r"|,[”’\"] (?![^;]{0,60} v\. )(?:in )?[A-Z][^;]{3,80}\b(?:19|20)\d\d\b|\(\d{4}\): ?\d"
)
# Each of them has one of these.
_SIGNS = (
    "\ufffd", "{", "}", "\\", "==", "=>", "->", "<", "::", " | ", " * * ", "$$", ";", " ,", " .", " )", "(",
    ",”", ",’", ',"',
)  # fmt: skip
# What a site says to its visitors about their data, in the languages whose rules are known.
_OF_COOKIES = regex(
    r"(?:\b(?:we|wir|nous|utilizamos|usamos|this (?:web)?site|our (?:web)?site|diese (?:web)?seite|ce site"
    r"|by (?:using|continuing|clicking)|durch die|mit der|en (?:poursuivant|continuant|naviguant)"
    r"|al (?:usar|continuar|navegar))\b.{0,200}?\bcookies\b"
    r"|\bcookies\b.{0,200}?\b(?:zustimm|stimmen sie|einverstanden"
    r"|you agree|consent|vous acceptez|acepta))",
    re.IGNORECASE,
)
_OF_NEWSLETTER = regex(
    r"\b(?:our|free|unser\w*|kostenlos\w*|notre|nuestr[ao]|gratuit\w*)(?: [\w-]+){0,2} newsletters?\b"
)
# Where a page points to what a summary does not show; each has one of the words.
_WORDS_OF_PLACES = ("below", "above", "ci-", "unten", "oben")
_POINTS_ON_THE_PAGE = regex(
    r"\b(?:map|chart|graph|image|photo|picture|video|table|diagram|screenshot|snippet|clip|gallery"
    r"|infographic)s? (?:\w+ ){0,3}(?:below|above)\b(?! (?:the|an?|his|her|its|their|my|our|all|average)\b)"
    r"|^(?:above|below) (?:is|are) (?:a|an|the|some|my|our)\b"
    r"|\bci-(?:dessous|dessus|après|contre)\b"
    r"|\b(?:siehe|s\.) (?:\w+ )?(?:unten|oben)\b"
    r"|\b(?:unten|oben)(?:stehend| abgebildet| gezeigt)",
    re.IGNORECASE,
)
# A reference to a figure or table by its number, "Figs. 2a, b and 3", and where it stands in parentheses:
# alone, or after what else they hold.
_NUMBER_OF_FIGURE = r"(?:[A-Z]?\d{1,3}[A-Za-z]?\d?|[IVX]{1,4}|(?<!\d )[A-Ha-h])(?:[-–—][A-Za-z\d]{1,3})?\b"
_FIGURE = (
    r"(?:(?:(?:Supp(?:l\.?|lementary|lemental)|Additional|Extended Data|Online|Appendix) )?"
    r"(?:[Ff]igs?\.?|[Ff]igures?|FIG\.?|FIGURE|[Tt]ables?|TABLE|Box(?:es)?|Schemes?)"
    r"|(?:Supplementary|Additional) (?:[Ff]iles?|[Dd]ata|[Mm]aterials?|[Mm]ovies?|[Vv]ideos?)) ?"
    rf"{_NUMBER_OF_FIGURE}(?:(?:, ?(?:and )?| ?(?:and|&|to) ?){_NUMBER_OF_FIGURE}){{0,12}}"
    r"(?:,? (?:left|right|top|bottom|upper|lower|middle|inset|arrows?)(?: panels?)?)?"
)
_FIGURES = rf"(?:(?:see |also |cf\. |and )*{_FIGURE}(?:[,;:] ?| (?=and )|(?= ?[)\]]))){{1,8}}"
_FIGURES_IN_PARENTHESES = regex(
    rf"(?<=.)(?: ?\( ?{_FIGURES} ?\)| ?\[ ?{_FIGURES} ?\]|[,;] ?{_FIGURES}(?=\)))"
)
_AS_FIGURES_SHOW = regex(
    rf"As (?:\w+ ){{0,2}}?(?:shown|seen|illustrated|depicted|summari[sz]ed|presented|reported|listed|given"
    rf"|indicated|displayed|described) (?:in|by|from) (?:the )?{_FIGURES}(?<=, )(?=\w)"
    # Not where more is said of the figure, or what it shows is set against something.
    r"(?!(?:which|where|whose|when|with|and|but|or|however|though|for (?:example|instance)|panels?|rows?"
    r"|columns?|lines?|(?:left|right|top|bottom|upper|lower|middle) \w+)\b)"
)
_SEE = regex(
    r"(?:^|, |; |\()(?:please )?see (?:also |the |our |[“‘]|\[|section |chapter |figure )"
    r"|(?:: | ?[–—] ?)see \S"
)
# "For the settings[,] see options", where nothing is said before "see".
_SEE_FOR = regex(
    r"(?:For (?!(?:example|instance|one thing|although|though|while|if|when|as)\b)"
    r"|(?P<clause>To|If|When(?:ever)?) )(?P<what>[^;:]*?)"
    r"(?: please)? see (?!(?:if|whether|that)\b)(?(clause)[^,;]+$|\S)"
)
_ADDRESS = regex(r"\S@\w+\.")
# Where something is to be reported is what a policy has to say; other addresses are of authors and offices.
_REPORTED = regex(r"\b(?:report|disclos|complain|appeal)", re.IGNORECASE)
# Sentences that refer the reader elsewhere; searched for only where one of the words occurs.
# A requirement that has lost its subject to a list: "SHOULD be on another origin."
_MODALS_TEXT = (
    "SHOULD MUST SHALL MAY REQUIRED RECOMMENDED OPTIONAL NOT "
    # What goes on after code that is not read.
    "should must shall may will would can is are was were has have does"
)
_MODALS = frozenset(_MODALS_TEXT.split())
# English words that make a short line a sentence; other words end in -ed, or in -s after a lower-case word.
_AUXILIARIES_TEXT = (
    "is are was were be been being am has have had do does did can could will would may might must "
    "shall should isn't aren't wasn't weren't don't doesn't didn't can't cannot won't isn’t aren’t "
    "wasn’t don’t doesn’t didn’t can’t won’t it's it’s that's that’s there's there’s we're we’re "
    "they're they’re i'm i’m "
)
# Pasts, and those that are participles too.
_PASTS_TEXT = (
    "became began gave went came saw knew ran stood wrote grew fell rose sat ate drank chose drew drove "
    "flew threw sank sang swam shrank rang sprang lay rode shook spoke stole swore tore woke wore wove "
    "blew broke forgot forgave froze hid overcame strove trod undertook withdrew fled arose awoke "
    "foresaw mistook overthrew overtook retook took strode forbade slew "
)
_PARTICIPLES_TEXT = (
    "said made found led thought got kept left lost met paid sold sent shown spent taught told won "
    "brought bought built held felt heard laid slept dealt meant sought caught dug shut slid struck "
    "stuck swept swung bent bled bred burst clung crept hung hurt knelt lent quit shone sped upheld "
    "shot leapt spun stung understood "
    "wept fought fed flung rebuilt chosen hit put let "
)
_VERBS_TEXT = (
    "read set make take give get go come see know think want use find tell ask work seem feel try leave "
    "call show provide include allow need mean require remain become keep begin help turn start play "
    "run move live believe hold bring happen write sit stand lose pay meet continue learn change lead "
    "understand follow stop create speak spend grow open offer remember love consider appear buy wait "
    "serve die send expect build stay fall cut reach kill raise pass sell decide return explain hope "
    "develop carry break receive agree support report present describe propose introduce add suggest "
    "recommend conclude affirm reverse reject deny argue vacate remand dismiss depend rely contain "
    "differ vary increase decrease reduce improve enable define specify implement apply ensure eat "
    "drink choose win draw fail succeed mark drive fly throw hear "
)
_AUXILIARIES, _PASTS = frozenset(_AUXILIARIES_TEXT.split()), frozenset(_PASTS_TEXT.split())
_PARTICIPLES = frozenset(_PARTICIPLES_TEXT.split())
_VERBS = frozenset((*_AUXILIARIES, *_PASTS, *_PARTICIPLES, *_VERBS_TEXT.split()))
# After them a verb comes.
_PRONOUNS_AS_SUBJECTS = frozenset(("I", "We", "You", "They"))
# Before "see", or beside a clause, a command is none.
_NO_COMMAND_TEXT = "to not we you they i it he she who users people and never"
_NO_COMMAND = _AUXILIARIES | frozenset(_NO_COMMAND_TEXT.split())
# What says what something is, and has no verb of its own: "A key that has two columns."
_OPENS_PHRASE = regex(
    r"(?:An?|(?:The|Optional|Maximum|Minimum|Default)(?: [a-z]\w*)?(?= (?:names?|number|lists?|set|path"
    r"|values?|amount|length|size|types?|URLs?|address|class|director(?:y|ies)|files?|key|port|host|format"
    r"|string|maximum|minimum|default|version|level|function|method|object|option|time(?:out)?|interval"
    r"|identifier|ID)\b)|(?:Names?|Number|List|Set|Length|Size|Amount)(?= of\b)|Path(?= (?:of|to)\b)"
    # "Free to add as they see fit."
    r"|(?:Free|(?:Una|A)ble|Easy|Hard|Likely|Willing|Ready|Eager|Keen|Glad|[A-Z][a-z]+(?:ible|ful|less|ous))"
    r"(?= (?:to [a-z]|in the sense that)[^,]*$)|Whether(?= to [a-z][^,]*$))\b"
    r"(?! (?:few|lot|little|number|majority|variety|range|handful|couple|group)\b)"
)
_LONGEST_PHRASE = 30  # words
_BEFORE_PARTICIPLES = _AUXILIARIES | {"be", "been", "not", "longer"}
# Verbs that are hardly ever nouns, even in -s.
_ONLY_VERBS_TEXT = (
    "allow apply become contain define depend consist describe differ enable ensure exist implement "
    "include invoke occur provide raise refer rely remain represent require seem specify support vary "
)
_ONLY_VERBS = frozenset(form for verb in _ONLY_VERBS_TEXT.split() for form in (verb, f"{verb}s"))
_BEFORE_NO_VERB = frozenset(("to", "for", "of", "and", "or", "the", "a", "an", "no"))
# What opens a clause whose verb is not that of the sentence.
_SUBORDINATES = frozenset(
    ("that", "which", "who", "whose", "when", "where", "if", "whether", "while", "because", "unless", "how")
)
_DETERMINERS_TEXT = (
    "the a an its their his her our this that these those no any all each every it them you your one how "
    "what whether half more less much only well up out better best too itself themselves "
)
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
_ARTICLES = frozenset(("the", "a", "an"))
_PREPOSITIONS_TEXT = "of in to for by with from on at between about as into within during using via under "
_PREPOSITIONS = frozenset((*_PREPOSITIONS_TEXT.split(), "when", "while", "if", "through", "containing"))
_JOINS = frozenset(("and", "or", "but"))
_SHORTEST_VERB = 4  # letters
_POINTER_WORDS = ("follow", "below", "above", "section", "chapter", " seen ")
_POINTER = regex(
    r"\bthe following (?:section|chapter|table|figure|list|example|code|steps|paragraph)|\bas follows\b"
    # "For the reasons given above, the judgment is affirmed" says what it says without them.
    r"|\b(?<!reasons )(?:shown|given|listed|described|discussed|mentioned|outlined|defined) "
    r"(?:below|above|earlier|later)\b"
    r"|\b(?:given|described|discussed|presented|outlined|considered|treated|shown"
    r"|detailed|explained|covered) (?:in (?:more|further|greater) detail )?in (?:the )?"
    r"(?:sections?|chapters?|(?:next|previous|following|preceding|last|later) (?:sections?|chapters?))\b"
    r"|\bin the (?:next|previous|following|preceding) (?:sections?|chapters?)\b"
    r"|\b(?:sections?|chapters?) \d[\d.]* (?:describes?|discuss|present|outline|give|explain|show|contain)"
    r"|\b(?:examples?|code|listing|output|query|statement)s? above\b(?! (?:the|an?|all)\b)"
    r"|\babove examples?\b"
    r"|\bas (?:already )?seen (?:in|above|earlier|before)\b"
    r"|\bthe previous section\b|\b(?:below|above|following)[.:]?$"
)
# Where what goes with an article is found.
_SUPPLEMENT = regex(
    r"the online version of (?:this|the) (?:article|paper|chapter)\b.{0,80}\bsupplementa"
    r"|(?:electronic )?supplementa(?:ry"
    r"|l) (?:material|information|data)s?\b.{0,60}\b(?:available|found|online|accompan)",
    re.IGNORECASE,
)
# Publication details that are no part of the text.
_IMPRINT = regex(
    r"(?:citation|key ?words?|correspondence|received|accepted|published|edited|reviewed|editors?|e-?mail"
    r"|doi|how to cite|cite as|copyright|issn|isbn) ?:"
    # Catalogues write "Title : subtitle / author".
    r"|\S.* : \S.* / [^\W\d_]|(?:received|accepted|published) (?:online )?\d",
    re.IGNORECASE,
)
_RIGHTS = (
    "©",
    "copyright (c)",
    "copyright 1",
    "copyright 2",
    "all rights reserved",
    "alle rechte vorbehalten",
    "tous droits réservés",
    "todos los derechos reservados",
    "tutti i diritti riservati",
    "subject to copyright",
    "may be reproduced without",
    "for information purposes only",
    "honorarpflichtig",
    "vielen dank an",
    "creative commons",
    "is licensed under",
    "this is an open access",
    "this is an open-access",
    "permission of the publisher",
    "terms of use",
    "permission is granted",
    "permission is hereby granted",
    "licensed under the",
    "this license",
    "license notice",
    "may not be copied",
    "internet-drafts",
    "this internet-draft",
    "legal provisions relating",
    "copied and distributed",
    "may redistribute",
    "redistribute it and",
    "copy and distribute",
    "service mark",
    "trademark of",
    "trademarks of",
    "trademarks and",
    "would like to thank",
    "would like to acknowledge",
    "would like to extend",
    "we thank ",
    "we are grateful",
    "i am grateful",
    "indebted to",
)
# Each of them has one of these.
_OF_RIGHTS = (
    "©",
    "cop",
    "serv",
    "vorbehalten",
    "reproduced",
    "purposes only",
    "honorar",
    "dank an",
    "commons",
    "licens",
    "an open",
    "permission",
    "terms of use",
    "internet-d",
    "provisions",
    "redistribute",
    "trademark",
    "would like",
    "we thank",
    "grateful",
    "indebted",
)
STOPS = tuple(".!。！।…")
QUOTATION_MARKS = "\"'”’»」』"
CLOSING_MARKS = f"{QUOTATION_MARKS})]"
_LEFT_OPEN = regex(
    r"(?:\.\.\.|…|\b(?:e\.g|i\.e|cf|vs?)\.|(?<=[ (])['\"‘“]\.{1,2}"
    r"|\b(?:the|an?|and|or|than)\.|(?<=[;:,]) \(?[\divx]{1,2}[.)])$"
)
_END_LEFT_OPEN = 5  # characters that it matches, at most
_SYMBOL = regex(r"[!-@\[-`{-~\u2190-\u23ff\u2500-\u27bf]")
_ASCII_SYMBOLS = f"{string.digits}{string.punctuation}".encode()
# Its first sign before what stands before it, so that it is tried only at one.
_NUMBER = regex(r"[\d.,%–-](?<!\S[\d.,%–-])[\d.,%–-]*+(?!\S)")
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
class Standing:
    """How the sentences of a source can stand in a summary; one value per sentence.

    Attributes:
        offset: Where the sentence proper begins, after list marker and label.
        is_presentable: Whether it can be shown at all.
        leans: Whether it is only shown together with the sentence before it: it begins as if it went on.
        points: The same for a word inside it that points back: a reader stumbles, but less.
        is_reference: Whether it only names a source, or belongs to no paragraph, as "Related: …": what
            comes after goes on where the one before ends.
        grants_rights: Whether it is of a licence, a copyright notice or an acknowledgement.
    """

    offset: IntArray
    is_presentable: BoolArray
    leans: BoolArray
    points: BoolArray
    is_reference: BoolArray
    grants_rights: BoolArray


def judge(
    texts: Sequence[str],
    num_words: IntArray,
    *,
    is_spoken: bool = False,
    is_english: bool = True,
    leaning: Leaning | None = None,
) -> Standing:
    """Judge the sentences of a source.

    Args:
        texts: The sentences in order.
        num_words: Words of each.
        is_spoken: Whether they are of a conversation: a name before a colon is then a speaker.
        is_english: Whether a line without an English verb is no sentence.
        leaning: How sentences of their language lean on others; without it none but short ones do.
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
        if number in notes:
            continue
        if keeps_case and is_lower and not _is_name(text):
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
    return Standing(
        offset=np.array(offsets, np.int64),
        is_presentable=presentable,
        leans=np.array(
            [
                not is_spoken
                and (length < SHORTEST or (leaning is not None and is_shown and leaning.opens(text)))
                for text, length, is_shown in zip(shown, num_words.tolist(), judged, strict=True)
            ],
            bool,
        ),
        points=np.array(
            [
                not is_spoken and leaning is not None and is_shown and leaning.points(text)
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


def _is_name(text: str) -> bool:
    """Whether a sentence begins with a name that is written in lower case: "rustc is the compiler"."""
    found = _LOWER_CASE_SUBJECT.match(text)
    name = (found["name"] or found["other"]) if found is not None else ""
    return bool(name) and not is_function_word(name) and name not in _VERBS


def begin(text: str) -> str:
    """What went on within a sentence as one of its own; an identifier ("scipy.stats") stays as it is."""
    word = _IN_A_WORD.sub("", text.split(maxsplit=1)[0].strip(",;:()")) if text else ""
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text


def definitions(texts: Sequence[str]) -> BoolArray:
    """Whether each sentence is an entry of a glossary, where there are several: "Weir: A low dam across"."""
    found = np.array([": " in text and _DEFINITION.match(text) is not None for text in texts], bool)
    return found if found.sum() >= _FEWEST_NAMED else np.zeros(len(texts), bool)


def opening_length(text: str) -> int:
    """Length of the list markers, label or stray reference before a sentence: "- Fix: [bug 7] The …"."""
    position = _past(_LABEL, text, _past(_MARKER, text, 0))
    position = _past(_MARKER, text, position) if position else 0
    position = _past(_LEADING_CITATION, text, position)
    return _past(DATELINE, text, position) if "(" in text else position


def _past(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a text goes on after what a pattern matches there, if it does."""
    found = pattern.match(text, position)
    return position if found is None else found.end()


def is_interruption(text: str) -> bool:
    """Whether a line stands between two paragraphs and belongs to neither: "Related: …", "Powered by …"."""
    return _INTERRUPTION.match(text) is not None


def without_figures(text: str) -> str:
    """A sentence without its references to figures and tables that say nothing else.

    "(Figure 1)" anywhere, "As shown in Figure 1, " where it begins.
    """
    if text.startswith("As ") and (found := _AS_FIGURES_SHOW.match(text)) is not None:
        text = begin(text[found.end() :])
    if "(" not in text and "[" not in text:
        return text
    return _FIGURES_IN_PARENTHESES.sub("", text)


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
        text.startswith(("(", ",", ";", ":", ".", ")", "|"))
        or _NOT_AT_ALL.match(text)
        or (text.startswith("[") and body.endswith((".", "!")) and text.endswith("]"))
        or _MARKER.match(text)
        or _ANNOUNCES.match(text)
    ):
        return False
    if any(map(text.__contains__, _SIGNS)) and _SIGNS_NOT_ANYWHERE.search(text):
        return False
    if _WORDS_NOT_ANYWHERE.search(f" {text}"):
        return False
    if (
        (" see " in text and _only_refers(text))
        or ("see " in text and _SEE.search(text))
        or ("@" in text and _ADDRESS.search(text) and not _REPORTED.search(text))
    ):
        return False
    if (not is_of_rights and grants_rights(text)) or is_about_publication_or_other_places(text):
        return False
    if not is_spoken and ((":" in text and _WORDS_THEN_COLON.match(text)) or _QUOTED_WHOLE.match(text)):
        return False
    if not _is_balanced(text) or symbols_of(text) > MOST_SYMBOLS * len(text):
        return False
    words = text.split()
    if words[-1] in _PARTS and _ANNOUNCES_PARTS.match(text):
        return False
    if is_english and len(words) <= _LONGEST_PHRASE and _OPENS_PHRASE.match(text) and _is_phrase(words):
        return False
    if words[0] in _MODALS or (len(words) <= _LONGEST_WITHOUT_VERB and is_english and not has_verb(words)):
        return False
    if 3 * len(_NUMBER.findall(text)) > len(words):
        return False
    shouted = list(filter(str.isupper, words))
    return 2 * len(shouted) <= len(words) or 2 * sum(len(word) > 1 for word in shouted) <= len(words)


def _only_refers(text: str) -> bool:
    """Whether a sentence says only where to find what it is about: "For the settings see options"."""
    found = _SEE_FOR.match(text)
    if found is None:
        return False
    *clauses, last = found["what"].split(",")
    if clauses and last.strip():
        return False
    # "For most, it is enough to see one", "To let them see it": there is another verb, or no command.
    words = " ".join(clauses[1:]).split()
    if not found["clause"]:
        words += (clauses or [last])[0].split()[-1:]
    elif not clauses:
        return False
    return not any(word.lower() in _NO_COMMAND for word in words)


def has_verb(words: Sequence[str]) -> bool:
    """Whether an English line has a word that may be a finite verb: a title or a reference has none."""
    if words[0] in _PRONOUNS_AS_SUBJECTS:
        return True
    last = words[-1]
    for before, word, following in zip(words, words[1:], [*words[2:], ""], strict=False):
        plain = word.strip(".,;:()[]”“\"'").lower()
        if plain in _VERBS or plain.endswith("ed"):
            return True
        is_ending = len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is"))
        if (
            is_ending
            and word is not last
            and word.islower()
            and before.rstrip(",\"”’'")[-1:].isalpha()
            # "Many keepers", but "Many to many adds a table".
            and (before.lower() not in _NO_SUBJECTS or following in _ARTICLES)
        ):
            return True
    return words[0].lower() in _VERBS


def _is_phrase(words: Sequence[str]) -> bool:
    """Whether a line that begins as a noun does has verbs in its clauses alone: "A key that has two rows".

    Careful: what may be its verb is taken for it.
    """
    is_within = has_clause = is_in_phrase = False
    plain = [word.strip(".,;:()[]”“\"'") for word in words]
    for before, word, following in zip(["", *plain], plain, [*plain[1:], ""], strict=False):
        if word in _SUBORDINATES:
            # "When writing an API" has no verb that "is" could be.
            is_within = not following.endswith(("ing", "ed"))
            continue
        is_verb = word.lower() in _AUXILIARIES or word in _PASTS or word == "need"
        is_verb = is_verb or (word in _ONLY_VERBS and before not in _BEFORE_NO_VERB)
        if not is_verb and len(word) >= _SHORTEST_VERB and word.islower():
            if word.endswith("ed") or word in _PARTICIPLES:
                is_verb = following not in _PREPOSITIONS or is_within
            elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and before not in _NO_SUBJECTS:
                is_verb = following in _DETERMINERS or following[:1].isupper() or not is_in_phrase
        is_in_phrase |= word in _PREPOSITIONS
        if not is_verb:
            continue
        if is_within:
            is_within, has_clause = False, True
        elif not has_clause or (before not in _JOINS and before not in _BEFORE_PARTICIPLES):
            return False
    return True


def is_about_publication_or_other_places(text: str) -> bool:
    """Whether a sentence tells where a text was published, or points the reader to another place."""
    # An imprint has a colon, or begins with "received", "accepted" or "published".
    lower = text.lower()
    if (":" in text or text[:1] in "RrAaPp") and _IMPRINT.match(text):
        return True
    if "newsletter" in lower and _OF_NEWSLETTER.search(lower):
        return True
    if ("cookies" in lower and _OF_COOKIES.search(text)) or (
        any(map(lower.__contains__, _WORDS_OF_PLACES)) and _POINTS_ON_THE_PAGE.search(text)
    ):
        return True
    if "supplementa" in lower and _SUPPLEMENT.match(text):
        return True
    return any(map(lower.__contains__, _POINTER_WORDS)) and _POINTER.search(lower) is not None


def grants_rights(text: str) -> bool:
    """Whether a sentence is of a licence, a copyright notice or an acknowledgement."""
    contains = text.lower().__contains__
    return any(map(contains, _OF_RIGHTS)) and any(map(contains, _RIGHTS))


def symbols_of(text: str) -> int:
    """Number of digits, punctuation marks and symbols."""
    text = without_typographic_marks(text)
    if text.isascii():
        return len(text) - len(text.encode().translate(None, _ASCII_SYMBOLS))
    return len(_SYMBOL.findall(text))


def _is_balanced(text: str) -> bool:
    """Whether every bracket and quotation mark that opens closes: a piece of a longer quotation does not."""
    return (
        text.count("(") == text.count(")")
        and text.count("[") == text.count("]")
        and text.count("“") == text.count("”")
        and text.count('"') % 2 == 0
    )
