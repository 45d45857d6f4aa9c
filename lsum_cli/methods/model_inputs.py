"""What models read: pages, streams of sentences and parts as token ids, with nothing cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, takewhile
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from lsum_cli.documents import Document
from lsum_cli.locality import Locality, Page
from lsum_cli.paging import Paging, PublishedPages, page_text, published_pages
from lsum_cli.text.importance import FloatArray, IntArray, WordLabels, find_words_of_tokens
from lsum_cli.text.terms import word_spans
from lsum_cli.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from torch import Tensor

# Tokens of a page kept free for the heading of its section, where headings are read too.
ROOM_FOR_HEADING = 16
_GLOBAL_ATTENTION = {"led"}
_PREFIXES = {"t5": "summarize: "}
_LANGUAGE_FORCED = {"mbart"}
# Relative positions have no end; these are the lengths that the families were trained with.
_TRAINED_LENGTHS = {"t5": 512, "mt5": 1024, "umt5": 1024, "longt5": 16384}
_DEFAULT_LENGTH = 1024
# Tokenizers without a limit of their own say 10^30.
_NO_LIMIT = 1 << 24
_SEPARATOR = "<doc-sep>"


def count_text_tokens(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of a sentence in running text, where a space stands before it."""
    return len(_ids(tokenizer, f" {text}"))


@dataclass(frozen=True, kw_only=True)
class PageInput:
    """What a model reads of a page.

    Attributes:
        token_ids: Without special tokens.
        headings_left_out: Headings for which there was no room.
    """

    token_ids: list[int]
    headings_left_out: int = 0


def encode_page(
    tokenizer: Tokenizer,
    page: Page,
    page_len: int,
    *,
    document: Document | None = None,
) -> PageInput:
    """The token ids of a page's sentences, at most ``page_len``, no special tokens among them.

    Args:
        page: Its sentences have together at most ``page_len`` tokens, as :func:`count_text_tokens`
            counts.
        document: The page's own, if the headings of its sections are to be read too, each before
            the sentences of its section. There is room for a heading only where sentences leave it.
    """
    sections = [
        (document.sections[index].heading if document else None, " ".join(s.text for s in sentences))
        for index, sentences in groupby(page.sentences, key=lambda sentence: sentence.section_index)
    ]
    ids = _ids(tokenizer, " ".join(f"{heading} {text}" if heading else text for heading, text in sections))
    if len(ids) <= page_len:
        return PageInput(token_ids=ids)
    room = page_len - sum(count_text_tokens(tokenizer, sentence.text) for sentence in page.sentences)
    ids, left_out = [], 0
    for heading, text in sections:
        heading_ids = _ids(tokenizer, f" {heading}") if heading else []
        if len(heading_ids) > room:
            heading_ids, left_out = [], left_out + 1
        room -= len(heading_ids)
        ids += heading_ids + _ids(tokenizer, f" {text}")
    if len(ids) > page_len:
        # Exactly as counted: a tokenizer that joins neighbouring sentences otherwise is a rare thing.
        ids = [token_id for sentence in page.sentences for token_id in _ids(tokenizer, f" {sentence.text}")]
        left_out = sum(1 for heading, _ in sections if heading)
    return PageInput(token_ids=ids, headings_left_out=left_out)


@dataclass(frozen=True, kw_only=True)
class SequenceFrame:
    """The special tokens that a model expects around a sequence."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> SequenceFrame:
        """What the tokenizer puts around a text, found by asking it."""
        encoded = tokenizer("a", return_special_tokens_mask=True)
        pairs = list(zip(encoded["input_ids"], encoded["special_tokens_mask"], strict=True))
        before = tuple(token_id for token_id, _ in takewhile(lambda pair: pair[1], pairs))
        after = tuple(token_id for token_id, _ in takewhile(lambda pair: pair[1], reversed(pairs)))
        return cls(before=before, after=after[::-1])

    def __len__(self) -> int:
        return len(self.before) + len(self.after)

    def around(self, token_ids: Sequence[int]) -> list[int]:
        """The ids with the special tokens around them."""
        return [*self.before, *token_ids, *self.after]


@dataclass(frozen=True, kw_only=True)
class EncodedPages:
    """Pages as a PageSum model reads them, in training as in writing.

    Attributes:
        token_ids: Ids of every page and then of every filler page, special tokens included.
        num_fillers: Pages without text at the end.
        headings_left_out: Headings for which there was no room.
        columns: Which of ``token_ids`` each page was read in; several pages can be read together.
    """

    token_ids: list[list[int]]
    num_fillers: int
    headings_left_out: int
    columns: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class PageForm:
    """How the pages of a PageSum checkpoint look.

    Attributes:
        frame: The special tokens around a page.
        page_ids: Tokens of text on a page at most, headings among them.
        reads_headings: Whether the heading of a section stands before its sentences.
        pages: Number of pages that fillers make up, where absent pages take part.
        filler_text: What stands on a filler; ``None`` where absent pages are masked.
        paging: How pages are made.
    """

    tokenizer: Tokenizer
    frame: SequenceFrame
    page_ids: int
    reads_headings: bool
    pages: int | None = None
    filler_text: str | None = None
    paging: Paging = Paging.WHOLE

    @property
    def page_len(self) -> int:
        """Tokens of sentences on a page at most, as documents are to be paginated."""
        if self.paging is Paging.PUBLISHED:
            # A heading is part of the text that is cut.
            return self.page_ids
        room = min(ROOM_FOR_HEADING, self.page_ids // 4) if self.reads_headings else 0
        return max(1, self.page_ids - room)

    @property
    def filler(self) -> list[int]:
        """The token ids of a page without text."""
        return self.frame.around(_ids(self.tokenizer, self.filler_text or "."))

    def num_fillers(self, num_pages: int) -> int:
        """Pages without text, for checkpoints that are trained with these taking part."""
        return 0 if self.filler_text is None else max(0, (self.pages or 0) - num_pages)

    def encode(
        self, pages: Sequence[Page], documents: Sequence[Document], page_ids: int | None = None
    ) -> EncodedPages:
        """The token ids of every page and filler.

        Args:
            page_ids: Instead of the checkpoint's own.
        """
        page_ids = page_ids or self.page_ids
        if self.paging is Paging.PUBLISHED:
            inputs, columns = self._encode_published(pages, page_ids)
        else:
            by_id = {document.id: document for document in documents} if self.reads_headings else {}
            inputs = [
                encode_page(self.tokenizer, page, page_ids, document=by_id.get(page.document_id))
                for page in pages
            ]
            columns = list(range(len(pages)))
        num_fillers = self.num_fillers(len(inputs))
        return EncodedPages(
            token_ids=[self.frame.around(each.token_ids) for each in inputs] + [self.filler] * num_fillers,
            num_fillers=num_fillers,
            headings_left_out=sum(each.headings_left_out for each in inputs),
            columns=tuple(columns),
        )

    def paginate(
        self,
        documents: Sequence[Document],
        locality: Locality,
        *,
        page_len: int | None = None,
        keep_references: bool = False,
    ) -> PublishedPages:
        """Make the pages of the published code; see :func:`lsum_cli.paging.published_pages`.

        Args:
            page_len: Instead of the checkpoint's own.
        """
        return published_pages(
            documents,
            locality,
            page_len or self.page_ids,
            self.pages or 0,
            lambda text: len(_ids(self.tokenizer, text)),
            keep_references=keep_references,
        )

    def _encode_published(self, pages: Sequence[Page], page_ids: int) -> tuple[list[PageInput], list[int]]:
        sheets: list[list[Page]] = []
        columns = []
        for page in pages:
            if page.continues:
                sheets[-1].append(page)
            else:
                sheets.append([page])
            columns.append(len(sheets) - 1)
        texts = map(page_text, sheets)
        return [PageInput(token_ids=_ids(self.tokenizer, text)[:page_ids]) for text in texts], columns


def _ids(tokenizer: Tokenizer, text: str) -> list[int]:
    encoded = tokenizer(text, add_special_tokens=False, verbose=False)
    return list(encoded["input_ids"])


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceTokens:
    """What a model with one long input reads, special tokens included.

    Attributes:
        token_ids: (source_len,).
        sentences: (source_len,) index of each token's sentence; -1 for special tokens.
        words: (source_len,) index of each token's word among those of all sentences; -1 for special
            tokens and those that hold no character of a word.
    """

    token_ids: IntArray
    sentences: IntArray
    words: IntArray

    def __len__(self) -> int:
        return len(self.token_ids)

    def spread(self, labels: Sequence[WordLabels]) -> FloatArray:
        """The labels of the words as importance of the tokens, (source_len,), 0 where there is no word.

        Args:
            labels: Labels of each sentence, from :func:`lsum_cli.text.importance.label_words` makes them.
        """
        important = np.concatenate([*(each.important for each in labels), np.zeros(1, np.bool_)])
        return important[self.words].astype(np.float64) * (self.words >= 0)


def encode_source(tokenizer: Tokenizer, frame: SequenceFrame, texts: Sequence[str]) -> SourceTokens:
    """Tokenise sentences one after another, each as it stands within running text.

    Args:
        tokenizer: A fast one, which tells offsets.
        frame: The special tokens around the whole.
        texts: Sentences, at least one.
    """
    spaced = [f" {text}" for text in texts]
    encoded = tokenizer(spaced, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    words: list[NDArray[np.int64]] = []
    num_words = 0
    for text, offsets in zip(spaced, encoded["offset_mapping"], strict=True):
        spans = np.array(word_spans(text), np.int64).reshape(-1, 2)
        found = find_words_of_tokens(spans[:, 0], spans[:, 1], offsets)
        words.append(np.where(found >= 0, found + num_words, -1))
        num_words += len(spans)
    before, after = len(frame.before), len(frame.after)
    lengths = [len(ids) for ids in encoded["input_ids"]]
    outside = [np.full(before, -1), np.full(after, -1)]
    return SourceTokens(
        token_ids=np.array(frame.around(list(chain.from_iterable(encoded["input_ids"]))), np.int64),
        sentences=np.concatenate([outside[0], np.repeat(np.arange(len(texts)), lengths), outside[1]]),
        words=np.concatenate([outside[0], *words, outside[1]]).astype(np.int64),
    )


@dataclass(frozen=True, kw_only=True)
class InputForm:
    """How the input of an architecture looks.

    Attributes:
        max_tokens: What a model reads at once, special tokens included.
        can_exceed: Whether it can read more, though it was not trained to.
        max_written: What it can write at most, special tokens included; ``None`` for any number.
        prefix: Stands before every input.
        separator_id: Stands between documents, of which then several make one input (PRIMERA).
        has_global_attention: Whether the first token and separators are to be seen from everywhere.
        first_token_id: What the summary has to begin with, such as a language; ``None`` for
            whatever the checkpoint says.
    """

    max_tokens: int
    can_exceed: bool
    max_written: int | None
    prefix: str
    separator_id: int | None
    has_global_attention: bool
    first_token_id: int | None

    @classmethod
    def of(cls, config: Mapping[str, Any], tokenizer: Tokenizer) -> Self:
        """Find out from a checkpoint's ``config.json`` and tokenizer."""
        family = str(config.get("model_type"))
        read = _size(config, "max_encoder_position_embeddings", "max_position_embeddings")
        written = _size(config, "max_decoder_position_embeddings", "max_position_embeddings")
        stated = tokenizer.model_max_length if tokenizer.model_max_length < _NO_LIMIT else None
        if read is None:
            limit = max(stated or 0, _size(config, "n_positions") or _TRAINED_LENGTHS.get(family, 0))
        else:
            limit = min(read, stated or read)
        return cls(
            max_tokens=limit or _DEFAULT_LENGTH,
            can_exceed=read is None,
            max_written=written,
            prefix=_prefix(config, family),
            separator_id=tokenizer.get_vocab().get(_SEPARATOR),
            has_global_attention=family in _GLOBAL_ATTENTION,
            first_token_id=_language_id(tokenizer) if family in _LANGUAGE_FORCED else None,
        )

    def global_attention(self, input_ids: Tensor) -> Tensor:
        """1 at the first token and at every separator of documents, else 0: (batch, source_len) of both."""
        mask = input_ids.new_zeros(input_ids.shape)
        mask[:, 0] = 1
        if self.separator_id is not None:
            mask[input_ids == self.separator_id] = 1
        return mask


def _size(config: Mapping[str, Any], *names: str) -> int | None:
    values = (config.get(name) for name in names)
    return next((value for value in values if type(value) is int and value > 0), None)


def _prefix(config: Mapping[str, Any], family: str) -> str:
    """What the checkpoint states for summarisation, else what its family was trained with."""
    tasks = config.get("task_specific_params") or {}
    stated = tasks.get("summarization", {}).get("prefix") if isinstance(tasks, dict) else None
    return str(stated) if stated else _PREFIXES.get(family, "")


def _language_id(tokenizer: Tokenizer) -> int | None:
    """The token of the language that the tokenizer is set to write."""
    language = getattr(tokenizer, "tgt_lang", None) or getattr(tokenizer, "src_lang", None)
    return tokenizer.get_vocab().get(language) if language else None
