"""Boilerplate, which says nothing of the matter: sections by their headings, and sentences by their wording.

Notices of rights, imprints, acknowledgements, where else to look, what a template tells its author.
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.documents import PATH_BREAK, Section
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.methods.extract.sentences.wording import says_what
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, is_function_word
from lsum_cli.text.verbs import AUXILIARIES

# With these the licence of documentation begins, which stands at the end of a book; what it is called.
_CLAUSES_OF_A_LICENCE = regex(r"applicability and definitions|verbatim copying", re.IGNORECASE)
_GNU_LICENCE = regex(
    r"(?:appendix \w+[.:]? )?(?:the )?gnu"
    r" (?:free documentation|(?:(?:lesser|library|affero) )?general public) licen[cs]e.*",
    re.IGNORECASE,
)
BOILERPLATE_HEADING = regex(
    r"acknowledge?ments?|funding|author(?:s|s?['’]s?)? contributions?|competing interests?|disclosures?"
    r"|conflicts? of interests?|copyright|(?:.* )?licen[cs]e(?: .*)?|copying(?: .*)?"
    r"|data availability|availability of data.*"
    r"|ethic(?:s|al)\b.*|consent\b.*|abbreviations|supplementa(?:ry|l)\b.*|additional (?:files?|information)"
    r"|references|bibliography|further reading|(?:table of )?contents|change ?log|footnotes|index"
    r"|pre-?publication history|publisher['’]s note|about the authors?|appendi(?:x|ces)\b.*"
    r"|status of th(?:is|e) (?:memo|document)|(?:copyright|legal|ipr)(?: and \w+)? (?:notice|statement)s?"
    r"|disclaimers?|about this (?:document|report|publication)|thanks"
    r"|(?:implementation|revision) history",
    re.IGNORECASE,
)
# Under these headings a policy or a contract may set a rule: "You must disclose …", "… hereby grants …".
_MAY_BIND = regex(r"licen[cs]|copyright|disclos|interest|consent|ethic|disclaim", re.IGNORECASE)
_BINDS = regex(r"\b(?:must|shall|hereby grants?)\b")
# Under these headings a guide or a readme asks its readers to help, to pay or to cite, or says whom to ask;
# under the others where it names such a place.
_CALLS_HEADING = regex(
    r"(?:(?:how|want|workflow|ways|call) (?:to|for) )?contribut(?:e|ing)\b.*|contributions"
    r"|(?:(?:how|want|ways) to )?get(?:ting)? involved\b.*"
    r"|contributors|join us|join (?:the|our) .*"
    r"|(?:help|context) and (?:bug reports?|contributions?)|bug reports?|bug reporting|feature requests?"
    r"|(?:bug|issue) tracker|assistance|marketing|to-?dos?(?: list)?"
    r"|report(?:ing)? (?:an? )?(?:bugs?|issues?|problems?|(?:security )?vulnerabilit(?:y|ies))"
    r"|(?:get(?:ting)?|need|(?:for )?(?:more|further)) (?:some )?(?:help|support)\??|get(?:ting)? in touch"
    r"|(?:currently )?used by|who(?: is|['’]s)? us(?:es|ing) (?:it|this)\??|kudos"
    r"|help us\b.*|donat(?:e|ions?|ing)|sponsor(?:ship|ing)|(?:[\w-]+ ){0,2}sponsors|backers"
    r"|(?:how to )?cit(?:e|ing|ations?)(?: .*)?|contact(?: us)?|(?:security )?contact information"
    r"|mailing lists?|authors?|maintainers?|credits?|code of conduct|we(?: are|['’]re) hiring"
    # The text of a licence, and what a readme says of it.
    r"|(?:(?:the )?(?:gnu|apache|mit|bsd|mozilla|creative commons|lesser|affero)\b[^.]{0,60}"
    r"|(?:the )?(?:free documentation|general public|public) )licen[cs]es?"
    r"(?:,? (?:version )?v?[\d.]+| agreement)?"
    r"|(?:addendum:? )?how to (?:use|apply) (?:this|these|the) (?:licen[cs]es?|terms)\b.*"
    r"|(?:[A-Z]\S* )?for enterprises?|.*\bpart of the \w+ subscription"
    r"|star(?: (?:us|this)\b.*| history)?|stargazers(?: .*)?",
    re.IGNORECASE,
)
_MAY_CALL_HEADING = regex(
    r"(?:the )?community|issues|bugs|questions|discussions|help|communication|feedback|ideas"
    r"|(?:(?:professional|commercial|paid|community) )?support",
    re.IGNORECASE,
)
# What those who work on the thing need, where it says how: "Run tox before you send a patch."
_OF_DEVELOPERS = regex(
    r"development|developing|developer(?:s| notes)?|hacking|(?:running (?:the )?)?tests|testing",
    re.IGNORECASE,
)
_TOOLS_OF_DEVELOPERS = regex(
    r"\b(?:tox|nox|pytest|test suite|tests? scripts?|unit ?tests?|test cases|git clone|makefile|debug"
    r"|pull requests?)\b",
    re.IGNORECASE,
)
# "Bugs / Feature Requests", "Links & Contacts": of the one and of the other.
_JOINS = regex(r" ?/ ?| & | and |, ")
_PLACE_TO_CALL = regex(
    r"\b(?:github|issues? tracker|mailing ?list|e-?mail|discord|slack|gitter|irc|forum|stack ?overflow"
    r"|pull requests?|bug (?:report|ticket)s?|community meetings?|donat\w+|sponsor\w*)\b",
    re.IGNORECASE,
)
# A document is about it whose title says so, or where so much of it stands under such headings.
_ABOUT_CALLS = regex(
    r"\b(?:contribut|conduct|report|security|support|help|donat|sponsor|cit(?:e|ing|ation)|community|authors?\b"
    r"|contact|bug|issue|test|develop|hack)",
    re.IGNORECASE,
)
_MOST_OF_CALLS = 0.7
# A line that stands between two paragraphs and belongs to neither.
_INTERRUPTION = regex(
    r"(?:related(?: (?:stor(?:y|ies)|articles?|content|coverage|topics?))?|read (?:more|also|next)|also read"
    r"|see also|more(?: on this| from .{2,30})?|watch|listen|recommended|don['’]t miss|you may also like)"
    r" ?[:|] ?\S"
    r"|powered by \w|advertisement\W*$|story continues below|article continues (?:after|below)"
    r"|(?:image|media|video) (?:source|caption|copyright)\b",
    re.IGNORECASE,
)
# What a site says to its visitors about their data, in the languages whose rules are known.
_OF_COOKIES = regex(
    r"(?:\b(?:we|wir|nous|utilizamos|usamos|this (?:web)?site|our (?:web)?site|diese (?:web)?seite|ce site"
    r"|by (?:using|continuing|clicking)|durch die|mit der|en (?:poursuivant|continuant|naviguant)"
    r"|al (?:usar|continuar|navegar))\b.{0,200}?\bcookies\b"
    r"|\bcookies\b.{0,200}?\b(?:zustimm|stimmen sie|einverstanden"
    r"|you agree|consent|vous acceptez|acepta))",
    re.IGNORECASE,
)
# A newsletter is offered to readers, who are told to take it, or addressed; else something is told of one.
_OF_NEWSLETTER = regex(
    r"(?:(?:Subscribe|Sign up|Get|Receive|Join|Enter|Read|Jetzt)\b"
    r"|Abonniere|Bestelle|Melde|Abonnez|Inscrivez|Recevez|Suscr[ií]b|Recib[ae]|Iscriv)"
    r"|.*\b(?:[Yy]ou|[Yy]our|(?<!^)Sie|(?<!^)Ihr\w*|[Dd]ich|[Dd]ir|[Dd]eine?\w?|[Vv]ous|[Vv]otre|[Vv]os"
    r"|[Uu]sted)\b"
)
# How a specification uses words, which RFC 2119 says: 'The key words "MUST", … are to be interpreted as …'.
_KEYWORDS = ("SHOULD", "MUST", "SHALL")
_OF_KEYWORDS = regex(
    r"[^.]{0,80}\bkey ?words\b.{0,300}\b(?:are|is) to be (?:interpreted|understood|read) as"
    r"|[\"“'‘](?:MUST|SHALL|SHOULD|REQUIRED|RECOMMENDED|MAY|OPTIONAL)(?: NOT)?[\"”'’]"
    r"(?:,? (?:and|or)? ?[\"“'‘][A-Z ]{3,15}[\"”'’])* (?:is|are) (?:appropriate|used)\b"
)
# What a site says of how much of it may be read, and the mails that it offers.
_OF_ACCESS = regex(
    r"you(?:['’]ve| have)? (?:only )?(?:(?:have|read|used|reached) )?(?:\d+|one|two|three|four|five|your|the)"
    r" (?:(?:last|final|limit|of|your|\d+|one|two|three|more|free|premium) ){0,6}"
    r"(?:articles?|stor(?:y|ies)|posts)\b"
    r"(?:(?: left| remaining)? (?:to read )?(?:this (?:month|week)|before you)| (?:left|remaining)\.$)"
    # But not what a program does: "Get the latest headlines in your terminal."
    r"|(?=receive (?:our |the |a )?(?:daily|weekly|monthly|regular|exclusive)\b|get (?:our|exclusive)\b"
    r"|(?:receive|get) (?:the |a )?(?:daily|weekly|monthly|regular|free|latest|best)\b[^;:]*"
    r"\b(?:inbox|e-?mail)\b)[^.;:]{0,80}?\b(?:insights?|updates?|tips|stories|headlines|articles|news|digest|round-?up"
    r"|briefing|analysis)\b",
    re.IGNORECASE,
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
_SEE = regex(
    r"(?:^|, |; |\()(?:please )?see (?:also |the |our |[“‘]|\[|section |chapter |figure )"
    r"|^See [^.;:]{2,60} for (?:more|details|further|an?|the)\b"
    r"|(?:: | ?[–—] ?)see \S"
)
# "For the settings[,] see options", where nothing is said before "see"; "For two years keepers see" is none.
_SPAN_OF_TIME = (
    r"(?:[a-z\d,.-]+ ){0,4}?(?:(?:minute|hour|day|night|week|month|season|year|decade|generation|age)s"
    r"|centuries|(?:an?|one|each|every) (?:(?:long|short) )?(?:while|time|moment|hour|day|night|week|month"
    r"|season|year|decade|century)) (?!(?:of|in|with|when|that|which|and|or|from|to|please|see)\b)[a-z]"
)
_SEE_FOR = regex(
    rf"(?:For (?!(?:example|instance|one thing|although|though|while|if|when|as|now|once)\b|{_SPAN_OF_TIME})"
    r"|(?P<clause>To|If|When(?:ever)?) )(?P<what>[^;:]*?)"
    r"(?: please)? see (?!(?:if|whether|that)\b)(?(clause)[^,;]+$|\S)"
)
# "As this guide is short, please proceed to the tutorial"; where to report something is no such place.
_PLEASE_READ = regex(
    r"(?:For|To|If|When|As|About|Before|While|Once|In|On)\b(?!.*\b(?:report|disclos))[^.;:]*, please"
    r" (?:also )?(?:(?:proceed|refer|head over) to|consult|visit|read|continue (?:to|with)|check out"
    r"|(?:take|have) a look at)\b",
    re.IGNORECASE,
)
# "A reference implementation can be found in the repository of the keepers."; it has one of the words.
_WORDS_OF_A_PLACE = (" can be ", "tracked ", "hosted ")
_WHERE_IT_IS = regex(
    r"(?:\w+ )?(?:[\w-]+ )?(?:implementations?|details|information|code|documentation|discussions?|drafts?"
    r"|prototypes?|proof of concept|tracking issue|source|examples|background)\b[^.;:,]{0,60} "
    r"(?:can be (?:found|read|viewed|seen|tracked|followed)|(?:is|are) (?:tracked|hosted)) "
    r"(?:here|in|at|on|under|from|by)\b",
    re.IGNORECASE,
)
# Before "see", or beside a clause, a command is none.
_NO_COMMAND_TEXT = "to not we you they i it he she who users people and never"
_NO_COMMAND = AUXILIARIES | frozenset(_NO_COMMAND_TEXT.split())
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
# Which author of a paper did what, that they have no other interests, whom they thank: "AB and CD drafted
# the manuscript." It has one of the words. Elsewhere "The research was funded by …" may be what is told.
_WORDS_OF_AUTHORS = (
    "author", "manuscript", " paper", "article", "conceived", "participated", "supervised", "coordinated",
    "carried out", "reviewers", "referees", "acknowledge", " thank", "thanks ", "supported ", "funded ",
    "financ",
)  # fmt: skip
_OF_THE_TEXT = r"\b(?:manuscript|paper|article)s?\b"
_DONE_BY_AUTHORS = (
    rf"(?:(?:wrote|writing|draft(?:ed|ing)?|edit(?:ed|ing)|revis(?:ed|ing)|review(?:ed|ing)|read|prepar(?:ed"
    rf"|ing)|contribut(?:ed|ing)|improved|preparation|approved)\b[^.;]{{0,60}}{_OF_THE_TEXT}"
    r"|conceived (?:of )?the\b|(?:designed|supervised|oversaw|coordinated"
    r"|directed) (?:and [a-z]+ )?the (?:[a-z]+ )?(?:study|studies|research|experiments?)\b"
    r"|participated (?:in|to) (?:the |its |all )?(?:[a-z]+ (?:and|of) )?(?:the )?(?:[a-z]+ )?(?:design"
    r"|conception|coordination|study|analys[ei]s|programming|experiments?|development|implementation"
    r"|interpretation|data|discussions?|writing)\b|(?:carried out|performed) (?:the |most of the "
    r"|all )?(?:[a-z]+ )?(?:experiments?|analys[ei]s|programming|studies|assays|implementation|design"
    r"|field ?work|statistic\w*|testing|measurements)\b)"
)
# "AB", "A.B.", and as some corpora write it "ab"; more of them; what else they did, but no "US scientists".
_INITIALS = r"(?P<initials>[A-Z]{2,5}|(?:[A-Z]\. ?-?){2,4}|[a-z]{2,4})"
_MORE_INITIALS = r"(?:(?:, and|,| and| &)? ?(?:[A-Z]{2,5}|(?:[A-Z]\. ?-?){2,4}|[a-z]{2,4})(?= |,)){0,8}"
_DID_MORE = r"(?:(?:[a-z]+ed|wrote|led|made|was|were|also|and|[a-z]+ly)\b(?![^.]*\bwe\b)[^.]{0,200}? )??"
_OF_AUTHORS = regex(
    r"(?:(?:[Aa]ll(?: the)?|[Bb]oth|[Tt]he|[Ee]ach of the|[Nn]one of the) (?:other |two |three |listed )?)?"
    r"(?:co-?)?[Aa]uthors?(?:['’]s)?\b[^.;]{0,80}?\b"
    r"(?:(?:read|approved|wrote|drafted|revised|reviewed|edited|contribut\w+|participated|involved|input"
    r"|agreed? (?:to|with|on))\b(?! in (?:a|an|the)\b).*\b(?:manuscript|paper|version|submission"
    r"|final text)\b|(?:declared?|disclosed?|reported?|have|had)\b[^.;]{0,40}\b(?:competing"
    r"|conflicts? of|conflicting) (?:[a-z]+ )?interests?\b)"
    r"|[Aa]ll (?:co-?)?authors? (?:except [^.;]{2,40} )?(?:have |has )?(?:also |equally |jointly )?"
    r"(?:contributed|participated|helped|commented|assisted|collected|discussed|provided)\b"
    r"|[Ww]e (?:\w+ly )?(?:also )?acknowledge "
    r"(?:(?!that\b|(?:\w+ ){0,5}(?:limitations?|needs?|risks?|possibility|potential)\b)[^.;]{3,160} for (?:"
    r"his|her|their|the|its|help\w*|many|providing|funding|support|useful|valuable|technical|financial"
    r"|critical\w*)\b"
    r"|(?:the |all |their )?(?:[a-z]+ )?(?:support|funding|help|assistance|comment\w*|suggestions)\b"
    r"|and thank\b)"
    r"|.{0,40}\banonymous (?:reviewers|referees)\b"
    r"|(?:[Tt]he )?[Aa]uthors? (?:also )?(?:(?:are|is) (?:\w+ly )?(?:grateful|indebted)|thanks?)\b"
    r"|[Ww]e also thank\b|[Tt]hanks (?:also )?(?:go|are due) to\b"
    r"|(?:[Tt]his (?:work|study|research|project|paper|publication)|[Rr]esearch) (?:was|is|has been) "
    r"(?:\w+ly )?(?:supported|funded|financed)(?: in part)? by\b"
    r"|[Ff]inancial support (?:was provided|came) (?:by|from)\b"
    r"|.{0,200}?\b(?:support|funding|help|assistance|grants?)\b.{0,200}?\b(?:is|are) (?:\w+ )?acknowledged\b"
    rf"|{_INITIALS}{_MORE_INITIALS} {_DID_MORE}{_DONE_BY_AUTHORS}"
)
# Publication details that are no part of the text.
_IMPRINT = regex(
    r"(?:citation|key ?words?|correspondence|received|accepted|published|edited|reviewed|editors?|e-?mail"
    r"|doi|how to cite|cite as|copyright|issn|isbn) ?:"
    # Catalogues write "Title : subtitle / author".
    r"|\S.* : \S.* / [^\W\d_]|(?:received|accepted|published) (?:online )?\d",
    re.IGNORECASE,
)
_RIGHTS_TEXT = (
    "© / copyright (c) / copyright 1 / copyright 2 / all rights reserved / alle rechte vorbehalten / "
    "tous droits réservés / todos los derechos reservados / tutti i diritti riservati / "
    "subject to copyright / may be reproduced without / for information purposes only / "
    "honorarpflichtig / vielen dank an / creative commons / is licensed under / this is an open access / "
    "this is an open-access / permission of the publisher / terms of use / permission is granted / "
    "permission is hereby granted / licensed under the / this license / license notice / "
    "may not be copied / copy of the license is included / internet-drafts / this internet-draft / "
    "legal provisions relating / "
    "document may be freely / document may be redistributed / document may be copied / "
    "general public license for more / general public license para / general public license pour / "
    "copia de la general public / copia de la gnu general public / "
    "copied and distributed / may redistribute / redistribute it and / copy and distribute / "
    "service mark / a registered trademark / the registered trademark / trademark of / trademarks of / "
    "trademarks and / would like to thank / "
    "would like to acknowledge / wish to thank / wish to acknowledge / "
    "would like to extend / should have received a copy / "
    "without even the implied warranty / in the hope that it will be useful / "
    'above copyright notice / the software is provided “as is” / the software is provided "as is" / '
    "the software is provided ”as is” / "
    "liable for any claim, damages or other liability / used in advertising or otherwise to promote / "
    "no representations about the suitability / makes any warranty, express / imply its endorsement / "
    "not necessarily state or reflect those of / not necessarily reflect the views of / "
    "not necessarily represent the views of / "
    "we thank  / we are grateful / i am grateful / indebted to"
)
_RIGHTS = tuple(_RIGHTS_TEXT.split(" / "))
# Each of them has one of these.
_OF_RIGHTS_TEXT = (
    "© / cop / serv / vorbehalten / reproduced / purposes only / honorar / dank an / commons / licens / "
    "an open / permission / terms of use / internet-d / provisions / redistribute / trademark / "
    "document may / general public / "
    "would like / wish to / hope that it / warranty / is provided / liable / advertising / no repres / "
    "endorse / necessarily / we thank / grateful / indebted"
)
_OF_RIGHTS = tuple(_OF_RIGHTS_TEXT.split(" / "))
# "Weirbook is released under the MIT license"; "… under a licence of the county" tells of the county.
_RELEASED_UNDER = regex(
    r"\b(?:is|are) (?:\w+ly )?(?:released|made available|available|distributed|provided|published|licensed)"
    r"(?: in (?:its|their) entirety)? under "
    r"(?:the )?(?:terms of the )?(?:\(?[A-Z\d][\w.-]*\)?,? )+"
    r"(?:(?:open[- ]source|software|public) )?[Ll]icen[cs]es?\b"
    r"|^This (?:project|package|library|software|repository) includes code under the [A-Z]"
)
# With whose help a thing came about, and thanks to people for it: "Weirbook was written with the guidance of
# Ada Weir." It has one of the words. What thanks "you" is said to somebody.
_WORDS_OF_THANKS = (
    "thank", "gratitude", "without the", "guidance", "encourage", "assistance", "supervision", "advice",
    "generous", "patience", "kind", "the help of", "the support of", " me by ", " us by ",
)  # fmt: skip
_HELP = r"(?:guidance|encouragement|advice|patience|kindness|support|help|assistance|supervision|generosity)"
_THANKS = regex(
    r"(?:.{0,100}\b(?:was|were|has been|have been) (?:\w+ ){0,2}(?:written|developed|prepared|produced"
    r"|created|made possible|completed) (?:\w+ ){0,2}?(?:with|under|by) the "
    rf"(?:(?:kind|generous|\w+) )?{_HELP}\b(?: and \w+)? of (?-i:[A-Z]|many|several|all|the people|my|our)"
    r"|.{0,120}\b(?:would|could) (?:not|never) (?:have been|be) (?:possible|written|completed|finished"
    rf"|what it is)\b[^.;]{{0,30}}\bwithout the (?:[\w-]+,? (?:and )?){{0,3}}{_HELP} (?:of|from|by)\b"
    r"|(?:(?:in particular|finally|also|lastly|above all),? )?i (?:also |especially |particularly "
    r"|sincerely |warmly )?thank (?!you\b|thee\b|god\b|heaven|him\b|her\b|them\b|goodness)"
    r"|(?:a )?(?:very )?special thanks\b"
    r"|(?:many )?thanks (?:also |must )?(?:go )?to [^,;]{3,120} (?:for|who)\b"
    r"|.{0,160}\b(?:was|were) (?:\w+ ){0,2}(?:suggested|pointed out|proposed) to (?:me|us) by\b"
    r"|[^,;:]{1,40}\b(?:debt of gratitude to|heartfelt thanks to)\b)",
    re.IGNORECASE,
)
# What the template of a proposal tells its author, and what its author was to delete.
_INSTRUCTION_BEGINS = regex(
    r"\W*(?:"
    r"(?:this|similar to the [\w ]{3,30}) section (?:should|must|is (?:for|used|intended|required"
    r"|encouraged|not required|optional)|(?:currently )?serves|is where)\b"
    r"|use this section\b|(?:section )?not required until\b|i/we understand the owners\b"
    r"|(?:briefly |clearly )?(?:describe|explain) (?:what|why|how|manual|the (?:metrics|tests?|reasons?))\b"
    r"|no need to (?:outline|list|describe)\b|clearly define what\b"
    r"|(?:initial proposal|these) (?:should keep|may be defined in terms)\b|listing these here\b"
    r"|examples include a new subproject\b|at the very least, think about\b|for now,? we leave it here\b"
    r"|the troubleshooting section (?:currently )?serves\b|ideally, this should be a metric"
    r"|at (?:a|the) high[- ]level,? this usually\b|(?:please )?fill (?:in|out) (?:this|the|all|each)\b"
    r"|all code is expected to have\b|even if applying deprecation policies\b|avoid logs or events for\b"
    r"|focus on external or\b|generally we also wait at least\b"
    r"|longer term, we may want to require automated\b)",
    re.IGNORECASE,
)
# Each of them has one of these.
_OF_INSTRUCTIONS_TEXT = (
    "should / make sure / much detail / best form / graduation criteria / careful / kep.yaml / playbook / "
    "marked with / other possible / your / remove this / generalized"
)
_OF_INSTRUCTIONS = tuple(_OF_INSTRUCTIONS_TEXT.split(" / "))
_INSTRUCTION_HOLDS = regex(
    r"\b(?:(?:reviewers|approvers) should (?:consider|be able to)\b"
    r"|should be (?:tracked in|called out)\b|make sure this is in the\b|go in(?:to| to) as much detail\b"
    r"|best form of an argument\b|graduation criteria (?:must|should) include\b"
    r"|be extremely careful here\b|in kep\.yaml\b|dedicated playbook\b|items marked with\b"
    r"|to (?:highlight and )?record (?:all )?other possible approaches\b"
    r"|(?:of|in|for|to) your (?:kep|enhancement|proposal|rfc|adr)\b|remove this (?:section|note|line)\b"
    r"|generalized examples to consider\b)",
    re.IGNORECASE,
)


def is_boilerplate(section: Section) -> bool:
    """Whether a section is about the publication: acknowledgements, funding, a licence."""
    return names_boilerplate(section.heading) and not sets_rule(section)


def names_boilerplate(heading: str | None) -> bool:
    """Whether sections of this heading are about the publication, if they set no rule."""
    return BOILERPLATE_HEADING.fullmatch(plain_heading(heading)) is not None


def begins_clauses(heading: str | None) -> bool:
    """Whether a heading is of the first clauses of a licence of documentation, which end a book."""
    return _CLAUSES_OF_A_LICENCE.fullmatch(plain_heading(heading)) is not None


def names_gnu_licence(heading: str | None) -> bool:
    """Whether a heading is that of a licence of GNU, whose clauses stand below it."""
    return _GNU_LICENCE.fullmatch(plain_heading(heading)) is not None


def stands_under_calls(candidates: Candidates) -> BoolArray:
    """Which sentences stand where a guide or readme calls its readers to contribute, to cite or to report."""
    calls = {
        number: bool(section.heading) and calls_readers(section)
        for number, section in enumerate(candidates.every_section)
    }
    under = np.array([calls[number] for number in candidates.section.tolist()], bool)
    words = candidates.num_words
    is_about_it = words[under].sum() > _MOST_OF_CALLS * words.sum() or any(
        _ABOUT_CALLS.search(title) for title in {*candidates.titles}
    )
    return np.zeros_like(under) if is_about_it else under


def calls_readers(section: Section) -> bool:
    """Whether a section, or one above it, calls the readers of a guide to help, or tells developers how."""
    headings = [plain_heading(each) for each in section.path.split(PATH_BREAK)]
    texts = [sentence.text for sentence in section.sentences]
    return (
        any(map(_names_calls, headings))
        or (any(map(_MAY_CALL_HEADING.fullmatch, headings)) and any(map(_PLACE_TO_CALL.search, texts)))
        or (any(map(_OF_DEVELOPERS.fullmatch, headings)) and any(map(_TOOLS_OF_DEVELOPERS.search, texts)))
    )


def _names_calls(heading: str) -> bool:
    names = [each for each in _JOINS.split(heading) if each]
    return _CALLS_HEADING.fullmatch(heading) is not None or (
        len(names) > 1
        and any(map(_CALLS_HEADING.fullmatch, names))
        and all(_CALLS_HEADING.fullmatch(each) or _MAY_CALL_HEADING.fullmatch(each) for each in names)
    )


def sets_rule(section: Section) -> bool:
    """Whether a section of licences, disclosure or the like says what the reader must do, or may."""
    return _MAY_BIND.search(section.heading or "") is not None and any(
        _BINDS.search(sentence.text) for sentence in section.sentences
    )


def is_interruption(text: str) -> bool:
    """Whether a line stands between two paragraphs and belongs to neither: "Related: …", "Powered by …"."""
    return _INTERRUPTION.match(text) is not None


def is_cross_reference(text: str) -> bool:
    """Whether a sentence sends the reader elsewhere: "…, see also the guide", "For details see options"."""
    return (
        (" see " in text and _only_says_where(text))
        or ("ee " in text and _sends_elsewhere(text))
        or ("please " in text and _PLEASE_READ.match(text) is not None)
        or (any(map(text.lower().__contains__, _WORDS_OF_A_PLACE)) and _WHERE_IT_IS.match(text) is not None)
    )


def _sends_elsewhere(text: str) -> bool:
    """Whether "see" stands before a place, unless in brackets behind what says what something is."""
    found = _SEE.search(text)
    return found is not None and not (found[0].startswith("(") and says_what(text[: found.start()]))


def _only_says_where(text: str) -> bool:
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


def is_about_publication_or_other_places(text: str) -> bool:
    """Whether a sentence tells where a text was published, or points the reader to another place."""
    # An imprint has a colon, or begins with "received", "accepted" or "published".
    lower = text.lower()
    if (":" in text or text[:1] in "RrAaPp") and _IMPRINT.match(text):
        return True
    if addresses_visitors(text) or (
        any(map(lower.__contains__, _WORDS_OF_PLACES)) and _POINTS_ON_THE_PAGE.search(text)
    ):
        return True
    if "supplementa" in lower and _SUPPLEMENT.match(text):
        return True
    if any(map(text.__contains__, _KEYWORDS)) and _OF_KEYWORDS.match(text) is not None:
        return True
    return any(map(lower.__contains__, _POINTER_WORDS)) and _POINTER.search(lower) is not None


def tells_of_authors(text: str) -> bool:
    """Whether a sentence of a paper says which author did what, who paid, or whom the authors thank."""
    if not any(map(text.lower().__contains__, _WORDS_OF_AUTHORS)):
        return False
    found = _OF_AUTHORS.match(text)
    return found is not None and not is_function_word(found["initials"] or "")


def addresses_visitors(text: str) -> bool:
    """Whether a site says a sentence to its visitors: of its mails, their data, what they may read."""
    lower = text.lower()
    return (
        ("newsletter" in lower and _OF_NEWSLETTER.match(text) is not None)
        or ("cookies" in lower and _OF_COOKIES.search(text) is not None)
        or (text[:1] in "YyRrGg" and _OF_ACCESS.match(text) is not None)
    )


def grants_rights(text: str) -> bool:
    """Whether a sentence is of a licence, a copyright notice or an acknowledgement."""
    contains = text.lower().__contains__
    if any(map(contains, _WORDS_OF_THANKS)) and _THANKS.match(text) is not None:
        return True
    return any(map(contains, _OF_RIGHTS)) and (
        any(map(contains, _RIGHTS)) or (" under the " in text and _RELEASED_UNDER.search(text) is not None)
    )


def instructs_author(text: str) -> bool:
    """Whether a sentence of a proposal is of its template, which tells the author what to write."""
    if _INSTRUCTION_BEGINS.match(text) is not None:
        return True
    return (
        any(map(text.lower().__contains__, _OF_INSTRUCTIONS)) and _INSTRUCTION_HOLDS.search(text) is not None
    )
