"""What may be asked of documents by their kind: the words that ask for it, and what states it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.text.patterns import regex


class Aspect(NamedTuple):
    """One thing that may be asked of a document.

    Attributes:
        asks: The words that ask for it.
        statements: The statements that answer it.
        wording: What the sentences say that answer it, where no statement is known to.
        sections: Headings they stand under; ``None`` for those of the statements.
        is_why: Whether it is the reason of another: "Why did the court rule that way?" asks for no ruling.
        separate: The opinions that say it, where it is what only some of the judges say.
        is_vague: Whether the wording proves little where there is much text.
    """

    asks: re.Pattern[str]
    statements: tuple[Statement, ...]
    wording: re.Pattern[str] | None
    sections: re.Pattern[str] | None
    is_why: bool
    separate: tuple[SectionRole, ...]
    is_vague: bool


def _aspect(
    asks: str,
    *statements: Statement,
    wording: str = "",
    sections: str = "",
    is_why: bool = False,
    separate: tuple[SectionRole, ...] = (),
    is_vague: bool = False,
) -> Aspect:
    return Aspect(
        regex(rf"\b(?:{asks})\b", re.IGNORECASE),
        statements,
        regex(rf"\b(?:{wording})", re.IGNORECASE) if wording else None,
        regex(sections, re.IGNORECASE) if sections else None,
        is_why,
        separate,
        is_vague,
    )


_LIMITS = _aspect(
    r"limit(?:s|ed|ations?)?|weak(?:ness(?:es)?)?(?: points?)?|shortcomings?|caveats?|drawbacks?|flaws?"
    r"|bias(?:es)?|how (?:reliable|sure)|uncertain\w*|problems?|disadvantages?|downsides?",
    wording=r"limit(?:ation|ed (?:by|to))|weakness|shortcoming|caveat|drawback|bias|confound|interpreted with"
    r"|small (?:sample|number)|(?:could|did|was|were|may|might) not|cannot|unable|lack(?:s|ed|ing)? |"
    r"generali[sz]",
    sections=r"limitation|weakness|discussion|conclu|caveat|validity",
)
_FUTURE = _aspect(
    r"future|next|further|follow-?ups?|open (?:questions?|issues?|problems?)|unanswered|remain(?:s|ing)?"
    r"|not know|unknown|unresolved|should be (?:done|studied)|recommend(?:s|ed|ations?)?|suggestions?|plans?",
    wording=r"future|further (?:research|stud|work|investigation|analys|trials?|experiments?)|remain(?:s|ed)?"
    r"(?: to be)?|needs? to be|needed|should (?:be )?(?:stud|investigat|explor|focus|examin|consider)|warrant"
    r"|unclear|unknown|yet to be|it would be|open question|recommend|plan to|next step|not (?:yet|fully)",
    sections=r"future|outlook|open (?:question|issue)|unresolved|discussion|conclu|recommend|next step"
    r"|perspective",
)
_NEWNESS = _aspect(
    r"new|novel(?:ty)?|contributions?|original(?:ity)?|advances?",
    wording=r"novel|first (?:study|report|time|work|paper|demonstrat|to )|new |has (?:never|not) been|unlike"
    r"|contribut|to (?:our|the best of our) knowledge",
    sections=r"introduc|discussion|conclu|abstract|contribution",
)
_GAP = _aspect(
    r"why (?:was|is|did|do)|needed|motivat(?:ion|ed|es)|gap|background|important|importance|problem",
    wording=r"however|little (?:is|was) known|few (?:stud|report)|no (?:stud|report|data|evidence)"
    r"|not (?:been|yet|well)|lack|unclear|unknown|none of|remain|need(?:s|ed)? "
    r"|important|limited|difficult|therefore",
    sections=r"introduc|background|motivation|abstract",
    is_why=True,
)
_EXPLAINS = _aspect(
    r"explain(?:s|ed)?|explanation|why|interpret(?:s|ed|ation)?|mechanisms?|because|account for",
    wording=r"because|due to|explain|explanation|likely|may (?:be|reflect|have)|might|suggest|attribut|thus"
    r"|therefore|reason|possibl[ey]",
    sections=r"discussion",
    is_why=True,
)
# In each kind of document what may be asked.
ASPECTS: Mapping[DocumentKind, tuple[Aspect, ...]] = {
    DocumentKind.DECISION: (
        _aspect(
            r"decisions?|decide[sd]?|deciding|h[eo]ld|holds|holdings?|rul(?:e|es|ed|ing|ings)|outcomes?"
            r"|results?|verdict|judgments?|conclu(?:de|des|ded|sions?)|dispositions?|disposed?"
            r"|resol(?:ve|ves|ved|ution)|wins?|won|winner|los(?:es?|t|er)|prevail(?:s|ed)?|in the end"
            r"|end(?:s|ed)? up|turn(?:s|ed)? out|on top|bottom line|answer(?:s|ed)?|allowed|liable|go on",
            Statement.HOLDING,
            Statement.DISPOSITION,
        ),
        _aspect(
            r"why|reason(?:s|ing|ed)?|rationale|justif(?:y|ies|ied|ication)|grounds?|basis|based|because"
            r"|come to|get to|explain(?:s|ed)?|explanation|logic|analysis"
            r"|how (?:did|does|do) (?:the court|the justices|the judges|it|they)",
            Statement.REASON,
            is_why=True,
        ),
        _aspect(r"questions?|issues?|at stake|asked to|about", Statement.QUESTION),
        _aspect(
            r"facts?|background|happened|events|dispute|story|who (?:is|was|are|were)|parties|su(?:ed?|ing)"
            r"|lawsuit|start(?:ed)?|began|begin|underlying|came? about|before",
            Statement.CASE,
        ),
        _aspect(
            r"lower|below|courts? of appeals?|appeals? courts?|appellate|circuit|district|trial court"
            r"|procedural|history|state (?:supreme )?court",
            Statement.RULING,
        ),
        _aspect(
            r"argu(?:e[sd]?|ments?|ing)|contend(?:s|ed)?|claim(?:s|ed)?|contentions?|positions?"
            r"|(?:company|petitioner|respondent|government|state|plaintiff|defendant)['’]s (?:case|view)",
            wording=r"argu(?:es?|ed|ing|ment)|contend|claim|maintain|insist|assert|urge|according to"
            r"|in (?:his|her|its|their) view|points? (?:out|to)",
        ),
        _aspect(r"dissent\w*|disagree[sd]?|minority", separate=(SectionRole.DISSENT,)),
        _aspect(r"concur\w*", separate=(SectionRole.CONCURRENCE,)),
        _aspect(
            r"(?:writes?|wrote|writing) separately|separate opinions?",
            separate=(SectionRole.DISSENT, SectionRole.CONCURRENCE),
        ),
    ),
    DocumentKind.PAPER: (
        _aspect(
            r"results?|find(?:s|ings?)?|found|outcomes?|discover(?:s|ed|y|ies)?|shown?|learn(?:ed|t)?"
            r"|evidence|effects?|observ(?:ed|ations?)|came out|works?|help(?:s|ed)?|good|compared",
            Statement.RESULT,
            Statement.FIGURES,
            Statement.CONCLUSION,
        ),
        _aspect(
            r"conclu(?:de|des|ded|sions?)|take-?aways?|take-home|implications?|bottom line|so what"
            r"|mean(?:s|ing)?|matters?|upshot|lessons?|applications?|used for|practice|practical",
            Statement.CONCLUSION,
        ),
        _aspect(
            r"methods?|methodology|how|approach|design(?:ed)?|procedures?|techniques?"
            r"|conducted|carried out|set-?up|experiments?|tests|tested",
            Statement.METHOD,
            Statement.SAMPLE,
        ),
        _aspect(
            r"participants?|subjects|samples?|took part|takes? part|cohorts?|patients|population|groups"
            r"|who (?:was|were)|recruited",
            Statement.SAMPLE,
        ),
        _aspect(
            r"aims?|purposes?|objectives?|goals?|research questions?|hypothes[ie]s|about|cover(?:s|ed)?"
            r"|trying to|wanted? to|investigat(?:e|es|ed|ion)|set out to|why (?:did|do|was)",
            Statement.AIM,
        ),
        _NEWNESS,
        _GAP,
        _LIMITS,
        _FUTURE,
        _EXPLAINS,
    ),
    DocumentKind.PROPOSAL: (
        _aspect(
            r"problems?|motivat(?:ion|ed|es)|why|need(?:ed|s)?|purpose|background|pain|wrong|reasons?|bad|point",
            Statement.PROBLEM,
            sections=r"motivation|problem|background|rationale|why|current|context|introduction",
            is_why=True,
        ),
        _aspect(
            r"propos(?:al|als|e|es|ed)|solutions?|solves?|chang(?:e|es|ed|ing)|add(?:s|ed)?|new|works?"
            r"|about|introduces?|goals?|ideas?|design|specif(?:y|ies|ication)|what will be done",
            Statement.PROPOSAL,
        ),
        _aspect(
            r"compatib(?:le|ility)|breaks?|breaking|impact|consequences?|effects?|affect(?:s|ed)?"
            r"|upgrade|migrat(?:e|ion)|existing|old|users?|kept working",
            Statement.CONSEQUENCE,
            sections=r"compatib|impact|migrat|transition|upgrade",
        ),
        _aspect(
            r"drawbacks?|downsides?|disadvantages?|cons|against|objections?|criticis(?:e|ed|ms?)|risks?|costs?"
            r"|limit(?:s|ations?)|not to|shortcomings?",
            wording=r"drawback|downside|risk|cost|however|but |concern|objection|confus|complex|harder|break"
            r"|problem|not (?:be )?(?:able|possible)",
            sections=r"drawback|disadvantage|downside|risk|limitation|concern|objection|\bcons\b|caveat|trade",
        ),
        _aspect(
            r"benefits?|advantages?|pros|arguments for|good",
            Statement.CONSEQUENCE,
            sections=r"benefit|advantage|motivat|rationale|\bpros\b",
        ),
        _aspect(
            r"alternatives?|other (?:ways|options|designs|approaches|ideas)|rejected|dropped|considered"
            r"|discussed|looked at|why not",
            wording=r"alternative|instead|rejected|considered|another|could have|would (?:have|be)"
            r"|option|prior",
            sections=r"alternativ|reject|considered|options|prior art|discussion|not done",
        ),
        _aspect(
            r"securit[yi]\w*|vulnerab\w+|attacks?|threats?",
            wording=r"secur|attack|malicious|vulnerab|threat|exploit|trust|abuse",
            sections=r"securit|risk|threat",
        ),
        _aspect(
            r"goals?|non-goals?|scope|left out",
            wording=r"goal|aim|scope|out of scope|not (?:a )?goal",
            sections=r"\bgoals?\b|non-?goals|scope",
        ),
        _aspect(r"rationale|design decisions?", sections=r"rationale|design"),
        _aspect(
            r"rollout|roll-out|timeline|plans?|when|schedule|transition",
            sections=r"rollout|roll-out|timeline|plan|schedule|transition|graduation|upgrade|implementation",
        ),
    ),
}
# What may be asked of any document, and is not said in so many words: who asks what went wrong is told of
# faults and failures, who asks for duties of what must be done.
OF_ANY: tuple[Aspect, ...] = (
    _aspect(
        r"(?:root )?causes?|caused|causing|why|reasons?|because|blamed?|to blame|fault|accountable"
        r"|responsible|come about|came about|led to",
        wording=r"because|(?:is|was|were|been) caused|caus(?:e|es|ed|ing)\b|due to|owing to|reason|led to"
        r"|as a result of|accus\w+|blam\w+|(?:at )?fault|attribut\w+|responsible|thanks to",
        sections=r"\bcauses?\b|reason|\bwhy\b",
        is_vague=True,
        is_why=True,
    ),
    _aspect(
        r"problems?|(?:go|goes|going|gone|went) (?:wrong|badly)|wrong|badly|fail(?:s|ed|ures?)?|faults?|bad"
        r"|issues?|errors?|trouble|risks?|dangers?|concerns?",
        wording=r"problem|fail(?:s|ed|ing|ure)?\b|wrong|faults?\b|errors?\b|br[eo]ken?\b|breaks\b|badly"
        r"|never|nobody|without|cannot|could not|did not|does not|do not|not (?:been|yet|work)|no (?:record"
        r"|longer)|unable|lack(?:s|ed|ing)?\b|los[te]\b|risk|delay|late\b|miss(?:ed|ing)\b|expired|hangs?\b"
        r"|crash|slow(?:er|ly)?\b|ran out|complain|concern|drawback|limit(?:ed|ation|s)?\b|danger|harm",
        sections=r"problem|wrong|badly|issue|finding|risk|trouble|concern",
        is_vague=True,
    ),
    _aspect(
        r"recommend(?:s|ed|ations?)?|suggest(?:s|ed|ions?)?|advi[cs]e|tips?|lessons?(?: learn(?:ed|t))?"
        r"|prevent|avoid|improve(?:ments?)?|should (?:\w+ )?(?:do|be done|change|happen)|to be done"
        r"|can (?:i|we|you|one) do|help",
        wording=r"should|ought|recommend|suggest|advis|must|need(?:s|ed)? to|make sure|ensure|consider"
        r"|if you want|it is best|better to|avoid|try\b",
        sections=r"recommend|advice|lesson|action|next step|improve|remed|prevent|follow-?up|what to do",
        is_vague=True,
    ),
    _aspect(
        r"next|future|plans?|planned|upcoming|outlook|from here|follow-?ups?|expected",
        wording=r"will|expect(?:s|ed)?\b|plan(?:s|ned)?\b|intend|is to\b|are to\b|due (?:to|on|in)\b"
        r"|scheduled|next (?:\w+ )?(?:step|week|month|year|meeting)|tomorrow|as soon as"
        r"|in (?:the )?future|yet to",
        sections=r"\bnext\b|future|outlook|plans?\b|roadmap|action",
        is_vague=True,
    ),
    _aspect(
        r"decisions?|decide[sd]?|deciding|agree(?:s|d|ments?)?|resol(?:ved|utions?)|settled|outcomes?|chosen",
        wording=r"decided|decides|decision|agreed|resolved|approved|adopted|voted|settled|chose(?:n)?\b|carried"
        r"|accept(?:s|ed)\b|reject(?:s|ed)\b|we will\b|is to be\b",
        sections=r"decision|decided|resolution|outcome|agreed",
        is_vague=True,
    ),
    _aspect(
        r"action(?:s| items?| points?)|to-?dos?|tasks?|next steps?|assignments?"
        r"|(?:have|has|need|needs|am|are|is|want) (?:\w+ )?to do|(?:do|does|doing) what|(?:do|done) by whom"
        r"|who (?:does|will|should|must)",
        wording=r"must|should|ha(?:s|ve) to|need(?:s|ed)? to|please|(?:could|can|would) you|I will|I['’]ll"
        r"|(?-i:[A-Z])[\w-]+ (?:will|to|has to)\b|is to\b|are to\b|let['’]s|make sure|remember to",
        sections=r"action|to-?do|task|next step|follow-?up",
        is_vague=True,
    ),
    _aspect(
        r"open|unanswered|unresolved|undecided|unclear|unknown|not (?:yet )?(?:known|clear|decided"
        r"|settled|resolved)|pending|outstanding|remain(?:s|ing)?|missing",
        wording=r"not (?:yet )?(?:\w+ )?(?:settled|decided|resolved|known|know|clear|agreed|approved)"
        r"|no decision|open (?:question|issue|point)|unclear|unknown|unresolved|undecided|whether|remain"
        r"|missing|pending|deferred|postponed|to be (?:decided|confirmed)|not know",
        sections=r"\bopen\b|unresolved|unanswered|pending|outstanding",
    ),
    _aspect(
        r"obligations?|oblig(?:ed|atory)|dut(?:y|ies)|commitments?|responsibilit(?:y|ies)|must|rules?"
        r"|require(?:s|d|ments?)?|conditions?|prerequisites?|mandatory|need(?:ed|s)?|have to",
        wording=r"shall(?! not)|must(?! not)|ha(?:s|ve) to\b|(?:is|are|be) (?:required|obliged|responsible"
        r"|payable|liable)|requires?\b|need(?:s|ed)?\b|oblig|only (?:if|when|with)|at least",
        sections=r"obligation|dut(?:y|ies)|requirement|prerequisite|responsibilit|conditions",
    ),
    _aspect(
        r"(?:not|n['’]t) (?:be )?(?:allowed|permitted)|forbidden|prohibit(?:s|ed|ions?)|ban(?:s|ned)?"
        r"|restrict(?:ed|ions?)|exceptions?|exclu(?:ded|sions?)|(?:may|must|can|should) ?not|can['’]t"
        r"|disallowed",
        wording=r"(?:must|may|shall|should) (?:\w+ )?not|cannot|can['’]t"
        r"|not (?:be )?(?:allowed|permitted|accept)|prohibit|forbid|bans?\b|banned|exclu(?:ded|sion)"
        r"|refuse|unless|except|restrict",
        sections=r"not allowed|prohibit|forbidden|restrict|exception|exclusion",
    ),
    _aspect(
        r"deadlines?|due(?: dates?)?|time limits?|(?:notice )?periods?|time ?frames?|dates?|schedule|by when",
        wording=r"within (?:\w+ ){1,3}(?:days?|weeks?|months?|years?|hours?)|no later than|until \w+|deadline"
        r"|due\b|(?:by|before|on|from|until) (?:the )?(?:end of|(?-i:\d{1,2} [A-Z]|[A-Z][a-z]+ \d))"
        r"|\d+ (?:\w+ )?(?:days|weeks|months|hours)\b|(?:days|weeks|months)['’] notice|expires?\b",
        sections=r"deadline|schedule|timeline|important dates|due",
    ),
    _aspect(
        r"consequences?|impacts?|effects?|affect(?:s|ed)?|damages?|harm(?:ed)?",
        wording=r"los[te]\b|cost|could (?:not|no longer)|nobody could|damage|injur|affect|led to|as a result"
        r"|resulted in|suspend|closed|cancel|withdraw|worth|died|killed|therefore|so that",
        sections=r"consequence|impact|effect|damage",
        is_vague=True,
    ),
)
# What such requests say besides, without naming a subject.
OF_THE_DOCUMENT: Mapping[DocumentKind, re.Pattern[str]] = {
    DocumentKind.DECISION: regex(
        r"\b(?:supreme|courts?|cases?|justices?|judges?|opinions?|majority|legal|law|laws|part(?:y|ies)"
        r"|petitioners?|respondents?|defendants?|plaintiffs?|appellants?|appellees?|government|sides?|favou?r"
        r"|main|key|final|way|reach(?:ed)?|come|came|next|happens?|actually|simply|point|given|get|its|now"
        r"|sentences?|one|two|says?|said|tells?|told)\b",
        re.IGNORECASE,
    ),
    DocumentKind.PAPER: regex(
        r"\b(?:paper|study|studies|articles?|authors?|research(?:ers)?|work|scientists?|team|main|key|major"
        r"|most|important|principal|overall|report(?:ed)?|data|finally|actually|primary|review|short|points?"
        r"|message|lab|people|principle|run|take|happen(?:s|ed)?|still)\b",
        re.IGNORECASE,
    ),
    DocumentKind.NOTES: regex(
        r"\b(?:releases?|versions?|changes?|changed|notes?|main|key|major|important|most|things?|list|users?"
        r"|actually|exactly|mentioned)\b",
        re.IGNORECASE,
    ),
    DocumentKind.PROPOSAL: regex(
        r"\b(?:pep|kep|eip|erc|rfc|nep|mip|jep|documents?|enhancement|authors?|feature|main|key|actually"
        r"|exactly|things?|people|developers?|current(?:ly)?|state|moment|today|short|summary|nutshell|statement"
        r"|considerations?|concerns?|arguments?|reasons?|words|plain|code|programs?|way)\b",
        re.IGNORECASE,
    ),
}
