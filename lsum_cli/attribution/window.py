"""Attribution by window: where the words of a sentence were read, and where they were copied from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document, Sentence
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind, Evidence, PageWeight
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import is_function_word

if TYPE_CHECKING:
    from lsum_cli.models.windowing.engine import Tracer, WindowTrace

MOST_EVIDENCE = 3
# Minimum share of the words for a sentence to be evidence, absolute and relative to the best.
LEAST_SCORE, LEAST_SHARE = 0.1, 0.4


class WindowedText(Protocol):
    """Documents as one stream of words, with the windows that were laid over it."""

    @property
    def documents(self) -> Sequence[Document]:
        """In reading order."""
        ...

    @property
    def sentences(self) -> Sequence[tuple[Sentence, int]]:
        """All that are read, and for each the place of its document."""
        ...

    @property
    def sentence_of(self) -> NDArray[np.int32]:
        """(source_len,), the place of each word's sentence."""
        ...

    @property
    def pages(self) -> Sequence[Page]:
        """The windows as pages."""
        ...

    @property
    def page_of_window(self) -> Mapping[tuple[int, int], int]:
        """The index of a page by its window and the place of its document."""
        ...


class WindowAttributor:
    """Attributes the sentences of one summary, in order.

    The weight of a window is the share of the sentence's words that were written while the model
    read it. A source sentence is evidence by the share of the words that came from it. A word that
    was copied came from the places of the window where this very word stands, by their attention;
    one that was generated came from what the model attended to. Punctuation and function words count
    only if there are no other words.

    Args:
        text: The source.
        tracer: At the beginning of the summary.
        word_of: The word of a token id, in lower case.
    """

    def __init__(self, text: WindowedText, tracer: Tracer, word_of: Callable[[int], str]) -> None:
        self._text = text
        self._tracer = tracer
        self._word_of = word_of
        self._traced = 0

    def attribute(
        self,
        tokens: Sequence[int],
        token_ids: Sequence[int],
        windows: Sequence[int],
        norms: Sequence[float],
    ) -> Attribution:
        """Attribute a sentence that comes after those attributed before.

        Args:
            tokens: Places of the sentence's tokens among ``token_ids``.
            token_ids: All tokens so far.
            windows: The window of each.
            norms: The norms that the search reports for each; see :meth:`Tracer.extend`.
        """
        end, start = tokens[-1] + 1, self._traced
        trace = self._tracer.extend(token_ids[start:end], windows[start:end], norms[start:end])
        places = [place - self._traced for place in tokens]
        self._traced = end
        words = [self._word_of(token_ids[place]) for place in tokens]
        telling = [place for place, word in zip(places, words, strict=True) if _tells(word)]
        return Attribution(
            kind=AttributionKind.WINDOW,
            pages=self._weigh_pages(trace, places),
            evidence=self._find_evidence(trace, telling or places),
        )

    def _weigh_pages(self, trace: WindowTrace, places: Sequence[int]) -> tuple[PageWeight, ...]:
        weights: dict[int, float] = defaultdict(float)
        for place in places:
            for page, share in self._pages_of(trace, place):
                weights[page] += share / len(places)
        ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        return tuple(PageWeight(page=page, weight=weight) for page, weight in ranked)

    def _pages_of(self, trace: WindowTrace, place: int) -> list[tuple[int, float]]:
        """The pages of a word's window, each with its share of the attention."""
        pages = self._pages_of_window[trace.windows[place]]
        if len(pages) == 1:
            return [(pages[0], 1.0)]
        shares = dict.fromkeys(pages, 0.0)
        for sentence, weight in self._origins(trace, place):
            page = self._page_of(trace.windows[place], sentence)
            shares[page if page in shares else pages[0]] += weight
        total = sum(shares.values())
        return [(page, share / total) for page, share in shares.items()] if total else [(pages[0], 1.0)]

    def _find_evidence(self, trace: WindowTrace, places: Sequence[int]) -> tuple[Evidence, ...]:
        scores: dict[int, float] = defaultdict(float)
        read_in: dict[int, int] = {}
        for place in places:
            for sentence, weight in self._origins(trace, place):
                scores[sentence] += weight / len(places)
                read_in.setdefault(sentence, trace.windows[place])
        best = max(scores.values(), default=0.0)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return tuple(
            self._evidence(number, read_in[number], scores[number])
            for number in ranked[:MOST_EVIDENCE]
            if scores[number] >= max(LEAST_SCORE, LEAST_SHARE * best)
        )

    def _evidence(self, number: int, window: int, score: float) -> Evidence:
        sentence, document = self._text.sentences[number]
        return Evidence(
            text=sentence.text,
            document_id=self._text.documents[document].id,
            sentence_index=sentence.index,
            page=self._page_of(window, number),
            pdf_page=sentence.pdf_page,
            score=min(1.0, score),
        )

    def _origins(self, trace: WindowTrace, place: int) -> Iterator[tuple[int, float]]:
        """Yield source sentences with the share of a word that came from them; at most 1 in all."""
        copied = float(trace.copied[place])
        for share, came_from in ((copied, trace.sources[place]), (1 - copied, trace.attention[place])):
            total = float(came_from.weights.sum())
            sentences = self._text.sentence_of[came_from.tokens].tolist()
            for sentence, weight in zip(sentences, came_from.weights.tolist(), strict=True):
                yield sentence, share * weight / max(total, 1e-30)

    def _page_of(self, window: int, sentence: int) -> int:
        """The page of the window in which a sentence was read; one that ends in it has its own elsewhere."""
        document = self._text.sentences[sentence][1]
        page = self._text.page_of_window.get((window, document))
        return self._own_pages[sentence] if page is None else page

    @cached_property
    def _pages_of_window(self) -> dict[int, list[int]]:
        pages: dict[int, list[int]] = defaultdict(list)
        for (window, _), page in self._text.page_of_window.items():
            pages[window].append(page)
        return pages

    @cached_property
    def _own_pages(self) -> dict[int, int]:
        """For the number of every sentence the page it belongs to."""
        numbers = {
            (self._text.documents[document].id, sentence.index): number
            for number, (sentence, document) in enumerate(self._text.sentences)
        }
        return {
            numbers[page.document_id, sentence.index]: page.index
            for page in reversed(self._text.pages)
            for sentence in page.sentences
        }


def _tells(word: str) -> bool:
    """Whether a word tells where it came from: not a punctuation mark or function word."""
    return any(map(str.isalnum, word)) and not is_function_word(stem(word))
