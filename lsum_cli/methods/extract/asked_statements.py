"""What a request asks of a document of its kind: of a decision what was held, of a paper what was found.

Such a request ("What did the court decide and why?", "main results", "drawbacks") names what the document is
expected to state (:mod:`lsum_cli.methods.extract.statements`) by words that its sentences need not have: they
say "We affirm" and never "decided". What else it names says what the statement should be about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, section_path
from lsum_cli.methods.extract.statement_wording import SIGNS, Sign, Statement
from lsum_cli.methods.extract.statements import states
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray, is_function_word, question_terms, split_terms

# A result in figures tells less of what was found than one in words.
_OF_FIGURES = 0.6
# The shares of an opinion that tell the case, and past which it ends.
_CASE, _END = 0.3, 0.9


class _Aspect(NamedTuple):
    """One thing that may be asked of a document.

    Attributes:
        asks: The words that ask for it.
        statements: The statements that answer it.
        wording: What the sentences say that answer it, where no statement is known to.
        sections: Headings they stand under; ``None`` for those of the statements.
        is_why: Whether it is the reason of another: "Why did the court rule that way?" asks for no ruling.
        is_separate: Whether it is what only some of the judges say.
    """

    asks: re.Pattern[str]
    statements: tuple[Statement, ...]
    wording: re.Pattern[str] | None
    sections: re.Pattern[str] | None
    is_why: bool
    is_separate: bool


def _aspect(
    asks: str,
    *statements: Statement,
    wording: str = "",
    sections: str = "",
    is_why: bool = False,
    is_separate: bool = False,
) -> _Aspect:
    return _Aspect(
        regex(rf"\b(?:{asks})\b", re.IGNORECASE),
        statements,
        regex(rf"\b(?:{wording})", re.IGNORECASE) if wording else None,
        regex(sections, re.IGNORECASE) if sections else None,
        is_why,
        is_separate,
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
_ASPECTS: Mapping[DocumentKind, tuple[_Aspect, ...]] = {
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
        _aspect(
            r"dissent\w*|disagree[sd]?|minority|concur\w*|writes? separately",
            is_separate=True,
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
# What such requests say besides, without naming a subject.
_OF_THE_DOCUMENT: Mapping[DocumentKind, re.Pattern[str]] = {
    DocumentKind.DECISION: regex(
        r"\b(?:supreme|courts?|cases?|justices?|judges?|opinions?|majority|legal|law|laws|part(?:y|ies)"
        r"|petitioners?|respondents?|defendants?|plaintiffs?|appellants?|appellees?|government|sides?|favou?r"
        r"|main|key|final|way|reach(?:ed)?|come|came|next|happens?|actually|simply|point|given|get|its|now"
        r"|sentences?|one|two)\b",
        re.IGNORECASE,
    ),
    DocumentKind.PAPER: regex(
        r"\b(?:paper|study|studies|articles?|authors?|research(?:ers)?|work|scientists?|team|main|key|major"
        r"|most|important|principal|overall|report(?:ed)?|data|finally|actually|primary|review|short|points?"
        r"|message|lab|people|principle|run|take)\b",
        re.IGNORECASE,
    ),
    DocumentKind.PROPOSAL: regex(
        r"\b(?:pep|kep|eip|erc|rfc|nep|mip|jep|documents?|enhancement|authors?|feature|main|key|actually"
        r"|exactly|things?|people|developers?|current(?:ly)?|state|moment|today|short|summary|nutshell|statement"
        r"|considerations?|concerns?|arguments?|reasons?|words|plain|code|programs?|way)\b",
        re.IGNORECASE,
    ),
}
# What asks for the whole: not for a part of it.
_DOCUMENT = r"(?:document|text|paper|article|report|page|book|case|opinion|proposal|study|post|file)"
_OF_THE_WHOLE = regex(
    r"(?:(?:please )?(?:give|tell|show) me )?(?:an? |the )?"
    r"(?:brief |short |quick |general |main |key |overall )*"
    r"(?:summar(?:y|ies|ise|ize)|gist|overview|tl;?dr|(?:main |key |most important |central )"
    r"(?:points?|ideas?|messages?|takeaways?|things?|facts?|insights?)|takeaways?|essence|in (?:short|brief))"
    rf"(?: of (?:it|this|(?:this|the) {_DOCUMENT}))?"
    rf"|what(?:['’]s| is| does)? (?:it|this|(?:this|the) {_DOCUMENT})(?: all)? (?:about|say|saying|for)"
    r"(?: in short)?",
    re.IGNORECASE,
)
# What asks for several things.
_SEVERAL = regex(r"\b(?:and|or|also)\b|[,;&]", re.IGNORECASE)


class Answer(NamedTuple):
    """What answers one of the things that a request asks.

    Attributes:
        words: The words that ask for it.
        clarity: How clearly each sentence states it, from 0 to 1.
        is_there: Whether each stands where it is told, 0 or 1.
    """

    words: str
    clarity: FloatArray
    is_there: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """The statements that a request asks for.

    Attributes:
        answers: What answers each of the things that it asks, one after the other; at least one.
        rest: What else it names; empty where it names nothing else.
        is_by_place: Whether the place tells more than the wording, as of a proposal with its sections.
    """

    answers: tuple[Answer, ...]
    rest: str
    is_by_place: bool

    @property
    def clarity(self) -> FloatArray:
        """How clearly each sentence states any of them."""
        clarity: FloatArray = np.maximum.reduce([answer.clarity for answer in self.answers])
        return clarity

    @property
    def is_there(self) -> FloatArray:
        """Whether each sentence stands where any of them is told."""
        is_there: FloatArray = np.maximum.reduce([answer.is_there for answer in self.answers])
        return is_there


def asks_for_the_whole(focus: str) -> bool:
    """Whether a request asks for a summary of all there is, as "main points" does."""
    return _OF_THE_WHOLE.fullmatch(focus.strip(" \t?.!:")) is not None


def asked_statements(focus: str, candidates: Candidates, structure: Structure) -> Asked | None:
    """What a request asks of the kind of document.

    Of a document of no kind that states anything certain what papers state is asked, if nothing else is.

    Args:
        focus: The request, in English.
        candidates: The sentences.
        structure: What is known of them.

    Returns:
        ``None`` where it names no statement, or none is made.
    """
    is_other = structure.document_kind is DocumentKind.OTHER
    kind = DocumentKind.PAPER if is_other else structure.document_kind
    asked = [aspect for aspect in _ASPECTS.get(kind, ()) if aspect.asks.search(focus) is not None]
    if not asked:
        return None
    rest = focus
    for aspect in asked:
        rest = aspect.asks.sub(" ", rest)
    rest = _OF_THE_DOCUMENT[kind].sub(" ", rest)
    if all(map(is_function_word, split_terms(rest))) or not question_terms(rest, "en"):
        rest = ""
    if rest and is_other:
        return None
    asks_several = _SEVERAL.search(focus) is not None
    if any(aspect.is_separate for aspect in asked):
        asked = [aspect for aspect in asked if aspect.is_separate]
    elif not asks_several and any(aspect.is_why for aspect in asked):
        asked = [aspect for aspect in asked if aspect.is_why]
    statements = states(candidates, kind, structure.is_presentable) if is_other else structure.statements
    answer = _answer_in_decision if kind is DocumentKind.DECISION else _answer_under_headings
    found = [answer(aspect, focus, candidates, structure, statements) for aspect in asked]
    # What clearly states something else does not answer by its place, unless the place tells more.
    others = {*statements} - {statement for aspect in asked for statement in aspect.statements}
    if kind is DocumentKind.PROPOSAL or any(aspect.is_separate for aspect in asked):
        others = set()
    for statement in others:
        for each in found:
            each.is_there[statements[statement] > each.clarity] = 0
    found = [each for each in found if each.clarity.any() or each.is_there.any()]
    if not found:
        return None
    made = Asked(answers=tuple(found), rest=rest, is_by_place=kind is DocumentKind.PROPOSAL)
    if asks_several and not rest:
        return made
    return replace(made, answers=(Answer(focus, made.clarity, made.is_there),))


def _answer_under_headings(
    aspect: _Aspect,
    focus: str,
    candidates: Candidates,
    structure: Structure,
    statements: Mapping[Statement, FloatArray],
) -> Answer:
    """What answers an aspect of a paper or a proposal, whose headings say where it is told."""
    is_proposal = structure.document_kind is DocumentKind.PROPOSAL
    signs = SIGNS[DocumentKind.PROPOSAL if is_proposal else DocumentKind.PAPER]
    headings = [section_path(section) for section in candidates.sections]
    patterns = [aspect.sections] if aspect.sections else [signs[each].sections for each in aspect.statements]
    there = {
        heading: any(pattern.search(heading) for pattern in patterns if pattern) for heading in set(headings)
    }
    clarity = _clarity(aspect, signs, candidates, statements)
    return Answer(_words(aspect, focus), clarity, np.array([there[heading] for heading in headings], float))


def _answer_in_decision(
    aspect: _Aspect,
    focus: str,
    candidates: Candidates,
    structure: Structure,
    statements: Mapping[Statement, FloatArray],
) -> Answer:
    """What answers an aspect of a decision: what the Court says of the case first, then of its reasons."""
    roles = [section.role for section in candidates.sections]
    is_separate = np.array([role in (SectionRole.DISSENT, SectionRole.CONCURRENCE) for role in roles], bool)
    words = _words(aspect, focus)
    if aspect.is_separate:
        return Answer(words, structure.theses.copy(), is_separate.astype(float))
    is_courts = np.array([role is SectionRole.OPINION for role in roles], bool)
    place = np.cumsum(is_courts) / max(1, int(is_courts.sum()))
    if Statement.REASON in aspect.statements:
        is_there = place > _CASE
    elif Statement.DISPOSITION in aspect.statements:
        is_there = place > _END
    else:
        is_there = place <= _CASE
    clarity = _clarity(aspect, SIGNS[DocumentKind.DECISION], candidates, statements)
    return Answer(words, clarity, np.asarray(is_there & is_courts, float))


def _words(aspect: _Aspect, focus: str) -> str:
    return " ".join(found.group() for found in aspect.asks.finditer(focus))


def _clarity(
    aspect: _Aspect,
    signs: Mapping[Statement, Sign],
    candidates: Candidates,
    statements: Mapping[Statement, FloatArray],
) -> FloatArray:
    """How clearly each sentence states what an aspect asks for."""
    clarity = np.zeros(len(candidates))
    for statement in aspect.statements:
        share = _OF_FIGURES if statement is Statement.FIGURES else 1.0
        np.maximum(clarity, share * statements.get(statement, np.zeros(1)), out=clarity)
    if aspect.wording is not None:
        found = [aspect.wording.search(sentence.text) is not None for sentence in candidates.sentences]
        np.maximum(clarity, found, out=clarity)
    if aspect.statements and not clarity.any():
        # Where no heading tells where it is stated, what an opening says in its wording states it.
        texts = [f" {each.text.lower()}" for each in candidates.sentences[: round(_CASE * len(candidates))]]
        for statement in aspect.statements:
            found = [signs[statement].wording.search(text) is not None for text in texts]
            clarity[: len(found)] = np.maximum(clarity[: len(found)], found)
    return clarity
