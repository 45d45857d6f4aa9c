"""The parts of a document, as an outline lists them: sections, chapters, the opinions of a decision.

A document has the parts that its headings name. Of several levels of headings the highest is taken that
divides the document, and the next one too where that makes few parts. A text without headings is
divided by its chapters' lines, else evenly into neighbourhoods.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from lsum_cli.documents import PATH_BREAK, Document, Section, SectionRole
from lsum_cli.locality import Locality, Page, count_tokens
from lsum_cli.methods.chapters import find_chapters, is_chapter_name
from lsum_cli.methods.extract.sentences.boilerplate import names_boilerplate, sets_rule
from lsum_cli.reading.plain.heading_forms import numbers_of
from lsum_cli.reading.questions import asks
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import count_words

# A level of headings does not divide a document if one of its parts is more of it than this.
_MOST_OF_ALL = 0.8
# The next level is listed too where the outline stays within these numbers of parts.
_FEW_PARTS, _MOST_PARTS = 8, 30
# Words of a neighbourhood, and how many there may be.
_NEIGHBOURHOOD_WORDS = 600
_MOST_NEIGHBOURHOODS = 10
# A text of fewer words is one part.
_LEAST_DIVIDED = 60
_NUMERAL = regex(r"(?:[IVXL]{1,5}|[A-H]|\d{1,2})(?:[-–—][A-Z\d])?[.)]?")
_APART = regex(r"\b(?:concurring|dissenting)\b", re.IGNORECASE)
_LONGEST_NAME = 160
# Headings before the first chapter and after the last one that are not the book's own text.
_FRONT = regex(
    r"(?:the )?(?:(?:author|editor|translator|publisher|transcriber|compiler)s?['’]?s? )?(?:preface|foreword"
    r"|introduction|introductory|notes?|dedication|acknowledge?ments?|contents|table of contents"
    r"|illustrations|list of (?:illustrations|figures|maps|plates|tables)|copyright.*|imprint|title page"
    r"|half[- ]title|cover|licen[cs]e.*|about (?:the|this) .*|also by .*|praise for .*|note (?:on|to) .*"
    r"|a note .*|prefatory .*|bibliograph.*|biograph.*|by the same author|chronology|epigraph)"
    r"(?: to .*| by .*)?[.:]?",
    re.IGNORECASE,
)
_BACK = regex(
    r"(?:the )?(?:end)?notes|glossary|index.*|bibliography|references|appendi(?:x|ces).*|colophon"
    r"|licen[cs]e.*|about the (?:author|publisher|type).*|acknowledge?ments?|also by .*|footnotes"
    r"|advertisements?|(?:full )?project gutenberg.*|transcriber.*|credits|copyright.*",
    re.IGNORECASE,
)
# Of a book that is no story, a preface and an introduction are its own text; these never are.
_BINDING = regex(
    r"(?:front |back )?cover|half[- ]title|title page|copyright.*|(?:table of |detailed )?contents"
    r"|dedication|imprint|also by .*|praise for .*|epigraph"
    r"|list of (?:illustrations|figures|maps|plates|tables)",
    re.IGNORECASE,
)
_NOTES = regex(r"(?:end)?notes", re.IGNORECASE)
_CAST = regex(
    r"(?:the )?(?:(?:list of )?characters|dramatis person(?:ae|æ)|cast(?: of characters)?"
    r"|(?:persons|people)(?: (?:of|in) the play| represented)?)[.:]?",
    re.IGNORECASE,
)
# A group of so much of all words, and so many, is told by its own parts.
_MOST_OF_A_GROUP, _LEAST_OF_A_DIVIDED_GROUP = 0.5, 3000
# What stands before the first chapter without a heading is front matter where it is no more than this.
_MOST_FRONT = 0.03
_VOICES = {
    SectionRole.SYLLABUS: "Syllabus",
    SectionRole.OPINION: "Opinion of the Court",
    SectionRole.CONCURRENCE: "Concurrence",
    SectionRole.DISSENT: "Dissent",
}
_SILENT = (SectionRole.REFERENCES, SectionRole.FRONT_MATTER, SectionRole.BACK_MATTER)
_OPENING = "Opening"
_UNTITLED = {SectionRole.ABSTRACT: "Abstract"}


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of a document.

    Attributes:
        heading: Its heading, or what stands for it.
        level: Its depth, from 1.
        sentences: Indices of its sentences in the document; those of the parts below it are theirs alone.
        is_silent: Whether it is named only: references, front and back matter.
        is_headed: Whether the document itself has the heading.
        above: The heading of the chapter that it is in, where that has no text of its own; else empty.
    """

    heading: str
    level: int
    sentences: tuple[int, ...]
    is_silent: bool = False
    is_headed: bool = True
    above: str = ""


@dataclass(frozen=True, kw_only=True)
class Division:
    """The parts of a document, in order, and how they were found.

    Attributes:
        kind: ``"sections"``, ``"chapters"``, ``"opinions"`` or ``"neighbourhoods"``.
    """

    parts: tuple[Part, ...]
    kind: str


def divide(
    document: Document, *, is_book: bool = False, is_story: bool = False, is_faq: bool = False
) -> Division:
    """Divide a document into the parts of its outline; every sentence belongs to one part at most.

    Args:
        is_book: Whether to look for chapters before sections.
        is_story: Whether a preface and an introduction are not the book's own text.
        is_faq: Whether every question is a part, however they are grouped.
    """
    if is_faq:
        return Division(parts=tuple(_questions(document.sections)), kind="sections")
    opinions = tuple(_opinions(document.sections))
    if opinions:
        return Division(parts=opinions, kind="opinions")
    if is_book:
        chapters = tuple(_chapters(document, is_story))
        if chapters:
            return Division(parts=chapters, kind="chapters")
    sections = tuple(_sections(document.sections))
    if sections:
        return Division(parts=sections, kind="sections")
    chapters = () if is_book else tuple(_chapters(document, is_story))
    if chapters:
        return Division(parts=chapters, kind="chapters")
    return Division(parts=tuple(_neighbourhoods(document)), kind="neighbourhoods")


def _indices(sections: Sequence[Section]) -> tuple[int, ...]:
    return tuple(sentence.index for section in sections for sentence in section.sentences)


def _opinions(sections: Sequence[Section]) -> Iterator[Part]:
    """Syllabus, opinion, concurrences and dissents, each with the parts that have headings of their own."""
    if not {section.role for section in sections} & (_VOICES.keys() - {SectionRole.OPINION}):
        return
    for (role, _), run in groupby(_voices(sections), key=lambda each: each[0]):
        group = [section for _, section in run]
        name = _name_voice(role, group)
        inner = [section for section in group if section.heading and _NUMERAL.fullmatch(section.heading)]
        if role is SectionRole.SYLLABUS or len(inner) < 2:
            yield Part(heading=name, level=1, sentences=_indices(group))
            continue
        opening = group[: group.index(inner[0])]
        yield Part(heading=name, level=1, sentences=_indices(opening))
        for part in _group(group[len(opening) :], inner[0].level, inner):
            path = _path(part[0])
            yield Part(heading=path, level=2 + path.count(PATH_BREAK), sentences=_indices(part))


def _name_voice(role: SectionRole, sections: Sequence[Section]) -> str:
    """What to call an opinion: that of a judge as it is printed, if it is."""
    if role in (SectionRole.CONCURRENCE, SectionRole.DISSENT):
        opening = [sentence.text for section in sections[:1] for sentence in section.sentences[:1]]
        for line in (*(section.heading or "" for section in sections[:1]), *opening):
            if len(line) <= _LONGEST_NAME and _APART.search(line):
                return line.strip(" .:")
    return _VOICES.get(role, _OPENING)


def _path(section: Section) -> str:
    """The numbers above a part of an opinion and its own: "III › A"."""
    path = [part for part in section.path.split(PATH_BREAK) if _NUMERAL.fullmatch(part)]
    return PATH_BREAK.join(path) or section.heading or ""


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


def _chapters(document: Document, is_story: bool) -> Iterator[Part]:
    pages = find_chapters([document], count_tokens)
    if not pages or pages[0].locality is not Locality.DISCOURSE or len(pages) < 2:
        return
    for page, is_matter in zip(pages, _matter(pages, is_story), strict=True):
        yield Part(
            heading=page.label,
            level=1,
            sentences=tuple(sentence.index for sentence in page.sentences),
            is_silent=is_matter,
            is_headed=page.label != _OPENING,
        )


def _matter(pages: Sequence[Page], is_story: bool) -> list[bool]:
    """Which chapters are front or back matter: by their names, before the first that is a chapter's.

    Where no heading is clearly a chapter's, the first that is no front matter is taken for one.
    """
    front = _FRONT if is_story else _BINDING
    # "VOLUME I: CHAPTER I", "Chapter 1: The Storm"
    named = [place for place, page in enumerate(pages) if any(map(is_chapter_name, page.label.split(": ")))]

    def is_named_front(page: Page) -> bool:
        return front.fullmatch(page.label) is not None or (not is_story and surrounds(page.label))

    bodies = [
        place for place, page in enumerate(pages) if not (is_named_front(page) or page.label == _OPENING)
    ]
    total = sum(page.num_tokens for page in pages)
    first, last = (named or bodies or [0])[0], (named or bodies or [len(pages)])[-1]

    def is_front(page: Page) -> bool:
        is_scrap = page.num_tokens <= _MOST_FRONT * total and (is_story or page.label == _OPENING)
        return is_named_front(page) or is_scrap

    def is_back(page: Page) -> bool:
        # "A note on the text" stands before a novel or after it.
        return bool(_BACK.fullmatch(page.label) or (is_story and _FRONT.fullmatch(page.label)))

    return [
        (place < first and is_front(page)) or (place > last and is_back(page))
        for place, page in enumerate(pages)
    ]


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
        groups = [part for group in groups for part in _divided(group, sum(sizes))]
        yield from _name_groups(groups, level)
        return


def _questions(sections: Sequence[Section]) -> Iterator[Part]:
    """A part for each question, which names the group that it is in, and for what else has a heading."""
    deepest = max(section.level for section in sections if asks(section.heading))
    names = [each.heading for each in sections if each.heading and each.level < deepest]
    # One heading above all questions is the title.
    is_grouped = sum(not asks(name) for name in names) > 1
    above = before = None
    for group in _group(sections, deepest):
        opening = group[0]
        if opening.heading is None and not _indices(group):
            continue
        if above is not None and (opening.level <= above.level or not _is_counted(opening, above, before)):
            above = None
        before = opening
        yield Part(
            heading=opening.heading or _UNTITLED.get(opening.role, _OPENING),
            level=1 if above is None else 2,
            sentences=_indices(group),
            is_silent=all(_is_silent(section) for section in group if section.sentences)
            or (above is not None and surrounds(above.heading)),
            is_headed=opening.heading is not None,
            above=(above.heading or "") if above is not None else "",
        )
        if is_grouped and opening.level < deepest and opening.heading and not asks(opening.heading):
            above = opening


def _is_counted(question: Section, above: Section, before: Section | None) -> bool:
    """Whether the number of a question may be one of a group: not 1.1 below "6. Files", which lists contents.

    Nor is 5.2 of a group of which it is the first.
    """
    number, of_group = numbers_of(question.heading or ""), numbers_of(above.heading or "")
    if of_group or len(number) < 2:
        return len(number) < 2 or number[: len(of_group)] == of_group
    return before is not above or number[-1] == 1


def _divided(group: list[Section], total: int) -> list[list[Section]]:
    """The parts of a group that has most words of a long document; else the group itself."""
    size = sum(count_words(sentence.text) for section in group for sentence in section.sentences)
    if size <= _MOST_OF_A_GROUP * total or size < _LEAST_OF_A_DIVIDED_GROUP:
        return [group]
    deeper = min((section.level for section in group[1:] if section.heading), default=0)
    finer = _group(group, deeper)
    is_fit = deeper > group[0].level and _FEW_PARTS < len(finer) <= _MOST_PARTS
    return finer if is_fit else [group]


def _name_groups(groups: Sequence[Sequence[Section]], level: int) -> Iterator[Part]:
    """A part for each group of sections; one in the notes at the end, named as another, is not that part."""
    names: set[str] = set()
    is_in_notes = False
    above = ""
    for group in groups:
        opening = group[0]
        if opening.heading is None and not _indices(group):
            continue
        if opening.level <= level:
            above = (opening.heading or "") if len(group) == 1 and not _indices(group) else ""
        heading = opening.heading or _UNTITLED.get(opening.role, _OPENING)
        is_in_notes |= len(names) > 1 and _NOTES.fullmatch(heading) is not None
        yield Part(
            heading=heading,
            level=1 if opening.level <= level else 2,
            sentences=_indices(group),
            is_silent=all(_is_silent(section) for section in group if section.sentences)
            or (is_in_notes and (heading in names or _BACK.fullmatch(heading) is not None)),
            is_headed=opening.heading is not None,
            above=above if opening.level > level else "",
        )
        names.add(heading)


def lists_the_cast(part: Part) -> bool:
    """Whether a part is the list of who is in a play."""
    return _CAST.fullmatch(part.heading) is not None


def surrounds(heading: str | None) -> bool:
    """Whether a heading is of what surrounds any text: references, thanks, contents, the cover."""
    return names_boilerplate(heading) or _BINDING.fullmatch(heading or "") is not None


def _is_silent(section: Section) -> bool:
    return section.role in _SILENT or (surrounds(section.heading) and not sets_rule(section))


def _group(
    sections: Sequence[Section], level: int, openings: Sequence[Section] | None = None
) -> list[list[Section]]:
    """The sections from each heading of this or a higher level up to the next one.

    Args:
        openings: The sections that begin a group; by default those of such a heading.
    """
    groups: list[list[Section]] = []
    for section in sections:
        is_new = section.heading is not None and section.level <= level
        if openings is not None:
            is_new = any(section is opening for opening in openings)
        if is_new or not groups:
            groups.append([])
        groups[-1].append(section)
    return groups


def _neighbourhoods(document: Document) -> Iterator[Part]:
    """Parts of nearly equal length; they end where a paragraph does, if one does near there."""
    sentences = document.sentences
    lengths = np.array([count_words(sentence.text) for sentence in sentences], float)
    total = lengths.sum()
    least = 2 if total >= _LEAST_DIVIDED else 1
    count = int(min(max(least, round(total / _NEIGHBOURHOOD_WORDS)), _MOST_NEIGHBOURHOODS, len(sentences)))
    begins = np.concatenate((np.cumsum(lengths)[:-1], [total]) if len(sentences) else ([0.0],))
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
