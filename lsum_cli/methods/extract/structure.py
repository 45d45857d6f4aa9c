"""The structure pass: what is known of every sentence before sentences are ranked.

Which sentences stand alone, which need the one before them, whose words they are, what they state. Ranking
then orders what may be said; it does not decide who may say it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.anaphora import AnaphoraRules, anaphora_rules, continues_enumeration
from lsum_cli.methods.extract.boilerplate import instructs_author, is_interruption
from lsum_cli.methods.extract.candidates import Candidates, looks_like_name
from lsum_cli.methods.extract.conversations.speech import ELLIPSIS, tidy
from lsum_cli.methods.extract.gist import Gist
from lsum_cli.methods.extract.kinds import SPEAKER, DocumentKind, SourceKind, document_kind_of, kind_of
from lsum_cli.methods.extract.mentions import Mentions
from lsum_cli.methods.extract.other_views import reports_other_views
from lsum_cli.methods.extract.presentability import (
    CLOSING_MARKS,
    LONGEST,
    MOST_SYMBOLS,
    SHORTEST,
    SHORTEST_AFTER_ANOTHER,
    STOPS,
    Presentability,
    judge,
    symbols_of,
)
from lsum_cli.methods.extract.presentability import is_presentable as is_form_presentable
from lsum_cli.methods.extract.separate_opinions import label_of, theses
from lsum_cli.methods.extract.statement_wording import Statement
from lsum_cli.methods.extract.statements import states
from lsum_cli.methods.extract.trimming import begin, without_figures
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# Sentences before one that may be taken with it as antecedents; one that needs more is not taken at all.
MOST_ANTECEDENTS = 2
# The share of function words in English; other languages have hardly any of these words.
_ENGLISH = 0.2
# A row of a table as reading writes it: "depth | The depth of the channel."; "cat notes | sort" is none.
_CELLS = regex(r"^\| | \| (?=[A-Z\d])|^(?=.* \| .).*[^.!?:;…)\"'’”]$")
_LEAST_OF_A_DISPOSITION = 4  # words
_LEAST_OF_AN_OPENING = 5  # words
# "*One of the dissenters"; "*not*" is stressed. "—The court shall" is what a statute has below its heading.
_FOOTNOTE = regex(r"^([*†‡])\1?(?=[A-Z])(?!.*[^\s*†‡]\1)|^[—–](?=[A-Z])")
# A piece that ends without one of these, or with one of these words, goes on in what comes next.
_ENDS = (*STOPS, ":", ";", "?")
# The number of a footnote behind a stop.
_ENDS_WITH_A_MARK = regex(r"[a-z”’\"')][.!?]\d{1,3}$")
_BREAKS_OFF_TEXT = (
    "the a an of in on at to for from with by and or nor but as that which who is are was were be been "
    "has have had not its their his her our under between into upon v."
)
_BREAKS_OFF = frozenset(_BREAKS_OFF_TEXT.split())
_OF_ITSELF = regex(
    r"(?:This|These) (?!is\b|was\b|are\b|were\b|means\b|can\b|will\b)[a-z][\w-]+ "
    r"|Diese[rs]? [A-ZÄÖÜ]|(?:Cet|Cette|Ce) [a-z]"
)
# What is said of the entry above it, without naming it: "Must be positive."; "Returns the number of …".
_NO_SUBJECT = regex(
    r"(?:Can|Must|May|Should|Will|Cannot) (?:also |only |not |optionally )?(?:be|take|have|accept|contain|use"
    r"|return|include|raise|specify)\b"
    r"|(?:Returns|Accepts|Takes|Yields) (?:an?|the|all|only|whether|either|one|True|False|None)\b"
    r"|(?:Is|Are|Was|Has|Does) [^?]*\.$"
    r"|Raises (?:an?|the|[A-Z]\w+(?:Error|Exception|Warning))\b|Defaults to\b|Inherits (?:from|the|all)\b"
    r"|(?:Equivalent|Identical|Similar) to [^,]+\.$|Same as [^,]+\.$|Like [^,]+, (?:but|except)\b"
)
# Quotation marks by what they stand at; straight ones too.
_OPENS_QUOTATION = regex(r"“|(?:(?<=[\s(\[—–-])|^)\"(?=\w)")
_CLOSES_QUOTATION = regex(r"”|(?<=[\w.,!?…’'%)])\"(?!\w)")
_LONGEST_QUOTATION = 3  # sentences between its first and its last
# Who said what stands above: "— Ada Brook, Notes on Rivers"; and what else begins with such a dash.
_ATTRIBUTION = regex(r"(?:[—–―]|-{2,3}) ?(?=[“\"(]?[A-ZÀ-Þ])(?!.*\|)(?:\S+(?: |$)){1,15}(?<![a-z][.!?:;])$")
_DASH = regex(r"[—–―]|-{2,3}(?!-)")
_LONGEST_EPIGRAPH = 100  # words
# What programs write where they know no name.
_NO_NAMES = frozenset(("None", "Unknown", "Unknown speaker", "Unknown Speaker", "UNKNOWN", "N/A"))
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
        before: The sentence before it in its section, past references between them; -1 if there is none.
        is_own: Whether the document as a whole says it, and neither a dissent nor another author.
        is_cells: Whether it is a row of a table, or what the template of a proposal asks its author.
        theses: How clearly it states what a dissent or a concurrence in the judgment comes to, from 0 to 1.
        statements: How clearly it makes each statement that the summary must hold, from 0 to 1.
        mentions: What it takes as known, and makes known.
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
    before: IntArray
    is_own: BoolArray
    is_cells: BoolArray
    theses: FloatArray
    statements: Mapping[Statement, FloatArray]
    mentions: Mentions
    gist: Gist
    is_tidied: bool
    num_words: IntArray

    @classmethod
    def of(cls, candidates: Candidates, *, is_read: bool = True) -> Structure:
        """Analyse a source.

        Args:
            candidates: Its sentences.
            is_read: Whether it will be asked what they take as known: that counts for readers alone.
        """
        source_kind = kind_of(candidates)
        document_kind = document_kind_of(candidates, source_kind)
        texts = [sentence.text for sentence in candidates.sentences]
        is_spoken = source_kind is SourceKind.CONVERSATION
        is_english = _is_english(candidates)
        said = _spoken(texts) if is_spoken and is_english else texts
        anaphora = anaphora_rules("en" if is_english else candidates.language, document_kind)
        if anaphora is not None and document_kind in (DocumentKind.PROPOSAL, DocumentKind.OTHER):
            anaphora = anaphora.of_title(candidates.titles[0] if len({*candidates.titles}) == 1 else "")
        standing = judge(
            said,
            candidates.num_words,
            is_spoken=is_spoken,
            is_english=is_english,
            anaphora=anaphora,
        )
        roles = [section.role for section in candidates.sections]
        is_apart = np.array([role in (SectionRole.DISSENT, SectionRole.CONCURRENCE) for role in roles], bool)
        is_opening = _repeats_heading(candidates)
        statements = states(
            candidates,
            document_kind,
            standing.is_presentable | (candidates.num_words < SHORTEST),
        )
        before = _before(candidates, standing.is_reference)
        is_cells = np.array(["|" in text and _CELLS.search(text) is not None for text in texts], bool)
        if document_kind is DocumentKind.PROPOSAL:
            is_cells |= np.array([instructs_author(text) for text in texts], bool)
        is_footnote = np.array([_FOOTNOTE.match(text) is not None for text in texts], bool)
        can_be_shown = ~is_opening & ~is_cells & ~is_footnote
        can_be_shown &= ~(_goes_on(candidates) if is_spoken else _is_beheaded(candidates))
        if not is_spoken:
            can_be_shown &= ~_is_within_quotation(candidates) & ~_is_epigraph(candidates)
        is_presentable = standing.is_presentable & can_be_shown
        disposes = np.flatnonzero(statements.get(Statement.DISPOSITION, np.zeros(0)) > 0)
        least = min(_LEAST_OF_A_DISPOSITION, int(candidates.num_words[disposes].max(initial=2)))
        for position in disposes.tolist():
            # "We affirm the judgment below." is short because it is all that needs saying.
            if least <= candidates.num_words[position] < SHORTEST:
                text = texts[position][int(standing.offset[position]) :]
                is_presentable[position] = is_form_presentable(text)
        continues = _continues(candidates, standing, before, anaphora)
        connective = _connectives(candidates, standing, continues, anaphora, source_kind)
        continues &= connective == 0
        if is_english and source_kind is SourceKind.PROSE and document_kind is DocumentKind.OTHER:
            continues |= _has_no_subject(texts, standing) & (before >= 0)
        refers_back = standing.refers_back.copy()
        if Statement.QUESTION in statements:
            # What a court is asked introduces what it asks about.
            refers_back &= statements[Statement.QUESTION] < 1
        opening = _opening_of_itself(candidates, is_presentable)
        if opening is not None:
            continues[opening] = refers_back[opening] = False
        return cls(
            source_kind=source_kind,
            document_kind=document_kind,
            offset=standing.offset,
            connective=connective,
            is_presentable=is_presentable,
            is_acceptable=_is_acceptable(candidates, standing.grants_rights),
            first=_antecedents(before, is_presentable, continues | refers_back),
            first_under_heading=_antecedents(
                before,
                is_presentable,
                (continues | refers_back) & ~_is_of_heading(candidates, before, continues, anaphora),
            ),
            first_by_opening=_antecedents(before, is_presentable, continues),
            before=before,
            is_own=~is_apart & ~reports_other_views(candidates, document_kind),
            is_cells=is_cells,
            theses=theses(candidates, is_presentable & ~standing.continues & ~refers_back),
            statements=statements,
            mentions=Mentions.of(texts, candidates.titles, candidates.section)
            if is_read and is_english and not is_spoken
            else Mentions.none(len(texts)),
            gist=Gist.of(candidates, is_presentable, source_kind, document_kind),
            is_tidied=is_spoken and is_english,
            num_words=np.array([len(text.split()) for text in said], np.int64)
            if is_spoken and is_english
            else candidates.num_words,
        )

    @property
    def stands_alone(self) -> BoolArray:
        """Whether each sentence can be shown without any other."""
        alone: BoolArray = self.is_presentable & (self.first == np.arange(len(self.first)))
        return alone

    def shown(self, candidates: Candidates, position: int, after: int | None = None) -> str:
        """A sentence as the summary shows it.

        Without list marker, label, references in parentheses to figures, speaker and a speaker's fillers;
        without the connective by which it goes on from a sentence that is not shown before it.

        Args:
            candidates: The sentences.
            position: That of the sentence.
            after: That of the sentence shown before it.
        """
        text = candidates.sentences[position].text[int(self.offset[position]) :]
        if self.source_kind is not SourceKind.CONVERSATION:
            if self.connective[position] and after != self.before[position]:
                text = begin(text[int(self.connective[position]) :])
            return without_figures(text)
        named = _named(candidates, position)
        said = text if named is None else text[len(named) + 1 :].lstrip()
        return (tidy(said) if self.is_tidied else "") or said

    def followed(self, candidates: Candidates, positions: Sequence[int]) -> list[int | None]:
        """The sentence from which each goes on where they are shown in this order; none for the first.

        Nor for a "Second, …" after a sentence that lost its own connective.
        """
        found: list[int | None] = []
        is_cut = False
        for after, position in zip((None, *positions), positions, strict=False):
            text = candidates.sentences[position].text[int(self.offset[position]) :]
            goes_on = after == self.before[position] and not (is_cut and continues_enumeration(text))
            found.append(after if goes_on else None)
            is_cut = not goes_on and bool(self.connective[position])
        return found

    def label_of(self, candidates: Candidates, position: int) -> str | None:
        """Who says a sentence, where that is not the document: a dissenting judge, a speaker of a meeting."""
        if self.source_kind is SourceKind.CONVERSATION:
            return _speaker_of(candidates, position)
        return label_of(candidates, position)


def _is_english(candidates: Candidates) -> bool:
    """Whether enough terms are English function words."""
    total = max(1, int(candidates.num_terms.sum()))
    return float(total - candidates.terms.counts.sum()) > _ENGLISH * total


def _repeats_heading(candidates: Candidates) -> BoolArray:
    """Whether a sentence only repeats its heading or the title."""
    headings = [section.heading or "" for section in candidates.sections]
    bare = {text: text.casefold().strip(" .:") for text in {*headings, *candidates.titles}}
    return np.array(
        [
            sentence.text.casefold().strip(" .:") in (bare[heading], bare[title])
            for sentence, heading, title in zip(
                candidates.sentences, headings, candidates.titles, strict=True
            )
        ],
        bool,
    )


def _spoken(texts: list[str]) -> list[str]:
    """What is said, as it would be quoted; what breaks off counts as a sentence, for its end is marked."""
    said = (text[found.end() :] if (found := SPEAKER.match(text)) else text for text in texts)
    return [f"{made[:-2]}." if (made := tidy(text)).endswith(f" {ELLIPSIS}") else made for text in said]


def _goes_on(candidates: Candidates) -> BoolArray:
    """Whether a sentence of a turn goes on where the one before it broke off."""
    found = np.zeros(len(candidates), bool)
    for position in range(1, len(candidates)):
        before = candidates.sentences[position - 1].text.rstrip(CLOSING_MARKS)
        text = candidates.sentences[position].text
        found[position] = (
            not candidates.opens_paragraph[position] and text[:1].islower() and not before.endswith(_ENDS)
        )
    return found


def _is_beheaded(candidates: Candidates) -> BoolArray:
    """Whether what stands before a sentence is its own beginning: it has no stop, and breaks off."""
    found = np.zeros(len(candidates), bool)
    for position in range(1, len(candidates)):
        before, sentence = candidates.sentences[position - 1], candidates.sentences[position]
        if (
            sentence.index != before.index + 1
            or candidates.document[position] != candidates.document[position - 1]
        ):
            continue
        text = before.text.rstrip(CLOSING_MARKS)
        if text.endswith(_ENDS) or _ENDS_WITH_A_MARK.search(text) or is_interruption(text):
            continue
        last = text.split()[-1] if text else ""
        breaks_off = last.lower() in _BREAKS_OFF or (
            # What is written like a title is a label or a caption, and no piece of this sentence.
            2 * sum(word[:1].isupper() for word in text.split()) < len(text.split())
            and candidates.num_words[position - 1] >= SHORTEST
            and last[:1].isupper()
            and last.isalpha()
        )
        same_section = candidates.section[position] == candidates.section[position - 1]
        found[position] = same_section and (breaks_off or not candidates.opens_paragraph[position])
    return found


def _is_within_quotation(candidates: Candidates) -> BoolArray:
    """Whether a sentence is of a quotation that begins before it and ends after it, in its paragraph.

    Nothing shows that others say it, and who.
    """
    found = np.zeros(len(candidates), bool)
    within: list[int] | None = None
    for position, sentence in enumerate(candidates.sentences):
        if candidates.opens_paragraph[position]:
            within = None
        text, net = sentence.text, 0
        if '"' in text or "“" in text or "”" in text:
            net = len(_OPENS_QUOTATION.findall(text)) - len(_CLOSES_QUOTATION.findall(text))
        if net > 0:
            within = []
        elif net < 0:
            found[within or []] = True
            within = None
        elif within is not None:
            # Of a longer one the end is not marked, or its beginning is a slip.
            within = [*within, position] if len(within) < _LONGEST_QUOTATION else None
    return found


def _is_epigraph(candidates: Candidates) -> BoolArray:
    """Whether a sentence is of what a document or a section is headed by, with who said it.

    What is signed at its end is what the document says.
    """
    found = np.zeros(len(candidates), bool)
    section = candidates.section.tolist()
    first = words = 0
    for position, sentence in enumerate(candidates.sentences):
        if not position or section[position] != section[position - 1]:
            first, words = position, 0
        words += int(candidates.num_words[position])
        if words > _LONGEST_EPIGRAPH or position == first or _ATTRIBUTION.match(sentence.text) is None:
            continue
        above = candidates.sentences[position - 1].text
        if _goes_on_below(candidates, position) and not above.endswith(":") and not _DASH.match(above):
            found[first : position + 1] = True
            first, words = position + 1, 0
    return found


def _goes_on_below(candidates: Candidates, position: int) -> bool:
    """Whether the section of a sentence has more below it, or sections of its own; no list of such lines."""
    after, number = position + 1, int(candidates.section[position])
    if after == len(candidates) or candidates.document[after] != candidates.document[position]:
        return False
    if candidates.section[after] == number:
        return _DASH.match(candidates.sentences[after].text) is None
    sections = candidates.every_section
    return sections[number + 1].level > sections[number].level


def _before(candidates: Candidates, is_reference: BoolArray) -> IntArray:
    """For each sentence the one before it in its section, past references; -1 where there is none."""
    indices = np.array([sentence.index for sentence in candidates.sentences], np.int64)
    follows = np.zeros(len(candidates), bool)
    follows[1:] = (np.diff(indices) == 1) & (np.diff(candidates.section) == 0)
    before = np.where(follows, np.arange(len(candidates)) - 1, -1)
    for position in np.flatnonzero(is_reference).tolist():
        if position + 1 < len(before) and before[position + 1] == position:
            before[position + 1] = before[position]
    return before


def _continues(
    candidates: Candidates, standing: Presentability, before: IntArray, anaphora: AnaphoraRules | None
) -> BoolArray:
    """Whether each sentence continues from the one before; a short one that opens a section need not."""
    continues = standing.continues.copy()
    is_short = (candidates.num_words >= _LEAST_OF_AN_OPENING) & (candidates.num_words < SHORTEST)
    for position in np.flatnonzero(continues & is_short & _opens_section(candidates, before)).tolist():
        continues[position] = anaphora is not None and anaphora.needs_antecedent(
            candidates.sentences[position].text
        )
    return continues


def _opens_section(candidates: Candidates, before: IntArray) -> BoolArray:
    """Whether nothing but lines without a stop stands between a sentence and its heading: dates, bylines."""
    opens = before < 0
    for position in np.flatnonzero(before >= 0).tolist():
        previous = int(before[position])
        text = candidates.sentences[previous].text.rstrip(CLOSING_MARKS)
        opens[position] = opens[previous] and not text.endswith((*STOPS, "?", ":"))
    return opens


def _has_no_subject(texts: Sequence[str], standing: Presentability) -> BoolArray:
    """Whether each sentence says something of an entry that stands before it, without naming it."""
    offsets = standing.offset.tolist()
    return np.array(
        [_NO_SUBJECT.match(text, offset) is not None for text, offset in zip(texts, offsets, strict=True)],
        bool,
    )


def _is_of_heading(
    candidates: Candidates, before: IntArray, continues: BoolArray, anaphora: AnaphoraRules | None
) -> BoolArray:
    """Whether a sentence that begins a section needs no antecedent but its heading."""
    found = np.zeros(len(candidates), bool)
    for position in np.flatnonzero(continues & (before < 0)).tolist():
        found[position] = anaphora is not None and anaphora.needs_only_heading(
            candidates.sentences[position].text, candidates.sections[position].heading or ""
        )
    return found


def _connectives(
    candidates: Candidates,
    standing: Presentability,
    continues: BoolArray,
    anaphora: AnaphoraRules | None,
    source_kind: SourceKind,
) -> IntArray:
    """The length of the connective without which each sentence needs no antecedent; 0 where it has none."""
    lengths = np.zeros(len(candidates), np.int64)
    if anaphora is None or source_kind is not SourceKind.PROSE:
        return lengths
    for position in np.flatnonzero(continues & (candidates.num_words > SHORTEST)).tolist():
        text = candidates.sentences[position].text[int(standing.offset[position]) :]
        before = candidates.sentences[position - 1].text if position else ""
        length = anaphora.connective_length(text, before)
        # "But free in the sense that …" is no sentence without it.
        if length and is_form_presentable(begin(text[length:])):
            lengths[position] = length
    return lengths


def _opening_of_itself(candidates: Candidates, is_presentable: BoolArray) -> int | None:
    """The first sentence of a document where it says what the document, or its subject, is.

    "This library reads …" speaks of the title: there is nothing else before it.
    """
    shown = np.flatnonzero(is_presentable)
    if not len(shown) or len({*candidates.document.tolist()}) > 1:
        return None
    first = int(shown[0])
    before = (sentence.text.rstrip(CLOSING_MARKS) for sentence in candidates.sentences[:first])
    if any(text.endswith((*STOPS, "?")) and len(text.split()) >= SHORTEST_AFTER_ANOTHER for text in before):
        return None
    return first if _OF_ITSELF.match(candidates.sentences[first].text) else None


def _antecedents(before: IntArray, is_presentable: BoolArray, needs: BoolArray) -> IntArray:
    """For each sentence the first that it must be taken with; -1 where that is not possible."""
    first = np.arange(len(before))
    for position in np.flatnonzero(needs).tolist():
        earliest, count = position, 0
        while needs[earliest] and count < MOST_ANTECEDENTS:
            previous = int(before[earliest])
            if previous < 0 or not is_presentable[previous]:
                break
            earliest, count = previous, count + 1
        first[position] = -1 if needs[earliest] else earliest
    return first


def _is_acceptable(candidates: Candidates, grants_rights: BoolArray) -> BoolArray:
    """Whether a sentence is of a fit length, not mostly symbols, no head of a list, no licence."""
    symbols = np.array([symbols_of(sentence.text) for sentence in candidates.sentences])
    lengths = np.array([len(sentence.text) for sentence in candidates.sentences])
    # Of a few lines a short one may be all there is to say.
    shortest = SHORTEST if int(candidates.num_words.sum()) > LONGEST else SHORTEST_AFTER_ANOTHER
    has_no_stops = np.array([_WITHOUT_STOPS.search(sentence.text) for sentence in candidates.sentences], bool)
    longest = np.where(has_no_stops, _LONGEST_WITHOUT_STOPS, LONGEST)
    is_long_enough = (candidates.num_words >= shortest) & (candidates.num_words <= longest)
    is_long_enough &= ~grants_rights
    is_readable = np.array(["\ufffd" not in sentence.text for sentence in candidates.sentences], bool)
    opens_list = np.array([sentence.text.rstrip().endswith(":") for sentence in candidates.sentences], bool)
    acceptable: BoolArray = is_long_enough & is_readable & ~opens_list & (symbols <= MOST_SYMBOLS * lengths)
    return acceptable


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
        is_named = SPEAKER.match(text) is not None and looks_like_name(text.partition(":")[0])
        if is_named or (candidates.opens_paragraph[position] and ":" in text[:_LONGEST_NAME]):
            return None
        position -= 1
    return None


def _named(candidates: Candidates, position: int) -> str | None:
    """The speaker whose name a sentence begins with; within a paragraph too, where lines are joined."""
    text = candidates.sentences[position].text
    if SPEAKER.match(text) is None:
        return None
    name = text.partition(":")[0]
    return name if candidates.opens_paragraph[position] or name in candidates.openings else None
