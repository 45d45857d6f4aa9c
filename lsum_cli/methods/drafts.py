"""Summaries of parts as a document that is summarised again, its sentences traced back to the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lsum_cli.attribution.composition import compose
from lsum_cli.documents import Document, Section, Sentence
from lsum_cli.summaries import Summary, SummarySentence


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What the next stage reads: sentences with their origins in the source, under a label."""

    label: str
    sentences: tuple[SummarySentence, ...]

    @property
    def texts(self) -> tuple[str, list[str]]:
        """Its label and its sentences as text."""
        return self.label, [sentence.text for sentence in self.sentences]


def write_document(texts: Sequence[tuple[str, Sequence[str]]], language: str | None) -> Document:
    """A document in which every text is exactly one sentence, under its label as heading."""
    sections: list[Section] = []
    position = index = 0
    for label, sentences in texts:
        position += len(label) + (2 if position else 0)
        placed = []
        for number, text in enumerate(sentences):
            start = position + (1 if number else 2)
            position = start + len(text)
            placed.append(
                Sentence(text=text, index=index, section_index=len(sections), start=start, end=position)
            )
            index += 1
        sections.append(Section(heading=label, level=1, sentences=tuple(placed)))
    return Document(
        id="drafts",
        source="the summaries of the parts",
        title=None,
        sections=tuple(sections),
        language=language,
    )


def trace_back(summary: Summary, drafts: Sequence[Draft]) -> tuple[SummarySentence, ...]:
    """The sentences of a summary of drafts, attributed to what the drafts are attributed to.

    Args:
        summary: A summary of the document that :func:`write_document` made of the drafts.
    """
    origins = [sentence.attribution for draft in drafts for sentence in draft.sentences]
    return tuple(
        replace(sentence, attribution=compose(sentence.attribution, summary.pages, origins))
        if sentence.attribution is not None
        else sentence
        for sentence in summary.sentences
    )
