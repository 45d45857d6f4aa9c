"""The outline of documents: their parts, each with the sentence or two that say most of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import Division, Part, divide, surrounds
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind
from lsum_cli.methods.extract.plays import cast_of
from lsum_cli.methods.extract.ranking.part_ranker import PartRanker, says_nothing_new
from lsum_cli.methods.extract.ranking.salience import closeness, dialogue, standardised
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.sentences.statement_wording import Statement
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.keywords import key_phrases
from lsum_cli.text.names import Name, find_names
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, split_terms

# A part of more words than this gets a second sentence, in an outline of few parts.
_WORDS_FOR_TWO = 350
_PARTS_FOR_TWO, _CHAPTERS_FOR_TWO = 14, 40
# A text of fewer words is read as a whole.
_WORDS_OF_AN_ESSAY = 1_500
# How the salience of a sentence and its closeness to its own part are weighed.
_CLOSENESS = 1.0
# What a sentence counts for making a statement that a summary must hold: a holding, an aim, a result.
_STATEMENT = 1.5
# Where a sentence holds or orders clearly, and what it is worth as what a part of a decision comes to.
_CLEAR, _DECIDED = 1.0, 10.0
# What direct speech costs in a story: it seldom says what happens.
_DIALOGUE = 3.0
# What a sentence of a story counts for telling what somebody does, more than any other counts.
_EVENT = 100.0
# What the second sentence of a chapter must tell.
_MUCH = 2.5
# A sentence all but whose last terms are quoted already says nothing new.
_MOST_REPEATED = 0.95
# Phrases that name a part without a heading.
_MOST_PHRASES = 3
# Names listed for a chapter, and for the whole book.
_PEOPLE, _PLACES = 6, 4
_MAIN_PEOPLE, _MAIN_PLACES = 12, 8
_LEAST_NAMED = 2

QuoteAll = Callable[[Sequence[int], int], Mapping[int, SummarySentence]]
# Of a part of this number and the positions of its sentences, for the first or second time: the passages that
# can be quoted, the best first.
_Ranked = Callable[[int, IntArray, int], Iterator[tuple[float, tuple[int, ...]]]]


@dataclass(frozen=True, kw_only=True)
class Outline:
    """An outline with the sentences it quotes, in order, and what its reader should know.

    Attributes:
        entries: The parts of which anything is quoted or named, and those that hold one.
        sentences: What they quote.
        other_sections: The headings of the other parts, but for references, thanks, the cover and their like.
    """

    entries: tuple[OutlineEntry, ...]
    sentences: tuple[SummarySentence, ...]
    other_sections: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A part, with the positions of its candidates, and its name."""

    part: Part
    document: Document
    rows: IntArray
    name: str


def outline(
    candidates: Candidates,
    documents: Sequence[Document],
    structure: Structure,
    scores: Scores,
    quote_all: QuoteAll,
    *,
    num_words: int | None = None,
    eligible: BoolArray | None = None,
    first_index: int = 0,
    is_book: bool = False,
    is_story: bool = False,
) -> Outline:
    """Outline documents by their own parts.

    Args:
        candidates: The sentences of the documents.
        structure: What is known of the sentences.
        scores: That of each sentence.
        quote_all: Makes sentences of a summary from the candidates' positions and the first one's index.
        num_words: Maximum number of words quoted; by default a sentence or two for each part.
        eligible: Which sentences may be quoted; parts without one are left out, and counted.
        first_index: Index of the first sentence.
        is_book: Whether to divide by chapters.
        is_story: Whether to list people and places, and to quote events rather than dialogue.
    """
    divisions = [divide(document, is_book=is_book, is_story=is_story) for document in documents]
    rows = _rows(candidates, documents, divisions, structure)
    warnings = list(_say_division(documents, divisions))
    if eligible is not None:
        silent = sum(1 for row in rows if len(row.rows) and not eligible[row.rows].any())
        rows = [row for row in rows if eligible[row.rows].any()] or rows
        if silent and len(rows):
            warnings.append(f"{silent} of {silent + len(rows)} parts say nothing about the focus: left out")
    chosen = _choose(candidates, rows, structure, scores, num_words, eligible, is_story)
    cast = Cast.of(documents[0], [row.part for row in rows]) if is_story else None
    entries: list[OutlineEntry] = []
    sentences: list[SummarySentence] = []
    if cast is not None and (cast.people or cast.places):
        entries.append(cast.of_book(documents[0], _pdf_pages(candidates, np.arange(len(candidates)))))
    for number, row in enumerate(rows):
        if not (chosen[number] or row.part.is_headed):
            continue
        quoted = quote_all(chosen[number], first_index + len(sentences)).values()
        sentences += quoted
        people, places = cast.of_part(row.part) if cast is not None else ((), ())
        entries.append(
            OutlineEntry(
                heading=row.name,
                level=row.part.level + (1 if entries and entries[0].people and cast is not None else 0),
                document_id=row.document.id,
                pdf_pages=_pdf_pages(candidates, row.rows),
                sentences=tuple(quoted),
                people=people,
                places=places,
            )
        )
    if num_words is not None and not sentences:
        warnings.append(f"no sentence to quote fits in --length {num_words}: the parts are only named")
    shown, others = _with_content(entries)
    unnamed = {document.title for document in documents}
    unnamed |= {row.name for row in rows if surrounds(row.part.heading)}
    return Outline(
        entries=shown,
        sentences=tuple(sentences),
        other_sections=tuple(name for name in others if name.rpartition(" › ")[2] not in unnamed),
        warnings=tuple(warnings),
    )


def passages_of_essay(
    candidates: Candidates, document: Document, structure: Structure, scores: Scores, num_words: int
) -> list[int]:
    """The positions of the best passages of each stretch of a long text without parts; none of another text.

    What such a text comes to stands anywhere in it, and its first stretch is not the whole.
    """
    if int(candidates.num_words.sum()) < _WORDS_OF_AN_ESSAY:
        return []
    division = divide(document)
    if division.kind != "neighbourhoods":
        return []
    rows = _rows(candidates, [document], [division], structure)
    chosen = _choose(candidates, rows, structure, scores, num_words, None, is_story=False)
    return sorted(position for positions in chosen for position in positions)


def _with_content(entries: Sequence[OutlineEntry]) -> tuple[tuple[OutlineEntry, ...], tuple[str, ...]]:
    """The parts of which anything is quoted or named, or of a part below; the headings of the others.

    A heading that several parts have ("I", "II") is named with the one above it, and not where that is named.
    """
    kept: list[OutlineEntry] = []
    others: list[int] = []
    for number, entry in reversed(list(enumerate(entries))):
        if entry.sentences or entry.people or entry.places or (kept and kept[-1].level > entry.level):
            kept.append(entry)
        else:
            others.append(number)
    times = Counter(entry.heading for entry in entries)
    names: list[str] = []
    for number in reversed(others):
        heading, level = entries[number].heading, entries[number].level
        above = next((each for each in range(number - 1, -1, -1) if entries[each].level < level), None)
        if times[heading] == 1 or above is None:
            names.append(heading)
        elif above not in others:
            names.append(f"{entries[above].heading} › {heading}")
    return tuple(reversed(kept)), tuple(dict.fromkeys(names))


def _rows(
    candidates: Candidates,
    documents: Sequence[Document],
    divisions: Sequence[Division],
    structure: Structure,
) -> list[_Row]:
    position_of = {
        (int(candidates.document[position]), sentence.index): position
        for position, sentence in reversed(list(enumerate(candidates.sentences)))
    }
    speakers = _speakers(candidates, structure)
    made: list[_Row] = []
    for number, (document, division) in enumerate(zip(documents, divisions, strict=True)):
        for part in division.parts:
            found = (position_of.get((number, index)) for index in part.sentences)
            rows = np.array([position for position in found if position is not None], np.int64)
            name = part.heading
            if division.kind == "neighbourhoods":
                # It has no heading of its own; in talk who speaks names nothing.
                texts = [structure.shown(candidates, position) for position in rows.tolist()]
                phrases = [
                    phrase
                    for phrase in key_phrases(texts, language=document.language or "en")
                    if not speakers.issuperset(split_terms(phrase))
                ][:_MOST_PHRASES]
                name = f"{part.heading}: {', '.join(phrases)}" if phrases else part.heading
            made.append(_Row(part=part, document=document, rows=rows, name=name))
    return made


def _speakers(candidates: Candidates, structure: Structure) -> frozenset[str]:
    """The words of the names of those who speak in a conversation."""
    if structure.source_kind is not SourceKind.CONVERSATION:
        return frozenset()
    labels = {structure.label_of(candidates, position) for position in range(len(candidates))}
    return frozenset(word for label in labels if label for word in split_terms(label))


def _say_division(documents: Sequence[Document], divisions: Sequence[Division]) -> Iterator[str]:
    for document, division in zip(documents, divisions, strict=True):
        if division.kind == "neighbourhoods":
            of = f"{document.title or document.source}: " if len(documents) > 1 else ""
            parts = len(division.parts)
            has_heading = any(section.heading for section in document.sections)
            why = "its headings do not divide it" if has_heading else "no headings were found"
            how = f"by neighbourhood, in {parts} parts" if parts > 1 else "of the whole text"
            yield f"{of}{why}: the outline is {how}"


def _pdf_pages(candidates: Candidates, rows: IntArray) -> tuple[int, ...]:
    """The first and the last PDF page."""
    pages = [page for row in rows if (page := candidates.sentences[row].pdf_page) is not None]
    return tuple(sorted({min(pages), max(pages)})) if pages else ()


def _choose(
    candidates: Candidates,
    rows: Sequence[_Row],
    structure: Structure,
    scores: Scores,
    num_words: int | None,
    eligible: BoolArray | None,
    is_story: bool,
) -> list[list[int]]:
    """The positions of the sentences quoted for each part, in order.

    Every part gets its best passage, then the longer ones a second one; with a maximum the best go first.
    """
    ranked = (_rank_by_chapter if is_story else _rank_by_part)(candidates, rows, structure, scores, eligible)
    chosen: list[list[int]] = [[] for _ in rows]
    held = np.zeros(candidates.terms.num_terms, bool)
    speaking = [number for number, row in enumerate(rows) if not row.part.is_silent and len(row.rows)]
    most_for_two = _CHAPTERS_FOR_TWO if is_story else _PARTS_FOR_TWO
    longer = [
        number
        for number in speaking
        if len(speaking) <= most_for_two and candidates.num_words[rows[number].rows].sum() > _WORDS_FOR_TWO
    ]
    budget = num_words if num_words is not None else int(candidates.num_words.sum())
    for turn, wanted in enumerate((speaking, longer)):
        # A chapter is quoted from its beginning and from its end: between them lies what happens.
        places = {
            number: np.array_split(rows[number].rows, 2)[turn]
            if is_story and number in longer
            else rows[number].rows
            for number in wanted
        }
        # The best of each part, then the others, as far as they are needed.
        best: list[tuple[float, int, tuple[int, ...], Iterator[tuple[float, tuple[int, ...]]]]] = []
        for number in wanted:
            passages = ranked(number, places[number], turn)
            for value, passage in islice(passages, 1):
                best.append((value, number, passage, passages))
        if num_words is not None:
            best.sort(key=lambda each: -each[0])
        for _, number, first, others in best:
            for passage in chain((first,), (passage for _, passage in others)):
                heading = rows[number].part.heading
                if set(passage).isdisjoint(chosen[number]) and not says_nothing_new(
                    candidates, passage, heading, held, _MOST_REPEATED
                ):
                    length = int(candidates.num_words[list(passage)].sum())
                    if length <= budget:
                        budget -= length
                        chosen[number] += passage
                        held[candidates.terms.columns_of(passage)] = True
                    break
    return [sorted(positions) for positions in chosen]


def _rank_by_part(
    candidates: Candidates,
    rows: Sequence[_Row],
    structure: Structure,
    scores: Scores,
    eligible: BoolArray | None,
) -> _Ranked:
    """What readers would quote of each part."""
    if not structure.stands_alone.any():
        # As in a language of other stops: the form must do.
        form = structure.is_acceptable if structure.is_acceptable.any() else np.ones(len(candidates), bool)
        quotable = form if eligible is None else form & eligible
        return lambda _, places, __: _in_order(places, scores.values, quotable)
    ranker = PartRanker(candidates, structure, scores)

    def ranked(number: int, places: IntArray, turn: int) -> Iterator[tuple[float, tuple[int, ...]]]:
        stated = _decided(structure, places, turn, eligible)
        return chain(stated, ranker.ranked(rows[number].part.heading, places, eligible))

    return ranked


def _decided(
    structure: Structure, places: IntArray, turn: int, eligible: BoolArray | None
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """What a court holds in a part of its decision, which may stand at the end of it; then what it orders."""
    if structure.document_kind is not DocumentKind.DECISION:
        return
    quotable = structure.stands_alone & structure.is_own
    if eligible is not None:
        quotable = quotable & eligible
    for statement in (Statement.HOLDING, Statement.DISPOSITION)[turn:]:
        clear = places[(structure.statements[statement] >= _CLEAR)[places] & quotable[places]]
        if len(clear):
            # The Court orders at the end.
            position = clear[-1 if statement is Statement.DISPOSITION else 0]
            yield _DECIDED, (int(position),)


def _rank_by_chapter(
    candidates: Candidates,
    rows: Sequence[_Row],
    structure: Structure,
    scores: Scores,
    eligible: BoolArray | None,
) -> _Ranked:
    """Sentences that say who does what in each chapter before others."""
    # What only stories need is imported for them: its rules take long to prepare.
    from lsum_cli.methods.extract.story_scores import event_scores

    # Where no sentence stands alone, as in a language of other stops, its form must do.
    forms = (structure.stands_alone, structure.is_acceptable, np.ones(len(candidates), bool))
    quotable = next(form for form in forms if form.any())
    if eligible is not None:
        quotable = quotable & eligible
    values = standardised(scores.values)
    for clarity in structure.statements.values():
        values = values + _STATEMENT * clarity
    values = values + _CLOSENESS * standardised(closeness(candidates, [row.rows for row in rows]))
    values = values - _DIALOGUE * dialogue(candidates)
    events = event_scores(candidates, rows[0].document, structure, scores.values) if rows else None
    if events is None:
        return lambda _, places, __: _in_order(places, values, quotable)
    # A sentence of what somebody does comes before all others; a second one must score high.
    values = values + np.where(np.isfinite(events), _EVENT + np.maximum(events, -_EVENT / 2), 0.0)
    scores_high = quotable & (events >= _MUCH)
    return lambda _, places, turn: _in_order(places, values, scores_high if turn else quotable)


def _in_order(
    places: IntArray, values: FloatArray, quotable: BoolArray
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """The quotable sentences of a part, the best first."""
    for position in places[np.argsort(-values[places], kind="stable")].tolist():
        if quotable[position]:
            yield float(values[position]), (position,)


@dataclass(frozen=True, kw_only=True)
class Cast:
    """The people and places of a book."""

    people: tuple[Name, ...]
    places: tuple[Name, ...]

    @classmethod
    def of(cls, document: Document, parts: Sequence[Part]) -> Cast:
        """Find them in the parts that are the book's own text; none in other languages than English."""
        sentences = document.sentences
        speaking = sorted(index for part in parts if not part.is_silent for index in part.sentences)
        if document.language not in (None, "en"):
            return cls(people=(), places=())
        texts = [sentences[index].text for index in speaking]
        found = find_names(texts)
        # Who is named most in a play is not who says most.
        actors = cast_of([sentences[index] for index in speaking])

        def placed(names: Sequence[Name]) -> tuple[Name, ...]:
            return tuple(
                Name(text=name.text, sentences=tuple(speaking[at] for at in name.sentences))
                for name in names
                if name.count >= _LEAST_NAMED
            )

        return cls(people=placed(actors or found.people), places=placed(found.places))

    def of_part(self, part: Part) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The people and places that a part names most."""
        inside = set(part.sentences)

        def most_named(names: Sequence[Name], most: int) -> tuple[str, ...]:
            counts = [(sum(index in inside for index in name.sentences), name.text) for name in names]
            named = sorted((-count, text) for count, text in counts if count)
            return tuple(text for _, text in named[:most])

        return most_named(self.people, _PEOPLE), most_named(self.places, _PLACES)

    def of_book(self, document: Document, pdf_pages: tuple[int, ...] = ()) -> OutlineEntry:
        """The book as a whole, with its main characters."""
        return OutlineEntry(
            heading=document.title or "The book",
            level=1,
            document_id=document.id,
            pdf_pages=pdf_pages,
            people=tuple(name.text for name in self.people[:_MAIN_PEOPLE]),
            places=tuple(name.text for name in self.places[:_MAIN_PLACES]),
        )
