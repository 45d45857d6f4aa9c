"""What extraction writes of documents: a text, an outline, topics, chapters, with keywords on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lsum_cli.documents import UNREAD_GLYPH, Document
from lsum_cli.errors import SourceError
from lsum_cli.locality import Page
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.digest import Digest, digest
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.focus import blend, rank
from lsum_cli.methods.extract.gist import LEAST_OF_A_SUMMARY, WORDS_OF_A_MANUAL
from lsum_cli.methods.extract.kinds import WORDS_OF_A_BOOK, DocumentKind, SourceKind
from lsum_cli.methods.extract.ranker import preference
from lsum_cli.methods.extract.salience import PLACE_WEIGHT, features, is_boilerplate, salience
from lsum_cli.methods.extract.selection import select, select_one
from lsum_cli.methods.extract.statements import Statement, is_background
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.length import DEFAULT_WORDS, NAMED_LENGTHS, SENTENCE, suit_length
from lsum_cli.summaries import (
    Attribution,
    ChapterSummary,
    OutlineEntry,
    Style,
    Summary,
    SummaryLength,
    SummarySentence,
)
from lsum_cli.text.terms import BoolArray, FloatArray, distinct

# What only talks, stories, release notes, outlines or several documents need is imported where they are
# written: their rules take as long to prepare as a short document takes to read.
if TYPE_CHECKING:
    from lsum_cli.methods.extract.topics import Topic

NO_PLOT = "this reads like a story, and extraction cannot retell a plot: it quotes sentences"
SEE_OUTLINE = " (--style outline lists chapters, people and places)"
# A document's own summary is quoted instead of a choice from the whole; it may be so much longer than what
# would suit.
_LONGER = 1.2
# What leads up to the aim of a paper is background: what it costs, in standard deviations.
_BACKGROUND = 1.2
# A decision has a case, a question and a holding to tell, a proposal a problem and what to do about it.
_FACTORS = {DocumentKind.DECISION: 1.15, DocumentKind.PROPOSAL: 1.3}
# A digest has a sentence for each main part.
_FACTOR_OF_A_DIGEST = 1.3
# Words of a story from which it is told by its chapters.
_WORDS_OF_CHAPTERS = 600
# What a long manual or report comes to takes no longer than what another comes to: the outline has the rest.
_WORDS_OF_A_SUMMARY_OF_A_MANUAL = 220
# Release notes seldom have more to say to everybody.
_WORDS_OF_NOTES = 220
# Documents that repeat what is quoted share this much of their best sentence's terms with it.
_REPEATS = 0.5


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is to be written.

    Attributes:
        num_words: Maximum number of words of a text.
        style: Its layout; an outline has a sentence or two for each part unless ``has_length``.
        has_length: Whether the user asked for that number of words.
        by_chapters: Whether the pages are the chapters of a book.
        all_lengths: Whether the shorter lengths are wanted too, each as a part of the longer ones; an outline
            then follows the text.
        is_zoom: Whether nobody asked for the lengths and the outline, of which nothing need be said.
    """

    num_words: int
    has_length: bool = False
    style: Style = Style.PROSE
    focus: str | None = None
    keywords: bool = False
    show_chapters: bool = False
    by_chapters: bool = False
    all_lengths: bool = False
    is_zoom: bool = False
    attribution: bool = True


@dataclass(frozen=True, kw_only=True)
class Extract:
    """What was written; see :class:`~lsum_cli.summaries.Summary`."""

    sentences: tuple[SummarySentence, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    chapters: tuple[ChapterSummary, ...] = ()
    keywords: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    lengths: tuple[SummaryLength, ...] = ()


class Composer:
    """Writes extracts of documents.

    Args:
        pages: The pages of the documents.

    Raises:
        OptionError: A focus that the documents cannot be about.
    """

    def __init__(self, pages: Sequence[Page], documents: Sequence[Document], request: Request) -> None:
        self._pages, self._documents, self._request = pages, documents, request
        self._candidates = Candidates.of(_legible(pages), documents)
        self._as_suits = not (request.has_length or request.all_lengths)
        # A number of words is to be filled; a named length is read like one that suits.
        self._is_read = not request.has_length or request.all_lengths
        self._is_read |= request.num_words in NAMED_LENGTHS.values()
        self._structure = Structure.of(self._candidates, is_read=self._is_read)
        values = features(self._candidates)
        self._scores = salience(
            self._candidates,
            self._structure,
            place_weight=1.0 if self._is_read else PLACE_WEIGHT,
            values=values,
        )
        self._num_words = request.num_words
        self._eligible: BoolArray | None = None
        self._warnings: list[str] = []
        if self._is_talk and self._is_read:
            from lsum_cli.methods.extract.talk import worth_noting

            self._scores = self._scores + float(self._scores.std()) * worth_noting(self._candidates)
        if self._structure.document_kind is DocumentKind.PAPER and self._is_read:
            background = is_background(self._candidates).astype(float)
            self._scores = self._scores - _BACKGROUND * float(self._scores.std()) * background
        # Nobody chose from stories, long manuals or several articles.
        self._is_ranked = (
            self._is_read
            and not self._is_manual
            and (
                self._is_talk
                or self._structure.source_kind is SourceKind.PROSE
                or self._structure.document_kind is DocumentKind.NOTES
            )
        )
        #: What the ranker is given: how much each sentence repeats what the documents are about.
        self.salience = self._scores
        if self._is_ranked:
            self._scores = preference(self._candidates, self._structure, self._scores, values)
        if request.focus is not None:
            self._set_focus(request.focus)

    @property
    def is_story(self) -> bool:
        """Whether the documents are one story, which extraction cannot retell."""
        return len(self._documents) == 1 and self._structure.source_kind is SourceKind.NARRATIVE

    @property
    def _is_talk(self) -> bool:
        return self._structure.source_kind is SourceKind.CONVERSATION

    @property
    def _is_manual(self) -> bool:
        """Whether it is a long document of no known kind, whose parts begin with what they are about."""
        return (
            len(self._documents) == 1
            and self._structure.source_kind is SourceKind.PROSE
            and self._structure.document_kind is DocumentKind.OTHER
            and int(self._candidates.num_words.sum()) > WORDS_OF_A_MANUAL
        )

    @property
    def is_book(self) -> bool:
        """Whether the documents are one book, to be divided by chapters."""
        is_long = int(self._candidates.num_words.sum()) > WORDS_OF_A_BOOK
        return self.is_story or (len(self._documents) == 1 and (self._request.by_chapters or is_long))

    def write(self) -> Extract:
        """Write what was requested."""
        request = self._request
        if self._is_by_change:
            extract = self._by_change()
        elif len(self._documents) > 1:
            extract = self._by_topic()
        elif request.style is Style.OUTLINE and not request.all_lengths:
            extract = self.outline()
        else:
            extract = self._text()
            if request.style is Style.OUTLINE:
                parts = self.outline(len(extract.sentences))
                warnings = () if request.is_zoom else parts.warnings
                extract = replace(extract, outline=parts.outline, warnings=warnings)
        if self.is_story:
            self._warnings.append(NO_PLOT + (SEE_OUTLINE if request.style is not Style.OUTLINE else ""))
        return replace(
            extract,
            chapters=self._chapters() if request.show_chapters else (),
            keywords=self.keywords() if request.keywords else (),
            warnings=(*self._warnings, *extract.warnings),
        )

    def keywords(self) -> tuple[str, ...]:
        """The key phrases of the documents, of what they say about the focus if there is one."""
        from lsum_cli.text.keywords import key_phrases

        rows = np.arange(len(self._candidates)) if self._eligible is None else np.flatnonzero(self._eligible)
        phrases = key_phrases(
            [self._candidates.sentences[row].text for row in rows],
            titles=[
                title
                for document in self._documents
                for title in (document.title or "", *(section.heading or "" for section in document.sections))
            ],
            english=all(document.language in (None, "en") for document in self._documents),
        )
        if not phrases:
            self._warnings.append("no phrase occurs twice: there are no keywords")
        return phrases

    def outline(self, first_index: int = 0) -> Extract:
        """The outline of one document.

        Args:
            first_index: Index of its first sentence.
        """
        from lsum_cli.methods.extract.outline import outline

        request = self._request
        made = outline(
            self._candidates,
            self._documents,
            self._structure,
            self._scores,
            self._quote,
            num_words=self._num_words if request.has_length and not request.all_lengths else None,
            eligible=self._eligible,
            first_index=first_index,
            is_book=self.is_book,
            is_story=self.is_story,
        )
        return Extract(sentences=made.sentences, outline=made.entries, warnings=made.warnings)

    def _set_focus(self, focus: str) -> None:
        languages = {document.language for document in self._documents}
        ranking = rank(self._candidates, focus, languages.pop() if len(languages) == 1 else None)
        self._warnings += ranking.warnings(focus)
        if not ranking.is_about.any():
            return
        self._scores = blend(self._scores, ranking)
        is_text = np.array(
            [not is_boilerplate(section.heading) for section in self._candidates.sections], bool
        )
        shown = ranking.is_about & self._structure.is_presentable & is_text
        self._eligible = shown if shown.any() else ranking.is_about
        if not self._request.has_length:
            # What suits what the documents say about it.
            words = int(self._candidates.num_words[self._eligible].sum())
            num_documents = len(distinct(self._candidates.document[self._eligible]))
            suitable = max(DEFAULT_WORDS, suit_length(words, num_documents))
            self._num_words = min(self._num_words, suitable)

    def text(self) -> tuple[SummarySentence, ...]:
        """A text of the documents: its sentences in the order of the source."""
        return self._text().sentences

    def _text(self) -> Extract:
        """A text of the documents, and what of it the shorter ones hold."""
        eligible = self._eligible
        if eligible is None and self.is_story:
            eligible = self._without_front_matter()
        elif eligible is None and self._is_talk and self._is_read:
            from lsum_cli.methods.extract.talk import is_whole

            whole = is_whole(self._candidates)
            eligible = whole if (whole & self._structure.is_presentable).any() else None
        made = self._digest(eligible)
        if made is not None:
            return self._by_part(made)
        chosen = self._choose(eligible)
        sentences = {position: self._quote(position, index) for index, position in enumerate(chosen)}
        return Extract(
            sentences=tuple(sentences.values()),
            lengths=_lengths(sentences, self._within(chosen)) if self._request.all_lengths else (),
        )

    # ---- by parts

    def _digest(self, eligible: BoolArray | None) -> Digest | None:
        """The digest of a document that is read by its parts."""
        gist, words = self._structure.gist, int(self._candidates.num_words.sum())
        shown = gist.is_own_summary & self._structure.is_presentable
        own = self._candidates.num_words[shown].sum()
        if (
            not self._is_read
            or self._eligible is not None
            or len(self._documents) > 1
            or self._documents[0].language not in (None, "en")
            or self._structure.document_kind is not DocumentKind.OTHER
            or words < (_WORDS_OF_CHAPTERS if self.is_story else WORDS_OF_A_MANUAL)
            or own >= LEAST_OF_A_SUMMARY
        ):
            return None
        made: Digest | None = None
        if self.is_story:
            from lsum_cli.methods.extract.story import tell_by_chapter

            for num_words in self._budgets():
                made = tell_by_chapter(
                    self._candidates,
                    self._documents[0],
                    self._structure,
                    self._scores,
                    eligible,
                    num_words,
                )
                if made is None:
                    return None
                eligible = self._mask(made.positions)
            return made
        if self._structure.source_kind is not SourceKind.PROSE:
            return None
        for num_words in self._budgets():
            made = digest(
                self._candidates,
                self._documents[0],
                self._structure,
                self._scores,
                num_words,
                eligible,
                is_book=self.is_book,
            )
            if made is None:
                return None
            eligible = self._mask(made.positions)
        return made

    def _budgets(self) -> list[int]:
        """The numbers of words to select from one another: a named length is part of the next longer one."""
        named = sorted(NAMED_LENGTHS.values(), reverse=True)
        if self._as_suits:
            return [int(_FACTOR_OF_A_DIGEST * self._num_words)]
        if self._num_words not in named:
            return [self._num_words]
        return [words for words in named if words >= self._num_words]

    def _by_part(self, made: Digest) -> Extract:
        """A digest as it is shown: the opening, then the parts that are quoted, each under its heading."""
        positions = made.positions
        sentences = {position: self._quote(position, index) for index, position in enumerate(positions)}
        document = self._documents[0]
        cast = None
        if self.is_story:
            from lsum_cli.methods.extract.outline import Cast

            division = divide(document, is_book=True, is_story=True)
            cast = Cast.of(document, division.parts)
        entries = [] if cast is None else [cast.of_book(document)]
        # Who is in each chapter the outline lists; here the names of the whole are enough.
        entries += [
            OutlineEntry(
                heading=each.part.heading,
                level=1 if cast is None else 2,
                document_id=document.id,
                sentences=tuple(sentences[position] for position in each.positions),
            )
            for each in made.parts
        ]
        return Extract(
            sentences=tuple(sentences.values()),
            outline=() if self._request.all_lengths else tuple(entries),
            lengths=_lengths(sentences, self._within(positions)) if self._request.all_lengths else (),
        )

    def _within(self, chosen: list[int]) -> list[list[int]]:
        """Selections of each length below the longest, the shortest first, each made from the next one."""
        selections = []
        for num_words in sorted(NAMED_LENGTHS.values(), reverse=True)[1:]:
            chosen = self._select(num_words, self._mask(chosen)) if chosen else []
            selections.append(chosen)
        return [self._one_of(chosen), *reversed(selections)]

    def _one_of(self, chosen: list[int]) -> list[int]:
        """The sentence among those chosen that says most on its own."""
        if not chosen:
            return []
        return [
            select_one(
                self._candidates,
                self._scores,
                self._mask(chosen),
                self._structure,
                is_ranked=self._is_ranked,
            )
        ]

    def _mask(self, chosen: Sequence[int]) -> BoolArray:
        mask = np.zeros(len(self._candidates), bool)
        mask[list(chosen)] = True
        return mask

    def _choose(self, eligible: BoolArray | None) -> list[int]:
        """The positions of the sentences of a text, in order."""
        num_words = self._num_words
        if self._eligible is None and self._as_suits:
            own, num_words = self._own_summary(num_words)
            eligible = eligible if own is None else own
        if self._eligible is None and self.is_story:
            from lsum_cli.methods.extract.story import tell

            told = tell(
                self._candidates, self._documents[0], self._structure, self._scores, eligible, num_words
            )
            if told:
                return told
        if self._eligible is None and self._as_suits and self._is_manual:
            num_words = min(num_words, _WORDS_OF_A_SUMMARY_OF_A_MANUAL)
            openings = self._structure.gist.weight > 0
            if self._candidates.num_words[openings & self._structure.is_presentable].sum() > 3 * num_words:
                eligible = openings if eligible is None else eligible & openings
        return select(
            self._candidates,
            self._scores,
            num_words,
            eligible,
            self._structure,
            as_suits=self._as_suits and not self._is_talk,
            is_read=self._is_read,
            is_ranked=self._is_ranked,
        )

    def _own_summary(self, num_words: int) -> tuple[BoolArray | None, int]:
        """The document's own summary and the length that suits it, where it has one of about that length."""
        own = self._structure.gist.is_own_summary
        shown = own & self._structure.is_presentable
        words = int(self._candidates.num_words[shown].sum())
        if (
            self._structure.document_kind is DocumentKind.DECISION
            or words < LEAST_OF_A_SUMMARY
            or len(self._documents) > 1
        ):
            return None, int(_FACTORS.get(self._structure.document_kind, 1.0) * num_words)
        if self._structure.document_kind is DocumentKind.PAPER:
            return self._own_abstract(shown), min(max(words, num_words), int(_LONGER * num_words))
        return own, min(max(words, LEAST_OF_A_SUMMARY), int(_LONGER * num_words))

    def _own_abstract(self, shown: BoolArray) -> BoolArray:
        """The abstract of a paper, with its conclusions where it has none; its background counts less."""
        statements = self._structure.statements
        aims = np.flatnonzero(shown & (statements[Statement.AIM] >= 1))
        if len(aims):
            background = shown & (np.arange(len(shown)) < aims[0])
            self._scores = self._scores - _BACKGROUND * float(self._scores.std()) * background
            after = shown & ~background
        else:
            after = shown
        found = np.maximum(statements[Statement.RESULT], statements[Statement.CONCLUSION])
        if (found[after] >= 1).any():
            return shown
        concludes: BoolArray = shown | (
            self._structure.gist.concludes & (statements[Statement.CONCLUSION] >= 0.5)
        )
        return concludes

    def _without_front_matter(self) -> BoolArray | None:
        """The sentences of the book itself; ``None`` where it has no front or back matter."""
        division = divide(self._documents[0], is_book=True, is_story=True)
        silent = [part for part in division.parts if part.is_silent and part.sentences]
        if not silent:
            return None
        named = ", ".join(part.heading for part in silent)
        self._warnings.append(f"front and back matter is not quoted: {named}")
        indices = [index for part in silent for index in part.sentences]
        return ~np.isin([sentence.index for sentence in self._candidates.sentences], indices)

    def _chapters(self) -> tuple[ChapterSummary, ...]:
        """A summary of each page, whose length suits it."""
        chapters = []
        for number, page in enumerate(self._pages):
            own = self._candidates.page == number
            if self._eligible is not None:
                own = own & self._eligible
            if not own.any():
                continue
            words = suit_length(int(self._candidates.num_words[own].sum()))
            chosen = self._select(words, own)
            sentences = tuple(self._quote(position, index) for index, position in enumerate(chosen))
            chapters.append(ChapterSummary(page=page.index, sentences=sentences))
        return tuple(chapters)

    def _select(self, num_words: int, eligible: BoolArray | None) -> list[int]:
        return select(
            self._candidates,
            self._scores,
            num_words,
            eligible,
            self._structure,
            is_read=self._is_read,
            is_ranked=self._is_ranked,
        )

    def _quote(self, position: int, index: int) -> SummarySentence:
        sentence = self._candidates.sentences[position]
        page = self._pages[self._candidates.page[position]]
        return SummarySentence(
            text=self._structure.shown(self._candidates, position),
            label=self._structure.label_of(self._candidates, position),
            index=index,
            attribution=Attribution.verbatim(sentence, page) if self._request.attribution else None,
        )

    # ---- release notes

    @property
    def _is_by_change(self) -> bool:
        """Whether the documents are release notes that are to be quoted by kind of change."""
        is_notes = self._structure.document_kind is DocumentKind.NOTES
        if not is_notes or self._eligible is not None or self._request.style is Style.OUTLINE:
            return False
        from lsum_cli.methods.extract.changes import tells_kinds

        return tells_kinds(self._candidates)

    def _by_change(self) -> Extract:
        """A summary of release notes: the greater changes of each kind, and how many there are."""
        from lsum_cli.methods.extract.changes import group_by_kind

        if not self._request.has_length:
            self._num_words = min(self._num_words, _WORDS_OF_NOTES)
        entries: list[OutlineEntry] = []
        sentences: dict[int, SummarySentence] = {}
        groups = group_by_kind(self._select(self._num_words, None), self._candidates)
        unquoted = [f"{group.heading} ({group.count})" for group in groups if not group.positions]
        if unquoted:
            self._warnings.append(f"not in the summary: {', '.join(unquoted)}")
        for group in groups:
            if not group.positions:
                continue
            quoted = {row: self._quote(row, len(sentences) + at) for at, row in enumerate(group.positions)}
            sentences |= quoted
            of_all = f" ({group.quoted} of {group.count})" if group.count > group.quoted else ""
            entries.append(
                OutlineEntry(
                    heading=f"{group.heading}{of_all}",
                    level=1,
                    document_id=None,
                    sentences=tuple(quoted.values()),
                )
            )
        if len(self._documents) > 1:
            self._say_missing(list(sentences), f"only the greater changes, in up to {self._num_words} words")
        return Extract(
            sentences=tuple(sentences.values()),
            outline=tuple(entries),
            lengths=_lengths(sentences, self._within(list(sentences))) if self._request.all_lengths else (),
        )

    # ---- several documents

    def _by_topic(self) -> Extract:
        """A summary of several documents, topic by topic; says which documents it does not quote."""
        from lsum_cli.methods.extract.topics import group_by_topic, headline

        topics = group_by_topic(self._candidates, self._documents)
        *shorter, chosen = self._choose_by_topic(topics)
        self._say_missing(chosen, f"no room in {self._num_words} words")
        entries: list[OutlineEntry] = []
        sentences: dict[int, SummarySentence] = {}
        by_document = self._request.style is Style.OUTLINE
        for topic in topics:
            quoted = {
                place: sorted(row for row in chosen if self._candidates.document[row] == place)
                for place in topic.documents
            }
            if not by_document and not any(quoted.values()):
                continue
            made: dict[int, list[SummarySentence]] = {}
            flat: list[SummarySentence] = []
            for place, rows in quoted.items():
                quotes = {row: self._quote(row, len(sentences) + at) for at, row in enumerate(rows)}
                made[place] = list(quotes.values())
                sentences |= quotes
                flat += made[place]
            alone = topic.documents[0] if len(topic.documents) == 1 else None
            entries.append(
                OutlineEntry(
                    heading=topic.name,
                    level=1,
                    document_id=None if alone is None else self._documents[alone].id,
                    sentences=() if by_document and alone is None else tuple(flat),
                )
            )
            if by_document and alone is None:
                entries += [
                    OutlineEntry(
                        heading=headline(self._documents[place]),
                        level=2,
                        document_id=self._documents[place].id,
                        sentences=tuple(made[place]),
                    )
                    for place in topic.documents
                ]
        return Extract(
            sentences=tuple(sentences.values()),
            outline=tuple(entries),
            lengths=_lengths(sentences, [self._one_of(shorter[0]), *shorter])
            if self._request.all_lengths
            else (),
        )

    def _choose_by_topic(self, topics: Sequence[Topic]) -> list[list[int]]:
        """The positions of the sentences: the best of each topic, of each document, then what fits.

        The last selection is the one of the requested length; those before it, if any, are parts of it.
        """
        words, steps = self._num_words, sorted(NAMED_LENGTHS.values())
        if self._request.all_lengths:
            budgets = [*steps[:-1], words]
        else:
            budgets = [*(step for step in steps if step < words), words] if words in steps else [words]
        order = [place for topic in topics for place in topic.documents]
        groups: list[Sequence[int]] = [topic.documents for topic in topics if len(topic.documents) > 1]
        chosen: list[int] = []
        # A longer summary of a named length begins with the shorter one, and so holds it.
        selections: list[list[int]] = []
        for budget in budgets:
            if self._eligible is None and self._candidates.num_words.sum() <= budget:
                selections.append(list(range(len(self._candidates))))
                continue
            for group in (*groups, *([place] for place in order)):
                self._choose_one(group, chosen, budget)
            rest = self._is_open(chosen)
            room = budget - int(self._candidates.num_words[chosen].sum())
            rest &= self._candidates.num_words <= room
            if rest.any():
                chosen += self._select(room, rest)
            selections.append(list(chosen))
        return selections

    def _choose_one(self, group: Sequence[int], chosen: list[int], budget: int) -> None:
        """Add the best sentence of a group of documents that fits, unless one of it is chosen."""
        document = self._candidates.document
        if np.isin(document[chosen], group).any():
            return
        room = budget - int(self._candidates.num_words[chosen].sum())
        fits = self._is_open(chosen) & np.isin(document, group) & (self._candidates.num_words <= room)
        if fits.any():
            chosen.append(int(np.argmax(np.where(fits, self._scores, -np.inf))))

    def _is_open(self, chosen: Sequence[int]) -> BoolArray:
        """The sentences that may be chosen and say something that the chosen ones do not."""
        is_open = self._quotable
        if self._eligible is not None:
            is_open = is_open & self._eligible
        is_open = is_open & (self._shared_with(chosen) < _REPEATS)
        is_open[list(chosen)] = False
        return is_open

    @cached_property
    def _quotable(self) -> BoolArray:
        """The sentences that stand alone; of a document without one those that are acceptable by form."""
        structure, document = self._structure, self._candidates.document
        has_one = distinct(document[structure.stands_alone])
        quotable: BoolArray = structure.stands_alone | (structure.is_acceptable & ~np.isin(document, has_one))
        return quotable

    def _shared_with(self, chosen: Sequence[int]) -> FloatArray:
        """The greatest share of each sentence's terms that one chosen sentence holds."""
        terms = self._candidates.terms
        most = np.zeros(len(self._candidates))
        for position in chosen:
            held = np.zeros(terms.num_terms)
            held[terms.columns[terms.row(position)]] = 1
            most = np.maximum(most, terms.mean_over_terms(held))
        return most

    def _say_missing(self, chosen: Sequence[int], otherwise: str) -> None:
        """Warn of the documents that no sentence is quoted from, and why.

        Args:
            chosen: The positions of what is quoted.
            otherwise: Why a document is left out of which there was something to quote.
        """
        from lsum_cli.methods.extract.topics import headline

        candidates = self._candidates
        quoted = {int(candidates.document[row]) for row in chosen}
        shared = self._shared_with(chosen)
        presentable = self._quotable
        reasons: dict[str, list[str]] = {}
        for place, document in enumerate(self._documents):
            if place in quoted:
                continue
            own = candidates.document == place
            if not (own & presentable).any():
                why = "no whole sentence to quote"
            elif self._eligible is not None and not (own & self._eligible).any():
                why = f"nothing about “{self._request.focus}”"
            elif (shared[own & presentable] >= _REPEATS).all():
                why = "repeats what others say"
            else:
                why = otherwise
            reasons.setdefault(why, []).append(headline(document))
        for why, names in reasons.items():
            self._warnings.append(f"not in the summary: {'; '.join(names)} ({why})")


def _lengths(
    sentences: Mapping[int, SummarySentence], shorter: Sequence[Sequence[int]]
) -> tuple[SummaryLength, ...]:
    """The named lengths of a text.

    Args:
        sentences: The sentences of the longest one, in order, by their position.
        shorter: The positions of what the others hold, the shortest first.
    """
    held = [set(rows) for rows in shorter]
    texts = [*([each for row, each in sentences.items() if row in rows] for rows in held), sentences.values()]
    return tuple(
        SummaryLength(
            name=name, sentences=tuple(replace(each, index=index) for index, each in enumerate(text))
        )
        for name, text in zip((SENTENCE, *NAMED_LENGTHS), texts, strict=True)
    )


def shape(summary: Summary, request: Request) -> Summary:
    """A model's summary with the outline and the keywords that were requested, extracted from its pages."""
    wants_outline = request.style is Style.OUTLINE and not summary.outline
    if not summary.pages or not (wants_outline or (request.keywords and not summary.keywords)):
        return summary
    composer = Composer(summary.pages, summary.documents, replace(request, focus=None))
    made = composer.outline(len(summary.sentences)) if wants_outline else Extract()
    notes = ("the outline quotes the document; the model wrote the text before it",) if wants_outline else ()
    return replace(
        summary,
        outline=made.outline or summary.outline,
        keywords=composer.keywords() if request.keywords else summary.keywords,
        warnings=(*summary.warnings, *made.warnings, *notes),
    )


def _legible(pages: Sequence[Page]) -> list[Page]:
    """The pages without the sentences that hold a character which could not be read.

    Raises:
        SourceError: Every sentence holds one.
    """
    legible = [
        replace(page, sentences=tuple(each for each in page.sentences if UNREAD_GLYPH not in each.text))
        for page in pages
    ]
    if any(page.sentences for page in pages) and not any(page.sentences for page in legible):
        raise SourceError(
            "no sentence could be read in full: each holds characters that nothing explains",
            "if it is a PDF, try --ocr always",
        )
    return legible
