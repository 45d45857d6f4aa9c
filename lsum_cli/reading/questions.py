"""Questions that a text prints as paragraphs, read as the headings of their answers.

An FAQ without headings asks in the terms of a list, in lines in bold, or after "Q:". An answer says little
without its question, which heads it here as if the source had made it a heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from lsum_cli.documents import Paragraph, Passage, Piece, SectionRole
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

_ASKS = regex(r"[?？][\"'”’)*_ ]{0,4}$")
# "See “How do I do that?”" names a question that stands elsewhere.
_NAMES_A_QUESTION = regex(r"(?![\W\d]*\d).*[?？][\"'”’»][)*_ ]{0,4}$")
_NUMBER = r"(?: ?\d{1,3}(?:\.\d{1,3})?)?"
_QUESTION = regex(rf"\W{{0,3}}Q(?:uestion)?{_NUMBER}[.:)] ")
_ANSWER = regex(rf"\W{{0,3}}A(?:nswer)?{_NUMBER}[.:)](?:\s+|$)")
# The answer on the line below its question: "Q: What is a weir? A: It holds back water."
_BOTH = regex(
    rf"(\W{{0,3}}Q(?:uestion)?{_NUMBER}[.:)] .{{3,300}}?) \W{{0,3}}(?=A(?:nswer)?{_NUMBER}[.:)](?: |$))(.*)"
)
# In a story or a talk someone asks: in quotation marks, after a dash or a name. Nor is an answer a question.
_SPOKEN = regex(
    r"(?:Yes|No|See)\b|[\"'“”‘„«»‹›(\[…—–-]|[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,2}: |[A-Z]{2,}[A-Z .’'-]*\. "
)
# What stands before a question in a list of them, and in contents.
_BEFORE = regex(rf"^(?:\W{{0,3}}(?:Q(?:uestion)?{_NUMBER}[.:)]|Subject:)\s)?[\W\d_]*")
# Lines of contents may be one paragraph: "1.2 What is it? 1.3 Where is it?"
_SEVERAL = regex(r"[?？] \W?\d")
_SENTENCE = regex(r"[.!:;…。！：)][^\w.!]{0,4}$")
# A question here and there in prose is rhetorical, and where more is asked by someone who speaks, or in a
# word, all of it is talk: so many paragraphs are answered questions, at least this share of those of the
# sections that have any, and so many of the headings that the text has with them ask.
_FEWEST, _LEAST_SHARE, _LEAST_OF_HEADINGS, _LEAST_OF_QUESTIONS = 3, 0.1, 0.4, 0.1
_SHORTEST, _LONGEST = 3, 40  # words


def asks(text: str | None) -> bool:
    """Whether a paragraph or a heading, if there is one, ends with a question mark."""
    return text is not None and _ASKS.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Line:
    """A paragraph, whether it may be a question, and whether it begins with "Q:"."""

    paragraph: Paragraph
    text: str
    may_ask: bool
    is_marked: bool

    @classmethod
    def of(cls, paragraph: Paragraph) -> _Line:
        text = paragraph.text.strip()
        end = text[-5:]
        if "?" not in end and "？" not in end and "Q" not in text[:4]:
            return cls(paragraph, text, may_ask=False, is_marked=False)
        text = normalise(text)
        is_marked = text[:4].lstrip("*_ ").startswith("Q") and _QUESTION.match(text) is not None
        may_ask = (
            (is_marked or asks(text))
            and not paragraph.is_quoted
            and _SHORTEST <= len(text.split()) <= _LONGEST
            and _SEVERAL.search(text) is None
            and (is_marked or not (_SPOKEN.match(text) or _NAMES_A_QUESTION.match(text) or " | " in text))
        )
        return cls(paragraph, text, may_ask=may_ask, is_marked=is_marked)

    def without(self, mark: str) -> _Line:
        """The line without the mark that it begins with."""
        first, *others = self.paragraph.pieces
        pieces = (replace(first, text=normalise(first.text).removeprefix(mark)), *others)
        return replace(self, paragraph=replace(self.paragraph, pieces=pieces))


class Divided(NamedTuple):
    """What :func:`divide_questions` has made of a text.

    Attributes:
        passages: The passages.
        contents: Questions in its contents, which are left out.
        marks: How many marks before answers ("A:") are left out.
    """

    passages: list[Passage]
    contents: tuple[str, ...] = ()
    marks: int = 0


def divide_questions(passages: Sequence[Passage]) -> Divided:
    """The passages, divided where paragraphs ask what those below them answer; other texts as they are."""
    lines = [list(_lines(passage)) if passage.role is SectionRole.BODY else [] for passage in passages]
    if sum(line.may_ask for each in lines for line in each) < _FEWEST:
        return Divided(list(passages))
    lines, contents = _without_contents(lines, passages)
    questions = [[place for place, line in enumerate(each) if _heads(each, place)] for each in lines]
    if not _is_faq(passages, lines, questions):
        return Divided(list(passages))
    divided: list[Passage] = []
    marks = 0
    for passage, each, own in zip(passages, lines, questions, strict=True):
        for place in own:
            if (mark := _mark_of_answer(each, place)) is not None:
                each[place + 1] = each[place + 1].without(mark)
                marks += 1
        divided += _divide(passage, each, own) if passage.role is SectionRole.BODY else [passage]
    return Divided(divided, contents, marks)


def _without_contents(
    lines: Sequence[Sequence[_Line]], passages: Sequence[Passage]
) -> tuple[list[list[_Line]], tuple[str, ...]]:
    """The lines without the questions of contents, which are asked again below or by a heading, and those."""
    left = Counter(_bare(line.text) for each in lines for line in each if line.may_ask)
    headings = {_bare(normalise(passage.heading)) for passage in passages if passage.heading}
    contents: list[str] = []
    kept: list[list[_Line]] = []
    for each in lines:
        own: list[_Line] = []
        for place, line in enumerate(each):
            if line.may_ask:
                bare = _bare(line.text)
                left[bare] -= 1
                near = (*each[max(0, place - 1) : place], *each[place + 1 : place + 2])
                if (left[bare] or bare in headings) and any(other.may_ask for other in near):
                    contents.append(line.text)
                    if own and own[-1] is each[place - 1]:
                        # What stands right above it is no question that it answers.
                        own[-1] = replace(own[-1], may_ask=False)
                    continue
            own.append(line)
        kept.append(own)
    return kept, tuple(contents)


def _is_faq(
    passages: Sequence[Passage], lines: Sequence[Sequence[_Line]], questions: Sequence[Sequence[int]]
) -> bool:
    """Whether a text asks so often, and has it answered, that its questions are no talk and no rhetoric."""
    own = [(each, places) for each, places in zip(lines, questions, strict=True) if places]
    count = sum(len(places) for _, places in own)
    answered = sum(not each[place + 1].may_ask for each, places in own for place in places)
    others = sum(asks(line.text) and not line.may_ask for each in lines for line in each)
    paragraphs = sum(len(each) for each, _ in own)
    # Of another text, questions at the end are no reason to read it as an FAQ.
    is_answer = 2 * sum(places[0] for _, places in own) <= paragraphs
    if others > count or not is_answer or answered < max(_FEWEST, _LEAST_SHARE * paragraphs):
        return False
    headings = [passage.heading for passage in passages if passage.heading]
    asked = sum(map(asks, headings))
    # Where nearly all questions are headings, the others stand within answers.
    is_usual = count >= _LEAST_OF_QUESTIONS * asked
    return is_usual and count + asked >= _LEAST_OF_HEADINGS * (count + len(headings))


def _lines(passage: Passage) -> Iterator[_Line]:
    """The paragraphs of a passage; a question and its answer in one are two."""
    for paragraph in passage.paragraphs:
        both = None
        if len(paragraph.pieces) == 1 and paragraph.text[:4].lstrip("*_ ").startswith("Q"):
            both = _BOTH.fullmatch(normalise(paragraph.text))
        if both is None:
            yield _Line.of(paragraph)
            continue
        page = paragraph.pieces[0].pdf_page
        yield _Line.of(replace(paragraph, pieces=(Piece(text=both[1], pdf_page=page),)))
        yield _Line.of(Paragraph.of(both[2], page))


def _bare(text: str) -> str:
    """A question without its number, to be compared."""
    return _BEFORE.sub("", text).casefold().rstrip(" ?？*_")


def _heads(lines: Sequence[_Line], place: int) -> bool:
    """Whether a line asks, and what follows it answers that, or is asked along with it."""
    if place + 1 >= len(lines) or not lines[place].may_ask:
        return False
    question, following = lines[place], lines[place + 1]
    if question.is_marked:
        return True
    if question.paragraph.is_item and (following.paragraph.is_item or following.may_ask):
        # One of several things to ask.
        return False
    return following.may_ask or _SENTENCE.search(following.text) is not None


def _mark_of_answer(lines: Sequence[_Line], place: int) -> str | None:
    """The mark before the answer to a question; a name may begin with "A." where no "Q." stands above."""
    found = _ANSWER.match(lines[place + 1].text)
    return found.group() if found and (lines[place].is_marked or ":" in found.group()) else None


def _divide(passage: Passage, lines: Sequence[_Line], questions: Sequence[int]) -> Iterator[Passage]:
    """A passage up to its first question, and one for each question with what follows it."""
    ends = [*questions, len(lines)]
    opening = tuple(line.paragraph for line in lines[: ends[0]])
    if passage.heading or opening:
        yield replace(passage, paragraphs=opening)
    for place, end in pairwise(ends):
        yield Passage(
            heading=lines[place].text,
            level=passage.level + 1,
            role=passage.role,
            paragraphs=tuple(line.paragraph for line in lines[place + 1 : end]),
        )
