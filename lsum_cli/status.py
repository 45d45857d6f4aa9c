"""What a document says of its own status: that it is a draft, accepted, withdrawn, superseded.

Proposals and records of decisions say it in a header whose fields readers keep apart from the text, in a line
or a row where the text begins, or in a section of that name. It is quoted, never concluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lsum_cli.documents import Document, HeaderField, Section, Sentence
from lsum_cli.text.patterns import regex

# The header of a text is among so many sentences of its first sections; a section on the status is one of
# the first so many.
_SENTENCES, _SECTIONS, _FIRST_SECTIONS = 25, 2, 5
# A longer statement is text.
_MOST_WORDS, _MOST_WORDS_OF_A_SENTENCE, _MOST_CHARACTERS = 30, 60, 400
_ENDED = (
    r"withdrawn|rejected|declined|deferred|postponed|super[sc]e+ded|replaced|obsoleted?|deprecated|stagnant"
    r"|moribund|dormant|retracted|abandoned|retired|expired|cancell?ed|on hold"
)
# How statuses begin, as proposals, records of decisions and standards name them.
_BEGINS = regex(
    rf"[\W_]*(?:{_ENDED}|inactive|closed|historic(?:al)?|returned|not (?:accepted|approved)"
    r"|draft|propos(?:ed|al)|provisional(?:ly)?"
    r"|experimental|(?:partially )?(?:accepted|approved|implemented|adopted)|agreed|final|active"
    r"|implementable|implementing|living|last call|(?:(?:in|under|active|public|scheduled for) )?"
    r"(?:review|discussion|development)|pending|ongoing|in progress|wip|work in progress|completed?"
    r"|ratified|enacted|merged|passed|awaiting|stable|raw|candidate|recommendation|preview)\b",
    re.IGNORECASE,
)
_IS_ENDED = regex(rf"[\W_]*(?:{_ENDED})\b", re.IGNORECASE)
_NAMED = r"(?:(?:current |proposal )?status|(?:superseded|replaced|obsoleted)[- ]by|withdrawal[- ]reason)"
_NAME = regex(_NAMED, re.IGNORECASE)
_IS_STATUS = regex(r"(?:current |proposal )?status", re.IGNORECASE)
# "Status: Withdrawn", "Status | Withdrawn"; lines that were joined go on: "… Type: Standards Track".
_LINE = regex(
    rf"(?:^(?:[-*•] )?|(?<=\s))(?P<name>{_NAMED}) ?(?:: ?\| ?|[:|]) ?(?P<text>\S.*?)"
    r"(?=\s+(?-i:[A-Z][a-z])[\w-]*(?: [A-Za-z][\w-]*)?(?:\(s\))? ?:(?:\s|$)|$)",
    re.IGNORECASE,
)
# What a sentence says of the document that it stands in, and not of what would be if.
# What proposals of a series are called: improvement and enhancement proposals are, whosoever they are.
SERIES = r"(?:[A-Z]{1,5}(?:IP|EP)S?|ERC|RFC|ADR|ARC|MSC|LSP|HIPE|TAP)"
_SAYS = regex(
    r"(?:(?:[Nn]ote|NOTE)[:,] )?"
    rf"(?:(?P<number>This {SERIES}|{SERIES}[ -]\d+)|(?:[A-Z][^.;:,]{{0,80}} (?:in|to|of) this {SERIES})"
    r"|(?:[A-Z][^.;:,]{0,80} (?:in|to|of) t|T)his (?:proposal|document|specification)) "
    r"(?:(?:has|have) (?:\w+ )?been|is|was) (?:now |hereby |therefore |thus |formally |officially "
    rf"|permanently |temporarily |being |marked |considered |as )*(?:{_ENDED})\b"
)
# What is told of "it" after a sentence on the document: fewer words, since it may be what is described.
_SAYS_IT = regex(
    r"(?:It|(?P<the>The (?:proposal|document|specification))) (?:has (?:\w+ )?been|is|was) "
    r"(?:(?:also|now|hereby|therefore|thus|then|later|formally|officially|permanently) )*"
    r"(?(the)(?:[^.;:]{0,80}, and (?:was |has been )?)?)"
    r"(?:withdrawn|rejected|declined|deferred|postponed|super[sc]eded|obsoleted|retracted|replaced by)\b"
    r"(?! (?:if|when|whenever|unless|where)\b| from (?!consideration|review|discussion)\w)"
)
_OF_ITSELF = regex(
    rf"(?:This {SERIES}|{SERIES}[ -]\d+|This (?:proposal|document|specification)|The proposal) "
)
_IS_FOLLOWED = regex(r"\b(?:super[sc]eded|replaced|obsoleted) by\b", re.IGNORECASE)
_ENDS = regex(
    r"\b(?:withdr[ae]w\w*|reject\w*|deferr\w*|supersed\w*|obsolete\w*|abandon\w*|retract\w*)\b", re.IGNORECASE
)
# Where that is said of what others proposed, or of a part.
_OF_OTHERS = regex(r"rejected|alternativ|consider|other|prior|previous|related|histor|discuss", re.IGNORECASE)
# Where "this proposal" is the document, even far from its beginning.
_OF_STANDING = regex(r"reject|withdr|defer|supersed|resolution|pronouncement|notice|status", re.IGNORECASE)
_END_OF = regex(
    rf"(?:(?:{SERIES}|proposal) (?:rejection|withdrawal|deferral)|(?:rejection|withdrawal|deferral) notice)",
    re.IGNORECASE,
)
# A line of a header, whatever it tells.
_LABELLED = regex(r"(?:[-*•] )?[A-Z][\w()-]*(?: [\w()-]+){0,3} ?[:|](?= )")
# What else the headers of proposals tell, so that even an uncommon word after "Status" is one.
_OF_A_HEADER = regex(
    r"(?:authors?|author\(s\)|champions?|proposal|type|created|category|review manager|deciders?|sponsor"
    r"|discussion|discussions-to|pr|rfc|pep|eip|number|implementation)\b",
    re.IGNORECASE,
)
# A badge beside the title: "⚠ Stagnant Standards Track: Core".
_BADGE = regex(
    r"\W*(?P<text>draft|review|last call|final|stagnant|withdrawn|living|rejected|deferred|superseded)"
    r"(?: (?:standards track|meta|informational)\b.{0,20})?\W*",
    re.IGNORECASE,
)
# What a template asks for, and what says nothing.
_EMPTY = regex(
    r"\W*|(?:n/?a|none|null|tbd|todo|-+|published|hidden|unknown)\.?|.*(?:\{.*\||\(.*\|).*|<.*>",
    re.IGNORECASE,
)
_EDGES = " \t*_`\"'[]"


@dataclass(frozen=True, kw_only=True, slots=True)
class StatusLine:
    """A line in which a document tells its status, as it is written.

    Attributes:
        name: ``"Status"``, ``"Superseded-By"``.
        text: ``"Withdrawn"``.
        sentence: The sentence that holds it; ``None`` of a header that is kept apart from the text.
    """

    name: str
    text: str
    sentence: Sentence | None = None


def status_of(document: Document) -> tuple[StatusLine, ...]:
    """The lines in which a document tells its status, in order; mostly none."""
    found = list(_of_header(document.metadata.header)) or list(_of_opening(document))
    # "Previous status: Accepted" comes after what it is now.
    lines = list({line.name.lower(): line for line in reversed(found)}.values())[::-1]
    if not any(_IS_STATUS.fullmatch(line.name) for line in lines):
        lines = [*_of_section(document), *lines]
    if not lines or _IS_ENDED.match(lines[0].text):
        lines += _of_text(document, has_status=bool(lines))
    return tuple(lines)


def _of_header(fields: tuple[HeaderField, ...]) -> Iterator[StatusLine]:
    is_sure = any(_OF_A_HEADER.match(field.name) for field in fields)
    for field in fields:
        if _NAME.fullmatch(field.name):
            yield from _lines(field.name, field.text.split(" #")[0], is_sure=is_sure)


def _of_opening(document: Document) -> Iterator[StatusLine]:
    """The lines and rows of a header at the beginning of the text."""
    opening = [sentence for section in document.sections[:_SECTIONS] for sentence in section.sentences]
    opening = [
        each
        for number, each in enumerate(opening[:_SENTENCES])
        if number == 0 or _LABELLED.match(each.text) is not None
    ]
    is_sure = any(_OF_A_HEADER.match(sentence.text.lstrip("-*• ")) for sentence in opening)
    for number, sentence in enumerate(opening):
        badge = None if number else _BADGE.fullmatch(sentence.text)
        if badge is not None:
            yield StatusLine(name="Status", text=badge["text"], sentence=sentence)
        first = _LABELLED.match(sentence.text)
        for found in _LINE.finditer(sentence.text):
            # "Road status: closed" is no status of the document, unlike "Type: Process Status: Final".
            if found.start() and (first is None or first.end() > found.start() or found["name"][0].islower()):
                continue
            yield from _lines(found["name"], found["text"], sentence, is_sure=is_sure)


def _of_section(document: Document) -> Iterator[StatusLine]:
    """The paragraphs of a section on the status that begin as a status does."""
    for section in document.sections[:_FIRST_SECTIONS]:
        if _IS_STATUS.fullmatch((section.heading or "").strip(" :")):
            yield from _of_paragraphs(section)


def _of_paragraphs(section: Section) -> Iterator[StatusLine]:
    for paragraph in section.paragraphs:
        text = " ".join(sentence.text for sentence in paragraph)
        if len(text.split()) > _MOST_WORDS:
            text = paragraph[0].text
        found = _LINE.match(text)
        lines = list(_lines("Status", found["text"] if found else text, paragraph[0]))
        if not lines:
            return
        yield from lines


def _of_text(document: Document, *, has_status: bool) -> Iterator[StatusLine]:
    """The sentence that says that the document was withdrawn, rejected or superseded, with the reason.

    What follows in its place is told too, where another sentence says it.
    """
    found = False
    for number, section in enumerate(document.sections):
        heading = (section.heading or "").strip(" :")
        if _OF_OTHERS.search(section.path):
            continue
        ends = _END_OF.fullmatch(heading) is not None
        is_of_standing = _OF_STANDING.search(heading) is not None
        for sentence, is_on_it in _with_subject(section):
            text = sentence.text
            says = _SAYS.match(text)
            says_it = _SAYS_IT.match(text) if number < _SECTIONS or is_of_standing else None
            is_said = (
                (says and (says["number"] or number < _SECTIONS or is_of_standing))
                or (says_it and (is_of_standing if says_it["the"] else is_on_it))
                or (ends and not found and _ENDS.search(text))
            )
            if is_said and len(text.split()) <= _MOST_WORDS_OF_A_SENTENCE and not text.endswith(":"):
                is_followed = _IS_FOLLOWED.search(text) is not None
                if is_followed or not found:
                    yield StatusLine(name="Status", text=text, sentence=sentence)
                if is_followed:
                    return
                found = True
        if ends and not (has_status or found) and section.sentences:
            yield StatusLine(name="Status", text=heading, sentence=section.sentences[0])
            return


def _with_subject(section: Section) -> Iterator[tuple[Sentence, bool]]:
    """The sentences of a section, each with whether "it" in it is the document: by those before it."""
    for paragraph in section.paragraphs:
        is_on_it = False
        for sentence in paragraph:
            is_on_it = is_on_it and sentence.text.startswith("It ")
            yield sentence, is_on_it
            is_on_it = is_on_it or _OF_ITSELF.match(sentence.text) is not None


def _lines(
    name: str, text: str, sentence: Sentence | None = None, *, is_sure: bool = False
) -> Iterator[StatusLine]:
    text = text.lstrip("-•").strip(_EDGES)
    is_said = is_sure or not _IS_STATUS.fullmatch(name) or _BEGINS.match(text) is not None
    is_short = len(text) <= _MOST_CHARACTERS and len(text.split()) <= _MOST_WORDS
    if is_said and is_short and not _EMPTY.fullmatch(text):
        yield StatusLine(name=name[:1].upper() + name[1:], text=text, sentence=sentence)
