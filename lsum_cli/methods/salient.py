"""Salient reading: only the sentences that extraction ranks first, in order and in their sections."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.checkpoints.values import READING
from lsum_cli.documents import Document
from lsum_cli.locality import CountTokens, Page, choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.focus.relevance import blend, rank
from lsum_cli.methods.extract.focus.statements import asks_for_the_whole
from lsum_cli.methods.extract.ranking.salience import salience
from lsum_cli.methods.extract.selection import select
from lsum_cli.methods.extract.structure import Structure

ALL, SALIENT = "all", "salient"
# Tokens that are read by default where a model reads texts of any length.
SALIENT_TOKENS = 1024
# Pages by which sentences are ranked, as the method extract has them.
_PAGE_LEN = 1024


@dataclass(frozen=True, kw_only=True)
class Selected:
    """What is read of documents.

    Attributes:
        documents: With only the sentences that are read.
        remarks: What the reader of the summary should know of how they were chosen.
    """

    documents: tuple[Document, ...]
    remarks: tuple[str, ...] = ()


def tokens_to_read(read: str | None, at_once: int | None) -> int | None:
    """How many tokens ``--read`` lets a model read; ``None`` for all.

    Args:
        read: ``all``, ``salient`` or ``salient:TOKENS``.
        at_once: What the model reads at once; ``None`` for no limit.
    """
    found = READING.fullmatch(read or ALL)
    if found is None or found.group() == ALL:
        return None
    return int(found.group(1)) if found.group(1) else at_once or SALIENT_TOKENS


def select_salient(
    documents: Sequence[Document],
    num_tokens: int,
    count_tokens: CountTokens,
    *,
    keep_references: bool = False,
    focus: str | None = None,
) -> Selected:
    """The documents with only their most salient sentences, of at most ``num_tokens`` tokens together.

    The sentences keep their sections, indices and offsets. Where all fit, nothing is left out but what has
    nothing to do with a focus; where no sentence fits, one is read anyway.

    Args:
        count_tokens: Counts the tokens of a sentence.
        keep_references: Whether reference lists can be read.
        focus: A question or some words by which the sentences are ranked; ``None`` for what says most.

    Raises:
        OptionError: The focus says nothing, or is in a script that the documents do not use.
    """
    longest = max((len(s.text) for document in documents for s in document.sentences), default=1)
    pages = paginate(
        documents,
        choose_locality(documents).locality,
        # No sentence is cut: a token has at least one character.
        max(_PAGE_LEN, longest),
        keep_references=keep_references,
    )
    chosen, remarks = _choose(pages, documents, num_tokens, count_tokens, focus)
    if chosen is None:
        return Selected(documents=tuple(documents), remarks=remarks)
    return Selected(documents=tuple(_only(document, chosen) for document in documents), remarks=remarks)


def select_in_page(
    page: Page, documents: Sequence[Document], num_tokens: int, count_tokens: CountTokens
) -> Page:
    """The page, such as a chapter of a book, with only its most salient sentences."""
    chosen, _ = _choose([replace(page, index=0)], documents, num_tokens, count_tokens, None)
    return page if chosen is None else _restrict(page, chosen, count_tokens)


def keep_in_pages(
    pages: Sequence[Page], documents: Sequence[Document], count_tokens: CountTokens
) -> tuple[Page, ...]:
    """The pages with only the sentences that the documents hold, without those that then hold none."""
    chosen = {(document.id, sentence.index) for document in documents for sentence in document.sentences}
    kept = (_restrict(page, chosen, count_tokens) for page in pages)
    return tuple(replace(page, index=index) for index, page in enumerate(p for p in kept if p.sentences))


def _restrict(page: Page, chosen: Collection[tuple[str, int]], count_tokens: CountTokens) -> Page:
    kept = tuple(sentence for sentence in page.sentences if (page.document_id, sentence.index) in chosen)
    return replace(page, sentences=kept, num_tokens=sum(count_tokens(sentence.text) for sentence in kept))


def _choose(
    pages: Sequence[Page],
    documents: Sequence[Document],
    num_tokens: int,
    count_tokens: CountTokens,
    focus: str | None,
) -> tuple[set[tuple[str, int]] | None, tuple[str, ...]]:
    """Documents and indices of the sentences that are read, ``None`` for all, and what to say of them."""
    lengths = np.array([count_tokens(s.text) for page in pages for s in page.sentences], np.int64)
    total = int(lengths.sum())
    if total <= num_tokens and (focus is None or not len(lengths)):
        return None, ()
    candidates = Candidates.of(pages, documents)
    # Selection counts words: each sentence counts as many as its tokens are worth, rounded up.
    per_word = max(1.0, total / max(1, int(candidates.num_words.sum())))
    worth = np.ceil(lengths / per_word).astype(np.int64)
    budget = max(1, int(num_tokens / per_word))
    structure = Structure.of(candidates)
    scores, eligible = salience(candidates, structure), None
    remarks: tuple[str, ...] = ()
    if focus is not None and not asks_for_the_whole(focus, candidates, structure):
        ranking = rank(candidates, structure, scores, focus, documents[0].language)
        scores, remarks = blend(scores, ranking), ranking.warnings(focus)
        eligible = ranking.is_about if ranking.is_about.any() else None
    counted = replace(candidates, num_words=worth)
    places = select(counted, scores, budget, eligible, structure)
    chosen = {
        (documents[int(candidates.document[place])].id, candidates.sentences[place].index) for place in places
    }
    return (None if len(places) == len(candidates) else chosen), remarks


def _only(document: Document, chosen: set[tuple[str, int]]) -> Document:
    sections = tuple(
        replace(section, sentences=tuple(s for s in section.sentences if (document.id, s.index) in chosen))
        for section in document.sections
    )
    return replace(document, sections=sections)
