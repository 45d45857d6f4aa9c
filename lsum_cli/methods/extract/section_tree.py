"""The sections of a document as a tree, and which of their headings say what they are about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from lsum_cli.documents import Document, Section
from lsum_cli.methods.extract.division import Part
from lsum_cli.methods.extract.kinds import is_heading_of_form, plain_heading
from lsum_cli.methods.extract.sentences.boilerplate import calls_readers, is_boilerplate
from lsum_cli.methods.extract.sentences.presentability import MOST_SYMBOLS, symbols_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import count_words

# A heading of more words is a sentence.
_LONGEST = 12
# A section of fewer words is not worth naming.
_LEAST_WORDS = 25
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
_DIGITS = regex(r"\d")
_OPTIONAL = regex(r"\s*[(\[](?:optional|required|not implemented|if applicable)[)\]]$", re.IGNORECASE)
_WORD, _SHORT_WORD = regex(r"[^\W\d_]{3,}"), regex(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}")


class SectionNode(NamedTuple):
    """A section with those below it."""

    section: Section
    below: list[SectionNode]

    def sections(self) -> Iterator[Section]:
        """The section, and those below it in order."""
        yield self.section
        for node in self.below:
            yield from node.sections()


def section_tree(sections: Sequence[Section]) -> list[SectionNode]:
    """The headed sections of a document, each with those below it."""
    roots: list[SectionNode] = []
    path: list[SectionNode] = []
    for section in sections:
        if section.heading is None:
            continue
        while path and path[-1].section.level >= section.level:
            path.pop()
        node = SectionNode(section, [])
        (path[-1].below if path else roots).append(node)
        path.append(node)
    return roots


def sections_within(document: Document, parts: Sequence[Part]) -> list[tuple[Section, ...]]:
    """For each part the sections right below its heading that say what they are about, in order."""
    nodes = defaultdict[str | None, list[SectionNode]](list)
    level = section_tree(document.sections)
    while level:
        for node in level:
            nodes[node.section.heading].append(node)
        level = [each for node in level for each in node.below]
    found: list[tuple[Section, ...]] = []
    for part in parts:
        own = {*part.sentences}
        inner = (
            each
            for node in nodes[part.heading]
            if (first := _first_sentence(node)) is not None and first in own and _is_within(node, own)
            for each in node.below
        )
        found.append(
            tuple(
                each.section
                for each in inner
                if tells(each) and not is_boilerplate(each.section) and not calls_readers(each.section)
            )
        )
    return found


def _first_sentence(node: SectionNode) -> int | None:
    indices = (sentence.index for section in node.sections() for sentence in section.sentences)
    return next(indices, None)


def _is_within(node: SectionNode, sentences: Collection[int]) -> bool:
    return all(sentence.index in sentences for section in node.sections() for sentence in section.sentences)


def tells(node: SectionNode) -> bool:
    """Whether a heading says what its section is about, and the section something about it."""
    words = sum(count_words(sentence.text) for each in node.sections() for sentence in each.sentences)
    return words >= _LEAST_WORDS and names_its_text(node.section.heading)


def names_its_text(written: str | None) -> bool:
    """Whether a heading says what its section is about, and not only its place in a text of its kind."""
    heading = _OPTIONAL.sub("", plain_heading(written))
    return (
        (_WORD.search(heading) or _SHORT_WORD.search(heading)) is not None
        and len(heading.split()) <= _LONGEST
        and symbols_of(_DIGITS.sub("", heading)) <= MOST_SYMBOLS * len(heading)
        and not names_its_place(written)
    )


def names_its_place(written: str | None) -> bool:
    """Whether a heading names a place in a text of its kind: "Introduction", "2. Methods"."""
    heading = _OPTIONAL.sub("", plain_heading(written))
    return is_heading_of_form(heading) or _GENERAL.fullmatch(heading) is not None
