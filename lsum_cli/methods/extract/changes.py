"""Release notes by kind of change: what is new, what an upgrade needs, what is fixed.

A release has a few changes that everybody should know of and many that few will notice. A summary quotes the
first, under the kind that its notes give them, and counts the others.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.collection import left_out
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import names_release, section_path
from lsum_cli.methods.extract.request import Extract
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

# The kinds of change in the order in which a reader wants them: heading, labels.
_KINDS: Sequence[tuple[str, str]] = (
    ("Overview", r"prelude|overview|highlights?|summary"),
    ("Security", r"security(?: issues?| fix(?:es)?| updates?| notes?)?|vulnerabilit(?:y|ies)|cves?"),
    (
        "New features",
        r"(?:new )?features?|added|additions?|new(?: in this release)?|enhancements?|improve(?:d"
        r"|ments?)|what['’]s new",
    ),
    (
        "Upgrade notes",
        r"upgrad(?:e|ing)(?: notes?| impact)?|breaking(?: changes?)?|changed|changes|api changes?"
        r"|critical(?: issues?)?|migration"
        r"|removed|removals?|backwards? incompatib\w+(?: changes)?|incompatible changes"
        r"|important(?: notes?)?",
    ),
    ("Deprecations", r"deprecat(?:ions?|ed)(?: notes?| features?)?"),
    ("Known issues", r"(?:known )?issues?|known (?:bugs|problems)|limitations"),
    ("Bug fixes", r"(?:bug ?)?fix(?:es|ed)?|bugs?(?: fixe[sd])?|resolved(?: issues)?|bug ?fixes"),
    ("Other changes", r"others?(?: notes?| changes?)?|misc(?:ellaneous)?|internal|documentation|docs"),
)
_LABELS = tuple(regex(rf"(?:{labels})", re.IGNORECASE) for _, labels in _KINDS)
_LABEL = regex(
    r"(?:[-*•] )?(?P<label>[A-Za-z]+(?: [a-z]+){0,2}) ?: ?(?=[\[A-Z“\"'`(_a-z0-9/-])", re.IGNORECASE
)
_LEAST_LABELLED = 0.5
_OTHER = len(_KINDS) - 1
# Release notes seldom have more to say to everybody.
_MOST_WORDS = 220


_SECURITY = 1
_LEAST_RELEASES = 2
# So many changes are told of a release, and of so many releases; of further ones while there are fewer.
_MOST_CHANGES, _MOST_RELEASES, _ENOUGH_CHANGES = 8, 4, 5
_LISTED, _FEWEST_WORDS = 6, 4
# What nobody reads a changelog for.
_TRIFLE = regex(
    r"\btypos?\b|\bbump(?:s|ed)? \S+ (?:from|to)\b|standards-version|^[-*• ]*(?:chore|docs?|ci|style"
    r"|tests?|build"
    r"|refactor)(?:\([^()]*\))?!?: |first contribution|full changelog|^new upstream (?:version|release)"
    r"|\bupdate years\b|^(?:[\w ]+: )?no changes since\b|^\[bugs?\b[^\]]*\]$|^# "
    r"|d/(?:copyright|control|rules)\b|\bpre-?commit\b|whitespace|white space|spelling",
    re.IGNORECASE,
)
_BREAKS = regex(
    r"\bbreaking\b|backwards?[- ]incompatib|no longer supported|\b(?:drop(?:s|ped)?|remov(?:e|es"
    r"|ed)) (?:\w+ )?support"
    r"|has been removed|(?:was|were) removed|^[-*• ]*\w+(?:\([^()]*\))?!: ",
    re.IGNORECASE,
)
_REMOVED = regex(r"removed|removals?", re.IGNORECASE)
_SECURES = regex(r"\bCVE-\d|\bvulnerab|\bsecurity\b|side[- ]channel", re.IGNORECASE)
_DATED = regex(r"\*?release date|-- .*@|[=~*_-]{4,}|\(?closes:? ", re.IGNORECASE)
_COMMITTED = regex(r"(?:[*•-]+ )?(feat|fix)(?:\([^()]*\))?!?: ", re.IGNORECASE)
# "** libname: ", "feat(parser)!: ", "gh-123: ", "#123: "; a name that says what part changed stays.
_MARK = regex(
    r"(?:[*•-]+ |: )?(?:(?:feat|fix|perf)(?:\([^()]*\))?!?: |(?:gh-|bpo-|issue |bug )?#?\d{3,}: |(?:gh"
    r"|bpo)-\d+: )?",
    re.IGNORECASE,
)
# "by @kira in https://…/pull/812", "(#820) (abc1234)", ", closes #815", "(Closes: #1044000)".
_CREDIT = regex(
    r"(?:,? \(?(?:by @[\w-]+(?:\[bot\])?|(?:in|via) https?://\S+|https?://\S+/(?:pull|issues|commit|merge_requests)/\w+"
    r"|(?:(?:in|via|closes:?|fix(?:es|ed)|resolves) )?#\d+"
    r"|(?<=\()(?=[a-f]*\d)[0-9a-f]{7,40}(?=\)))\)?)+(?P<stop>\.?)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class ChangeGroup:
    """The changes of one kind.

    Attributes:
        heading: Its name.
        positions: Those of the quoted sentences.
        quoted: Of how many items they are.
        count: How many items there are.
    """

    heading: str
    positions: tuple[int, ...]
    quoted: int
    count: int


def tells_kinds(candidates: Candidates) -> bool:
    """Whether at least half of the paragraphs of release notes tell what kind of change they are of."""
    kinds = _kind_of_items(candidates)
    openings = np.flatnonzero(candidates.opens_paragraph).tolist()
    labelled = sum(kinds[number] >= 0 or _kind_of_heading(candidates, number) >= 0 for number in openings)
    return any(kind >= 0 for kind in kinds) and labelled >= _LEAST_LABELLED * len(openings)


def write_by_change(extractor: Extractor) -> Extract:
    """A summary of release notes: the greater changes of each kind, and how many there are.

    A changelog of several releases is told by release, the newest first.
    """
    if (made := _write_by_release(extractor)) is not None:
        return made
    if not extractor.request.has_length:
        extractor = replace(extractor, num_words=min(extractor.num_words, _MOST_WORDS))
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    groups = group_by_kind(extractor.select(extractor.num_words, _matters(extractor)), extractor.candidates)
    unquoted = [f"{group.heading} ({group.count})" for group in groups if not group.positions]
    warnings = [f"not in the summary: {', '.join(unquoted)}"] if unquoted else []
    for group in groups:
        if not group.positions:
            continue
        quoted = {
            row: _without_marks(extractor.quote(row, len(sentences) + at))
            for at, row in enumerate(group.positions)
        }
        sentences |= quoted
        of_all = f" ({group.quoted} of {group.count})" if group.count > group.quoted else ""
        entries.append(
            OutlineEntry(
                heading=f"{group.heading}{of_all}",
                level=1,
                document_id=None,
                sentences=tuple(quoted.values()),
            )
        )
    if len(extractor.documents) > 1:
        only = f"only the greater changes, in up to {extractor.num_words} words"
        warnings += left_out(extractor, list(sentences), only)
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        warnings=tuple(warnings),
    )


def _write_by_release(extractor: Extractor) -> Extract | None:
    """What the newest releases of one changelog change, and which others it tells of."""
    candidates = extractor.candidates
    if not tells_releases(candidates):
        return None
    told = releases(candidates, extractor.scores.values)
    room = extractor.num_words if extractor.request.has_length else min(extractor.num_words, _MOST_WORDS)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    for number, release in enumerate(told):
        if number >= _MOST_RELEASES or (number and len(sentences) >= _ENOUGH_CHANGES):
            break
        taken: list[int] = []
        for row in release.positions[:_MOST_CHANGES]:
            if candidates.num_words[row] <= room:
                taken.append(row)
                room -= int(candidates.num_words[row])
        if not taken:
            continue
        quoted = {row: _quote(extractor, row, len(sentences) + at) for at, row in enumerate(taken)}
        sentences |= quoted
        of_all = f" ({len(taken)} of {release.count})" if release.count > len(taken) else ""
        entries.append(
            OutlineEntry(
                heading=f"{release.heading}{of_all}",
                level=1,
                document_id=None,
                sentences=tuple(quoted.values()),
            )
        )
    if not sentences:
        return None
    others = [release.heading for release in told if not set(release.positions) & sentences.keys()]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        warnings=(f"not in the summary: {_listed(others)}",) if others else (),
    )


def _quote(extractor: Extractor, position: int, index: int) -> SummarySentence:
    quoted = extractor.quote(position, index)
    label = kind_named(extractor.candidates, position)
    text = plain_change(quoted.text)
    if label is not None and (found := _LABEL.match(text)) and _kind_of_label(found["label"]) >= 0:
        text = text[found.end() :]
    return replace(quoted, text=text, label=label)


def _matters(extractor: Extractor) -> BoolArray | None:
    """What is worth telling: all but trifles, where there is anything else."""
    texts = [sentence.text for sentence in extractor.candidates.sentences]
    matters = np.array([_TRIFLE.search(text) is None for text in texts], bool)
    return matters if matters.any() else None


def _without_marks(quoted: SummarySentence) -> SummarySentence:
    return replace(quoted, text=plain_change(quoted.text))


def _listed(names: Sequence[str]) -> str:
    """The names of releases, those in the middle of many counted."""
    if len(names) <= _LISTED:
        return "; ".join(names)
    return f"{names[0]}; {names[1]}; … {names[-1]} ({len(names)} releases)"


def group_by_kind(chosen: Sequence[int], candidates: Candidates) -> list[ChangeGroup]:
    """The sentences chosen from release notes by kind of change, the kinds in the order a reader wants them.

    Args:
        chosen: Their positions, ascending.
        candidates: The sentences of the notes.

    Returns:
        A group for each kind there is, also if nothing of it was chosen.
    """
    kinds: list[int] = []
    items: list[int] = []
    for number, opening in enumerate(_kind_of_items(candidates)):
        starts = number == 0 or candidates.document[number] != candidates.document[number - 1]
        is_elsewhere = not starts and candidates.section[number] != candidates.section[number - 1]
        # A section whose headings name no kind tells nothing more of the one before it.
        if opening >= 0 or starts or (is_elsewhere and _kind_of_heading(candidates, number) < 0):
            kinds.append(opening if opening >= 0 else _OTHER)
            items.append(number)
        else:
            kinds.append(kinds[-1])
            items.append(items[-1])
    counts = Counter(kinds[number] for number in set(items))
    groups = []
    for kind in sorted(counts):
        positions = tuple(position for position in chosen if kinds[position] == kind)
        quoted = len({items[position] for position in positions})
        groups.append(
            ChangeGroup(heading=_KINDS[kind][0], positions=positions, quoted=quoted, count=counts[kind])
        )
    return groups


@dataclass(frozen=True, kw_only=True)
class Release:
    """One release of a changelog.

    Attributes:
        heading: Its number and date, as the document writes them.
        positions: Those of the first sentences of its changes, the ones that matter most to a user first.
        count: How many changes it has.
    """

    heading: str
    positions: tuple[int, ...]
    count: int


def tells_releases(candidates: Candidates) -> bool:
    """Whether notes are a changelog of several releases, or of one that does not tell kinds of change."""
    if candidates.document[0] != candidates.document[-1]:
        return False
    names = set(_release_of_sentences(candidates)) - {None}
    return len(names) >= _LEAST_RELEASES or (len(names) == 1 and not tells_kinds(candidates))


def releases(candidates: Candidates, scores: FloatArray) -> list[Release]:
    """The releases that a changelog tells of, the newest first.

    Args:
        candidates: The sentences of the changelog.
        scores: What each sentence is worth.
    """
    names = _release_of_sentences(candidates)
    by_name: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        if name is not None:
            by_name.setdefault(name, []).append(position)
    kinds = _kind_of_items(candidates)
    made = []
    for name, rows in by_name.items():
        items = [
            row
            for row in rows
            if (candidates.opens_paragraph[row] or kinds[row] >= 0 or _is_cut(candidates, row))
            and names_release(candidates.sentences[row].text) is None
            and _DATED.match(candidates.sentences[row].text) is None
        ]
        # What is too short to be understood counts, and is not quoted.
        notable = [
            row
            for row in items
            if candidates.num_words[row] >= _FEWEST_WORDS
            and _TRIFLE.search(candidates.sentences[row].text) is None
        ]
        order = {row: _urgency(candidates, row, kinds[row]) for row in notable}
        notable.sort(key=lambda row: (order[row], -float(scores[row])))
        made.append(Release(heading=_plain_release(name), positions=tuple(notable), count=len(items)))
    return sorted(made, key=lambda release: _number_of(release.heading), reverse=True)


def plain_change(text: str) -> str:
    """A change without its mark and number, and without who made it where."""
    found = _MARK.match(text)
    made = _CREDIT.sub(r"\g<stop>", text[found.end() :] if found else text).strip()
    # "libfoo: …" keeps its small letter.
    return made[:1].upper() + made[1:] if _COMMITTED.match(text) or text.startswith(": ") else made


def kind_named(candidates: Candidates, position: int) -> str | None:
    """The kind of a change as the headings here call it; ``None`` where nothing tells."""
    text = candidates.sentences[position].text
    if _BREAKS.search(text) or _is_cut(candidates, position):
        return "Breaking"
    committed = _COMMITTED.match(text)
    if committed is not None:
        return "New features" if committed[1].lower() == "feat" else "Bug fixes"
    kind = _kind_of_items(candidates)[position]
    if kind >= 0 and _REMOVED.fullmatch(section_path(candidates.sections[position]).split(PATH_BREAK)[-1]):
        # "The flag --legacy" alone does not say that it is gone.
        return "Removed"
    return _KINDS[kind][0].removesuffix(" notes") if kind >= 0 else None


def _release_of_sentences(candidates: Candidates) -> list[str | None]:
    """The name of the release that each sentence is of, as the document writes it."""
    found: list[str | None] = []
    now: str | None = None
    for position, sentence in enumerate(candidates.sentences):
        if not position or candidates.document[position] != candidates.document[position - 1]:
            title = candidates.titles[position]
            now = title if names_release(title) else None
        path = (candidates.sections[position].path or candidates.sections[position].heading or "").split(
            PATH_BREAK
        )
        headed = next((heading for heading in reversed(path) if names_release(heading)), None)
        if headed is not None:
            now = headed
        elif candidates.opens_paragraph[position] and names_release(sentence.text):
            now = sentence.text
        found.append(now)
    return found


def _is_cut(candidates: Candidates, position: int) -> bool:
    """Whether it is the rest of "feat!: …", which reads as the end of a sentence."""
    return candidates.sentences[position].text.startswith(": ") and position > 0


def _urgency(candidates: Candidates, position: int, kind: int) -> int:
    """The place of a change in the order in which users must know: what breaks, security, new, the rest."""
    text = candidates.sentences[position].text
    if _BREAKS.search(text) or _is_cut(candidates, position):
        return 0
    if kind == _SECURITY or _SECURES.search(text):
        return 1
    heading = _KINDS[kind][0] if kind >= 0 else ""
    return {"Overview": 0, "Upgrade notes": 2, "New features": 2, "Deprecations": 3}.get(heading, 4)


def _plain_release(name: str) -> str:
    return name.strip().strip("*#= ").replace("[", "").replace("]", "").rstrip(".:?")


def _number_of(heading: str) -> tuple[int, ...]:
    """What releases are ordered by; the one to come is the newest."""
    named = names_release(heading) or ""
    return tuple(map(int, re.findall(r"\d+", named))) if named[:1].isdigit() else (sys.maxsize,)


def _kind_of_items(candidates: Candidates) -> list[int]:
    """For each sentence that opens an item its kind, else -1."""
    kinds = []
    for number, sentence in enumerate(candidates.sentences):
        found = _LABEL.match(sentence.text)
        kind = _kind_of_label(found["label"]) if found else -1
        if kind < 0 and candidates.opens_paragraph[number]:
            kind = _kind_of_heading(candidates, number)
        kinds.append(kind)
    return kinds


def _kind_of_heading(candidates: Candidates, number: int) -> int:
    """The kind that the heading of a sentence names, or the nearest heading above it."""
    headings = reversed(section_path(candidates.sections[number]).split(PATH_BREAK))
    return next((kind for heading in headings if (kind := _kind_of_label(heading)) >= 0), -1)


def _kind_of_label(label: str) -> int:
    return next((kind for kind, labels in enumerate(_LABELS) if labels.fullmatch(label.strip())), -1)
