"""The headline that a short plain text opens with, and the lines below it that say who wrote it and when."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsum_cli.reading.blocks import AUTHOR_LINE, Tally
from lsum_cli.reading.plain.lines import LIST_MARK, RULE, LineGroup
from lsum_cli.reading.plain.titles import is_left_hanging
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop

_MAX_BYLINE_WORDS = 12
_MAX_TITLE_WORDS = 20
_MAX_TITLE_LINES = 3
_MIN_GROUPS_BELOW_TITLE = 2
_TITLE_END = regex(r"[.,;:!?。．！？，；：]$")
_BYLINE = regex(r"by(?:\s+\S.*)?", re.I)
_DAY = (
    r"(?:(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+)?[^\W\d_]{3,10}\.?,?(?:\s+\d{1,2},?)?\s+\d{4}|\d{4}-\d\d-\d\d"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4})"
)
_DATELINE = regex(
    r"(?:(?:(?:first |last )?(?:published|updated|posted|modified)|on|date)\b:?\s*(?:on |at )?)?"
    rf"(?:[^\W\d_]{{3,10}},\s+)?{_DAY}(?:[,\s]+(?:at\s+)?\d{{1,2}}[:.]\d\d.{{0,12}})?",
    re.I,
)
_DATED_END = regex(rf"(?<![\s|,·–—-])[\s|,·–—-]+{_DAY}$", re.I)
# "By Jane Miller, Reporter | 12 March 2024": names, not "By the river stood a house".
_SIGNED = regex(
    r"(?i:by|von|par|por|di|door|av)\s+[^\W\d_a-zß-öø-ÿ][\w.'’-]*"
    r"(?:[ ,|&·–—]+(?:and |und |et |y |e |en |och )?[\w.'’-]+){0,11}"
)
# "Dear Mr and Mrs Smith" opens a letter.
_SALUTATION = regex(
    r"(?:Dear|Sehr geehrte[rnsm]?|Lieber|Chère?s?|Estimad[oa]s?|Querid[oa]s?|Gentile|Egregio|Geachte|Beste)"
    r"(?: (?:[^\W\d_a-zß-öø-ÿ][\w.'’-]*|all|everyone|colleagues|friends?|team|and|und|et|y|e|en)){1,6}[,:!]?"
    r"|(?i:to whom it may concern)[,:]?"
)
# "Present: A. Berg", below what minutes are of.
_FIELD_OF_MINUTES = regex(
    r"(?:present|attend(?:ees|ing)|participants|in attendance|apologies|absent|minutes(?: taken)? by"
    r"|note ?taker|chair(?:ed by|person|man|woman)?|date|time|place|location|venue|anwesend"
    r"|teilnehm(?:er|ende)|ort|datum|présents|asistentes|presenti)\b[^:.]{0,30}:\s",
    re.I,
)
_NAME_WORD = regex(r"[^\W\d_]{4,}")
_LEAST_PROSE = 12  # words
# So many sentences are prose whatever they end with: "... on Monday. jm/kb (Reuters)".
_SENTENCE_WITHIN, _SENTENCES_OF_PROSE = regex(r"[a-z][a-z\d)][.!?][”\"’]? [“\"‘]?[A-Z]"), 3
# Of a line of prose; those of verse are shorter.
_LEAST_WIDTH = 60


def with_headline_apart(groups: list[LineGroup]) -> list[LineGroup]:
    """The groups of a text whose first lines are a headline and who wrote it, each of them a group."""
    if not groups or len(groups[0].lines) < 2:
        return groups
    first = groups[0]
    lines = [line.strip() for line in first.lines]
    signed = next((index for index, line in enumerate(lines) if index and signs(line)), None)
    if signed is not None and signed <= _MAX_TITLE_LINES:
        end = signed
    elif _stands_alone(first.lines, groups) or _FIELD_OF_MINUTES.match(lines[1]):
        end = 1
    else:
        return groups
    if not _may_be_headline(" ".join(lines[:end])):
        return groups
    rest = end
    while rest < len(lines) and signs(lines[rest]):
        rest += 1
    while rest < len(lines) and _FIELD_OF_MINUTES.match(lines[rest]):
        rest += 1
    parts = [first.lines[:end], *((line,) for line in first.lines[end:rest]), first.lines[rest:]]
    apart = [LineGroup(lines=part, blank_before=int(place > 0)) for place, part in enumerate(parts) if part]
    return [*apart, *groups[1:]]


def opens_with_title(groups: Sequence[LineGroup]) -> bool:
    """Whether the first group of a text is its title: short, and no sentence by its form."""
    if not groups:
        return False
    first, below = groups[0], groups[1:]
    if _SALUTATION.fullmatch(first.text) or _DATELINE.fullmatch(first.text):
        return False
    if len(first.lines) > _MAX_TITLE_LINES or first.num_words > _MAX_TITLE_WORDS:
        return False
    if first.text.endswith("?"):
        # The one question that stands alone above the text, unlike those of an interview.
        asked = sum(1 for group in groups if group.text.endswith("?") and len(group.lines) == 1)
        return len(first.lines) == asked == 1 and _may_be_headline(first.text) and _is_followed(below)
    if len(below) < _MIN_GROUPS_BELOW_TITLE:
        return len(first.lines) == 1 and _may_be_headline(first.text) and _is_followed(below)
    return not _TITLE_END.search(first.text)


def after_byline(groups: Sequence[LineGroup], tally: Tally) -> int:
    """Index after the title and the lines below it that say who wrote the text, and when.

    ``by H. G. Wells`` may stand on one line or two; a date follows or precedes it. Where dates stand above
    what follows too, as in a diary, the first is no less a part of the text.
    """
    end = _after_signs(groups)
    if any(_DATELINE.fullmatch(group.text) for group in groups[end:]):
        end = next((index for index in range(1, end) if _DATELINE.fullmatch(groups[index].text)), end)
    for group in groups[1:end]:
        tally.add(AUTHOR_LINE, group.text)
    return end


def _after_signs(groups: Sequence[LineGroup]) -> int:
    """Index after the first group and those below it that sign the text."""
    index = 1
    while index < len(groups):
        group = groups[index]
        is_byline = (
            index == 1 and _BYLINE.fullmatch(group.text) and group.num_words <= _MAX_BYLINE_WORDS
        ) or signs(group.text)
        if not is_byline:
            break
        is_alone = group.num_words == 1 and index + 1 < len(groups)
        index += 2 if is_alone and groups[index + 1].num_words <= _MAX_BYLINE_WORDS else 1
    return index


def _is_followed(below: Sequence[LineGroup]) -> bool:
    """Whether prose follows, below a byline or not."""
    rest = next((group for group in below if not signs(group.text)), None)
    return (
        rest is not None
        and rest.num_words >= _LEAST_PROSE
        and (ends_with_stop(rest.text) or len(_SENTENCE_WITHIN.findall(rest.text)) >= _SENTENCES_OF_PROSE)
        and not LIST_MARK.match(rest.text)
    )


def signs(line: str) -> bool:
    """Whether a line says who wrote a text, or when."""
    text = line.strip()
    if _DATELINE.fullmatch(text):
        return True
    names = _DATED_END.sub("", text)
    if not _SIGNED.fullmatch(names) or len(text.split()) > _MAX_BYLINE_WORDS:
        return False
    words = _NAME_WORD.findall(names)
    return all(word[0].isupper() for word in words) and not text.endswith((",", ":", "?"))


def _may_be_headline(text: str) -> bool:
    return (
        len(text.split()) <= _MAX_TITLE_WORDS
        and any(map(str.isalpha, text))
        and not text[0].islower()
        and not _TITLE_END.search(text.removesuffix("?"))
        and not RULE.fullmatch(text)
        and not LIST_MARK.match(text)
    )


def _stands_alone(lines: Sequence[str], groups: Sequence[LineGroup]) -> bool:
    """Whether the first line ends although the next word would have fitted, and prose begins below it."""
    title, below = lines[0].strip(), lines[1:]
    width = max(len(line) for group in groups for line in group.lines)
    begins = below[0].strip()
    return (
        len(lines[0]) + 1 + len(begins.split(maxsplit=1)[0]) <= width
        and len(title.split()) > 1
        and begins[0].isupper()
        and not LIST_MARK.match(begins)
        and len(begins) >= _LEAST_WIDTH
        and sum(len(line.split()) for line in below) >= _LEAST_PROSE
        and ends_with_stop(below[-1])
        and not is_left_hanging(title)
    )
