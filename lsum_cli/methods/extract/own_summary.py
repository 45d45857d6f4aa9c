"""A document's own summary, which is quoted instead of a choice from the whole where its length suits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lsum_cli.methods.extract.boilerplate import is_about_publication_or_other_places, is_cross_reference
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.gist import LEAST_OF_A_SUMMARY
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.presentability import QUOTATION_MARKS, SHORTEST, STOPS
from lsum_cli.methods.extract.scoring import BACKGROUND
from lsum_cli.methods.extract.statement_wording import Statement
from lsum_cli.text.terms import BoolArray, FloatArray
from lsum_cli.text.verbs import has_verb

# A document's own summary is quoted instead of a choice from the whole; it may be so much longer than what
# would suit.
_LONGER = 1.2
# It is quoted whole up to so many times what would suit, where so much of it is sentences.
_LONGEST_WHOLE, _LEAST_IN_SENTENCES = 2.0, 0.4
# What of it is no sentence, as an announced list, may be left out if the others are this share of it.
_LEAST_OF_WHOLE = 0.6
# Fewer paragraphs of a sentence each are no list.
_LEAST_OF_A_LIST = 2


def whole_summary(extractor: Extractor) -> list[int]:
    """The document's own summary, where it is a text of about the length that suits; else nothing.

    As a whole each of its sentences follows its antecedent.
    """
    structure, num_words = extractor.structure, extractor.candidates.num_words
    texts = {
        position: extractor.candidates.sentences[position].text.rstrip(QUOTATION_MARKS)
        for position in np.flatnonzero(structure.gist.is_own_summary & ~structure.is_cells).tolist()
    }
    whole = [
        position
        for position, text in texts.items()
        # What announces code that is not read, and what goes on after it, is no sentence of it.
        if text.endswith((*STOPS, "?", ";"))
        and not (is_about_publication_or_other_places(text) or is_cross_reference(text))
        and (structure.is_presentable[position] or (has_verb(text.split()) and not text[:1].islower()))
    ]
    whole = _said_once(texts, sorted({*whole, *_announced(extractor, texts, whole)}))
    words = num_words[whole].sum()
    presentable = num_words[whole][structure.is_presentable[whole]].sum()
    if (
        len(extractor.documents) > 1
        or extractor.is_talk
        or extractor.is_story
        or structure.document_kind is DocumentKind.DECISION
        or not SHORTEST <= words <= _LONGEST_WHOLE * extractor.num_words
        or presentable < _LEAST_IN_SENTENCES * words
        or words < _LEAST_OF_WHOLE * num_words[list(texts)].sum()
    ):
        return []
    return whole


def _said_once(texts: Mapping[int, str], whole: Sequence[int]) -> list[int]:
    """Those sentences that do not say word for word what an earlier one says, or ends with."""
    told: list[int] = []
    for row in whole:
        text = texts[row].lower()
        is_told = len(text.split()) >= SHORTEST and any(texts[each].lower().endswith(text) for each in told)
        if not is_told:
            told.append(row)
    return told


def _announced(extractor: Extractor, texts: Mapping[int, str], whole: Sequence[int]) -> list[int]:
    """What announces a list in the document's own summary, and its items, each a paragraph by itself.

    Args:
        extractor: The document.
        texts: The sentences of its summary, by their position.
        whole: Those that are quoted in any case; an item is one of them, or what is announced may be code.
    """
    opens = extractor.candidates.opens_paragraph
    found: list[int] = []
    for position, text in texts.items():
        if not text.endswith(":") or not has_verb(text.split()):
            continue
        end = position + 1
        while (
            end in texts
            and opens[end]
            and not texts[end][:1].islower()
            and (end + 1 not in texts or opens[end + 1])
        ):
            end += 1
        items = range(position + 1, end)
        if len(items) >= _LEAST_OF_A_LIST and not set(items).isdisjoint(whole):
            found += [position, *items]
    return found


def own_summary(extractor: Extractor) -> tuple[BoolArray, int] | None:
    """The sentences of the document's own summary, and how many words of it to quote.

    ``None`` where it has none that is long enough, and of a decision, which has a syllabus.
    """
    num_words, structure = extractor.num_words, extractor.structure
    own = structure.gist.is_own_summary
    words = int(extractor.candidates.num_words[own & structure.is_presentable].sum())
    if (
        structure.document_kind is DocumentKind.DECISION
        or words < LEAST_OF_A_SUMMARY
        or len(extractor.documents) > 1
    ):
        return None
    least = num_words if structure.document_kind is DocumentKind.PAPER else LEAST_OF_A_SUMMARY
    return own, min(max(words, least), int(_LONGER * num_words))


def own_abstract(extractor: Extractor, own: BoolArray) -> tuple[BoolArray, FloatArray]:
    """The abstract of a paper, with its conclusions where it has none; and its scores.

    The background of an abstract counts less.
    """
    structure, values = extractor.structure, extractor.scores.values
    shown = own & structure.is_presentable
    statements = structure.statements
    aims = np.flatnonzero(shown & (statements[Statement.AIM] >= 1))
    after = shown
    if len(aims):
        background = shown & (np.arange(len(shown)) < aims[0])
        values = values - BACKGROUND * float(values.std()) * background
        after = shown & ~background
    found = np.maximum(statements[Statement.RESULT], statements[Statement.CONCLUSION])
    if (found[after] >= 1).any():
        return shown, values
    concludes: BoolArray = shown | (structure.gist.concludes & (statements[Statement.CONCLUSION] >= 0.5))
    return concludes, values
