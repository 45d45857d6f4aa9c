"""The parts of a document, as an outline lists them: sections, chapters, the opinions of a decision.

A document has the parts that its headings name. Of several levels of headings the highest is taken that
divides the document, and the next one too where that makes few parts. A text without headings is
divided by its chapters' lines, else evenly into neighbourhoods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from lsum_cli.documents import Document, Section, SectionRole
from lsum_cli.locality import Locality, Page, count_tokens
from lsum_cli.methods.chapters import find_chapters
from lsum_cli.text.terms import count_words

# A level of headings does not divide a document if one of its parts is more of it than this.
_MOST_OF_ALL = 0.8
# The next level is listed too where the outline stays within these numbers of parts.
_FEW_PARTS, _MOST_PARTS = 8, 30
# Words of a neighbourhood, and how many there may be.
_NEIGHBOURHOOD_WORDS = 600
_MOST_NEIGHBOURHOODS = 10
_LEAST_OPINION_SENTENCES = 3
_VOICES = {
    SectionRole.SYLLABUS: "Syllabus",
    SectionRole.OPINION: "Opinion of the Court",
    SectionRole.CONCURRENCE: "Concurrence",
    SectionRole.DISSENT: "Dissent",
}
_SILENT = (SectionRole.REFERENCES, SectionRole.FRONT_MATTER, SectionRole.BACK_MATTER)
_UNTITLED = {SectionRole.ABSTRACT: "Abstract"}


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a document.

    Attributes:
        heading: Its heading, or what stands for it.
        level: Its depth, from 1.
        sentences: Indices of its sentences in the document; those of the parts below it are theirs alone.
        is_silent: Whether it is named only: references, front and back matter.
    """

    heading: str
    level: int
    sentences: tuple[int, ...]
    is_silent: bool = False


@dataclass(frozen=True, kw_only=True)
class Division:
    """The parts of a document, in order, and how they were found.

    Attributes:
        kind: ``"sections"``, ``"chapters"``, ``"opinions"`` or ``"neighbourhoods"``.
    """

    parts: tuple[Part, ...]
    kind: str


def divide(document: Document, *, is_book: bool = False) -> Division:
    """Divide a document into the parts of its outline; every sentence belongs to one part at most.

    Args:
        is_book: Whether to look for chapters before sections.
    """
    opinions = tuple(_opinions(document.sections))
    if opinions:
        return Division(parts=opinions, kind="opinions")
    if is_book:
        chapters = tuple(_chapters(document))
        if chapters:
            return Division(parts=chapters, kind="chapters")
    sections = tuple(_sections(document.sections))
    if sections:
        return Division(parts=sections, kind="sections")
    chapters = () if is_book else tuple(_chapters(document))
    if chapters:
        return Division(parts=chapters, kind="chapters")
    return Division(parts=tuple(_neighbourhoods(document)), kind="neighbourhoods")


def _indices(sections: Sequence[Section]) -> tuple[int, ...]:
    return tuple(sentence.index for section in sections for sentence in section.sentences)


def _opinions(sections: Sequence[Section]) -> Iterator[Part]:
    """Syllabus, opinion, concurrences and dissents, each with the parts that have headings of their own."""
    if not {section.role for section in sections} & (_VOICES.keys() - {SectionRole.OPINION}):
        return
    for role, run in groupby(_voices(sections), key=lambda each: each[0]):
        group = [section for _, section in run]
        name = _VOICES.get(role[0], "Opening")
        first, *rest = group
        heading = first.heading if first.heading and role[0] in _VOICES else None
        # A numeral alone is a part of the opinion, not its name.
        if heading is not None and (count_words(heading) < 2 or len(heading) > 90) and role[0] in _VOICES:
            heading = name if heading.casefold() != name.casefold() else heading
        inner = [section for section in rest if section.heading]
        if len(inner) < 2 or any(
            len(section.sentences) < _LEAST_OPINION_SENTENCES for section in inner[:1]
        ):
            yield Part(heading=heading or name, level=1, sentences=_indices(group))
            continue
        yield Part(heading=heading or name, level=1, sentences=_indices([first]))
        for section in rest:
            yield Part(heading=section.heading or name, level=2, sentences=_indices([section]))


def _voices(sections: Sequence[Section]) -> Iterator[tuple[tuple[SectionRole, int], Section]]:
    """Each section with its role and the number of the opinion: two dissents in a row are two."""
    number = 0
    previous: SectionRole | None = None
    for section in sections:
        if section.role is SectionRole.REFERENCES or not (section.sentences or section.heading):
            continue
        names_itself = section.heading is not None and section.role in (
            SectionRole.CONCURRENCE,
            SectionRole.DISSENT,
        )
        is_new = section.role is not previous or (names_itself and "," in (section.heading or ""))
        number += is_new
        previous = section.role
        yield (section.role, number), section


def _chapters(document: Document) -> Iterator[Part]:
    pages = find_chapters([document], count_tokens)
    if not pages or pages[0].locality is not Locality.DISCOURSE or len(pages) < 2:
        return
    sections = document.sections
    for page in pages:
        roles = {sections[sentence.section_index].role for sentence in page.sentences}
        yield Part(
            heading=page.label,
            level=1,
            sentences=tuple(sentence.index for sentence in page.sentences),
            is_silent=roles <= set(_SILENT),
        )


def _sections(sections: Sequence[Section]) -> Iterator[Part]:
    headed = [section for section in sections if section.heading]
    for level in sorted({section.level for section in headed}):
        groups = _group(sections, level)
        sizes = [sum(count_words(s.text) for each in group for s in each.sentences) for group in groups]
        speaking = sum(size > 0 for size in sizes)
        if speaking < 2 or max(sizes) > _MOST_OF_ALL * sum(sizes):
            continue
        deeper = min((each.level for each in headed if each.level > level), default=0)
        if len(groups) <= _FEW_PARTS and deeper:
            finer = _group(sections, deeper)
            if len(finer) <= _MOST_PARTS and len(finer) > len(groups):
                groups = finer
        for group in groups:
            opening = group[0]
            if opening.heading is None and not _indices(group):
                continue
            yield Part(
                heading=opening.heading or _UNTITLED.get(opening.role, "Opening"),
                level=1 if opening.level <= level else 2,
                sentences=_indices(group),
                is_silent=all(section.role in _SILENT for section in group if section.sentences),
            )
        return


def _group(sections: Sequence[Section], level: int) -> list[list[Section]]:
    """The sections from each heading of this or a higher level up to the next one."""
    groups: list[list[Section]] = []
    for section in sections:
        is_new = section.heading is not None and section.level <= level
        if is_new or not groups:
            groups.append([])
        groups[-1].append(section)
    return groups


def _neighbourhoods(document: Document) -> Iterator[Part]:
    """Parts of nearly equal length; they end where a paragraph does, if one does near there."""
    sentences = document.sentences
    lengths = np.array([count_words(sentence.text) for sentence in sentences], float)
    total = lengths.sum()
    count = int(min(max(2, round(total / _NEIGHBOURHOOD_WORDS)), _MOST_NEIGHBOURHOODS, len(sentences)))
    begins = np.concatenate(
        (np.cumsum(lengths)[:-1], [total]) if len(sentences) else ([0.0],)
    )
    opens = [
        place + 1
        for place in range(len(sentences) - 1)
        if sentences[place + 1].start - sentences[place].end > 1
    ]
    cuts = [0]
    for number in range(1, count):
        wanted = total * number / count
        near = [place for place in opens if abs(begins[place - 1] - wanted) <= total / count / 4]
        places = near or range(1, len(sentences))
        best = min(places, key=lambda place: abs(begins[place - 1] - wanted))
        if best > cuts[-1]:
            cuts.append(best)
    cuts.append(len(sentences))
    parts = len(cuts) - 1
    for number in range(parts):
        yield Part(
            heading=f"part {number + 1}/{parts}" if parts > 1 else "whole text",
            level=1,
            sentences=tuple(sentence.index for sentence in sentences[cuts[number] : cuts[number + 1]]),
        )


def front_matter_of(pages: Sequence[Page], document: Document) -> list[str]:
    """The labels of the pages that hold nothing but front or back matter."""
    return [
        page.label
        for page in pages
        if page.document_id == document.id
        and all(document.sections[s.section_index].role in _SILENT for s in page.sentences)
    ]
