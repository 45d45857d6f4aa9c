"""The abbreviations that a summary uses without saying what they stand for, as its documents say it.

An extract quotes sentences from the middle of a document, and a model writes what it has read: both use short
forms whose long forms stand elsewhere. Only what a document says itself is told, and nothing where two of its
statements differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from lsum_cli.documents import Document
from lsum_cli.summaries import Abbreviation, Summary, SummarySentence
from lsum_cli.text.abbreviations import definitions, used_short_forms
from lsum_cli.text.terms import split_terms, stem

# Letters of the first words by which two long forms of one short form are told apart.
_ALIKE = 4


def explain_abbreviations(summary: Summary) -> Summary:
    """The summary with its :attr:`~lsum_cli.summaries.Summary.abbreviations`."""
    shown = list(_shown(summary))
    wholes: dict[str, str] = {}
    used: dict[str, set[str]] = {}
    for text, documents in shown:
        for key, whole in used_short_forms(text).items():
            wholes[key] = key if wholes.get(key) == key else whole
            used.setdefault(key, set()).update(documents)
    if not used:
        return summary
    found = [_find(document, used.keys()) for document in summary.documents]
    best = {key: stated for key, documents in used.items() if (stated := _choose(key, found, documents))}
    visible = _normalise(" ".join([summary.title or "", *(text for text, _ in shown)]))
    return replace(
        summary,
        abbreviations=tuple(
            stated
            for key, stated in best.items()
            if _normalise(stated.long) not in visible
            # Of what is spelled out as a whole the parts are not, but for those in its long form.
            and (wholes[key] == key or wholes[key] not in best or key in best[wholes[key]].long)
        ),
    )


def _choose(
    key: str, found: Sequence[Mapping[str, Sequence[Abbreviation]]], documents: Collection[str]
) -> Abbreviation | None:
    """What a short form stands for, by the documents that use it if they say it, else by the others."""
    listed = [each[key] for each in found if key in each]
    own = [each for each in listed if each[0].document_id in documents]
    stated = [one for each in own or listed for one in each]
    if not stated or not _agree(stated):
        return None
    # "meridional overturning circulation" says more than "Atlantic MOC".
    return min(stated, key=lambda each: bool(used_short_forms(each.long)))


def _shown(summary: Summary) -> Iterator[tuple[str, Collection[str]]]:
    """What readers see of a summary, in order, each text with the documents that it comes from."""
    yield from ((topic, ()) for topic in summary.topics)
    texts = [length.sentences for length in summary.lengths] or [summary.sentences]
    for sentences in texts:
        yield from map(_text_and_documents, sentences)
    for entry in summary.outline:
        yield entry.heading, [entry.document_id] if entry.document_id else []
        yield from map(_text_and_documents, entry.sentences)
    for chapter in summary.chapters:
        yield from map(_text_and_documents, chapter.sentences)


def _text_and_documents(sentence: SummarySentence) -> tuple[str, Collection[str]]:
    evidence = sentence.attribution.evidence if sentence.attribution else ()
    return sentence.labelled, {each.document_id for each in evidence[:1]}


def _find(document: Document, keys: Collection[str]) -> dict[str, list[Abbreviation]]:
    """What a document says that these short forms stand for, in its order."""
    found: dict[str, list[Abbreviation]] = {}
    for sentence in document.sentences:
        text = sentence.text
        if not any(key in text for key in keys):
            continue
        for each in definitions(text, keys):
            found.setdefault(each.key, []).append(
                Abbreviation(
                    short=each.short,
                    long=each.long,
                    document_id=document.id,
                    sentence_index=sentence.index,
                    pdf_page=sentence.pdf_page,
                )
            )
    return found


def _agree(stated: Sequence[Abbreviation]) -> bool:
    """Whether all say the same, if not in the same words: "Atlantic MOC" is no other thing."""
    first, *others = (_normalise(each.long) for each in stated)
    return all(
        each in first or first in each or each.split()[0][:_ALIKE] == first.split()[0][:_ALIKE]
        for each in others
    )


def _normalise(text: str) -> str:
    """The stems of a text between spaces: a phrase is found in any inflection, but not within words."""
    return f" {' '.join(map(stem, split_terms(text)))} "
