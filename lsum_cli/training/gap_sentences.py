"""Gap sentences: a data set that asks for the sentences that were taken out of its documents.

The salient sentences of a text are removed and become its reference, as in the pre-training of PEGASUS
(Zhang et al. 2020, "PEGASUS: Pre-training with Extracted Gap-sentences for Abstractive Summarization",
section 3.1: each sentence scored on its own by ROUGE-1 F1 against the rest). References that the data
have are not used. It is a data set like any other, so that every method can be trained on it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from lsum_cli.datasets.dataset import Dataset, RecordLoader
from lsum_cli.datasets.example import Example
from lsum_cli.documents import PARAGRAPH_BREAK, SENTENCE_BREAK, Document, Section, SectionRole, Sentence
from lsum_cli.terms import count_words, split_terms
from lsum_cli.training.settings import GapSettings

_FEWEST_WORDS, _MOST_WORDS = 6, 80
_ENDS = tuple('.!?…。！？।؟."”)')


def cut_gaps(dataset: Dataset, settings: GapSettings, seed: int) -> Dataset:
    """The data set whose references are sentences taken out of its documents.

    Every record gives ``settings.variants`` examples, which differ in the sentences that may be taken: the
    same ones for the same seed. A text too short to lose a sentence is left out, and counted.
    """

    def cut(load: RecordLoader) -> Iterator[Example]:
        for example in load():
            for variant in range(settings.variants):
                yield cut_example(example, settings, variant, seed)

    def read() -> Iterator[RecordLoader]:
        return (lambda load=load: cut(load) for load in dataset.read())  # type: ignore[misc]

    identity = ("gap sentences 1", settings.share, settings.max_words, settings.variants, seed)
    part = "; ".join(filter(None, [dataset.part, repr(identity)]))
    return replace(dataset, read=read, part=part, options=replace(dataset.options, needs_reference=True))


def cut_example(example: Example, settings: GapSettings, variant: int, seed: int) -> Example:
    """The example with a part of its sentences as its reference; ``None`` where none can be taken."""
    sentences = [
        sentence
        for document in example.documents
        for section in document.sections
        if section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]
    digest = hashlib.sha256(f"{seed}/{variant}/{example.id}".encode()).digest()
    generator = np.random.default_rng(int.from_bytes(digest[:8], "little"))
    # The only variant takes the best sentences of all; several each look at another half.
    is_offered = generator.random(len(sentences)) < (1 if settings.variants == 1 else 0.5)
    taken = _choose(sentences, is_offered.tolist(), settings)
    chosen = [sentences[place] for place in sorted(taken)]
    gone = {id(sentence) for sentence in chosen}
    return replace(
        example,
        id=f"{example.id}-gap{variant + 1}" if settings.variants > 1 else example.id,
        documents=tuple(_without(document, gone) for document in example.documents),
        reference="\n".join(sentence.text for sentence in chosen) or None,
    )


def salience_by_rouge(sentences: Sequence[str]) -> list[float]:
    """ROUGE-1 F1 of every sentence against all the others together."""
    counts = [Counter(split_terms(text)) for text in sentences]
    whole: Counter[str] = sum(counts, Counter())
    total = whole.total()
    scores = []
    for each in counts:
        own = each.total()
        shared = sum(min(count, whole[term] - count) for term, count in each.items())
        scores.append(2 * shared / total if own and total > own else 0.0)
    return scores


def _choose(sentences: Sequence[Sentence], is_offered: Sequence[bool], settings: GapSettings) -> set[int]:
    """The places of the most salient sentences on offer that the share and the words allow."""
    most = int(settings.share * len(sentences))
    scores = salience_by_rouge([sentence.text for sentence in sentences])
    taken: set[int] = set()
    words = 0
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place]):
        length = count_words(sentences[place].text)
        if len(taken) == most:
            break
        is_sound = _FEWEST_WORDS <= length <= _MOST_WORDS and sentences[place].text.endswith(_ENDS)
        if is_offered[place] and is_sound and words + length <= settings.max_words:
            taken.add(place)
            words += length
    return taken


def _without(document: Document, gone: set[int]) -> Document:
    """The document without these sentences, which are given by identity; offsets are laid out anew."""
    sections: list[Section] = []
    position = index = old_end = 0
    for section in document.sections:
        kept: list[Sentence] = []
        if section.heading:
            opening = len(PARAGRAPH_BREAK) if position else 0
            position += opening + len(section.heading)
            old_end += (len(PARAGRAPH_BREAK) if old_end else 0) + len(section.heading)
        opens_paragraph = True
        for sentence in section.sentences:
            opens_paragraph |= sentence.start - old_end == len(PARAGRAPH_BREAK)
            old_gap, old_end = sentence.start - old_end, sentence.end
            if id(sentence) in gone:
                continue
            gap = len(PARAGRAPH_BREAK) if opens_paragraph else min(old_gap, len(SENTENCE_BREAK))
            start = position + (gap if position else 0)
            position = start + len(sentence.text)
            kept.append(replace(sentence, index=index, start=start, end=position))
            index, opens_paragraph = index + 1, False
        sections.append(replace(section, sentences=tuple(kept)))
    return replace(document, sections=tuple(sections))
