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
from lsum_cli.methods.extract.gist import place_in_section
from lsum_cli.methods.extract.kinds import section_path
from lsum_cli.methods.extract.other_views import is_aside
from lsum_cli.methods.extract.scoring import Scores
from lsum_cli.methods.extract.selection import Share
from lsum_cli.status import SERIES, status_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray


class Part(enum.StrEnum):
    """What the sections of a proposal are about."""

    SUMMARY = "summary"
    PROBLEM = "problem"
    COST = "cost"
    DESIGN = "design"
    ASIDE = "aside"


# A proposal has to say why, how and at what cost: its text is so much longer than what would suit another.
_FACTOR = 1.5
# What is quoted of it beside its own summary has at least so much of the length that suits.
_LEAST_BESIDE = 0.8
# What each gets of the words in turn: the document's own summary where that is not quoted whole, the others
# beside it. What is proposed comes before why, and takes what is left.
_SHARES = (
    (Part.SUMMARY, 0.4),
    (Part.DESIGN, 0.2),
    (Part.PROBLEM, 0.2),
    (Part.COST, 0.15),
    (Part.DESIGN, 1.0),
)

_PROBLEM = regex(
    r"(?:.* )?(?:motivations?|problems?|context)\b.*|background|why\b.*|introduction|inspiration|use cases"
    r"|need|rationale",
    re.IGNORECASE,
)
_COST = regex(
    r".*\b(?:compatibility|drawbacks?|consequences|risks?|impact|implications|security|privacy|limitations"
    r"|downsides|caveats|trade-?offs|disadvantages|upgrad\w*|migration|transition|deprecation"
    r"|potential issues|effects? on|adoption|breaking changes)\b.*|negative|positive|cons",
    re.IGNORECASE,
)
# What serves those who carry a proposal out, what illustrates it, what it leaves alone, aims in a line each.
_OF_WORK = regex(
    r"(?:non-?)?goals\b.*|out of scope|.*\bupgrade.*\bdowngrade\b.*|upgrade strategy|risks and mitigations"
    r"|(?:notifications?|developer|other deployer) impact|version skew.*"
    r"|.*\b(?:tests?|testing|monitoring|troubleshooting|scalability|rollout|rollback|documentation|graduation"
    r"|dependencies|assignees?|work items|milestones?|timeline|schedule|history|acknowledge?ments"
    r"|stakeholders|glossary|terminology|definitions|examples?|acceptance criteria|teach|preview"
    r"|support procedures|infrastructure needed|contributors|user stor(?:y|ies)|personas|status"
    r"|reference implementation|implementations|feature gate)\b.*",
    re.IGNORECASE,
)

# That nothing comes of it costs no words, unless the question is what stops working.
_NOTHING = regex(
    r"(?:\b(?:no|not any|nor|without)\b|n['’]t\b"
    r"|\bnot (?:\w+ )?(?:introduce|have|pose|affect|change|impact|add))"
    r"[^.;:]{0,60}\b(?:impact|effects?|issues?|risks?|concerns?|considerations?|implications?|overhead"
    r"|consequences|changes?|threats?|vectors?|vulnerabilit\w+|problems?)\b"
    r"|\bdo(?:es)? not (?:involve|require|alter|modify)\b|\b(?:will|can) use (?:the )?existing\b"
    r"|\bun(?:affected|changed)\b"
    r"|\bas (?:with|always)\b[^.;:]{0,30}\b(?:new|any)\b|^(?:none|n/a)\b",
    re.IGNORECASE,
)
# Notes, lines under a label of their own ("Lock house: …"), and what is left for later.
_BESIDE = regex(
    r"^(?:(?i:please note|note)\b|[A-Z][\w-]*(?: [\w-]+){0,3}: )"
    r"|\bin (?:the|a) (?:near )?future\b|\bfuture (?:work|proposals?)\b"
    r"|\bout of scope\b|\bnot (?:a )?part of this\b"
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
_OF_A_WRONG, _MOST_WRONGS, _OF_A_TURN, _OF_WHAT_FOLLOWS, _OF_AN_OPENING = 0.3, 2, 0.7, 0.4, -0.5
_FIRST, _LONGER = 2, 5  # sentences


def select_proposal(extractor: Extractor, whole: Sequence[int]) -> list[int]:
    """What a proposal says of itself; then why, at what cost, and above all how.

    Args:
        extractor: The proposal.
        whole: The positions of its own summary, where that is quoted whole.
    """
    candidates, suits = extractor.candidates, extractor.num_words
    words = int(candidates.num_words[list(whole)].sum())
    budget = max(_FACTOR * suits - words, _LEAST_BESIDE * suits)
    shares = shares_of(candidates, extractor.structure.gist.is_own_summary)
    *_, design = shares
    if not design.is_part.any():
        # One without a section that says how is as any other text.
        shares = ()
    # What is left out of a summary that is quoted whole is no sentence of it; the status stands above.
    status = {line.sentence.index for line in status_of(extractor.documents[0]) if line.sentence is not None}
    eligible = np.array([each.index not in status for each in candidates.sentences], bool)
    if whole:
        eligible = (eligible & ~extractor.structure.gist.is_own_summary) | extractor.mask(whole)
    extractor = replace(extractor, scores=_with_problems(extractor, shares))
    return extractor.select(words + int(budget), eligible, as_suits=True, given=whole, shares=shares)


def _with_problems(extractor: Extractor, shares: Sequence[Share]) -> Scores:
    """The scores, where of what tells the problem counts what says that something is wrong."""
    candidates, scores = extractor.candidates, extractor.scores
    place = place_in_section(candidates)
    size = np.bincount(candidates.section)[candidates.section]
    added = np.zeros(len(candidates))
    for (part, _), share in zip(_SHARES, shares, strict=False):
        for position in np.flatnonzero(share.is_part).tolist() if part is Part.PROBLEM else ():
            text = candidates.sentences[position].text
            added[position] = (
                _OF_A_WRONG * min(_MOST_WRONGS, len(_WRONG.findall(text)))
                + _OF_A_TURN * (_TURNS.match(text) is not None)
                + _OF_WHAT_FOLLOWS * (_PROPOSES.search(text) is not None)
                + _OF_AN_OPENING * (place[position] < _FIRST and size[position] >= _LONGER)
            )
    return replace(scores, values=scores.values + float(scores.values.std()) * added)


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
    parts = [
        Part.SUMMARY if is_own else part_of[path]
        for path, is_own in zip(paths, is_own_summary.tolist(), strict=True)
    ]
    for position, (path, part) in enumerate(zip(paths, parts, strict=True)):
        text = candidates.sentences[position].text
        is_cost = part is Part.COST and _OF_COMPATIBILITY.search(path) is None
        is_nothing = is_cost and _NOTHING.search(text) is not None
        if part is not Part.SUMMARY and (is_nothing or _BESIDE.search(text) is not None):
            parts[position] = Part.ASIDE
    return tuple(Share(np.array([part is each for each in parts], bool), size) for part, size in _SHARES)


def _part_of(path: str) -> Part:
    if is_aside(path):
        return Part.ASIDE
    for heading in reversed(path.split(PATH_BREAK)):
        for part, form in ((Part.ASIDE, _OF_WORK), (Part.COST, _COST), (Part.PROBLEM, _PROBLEM)):
            if form.fullmatch(heading):
                return part
    return Part.DESIGN
