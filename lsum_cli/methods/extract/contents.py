"""The sections of a document that a summary does not quote, by the headings that say what they are about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from lsum_cli.documents import Document, Section, SectionRole
from lsum_cli.methods.extract.boilerplate import calls_readers, is_boilerplate
from lsum_cli.methods.extract.division import Part
from lsum_cli.methods.extract.kinds import DocumentKind, is_heading_of_form, plain_heading
from lsum_cli.methods.extract.other_views import is_aside
from lsum_cli.methods.extract.presentability import MOST_SYMBOLS, symbols_of
from lsum_cli.methods.extract.proposals import tells_a_risk
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import count_words

# The sections below a heading are named too where there are fewer names than this, and no more with them.
_FEW, _MOST = 4, 12
# A heading of more words is a sentence.
_LONGEST = 12
# A section of fewer words is not worth naming.
_LEAST_WORDS = 25
# What a proposal risks is named by any heading where so many words say that there is something.
_LEAST_OF_A_RISK = 40
# Of these kinds the sections are called alike, and are no news: "Methods", "Part II".
_OF_FORM = (DocumentKind.PAPER, DocumentKind.DECISION)
_SILENT = (SectionRole.REFERENCES, SectionRole.FRONT_MATTER, SectionRole.BACK_MATTER, SectionRole.ABSTRACT)
# Headings that name the place of a section in a text of its kind, not what it is about; with those of papers
# and proposals.
_GENERAL = regex(
    r"(?:(?:an?|the|brief|general|short|quick|executive|high[- ]level|some|more|other|further|additional"
    r"|final|our|my|your) )*"
    r"(?:background|rationale|design|specifications?|compatibility|methods?|results?|conclusions?"
    r"|introduction|overview|summary|abstract|preface|foreword|context|preamble|opening|welcome|title"
    r"|motivations?|purpose|goals?|aims?|objectives?|scope|status|terminology|definitions?|conventions?"
    r"|notation|requirements?|prerequisites?|proposals?|solutions?|problems?|details?"
    r"|(?:key )?challenges?|approach|examples?|tests?|testing|(?:unit|integration|e2e)[-/\w]* tests?"
    r"|test plan|alternatives?(?: considered)?|other considered solutions?|rejected \w+|risks?"
    r"|drawbacks?|trade-?offs?|impact|dependencies|work items|assignees?|security|use cases?"
    r"|(?:implementation )?notes?(?:/[\w/]+)?|implementation(?:s| plan| details[/\w]*| history)?"
    r"|api (?:extensions|changes)|workflow description|version skew strategy"
    r"|upgrade / downgrade strategy|feature enablement and rollback"
    r"|rollout, upgrade and rollback planning|(?:monitoring )?requirements|scalability|troubleshooting"
    r"|failure modes|support procedures|operational aspects of api extensions|infrastructure needed"
    r"|future \w+|related work|discussions?|closing|wrap(?:ping)?[- ]?up"
    r"|(?:moving|going|looking) (?:forward|ahead).*|next steps|what(?:['’]s| is) (?:next|new.*)|thanks?"
    r"|thank you|lessons learned|takeaways|remarks|comments?|questions?|answers?|faqs?"
    r"|misc(?:ellaneous)?|others?|links?|resources|references|bibliography|sources|reading|see also"
    r"|credits|authors?|contributors|changelog|history|installation|contents"
    r"|(?:\w+ (?:and \w+ )?)?index|glossary"
    r"|(?:where to find )?(?:more|further|additional) information(?: about .*| on .*)?"
    r"|(?:appendix \w+[.:]? )?licen[cs]es?|summary of .*|minor features|version [\d.]+.*|information"
    # What surrounds a book, a web page or a notice.
    r"|(?:front |back )?cover|half[- ]title|title page|dedication|imprint|epigraph|colophon"
    r"|(?:editor|reader)s?['’]?s? (?:recommendations?|picks?|choices?)|recommended(?: for you)?"
    r"|related (?:articles?|content|links|pages|posts?|stories|topics)|read (?:more|next)|share(?: this.*)?"
    r"|newsletters?|subscribe.*|sponsors?|donat(?:e|ions?)|contacts?(?: us| information| details)?|about us"
    r"|addresses|dates|action|agency|for further information.*|impressum|kontakt|inhalt(?:sverzeichnis)?"
    r"|literatur(?:verzeichnis)?|danksagung(?:en)?|quellen|über (?:den|die) autor(?:en|in|innen)?"
    r"|remerciements|sommaire|à propos de l['’]aut(?:eur|rice))(?: (?:and|&) [\w-]+)?",
    re.IGNORECASE,
)
_OPTIONAL = regex(r"\s*[(\[](?:optional|required|not implemented|if applicable)[)\]]$", re.IGNORECASE)
_WORD, _SHORT_WORD = regex(r"[^\W\d_]{3,}"), regex(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}")


class _Node(NamedTuple):
    """A section with those below it."""

    section: Section
    below: list[_Node]

    def sections(self) -> Iterator[Section]:
        yield self.section
        for node in self.below:
            yield from node.sections()


def other_sections(
    document: Document, structure: Structure, quoted: Collection[int], *, by_part: bool = False
) -> tuple[str, ...]:
    """The headings of the sections of which nothing is quoted, in order, as far as they say what is there.

    A section is named for those below it. Where one is quoted in part, or its heading names only its place
    ("Introduction"), those below it are named as far as there are few names.

    Args:
        document: The document.
        structure: What is known of its sentences.
        quoted: The indices of the sentences that are quoted.
        by_part: Whether they are shown under the headings of their parts: what is below those needs no name.
    """
    if structure.document_kind in _OF_FORM:
        return ()
    # Where one chapter's "More information" is quoted, another chapter's would be named as if it were not.
    told = {
        plain_heading(section.heading)
        for section in document.sections
        if any(sentence.index in quoted for sentence in section.sentences)
    }
    level, named, is_below = _tree(document.sections), list[_Node](), False
    if len(level) == 1:  # the title
        level = level[0].below
    while level and len(named) < (1 if by_part else _FEW):
        found, inner = list[_Node](), list[_Node]()
        for node in level:
            heading = node.section.heading
            if node.section.role in _SILENT or is_boilerplate(node.section):
                continue
            if structure.document_kind is DocumentKind.PROPOSAL and is_aside(plain_heading(heading)):
                # What was rejected would be named as if it were proposed.
                continue
            if structure.document_kind is DocumentKind.OTHER and calls_readers(node.section):
                continue
            if _is_quoted(node, quoted) or not _tells(node) or plain_heading(node.section.heading) in told:
                inner += node.below
            else:
                found.append(node)
        if (named or (by_part and is_below)) and len(named) + len(found) > _MOST:
            break
        named += found
        level, is_below = inner, True
    if structure.document_kind is DocumentKind.PROPOSAL:
        named += _of_risk(document.sections, named, quoted)
    place = {id(section): number for number, section in enumerate(document.sections)}
    named.sort(key=lambda node: place[id(node.section)])
    return tuple(dict.fromkeys((node.section.heading or "").strip(" .:") for node in named))


def sections_within(document: Document, parts: Sequence[Part]) -> list[tuple[Section, ...]]:
    """For each part the sections right below its heading that say what they are about, in order."""
    nodes = defaultdict[str | None, list[_Node]](list)
    level = _tree(document.sections)
    while level:
        for node in level:
            nodes[node.section.heading].append(node)
        level = [each for node in level for each in node.below]
    return [
        tuple(
            each.section
            for node in nodes[part.heading]
            if _is_within(node, {*part.sentences})
            for each in node.below
            if _tells(each) and not is_boilerplate(each.section) and not calls_readers(each.section)
        )
        for part in parts
    ]


def _is_within(node: _Node, sentences: Collection[int]) -> bool:
    own = [sentence.index for section in node.sections() for sentence in section.sentences]
    return bool(own) and all(index in sentences for index in own)


def _of_risk(sections: Sequence[Section], named: Sequence[_Node], quoted: Collection[int]) -> Iterator[_Node]:
    """The sections that say what may go wrong, unless they are quoted or below one that is named."""
    covered = {id(section) for node in named for section in node.sections()}
    level = _tree(sections)
    while level:
        inner = list[_Node]()
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


def _tree(sections: Sequence[Section]) -> list[_Node]:
    roots: list[_Node] = []
    path: list[_Node] = []
    for section in sections:
        if section.heading is None:
            continue
        while path and path[-1].section.level >= section.level:
            path.pop()
        node = _Node(section, [])
        (path[-1].below if path else roots).append(node)
        path.append(node)
    return roots


def _is_quoted(node: _Node, quoted: Collection[int]) -> bool:
    return any(sentence.index in quoted for section in node.sections() for sentence in section.sentences)


def _tells(node: _Node) -> bool:
    """Whether a heading says what its section is about, and the section something about it."""
    words = sum(count_words(sentence.text) for each in node.sections() for sentence in each.sentences)
    return words >= _LEAST_WORDS and names_its_text(node.section.heading)


def names_its_text(written: str | None) -> bool:
    """Whether a heading says what its section is about, and not only its place in a text of its kind."""
    heading = _OPTIONAL.sub("", plain_heading(written))
    return (
        (_WORD.search(heading) or _SHORT_WORD.search(heading)) is not None
        and len(heading.split()) <= _LONGEST
        and symbols_of(heading) <= MOST_SYMBOLS * len(heading)
        and not is_heading_of_form(heading)
        and _GENERAL.fullmatch(heading) is None
    )
