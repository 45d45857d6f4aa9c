"""Bibliographies and notes, recognised by their form, whatever heading they stand under.

A heading such as "References" tells a bibliography at once. Where the heading is missing, or another one
has come between it and its entries (the second column of a page begins under "Funding"), the entries
still look as no other text does: one after another they open with an author or a number, and name a year
and where the work appeared. The notes at the end of a book repeat the titles of its chapters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lsum_cli.documents import Passage, SectionRole
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

_MARK = regex(r"\s*(?:\[[\w+-]{1,12}\]|\(?\d{1,3}[.)]|\d{1,3}(?= [A-Z])|[•·–-])\s*(?=\S)")
_SURNAME = (
    r"(?:(?:[Vv][ao]n(?: de[rn]?)?|[Dd]e(?: la| los)?|[Dd]e[lr]|[Ll][ae]|[Dd][aiou]|[Ee]l|[Aa]l|te[nr])[ -])?"
    r"[^\W\d_a-zß-öø-ÿ][\w’'`-]+(?:[ -][^\W\d_a-zß-öø-ÿ][\w’'-]+)?"
)
_INITIALS = r"(?:[^\W\d_a-zß-öø-ÿ]\.?[ -]?){1,4}"
# "Smith, J. K., and", "Smith JK, Jones", "J. K. Smith and", "Smith, John.", "World Bank. 2014.".
_AUTHORS = regex(
    rf"{_SURNAME},? {_INITIALS}(?:,|;|:|\.|\(|and |& |et al|$|(?<=\. )|(?=\d))"
    rf"|(?:[^\W\d_a-zß-öø-ÿ]\.[ -]?){{1,3}}{_SURNAME}(?:,|:| and | & | et al|\.)"
    rf"|{_SURNAME}, [^\W\d_a-zß-öø-ÿ][\w’'-]+(?: [^\W\d_a-zß-öø-ÿ]\.?)*(?:,|\.| and | & |;)"
    r"|[^\W\d_a-zß-öø-ÿ][^.,()]{1,60}[.,]? \(?(?:1[6-9]|20)\d\d[a-z]?\)?[.,:]"
)
_YEAR = regex(r"(?<![\d.,/-])(?:1[6-9]|20)\d\d[a-z]?(?![\d%])")
# "12(3), 45–67", "2014;12:3-9", "vol. 3", "pp. 4–9", "doi:", "Cambridge University Press", "J. Chem.".
_PLACE = regex(
    r"\b\d{1,4} ?(?:\(\d{1,4}(?:[–/-]\d{1,4})?\))?[,:] ?(?:pp?\. ?)?[A-Za-z]?\d{1,6}(?:[–-]|\b)"
    r"|\bpp?\. ?\d|\bvol(?:ume)?\.? ?\d|\bdoi\b|10\.\d{4,9}/|\barXiv\b|https?://|\bISBN\b|\bPubMed\b"
    r"|\b(?:Press|Publish(?:ers|ing)|Verlag|Springer|Elsevier|Wiley|Routledge|Proc\.|Proceedings|Journal"
    r"|Trans\.|Conference|Conf\.|Symposium|Thesis|Dissertation|Technical Report|Eds?\.|Editors?|Available)"
    r"|\b[JZ]\. [A-Z]|\bIn: |et al\b",
)
# Sentences of an author's own work begin so, whatever they cite.
_OWN_WORDS = regex(
    r"\b(?:we|our|this (?:paper|study|section|chapter)|in contrast|however|showed that)\b", re.I
)
_MOST_OWN_WORDS = 1
# Titles seldom have these, and what tells of works, films or laws has them all the time.
_TELLING = regex(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Ii]t|who|whose|was|were|is|are|has|had|must|would|that|which|when|where|nobody)\b"
)
_MOST_TELLING = 0.04  # of the words
_LEAST_ENTRIES = 5
_LEAST_SURE = 0.6
# A line that a column or page has torn off its entry, or an entry without a year.
_MOST_BETWEEN = 2
_LONGEST_ENTRY = 130

_NOTES = regex(
    r"(?:chapter |list of )?(?:end ?|foot)?notes(?: and (?:references|sources))?|sources|anmerkungen|endnoten"
    r"|fußnoten|notas|note|notes de fin|примечания",
    re.I,
)
_NOTE_MARK = regex(r"\s*(?:\[\d{1,4}\]|\d{1,4}[.)]?|[*†‡])\s+\S")
# A note that names a work, unlike the notes to the accounts of a company.
_CITES = regex(
    rf"{_PLACE.pattern}|\b(?:[Ii]bid|[Oo]p\. ?cit|[Ll]oc\. ?cit|[Cc]f)\.|\b(?:p|ch|chap)\. ?\d|[Qq]uoted in\b"
    r"|^\W*\d*\W*See\b|: [^():]{2,40}, (?:1[6-9]|20)\d\d\)"
    r"|[,”] \(?(?:\d{1,2} )?(?:[A-Z][a-z]+\.? (?:\d{1,2}, )?)?(?:1[6-9]|20)\d\d\b"
)
_LEAST_NOTES = 3
_LEAST_NUMBERED = 0.5
_LEAST_DATED = 0.25
_LETTERS = regex(r"[\W\d_]+")


def divide_references(passages: Sequence[Passage]) -> list[Passage]:
    """The passages, with what looks like a bibliography or like endnotes as references.

    A run of entries below a heading of something else becomes a passage of its own, without a heading;
    what follows it too. Other passages are left as they are.
    """
    divided = [part for passage in passages for part in _divide(passage)]
    return _with_endnotes(divided)


def _divide(passage: Passage) -> list[Passage]:
    """The passage, cut where its bibliography begins and ends."""
    if passage.role is not SectionRole.BODY or len(passage.paragraphs) < _LEAST_ENTRIES:
        return [passage]
    parts: list[Passage] = []
    begin = 0
    for first, last in _runs([paragraph.text for paragraph in passage.paragraphs]):
        parts += _part(passage, begin, first)
        is_whole = first == 0 and last == len(passage.paragraphs)
        entries = replace(passage, role=SectionRole.REFERENCES, paragraphs=passage.paragraphs[first:last])
        if not is_whole and (parts or first):
            entries = replace(entries, heading=None, level=0)
        parts.append(entries)
        begin = last
    return [*parts, *_part(passage, begin, len(passage.paragraphs))] if parts else [passage]


def _part(passage: Passage, begin: int, end: int) -> list[Passage]:
    """The paragraphs from ``begin`` to ``end``, under the heading where they are the first."""
    if begin == end and (begin or not passage.heading):
        return []
    if begin == 0:
        return [replace(passage, paragraphs=passage.paragraphs[:end])] if end else []
    return [Passage(role=passage.role, paragraphs=passage.paragraphs[begin:end])]


def _runs(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Where bibliographies begin and end: entries in a row, most of them certain."""
    runs: list[tuple[int, int]] = []
    first = last = -1
    entries = 0
    for index, text in enumerate([*texts, ""]):
        if index < len(texts) and is_entry(text):
            if first < 0:
                first = index
            last, entries = index + 1, entries + 1
        elif first >= 0 and (index == len(texts) or index - last >= _MOST_BETWEEN or _is_prose(text)):
            is_run = entries >= _LEAST_ENTRIES and entries >= _LEAST_SURE * (last - first)
            if is_run and not _tells(texts[first:last]):
                runs.append((first, last))
            first, entries = -1, 0
    return runs


def is_entry(text: str) -> bool:
    """Whether a paragraph looks like an entry of a bibliography: authors, a year, and where it appeared."""
    text = normalise(text)
    mark = _MARK.match(text)
    opening = mark.end() if mark else 0
    if not _AUTHORS.match(text, opening) or not _YEAR.search(text) or not _PLACE.search(text):
        return False
    # Several entries may be one paragraph where their indents were not seen.
    return len(text.split()) <= _LONGEST_ENTRY and len(_OWN_WORDS.findall(text)) <= _MOST_OWN_WORDS


def _tells(texts: Sequence[str]) -> bool:
    """Whether entries are described rather than listed: films with their plots, the years of a life."""
    telling = sum(1 for text in texts for _ in _TELLING.finditer(text))
    return telling > _MOST_TELLING * sum(len(text.split()) for text in texts)


def _is_prose(text: str) -> bool:
    """Whether a paragraph is too long, and too much of running words, for the rest of an entry."""
    words = text.split()
    return len(words) > 40 and sum(word[:1].islower() for word in words) > 0.6 * len(words)


def _with_endnotes(passages: list[Passage]) -> list[Passage]:
    """The notes at the end as references, also where they are divided by the titles of the chapters."""
    start = next(
        (
            index
            for index, passage in enumerate(passages)
            if passage.role is SectionRole.BODY
            and passage.heading
            and _NOTES.fullmatch(normalise(passage.heading).strip(" .:"))
        ),
        None,
    )
    if start is None:
        return passages
    above = {_spelled(passage.heading) for passage in passages[:start] if passage.heading}
    end = start + 1
    while end < len(passages) and _continues_notes(passages[end], above):
        end += 1
    texts = [paragraph.text for passage in passages[start:end] for paragraph in passage.paragraphs]
    notes = [text for text in texts if _NOTE_MARK.match(text)]
    dated = sum(1 for text in notes if _YEAR.search(text))
    cited = sum(1 for text in notes if _CITES.search(text))
    if len(notes) < max(_LEAST_NOTES, _LEAST_NUMBERED * len(texts)):
        return passages
    if min(dated, cited) < _LEAST_DATED * len(notes):
        return passages
    level = passages[start].level
    return [
        *passages[:start],
        replace(passages[start], role=SectionRole.REFERENCES),
        *(
            replace(
                passage,
                role=SectionRole.REFERENCES,
                level=level + 1 if passage.heading else 0,
            )
            for passage in passages[start + 1 : end]
        ),
        *passages[end:],
    ]


def _continues_notes(passage: Passage, above: set[str]) -> bool:
    """Whether a passage holds the notes of a chapter: it has its title, or only numbered paragraphs."""
    if passage.role is SectionRole.REFERENCES:
        return True
    notes = sum(1 for paragraph in passage.paragraphs if _NOTE_MARK.match(paragraph.text))
    is_named = passage.heading is not None and _spelled(passage.heading) in above
    return notes >= (_LEAST_DATED if is_named else _LEAST_SURE) * max(1, len(passage.paragraphs))


def _spelled(heading: str | None) -> str:
    return _LETTERS.sub("", normalise(heading or "").casefold())
