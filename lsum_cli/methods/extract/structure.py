"""The structure of a source: what is known of every sentence before sentences are ranked.

Which sentences stand alone, which need the one before them, whose words they are, what they state. Ranking
then orders what may be said; it does not decide who may say it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates, looks_like_name
from lsum_cli.methods.extract.conversations.speech import ELLIPSIS, begin_anew, tidy
from lsum_cli.methods.extract.guides.faq import Faq
from lsum_cli.methods.extract.guides.requirements import requirements_of
from lsum_cli.methods.extract.guides.taglines import describes_heading, find_taglines
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, document_kind_of, kind_of, speaker_of
from lsum_cli.methods.extract.plays import speech_starts
from lsum_cli.methods.extract.sentences.anaphora import (
    anaphora_rules,
    continues_enumeration,
    turns_to_other_story,
)
from lsum_cli.methods.extract.sentences.antecedents import Antecedents
from lsum_cli.methods.extract.sentences.boilerplate import instructs_author, tells_of_authors
from lsum_cli.methods.extract.sentences.fragments import (
    continues_turn,
    is_epigraph,
    is_within_quotation,
    lacks_beginning,
    repeats_heading,
)
from lsum_cli.methods.extract.sentences.gist import Gist, place_in_section
from lsum_cli.methods.extract.sentences.lists import (
    announces_list,
    fields_of_functions,
    quotable_items,
    turned_items,
)
from lsum_cli.methods.extract.sentences.mentions import Mentions, names_new_thing
from lsum_cli.methods.extract.sentences.open_ends import closed, left_open, points_here, whole_lines
from lsum_cli.methods.extract.sentences.other_views import reports_other_views
from lsum_cli.methods.extract.sentences.presentability import (
    CLOSING_MARKS,
    LONGEST,
    MOST_SYMBOLS,
    SHORTEST,
    SHORTEST_AFTER_ANOTHER,
    STOPS,
    judge,
    symbols_of,
)
from lsum_cli.methods.extract.sentences.presentability import is_presentable as is_form_presentable
from lsum_cli.methods.extract.sentences.refuted_claims import granted_at_first_sight
from lsum_cli.methods.extract.sentences.statement_wording import PROPOSES, Statement
from lsum_cli.methods.extract.sentences.statements import states
from lsum_cli.methods.extract.sentences.trimming import begin, begins_with_source, without_figures
from lsum_cli.methods.extract.separate_opinions import label_of, theses
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, distinct, is_function_word

# The share of function words in English; other languages have hardly any of these words.
_ENGLISH = 0.2
# A row of a table as reading writes it: "depth | The depth of the channel."; "cat notes | sort" is none.
_CELLS = regex(r"^\| | \| (?=[A-Z\d])|^(?=.* \| .).*[^.!?:;…)\"'’”]$")
# How a series cites another of its documents: "extends CIP-0100 | Governance Metadata".
_CITED = regex(r"(?<=[a-z] )[A-Z]{2,}-?\d+ \| ")
_LEAST_OF_A_DISPOSITION, _LEAST_OF_AN_ITEM = 4, 3  # words
# "*One of the dissenters"; "*not*" is stressed. "—The court shall" is what a statute has below its heading.
_FOOTNOTE = regex(r"^([*†‡])\1?(?=[A-Z])(?!.*[^\s*†‡]\1)|^[—–](?=[A-Z])")
# What programs write where they know no name.
_NO_NAMES = frozenset(("None", "Unknown", "Unknown speaker", "Unknown Speaker", "UNKNOWN", "N/A"))
_YEAR = regex(r"\b(?:1\d|20)\d\d\b")
# A guide has so many sections: a text of few, as of news, has no lists that count and nothing left open.
SECTIONS_OF_A_GUIDE = 4
# Characters within which a colon may end the name of a speaker.
_LONGEST_NAME = 120
# In Thai and Lao, which set no stops, a paragraph may be all one sentence; it has half the words we count.
_WITHOUT_STOPS = regex("[\u0e00-\u0eff]$")
_LONGEST_WITHOUT_STOPS = 2 * LONGEST


@dataclass(frozen=True, eq=False, kw_only=True)
class Structure:
    """What is known of the sentences of a source; one value per sentence.

    Attributes:
        source_kind: What the words of the source are like.
        document_kind: What a reader expects of its summary.
        offset: Where each sentence proper begins, after list marker and label.
        connective: Length of the connective without which it needs no antecedent; 0 for none.
        is_presentable: Whether it can be shown.
        is_acceptable: The same by its form alone, for sources none of whose sentences is presentable.
        first: The first of the sentences that it is taken with: itself, or up to two before it; -1
            where its antecedent cannot be shown, and it is not taken.
        first_under_heading: The same for where its section begins, under the heading, which says what
            "This is a list of …" speaks of.
        first_by_opening: The same if only its opening counts, and no word within it that refers back.
        is_tagline: Whether it says at the beginning of its document what that is, and stands alone there.
        is_left_open: Whether it is a statement though it ends with a colon, or without a stop.
        before: The sentence before it in its section, past references between them; -1 if there is none.
        is_own: Whether the document as a whole says it, and neither a dissent nor another author.
        is_cells: Whether it is a row of a table, what the template of a proposal asks its author, or which
            author of a paper did what.
        theses: How clearly it states what a dissent or a concurrence in the judgment comes to, from 0 to 1.
        statements: How clearly it makes each statement that the summary must hold, from 0 to 1.
        mentions: What it takes as known, and makes known.
        names_new_thing: Whether it begins with a thing as known of which nothing before it has spoken.
        gist: How much its place says that it speaks for the whole.
        is_tidied: Whether sentences are shown without the fillers of speech, which are known of English.
        num_words: Words of each sentence as it is shown.
    """

    source_kind: SourceKind
    document_kind: DocumentKind
    offset: IntArray
    connective: IntArray
    is_presentable: BoolArray
    is_acceptable: BoolArray
    first: IntArray
    first_under_heading: IntArray
    first_by_opening: IntArray
    is_tagline: BoolArray
    is_left_open: BoolArray
    before: IntArray
    is_own: BoolArray
    is_cells: BoolArray
    theses: FloatArray
    statements: Mapping[Statement, FloatArray]
    mentions: Mentions
    names_new_thing: BoolArray
    gist: Gist
    is_tidied: bool
    num_words: IntArray

    @classmethod
    def of(cls, candidates: Candidates, *, is_read: bool = True, has_lists: bool = True) -> Structure:
        """Analyse a source.

        Args:
            candidates: Its sentences.
            is_read: Whether it will be asked what they take as known: that counts for readers alone.
            has_lists: Whether lists are quoted with what announces them, so that items may be no sentences.
        """
        source_kind = kind_of(candidates)
        document_kind = document_kind_of(candidates, source_kind)
        texts = [sentence.text for sentence in candidates.sentences]
        is_spoken = source_kind is SourceKind.CONVERSATION
        is_english = _is_english(candidates)
        shown = said = texts
        if is_spoken and is_english:
            shown = _spoken(texts)
            # What breaks off counts as a sentence, for its end is marked.
            said = [f"{text[:-2]}." if text.endswith(f" {ELLIPSIS}") else text for text in shown]
        anaphora = anaphora_rules("en" if is_english else candidates.language, document_kind)
        if anaphora is not None and document_kind in (DocumentKind.PROPOSAL, DocumentKind.OTHER):
            anaphora = anaphora.of_title(candidates.titles[0] if len({*candidates.titles}) == 1 else "")
            if not candidates.document.any() and (
                document_kind is DocumentKind.PROPOSAL or not candidates.is_of_events
            ):
                anaphora = anaphora.of_things(said, candidates.section.tolist())
        form = judge(
            said,
            candidates.num_words,
            is_spoken=is_spoken,
            is_english=is_english,
            anaphora=anaphora,
            names=_names_in_lower_case(candidates) if source_kind is SourceKind.PROSE else frozenset(),
        )
        roles = [section.role for section in candidates.sections]
        is_apart = np.array([role in (SectionRole.DISSENT, SectionRole.CONCURRENCE) for role in roles], bool)
        statements = states(
            candidates,
            document_kind,
            form.is_presentable | (candidates.num_words < SHORTEST),
        )
        is_cells = np.array(
            ["|" in text and _CELLS.search(_CITED.sub("", text)) is not None for text in texts], bool
        )
        if document_kind is DocumentKind.PROPOSAL:
            is_cells |= np.array([instructs_author(text) for text in texts], bool)
        if document_kind is DocumentKind.PAPER:
            is_cells |= np.array([tells_of_authors(text) for text in texts], bool)
        is_presentable = form.is_presentable & ~is_cells & _can_be_shown(candidates, is_spoken=is_spoken)
        for position in _short_dispositions(candidates, statements):
            is_presentable[position] = is_form_presentable(texts[position][int(form.offset[position]) :])
        asks = statements.get(Statement.QUESTION)
        is_prose = source_kind is SourceKind.PROSE
        taglines = np.zeros(len(texts), bool)
        is_open, items = np.zeros(len(texts), bool), np.zeros(len(texts), bool)
        needs = np.zeros(len(texts), bool)
        is_guide = is_english and is_prose and document_kind is DocumentKind.OTHER
        has_sections = len(distinct(candidates.section)) >= SECTIONS_OF_A_GUIDE
        if is_guide:
            is_line = whole_lines(candidates)
            is_open = left_open(candidates, is_presentable, is_line, has_lists=has_lists)
            taglines = find_taglines(candidates, is_presentable, is_open, is_line)
            is_presentable = is_presentable | taglines
            if has_sections:
                items = describes_heading(candidates)
                if has_lists:
                    items |= quotable_items(candidates)
                items &= ~is_presentable & ~is_cells
                is_open &= ~is_cells & ~repeats_heading(candidates)
                is_presentable = is_presentable | items | is_open
            else:
                is_open &= taglines
            is_presentable = is_presentable & ~turned_items(candidates) & ~fields_of_functions(candidates)
            is_presentable &= ~points_here(candidates)
            requirements = requirements_of(candidates)
            needs = requirements.alone & ~is_cells
            is_presentable |= needs
            items = items | needs
            form = form.with_shown(_as_shown(texts), is_open, anaphora)
        elif is_english and is_prose and document_kind is DocumentKind.PROPOSAL:
            is_line = whole_lines(candidates)
            # What opens a section of a proposal is its point; what leads up to code below is none.
            opens = place_in_section(candidates) <= is_line
            is_open = opens & left_open(candidates, is_presentable | ~opens, is_line, has_lists=has_lists)
            is_open &= ~is_cells & ~repeats_heading(candidates)
            if not has_lists:
                # Where a number of words is to be filled, its list would be cut anywhere.
                is_open &= ~np.array([text.endswith(":") for text in texts], bool)
            is_presentable = is_presentable | is_open
            form = form.with_shown(_as_shown(texts), is_open, anaphora)
        form = replace(form, offset=np.where(_names_source_first(candidates), 0, form.offset))
        if source_kind is SourceKind.NARRATIVE:
            form = replace(form, offset=np.maximum(form.offset, speech_starts(candidates.sentences)))
        antecedents = Antecedents.of(
            candidates,
            form,
            is_presentable,
            anaphora,
            is_prose=is_prose,
            has_entries=is_guide,
            has_short_statements=is_guide and has_sections,
            is_question=None if asks is None else asks >= 1,
        )
        own = np.arange(len(texts))
        is_acceptable = _is_acceptable(candidates, form.grants_rights) | needs
        leaning = _after_a_year(candidates)
        if is_guide:
            dated = requirements.dated & (antecedents.first == own)
            leaning += np.flatnonzero(dated).tolist()
        first = _with_the_one_before(antecedents.first, is_presentable, leaning)
        if is_english and document_kind is DocumentKind.PROPOSAL:
            for position in np.flatnonzero(is_presentable & (first < 0)).tolist():
                if PROPOSES.search(f" {texts[position].lower()}") is not None:
                    first[position] = position
        # What the next sentence takes back is shown before it alone.
        granted = (
            granted_at_first_sight(candidates) if is_english and not is_spoken else np.zeros(len(texts), bool)
        )
        alone = taglines | items
        return cls(
            source_kind=source_kind,
            document_kind=document_kind,
            offset=form.offset,
            connective=antecedents.connective,
            is_presentable=is_presentable,
            is_acceptable=is_acceptable,
            first=np.where(granted, -1, np.where(alone, own, first)),
            first_under_heading=np.where(granted, -1, np.where(alone, own, antecedents.first_under_heading)),
            first_by_opening=np.where(granted, -1, np.where(alone, own, antecedents.first_by_opening)),
            is_tagline=taglines,
            is_left_open=is_open,
            before=antecedents.before,
            is_own=~is_apart & ~reports_other_views(candidates, document_kind),
            is_cells=is_cells,
            theses=theses(candidates, is_presentable & ~form.continues & ~antecedents.refers_back),
            statements=statements,
            mentions=Mentions.of(texts, candidates.titles, candidates.section)
            if is_read and is_english and not is_spoken
            else Mentions.none(len(texts)),
            names_new_thing=names_new_thing(
                texts, candidates.titles, [section.heading or "" for section in candidates.sections]
            )
            if is_english and is_prose and document_kind is DocumentKind.OTHER
            else np.zeros(len(texts), bool),
            gist=Gist.of(candidates, is_presentable, source_kind, document_kind),
            is_tidied=is_spoken and is_english,
            num_words=np.array([len(text.split()) for text in shown], np.int64)
            if is_spoken and is_english
            else candidates.num_words,
        )

    @property
    def stands_alone(self) -> BoolArray:
        """Whether each sentence can be shown without any other."""
        alone: BoolArray = self.is_presentable & (self.first == np.arange(len(self.first)))
        return alone

    def with_subject_known(self, candidates: Candidates, is_named: BoolArray) -> Structure:
        """The same for who knows what these sentences are about: a short one then needs none before it.

        "Dogs are not allowed." is understood by who asked for dogs, unless its wording needs an antecedent.
        """
        rules = anaphora_rules("en" if _is_english(candidates) else candidates.language, self.document_kind)
        if rules is None:
            return self
        first = self.first.copy()
        is_short = self.is_presentable & (candidates.num_words < SHORTEST)
        for position in np.flatnonzero(is_named & is_short).tolist():
            text = candidates.sentences[position].text[int(self.offset[position]) :]
            if not rules.needs_antecedent(text):
                first[position] = position
        return replace(self, first=first)

    def best_answers(
        self, candidates: Candidates, about: BoolArray, shown: BoolArray, relevance: FloatArray
    ) -> BoolArray:
        """What answers better than all that would be quoted and is understood, however it is worded.

        It refers to what cannot be shown ("If enabled, the gate waits."), is no sentence ("The number of
        boats that may wait."), or names an address. Else what answers worse would stand for the answer.

        Args:
            candidates: The sentences.
            about: Those that are about what was asked for.
            shown: Those of them that would be quoted.
            relevance: How much each says about it.
        """
        most = relevance[shown & (self.first >= 0)].max(initial=0.0)
        best: BoolArray = about & (relevance > most) & (self.is_presentable | self.is_acceptable)
        for row in np.flatnonzero(best).tolist():
            best[row] = _is_closed(candidates.sentences[row].text)
        return best

    def with_shown_alone(self, shown: BoolArray) -> Structure:
        """The same where these sentences can be shown, and need no other."""
        return replace(
            self,
            is_presentable=self.is_presentable | shown,
            first=np.where(shown, np.arange(len(shown)), self.first),
        )

    def with_answers(self, candidates: Candidates, faq: Faq, is_whole: BoolArray) -> Structure:
        """The same where what answers a question is shown below it: it may be short, and needs no other.

        So may what is asked for as a whole, such as the tasks of minutes, and an item of it needs no stop.
        """
        opens = faq.opens_answer(candidates) | (is_whole & ~self.is_presentable)
        opens &= ~self.is_cells & (candidates.num_words <= LONGEST) & ~granted_at_first_sight(candidates)
        ends = np.array([_is_closed(each.text) for each in candidates.sentences], bool)
        # "3 leeks": an item of a list is one, however short; a short line may be a label.
        is_marked = np.array([each.is_item for each in candidates.sentences], bool)
        is_long = candidates.num_words >= _LEAST_OF_AN_ITEM
        is_item = is_whole & candidates.opens_paragraph.astype(bool) & (is_marked | is_long)
        is_item &= np.array([not each.text.rstrip().endswith(":") for each in candidates.sentences], bool)
        return self.with_shown_alone(opens & (ends | is_item))

    def understood(self, shown: BoolArray) -> BoolArray:
        """Those of these sentences that need no antecedent, if there are such; else all, with theirs."""
        first = self.first
        found, whole = shown & (first >= 0), shown.copy()
        for position in np.flatnonzero(found & (first < np.arange(len(first)))).tolist():
            before = slice(int(first[position]), position)
            found[position] = shown[before].all()
            whole[before] = True
        return found if found.any() else whole

    def needed_by(self, asked: BoolArray) -> list[tuple[int, int]]:
        """The sentences without which some of those asked for are not understood, each with one of these.

        Those that are asked for themselves are left out.
        """
        return [
            (before, position)
            for position in np.flatnonzero(asked & self.is_presentable & (self.first >= 0)).tolist()
            for before in range(int(self.first[position]), position)
            if not asked[before] and self.is_presentable[before]
        ]

    def shown(
        self, candidates: Candidates, position: int, after: int | None = None, before: int | None = None
    ) -> str:
        """A sentence as the summary shows it.

        Without list marker, label, references in parentheses to figures, speaker and a speaker's fillers;
        without the connective by which it goes on from a sentence that is not shown before it. What can be
        shown without what its colon announces ends with a stop then.

        Args:
            candidates: The sentences.
            position: That of the sentence.
            after: That of the sentence shown before it.
            before: That of the sentence shown after it.
        """
        text = candidates.sentences[position].text[int(self.offset[position]) :]
        if self.source_kind is not SourceKind.CONVERSATION:
            if self.connective[position] and after != self.before[position]:
                text = begin(text[int(self.connective[position]) :])
            # What a proposal lists in its abstract is seldom marked as a list.
            is_list = before == position + 1 and (
                announces_list(candidates, position)
                or (
                    self.document_kind is DocumentKind.PROPOSAL
                    and not candidates.sentences[before].text.rstrip(CLOSING_MARKS).endswith(STOPS)
                )
            )
            if text.endswith(":") and self.is_left_open[position] and not is_list:
                text = closed(text)
            return without_figures(text)
        named = _named(candidates, position)
        said = text if named is None else text[len(named) + 1 :].lstrip()
        tidied = tidy(said) if self.is_tidied else ""
        return (tidied if after == self.before[position] else begin_anew(tidied)) or said

    def followed(self, candidates: Candidates, positions: Sequence[int]) -> list[int | None]:
        """The sentence from which each goes on where they are shown in this order; none for the first.

        Nor for a "Second, …" after a sentence that lost its own connective. What turns to something else goes
        on as if the sentence before it were shown.
        """
        found: list[int | None] = []
        is_cut = False
        for after, position in zip((None, *positions), positions, strict=False):
            text = candidates.sentences[position].text[int(self.offset[position]) :]
            goes_on = after == self.before[position] and not (is_cut and continues_enumeration(text))
            # By "Meanwhile, …" news turns to another story whatever stands before it, if it needs nothing.
            is_turn = turns_to_other_story(text) and candidates.is_of_events
            goes_on |= after is not None and is_turn and self.first[position] == position
            found.append(int(self.before[position]) if goes_on else None)
            is_cut = not goes_on and bool(self.connective[position])
        return found

    def label_of(self, candidates: Candidates, position: int) -> str | None:
        """Who says a sentence, where that is not the document: a dissenting judge, a speaker of a meeting."""
        if self.source_kind is SourceKind.CONVERSATION:
            return _speaker_of(candidates, position)
        return label_of(candidates, position)


def _with_the_one_before(first: IntArray, is_presentable: BoolArray, positions: Iterable[int]) -> IntArray:
    """The same, where each of these is taken with the sentence before it, or not at all."""
    found = first.copy()
    for position in positions:
        before = position - 1
        found[position] = before if is_presentable[before] and first[before] == before else -1
    return found


def _after_a_year(candidates: Candidates) -> list[int]:
    """Where news goes on with "Meanwhile, …" after a sentence that names a year.

    Elsewhere it means the time of all that is told.
    """
    texts = [sentence.text for sentence in candidates.sentences]
    return [
        position
        for position in range(1, len(texts))
        if turns_to_other_story(texts[position])
        and candidates.is_of_events
        and _YEAR.search(texts[position - 1]) is not None
    ]


def _names_source_first(candidates: Candidates) -> BoolArray:
    """Whether a sentence is of a paragraph whose sources in brackets stand before what is taken from them.

    That is so where the first one opens it.
    """
    opening = np.array([begins_with_source(each.text) for each in candidates.sentences], bool)
    opens = candidates.opens_paragraph.astype(bool)
    found: BoolArray = opening & (opening[opens][np.cumsum(opens) - 1] if opens.any() else opening)
    return found


def _is_english(candidates: Candidates) -> bool:
    """Whether enough terms are English function words."""
    total = max(1, int(candidates.num_terms.sum()))
    return float(total - candidates.terms.counts.sum()) > _ENGLISH * total


def _names_in_lower_case(candidates: Candidates) -> frozenset[str]:
    """The words of the titles that are written like names of programs: "flask-smorest", "igraph"."""
    words = {word.strip(".,:()") for title in {*candidates.titles} for word in title.split()[:2]}
    named = {word for word in words if word.islower() and len(word) > 2 and not is_function_word(word)}
    # "cache" is a name where no sentence has it as a common noun: "a cache", "the cache", "caches".
    text = " ".join(sentence.text for sentence in candidates.sentences) if named else ""
    return frozenset(name for name in named if f"a {name} " not in text and f"the {name} " not in text)


def _spoken(texts: list[str]) -> list[str]:
    """What is said, as it would be quoted."""
    return [tidy(text[found.end() :] if (found := speaker_of(text)) else text) for text in texts]


def _is_acceptable(candidates: Candidates, grants_rights: BoolArray) -> BoolArray:
    """Whether a sentence is of a fit length, not mostly symbols, no head of a list, no licence."""
    # Of a few lines a short one may be all there is to say.
    shortest = SHORTEST if int(candidates.num_words.sum()) > LONGEST else SHORTEST_AFTER_ANOTHER
    has_no_stops = np.array([_WITHOUT_STOPS.match(each.text[-1:]) for each in candidates.sentences], bool)
    longest = np.where(has_no_stops, _LONGEST_WITHOUT_STOPS, LONGEST)
    is_long_enough = (candidates.num_words >= shortest) & (candidates.num_words <= longest)
    is_long_enough &= ~grants_rights
    is_readable = np.array(["\ufffd" not in sentence.text for sentence in candidates.sentences], bool)
    opens_list = np.array([sentence.text.rstrip().endswith(":") for sentence in candidates.sentences], bool)
    acceptable: BoolArray = is_long_enough & is_readable & ~opens_list
    for position in np.flatnonzero(acceptable).tolist():
        text = candidates.sentences[position].text
        acceptable[position] = symbols_of(text) <= MOST_SYMBOLS * len(text)
    return acceptable


def _is_closed(text: str) -> bool:
    """Whether a text ends as a statement does."""
    return text.rstrip(f" {CLOSING_MARKS}").endswith((".", "!", "。"))


def _as_shown(texts: Sequence[str]) -> list[str]:
    """Sentences as they are shown where they end with a colon and are left open."""
    return [closed(text) if text.endswith(":") else text for text in texts]


def _can_be_shown(candidates: Candidates, *, is_spoken: bool) -> BoolArray:
    """Whether a sentence is whole where it stands: no heading said again, no note, no piece of another."""
    is_footnote = np.array([_FOOTNOTE.match(each.text) is not None for each in candidates.sentences], bool)
    can_be: BoolArray = ~repeats_heading(candidates) & ~is_footnote
    if is_spoken:
        return can_be & ~continues_turn(candidates)
    can_be &= ~lacks_beginning(candidates) & ~is_within_quotation(candidates) & ~is_epigraph(candidates)
    return can_be


def _short_dispositions(candidates: Candidates, statements: Mapping[Statement, FloatArray]) -> list[int]:
    """Sentences such as "We affirm the judgment below.", short because it is all that needs saying."""
    disposes = np.flatnonzero(statements.get(Statement.DISPOSITION, np.zeros(0)) > 0)
    least = min(_LEAST_OF_A_DISPOSITION, int(candidates.num_words[disposes].max(initial=2)))
    num_words = candidates.num_words[disposes]
    return [int(position) for position in disposes[(num_words >= least) & (num_words < SHORTEST)]]


def _speaker_of(candidates: Candidates, position: int) -> str | None:
    """Who speaks: the last one named before, for a turn may have several paragraphs.

    ``None`` where somebody else may have begun to speak in between, under a name of another form.
    """
    document = candidates.document[position]
    while position >= 0 and candidates.document[position] == document:
        named = _named(candidates, position)
        if named is not None:
            return named if named not in _NO_NAMES else None
        text = candidates.sentences[position].text
        is_named = speaker_of(text) is not None and looks_like_name(text.partition(":")[0])
        if is_named or (candidates.opens_paragraph[position] and ":" in text[:_LONGEST_NAME]):
            return None
        position -= 1
    return None


def _named(candidates: Candidates, position: int) -> str | None:
    """The speaker whose name a sentence begins with; within a paragraph too, where lines are joined."""
    text = candidates.sentences[position].text
    if speaker_of(text) is None:
        return None
    name = text.partition(":")[0]
    return name if candidates.opens_paragraph[position] or name in candidates.openings else None
