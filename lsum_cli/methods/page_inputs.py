"""Pages as token ids: what a model reads of them, with nothing cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from lsum_cli.documents import Document
from lsum_cli.locality import Page

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# Tokens of a page kept free for the heading of its section, where headings are read too.
ROOM_FOR_HEADING = 16


def count_text_tokens(tokenizer: PreTrainedTokenizerBase, text: str) -> int:
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
    tokenizer: PreTrainedTokenizerBase,
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
    def of(cls, tokenizer: PreTrainedTokenizerBase) -> SequenceFrame:
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
        token_ids: Of every page and then of every filler page, special tokens included.
        num_fillers: Pages without text at the end.
        headings_left_out: Headings for which there was no room.
    """

    token_ids: list[list[int]]
    num_fillers: int
    headings_left_out: int


@dataclass(frozen=True, kw_only=True)
class PageForm:
    """How the pages of a PageSum checkpoint look.

    Attributes:
        frame: The special tokens around a page.
        page_ids: Tokens of text on a page at most, headings among them.
        reads_headings: Whether the heading of a section stands before its sentences.
        pages: Number of pages that fillers make up, where absent pages take part.
        filler_text: What stands on a filler; ``None`` where absent pages are masked.
    """

    tokenizer: PreTrainedTokenizerBase
    frame: SequenceFrame
    page_ids: int
    reads_headings: bool
    pages: int | None = None
    filler_text: str | None = None

    @property
    def page_len(self) -> int:
        """Tokens of sentences on a page at most, as documents are to be paginated."""
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
        by_id = {document.id: document for document in documents} if self.reads_headings else {}
        inputs = [
            encode_page(self.tokenizer, page, page_ids or self.page_ids, document=by_id.get(page.document_id))
            for page in pages
        ]
        num_fillers = self.num_fillers(len(pages))
        return EncodedPages(
            token_ids=[self.frame.around(each.token_ids) for each in inputs] + [self.filler] * num_fillers,
            num_fillers=num_fillers,
            headings_left_out=sum(each.headings_left_out for each in inputs),
        )


def _ids(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    encoded = tokenizer(text, add_special_tokens=False, verbose=False)
    return list(encoded["input_ids"])
