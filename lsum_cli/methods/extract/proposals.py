"""The text of a proposal: what it says of itself, the problem it solves, what that costs, and how it is done.

A proposal that sums itself up says there what it proposes, and hardly why, how, and at what cost. A summary
of it gives each of these a share of its words.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import section_path
from lsum_cli.methods.extract.other_views import is_aside
from lsum_cli.methods.extract.selection import Share
from lsum_cli.status import status_of
from lsum_cli.text.patterns import regex


class Part(enum.StrEnum):
    """What the sections of a proposal are about."""

    PROBLEM = "problem"
    COST = "cost"
    DESIGN = "design"
    ASIDE = "aside"


# A proposal has to say why, how and at what cost: its text is so much longer than what would suit another.
_FACTOR = 1.5
# What is quoted of it beside its own summary has at least so much of the length that suits.
_LEAST_BESIDE = 0.8
# What each gets of the words beside the document's own summary. The design, the last, takes what is left.
_SHARES: Mapping[Part, float] = {Part.PROBLEM: 0.25, Part.COST: 0.25, Part.DESIGN: 1.0}

_PROBLEM = regex(
    r"(?:.* )?(?:motivations?|problems?|context)\b.*|background|why\b.*|introduction|inspiration|use cases"
    r"|goals|need|rationale",
    re.IGNORECASE,
)
_COST = regex(
    r".*\b(?:compatibility|drawbacks?|consequences|risks?|impact|implications|security|privacy|limitations"
    r"|downsides|caveats|trade-?offs|disadvantages|upgrad\w*|migration|transition|deprecation|version skew"
    r"|potential issues|effects? on|adoption|breaking changes)\b.*|negative|positive|cons",
    re.IGNORECASE,
)
# What serves those who carry a proposal out, what illustrates it, and what it leaves alone.
_OF_WORK = regex(
    r"non-?goals\b.*|out of scope"
    r"|.*\b(?:tests?|testing|monitoring|troubleshooting|scalability|rollout|rollback|documentation|graduation"
    r"|dependencies|assignees?|work items|milestones?|timeline|schedule|history|acknowledge?ments"
    r"|stakeholders|glossary|terminology|definitions|examples?|acceptance criteria|teach|preview"
    r"|support procedures|infrastructure needed|contributors|user stor(?:y|ies)|personas|status"
    r"|reference implementation|implementations|feature gate)\b.*",
    re.IGNORECASE,
)


def select_proposal(extractor: Extractor, whole: Sequence[int]) -> list[int]:
    """What a proposal says of itself; then why, at what cost, and above all how.

    Args:
        extractor: The proposal.
        whole: The positions of its own summary, where that is quoted whole.
    """
    candidates, suits = extractor.candidates, extractor.num_words
    words = int(candidates.num_words[list(whole)].sum())
    budget = max(_FACTOR * suits - words, _LEAST_BESIDE * suits)
    shares = shares_of(candidates)
    *_, design = shares
    if not (design.is_part & ~extractor.structure.gist.is_own_summary).any():
        # One without a section that says how is as any other text.
        shares = ()
    # What is left out of a summary that is quoted whole is no sentence of it; the status stands above.
    status = {line.sentence.index for line in status_of(extractor.documents[0]) if line.sentence is not None}
    eligible = np.array([each.index not in status for each in candidates.sentences], bool)
    if whole:
        eligible = (eligible & ~extractor.structure.gist.is_own_summary) | extractor.mask(whole)
    return extractor.select(words + int(budget), eligible, as_suits=True, given=whole, shares=shares)


def shares_of(candidates: Candidates) -> tuple[Share, ...]:
    """The parts of a proposal that its text quotes, and how much of each.

    A section has the part of the innermost of the headings above it and its own that says; others are of the
    design.
    """
    paths = [section_path(section) for section in candidates.sections]
    part_of = {path: _part_of(path) for path in set(paths)}
    return tuple(
        Share(np.array([part_of[path] is part for path in paths], bool), size)
        for part, size in _SHARES.items()
    )


def _part_of(path: str) -> Part:
    if is_aside(path):
        return Part.ASIDE
    for heading in reversed(path.split(PATH_BREAK)):
        for part, form in ((Part.ASIDE, _OF_WORK), (Part.COST, _COST), (Part.PROBLEM, _PROBLEM)):
            if form.fullmatch(heading):
                return part
    return Part.DESIGN
