"""Source sentences as what a model may write: which are offered, and what a verbatim search wrote of them.

A sentence is offered if it lies whole in its page and is complete by its form, which labels, headings and
most list items are not; its tokens are those that the model reads. What is printed is the source's own
string, and where it is from is known exactly.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document, Sentence
from lsum_cli.errors import OptionError
from lsum_cli.locality import Page
from lsum_cli.methods.detokenising import TokenSentence
from lsum_cli.methods.search_settings import SearchSettings
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.summaries import Attribution
from lsum_cli.text.sentences import is_complete
from lsum_cli.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from lsum_cli.generation.constraints import Constraint
    from lsum_cli.generation.options import GenerationOptions
    from lsum_cli.generation.verbatim import SentenceIndex

NOTHING_COMPLETE = "no sentence ends with a full stop or the like: all were offered to be written verbatim"
_CACHED_WINDOWS = 16
NOTHING_FITS = "no sentence of the source is as short as was asked for: the shortest one was written"


@dataclass(frozen=True, kw_only=True)
class OfferedSentence:
    """A sentence that may be written.

    Attributes:
        number: Its number among those that are offered.
        token_ids: As the model reads it.
        places: Where it is: pages, by their position, and the sentence on each.
    """

    number: int
    token_ids: tuple[int, ...]
    places: tuple[tuple[int, Sentence], ...]

    @property
    def text(self) -> str:
        """The source's own string."""
        return self.places[0][1].text

    def attribution(self, pages: Sequence[Page], weights: NDArray[np.float32] | None = None) -> Attribution:
        """Its origin: of several places the one on the page of the greatest weight, else the first.

        Args:
            weights: (pages,).
        """
        position, sentence = self.places[0]
        if weights is not None:
            position, sentence = max(self.places, key=lambda place: float(weights[place[0]]))
        return Attribution.verbatim(sentence, pages[position])


@dataclass(frozen=True, kw_only=True)
class WrittenVerbatim(TokenSentence):
    """A sentence that a verbatim search wrote."""

    source: OfferedSentence


@dataclass(frozen=True, kw_only=True, eq=False)
class VerbatimSource:
    """The sentences of some pages that a model may write.

    Attributes:
        remarks: What the reader should know of how they were chosen.
    """

    pages: tuple[Page, ...]
    sentences: tuple[OfferedSentence, ...]
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        pages: Sequence[Page],
        documents: Sequence[Document],
        tokenizer: Tokenizer,
        *,
        page_ids: Sequence[Sequence[int]] = (),
        written: Collection[str] = (),
    ) -> VerbatimSource:
        """Collect the sentences of pages.

        Args:
            page_ids: What the model reads of each page, without special tokens; the first sentence of a
                page may begin without the space that stands before the others.
            written: Texts that are not offered again.
        """
        found, remarks = find_offered(pages, documents)
        found = {text: places for text, places in found.items() if text not in written}
        ids = _encode(tokenizer, found, page_ids)
        special = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
        usable = [text for text in found if ids[text] and special.isdisjoint(ids[text])]
        return cls(
            pages=tuple(pages),
            sentences=tuple(
                OfferedSentence(number=number, token_ids=ids[text], places=tuple(found[text]))
                for number, text in enumerate(usable)
            ),
            remarks=tuple(remarks),
        )

    @cached_property
    def index(self) -> SentenceIndex:
        """The sentences as an automaton."""
        from lsum_cli.generation.verbatim import SentenceIndex

        return SentenceIndex([sentence.token_ids for sentence in self.sentences])

    def fits(self, settings: SearchSettings) -> bool:
        """Whether a sentence is short enough; the first token may have to be a special one."""
        return bool(len(self.index)) and self.index.shortest < settings.max_tokens

    def fitted(self, settings: SearchSettings, positions: int | None) -> tuple[SearchSettings, list[str]]:
        """The settings under which at least the shortest sentence can be written, and what to say of it.

        Args:
            positions: Maximum number of tokens that the model can write; ``None`` for no limit.

        Raises:
            OptionError: There is no sentence, or none that the model could write.
        """
        shortest = self.index.shortest + 1
        if not len(self.index) or (positions is not None and shortest > positions):
            raise OptionError(
                "no sentence of the source can be written verbatim",
                "leave out --faithful verbatim, or take --method extract",
            )
        if shortest <= settings.max_tokens:
            return settings, list(self.remarks)
        needed = replace(settings, max_tokens=shortest, min_tokens=min(settings.min_tokens, shortest))
        return needed, [*self.remarks, NOTHING_FITS]

    def read(self, token_ids: Sequence[int]) -> list[WrittenVerbatim]:
        """The sentences in what was generated."""
        from lsum_cli.generation.verbatim import read_sentences

        return [
            WrittenVerbatim(
                text=self.sentences[written.number].text,
                tokens=written.places,
                source=self.sentences[written.number],
            )
            for written in read_sentences(token_ids, self.index)
        ]


def constrain(
    sources: Sequence[VerbatimSource], options: Sequence[GenerationOptions]
) -> tuple[Sequence[GenerationOptions], tuple[Constraint, ...]]:
    """The options and the constraint of a verbatim search for several documents; none without sources."""
    from lsum_cli.generation.verbatim import DocumentOffers, VerbatimSentences, without_limits

    if not sources:
        return options, ()
    offers = DocumentOffers([source.index for source in sources], options)
    return [without_limits(own) for own in options], (VerbatimSentences(offers, options),)


def find_offered(
    pages: Sequence[Page], documents: Sequence[Document]
) -> tuple[dict[str, list[tuple[int, Sentence]]], list[str]]:
    """Find the sentences that may be written, by their text, and what the reader should know of that.

    Where no sentence is complete by its form, as in verse or a table, all are offered.
    """
    whole: dict[str, list[tuple[int, Sentence]]] = {}
    for position, sentence in _whole_sentences(pages, documents):
        whole.setdefault(sentence.text, []).append((position, sentence))
    complete = {text: places for text, places in whole.items() if is_complete(text)}
    return (complete, []) if complete or not whole else (whole, [NOTHING_COMPLETE])


def _whole_sentences(pages: Sequence[Page], documents: Sequence[Document]) -> Iterator[tuple[int, Sentence]]:
    """The sentences that lie whole in a page, each with the page's position."""
    lengths = {
        (document.id, sentence.index): len(sentence.text)
        for document in documents
        for section in document.sections
        for sentence in section.sentences
    }
    for position, page in enumerate(pages):
        for sentence in page.sentences:
            if lengths.get((page.document_id, sentence.index)) == len(sentence.text):
                yield position, sentence


def _encode(
    tokenizer: Tokenizer,
    found: dict[str, list[tuple[int, Sentence]]],
    page_ids: Sequence[Sequence[int]],
) -> dict[str, tuple[int, ...]]:
    """The token ids of every text, as it stands on its first page."""
    if not found:
        return {}
    texts = list(found)
    encoded = tokenizer([f" {text}" for text in texts], add_special_tokens=False, verbose=False)["input_ids"]
    ids = {text: tuple(each) for text, each in zip(texts, encoded, strict=True)}
    if page_ids:
        seen: set[int] = set()
        for text in texts:
            position, _ = found[text][0]
            if position in seen:
                continue
            # Only the first one of a page can stand at its beginning.
            seen.add(position)
            bare = tuple(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
            if bare and tuple(page_ids[position][: len(bare)]) == bare:
                ids[text] = bare
    return ids


class WindowedSource:
    """The sentences of a windowing model's text; in each window those that lie whole in it may be written.

    Args:
        text: The text and its windows.

    Raises:
        OptionError: No window holds a whole sentence.
    """

    def __init__(self, text: SourceWindows) -> None:
        self._text = text
        found, remarks = find_offered(text.pages, text.documents)
        self.remarks: tuple[str, ...] = tuple(remarks)
        position_of = {
            (text.documents[document].id, sentence.index): position
            for position, (sentence, document) in enumerate(text.sentences)
        }
        self._sentences: dict[str, OfferedSentence] = {}
        for number, (sentence_text, places) in enumerate(found.items()):
            page, sentence = places[0]
            position = position_of[text.pages[page].document_id, sentence.index]
            start, end = text.starts[position : position + 2].tolist()
            ids = tuple(text.source.extended_ids[start:end].tolist())
            self._sentences[sentence_text] = OfferedSentence(
                number=number, token_ids=ids, places=tuple(places)
            )
        self._by_number = list(self._sentences.values())
        self._indices: OrderedDict[int, SentenceIndex] = OrderedDict()
        self.shortest, self.longest = self._measure()

    def sentence(self, number: int) -> OfferedSentence:
        """An offered sentence by its number."""
        return self._by_number[number]

    def index(self, window: int) -> SentenceIndex:
        """The sentences that may be written in a window; those of the last few are cached."""
        from lsum_cli.generation.verbatim import SentenceIndex

        if window not in self._indices:
            offered = {sentence.number: sentence for sentence in self._in_window(window)}
            self._indices[window] = SentenceIndex(
                [sentence.token_ids for sentence in offered.values()], list(offered)
            )
            if len(self._indices) > _CACHED_WINDOWS:
                self._indices.popitem(last=False)
        self._indices.move_to_end(window)
        return self._indices[window]

    def _in_window(self, window: int) -> Iterator[OfferedSentence]:
        text = self._text
        start, end = text.layout.span(window)
        first = int(np.searchsorted(text.starts, start, "left"))
        last = int(np.searchsorted(text.starts, end, "right")) - 1
        for sentence, _ in text.sentences[first:last]:
            if (offered := self._sentences.get(sentence.text)) and offered.token_ids:
                yield offered

    def _measure(self) -> tuple[int, int]:
        """Tokens of the shortest and the longest sentence that a window holds."""
        lengths = [
            len(sentence.token_ids)
            for window in range(len(self._text.layout))
            for sentence in self._in_window(window)
        ]
        if not lengths:
            raise OptionError(
                "no window holds a whole sentence that could be written verbatim",
                "give a larger --window, or leave out --faithful verbatim",
            )
        return min(lengths), max(lengths)
