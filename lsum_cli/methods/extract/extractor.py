"""What extraction chooses from and how it quotes: the candidates of a request, their structure and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from lsum_cli.documents import UNREAD_GLYPH, Document
from lsum_cli.errors import SourceError
from lsum_cli.locality import Page
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.guides.faq import Faq
from lsum_cli.methods.extract.kinds import WORDS_OF_A_BOOK, DocumentKind, SourceKind
from lsum_cli.methods.extract.plays import speakers
from lsum_cli.methods.extract.ranking.ranker import Weights
from lsum_cli.methods.extract.ranking.salience import dialogue
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.extract.selection import Share, select, select_one
from lsum_cli.methods.extract.sentences.boilerplate import is_boilerplate
from lsum_cli.methods.extract.sentences.lists import rests_of_lists, shown_as_items
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.extract.syllabus import parts_of_case
from lsum_cli.methods.length import DEFAULT_WORDS, NAMED_LENGTHS, SENTENCE, suit_length
from lsum_cli.summaries import Attribution, Style, SummaryLength, SummarySentence
from lsum_cli.text.terms import BoolArray, distinct

if TYPE_CHECKING:
    # Imported where it is made: its rules take as long to prepare as a short document takes to read.
    from lsum_cli.methods.extract.conversations.passages import Passage

# What direct speech costs in a story that is summarised about a focus, whose best sentence has some five.
_SAID = 2.0
ONLY_NAMED = "the source only names “{}” and says nothing of it: the summary is of the whole"


@dataclass(frozen=True, eq=False, kw_only=True)
class Extractor:
    """Chooses and quotes sentences of documents.

    Attributes:
        pages: The pages of the documents.
        documents: The documents.
        request: What is to be written of them.
        candidates: Their sentences, but for those that could not be read in full.
        structure: What is known of the sentences.
        scores: Those of the sentences.
        num_words: Maximum number of words of a text.
        eligible: The sentences about the focus; ``None`` where there is none, or none is about it.
        faq: With a focus, the questions that the documents answer themselves.
        needed: The sentences that are quoted only with one that is asked for as a whole ("Anna does this.").
        topics: Of a focus with several topics, the sentences that answer each.
        warnings: What is to be said about the focus.
        passages: Of a meeting what may be quoted together; empty where sentences are chosen one by one.
    """

    pages: Sequence[Page]
    documents: Sequence[Document]
    request: Request
    candidates: Candidates
    structure: Structure
    scores: Scores
    num_words: int
    eligible: BoolArray | None = None
    faq: Faq | None = None
    needed: frozenset[int] = frozenset()
    topics: Mapping[str, BoolArray] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    passages: Sequence[Passage] = ()

    @classmethod
    def of(
        cls,
        pages: Sequence[Page],
        documents: Sequence[Document],
        request: Request,
        *,
        weights: Weights | None = None,
    ) -> Self:
        """Analyse and score the sentences of the pages.

        Args:
            pages: The pages of the documents.
            documents: The documents.
            request: What is to be written of them.
            weights: Those of the ranker; by default the fitted ones.

        Raises:
            OptionError: A focus that the documents cannot be about.
            SourceError: No sentence could be read in full.
        """
        candidates = Candidates.of(legible(pages), documents)
        has_lists = (
            request.as_suits
            and request.style is not Style.OUTLINE
            and request.focus is None
            and len(documents) == 1
        )
        structure = Structure.of(candidates, is_read=request.is_read, has_lists=has_lists)
        made = cls(
            pages=pages,
            documents=documents,
            request=request,
            candidates=candidates,
            structure=structure,
            scores=Scores.of(candidates, structure, is_read=request.is_read, weights=weights),
            num_words=request.num_words,
        )
        return made if request.focus is None else made._focused(request.focus)

    def _focused(self, focus: str) -> Self:
        # Its rules take as long to prepare as a short document takes to read.
        from lsum_cli.methods.extract.focus.ranking import with_announced
        from lsum_cli.methods.extract.focus.relevance import blend, rank
        from lsum_cli.methods.extract.focus.statements import asks_for_the_whole

        languages = {document.language for document in self.documents}
        language = languages.pop() if len(languages) == 1 else None
        if asks_for_the_whole(focus, self.candidates, self.structure):
            return self
        if self.is_story:
            from lsum_cli.methods.extract.story import asked_ending, asks_who_is_in_it

            if asks_who_is_in_it(focus):
                return self
            ending = asked_ending(focus, self.candidates, self.documents[0], self.structure)
            if ending:
                return replace(self, eligible=self.mask(ending))
        ranking = rank(self.candidates, self.structure, self.scores.values, focus, language)
        warnings = tuple(ranking.warnings(focus))
        if not ranking.is_about.any():
            return replace(self, warnings=warnings)
        faq = Faq.of(self.candidates)
        structure = self.structure.with_answers(self.candidates, faq, ranking.is_whole)
        ranking = with_announced(ranking, structure.is_presentable, self.candidates)
        needs = structure.needed_by(ranking.is_whole)
        needed = frozenset(row for row, _ in needs)
        values = blend(self.scores.values, ranking)
        for row, position in needs:
            values[row] = max(values[row], values[position])
        if self.is_story:
            # What is told of somebody says more than what is said beside the name.
            values = values - _SAID * dialogue(self.candidates)
        scores = replace(self.scores, values=values)
        is_text = np.array([not is_boilerplate(section) for section in self.candidates.sections], bool)
        structure = structure.with_subject_known(self.candidates, ranking.names)
        can_be_shown = structure.is_presentable & is_text
        shown = ranking.is_about & can_be_shown
        if not shown.any():
            # Where only labels name it ("Cons:"), what stands beside them tells it.
            shown = ranking.is_beside & can_be_shown
        about = ranking.is_about & ~ranking.only_names & ~structure.is_cells & is_text
        best = structure.best_answers(self.candidates, about, shown, ranking.relevance)
        structure = structure.with_shown_alone(best)
        shown |= best
        if not self.request.has_length and (shown & ranking.answers).any():
            # What else is about it only fills a length that is asked for.
            shown &= ranking.answers
        shown[[*needed]] = True
        named = ranking.is_about & ~ranking.only_names
        if not (shown.any() or named.any()):
            return replace(self, warnings=(*warnings, ONLY_NAMED.format(focus)))
        eligible = structure.understood(shown) if shown.any() else named
        answered = {topic: shown & each.answers for topic, each in ranking.topics}
        for row, position in needs:
            for each in answered.values():
                each[row] |= each[position]
        topics = {topic: structure.understood(each) for topic, each in answered.items() if each.any()}
        if topics:
            eligible = np.logical_or.reduce([*topics.values(), eligible & self.request.has_length])
        num_words = self.num_words
        if not self.request.has_length:
            # What suits what the documents say about it.
            words = int(self.candidates.num_words[eligible].sum())
            num_documents = len(distinct(self.candidates.document[eligible]))
            num_words = min(num_words, max(DEFAULT_WORDS, suit_length(words, num_documents)))
            # Of what is asked for as a whole nothing is left out that there is some room for.
            whole = eligible & (ranking.is_whole | self.mask([*needed]))
            words = int(self.candidates.num_words[whole].sum())
            num_words = max(num_words, min(words, DEFAULT_WORDS))
        return replace(
            self,
            warnings=warnings,
            structure=structure,
            scores=scores,
            eligible=eligible,
            faq=faq,
            needed=needed,
            topics=topics if len(topics) > 1 else {},
            num_words=num_words,
        )

    @property
    def is_story(self) -> bool:
        """Whether the documents are one story, which extraction cannot retell."""
        return len(self.documents) == 1 and self.structure.source_kind is SourceKind.NARRATIVE

    @property
    def is_talk(self) -> bool:
        """Whether people talk to one another."""
        return self.structure.source_kind is SourceKind.CONVERSATION

    @property
    def is_book(self) -> bool:
        """Whether the documents are one book, to be divided by chapters."""
        is_long = int(self.candidates.num_words.sum()) > WORDS_OF_A_BOOK
        return self.is_story or (len(self.documents) == 1 and (self.request.by_chapters or is_long))

    def select(
        self,
        num_words: int,
        eligible: BoolArray | None,
        *,
        as_suits: bool = False,
        given: Sequence[int] = (),
        shares: Sequence[Share] = (),
    ) -> list[int]:
        """The positions of the sentences that together say most, in order.

        Args:
            num_words: The most words they may have.
            eligible: Those to choose from; by default all.
            as_suits: Whether fewer words will do where they say what there is to say.
            given: Sentences that are among them in any case.
            shares: Parts of the source, each of which gets its share of the words that these leave.
        """
        chosen = select(
            self.candidates,
            self.scores.values,
            num_words,
            eligible,
            self.structure,
            as_suits=as_suits,
            is_read=self.request.is_read,
            is_ranked=self.scores.is_ranked,
            is_answer=bool(self.request.focus),
            given=given,
            shares=shares,
        )
        first = self.structure.first
        alone = [
            row
            for row in self.needed.intersection(chosen)
            if not any(first[other] <= row < other for other in chosen)
        ]
        others = ~self.mask(alone) & (eligible if eligible is not None else True)
        if not (alone and others.any()):
            return chosen
        return self.select(num_words, others, as_suits=as_suits, given=given, shares=shares)

    @property
    def has_lists(self) -> bool:
        """Whether lists are quoted as such: of guides and proposals in English."""
        kinds = (DocumentKind.OTHER, DocumentKind.PROPOSAL)
        is_english = self.candidates.language in (None, "en")
        return is_english and self.structure.document_kind in kinds and not (self.is_talk or self.is_story)

    def mask(self, chosen: Sequence[int]) -> BoolArray:
        """Whether each sentence is one of these positions."""
        mask = np.zeros(len(self.candidates), bool)
        mask[list(chosen)] = True
        return mask

    def quote(
        self, position: int, index: int, after: int | None = None, before: int | None = None
    ) -> SummarySentence:
        """A sentence as the one of this index in a summary, after and before others, or alone."""
        sentence = self.candidates.sentences[position]
        page = self.pages[self.candidates.page[position]]
        return SummarySentence(
            text=self.structure.shown(self.candidates, position, after, before),
            label=self.structure.label_of(self.candidates, position)
            or self._parts_of_case.get(position)
            or self._speakers.get(position),
            index=index,
            attribution=Attribution.verbatim(sentence, page) if self.request.attribution else None,
        )

    @cached_property
    def _parts_of_case(self) -> Mapping[int, str]:
        return parts_of_case(self.candidates, self.structure)

    @cached_property
    def _speakers(self) -> Mapping[int, str]:
        """Who says each sentence of a play."""
        if not self.is_story:
            return {}
        found = speakers(self.candidates.sentences)
        return {position: name for position, name in enumerate(found) if name is not None}

    def quote_all(self, positions: Sequence[int], first_index: int = 0) -> dict[int, SummarySentence]:
        """Sentences as they follow one another in a summary, by their position, the first of this index."""
        quoted = {
            position: self.quote(position, index, after, before)
            for index, (after, position, before) in enumerate(
                zip(
                    self.structure.followed(self.candidates, positions),
                    positions,
                    (*positions, None)[1:],
                    strict=True,
                ),
                first_index,
            )
        }
        return self._as_lists(quoted)

    def _as_lists(self, quoted: dict[int, SummarySentence]) -> dict[int, SummarySentence]:
        """The same sentences with what they are of lists, and what is left of these."""
        if not self.has_lists:
            return quoted
        items = shown_as_items(self.candidates, list(quoted))
        rests = rests_of_lists(self.candidates, list(quoted))
        return {
            row: replace(sentence, is_item=row in items, rest=rests.get(row))
            for row, sentence in quoted.items()
        }

    def one_of(self, chosen: Sequence[int]) -> list[int]:
        """The sentence among those chosen that says most on its own; nothing where none is chosen."""
        if not chosen:
            return []
        return [
            select_one(
                self.candidates,
                self.scores.values,
                self.mask(chosen),
                self.structure,
                is_ranked=self.scores.is_ranked,
            )
        ]

    def within(self, chosen: Sequence[int]) -> list[list[int]]:
        """Selections of each length below the longest, the shortest first, each made from the next one."""
        selections: list[list[int]] = []
        chosen = list(chosen)
        for num_words in sorted(NAMED_LENGTHS.values(), reverse=True)[1:]:
            chosen = self.select(num_words, self.mask(chosen)) if chosen else []
            selections.append(chosen)
        return [self.one_of(chosen), *reversed(selections)]

    def lengths(
        self,
        sentences: Mapping[int, SummarySentence],
        shorter: Sequence[Sequence[int]] | None = None,
    ) -> tuple[SummaryLength, ...]:
        """The named lengths of a text, where they are wanted.

        Args:
            sentences: The sentences of the longest one, in order, by their position.
            shorter: The positions of what the others hold, the shortest first; by default chosen from it.
        """
        if not self.request.all_lengths:
            return ()
        held = [set(rows) for rows in (self.within(list(sentences)) if shorter is None else shorter)]
        texts = [[row for row in sentences if row in rows] for rows in (*held, set(sentences))]
        return tuple(
            SummaryLength(name=name, sentences=self._moved(sentences, rows))
            for name, rows in zip((SENTENCE, *NAMED_LENGTHS), texts, strict=True)
        )

    def _moved(
        self, sentences: Mapping[int, SummarySentence], rows: Sequence[int]
    ) -> tuple[SummarySentence, ...]:
        """Sentences of a longer text as they are shown in a shorter one: with others around them."""
        longest = list(sentences)
        others = dict(zip(longest, (*longest, None)[1:], strict=True))
        after_each = self.structure.followed(self.candidates, rows)
        moved: dict[int, SummarySentence] = {}
        for index, (after, row, before) in enumerate(zip(after_each, rows, (*rows, None)[1:], strict=True)):
            sentence = replace(sentences[row], index=index)
            above = int(self.structure.before[row])
            if sentence.text == self.structure.shown(self.candidates, row, above, others[row]):
                text = self.structure.shown(self.candidates, row, after, before)
                sentence = replace(sentence, text=text)
            moved[row] = sentence
        return tuple(self._as_lists(moved).values())


def legible(pages: Sequence[Page]) -> list[Page]:
    """The pages without the sentences that hold a character which could not be read.

    Raises:
        SourceError: Every sentence holds one.
    """
    kept = [
        replace(page, sentences=tuple(each for each in page.sentences if UNREAD_GLYPH not in each.text))
        for page in pages
    ]
    if any(page.sentences for page in pages) and not any(page.sentences for page in kept):
        raise SourceError(
            "no sentence could be read in full: each holds characters that nothing explains",
            "if it is a PDF, try --ocr always",
        )
    return kept
