"""The topics of several documents: groups of documents that share their terms, each with a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.keywords import key_phrases
from lsum_cli.text.terms import FloatArray, is_function_word, split_terms, stem

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
        english=all(documents[place].language in (None, "en") for place in group),
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
