"""A summary of several documents, topic by topic: of each what its own summary would say first.

Every document is analysed on its own, as a paper, a news item or talk, and is quoted from its own summary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.recognition import are_minutes
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.headlines import headline
from lsum_cli.methods.extract.minutes import quote_marked
from lsum_cli.methods.extract.ranking.salience import standardised
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.running_text import text_positions
from lsum_cli.methods.extract.topics import OTHER_TOPICS, Topic, group_by_topic
from lsum_cli.methods.length import NAMED_LENGTHS, suit_length
from lsum_cli.summaries import OutlineEntry, Style, SummarySentence
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

# Documents that repeat what is quoted share this much of their best sentence's terms with it.
_REPEATS = 0.5
# What it counts for a sentence to have the terms of its document's topic, and to be the one that says most of
# its document, in standard deviations.
_OF_THE_TOPIC, _SAYS_MOST = 0.7, 1.0
# Of two documents with so many sentences in common, of those of so many terms, one is a version of the other.
_SAME, _TELLING_TERMS = 0.6, 5
# Less room than this is given to no document beyond its first sentence.
_LEAST_SHARE = 25


@dataclass(frozen=True, eq=False, kw_only=True)
class _Member:
    """A document as it is summarised on its own.

    Attributes:
        extractor: What chooses from it and quotes it.
        rows: The positions of its sentences among those of all documents.
        says: (its sentences,) which its own summary quotes.
        most: Which of them says most on its own; ``None`` where nothing is quoted.
        marked: What minutes mark, by position among its sentences, with labels.
    """

    extractor: Extractor
    rows: IntArray
    says: BoolArray
    most: int | None
    marked: Mapping[int, SummarySentence] = field(default_factory=dict)

    @classmethod
    def of(cls, extractor: Extractor, place: int) -> _Member:
        """The document at this place, of those that are summarised together."""
        document = extractor.documents[place]
        rows = np.flatnonzero(extractor.candidates.document == place)
        own = Extractor.of(
            [page for page in extractor.pages if page.document_id == document.id],
            [document],
            replace(
                extractor.request,
                num_words=suit_length(int(extractor.candidates.num_words[rows].sum())),
                has_length=False,
                all_lengths=False,
                by_chapters=False,
                style=Style.PROSE,
                focus=None,
            ),
        )
        if extractor.eligible is not None:
            about = extractor.eligible[rows]
            own = replace(
                own, eligible=about, scores=replace(own.scores, values=extractor.scores.values[rows])
            )
            if not about.any():
                return cls(extractor=own, rows=rows, says=about, most=None)
        elif are_minutes(own.candidates, own.structure.document_kind) and (marked := quote_marked(own)):
            return cls(
                extractor=own, rows=rows, says=own.mask(list(marked)), most=next(iter(marked)), marked=marked
            )
        chosen = text_positions(own)
        most = own.one_of(chosen)
        return cls(extractor=own, rows=rows, says=own.mask(chosen), most=most[0] if most else None)

    def quote_all(self, rows: Sequence[int], first_index: int) -> dict[int, SummarySentence]:
        """Sentences as they follow one another, by their positions among those of all documents."""
        positions = np.searchsorted(self.rows, rows).tolist()
        quoted = self.extractor.quote_all(positions, first_index)
        return {
            row: replace(self.marked.get(position, sentence), index=sentence.index)
            for row, (position, sentence) in zip(rows, quoted.items(), strict=True)
        }

    @property
    def quotable(self) -> BoolArray:
        """(its sentences,) which can be quoted alone; where none stands alone those acceptable by form.

        Of minutes what they mark.
        """
        if self.marked:
            return self.extractor.mask(list(self.marked))
        structure, eligible = self.extractor.structure, self.extractor.eligible
        about = np.ones(len(self.rows), bool) if eligible is None else eligible
        alone: BoolArray = structure.stands_alone & about
        acceptable: BoolArray = structure.is_acceptable & about
        return alone if structure.stands_alone.any() else acceptable


def write_by_topic(extractor: Extractor) -> Extract:
    """A summary of several documents, topic by topic; says which documents it does not quote."""
    documents = extractor.documents
    topics = group_by_topic(extractor.candidates, documents)
    versions = _versions(extractor.candidates)
    present = sorted(set(extractor.candidates.document.tolist()) - set(versions))
    members = {place: _Member.of(extractor, place) for place in present}
    *shorter, chosen = _choose(extractor, members, topics)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    by_document = extractor.request.style is Style.OUTLINE
    for topic in topics:
        quoted = {
            place: sorted(row for row in chosen if extractor.candidates.document[row] == place)
            for place in topic.documents
        }
        if not any(quoted.values()):
            continue
        made: dict[int, list[SummarySentence]] = {}
        flat: list[SummarySentence] = []
        for place, rows in quoted.items():
            if place not in members:
                made[place] = []
                continue
            quotes = members[place].quote_all(rows, len(sentences))
            made[place] = list(quotes.values())
            sentences |= quotes
            flat += made[place]
        alone = topic.documents[0] if len(topic.documents) == 1 else None
        # Where no topic is told, as under a focus, these are not the others.
        is_only = topic.name == OTHER_TOPICS and not entries
        by_headline = alone is None and (by_document or is_only)
        if not is_only:
            entries.append(
                OutlineEntry(
                    heading=topic.name,
                    level=1,
                    document_id=None if alone is None else documents[alone].id,
                    sentences=() if by_headline else tuple(flat),
                )
            )
        if by_headline:
            entries += [
                OutlineEntry(
                    heading=headline(documents[place]),
                    level=1 if is_only else 2,
                    document_id=documents[place].id,
                    sentences=tuple(made[place]),
                )
                for place in topic.documents
                if made[place]
            ]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences, [shorter[0][:1], *shorter])
        if extractor.request.all_lengths
        else (),
        warnings=(
            *_say_versions(documents, versions),
            *left_out(
                extractor,
                chosen,
                f"no room in {extractor.num_words} words",
                _over_all(extractor, members),
                versions,
            ),
        ),
    )


def _versions(candidates: Candidates) -> dict[int, int]:
    """The documents that are versions of a longer one, and of which."""
    terms, sentences = candidates.terms, defaultdict[int, set[bytes]](set)
    for row, place in enumerate(candidates.document.tolist()):
        columns = terms.columns[terms.row(row)]
        if len(columns) >= _TELLING_TERMS:
            sentences[place].add(columns.tobytes())
    versions: dict[int, int] = {}
    for place in sorted(sentences, key=lambda each: -len(sentences[each])):
        own = sentences[place]
        longer = (other for other in sentences if other not in versions and other != place)
        for other in longer:
            is_longer = (len(sentences[other]), -other) > (len(own), -place)
            if is_longer and len(own & sentences[other]) >= _SAME * len(own):
                versions[place] = other
                break
    return versions


def _say_versions(documents: Sequence[Document], versions: Mapping[int, int]) -> Iterator[str]:
    for place, other in versions.items():
        same, source = headline(documents[place]), headline(documents[other])
        if same == source:
            same, source = (documents[each].source.rstrip("/").rsplit("/", 1)[-1] for each in (place, other))
        yield f"not in the summary: {same} (nearly all of it is in {source})"


def _choose(extractor: Extractor, members: Mapping[int, _Member], topics: Sequence[Topic]) -> list[list[int]]:
    """The positions of the sentences: the best of each topic, of its other documents, then what fits.

    Topics have seats for their documents by their size (Sainte-Laguë 1910): the third sentence of a topic of
    ten comes after the first of a topic of three, and before that of a document on its own.

    The last selection is the one of the requested length; those before it, if any, are parts of it.
    """
    num_words = extractor.candidates.num_words
    words, steps = extractor.num_words, sorted(NAMED_LENGTHS.values())
    if extractor.request.all_lengths:
        budgets = [*steps[:-1], words]
    else:
        budgets = [*(step for step in steps if step < words), words] if words in steps else [words]
    values = _values(extractor, members, topics)
    says = _over_all(extractor, members, of_text=True)
    quotable = _over_all(extractor, members)
    about = np.ones(len(quotable), bool) if extractor.eligible is None else extractor.eligible
    groups: list[tuple[int, ...]] = [topic.documents for topic in topics if topic.name != OTHER_TOPICS]
    groups += [(place,) for topic in topics if topic.name == OTHER_TOPICS for place in topic.documents]
    seats = [(group, seat) for group in groups for seat in range(1, len(group) + 1)]
    seats.sort(key=lambda each: -len(each[0]) / (2 * each[1] - 1))
    chosen: list[int] = []
    # A longer summary of a named length begins with the shorter one, and so holds it.
    selections: list[list[int]] = []
    for budget in budgets:
        if extractor.eligible is None and num_words.sum() <= budget:
            selections.append(_each_once(extractor.candidates, chosen))
            continue
        for group, seat in seats:
            _choose_one(extractor, (says & quotable, quotable), values, group, seat, chosen, budget)
        for is_of_text in (True, True, False):
            _fill(extractor, members, chosen, budget, of_text=is_of_text)
        if not chosen and (quotable & about).any():
            # Of a summary too short for any, one.
            chosen.append(int(np.argmin(np.where(quotable & about, num_words, np.inf))))
        selections.append(list(chosen))
    return selections


def _each_once(candidates: Candidates, chosen: Sequence[int]) -> list[int]:
    """All sentences, but what another document says in the same words: a chosen one stays, else the first."""
    texts = [" ".join(sentence.text.split()).casefold() for sentence in candidates.sentences]
    first: dict[str, int] = {}
    for row in (*chosen, *range(len(texts))):
        first.setdefault(texts[row], int(candidates.document[row]))
    return [row for row, text in enumerate(texts) if first[text] == candidates.document[row]]


def _over_all(extractor: Extractor, members: Mapping[int, _Member], *, of_text: bool = False) -> BoolArray:
    """Which sentences of all documents can be quoted alone, or are in the text of their own document."""
    over_all = np.zeros(len(extractor.candidates), bool)
    for member in members.values():
        over_all[member.rows] = member.says if of_text else member.quotable
    return over_all


def _values(extractor: Extractor, members: Mapping[int, _Member], topics: Sequence[Topic]) -> FloatArray:
    """The score of each sentence in its document, and how much it says of the document's topic."""
    candidates = extractor.candidates
    values = np.zeros(len(candidates))
    for member in members.values():
        own = member.extractor.scores.values
        values[member.rows] = standardised(own)
        if member.most is not None:
            values[member.rows[member.most]] += _SAYS_MOST
    for topic in topics:
        of_topic = np.isin(candidates.document, topic.documents)
        if len(topic.documents) > 1 and topic.name != OTHER_TOPICS and of_topic.any():
            says = candidates.terms.mean_over_terms(topic.weights)[of_topic]
            values[of_topic] += _OF_THE_TOPIC * standardised(says)
    return values


def _choose_one(
    extractor: Extractor,
    options: Sequence[BoolArray],
    values: FloatArray,
    group: Sequence[int],
    seat: int,
    chosen: list[int],
    budget: int,
) -> None:
    """Add the best sentence of a document of the group not quoted yet that fits, unless so many are.

    The first options that hold one decide.
    """
    document, num_words = extractor.candidates.document, extractor.candidates.num_words
    quoted = set(document[chosen].tolist()).intersection(group)
    if len(quoted) >= seat:
        return
    room = budget - int(num_words[chosen].sum())
    others = [place for place in group if place not in quoted]
    fits = _is_new(extractor.candidates, chosen) & np.isin(document, others) & (num_words <= room)
    for option in options:
        if (fits & option).any():
            chosen.append(int(np.argmax(np.where(fits & option, values, -np.inf))))
            return


def _fill(
    extractor: Extractor, members: Mapping[int, _Member], chosen: list[int], budget: int, *, of_text: bool
) -> None:
    """Give the documents equal shares of the room left, for what else their own texts say, or all else."""
    num_words = extractor.candidates.num_words
    waiting = [
        member
        for member in members.values()
        if (member.says if of_text else member.quotable).sum() > np.isin(member.rows, chosen).sum()
    ]
    for number, member in enumerate(waiting):
        room = budget - int(num_words[chosen].sum())
        share = min(room, max(_LEAST_SHARE, room // (len(waiting) - number)))
        if share <= 0:
            return
        quoted = np.isin(member.rows, chosen)
        others = [row for row in chosen if row not in set(member.rows.tolist())]
        is_open = _is_new(extractor.candidates, others)[member.rows] | quoted
        if of_text:
            is_open &= member.says | quoted
        elif member.extractor.eligible is not None:
            is_open &= member.extractor.eligible | quoted
        length = num_words[member.rows]
        is_open &= (length > 1) | quoted
        if not quoted.any() and not (is_open & member.quotable & (length <= share)).any():
            # Else a document would be represented by what always fits: a heading, the head of a menu.
            is_open &= member.quotable & (length <= room)
        if not is_open.any():
            continue
        words = share + int(num_words[member.rows[quoted]].sum())
        added = [int(member.rows[at]) for at in member.extractor.select(words, is_open) if not quoted[at]]
        if num_words[added].sum() <= room:
            chosen += added


def _is_new(candidates: Candidates, chosen: Sequence[int]) -> BoolArray:
    """The sentences that say something that the chosen ones do not."""
    is_new: BoolArray = _shared_with(candidates, chosen) < _REPEATS
    is_new[list(chosen)] = False
    return is_new


def _shared_with(candidates: Candidates, chosen: Sequence[int]) -> FloatArray:
    """The greatest share of each sentence's terms that one chosen sentence holds."""
    terms = candidates.terms
    most = np.zeros(len(candidates))
    for position in chosen:
        held = np.zeros(terms.num_terms)
        held[terms.columns[terms.row(position)]] = 1
        most = np.maximum(most, terms.mean_over_terms(held))
    return most


def left_out(
    extractor: Extractor,
    chosen: Sequence[int],
    otherwise: str,
    quotable: BoolArray | None = None,
    said: Collection[int] = (),
) -> tuple[str, ...]:
    """Warnings of the documents that no sentence is quoted from, and why.

    Args:
        extractor: What was chosen from.
        chosen: The positions of what is quoted.
        otherwise: Why a document is left out of which there was something to quote.
        quotable: Which sentences can be quoted; by default those that stand alone among the others.
        said: Documents of which it is said already.
    """
    candidates = extractor.candidates
    quoted = {int(candidates.document[row]) for row in chosen}
    shared = _shared_with(candidates, chosen)
    if quotable is None:
        quotable = extractor.structure.stands_alone
    reasons: dict[str, list[str]] = {}
    for place, document in enumerate(extractor.documents):
        if place in quoted or place in said:
            continue
        own = candidates.document == place
        if extractor.eligible is not None and not (own & extractor.eligible).any():
            why = f"nothing about “{extractor.request.focus}”"
        elif not (own & quotable).any():
            why = "no whole sentence to quote"
        elif (shared[own & quotable] >= _REPEATS).all():
            why = "repeats what others say"
        else:
            why = otherwise
        reasons.setdefault(why, []).append(headline(document))
    return tuple(f"not in the summary: {'; '.join(names)} ({why})" for why, names in reasons.items())
