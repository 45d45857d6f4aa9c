"""What is quoted of an answer under a heading that asks, and which documents are made of such."""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.sentences.wording import is_metadiscourse
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.reading.questions import asks
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, IntArray

# A first sentence that answers so briefly that the next one belongs to it.
_BRIEF_ANSWER = regex(
    r"(?:a(?:nswer)?: )?(?:yes|no|sure|absolutely|certainly|of course|never|always|maybe|perhaps"
    r"|not (?:yet|really|quite|exactly|necessarily)|(?:(?:that|it) )?depends|go (?:right )?ahead"
    r"|unfortunately|in short|almost|nothing|none)\b"
    r"(?![^.!?]*\bbut\b)[^.!?:]{0,30}[.!]?$",
    re.IGNORECASE,
)
_WORDS_OF_A_BRIEF_ANSWER = 4
# What the question asks about is known below it.
_OF_THE_ASKED = regex(r"(?:it|they) ", re.IGNORECASE)
# What takes back some of what stands before it, without which that would be wrong advice.
_QUALIFIES = regex(
    r"(?:but|however|unless|otherwise|on the other hand|that (?:being )?said|still|although|though|yet"
    r"|unfortunately|nevertheless|nonetheless|beware|only if|except|if (?:not|you don['’]t|this|that|it)"
    r"|(?:please )?(?:note|be aware|keep in mind)|never|do not|don['’]t|warning|caution|danger)\b",
    re.IGNORECASE,
)
# What is granted before the point is made, and so is not the point: "Many people seem to prefer …".
_GRANTS = regex(
    r"(?:many|some|most) (?:people|users|others|of us)\b(?: \w+){0,2} (?:prefer|think|believe|say|claim|argue"
    r"|assume|suggest|expect|feel|ask|wonder)\b"
    r"|(?:it|this|that) (?:may|might|would|could) (?:seem|appear|look)\b"
    r"|(?:you|one) (?:may|might|could|would) (?:think|expect|believe|assume|be tempted)\b"
    r"|in (?:theory|principle|the past)\b|at first\b|traditionally\b|historically\b|previously\b|formerly\b"
    r"|I(?:['’]m| am|['’]ll| will) assum(?:e|ing)\b",
    re.IGNORECASE,
)
# What says something of the question: "This is a hard question.", "This question does not help you."
_OF_THE_QUESTION = regex(
    r"(?:(?:this|that|it) is (?:an? |one of the (?:most )?)?(?:\w+ ){0,3}(?:questions?|subjective issue)"
    r"|(?:this|that|the above) (?:question|answer)|(?:this|that) (?:\w+ )?(?:confuses|puzzles|surprises)"
    r"|(?:good|great|tricky|hard) question)\b",
    re.IGNORECASE,
)
# What happens in a case that is none of those asked about: "If there is one of that name, it is run instead."
_OTHERWISE = regex(r"if\b.*\binstead[.!]?$", re.IGNORECASE)
_FAQ = regex(r"\bFAQs?\b|\bfrequent(?:ly)?[ -]asked\b", re.IGNORECASE)
_LEAST_QUESTIONS = 3
# Words of most answers, of which more would be a chapter; and of what is quoted of one.
_LONGEST_ANSWER, _LONGEST_PASSAGE = 120, 60
# The same of questions in groups: as a chapter, a group would be told without them.
_LONGEST_IN_A_GROUP = 240
# Letters of a sentence that spells its question once more; "Yes." may be a word of it.
_LEAST_SPELT = 12
# Of an answer that is not quoted whole, words of the first two sentences that are quoted together.
_QUOTED_ANSWER = 40
# An answer of more words may come to its point later.
_TOLD_AT_ONCE = 80


def answers_questions(document: Document) -> bool:
    """Whether most headings of a document ask, and what stands below them answers in a few sentences."""
    headed = [section for section in document.sections if section.heading]
    asked = [section for section in headed if asks(section.heading)]
    # Other entries of what calls itself an FAQ name problems: "R1. The gate does not open".
    share = 3 if _FAQ.search(f"{document.title} {headed[0].heading if headed else ''}") else 2
    if len(asked) < _LEAST_QUESTIONS or share * len(asked) <= len(headed):
        return False
    words = sorted(sum(len(sentence.text.split()) for sentence in section.sentences) for section in asked)
    median = words[len(words) // 2]
    if median <= _LONGEST_ANSWER:
        return True
    parts = divide(document).parts if median <= _LONGEST_IN_A_GROUP else ()
    # Of groups of questions a digest would tell none.
    return 2 * sum(asks(part.heading) for part in parts) < len(parts)


def whole_answer(candidates: Candidates, structure: Structure, places: IntArray) -> tuple[int, ...]:
    """The positions of a short answer, or of the paragraphs that a longer one begins with; none if not fit.

    A paragraph that begins with "But" belongs to the one before, and what follows "Yes." to that.

    Args:
        candidates: The sentences of the document.
        structure: What is known of them.
        places: The positions of those of the answer, in order.
    """
    ends = [
        *(at for at in range(1, len(places)) if candidates.opens_paragraph[places[at]]),
        len(places),
    ]
    words = np.cumsum(candidates.num_words[places])
    if words[-1] <= _LONGEST_PASSAGE:
        ends = ends[-1:]
    for end in ends:
        if words[end - 1] > _LONGEST_PASSAGE:
            break
        if end < len(places) and (
            is_brief(candidates.sentences[int(places[end - 1])].text)
            or _QUALIFIES.match(candidates.sentences[int(places[end])].text) is not None
            or candidates.sentences[int(places[end])].is_item
        ):
            continue
        passage = places[:end]
        if candidates.sentences[int(passage[-1])].text.endswith(":"):
            # What announces a list or code is no part of what it says.
            passage = passage[:-1]
            if not len(passage):
                return ()
        if end < len(places) and grants(candidates.sentences[int(places[0])].text):
            return ()
        return tuple(passage.tolist()) if _is_shown_whole(candidates, structure, passage) else ()
    return ()


def opening_of_answer(
    candidates: Candidates, structure: Structure, places: IntArray, is_open: BoolArray
) -> tuple[int, ...]:
    """The positions of the first sentence of an answer, with the second where both are short.

    None where the answer may come to its point later, or takes back what it begins with.

    Args:
        candidates: The sentences of the document.
        structure: What is known of them.
        places: The positions of those of the answer, in order.
        is_open: Which sentences may be quoted.
    """
    first, second = int(places[0]), int(places[min(1, len(places) - 1)])
    text, num_words = candidates.sentences[first].text, candidates.num_words
    brief = is_brief(text)
    if not brief and int(num_words[places].sum()) > _TOLD_AT_ONCE:
        return ()
    follows = second == first + 1 and bool(is_open[second])
    if follows and (brief or int(num_words[first] + num_words[second]) <= _QUOTED_ANSWER):
        passage: tuple[int, ...] = (first, second)
    elif brief:
        return ()
    else:
        passage = (first,)
    after = passage[-1] + 1
    if grants(text) or any(_OF_THE_QUESTION.match(candidates.sentences[row].text) for row in passage):
        return ()
    if candidates.sentences[passage[-1]].text.endswith(":"):
        # The list that it announces is the answer.
        return ()
    if after <= int(places[-1]) and _QUALIFIES.match(candidates.sentences[after].text) is not None:
        return ()
    # "They are delivered in June." under "When do the new bins come?"
    is_told = first in (structure.first_by_opening[first], structure.first_under_heading[first])
    stands = (is_told or _OF_THE_ASKED.match(text)) and is_open[first]
    length = int(num_words[list(passage)].sum())
    return passage if length <= _LONGEST_PASSAGE and (stands or brief) else ()


def below_question(candidates: Candidates, heading: str, places: IntArray) -> IntArray:
    """The positions of an answer without those that spell its question once more, as a PDF prints it."""
    asked = _letters(heading)
    count = 0
    for place in places.tolist():
        said = _letters(candidates.sentences[place].text)
        if len(said) < _LEAST_SPELT or said not in asked:
            break
        count += 1
    return places[count:]


def _letters(text: str) -> str:
    """The letters of a text in lower case: a number before it and its marks do not count."""
    return "".join(filter(str.isalpha, text.lower()))


def with_qualification(
    candidates: Candidates, structure: Structure, passage: tuple[int, ...], places: IntArray
) -> tuple[int, ...]:
    """A passage of an answer with the sentence after it that takes some of it back; none if not fit."""
    after = passage[-1] + 1
    if _OTHERWISE.match(candidates.sentences[passage[0]].text) is not None:
        return ()
    if after > int(places[-1]) or _QUALIFIES.match(candidates.sentences[after].text) is None:
        return passage
    longer = (*passage, after)
    words = int(candidates.num_words[list(longer)].sum())
    return longer if structure.is_presentable[after] and words <= _LONGEST_PASSAGE else ()


def grants(text: str) -> bool:
    """Whether a sentence grants what the answer goes on to take back: "Many people prefer …"."""
    return _GRANTS.match(text) is not None


def is_brief(text: str) -> bool:
    """Whether what begins an answer says so little that what follows belongs to it: "Yes.", "Not really."."""
    return _BRIEF_ANSWER.match(text) is not None or (
        # "Paper and cardboard."
        len(text.split()) <= _WORDS_OF_A_BRIEF_ANSWER and text.endswith(".")
    )


def _is_shown_whole(candidates: Candidates, structure: Structure, passage: IntArray) -> bool:
    """Whether nothing within a passage lacks what it needs: it is all that stands below its heading."""
    rows = passage.tolist()
    texts = [candidates.sentences[row].text for row in rows]
    of_code = [candidates.sentences[row].follows_code and structure.first[row] < 0 for row in rows]
    shown = structure.is_presentable & structure.is_own
    return (
        all(shown[row] or is_brief(text) for row, text in zip(rows, texts, strict=True))
        and not any(of_code)
        and not is_metadiscourse(texts[0])
        and _OF_THE_QUESTION.match(next((text for text in texts if not is_brief(text)), "")) is None
        and not all(is_metadiscourse(text) or is_brief(text) for text in texts)
    )
