"""The kinds of change that release notes name, in the order in which a reader wants them.

A change is of the kind that its label, the nearest heading that names one, or the title calls it; else of the
kind that its verb tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading, section_path
from lsum_cli.text.patterns import regex

_FEATURES = (
    r"(?:new |major |key |main |other |miscellaneous |notable |implemented )*"
    r"(?:features?(?: added)?|(?:feature )?additions?|enhancements?(?: made)?"
    r"|functionality)"
)
# The kinds of change in the order in which a reader wants them: heading, label of one, what names them.
KINDS: Sequence[tuple[str, str, str]] = (
    ("Overview", "", r"prelude|preface|overview|introduction|(?:release )?summary"),
    (
        "Highlights",
        "",
        r"(?:the |release |major |main |key )*highlights?!?(?: (?:of|in) (?:this|the) release)?"
        r"|summary [-–—]+ release highlights",
    ),
    (
        "Security",
        "Security",
        r"security(?: issues?| fix(?:es)?| (?:bug ?)?fix(?:es)?| updates?| notes?| notices?| announcements?)?"
        r"|vulnerabilit(?:y|ies)|cves?",
    ),
    (
        "Breaking changes",
        "Breaking",
        r"(?:potentially )?breaking(?: changes?)?(?: [/&] .*)?"
        r"|(?:potentially )?(?:backwards?[- ]?)?(?:in)?compatib(?:le"
        r"|ility|ilities)(?: api)?(?: changes?| notes?| breaks?| issues?| warts)?"
        r"|(?:backwards?[- ])?incompatibilities(?: .*)?"
        r"|(?:deprecations?|removals?)(?: and)? (?:backwards?[- ])?(?:incompatible )?breaking(?: changes?)?"
        r"|(?:key |major |other )?(?:api|behaviou?r(?:al)?)(?: and \w+)?(?: changes?| breaks?)"
        r"|changes? (?:in|to|of) (?:the )?(?:api|behaviou?r|defaults?)"
        # "tidal.gauge changes" below what is no longer compatible.
        r"|[a-z]\w*\.[\w.]+ changes",
    ),
    (
        "Upgrade notes",
        "Upgrade",
        r"(?:notes? (?:on|for) )?upgrad(?:e|ing)(?: (?:notes?|impact|instructions|considerations|path"
        r"|to .*|from .*))?|critical(?: issues?)?"
        r"|migrati(?:on|ng)(?: .*)?|(?:very )?important(?: notes?)?|action required"
        r"|before upgrading"
        r"|(?:\w+ )?(?:requirements|compatibility)|supported versions|required changes|notes|caveats?",
    ),
    (
        "Removed",
        "Removed",
        r"(?:features? |deprecated (?:features? )?|\w+ )?remov(?:ed|als?)(?: \w+){0,2}|dropped|expired \w+"
        r"|deprecations? removals?|removals? and .*|removed or .*|.*\bnow removed|end of support",
    ),
    (
        "Deprecations",
        "Deprecated",
        r"(?:(?:new |api |pending |\w+ )?deprecat(?:ions?|ed)(?: (?:notes?|features?|apis?|and removals?))?)"
        r"|features? deprecated",
    ),
    (
        "New features",
        "New",
        rf"{_FEATURES}(?: (?:and|&) .*)?|new features in .*|[\w, ]+ (?:and|&) features|added"
        r"|new(?: in this release)?"
        r"|(?:improve(?:d|ments?))(?: and .*)?|(?!doc|test|build|internal|maint"
        r"|pack)[a-z]\w*(?:\.[\w.]+)? improvements|what['’]s new|enhanced|new (?:commands|modules|plugins"
        r"|options|functions)|performance(?: improvements?)?",
    ),
    (
        "Changes",
        "",
        r"chang(?:es?|ed)|what['’]s changed|(?:notable|note[- ]?worthy|major|important) changes|updated?"
        r"|updates|c[- ]api changes|changes (?:to|in) (?-i:[A-Z])[\w-]*"
        r"|.*\(backwards?[- ]compatible\)",
    ),
    (
        "Smaller changes",
        "",
        r"(?:minor|small(?:er)?|lesser|tiny) (?:new )?(?:features?|changes|improvements|enhancements|fixes)",
    ),
    (
        "Known issues",
        "Known issue",
        r"(?:known )?issues?|known (?:bugs|problems|limitations)(?: .*)?|limitations",
    ),
    # What was wrong, as those who met it say.
    (
        "Issues closed",
        "Issue closed",
        r"(?:\d+ )?(?:(?:issues?|bugs?|tickets?|bug reports?) closed|closed (?:issues?|bugs?|tickets?"
        r"|bug reports?))(?: .{0,20})?",
    ),
    (
        "Bug fixes",
        "Fix",
        r"(?:(?:other |miscellaneous |notable )+fixes and improvements"
        r"|(?:important |other |minor |major )?bug[- ]?)?fix(?:es|ed)?(?: since.*)?"
        r"|(?:fixed |resolved )?(?:bugs?|issues?|regressions?)(?: (?:fix(?:e[sd])?|resolved))?(?: .{0,20})?"
        r"|resolved(?: issues)?",
    ),
    (
        "Other changes",
        "",
        r"others?(?: notes?| changes?| improvements?)?|misc(?:ellaneous|ellany)?\.?|internals?(?: changes)?"
        r"|(?:improved )?doc(?:umentation|s)?(?: improvements?| updates?| changes?)?|docs"
        r"|nightly(?: only)?|unstable(?: features?)?|experimental(?: features?| changes?)?"
        r"|development(?: changes?)?|maintenance(?: and upkeep improvements)?|chores?|ci|tests?"
        r"|build(?: system)?(?: changes?)?|packaging"
        r"|(?:vendored|new) (?:libraries|dependencies|contributors)|dependencies|trivial changes"
        r"|refactor(?:ing|s)?"
        r"|acknowledge?ments?|test(?:ing|s)? ?(?:/|and|&) .*"
        r"|quality assurance|process|performance, .*|commits|all changes|credits|statistics"
        r"|(?:other )?(?:merged )?(?:pull[- ]requests?|prs)(?: merged)?|(?:\d+ )?(?:authors|reviewers"
        r"|contributors)\b.*",
    ),
)
(
    OVERVIEW, HIGHLIGHTS, SECURITY, BREAKING, UPGRADE, REMOVED, DEPRECATED, FEATURES, CHANGES, SMALLER, _,
    CLOSED, FIXES, OTHER,
) = range(len(KINDS))  # fmt: skip
_KINDS_OF_TAGS = {
    "API": BREAKING, "BUG": FIXES, "DEP": DEPRECATED, "DEPR": DEPRECATED, "ENH": FEATURES, "FIX": FIXES,
    "PERF": FEATURES,
}  # fmt: skip
_PATTERNS = tuple(regex(rf"(?:{names})", re.IGNORECASE) for _, _, names in KINDS)
# "Features deprecated in 5.2", "What's new in Lathe 3.1 (May 2, 2024)", "New Features - Parser", "Fixes:".
_OF_A_RELEASE = regex(
    r"(?: (?:in|for|since|from|of|to|between|with)(?: the)?(?: [A-Z][\w.-]*){0,3} ?v?\d+(?:\.[\dx]+)*.*"
    r"|,? [-–—] .*|:.*|[:.]+| \([^()]*\))$"
)
LABEL = regex(
    r"(?:[-*•] )?(?P<label>[A-Za-z]+(?: [a-z]+){0,2}) ?: ?(?=[\[A-Z“\"'`(_a-z0-9/-])", re.IGNORECASE
)
# "BACKWARDS INCOMPATIBLE Dropped …"
_LABEL_IN_CAPITALS = regex(r"(?:[-*•] )?(?P<label>[A-Z]{4,}(?:[ -][A-Z]{4,}){0,2}) (?=[A-Z][a-z]|[“\"'`(_])")
# "[ADDED] A gate"; what stands in others is a part of the program, or who made it.
IN_BRACKETS = (
    r"added|new|changed?|fix(?:es|ed)?|bug ?fix|removed|deprecated|feature|enhancement|improve(?:ment|d)"
    r"|breaking(?: changes?)?|security|internal|documentation|docs?"
)
_LABEL_IN_BRACKETS = regex(
    rf"(?:[-*•] )?\[(?P<label>{IN_BRACKETS})\]:? (?=\S)",
    re.IGNORECASE,
)
# "#8131: ENH: …", "BUG, MAINT: …", "[MRG+1] FIX …", as the scientific projects of Python write; that a change
# is ready or not says nothing of its kind.
TAG = regex(
    r"(?:[-*•] )?(?:PR ?)?(?:#\d+:? )?"
    r"(?P<ready>\[(?:MRG|WIP)(?:\+\d)?\]:? ?|(?:MRG|WIP)(?:\+\d)?(?:[,:/]| (?=[A-Z])) ?)?"
    r"(?:(?P<tag>API|BENCH|BLD|BUG|CI|DEP|DEPR|DEV|DOC|ENH|MAINT|MNT|PERF|REL|REV|STY|TST|TYP)"
    r"(?:[,/] ?[A-Z]{2,5})*: "
    r"|\[(?P<bracketed>BUG|DOC|ENH|FIX|MAINT|MNT|STY|TST)\]:? "
    r"|(?P<bare>BUG|DOC|ENH|FIX|MAINT|MNT|STY|TST) (?=[A-Z][a-z])"
    r"|(?(ready)|(?!)))"
)
# What users lose, under whatever heading.
_DROPS = regex(
    r"\b(?:(?:drop(?:s|ped|ping)?|remov(?:e[sd]?|al of)|ends?|ended) (?:(?!test|ci\b)[\w.]+ ){0,3}support"
    r"|support\b.{0,80}\b(?:is|was|has been) (?:being )?(?:dropped|removed|discontinued)"
    r"|no longer support(?:s|ed|ing)?|stop(?:s|ped|ping)? (?:support|supporting)\b"
    r"|[a-z]\w* v?\d[\d.]* is (?:now )?(?:eol|end[- ]of[- ]life)"
    r"|minimum (?:supported |required )?(?:\w+ ){0,2}versions?"
    r"|is now (?:required|needed)|requires? (?:\w+ )?(?:python|[\w.-]+(?= [>≥])) (?:[>≥]=? ?)?v?\d"
    r"|remov(?:e[sd]?|ing) python v?\d"
    r"|^drop(?:s|ped)? (?:\w+ )?[a-z]\w* v?\d+(?:\.\d+)*)\b"
)
# "https://…/pull/550 -- drop Lathe 2.7"
LINK_BEFORE = r"https?://\S+ (?:--|[-–—]) (?=\S)"
_LINK_BEFORE = regex(LINK_BEFORE)
# What ends the support of something has one of these, in small letters.
_WORDS_OF_SUPPORT = ("support", "requir", "minimum", "drop", "remov", "needed")
# "Unpin the gate now that support for … has been dropped"
_REASON = regex(r" (?:now that|because|since)\b")
# "Python 3.9", "SQLite < 3.37", "Windows": what a program runs on or with, by its name.
_PLATFORM = regex(
    r"(?<![\w.+-])(?:(?P<name>[A-Z][\w.+-]{0,40}|python|pypy) (?:versions? )?(?:is )?(?:now )?"
    r"(?:[<>=≤≥]+ ?)?v?\d+(?:\.\w+)*|(?P<system>[Mm]ac ?OS|OS ?X|Windows|Linux|32[- ]bit))(?![\w-])"
)
_VERSION = regex(r"(?<![\w.])\d{1,9}(?:\.\d{1,9})?(?![\w])")
# "Python 2.7, 3.3 and 3.4": what follows the first version, and the first two numbers of each.
_MORE_VERSIONS = regex(r"(?:(?:,| and|, and| or| &|/) ?(?:[A-Za-z]+ )?v?\d+(?:\.\d+)*)*")
_ONE_VERSION = regex(r"(?<![\w.])(\d{1,4})(?:\.(\d{1,4}))?")
_REQUIRES = regex(
    r"\b(?:requires?|required|needed|minimum|at least|or (?:higher|later|newer))\b", re.IGNORECASE
)
_RUNS_ON = regex(r"\b(?:support|compatib)\w*\b.{0,20}$", re.IGNORECASE)
_IS_RUN_ON = regex(r"(?:(?:,| and| or| &|/) ?v?\d+(?:\.\d+)*)* support\b(?! (?:is|was|has|will)\b)")
_WORDS_OF_RUNNING = ("support", "compatib")
# A changed licence, a changed default and a new dependency, under whatever heading.
_CHANGES_TERMS = regex(
    r"\bre-?licen[cs]ed\b|\blicen[cs]e\b.{0,20} (?:changed|switched|moved)\b"
    r"|\b(?:chang|switch|mov)\w* .{0,30}\blicen[cs]e\b"
    r"|\bnow (?:\w+ ){0,3}licen[cs]ed\b"
)
_CHANGES_DEFAULT = regex(
    r"\bnow\b.{0,50}\bby default\b|\bby default now\b|\bnow (?:the )?defaults?\b"
    r"|\bdefaults?\b.{0,50}\b(?:(?:is|are) now|(?:is|was|has been|are|were) (?:now )?(?:changed|raised))\b"
    r"|\b(?:change[sd]?|raise[sd]?) (?:the )?(?:\w+ )?default\b"
)
_NEEDS_ANOTHER = regex(
    r"\bnow (?:\w+ )?(?:depends? on (?!that\b|an?\b|the\b)|requires? (?!that\b|to\b)|targets? [\w.+#-]+ v?\d)"
)
_IMPROVES = regex(r"\b(?:improve|performance|optimi[sz])", re.IGNORECASE)
_IS_ALTERED = regex(
    r"(?:[*•-]+ )?(?:(?:improv|updat|enhanc|chang|renam|fix|document|mov|refactor|clean|correct|replac"
    r"|convert|optimi[sz]|rewrot|rework|revis|mak|made|allow|enabl|switch|upgrad|bump|extend|expand|increas|reduc"
    r"|simplif|expos)(?:p?ed|e|es|s|ies|ied|ing)?)\b",
    re.IGNORECASE,
)
_DOES_OTHERWISE = regex(
    r"(?:[*•-]+ )?(?:add|bump|allow|support(?!\w* (?:for|of)\b)|introduc|improv|fix|updat|upgrad|rais"
    r"|increas)(?:s|es|e|ed|ing)? (?=\w)",
    re.IGNORECASE,
)
# "Removed unused files" is a change, "Removed features" heads a list of some.
_REMOVES_REST = regex(
    r"removed (?:unused|unneeded|unnecessary|old|dead|obsolete|redundant|stale)\b", re.IGNORECASE
)
_LEAST_LABELLED = 0.5
_LONGEST_HEADLINE = 40  # characters
_BREAKS = regex(
    r"(?<!-)\bbreaking(?: (?:[\w-]+ )?changes?\b(?! (?:in|from|of|to) (?:\w+ )?v?\d)|:)"
    r"|backwards?[- ]incompatib|no longer supported|\b(?:drop(?:s|ped)?|remov(?:e|es"
    r"|ed)) (?:(?!test|ci\b)\w+ )?support"
    r"|^[-*• ]*(?:(?:dropp|remov)ing (?:(?!test|ci\b)\w+ )?support|\w+(?:\([^()]*\))?!: )",
    re.IGNORECASE,
)
# It has one of these, in small letters.
_WORDS_OF_BREAKS = ("breaking", "incompatib", "support", "!: ")
_DENIES_BREAK = regex(
    r"\b(?:no|not|without) (?:an? |any )?(?:breaking|backwards?[- ]incompatib)", re.IGNORECASE
)
# "a fix for the breaking changes of …", "caused by backwards-incompatible changes": others made them.
_NEAR = 60  # characters
_MENTIONS = regex(
    r"\b(?:no|not|non|nor|any|of|for|by|from|to|after|about|without|avoid\w*|prevent\w*|handl\w*|detect\w*)"
    r"(?: (?:an?|the|any|some|potential(?:ly)?|possibl[ey]|future|upstream|recent))*+ $",
    re.IGNORECASE,
)
# "After breaking changes in the format old books cannot be read": the cause of what is said.
_BEGINS_WITH_CAUSE = regex(r"[-*• ]*(?:after|following|because of|due to|owing to)\b", re.IGNORECASE)
# "Fixes dates: BREAKING CHANGE: …", "Fix dates [BREAKING]", but not "Fix 'BREAKING CHANGE:' in the log".
_DECLARES_BREAK = regex(r"(?:^|[-–—:.;,!(\[*] ?)BREAKING(?:[ -]CHANGES?)?(?:[])]|\** ?:)")
# So are defects: what a fix removes nobody misses.
_IS_REMOVED = regex(
    r"\b(?:(?:has|have) been|was|were|is|are) removed\b"
    r"|\b(?:variables?|options?|settings?|arguments?|parameters?|flags?|functions?|methods?|class(?:es)?"
    r"|commands?|modules?|endpoints?) (?:is|are) no longer (?:used|read|available|accepted|provided|included"
    r"|shipped|honou?red)\b",
    re.IGNORECASE,
)
_WORDS_OF_REMOVAL = ("removed", "no longer")
_IS_OBSTACLE = regex(
    r"\b(?:limit\w*|restrictions?|requirements?|constraints?|need|warnings?|bugs?|overhead|pins?)\b",
    re.IGNORECASE,
)
# "The pin for Lathe has been removed" takes nothing from users; "the cap on requests" may.
_UNPINS = regex(
    r"\b(?:pin|cap|upper (?:bound|limit)) (?:for|on|of) (?:the )?(?:(?:\w+ )?(?:versions?|dependency"
    r"|dependencies|packages?)\b|`|(?-i:[A-Z])[\w.-]*(?: v?[<>=\d]\S*)? (?:has|have|was|were|is|are|in)\b"
    r"|[\w.-]+(?: |(?=[<>=]))v?[<>=]* ?\d)"
    r"|\bversion (?:pin|cap|(?:upper )?(?:bound|limit))\b",
    re.IGNORECASE,
)
# What asks less of users than before.
_LOOSENS = regex(r"[-*• ]*(?:loosen?|relax|unpin|lower)(?:e?d|s|ing)?\b", re.IGNORECASE)
_IN_BRACKETS = regex(r" ?\([^()]*\)")
_IS_NEW = regex(r"(?:new|add(?:ed|s)?|support)\b", re.IGNORECASE)
_IS_DEPRECATED = regex(r"\b(?:is|are|has been|have been) (?:now |also )?deprecated\b", re.IGNORECASE)
_NUMBERED_FLAW = regex(r"\b(?:CVE-\d|GHSA-)")
# "This security release …", "Addressed high-severity security issues."
_IS_OF_SECURITY = regex(
    r"\bsecurity (?:\w+ )?releases?\b"
    r"|^(?:[*•-]+ )?(?:fix|address|resolv|patch|mitigat)\w* "
    r"(?:(?:an?|the|all|some|several|various|multiple|many|few|number|of|high|medium|low|critical|severity"
    r"|[a-z]+-severity|potential|possible|known|recent|following) )*"
    r"(?:security (?:issues?|problems?|bugs?|holes?|flaws?)|(?:security )?vulnerabilit(?:y|ies))[.:]?$",
    re.IGNORECASE,
)
_ADDRESSES_FLAW = regex(
    r"\b(?:address|fix|resolv|mitigat|patch|prevent)\w*\b.{0,40}"
    r"\b(?:vulnerab|security (?:issue|problem|hole|bug|flaw)|CVE-\d|GHSA-|(?:arbitrary|remote) code execution"
    r"|privilege escalation)",
    re.IGNORECASE,
)
# "[parser] **SECURITY** Reject …"
_DECLARES_FLAW = regex(r"(?:^|[\])*•-] |: )\**SECURITY\b(?! (?i:fix|release|update)\w*\b)")
# What addresses a flaw has one of these, in small letters.
_WORDS_OF_FLAWS = ("security", "vulnerab", "cve-", "ghsa-", "code execution", "privilege escalation")
_IS_HARMLESS = regex(
    r"\b(?:none of (?:which|them)|(?:does|do|did) not|doesn['’]t|don['’]t) affect", re.IGNORECASE
)
_SECURES = regex(r"\bCVE-\d|\bGHSA-|\bvulnerab|\bsecurity\b|side[- ]channel", re.IGNORECASE)
# "Bug #12: the bell cannot be heard", "Issue 12: KeyError when …" is what was wrong. Other numbers ask for
# things, and what an issue says is not so may be how it is now.
_SYMPTOM = (
    r"\b(?:(?(bug)(?:(?:does|do|is|are|has|can|will)(?:n['’]t| not)|can(?:not|['’]t)|fails)|(?!))"
    r"|(?:did|was|were|had|could|would)(?:n['’]t| not| wrongly| incorrectly)"
    r"|(?:wrong|incorrect|erroneous)ly \w+ed|failed|crash(?:es|ed)?|seg(?:v|faults?)|hangs"
    r"|\w+(?:Error|Exception)\b.{0,40}? (?:when|for|with|from|after|if|instead|in)|has no attribute)\b"
)
_NUMBERED_BUG = regex(
    r"(?:[*•-]+ )?(?:(?P<bug>bug(?: ?fix)?):? #?\d[\d/#, ]*[:-] |(?:\w+ )?issue #?\d+(?:: | - ))"
    r"(?!(?:add|allow|support|make|use|let|now|please|raise|throw|return|reject|refuse)s?\b)"
    rf".*{_SYMPTOM}",
    re.IGNORECASE,
)
# "Typing wrongly suggested …" and "The timeout did not stop …" say how it was.
_WAS_WRONG = regex(
    r"(?!.*\b(?:now|no longer|anymore|any more|instead|should|must|fix(?:e[sd])?|will)\b)"
    r".*\b(?:did(?:n['’]t| not) (?!break|change)|(?:wrong|incorrect|erroneous)ly \w+ed\b"
    r"|(?:was|were) not (?:properly|correctly) |(?:was|were) (?:wrongly|incorrectly|not properly) )",
    re.IGNORECASE,
)
COMMITTED = regex(r"(?:[*•-]+ )?(feat|fix)(?:\([^()]*\))?!?: ", re.IGNORECASE)
URGENCY_OF_LOSS, URGENCY_OF_ADDITIONS, URGENCY_OF_SMALLER, URGENCY_OF_OTHERS = 2, 3, 5, 6
_FIXES = regex(r"(?:[\w./-]+: )?(?:fix(?:e[sd])?|correct(?:ed|s)?|repair(?:ed|s)?)\b", re.IGNORECASE)
_ADDS = regex(r"(?:[\w./-]+: )?(?:add(?:ed|s)?|new|introduced?|implement(?:ed|s)?)\b", re.IGNORECASE)
# What kind a change is of that no heading and no label tells of.
_BY_VERB = (
    (FIXES, _FIXES),
    (FEATURES, _ADDS),
    (REMOVED, regex(r"(?:[\w./-]+: )?(?:remov|drop)(?:p?ed|e?s|e)?\b", re.IGNORECASE)),
    (DEPRECATED, regex(r"(?:[\w./-]+: )?deprecate[sd]?\b", re.IGNORECASE)),
)


def tells_kinds(candidates: Candidates) -> bool:
    """Whether at least half of the paragraphs of release notes tell what kind of change they are of."""
    openings = np.flatnonzero(candidates.opens_paragraph).tolist()
    labels = [kind_of_label(sentence.text) for sentence in candidates.sentences]
    known = [labels[row] >= 0 or kind_of_heading(candidates, row) >= 0 for row in openings]
    return (any(known) or max(labels) >= 0) and sum(known) >= _LEAST_LABELLED * len(openings)


def is_of_a_kind(candidates: Candidates, row: int) -> bool:
    """Whether the label or the heading of a sentence tells what kind of change it is of."""
    return kind_of_label(candidates.sentences[row].text) >= 0 or kind_of_heading(candidates, row) >= 0


def kind_of_heading(candidates: Candidates, row: int, release: str | None = None) -> int:
    """The kind that the nearest heading above a sentence names, or the title; -1 where none does.

    "Miscellaneous" below "Removals" lists what is removed.

    Args:
        candidates: The sentences of the notes.
        row: The position of the sentence.
        release: The name of its release, if the notes are of several: "What's new in Lathe 3.1" heads
            whatever changed.
    """
    path, title = section_path(candidates.sections[row]), candidates.titles[row]
    kind = _kind_of_path(path, title)
    if kind == FEATURES and release is not None and kind_named_by(plain_heading(release)) == FEATURES:
        others = [each for each in path.split(PATH_BREAK) if each != plain_heading(release)]
        found = _kind_of_path(PATH_BREAK.join(others), "" if title == release else title)
        return CHANGES if found < 0 else found
    return kind


@lru_cache(maxsize=4096)
def _kind_of_path(path: str, title: str) -> int:
    named = [kind for heading in reversed(path.split(PATH_BREAK)) if (kind := kind_named_by(heading)) >= 0]
    of_title = kind_named_by(plain_heading(title))
    if of_title >= 0:
        named.append(of_title)
    if named and named[0] == OTHER:
        return next((kind for kind in named if kind not in (OTHER, CHANGES)), OTHER)
    return named[0] if named else -1


@lru_cache(maxsize=4096)
def kind_named_by(heading: str) -> int:
    """The kind that a heading or a label names, as a position in :data:`KINDS`, else -1."""
    whole = heading.strip(" :.")
    for text in (whole, _OF_A_RELEASE.sub("", whole)):
        for kind, names in enumerate(_PATTERNS):
            if names.fullmatch(text):
                return kind
    return -1


@lru_cache(maxsize=1 << 13)
def kind_of_label(text: str) -> int:
    """The kind that the label before a change names, as a position in :data:`KINDS`, else -1."""
    if (tagged := TAG.match(text)) is not None:
        change = text[tagged.end() :]
        tag = tagged["tag"] or tagged["bracketed"] or tagged["bare"]
        if tag == "DEP" and _ADDS.match(change):
            # Some call what they depend on so.
            return CHANGES
        if tag == "API" and (_IS_DEPRECATED.search(change) or change.startswith("Deprecate")):
            return DEPRECATED
        if tag is not None:
            return _KINDS_OF_TAGS.get(tag, OTHER)
        text = change
    if is_numbered_bug(text):
        return FIXES
    found = label_before(text)
    return kind_named_by(found["label"]) if found else -1


def label_before(text: str) -> re.Match[str] | None:
    """The words before a change that may be the label of its kind, as the group ``label``."""
    return LABEL.match(text) or _LABEL_IN_CAPITALS.match(text) or _LABEL_IN_BRACKETS.match(text)


def kind_of_line(text: str) -> int:
    """The kind that a line of its own names, as a heading above a list, else -1."""
    if len(text) > _LONGEST_HEADLINE or text.endswith((".", ";", ",")):
        return -1
    # "Compatibility with Lathe 2.5" may be a change, "Compatibility:" and "1. Changes to Lathe" are none.
    named = plain_heading(text.strip("*_=: ")) if text[:1].isdigit() else text.strip("*_=: ")
    if text.endswith(":"):
        return kind_named_by(named)
    if _REMOVES_REST.match(named) is not None:
        return -1
    # "API changes (backwards incompatible)"
    of_release = _OF_A_RELEASE.search(named)
    is_named = of_release is None or kind_named_by(of_release[0].strip(" ()")) >= 0
    return kind_named_by(named) if is_named else -1


def kind_by_verb(text: str, otherwise: int) -> int:
    """The kind that the verb of a change tells, or what it breaks; ``otherwise`` where neither does."""
    if (_says_it_breaks(text) or _is_removed(text)) and not _FIXES.match(text):
        return BREAKING
    if _DECLARES_BREAK.search(text) is not None:
        return BREAKING
    if (committed := COMMITTED.match(text)) is not None:
        return FEATURES if committed[1].lower() == "feat" else FIXES
    return next((kind for kind, verb in _BY_VERB if verb.match(text)), otherwise)


def tells_flaw(text: str) -> bool:
    """Whether a change only says what was wrong before it."""
    return _WAS_WRONG.match(text) is not None or is_numbered_bug(text)


def is_numbered_bug(text: str) -> bool:
    """Whether a change is the report of a flaw with its number; a heading above it may know better."""
    return _NUMBERED_BUG.match(text) is not None


def drops_support(text: str) -> bool:
    """Whether a change ends the support of something, or requires a later version of it."""
    if not any(map(text.lower().__contains__, _WORDS_OF_SUPPORT)):
        return False
    if _FIXES.match(text) is not None or _LOOSENS.match(text) is not None:
        return False
    if _ADDS.match(text) is not None:
        # "Add a gate (requires Lathe >= 0.12)": only the gate does.
        text = _IN_BRACKETS.sub("", text)
    tagged = TAG.match(text) or _LINK_BEFORE.match(text)
    text = text[tagged.end() :] if tagged else text
    return _DROPS.search(_without_reason(text).lower()) is not None


def _without_reason(text: str) -> str:
    reason = _REASON.search(text)
    return text[: reason.start()] if reason else text


def platform_ended(text: str) -> str | None:
    """What a change ends the support of, if that is a version of something or a system: "python"."""
    found = _PLATFORM.search(text) if drops_support(text) else None
    return (found["name"] or found["system"]).lower() if found else None


def versions_ended(text: str) -> frozenset[tuple[int, ...]]:
    """The versions that a change ends the support of: 2.7 and 3.3 of "Drop Python 2.7 and 3.3"."""
    found = _PLATFORM.search(text) if drops_support(text) and _REQUIRES.search(text) is None else None
    if found is None or not found["name"]:
        return frozenset()
    more = _MORE_VERSIONS.match(text, found.end())
    versions = text[found.end("name") : more.end() if more else found.end()]
    return frozenset(
        tuple(int(number) for number in each.groups() if number) for each in _ONE_VERSION.finditer(versions)
    )


def platform_supported(text: str) -> str | None:
    """What a change is about the support of, if that is a version of something: "Support Python 3.13"."""
    if not any(map(text.lower().__contains__, _WORDS_OF_RUNNING)):
        return None
    found = _PLATFORM.search(text)
    if found is None or _FIXES.match(text) is not None:
        return None
    if not _RUNS_ON.search(text, 0, found.start()) and not _IS_RUN_ON.match(text, found.end()):
        return None
    return (found["name"] or found["system"]).lower()


def ends_the_same(text: str, other: str) -> bool:
    """Whether two changes end the support of the same version, or one ends it and one requires the next."""
    if platform_ended(text) != platform_ended(other):
        return False
    versions = [[tuple(map(int, each.split("."))) for each in _VERSION.findall(one)] for one in (text, other)]
    needs = [_REQUIRES.search(each) is not None for each in (text, other)]
    # "Requires 3.8" ends 3.7; "drops 3.8" does not.
    step = 0 if needs[0] == needs[1] else 1 if needs[1] else -1
    return any(
        first == second
        or (
            step != 0
            and len(first) == len(second)
            and first[:-1] == second[:-1]
            and second[-1] - first[-1] == step
        )
        for first, second in product(*versions)
    )


def must_be_known(kind: int, text: str) -> bool:
    """Whether whoever upgrades must know it: security, what is needed or yanked, the licence, defaults."""
    if kind == SECURITY or kind_by_flaw(text) is not None:
        return True
    if platform_ended(text) is not None or changes_terms(text):
        return True
    small = text.lower()
    if "yanked" in small:
        return True
    return kind != FIXES and (
        platform_supported(text) is not None
        or ("default" in small and _CHANGES_DEFAULT.search(small) is not None)
        or ("now " in small and _NEEDS_ANOTHER.search(small) is not None)
    )


def changes_terms(text: str) -> bool:
    """Whether a change is one of the licence."""
    small = text.lower()
    return "licen" in small and _CHANGES_TERMS.search(small) is not None


def kind_by_loss(text: str) -> int | None:
    """The kind of a change that takes something from users, however the list is called that tells it."""
    if drops_support(text):
        return BREAKING
    text = text.lower()
    if _IS_NEW.match(text):
        return None
    if _is_removed(text) and not _IS_OBSTACLE.search(text):
        return REMOVED
    return DEPRECATED if _IS_DEPRECATED.search(text) else None


def kind_by_removal(text: str) -> int | None:
    """The kind of a change that says first of all that something is removed or deprecated."""
    return next(
        (
            kind
            for kind, verb in _BY_VERB
            if kind in (REMOVED, DEPRECATED) and verb.match(text) and not _IS_OBSTACLE.search(text)
        ),
        None,
    )


def kind_by_flaw(text: str, *, is_internal: bool = False) -> int | None:
    """Security, of a change that addresses a vulnerability, however its list is called.

    Args:
        text: The sentence that says it.
        is_internal: Whether its list is of what concerns the makers; there a number alone shows nothing.
    """
    if not any(map(text.lower().__contains__, _WORDS_OF_FLAWS)) or _IS_HARMLESS.search(text):
        return None
    names = [_ADDRESSES_FLAW, _DECLARES_FLAW, *([] if is_internal else [_NUMBERED_FLAW, _IS_OF_SECURITY])]
    return SECURITY if any(each.search(text) for each in names) else None


def numbers_flaw(text: str) -> bool:
    """Whether a sentence names a flaw by its number in a public list."""
    return "CVE-" in text or "GHSA-" in text


def is_of_security_in_general(text: str) -> bool:
    """Whether a sentence says that a release is one of security, and not what was wrong."""
    small = text.lower()
    if "security" not in small and "vulnerab" not in small:
        return False
    return _IS_OF_SECURITY.search(text) is not None and _NUMBERED_FLAW.search(text) is None


def _breaks(kind: int, text: str, *, is_cut: bool) -> bool:
    """Whether a change may break what users have."""
    if kind == CLOSED:
        return False
    is_gone = kind not in (FIXES, OTHER) and not _FIXES.match(text) and _is_removed(_without_reason(text))
    is_cut = is_cut or _DECLARES_BREAK.search(text) is not None
    return is_cut or is_gone or (_says_it_breaks(text) and _FIXES.match(text) is None)


def _says_it_breaks(text: str) -> bool:
    if not any(map(text.lower().__contains__, _WORDS_OF_BREAKS)):
        return False
    text = _without_reason(text)
    is_cause = _BEGINS_WITH_CAUSE.match(text) is not None
    return any(
        is_cause or _MENTIONS.search(text, max(0, found.start() - _NEAR), found.start()) is None
        for found in _BREAKS.finditer(text)
    )


def _is_removed(text: str) -> bool:
    return any(map(text.lower().__contains__, _WORDS_OF_REMOVAL)) and (
        _IS_REMOVED.search(text) is not None and _UNPINS.search(text) is None
    )


def label_of(kind: int, text: str, heading: str, *, is_cut: bool = False) -> str | None:
    """What a change of a release is to be labelled as; ``None`` where nothing needs saying.

    Args:
        kind: The kind of the change.
        text: The sentence that says it.
        heading: That of its section; what is only improved is not new.
        is_cut: Whether it is the rest of "feat!: …".
    """
    if _breaks(kind, text, is_cut=is_cut):
        return "Breaking"
    if kind == BREAKING and _DENIES_BREAK.search(text):
        return None
    if (committed := COMMITTED.match(text)) is not None:
        return KINDS[FEATURES if committed[1].lower() == "feat" else FIXES][1]
    if kind in (OTHER, CHANGES, SMALLER) or (kind == FEATURES and _IMPROVES.search(heading)):
        return None
    if kind == SECURITY and (text.lower().startswith("security ") or _DECLARES_FLAW.search(text)):
        return None
    # "Fixed …" needs no label, and what is "Updated" is not new.
    is_told = any(each == kind and verb.match(text) for each, verb in _BY_VERB)
    is_told |= kind == FEATURES and _IS_ALTERED.match(text) is not None
    # What is added or raised is not deprecated, whatever its list is called.
    is_told |= kind == DEPRECATED and _DOES_OTHERWISE.match(text) is not None
    return None if is_told else KINDS[kind][1] or None


def urgency(kind: int, text: str, *, is_cut: bool = False, is_highlight: bool = False) -> int:
    """The place of a change in the order in which users must know: what breaks, security, new, the rest.

    Args:
        kind: The kind of the change.
        text: The sentence that says it.
        is_cut: Whether it is the rest of "feat!: …".
        is_highlight: Whether it stands before the lists of a release.
    """
    if _breaks(kind, text, is_cut=is_cut) or kind in (BREAKING, OVERVIEW, HIGHLIGHTS):
        return 0
    if kind == SECURITY or is_highlight or (kind not in (OTHER, CLOSED) and _SECURES.search(text)):
        return 1
    if kind == CHANGES:
        # What no heading tells the verb does.
        kind = next((each for each, verb in _BY_VERB if verb.match(text)), CHANGES)
    if kind in (UPGRADE, REMOVED, DEPRECATED) or changes_terms(text):
        return URGENCY_OF_LOSS
    if kind == FEATURES or COMMITTED.match(text):
        return URGENCY_OF_ADDITIONS
    return {OTHER: URGENCY_OF_OTHERS, CLOSED: URGENCY_OF_OTHERS, SMALLER: URGENCY_OF_SMALLER}.get(kind, 4)
