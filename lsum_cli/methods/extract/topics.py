"""Several documents topic by topic: the groups that share their terms, and a summary that quotes of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates, shared_language
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, Style, SummarySentence
from lsum_cli.text.keywords import key_phrases
from lsum_cli.text.terms import BoolArray, FloatArray, distinct, is_function_word, split_terms, stem

# The mean likeness (cosine) of two groups of documents below which they are different topics.
_LEAST_ALIKE = 0.12
# What a term of the title counts, against one in a sentence.
_TITLE_WEIGHT = 2.0
# A term in more than this share of many documents says nothing about their topics.
_MOST_COMMON, _MANY_DOCUMENTS = 0.5, 6
_NAMES = 2
# A phrase names a group if no more than so many times the group's documents hold it.
_MOST_ELSEWHERE = 2.0
OTHER_TOPICS = "Other topics"
# Documents that repeat what is quoted share this much of their best sentence's terms with it.
_REPEATS = 0.5


@dataclass(frozen=True, kw_only=True)
class Topic:
    """Documents about the same subject.

    Attributes:
        name: Key phrases that they share; the headline of a single document.
        documents: Their positions, ascending.
    """

    name: str
    documents: tuple[int, ...]


def group_by_topic(candidates: Candidates, documents: Sequence[Document]) -> tuple[Topic, ...]:
    """Group documents by average linkage of their likeness; the largest group first, single ones last.

    Several documents that are like no other share a last group.
    """
    groups = _link(_likeness(candidates, documents))
    groups.sort(key=lambda group: (-len(group), group))
    single = [group[0] for group in groups if len(group) == 1]
    topics = [
        Topic(name=_name(candidates, documents, group), documents=tuple(group))
        for group in groups
        if len(group) > 1
    ]
    if len(single) == 1 or (single and not topics):
        topics += [Topic(name=headline(documents[each]), documents=(each,)) for each in single]
    elif single:
        topics.append(Topic(name=OTHER_TOPICS, documents=tuple(sorted(single))))
    return tuple(topics)


def headline(document: Document) -> str:
    """What a reader calls a document: its title, else its first heading, else its source."""
    if document.title:
        return document.title
    heading = next((section.heading for section in document.sections if section.heading), None)
    return heading or document.source.rstrip("/").rsplit("/", 1)[-1]


def _likeness(candidates: Candidates, documents: Sequence[Document]) -> FloatArray:
    """(documents, documents) the cosine of their terms, weighted by how few documents hold them."""
    terms, count = candidates.terms, len(documents)
    stems = candidates.lexicon.stems
    weights = np.zeros((count, terms.num_terms))
    np.add.at(weights, (candidates.document[terms.row_of_entry], terms.columns), 1.0)
    weights = np.log1p(weights)
    for position, document in enumerate(documents):
        for column in set(candidates.lexicon.find(document.title or "")):
            if not is_function_word(stems[column]):
                weights[position, column] += _TITLE_WEIGHT
    held = (weights > 0).sum(axis=0)
    idf = np.log1p(count / np.maximum(1, held))
    if count >= _MANY_DOCUMENTS:
        idf[held > _MOST_COMMON * count] = 0
    weights *= idf
    norms = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    weights /= np.maximum(1e-9, norms)
    return weights @ weights.T


def _link(likeness: FloatArray) -> list[list[int]]:
    """Join the two groups that are most alike on average, until none are alike."""
    groups = [[place] for place in range(len(likeness))]
    between = likeness.copy()
    np.fill_diagonal(between, -1.0)
    alive = np.ones(len(groups), bool)
    while alive.sum() > 1:
        flat = int(np.argmax(between))
        one, other = divmod(flat, len(groups))
        if between[one, other] < _LEAST_ALIKE:
            break
        sizes = len(groups[one]), len(groups[other])
        joined = (sizes[0] * between[one] + sizes[1] * between[other]) / sum(sizes)
        groups[one] = sorted(groups[one] + groups[other])
        between[one], between[:, one] = joined, joined
        between[other], between[:, other] = -1.0, -1.0
        between[one, one] = -1.0
        between[one, ~alive] = -1.0
        between[~alive, one] = -1.0
        alive[other] = False
        between[one, other] = between[other, one] = -1.0
    return [group for group, is_alive in zip(groups, alive, strict=True) if is_alive]


def _name(candidates: Candidates, documents: Sequence[Document], group: Sequence[int]) -> str:
    """Key phrases that at least two of the documents hold and few others do, else a headline."""
    rows = np.flatnonzero(np.isin(candidates.document, group)).tolist()
    phrases = key_phrases(
        [candidates.sentences[row].text for row in rows],
        titles=[documents[place].title or "" for place in group],
        most=20,
        least=2,
        language=shared_language(documents[place] for place in group),
    )
    stems_of = [
        {stem(term) for term in split_terms(document.title or "")}
        | {stem(term) for sentence in document.sentences for term in split_terms(sentence.text)}
        for document in documents
    ]

    def holders(phrase: str, places: Sequence[int]) -> int:
        wanted = {stem(term) for term in split_terms(phrase)}
        return sum(wanted <= stems_of[place] for place in places)

    everywhere = range(len(documents))
    shared = [
        phrase
        for phrase in phrases
        if (inside := holders(phrase, group)) > 1
        and (len(group) == len(documents) or holders(phrase, everywhere) <= _MOST_ELSEWHERE * inside)
    ]
    shared.sort(key=lambda phrase: (-min(holders(phrase, group), 5), " " not in phrase))
    names = ", ".join(shared[: 1 if " " in "".join(shared[:1]) else _NAMES])
    return names[:1].upper() + names[1:] if names else headline(documents[group[0]])


# ---- the summary


def write_by_topic(extractor: Extractor) -> Extract:
    """A summary of several documents, topic by topic; says which documents it does not quote."""
    documents = extractor.documents
    topics = group_by_topic(extractor.candidates, documents)
    *shorter, chosen = _choose(extractor, topics)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    by_document = extractor.request.style is Style.OUTLINE
    for topic in topics:
        quoted = {
            place: sorted(row for row in chosen if extractor.candidates.document[row] == place)
            for place in topic.documents
        }
        if not by_document and not any(quoted.values()):
            continue
        made: dict[int, list[SummarySentence]] = {}
        flat: list[SummarySentence] = []
        for place, rows in quoted.items():
            quotes = {row: extractor.quote(row, len(sentences) + at) for at, row in enumerate(rows)}
            made[place] = list(quotes.values())
            sentences |= quotes
            flat += made[place]
        alone = topic.documents[0] if len(topic.documents) == 1 else None
        entries.append(
            OutlineEntry(
                heading=topic.name,
                level=1,
                document_id=None if alone is None else documents[alone].id,
                sentences=() if by_document and alone is None else tuple(flat),
            )
        )
        if by_document and alone is None:
            entries += [
                OutlineEntry(
                    heading=headline(documents[place]),
                    level=2,
                    document_id=documents[place].id,
                    sentences=tuple(made[place]),
                )
                for place in topic.documents
            ]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences, [extractor.one_of(shorter[0]), *shorter])
        if extractor.request.all_lengths
        else (),
        warnings=left_out(extractor, chosen, f"no room in {extractor.num_words} words"),
    )


def _choose(extractor: Extractor, topics: Sequence[Topic]) -> list[list[int]]:
    """The positions of the sentences: the best of each topic, of each document, then what fits.

    The last selection is the one of the requested length; those before it, if any, are parts of it.
    """
    num_words = extractor.candidates.num_words
    words, steps = extractor.num_words, sorted(NAMED_LENGTHS.values())
    if extractor.request.all_lengths:
        budgets = [*steps[:-1], words]
    else:
        budgets = [*(step for step in steps if step < words), words] if words in steps else [words]
    order = [place for topic in topics for place in topic.documents]
    groups: list[Sequence[int]] = [topic.documents for topic in topics if len(topic.documents) > 1]
    chosen: list[int] = []
    # A longer summary of a named length begins with the shorter one, and so holds it.
    selections: list[list[int]] = []
    for budget in budgets:
        if extractor.eligible is None and num_words.sum() <= budget:
            selections.append(list(range(len(extractor.candidates))))
            continue
        for group in (*groups, *([place] for place in order)):
            _choose_one(extractor, group, chosen, budget)
        room = budget - int(num_words[chosen].sum())
        rest = _is_open(extractor, chosen) & (num_words <= room)
        if rest.any():
            chosen += extractor.select(room, rest)
        selections.append(list(chosen))
    return selections


def _choose_one(extractor: Extractor, group: Sequence[int], chosen: list[int], budget: int) -> None:
    """Add the best sentence of a group of documents that fits, unless one of it is chosen."""
    document, num_words = extractor.candidates.document, extractor.candidates.num_words
    if np.isin(document[chosen], group).any():
        return
    room = budget - int(num_words[chosen].sum())
    fits = _is_open(extractor, chosen) & np.isin(document, group) & (num_words <= room)
    if fits.any():
        chosen.append(int(np.argmax(np.where(fits, extractor.scores.values, -np.inf))))


def _is_open(extractor: Extractor, chosen: Sequence[int]) -> BoolArray:
    """The sentences that may be chosen and say something that the chosen ones do not."""
    is_open = _quotable(extractor)
    if extractor.eligible is not None:
        is_open = is_open & extractor.eligible
    is_open = is_open & (_shared_with(extractor.candidates, chosen) < _REPEATS)
    is_open[list(chosen)] = False
    return is_open


def _quotable(extractor: Extractor) -> BoolArray:
    """The sentences that stand alone; of a document without one those that are acceptable by form."""
    structure, document = extractor.structure, extractor.candidates.document
    has_one = distinct(document[structure.stands_alone])
    quotable: BoolArray = structure.stands_alone | (structure.is_acceptable & ~np.isin(document, has_one))
    return quotable


def _shared_with(candidates: Candidates, chosen: Sequence[int]) -> FloatArray:
    """The greatest share of each sentence's terms that one chosen sentence holds."""
    terms = candidates.terms
    most = np.zeros(len(candidates))
    for position in chosen:
        held = np.zeros(terms.num_terms)
        held[terms.columns[terms.row(position)]] = 1
        most = np.maximum(most, terms.mean_over_terms(held))
    return most


def left_out(extractor: Extractor, chosen: Sequence[int], otherwise: str) -> tuple[str, ...]:
    """Warnings of the documents that no sentence is quoted from, and why.

    Args:
        extractor: What was chosen from.
        chosen: The positions of what is quoted.
        otherwise: Why a document is left out of which there was something to quote.
    """
    candidates = extractor.candidates
    quoted = {int(candidates.document[row]) for row in chosen}
    shared = _shared_with(candidates, chosen)
    quotable = _quotable(extractor)
    reasons: dict[str, list[str]] = {}
    for place, document in enumerate(extractor.documents):
        if place in quoted:
            continue
        own = candidates.document == place
        if not (own & quotable).any():
            why = "no whole sentence to quote"
        elif extractor.eligible is not None and not (own & extractor.eligible).any():
            why = f"nothing about “{extractor.request.focus}”"
        elif (shared[own & quotable] >= _REPEATS).all():
            why = "repeats what others say"
        else:
            why = otherwise
        reasons.setdefault(why, []).append(headline(document))
    return tuple(f"not in the summary: {'; '.join(names)} ({why})" for why, names in reasons.items())
