"""Several documents topic by topic: the groups that share their terms, and a summary that quotes of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates, shared_language
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, Style, SummarySentence
from lsum_cli.text.keywords import is_general_word, key_phrases
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, distinct, function_words, is_function_word

# The mean likeness (cosine) of two groups of documents below which they are different topics: fitted on news
# grouped by hand, and on papers, proposals and opinions cut in two, whose halves belong together.
_LEAST_ALIKE = 0.16
# What a term of the title counts, against one in a sentence, and a name, against another word.
_TITLE_WEIGHT, _NAME_WEIGHT = 2.0, 2.0
_WORD = regex(r"[^\W\d_]\w*")
_NAMES, _LONGEST_NAME = 2, 5
# A phrase names a group if no more than so many times the group's documents hold it.
_MOST_ELSEWHERE = 2.0
# What a phrase of several words counts as a name, against a word.
_SEVERAL_WORDS = 1.5
OTHER_TOPICS = "Other topics"
# What it counts for a sentence to have the terms of its document's topic, in standard deviations.
_OF_THE_TOPIC = 0.7
# Documents that repeat what is quoted share this much of their best sentence's terms with it.
_REPEATS = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class Topic:
    """Documents about the same subject.

    Attributes:
        name: Key phrases that they share; the headline of a single document.
        documents: Their positions, ascending.
        weights: (terms,) what each term says of it.
    """

    name: str
    documents: tuple[int, ...]
    weights: FloatArray


def group_by_topic(candidates: Candidates, documents: Sequence[Document]) -> tuple[Topic, ...]:
    """Group documents by average linkage of their likeness; the largest group first, single ones last.

    Several documents that are like no other share a last group.
    """
    weights = _weights(candidates, documents)
    groups = _link(weights @ weights.T)
    groups.sort(key=lambda group: (-len(group), group))
    single = [group[0] for group in groups if len(group) == 1]
    named = [(_name(candidates, documents, group, weights), group) for group in groups if len(group) > 1]
    if len(single) == 1 or (single and not named):
        named += [(headline(documents[each]), [each]) for each in single]
    elif single:
        named.append((OTHER_TOPICS, sorted(single)))
    return tuple(
        Topic(name=name, documents=tuple(group), weights=weights[group].mean(axis=0)) for name, group in named
    )


def headline(document: Document) -> str:
    """What a reader calls a document: its title, else its first heading, else its source."""
    if document.title:
        return document.title
    heading = next((section.heading for section in document.sections if section.heading), None)
    return heading or document.source.rstrip("/").rsplit("/", 1)[-1]


def _weights(candidates: Candidates, documents: Sequence[Document]) -> FloatArray:
    """(documents, terms) what each term says of a document: tf-idf, names before other words; length 1.

    Their products are cosines.
    """
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
    functions = frozenset[str]().union(*(function_words(document.language) for document in documents))
    idf[[is_general_word(each) or each in functions for each in stems]] = 0
    weights *= idf * (1 + (_NAME_WEIGHT - 1) * _capitalised(candidates))
    norms = np.sqrt((weights**2).sum(axis=1, keepdims=True))
    scaled: FloatArray = weights / np.maximum(1e-9, norms)
    return scaled


def _capitalised(candidates: Candidates) -> FloatArray:
    """(terms,) how often each is written with a capital within a sentence, as a share."""
    # In German every noun is.
    if candidates.language == "de":
        return np.zeros(candidates.terms.num_terms)
    written = Counter(word for sentence in candidates.sentences for word in _WORD.findall(sentence.text)[1:])
    capital, every = np.zeros(candidates.terms.num_terms), np.zeros(candidates.terms.num_terms)
    for word, often in written.items():
        for column in candidates.lexicon.find(word):
            every[column] += often
            capital[column] += often * word[0].isupper()
    share: FloatArray = capital / np.maximum(1, every)
    return share


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


def _name(
    candidates: Candidates, documents: Sequence[Document], group: Sequence[int], weights: FloatArray
) -> str:
    """The key phrases that most of the documents hold and few others do, else a headline."""
    rows = np.flatnonzero(np.isin(candidates.document, group)).tolist()
    phrases = key_phrases(
        [candidates.sentences[row].text for row in rows],
        titles=[documents[place].title or "" for place in group],
        most=20,
        least=2,
        language=shared_language([documents[place] for place in group]),
    )
    says = weights[list(group)].mean(axis=0)
    holds = weights > 0
    scores: dict[str, float] = {}
    for phrase in phrases:
        columns = candidates.lexicon.find(phrase)
        holders = holds[:, columns].all(axis=1)
        inside, everywhere = int(holders[list(group)].sum()), int(holders.sum())
        if inside > 1 and (len(group) == len(documents) or everywhere <= _MOST_ELSEWHERE * inside):
            several = _SEVERAL_WORDS if " " in phrase else 1.0
            scores[phrase] = inside * several * float(says[columns].mean()) if columns else 0.0
    shared = sorted(scores, key=lambda phrase: -scores[phrase])
    names = [name for name in shared[:1] if scores[name] > 0]
    for name in shared[1:_NAMES]:
        if scores[name] > 0 and len(" ".join((*names, name)).split()) <= _LONGEST_NAME:
            names.append(name)
    name = ", ".join(names)
    return name[:1].upper() + name[1:] if name else headline(documents[group[0]])


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
    values = _values(extractor, topics)
    groups: list[tuple[int, ...]] = [topic.documents for topic in topics if topic.name != OTHER_TOPICS]
    groups += [(place,) for topic in topics if topic.name == OTHER_TOPICS for place in topic.documents]
    seats = [(group, seat) for group in groups for seat in range(1, len(group) + 1)]
    seats.sort(key=lambda each: -len(each[0]) / (2 * each[1] - 1))
    chosen: list[int] = []
    # A longer summary of a named length begins with the shorter one, and so holds it.
    selections: list[list[int]] = []
    for budget in budgets:
        if extractor.eligible is None and num_words.sum() <= budget:
            selections.append(list(range(len(extractor.candidates))))
            continue
        for group, seat in seats:
            _choose_one(extractor, values, group, seat, chosen, budget)
        room = budget - int(num_words[chosen].sum())
        rest = _is_open(extractor, chosen) & (num_words <= room)
        if rest.any():
            chosen += extractor.select(room, rest)
        selections.append(list(chosen))
    return selections


def _values(extractor: Extractor, topics: Sequence[Topic]) -> FloatArray:
    """What each sentence is worth: its salience, and how much it says of its document's topic."""
    candidates, values = extractor.candidates, extractor.scores.values
    values = (values - values.mean()) / max(1e-9, float(values.std()))
    for topic in topics:
        own = np.isin(candidates.document, topic.documents)
        if len(topic.documents) > 1 and topic.name != OTHER_TOPICS and own.any():
            says = candidates.terms.mean_over_terms(topic.weights)[own]
            values[own] += _OF_THE_TOPIC * (says - says.mean()) / max(1e-9, float(says.std()))
    worth: FloatArray = values
    return worth


def _choose_one(
    extractor: Extractor, values: FloatArray, group: Sequence[int], seat: int, chosen: list[int], budget: int
) -> None:
    """Add the best sentence of a document of the group not quoted yet that fits, unless so many are."""
    document, num_words = extractor.candidates.document, extractor.candidates.num_words
    quoted = set(document[chosen].tolist()).intersection(group)
    if len(quoted) >= seat:
        return
    room = budget - int(num_words[chosen].sum())
    others = [place for place in group if place not in quoted]
    fits = _is_open(extractor, chosen) & np.isin(document, others) & (num_words <= room)
    if fits.any():
        chosen.append(int(np.argmax(np.where(fits, values, -np.inf))))


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
