"""A digest of a document by its parts: what it is, then of each main part what it tells.

A manual, a page of a tutorial or a book of chapters has no sentence that sums it up, and its most salient
sentences are details of whatever it treats at greatest length. Its headings say what it is about; under each
a reader wants the one sentence that defines the thing in the heading, or says what the part does.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import Part, divide
from lsum_cli.methods.extract.gist import is_opening_heading, is_thesis
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.methods.extract.salience import standardised
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, is_function_word, split_terms, stem

# A document of fewer parts is told without them; where much stands before the first heading, two are enough.
_LEAST_PARTS = 3
# The share of the words that the opening may take: its own share of the document, within these.
_LEAST_OF_OPENING, _MOST_OF_OPENING = 0.3, 0.5
_LEAST_WORDS_OF_OPENING, _MOST_WORDS_OF_OPENING = 60, 90
_FEW_WORDS, _FIRST_LINES = 120, 12
# Words of a part below which nothing need be quoted of it.
_LEAST_OF_A_PART = 30
# Words of a quotation: the most there may be, the most that cost nothing, the fewest of its sentences.
_LONGEST, _BRIEF, _SHORTEST = 60, 30, 5
# What counts how much for a sentence of a part, in standard deviations of salience.
_DEFINES, _SAYS_WHAT, _NAMES, _FIRST, _ASIDE, _STEP_ON = 2.0, 1.2, 1.6, 1.8, -3.0, -1.2
_A_WORD, _POINTS, _CODE = -0.06, -1.5, -1.0
_SALIENCE = 0.45
# What the wording of a sentence can be worth, see _worth.
_MOST_WORTH = _NAMES + _DEFINES + _SAYS_WHAT
# A part whose best passage is worth less is not quoted.
_LEAST_WORTH = 0.5
# What a part's share of the document counts when there is no room for all.
_SIZE = 1.5

# Of a digest around what says most: how many parts must be quoted, and how many sentences at most of what
# stands before them and of each; what a sentence of a part must be worth, and how many words it may have;
# what counts how much: its subject, its place, a step, the authors' doing, an entry of a list, what is left
# open, names and numbers as in code, each word above _BRIEF.
_LEAST_QUOTED, _MOST_BEFORE, _MOST_OF_A_PART = 3, 4, 3
_ENTRY_AROUND, _VAGUE_AROUND, _EXACT_AROUND = -1.0, -0.4, 0.3
LEAST_AROUND, _SHORTEST_AROUND, _LONGEST_AROUND, _MOST_HELD = 1.0, 7, 40, 0.75
_SUBJECT_AROUND, _FIRST_AROUND, _STEP_AROUND, _WE_AROUND, _A_WORD_AROUND = 0.5, 0.2, -0.7, -0.5, -0.03

_TELLS_WHAT = regex(
    r"(?:this|the) (?:chapter|section|part|page|document|guide|module|tool|command|file|program|option|book)"
    r" (?:\w+ )?(?:describes?|explains?|covers?|discusses|shows?|introduces?|lists?|gives|provides?|contains?"
    r"|explores?|tells|looks at|is about|deals with|examines?)\b",
    re.IGNORECASE,
)
# What tells of the text and not of its subject: it announces, counts or points.
_TELLS_OF_TEXT = regex(
    r"(?:(?:this|the(?: \w+)?) (?:section|subsection|part)s? (?:\S+ ){0,2}(?:describe|explain|cover"
    r"|discuss|show|introduce|list|give|provide|contain|explore|tell|look|is about|are about|deal|examine)"
    r"|the following\b|following (?:is|are)\b|below (?:is|are)\b|here (?:is|are)\b|what follows\b"
    r"|there (?:are|is|exist) (?:also )?(?:several|many|some|various|multiple|numerous"
    r"|a (?:few|number|variety|couple|lot|range)|two|three|four|five|six|different|lots|plenty|more)\b"
    r"|(?:please )?(?:see|refer to|consult|follow|check out|have a look|take a look|visit)\b"
    r"|if you(?:['’]d like|['’]re (?:new|looking|going to)| (?:want|wish|need|would like|prefer"
    r"|are (?:new|looking)))\b"
    r"|(?:sometimes|often|occasionally),? (?:you|we|one|there|it|just|things|a user|users)\b"
    r"|for (?:more|further|additional|detailed|full|complete) (?:\w+ )?(?:information|details?|examples?)\b"
    r"|the (?:above|latter|former|preceding|previous)\b|for the purposes? of this\b"
    r"|you (?:should|will need to|need to) (?:already )?(?:know|be familiar)\b"
    r"|you (?:might|may) (?:notice|wonder)"
    r"|the (?:first|second|third|last|other|next|two) (?:ones?|is|are)\b|assuming (?:that )?(?:you|we)\b"
    r"|(?:this|the) (?:guide|tutorial|document|page|howto|chapter|manual) (?:also )?assumes\b)",
    re.IGNORECASE,
)
_MORE_ELSEWHERE = regex(
    r"\b(?:(?:can be|are|is) (?:found|listed|described|explained|documented|covered|shown|given|discussed"
    r"|presented|introduced|outlined|illustrated|provided)"
    r" (?:\w+ )?(?:in|at|on|under|below|above|here|later|there)\b|(?:as|the) following(?: \w+){0,3}[:.]?$"
    r"|as follows\b|find more\b|read more\b|more (?:details|information) (?:in|on|about|can|is|are)\b"
    r"|\bit(?: is|['’]s) (?:also )?(?:important|useful|worth|helpful|necessary)"
    r" to (?:understand|know|note|remember)\b"
    r"|\b(?:is|are) (?:\w+ )?(?:easy|simple|straightforward|up to you)\.$)",
    re.IGNORECASE,
)
# What stands for a list that stays behind.
_VAGUE = regex(
    r"\b(?:an? (?:few|number|variety|range|couple|set|lot|handful)\b"
    r"|several|various|numerous|multiple|many|some)\b"
)
# An entry of a list or a row of a table: a name or a value with what it does.
_ENTRY = regex(r".* \| |[^\s:]+(?: \([^)]*\))?(?:: | [-–—]+ )|[^\w\s\"'“‘(`]|\S*[=]")
# What a teacher says between: steps of an exercise, pointers into an example. Of lower-cased text after a
# space: a pattern that begins with what stands before a word is tried only there.
_STEP = regex(
    r"\W(?:let['’]s|we['’]ll|here['’]s|here,? (?:we|is|are)|now that|to illustrate|for (?:example"
    r"|instance)|e\.g\."
    r"|this (?:code|example|listing|line|error|output|function|snippet|diagram|picture|graph|plot)"
    r"|(?:the|our) (?:\w+ )?(?:example|listing|error message|output|snippet) (?:above|below|shows?|is|says)"
    r"|in (?:this|the above|our) (?:example|case|listing)|as (?:you|we) (?:can|have|saw|will)"
    r"|you (?:might|may) (?:have|be|think|wonder)|you['’]ve|you['’]ll (?:see|get|notice)"
    r"|remember|recall|try (?:to|running)|imagine|suppose|note that|notice|keep in mind|first,|next,|earlier"
    r"|above|below|previous(?:ly)?|already|don['’]t worry|going to|take a look|at first|lets see|see how"
    r"|read (?:this|the)|refer to|(?:please|also|you should) (?:see|read|check|consult)"
    r"|the (?:first|second|third|last|two) \w+|(?:the|an?) \w+ ones?"
    # What the reader may be after, has read, or will: not what there is to know.
    r"|we (?:\w+ )?(?:talked|saw|looked|discussed|learned|covered|mentioned|touched|start|begin|look|turn)"
    r"|(?:you|we) (?:\w+ )?(?:want|wish|need|like) to|you['’]ll (?:\w+ )?(?:want|need|find|learn|probably)"
    r"|in chapter \d+|tells the story|in (?:many|most|some) other \w+)\b"
)
# Searched for after a space is put before the text, as what reports is.
_WE = regex(r"\W(?:[Ww]e|[Oo]ur|us|I|[Mm]y)\b(?! (?:can|may|must|should|need)\b)")
_IMPERATIVE = regex(
    r"(?:then )?(?:run|open|create|generate|type|enter|click|add|change|replace|copy|save|install"
    r"|download|go|make"
    r"|start|write|set|select|choose|press|check|try|put|move|delete|remove|edit|update|build|compile|do|look"
    r"|think|note|pass|fill|consider)\b(?! (?:is|are|was|of)\b)",
    re.IGNORECASE,
)
_CODE_WORD = regex(
    r"(?<!\w)\w+_\w+|[a-z]\d*[A-Z]\w*|\w\(\w*\)|--\w|<\w+>|\w\.\w+\(|(?<!\w)\d+(?![\w.])"
    r"|(?<![\w'’.])(?![aAI]\b)[A-Za-z](?![\w'’.+#])"
)
# Under its own heading the first sentence may number the thing: that leans on nothing but the heading before.
_NEXT_THING = regex(r"(?:another|a (?:second|third|further)|one (?:such )?)\b", re.IGNORECASE)
# Who said what: news is summarised by its beginning, whatever headings stand between.
_REPORTS = regex(
    r"\W(?:said|told|says|according to|announced|accused|denied|added that|spokes(?:man|woman|person)"
    r"|reportedly"
    r"|officials?)\b"
)
_MOST_REPORTS, _MOST_REPORTS_AROUND = 0.12, 0.06
# Headings that name no subject.
_NO_SUBJECT = regex(
    r"notes?|important|warnings?|cautions?|tips?|info|synopsis|name|see also|examples?|usage|summary of .*"
    r"|exercises?|quiz|questions|resources|links|external links|related .*|further .*|status"
    r"|version(?: history)?"
    r"|history of .*|authors?(?:['’] address(?:es)?)?|contact|feedback|contributors|what['’]s next|next steps"
    r"|license|copyright|credits|bugs|reporting bugs|.*\bindex|table of contents|on this page|navigation"
    r"|comments"
    r"|(?:the )?final code|(?:.* )?(?:exercise|example|attribution)s?",
    re.IGNORECASE,
)


# A heading that asks, and a first sentence that answers so briefly that the next one belongs to it.
_QUESTION = regex(r"\?[\"'”’)]*$")
_BRIEF_ANSWER = regex(
    r"(?:yes|no|sure|absolutely|certainly|of course|never|always|not (?:yet|really|quite|exactly|necessarily)"
    r"|maybe|perhaps|(?:that|it) depends|go (?:right )?ahead|unfortunately|in short|almost|nothing|none)\b"
    r"[^.!?]{0,30}[.!]$",
    re.IGNORECASE,
)
_LEAST_QUESTIONS = 3
# Words of most answers, of which more would be a chapter; and of what is quoted of one, if it is more than a
# sentence.
_LONGEST_ANSWER, _QUOTED_ANSWER = 120, 40
# An answer of more words may come to its point later.
_TOLD_AT_ONCE = 80
# What the first words under a question are worth.
_ANSWER = 4.0


@dataclass(frozen=True, kw_only=True)
class DigestPart:
    """A part of the document and the positions of what is quoted of it."""

    part: Part
    positions: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Digest:
    """What is quoted of the beginning, which has no heading, and of each part."""

    opening: tuple[int, ...]
    parts: tuple[DigestPart, ...]

    @property
    def positions(self) -> list[int]:
        """All that is quoted, in order."""
        return sorted((*self.opening, *(position for each in self.parts for position in each.positions)))


def answers_questions(document: Document) -> bool:
    """Whether most headings of a document ask, and what stands below them answers in a few sentences."""
    headed = [section for section in document.sections if section.heading]
    asked = [section for section in headed if _QUESTION.search(section.heading or "")]
    if len(asked) < _LEAST_QUESTIONS or 2 * len(asked) <= len(headed):
        return False
    words = sorted(sum(len(sentence.text.split()) for sentence in section.sentences) for section in asked)
    return words[len(words) // 2] <= _LONGEST_ANSWER


def digest(
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: FloatArray,
    num_words: int,
    eligible: BoolArray | None = None,
    *,
    is_book: bool = False,
) -> Digest | None:
    """Digest a document in so many words; ``None`` where it has too few parts that can be quoted.

    Of each part that is quoted which tells what its heading names; for documents of whose like no reader
    chose sentences, see :func:`digest_around`.

    Args:
        eligible: Which sentences may be quoted.
        is_book: Whether to divide by chapters.
    """
    reports = sum(_REPORTS.search(f" {sentence.text}") is not None for sentence in candidates.sentences)
    division = divide(document, is_book=is_book)
    if reports > _MOST_REPORTS * len(candidates):
        return None
    if division.kind not in ("sections", "chapters"):
        return None
    position_of = {sentence.index: place for place, sentence in enumerate(candidates.sentences)}
    rows = [
        np.array([position_of[index] for index in part.sentences if index in position_of], np.int64)
        for part in division.parts
    ]
    title = plain_heading(document.title)
    is_open = np.ones(len(candidates), bool) if eligible is None else eligible
    opening: list[int] = []
    body: list[tuple[Part, IntArray]] = []
    for part, places in zip(division.parts, rows, strict=True):
        heading = plain_heading(part.heading)
        if part.is_silent or not len(places) or _NO_SUBJECT.fullmatch(heading):
            continue
        # What stands before the first heading, under the title or in an introduction; else a few lines that
        # the first heading has.
        is_first = not part.is_headed or is_opening_heading(heading, title)
        is_first |= not opening and int(candidates.num_words[places].sum()) <= _FEW_WORDS
        if not body and is_first and not _QUESTION.search(part.heading):
            # Not what the sections below an introduction treat, if it says anything itself.
            own = places[candidates.section[places] == candidates.section[places[0]]]
            opening += (
                own if (structure.stands_alone & is_open)[own].any() else places[:_FIRST_LINES]
            ).tolist()
        else:
            body.append((part, places))
    words = np.array([int(candidates.num_words[places].sum()) for _, places in body])
    before = int(candidates.num_words[opening].sum())
    least = _LEAST_PARTS - (before > _LEAST_WORDS_OF_OPENING)
    if (words >= _LEAST_OF_A_PART).sum() < least:
        return None
    quoted = _choose_opening(candidates, structure, scores, opening, is_open, num_words)
    room = num_words - int(candidates.num_words[quoted].sum())
    held = np.zeros(candidates.terms.num_terms, bool)
    for position in quoted:
        held[candidates.terms.columns[candidates.terms.row(position)]] = True
    parts = _Parts(candidates, structure, scores, body, is_open).choose(held, room)
    return Digest(opening=tuple(quoted), parts=tuple(parts)) if len(parts) >= least - 1 else None


def digest_around(
    core: Sequence[int],
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: FloatArray,
    num_words: int,
    eligible: BoolArray | None = None,
    *,
    is_shortened: bool = False,
    least: float = LEAST_AROUND,
) -> Digest | None:
    """A digest around what the whole comes to: that, and a sentence of each main part that it leaves out.

    ``None`` where the document has too few parts of which something can be told, or reports the news.

    Args:
        core: The positions of what says most of the whole.
        scores: What a reader would prefer.
        num_words: The most words of the digest.
        eligible: Which sentences may be quoted.
        is_shortened: Whether they are those of a longer digest, so that fewer parts will do.
        least: What a sentence must be worth to be quoted of its part, in standard deviations of the scores.
    """
    body = parts_to_tell(candidates, document)
    if not body:
        return None
    may = structure.is_presentable & structure.is_own & (structure.first == np.arange(len(candidates)))
    may &= (candidates.num_words >= _SHORTEST_AROUND) & (candidates.num_words <= _LONGEST_AROUND)
    if eligible is not None:
        may &= eligible
    standard = (scores - scores.mean()) / max(1e-9, float(scores.std()))
    held = np.zeros(candidates.terms.num_terms, bool)
    for position in core:
        held[candidates.terms.columns[candidates.terms.row(position)]] = True
    before = np.arange(body[0][1][0])
    core = _thinned(
        core,
        [(before, _MOST_BEFORE), *((places, _MOST_OF_A_PART) for _, places in body)],
        structure,
        standard,
    )
    chosen = set(core)
    best: list[tuple[float, int]] = []
    for heading, places in [(document.title or "", before), *((part.heading, own) for part, own in body)]:
        words = int(candidates.num_words[places].sum())
        if chosen.intersection(places.tolist()) or (words < _LEAST_OF_A_PART and places is not before):
            continue
        named = _content(plain_heading(heading))
        own = [
            (float(standard[position]) + _bearing(candidates, position, place, named), position)
            for place, position in enumerate(places.tolist())
            if may[position] and not tells_of_text(candidates.sentences[position].text)
        ]
        if own:
            value, position = max(own, key=lambda each: (each[0], -each[1]))
            # What stands before the parts says what the whole is.
            size = math.inf if places is before else math.log(words)
            if value > least:
                best.append((value + size, position))
    room = num_words - int(candidates.num_words[list(core)].sum())
    for _, position in sorted(best, key=lambda each: (-each[0], each[1])):
        columns = candidates.terms.columns[candidates.terms.row(position)]
        if candidates.num_words[position] <= room and not (
            len(columns) and held[columns].mean() > _MOST_HELD
        ):
            chosen.add(position)
            held[columns] = True
            room -= int(candidates.num_words[position])
    quoted = [
        DigestPart(part=part, positions=tuple(sorted(chosen.intersection(places.tolist()))))
        for part, places in body
    ]
    parts = tuple(each for each in quoted if each.positions)
    told = {position for each in parts for position in each.positions}
    if len(parts) < _LEAST_QUOTED and not is_shortened:
        return None
    return Digest(opening=tuple(sorted(chosen - told)), parts=parts)


def _thinned(
    core: Sequence[int], parts: Sequence[tuple[IntArray, int]], structure: Structure, standard: FloatArray
) -> list[int]:
    """What says most of the whole without what goes on about one of its parts, each with its most."""
    kept = set(core)
    for places, most in parts:
        own = kept.intersection(places.tolist())
        for position in sorted(own, key=lambda each: float(standard[each])):
            if len(own) <= most:
                break
            # What another one leans on stays.
            if not any(int(structure.first[each]) <= position < each for each in own):
                own.remove(position)
                kept.remove(position)
    return sorted(kept)


def parts_to_tell(candidates: Candidates, document: Document) -> list[tuple[Part, IntArray]]:
    """The main parts of a document with the positions of their sentences, after what introduces them.

    None where it is not divided by its headings, or reports the news.
    """
    reports = sum(_REPORTS.search(f" {sentence.text}") is not None for sentence in candidates.sentences)
    division = divide(document)
    if reports > _MOST_REPORTS_AROUND * len(candidates) or division.kind != "sections":
        return []
    position_of = {sentence.index: place for place, sentence in enumerate(candidates.sentences)}
    title = plain_heading(document.title)
    body: list[tuple[Part, IntArray]] = []
    for part in division.parts:
        places = np.array([position_of[at] for at in part.sentences if at in position_of], np.int64)
        heading = plain_heading(part.heading)
        introduces = not part.is_headed or (not body and is_opening_heading(heading, title))
        if part.is_silent or introduces or _NO_SUBJECT.fullmatch(heading):
            continue
        if len(places):
            body.append((part, places))
    return body


def tells_of_text(text: str) -> bool:
    """Whether a sentence tells of the text, not of its subject: what follows, where more is, how much."""
    return _TELLS_OF_TEXT.match(text) is not None or _MORE_ELSEWHERE.search(text) is not None


def _bearing(candidates: Candidates, position: int, place: int, named: set[str]) -> float:
    """How much the wording of a sentence says that it tells what its part is about."""
    text = candidates.sentences[position].text
    subject = len(_content(" ".join(text.split()[:10])) & named) / max(1, len(named))
    return (
        _SUBJECT_AROUND * subject
        + _ENTRY_AROUND * (_ENTRY.match(text) is not None)
        + _VAGUE_AROUND * (_VAGUE.search(text) is not None)
        + _EXACT_AROUND * min(2, len(_CODE_WORD.findall(text))) / 2
        + _FIRST_AROUND * math.exp(-place / 4)
        + _STEP_AROUND * _is_step(text)
        + _WE_AROUND * (_WE.search(f" {text}") is not None)
        + _A_WORD_AROUND * max(0, int(candidates.num_words[position]) - _BRIEF)
    )


def _choose_opening(
    candidates: Candidates,
    structure: Structure,
    scores: FloatArray,
    opening: Sequence[int],
    is_open: BoolArray,
    num_words: int,
) -> list[int]:
    """What is quoted of the beginning: what the thing is."""
    mask = np.zeros(len(candidates), bool)
    mask[list(opening)] = True
    # Nothing rather than what leans on a line that cannot be shown.
    mask &= is_open & structure.is_presentable & (structure.first >= 0)
    if not mask.any():
        return []
    share = float(candidates.num_words[list(opening)].sum() / max(1, candidates.num_words.sum()))
    share = min(_MOST_OF_OPENING, max(_LEAST_OF_OPENING, share))
    budget = min(_MOST_WORDS_OF_OPENING, num_words, max(_LEAST_WORDS_OF_OPENING, int(share * num_words)))
    texts = [sentence.text for sentence in candidates.sentences]
    says = np.array([is_thesis(text) for text in texts], bool)
    asides = np.array([_is_step(text) for text in texts], float)
    # What the authors did does not tell what the thing is.
    is_told = says | np.array([_WE.search(f" {text}") is None for text in texts], bool)
    if (mask & is_told).any():
        mask &= is_told
    place = np.zeros(len(candidates))
    place[list(opening)] = np.exp(-np.arange(len(opening)) / 5)
    scores = scores + float(scores.std()) * (_ASIDE * asides + _FIRST * place + _SAYS_WHAT * says)
    chosen = select(candidates, scores, budget, mask, structure, as_suits=True, is_read=True)
    return [position for position in chosen if structure.is_presentable[position]]


class _Parts:
    """The parts of a document, each with the passage that says what it tells."""

    def __init__(
        self,
        candidates: Candidates,
        structure: Structure,
        scores: FloatArray,
        body: Sequence[tuple[Part, IntArray]],
        is_open: BoolArray,
    ) -> None:
        self._candidates, self._structure, self._body = candidates, structure, body
        self._num_words = candidates.num_words.tolist()
        self._standard = standardised(scores)
        self._is_open = is_open & structure.is_presentable & structure.is_own
        named = [_content(plain_heading(part.heading)) for part, _ in body]
        # What every heading names tells none of them.
        count = Counter(term for terms in named for term in terms)
        self._named = [
            {term: float(np.log(1 + len(body) / count[term])) for term in terms} for terms in named
        ]

    def choose(self, held: BoolArray, room: int) -> list[DigestPart]:
        """The best passages, the greater parts first where there is no room for all.

        Args:
            held: Which terms are quoted already; those of the passages are added.
            room: The words that there is room for.
        """
        sizes = np.array([int(self._candidates.num_words[places].sum()) for _, places in self._body], float)
        in_order = np.sort(sizes)
        # The median; that of numpy would import all that it has for masked arrays.
        usual = (in_order[(len(sizes) - 1) // 2] + in_order[len(sizes) // 2]) / 2 if len(sizes) else 0.0
        best: list[tuple[bool, float, int, tuple[int, ...]]] = []
        for number in range(len(self._body)):
            found = self._best_of(number)
            if found is not None and found[0] > _LEAST_WORTH:
                value, passage = found
                value += _SIZE * float(np.log1p(sizes[number]) - np.log1p(usual))
                best.append((self._body[number][0].level > 1, -value, number, passage))
        chosen: dict[int, tuple[int, ...]] = {}
        for _, _, number, passage in sorted(best):
            cost = int(self._candidates.num_words[list(passage)].sum())
            if cost > room or self._repeats(passage, held):
                continue
            chosen[number] = passage
            room -= cost
            for position in passage:
                held[self._candidates.terms.columns[self._candidates.terms.row(position)]] = True
        return [DigestPart(part=self._body[number][0], positions=chosen[number]) for number in sorted(chosen)]

    def _best_of(self, number: int) -> tuple[float, tuple[int, ...]] | None:
        """The best passage of a part with what it is worth: a sentence, with those it leans on."""
        candidates, structure = self._candidates, self._structure
        places = self._body[number][1]
        named = self._named[number]
        inside = set(places.tolist())
        best = self._answer(number)
        if best is not None:
            return best
        for place, position in enumerate(places.tolist()):
            text = candidates.sentences[position].text[int(structure.offset[position]) :]
            # What a word inside it points at, the heading may name.
            first = int(structure.first_by_opening[position])
            if place == 0 and _NEXT_THING.match(text):
                first = position
            if first < 0 or not self._is_open[position]:
                continue
            passage = tuple(range(first, position + 1))
            length = sum(self._num_words[first : position + 1])
            if length > _LONGEST or self._num_words[position] < _SHORTEST or not inside.issuperset(passage):
                continue
            salience = _SALIENCE * float(self._standard[position])
            beginning = _FIRST * float(np.exp(-place / 4)) + 0.3 * float(candidates.opens_paragraph[first])
            brevity = _A_WORD * max(0, length - _BRIEF) - 0.5 * (len(passage) - 1)
            points = _POINTS * (structure.first[position] != structure.first_by_opening[position])
            # Most sentences cannot win, whatever they say; a little is left for rounding.
            rest = salience + beginning + brevity + points
            least = best[0] - rest - 1e-6 if best else -math.inf
            if least > _MOST_WORTH:
                continue
            opening = candidates.sentences[first].text[int(structure.offset[first]) :]
            worth = _worth(opening, named, least)
            if worth is None:
                continue
            value = worth + salience
            value += beginning
            value += brevity
            value += points
            if best is None or value > best[0]:
                best = value, passage
        return best

    def _answer(self, number: int) -> tuple[float, tuple[int, ...]] | None:
        """The first sentence under a heading that asks, with the second where both are short."""
        part, places = self._body[number]
        if not _QUESTION.search(part.heading):
            return None
        first, second = int(places[0]), int(places[min(1, len(places) - 1)])
        is_brief = _BRIEF_ANSWER.match(self._candidates.sentences[first].text) is not None
        if not is_brief and int(self._candidates.num_words[places].sum()) > _TOLD_AT_ONCE:
            return None
        both = self._num_words[first] + self._num_words[second]
        if second == first + 1 and self._is_open[second] and (is_brief or both <= _QUOTED_ANSWER):
            passage: tuple[int, ...] = (first, second)
        else:
            passage = (first,)
        stands = int(self._structure.first_by_opening[first]) == first and self._is_open[first]
        length = sum(self._num_words[position] for position in passage)
        if length > _LONGEST or not (stands or (is_brief and len(passage) > 1)):
            return None
        return _ANSWER + _A_WORD * max(0, length - _BRIEF), passage

    def _repeats(self, passage: Sequence[int], held: BoolArray) -> bool:
        terms = self._candidates.terms
        columns = np.concatenate([terms.columns[terms.row(each)] for each in passage])
        return bool(len(columns) and held[columns].mean() > 0.75)


def _worth(text: str, named: Mapping[str, float], least: float = -math.inf) -> float | None:
    """What the wording of a sentence is worth under a heading of these terms: ``_MOST_WORTH`` at most.

    ``None`` where that is less than ``least``, as far as it is found out early.
    """
    whole = max(1e-9, sum(named.values()))
    found = _content(text) & named.keys()
    shared = sum(named[term] for term in found) / whole
    subject = 0.0
    if found:
        opening = _content(" ".join(text.split()[:10]))
        subject = sum(named[term] for term in opening & named.keys()) / whole
    if _NAMES * shared + _DEFINES * subject + _SAYS_WHAT < least:
        return None
    return (
        _NAMES * shared
        + _DEFINES * subject
        + _SAYS_WHAT * (_TELLS_WHAT.match(text) is not None)
        + _ASIDE * (_is_step(text) or _IMPERATIVE.match(text) is not None)
        + _STEP_ON * (_WE.search(f" {text}") is not None)
        + _CODE * min(2, len(_CODE_WORD.findall(text))) / 2
    )


def _is_step(text: str) -> bool:
    return _STEP.search(f" {text.lower()}") is not None


def _content(text: str) -> set[str]:
    return {stem(term) for term in split_terms(text) if not is_function_word(term)}
