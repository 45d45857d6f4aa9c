"""The parts of a proposal: the problem it solves, what that costs, and how it is to be done.

A proposal that sums itself up says there what it proposes, and hardly why, how, and at what cost. A summary
of it gives each of these a share of its words.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import section_path
from lsum_cli.methods.extract.other_views import is_aside
from lsum_cli.methods.extract.selection import Share
from lsum_cli.text.patterns import regex


class Part(enum.StrEnum):
    """What the sections of a proposal tell."""

    PROBLEM = "problem"
    COST = "cost"
    DESIGN = "design"
    ASIDE = "aside"


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


def shares_of(candidates: Candidates) -> tuple[Share, ...]:
    """The parts of a proposal that its summary tells, and how much of each.

    A section has the part of the innermost of the headings above it and its own that tells; others are of the
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
