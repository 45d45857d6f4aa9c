"""The wording by which statements are recognised, and the sections they stand in, by kind of document."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass

from lsum_cli.methods.extract.kinds import (
    DocumentKind,
)
from lsum_cli.methods.extract.sentences.gist import (
    DEADLINE,
    QUESTION,
    WORDS_OF_A_DEADLINE,
    WORDS_OF_A_QUESTION,
)
from lsum_cli.status import SERIES
from lsum_cli.text.patterns import regex, word_pattern


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
        words: What the wording, also the vague one, has at least one of, looked for before it; empty where
            that is not known.
    """

    wording: re.Pattern[str]
    sections: re.Pattern[str] | None = None
    needs_section: bool = False
    vague: re.Pattern[str] | None = None
    plain: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    words: tuple[str, ...] = ()


def _heading(text: str) -> re.Pattern[str]:
    """A pattern that is found in headings."""
    return regex(text, re.IGNORECASE)


_SELF = (
    r"(?:this|the present|the current|our|the) (?:paper|study|article|work|review|report|research"
    r"|investigation|analysis|trial|survey|project)"
)
_WE = r"(?:we|i|the authors?)(?: \w+ly)?(?: have| had| also| here| then| first| now| will)*"
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
    r"(?:this|the) (?:proposal|pep|eip|erc|kep|rfc|bip|jep|tip|sip|adr|document|specification|spec"
    r"|enhancement|feature|change|standard|plan|design|policy|module|extension|api|proposed \w+)"
    r"(?! (?:does|do|did|is|will|would|should|must|can) ?not\b)(?! \w+ (?:no|nothing)\b)"
)

_ITS_NAME = (
    r"(?:proposal|document|specification|enhancement|feature|change"
    rf"|(?!step|strip|clip|chip|ship|skip|zip){SERIES.lower()})"
)
# "We propose to remove it": of what, the sentence before says.
_A_PRONOUN = (
    r"(?:to (?:[a-z]+ ){1,2}(?:it|them|that|this|these|those|so)|it|them|this|these|those|that(?=[.,;]))"
    r"(?:[.,;]| (?:with|in|by|for|at|on|both|as|now|then)\b)"
)
# What a proposal says that it proposes is understood by its title and the problem, whatever it refers to.
PROPOSES = word_pattern(
    rf"(?=(?<! of )(?:this|the present) {_ITS_NAME} (?:is |also |therefore |thus |now )?(?:propos|introduc"
    r"|defin|specif"
    r"|standardi[sz]|provid|describes (?:an?|how)\b|adds?\b|aims? (?:to|at)\b|seeks? to\b|allows?\b"
    r"|enables?\b|lets\b|delegat|replac|remov|extend|changes?\b|recommend|suggest|(?:intended|a proposal"
    r"|an attempt) (?:to|for)\b)"
    rf"|(?:goal|purpose|aim|objective|intent)s? of (?:this|the) {_ITS_NAME} (?:is|are) to\b"
    r"|(?:we|i) (?:therefore |thus |also )?propose (?:to|an?|adding|that|the|two|three|four|new)\b"
    rf"|in this {_ITS_NAME},? (?:we (?!discuss|describe)|it is proposed)"
    r"|this is a proposal (?:for|to)\b|(?<=^ )the (?:proposed )?solution is to\b)"
    # But not "we propose the following" and "the goal of this proposal is to address this issue", nor what an
    # earlier version of it proposed.
    r"(?!.*(?:\bthe (?:following|former|latter|(?:first|last|other) (?:two|three|four|one))\b"
    r"|\b(?:address|solve|fix|resolve) (?:this|these|those)(?: [\w-]+){0,2}\.$))"
    rf"(?!(?:[\w-]+ ){{1,6}}?(?:proposes?|is|are|adds|removes|replaces|changes|introduces) {_A_PRONOUN})"
)

# How a case came before the court: it says less than the question, and no more where that is told.
CERTIORARI = word_pattern(
    r"(?:granted|grant of|petitioned for|sought|petition for|by|of) (?:a )?(?:writ of )?certiorari\b"
    r"|noted probable jurisdiction\b|we granted (?:review|the petition)\b"
)
_PARTIES = (
    *("petitioner", "respondent", "appellant", "appellee", "plaintiff", "defendant", "claimant"),
    *("applicant", "debtor"),
)
_PARTY = rf"(?:{'|'.join(_PARTIES)})s?"

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
            wording=word_pattern(
                r"we (?:\w+ly |now |thus |therefore |also |further )*hold\b"
                r"|(?<=^ )held\b|our holding\b"
                r"|we (?:\w+ly |now |thus |therefore )*conclude(?: that\b|,)"
                r"|the court (?:therefore |thus |now )?(?:holds|concludes)\b"
                r"|in my (?:judgment|view|opinion),? "
                r"|i (?:\w+ly |therefore |would )*(?:hold|conclude) that\b"
            ),
            vague=word_pattern(r"we (?:reject|decline to|find that|agree with|disagree with)\b"),
            words=("hold", "held", "conclude", "in my ", "we reject", "we decline", "we find", "gree with"),
        ),
        Statement.DISPOSITION: Sign(
            wording=word_pattern(
                r"we (?:\w+ly |now |thus |therefore |hereby |(?:dis)?agree(?: with [^.;]{3,60})? and )*"
                r"(?:affirm|reverse|vacate|remand|dismiss)\b(?! that)"
                r"|(?:judgments?|decisions?|orders?|convictions?|sentences?"
                r"|rulings?|awards?|determinations?|decrees?|verdicts?"
                r"|findings?)\b(?:[^.;]|(?<= \w|no)\.){0,160}\b(?:is|are|must(?: \w+)? be) (?:\* )?"
                r"(?:therefore |accordingly |hereby )?(?:affirmed|reversed|vacated|set aside)\b"
                r"|(?:writ|petition|appeal|motion|application)s?\b[^.;]{0,60}\b"
                r"(?:is|are|should be|must be) (?:\w+ )?(?:dismissed|granted|denied|allowed|refused)\b"
                r"|i would (?:\w+ )?(?:allow|dismiss|refuse) (?:(?:the|this|these|both|each) )?"
                r"(?:cross-)?appeals?\b"
                r"|(?:case|cases|cause) (?:is|are) remanded\b"
            ),
            # What the print has torn apart: "the judgment of the Court of … reversed."
            vague=word_pattern(
                r"judgments? of\b[^.;]{0,160}\b(?:affirmed|reversed|vacated)(?: and remanded)?\.$"
            ),
            words=(
                *("affirm", "reverse", "vacate", "remand", "dismiss", "set aside", "granted", "denied"),
                *("allow", "refuse"),
            ),
        ),
        # Which question the court took, and that it took it, is said once.
        Statement.QUESTION: Sign(
            wording=QUESTION,
            unless=CERTIORARI,
            vague=CERTIORARI,
            words=(*WORDS_OF_A_QUESTION, "certiorari", "probable jurisdiction", "granted "),
        ),
        # How the court below ruled.
        Statement.RULING: Sign(
            wording=word_pattern(rf"\b(?:{_COURT_REVIEWED})\b[^.;]{{0,60}}\b(?:{_RULED})\b"),
            vague=word_pattern(rf"\b(?:{_COURT_BELOW})\b[^.;]{{0,60}}\b(?:{_RULED})\b"),
            unless=word_pattern(
                r"(?:we|this court) (?:\w+ )?(?:have|has|had|held|hold|concluded?|reversed?)\b"
            ),
            words=(
                *("court", "circuit", "tribunal", "judge", "board", "panel", "commission", "arbitrator"),
                *("division", "magistrate", "jury"),
            ),
        ),
        Statement.REASON: Sign(
            wording=word_pattern(
                r"\b(?:text|language|wording|structure|context|history|purposes?|words?|term|phrase"
                r"|definition|provisions?|statutes?|sections?|subsections?|clauses?|amendments?|rules?"
                r"|act|constitution|precedents?|cases|decisions?|congress|legislature|parliament"
                r"|§+ ?\d[^ ]*)\b[^.;]{0,50}\b(?:makes? (?:it )?clear|made (?:it )?clear|indicates?|suggests?"
                r"|confirms?|supports?|forecloses?|precludes?|requires?|does not|do not|did not|cannot"
                r"|says nothing|contains? no|refutes?|reveals?|intended|protects?|controls?|governs?|bars?)\b"
                r"|nothing in\b"
                r"|no (?:clear )?(?:indication|reason|evidence|basis|support|sign)\b"
                r"|would (?:\w+ly )?(?:undermine|frustrate|defeat|render|require|produce|create|invite|mean"
                r"|lead|permit|make"
                r"|be (?:inconsistent|contrary|odd|strange|anomalous)"
                r"|allow|deprive|conflict|upset|thwart|bring|add|delay|burden)\b"
                r"|(?:in)?consistent with\b|incompatible with\b|contrary to\b|conflicts? with\b"
                r"|follows (?:\w+ )?from\b"
                r"|is (?:controlled|governed|foreclosed|resolved) by\b"
                r"|(?:misread(?:s|ing)?|misconceive\w*|inapplicable|inapposite|erred)\b"
                r"|(?:conclusion|reading|interpretation|result|approach|view)\b[^.;]{0,30}\b"
                r"(?:supported|reinforced|confirmed|compelled|required|bolstered|buttress\w*|consistent)\b"
                r"|it is (?:\w+ )?(?:clear|plain|evident|enough|sufficient)\b"
                r"|makes clear\b|(?<=^ )because\b|(?<=^ )since\b|(?<=^ )given\b|(?<=^ )unlike\b"
                r"|we (?:\w+ly |now |thus |therefore |also |further )*"
                r"(?:think|agree|disagree|believe|reject|find|see|do not|are not|cannot|decline)\b"
                r"|in our view\b"
            ),
            # What was decided before, what a party says, what the law says, what is asked.
            unless=word_pattern(
                r"(?:this court|the court|the (?:[\w.]+ )?(?:circuit|panel)|circuits|courts? of appeals?"
                r"|(?:district|trial|state|federal|lower|bankruptcy|supreme|appellate) court(?: of \w+)?"
                r"|jury)\b[^.;,]{0,30}\b(?:has|have|had|held|observed|noted|thought|stated|explained"
                r"|recognized|concluded|rejected|reversed|affirmed|granted|denied|dismissed|ruled|found"
                r"|determined|acknowledged|adopted|vacated|agreed|reasoned|said)\b"
                r"|we (?:have|had) \w+"
                r"|(?:contend|argue|assert|maintain|insist|urge|respond|claim)(?:s|ed|ing)?\b"
                r"|according to\b"
                r"|(?:granted|sought|grant of) (?:a writ of )?certiorari\b"
                r"|(?:provides?|states?) that\b|[“\"][^”\"]{60,}[”\"]|\?|(?<=^ )(?:—|\* )"
                r"|the (?:question|issue|parties|difficulty)\b"
                r"|(?<=^ )for example\b"
                r"|arguments?\b.*\b"
                r"(?:unpersuasive|unavailing|without merit|misplaced|fails?|unconvincing)\b"
            ),
        ),
        # Who the parties are and what happened to them.
        Statement.CASE: Sign(
            wording=word_pattern(
                rf"{_PARTY}\b[^;]{{0,90}}\b(?:sued|alleg(?:ed|es?|ing)|claim(?:ed|s?|ing)|charged|convicted"
                r"|indicted|pleaded|petitioned|sought|challenge[sd]?|moved (?:to|for)|appealed|applied|was"
                r"|were|faced|faces|filed|brought|attempted|refused|entered|received|reached|lost|died)\b"
                r"|(?:charged|sued|convicted|indicted|fined|fired|dismissed|arrested|apprehended|sentenced"
                rf"|against|arresting) {_PARTY}\b"
            ),
            words=_PARTIES,
        ),
    },
    DocumentKind.PAPER: {
        Statement.CONCLUSION: Sign(
            wording=word_pattern(
                r"in (?:conclusion|summary)\b|we conclude\b"
                r"|(?:to summari[sz]e|to conclude|taken together|overall),"
                r"|(?:our|these|the|this) (?:\w+ )?(?:results?|findings?|stud(?:y|ies)|data|work"
                r"|analys[ei]s|evidence)(?: of this study)? (?:\w+ly )?(?:suggest|show|indicate|demonstrate"
                r"|support|confirm|highlight|reveal|provide|imply|underscore|point)"
                r"|(?:it can be concluded|we believe that"
                r"|we have (?:shown|demonstrated|presented|developed|identified))\b"
            ),
            sections=_heading(r"conclu|summary|discussion|outlook|implication|abstract"),
        ),
        Statement.AIM: Sign(
            wording=word_pattern(
                r"(?:aim|goal|purpose|objective|intention)s?\b.{0,40}\b(?:is|was|are|were|to)\b"
                rf"|{_WE} (?:aim|propose|present|introduce|investigate|examine|study|studied|explore|address"
                r"|describe|develop|evaluate|assess|report|analy[sz]e|compare|determine|sought|test|focus|ask"
                r"|hypothesi[sz]e|review|wanted|set out|intend|attempt)"
                rf"|{_SELF} (?:\w+ly )?(?:aim|propose|present|introduce|investigat|examin|explor|address"
                r"|describ|develop|evaluat|assess|report|analy[sz]|compar|determin|sought|tested|focus|review"
                r"|was (?:designed|undertaken|conducted|carried out|performed|aimed))"
                rf"|in {_SELF},? (?:we|i|the authors?)\b"
            ),
            sections=_heading(r"introduc|background|abstract|aim|objective|purpose|motivation|overview"),
        ),
        # A result in figures, and how many were studied.
        Statement.FIGURES: Sign(
            wording=word_pattern(
                r"[<>=]? ?\d+(?:[.,]\d+)? ?(?:%|percent\b|[- ]?fold\b|times\b)|p ?[<=>≤] ?0?\.\d"
                r"|\d+(?:\.\d+)? (?:±|vs\.?|versus) ?\d|(?:or|rr|hr|aor|ci|auc|r|r2|r²) ?[=:] ?[-−]?\d"
                rf"|\d[\d,]* {_A_FEW_WORDS}(?:genes|proteins|transcripts|unigenes|loci|qtls?|degs|snps"
                r"|metabolites|species|compounds|mutations|variants|peptides|clusters|markers)\b"
            ),
            sections=_heading(r"result|finding|experiment|evaluation|outcome|abstract|discussion|conclu"),
            needs_section=True,
            unless=word_pattern(r"et al\b|previous(?:ly)?\b|reported (?:by|in|that)\b|alpha of\b|power of\b"),
        ),
        Statement.SAMPLE: Sign(
            wording=word_pattern(
                rf"{_STUDIED}\b.{{0,40}}\W{_SAMPLE}\b"
                rf"|{_SAMPLE}\b.{{0,60}}\b(?:were|was|have been|are) (?:\w+ )?{_STUDIED}"
            ),
            sections=_heading(
                r"method|material|participant|patient|subject|data|setting|sampl|population|abstract|animals"
                r"|design"
            ),
            needs_section=True,
            unless=word_pattern(
                r"et al\b|previous(?:ly)? (?:study|studies|reported)\b|sample size (?:of|was|for|is)\b"
            ),
        ),
        Statement.RESULT: Sign(
            wording=word_pattern(
                rf"{_WE} (?:found|find|observed?|identified|detected|showed?|demonstrated?|obtained"
                r"|discovered|noted?)\b"
                r"|(?:results?|findings|data|analys[ei]s|experiments?|comparisons?|tests?) (?:\w+ ){0,2}"
                r"(?:show|suggest|indicat|reveal|demonstrat|confirm)"
                r"|significant(?:ly)?\b"
                r"|(?:higher|lower|greater|fewer|less|more|better|faster|larger|smaller) than\b"
                r"|outperform"
                r"|(?:increased|decreased|reduced|improved|achieved|correlated|associated)\b"
                r"|\d+(?:\.\d+)? ?%"
            ),
            sections=_heading(
                r"result|finding|experiment|evaluation|observation|outcome|abstract|discussion|analysis"
            ),
        ),
        Statement.METHOD: Sign(
            wording=word_pattern(
                rf"{_WE} (?:used?|appl(?:y|ied)|collected|perform(?:ed)?|measured|conduct(?:ed)?|recruited"
                r"|sampled|employ|trained|fitted|compute|interviewed|searched|extracted|random|combined?"
                r"|analy[sz]ed|included|enrolled|compared|developed|built|constructed|simulated?|sequenced"
                r"|treated|tested|assessed|evaluated)"
                r"|(?:was|were) (?:\w+ly )?(?:used|performed|measured|collected|analy[sz]ed|conducted"
                r"|carried out|recruited|enrolled|random\w+|assigned|included|sampled|interviewed|calculated"
                r"|tested|treated|assessed|evaluated|obtained|selected|divided|extracted|sequenced|identified"
                r"|compared|determined|grown|examined|retrieved)\b"
                r"|(?:using|based on|by means of|consist(?:s|ed) of)\b"
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
            wording=word_pattern(
                rf"{_THIS_PROPOSAL}\b.{{0,40}}\b(?:propos|introduc|adds?\b|describ|defin|specif|allow|aims?\b"
                r"|provid|extend|standardi[sz]|suggest|recommend|enabl|is to|seeks|outlines|attempts|changes"
                r"|removes|replaces|intends)"
                rf"|{_WE} (?:propose|suggest|should|add|introduce|plan|recommend|intend|would like)"
                r"|(?:is|are) (?:hereby )?proposed\b"
                r"|proposed (?:solution|change|design|approach|api|syntax)\b"
                r"|the (?:proposal|solution|idea|goal|aim|purpose|objective) (?:of .{3,40} )?(?:is|are)\b"
            ),
            plain=word_pattern(
                rf"{_THIS_PROPOSAL} (?:therefore |also |thus )?(?:propos|introduc|aims? to|seeks to|adds?\b"
                r"|describes (?:a|an|how|the addition)|defines|specifies|standardi[sz]es|suggests|recommends"
                r"|is to\b|is a proposal|outlines)"
                r"|we propose (?:to|a|an|adding|that|the)\b"
            ),
            vague=word_pattern(r"(?:introduce|add|provide|define|allow|support|extend|enable|implement)s?\b"),
            sections=_heading(
                r"propos|summary|abstract|solution|specification|overview|introduction|design|goals?$"
                r"|decision|what"
            ),
        ),
        Statement.PROBLEM: Sign(
            wording=word_pattern(
                r"(?:currently|today|at present|as of now|at the moment|existing|problems?|issues?|lacks?"
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
            wording=word_pattern(
                r"(?:backwards?[- ]compatib|compatible|as a result|consequen|impact|drawback|benefit"
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
# What was found rather than what there is: a share of sand in the soil is no result.
FINDS = word_pattern(
    r"significant\w*"
    r"|(?:high|low|great|few|larg|small|fast|bett|strong|weak)er\b"
    r"|more than\b|less than\b|increas\w+|decreas\w+|reduc\w+|improv\w+|declin\w+|gained\b"
    r"|(?:as )?compared (?:to|with)\b|versus\b|vs\b|associated with\b|correlat\w+|outperform\w*|achiev\w+"
    r"|we (?:\w+ )?(?:found|identified|detected|observed)\b"
    r"|(?:were|was|been) (?:\w+ly )?(?:found|identified|detected|observed|mapped)\b"
    r"|(?:show|reveal|indicat|account|explain|represent|yield)(?:s|ed|ing)?\b"
    r"|only \d|p ?[<=>≤]"
)
