"""What changed in a document since an earlier version.

Sentences are compared by their letters, digits and signs alone, so that hyphenation, spacing and quotation
marks make no difference; sections by the sentences they share, so that they may move and be renamed.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from lsum_cli.documents import Document, Section, SectionRole, Sentence
from lsum_cli.locality import label_sections
from lsum_cli.summaries import ChangeKind, Changes, SectionChange, SentenceChange
from lsum_cli.text.patterns import regex

# Hyphens between letters come and go with line breaks; at a digit one is a sign, or part of the number.
_HYPHEN = regex(r"(?<=\d)-(?=\d)|(?<![\w-])-(?=[\d.])")
_POINT = regex(r"(?<=\d)[.,:/](?=\d)")
_SIGNS = frozenset("+−±<>=≤≥≠≈%‰°$€£¥×÷√∞∂∑∫\u2260")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))
_NUMBERING = regex(r"^(?:section|chapter|part|appendix)?[\W\d]*(?:[ivxl]+[.)]\s)?", re.IGNORECASE)
# Two sentences are versions of one where they share this much of their words (Dice).
_ALIKE = 0.5
_MOST_COMPARED = 50_000
_DIGEST_BYTES = 5
NO_DIGEST = "-"
"""Stands for a sentence without letters, digits and signs."""


def normal_form(text: str) -> str:
    """What two versions of a sentence have in common if they say the same: letters, digits and signs."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES)
    kept = {match.start() for pattern in (_HYPHEN, _POINT) for match in pattern.finditer(plain)}
    return "".join(
        letter
        for place, letter in enumerate(plain)
        if letter.isalnum() or letter in _SIGNS or place in kept or unicodedata.category(letter) == "Mn"
    )


def digest(text: str) -> str:
    """A short hash of a sentence's normal form; empty for a sentence that has none."""
    own = normal_form(text)
    return hashlib.blake2s(own.encode(), digest_size=_DIGEST_BYTES).hexdigest() if own else ""


@dataclass(frozen=True, kw_only=True)
class EarlierSection:
    """A section of an earlier version.

    Attributes:
        heading: What it was called.
        normal_forms: Of its sentences; digests where their text was not kept.
        texts: Its sentences; empty where they were not kept.
    """

    heading: str
    normal_forms: tuple[str, ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class EarlierText:
    """What is known of an earlier version of a document.

    Attributes:
        source: Where it comes from.
        has_text: Whether its sentences were kept, not only digests of them.
    """

    source: str
    sections: tuple[EarlierSection, ...]
    has_text: bool = True

    @classmethod
    def of(cls, document: Document, *, keep_references: bool = False) -> EarlierText:
        """A document that was read."""
        return cls(
            source=document.source,
            sections=tuple(
                EarlierSection(
                    heading=label,
                    normal_forms=tuple(normal_form(sentence.text) for sentence in section.sentences),
                    texts=tuple(sentence.text for sentence in section.sentences),
                )
                for label, section in _sections(document, keep_references)
            ),
        )


def compare(old: EarlierText, new: Document, *, keep_references: bool = False) -> Changes:
    """What changed from one version to the next.

    Args:
        keep_references: Whether lists of references are compared too.
    """
    sections = _sections(new, keep_references)
    own = [[_Own.of(sentence, old) for sentence in section.sentences] for _, section in sections]
    flat = [each.normal_form for group in own for each in group]
    before = [each for section in old.sections for each in section.normal_forms]
    known, kept = _recognise(flat, before, joins=old.has_text)
    pairs = _match_sections([label for label, _ in sections], own, known, old)
    moved = _moved([place for place in pairs if place is not None])
    starts = [0, *accumulate(len(group) for group in own)]
    old_starts = [0, *accumulate(len(section.normal_forms) for section in old.sections)]
    found: list[SectionChange] = []
    for number, (label, section) in enumerate(sections):
        fresh = [
            each.sentence
            for place, each in enumerate(own[number], starts[number])
            if place not in known and each.normal_form
        ]
        partner = pairs[number]
        gone = [] if partner is None else _gone(old, partner, old_starts, kept)
        has_known = any(place in known for place in range(starts[number], starts[number + 1]))
        if fresh and partner is None and not has_known:
            kind = ChangeKind.NEW
        elif fresh or gone:
            kind = ChangeKind.ALTERED
        elif partner in moved:
            kind = ChangeKind.MOVED
        else:
            continue
        found.append(
            SectionChange(
                heading=label,
                kind=kind,
                is_moved=partner in moved,
                pdf_pages=tuple(sorted({s.pdf_page for s in section.sentences if s.pdf_page is not None})),
                sentences=tuple(_pair(fresh, gone)),
            )
        )
    taken = set(pairs)
    for number, kept_section in enumerate(old.sections):
        gone = [] if number in taken else _gone(old, number, old_starts, kept)
        if gone:
            found.append(
                SectionChange(
                    heading=kept_section.heading, kind=ChangeKind.REMOVED, sentences=tuple(_pair([], gone))
                )
            )
    return Changes(
        since=old.source,
        sections=tuple(found),
        sections_compared=len(sections),
        sentences_unchanged=len(known),
        has_old_text=old.has_text,
    )


@dataclass(frozen=True, kw_only=True)
class _Own:
    """A sentence of the new version, with its normal form as the old one has them."""

    sentence: Sentence
    normal_form: str

    @classmethod
    def of(cls, sentence: Sentence, old: EarlierText) -> _Own:
        own = normal_form(sentence.text) if old.has_text else digest(sentence.text)
        return cls(sentence=sentence, normal_form=own)


def _sections(document: Document, keep_references: bool) -> list[tuple[str, Section]]:
    """The sections that are compared, each with its label."""
    written = [
        section
        for section in document.sections
        if section.sentences and (keep_references or section.role is not SectionRole.REFERENCES)
    ]
    return list(zip(label_sections(written), written, strict=True))


def _recognise(new: Sequence[str], old: Sequence[str], *, joins: bool) -> tuple[set[int], set[int]]:
    """The positions in both versions of what the other holds too; empty normal forms count as known.

    Args:
        joins: Whether a sentence may be several of the other version, split elsewhere.
    """
    both = set(new) & set(old)
    known = {place for place, own in enumerate(new) if own in both or not own}
    kept = {place for place, own in enumerate(old) if own in both or not own}
    if joins:
        for few, many, whole, parts in ((new, old, known, kept), (old, new, kept, known)):
            text, bounds = "".join(many), [0, *accumulate(map(len, many))]
            for place, own in enumerate(few):
                if place not in whole and (run := _find_run(own, text, bounds)) is not None:
                    whole.add(place)
                    parts.update(run)
    return known, kept


def _find_run(own: str, text: str, bounds: Sequence[int]) -> range | None:
    """The sentences that make up another one together: where it stands in their joined text."""
    start = text.find(own)
    while start >= 0:
        first, last = bisect_left(bounds, start), bisect_left(bounds, start + len(own))
        if bounds[first] == start and bounds[last] == start + len(own):
            return range(first, last)
        start = text.find(own, start + 1)
    return None


def _match_sections(
    labels: Sequence[str],
    own: Sequence[Sequence[_Own]],
    known: set[int],
    old: EarlierText,
) -> list[int | None]:
    """For each section the earlier one it was, if any: the one it shares most with, else of the same name."""
    home: dict[str, int] = {}
    for number, section in enumerate(old.sections):
        for known_form in section.normal_forms:
            home.setdefault(known_form, number)
    shared: list[tuple[int, int, int]] = []
    place = 0
    for number, group in enumerate(own):
        counts: Counter[int] = Counter()
        for each in group:
            if place in known and each.normal_form in home:
                counts[home[each.normal_form]] += len(each.normal_form)
            place += 1
        shared += [(-size, number, earlier) for earlier, size in counts.items()]
    pairs: list[int | None] = [None] * len(own)
    taken: set[int] = set()
    for _, number, earlier in sorted(shared):
        if pairs[number] is None and earlier not in taken:
            pairs[number] = earlier
            taken.add(earlier)
    names: dict[str, int] = {}
    for number, section in enumerate(old.sections):
        if number not in taken:
            names.setdefault(_name(section.heading), number)
    for number, label in enumerate(labels):
        if pairs[number] is None and _name(label) in names:
            pairs[number] = names.pop(_name(label))
    return pairs


def _name(heading: str) -> str:
    """A heading without its number, which changes with what stands before it."""
    return normal_form(_NUMBERING.sub("", heading)) or normal_form(heading)


def _moved(order: Sequence[int]) -> set[int]:
    """What does not belong to the longest ascending sequence."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for place, value in enumerate(order):
        at = bisect_left(tails, value)
        tails[at:] = [value]
        before.append(last[at - 1] if at else -1)
        last[at:] = [place]
    place = last[-1] if last else -1
    stayed: set[int] = set()
    while place >= 0:
        stayed.add(order[place])
        place = before[place]
    return set(order) - stayed


def _gone(old: EarlierText, number: int, starts: Sequence[int], kept: set[int]) -> list[str | None]:
    """The sentences of an earlier section that are no more; ``None`` for one whose text was not kept."""
    section = old.sections[number]
    return [
        section.texts[at] if section.texts else None
        for at, own in enumerate(section.normal_forms)
        if own and starts[number] + at not in kept
    ]


def _pair(fresh: Sequence[Sentence], gone: Sequence[str | None]) -> Iterator[SentenceChange]:
    """New and altered sentences in order, then those that were removed."""
    words = [Counter(sentence.text.casefold().split()) for sentence in fresh]
    earlier = [Counter((text or "").casefold().split()) for text in gone]
    # Of many, only those that stand in about the same place are compared.
    reach = max(10, _MOST_COMPARED // max(1, len(fresh)))
    scale = len(gone) / max(1, len(fresh))
    similarity = sorted(
        (-alike, place, at)
        for place, own in enumerate(words)
        for at in range(max(0, int(place * scale) - reach), min(len(gone), int(place * scale) + reach + 1))
        if (alike := _dice(own, earlier[at])) >= _ALIKE
    )
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, place, at in similarity:
        if place not in partner and at not in taken:
            partner[place] = at
            taken.add(at)
    for place, sentence in enumerate(fresh):
        is_altered = place in partner
        yield SentenceChange(
            kind=ChangeKind.ALTERED if is_altered else ChangeKind.NEW,
            text=sentence.text,
            before=gone[partner[place]] if is_altered else None,
            sentence_index=sentence.index,
            pdf_page=sentence.pdf_page,
        )
    for at, text in enumerate(gone):
        if at not in taken:
            yield SentenceChange(kind=ChangeKind.REMOVED, text=None, before=text)


def _dice(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0
