"""Gap sentences: pre-training targets made of salient sentences of the documents.

The salient sentences of a text are removed and become its reference, as in the pre-training of PEGASUS
(Zhang et al. 2020, "PEGASUS: Pre-training with Extracted Gap-sentences for Abstractive Summarization",
section 3.1: each sentence scored on its own by ROUGE-1 F1 against the rest). Some of them may stay, as
in the larger models of that paper, and they may be the ones nearest to the reference of the data
instead. It is a data set like any other, so that every method can be trained on it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from lsum_cli.datasets.dataset import Dataset, RecordLoader
from lsum_cli.datasets.example import Example
from lsum_cli.documents import PARAGRAPH_BREAK, Document, Section, Sentence, sentences_to_read
from lsum_cli.text.importance import choose_sentences
from lsum_cli.text.sentences import SENTENCE_BREAK
from lsum_cli.text.terms import Lexicon, count_words, split_terms
from lsum_cli.training.settings import GapSettings, Salience

_FEWEST_WORDS, _MOST_WORDS = 6, 80
_ENDS = tuple('.!?…。！？।؟."”)')


def cut_gaps(dataset: Dataset, settings: GapSettings, seed: int) -> Dataset:
    """A data set whose references are sentences of its own documents.

    Every record gives ``settings.variants`` examples, deterministically for a seed. Examples in which no
    sentence can be selected, for lack of text or of the oracle's reference, are excluded and counted.
    """

    def cut(load: RecordLoader) -> Iterator[Example]:
        for example in load():
            for variant in range(settings.variants):
                yield cut_example(example, settings, variant, seed)

    def read() -> Iterator[RecordLoader]:
        return (RecordLoader(partial(cut, load), load.is_blank) for load in dataset.read())

    settings_key = ("gap sentences 2", settings, seed)
    part = "; ".join(filter(None, [dataset.part, repr(settings_key)]))
    return replace(dataset, read=read, part=part, options=replace(dataset.options, needs_reference=True))


def cut_example(example: Example, settings: GapSettings, variant: int, seed: int) -> Example:
    """The example with some of its sentences as reference; ``None`` if none can be selected."""
    digest = hashlib.sha256(f"{seed}/{variant}/{example.id}".encode()).digest()
    chance = np.random.default_rng(int.from_bytes(digest[:8], "little"))
    documents = example.documents
    if settings.window_words is not None:
        documents = _draw_window(documents, settings.window_words, chance)
    sentences = sentences_to_read(documents)
    # A single variant takes the best sentences; several each consider a different half, unless
    # they differ at random anyway.
    differs = settings.removed < 1 or settings.salience is Salience.ORACLE
    is_offered = chance.random(len(sentences)) < (1 if settings.variants == 1 or differs else 0.5)
    offered = [
        sentence
        for sentence, is_on_offer in zip(sentences, is_offered.tolist(), strict=True)
        if is_on_offer and _is_sound(sentence)
    ]
    most = int(settings.share * len(sentences))
    if settings.salience is Salience.ORACLE:
        chosen = _choose_by_reference(offered, example.reference or "", most, settings.max_words)
    else:
        chosen = _choose_principal(sentences, offered, most, settings.max_words)
    is_removed = chance.random(len(chosen)) < settings.removed
    gone = {id(sentence) for sentence, removed in zip(chosen, is_removed.tolist(), strict=True) if removed}
    return replace(
        example,
        id=f"{example.id}-gap{variant + 1}" if settings.variants > 1 else example.id,
        documents=tuple(_without(document, gone) for document in documents),
        reference="\n".join(sentence.text for sentence in chosen) or None,
    )


def salience_by_rouge(sentences: Sequence[str]) -> list[float]:
    """ROUGE-1 F1 of every sentence against all the others together."""
    counts = [Counter(split_terms(text)) for text in sentences]
    whole: Counter[str] = Counter()
    for each in counts:
        whole.update(each)
    total = whole.total()
    scores = []
    for each in counts:
        own = each.total()
        shared = sum(min(count, whole[term] - count) for term, count in each.items())
        scores.append(2 * shared / total if own and total > own else 0.0)
    return scores


def _is_sound(sentence: Sentence) -> bool:
    return sentence.text.endswith(_ENDS) and _FEWEST_WORDS <= count_words(sentence.text) <= _MOST_WORDS


def _choose_principal(
    sentences: Sequence[Sentence], offered: Sequence[Sentence], most: int, max_words: int
) -> list[Sentence]:
    """The most salient candidates within the word limit, in document order."""
    scores = salience_by_rouge([sentence.text for sentence in sentences])
    score_of = {id(sentence): score for sentence, score in zip(sentences, scores, strict=True)}
    taken: set[int] = set()
    words = 0
    for sentence in sorted(offered, key=lambda sentence: -score_of[id(sentence)]):
        if len(taken) == most:
            break
        length = count_words(sentence.text)
        if words + length <= max_words:
            taken.add(id(sentence))
            words += length
    return [sentence for sentence in offered if id(sentence) in taken]


def _choose_by_reference(
    offered: Sequence[Sentence], reference: str, most: int, max_words: int
) -> list[Sentence]:
    """The candidates that together score highest against the reference, in document order."""
    lexicon = Lexicon()
    places = choose_sentences(
        [lexicon.index(line).tolist() for line in reference.splitlines()],
        [lexicon.index(sentence.text).tolist() for sentence in offered],
        most=most,
        lengths=[count_words(sentence.text) for sentence in offered],
        room=max_words,
    )
    return [offered[place] for place in places]


def _draw_window(
    documents: Sequence[Document], words: int, chance: np.random.Generator
) -> tuple[Document, ...]:
    """A random run of about this many words; shorter texts whole, longer ones without reference lists."""
    sentences = sentences_to_read(documents)
    ends = np.cumsum([count_words(sentence.text) for sentence in sentences])
    if not len(ends) or ends[-1] <= words:
        return tuple(documents)
    # The first word is drawn uniformly; its sentence is taken whole.
    first = int(np.searchsorted(ends, chance.integers(ends[-1] - words + 1), side="right"))
    opening = int(ends[first - 1]) if first else 0
    last = int(np.searchsorted(ends, opening + words))
    kept = {id(sentence) for sentence in sentences[first : last + 1]}
    windows = []
    for document in documents:
        gone = {id(sentence) for sentence in document.sentences} - kept
        window = _without(document, gone, drops_sections=True)
        if window.sections:
            windows.append(window)
    return tuple(windows)


def _without(document: Document, gone: set[int], *, drops_sections: bool = False) -> Document:
    """The document without these sentences, given by ``id()``; character offsets are recomputed.

    Args:
        drops_sections: Whether to drop sections that lose all sentences, and bare headings before the first
            or after the last remaining section.
    """
    if not gone:
        return document
    sections = list(document.sections)
    if drops_sections:
        stays = [any(id(sentence) not in gone for sentence in section.sentences) for section in sections]
        places = np.flatnonzero(stays).tolist()
        span = range(places[0], places[-1] + 1) if places else range(0)
    laid_out: list[Section] = []
    position = index = old_end = 0
    for place, section in enumerate(sections):
        is_dropped = drops_sections and (place not in span or bool(section.sentences and not stays[place]))
        if section.heading:
            old_end += (len(PARAGRAPH_BREAK) if old_end else 0) + len(section.heading)
        if is_dropped:
            old_end = section.sentences[-1].end if section.sentences else old_end
            continue
        if section.heading:
            position += (len(PARAGRAPH_BREAK) if position else 0) + len(section.heading)
        kept: list[Sentence] = []
        opens_paragraph = True
        for sentence in section.sentences:
            opens_paragraph |= sentence.start - old_end == len(PARAGRAPH_BREAK)
            old_gap, old_end = sentence.start - old_end, sentence.end
            if id(sentence) in gone:
                continue
            gap = len(PARAGRAPH_BREAK) if opens_paragraph else min(old_gap, len(SENTENCE_BREAK))
            start = position + (gap if position else 0)
            position = start + len(sentence.text)
            kept.append(
                replace(sentence, index=index, section_index=len(laid_out), start=start, end=position)
            )
            index, opens_paragraph = index + 1, False
        laid_out.append(replace(section, sentences=tuple(kept)))
    return replace(document, sections=tuple(laid_out))
