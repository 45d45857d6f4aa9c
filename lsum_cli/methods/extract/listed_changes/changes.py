"""The changes that release notes and changelogs list: items and sections, and the sentence that says each.

A change is an item of a list, or a section of its own where its heading names the change and prose explains
it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import (
    DocumentKind,
    headings_of,
    plain_heading,
    releases_before_changes,
    shown_heading,
    titles_notes,
)
from lsum_cli.methods.extract.listed_changes.change import (
    Change,
    asks,
    credits_people,
    ends_with_people,
    is_shortened,
    plain_change,
    says_enough,
)
from lsum_cli.methods.extract.listed_changes.commits import commits_of, lists_commits
from lsum_cli.methods.extract.listed_changes.kinds import (
    BREAKING,
    CHANGES,
    CLOSED,
    DEPRECATED,
    FEATURES,
    FIXES,
    HIGHLIGHTS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    is_numbered_bug,
    kind_by_flaw,
    kind_by_loss,
    kind_by_removal,
    kind_by_verb,
    kind_named_by,
    kind_of_heading,
    kind_of_label,
    kind_of_line,
    label_before,
    must_be_known,
    platform_ended,
    tells_flaw,
)
from lsum_cli.methods.extract.listed_changes.leads import (
    is_of_any_release,
    lead_rows,
    leads_with_change,
    tells_of_release,
)
from lsum_cli.methods.extract.listed_changes.releases import release_of_sentences
from lsum_cli.methods.extract.listed_changes.support import only_comes
from lsum_cli.methods.extract.listed_changes.wording import (
    clarity_of,
    is_in_general,
    is_minor,
    is_trifle,
    strength_of,
)
from lsum_cli.methods.extract.release_names import release_named_by
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray
from lsum_cli.text.verbs import has_verb

# What a list in the opening of notes is announced as, and what says nothing of the release.
_ANNOUNCES = regex(
    r"\b(?:highlights?|highlighted|major|main|notabl[ey]|noteworthy|key|important|biggest|new|includes?"
    r"|features?)\b",
    re.IGNORECASE,
)
# A change is said by one of so many sentences, each of which scores less than the one before it.
_MOST_LOOKED_AT, _LATER = 8, 0.15
_NOT_SAID = -0.3
_IS_GENERATED = regex(r"what['’]s changed|(?:merged )?pull[- ]requests?", re.IGNORECASE)
# "feat(parser)!", the rest of which reads as a sentence of its own.
_CUT_OFF = regex(r"[-*• ]*\w+(?:\([^()]*\))?!")
# "The main change in this release is …"
_IS_HEADLINE = regex(
    r"\b(?:main|major|biggest|largest|key|headline|most (?:notable|important|significant|visible))"
    r" (?:\w+ )?(?:changes?|features?|news|additions?|improvements?)\b.{0,60}\b(?:is|are)\b",
    re.IGNORECASE,
)
_INTRODUCES_LEGEND = regex(r"\b(?:categories|types|kinds):$", re.IGNORECASE)
# What begins a list that belongs to the change above it, and what begins the next list of changes.
_INTRODUCES = regex(
    r"[a-z]|(?i:also|and|e\.g|for|if|in particular|including|namely|note|or|specifically|such as"
    r"|the following|these|this|to|with)\b"
)
_CHANGES_IN = regex(r"(?:[A-Z][a-z]+ )?[Cc]hanges (?:in|to|for|of) ")
# "Migration note:" heads one item, "Notes:" several.
_HEADS_ONE = regex(r"(?:\w+ )?note:", re.IGNORECASE)
_DATED = regex(
    r"\*?release(?:[ -](?:date|by)|d)\b"
    r"|(?:\d{1,2}[./ ]|\d{4}-|[A-Z][a-z]{2,8} \d{1,2}, )[\w .-]{4,12}$|-- .*@"
    r"|[=~*_-]{4,}|\(?closes:? |#?[\d, ]+\.?$|GHSA-\S+$",
    re.IGNORECASE,
)
# The same within a list, whose items may well begin with "When" or "It is".
_EXPLAINS = regex(
    r"(?:previously|formerly|here|(?:where |as )?above|below|however|for (?:example|instance|more)|see"
    r"|note that"
    r"|as a result|therefore|thus|hence|in addition|additionally|in (?:this|that|such) case|prior to"
    r"|similarly|likewise|once (?=the|an?\b|you|all|this)|these|those|thanks|the above"
    r"|the change (?!to\b|in\b|of\b)|if you (?:want|need|wish|prefer|would like)"
    # Who made it tells how.
    r"|(?-i:I)(?= \w)"
    r"|this (?:is|was|means?|will|change|also|can|could|allows?|makes?|includes?|fixe[sd]"
    r"|has|should|would|had|affects?|only|option|feature|behaviou?r|way|may|might|ensures?|avoids?"
    r"|prevents?))\b",
    re.IGNORECASE,
)
# "Comes with a panel": what does, another item tells.
_NO_SUBJECT = regex(r"(?:comes|has|is|are|was|were|does|(?:might|may|will|should) be) ", re.IGNORECASE)
# "Now it is a warning" has its before in the sentence before it, and so has "a rule to catch this".
_DANGLES = regex(
    r"^now\b|\b(?:this|these|those)(?=[,.;:)])"
    # "g.result" is of an example, "New keyword arguments: …" are of what the sentence before tells.
    r"|^[a-z]\.[a-z_]{2,}|^(?:new|additional|other|valid|possible|supported|available) (?:\w+ )?\w+s: "
    # "Calling it again refreshes them"
    r"|^\w+ing \S+ again\b|^\w+ing it\b|^the default (?:remains|stays|is|was)\b|\b(?:is|are) still\b",
    re.IGNORECASE,
)
# "The highlights are:"
_NAMES_HIGHLIGHTS = regex(
    r"(?:the |some |main |major )*highlights(?: (?:of|in|for) .{1,40})?(?: (?:are|include))?:", re.IGNORECASE
)
# A paragraph that goes on with the one before it; an item of a list does not.
_GOES_ON = regex(
    r"(?:this|these|those|however|but|see|for (?:example|more|instance|details)|when|note|in addition|as a"
    r"|additionally|previously|prior to|thus|therefore|it|they|also|an example|you|such|by default|similarly"
    r"|likewise|finally|while|if|to \w+ (?:a|an|the|this)|we|another|the (?:above|old|previous))\b",
    re.IGNORECASE,
)

# What notes of security, and sections on a security issue, are known by.
_IS_OF_SECURITY = regex(r"\bsecurity\b|\bvulnerabilit|\bCVE-\d", re.IGNORECASE)
_NUMBERED = regex(r"\b(?:CVE-\d|GHSA-)")
_WORD, _FEWEST_BESIDE = regex(r"\w[\w-]*"), 3
# What an issue is known by, and with it how surely: an attack, or what may go wrong.
_ATTACK = regex(
    r"\b(?:attack\w*|malicious\w*|vulnerab\w+|exploit\w*|denial[- ]of[- ]service|arbitrary|untrusted|crafted"
    r"|forge\w*|cross[- ]site|xss|csrf|inject\w*|hijack\w*|spoof\w*|phishing|traversal|disclos\w+|leak\w*"
    r"|subject to|manipulat\w+|privileges?|unauthori[sz]ed|credentials?)\b",
    re.IGNORECASE,
)
_GOES_WRONG = regex(
    r"\b(?:could|may|might|can|possible|allow(?:s|ed|ing)?|reveal\w*|expos\w+|bypass\w*|without|incorrectly"
    r"|fail(?:s|ed|ing)?|improperly|unexpected|did not|does not|was not|were not|degrade\w*|consum\w+)\b",
    re.IGNORECASE,
)
_REMEDIES = regex(
    r"(?:in order )?to (?:remedy|address|fix|mitigate|prevent|avoid|resolve|correct|counter|guard|protect)\b"
    r"|we(?:['’]ve| have) \w+|as a (?:result|remedy),? .{0,60}\bnow\b",
    re.IGNORECASE,
)
_NOW = regex(
    r"\b(?:now|no longer|(?:has|have) been (?:changed|updated|fixed|removed|added|limited|upgraded))\b"
)
_REFERS_BACK = regex(
    r"(?:this|these|it|they|that|such|see|for|if|note|as a reminder"
    r"|the (?:above|same|attacks?|issues?|flaws?|vulnerability|problem|result|attack vectors))\b",
    re.IGNORECASE,
)
# A number of a vulnerability that is all a sentence says.
_ONLY_NUMBERED = regex(r"\((?:CVE-[\d-]+|GHSA-[\w-]+)(?:, (?:CVE-[\d-]+|GHSA-[\w-]+))*\)\.?")
_LONGEST = 50  # words
# What so many releases, and such a share of all, say in the same words every release could say.
_A_REFRAIN, _MOST_RELEASES = 4, 0.5
# A section may well begin with what was wrong.
_AN_ATTACK, _LEAST_FLAW, _LEAST_OF_FIRST = 2, 2, 1


def changes_of(candidates: Candidates, stands: BoolArray) -> list[Change]:
    """The changes that release notes list, in their order.

    Args:
        candidates: The sentences of the notes.
        stands: Whether each can be shown without any other.
    """
    names = release_of_sentences(candidates)
    made: list[Change] = []
    # "0.8.2: New formats. Custom alignment. Bug fixes.": each sentence is a change.
    in_lines = frozenset(releases_before_changes(candidates).values())
    is_of_several = len(set(names) - {None}) > 1
    is_of_security = _tells_of_security(candidates, names if is_of_several else ())
    leads = lead_rows(candidates, names) if is_of_several else frozenset()
    # Each sentence of them that can be shown is a change, and so is what is said of a release as a whole.
    opening = {
        row
        for row, sentence in enumerate(candidates.sentences)
        if (row in leads or tells_of_release(sentence.text, names[row]))
        and stands[row]
        and _says(candidates, row)
        and _opens(candidates, row)
    }
    for _, rows_of_section in groupby(range(len(candidates)), key=lambda row: int(candidates.section[row])):
        section = list(rows_of_section)
        if lists_commits([candidates.sentences[row].text for row in section]):
            made += commits_of(candidates, section, names[section[0]])
            continue
        issue = _security_issue(candidates, section, stands, is_of_security=is_of_security)
        if issue is not None:
            made.append(replace(issue, release=names[section[0]]))
            continue
        is_of_releases = len({names[row] for row in section}) > 1
        for place, (rows, kind) in enumerate(
            _items(candidates, section, names, in_lines, opening, is_of_several=is_of_several)
        ):
            topic = None if is_of_releases else _topic(candidates, rows[0])
            speaks, clarity = _speaks(candidates, rows, stands, topic)
            text = candidates.sentences[rows[0] if speaks is None else speaks].text
            # "(CVE-2024-1234)" alone at the end of a change.
            others = (candidates.sentences[row].text for row in rows)
            number = next(filter(_ONLY_NUMBERED.fullmatch, others), None)
            made.append(
                Change(
                    rows=rows,
                    speaks=speaks,
                    kind=_kind_of(
                        kind,
                        text if number is None else f"{text} {number}",
                        topic,
                        names[rows[0]] if is_of_several else None,
                        is_lead=(rows[0] if speaks is None else speaks) in leads,
                    ),
                    release=names[rows[0]],
                    topic=topic,
                    place=place,
                    clarity=clarity,
                )
            )
    return _without_refrains(candidates, made)


def _without_refrains(candidates: Candidates, changes: Sequence[Change]) -> list[Change]:
    """The changes; those that most releases tell in the same words cannot be shown beside others."""
    releases: dict[str, set[str | None]] = {}
    for change in changes:
        releases.setdefault(_said_by(candidates, change), set()).add(change.release)
    least = max(_A_REFRAIN, _MOST_RELEASES * len({change.release for change in changes}))
    refrains = {change for change in changes if len(releases[_said_by(candidates, change)]) >= least}
    # A release that has nothing else to tell tells that.
    others = {change.release for change in changes if change.speaks is not None and change not in refrains}
    return [
        replace(each, speaks=None) if each in refrains and each.release in others else each
        for each in changes
    ]


def _said_by(candidates: Candidates, change: Change) -> str:
    return plain_change(candidates.sentences[change.row].text).lower().rstrip(".")


def _kind_of(kind: int, text: str, topic: str | None, release: str | None, *, is_lead: bool) -> int:
    """The kind of a change, however its list is called: what users lose, vulnerabilities and headlines.

    Args:
        kind: What its list or its label calls it.
        text: The sentence that says it.
        topic: The heading of its section, where that names neither a kind nor a release.
        release: The name of its release, if the notes are of several.
        is_lead: Whether it stands above the lists of a release.
    """
    said = f"{topic} {text}" if topic else text
    if kind in (OVERVIEW, CHANGES) and _IS_HEADLINE.search(said):
        return HIGHLIGHTS
    if kind in (DEPRECATED, FIXES, OTHER) and platform_ended(text) is not None and not is_minor(text):
        return BREAKING
    if kind == BREAKING and only_comes(plain_change(text)):
        # "Compatibility: add support for Lathe 3"
        return FEATURES
    if kind == CHANGES and tells_flaw(text):
        return FIXES
    found = kind_by_loss(said) if kind in (FEATURES, CHANGES) else None
    if found is None and kind in (HIGHLIGHTS, FEATURES, CHANGES, FIXES, OTHER):
        found = kind_by_flaw(said, is_internal=kind == OTHER)
    if found is None and kind == FEATURES and kind_of_label(text) != FEATURES:
        # "New features: remove the old gate"
        found = kind_by_removal(plain_change(text))
    if found is None and kind in (OVERVIEW, CHANGES):
        if tells_of_release(text, release) or (is_lead and leads_with_change(text)):
            found = HIGHLIGHTS
        elif (
            release is not None
            and (is_lead or is_in_general(text))
            and is_of_any_release(text)
            and not must_be_known(kind, text)
        ):
            found = OTHER
    return kind if found is None else found


def _security_issue(
    candidates: Candidates, section: Sequence[int], stands: BoolArray, *, is_of_security: bool
) -> Change | None:
    """The change of a section that explains a security issue, if no heading calls it otherwise."""
    topic = _topic(candidates, section[0])
    if topic is None or kind_of_heading(candidates, section[0]) not in (-1, SECURITY, CHANGES):
        return None
    texts = [candidates.sentences[row].text for row in section]
    if not _names_flaw(topic, texts, is_of_security=is_of_security):
        return None
    flaw, remedy = _flaw_and_remedy(candidates, section, stands)
    if flaw is None and remedy is None:
        flaw, _ = _speaks(candidates, section, stands, topic)
    # The heading says what the issue is; what is done about it says more than what was wrong.
    speaks, beside = (flaw, None) if remedy is None else (remedy, flaw)
    return Change(rows=tuple(section), speaks=speaks, kind=SECURITY, topic=topic, clarity=1.0, beside=beside)


def _tells_of_security(candidates: Candidates, names: Sequence[str | None]) -> bool:
    """Whether what notes begin with, before any heading, says that they are about security.

    Args:
        candidates: The sentences of the notes.
        names: The release that each is of, if they are of several.
    """
    for row, section in enumerate(candidates.sections):
        if (names and names[row] is not None) or section.heading not in (None, "", candidates.titles[row]):
            return False
        if _IS_OF_SECURITY.search(candidates.sentences[row].text):
            return True
    return False


def _names_flaw(topic: str, texts: Sequence[str], *, is_of_security: bool) -> bool:
    """Whether a section with this heading explains a security issue, in notes of security or of others."""
    if _NUMBERED.search(topic):
        return True
    return is_of_security and any(_ATTACK.search(text) for text in (topic, *texts))


def _flaw_and_remedy(
    candidates: Candidates, rows: Sequence[int], stands: BoolArray
) -> tuple[int | None, int | None]:
    """The sentence of a section that tells what was wrong, and the one that tells what is done about it.

    Args:
        candidates: The sentences of the notes.
        rows: The positions of those of the section.
        stands: Whether each can be shown without any other.
    """
    remedy: int | None = None
    flaw: tuple[int, int] | None = None
    for row in rows:
        text = candidates.sentences[row].text
        if candidates.num_words[row] > _LONGEST or text.rstrip().endswith(":"):
            continue
        remedies = _REMEDIES.match(text) is not None
        is_free = bool(stands[row]) and _REFERS_BACK.match(text) is None
        if remedies or (is_free and _NOW.search(text)):
            remedy = row if remedy is None else remedy
        elif is_free or row == rows[0]:
            least = _LEAST_OF_FIRST if row == rows[0] else _LEAST_FLAW
            score = _AN_ATTACK * (_ATTACK.search(text) is not None) + (_GOES_WRONG.search(text) is not None)
            if score >= least and (flaw is None or score > flaw[0]):
                flaw = (score, row)
    return (None if flaw is None else flaw[1]), remedy


def _items(
    candidates: Candidates,
    section: Sequence[int],
    names: Sequence[str | None],
    in_lines: Collection[str],
    opening: Collection[int],
    *,
    is_of_several: bool,
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The items of a section with their kinds.

    Args:
        candidates: The sentences of the notes.
        section: The positions of those of the section.
        names: The release that each sentence is of.
        in_lines: The releases whose changes stand in one line with their names.
        opening: The sentences above the lists of a release that are changes of their own.
        is_of_several: Whether the notes are of several releases.
    """
    heading = named = kind_of_heading(candidates, section[0], names[section[0]] if is_of_several else None)
    is_titled = titles_notes(candidates.titles[section[0]])
    is_all = False
    if not candidates.sections[section[0]].heading and is_titled:
        # What the notes of a release begin with; a title such as "What's new in Lathe 3.1" names the kind
        # only where nothing else does.
        heading = named = OVERVIEW if heading < 0 or headings_of(candidates) else heading
        is_all = not headings_of(candidates) - {""}
    # What several releases stand below is the name of the changelog.
    is_one = len({names[row] for row in section}) == 1 and _is_one_change(candidates, section)
    # "What's Changed" lists whatever was merged.
    is_generated = _IS_GENERATED.match(plain_heading(candidates.sections[section[0]].heading)) is not None
    rows: list[int] = []
    kind = OTHER
    is_legend = is_headed = is_announced = is_below_line = False
    is_credited = credits_people(candidates)
    goes_by_line = all(names[row] is None or names[row] in in_lines for row in section)
    back: int | None = None
    for row in section:
        text = candidates.sentences[row].text
        # What the categories of changes mean is no change.
        is_legend = (text.endswith(":") and _INTRODUCES_LEGEND.search(text) is not None) or (
            is_legend and (label_before(text) is not None or not candidates.opens_paragraph[row])
        )
        if is_legend:
            continue
        if heading == OVERVIEW and row != section[-1] and text.endswith(":"):
            # "The highlights are:"
            if rows:
                yield tuple(rows), kind
            rows, heading = [], HIGHLIGHTS if _ANNOUNCES.search(text) else -1
            continue
        if is_all and heading == OVERVIEW and row != section[0] and candidates.opens_paragraph[row]:
            heading = -1
        label = kind_of_label(text)
        opens = (
            bool(candidates.opens_paragraph[row])
            or _is_cut(candidates, row)
            or (goes_by_line and names[row] is not None)
        )
        headline = kind_of_line(text) if opens else -1
        if heading == HIGHLIGHTS and candidates.sentences[row].is_item and not text.endswith(":"):
            # "Security bug fixes" is one of the highlights.
            headline = -1
        if opens and _NAMES_HIGHLIGHTS.fullmatch(text):
            headline, is_announced = HIGHLIGHTS, True
        elif is_announced and headline < 0 and opens and text.endswith(":"):
            # "This means:" begins another list.
            heading, is_announced = named, False
        elif headline < 0 and opens and is_below_line and rows and _heads_group(candidates, row):
            # "Changes in the parser:" ends the list of "Breaking changes:".
            yield tuple(rows), kind
            rows, heading, is_headed, is_below_line = [], named, False, False
            continue
        if headline == FEATURES and is_of_several and text == names[row]:
            # "New in 3.2:"
            headline = CHANGES
        if headline >= 0:
            # "Bug fixes:" on a line of its own is the heading of a list.
            if rows:
                yield tuple(rows), kind
            back = (heading if back is None else back) if _HEADS_ONE.fullmatch(text) else None
            rows, heading, is_headed = [], headline, False
            # "CI fixes:" are among the "Fixes:".
            is_below_line = (
                headline not in (FIXES, CLOSED, OTHER)
                and text.endswith(":")
                and not candidates.sentences[row].is_item
            )
            continue
        if _is_no_change(candidates, text):
            heading = named if release_named_by(candidates, text) else heading
        # Within a note of several labelled changes a paragraph goes on with the last of them.
        lists = not is_one and (heading >= 0 or is_titled or names[row] is not None)
        lists &= _EXPLAINS.match(text) is None and (not is_credited or ends_with_people(text))
        lists |= not rows
        opens |= row in opening
        if not (label >= 0 or row == section[0] or (opens and lists)):
            if rows:
                rows.append(row)
            continue
        if rows:
            yield tuple(rows), kind
        if back is not None and is_headed:
            heading, back = back, None
        rows, is_headed = [], True
        if not _is_no_change(candidates, text):
            rows = [row]
            # "BUG: the gate is stuck" is what was wrong.
            kind = label if label >= 0 and heading != CLOSED else heading
            if (label == OTHER and heading in (BREAKING, REMOVED, DEPRECATED, SECURITY)) or (
                heading not in (-1, OVERVIEW) and is_numbered_bug(text)
            ):
                # "Removed: MNT drop the old gate", "Known issues: Bug 12: the bell cannot be heard"
                kind = heading
            if _is_cut(candidates, row):
                kind = BREAKING
            elif kind == CHANGES and is_generated:
                kind = kind_by_verb(text, CHANGES)
            if kind < 0:
                # What is of a release is a change of it, whatever it says.
                kind = kind_by_verb(text, OTHER if names[row] is None and not is_titled else CHANGES)
    if rows:
        yield tuple(rows), kind


def _heads_group(candidates: Candidates, row: int) -> bool:
    """Whether a line above a list names what the list is about: "Changes in the parser and the printer:"."""
    sentence = candidates.sentences[row]
    if sentence.is_item or not sentence.text.endswith(":") or row + 1 == len(candidates):
        return False
    return (
        candidates.sentences[row + 1].is_item
        and _INTRODUCES.match(sentence.text) is None
        and (_CHANGES_IN.match(sentence.text) is not None or not has_verb(sentence.text.split()))
    )


def _is_no_change(candidates: Candidates, text: str) -> bool:
    return (
        release_named_by(candidates, text) is not None
        or _DATED.match(text) is not None
        or _CUT_OFF.fullmatch(text) is not None
    )


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
    if not heading or kind_named_by(heading) >= 0 or release_named_by(candidates, written):
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
    if topic is None and found[0][1] == 0 and kind_by_flaw(candidates.sentences[rows[0]].text) == SECURITY:
        # What was wrong says more than what is so now.
        return rows[0], found[0][0]
    if topic is not None:
        is_stated = strength_of(candidates.sentences[rows[-number]].text) > 0
        if clarity < _NOT_SAID or (strength_of(topic) == 1 and not is_stated):
            return None, clarity
    return rows[-number], clarity


def _opens(candidates: Candidates, row: int) -> bool:
    """Whether the first sentence of a change can be shown."""
    anaphora = anaphora_rules("en", DocumentKind.NOTES)
    text = candidates.sentences[row].text
    return (
        says_enough(text)
        and not text.rstrip().endswith(":")
        and " | " not in text  # a row of a table
        and not is_trifle(text)
        and not asks(text)
        and not is_shortened(text)
        and _NO_SUBJECT.match(plain_change(text)) is None
        and not names_only_a_flaw(text)
        and not (anaphora is not None and anaphora.needs_antecedent(plain_change(text)))
    )


def names_only_a_flaw(text: str) -> bool:
    """Whether a change gives the number of a vulnerability and hardly a word: "Fix CVE-2024-1234."."""
    if _NUMBERED.search(text) is None:
        return False
    words = sum(not any(sign.isdigit() for sign in word) for word in _WORD.findall(plain_change(text)))
    return words < _FEWEST_BESIDE


def _says(candidates: Candidates, row: int) -> bool:
    """Whether a later sentence of a change can be shown without the first."""
    text = candidates.sentences[row].text
    return not (
        is_trifle(text) or asks(text) or is_shortened(text) or _EXPLAINS.match(text) or _DANGLES.search(text)
    )


def _is_cut(candidates: Candidates, position: int) -> bool:
    """Whether it is the rest of "feat!: …", which reads as the end of a sentence."""
    return candidates.sentences[position].text.startswith(": ") and position > 0


def is_cut(candidates: Candidates, change: Change) -> bool:
    """Whether a change is the rest of "feat!: …"."""
    return _is_cut(candidates, change.rows[0])
