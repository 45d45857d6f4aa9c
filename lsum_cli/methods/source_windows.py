"""Documents as one stream of words, read window by window, and the pages that correspond to the windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document, Sentence, sentences_to_read
from lsum_cli.locality import Locality, Page
from lsum_cli.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from lsum_cli.models.windowing.vocabulary import SourceText
    from lsum_cli.models.windowing.windows import WindowLayout

# Window, position of the document, and sentences (or pieces of sentences) with their numbers of words.
_Group = tuple[int, int, list[tuple[Sentence, int]]]


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceWindows:
    """Documents as a windowing model reads them.

    Attributes:
        documents: In reading order.
        sentences: All sentences read, each with the position of its document.
        source: The words of these sentences as one stream.
        layout: The positions of the windows in the stream.
    """

    documents: tuple[Document, ...]
    sentences: tuple[tuple[Sentence, int], ...]
    source: SourceText
    layout: WindowLayout

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        tokenizer: Tokenizer,
        *,
        window_len: int,
        stride: int,
        keep_references: bool,
        first_window_only: bool = False,
    ) -> SourceWindows:
        """Divide the documents, as one stream of words, into windows; headings are omitted as in training."""
        from lsum_cli.models.windowing.vocabulary import encode_source
        from lsum_cli.models.windowing.windows import WindowLayout

        sentences = tuple(
            (sentence, place)
            for place, document in enumerate(documents)
            for sentence in sentences_to_read([document], keep_references=keep_references)
        )
        source = encode_source(tokenizer, [sentence.text for sentence, _ in sentences])
        num_tokens = min(len(source), window_len) if first_window_only else len(source)
        return cls(
            documents=tuple(documents),
            sentences=sentences,
            source=source,
            layout=WindowLayout(num_tokens=num_tokens, window_len=window_len, stride=stride),
        )

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The windows as pages: every sentence is on exactly one, in order.

        A sentence belongs to the window that contains most of its words, the first in case of a tie.
        A sentence longer than a window is cut where windows end, into pieces with their own offsets.
        A window with sentences of several documents becomes one page per document. A window whose
        sentences all belong to its neighbours becomes a page without sentences.
        """
        pages: list[Page] = []
        for window, document, pieces in self._groups:
            place = f"window {window + 1}/{len(self.layout)}"
            title = self.documents[document].title or self.documents[document].source
            pages.append(
                Page(
                    index=len(pages),
                    locality=Locality.SPATIAL,
                    label=f"{title}, {place}" if len(self.documents) > 1 else place,
                    document_id=self.documents[document].id,
                    sentences=tuple(sentence for sentence, _ in pieces),
                    num_tokens=sum(num_tokens for _, num_tokens in pieces),
                )
            )
        return tuple(pages)

    @property
    def sentence_of(self) -> NDArray[np.int32]:
        """(source_len,), the position of each word's sentence."""
        return self.source.sentence_of

    @cached_property
    def page_of_window(self) -> dict[tuple[int, int], int]:
        """The index of a page, by its window and the position of its document."""
        return {(window, document): index for index, (window, document, _) in enumerate(self._groups)}

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """(sentences + 1,), the word at which each sentence begins, and the end."""
        starts: NDArray[np.int64] = np.searchsorted(
            self.source.sentence_of, np.arange(len(self.sentences) + 1)
        ).astype(np.int64)
        return starts

    def surface(self, position: int) -> str:
        """A word as spelt in the source."""
        start, end = self.source.offsets[position].tolist()
        sentence, _ = self.sentences[int(self.source.sentence_of[position])]
        return sentence.text[start:end]

    @cached_property
    def _groups(self) -> tuple[_Group, ...]:
        return tuple(self._grouped())

    def _grouped(self) -> Iterator[_Group]:
        if not self.layout.num_tokens:
            return
        window, document, pieces = 0, self.sentences[0][1], list[tuple[Sentence, int]]()
        for next_window, next_document, piece, num_tokens in self._pieces():
            if (next_window, next_document) != (window, document) and (pieces or next_window > window):
                yield window, document, pieces
                for empty in range(window + 1, next_window):
                    yield empty, self._document_at(empty), []
                pieces = []
            window, document = next_window, next_document
            pieces.append((piece, num_tokens))
        yield window, document, pieces
        for empty in range(window + 1, len(self.layout)):
            yield empty, self._document_at(empty), []

    def _document_at(self, window: int) -> int:
        first, _ = self.layout.span(window)
        return self.sentences[int(self.source.sentence_of[first])][1]

    def _pieces(self) -> Iterator[tuple[int, int, Sentence, int]]:
        """Yield ``(window, document, sentence or piece, words)`` in order."""
        window = 0
        for number, (sentence, document) in enumerate(self.sentences):
            start, end = int(self.starts[number]), int(self.starts[number + 1])
            if start >= self.layout.num_tokens:
                return
            is_cut = False
            while end - start > self.layout.window_len or end > self.layout.num_tokens:
                window = self._first_window_beyond(start)
                _, cut = self.layout.span(window)
                if cut >= end:
                    break
                yield window, document, self._cut(sentence, start, cut, is_cut), cut - start
                start, is_cut = cut, True
                if start >= self.layout.num_tokens:
                    return
            window = max(window, self._window_of(start, end))
            piece = self._cut(sentence, start, end, is_cut) if is_cut else sentence
            yield window, document, piece, end - start

    def _first_window_beyond(self, token: int) -> int:
        """The first window that ends behind a token."""
        beyond = -(-(token + 1 - self.layout.window_len) // self.layout.stride)
        return min(max(0, beyond), len(self.layout) - 1)

    def _window_of(self, start: int, end: int) -> int:
        """The first of the windows that cover most of ``start`` to ``end``, a span of at most one window."""
        if end <= start:
            return 0
        # The first that reaches the end, and the one before it.
        last = self._first_window_beyond(end - 1)
        before = max(0, last - 1)
        return before if self._shared(before, start, end) >= self._shared(last, start, end) else last

    def _shared(self, window: int, start: int, end: int) -> int:
        first, last = self.layout.span(window)
        return min(last, end) - max(first, start)

    def _cut(self, sentence: Sentence, start: int, end: int, is_cut: bool) -> Sentence:
        """The piece of a sentence between two words; the outer pieces extend to the sentence's ends."""
        number = self.source.sentence_of[start]
        begin = int(self.source.offsets[start, 0]) if is_cut else 0
        is_last = end == self.starts[number + 1]
        stop = len(sentence.text) if is_last else int(self.source.offsets[end - 1, 1])
        return replace(
            sentence,
            text=sentence.text[begin:stop],
            start=sentence.start + begin,
            end=sentence.start + stop,
        )
