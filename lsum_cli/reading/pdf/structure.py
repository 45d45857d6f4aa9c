"""The structure of a document: its title, and sections with abstract and reference list."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from lsum_cli.documents import Paragraph, Passage, SectionRole
from lsum_cli.reading.blocks import REFERENCE_MARKS, TABLE_OF_CONTENTS, Tally, names_contents, role_of
from lsum_cli.reading.pdf.file import OutlineEntry
from lsum_cli.reading.pdf.flow import FlowHeading, FlowItem, FlowParagraph
from lsum_cli.reading.pdf.heading_candidates import CHAPTER_LABEL, is_usual, without_number, words_only
from lsum_cli.reading.pdf.lines import Line, PageLines
from lsum_cli.reading.pdf.typography import BodyType, numbering_depth
from lsum_cli.reading.reference_marks import without_marks
from lsum_cli.reading.references import divide_references
from lsum_cli.text.patterns import MONTHS, regex

_JUNK = regex(
    r"untitled|unknown|microsoft (?:word|powerpoint|excel)|powerpoint presentation|presentation\d*$"
    r"|document\d*$|\.(?:docx?|pdf|tex|dvi|indd|qxd|ps|pptx?|rtf|odt|txt|fm)\b"
    r"|^(?:slide|page|layout|title) ?\d*$|^r graphics output$|^[\W\d_]*$|^\S*_\S*$|:\\|/tmp/",
    re.I,
)
_NO_TITLE = frozenset(
    "openaccess originalresearch review researcharticle article research originalarticle".split()  # noqa: SIM905
)
# Marks of notes to a title, and the number of a paper alone: "IMECE2020-1234".
_TITLE_MARKS = regex(r"(?<=[^\s,∗*†‡§¶⋆])[,\s]*[∗*†‡§¶⋆][∗*†‡§¶⋆,]*$")
_PAPER_NUMBER = regex(r"(?=\S*\d)[A-Z\d./_-]+")
# A line below a title: when it was written, and by whom.
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_IMPRINT = regex(
    rf"(?:(?:\w+ )?(?:draft|version|revision|update|updated|revised|printed|date)(?: of| on)?:? )?"
    rf"(?:(?:\w+day,? )?(?:{_DAY}\.? )?(?:{MONTHS})\.?(?: {_DAY},?)?,? \d{{4}}"
    r"|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.](?:\d\d)?\d\d)\.?"
    r"|\$(?:Date|Id|Revision|Author)\b.*|by [A-Z].*|.*\S@\w\S*\.\S.*",
    re.I,
)
_MAX_WORDS = 45
_MAX_TITLE_LINES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Title:
    """A title and its lines."""

    text: str
    lines: tuple[Line, ...] = ()


def find_title(
    claimed: str | None,
    pages: Sequence[PageLines],
    body: BodyType,
    outline: Sequence[OutlineEntry] = (),
    furniture: Set[int] = frozenset(),
) -> Title | None:
    """Find the title of a document: as the metadata word it, or in the largest type of its first pages.

    Args:
        claimed: The title in the metadata.
        pages: All pages read; the title is searched for on the first pages with text.
        body: The font of the body text.
        outline: Bookmarks; what several of them are set in is the type of headings.
        furniture: Ids of running heads.
    """
    opening = [page for page in pages if page.lines][:4]
    if not opening or opening[0].number > 3:
        return _trusted(claimed)
    for wording in _wordings(claimed):
        for page in opening:
            lines = _spelled(wording, page)
            if lines:
                return Title(text=wording, lines=lines)
    headings = {words_only(without_number(entry.title)) for entry in outline}
    for page in opening[:2]:
        largest = _largest(page, body, headings)
        if largest and not _returns(largest, pages, headings):
            return largest
    centred = _centred(opening[0], body, furniture)
    if centred and words_only(centred.text) not in headings:
        return centred
    return _trusted(claimed)


def _is_no_title(text: str) -> bool:
    """Whether words name a part or a kind of any document, or are the number of a paper."""
    return words_only(text) in _NO_TITLE or is_usual(text) or _PAPER_NUMBER.fullmatch(text) is not None


def _trusted(claimed: str | None) -> Title | None:
    wordings = _wordings(claimed)
    return Title(text=wordings[0]) if wordings and len(wordings[0].split()) >= 2 else None


def _wordings(claimed: str | None) -> list[str]:
    text = " ".join((claimed or "").replace("\x00", "").split())
    if not text or _JUNK.search(text) or len(text) > 400:
        return []
    found = [text]
    shorter = re.sub(r"\s*\([^()]*\)\s*$", "", text)
    found += [shorter, re.sub(r"^[\d\W]+\s+", "", shorter)]
    return [
        wording
        for index, wording in enumerate(found)
        if len(words_only(wording)) > 3 and wording not in found[:index]
    ]


def _spelled(wording: str, page: PageLines) -> tuple[Line, ...]:
    """The largest adjacent lines of a page that match a title."""
    wanted = words_only(wording)
    lines = sorted(page.lines, key=lambda line: (-line.y, line.x0))
    best: tuple[Line, ...] = ()
    for start, first in enumerate(lines):
        if not words_only(first.text) or not wanted.startswith(words_only(first.text)):
            continue
        spelled, taken = "", []
        for line in lines[start : start + 30]:
            if abs(line.size - first.size) > 0.6:
                continue
            spelled += words_only(line.text)
            taken.append(line)
            if not wanted.startswith(spelled):
                break
            if spelled == wanted:
                if not best or first.size > best[0].size:
                    best = tuple(taken)
                break
    return best


def _largest(page: PageLines, body: BodyType, headings: Set[str]) -> Title | None:
    """The group of adjacent lines in the largest type of a page, up to a smaller one that is a heading."""
    lines = [
        line
        for line in sorted(page.lines, key=lambda line: (-line.y, line.x0))
        if line.size > 1.15 * body.size
    ]
    groups: list[list[Line]] = []
    for line in lines:
        is_heading = words_only(without_number(line.text)) in headings
        if (
            groups
            and _goes_on(groups[-1][-1], line)
            and not (is_heading and line.size < groups[-1][0].size - 0.3)
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
    candidates = []
    for group in groups:
        text = _joined([line for line in group if not _IMPRINT.fullmatch(line.text)])
        count = len(text.split())
        if count > _MAX_WORDS or sum(map(str.isalpha, text)) < 5 or _is_no_title(text):
            continue
        candidates.append((max(line.size for line in group) * (1.0 if count >= 3 else 0.6), group, text))
    if not candidates:
        return None
    _, found, text = max(candidates, key=lambda candidate: candidate[0])
    return Title(text=text, lines=tuple(found))


def _centred(page: PageLines, body: BodyType, furniture: Set[int]) -> Title | None:
    """The first lines of a page, if they are bold or in capitals, and centred above text that is not."""
    lines = [
        line
        for line in sorted(page.lines, key=lambda line: (-line.y, line.x0))
        if id(line) not in furniture and line.size >= 0.97 * body.size
    ]
    if len(lines) < 8:
        return None
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)

    def stands_out(line: Line) -> bool:
        inset = min(line.x0 - left, right - line.x1)
        middle = abs((line.x0 + line.x1) - (left + right)) / 2
        is_set_off = (line.bold and not body.bold) or (line.text.isupper() and len(line.text) > 6)
        return is_set_off and inset > 2 * line.size and middle < 1.5 * line.size

    group: list[Line] = []
    for line in lines[:_MAX_TITLE_LINES]:
        if not stands_out(line) or (group and not _goes_on(group[-1], line)):
            break
        group.append(line)
    text = _joined(group)
    count = len(text.split())
    if not 3 <= count <= _MAX_WORDS or numbering_depth(text) or _is_no_title(text):
        return None
    return Title(text=text, lines=tuple(group))


def _returns(title: Title, pages: Sequence[PageLines], headings: Set[str]) -> bool:
    """Whether other lines look like the title, so that it is only one of several headings.

    Numbered headings may be set like a title without a number, and so may those of an outline that does
    not list the title.
    """
    own = {id(line) for line in title.lines}
    first = title.lines[0]
    if first.text[0].isdigit() and numbering_depth(first.text):
        return True
    is_listed = words_only(without_number(title.text)) in headings
    page_number = first.pdf_page
    alone = sum(line.words for page in pages if page.number == page_number for line in page.lines) < 120
    return any(
        # A title page may be set like the chapters that follow.
        not (alone and page.number > page_number)
        and abs(line.size - first.size) < 0.3
        and line.font == first.font
        and line.width > 3 * line.size
        and not numbering_depth(line.text)
        and (is_listed or words_only(without_number(line.text)) not in headings)
        for page in pages
        for line in page.lines
        if id(line) not in own and not words_only(title.text).startswith(words_only(line.text))
    )


def _goes_on(upper: Line, lower: Line) -> bool:
    large, small = max(upper.size, lower.size), min(upper.size, lower.size)
    return upper.y - lower.y < 2.6 * large and small > 0.76 * large and upper.bold == lower.bold


def _joined(lines: Sequence[Line]) -> str:
    text = ""
    for line in lines:
        text = (
            text[:-1] + line.text if text.endswith("-") and line.text[:1].islower() else f"{text} {line.text}"
        )
    return _TITLE_MARKS.sub("", text.strip())


INDEX = "index"
_ABSTRACT_LEAD = regex(
    r"\W{0,2}((?i:abstract|summary|zusammenfassung|résumé|resumen|resumo|riassunto))\s*[.:—–-]+\s*(?=\S)"
    r"|(ABSTRACT|Abstract)\s+(?=[A-Z])"
)
_KEYWORDS = regex(
    r"\W{0,2}(?:key ?-?words?(?: and phrases)?|index terms|ccs concepts|categories and subject"
    r"|general terms|jel)\b",
    re.I,
)
# Such as the thanks of the authors; a star may be the bullet of an item.
_TITLE_NOTE = regex(r"(?:[∗†‡§¶‖⋆]+|\*+(?=\S))\s?[^\W\d_]")
_INDEX_ENTRY = regex(r",\s*\d{1,4}(?:[–-]\d+)?(?:n|f|ff)?(?=[,;.\s]|$)")
_REFERENCE_ENTRY = regex(r"\s*(?:\[[\w+-]{1,12}\]|\d{1,3}[.)])\s+\S")
# "1 Introduction . . . . . . 7"; written so that the search is for a dot, which is fast.
_LEADERS = regex(r"\.\s?(?:\.\s?){4,}\s*(?:\d+|[ivxl]+)(?:\s|$)|……+\s*\d+")
_YEAR = regex(r"\b(?:1[6-9]|20)\d\d[a-z]?\b")
_ABSTRACT_PARTS = frozenset(
    "background objective objectives aim aims purpose introduction context methods method"  # noqa: SIM905
    " methodsdesign methodsandresults materialsandmethods methodology design setting participants"
    " interventions measurements patients results result findings mainresults discussion conclusion"
    " conclusions interpretation trialregistration registration significance funding limitations"
    " rationale hypothesis studydesign mainoutcomemeasures".split()
)
_AFTER_REFERENCES = regex(
    r"\W*(?:[A-Z]\W|\d+\W+)?\s*(?:appendi|supplement|about|author|acknowledg|index|glossary|notes|annex)",
    re.I,
)
_FIRST_SECTION = regex(r"introduction|background|overview|motivation|preliminaries", re.I)


def make_passages(items: Sequence[FlowItem], tally: Tally) -> list[Passage]:
    """Gather paragraphs below their headings and assign roles to the sections.

    Args:
        items: Headings and paragraphs in reading order.
        tally: Counts the words of contents and index, which are left out.
    """
    passages = _gathered(_with_run_in_abstract(_with_chapter_labels(items)))
    passages = [passage for passage in passages if passage.heading or passage.paragraphs]
    passages = _without_listings(passages, tally)
    passages = _with_roles(passages)
    if not any(passage.role is SectionRole.ABSTRACT for passage in passages):
        passages = _with_bare_abstract(passages)
    passages = divide_references(passages)
    if not any(passage.role is SectionRole.REFERENCES for passage in passages):
        passages = _with_bare_references(passages)
    passages, marks = without_marks(passages)
    tally.add_words(REFERENCE_MARKS, marks)
    return passages


def _with_chapter_labels(items: Sequence[FlowItem]) -> list[FlowItem]:
    """Put "Chapter 2" into the heading below it; a part or book keeps the heading that is below its rank."""
    joined: list[FlowItem] = []
    for item in items:
        if isinstance(item, FlowHeading) and not CHAPTER_LABEL.match(item.text):
            for count in (2, 1):
                above = joined[-count:]
                label = " ".join(each.text for each in above)
                found = CHAPTER_LABEL.fullmatch(label)
                if not found or any(each.pdf_page != item.pdf_page for each in above):
                    continue
                levels = [each.level for each in above if isinstance(each, FlowHeading)]
                if found["name"] or found["word"] or all(level >= item.level for level in levels):
                    item = replace(item, text=f"{label} {item.text}", level=min([*levels, item.level]))
                    del joined[-count:]
                    break
        joined.append(item)
    return joined


def _with_run_in_abstract(items: list[FlowItem]) -> list[FlowItem]:
    """Make a heading of a word such as "Abstract" at the beginning of a paragraph."""
    for index, item in enumerate(items[:60]):
        if isinstance(item, FlowHeading):
            if words_only(item.text) in ("abstract", "summary"):
                return items
            continue
        match = _ABSTRACT_LEAD.match(item.text)
        if match and len(item.text.split()) > 25:
            pieces = item.paragraph.pieces
            first = replace(pieces[0], text=pieces[0].text[match.end() :])
            rest = FlowParagraph(paragraph=Paragraph(pieces=(first, *pieces[1:])), aside=item.aside)
            heading = FlowHeading(
                text=(match[1] or match[2]).capitalize(), level=1, pdf_page=item.pdf_page or 1
            )
            return [*items[:index], heading, rest, *items[index + 1 :]]
    return items


def _gathered(items: Sequence[FlowItem]) -> list[Passage]:
    # The highest headings of a document are its first level, whatever rank their type has.
    lift = min((item.level for item in items if isinstance(item, FlowHeading)), default=1) - 1
    passages: list[Passage] = []
    heading: FlowHeading | None = None
    paragraphs: list[Paragraph] = []
    for item in [*items, None]:
        if isinstance(item, FlowParagraph):
            # Skip rules made of dashes and stray marks.
            if any(map(str.isalnum, item.text)):
                paragraphs.append(item.paragraph)
            continue
        if heading or paragraphs:
            passages.append(
                Passage(
                    heading=heading.text if heading else None,
                    level=heading.level - lift if heading else 0,
                    paragraphs=tuple(paragraphs),
                )
            )
        heading, paragraphs = item, []
    return passages


def _without_listings(passages: Sequence[Passage], tally: Tally) -> list[Passage]:
    """Leave out tables of contents, lists of figures and indexes that are certain."""
    kept: list[Passage] = []
    for passage in passages:
        spelled = words_only(without_number(passage.heading or ""))
        texts = [paragraph.text for paragraph in passage.paragraphs]
        if names_contents(spelled) and _is_listing(texts):
            for text in texts:
                tally.add(TABLE_OF_CONTENTS, text)
            tally.add(TABLE_OF_CONTENTS, passage.heading or "")
        elif spelled in ("index", "subjectindex", "authorindex", "generalindex", "nameindex") and _is_index(
            texts
        ):
            for text in texts:
                tally.add(INDEX, text)
            tally.add(INDEX, passage.heading or "")
        else:
            leaders = [index for index, text in enumerate(texts) if _has_leaders(text)]
            if len(leaders) >= 3:
                for index in leaders:
                    tally.add(TABLE_OF_CONTENTS, texts[index])
                left = tuple(p for index, p in enumerate(passage.paragraphs) if index not in set(leaders))
                passage = replace(passage, paragraphs=left)
            kept.append(passage)
    return kept


def _has_leaders(text: str) -> bool:
    return _LEADERS.search(text) is not None


def _is_listing(texts: Sequence[str]) -> bool:
    if not texts:
        return True
    whole = " ".join(texts)
    words = whole.split()
    numbers = sum(word.isdigit() or bool(re.fullmatch(r"[ivxl]+", word)) for word in words)
    sentences = len(re.findall(r"[a-z]{3,}[.!?]\s+[A-Z]", whole))
    return (
        len(words) < 6000
        and (numbers >= 0.06 * len(words) or any(map(_has_leaders, texts)))
        and sentences < 0.02 * len(words) + 2
    )


def _is_index(texts: Sequence[str]) -> bool:
    whole = " ".join(texts)
    entries = len(_INDEX_ENTRY.findall(whole))
    return entries >= 10 and entries >= 0.08 * len(whole.split())


def _with_roles(passages: Sequence[Passage]) -> list[Passage]:
    """Assign roles by heading; parts of an abstract or a reference list share its role."""
    result: list[Passage] = []
    role, level = SectionRole.BODY, 0
    for number, passage in enumerate(passages):
        own = role_of(passage.heading or "")
        if own is SectionRole.BODY and number < 6 and words_only(passage.heading or "") == "summary":
            own = _summary_role(passages, number)
        if own is SectionRole.ABSTRACT and number > 0.5 * len(passages) and len(passages) > 8:
            own = SectionRole.BODY
        inherited = passage.level > level and _belongs(passage.heading or "", role)
        if not inherited:
            role, level = own, passage.level
        if role is SectionRole.ABSTRACT:
            abstract, after = _cut_abstract(passage)
            result.append(replace(abstract, role=role))
            if after:
                result.append(Passage(paragraphs=after))
        elif role is SectionRole.REFERENCES:
            result.append(replace(passage, role=role))
        else:
            result.append(passage)
    return result


def _belongs(heading: str, role: SectionRole) -> bool:
    """Whether a subheading belongs to the abstract or the reference list above it."""
    spelled = words_only(heading)
    if role is SectionRole.ABSTRACT:
        return spelled in _ABSTRACT_PARTS
    return role is SectionRole.REFERENCES and not _AFTER_REFERENCES.match(heading)


def _summary_role(passages: Sequence[Passage], number: int) -> SectionRole:
    """The role of a "Summary": an abstract if it is short and an introduction follows."""
    following = passages[number + 1].heading if number + 1 < len(passages) else None
    words = sum(len(paragraph.text.split()) for paragraph in passages[number].paragraphs)
    introduced = bool(following and _FIRST_SECTION.search(following))
    return SectionRole.ABSTRACT if introduced and words < 600 else SectionRole.BODY


def _cut_abstract(passage: Passage) -> tuple[Passage, tuple[Paragraph, ...]]:
    """Separate an abstract from keywords, addresses, licence and the notes to the title below it."""
    for index, paragraph in enumerate(passage.paragraphs):
        text = paragraph.text
        if index and (_KEYWORDS.match(text) or _TITLE_NOTE.match(text) or _is_imprint(text)):
            return replace(passage, paragraphs=passage.paragraphs[:index]), passage.paragraphs[index:]
    return passage, ()


def _is_imprint(text: str) -> bool:
    return bool(
        re.match(
            r"\W*(?:corresponden|©|\(c\)|copyright|received:?\s|accepted:?\s|published|e-?mail"
            r"|permission (?:to make|is granted)|all rights reserved|doi:)",
            text,
            re.I,
        )
    ) or ("@" in text and len(text.split()) < 40)


def _with_bare_abstract(passages: Sequence[Passage]) -> list[Passage]:
    """Find an abstract without a heading: text between the authors and the first section or keywords."""
    if len(passages) < 2 or passages[0].heading is not None or not passages[1].heading:
        return list(passages)
    front = passages[0].paragraphs
    stop = next(
        (index for index, paragraph in enumerate(front) if _KEYWORDS.match(paragraph.text)), len(front)
    )
    if stop == len(front) and not _opens_paper(passages[1].heading or ""):
        return list(passages)
    long = [index for index in range(stop) if _is_prose(front[index].text)]
    if not long:
        return list(passages)
    end = long[-1] + 1
    begin = end
    while begin and (begin - 1 in long):
        begin -= 1
    words = sum(len(paragraph.text.split()) for paragraph in front[begin:end])
    last_page, first_page = front[end - 1].pieces[-1].pdf_page or 1, _first_page(passages[1:]) or 1
    if not 50 <= words <= 700 or first_page > last_page + 1:
        return list(passages)
    parts = [
        replace(passages[0], paragraphs=front[:begin]),
        Passage(role=SectionRole.ABSTRACT, paragraphs=front[begin:end]),
        Passage(paragraphs=front[end:]),
    ]
    return [part for part in parts if part.paragraphs] + list(passages[1:])


def _first_page(passages: Sequence[Passage]) -> int | None:
    return next((p.paragraphs[0].pieces[0].pdf_page for p in passages if p.paragraphs), None)


def _opens_paper(heading: str) -> bool:
    """Whether the first heading is that of a paper's first section."""
    return bool(
        re.match(r"(?:1|I)\b[.):]?\s", heading)
        or _FIRST_SECTION.fullmatch(without_number(heading).strip(" .:"))
    )


def _is_prose(text: str) -> bool:
    words = text.split()
    small = sum(word[:1].islower() for word in words)
    return len(words) >= 35 and small > 0.55 * len(words) and "@" not in text and not _is_imprint(text)


def _with_bare_references(passages: Sequence[Passage]) -> list[Passage]:
    """Find a reference list without a heading: a numbered list of works with years at the end."""
    if not passages:
        return []
    last = passages[-1]
    run = 0
    for paragraph in reversed(last.paragraphs):
        text = paragraph.text
        if not (_REFERENCE_ENTRY.match(text) and _YEAR.search(text)):
            break
        run += 1
    if run < 5:
        return list(passages)
    cut = len(last.paragraphs) - run
    references = Passage(role=SectionRole.REFERENCES, paragraphs=last.paragraphs[cut:])
    before = replace(last, paragraphs=last.paragraphs[:cut])
    return [*passages[:-1], *([before] if before.heading or before.paragraphs else []), references]
