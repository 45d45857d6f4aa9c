"""The topics of several documents: the groups that share their terms, each with a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates, shared_language
from lsum_cli.methods.extract.headlines import headline
from lsum_cli.methods.extract.sentences.boilerplate import is_boilerplate, stands_under_calls
from lsum_cli.text.keywords import is_general_word, key_phrases
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, FloatArray, function_words, is_function_word

# The mean similarity (cosine) of two groups of documents below which they are different topics: fitted on
# news grouped by hand, and on papers, proposals and opinions cut in two, whose halves belong together.
_LEAST_ALIKE = 0.16
# What a term of the title counts, against one in a sentence, and a name, against another word.
_TITLE_WEIGHT, _NAME_WEIGHT = 2.0, 2.0
_WORD = regex(r"[^\W\d_]\w*")
_NAMES, _LONGEST_NAME = 2, 5
# Two words are one name where the rarer one has the other beside it in this share of its occurrences.
_OFTEN_TOGETHER = 0.25
# A phrase names a group if no more than so many times the group's documents hold it.
_MOST_ELSEWHERE = 2.0
# Who speaks so often is a speaker, and names no topic.
_LEAST_TURNS = 3
# What a phrase of several words counts as a name, against a word.
_SEVERAL_WORDS = 1.5
# So many documents are named by their headlines, if each has no more words than this.
_FEW, _LONGEST_OF_FEW = 3, 3
OTHER_TOPICS = "Other topics"


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
    """Group documents by average linkage of their similarity; the largest group first, single ones last.

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


def _weights(candidates: Candidates, documents: Sequence[Document]) -> FloatArray:
    """(documents, terms) what each term says of a document: tf-idf, names before other words; length 1.

    Their products are cosines.
    """
    terms, count = candidates.terms, len(documents)
    stems = candidates.lexicon.stems
    weights = np.zeros((count, terms.num_terms))
    said = np.where(_stands_aside(candidates)[terms.row_of_entry], 0.0, 1.0)
    np.add.at(weights, (candidates.document[terms.row_of_entry], terms.columns), said)
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


def _link(similarity: FloatArray) -> list[list[int]]:
    """Join the two groups that are most alike on average, until none are alike."""
    groups = [[place] for place in range(len(similarity))]
    between = similarity.copy()
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


def _speakers(candidates: Candidates) -> frozenset[str]:
    """Who speaks again and again, and as what: "Project Manager: ...", case-folded, with each word."""
    often = Counter(
        opening
        for sentence in candidates.sentences
        if (opening := sentence.text.partition(":")[0]) in candidates.openings
    )
    names = [opening.casefold() for opening, count in often.items() if count >= _LEAST_TURNS]
    return frozenset((*names, *(word for name in names for word in name.split())))


def _name(
    candidates: Candidates, documents: Sequence[Document], group: Sequence[int], weights: FloatArray
) -> str:
    """The headlines of a few documents, where they are brief; else key phrases that few others hold."""
    headlines = [headline(documents[place]) for place in group]
    if len(set(headlines)) == len(group) <= _FEW and all(_is_brief(each) for each in headlines):
        return ", ".join(headlines)
    rows = np.flatnonzero(np.isin(candidates.document, group) & ~_stands_aside(candidates)).tolist()
    phrases = key_phrases(
        [candidates.sentences[row].text for row in rows],
        titles=[documents[place].title or "" for place in group],
        most=20,
        least=2,
        language=shared_language([documents[place] for place in group]),
    )
    speakers = _speakers(candidates)
    phrases = tuple(phrase for phrase in phrases if phrase.casefold() not in speakers)
    says = weights[list(group)].mean(axis=0)
    holds = weights > 0
    scores: dict[str, float] = {}
    for phrase in phrases:
        columns = candidates.lexicon.find(phrase)
        holders: BoolArray = np.logical_and.reduce(holds[:, columns], axis=1)
        inside, everywhere = int(holders[list(group)].sum()), int(holders.sum())
        if inside > 1 and (len(group) == len(documents) or everywhere <= _MOST_ELSEWHERE * inside):
            several = _SEVERAL_WORDS if " " in phrase else 1.0
            scores[phrase] = inside * several * float(says[columns].mean()) if columns else 0.0
    shared = sorted(scores, key=lambda phrase: -scores[phrase])
    names = [name for name in shared[:1] if scores[name] > 0]
    text = "\n".join(candidates.sentences[row].text for row in rows).casefold()
    for name in shared[1:]:
        if len(names) == _NAMES or scores[name] <= 0:
            break
        together = _together(names[0], name, text)
        if together:
            names = [together]
            continue
        if not _shares_a_word(name, names) and len(" ".join((*names, name)).split()) <= _LONGEST_NAME:
            names.append(name)
    name = ", ".join(names)
    return name[:1].upper() + name[1:] if name else headline(documents[group[0]])


def _is_brief(headline: str) -> bool:
    return len(headline.split()) <= _LONGEST_OF_FEW


def _stands_aside(candidates: Candidates) -> BoolArray:
    """Which sentences say nothing of their documents' matter: calls for help, sponsors, rights."""
    rights = np.array([is_boilerplate(section) for section in candidates.sections], bool)
    aside: BoolArray = rights | stands_under_calls(candidates)
    return aside


def _together(one: str, other: str, text: str) -> str:
    """Two words as one phrase, where they often stand side by side: "Vreni" and "Frost"; else nothing.

    Args:
        one: A phrase.
        other: Another.
        text: Where they stand, case-folded.
    """
    if " " in one or " " in other:
        return ""
    rarer = min(_count(one, text), _count(other, text))
    pairs = (f"{one} {other}", f"{other} {one}")
    return next((pair for pair in pairs if _count(pair, text) > _OFTEN_TOGETHER * rarer), "")


def _count(phrase: str, text: str) -> int:
    return len(re.findall(rf"\b{re.escape(phrase.casefold())}\b", text))


def _shares_a_word(name: str, names: Sequence[str]) -> bool:
    """Whether a phrase has a word of one of the names: "mandatory minimum" beside "mandatory sentences"."""
    words = {stem(word.casefold()) for word in name.split()}
    return any(stem(word.casefold()) in words for each in names for word in each.split())
