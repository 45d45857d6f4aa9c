"""Whether a sentence leans on another: it begins as if it went on, or a word in it points before it.

"However, this …" is a riddle unless the sentence before it is shown as well; so is "To remedy this, …", "The
second question …" or "Users can enable them with …". What a document calls itself leans on nothing: "This
paper", "This proposal". What that is depends on the kind of document: a court decides "this case", elsewhere
"in this case" points back. English has most rules, fitted to where readers said that a sentence must be
quoted with another; German, French and Spanish have the words by which sentences go on; other languages none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word, split_terms

# Nouns by which a document of any kind speaks of itself, or that everybody knows: "This proposal" and
# "this year" lean on nothing.
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
    DocumentKind.PROPOSAL: "enhancement|feature|change|policy|rule|regulation|bill|act|update|rewrite|design",
    DocumentKind.PAPER: "cohort",
    DocumentKind.OTHER: "policy|act|bill|rule|regulation",
}
# No adjective between "this" and such a noun: "This is a report".
_NO_ADJECTIVE = (
    r"(?:is|was|are|were|has|have|had|will|would|can|could|may|might|must|should|does|did|makes?|means|in|of"
    r"|for|to|by|with|on|at|from|as|the|an?|and|or|but|that|which|this|means?|we|you|it)\b"
)
# "It is clear that", "those who": what begins as if it went on and does not; first what a pronoun begins.
_EXPLETIVE_PRONOUN = (
    r"(?:it (?:is|was|has been|seems|appears|remains|becomes|became|turned out|turns out|follows)"
    r"(?: \w+ly)?(?: also| now| not| thus| well)? (?!(?:a|an|the|in|on|at|by|with|to|used|called|made|based"
    r"|located)\b)\w+(?: \w+){0,3} (?:that|to|whether|how|why)\b"
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
    r"|those (?:who|that|which|whose|with|without|of|in|from)\b"
    r"|this (?:is|was) an? (?:[\w,-]+ ){0,4}(?:study|trial|analysis|survey|review)\b)"
)
# Verbs whose subject "that" is, where it begins a sentence.
_AFTER_THAT = "is|was|would|means|should|could|can|cannot|will|has|had|may|might|must|does|did"
_EXPLETIVE = regex(
    rf"{_EXPLETIVE_PRONOUN}"
    r"|there (?:is|are|was|were|has|have|had|will|would|may|might|can|could|exists?|remains?|seems?)\b"
    r"|such as\b|so far\b|so-called\b"
    r"|both (?:the |of the |of our |of |our )?[^,.;]{1,60}? and\b"
    r"|here,? we\b|here is\b|here are\b|also known\b|thus far\b"
    rf"|that (?!(?:{_AFTER_THAT}|said|person|man|woman|way|decision)\b)\w+ \w+"
    r"|(?:rather than|instead of|further \w+) (?!this\b|that\b|these\b|those\b|it\b|them\b)"
    r"|(?:in addition to|besides) (?!(?:this|that|these|those|its?|them|their|the (?:above|former))\b)"
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
_CONNECTIVES = (
    r"however|therefore|thus|hence|moreover|furthermore|further|additionally|also|but|and|or|nor|so|then"
    r"|nevertheless|nonetheless|otherwise|similarly|likewise|instead|rather|consequently|accordingly|besides"
    r"|yet|indeed|meanwhile|meantime|still|again|finally|lastly|secondly|thirdly|fourthly|firstly|second"
    r"|third|fourth|fifth|first|next|notwithstanding|conversely|alternatively|specifically|namely|even so"
    r"|even then|even if (?:it|this|that)"
    r"|to (?:\w+ly )?\w+ (?:this|that(?=,)|these|those|it|them|him|so)"
    r"|to (?:this end|that end|illustrate|be sure|the contrary)"
    r"|given the above|(?:below|above) (?:is|are)"
    r"|now,? (?:it|this|these|they|he|she)"
    r"|that['’]s|it['’]s|he['’]s|she['’]s|they['’]re"
    r"|for (?:this|these|that|those|the same|example|instance)"
    r"|in (?:addition|contrast|turn|particular|other words|fact|return|response|comparison|any (?:case|event)"
    r"|short order|either case|both cases|so doing|doing so|that)"
    r"|on the (?:other hand|contrary|one hand|other)"
    r"|as a (?:result|consequence)|as such"
    r"|as (?:noted|mentioned|discussed|described|stated|explained|indicated|said|above|before|i"
    r"|we (?:explain|have|noted|said))"
    r"|by (?:contrast|comparison)|at the same time|by doing so|with that"
    r"|that (?:said|being said|person|man|woman|way|decision)"
    rf"|that (?:{_AFTER_THAT})"
    r"|(?:since|until|after|before|from|by) then"
    r"|after that|before that|thereafter|after all(?=,)|afterwards?|subsequently|later|earlier|then|soon"
    r"|shortly (?:after|before|thereafter)"
    r"|ultimately|eventually"
    rf"|(?:the|an?) (?:latter|{_FORMER}|above|same|other|others|second|third|fourth|next|following"
    r"|alternative)"
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
    r"|most of (?:this|these|those|them)|any of (?:this|these|those|them)"
    r"|(?:the next|the following|that same|the same) (?:day|week|month|year|morning|evening)"
    r"|(?:\w+|a few|some|several) (?:day|week|month|year|hour|minute)s? (?:later|afterwards?|before that)"
    r"|after doing (?:so|this|that)|not only|not so|if so|if not"
    r"|if (?:this|that|these|those|it|they|he|she)"
    r"|given (?:this|that|these|those)|no(?=,)|yes|well(?=,)|sure(?=,)|of course|certainly|conceivably"
    r"|exactly|too often"
    r"|at (?:this|that|issue) (?:point|time|stage)"
    r"|more (?:importantly|specifically|generally|precisely|broadly)"
    r"|most importantly|worse|better yet|better still|again|equally|to that"
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
# After a verb that takes no clause, where no clause before it can name the thing: "remove that entry";
# after one that does, where none follows: "If you see that error, …".
_THAT_THING = regex(
    r"(?:(?:[^,;:]* )?(?:to|you|we|can|could|will|must|should|may|not) (?:use|fix|run|change|set|call|get"
    r"|give|take|keep|add|remove|delete|avoid|choose|open|close|install|apply|follow|need|want|replace|edit"
    r"|pass|copy|move|rename|skip) that"
    r"|(?:If|When|Once|Whenever) (?:you|we|they|users?) (?:\w+ )?(?:see|get|find|hit|notice|encounter) that"
    rf"(?= {_SINGULAR}(?: {_SINGULAR})?(?:[,.;]| (?:when|while|if|again)\b))) {_NO_DETERMINED}"
    rf"(?P<phrase>{_SINGULAR}\b(?: [a-z][\w-]+)?)"
)
_INVERTED = (
    r"(?:do|does|did|is|are|was|were|can|could|will|would|may|might|must|should|has|have|had|beg[au]n|begins"
    r"|ended|ends|started|starts|came|comes|went|goes|arose)"
)
# By which a sentence goes on from another and says nothing else, as "but for the lock" and "so far" do;
# "otherwise", "instead", "for example" and "then" change what the sentence says.
_CONNECTIVE_ALONE = regex(
    r"(?:(?:however|therefore|thus|hence|moreover|furthermore|further|additionally|also|nevertheless"
    r"|nonetheless|consequently|accordingly|besides|yet|indeed|still|finally|lastly|similarly|likewise"
    r"|(?:first|second|third|fourth|fif|last)(?:th)?(?:ly)?|overall|ultimately|specifically|again|meanwhile"
    r"|in (?:addition|contrast|fact|particular|other words|short|sum|summary|conclusion)"
    r"|by (?:contrast|comparison)"
    r"|on the (?:other hand|contrary)|as a (?:result|consequence)|at the same time|of course|that said"
    r"|more (?:importantly|specifically|generally|precisely|broadly)|most importantly"
    r"|(?:and|but|so)(?:,? (?:therefore|thus|indeed|finally|again|of course|in fact))?), "
    r"|(?:(?:and(?! (?:not|only|with|because)\b)|but(?! (?:for|then|not|only|rather)\b)"
    r"|so(?! (?:that|far|long|much|many|few|little|as|called|too)\b)"
    r"|thus(?! far\b)|therefore|hence(?! (?:the|its|their|his|her|our|my|your|an?)\b)) ))"
    # Before what turns the sentence round it says more: "So did the other", "Thus ended the war", "So great
    # was the damage that …", "Hence the name".
    rf"(?!too,|{_INVERTED} |(?<=so )(?-i:[a-z])[\w-]+ {_INVERTED} [^.;]* that )",
    re.IGNORECASE,
)
# "Thus, metadata must also be included": beside what, the sentence before it says.
_ADDS = regex(r"(?:[\w'’-]+ ){1,7}?also\b")
# What is said there is somebody's word, and so is what goes on after "And".
_REPORTS = regex(
    r"\b(?:says?|said|told|warn(?:s|ed|ing)?|argue[sd]? that|claim(?:s|ed)?|believe[sd]?|predict(?:s|ed)?"
    r"|according to|estimate[sd]?|suggest(?:s|ed)?)\b"
)
_COUNTS_ON = regex(r"(?:second|third|fourth|fif|last)(?:th)?(?:ly)?, ", re.IGNORECASE)
_PRONOUNS = r"it|its|itself|they|their|theirs|them|he|his|him|she|her|hers|this|these|those|such|here|there"
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
    r"|(?:once|when|if) (?:\w+ly )?\w+ed,"
    r"|we (?:now )?(?:hold|conclude|think|agree|believe|disagree) (?:that )?(?:it|they|he|she|this"
    r"|these|so|otherwise|not)\b"
    r"|we (?:dis)?agree(?:\.|,| with (?:this|that|these|him|her|them)\b)"
    r"|the (?:answer|reason|result|latter|former|solution|reasons|difference|distinction) (?:is|was"
    r"|to|for this|being|are|follows)\b"
    r"|the (?:\w+ )?(?:benefit|fix|trade-?off|drawback|downside|advantage|disadvantage|catch|exception|upshot"
    r"|consequence|effect|outcome|remedy|workaround|alternative) (?:is|was|are|were|here)\b"
    r"|the resulting\b"
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
    # "Fixed it to allow …"
    r"|(?!(?:does|is|was|has|had|can|could|will|would|should|made|makes?|keeps?|take|takes|finds?|found)\b)"
    r"[a-z]+ (?:it|them)\b(?! (?:possible|easier|easy|clear|simple|hard|difficult|impossible|safe|more|is"
    r"|was)\b)"
)
# "That should not have happened," the engineer said: of what, the sentence before it tells.
_QUOTATION_MARKS = ('"', "“", "‘")
_QUOTED_PRONOUN = regex(
    r"[\"“‘](?:that|this|these|those|it|they)(?:['’](?:s|re|ll|d|ve)"
    r"| (?:is|was|are|were|has|have|had|will|would|can|cannot|could|should|may|might|must|does|did|do|means"
    r"|made|makes?|took|takes?|came|comes?|went))\b",
    re.IGNORECASE,
)
# "Some farmers disagreed.": with what, the sentence before it says.
_AGREES = regex(
    r"(?:(?!\b(?:if|unless|until|whether|where|when|as|that|which|who|to|with)\b)[^,;:.?]){2,60}?\b"
    r"(?:dis)?agree[sd]?(?:\.$|,)",
    re.IGNORECASE,
)
# What a pronoun as the subject stands for where a clause before it names it: "If you define a class, it".
_NAMED_BY_CLAUSE = (
    r"(?:if|when|whenever|before|after|once|since|because|although|though|while|unless|until) "
    r"(?:(?!(?:its?|this|that|these|those|they|their|he|she|his|her|the|there|such|both|all|some|one|another"
    r"|here|so|not|you|we|i)\b|\w+(?:ed|ing)\b)(?:[\w-]+ ){1,4}?(?:is|are|was|were|has|have|had|can|will"
    r"|does|do)\b(?! not\b)"
    r"|(?:you|we|one|users?|someone|somebody|people) [^,.;:]*?\b(?:an?|any|each|every) \w)[^,.;:]*, "
)
# A connective a few words into the sentence leans as one at its beginning does.
_OPENING_INSIDE = regex(
    r"[^,.;:()]{2,40}+, (?:however|therefore|though|too|moreover|in turn|by contrast|then|likewise|similarly"
    r"|meanwhile|instead|on the other hand|for example|for instance|furthermore|consequently|nevertheless"
    r"|nonetheless),"
    r"|(?!(?:we|i|it|accordingly)\b|the (?:sole |only |main )?question)[^,.;:()]{2,60} (?:is"
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
    rf"[Tt]he (?:two|three|four|five|six|seven|latter|{_FORMER}|other two|above|aforementioned|foregoing"
    r"|following|corresponding)(?= (?:[a-z-]+ )??[a-z]{3,}(?! (?:of|that|which|who|whose|for)\b)) "
    r"|[Tt]he (?:first|second|third|fourth)(?= (?:[a-z-]+ )?(?:question|issue|problem|point|factor"
    r"|reason|property|argument|option|approach|method|condition|requirement|claim|category|type"
    r"|group|element|prong|criterion|objection|alternative|possibility|limitation|assumption|scenario"
    r"|principle)s?\b(?!,? (?:of|to|in|is|are|was|were|that|which|who|for)\b)) "
)
# "similar to that observed in mice" sets one thing against another that it names; "that implied power" points
# back.
_AFTER_A_PRONOUN = (
    r"(?:(?:and|or|which|for|from|with|by|under|between|among|at|on|across)\b"
    r"|(?:\w+ly |already )?(?:\w+ed|found|seen|shown|made|given|taken|used)"
    r"(?=[.,;)]|$| (?:in|by|at|for|from|to|with|on|under|before|after|during|here|when|as|above|below|through"
    r"|using|between|among|across|previously|earlier|the|an?|our|their)\b))"
)
# What any of these has.
_MAY_POINT = regex(
    r"[TtSs](?:h(?:[eo]se|is|at) |uch |he (?:t(?:wo|hree|hird)|f(?:our|ive|irst|ormer|oregoing|ollowing)"
    r"|s(?:ix|even|econd)|latter|other two|above|aforementioned|corresponding) )"
)
# "Lord Henry had told him that.", "an improvement on that in several ways", "set either of the values"
_ALONE = regex(
    r" (?:do|does|did|done|doing) (?:just |exactly )?(?:this|that|it|the same)\b"
    r"| the same one\b"
    r"| (?<!like )(?<!at )(?<! and )(?<! all )(?:that|this|these|those|so doing)(?=[.;]| [-–—] "
    r"|, (?:and|but|because|which)\b)"
    r"| (?:on|with|of|to|by|from|about) that (?=(?:in|is|was|as|by|when) )"
    r"| (?:use|do|see|need|support) all (?:these|those)(?=[.,;]| (?:in|on|at|with|from|for|when|and|too)\b)"
    r"| either of the (?!.* (?:and|or) )"
    r"| (?:programs|examples|items|chapters?|functions|we\W\w+ \w+) so far\b"
)
# "Anybody can help, and all are encouraged to do so" says what, unlike "To do so, …".
_DOES_SO = regex(r" (?:do|does|did|done|doing) so\b")
_CLAUSE_BEFORE = regex(
    r"\w+ \w+ \w+.*?(?:[,;:]| (?:and|but|or|although)) (?!(?:if|when|unless) (?:you|we) *$)\w"
)
# Of what a pronoun can stand for, something must be said before it; "making it possible" stands for nothing.
# What says before it which two they are, or which year it is after: "Anna and Ben met, and the two …".
_SAID_BEFORE = (
    (regex(r"\W[Tt]he two "), regex(r"\b[A-Z][\w.’']* and (?:the )?[A-Z]")),
    (
        regex(r"\W[Tt]he following (?:day|week|month|year|morning|evening|season)"),
        regex(r"\d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"),
    ),
)
_THIRD_PERSON = regex(r"\W(?:it|its|they|them|their|theirs)\b")
_FOR_NOTHING = regex(
    r"\W(?:it (?:is|was|has been|would|will be|may be|seems|appears|\w+ that|takes|(?:im)?possible|clear|easy"
    r"|easier|hard|harder|difficult|safe|simple|necessary|more|less)\b"
    r"|them(?:selves)\b)"
)
_FEWEST_BEFORE_A_PRONOUN = 2  # words that say something: "Use it", "Once called, it"
# What is reflexive stands for a word of its own clause.
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
    r"(?<!^)\b[A-Z][a-z]+"
    r"|^(?!(?:The|A|An|In|On|At|By|When|While|After|Before|If|As|But|And|For|To|From|With|Since|Because"
    r"|Although|Though|Once|Under|Until|Then|There|That|This|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten"
    r"|Several|Some|Later|Soon|Now|Today|Meanwhile|However|Instead|Eventually|Finally)\b)[A-Z][a-z]+"
    r"|\b(?:man|woman|boy|girl|person|somebody|someone|anyone|everyone|anybody|everybody|one|who|whoever"
    r"|child|officer|judge|defendant|petitioner|respondent|plaintiff|prisoner|applicant|alien|author|reader"
    r"|user|student|teacher|patient|father|mother|president|director|minister|employee|worker|writer|artist"
    r"|doctor|king|queen|son|daughter|wife|husband|friend|brother|sister|lady|gentleman|suspect|driver|lawyer"
    r"|attorney|individual|voter|citizen|buyer|seller|owner|actor|player|member"
    r"|(?!after|thereafter|over|under|other|another|never|however|whether|either|neither|rather|later|earlier"
    r"|further|together|number|matter|power|order|water|paper|letter|computer|server|cluster|parameter"
    r"|container|winter|summer|September|October|November|December|consider|remember|offer|enter|differ|major"
    r"|minor|prior|error|factor|sector|vector|color|behavior|labor|favor)[a-z]{3,}(?:er|or|ist|ian))\b"
)
# The noun of a title: what it is of, or for, comes after. A title of a verb has none: "Handling cases".
_NOUN_OF_TITLE = regex(
    r"(?:.*: )?(?![A-Z]?[a-z]+ing\b)(?:[\w'’-]+ )*?(?P<noun>(?-i:[A-Z])?[a-z]{3,})"
    r"(?= (?:of|for|in|on|to|at|by|with|from|and|about|v\.?\d[\w.]*|[\d.]+)\b| ?[(,:]|$)",
    re.IGNORECASE,
)
_AFTER_A_NOUN = (
    r"\W*$|[,.;:)’']| (?:is|are|was|were|will|would|has|can|could|may|must|should|does|to|for|of|in|on|as"
    r"|and|or|but|that|which|also|by|at|with|be|if|when|\w+s)\b"
)
# What a sentence right after a heading calls that which the heading names; "This prints 3" speaks of code.
_OF_HEADING = regex(
    r"(?:This|These)(?: (?P<noun>[\w-]+))? "
    r"(?=(?:is|are|was|were|has|have|will|would|can|may|must|should|currently|also|only"
    r"|(?!(?:prints|outputs|produces|gives|returns|yields|shows|displays|results|generates|means|works"
    r"|happens|looks|leads|raises)\b)[a-z]+[^\Ws]s)\b)"
)
_NOUNS_OF_HEADINGS_TEXT = "component module class function method option setting parameter command field"
_NOUNS_OF_HEADINGS = frozenset(_NOUNS_OF_HEADINGS_TEXT.split())
# How sentences go on in other languages: as they begin, a few words in, and the nouns by which a document
# speaks of itself.
_OTHERS: Mapping[str, tuple[str, str, str]] = {
    "de": (
        # A clause that depends on the sentence before: "Weil sie leckten, wie der Fischer sagte."
        r"(?:weil|dass|obwohl|sodass|wenn|falls|sofern|nachdem"
        r"|bevor|indem|wobei|wodurch|wohingegen) [^,;:–—]*(?:, "
        r"(?:ob|dass|wie|was|wer|wo|die|der|das|den|dem|weil|wenn|als|um|sondern|aber|und|oder) [^,;:–—]*)*$"
        r"|(?:jedoch|hingegen|dagegen|allerdings|dennoch|trotzdem|gleichwohl|daher|deshalb|deswegen|darum"
        r"|somit|folglich|demnach|also|zudem|au(?:ß|ss)erdem|ferner|weiterhin|weiters|dar(?:ü|ue)ber hinaus"
        r"|ebenso|ebenfalls|auch|aber|doch|und|oder|denn|sondern|schlie(?:ß|ss)lich|anschlie(?:ß|ss)end"
        r"|stattdessen|andererseits|demgegen(?:ü|ue)ber|insbesondere|beispielsweise|zum beispiel"
        r"|im gegensatz dazu|so|dann|dort|damals|seitdem|danach|davor|zuvor|dadurch|damit|dabei|daf(?:ü|ue)r"
        r"|daraus|darin|darauf|daran|dazu|davon|dar(?:ü|ue)ber"
        r"|hier(?:bei|mit|durch|zu|aus|f(?:ü|ue)r|in|von)"
        r"|letztere[rsnm]?|erstere[rsnm]?|beide|solche[rsnm]?|andere|er|ihn?|ihm|ihnen|ihre?[rnms]?"
        r"|seine?[rnms]?|dessen|deren|dies|das gleiche"
        r"|diese[rsnm]?(?! (?:[\w-]+ )?(?:{own}))"
        r"|jene[rsnm]?|aus diesem grund|in diesem (?:fall|zusammenhang)|zu diesem zweck"
        r"|(?:in|an|auf|bei|mit|nach|von|aus|zu|f(?:ü|ue)r|durch|unter|um|gegen|ohne|vor|seit"
        r"|wegen|trotz|w(?:ä|ae)hrend|aufgrund|im rahmen|(?:ü|ue)ber|zwischen|neben|hinter"
        r"|angesichts|anhand|dank|gem(?:ä|ae)(?:ß|ss)|mithilfe|innerhalb|au(?:ß|ss)er|entgegen"
        r"|laut) (?:diese[rsnm]?(?! (?:[\w-]+ )?(?:{own}))|jene[rsnm]?|ihm|ihnen|ihn|solche[rsnm]?)"
        r"|sie (?:ist|sind|war|waren|hat|hatte|hatten|wird|wurden?|werden|kann|soll|muss|darf|gilt|gelten"
        r"|besteht|bestehen|enth(?:ä|ae)lt|erm(?:ö|oe)glicht|umfasst|bietet|dient|zeigt)"
        # "Sie führte", which is no form of address.
        r"|sie (?!(?:nicht|selbst|jetzt|seit|mit|damit|erst|fast|meist|zuerst|seht|habt|seid)\b)\w+te?"
        r"|da (?:kommt|ist|war|liegt|steht|geht|hilft)"
        # "Das geht am besten …", but not "Das neue Boot", "Das selbst gebaute Boot".
        r"|das (?:ist|sind|war|waren|hat|hatte|wird|wurde|kann|soll|muss|darf|sollte|konnte|w(?:ä|ae)re?"
        r"|(?!(?:selbst|meist|oft|erst|fast|jetzt|nicht|zuletzt|bekannt|gesamt|komplett|echt|leicht)\b)"
        # Nor "Das rot lackierte Boot".
        r"(?-i:[a-zäöü]+t\b(?! [a-zäöüß]{3,}(?:te|ene|nde) [A-ZÄÖÜ])))|es (?:hat|hatte|bietet|enth(?:ä|ae)lt"
        r"|besteht aus|dient|erm(?:ö|oe)glicht|umfasst|erlaubt|unterst(?:ü|ue)tzt|verwendet|regelt))\b(?!-)",
        r"[^,.;:()]{2,45} "
        r"(?:jedoch|hingegen|allerdings|daher|deshalb|somit|folglich|dennoch|zudem|au(?:ß|ss)erdem)\b"
        # "Seit 2017 ist er …"
        r"|[^,.;:()]{2,45} (?:ist|war|hat|kann|will|soll|muss|darf|(?-i:[a-zäöü]{3,}te?)) "
        r"(?-i:er|sie|ihn|ihm)\b",
        r"artikel|arbeit|studie|bericht|dokument|beitrag|papier|kapitel|buch|gesetz|verordnung|richtlinie"
        r"|satzung"
        r"|entscheidung|urteil|handbuch|anleitung|seite|jahr|monat|woche|untersuchung|analyse|vorschlag"
        r"|(?:ü|ue)bersicht|projekt|leitfaden|aufsatz",
    ),
    "fr": (
        r"(?:car|d['’]o(?:ù|u)"
        r"|cependant|toutefois|n(?:é|e)anmoins|pourtant|mais|et|ou|or|donc|ainsi|de plus|en outre"
        r"|par ailleurs"
        r"|en effet|en revanche|au contraire|par cons(?:é|e)quent|de m(?:ê|e)me|aussi|ensuite|puis|enfin"
        r"|alors"
        r"|d['’]autre part|par exemple|notamment|c['’](?:est|(?:é|e)tait) (?!ainsi que)|ce (?:dernier|qui"
        r"|sont)"
        r"|cela|ceci|(?:celui|celle|ceux|celles)-(?:ci|l(?:à|a))|tel(?:le)?s?|(?:cet?|cette|ces) (?!{own})"
        r"|(?:dans|pour|avec|sur|par|de|(?:à|a)|en|apr(?:è|e)s|depuis|selon|sous|malgr(?:é|e)) (?:cela|ceci"
        r"|(?:cet?|cette|ces) (?!{own})|lui|elles?|eux)|pour cela|elles?|ils|leurs?|sa|son|ses"
        r"|il (?!y a|est (?:\w+ )?(?:\w+ )?(?:de|que|d['’])|n['’]y|faut|s['’]agit|convient|existe|importe"
        r"|para(?:î|i)t"
        r"|semble|n['’]existe|n['’]est pas))(?<=[\w’' ])\b",
        r"[^,.;:()]{2,45} (?:cependant|toutefois|n(?:é|e)anmoins|donc|(?:é|e)galement)\b"
        # "Visiblement ému, il en profite …": no name before, no clause that may have one.
        r"|(?!(?:si|quand|lorsque?|comme|puisque?|bien que?|quoique?|une fois)\b|s['’]|lorsqu|puisqu)"
        r"(?-i:.[^,.;:()A-ZÀ-Ý]{1,60}), (?:ils|elles?"
        r"|il (?!y a|n['’]y|faut|s['’]agit|convient|existe|importe|para(?:î|i)t|semble|n['’]existe"
        r"|n['’]est pas|est (?:\w+ )?(?:\w+ )?(?:de|que|d['’])))(?<=[\w ])(?!-)",
        r"article|travail|(?:é|e)tude|rapport|document|papier|chapitre|livre|loi|d(?:é|e)cret|r(?:è|e)glement"
        r"|directive|guide|manuel|page|ann(?:é|e)e|mois|semaine|analyse|proposition|projet|m(?:é|e)moire"
        r"|th(?:è|e)se",
    ),
    "es": (
        r"(?:sin embargo|no obstante|adem(?:á|a)s"
        r"|por (?:lo tanto|tanto|ello|eso|consiguiente|otra parte|otro lado|ejemplo|esto|este motivo)"
        r"|as(?:í|i)|asimismo|tambi(?:é|e)n|pero|y|e|o|pues|entonces|luego|despu(?:é|e)s|finalmente"
        r"|en (?:cambio|consecuencia|particular|efecto)"
        r"|al contrario|aunque (?:este|esta|esto|ello)|él|ella|ellos|ellas|ello|esto|eso|aquello"
        r"|(?:é|e)stos?|(?:é|e)stas?|sus?|dich[oa]s?|tal(?:es)?"
        r"|(?:este|esta|estos|estas|ese|esa|esos|esas|aquel|aquella) (?!{own})"
        r"|(?:en|para|con|por|de|a|desde|tras|seg(?:ú|u)n|bajo|sobre) (?:ello|esto|eso|dich[oa]s?|ell[oa]s?"
        r"|(?:este|esta|estos|estas|ese|esa|esos|esas) (?!{own})))(?<=[\w ])\b",
        r"[^,.;:()]{2,45} (?:sin embargo|no obstante|por (?:lo )?tanto|tambi(?:é|e)n|asimismo)\b",
        r"art(?:í|i)culo|trabajo|estudio|informe|documento|cap(?:í|i)tulo|libro|ley|decreto|reglamento"
        r"|directiva"
        r"|gu(?:í|i)a|manual|p(?:á|a)gina|a(?:ñ|n)o|mes|semana|an(?:á|a)lisis|propuesta|proyecto|tesis"
        r"|sentencia",
    ),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Leaning:
    """How the sentences of one language and kind of document lean on others.

    Attributes:
        opening: Whether a sentence begins as if it went on.
        inside: Matches where it does so a few words into the sentence.
        points_back: Whether a word inside a sentence points before it.
        named: Matches what a document calls itself as its title does: "this roadmap".
    """

    opening: Callable[[str], bool]
    inside: re.Pattern[str]
    points_back: Callable[[str], bool]
    named: re.Pattern[str] | None = None

    def of_title(self, title: str) -> Leaning:
        """The same for a document of this title: its noun is one by which the document speaks of itself."""
        noun = _NOUN_OF_TITLE.match(title) if self.points_back is not _never else None
        if noun is None:
            return self
        word = noun["noun"]
        if word.endswith("s"):
            # "These Terms", but not "these cases": of several things there may be others.
            return replace(self, named=regex(rf"\b[Tt]hese (?={word}\b)")) if word[0].isupper() else self
        # "this environment", but not "this environment variable".
        return replace(self, named=regex(rf"\b[Tt]his (?=(?i:{word})(?:{_AFTER_A_NOUN}))"))

    def opens(self, text: str) -> bool:
        """Whether a sentence, without its list marker, begins as if it went on."""
        text = self._without_named(text)
        return self.opening(text) or self.inside.match(text) is not None

    def points(self, text: str) -> bool:
        """Whether a word inside a sentence points before it."""
        return self.points_back(self._without_named(text))

    def leans(self, text: str) -> bool:
        """Whether a sentence, without its list marker, needs the one before it to be understood."""
        return self.opens(text) or self.points(text)

    def stands_under_heading(self, text: str, heading: str) -> bool:
        """Whether a sentence, right after its heading, leans by nothing but that it speaks of what it names.

        "This is a list of hosts"; "These variables are set by the caller" under "Variables".
        """
        found = _OF_HEADING.match(text) if self.points_back is not _never else None
        if found is None or self.leans(f"The matter {text[found.end() :]}"):
            return False
        noun = (found["noun"] or "").lower()
        return not noun or noun in _NOUNS_OF_HEADINGS or stem(noun) in map(stem, split_terms(heading))

    def _without_named(self, text: str) -> str:
        if self.named is None or ("his " not in text and "hese " not in text):
            return text
        return self.named.sub("the ", text)

    def connective_length(self, text: str, before: str = "") -> int:
        """Length of the connective that a sentence begins with, where it leans by that alone; else 0.

        "Thus, the first is faster" says what "The first is faster" does. After "The guide warns that …", "And
        the bridge will fall" is what the guide says.

        Args:
            text: The sentence.
            before: The one before it.
        """
        found = _CONNECTIVE_ALONE.match(text) if self.points_back is not _never else None
        if found is None or (found[0] == "And " and _REPORTS.search(before) is not None):
            return 0
        rest = text[found.end() :]
        if _ADDS.match(rest) is not None:
            return 0
        return 0 if self.leans(rest[:1].upper() + rest[1:]) else found.end()


def counts_on(text: str) -> bool:
    """Whether a sentence begins with a later number of an enumeration: "Second, the …"."""
    return _COUNTS_ON.match(text) is not None


def leaning_of(language: str | None, kind: DocumentKind) -> Leaning | None:
    """The rules of a language (a two-letter code) for a kind of document; ``None`` where there are none."""
    if language == "en":
        return _english(kind)
    return _other(language) if language in _OTHERS else None


@cache
def _other(language: str) -> Leaning:
    words, inside, own = _OTHERS[language]
    opening = regex(words.replace("{own}", own), re.IGNORECASE)
    return Leaning(
        opening=lambda text: opening.match(text) is not None,
        inside=regex(inside, re.IGNORECASE),
        points_back=_never,
    )


def _never(_: str) -> bool:
    return False


@cache
def _english(kind: DocumentKind) -> Leaning:
    of_kind = _OWN_NOUNS_OF_KIND.get(kind)
    own = rf"(?:{_OWN_NOUNS}{'|' + of_kind if of_kind else ''})\b"
    speaks_of_itself = rf"(?:(?!{_NO_ADJECTIVE})[\w-]+ ){{0,3}}?(?:\w+-)?{own}"
    opening = regex(
        rf"(?:{_CONNECTIVES})\b(?!-)"
        rf"|(?:{_PRONOUNS}"
        rf"|(?:{_PREPOSITIONS}) (?:all |both |each of |some of |many of |most of )?(?:this|these|those|such"
        r"|them|it|its|him|her|his|their|they|he|she"
        r"|that(?= (?:time|case|point|reason|way|end|context|sense|respect|regard|date|year|day)\b))"
        # A pronoun as the subject after a short opening: "In 2009, he …".
        rf"|(?!{_NAMED_BY_CLAUSE}(?:it|they|he|she)\b)[^,.;:]{{2,45}}+, (?!{_EXPLETIVE_PRONOUN})(?:it|they|he"
        r"|she|these|those|this)"
        # Nor does a longer one without a subject name anybody: "After working at …, he".
        r"|(?:after|before|while|when|since|by|besides|without) \w+ing\b[^,.;:]{2,100}+, (?:he|she))\b"
        rf"(?! {speaks_of_itself})"
        rf"|{_OTHER_OPENINGS}",
        re.IGNORECASE,
    )
    # A demonstrative, or "the" with a number, points back, unless the noun stands before it.
    pointing = regex(
        r"\W(?:(?:[Tt]hese|[Tt]hose(?! (?:who|that|which|whose|with|of|in|from|not|\w+ing|\w+ed)\b)"
        r"|[Tt]his(?! time[.,;])|(?<!\band )(?:[Uu]nder|[Oo]f|[Ii]n(?:to)?|[Bb]y|[Tt]o|[Ff]or"
        r"|[Ww]ith(?:in|out)?|[Oo]n|[Ff]rom|[Aa]t|[Aa]fter|[Bb]efore|[Uu]pon|[Dd]uring|[Bb]etween|[Oo]ver"
        rf"|[Uu]ntil) that(?! {_AFTER_A_PRONOUN})"
        r"|[Ss]uch(?! (?:as|that)\b| (?:[\w-]+ ){1,2}as\b)(?: an?)?) "
        rf"(?!{speaks_of_itself})(?!(?:[a-z-]+ )?{_EVERYBODY_KNOWS})"
        r"(?!(?:one|is|was|are|were|the|a|an|it|they|we|he|she|of|in"
        r"|to|not|can|may|will|would|could|should|has|have|had)\b)"
        rf"|{_COUNTED})(?P<phrase>\w[\w-]+(?: [a-z][\w-]+)?)"
    )
    return Leaning(
        opening=lambda text: _goes_on(text, opening),
        inside=_OPENING_INSIDE,
        points_back=lambda text: _points_back(text, pointing),
    )


def _goes_on(text: str, opening: re.Pattern[str]) -> bool:
    """Whether an English sentence begins as if it went on: "However, …", "That runner is …"."""
    if text[:5].lower() == "that " and _THAT_NOUN.match(text) is not None:
        return True
    if text[:1] in _QUOTATION_MARKS:
        return _QUOTED_PRONOUN.match(text) is not None and _EXPLETIVE.match(text[1:]) is None
    if "gree" in text and _AGREES.match(text) is not None:
        return True
    return opening.match(text) is not None and _EXPLETIVE.match(text) is None


def _points_back(text: str, pointing: re.Pattern[str]) -> bool:
    """Whether a word inside an English sentence points before it: "under that clause", "the two samples"."""
    spaced = f" {text}"
    pointers = (
        [(found, found.start()) for found in pointing.finditer(spaced)] if _MAY_POINT.search(text) else []
    )
    thing = _THAT_THING.match(text) if " that " in text else None
    if thing is not None:
        pointers.append((thing, thing.start("phrase")))
    for found, start in pointers:
        said = {stem(term) for term in split_terms(found.string[:start])}
        named = {stem(term) for term in split_terms(found["phrase"])}
        if any(what.match(found[0]) and by.search(found.string, 0, start) for what, by in _SAID_BEFORE):
            continue
        if not any(term in said and not is_function_word(term) for term in named):
            return True
    if _ALONE.search(text) is not None:
        return True
    does_so = _DOES_SO.search(text) if " so" in text else None
    if does_so is not None and _CLAUSE_BEFORE.match(text, 0, does_so.start()) is None:
        return True
    pronoun = _THIRD_PERSON.search(spaced)
    if pronoun is not None:
        terms = split_terms(spaced[: pronoun.start()])
        if sum(not is_function_word(stem(term)) for term in terms) < _FEWEST_BEFORE_A_PRONOUN:
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
