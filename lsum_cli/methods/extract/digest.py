"""A digest of a document by its parts: what it is, then of each main part what it says.

A manual, a page of a tutorial or a book of chapters has no sentence that sums it up, and its most salient
sentences are details of whatever it treats at greatest length. Its headings say what it is about; under each
a reader wants the one sentence that defines the thing in the heading, or says what the part does.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.answers import (
    answers_questions,
    below_question,
    grants,
    is_brief,
    opening_of_answer,
    whole_answer,
    with_qualification,
)
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import Part, divide
from lsum_cli.methods.extract.kinds import plain_heading, releases_of_readme, shown_heading
from lsum_cli.methods.extract.ranking.part_ranker import WORTH_QUOTING, PartRanker, says_nothing_new
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.sentences.boilerplate import (
    begins_clauses,
    is_boilerplate,
    stands_under_calls,
)
from lsum_cli.methods.extract.sentences.gist import is_opening_heading, is_thesis, prefaces
from lsum_cli.methods.extract.sentences.wording import (
    Subject,
    announces_whole,
    is_entry,
    is_metadiscourse,
    is_step,
    says_what,
)
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.reading.questions import asks
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, quantile

# A document of fewer parts has no digest; where much stands before the first heading, two are enough.
_LEAST_PARTS = 3
# The share of the words that the opening may take: its own share of the document, within these.
_LEAST_OF_OPENING, _MOST_OF_OPENING = 0.3, 0.5
_LEAST_WORDS_OF_OPENING, _MOST_WORDS_OF_OPENING = 60, 90
_FEW_WORDS, _FIRST_LINES = 120, 12
# Words of a part below which nothing need be quoted of it.
_LEAST_OF_A_PART = 30
# Of as many sentences as an opening may have the others say little.
_MOST_SENTENCES_OF_OPENING = 4
# What the opening counts for saying what the thing is, for its place, for being an aside.
_SAYS_WHAT, _FIRST, _ASIDE = 1.2, 1.8, -3.0
# A sentence that says of what it begins with what kind of thing that is.
_DEFINES = regex(
    r"[^,;:]{1,60}? (?:is|are) (?:an?|the|one of)\b"
    r"(?! (?:[\w-]+ )?(?:result|same|case|reason|following|task|problem)\b)"
)
# A part of a long document is quoted where its best passage scores so much, however many words are left.
_LEAST_WORTH = 2.6
# The same where it names less than so much of what the heading does. Of parts with such a score readers would
# quote a third; the others are better named among the sections.
_LEAST_UNNAMED, _LEAST_NAMED = 3.65, 0.3
# What a passage must be worth for words that are left; how much less it is for each that is quoted of its
# part, and how much more where it goes on from that.
_LEAST_OF_MORE, _QUOTED, _GOES_ON = 3.0, 0.6, 0.7
# The words in which a chapter of a text that argues makes one point.
_WORDS_OF_A_POINT = 1_500
# What a part's share of the document counts when the words do not suffice for all.
_SIZE = 0.5
# A book of so many chapters is told without its appendices.
_ENOUGH_CHAPTERS, _APPENDIX = 4, regex(r"appendi(?:x|ces)\b", re.IGNORECASE)
# A part of so many sections and words is told by their headings, after what introduces it.
_FEWEST_SECTIONS, _LEAST_OF_SECTIONS = 3, 300
# Where nothing introduces them, the first of them tells what the part begins with if that scores so much.
# Of so many it speaks for the others only if it names what the heading of the part does.
_LEAST_OF_A_SECTION, _MANY_SECTIONS = 3.4, 8
# Of the sections of a part that only they tell so many are quoted.
_MOST_OF_SECTIONS = 2
# A passage so many of whose terms are quoted already says nothing new.
_MOST_HELD = 0.75

# Of a digest around what says most: how many parts must be quoted, and how many sentences at most of what
# stands before them and of each; the words of a sentence of a part, which may be longer where the tenth
# of the sentences are, as in a contract.
_LEAST_QUOTED, _MOST_BEFORE, _MOST_OF_A_PART = 3, 4, 3
# A part that is much of the text has more, up to so much of its share of the words.
_FILLED = 0.35
_SHORTEST_AROUND, _LONGEST_AROUND, _NOT_LONGEST = 7, 45, 0.9

# What the part of a policy counts more whose sentence obliges or permits. Of parts that readers were shown
# they wanted 0.9 quoted by such a sentence where they wanted 0.57 by another one of the same score.
_RULE = 0.5
_RULES = regex(
    r"\b(?:must|shall|may not|may only|(?:has|have) to be|(?:is|are) (?:\w+ly )?(?:not )?(?:required|expected"
    r"|permitted|allowed|prohibited|forbidden|obligated|obliged|responsible|entitled|eligible|banned)"
    r"|unacceptable|not acceptable|rights? (?:and responsibility )?to|may (?:face|receive))\b",
    re.IGNORECASE,
)

# Searched for after a space is put before the text, as what reports is.
_WE = regex(r"\W(?:[Ww]e|[Oo]ur|us|I|[Mm]y)\b(?! (?:can|may|must|should|need)\b)")
# Who said what: news is summarised by its beginning, whatever headings stand between.
_REPORTS = regex(
    r"\W(?:said|told|says|according to|announced|accused|denied|added that|spokes(?:man|woman|person)"
    r"|reportedly|officials?)\b"
)
_MOST_REPORTS, _MOST_REPORTS_AROUND = 0.12, 0.06
# Headings that name no subject.
_NO_SUBJECT = regex(
    r"notes?|important|warnings?|cautions?|tips?|info|synopsis|see also|examples?|(?:examples? )?usage"
    r"|summary of .*"
    r"|exercises?|quiz|questions|resources|links|external links|related .*|further .*|status"
    r"|version|(?:appendix \w+[.:]? )?(?:version|revision|change|document) history|preface to .*"
    r"|history of .*|authors?(?:['’] address(?:es)?)?|contact|feedback|contributors|what['’]s next|next steps"
    # What changed in a version, below what a readme tells of the thing: "Version 1.4 (May 2 2016)".
    r"|(?:version |release )?v?\d+(?:\.\d+)+ .*\b(?:19|20)\d\d\b.*"
    r"|license|copyright|credits|bugs|reporting bugs|.*\bindex|table of contents|on this page|navigation"
    # How the text is written, not what it is about.
    r"|key words|notations?(?: and (?:conventions?|terminology))?"
    r"|(?:(?:typographic(?:al)?|document(?:ation)?|notational) )?conventions(?: (?:and notations?|used\b.*))?"
    r"|thanks|comments|.*\b(?:copyrights?|trademarks?|licen[cs]es?)(?: terms)?"
    r"|.*\blegal (?:section|notices?|information)|translations of .*|portions|.*\bglossary"
    r"|copying(?: conditions)?|(?:obtaining|getting) (?!started)[\w.+-]+|how to (?:read|use) this .*"
    r"|(?:the )?final code|(?:.* )?(?:exercise|example|attribution)s?|.* examples in this \w+",
    re.IGNORECASE,
)
# What each word of an answer costs: the shorter they are, the more are told.
_WORD = 0.025
# What an answer under a question scores that is quoted whole, or by what it begins with.
_ANSWER = 6.0


# Whether a part is below another one, what its passage is worth, the lower the better, which part it is of,
# and the positions.
_Found = tuple[bool, float, int, tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class DigestPart:
    """A part of the document and the positions of what is quoted of it.

    Attributes:
        sections: The headings of what is in it, where those tell more than a sentence of one of them.
    """

    part: Part
    positions: tuple[int, ...]
    sections: tuple[str, ...] = ()


class _Told(NamedTuple):
    """What a part can be told by.

    Attributes:
        places: The positions of what introduces it, or of all of it.
        sections: The headings of its sections, where these are named.
        inner: The heading of each of them, and the positions of its sentences.
    """

    places: IntArray
    sections: tuple[str, ...] = ()
    inner: tuple[tuple[str, IntArray], ...] = ()

    @property
    def first(self) -> IntArray:
        """The positions of the first section."""
        return self.inner[0][1] if self.inner else self.places[:0]


@dataclass(frozen=True, kw_only=True)
class Digest:
    """What is quoted of the beginning, which has no heading, and of each part."""

    opening: tuple[int, ...]
    parts: tuple[DigestPart, ...]

    @property
    def positions(self) -> list[int]:
        """All that is quoted, in order."""
        return sorted((*self.opening, *(position for each in self.parts for position in each.positions)))


def digest(
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: Scores,
    num_words: int,
    eligible: BoolArray | None = None,
    *,
    is_book: bool = False,
    own: Sequence[int] = (),
    names_sections: bool = True,
) -> Digest | None:
    """Digest a document in so many words; ``None`` where it has too few parts that can be quoted.

    For documents that are summarised by parts alone; where what says most of the whole is known as well, see
    :func:`digest_around`.

    Args:
        scores: That of each sentence in the whole.
        eligible: Which sentences may be quoted.
        is_book: Whether to divide by chapters.
        own: The positions of the document's own summary, which is the opening.
        names_sections: Whether a part may be told by the headings in it, which take room beside the words.
    """
    reports = sum(_REPORTS.search(f" {sentence.text}") is not None for sentence in candidates.sentences)
    is_faq = answers_questions(document)
    division = divide(document, is_book=is_book, is_faq=is_faq)
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
    calls = stands_under_calls(candidates) | releases_of_readme(candidates)
    opening: list[int] = []
    body: list[tuple[Part, IntArray]] = []
    num_chapters = sum(not _APPENDIX.match(part.heading) for part in division.parts)
    for part, places in zip(division.parts, rows, strict=True):
        heading = plain_heading(part.heading)
        if part.is_silent and not part.is_headed and not body:
            # A title page may say what the book is about, below who wrote it and who may copy it.
            opening += [place for place in places.tolist() if _is_of_book(candidates, place)]
        if part.is_silent or not len(places) or _NO_SUBJECT.fullmatch(heading) or calls[places].all():
            continue
        if begins_clauses(part.heading):
            break
        if num_chapters >= _ENOUGH_CHAPTERS and _APPENDIX.match(part.heading):
            continue
        # What stands before the first heading, under the title or in an introduction; else a few lines that
        # the first heading has.
        is_first = not part.is_headed or is_opening_heading(heading, title)
        is_first |= not opening and int(candidates.num_words[places].sum()) <= _FEW_WORDS
        if not body and is_first and not asks(part.heading):
            # Not what the sections below an introduction treat, if it says anything itself.
            first = places[candidates.section[places] == candidates.section[places[0]]]
            may_tell = first[(structure.stands_alone & is_open)[first]]
            says_anything = not all(
                _is_about_the_text(candidates, structure, position) for position in may_tell
            )
            opening += (first if says_anything else places[:_FIRST_LINES]).tolist()
        else:
            body.append((part, places))
    words = np.array([int(candidates.num_words[places].sum()) for _, places in body])
    before = int(candidates.num_words[opening].sum())
    least = _LEAST_PARTS - (before > _LEAST_WORDS_OF_OPENING)
    # An answer of a few words is one.
    of_a_part = 1 if is_faq else _LEAST_OF_A_PART
    if (words >= of_a_part).sum() < least:
        return None
    opening = [
        position
        for position in opening
        if not _is_about_the_text(candidates, structure, position)
        and not is_boilerplate(candidates.sections[position])
        # What a chapter treats, in a list, does not say what the thing is.
        and not candidates.sentences[position].is_item
    ]
    quoted = [position for position in own if is_open[position]] or _choose_opening(
        candidates, structure, scores.values, opening, is_open, num_words
    )
    budget = num_words - int(candidates.num_words[quoted].sum())
    held = np.zeros(candidates.terms.num_terms, bool)
    held[candidates.terms.columns_of(quoted)] = True
    introduced = _introduced(candidates, document, body, names_sections=names_sections)
    parts = _Parts(
        candidates, document.title, structure, scores, body, introduced, eligible, is_faq=is_faq
    ).choose(quoted, held, budget, least)
    # Headings alone say too little of a book.
    is_told = len(parts) >= least - 1 and (quoted or any(each.positions for each in parts))
    return Digest(opening=tuple(quoted), parts=tuple(parts)) if is_told else None


def _is_of_book(candidates: Candidates, position: int) -> bool:
    """Whether a sentence says what the whole text is about, or what the thing is that its title names."""
    text, title = candidates.sentences[position].text, candidates.titles[position]
    return announces_whole(text) or (says_what(text) and Subject.of(title).share_named(text) > 0)


def _is_about_the_text(candidates: Candidates, structure: Structure, position: int) -> bool:
    """Whether a sentence is about the text, and does not say what the whole of it is about."""
    # "Note: This edition …" is quoted without its label.
    text = candidates.sentences[position].text[int(structure.offset[position]) :]
    return is_metadiscourse(text) and not announces_whole(text)


def _introduced(
    candidates: Candidates, document: Document, body: Sequence[tuple[Part, IntArray]], *, names_sections: bool
) -> list[_Told]:
    """Of each part of several sections what introduces them, and their headings.

    Of another part, and where sections are not named, all of it and no headings.
    """
    if not names_sections:
        return [_Told(places) for _, places in body]
    from lsum_cli.methods.extract.section_tree import sections_within

    found: list[_Told] = []
    inner = sections_within(document, [part for part, _ in body])
    number_of = {id(section): number for number, section in enumerate(document.sections)}
    for (_, places), sections in zip(body, inner, strict=True):
        headings = tuple(dict.fromkeys(shown_heading(section.heading or "") for section in sections))
        words = int(candidates.num_words[places].sum())
        if len(headings) < _FEWEST_SECTIONS or words < _LEAST_OF_SECTIONS:
            found.append(_Told(places))
            continue
        # They may have no sentences but those of the sections in them.
        begins = [
            next(
                sentence.index
                for each in document.sections[number_of[id(section)] :]
                for sentence in each.sentences
            )
            for section in sections
        ]
        indices = np.array([candidates.sentences[place].index for place in places.tolist()])
        before, *within = np.split(places, np.searchsorted(indices, begins))
        stretches = [
            (section.heading or "", own) for section, own in zip(sections, within, strict=True) if len(own)
        ]
        found.append(_Told(before, headings, tuple(stretches)))
    return found


def _best_of_first_section(
    ranker: PartRanker, heading: str, title: str, told: _Told, eligible: BoolArray | None
) -> tuple[float, tuple[int, ...]] | None:
    """What the first section says best, where it is worth telling the part that nothing else introduces."""
    for value, passage in ranker.ranked(heading, told.first, eligible):
        if value <= _LEAST_OF_A_SECTION:
            break
        text = ranker.candidates.sentences[passage[-1]].text
        speaks_for_all = len(told.sections) <= _MANY_SECTIONS or _names_subject(text, heading, title)
        if speaks_for_all and not is_metadiscourse(text):
            return value, passage
    return None


def _names_subject(text: str, heading: str, title: str) -> bool:
    """Whether a sentence names what a heading does, but for what the title names, which every part treats."""
    subject = Subject.of(heading)
    subject = subject._replace(terms=subject.terms - Subject.of(title).terms)
    return bool(subject.terms) and subject.share_named(text) >= _LEAST_NAMED


def digest_around(
    core: Sequence[int],
    candidates: Candidates,
    document: Document,
    structure: Structure,
    scores: Scores,
    num_words: int,
    eligible: BoolArray | None = None,
    *,
    lists: Sequence[int] = (),
    own: Sequence[int] = (),
    is_shortened: bool = False,
    names_sections: bool = True,
) -> Digest | None:
    """A digest around what the whole comes to: that, and a sentence of each main part that it leaves out.

    ``None`` where the document has too few parts of which something can be quoted, or reports the news.

    Args:
        core: The positions of what says most of the whole.
        scores: What a reader would prefer.
        num_words: The most words of the digest.
        eligible: Which sentences may be quoted.
        lists: The positions of lists that are quoted whole besides.
        own: The document's own summary among them, which stays whole.
        is_shortened: Whether they are those of a longer digest, so that fewer parts will do.
        names_sections: Whether a part may be told by the headings in it, which take room beside the words.
    """
    body = parts_to_quote(candidates, document, own)
    if not body:
        return None
    values = scores.values
    standard = (values - values.mean()) / max(1e-9, float(values.std()))
    before = np.arange(body[0][1][0])
    quotable = {*before.tolist(), *(place for _, places in body for place in places.tolist())}
    besides = _thinned(
        # What is of no part, as where the text was taken from, says nothing of the whole either. The own
        # summary of the document is not thinned, nor takes the room of others.
        [position for position in core if position in quotable and position not in own],
        [
            (before, 0 if own else _MOST_BEFORE),
            *((places, _most_of(places, candidates, structure, num_words)) for _, places in body),
        ],
        structure,
        standard,
    )
    core = sorted({*besides, *own, *quotable.intersection(lists)})
    chosen = set(core)
    held = np.zeros(candidates.terms.num_terms, bool)
    held[candidates.terms.columns_of(core)] = True
    ranker = PartRanker(candidates, structure, scores)
    lengths = candidates.num_words[structure.is_presentable]
    longest = max(_LONGEST_AROUND, quantile(lengths, _NOT_LONGEST) if len(lengths) else 0.0)
    best: list[tuple[float, tuple[int, ...], str]] = []
    introduced = _introduced(candidates, document, body, names_sections=names_sections)
    asked = [(part.heading, told.places) for (part, _), told in zip(body, introduced, strict=True)]
    for heading, places in [(document.title or "", before), *asked]:
        words = int(candidates.num_words[places].sum())
        told = _tells_thing(candidates, structure, before, chosen) if places is before else places[:0]
        if eligible is not None:
            told = told[eligible[told]]
        if len(told) and chosen.isdisjoint(told.tolist()):
            best.append((math.inf, (int(told[0]),), heading))
            continue
        if chosen.intersection(places.tolist()) or (words < _LEAST_OF_A_PART and places is not before):
            continue
        for value, passage in ranker.ranked(heading, places, eligible):
            if value <= WORTH_QUOTING - _RULE:
                break
            length = int(candidates.num_words[list(passage)].sum())
            text = candidates.sentences[passage[-1]].text
            value += _RULE * (_RULES.search(text) is not None)
            if value <= WORTH_QUOTING or not _SHORTEST_AROUND <= length <= longest:
                continue
            if is_metadiscourse(text) and not (places is before and announces_whole(text)):
                continue
            # What stands before the parts says what the whole is.
            best.append(
                (value + (math.inf if places is before else _SIZE * math.log(words)), passage, heading)
            )
            break
    told_so_far = chosen.union(*(passage for _, passage, _ in best))
    for (part, places), by in zip(body, introduced, strict=True):
        if told_so_far.isdisjoint(places.tolist()):
            found = _best_of_first_section(ranker, part.heading, document.title or "", by, eligible)
            if found is not None:
                best.append((found[0] + _SIZE * math.log(len(places)), found[1], part.heading))
    budget = num_words - int(candidates.num_words[core].sum())
    familiar: list[tuple[int, ...]] = []
    for _, passage, heading in sorted(best, key=lambda each: (-each[0], each[1])):
        length = int(candidates.num_words[list(passage)].sum())
        # The line that says what the thing is stands above all that says more of it.
        known = np.zeros_like(held) if structure.is_tagline[passage[-1]] else held
        if says_nothing_new(candidates, passage, heading, known, _MOST_HELD):
            familiar.append(passage)
        elif length <= budget:
            chosen.update(passage)
            held[candidates.terms.columns_of(passage)] = True
            budget -= length
    for passage in _in_familiar_words(familiar, chosen, candidates, budget):
        chosen.update(passage)
        budget -= int(candidates.num_words[list(passage)].sum())
    _tell_more(chosen, held, ranker, asked, eligible, budget)
    quoted = [
        DigestPart(
            part=part, positions=tuple(sorted(chosen.intersection(places.tolist()))), sections=told.sections
        )
        for (part, places), told in zip(body, introduced, strict=True)
    ]
    parts = tuple(each for each in quoted if each.positions or each.sections)
    quoted_of_parts = {position for _, places in body for position in places.tolist()}
    if len(parts) < _LEAST_QUOTED and not is_shortened:
        return None
    return Digest(opening=tuple(sorted(chosen - quoted_of_parts)), parts=parts)


def _tells_thing(
    candidates: Candidates, structure: Structure, before: IntArray, chosen: Set[int]
) -> IntArray:
    """Of what stands before the parts the line that says what the thing is, or else what defines it first.

    No more where a chosen sentence does.
    """
    told = before[structure.is_tagline[before]]
    if len(told):
        return told
    defining = [
        position
        for position in before.tolist()
        if _DEFINES.match(candidates.sentences[position].text) and _is_of_thing(candidates, position)
    ]
    if not chosen.isdisjoint(defining):
        return told
    stands, section = structure.stands_alone & structure.is_own, candidates.section
    opens = [each for each in defining if stands[each] and (not each or section[each] != section[each - 1])]
    return np.array(opens, np.int64)


def _in_familiar_words(
    passages: Sequence[tuple[int, ...]], quoted: Collection[int], candidates: Candidates, budget: int
) -> Iterator[tuple[int, ...]]:
    """Those of the passages that no quoted sentence alone says, as far as the words that are left allow.

    Much that is quoted has most of the words of a subject; what a part says in them may yet be new.

    Args:
        passages: The best one of each part that is not quoted, the best part first.
        quoted: The positions of what is quoted.
        budget: The words that are left.
    """
    told = [{*candidates.terms.columns_of([position]).tolist()} for position in quoted]
    for passage in passages:
        length = int(candidates.num_words[list(passage)].sum())
        terms = {*candidates.terms.columns_of(passage).tolist()}
        if length <= budget and all(len(terms & each) <= _MOST_HELD * len(terms) for each in told):
            yield passage
            told.append(terms)
            budget -= length


def _tell_more(
    chosen: set[int],
    held: BoolArray,
    ranker: PartRanker,
    parts: Sequence[tuple[str, IntArray]],
    eligible: BoolArray | None,
    budget: int,
) -> None:
    """Add to what is quoted of the parts, as far as the words that are left allow.

    Args:
        chosen: The positions of what is quoted; those of what is added are added.
        held: Which terms that has; those of what is added are added.
        ranker: What is worth quoting of a part.
        parts: The heading of each, and the positions of its sentences.
        eligible: Which sentences may be quoted.
        budget: The words that are left.
    """
    candidates = ranker.candidates
    found: list[tuple[float, float, int, tuple[int, ...]]] = []
    for number, (heading, places) in enumerate(parts):
        words = int(candidates.num_words[places].sum())
        for value, passage in ranker.ranked(heading, places, eligible) if words >= _LEAST_OF_A_PART else ():
            if value <= _LEAST_OF_MORE:
                break
            if not is_metadiscourse(candidates.sentences[passage[-1]].text):
                found.append((value, _SIZE * math.log(words), number, passage))
    quoted = [len(chosen.intersection(places.tolist())) for _, places in parts]
    while found:
        worth = [
            value - _QUOTED * quoted[number] + _GOES_ON * (passage[0] - 1 in chosen)
            for value, _, number, passage in found
        ]
        best = max(range(len(found)), key=lambda at: (worth[at] > _LEAST_OF_MORE, worth[at] + found[at][1]))
        if worth[best] <= _LEAST_OF_MORE:
            return
        _, _, number, passage = found.pop(best)
        added = [position for position in passage if position not in chosen]
        length = int(candidates.num_words[added].sum())
        if (
            passage[-1] in chosen
            or length > budget
            or says_nothing_new(candidates, added, parts[number][0], held, _MOST_HELD)
        ):
            continue
        chosen.update(added)
        held[candidates.terms.columns_of(added)] = True
        quoted[number] += 1
        budget -= length


def _most_of(places: IntArray, candidates: Candidates, structure: Structure, num_words: int) -> int:
    """How many sentences of a part may be quoted: more of one that is much of the text."""
    share = float(candidates.num_words[places].sum()) / max(1, int(candidates.num_words.sum()))
    lengths = candidates.num_words[places][structure.is_presentable[places]]
    mean = float(lengths.mean()) if len(lengths) else math.inf
    return max(_MOST_OF_A_PART, int(_FILLED * share * num_words / mean))


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
            # The antecedent of another one stays.
            if not any(int(structure.first[each]) <= position < each for each in own):
                own.remove(position)
                kept.remove(position)
    return sorted(kept)


def parts_to_quote(
    candidates: Candidates, document: Document, own: Sequence[int] = ()
) -> list[tuple[Part, IntArray]]:
    """The main parts of a document with the positions of their sentences, after what introduces them.

    None where it is not divided by its headings, or reports the news. An introduction is a part where the
    document's own summary, whose positions are given, stands elsewhere.
    """
    reports = sum(_REPORTS.search(f" {sentence.text}") is not None for sentence in candidates.sentences)
    division = divide(document)
    if reports > _MOST_REPORTS_AROUND * len(candidates) or division.kind != "sections":
        return []
    position_of = {sentence.index: place for place, sentence in enumerate(candidates.sentences)}
    title = plain_heading(document.title)
    calls = stands_under_calls(candidates) | releases_of_readme(candidates)
    body: list[tuple[Part, IntArray]] = []
    for part in division.parts:
        places = np.array([position_of[at] for at in part.sentences if at in position_of], np.int64)
        if begins_clauses(part.heading):
            break
        heading = plain_heading(part.heading)
        opens = not body and is_opening_heading(heading, title)
        introduces = not part.is_headed or (opens and (not own or not {*own}.isdisjoint(places.tolist())))
        if part.is_silent or introduces or _NO_SUBJECT.fullmatch(heading):
            continue
        if len(places) and not calls[places].all():
            body.append((part, places))
    return body


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
    # Nothing rather than what has no antecedent that can be shown.
    mask &= is_open & structure.is_presentable & (structure.first >= 0)
    if not mask.any():
        return []
    share = float(candidates.num_words[list(opening)].sum() / max(1, candidates.num_words.sum()))
    share = min(_MOST_OF_OPENING, max(_LEAST_OF_OPENING, share))
    budget = min(_MOST_WORDS_OF_OPENING, num_words, max(_LEAST_WORDS_OF_OPENING, int(share * num_words)))
    texts = [sentence.text for sentence in candidates.sentences]
    says = np.array([is_thesis(text) or announces_whole(text) for text in texts], bool)
    asides = np.array([is_step(text) for text in texts], float)
    # What the authors did does not say what the thing is.
    defines = mask & (says | structure.is_tagline)
    for position in np.flatnonzero(mask & ~says).tolist():
        defines[position] = _WE.search(f" {texts[position]}") is None
    # Where nothing says what the thing is, the parts begin.
    is_of_thing = says | structure.is_tagline | structure.gist.is_own_summary
    for position in np.flatnonzero(defines & ~is_of_thing).tolist():
        is_of_thing[position] = _is_of_thing(candidates, position)
    if not (defines & is_of_thing).any():
        return []
    # A section that says nothing of it treats something else.
    told_in = candidates.section[defines & is_of_thing]
    mask = defines & np.isin(candidates.section, told_in)
    # A preface tells how the text came about; what the thing is an introduction after it tells, or an
    # abstract.
    is_preface = np.array([prefaces(section.heading) for section in candidates.sections], bool)
    for preferred in (~is_preface | says | structure.is_tagline, structure.gist.is_own_summary):
        if (mask & preferred & is_of_thing).any():
            mask = mask & preferred
    place = np.zeros(len(candidates))
    place[list(opening)] = np.exp(-np.arange(len(opening)) / 5)
    scores = scores + float(scores.std()) * (_ASIDE * asides + _FIRST * place + _SAYS_WHAT * says)
    chosen = select(candidates, scores, budget, mask, structure, as_suits=True, is_read=True)
    chosen = [position for position in chosen if structure.is_presentable[position]]
    # What does not name the thing is left out first.
    told = scores + float(np.ptp(scores)) * is_of_thing
    return _thinned(chosen, [(np.array(opening), _MOST_SENTENCES_OF_OPENING)], structure, told)


def _is_of_thing(candidates: Candidates, position: int) -> bool:
    """Whether a sentence names the thing, or says what something is where the thing is introduced."""
    text, title = candidates.sentences[position].text, candidates.titles[position]
    heading = candidates.sections[position].heading or ""
    if Subject.of(title).share_named(text) > 0:
        return True
    introduces = not heading or is_opening_heading(plain_heading(heading), plain_heading(title))
    return introduces and (says_what(text) or Subject.of(heading).share_named(text) > 0)


class _Parts:
    """The parts of a document, each with the passage that says most of it."""

    def __init__(
        self,
        candidates: Candidates,
        title: str | None,
        structure: Structure,
        scores: Scores,
        body: Sequence[tuple[Part, IntArray]],
        introduced: Sequence[_Told],
        eligible: BoolArray | None,
        *,
        is_faq: bool,
    ) -> None:
        self._candidates, self._structure, self._is_faq = candidates, structure, is_faq
        self._sizes = np.array([int(candidates.num_words[places].sum()) for _, places in body], float)
        self._body = [(part, told.places) for (part, _), told in zip(body, introduced, strict=True)]
        self._all_of = [places for _, places in body]
        self._told = introduced
        self._title = title or ""
        self._ranker, self._eligible = PartRanker(candidates, structure, scores), eligible
        self._is_open = structure.is_presentable & structure.is_own
        if eligible is not None:
            self._is_open = self._is_open & eligible

    def choose(self, opening: Sequence[int], held: BoolArray, budget: int, least: int) -> list[DigestPart]:
        """The best passages, the greater parts first where the words do not suffice for all.

        Args:
            opening: The positions of what is quoted of the beginning.
            held: Which terms are quoted already; those of the passages are added.
            budget: The words that they may have.
            least: How many parts must be worth it, or any will do.
        """
        best: list[_Found] = []
        trifling: set[int] = set()
        for number, (part, places) in enumerate(self._body):
            found = self._answer(number) or next(self._passages(part.heading, places), None)
            if found is not None and self._is_faq and found[0] < _ANSWER and asks(part.heading):
                found = self._conclusion(*found, places)
            in_section = None
            if found is None or found[0] <= _LEAST_WORTH:
                in_section = _best_of_first_section(
                    self._ranker, part.heading, self._title, self._told[number], self._eligible
                )
            found = in_section or found
            if found is not None and found[0] > _LEAST_WORTH:
                value, passage = found
                best.append(
                    (part.level > 1, -value - _SIZE * math.log1p(self._sizes[number]), number, passage)
                )
                if in_section is None and not self._is_worth_it(number, value, passage):
                    trifling.add(number)
        unnamed = sum(not self._told[number].sections for number in trifling)
        if len(best) - unnamed >= least:
            best = [each for each in best if each[2] not in trifling]
        else:
            trifling.clear()
        quoted: set[int] = set()
        familiar: list[tuple[int, ...]] = []
        for _, _, number, passage in self._in_turn(best):
            cost = int(self._candidates.num_words[list(passage)].sum())
            heading = self._body[number][0].heading
            if says_nothing_new(self._candidates, passage, heading, held, _MOST_HELD):
                familiar.append(passage)
            elif cost <= budget:
                quoted.update(passage)
                budget -= cost
                held[self._candidates.terms.columns_of(passage)] = True
        for passage in _in_familiar_words(familiar, {*opening, *quoted}, self._candidates, budget):
            quoted.update(passage)
            budget -= int(self._candidates.num_words[list(passage)].sum())
        if not self._is_faq:
            budget = self._tell_sections(quoted, held, budget)
        # Where headings tell a part, its answers are not among what there would be room for.
        if self._is_faq and not any(told.sections for told in self._told):
            rest = {place for _, own in self._body for place in own[self._is_open[own]].tolist()} - quoted
            if int(self._candidates.num_words[sorted(rest)].sum()) <= budget:
                # There is room for all that is answered.
                quoted |= rest
        # An answer is quoted whole.
        more = [
            (part.heading, stretch)
            for number, (part, own) in enumerate(self._body)
            if number not in trifling and not asks(part.heading)
            for stretch in self._stretches(own)
        ]
        _tell_more(quoted, held, self._ranker, more, self._eligible, budget)
        told = [
            DigestPart(
                part=part, positions=tuple(sorted(quoted.intersection(own.tolist()))), sections=by.sections
            )
            for (part, _), own, by in zip(self._body, self._all_of, self._told, strict=True)
        ]
        return [each for each in told if each.positions or each.sections]

    def _in_turn(self, best: Sequence[_Found]) -> list[_Found]:
        """The best passages in the order in which they are given room; of groups of questions in turn."""
        if not self._is_faq:
            return sorted(best)
        num_words, taken = self._candidates.num_words, Counter[str]()
        turns: list[tuple[int, float, _Found]] = []
        for value, found in sorted(
            (worth + _WORD * int(num_words[list(passage)].sum()), (is_below, worth, number, passage))
            for is_below, worth, number, passage in best
        ):
            above = self._body[found[2]][0].above
            turns.append((taken[above], value, found))
            taken[above] += 1
        return [found for *_, found in sorted(turns)]

    def _conclusion(
        self, value: float, passage: tuple[int, ...], places: IntArray
    ) -> tuple[float, tuple[int, ...]] | None:
        """What a long answer comes to, if it clearly says that, with what takes some of it back."""
        text = self._candidates.sentences[passage[-1]].text
        if value <= WORTH_QUOTING or grants(text) or text.endswith(":"):
            return None
        passage = with_qualification(self._candidates, self._structure, passage, places)
        return (value, passage) if passage else None

    def _tell_sections(self, quoted: set[int], held: BoolArray, budget: int) -> int:
        """Quote of each part of which nothing is quoted what its sections say of what they are called.

        The greater parts come before others, as far as words are left.

        Returns:
            The words that are left.
        """
        waiting = [
            (turn, -self._sizes[number], number, passage)
            for number, (told, places) in enumerate(zip(self._told, self._all_of, strict=True))
            if told.inner and quoted.isdisjoint(places.tolist())
            for turn, passage in enumerate(self._of_sections(number)[:_MOST_OF_SECTIONS])
        ]
        for *_, number, passage in sorted(waiting):
            cost = int(self._candidates.num_words[list(passage)].sum())
            heading = self._body[number][0].heading
            if cost <= budget and not says_nothing_new(self._candidates, passage, heading, held, _MOST_HELD):
                quoted.update(passage)
                held[self._candidates.terms.columns_of(passage)] = True
                budget -= cost
        return budget

    def _of_sections(self, number: int) -> list[tuple[int, ...]]:
        """The best passage of each section of a part that names what the section does, the best first."""
        found: list[tuple[float, tuple[int, ...]]] = []
        for heading, places in self._told[number].inner:
            words = int(self._candidates.num_words[places].sum())
            for value, passage in self._ranker.ranked(heading, places, self._eligible):
                if value <= _LEAST_OF_A_SECTION:
                    break
                text = self._candidates.sentences[passage[-1]].text
                # The heading of the section is not shown.
                if (
                    self._structure.stands_alone[passage[0]]
                    and self._structure.is_presentable[passage[-1]]
                    and _names_subject(text, heading, self._title)
                    and not (is_metadiscourse(text) or is_step(text) or is_entry(text))
                ):
                    found.append((value + _SIZE * math.log(words), passage))
                    break
        return [passage for _, passage in sorted(found, reverse=True)]

    def _stretches(self, places: IntArray) -> Sequence[IntArray]:
        """A part as what more is told of it: of a text that argues, a long chapter makes several points."""
        words = int(self._candidates.num_words[places].sum())
        if not self._ranker.argues or words < 2 * _WORDS_OF_A_POINT:
            return [places]
        return np.array_split(places, words // _WORDS_OF_A_POINT)

    def _is_worth_it(self, number: int, value: float, passage: Sequence[int]) -> bool:
        """Whether a part is better told by its best passage than named, with the headings in it, alone."""
        # The headings of an essay name no subject.
        if value > _LEAST_UNNAMED or self._is_faq or self._ranker.argues:
            return True
        text = self._candidates.sentences[passage[-1]].text
        return _names_subject(text, self._body[number][0].heading, self._title)

    def _passages(self, heading: str, places: IntArray) -> Iterator[tuple[float, tuple[int, ...]]]:
        """What can be quoted of a part, the best first, but for what is about the text."""
        for value, passage in self._ranker.ranked(heading, places, self._eligible):
            if not is_metadiscourse(self._candidates.sentences[passage[-1]].text):
                yield value, passage

    def _answer(self, number: int) -> tuple[float, tuple[int, ...]] | None:
        """What is quoted of the beginning of a part under a heading that asks."""
        part, places = self._body[number]
        if asks(part.heading):
            places = below_question(self._candidates, part.heading, places)
        if not len(places) or not asks(part.heading):
            return None
        passage: tuple[int, ...] = ()
        if self._eligible is None or self._eligible[places].all():
            passage = whole_answer(self._candidates, self._structure, places)
        passage = passage or opening_of_answer(self._candidates, self._structure, places, self._is_open)
        first = int(places[0])
        if not passage and is_brief(self._candidates.sentences[first].text):
            # "No." before the claim that it denies: with what the text itself says of it.
            _, point = next(self._passages(part.heading, places), (0.0, ()))
            passage = tuple(sorted({first, *point})) if point else ()
        return (_ANSWER, passage) if passage else None
