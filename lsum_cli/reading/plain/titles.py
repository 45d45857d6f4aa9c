"""Titles of plain text: lines alone that differ from paragraphs only by their form and their place."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from lsum_cli.reading.plain.lines import LIST_MARK, SENTENCE_END, LineGroup, indent
from lsum_cli.text.patterns import regex

MAX_WORDS = 16
MAX_CHARACTERS = 130
_MAX_LINES = 3
# What sections are called everywhere: one of these alone on a line needs no company.
_COMMON = regex(
    r"(?:the |an? )?(?:abstract|summary|executive summary|introduction|background|overview|motivation"
    r"|rationale|goals|non-?goals|methods?|materials and methods|methodology|results?|discussion"
    r"|results and discussion|conclusions?|limitations|references|bibliography|acknowledge?ments?|appendix"
    r"|appendices|related work|future work|further reading|see also|notes|specification|scope|implementation"
    r"|alternatives|alternatives considered|drawbacks|risks|recommendations|findings|history|contents"
    r"|preface|foreword|highlights|what's new|release notes|bug ?fixes|new features|known issues|features"
    r"|fixes|changes|security|einleitung|hintergrund|methoden|ergebnisse|diskussion|fazit|zusammenfassung"
    r"|ausblick|literatur|contexte|méthodes|résultats|discussion|conclusion|résumé|introducción|métodos"
    r"|resultados|discusión|conclusiones|resumen|введение|методы|результаты|обсуждение|выводы|заключение)",
    re.I,
)
_DATE = (
    r"(?:(?:date|posted|(?:last )?updated|modified):? )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?"
    r"(?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s+\d[\d, .:]*"
)
_DATED = regex(_DATE, re.I)
# No title: rights, authors, cells of a table, captions, addresses, code, quotations, letters, dates.
_UNFIT = regex(
    r"copyright|all rights reserved|©|\(c\)\s*\d{4}|^(?:authors?|by)\b|\S\s{2,}\S|\t"
    r"|^(?:fig(?:ure)?s?|tables?|box|scheme|listing|plate|photo(?:graph)?|chart|images?|sources?"
    r"|credit)\b[.:]?\s*(?:[\d(:]|[ivx]+\b|by\b|$)"
    r"|<[A-Za-z_][\w -]*>|[\w>]\(\s+\S|://|\bwww\.|\S@\S+\.\w|\s\|\s|[{};]|\s[=<>]{1,3}\s|…$|\.{3}|_{3}"
    r"|^[\"“”„«‘'\[(<>|/\\~^*]"
    r"|^(?:dear|yours|sincerely|respectfully|cordially|(?:best |kind |warm )?regards|signed|to whom)\b"
    rf"|^{_DATE}$"
    r"|^\d{4}-\d\d|^[A-Z]{3,}[A-Z ]*,? [A-Z][a-z]+\.? \d"
    r"|^(?:advertisement|read more|(?:image|photo) caption|related (?:stories|articles)|share this|sign up)$",
    re.I,
)
# "/NAME/REVISION[+CONFLICT]", ":METHOD[;OPTION=ARG]" and "$ LS": a grammar, and what is typed.
GRAMMAR = regex(
    r"[A-Z]\[(?=[^\d\]])|(?<![^\s\[])/[A-Z]\w*/|^\S{0,80}/[A-Z]\w*/\S*$|\]:|^:|=[A-Z]"
    r"|^(?:[$%>]|[A-Za-z]\w{1,19}[$#%>]) "
)
# Who speaks, points or answers makes a sentence, finished or not.
_SPEAKS = regex(
    r"(?:it|it's|its|this|these|those|that|that's|there|we|we're|he|she|they|you|i|i'm|i'd|i've|me|and|but|so"
    r"|then|because|see(?! also\b)|yes|yeah|yep|no,|ok|okay|well|uh|um|mm|hmm|oh|ah|right|thanks|thank|hello"
    r"|hi)\b",
    re.I,
)
_HANGS = regex(
    r".*(?:\s|^)(?:the|an?|of|and|or|but|to|in|on|at|by|for|with|from|as|is|are|was|were|be|that|which|who|if"
    r"|because|their|its|his|her|my|your|our|uh|um|i|we|they|he|she|it's|that's|isn't|don't|-|–|—|&)",
    re.I,
)
_STOP_INSIDE = regex(r"(\w+)([.!?])[\"”')]*\s+[\"“(]*[A-ZÀ-Þ]")
# The full stop of Chinese and Japanese within a line; "1．はじめに" is a number.
_WIDE_STOP_INSIDE = regex(r"(?<!\d)[。．！？](?=[^\s」』）])")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr st no nos vs fig figs eq eqs al cf jr sr inc co ltd prof gen ch sec vol etc".split()  # noqa: SIM905
)
_VERB = regex(r"\s(?:will|would|was|were|should|must)\s", re.I)
_CLAUSE = regex(
    r"(?:the|an?|each|every|all|no) .*\s(?:is|are|has|have|can|does|do|may)(?:n't)?\s|(?:if|unless) .*, ",
    re.I,
)
_OPEN_END = regex(r"[.,;:!…][\"'”’)\]]*$")
_WORD = regex(r"[^\W\d_]{4,}")
# Of four letters and more, which titles leave small.
_SMALL_WORDS = frozenset(["from", "with", "into", "upon", "over", "onto", "unto", "than"])
_FEW_WORDS = 8
_FEW_VERB_WORDS = 4
_PROSE_WORDS = 13
_LONG_WORDS = 20
_LONG_CHAIN = 4
# Characters.
_LEAST_SET_OFF, _LEAST_CENTRED, _MOST_OFF_CENTRE, _MOST_OFF_OF_LONG = 2, 8, 6, 2
_MIN_TITLES = 3
_MIN_SPACED = 2
_MIN_RUNS = 2
_MIN_ASKED = 0.1
_MIN_SPACED_BELOW = 30
_MANY = 5
_MAX_FRONT = 6
_MAX_TIMES = 2
_MIN_BELOW = 18
_MAX_SHARE = 0.45
_MIN_ENDED = 0.86
_MAX_SHORT = 0.15
_MAX_SHORT_ENDED = 0.3


def in_title_case(text: str) -> bool:
    """Whether all words of a line but the small ones begin with a capital."""
    words = [word for word in _WORD.findall(text) if word not in _SMALL_WORDS]
    return bool(words) and all(word[0].isupper() for word in words) and not text.endswith((".", "”", '"'))


def is_common(text: str) -> bool:
    """Whether sections are called so everywhere: "Introduction", "Related work"."""
    return bool(_COMMON.fullmatch(text.strip()))


def may_be_title(group: LineGroup) -> bool:
    """Whether the form of a group allows it to be a title: short, of one phrase, without a full stop."""
    text = group.text
    if len(text) > MAX_CHARACTERS or len(group.lines) > _MAX_LINES:
        return False
    words = text.split()
    if len(words) > MAX_WORDS or not _begins_well(words[0]) or not any(map(str.isalpha, text)):
        return False
    if LIST_MARK.match(text) or _UNFIT.search(text) or GRAMMAR.search(text) or is_clause(text):
        return False
    if _OPEN_END.search(text) and not (words[-1].endswith(".") and _is_abbreviation(words[-1][:-1])):
        return False
    if _WIDE_STOP_INSIDE.search(text):
        return False
    if any(stop[2] != "." or not _is_abbreviation(stop[1]) for stop in _STOP_INSIDE.finditer(text)):
        return False
    if is_left_hanging(text):
        return False
    if 2 * sum(any(map(str.isdigit, word)) for word in words) > len(words) > 1:
        return False
    return len(group.lines) == 1 or is_broken_line(group.lines)


def is_left_hanging(text: str) -> bool:
    """Whether a line ends in a small word, so that what it says goes on below."""
    words = text.split()
    # "Appendix A", "Phase I": letters and numbers, no small words.
    return len(words) > 1 and words[-1] not in ("A", "I") and bool(_HANGS.fullmatch(text))


def is_clause(text: str) -> bool:
    """Whether a line says something, with or without a full stop, rather than naming it."""
    if _SPEAKS.match(text):
        return True
    if text.count(" ") < _FEW_VERB_WORDS or text.endswith("?"):
        return False
    return bool(_VERB.search(text) or _CLAUSE.match(text))


def _begins_well(word: str) -> bool:
    """Whether a word is one that a title begins with: no small one, unless it is a name such as eBay."""
    return not word.islower() and not word.startswith(("...", "…"))


def _is_abbreviation(word: str) -> bool:
    return len(word) < 2 or word.lower() in _ABBREVIATIONS or word.isdigit()


def is_broken_line(lines: Sequence[str]) -> bool:
    """Whether lines are one that was too long: no word of the next would have fitted."""
    width = max(map(len, lines))
    return width >= 50 and all(
        len(line) + 1 + len(following.split(maxsplit=1)[0]) > width
        for line, following in itertools.pairwise(lines)
    )


def find_titles(
    groups: Sequence[LineGroup], headings: Mapping[int, int], examples: Set[int], *, divided: bool = False
) -> list[int]:
    """The groups that are titles.

    Args:
        groups: All groups of lines.
        headings: The last group of each heading that was recognised otherwise, by its first.
        examples: The groups that are set off from the text and can be no titles.
        divided: Whether the text has chapters, among which nothing else is a title.
    """
    if divided:
        return []
    taken = {index for first, last in headings.items() for index in range(first, last + 1)}
    unfit = taken | examples
    may_be = [index not in unfit and may_be_title(group) for index, group in enumerate(groups)]
    runs = _runs(groups, may_be)
    front = _count_front(groups)
    sure = [run for run in runs if _is_certain(groups, taken, run, front)]
    asked = sum(1 for run in sure if groups[run[-1]].text.endswith("?"))
    if asked < max(_MIN_TITLES, _MIN_ASKED * len(groups)):
        sure = [run for run in sure if not groups[run[-1]].text.endswith("?")]
    if sum(1 for run in sure if run.start) + len(headings) < _MIN_RUNS:
        sure = [run for run in sure if all(is_common(groups[index].text) for index in run)]
    certain = _without_names(groups, [index for run in sure for index in run])
    spaced = _spaced(groups, taken, certain)
    if sum(1 for index in spaced if index) >= _MIN_SPACED:
        return spaced
    if not _divide(groups, taken, certain, others=len(headings)):
        return []
    more = [index for run in runs if _is_likely(groups, taken, run) for index in run]
    return _without_names(groups, sorted({*certain, *more}))


def find_set_off(groups: Sequence[LineGroup]) -> set[int]:
    """The lines that an indent sets off from the paragraphs above and below, as it does examples.

    A line in the middle between the margins is none of them.
    """
    paragraphs = [
        index
        for index, group in enumerate(groups)
        if group.num_words >= _PROSE_WORDS and SENTENCE_END.search(group.text)
    ]
    found: set[int] = set()
    for above, below in itertools.pairwise(paragraphs):
        margin = max(indent(groups[above].lines[0]), indent(groups[below].lines[0]))
        width = max(map(len, groups[above].lines))
        for index in range(above + 1, below):
            left = min(map(indent, groups[index].lines))
            right = width - max(map(len, groups[index].lines))
            off = abs(left - margin - right)
            # A long line has little room beside it.
            centred = off <= (_MOST_OFF_CENTRE if left - margin >= _LEAST_CENTRED else _MOST_OFF_OF_LONG)
            if left - margin >= _LEAST_SET_OFF and not centred:
                found.add(index)
    return found


def _runs(groups: Sequence[LineGroup], may_be: Sequence[bool]) -> list[range]:
    """Titles below one another, at most three, that paragraphs follow."""
    runs: list[range] = []
    index = 0
    while index < len(groups):
        end = index
        while end < len(groups) and may_be[end]:
            end += 1
        if index < end < len(groups):
            if end - index < _LONG_CHAIN:
                runs.append(range(index, end))
            elif is_common(groups[end - 1].text):
                runs.append(range(end - 1, end))
        index = end + 1
    return runs


def _count_front(groups: Sequence[LineGroup]) -> int:
    """How many groups a text opens with that are no paragraphs: its title, who wrote it, a date."""
    for index, group in enumerate(groups[:_MAX_FRONT]):
        if group.num_words > _LONG_WORDS or SENTENCE_END.search(group.text):
            return index
    return min(_MAX_FRONT, len(groups))


def _is_certain(groups: Sequence[LineGroup], taken: set[int], run: range, front: int) -> bool:
    """Whether titles stand after a finished paragraph and before one that begins."""
    below, above = run.stop, run.start - 1
    begins = below in taken or LIST_MARK.match(groups[below].text) or not groups[below].text[0].islower()
    if not begins:
        return False
    if above < front or above in taken:
        return True
    if LIST_MARK.match(groups[above].lines[0].lstrip()):
        return True
    return bool(SENTENCE_END.search(groups[above].text)) and not groups[above].text.endswith(":")


def _is_likely(groups: Sequence[LineGroup], taken: set[int], run: range) -> bool:
    """Whether titles are ones where others are: above a paragraph or another heading."""
    below = run.stop
    # Below the title of an answer a date may stand.
    if below + 1 < len(groups) and _DATED.fullmatch(groups[below].text):
        below += 1
    if below in taken:
        return True
    text = groups[below].text
    return (
        groups[below].num_words >= _PROSE_WORDS and bool(SENTENCE_END.search(text)) and not text[0].islower()
    )


def _without_names(groups: Sequence[LineGroup], candidates: Sequence[int]) -> list[int]:
    """Without lines that return as the names of speakers do, again and again or all of them."""
    times = Counter(groups[index].text for index in candidates)
    if not times:
        return []
    if max(times.values()) <= _MAX_TIMES and (len(times) >= _MANY or len(times) == len(candidates)):
        return list(candidates)
    if 3 * len(times) > 2 * len(candidates) and max(times.values()) <= len(times) // 2:
        return list(candidates)
    return [index for index in candidates if times[groups[index].text] == 1]


def _spaced(groups: Sequence[LineGroup], taken: set[int], candidates: Sequence[int]) -> list[int]:
    """Candidates in title case with more space above than paragraphs have, and a paragraph below."""
    usual = Counter(group.blank_before for group in groups[1:]).most_common(1)
    below = _words_below(groups, taken, candidates)
    return [
        index
        for index in candidates
        if usual
        and in_title_case(groups[index].text)
        and len(groups[index].text.split()) <= _FEW_WORDS
        and below[index] >= _MIN_SPACED_BELOW
        and (index == 0 or groups[index].blank_before > usual[0][0])
    ]


def _divide(groups: Sequence[LineGroup], taken: set[int], candidates: Sequence[int], *, others: int) -> bool:
    """Whether candidates divide a text: several of them, in one whose paragraphs end and are longer."""
    inner = [index for index in candidates if index]
    if not inner or _is_talk(groups, set(candidates)):
        return False
    if len(inner) + others < _MIN_TITLES and not all(is_common(groups[index].text) for index in inner):
        return False
    filled = [words for words in _words_below(groups, taken, candidates).values() if words]
    if len(inner) > _MAX_SHARE * len(groups) or not filled:
        return False
    import statistics

    return statistics.median(filled) >= _MIN_BELOW


def _words_below(groups: Sequence[LineGroup], taken: set[int], candidates: Sequence[int]) -> dict[int, int]:
    """The words between each candidate and the next heading or candidate."""
    stops = taken | set(candidates)
    below = dict.fromkeys(candidates, 0)
    current = None
    for index, group in enumerate(groups):
        if index in stops:
            current = index if index in below else None
        elif current is not None:
            below[current] += group.num_words
    return below


def _is_talk(groups: Sequence[LineGroup], titles: set[int]) -> bool:
    """Whether paragraphs end anywhere, as in talk, so that a line without a full stop says nothing."""
    paragraphs = [
        group for index, group in enumerate(groups) if index not in titles and not LIST_MARK.match(group.text)
    ]
    long = [group for group in paragraphs if group.num_words > _LONG_WORDS]
    ended = sum(1 for group in long if SENTENCE_END.search(group.text))
    short = sum(
        1 for group in paragraphs if group.num_words <= _FEW_WORDS and SENTENCE_END.search(group.text)
    )
    return short > (_MAX_SHORT if ended < _MIN_ENDED * len(long) else _MAX_SHORT_ENDED) * len(paragraphs)
