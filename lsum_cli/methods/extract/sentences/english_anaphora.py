"""How English sentences continue from the one before, and refer back: connectives, pronouns, demonstratives.

Fitted to where readers said that a sentence must be quoted with another.
"""

from __future__ import annotations

import re

from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word, split_terms

# Nouns by which a document of any kind refers to itself, or that everybody knows: "This proposal" and
# "this year" have no antecedent.
_OWN_NOUNS = (
    r"paper|opinion|study|article|work|report|review|proposal|document|chapter|book|specification|spec|thesis"
    r"|dissertation|survey|essay"
    r"|standard(?! \w+ (?:is|isn|was|has|of)\b)"
    r"|(?-i:[A-Z]{1,5}(?:IPE?|EP)|TAP|RFC|ADR|AD|ERC)"
    r"|eip|erc|pep|kep|rfc|bip|jep|tip|sip|adr|manual|guide|guideline|tutorial|draft|release|version"
    r"|plan|analysis|research|investigation|project|post|blog|page|website|site|memo(?:randum)?|statement"
    r"|series|edition|trial|meeting|year|week|month|summer|winter|spring|fall|autumn|century|decade|morning"
    r"|afternoon|evening|term|code of conduct"
    # A contract writes what it calls itself with a capital.
    r"|(?-i:Licen[sc]e|Agreement|Contract|Code|Charter|Notice|Convention|Treaty|Constitution|Order|Addendum)"
)
# What only documents of a kind are, or decide.
_OWN_NOUNS_OF_KIND = {
    DocumentKind.DECISION: "court|case|appeal|litigation|dispute|act|statute",
    DocumentKind.PROPOSAL: "enhancement|feature|change|protocol|policy|rule|regulation|bill|act|update"
    "|rewrite|design",
    DocumentKind.PAPER: "cohort",
    DocumentKind.OTHER: "policy|act|bill|rule|regulation",
}
_TIMES = (
    r"(?:year|week|month|summer|winter|spring|fall|autumn|century|decade|morning|afternoon|evening|term)\b"
)
# No adjective between "this" and such a noun: "This is a report".
_NO_ADJECTIVE = (
    r"(?:is|was|are|were|has|have|had|will|would|can|could|may|might|must|should|does|did|makes?|means|in|of"
    r"|for|to|by|with|on|at|from|as|the|an?|and|or|but|that|which|this|means?|we|you|it)\b"
)
# "Both functions accept a URL and return …" says which two no more than "Both accept …" does.
_TWO_OF_A_KIND = (
    r"(?:[a-z-]+ )?[a-z]{2,}(?<![sui])s (?!(?:of|in|on|at|by|for|from|to|with|between|and|or)\b)"
    r"[a-z]{2,}(?<!ing)\b(?! (?:and|or)\b)"
)
# "It is clear that", "those who": what begins as if it continued and does not; first what a pronoun begins.
_EXPLETIVE_PRONOUN = (
    # But of "It is hard to recognise it" the object is one.
    r"(?!it(?:['’]s| is| was) (?:\w+ )?(?:hard|difficult|easy|impossible|tempting|wrong|strange) to"
    r" (?!(?:make|keep|find|take)\b)\w+ (?:it|them|him|her)\b)"
    r"(?:it (?:is|was|has been|seems|appears|remains|becomes|became|turned out|turns out|follows)"
    r"(?: \w+ly)?(?: also| now| not| thus| well)? (?!(?:a|an|the|in|on|at|by|with|to|because|used|called|made"
    r"|based|located)\b)\w+(?: \w+){0,3} (?:that|to|whether|how|why)\b"
    r"|it (?:would be|may be|might be|can be|could be|should be|must be)(?: \w+ly)?(?: also| not| well)? "
    r"(?:\w+(?: \w+)? (?:that|whether|how|why)"
    r"|(?:im)?possible"
    r"|(?:un)?(?:necessary|wise|fair|safe|clear)"
    r"|important|useful|helpful|best|better|easy|easier|hard|harder|difficult|wrong|right|sufficient|enough"
    r"|good|nice|preferable|desirable|interesting)\b"
    r"|it turn(?:s|ed) out that\b"
    r"|it (?:is|was)(?: now| not)* an? (?:[\w-]+ )?(?:change|idea|practice|mistake|error|requirement) to \w+"
    r"|it (?:is|was)(?: now| not| \w+ly)* (?:un|im)?(?:necessary|possible|important|useful|helpful|best"
    r"|better|easy|easier|hard|harder|difficult|common|usual|enough|sufficient|recommended|required"
    r"|essential) for [^,.;:]{2,60} to \w+"
    # "It is feared three boats were lost", without "that".
    r"|it (?:is|was|has been) (?:now |also |\w+ly )?(?:alleged|announced|believed|claimed|confirmed|estimated"
    r"|expected|feared|hoped|reported|revealed|rumou?red|said|thought|understood) (?:the|an?|some|several"
    r"|many|most|all|no|up to|about|around|at least|more than|nearly|two|three|four|five|six|seven|eight|nine"
    r"|ten|\d[\d,.]*) "
    # "It is ten years since …"
    r"|it (?:is|was|has been) (?:[\w-]+ ){1,4}(?:decades?|years?|months?|weeks?|days?|hours?) since\b"
    # "It's possible to …"; "It is wise for you, as a keeper, to know …"; "It can take a long time to …".
    r"|it['’]s (?:not |also |often |now |usually )?(?:as |more |very )?"
    r"(?:(?:im|un)?(?:possible|necessary|wise|common|usual)"
    r"|important|useful|helpful|best|better|easy|easier|hard|harder|difficult|recommended) "
    r"(?:for [^,.;:]{2,60} )?to \w+"
    r"|it (?:is|was)(?: \w+ly)? (?:un)?wise for [^,.;:]{2,60} to \w+"
    r"|it (?:can|could|may|might) (?:sometimes |often )?take (?:a |some |much |up to )?(?:(?:very )?long )?"
    r"(?:time|while|minutes|hours|days|weeks)\b"
    r"|those (?:who|that|which|whose|with|without|of|in|from)\b"
    r"|this (?:is|was) an? (?:[\w,-]+ ){0,4}(?:study|trial|analysis|survey|review)\b)"
)
# "The gate must be shut, though.": of what the sentence before says. "Instead" may be of a clause before it.
_ALWAYS_TURNS = (" though.", " however.")
_TURNS_AT_END = (*_ALWAYS_TURNS, " instead.", " either.")
_CLAUSES = regex(r"[,;:] |(?:^| )(?:and|but|so|or|then|if|when|because|which|that) ", re.IGNORECASE)
# Verbs whose subject "that" is, where it begins a sentence.
_AFTER_THAT = "is|was|would|means|should|could|can|cannot|will|has|had|may|might|must|does|did"
_EXPLETIVE = regex(
    rf"{_EXPLETIVE_PRONOUN}"
    r"|there (?:is|are|was|were|has|have|had|will|would|may|might|can|could|exists?|remains?|seems?)\b"
    r"|such as\b|so far\b|so-called\b"
    rf"|both (?!{_TWO_OF_A_KIND})"
    r"(?:the |of the |of our |of |our )?[^,.;]{1,60}? and\b"
    r"|here,? we\b|here is\b|here are\b|also known\b|thus far\b"
    rf"|that (?!(?:{_AFTER_THAT}|said|person|man|woman|way|decision)\b)\w+ \w+"
    r"|(?:rather than|instead of|further \w+) (?!this\b|that\b|these\b|those\b|it\b|them\b)"
    r"|(?:in addition to|in contrast (?:to|with)|besides)"
    r" (?!(?:this|that|these|those|its?|them|their|the (?:above|former))\b)"
    r"(?![^.;:]{2,60}, (?:it|they|he|she|this|these)\b)"
    r"|the (?:second|third) (?:most|\w+est)\b"
    r"|for (?:all )?(?:these|those|the foregoing) reasons,? "
    r"(?:we|I|the (?:judgments?|orders?|decisions?|case))\b"
    r"|to make (?:it|this|that) (?:\w+er|(?:im)?possible|clear|simple|more)\b"
    r"|yet to\b|then-",
    re.IGNORECASE,
)
# "The former is faster", but not "The former president" or "a former teacher".
_FORMER = (
    r"(?<!a )former(?! (?:(?:[a-z]+|[\w.]+-\w+) )?(?:(?-i:[A-Z])[\w.’'-]+|(?:vice-)?president|minister"
    r"|chancellor|senator|governor|mayor|officers?|officials?|directors?|managers?|coach|players?|captain"
    r"|teachers?|lawyer|judge|editors?|employees?|workers?|chief|head|boss|star|champions?|king|queen|wife"
    r"|husband|partners?|members?|secretary|chair(?:man|woman)?|ambassador|general|colonel|soldiers?|spy"
    r"|agents?|professor|students?|executives?|ceo|model|actor|actress|singer|lawmaker|congress(?:man|woman)"
    r"|leaders?|aides?|advis[eo]rs?)\b)"
)
DEEDS = r"(?:setting|using|doing|calling|passing|enabling|disabling|changing|adding|removing|running)"
"""How sentences begin that say what comes of something named before."""
_CONNECTIVES = (
    r"however|therefore|thus|hence|moreover|furthermore|further|additionally|also|but|and|or|nor|so|then"
    r"|nevertheless|nonetheless|otherwise|similarly|likewise|instead|rather|consequently|accordingly|besides"
    r"|yet|indeed|meanwhile|meantime|still|again|finally|lastly|secondly|thirdly|fourthly|firstly|second"
    r"|third|fourth|fifth|first|next|notwithstanding|conversely|alternatively|specifically|namely|even so"
    r"|even then|even if (?:it|this|that)"
    r"|to (?:\w+ly )?\w+ (?:this|that(?=,)|these|those|it|them|him|so)"
    r"|to (?:this end|that end|illustrate|be sure|the contrary)"
    r"|given the above|(?:below|above) (?:is|are)"
    r"|now,? (?:it|this|these|they|he|she|both)"
    r"|(?:(?:keep|bear) in mind|note|remember|notice|be aware),?(?: that)? (?:it|this|these|they)"
    r"|what(?:['’]s| is) more(?=,)|on top of (?:this|that)|all in all(?=,)|by the way(?=,)"
    r"|something like (?:this|that)|(?:something|nothing|anything|much) (?:similar|of the (?:sort|kind))"
    r"|along the same lines(?=,)|(?:apart|aside) from (?:this|that|these|those)"
    r"|(?:in|for) (?:\w+ )?(?:cases|situations|circumstances) (?:such as|like) (?:this|these)"
    r"|to make matters worse|for one thing(?=,)|back then|unlike the (?:former|latter)"
    r"|(?:with|of|in|from|for|by|to) the (?:former|latter)(?=,)"
    r"|(?:a|one|two|three|the) (?:day|week|month|year)s? (?:earlier|before)(?=,)"
    r"|the previous (?:day|night|evening)"
    # What a report says of its own news: "The move follows a trial of two years."
    r"|the (?:move|decision|change|announcement|news|step|measure|ruling|incident|attack|remarks?|comments?)"
    r" (?:follow(?:s|ed)?|comes?|came)(?! (?:from|into|to)\b)"
    r"|that['’]s|it['’]s|he['’]s|she['’]s|they['’]re"
    r"|for (?:this|these|that|those|the same|example|instance)"
    r"|in (?:addition|contrast|turn|particular|other words|fact|return|response|comparison|any (?:case|event)"
    r"|short order|either case|both cases|so doing|doing so|that)"
    r"|on the (?:other hand|contrary|one hand|other)"
    r"|as a (?:result|consequence)|as such"
    r"|as (?:(?:(?:previously|already) )?"
    r"(?:noted|mentioned|discussed|described|stated|explained|indicated|said)"
    # "As described in RFC 5895, …"
    r"(?! (?:in|by) (?-i:[A-Z]{2,}))|above|before|i"
    r"|we (?:explain|have|noted|said))"
    r"|by (?:contrast|comparison)|at the same time|by doing so|with that"
    r"|that (?:said|being said|person|man|woman|way|decision)"
    rf"|that (?:{_AFTER_THAT})"
    r"|(?:since|until|after|before|from|by) then"
    r"|after that|before that|there(?:after|by|in|from|upon)|after all(?=,)|afterwards?|subsequently|later"
    r"|earlier|then|soon"
    r"|shortly (?:after|before|thereafter)"
    r"|ultimately|eventually"
    rf"|(?:the|an?) (?:latter|{_FORMER}|above|same|other|others|second|third|fourth|next|following"
    r"|alternative)"
    # "The first two are cheap", but not "The first two ferries are cheap".
    r"|the (?:first|last) (?:two|three|four|five)(?= (?:are|were|have|had|can|could|will|would|may|might|must"
    r"|should|do|did|also|both|cut|concern|require|favou?r|support|show)\b)"
    r"|another|others?"
    r"|one (?:such|of (?:them|these|those)|is|was|said|says|told|reason)"
    r"|neither|either|both"
    # "Each has its own", but not "Each worker has its own".
    r"|each(?=,"
    r"| (?:of (?:them|these|those|the)|one|is|was|has|have|had|can|could|will|would|may|might|must|should"
    r"|does|did|then|also|in turn)\b)"
    r"|(?:\w+ ){1,3}?of (?:them|these|those)(?! (?:\w+ ){0,2}(?:who|that|which)\b)"
    r"|the ones?(?! (?:thing|of)\b)"
    r"|all (?:of )?(?:this|these|those|that|of it)"
    r"|none of (?:this|these|those|them)|some of (?:this|these|those|them)|many of (?:these|those|them)"
    r"|(?:most|much|some|part|half|all|none) of it\b"
    r"|most of (?:this|these|those|them)|any of (?:this|these|those|them)"
    r"|(?:the next|the following|that same|the same) (?:day|week|month|year|morning|evening)"
    r"|(?:\w+|a few|some|several) (?:day|week|month|year|hour|minute|second|ball|over|lap|round|game|mile)s?"
    r" (?:later|afterwards?|before that)|(?:moments?|seconds|minutes|hours|days) later"
    r"|after doing (?:so|this|that)|not (?:only|just|merely|simply)|not so|if so|if not"
    r"|if (?:this|that|these|those|it|they|he|she)"
    r"|given (?:this|that|these|those)|no(?=,)|yes|well(?=,)|sure(?=,)|of course|certainly|conceivably"
    r"|exactly|too often"
    r"|at (?:this|that|issue) (?:point|time|stage)"
    r"|more (?:importantly|specifically|generally|precisely|broadly)"
    r"|most importantly|worse|better yet|better still|again|equally|to that"
    # "Setting this to 1 opens the gates."
    rf"|{DEEDS} this(?=,| (?:to|in|on|with|for|as|at|is|can|may|will|[a-z]{{2,}}(?<![usi])s)\b)"
)
# "That" before a noun in the singular: "That runner is designed …", but not "That runners are slow is
# known".
_NO_DETERMINED = (
    r"(?!(?:the|an?|this|these|those|it|they|he|she|we|you|i|there|some|any|all|each|every|no|not|both|many"
    r"|most|such|one|of|in|on|at|by|for|with|from|to|as|into|than|what|when|where|why|if|how|who|which|whose"
    r"|his|her|its|their|our|my|your|only|can|could|will|would|may|might|must|should|is|was|are|were|be|been"
    r"|has|have|had|do|does|did|said)\b)"
)
_SINGULAR = r"(?-i:[a-z](?:[\w-]*(?:[^\Ws]|ss|us|is)))"
_THAT_NOUN = regex(
    r"that (?:kind|sort|type) of \w"
    rf"|that {_NO_DETERMINED}(?:[a-z-]+ )?{_SINGULAR}(?=,| (?:is|was|has|had|can|could|cannot"
    r"|will|would|should|may|might|must|does|did|states|provides|requires|prohibits|[a-z]{2,}ed)\b)",
    re.IGNORECASE,
)
# "That avoids the second step"; of "That boats sail is known" the noun has no object.
_THAT_DOES = regex(
    r"that (?:(?-i:[a-z]{2,}(?<![usi])s)|led|gave|made|left|meant|took|brought|cost|helped|changed|kept"
    r"|prompted|forced|allowed|drew|caused|ended|earned)"
    r" (?:the|an?|its|all|no|any|each|every|[a-z]{2,}ing|us|you|me|it|them|him|her|his|their|our|my|your"
    r"|how|why|what|when|where|if|to|more|less|only|just|some|many|most|few|little|about|around|up|\d[\d.,%]*)"
    r"(?!\w)",
    re.IGNORECASE,
)
# After a verb that takes no clause, where no clause before it can name the thing: "remove that entry";
# after one that does, where none follows: "If you see that error, …".
_THAT_THING = regex(
    r"(?:(?:[^,;:]* )?(?:to|you|we|can|could|will|must|should|may|not) (?:use|fix|run|change|set|call|get"
    r"|give|take|keep|add|remove|delete|avoid|choose|open|close|install|apply|follow|need|want|replace|edit"
    r"|pass|copy|move|rename|skip) that"
    r"|(?:[^,;:]* )?(?:makes?|making|takes|took|taking|uses|using|gives|gave|keeps|kept|chooses|chose|runs"
    r"|ran|avoids|avoided|removes|removed|replaces|replaced|skips|skipped) that"
    r"|(?:If|When|Once|Whenever) (?:you|we|they|users?) (?:\w+ )?(?:see|get|find|hit|notice|encounter) that"
    rf"(?= {_SINGULAR}(?: {_SINGULAR})?(?:[,.;]| (?:when|while|if|again)\b))) {_NO_DETERMINED}"
    rf"(?P<phrase>{_SINGULAR}\b(?: [a-z][\w-]+)?)"
)
_PRONOUNS = r"it|its|itself|they|their|theirs|them|he|his|him|she|her|hers|here|there"
_DEMONSTRATIVES = "this|these|those|such"
_PREPOSITIONS = (
    r"in|on|at|by|with|within|without|from|for|under|to|of|as|because of|because|despite|due to|after"
    r"|before|since"
    r"|through|throughout|via|using|following|during|upon|against|like|unlike|besides|beyond|among"
    r"|between|while"
    r"|when|once|although|though|unless|until|whether|according to|based on|along with|together with"
    r"|in addition to|pursuant to"
    r"|as a result of|in light of|in view of|in spite of|instead of|rather than|contrary to"
    r"|consistent with"
)
_OTHER_OPENINGS = (
    r"we (?:therefore|thus|accordingly|nonetheless|nevertheless|also|then|further"
    r"|again)\b(?! (?:affirm|reverse|vacate|hold|conclude|remand))"
    r"|(?:you|one|there|users?) (?:can|may|could|should|must|might|will|are|is)? ?also\b"
    r"|(?:once|when|if|unless) (?:not )?(?:\w+ly )?\w+ed(?:,| (?:it|they|this|these)\b)"
    r"|we (?:now )?(?:hold|conclude|think|agree|believe|disagree) (?:that )?(?:it|they|he|she|this"
    r"|these|so|otherwise|not)\b"
    r"|we (?:dis)?agree(?:\.|,| with (?:this|that|these|him|her|them)\b)"
    # Of which list, what stands before it says: "Items in the list should be names."
    r"|(?:(?:the|all|each|any) )?(?:items?|entries|entry|elements?|keys?|values?|rows?|columns?|fields?)"
    r" (?:in|of) the (?:list|table|array|dict(?:ionary)?|mapping|map|tuple|sequence|object|set)\b"
    r"(?! (?:of|that|which|with|for|returned|called|named)\b)"
    r"|the (?:answer|reason|result|latter|former|solution|reasons|difference|distinction) (?:is|was"
    r"|to|for this|being|are|follows)\b"
    r"|the (?:root|underlying) (?:cause|fault|issue|problem|reason) (?:is|was)\b"
    r"|the (?:\w+ )?(?:benefit|fix|trade-?off|drawback|downside|advantage|disadvantage|catch|exception|upshot"
    r"|consequence|effect|outcome|remedy|workaround|alternative) (?:is|was|are|were|here)\b"
    r"|the (?:idea|trick|point) (?:is|was)(?= (?:to|that|not|simply|just)\b)"
    r"|the resulting\b"
    # "Two things: the gate and the pump." answers what the sentence before it asks.
    r"|(?:two|three|four|five|six|several|a few) (?:[a-z-]+ )?[a-z]+s:(?= )"
    # Which one, the sentence before it says: "In the film, the boat sinks."
    r"|(?:in|throughout) the (?:film|movie|novel|play|poem|song)(?=, )"
    # "The 37-year-old had no degree", "The 63-year-old nationalist wants to": who it is was said before.
    # Not "The 400-year-old oak" and "The 12-year-old plan for a tunnel".
    r"|the (?!\d{3})\w+(?:-\w+)?-year-old\b"
    r"(?! (?:[a-z-]+ ){0,4}?(?:(?-i:[A-Z])|(?:of|who|that|which|whose|from)\b))"
    r"(?! (?!(?:is|was|has|had|lives|lived|died|will|would)\b)(?:[a-z-]+ ){1,2}?(?:for|on|in|at|with)\b)"
    r"|the (?:fix|workaround|bug|(?:new|old) behaviou?r) (?:(?:is|was|has|will|would|can|may|now|also)\b"
    r"|[a-z]{3,}(?:ed|(?<!s)s)\b)"
    # "In most cases this will …"
    r"|(?:in|on|at|for) (?!case\b)"
    r"(?:(?!(?:to|that|who|which|where|when|if|as|i|we|you|it|this|they)\b)[\w-]+ ){1,4}?"
    rf"(?!{_EXPLETIVE_PRONOUN})(?:it (?:is|was|has|had)|(?:this|they|these) (?:is|are|was|were|will|would|has"
    r"|have|had|can|could|may|might|must|should|does|did))\b"
    r"|(?:(?:an?|one|the|some|other|possible|typical|common|notable|good|prime|simple|two|three) ){0,2}"
    r"(?:examples?|(?<=\w )exceptions?|exceptions?(?= include)) (?:is|are|was|were|includes?|included"
    r"|would be)\b"
    r"|(?:two|three|four|several|both|some|many|most|few) (?:of (?:them|these|those)|such|others?)\b"
    # "The skipper must test it", "The county had planned to close it": no subject is its own object.
    r"|(?:(?:the|an?|each|every|all) (?:[\w-]+ ){1,2}?|users? )(?:must|shall|should|may|can|could|will|would"
    r"|cannot|has|have|had) (?:(?:not|also|then|only|always|never) )?(?:\w+ed to )?(?!(?:find|found|make|made"
    r"|think|thought|consider|considered|deem|deemed|believe|keep|kept|leave|left|take|taken|have|had|do|done"
    r"|render|rendered|put|let|be)\b)\w+ (?:it|them)\b(?! (?:that|is|was|to be)\b)"
    # "The county is giving it a new gate", but not "The county is making it possible"
    r"|(?:the|an?|each|every) (?:[\w-]+ ){1,5}?(?:is|are|was|were) (?!(?:finding|making|thinking|considering"
    r"|keeping|leaving|taking|having|doing|rendering)\b)\w+ing (?:it|them)\b(?! (?:that|is|was|to be)\b)"
    r"|(?:we|you) (?:still|now|also|only|just|always|never) (?!(?:find|found|make|made|think|thought|consider"
    r"|deem|believe|keep|kept|leave|take|have|had|say|know)\b)[a-z]+ (?:it|them)\b(?! (?:that|is|was)\b)"
    # "The town uses it as a dock", but not "The gate makes it possible", "The town says it needs a dock".
    # Nor "The design of the gate allows it to open", of which the gate is named.
    # "Weirbook puts them together": a name too.
    r"|(?!(?:[\w-]+ ){2,4}?of [\w-]+ (?:allows|enables|causes|requires) (?:it|them) to\b)"
    r"(?:(?:the|an?|each|every) (?:[\w-]+ ){1,4}?|(?!(?:what|who|which|whoever|whatever|whichever|that|nobody"
    r"|if|when|where|how|why|as)\b)[a-z][\w.-]+ )(?!(?:makes|finds|keeps|takes|leaves|considers|deems|thinks"
    r"|renders|does|has|was|is|as)\b)"
    r"(?!(?:says|said|believes|claims|argues|denies|hopes|knows|fears|insists|announces|reports|admits|adds"
    r"|warns|shows|suggests|means|notes|states|estimates|promises|expects|alleges|asserts|confirms|feels"
    r"|indicates|implies|proves|reveals|thinks|maintains|concludes|declares|acknowledges|recalls|decides"
    r"|demands|pledges|vows|predicts|demonstrates|explains|ensures|assumes|requires) it \w)"
    r"(?-i:[a-z]{3,}(?<![usi])s) (?:it|them)\b"
    r"(?! (?:that|is|was|to be|will|would|has|had|can|could|may|might|should|must|does|did)\b)"
    # "Fixed it to allow …"
    r"|(?!(?:does|is|was|has|had|can|could|will|would|should|made|makes?|keeps?|take|takes|finds?|found)\b)"
    rf"[a-z]+ (?!{_EXPLETIVE_PRONOUN})(?:it|them)\b"
    r"(?! (?:possible|easier|easy|clear|simple|hard|difficult|impossible|safe|more|is|was)\b)"
)
# "That should not have happened," the engineer said: of what, the sentence before it tells.
_QUOTATION_MARKS = ('"', "“", "‘")
_OPENS_SPEECH = (', "', ", “", ': "', ": “")
# "Lowering the gates does the opposite." says it of the sentence before, unless it names both sides.
_CONTRASTS = ("other way", "opposite", "reverse")
_TURNS_CLAIM = regex(
    r"(?:(?!(?:and|but|or|than|while|whereas|when|as|because|not|if(?! anything\b))\b)[\w’'-]+,? ){0,10}?"
    r"(?:the other way (?:a?round|about)\b|(?:just |exactly |quite )?the (?:exact |very )?"
    r"(?:opposite|reverse)(?= (?:is|was|holds?|applies|occurs|happen(?:s|ed)|would|may|can)\b|[.!;:,]))",
    re.IGNORECASE,
)
# "Bookmarks that only number the pages are not.": what they are not, the sentence before tells.
_LACKS_ITS_END = (" not.", "n't.", "n’t.")
_ELLIPTIC = regex(
    r"(?:(?!(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|should|and|but"
    r"|while|whereas|whether|than|if|though|although|because|or not)\b)[\w’'-]+ ){1,14}?"
    r"(?:(?:is|are|was|were|has|have|had|do|does|did|could|will|would|may|might|must|should) not|cannot"
    r"|(?:is|are|was|were|has|have|had|do|does|did|could|would|should|ca|wo)n['’]t)\.$",
    re.IGNORECASE,
)
# The same behind who says it: Weir says, “They're still getting used to it.”
_SAYS_OF_A_PRONOUN = regex(
    r"(?:(?!\b(?:of|about|on|if|when|as|after)\b)[^,;:“\"'’\d]){2,40} (?:says?|said|adds?|added|replie[sd]"
    r"|recall(?:s|ed)|explain(?:s|ed)|laughs|jokes?|joked|insist(?:s|ed)|answer(?:s|ed))[,:] [“\"]"
    rf"(?!{_EXPLETIVE_PRONOUN})"
    r"(?:that|this|these|those|it|they|he|she)(?:['’](?:s|re|ll|d|ve)"
    r"| (?:is|was|are|were|has|have|had|will|would|can|could|should|may|might|must|does|did|do)\b)",
    re.IGNORECASE,
)
_QUOTED_PRONOUN = regex(
    r"[\"“‘](?:that|this|these|those|it|they)(?:['’](?:s|re|ll|d|ve)"
    r"| (?:is|was|are|were|has|have|had|will|would|can|cannot|could|should|may|might|must|does|did|do|means"
    r"|made|makes?|took|takes?|came|comes?|went))\b",
    re.IGNORECASE,
)
# What somebody said first, the sentence before it tells: "Mr Weir went on to say …"
_GOES_ON = regex(
    r"(?:[\w.’'-]+ ){1,5}?(?:goes|went) on to (?:say|tell|add|explain|describe|outline|argue|ask|warn)\b",
    re.IGNORECASE,
)
# "Some farmers disagreed.": with what, the sentence before it says.
_AGREES = regex(
    r"(?:(?!\b(?:if|unless|until|whether|where|when|as|that|which|who|to|with)\b)[^,;:.?]){2,60}?\b"
    r"(?:dis)?agree[sd]?(?:\.$|,)",
    re.IGNORECASE,
)
# "Ann Weir, the keeper of the lock, sees it differently."
_DIFFERS = regex(
    r"(?:[^,;:.?]{2,60}|[^,;:.?]{2,40}, [^;:.?]{2,80},) (?:(?:sees?|saw|views?) (?:it|things|this)"
    r" (?:differently|otherwise|the same way|that way)|begs? to differ"
    r"|(?:is|are|was|were)(?:n['’]t| not) (?:so |as |entirely )?(?:sure|convinced))(?:\.$|[:;]| [-–—])",
    re.IGNORECASE,
)
_WORDS_OF_DIFFERING = ("ly", "wise", " way", "differ", "sure", "convinced")
# A clause that holds the antecedent of the pronoun after it: "If you define a class, it".
_NAMED_BY_CLAUSE = (
    r"(?:if|when|whenever|before|after|once|since|because|although|though|while|unless|until) "
    r"(?:(?!(?:its?|this|that|these|those|they|their|he|she|his|her|the|there|such|both|all|some|one|another"
    r"|here|so|not|you|we|i)\b|\w+(?:ed|ing)\b)(?:[\w-]+ ){1,4}?(?:is|are|was|were|has|have|had|can|will"
    r"|does|do)\b(?! not\b)"
    # "Because MH stores mail in files, it"
    r"|(?-i:[A-Z])[\w-]+ (?-i:[a-z]{2,}[^\Wsui]s)\b"
    r"|(?!(?:its?|this|that|these|those|they|he|she|there|you|we|i|one|some|both)\b)[\w-]+"
    r" (?:doesn|can|won|isn|hasn)['’]t\b"
    r"|(?:you|we|one|users?|someone|somebody|people) [^,.;:]*?\b(?:an?|any|each|every) \w)[^,.;:]*, "
)
# A clause whose subject is that of the sentence: "Going far beyond the deal, he", "Once seen as a toy, it".
# But not "Running it twice means that if the lake is full, it", "Italy agreed to help, they".
_PARTICIPLE = (
    r"(?!(?:during|nothing|something|anything|everything|according|spring|evening|morning|regarding|concerning"
    r"|including|depending|assuming|judging|building|string|beijing|boeing|wyoming|italy|july|family|emily"
    r"|kelly|sally|molly|holly|billy|supply|assembly)\b"
    r"|(?:(?! (?:that|who|which|what|how|why|when|where|as|after|before)\b)[^,])* (?:is|are|was|were|has|have"
    r"|had|will|would|can|could|may|might|must|should|does|did|means?|makes?|requires?|causes?|allows?|lets"
    r"|helps?|says?|said)\b)"
    r"(?:[a-z]{2,}ing\b"
    r"|(?:once|though|although|while|when|if|long|first|originally|initially|only|best|often|widely|now"
    r"|(?:\w+ly)) (?:(?:\w+ly|once|also|still) )?(?:[a-z]{3,}ed|seen|known|thought|told|given|made|built|held"
    r"|found|written|taken|drawn|born|left|sold|bought|set) (?:as|by|in|to|for|on|from|of|with|at|a|an|the)\b"
    r"|(?:seen|known|given|made|built|born|written|drawn|taken|asked|released|founded|published|launched"
    r"|opened|introduced|described|raised|based|named|called|armed|faced|inspired|created|designed|developed)"
    r" (?:as|by|in|to|for|on|from|of|with|at|about|how|why|what|whether|a|an|the|and)\b)"
)
# A connective a few words into the sentence does what one at its beginning does.
CONTINUATION_INSIDE = regex(
    r"[^,.;:()]{2,40}+, (?:however|therefore|though|too|moreover|in turn|by contrast|then|likewise|similarly"
    r"|meanwhile|instead|on the other hand|for example|for instance|furthermore|consequently|nevertheless"
    r"|nonetheless),"
    r"|(?!(?:we|i|it|accordingly)\b|the (?:sole |only |main )?question)[^,.;:()]{2,60}(?:, (?:like|as|unlike"
    r"|who|which|with|in|at|of)\b[^,.;:()]{2,40},)? (?:is"
    r"|are|was|were|has|have|had|can|could|may|might|must|shall|should|will|would|does|do"
    r"|did) (?:therefore|thus|hence|nevertheless|nonetheless|likewise|similarly|consequently|accordingly)\b",
    re.IGNORECASE,
)
_EVERYBODY_KNOWS = (
    r"(?:way|point|end|sense|respect|regard|purpose|reasons?|country|nation|world|court|institution|committee"
    r"|house|area|field|(?:type|kind|sort)(?: of|(?<! of this \w{4}))|Court|Congress|Constitution|Nation"
    r"|Part|Article|Section)\b"
)
_COUNTED = (
    rf"[Tt]he (?:(?<! is one of the )(?<! was one of the )(?<! been one of the )"
    rf"(?:two|three|four|five|six|seven)|latter|{_FORMER}|other two|above|aforementioned|foregoing"
    r"|(?:previously|above) (?:mentioned|described|defined|discussed)"
    # "It needs the following parts: a gate and a pump."
    r"|following(?! [^.:]*: (?-i:[a-z]|I ))|corresponding)"
    r"(?= (?:[a-z-]+ )??[a-z]{3,}(?! (?:of|that|which|who|whose|for)\b)) "
    r"|[Tt]he (?:first|second|third|fourth)(?= (?:[a-z-]+ )?(?:question|issue|problem|point|factor"
    r"|reason|property|argument|option|approach|method|condition|requirement|claim|category|type"
    r"|group|element|prong|criterion|objection|alternative|possibility|limitation|assumption|scenario"
    r"|principle)s?\b(?!,? (?:of|to|in|is|are|was|were|that|which|who|for)\b)) "
)
# "similar to that observed in mice" compares with what it names itself; "that implied power" refers back.
_AFTER_A_PRONOUN = (
    r"(?:(?:and|or|which|for|from|with|by|under|between|among|at|on|across)\b"
    r"|(?:\w+ly |already )?(?:\w+ed|found|seen|shown|made|given|taken|used)"
    r"(?=[.,;)]|$| (?:in|by|at|for|from|to|with|on|under|before|after|during|here|when|as|above|below|through"
    r"|using|between|among|across|previously|earlier|the|an?|our|their)\b))"
)
# Found in every sentence in which :func:`reference_pattern` finds something.
_MAY_REFER = regex(
    r"[TtSs](?:h(?:[eo]se|is|at) |uch |he (?:t(?:wo|hree|hird)|f(?:our|ive|irst|ormer|oregoing|ollowing)"
    r"|s(?:ix|even|econd)|latter|other two|above|aforementioned|corresponding|previously) )"
)
# "Lord Henry had told him that.", "an improvement on that in several ways", "set either of the values". All
# begin with a space, so that it is tried only there.
_ALONE = regex(
    r" (?:do|does|did|done|doing) (?:just |exactly )?(?:this|that|it(?! all\b)|the same)\b"
    r"| the same one\b"
    r"| (?=[st])(?<!like )(?<!at )(?<! and )(?<! all )(?:that|this|these|those|so doing)(?=[.;]| [-–—] "
    r"|, (?:and|but|because|which)\b)"
    r"| (?:on|with|of|to|by|from|about) that (?=(?:in|is|was|as|by|when) )"
    r"| (?:on|with|of|to|by|from|for|in|at|unlike) (?:this|that) one(?=[.,;:)])"
    r"| (?:use|do|see|need|support) all (?:these|those)(?=[.,;]| (?:in|on|at|with|from|for|when|and|too)\b)"
    r"| either of the (?!.* (?:and|or) )"
    r"| (?:programs|examples|items|chapters?|functions|we\W\w+ \w+) so far\b"
)
# "Polls show the 48-year-old struggling": the name is before it. "Tipped for victory, …" has none.
_AGED = regex(
    r" the [\w-]+-year-old(?=[.,;:]|['’]s\b| (?:is|was|has|had|will|would|can|could|may|might|who|also|said"
    r"|says|told|to|[a-z]+(?:ed|ing))\b)"
)
_NO_NAME_FIRST = regex(r"(?:[A-Z]\w+(?:ed|ing)\b)?")
# "A gate is hung as above, and oiled."
_ABOVE = regex(
    r" as above(?=[.,;:)]|$)"
    r"| the (?:code|example|command|snippet|figure|table|diagram|listing|script|query|output) above\b"
    # "It brought the figure above 10 million."
    r"(?! (?:\d|[$€£]|(?:the|an?|his|her|its|their|my|our|all|average|(?:\w+ )?(?:million|per ?cent))\b))"
)
# The same where the whole beginning of the sentence tells it; each of them has one of the words.
_WORDS_FROM_BEGINNING = (" this ", "thereafter", " since ", "There ")
_ALONE_FROM_BEGINNING = regex(
    # "We achieved this in part by …"
    r"(?:We|I|They|You|The [a-z]+|[A-Z]\w+) (?:(?:have|has|had|will|can|could) )?"
    r"[a-z]+ this (?:(?:in|mainly|partly) (?:part )?)?(?:by|through) "
    # "The wind could lower the lake thereafter", but not "until May and thereafter"
    r"|(?:(?!(?:and|or|but|until|before|after|when|once|if|since|through|in|with|at|on)\b)"
    r"[A-Za-z“\"'’-]+ )+thereafter\b"
    # "The only change since then is …", "It has since become …": nothing before it tells when.
    r"|[A-Z][a-z]+ (?:(?!(?:and|but|or)\b)[a-z’'-]+ ){1,5}since then\b"
    r"|[A-Z][\w.’'-]* (?:(?!(?:and|but|or|who|which|that|was|were)\b)(?!\d)[\w’'-]+ ){0,5}?"
    r"(?:has|have|had) since"
    r" (?:also|then|been|become|begun|gone|come|made|taken|grown|left|won|lost|[a-z]+ed)\b"
    r"|There (?:is|are|was|were) (?:other|another|more|further) [^,;:]*(?:as well|too)(?=[.:;])"
)
# "Anybody can help, and all are encouraged to do so" says what, unlike "To do so, …".
_DOES_SO = regex(r"(?:^Doing| (?:do|does|did|done|doing)) so\b")
_CLAUSE_BEFORE = regex(
    r"\w+ \w+ \w+.*?(?:[,;:]| (?:and|but|or|although)) (?!(?:if|when|unless) (?:you|we) *$)\w"
)
# What says before it which two they are, or which year it is after: "Anna and Ben met, and the two …".
_SAID_BEFORE = (
    (regex(r"\W[Tt]he two "), regex(r"\b[A-Z][\w.’']* and (?:the )?[A-Z]")),
    (
        regex(r"\W[Tt]he following (?:day|week|month|year|morning|evening|season)"),
        regex(r"\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"),
    ),
)
# "The oldest of the three is the ferry": which three, unless they are named or counted before.
_OF_THE_COUNTED = regex(
    r" (?:of|among|between) the (?:two|three|four|five|six)"
    r"(?=[.,;:)]| (?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|should|does|did|do)\b)"
)
_COUNTS = regex(r"\b(?:and|or|both|between|two|three|four|five|six|[2-6])\b")
# An antecedent of a pronoun must stand before it; the "it" of "making it possible" has none.
_THIRD_PERSON = regex(r"\W(?:it|its|they|them|their|theirs)\b")
_FOR_NOTHING = regex(
    r"\W(?:it (?:is|was|has been|would|will be|may be|seems|appears|\w+ that|takes"
    r"|(?:can|could|may|might) take|(?:im)?possible|clear|easy"
    r"|easier|hard|harder|difficult|safe|simple|necessary|more|less)\b"
    r"|them(?:selves)\b)"
)
# "Acme, which has its": of the name before it.
_WHICH_HAS = regex(r"[A-Z][\w.’'-]+(?: [A-Z][\w.’'-]+){0,3}, (?:which|who|whose) ")
_FEWEST_BEFORE_A_PRONOUN = 2  # words that say something: "Use it", "Once called, it"
# The antecedent of a reflexive pronoun is in its own clause.
_SEVERAL = regex(r"\W(?:they|them|their|theirs)\b")
_MORE_THAN_ONE = regex(
    r"\w(?<!\bi)(?<!\bwa)(?<!\bha)(?<!thi)(?<!\bit)(?<!s)s\b"
    r"|[A-Z]{3}S\b|['\u2019]"
    r"|\b(?:and|or|who|each|every|any|some|no|none|half|many|few|rest|two|three|four|five|six|\d+|everyone"
    r"|anyone|someone|everybody|anybody|nobody|people|children|men|women|data|media|criteria|phenomena|police"
    r"|public|staff|majority|government|team|group|company|firm|party|club|band|family|species|mice|sheep"
    r"|fish)\b"
)
_PERSONAL = regex(r"\W(?:[Hh](?:e|is|im|er|ers)|[Ss]he)\b")
# Who says it is not named in what is said: “Sullivan lied,” he said.
_WHO_SAYS_IT, _QUOTATION = regex(r"[”\"] (?:[Hh]e|[Ss]he|[Tt]hey) [a-z]"), regex(r"[“\"][^“”\"]*[”\"]")
_PERSON = regex(
    r"(?<!^)\b(?!(?:German|Roman)\b)[A-Z][a-z]+"
    r"|^(?!(?:The|A|An|In|On|At|By|When|While|After|Before|If|As|But|And|For|To|From|With|Since|Because"
    r"|Although|Though|Once|Under|Until|Then|There|That|This|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten"
    r"|Several|Some|Later|Soon|Now|Today|Meanwhile|However|Instead|Eventually|Finally)\b)[A-Z][a-z]+"
    r"|\b(?:man|woman|boy|girl|person|somebody|someone|anyone|everyone|anybody|everybody|one|who|whoever"
    r"|child|officer|judge|defendant|petitioner|respondent|plaintiff|prisoner|applicant|alien|author|reader"
    r"|user|student|teacher|patient|father|mother|president|director|minister|employee|worker|writer|artist"
    r"|doctor|king|queen|son|daughter|wife|husband|friend|brother|sister|lady|gentleman|suspect|driver|lawyer"
    r"|attorney|individual|voter|citizen|buyer|seller|owner|actor|player|member|captain|guard|pilot|nurse"
    r"|victim|coach|candidate|(?!\w*human|talisman|ottoman)[a-z]{2,}(?:man|woman|person)|(?:\d+|[a-z]+)-year-old"
    r"|(?!after|thereafter|over|under|other|another|never|however|whether|either|neither|rather|later|earlier"
    r"|further|together|number|matter|power|order|water|paper|letter|computer|server|cluster|parameter"
    r"|container|winter|summer|September|October|November|December|consider|remember|offer|enter|differ|major"
    r"|minor|prior|error|factor|sector|vector|color|behavior|labor|favor)[a-z]{3,}(?:er|or|ist|ian))\b"
)


# What stands below code, and is said of it: "This prints …", "The first line opens the gate".
_CODE_NOUNS = (
    "output|result|command|code|snippet|example|script|listing|query|line|statement|expression|picture|figure"
)
_SAID_OF_CODE = regex(
    r"(?:(?:Note|Notice)(?: that|:) |(?:And|But|So|Then|Here|Again|Finally),? )?"
    r"(?:(?P<pronoun>This|These|Those|That|They|It|Its|Their)\b(?!['’])"
    rf"(?: (?!{_NO_ADJECTIVE})(?P<noun>(?P<code>(?:{_CODE_NOUNS})s?\b)?[a-z-]*(?: [a-z]+)?))?"
    r"|(?P<within>In|With|By|For|From|On|At|After|Using|Like) (?:this|these|that|those)\b"
    r"|Now\b|As (?:you can see|can be seen|shown|seen)\b|(?:In )?the (?:above|previous|preceding)\b"
    r"|(?:You|We) should (?:now )?(?:see|get|receive|have)\b"
    # But "the first of the gates", "the last step to take"
    r"|The (?:(?:first|second|third|fourth|last|final|two|three|four) )++"
    r"(?!(?:step|time|thing|way|version|release|section|chapter|part|case)s?\b)"
    r"[a-z-]++(?! (?:in|to|for|that|which|of (?!th[eo]se\b))\b)"
    rf"|The (?:{_CODE_NOUNS})s? (?:above|is|are|was|were|will|would|should|has|have|look|[a-z]{{2,}}s)\b)",
    re.IGNORECASE,
)


# The same of code that stands anywhere near, if no words before tell of it: "The first command installs …".
_COUNTS_CODE = regex(
    r"(?:[a-z]+,? )?(?:in |with |by |after |here,? )?"
    r"the (?:first|second|third|fourth|last|final) (?:(?:two|three|four) )?(?:[a-z]+ )?"
    r"(?:command|example|snippet|listing)s?\b(?![-(]| (?:of|in|line|to)\b)",
    re.IGNORECASE,
)


def _self_reference(kind: DocumentKind) -> str:
    """A pattern of what a document of this kind calls itself after "this": "paper", "proposed change"."""
    of_kind = _OWN_NOUNS_OF_KIND.get(kind)
    own = rf"(?:{_OWN_NOUNS}{'|' + of_kind if of_kind else ''})\b"
    return rf"(?:(?!{_NO_ADJECTIVE})[\w-]+ ){{0,3}}?(?:\w+-)?{own}"


def continuation_pattern(kind: DocumentKind) -> re.Pattern[str]:
    """Matches the beginning of a sentence that continues from the one before, in a document of this kind."""
    self_reference = _self_reference(kind)
    return regex(
        # "The next(item) requirement" names a piece of code; "For this enhancement" the document.
        rf"(?!for this {self_reference})(?:{_CONNECTIVES})\b(?![-(])"
        rf"|(?:{_PRONOUNS})\b"
        # Of these what a document calls itself needs none before it.
        rf"|(?:{_DEMONSTRATIVES}"
        rf"|(?:{_PREPOSITIONS}) (?:all |both |each of |some of |many of |most of )?(?:this|these|those|such"
        r"|them|it|its|him|her|his|their|they|he|she"
        r"|that(?= (?:time|case|point|reason|way|end|context|sense|respect|regard|date|year|day)\b))"
        # A pronoun as the subject after a short opening: "In 2009, he …".
        rf"|(?!{_NAMED_BY_CLAUSE}(?:it|they|he|she)\b)[^,.;:]{{2,45}}+, (?!{_EXPLETIVE_PRONOUN})(?:it|they|he"
        r"|she|these|those|this)"
        # Nor does a longer one without a subject name anybody: "After working at …, he".
        r"|(?:after|before|while|when|since|by|besides|without) \w+ing\b[^,.;:]{2,100}+, (?:he|she)"
        rf"|{_PARTICIPLE}[^,.;:]{{2,200}}+, (?!{_EXPLETIVE_PRONOUN})(?:he|she|it|they))\b"
        rf"(?! {self_reference})"
        rf"|{_OTHER_OPENINGS}",
        re.IGNORECASE,
    )


def reference_pattern(kind: DocumentKind) -> re.Pattern[str]:
    """Finds demonstratives, and "the" with a number, and the ``phrase`` after them, which may refer back."""
    self_reference = _self_reference(kind)
    return regex(
        r"\W(?:(?:[Tt]hese|[Tt]hose(?! (?:who|that|which|whose|with|of|in|from|not|as \w+ as|\w+ing|\w+ed)\b)"
        r"|[Tt]his(?! time[.,;])|(?<!\band )(?:[Uu]nder|[Oo]f|[Ii]n(?:to)?|[Bb]y|[Tt]o|[Ff]or"
        r"|[Ww]ith(?:in|out)?|[Oo]n|[Ff]rom|[Aa]t|[Aa]fter|[Bb]efore|[Uu]pon|[Dd]uring|[Bb]etween|[Oo]ver"
        # "Git differs in that every tree is whole."
        rf"|[Uu]ntil) that(?! {_AFTER_A_PRONOUN})"
        r"(?! (?:every|each|all|any|some|no|there|both|this|these|its?|their|our|your|you|if|when)\b)"
        r"|[Ss]uch(?! (?:as|that)\b| (?:[\w-]+ ){1,2}as\b)(?: an?)?) "
        # A review calls itself "this review"; "after that review" is after another one.
        rf"(?:(?<= that )(?!{_TIMES})|(?!{self_reference}))(?!(?:[a-z-]+ )?{_EVERYBODY_KNOWS})"
        # What a package provides its own manual tells.
        r"(?!(?<=provided (?:in|by) this )(?:package|library|module)\b)"
        r"(?!(?:one|is|was|are|were|the|a|an|it|they|we|he|she|of|in"
        r"|to|not|can|may|will|would|could|should|has|have|had)\b)"
        rf"|{_COUNTED})(?P<phrase>\w[\w-]+(?: [a-z][\w-]+)?)"
    )


def continues(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a sentence begins as if it continued from the one before: "However, …", "That runner is …".

    Args:
        text: The sentence.
        pattern: That of :func:`continuation_pattern`.
    """
    if text[:5].lower() == "that " and (_THAT_NOUN.match(text) or _THAT_DOES.match(text)) is not None:
        return True
    if text[:1] in _QUOTATION_MARKS:
        return _QUOTED_PRONOUN.match(text) is not None and _EXPLETIVE.match(text[1:]) is None
    if any(map(text.__contains__, _OPENS_SPEECH)) and _SAYS_OF_A_PRONOUN.match(text) is not None:
        return True
    if "gree" in text and _AGREES.match(text) is not None:
        return True
    if text.endswith(_TURNS_AT_END) and (text.endswith(_ALWAYS_TURNS) or _CLAUSES.search(text) is None):
        return True
    if any(map(text.__contains__, _CONTRASTS)) and _TURNS_CLAIM.match(text) is not None:
        return True
    if text.endswith(_LACKS_ITS_END) and _ELLIPTIC.match(text) is not None:
        return True
    if any(map(text.__contains__, _WORDS_OF_DIFFERING)) and _DIFFERS.match(text) is not None:
        return True
    goes_on = " on to " in text.lower() and _GOES_ON.match(text) is not None
    return (goes_on or pattern.match(text) is not None) and _EXPLETIVE.match(text) is None


def says_of_code(text: str, before: str, pattern: re.Pattern[str]) -> bool:
    """Whether a sentence below code says something of the code: "This prints …", "The first line …".

    Args:
        text: The sentence.
        before: The one before it in its section, which may name what a pronoun stands for; empty if there is
            none, where a heading does.
        pattern: That of :func:`continuation_pattern`.
    """
    found = _SAID_OF_CODE.match(text)
    if found is None or not (found["pronoun"] or found["within"]):
        return found is not None
    if found["code"] or found["pronoun"] == "That":
        return bool(before)
    if not before or not continues(text, pattern):
        return False
    nouns = split_terms(found["noun"] or "")
    if found["pronoun"] == "This":
        # "This opens the gate" has none.
        nouns = [term for term in nouns if not term.endswith("s")]
    named = {stem(term) for term in nouns if not is_function_word(stem(term))}
    return _EXPLETIVE.match(text) is None and named.isdisjoint(map(stem, split_terms(before)))


def counts_code(text: str, before: str) -> bool:
    """Whether a sentence says something of one of several pieces of code: "The first command installs it".

    Args:
        text: The sentence.
        before: The one before it in its section, which may tell of them; empty if there is none.
    """
    found = _COUNTS_CODE.match(text) if "he " in text else None
    if found is None:
        return False
    noun = stem(split_terms(found[0])[-1])
    return noun not in map(stem, split_terms(before))


def refers_back(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a word within a sentence has its antecedent before it: "under that clause", "the two samples".

    Args:
        text: The sentence.
        pattern: That of :func:`reference_pattern`.
    """
    spaced = f" {text}"
    references = (
        [(found, found.start()) for found in pattern.finditer(spaced)] if _MAY_REFER.search(text) else []
    )
    thing = _THAT_THING.match(text) if " that " in text else None
    if thing is not None:
        references.append((thing, thing.start("phrase")))
    for found, start in references:
        said = {stem(term) for term in split_terms(found.string[:start])}
        named = {stem(term) for term in split_terms(found["phrase"])}
        if any(what.match(found[0]) and by.search(found.string, 0, start) for what, by in _SAID_BEFORE):
            continue
        if not any(term in said and not is_function_word(term) for term in named):
            return True
    if _ALONE.search(spaced) is not None or (" above" in text and _ABOVE.search(text) is not None):
        return True
    may_be_alone = any(map(text.__contains__, _WORDS_FROM_BEGINNING))
    if may_be_alone and _ALONE_FROM_BEGINNING.match(text) is not None:
        return True
    counted = _OF_THE_COUNTED.search(text) if " the " in text else None
    if counted is not None and _COUNTS.search(text, 0, counted.start()) is None:
        return True
    aged = _AGED.search(text) if "-year-old" in text else None
    if aged is not None:
        begins = _NO_NAME_FIRST.match(text)
        if _PERSON.search(text, begins.end() if begins else 0, aged.start()) is None:
            return True
    does_so = _DOES_SO.search(text) if " so" in text else None
    if does_so is not None and _CLAUSE_BEFORE.match(text, 0, does_so.start()) is None:
        return True
    pronoun = _THIRD_PERSON.search(spaced)
    if pronoun is not None:
        terms = split_terms(spaced[: pronoun.start()])
        is_named = _WHICH_HAS.match(spaced, 1, pronoun.start()) is not None
        if (
            not is_named
            and sum(not is_function_word(stem(term)) for term in terms) < _FEWEST_BEFORE_A_PRONOUN
        ):
            return _FOR_NOTHING.match(spaced, pronoun.start()) is None
    several = _SEVERAL.search(spaced, pronoun.start()) if pronoun is not None else None
    if several is not None:
        before = spaced[: several.start()]
        is_known = _MORE_THAN_ONE.search(before) is not None
        # "A user … they" stands for one person; "an operator … them" does not.
        if not is_known and ("em" in several[0] or _PERSON.search(before) is None):
            return True
    person = _PERSONAL.search(spaced)
    if person is not None and _PERSON.search(spaced[1 : person.start()]) is None:
        return True
    speaker = _WHO_SAYS_IT.search(spaced) if spaced[1:2] in ("“", '"') else None
    return speaker is not None and _PERSON.search(_QUOTATION.sub("", spaced[: speaker.start() + 1])) is None
