"""The text of a proposal: what it says of itself, the problem it solves, what that costs, and how it is done.

A proposal that sums itself up says there what it proposes, and hardly why, how, and at what cost. A summary
of it gives each of these a share of its words.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import plain_heading, section_path
from lsum_cli.methods.extract.own_summary import is_called_summary
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.selection import Share
from lsum_cli.methods.extract.sentences.gist import (
    defined_by,
    place_in_section,
    tells_what_is_proposed,
)
from lsum_cli.methods.extract.sentences.other_views import is_aside
from lsum_cli.methods.extract.sentences.presentability import is_in_words
from lsum_cli.status import SERIES, status_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, is_function_word, split_terms


class Part(enum.StrEnum):
    """What the sections of a proposal are about."""

    SUMMARY = "summary"
    PROBLEM = "problem"
    COST = "cost"
    REASON = "reason"
    PROPOSED = "proposed"  # what tells the mechanism as a whole
    DESIGN = "design"  # what tells parts of the mechanism
    ASIDE = "aside"


# A proposal has to say why, how and at what cost: its text has so many words more than would suit another. Of
# twice as many as suit, readers found that a third was detail.
_MORE_WORDS = 100
# What is quoted of it beside its own summary has at least so much of the length that suits.
_LEAST_BESIDE = 0.8
# What each gets of the words in turn: the document's own summary where that is not quoted whole, the others
# beside it. What is proposed comes before why, and takes what is left.
_SHARES = (
    (Part.SUMMARY, 0.4),
    (Part.PROPOSED, 0.15),
    (Part.DESIGN, 0.05),
    (Part.PROBLEM, 0.2),
    (Part.COST, 0.15),
    (Part.REASON, 0.1),
    (Part.DESIGN, 1.0),
)
_PROPOSED = [part for part, _ in _SHARES].index(Part.PROPOSED)
# The share of what it begins with, where it has no summary.
_OF_AN_OPENING = 0.25

_PROBLEM = regex(
    r"(?:.* )?(?:motivations?|problems?|context)\b.*|background|why\b.*|introduction|inspiration|use cases"
    r"|need"
    # How things are before it.
    r"|(?:the )?(?:current|existing|previous|old) (?:state|situation|behaviou?r|status|process|practice|model"
    r"|design|approach|implementation|solution|system|mechanism|architecture|workflow|version|structure"
    r"|sequence)\b.*|.*\((?:previous|old)(?: \w+)?\)|.*\bbefore (?:the |this )?chang(?:e|ing)|status quo",
    re.IGNORECASE,
)
# Why it is done so and not otherwise; before the design, why it is done.
_REASON = regex(
    r"(?:design )?(?:rationale|decisions?|choices)|rationale (?:for|behind|of|and|&)\b.*"
    r"|reasoning|discussion",
    re.IGNORECASE,
)
_COST = regex(
    r".*\b(?:compatibility|drawbacks?|consequences|risks?|impact|implications|security|privacy|limitations"
    r"|downsides|caveats|trade-?offs|disadvantages|upgrad\w*|migration|transition|deprecation"
    r"|potential issues|effects? on|adoption|breaking changes)\b.*|negative|positive|cons",
    re.IGNORECASE,
)
# What serves those who carry a proposal out, what illustrates it, what it leaves alone.
_OF_WORK = regex(
    r"(?:.* )?non[- ]?goals\b.*|out of scope\b.*|.*\bupgrade.*\bdowngrade\b.*|upgrade strategy"
    r"|risks and mitigations|(?:notifications?|developer|other deployer) impact|version skew.*"
    r"|.*\b(?:tests?|testing|monitoring|troubleshooting|scalability|rollout|rollback|documentation|graduation"
    r"|dependencies|assignees?|work items|milestones?|timeline|schedule|history|acknowledge?ments"
    r"|stakeholders|glossary|terminology|definitions|examples?|acceptance criteria|teach|preview"
    r"|frequently asked questions|support procedures|infrastructure needed|contributors"
    r"|audience|answered questions|user stor(?:y|ies)|personas|status|reference implementation"
    r"|implementations|feature gate)\b.*",
    re.IGNORECASE,
)

# What is aimed at: where a proposal has no summary often the best that tells what is proposed.
_GOALS = regex(r"(?:.* )?(?:goals|objectives)(?: of .*)?", re.IGNORECASE)

# What a reader has to weigh before all other costs.
_OF_RISK = regex(
    r"(?:.* )?(?:risks?|security|privacy|limitations|drawbacks|caveats)"
    r"(?: (?:(?:and|&) (?:mitigations?|limitations|caveats|drawbacks|privacy)|considerations?|implications?"
    r"|impact|risks?))*",
    re.IGNORECASE,
)

# That nothing comes of it costs no words, unless the question is what stops working.
_NOTHING = regex(
    r"(?:\b(?:no|not any|nor|without)\b|n['’]t\b"
    r"|\bnot (?:\w+ )?(?:be an?|introduce|have|pose|affect|change|impact|add))"
    r"[^.;:]{0,60}\b(?:impact|effects?|issues?|risks?|concerns?|considerations?|implications?|overhead"
    r"|consequences|changes?|threats?|vectors?|vulnerabilit\w+|problems?)\b"
    r"|\bdo(?:es)? not (?:involve|require|alter|modify)\b|\b(?:will|can) use (?:the )?existing\b"
    r"|\bun(?:affected|changed)\b"
    r"|\b(?:minimal|negligible|insignificant|minor|slight|very (?:little|small)|little)\b"
    r"[^.;:]{0,30}\b(?:impact|effects?|risks?|overhead|changes?|delay|increase)\b"
    r"|\brisks? (?:is|are) (?:\w+ )?the same\b"
    r"|\bas (?:with|always)\b[^.;:]{0,30}\b(?:new|any)\b|^(?:none|n/a)\b",
    re.IGNORECASE,
)
# The same of a part of the design.
_AS_BEFORE = regex(
    r"(?:there (?:are|is|will be) (?:currently )?no|this (?:\w+ )?(?:has|makes|introduces) no)\b"
    r"[^.;:]{0,40}\b(?:changes?|impact|effects?|new|additional)\b|no (?:\w+ )?(?:changes?|impact)\b"
    r"|[^,.;:]{0,60}\b(?:remains?|is|are|stays?) (?:left )?(?:unchanged|as is|the same)\b",
    re.IGNORECASE,
)
# Notes, what only points to another text, lines under a label of their own ("Lock house: …"), stories of
# users, what has no main clause; what is left for later; what speaks of another place, or of a label
# that is not shown ("Option B").
_BESIDE = regex(
    r"(?i:please note|note)\b|As an? [^,.;]{3,60}, I\b|Here,? we (?!propose|define|introduce|replace|add)\w"
    r"|[A-Z][\w-]*(?: [\w-]+){0,3}(?:: | [-–—] (?!.* [-–—] ))"
    r"|(?:Although|(?:Even )?[Tt]hough|Whereas)\b[^,;:—]*$"
    r"|This (?:blog(?: post)?|post|article|patch|commit|issue|thread|talk|video|(?:wiki )?page|gist) "
    r"(?:has|is|gives|shows|explains|describes|contains|discusses|provides)\b"
)
_LATER = regex(
    r"\b(?:[Ii]n (?:the|a) (?:near )?future|future (?:work|proposals?|(?-i:[A-Z]{2,4}s?))|out of scope"
    r"|(?:beyond|outside) the scope|not (?:a )?part of this)\b"
)
_ELSEWHERE = regex(
    r"\b(?:see|described?|defined|shown|listed|given|discussed|explained|outlined|mentioned|specified"
    r"|detailed|introduced|noted|example|section|table|diagram|method|construction|as)"
    r"(?: [^\W\d]\S*){0,3}? (?:below|above)(?=[.,;:)]|$)"
)
_SECTION = regex(
    r"\b[Ss]ection (?:\w+ )?(?:explains|describes|discusses|covers|outlines|defines|specifies|lists|provides"
    r"|details)\b"
)
_LABEL = regex(
    r"\b(?:School|Option|Alternative|Approach|Variant|Case|Scenario|Choice|Steps?|Problem|Section) "
    r"\(?(?:[IVX]+[a-z]?|\d+(?:\.\w+)*|[A-Z])\b(?!['’])"
)
# Where reasons stand beside alternatives, what could be done instead is none of them.
_INSTEAD = regex(
    r"(?:The (?:first|second|third|other|last)|Another|Alternatively"
    r"|One (?:alternative|option|approach|way))\b"
    r"|.*\b(?:[Ww]e|[Oo]ne|[Yy]ou) (?:can|could|might)\b|.*\b(?:could|might) (?:have|also|instead|be)\b"
)
_OF_COMPATIBILITY = regex(r"compatib|existing|breaking|adoption", re.IGNORECASE)
# Why something is proposed is told by what is wrong; how things are leads up to it. What that counts, in
# standard deviations: each of up to so many such words, what turns to it, what says what follows from it, and
# the first sentences of a longer section.
_WRONG = regex(
    r"\b(?:cannot|impossible|(?:not|n['’]t) (?:\w+ )?(?:possible|able|enough|support\w*)|no (?:\w+ )?way"
    r"|difficult\w*|hard|lack\w*|slow\w*|expensive|costly|error[- ]prone|fail\w*|problem\w*|issues?"
    r"|insufficient|limit\w*|unfortunately|painful|confus\w+|inconsisten\w+|unnecess\w+|forced?|manually"
    r"|restrict\w+|need(?:s|ed)?|friction|challeng\w+|complex\w*|inefficien\w+|risk\w*|vulnerab\w+|missing"
    r"|without|overhead|burden\w*|impractical|infeasible|wast\w+|do(?:es)?(?: not\b|n['’]t\b))",
    re.IGNORECASE,
)
_TURNS = regex(r"(?:however|but|unfortunately|yet|although|while)\b", re.IGNORECASE)
_PROPOSES = regex(rf"\bthis (?:proposal|change|feature|enhancement|{SERIES})\b|\bwe propose\b", re.IGNORECASE)
_OF_A_WRONG, _MOST_WRONGS, _OF_A_TURN, _OF_WHAT_FOLLOWS, _OF_A_LEAD = 0.3, 2, 0.7, 0.4, -0.5
_FIRST, _LONGER = 2, 5  # sentences
# How it is done is told by what changes: what will be, what is added or replaced; and what that breaks.
_CHANGES = regex(
    r"\b(?:will(?! be (?:referred|called|denoted|described|discussed))|propos\w+|introduc\w+"
    r"|adds|updates|replaces|removes|renames|extends|integrates"
    r"|(?:we|i) (?:need to|can|add|use|define|suggest|want))\b",
    re.IGNORECASE,
)
_BREAKS = regex(
    r"\b(?:not (?:\w+ )?(?:backwards?|forwards?|source|binary|ABI|API)[- ]compatible|incompatib\w+|breaks?"
    r"|breaking|(?:hard|soft)[- ]fork|no longer|must (?:be )?(?:updat\w+|upgrad\w+|migrat\w+|chang\w+)"
    r"|deprecat\w+|risks?|attack\w*|malicious)\b",
    re.IGNORECASE,
)
# That it is not compatible is what most readers look for.
_INCOMPATIBLE = regex(
    r"\bnot (?:\w+ ){0,2}(?:backwards?|forwards?|source|binary|ABI|API|fully)?[- ]?compatible\b"
    r"|\bincompatib\w+"
    r"|\b(?:hard|soft)[- ]fork|\bbreaking changes?\b|\bbreaks? (?:\w+ ){0,3}compatib\w+",
    re.IGNORECASE,
)
_OF_A_CHANGE, _OF_A_BREAK, _OF_INCOMPATIBILITY = 0.4, 0.4, 2.6
# What the term means that a section is headed with, unless it is judged ("Variance is a difficult topic").
_OF_A_DEFINITION = 1.0
_JUDGES = regex(
    r"[^,.;:]{2,60}? (?:is|are) (?:(?:an?|the|one of the) )?(?:[\w-]+,? ){0,2}?"
    r"(?:areas?|opportunit\w+|tasks?|topics?|problems?|issues?|challenges?|ways?|solutions?|questions?|changes?"
    r"|results?|only|great|good|important|common|key|main|useful|critical|responsible|best|most|[a-z]{3,}est)\b",
    re.IGNORECASE,
)
# What only holds in some case is a detail; what a paragraph of so many sentences begins with, its topic.
_IN_A_CASE = regex(r"(?:However, )?(?:if|when|unless|in case|in the event)\b", re.IGNORECASE)
_OF_A_CASE, _OF_A_TOPIC, _LONG_PARAGRAPH, _SHORTEST_TOPIC = -0.3, 0.3, 3, 9
# Sections that define fields, calls and steps, of which a reader wants no more than what says most.
_OF_DETAIL = regex(
    r".*\b(?:parameters?|fields?|methods?|functions?|events?|attributes?|properties|arguments?|options?"
    r"|configuration|syntax|grammar|encoding|formats?|seriali[sz]ation|errors?|failure conditions|requests?"
    r"|responses?|endpoints?|schemas?|structures?|structs?|messages?|storage|gas|fees?|constants?|types?"
    r"|interfaces?|naming|versioning|locali[sz]ation|logging|metrics)"
    r"|workflow description|operational aspects.*|topology considerations.*"
    r"|notes?|api(?: changes)?|step \d.*|special cases?.*"
    r"|.*\b(?:rest api|data model|notifications?|end user|deployer|developer|performance) impact",
    re.IGNORECASE,
)


# What announces the points of a problem or a proposal, and how many and how long those may be.
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "2": 2, "3": 3, "4": 4, "5": 5}
_ANNOUNCES_POINTS = regex(
    r"(?!.*\bexample).*?\b(?:(?:(?P<count>two|three|four|five|[2-5])(?: [\w-]+){0,3} )?(?:problems?|concerns?"
    r"|limitations?|issues?|drawbacks?|shortcomings?|disadvantages?|challenges|reasons?|goals?|objectives"
    r"|changes|additions|components|parts|phases|stages|things)(?: [\w-]+){0,3}"
    r"|(?:aims?|proposes?|seeks?|intends?|wants?)(?: to)?):$",
    re.IGNORECASE,
)
_FEWEST_POINTS, _MOST_POINTS, _LONGEST_POINT, _MOST_OF_POINTS = 2, 5, 50, 0.35
_TOLD_BY_POINTS = (Part.PROBLEM, Part.PROPOSED)


def select_proposal(extractor: Extractor, whole: Sequence[int]) -> list[int]:
    """What a proposal says of itself; then why, at what cost, and above all how.

    Args:
        extractor: The proposal.
        whole: The positions of its own summary, where that is quoted whole.
    """
    candidates, suits = extractor.candidates, extractor.num_words
    words = int(candidates.num_words[list(whole)].sum())
    budget = max(suits + _MORE_WORDS - words, _LEAST_BESIDE * suits)
    shares = shares_of(candidates, extractor.structure.gist.is_own_summary)
    if not is_called_summary(extractor):
        shares = (shares[0]._replace(size=_OF_AN_OPENING), *shares[1:])
    *_, design = shares
    if not design.is_part.any():
        # One without a section that says how is as any other text.
        shares = ()
    # What is left out of a summary that is quoted whole is no sentence of it; the status stands above.
    status = {line.sentence.index for line in status_of(extractor.documents[0]) if line.sentence is not None}
    eligible = np.array([each.index not in status for each in candidates.sentences], bool)
    if whole:
        eligible = (eligible & ~extractor.structure.gist.is_own_summary) | extractor.mask(whole)
    eligible &= ~_beside_the_best(extractor)
    points = _points(extractor, shares, budget)
    whole = sorted({*whole, *points})
    extractor = replace(extractor, scores=_by_part(extractor, shares))
    eligible |= extractor.mask(points)
    return extractor.select(words + int(budget), eligible, as_suits=True, given=whole, shares=shares)


def _points(extractor: Extractor, shares: Sequence[Share], budget: float) -> list[int]:
    """The first list of points that tells the problem, and the first that tells what is proposed.

    Where the sentence that announces them says how many they are, of each point its first sentence.
    """
    candidates = extractor.candidates
    texts = [sentence.text for sentence in candidates.sentences]
    found: list[int] = []
    for (part, _), share in zip(_SHARES, shares, strict=False):
        for position in np.flatnonzero(share.is_part).tolist() if part in _TOLD_BY_POINTS else ():
            announced = _ANNOUNCES_POINTS.match(texts[position]) if texts[position].endswith(":") else None
            if announced is None or extractor.structure.first[position] < 0:
                continue
            count = _COUNTS.get((announced["count"] or "").lower())
            points = _points_below(candidates, texts, position, count)
            told = [*range(int(extractor.structure.first[position]), position + 1), *points]
            words = candidates.num_words[told].sum()
            if _FEWEST_POINTS <= len(points) <= _MOST_POINTS and words <= _MOST_OF_POINTS * budget:
                found += told
                break
    return found


def _points_below(
    candidates: Candidates, texts: Sequence[str], position: int, count: int | None
) -> list[int]:
    opens, section = candidates.opens_paragraph, candidates.section
    after = np.flatnonzero(section == section[position])
    after = after[after > position]
    points: list[int] = []
    for row in after[opens[after].astype(bool)].tolist():
        is_single = row + 1 == len(texts) or section[row + 1] != section[row] or bool(opens[row + 1])
        is_point = candidates.num_words[row] <= _LONGEST_POINT and is_in_words(texts[row])
        is_point &= not texts[row].endswith((":", "?"))
        if not is_point or len(points) == count or (count is None and not is_single):
            break
        points.append(row)
    return points if count in (None, len(points)) else []


def _by_part(extractor: Extractor, shares: Sequence[Share]) -> Scores:
    """The scores, where what is wrong counts more, what changes by the design, and what that breaks."""
    candidates, scores = extractor.candidates, extractor.scores
    place = place_in_section(candidates)
    size = np.bincount(candidates.section)[candidates.section]
    paragraph = np.cumsum(candidates.opens_paragraph)
    is_topic = candidates.opens_paragraph & (np.bincount(paragraph)[paragraph] >= _LONG_PARAGRAPH)
    is_topic = is_topic & (candidates.num_words >= _SHORTEST_TOPIC)
    added = np.zeros(len(candidates))
    for (part, _), share in zip(_SHARES[:-1], shares, strict=False):
        for position in np.flatnonzero(share.is_part).tolist():
            text = candidates.sentences[position].text
            if part is Part.DESIGN:
                added[position] = (
                    _OF_A_CHANGE * (_CHANGES.search(text) is not None)
                    + _OF_A_CASE * (_IN_A_CASE.match(text) is not None)
                    + _OF_A_TOPIC * bool(is_topic[position] and shares[_PROPOSED].is_part[position])
                )
            elif part is Part.COST:
                added[position] = _OF_A_BREAK * (_BREAKS.search(text) is not None) + _OF_INCOMPATIBILITY * (
                    _INCOMPATIBLE.search(text) is not None
                )
            elif part is Part.PROBLEM:
                added[position] = (
                    _OF_A_WRONG * min(_MOST_WRONGS, len(_WRONG.findall(text)))
                    + _OF_A_TURN * (_TURNS.match(text) is not None)
                    + _OF_WHAT_FOLLOWS * (_PROPOSES.search(text) is not None)
                    + _OF_A_LEAD * (place[position] < _FIRST and size[position] >= _LONGER)
                )
    # How it is done is no better told than the rest.
    *_, design = shares or (Share(np.zeros(len(candidates), bool), 0.0),)
    if design.is_part.any():
        added[design.is_part] -= added[design.is_part].mean()
    added += _OF_A_DEFINITION * (design.is_part & _defines_heading(candidates))
    return replace(scores, values=scores.values + float(scores.values.std()) * added)


def _defines_heading(candidates: Candidates) -> BoolArray:
    """Which sentences say what the thing is that their section is headed with."""
    found = np.zeros(len(candidates), bool)
    for position, (sentence, section) in enumerate(
        zip(candidates.sentences, candidates.sections, strict=True)
    ):
        subject = defined_by(sentence.text)
        if subject and subject == _stems(plain_heading(section.heading)):
            found[position] = _JUDGES.match(sentence.text) is None
    return found


def _beside_the_best(extractor: Extractor) -> BoolArray:
    """What stands in a section of details beside the sentence that says most of it and is understood alone.

    What the title names is no detail.
    """
    candidates, structure = extractor.candidates, extractor.structure
    beside = np.zeros(len(candidates), bool)
    title = _stems(candidates.titles[0])
    can_be = structure.is_presentable & (structure.first == np.arange(len(candidates)))
    for number in np.unique(candidates.section).tolist():
        rows = np.flatnonzero(candidates.section == number)
        heading = section_path(candidates.sections[rows[0]]).split(PATH_BREAK)[-1]
        is_of_design = _part_of(section_path(candidates.sections[rows[0]])) is Part.DESIGN
        if not is_of_design or _OF_DETAIL.fullmatch(heading) is None or not title.isdisjoint(_stems(heading)):
            continue
        beside[rows] = True
        among = rows[can_be[rows]]
        if len(among):
            beside[among[np.argmax(extractor.scores.values[among])]] = False
    return beside


def _stems(heading: str) -> set[str]:
    return {stem(term) for term in split_terms(heading) if not is_function_word(term)}


def shares_of(candidates: Candidates, is_own_summary: BoolArray) -> tuple[Share, ...]:
    """The parts of a proposal that its text quotes, and how much of each.

    A section has the part of the innermost of the headings above it and its own that says; others are of the
    design. What costs nothing is no cost.

    Args:
        candidates: The sentences.
        is_own_summary: Which of them sum the proposal up.
    """
    paths = [section_path(section) for section in candidates.sections]
    part_of = {path: _part_of(path) for path in set(paths)}
    for path in dict.fromkeys(paths):
        if part_of[path] in (Part.PROPOSED, Part.DESIGN):
            break
        if part_of[path] is Part.REASON:
            part_of[path] = Part.PROBLEM
    parts = [
        Part.SUMMARY if is_own else part_of[path]
        for path, is_own in zip(paths, is_own_summary.tolist(), strict=True)
    ]
    for position, (path, part) in enumerate(zip(paths, parts, strict=True)):
        text = candidates.sentences[position].text
        is_cost = part is Part.COST and _OF_COMPATIBILITY.search(path) is None
        is_nothing = (is_cost and _NOTHING.search(text) is not None) or (
            part in (Part.PROPOSED, Part.DESIGN) and _AS_BEFORE.match(text) is not None
        )
        is_nothing |= part is Part.REASON and _INSTEAD.match(text) is not None
        if part is not Part.SUMMARY and (is_nothing or _is_beside(text)):
            parts[position] = Part.ASIDE
    # What is proposed is of the design.
    wider = {Part.DESIGN: (Part.PROPOSED, Part.DESIGN)}
    return tuple(
        Share(np.array([part in wider.get(each, (each,)) for part in parts], bool), size)
        for each, size in _SHARES
    )


def tells_a_risk(heading: str, text: str) -> bool:
    """Whether a sentence below a plain heading says what may go wrong, and not that nothing will."""
    return _OF_RISK.fullmatch(heading) is not None and _NOTHING.search(text) is None


def _is_beside(text: str) -> bool:
    """Whether a sentence is said beside what is proposed, or of what a summary does not show."""
    return (
        _BESIDE.match(text) is not None
        or _LATER.search(text) is not None
        or (("below" in text or "above" in text) and _ELSEWHERE.search(text) is not None)
        or ("ection " in text and _SECTION.search(text) is not None)
        or _LABEL.search(text) is not None
    )


def _part_of(path: str) -> Part:
    if is_aside(path):
        return Part.ASIDE
    for heading in reversed(path.split(PATH_BREAK)):
        for part, form in (
            (Part.ASIDE, _OF_WORK),
            (Part.COST, _COST),
            (Part.PROBLEM, _PROBLEM),
            (Part.REASON, _REASON),
        ):
            if form.fullmatch(heading):
                return part
        if tells_what_is_proposed(heading) or _GOALS.fullmatch(heading):
            return Part.PROPOSED
    return Part.DESIGN
