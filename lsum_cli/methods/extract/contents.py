"""The sections of a document that a summary does not quote, by the headings that say what they are about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from lsum_cli.documents import PATH_BREAK, Document, Section, SectionRole
from lsum_cli.methods.extract.kinds import DocumentKind, plain_heading
from lsum_cli.methods.extract.proposals import tells_a_risk
from lsum_cli.methods.extract.section_tree import SectionNode, section_tree, tells
from lsum_cli.methods.extract.sentences.boilerplate import (
    begins_clauses,
    calls_readers,
    is_boilerplate,
    names_gnu_licence,
)
from lsum_cli.methods.extract.sentences.other_views import is_aside
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.reading.opinions import voice_of
from lsum_cli.reading.questions import asks
from lsum_cli.text.terms import count_words

# The sections below a heading are named too where there are fewer names than this, and no more with them.
_FEW, _MOST = 4, 12
# What a proposal risks is named by any heading where so many words say that there is something.
_LEAST_OF_A_RISK = 40
_SILENT = (SectionRole.REFERENCES, SectionRole.FRONT_MATTER, SectionRole.BACK_MATTER, SectionRole.ABSTRACT)


def other_sections(
    document: Document, structure: Structure, quoted: Collection[int], *, by_part: bool = False
) -> tuple[str, ...]:
    """The headings of the sections of which nothing is quoted, in order, as far as they say what is there.

    A section is named for those below it. Where one is quoted in part, or its heading names only its place
    ("Introduction"), those below it are named as far as there are few names.

    Of a decision the dissents and concurrences are named, whose own parts are called alike.

    Args:
        document: The document.
        structure: What is known of its sentences.
        quoted: The indices of the sentences that are quoted.
        by_part: Whether they are shown under the headings of their parts: what is below those needs no name.
    """
    if structure.document_kind is DocumentKind.DECISION:
        return _separate_opinions(document.sections, quoted)
    if structure.document_kind is DocumentKind.PAPER:
        return ()  # sections are called alike there, and are no news: "Methods"
    # Where one chapter's "More information" is quoted, another chapter's would be named as if it were not.
    told = {
        plain_heading(section.heading)
        for section in document.sections
        if any(sentence.index in quoted for sentence in section.sentences)
    }
    level, named, is_below = section_tree(document.sections), list[SectionNode](), False
    if len(level) == 1:  # the title
        level = level[0].below
    while level and len(named) < (1 if by_part else _FEW):
        found, inner = list[SectionNode](), list[SectionNode]()
        for node in takewhile(lambda node: not begins_clauses(node.section.heading), level):
            heading = node.section.heading
            if node.section.role in _SILENT or is_boilerplate(node.section) or names_gnu_licence(heading):
                continue
            if structure.document_kind is DocumentKind.PROPOSAL and is_aside(plain_heading(heading)):
                # What was rejected would be named as if it were proposed.
                continue
            if structure.document_kind is DocumentKind.OTHER and calls_readers(node.section):
                continue
            if _is_quoted(node, quoted) or not tells(node) or plain_heading(node.section.heading) in told:
                inner += node.below
            else:
                found.append(node)
        # Questions are the parts of what answers them, in whatever groups.
        is_many = len(named) + len(found) > _MOST and not all(asks(node.section.heading) for node in found)
        if is_many and (named or (by_part and is_below)):
            break
        named += found
        level, is_below = inner, True
    if structure.document_kind is DocumentKind.PROPOSAL:
        named += _of_risk(document.sections, named, quoted)
    place = {id(section): number for number, section in enumerate(document.sections)}
    named.sort(key=lambda node: place[id(node.section)])
    return tuple(dict.fromkeys((node.section.heading or "").strip(" .:") for node in named))


def _separate_opinions(sections: Sequence[Section], quoted: Collection[int]) -> tuple[str, ...]:
    """The dissents and concurrences of which nothing is quoted: "STEVENS, J., dissenting"."""
    is_told: dict[str, bool] = {}
    for section in sections:
        if section.role in (SectionRole.DISSENT, SectionRole.CONCURRENCE) and section.heading is not None:
            # The parts of an opinion stand below whose it is, or repeat it.
            above = (section.path or section.heading).split(PATH_BREAK)
            name = next((each for each in above if voice_of(each) is not None), above[0]).split(" / ")[0]
            told = any(sentence.index in quoted for sentence in section.sentences)
            is_told[name] = is_told.get(name, False) or told
    return tuple(name for name, told in is_told.items() if not told)


def _of_risk(
    sections: Sequence[Section], named: Sequence[SectionNode], quoted: Collection[int]
) -> Iterator[SectionNode]:
    """The sections that say what may go wrong, unless they are quoted or below one that is named."""
    covered = {id(section) for node in named for section in node.sections()}
    level = section_tree(sections)
    while level:
        inner = list[SectionNode]()
        for node in level:
            heading = plain_heading(node.section.heading)
            if id(node.section) in covered or is_aside(heading):
                continue
            words = sum(
                count_words(sentence.text)
                for each in node.sections()
                for sentence in each.sentences
                if tells_a_risk(heading, sentence.text)
            )
            if words < _LEAST_OF_A_RISK:
                inner += node.below
            elif not _is_quoted(node, quoted):
                yield node
        level = inner


def _is_quoted(node: SectionNode, quoted: Collection[int]) -> bool:
    return any(sentence.index in quoted for section in node.sections() for sentence in section.sentences)
