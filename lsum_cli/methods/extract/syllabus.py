"""What a summary quotes of a decision with a syllabus: the case as the court's reporter tells it.

A syllabus is a summary by the court's own reporter: what happened, how the courts below ruled, what was held
(numbered where it is more than one thing), each with reasons. A summary reads as a lawyer's brief of it does:
who asks for what, how it was ruled below, what was held and why, what becomes of the judgment. Of the facts
those are quoted that the holding answers, each with what it goes on from and what introduces its terms.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.sentences.gist import held_first
from lsum_cli.methods.extract.sentences.precedents import CASE, IN_MANY_NAMES
from lsum_cli.methods.extract.sentences.presentability import LONGEST
from lsum_cli.methods.extract.sentences.similarity import Similarity
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

_HELD = regex(r"held ?[:.]|\(?1\.? [A-Z]", re.IGNORECASE)
_HELD_WITHIN = regex(r"\bHeld: ")
_NUMBERED = regex(r"(?:held ?: ?)?\(?\d\. [A-Z]", re.IGNORECASE)
# What a part of the judges concluded, where the syllabus only says what the judgment is.
_CONCLUDED = regex(r"(?:the chief )?justice \w+,? .{0,250}?\bconclud(?:ed|ing)\b", re.IGNORECASE)
# What becomes of the judgment under review.
_DISPOSED = regex(
    r"\b(?:affirm|revers|vacat|remand|dismiss|(?:dis)?agree|den(?:y|ied)|grant|upheld|set aside)",
    re.IGNORECASE,
)
# What a court does with another's ruling, and what a court decides first. So many rulings are looked at.
_REVIEWS = regex(
    r"\b(?:affirm|revers|vacat|(?:dis)?agree|uph(?:e|o)ld|remand|overturn|set aside|reinstat)\w*\b",
    re.IGNORECASE,
)
_DECIDES = regex(
    r"\b(?:denied|granted|dismissed|rejected|convicted|sentenced|enjoined|awarded|ruled|found|held|concluded|refused"
    r"|declined|certified|ordered|entered|determined|declared|sustained|allowed|disallowed|suppressed|approved)\b",
    re.IGNORECASE,
)
_RULINGS_BELOW = 3
_POINTS = regex(r"\b(?:that|this|these|those|such) [a-z]+[.,;]")
# What was claimed, and of whom.
_CLAIMED = regex(
    r"\b(?:sued|alleg(?:e[sd]?|ing)|claim(?:ed|ing)|contend(?:ed|ing)|assert(?:ed|ing)|argu(?:ed|ing)|charged"
    r"|convicted|indicted|pleaded|petitioned|sought|challeng(?:ed|ing)|moved (?:to|for)|appealed|disputed"
    r"|(?:filed|brought) (?:\S+ ){0,6}?(?:suits?|actions?|petitions?|complaints?|claims?|charges?"
    r"|motions?))\b",
    re.IGNORECASE,
)
# What brings a case about, unlike what is asked for on the way.
BEGINS_CASE = regex(
    r"\b(?:sued|(?:filed|brought|commenced) (?:\S+ ){0,6}?(?:suits?|(?:class |civil )?actions?|complaints?"
    r"|claims?|charges?)|alleg(?:e[sd]?|ing)|charged|convicted|indicted|pleaded guilty"
    r"|(?:sought|applied for|denied) (?:\w+ ){0,3}(?:asylum|benefits|relief|habeas|damages|patents?|permits?"
    r"|licen[sc]es?)"
    r"|challeng(?:ed|ing)|fired|terminated|discharged|arrested|seized|killed|injured)\b",
    re.IGNORECASE,
)
# What the law is, which is no beginning of a story.
_LAW = regex(
    r"(?:under|title|section|§|article|in (?:the )?[A-Z][^,]* v\. "
    r"|[^,;]*\b(?:act|amendment|clause|code|rule|statute|law|constitution|provision)\b)[^;]*\b"
    r"(?:provides?|prohibits?|requires?|permits?|allows?|authorizes?|makes it|is designed|directs?|forbids?"
    r"|imposes?|governs?|bars?|entitles?|defines?|lets?|gives?|creates?|held|established?)\b",
    re.IGNORECASE,
)
PARTY = regex(
    r"\b(?:petitioner|respondent|plaintiff|defendant|appell(?:ant|ee)|claimant|applicant)s?\b", re.IGNORECASE
)
# What is left open, what parties say, and what other cases held.
_BESIDE = regex(
    r"\bneed not (?:\w+ )?(?:be|reach|decide|address|resolve|consider|determine)\b|\bno need to\b"
    r"|\b(?:court|we|opinion) do(?:es)? not (?:\w+ )?(?:reach|decide|resolve|address|question|deny)\b"
    r"|\bexpress(?:es)? no\b|\bdeclines? to (?:decide|reach)\b|\bleave (?:the|that|this|for|open)\b"
    r"|\bremains? open\b|\bopen (?:for consideration )?on remand\b|\bripe for\b|\bnever reached\b"
    r"|\b(?:unnecessary|sufficient) to (?:\w+ )?(?:reach|decide|address|resolve|consider|determine)\b"
    r"|\bwill not do so\b|\b(?:starts|begins) with\b|\bturns to\b"
    r"|\b(?:two|three|four|several|various|other|remaining|additional|further)(?: [\w,]+){0,3}?"
    r" (?:counter-?)?(?:arguments|reasons|considerations|points|factors|grounds)\b(?!.*\bthat\b)"
    r"|\b(?:forfeited|waived)\b|\bin the first instance\b|\bhas found no\b"
    r"|^(?:[\w’']+ ){0,3}(?:counter-?)?arguments? (?:\w+ )?(?:do(?:es)?|is|are|fails?|cannot|lacks?)\b"
    r"|\b(?:contend|argue|urge|assert|insist|maintain|contest|dispute)s?\b|^even assuming\b"
    r"|(?<!’ )(?<!’s )\bclaims? that\b"
    r"|\b(?:this|the) court (?:\w+ )?(?:held|declined|observed|noted|explained|stated|said|recognized)\b"
    r"|^in (?:the \d{4} )?[A-Z]\w+(?: v\. [A-Z][\w.]+)?,",
    re.IGNORECASE,
)
_CITES = regex(
    r"\b\d+ (?:U\. ?S\.|S\. ?Ct\.|F\. ?[23]d)|\b(?:supra|id\.|ibid)|\b\w+ v\. [A-Z]", re.IGNORECASE
)
# How facts introduce what they name: "petitioner Skinner", "Brown & Bryant, Inc. (B&B), a distributor",
# "asbestos actions (Direct Actions)", "Texas enacted Article 64, which …".
_CAPITALS = r"[A-Z][\w&’'-]*(?: (?:[A-Z][\w&’'-]*|\d+)){0,12}"
_OF_A_ROLE = regex(
    r"\b(?:[Pp]etitioner|[Rr]espondent|[Pp]laintiff|[Dd]efendant|[Oo]fficer|[Dd]etective|[Cc]ounsel"
    rf"|[Aa]gent|[Dd]octor|[Pp]rincipal|[Ss]heriff|[Jj]udge)s? (?P<name>{_CAPITALS})"
)
_NAMED = (
    _OF_A_ROLE,
    regex(rf"\((?:hereinafter |collectively,? |the |together,? )*[“\"]?(?P<name>{_CAPITALS})[”\"]?\)"),
    regex(rf"\b(?P<name>{_CAPITALS})(?: \([^()]*\))?, (?:an?|the|which|who|whose)\b"),
    regex(rf"\b(?:known as|called|entitled) (?:the )?[“\"]?(?P<name>{_CAPITALS})"),
)
# The last line of a syllabus: "523 Fed. Appx. 709, reversed and remanded."
_REPORTED = regex(r"\d+ [A-Z][\w.’' ]{1,30} \d+,")
_QUOTES = regex('[“"]')
# What opens a lettered part of what was held.
_OPENS_PART = regex(r"\((?:[a-z]|\d|[ivx]+)\) [A-Z“]")
# So many characters of a sentence show whether it tells the law; no syllabus has more facts, or reasons.
_LONGEST_LAW, _MOST_SENTENCES = 1000, 300
# What opens a story stands among its first sentences.
_STARTS = 5
# One thing quoted may have so many words of the summary's, with what it goes on from, or so many words.
_MOST_OF_A_FACT, _LONGEST_FACT = 0.45, 30
# The sentence that tells who asks whom for what may have so many.
_LONGEST_CLAIM = 90
# What shares of the words the facts may have before reasons are quoted, and what was held.
_MOST_OF_FACTS, _MOST_OF_ANSWERS = 0.55, 0.5
# How many sentences after what was held say why.
_REASONS = 4
# What counts for a fact or reason, in standard deviations: that it is of what was held; for a fact that it
# goes on from one that is quoted, or leads to one; for a reason that it is worded as one, opens a part,
# cites a case, and says what another reason says.
_TO_THE_POINT, _GOES_ON = 3.0, 0.3
_REASON, _PART, _CITED, _AGAIN = 1.5, 0.4, 0.5, 2.0
# Words alike so much say the same.
_SAME = 0.55
# Where what was held is too long, or torn, one of so many sentences may say it.
_WITHIN = 2
# A judgment as clear as this, in no more words.
_CLEAR, _LONGEST_JUDGMENT = 0.5, 45


class CasePart(enum.StrEnum):
    """What a sentence of a decision is labelled with, so that it is not taken for the court below's."""

    HELD = "Held"
    JUDGMENT = "Judgment"


def is_syllabus(candidates: Candidates) -> BoolArray:
    """Which sentences stand in a syllabus."""
    return np.array([section.role is SectionRole.SYLLABUS for section in candidates.sections], bool)


def case_of_syllabus(
    candidates: Candidates, structure: Structure, values: FloatArray, num_words: int, is_open: BoolArray
) -> list[int]:
    """The case of a syllabus and the judgment, the most important first; none where there is no syllabus.

    Args:
        candidates: The sentences.
        structure: What is known of them.
        values: The score of each, in standard deviations.
        num_words: The most words that it may have.
        is_open: Which sentences may be quoted.
    """
    if structure.document_kind is not DocumentKind.DECISION:
        return []
    syllabus = np.flatnonzero(is_syllabus(candidates))
    held = _begins_to_hold(candidates, syllabus.tolist())
    told = [
        int(row)
        for row in syllabus
        if (structure.is_presentable[row] or (row < held and _is_long_claim(candidates, int(row))))
        and is_open[row]
        and not _REPORTED.match(candidates.sentences[row].text)
    ]
    facts = [row for row in told if row < held][:_MOST_SENTENCES]
    answers = _answer(candidates, structure, values, syllabus.tolist(), told, held, is_open)
    if not facts or not answers:
        return []
    begun = answers[0] if answers[0] in told else held
    # Where "Held:" is a line of its own, what was held may be a list whose numbers are not part of its text.
    is_listed = held < begun and _opens_entry(candidates, begun)
    answers += [
        row
        for row in told
        if row > begun
        and structure.first_by_opening[row] == row
        and (
            any(form.match(candidates.sentences[row].text) for form in (_CONCLUDED, _NUMBERED))
            or (is_listed and _opens_entry(candidates, row))
        )
    ]
    answers = answers[:_MOST_SENTENCES]
    brief = Brief(candidates, structure, values, num_words, facts, answers)
    brief.take(answers[:1])
    disposes = structure.statements.get(Statement.DISPOSITION)
    if disposes is None or disposes[answers[0]] < _CLEAR:
        brief.take(_judgment(candidates, structure, is_open))
    brief.add_rulings()
    brief.add_parties()
    brief.add_claim()
    brief.introduce(answers[0])
    brief.add_answers()
    reasons = [row for row in told if row > begun and row not in answers][:_MOST_SENTENCES]
    brief.add_reasons(reasons, 1)
    brief.add_facts(_MOST_OF_FACTS)
    brief.add_reasons(reasons, _REASONS - 1)
    brief.add_facts(1.0)
    return brief.chosen


def parts_of_case(candidates: Candidates, structure: Structure) -> Mapping[int, CasePart]:
    """The sentences that say what a syllabus holds, and what becomes of the judgment under review."""
    if structure.document_kind is not DocumentKind.DECISION:
        return {}
    parts = dict.fromkeys(_judgment(candidates, structure, structure.is_presentable), CasePart.JUDGMENT)
    syllabus = np.flatnonzero(is_syllabus(candidates)).tolist()
    first = _first_held(candidates, syllabus, structure.is_presentable)
    if first is not None:
        numbered = [
            row for row in syllabus if row > first and _NUMBERED.match(candidates.sentences[row].text)
        ]
        parts.update(dict.fromkeys((first, *numbered), CasePart.HELD))
    return parts


def _begins_to_hold(candidates: Candidates, syllabus: Sequence[int]) -> int:
    """The first sentence of a syllabus that does not tell the case."""
    for form in (_HELD.match, _HELD_WITHIN.search, _OPENS_PART.match):
        for row in syllabus:
            if form(candidates.sentences[row].text):
                return row
    return len(candidates)


def _answer(
    candidates: Candidates,
    structure: Structure,
    values: FloatArray,
    syllabus: Sequence[int],
    told: Sequence[int],
    held: int,
    is_open: BoolArray,
) -> list[int]:
    """What was held, in one sentence: of the syllabus, or of the opinion where that cannot be quoted."""
    is_told = np.zeros(len(candidates), bool)
    is_told[list(told)] = True
    first = _first_held(candidates, syllabus, is_told)
    if first is not None:
        return [first]
    holds = structure.statements.get(Statement.HOLDING)
    if not len(syllabus) or holds is None:
        return []
    can_be = is_open & structure.is_own & structure.stands_alone
    holding = can_be & (holds >= _CLEAR) & ~is_syllabus(candidates)
    if not holding.any():
        holding = can_be & is_syllabus(candidates) & (np.arange(len(can_be)) > held)
    return [int(np.argmax(np.where(holding, values, -np.inf)))] if holding.any() else []


def _first_held(candidates: Candidates, syllabus: Sequence[int], can_be: BoolArray) -> int | None:
    """What a syllabus says first was held, as far as it can be quoted."""
    first = held_first(candidates, list(syllabus))
    for row in range(first[0], first[0] + _WITHIN) if first else ():
        if row > first[0] and candidates.opens_paragraph[row]:
            break
        if can_be[row] and not _OPENS_PART.match(candidates.sentences[row].text):
            return row
    return None


class Brief:
    """What is quoted of a case, within a number of words."""

    def __init__(
        self,
        candidates: Candidates,
        structure: Structure,
        values: FloatArray,
        num_words: int,
        facts: Sequence[int],
        answers: Sequence[int],
    ) -> None:
        self.chosen: list[int] = []
        self._candidates, self._structure, self._values = candidates, structure, values
        self._num_words = self._room = num_words
        self._facts, self._answers = facts, answers
        self._similarity = Similarity(candidates.terms)
        self._similarities: dict[int, FloatArray] = {}
        self._to_the_point = np.max([self._like(row) for row in answers], axis=0)
        # The first of the facts that makes each thing known, and that introduces each name.
        self._given: dict[str, int] = {}
        self._named: dict[str, int] = {}
        for row in facts:
            for name in structure.mentions.gives[row]:
                self._given.setdefault(name, row)
            for form in _NAMED:
                for found in form.finditer(self._text(row)):
                    name = found["name"].removesuffix("’s")
                    for each in {name, *(name.split() if form is _OF_A_ROLE else ())} - IN_MANY_NAMES:
                        self._named.setdefault(each, row)
            for found in CASE.finditer(self._text(row)):
                for name in set(found.groups()) - IN_MANY_NAMES:
                    self._named.setdefault(name, row)
        # What other cases are called, where no fact says so; not the parties of this one.
        told = " ".join(map(self._text, facts))
        short = is_syllabus(candidates) & (candidates.num_words <= LONGEST)
        self._cases = {
            name
            for row in np.flatnonzero(short).tolist()
            for names in CASE.findall(self._text(row))
            for name in names
            if name not in IN_MANY_NAMES and name not in self._named and not re.search(rf"\b{name}\b", told)
        }

    def take(self, rows: Iterable[int]) -> bool:
        """Tell these sentences if there is room for all of them."""
        new = [row for row in dict.fromkeys(rows) if row not in self.chosen]
        cost = self._words(new)
        if cost > self._room:
            return False
        self.chosen.extend(new)
        self._room -= cost
        return True

    def add_rulings(self) -> None:
        """How the court below ruled, and the one below that, whose ruling it reviewed.

        The last sentence of the court under review that tells its judgment, else what it held; else the same
        of any court. Each is told with what it goes on from.
        """
        rules = self._structure.statements[Statement.RULING]
        ruled = [row for row in reversed(self._facts) if rules[row]]
        for row in sorted(ruled, key=lambda row: (rules[row] < 1, not _DISPOSED.search(self._text(row)))):
            if self.add(row):
                self._add_ruling_below(row, [each for each in ruled if each < row])
                return

    def _add_ruling_below(self, row: int, before: Sequence[int]) -> None:
        """What a ruling affirms or reverses: the nearest one before it."""
        rules = self._structure.statements[Statement.RULING]
        is_told = any(each in self.chosen and rules[each] < 1 for each in before)
        if is_told or _REVIEWS.search(self._text(row)) is None:
            return
        for each in before[:_RULINGS_BELOW]:
            if _DECIDES.search(self._text(each)) is None:
                continue
            # "… had failed to satisfy that requirement" goes on from what says which.
            points = _POINTS.search(self._text(each)) is not None and each - 1 in self._facts
            if self.add(each, with_before=points):
                return

    def add_parties(self) -> None:
        """The first of the facts; where that tells the law, the first that names a party, or sues it."""
        first, *others = self._facts[:_STARTS]
        text = self._text(first)
        is_law = tells_law(text) and PARTY.search(text) is None
        named = [row for row in others if PARTY.search(self._text(row))] if is_law else []
        if is_law and not named:
            brings = (row for row in self._facts if BEGINS_CASE.search(self._text(row)))
            # The law leads to it where there is room.
            self.add(next((row for row in brings if PARTY.search(self._text(row))), first))
        for row in [*named, first, *others]:
            if self.add(row):
                return

    def add_claim(self) -> None:
        """What is claimed: of those facts that tell it the one that is most of what was held."""
        claims = [row for row in self._facts if _CLAIMED.search(self._text(row))]
        begins = {row for row in claims if BEGINS_CASE.search(self._text(row))}
        if begins & set(self.chosen):
            # It is told already.
            begins.clear()
        for row in sorted(claims, key=lambda row: (row not in begins, -float(self._to_the_point[row]))):
            if self.add(row):
                return

    def introduce(self, row: int) -> None:
        """Tell what introduces the things that a sentence takes as known."""
        for other in self._introductions(row):
            self.add(other)

    def add_answers(self) -> None:
        """What else was held."""
        for row in self._answers[1:]:
            told = self._words([each for each in self.chosen if each in self._answers])
            if told + self._words([row]) <= _MOST_OF_ANSWERS * self._num_words:
                self.take([row])

    def add_facts(self, share: float, among: Sequence[int] | None = None, most: int | None = None) -> None:
        """Those facts, or of these, most like what was held, up to a share of the words, or so many."""
        left = [row for row in (self._facts if among is None else among) if row not in self.chosen]
        while left and most != 0:
            told = self._words([row for row in self.chosen if row in self._facts])
            best = max(left, key=self._score_of_fact)
            left.remove(best)
            is_added = self.add(best, int(share * self._num_words) - told)
            most = most if most is None else most - is_added

    def add_reasons(self, reasons: Sequence[int], most: int) -> None:
        """What says best why it was held, so many sentences at most."""
        left = [
            row
            for row in reasons
            if self._structure.first[row] == row
            and self._structure.is_own[row]
            and row not in self.chosen
            and not self._is_beside(row)
        ]
        while left and most:
            alike = np.max([self._like(row) for row in self.chosen if row not in self._facts], axis=0)
            best = max(left, key=lambda row: self._score_of_reason(row, float(alike[row])))
            left.remove(best)
            if alike[best] < _SAME and not self._introductions(best):
                most -= self.take([best])

    def _like(self, row: int) -> FloatArray:
        """How much each sentence is like one that is quoted."""
        if row not in self._similarities:
            self._similarities[row] = self._similarity.to(row)
        return self._similarities[row]

    def _score_of_fact(self, row: int) -> float:
        goes_on = (row - 1 in self.chosen) + (row + 1 in self.chosen)
        return float(self._values[row] + _TO_THE_POINT * self._to_the_point[row] + _GOES_ON * goes_on)

    def _score_of_reason(self, row: int, alike: float) -> float:
        text = self._text(row)
        score = self._values[row] + _REASON * self._structure.statements[Statement.REASON][row]
        score += _TO_THE_POINT * self._to_the_point[row] - _AGAIN * alike
        score += _PART * (_OPENS_PART.match(text) is not None)
        score -= _CITED * (_CITES.search(text) is not None)
        return float(score)

    def _is_beside(self, row: int) -> bool:
        """Whether a sentence stands beside the point, or calls a case by a name that is not introduced."""
        text = self._text(row)[int(self._structure.offset[row]) :]
        is_known = not any(name in text and f"{name} v." not in text for name in self._cases)
        return _BESIDE.search(text) is not None or not is_known

    def add(self, row: int, most: int | None = None, *, with_before: bool = False) -> bool:
        """Tell a fact with what it goes on from and what introduces its terms, if that is not too long.

        Args:
            row: The fact.
            most: The most words, where it may be left out; what must be quoted comes without introductions
                where the words do not suffice for them.
            with_before: Whether it goes on from the fact before it even if its wording does not show it.
        """
        passage = self._passage(row)
        if with_before and passage == [row]:
            before = self._passage(row - 1)
            passage = None if before is None else [*before, row]
        if passage is None:
            return False
        introductions = [each for row in passage for each in self._introductions(row)]
        introduced = [each for first in introductions for each in self._passage(first) or ()]
        for rows in ([*introduced, *passage], passage):
            cost = self._words([row for row in dict.fromkeys(rows) if row not in self.chosen])
            is_short = cost <= max(_LONGEST_FACT, _MOST_OF_A_FACT * self._num_words)
            if is_short and (most is None or cost <= most) and self.take(rows):
                return True
            if most is not None:
                break
        return False

    def _passage(self, row: int) -> list[int] | None:
        """A fact after those that it goes on from; ``None`` where one of them cannot be quoted."""
        rows = [row]
        first = self._structure.first
        # What a syllabus begins with goes on from nothing.
        while first[rows[0]] != rows[0] and rows[0] != self._facts[0]:
            # Of what is quoted for its sake only the opening counts.
            first = self._structure.first_by_opening
            before = int(self._structure.before[rows[0]])
            if before not in self._facts:
                return None
            rows.insert(0, before)
        return rows

    def _introductions(self, row: int) -> list[int]:
        """The facts not quoted yet that introduce what a sentence takes as known."""
        needed = {self._given[name] for name in self._structure.mentions.needs[row] if name in self._given}
        text = self._text(row)
        needed |= {at for name, at in self._named.items() if name in text and re.search(rf"\b{name}\b", text)}
        return sorted(each for each in needed if each < row and each not in self.chosen)

    def _text(self, row: int) -> str:
        return self._candidates.sentences[row].text

    def _words(self, rows: Sequence[int]) -> int:
        return int(self._candidates.num_words[list(rows)].sum())


def tells_law(text: str) -> bool:
    """Whether a sentence begins by telling what the law is."""
    return _LAW.match(text, 0, _LONGEST_LAW) is not None


def _is_long_claim(candidates: Candidates, row: int) -> bool:
    """Whether a sentence that is too long for other texts tells who asks whom for what."""
    text = candidates.sentences[row].text
    return (
        LONGEST < candidates.num_words[row] <= _LONGEST_CLAIM
        and text[:1].isupper()
        and text.endswith(".")
        and BEGINS_CASE.search(text) is not None
        and PARTY.search(text) is not None
    )


def _opens_entry(candidates: Candidates, row: int) -> bool:
    """Whether a sentence begins a paragraph that is not a reason, "(a) …"."""
    return bool(candidates.opens_paragraph[row]) and not candidates.sentences[row].text.startswith("(")


def _judgment(candidates: Candidates, structure: Structure, is_open: BoolArray) -> list[int]:
    """The judgment at the end of the opinion of the Court."""
    clarity = structure.statements.get(Statement.DISPOSITION)
    if clarity is None:
        return []
    can_be = is_open & structure.is_presentable & structure.is_own & (clarity >= _CLEAR)
    can_be &= ~is_syllabus(candidates) & (candidates.num_words <= _LONGEST_JUDGMENT)
    # What an order below said word for word is no judgment of this court.
    can_be &= np.array([_QUOTES.search(sentence.text) is None for sentence in candidates.sentences], bool)
    alone = can_be & (structure.first_by_opening == np.arange(len(can_be)))
    can_be = alone if alone.any() else can_be
    rows = np.flatnonzero(can_be & (clarity == np.max(clarity, where=can_be, initial=0))).tolist()
    # Of several cases each may have a sentence.
    return [row for row in rows[-2:] if row in (rows[-1], structure.first[row]) and row >= rows[-1] - 1]
