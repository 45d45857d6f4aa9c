"""The opinions of a court's decision: whose words each section holds.

A decision prints several voices one after the other: a syllabus by the court's reporter, the opinion of
the court, and the concurrences and dissents of single judges. Each begins in one of three ways, and any of
them suffices: a heading ("STEVENS, J., dissenting"), the same line as a running head, or the first words of
a paragraph ("JUSTICE STEVENS, with whom JUSTICE BREYER joins, dissenting.").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import eq

from lsum_cli.documents import Paragraph, Passage, Piece, SectionRole
from lsum_cli.text.continuations import is_broken
from lsum_cli.text.patterns import MONTHS, regex
from lsum_cli.text.sentences import ends_with_stop, normalise

# The roles of the sections of a decision.
VOICES = frozenset((SectionRole.SYLLABUS, SectionRole.OPINION, SectionRole.CONCURRENCE, SectionRole.DISSENT))

_NAME = r"[^\W\d_][\w.'’-]*(?: (?!J\.|C\.)[^\W\d_][\w.'’-]*){0,3}"
# "Justice Stevens", "The Chief Justice", "JUDGE POSNER".
_TITLED = rf"(?:m(?:r|rs|s)\.? )?(?:the )?(?:chief )?(?:justice|judge)(?: {_NAME})?"
# "Lord Reed", "Lady Justice Arden", "Lord Lloyd-Jones of Ynys".
_LORD = rf"(?:lord|lady|baroness)(?: (?:chief )?justice)? {_NAME}"
_OFFICE = r"(?:(?:senior|chief|presiding|associate) )?(?:(?:circuit|district|appellate) )?(?:judge|justice)"
# "STEVENS, J.", "ROBERTS, C. J.", "Smith, Circuit Judge".
_POSTFIXED = rf"{_NAME}, (?:(?:c\. ?)?j\.?|{_OFFICE})"
_JUDGE = rf"(?:{_TITLED}|{_POSTFIXED}|{_LORD})"
_APART = (
    r"\(?(?:(?:concurring|dissenting)(?: in (?:the )?(?:judgments?|results?|part)| specially| separately"
    r"| from (?:the )?(?:(?! from | and |, and )[^.)]){1,90}|,? and| in part|,)*+\s*)+\)?"
)
_JOINED = r"(?:,? (?:and )?(?:with whom|whom|joined by)\b[^;:]{1,400}?)?"
# Whatever announces a voice, but a syllabus, has one of these words.
_ANNOUNCING = ("opinion", "judgment of the court", "per curiam", "concurr", "dissent")
_APART_HEADING = regex(rf"{_JUDGE}{_JOINED},? {_APART}[.:]?", re.IGNORECASE)
_OWN_OPINION = regex(rf"(?:separate )?opinion (?:of|by) {_JUDGE}", re.IGNORECASE)
_NAMELESS = regex(
    r"(?:separate |partial(?:ly)? )?(concurr|dissent)(?:ing opinions?|ences?|s)?", re.IGNORECASE
)
_COURT = regex(r"(?:(?:lead|main|majority|plurality) )?opinion(?: of the court)?|per curiam", re.IGNORECASE)
_COURT_BY_NAME = regex(r"opinion of the court|per curiam", re.IGNORECASE)
_SYLLABUS = regex(r"syllabus(?: of the court)?", re.IGNORECASE)
# Not "SCALIA, J., delivered the opinion of the Court, in which …": so a syllabus ends. Nor "JUSTICE SCALIA
# delivered the opinion of the Court, concluding that …": so it tells what was held.
_DELIVERED = regex(
    rf"{_TITLED}{_JOINED},? (?:delivered (?:the|an) opinion (?:of|for) the court|(?:announced"
    r"|delivered) the judgment of the court)\b(?![^.]{0,300}\bconclud(?:ed|ing) that\b)[^.]{0,300}\.(?= |$)"
    r"|per curiam[.:]?(?= |$)",
    re.IGNORECASE,
)
_APART_OPENING = regex(rf"{_JUDGE}{_JOINED},? {_APART}[.:](?= |$)", re.IGNORECASE)
# The number of a paragraph of a judgment.
_NUMBERED = regex(r"^(?:¶ ?)?\d{1,3}[.)] |^¶ ?\d{1,3} ")
# A judge who begins to speak, where a court names itself: "REED, Circuit Judge:", "EATON, J. We affirm.",
# "LORD AMES (with whom Lady Croft agrees):".
_AUTHOR = regex(
    r"(?:(?:¶ ?)?\d{1,3}[.)] )?(?:(?-i:[A-Z][A-Z’'.-]+(?: [A-Z][A-Z’'.-]+){0,3}), (?:(?:c\. ?)?j\.(?! ?[,(])"
    rf"|{_OFFICE}[:.])"
    rf"|{_LORD} ?(?:\((?:with whom|giving the|delivering the)[^)]{{1,200}}\):?|:))(?= |$)",
    re.IGNORECASE,
)
# Who decides, and under which number: so begins a decision, whoever prints it.
_A_COURT = regex(
    r"\b(?:(?:supreme|circuit|district|appellate|superior|high|county|federal|crown|bankruptcy|tax"
    r"|family) court"
    r"|court of (?:appeals?|session|chancery|claims|criminal appeals?|common pleas)|appellate division"
    r"|tribunal|privy council)\b",
    re.IGNORECASE,
)
_BEFORE_NUMBER = r"(?:(?:case|docket|civil action|appeal|claim|cause)s? )?nos?\. ?"
_DOCKET = regex(
    rf"\b{_BEFORE_NUMBER}[\w:.-]*\d"
    r"|\[\d{4}\] (?:UK|EW|NI|CS|HC)[A-Z]+ "
    r"|\b(?:case|docket) (?:number|id)\b",
    re.IGNORECASE,
)
# What is printed over a decision is no section of it: the court, the number, dates, how the case came there
# and, in capitals, the parties. "Proceedings in the District Court" is one.
_DATE = rf"(?:{MONTHS}) \d{{1,2}}, \d{{4}}"
_HAPPENED = r"(?:re)?(?:argued|decided|submitted|filed|heard|released|dated|entered)(?: on)?[: ]*"
_CAPTION = regex(
    r"(?:in )?(?:the )?(?:(?!(?:in|before|of|the|by|from|to|and|at|for)\b)(?-i:[A-Z])[\w.’'-]* ){0,4}?"
    rf"{_A_COURT.pattern}(?: (?:of|for|in|at) (?:the )?(?-i:[A-Z])[\w.,’' -]{{1,60}})?"
    rf"|{_BEFORE_NUMBER}[\w:.–—-]*\d(?:[\w:.–—-]|, | and | & )*"
    rf"|(?:{_HAPPENED})?{_DATE}(?:[—–;,. -]+{_HAPPENED}{_DATE})*"
    r"|(?:on )?(?:(?:petition for )?(?:an? )?(?:writ of )?certiorari|(?:direct )?appeals?) (?:to|from)"
    r" (?:the )?(?-i:[A-Z]).*"
    r"|(?-i:[^a-z]+(?: v\. [^a-z]+))",
    re.IGNORECASE,
)
# How one without a named judge says what is decided.
_ORDERS = regex(
    r"\bit is (?:hereby |further |therefore |so )*ordered\b|\bso ordered\b"
    r"|\b(?:motions?|appeals?|petitions?|applications?|claims?)\b[^.;]{0,80}\b(?:is|are|be) "
    r"(?:hereby |therefore |accordingly )?(?:granted|denied|dismissed|allowed|refused)\b"
    r"|(?:^|[.:] )(?:we )?(?:affirm|reverse|vacate)(?:ed)?(?: and remand(?:ed)?)?\."
    r"|\bwe (?:therefore )?affirm\b",
    re.IGNORECASE,
)
_AN_OPENING, _LONGEST_LINE = 12, 40  # paragraphs, words
# An item of a list is short, and ends with none of these.
_LONGEST_ITEM = 12  # words
_NO_LAST_WORD = regex(
    r".*\b(?:an?|the|this|that|these|those|such|any|some|each|every|no|all|both|other|own|same|its|h(?:is|er)"
    r"|their|our|my|your|whose|of|in|on|at|by|for|from|to|with|without|under|over|into|upon|against|between"
    r"|among|within|through|during|before|after|about|as|than|and|or|but|nor|if|whether|which|who|when|where"
    r"|because|is|are|was|were|be|been|has|have|had|do|does|did|will|would|shall|should|can|could|may|might"
    r"|must|not|very|more|most)",
    re.IGNORECASE | re.DOTALL,
)
_DISSENT = regex("dissent", re.IGNORECASE)
_ANNOUNCED = regex(r"\bannounced the judgment of the court\b", re.IGNORECASE)
# How a syllabus begins that no heading announces, and how it tells what was decided.
_OF_A_SYLLABUS = regex(r"(?:syllabus|held) ?[:\d.(]|syllabus (?=[A-Z\d])", re.IGNORECASE)
_LONGEST_HEADING = 30  # words
# What is left within a sentence of the three stars at the end of an opinion's page. Three stand for words
# that a quotation leaves out.
_STARS = r"\* \*(?! ?\*) ?"
_STARS_IN_A_WORD = regex(rf"(?<=[a-z])- ?{_STARS}(?=[a-z])")
_STARS_BETWEEN_WORDS = regex(rf"(?<=[a-z,;]) {_STARS}(?=\w)|(?<=\b[A-Z]\.) {_STARS}(?=\w)", re.IGNORECASE)
_STAR_BEFORE_DISPOSITION = regex(r"(?<=[a-z]) \* (?=(?:Affirmed|Reversed|Vacated|Dismissed|So ordered)\b)")
# Stars, or what is left of them on a page, set the last paragraph apart.
_LEADING_STARS = regex(r"\A\*(?: ?\*)*(?: |$)")
_STARS_BETWEEN_SENTENCES = regex(r"(?<=[.!?”)\d]) \*(?: ?\*){0,3} (?=[A-Z“])")


def voice_of(line: str) -> SectionRole | None:
    """Whose words a heading or running head of a decision announces; ``None`` if it does not say.

    "STEVENS, J., concurring in part and dissenting in part" is a dissent: it is not the court's.
    """
    words = normalise(line).split(" / ")[0].rstrip(".:")
    if len(words.split()) > _LONGEST_HEADING:
        return None
    if _SYLLABUS.fullmatch(words):
        return SectionRole.SYLLABUS
    if not _may_announce(words):
        return None
    if _COURT.fullmatch(words) or _DELIVERED.fullmatch(words + "."):
        return SectionRole.OPINION
    nameless = _NAMELESS.fullmatch(words)
    if nameless or _APART_HEADING.fullmatch(words) or _OWN_OPINION.fullmatch(words):
        return SectionRole.DISSENT if _DISSENT.search(words) else SectionRole.CONCURRENCE
    return None


def _may_announce(text: str) -> bool:
    return any(map(text.lower().__contains__, _ANNOUNCING))


def is_decision(passages: Sequence[Passage]) -> bool:
    """Whether passages are those of a court's decision: one voice at least names its judge or the court."""
    return any(
        (passage.heading and _names_its_voice(passage.heading))
        or any(_opening(_text(paragraph)) for paragraph in passage.paragraphs)
        for passage in passages
    )


def divide_opinions(passages: Sequence[Passage]) -> list[Passage]:
    """The passages of a decision with the role of the voice they belong to; other texts as they are.

    A voice lasts until the next begins. Where one begins within a passage, the passage is divided, and the
    words that announce the voice ("JUSTICE STEVENS, dissenting.") become the heading of its second half.
    Stars are taken out, and paragraphs that the end of a line broke are joined.
    """
    names_court = _names_its_court(passages)
    if not is_decision(passages) and not (names_court and _is_decided(passages)):
        return list(passages)
    passages = [_mended(passage) for passage in passages]
    divided: list[Passage] = []
    role = SectionRole.SYLLABUS if _begins_with_syllabus(passages) else None
    if names_court and not _has_author(passages):
        role = role or SectionRole.OPINION
    plurality: str | None = None
    is_first = True
    for passage in passages:
        announced = voice_of(passage.heading) if passage.heading else None
        if announced is not None:
            # The parts of a plurality's opinion repeat whose it is: "Opinion of KENNEDY, J. / Part II".
            role = SectionRole.OPINION if _speaker(passage) == plurality else announced
            if announced is SectionRole.CONCURRENCE and role is announced:
                role = _voice_below(passage) or announced
        for part in _divide(passage, knows_authors=names_court):
            opening = part.heading if part is not passage else None
            if opening is not None and part.heading != passage.heading:
                voice = voice_of(opening)
                if voice is None and names_court:
                    # Whoever speaks after the first agrees with the court or does not: that is not said.
                    voice = SectionRole.OPINION if is_first else SectionRole.CONCURRENCE
                role, is_first = voice or role, False
            elif announced is SectionRole.CONCURRENCE and _speaks_for_the_court(part):
                role, plurality = SectionRole.OPINION, _speaker(passage)
            own = part.role in (SectionRole.BODY, *VOICES)
            divided.append(replace(part, role=role) if role is not None and own else part)
    return _without_captions(divided)


def _without_captions(passages: Sequence[Passage]) -> list[Passage]:
    """The passages, what stands under the caption of a case joined to those before it."""
    kept: list[Passage] = []
    for passage in passages:
        heading = normalise(passage.heading or "").rstrip(".:")
        if heading and _CAPTION.fullmatch(heading):
            if kept and kept[-1].role is passage.role:
                kept[-1] = replace(kept[-1], paragraphs=(*kept[-1].paragraphs, *passage.paragraphs))
                continue
            if not kept and passage.paragraphs:
                passage = replace(passage, heading=None, level=0)
        kept.append(passage)
    return kept


def _mended(passage: Passage) -> Passage:
    """The passage without stars, and with whole paragraphs where the end of a line had broken them."""
    joined: list[list[Paragraph]] = []
    in_list = False
    for paragraph in passage.paragraphs:
        for part in _without_stars(paragraph):
            if joined and _goes_on(joined[-1][-1], part) and not (in_list and _is_item(joined[-1])):
                joined[-1].append(part)
            else:
                # "three things:" begins a list, which goes on while its lines begin in small letters.
                in_list = bool(joined) and (
                    _text(joined[-1][-1]).endswith(":") or (in_list and _text(part)[:1].islower())
                )
                joined.append([part])
    paragraphs = [
        parts[0]
        if len(parts) == 1
        else Paragraph(pieces=tuple(piece for part in parts for piece in part.pieces))
        for parts in joined
    ]
    if len(paragraphs) == len(passage.paragraphs) and all(map(eq, paragraphs, passage.paragraphs)):
        return passage
    return replace(passage, paragraphs=tuple(paragraphs))


def _without_stars(paragraph: Paragraph) -> Iterator[Paragraph]:
    """The paragraph without the stars that end a page or set the last words of an opinion apart."""
    if not any("*" in piece.text for piece in paragraph.pieces):
        yield paragraph
        return
    held: list[Piece] = []
    open_quotations = 0
    for piece in paragraph.pieces:
        text = _STARS_BETWEEN_WORDS.sub(" ", _STARS_IN_A_WORD.sub("", normalise(piece.text)))
        text = _LEADING_STARS.sub("", _STAR_BEFORE_DISPOSITION.sub(" ", text), 1)
        begin = counted = 0
        for match in _STARS_BETWEEN_SENTENCES.finditer(text):
            open_quotations += text.count("“", counted, match.start()) - text.count(
                "”", counted, match.start()
            )
            counted = match.start()
            # Within a quotation, which may have begun on the page before, they stand for words it leaves out.
            if open_quotations <= 0:
                open_quotations = 0
                yield Paragraph(pieces=(*held, replace(piece, text=text[begin : match.start()])))
                held, begin = [], match.end()
        open_quotations += text.count("“", counted) - text.count("”", counted)
        if text[begin:]:
            held.append(replace(piece, text=text[begin:]))
    if held:
        yield Paragraph(pieces=tuple(held))


def _goes_on(paragraph: Paragraph, following: Paragraph) -> bool:
    """Whether a line's end, taken for the end of a paragraph, broke a sentence: "501 U. S.", "1083, 1102"."""
    text, rest = _text(paragraph), _text(following)
    if not text or not rest:
        return False
    if ends_with_stop(text):
        return not text.endswith(" J.") and is_broken(text, rest)
    return rest[0].islower() and (text[-1].isalpha() or text[-1] in ",”’")


def _is_item(lines: Sequence[Paragraph]) -> bool:
    """Whether lines below "three things:" are a whole item of the list: "the age of the applicant"."""
    text = " ".join(map(_text, lines))
    return (
        text[:1].islower()
        and len(text.split()) <= _LONGEST_ITEM
        and _NO_LAST_WORD.fullmatch(text.rstrip(",; ")) is None
    )


def _names_its_court(passages: Sequence[Passage]) -> bool:
    """Whether a text begins with the name of a court and the number of the case."""
    lines = [passage.heading for passage in passages[:_AN_OPENING] if passage.heading]
    lines += [_text(paragraph) for passage in passages[:_AN_OPENING] for paragraph in passage.paragraphs][
        :_AN_OPENING
    ]
    short = [line for line in lines if len(line.split()) <= _LONGEST_LINE]
    return any(map(_A_COURT.search, short)) and any(map(_DOCKET.search, short))


def _has_author(passages: Sequence[Passage]) -> bool:
    """Whether a paragraph names the judge who begins to speak."""
    return any(
        _AUTHOR.match(text[:300]) is not None or _opening(text) is not None
        for passage in passages
        for text in map(_text, passage.paragraphs)
    )


def _is_decided(passages: Sequence[Passage]) -> bool:
    """Whether a text has an author who is a judge, or orders something where it ends."""
    last = [_text(paragraph) for passage in passages for paragraph in passage.paragraphs][-_AN_OPENING:]
    return _has_author(passages) or any(map(_ORDERS.search, last))


def _voice_below(passage: Passage) -> SectionRole | None:
    """What the first words under "Opinion of BREYER, J." say of it: "concurring in part and dissenting …"."""
    text = _text(passage.paragraphs[0]) if passage.paragraphs else ""
    found = _opening(text)
    return None if found is None else voice_of(_NUMBERED.sub("", text[:found]))


def _divide(passage: Passage, *, knows_authors: bool) -> list[Passage]:
    """The passage, cut before each paragraph that announces a voice or names its author."""
    parts: list[Passage] = []
    heading, level = passage.heading, passage.level
    held: list[Paragraph] = []
    for number, paragraph in enumerate(passage.paragraphs):
        text = _text(paragraph)
        found = _opening(text)
        if found is None and knows_authors and (author := _AUTHOR.match(text[:300])):
            found = author.end()
        # Below its own heading, or a line like one, the opening repeats what that says.
        announced = voice_of(heading) if heading else None
        if found is None or (
            announced and (number == 0 or _is_same_voice(heading, _NUMBERED.sub("", text[:found])))
        ):
            held.append(paragraph)
            continue
        if held or (heading and number):
            parts.append(replace(passage, heading=heading, level=level, paragraphs=tuple(held)))
        elif heading:
            parts.append(replace(passage, heading=heading, level=level, paragraphs=()))
        heading, level = _NUMBERED.sub("", text[:found]).rstrip(" :"), 1
        rest = _without_beginning(paragraph, found)
        held = [rest] if rest is not None else []
    if not parts and heading == passage.heading:
        return [passage]
    parts.append(replace(passage, heading=heading, level=level, paragraphs=tuple(held)))
    return parts


def _is_same_voice(heading: str | None, opening: str) -> bool:
    """Whether words that announce a voice are about the one that the heading names."""
    if heading is None or voice_of(heading) is not voice_of(opening):
        return False
    judge = heading.split(",")[0].split()[-1].casefold()
    return voice_of(heading) is SectionRole.OPINION or judge in opening.casefold()


def _opening(text: str) -> int | None:
    """The length of the words at the beginning of a paragraph that announce a voice."""
    if not _may_announce(text[:600]):
        return None
    head = _NUMBERED.sub("", text[:600])
    before = len(text[:600]) - len(head)
    found = _DELIVERED.match(head) or _APART_OPENING.match(head)
    if found is None:
        line = head.rstrip(".: ")
        return len(text) if len(text) < 200 and _names_its_voice(line) else None
    return before + found.end()


def _names_its_voice(line: str) -> bool:
    words = normalise(line).split(" / ")[0].rstrip(".:")
    if len(words.split()) > _LONGEST_HEADING:
        return False
    return bool(
        _COURT_BY_NAME.fullmatch(words)
        or _APART_HEADING.fullmatch(words)
        or _OWN_OPINION.fullmatch(words)
        or _DELIVERED.fullmatch(words + ".")
    )


def _speaks_for_the_court(passage: Passage) -> bool:
    """Whether an "Opinion of KENNEDY, J." announces the judgment: the opinion of a plurality."""
    return any(_ANNOUNCED.search(_text(paragraph)[:400]) for paragraph in passage.paragraphs[:1])


def _speaker(passage: Passage) -> str:
    """The words of a heading that announce a voice, without the part of its opinion."""
    return normalise(passage.heading or "").split(" / ")[0].rstrip(".:").casefold()


def _begins_with_syllabus(passages: Sequence[Passage]) -> bool:
    """Whether a paragraph before the first voice begins as a syllabus does."""
    for passage in passages:
        if passage.heading and voice_of(passage.heading):
            return False
        for paragraph in passage.paragraphs:
            text = _text(paragraph)
            if _opening(text):
                return False
            if _OF_A_SYLLABUS.match(text):
                return True
    return False


def _text(paragraph: Paragraph) -> str:
    return normalise(paragraph.text)


def _without_beginning(paragraph: Paragraph, length: int) -> Paragraph | None:
    """A paragraph without its first ``length`` normalised characters; ``None`` if nothing is left."""
    pieces = []
    for piece in paragraph.pieces:
        text = normalise(piece.text)
        rest = text[length:].strip() if length > 0 else text
        length -= len(text) + 1
        if rest:
            pieces.append(replace(piece, text=rest))
    return Paragraph(pieces=tuple(pieces)) if pieces else None
