"""What the sentences of a document state, by the kind of document, and what a summary must state.

A reader expects of a decision its holding and its disposition; of a paper its aim, method,
result and conclusion; of a proposal the problem, what is proposed and what follows from it. Each of these
is recognised by its wording and by the section it stands in (Teufel and Moens 2002 call this argumentative
zoning). Selection takes the best sentence of each first, and then what else the document says.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.gist import DEADLINE, QUESTION, WORDS_OF_A_DEADLINE, held_first
from lsum_cli.methods.extract.kinds import (
    DocumentKind,
    is_heading_of_form,
    plain_heading,
    section_path,
)
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

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


class Statement(enum.StrEnum):
    """What a sentence does in its document."""

    HOLDING = "holding"
    DISPOSITION = "disposition"
    QUESTION = "question"
    RULING = "ruling"
    REASON = "reason"
    CASE = "case"
    AIM = "aim"
    METHOD = "method"
    RESULT = "result"
    FIGURES = "figures"
    SAMPLE = "sample"
    CONCLUSION = "conclusion"
    PROBLEM = "problem"
    PROPOSAL = "proposal"
    CONSEQUENCE = "consequence"
    DEADLINE = "deadline"


@dataclass(frozen=True, kw_only=True)
class Sign:
    """How a statement is recognised; a sentence with the wording in such a section shows it most clearly.

    Attributes:
        wording: What the sentence says.
        sections: Headings it stands under; ``None`` where any will do.
        needs_section: Whether the wording proves nothing elsewhere.
        vague: Wording that shows it less clearly, and only in such a section.
        plain: Wording that shows it clearly in any section.
        unless: Wording that shows that it is something else, or makes the statement vaguely.
        words: What the wording has at least one of, looked for before it; empty where that is not known.
    """

    wording: re.Pattern[str]
    sections: re.Pattern[str] | None = None
    needs_section: bool = False
    vague: re.Pattern[str] | None = None
    plain: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    words: tuple[str, ...] = ()


def _wording(text: str) -> re.Pattern[str]:
    """A pattern for lower-cased text after a space, to be tried only where a word may begin: that is fast."""
    return regex(rf"\W(?:{text})")


def _heading(text: str) -> re.Pattern[str]:
    return regex(text, re.IGNORECASE)


_SELF = (
    r"(?:this|the present|the current|our|the) (?:paper|study|article|work|review|report|research"
    r"|investigation|analysis|trial|survey|project)"
)
_WE = r"\b(?:we|i|the authors?)(?: \w+ly)?(?: have| had| also| here| then| first| now| will)*"
_A_FEW_WORDS = r"(?:[\w–-]+ ){0,3}"
_SAMPLE = (
    r"(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty(?:[- ]\w+)?"
    rf"|thirty(?:[- ]\w+)?|forty(?:[- ]\w+)?|fifty(?:[- ]\w+)?)[- ]{_A_FEW_WORDS}(?:patients|participants"
    r"|subjects|children|women|men|adults|students|cases|individuals|households|farmers|respondents|people"
    r"|persons|mice|rats|animals|chicks|broilers|pigs|cows|sheep|dogs|samples|specimens|isolates|strains"
    r"|lines|cultivars|varieties|accessions|genotypes|genomes|species|trials|studies|articles|papers"
    r"|interviews|villages|schools|hospitals|families|volunteers|eyes|tumou?rs|data ?sets|records)"
)
_STUDIED = (
    r"(?:collect|enrol|recruit|includ|select|obtain|stud(?:y|ied)|analy[sz]|examin|investigat|consist|compris"
    r"|interview|survey|sequenc|random|retriev|carried out)\w*"
)
_THIS_PROPOSAL = (
    r"\b(?:this|the) (?:proposal|pep|eip|erc|kep|rfc|bip|jep|tip|sip|adr|document|specification|spec"
    r"|enhancement|feature|change|standard|plan|design|policy|module|extension|api|proposed \w+)"
    r"(?! (?:does|do|did|is|will|would|should|must|can) ?not\b)"
)

# How a case came before the court: it says less than the question, and no more where that is told.
CERTIORARI = _wording(
    r"(?:granted|grant of|petitioned for|sought|petition for|by|of) (?:a )?(?:writ of )?certiorari\b"
    r"|noted probable jurisdiction\b|we granted (?:review|the petition)\b"
)
_PARTY = r"(?:petitioner|respondent|appellant|appellee|plaintiff|defendant|claimant|applicant|debtor)s?"

# The courts whose judgments are reviewed, and what they do.
_COURT_REVIEWED = (
    r"courts? of appeals?(?: for [\w ]{3,40})?|\w+ circuit|appellate (?:court|division)|\w+ supreme court"
    r"|supreme (?:judicial )?court of \w+|state (?:high|supreme) court|upper tribunal"
)
_COURT_BELOW = (
    r"(?:state|superior|trial|district|high|bankruptcy|tax|county|crown|lower|family) court|magistrate judge"
    r"|(?:deputy |trial )?judge|tribunal|board|panel|commission|arbitrators?|division|magistrate|jury|circuit"
    r"|the court"
)
_RULED = (
    r"affirmed|reversed|vacated|remanded|denied|granted|dismissed|rejected|agreed|disagreed|held|concluded"
    r"|ruled|found|convicted|sentenced|upheld|enjoined|awarded|allowed|refused|quashed|set aside|struck down"
    r"|invalidated|declined|approved|overturned|entered (?:summary )?judgment"
)

# In the order in which a summary that is too short for all takes them.
SIGNS: Mapping[DocumentKind, Mapping[Statement, Sign]] = {
    DocumentKind.DECISION: {
        Statement.HOLDING: Sign(
            wording=_wording(
                r"\bwe (?:\w+ly |now |thus |therefore |also |further )*hold\b"
                r"|(?<=^ )held\b|\bour holding\b"
                r"|\bwe (?:\w+ly |now |thus |therefore )*conclude(?: that\b|,)"
                r"|\bthe court (?:therefore |thus |now )?(?:holds|concludes)\b"
                r"|\bin my (?:judgment|view|opinion),? "
                r"|\bi (?:\w+ly |therefore |would )*(?:hold|conclude) that\b"
            ),
            vague=_wording(r"we (?:reject|decline to|find that|agree with|disagree with)\b"),
        ),
        Statement.DISPOSITION: Sign(
            wording=_wording(
                r"\bwe (?:\w+ly |now |thus |therefore |hereby |(?:dis)?agree(?: with [^.;]{3,60})? and )*"
                r"(?:affirm|reverse|vacate|remand|dismiss)\b(?! that)"
                r"|\b(?:judgments?|decisions?|orders?|convictions?|sentences?"
                r"|rulings?|awards?|determinations?|decrees?|verdicts?"
                r"|findings?)\b(?:[^.;]|(?<= \w|no)\.){0,160}\b(?:is|are|must(?: \w+)? be) (?:\* )?"
                r"(?:therefore |accordingly |hereby )?(?:affirmed|reversed|vacated|set aside)\b"
                r"|\b(?:writ|petition|appeal|motion|application)s?\b[^.;]{0,60}\b"
                r"(?:is|are|should be|must be) (?:\w+ )?(?:dismissed|granted|denied|allowed|refused)\b"
                r"|\bi would (?:\w+ )?(?:allow|dismiss|refuse) (?:(?:the|this|these|both|each) )?"
                r"(?:cross-)?appeals?\b"
                r"|\b(?:case|cases|cause) (?:is|are) remanded\b"
            ),
            # What the print has torn apart: "the judgment of the Court of … reversed."
            vague=_wording(
                r"\bjudgments? of\b[^.;]{0,160}\b(?:affirmed|reversed|vacated)(?: and remanded)?\.$"
            ),
        ),
        # Which question the court took, and that it took it, is said once.
        Statement.QUESTION: Sign(wording=QUESTION, unless=CERTIORARI, vague=CERTIORARI),
        # How the court below ruled.
        Statement.RULING: Sign(
            wording=_wording(rf"\b(?:{_COURT_REVIEWED})\b[^.;]{{0,60}}\b(?:{_RULED})\b"),
            vague=_wording(rf"\b(?:{_COURT_BELOW})\b[^.;]{{0,60}}\b(?:{_RULED})\b"),
            unless=_wording(
                r"\b(?:we|this court) (?:\w+ )?(?:have|has|had|held|hold|concluded?|reversed?)\b"
            ),
        ),
        Statement.REASON: Sign(
            wording=_wording(
                r"\b(?:text|language|wording|structure|context|history|purposes?|words?|term|phrase"
                r"|definition|provisions?|statutes?|sections?|subsections?|clauses?|amendments?|rules?"
                r"|act|constitution|precedents?|cases|decisions?|congress|legislature|parliament"
                r"|§+ ?\d[^ ]*)\b[^.;]{0,50}\b(?:makes? (?:it )?clear|made (?:it )?clear|indicates?|suggests?"
                r"|confirms?|supports?|forecloses?|precludes?|requires?|does not|do not|did not|cannot"
                r"|says nothing|contains? no|refutes?|reveals?|intended|protects?|controls?|governs?|bars?)\b"
                r"|\bnothing in\b"
                r"|\bno (?:clear )?(?:indication|reason|evidence|basis|support|sign)\b"
                r"|\bwould (?:\w+ly )?(?:undermine|frustrate|defeat|render|require|produce|create|invite|mean"
                r"|lead|permit|make"
                r"|be (?:inconsistent|contrary|odd|strange|anomalous)"
                r"|allow|deprive|conflict|upset|thwart|bring|add|delay|burden)\b"
                r"|\b(?:in)?consistent with\b|\bincompatible with\b|\bcontrary to\b|\bconflicts? with\b"
                r"|\bfollows (?:\w+ )?from\b"
                r"|\bis (?:controlled|governed|foreclosed|resolved) by\b"
                r"|\b(?:misread(?:s|ing)?|misconceive\w*|inapplicable|inapposite|erred)\b"
                r"|\b(?:conclusion|reading|interpretation|result|approach|view)\b[^.;]{0,30}\b"
                r"(?:supported|reinforced|confirmed|compelled|required|bolstered|buttress\w*|consistent)\b"
                r"|\bit is (?:\w+ )?(?:clear|plain|evident|enough|sufficient)\b"
                r"|\bmakes clear\b|(?<=^ )because\b|(?<=^ )since\b|(?<=^ )given\b|(?<=^ )unlike\b"
                r"|\bwe (?:\w+ly |now |thus |therefore |also |further )*"
                r"(?:think|agree|disagree|believe|reject|find|see|do not|are not|cannot|decline)\b"
                r"|\bin our view\b"
            ),
            # What was decided before, what a party says, what the law says, what is asked.
            unless=_wording(
                r"\b(?:this court|the court|the (?:[\w.]+ )?(?:circuit|panel)|circuits|courts? of appeals?"
                r"|(?:district|trial|state|federal|lower|bankruptcy|supreme|appellate) court(?: of \w+)?"
                r"|jury)\b[^.;,]{0,30}\b(?:has|have|had|held|observed|noted|thought|stated|explained"
                r"|recognized|concluded|rejected|reversed|affirmed|granted|denied|dismissed|ruled|found"
                r"|determined|acknowledged|adopted|vacated|agreed|reasoned|said)\b"
                r"|\bwe (?:have|had) \w+"
                r"|\b(?:contend|argue|assert|maintain|insist|urge|respond|claim)(?:s|ed|ing)?\b"
                r"|\baccording to\b"
                r"|\b(?:granted|sought|grant of) (?:a writ of )?certiorari\b"
                r"|\b(?:provides?|states?) that\b|[“\"][^”\"]{60,}[”\"]|\?|(?<=^ )(?:—|\* )"
                r"|\bthe (?:question|issue|parties|difficulty)\b"
                r"|(?<=^ )for example\b"
                r"|\barguments?\b.*\b"
                r"(?:unpersuasive|unavailing|without merit|misplaced|fails?|unconvincing)\b"
            ),
        ),
        # Who the parties are and what happened to them.
        Statement.CASE: Sign(
            wording=_wording(
                rf"{_PARTY}\b[^;]{{0,90}}\b(?:sued|alleg(?:ed|es?|ing)|claim(?:ed|s?|ing)|charged|convicted"
                r"|indicted|pleaded|petitioned|sought|challenge[sd]?|moved (?:to|for)|appealed|applied|was"
                r"|were|faced|faces|filed|brought|attempted|refused|entered|received|reached|lost|died)\b"
                r"|\b(?:charged|sued|convicted|indicted|fined|fired|dismissed|arrested|apprehended|sentenced"
                rf"|against|arresting) {_PARTY}\b"
            ),
        ),
    },
    DocumentKind.PAPER: {
        Statement.CONCLUSION: Sign(
            wording=_wording(
                r"\bin (?:conclusion|summary)\b|\bwe conclude\b"
                r"|\b(?:to summari[sz]e|to conclude|taken together|overall),"
                r"|\b(?:our|these|the|this) (?:\w+ )?(?:results?|findings?|stud(?:y|ies)|data|work"
                r"|analys[ei]s|evidence)(?: of this study)? (?:\w+ly )?(?:suggest|show|indicate|demonstrate"
                r"|support|confirm|highlight|reveal|provide|imply|underscore|point)"
                r"|\b(?:it can be concluded|we believe that"
                r"|we have (?:shown|demonstrated|presented|developed|identified))\b"
            ),
            sections=_heading(r"conclu|summary|discussion|outlook|implication|abstract"),
        ),
        Statement.AIM: Sign(
            wording=_wording(
                r"\b(?:aim|goal|purpose|objective|intention)s?\b.{0,40}\b(?:is|was|are|were|to)\b"
                rf"|{_WE} (?:aim|propose|present|introduce|investigate|examine|study|studied|explore|address"
                r"|describe|develop|evaluate|assess|report|analy[sz]e|compare|determine|sought|test|focus|ask"
                r"|hypothesi[sz]e|review|wanted|set out|intend|attempt)"
                rf"|{_SELF} (?:\w+ly )?(?:aim|propose|present|introduce|investigat|examin|explor|address"
                r"|describ|develop|evaluat|assess|report|analy[sz]|compar|determin|sought|tested|focus|review"
                r"|was (?:designed|undertaken|conducted|carried out|performed|aimed))"
                rf"|\bin {_SELF},? (?:we|i|the authors?)\b"
            ),
            sections=_heading(r"introduc|background|abstract|aim|objective|purpose|motivation|overview"),
        ),
        # A result in figures, and how many were studied.
        Statement.FIGURES: Sign(
            wording=_wording(
                r"[<>=]? ?\d+(?:[.,]\d+)? ?(?:%|percent\b|[- ]?fold\b|times\b)|p ?[<=>≤] ?0?\.\d"
                r"|\d+(?:\.\d+)? (?:±|vs\.?|versus) ?\d|(?:or|rr|hr|aor|ci|auc|r|r2|r²) ?[=:] ?[-−]?\d"
                rf"|\d[\d,]* {_A_FEW_WORDS}(?:genes|proteins|transcripts|unigenes|loci|qtls?|degs|snps"
                r"|metabolites|species|compounds|mutations|variants|peptides|clusters|markers)\b"
            ),
            sections=_heading(r"result|finding|experiment|evaluation|outcome|abstract|discussion|conclu"),
            needs_section=True,
            unless=_wording(r"et al\b|previous(?:ly)?\b|reported (?:by|in|that)\b|alpha of\b|power of\b"),
        ),
        Statement.SAMPLE: Sign(
            wording=_wording(
                rf"{_STUDIED}\b.{{0,40}}\W{_SAMPLE}\b"
                rf"|{_SAMPLE}\b.{{0,60}}\b(?:were|was|have been|are) (?:\w+ )?{_STUDIED}"
            ),
            sections=_heading(
                r"method|material|participant|patient|subject|data|setting|sampl|population|abstract|animals"
                r"|design"
            ),
            needs_section=True,
            unless=_wording(
                r"et al\b|previous(?:ly)? (?:study|studies|reported)\b|sample size (?:of|was|for|is)\b"
            ),
        ),
        Statement.RESULT: Sign(
            wording=_wording(
                rf"{_WE} (?:found|find|observed?|identified|detected|showed?|demonstrated?|obtained"
                r"|discovered|noted?)\b"
                r"|\b(?:results?|findings|data|analys[ei]s|experiments?|comparisons?|tests?) (?:\w+ ){0,2}"
                r"(?:show|suggest|indicat|reveal|demonstrat|confirm)"
                r"|\bsignificant(?:ly)?\b"
                r"|\b(?:higher|lower|greater|fewer|less|more|better|faster|larger|smaller) than\b"
                r"|\boutperform"
                r"|\b(?:increased|decreased|reduced|improved|achieved|correlated|associated)\b"
                r"|\d+(?:\.\d+)? ?%"
            ),
            sections=_heading(
                r"result|finding|experiment|evaluation|observation|outcome|abstract|discussion|analysis"
            ),
        ),
        Statement.METHOD: Sign(
            wording=_wording(
                rf"{_WE} (?:used?|appl(?:y|ied)|collected|perform(?:ed)?|measured|conduct(?:ed)?|recruited"
                r"|sampled|employ|trained|fitted|compute|interviewed|searched|extracted|random|combined?"
                r"|analy[sz]ed|included|enrolled|compared|developed|built|constructed|simulated?|sequenced"
                r"|treated|tested|assessed|evaluated)"
                r"|\b(?:was|were) (?:\w+ly )?(?:used|performed|measured|collected|analy[sz]ed|conducted"
                r"|carried out|recruited|enrolled|random\w+|assigned|included|sampled|interviewed|calculated"
                r"|tested|treated|assessed|evaluated|obtained|selected|divided|extracted|sequenced|identified"
                r"|compared|determined|grown|examined|retrieved)\b"
                r"|\b(?:using|based on|by means of|consist(?:s|ed) of)\b"
            ),
            sections=_heading(
                r"method|material|procedure|design|participant|patient|subject|data|setting|model"
                r"|approach|abstract"
                r"|experiment|implementation|architecture"
            ),
        ),
    },
    DocumentKind.PROPOSAL: {
        Statement.PROPOSAL: Sign(
            wording=_wording(
                rf"{_THIS_PROPOSAL}\b.{{0,40}}\b(?:propos|introduc|adds?\b|describ|defin|specif|allow|aims?\b"
                r"|provid|extend|standardi[sz]|suggest|recommend|enabl|is to|seeks|outlines|attempts|changes"
                r"|removes|replaces|intends)"
                rf"|{_WE} (?:propose|suggest|should|add|introduce|plan|recommend|intend|would like)"
                r"|\b(?:is|are) (?:hereby )?proposed\b"
                r"|\bproposed (?:solution|change|design|approach|api|syntax)\b"
                r"|\bthe (?:proposal|solution|idea|goal|aim|purpose|objective) (?:of .{3,40} )?(?:is|are)\b"
            ),
            plain=_wording(
                rf"{_THIS_PROPOSAL} (?:therefore |also |thus )?(?:propos|introduc|aims? to|seeks to|adds?\b"
                r"|describes (?:a|an|how|the addition)|defines|specifies|standardi[sz]es|suggests|recommends"
                r"|is to\b|is a proposal|outlines)"
                r"|\bwe propose (?:to|a|an|adding|that|the)\b"
            ),
            vague=_wording(r"\b(?:introduce|add|provide|define|allow|support|extend|enable|implement)s?\b"),
            sections=_heading(
                r"propos|summary|abstract|solution|specification|overview|introduction|design|goals?$"
                r"|decision|what"
            ),
        ),
        Statement.PROBLEM: Sign(
            wording=_wording(
                r"\b(?:currently|today|at present|as of now|at the moment|existing|problems?|issues?|lacks?"
                r"|lacking|cannot|can't|no way|not possible|impossible|difficult|hard to|limitations?|limited"
                r"|unfortunately|there is no|does not|do not|doesn't|don't|need(?:s|ed)?|inconsistent|confus"
                r"|inefficient|error-prone|missing|only)\b"
            ),
            sections=_heading(
                r"motivation|problem|background|abstract|introduction|rationale|why|current|context|summary"
            ),
            needs_section=True,
        ),
        Statement.CONSEQUENCE: Sign(
            wording=_wording(
                r"\b(?:backwards?[- ]compatib|compatible|as a result|consequen|impact|drawback|benefit"
                r"|advantage|trade-?off|risk|breaks?\b|breaking"
                r"|will (?:be able|allow|make|need|have|no longer|not)"
                r"|would (?:allow|make|be|need|have|break)"
                r"|makes it|allows|enables|improves|reduces|simplif"
                r"|existing (?:code|users|clients|contracts|applications))"
            ),
            sections=_heading(
                r"compatib|consequen|impact|drawback|risk|rationale|benefit|implication|security|cost"
                r"|trade|conclu|effect|result"
                r"|transition|migration|upgrade|discussion"
            ),
            needs_section=True,
        ),
    },
    # A notice of a public body; of other documents nothing must be stated.
    DocumentKind.OTHER: {Statement.DEADLINE: Sign(wording=DEADLINE, words=WORDS_OF_A_DEADLINE)},
}

# What others say and the document may go on to refute; such a sentence speaks for them, not for it.
_OTHERS = _wording(
    r"it (?:was|is|has been|had been) (?:\w+ly |long |often |also )*(?:concluded|argued|believed|thought"
    r"|suggested|assumed|claimed|considered|accepted|reported|supposed|postulated|hypothesi[sz]ed|speculated"
    r"|proposed)\b"
    r"|\b(?:others|some|many|several|most|other|previous|earlier|prior|recent|critics|opponents|proponents"
    r"|numerous|past)(?: (?:\w+ ){0,2}(?:authors?|researchers|scholars|studies|work|reports|investigators"
    r"|experts|analysts|people|commentators|observers|papers|articles))?(?: have| has| had)?(?: \w+ly)? "
    r"(?:concluded?|argued?|believed?|suggest(?:ed)?|claim(?:ed)?|assumed?|maintain(?:ed)?|contend(?:ed)?"
    r"|asserted|proposed|shown|show|reported|demonstrated|found)\b"
    r"|\bet al\.?,?(?: [(\[][^)\]]*[)\]])? (?:have |has |had |also )*(?:concluded?|argued?|suggest\w*"
    r"|claim\w*|report\w*|found|show\w*|propos\w*|demonstrat\w*|describ\w*|observ\w*|stat\w*|investigat\w*"
    r"|stud\w*|develop\w*|examin\w*|evaluat\w*)"
    r"|\bno (?:other |further |published |previous )?(?:references?"
    r"|stud(?:y|ies)|reports?|data|information|literature"
    r"|evidence) (?:is|are|was|were|has been|have been|exists?) (?:available|found|published|reported)\b"
    r"|\bhas long been\b"
    r"|\bcontrary to (?:popular|the|common|previous)\b"
    r"|\bconventional wisdom\b"
)
_PARTIES = regex(
    r"^(?:petitioners?|respondents?|appell\w+|plaintiffs?|defendants?"
    r"|the (?:government|state|united states|dissent\w*|plaintiffs?|defendants?|petitioners?|respondents?"
    r"|appell\w+|commonwealth|concurr\w+|majority|principal dissent)"
    r"|justice \w+"
    r"|(?:mr|mrs|ms|miss|sir|dame) [A-Z][\w’'-]+(?: [QK]C)?,?"
    r"|[A-Z]\w+(?:’s|'s)? (?:argument|contention|position|claim|theory|view))\b[^.;]{0,60}?\b(?:argu\w*"
    r"|contend\w*|claim\w*|assert\w*|suggest\w*|maintain\w*|insist\w*|submit\w*|urg\w+|respond(?:s|ed)?"
    r"|counters?|points? (?:to|out)|rel(?:y|ies)|believ\w*|complain\w*|object\w*|invok\w*|acknowledg\w*"
    r"|conced\w*|read\w*|emphasi[sz]\w*|say\w*|sees?|accus\w+)\b"
    # "Blueford contends"
    r"|^(?-i:[A-Z])[\w’'-]+ (?:\w+ly )?(?:contends?|argues?|maintains?|insists?|urges?|asserts?|submits?"
    r"|responds?)\b"
    r"|\bthe (?:dissent|majority|concurrence|plurality)\b(?! of )|\bpost, at\b",
    re.IGNORECASE,
)
# What letters a part of a syllabus.
_LETTER = regex(r"^\((?:[a-z]|\d|[ivx]+)\) ")
# What the Court does itself, whomever it names.
_OWN_VOICE = regex(
    r"(?:accordingly|therefore|for these reasons|in sum|today),? we\b"
    r"|we (?:\w+ly |now |thus |therefore )?(?:hold|conclude|affirm|reverse|vacate|remand)\b",
    re.IGNORECASE,
)
_VAGUELY = 0.25
_A_PART_OF_IT = 0.6
# What is as clear as this is stated; an opinion reasons past this share of it.
_STATED, _CASE_OF_AN_OPINION = 0.5, 0.3
_INTRODUCTION = regex(r"\b(?:introduction|background)\b", re.IGNORECASE)
_PROCEDURES = regex(r"\b(?:methods?|materials?|procedures?|statistic\w*|experimental)\b", re.IGNORECASE)
_OF_ITSELF = regex(
    r"\b(?:[Ww]e|[Oo]ur|[Tt]h(?:is|e present|e current) (?:paper|study|article|work|review|report"
    r"|analysis|trial|research"
    r"|investigation|survey)|[Hh]ere(?:in)?|(?:aim|purpose|objective|goal|hypothes[ie]s)s?)\b"
)
_HELD = regex(r"(?:held ?: ?)?\(?\d\.? [A-Z]|held ?: ?[A-Z]", re.IGNORECASE)
# What was found rather than what there is: a share of sand in the soil is no result.
_FINDS = _wording(
    r"significant\w*"
    r"|(?:high|low|great|few|larg|small|fast|bett|strong|weak)er\b"
    r"|more than\b|less than\b|increas\w+|decreas\w+|reduc\w+|improv\w+|declin\w+|gained\b"
    r"|(?:as )?compared (?:to|with)\b|versus\b|vs\b|associated with\b|correlat\w+|outperform\w*|achiev\w+"
    r"|we (?:\w+ )?(?:found|identified|detected|observed)\b"
    r"|(?:were|was|been) (?:\w+ly )?(?:found|identified|detected|observed|mapped)\b"
    r"|(?:show|reveal|indicat|account|explain|represent|yield)(?:s|ed|ing)?\b"
    r"|only \d|p ?[<=>≤]"
)
# What a proposal weighs and rejects, and what it leaves open.
_ASIDE = regex(
    r"(?:^|/ |› )(?:(?:rejected|discarded|dismissed)\b[^›/]*"
    r"|(?:alternative|deferred|unresolved|open|other)\b.*(?:ideas?|alternatives?|proposals?"
    r"|solutions?|approach\w*|options?|designs?|issues?|questions?|syntax\w*)"
    r"|(?:ideas?|features?|options|approaches|solutions|designs?) (?:that were |we )?(?:rejected|considered"
    r"|deferred|not (?:taken|chosen|included))|(?:unresolved|open) (?:questions?|issues?)\b[^›/]*"
    r"|alternatives?\b[^›/]*|[^›/]*\balternatives(?: considered)?"
    r"|(?:considered )?options(?: considered)?|(?:(?!goals\b)[^›/]* )?non-?goals(?: ?[/&(\[][^›]*)?"
    r"|(?:explicitly )?(?:out of|not in) scope"
    r"|why not\b[^›/]*|prior art\b[^›/]*|related work"
    r"|(?:possible )?future (?:work|possibilities|extensions?|directions?|considerations?|improvements?"
    r"|enhancements?|ideas?)"
    r"|references|see also|(?:change|revision|version|post)[ -]?(?:log|history)|history"
    r"|acknowledge?ments?|copyright"
    r"|appendi(?:x|ces)\b.*|footnotes?|questions and answers|faq)(?:$| /| ›)",
    re.IGNORECASE,
)
# What no document, of whatever kind, stands for.
_REJECTED = regex(
    r"(?:^|/ |› )(?:(?:rejected|discarded) (?:\w+ )?(?:ideas?|alternatives?|approach\w*|designs?|features?"
    r"|options?|proposals?|solutions?)|(?:alternatives|options|approaches) (?:considered|rejected)"
    r"|non-goals)(?:$| /| ›)",
    re.IGNORECASE,
)
# Those of them below which headings of the same level may tell what was rejected, one each, where a document
# has but one level; and what shows that a heading is none of those.
_WEIGHS = regex(
    r"(?:(?:rejected|discarded|dismissed)\b.*|alternatives?(?: \w+)? considered|(?:.* )?alternatives"
    r"|(?:considered )?options(?: considered)?)",
    re.IGNORECASE,
)
_GOES_ON = regex(
    r"\b(?:impacts?|compatib\w+|considerations?|implementation|references?|appendi\w+|acknowledge?ments?"
    r"|copyright|history|plan|tests?|testing|security|migration|upgrade|adoption|conclusions?|summary"
    r"|dependencies|documentation|footnotes|change ?log|future|issues|questions|unresolved|specification"
    r"|proposals?|proposed|design|decision|motivation|goals|overview|architecture|requirements|criteria"
    r"|examples?|terminology|definitions|introduction|background|consequences|effects?|risks?|work items"
    r"|assignees?)\b",
    re.IGNORECASE,
)
_EARLIER = regex(
    r"\b(?:earlier|previous|original|first|initial|older|prior) (?:versions?|drafts?|revisions?"
    r"|iterations?) of (?:this|the)\b"
    r"|\b(?:was|were|(?:has|have) (?:also )?been) (?:considered|rejected|discarded|dismissed|ruled out)\b"
    r"|\bwe (?:(?:have|had|also|initially|first|originally|briefly) )*(?:considered"
    r"|rejected|discarded|dismissed|ruled out|decided against)\b"
    r"|\b(?:an?|another|the|one)(?:(?! to\b) \w+)? (?:alternat(?:iv)?e|possibility|option)\b"
    r"(?:, [^,;.]{3,40},)?(?: \w+)? (?:would|could|might|may|was) (?:be|have been|not to|to)\b",
    re.IGNORECASE,
)


def states(candidates: Candidates, kind: DocumentKind, can_be: BoolArray) -> dict[Statement, FloatArray]:
    """How clearly each sentence makes each statement of its kind of document, from 0 to 1.

    Args:
        candidates: The sentences.
        kind: The kind of document.
        can_be: Which sentences can be shown at all; of others nothing is known.
    """
    texts = [
        f" {sentence.text.lower()}" if is_shown else ""
        for sentence, is_shown in zip(candidates.sentences, can_be, strict=True)
    ]
    headings = [section_path(section) for section in candidates.sections]
    if kind is DocumentKind.DECISION:
        return _states_of_a_decision(candidates, texts, headings)
    clarity = {statement: _clarity(sign, texts, headings) for statement, sign in SIGNS.get(kind, {}).items()}
    if kind is DocumentKind.PAPER:
        finds = [_FINDS.search(text) is not None for text in texts]
        clarity[Statement.FIGURES] *= (clarity[Statement.RESULT] >= _STATED) & np.array(finds, bool)
    return clarity


def _states_of_a_decision(
    candidates: Candidates, texts: Sequence[str], headings: Sequence[str]
) -> dict[Statement, FloatArray]:
    """The same of a decision: what the Court says, the case before the reasons."""
    roles = [section.role for section in candidates.sections]
    syllabus = [number for number, role in enumerate(roles) if role is SectionRole.SYLLABUS]
    first = held_first(candidates, syllabus)
    is_courts = np.array([role not in (SectionRole.CONCURRENCE, SectionRole.DISSENT) for role in roles])
    is_past_case = _is_past_case(candidates, first)
    places = {
        Statement.REASON: is_courts & is_past_case,
        Statement.CASE: is_courts & ~is_past_case,
        Statement.RULING: is_courts & ~is_past_case,
    }
    clarity = {}
    for statement, sign in SIGNS[DocumentKind.DECISION].items():
        place = places.get(statement, is_courts)
        there = [text if is_there else "" for text, is_there in zip(texts, place.tolist(), strict=True)]
        clarity[statement] = _clarity(sign, there, headings)
    # A syllabus numbers what was held.
    held = clarity[Statement.HOLDING]
    for number in syllabus:
        if _HELD.match(texts[number], 1):
            held[number] = 1.0
    if first:
        # What it says first was held is the answer; what it numbers after it are parts and reasons.
        held *= _A_PART_OF_IT
        held[first] = 1.0
    is_open = np.maximum(held, clarity[Statement.DISPOSITION]) < _STATED
    for statement in places:
        clarity[statement] *= is_open
    return clarity


def _is_past_case(candidates: Candidates, held: Sequence[int]) -> BoolArray:
    """Which sentences of syllabus and opinion stand past what tells the case; a syllabus first holds."""
    roles = [section.role for section in candidates.sections]
    is_courts = np.array([role is SectionRole.OPINION for role in roles], bool)
    place = np.cumsum(is_courts) / max(1, int(is_courts.sum()))
    found: BoolArray = is_courts & (place > _CASE_OF_AN_OPINION)
    if held:
        found |= np.array([role is SectionRole.SYLLABUS for role in roles]) & (
            np.arange(len(roles)) > held[0]
        )
    return found


def is_background(candidates: Candidates) -> BoolArray:
    """Which sentences of a paper introduce its field rather than itself, or tell procedures."""
    headings = [section_path(section) for section in candidates.sections]
    in_introduction = {heading: _INTRODUCTION.search(heading) is not None for heading in set(headings)}
    in_methods = {heading: _PROCEDURES.search(heading) is not None for heading in set(headings)}
    return np.array(
        [
            in_methods[heading] or (in_introduction[heading] and _OF_ITSELF.search(sentence.text) is None)
            for heading, sentence in zip(headings, candidates.sentences, strict=True)
        ],
        bool,
    )


def _clarity(sign: Sign, texts: Sequence[str], headings: Sequence[str]) -> FloatArray:
    if sign.sections is None:
        in_section: Mapping[str, bool] = dict.fromkeys(headings, True)
    else:
        in_section = {heading: sign.sections.search(heading) is not None for heading in set(headings)}
    return np.array(
        [_clarity_of(sign, text, in_section[heading]) for text, heading in zip(texts, headings, strict=True)]
    )


def _clarity_of(sign: Sign, text: str, in_section: bool) -> float:
    is_vague = in_section and sign.vague is not None and sign.vague.search(text) is not None
    if sign.unless is not None and sign.unless.search(text):
        return _VAGUELY * is_vague
    if sign.plain is not None and sign.plain.search(text):
        return 1.0
    may_say = not sign.words or any(map(text.__contains__, sign.words))
    if may_say and (in_section or not sign.needs_section) and sign.wording.search(text):
        return 1.0 if in_section else 0.5
    return _VAGUELY * is_vague


def instructs_author(text: str) -> bool:
    """Whether a sentence of a proposal is of its template, which tells the author what to write."""
    return _INSTRUCTION_BEGINS.match(text) is not None or _INSTRUCTION_HOLDS.search(text) is not None


def is_aside(path: str) -> bool:
    """Whether a section of a proposal, by the headings above it and its own, weighs what is not proposed."""
    return _ASIDE.search(path) is not None


def speaks_for_others(candidates: Candidates, kind: DocumentKind) -> BoolArray:
    """Whether a sentence reports a view that is not the document's own: of other authors, of a party.

    A court's own words that it took the case are nobody's view where it says what the question is.
    """
    if kind is DocumentKind.PROPOSAL:
        asides = _asides(candidates)
        return np.array(
            [
                number in asides
                # What stands before the first heading is said of the whole.
                or (section.heading is not None and _EARLIER.search(sentence.text) is not None)
                for number, section, sentence in zip(
                    candidates.section.tolist(), candidates.sections, candidates.sentences, strict=True
                )
            ],
            bool,
        )
    if kind is DocumentKind.OTHER:
        paths = [section_path(section) for section in candidates.sections]
        is_rejected = {path: _REJECTED.search(path) is not None for path in set(paths)}
        return np.array([is_rejected[path] for path in paths], bool)
    texts = [_LETTER.sub("", sentence.text) for sentence in candidates.sentences]
    if kind is DocumentKind.PAPER:
        return np.array([_OTHERS.search(f" {text.lower()}") is not None for text in texts], bool)
    if kind is DocumentKind.DECISION:
        others = np.array(
            [_PARTIES.search(text) is not None and _OWN_VOICE.match(text) is None for text in texts], bool
        )
        took = np.array([CERTIORARI.search(f" {text.lower()}") is not None for text in texts], bool)
        asks = np.array([QUESTION.search(text) is not None for text in texts], bool) & ~took
        spoken: BoolArray = others | (took & bool(asks.any()))
        return spoken
    return np.zeros(len(candidates), bool)


def _asides(candidates: Candidates) -> set[int]:
    """The sections of a proposal that weigh what is not proposed, or leave it open.

    Where all headings are of one level those below "Alternatives considered" are its own as far as none has
    a name that sections of proposals have.
    """
    is_flat = len({section.level for section in candidates.every_section if section.heading}) == 1
    found, is_within = set(), False
    for number, section in enumerate(candidates.every_section):
        path = section_path(section)
        heading = plain_heading(section.heading)
        if is_aside(path):
            found.add(number)
            is_within = is_flat and _WEIGHS.fullmatch(heading) is not None
        elif is_heading_of_form(heading) or _GOES_ON.search(heading):
            is_within = False
        elif is_within:
            found.add(number)
    return found
