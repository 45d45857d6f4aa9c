"""The changes that release notes and changelogs list: of which kind and release each is, and what says it.

A change is an item of a list, or a section of its own where its heading names the change and prose explains
it. Its kind is what its label, the nearest heading that names one, or the title calls it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.change_wording import clarity_of, is_of_another_program, strength_of
from lsum_cli.methods.extract.kinds import (
    DocumentKind,
    headings_of,
    names_release,
    plain_heading,
    section_path,
    shown_heading,
    titles_notes,
)
from lsum_cli.methods.extract.leaning import leaning_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

_FEATURES = (
    r"(?:new |major |key |main |other )*(?:features?(?: added)?|(?:feature )?additions?|enhancements?"
    r"|functionality)"
)
# The kinds of change in the order in which a reader wants them: heading, label of one, what names them.
KINDS: Sequence[tuple[str, str, str]] = (
    ("Overview", "", r"prelude|preface|overview|introduction|(?:release )?summary"),
    (
        "Highlights",
        "",
        r"(?:the |release |major |main |key )*highlights?(?: (?:of|in) (?:this|the) release)?"
        r"|summary [-–—]+ release highlights",
    ),
    (
        "Security",
        "Security",
        r"security(?: issues?| fix(?:es)?| (?:bug ?)?fix(?:es)?| updates?| notes?| announcements?)?"
        r"|vulnerabilit(?:y|ies)|cves?",
    ),
    (
        "Breaking changes",
        "Breaking",
        r"(?:potentially )?breaking(?: changes?)?|(?:potentially )?(?:backwards?[- ]?)?(?:in)?compatib(?:le"
        r"|ility|ilities)(?: api)?(?: changes?| notes?| breaks?| issues?| warts)?"
        r"|(?:backwards?[- ])?incompatibilities(?: .*)?"
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
        r"|migrati(?:on|ng)(?: .*)?|(?:very )?important(?: notes?| changes?)?|action required"
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
        "New features",
        rf"{_FEATURES}(?: (?:and|&) .*)?|[\w, ]+ (?:and|&) features|added|new(?: in this release)?"
        r"|(?:improve(?:d|ments?))(?: and .*)?|(?!doc|test|build|internal|maint"
        r"|pack)[a-z]\w*(?:\.[\w.]+)? improvements|what['’]s new|enhanced|new (?:commands|modules|plugins"
        r"|options|functions)|performance(?: improvements?)?",
    ),
    (
        "Changes",
        "",
        r"chang(?:ed|es)|what['’]s changed|notable changes|updated?|updates|c[- ]api changes"
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
    (
        "Bug fixes",
        "Bug fixes",
        r"(?:(?:important |other |minor |major )?bug[- ]?)?fix(?:es|ed)?(?: since.*)?"
        r"|(?:bugs?|issues?|regressions?)(?: (?:fix(?:e[sd])?|resolved))?(?: .{0,20})?|resolved(?: issues)?",
    ),
    (
        "Other changes",
        "",
        r"others?(?: notes?| changes?| improvements?)?|misc(?:ellaneous|ellany)?\.?|internals?(?: changes)?"
        r"|(?:improved )?doc(?:umentation|s)?(?: improvements?| updates?| changes?)?|docs"
        r"|development(?: changes?)?|maintenance|chores?|ci|tests?|build(?: system)?(?: changes?)?|packaging"
        r"|(?:vendored|new) (?:libraries|dependencies|contributors)|dependencies|trivial changes|refactoring"
        r"|quality assurance|process|performance, .*|commits|all changes|credits|statistics"
        r"|(?:merged )?pull[- ]requests?(?: merged)?|issues? closed|(?:\d+ )?(?:authors|reviewers"
        r"|contributors)\b.*",
    ),
)
(
    OVERVIEW, HIGHLIGHTS, SECURITY, BREAKING, UPGRADE, REMOVED, DEPRECATED, FEATURES, CHANGES, SMALLER, _,
    FIXES, OTHER,
) = range(len(KINDS))  # fmt: skip
_KINDS_OF_TAGS = {
    "API": BREAKING, "BUG": FIXES, "DEP": DEPRECATED, "DEPR": DEPRECATED, "ENH": FEATURES, "PERF": FEATURES,
}  # fmt: skip
_PATTERNS = tuple(regex(rf"(?:{names})", re.IGNORECASE) for _, _, names in KINDS)
# "Features deprecated in 5.2", "What's new in Lathe 3.1 (May 2, 2024)", "New Features - Parser", "Fixes:".
_OF_A_RELEASE = regex(
    r"(?: (?:in|for|since|from|of|to|between|with)(?: the)?(?: [A-Z][\w.-]*){0,3} ?v?\d+(?:\.[\dx]+)*.*"
    r"|,? [-–—] .*|:.*|[:.]+| \([^()]*\))$"
)
_LABEL = regex(
    r"(?:[-*•] )?(?P<label>[A-Za-z]+(?: [a-z]+){0,2}) ?: ?(?=[\[A-Z“\"'`(_a-z0-9/-])", re.IGNORECASE
)
# "#8131: ENH: …", "BUG, MAINT: …", as the scientific projects of Python write.
_TAG = regex(
    r"(?:[-*•] )?(?:PR ?)?(?:#\d+:? )?(?P<tag>API|BENCH|BLD|BUG|CI|DEP|DEPR|DEV|DOC|ENH|MAINT|MNT|PERF"
    r"|REL|REV|STY|TST"
    r"|TYP|WIP)(?:[,/] ?[A-Z]{2,5})*: "
)
_BARE_RELEASE = regex(r"(?:[^\W\d][\w-]* ){0,2}[vV]?\d+(?:\.\w+)+\.?")
# What users lose wherever it is told.
_DROPS = regex(
    r"\b(?:(?:drop(?:s|ped|ping)?|remov(?:e[sd]?|al of)|ends?|ended) (?:\w+ ){0,2}support"
    r"|support\b.{0,80}\b(?:is|was|has been) (?:being )?(?:dropped|removed|discontinued)"
    r"|no longer support(?:s|ed|ing)?|minimum (?:supported |required )?(?:\w+ ){0,2}versions?"
    r"|is now required)\b"
)
# What a list in the opening of notes is announced as, and what says nothing of the release.
_ANNOUNCES = regex(
    r"\b(?:highlights?|highlighted|major|main|notabl[ey]|noteworthy|key|important|biggest|new|includes?"
    r"|features?)\b",
    re.IGNORECASE,
)
_LEAST_LABELLED = 0.5
# A change is said by one of so many sentences, each of which is worth less than the one before it.
_MOST_LOOKED_AT, _LATER = 8, 0.15
_NOT_SAID = -0.3
FEWEST_WORDS = 4
_LONGEST_HEADLINE = 40  # characters
# What nobody reads a changelog for, by how it begins and by what is within it, in small letters.
_BEGINS_TRIFLE = regex(
    r"[-*• ]*(?:chore|docs?|ci|style|tests?|build|refactor)(?:\([^()]*\))?!?: |standards-version"
    r"|new upstream (?:version|release)|(?:[\w ]+: )?no (?:significant )?changes\b(?: since\b|\.?$)"
    r"|\[bugs?\b[^\]]*\]$|# "
    # What speaks of the notes, not of a change.
    r"|welcome to\b|please (?:carefully )?(?:also )?(?:review|read|note|see|refer|find)\b|refer to\b"
    r"|(?:for|please|see|to|if you)\b.{0,80}\b(?:read|see|refer|consult)\b"
    r"|(?:this|these|the following)\b.{0,40}\b(?:section|sections|document|guide|page|release notes"
    r"|changelog|list)\b|make sure (?:you|to) (?:have )?read\b|we (?:\w+ )?(?:encourage|urge|recommend)\b"
    r"|pr #\d+: \(|\d+ (?:issues|pull requests|commits|people|contributors|of which)\b|total \w+ "
    r"|a total of \d|the following\b|thanks\b|(?:many|special) thanks\b|here (?:is|are)\b"
    r"|(?:the )?(?:changes|items) (?:in|below|listed|marked)\b|changelog goes here|add your entry"
    r"|(?:\w+ )?contributed by\b"
)
_IS_TRIFLE = regex(
    r"\b(?:typos?|bump(?:s|ed)? \S+ (?:from|to)|first contribution|full changelog|update years|pre-?commit"
    r"|white ?space|spelling|faq|docstrings?|changelog|ci|coverage collection|d/(?:copyright|control|rules)"
    r"|standards-version|code-?named?|pull requests? courtesy"
    r"|please (?:\w+ )?(?:refer|consult|(?:see|review|read) the)"
    # What every release says of itself.
    r"|culmination|hard work|\d+ (?:contributors|people|pull requests|commits)|years? in the making"
    r"|(?:happy|pleased|proud|excited) to (?:announce|release|present)|months of work"
    r"|(?:users|everyone|you) (?:are|is) (?:\w+ )?(?:encouraged|advised|recommended|urged)"
    r"|(?:strongly|highly) (?:recommended|advised|encouraged))\b"
)
_BREAKS = regex(
    r"\bbreaking\b|backwards?[- ]incompatib|no longer supported|\b(?:drop(?:s|ped)?|remov(?:e|es"
    r"|ed)) (?:\w+ )?support"
    r"|^[-*• ]*\w+(?:\([^()]*\))?!: ",
    re.IGNORECASE,
)
# So are defects: what a fix removes nobody misses.
_IS_REMOVED = regex(r"\b(?:(?:has|have) been|was|were|is|are) removed\b", re.IGNORECASE)
_IS_OBSTACLE = regex(
    r"\b(?:limit\w*|restrictions?|requirements?|constraints?|need|warnings?|bugs?|overhead)\b", re.IGNORECASE
)
_IS_NEW = regex(r"(?:new|add(?:ed|s)?|support)\b", re.IGNORECASE)
_IS_DEPRECATED = regex(r"\b(?:is|are|has been|have been) (?:now |also )?deprecated\b", re.IGNORECASE)
_SECURES = regex(r"\bCVE-\d|\bGHSA-|\bvulnerab|\bsecurity\b|side[- ]channel", re.IGNORECASE)
_DATED = regex(
    r"\*?release(?:[ -](?:date|by)|d)\b"
    r"|(?:\d{1,2}[./ ]|\d{4}-|[A-Z][a-z]{2,8} \d{1,2}, )[\w .-]{4,12}$|-- .*@"
    r"|[=~*_-]{4,}|\(?closes:? |#?[\d, ]+\.?$|GHSA-\S+$",
    re.IGNORECASE,
)
_COMMITTED = regex(r"(?:[*•-]+ )?(feat|fix)(?:\([^()]*\))?!?: ", re.IGNORECASE)
# What kind a change is of that no heading and no label tells of.
_BY_VERB = (
    (FIXES, regex(r"(?:[\w./-]+: )?(?:fix(?:e[sd])?|correct(?:ed|s)?|repair(?:ed|s)?)\b", re.IGNORECASE)),
    (FEATURES, regex(r"(?:[\w./-]+: )?(?:add(?:ed|s)?|new|introduced?|implement(?:ed|s)?)\b", re.IGNORECASE)),
    (REMOVED, regex(r"(?:[\w./-]+: )?(?:remov|drop)(?:p?ed|e?s|e)?\b", re.IGNORECASE)),
    (DEPRECATED, regex(r"(?:[\w./-]+: )?deprecate[sd]?\b", re.IGNORECASE)),
)
# "** libname: ", "feat(parser)!: ", "gh-123: ", "#123: "; a name that says what part changed stays.
_MARK = regex(
    r"(?:[*•-]+ |: )?(?:(?:feat|fix|perf)(?:\([^()]*\))?!?: |(?:gh-|bpo-|issue |bug )?#?\d{3,}(?::| -) |(?:gh"
    r"|bpo)-\d+: )?",
    re.IGNORECASE,
)
# "by @kira in https://…/pull/812", "(#820) (abc1234)", ", closes #815", "(Closes: #1044000)". What is taken
# of a list of numbers is not given back: where it is not at the end of a change, no part of it is.
_CREDIT = regex(
    r"(?:,? [(\[]?(?:by @[\w-]+(?:\[bot\])?|(?:in|via) https?://\S+"
    r"|https?://\S+/(?:pull|issues|commit|merge_requests)/\w+"
    r"|(?:(?:in|via|closes:?|fix(?:es|ed)|resolves|issue|bug|pr|see) )?#\d++(?:,? (?:and )?#\d++)*+"
    r"|(?<=\()(?=[a-f]*\d)[0-9a-f]{7,40}(?=\)))[)\]]?)++",
    re.IGNORECASE,
)
# The same within a list, whose items may well begin with "When" or "It is".
_EXPLAINS = regex(
    r"(?:previously|formerly|here|(?:where |as )?above|below|however|for (?:example|instance|more)|see"
    r"|note that"
    r"|as a result|therefore|thus|hence|in addition|additionally|in (?:this|that|such) case|prior to"
    r"|similarly|likewise|these|those|thanks|the above"
    r"|this (?:is|was|means?|will|change|also|can|could|allows?|makes?|includes?|fixe[sd]"
    r"|has|should|would|had|affects?|only|option|feature|behaviou?r|way|may|might|ensures?|avoids?"
    r"|prevents?))\b",
    re.IGNORECASE,
)
# A paragraph that goes on with the one before it; an item of a list does not.
_GOES_ON = regex(
    r"(?:this|these|those|however|but|see|for (?:example|more|instance|details)|when|note|in addition|as a"
    r"|additionally|previously|prior to|thus|therefore|it|they|also|an example|you|such|by default|similarly"
    r"|likewise|finally|while|if|to \w+ (?:a|an|the|this)|we|another|the (?:above|old|previous))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change.

    Attributes:
        rows: The positions of its sentences.
        speaks: That of the sentence which says it; ``None`` where none can be shown.
        kind: The position of its kind in :data:`KINDS`.
        release: The release it is of, as the document writes it.
        topic: The heading of its section, where that names neither a kind nor a release.
        place: How many changes its section lists before it.
        clarity: How clearly the sentence states a change, and not how it was before: from about -1 to 2.
    """

    rows: tuple[int, ...]
    speaks: int | None
    kind: int
    release: str | None = None
    topic: str | None = None
    place: int = 0
    clarity: float = 0.0


def changes_of(candidates: Candidates, stands: BoolArray) -> list[Change]:
    """The changes that release notes list, in their order.

    Args:
        candidates: The sentences of the notes.
        stands: Whether each can be shown without any other.
    """
    names = release_of_sentences(candidates)
    made: list[Change] = []
    for _, section in groupby(range(len(candidates)), key=lambda row: int(candidates.section[row])):
        for place, (rows, kind) in enumerate(_items(candidates, list(section), names)):
            topic = _topic(candidates, rows[0])
            speaks, clarity = _speaks(candidates, rows, stands, topic)
            said = " ".join(
                filter(None, (topic, candidates.sentences[rows[0] if speaks is None else speaks].text))
            )
            made.append(
                Change(
                    rows=rows,
                    speaks=speaks,
                    kind=(_kind_by_loss(said) if kind in (FEATURES, CHANGES) else None) or kind,
                    release=names[rows[0]],
                    topic=topic,
                    place=place,
                    clarity=clarity,
                )
            )
    return made


def _items(
    candidates: Candidates, section: Sequence[int], names: Sequence[str | None]
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The items of a section with their kinds."""
    heading = named = kind_of_heading(candidates, section[0])
    is_titled = titles_notes(candidates.titles[section[0]])
    is_all = False
    if not candidates.sections[section[0]].heading and is_titled:
        # What the notes of a release begin with; a title such as "What's new in Lathe 3.1" names the kind
        # only where nothing else does.
        heading = named = OVERVIEW if heading < 0 or headings_of(candidates) else heading
        is_all = not headings_of(candidates) - {""}
    is_one = _is_one_change(candidates, section)
    rows: list[int] = []
    kind = OTHER
    for row in section:
        text = candidates.sentences[row].text
        if heading == OVERVIEW and row != section[-1] and text.endswith(":"):
            # "The highlights are:"
            if rows:
                yield tuple(rows), kind
            rows, heading = [], HIGHLIGHTS if _ANNOUNCES.search(text) else -1
            continue
        if is_all and heading == OVERVIEW and row != section[0] and candidates.opens_paragraph[row]:
            heading = -1
        label = _kind_of_label(text)
        opens = bool(candidates.opens_paragraph[row]) or _is_cut(candidates, row)
        headline = _kind_of_line(text) if opens else -1
        if headline >= 0:
            # "Bug fixes:" on a line of its own is the heading of a list.
            if rows:
                yield tuple(rows), kind
            rows, heading = [], headline
            continue
        if _is_no_change(text):
            heading = named if names_release(text) else heading
        # Within a note of several labelled changes a paragraph goes on with the last of them.
        lists = not is_one and (heading >= 0 or is_titled or names[row] is not None)
        lists &= _EXPLAINS.match(text) is None
        lists |= not rows
        if not (label >= 0 or row == section[0] or (opens and lists)):
            if rows:
                rows.append(row)
            continue
        if rows:
            yield tuple(rows), kind
        rows = []
        if not _is_no_change(text):
            rows = [row]
            # What is of a release is a change of it, whatever it says.
            otherwise = _kind_by_verb(text, OTHER if names[row] is None and not is_titled else CHANGES)
            kind = next((each for each in (label, heading) if each >= 0), otherwise)
    if rows:
        yield tuple(rows), kind


def _kind_of_line(text: str) -> int:
    """The kind that a line of its own names, as a heading above a list, else -1."""
    if len(text) > _LONGEST_HEADLINE or text.endswith((".", ";", ",")):
        return -1
    return kind_named_by(text.strip("*_=: "))


def _is_no_change(text: str) -> bool:
    return names_release(text) is not None or _DATED.match(text) is not None


def _is_one_change(candidates: Candidates, section: Sequence[int]) -> bool:
    """Whether a section explains one change, which its heading names, and does not list several."""
    if _topic(candidates, section[0]) is None or kind_of_heading(candidates, section[0]) == SMALLER:
        return False
    openings = [row for row in section if candidates.opens_paragraph[row]]
    return len(openings) == 1 or any(
        candidates.sentences[row].text.endswith(":")
        or (row != openings[0] and _GOES_ON.match(candidates.sentences[row].text) is not None)
        for row in openings
    )


def _topic(candidates: Candidates, row: int) -> str | None:
    """The heading of a section that names neither a kind nor a release."""
    written = (candidates.sections[row].path or candidates.sections[row].heading or "").split(PATH_BREAK)[-1]
    heading = plain_heading(written)
    if not heading or kind_named_by(heading) >= 0 or names_release(written):
        return None
    return shown_heading(written)


def _speaks(
    candidates: Candidates, rows: Sequence[int], stands: BoolArray, topic: str | None
) -> tuple[int | None, float]:
    """The sentence that states a change most clearly, if one can be shown, and how clearly.

    Below a heading a sentence that only says how it was says less than none, and so does one that explains
    what a heading states.
    """
    found = [
        (
            clarity_of(plain_change(candidates.sentences[row].text), topic, candidates.titles[row])
            - _LATER * number,
            -number,
        )
        for number, row in enumerate(rows[:_MOST_LOOKED_AT])
        if (_opens(candidates, row) if row == rows[0] else stands[row] and _says(candidates, row))
    ]
    if not found:
        return None, 0.0
    clarity, number = max(found)
    if topic is not None:
        is_stated = strength_of(candidates.sentences[rows[-number]].text) > 0
        if clarity < _NOT_SAID or (strength_of(topic) == 1 and not is_stated):
            return None, clarity
    return rows[-number], clarity


def _opens(candidates: Candidates, row: int) -> bool:
    """Whether the first sentence of a change can be shown."""
    leaning = leaning_of("en", DocumentKind.NOTES)
    text = candidates.sentences[row].text
    return (
        candidates.num_words[row] >= FEWEST_WORDS
        and not text.rstrip().endswith(":")
        and " | " not in text  # a row of a table
        and not is_trifle(text)
        and not (leaning is not None and leaning.leans(plain_change(text)))
    )


def is_trifle(text: str) -> bool:
    """Whether a sentence of notes is about what no user reads them for, or about the notes themselves."""
    small = text.lower()
    return _BEGINS_TRIFLE.match(small) is not None or _IS_TRIFLE.search(small) is not None


def _says(candidates: Candidates, row: int) -> bool:
    text = candidates.sentences[row].text
    return not is_trifle(text) and _EXPLAINS.match(text) is None


# ---- kinds


def tells_kinds(candidates: Candidates) -> bool:
    """Whether at least half of the paragraphs of release notes tell what kind of change they are of."""
    openings = np.flatnonzero(candidates.opens_paragraph).tolist()
    labels = [_kind_of_label(sentence.text) for sentence in candidates.sentences]
    told = [labels[row] >= 0 or kind_of_heading(candidates, row) >= 0 for row in openings]
    return (any(told) or max(labels) >= 0) and sum(told) >= _LEAST_LABELLED * len(openings)


def is_of_a_kind(candidates: Candidates, row: int) -> bool:
    """Whether the label or the heading of a sentence tells what kind of change it is of."""
    return _kind_of_label(candidates.sentences[row].text) >= 0 or kind_of_heading(candidates, row) >= 0


def kind_of_heading(candidates: Candidates, row: int) -> int:
    """The kind that the nearest heading above a sentence names, or the title; -1 where none does.

    "Miscellaneous" below "Removals" lists what is removed.
    """
    path = section_path(candidates.sections[row])
    return _kind_of_path(path, candidates.titles[row])


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


def _kind_of_label(text: str) -> int:
    if (tagged := _TAG.match(text)) is not None:
        return _KINDS_OF_TAGS.get(tagged["tag"], OTHER)
    found = _LABEL.match(text)
    return kind_named_by(found["label"]) if found else -1


def _kind_by_verb(text: str, otherwise: int) -> int:
    if _BREAKS.search(text) or _IS_REMOVED.search(text):
        return BREAKING
    return next((kind for kind, verb in _BY_VERB if verb.match(text)), otherwise)


def drops_support(text: str) -> bool:
    """Whether a change ends the support of something, or requires a later version of it."""
    return _DROPS.search(text.lower()) is not None


def _kind_by_loss(text: str) -> int | None:
    """The kind of a change that takes something from users, however the list is called that tells it."""
    if drops_support(text):
        return BREAKING
    text = text.lower()
    if _IS_NEW.match(text):
        return None
    if _IS_REMOVED.search(text) and not _IS_OBSTACLE.search(text):
        return REMOVED
    return DEPRECATED if _IS_DEPRECATED.search(text) else None


def _breaks(change: Change, text: str, *, is_cut: bool) -> bool:
    """Whether a change may break what users have."""
    is_gone = change.kind not in (FIXES, OTHER) and _IS_REMOVED.search(text) is not None
    return is_cut or is_gone or _BREAKS.search(text) is not None


def label_of(change: Change, text: str, *, is_cut: bool = False) -> str | None:
    """What a change of a release is to be labelled as; ``None`` where nothing needs saying."""
    if _breaks(change, text, is_cut=is_cut):
        return "Breaking"
    if (committed := _COMMITTED.match(text)) is not None:
        return "New features" if committed[1].lower() == "feat" else "Bug fixes"
    if change.kind in (OTHER, CHANGES, SMALLER):
        return None
    kind_by_verb = next((kind for kind, verb in _BY_VERB if verb.match(text)), -1)
    # "Fixed …" needs no label.
    return None if kind_by_verb == change.kind else KINDS[change.kind][1] or None


def urgency(change: Change, text: str, *, is_cut: bool = False, is_highlight: bool = False) -> int:
    """The place of a change in the order in which users must know: what breaks, security, new, the rest.

    Args:
        change: The change.
        text: The sentence that says it.
        is_cut: Whether it is the rest of "feat!: …".
        is_highlight: Whether it stands before the lists of a release.
    """
    if _breaks(change, text, is_cut=is_cut) or change.kind in (BREAKING, OVERVIEW, HIGHLIGHTS):
        return 0
    if change.kind == SECURITY or is_highlight or (change.kind != OTHER and _SECURES.search(text)):
        return 1
    if change.kind in (UPGRADE, REMOVED, DEPRECATED):
        return 2
    if change.kind == FEATURES or _COMMITTED.match(text):
        return 3
    return {OTHER: 6, SMALLER: 5}.get(change.kind, 4)


# ---- what is shown


def plain_change(text: str) -> str:
    """A change without its mark and number, and without who made it where."""
    found = _TAG.match(text) or _MARK.match(text)
    made = _without_credit(text[found.end() :] if found else text).strip()
    # "libfoo: …" keeps its small letter.
    return made[:1].upper() + made[1:] if _COMMITTED.match(text) or text.startswith(": ") else made


def _without_credit(text: str) -> str:
    """A change without who made it where, if that is its end."""
    last = max(_CREDIT.finditer(text), key=re.Match.end, default=None)
    stop = text[last.end() :].strip() if last else ""
    return text[: last.start()] + stop if last and stop in ("", ".") else text


def without_label(text: str) -> str:
    """A change without the label of its kind before it."""
    found = _LABEL.match(text)
    return text[found.end() :] if found and kind_named_by(found["label"]) >= 0 else text


# ---- releases


@lru_cache(maxsize=1)
def release_of_sentences(candidates: Candidates) -> tuple[str | None, ...]:
    """The name of the release that each sentence is of, as the document writes it.

    A section after the changelog, as high as the headings of its releases, is of none of them.
    """
    found: list[str | None] = []
    now: str | None = None
    level = 0
    level_of_releases = 0
    for position, sentence in enumerate(candidates.sentences):
        section = candidates.sections[position]
        if not position or candidates.document[position] != candidates.document[position - 1]:
            title = candidates.titles[position]
            now, level = (title, 0) if names_release(title) else (None, 0)
        path = (section.path or section.heading or "").split(PATH_BREAK)
        headed = next((heading for heading in reversed(path) if names_release(heading)), None)
        if headed is None and level_of_releases and section.heading:
            # "0.8" and "Lathe 0.8" are headings of releases where those of others are as high.
            place = len(path) - 1 - (section.level - level_of_releases)
            if 0 <= place < len(path) and _BARE_RELEASE.fullmatch(path[place]):
                headed = path[place]
        if headed is not None:
            now = headed
            level = level_of_releases = section.level - (len(path) - 1 - path.index(headed))
        elif (
            candidates.opens_paragraph[position]
            and names_release(sentence.text)
            and not is_of_another_program(sentence.text, candidates.titles[position])
        ):
            now, level = sentence.text, section.level
        elif (
            now is not None
            and section.heading
            and 0 < section.level <= level
            and candidates.section[position] != candidates.section[position - 1]
            and kind_of_heading(candidates, position) < 0
        ):
            now = None
        found.append(now)
    return tuple(found)


def _is_cut(candidates: Candidates, position: int) -> bool:
    """Whether it is the rest of "feat!: …", which reads as the end of a sentence."""
    return candidates.sentences[position].text.startswith(": ") and position > 0


def is_cut(candidates: Candidates, change: Change) -> bool:
    """Whether a change is the rest of "feat!: …"."""
    return _is_cut(candidates, change.rows[0])
