"""The separate opinions of a decision: whose each is, and what it comes to.

Beside the opinion of the court a decision prints dissents and concurrences. A summary tells the claim of each
that does not join the court's reasons (a dissent, a concurrence in the judgment) in a sentence under its
judge's name.
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.documents import Section, SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.sentences.similarity import Similarity
from lsum_cli.reading.opinions import voice_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# What is wrong with the decision.
_FAULT = regex(
    r"^(?:today['’]s|(?:today,? )?the) (?:court|majority|plurality|decision|opinion|holding"
    # Where the Court itself finds fault with others, that is not what the dissent says.
    r"|result)(?:['’]s)?\b(?:(?!\b(?:adds?|says?|holds?|held|concludes?|finds?|found|believes?|argues?"
    r"|thinks?|reasons?|states?|suggests?|faults?)\b).){0,80}\b(?:err(?:s|ed)?|wrong(?:ly)?|mistak\w+"
    r"|incorrect\w*|fails?|ignores?|misread\w*|misunderst\w+|disregards?|unwarranted|upsets?|abandons?"
    r"|departs?|flawed|unpersuasive|untenable)\b",
    re.IGNORECASE,
)
# What is left unsaid is seldom what a dissent comes to; nor does it say what "that result" is.
_OMISSION = regex(
    r"\b(?:also|fails? to (?:mention|cite|note|discuss)|(?:this|that) (?:result|reason))\b", re.IGNORECASE
)
# Where a word points at what is not shown; "I would hold that evidence is …" points at nothing.
_CLAUSE = regex(
    r"\b(?:(?:hold|conclude|believe|think|agree|say|find|decide|mean|show|doubt|explain|assume|suggest|argue)"
    r"(?:s|ed|ing)?|held|found|meant|view|ground|fact|clear|persuaded|convinced|conclusion|proposition|so|and"
    r"|or|but|to me),? that\b",
    re.IGNORECASE,
)
_POINTS = regex(
    r"\bthat (?!(?:the|an?|this|these|it|they|is|are|was|were|would|did|does|has|have|had|can|could|may|will"
    r"|no|not|any|some|all|such|each|every|in|of|on|at|by|for|under|courts?|state|federal)\b)"
    r"(?:[a-z-]+ )?[a-z]+[^\Ws](?:[,;.]| (?:is|was|has|had|would|does|of|in|for|and|or|to)\b)"
    r"|\b(?:th(?:is|ese|ose)|such) "
    r"(?!(?:case|[Cc]ourt|[Aa]ct|statute|appeal|litigation|reasons|one|who|that|as|an?)\b)[A-Za-z]+"
    r"|\bthat is the\b|\bto the contrary\b|\bit (?:was|is|does|did)(?: not)?[,.;]"
    r"|\b(?:rule|facts|standard) I\b|\bmy (?:\w+ )?(?:dissent|concurr)|\bconcurring opinion\b"
    r"|\b(?:stated|described|set out|set forth|given) (?:above|in)\b"
)
# How a separate opinion says what it comes to, most clearly first.
_DISSENT = r"\bI (?:must |therefore )?(?:respectfully )?(?:dissent|concur)\b"
_WOULD = (
    r"\bI would (?:\w+ )?(?:hold|affirm|reverse|vacate|conclude|reject|deny|dismiss|resolve|decide"
    r"|allow|grant)\b"
)
_THESES = (
    # With its reason; an outcome alone says less.
    (1.0, regex(rf"^(?:because|since|as)\b.*(?:{_DISSENT}|{_WOULD})|{_DISSENT}.{{0,60}}\bbecause\b", re.I)),
    (0.8, regex(r"\bI would (?:\w+ )?(?:hold|conclude|reject|resolve|decide)\b", re.I)),
    (
        0.6,
        regex(rf"\bin my view\b|\bI (?:believe|cannot (?:agree|join)|disagree)\b|{_DISSENT}|{_WOULD}", re.I),
    ),
    (0.4, _FAULT),
    # "The Court today arms the police with …", but not "The Court today holds that …".
    (
        0.3,
        regex(
            r"^(?:Today,? the (?:Court|majority)"
            r"|The (?:Court|majority) (?:today|now|nonetheless|nevertheless))"
            r" (?!(?:\w+ly )?(?:holds?|concludes?|decides?|rules|finds|says|affirms|reverses|addresses"
            r"|considers|is (?:asked|faced))\b)[a-z]+s\b"
        ),
    ),
    (0.2, regex(r"^(?:in (?:sum|short)\b|nothing in the\b)", re.I)),
)
# What says nothing but the outcome, and what a judge who joins the reasons wants to be understood.
_OUTCOME = regex(
    r"^(?!.*\b(?:because|since|ground|unless|until|without|that (?!(?:the )?(?:court|majority)’s))\b)"
    rf".{{0,60}}(?:{_WOULD}|{_DISSENT}|\bthe (?:court|majority)’s (?:decision|judgment|result) is\b)",
    re.I,
)
_ADDS = regex(
    r"\bI (?:therefore )?(?:write|add|concur|join)\b.{0,60}\bto (?:emphasi[sz]e|note|stress|point out"
    r"|make (?:it )?clear|explain|underscore|clarify|observe|express)\b.*"
    r"\bthat (?:the|an?|it|I|we|no|nothing|(?-i:[A-Z§]))(?![a-z])",
    re.I,
)
# What one who agrees with the outcome says of the reasons.
_OTHER_GROUND = regex(
    r"\bI (?:\w+ )?(?:differ|would|concur (?:only )?(?:in|because)|do not|base|rest|reach"
    r"|write (?:separately )?because)\b"
    r"|\bI agree\b.*\b(?:but|because|only|although|though)\b",
    re.IGNORECASE,
)
# What the outcome alone is worth of what tells more, and what a judge adds.
_ALONE, _ADDED = 0.1, 0.5
_LEAST_OF_A_THESIS, _LEAST_OF_A_FAULT = 12, 7  # words
# It refers to other opinions by page, says what is conceded or added, or stands in a note.
_NO_THESIS = regex(
    r"\b(?:ante|post|infra|supra), "
    r"|^(?:although )?I "
    r"(?:agree(?!.*\b(?:but|because|only|although|though)\b)|concede|join|write separately)\b"
    r"|^\*",
    re.IGNORECASE,
)
# It only says who joins whom, unless it goes on with what its judge would hold, what is wrong, or why.
_JOINS = regex(
    r"(?<!cannot )(?<!not )(?<!to )\bjoins?,? (?:in )?(?:(?:all but )?parts?\b|dissenting\b"
    r"|(?:the )?(?:chief )?(?:justice|judge)\b"
    r"|(?:his|her|their|the|this|that) (?:\w+ )?(?:opinion|dissent)\b)"
    r"|\bwhich I join\b",
    re.IGNORECASE,
)
_HOLDS_ITSELF = regex(
    rf"{_WOULD}|\bin my view\b|\b(?:wrong|cannot)\b"
    r"|\b(?:because|believe)(?! (?:that )?(?:I (?:\w+ )?agree|(?:the )?(?:chief )?(?:justice|judge)\b))\b",
    re.IGNORECASE,
)
# What a judge adds who joins the reasons too is no claim of its own.
_IN_THE_JUDGMENT = regex(
    r"\bconcurring\b.*\bin (?:the )?(?:judgments?|results?)\b|\bspecially\b", re.IGNORECASE
)
_CONCURS = regex(r"\bconcur", re.IGNORECASE)
# A claim stands where an opinion begins or ends: within so many of its sentences, or such a share of them.
_NEAR_AN_END, _SHARE_OF_AN_END, _WITHIN = 4, 0.1, 0.7
# What a claim scores that refers to what is not shown, or names what is left unsaid.
_DANGLING = 0.3
# How much a clear claim counts, in standard deviations of the values, and that it is of what was held.
_CLAIM, _OF_WHAT_WAS_HELD = 2.0, 3.0
# What they come to has lines of its own in summaries of so many words, and a single one of more words where
# a number of words is to be filled.
_SHORTEST_WITH_CLAIM, _SHORTEST_FILLED_WITH_CLAIM, _MOST_CLAIMS = 100, 300, 4
_LONGEST_CLAIM, _MOST_OF_A_CLAIM, _MOST_OF_CLAIMS = 45, 0.3, 0.4  # words; of those of the summary
# What only some of the judges say: "Opinion of KENNEDY, J.", "… announced the judgment".
_OF_A_PLURALITY = regex(
    r"(?:plurality )?opinion (?:of|by) (?!the court)"
    r"|(?!.*delivered (?:the|an) opinion).*\bannounced the judgment\b",
    re.IGNORECASE,
)


def only_joins(text: str) -> bool:
    """Whether a sentence says who joins whom, and nothing of its own."""
    return _JOINS.search(text) is not None and _HOLDS_ITSELF.search(text) is None


def theses(candidates: Candidates, can_be_shown: BoolArray) -> FloatArray:
    """How clearly each sentence states what a dissent or a concurrence in the judgment comes to; else 0."""
    clarity = np.zeros(len(candidates))
    has_claim: dict[int, bool] = {}
    numbers: IntArray | None = None
    for position, section in enumerate(candidates.sections):
        if section.role not in (SectionRole.DISSENT, SectionRole.CONCURRENCE) or not can_be_shown[position]:
            continue
        if numbers is None:
            numbers = opinions(candidates)
        number = int(numbers[position])
        if number not in has_claim:
            has_claim[number] = section.role is SectionRole.DISSENT or concurs_in_the_judgment(
                candidates, position
            )
        text = candidates.sentences[position].text
        least = _LEAST_OF_A_FAULT if _FAULT.search(text) else _LEAST_OF_A_THESIS
        if only_joins(text):
            continue
        if has_claim[number] and candidates.num_words[position] >= least and not _NO_THESIS.search(text):
            share = max(share * bool(form.search(text)) for share, form in _THESES)
            if section.role is SectionRole.CONCURRENCE and _OTHER_GROUND.search(text):
                share = max(share, 0.9)
            is_open = _OMISSION.search(text) or _POINTS.search(_CLAUSE.sub("", text))
            share *= _ALONE if _OUTCOME.search(text) else 1.0
            clarity[position] = share * (_DANGLING if is_open else 1.0)
        elif section.role is SectionRole.CONCURRENCE and _ADDS.search(text):
            clarity[position] = _ADDED * (_DANGLING if _POINTS.search(_CLAUSE.sub("", text)) else 1.0)
    if numbers is None or not clarity.any():
        return clarity
    size = np.bincount(numbers)[numbers]
    place = np.arange(len(candidates)) - np.searchsorted(numbers, numbers)
    from_end = np.minimum(place, size - 1 - place)
    clarity[from_end >= np.maximum(_NEAR_AN_END, _SHARE_OF_AN_END * size)] *= _WITHIN
    return clarity


def claims(
    candidates: Candidates,
    clarity: FloatArray,
    values: FloatArray,
    can_be: BoolArray,
    held: IntArray,
    *,
    lengths: IntArray,
    num_words: int,
    is_read: bool,
) -> list[int]:
    """The sentence of each separate opinion that states best what it comes to, the weightiest opinion first.

    As many as a summary has words for; a short one has none.

    Of a plurality the concurrence that makes up the majority comes first, otherwise the longest dissent.

    Args:
        candidates: The sentences.
        clarity: See :func:`theses`.
        values: The score of each.
        can_be: Which may be quoted.
        held: The sentences that tell what the court held.
        lengths: The words of each.
        num_words: Those of the summary.
        is_read: Whether a reader's preferences count in full; otherwise a number of words is to be filled.
    """
    can_be = can_be & (clarity > 0) & (lengths <= min(_LONGEST_CLAIM, num_words * _MOST_OF_A_CLAIM))
    if num_words < (_SHORTEST_WITH_CLAIM if is_read else _SHORTEST_FILLED_WITH_CLAIM) or not can_be.any():
        return []
    numbers = opinions(candidates)
    words = np.bincount(numbers, weights=candidates.num_words)
    gain = values + _CLAIM * clarity
    if len(held):
        similarity = Similarity(candidates.terms)
        gain += _OF_WHAT_WAS_HELD * np.max([similarity.to(row) for row in held.tolist()], axis=0)
    gain = np.where(can_be, gain, -np.inf)
    best: dict[int, int] = {}
    for position in np.flatnonzero(can_be).tolist():
        number = int(numbers[position])
        if number not in best or gain[position] > gain[best[number]]:
            best[number] = position
    dissenting = [n for n, row in best.items() if candidates.sections[row].role is SectionRole.DISSENT]
    concurring = [n for n in best if n not in dissenting]
    dissenting.sort(key=lambda number: -words[number])
    concurring.sort(key=lambda number: -words[number])
    is_plurality = any(is_of_a_plurality(section) for section in candidates.sections)
    ordered = concurring + dissenting if is_plurality else dissenting + concurring
    found = [best[number] for number in ordered][: _MOST_CLAIMS if is_read else 1]
    words_told = np.cumsum([lengths[position] for position in found])
    return [
        position
        for number, position in enumerate(found)
        if not number or words_told[number] <= num_words * _MOST_OF_CLAIMS
    ]


def is_of_a_plurality(section: Section) -> bool:
    """Whether a section of the opinion that announces the judgment speaks for some of the judges alone."""
    return section.role is SectionRole.OPINION and _OF_A_PLURALITY.match(section.heading or "") is not None


def concurs_in_the_judgment(candidates: Candidates, position: int) -> bool:
    """Whether the opinion that a sentence belongs to agrees with the court's judgment, not its reasons."""
    return _IN_THE_JUDGMENT.search(_announced(candidates, position)) is not None


def opinions(candidates: Candidates) -> IntArray:
    """The number of the judge's opinion that each sentence is in; a heading that names a judge begins one."""
    numbers = np.zeros(len(candidates), np.int64)
    number, seen, said = 0, None, ""
    for position, section in enumerate(candidates.sections):
        if section is not seen:
            seen = section
            if section.heading is not None and voice_of(section.heading) is not None:
                # The parts of an opinion repeat whose it is.
                speaker = section.heading.split(" / ")[0]
                number += speaker != said
                said = speaker
        numbers[position] = number
    return numbers


def label_of(candidates: Candidates, position: int) -> str | None:
    """Whose words a sentence of a decision is, where it is not the court's: "Dissent (STEVENS, J.)"."""
    section = candidates.sections[position]
    is_separate = section.role in (SectionRole.DISSENT, SectionRole.CONCURRENCE)
    if not is_separate and not is_of_a_plurality(section):
        return None
    announced = _announced(candidates, position)
    kind = section.role.capitalize() if is_separate else "Plurality"
    if section.role is SectionRole.CONCURRENCE:
        if concurs_in_the_judgment(candidates, position):
            kind += " in the judgment"
        elif not _CONCURS.search(announced):
            kind = "Opinion"
    name = _judge_of(announced)
    return f"{kind} ({name})" if name else kind


def _announced(candidates: Candidates, position: int) -> str:
    """The heading that announces the opinion a sentence belongs to; empty if none does."""
    seen = None
    for before in range(position, -1, -1):
        section = candidates.sections[before]
        if section is seen:
            continue
        seen = section
        if section.heading and voice_of(section.heading) is not None:
            return section.heading.split(" / ")[0]
    return ""


def _judge_of(heading: str) -> str | None:
    """The judge whom a heading names."""
    name = re.split(r",? \(?(?:with whom|joined by|concurring|dissenting|giving|delivering)\b", heading)[0]
    name = re.sub(r"^(?:separate )?opinion (?:of|by) ", "", name, flags=re.IGNORECASE)
    name = re.sub(r",? (?:announced|delivered) the judgment\b.*", "", name, flags=re.IGNORECASE)
    name = name.strip(" ,.:")
    # "STEVENS, J." keeps the stop that ends the abbreviation.
    return f"{name}." if re.search(r"\bJ$", name) else name or None
